/*
 * policy.h - policies decide; the engine does, counts and tells.
 *
 * A scheme is one file (src/policy/x.c) with one struct scheme and one row in schemes.def. Every function gets the
 * machine const and returns a choice; the engine checks it, carries it out, counts it, publishes it.
 * What it may be asked is a row of policyslots.def, a slot. A NULL slot means: not concerned; the baseline's behaviour
 * stands.
 *
 * What is remembered. A scheme's own bytes change when it is told of something, and at no other time: choices are pure.
 * It is told at once, not after the cycle from the records of the bus: records are made only where somebody listens,
 * and there are none of an SM that runs ahead of the GPU or sleeps, so that a policy that lived on them would make
 * every run slow and could not exist in a thread of its own. What an SM's bytes remember is that SM's; what is known of
 * the whole GPU changes in told_gpu() alone, between cycles. So no order of SMs, no thread, no sleep can show in a
 * choice, and going back needs nothing of a policy.
 *
 * A function that is asked about a whole SM, not about one of its schedulers, gets the view of the SM's first. A slot
 * that says which CTAs come (cta.*, partition) is asked with the SM's counters brought up to date; a refusal stands
 * until a CTA leaves some SM, a launch begins, or a policy or a setting changes.
 */
#ifndef WARPSTEP_POLICY_H
#define WARPSTEP_POLICY_H

#include "machine.h"
#include "points.h"
#include "program.h"
#include "territory.h"

/* What a scheduler's policy sees. Slots are numbered within the SM, those of sub-core S from S x slots_per_sub; sets
 * have m->words words. Counters of the SM stand where they are now, but sums over cycles of what residents and MSHRs
 * hold (occupancy.*, l1d.mshr_cycles), which are made up in notices of the GPU alone. */
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
	const struct points *const *points; /* by launch; NULL where no chosen scheme looks at them */
	const struct cta *cta;		    /* CTA slots of the SM */
	const struct cta_slots *cta_slots;  /* by CTA slot */
	const struct gang *gangs;	    /* table of gangs: by home, GANG_ENTRIES each (warp.size below 32) */
	const struct gang_map *gang_map;    /* the same by slots */
	const struct missed *missed;	    /* by slot */
	const u64 *missed_slots;	    /* bit set of those in which it is not empty */
	const struct memop *memop;	    /* what memory instructions still need */
	const struct ring_slot *reexec;	    /* those of them that wait aside (lsu.reexec) */
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

/* The next instruction of a slot that a warp holds. */
static inline const struct inst *slot_inst(const struct sched_view *v, u32 slot)
{
	const struct slot *s = &v->slot[slot];
	return &v->kernel[v->warp[s->context].launch]->inst[s->pc];
}
/* The order of admission of a slot's warp to its SM. */
static inline u64 slot_age(const struct sched_view *v, u32 slot)
{
	return v->warp[v->slot[slot].context].age;
}
/* One word of the set of slots whose warps may yet issue: they have not ended, nor wait for lanes of their own for ever
 * (SET_GANG). */
static inline u64 slots_live(const struct sched_view *v, u32 word)
{
	u64 live = 0;
	for (u32 s = SET_BARRIER; s <= SET_READY; s++)
		live |= v->sm->set[s * v->m->words + word];
	return live;
}

/* What an order looks at in a slot, for people: "age" 12. */
struct score {
	const char *word;
	u64 value;
};

/* A warp that comes to an SM. */
struct newcomer {
	u32 launch, cta; /* its CTA, linear in the grid */
	u32 index;	 /* warp within it */
	u32 number;	 /* warps assigned to sub-cores of this SM before it */
};

/* A CTA that gives its warp slots to another: places of the SM. */
struct swap {
	u32 out, in;
};

/* CTAs of a launch are to make room in an SM; `ctas` are those that neither leave already nor have ended. */
struct make_way {
	u32 launch;  /* of which there are too many */
	u32 gainer;  /* launch that the room is for: of which more are wanted and to come; NONE32: none */
	u64 ctas;    /* bit set of its CTAs in the SM */
	u32 surplus; /* so many of them */
};

/* What becomes of a CTA that may have to make room: it stays; ends here, before all others; leaves when the next cycle
 * begins to begin again, to go on later, for good. */
enum verdict { VERDICT_STAY, VERDICT_DRAIN, VERDICT_FLUSH, VERDICT_SAVE, VERDICT_KILL };

/* What a scheme is told: kind, and of the rest what the row in notices.def names. */
struct notice {
	u16 kind; /* enum notice_kind */
	u16 launch, context;
	u16 cta;   /* CTA slot of the SM */
	u32 pc;	   /* instruction */
	u32 place; /* of the L1D: set x ways + way */
	u64 line;  /* address of an L1D line */
	u64 count; /* as the row says */
};

/* What a scheme tells in turn: an event with its two numbers; of an SM's, the notice's context, instruction and line.
 */
struct telling {
	u32 kind; /* enum event_kind */
	u32 a, b;
	u32 launch; /* of the GPU's: that it is about, NONE32: none */
};
#define MOST_TELLINGS 4 /* of one notice of the GPU */

/* What a scheme sees of the GPU as a whole. */
struct gpu_view {
	const struct machine *m;
	const struct gpu *gpu;
	const struct kernel *const *kernel; /* by launch */
	const struct launch *launch;	    /* what is launched */
	const struct launch_run *run;	    /* by launch: how far it is */
	u32 launches;
	u64 cycle; /* that is being run */
};

/*
 * What a scheme keeps: up to SCHEME_OWN arrays of structs, each declared from a list of fields in the style of
 * machine.h:
 *	#define NAME_FIELDS(F, A) F(u32, n, "CTAs that it does without")
 *	OWN_STRUCT(name, NAME_FIELDS)
 *	... .own = {OWN(name, "name", IN_SM, NULL)},
 * by which each field is sm[S].name.n or gpu.name.n, with a count sm[S].name.path[I].n, to print, watch and spark, and
 * in the hash. The path is the scheme's name; of an array with a count that, a dot and a name.
 */
struct scheme_own {
	struct section_row row;
	u32 (*count)(const struct config *c); /* elements; NULL: 1 */
};
#define OWN_STRUCT(tag, LIST) \
	struct tag { \
		LIST(FIELD_MEMBER, FIELD_ARRAY) \
	}; \
	OWN_FIELDS(tag, LIST)
/* The same for a struct that a header declares, for those who show it. */
#define OWN_FIELDS(tag, LIST) \
	_Static_assert(sizeof(struct tag) == 0 LIST(FIELD_SIZE, FIELD_ARRAY_SIZE), "struct " #tag " has holes"); \
	FIELD_TABLE(tag, LIST)
#define OWN(tag, name, whose, count_) \
	{ \
		.row = {.path = name, \
			.where = whose, \
			.flags = SECTION_HASHED, \
			.size = sizeof(struct tag), \
			.field = tag##_field, \
			.nfields = ARRAY_LEN(tag##_field)}, \
		.count = count_ \
	}
static inline u32 own_count(const struct scheme_own *own, const struct config *c)
{
	return own->count ? own->count(c) : 1;
}

/* A scheme's own bytes, to be changed. */
struct scheme_bytes {
	void *gpu;  /* of the GPU */
	u8 *sm;	    /* of SM 0 */
	u64 stride; /* from one SM's to the next */
};
static inline void *scheme_bytes_sm(struct scheme_bytes own, u32 sm)
{
	return own.sm + sm * own.stride;
}

struct scheme {
	const char *name, *paper, *doc;
	/* neutral: the setting and its value at which it equals the baseline; NULL: it is a baseline itself */
	const char *neutral;
	/* equals: by slot, the scheme that it then equals; NULL: what stands in the slot by default */
	const char *equals[POLICY_SLOTS];
	/* idle: why it cannot change anything under a configuration, as a clause for people, and what would let it;
	 * NULL: it may. Said when a machine is made with it. NULL: it always may. */
	const char *(*idle)(const struct config *c);
	/* the slots that it fills, each a function with a contract in policyslots.def */
#define SLOT(id, name, kind, base, result, gets, doc) result(*id) gets;
#include "policyslots.def"
#undef SLOT
	u32 menu; /* bit set of enum verdict: what its `preempt` chooses among; 0: CTAs run to their end */
	/* outermost: of some CTAs of one launch (a bit set of places, not empty), the one that is to make room first,
	 * whatever it costs, for a scheme in slot allocate, which then lays nothing of a launch within the extent of
	 * what another holds. NULL: the cheapest. */
	u32 (*outermost)(const struct sched_view *v, u64 ctas);
	/* score: what `order` compares in a slot with a buffered instruction, the first to decide first, the least
	 * first; returns how many, at most 2. It has its one place here, for whoever shows it. NULL: not told. */
	u32 (*score)(const struct sched_view *v, u32 slot, struct score *out);
	bool scored; /* the first of them is worth a column of its own beside every warp */
	/* told: something has happened in an SM of what it hears; its own bytes in this SM may change. It may be called
	 * by several threads, each for another SM, and for an SM that is cycles ahead of others: it sees that SM, and
	 * nothing that changes outside. */
	void (*told)(const struct sched_view *v, const struct notice *n, void *own);
	/* tells: the same, for a scheme without told() that may have something to tell in turn: true, what stands in
	 * `out` is counted and published. A notice that comes while an SM is awake alone (choose) may bring it about
	 * only in cycles that wake() names or in which something happens. */
	bool (*tells)(const struct sched_view *v, const struct notice *n, void *own, struct telling *out);
	/* told_gpu: the same of the GPU as a whole; all of its own bytes may change, no other time is there to change
	 * those of the GPU. What was refused to CTAs that wait is asked again after it, and every SM that holds CTAs is
	 * visited. */
	void (*told_gpu)(const struct gpu_view *v, const struct notice *n, struct scheme_bytes own);
	/* tells_gpu: the same, for a scheme without told_gpu() that may have something to tell in turn: so many of
	 * `out`, which has room for MOST_TELLINGS, are counted and published. */
	u32 (*tells_gpu)(const struct gpu_view *v, const struct notice *n, struct scheme_bytes own,
			 struct telling *out);
	u64 hears; /* bit set of enum notice_kind */
	/* due: the first cycle from `from` on at whose end NOTICE_EPOCH is wanted, NEVER: none. It may look at the
	 * configuration, launches and what the scheme keeps for the GPU, all of which change only when all SMs stand at
	 * one cycle. */
	u64 (*due)(const struct gpu_view *v, u64 from);
	/* wake: the first cycle from `from` on in which it decides otherwise about an SM in which nothing happens,
	 * NEVER: none. */
	u64 (*wake)(const struct sched_view *v, u64 from);
	bool steady;  /* what it answers about an SM changes only with what happens there, at notices of the GPU and at
			 wake() */
	bool yields;  /* where the order takes none of those that ranks leave, it may choose as if there were not this
			 one */
	bool outlook; /* what it answers about an SM may also change when no more CTAs of a launch are to come (v->run),
			 which is decided elsewhere */
	bool points;  /* it looks at program points, which are found when it is chosen */
	/* whole: for a scheme in slot gang that goes by the table, what `gang` answers where the gangs that can go are
	 * entry 0 of their homes, all their slices, at some positions of a sub-core (a bit set, not empty): which
	 * position. NULL: it is asked as ever. */
	u32 (*whole)(const struct sched_view *v, u64 positions);
	bool gangs;   /* its gangs are those of the table, which is then kept: slices of one warp begin as one */
	bool wakeful; /* what it is told must be told in every cycle in which a warp of the SM is ready */
	/* remembers: whether what it chooses depends on what it noted. NULL: never. */
	bool (*remembers)(const struct config *c);
	/* own: arrays of its own, described, in each SM and in the GPU; all 0 at the beginning, and as long as it is
	 * neutral. */
	struct scheme_own own[SCHEME_OWN];
};

/* Rows behind those of schemes.def are empty. A test program that defines scheme_trial puts its own there. */
#define SCHEME_TRIALS 8
enum scheme_id {
#define SCHEME(id) SCHEME_##id,
#include "schemes.def"
#undef SCHEME
	SCHEME_COUNT,
	SCHEME_ROWS = SCHEME_COUNT + SCHEME_TRIALS
};
#define SCHEME_nobody NONE32
extern const struct scheme *const scheme_table[SCHEME_ROWS];
extern const struct scheme scheme_trial[SCHEME_TRIALS];
#define SCHEME(id) extern const struct scheme scheme_##id;
#include "schemes.def"
#undef SCHEME
_Static_assert(SCHEME_ROWS <= 64, "rows of schemes.def are members of a 64-bit set");
/* An array of an SM (enum section_id). */
static inline const void *gpu_sm_section(const struct gpu_view *v, u32 sm, enum section_id id)
{
	return (const u8 *)v->m + v->m->sm_base + sm * v->m->sm_stride + v->m->section[id].offset;
}
static inline const struct sm *gpu_sm(const struct gpu_view *v, u32 sm)
{
	return gpu_sm_section(v, sm, SECTION_SM);
}
/* The private bytes of a scheme in an SM. */
static inline const void *scheme_own(const struct machine *m, u32 id, u32 sm)
{
	return (const u8 *)m + m->policy_sm + sm * m->policy_stride + m->policy_at[id];
}
/* The same in the GPU. */
static inline const void *scheme_own_gpu(const struct machine *m, u32 id)
{
	return (const u8 *)m + m->policy_base + m->policy_gpu_at[id];
}
/* Bytes that its arrays before the k-th take in an SM or in the GPU: each begins at a multiple of 8. */
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
/* Registers that a context of a launch takes in its sub-core, bytes of shared memory that a CTA takes: whole units. */
static inline u32 warp_registers(const struct machine *m, const struct launch *l)
{
	return round_up(l->regs * m->lanes, config_register_unit(&m->config));
}
/* Contexts that a CTA of a launch takes: its warps, or all their slices. */
static inline u32 launch_contexts(const struct machine *m, const struct launch *l)
{
	return l->warps << m->home_shift;
}
static inline u32 cta_shared(const struct machine *m, const struct launch *l)
{
	return round_up(l->shared, m->config.sm_shared_unit);
}
/* What a launch whose turn has come and that is not done has come to in an SM. */
static inline const struct kernel_count *kernel_on(const struct machine *m, u32 sm, u32 launch)
{
	const struct turn *turn = (const void *)((const u8 *)m + m->section[SECTION_TURN].offset);
	const u8 *block = (const u8 *)m + m->sm_base + sm * m->sm_stride;
	return (const struct kernel_count *)(const void *)(block + m->section[SECTION_KERNEL].offset) +
	       turn[launch].seat;
}
/* Where the registers of the contexts of an SM lie in the files of their sub-cores, or (shared) the shared memory of
 * its CTAs, by place. */
static inline const struct stretch *sm_stretches(const struct machine *m, u32 sm, bool shared)
{
	const u8 *block = (const u8 *)m + m->sm_base + sm * m->sm_stride;
	return (const void *)(block + m->section[shared ? SECTION_SHARED_STRETCH : SECTION_REGISTER_STRETCH].offset);
}
/* How many of its CTAs are where, and how many fit. */
static inline const struct residency *launch_residency(const struct machine *m, u32 launch)
{
	return (const struct residency *)(const void *)((const u8 *)m + m->section[SECTION_RESIDENCY].offset) + launch;
}
/* Does a CTA of a launch wait for a place: one that has not come yet, or has left before its end? */
static inline bool launch_waits(const struct launch_run *run, const struct launch *launch)
{
	return run->parked || run->next_cta < launch->ctas;
}
/* The cycle from which the instance of a launch that runs, or is the next to run, should run. */
static inline u64 launch_release(const struct launch *launch, const struct launch_run *run)
{
	return launch->at + (u64)run->iteration * launch->every;
}
/* The cycle by which its SMs should be its own, if it has a deadline: chimera.bound after that, or the deadline. */
static inline u64 launch_sms_due(const struct config *c, const struct launch *launch, const struct launch_run *run)
{
	return launch_release(launch, run) + min_u64(launch->deadline, c->chimera_bound);
}
/* The last cycle of a window of so many (not 0), from a cycle on: what `due` answers. */
static inline u64 window_last(u64 window, u64 from)
{
	return from + window - 1 - from % window;
}
/* Cycles that a CTA has run, up to one: here and where it was before. */
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

/* The rows of shorthands.def. */
struct shorthand {
	const char *name, *settings, *paper, *doc;
	u32 scheme, beside; /* rows of schemes.def; beside NONE32: none */
};
extern const struct shorthand shorthand_table[];
extern const u32 shorthand_table_rows;

/* The rows of policyslots.def. */
struct slot_row {
	const char *name, *doc;
	bool set; /* any number of schemes, else one */
	u32 base; /* scheme that stands in it by default, NONE32: nobody */
};
extern const struct slot_row slot_table[POLICY_SLOTS];
/* Does a scheme fill a slot? POLICY_SLOTS: any of them. */
bool scheme_fills(const struct scheme *x, u32 slot);
/* Scheme by name that fills a slot (POLICY_SLOTS: any), or -1 with an error. */
int scheme_find(u32 slot, const char *name, struct error *e);
/* The slots that it fills, "order fetch"; what it equals at its neutral setting, "" if that is what stands there by
 * default. */
void scheme_slots(const struct scheme *x, struct text *out);
void scheme_equals(const struct scheme *x, struct text *out);

/* choice.c: who fills the slots. The baseline; the same with nobody's choice for 0. */
void policy_default(struct policy_choice *p);
void policy_resolve(struct policy_choice *p);
/* Schemes in a slot, as a set of rows. */
u64 policy_in(const struct policy_choice *p, u32 slot);
/* Put a scheme into a slot: beside those that are there, or for the one that is. Leave a slot as it is by default. */
void policy_put(struct policy_choice *p, u32 slot, u32 scheme);
void policy_clear(struct policy_choice *p, u32 slot);
/* "order=gto fetch=lrr", slots that nobody fills left out; base: without those that are as by default, too */
void policy_text(const struct policy_choice *p, bool base, struct text *out);
/* The scheme in a slot of ONE, NULL: nobody. */
static inline const struct scheme *policy_one(const struct machine *m, enum policy_slot slot)
{
	return m->policy.in[slot] ? scheme_table[m->policy.in[slot] - 1] : NULL;
}
/* Each scheme of a slot of a SET: for (const struct scheme *x = ...) */
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
#define SET_HAS(set, i) ((set)[(i) / 64] >> ((i) % 64) & 1)
#define SET_ADD(set, i) ((set)[(i) / 64] |= 1ULL << ((i) % 64))
#define SET_DEL(set, i) ((set)[(i) / 64] &= ~(1ULL << ((i) % 64)))
/* The members in order: for (u32 i = ...) */
#define SET_EACH(i, set, words) \
	for (u32 i##_w = 0; i##_w < (words); i##_w++) \
		for (u64 i##_b = (set)[i##_w]; i##_b; i##_b &= i##_b - 1) \
			for (u32 i = i##_w * 64 + (u32)__builtin_ctzll(i##_b), i##_once = 1; i##_once; i##_once = 0)

#endif
