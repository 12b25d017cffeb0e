/* explain_columns.c - columns of panes, and the words that stand in them, for `explain` (columns.def). */
#include "explain.h"

#define NAME_BYTES 24 /* of a name, with its end */

static const struct {
	const char *panes, *names, *doc;
	bool value; /* a word in a column */
} column_row[] = {
#define COLUMN(panes_, names_, doc_) {.panes = panes_, .names = names_, .doc = doc_},
#define VALUE(panes_, names_, doc_) {.panes = panes_, .names = names_, .doc = doc_, .value = true},
#include "columns.def"
#undef COLUMN
#undef VALUE
};

/* The names of all rows, one after the other: a column has that of `sort` and its heading. */
static struct {
	char name[NAME_BYTES];
	u32 row;
} word[2 * ARRAY_LEN(column_row)];
static u32 words;

/* Take the rows apart, once. */
static void split(void)
{
	if (words)
		return;
	for (u32 i = 0; i < ARRAY_LEN(column_row); i++)
		for (const char *at = column_row[i].names; *at; at += strspn(at, "|")) {
			size_t n = strcspn(at, "|");
			u32 w = words++;

			INVARIANT(w < ARRAY_LEN(word) && n < NAME_BYTES);
			memcpy(word[w].name, at, n);
			word[w].row = i;
			at += n;
		}
}

/* The i-th name of a column, or of a word in one. */
static bool each(u32 i, bool value, struct topic *t)
{
	split();
	for (u32 w = 0; w < words; w++)
		if (column_row[word[w].row].value == value && !i--) {
			*t = (struct topic){.kind = value ? "word in a pane" : "pane column",
					    .name = word[w].name,
					    .doc = column_row[word[w].row].doc,
					    .index = word[w].row};
			return true;
		}
	return false;
}

bool each_column(u32 i, struct topic *t)
{
	return each(i, false, t);
}

bool each_value(u32 i, struct topic *t)
{
	return each(i, true, t);
}

void explain_column(struct session *s, const struct topic *t, json_t *entry)
{
	explain_line(s, entry, "panes", column_row[t->index].panes);
}
