/* both.c - the two sides of `compare` as panes look at them (both.h). */
#include "both.h"

#include "kept.h"

struct compare *both_of(const struct pane_view *v)
{
	struct compare *c = v->session->compare;

	for (u32 i = 0; c && i < 2; i++)
		if (!c->side[i].kept) {
			c->side[i].kept = panes_new();
			c->side[i].kept_drop = panes_drop;
		}
	if (c && v->session->live)
		compare_follow(v->session, c);
	return c;
}

struct compare *both_open(struct canvas *c, const struct pane_view *v, const char *name)
{
	struct compare *x = both_of(v);

	if (x)
		return x;
	canvas_title(c, 0, name, "", "");
	canvas_text_at(c, 1, 1, STYLE_DIM, BOTH_NONE);
	return NULL;
}

void both_view(struct compare *x, u32 side, const struct pane_view *v, u32 width, struct pane_view *out)
{
	pane_view_now(&x->side[side].session, out);
	out->width = width;
	out->scroll = v->scroll;
	out->filter = v->filter;
	out->sort = v->sort;
}

void both_parting(const struct compare *x, struct text *out)
{
	for (u32 i = 0; i < 2; i++) {
		judged_sentence(&x->judged[1 - i], i ? "A" : "B", false, out);
		text_add(out, "%s", x->judged[1 - i].failed ? "; " : "");
	}
	if (x->parting.found)
		text_add(out, "first difference in cycle %llu", x->parting.cycle);
	else
		text_add(out, "no difference");
}

void both_say(struct text *out, const struct compare *x)
{
	text_add(out, "compare: A unchanged, B %s; ", safe_text(x->change.text));
	both_parting(x, out);
	text_add(out, ".\n");
}

void both_mark(struct canvas *a, struct canvas *b)
{
	struct canvas copy = *a;

	copy.cell = xmalloc((size_t)a->width * a->height * sizeof(*a->cell));
	memcpy(copy.cell, a->cell, (size_t)a->width * a->height * sizeof(*a->cell));
	canvas_compare(a, b);
	canvas_compare(b, &copy);
	canvas_free(&copy);
}
