/*
 * script.c - the record of a sitting: set-up as typed, inputs with their cycles, so that `save session` can write a
 * script that brings it back.
 */
#include "rights.h"
#include "script.h"

#include <limits.h>

void script_path(struct session *s, const struct token *t, const char *path)
{
	char real[PATH_MAX];

	free(s->path_to);
	s->path_to = xstrdup(realpath(path, real) ? real : path);
	s->path_start = t->column - 1;
	s->path_end = t->end;
}

/* A block's line: the path of a `check ... file PATH` made absolute. */
static void add_block_line(struct text *out, const char *line, const char *dir)
{
	struct words w;
	struct error e;
	char real[PATH_MAX], *path;
	u32 at = 0;

	if (!words_parse(&w, line, strlen(line), &e))
		for (u32 i = 1; i + 1 < w.n && !at; i++)
			at = !strcmp(w.token[i].s, "file") ? i + 1 : 0;
	if (at) {
		path = path_join(dir, w.token[at].s);
		text_add(out, "%.*s", (int)w.token[at].column - 1, w.text);
		word_add_quoted(out, realpath(path, real) ? real : path);
		text_add(out, "%s\n", w.text + w.token[at].end);
		free(path);
	} else {
		text_add(out, "%s\n", line);
	}
	words_free(&w);
}

/* The flags of the setting that a line sets, 0 of any other line. */
static u32 flags_of(const struct command *c, const struct args *a)
{
	return c && c->arg[0].type == ARG_SETTING && a->arg[0].present ? setting_table[a->arg[0].number].flags : 0;
}

/* Does a line set all settings that match a glob? Each of them has been given a line of its own. */
static bool sets_many(const struct command *c, const struct args *a)
{
	return c && c->arg[0].type == ARG_SETTING && a->arg[0].present && setting_is_glob(a->arg[0].text);
}

/* Has the run ended here, well or badly? */
static bool has_ended(struct session *s)
{
	struct error none;

	return s->live && (sim_finished(&s->sim) || session_end_status(s, &none));
}

/* One more line, of a setting with these flags (0: of none). */
static void keep_line(struct session *s, u32 flags, char *text)
{
	struct script_line line = {
		.text = text,
		/* also what waits for a restart, which forgets when it was */
		.timed = s->live && s->moved && !(flags & FLAG_HOST),
		.at = session_now(s),
		.restored = has_ended(s),
		.focus = s->focus,
		.from = rights_keep(s, rights_now(s)),
	};

	s->script = array_grow(s->script, s->nscript, sizeof(*s->script));
	s->script[s->nscript++] = line;
}

void script_set(struct session *s, enum setting_id id, u32 value)
{
	struct text text = {0};
	char word[32];

	if (setting_table[id].flags & FLAG_VIEW)
		return;
	text_add(&text, "set %s %s\n", setting_table[id].name, setting_text(id, value, word));
	keep_line(s, setting_table[id].flags, text.s);
}

void script_add(struct session *s, const struct args *a)
{
	struct error e;
	const struct command *c = command_find(a->token[0].s, &e);
	u32 flags = flags_of(c, a);
	struct text text = {0};

	if ((a->ntokens < 2 && !a->block) || flags & FLAG_VIEW || sets_many(c, a))
		return;
	if (s->path_to) {
		text_add(&text, "%.*s", (int)s->path_start, a->line);
		word_add_quoted(&text, s->path_to);
		text_add(&text, "%s\n", a->line + s->path_end);
		free(s->path_to);
		s->path_to = NULL;
	} else {
		text_add(&text, "%s\n", a->line);
	}
	for (u32 i = 0; i < a->nblock; i++)
		add_block_line(&text, a->block[i], s->source->from->dir);
	if (a->block)
		text_add(&text, "end\n");
	keep_line(s, flags, text.s);
	s->script[s->nscript - 1].stays = c && c->flags & COMMAND_STAYS;
	s->script[s->nscript - 1].passes = c && c->flags & COMMAND_NEEDS_MACHINE;
}

void script_truncate(struct session *s, u32 n)
{
	u32 kept = n;

	for (u32 i = n; i < s->nscript; i++) {
		if (s->script[i].stays)
			s->script[kept++] = s->script[i];
		else
			free(s->script[i].text);
	}
	s->nscript = min_u32(kept, s->nscript);
}

void script_untime(struct session *s)
{
	for (u32 i = 0; i < s->nscript; i++) {
		s->script[i].timed = false;
		if (s->script[i].passes)
			s->script[i].text[0] = '\0';
	}
}

/* Would a move to a position fail, although it comes there? */
static bool ends_badly(struct session *s, struct position at)
{
	struct position now = session_now(s);
	struct judged judged = {0};
	struct error none;

	if (!s->live || at.stage != now.stage || at.cycle != now.cycle)
		return false;
	if (session_end_status(s, &none))
		return true;
	if (sim_finished(&s->sim) && s->above)
		s->above->judge(s, &judged);
	return judged.failed;
}

/* The move to a position, at which the run may have ended badly. */
static void add_goto(struct position at, bool restored, struct text *out)
{
	text_add(out, "goto %llu%s", at.cycle, restored ? " restored" : "");
	if (at.stage && restored)
		text_add(out, " %s", stage_table[at.stage - 1].name);
	text_add(out, "\n");
	if (at.stage && !restored)
		text_add(out, "step -s %s\n", stage_table[at.stage - 1].name);
}

void script_goto(struct session *s, struct position at, struct text *out)
{
	add_goto(at, ends_badly(s, at), out);
}

void script_before(struct session *s, u32 i, struct text *out)
{
	const struct script_line *line = &s->script[i];

	if (!line->timed)
		return;
	add_goto(line->at, line->restored, out);
	if (line->passes || strpbrk(line->text, "$["))
		text_add(out, "focus sm %u sub %u warp %u\n", line->focus.sm, line->focus.sub, line->focus.warp);
}
