/*
 * script.c - the record of a sitting: set-up as typed, inputs with their cycles, so that `save session` can write a
 * script that brings it back.
 */
#include "pane.h"
#include "repl.h"
#include "tui.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

void script_path(struct session *s, const struct token *t, const char *path)
{
	struct repl *r = repl_of(s);
	char real[PATH_MAX];

	free(r->path_to);
	r->path_to = xstrdup(realpath(path, real) ? real : path);
	r->path_start = t->column - 1;
	r->path_end = t->end;
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
		text_add(out, "%.*s\"%s\"%s\n", (int)w.token[at].column - 1, w.text, realpath(path, real) ? real : path,
			 w.text + w.token[at].end);
		free(path);
	} else {
		text_add(out, "%s\n", line);
	}
	words_free(&w);
}

/* The flags of the setting that a line sets, 0 of any other line. */
static u32 flags_of(const struct args *a)
{
	struct error e;
	const struct command *c = command_find(a->token[0].s, &e);

	return c && c->arg[0].type == ARG_SETTING && a->arg[0].present ? setting_table[a->arg[0].number].flags : 0;
}

void script_add(struct session *s, const struct args *a)
{
	struct repl *r = repl_of(s);
	u32 flags = flags_of(a);
	struct script_line line = {.timed = s->live && s->moved && !s->stale && !(flags & FLAG_HOST), .at = move_now(s)};
	struct text text = {0};

	if ((a->ntokens < 2 && !a->block) || flags & FLAG_VIEW)
		return;
	if (r->path_to) {
		text_add(&text, "%.*s\"%s\"%s\n", (int)r->path_start, a->line, r->path_to, a->line + r->path_end);
		free(r->path_to);
		r->path_to = NULL;
	} else {
		text_add(&text, "%s\n", a->line);
	}
	for (u32 i = 0; i < a->nblock; i++)
		add_block_line(&text, a->block[i], r->source->dir);
	if (a->block)
		text_add(&text, "end\n");
	line.text = text.s;
	while (line.timed && r->nscript && r->script[r->nscript - 1].timed &&
	       r->script[r->nscript - 1].at.cycle > line.at.cycle)
		free(r->script[--r->nscript].text);
	r->script = xrealloc(r->script, (r->nscript + 1) * sizeof(*r->script));
	r->script[r->nscript++] = line;
}

void script_untime(struct session *s)
{
	for (u32 i = 0; i < repl_of(s)->nscript; i++)
		repl_of(s)->script[i].timed = false;
}

/* Commands that bring the machine to a position. */
static void write_position(FILE *f, struct position at)
{
	fprintf(f, "goto %llu\n", (unsigned long long)at.cycle);
	if (at.stage)
		fprintf(f, "step -s %s\n", stage_table[at.stage - 1].name);
}

/* A line, its absolute path made relative to the script's directory if it lies below that. */
static void write_line(FILE *f, const char *line, const char *dir)
{
	char *mark = xasprintf("\"%s/", dir);
	const char *at;

	while ((at = strstr(line, mark))) {
		fprintf(f, "%.*s\"", (int)(at - line), line);
		line = at + strlen(mark);
	}
	fputs(line, f);
	free(mark);
}

/* How things are shown, where it is not as at the start. */
static void views_save(const struct session *s, struct text *out)
{
	char text[32];

	for (u32 i = 0; i < SETTING_COUNT; i++) {
		u32 value = config_get(&s->config, (enum setting_id)i);

		if (setting_table[i].flags & FLAG_VIEW && value != setting_table[i].def)
			text_add(out, "set %s %s\n", setting_table[i].name, setting_text((enum setting_id)i, value, text));
	}
}

enum status script_write(struct session *s, const char *path, struct error *e)
{
	const struct repl *r = repl_of(s);
	char *dir = path_dir(path), real[PATH_MAX];
	struct text stops = {0};
	FILE *f = fopen(path, "w");

	if (!f) {
		free(dir);
		return error_set(e, STATUS_FAILED, "cannot write %s: %s", safe_text(path), strerror(errno));
	}
	if (!realpath(dir, real))
		snprintf(real, sizeof(real), "%s", dir);
	free(dir);
	fprintf(f, "# a warpstep session: `warpstep -x FILE` brings it back (--trust if it names files elsewhere)\n");
	for (u32 i = 0; i < r->nscript; i++) {
		if (r->script[i].timed)
			write_position(f, r->script[i].at);
		write_line(f, r->script[i].text, real);
	}
	breaks_save(s->breaks, &stops);
	views_save(s, &stops);
	layout_save(s, &stops);
	desk_save(s, &stops);
	panes_save(s, &stops);
	checkpoints_save(r, &stops);
	aliases_save(r, &stops);
	if (stops.len)
		fputs(stops.s, f);
	text_clear(&stops);
	if (s->live)
		write_position(f, move_now(s));
	breaks_save_hits(s->breaks, &stops);
	if (stops.len)
		fputs(stops.s, f);
	text_free(&stops);
	fprintf(f, "focus sm %u sub %u warp %u\n", s->focus.sm, s->focus.sub, s->focus.warp);
	if (fclose(f))
		return error_set(e, STATUS_FAILED, "cannot write %s: %s", safe_text(path), strerror(errno));
	return STATUS_OK;
}
