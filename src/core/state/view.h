/*
 * view.h - inside the simulator: the view of one SM that its stages work on.
 */
#ifndef WARPSTEP_VIEW_H
#define WARPSTEP_VIEW_H

#include "ops.h"
#include "policy.h"
#include "sim.h"
#include "texture.h"

#define ALWAYS_INLINE static inline __attribute__((always_inline))

enum packet_kind {
	PACKET_READ,
	PACKET_WRITE,
	PACKET_ATOMIC,
	PACKET_FETCH,
	PACKET_REDUCTION,
	PACKET_CONST,
	PACKET_SAVE,
	PACKET_RESTORE,
	PACKET_PAST
};
#define MEETS_FLOAT 128 /* of packet.meets: floating-point additions */

/* Where the instructions of kernels lie for L1I and L2: apart from all data. */
#define CODE_BASE 0x10000000000ULL
/* Where local memory lies for L1D and L2: the frames of a context side by side, a word of each lane after the other. */
#define LOCAL_BASE 0x20000000000ULL
#define LOCAL_BYTES (1ULL << 40) /* more than all contexts have */
/* Where the contexts of CTAs that are saved lie for the L2: those of a launch side by side, by CTA of its grid. */
#define CONTEXT_BASE 0x100000000000000ULL
#define CONTEXT_LAUNCH 0x10000000000ULL
/* Where each SM writes to, 256 bytes apart, when a CTA of it can no longer be begun again. */
#define NOTICE_BASE 0x200000000000000ULL

/* Slots of each sub-core and of each scheduler: the same for all SMs. */
struct pools {
	u64 sub[MAX_SUBCORES][SLOT_WORDS];
	u64 sched[MAX_SUBCORES * MOST_sm_schedulers][SLOT_WORDS];
};

/* The unit of each class: class_table's, where it is asked for at every instruction. */
static const u8 class_unit[CLASS_COUNT] = {
#define CLASS(id, name, unit, doc) [CLASS_##id] = unit,
#include "classes.def"
#undef CLASS
};

/* Does an instruction pass a collector unit? With unit.int.exit an exit does, on its way to an integer unit. */
static inline bool inst_passes(const struct config *c, const struct inst *in)
{
	return class_unit[in->class] != UNIT_NONE || (in->op == OP_EXIT && c->unit_int_exit);
}

/* The arrays of one sub-core. */
struct sub_view {
	struct sub *sub;
	struct collector *collector;
	struct bank *bank;
	struct bankq *bankq;
	struct reuse *reuse;
	struct unit *unit;
	const u64 *pool; /* its slots */
};

/* A gang that has one slot. */
struct one_slot {
	u64 slots[SLOT_WORDS];
	u32 lanes; /* of all of them */
	u16 lead;  /* slot of the first */
	u8 first;  /* which that is, of its parent warp's; the others as a bit set */
	u8 others;
};
#define MAX_PARENTS (64 * CONTEXT_WORDS) /* at warp.size 32 */

#define MAX_BANKS 32 /* of a sub-core: bit sets of them have as many bits */

/* A memory operation of this cycle that others may join, by kind. */
#define MATE_KINDS 7
struct open_op {
	u32 lanes;
	u16 memop; /* 65535: none; of this cycle, if it still is */
	u16 bytes;
	u32 low, high;		 /* shared memory: the lowest and highest of its lanes' addresses */
	u64 address[WARP_LANES]; /* and all of them */
};

/* away.c: requests of an SM that have not been answered. An answer that has not left its slice is not there before the
 * cycle `until`. */
struct away {
	u64 requests, until;
};

/* The arrays of one SM, found once: machines do not move while a sim is open. */
struct sm_view {
	struct sim *sim;
	struct machine *m;
	struct gpu *gpu;
	const u64 *clock; /* its cycle: the GPU's, or its own where it is ahead (run_ahead.c) */
	u64 own_clock;
	struct sm *sm;
	struct bounds *bounds;
	struct kernel_count *kernel; /* by seat */
	const struct turn *turn;     /* by launch: its seat */
	struct sub *sub;
	struct sched *sched;
	struct warp *warp;
	struct slot *slot;
	struct kinds *kinds;
	struct control *control;       /* of the instructions of all kernels; NULL: a scoreboard has a say */
	struct dependence *dependence; /* by context */
	struct inflight *inflight;     /* by context, INFLIGHT_WRITES each */
	struct reading *reading;       /* by sub-core, READINGS each */
	bool judged;		       /* control bits, or a scoreboard of reads, keep ready warps from issuing */
	struct issued *issued;	       /* by context */
	struct gang *gang;	       /* by parent warp, GANG_ENTRIES each */
	struct gang_map *gang_map;
	struct cta *cta;
	struct cta_slots *cta_slots;
	struct cta_move *move; /* by CTA slot */
	struct missed *missed; /* by slot */
	struct stock *stock;
	struct collector *collector;
	struct bank *bank;
	struct bankq *bankq;
	struct reuse *reuse; /* by bank and operand position */
	struct unit *unit;
	struct result *result;
	struct load *load;
	struct ring_slot *lsuq, *reexec, *reexec_inactive;
	struct simt_entry *stack;
	struct memop *memop;
	struct tag *l0i, *l1i, *l1d;
	struct imiss *imiss;
	struct l0i_miss *l0i_miss; /* by sub-core */
	struct tag *const_tag;
	struct const_seen *const_seen; /* NULL: nobody counts (state/constants.c) */
	struct chain *l1d_chain;
	struct mshr *mshr, *const_mshr;
	struct waiter *waiter, *const_waiter;
	struct write_entry *writes;
	struct port *port;
	struct sleep *sleep;
	u32 id;
	struct front_site site;
	u32 seats;	       /* launches that may run at once */
	u32 bank_queue, units; /* entries of a bank's queue; units of a sub-core */
	u32 l0i_ways, l1i_sets, l1d_sets, l1d_ways_max, in_size;
	const struct pools *pools;
	const struct slice_hooks *slices; /* where warps are cut (slices.h) */
	u64 global[SLOT_WORDS];	  /* of the ready slots, those whose instruction reads or writes values of global memory
				   */
	struct away away;	  /* while sim_run() runs */
	bool halfway;		  /* run_ahead.c: its cycle has been run up to the issue stage */
	bool laid;		  /* territory.c: CTAs have been laid there or have left since it was looked at */
	struct texel_reads reads; /* env.reads: those of the fetch that issues */
	struct front_env env;	  /* of the instruction that issues; what never changes is always there */
	bool unusual;		  /* memory operations are looked at by checks, or slices share them */
	bool ganged;		  /* of the issue stage: slices of a gang issue one after the other */
	bool owes;		  /* of the issue stage: some slots are `owed` */
	bool steady;		  /* of sim_run(): nothing but the SM's stages changes it */
	bool folds;		  /* while steady: gangs may have one slot (gangs_one_slot.c) */
	bool even;	/* lockstep.c: while steady, the other sub-cores hold what the first does, and are not kept */
	u64 even_again; /* lockstep.c: cycle before which that is not tried again */
	u32 granted;	/* lockstep.c: banks of sub-cores that may have granted reads in the last cycle */
	struct {
		u32 had, granted, conflicts;
	} since[MAX_BANKS]; /* lockstep.c: reads that the first sub-core's banks had queued when the others were no
			       longer kept, and what they have done since */
	u8 one_slot[MAX_PARENTS];   /* by parent warp: entries of the table of gangs that have one slot, as a bit set */
	struct one_slot *one_slots; /* by entry, where they do */
	u64 owed[SLOT_WORDS];	    /* slots for whose registers results are due that others have brought (paths.c) */
	u32 promised;		    /* entries of the table of loads of gangs that act later in this cycle */
	u16 const_open;		    /* memory operation of their constants, 65535: none yet */
	u64 const_word[WARP_LANES]; /* words of constants that lanes of an instruction name */
	struct sub_view part[MAX_SUBCORES];
	struct open_op
		open[MATE_KINDS]; /* of the issue stage, where slices share memory operations (slice_sharing.c) */
	struct sched_view look[MAX_SUBCORES * MOST_sm_schedulers]; /* what the policies of each scheduler see */
	struct sched_view look_fetch[MAX_SUBCORES];		   /* what the fetch policy of each sub-core sees */
};

/* Sizes that follow from a configuration (sections.def's `n`). */
struct counts {
	u32 launches, seats, insts, contexts, residents, cta_warps, slots, bank_queue, units, results, loads, gangs,
		memops, reexec, reexec_inactive, l0i_ways, l0i_misses, l1i_sets, const_sets, const_seen, l1d_sets,
		l1d_ways_max, l2_sets;
	u32 register_words,
		shared_words; /* bit sets of allocation units: of a sub-core's registers, of shared memory */
	u32 reply_queue, writes, slice_in, slice_far, dram_service;
};
void machine_counts(const struct config *c, u32 launches, u32 seats, u32 insts, struct counts *n);

static inline u64 view_cycle(const struct sm_view *v)
{
	return *v->clock;
}

/* The places that resident CTAs have, as a bit set. */
static inline u64 cta_places(const struct sm_view *v)
{
	return resident_places(v->m, v->sm);
}
static inline const struct kernel *view_kernel(const struct sm_view *v, u32 context)
{
	return v->sim->kernel[v->warp[context].launch];
}
/* Is a context still that of an answer, or has its CTA left since? */
static inline bool view_current(const struct sm_view *v, u32 context, u32 generation)
{
	return v->warp[context].generation == generation;
}
static inline u32 view_sub(const struct sm_view *v, u32 context)
{
	return context & (v->m->config.sm_subcores - 1); /* a power of two */
}
/* collector.share: an instruction of a class takes a collector unit of a sub-core (by 1), or leaves it (by -1). Slices
 * count theirs where they ask (issue.c). */
static inline void kinds_hold(struct sm_view *v, u32 sub, u32 class, u32 by)
{
	u32 kind = machine_class_kind(v->m, class), bit = 1u << kind, *full = &v->kinds->full[sub];
	u8 *held = &v->kinds->held[sub * UNIT_COUNT + kind];
	*held = (u8)(*held + by);
	*full = *held >= v->m->config.collector_share ? *full | bit : *full & ~bit;
}
/* A set of the slots of the SM: m->words words. */
static inline u64 *sm_set(struct sm_view *v, enum slot_set s)
{
	return &v->sm->set[s * v->m->words];
}
/* The slots that may issue, one word of the set. */
static inline u64 sm_ready(struct sm_view *v, u32 word)
{
	return sm_set(v, SET_READY)[word] & ~sm_set(v, SET_HALTED)[word];
}
static inline u64 *sm_seen(struct sm_view *v, enum warp_status s)
{
	return &v->sm->seen[s * v->m->words];
}

/* The bytes of a scheme in the first SM. */
static inline u8 *policy_bytes(const struct sim *s, u32 row)
{
	return (u8 *)s->m + s->m->policy_sm + s->m->policy_at[row];
}

/* Put an SM into a set of the GPU's. SMs are visited by several threads (worker_pool.h), which share nothing else. */
static inline void gpu_set_add(u64 *set, u32 sm)
{
	u64 *word = &set[sm >> 6], bit = 1ULL << (sm & 63);
	if (!(__atomic_load_n(word, __ATOMIC_RELAXED) & bit))
		__atomic_fetch_or(word, bit, __ATOMIC_RELAXED);
}
/* Is there any SM in a set of the GPU's? */
static inline bool gpu_set_any(const u64 *set)
{
	u64 bits = 0;
	for (u32 i = 0; i < SM_WORDS; i++)
		bits |= set[i];
	return bits != 0;
}
/* Something has changed by which a CTA that found no room may find some, or there is a new one: the dispatcher tries
 * again. */
static inline void dispatch_wake(struct gpu *g)
{
	g->dispatching = 1;
}

/* Members of a scoreboard's set. */
static inline u32 hazards_count(const u64 *pending)
{
	u32 n = 0;
	for (u32 i = 0; i < HAZARD_WORDS; i++)
		n += (u32)__builtin_popcountll(pending[i]);
	return n;
}

/* Launches, those whose turn has come, their places. */
static inline struct launch_run *launch_runs(struct machine *m)
{
	return machine_gpu_section(m, SECTION_LAUNCH);
}
static inline struct agenda *launch_agenda(struct machine *m)
{
	return machine_gpu_section(m, SECTION_AGENDA);
}
static inline struct turn *launch_turns(struct machine *m)
{
	return machine_gpu_section(m, SECTION_TURN);
}

/* The MSHRs of a cache (memory/mshr.c). */
struct mshr_table {
	struct mshr *mshr;
	u32 n;
	u16 *free;
};

#endif
