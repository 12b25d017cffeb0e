/*
 * compare.h - two machines from one place, A as it is and B with a change, run side by side.
 *
 * Both are simulators of their own with a timeline of their own: forks of the session's machine where the change can be
 * made in place, machines made anew where it is one of layout or of launches, or where that is asked for. The session's
 * machine, its journal and its stops see nothing of it. Each side has a session of its own to be looked at: the
 * session's with the side's machine, so that statistics, expressions, panes and causes take either.
 */
#ifndef WARPSTEP_COMPARE_H
#define WARPSTEP_COMPARE_H

#include "session.h"
#include "stats.h"

#define COMPARE_SETTINGS 32

/* What B does not share with A. */
struct compare_change {
	char *text; /* as it is typed, blanks between its words */
	u32 nsettings;
	struct {
		enum setting_id id;
		u32 value;
	} setting[COMPARE_SETTINGS];
	bool policies; /* the choice of schemes differs: */
	struct policy_choice policy;
	struct launch *launch; /* all launches of the program, some of them changed; NULL: none is */
	bool *own;	       /* by launch: it is changed, and its tables of threads are its own */
	u32 nlaunch;
	struct session
		*other; /* what B is made of where it has other kernels, another scenario or another GPU (other.h) */
	bool anew;	/* both machines begin at cycle 0, as `restart` would make them */
};
void compare_change_free(struct compare_change *x);
/* The settings of a machine with it. */
struct config compare_config(const struct session *s, const struct compare_change *x);

/* Where the sides run to. */
struct compare_goal {
	u64 cycles;	   /* so many on, NEVER: to the end */
	const char *until; /* or to where this expression holds, each by itself; NULL: no such */
	u32 column;	   /* of it in its line */
};

struct compare_side {
	struct session session;	  /* the session with this machine */
	const struct session *of; /* what it is made of: the session, or another */
	struct program program;	  /* of a machine made anew with other launches or times */
	enum stop_kind ended;	  /* why it cannot go on, STOP_NONE: it can */
	void *kept;		  /* what somebody keeps of it, freed with it */
	void (*kept_drop)(void *kept);
};

/* What one side did with a scheduler in the cycle in which they part. */
struct compare_issue {
	u32 warp;	  /* that issued, NONE32: none */
	u32 pc;		  /* its instruction */
	u32 outcome;	  /* of the scheduler's slot; SLOT_OUTCOME_COUNT: it had none */
	struct text text; /* the instruction */
	char place[96];	  /* its source line, "matmul.cu:14"; empty: not known */
};
struct compare_parting {
	bool found;
	u64 cycle;
	u32 sm, sub, sched;
	struct compare_issue side[2];
};

/* A statistic of both at their ends. */
struct compare_stat {
	const char *name; /* owned */
	const char *unit, *doc;
	struct value a, b;
	bool share;    /* a share of something: differences are in points of percent */
	double weight; /* how telling the difference is; 0: there is none */
};

enum { COMPARE_A, COMPARE_B };
struct compare {
	struct compare_change change;
	struct position from;
	struct compare_side side[2];
	struct compare_parting parting;
	u32 ahead;		   /* changes on the way of the run that neither side sees */
	u64 looked;		   /* up to this cycle parting was looked for */
	struct compare_stat *stat; /* those that both have, the most telling first */
	u32 nstats, differ;	   /* of them, so many differ */
	u64 end[2];		   /* cycles in which the sides ended, or stopped */
	enum stop_kind ended[2];
	char *ended_text[2];	 /* a fault's sentence, NULL: none */
	struct judged judged[2]; /* the scenario's checks on both that have finished */
};

/* Make both machines at their first cycle and end what was compared before. An error: B cannot be made. */
enum status compare_open(struct session *s, struct compare_change *x, struct compare **out, struct error *e);
/* Nothing is compared any more. */
void compare_close(struct session *s);
void compare_free(struct compare *c);
/* Run both to a goal, side by side, and find where they part. Ctrl-C and limits end it: what is known is kept. */
enum status compare_run(struct session *s, struct compare *c, const struct compare_goal *g, struct error *e);
/* The sides as the session is looked at now: focus, views, settings of the host. */
void compare_refresh(const struct session *s, struct compare *c);
/* Put both where the session stands: B in the same cycle, or with as many instructions done (compare.by). Where A has
 * ended, B is shown at its end, too. */
void compare_follow(struct session *s, struct compare *c);
/* The statistics of both where they stand now: an array to be freed with compare_stats_free. */
struct compare_stat *compare_stats(struct compare *c, u32 *n, u32 *differ);
void compare_stats_free(struct compare_stat *x, u32 n);
/* The sentence about where they part, or that they do not. */
void compare_sentence(const struct compare *c, struct text *out);
/* "B fails 1 of 2 checks", with what the first has said; nothing where all pass. name: of the machine. */
void judged_sentence(const struct judged *j, const char *name, bool first, struct text *out);
/* An error where checks fail on a machine of that name. */
enum status judged_status(const struct judged *j, const char *name, struct error *e);
/* A simulator as one side was in a cycle, with the records of that cycle; close it with sim_close. */
void compare_at(struct compare *c, u32 side, u64 cycle, struct sim *out);
/* Bytes that both sides hold and nobody else does. */
u64 compare_bytes(const struct compare *c);
/* B/A as text ("1.20x"); "" of shares, and where there is none. */
void compare_ratio_text(const struct compare_stat *x, char out[32]);
/* The difference with its sign; points of shares. */
void compare_difference_text(const struct compare_stat *x, char out[40]);
/* A value as the tables show it. */
void compare_value_text(const struct compare_stat *x, struct value v, char out[40]);

/* --- more than two --- */
enum compare_state {
	COMPARE_WAITS,
	COMPARE_RUNS,
	COMPARE_DONE,
	COMPARE_REFUSED, /* there can be no such machine: why */
	COMPARE_STOPPED	 /* before its end */
};
struct compare_entry {
	struct compare_change change;
	bool base; /* nothing is changed: the others are compared with it */
	u8 state;  /* enum compare_state */
	enum stop_kind ended;
	u64 cycle; /* that it came to */
	u32 n;
	struct compare_stat *stat; /* its statistics: name, share and a */
	struct judged judged;	   /* the scenario's checks, if it has finished */
	struct error why;
};
/* Run them all to a goal, as many at a time as the host has processors. tell (may be NULL): whenever more have ended.
 * False: Ctrl-C or a limit has ended it; those that are done are kept. */
bool compare_many(struct session *s, struct compare_entry *x, u32 n, const struct compare_goal *g,
		  void (*tell)(struct session *s, const struct compare_entry *x, u32 done, u32 n));
void compare_entries_free(struct compare_entry *x, u32 n);

/* --- one side --- */
/* A side with a change at its first cycle; and run on, up to a cycle, to a goal: STOP_LIMIT if that cycle came first.
 */
enum status compare_side_open(const struct session *s, const struct compare_change *x, struct compare_side *out,
			      struct error *e);
enum stop_kind compare_side_run(const struct session *s, struct compare_side *x, const struct compare_goal *g, u64 to);
/* The last cycle that a run from a cycle may reach; what it means that one was ended before its time. */
u64 compare_last(const struct session *s, u64 from, const struct compare_goal *g);
enum status compare_stopped(struct session *s, struct error *e);
/* Patterns that give every statistic but those that take long. */
#define COMPARE_GLOBS 3
extern const char *const compare_globs[COMPARE_GLOBS];

#endif
