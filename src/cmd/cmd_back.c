/* cmd_back.c - back, forward, undo, restart, reload: to where the session has been. */
#include "breaks.h"
#include "columns.h"
#include "compile.h"
#include "reload.h"
#include "undo.h"
#include "travel.h"

static enum status cmd_back_run(struct session *s, const struct args *a UNUSED, struct error *e)
{
	return visited_go(s, -1, e);
}

const struct command command_back = {
	.name = "back",
	.group = "time",
	.summary = "go to the position visited before the current one",
	.details = "The visited positions are those at which commands have left the machine. `forward` returns.",
	.examples = "back",
	.flags = COMMAND_MOVES | COMMAND_REPEATS,
	.run = cmd_back_run,
};

static enum status cmd_back_forward_run(struct session *s, const struct args *a UNUSED, struct error *e)
{
	return visited_go(s, 1, e);
}

const struct command command_forward = {
	.name = "forward",
	.group = "time",
	.summary = "go to the position that `back` left",
	.examples = "forward",
	.flags = COMMAND_MOVES | COMMAND_REPEATS,
	.run = cmd_back_forward_run,
};

static enum status cmd_back_undo_run(struct session *s, const struct args *a UNUSED, struct error *e)
{
	return undo_last(s, e);
}

const struct command command_undo = {
	.name = "undo",
	.group = "time",
	.summary = "undo the last command that changed the position, a setting, the policy or the setup",
	.details = "A second `undo` undoes the command before. Breakpoints stay, and a restart cannot be undone.",
	.examples = "undo",
	.run = cmd_back_undo_run,
};

static enum status cmd_back_restart_run(struct session *s, const struct args *a UNUSED, struct error *e)
{
	enum status st = session_restart(s, e);

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
	.run = cmd_back_restart_run,
};

/* What both versions come to, in a line, and where the machine is now. */
static void cmd_back_say_reloaded(struct session *s, const struct reloaded *r)
{
	const struct judged *j = &r->judged[1];
	struct text line = {0};

	if (r->waited)
		session_print(s, "what waited for a restart counts now%s\n", r->whole ? ", in both versions" : "");
	if (!r->whole) {
		session_print(s, "the files have been read again\n");
		return;
	}
	text_add(&line, "%s -> %s cycles (%.2fx)", thousands((i64)r->cycles[0]), thousands((i64)r->cycles[1]),
		 (double)r->cycles[1] / (double)max_u64(r->cycles[0], 1));
	for (u32 i = 0; i < 2; i++)
		if (!r->finished[i])
			text_add(&line, ", %s version does not finish", i ? "this" : "the old");
	if (j->failed)
		text_add(&line, ", %u of %u checks fail: %s", j->failed, j->failed + j->passed, safe_text(j->first));
	else if (j->passed)
		text_add(&line, ", checks passed");
	session_print(s, "%s\n", line.s);
	member_int(session_result(s), "before", r->cycles[0]);
	member_int(session_result(s), "cycles", r->cycles[1]);
	member_int(session_result(s), "failed", j->failed);
	text_free(&line);
	if (*r->place && !r->placed)
		session_print(s, "the focused warp does not come to %s as often as before\n", safe_text(r->place));
}

static enum status cmd_back_reload_run(struct session *s, const struct args *a UNUSED, struct error *e)
{
	struct reloaded r;
	enum status st = compile_modules(s, e);

	if (!st)
		st = session_reload(s, &r, e);
	if (st)
		return st;
	undo_forget(s);
	for (u32 i = 0; i < s->breaks->n; i++) /* the way to where it stands now asked none of them */
		breakpoint_counts_from(s, s->breaks->list[i], session_now(s).cycle);
	cmd_back_say_reloaded(s, &r);
	if (s->live)
		session_stopped(s, r.placed ? STOP_TARGET : STOP_START, NULL);
	if (!r.judged[1].failed)
		return STATUS_OK;
	return error_set(e, STATUS_CHECK, "reload: %u of %u checks fail", r.judged[1].failed,
			 r.judged[1].failed + r.judged[1].passed);
}

const struct command command_reload = {
	.name = "reload",
	.group = "time",
	.summary = "read the files of the setup again, and show what has changed",
	.details =
		"Modules, data and traces are read as they are now; breakpoints, focus and settings stay. Before that, the new\n"
		"version runs to the end, and the old one unless its run is known; one line shows their cycles and the\n"
		"scenario's checks. The machine then stands where the focused warp is at the same source line for the same time\n"
		"as before. If a file cannot be read, everything stays as it was. With `compile` modules are made from their\n"
		"source first. `history runs` lists all versions of the sitting, `compare run N` shows why one is faster,\n"
		"`compare FILE.ptx` compares two files.",
	.examples = "reload",
	.flags = COMMAND_MOVES | COMMAND_LOADS,
	.run = cmd_back_reload_run,
};
