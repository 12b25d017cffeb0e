/*
 * session.h - one sitting: what is being set up, the machine made from it, its timeline, stops, focus and output.
 */
#ifndef WARPSTEP_SESSION_H
#define WARPSTEP_SESSION_H

#include "command.h"
#include "timeline.h"

#include <jansson.h>

struct breaks;	 /* src/brk: breakpoints, watches, displays' conditions */

struct focus { u32 sm, sub, warp; };

/* What a buffer, a launch, ... were declared as, kept so that `restart` can make the machine anew. */
struct session {
	/* the stage */
	struct config config;		/* as it will be for the next machine */
	struct policy_choice policy;
	struct program program;
	char *scenario;			/* path opened, NULL none */
	char **note; u32 nnotes;
	char **finally; u32 nfinally, finally_line; char *finally_file;
	bool finally_ran;

	/* the machine */
	bool live;			/* sim and timeline exist */
	bool stale;			/* set-up changed since: `restart` needed */
	struct sim sim;
	struct timeline *timeline;
	bool moved;			/* a command has moved the machine */
	double host_seconds;		/* host time that moves have taken since the machine was made (host.seconds) */

	/* stops, focus, habits */
	struct breaks *breaks;
	struct focus focus;
	struct panes *panes;		/* src/tui: the machine of the last stop; NULL: not kept */
	struct console *console;	/* src/tui: what was printed; NULL: nothing yet */
	struct desk *desk;		/* src/tui: layout, focused pane, prompt; NULL: not asked for yet */
	u32 columns, rows;		/* of the screen to draw for (--size); 0: not given */
	u32 last_break; u64 last_hits;	/* $bpnum: newest breakpoint; $_hits: hits of the one that stopped last */
	u32 failed_checks;
	u32 livelock;			/* enum spin_verdict when a limit was reached last */
	struct store *functional;	/* results of `run --functional`, until the next move; NULL: none */

	/* input and output */
	bool batch, json, plain, trust, keep_going, quiet, interactive;
	u64 max_cycles; double max_seconds;
	FILE *out;			/* people's text (standard output; standard error with -j) */
	json_t *result;			/* with -j: the current command's "result" object, filled by session_result_* */
	bool quit; int quit_status;
	int depth;			/* of nested files and blocks */
	void *repl;			/* private to src/lang and src/session */
};

void session_open(struct session *s);
void session_close(struct session *s);

/* Text for people: printed to s->out (which is standard error when -j). Control bytes must already be safe. */
void session_print(struct session *s, const char *fmt, ...) PRINTF_LIKE(2, 3);
/* A line of JSON of its own, on standard output; the object is used up. */
void json_put(struct session *s, json_t *object);
/* The current command's JSON result (an object; created on first use). Cheap no-op target when !s->json: returns NULL then. */
json_t *session_result(struct session *s);

/* Make the machine from the stage if there is none (or it is stale and never moved). */
enum status session_make(struct session *s, struct error *e);
/* Positions that are known: checkpoint i with its name; place i where the machine stood (`back`). False at the end. */
bool session_checkpoint(const struct session *s, u32 i, const char **name, struct position *at);
bool session_place(const struct session *s, u32 i, struct position *at);
/* Throw the machine away and make it anew at cycle 0. */
enum status session_restart(struct session *s, struct error *e);
/* Show where the machine is after a move: the stop line, displays; JSON {"stop": {...}}. */
void session_stopped(struct session *s, enum stop_kind why, const char *detail);
/* The exit status that the machine's end asks for: 0, 3 fault, 4 deadlock. */
enum status session_end_status(const struct session *s, struct error *e);
/* The same of a stop whose list begins with `silent`: displays and JSON alone. */
void session_stopped_silently(struct session *s);
/* Global memory as commands should show and check it: the machine's, or the results of `run --functional`. */
const struct store *session_store(const struct session *s);
void session_forget_functional(struct session *s);
/* Time text ("300", "1ms", "200us") to cycles at gpu.clock. */
enum status session_time(const struct session *s, const char *text, u64 *cycles, struct error *e);

/* --- src/observe: expressions, fields, statistics --- */
enum value_kind { VALUE_INT, VALUE_REAL };
struct value { u8 kind; i64 i; double r; bool is_unsigned; /* i is the bits of a u64 */ };
struct expr;
/* Compile an expression: C operators and precedence over numbers, statistics (ipc, slots.issued), fields
 * (sm[3].warp[5].pc, gpu.cycle), convenience variables ($cycle, $sm, $warp, $cta, $kernel), event fields where records are
 * in scope (kernel, sm, sub, warp, cta, pc, lanes, a, b), buffer elements (c[3]). `columns` in errors are relative to text. */
enum status expr_compile(struct session *s, const char *text, struct expr **out, struct error *e);
/* Variables given by the caller, looked up first: name -> value (i in check formulas, record fields in conditions). */
struct expr_scope { bool (*lookup)(void *self, const char *name, struct value *out); void *self; const struct record *record; };
enum status expr_eval(struct session *s, const struct expr *x, const struct expr_scope *scope, struct value *out, struct error *e);
void expr_free(struct expr *x);
/* Bytes of a type (enum value_type) as a value. */
struct value value_load(u8 type, const u8 *in);
/* A real number cut to a whole one; itself if there is none of 64 bits. */
struct value value_whole(struct value v);
/* Text with a gdb format letter (0 = natural): x d u o t f c; r: all digits of a real. */
void value_format(struct value v, char format, struct text *out);
/* Two values that differ, as natural texts that do. */
void value_format_pair(struct value a, struct value b, struct text *x, struct text *y);

/* The n-th name of x that only a scope could give, NULL if there are no more: those who have no scope refuse it early. */
const char *expr_unbound(const struct expr *x, u32 n, u32 *column);

/* One statistic (flat dotted name) by glob; calls back for each in table order. Arrays give array = true and count
 * elements; text (config.hash, kernel.N.name) stands for the value where it is not NULL, unsafe to print as it is. */
struct stat_value { const char *name; u32 count; bool array; const struct value *value; const char *text, *unit, *doc; };
void stats_each(struct session *s, const char *glob, bool host, void (*fn)(void *self, const struct stat_value *v), void *self);
bool stat_get(struct session *s, const char *name, struct value *out);
u64 session_config_hash(const struct session *s); /* presets, settings, kernels, inputs */

/* --- src/brk --- */
struct breaks *breaks_open(struct session *s);
void breaks_close(struct breaks *b);
/* The watcher that stops at armed breakpoints; after a stop, what to say and run. */
const struct watcher *breaks_watcher(struct breaks *b);
/* The watcher sees cycles of a run forwards from now on, or not: what dprintf asks. */
void breaks_forwards(struct breaks *b, bool forwards);
/* After STOP_HIT: text of the stop ("breakpoint 2: ..."), run command lists; *resume if a list said continue. */
enum status breaks_report(struct breaks *b, struct text *out, bool *resume, struct error *e);
/* The commands that make the stops and displays anew (save session). */
void breaks_save(const struct breaks *b, struct text *out);
/* Once they stand and the machine is where it was: the cycles in which they were hit, and what they still ignore. */
void breaks_save_hits(const struct breaks *b, struct text *out);
/* Show every display: for session_stopped. The JSON array is new; NULL when there are none. */
void displays_show(struct session *s);
json_t *displays_json(struct session *s);

#endif
