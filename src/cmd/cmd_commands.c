/* cmd_commands.c - commands: what is run when a stop stops. */
#include "lang.h"
#include "complete.h"
#include "arguments.h"
#include "rights.h"

/* Replace a stop's list by the lines of a block, without the blanks before them. */
static void cmd_commands_set_list(struct breakpoint *b, char *const *line, u32 n, const struct line_origin *from)
{
	b->commands_from = from;
	for (u32 i = 0; i < b->ncommands; i++)
		free(b->command[i]);
	b->command = xrealloc(b->command, n * sizeof(*b->command));
	b->ncommands = n;
	for (u32 i = 0; i < n; i++) {
		size_t len = strlen(line[i] + strspn(line[i], " \t"));

		b->command[i] = xstrndup(line[i] + strspn(line[i], " \t"), len);
		while (len && (b->command[i][len - 1] == ' ' || b->command[i][len - 1] == '\t'))
			b->command[i][--len] = '\0';
	}
}

/* The stop that is meant, NULL with an error if there is none. */
static struct breakpoint *cmd_commands_meant(struct session *s, const struct args *a, struct error *e)
{
	return a->arg[0].present ? numbers_one(s, &a->arg[0], e) : breaks_find(s->breaks, s->last_break, e);
}

/* There is such a stop. */
static enum status cmd_commands_ready(struct session *s, const struct args *a, struct error *e)
{
	return cmd_commands_meant(s, a, e) ? STATUS_OK : STATUS_FAILED;
}

/* commands [N] ... end */
static enum status cmd_commands_run(struct session *s, const struct args *a, struct error *e)
{
	struct breakpoint *b = cmd_commands_meant(s, a, e);

	if (!b)
		return STATUS_FAILED;
	cmd_commands_set_list(b, a->block, a->nblock, rights_keep(s, rights_now(s)));
	return STATUS_OK;
}

const struct command command_commands = {
	.name = "commands",
	.alias = "comm",
	.group = "stops",
	.summary = "set the commands to run when a breakpoint is hit",
	.details =
		"The lines up to `end` run at every hit of breakpoint N (default: the newest breakpoint). `silent` as the first\n"
		"line suppresses the report of the hit. `continue` ends the list and resumes in the direction in which the\n"
		"machine was moving.",
	.examples = "commands 2\n  silent\n  print ipc\n  continue\nend",
	.flags = COMMAND_BLOCK | COMMAND_RUNS,
	.run = cmd_commands_run,
	.ready = cmd_commands_ready,
	.arg = {{"N", ARG_WORD, .doc = "number or name of the breakpoint", .complete = complete_number,
		 .optional = true}},
};
