/* cmd_screen.c - screen: the whole screen as text, with or without a terminal. */
#include "complete.h"
#include "paths.h"
#include "picture.h"
#include "tui.h"

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

/* The word of the line that names the file. */
static const struct token *cmd_screen_file_word(const struct args *a)
{
	u32 i = 1;

	while (a->token[i].column != a->arg[1].column)
		i++;
	return &a->token[i];
}

/* The screen as it is now, in the format that the file's name tells. */
static void cmd_screen_draw(struct session *s, const char *path, bool attributes, struct text *out)
{
	struct picture_wish wish = picture_wish_of(s);
	char *title = s->scenario ? xasprintf("warpstep: %s, cycle %llu", safe_text(s->scenario), session_now(s).cycle)
				  : NULL;
	const struct picture *picture = picture_of(path);
	struct canvas c;

	wish.title = title ? title : "warpstep";
	frame_now(s, &c);
	picture->draw(&c, &wish, out);
	if (attributes && picture == &picture_table[PICTURE_text])
		cmd_screen_add_attributes(&c, out);
	canvas_free(&c);
	free(title);
}

/* A file whose name promises what cannot be drawn: an error that names what can be. */
static enum status cmd_screen_check(const struct token *word, struct error *e)
{
	const char *refused = picture_refused(word->s);
	struct text ends = {0};

	if (!refused)
		return STATUS_OK;
	for (u32 i = 0; i < PICTURE_COUNT; i++) {
		const char *end = picture_table[i].ends;

		text_add(&ends, "%s%.*s", i ? ", " : "", (int)strcspn(end, " "), end);
	}
	usage_at(e, word->column, "screen dump: cannot write %s (possible: %s; browsers convert .svg and .html)",
		 refused, ends.s);
	text_free(&ends);
	return STATUS_USAGE;
}

/* screen dump [FILE] [--attrs] */
static enum status cmd_screen_run(struct session *s, const struct args *a, struct error *e)
{
	struct text out = {0};
	const struct token *word = a->arg[1].present ? cmd_screen_file_word(a) : NULL;
	json_t *result = session_result(s);
	FILE *f = NULL;

	if (strcmp(a->arg[0].text, "dump"))
		return usage_at(e, a->arg[0].column, "screen: expected `dump` (usage: `screen dump [FILE] [--attrs]`)");
	if (word && cmd_screen_check(word, e))
		return STATUS_USAGE;
	if (word)
		f = path_open(s, word, OUTFILE_WHOLE, e);
	if (word && !f)
		return e->status;
	cmd_screen_draw(s, word ? word->s : "", a->arg[2].present, &out);
	if (f)
		fputs(out.s, f);
	else
		session_print_picture(s, out.s);
	member_text(result, "text", out.s);
	text_free(&out);
	return f ? path_close(f, word, true, e) : STATUS_OK;
}

const struct command command_screen = {
	.name = "screen",
	.group = "screen",
	.summary = "print the whole screen as text, or write it to FILE as text, ANSI, SVG or HTML",
	.details =
		"The extension of FILE selects the format: .ansi for terminals, .svg for documents and slides, .html for\n"
		"browsers, otherwise text. Other formats (.png, .pdf) are not written: browsers convert .svg and .html. Colors\n"
		"are those of style.color, on the background of style.background. Without the full screen the size is that of\n"
		"--size, or 80x24. With --attrs a second picture gives the style of each cell as a letter: a capital if the\n"
		"cell has changed since the last stop, # at the focus.",
	.examples = "screen dump\nscreen dump picture.txt --attrs\nscreen dump picture.svg",
	.flags = COMMAND_WRITES | COMMAND_OPEN,
	.run = cmd_screen_run,
	.arg = {{"dump", ARG_WORD, .doc = "the word `dump`", .complete = complete_dump},
		{"FILE", ARG_OUTPUT, .doc = "file to write", .complete = complete_file, .optional = true},
		{"--attrs", ARG_FLAG, .doc = "add the styles of the cells", .optional = true}},
};
