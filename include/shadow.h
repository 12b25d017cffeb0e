/*
 * shadow.h - what the observers of a kernel keep beside the values: counts per instruction, and who touched which byte.
 *
 * Counts and checks are switched on by settings of the host (stats.lines, check.*), which change no result and no hash.
 * What they keep lies in the store's shadow chunks: forked with every keyframe, so that going back restores it and a
 * replay goes on from there, and never hashed. One that is switched on later replays the run from its beginning
 * (timeline_again), so that what is shown is always a function of the position. Every chunk belongs to one SM, or is
 * written at seal alone, so the order of visiting SMs cannot be seen.
 *
 * Deviations: instructions from 65535 on share that number in what a check says; lanes of one warp are taken to be in
 * order from one instruction to the next, as they are on this machine; fences and flags order accesses to global memory
 * only (race_global.c).
 */
#ifndef WARPSTEP_SHADOW_H
#define WARPSTEP_SHADOW_H

#include "ids.h"
#include "sim.h"

enum shadow_bit {
	SHADOW_LINES = 1,
	SHADOW_RACES = 2,
	SHADOW_WRITTEN = 4,
	SHADOW_BARRIERS = 8,
	SHADOW_BANKS = 16,
	SHADOW_COALESCING = 32,
	SHADOW_OUTPUT = 64,   /* the program can print: no setting (output.h) */
	SHADOW_LISTENER = 128 /* somebody is told of what is performed: no setting (listen.h) */
};
#define SHADOW_BYTES (SHADOW_RACES | SHADOW_WRITTEN) /* those that look at every byte */

/* The bits that settings ask for; per-instruction counts are kept for whoever needs them. */
u32 shadow_bits(const struct config *c);

/* One instruction of a kernel, on one SM. */
struct line_count {
	u64 issues, threads;		 /* warp instructions; thread instructions */
	u64 statuses[WARP_STATUS_COUNT]; /* warp-cycles of warps that stood at it */
	u64 accesses, lines, sectors;	 /* global and local memory: instructions; line accesses; sectors */
	u64 sectors_best;		 /* sectors that the same bytes would fill side by side */
	u64 shared, shared_cycles;	 /* shared memory: instructions; cycles that their banks take */
	u64 shared_best;		 /* ... without any conflict */
	u64 turns;			 /* of shared_cycles, those in which lanes of an atomic take turns at a word */
	u64 degree;			 /* the most cycles of one instruction */
	u64 blocks;			 /* warp-cycles of those that it kept out (shadow_account) */
};

/* What a check found, once for each kind and pair of instructions; on one SM. */
enum finding_kind {
	FINDING_WRITE_WRITE,
	FINDING_READ_WRITE,
	FINDING_WRITE_READ,
	FINDING_UNWRITTEN,
	FINDING_BARRIERS,
	FINDING_KIND_COUNT
};
struct finding {
	u8 kind, space;
	u16 launch;
	u32 pc, pc2; /* of the later access and of the earlier one; NONE32: there is none */
	u32 spare;
	u64 count; /* warp instructions */
	u64 same;  /* of them, those that wrote the bytes that were there already */
	/* the first one */
	u64 cycle, address;
	u32 cta, cta2;
	u16 thread, thread2; /* within their CTAs */
	u32 spare2;
};
#define MAX_FINDINGS 128
struct findings {
	u64 events[MAX_EVENTS];
	u64 dropped; /* warp instructions that found no place in the list */
	u32 n, spare;
	struct finding item[MAX_FINDINGS];
};
extern const char *const finding_name[FINDING_KIND_COUNT];

/* Counts of instruction pc of the kernel of a launch, summed over SMs. False: they are not kept. */
bool shadow_line(const struct sim *s, u32 launch, u32 pc, struct line_count *out);
/* What was found on an SM; NULL: nothing yet. */
const struct findings *shadow_findings(const struct sim *s, u32 sm);
/* Records of a check's event so far: they are counted here, not in the machine. */
u64 shadow_events(const struct sim *s, u32 kind);

/* --- for src/core, where sim.shadow is not 0 --- */
struct sm_view;
struct memop;
struct front_result;
struct front_env;
/* An instruction has been performed (or has faulted); its entries of the write queue begin at `first`. */
void shadow_issue(struct sm_view *v, u32 context, u32 pc, const struct inst *in, const struct front_env *env,
		  const struct front_result *r);
/* A memory operation has been made. turns: of its cycles, those in which lanes of an atomic take turns, if it is of
 * shared memory. */
void shadow_memory(struct sm_view *v, u32 pc, const struct inst *in, const struct front_result *r,
		   const struct memop *op, u32 turns);
/* An access to shared memory begins to keep the banks busy. */
void shadow_served(struct sm_view *v, const struct memop *op);
/* Add cycles of the statuses as last seen, those of this cycle's issues excepted. A ready warp that the pipeline did
 * not take waits for one instruction in each cycle: with status lsu for the one that the LSU is busy with (an access to
 * shared memory whose banks are, else the first in the queue); with unit and collector, or where there is none, for the
 * one that has been in a collector unit of its sub-core longest; for its own where there is none, or the CTA of that
 * one has left. So the sum of `blocks` over instructions is that of the three statuses. */
void shadow_account(struct sm_view *v, u64 cycles);
/* What is kept of a CTA goes from one place to another: SM x CTA slots, then those of CTAs that wait. started:
 * cta.started there. */
void shadow_move_cta(struct sim *s, u32 to, u32 from, u64 started);
/* Who listens is told (listen.h): an instruction has been performed, of which lanes in `waits` get their results later;
 * it has given them only now. */
void listen_performed(struct sm_view *v, u32 context, u32 pc, const struct inst *in, const struct front_result *r,
		      u32 waits);
void listen_landed(struct sm_view *v, u32 context, u32 pc, u32 mask);
/* Barrier n of a CTA has let warps go. */
void shadow_release(struct sm_view *v, u32 cta, u32 n);
/* Entry i of the write queue is about to act. */
void shadow_write(struct sm_view *v, u32 i);
/* The user has changed bytes. */
void shadow_poke(struct sim *s, u64 address, u64 bytes);

#endif
