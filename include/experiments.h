/*
 * experiments.h - what holds a kernel back, by experiment: machines of their own, run in parallel, each with something
 * lifted or chosen otherwise.
 *
 * An experiment is a machine from cycle 0 with settings and policies of its own; the session's does not move. What a
 * limit is, and how it is lifted, stands in limits.def.
 */
#ifndef WARPSTEP_EXPERIMENTS_H
#define WARPSTEP_EXPERIMENTS_H

#include "session_data.h"

/* --- experiments (experiments.c) --- */
enum experiment_state {
	EXPERIMENT_WAITS,
	EXPERIMENT_RUNS,
	EXPERIMENT_DONE,
	EXPERIMENT_REFUSED, /* no such machine can be, or the kernel does not fit it: .why */
	EXPERIMENT_BROKEN,  /* the program faults, stands still or loops forever */
	EXPERIMENT_SLOW,    /* given up: it takes more than most_cycles */
	EXPERIMENT_STATES
};
extern const char *const experiment_state_name[EXPERIMENT_STATES];

/* What is counted in those cycles, to say why a machine with less to hold it back is slower. */
enum experiment_event {
#define EVENT(id, text) COUNTED_##id,
#include "limit_events.def"
#undef EVENT
	COUNTED_EVENTS
};

struct experiment {
	struct config config;
	struct policy_choice policy;
	u64 most_cycles; /* 0: no bound */
	u8 state;	 /* enum experiment_state; what was interrupted waits still */
	u64 cycles;	 /* that it took: of the launch, or of the stretch */
	u64 issued;	 /* warp instructions in them */
	u64 slack;	 /* of these, as many may be missing or too many: what issues in a cycle, of a stretch */
	u64 ended;	 /* the machine's cycle then */
	u64 event[COUNTED_EVENTS];
	u64 slots[SLOT_OUTCOME_COUNT]; /* issue slots, by what became of them */
	struct error why;
};
/* What is timed: a launch by itself, from its first issue to its last retired CTA, memory as those before it leave it;
 * or, launch being NONE32, of the whole program the cycles in which warp instructions (from, to] issue. */
struct experiment_of {
	u32 launch;
	u64 from, to;
};
/* Run those that wait, as many at a time as engine.threads says, until all have ended or Ctrl-C or --max-seconds
 * comes (interrupt_wanted()). tell: now and then, how many of them have ended; may be NULL. */
enum status experiments_run(struct session *s, const struct experiment_of *of, struct experiment *x, u32 n,
			    void (*tell)(struct session *s, u32 done, u32 n), struct error *e);
/* The machine as it is: settings without observers, policies. */
void experiment_base(const struct session *s, struct experiment *x);

/* --- limits --- */
struct limit {
	const char *name, *noun;
	bool many; /* "them" */
	const char *sets, *keeps, *advice;
};
enum limit_id {
#define LIMIT(id, ...) LIMIT_OF_##id,
#define PAIR(a, b)
#define BEHIND(a, b)
#define ONLY(a, b)
#include "limits.def"
#undef LIMIT
#undef PAIR
#undef BEHIND
#undef ONLY
	LIMIT_ROWS
};
extern const struct limit limit_table[LIMIT_ROWS];
struct limit_pair {
	u8 a, b;
};
/* Which two may hide each other; what (b) is waited for behind a. */
extern const struct limit_pair limit_pairs[], limit_behind[];
extern const u32 limit_npairs, limit_nbehind;
/* Which kernels a row can hold back; others are not run without it. */
enum limit_only { LIMIT_FOR_ALL, LIMIT_FOR_TEXTURES, LIMIT_FOR_LOCAL };
extern const u8 limit_only[LIMIT_ROWS];
/* Put what a row says into settings, "SETTING>=VALUE ..." (<=, =, *=, /=); have any changed? An error names what is
 * wrong in it. */
enum status limit_lift(const char *sets, struct config *c, bool *changed, struct error *e);

/* --- what is found (study.c) --- */
#define STUDY_NONE 255
struct finding {
	u8 a, b;    /* enum limit_id; b STUDY_NONE: one alone */
	bool hides; /* of a pair: lifting both saves much more than each does */
	struct experiment x;
	i64 saved; /* cycles, of one that is done */
	/* Of one that takes longer: what lifting the same saves where warps take turns (judged: it was run). */
	bool judged;
	u64 other_cycles, other_base;
};
struct study {
	struct experiment_of of;
	struct experiment base;
	struct finding *found; /* single ones first, those that save most first; then pairs, likewise */
	u32 nsingle, n;
	const char *other; /* the order of issues for `other_cycles` */
	bool stopped;	   /* not all have run */
};
/* Lift each limit that there is, then pairs. An error: not even the machine as it is has come to an end. */
enum status study_limits(struct session *s, const struct experiment_of *of, struct study *out,
			 void (*tell)(struct session *s, u32 done, u32 n), struct error *e);
void study_free(struct study *t);
/* The cycles that an experiment saves, of 100 of the base; 0 for one that is not done. */
double study_share(const struct study *t, const struct finding *f);
/* The row that saves most, alone or two that hide each other; NULL: none saves 3 %. */
const struct finding *study_first(const struct study *t);
/* Of a finding the single limit that says most of it by itself; NULL: of a pair that hides each other, neither. */
const struct finding *study_lead(const struct study *t, const struct finding *f);
/* What is waited for behind that one (of neither: behind both) and saves at least a third as much, to the end of the
 * chain; NULL: nothing. */
const struct finding *study_behind(const struct study *t, const struct finding *first);
/* Is a row that people see nearly as large as the first, so that its advice is worth as much? */
bool study_near(const struct study *t, const struct finding *f, const struct finding *first);
/* Is a finding slower than the machine as it is, so that a reason is due? */
bool study_loses(const struct study *t, const struct finding *f);
/* Why (study_losses.c): run what tells it, for all that lose; then say it. */
enum status study_losses(struct session *s, struct study *t, void (*tell)(struct session *s, u32 done, u32 n),
			 struct error *e);
void study_loss(const struct study *t, const struct finding *f, struct text *out);
/* What saves most, by its name in limits.def: "latency", "latency + l1d" of two that hide each other, "none". */
void study_name(const struct study *t, struct text *out);
/* "bound by ...: without it 41 % fewer cycles". */
void study_sentence(const struct study *t, struct text *out);

/* --- machines that are built or choose otherwise --- */
struct variant {
	const char *name, *sets, *policies, *doc;
};
extern const struct variant partition_table[];
extern const u32 partition_rows;
/* Put into a choice what follows `policy`. */
enum status limit_choose(const struct session *s, const char *policies, struct policy_choice *p, struct error *e);
/* Variants that this GPU can be, into room experiments: those of partitions.def; each scheme by itself. name: of each.
 * How many. */
u32 variants_partition(const struct session *s, struct experiment *x, const char **name, const char **doc, u32 room);
u32 variants_policy(const struct session *s, struct experiment *x, const char **name, const char **doc, u32 room);

#endif
