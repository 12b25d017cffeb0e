/*
 * cell_style.c - how a cell looks, for the terminal and for pictures (picture.h): a style's row, the focus, what has
 * changed. Drawings and pages have the colors of the palette of 256, a terminal has the user's.
 */
#include "picture.h"

/* Ordinary text and the background. */
static const u32 ground[2][2] = {{0xd7dae0, 0x16181d}, {0x24292f, 0xffffff}};

#define CUBE 16	 /* of the palette: the first of 6 x 6 x 6 colors */
#define GRAY 232 /* and of 24 grays */

/* A step of the cube's edge. */
static u32 edge(u32 step)
{
	return step ? 55 + 40 * step : 0;
}

/* The color of a cell's style; NO_COLOUR: the terminal's own. */
static u8 colour_of(const struct style_row *row, const struct picture_wish *wish)
{
	static const char letters[] = COLOUR_LETTERS;
	const char *found = strchr(letters, row->letter[wish->light]);

	if (!wish->coloured)
		return NO_COLOUR;
	if (wish->palette)
		return row->palette[wish->light];
	return found ? (u8)(found - letters) : NO_COLOUR;
}

/* Is it a part of a bar, which the reverse would show as what is missing of it? */
static bool is_bar(u32 ch)
{
	return ch >= 0x2581 && ch <= 0x258f;
}

struct look look_of(const struct cell *x, const struct picture_wish *wish)
{
	const struct style_row *row = &style_table[x->style < STYLE_COUNT ? x->style : STYLE_PLAIN];
	bool focus = x->focus && !is_bar(x->ch);
	struct look l = {.bold = row->attribute == 'b',
			 .dim = row->attribute == 'd' && !focus,
			 .underline = row->attribute == 'u',
			 .reverse = (row->attribute == 'r') != focus,
			 .colour = colour_of(row, wish)};

	if (x->changed && x->ch != ' ') {
		l.bold = 1;
		l.dim = 0;
	}
	return l;
}

bool look_same(struct look a, struct look b)
{
	return !memcmp(&a, &b, sizeof(a));
}

u32 look_end(const struct cell *row, u32 width, u32 x, const struct picture_wish *wish)
{
	struct look l = look_of(&row[x], wish);

	do
		x++;
	while (x < width && (!row[x].ch || look_same(look_of(&row[x], wish), l)));
	return x;
}

void look_bytes(struct look l, struct text *out)
{
	text_add(out, "\033[0");
	if (l.bold)
		text_add(out, ";1");
	if (l.dim)
		text_add(out, ";2");
	if (l.underline)
		text_add(out, ";4");
	if (l.reverse)
		text_add(out, ";7");
	if (l.colour != NO_COLOUR)
		text_add(out, l.colour < CUBE ? ";%u" : ";38;5;%u", l.colour < CUBE ? 30u + l.colour : l.colour);
	text_add(out, "m");
}

u32 look_colour(u8 colour, bool light)
{
	u32 n = colour, gray = 8 + 10 * (n - GRAY);

	if (n == NO_COLOUR || n < CUBE)
		return ground[light][0];
	if (n >= GRAY)
		return gray << 16 | gray << 8 | gray;
	n -= CUBE;
	return edge(n / 36) << 16 | edge(n / 6 % 6) << 8 | edge(n % 6);
}

u32 look_background(bool light)
{
	return ground[light][1];
}
