/* values.c - law 13: what is computed does not depend on when. */
#include "laws.h"
#include "policy.h"

#include <stdlib.h>
#include <string.h>

#define FUNCTIONAL_STEPS 200000000ULL

/* Launches that overlap may see each other's values in another order than one after the other. */
static bool in_order(const struct program *p)
{
	for (u32 i = 0; i < p->nlaunch; i++)
		if (p->launch[i].stream || p->launch[i].at || p->launch[i].every)
			return false;
	return true;
}

/* Does a kernel read a clock, or where it runs? What it leaves may then depend on it. */
static bool reads_time(const struct program *p)
{
	for (u32 i = 0; i < p->nlaunch; i++)
		if (p->launch[i].kernel->reads_time)
			return true;
	return false;
}

/* The first buffer whose bytes differ; false and *why. */
static bool buffers_same(const struct program *p, const struct store *want, const struct store *got,
			 struct text *why)
{
	for (u32 i = 0; i < p->nbuffer; i++) {
		const struct buffer *b = &p->buffer[i];
		u8 *x = xmalloc(b->bytes + 1), *y = xmalloc(b->bytes + 1);
		u64 at = 0;

		store_read(want, b->address, x, b->bytes);
		store_read(got, b->address, y, b->bytes);
		while (at < b->bytes && x[at] == y[at])
			at++;
		free(x);
		free(y);
		if (at < b->bytes) {
			text_add(why, "buffer %s differs from byte %llu on", b->name, (unsigned long long)at);
			return false;
		}
	}
	return true;
}

/* One run to the end under a configuration and a policy, its buffers against `want`. What does not fit is left out. */
static bool timed(const struct scene *c, const struct config *config, const struct policy_choice *policy,
		  const struct store *want, struct text *why)
{
	struct error e = {0};
	struct sim s;
	bool good;

	if (sim_open(&s, config, policy, &c->session.program, &e) != STATUS_OK)
		return true;
	lab_advance(&s, 100 * c->limit);
	good = sim_finished(&s);
	if (!good)
		text_add(why, "not finished in cycle %llu", (unsigned long long)machine_gpu(s.m)->cycle);
	good = good && buffers_same(&c->session.program, want, &s.store, why);
	if (!good)
		text_add(why, " (order %s, assign %s, extra %s)", scheme_table[policy->order]->name,
			 scheme_table[policy->assign]->name, policy->extra ? scheme_table[policy->extra - 1]->name : "none");
	sim_close(&s);
	return good;
}

/* Every order policy under one configuration; one of them if not thorough. */
static bool orders(const struct scene *c, const struct config *config, const struct store *want, u32 one,
		   struct text *why)
{
	struct policy_choice policy = c->session.policy;
	u32 norders = 0, n = 0;

	for (u32 i = 0; i < SCHEME_COUNT; i++)
		norders += scheme_table[i]->order != NULL;
	for (u32 i = 0; i < SCHEME_COUNT; i++) {
		if (!scheme_table[i]->order || (!c->thorough && n++ % norders != one % norders))
			continue;
		policy.order = i;
		if (!timed(c, config, &policy, want, why))
			return false;
	}
	return true;
}

/* Every assignment with every extra policy under one configuration (if not thorough, every second pair), the order being another
 * each time. */
static bool assignments(const struct scene *c, const struct config *config, const struct store *want, struct text *why)
{
	struct policy_choice policy = c->session.policy;
	u32 row = 0;

	for (u32 a = 0; a < SCHEME_COUNT; a++) {
		u32 column = row += scheme_table[a]->assign != NULL;

		for (u32 x = 0; scheme_table[a]->assign && x <= SCHEME_COUNT; x++) {
			if ((x && !scheme_table[x - 1]->extra) || (column++ % 2 && !c->thorough))
				continue;
			do
				policy.order = (policy.order + 1) % SCHEME_COUNT;
			while (!scheme_table[policy.order]->order);
			policy.assign = a;
			policy.extra = x;
			if (!timed(c, config, &policy, want, why))
				return false;
		}
	}
	return true;
}

/* The settings of a preset, with as many SMs as the scenario has; false if there is none of that name. */
static bool preset(const struct scene *c, const char *name, struct config *out)
{
	struct error e = {0};
	struct session s;
	char line[64];
	bool good;

	session_open(&s);
	s.batch = s.quiet = true;
	s.out = stderr;
	snprintf(line, sizeof(line), "gpu %s", name);
	good = command_run_line(&s, line, NULL, 0, &e) == STATUS_OK;
	*out = s.config;
	out->gpu_sms = c->config.gpu_sms;
	session_close(&s);
	return good;
}

/* The scenario's own configuration under every policy, then every preset. */
static bool everywhere(const struct scene *c, const struct store *want, struct text *why)
{
	static const char *const presets[] = {"tiny", "volta", "fermi", "gtx480", "gt200", "kepler", "vws", "maxwell",
					      "chimera", "ampere"};
	struct scene all = *c;
	struct config config;

	all.thorough = true;
	if (!orders(&all, &c->config, want, 0, why) || !assignments(c, &c->config, want, why))
		return false;
	for (u32 i = 0; i < ARRAY_LEN(presets); i++) {
		if (!preset(c, presets[i], &config))
			continue;
		if (!orders(c, &config, want, i, why)) {
			text_add(why, " (gpu %s)", presets[i]);
			return false;
		}
	}
	return true;
}

bool law_values(struct scene *c, struct text *why)
{
	const struct program *p = &c->session.program;
	struct functional_result result;
	struct error e = {0};
	struct store want;
	struct sim s;
	bool good;

	if (!in_order(p) || reads_time(p))
		return true;
	if (!lab_open(&s, c, &c->config, why))
		return false;
	store_fork(&want, &s.store);
	good = functional_run(p, &want, FUNCTIONAL_STEPS, &result, &e) == STATUS_OK;
	if (!good)
		text_add(why, "functional run: %s", e.message);
	good = good && everywhere(c, &want, why);
	store_free(&want);
	sim_close(&s);
	return good;
}
