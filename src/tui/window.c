/*
 * window.c - the time that the timeline pane shows, by columns (window.h).
 *
 * The machine's own time is the cursor: it stands in the last column, or in the middle where more is known of the
 * future. Columns stay the same as time goes.
 */
#include "window.h"

#include "lesson.h"
#include "machine.h"

#define LABEL 6u	/* cells before the letters, */
#define SUB_LABEL 8u	/* with the sub-core in front; */
#define SPARK_LABEL 18u /* the same where spark lines have names and scales, */
#define SPARK_WIDTH 60u /* from this width on */

/* Columns so that the cursor is the last, or in the middle where more is known of the future. */
static void place(struct window *w, u32 width)
{
	const struct session *s = w->v->session;
	u64 tip = lesson_hides(s) ? w->now : max_u64(timeline_tip(s->timeline).cycle, w->now), span, half;

	w->columns = width > w->label + 1 ? width - w->label : 1;
	while (w->columns > 1 && ((u64)w->columns << w->zoom) > HISTORY_MOST)
		w->columns--;
	span = (u64)w->columns << w->zoom;
	half = span / 2;
	w->to = min_u64(tip, w->now + half);
	w->from = w->to >= span ? w->to - span + 1 : 1;
	w->from = (((w->from - 1) + (1ULL << w->zoom) - 1) >> w->zoom << w->zoom) +
		  1; /* columns stay the same as time goes */
	w->to = min_u64(tip, w->from + span - 1);
}

/* Was a context resident in the window? */
static bool was_here(const struct window *w, u32 i)
{
	for (u64 c = w->from; c <= w->to; c++)
		if (history_status(w->h, c, i) < WARP_STATUS_COUNT)
			return true;
	return false;
}

/* Rows for contexts from `first` on, every `step`-th before `end`. */
static void find_warps(struct window *w, u32 first, u32 step, u32 end)
{
	for (u32 i = first; i < end && w->nwarps < ARRAY_LEN(w->warp); i += step)
		if (was_here(w, i))
			w->warp[w->nwarps++] = i;
}

/* Warps that have a row: of the sub-core, of each in turn, or small warps of one parent warp. */
static void find_rows(struct window *w)
{
	const struct machine *m = w->v->sim->m;
	u32 subs = m->config.sm_subcores, n = 1u << m->parent_shift, first = w->v->focus.warp & ~(n - 1);

	if (w->home)
		find_warps(w, first, 1, first + n);
	for (u32 sub = 0; sub < subs && !w->home; sub++)
		if (w->all || sub == w->sub)
			find_warps(w, sub, subs, m->contexts);
}

bool window_open(struct window *w, const struct pane_view *v, u32 width, bool all)
{
	struct session *s = v->session;
	struct history **slot = panes_history(s);

	*w = (struct window){.v = v,
			     .zoom = s->config.time_zoom,
			     .sm = v->focus.sm,
			     .sub = v->focus.sub,
			     .now = machine_gpu(v->sim->m)->cycle};
	w->home = v->sim->m->parent_shift && s->config.time_rows != TIME_SUBCORE;
	w->all = all && !w->home && v->sim->m->config.sm_subcores > 1;
	w->label = width >= SPARK_WIDTH && sparks_count(sparks_of(s)) ? SPARK_LABEL : w->all ? SUB_LABEL : LABEL;
	place(w, width);
	if (w->to < w->from || !history_read(slot, s, w->sm, w->from - 1, w->to))
		return false;
	w->h = *slot;
	find_rows(w);
	return true;
}

/* The most frequent of n kinds that count[] counts; n where none was. */
static u32 most_frequent(const u32 *count, u32 n)
{
	u32 best = n;

	for (u32 i = 0; i < n; i++)
		if (count[i] && (best == n || count[i] > count[best]))
			best = i;
	return best;
}

u32 window_status(const struct window *w, u32 warp, u32 x)
{
	u32 count[WARP_STATUS_COUNT + 1] = {0};

	for (u64 c = column_from(w, x); c <= column_to(w, x); c++)
		count[min_u32(history_status(w->h, c, warp), WARP_STATUS_COUNT)]++;
	return most_frequent(count, WARP_STATUS_COUNT);
}

bool window_joined(const struct window *w, u32 warp, u32 x)
{
	u32 n = 0, of = (u32)(column_to(w, x) - column_from(w, x) + 1);

	for (u64 c = column_from(w, x); c <= column_to(w, x); c++)
		n += history_joined(w->h, c, warp);
	return 2 * n > of;
}

u32 window_outcome(const struct window *w, u32 sched, u32 x)
{
	u32 count[SLOT_OUTCOME_COUNT + 1] = {0};

	for (u64 c = column_from(w, x); c <= column_to(w, x); c++)
		count[min_u32(history_outcome(w->h, c, sched), SLOT_OUTCOME_COUNT)]++;
	return most_frequent(count, SLOT_OUTCOME_COUNT);
}

double window_ipc(const struct window *w, u32 x)
{
	u64 issued = 0;

	for (u64 c = column_from(w, x); c <= column_to(w, x); c++)
		issued += history_issued(w->h, c);
	return (double)issued / (double)(column_to(w, x) - column_from(w, x) + 1);
}

double window_spark(const struct window *w, u32 i, u32 x)
{
	const double *before = history_sample(w->h, column_from(w, x) - 1),
		     *after = history_sample(w->h, column_to(w, x));

	return spark_value(sparks_of(w->v->session), i, w->v->session, before, after,
			   column_to(w, x) - column_from(w, x) + 1);
}

u32 window_columns(const struct window *w)
{
	return (u32)(((w->to - w->from) >> w->zoom) + 1);
}

u64 window_slots(const struct window *w, bool *holds)
{
	const struct machine *m = w->v->sim->m;
	u64 slots = 0;

	for (u64 c = w->from; c <= w->to; c++)
		for (u32 i = 0; i < m->schedulers; i++)
			slots += history_outcome(w->h, c, i) < SLOT_OUTCOME_COUNT;
	*holds = slots == history_slots(w->h, w->to) - history_slots(w->h, w->from - 1);
	return slots;
}

bool window_cycle_at(struct session *s, u32 width, u32 x, u64 *cycle)
{
	struct pane_view v;
	struct window w;

	pane_view_now(s, &v);
	if (!v.sim || !window_open(&w, &v, width, true) || x < w.label || x - w.label >= window_columns(&w))
		return false;
	*cycle = column_to(&w, x - w.label);
	return true;
}

const struct critical *window_path(const struct window *w)
{
	const struct session *s = w->v->session;

	return critical_holds(s, s->critical) ? s->critical : NULL;
}

const struct critical_stretch *window_stretch(const struct window *w, u32 x)
{
	const struct critical *c = window_path(w);
	const struct critical_stretch *best = NULL;
	u64 most = 0;

	for (u64 t = column_from(w, x); c && t <= column_to(w, x);) {
		const struct critical_stretch *a = critical_at(c, t);
		u64 end = a ? min_u64(a->to, column_to(w, x)) : t;

		if (a && end - t + 1 > most) {
			most = end - t + 1;
			best = a;
		}
		t = end + 1;
	}
	return best;
}

const struct cone *window_cone(const struct window *w)
{
	const struct cone *c = cone_now(w->v->session);

	return c && c->n ? c : NULL;
}

u32 window_effects(const struct window *w, u32 warp, u32 x, const struct effect **shown)
{
	const struct cone *c = window_cone(w);
	u32 n = c ? cone_events(c, w->sm, warp, column_from(w, x), column_to(w, x), shown) : 0;

	if (!n)
		*shown = NULL;
	for (u32 i = 0; i < n; i++)
		if ((*shown)[i].hard) {
			*shown += i;
			break;
		}
	return n;
}

bool window_awaited(const struct window *w, u32 warp, u32 x)
{
	const struct cone *c = window_cone(w);

	return c && c->sm == w->sm && c->warp == warp && column_from(w, x) <= c->answered &&
	       column_to(w, x) >= c->issued;
}
