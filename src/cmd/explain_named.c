/* explain_named.c - everything with a name but commands, one after the other, for those who search by a word. */
#include "explain.h"
#include "info.h"

/* The kinds that are searched, in the order of their rows, and what shows one of them. */
static const struct {
	const char *plural, *line;
} named_row[] = {{"settings", "set NAME"},    {"statistics", "stats NAME"},  {"events", "break NAME"},
		 {"policies", "policy NAME"}, {"shorthands", "policy NAME"}, {"breakpoints", "break NAME"},
		 {"states", "explain NAME"},  {"outcomes", "explain NAME"},  {"panes", "show NAME"}};

/* Things of a kind. */
static u32 kind_count(const struct topic_kind *k)
{
	struct topic t = {0};
	u32 n = 0;

	while (k->each(n, &t))
		n++;
	return n;
}

const char *explain_named(u32 i, const char **kind, const char **doc, const char **line)
{
	static u32 count[ARRAY_LEN(named_row)];
	static struct topic t;

	if (i < INFO_COUNT) {
		*kind = "subjects of info";
		*doc = info_table[i]->doc;
		*line = "info NAME";
		return info_table[i]->name;
	}
	i -= INFO_COUNT;
	for (u32 k = 0; k < ARRAY_LEN(named_row); k++) {
		const struct topic_kind *row = explain_kind(named_row[k].plural);

		if (!count[k])
			count[k] = kind_count(row);
		if (i < count[k]) {
			row->each(i, &t);
			*kind = named_row[k].plural;
			*doc = t.doc ? t.doc : "";
			*line = named_row[k].line;
			return t.name;
		}
		i -= count[k];
	}
	return NULL;
}
