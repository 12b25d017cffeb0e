/* cmd_run.c - run: to the end, saying the stops on the way; or the values alone, without timing. */
#include "front.h"
#include "lang.h"
#include "travel.h"

/* The program's memory at its beginning. */
static void cmd_run_fill_store(struct session *s, struct store *st)
{
	store_init(st, 0, 0, s->program.global_bytes);
	for (u32 i = 0; i < s->program.nbuffer; i++) {
		const struct buffer *b = &s->program.buffer[i];

		if (b->init)
			store_poke(st, b->address, b->init, b->bytes);
	}
}

/* Run without timing; what it leaves in memory is kept for check, dump and print. */
static enum status cmd_run_run_functional(struct session *s, struct error *e)
{
	struct store *st = xcalloc(1, sizeof(*st));
	struct functional_result done = {0, 0};
	enum status result;
	json_t *out;

	cmd_run_fill_store(s, st);
	session_forget_functional(s);
	s->functional = st;
	result = travel_functional(s, st, &done, e);
	if (result)
		return result;
	session_print(
		s,
		"%llu warp instructions, %llu thread instructions, without timing; until the next move, buffers show "
		"these results\n",
		done.warp_instructions, done.thread_instructions);
	out = session_result(s);
	member_int(out, "inst.warp", done.warp_instructions);
	member_int(out, "inst.thread", done.thread_instructions);
	return STATUS_OK;
}

static enum status cmd_run_run(struct session *s, const struct args *a, struct error *e)
{
	if (a->arg[0].present)
		return cmd_run_run_functional(s, e);
	return travel_run(s, NULL, true, e);
}

const struct command command_run = {
	.name = "run",
	.alias = "r",
	.group = "time",
	.summary = "run to the end; breakpoints on the way are reported but do not stop",
	.details =
		"With --functional, all launches are executed from the beginning without timing, and the machine does not move.\n"
		"`check`, `dump` and `print` then read the resulting memory, until the next command that moves the machine.\n"
		"CTAs that wait for each other take turns. Output of the kernels (printf, assert) is printed at the end, by\n"
		"launch, CTA and warp.",
	.examples = "run\nrun --functional",
	.flags = COMMAND_MOVES,
	.run = cmd_run_run,
	.arg = {{"--functional", ARG_FLAG, .doc = "compute values only, without timing", .optional = true}},
};
