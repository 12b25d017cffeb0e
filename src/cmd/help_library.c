/* help_library.c - the topics of `help` that come from files of the library. */
#include "explain.h"
#include "library.h"
#include "session.h"

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
