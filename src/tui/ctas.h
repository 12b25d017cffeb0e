/* ctas.h - what bounds the CTAs of an SM, in the pane of its CTAs (ctas_bounds.c). */
#ifndef WARPSTEP_CTAS_H
#define WARPSTEP_CTAS_H

#include "sheet.h"

/* How many CTAs a setting and policies let the focused SM have, and by which counters they decide: a table, and words
 * of the title; nothing where nothing bounds them. */
void ctas_bounds(struct sheet *s, const struct pane_view *v);

#endif
