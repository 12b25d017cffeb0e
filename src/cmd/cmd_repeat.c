/* cmd_repeat.c - repeat: a block once for each number of a range. */
#include "expr.h"
#include "lang.h"

#include <ctype.h>

/* line with every $name that is the variable's replaced by value; xmalloc'ed. */
static char *cmd_repeat_expand(const char *line, const char *name, i64 value)
{
	size_t n = strlen(name);
	struct text out = {0};
	const char *at;

	while ((at = strchr(line, '$'))) {
		bool ours = !strncmp(at + 1, name, n) && !isalnum((u8)at[n + 1]) && at[n + 1] != '_';

		text_addn(&out, line, (size_t)(at - line) + !ours);
		if (ours)
			text_add(&out, "%lld", value);
		line = at + 1 + (ours ? n : 0);
	}
	text_add(&out, "%s", line);
	return out.s;
}

/* A..B */
static enum status cmd_repeat_parse_range(const struct arg *a, i64 *from, i64 *to, struct error *e)
{
	const char *dots = strstr(a->text, "..");
	char *end, *last = NULL;

	*from = strtoll(a->text, &end, 0);
	if (dots)
		*to = strtoll(dots + 2, &last, 0);
	if (!dots || end != dots || end == a->text || last == dots + 2 || *last)
		return usage_at(e, a->column, "'%s' is not a range (usage: `repeat VAR A..B`)", token_shown(a->text));
	if (*to < *from || (u64)*to - (u64)*from >= MAX_EXPANSION)
		return usage_at(e, a->column, "'%s': B is out of range (from A to A + %u)", token_shown(a->text),
				MAX_EXPANSION - 1);
	return STATUS_OK;
}

/* One round. */
static enum status cmd_repeat_round_run(struct session *s, const struct args *a, struct kept *body, i64 i,
					struct error *e)
{
	char **lines = xcalloc(body->n ? body->n : 1, sizeof(char *));
	enum status st;

	for (u32 k = 0; k < body->n; k++)
		lines[k] = cmd_repeat_expand(body->line[k], a->arg[0].text, i);
	st = kept_run(s, body, lines, e);
	lines_free(lines, body->n);
	return st;
}

static enum status cmd_repeat_run(struct session *s, const struct args *a, struct error *e)
{
	struct lang *l = s->lang;
	struct kept body;
	enum status st, first = STATUS_OK;
	i64 from = 0, to = 0;

	st = cmd_repeat_parse_range(&a->arg[1], &from, &to, e);
	if (st)
		return st;
	kept_fill(&body, s, a);
	for (u64 k = 0; k <= (u64)to - (u64)from && !st && !s->quit; k++) {
		st = lang_expand(l, "repeat", body.n + 1, e);
		if (!st)
			st = cmd_repeat_round_run(s, a, &body, (i64)((u64)from + k), e);
		first = first ? first : st;
		if (st && s->keep_going && l->reported)
			st = STATUS_OK;
	}
	kept_free(&body);
	return st ? st : first;
}

const struct command command_repeat = {
	.name = "repeat",
	.group = "setup",
	.summary = "run the lines up to `end` once for each number from A to B",
	.details = "$VAR in the lines is replaced by the number. Blocks may be nested; the limit is a million lines.",
	.examples = "repeat i 0..3\n  buffer part$i f32[256]\nend",
	.flags = COMMAND_BLOCK | COMMAND_RUNS,
	.run = cmd_repeat_run,
	.arg = {{"VAR", ARG_WORD, .doc = "name of the variable"}, {"A..B", ARG_WORD, .doc = "range of numbers"}},
};
