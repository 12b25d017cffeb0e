/* ctas.h - parts of the pane of CTAs: what bounds them (ctas_bounds.c), how they change places (ctas_swap.c). */
#ifndef WARPSTEP_CTAS_H
#define WARPSTEP_CTAS_H

#include "sheet.h"

/* n, paused CTAs, and the counters against their thresholds, as a line of the note. */
void ctas_line(struct sheet *s, const struct pane_view *v);
/* How many CTAs a setting and policies let the focused SM have, and by which counters they decide: a table, and words
 * of the title; nothing where nothing bounds them. */
void ctas_bounds(struct sheet *s, const struct pane_view *v);
/* Who has warp slots, who waits for them, and why; nothing where no CTA is inactive and no policy swaps any. */
void ctas_swaps(struct sheet *s, const struct pane_view *v);

#endif
