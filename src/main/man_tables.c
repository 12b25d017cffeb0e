/* man_tables.c - the parts of the manual that are printed from the tables: what the machine has. */
#include "events.h"
#include "library.h"
#include "mechanisms.h"
#include "schemes.h"
#include "roff.h"
#include "session.h"
#include "stats.h"
#include "sweep.h"

/* The group of a dotted name: its first word. */
static int group_length(const char *name)
{
	return (int)strcspn(name, ".");
}

static bool same_group(const char *a, const char *b)
{
	int n = group_length(a);

	return n == group_length(b) && !strncmp(a, b, (size_t)n);
}

static void print_setting(FILE *out, u32 i)
{
	const struct setting *row = &setting_table[i];
	char low[32], high[32], def[32];

	roff_item(out, row->name, row->unit, row->doc);
	fputs("Default ", out);
	roff(out, setting_text(i, row->def, def));
	if (row->kind == KIND_NUMBER) {
		fputs(", range ", out);
		roff(out, setting_text(i, row->min, low));
		fputs(" to ", out);
		roff(out, setting_text(i, row->max, high));
	}
	fputs(row->flags & FLAG_LAYOUT	 ? "; structural.\n"
	      : row->flags & FLAG_TIMING ? ".\n"
					 : "; changes no result.\n",
	      out);
}

static void print_stat(FILE *out, u32 i)
{
	const struct stat_row *row = &stat_table[i];

	roff_item(out, row->name, row->unit, row->doc ? row->doc : "");
	if (row->formula) {
		fputs("Formula: ", out);
		roff_sentence(out, row->formula);
	}
}

/* Rows by the first word of their names. */
static void print_groups(FILE *out, u32 n, const char *(*name)(u32 i), void (*print)(FILE *out, u32 i))
{
	for (u32 i = 0; i < n; i++) {
		u32 first = 0;

		while (!same_group(name(first), name(i)))
			first++;
		if (first < i)
			continue;
		fprintf(out, ".SS %.*s\n", group_length(name(i)), name(i));
		for (u32 k = i; k < n; k++)
			if (same_group(name(k), name(i)))
				print(out, k);
	}
}

static const char *setting_name(u32 i)
{
	return setting_table[i].name;
}

void man_settings(FILE *out)
{
	print_groups(out, SETTING_COUNT, setting_name, print_setting);
}

static const char *stat_name(u32 i)
{
	return stat_table[i].name;
}

void man_stats(FILE *out)
{
	print_groups(out, stat_table_rows, stat_name, print_stat);
}

/* In the order of a cycle. */
void man_stages(FILE *out)
{
	for (u32 i = 0; i < STAGE_COUNT; i++) {
		roff_item(out, stage_table[i].name, NULL, stage_table[i].doc);
	}
}

void man_events(FILE *out)
{
	for (u32 i = 0; i < EVENT_COUNT; i++) {
		const struct event_row *row = &event_table[i];

		roff_item(out, row->name, NULL, row->doc);
		if (!row->a[0])
			continue;
		fputs("Fields: ", out);
		roff(out, row->a);
		if (row->b[0]) {
			fputs(", ", out);
			roff(out, row->b);
		}
		fputs(".\n", out);
	}
}

/* What a policy is equal to if it is switched off by its own setting. */
static void print_neutral(FILE *out, const struct scheme *x)
{
	struct text equals = {0};

	if (!x->neutral)
		return;
	scheme_equals(x, &equals);
	fputs("Equals ", out);
	roff(out, equals.s ? equals.s : "the baseline");
	fputs(" at ", out);
	roff_sentence(out, x->neutral);
	text_free(&equals);
}

void man_schemes(FILE *out)
{
	for (u32 i = 0; i < SCHEME_COUNT; i++) {
		roff_item(out, scheme_table[i]->name, scheme_table[i]->paper, scheme_table[i]->doc);
		print_neutral(out, scheme_table[i]);
		if (!scheme_table[i]->brings)
			continue;
		fputs("Sets, if they are 0, ", out);
		roff_sentence(out, scheme_table[i]->brings);
	}
	for (u32 i = 0; i < shorthand_table_rows; i++) {
		roff_item(out, shorthand_table[i].name, shorthand_table[i].paper, shorthand_table[i].doc);
		fputs("A shorthand", out);
		if (*shorthand_table[i].settings)
			fputs(" that also sets ", out);
		roff_sentence(out, shorthand_table[i].settings);
	}
}

/* Policy hooks. */
void man_slots(FILE *out)
{
	for (u32 i = 0; i < POLICY_SLOTS; i++) {
		const struct slot_row *x = &slot_table[i];

		roff_item(out, x->name, x->set ? "any number" : NULL, x->doc);
		if (x->base == NONE32)
			continue;
		fputs("Default: ", out);
		roff_sentence(out, scheme_table[x->base]->name);
	}
}

/* Letter, name, meaning. */
static void print_states(FILE *out, const struct status_row *row, u32 n)
{
	for (u32 i = 0; i < n; i++) {
		char letter[2] = {row[i].letter, '\0'};

		roff_item(out, row[i].name, letter, row[i].doc);
	}
}

void man_statuses(FILE *out)
{
	print_states(out, warp_status_table, WARP_STATUS_COUNT);
}

void man_outcomes(FILE *out)
{
	print_states(out, slot_outcome_table, SLOT_OUTCOME_COUNT);
}

static void print_library(void *out, const char *name, const char *doc)
{
	roff_item(out, name, NULL, doc);
}

void man_presets(FILE *out)
{
	library_presets(print_library, out);
}

void man_scenarios(FILE *out)
{
	library_scenarios(print_library, out);
}

void man_sweepkinds(FILE *out)
{
	for (u32 i = 0; i < sweep_kind_rows; i++)
		roff_item(out, sweep_kind_table[i].name, NULL, sweep_kind_table[i].doc);
}

void man_rowstates(FILE *out)
{
#define ROWSTATE(id, name, final, doc) roff_item(out, name, NULL, doc);
#include "rowstates.def"
#undef ROWSTATE
}

void man_folds(FILE *out)
{
#define FOLD(id, name, doc) roff_item(out, name, NULL, doc);
#include "folds.def"
#undef FOLD
}

/* A paragraph that begins with a word in bold type. */
static void labeled(FILE *out, const char *label, const char *text)
{
	fprintf(out, "%s\\fB%s.\\fR\n", strcmp(label, "Problem") ? ".PP\n" : "", label);
	roff_sentence(out, text);
}

/* Commands with a semicolon between each two, a line each. */
static void roff_commands(FILE *out, const char *commands)
{
	while (*commands) {
		size_t n = strcspn(commands, ";");
		char *line = xstrndup(commands, n);

		roff_body(out, line);
		free(line);
		commands += n + (commands[n] == ';');
		commands += strspn(commands, " ");
	}
}

/* The published mechanisms: what goes wrong without each, what it does, where to see it. */
void man_mechanisms(FILE *out)
{
	for (u32 i = 0; i < mechanism_count; i++) {
		const struct mechanism *m = &mechanism_table[i];

		fputs(".SS ", out);
		roff_body(out, m->title);
		labeled(out, "Problem", m->problem);
		labeled(out, "Idea", m->idea);
		fputs(".PP\n\\fBCommand.\\fR\n", out);
		roff_body(out, m->policy);
		fprintf(out, ".PP\n\\fBEffect.\\fR\nIn \\fIscenarios/%s\\fR type\n.EX\n", m->scenario);
		roff_commands(out, m->commands);
		fputs(".EE\nResult: ", out);
		roff_sentence(out, m->effect);
		labeled(out, "Paper", m->paper);
		fprintf(out, ".PP\n\\fBLesson.\\fR\n\\fIscenarios/%s\\fR\n", m->lesson);
	}
}
