/* cmd_history.c - history: the runs of the sitting. */
#include "columns.h"
#include "complete.h"
#include "experiments.h"
#include "interrupt.h"
#include "other.h"
#include "runs.h"

#include <signal.h>

/* What the checks of a run have come to, or how it ended. */
static void cmd_history_checks(const struct run *x, struct text *out)
{
	const struct judged *j = &x->end.judged;

	if (x->end.ended != STOP_FINISHED)
		text_add(out, "%s",
			 x->end.ended == STOP_FAULT	 ? "fault"
			 : x->end.ended == STOP_DEADLOCK ? "deadlock"
							 : "livelock");
	else if (j->failed)
		text_add(out, "%u of %u fail", j->failed, j->failed + j->passed);
	else if (j->passed)
		text_add(out, "%u passed", j->passed);
}

/* A text of a cell, "-" if it is empty. */
static void cmd_history_cell(struct columns *c, struct text *t)
{
	columns_text(c, t->len ? t->s : NULL);
	text_clear(t);
}

/* One row. */
static void cmd_history_row(struct columns *c, const struct session *s, const struct run *x, bool present)
{
	struct text t = {0};

	columns_int(c, x->number);
	runs_version_text(s, x, &t);
	cmd_history_cell(c, &t);
	runs_changes_text(s, x, &t);
	cmd_history_cell(c, &t);
	columns_int(c, (i64)x->end.cycles);
	text_add(&t, "%s", x->limit);
	cmd_history_cell(c, &t);
	cmd_history_checks(x, &t);
	cmd_history_cell(c, &t);
	columns_text(c, present ? "yes" : NULL);
	text_free(&t);
}

/* Has a run finished, with results that are right as far as they are checked? */
static bool cmd_history_right(const struct run *x)
{
	return x && x->end.ended == STOP_FINISHED && !x->end.judged.failed;
}

/* The last run before another that it can be compared with, NULL: none. */
static const struct run *cmd_history_before(const struct session *s, const struct run *x)
{
	struct error none;

	while (x && x > s->runs->run)
		if (!runs_makeable(s, --x, &none))
			return x;
	return NULL;
}

/* The present run beside the one before it, in a sentence: which is the faster, and what shows why. */
static void cmd_history_beside(struct session *s, const struct run *x)
{
	const struct run *b = cmd_history_before(s, x);
	struct text line = {0};
	double ratio;

	if (!b || !cmd_history_right(x) || !cmd_history_right(b) || b->end.cycles == x->end.cycles)
		return;
	ratio = (double)max_u64(b->end.cycles, 1) / (double)max_u64(x->end.cycles, 1);
	text_add(&line, "run %u is %.2f times as %s as run %u: `compare run %u` shows why", x->number,
		 ratio > 1 ? ratio : 1 / ratio, ratio > 1 ? "fast" : "slow", b->number, b->number);
	session_print(s, "%s\n", line.s);
	member_text(session_result(s), "sentence", line.s);
	text_free(&line);
}

/* history runs */
static void cmd_history_show(struct session *s)
{
	const struct runs *r = s->runs;
	const struct run *present = r ? runs_present(s) : NULL;
	bool unknown = false;
	struct columns c;

	columns_open(&c, s, "run version changed cycles first_limit checks present");
	for (u32 i = 0; r && i < r->n; i++) {
		cmd_history_row(&c, s, &r->run[i], &r->run[i] == present);
		unknown |= !*r->run[i].limit;
	}
	columns_close(&c, "runs", "no run has come to its end yet (`run`)");
	cmd_history_beside(s, present);
	if (unknown)
		session_print(s, "`history runs limits` finds what limits each run\n");
}

/* What limits a run, of its machine in a session of its own: the kernel alone, or all kernels from the start. False:
 * Ctrl-C or the clock. */
static bool cmd_history_limit(struct session *s, const struct run *x, struct session *o)
{
	const struct experiment_of of = {.launch = x->launches == 1 ? 0 : NONE32, .to = x->end.issued};
	u32 number = x->number;
	struct study t;
	struct error e;
	enum status st = study_limits(o, &of, &t, NULL, &e);
	bool whole = !st && !t.stopped;

	if (whole) {
		struct text name = {0};

		study_name(&t, &name);
		runs_bounded(s, number, name.s);
		text_free(&name);
	}
	study_free(&t);
	return whole || !interrupt_wanted();
}

/* Of all runs of which it is not known and can be. */
static enum status cmd_history_limits(struct session *s, struct error *e)
{
	enum status st = STATUS_OK;
	struct sigaction old;
	bool goes_on = true;

	interrupt_catch(&old);
	interrupt_begin(s);
	for (u32 i = 0; s->runs && i < s->runs->n && goes_on; i++) {
		const struct run *x = &s->runs->run[i];
		struct session *o;
		struct error none;

		if (*x->limit || x->end.ended != STOP_FINISHED || runs_session(s, x, &o, &none))
			continue;
		snprintf(s->doing, sizeof(s->doing), "limits of run %u: any key stops", x->number);
		goes_on = cmd_history_limit(s, x, o);
		other_free(o);
	}
	s->doing[0] = '\0';
	if (!goes_on && interrupt_timed_out())
		st = interrupt_status(s, e);
	else if (!goes_on)
		session_print(s, "interrupted: only the limits below are known\n");
	interrupt_end(s);
	interrupt_release(&old);
	return st;
}

/* history [runs [limits]] */
static enum status cmd_history_run(struct session *s, const struct args *a, struct error *e)
{
	enum status st = STATUS_OK;

	if (a->arg[0].present && strcmp(a->arg[0].text, "runs") != 0)
		return usage_at(e, a->arg[0].column, "unexpected '%s' (usage: `history runs [limits]`)",
				token_shown(a->arg[0].text));
	if (a->arg[1].present && strcmp(a->arg[1].text, "limits") != 0)
		return usage_at(e, a->arg[1].column, "unexpected '%s' (usage: `history runs [limits]`)",
				token_shown(a->arg[1].text));
	if (a->arg[1].present)
		st = cmd_history_limits(s, e);
	if (!st)
		cmd_history_show(s);
	return st;
}

const struct command command_history = {
	.name = "history",
	.group = "inspect",
	.summary = "list the runs of this sitting: version, changes, cycles, first limit, checks",
	.details =
		"Every machine that has come to its end is a run: the first, one after each `reload` that read other files, one\n"
		"after each restart with other settings or policies. The same machine again is the same run. `version` is the\n"
		"file of the kernels and which of its texts was run; `changed` is what differs from the run before. The checks\n"
		"are those of the scenario's `finally`. `limits` finds what `limits` names first, for all runs of which that is\n"
		"not known; that takes as long as `limits` for each. `present` marks the run that `restart` and `run` would\n"
		"repeat; `compare run N` compares it with another. The files of earlier versions are kept as they were.",
	.examples = "run\nhistory runs\ncompare run 1\nhistory runs limits",
	.run = cmd_history_run,
	.arg = {{"runs", ARG_WORD, .doc = "the runs of the sitting", .complete = complete_history, .optional = true},
		{"limits", ARG_WORD, .doc = "find what limits each", .complete = complete_history, .optional = true}},
};
