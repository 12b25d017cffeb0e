/* cmd_alone.c - alone: run launches by themselves, to know what sharing the GPU costs them. */
#include "alone.h"
#include "arguments.h"
#include "info.h"
#include "interrupt.h"
#include "machine.h"

#include <ctype.h>

/* One launch, unless it is known already. */
static enum status cmd_alone_find(struct session *s, u32 i, struct error *e)
{
	struct alone found;
	struct sigaction old;
	enum status st;

	if (alone_of(s, &s->sim, i))
		return STATUS_OK;
	interrupt_catch(&old);
	st = alone_run(s, i, &found, e);
	interrupt_release(&old);
	if (st && interrupt_timed_out())
		st = e->status = STATUS_LIMIT;
	if (!st)
		alone_keep(s, i, &found);
	return st;
}

/* The streams, but those of periodic launches, which have no end of their own. */
static enum status cmd_alone_streams(struct session *s, struct error *e)
{
	const struct program *p = &s->program;
	struct sigaction old;
	enum status st = STATUS_OK;

	interrupt_catch(&old);
	for (u32 i = 0; i < p->nlaunch && !st; i++) {
		struct stream_time found;

		if (p->launch[i].every || stream_first(p, i) != i || alone_stream_of(s, &s->sim, i))
			continue;
		st = alone_run_stream(s, i, &found, e);
		if (!st)
			alone_keep_stream(s, i, &found);
	}
	interrupt_release(&old);
	if (st && interrupt_timed_out())
		st = e->status = STATUS_LIMIT;
	if (!st)
		info_streams_show(s);
	return st;
}

/* What is known of one launch, beside what it does here. */
static void cmd_alone_row(struct columns *c, struct session *s, u32 i)
{
	const struct launch_run *run = (struct launch_run *)machine_gpu_section(s->sim.m, SECTION_LAUNCH) + i;
	const struct alone *a = alone_of(s, &s->sim, i);
	u64 cycles = sim_launch_cycles(&s->sim, i);
	const struct launch *l = &s->program.launch[i];
	double slowdown = l->every || l->restart ? 0 : alone_slowdown(a, alone_progress(&s->sim, i), cycles);

	columns_row(c, i, safe_text(s->program.launch[i].name), a->cycles, alone_ipc(a->issued, a->cycles),
		    alone_ipc(run->issued, cycles), slowdown > 0 ? slowdown : NO_REAL);
}

/* The kernel that a word names. */
static enum status cmd_alone_kernel(struct session *s, const struct arg *a, u32 *out, struct error *e)
{
	if (!launches_named(s, a->text, out) && !isdigit((u8)*a->text))
		return usage_at(e, a->column, "'%s' is neither a kernel (number or name) nor `streams`",
				token_shown(a->text));
	return launch_take(s, a->text, a->column, out, e);
}

/* alone [KERNEL|streams] */
static enum status cmd_alone_run(struct session *s, const struct args *a, struct error *e)
{
	u32 n = s->program.nlaunch, from = 0, to = n;
	enum status st = STATUS_OK;
	struct columns c;

	if (a->arg[0].present && !strcmp(a->arg[0].text, "streams"))
		return cmd_alone_streams(s, e);
	if (a->arg[0].present)
		st = cmd_alone_kernel(s, &a->arg[0], &from, e);
	if (a->arg[0].present)
		to = from + 1;
	for (u32 i = from; i < to && !st; i++)
		st = cmd_alone_find(s, i, e);
	if (st)
		return st;
	sim_sync(&s->sim);
	columns_open(&c, s, "kernel name cycles ipc_alone ipc_now slowdown");
	for (u32 i = from; i < to; i++)
		cmd_alone_row(&c, s, i);
	columns_close(&c, "alone", "");
	return STATUS_OK;
}

const struct command command_alone = {
	.name = "alone",
	.group = "inspect",
	.summary = "run each kernel in isolation on the same GPU, to measure what sharing costs it",
	.details =
		"Each launch runs on a separate simulated GPU with the current settings and policies and with cold caches;\n"
		"memory is as the preceding launches leave it. The session's machine does not move. The pane `kernels` shows\n"
		"the results until a setting or policy changes: the IPC of the isolated run, and the slowdown. The slowdown is\n"
		"the number of cycles taken here, divided by the cycles of the isolated run for the same number of warp\n"
		"instructions. A periodic launch (`every`) idles between its instances, so no slowdown is shown for it. Ctrl-C\n"
		"stops the command.\n"
		"`alone streams` does the same for whole streams; `info streams` then compares both runs.",
	.examples = "alone\nalone 0\nalone streams",
	.flags = COMMAND_NEEDS_MACHINE,
	.run = cmd_alone_run,
	.arg = {{"KERNEL|streams", ARG_WORD,
		 .doc = "number or name of the launch, or `streams` (default: every launch)", .optional = true}},
};
