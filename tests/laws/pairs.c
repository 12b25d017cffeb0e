/*
 * pairs.c - laws for several kernels at once: under each scheme of the table, and where registers and shared memory
 * have places that do not move.
 */
#include "counters.h"
#include "events.h"
#include "laws.h"
#include "policy.h"

#define PLACES 64 /* CTAs that can wait */

/* Can launches of the program overlap? */
static bool overlap(const struct program *p)
{
	for (u32 i = 0; i < p->nlaunch; i++)
		if (p->launch[i].stream || p->launch[i].at || p->launch[i].every)
			return true;
	return false;
}

/* The scene under another policy, and for fewer cycles. */
static struct scene scene_under(const struct scene *c, u64 limit)
{
	struct scene x = *c;

	x.known = false;
	x.limit = limit;
	x.config.preempt_ctas = max_u32(x.config.preempt_ctas, PLACES);
	return x;
}

/* Does the program fit a machine with that policy? */
static bool fits(const struct scene *x)
{
	struct text unsaid = {0};
	struct sim s;
	bool good = lab_open(&s, x, &x->config, &unsaid);

	if (good)
		sim_close(&s);
	text_free(&unsaid);
	return good;
}

/* What is looked at after a cycle. */
struct watched {
	struct text *why;
	bool good;
};
static void look_conserved(void *self, struct sim *s)
{
	struct watched *w = self;

	if (w->good && machine_gpu(s->m)->cycle % 8 == 0)
		w->good = conserve_now(s, w->why);
}

/* Law 12 up to the limit. */
static bool conserves(const struct scene *x, struct text *why)
{
	struct watched w = {.why = why, .good = true};
	struct sim s;

	if (!lab_open(&s, x, &x->config, why))
		return false;
	lab_watch(&s, x->limit, look_conserved, &w);
	sim_close(&s);
	return w.good;
}

/* The laws that hold under every scheme. Those that take long (whole) are for every fourth only, and if not thorough
 * there is every third scheme at all; which they are depends on the scenario. That SMs may run ahead is law steady's,
 * for each. */
static bool all_hold(struct scene *x, bool whole, struct text *why)
{
	return law_order(x, why) && law_sums(x, why) && law_events(x, why) && conserves(x, why) &&
	       (!(whole || x->thorough) || law_walk(x, why)) &&
	       (!(whole && x->thorough) || (law_ahead(x, why) && law_threads(x, why) && law_conservation(x, why)));
}

bool law_pairs(struct scene *c, struct text *why)
{
	struct print plain;

	if (!overlap(&c->session.program))
		return true;
	if (!lab_plain(c, &plain, why))
		return false;
	for (u32 i = 0; i < SCHEME_COUNT; i++) {
		struct scene x = scene_under(c, c->limit / (c->thorough ? 100 : 20));
		struct policy_choice base = x.session.policy;

		if (!lab_turn(c, i, 3))
			continue;
		lab_fill(&x.session.policy, &base, i, ~0ULL);
		if (!fits(&x) || all_hold(&x, (i + plain.at.cycle) % 4 == 0, why))
			continue;
		text_add(why, " (under %s)", scheme_table[i]->name);
		return false;
	}
	return true;
}

/* --- places --- */

#define MOST_LAUNCHES 64

/* Where the stretches of each launch lie in one ground: from the first unit to behind the last. */
struct extents {
	u32 first[MOST_LAUNCHES], end[MOST_LAUNCHES];
	u32 launches;
};

/* One more stretch. */
static void extents_add(struct extents *x, u32 launch, const struct stretch *s)
{
	if (!s->count || launch >= MOST_LAUNCHES)
		return;
	x->launches += !x->end[launch];
	x->first[launch] = x->end[launch] ? min_u32(x->first[launch], s->first) : s->first;
	x->end[launch] = max_u32(x->end[launch], s->first + s->count);
}

/* The registers of a sub-core, or (NONE32) the shared memory of an SM. */
static struct extents extents_of(const struct sim *s, u32 sm, u32 sub)
{
	const struct stretch *x = sm_stretches(s->m, sm, sub == NONE32);
	const struct cta *cta = machine_sm_section(s->m, sm, SECTION_CTA);
	const struct warp *warp = machine_sm_section(s->m, sm, SECTION_WARP);
	struct extents e = {0};

	for (u32 i = 0; sub == NONE32 && i < s->m->residents; i++)
		if (cta[i].launch != NONE16)
			extents_add(&e, cta[i].launch, &x[i]);
	for (u32 i = sub; i < s->m->contexts; i += s->m->config.sm_subcores)
		if (warp[i].cta != NONE16)
			extents_add(&e, warp[i].launch, &x[i]);
	return e;
}

/* At most two launches, and neither within the extent of the other: what is free outside both is one piece. */
static bool lie_apart(const struct extents *e)
{
	u32 low = NONE32, high = NONE32;

	for (u32 i = 0; i < MOST_LAUNCHES; i++)
		if (e->end[i]) {
			high = low;
			low = i;
		}
	return e->launches < 2 ||
	       (e->launches == 2 && (e->end[low] <= e->first[high] || e->end[high] <= e->first[low]));
}

/* What is looked at after each cycle. */
struct looks {
	struct text *why;
	bool good, apart; /* apart: the policy lays launches at different ends */
	u64 shared;	  /* grounds in which two launches lay */
};

static void look_at(struct looks *l, const struct sim *s, u32 sm, u32 sub)
{
	struct extents e = extents_of(s, sm, sub);

	l->shared += e.launches > 1;
	if (!l->good || !l->apart || lie_apart(&e))
		return;
	text_add(l->why, "cycle %llu, SM %u: what two launches hold lies mixed",
		 (unsigned long long)machine_gpu(s->m)->cycle, sm);
	l->good = false;
}

static void look(void *self, struct sim *s)
{
	struct looks *l = self;

	for (u32 i = 0; l->good && i < s->m->config.gpu_sms; i++) {
		for (u32 sub = 0; sub < s->m->config.sm_subcores; sub++)
			look_at(l, s, i, sub);
		look_at(l, s, i, NONE32);
	}
	if (l->good && machine_gpu(s->m)->cycle % 16 == 0)
		l->good = conserve_now(s, l->why);
}

/* The law under one allocation policy; kernels share SMs if the scenario does not say how. */
static bool places_hold(const struct scene *c, u32 id, struct looks *l)
{
	struct scene x = scene_under(c, c->limit / 4);
	struct sim s;

	policy_put(&x.session.policy, POLICY_allocate, id);
	if (!policy_in(&x.session.policy, POLICY_partition))
		policy_put(&x.session.policy, POLICY_partition, SCHEME_smk);
	if (!policy_in(&x.session.policy, POLICY_preempt))
		policy_put(&x.session.policy, POLICY_preempt, SCHEME_chimera);
	if (!fits(&x))
		return true;
	l->apart = scheme_table[id]->outermost != NULL;
	if (!lab_open(&s, &x, &x.config, l->why))
		return false;
	lab_watch(&s, x.limit, look, l);
	sim_close(&s);
	return l->good;
}

bool law_places(struct scene *c, struct text *why)
{
	struct looks l = {.why = why, .good = true};

	for (u32 i = 0; i < SCHEME_COUNT; i++)
		if (scheme_table[i]->decide.allocate && !places_hold(c, i, &l)) {
			text_add(why, " (under %s)", scheme_table[i]->name);
			return false;
		}
	printf("# %s: places: %llu times two launches lay side by side\n", c->path, (unsigned long long)l.shared);
	return true;
}
