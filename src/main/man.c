/* man.c - the reference parts of the manual pages, as roff printed from the tables. */
#include "pane.h"
#include "lang.h"
#include "main.h"
#include "stats.h"
#include "tui.h"

#include "policy.h"
#include "synth.h"

#include <string.h>

/* Text with roff's own characters escaped; a line that begins with a control character is protected. */
static void roff(FILE *out, const char *s)
{
	bool start = true;

	for (; *s; s++) {
		if (start && (*s == '.' || *s == '\''))
			fputs("\\&", out);
		if (*s == '\\')
			fputs("\\e", out);
		else if (*s == '-')
			fputs("\\-", out);
		else
			putc(*s, out);
		start = *s == '\n';
	}
}

/* A paragraph with a bold tag and, behind it, something plain. */
static void tag(FILE *out, const char *name, const char *rest)
{
	fputs(".TP\n\\fB", out);
	roff(out, name);
	fputs("\\fR", out);
	if (rest && *rest) {
		putc(' ', out);
		roff(out, rest + (*rest == ' '));
	}
	putc('\n', out);
}

/* Its text. */
static void body(FILE *out, const char *doc)
{
	roff(out, doc);
	putc('\n', out);
}

/* One line of a list in a command's text, "  NAME   what it is" or "  NAME: what it is"; a deeper one goes on with the
 * line before. */
static void list_line(FILE *out, const char *line, int length)
{
	struct text part = {0};
	int from = (int)strspn(line, " "), gap;

	text_addn(&part, line + from, (size_t)(length - from));
	for (gap = 0; part.s[gap] && strncmp(part.s + gap, "  ", 2) && strncmp(part.s + gap, ": ", 2); gap++)
		;
	if (from == 2 && part.s[gap]) {
		char *rest = part.s + gap + 1;

		part.s[gap] = '\0';
		tag(out, part.s, NULL);
		body(out, rest + strspn(rest, " "));
	} else {
		body(out, part.s);
	}
	text_free(&part);
}

/* A command's text: paragraphs, and lists of lines that begin with blanks. */
static void details(FILE *out, const char *doc)
{
	bool list = false;

	for (const char *end; *doc; doc = *end ? end + 1 : end) {
		struct text line = {0};

		end = doc + strcspn(doc, "\n");
		if ((*doc == ' ') != list)
			fputs(list ? ".RE\n.IP\n" : ".RS\n", out);
		list = *doc == ' ';
		text_addn(&line, doc, (size_t)(end - doc));
		if (list)
			list_line(out, line.s, (int)line.len);
		else
			body(out, line.s);
		text_free(&line);
	}
	if (list)
		fputs(".RE\n", out);
}

static void print_command(FILE *out, const struct command *c)
{
	struct text usage = {0}, all = {0};

	command_usage(c, &usage);
	command_details(c, &all);
	tag(out, c->name, usage.s + strlen(c->name));
	roff(out, c->summary);
	putc('.', out);
	if (c->alias) {
		fputs(" Abbreviation: ", out);
		roff(out, c->alias);
		putc('.', out);
	}
	putc('\n', out);
	if (all.len)
		details(out, all.s);
	if (c->examples) {
		fputs(".RS\n.nf\n", out);
		body(out, c->examples);
		fputs(".fi\n.RE\n", out);
	}
	text_free(&usage);
	text_free(&all);
}

static void print_commands(FILE *out)
{
	for (u32 g = 0; g < COMMAND_GROUPS; g++) {
		fprintf(out, ".SS %s\n", command_group[g].title);
		for (u32 i = 0; i < COMMAND_COUNT; i++)
			if (!strcmp(command_table[i]->group, command_group[g].name))
				print_command(out, command_table[i]);
	}
	fputs(".SS Parameters of a synthetic kernel\n", out);
	for (u32 i = 0; i < synth_table_rows; i++) {
		tag(out, synth_table[i].name, NULL);
		body(out, synth_table[i].doc);
	}
}

/* The lines of a lesson: the commands of that group. */
static void print_lessons(FILE *out)
{
	for (u32 i = 0; i < COMMAND_COUNT; i++)
		if (!strcmp(command_table[i]->group, "lessons"))
			print_command(out, command_table[i]);
}

static void print_settings(FILE *out)
{
	for (u32 i = 0; i < SETTING_COUNT; i++) {
		const struct setting *row = &setting_table[i];
		char low[32], high[32], def[32];

		tag(out, row->name, row->unit);
		roff(out, row->doc);
		fprintf(out, ".\nDefault %s", setting_text(i, row->def, def));
		if (row->kind == KIND_NUMBER)
			fprintf(out, ", from %s to %s", setting_text(i, row->min, low),
				setting_text(i, row->max, high));
		fprintf(out, "; %s.\n",
			row->flags & FLAG_LAYOUT   ? "takes effect at restart"
			: row->flags & FLAG_TIMING ? "takes effect at once"
						   : "does not affect results");
	}
}

static void print_stats(FILE *out)
{
	for (u32 i = 0; i < stat_table_rows; i++) {
		tag(out, stat_table[i].name, stat_table[i].unit);
		roff(out, stat_table[i].doc ? stat_table[i].doc : "");
		if (stat_table[i].formula) {
			fputs(":\n", out);
			roff(out, stat_table[i].formula);
		}
		fputs(".\n", out);
	}
}

/* In the order of a cycle. */
static void print_stages(FILE *out)
{
	for (u32 i = 0; i < STAGE_COUNT; i++) {
		tag(out, stage_table[i].name, NULL);
		roff(out, stage_table[i].doc);
		fputs(".\n", out);
	}
}

static void print_events(FILE *out)
{
	for (u32 i = 0; i < EVENT_COUNT; i++) {
		tag(out, event_table[i].name, NULL);
		roff(out, event_table[i].doc);
		if (event_table[i].a[0])
			fprintf(out, ".\nNumbers: a = %s%s%s", event_table[i].a, event_table[i].b[0] ? ", b = " : "",
				event_table[i].b);
		fputs(".\n", out);
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
		tag(out, row[i].name, row[i].command);
		body(out, row[i].doc);
	}
}

/* Keys of the single-key mode: everywhere, then by pane. */
static void print_keys(FILE *out)
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
static void print_layouts(FILE *out)
{
	static const struct {
		const char *name, *text, *doc;
	} row[] = {
#define LAYOUT(name, text, doc) {name, text, doc},
#include "layouts.def"
#undef LAYOUT
	};

	for (u32 i = 0; i < ARRAY_LEN(row); i++) {
		tag(out, row[i].name, row[i].text);
		body(out, row[i].doc);
	}
}

static void print_schemes(FILE *out)
{
	for (u32 i = 0; i < SCHEME_COUNT; i++) {
		const struct scheme *x = scheme_table[i];

		tag(out, x->name, x->paper);
		roff(out, x->doc);
		if (x->neutral) {
			struct text equals = {0};

			scheme_equals(x, &equals);
			fputs(".\nEquals ", out);
			roff(out, equals.s ? equals.s : "the baseline");
			text_free(&equals);
			fputs(" at ", out);
			roff(out, x->neutral);
		}
		fputs(".\n", out);
	}
	for (u32 i = 0; i < shorthand_table_rows; i++) {
		tag(out, shorthand_table[i].name, shorthand_table[i].paper);
		roff(out, shorthand_table[i].doc);
		fputs(".\nA shorthand", out);
		if (*shorthand_table[i].settings)
			fputs(", which sets ", out);
		roff(out, shorthand_table[i].settings);
		fputs(".\n", out);
	}
}

static void print_slots(FILE *out)
{
	for (u32 i = 0; i < POLICY_SLOTS; i++) {
		const struct slot_row *x = &slot_table[i];

		tag(out, x->name, x->set ? "any number" : NULL);
		roff(out, x->doc);
		if (x->base != NONE32) {
			fputs("; by default ", out);
			roff(out, scheme_table[x->base]->name);
		}
		fputs(".\n", out);
	}
}

static void print_options(FILE *out)
{
	for (u32 i = 0; i < OPTION_COUNT && option_table[i].name; i++) {
		const struct option_row *o = &option_table[i];
		struct text name = {0};

		if (o->letter)
			text_add(&name, "-%c, ", o->letter);
		text_add(&name, "--%s", o->name);
		tag(out, name.s, o->value);
		body(out, o->doc);
		text_free(&name);
	}
}

bool man_print(const char *topic, FILE *out)
{
#define MAN_ROW(topic) {#topic, print_##topic},
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
