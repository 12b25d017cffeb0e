/* numbers.h - the breakpoints that a command names: 2, 1-3, or all. */
#ifndef WARPSTEP_NUMBERS_H
#define WARPSTEP_NUMBERS_H

#include "command.h"
#include "breaks.h"

/* Call fn for every breakpoint that the tokens name, in order; for all if there are none. Nothing is done on an error.
 */
enum status numbers_each(struct session *s, const struct args *a, void (*fn)(struct session *s, struct breakpoint *b),
			 struct error *e);

/* The breakpoint that a word names: its name, or an expression giving its number. NULL with an error. */
struct breakpoint *numbers_one(struct session *s, const struct arg *word, struct error *e);

#endif
