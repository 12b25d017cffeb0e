/*
 * canvas.c - a grid of cells that panes draw on, and its faces: text lines, runs of changed cells.
 *
 * A character is one cell, a wide one two, a combining one stands in the cell before it. What terminals do not agree on
 * stands as `?` (width.c); bytes below 0x20, DEL and broken UTF-8 stand as \xNN. An ASCII canvas turns the few signs
 * that panes use into 7-bit ones and everything else beyond into `?`.
 */
#include "picture.h"

/* Signs that have an ASCII form; nothing else that is not ASCII has one. */
static const struct {
	u32 ch;
	const char *ascii;
} ascii_row[] = {{0x2500, "-"}, {0x2502, "|"}, {0x25b8, ">"}, {0x25c2, "<"},  {0x2588, "#"},	 {0x258c, "#"},
		 {0x2591, "."}, {0x2592, ":"}, {0x2593, "%"}, {0x2713, "ok"}, {0x2717, "WRONG"}, {0x03a3, "sum"},
		 {0x00b7, "."}, {0x25a0, "#"}, {0x25a1, "."}, {0x25b2, "^"},  {0x25bc, "v"},	 {0x2026, "~"},
		 {0x00d7, "x"}, {0x2192, ">"}, {0x2190, "<"}, {0x25cf, "@"},  {0x25cb, "o"},	 {0x258f, "."},
		 {0x258e, "."}, {0x258d, ":"}, {0x258b, "#"}, {0x258a, "#"},  {0x2589, "#"},	 {0x2581, "_"},
		 {0x2582, "."}, {0x2583, "."}, {0x2584, ":"}, {0x2585, "+"},  {0x2586, "*"},	 {0x2587, "#"},
		 {0x0394, "d"}, {0x2264, "<"}, {0x2265, ">"}, {0x221e, "~"},  {0x2260, "!"},	 {0x25c6, "+"},
		 {0x25be, "v"}, {0x2014, "-"}, {0x2013, "-"}};

const struct style_row style_table[STYLE_COUNT] = {
#define OWN NO_COLOUR
#define STYLE(id, name_, attribute_, dark_, light_, dark256_, light256_, doc_) \
	[STYLE_##id] = {.name = name_, \
			.attribute = attribute_, \
			.letter = {dark_, light_}, \
			.palette = {dark256_, light256_}, \
			.doc = doc_},
#include "styles.def"
#undef STYLE
#undef OWN
};

void canvas_init(struct canvas *c, u32 width, u32 height, bool ascii)
{
	*c = (struct canvas){.width = width, .height = height, .ascii = ascii};
	c->cell = xmalloc(((size_t)width * height + 1) * sizeof(*c->cell));
	for (size_t i = 0; i < (size_t)width * height; i++)
		c->cell[i] = (struct cell){.ch = ' '};
}

void canvas_free(struct canvas *c)
{
	free(c->cell);
	*c = (struct canvas){0};
}

/* One cell, if it lies on the canvas; of a wide character that it cuts in two nothing stays. */
static void put(struct canvas *c, u32 x, u32 y, u32 ch, enum style style)
{
	struct cell *cell;

	if (x >= c->width || y >= c->height)
		return;
	cell = &c->cell[(size_t)y * c->width + x];
	if (!cell->ch && x)
		cell[-1].ch = ' ';
	if (x + 1 < c->width && !cell[1].ch)
		cell[1].ch = ' ';
	*cell = (struct cell){.ch = ch, .style = (u8)style};
}

/* A character of two cells; `?` where only one is left. */
static void put_wide(struct canvas *c, u32 x, u32 y, u32 ch, enum style style)
{
	put(c, x + 1, y, ' ', style);
	put(c, x, y, x + 1 < c->width ? ch : '?', style);
	if (x + 1 < c->width && y < c->height)
		c->cell[(size_t)y * c->width + x + 1].ch = 0;
}

/* A combining character over the one that ends at x. */
static void put_mark(struct canvas *c, u32 x, u32 y, u32 ch)
{
	struct cell *cell;

	if (x > c->width || y >= c->height)
		return;
	cell = &c->cell[(size_t)y * c->width + x - 1];
	if (!cell->ch && x > 1)
		cell--;
	for (u32 i = 0; i < CELL_MARKS; i++)
		if (!cell->mark[i]) {
			cell->mark[i] = ch;
			return;
		}
}

u32 canvas_width(const struct canvas *c, u32 ch)
{
	u32 width = ch < 0x300 || c->ascii ? 1 : character_width(ch);

	return width == WIDTH_UNKNOWN ? 1 : width;
}

/* A character of an ASCII canvas, or the signs that stand for it. */
static u32 put_ascii(struct canvas *c, u32 x, u32 y, u32 ch, enum style style)
{
	const char *ascii = "?";

	for (u32 i = 0; i < ARRAY_LEN(ascii_row); i++)
		if (ascii_row[i].ch == ch)
			ascii = ascii_row[i].ascii;
	for (; *ascii; ascii++)
		put(c, x++, y, (u8)*ascii, style);
	return x;
}

u32 canvas_put(struct canvas *c, u32 x, u32 y, u32 ch, enum style style)
{
	u32 width = ch < 0x300 ? 1 : character_width(ch);

	if (ch < 0x20 || (ch >= 0x7f && ch < 0xa0) || width == WIDTH_UNKNOWN || (!width && !x))
		ch = '?';
	if (ch < 0x80)
		width = 1;
	if (ch >= 0x80 && c->ascii)
		return put_ascii(c, x, y, ch, style);
	if (!width)
		put_mark(c, x, y, ch);
	else if (width == 2)
		put_wide(c, x, y, ch, style);
	else
		put(c, x, y, ch, style);
	return x + width;
}

/* Text at x, y; bytes that are not text are shown escaped. */
static u32 print_text(struct canvas *c, u32 x, u32 y, enum style style, const char *s)
{
	struct text safe = {0};

	text_add_safe(&safe, s, strlen(s));
	for (const char *p = safe.s; *p;)
		x = canvas_put(c, x, y, character_next(&p), style);
	text_free(&safe);
	return x;
}

/* The end of a text: a sign in the last column of a row that it would reach over. */
static u32 text_end(struct canvas *c, u32 x, u32 y, u32 end)
{
	if (end > c->width && x < c->width && y < c->height)
		canvas_put(c, c->width - 1, y, 0x2026, STYLE_DIM);
	return end;
}

u32 canvas_text_at(struct canvas *c, u32 x, u32 y, enum style style, const char *s)
{
	u32 at = x, n = (u32)strlen(s);

	while (n && s[n - 1] == ' ' && at + n > c->width) /* blanks may be cut */
		n--;
	for (u32 i = 0; i < n; i++, at++) {
		if ((u8)s[i] < 0x20 || (u8)s[i] >= 0x7f)
			return text_end(c, x, y, print_text(c, at, y, style, s + i));
		put(c, at, y, (u8)s[i], style);
	}
	return text_end(c, x, y, at);
}

u32 canvas_print(struct canvas *c, u32 x, u32 y, enum style style, const char *fmt, ...)
{
	char line[512];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(line, sizeof(line), fmt, ap);
	va_end(ap);
	return canvas_text_at(c, x, y, style, line);
}

u32 canvas_columns(const struct canvas *c, const char *s)
{
	struct canvas nowhere = {.ascii = c->ascii};

	return canvas_text_at(&nowhere, 0, 0, STYLE_PLAIN, s);
}

/* What of the sum fits into room columns, into out: what stands in front goes first, for a sign; parts are set off by
 * two blanks. */
static void sum_fit(const struct canvas *c, const char *sum, u32 room, struct text *out)
{
	const char *rest = sum, *next;

	text_add(out, "%s", sum);
	while (canvas_columns(c, out->s) + 2 > room && (next = strstr(rest, "  "))) {
		rest = next + strspn(next, " ");
		text_clear(out);
		text_add(out, "… %s", rest);
	}
	if (canvas_columns(c, out->s) + 2 > room) {
		text_clear(out);
		text_add(out, "%s", rest);
	}
}

/* The sum at the right of a title's row, room columns of which are left. */
static void title_sum(struct canvas *c, u32 y, const char *sum, u32 room)
{
	u32 need = canvas_columns(c, sum) + 2, x = c->width - 1 - need;

	if (need > room)
		return;
	canvas_put(c, x, y, ' ', STYLE_PLAIN);
	x = canvas_text_at(c, x + 1, y, strstr(sum, "✗") ? STYLE_BAD : STYLE_GOOD, sum);
	canvas_put(c, x, y, ' ', STYLE_PLAIN);
}

void canvas_title(struct canvas *c, u32 y, const char *name, const char *focus, const char *sum)
{
	u32 x, room, wide = focus && *focus ? canvas_columns(c, focus) + 1 : 0, need = 0;
	struct text fit = {0};

	for (x = 0; x < c->width; x++)
		canvas_put(c, x, y, 0x2500, STYLE_DIM);
	x = canvas_print(c, 1, y, STYLE_TITLE, " %s ", name);
	room = c->width > x + 1 ? c->width - x - 1 : 0;
	if (sum && *sum) {
		sum_fit(c, sum, room > wide ? room - wide : 0, &fit);
		need = canvas_columns(c, fit.s) + 2;
	}
	if (wide && wide + need <= room) {
		x = canvas_text_at(c, x, y, STYLE_PLAIN, focus);
		canvas_put(c, x, y, ' ', STYLE_PLAIN);
	}
	if (need)
		title_sum(c, y, fit.s, room);
	text_free(&fit);
}

void canvas_bar(struct canvas *c, u32 x, u32 y, u32 width, double value, double full, enum style style)
{
	double share = full > 0 && value > 0 ? value / full : 0;
	u32 eighths = (u32)((share > 1 ? 1 : share) * width * 8 + 0.5);

	if (style_table[style].attribute == 'r') /* its parts would show what is missing of it */
		style = STYLE_PLAIN;
	for (u32 i = 0; i < width; i++) {
		u32 part = min_u32(eighths, 8),
		    ch = c->ascii ? '#' : 0x2590 - part; /* U+2588 full, U+258f one eighth */

		if (part >= (c->ascii ? 4 : 1))
			canvas_put(c, x + i, y, ch, style);
		else
			canvas_put(c, x + i, y, ' ', STYLE_PLAIN);
		eighths -= part;
	}
}

void canvas_focus(struct canvas *c, u32 y)
{
	for (u32 x = 0; y < c->height && x < c->width; x++)
		c->cell[(size_t)y * c->width + x].focus = 1;
}

void canvas_compare(struct canvas *now, const struct canvas *before)
{
	if (now->width != before->width || now->height != before->height)
		return;
	for (size_t i = 0; i < (size_t)now->width * now->height; i++)
		now->cell[i].changed = now->cell[i].ch != before->cell[i].ch ||
				       now->cell[i].style != before->cell[i].style ||
				       memcmp(now->cell[i].mark, before->cell[i].mark, sizeof(now->cell[i].mark));
}

/* A character as UTF-8. */
static void add_utf8(struct text *out, u32 ch)
{
	char s[4];
	size_t n = ch < 0x80 ? 1 : ch < 0x800 ? 2 : ch < 0x10000 ? 3 : 4;

	if (n == 1) {
		s[0] = (char)ch;
	} else {
		for (size_t i = n - 1; i; i--, ch >>= 6)
			s[i] = (char)(0x80 | (ch & 0x3f));
		s[0] = (char)((0xf00u >> n & 0xf0u) | ch);
	}
	text_addn(out, s, n);
}

void cell_utf8(const struct cell *x, struct text *out)
{
	if (x->ch)
		add_utf8(out, x->ch);
	for (u32 i = 0; i < CELL_MARKS && x->mark[i]; i++)
		add_utf8(out, x->mark[i]);
}

void canvas_row_text(const struct canvas *c, u32 y, struct text *out)
{
	const struct cell *row = &c->cell[(size_t)y * c->width];
	u32 n = c->width;

	while (n && row[n - 1].ch == ' ')
		n--;
	text_addn(out, "", 0);
	for (u32 x = 0; x < n; x++)
		cell_utf8(&row[x], out);
}

void canvas_text(const struct canvas *c, struct text *out)
{
	u32 height = c->height;

	text_addn(out, "", 0);
	while (height) { /* empty rows at the end are not text */
		struct text line = {0};
		bool empty;

		canvas_row_text(c, height - 1, &line);
		empty = !line.len;
		text_free(&line);
		if (!empty)
			break;
		height--;
	}
	for (u32 y = 0; y < height; y++) {
		canvas_row_text(c, y, out);
		text_addn(out, "\n", 1);
	}
}

void canvas_blit(struct canvas *to, const struct canvas *from, u32 x, u32 y)
{
	for (u32 row = 0; row < from->height && y + row < to->height; row++) {
		u32 n = x < to->width ? min_u32(from->width, to->width - x) : 0;

		memcpy(&to->cell[(size_t)(y + row) * to->width + x], &from->cell[(size_t)row * from->width],
		       n * sizeof(*to->cell));
	}
}
