/* ctas.h - parts of the pane of CTAs: what bounds them (ctas_bounds.c), how they change places (ctas_swap.c). */
#ifndef WARPSTEP_CTAS_H
#define WARPSTEP_CTAS_H

#include "sheet.h"

/* n, paused CTAs, and the counters against their thresholds, as a line of the note. */
void ctas_line(struct sheet *s, const struct pane_view *v);
/* How many CTAs a setting and policies let the focused SM have, and by which counters they decide: a table, and words
 * of the title; nothing where nothing bounds them. */
void ctas_bounds(struct sheet *s, const struct pane_view *v);
/* Do CTAs of the focused SM change places, or are some inactive? */
bool ctas_swap(const struct pane_view *v);
/* Of the CTA in a place, then: its counter, its turn, why it is or is not the next; its contexts, the bytes kept of
 * them, cycles since it became what it is. */
void ctas_swap_why(struct grid *g, const struct pane_view *v, u32 place);
void ctas_swap_kept(struct grid *g, const struct pane_view *v, u32 place);

#endif
