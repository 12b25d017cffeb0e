/* cmd_job.c - job: what a job of a sweep runs instead of `run`. */
#include "lang.h"

static enum status cmd_job_run(struct session *s, const struct args *a, struct error *e)
{
	struct lang *l = s->lang;

	if (l->job.line)
		return usage_at(e, a->token[0].column, "job: the scenario already has a `job` block (line %u)",
				l->job.first_line ? l->job.first_line - 1 : 0);
	kept_fill(&l->job, s, a);
	return STATUS_OK;
}

const struct command command_job = {
	.name = "job",
	.group = "setup",
	.summary = "store the lines up to `end`, which a job of a sweep runs instead of `run`",
	.details =
		"What the lines print is recorded in the job's row as `printed`. The row is `complete` if no line fails.\n"
		"Statistics are those of the cycle in which the last line ends. A session does not run the block.",
	.examples = "job\n  goto 100000\nend",
	.flags = COMMAND_SETUP | COMMAND_STAYS | COMMAND_BLOCK | COMMAND_RUNS,
	.run = cmd_job_run,
};
