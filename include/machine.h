/*
 * machine.h - everything that a cycle can change, in one flat block without pointers.
 *
 * A header (struct machine) with layout and configuration, then arrays whose sizes follow from the configuration:
 * the global ones, then one block per SM, then the L2 slices and DRAM channels. Indices stand for references, rings
 * for queues. A snapshot is one memcpy. Every struct is declared from a list of fields, and the same lists make the
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
	SET_COUNT
};

/*
 * Lists of fields. F(type, name, doc): a scalar; A(type, name, count, doc): an array. Natural alignment without
 * holes is asserted in machine.c.
 */
#define WARP_FIELDS(F, A) \
	F(u32, generation, \
	  "generation of the context, changed when it is allocated and when its CTA is preempted or killed; replies carry it") \
	F(u16, cta, "CTA slot of the warp's CTA in the SM (65535 = context free)") \
	F(u16, slot, "warp slot that the warp occupies (65535 = none, the CTA is inactive)") \
	F(u16, index, "index of the warp within its CTA, in units of 32 threads") \
	F(u16, launch, "launch that the warp executes") \
	F(u32, depth, "entries of the warp's SIMT stack (0 = all lanes have exited)") \
	F(u32, inflight, "instructions of the warp issued and not yet complete") \
	F(u32, stores, \
	  "line writes of the warp, and atomics that the warp waits for, issued and not yet acknowledged") \
	F(u32, iteration, "backward branches taken by the warp (not counted for traces)") \
	F(u32, issued, "instructions issued by the warp") \
	F(u64, age, "order of admission to the SM (lower = older)") \
	F(u8, at_barrier, "1 + the barrier at which the warp waits (0 = none)") \
	F(u8, at_fence, \
	  "1 if the warp waits at a memory fence, or for an atomic (sm.atomic_wait, shared.atomic_wait)") \
	F(u16, pending, \
	  "registers and predicates that results in flight will write, plus 1 for asynchronous copies, while the warp has no warp slot") \
	F(u32, barrier_pc, "index of the barrier instruction at which the warp waits") \
	F(u32, barrier_mask, "lanes that wait at the barrier") \
	F(u16, tenure, \
	  "number of times that the unfinished warp released its warp slot, mod 65536; carried by a fetch that waits for a jump") \
	F(u16, departed, \
	  "number of times that the context's CTA was preempted or killed, mod 65536; carried by line writes") \
	F(u64, cursor, "position of the warp's next trace record (traces)") \
	F(u64, released, \
	  "first cycle in which the warp may issue after its completed barrier (0 = barrier not complete)") \
	F(u32, waits, "lanes that wait at a warp-synchronous instruction for other lanes") \
	F(u16, spins, \
	  "backward jumps over memory reads taken by the running path while other paths could run (warp.patience)") \
	F(u8, joins, "1 if at the next path switch lanes that wait at a reconvergence point come before other paths") \
	F(u8, stuck, "1 if all paths of the warp wait at warp-synchronous instructions") \
	F(u32, copies, "asynchronous copies to shared memory in flight") \
	F(u32, copy_group, "index of the open group of asynchronous copies, which the next commit closes") \
	A(u8, grouped, COPY_GROUPS, "asynchronous copies in flight by group; each new group uses the next index")

#define SLOT_FIELDS(F, A) \
	F(u16, context, "context that occupies the warp slot (65535 = empty)") \
	F(u8, buffered, "instructions in the instruction buffer") \
	F(u8, fetching, "instructions requested from the L1I and not yet decoded") \
	F(u32, pc, "index of the first buffered instruction") \
	F(u32, fetch_pc, "index of the next instruction to fetch") \
	F(u8, discard, "1 if the instructions being fetched will be discarded because a jump was taken") \
	F(u8, set, "set of warp slots, one of done to ready or gang, that the slot is in") \
	F(u8, told, \
	  "1 if the notification store before the next instruction has issued, which reports that the CTA can no longer be flushed (chimera.notice)") \
	A(u8, spare, 1, "unused padding (0)") \
	F(u64, since, "cycle of the last issue, minus 1") \
	A(u64, pending_long, HAZARD_WORDS, \
	  "registers and predicates that a global or local memory access will write (long scoreboard)") \
	A(u64, pending_short, HAZARD_WORDS, \
	  "registers and predicates that another instruction will write (short scoreboard)")

#define SCHED_FIELDS(F, A) \
	F(u16, last, "warp slot of the scheduler's last issue (65535 = none)") \
	F(u16, chosen, "warp slot that issued in this cycle (65535 = none)") \
	F(u8, outcome, "outcome of the issue slot in the last cycle in which the SM was visited") \
	A(u8, spare, 3, "unused padding (0)") \
	F(u64, issued, "instructions issued by the scheduler")

#define SUB_FIELDS(F, A) \
	F(u32, free_collectors, "bit set of free operand collector units") \
	F(u32, ready_collectors, "bit set of operand collector units with all operands read") \
	F(u32, busy_banks, "bit set of register file banks with queued reads") \
	F(u32, registers_free, "registers not allocated") \
	F(u8, blocked_for, "warp state (lsu, unit or collector) of ready warps that were not accepted") \
	F(u8, ndecode, "entries of the decode latch") \
	F(u16, swapped, "resident unfinished contexts without a warp slot") \
	F(u32, lsu_collectors, "bit set of operand collector units that hold an instruction for the LSU") \
	F(u32, latched, \
	  "bit set of operand collector units whose instruction is dispatched next (collector.order first)") \
	A(u16, decode_slot, DECODE_WIDTH, "warp slots of the decode latch entries") \
	A(u16, decode_count, DECODE_WIDTH, "instructions of the decode latch entries") \
	F(u16, fetch_last, "warp slot of the last fetch (65535 = none)") \
	F(u16, spare2, "unused padding (0)") \
	F(u64, issued, "instructions issued by the sub-core")

#define COLLECTOR_FIELDS(F, A) \
	F(u32, generation, "generation of the context") \
	F(u16, context, "context whose instruction the operand collector unit holds (65535 = free)") \
	F(u16, memory_op, "memory operation of the instruction (65535 = none)") \
	F(u32, pc, "index of the instruction") \
	F(u32, age, "order of issue in the sub-core") \
	F(u8, need, "operands not yet read") \
	F(u8, operands, "operand reads requested by the instruction") \
	F(u16, read, "bit set of operands already read") \
	F(u16, class, "instruction class") \
	F(u16, spare, "unused padding (0)") \
	F(u64, issued_at, "cycle in which the instruction issued, minus 1")

#define BANK_FIELDS(F, A) \
	F(u16, head, "first entry of the read queue") \
	F(u16, count, "queued reads") \
	F(u16, granted_context, "context whose read was granted in the last visited cycle (65535 = none)") \
	F(u16, granted_register, "register whose read was granted in the last visited cycle") \
	F(u64, conflicts, "cycles in which a read was left waiting (bank conflicts)") \
	F(u64, written_until, "bank arbitration step (cycle x collector.passes) until which writes occupy the port")

#define BANKQ_FIELDS(F, A) \
	F(u8, collector, "operand collector unit that requested the read") \
	F(u8, operand, "operand number within the instruction") \
	F(u16, reg, "physical register to read")

#define REUSE_FIELDS(F, A) \
	F(u16, owner, "1 + the context whose register is cached (0 = none)") \
	F(u16, reg, "physical register that is cached") \
	F(u32, generation, "generation of the context")

#define UNIT_FIELDS(F, A) \
	F(u64, free_at, "cycle in which the unit accepts its next instruction") \
	F(u64, issued, "instructions accepted by the unit")

/* What comes due: an instruction's result, a line of a load, the fetch behind a jump. `load` is by kind: the small
 * warps whose instruction completes (0: there are none), the entry of the load, the warp's tenure. */
enum result_kind { RESULT_VALUE, RESULT_LINE, RESULT_REFETCH };
#define RESULT_FIELDS(F, A) \
	F(u16, next, "next entry due in the same cycle, or next free entry") \
	F(u16, kind, "kind of entry: 0 a result, 1 arrival of a line of a load, 2 start of a fetch") \
	F(u16, context, "context of the result (kind 0) or fetch (kind 2)") \
	F(u16, load, \
	  "kind 1: load table entry; kind 2: warp.tenure of the context; kind 0 with warp.size below 32: bit set of small warps whose instruction completes") \
	F(u32, generation, "generation of the context") \
	F(u32, pc, "index of the instruction")

/* A load waits for its lines; for constants, on the short scoreboard; for its date (a step of a synthetic kernel); or
 * its warp has been answered, and others that share it wait. */
enum load_kind { LOAD_LINES, LOAD_QUICK, LOAD_DATED, LOAD_ANSWERED };
#define LOAD_FIELDS(F, A) \
	F(u16, next, "next free entry") \
	F(u16, context, "context that issued the load (65535 = free)") \
	F(u32, generation, "generation of the context") \
	F(u32, pc, "index of the instruction") \
	F(u16, waiting, "lines not yet arrived") \
	F(u16, quick, \
	  "1: constant load, tracked by the short scoreboard; 2: step with a completion date of its own; 3: answered, but not yet for all small warps that share it") \
	F(u64, issued_at, "cycle in which the load issued, minus 1") \
	F(u16, mate, "1 + the entry of the next small warp that shares the memory operation (0 = none)") \
	F(u16, leads, "1 + the entry of the first small warp that shares the memory operation (0 = not shared)") \
	F(u16, group, "1 + the index of the group of asynchronous copies (0 = not a copy)") \
	F(u16, spare, "unused padding (0)")

#define MEMOP_FIELDS(F, A) \
	F(u16, next, "next free entry") \
	F(u16, context, "context that issued the memory operation") \
	F(u32, generation, "generation of the context") \
	F(u32, pc, "index of the instruction") \
	F(u32, mask, "active lanes") \
	F(u16, load, "load table entry (65535 = none)") \
	F(u8, done, "line accesses completed") \
	F(u8, count, "line accesses in total (shared memory: cycles of the banks)") \
	F(u16, class, "instruction class") \
	F(u16, banks, "shared memory bank cycles for lanes of a generic access that are outside global memory") \
	A(u64, line, MAX_TRANSACTIONS, "line accesses: line number x 16 + sector mask") \
	F(u16, mates, "1 + the load table entry of the first small warp that shares the operation (0 = not shared)") \
	F(u16, tried, \
	  "1 + the cycle (mod 65535) of the last attempt to request constants shared by several small warps") \
	F(u16, past, "1 if a global load bypasses the L1D") \
	F(u16, notice, \
	  "1 if a notification write to the SM's own address precedes the line accesses (chimera.notice)") \
	A(u8, collector, MAX_SUBCORES, \
	  "1 + the operand collector unit that holds the instruction, by sub-core (warp.size below 32; 0 = none, or constants of one small warp)") \
	A(u8, share, MAX_TRANSACTIONS, "bit set of small warps that need each line access") \
	A(u8, meets, MAX_TRANSACTIONS, \
	  "additional lanes on the most contended address of each line access of an atomic, plus 128 for floating-point adds (l2.atomic_lanes)")

#define CTA_FIELDS(F, A) \
	F(u32, id, "linear index of the CTA in the grid") \
	F(u16, launch, "launch of the CTA (65535 = CTA slot free)") \
	F(u16, warps, "warps of the CTA") \
	F(u16, done, "warps that have exited") \
	F(u16, arrived, "warps that wait at barriers of the CTA") \
	F(u32, inflight, "instructions and writes of the CTA's warps in flight") \
	F(u32, shared, "bytes of shared memory allocated") \
	F(u32, registers, "registers allocated") \
	F(u64, started, "cycle of the dispatch, minus 1") \
	A(u32, ctaid, 3, "x, y and z index of the CTA in the grid") \
	F(u32, barriers, "bit set of barriers at which warps have arrived") \
	A(u16, bar_arrived, MAX_BARRIERS, "warps that have arrived, by barrier") \
	A(u16, bar_needed, MAX_BARRIERS, "arrivals that complete each barrier (0 = all unfinished warps)") \
	A(u16, bar_threads, MAX_BARRIERS, "threads that took part in the bar.red of each barrier") \
	A(u16, bar_votes, MAX_BARRIERS, "threads with a true predicate in the bar.red of each barrier") \
	A(u64, contexts, CONTEXT_WORDS, "bit set of contexts of the CTA") \
	F(u32, tripped, \
	  "1 + the instruction that violated idempotence, after which the CTA cannot be flushed (0 = none; checked if preempt.ctas is not 0)") \
	F(u8, leaving, \
	  "how the CTA leaves its SM at the next cycle boundary: 1 flushed, 2 saved, 3 killed (0 = it stays)") \
	F(u8, kept, "1 if the CTA was active before and its context is kept in shared memory while it is inactive") \
	F(u16, pending, "registers and predicates that results in flight will write, while the CTA is inactive") \
	F(u32, earlier, \
	  "cycles that the CTA ran in SMs that it has left, minus cycles of context transfer with chimera.switch time (signed, mod 2^32)") \
	F(u32, row, "row of the preemption ledger that describes the preemption of the CTA (0 = none)") \
	F(u32, save, "cycles of the shared memory port until the context is saved") \
	F(u32, restore, "cycles of the shared memory port until the context is restored") \
	F(u64, ready, "order among inactive CTAs ready to be swapped in (lower = earlier)") \
	F(u64, moved, "cycle of the last swap in or out, minus 1 (0 = never)") \
	F(u64, moves_at, \
	  "cycle in which the context transfer completes (chimera.switch; all ones = not yet known, 0 = no transfer)")

/* Transfer of a CTA's context through the L2 (chimera.switch memory). */
#define CTA_MOVE_FIELDS(F, A) \
	F(u64, from, "cycle in which the restoring of the context began") \
	F(u64, row, "row of the preemption ledger that describes the preemption of the CTA (0 = none)") \
	F(u32, unsent, "lines of the context not yet sent or requested") \
	F(u32, unanswered, "lines of the context sent or requested and not yet answered") \
	F(u32, turn, "number of context transfers from or to this CTA slot, mod 65536; carried by their lines") \
	F(u32, spare, "unused padding (0)")

/* A preempted CTA that waits to be dispatched again. The state of a saved one is in the sections beside it. */
#define PARKED_FIELDS(F, A) \
	F(u16, next, "1 + the entry of the next waiting CTA of the launch (0 = none)") \
	F(u16, launch, "launch of the CTA (65535 = entry free)") \
	F(u32, id, "linear index of the CTA in the grid") \
	F(u64, since, "cycle in which the CTA left its SM") \
	F(u32, sm, "SM that the CTA left") \
	F(u16, saved, "1 if the CTA was saved and resumes where it stopped, 0 if it was flushed and restarts") \
	F(u16, leaving, "1 if the CTA is killed at the next cycle boundary") \
	F(u64, row, "row of the preemption ledger that describes the preemption of the CTA")

/* Rows of the preemption ledger, and of the requests before it: the newest are kept, row N at N mod LEDGER_ROWS. */
#define LEDGER_ROWS 256
/* How a CTA is preempted, as requested first or changed later. */
enum ledger_way { WAY_NONE, WAY_DRAIN, WAY_FLUSH, WAY_SWITCH, WAY_KILL };
/* The state of a preemption: requested; off its SM and waiting; dispatched again; finished; killed, resident or
 * waiting; canceled. */
enum ledger_state { LEDGER_ASKED, LEDGER_OUT, LEDGER_BACK, LEDGER_ENDED, LEDGER_KILLED, LEDGER_STAYS };
/* The preemption of a CTA, by a policy or by a command. */
#define LEDGER_FIELDS(F, A) \
	F(u64, number, "number of the row, from 1 (0 = empty)") \
	F(u64, asked, "cycle in which the preemption was requested") \
	F(u64, out, "cycle in which the CTA had left its SM (0 = not yet)") \
	F(u64, back, "cycle in which the CTA was dispatched again (0 = not yet)") \
	F(u64, bytes, "bytes of context saved and restored") \
	F(u64, lost, "warp instructions of discarded work: the CTA was flushed or killed") \
	F(u64, halted, "cycles in which the CTA's warps were stopped while the context was transferred") \
	F(u64, stands, "cycle in which the CTA's warps stopped for the saving of the context (0 = not being saved)") \
	A(u64, latency, 3, \
	  "estimated latency of drain, flush and switch in cycles, at the request (all ones = unknown or not possible)") \
	A(u64, overhead, 3, \
	  "estimated overhead of drain, flush and switch in warp instructions, at the request (all ones = unknown or not possible)") \
	F(u64, request, \
	  "preemption request that the row belongs to (0 = none: preempted by a command or with its launch)") \
	F(u32, cta, "linear index of the CTA in the grid") \
	F(u16, sm, "SM that the CTA was preempted from") \
	F(u16, launch, "launch of the CTA") \
	F(u16, back_sm, "SM to which the CTA was dispatched again") \
	F(u8, way, "how the CTA was preempted: 1 drain, 2 flush, 3 switch, 4 kill") \
	F(u8, state, \
	  "state of the CTA: 0 still resident, 1 waiting to be dispatched again, 2 dispatched again, 3 finished, 4 killed, 5 preemption canceled") \
	F(u32, late, "1 if the CTA left later than chimera.bound cycles after the request")

enum need_state { NEED_OPEN, NEED_REACHED, NEED_WITHDRAWN };
/* A preemption request: from the first cycle in which an SM holds more CTAs of a launch, beside those already leaving,
 * than its partition allows, until it holds no more than allowed then, regardless of further calls of the policy. */
#define NEED_FIELDS(F, A) \
	F(u64, number, "number of the preemption request, from 1 (0 = empty)") \
	F(u64, asked, "cycle in which the request began") \
	F(u64, reached, "cycle in which the request ended (0 = still open)") \
	F(u32, ctas, "surplus CTAs when the request began") \
	F(u32, wanted, "CTAs that the partition allowed when the request began") \
	F(u16, sm, "SM of the request") \
	F(u16, launch, "launch whose CTAs are to be preempted") \
	F(u16, gainer, "1 + the launch that gains the room (0 = unknown)") \
	F(u8, state, \
	  "state of the request: 0 open, 1 satisfied, 2 withdrawn because the partition allows the CTAs again") \
	F(u8, late, "1 if satisfied later than chimera.bound cycles after the request")

/* The registers of a resident in its sub-core's register file, or the bytes of a CTA in shared memory (territory.c). */
#define STRETCH_FIELDS(F, A) \
	F(u32, first, "first register in the sub-core's register file, or first byte of shared memory") \
	F(u32, count, "registers or bytes (0 = none)")
#define MAP_WORD_FIELDS(F, A) \
	F(u64, taken, "bit set of allocated allocation units, 64 of a sub-core's registers or of shared memory")

/* Derived from slots, loads and issues; never part of the hash. By slot: what loads that the L1D has not answered at
 * once will write. By context: the last issue. By resident CTA: its slots. By SM: what its CTAs hold. */
#define MISSED_FIELDS(F, A) \
	A(u64, registers, HAZARD_WORDS, \
	  "registers and predicates of slot.pending_long that depend on missed or rejected loads, or on atomics")
#define ISSUED_FIELDS(F, A) \
	F(u32, pc, "index of the instruction that the context issued last") \
	F(u32, mask, "active lanes of the last issue, including those of other members of the gang")
#define CTA_SLOTS_FIELDS(F, A) A(u64, slots, SLOT_WORDS, "bit set of warp slots of the CTA's warps")
#define STOCK_FIELDS(F, A) \
	F(u32, registers, "registers allocated in the SM") \
	F(u32, spare, "unused padding (0)")

#define TAG_FIELDS(F, A) \
	F(u64, line, "line number + 1 (0 = empty)") \
	F(u32, used, "order of the last use") \
	F(u8, valid, "sectors present") \
	F(u8, dirty, "sectors to write back (L2)") \
	F(u8, reserved, \
	  "pending misses that reserve the line against eviction, one per sector with l1d.sectors (L1D)") \
	F(u8, ahead, "1 if the line was prefetched (l1i.prefetch) and not yet used by a fetch (L1I)")

/* Lines of the L1D in order, each as 1 + its index, 0: none. */
#define CHAIN_FIELDS(F, A) \
	F(u16, first, "1 + the first line in the chain of this hash value (0 = none)") \
	F(u16, next, "1 + the next line in the chain (0 = none)") \
	F(u16, older, "1 + the line of the set used last before this one (0 = none)") \
	F(u16, newer, "1 + the line of the set used first after this one (0 = none)") \
	F(u16, oldest, "1 + the least recently used line of the set (in the first line of the set)") \
	F(u16, newest, "1 + the most recently used line of the set (in the first line of the set)")

#define MSHR_FIELDS(F, A) \
	F(u64, line, "line number + 1 (0 = free)") \
	F(u16, first, "first waiting request (65535 = none)") \
	F(u16, last, "last waiting request") \
	F(u16, count, "waiting requests") \
	F(u8, asked, "sectors requested from the next level") \
	F(u8, arrived, "requested sectors that have arrived") \
	F(u16, head, "1 + the first MSHR in the chain of the hash value equal to this index (0 = none; L1D, L2)") \
	F(u16, next, "1 + the next MSHR in the chain, or the next free one") \
	F(u8, placeless, "1 if no line is reserved for the sector (L1D, l1d.sectors)") \
	A(u8, spare, 3, "unused padding (0)")

#define WAITER_FIELDS(F, A) \
	F(u16, next, "next waiting or free entry") \
	F(u16, load, "load table entry of the SM (L1D, constant cache; unused in the L2)") \
	F(u8, sectors, "sectors that the request waits for") \
	F(u8, mates, "small warps that need the sectors if several share the load (0 = not shared)") \
	A(u8, spare, 2, "unused padding (0)")

#define IMISS_FIELDS(F, A) \
	F(u64, line, "line number + 1 (0 = free)") \
	A(u64, slots, CONTEXT_WORDS, "bit set of contexts that wait for the line") \
	F(u32, ahead, "1: prefetched (l1i.prefetch) and not yet needed by a fetch; 2: prefetched and needed since") \
	F(u32, spare, "unused padding (0)")

#define PACKET_FIELDS(F, A) \
	F(u64, line, "line number x 16 + sector mask") \
	F(u64, ready, "first cycle in which the consumer may take the packet") \
	F(u64, born, "cycle in which the SM put the request into its queue to the interconnect") \
	F(u8, sm, "SM that sent the request") \
	F(u8, meets, "memop.meets of the line (atomics)") \
	F(u16, tag, \
	  "MSHR (reads), context (writes), load table entry (atomics, loads that bypass the L1D, shared writes) or CTA slot (context lines)") \
	F(u8, kind, \
	  "kind of request: 0 read, 1 write, 2 atomic, 3 instruction fetch, 4 reduction, 5 constants, 6 context save, 7 context restore, 8 load that bypasses the L1D") \
	F(u8, mates, "small warps that need the reply to a shared write or atomic (0 = not shared)") \
	F(u16, departed, \
	  "warp.departed of the context at the issue of the write (writes), or the turn of the CTA slot (context lines)")

/* The ports of an SM to the interconnect, contiguous for all SMs because the memory stage visits all. */
#define PORT_FIELDS(F, A) \
	F(u32, out_head, "first request in the queue to the interconnect") \
	F(u32, out_count, "requests waiting for the interconnect") \
	F(u32, in_head, "first reply in the queue from the interconnect") \
	F(u32, in_count, "replies in flight or waiting for the SM") \
	F(u32, misses, "reads of the L1D among the requests waiting for the interconnect") \
	F(u32, turn, "L2 slice whose reply is taken first (icnt.arbiter slip)") \
	F(u64, out_free, "interconnect clock in which the request port becomes free") \
	F(u64, in_free, "interconnect clock in which the reply port becomes free")

#define SM_FIELDS(F, A) \
	A(u64, set, (SET_COUNT * SLOT_WORDS), "sets of warp slots as they are now, one group of words per set") \
	A(u64, seen, (WARP_STATUS_COUNT * SLOT_WORDS), \
	  "sets of warp slots by warp state in the last cycle, as seen by the issue stage") \
	A(u64, stat, SM_COUNTERS, "counters, in the order of stats.def") \
	A(u64, statuses, WARP_STATUS_COUNT, "contexts in each warp state, summed over cycles") \
	A(u64, outcomes, SLOT_OUTCOME_COUNT, "issue slots of each outcome") \
	A(u64, events, MAX_EVENTS, "events of each kind") \
	A(u64, free_contexts, CONTEXT_WORDS, "bit set of free contexts") \
	A(u64, due, WHEEL_WORDS, "bit set of cycles (mod 1024) in which a result is due") \
	A(u16, wheel, WHEEL_SIZE, "first result due in each of the next cycles (65535 = none)") \
	F(u64, age, "contexts allocated so far") \
	F(u64, shared_busy, "cycle in which the LSU accepts its next instruction") \
	F(u64, free_ctas, "bit set of free CTA slots") \
	F(u64, inactive, "bit set of resident CTAs that are inactive (their warps have no warp slots)") \
	F(u64, ganged_at, "last cycle in which a gang of the gang table issued (0 = none)") \
	F(u32, gang_home, "parent warp whose gang was last served by fetch (gang table)") \
	F(u32, gang_spare, "unused padding (0)") \
	F(u32, warps, "resident contexts") \
	F(u32, ctas, "resident CTAs") \
	F(u32, threads, "threads of active CTAs, in whole warps") \
	F(u32, shared_free, "bytes of shared memory not allocated") \
	F(u32, assigned, "warps assigned to sub-cores so far (W of the assignment policies)") \
	F(u32, issue_order, "operand collector units allocated so far, which gives the age of each") \
	F(u16, result_free, "first free result entry (65535 = none)") \
	F(u16, load_free, "first free load table entry (65535 = none)") \
	F(u16, memop_free, "first free memory operation (65535 = none)") \
	F(u16, waiter_free, "first free L1D waiter (65535 = none)") \
	F(u16, const_waiter_free, "first free waiter of the constant cache (65535 = none)") \
	F(u16, mshr_free, "1 + the first free L1D MSHR (0 = none)") \
	F(u16, swapped, "resident unfinished contexts without a warp slot") \
	F(u16, ended, "resident finished contexts without a warp slot") \
	F(u16, lsu_head, "first instruction of the LSU queue") \
	F(u16, lsu_count, "instructions in the LSU queue") \
	F(u16, lsu_turn, "sub-core served first by the LSU") \
	F(u16, fetch_turn, "sub-core served first by the L1I") \
	F(u32, l1d_clock, "use counter of L1D lines, for LRU order") \
	F(u32, l1i_clock, "use counter of L1I lines, for LRU order") \
	F(u32, const_clock, "use counter of constant cache lines, for LRU order") \
	F(u32, l1d_ways, "ways of the L1D now (0 = no CTA so far; l1d.unified)") \
	F(u32, nwrites, "global writes of this cycle, applied in stage seal") \
	F(u32, collectors_busy, "operand collector units in use") \
	F(u32, mshrs_used, "L1D MSHRs in use") \
	F(u32, imiss_used, "L1I MSHRs in use") \
	F(u32, decoding, "entries in the decode latches") \
	F(u32, finishing, "CTAs whose warps have all exited and that are not yet retired") \
	F(u32, lsu_taken, \
	  "1 + the sub-core that the LSU accepted an instruction from in this cycle (0 = none; warp.size below 32: non-zero except while the LSU is served)") \
	F(u32, granted, "1 if a register file bank granted a read in the last visited cycle") \
	F(u32, results_used, "result entries in use") \
	F(u32, reexec_count, "memory operations in the re-execution queue") \
	F(u32, reexec_at, "position in the re-execution queue of the next attempt") \
	F(u32, dated, "load table entries with a completion date of their own") \
	F(u64, barrier_free, "cycle in which the barrier unit accepts the next arrival (barrier.interval)") \
	F(u64, release_at, "first cycle in which warps leave a completed barrier (0 = none waits)") \
	A(u64, released, CONTEXT_WORDS, "bit set of contexts that wait at a completed barrier") \
	F(u64, alarm, "1 + the cycle in which the SM must be visited in any case (0 = none)") \
	F(u64, halted, "bit set of resident CTAs whose warps may neither issue nor fetch") \
	F(u64, port_at, "cycle from which contexts may be transferred out of or into the SM (chimera.switch)") \
	F(u64, paused, "bit set of resident CTAs whose warps issue only if no other warp can") \
	F(u64, ready, "bit set of inactive CTAs ready to be swapped in: no pending results, context saved") \
	F(u64, readies, "number of times that an inactive CTA became ready") \
	F(u64, saving, "bit set of inactive CTAs whose context is being saved") \
	F(u64, restoring, "bit set of active CTAs whose context is being restored") \
	F(u32, reexec_inactive, "memory operations in the re-execution queue of inactive CTAs") \
	F(u32, reexec_inactive_at, "position in the re-execution queue of inactive CTAs of the next attempt") \
	F(u32, region, "bytes at the high end of shared memory reserved for contexts of inactive CTAs") \
	F(u32, needs, "open preemption requests") \
	F(u64, draining, "bit set of resident CTAs that drain: they run to completion with priority") \
	F(u64, moving, "bit set of resident CTAs whose contexts have lines to send or request (chimera.switch memory)")

/* Bookkeeping of SMs that are not visited; never part of the hash. */
#define SLEEP_FIELDS(F, A) \
	F(u64, until, "cycle in which the SM is visited next") \
	F(u64, counted, "cycles whose warp states and outcomes are already counted") \
	F(u64, summed, "cycles whose resident CTAs and misses are already counted") \
	F(u64, active, "1 if anything happened in the last visit") \
	F(u64, refused, "line access last rejected by the L1D, which stays rejected until the L1D changes (0 = none)") \
	F(u32, refusal, "cause of the last rejection by the L1D (sleep.refused)") \
	F(u32, marked, "1 + the load last marked as waiting beyond the L1D (0 = none)") \
	A(u64, missed, SLOT_WORDS, \
	  "bit set of warp slots with a register that a load waiting beyond the L1D will write")

#define VISITS_FIELDS(F, A) \
	A(u64, due, 128, "first cycle in which a request of each L2 slice can be looked up") \
	A(u64, answers, 2, "bit set of L2 slices that have replies")

#define KINDS_FIELDS(F, A) \
	A(u64, ready, (SLOT_WORDS * UNIT_COUNT), \
	  "bit set of ready warp slots that need an operand collector unit, by word and by kind of execution unit (collector.share)")

#define SLICE_FIELDS(F, A) \
	A(u64, stat, SLICE_COUNTERS, "counters, in the order of stats.def") \
	F(u32, in_head, "first request in the input queue") \
	F(u32, in_count, "requests in flight to the L2 slice or waiting") \
	F(u32, out_head, "first reply in the output queue") \
	F(u32, out_count, "replies waiting for the interconnect") \
	F(u64, in_free, "interconnect clock in which the request port becomes free") \
	F(u64, out_free, "interconnect clock in which the reply port becomes free") \
	F(u64, free_at, "L2 clock in which the L2 slice looks up its next request") \
	F(u16, waiter_free, "first free waiter (65535 = none)") \
	F(u16, mshrs_used, "MSHRs in use") \
	F(u32, clock, "use counter of lines, for LRU order") \
	F(u32, stuck, "1 if the first request waits for the DRAM queue and nothing in the L2 slice has changed since") \
	F(u32, far_head, "first request from the L2 slice of the other half (l2.halves)") \
	F(u32, far_count, "requests in flight or waiting from the L2 slice of the other half (l2.halves)") \
	F(u16, mshr_free, "1 + the first free MSHR (0 = none)") \
	F(u16, turn, "SM whose request is taken first (icnt.arbiter slip)")

/* A DRAM channel. Reads are direction 0, writes direction 1. */
#define CHANNEL_FIELDS(F, A) \
	A(u64, stat, CHANNEL_COUNTERS, "counters, in the order of stats.def") \
	A(u64, pending, 2, "bit sets of banks with waiting reads and with waiting writes") \
	A(u32, waiting, 2, "waiting reads and waiting writes") \
	F(u32, done_head, "first read in service") \
	F(u32, done_count, "reads in service") \
	F(u16, queue_free, "first free queue entry (65535 = none)") \
	F(u16, window, "index into channel.window_at that limits the next activation") \
	F(u32, writing, "1 while the channel writes, 0 while it reads") \
	F(u64, order, "requests received so far") \
	F(u64, since, "DRAM clock of the last turnaround between reading and writing") \
	F(u64, next, "DRAM clock before which no command can issue") \
	F(u64, act_at, "DRAM clock from which a row may be activated (RRD)") \
	A(u64, window_at, 4, \
	  "DRAM clocks from which a row may be activated because of the last four activations (FAW)") \
	F(u64, refresh_due, "DRAM clock from which a refresh is due (REFI)") \
	F(u64, refresh_at, "DRAM clock of the refresh being prepared (0 = none)") \
	F(u64, col_at, "DRAM clock from which a column command may issue (CCD)") \
	A(u64, turn_at, 2, "DRAM clocks from which reads (after writes) and writes (after reads) may issue")

/* A bank: its open row, the clocks from which it accepts commands, and the waiting requests by direction. */
#define DBANK_FIELDS(F, A) \
	F(u64, row, "open row + 1 (0 = closed)") \
	F(u64, act_at, "DRAM clock from which the bank may be activated (RP, RC)") \
	F(u64, pre_at, "DRAM clock from which the bank may be precharged (RAS, WR, RTP)") \
	F(u64, col_at, "DRAM clock from which the bank may be read or written (RCD)") \
	A(u16, first, 2, "oldest waiting read and write (65535 = none)") \
	A(u16, last, 2, "youngest waiting read and write") \
	A(u16, pick, 2, "read and write to serve next: the oldest to the open row, else the oldest") \
	A(u16, spare, 2, "unused padding (0)") \
	F(u64, requests, "requests served") \
	F(u64, row_hits, "requests served without a row activation") \
	F(u64, activates, "rows activated") \
	F(u64, precharges, "rows precharged (closed)")

#define DGROUP_FIELDS(F, A) F(u64, col_at, "DRAM clock from which the bank group accepts a column command (CCDL)")

#define RING_SLOT_FIELDS(F, A) \
	F(u16, memop, "memory operation") \
	F(u16, spare, "unused padding (0)")

/* simt.h and front.h declare these two; the lists are here so that every byte has a name. */
#define SIMT_FIELDS(F, A) \
	F(u32, pc, "next instruction of the lanes") \
	F(u32, reconverge, "instruction at which the lanes reconverge with the entry below") \
	F(u32, mask, "lanes of the entry")
#define WRITE_FIELDS(F, A) \
	F(u64, address, "address written") \
	A(u64, data, 2, "data of a store, or operand and compare value of an atomic") \
	F(u32, context, "context whose register receives the old value") \
	F(u16, dst, "register that receives the old value (65535 = none)") \
	F(u8, bytes, "bytes written") \
	F(u8, lane, "lane that writes") \
	F(u8, atom, "0 for a store, else 1 + the atomic operation") \
	F(u8, type, "value type of an atomic; number of lanes that a store stands for") \
	A(u8, pad, 2, "unused padding (0)") \
	F(u32, pc, "index of the instruction")

/* Small warps of one parent warp that issue together. A parent warp has GANG_ENTRIES entries, the maximum number of
 * gangs of two or more small warps. */
#define GANG_ENTRIES 4
#define GANG_FIELDS(F, A) \
	F(u64, last, "cycle of the gang's last issue (0 = none yet)") \
	F(u8, mask, "bit set of small warps in the gang (0 = entry free)") \
	A(u8, spare, 7, "unused padding (0)")

/* Gangs by slots, so that all can be examined at once: the small warps of a parent warp have slots at one position,
 * each in its sub-core. Derived from the table and the residents, never part of the hash. */
#define POSITION_WORDS 2 /* positions of a sub-core, at most 128: warp.size 16 */
#define GANG_MAP_FIELDS(F, A) \
	A(u64, slots, (GANG_ENTRIES * SLOT_WORDS), \
	  "bit sets of warp slots of small warps in gangs, by gang entry of their parent warps") \
	A(u64, any, SLOT_WORDS, "bit set of warp slots of all small warps in gangs") \
	A(u64, age, (64 * POSITION_WORDS), "warp.age of the parent warp's first small warp, by position") \
	A(u16, parent, (64 * POSITION_WORDS), "number of the parent warp, by position")

/* A request at a DRAM channel. */
#define DREQ_FIELDS(F, A) \
	F(u16, next, "next request of the bank, or next free entry") \
	F(u16, slice, "L2 slice that sent the request") \
	F(u16, mshr, "MSHR of the request (65535 = a write)") \
	F(u16, columns, "column commands still needed") \
	F(u64, line, "line number x 16 + sector mask") \
	F(u64, row, "row + 1") \
	F(u64, clock, "DRAM clock of the arrival; in service: of the availability of the data") \
	F(u64, order, "order of arrival") \
	F(u16, bank, "bank of the request") \
	F(u8, opened, "1 if a row was activated for the request") \
	F(u8, starved, "1 if the request was given priority after waiting too long (dram.starve)") \
	A(u8, spare, 4, "unused padding (0)")

enum launch_state { LAUNCH_WAITING, LAUNCH_RUNNING, LAUNCH_DONE };

#define LAUNCH_FIELDS(F, A) \
	F(u32, state, "state of the launch: 0 waiting, 1 running, 2 done") \
	F(u32, next_cta, "next CTA to dispatch") \
	F(u32, finished, "CTAs retired in the current iteration") \
	F(u32, iteration, "completed iterations of the host loop, or completed instances (`every`)") \
	F(u64, ready_at, "cycle from which CTAs may be dispatched") \
	F(u64, started_at, "cycle of the first dispatch, minus 1 (all ones = none yet)") \
	F(u64, first_issue, "cycle of the first issue, minus 1 (all ones = none yet)") \
	F(u64, last_retire, "cycle in which the last CTA retired") \
	F(u64, issued, "warp instructions issued") \
	F(u64, threads, "thread instructions issued") \
	F(u32, parked, "preempted CTAs of the launch that wait to be dispatched again, which precedes new CTAs") \
	F(u16, first_parked, "1 + the entry of the preempted CTA that has waited longest") \
	F(u16, last_parked, "1 + the entry of the preempted CTA that has waited shortest") \
	F(u64, dates, \
	  "deadline dates of the instance that have passed: 1 the date of its SMs, 2 the deadline, which it missed") \
	F(u64, requests, "instances with a deadline that requested SMs, the current one included") \
	F(u64, missed, "instances that missed their deadline") \
	F(u64, late, "requested SMs that were not free chimera.bound cycles after the release, over all instances") \
	F(u64, voided, "warp instructions of other kernels on SMs requested by instances that missed their deadline") \
	F(u64, unstarted, "CTAs killed with their launch before they were dispatched") \
	F(u64, through, \
	  "cycles complete at the first end of the launch, or when its stream had issued multi.insts instructions (0 = not yet, or not requested)") \
	F(u64, first_issued, "warp instructions issued until launch.through, without those of flushed or killed CTAs") \
	F(u64, first_threads, "thread instructions issued until launch.through")

/* The claim of a launch with a deadline on an SM (deadline.c); never part of the hash. */
#define CLAIM_FIELDS(F, A) \
	F(u64, launch, "1 + the launch with a deadline that requested the SM (0 = none)") \
	F(u64, issued, \
	  "warp instructions of other kernels that the SM had issued chimera.bound cycles after the release")

/* What policies currently allow an SM; never part of the hash. */
#define MAX_RESIDENTS 64 /* CTAs of an SM */
#define BOUNDS_FIELDS(F, A) \
	F(u32, limit, "1 + the CTA limit of the SM (0 = no policy limits it)") \
	F(u8, closed, "1 if the SM accepts no CTAs") \
	F(u8, off, "1 if the SM accepts no CTAs and is empty: power-gated") \
	F(u16, spare, "unused padding (0)") \
	A(u64, paused_at, MAX_RESIDENTS, \
	  "first cycle in which the CTA of each CTA slot was seen paused (0 = not paused)")

/* The launches to examine, derived from their states, so that launches that wait behind others cost nothing. */
#define AGENDA_FIELDS(F, A) \
	F(u64, next, "cycle in which the next waiting launch may begin (all ones = none waits, 0 = unknown)") \
	F(u32, active, "launches eligible to run and not done") \
	F(u32, running, "launches that run (part of agenda.active)") \
	F(u32, others, "launches that are not periodic") \
	F(u32, others_left, "launches that are not periodic and not done") \
	F(u64, counted, "cycles for which CTA limits are already counted") \
	F(u64, look, "cycle of the next check of the instructions issued per stream (multi.insts)")

#define TURN_FIELDS(F, A) \
	F(u16, active, "launches eligible to run and not done, in launch order") \
	F(u16, running, "launches that run, by priority, then in launch order") \
	F(u16, seat, "index of each launch in the counters of an SM, shared by consecutive launches of a stream") \
	F(u16, spare, "unused padding (0)")

/* Counts of a launch in an SM, as long as it owns its seat; and in all SMs, summed when the other counters are brought
 * up to date. CTAs of all iterations count. */
#define KERNEL_FIELDS(F, A) \
	KERNEL_COUNTS(F, F, F) \
	A(u64, slots, SLOT_WORDS, "bit set of warp slots of the launch's warps (in an SM)") \
	F(u64, need, "open preemption request to reduce the launch's CTAs (in an SM; 0 = none)") \
	F(u64, held_since, "cycle in which the first of the currently resident CTAs was dispatched (in an SM)") \
	F(u64, share, "1 + the CTAs that the partition allows the launch (in an SM; 0 = no partition)")
/* Over all SMs: the SUM of counts, the FIRST of dates other than 0, the MOST. */
#define KERNEL_COUNTS(SUM, FIRST, MOST) \
	SUM(u64, issued, "warp instructions issued") \
	SUM(u64, threads, "thread instructions issued") \
	FIRST(u64, first_issue, "cycle of the first issue (0 = none yet)") \
	SUM(u64, ready, "issue slots in which at least one warp of the launch was ready, whether it issued or not") \
	SUM(u64, wasted, "warp instructions of CTAs flushed or killed, whose work was discarded") \
	SUM(u64, ended_issued, "warp instructions of finished CTAs") \
	SUM(u64, ended_cycles, "cycles that finished CTAs were resident, summed") \
	MOST(u64, ended_most, "most warp instructions issued by any finished CTA") \
	SUM(u64, held, "cycles with resident CTAs of the launch, up to held_since") \
	SUM(u32, started, "CTAs dispatched") \
	SUM(u32, ended, "CTAs that finished") \
	SUM(u32, resident, "CTAs resident now") \
	SUM(u32, left, "CTAs preempted or killed")

/* Derived from the resident and dispatched CTAs; never part of the hash. */
#define RESIDENCY_FIELDS(F, A) \
	F(u32, ctas, "resident CTAs of the launch") \
	F(u16, fit, "CTAs of the launch that fit an SM at a time, by all limits") \
	F(u16, capacity, \
	  "CTAs of the launch that fit an SM by the capacity limits: registers, shared memory, sm.contexts, sm.residents") \
	F(u32, marked, "instructions of the launch that violate idempotence (counted if preempt.ctas is not 0)") \
	F(u32, spare, "unused padding (0)") \
	A(u64, sms, 4, "bit set of SMs to which a CTA of the launch was dispatched in this iteration")

#define GPU_FIELDS(F, A) \
	F(u64, cycle, "completed SM clock cycles") \
	F(u32, stage, "stage to run next (0 = between cycles)") \
	F(u32, rotate, "SM that the CTA dispatcher serves first") \
	A(u64, out_set, SM_WORDS, "bit set of SMs with requests for the interconnect") \
	A(u64, write_set, 4, "bit set of SMs with global writes of this cycle") \
	A(u64, finish_set, 4, "bit set of SMs with CTAs whose warps have all exited") \
	A(u64, slice_set, SLICE_WORDS, "bit set of L2 slices with work to do") \
	F(u64, channel_set, "bit set of DRAM channels with work to do") \
	F(u64, retired, "CTAs retired so far, over all launches") \
	F(u32, running, "launches not yet done") \
	F(u32, dispatching, "1 if a launch has CTAs to dispatch and an SM may accept one") \
	F(u8, fault, "kind of the fault that stopped the program (0 = none)") \
	F(u8, fault_lane, "lane of the fault") \
	F(u16, fault_launch, "launch of the fault") \
	F(u32, fault_cta, "linear index of the CTA of the fault") \
	F(u32, fault_warp, "warp within the CTA of the fault") \
	F(u32, fault_pc, "index of the instruction of the fault") \
	F(u32, fault_sm, "SM of the fault") \
	F(u32, deadlock, "1 if unfinished warps wait and nothing can wake any of these warps") \
	F(u64, fault_address, "address of the fault") \
	A(u64, events, MAX_EVENTS, "events of the whole GPU (kernel start and end)") \
	F(u32, leaving, "CTAs to be preempted or killed at the next cycle boundary") \
	F(u32, parked, "preempted CTAs that wait to be dispatched again") \
	F(u64, moves_at, \
	  "next cycle in which a context transfer completes (chimera.switch; all ones = none, 0 = unknown)") \
	F(u64, departing, "CTAs whose context is being saved") \
	F(u64, rows, "rows of the preemption ledger so far") \
	F(u64, requests, "preemption requests so far") \
	F(u64, moving, "CTAs whose contexts are being transferred through the L2 (chimera.switch memory)")

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
	u32 line_shift, sectors;	      /* of L1D and L2 lines */
	struct policy_choice policy;	      /* the selected policies */
	u32 policy_subscribed;		      /* kinds of notice that a selected policy subscribes to */
	u32 policy_awake;		      /* 1: a selected policy forbids SMs with ready warps to sleep */
	u32 policy_any_time; /* 1: a selected policy may change its limits at any time, or looks at the CTAs that wait
			      */
	u32 policy_defers;   /* 1: a selected policy of hook rank defers to the order */
	u32 policy_gangs;    /* 1: the selected gang policy uses the gang table, and there is one */
	u32 policy_beside;   /* 1: secondary issue is possible: hook extra is set, or ideal.divergence */
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

/* A new machine for a configuration and a number of launches, of which `seats` may run at once; one allocation, freed
 * with free(). */
struct machine *machine_new(const struct config *c, u32 launches, u32 seats);
/* The size of a machine in bytes. */
u64 machine_size(const struct config *c, u32 launches, u32 seats);
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
