/* cmd_restart.c - restart: the machine anew, at cycle 0, with what has been set up since. */
#include "travel.h"

static enum status cmd_restart_run(struct session *s, const struct args *a, struct error *e)
{
	enum status st = session_restart(s, e);

	(void)a;
	if (!st)
		session_stopped(s, STOP_START, NULL);
	return st;
}

const struct command command_restart = {
	.name = "restart",
	.group = "time",
	.summary = "create the machine again at cycle 0, with all settings, buffers and launches declared so far",
	.details =
		"Layout settings, and buffers and launches added while the machine ran, take effect now. The recorded past is\n"
		"discarded; breakpoints stay.",
	.examples = "set l1d.bytes 65536\nrestart",
	.run = cmd_restart_run,
};
