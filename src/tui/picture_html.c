/* picture_html.c - a screen as a page that stands alone: one <pre>, a <span> for each run of cells that look the same.
 */
#include "picture.h"

/* The page's head: what the classes of the spans mean. */
static void add_head(const struct picture_wish *wish, struct text *out)
{
	u32 back = look_background(wish->light), text = look_colour(NO_COLOUR, wish->light);

	text_add(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>");
	text_add_entities(out, wish->title);
	text_add(out, "</title>\n<style>\nbody { margin: 0; background: #%06x; color: #%06x; }\n", back, text);
	text_add(out, "pre { margin: 1em; font: 14px/1.18 \"DejaVu Sans Mono\", Menlo, Consolas, monospace; }\n");
	text_add(out, ".bold { font-weight: bold; }\n.dim { opacity: %.1f; }\n.line { text-decoration: underline; }\n",
		 DIM_SHADE);
	text_add(out, ".back { background: #%06x; color: #%06x; }\n", text, back);
	for (u32 i = 0; i < STYLE_COUNT; i++) {
		u8 n = style_table[i].palette[wish->light];
		u32 colour = look_colour(n, wish->light);

		if (n != NO_COLOUR)
			text_add(out, ".c%u { color: #%06x; }\n.c%u.back { background: #%06x; color: #%06x; }\n", n,
				 colour, n, colour, back);
	}
	text_add(out, "</style>\n</head>\n<body>\n<pre>");
}

/* The classes of a look; "" for ordinary text. */
static void add_classes(struct look l, struct text *out)
{
	if (l.colour != NO_COLOUR)
		text_add(out, " c%u", l.colour);
	text_add(out, "%s%s%s%s", l.bold ? " bold" : "", l.dim ? " dim" : "", l.underline ? " line" : "",
		 l.reverse ? " back" : "");
}

/* A run of cells that look the same. */
static void add_run(const struct cell *row, u32 x, u32 end, struct look l, struct text *out)
{
	struct text classes = {0}, cells = {0};

	text_add(&classes, "%s", "");
	text_add(&cells, "%s", "");
	add_classes(l, &classes);
	for (; x < end; x++)
		cell_utf8(&row[x], &cells);
	if (classes.len)
		text_add(out, "<span class=\"%s\">", classes.s + 1);
	text_add_entities(out, cells.s);
	if (classes.len)
		text_add(out, "</span>");
	text_free(&classes);
	text_free(&cells);
}

void picture_html(const struct canvas *c, const struct picture_wish *given, struct text *out)
{
	struct picture_wish with = *given, *wish = &with;

	with.palette = true;
	add_head(wish, out);
	for (u32 y = 0; y < c->height; y++) {
		const struct cell *row = &c->cell[(size_t)y * c->width];

		for (u32 x = 0, end; x < c->width; x = end) {
			end = look_end(row, c->width, x, wish);
			add_run(row, x, end, look_of(&row[x], wish), out);
		}
		text_add(out, "\n");
	}
	text_add(out, "</pre>\n</body>\n</html>\n");
}
