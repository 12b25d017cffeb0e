/* desk_save.c - the commands that bring the desk back: heights, the focused pane, zoom, keys that the user has bound.
 */
#include "desk.h"
#include "words.h"

/* The heights of rows, each through a pane of it. */
static void save_heights(const struct desk *d, struct text *out)
{
	const struct layout *l = layout_now(d);

	for (u32 i = 0; i < l->nrows; i++)
		if (d->grow[i])
			text_add(out, "pane %s\nwinheight %+d\n", pane_table[l->row[i].pane[0]]->name, d->grow[i]);
}

void desk_save(struct session *s, struct text *out)
{
	const struct desk *d = s->desk;

	if (!d)
		return;
	save_heights(d, out);
	if (layout_holds(d, d->focus))
		text_add(out, "pane %s\n", pane_table[d->focus]->name);
	if (d->zoom)
		text_add(out, "pane zoom\n");
	if (d->present)
		text_add(out, "present\n");
	for (u32 i = 0; i < d->nkeys; i++) {
		if (strcmp(d->key[i].doc, KEY_BOUND))
			continue;
		text_add(out, "key ");
		word_add_quoted(out, d->key[i].name);
		text_add(out, " = %s\n", d->key[i].command);
	}
}
