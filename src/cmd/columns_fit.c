/*
 * columns_fit.c - how a table is laid out in a width: every number and every sentence whole, names shortened where that
 * makes a row fit into a line, else what is the same in every row told once, else rows of several lines.
 */
#include "columns.h"

#define GAP 2	      /* cells between two columns, and before the lines below a row's first one */
#define LEAST_NAME 12 /* cells of a shortened name */
#define LAST_SHARE 3  /* a last column of sentences has this part of the width at least: a third */

/* What a column holds: cells that stand right are numbers, names have no blanks. */
enum content { NUMBERS, NAMES, SENTENCES };

static enum content content_of(const struct columns *c, u32 column)
{
	enum content content = NUMBERS;

	for (u32 i = column; i < c->ncells; i += c->ncolumns) {
		if (strchr(c->cell[i].text, ' '))
			return SENTENCES;
		content = c->cell[i].right ? content : NAMES;
	}
	return content;
}

/* Cells of a row in one line. */
static u32 total(const struct columns_fit *f, u32 n)
{
	u32 sum = 0;

	for (u32 i = 0; i < n; i++)
		sum += f->width[i] + (i ? GAP : 0);
	return sum;
}

/* The least width of a name's column. */
static u32 least_name(const struct columns *c, const struct columns_fit *f, u32 i)
{
	u32 least = max_u32(text_columns(c->name[i]), LEAST_NAME);

	return content_of(c, i) == NAMES ? min_u32(least, f->width[i]) : f->width[i];
}

/* Shorten names, the longest first, until a row fits into the width; false: it cannot. */
static bool shorten(const struct columns *c, struct columns_fit *f, u32 width)
{
	u32 sum = total(f, c->ncolumns), least[MAX_COLUMNS], spare = 0;

	for (u32 i = 0; i < c->ncolumns; i++) {
		least[i] = least_name(c, f, i);
		spare += f->width[i] - least[i];
	}
	if (sum > width + spare)
		return false;
	while (sum > width) {
		u32 widest = MAX_COLUMNS;

		for (u32 i = 0; i < c->ncolumns; i++)
			if (f->width[i] > least[i] && (widest == MAX_COLUMNS || f->width[i] > f->width[widest]))
				widest = i;
		if (widest == MAX_COLUMNS)
			return false;
		f->width[widest]--;
		sum--;
	}
	return true;
}

/* All of a row in one line: the last column, if it holds sentences, in what is left of the width; names shortened where
 * that must be; false: it cannot. */
static bool one_line(const struct columns *c, struct columns_fit *f, u32 width)
{
	struct columns_fit wide = *f;
	u32 last = c->ncolumns - 1;

	if (content_of(c, last) == SENTENCES)
		f->width[last] = max_u32(text_columns(c->name[last]), min_u32(f->width[last], width / LAST_SHARE));
	if (!shorten(c, f, width)) {
		*f = wide;
		return false;
	}
	f->width[last] = min_u32(wide.width[last], f->width[last] + width - total(f, c->ncolumns));
	return true;
}

/* As many lines as a row takes. A column of sentences has the rest of its line where that is not all that it wants. */
static void several_lines(const struct columns *c, struct columns_fit *f, u32 width)
{
	u32 line = 0, x = 0;

	for (u32 i = 0; i < c->ncolumns; i++) {
		enum content content = content_of(c, i);
		u32 need = content == SENTENCES ? min_u32(f->width[i], width / LAST_SHARE) : f->width[i];

		if (i && x + need > width) {
			line++;
			x = GAP;
		}
		f->line[i] = line;
		if (content != NUMBERS)
			f->width[i] = min_u32(f->width[i], width > x + 1 ? width - x : 1);
		x += f->width[i] + GAP;
	}
}

void columns_fit(const struct columns *c, u32 width, struct columns_fit *f)
{
	*f = (struct columns_fit){0};
	for (u32 i = 0; i < c->ncolumns; i++)
		f->width[i] = text_columns(c->name[i]);
	for (u32 i = 0; c->ncolumns && i < c->ncells; i++)
		f->width[i % c->ncolumns] = max_u32(f->width[i % c->ncolumns], text_columns(c->cell[i].text));
	if (width && c->ncells && total(f, c->ncolumns) > width && !one_line(c, f, width))
		several_lines(c, f, width);
}

/* Whether a column has the same text in all rows. */
static bool is_same(const struct columns *c, u32 column)
{
	for (u32 i = column; i < c->ncells; i += c->ncolumns)
		if (strcmp(c->cell[i].text, c->cell[column].text))
			return false;
	return true;
}

bool columns_differing(const struct columns *c, struct columns *out, struct text *same)
{
	u32 keep[MAX_COLUMNS] = {0};

	INVARIANT(c->ncolumns);
	*out = (struct columns){.session = c->session};
	for (u32 i = 0; i < c->ncolumns; i++)
		if (!is_same(c, i))
			keep[out->ncolumns++] = i;
		else
			text_add(same, "%s%s %s", same->len ? ", " : "", c->name[i], c->cell[i].text);
	if (!same->len || !out->ncolumns)
		return false;
	out->ncells = c->ncells / c->ncolumns * out->ncolumns;
	out->cell = xmalloc(out->ncells * sizeof(*out->cell));
	for (u32 i = 0; i < out->ncolumns; i++)
		out->name[i] = c->name[keep[i]];
	for (u32 i = 0; i < out->ncells; i++)
		out->cell[i] = c->cell[i / out->ncolumns * c->ncolumns + keep[i % out->ncolumns]];
	return true;
}

/* The first (or last) characters of a text that fit into so many cells. */
static const char *part(const char *s, u32 cells, bool tail)
{
	const char *end = s + strlen(s), *p = s;

	if (tail)
		while (text_columns(p) > cells)
			character_next(&p);
	else
		for (const char *next = s; p < end; p = next) {
			u32 wide = character_width(character_next(&next));

			if (wide > cells)
				break;
			cells -= wide;
		}
	return p;
}

void columns_shorten(struct text *out, const char *s, u32 width, bool ascii)
{
	u32 head = width / 2;

	if (text_columns(s) <= width) {
		text_add(out, "%s", s);
		return;
	}
	text_addn(out, s, (size_t)(part(s, head, false) - s));
	text_add(out, "%s%s", ascii ? "~" : "…", part(s, width - head - 1, true));
}
