/* arguments.h - what commands share: what words of a line name, how a stop is made, what completion asks them for.
 * Private to src/cmd. */
#ifndef WARPSTEP_ARGUMENTS_H
#define WARPSTEP_ARGUMENTS_H

#include "breaks.h"
#include "command.h"
#include "stats.h"

/* Call fn for every breakpoint that the tokens name (2, 1-3, a name), in order; for all if there are none. Nothing is
 * done on an error. */
enum status numbers_each(struct session *s, const struct args *a, void (*fn)(struct session *s, struct breakpoint *b),
			 struct error *e);
/* The breakpoint that a word names: its name, or an expression giving its number. NULL with an error. */
struct breakpoint *numbers_one(struct session *s, const struct arg *word, struct error *e);
/* A cycle: a number, a time with its unit, or an expression of one word. */
enum status cycle_take(struct session *s, const struct token *t, u64 *cycle, struct error *e);
/* [from CYCLE] [to CYCLE] of n tokens; what is not named stays. */
enum status cycles_take(struct session *s, const struct token *t, u32 n, u64 *from, u64 *to, struct error *e);
/* How many launches a word names: by a number, by the name of the launch or of its kernel, else by a part of such a
 * name; *first: of them. */
u32 launches_named(const struct session *s, const char *text, u32 *first);
/* The one launch that a word names, or an expression that gives its number; an error if it names several. */
enum status launch_take(struct session *s, const char *text, u32 column, u32 *launch, struct error *e);
/* The kernel that a word names: that of the launches it names, if all of them have the same, else one of the modules by
 * its name or by a part that it alone has. *launch: the first that launches it, NULL if none does. */
enum status kernel_take(struct session *s, const char *text, u32 column, const struct kernel **k,
			const struct launch **launch, struct error *e);
/* The focus on the first warp of a launch, or of one of its CTAs (cta NONE32: any), in a machine that stands where it
 * will be looked at; false: there is none. */
bool focus_launch(struct session *s, const struct sim *sim, u64 launch, u64 cta);
/* The pane of an argument; -1 with an error at its column. */
int pane_argument(const struct arg *a, struct error *e);

/* What the words of follow ask for. */
struct follow_wish {
	bool warp_given, load, line, off, sm_given, at;
	u32 sm, warp;
	u64 address, cycle;
};
/* From n words of follow or effects, the first of which is not looked at; then follow it. */
enum status follow_words(struct session *s, const char *verb, const struct token *word, u32 n, struct follow_wish *w,
			 struct error *e);
enum status follow_wished(struct session *s, const struct follow_wish *w, struct error *e);

/* A stop is about to be typed: make the machine if there is none and it can be made, so that places are looked up at
 * once. */
void break_ready(struct session *s);
/* The tree of origins that was shown last; NULL: there is none, or it is about another run. */
struct origin *origin_kept(const struct session *s);
extern const struct session_part origin_part;
/* stats lines [KERNEL], stats instructions [KERNEL] */
enum status stats_lines(struct session *s, const struct arg *kernel, bool instructions, struct error *e);
/* stats: what matters at a glance; and one statistic as a line: name, value, unit. */
void stats_short(struct session *s);
void stats_print(struct session *s, const struct stat_value *v);

/* Leave the full screen, unless that loses what is not saved and has not been asked just before: then an error that
 * says so. again: what is to be typed again. */
enum status quit_asked(struct session *s, const char *again, struct error *e);

/* Words that commands look up in tables of their own, the i-th, NULL after the last: parts of a launch; fills of a
 * buffer; what can finish; ways to leave an SM; what a focus is on. */
const char *launch_word(u32 i);
const char *fill_word(u32 i);
const char *texture_word(u32 i);
const char *texture_shape_word(u32 i);
/* Can a buffer be declared by that name? */
enum status buffer_name_check(struct session *s, const char *name, u32 column, struct error *e);
const char *finish_word(u32 i);
const char *leaving_word(u32 i);
const char *focus_word(u32 i);

#endif
