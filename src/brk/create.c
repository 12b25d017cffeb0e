/* create.c - text to stops and back: kinds, conditions, and the words that they are made of. */
#include "events.h"
#include "hits.h"
#include "oldnames.h"

#include <ctype.h>
#include <errno.h>

#define HITS_LINE 16 /* cycles in a line of a saved session */

bool word_take(const char **text, char *out, size_t size)
{
	const char *t = *text + strspn(*text, " \t");
	size_t n = strcspn(t, " \t");

	snprintf(out, size, "%.*s", (int)min_u64(n, size - 1), t);
	*text = t + n + strspn(t + n, " \t");
	return n > 0;
}

enum status word_number(const char **text, const char *what, u64 most, u32 column, u64 *out, struct error *e)
{
	const char *start = *text;
	char word[64], *end;

	if (!word_take(text, word, sizeof(word)))
		return most >= NEVER - 1 ? usage_at(e, column, "missing %s", what)
					 : usage_at(e, column, "missing %s (an integer, at most %llu)", what, most);
	errno = 0;
	*out = strtoull(word, &end, 0);
	if (*end || !isdigit((u8)word[0]) || errno || *out > most) {
		*text = start;
		return most >= NEVER - 1
			       ? usage_at(e, column, "%s: must be an integer, not '%s'", what, safe_text(word))
			       : usage_at(e, column, "%s: must be an integer, at most %llu, not '%s'", what, most,
					  safe_text(word));
	}
	return STATUS_OK;
}

enum status words_end(const char *text, u32 column, struct error *e)
{
	if (!text[strspn(text, " \t")])
		return STATUS_OK;
	return usage_at(e, column, "unexpected '%s' (only `if CONDITION` may follow)", safe_text(text));
}

/* Where the word `if` begins in text, outside brackets; its length if nowhere. */
static size_t find_if(const char *text)
{
	int depth = 0;

	for (size_t i = 0; text[i]; i++) {
		depth += (text[i] == '(' || text[i] == '[') - (text[i] == ')' || text[i] == ']');
		if (depth <= 0 && !strncmp(text + i, "if", 2) && (!i || isspace((u8)text[i - 1])) &&
		    (!text[i + 2] || isspace((u8)text[i + 2]) || text[i + 2] == '('))
			return i;
	}
	return strlen(text);
}

/* Where the word `as` begins in the first n bytes of text, outside brackets; n if nowhere. */
static size_t find_as(const char *text, size_t n)
{
	int depth = 0;

	for (size_t i = 0; i + 2 < n; i++) {
		depth += (text[i] == '(' || text[i] == '[') - (text[i] == ')' || text[i] == ']');
		if (depth <= 0 && i && isspace((u8)text[i - 1]) && !strncmp(text + i, "as", 2) &&
		    isspace((u8)text[i + 2]))
			return i;
	}
	return n;
}

/* A copy of n bytes without the blanks around them; *skipped: blanks before. */
static char *trimmed(const char *text, size_t n, u32 *skipped)
{
	size_t from = 0;

	while (from < n && isspace((u8)text[from]))
		from++;
	while (n > from && isspace((u8)text[n - 1]))
		n--;
	if (skipped)
		*skipped = (u32)from;
	return xstrndup(text + from, n - from);
}

enum status breakpoint_compile(struct session *s, const char *text, u32 column, struct expr **out, struct error *e)
{
	enum status st = expr_compile(s, text, out, e);

	if (st && e && e->column)
		e->column += column - 1;
	return st;
}

enum status breakpoint_value(struct session *s, const char *text, u32 column, struct expr **out, struct error *e)
{
	const char *name;
	u32 at;

	if (breakpoint_compile(s, text, column, out, e))
		return STATUS_USAGE;
	name = expr_unbound(*out, 0, &at);
	return name ? usage_at(e, column + at - 1, "unknown name '%s'", safe_text(name)) : STATUS_OK;
}

/* Is a name that of a number of the events at which a stop is hit? */
static bool names_number(const struct breakpoint *b, const char *name)
{
	for (u32 i = 0; b->kind->named && i < EVENT_COUNT; i++)
		if (breakpoint_events(b) >> i & 1 &&
		    (!strcmp(name, event_table[i].a) || !strcmp(name, event_table[i].b)))
			return true;
	return false;
}

enum status breakpoint_names(const struct breakpoint *b, const struct expr *x, u32 column, struct error *e)
{
	const char *name;
	u32 at;

	for (u32 n = 0; (name = expr_unbound(x, n, &at)); n++) {
		if (!names_number(b, name) && strcmp(name, "a") && strcmp(name, "b") && strcmp(name, "address"))
			return usage_at(
				e, column + at - 1,
				"unknown name '%s' (the names of an event's numbers are known only in a breakpoint on that event)",
				safe_text(name));
	}
	return STATUS_OK;
}

enum status breakpoint_condition(struct session *s, struct breakpoint *b, const char *text, u32 column, struct error *e)
{
	u32 skipped;
	char *copy = trimmed(text, strlen(text), &skipped);
	struct expr *x = NULL;
	enum status st = STATUS_OK;

	if (copy[0])
		st = breakpoint_compile(s, copy, column + skipped, &x, e);
	if (!st && x)
		st = breakpoint_names(b, x, column + skipped, e);
	if (st) {
		expr_free(x);
		free(copy);
		return st;
	}
	expr_free(b->condition);
	free(b->condition_text);
	b->condition = x;
	b->condition_text = x ? copy : NULL;
	if (!x)
		free(copy);
	hits_forget(s, b);
	return STATUS_OK;
}

bool breakpoint_holds(struct session *s, const struct breakpoint *b, const struct record *r)
{
	struct expr_scope scope = {.record = r};
	struct value v;

	return !b->condition || (!expr_eval(s, b->condition, &scope, &v, NULL) && value_true(v));
}

/* The kind that a text begins with; *text then begins after its name. Without a name: a cycle, an event or a place. */
static const struct break_kind *kind_of(const char **text)
{
	const char *rest = *text, *today;
	char word[64];

	word_take(&rest, word, sizeof(word));
	today = name_today(NAME_BREAK, word);
	for (u32 i = 0; i < BREAK_KIND_COUNT; i++) {
		if (!strcmp(break_kind_table[i]->name, today)) {
			*text = rest;
			return break_kind_table[i];
		}
	}
	if (isdigit((u8)word[0]))
		return break_kind_table[BREAK_cycle];
	return event_find(word, NULL) >= 0 ? break_kind_table[BREAK_event] : break_kind_table[BREAK_pc];
}

/* NAME, the last word of the n bytes of text: letters, digits, _ . and -, beginning with a letter, and nobody else's.
 */
static enum status take_name(struct session *s, struct breakpoint *b, const char *text, size_t n, u32 column,
			     struct error *e)
{
	char *name = trimmed(text, n, NULL);

	b->name = name;
	if (!isalpha((u8)name[0]) ||
	    name[strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-")])
		return usage_at(e, column,
				"invalid name '%s' after `as` (a letter, then letters, digits, '_', '.' and '-')",
				safe_text(name));
	if (breaks_named(s->breaks, name))
		return failed_at(e, column, "breakpoint %u is already named '%s'",
				 breaks_named(s->breaks, name)->number, name);
	return STATUS_OK;
}

/* What follows `if`: a condition, and `as NAME` if it stands there. */
static enum status take_condition(struct session *s, struct breakpoint *b, const char *text, u32 column,
				  struct error *e)
{
	size_t end = strlen(text), as = b->name ? end : find_as(text, end);
	char *condition = xstrndup(text, as);
	enum status st;

	if (!condition[strspn(condition, " \t")])
		st = usage_at(e, column - 2, "missing condition after `if`");
	else
		st = breakpoint_condition(s, b, condition, column, e);
	free(condition);
	return !st && as < end ? take_name(s, b, text + as + 2, end - as - 2, column + (u32)as + 3, e) : st;
}

/* Take the kind's own text and the condition apart and parse both. */
static enum status fill(struct session *s, struct breakpoint *b, const char *text, u32 column, struct error *e)
{
	bool whole = b->kind == break_kind_table[BREAK_if];
	size_t n = whole ? strlen(text) : find_if(text), own = find_as(text, n);
	u32 skipped;
	enum status st = STATUS_OK;

	b->text = trimmed(text, own, &skipped);
	if (own < n)
		st = take_name(s, b, text + own + 2, n - own - 2, column + (u32)own + 3, e);
	if (!st)
		st = b->kind->parse(s, b, b->text, column + skipped, e);
	if (!st && text[n])
		st = take_condition(s, b, text + n + 2, column + (u32)n + 2, e);
	if (!st && s->live && !breakpoint_resolve(s, b, e))
		st = STATUS_FAILED;
	return st;
}

enum status breaks_add(struct session *s, const struct break_kind *kind, const char *text, u32 column, bool temporary,
		       struct breakpoint **out, struct error *e)
{
	struct breaks *list = s->breaks;
	struct breakpoint *b = xcalloc(1, sizeof(*b));
	const char *rest = text + strspn(text, " \t");
	enum status st;

	b->kind = kind ? kind : kind_of(&rest);
	b->temporary = temporary;
	b->enabled = true;
	hits_begin(s, b);
	st = fill(s, b, rest, column + (u32)(rest - text), e);
	if (st) {
		breakpoint_free(b);
		return st;
	}
	b->number = s->last_break = list->next_number++;
	list->list = xrealloc(list->list, (list->n + 1) * sizeof(*list->list));
	list->list[list->n++] = b;
	*out = b;
	return STATUS_OK;
}

void breakpoint_what(const struct breakpoint *b, struct text *out)
{
	text_add(out, "%s%s", b->kind->name, b->text[0] ? " " : "");
	text_add_safe(out, b->text, strlen(b->text));
	if (b->name)
		text_add(out, " as %s", b->name);
}

void breakpoint_text(const struct breakpoint *b, struct text *out)
{
	breakpoint_what(b, out);
	if (b->condition_text) {
		text_add(out, " if ");
		text_add_safe(out, b->condition_text, strlen(b->condition_text));
	}
	print_text(b->print, out);
}

/* One stop as the commands that make it; its list too. */
static void save_one(const struct breakpoint *b, struct text *out)
{
	bool watch = b->kind == break_kind_table[BREAK_watch], apart = b->kind == break_kind_table[BREAK_if];
	const char *condition = b->condition_text && !apart ? b->condition_text : NULL;

	text_add(out, "%s", b->print ? "dprintf " : b->temporary ? "tbreak " : watch ? "" : "break ");
	text_add(out, "%s %s%s%s%s%s", b->kind->name, b->text, b->name ? " as " : "", b->name ? b->name : "",
		 condition ? " if " : "", condition ? condition : "");
	print_text(b->print, out);
	text_add(out, "\n");
	if (b->condition_text && apart)
		text_add(out, "condition %u %s\n", b->number, b->condition_text);
	if (b->ncommands)
		text_add(out, "commands %u\n", b->number);
	for (u32 i = 0; i < b->ncommands; i++)
		text_add(out, "  %s\n", b->command[i]);
	if (b->ncommands)
		text_add(out, "end\n");
	if (!b->enabled)
		text_add(out, "disable %u\n", b->number);
}

void breaks_save(const struct breaks *b, struct text *out)
{
	u32 next = 1;

	for (u32 i = 0; i < b->n; i++) {
		if (b->list[i]->number != next)
			text_add(out, "number %u\n", b->list[i]->number);
		next = b->list[i]->number + 1;
		save_one(b->list[i], out);
	}
	if (b->next_number != next)
		text_add(out, "number %u\n", b->next_number);
	for (u32 i = 0; i < b->ndisplays; i++) {
		const struct display *d = &b->display[i];
		char format[3] = {'/', d->format, '\0'};

		text_add(out, "display%s %s\n", d->format ? format : "", d->text);
	}
}

void breaks_save_hits(const struct breaks *b, struct text *out)
{
	for (u32 i = 0; i < b->n; i++) {
		const struct breakpoint *p = b->list[i];
		u64 hits = breakpoint_hits(b->session, p);

		if (session_now(b->session).cycle)
			text_add(out, "number %u from %llu\n", p->number, p->from);
		if (p->ignore_rank)
			text_add(out, "ignore %u %llu\n", p->number, p->ignore_rank);
		for (u32 k = 0; k < hits; k++) {
			if (k % HITS_LINE == 0)
				text_add(out, "%snumber %u hits", k ? "\n" : "", p->number);
			text_add(out, " %llu", hits_first(p)[k].cycle);
			if (hits_first(p)[k].met > 1)
				text_add(out, ":%u", hits_first(p)[k].met);
		}
		text_add(out, hits ? "\n" : "");
	}
}
