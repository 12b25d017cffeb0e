/*
 * window.h - the part of time that the timeline pane shows: columns of 2^time.zoom cycles around now, and what became
 * of the warps and schedulers of one SM in them.
 */
#ifndef WARPSTEP_WINDOW_H
#define WARPSTEP_WINDOW_H

#include "sheet.h"

#include "critical.h"
#include "effects.h"
#include "history.h"

struct window {
	const struct pane_view *v;
	const struct history *h;
	u32 label; /* cells before the letters */
	u32 columns, zoom, sm, sub;
	u64 now, from, to; /* cycles; from 1 */
	u32 warp[1024],
		nwarps; /* rows: warps that were resident in it, of the sub-core or of all, one after the other; */
	bool all;	/* sub-cores */
	bool home;	/* or slices of the focused warp's 32 lanes (time.rows) */
};

/* The cycles that a column stands for. */
static inline u64 column_from(const struct window *w, u32 x)
{
	return w->from + ((u64)x << w->zoom);
}
static inline u64 column_to(const struct window *w, u32 x)
{
	return min_u64(column_from(w, x) + (1ULL << w->zoom) - 1, w->to);
}

/* Look at the time around now in `width` cells, at the warps of the focused sub-core or of all; false: there is nothing
 * to show. */
bool window_open(struct window *w, const struct pane_view *v, u32 width, bool all);
/* Columns that hold a cycle. */
u32 window_columns(const struct window *w);
/* The status of a warp, the outcome of a scheduler, that a column shows: the most frequent; WARP_STATUS_COUNT and
 * SLOT_OUTCOME_COUNT: none. */
u32 window_status(const struct window *w, u32 warp, u32 x);
u32 window_outcome(const struct window *w, u32 sched, u32 x);
/* Is a small warp, most of the time that a column stands for, in a gang with the one before it, and in the same state?
 */
bool window_joined(const struct window *w, u32 warp, u32 x);
/* Warp instructions per cycle of the SM in a column; the value of spark line i there. */
double window_ipc(const struct window *w, u32 x);
double window_spark(const struct window *w, u32 i, u32 x);
/* The critical path, NULL: none is known that still holds; its stretch that takes most of a column, NULL: none. */
const struct critical *window_path(const struct window *w);
const struct critical_stretch *window_stretch(const struct window *w, u32 x);
/* The cone of `effects`, NULL: none is known that still holds, or it is empty. Events of a warp that lie in it in a
 * column, and the one that the column shows: the first with a hard reason, else the first; NULL: there is none. */
const struct cone *window_cone(const struct window *w);
u32 window_effects(const struct window *w, u32 warp, u32 x, const struct effect **shown);
/* Is the column between issue and answer of the instruction that the cone is of, which the warp issued? */
bool window_awaited(const struct window *w, u32 warp, u32 x);
/* Scheduler slots in the window; *holds: letters and the engine's counts agree. */
u64 window_slots(const struct window *w, bool *holds);
/* The cycle that column x of a timeline `width` wide stands for; false: none. */
bool window_cycle_at(struct session *s, u32 width, u32 x, u64 *cycle);
/* The window as sentences, and as numbers (timeline_say.c). */
void timeline_say(struct text *out, const struct pane_view *v);
json_t *timeline_data(const struct pane_view *v);

#endif
