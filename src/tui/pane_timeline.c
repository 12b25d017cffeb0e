/*
 * pane_timeline.c - warp by cycle: one status letter for each warp of the focused sub-core in each cycle, the outcome of its
 * schedulers below, and the SM's instructions per cycle as a spark line.
 *
 * The machine's own time is the cursor: what moves it moves every pane. To its right stands what is known of the future
 * after going back. A column is 2^time.zoom cycles and shows the letter that was most frequent. Conservation: the letters of
 * all schedulers of the SM in the window are as many as the scheduler slots that the engine counted in it.
 */
#include "sheet.h"

#include "history.h"

#include <string.h>

#define LABEL 6u	/* cells before the letters */

/* The part of time that is shown. */
struct window {
	const struct pane_view *v;
	const struct history *h;
	u32 columns, zoom, sm, sub;
	u64 now, from, to;	/* cycles; from 1 */
	u32 warp[256], nwarps;	/* rows: warps of the sub-core that were resident in it */
};

/* The cycles that a column stands for. */
static u64 column_from(const struct window *w, u32 x) { return w->from + ((u64)x << w->zoom); }
static u64 column_to(const struct window *w, u32 x) { return min_u64(column_from(w, x) + (1ULL << w->zoom) - 1, w->to); }

/* Columns so that the cursor is the last, or in the middle where more is known of the future. */
static void place(struct window *w, u32 width)
{
	const struct session *s = w->v->session;
	u64 tip = max_u64(timeline_tip(s->timeline).cycle, w->now), span, half;

	w->columns = width > LABEL + 1 ? width - LABEL : 1;
	while (w->columns > 1 && ((u64)w->columns << w->zoom) > HISTORY_MOST)
		w->columns--;
	span = (u64)w->columns << w->zoom;
	half = span / 2;
	w->to = min_u64(tip, w->now + half);
	w->from = w->to >= span ? w->to - span + 1 : 1;
	w->from = (((w->from - 1) + (1ULL << w->zoom) - 1) >> w->zoom << w->zoom) + 1; /* columns stay the same as time goes */
	w->to = min_u64(tip, w->from + span - 1);
}

/* Warps that have a row. */
static void find_warps(struct window *w)
{
	u32 subs = w->v->sim->m->config.sm_subcores;

	for (u32 i = w->sub; i < w->v->sim->m->contexts && w->nwarps < ARRAY_LEN(w->warp); i += subs) {
		bool here = false;

		for (u64 c = w->from; c <= w->to && !here; c++)
			here = history_status(w->h, c, i) < WARP_STATUS_COUNT;
		if (here)
			w->warp[w->nwarps++] = i;
	}
}

/* Look at the time around now; false: there is nothing to show. */
static bool window_open(struct window *w, const struct pane_view *v, u32 width)
{
	struct session *s = v->session;
	struct history **slot = panes_history(s);

	*w = (struct window){.v = v, .zoom = s->config.time_zoom, .sm = v->focus.sm, .sub = v->focus.sub,
			     .now = machine_gpu(v->sim->m)->cycle};
	place(w, width);
	if (w->to < w->from || !history_read(slot, s, w->sm, w->from - 1, w->to))
		return false;
	w->h = *slot;
	find_warps(w);
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

/* The status that a cell shows, WARP_STATUS_COUNT: none. */
static u32 cell_status(const struct window *w, u32 warp, u32 x)
{
	u32 count[WARP_STATUS_COUNT] = {0};

	for (u64 c = column_from(w, x); c <= column_to(w, x); c++) {
		u8 status = history_status(w->h, c, warp);

		if (status < WARP_STATUS_COUNT)
			count[status]++;
	}
	return most_frequent(count, WARP_STATUS_COUNT);
}

/* The outcome that a cell shows. */
static u32 cell_outcome(const struct window *w, u32 sched, u32 x)
{
	u32 count[SLOT_OUTCOME_COUNT] = {0};

	for (u64 c = column_from(w, x); c <= column_to(w, x); c++) {
		u8 outcome = history_outcome(w->h, c, sched);

		if (outcome < SLOT_OUTCOME_COUNT)
			count[outcome]++;
	}
	return most_frequent(count, SLOT_OUTCOME_COUNT);
}

/* Instructions per cycle of the SM in a column, in warps of 32 threads. */
static double cell_ipc(const struct window *w, u32 x)
{
	u64 threads = 0;

	for (u64 c = column_from(w, x); c <= column_to(w, x); c++)
		threads += history_threads(w->h, c);
	return (double)threads / 32 / (double)(column_to(w, x) - column_from(w, x) + 1);
}

/* Columns that hold a cycle. */
static u32 columns_used(const struct window *w)
{
	return (u32)(((w->to - w->from) >> w->zoom) + 1);
}

/* Scheduler slots in the window; *holds: letters and the engine's counts agree. */
static u64 count_slots(const struct window *w, bool *holds)
{
	const struct machine *m = w->v->sim->m;
	u64 slots = 0;

	for (u64 c = w->from; c <= w->to; c++)
		for (u32 i = 0; i < m->schedulers; i++)
			slots += history_outcome(w->h, c, i) < SLOT_OUTCOME_COUNT;
	*holds = slots == history_slots(w->h, w->to) - history_slots(w->h, w->from - 1);
	return slots;
}

/* The title: where, which cycles, the sum. */
static void title(struct canvas *c, const struct window *w)
{
	struct text focus = {0}, sum = {0};
	bool holds;
	u64 slots = count_slots(w, &holds);

	text_add(&focus, "SM %u sub-core %u", w->sm, w->sub);
	text_add(&sum, "%llu to %llu, %u a column  slots ", (unsigned long long)w->from, (unsigned long long)w->to, 1u << w->zoom);
	text_add_sum(&sum, slots, holds);
	canvas_title(c, 0, "timeline", focus.s, sum.s);
	text_free(&focus);
	text_free(&sum);
}

/* The ruler: where now is. */
static void ruler(struct canvas *c, const struct window *w)
{
	u32 x = (u32)((w->now - min_u64(w->now, w->from)) >> w->zoom);
	char text[32];

	snprintf(text, sizeof(text), "%llu", (unsigned long long)w->now);
	if (w->now < w->from)
		return;
	canvas_put(c, LABEL + x, 1, c->ascii ? 'v' : 0x25be, STYLE_KEY);
	if (x > strlen(text))
		canvas_print(c, LABEL + x - (u32)strlen(text) - 1, 1, STYLE_DIM, "%s", text);
	else
		canvas_print(c, LABEL + x + 2, 1, STYLE_DIM, "%s", text);
}

/* One warp's letters. What lies after now is dim. */
static void warp_row(struct canvas *c, const struct window *w, u32 y, u32 warp)
{
	canvas_print(c, 1, y, STYLE_PLAIN, "w%u", warp);
	if (warp == w->v->focus.warp)
		canvas_focus(c, y);
	for (u32 x = 0; x < columns_used(w); x++) {
		u32 status = cell_status(w, warp, x);

		if (status < WARP_STATUS_COUNT)
			canvas_put(c, LABEL + x, y, (u8)warp_status_table[status].letter,
				   column_from(w, x) > w->now ? STYLE_DIM : status_style(status));
	}
}

/* One scheduler's letters. */
static void slot_row(struct canvas *c, const struct window *w, u32 y, u32 sched)
{
	canvas_print(c, 1, y, STYLE_PLAIN, w->v->sim->m->config.sm_schedulers > 1 ? "s%u" : "slot",
		     sched % w->v->sim->m->config.sm_schedulers);
	for (u32 x = 0; x < columns_used(w); x++) {
		u32 outcome = cell_outcome(w, sched, x);

		if (outcome < SLOT_OUTCOME_COUNT)
			canvas_put(c, LABEL + x, y, (u8)slot_outcome_table[outcome].letter,
				   column_from(w, x) > w->now ? STYLE_DIM : outcome_style(outcome));
	}
}

/* The instructions of the SM per cycle, of as many as its schedulers could issue. */
static void ipc_row(struct canvas *c, const struct window *w, u32 y)
{
	static const char ascii[] = " .:-=+*%#";
	const struct machine *m = w->v->sim->m;
	double most = (double)m->schedulers / m->config.issue_interval;

	canvas_print(c, 1, y, STYLE_PLAIN, "ipc");
	for (u32 x = 0; x < columns_used(w); x++) {
		double ipc = cell_ipc(w, x);
		u32 level = (u32)(ipc / most * 8 + 0.5);

		level = ipc > 0 && !level ? 1 : min_u32(level, 8);
		canvas_put(c, LABEL + x, y, c->ascii ? (u32)(u8)ascii[level] : level ? 0x2580 + level : ' ', STYLE_PLAIN);
	}
}

/* The first row so that the focused warp is seen. */
static u32 first_row(const struct window *w, u32 rows)
{
	u32 first = w->v->scroll, at = 0;

	if (!first && rows) {
		while (at < w->nwarps && w->warp[at] != w->v->focus.warp)
			at++;
		first = at < w->nwarps && at >= rows ? at - rows + 1 : 0;
	}
	return w->nwarps > rows ? min_u32(first, w->nwarps - rows) : 0;
}

/* Draw it: ruler, warps, schedulers, spark line. */
static void draw(struct canvas *c, const struct pane_view *v)
{
	u32 n = v->sim->m->config.sm_schedulers, below = n + 1, rows, first;
	struct window w;

	if (!window_open(&w, v, c->width)) {
		canvas_title(c, 0, "timeline", "", "");
		canvas_print(c, 1, 1, STYLE_DIM, "nothing has run yet");
		return;
	}
	title(c, &w);
	ruler(c, &w);
	below = c->height >= below + 4 ? below : 0;
	rows = c->height > 2 + below ? c->height - 2 - below : 0;
	first = first_row(&w, rows);
	for (u32 i = 0; i < rows && first + i < w.nwarps; i++)
		warp_row(c, &w, 2 + i, w.warp[first + i]);
	if (!below)
		return;
	rows = min_u32(rows, w.nwarps);
	for (u32 i = 0; i < n; i++)
		slot_row(c, &w, 2 + rows + i, w.sub * n + i);
	ipc_row(c, &w, 2 + rows + n);
}

/* Rows of its list. */
static u32 rows_of(const struct pane_view *v)
{
	struct window w;

	return v->sim && window_open(&w, v, 80) ? w.nwarps : 0;
}

/* Cycles of each status of a warp as words. */
static void say_warp(struct text *out, const struct window *w, u32 warp)
{
	u32 count[WARP_STATUS_COUNT + 1] = {0}, n = 0;

	for (u64 c = w->from; c <= w->to; c++)
		count[min_u32(history_status(w->h, c, warp), WARP_STATUS_COUNT)]++;
	text_add(out, "warp %u:", warp);
	for (u32 i = 0; i < WARP_STATUS_COUNT; i++)
		if (count[i])
			text_add(out, "%s %s %u", n++ ? "," : "", warp_status_table[i].name, count[i]);
	text_add(out, ".\n");
}

/* As sentences: the cycles that each warp spent in each status. */
static void say(struct text *out, const struct pane_view *v)
{
	struct window w;
	bool holds;
	u64 slots;

	if (!window_open(&w, v, 80)) {
		text_add(out, "timeline: nothing has run yet.\n");
		return;
	}
	slots = count_slots(&w, &holds);
	text_add(out, "timeline of SM %u sub-core %u, cycles %llu to %llu, now %llu. slots %llu, %s.\n", w.sm, w.sub,
		 (unsigned long long)w.from, (unsigned long long)w.to, (unsigned long long)w.now, (unsigned long long)slots,
		 holds ? "correct" : "wrong");
	for (u32 i = 0; i < w.nwarps; i++)
		say_warp(out, &w, w.warp[i]);
}

/* Letters of a row as a string. */
static json_t *letters(const struct window *w, u32 thing, bool outcome)
{
	struct text t = {0};
	json_t *o;

	for (u32 x = 0; x < columns_used(w); x++) {
		u32 kind = outcome ? cell_outcome(w, thing, x) : cell_status(w, thing, x);
		bool none = kind >= (outcome ? (u32)SLOT_OUTCOME_COUNT : (u32)WARP_STATUS_COUNT);

		text_add(&t, "%c", none ? ' ' : outcome ? slot_outcome_table[kind].letter : warp_status_table[kind].letter);
	}
	o = json_string(t.s ? t.s : "");
	text_free(&t);
	return o;
}

/* The numbers of the pane. */
static json_t *data(const struct pane_view *v)
{
	u32 n = v->sim->m->config.sm_schedulers;
	json_t *o = json_object(), *warps = json_object(), *slots = json_array(), *ipc = json_array();
	struct window w;
	char name[16];

	if (!window_open(&w, v, 80)) {
		json_decref(warps);
		json_decref(slots);
		json_decref(ipc);
		return o;
	}
	for (u32 i = 0; i < w.nwarps; i++) {
		snprintf(name, sizeof(name), "%u", w.warp[i]);
		json_object_set_new(warps, name, letters(&w, w.warp[i], false));
	}
	for (u32 i = 0; i < n; i++)
		json_array_append_new(slots, letters(&w, w.sub * n + i, true));
	for (u32 x = 0; x < columns_used(&w); x++)
		json_array_append_new(ipc, json_real(cell_ipc(&w, x)));
	json_object_set_new(o, "from", json_integer((json_int_t)w.from));
	json_object_set_new(o, "to", json_integer((json_int_t)w.to));
	json_object_set_new(o, "cycles", json_integer(1 << w.zoom));
	json_object_set_new(o, "warps", warps);
	json_object_set_new(o, "slots", slots);
	json_object_set_new(o, "ipc", ipc);
	return o;
}

const struct pane pane_timeline = {
	.name = "timeline", .summary = "warp by cycle: a status letter in each cell, outcomes and ipc below",
	.legend = "* issued  e eligible  C collector  U unit  M lsu  L long  S short  F fetch  B barrier  f fence  h held  . done\n"
		  "slot: i issued  p pipeline  s short  f fetch  l long  b barrier  h held  . idle   ipc: of all that could issue\n"
		  "v marks now; what lies right of it is the future that is known already (`set time.zoom N`: 2^N cycles a column)",
	.least_width = 24, .least_height = 4, .wish_height = 14, .stream = true, .draw = draw, .say = say, .data = data, .rows = rows_of,
};
