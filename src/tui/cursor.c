/*
 * cursor.c - the cursor of the panes code and source: an instruction, a line; on the focused warp until it is moved. Of
 * registers: a row; of breakpoints: a stop, the first until it is moved; of datapath: a box.
 */
#include "code.h"
#include "desk.h"

#include "breaks.h"
#include "datapath.h"
#include "source.h"

u64 desk_cursor(const struct session *s, enum pane_id id)
{
	return s->desk ? s->desk->cursor[id] : NO_CURSOR;
}

bool desk_follow(struct session *s)
{
	struct desk *d = desk_of(s);
	bool away = d->cursor[d->focus] != NO_CURSOR;

	d->cursor[d->focus] = NO_CURSOR;
	return away;
}

/* Where the cursor of the focused pane is, and the last place that it could go to; false: it has none. */
static bool place(struct session *s, struct pane_view *v, u64 *at, u64 *last)
{
	struct desk *d = desk_of(s);
	struct listing l;

	pane_view_now(s, v);
	v->cursor = d->cursor[d->focus];
	if (!v->sim || !v->sim->program->nlaunch)
		return false;
	if (d->focus == PANE_registers)
		return registers_at(v, at, last);
	if (d->focus != PANE_code && d->focus != PANE_source)
		return false;
	if (d->focus == PANE_source)
		return source_at(v, at, last);
	listing_open(&l, v);
	*last = l.kernel->ninst - 1;
	*at = v->cursor != NO_CURSOR ? v->cursor : l.pc;
	*at = *at > *last ? 0 : *at;
	return true;
}

/* How many stops there are up to a number. */
static u32 stops_until(const struct breaks *b, u64 number)
{
	u32 n = 0;

	while (n < b->n && b->list[n]->number <= number)
		n++;
	return n;
}

struct breakpoint *stop_under(const struct session *s, u64 cursor)
{
	const struct breaks *b = s->breaks;
	u32 i = cursor == NO_CURSOR || !cursor ? 0 : stops_until(b, cursor - 1);

	return b->n ? b->list[min_u32(i, b->n - 1)] : NULL;
}

/* The cursor of breakpoints goes so many stops on. */
static enum status move_to_stop(struct session *s, int by, struct error *e)
{
	struct desk *d = desk_of(s);
	const struct breaks *b = s->breaks;
	const struct breakpoint *at = stop_under(s, d->cursor[PANE_breakpoints]);
	i64 to;

	if (!at)
		return error_set(e, STATUS_FAILED, "no breakpoints");
	to = (i64)stops_until(b, at->number) - 1 + by;
	d->cursor[PANE_breakpoints] = b->list[to < 0 ? 0 : to < b->n ? to : b->n - 1]->number;
	d->scroll[PANE_breakpoints] = 0;
	return STATUS_OK;
}

/* The cursor of datapath goes so many boxes on, of those that the machine has. */
static enum status move_to_box(struct session *s, int by, struct error *e)
{
	u64 *at = &desk_of(s)->cursor[PANE_datapath];
	i64 to = *at < BOX_COUNT ? (i64)*at : by < 0 ? BOX_COUNT : -1;

	if (!s->live)
		return error_set(e, STATUS_FAILED, "pane cursor: no machine yet (no kernel is launched)");
	for (int left = by; left; left -= by < 0 ? -1 : 1) {
		do
			to += by < 0 ? -1 : 1;
		while (to >= 0 && to < BOX_COUNT && !datapath_has(&s->sim, (enum box)to));
		if (to >= 0 && to < BOX_COUNT)
			*at = (u64)to;
	}
	return STATUS_OK;
}

enum status desk_move_cursor(struct session *s, int by, struct error *e)
{
	struct desk *d = desk_of(s);
	struct pane_view v;
	u64 at, last, first;

	if (!by) {
		desk_follow(s);
		return STATUS_OK;
	}
	if (d->focus == PANE_breakpoints)
		return move_to_stop(s, by, e);
	if (d->focus == PANE_datapath)
		return move_to_box(s, by, e);
	if (!place(s, &v, &at, &last))
		return error_set(
			e, STATUS_FAILED,
			"pane cursor: the focused pane has no cursor (panes with a cursor: breakpoints; after a launch also code, source, registers, datapath)");
	first = d->focus == PANE_source ? (at & ~(u64)NONE32) + 1 : 0;
	if (by < 0)
		at = at > first + (u64)-by ? at - (u64)-by : first;
	else
		at = min_u64(at + (u64)by, last);
	d->cursor[d->focus] = at;
	d->scroll[d->focus] = 0;
	return STATUS_OK;
}

bool desk_place(struct session *s, struct text *out)
{
	struct desk *d = desk_of(s);
	struct pane_view v;
	struct listing l;
	u64 at, last;

	if (d->focus == PANE_registers || !place(s, &v, &at, &last))
		return false;
	listing_open(&l, &v);
	if (d->focus == PANE_code)
		text_add(out, "pc %llu if kernel == %u", at, l.launch);
	else
		text_add(out, "%s:%u", source_name(l.kernel->module, (u32)(at >> 32)), (u32)at);
	return true;
}

/* Is a stop what a key would set at the cursor's place: at this instruction, of this line? */
static bool stands_there(const struct breakpoint *b, const struct listing *l, const char *line, u64 at)
{
	if (strcmp(b->kind->name, "pc"))
		return false;
	if (line)
		return !strcmp(b->text, line);
	return b->nspots == 1 && b->spot[0].kernel == l->kernel && b->spot[0].pc == at && b->spot[0].last == at;
}

u32 desk_stop(struct session *s)
{
	bool lines = desk_of(s)->focus == PANE_source;
	struct text here = {0};
	struct pane_view v;
	struct listing l;
	u64 at, last;
	u32 number = 0;

	if (!desk_place(s, &here) || !place(s, &v, &at, &last))
		return 0;
	listing_open(&l, &v);
	for (u32 i = 0; s->breaks && i < s->breaks->n; i++)
		if (stands_there(s->breaks->list[i], &l, lines ? here.s : NULL, at))
			number = s->breaks->list[i]->number;
	text_free(&here);
	return number;
}
