/* neutral.c - law 11: a scheme at its neutral setting is the baseline, bit for bit. */
#include "laws.h"
#include "policy.h"

#include <string.h>

/* "NAME VALUE" into a configuration. */
static bool setting_put(struct config *config, const char *text, struct text *why)
{
	char name[64] = "", value[64] = "";
	struct error e = {0};
	u32 v = 0;
	int id = sscanf(text, "%63s %63s", name, value) == 2 ? setting_find(name, &e) : -1;

	if (id < 0 || setting_parse((enum setting_id)id, value, &v, &e) != STATUS_OK) {
		text_add(why, "neutral setting `%s`: %s", text, e.message);
		return false;
	}
	config_set(config, (enum setting_id)id, v);
	return true;
}

/* Put a scheme into every slot that it can fill, and into the same ones of `base` what it must equal. */
static void fill(struct policy_choice *p, struct policy_choice *base, u32 id)
{
	const struct scheme *x = scheme_table[id];
	int other = x->equals ? scheme_find(NULL, x->equals, NULL) : -1;

	if (x->order) {
		p->order = id;
		base->order = other >= 0 ? (u32)other : SCHEME_gto;
	}
	if (x->assign) {
		p->assign = id;
		base->assign = other >= 0 ? (u32)other : SCHEME_rr;
	}
	if (x->extra) {
		p->extra = id + 1;
		base->extra = 0;
	}
	if (x->hold)
		p->hold |= 1ULL << id;
	if (x->rank)
		p->rank |= 1ULL << id;
}

/* A run under a configuration and a policy; false: the program does not fit it, and nothing is said. */
static bool run_under(const struct scene *c, const struct config *config, const struct policy_choice *policy, u64 to,
		      struct print *out)
{
	struct sim s;

	if (sim_open(&s, config, policy, &c->session.program, NULL) != STATUS_OK)
		return false;
	lab_advance(&s, to);
	print_take(&s, out);
	sim_close(&s);
	return true;
}

/* The law for one scheme. */
static bool neutral_holds(const struct scene *c, u32 id, struct text *why)
{
	struct policy_choice policy = c->session.policy, base = policy;
	struct config config = c->config;
	struct print want, got;
	u64 to = c->thorough ? c->limit : c->limit / 4;

	if (!setting_put(&config, scheme_table[id]->neutral, why))
		return false;
	fill(&policy, &base, id);
	if (!run_under(c, &config, &base, to, &want) || !run_under(c, &config, &policy, to, &got))
		return true;
	if (print_same(&want, &got, why))
		return true;
	text_add(why, " (%s with %s)", scheme_table[id]->name, scheme_table[id]->neutral);
	return false;
}

bool law_neutral(struct scene *c, struct text *why)
{
	for (u32 i = 0; i < SCHEME_COUNT; i++)
		if (scheme_table[i]->neutral && !neutral_holds(c, i, why))
			return false;
	return true;
}
