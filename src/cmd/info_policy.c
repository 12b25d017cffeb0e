/* info_policy.c - info policy: the schemes there are, and which fill the policy slots. */
#include "command.h"
#include "info.h"
#include "policy.h"

#include <string.h>

/* Which slots a scheme can fill. */
static void slots(const struct scheme *x, char *out, size_t size)
{
	snprintf(out, size, "%s%s%s%s%s%s", x->order ? "order " : "", x->extra ? "extra " : "", x->hold ? "hold " : "", x->rank ? "rank " : "",
		 x->fetch ? "fetch " : "", x->assign ? "assign " : "");
}

/* Which it fills now. */
static void in_use(const struct policy_choice *p, u32 i, char *out, size_t size)
{
	const struct scheme *x = scheme_table[i];

	snprintf(out, size, "%s%s%s%s%s%s", x->order && p->order == i ? "order " : "", p->extra == i + 1 ? "extra " : "", p->hold >> i & 1 ? "hold " : "",
		 p->rank >> i & 1 ? "rank " : "", x->fetch && p->fetch == i ? "fetch " : "",
		 x->assign && p->assign == i ? "assign " : "");
}

/* info policy */
static enum status run(struct session *s, const struct token *token, u32 ntokens, struct error *e)
{
	struct policy_choice now = s->policy;
	struct columns c;
	char text[64];
	bool pending;
	enum status st = info_alone(token, ntokens, e);

	if (st)
		return st;
	if (s->live)
		sim_get_policy(&s->sim, &now);
	pending = memcmp(&now, &s->policy, sizeof(now)) != 0;
	columns_open(&c, s, pending ? "scheme fills in_use after_restart paper doc" : "scheme fills in_use paper doc");
	for (u32 i = 0; i < SCHEME_COUNT; i++) {
		const struct scheme *x = scheme_table[i];

		columns_text(&c, x->name);
		slots(x, text, sizeof(text));
		columns_text(&c, text);
		in_use(&now, i, text, sizeof(text));
		columns_text(&c, text);
		in_use(&s->policy, i, text, sizeof(text));
		if (pending)
			columns_text(&c, text);
		columns_text(&c, x->paper ? x->paper : "");
		columns_text(&c, x->doc);
	}
	columns_close(&c, "schemes", "");
	return STATUS_OK;
}

const struct info info_policy = {.name = "policy", .doc = "schemes, and which fill the policy slots", .run = run};
