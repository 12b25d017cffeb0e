/*
 * pane_events.c - the events of the last cycles in the focused SM or in the GPU as a whole, the newest cycle first,
 * within a cycle in the order of emission.
 *
 * Conservation: the issues recorded in the last cycle are the scheduler slots that issued in it. The sum is the records
 * of that cycle, kind by kind.
 */
#include "breaks.h"
#include "events.h"
#include "machine.h"
#include "recorder.h"
#include "sheet.h"

#define MOST_ROWS 1000u

static const struct grid_column column[] = {
	{.name = "cycle", .width = 7, .right = true},
	{.name = "event", .width = 11},
	{.name = "sub", .width = 3, .drop = 6, .right = true},
	{.name = "warp", .width = 4, .right = true},
	{.name = "k", .width = 2, .drop = 8, .right = true},
	{.name = "cta", .width = 5, .drop = 7, .right = true},
	{.name = "pc", .width = 4, .drop = 3, .right = true},
	{.name = "details", .heading = "detail", .width = 18},
	{.name = "instruction", .width = 14, .drop = 4, .wide = true},
	{.name = "address", .width = 14, .drop = 9, .right = true},
};

/* One number: its name, and it or its word. */
static int pane_events_number_text(char *out, size_t size, const char *name, u32 kind, u32 n)
{
	const char *word = record_word(kind, name, n);

	if (!*name)
		return 0;
	return word ? snprintf(out, size, "%s", word) : snprintf(out, size, "%s %u", name, n);
}

/* The two numbers of a record by their names. */
static void pane_events_what_text(const struct record *r, char *out, size_t size)
{
	const struct event_row *row = &event_table[r->kind];
	int n;

	out[0] = '\0';
	n = pane_events_number_text(out, size, row->a, r->kind, r->a);
	if (n && *row->b)
		out[n++] = ' ';
	pane_events_number_text(out + n, size - (size_t)n, row->b, r->kind, r->b);
}

/* How a kind of event looks. */
static enum style pane_events_style_of(u32 kind)
{
	switch (kind) {
	case EVENT_ISSUE:
	case EVENT_GRANT:
	case EVENT_REUSE: return STYLE_ISSUED;
	case EVENT_CONFLICT:
	case EVENT_L1D_REFUSED: return STYLE_PIPELINE;
	case EVENT_L1D_MISS:
	case EVENT_L1D_PAST:
	case EVENT_L1D_MERGE:
	case EVENT_REQUEST:
	case EVENT_REPLY: return STYLE_LONG;
	case EVENT_BARRIER:
	case EVENT_RELEASE: return STYLE_BARRIER;
	case EVENT_FAULT: return STYLE_BAD;
	default: return STYLE_PLAIN;
	}
}

/* One row. */
static void pane_events_row(struct grid *g, const struct pane_view *v, const struct cycle_record *x)
{
	const struct record *r = &x->record;
	char text[80];

	pane_events_what_text(r, text, sizeof(text));
	grid_int(g, STYLE_DIM, (i64)x->cycle);
	grid_text(g, pane_events_style_of(r->kind), event_table[r->kind].name);
	grid_known(g, STYLE_PLAIN, r->sub, r->sub != 0xff);
	grid_known(g, STYLE_PLAIN, r->warp, r->warp != NONE16);
	grid_known(g, STYLE_PLAIN, r->launch, r->launch != 0xff);
	grid_known(g, STYLE_PLAIN, r->cta, r->cta != NONE32);
	grid_known(g, STYLE_PLAIN, r->pc, r->pc != NONE32);
	grid_text(g, STYLE_PLAIN, text);
	grid_text(g, STYLE_DIM, r->pc == NONE32 ? "" : view_instruction(v, r->launch, r->pc));
	if (r->address)
		grid_print(g, STYLE_PLAIN, "%llx", r->address);
	else
		grid_none(g);
}

/* Slots of the focused SM that issued in the last cycle. Between the cycles of issue.interval a slot keeps its outcome.
 */
static u32 pane_events_issued_now(const struct pane_view *v)
{
	const struct sched *x = machine_sm_section(v->sim->m, v->focus.sm, SECTION_SCHED);
	u64 cycle = machine_gpu(v->sim->m)->cycle;
	u32 n = 0;

	if (!cycle || (cycle - 1) % v->sim->m->config.issue_interval)
		return 0;
	for (u32 i = 0; i < v->sim->m->config.sm_subcores * v->sim->m->config.sm_schedulers; i++)
		n += x[i].outcome == SLOT_ISSUED;
	return n;
}

static void pane_events_fill(struct sheet *s, const struct pane_view *v)
{
	struct grid *g = sheet_grid(s, "events", column, ARRAY_LEN(column));
	u32 n, issues = 0, last = 0, sum = 0, kind[EVENT_COUNT] = {0};
	const struct cycle_record *r = recorder_read(panes_recorder(v->session), v->session, &n);
	u64 now = machine_gpu(v->sim->m)->cycle;
	bool partial = machine_gpu(v->sim->m)->stage != 0;

	for (u32 end = n, begin; end; end = begin) { /* a cycle at a time, the newest first */
		for (begin = end; begin && r[begin - 1].cycle == r[end - 1].cycle; begin--)
			;
		for (u32 i = begin; i < end; i++) {
			if (r[i].record.sm != NONE16 && r[i].record.sm != v->focus.sm)
				continue;
			if (g->ncells / g->ncolumns < MOST_ROWS)
				pane_events_row(g, v, &r[i]);
			last += r[i].cycle == now;
			kind[r[i].record.kind] += r[i].cycle == now;
		}
	}
	for (u32 i = 0; i < EVENT_COUNT; i++)
		sum += kind[i];
	issues = kind[EVENT_ISSUE];
	text_add(&s->focus, "SM %u", v->focus.sm);
	text_add(&s->say, "events of SM %u: %u in the last cycle", v->focus.sm, last);
	text_add(&s->sum, "issues %u", issues);
	sheet_sum(s, "now", sum, sum == last && (partial || issues == pane_events_issued_now(v)));
}

const struct pane pane_events = {
	.name = "events",
	.summary = "events of the last 32 cycles, the newest first",
	.legend =
		"cycle: cycles completed, including that of the event; the newest first, 32 cycles are kept\n"
		"detail: the numbers of the event   k: kernel   `filter events issue` selects a kind; `info events` lists the kinds",
	.ask = "next barrier, filter events issue",
	.size = {.least_width = 30, .least_height = 3, .wish_height = 10},
	.stream = true,
	.fill = pane_events_fill,
};
