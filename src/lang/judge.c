/*
 * judge.c - the checks of a scenario on another machine than the session's: the lines `check` and `expect` of the block
 * `finally`, each by itself, seen by nobody. What else stands there, and what stands in blocks of it, is not run: it
 * may print, write files or move the machine.
 */
#include "lang.h"

/* Is a line a check that stands by itself? *depth: of blocks around it, moved on. */
static bool is_check(struct session *s, const char *text, u32 *depth)
{
	struct line_source src = {.text = text, .length = strlen(text)};
	const struct command *c = NULL;
	struct words w;
	struct error e;
	u32 before = *depth;
	int change = block_depth(s, &src);

	*depth = change < 0 && !before ? 0 : (u32)((int)before + change);
	if (!words_parse(&w, src.text, src.length, &e) && w.n && !definition_find(s->lang, w.token[0].s))
		c = alias_command(s->lang, w.token[0].s, &e);
	words_free(&w);
	return !before && c && (!strcmp(c->name, "check") || !strcmp(c->name, "expect"));
}

/* Run one of the lines. One that cannot be run shows nothing, and so fails. */
static void judge_line(struct session *s, const struct kept *k, u32 i, struct judged *out)
{
	struct kept one = *k;
	struct error e = {0};
	enum status st;

	one.n = 1;
	one.first_line = k->first_line + i;
	st = kept_run(s, &one, &k->line[i], &e);
	out->passed += !st;
	if (st && !out->failed++)
		snprintf(out->first, sizeof(out->first), "%.*s", (int)sizeof(out->first) - 1, e.message);
}

void finally_judge(struct session *s, struct judged *out)
{
	static const struct session_part *const nobody[] = {NULL};
	struct lang *l = s->lang;
	struct session_ops above = *s->above;
	const struct session_ops *was_above = s->above;
	const char *verb = l->failed_verb;
	FILE *was_out = s->out, *was_log = s->log, *hidden = fopen("/dev/null", "w");
	bool json = s->json, interactive = s->interactive, going = s->keep_going, reported = l->reported;
	json_t *result = s->result;

	*out = (struct judged){0};
	if (!hidden)
		return;
	above.part = nobody;
	s->above = &above;
	s->out = hidden;
	s->log = NULL;
	s->result = NULL;
	s->json = s->interactive = s->keep_going = false;
	for (u32 i = 0, depth = 0; i < l->finally.n; i++)
		if (is_check(s, l->finally.line[i], &depth))
			judge_line(s, &l->finally, i, out);
	s->above = was_above;
	s->out = was_out;
	s->log = was_log;
	s->result = result;
	s->json = json;
	s->interactive = interactive;
	s->keep_going = going;
	l->failed_verb = verb;
	l->reported = reported;
	fclose(hidden);
}
