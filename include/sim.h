/*
 * sim.h - the simulator: a machine, the store beside it, the program it runs, the bus it speaks on.
 *
 * Nothing in core/ prints, reads a terminal, allocates while cycling, or exits. Only the timeline (timeline.h)
 * moves the machine in an interactive session; tests may call sim_cycle() themselves.
 */
#ifndef WARPSTEP_SIM_H
#define WARPSTEP_SIM_H

#include "bus.h"
#include "points.h"
#include "program.h"
#include "store.h"

struct machine;
struct packet;
struct bankq;

struct sim {
	struct machine *m;
	struct store store;
	const struct program *program;
	struct bus bus;
	/* host-side settings: change speed or order of visiting, never a result */
	bool sleep, stage_major, run_ahead;
	u32 threads;   /* of the host that visit SMs */
	bool faulting; /* an SM of the pool writes its fault down */
	u32 order_seed;
	const struct points **points; /* by launch: program points of its kernel, all or none; whether they are its own,
					 not those of a sim of which it is a fork */
	bool points_own;
	struct idempotence **trips; /* by launch: the instructions that end a CTA's right to be begun again; NULL if
				       CTAs stay (preempt.ctas) */
	bool trips_own;		    /* they are its own, not those of a sim of which it is a fork */
	u8 **params;		    /* by launch: its arguments with `iteration` filled in, and for which iteration */
	u32 *params_iteration;
	const struct kernel **kernel; /* by launch */
	u32 *next_in_stream;	      /* by launch: the launch of its stream that waits for it, NONE32: none */
	u32 *control_base;	      /* by launch: control bits of its first instruction, among those of all kernels */
	u64 *code;		      /* by launch: line address of its first instruction */
	u32 shadow;		      /* what observers keep: enum shadow_bit (shadow.h) */
	const struct listener *listener; /* told of what is performed (listen.h); NULL: nobody */
	struct at_once *at_once;	 /* an instruction whose result comes at once (at_once.h); NULL: none */
	u32 *line_base,
		nlines; /* by launch: first instruction of its kernel among those of all kernels; how many these are */
	u64 *ahead; /* by SM: the first cycle that it has not begun, if it is ahead of the GPU's; 0 outside sim_run() */
	struct worker_pool *pool;   /* of sim_run(), once it was worth one */
	struct sm_view *view;	    /* by SM (core.h) */
	struct one_slot *one_slots; /* by SM and entry of its table of gangs (core.h) */
	struct pools *pools;	    /* slots by sub-core and scheduler (core.h) */
};

/* Make the machine for a program at cycle 0. Fails if a launch cannot fit (the reason is given) or the settings clash.
 */
enum status sim_open(struct sim *s, const struct config *c, const struct policy_choice *policy, const struct program *p,
		     struct error *e);
void sim_close(struct sim *s);
/* Find the program points of all kernels that are launched, if that has not been done: schemes with `points` look at
 * them. */
void sim_points(struct sim *s);
/* dst becomes a simulator of its own in the same state: a copy of the machine, a copy-on-write fork of the store. What
 * it does from then on is not seen by src, which must not be closed before it. Its bus wants the same and is empty; it
 * keeps the shadow that src keeps. */
void sim_fork(struct sim *dst, const struct sim *src);
/* The same, but the machine of dst is m, which it takes; of src's machine only the sizes are read. */
void sim_fork_with(struct sim *dst, const struct sim *src, struct machine *m);

/* Make `shadow` a copy of s to look at, never to move: machine and values are its own (the memory is used again by the
 * next copy; zeroed at first), the rest is borrowed from s, which must outlive it. Its bus has no records. */
void sim_replica(struct sim *replica, const struct sim *s);
void sim_replica_free(struct sim *replica);

/* One whole cycle (finishing a partial one first counts as that one). Records of it are in s->bus afterwards. */
void sim_cycle(struct sim *s);
/* The next stage only; after seal the cycle is complete. The bus is cleared when a cycle begins. */
void sim_stage(struct sim *s);
/* If nothing can happen before cycle T <= limit, jump to it at once; returns the new cycle. No records are lost:
 * a skipped cycle has none. */
u64 sim_skip(struct sim *s, u64 limit);
/* Cycles and skips up to `limit` or an end, sooner than one by one (run_ahead.c), for as long as nobody listens to the
 * bus. REFUSED: somebody does, or the settings of the host forbid it; nothing was done. PAST_FAULT: the program faulted
 * and some SMs are past that: the machine must be put back to where it was and the cycles run one by one. */
enum run_end { RUN_DONE, RUN_REFUSED, RUN_PAST_FAULT };
enum run_end sim_run(struct sim *s, u64 limit);
/* In which cycle the next launch whose turn it is may start; NEVER if none waits. */
u64 launch_next(struct sim *s);
/* CTAs wait for a place, and a policy will decide anew who may come. */
bool sim_policy_comes(struct sim *s);
/* Is a policy to think again at a date (due)? */
bool sim_policy_dates(struct sim *s);
/* Completed cycles, and the settings: for those who look at no more of the machine. */
u64 sim_clock(const struct sim *s);
const struct config *sim_config(const struct sim *s);
/* Every launch is done; or the program faulted; or it is deadlocked. */
bool sim_finished(const struct sim *s);
bool sim_faulted(const struct sim *s);
bool sim_deadlocked(const struct sim *s);
/* Bring the counters of sleeping SMs up to date with the current cycle. */
void sim_sync(struct sim *s);
/* 64-bit hash of the state, machine and store, without what is only counted, so that programs with other statistics and
 * events can be compared; and hash of that, of every SM, slice and channel. Both call sim_sync. */
u64 sim_hash(struct sim *s);
u64 sim_counted(struct sim *s);
/* Put the settings of the host in s->m->config into force. */
void sim_host_settings(struct sim *s);
/* Change a TIMING setting or a policy at the current cycle. Returns an error for LAYOUT settings. */
enum status sim_set(struct sim *s, enum setting_id id, u32 value, struct error *e);
void sim_set_policy(struct sim *s, const struct policy_choice *policy);
void sim_get_policy(const struct sim *s, struct policy_choice *policy);
/* How a CTA leaves its SM: at its end; before, to begin again from its start (allowed as long as it has not tripped:
 * idempotence.h, chimera.idempotence), to go on where it was, or for good. */
enum leaving { LEAVE_RETIRE, LEAVE_FLUSH, LEAVE_SAVE, LEAVE_KILL };
/* When the next cycle begins the CTA in a slot of an SM leaves so; or, sm being gpu.sms, the one in that place of those
 * that wait is killed. An error if it cannot: nothing is there, it has finished, it has tripped, or no more can wait
 * (preempt.ctas). */
enum status sim_depart(struct sim *s, u32 sm, u32 slot, enum leaving how, struct error *e);
/* Change `n` bytes of global memory at the current cycle (journaled by the timeline). */
void sim_poke(struct sim *s, u64 address, const void *bytes, u64 n);
/* The same of what an SM holds: registers, predicates and local memory of a context (the layout is that of store.h), or
 * the shared memory of the CTA of one; or of the control bits of all kernels (struct control). Bytes there are, 0:
 * nothing. */
enum values_of { VALUES_CONTEXT, VALUES_SHARED, VALUES_CONTROL };
u64 sim_values_bytes(const struct sim *s, u32 sm, u32 context, enum values_of of);
void sim_poke_values(struct sim *s, u32 sm, u32 context, enum values_of of, u64 offset, const void *bytes, u64 n);

/* Status of a context in the last cycle (enum warp_status); WARP_STATUS_COUNT if it is not resident. */
u32 sim_warp_status(const struct sim *s, u32 sm, u32 context);
/* The last cycle in which a slice waits, at the most, for others of its warp where the sides of a branch meet
 * (vws.sync), 0: it does not stand so; missing: those that it waits for, a bit set. */
u64 sim_warp_sync(const struct sim *s, u32 sm, u32 context, u32 *missing);
/* The score of a slot with a buffered instruction (the least goes first), as it is now; NONE32: the order policy has
 * none to show. */
u32 sim_score(const struct sim *s, u32 sm, u32 slot);
/* Reads of a sub-core's instructions that wait for a bank of its register file, the next one first: at most n of them;
 * how many there are. With collector.allocate: those of instructions that have no ports yet, of the one in stage
 * Allocate first, of the one in Control last. */
u32 sim_bank_reads(const struct sim *s, u32 sm, u32 sub, u32 bank, struct bankq *out, u32 n);
/* With collector.allocate: cycles from now on in which the port of a bank is taken, and where an instruction in a
 * collector unit of the sub-core stands: control, allocate, waits, read. */
u32 sim_bank_taken(const struct sim *s, u32 sm, u32 sub, u32 bank);
const char *sim_operand_stage(const struct sim *s, u32 sm, u32 sub, u32 unit);
/* What the policies of a scheduler of an SM see (policy.h), as it is now; the one maker of it. */
const struct sched_view *sim_look(const struct sim *s, u32 sm, u32 sched);
/* The spread of the instructions that an SM's sub-cores issued: population standard deviation over mean, 0 of none. */
/* Scheduler slots of a sub-core that no warp holds. */
u32 sim_slots_left(const struct sim *s, u32 sm, u32 sub);
/* Registers and predicates that results on their way will write of an inactive CTA (by its number among the SM's
 * residents). */
u32 sim_cta_pending(const struct sim *s, u32 sm, u32 cta);
/* Instructions of a context that have issued and have still to read each of its registers, up to HAZARD_PRED
 * (issue.readers). */
void sim_readers(const struct sim *s, u32 sm, u32 context, u8 *count);
/* The memory operation of the re-execution queues that one of them, or of the LSU, may not pass; NONE32: it waits
 * behind none. */
u32 sim_reexec_barrier(const struct sim *s, u32 sm, u32 memop);
double sim_sub_variation(const struct sim *s, u32 sm);
/* Registers of a context: [register x 32 + lane], NULL if none; and its predicates. */
const u32 *sim_warp_regs(const struct sim *s, u32 sm, u32 context, u32 *nregs);
const u32 *sim_warp_preds(const struct sim *s, u32 sm, u32 context, u32 *npreds);
/* Shared memory of the CTA of a context, local memory of a lane of it, and their bytes; NULL where there are none. */
const u8 *sim_warp_shared(const struct sim *s, u32 sm, u32 context, u32 *bytes);
const u8 *sim_warp_local(const struct sim *s, u32 sm, u32 context, u32 lane, u32 *bytes);
/* PC (instruction index) and lanes on top of the SIMT stack; NONE32 and 0 if it has ended or is free. */
u32 sim_warp_pc(const struct sim *s, u32 sm, u32 context, u32 *mask);
/* The instruction that it issued in the last cycle and with which lanes; NONE32, and *mask as it was, if its status is
 * not `issued`. And what stands beside its status: that instruction, else the next one. */
u32 sim_warp_issued(const struct sim *s, u32 sm, u32 context, u32 *mask);
u32 sim_warp_at(const struct sim *s, u32 sm, u32 context, u32 *mask);

/* Interconnect clocks that a packet occupies a port, as a request or as an answer. */
u32 packet_length(const struct machine *m, const struct packet *p, bool answer);
/* The SM cycle in which a request that enters the crossbar in a clock of the interconnect is looked up in the L2. */
u64 lookup_cycle(const struct config *c, u64 clock);
/* Cycles from a launch's first issue to its last retired CTA, to now while it runs; 0: it has issued nothing. sim_sync
 * first. */
u64 sim_launch_cycles(const struct sim *s, u32 launch);

/* SMs in which a launch has CTAs. */
u32 sim_sms_held(const struct sim *s, u32 launch);
/* The pieces of a warp of 32 that is cut into slices, as sets of them: its gangs, then each slice by itself that is in
 * none and has not ended. How many, at most MAX_SUBCORES. */
u32 sim_pieces(const struct sim *s, u32 sm, u32 home, u8 *mask);
/* Summed counters (counters.h), of events (events.h): sim_sync first. */
u64 sim_sm_stat(const struct sim *s, u32 id);
u64 sim_l2_stat(const struct sim *s, u32 id);
u64 sim_dram_stat(const struct sim *s, u32 id);
u64 sim_status_sum(const struct sim *s, enum warp_status id);
u64 sim_outcome_sum(const struct sim *s, enum slot_outcome id);
u64 sim_event_count(const struct sim *s, u32 id);

struct status_row {
	const char *name;
	char letter;
	const char *doc;
};
extern const struct status_row warp_status_table[WARP_STATUS_COUNT];
extern const struct status_row slot_outcome_table[SLOT_OUTCOME_COUNT];
struct counter_row {
	const char *name, *unit, *doc;
};
extern const struct counter_row sm_stat_table[], l2_stat_table[], dram_stat_table[];
/* The counter of the gangs of so many small warps (from 2) that issued. */
extern const u16 gang_size_counter[];
struct stage_row {
	const char *name, *doc;
};
extern const struct stage_row stage_table[STAGE_COUNT];
struct class_row {
	const char *name;
	u8 unit;
	const char *doc;
};
extern const struct class_row class_table[CLASS_COUNT];
extern const char *const unit_name[UNIT_COUNT];

#endif
