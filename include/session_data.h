/*
 * session_data.h - what one sitting consists of, as data: the stage, the machine made from it, stops, focus, output.
 *
 * Everything from observe upwards reads it. The parts above the session keep what is theirs behind pointers.
 */
#ifndef WARPSTEP_SESSION_DATA_H
#define WARPSTEP_SESSION_DATA_H

#include "members.h"
#include "timeline.h"
#include "width.h"

struct line_origin;
struct command;

struct focus {
	u32 sm, sub, warp;
};

/* Which machine, and which of its pasts (session_era). */
struct era {
	u64 machine, inputs;
};

/* The preset that the settings began with. */
struct gpu_choice {
	char name[120]; /* as it was typed; empty: none */
	u32 whole;	/* its SMs, ... */
	u32 slice;	/* ... how many of them `sms N` took, or all, ... */
	u64 bandwidth;	/* ... and the bandwidth of the whole's DRAM (gpu_slice.h) */
};

struct session {
	/* the stage */
	struct config config; /* as it will be for the next machine */
	struct policy_choice policy;
	/* the choice of the GPU's preset: `policy default` */
	struct policy_choice preset;
	struct program program; /* made from the scene */
	struct scene *scene;	/* what was declared, kept so that `restart` can make the machine anew */
	struct gpu_choice gpu;	/* preset named last, for the next machine, ... */
	struct gpu_choice made; /* ... and for the one that is there */
	char *scenario;		/* path opened, NULL none */
	char **note;
	u32 nnotes;
	struct lesson *lesson;		/* lesson.h; NULL: none */
	bool finally_ran, finally_runs; /* the block `finally` has run, is running */
	u64 finally_version;		/* of the timeline, whose end the block `finally` has seen */

	/* the machine */
	bool live;   /* sim and timeline exist */
	u64 made_of; /* revision of the scene that it was made of */
	bool stale;  /* set-up changed since: `restart` needed */
	struct sim sim;
	struct timeline *timeline;
	u64 generation;	     /* of machines made */
	bool moved;	     /* a command has moved the machine */
	double host_seconds; /* host time that moves have taken since the machine was made (host.seconds) */

	/* positions */
	struct checkpoint *checkpoint; /* those with names */
	u32 ncheckpoint;
	struct position *visited; /* where the machine stood, for `back` and `forward` */
	u32 nvisited, visited_at;

	/* stops, focus, habits */
	struct breaks *breaks; /* src/brk: breakpoints, watches, displays */
	struct focus focus;
	struct {
		struct focus at;
		u32 launch, cta;
		bool known;
	} seen;			 /* of whom the focused warp was at the last stop; not known: nobody was there */
	struct panes *panes;	 /* src/tui: the machine of the last stop; NULL: not kept */
	struct console *console; /* src/tui: what was printed; NULL: nothing yet */
	struct desk *desk;	 /* src/tui: layout, focused pane, prompt; NULL: not asked for yet */
	struct sources *sources; /* src/observe: texts of the CUDA source (source.h); NULL: nobody has asked */
	u32 columns, rows;	 /* of the screen to draw for (--size); 0: not given */
	u32 last_break;
	u64 last_hits;		  /* $bpnum: newest breakpoint; $_hits: hits of the one that stopped last */
	u32 passed_checks;	  /* of `check` and `expect` */
	event_set wants_checks;	  /* events of checks that expressions have named: lang switches them on */
	u64 outputs, outputs_of;  /* calls of printf that have been said; of which machine (generation) */
	u32 livelock;		  /* enum livelock_verdict when a limit was reached last */
	struct store *functional; /* results of `run --functional`, until the next move; NULL: none */
	struct origin *origin;	  /* the tree that `origin` showed last (origin.h); NULL: none */
	struct alone_list *alone; /* launches run by themselves (alone.h); NULL: none */
	struct compare *compare;  /* two machines side by side (compare.h); NULL: nothing is compared */
	struct runs *runs;	  /* those that have come to their ends (runs.h); NULL: none has */
	struct sweep *sweep;	  /* axes and points that lines have declared (sweep.h); NULL: none has */

	char doing[48];		   /* how far a long command is, for the status bar; empty: nothing is said */
	struct critical *critical; /* the critical path that was asked for last (critical.h); NULL: none */
	struct cone *cone;	   /* what hangs on the answer that was asked for last (effects.h); NULL: none */
	struct follow *follow;	   /* the instruction that is followed (follow.h); NULL: none */

	/* the record of set-up, for `save session` */
	struct script_line *script;
	u32 nscript;
	struct {
		char *stops;			/* the commands of stops and checkpoints; NULL: none */
		u32 script;			/* lines of the record */
	} saved;				/* what a file holds, or what the sitting began with: unsaved.c */
	char *compile;				/* compile.h: the command; NULL: none ... */
	const struct line_origin *compile_from; /* ... of the line that gave it */
	char **allowed;				/* what the user has allowed to be run */
	u32 nallowed;
	char *path_to;		  /* of the line being run: its path as resolved, NULL none, ... */
	u32 path_start, path_end; /* ... and where in the line the path is written */
	bool rehearses;		  /* nobody sees it, and it writes no file: a lesson's answers are computed in it */
	int quiet_depth; /* > 0: inside a preset: lines are not recorded, a machine that has moved is left alone */

	/* input and output */
	struct lang *lang;		  /* src/lang: definitions, aliases, errors, undo */
	struct line_source *source;	  /* that a line is being run from; NULL none */
	struct line_origin **line_origin; /* of lines that are kept (rights.h) */
	u32 nline_origins;
	const struct command *running; /* the row of the command being run, the innermost; NULL none */
	const struct session_ops *above;
	char *(*answer)(struct session *s,
			const char *prompt); /* ask the user a question: xmalloc'ed, NULL no answer */
	bool batch, json, plain, trust, keep_going, quiet, interactive;
	bool commanded; /* -e or -x is given: a batch run, too, may go back */
	u64 max_cycles;
	double max_seconds;
	bool on_terminal; /* where `out` leads to a terminal, its width bounds what is printed */
	FILE *out;	  /* people's text (standard output; standard error with -j) */
	struct wrap fold; /* the line that is being printed there */
	FILE *log;	  /* a copy of it, NULL none */
	json_t *result;	  /* with -j: the current command's "result" object; NULL: not made yet */
	bool quit;
	int quit_status;
	int depth; /* of nested files and blocks */
};

/* Whether the focus lies in the machine that is there: a new one may be smaller. */
bool focus_exists(const struct session *s);

/* Global memory as commands should show and check it: the machine's, or the results of `run --functional`. */
static inline const struct store *session_store(const struct session *s)
{
	return s->functional ? s->functional : &s->sim.store;
}

/* The live machine and what has been done to it: what was found out about them holds while both are the same. */
static inline struct era session_era(const struct session *s)
{
	return (struct era){.machine = s->generation, .inputs = timeline_version(s->timeline)};
}
static inline bool session_era_holds(const struct session *s, struct era then)
{
	return s->live && then.machine == s->generation && then.inputs == timeline_version(s->timeline);
}

#endif
