/* cmd_sweep.c - sweep: a line of setup with several values; except, baseline: parts of the points that they make. */
#include "complete.h"
#include "rights.h"
#include "sweep.h"

#include <string.h>

/* Say that the session stands at one of the values. */
static void cmd_sweep_say(struct session *s, const struct sweep_axis *x)
{
	if (!s->sweep->told)
		session_print(s,
			      "sweep %s: this session has %s, the first of %u values (`warpstep --sweep` runs all)\n",
			      safe_text(x->name), safe_text(x->value[0]), x->n);
}

static enum status cmd_sweep_run(struct session *s, const struct args *a, struct error *e)
{
	u32 first = a->rest, i;
	struct text line = {0};
	enum status st;

	st = sweep_add(s, &a->token[1], a->token + first, a->ntokens - first, e);
	if (st)
		return st;
	i = s->sweep->naxes - 1;
	cmd_sweep_say(s, &s->sweep->axis[i]);
	sweep_line(&s->sweep->axis[i], s->sweep->chosen[i], &line);
	if (line.s)
		st = s->above->run_lines(s, line.s, rights_now(s), a->file, a->line_number, e);
	text_free(&line);
	if (st)
		sweep_drop(s->sweep);
	return st;
}

/* The kinds of axes, for help. */
static void cmd_sweep_rows(struct text *out)
{
	for (u32 i = 0; i < sweep_kind_rows; i++)
		help_row(out, sweep_kind_table[i].name, 10, sweep_kind_table[i].doc);
	help_row(out, "SETTING", 10, "its values; a range of numbers: 1..20");
	help_row(out, "VARIABLE", 10, "a word for $VARIABLE in the lines below; a range of numbers: 1..20");
}

const struct command command_sweep = {
	.name = "sweep",
	.group = "setup",
	.summary = "give a line of setup several values: one job for each",
	.details =
		"A scenario with such lines is a sweep file: its points are the products of all values. In a session the line\n"
		"takes its first value. `warpstep --sweep FILE` runs a job for each point, `warpstep --jobs FILE` lists them\n"
		"for other programs to run, and `warpstep --results DATABASE QUERY` prints the results: warpstep-sweeps(7).\n"
		"NAME is one of:",
	.rows = cmd_sweep_rows,
	.examples =
		"sweep l1d.bytes 16384 32768 65536\nsweep policy order=gto order=lrr elf\nsweep gpu volta a100\nsweep module kernels/*.ptx\nsweep seed 1..20",
	.flags = COMMAND_READS | COMMAND_RUNS,
	.run = cmd_sweep_run,
	.arg = {{"NAME", ARG_WORD, .doc = "what varies", .complete = complete_swept},
		{"VALUE", ARG_REST, .doc = "values, one job each"}},
};

/* The pairs of a line, of which there must be one. */
static enum status cmd_sweep_pairs(struct session *s, const struct args *a, struct sweep_part *part, struct error *e)
{
	if (a->rest == a->ntokens)
		return usage_at(e, a->token[0].column, "%s: missing NAME VALUE pairs", token_shown(a->token[0].s));
	return sweep_pairs(s->sweep, a->token + a->rest, a->ntokens - a->rest, part, e);
}

/* except AXIS VALUE ... */
static enum status cmd_sweep_except_run(struct session *s, const struct args *a, struct error *e)
{
	struct sweep_part part;
	enum status st = cmd_sweep_pairs(s, a, &part, e);

	if (st)
		return st;
	s->sweep->except = array_grow(s->sweep->except, s->sweep->nexcepts, sizeof(*s->sweep->except));
	s->sweep->except[s->sweep->nexcepts++] = part;
	return STATUS_OK;
}

const struct command command_except = {
	.name = "except",
	.group = "setup",
	.summary = "leave out the points of a sweep that have these values",
	.details = "A point is left out if it has all values of the line. Several lines leave out the points of each.",
	.examples = "except policy elf gpu a100",
	.run = cmd_sweep_except_run,
	.arg = {{"PAIRS", ARG_REST, .doc = "NAME VALUE ... of `sweep` lines above"}},
};

/* baseline AXIS VALUE ... */
static enum status cmd_sweep_baseline_run(struct session *s, const struct args *a, struct error *e)
{
	struct sweep_part part;
	enum status st = cmd_sweep_pairs(s, a, &part, e);

	if (st)
		return st;
	if (s->sweep->has_baseline)
		return usage_at(e, a->token[0].column, "baseline: there is one already");
	s->sweep->baseline = part;
	s->sweep->has_baseline = true;
	return STATUS_OK;
}

const struct command command_baseline = {
	.name = "baseline",
	.group = "setup",
	.summary = "name the values of a sweep to which geometric means are relative",
	.details = "Each point is divided by the point that has these values and is the same otherwise.",
	.examples = "baseline policy order=gto",
	.run = cmd_sweep_baseline_run,
	.arg = {{"PAIRS", ARG_REST, .doc = "NAME VALUE ... of `sweep` lines above"}},
};
