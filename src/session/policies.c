/* policies.c - the choice of schemes by slot: default, current, as text. */
#include "settings.h"

#include "policy.h"

#include <string.h>

void policy_default(struct policy_choice *p)
{
	memset(p, 0, sizeof(*p));
	p->order = SCHEME_gto;
	p->fetch = SCHEME_lrr;
	p->assign = SCHEME_rr;
}

void policy_now(const struct session *s, struct policy_choice *p)
{
	if (s->live)
		sim_get_policy(&s->sim, p);
	else
		*p = s->policy;
}

/* The names of a set of rows, "none" if it is empty. */
static void text_set(struct text *out, const char *slot, u64 set)
{
	const char *comma = "";

	text_add(out, " %s=%s", slot, set ? "" : "none");
	for (u32 i = 0; i < SCHEME_COUNT; i++)
		if (set >> i & 1) {
			text_add(out, "%s%s", comma, scheme_table[i]->name);
			comma = ",";
		}
}

void policy_text(const struct policy_choice *p, struct text *out)
{
	text_add(out, "order=%s fetch=%s assign=%s", scheme_table[p->order]->name, scheme_table[p->fetch]->name,
		 scheme_table[p->assign]->name);
	if (p->extra)
		text_add(out, " extra=%s", scheme_table[p->extra - 1]->name);
	text_set(out, "hold", p->hold);
	text_set(out, "rank", p->rank);
}
