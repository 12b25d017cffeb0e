/* cmd_show.c - show: a pane as text, as the full screen would draw it; with -j its cells as lines and its numbers. */
#include "complete.h"
#include "pane.h"
#include "lang.h"
#include "arguments.h"
#include "tui.h"

#include <ctype.h>

#define MOST_CELLS 10000u /* of a width and a height */

/* The panes that there are. */
static void cmd_show_list(struct session *s)
{
	json_t *result = session_result(s), *panes = result ? json_array() : NULL;

	for (int i = 0; i < PANE_COUNT; i++) {
		session_print(s, "%-10s %s\n", pane_table[i]->name, pane_table[i]->summary);
		json_array_append_new(
			panes, json_pack("{s:s,s:s}", "pane", pane_table[i]->name, "summary", pane_table[i]->summary));
	}
	json_object_set_new(result, "panes", panes);
}

/* A number of cells up to the end of *text, moved behind it; 0: none. */
static u32 cmd_show_cells_parse(const char **text)
{
	unsigned long n;
	char *end;

	if (!isdigit((u8) * *text))
		return 0;
	n = strtoul(*text, &end, 10);
	*text = end;
	return n > MOST_CELLS ? 0 : (u32)n;
}

/* WIDTHxHEIGHT or WIDTH. */
static enum status cmd_show_size_parse(const struct arg *a, u32 *width, u32 *height, struct error *e)
{
	const char *text = a->text;
	bool good;

	*width = cmd_show_cells_parse(&text);
	good = *width && (!*text || *text == 'x');
	if (good && *text == 'x') {
		text++;
		*height = cmd_show_cells_parse(&text);
		good = *height && !*text;
	}
	return good ? STATUS_OK
		    : usage_at(e, a->column,
			       "'%s' is not a size (WIDTHxHEIGHT or WIDTH, 1 to %u cells each; example: 80x24)",
			       token_shown(a->text), MOST_CELLS);
}

/* Stretches of changed cells: [row, column, cells] each. */
static json_t *cmd_show_changed_json(const struct canvas *c)
{
	json_t *runs = json_array();

	for (u32 y = 0; y < c->height; y++)
		for (u32 x = 0, n; x < c->width; x += n + 1) {
			const struct cell *row = &c->cell[(size_t)y * c->width];

			for (n = 0; x + n < c->width && row[x + n].changed; n++)
				;
			if (n)
				json_array_append_new(runs, json_pack("[i,i,i]", (int)y, (int)x, (int)n));
		}
	return runs;
}

/* The cells as lines, what changed, and the pane's numbers. */
static void cmd_show_show_json(struct session *s, enum pane_id id, const struct canvas *c)
{
	json_t *result = session_result(s), *lines = json_array();
	struct text line = {0};

	for (u32 y = 0; y < c->height; y++) {
		text_clear(&line);
		canvas_row_text(c, y, &line);
		json_array_append_new(lines, json_string(line.s));
	}
	text_free(&line);
	member_text(result, "pane", pane_table[id]->name);
	member_int(result, "width", c->width);
	member_int(result, "height", c->height);
	json_object_set_new(result, "lines", lines);
	json_object_set_new(result, "changed", cmd_show_changed_json(c));
	json_object_set_new(result, "data", pane_json(s, id));
}

/* Draw it and print its lines. */
static void cmd_show_show(struct session *s, enum pane_id id, u32 width, u32 height)
{
	struct canvas c;
	struct text out = {0};

	canvas_init(&c, width, height, s->config.style_signs);
	pane_draw(s, id, &c, 0, NULL);
	canvas_text(&c, &out);
	session_print_picture(s, out.s);
	if (s->json)
		cmd_show_show_json(s, id, &c);
	text_free(&out);
	canvas_free(&c);
}

/* show [PANE [SIZE]] */
static enum status cmd_show_run(struct session *s, const struct args *a, struct error *e)
{
	u32 width = desk_drawn(s), height = s->rows;
	struct text said = {0};
	enum status st = STATUS_OK;
	int id;

	if (!a->arg[0].present) {
		cmd_show_list(s);
		return STATUS_OK;
	}
	id = pane_argument(&a->arg[0], e);
	if (id < 0)
		return STATUS_USAGE;
	if (a->arg[1].present)
		st = cmd_show_size_parse(&a->arg[1], &width, &height, e);
	if (!st && !pane_table[id]->without_machine)
		st = session_make(s, e);
	if (st)
		return st;
	if (s->plain && !s->json && !a->arg[1].present) {
		pane_say(s, (enum pane_id)id, &said);
		session_print(s, "%s", said.s);
		text_free(&said);
	} else {
		cmd_show_show(s, (enum pane_id)id, width, height ? height : pane_height(s, (enum pane_id)id, width));
	}
	panes_keep(s);
	return STATUS_OK;
}

const struct command command_show = {
	.name = "show",
	.alias = "sh",
	.group = "inspect",
	.summary = "show a pane as text: warps, banks, kernels, ...",
	.details =
		"`show` alone lists the panes. A pane is drawn as wide as the terminal (80 columns without one, or as --size\n"
		"says) and as high as it needs, or in the given size. Narrow panes omit columns, low ones omit rows. The title\n"
		"ends in an invariant check: Σ and ✓ if the sum holds, ✗ if not. `filter` and `sort` select and order the rows.\n"
		"With --plain the pane is described in sentences. With -j its cells are printed as lines, with its numbers and\n"
		"with what changed since the last stop.",
	.examples = "show warps\nshow banks 60x12\nshow stats 100",
	.flags = COMMAND_OPEN,
	.run = cmd_show_run,
	.arg = {{"PANE", ARG_WORD, .doc = "name of the pane", .complete = complete_pane, .optional = true},
		{"SIZE", ARG_WORD, .doc = "WIDTHxHEIGHT or WIDTH, in cells", .optional = true}},
};
