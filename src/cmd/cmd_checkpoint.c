/* cmd_checkpoint.c - checkpoint: a name for a position, for `goto NAME`. */
#include "positions.h"
#include "complete.h"

/* The first of p1, p2, ... that is free. */
static void cmd_checkpoint_free_name(const struct session *s, char *out, size_t size)
{
	for (u32 n = 1;; n++) {
		snprintf(out, size, "p%u", n);
		if (!checkpoint_find(s, out))
			return;
	}
}

/* A letter, then letters, digits, _ . and -: nothing that could be a cycle. */
static bool cmd_checkpoint_is_name(const char *name)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789.-";

	return name[0] && memchr(letters, name[0], 53) && !name[strspn(name, letters)] && strlen(name) < 64;
}

/* Take a name away. */
static enum status cmd_checkpoint_drop(struct session *s, const char *name, u32 column, struct error *e)
{
	const struct checkpoint *c = name ? checkpoint_find(s, name) : NULL;

	if (!c)
		return failed_at(e, column,
				 name ? "no checkpoint '%s' (`info checkpoints` lists them)"
				      : "checkpoint %s: missing name (`info checkpoints` lists them)",
				 name ? token_shown(name) : "-d");
	checkpoint_drop(s, c);
	return STATUS_OK;
}

/* "checkpoint p1: cycle 500" */
static void cmd_checkpoint_announce(struct session *s, const char *name, struct position at)
{
	json_t *result = session_result(s);

	session_print(s, "checkpoint %s: cycle %llu%s%s\n", name, at.cycle, at.stage ? ", before " : "",
		      at.stage ? stage_table[at.stage].name : "");
	member_text(result, "name", name);
	member_int(result, "cycle", at.cycle);
}

static enum status cmd_checkpoint_run(struct session *s, const struct args *a, struct error *e)
{
	const char *name = a->arg[0].text;
	struct position at = session_now(s);
	char made[16];

	if (a->arg[3].present)
		return cmd_checkpoint_drop(s, name, a->arg[3].column, e);
	if (!name) {
		cmd_checkpoint_free_name(s, made, sizeof(made));
		name = made;
	} else if (!cmd_checkpoint_is_name(name)) {
		return usage_at(e, a->arg[0].column,
				"'%s' is not a valid name (a letter, then letters, digits, '_', '.' and '-')",
				token_shown(name));
	}
	if (a->arg[1].present)
		at = (struct position){.cycle = min_u64(a->arg[1].number, NEVER - 2)};
	if (a->arg[2].present)
		at.stage = (u32)a->arg[2].number;
	checkpoint_keep(s, name, at);
	cmd_checkpoint_announce(s, name, at);
	return STATUS_OK;
}

const struct command command_checkpoint = {
	.name = "checkpoint",
	.group = "time",
	.summary = "name a position in time, for `goto NAME`",
	.details =
		"The position is the current one, or the beginning of CYCLE (with -s, before a stage of that cycle). Without a\n"
		"name the checkpoint is called p1, p2, ... A name that exists already is moved. `info checkpoints` lists the\n"
		"checkpoints, and `save session` keeps them.",
	.examples = "checkpoint before\ncheckpoint later 5000\ncheckpoint -d before\ngoto later",
	.run = cmd_checkpoint_run,
	.arg = {{"NAME", ARG_WORD, .doc = "name of the checkpoint", .complete = complete_checkpoint, .optional = true},
		{"CYCLE", ARG_NUMBER, .doc = "cycle (default: the current cycle)", .optional = true},
		{"-s", ARG_FLAG, .doc = "position before this stage of the cycle", .value_type = ARG_STAGE},
		{"-d", ARG_FLAG, .doc = "delete the checkpoint"}},
};
