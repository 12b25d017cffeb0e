/*
 * chaos.c - CTAs leave their SMs at random, before their end: what is computed and what is conserved must not change.
 *
 * Now and then a random resident CTA is flushed or saved (or, by another law, killed there or where it waits, for which
 * several leave at once so that some have to wait, and contexts go through memory). Each departure is an input of a
 * timeline, so that walks over departures and a run in step with the same inputs must meet the same states.
 */
#include "counters.h"
#include "events.h"
#include "laws.h"
#include "machine.h"

#include <stdlib.h>

#define PLACES 16 /* CTAs that can wait */
#define QUICK_DEPARTURES 300
#define LONG_DEPARTURES 2000
#define PRINTS 8 /* positions to come back to */
#define STEPS 200000000ULL
#define BUDGET (64ULL << 20)

/* A run with departures. */
struct chaos {
	const struct scene *scene;
	struct sim sim;
	struct timeline *time;
	bool kills;
	u64 seed, every; /* mean distance of departures, in cycles */
	u32 most;	 /* departures at most */
	struct input *input;
	u32 ninputs, nprints;
	struct print print[PRINTS], end;
};

/* The n-th chance of a run. */
static u64 chance(const struct chaos *x, u64 n)
{
	return mix64(x->seed * 1000003 + n);
}

/* Try to make the CTA in a slot leave: as chance has it, else in the way that is always allowed. */
static bool depart(struct chaos *x, struct input *in, u64 r)
{
	static const u32 ways[2][4] = {{LEAVE_FLUSH, LEAVE_SAVE, LEAVE_FLUSH, LEAVE_SAVE},
				       {LEAVE_FLUSH, LEAVE_SAVE, LEAVE_KILL, LEAVE_SAVE}};

	in->how = in->sm == x->sim.m->config.gpu_sms ? LEAVE_KILL : ways[x->kills][r % 4];
	if (timeline_input(x->time, in, NULL, NULL) == STATUS_OK)
		return true;
	in->how = LEAVE_SAVE;
	return in->sm < x->sim.m->config.gpu_sms && timeline_input(x->time, in, NULL, NULL) == STATUS_OK;
}

/* One CTA leaves, the first that can from a random one on; with kills it may be one that waits. */
static void depart_one(struct chaos *x, u64 r)
{
	u32 sms = x->sim.m->config.gpu_sms, slots = x->sim.m->config.sm_ctas, n = sms * slots;
	struct input in = {.kind = INPUT_DEPART};
	bool done = false;

	if (x->kills && machine_gpu(x->sim.m)->parked && r >> 63)
		for (u32 i = 0; i < PLACES && !done; i++) {
			in.sm = sms;
			in.slot = (u32)(r + i) % PLACES;
			done = depart(x, &in, r);
		}
	for (u32 i = 0; i < n && !done; i++) {
		u32 k = (u32)((r >> 8) % n + i) % n;

		in.sm = k % sms;
		in.slot = k / sms;
		if (((struct cta *)machine_sm_section(x->sim.m, in.sm, SECTION_CTA))[in.slot].launch != NONE16)
			done = depart(x, &in, r >> 4);
	}
	if (!done)
		return;
	in.at = timeline_now(x->time);
	x->input[x->ninputs++] = in;
}

/* Departures at random distances until there have been enough, then on to the end. */
static bool run(struct chaos *x, struct text *why)
{
	u64 limit = 200 * x->scene->limit, at = 0, n = 0;

	while (x->ninputs < x->most && !lab_ended(&x->sim) && at < limit) {
		at += x->kills && chance(x, n) % 2 ? 1 : 1 + chance(x, n) % (2 * x->every);
		n++;
		timeline_go(x->time, (struct position){at, 0});
		if (lab_ended(&x->sim))
			break;
		for (u64 times = 1 + (chance(x, n) % 8 == 0) * (x->kills ? 9 : 2); times && x->ninputs < x->most;
		     times--)
			depart_one(x, chance(x, n++));
		if (x->nprints < PRINTS && x->ninputs >= (x->nprints + 1) * x->most / (PRINTS + 1))
			print_take(&x->sim, &x->print[x->nprints++]);
		if (!conserve_now(&x->sim, why))
			return false;
	}
	timeline_go(x->time, (struct position){limit, 0});
	print_take(&x->sim, &x->end);
	if (sim_finished(&x->sim) && !sim_faulted(&x->sim) && !sim_deadlocked(&x->sim))
		return true;
	text_add(why, "not finished in cycle %llu", (unsigned long long)x->end.at.cycle);
	return false;
}

/* Back and forth over the departures. */
static bool walk(struct chaos *x, struct text *why)
{
	u32 visits = x->scene->thorough ? 3 * PRINTS : PRINTS;
	struct print got;

	for (u32 i = 0; i < visits && x->nprints; i++) {
		const struct print *want = &x->print[chance(x, 70000 + i) % x->nprints];

		if (i == visits - 1)
			want = &x->end;
		timeline_go(x->time, want->at);
		print_take(&x->sim, &got);
		if (!print_same(want, &got, why))
			return false;
	}
	return true;
}

/* The same inputs in a run that steps cycle by cycle, in which no SM sleeps. */
static bool in_step(const struct chaos *x, const struct config *config, struct text *why)
{
	struct config awake = *config;
	struct print got;
	struct sim s;

	awake.engine_sleep = 0;
	if (!lab_open(&s, x->scene, &awake, why))
		return false;
	for (u32 i = 0; i < x->ninputs; i++) {
		lab_advance(&s, x->input[i].at.cycle);
		INVARIANT(sim_depart(&s, x->input[i].sm, x->input[i].slot, x->input[i].how, NULL) == STATUS_OK);
	}
	lab_advance(&s, x->end.at.cycle);
	print_take(&s, &got);
	sim_close(&s);
	return print_same(&x->end, &got, why);
}

/* What the kernels compute, run one after the other without timing. False: not known. */
static bool expected(const struct scene *c, const struct sim *fresh, struct store *want)
{
	const struct program *p = &c->session.program;
	struct functional_result result;
	struct error e = {0};

	if (!law_timeless(p))
		return false;
	store_fork(want, &fresh->store);
	if (functional_run(p, want, STEPS, &result, &e) == STATUS_OK)
		return true;
	store_free(want);
	return false;
}

/* How many left, and what was dropped. */
static void report(const struct chaos *x)
{
	const struct sim *s = &x->sim;

	printf("# %s: departures %u: flushed %llu saved %llu killed %llu waiting %llu; stale operands %llu fetches %llu results "
	       "%llu loads %llu stores %llu writes %llu\n",
	       x->scene->path, x->ninputs, (unsigned long long)sim_sm_stat(s, STAT_CTA_FLUSHED),
	       (unsigned long long)sim_sm_stat(s, STAT_CTA_SAVED), (unsigned long long)sim_sm_stat(s, STAT_CTA_KILLED),
	       (unsigned long long)(sim_sm_stat(s, STAT_CTA_KILLED_FLUSHED) + sim_sm_stat(s, STAT_CTA_KILLED_SAVED)),
	       (unsigned long long)sim_sm_stat(s, STAT_STALE_OPERANDS),
	       (unsigned long long)sim_sm_stat(s, STAT_STALE_FETCHES),
	       (unsigned long long)sim_sm_stat(s, STAT_STALE_RESULTS),
	       (unsigned long long)sim_sm_stat(s, STAT_STALE_LOADS),
	       (unsigned long long)sim_sm_stat(s, STAT_STALE_STORES),
	       (unsigned long long)sim_sm_stat(s, STAT_STALE_WRITES));
}

/* The law, with or without kills: values are compared where nothing is killed. */
static bool chaos(struct scene *c, bool kills, struct text *why)
{
	struct chaos x = {.scene = c,
			  .kills = kills,
			  .seed = 1 + kills,
			  .most = c->thorough ? LONG_DEPARTURES
				  : kills     ? QUICK_DEPARTURES / 3
					      : QUICK_DEPARTURES};
	struct config config = c->config;
	struct print plain;
	struct store want;
	bool good, known;

	config.preempt_ctas = PLACES;
	if (kills)
		config.chimera_switch = SWITCH_MEMORY;
	if (!lab_plain(c, &plain, why) || !lab_open(&x.sim, c, &config, why))
		return false;
	x.every = max_u64(1, plain.at.cycle / x.most);
	x.input = xcalloc(x.most, sizeof(*x.input));
	known = !kills && expected(c, &x.sim, &want);
	x.time = timeline_open(&x.sim, BUDGET, 0);
	timeline_enable(x.time);
	good = run(&x, why);
	report(&x);
	good = good && (!known || law_buffers_same(&c->session.program, &want, &x.sim.store, why));
	good = good && walk(&x, why) && in_step(&x, &config, why) && conserve_end(&x.sim, c, why);
	if (known)
		store_free(&want);
	timeline_close(x.time);
	sim_close(&x.sim);
	free(x.input);
	return good;
}

bool law_chaos(struct scene *c, struct text *why)
{
	return chaos(c, false, why);
}
bool law_kills(struct scene *c, struct text *why)
{
	return chaos(c, true, why);
}
