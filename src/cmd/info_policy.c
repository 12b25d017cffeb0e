/* info_policy.c - info policy: the policies, their hooks, and the selection. */
#include "info.h"
#include "schemes.h"

/* The hooks of a selection that policy i implements. */
static void info_policy_in_use(struct columns *c, const struct policy_choice *p, u32 i)
{
	struct text text = {0};

	for (u32 slot = 0; slot < POLICY_SLOTS; slot++)
		if (policy_in(p, slot) >> i & 1)
			text_list(&text, " ", slot_table[slot].name);
	columns_text(c, text.s ? text.s : "");
	text_free(&text);
}

/* One policy: its hooks, where it is in use now and after a restart (NULL: no difference). */
static void info_policy_add_scheme(struct columns *c, u32 i, const struct policy_choice *now,
				   const struct policy_choice *later)
{
	const struct scheme *x = scheme_table[i];
	struct text fills = {0};

	scheme_slots(x, &fills);
	columns_row(c, x->name, fills.s);
	info_policy_in_use(c, now, i);
	if (later)
		info_policy_in_use(c, later, i);
	columns_row(c, x->paper ? x->paper : "", x->doc);
	text_free(&fills);
}

/* info policy */
static void info_policy_show(struct session *s)
{
	struct policy_choice now = s->policy;
	struct columns c;
	bool pending;

	if (s->live)
		sim_get_policy(&s->sim, &now);
	pending = memcmp(&now, &s->policy, sizeof(now)) != 0;
	columns_open(&c, s, pending ? "policy hooks in_use after_restart paper doc" : "policy hooks in_use paper doc");
	for (u32 i = 0; i < SCHEME_COUNT; i++)
		info_policy_add_scheme(&c, i, &now, pending ? &s->policy : NULL);
	columns_close(&c, "schemes", "");
}

const struct info info_policy = {.name = "policy",
				 .doc = "policies, the hooks that they implement, and the selection",
				 .show = info_policy_show};
