/* help_library.c - topics of `help` that lead to the library: mechanisms, scenarios, presets; and sweeps. */
#include "explain.h"
#include "library.h"
#include "mechanisms.h"
#include "session.h"
#include "sweep.h"

static void print_row(void *self, const char *name, const char *doc)
{
	session_print(self, "  %-24s %s\n", name, doc);
}

void help_scenarios(struct session *s)
{
	library_scenarios(print_row, s);
	session_print(s, "Open one by `warpstep scenarios/NAME.scn`; the tutorial is warpstep-tutorial(7).\n");
}

void help_presets(struct session *s)
{
	library_presets(print_row, s);
}

void help_mechanisms(struct session *s)
{
	for (u32 i = 0; i < mechanism_count; i++) {
		const struct mechanism *m = &mechanism_table[i];

		session_print(s, "%s (`explain %s`)\n", m->title, m->name);
		session_print(s, "  problem  %s\n", m->problem);
		session_print(s, "  idea     %s\n", m->idea);
		session_print(s, "  command  %s\n", m->policy);
		session_print(s, "  paper    %s\n", m->paper);
		session_print(s, "  lesson   warpstep scenarios/%s\n", m->lesson);
	}
	session_print(s, "Effects, with commands to try, are in warpstep-tutorial(7), MECHANISMS.\n");
}

void help_sweeps(struct session *s)
{
	static const struct {
		const char *name, *doc;
	} state_row[] =
		{
#define ROWSTATE(id, n, f, d) {n, d},
#include "rowstates.def"
#undef ROWSTATE
		},
	  fold_row[] = {
#define FOLD(id, n, d) {n, d},
#include "folds.def"
#undef FOLD
	  };

	session_print(s, "A sweep file is a scenario in which some lines have several values: a job for each point.\n");
	print_row(s, "--sweep FILE", "run the jobs that have no result yet");
	print_row(s, "--results FILE.db", "list the points and their results");
	print_row(s, "--results FILE.db QUERY", "print a table: geomean ipc by policy l1d.bytes");
	print_row(s, "--row KEY", "open the machine of a result at its end");
	session_print(s,
		      "Lines of the file: `sweep`, `except`, `baseline`, `measure`. `sweep NAME VALUE ...` takes:\n");
	for (u32 i = 0; i < sweep_kind_rows; i++)
		print_row(s, sweep_kind_table[i].name, sweep_kind_table[i].doc);
	print_row(s, "SETTING or VARIABLE", "values, or a range: 1..20");
	session_print(s, "States of a result:\n");
	for (u32 i = 0; i < ARRAY_LEN(state_row); i++)
		print_row(s, state_row[i].name, state_row[i].doc);
	session_print(s, "A query is [WORD] MEASURE ... [by NAME ...] [where NAME VALUE ...]. WORD is one of:\n");
	for (u32 i = 0; i < ARRAY_LEN(fold_row); i++)
		print_row(s, fold_row[i].name, fold_row[i].doc);
	session_print(s, "The manual is warpstep-sweeps(7).\n");
}
