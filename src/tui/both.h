/* both.h - what the panes compare, tracks and difference share: the two sides as they stand. Private to src/tui. */
#ifndef WARPSTEP_BOTH_H
#define WARPSTEP_BOTH_H

#include "compare.h"
#include "sheet.h"

#define BOTH_NONE "no comparison yet (try `compare order=lrr`)"

/* The comparison, both sides put where the session stands; NULL: there is none. */
struct compare *both_of(const struct pane_view *v);
/* The same; where there is none, a canvas with a title says so. */
struct compare *both_open(struct canvas *c, const struct pane_view *v, const char *name);
/* One side, looked at as v looks at the session, so many columns wide. */
void both_view(struct compare *x, u32 side, const struct pane_view *v, u32 width, struct pane_view *out);
/* The first cycle in which they differ, in words; and a sentence with the change. */
void both_parting(const struct compare *x, struct text *out);
void both_say(struct text *out, const struct compare *x);
/* Mark in both what differs. */
void both_mark(struct canvas *a, struct canvas *b);

#endif
