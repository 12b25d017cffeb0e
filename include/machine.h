/*
 * machine.h - everything that a cycle can change, in one flat block without pointers.
 *
 * A header (struct machine) with layout and configuration, then arrays whose sizes follow from the configuration:
 * the global ones, then one block per SM, then the L2 slices and DRAM channels. Indices stand for references, rings
 * for queues. A snapshot is one memcpy. Every struct is declared from a list of fields, and the same lists make the
 * tables (fields.c) by which bytes have names: sm[3].warp[5].pc.
 *
 * Index spaces: a *context* (warp N of an SM) owns registers; context c lives in sub-core c mod sm.subcores for life.
 * With warp.size below 32 contexts h x n .. h x n + n - 1 are the n slices of one warp of 32, home h, which come and go
 * together: slice k has the lanes from k x warp.size on, and sub-core k. A *slot* is a position of a scheduler:
 * [sub-core x slots per sub-core + n]. A context has one while its CTA is active, the lowest that was free in its
 * sub-core; as long as there is a slot for every context (sm.contexts) all CTAs are active and slots follow contexts.
 */
#ifndef WARPSTEP_MACHINE_H
#define WARPSTEP_MACHINE_H

#include "config.h"
#include "front.h"
#include "simt.h"

#define NONE16 0xffffu
#define NONE32 0xffffffffu
#define NEVER (~0ULL)
#define WHEEL_SIZE 1024 /* cycles ahead that a result can be due */
#define WHEEL_WORDS (WHEEL_SIZE / 64)
#define SLOT_WORDS 4	/* 256 slots of an SM */
#define CONTEXT_WORDS 4 /* 256 contexts of an SM */
#define MAX_SUBCORES 8
#define MAX_TRANSACTIONS 32 /* line accesses of one warp instruction: aligned elements never straddle a line */
#define DECODE_WIDTH 4
#define COPY_GROUPS 64	 /* groups of asynchronous copies of a warp that can be told apart, the open one among them */
#define GROUP_COPIES 255 /* copies of one group on their way */

enum stage {
#define STAGE(id, name, whose, run, doc) STAGE_##id,
#include "stages.def"
#undef STAGE
	STAGE_COUNT
};
enum warp_status {
#define STATUS(id, name, letter, doc) WARP_##id,
#include "status.def"
#undef STATUS
	WARP_STATUS_COUNT
};
enum slot_outcome {
#define OUTCOME(id, name, letter, doc) SLOT_##id,
#include "status.def"
#undef OUTCOME
	SLOT_OUTCOME_COUNT
};
enum event_kind {
#define EVENT(id, name, a, b, doc) EVENT_##id,
#include "events.def"
#undef EVENT
	EVENT_COUNT
};
/* Kinds of events as a set. */
__extension__ typedef unsigned __int128 event_set;
#define EVENT_BIT(kind) ((event_set)1 << (kind))
#define ALL_EVENTS (EVENT_BIT(EVENT_COUNT) - 1)
_Static_assert(EVENT_COUNT < 128, "kinds of events are members of a 128-bit set");
enum sm_counter {
#define COUNTER_SM(id) STAT_##id,
#define COUNTER_L2(id)
#define COUNTER_DRAM(id)
#define COUNTER(where, id, name, unit, doc) COUNTER_##where(id)
#define FORMULA(name, expr, unit, doc)
#include "stats.def"
#undef COUNTER_SM
#undef COUNTER_L2
	SM_STAT_COUNT
};
enum l2_counter {
#define COUNTER_SM(id)
#define COUNTER_L2(id) STAT_##id,
#include "stats.def"
#undef COUNTER_L2
#undef COUNTER_DRAM
	L2_STAT_COUNT
};
enum dram_counter {
#define COUNTER_L2(id)
#define COUNTER_DRAM(id) STAT_##id,
#include "stats.def"
#undef COUNTER_SM
#undef COUNTER_L2
#undef COUNTER_DRAM
#undef COUNTER
#undef FORMULA
	DRAM_STAT_COUNT
};

#define SCHEME_OWN 5 /* arrays that a scheme may keep */
/* What policies decide (policyslots.def), and which schemes do. */
enum policy_slot {
#define SLOT(id, name, kind, base, result, gets, doc) POLICY_##id,
#include "policyslots.def"
#undef SLOT
	POLICY_SLOTS
};
struct policy_choice {
	u64 in[POLICY_SLOTS]; /* slot of ONE: 1 + row of schemes.def, 0: as by default; of a SET: bit set of rows */
};

/* What schemes may be told (notices.def). */
enum notice_kind {
#define NOTICE(id, whose, doc) NOTICE_##id,
#include "notices.def"
#undef NOTICE
	NOTICE_COUNT
};

/* Sets of the slots of an SM. A valid slot is in exactly one of DONE .. READY or in GANG; the rest tell more of it. */
enum slot_set {
	SET_DONE,
	SET_BARRIER,
	SET_FENCE,
	SET_FETCH,
	SET_LONG,
	SET_SHORT,
	SET_READY,
	SET_CONTROL,   /* of READY: needs no collector unit */
	SET_LOADS,     /* of READY: needs an entry of the table of loads */
	SET_WANT,      /* its instruction buffer has room and a fetch may start */
	SET_HALTED,    /* its CTA is halted: it may not issue nor fetch */
	SET_PAUSED,    /* its CTA is paused: it issues only where no other can */
	SET_RESTORING, /* of HALTED: the context of its CTA is on its way back, and nothing else halts it */
	SET_GANG,      /* every path of its warp waits for lanes that wait, too */
	SET_COUNT
};

/*
 * Lists of fields. F(type, name, doc): a scalar; A(type, name, count, doc): an array. Natural alignment without
 * holes is asserted in machine.c.
 */
#define WARP_FIELDS(F, A) \
	F(u32, generation, \
	  "changes when the context is given out and when its CTA leaves before its end; answers carry it") \
	F(u16, cta, "its CTA among the residents of the SM, 65535: free") \
	F(u16, slot, "scheduler slot that it occupies, 65535: none (inactive)") \
	F(u16, index, "warp within its CTA, by 32 threads") \
	F(u16, launch, "launch that it runs") \
	F(u32, depth, "entries of its SIMT stack; 0: every lane has exited") \
	F(u32, inflight, "instructions issued and not complete") \
	F(u32, stores, "line writes issued and not yet acknowledged") \
	F(u32, iteration, "times that its loop has been taken (synthetic kernels)") \
	F(u32, issued, "instructions that it has issued") \
	F(u64, age, "order of admission in its SM; less is older") \
	F(u8, at_barrier, "0, or 1 + the barrier at which it waits") \
	F(u8, at_fence, "waits at a fence") \
	F(u16, pending, \
	  "while it has no slot: registers and predicates that results on their way will write, and 1 for all copies") \
	F(u32, barrier_pc, "index of the instruction in which it waits at a barrier") \
	F(u32, barrier_mask, "lanes that wait there") \
	F(u16, tenure, \
	  "times that it has given its slot back alive, mod 65536; a fetch that waits for a jump carries it") \
	F(u16, departed, "times that its CTA has left it before its end, mod 65536; line writes carry it") \
	F(u64, cursor, "place of its next record (traces)") \
	F(u64, released, \
	  "first cycle in which it may issue again, for the barrier at which it waits is complete; 0: it is not") \
	F(u32, waits, "lanes that wait in a warp-synchronous instruction for lanes that are elsewhere") \
	F(u16, spins, "jumps back over reads, taken by the lanes that run while others could have their turn") \
	F(u8, joins, "1: in the next such turn lanes that wait at a join come before paths") \
	F(u8, stuck, "1: all its paths wait in warp-synchronous instructions") \
	F(u32, copies, "asynchronous copies to shared memory that are on their way") \
	F(u32, copy_group, "place of its open group of copies, which the next commit closes") \
	A(u8, grouped, COPY_GROUPS, "of the copies, those of each group; a new group takes the next place")

#define SLOT_FIELDS(F, A) \
	F(u16, context, "context that it holds, 65535: empty") \
	F(u8, buffered, "instructions in its instruction buffer") \
	F(u8, fetching, "instructions asked of the L1I and not yet decoded") \
	F(u32, pc, "index of the first buffered instruction") \
	F(u32, fetch_pc, "index of the next instruction to fetch") \
	F(u8, discard, "1: what is being fetched is to be thrown away (a jump came in between)") \
	F(u8, set, "the set among done .. ready that it is in") \
	F(u8, told, \
	  "1: the store before the instruction that comes next, by which it tells that its CTA can no longer be begun again, has been issued (chimera.notice)") \
	A(u8, spare, 1, "0") \
	F(u64, since, "cycle of its last issue, less one") \
	A(u64, pending_long, HAZARD_WORDS, "registers and predicates that a global or local access will write") \
	A(u64, pending_short, HAZARD_WORDS, "registers and predicates that another instruction will write")

#define SCHED_FIELDS(F, A) \
	F(u16, last, "slot of its last issue, 65535: none") \
	F(u16, chosen, "slot that issued in this cycle, 65535: none") \
	F(u8, outcome, "outcome of its slot in the last cycle that the SM was visited") \
	A(u8, spare, 3, "0") \
	F(u64, issued, "instructions that it has issued")

#define SUB_FIELDS(F, A) \
	F(u32, free_collectors, "bit set of free collector units") \
	F(u32, ready_collectors, "bit set of collector units with all operands read") \
	F(u32, busy_banks, "bit set of banks with a read queued") \
	F(u32, registers_free, "registers not allocated") \
	F(u8, blocked_for, "why READY slots were not accepted: a warp status (lsu, unit, collector)") \
	F(u8, ndecode, "entries of the decode latch") \
	F(u16, swapped, "resident contexts without a slot that have not ended") \
	F(u32, lsu_collectors, "bit set of collector units whose instruction is for the LSU") \
	F(u32, latched, \
	  "collector units whose instruction goes to its execution unit next (collector.order first), a bit each") \
	A(u16, decode_slot, DECODE_WIDTH, "slots of the decode latch") \
	A(u16, decode_count, DECODE_WIDTH, "instructions of each") \
	F(u16, fetch_last, "slot that was fetched for last, 65535: none") \
	F(u16, spare2, "0") \
	F(u64, issued, "instructions that it has issued")

#define COLLECTOR_FIELDS(F, A) \
	F(u32, generation, "of the context") \
	F(u16, context, "context whose instruction it holds, 65535: free") \
	F(u16, memory_op, "memory operation of its instruction, 65535: none") \
	F(u32, pc, "index of its instruction") \
	F(u32, age, "order of issue in its sub-core") \
	F(u8, need, "operands not yet read") \
	F(u8, operands, "operand reads that it asked for") \
	F(u16, read, "bit set of operands read") \
	F(u16, class, "class of its instruction") \
	F(u16, spare, "0") \
	F(u64, issued_at, "cycle of its issue, less one")

#define BANK_FIELDS(F, A) \
	F(u16, head, "first entry of its queue") \
	F(u16, count, "reads queued") \
	F(u16, granted_context, "context served in the last visited cycle, 65535: none") \
	F(u16, granted_register, "register served") \
	F(u64, conflicts, "cycles in which a read was left waiting") \
	F(u64, written_until, "bank arbitration (cycle x collector.passes) up to which writes hold its port")

#define BANKQ_FIELDS(F, A) \
	F(u8, collector, "collector unit that asks") \
	F(u8, operand, "operand number in its instruction") \
	F(u16, reg, "physical register asked for")

#define REUSE_FIELDS(F, A) \
	F(u16, owner, "context whose register it keeps, and 1 more; 0: none") \
	F(u16, reg, "physical register") \
	F(u32, generation, "of the context")

#define UNIT_FIELDS(F, A) \
	F(u64, free_at, "cycle at which it takes a new instruction") \
	F(u64, issued, "instructions that it has taken")

#define RESULT_FIELDS(F, A) \
	F(u16, next, "next entry due in the same cycle, or free entry") \
	F(u16, kind, "0 a result, 1 a line of a load arrived, 2 a fetch may start") \
	F(u16, context, "context") \
	F(u16, load, \
	  "load entry (kind 1); kind 2: the tenure of its context's slot; kind 0 with warp.size below 32: the slices of its warp whose instruction is done, a bit set") \
	F(u32, generation, "of the context") \
	F(u32, pc, "index of the instruction")

enum load_kind { LOAD_LINES, LOAD_QUICK, LOAD_DATED, LOAD_ANSWERED };
#define LOAD_FIELDS(F, A) \
	F(u16, next, "next free entry") \
	F(u16, context, "context, 65535: free") \
	F(u32, generation, "of the context") \
	F(u32, pc, "index of the instruction") \
	F(u16, waiting, "lines not yet arrived") \
	F(u16, quick, \
	  "1: a constant, its registers wait as those of a short instruction; 2: a step with a date of its own; 3: it has been answered, but not all of its mates") \
	F(u64, issued_at, "cycle of its issue, less one") \
	F(u16, mate, "the next slice of a memory operation that several share, and 1 more; 0: none") \
	F(u16, leads, "of those, the first, and 1 more; 0: nobody shares it") \
	F(u16, group, \
	  "asynchronous copies: the place of its group among those of its warp, and 1 more; 0: it is none") \
	F(u16, spare, "0")

#define MEMOP_FIELDS(F, A) \
	F(u16, next, "next free entry") \
	F(u16, context, "context") \
	F(u32, generation, "of the context") \
	F(u32, pc, "index of the instruction") \
	F(u32, mask, "lanes") \
	F(u16, load, "load entry, 65535: none") \
	F(u8, done, "line accesses made") \
	F(u8, count, "line accesses in all (shared memory: cycles that the banks take)") \
	F(u16, class, "instruction class") \
	F(u16, banks, "cycles that the banks take for lanes of a generic access that are not in global memory") \
	A(u64, line, MAX_TRANSACTIONS, "line accesses: line number x 16 + sector mask") \
	F(u16, mates, "several slices share it: load entry of the first, and 1 more; 0: it is one context's") \
	F(u16, tried, "constants that slices share: cycle mod 65535 of the last try to ask for them, and 1 more") \
	F(u16, past, "1: a load of global memory that goes past the L1D") \
	F(u16, notice, "1: a write to its SM's own address goes before its line accesses (chimera.notice)") \
	A(u8, collector, MAX_SUBCORES, \
	  "with warp.size below 32, by sub-core: collector unit that is to hand it in, and 1 more; 0: none, or constants of one slice") \
	A(u8, share, MAX_TRANSACTIONS, "of each line access, the slices that want it; a bit set") \
	A(u8, meets, MAX_TRANSACTIONS, \
	  "of each line access of an atomic, the most lanes that meet at one address, but the first; and 128 if they add floating-point numbers (l2.atomic_lanes)")

#define CTA_FIELDS(F, A) \
	F(u32, id, "linear CTA of the grid") \
	F(u16, launch, "launch, 65535: free") \
	F(u16, warps, "warps of the CTA") \
	F(u16, done, "warps that have exited") \
	F(u16, arrived, "warps that wait at its barriers") \
	F(u32, inflight, "instructions and writes in flight of its warps") \
	F(u32, shared, "bytes of shared memory allocated") \
	F(u32, registers, "registers allocated") \
	F(u64, started, "cycle of its dispatch, less one") \
	A(u32, ctaid, 3, "x, y, z in the grid") \
	F(u32, barriers, "bit set of barriers at which warps have arrived") \
	A(u16, bar_arrived, MAX_BARRIERS, "arrivals of warps at each barrier") \
	A(u16, bar_needed, MAX_BARRIERS, "arrivals that it waits for, 0: all warps that have not ended") \
	A(u16, bar_threads, MAX_BARRIERS, "threads that took part in its bar.red") \
	A(u16, bar_votes, MAX_BARRIERS, "of them, those whose predicate was true") \
	A(u64, contexts, CONTEXT_WORDS, "bit set of its contexts") \
	F(u32, tripped, \
	  "1 + the instruction that ended its right to be begun again (looked for if preempt.ctas is not 0); 0: none") \
	F(u8, leaving, "how it is to leave when the next cycle begins: 1 flushed, 2 saved, 3 killed; 0: it stays") \
	F(u8, kept, "1: it has been active and is not: its context is kept in shared memory") \
	F(u16, pending, "while it is inactive: registers and predicates that results on their way will write") \
	F(u32, earlier, \
	  "cycles that it has run beside those since its dispatch: in SMs that it has left, less those in which its " \
	  "context moved, but line by line (mod 2^32, with a sign)") \
	F(u32, row, "row of the ledger that tells how it makes room, 0: it does not") \
	F(u32, save, "cycles of the port of shared memory until its context is saved") \
	F(u32, restore, "the same until it is restored") \
	F(u64, ready, "while it is inactive and ready for slots: its turn, less is earlier") \
	F(u64, moved, "cycle in which it last became active or inactive, less one; 0: never") \
	F(u64, moves_at, \
	  "cycle in which its context has left the SM, or is there again (chimera.switch), all ones: not known yet; 0: it stands")

/* The way of its context through the L2 (chimera.switch memory). */
#define CTA_MOVE_FIELDS(F, A) \
	F(u64, from, "cycle in which it began to come back") \
	F(u64, row, "row of the ledger that tells how it made room, 0: none") \
	F(u32, unsent, "lines that are still to be sent, or asked for") \
	F(u32, unanswered, "of those that have been, the ones that have not been answered") \
	F(u32, turn, "contexts that have begun to move from or to this place, mod 65536; their lines carry it") \
	F(u32, spare, "0")

/* A CTA that has left its SM before its end and waits for another; what a saved one had is in the sections beside it.
 */
#define PARKED_FIELDS(F, A) \
	F(u16, next, "next one of its launch, as its place + 1; 0: none") \
	F(u16, launch, "launch, 65535: the place is free") \
	F(u32, id, "linear CTA of the grid") \
	F(u64, since, "cycle in which it left") \
	F(u32, sm, "SM that it left") \
	F(u16, saved, "1: it goes on where it was; 0: it begins anew") \
	F(u16, leaving, "1: it is to be killed when the next cycle begins") \
	F(u64, row, "row of the ledger that tells how it left")

/* Rows of the ledger, and of the requests before them: the newest so many are kept, row N at N mod so many. */
#define LEDGER_ROWS 256
/* How a CTA makes room: what was asked of it first or, later, instead. */
enum ledger_way { WAY_NONE, WAY_DRAIN, WAY_FLUSH, WAY_SWITCH, WAY_KILL };
/* What has become of it: it is still there; it is out of its SM and waits for another; it has come to one; it ran to
 * its end; it was killed, there or while it waited; it may stay after all. */
enum ledger_state { LEDGER_ASKED, LEDGER_OUT, LEDGER_BACK, LEDGER_ENDED, LEDGER_KILLED, LEDGER_STAYS };
/* A CTA that was to make room, or was made to leave by hand. */
#define LEDGER_FIELDS(F, A) \
	F(u64, number, "which row it is, from 1; 0: none yet") \
	F(u64, asked, "cycle in which it was asked to make room") \
	F(u64, out, "cycle in which it was gone from its SM, 0: it is not") \
	F(u64, back, "cycle in which it came to an SM again, 0: it has not") \
	F(u64, bytes, "bytes of its context that were moved, out and back") \
	F(u64, lost, "warp instructions of it that are lost: it is to begin again, or was killed") \
	F(u64, halted, "cycles for which its warps stood still while its context moved") \
	F(u64, stands, "cycle in which they began to, while it is on its way out; 0: it is not") \
	A(u64, latency, 3, \
	  "cycles that drain, flush and switch were priced at when it was asked, all ones: not known, or not to be had") \
	A(u64, overhead, 3, "warp instructions that these were priced at, likewise") \
	F(u64, request, "request that it answers, 0: none, it was made to leave by hand or with its launch") \
	F(u32, cta, "linear CTA of the grid") \
	F(u16, sm, "SM that it was to leave") \
	F(u16, launch, "launch") \
	F(u16, back_sm, "SM to which it came again") \
	F(u8, way, "how: 1 drain, 2 flush, 3 switch, 4 kill") \
	F(u8, state, "0 still there, 1 out and waiting, 2 back, 3 run to its end, 4 killed, 5 stays after all") \
	F(u32, late, "1: it was gone later than chimera.bound after it was asked")

enum need_state { NEED_OPEN, NEED_REACHED, NEED_WITHDRAWN };
/* A request: from the first cycle in which an SM holds more CTAs of a launch, beside those that go in any case, than
 * its partition wants, until it holds no more than it wanted then; however often it is asked meanwhile. */
#define NEED_FIELDS(F, A) \
	F(u64, number, "which request it is, from 1; 0: none yet") \
	F(u64, asked, "cycle in which it began") \
	F(u64, reached, "cycle in which it was over, 0: it is not") \
	F(u32, ctas, "CTAs that were too many then") \
	F(u32, wanted, "CTAs that were wanted then") \
	F(u16, sm, "SM") \
	F(u16, launch, "launch whose CTAs are to go") \
	F(u16, gainer, "launch that the room is for, and 1 more; 0: none is known") \
	F(u8, state, "0 it goes on, 1 reached, 2 withdrawn: the partition wants them again") \
	F(u8, late, "1: reached later than chimera.bound after it began")

/* Where a resident's registers lie in its sub-core's register file, or its bytes in shared memory (territory.c). */
#define STRETCH_FIELDS(F, A) \
	F(u32, first, "first register of its sub-core, or first byte") \
	F(u32, count, "registers or bytes, 0: none")
#define MAP_WORD_FIELDS(F, A) \
	F(u64, taken, "bit set of allocation units that are taken, 64 of a sub-core's registers or of shared memory")

/* What follows from slots, loads and issues; never part of the hash. Of a slot: what loads will write that the L1D has
 * not answered at once. Of a context: its last issue. Of a resident: its slots. Of an SM: what its CTAs hold. */
#define MISSED_FIELDS(F, A) \
	A(u64, registers, HAZARD_WORDS, \
	  "of pending_long, registers and predicates of loads that missed or were refused, and of atomics")
#define ISSUED_FIELDS(F, A) \
	F(u32, pc, "index of the instruction that the context issued last") \
	F(u32, mask, "lanes with which it did, of a slice those of its gang, too")
#define CTA_SLOTS_FIELDS(F, A) A(u64, slots, SLOT_WORDS, "bit set of the slots of its warps")
#define STOCK_FIELDS(F, A) \
	F(u32, registers, "registers allocated") \
	F(u32, spare, "0")

#define TAG_FIELDS(F, A) \
	F(u64, line, "line number + 1; 0: empty") \
	F(u32, used, "order of last use") \
	F(u8, valid, "sectors present") \
	F(u8, dirty, "sectors to write back (L2)") \
	F(u8, reserved, \
	  "misses that wait for it, one or with l1d.sectors one for each: nothing may take its place (L1D)") \
	F(u8, ahead, "1: it was asked for ahead (l1i.prefetch) and no fetch has wanted it yet (L1I)")

/* Places of the L1D in order, each as its number + 1, 0: none. */
#define CHAIN_FIELDS(F, A) \
	F(u16, first, "first place of the lines that hash to this number") \
	F(u16, next, "next place in this place's chain") \
	F(u16, older, "the place of its set used last before this one") \
	F(u16, newer, "the place of its set used first after this one") \
	F(u16, oldest, "in the first place of a set: the place used longest ago") \
	F(u16, newest, "in the first place of a set: the place used last")

#define MSHR_FIELDS(F, A) \
	F(u64, line, "line number + 1; 0: free") \
	F(u16, first, "first waiting request, 65535: none") \
	F(u16, last, "last waiting request") \
	F(u16, count, "waiting requests") \
	F(u8, asked, "sectors asked of the next level") \
	F(u8, arrived, "of them, arrived") \
	F(u16, head, "first MSHR + 1 of the lines that hash to this one's number, 0: none (L1D, L2)") \
	F(u16, next, "next MSHR + 1 in its chain, or of the free ones") \
	F(u8, placeless, "1: it keeps no place for its sector (L1D, l1d.sectors)") \
	A(u8, spare, 3, "0")

#define WAITER_FIELDS(F, A) \
	F(u16, next, "next waiting or free entry") \
	F(u16, load, "load entry of the SM (L1D); unused (L2)") \
	F(u8, sectors, "sectors that it waits for") \
	F(u8, mates, "slices that want it, if several share the load; 0: it is one's") \
	A(u8, spare, 2, "0")

#define IMISS_FIELDS(F, A) \
	F(u64, line, "line number + 1; 0: free") \
	A(u64, slots, CONTEXT_WORDS, "contexts that wait for it") \
	F(u32, ahead, "1: it was asked for ahead (l1i.prefetch) and no fetch has wanted it yet; 2: one has since") \
	F(u32, spare, "0")

#define PACKET_FIELDS(F, A) \
	F(u64, line, "line number x 16 + sector mask") \
	F(u64, ready, "cycle from which the consumer may take it") \
	F(u64, born, "cycle at which it left the SM") \
	F(u8, sm, "SM that asks") \
	F(u8, meets, "atomics: memop.meets of their line") \
	F(u16, tag, \
	  "MSHR (reads), context (writes), load entry (atomics, loads past the L1D, writes that slices share), place of the CTA (contexts)") \
	F(u8, kind, \
	  "0 read, 1 write, 2 atomic, 3 instruction fetch, 4 reduction, 5 constants, 6 a line of a context that leaves, 7 of one that comes back, 8 a load past the L1D") \
	F(u8, mates, "slices that want it answered (writes and atomics that they share); 0: it is one context's") \
	F(u16, departed, "warp.departed of its context as the write was issued (writes), turn of the place (contexts)")

/* The ports of an SM: its end of the crossbar. Side by side for all SMs, because the memory stage visits them all. */
#define PORT_FIELDS(F, A) \
	F(u32, out_head, "requests: first packet") \
	F(u32, out_count, "requests waiting for the crossbar") \
	F(u32, in_head, "answers: first packet") \
	F(u32, in_count, "answers on their way or waiting for the SM") \
	F(u32, misses, "requests of the L1D among those that wait") \
	F(u32, turn, "slice whose answer it takes first (icnt.arbiter slip)") \
	F(u64, out_free, "interconnect clock at which the request port is free") \
	F(u64, in_free, "interconnect clock at which the answer port is free")

#define SM_FIELDS(F, A) \
	A(u64, set, (SET_COUNT * SLOT_WORDS), \
	  "sets of slots as they are now; as many words each as the SM's slots need") \
	A(u64, seen, (WARP_STATUS_COUNT * SLOT_WORDS), \
	  "slots in each status in the last cycle, as the issue stage saw them") \
	A(u64, stat, SM_STAT_COUNT, "counters, in the order of stats.def") \
	A(u64, statuses, WARP_STATUS_COUNT, "contexts in each status, summed over cycles") \
	A(u64, outcomes, SLOT_OUTCOME_COUNT, "scheduler slots of each outcome") \
	A(u64, events, EVENT_COUNT, "events of each kind") \
	A(u64, free_contexts, CONTEXT_WORDS, "bit set of contexts to give out") \
	A(u64, due, WHEEL_WORDS, "bit set of cycles (mod 1024) in which a result is due") \
	A(u16, wheel, WHEEL_SIZE, "first result due in each of the next cycles, 65535: none") \
	F(u64, age, "contexts given out so far") \
	F(u64, shared_busy, "cycle at which the LSU takes its next instruction") \
	F(u64, free_ctas, "bit set of places for a resident CTA that are free") \
	F(u64, inactive, "bit set of resident CTAs that are inactive: their contexts have no slots") \
	F(u64, ganged_at, "last cycle in which a gang of the table issued, 0: none") \
	F(u32, gang_home, "home whose gang was fetched for last (table of gangs)") \
	F(u32, gang_spare, "0") \
	F(u32, warps, "resident contexts") \
	F(u32, ctas, "resident CTAs") \
	F(u32, threads, "threads of active CTAs, whole warps") \
	F(u32, shared_free, "bytes of shared memory not allocated") \
	F(u32, assigned, "warps assigned to sub-cores so far (W of the assignment policies)") \
	F(u32, issue_order, "collector units taken so far: their ages") \
	F(u16, result_free, "first free result entry, 65535: none") \
	F(u16, load_free, "first free load entry, 65535: none") \
	F(u16, memop_free, "first free memory operation, 65535: none") \
	F(u16, waiter_free, "first free L1D waiter, 65535: none") \
	F(u16, const_waiter_free, "first free waiter of the constant cache, 65535: none") \
	F(u16, mshr_free, "first free L1D MSHR + 1, 0: none") \
	F(u16, swapped, "resident contexts without a slot that have not ended") \
	F(u16, ended, "resident contexts without a slot that have ended") \
	F(u16, lsu_head, "first instruction of the LSU queue") \
	F(u16, lsu_count, "instructions in the LSU queue") \
	F(u16, lsu_turn, "sub-core that hands over to the LSU first") \
	F(u16, fetch_turn, "sub-core that looks up the L1I first") \
	F(u32, l1d_clock, "order of uses of L1D lines") \
	F(u32, l1i_clock, "order of uses of L1I lines") \
	F(u32, const_clock, "order of uses of lines of the constant cache") \
	F(u32, l1d_ways, "ways of the L1D now, 0 before the first CTA (l1d.unified)") \
	F(u32, nwrites, "global writes of this cycle, applied at seal") \
	F(u32, collectors_busy, "collector units in use") \
	F(u32, mshrs_used, "L1D MSHRs in use") \
	F(u32, imiss_used, "L1I MSHRs in use") \
	F(u32, decoding, "entries in the decode latches") \
	F(u32, finishing, "CTAs whose warps have all exited and that are not yet retired") \
	F(u32, lsu_taken, \
	  "1 + the sub-core that the LSU took an instruction from in this cycle; 0: none; with warp.size below 32 not 0 but while it is asked, last of all") \
	F(u32, granted, "1: some bank granted a read in the last visited cycle") \
	F(u32, results_used, "result entries in use") \
	F(u32, reexec_count, "memory operations in the re-execution queue") \
	F(u32, reexec_at, "where in it the next try is made") \
	F(u32, dated, "entries of the table of loads with a date of their own") \
	F(u64, barrier_free, "cycle from which the barrier unit takes an arrival (barrier.interval)") \
	F(u64, release_at, "first cycle in which warps leave a barrier that is complete, 0: none waits in one") \
	A(u64, released, CONTEXT_WORDS, "bit set of contexts that wait in one") \
	F(u64, alarm, "1 + the cycle in which it is to be visited whatever else, 0: none") \
	F(u64, halted, "bit set of resident CTAs whose warps may not issue nor fetch") \
	F(u64, port_at, "cycle from which contexts of CTAs may leave the SM or come to it (chimera.switch)") \
	F(u64, paused, "bit set of resident CTAs whose warps issue only where no other can") \
	F(u64, ready, "bit set of inactive CTAs that may have slots: nothing is pending, and their context is saved") \
	F(u64, readies, "times that one became ready") \
	F(u64, saving, "bit set of inactive CTAs whose context is being saved") \
	F(u64, restoring, "bit set of active CTAs whose context is being restored") \
	F(u32, reexec_inactive, "memory operations in the re-execution queue of inactive CTAs") \
	F(u32, reexec_inactive_at, "where in it the next try is made") \
	F(u32, region, "bytes at the high end of shared memory for the contexts of inactive CTAs") \
	F(u32, needs, "requests that go on") \
	F(u64, draining, "bit set of resident CTAs that are to end and make room: they go before all others") \
	F(u64, moving, \
	  "bit set of resident CTAs whose contexts have lines to send or to ask for (chimera.switch memory)")

/* Bookkeeping of SMs that are not visited; never part of the hash. */
#define SLEEP_FIELDS(F, A) \
	F(u64, until, "cycle in which the SM is to be visited again") \
	F(u64, counted, "cycles whose statuses and outcomes are in the counters") \
	F(u64, summed, "of them, those for which what residents and misses hold is in the counters") \
	F(u64, active, "1: something happened in the last visit") \
	F(u64, refused, "line access that the L1D refused last and refuses until something changes in it, 0: none") \
	F(u32, refusal, "why") \
	F(u32, marked, "load of which it was noted last that it waits for more than the L1D, plus one, 0: none") \
	A(u64, missed, SLOT_WORDS, "bit set of slots with a register that such a load is to write")

#define VISITS_FIELDS(F, A) \
	A(u64, due, 128, "by slice: no request of its queues can be looked up before that cycle") \
	A(u64, answers, 2, "bit set of slices that have answers")

#define SLICE_FIELDS(F, A) \
	A(u64, stat, L2_STAT_COUNT, "counters, in the order of stats.def") \
	F(u32, in_head, "requests: first packet") \
	F(u32, in_count, "requests on their way or waiting") \
	F(u32, out_head, "answers: first packet") \
	F(u32, out_count, "answers waiting for the crossbar") \
	F(u64, in_free, "interconnect clock at which the request port is free") \
	F(u64, out_free, "interconnect clock at which the answer port is free") \
	F(u64, free_at, "L2 clock at which it looks up its next request") \
	F(u16, waiter_free, "first free waiter, 65535: none") \
	F(u16, mshrs_used, "MSHRs in use") \
	F(u32, clock, "order of uses of its lines") \
	F(u32, stuck, "1: its head request waits for the DRAM queue, and nothing of the slice has changed since") \
	F(u32, far_head, "requests of the other half's slice: first packet (l2.halves)") \
	F(u32, far_count, "of these, on their way or waiting") \
	F(u16, mshr_free, "first free MSHR + 1, 0: none") \
	F(u16, turn, "SM whose request it takes first (icnt.arbiter slip)")

/* A DRAM channel. Reads are direction 0, writes direction 1. */
#define CHANNEL_FIELDS(F, A) \
	A(u64, stat, DRAM_STAT_COUNT, "counters, in the order of stats.def") \
	A(u64, pending, 2, "bit sets of banks with reads and with writes waiting") \
	A(u32, waiting, 2, "reads and writes waiting") \
	F(u32, done_head, "first read in service") \
	F(u32, done_count, "reads in service") \
	F(u16, queue_free, "first free place of the queue, 65535: none") \
	F(u16, window, "which of window_at binds the next activation") \
	F(u32, writing, "1: its turn is to write") \
	F(u64, order, "requests that have come so far") \
	F(u64, since, "DRAM clock at which its turn to read or write began") \
	F(u64, next, "DRAM clock before which no command can issue") \
	F(u64, act_at, "DRAM clock from which it may activate a row (RRD)") \
	A(u64, window_at, 4, "the same because of the last four activations, in a ring (FAW)") \
	F(u64, refresh_due, "DRAM clock from which a refresh is due (REFI)") \
	F(u64, refresh_at, "DRAM clock of the refresh that is being prepared, 0: none") \
	F(u64, col_at, "DRAM clock from which it may issue a column command (CCD)") \
	A(u64, turn_at, 2, "the same for reads (after writes) and for writes (after reads)")

/* A bank: its open row, the clocks from which it takes commands, and what waits for it, by direction. */
#define DBANK_FIELDS(F, A) \
	F(u64, row, "open row + 1; 0: closed") \
	F(u64, act_at, "DRAM clock from which it may be activated (RP, RC)") \
	F(u64, pre_at, "DRAM clock from which it may be precharged (RAS, WR, RTP)") \
	F(u64, col_at, "DRAM clock from which it may read or write (RCD)") \
	A(u16, first, 2, "oldest request, 65535: none") \
	A(u16, last, 2, "youngest request") \
	A(u16, pick, 2, "request to serve next: the oldest of its row, else the oldest") \
	A(u16, spare, 2, "0") \
	F(u64, requests, "requests served") \
	F(u64, row_hits, "of them, without activating a row") \
	F(u64, activates, "rows activated") \
	F(u64, precharges, "rows closed")

#define DGROUP_FIELDS(F, A) F(u64, col_at, "DRAM clock from which it takes a column command (CCDL)")

#define RING_SLOT_FIELDS(F, A) \
	F(u16, memop, "memory operation") \
	F(u16, spare, "0")

/* simt.h and front.h declare these two; their lists are here so that every byte has a name. */
#define SIMT_FIELDS(F, A) \
	F(u32, pc, "next instruction of these lanes") \
	F(u32, reconverge, "index at which they join the entry below") \
	F(u32, mask, "lanes")
#define WRITE_FIELDS(F, A) \
	F(u64, address, "address") \
	A(u64, data, 2, "bytes of a store; operand and compare value of an atomic") \
	F(u32, context, "context whose register takes the old value") \
	F(u16, dst, "that register, 65535: none") \
	F(u8, bytes, "bytes written") \
	F(u8, lane, "lane") \
	F(u8, atom, "0 a store, else 1 + atomic operation") \
	F(u8, type, "value type of an atomic; lanes that a store speaks for") \
	A(u8, pad, 2, "0") \
	F(u32, pc, "index of its instruction")

/* Slices of one warp that issue together. A home has GANG_ENTRIES of them, which is as many gangs of two slices or more
 * as it can have. */
#define GANG_ENTRIES 4
#define GANG_FIELDS(F, A) \
	F(u64, last, "cycle of its last issue, 0: none yet") \
	F(u8, mask, "its slices, a bit set; 0: the entry is free") \
	A(u8, spare, 7, "0")

/* The same by slots, so that all gangs are looked at at once, and by positions: the slices of a home have slots at one
 * position, each in its sub-core. Follows from the table and the residents, never part of the hash. */
#define POSITION_WORDS 2 /* positions of a sub-core, at most 128: warp.size 16 */
#define SIZE_BITS 3	 /* of a gang's size less one */
#define GANG_POSITIONS (GANG_ENTRIES * POSITION_WORDS)
#define GANG_MAP_FIELDS(F, A) \
	A(u64, slots, (GANG_ENTRIES * SLOT_WORDS), \
	  "by entry of their homes, bit sets of the slots of slices that are in gangs") \
	A(u64, at, GANG_POSITIONS, "by entry of their homes, bit sets of the positions of gangs") \
	A(u64, size, (SIZE_BITS * GANG_POSITIONS), \
	  "by bit of their sizes less one and by entry of their homes, bit sets of the positions of gangs") \
	A(u64, greedy, GANG_POSITIONS, "by entry of their homes, positions of gangs whose last issue is greedy_at") \
	F(u64, greedy_at, "last cycle in which a gang issued as the sets of the greedy know it, 0: none") \
	A(u64, older, (64 * POSITION_WORDS * POSITION_WORDS), \
	  "by position of a warp, bit set of the positions of those that are older")

/* A request at a DRAM channel. */
#define DREQ_FIELDS(F, A) \
	F(u16, next, "next request of its bank, or free place") \
	F(u16, slice, "slice that asks") \
	F(u16, mshr, "its MSHR, 65535: a write") \
	F(u16, columns, "column commands that it still needs") \
	F(u64, line, "line number x 16 + sector mask") \
	F(u64, row, "row + 1") \
	F(u64, clock, "DRAM clock of its arrival; in service: at which its data are there") \
	F(u64, order, "order of arrival") \
	F(u16, bank, "bank") \
	F(u8, opened, "1: a row was activated for it") \
	F(u8, starved, "1: it was put first for having waited too long") \
	A(u8, spare, 4, "0")

enum launch_state { LAUNCH_WAITING, LAUNCH_RUNNING, LAUNCH_DONE };

#define LAUNCH_FIELDS(F, A) \
	F(u32, state, "0 waiting, 1 running, 2 done") \
	F(u32, next_cta, "next CTA to dispatch") \
	F(u32, finished, "CTAs retired in this iteration") \
	F(u32, iteration, "iterations of its host loop, or instances of `every`, completed") \
	F(u64, ready_at, "cycle from which CTAs may be dispatched") \
	F(u64, started_at, "cycle of its first CTA, less one; all ones: none yet") \
	F(u64, first_issue, "cycle of its first issue, less one; all ones: none yet") \
	F(u64, last_retire, "cycle in which its last CTA retired") \
	F(u64, issued, "warp instructions issued") \
	F(u64, threads, "thread instructions issued") \
	F(u32, parked, "its CTAs that wait outside the SMs; they are dispatched before new ones") \
	F(u16, first_parked, "of them, that which has waited longest, as its place + 1") \
	F(u16, last_parked, "and that which came last") \
	F(u64, dates, "of its instance, dates that are over: 1 that of its SMs, 2 its deadline, which it has missed") \
	F(u64, requests, "instances that asked for SMs by a deadline, this one included") \
	F(u64, missed, "of them, those that missed it") \
	F(u64, late, \
	  "SMs that were not free for it when they should have been, of those that its instances asked for") \
	F(u64, voided, \
	  "warp instructions of others on SMs that an instance asked for and that it was to have, but missed") \
	F(u64, unstarted, "CTAs that were killed with others of their launch, and had not come") \
	F(u64, through, \
	  "cycles that were over when it had ended first, or its stream had issued multi.insts; 0: not yet, or neither is asked for") \
	F(u64, first_issued, \
	  "warp instructions that it had issued then, less those of CTAs that had left before their end") \
	F(u64, first_threads, "thread instructions that it had issued then")

/* A request's hold on an SM (deadline.c); never part of the hash. */
#define CLAIM_FIELDS(F, A) \
	F(u64, launch, "launch with a deadline that is to have the SM, and 1 more; 0: none") \
	F(u64, issued, "warp instructions of others that the SM had issued at the date of its request")

/* What policies allow an SM at present, as they last said; never part of the hash. */
#define MAX_RESIDENTS 64 /* CTAs of an SM */
#define BOUNDS_FIELDS(F, A) \
	F(u32, limit, "CTAs that it takes, and 1 more; 0: no policy says") \
	F(u8, closed, "1: it takes no CTAs") \
	F(u8, off, "1: it is closed and has none: switched off") \
	F(u16, spare, "0") \
	A(u64, paused_at, MAX_RESIDENTS, "by place of a CTA: first cycle that saw it paused, 0: it is not")

/* Which launches are to be looked at: derived from their states, so that those which wait behind others cost nothing.
 */
#define AGENDA_FIELDS(F, A) \
	F(u64, next, \
	  "cycle in which the next launch whose turn has come may begin, all ones: none waits; 0: not known") \
	F(u32, active, "launches whose turn has come and that are not done") \
	F(u32, running, "of them, those that run") \
	F(u32, others, "launches that are not periodic") \
	F(u32, others_left, "of them, those not done") \
	F(u64, counted, "cycles for which the limits on CTAs are in the counters") \
	F(u64, look, "cycle in which it is next looked at how much streams have issued (multi.insts)")

#define TURN_FIELDS(F, A) \
	F(u16, active, "launches whose turn has come, in order of launch") \
	F(u16, running, "launches that run, in order of priority, then of launch") \
	F(u16, seat, \
	  "by launch: its place in the counters of an SM; launches of one stream have the same, one after the other") \
	F(u16, spare, "0")

/* What a launch has come to in an SM, as long as its seat is its own; and in all SMs, whose sums are brought up to date
 * with the other counters. CTAs of all its iterations count. */
#define KERNEL_FIELDS(F, A) \
	KERNEL_COUNTS(F, F, F) \
	A(u64, slots, SLOT_WORDS, "bit set of the slots of its warps (in an SM)") \
	F(u64, need, "request that goes on for it to have fewer CTAs (in an SM), 0: none") \
	F(u64, held_since, "cycle in which the first of the CTAs that are here came (in an SM), while there are some") \
	F(u64, share, "CTAs that the partition lets it have (in an SM), and 1 more; 0: nobody has said")
/* In all SMs: the SUM of the counts, the FIRST of dates other than 0, the MOST. */
#define KERNEL_COUNTS(SUM, FIRST, MOST) \
	SUM(u64, issued, "warp instructions issued") \
	SUM(u64, threads, "thread instructions issued") \
	FIRST(u64, first_issue, "cycle of its first issue, 0: none yet") \
	SUM(u64, ready, "scheduler slots in which some warp of it was ready, whether it issued or not") \
	SUM(u64, wasted, "of `issued`, instructions of CTAs that left before their end") \
	SUM(u64, ended_issued, "of `issued`, instructions of CTAs that ended") \
	SUM(u64, ended_cycles, "cycles that these were resident, summed") \
	MOST(u64, ended_most, "instructions of the one of these that issued most") \
	SUM(u64, held, "cycles in which it had CTAs here, without those since held_since") \
	SUM(u32, started, "CTAs that came") \
	SUM(u32, ended, "CTAs that ran to their end") \
	SUM(u32, resident, "CTAs that are here") \
	SUM(u32, left, "CTAs that left before their end")

/* What follows from the CTAs that are there or have come; never part of the hash. */
#define RESIDENCY_FIELDS(F, A) \
	F(u32, ctas, "its CTAs that are resident") \
	F(u16, fit, "CTAs of it that fit an SM at a time, by all limits") \
	F(u16, capacity, "the same by those on residents alone: registers, shared memory, sm.contexts, sm.residents") \
	F(u32, marked, "its instructions that end a CTA's right to be begun again (counted if preempt.ctas is not 0)") \
	F(u32, spare, "0") \
	A(u64, sms, 4, "SMs that one of its CTAs has come to in this iteration")

#define GPU_FIELDS(F, A) \
	F(u64, cycle, "completed SM-clock cycles") \
	F(u32, stage, "stage to run next; 0 between cycles") \
	F(u32, rotate, "SM that the CTA dispatcher serves first") \
	A(u64, out_set, 4, "SMs with requests for the crossbar") \
	A(u64, write_set, 4, "SMs with global writes of this cycle") \
	A(u64, finish_set, 4, "SMs with CTAs whose warps have all exited") \
	A(u64, slice_set, 2, "L2 slices with anything to do") \
	F(u64, channel_set, "DRAM channels with anything to do") \
	F(u64, retired, "CTAs retired so far, all launches") \
	F(u32, running, "launches not yet done") \
	F(u32, dispatching, "1: some launch has CTAs to dispatch and some SM may have room") \
	F(u8, fault, "kind of the fault that stopped the program, 0: none") \
	F(u8, fault_lane, "lane") \
	F(u16, fault_launch, "launch") \
	F(u32, fault_cta, "linear CTA") \
	F(u32, fault_warp, "warp within the CTA") \
	F(u32, fault_pc, "index of the instruction") \
	F(u32, fault_sm, "SM") \
	F(u32, deadlock, "1: unfinished warps wait and nothing can wake one") \
	F(u64, fault_address, "address") \
	A(u64, events, EVENT_COUNT, "events of the GPU as a whole (kernel start and end)") \
	F(u32, leaving, "CTAs that are to leave before their end when the next cycle begins") \
	F(u32, parked, "CTAs that wait outside the SMs") \
	F(u64, moves_at, \
	  "next cycle in which a context has been moved (chimera.switch), 0: none moves, all ones: not known yet") \
	F(u64, departing, "CTAs whose contexts are on their way out") \
	F(u64, rows, "rows of the ledger so far") \
	F(u64, requests, "requests so far") \
	F(u64, moving, "CTAs whose contexts are on their way through the L2 (chimera.switch memory)")

/* A list as a table of fields, for whoever names them. */
enum field_type { FIELD_U8, FIELD_U16, FIELD_U32, FIELD_U64 };
struct field {
	const char *name;
	u8 type;
	u32 offset, count;
	const char *doc;
};
struct section_row {
	const char *path; /* "warp": named sm[S].warp[N].FIELD; IN_GPU ones stand alone */
	u8 where, flags;  /* enum section_where, enum section_flag */
	u32 size;
	const struct field *field;
	u32 nfields;
};
#define FIELD_TYPE_u8 FIELD_U8
#define FIELD_TYPE_u16 FIELD_U16
#define FIELD_TYPE_u32 FIELD_U32
#define FIELD_TYPE_u64 FIELD_U64
/* FIELD_TABLE(tag, LIST): the table tag_field of struct tag. A list does not say whose it is: the first half of a row
 * has the struct, and takes the list's (type, name, doc) or (type, name, count, doc) for the second. */
/* clang-format off */
#define FIELD_TABLE(tag, LIST) \
	static const struct field tag##_field[] = {LIST(FIELD_SCALAR_OF(tag), FIELD_ARRAY_OF(tag))};
#define FIELD_SCALAR_OF(tag) {.offset = (u32)(size_t)&((struct tag *)0)->FIELD_SCALAR_ROW
#define FIELD_SCALAR_ROW(t, n, text) n, .name = #n, .type = FIELD_TYPE_##t, .count = 1, .doc = text},
#define FIELD_ARRAY_OF(tag) {.offset = (u32)(size_t)&((struct tag *)0)->FIELD_ARRAY_ROW
#define FIELD_ARRAY_ROW(t, n, c, text) n, .name = #n, .type = FIELD_TYPE_##t, .count = c, .doc = text},
/* clang-format on */
#define FIELD_SIZE(type, name, doc) +sizeof(type)
#define FIELD_ARRAY_SIZE(type, name, count, doc) +sizeof(type) * (count)

#define FIELD_MEMBER(type, name, doc) type name;
#define FIELD_ARRAY(type, name, count, doc) type name[count];

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
enum section_where { IN_GPU, IN_SM, IN_SLICE, IN_CHANNEL };
enum section_flag { SECTION_HASHED = 1, SECTION_SCRATCH = 2, SECTION_PLACES = 4 };

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
	u64 policy_base, policy_bytes, policy_stride; /* what schemes keep for themselves: of the GPU, then by SM */
	u64 policy_sm;				      /* where those of SM 0 begin */
	u32 policy_at[64];			      /* where those of a row of schemes.def begin within an SM's, */
	u32 policy_gpu_at[64];			      /* and within the GPU's */
	struct section section[SECTION_COUNT];
	struct config config;
	u32 contexts, residents; /* warps and CTAs that can be resident on an SM */
	u32 lanes, home_shift;	 /* lanes of a context; log2 of the contexts that share the values of one warp of
				    WARP_LANES, their home */
	u32 slots_per_sub, schedulers, words; /* words of a slot set in use */
	u32 warp_units[UNIT_COUNT + 1];	      /* first unit of each kind within a sub-core; the last is their number */
	u32 line_shift, sectors;	      /* of L1D and L2 lines */
	struct policy_choice policy;	      /* the chosen schemes */
	u32 policy_hears;		      /* kinds of notice that some chosen scheme hears */
	u32 policy_awake;		      /* 1: some chosen scheme lets no SM sleep in which warps are ready */
	u32 policy_moody;  /* 1: some chosen scheme may say otherwise of a CTA at any time, or looks at
			      what CTAs are to come */
	u32 policy_yields; /* 1: some chosen scheme of slot rank gives way to the order */
	u32 policy_gangs;  /* 1: the chosen gang policy goes by the table of gangs, and there is one */
	u32 policy_beside; /* 1: more may follow where a scheduler has issued: slot extra is filled, ideal.divergence */
	u64 policy_told[NOTICE_COUNT]; /* by kind: the rows of schemes.def that hear it */
	u64 policy_wakes;	       /* rows of those that name dates of an SM */
};

#define MACHINE_AT(m, type, off) ((type *)(void *)((u8 *)(m) + (off)))

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
/* Which CTAs of a launch are where. */
static inline struct residency *machine_residency(struct machine *m, u32 launch)
{
	return (struct residency *)machine_gpu_section(m, SECTION_RESIDENCY) + launch;
}
/* The kind of unit that does what is a kind's: sub-cores without units of half precision or a uniform datapath use
 * others; what needs none and yet stands in a collector unit is an exit (unit.int.exit).
 */
static inline u32 machine_unit_kind(const struct machine *m, u32 kind)
{
	if (kind - UNIT_INT < UNIT_HALF - UNIT_INT || m->warp_units[kind] < m->warp_units[kind + 1])
		return kind;
	return kind == UNIT_HALF ? UNIT_FP32 : UNIT_INT;
}
static inline struct gpu *machine_gpu(struct machine *m)
{
	return machine_gpu_section(m, SECTION_GPU);
}

/* The home of a context: whose registers, local memory and banks it uses, by the numbers of all that an SM or a GPU
 * has. */
static inline u32 context_home(const struct machine *m, u32 context)
{
	return context >> m->home_shift;
}
static inline u32 machine_homes(const struct machine *m)
{
	return m->contexts >> m->home_shift;
}
/* Of its warp, the lanes that are a context's: all, or those of a slice. */
static inline u32 context_mask(const struct machine *m, u32 context)
{
	u32 slice = context & ((1u << m->home_shift) - 1);
	return (~0u >> (WARP_LANES - m->lanes)) << slice * m->lanes;
}
/* Is a result in the wheel the end of an instruction of a context? */
static inline bool result_of(const struct machine *m, const struct result *r, u32 context)
{
	u32 slice = context & ((1u << m->home_shift) - 1);
	if (r->kind || context_home(m, r->context) != context_home(m, context))
		return false;
	return !m->home_shift || r->load >> slice & 1;
}
/* How old the group of copies at a place of a warp's ring is: 0 the open one, 1 the newest that is closed. Does an
 * instruction that waits for copies wait for those of groups so old? */
static inline u32 group_age(const struct warp *w, u32 place)
{
	return (w->copy_group - place) % COPY_GROUPS;
}
static inline bool group_wanted(const struct inst *in, u32 age)
{
	return in->op == OP_COPY_WAIT && (in->aux == COPIES_ALL || age > in->aux);
}
/* Where the values of a context stand in the store (store.h). */
static inline u32 machine_values(const struct machine *m, u32 sm, u32 context)
{
	return sm * machine_homes(m) + context_home(m, context);
}

/* The places that resident CTAs of an SM have, as a bit set; of them, those of CTAs whose warps have slots. */
static inline u64 resident_places(const struct machine *m, const struct sm *sm)
{
	return ~0ULL >> (64 - m->residents) & ~sm->free_ctas;
}
static inline u64 active_places(const struct machine *m, const struct sm *sm)
{
	return resident_places(m, sm) & ~sm->inactive;
}
/* How many of these there are. */
static inline u32 active_ctas(const struct sm *sm)
{
	return sm->inactive ? sm->ctas - (u32)__builtin_popcountll(sm->inactive) : sm->ctas;
}

/* A fresh machine for a configuration and a number of launches, of which `seats` may run at once; one allocation, free
 * with free(). */
struct machine *machine_new(const struct config *c, u32 launches, u32 seats);
/* Its bytes. */
u64 machine_size(const struct config *c, u32 launches, u32 seats);
/* Hash of the architectural and timing state: hashed sections and what schemes keep, by names (machine_hash.c), without
 * the statistics, statuses, outcomes and events counted. */
u64 machine_hash(const struct machine *m);
/* Hash of these counts alone, which must be up to date. */
u64 machine_counted(const struct machine *m);

#endif
