/* cmd_compare.c - compare: two machines from here, one as it is and one with something changed. */
#include "compare_words.h"

#include "complete.h"
#include "schemes.h"
#include "rights.h"
#include "scene.h"
#include "settings.h"
#include "travel.h"

/* What is compared, or an error. */
static struct compare *cmd_compare_now(const struct session *s, struct error *e)
{
	if (!s->compare)
		error_set(e, STATUS_FAILED, "compare: no comparison is open (example: `compare order=lrr`)");
	return s->compare;
}

/* compare end */
static enum status cmd_compare_end(struct session *s, struct error *e)
{
	if (!cmd_compare_now(s, e))
		return STATUS_FAILED;
	compare_close(s);
	return STATUS_OK;
}

/* compare [stats GLOB]: the table once more. */
static enum status cmd_compare_show(struct session *s, const struct args *a, struct error *e)
{
	struct compare *c = cmd_compare_now(s, e);

	if (!c)
		return STATUS_FAILED;
	if (a->ntokens > 3)
		return usage_at(e, a->token[3].column, "compare stats: takes one pattern");
	compare_print(s, c, a->ntokens > 2 ? a->token[2].s : a->ntokens > 1 ? "*" : NULL);
	return STATUS_OK;
}

/* compare lines [all] */
static enum status cmd_compare_lines(struct session *s, const struct args *a, struct error *e)
{
	struct compare *c = cmd_compare_now(s, e);
	bool all = a->ntokens > 2 && !strcmp(a->token[2].s, "all");

	if (!c)
		return STATUS_FAILED;
	if (a->ntokens > (all ? 3 : 2))
		return usage_at(e, a->token[all ? 3 : 2].column, "compare lines: takes only `all`");
	compare_lines(s, c, all);
	return STATUS_OK;
}

static enum status cmd_compare_why(struct session *s, struct error *e)
{
	struct compare *c = cmd_compare_now(s, e);

	return c ? compare_print_why(s, c, e) : STATUS_FAILED;
}

/* --- swap --- */

/* Put B's settings and schemes in, as `set` and `policy` would. */
static enum status cmd_compare_put(struct session *s, const struct compare_change *x, struct error *e)
{
	char *copy = xstrdup(x->text), *next = copy, *word;
	struct text schemes = {0};
	enum status st = STATUS_OK;

	while (!st && (word = strsep(&next, " "))) {
		char *equals = strchr(word, '=');
		bool setting = equals && !policy_slots_named(word, (size_t)(equals - word));
		char *line;

		if (!setting) {
			text_add(&schemes, " %s", word);
			continue;
		}
		line = xasprintf("set %.*s %s", (int)(equals - word), word, equals + 1);
		st = s->above->run_lines(s, line, rights_now(s), NULL, 0, e);
		free(line);
	}
	if (!st && schemes.len) {
		char *line = xasprintf("policy%s", schemes.s);

		st = s->above->run_lines(s, line, rights_now(s), NULL, 0, e);
		free(line);
	}
	text_free(&schemes);
	free(copy);
	return st;
}

/* compare swap: B becomes the run. */
static enum status cmd_compare_swap(struct session *s, struct error *e)
{
	struct compare *c = cmd_compare_now(s, e);
	struct position here = session_now(s), from;
	struct compare_change x;
	enum status st = STATUS_OK;

	if (!c)
		return STATUS_FAILED;
	if (c->change.other && !strncmp(c->change.text, "run ", 4))
		return error_set(e, STATUS_FAILED,
				 "compare swap: B is an earlier run, which no command can put in (open its files)");
	if (c->change.other)
		return error_set(
			e, STATUS_FAILED,
			"compare swap: B has other kernels, another scenario or another GPU, which no command can "
			"put in (open it)");
	if (c->change.launch)
		return error_set(
			e, STATUS_FAILED,
			"compare swap: B differs in a launch, which no command can change (edit the scenario)");
	from = c->from;
	x = c->change;
	c->change = (struct compare_change){0};
	compare_close(s);
	if (!x.anew && (here.cycle != from.cycle || here.stage != from.stage))
		st = travel_to(s, from, e);
	if (!st)
		st = cmd_compare_put(s, &x, e);
	if (!st && x.anew && s->live && s->moved)
		st = session_restart(s, e);
	if (!st)
		session_print(s, "B is now the session's run: %s, from %s\n", safe_text(x.text),
			      x.anew ? "the start" : "the current position");
	if (!st && !x.anew && here.cycle > from.cycle)
		st = travel_to(s, here, e);
	compare_change_free(&x);
	return st;
}

/* --- comparing --- */

/* Can a machine be made anew of what is declared? */
static enum status cmd_compare_scene(const struct session *s, struct error *e)
{
	if (s->scene->nlaunch >= s->program.nlaunch)
		return STATUS_OK;
	return error_set(e, STATUS_FAILED, "compare: launches have been undone (`restart` first)");
}

/* Two: the change, both run, the table. */
static enum status cmd_compare_two(struct session *s, const struct compare_wish *w, struct error *e)
{
	struct compare_change x;
	struct compare *c;
	enum status st = compare_wish_change(s, w, 0, &x, e), ran;

	if (!st && x.anew)
		st = cmd_compare_scene(s, e);
	if (st)
		return st;
	compare_close(s);
	st = compare_open(s, &x, &c, e);
	if (st)
		return st;
	ran = compare_run(s, c, &w->goal, e);
	s->compare = c;
	compare_print(s, c, w->stats);
	for (u32 i = 0; i < 2 && !ran; i++)
		ran = judged_status(&c->judged[1 - i], i ? "A" : "B", e);
	return ran;
}

/* compare CHANGE ... [-- MOVE] | stats GLOB | lines [all] | why | swap | end */
static enum status cmd_compare_run(struct session *s, const struct args *a, struct error *e)
{
	const char *word = a->ntokens > 1 ? a->token[1].s : "";
	struct compare_wish w;
	enum status st;

	if (a->ntokens < 2 || !strcmp(word, "stats"))
		return cmd_compare_show(s, a, e);
	if (a->ntokens == 2 && (!strcmp(word, "end") || !strcmp(word, "off")))
		return cmd_compare_end(s, e);
	if (a->ntokens == 2 && !strcmp(word, "swap"))
		return cmd_compare_swap(s, e);
	if (a->ntokens == 2 && !strcmp(word, "why"))
		return cmd_compare_why(s, e);
	if (!strcmp(word, "lines"))
		return cmd_compare_lines(s, a, e);
	st = compare_wish_read(s, a, &w, e);
	if (st)
		return st;
	st = w.n > 1 ? compare_table(s, &w, e) : cmd_compare_two(s, &w, e);
	compare_wish_free(&w);
	return st;
}

const struct command command_compare = {
	.name = "compare",
	.group = "inspect",
	.summary = "run two machines side by side, one with a change, and show where they differ and why",
	.details =
		"A is the machine as it is; B has the change: SETTING=VALUE, HOOK=POLICY or a policy as for `policy`, or\n"
		"kernel.N.WORD=VALUE for launch N (entry, grid, block, shared, regs, stream, sms, priority, alone). FILE.ptx\n"
		"(or module=FILE) is another version of the kernels: B launches those of the same names from it. FILE.scn (or\n"
		"scenario=FILE) is another scenario. gpu=PRESET is another GPU; if the session's is a GPU slice, then a GPU\n"
		"slice of the same proportion. `run N` is an earlier run of the sitting (`history runs`), with the files that\n"
		"it was made of. These four start from cycle 0. Several changes may be combined. What can be changed in a\n"
		"machine that has moved is changed at the current position. Layout settings and launches are changed from the\n"
		"start, as is everything with `from start`: A and B are then what `restart` would create. Both run to the end,\n"
		"or as `-- step N`, `-- run` or `-- until EXPR` says, independently of each other. The table lists the\n"
		"statistics that differ, the most significant first: B/A, or percentage points for shares. `stats GLOB` lists\n"
		"all statistics that match. The first difference is the first cycle in which a scheduler issues something else:\n"
		"`goto difference` goes there, and `compare why` explains the choice of each machine. `compare lines` lists the\n"
		"source lines of both machines, matched by their text, with issues, stalls and sectors; the lines whose stalls\n"
		"differ most come first. The layout `compare` shows both machines at the session's position, A's warps beside\n"
		"B's. With `set compare.by instructions`, B is shown where it has issued as many instructions as A. `swap`\n"
		"makes B the session's run, by the equivalent `set` and `policy` commands. `end` discards the comparison. A\n"
		"list of values separated by commas, order=gto,lrr,rba, creates a machine for each value; they run side by\n"
		"side, and the table has a row for each. `stats GLOB` adds columns, and Ctrl-C keeps the finished rows. The\n"
		"session's machine does not move. Where a machine has finished, the lines `check` and `expect` of the\n"
		"scenario's `finally` are run on it: what fails is the first line of the answer, and the command fails (exit\n"
		"status 3).",
	.examples =
		"compare order=lrr\ncompare\ncompare why\ncompare lat.int=20 policy assign=srr -- step 1000\n"
		"compare stats l1d.*\ncompare gpu.sms=1 from start -- run\ncompare order=two-level stats slots.*\ncompare swap\n"
		"compare kernel.0.regs=128\ncompare end\ncompare order=gto,lrr,rba,elf -- step 2000\n"
		"compare kernels/matmul.ptx\ncompare lines\ncompare gpu=volta,a100\ncompare other.scn",
	.flags = COMMAND_NEEDS_MACHINE | COMMAND_ANSWERS,
	.run = cmd_compare_run,
	.arg = {{"CHANGE ... [stats GLOB] [from start] [-- MOVE] | stats GLOB | lines [all] | why | swap | end",
		 ARG_REST, .doc = "change of B, statistics to show, where to run to", .complete = complete_compare,
		 .optional = true}},
};
