/* hits.h - the hits of a stop by cycle. Private to src/brk. */
#ifndef WARPSTEP_HITS_H
#define WARPSTEP_HITS_H

#include "breaks.h"

/* Hits in cycles up to and with `cycle`; the hit of that cycle, NULL if it was none. */
u32 hits_until(const struct breakpoint *b, u64 cycle);
struct hit *hits_at(const struct breakpoint *b, u64 cycle);
/* The first that counts; there may be none. */
const struct hit *hits_first(const struct breakpoint *b);
/* They count from here on. */
void hits_begin(const struct session *s, struct breakpoint *b);
/* Add one; a cycle is a hit once. */
void hits_keep(struct breakpoint *b, const struct hit *h);
/* Drop those after the tip of the timeline; drop all, and count from here on. */
void hits_cut(struct breakpoint *b, u64 tip);
void hits_forget(const struct session *s, struct breakpoint *b);
/* Whether the hit of that cycle stops: it is one, and its ignore count has run out. */
bool hits_stop(const struct breakpoint *b, u64 cycle);
/* Compile text that stands in `column` of its line. */
enum status breakpoint_compile(struct session *s, const char *text, u32 column, struct expr **out, struct error *e);
/* The same of one that knows no event. */
enum status breakpoint_value(struct session *s, const char *text, u32 column, struct expr **out, struct error *e);
/* Names of an expression that nothing gives at a hit are refused. */
enum status breakpoint_names(const struct breakpoint *b, const struct expr *x, u32 column, struct error *e);
/* What a hit prints: print it, once for each event of the cycle; free it; ", "FORMAT", EXPR" as it is typed. */
void print_hit(struct session *s, struct breakpoint *b, const struct sim *sim, const struct hit *h);
void print_free(struct print *p);
void print_text(const struct print *p, struct text *out);
/* The machine has been made: say which stops it has no place for. */
void breaks_say_lost(struct session *s);
/* What `check` is of kinds that are about events: a hit if one of those wanted fits, and the condition holds for it. */
bool records_check(struct session *s, struct breakpoint *b, const struct sim *sim, struct hit *h);
/* What `describe` is of kinds that say all that the event says. */
void record_describe(const struct session *s, const struct breakpoint *b, const struct hit *h, struct text *out);
/* A record that is about nobody. */
#define NO_RECORD \
	((struct record){.kind = NO_EVENT, \
			 .sm = NONE16, \
			 .warp = NONE16, \
			 .launch = 0xff, \
			 .sub = 0xff, \
			 .cta = NONE32, \
			 .pc = NONE32})
/* What `check` of the other kinds calls for each that meets the stop: it counts if the condition holds for its record;
 * the first is the one that is told. */
void stop_hits_add(struct session *s, const struct breakpoint *b, const struct record *r, struct hit *h);
/* Which slices of the warp of a hit stand where, while the machine is in that cycle. */
void slices_now(const struct session *s, const struct hit *h, struct text *out);
/* Free a stop and what it owns. */
void breakpoint_free(struct breakpoint *b);

/* Cycles in a row of several things at once: `placed` and `check` of kinds that are about those. */
void streaks_placed(struct session *s, struct breakpoint *b, const struct sim *sim);
bool streaks_check(struct session *s, struct breakpoint *b, const struct sim *sim, struct hit *h);
/* Cycles after the tip have not been seen. */
void streaks_cut(struct breakpoint *b, u64 tip);
/* [for N] at the end of a stop's text. */
enum status streaks_parse(struct breakpoint *b, const char *text, const char *what, u32 column, struct error *e);

/* What a record of a check is about, behind who; false: it is of another kind. */
bool record_check_text(const struct session *s, const struct record *r, struct text *out);

#endif
