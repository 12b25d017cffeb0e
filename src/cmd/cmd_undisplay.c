/* cmd_undisplay.c - undisplay: no longer show an expression at stops. */
#include "lang.h"
#include "breaks.h"

/* undisplay [N] */
static enum status cmd_undisplay_run(struct session *s, const struct args *a, struct error *e)
{
	struct breaks *b = s->breaks;

	if (!a->arg[0].present) {
		while (b->ndisplays)
			display_delete(b, b->display[0].number);
		return STATUS_OK;
	}
	if (display_delete(b, a->arg[0].number))
		return STATUS_OK;
	return error_at(e, STATUS_FAILED, NULL, 0, a->arg[0].column, "no display %llu (`info display` lists them)",
			a->arg[0].number);
}

const struct command command_undisplay = {
	.name = "undisplay",
	.alias = "undisp",
	.group = "inspect",
	.summary = "stop displaying an expression (default: all)",
	.examples = "undisplay 1\nundisplay",
	.flags = COMMAND_OPEN,
	.run = cmd_undisplay_run,
	.arg = {{.name = "N", .type = ARG_NUMBER, .optional = true, .doc = "number of the display"}},
};
