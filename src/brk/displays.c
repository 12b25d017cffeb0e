/* displays.c - expressions shown at every stop; where one has no value it says so and stays. */
#include "hits.h"

enum status display_add(struct session *s, char format, const char *text, u32 column, struct display **out,
			struct error *e)
{
	struct breaks *b = s->breaks;
	struct expr *x = NULL;
	enum status st = breakpoint_value(s, text, column, &x, e);

	if (st) {
		expr_free(x);
		return st;
	}
	b->display = xrealloc(b->display, (b->ndisplays + 1) * sizeof(*b->display));
	*out = &b->display[b->ndisplays++];
	**out = (struct display){
		.number = b->next_display++, .format = format, .enabled = true, .text = xstrdup(text), .expr = x};
	return STATUS_OK;
}

bool display_delete(struct breaks *b, u64 number)
{
	for (u32 i = 0; i < b->ndisplays; i++) {
		if (b->display[i].number != number)
			continue;
		expr_free(b->display[i].expr);
		free(b->display[i].text);
		memmove(&b->display[i], &b->display[i + 1], (--b->ndisplays - i) * sizeof(*b->display));
		return true;
	}
	return false;
}

void display_text(struct session *s, const struct display *d, struct text *out)
{
	struct value v;

	text_add(out, "%u: ", d->number);
	text_add_safe(out, d->text, strlen(d->text));
	text_add(out, " = ");
	if (expr_eval(s, d->expr, NULL, &v, NULL))
		text_add(out, "<not available>");
	else
		value_format(v, d->format, out);
}

void displays_show(struct session *s)
{
	struct breaks *b = s->breaks;
	struct text line = {0};

	for (u32 i = 0; b && i < b->ndisplays; i++) {
		text_clear(&line);
		display_text(s, &b->display[i], &line);
		session_print(s, "%s\n", line.s);
	}
	text_free(&line);
}

json_t *displays_json(struct session *s)
{
	struct breaks *b = s->breaks;
	json_t *list;
	struct value v;

	if (!b || !b->ndisplays)
		return NULL;
	list = json_array();
	for (u32 i = 0; i < b->ndisplays; i++) {
		const struct display *d = &b->display[i];
		bool there = !expr_eval(s, d->expr, NULL, &v, NULL);

		json_array_append_new(list, json_pack("{s:i,s:s%,s:o}", "number", (int)d->number, "expression", d->text,
						      strlen(d->text), "value", there ? value_json(v) : json_null()));
	}
	return list;
}
