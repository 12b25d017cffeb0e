/* floor_cursor.c - the cursor of the pane `floor`: an SM; the focused one until it is moved. */
#include "desk.h"
#include "machine.h"
#include "floor_plan.h"

/* The view, with its cursor; false: there is no machine. */
static bool floor_cursor_view(struct session *s, struct pane_view *v)
{
	pane_view_now(s, v);
	v->cursor = desk_of(s)->cursor[PANE_floor];
	return v->sim;
}

bool desk_move_tile(struct session *s, int by, bool rows)
{
	struct desk *d = desk_of(s);
	const struct area *a = desk_area(d, PANE_floor);
	struct floor_plan p;
	struct pane_view v;
	i64 sm, last;

	if (!floor_cursor_view(s, &v))
		return false;
	floor_plan(&p, a ? a->width : d->width, a ? a->height : d->height, v.sim->m->config.gpu_sms, floor_cursor(&v));
	sm = (i64)floor_cursor(&v) + (i64)by * (rows ? p.per : 1);
	last = v.sim->m->config.gpu_sms - 1;
	if (sm >= 0 && sm <= last)
		d->cursor[PANE_floor] = (u64)sm;
	else if (!rows)
		d->cursor[PANE_floor] = sm < 0 ? 0 : (u64)last;
	return true;
}

bool desk_take_tile(struct session *s, u32 *sm)
{
	struct pane_view v;

	if (!floor_cursor_view(s, &v))
		return false;
	*sm = floor_cursor(&v);
	desk_of(s)->cursor[PANE_floor] = NO_CURSOR;
	return true;
}
