/*
 * machine.h - everything that a cycle can change, in one flat block without pointers.
 *
 * A header (struct machine) with layout and configuration, then arrays whose sizes follow from the configuration:
 * the global ones, then one block per SM, then the L2 slices and DRAM channels. Indices stand for references, rings
 * for queues. A copy is one memcpy. Every struct is declared from a list of fields, and the same lists make the
 * tables (fields.c) by which bytes have names: sm[3].warp[5].pc.
 *
 * Index spaces: a *context* (warp N of an SM) owns registers; context c belongs to sub-core c mod sm.subcores for its
 * whole life. With warp.size below 32, contexts h x n .. h x n + n - 1 are the n small warps of one parent warp of 32
 * threads, number h ("parent" in the code), and are allocated and freed together: small warp k has the lanes from
 * k x warp.size on, and sub-core k. A *slot* is a warp slot, a position of a scheduler: [sub-core x slots per sub-core
 * + n]. A context has one while its CTA is active, the lowest that was free in its sub-core. If there is a slot for
 * every context (sm.contexts), all CTAs are active and slots follow contexts.
 */
#ifndef WARPSTEP_MACHINE_H
#define WARPSTEP_MACHINE_H

#include "config.h"
#include "control.h"
#include "fields.h"
#include "front.h"
#include "ids.h"
#include "simt.h"

#define SM_WORDS 4    /* of a set of SMs */
#define SLICE_WORDS 2 /* of a set of L2 slices */
_Static_assert(MAX_SUBCORES == MOST_sm_subcores, "ids.h has the bound of the setting");
_Static_assert(MOST_sm_warps <= 64 * SLOT_WORDS && MOST_sm_contexts <= 64 * CONTEXT_WORDS, "members of sets");
_Static_assert(MOST_sm_ctas <= 64 && MOST_sm_residents <= 64, "CTAs of an SM are members of a 64-bit set");
_Static_assert(MOST_gpu_sms <= 64 * SM_WORDS && MOST_l2_slices <= 64 * SLICE_WORDS, "members of sets");
_Static_assert(MOST_gpu_sms <= 256, "a packet has a byte for the number of its SM");

/* Sets of the warp slots of an SM. An occupied slot is in exactly one of DONE .. READY or in GANG; the other sets add
 * to that. */
enum slot_set {
	SET_DONE,
	SET_BARRIER,
	SET_FENCE,
	SET_FETCH,
	SET_LONG,
	SET_SHORT,
	SET_READY,
	SET_CONTROL,   /* of READY: needs no operand collector unit */
	SET_LOADS,     /* of READY: needs a load table entry */
	SET_WANT,      /* the instruction buffer has room and a fetch may start */
	SET_HALTED,    /* the CTA is halted: no issue, no fetch */
	SET_PAUSED,    /* the CTA is paused: issues only if no other warp can */
	SET_RESTORING, /* of HALTED: only because the context of the CTA is being restored */
	SET_GANG,      /* every path of the warp waits for lanes that wait, too */
	SET_STALL,     /* issue.dependences control: is looked at again in the next cycle */
	SET_COUNT
};

/* The fields of its structs, and what some of them mean; the texts are wanted by fields.c alone. */
#ifdef FIELD_TEXTS
#include "machine.def"
#else
#include "machine.ids"
#endif

/* Every struct of the machine, from its list; the rows of sections.def name it, and have the arrays of them in the
 * order of memory. */
#define SECTION(id, where, tag, LIST, path, count, flags) \
	struct tag { \
		LIST(FIELD_MEMBER, FIELD_ARRAY) \
	};
#define SECTION_MORE(id, where, tag, path, count, flags)
#include "sections.def"
#undef SECTION
#undef SECTION_MORE

/*
 * Arrays of the machine: the rows of sections.def, in its order; machine.c computes offsets from it, fields.c names.
 */
enum section_id {
#define SECTION(id, where, tag, LIST, path, count, flags) SECTION_##id,
#include "sections.def"
#undef SECTION
	SECTION_COUNT
};

struct section {
	u64 offset; /* from the machine's start (IN_GPU), or from its block's */
	u32 count;  /* elements, of one block */
	u32 size;   /* bytes of an element */
};

struct machine {
	u64 bytes;		/* of the whole block */
	u64 sm_base, sm_stride; /* blocks of SMs, L2 slices, DRAM channels */
	u64 slice_base, slice_stride;
	u64 channel_base, channel_stride;
	u64 policy_base, policy_bytes, policy_stride; /* the policies' own bytes: of the GPU, then by SM */
	u64 policy_sm;				      /* offset of those of SM 0 */
	u32 policy_at[64];			      /* offset of those of a row of schemes.def within an SM's, */
	u32 policy_gpu_at[64];			      /* and within the GPU's */
	struct section section[SECTION_COUNT];
	struct config config;
	u32 contexts, residents; /* warps and CTAs that can be resident on an SM */
	u32 lanes, parent_shift; /* lanes of a context; log2 of the contexts that share the values of one warp of
			    WARP_LANES, their parent */
	u32 slots_per_sub, schedulers, words; /* words of a slot set in use */
	u32 warp_units[UNIT_COUNT + 1];	      /* first unit of each kind within a sub-core; the last is their number */
	u8 unit_kind[UNIT_COUNT];	      /* machine_unit_kind() */
	u8 class_kind[CLASS_COUNT];	      /* the same by class of instruction */
	u32 line_shift, sectors;	      /* of L1D and L2 lines */
	u8 slice_share[8][256]; /* l2.hash polynomial: what each byte of a piece's number, by its value, adds to the
				   number of its L2 slice */
	struct policy_choice policy; /* the selected policies */
	u32 policy_subscribed;	     /* kinds of notice that a selected policy subscribes to */
	u32 policy_awake;	     /* 1: a selected policy forbids SMs with ready warps to sleep */
	u32 policy_any_time; /* 1: a selected policy may change its limits at any time, or looks at the CTAs that wait
			      */
	u32 policy_defers;   /* 1: a selected policy of hook rank defers to the order */
	u32 policy_gangs;    /* 1: the selected gang policy uses the gang table, and there is one */
	u32 policy_beside;   /* 1: secondary issue is possible: hook extra is set, or ideal.divergence */
	u32 issue_plain;     /* 1: a scheduler's slot goes by its order alone, */
	u32 collect_plain; /* and banks and collector units by nothing but age, once a cycle: what is compiled apart */
	u32 large;	   /* 1: of more SMs than the caches near a processor hold */
	u64 policy_subscribers[NOTICE_COUNT]; /* by kind: the rows of schemes.def that subscribe */
	u64 policy_wakes;		      /* rows of the policies that name dates of an SM */
};

static inline void *machine_gpu_section(struct machine *m, enum section_id id)
{
	return (u8 *)m + m->section[id].offset;
}
static inline void *machine_sm_section(struct machine *m, u32 sm, enum section_id id)
{
	return (u8 *)m + m->sm_base + sm * m->sm_stride + m->section[id].offset;
}
static inline void *machine_slice_section(struct machine *m, u32 slice, enum section_id id)
{
	return (u8 *)m + m->slice_base + slice * m->slice_stride + m->section[id].offset;
}
static inline void *machine_channel_section(struct machine *m, u32 channel, enum section_id id)
{
	return (u8 *)m + m->channel_base + channel * m->channel_stride + m->section[id].offset;
}
/* The resident CTAs of a launch. */
static inline struct residency *machine_residency(struct machine *m, u32 launch)
{
	return (struct residency *)machine_gpu_section(m, SECTION_RESIDENCY) + launch;
}
/* The kind of unit that executes instructions of a kind: sub-cores without units of half precision or a uniform
 * datapath use others. An instruction that needs no unit and yet holds an operand collector unit is an exit
 * (unit.int.exit).
 */
static inline u32 machine_unit_kind(const struct machine *m, u32 kind)
{
	return m->unit_kind[kind];
}
/* That of the instructions of a class. */
static inline u32 machine_class_kind(const struct machine *m, u32 class)
{
	return m->class_kind[class];
}
static inline struct gpu *machine_gpu(struct machine *m)
{
	return machine_gpu_section(m, SECTION_GPU);
}

/* The parent warp of a context, whose registers, local memory and banks the context uses, by the number of all contexts
 * of an SM or a GPU. */
static inline u32 context_parent(const struct machine *m, u32 context)
{
	return context >> m->parent_shift;
}
static inline u32 machine_parents(const struct machine *m)
{
	return m->contexts >> m->parent_shift;
}
/* The lanes of a context within its warp: all, or those of a small warp. */
static inline u32 context_mask(const struct machine *m, u32 context)
{
	u32 slice = context & ((1u << m->parent_shift) - 1);
	return (~0u >> (WARP_LANES - m->lanes)) << slice * m->lanes;
}
/* Does a result in the wheel complete an instruction of a context? */
static inline bool result_of(const struct machine *m, const struct result *r, u32 context)
{
	u32 slice = context & ((1u << m->parent_shift) - 1);
	if (r->kind || context_parent(m, r->context) != context_parent(m, context))
		return false;
	return !m->parent_shift || r->load >> slice & 1;
}
/* The age of a group of copies in a warp's ring: 0 the open one, 1 the newest closed one. */
static inline u32 group_age(const struct warp *w, u32 place)
{
	return (w->copy_group - place) % COPY_GROUPS;
}
/* The control bits of an instruction as control.h has them. */
static inline struct control_bits control_bits_of(const struct control *c)
{
	return (struct control_bits){c->stall, c->yield, c->write, c->read, c->wait, c->reuse};
}
/* Is the stall counter of a warp not 0 at the end of a cycle? (from is NEVER where the warp waits until it has
 * drained.) */
static inline bool dependence_stalls(const struct dependence *d, u64 cycle)
{
	return d->from != NEVER && d->from >= cycle;
}
/* The index of a context's values in the store (store.h). */
static inline u32 machine_values(const struct machine *m, u32 sm, u32 context)
{
	return sm * machine_parents(m) + context_parent(m, context);
}

/* The CTA slots of resident CTAs of an SM, as a bit set; and those of CTAs whose warps have slots. */
static inline u64 resident_places(const struct machine *m, const struct sm *sm)
{
	return ~0ULL >> (64 - m->residents) & ~sm->free_ctas;
}
static inline u64 active_places(const struct machine *m, const struct sm *sm)
{
	return resident_places(m, sm) & ~sm->inactive;
}
/* The number of active CTAs. */
static inline u32 active_ctas(const struct sm *sm)
{
	return sm->inactive ? sm->ctas - (u32)__builtin_popcountll(sm->inactive) : sm->ctas;
}

/* Arrivals that barrier n of a CTA waits for: a count of its own, or all warps that have not ended. */
static inline u32 barrier_needed(const struct cta *cta, u32 n)
{
	return cta->bar_needed[n] ? cta->bar_needed[n] : (u32)cta->warps - cta->done;
}

/* A new machine for a configuration and a number of launches, of which `seats` may run at once and whose kernels have
 * `insts` instructions; one allocation, freed with free(). */
struct machine *machine_new(const struct config *c, u32 launches, u32 seats, u32 insts);
/* The size of a machine in bytes. */
u64 machine_size(const struct config *c, u32 launches, u32 seats, u32 insts);
/* Hash of the architectural and timing state: hashed sections and the policies' own bytes, by names (machine_hash.c),
 * without the statistics, statuses, outcomes and events counted. */
u64 machine_hash(const struct machine *m);
/* Hash of these counts alone, which must be up to date. */
u64 machine_counted(const struct machine *m);

/* Fields of the machine by name (fields.c): every byte of every section is described. */
extern const struct section_row section_table[SECTION_COUNT];
/* Behind those of sections.def stand the arrays that schemes keep for themselves. The row of a section, NULL: none; how
 * many elements a block has of it; the first of them in a block. */
#define SECTION_ALL (SECTION_COUNT + SCHEME_OWN * 64)
const struct section_row *section_of(u32 id);
u32 section_elements(const struct machine *m, u32 id);
const u8 *section_bytes(const struct machine *m, u32 id, u32 block);

#endif
