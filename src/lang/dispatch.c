/*
 * dispatch.c - a line to its command: verbs and abbreviations, arguments typed by the row, blocks, results.
 */
#include "lang.h"
#include "interrupt.h"
#include "lesson.h"
#include "settings.h"
#include "positions.h"
#include "rights.h"
#include "script.h"
#include "sweep.h"
#include "undo.h"

#include <signal.h>

/* Does this line take a block? */
static bool wants_block(const struct command *c, const struct args *a)
{
	return (c->flags & COMMAND_BLOCK) || ((c->flags & COMMAND_BLOCK_IF_BARE) && a->rest >= a->ntokens);
}

/* Are all settings that an argument names such as change only how things are shown? */
static bool shows_only(const struct arg *a)
{
	bool glob = setting_is_glob(a->text);

	for (int id = (int)a->number; id >= 0; id = glob ? setting_match(a->text, id) : -1)
		if (!(setting_table[id].flags & FLAG_VIEW))
			return false;
	return true;
}

/* Is a command held back because a question waits? How things are shown may be set. */
static enum status held(const struct session *s, const struct command *c, const struct args *a, struct error *e)
{
	bool setting = c->arg[0].type == ARG_SETTING && a->arg[0].present;

	if (c->flags & COMMAND_OPEN || (setting && shows_only(&a->arg[0])))
		return STATUS_OK;
	return lesson_holds(s, e);
}

/* Read the block of a command that is ready for it; if it is not, people are not asked for it, and others have it
 * passed over. */
static enum status block_take(struct session *s, const struct command *c, struct args *a, struct line_source *src,
			      struct error *e)
{
	enum status st = held(s, c, a, e);
	struct error passed = {0};

	if (!st && c->ready)
		st = c->ready(s, a, e);
	if (!st)
		return block_read(s, src, c->name, &a->block, &a->nblock, e);
	if (!src->asked)
		block_read(s, src, c->name, &a->block, &a->nblock, &passed);
	return st;
}

/* Run a typed command: block, machine, the command itself, its record. */
static enum status run_typed(struct session *s, const struct command *c, struct args *a, struct line_source *src,
			     struct error *e)
{
	enum status st;

	st = args_type(s, c, a, e);
	if (st)
		return st;
	if (wants_block(c, a)) {
		a->block_line = src->line + 1;
		st = block_take(s, c, a, src, e);
	} else {
		st = held(s, c, a, e);
	}
	if (st)
		return st;
	if (s->rehearses && rights_writes(c, a))
		return STATUS_OK;
	st = rights_command(s, c, a, e);
	if (st)
		return st;
	if (c->flags & (COMMAND_NEEDS_MACHINE | COMMAND_MOVES)) {
		st = session_make(s, e);
		if (st)
			return st;
	}
	checks_wanted(s);
	st = c->run(s, a, e);
	checks_wanted(s);
	if (!st && (c->flags & COMMAND_SETUP) && !s->quiet_depth)
		script_add(s, a);
	return st;
}

/* The same; Ctrl-C ends it, and what it runs. In a batch it ends the program, unless the command loads something: then
 * that is left as it was and said. */
static enum status run_caught(struct session *s, const struct command *c, struct args *a, struct line_source *src,
			      struct error *e)
{
	struct sigaction old;
	enum status st;

	if (s->depth > 1 && interrupt_wanted())
		return interrupt_status(s, e);
	if (!(c->flags & COMMAND_LOADS) && (s->depth > 1 || !s->interactive))
		return run_typed(s, c, a, src, e);
	interrupt_catch(&old);
	st = run_typed(s, c, a, src, e);
	interrupt_release(&old);
	return st;
}

/* Is what a command of a file gave told: it is none that sets a stage, or writes a line of a lesson? */
static bool told(const struct command *c, const json_t *result)
{
	if ((c->flags & COMMAND_SETUP) || !strcmp(c->group, "setup"))
		return false;
	return result || strcmp(c->group, "lessons") != 0;
}

/* Note that the user has run a command; those of files do not count. */
static void note_use(struct session *s, const struct command *c)
{
	const struct line_origin *from = rights_now(s);

	if (!from || !from->root)
		s->lang->used[command_id(c)] = true;
}

/* Run a command between notes for undo, back and the JSON result. */
static enum status run_noted(struct session *s, const struct command *c, struct args *a, struct line_source *src,
			     struct error *e)
{
	struct lang *l = s->lang;
	json_t *outer = s->result;
	const struct command *outer_command = s->running;
	char *outer_path = s->path_to;
	struct position before = session_now(s);
	struct undo_record note;
	bool top = !s->depth, shown = !l->inside, inside = strcmp(c->name, "source") != 0,
	     travels = !strcmp(c->name, "back") || !strcmp(c->name, "forward");
	enum status st;

	note_use(s, c);
	if (shown)
		session_line(s, c, a->line, false);
	l->inside += inside;
	if (top)
		undo_note(s, &note);
	s->result = NULL;
	s->path_to = NULL;
	s->depth++;
	s->running = c;
	st = run_caught(s, c, a, src, e);
	s->running = outer_command;
	s->depth--;
	if ((c->flags & COMMAND_MOVES) && !travels)
		visited_keep(s, before);
	if (top && strcmp(c->name, "undo"))
		undo_keep(s, &note, a->line);
	if (!st && s->json && (top || told(c, s->result)))
		report_result(c->name, s->result);
	if (st && c->flags & COMMAND_ANSWERS) {
		l->found = s->result;
		s->result = NULL;
	}
	if (s->result)
		json_decref(s->result);
	s->result = outer;
	free(s->path_to);
	s->path_to = outer_path;
	if (st && !l->failed_verb)
		l->failed_verb = c->name;
	l->inside -= inside;
	if (shown)
		session_line(s, c, a->line, true);
	args_free(c, a);
	return st;
}

/* Give an error the place of the line that it came from, unless it has one; a file that was read and has no line of its
 * own becomes part of the message. */
static void locate(struct error *e, const struct line_source *src, u32 line, const struct words *w)
{
	char message[sizeof(e->message)];

	if (e->file[0] && (e->line || !src->file))
		return;
	if (e->file[0]) {
		snprintf(message, sizeof(message), "%s: %.500s", safe_text(e->file), e->message);
		memcpy(e->message, message, sizeof(message));
	}
	snprintf(e->file, sizeof(e->file), "%s", src->file ? src->file : "");
	if (!e->line && src->file && !src->unnumbered)
		e->line = line;
	if (!e->column && w->n && src->file)
		e->column = w->token[w->n > 1].column;
}

/* Append a line with a word in the place of every $name; false: that would make too much text. */
static bool substitute(struct text *out, const char *line, const struct args *a)
{
	while (*line && out->len <= MAX_SUBSTITUTED) {
		u32 digits = 4, n = 0;

		if (!strncmp(line, "$argc", 5)) {
			text_add(out, "%u", a->ntokens - 1);
			line += 5;
			continue;
		}
		while (!strncmp(line, "$arg", 4) && line[digits] >= '0' && line[digits] <= '9' && n < 1000)
			n = n * 10 + (u32)(line[digits++] - '0');
		if (digits > 4) {
			text_add(out, "%s", n + 1 < a->ntokens ? a->token[n + 1].s : "");
			line += digits;
		} else {
			text_addn(out, line++, 1);
		}
	}
	return out->len <= MAX_SUBSTITUTED;
}

/* The lines of a body with the words of a line put in; false: too much text. */
static bool substitute_all(const struct kept *body, const struct args *a, char **lines)
{
	struct text out = {0};
	size_t room = MAX_SUBSTITUTED;
	bool good = true;

	for (u32 i = 0; i < body->n && good; i++) {
		text_clear(&out);
		text_addn(&out, "", 0);
		good = substitute(&out, body->line[i], a) && out.len <= room;
		room -= good ? out.len : 0;
		lines[i] = xstrndup(out.s, good ? out.len : 0);
	}
	text_free(&out);
	return good;
}

/* Run a user's command with its words in the place of $arg0 .. */
static enum status run_lines(struct session *s, const struct definition *d, const struct args *a, struct error *e)
{
	char **lines = xcalloc(d->body.n ? d->body.n : 1, sizeof(char *));
	struct kept body = d->body;
	enum status st = STATUS_OK;

	if (!substitute_all(&body, a, lines))
		st = usage_at(e, a->token[0].column, "%s expands to more than %u bytes of text", token_shown(d->name),
			      MAX_SUBSTITUTED);
	body.file = body.file ? xstrdup(body.file) : NULL;
	body.from = rights_now(s)->root ? rights_meet(s, body.from, rights_now(s)) : body.from;
	st = st ? st : kept_run(s, &body, lines, e);
	free(body.file);
	lines_free(lines, body.n);
	return st;
}

/* The same; typed, Ctrl-C ends it as it ends any command. */
static enum status run_definition(struct session *s, const struct definition *d, const struct args *a, struct error *e)
{
	enum status st = lang_expand(s->lang, d->name, d->body.n + 1, e);
	struct sigaction old;

	if (st || s->depth || !s->interactive)
		return st ? st : run_lines(s, d, a, e);
	interrupt_catch(&old);
	st = run_lines(s, d, a, e);
	interrupt_release(&old);
	return st;
}

/* The line begins with no verb: the error is there already, its place and name are added. */
static enum status verb_unknown(const struct session *s, const struct token *t, struct error *e)
{
	const struct lesson_item *open = lesson_open(s);
	struct lang *l = s->lang;

	if (open && (open->ask == ASK_CHOICE ? !t->s[1] : t->s[0] >= '0' && t->s[0] <= '9'))
		error_set(e, STATUS_USAGE, "unknown command '%s' (`answer %s` answers the question)", token_shown(t->s),
			  token_shown(t->s));
	snprintf(l->unknown_verb, sizeof(l->unknown_verb), "%.20s", safe_text(t->s));
	l->failed_verb = l->unknown_verb;
	e->column = t->column;
	return STATUS_USAGE;
}

/* Run one line of src, its aliases expanded. */
static enum status plain_run(struct session *s, struct line_source *src, struct error *e)
{
	struct lang *l = s->lang;
	const struct command *c;
	const u32 line = src->line;
	struct args a = {.file = src->file, .line_number = src->file && !src->unnumbered ? src->line : 0};
	struct words w;
	enum status st;

	*e = (struct error){0};
	l->failed_verb = NULL;
	l->reported = false;
	json_decref(l->found);
	l->found = NULL;
	st = words_parse(&w, src->text, src->length, e);
	a.token = w.token;
	a.ntokens = w.n;
	a.line = w.text;
	if (!st && s->depth)
		st = work_check(e);
	if (!st && w.n) {
		const struct definition *d = definition_find(l, w.token[0].s);

		c = d ? NULL : command_of_two(w.token, &w.n);
		a.ntokens = w.n;
		if (!c && !d)
			c = command_find(w.token[0].s, e);
		if (d)
			st = run_definition(s, d, &a, e);
		else if (!strcmp(w.token[0].s, "end"))
			st = usage_at(e, w.token[0].column, "'end' without a block");
		else if (c)
			st = run_noted(s, c, &a, src, e);
		else
			st = verb_unknown(s, &w.token[0], e);
	}
	if (st) {
		locate(e, src, line, &w);
		e->status = st;
	}
	words_free(&w);
	return st;
}

/* Run a line that begins with an alias; an error's column is put where the line as typed has it. */
static enum status alias_run(struct session *s, struct line_source *src, const struct alias *a, const struct words *w,
			     struct error *e)
{
	char *line = xasprintf("%s%s", a->line, w->text + w->token[0].end);
	u32 number = src->line, length = (u32)strlen(a->line), end = w->token[0].end;
	const struct line_origin *from = src->from;
	enum status st;

	src->text = line;
	src->length = strlen(line);
	src->from = rights_meet(s, a->from, from);
	st = plain_run(s, src, e);
	src->from = from;
	if (st && e->column && e->line == (src->unnumbered || !src->file ? 0 : number) &&
	    !strcmp(e->file, src->file ? src->file : ""))
		e->column = e->column > length ? e->column - length + end : w->token[0].column;
	if (src->text == line) {
		src->text = "";
		src->length = 0;
	}
	free(line);
	return st;
}

/* Run one line of src, in which the variables of a sweep have their values. */
static enum status named_run(struct session *s, struct line_source *src, struct error *e)
{
	const struct alias *a = NULL;
	struct words w;
	enum status st;

	if (!s->lang->nalias)
		return plain_run(s, src, e);
	if (!words_parse(&w, src->text, src->length, e) && w.n)
		a = alias_find(s->lang, w.token[0].s);
	st = a ? alias_run(s, src, a, &w, e) : plain_run(s, src, e);
	words_free(&w);
	return st;
}

enum status line_run(struct session *s, struct line_source *src, struct error *e)
{
	char *line = s->sweep ? sweep_put(s->sweep, src->text, src->length) : NULL;
	enum status st;

	if (!line)
		return named_run(s, src, e);
	src->text = line;
	src->length = strlen(line);
	st = named_run(s, src, e);
	if (src->text == line) {
		src->text = "";
		src->length = 0;
	}
	free(line);
	return st;
}
