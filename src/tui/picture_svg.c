/*
 * picture_svg.c - a screen as a drawing: runs of cells that look the same are texts of a given length, so that columns
 * stand whatever font there is; bars and rules are rectangles, so that they join whatever its glyphs are.
 */
#include "picture.h"

#define CELL_WIDTH 8.4 /* px, of a font of FONT_SIZE */
#define CELL_HEIGHT 17.0
#define FONT_SIZE 14
#define BASE_LINE 12.8 /* of a row, from its top */
#define MARGIN 8.0
#define DIM " opacity=\"0.7\"" /* DIM_SHADE */

/* A rectangle in px; shade: its opacity. */
static void add_rectangle(struct text *out, double x, double y, double width, double height, u32 colour, double shade)
{
	text_add(out, "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" fill=\"#%06x\"", MARGIN + x,
		 MARGIN + y, width, height, colour);
	if (shade < 1)
		text_add(out, " opacity=\"%.2f\"", shade);
	text_add(out, "/>\n");
}

/* The arms of a rule that a character has: 1 left, 2 right, 4 up, 8 down; 0: it is none. */
static u32 rule_arms(u32 ch)
{
	static const struct {
		u32 ch, arms;
	} row[] = {{0x2500, 3},	 {0x2502, 12}, {0x250c, 10}, {0x2510, 9}, {0x2514, 6}, {0x2518, 5},
		   {0x251c, 14}, {0x2524, 13}, {0x252c, 11}, {0x2534, 7}, {0x253c, 15}};

	for (u32 i = 0; i < ARRAY_LEN(row); i++)
		if (row[i].ch == ch)
			return row[i].arms;
	return 0;
}

/* Is it drawn as rectangles: a bar's eighth, a shade, a rule? */
static bool is_drawn(u32 ch)
{
	return (ch >= 0x2581 && ch <= 0x2593 && ch != 0x2590) || rule_arms(ch);
}

/* `n` cells of such a character from x, y (px) on. */
static void add_drawn(struct text *out, double x, double y, u32 n, u32 ch, u32 colour, double shade)
{
	u32 arms = rule_arms(ch);
	double width = n * CELL_WIDTH, eighth = ch <= 0x2588 ? (ch - 0x2580) / 8.0 : (0x2590 - ch) / 8.0;

	if (ch >= 0x2591 && ch <= 0x2593) {
		add_rectangle(out, x, y, width, CELL_HEIGHT, colour, shade * 0.25 * (ch - 0x2590));
	} else if (arms) {
		double left = arms & 1 ? 0 : CELL_WIDTH / 2, right = arms & 2 ? width : CELL_WIDTH / 2;

		if (arms & 3)
			add_rectangle(out, x + left, y + CELL_HEIGHT / 2 - 0.5, right - left, 1, colour, shade);
		if (arms & 12)
			add_rectangle(out, x + CELL_WIDTH / 2 - 0.5, arms & 4 ? y : y + CELL_HEIGHT / 2, 1,
				      (arms & 12) == 12 ? CELL_HEIGHT : CELL_HEIGHT / 2, colour, shade);
	} else if (ch <= 0x2588) {
		add_rectangle(out, x, y + CELL_HEIGHT * (1 - eighth), width, CELL_HEIGHT * eighth, colour, shade);
	} else {
		for (u32 i = 0; i < n; i++)
			add_rectangle(out, x + i * CELL_WIDTH, y, CELL_WIDTH * eighth, CELL_HEIGHT, colour, shade);
	}
}

/* May cells be drawn as one: the same character, and neither a rule that comes from above nor goes down? */
static bool joins(u32 ch, u32 next)
{
	return ch == next && !(rule_arms(ch) & 12);
}

/* Characters as a text, `n` cells long. */
static void add_characters(struct text *out, const char *s, double x, double y, u32 n, struct look l, u32 colour)
{
	text_add(out, "<text x=\"%.2f\" y=\"%.2f\" textLength=\"%.2f\" fill=\"#%06x\"", MARGIN + x,
		 MARGIN + y + BASE_LINE, n * CELL_WIDTH, colour);
	text_add(out, "%s%s%s>", l.bold ? " font-weight=\"bold\"" : "", l.dim ? DIM : "",
		 l.underline ? " text-decoration=\"underline\"" : "");
	text_add_entities(out, s);
	text_add(out, "</text>\n");
}

/* Cells of one look without a drawn one among them: their words, each where it stands. */
static void add_text(struct text *out, const struct cell *row, u32 from, u32 to, u32 y, struct look l, u32 colour)
{
	struct text s = {0};

	for (u32 end; from < to; from = end) {
		end = from + 1;
		if (row[from].ch == ' ' && !l.underline)
			continue;
		while (end < to && (l.underline || row[end].ch != ' '))
			end++;
		text_clear(&s);
		for (u32 x = from; x < end; x++)
			cell_utf8(&row[x], &s);
		add_characters(out, s.s, from * CELL_WIDTH, y * CELL_HEIGHT, end - from, l, colour);
	}
	text_free(&s);
}

/* A run of cells that look the same: what is behind them, then texts and drawn cells in turn. */
static void add_run(struct text *out, const struct cell *row, u32 from, u32 to, u32 y, const struct picture_wish *wish)
{
	struct look l = look_of(&row[from], wish);
	u32 ink = look_colour(l.colour, wish->light), colour = l.reverse ? look_background(wish->light) : ink;

	if (l.reverse)
		add_rectangle(out, from * CELL_WIDTH, y * CELL_HEIGHT, (to - from) * CELL_WIDTH, CELL_HEIGHT, ink,
			      l.dim ? DIM_SHADE : 1);
	while (from < to) {
		u32 end = from + 1;
		bool drawn = is_drawn(row[from].ch);

		while (end < to && (drawn ? joins(row[from].ch, row[end].ch) : !is_drawn(row[end].ch)))
			end++;
		if (drawn)
			add_drawn(out, from * CELL_WIDTH, y * CELL_HEIGHT, end - from, row[from].ch, colour,
				  l.dim ? DIM_SHADE : 1);
		else
			add_text(out, row, from, end, y, l, colour);
		from = end;
	}
}

void picture_svg(const struct canvas *c, const struct picture_wish *given, struct text *out)
{
	struct picture_wish with = *given, *wish = &with;
	double width = c->width * CELL_WIDTH + 2 * MARGIN, height = c->height * CELL_HEIGHT + 2 * MARGIN;

	with.palette = true;
	text_add(out,
		 "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %.2f %.2f\" width=\"%.0f\" height=\"%.0f\" ",
		 width, height, width, height);
	text_add(out, "font-family=\"'DejaVu Sans Mono', Menlo, Consolas, monospace\" font-size=\"%d\">\n<title>",
		 FONT_SIZE);
	text_add_entities(out, wish->title);
	text_add(out, "</title>\n<rect width=\"100%%\" height=\"100%%\" fill=\"#%06x\"/>\n",
		 look_background(wish->light));
	for (u32 y = 0; y < c->height; y++) {
		const struct cell *row = &c->cell[(size_t)y * c->width];

		for (u32 x = 0, end; x < c->width; x = end) {
			end = look_end(row, c->width, x, wish);
			add_run(out, row, x, end, y, wish);
		}
	}
	text_add(out, "</svg>\n");
}
