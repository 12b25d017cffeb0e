/* cmd_limits.c - limits: what holds a kernel back, by lifting one limit after the other. */
#include "arguments.h"
#include "members.h"
#include "columns.h"
#include "complete.h"
#include "counters.h"
#include "gpu_slice.h"
#include "interrupt.h"
#include "experiments.h"
#include "machine.h"
#include "runs.h"
#include "tui.h"

#include <unistd.h>

#define BAR 30	     /* characters of the progress bar */
#define MOST_ROWS 96 /* variants */
#define SMALL 1.0    /* percent: what saves less is listed in one line */

/* How far it is, where somebody watches. */
static void cmd_limits_tell(struct session *s, u32 done, u32 n)
{
	char bar[BAR + 1];

	snprintf(s->doing, sizeof(s->doing), "limits %u of %u: any key stops", done, n);
	if (s->json || !s->interactive || tui_active() || !isatty(STDERR_FILENO))
		return;
	for (u32 i = 0; i < BAR; i++)
		bar[i] = i * n < done * BAR ? '#' : '.';
	bar[BAR] = '\0';
	fprintf(stderr, "\r%s %u of %u  Ctrl-C stops%s", bar, done, n,
		done == n ? "\r                                                                           \r" : "");
	fflush(stderr);
}

/* A kernel with its name, or a stretch; the cycles that it takes as it is. */
static void cmd_limits_title(struct session *s, const struct experiment_of *of, const struct experiment *base)
{
	json_t *out = session_result(s);
	struct text on = {0}, memory = {0};

	gpu_words(&s->made, &s->sim.m->config, &on);
	gpu_memory_words(&s->made, &s->sim.m->config, &memory);
	if (of->launch != NONE32)
		session_print(s, "kernel %u %s alone from cold caches", of->launch,
			      safe_text(s->program.launch[of->launch].name));
	else
		session_print(s, "instructions %s to %s, run from cycle 0", thousands((i64)of->from),
			      thousands((i64)of->to));
	session_print(s, "%s%s: %s cycles\n", on.len ? " on " : "", on.len ? on.s : "", thousands((i64)base->cycles));
	if (memory.len)
		session_print(s, "%s\n", memory.s);
	if (out && on.len)
		member_text(out, "machine", on.s);
	if (out && memory.len)
		member_text(out, "memory", memory.s);
	text_free(&on);
	text_free(&memory);
	if (!out)
		return;
	if (of->launch != NONE32)
		member_int(out, "kernel", of->launch);
	member_int(out, "cycles", base->cycles);
	member_int(out, "issued", base->issued);
}

/* What an experiment has to say beside its numbers. */
static void cmd_limits_note(const struct experiment *base, const struct experiment *x, struct text *out)
{
	if (x->state == EXPERIMENT_REFUSED)
		text_add(out, "not possible: %s", x->why.message);
	else if (x->state != EXPERIMENT_DONE)
		text_add(out, "%s", experiment_state_name[x->state]);
	else if (x->issued > base->issued + base->slack || x->issued + base->slack < base->issued)
		text_add(out, "executes %s instructions instead of %s", thousands((i64)x->issued),
			 thousands((i64)base->issued));
}

/* So many of all, in percent with a digit behind the point. */
static double cmd_limits_percent(i64 part, u64 all)
{
	i64 tenths = (part * 2000 + (part < 0 ? -(i64)all : (i64)all)) / (2 * (i64)all);

	return (double)tenths / 10;
}

/* Cycles, what is saved, its share and a note (and why, may be NULL), behind the cells that name the row. */
static void cmd_limits_numbers(struct columns *c, const struct experiment *base, const struct experiment *x,
			       const struct text *why)
{
	i64 saved = (i64)base->cycles - (i64)x->cycles;
	struct text note = {0};

	cmd_limits_note(base, x, &note);
	if (why && why->len)
		text_add(&note, "%s%s", note.len ? "; " : "", why->s);
	if (x->state == EXPERIMENT_DONE) {
		columns_row(c, x->cycles, saved, cmd_limits_percent(saved, base->cycles));
	} else {
		columns_row(c, NO_NUMBER, NO_NUMBER, NO_NUMBER);
	}
	columns_text(c, note.s ? note.s : "");
	text_free(&note);
}

/* The same of a finding; of one that takes longer also why. */
static void cmd_limits_finding(struct columns *c, const struct study *t, const struct finding *f)
{
	struct text why = {0};

	if (study_loses(t, f))
		study_loss(t, f, &why);
	cmd_limits_numbers(c, &t->base, &f->x, &why);
	text_free(&why);
}

/* Is a row worth a line for people? */
static bool cmd_limits_counts(const struct session *s, const struct study *t, const struct finding *f)
{
	double share = study_share(t, f);

	if (s->json)
		return true;
	return f->x.state != EXPERIMENT_DONE ? f->x.state != EXPERIMENT_WAITS : share >= SMALL || share <= -SMALL;
}

/* The limits that save little, in a line. */
static void cmd_limits_small(struct session *s, const struct study *t)
{
	struct text line = {0};

	for (u32 i = 0; i < t->nsingle; i++)
		if (t->found[i].x.state == EXPERIMENT_DONE && !cmd_limits_counts(s, t, &t->found[i]))
			text_list(&line, ", ", limit_table[t->found[i].a].name);
	if (line.len)
		session_print(s, "less than 1 %%: %s\n", line.s);
	text_free(&line);
}

/* The single limits, those that save most first. */
static void cmd_limits_singles(struct session *s, const struct study *t)
{
	struct columns c;

	columns_open(&c, s, "limit cycles saved percent note");
	for (u32 i = 0; i < t->nsingle; i++) {
		if (!cmd_limits_counts(s, t, &t->found[i]))
			continue;
		columns_text(&c, limit_table[t->found[i].a].name);
		cmd_limits_finding(&c, t, &t->found[i]);
	}
	columns_close(&c, "limits", "no limit saves 1 % or more");
	if (!s->json)
		cmd_limits_small(s, t);
}

/* The pairs that hide each other; with -j all. */
static void cmd_limits_pairs(struct session *s, const struct study *t)
{
	struct columns c;
	u32 rows = 0;

	for (u32 i = t->nsingle; i < t->n; i++)
		rows += s->json || t->found[i].hides;
	if (!rows)
		return;
	session_print(s, "pairs of limits that hide each other:\n");
	columns_open(&c, s, "limit and hides cycles saved percent note");
	for (u32 i = t->nsingle; i < t->n; i++) {
		const struct finding *f = &t->found[i];

		if (!s->json && !f->hides)
			continue;
		columns_row(&c, limit_table[f->a].name, limit_table[f->b].name, f->hides ? "yes" : "no");
		cmd_limits_finding(&c, t, f);
	}
	columns_close(&c, "pairs", "");
}

/* Advice that is given: limits once each. */
struct cmd_limits_advice {
	json_t *list; /* NULL without -j */
	bool given[LIMIT_ROWS];
};

/* What may be done about a limit. */
static void cmd_limits_try(struct session *s, u8 id, struct cmd_limits_advice *a)
{
	const struct limit *l = &limit_table[id];
	json_t *row;

	if (a->given[id])
		return;
	a->given[id] = true;
	session_print(s, "  without '%s' remain: %s\n  try: %s\n", l->name, l->keeps, l->advice);
	if (!a->list)
		return;
	row = json_object();
	member_text(row, "limit", l->name);
	member_text(row, "advice", l->advice);
	json_array_append_new(a->list, row);
}

/* What may be done about a finding: of a pair about both, first about the one that says most. */
static void cmd_limits_advise(struct session *s, const struct study *t, const struct finding *f,
			      struct cmd_limits_advice *a)
{
	const struct finding *lead = study_lead(t, f);
	bool second = lead && lead->a == f->b;

	cmd_limits_try(s, second ? f->b : f->a, a);
	if (f->b != STUDY_NONE)
		cmd_limits_try(s, second ? f->a : f->b, a);
}

/* In a sentence, and what may be done about it, about what is behind it, and about what saves nearly as much. */
static void cmd_limits_conclude(struct session *s, const struct study *t)
{
	const struct finding *f = study_first(t), *cause = f ? study_behind(t, f) : NULL;
	json_t *out = session_result(s);
	struct cmd_limits_advice a = {.list = out ? json_array() : NULL};
	struct text say = {0};

	study_sentence(t, &say);
	session_print(s, "%s\n", say.s);
	member_text(out, "sentence", say.s);
	if (f)
		cmd_limits_advise(s, t, f, &a);
	if (cause)
		cmd_limits_advise(s, t, cause, &a);
	for (u32 i = 0; f && i < t->n; i++)
		if (study_near(t, &t->found[i], f))
			cmd_limits_advise(s, t, &t->found[i], &a);
	if (out && json_array_size(a.list))
		member_text(out, "advice", json_string_value(json_object_get(json_array_get(a.list, 0), "advice")));
	json_object_set_new(out, "try", a.list);
	member_bool(out, "complete", !t->stopped);
	text_free(&say);
}

/* What stopped it, if anything did: by the clock an error, else a line. */
static enum status cmd_limits_stopped(struct session *s, bool stopped, struct error *e)
{
	if (!stopped)
		return STATUS_OK;
	if (interrupt_timed_out() && !s->json)
		return interrupt_status(s, e);
	session_print(s, "interrupted: only the results above are finished\n");
	return STATUS_OK;
}

/* The only kernel of the present run: what bounds it bounds that. */
static void cmd_limits_keep(struct session *s, const struct experiment_of *of, const struct study *t)
{
	struct text name = {0};
	struct run_setup setup;
	const struct run *x;

	runs_setup_machine(s, &setup);
	x = runs_known(s, &setup);
	if (!x || x->launches != 1 || of->launch != 0 || t->stopped)
		return;
	study_name(t, &name);
	runs_bounded(s, x->number, name.s);
	text_free(&name);
}

/* The limits of a kernel or a stretch. */
static enum status cmd_limits_find(struct session *s, const struct experiment_of *of, struct error *e)
{
	struct study t;
	enum status st = study_limits(s, of, &t, cmd_limits_tell, e);

	if (!st) {
		cmd_limits_keep(s, of, &t);
		cmd_limits_title(s, of, &t.base);
		cmd_limits_singles(s, &t);
		cmd_limits_pairs(s, &t);
		cmd_limits_conclude(s, &t);
		st = cmd_limits_stopped(s, t.stopped, e);
	}
	study_free(&t);
	return st;
}

/* One of a list of variants, for sorting. */
struct cmd_limits_row {
	struct experiment x;
	const char *name, *doc;
	u32 order;
};

/* Fewest cycles first, those that are not done last. */
static int cmd_limits_by_cycles(const void *pa, const void *pb)
{
	const struct cmd_limits_row *a = pa, *b = pb;
	bool da = a->x.state == EXPERIMENT_DONE, db = b->x.state == EXPERIMENT_DONE;

	if (da != db)
		return da ? -1 : 1;
	if (da && a->x.cycles != b->x.cycles)
		return a->x.cycles < b->x.cycles ? -1 : 1;
	return (a->order > b->order) - (a->order < b->order);
}

/* The best of a ranking in a sentence. */
static void cmd_limits_best(struct session *s, const struct cmd_limits_row *best, const struct experiment *base)
{
	i64 saved = (i64)base->cycles - (i64)best->x.cycles;
	json_t *out = session_result(s);
	struct text say = {0};

	if (best->order && saved > 0)
		text_add(&say, "best: %s, %.1f %% fewer cycles (%s)", best->name,
			 cmd_limits_percent(saved, base->cycles), best->doc);
	else
		text_add(&say, "best: the machine as it is");
	session_print(s, "%s\n", say.s);
	member_text(out, "sentence", say.s);
	text_free(&say);
}

/* The variants as a ranking; row 0 is the machine as it is. */
static void cmd_limits_rank(struct session *s, struct cmd_limits_row *row, u32 n, const char *key)
{
	struct experiment base = row[0].x;
	struct text same = {0};
	struct columns c;

	qsort(row, n, sizeof(*row), cmd_limits_by_cycles);
	columns_open(&c, s, "variant cycles saved percent note");
	for (u32 i = 0; i < n; i++) {
		bool alike = row[i].order && row[i].x.state == EXPERIMENT_DONE && row[i].x.cycles == base.cycles;

		if (alike && !s->json) {
			text_list(&same, ", ", row[i].name);
			continue;
		}
		columns_text(&c, row[i].name);
		cmd_limits_numbers(&c, &base, &row[i].x, NULL);
	}
	columns_close(&c, key, "");
	if (same.len)
		session_print(s, "no difference: %s\n", same.s);
	cmd_limits_best(s, &row[0], &base);
	text_free(&same);
}

/* Run the machine as it is and variants of it, and rank them. */
static enum status cmd_limits_variants(struct session *s, const struct experiment_of *of, struct experiment *x,
				       const char **name, const char **doc, u32 n, const char *key, struct error *e)
{
	struct cmd_limits_row *row = xcalloc(n + 1, sizeof(*row));
	enum status st = experiments_run(s, of, x, n, cmd_limits_tell, e);
	bool stopped = false;

	for (u32 i = 0; i < n; i++) {
		row[i] = (struct cmd_limits_row){.x = x[i], .name = name[i], .doc = doc[i], .order = i};
		stopped |= x[i].state == EXPERIMENT_WAITS;
	}
	if (!st && x[0].state == EXPERIMENT_WAITS)
		st = interrupt_status(s, e);
	else if (!st && x[0].state != EXPERIMENT_DONE)
		st = error_set(e, STATUS_FAILED, "limits: the unchanged machine does not reach the end (%s)",
			       experiment_state_name[x[0].state]);
	if (!st) {
		cmd_limits_title(s, of, &x[0]);
		cmd_limits_rank(s, row, n, key);
		st = cmd_limits_stopped(s, stopped, e);
	}
	free(row);
	return st;
}

/* `limits sub-cores` and `limits policies`. */
static enum status cmd_limits_choices(struct session *s, const struct experiment_of *of, bool policies, struct error *e)
{
	const struct config *c = &s->sim.m->config;
	struct experiment *x;
	const char *name[MOST_ROWS + 1], *doc[MOST_ROWS + 1];
	enum status st;
	u32 n;

	if (!policies && (c->sm_subcores == 1 || config_slices(c) > 1))
		return error_set(e, STATUS_FAILED, "%s",
				 c->sm_subcores == 1
					 ? "limits sub-cores: an SM of this GPU has one sub-core (sm.subcores)"
					 : "limits sub-cores: sub-cores of this GPU execute small warps "
					   "(warp.size), which cannot share a sub-core");
	x = xcalloc(MOST_ROWS + 1, sizeof(*x));
	experiment_base(s, &x[0]);
	x[0].most_cycles = s->max_cycles;
	name[0] = doc[0] = "as it is";
	n = 1 + (policies ? variants_policy : variants_partition)(s, x + 1, name + 1, doc + 1, MOST_ROWS);
	st = cmd_limits_variants(s, of, x, name, doc, n, policies ? "policies" : "partitions", e);
	free(x);
	return st;
}

/* The kernel that is asked for without a word: the focused warp's, else the first that has not ended, else the last. */
static u32 cmd_limits_kernel_now(const struct session *s)
{
	const struct launch_run *run = machine_gpu_section(s->sim.m, SECTION_LAUNCH);
	u32 n = s->program.nlaunch, i = 0;

	if (focus_exists(s)) {
		const struct warp *w = machine_sm_section(s->sim.m, s->focus.sm, SECTION_WARP);

		w += s->focus.warp;
		if (w->cta != NONE16 && w->launch < n)
			return w->launch;
	}
	while (i < n && run[i].state == LAUNCH_DONE)
		i++;
	return i < n ? i : n - 1;
}

/* Warp instructions that have been issued when a cycle has been completed. */
static enum status cmd_limits_count(struct session *s, u64 cycle, u64 *n, struct error *e)
{
	struct sim fork;

	timeline_fork(s->timeline, (struct position){cycle, 0}, &fork, NULL);
	sim_sync(&fork);
	*n = sim_sm_stat(&fork, STAT_INST_WARP);
	sim_close(&fork);
	return timeline_interrupt ? interrupt_status(s, e) : STATUS_OK;
}

/* `window FROM TO` */
static enum status cmd_limits_window(struct session *s, const struct args *a, struct experiment_of *of, struct error *e)
{
	enum status st;
	u64 from, to;

	if (!a->arg[2].present)
		return error_set(e, STATUS_USAGE, "limits window: missing cycle (usage: `limits window FROM TO`)");
	st = cycle_take(s, &a->token[2], &from, e);
	if (!st)
		st = cycle_take(s, &a->token[3], &to, e);
	if (st)
		return st;
	if (from >= to)
		return usage_at(e, a->arg[2].column, "limits window: FROM must be below TO");
	*of = (struct experiment_of){.launch = NONE32};
	st = cmd_limits_count(s, from, &of->from, e);
	if (!st)
		st = cmd_limits_count(s, to, &of->to, e);
	if (!st && of->from == of->to)
		st = failed_at(e, a->arg[1].column, "limits window: no instruction issues in these cycles");
	return st;
}

/* `kernel KERNEL` */
static enum status cmd_limits_of_kernel(struct session *s, const struct args *a, struct experiment_of *of,
					struct error *e)
{
	if (!a->arg[1].present)
		return error_set(e, STATUS_USAGE,
				 "limits kernel: missing number or name (usage: `limits kernel KERNEL`)");
	if (a->arg[2].present)
		return usage_at(e, a->arg[2].column, "limits kernel: takes one kernel");
	return launch_take(s, a->arg[1].text, a->arg[1].column, &of->launch, e);
}

/* limits [[kernel] KERNEL|window FROM TO|sub-cores|policies] */
static enum status cmd_limits_do(struct session *s, const struct args *a, struct error *e)
{
	const char *word = a->arg[0].present ? a->arg[0].text : "";
	struct experiment_of of = {.launch = cmd_limits_kernel_now(s)};
	bool choices = !strcmp(word, "sub-cores") || !strcmp(word, "policies");
	enum status st = STATUS_OK;
	u32 first;

	if (!strcmp(word, "kernel"))
		st = cmd_limits_of_kernel(s, a, &of, e);
	else if (!strcmp(word, "window"))
		st = cmd_limits_window(s, a, &of, e);
	else if (a->arg[1].present)
		st = usage_at(e, a->arg[1].column, "limits: unexpected '%s' at the end of the line",
			      token_shown(a->arg[1].text));
	else if (*word && !choices && !launches_named(s, word, &first))
		st = usage_at(
			e, a->arg[0].column,
			"unexpected '%s' (usage: `limits [KERNEL | kernel KERNEL | window FROM TO | sub-cores | policies]`)",
			token_shown(word));
	else if (*word && !choices)
		st = launch_take(s, word, a->arg[0].column, &of.launch, e);
	if (st)
		return st;
	return choices ? cmd_limits_choices(s, &of, !strcmp(word, "policies"), e) : cmd_limits_find(s, &of, e);
}

static enum status cmd_limits_run(struct session *s, const struct args *a, struct error *e)
{
	struct sigaction old;
	enum status st;

	if (!s->program.nlaunch)
		return error_set(e, STATUS_FAILED, "limits: no kernel is launched (`launch` adds one)");
	interrupt_catch(&old);
	interrupt_begin(s);
	st = cmd_limits_do(s, a, e);
	s->doing[0] = '\0';
	interrupt_end(s);
	interrupt_release(&old);
	return st;
}

/* The limits, for help. */
static void cmd_limits_rows(struct text *out)
{
	text_add(out, "Limits, and what remains when each is removed:\n");
	for (u32 i = 0; i < LIMIT_ROWS; i++) {
		struct text doc = {0};

		text_add(&doc, "%s (remains: %s)", limit_table[i].noun, limit_table[i].keeps);
		help_row(out, limit_table[i].name, 14, doc.s);
		text_free(&doc);
	}
	text_add(out, "\nVariants of `limits sub-cores`:\n");
	for (u32 i = 0; i < partition_rows; i++)
		help_row(out, partition_table[i].name, 20, partition_table[i].doc);
}

const struct command command_limits = {
	.name = "limits",
	.group = "inspect",
	.summary = "find what limits a kernel: remove one limit at a time and measure the saving",
	.details =
		"Each limit (of caches, units, latencies, occupancy) is removed on a separate machine. It runs the kernel\n"
		"alone, from cold caches, with the current settings and policies; several machines run at a time\n"
		"(engine.threads). The result is the measured saving, not an attribution of stalls. Then pairs of limits are\n"
		"removed, as one limit may hide another. The sentence names the row that saves most, and what is waited for\n"
		"behind it; advice follows for these, and for rows that save nearly as much. A row that takes longer has its\n"
		"reason in the note: the same limit is removed under `policy order=lrr` too, where no warp gets ahead of the\n"
		"others. If it costs nothing there, the order of issues is the reason; else events that are more frequent are\n"
		"named. The default is the focused warp's kernel. `window FROM TO` measures\n"
		"the instructions that issue in these cycles of the run, on machines that start at the beginning; settings\n"
		"changed on the way have their current values. `sub-cores` measures what the partition of an SM costs,\n"
		"`policies` ranks every policy by itself. The session's machine does not move. Ctrl-C stops the command and\n"
		"keeps the finished results. Limits without a setting are removed by `ideal.*`, which `set` and `with` accept\n"
		"too.",
	.rows = cmd_limits_rows,
	.examples =
		"limits\nlimits kernel 0\nlimits matmul16\nlimits window 100 600\nlimits sub-cores\nlimits policies",
	.flags = COMMAND_NEEDS_MACHINE,
	.run = cmd_limits_run,
	.arg = {{"KERNEL|kernel|window|sub-cores|policies", ARG_WORD,
		 .doc = "what to measure, or which machines to compare", .complete = complete_limits, .optional = true},
		{"KERNEL|FROM", ARG_WORD, .doc = "number or name of the kernel, or first cycle",
		 .complete = complete_launched, .optional = true},
		{"TO", ARG_WORD, .doc = "last cycle", .optional = true}},
};
