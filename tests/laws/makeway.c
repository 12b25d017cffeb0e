/*
 * makeway.c - laws 1, 4, 5, 12 and 13 where CTAs make room for each other and warps issue in gangs: what was asked
 * when, and what came of it, is the same in whatever order SMs are visited, asleep, by one thread or several, there and
 * back. Contexts of those that are switched go through memory.
 *
 * The schemes stand with those of told.c in the rows for trials.
 */
#include "counters.h"
#include "events.h"
#include "laws.h"
#include "trials.h"

#define PLACES 8 /* CTAs that can wait */

#define WINDOW 300   /* cycles for which a plan stands */
#define FLUSHES 4096 /* cycles at whose every window CTAs may be flushed */

/* The last cycle of a window. */
u64 trial_due(const struct gpu_view *v UNUSED, u64 from)
{
	return from + (WINDOW - 1 - from % WINDOW);
}

void trial_told(const struct gpu_view *v UNUSED, const struct notice *n UNUSED, struct scheme_bytes own UNUSED) {}

/* Drawn anew for each window, SM and launch. */
u32 trial_partition(const struct sched_view *v, u32 launch)
{
	return 1 + (u32)(mix64((sched_now(v) + 1) / WINDOW * 10000 + v->sm_id * 100 + launch) % 5);
}

/* CTAs are flushed early, and then in the first quarter of each doubling of time alone: between these even long ones
 * end. */
static bool may_flush(u64 now)
{
	u64 begun = 1ULL << (63 - __builtin_clzll(now | 1));

	return now < FLUSHES || now - begun < begun / 4;
}

void trial_preempt(const struct sched_view *v, const struct make_way *r, u8 *verdict)
{
	for (u64 left = r->ctas; left; left &= left - 1) {
		u32 i = (u32)__builtin_ctzll(left);

		verdict[i] = (u8)(mix64(v->cta[i].id + sched_now(v)) % (VERDICT_SAVE + 1));
		if (verdict[i] == VERDICT_FLUSH && !may_flush(sched_now(v)))
			verdict[i] = VERDICT_SAVE;
	}
}

/* The first slot of a scheduler that is ready and stands at an instruction, NONE32: none. */
static u32 at_pc(const struct sched_view *v, const u64 *ready, u32 pc)
{
	SET_EACH (slot, v->pool, v->m->words)
		if (SET_HAS(ready, slot) && v->slot[slot].pc == pc)
			return slot;
	return NONE32;
}

/* One of each scheduler at one instruction: that of the first ready slot or, every third cycle, of the last. */
bool trial_gang(const struct sched_view *v, const u64 *ready, u64 *gang)
{
	u32 lead = set_first(ready, v->m->words), n = 0;

	if (sched_now(v) % 3 == 0)
		SET_EACH (slot, ready, v->m->words)
			lead = slot;
	for (u32 k = 0; k < v->m->schedulers; k++) {
		u32 slot = at_pc(&v[k], ready, v->slot[lead].pc);

		if (slot == NONE32 || SET_HAS(gang, slot))
			continue;
		SET_ADD(gang, slot);
		n++;
	}
	return n > 1;
}

/* In step, out of order, ahead, in threads, asleep; there and back. */
static bool same_by_any_way(struct scene *c, struct text *why)
{
	c->known = false;
	return law_order(c, why) && law_sleep(c, why) && law_ahead(c, why) && law_threads(c, why) && law_walk(c, why);
}

/* Now and then all that is held and free makes up the whole, and each SM adds up. */
static bool nothing_lost(const struct scene *c, struct text *why)
{
	bool good = true;
	struct sim s;

	if (!lab_open(&s, c, &c->config, why))
		return false;
	for (u64 at = 97; good && at < c->limit && !lab_ended(&s); at += 97) {
		lab_advance(&s, at);
		sim_sync(&s);
		good = conserve_now(&s, why);
		for (u32 i = 0; good && i < c->config.gpu_sms; i++)
			good = law_sums_of(&s, i, why);
	}
	sim_close(&s);
	return good;
}

bool law_makeway(struct scene *c, struct text *why)
{
	struct scene way = *c, gangs = *c;

	way.limit = c->limit / 8;
	gangs.limit = c->limit / 32;
	way.config.preempt_ctas = PLACES;
	way.config.chimera_switch = SWITCH_MEMORY;
	way.config.chimera_notice = 1;
	policy_put(&way.session.policy, POLICY_partition, TRIAL_WAY);
	policy_put(&way.session.policy, POLICY_preempt, TRIAL_WAY);
	policy_put(&gangs.session.policy, POLICY_gang, TRIAL_GANG);
	return same_by_any_way(&way, why) && nothing_lost(&way, why) && same_by_any_way(&gangs, why) &&
	       law_sums(&gangs, why) && law_conservation(&gangs, why) &&
	       (!c->thorough || (law_chaos(&gangs, why) && law_chaos(&way, why)));
}
