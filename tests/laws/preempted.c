/*
 * preempted.c - CTAs make room at random: at random times, 50 to 5,000 cycles apart, each SM is to hold a random number
 * of CTAs of each launch, and what becomes of those that are too many is drawn for each: it drains, is flushed,
 * switched or, in rounds of their own, killed. What is computed and what is conserved must not change.
 *
 * Rounds differ in their seed, in how dense the times are and in how contexts move. A thorough check goes on until each
 * kind has been seen TARGET times or ROUNDS are over: with the scenarios that there are that is more than 100,000 of
 * each kind. The scheme stands with those of told.c in the rows for trials; it is a function of the time and the round.
 */
#include "counters.h"
#include "events.h"
#include "laws.h"
#include "trials.h"

#include <stdlib.h>

#define PLACES 64    /* CTAs that can wait */
#define GRID 50	     /* cycles between times at which a plan may change, */
#define LONGEST 5000 /* and in which it does */
#define TARGET 1500
#define ROUNDS 40
#define KILL_ROUNDS 300 /* few CTAs are there to be killed in one */
#define STEPS 200000000ULL

/* The round that is run. */
static struct {
	u64 seed, until; /* no CTA makes room from cycle `until` on: a round ends */
	u32 rare;	 /* one in so many times changes the plan */
	bool kills;
} round_now;

static u64 drawn(u64 a, u64 b)
{
	return mix64(mix64(round_now.seed * 1000003 + a) + b);
}

/* Does the plan change when so many cycles are complete? */
static bool turns(u64 cycles)
{
	return cycles % LONGEST == 0 || (cycles % GRID == 0 && drawn(1, cycles) % round_now.rare == 0);
}

/* The last cycle of a plan. */
u64 trial_random_due(const struct gpu_view *v UNUSED, u64 from)
{
	u64 end = from / GRID * GRID + GRID;

	while (!turns(end))
		end += GRID;
	return end - 1;
}

/* When the plan began that holds now. */
static u64 plan_began(u64 now)
{
	u64 at = (now + 1) / GRID * GRID;

	while (at && !turns(at))
		at -= GRID;
	return at;
}

/* Every other plan lets all CTAs come that fit. */
u32 trial_random_partition(const struct sched_view *v, u32 launch)
{
	u64 plan = plan_began(sched_now(v)), r = drawn(2 + plan, v->sm_id * 100 + launch);

	return plan >= round_now.until || r & 1 ? NONE32 : (u32)(r >> 8) % (launch_residency(v->m, launch)->fit + 1u);
}

void trial_random_preempt(const struct sched_view *v, const struct make_way *r, u8 *verdict)
{
	u32 left = r->surplus;

	for (u64 set = r->ctas; set && left; set &= set - 1, left--) {
		u32 i = (u32)__builtin_ctzll(set);
		u64 chance = drawn(3 + sched_now(v), v->cta[i].id);

		verdict[i] = round_now.kills && chance >> 32 & 1 ? VERDICT_KILL : (u8)(VERDICT_DRAIN + chance % 3);
	}
}

/* How many of each kind there have been. */
struct tally {
	u64 drains, flushes, switches, kills, refused;
};

/* A scenario under the scheme, and what its kernels compute. */
struct preempted {
	struct scene scene;
	struct store want;
	bool known;
	u64 cycles; /* of the plain run */
	struct tally tally;
};

/* The next round. */
static void begin_round(struct preempted *x, u32 n, bool kills)
{
	static const u32 rare[] = {1, 2, 5, 20};

	round_now.seed = 2 * n + kills;
	round_now.kills = kills;
	round_now.rare = rare[n % ARRAY_LEN(rare)];
	round_now.until = (x->scene.thorough ? 3 : 1) * x->cycles;
	x->scene.config.chimera_switch = n % 3;
	x->scene.config.chimera_notice = n % 2;
}

/* What a round came to. */
static void count(struct tally *t, const struct sim *s)
{
	t->drains += sim_sm_stat(s, STAT_PREEMPT_DRAINS);
	t->flushes += sim_sm_stat(s, STAT_CTA_FLUSHED);
	t->switches += sim_sm_stat(s, STAT_CTA_SAVED);
	t->kills += sim_sm_stat(s, STAT_CTA_KILLED);
	t->refused += sim_sm_stat(s, STAT_PREEMPT_REFUSED);
}

/* One round to its end. Blocks that wait for one that is killed wait for ever. */
static bool run_round(struct preempted *x, bool kills, struct text *why)
{
	struct scene *c = &x->scene;
	struct sim s;
	bool good;

	if (!lab_open(&s, c, &c->config, why))
		return false;
	lab_advance(&s, (kills ? 20 : 200) * x->cycles);
	good = kills || (sim_finished(&s) && !sim_faulted(&s) && !sim_deadlocked(&s));
	if (!good)
		text_add(why, "round %llu: not finished in cycle %llu", (unsigned long long)round_now.seed,
			 (unsigned long long)machine_gpu(s.m)->cycle);
	count(&x->tally, &s);
	good = good && (lab_ended(&s) ? conserve_end(&s, c, why) : conserve_now(&s, why)) &&
	       (kills || !x->known || law_buffers_same(&c->session.program, &x->want, &s.store, why));
	sim_close(&s);
	return good;
}

/* Has each kind been seen often enough? */
static bool enough(const struct preempted *x, bool kills, u64 target)
{
	const struct tally *t = &x->tally;

	return kills ? t->kills >= 2 * target : t->drains >= target && t->flushes >= target && t->switches >= target;
}

/* Rounds until there have been enough. */
static bool run_rounds(struct preempted *x, bool kills, struct text *why)
{
	u32 most = !x->scene.thorough ? 1 : kills ? KILL_ROUNDS : ROUNDS;
	u32 first = x->scene.thorough ? 0 : (u32)mix64(x->cycles) % ROUNDS;
	u64 target = x->scene.thorough ? TARGET : NEVER;
	bool good = true;

	for (u32 n = 0; good && n < most && !enough(x, kills, target); n++) {
		begin_round(x, first + n, kills);
		good = run_round(x, kills, why);
	}
	return good;
}

/* What the kernels compute, run one after the other without timing. */
static bool expect(struct preempted *x)
{
	const struct program *p = &x->scene.session.program;
	struct functional_result result;
	struct error e = {0};
	struct text why = {0};
	struct sim s;

	if (!law_timeless(p) || !lab_open(&s, &x->scene, &x->scene.config, &why))
		return false;
	store_fork(&x->want, &s.store);
	sim_close(&s);
	if (functional_run(p, &x->want, STEPS, &result, &e) == STATUS_OK)
		return true;
	store_free(&x->want);
	return false;
}

bool law_preempted(struct scene *c, struct text *why)
{
	struct preempted x = {.scene = *c};
	struct print plain;
	bool good;

	if (!lab_plain(c, &plain, why))
		return false;
	x.cycles = plain.at.cycle;
	x.scene.known = false;
	x.scene.config.preempt_ctas = PLACES;
	policy_put(&x.scene.session.policy, POLICY_partition, TRIAL_RANDOM);
	policy_put(&x.scene.session.policy, POLICY_preempt, TRIAL_RANDOM);
	begin_round(&x, 0, false);
	x.known = expect(&x);
	good = run_rounds(&x, false, why) && run_rounds(&x, true, why);
	printf("# %s: preempted: drains %llu flushes %llu switches %llu kills %llu refused %llu\n", c->path,
	       (unsigned long long)x.tally.drains, (unsigned long long)x.tally.flushes,
	       (unsigned long long)x.tally.switches, (unsigned long long)x.tally.kills,
	       (unsigned long long)x.tally.refused);
	begin_round(&x, 2, false);
	x.scene.limit = c->limit / 8;
	good = good && law_walk(&x.scene, why);
	if (x.known)
		store_free(&x.want);
	return good;
}
