/* why_parts.h - what the files of `why` share: one look at an SM, lines with their JSON. Private to src/observe. */
#ifndef WARPSTEP_WHY_PARTS_H
#define WARPSTEP_WHY_PARTS_H

#include "machine.h"
#include "why.h"

#define PAST_CYCLES 300 /* looked back */
#define PAST_ISSUES 64
#define WHY_TEXT 1024 /* bytes of an instruction's text */

struct scheme;
struct sched_view;

struct why {
	struct session *session;
	const struct sim *sim;
	struct machine *m;
	const struct warp *warps; /* of the SM, by context */
	const struct slot *slots;
	const struct cta *ctas;
	const struct cta_move *moves; /* by place of a CTA */
	const struct collector *collectors;
	const struct sm *sm_state;
	u32 sm, warp, sub;
	u64 cycle;
	struct forecast next;
	struct sim before; /* just before the issue stage of the cycle; before.m NULL: there is no such moment */
	u64 since;	   /* cycle from which the warp is in its status, as far back as was looked */
	struct {
		u32 pc;
		u64 cycle;
	} issue[PAST_ISSUES]; /* what it issued lately */
	u32 nissues;
	u32 deeper; /* levels by which lines stand further in: of another warp, which this one waits for */
	struct text *out;
	json_t *chain; /* NULL: no JSON is wanted */
};

/* Begin to look at an SM. */
void why_open(struct why *w, struct session *s, const struct sim *sim, u32 sm, struct text *out, json_t *result);
/* Is a context still that of an answer on its way, or has its CTA left since? */
static inline bool why_current(const struct why *w, u32 context, u32 generation)
{
	return w->warps[context].generation == generation;
}
/* Of each kernel that runs, what slot partition wants of it in the SM, and of each that has CTAs to come, what is in
 * the way of one there (why_room.c); the same of one kernel. */
void why_room(struct why *w);
void why_room_of(struct why *w, u32 launch);
/* What policy maestro does with the SM, what it has decided, how fast its kernels are there (why_epochs.c). */
void why_epochs(struct why *w);
/* Look up to `back` cycles back: w->before, and of w->warp (NONE32: none) w->since and what it issued. */
void why_past(struct why *w, u32 back);
/* The cycle in which the warp issued pc last, 0: longer ago. */
u64 why_issued_in(const struct why *w, u32 pc);
void why_close(struct why *w);
/* A line of the chain, two blanks for each level; with JSON an object {"link": ..., "text": ...}, returned for more
 * members. */
json_t *why_say(struct why *w, u32 level, const char *link, const char *fmt, ...) PRINTF_LIKE(4, 5);
/* A number of a link; nothing without JSON. */
void why_number(json_t *link, const char *name, u64 n);
/* Several, each {"name", n}. */
#define why_numbers(link, ...) why_members(link, (const struct why_member[]){__VA_ARGS__, {NULL, 0}})
struct why_member {
	const char *name;
	u64 n;
};
void why_members(json_t *link, const struct why_member *m);
/* A word of a link. */
void why_word(json_t *link, const char *name, const char *word);
/* "17: fma.rn.f32 r14, r4, r9, r14 (matmul.cu:12)", in a buffer of the block that asks. */
#define why_text(w, warp, pc) why_instruction(w, warp, pc, (char[WHY_TEXT]){""})
const char *why_instruction(const struct why *w, u32 warp, u32 pc, char *out);
/* "hold=smkw": the schemes that keep a warp of a status (livelock_kept_status) from issuing; of the slots that may,
 * those in which one stands. Nothing: it is none's doing. */
void why_keepers(const struct machine *m, u32 status, struct text *out);
/* "if nothing changes, the warp resumes in cycle 1204 (in 3 cycles)"; of cycle NEVER: "... does not resume by cycle
 * UNTIL". */
json_t *why_forecast(struct why *w, u32 level, u64 cycle, u64 until, const char *subject, const char *does,
		     const char *does_not);
/* The instruction that a warp is at, NULL if it has none. */
const struct inst *why_inst(const struct why *w, u32 warp);
const struct kernel *why_kernel(const struct why *w, u32 warp);
/* Where line accesses of load entry `load` are. */
void why_load(struct why *w, u32 level, u32 load);
/* Has the instruction in a collector unit of the sub-core not been chosen to go next (collector.order first)? */
bool why_behind(const struct why *w, u32 unit);
/* Where atomics with results are that a warp waits for as at a fence (sm.atomic_wait). */
void why_atomics(struct why *w, u32 level);
/* What its control bits and counters keep the warp from (issue.dependences control). */
void why_control(struct why *w);
/* Registers that have still to be read, for which it waits (issue.readers); one of the instructions that have. */
void why_readers(struct why *w);
void why_reader(struct why *w, const struct collector *c);
/* Those that have left their collector units and still read (lsu.read_data): of `counter`, 1 + the dependence counter;
 * 0: those that read a register. */
void why_reads_late(struct why *w, u32 counter, u32 reg);
/* Where its atomic on shared memory is, of which it waits for the end (shared.atomic_wait). */
void why_shared_atomic(struct why *w, u32 pc);
/* Requests of a kind with a tag: writes of a context, a fetch. */
void why_requests(struct why *w, u32 level, u32 kind, u32 tag);
/* What is on its way to an inactive CTA, which CTA has its slots, when it is swapped in: lines of a level. */
void why_inactive(struct why *w, u32 level, u32 place);
/* A row of the ledger by its number, NULL: none, or none any more; that by which a resident CTA came back. What a row
 * tells of the request and of what the ways were priced at; when its CTA comes back, or ends. */
const struct ledger *why_row(const struct sim *sim, u64 number);
const struct ledger *why_row_back(const struct why *w, const struct cta *cta);
void why_request(struct why *w, u32 level, const struct ledger *row);
void why_return(struct why *w, u32 level, u64 row);
/* Of a warp whose CTA is drained: one line, and for which request. */
void why_draining(struct why *w);
/* Of a launch that runs and has a deadline, of all such: its SMs, when they are due, when it is killed; no line for
 * others. */
void why_deadline(struct why *w, u32 level, u32 launch);
void why_deadlines(struct why *w, u32 level);
/* Which SMs the kernels of an SM would give up first. */
void why_ranking(struct why *w);
void why_moving(struct why *w); /* of a CTA whose context moves */
/* The warp has no slot: its CTA is inactive. */
void why_swapped(struct why *w);
/* It has one, and its CTA's context is on its way back. */
void why_restoring(struct why *w);
/* By which rank the warps of a scheduler of the SM go before others; what quotas give the kernels of an SM. */
void why_ranks(struct why *w, u32 sched);
void why_quotas(struct why *w);
/* What policy ws measures there, or has. */
void why_ws(struct why *w);
/* By what policies that can tell hold it back, and for how long. */
void why_holds(struct why *w);
/* A CTA of the SM, by its place, is paused: since when, and what brings it back. */
void why_paused_cta(struct why *w, u32 place);
/* Groups of asynchronous copies that the next instruction, one on copies, waits for. */
void why_copies(struct why *w, const struct inst *in);
/* Registers that the warp's next instruction waits for: those of memory, or the others. */
void why_registers(struct why *w, bool is_long);
/* Collector units of the sub-core and their holders, or the branch unit that a branch waits for; the LSU's queue. */
void why_unit(struct why *w);
void why_collectors(struct why *w);
void why_lsu(struct why *w);
/* What of a load, and of the warp's writes, waits in the re-execution queues; what a memory operation may not pass
 * there, false: nothing. */
void why_aside_load(struct why *w, u32 level, u32 load);
void why_aside_writes(struct why *w, u32 level);
bool why_barred(struct why *w, u32 level, u32 memop);
/* What the LSU's queue waits for: its head. */
void why_head(struct why *w, u32 level);
/* The scheduler of an SM that decides about a slot of the warp's sub-core in the cycle, as its number there. */
u32 why_scheduler(const struct why *w, u32 slot);
/* The choice of the scheduler of a slot, seen from the warp. */
void why_chosen(struct why *w);
/* What every other order would choose of the same candidates; mine: the choice of the one that decides. */
void why_orders(struct why *w, u32 level, const struct sched_view *v, const u64 *candidates, u32 mine);
/* An order's own words about a slot, ": age 12", and as members of o. */
void why_score(const struct scheme *order, const struct sched_view *v, u32 slot, struct text *out, json_t *o);
/* How far its next load is, and which warps are nearer to theirs (policy elf). */
void why_elf(struct why *w);
/* Of a warp with diverged lanes, some of which wait for others: where each path is. Status gang. */
void why_paths(struct why *w, u32 level);
/* Of a slice in a gang (why_gang.c): what its mates wait for, status gang; the same of one in any other status, which
 * they wait for. */
void why_gang(struct why *w);
void why_mates(struct why *w, u32 status);
/* The policy of gangs decided about the warp in the cycle: which gangs could issue, and did; false: it did not. */
bool why_gang_chosen(struct why *w);
/* A slice is in a gang, and was before the cycle's issue stage; it issued in one. */
bool why_ganged(const struct why *w, u32 warp);
bool why_issued_in_gang(const struct why *w, u32 warp);
/* What is said of a warp in a status. */
void why_status(struct why *w, u32 status);
/* The policies that can hold back warps of a state, or CTAs (policyslots.def, keeps). */
void why_policies(struct why *w, u32 keeps);
/* The warps of a CTA that have not ended: up to six, and how many more. */
void why_live(struct why *w, u32 level, const struct cta *cta);
/* Status of another warp with its instruction: "warp 3: long at 12: ld.global..." */
void why_other(struct why *w, u32 level, u32 warp);

#endif
