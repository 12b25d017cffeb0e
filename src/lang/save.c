/* save.c - `save session`: a script that brings the session back, with stops, views, names and the focus. */
#include "lang.h"

#include "breaks.h"
#include "follow.h"
#include "outfile.h"
#include "teach.h"
#include "pane.h"
#include "positions.h"
#include "script.h"
#include "tui.h"

#include <errno.h>
#include <limits.h>

/* A line, its absolute path made relative to the script's directory if it lies below that. */
static void write_line(FILE *f, const char *line, const char *dir)
{
	struct text mark = {0};
	const char *at;

	word_add_quoted(&mark, dir);
	mark.s[mark.len - 1] = '/';
	while ((at = strstr(line, mark.s))) {
		fprintf(f, "%.*s\"", (int)(at - line), line);
		line = at + mark.len;
	}
	fputs(line, f);
	text_free(&mark);
}

/* Is there a name, a key or a bound that only the user may give its meaning? */
static bool shadows(struct session *s)
{
	const struct lang *l = s->lang;
	struct key_view k;
	bool does = false;

	for (u32 i = 0; i < l->nalias; i++)
		does |= name_abbreviates(l->aliases[i].name);
	for (u32 i = 0; i < l->ndefinition; i++)
		does |= name_abbreviates(l->definition[i].name);
	for (u32 i = 0; i < SETTING_COUNT; i++)
		does |= setting_table[i].flags & FLAG_BOUND && config_get(&s->config, i) > setting_table[i].def;
	for (u32 i = 0; s->desk && !does && key_row(s, i, &k); i++)
		does = k.shadows;
	return does;
}

/* How things are shown, where it is not as at the start. */
static void views_save(const struct session *s, struct text *out)
{
	char text[32];

	for (u32 i = 0; i < SETTING_COUNT; i++) {
		u32 value = config_get(&s->config, (enum setting_id)i);

		if (setting_table[i].flags & FLAG_VIEW && value != setting_table[i].def)
			text_add(out, "set %s %s\n", setting_table[i].name,
				 setting_text((enum setting_id)i, value, text));
	}
}

enum status session_save(struct session *s, const char *path, struct error *e)
{
	char *dir = path_dir(path), real[PATH_MAX];
	struct text stops = {0};
	FILE *f = outfile_open(path, OUTFILE_WHOLE);
	int error;

	if (!f) {
		error = errno;
		free(dir);
		return outfile_failed(e, path, error);
	}
	if (!realpath(dir, real))
		snprintf(real, sizeof(real), "%s", dir);
	free(dir);
	fprintf(f,
		"# a warpstep session: `warpstep -x FILE` restores it (with --trust if it names files elsewhere%s)\n",
		shadows(s) ? ", and for names, keys and limits that a file may not set" : "");
	for (u32 i = 0; i < s->nscript; i++) {
		text_clear(&stops);
		script_before(s, i, &stops);
		fputs(stops.len ? stops.s : "", f);
		write_line(f, s->script[i].text, real);
	}
	outfile_note(f);
	text_clear(&stops);
	breaks_save(s->breaks, &stops);
	views_save(s, &stops);
	layout_save(s, &stops);
	desk_save(s, &stops);
	panes_save(s, &stops);
	checkpoints_save(s, &stops);
	aliases_save(s->lang, &stops);
	if (s->live)
		script_goto(s, session_now(s), &stops);
	follow_save(s, &stops);
	breaks_save_hits(s->breaks, &stops);
	text_add(&stops, "focus sm %u sub %u warp %u\n", s->focus.sm, s->focus.sub, s->focus.warp);
	data_save(s, &stops);
	lesson_save(s, &stops);
	fputs(stops.s, f);
	text_free(&stops);
	error = outfile_close(f, true);
	if (error)
		return outfile_failed(e, path, error);
	unsaved_none(s);
	return STATUS_OK;
}
