/*
 * look.c - how a cell looks, for the terminal and for pictures (picture.h): a style's row, the focus, what has changed.
 * Pictures have colours of their own, which can be told apart on their background; a terminal has the user's.
 */
#include "picture.h"

#include <string.h>

/* Colours by number, then ordinary text and the background. */
static const u32 colours[2][10] = {
	{0x5c6370, 0xff6b6b, 0x7ed491, 0xe5c07b, 0x6cb6ff, 0xd58cf0, 0x56c8d8, 0xf0f3f6, 0xd7dae0, 0x16181d},
	{0x000000, 0xc1272d, 0x1a7f37, 0x8a6d00, 0x0550ae, 0x8250df, 0x0b7285, 0x57606a, 0x24292f, 0xffffff},
};

/* Is it a part of a bar, which the reverse would show as what is missing of it? */
static bool is_bar(u32 ch)
{
	return ch >= 0x2581 && ch <= 0x258f;
}

struct look look_of(const struct cell *x, const struct picture_wish *wish)
{
	static const char letters[] = COLOUR_LETTERS;
	const struct style_row *row = &style_table[x->style < STYLE_COUNT ? x->style : STYLE_PLAIN];
	char letter = wish->light ? row->light : row->colour;
	const char *found = wish->coloured && letter != '-' ? strchr(letters, letter) : NULL;
	bool focus = x->focus && !is_bar(x->ch);
	struct look l = {.bold = row->attribute == 'b',
			 .dim = row->attribute == 'd' && !focus,
			 .underline = row->attribute == 'u',
			 .reverse = (row->attribute == 'r') != focus,
			 .colour = found ? (u8)(found - letters) : NO_COLOUR};

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
		text_add(out, ";%u", 30u + l.colour);
	text_add(out, "m");
}

u32 look_colour(u8 colour, bool light)
{
	return colours[light][colour == NO_COLOUR ? 8 : colour & 7];
}

u32 look_background(bool light)
{
	return colours[light][9];
}
