/* picture_ansi.c - a screen as lines that a terminal shows as they were: SGR sequences, each line ends in ordinary
 * text. */
#include "picture.h"

/* The columns of a row up to its last cell that is not a blank of the background. */
static u32 row_length(const struct cell *row, u32 width, const struct picture_wish *wish)
{
	while (width && row[width - 1].ch == ' ' && !look_of(&row[width - 1], wish).reverse)
		width--;
	return width;
}

/* One row. */
static void add_row(const struct cell *row, u32 width, const struct picture_wish *wish, struct text *out)
{
	static const struct look plain = {.colour = NO_COLOUR};
	u32 n = row_length(row, width, wish);
	bool styled = false;

	for (u32 x = 0; x < n;) {
		u32 end = min_u32(look_end(row, width, x, wish), n);
		struct look l = look_of(&row[x], wish);

		if (styled || !look_same(l, plain))
			look_bytes(l, out);
		styled = !look_same(l, plain);
		for (; x < end; x++)
			cell_utf8(&row[x], out);
	}
	text_add(out, styled ? "\033[0m\n" : "\n");
}

void picture_ansi(const struct canvas *c, const struct picture_wish *wish, struct text *out)
{
	for (u32 y = 0; y < c->height; y++)
		add_row(&c->cell[(size_t)y * c->width], c->width, wish, out);
}
