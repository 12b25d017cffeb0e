/*
 * pane_breakpoints.c - breakpoints, watchpoints and temporary ones with their hits so far, ignore counts, command
 * lists, and the last hit of each: cycle, SM and warp.
 *
 * Hits and places are functions of the position: they count from where a stop was set, and going back takes them back.
 * Conservation: the hits of the rows are those that `info breakpoints` counts.
 */
#include "desk.h"
#include "sheet.h"

#include "breaks.h"

static const struct grid_column column[] = {
	{.name = "number", .heading = "#", .width = 3, .right = true},
	{.name = "state", .width = 7},
	{.name = "breakpoint", .width = 20, .wide = true},
	{.name = "condition", .heading = "if", .width = 11, .drop = 2},
	{.name = "hits", .width = 5, .right = true},
	{.name = "matches", .heading = "match", .width = 5, .drop = 5, .right = true},
	{.name = "ignore", .width = 6, .drop = 4, .right = true},
	{.name = "commands", .heading = "cmds", .width = 4, .drop = 3, .right = true},
	{.name = "last", .width = 8, .right = true},
	{.name = "sm", .width = 3, .drop = 6, .right = true},
	{.name = "warp", .width = 4, .drop = 1, .right = true},
};

/* Enabled, disabled, temporary, or without a location in the program. */
static const char *pane_breakpoints_state(const struct pane_view *v, const struct breakpoint *b)
{
	if (!b->enabled)
		return "off";
	if (v->sim && !b->resolved)
		return "pending";
	return b->temporary ? "once" : "on";
}

/* One breakpoint. */
static void pane_breakpoints_row(struct grid *g, const struct pane_view *v, const struct breakpoint *b, bool cursor)
{
	const struct hit *last = breakpoint_last(v->session, b);
	u64 hits = breakpoint_hits(v->session, b);
	enum style style = b->enabled ? STYLE_PLAIN : STYLE_DIM;
	struct text what = {0};

	if (last && last->cycle == session_now(v->session).cycle)
		grid_focus(g);
	if (cursor)
		grid_cursor(g);
	breakpoint_what(b, &what);
	grid_int(g, style, b->number);
	grid_text(g, b->enabled ? STYLE_KEY : STYLE_DIM, pane_breakpoints_state(v, b));
	grid_text(g, style, what.s);
	grid_text(g, style, b->condition_text ? safe_text(b->condition_text) : "");
	grid_int(g, style, (i64)hits);
	grid_int(g, style, (i64)breakpoint_met(v->session, b));
	grid_known(g, STYLE_PLAIN, (i64)(b->ignore_rank - hits), b->ignore_rank > hits);
	grid_known(g, STYLE_PLAIN, b->ncommands, b->ncommands);
	grid_known(g, STYLE_PLAIN, last ? (i64)last->cycle : 0, last);
	grid_known(g, STYLE_PLAIN, last ? last->record.sm : 0, last && last->record.sm != NONE16);
	grid_known(g, STYLE_PLAIN, last ? last->record.warp : 0, last && last->record.warp != NONE16);
	text_free(&what);
}

/* The last hit of the breakpoint under the cursor, and its command list. */
static void pane_breakpoints_note(struct sheet *s, const struct pane_view *v, const struct breakpoint *b)
{
	const struct hit *last = breakpoint_last(v->session, b);

	if (last && last->recalled)
		text_add(&s->note, "breakpoint %u: last hit in cycle %llu, before the session was saved\n", b->number,
			 last->cycle);
	else if (last) {
		text_add(&s->note, "breakpoint %u: last hit in cycle %llu: ", b->number, last->cycle);
		b->kind->describe(v->session, b, last, &s->note);
		text_add(&s->note, "\n");
	}
	for (u32 i = 0; i < b->ncommands; i++)
		text_add(&s->note, "%s%s", i ? "; " : "commands: ", safe_text(b->command[i]));
	text_add(&s->note, "%s", b->ncommands ? "\n" : "");
}

static void pane_breakpoints_fill(struct sheet *s, const struct pane_view *v)
{
	const struct breaks *all = v->session->breaks;
	const struct breakpoint *under = stop_under(v->session, v->cursor);
	struct grid *g = sheet_grid(s, "breakpoints", column, ARRAY_LEN(column));
	u64 hits = 0;
	u32 on = 0;

	for (u32 i = 0; i < all->n; i++) {
		pane_breakpoints_row(g, v, all->list[i], all->list[i] == under);
		hits += breakpoint_hits(v->session, all->list[i]);
		on += all->list[i]->enabled;
	}
	s->said = true;
	text_add(&s->say, "breakpoints: %u, enabled %u, %llu hits so far", all->n, on, hits);
	text_add(&s->sum, "%u on  %u off  hits %llu", on, all->n - on, hits);
	if (under)
		pane_breakpoints_note(s, v, under);
	else
		text_add(&s->note, "no breakpoints (try `break release`, `watch cta.finished`, key b in pane code)\n");
}

/* A click puts the cursor on the breakpoint. */
static void pane_breakpoints_point(const struct pane_view *v, const struct pane_spot *at, u64 *cursor,
				   struct text *line UNUSED)
{
	if (at->row != NONE32)
		*cursor = v->session->breaks->list[at->row]->number;
}

const struct pane pane_breakpoints = {
	.name = "breakpoints",
	.summary = "breakpoints and watchpoints: state, condition, hits, last hit",
	.legend =
		"state: on, off, once (temporary, deleted at its hit), pending (no location in the loaded program)   cmds: lines of its command list (`commands N`)\n"
		"hits: cycles in which it was hit so far; match: warps, CTAs or events that matched; ignore: hits that will not stop yet\n"
		"last, sm, warp: its last hit; - if there was none, or no warp caused it   ▸ hit in this cycle\n"
		"→ the breakpoint that keys act on: Space enables or disables it, Delete deletes it, Enter goes to its last hit",
	.point = pane_breakpoints_point,
	.ask = "break, watch, tbreak, condition 1 sm == 0, ignore 1 10, commands 1",
	.size = {.least_width = 30, .least_height = 4, .wish_height = 8},
	.fill = pane_breakpoints_fill,
	.without_machine = true,
};
