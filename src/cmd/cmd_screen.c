/* cmd_screen.c - screen: the whole screen as text, with or without a terminal. */
#include "complete.h"
#include "pane.h"
#include "paths.h"
#include "tui.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* A second picture: a letter for each cell's style (a plain, b title, ...), a capital where it has changed, # under the
 * focus. */
static void cmd_screen_add_attributes(const struct canvas *c, struct text *out)
{
	text_add(out, "--- styles:");
	for (u32 i = 1; i < STYLE_COUNT; i++)
		text_add(out, " %c %s", 'a' + (int)i, style_table[i].name);
	text_add(out, "\n");
	for (u32 y = 0; y < c->height; y++) {
		for (u32 x = 0; x < c->width; x++) {
			const struct cell *cell = &c->cell[(size_t)y * c->width + x];
			char letter = (char)((cell->changed ? 'A' : 'a') + cell->style);

			if (!cell->style && !cell->changed)
				letter = '.';
			text_addn(out, cell->focus ? "#" : &letter, 1);
		}
		text_add(out, "\n");
	}
}

/* The file to write; NULL with an error. Files of commands may not write. */
static FILE *cmd_screen_open_file(struct session *s, const struct args *a, struct error *e)
{
	const struct line_source *src = s->source;
	u32 i = 1;
	char *path;
	FILE *f;

	while (a->token[i].column != a->arg[1].column)
		i++;
	if (src && !src->typed && !s->trust) {
		error_at(
			e, STATUS_FAILED, NULL, 0, a->arg[1].column,
			"screen dump FILE writes a file, which a file of commands may not; type it, or start with --trust");
		return NULL;
	}
	path = path_resolve(s, a, &a->token[i], true, e);
	if (!path)
		return NULL;
	f = fopen(path, "w");
	if (!f)
		error_at(e, STATUS_FAILED, NULL, 0, a->arg[1].column, "cannot write %s: %s", safe_text(path),
			 strerror(errno));
	free(path);
	return f;
}

/* screen dump [FILE] [--attrs] */
static enum status cmd_screen_run(struct session *s, const struct args *a, struct error *e)
{
	struct text out = {0};
	struct canvas c;
	FILE *f = NULL;
	json_t *result = session_result(s);

	if (strcmp(a->arg[0].text, "dump"))
		return error_at(e, STATUS_USAGE, NULL, 0, a->arg[0].column, "`screen dump [FILE]` is meant");
	if (a->arg[1].present) {
		f = cmd_screen_open_file(s, a, e);
		if (!f)
			return e->status ? e->status : STATUS_FAILED;
	}
	canvas_init(&c, s->columns ? s->columns : 80, s->rows ? s->rows : 24, s->config.style_signs);
	frame_compose(s, &c);
	canvas_text(&c, &out);
	if (a->arg[2].present)
		cmd_screen_add_attributes(&c, &out);
	canvas_free(&c);
	if (f)
		fputs(out.s, f);
	else
		session_print_picture(s, out.s);
	if (result)
		json_object_set_new(result, "text", json_string(out.s));
	text_free(&out);
	if (f && fclose(f))
		return error_set(e, STATUS_FAILED, "cannot write %s: %s", safe_text(a->arg[1].text), strerror(errno));
	return STATUS_OK;
}

const struct command command_screen = {
	.name = "screen",
	.group = "screen",
	.summary = "print the whole screen as text, or write it to FILE",
	.details =
		"The size is that of --size, else 80x24; no terminal is needed. With --attrs a second picture tells each cell's\n"
		"style by a letter, a capital where it has changed since the last stop, # where the focus is.",
	.examples = "screen dump\nscreen dump picture.txt --attrs",
	.flags = COMMAND_OPEN,
	.run = cmd_screen_run,
	.arg =
		{
			{.name = "dump", .type = ARG_WORD, .complete = complete_dump, .doc = "dump"},
			{.name = "FILE",
			 .type = ARG_WORD,
			 .complete = complete_file,
			 .optional = true,
			 .doc = "file to write"},
			{.name = "--attrs", .type = ARG_FLAG, .optional = true, .doc = "styles too"},
		},
};
