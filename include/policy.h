/*
 * policy.h - policies decide; the engine carries out, counts and publishes.
 *
 * A policy is one file (src/policy/x.c) with one struct scheme and one row in schemes.def. Every function gets the
 * machine const and returns a choice; the engine checks it, carries it out, counts it, publishes it.
 * Each decision is a hook, a row of policyslots.def. A NULL hook means that the policy does not take this decision,
 * so that the baseline's rule applies.
 *
 * State. A policy's own bytes change in its callbacks for notices, and at no other time: choices are pure functions.
 * Callbacks run at once, not after the cycle from the records of the bus. Records are made only for subscribers, and
 * there are none of an SM that is asleep or runs ahead of the GPU: a policy that depended on them would slow every run
 * down and could not run in several threads. Bytes in an SM hold what concerns that SM; what concerns the whole GPU
 * changes in on_notice_gpu() alone, between cycles. So a choice depends neither on the order of SMs nor on threads nor
 * on sleep, and stepping back needs no help of a policy.
 *
 * A function that decides for a whole SM, not for one of its schedulers, gets the view of the SM's first. Hooks for the
 * dispatch of CTAs (cta.*, partition) are called with the SM's counters brought up to date; a rejection is valid
 * until a CTA leaves an SM, a launch starts, or a policy or a setting changes.
 */
#ifndef WARPSTEP_POLICY_H
#define WARPSTEP_POLICY_H

#include "machine.h"
#include "points.h"
#include "program.h"
#include "schemes.h"
#include "territory.h"

/* View of a scheduler. Warp slots are numbered within the SM, those of sub-core S from S x slots_per_sub; sets
 * have m->words words. Counters of the SM are up to date, except sums over cycles of what residents and MSHRs
 * hold (occupancy.*, l1d.mshr_cycles), which are brought up to date in notices of the GPU alone. */
struct sched_view {
	const struct machine *m;
	const struct sm *sm;
	const struct sub *sub;
	const struct slot *slot; /* of the SM */
	const struct warp *warp; /* contexts of the SM */
	const struct simt_entry *stack;
	const struct sched *sched;	    /* this scheduler: last, issued */
	const struct bank *bank;	    /* of the SM: those of sub-core S from S x sm.banks */
	const struct kernel *const *kernel; /* by launch */
	const struct points *const *points; /* by launch; NULL if no selected policy uses them */
	const struct cta *cta;		    /* CTA slots of the SM */
	const struct cta_slots *cta_slots;  /* by CTA slot */
	const struct gang *gangs;	    /* table of gangs: by parent warp, GANG_ENTRIES each (warp.size below 32) */
	const struct gang_map *gang_map;    /* the same by slots */
	const struct missed *missed;	    /* by slot */
	const u64 *missed_slots;	    /* bit set of those in which it is not empty */
	const struct memop *memop;	    /* the lines that memory instructions still need */
	const struct ring_slot *reexec;	    /* memory instructions in the re-execution queue (lsu.reexec) */
	const struct launch *launch;	    /* what is launched */
	const struct launch_run *run;	    /* by launch: how far it is */
	const u64 *pool;		    /* slots that belong to this scheduler */
	const u64 *const *clock;	    /* cycle of the SM: sched_now() */
	u32 sm_id, sub_id, sched_id;
};

/* The cycle of the SM. */
static inline u64 sched_now(const struct sched_view *v)
{
	return **v->clock;
}

/* The next instruction of a warp slot that is in use. */
static inline const struct inst *slot_inst(const struct sched_view *v, u32 slot)
{
	const struct slot *s = &v->slot[slot];
	return &v->kernel[v->warp[s->context].launch]->inst[s->pc];
}
/* The order in which the slot's warp was dispatched to its SM. */
static inline u64 slot_age(const struct sched_view *v, u32 slot)
{
	return v->warp[v->slot[slot].context].age;
}
/* One word of the set of warp slots whose warps can still issue: unfinished, and not blocked for good by their own
 * lanes (SET_GANG). */
static inline u64 slots_live(const struct sched_view *v, u32 word)
{
	u64 live = 0;
	for (u32 s = SET_BARRIER; s <= SET_READY; s++)
		live |= v->sm->set[s * v->m->words + word];
	return live;
}

/* A value that a warp scheduling policy compares, for display: "age" 12. */
struct score {
	const char *word;
	u64 value;
};

/* A warp that is being dispatched to an SM. */
struct newcomer {
	u32 launch, cta; /* its CTA, linear in the grid */
	u32 index;	 /* warp within it */
	u32 number;	 /* warps assigned to sub-cores of this SM before it */
};

/* A CTA to be swapped out for another, by CTA slot of the SM. */
struct swap {
	u32 out, in;
};

/* CTAs of a launch to be preempted in an SM; `ctas` are those that are neither being preempted nor finished. */
struct make_way {
	u32 launch;  /* that has surplus CTAs */
	u32 gainer;  /* launch that gains: the SM should hold more of its CTAs, and some wait; NONE32: none */
	u64 ctas;    /* bit set of the launch's CTAs in the SM */
	u32 surplus; /* number of CTAs to preempt */
};

/* Verdict on a CTA that may be preempted: it stays; drains, before all others; leaves at the next cycle boundary to
 * restart later, to resume later, for good. */
enum verdict { VERDICT_STAY, VERDICT_DRAIN, VERDICT_FLUSH, VERDICT_SAVE, VERDICT_KILL };

/* A notice to policies: its kind, and of the rest what the row in notices.def names. */
struct notice {
	u16 kind; /* enum notice_kind */
	u16 launch, context;
	u16 cta;   /* CTA slot of the SM */
	u32 pc;	   /* instruction */
	u32 place; /* of the L1D: set x ways + way */
	u64 line;  /* address of an L1D line */
	u64 count; /* as the row says */
};

/* An event that a policy emits in turn, with its two numbers; in an SM it has the notice's warp, instruction and line.
 */
struct emitted {
	u32 kind; /* enum event_kind */
	u32 a, b;
	u32 launch; /* in the GPU: the launch concerned, NONE32: none */
};
#define MOST_EMITTED 4 /* of one notice of the GPU */

/* View of the whole GPU. */
struct gpu_view {
	const struct machine *m;
	const struct gpu *gpu;
	const struct kernel *const *kernel; /* by launch */
	const struct launch *launch;	    /* what is launched */
	const struct launch_run *run;	    /* by launch: its progress */
	u32 launches;
	u64 cycle; /* the present one */
};

/* An array of an SM (enum section_id). */
static inline const void *gpu_sm_section(const struct gpu_view *v, u32 sm, enum section_id id)
{
	return (const u8 *)v->m + v->m->sm_base + sm * v->m->sm_stride + v->m->section[id].offset;
}
static inline const struct sm *gpu_sm(const struct gpu_view *v, u32 sm)
{
	return gpu_sm_section(v, sm, SECTION_SM);
}
/* A policy's own bytes in an SM. */
static inline const void *scheme_own(const struct machine *m, u32 id, u32 sm)
{
	return (const u8 *)m + m->policy_sm + sm * m->policy_stride + m->policy_at[id];
}
/* A policy's own bytes in the GPU. */
static inline const void *scheme_own_gpu(const struct machine *m, u32 id)
{
	return (const u8 *)m + m->policy_base + m->policy_gpu_at[id];
}
/* Offset of the policy's k-th array in an SM or in the GPU: each starts at a multiple of 8. */
u32 own_offset(const struct scheme *x, const struct config *c, u8 where, u32 k);
/* The first element of the k-th array, in an SM or in the GPU. */
static inline const u8 *own_sm_part(const struct machine *m, u32 id, u32 sm, u32 k)
{
	return (const u8 *)scheme_own(m, id, sm) + own_offset(scheme_table[id], &m->config, IN_SM, k);
}
static inline const u8 *own_gpu_part(const struct machine *m, u32 id, u32 k)
{
	return (const u8 *)scheme_own_gpu(m, id) + own_offset(scheme_table[id], &m->config, IN_GPU, k);
}
/* Registers of a context of a launch in its sub-core, bytes of shared memory of a CTA: whole allocation units. */
static inline u32 warp_registers(const struct machine *m, const struct launch *l)
{
	return round_up(l->regs * m->lanes, config_register_unit(&m->config));
}
/* Contexts of a CTA of a launch: its warps, or all their small warps. */
static inline u32 launch_contexts(const struct machine *m, const struct launch *l)
{
	return l->warps << m->parent_shift;
}
static inline u32 cta_shared(const struct machine *m, const struct launch *l)
{
	return round_up(l->shared, m->config.sm_shared_unit);
}
/* Counters in an SM of a launch whose turn has come and that has not finished. */
static inline const struct kernel_count *kernel_on(const struct machine *m, u32 sm, u32 launch)
{
	const struct turn *turn = (const void *)((const u8 *)m + m->section[SECTION_TURN].offset);
	const u8 *block = (const u8 *)m + m->sm_base + sm * m->sm_stride;
	return (const struct kernel_count *)(const void *)(block + m->section[SECTION_KERNEL].offset) +
	       turn[launch].seat;
}
/* The addresses of the registers of an SM's contexts in the files of their sub-cores, or (shared) of the shared memory
 * of its CTAs, by CTA slot. */
static inline const struct stretch *sm_stretches(const struct machine *m, u32 sm, bool shared)
{
	const u8 *block = (const u8 *)m + m->sm_base + sm * m->sm_stride;
	return (const void *)(block + m->section[shared ? SECTION_SHARED_STRETCH : SECTION_REGISTER_STRETCH].offset);
}
/* The launch's resident CTAs, and the number that fits. */
static inline const struct residency *launch_residency(const struct machine *m, u32 launch)
{
	return (const struct residency *)(const void *)((const u8 *)m + m->section[SECTION_RESIDENCY].offset) + launch;
}
/* Does a CTA of a launch wait for dispatch: a new one, or one that was preempted? */
static inline bool launch_waits(const struct launch_run *run, const struct launch *launch)
{
	return run->parked || run->next_cta < launch->ctas;
}
/* The cycle from which the present or next instance of a launch should run. */
static inline u64 launch_release(const struct launch *launch, const struct launch_run *run)
{
	return launch->at + (u64)run->iteration * launch->every;
}
/* The cycle by which a launch with a deadline should have its SMs: chimera.bound after its release, or the deadline. */
static inline u64 launch_sms_due(const struct config *c, const struct launch *launch, const struct launch_run *run)
{
	return launch_release(launch, run) + min_u64(launch->deadline, c->chimera_bound);
}
/* The last cycle of a window of `window` cycles (not 0), from a cycle on: the result of `due`. */
static inline u64 window_last(u64 window, u64 from)
{
	return from + window - 1 - from % window;
}
/* Cycles that a CTA has run until `now`, on this SM and before it was preempted. */
static inline u64 cta_age(const struct cta *cta, u64 now)
{
	return now - cta->started + (u64)(i64)(i32)cta->earlier;
}
/* Warp instructions that the resident warps of a CTA have issued. warp: contexts of its SM. */
static inline u64 cta_issued(const struct cta *cta, const struct warp *warp)
{
	u64 sum = 0;
	for (u32 i = 0; i < CONTEXT_WORDS; i++)
		for (u64 set = cta->contexts[i]; set; set &= set - 1)
			sum += warp[i * 64 + (u32)__builtin_ctzll(set)].issued;
	return sum;
}

/* The policy of a hook of ONE, NULL: none. */
static inline const struct scheme *policy_one(const struct machine *m, enum policy_slot slot)
{
	return m->policy.in[slot] ? scheme_table[m->policy.in[slot] - 1] : NULL;
}
/* Each policy of a hook of a SET: for (const struct scheme *x = ...) */
#define POLICY_EACH(x, m, slot) \
	for (u64 x##_rows = (m)->policy.in[slot]; x##_rows; x##_rows &= x##_rows - 1) \
		for (const struct scheme *x = scheme_table[__builtin_ctzll(x##_rows)], *x##_once = x; x##_once; \
		     x##_once = NULL)

/* The lowest and next set bits of a slot set; NONE32 if none. */
static inline u32 set_first(const u64 *set, u32 words)
{
	for (u32 w = 0; w < words; w++)
		if (set[w])
			return w * 64 + (u32)__builtin_ctzll(set[w]);
	return NONE32;
}
/* First member at or after `from`, wrapping round; NONE32 if the set is empty. */
static inline u32 set_next(const u64 *set, u32 words, u32 from)
{
	u32 w = from / 64 % words;
	u64 bits = set[w] & (~0ULL << (from % 64));
	for (u32 i = 0; i <= words; i++) {
		if (bits)
			return w * 64 + (u32)__builtin_ctzll(bits);
		w = w + 1 == words ? 0 : w + 1;
		bits = set[w];
	}
	return NONE32;
}
#define SET_HAS(set, i) ((u32)((set)[(i) / 64] >> ((i) % 64) & 1))
#define SET_ADD(set, i) ((set)[(i) / 64] |= 1ULL << ((i) % 64))
#define SET_DEL(set, i) ((set)[(i) / 64] &= ~(1ULL << ((i) % 64)))
/* The members in order: for (u32 i = ...) */
#define SET_EACH(i, set, words) \
	for (u32 i##_w = 0; i##_w < (words); i##_w++) \
		for (u64 i##_b = (set)[i##_w]; i##_b; i##_b &= i##_b - 1) \
			for (u32 i = i##_w * 64 + (u32)__builtin_ctzll(i##_b), i##_once = 1; i##_once; i##_once = 0)

#endif
