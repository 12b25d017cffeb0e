/*
 * pane_timeline.c - warp by cycle: one state letter for each warp of the SM, by sub-core, in each cycle, the outcome
 * of schedulers below, and the SM's instructions per cycle as a spark line. With small warps the rows are those of the
 * focused parent warp of 32 threads, and a small warp that is in a gang with the one above it, and in the same state,
 * is drawn as a stroke.
 *
 * The machine's own time is the cursor: what moves it moves every pane. To its right stands what is known of the future
 * after going back. A column is 2^time.zoom cycles and shows the letter that was most frequent. Conservation: the
 * letters of all schedulers of the SM in the window are as many as the scheduler slots that the engine counted in it.
 */
#include "machine.h"
#include "window.h"
#include "positions.h"

/* The title: where, which cycles, the sum. */
static void pane_timeline_title(struct canvas *c, const struct window *w)
{
	struct text focus = {0}, sum = {0};
	bool holds;
	u64 slots = window_slots(w, &holds);

	if (w->home)
		text_add(&focus, "SM %u parent warp %u", w->sm, context_parent(w->v->sim->m, w->v->focus.warp));
	else if (w->all)
		text_add(&focus, "SM %u", w->sm);
	else
		text_add(&focus, "SM %u sub-core %u", w->sm, w->sub);
	text_add(&sum, "%llu to %llu, %u per column  issue slots ", w->from, w->to, 1u << w->zoom);
	text_add_sum(&sum, slots, holds);
	canvas_title(c, 0, "timeline", focus.s, sum.s);
	text_free(&focus);
	text_free(&sum);
}

/* The cell of a cycle on the ruler; false: it is not shown. */
static bool pane_timeline_cell_of(const struct window *w, u64 cycle, u32 *x)
{
	if (cycle < w->from || cycle > w->to)
		return false;
	*x = w->label + (u32)((cycle - w->from) >> w->zoom);
	return true;
}

/* A checkpoint and its name, which stands left of it where it would reach over now or the edge. */
static void pane_timeline_checkpoint_mark(struct canvas *c, const struct window *w, const char *name, u64 cycle)
{
	u32 x, now, n = canvas_columns(c, name);
	bool left;

	if (!pane_timeline_cell_of(w, cycle, &x))
		return;
	left = x + 1 + n > c->width || (pane_timeline_cell_of(w, w->now, &now) && now > x && now <= x + n);
	if (!left || x >= n)
		canvas_text_at(c, left ? x - n : x + 1, 1, STYLE_PLAIN, name);
	canvas_put(c, x, 1, 0x25c6, STYLE_TITLE);
}

/* Does nothing stand on the ruler in n cells from x on? */
static bool pane_timeline_ruler_is_blank(const struct canvas *c, u32 x, u32 n)
{
	for (u32 i = x; i < x + n; i++)
		if (i >= c->width || c->cell[c->width + i].ch != ' ')
			return false;
	return true;
}

/* The cycle in digits, left of now, else right of it, where marks leave room. */
static void pane_timeline_now_label(struct canvas *c, const struct window *w, u32 x)
{
	char text[32];
	u32 n = (u32)snprintf(text, sizeof(text), "%llu", w->now);

	if (x > w->label + n + 1 && pane_timeline_ruler_is_blank(c, x - n - 2, n + 2))
		canvas_text_at(c, x - n - 1, 1, STYLE_DIM, text);
	else if (pane_timeline_ruler_is_blank(c, x + 1, n + 1))
		canvas_text_at(c, x + 2, 1, STYLE_DIM, text);
}

/* Does a column end at a tick of the ruler, every tenth? */
static bool pane_timeline_is_tick(const struct window *w, u32 x)
{
	return !((column_from(w, x) + (1ULL << w->zoom) - 1) % (10ULL << w->zoom));
}

/* Ticks where the ruler is blank; the cycle in digits behind one where there is room up to the next. */
static void pane_timeline_ticks(struct canvas *c, const struct window *w)
{
	for (u32 x = 0; x < window_columns(w); x++) {
		u64 cycle = column_from(w, x) + (1ULL << w->zoom) - 1;
		char text[32];
		u32 n = (u32)snprintf(text, sizeof(text), "%llu", cycle), at = w->label + x;

		if (!pane_timeline_is_tick(w, x) || !pane_timeline_ruler_is_blank(c, at, 1))
			continue;
		canvas_put(c, at, 1, 0x2502, STYLE_DIM);
		if (cycle % (20ULL << w->zoom) == 0 && pane_timeline_ruler_is_blank(c, at + 1, n + 1))
			canvas_text_at(c, at + 1, 1, STYLE_DIM, text);
	}
}

/* Positions visited before (`back` goes there): where nothing stands yet but ticks, so that they change nothing else.
 */
static void pane_timeline_visited(struct canvas *c, const struct window *w)
{
	const struct session *s = w->v->session;

	for (u32 i = 0, x; i < s->nvisited; i++)
		if (pane_timeline_cell_of(w, s->visited[i].cycle, &x) && x < c->width &&
		    (pane_timeline_ruler_is_blank(c, x, 1) || c->cell[c->width + x].ch == 0x2502))
			canvas_put(c, x, 1, 0x00b7, STYLE_DIM);
}

/* The ruler: now, checkpoints, ticks, positions visited before. It is the second line: a pane of one line
 * has none. */
static void pane_timeline_ruler(struct canvas *c, const struct window *w)
{
	const struct session *s = w->v->session;
	u32 x = 0;

	if (c->height < 2)
		return;
	for (u32 i = 0; i < s->ncheckpoint; i++)
		pane_timeline_checkpoint_mark(c, w, s->checkpoint[i].name, s->checkpoint[i].at.cycle);
	if (pane_timeline_cell_of(w, w->now, &x)) {
		pane_timeline_now_label(c, w, x);
		canvas_put(c, x, 1, 0x25be, STYLE_KEY);
	}
	pane_timeline_ticks(c, w);
	pane_timeline_visited(c, w);
}

/* What the path is spent on, column by column; dim where it is in another SM. */
static void pane_timeline_path_row(struct canvas *c, const struct window *w, u32 y)
{
	canvas_print(c, 1, y, STYLE_PLAIN, "path");
	for (u32 x = 0; x < window_columns(w); x++) {
		const struct critical_stretch *a = window_stretch(w, x);

		if (a)
			canvas_put(c, w->label + x, y, (u8)critical_table[a->reason].letter,
				   a->sm == w->sm ? STYLE_KEY : STYLE_DIM);
	}
}

/* Does the path lie on a warp of this SM in a column? */
static bool pane_timeline_on_path(const struct window *w, u32 warp, u32 x)
{
	const struct critical_stretch *a = window_stretch(w, x);

	return a && a->sm == w->sm && a->warp == warp;
}

/* The style of a state in a column: what hangs on an answer comes first, then the critical path; after now all is dim.
 */
static enum style pane_timeline_style(const struct window *w, u32 warp, u32 x, u32 status)
{
	const struct effect *effect;

	if (window_awaited(w, warp, x))
		return STYLE_FOLLOWED;
	if (window_effects(w, warp, x, &effect))
		return STYLE_CONE;
	if (pane_timeline_on_path(w, warp, x))
		return STYLE_KEY;
	return column_from(w, x) > w->now ? STYLE_DIM : status_style(status);
}

/* One warp's letters. */
static void pane_timeline_warp_row(struct canvas *c, const struct window *w, u32 y, u32 warp)
{
	bool gangs = w->home && w->v->session->config.time_rows == TIME_GANGS;

	if (w->all)
		canvas_print(c, 1, y, STYLE_DIM, "%u", warp % w->v->sim->m->config.sm_subcores);
	canvas_print(c, w->all ? 3 : 1, y, STYLE_PLAIN, "w%u", warp);
	if (warp == w->v->focus.warp)
		canvas_focus(c, y);
	for (u32 x = 0; x < window_columns(w); x++) {
		u32 status = window_status(w, warp, x);
		bool joined = gangs && window_joined(w, warp, x);

		if (status < WARP_STATUS_COUNT)
			canvas_put(c, w->label + x, y, joined ? 0x2502 : (u8)warp_status_table[status].letter,
				   pane_timeline_style(w, warp, x, status));
		else if (pane_timeline_is_tick(w, x))
			canvas_put(c, w->label + x, y, 0x00b7, STYLE_DIM);
	}
}

/* One scheduler's letters; several: those of other sub-cores stand there, too. */
static void pane_timeline_slot_row(struct canvas *c, const struct window *w, u32 y, u32 sched, bool several)
{
	const u32 n = w->v->sim->m->config.sm_schedulers;

	if (several && n > 1)
		canvas_print(c, 1, y, STYLE_PLAIN, "%u s%u", sched / n % 100, sched % n);
	else if ((several || w->home) && n == 1)
		canvas_print(c, 1, y, STYLE_PLAIN, "sub%u", sched / n % 100);
	else
		canvas_print(c, 1, y, STYLE_PLAIN, n > 1 ? "s%u" : "slot", sched % n);
	for (u32 x = 0; x < window_columns(w); x++) {
		u32 outcome = window_outcome(w, sched, x);

		if (outcome < SLOT_OUTCOME_COUNT)
			canvas_put(c, w->label + x, y, (u8)slot_outcome_table[outcome].letter,
				   column_from(w, x) > w->now ? STYLE_DIM : outcome_style(outcome));
	}
}

/* One level of a spark line, `most` the full height; anything but nothing is seen. */
static void pane_timeline_spark_cell(struct canvas *c, u32 x, u32 y, double value, double most)
{
	static const char ascii[] = " .:-=+*%#";
	u32 level = most > 0 && value > 0 ? (u32)(min_u32((u32)(value / most * 8 + 0.5), 8)) : 0;

	level = value > 0 && !level ? 1 : level;
	canvas_put(c, x, y, c->ascii ? (u32)(u8)ascii[level] : level ? 0x2580 + level : ' ', STYLE_PLAIN);
}

/* The instructions of the SM per cycle, of as many as its schedulers could issue. */
static void pane_timeline_ipc_row(struct canvas *c, const struct window *w, u32 y)
{
	const struct machine *m = w->v->sim->m;

	canvas_print(c, 1, y, STYLE_PLAIN, "ipc");
	for (u32 x = 0; x < window_columns(w); x++)
		pane_timeline_spark_cell(c, w->label + x, y, window_ipc(w, x),
					 (double)m->schedulers / m->config.issue_interval);
}

/* Events of the cone of `effects` in a column, of the warps that have a row. */
static u32 pane_timeline_effects(const struct window *w, u32 x)
{
	const struct effect *shown;
	u32 n = 0;

	for (u32 i = 0; i < w->nwarps; i++)
		n += window_effects(w, w->warp[i], x, &shown);
	return n;
}

/* The same for each column, full height the most. */
static void pane_timeline_cone_row(struct canvas *c, const struct window *w, u32 y)
{
	u32 most = 0;

	for (u32 x = 0; x < window_columns(w); x++)
		most = max_u32(most, pane_timeline_effects(w, x));
	canvas_print(c, 1, y, STYLE_PLAIN, "cone");
	for (u32 x = 0; x < window_columns(w); x++)
		pane_timeline_spark_cell(c, w->label + x, y, pane_timeline_effects(w, x), most);
}

/* Spark line i, of the largest value in the window, which stands before it where there is room. */
static void pane_timeline_spark_row(struct canvas *c, const struct window *w, u32 y, u32 i)
{
	const char *name = spark_text(sparks_of(w->v->session), i);
	double most = 0;
	char scale[16];
	u32 n;

	for (u32 x = 0; x < window_columns(w); x++)
		most = window_spark(w, i, x) > most ? window_spark(w, i, x) : most;
	n = (u32)snprintf(scale, sizeof(scale), "%.3g", most);
	canvas_print(c, 1, y, STYLE_PLAIN, "%.*s", (int)(w->label > n + 8 ? w->label - n - 3 : w->label - 2),
		     safe_text(name));
	if (w->label > n + 8)
		canvas_print(c, w->label - n - 1, y, STYLE_DIM, "%s", scale);
	for (u32 x = 0; x < window_columns(w); x++)
		pane_timeline_spark_cell(c, w->label + x, y, window_spark(w, i, x), most);
}

/* The first row so that the focused warp is seen, and of its sub-core as much as there is room for. */
static u32 pane_timeline_first_row(const struct window *w, u32 rows)
{
	u32 first = w->v->scroll, at = 0;

	if (!first && rows) {
		while (w->all && first < w->nwarps && w->warp[first] % w->v->sim->m->config.sm_subcores != w->sub)
			first++;
		while (at < w->nwarps && w->warp[at] != w->v->focus.warp)
			at++;
		if (at < w->nwarps && (at >= first + rows || at < first))
			first = at + 1 > rows ? at - rows + 1 : 0;
	}
	return w->nwarps > rows ? min_u32(first, w->nwarps - rows) : 0;
}

/* What stands below the warps: schedulers from `sched` on, spark lines, what letters mean. */
struct pane_timeline_below {
	u32 sched, nsched, path, cone, sparks, legend, rows;
};

/* Share the height: schedulers of all sub-cores where they leave most of it to the warps. */
static void pane_timeline_share(const struct canvas *c, const struct window *w, struct pane_timeline_below *b)
{
	const struct machine *m = w->v->sim->m;
	u32 room = c->height > 2 ? c->height - 2 : 0, warps;

	*b = (struct pane_timeline_below){.sched = w->sub * m->config.sm_schedulers, .nsched = m->config.sm_schedulers};
	b->legend = c->height >= LEGEND_HEIGHT;
	room -= b->legend;
	if (w->all && m->schedulers * 3 <= room) {
		b->sched = 0;
		b->nsched = m->schedulers;
	}
	warps = min_u32(w->nwarps, 2);
	if (room < b->nsched + 1 + warps) {
		b->nsched = 0;
		return;
	}
	b->path = window_path(w) && room > b->nsched + 1 + warps;
	b->cone = window_cone(w) && room > b->nsched + 1 + b->path + warps;
	b->sparks = min_u32(sparks_count(sparks_of(w->v->session)), room - b->nsched - 1 - b->path - b->cone - warps);
	b->rows = b->nsched + 1 + b->path + b->cone + b->sparks;
}

/* The warp states that the window's rows from `first` on hold, a bit each; and the outcomes. One more is for none. */
static u32 pane_timeline_statuses(const struct window *w, u32 first, u32 rows)
{
	u32 set = 0;

	for (u32 i = first; i < first + rows && i < w->nwarps; i++)
		for (u32 x = 0; x < window_columns(w); x++)
			set |= 1u << window_status(w, w->warp[i], x);
	return set;
}
static u32 pane_timeline_outcomes(const struct window *w, const struct pane_timeline_below *b)
{
	u32 set = 0;

	for (u32 i = 0; i < b->nsched; i++)
		for (u32 x = 0; x < window_columns(w); x++)
			set |= 1u << window_outcome(w, b->sched + i, x);
	return set;
}

/* Draw it: ruler, warps, schedulers, spark lines, the legend. */
static void pane_timeline_draw(struct canvas *c, const struct pane_view *v)
{
	struct pane_timeline_below b;
	struct window w;
	u32 rows, first, y;

	if (!window_open(&w, v, c->width, true)) {
		canvas_title(c, 0, "timeline", "", "");
		canvas_print(c, 1, 1, STYLE_DIM, "no cycle has run yet (try `step`)");
		return;
	}
	pane_timeline_title(c, &w);
	pane_timeline_ruler(c, &w);
	pane_timeline_share(c, &w, &b);
	rows = c->height > 2 + b.rows + b.legend ? c->height - 2 - b.rows - b.legend : 0;
	first = pane_timeline_first_row(&w, rows);
	rows = min_u32(rows, w.nwarps);
	for (u32 i = 0; i < rows; i++)
		pane_timeline_warp_row(c, &w, 2 + i, w.warp[first + i]);
	if (rows < w.nwarps)
		canvas_print(c, 1, 1, STYLE_DIM, "%u/%u", rows, w.nwarps);
	y = 2 + rows;
	for (u32 i = 0; i < b.nsched; i++, y++)
		pane_timeline_slot_row(c, &w, y, b.sched + i, b.nsched > v->sim->m->config.sm_schedulers);
	if (b.rows)
		pane_timeline_ipc_row(c, &w, y++);
	if (b.path)
		pane_timeline_path_row(c, &w, y++);
	if (b.cone)
		pane_timeline_cone_row(c, &w, y++);
	for (u32 i = 0; i < b.sparks; i++)
		pane_timeline_spark_row(c, &w, y++, i);
	if (b.legend)
		legend_line(c, c->height - 1, pane_timeline_statuses(&w, first, rows), pane_timeline_outcomes(&w, &b));
}

/* Rows of its list. */
static u32 pane_timeline_rows_of(const struct pane_view *v)
{
	struct window w;

	return v->sim && window_open(&w, v, 80, true) ? w.nwarps : 0;
}

/* Rows with title, ruler, schedulers, spark lines, legend. */
static u32 pane_timeline_height(const struct pane_view *v)
{
	struct window w;

	if (!window_open(&w, v, v->width, true))
		return 2;
	return 2 + w.nwarps + (w.all ? v->sim->m->schedulers : v->sim->m->config.sm_schedulers) + 2 +
	       (window_path(&w) != NULL) + (window_cone(&w) != NULL) + sparks_count(sparks_of(v->session));
}

const struct pane pane_timeline = {
	.name = "timeline",
	.summary = "state of each warp cycle by cycle, issue slot outcomes and IPC below",
	.legend =
		"warps: * issued  e eligible  C collector  U unit  M lsu  L long  S short  F fetch  B barrier  W fence  z paused  h held  o swapped out  X preempting  . done\n"
		"slot: outcome of each issue slot: * issued  P pipeline (C, U, M)  S short  F fetch  L long  B barrier  h held  . idle\n"
		"ipc: warp instructions per cycle, full height = all schedulers issue   issue slots: in the cycles shown\n"
		"with small warps: │ in a gang with the small warp above and in the same state, G waits for its gang (key t: gangs, small warps, sub-core)\n"
		"▾ now; right of it, cycles simulated before going back   ◆ checkpoint   · position visited before (`back`)\n"
		"path: reason of the critical path in each column, after `critical` (letters: `help critical`)\n"
		"cone: after `effects`, events per column that depend on that answer, full height = the most; their letters are marked\n"
		"`spark NAME` adds a line for a statistic, full height = the largest value shown; `set time.zoom N`: 2^N cycles per column",
	.ask = "goto 100, spark ipc, checkpoint",
	.size = {.least_width = 24, .least_height = 4, .wish_height = 14},
	.stream = true,
	.draw = pane_timeline_draw,
	.say = timeline_say,
	.data = timeline_data,
	.rows = pane_timeline_rows_of,
	.height = pane_timeline_height,
};
