/*
 * present.c - the screen for a lecture hall: the lesson's text large, or a drawing that the layout has, no prompt, a
 * key for the step after and the one before (keys.def, `present`). What stood on the screen before comes back at its
 * end.
 */
#include "desk.h"

void desk_present(struct session *s, bool on)
{
	struct desk *d = desk_of(s);
	struct error never;

	if (on == d->present)
		return;
	d->present = on;
	if (on) {
		d->before_present.chosen = d->chosen;
		d->before_present.focus = d->focus;
		d->before_present.keys = d->keys;
		d->focus = PANE_notes;
		layout_present(d, true);
		desk_keys(s, true);
		return;
	}
	layout_choose(s, d->before_present.chosen < 0 ? "auto" : d->layout[d->before_present.chosen].name, &never);
	if (layout_holds(d, d->before_present.focus))
		d->focus = d->before_present.focus;
	desk_keys(s, d->before_present.keys);
}

bool desk_presenting(const struct session *s)
{
	return s->desk && s->desk->present;
}

u32 desk_bottom(const struct desk *d)
{
	return d->present && d->keys ? 1 : 2;
}
