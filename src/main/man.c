/* man.c - the parts of the manual that are printed from the tables: what a user types. */
#include "lang.h"
#include "main.h"
#include "pane.h"
#include "roff.h"
#include "subjects.h"
#include "synth.h"
#include "tui.h"

static void print_command(FILE *out, const struct command *c)
{
	struct text usage = {0}, all = {0};

	command_usage(c, &usage);
	command_details(c, &all);
	roff_item(out, c->name, usage.s + strlen(c->name), c->summary);
	if (c->alias) {
		fputs("Abbreviation: ", out);
		roff_sentence(out, c->alias);
	}
	if (all.len)
		roff_details(out, all.s);
	if (c->examples)
		roff_example(out, c->examples);
	text_free(&usage);
	text_free(&all);
}

static void print_group(FILE *out, const char *name)
{
	for (u32 i = 0; i < COMMAND_COUNT; i++)
		if (!strcmp(command_table[i]->group, name))
			print_command(out, command_table[i]);
}

/* All but the lines of a lesson, which have a page of their own. */
static void man_commands(FILE *out)
{
	for (u32 g = 0; g < COMMAND_GROUPS; g++) {
		if (!strcmp(command_group[g].name, "lessons"))
			continue;
		fputs(".SS ", out);
		roff_body(out, command_group[g].title);
		print_group(out, command_group[g].name);
	}
}

static void man_lessons(FILE *out)
{
	print_group(out, "lessons");
}

/* Subjects of the command `info`. */
static void man_info(FILE *out)
{
	const char *name, *usage, *doc;

	for (u32 i = 0; (name = info_subject(i, &usage, &doc)); i++) {
		roff_item(out, name, usage, doc);
	}
}

/* Panes, each with what its letters and signs mean, line by line. */
static void man_panes(FILE *out)
{
	for (u32 i = 0; i < PANE_COUNT; i++) {
		const char *legend = pane_table[i]->legend;

		roff_item(out, pane_table[i]->name, NULL, pane_table[i]->summary);
		while (legend && *legend) {
			size_t n = strcspn(legend, "\n");
			char *line = xstrndup(legend, n);

			fputs(".br\n", out);
			roff_body(out, line);
			free(line);
			legend += n + (legend[n] == '\n');
		}
	}
}

/* What describes a kernel by numbers: keys of the command `synthetic`. */
static void man_synthetic(FILE *out)
{
	for (u32 i = 0; i < synth_table_rows; i++) {
		roff_item(out, synth_table[i].name, NULL, synth_table[i].doc);
	}
}

/* Those of one pane under its name, those of `present`, or ("") those that are the same everywhere. */
static void print_keys_of(FILE *out, const struct key_view *row, u32 n, const char *pane)
{
	bool first = true;

	for (u32 i = 0; i < n; i++) {
		if (strcmp(row[i].where, pane))
			continue;
		if (first && *pane)
			fprintf(out, ".PP\n%s\n.BR %s :\n", strcmp(pane, "present") ? "In pane" : "During command",
				pane);
		first = false;
		roff_tag(out, row[i].name, row[i].command);
		roff_body(out, row[i].doc);
	}
}

/* Keys of the single-key mode: everywhere, then by pane. */
static void man_keys(FILE *out)
{
	static const struct key_view row[] = {
#define KEY(name_, command_, where_, hint_, doc_) {.name = name_, .command = command_, .where = where_, .doc = doc_},
#include "keys.def"
#undef KEY
	};

	print_keys_of(out, row, ARRAY_LEN(row), "");
	print_keys_of(out, row, ARRAY_LEN(row), "present");
	for (u32 i = 0; i < PANE_COUNT; i++)
		print_keys_of(out, row, ARRAY_LEN(row), pane_table[i]->name);
}

/* Layouts of the full screen. */
static void man_layouts(FILE *out)
{
	static const struct {
		const char *name, *text, *doc;
	} row[] = {
#define LAYOUT(name, text, doc) {name, text, doc},
#include "layouts.def"
#undef LAYOUT
	};

	for (u32 i = 0; i < ARRAY_LEN(row); i++) {
		roff_tag(out, row[i].name, row[i].text);
		roff_body(out, row[i].doc);
	}
}

static void man_options(FILE *out)
{
	for (u32 i = 0; i < OPTION_COUNT; i++) {
		const struct option_row *o = &option_table[i];
		struct text name = {0};

		if (option_letter(o))
			text_add(&name, "-%c, ", option_letter(o));
		text_add(&name, "--%s", o->name);
		roff_tag(out, name.s, o->value);
		roff_body(out, o->doc);
		text_free(&name);
	}
}

bool man_print(const char *topic, FILE *out)
{
#define MAN_ROW(topic) {#topic, man_##topic},
	static const struct {
		const char *name;
		void (*print)(FILE *out);
	} row[] = {MAN_TOPIC(MAN_ROW)};

	for (u32 i = 0; i < ARRAY_LEN(row); i++)
		if (!strcmp(row[i].name, topic)) {
			row[i].print(out);
			return true;
		}
	return false;
}
