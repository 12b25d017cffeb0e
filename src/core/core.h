/*
 * core.h - inside the simulator: the view of one SM that its stages work on.
 */
#ifndef WARPSTEP_CORE_H
#define WARPSTEP_CORE_H

#include "policy.h"
#include "sim.h"

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
enum result_kind { RESULT_VALUE, RESULT_LINE, RESULT_REFETCH };
/* Why the L1D did not take an access: in the order of its counters. */
enum refusal {
	REFUSED_MSHRS = 1,
	REFUSED_MERGES,
	REFUSED_INTERCONNECT,
	REFUSED_SET,
	REFUSED_QUEUE,
	REFUSED_RESULTS,
	REFUSED_POLICY
};

/* Where the instructions of kernels lie for L1I and L2: apart from all data. */
#define CODE_BASE 0x10000000000ULL
/* Where local memory lies for L1D and L2: the frames of a context side by side, a word of each lane after the other. */
#define LOCAL_BASE 0x20000000000ULL
/* Where the contexts of CTAs that are saved lie for the L2: those of a launch side by side, by CTA of its grid. */
#define CONTEXT_BASE 0x100000000000000ULL
#define CONTEXT_LAUNCH 0x10000000000ULL
/* Where each SM writes to, 256 bytes apart, when a CTA of it can no longer be begun again. */
#define NOTICE_BASE 0x200000000000000ULL

/* Slots of each sub-core and of each scheduler: the same for all SMs. */
struct pools {
	u64 sub[MAX_SUBCORES][SLOT_WORDS];
	u64 sched[MAX_SUBCORES * 4][SLOT_WORDS];
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
	u8 first;  /* which that is, of its home's; the others as a bit set */
	u8 others;
};
#define MAX_HOMES (64 * CONTEXT_WORDS) /* at warp.size 32 */

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

/* The arrays of one SM, found once: machines do not move while a sim is open. */
struct sm_view {
	struct sim *sim;
	struct machine *m;
	struct gpu *gpu;
	const u64 *clock; /* its cycle: the GPU's, or its own where it is ahead (ahead.c) */
	u64 own_clock;
	struct sm *sm;
	struct bounds *bounds;
	struct kernel_count *kernel; /* by seat */
	const struct turn *turn;     /* by launch: its seat */
	struct sub *sub;
	struct sched *sched;
	struct warp *warp;
	struct slot *slot;
	struct issued *issued; /* by context */
	struct gang *gang;     /* by home, GANG_ENTRIES each */
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
	struct tag *const_tag;
	struct chain *l1d_chain;
	struct mshr *mshr, *const_mshr;
	struct waiter *waiter, *const_waiter;
	struct write_entry *writes;
	struct port *port;
	struct sleep *sleep;
	u32 id;
	struct front_site site;
	u32 seats;					     /* launches that may run at once */
	u32 bank_queue, units;				     /* entries of a bank's queue; units of a sub-core */
	u32 l0i_ways, l1i_sets, l1d_sets, l1d_ways, in_size; /* l1d_ways: at most */
	const struct pools *pools;
	const struct slice_hooks *slices; /* where warps are cut (slices.h) */
	u64 global[SLOT_WORDS]; /* of the ready slots, those whose instruction reads or writes values of global memory
				 */
	bool halfway;		/* ahead.c: its cycle has been run up to the issue stage */
	bool laid;		/* territory.c: CTAs have been laid there or have left since it was looked at */
	struct front_env env;	/* of the instruction that issues; what never changes is always there */
	bool unusual;		/* memory operations are looked at by checks, or slices share them */
	bool ganged;		/* of the issue stage: slices of a gang issue one after the other */
	bool owes;		/* of the issue stage: some slots are `owed` */
	bool steady;		/* of sim_run(): nothing but the SM's stages changes it */
	bool folds;		/* while steady: gangs may have one slot (gangs_one_slot.c) */
	bool even;	/* evenly.c: while steady, the other sub-cores hold what the first does, and are not kept */
	u64 even_again; /* evenly.c: cycle before which that is not tried again */
	u32 granted;	/* evenly.c: banks of sub-cores that may have granted reads in the last cycle */
	struct {
		u32 had, granted, conflicts;
	} since[MAX_BANKS]; /* evenly.c: reads that the first sub-core's banks had queued when the others were no longer
			       kept, and what they have done since */
	u8 one_slot[MAX_HOMES];	    /* by home: entries of the table of gangs that have one slot, as a bit set */
	struct one_slot *one_slots; /* by entry, where they do */
	u64 owed[SLOT_WORDS];	    /* slots for whose registers results are due that others have brought (paths.c) */
	u32 promised;		    /* entries of the table of loads of gangs that act later in this cycle */
	u16 const_open;		    /* memory operation of their constants, 65535: none yet */
	u64 const_word[WARP_LANES]; /* words of constants that lanes of an instruction name */
	struct sub_view part[MAX_SUBCORES];
	struct open_op open[MATE_KINDS]; /* of the issue stage, where slices share memory operations (mates.c) */
	struct sched_view look[MAX_SUBCORES * 4];   /* what the policies of each scheduler see */
	struct sched_view look_fetch[MAX_SUBCORES]; /* what the fetch policy of each sub-core sees */
};

/* Sizes that follow from a configuration (sections.def's `n`). */
struct counts {
	u32 launches, seats, contexts, residents, cta_warps, slots, bank_queue, units, results, loads, gangs, memops,
		reexec, reexec_inactive, l0i_ways, l1i_sets, const_sets, l1d_sets, l1d_ways, l2_sets;
	u32 register_words,
		shared_words; /* bit sets of allocation units: of a sub-core's registers, of shared memory */
	u32 reply_queue, writes, slice_in, slice_far, dram_service;
};
void machine_counts(const struct config *c, u32 launches, u32 seats, struct counts *n);

/* stages of one SM, in the order of a cycle (stages.def) */
void sm_writeback(struct sm_view *v);
void sm_execute(struct sm_view *v);
void sm_collect(struct sm_view *v);
void sm_issue(struct sm_view *v);
void sm_decode(struct sm_view *v);
void sm_fetch(struct sm_view *v);
/* after its stages: may the SM sleep, and until when? */
void sm_settle(struct sm_view *v);
/* The arguments of a launch, with the host loop's iteration filled in once per iteration. */
const u8 *launch_arguments(struct sim *s, u32 launch);
/* the crew that engine.threads wants, if it wants one */
void sim_crew(struct sim *s);
/* stages of the GPU */
void gpu_inputs(struct sim *s);
void gpu_memory(struct sim *s);
void gpu_cta(struct sim *s);
void gpu_epoch(struct sim *s);
void gpu_seal(struct sim *s);

/* trips.c: the instructions that trip are found, where CTAs may leave before their end; a warp that writes global
 * memory, or begins its loop again, may trip its CTA (preempt.ctas is not 0) */
void trips_open(struct sim *s);
void trips_close(struct sim *s);
void cta_trip(struct sm_view *v, u32 context, u32 pc);
/* chimera.notice: a warp that is to issue an instruction that trips issues a store before it, which takes its place in
 * this cycle. True: it did. */
bool notice_issue(struct sm_view *v, u32 context, u32 pc);
/* Was one issued before the instruction that is being performed? Asked once. */
bool notice_take(struct sm_view *v, u32 context);
/* Its write leaves for the L2; false: there is no room at the port. */
bool notice_send(struct sm_view *v, struct memop *op);

/* account.c: statuses and outcomes of the cycle, or of `cycles` slept ones */
void sm_account(struct sm_view *v);
void sm_account_sleep(struct sm_view *v, u64 upto);
/* Count what residents hold (contexts, registers, shared memory) and MSHRs in use, for the cycles that are counted:
 * before any but the MSHRs changes, and before somebody looks. */
void sm_account_held(struct sm_view *v);
static inline u64 unsummed(const struct sm_view *v)
{
	return v->sleep->counted - v->sleep->summed;
}
/* One more MSHR is in use from now on, or one fewer. */
static inline void mshrs_more(struct sm_view *v)
{
	v->sm->mshrs_used++;
	v->sm->stat[STAT_L1D_MSHR_CYCLES] -= unsummed(v);
}
static inline void mshrs_less(struct sm_view *v)
{
	v->sm->mshrs_used--;
	v->sm->stat[STAT_L1D_MSHR_CYCLES] += unsummed(v);
}

/* issue.c: n slots more of each scheduler that was last lost to the pipeline, by cause */
void pipeline_again(struct sm_view *v, u64 n);

/* slots.c: which sets a slot is in: what its warp waits for, whether it wants a fetch, both (a context that has a slot)
 */
void slot_eval(struct sm_view *v, u32 context);
void slot_want(struct sm_view *v, u32 context);
void slot_moved(struct sm_view *v, u32 context);
void slot_woken(struct sm_view *v, u32 context);   /* registers have been written: what waits for some may be ready */
void slot_decoded(struct sm_view *v, u32 context); /* more instructions are buffered */
/* marks.c: CTAs whose warps may not issue nor fetch; those that let others go first, as given, as policies say; a
 * context has taken a slot; a CTA leaves. All behind the issue stage, but cta_halt(), which may be asked when a cycle
 * begins, too: the SM's cycles up to it are counted. Who halts sets an alarm or another date: where nothing else can
 * happen there is a deadlock. */
void cta_halt(struct sm_view *v, u32 cta, bool on);
void ctas_pause(struct sm_view *v, u64 ctas, bool tell);
void ctas_pause_again(struct sm_view *v, bool tell);
void marks_take(struct sm_view *v, u32 context);
void marks_restored(struct sm_view *v, u32 cta); /* its context is there: nothing but a halt keeps it from issuing */
void marks_forget(struct sm_view *v, u32 cta);

/* bounds.c: what policies allow an SM: they are asked again; it is switched off or on as its CTAs go and come (its
 * cycles before are counted; tell: in a cycle). Limits are counted up to the beginning of cycle `upto`: before a limit
 * changes, a CTA comes or leaves before its end, a launch begins. */
void bounds_ask(struct sm_view *v, bool tell);
void bounds_switch(struct sm_view *v, bool tell);
void bounds_count(struct sim *s, u64 upto);

/* resident.c: contexts and slots */
void slots_left(struct sm_view *v, u32 *left); /* free slots of each sub-core */
void slot_take(struct sm_view *v,
	       u32 context); /* the lowest free slot of its sub-core; there is one, and no write is pending */
void slot_give(struct sm_view *v,
	       u32 context); /* it has one; what was fetched is lost, pending writes become a number */
void slotless_write(struct sm_view *v, u32 context,
		    const struct inst *in); /* registers of a context without a slot are written */
void slot_unsee(struct sm_view *v,
		u32 slot); /* what the issue stage saw of a slot's former owner is not its new one's */
void context_aside(struct sm_view *v, u32 context,
		   bool aside); /* count it among the resident contexts without a slot, or no more */
/* CTAs that become active (scheduling limits allow it, it is ready) and inactive (it has warps that live, and there is
 * room for its context), behind the issue stage; one in the place of another (cta_swap_fits()) */
bool cta_fits_slots(struct sm_view *v, u32 cta);
void cta_activate(struct sm_view *v, u32 cta);
void cta_deactivate(struct sm_view *v, u32 cta);
void cta_swap(struct sm_view *v, u32 out, u32 in);
/* swap.c: a CTA has come inactive; inactive CTAs that are ready become active where there is room, the first that was
 * ready first; a CTA goes for good */
void cta_comes_inactive(struct sm_view *v, u32 cta);
void cta_ready(struct sm_view *v, u32 cta);
void slots_hand_on(struct sm_view *v);
void swap_forget(struct sm_view *v, u32 cta);

/* context.c: the region of shared memory that holds the contexts of inactive CTAs. With `more` of them than there are,
 * of at most `warps` warps, beside `shared` bytes more of data: is there room? It is made then. As it must be for the
 * CTAs that are there. */
bool region_grow(struct sm_view *v, u32 more, u32 warps, u32 shared);
void region_settle(struct sm_view *v);
/* Cycles of the port of shared memory that saving or restoring the context of a CTA takes. */
u32 context_cycles(const struct config *c, u32 warps);

/* Instructions of a cycle among which a slice finds that of its mates. */
#define RESULTS_AT_ONCE 4
/* results.c: the wheel of results due, and loads in flight */
bool result_room(const struct sm_view *v);
bool results_room(const struct sm_view *v, u32 n); /* for n */
void result_due(struct sm_view *v, u64 delay, const struct result *r);
/* With warp.size below 32: an instruction of a context is done then, maybe with others of its warp. */
void result_due_slice(struct sm_view *v, u64 delay, const struct result *r);
/* The same for n slices of its home, as `slices`. */
void result_due_slices(struct sm_view *v, u64 delay, const struct result *r, u32 slices, u32 n);
/* An instruction of a context is done then. */
static inline void value_due(struct sm_view *v, u64 delay, u32 context, u32 generation, u32 pc)
{
	struct result r = {.kind = RESULT_VALUE, .context = (u16)context, .generation = generation, .pc = pc};
	if (__builtin_expect(!v->m->home_shift, 1))
		result_due(v, delay, &r);
	else
		result_due_slice(v, delay, &r);
}
/* A line of a load has come. load: its entry, and from bit 16 on the slices that want the line, if several share it. */
void load_arrived(struct sm_view *v, u32 load);
static inline u32 load_id(u32 load)
{
	return load & 0xffff;
}
/* The registers of a load are written, if its context is still there; a line write of a context that is. */
void load_answer(struct sm_view *v, u32 load);
void store_done(struct sm_view *v, u32 context);
void value_written(struct sm_view *v, u32 context, u32 pc); /* registers of another instruction */
void load_release(struct sm_view *v, u32 load);

/* perform.c: an entry of the table of loads, which must have one, for an instruction that writes registers when so many
 * lines have come */
u32 load_take(struct sm_view *v, u32 context, u32 pc, u32 lines);
/* n line writes of a context are to be sent and acknowledged. */
void owe_stores(struct sm_view *v, u32 context, u32 n);

/* Has the table of loads n free entries? */
static inline bool loads_left(const struct sm_view *v, u32 n)
{
	u32 at = v->sm->load_free;
	for (; n && at != NONE16; n--)
		at = v->load[at].next;
	return !n;
}

/* steps.c: a step of a synthetic kernel issues; those whose dates have come are done, and the alarm is set again; those
 * of a context that have dates are done at once, or dropped, for its CTA leaves before its end */
u64 steps_behind(const struct sm_view *v, u32 launch, u32 id); /* cycles that a CTA has behind it when it comes */
void step_issue(struct sm_view *v, u32 context, u32 pc, const struct inst *in);
void steps_due(struct sm_view *v);
void steps_end(struct sm_view *v, u32 context);
void steps_forget(struct sm_view *v, u32 context);
/* The jumps of a context, for which entries are kept back, are forgotten: its CTA leaves or becomes inactive. How many
 * these were. */
u32 results_forget(struct sm_view *v, u32 context);
/* A context's CTA leaves before its end: its instructions leave their collector units. What has gone further is dropped
 * as it comes. */
void collect_forget(struct sm_view *v, u32 context);
/* fetch.c: is a fetch of a context that has a slot under way? Parts of the stages: n instructions enter the buffer of a
 * slot, false: they are thrown away; a lookup for a slot, which brings instructions of one line of so many bytes, true:
 * they are there; instructions of one line from an address on are there without it; another context waits for the line
 * (false: a context does not), too; n instructions for a slot are there, and are decoded in the next cycle. */
bool fetch_waits(const struct sm_view *v, u32 context);
bool fetch_decode(struct slot *s, u32 n);
bool fetch_look_up(struct sm_view *v, u32 slot, u32 bytes);
void fetch_near(struct sm_view *v, struct sub *sub, u32 slot, u64 address, u32 bytes);
bool fetch_joins(struct sm_view *v, u64 line, u32 context, u32 other);
static inline void fetch_found(struct sm_view *v, struct sub *sub, u32 slot, u32 n)
{
	struct slot *s = &v->slot[slot];
	INVARIANT(sub->ndecode < DECODE_WIDTH);
	sub->decode_slot[sub->ndecode] = (u16)slot;
	sub->decode_count[sub->ndecode++] = (u16)n;
	v->sm->decoding++;
	s->fetch_pc += n;
	s->fetching = (u8)n;
}
void warp_retired(struct sm_view *v, u32 context, u32 n); /* n instructions or writes of it are complete */

/* lsu.c: one cycle of shared memory for the head; its next line accesses, one a try, until it is refused (why), done or
 * out of tries; the head leaves the queue; a memory operation all of whose lines are made */
void lsu_shared(struct sm_view *v, const struct memop *op);
enum refusal lsu_access(struct sm_view *v, struct memop *op, u32 *tries);
u16 lsu_pop(struct sm_view *v);
void lsu_finish(struct sm_view *v, u16 memop);
void lsu_done(struct sm_view *v);		  /* the same of the head; the next begins when lsu.interval is over */
void memop_release(struct sm_view *v, u32 memop); /* it is free; with warp.size below 32 nothing of it stays */
/* reexec.c: stage execute of an LSU that has a re-execution queue; a CTA has given its slots away, and there is room
 * for what it has there among that of inactive CTAs (cta_may_go()) */
void sm_reexecute(struct sm_view *v);
void reexec_leave(struct sm_view *v, u32 cta);

/* l1d.c */
enum refusal l1d_load(struct sm_view *v, u64 line, u32 load);
enum refusal l1d_fill(struct sm_view *v, const struct packet *p);
enum refusal l1d_past(struct sm_view *v, u64 line, u32 load); /* a load goes past it: straight to the L2, no MSHR */
void l1d_store(struct sm_view *v, u64 line); /* a store leaves: what becomes of the sectors that are present */
void l1d_refused(struct sm_view *v, const struct memop *op, u64 line, enum refusal why); /* count it, tell it */
void l1d_refused_again(struct sm_view *v,
		       u64 cycles); /* count that for each cycle that the SM slept while the LSU was refused */
/* Request into the crossbar; false: no room. departed: of a write, by which its context knows the acknowledgement. */
bool port_send_for(struct sm_view *v, u64 line, u32 tag, u32 kind, u32 departed);
static inline bool port_send(struct sm_view *v, u64 line, u32 tag, u32 kind)
{
	return port_send_for(v, line, tag, kind, 0);
}
void l1i_fill(struct sm_view *v, const struct packet *p);
void l1i_forget(struct sm_view *v, u32 context);
void l1d_flush(struct sm_view *v);
/* mshr.c: the MSHRs of a cache, found by the lines (number + 1) that they hold */
struct mshr_table {
	struct mshr *mshr;
	u32 n;
	u16 *free;
};
void mshr_reset(struct mshr_table t);
struct mshr *mshr_find(struct mshr_table t, u64 key); /* NULL: the line has none */
struct mshr *mshr_spare(struct mshr_table t);	      /* the next to be taken, NULL: all are */
struct mshr *mshr_take(struct mshr_table t, u64 key); /* there is one to spare; nothing waits in it */
void mshr_release(struct mshr_table t, struct mshr *m);
/* l1d_tags.c: the place of a line (number + 1), NULL: none; one to give it, NULL: all are reserved; give and take it */
struct tag *l1d_find(const struct sm_view *v, u64 key);
struct tag *l1d_victim(const struct sm_view *v, u64 key);
void l1d_place(struct sm_view *v, struct tag *t, u64 key);
void l1d_empty(struct sm_view *v, struct tag *t);
void l1d_use(struct sm_view *v, struct tag *t);
void l1d_share(struct sm_view *v, u32 shared); /* bytes of shared memory in use make way for or room in the L1D */

/* collect.c: an execution unit of a kind that takes an instruction now, NULL: none, when it takes another, and cycles
 * until its result. Parts of the stage of one sub-core: units dispatch before an arbitration (collector.late), banks
 * grant in it (how many), behind the last of a cycle, units dispatch; the oldest collector unit of a set; the LSU takes
 * an instruction, false: it does not; a collector unit is free. */
struct unit *collect_unit(struct sm_view *v, const struct sub_view *part, u32 kind);
u64 collect_unit_again(const struct sm_view *v, const struct collector *cu);
u32 collect_latency(const struct sm_view *v, const struct collector *cu);
void collect_early(struct sm_view *v, const struct sub_view *part, u32 pass);
u32 collect_arbitrate(struct sm_view *v, const struct sub_view *part, u32 pass);
void collect_reads(struct sm_view *v, const struct sub_view *part, u32 granted);
void collect_dispatch(struct sm_view *v, const struct sub_view *part);
u32 collect_oldest(const struct collector *cu, u32 set);
bool collect_lsu(struct sm_view *v, const struct sub_view *part, const struct collector *cu);
void collect_release(struct sm_view *v, const struct sub_view *part, u32 index);

/* const.c: the lines of an instruction come to those that its operation has; its access when it leaves its collector
 * unit, or when that of a gang leaves all of theirs, false: not taken; an answer; a kernel's end */
void const_lines(struct sm_view *v, u32 context, const struct inst *in, const struct front_result *r, struct memop *op);
bool const_access(struct sm_view *v, const struct collector *cu);
bool const_access_shared(struct sm_view *v, u32 memop);
/* Do slices share an operation for constants? */
static inline bool const_shared(const struct sm_view *v, const struct memop *op)
{
	u32 any = 0;
	for (u32 k = 0; v->m->home_shift && k < MAX_SUBCORES; k++)
		any |= op->collector[k];
	return any != 0;
}
void const_fill(struct sm_view *v, const struct packet *p);
void const_flush(struct sm_view *v);

/* coalesce.c: addresses of a warp into line accesses; shared addresses into bank cycles */
u32 coalesce(const struct machine *m, const struct front_result *r, u32 bytes, u64 *line);
/* The same; share: of each line, a bit set of the slices with lanes that want it, `lanes` lanes each. */
u32 coalesce_shared(const struct machine *m, const struct front_result *r, u32 bytes, u32 lanes, u64 *line, u8 *share);
u32 shared_degree(const struct machine *m, const struct front_result *r, u32 bytes);
/* Cycles that lanes of an atomic on shared memory take beside, which meet at one address (shared.atomic). */
u32 shared_turns(const struct config *c, const struct front_result *r);
/* The same as coalesce() of an atomic whose lanes at one address have line accesses of their own: the first of each,
 * the second ... (lsu.atomic_split); at most one for each lane. */
u32 coalesce_atomic(const struct machine *m, const struct front_result *r, u64 *line);
/* Of each line access of an atomic, the most lanes that meet at one address, but the first. */
void atomic_meets(const struct machine *m, const struct front_result *r, u32 n, const u64 *line, u8 *meets);
/* Accesses to local memory as line accesses; base: where the warp's frames lie. */
/* Line accesses as accesses of one sector each, the last first (l1d.sectors): how many. */
u32 coalesce_sectors(u64 *line, u32 n);
u32 coalesce_local(const struct machine *m, const struct front_result *r, u32 bytes, u64 base, u64 *line);

/* tags.c: a set-associative array of sectored lines, least recently used */
struct tag *tag_find(struct tag *set, u32 ways, u64 line);
struct tag *tag_victim(struct tag *set, u32 ways);

/* A load, or an atomic that wants an answer, takes long: the L1D has missed or refused a line of it. */
void load_missed(struct sm_view *v, u32 load);

/* barrier.c */
void barrier_arrive(struct sm_view *v, u32 context, u32 pc, const struct inst *in, const struct front_result *r);
void barrier_check(struct sm_view *v, u32 cta);
void barrier_leave_at(struct sm_view *v, u32 context, u64 cycle); /* its barrier is complete: it goes on then */
void barrier_due(struct sm_view *v);				  /* release_at has come */
void barrier_forget(struct sm_view *v, u32 context);		  /* its CTA leaves */

/* leave.c: CTAs whose warps have all ended and of which nothing is in flight */
u64 cta_retirable(const struct sm_view *v);
/* dispatch.c: does a launch that runs wait for places? */
bool ctas_wait(struct sim *s);
/* kernels.c: what launches come to in each SM */
void kernel_started(struct sm_view *v, u32 launch);	       /* a CTA of it came */
void kernel_ended(struct sm_view *v, const struct cta *cta);   /* a CTA leaves at its end */
void kernel_left(struct sm_view *v, u32 launch, u64 wasted);   /* one leaves before; instructions of it that are lost */
void kernel_wasted(struct sm_view *v, u32 launch, u64 issued); /* the same of one that had left */
void kernel_slot(struct sm_view *v, u32 slot, u32 launch, bool has); /* a warp of it takes a slot, or leaves it */
void kernels_ready(struct sm_view *v, const u64 *ready,
		   u32 n); /* n slots of a scheduler in which these were ready, not none */
void kernels_ready_beside(struct sm_view *v, const u64 *ready, const u64 *counted); /* one, of those that are not
										       counted anyway */
void kernels_ready_asleep(struct sm_view *v,
			  u64 n);	       /* n slots of each scheduler of an SM that slept with ready warps */
void kernels_sync(struct sim *s);	       /* the sums over SMs, where they may have changed */
void kernel_settle(struct sim *s, u32 launch); /* a launch is done: its seat is free */

/* launches.c: the launches at cycle 0 */
void launches_open(struct sim *s, const struct launch_plan *plan);

static inline u64 view_cycle(const struct sm_view *v)
{
	return *v->clock;
}

/* notices.c: notices for the schemes that hear them. heard: does any? (Notify only then.) */
static inline bool heard(const struct sm_view *v, enum notice_kind kind)
{
	return __builtin_expect(v->m->policy_hears >> kind & 1, 0);
}
void notify(struct sm_view *v, const struct notice *n);
void notify_slots(struct sm_view *v,
		  u64 rows); /* schemes that have begun to hear NOTICE_SLOT: of every warp that has one */
void notify_kernel(struct sim *s, enum notice_kind kind, u32 launch, u64 counted);
void notify_gpu(struct sim *s, const struct notice *n,
		u64 counted); /* counters are first brought up to the beginning of cycle `counted` */
/* The next cycle at whose end a chosen scheme wants its epoch, NEVER: none. */
u64 policy_due(const struct sim *s);
static inline u64 policy_next(const struct sim *s)
{
	return __builtin_expect(s->m->policy_told[NOTICE_EPOCH] != 0, 0) ? policy_due(s) : NEVER;
}
/* The first cycle after the SM's in which a chosen scheme decides otherwise about it; it is to be visited in `cycle`,
 * whatever else. */
u64 policy_wake(const struct sm_view *v);
void sm_alarm(struct sm_view *v, u64 cycle);

/* Put an SM into a set of the GPU's. SMs are visited by several threads (crew.h), which share nothing else. */
static inline void gpu_set_add(u64 *set, u32 sm)
{
	u64 *word = &set[sm >> 6], bit = 1ULL << (sm & 63);
	if (!(__atomic_load_n(word, __ATOMIC_RELAXED) & bit))
		__atomic_fetch_or(word, bit, __ATOMIC_RELAXED);
}
/* Something has changed by which a CTA that found no room may find some, or there is a new one: the dispatcher tries
 * again. */
static inline void dispatch_wake(struct gpu *g)
{
	g->dispatching = 1;
}

/* Stage swap: CTAs change places where some have no slots or wait for their contexts (swap.c); contexts go through the
 * L2 (move.c), and a line has been answered. */
void swap_go_on(struct sm_view *v);
void move_line(struct sm_view *v);
void move_answered(struct sm_view *v, const struct packet *p);
static inline void sm_swap(struct sm_view *v)
{
	if (__builtin_expect((v->sm->inactive | v->sm->restoring | v->sm->moving) != 0, 0))
		swap_go_on(v);
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

/* copies.c: asynchronous copies to shared memory, in groups. Must an instruction on them wait; a copy that has an entry
 * of the table of loads begins, and is done; the open group is closed. */
bool copies_hold(const struct warp *w, const struct inst *in);
void copies_begin(struct sm_view *v, u32 context, u32 load);
void copies_done(struct sm_view *v, const struct load *l);
void copies_commit(struct sm_view *v, u32 context, u32 mask);

/* Add the registers and predicates that an instruction writes to a scoreboard's set. */
static inline void inst_written(const struct inst *in, u64 *pending)
{
	for (u32 i = 0; i < in->nwrite; i++)
		SET_ADD(pending, in->write[i]);
	for (u32 i = 0; i < 2; i++)
		if (in->write_pred[i] != 0xff)
			SET_ADD(pending, HAZARD_PRED + in->write_pred[i]);
}

/* An event of a CTA of an SM. */
void emit_cta_record(struct sm_view *v, enum event_kind kind, u32 slot, u32 a, u32 b);
/* An event of a launch in an SM. */
void emit_launch(struct sm_view *v, enum event_kind kind, u32 launch, u32 a, u32 b);
/* A CTA came or went. */
void emit_cta(struct sm_view *v, enum event_kind kind, u32 slot);
/* Count an event of the GPU as a whole, and record it if some sink wants it. */
void gpu_emit(struct sim *s, enum event_kind kind, u32 launch, u32 a, u32 b);
void emit_record(struct sm_view *v, enum event_kind kind, u32 context, u32 pc, u64 address, u32 a, u32 b);
void emit_memory_record(struct sim *s, enum event_kind kind, u32 sm, u64 line, u32 a, u32 b);
void emit_record_late(struct sm_view *v, enum event_kind kind, u32 context, u32 generation, u32 pc, u64 address, u32 a,
		      u32 b);

/* Count an event of an SM, and record it if some sink wants it. context: NONE16 none. */
static inline void emit(struct sm_view *v, enum event_kind kind, u32 context, u32 pc, u64 address, u32 a, u32 b)
{
	v->sm->events[kind]++;
	if (__builtin_expect(v->sim->bus.want >> kind & 1, 0))
		emit_record(v, kind, context, pc, address, a, b);
}

/* The same for an L2 slice or a DRAM channel. sm: the one that asked, NONE16 none; line: line number x 16 + sectors, 0
 * none. */
static inline void memory_emit(struct sim *s, enum event_kind kind, u32 sm, u64 line, u32 a, u32 b)
{
	machine_gpu(s->m)->events[kind]++;
	if (__builtin_expect(s->bus.want >> kind & 1, 0))
		emit_memory_record(s, kind, sm, line, a, b);
}

/* The same for what may have outlived its CTA: then the record names no warp. */
static inline void emit_late(struct sm_view *v, enum event_kind kind, u32 context, u32 generation, u32 pc, u64 address,
			     u32 a, u32 b)
{
	v->sm->events[kind]++;
	if (__builtin_expect(v->sim->bus.want >> kind & 1, 0))
		emit_record_late(v, kind, context, generation, pc, address, a, b);
}

#endif
