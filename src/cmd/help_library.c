/* help_library.c - topics of `help` that lead to the library: mechanisms, scenarios, presets. */
#include "explain.h"
#include "library.h"
#include "mechanisms.h"

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
