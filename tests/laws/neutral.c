/*
 * neutral.c - law 11: a scheme at its neutral setting is the baseline, bit for bit; law 4 for each scheme: what it
 * promises of the time in which nothing happens (steady, wake) holds.
 */
#include "counters.h"
#include "events.h"
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

/* The law for one scheme in some slots. */
static bool neutral_holds(const struct scene *c, u32 id, u64 slots, struct text *why)
{
	struct policy_choice policy = c->session.policy, base = policy;
	struct config config = c->config;
	struct print want, got;
	u64 to = c->thorough ? c->limit : c->limit / 4;

	if (!setting_put(&config, scheme_table[id]->neutral, why))
		return false;
	if (!lab_fill(&policy, &base, id, slots))
		return true;
	if (!run_under(c, &config, &base, to, &want) || !run_under(c, &config, &policy, to, &got))
		return true;
	if (print_same(&want, &got, why))
		return true;
	text_add(why, " (%s with %s)", scheme_table[id]->name, scheme_table[id]->neutral);
	return false;
}

/* For one scheme: in each slot alone, and in all. */
static bool neutral_everywhere(const struct scene *c, u32 id, struct text *why)
{
	u32 n = 0;

	for (u32 i = 0; i < POLICY_SLOTS; i++) {
		n += scheme_fills(scheme_table[id], i);
		if (!neutral_holds(c, id, 1ULL << i, why))
			return false;
	}
	return n < 2 || neutral_holds(c, id, ~0ULL, why);
}

bool law_neutral(struct scene *c, struct text *why)
{
	for (u32 i = 0; i < SCHEME_COUNT; i++)
		if (scheme_table[i]->neutral && !neutral_everywhere(c, i, why))
			return false;
	return true;
}

/* A run under a policy, cycle by cycle and nobody asleep, or as fast as it goes. */
static bool run_fast(const struct scene *c, const struct policy_choice *policy, bool fast, u64 to, struct print *out)
{
	struct config config = c->config;
	struct sim s;

	config.engine_sleep = config.engine_ahead = fast;
	if (sim_open(&s, &config, policy, &c->session.program, NULL) != STATUS_OK)
		return false;
	if (!fast || sim_run(&s, to) != RUN_DONE)
		lab_advance(&s, to);
	print_take(&s, out);
	sim_close(&s);
	return true;
}

bool law_steady(struct scene *c, struct text *why)
{
	u64 to = c->thorough ? c->limit : c->limit / 4;

	for (u32 i = 0; i < SCHEME_COUNT; i++) {
		struct policy_choice policy = c->session.policy, base = policy;
		struct print slow, fast;

		lab_fill(&policy, &base, i, ~0ULL);
		if (!run_fast(c, &policy, false, to, &slow) || !run_fast(c, &policy, true, to, &fast))
			continue;
		if (print_same(&slow, &fast, why))
			continue;
		text_add(why, " (%s, asleep and ahead; does it say when it decides otherwise?)", scheme_table[i]->name);
		return false;
	}
	return true;
}
