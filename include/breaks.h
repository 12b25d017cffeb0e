/*
 * breaks.h - stops: breakpoints and watches of every kind, and the displays shown at a stop.
 *
 * A kind is one struct break_kind (src/brk/kind_*.c) and one row in breaks.def. It answers one
 * question after every cycle: is this a hit? Hits are kept by cycle and counted from the cycle in which
 * the machine was when the stop was made or enabled; every way forwards asks it, those that do not stop, too. So hit
 * counts and ignore counts are functions of the position and run back with it.
 */
#ifndef WARPSTEP_BREAKS_H
#define WARPSTEP_BREAKS_H

#include "expr.h"
#include "session.h"

/* What was seen in a cycle that was a hit. */
struct hit {
	u64 cycle;
	struct record record;	    /* the event, or the warp that it is about; kind NO_EVENT: none */
	struct value before, after; /* of a watch */
	u32 met;		    /* how many met it in the cycle; 0: one, or it is not known */
	u32 lane;		    /* of the record's warp that did it, where a kind finds that: culprit() */
	bool recalled;		    /* only its cycle is known: it comes from a session that was saved */
};

struct breakpoint;

struct break_kind {
	const char *name, *usage, *doc;
	const char *words; /* that may follow its name, apart by blanks; NULL: none */
	/* Take the text after the name (blanks trimmed, condition taken off). column: of text, for errors. */
	enum status (*parse)(struct session *s, struct breakpoint *b, const char *text, u32 column, struct error *e);
	/* The machine has been made: turn names into numbers. NULL: nothing to do. */
	enum status (*resolve)(struct session *s, struct breakpoint *b, struct error *e);
	bool several; /* more than one of them at once */
	/* Events to record: always the same, for each of its words, or as it says; cycles to see. */
	event_set events, by_word[2];
	event_set (*want)(const struct breakpoint *b);
	bool named; /* its hits are those events: conditions and formats know their numbers by their names */
	bool every_cycle;
	u64 (*next_cycle)(const struct breakpoint *b, u64 now); /* first cycle after now that it must see */
	/* The machine is at a position from which cycles follow: remember what the next one is compared with. */
	void (*placed)(struct session *s, struct breakpoint *b, const struct sim *sim);
	/* Whether the cycle just completed is a hit, the condition included. */
	bool (*check)(struct session *s, struct breakpoint *b, const struct sim *sim, struct hit *h);
	/* Where `check` is that of kinds about cycles in a row (streaks_check): how many things are looked at, whether
	 * one of them is in the state in this cycle, whom a hit by it is about. */
	u32 (*things)(const struct sim *sim);
	bool (*lasts)(const struct breakpoint *b, const struct sim *sim, u32 thing);
	void (*about)(const struct sim *sim, u32 thing, struct record *r);
	/* Where `check` is that of kinds about events: is an event one of those that are meant? NULL: every one is. */
	bool (*fits)(const struct breakpoint *b, const struct sim *sim, const struct record *r);
	/* A hit is to be told: find who did it, if that takes a second look at the cycle. NULL: the record says all. */
	void (*culprit)(struct session *s, const struct breakpoint *b, struct hit *h);
	/* Why it cannot have been hit, as things are; NULL: it can, or nobody knows. */
	const char *(*unmet)(const struct session *s);
	/* "warp 5 (SM 0, sub-core 1) in collector for 8 cycles" */
	void (*describe)(const struct session *s, const struct breakpoint *b, const struct hit *h, struct text *out);
};

enum break_kind_id {
#define BREAK(id) BREAK_##id,
#include "breaks.def"
#undef BREAK
	BREAK_KIND_COUNT
};
extern const struct break_kind *const break_kind_table[BREAK_KIND_COUNT];

enum watch_mode { WATCH_CHANGE, WATCH_RISE, WATCH_FALL, WATCH_ABOVE, WATCH_BELOW };

/* A spot in a program: an instruction of a kernel, and the last one of those that follow it and are meant, too. */
struct spot {
	const struct kernel *kernel;
	u32 pc, last;
};

/* Thing `thing` (a warp, a scheduler) began a streak in this cycle. */
struct streak_start {
	u64 cycle;
	u32 thing;
};

struct breakpoint {
	u32 number;
	const struct break_kind *kind;
	char *text; /* what follows the kind's name, as typed */
	char *name; /* `as NAME`, NULL none */
	bool enabled, temporary;
	bool resolved; /* usable on the machine that is there */
	char *condition_text;
	struct expr *condition;
	char **command;
	u32 ncommands;
	const struct line_origin *commands_from; /* of the list (rights.h) */
	struct print *print;			 /* dprintf: what its hits print, for it never stops; NULL: a stop */
	u64 ignore_rank;			 /* its first so many hits do not stop */
	struct hit *hit;			 /* in order of cycles */
	u32 nhits;
	u64 from, asked; /* hits count behind cycle `from`; it has been asked about every cycle from there to `asked` */

	/* what its kind parsed; unused ones 0 */
	u64 cycle;	  /* cycle */
	u32 event, match; /* event; bit set: 1 a, 2 b must equal want_a, want_b */
	u32 want_a, want_b;
	u32 reason;	   /* stall: warp status; lost: slot outcome */
	u32 next_reason;   /* stall: status that must follow, WARP_STATUS_COUNT: any, it is about a duration */
	u32 length;	   /* stall, lost, imbalance: cycles in a row */
	struct spot *spot; /* pc */
	u32 nspots;
	struct expr *expr; /* watch, if */
	u8 mode;	   /* enum watch_mode */
	double threshold;
	/* what the next cycle is compared with */
	bool known;
	struct value last;
	u32 *streak; /* stall: cycles in a row, by SM and warp; lost: by SM and scheduler; imbalance: by SM */
	u32 nstreaks;
	struct streak_start *start; /* beginnings of streaks in seen_from..seen_to, in order */
	u32 nstarts;
	u32 longest;		    /* run that was counted, whether it was a hit or not */
	u64 seen_from, seen_to;	    /* cycles whose hits are kept: recorded, not counted again */
	struct stop_hits_list *all; /* where those that meet it are entered; NULL: only the first is wanted */
};

struct display {
	u32 number;
	char format;
	bool enabled;
	char *text;
	struct expr *expr;
};

struct breaks {
	struct session *session;
	struct breakpoint **list; /* in order of numbers */
	u32 n, next_number;
	struct display *display;
	u32 ndisplays, next_display;
	struct watcher watcher;
	u64 last_cycle; /* that the watcher saw */
	bool reporting; /* a command list is being run */
	bool forwards;	/* the machine runs forwards: dprintf prints */
};

extern const struct session_part brk_part;
/* Where it was last met up to here, in a hit that counts; NULL: not yet. The warp that a hit is about gets the focus,
 * if it is about one. */
const struct hit *breakpoint_last(const struct session *s, const struct breakpoint *b);
void breakpoint_focus(struct session *s, const struct hit *h);
/* How many have met a stop in its hits up to here. All that met it in the present cycle, a line each; how many. */
u64 breakpoint_met(const struct session *s, const struct breakpoint *b);
u32 breakpoint_met_now(struct session *s, struct breakpoint *b, struct text *out);
/* The watcher that stops at armed breakpoints; after a stop, what to say and run. */
const struct watcher *breaks_watcher(struct breaks *b);
/* The watcher sees cycles of a run forwards from now on, or not: what dprintf asks. */
void breaks_forwards(struct breaks *b, bool forwards);
/* The first cycle behind which some armed stop has not been asked yet, where the machine is or later; NEVER: none is
 * armed. The machine has gone on to where it is, asking them. */
u64 breaks_unasked(const struct breaks *b);
void breaks_asked(struct breaks *b);
/* After STOP_HIT: text of the stop ("breakpoint 2: ..."), run command lists; *resume if a list said continue. */
enum status breaks_report(struct breaks *b, struct text *out, bool *resume, struct error *e);
/* The commands that make the stops and displays anew (save session). */
void breaks_save(const struct breaks *b, struct text *out);
/* Once they stand and the machine is where it was: the cycles in which they were hit, and what they still ignore. */
void breaks_save_hits(const struct breaks *b, struct text *out);

/* Make a stop from what follows `break`, `tbreak` (kind NULL: text begins with a kind, or is a place) or `watch`. */
enum status breaks_add(struct session *s, const struct break_kind *kind, const char *text, u32 column, bool temporary,
		       struct breakpoint **out, struct error *e);
struct breakpoint *breaks_find(struct breaks *b, u64 number, struct error *e);
/* By its name (`as NAME`); NULL if none has it. */
struct breakpoint *breaks_named(struct breaks *b, const char *name);
/* The next stop gets this number, which must be higher than any that there was. */
enum status breaks_number(struct breaks *b, u64 number, struct error *e);
/* It was hit in that cycle, met by so many, before the session was saved; nothing beyond the present. */
enum status breakpoint_recall(struct session *s, struct breakpoint *b, u64 cycle, u32 met, struct error *e);
/* Switch it on; if it was off its hits count from here on. */
void breakpoint_enable(const struct session *s, struct breakpoint *b);
/* Its hits count behind that cycle, and those up to the present have all been told. */
void breakpoint_counts_from(const struct session *s, struct breakpoint *b, u64 cycle);
/* Take the newest stop back, and its number. */
void breaks_drop(struct session *s, const struct breakpoint *b);
void breaks_delete(struct breaks *b, u32 number);
/* Replace the condition; text empty: none. Hits are counted anew. */
enum status breakpoint_condition(struct session *s, struct breakpoint *b, const char *text, u32 column,
				 struct error *e);
/* Hits up to the present position, from where they count. */
u64 breakpoint_hits(const struct session *s, const struct breakpoint *b);
/* `dprintf`: the stop b prints instead of stopping. text: expressions, set off by commas; column of it, for errors. */
enum status breakpoint_print(struct session *s, struct breakpoint *b, const char *format, const char *text, u32 column,
			     struct error *e);
/* Do not stop at the next n hits. */
void breakpoint_ignore(const struct session *s, struct breakpoint *b, u64 n);
/* "stall collector for 8 as NAME"; and with its condition and what it prints: "stall collector for 8 if kernel == 0" */
void breakpoint_what(const struct breakpoint *b, struct text *out);
void breakpoint_text(const struct breakpoint *b, struct text *out);
/* The last kernel has finished: say which enabled stops were never met. */
void breaks_say_unmet(struct session *s);
/* Names to numbers for the machine that is there; false: it waits for one that has them. */
bool breakpoint_resolve(struct session *s, struct breakpoint *b, struct error *e);

/* --- for the kinds --- */
/* The events that a stop is about. */
event_set breakpoint_events(const struct breakpoint *b);
/* Whether the condition holds for a record (may be NULL). A condition that cannot be evaluated does not hold. */
bool breakpoint_holds(struct session *s, const struct breakpoint *b, const struct record *r);
/* The next word of *text, copied into out; false at the end. */
bool word_take(const char **text, char *out, size_t size);
/* A whole number; the error says what it is for. */
enum status word_number(const char **text, const char *what, u64 most, u32 column, u64 *out, struct error *e);
/* Nothing may follow. */
enum status words_end(const char *text, u32 column, struct error *e);
/* "warp 5 (SM 0, sub-core 1, CTA 3)" and "00b0 fma r15,...": who and what a record is about. */
void record_who(const struct session *s, const struct record *r, struct text *out);
/* " (scale.cu:30)", where the instruction has a line of the source. */
void record_line(const struct session *s, const struct record *r, struct text *out);
void record_instruction(const struct session *s, const struct record *r, struct text *out);
/* The word that one of an event's two numbers stands for, by the number's name: an instruction class, an execution
 * unit, a kind of packet or of fault, why the L1D refused; NULL: it is a number. */
const char *record_word(u32 kind, const char *name, u32 n);
/* One line for a record: "issue warp 5 (SM 0, sub-core 1) lanes 32 class fp32". */
void record_text(const struct session *s, const struct record *r, struct text *out);
json_t *record_json(const struct record *r);

/* --- displays --- */
enum status display_add(struct session *s, char format, const char *text, u32 column, struct display **out,
			struct error *e);
bool display_delete(struct breaks *b, u64 number);
/* "1: ipc = 0.97", <not available> where it is not. */
void display_text(struct session *s, const struct display *d, struct text *out);
/* Show every display: for session_stopped. The JSON array is new; NULL when there are none. */
void displays_show(struct session *s);
json_t *displays_json(struct session *s);

#endif
