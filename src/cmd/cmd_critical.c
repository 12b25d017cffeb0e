/* cmd_critical.c - critical: the chain of events that decided when a kernel ended. */
#include "arguments.h"
#include "cited.h"
#include "columns.h"
#include "complete.h"
#include "events.h"
#include "gpu_slice.h"
#include "interrupt.h"
#include "parts.h"
#include "source.h"

#include <math.h>
#include <signal.h>

#define SOME_FOLDS 12 /* lines of the path that are shown unless all are asked for */
#define SOME_LINES 8  /* instructions of the sums */

/* Percent of the kernel's cycles, with a digit behind the point. */
static double cmd_critical_percent(const struct critical *c, u64 cycles)
{
	u64 all = c->end - c->first, tenths = (cycles * 2000 + all) / (2 * all);

	return (double)tenths / 10;
}

/* The instruction of a stretch, "12: ld.global ... slow.cu:4", nothing for one without. */
static void cmd_critical_what(const struct session *s, const struct critical_stretch *x, struct text *out)
{
	const struct kernel *k = x->launch < s->program.nlaunch ? s->program.launch[x->launch].kernel : NULL;

	if (k && x->pc != NONE32)
		cited_instruction(k, x->pc, out);
}

/* The source line of a stretch, "slow.cu:4  text of the line"; without one the instruction. */
static void cmd_critical_line(const struct session *s, const struct critical_stretch *x, struct text *out)
{
	const struct kernel *k = x->launch < s->program.nlaunch ? s->program.launch[x->launch].kernel : NULL;

	if (!k || x->pc == NONE32 || !cited_text(s, k, x->pc, out))
		cmd_critical_what(s, x, out);
}

/* A stretch as a row: where to go, how long, why, whose, what. */
static void cmd_critical_row(struct columns *c, const struct session *s, const struct critical_stretch *x, u64 cycles,
			     u32 times)
{
	struct text what = {0};
	char warp[32] = "";

	cmd_critical_what(s, x, &what);
	columns_row(c, x->to, cycles);
	if (times > 1)
		columns_int(c, times);
	else
		columns_text(c, "");
	columns_text(c, critical_table[x->reason].name);
	if (x->warp != NONE16)
		snprintf(warp, sizeof(warp), "%u.%u", x->sm, x->warp);
	columns_row(c, warp, what.s ? what.s : "");
	text_free(&what);
}

/* The cycles of the k-th stretch of a fold, in all its turns. */
static u64 cmd_critical_turns(const struct critical *c, const struct fold *f, u32 k)
{
	u64 sum = 0;

	for (u32 t = 0; t < f->times; t++) {
		const struct critical_stretch *x = &c->stretch[f->first + t * f->length + k];

		sum += x->to - x->from;
	}
	return sum;
}

/* Which folds are shown: the longest, in the order of time; all: every one. */
static void cmd_critical_choose(const struct fold *f, u32 n, bool all, bool *shown)
{
	if (all || n <= SOME_FOLDS)
		memset(shown, true, n * sizeof(*shown));
	for (u32 k = 0; n > SOME_FOLDS && !all && k < SOME_FOLDS; k++) {
		u32 longest = NONE32;

		for (u32 i = 0; i < n; i++)
			if (!shown[i] && (longest == NONE32 || f[i].cycles > f[longest].cycles))
				longest = i;
		shown[longest] = true;
	}
}

/* The path in folds. */
static void cmd_critical_path(struct session *s, const struct critical *c, bool all)
{
	struct columns table;
	u32 n;
	u64 left = 0;
	struct fold *f = critical_fold(c, &s->program, &n);
	bool *shown = xcalloc(n + 1, sizeof(*shown));

	cmd_critical_choose(f, n, all, shown);
	columns_open(&table, s, "cycle cycles times for warp waited_for");
	for (u32 i = 0; i < n; i++) {
		left += shown[i] ? 0 : f[i].cycles;
		for (u32 k = 0; shown[i] && k < f[i].length; k++)
			cmd_critical_row(&table, s, &c->stretch[f[i].first + k], cmd_critical_turns(c, &f[i], k),
					 f[i].times);
	}
	columns_close(&table, "path", "");
	if (left)
		session_print(s, "plus %s cycles in shorter stretches (`critical all` lists them)\n",
			      thousands((i64)left));
	free(shown);
	free(f);
}

/* The reason with the most cycles. */
static u32 cmd_critical_most(const u64 *sum)
{
	u32 most = 0;

	for (u32 k = 1; k < CRITICAL_REASONS; k++)
		most = sum[k] > sum[most] ? k : most;
	return most;
}

/* What is saved if a part alone is free, and of 100 cycles; nothing where that is not known. */
static void cmd_critical_saved(struct columns *table, const struct critical *c, u32 reason)
{
	double saved = (double)c->alone - (double)c->without[reason];

	if (c->without[reason]) {
		columns_row(table, (i64)saved, floor(1000 * saved / (double)c->alone + 0.5) / 10);
	} else {
		columns_int(table, NO_NUMBER);
		columns_real(table, NO_REAL);
	}
}

/* What the column `saved` says, and what it does not. */
static void cmd_critical_warn(struct session *s, const struct critical *c)
{
	session_print(s, "The path adds up, but does not predict: without a part, another chain decides.\n");
	if (!c->alone) {
		session_print(s, "saved: not known, as the kernel was not run alone to its end\n");
		return;
	}
	session_print(s,
		      "saved: measured, with that part alone free; the kernel alone from cold caches: %s cycles\n"
		      "(-: the part is below %d %%, or nothing frees it)\n",
		      thousands((i64)c->alone), PART_LEAST);
}

/* Sums by reason, the largest first, each with what is saved if it is free. */
static void cmd_critical_reasons(struct session *s, const struct critical *c)
{
	u64 sum[CRITICAL_REASONS];
	struct columns table;

	critical_sums(c, sum);
	columns_open(&table, s, "for cycles percent saved saved_percent");
	for (u32 most; sum[most = cmd_critical_most(sum)];) {
		columns_row(&table, critical_table[most].name, sum[most], cmd_critical_percent(c, sum[most]));
		cmd_critical_saved(&table, c, most);
		sum[most] = 0;
	}
	columns_close(&table, "reasons", "");
	cmd_critical_warn(s, c);
}

/* Cycles of one source line, or of an instruction without one. */
struct cmd_critical_line {
	u64 cycles;
	u32 file, line, first; /* first: a stretch of it */
};

/* Are two stretches of one source line? */
static bool cmd_critical_same(const struct session *s, const struct critical_stretch *a,
			      const struct critical_stretch *b)
{
	const struct kernel *k;
	struct source_frame x, y;

	if (a->launch != b->launch || a->pc == NONE32 || b->pc == NONE32)
		return a->launch == b->launch && a->pc == b->pc;
	k = s->program.launch[a->launch].kernel;
	return a->pc == b->pc ||
	       (source_user(k, a->pc, &x) && source_user(k, b->pc, &y) && x.line == y.line && x.file == y.file);
}

static int cmd_critical_by_cycles(const void *pa, const void *pb)
{
	const struct cmd_critical_line *a = pa, *b = pb;

	if (a->cycles != b->cycles)
		return a->cycles > b->cycles ? -1 : 1;
	return (a->first > b->first) - (a->first < b->first);
}

/* Sums by source line. */
static void cmd_critical_lines(struct session *s, const struct critical *c)
{
	struct cmd_critical_line *row = xcalloc(c->n + 1, sizeof(*row));
	struct columns table;
	u32 n = 0;

	for (u32 i = 0; i < c->n; i++) {
		u32 k = 0;

		if (c->stretch[i].launch >= s->program.nlaunch)
			continue;
		while (k < n && !cmd_critical_same(s, &c->stretch[row[k].first], &c->stretch[i]))
			k++;
		if (k == n)
			row[n++].first = i;
		row[k].cycles += c->stretch[i].to - c->stretch[i].from;
	}
	qsort(row, n, sizeof(*row), cmd_critical_by_cycles);
	columns_open(&table, s, "cycles percent line");
	for (u32 i = 0; i < n && (s->json || i < SOME_LINES); i++) {
		struct text what = {0};

		cmd_critical_line(s, &c->stretch[row[i].first], &what);
		columns_row(&table, row[i].cycles, cmd_critical_percent(c, row[i].cycles), what.s ? what.s : "none");
		text_free(&what);
	}
	columns_close(&table, "lines", "");
	free(row);
}

/* The stretches, for programs. */
static void cmd_critical_json(struct session *s, const struct critical *c)
{
	json_t *out = session_result(s), *list = json_array();

	for (u32 i = 0; i < c->n; i++) {
		const struct critical_stretch *x = &c->stretch[i];
		json_t *row = json_object();

		member_int(row, "from", x->from);
		member_int(row, "to", x->to);
		member_text(row, "for", critical_table[x->reason].name);
		if (x->warp != NONE16) {
			member_int(row, "sm", x->sm);
			member_int(row, "warp", x->warp);
		}
		if (x->pc != NONE32)
			member_int(row, "pc", x->pc);
		json_array_append_new(list, row);
	}
	json_object_set_new(out, "stretches", list);
	member_int(out, "kernel", c->launch);
	member_int(out, "first", c->first);
	member_int(out, "end", c->end);
	member_int(out, "cycles", c->end - c->first);
	if (c->alone)
		member_int(out, "alone", c->alone);
}

/* Show a path. */
static void cmd_critical_show(struct session *s, const struct critical *c, bool all)
{
	const struct config *machine = sim_config(&s->sim);
	struct text on = {0}, memory = {0};

	gpu_words(&s->made, machine, &on);
	gpu_memory_words(&s->made, machine, &memory);
	session_print(s, "kernel %u %s%s%s: cycles %s to %s (%s) in %s stretches\n", c->launch,
		      safe_text(s->program.launch[c->launch].name), on.len ? " on " : "", on.len ? on.s : "",
		      thousands((i64)c->first + 1), thousands((i64)c->end), thousands((i64)(c->end - c->first)),
		      thousands(c->n));
	if (memory.len)
		session_print(s, "%s\n", memory.s);
	text_free(&on);
	text_free(&memory);
	if (s->json)
		cmd_critical_json(s, c);
	else
		cmd_critical_path(s, c, all);
	cmd_critical_lines(s, c);
	cmd_critical_reasons(s, c);
}

/* The kernel that words ask for. */
static enum status cmd_critical_kernel(struct session *s, const struct args *a, u32 *launch, bool *all, struct error *e)
{
	const struct arg *word = &a->arg[0], *name = word;
	bool kernel = word->present && !strcmp(word->text, "kernel");

	*all = word->present && !strcmp(word->text, "all");
	*launch = s->critical && s->critical->launch < s->program.nlaunch ? s->critical->launch : 0;
	if (kernel)
		name = &a->arg[1];
	else if (a->arg[1].present)
		return usage_at(e, a->arg[1].column,
				"critical: unexpected '%s' (usage: `critical [KERNEL | kernel KERNEL | all]`)",
				token_shown(a->arg[1].text));
	if (kernel && !name->present)
		return error_set(e, STATUS_USAGE,
				 "critical kernel: missing number or name (usage: `critical kernel KERNEL`)");
	if (!name->present || *all)
		return STATUS_OK;
	if (!kernel && !launches_named(s, name->text, launch))
		return usage_at(e, name->column, "unexpected '%s' (usage: `critical [KERNEL | kernel KERNEL | all]`)",
				token_shown(name->text));
	return launch_take(s, name->text, name->column, launch, e);
}

/* How far it is, for the screen. */
static void cmd_critical_tell(struct session *s, u32 done, u32 n)
{
	snprintf(s->doing, sizeof(s->doing), "critical: %u of %u parts free: any key stops", done, n);
}

/* The path of a launch into the session, unless it is there. */
static enum status cmd_critical_find(struct session *s, u32 launch, struct error *e)
{
	struct critical *c;
	enum status st;

	if (critical_holds(s, s->critical) && s->critical->launch == launch)
		return STATUS_OK;
	c = xcalloc(1, sizeof(*c));
	st = critical_find(s, launch, c, e);
	if (st) {
		critical_free(c);
		return st;
	}
	critical_free(s->critical);
	s->critical = c;
	return STATUS_OK;
}

/* The path, and what its parts save; what stops the latter leaves the path. */
static enum status cmd_critical_measure(struct session *s, u32 launch, struct error *e)
{
	struct sigaction old;
	struct error unused;
	enum status st;

	interrupt_catch(&old);
	interrupt_begin(s);
	st = cmd_critical_find(s, launch, e);
	if (!st && !s->critical->measured)
		parts_measure(s, s->critical, cmd_critical_tell, &unused);
	s->doing[0] = '\0';
	interrupt_end(s);
	interrupt_release(&old);
	return st;
}

/* critical [[kernel] KERNEL|all] */
static enum status cmd_critical_run(struct session *s, const struct args *a, struct error *e)
{
	enum status st;
	u32 launch = 0;
	bool all = false;

	if (!s->program.nlaunch)
		return error_set(e, STATUS_FAILED, "critical: no kernel is launched (`launch` adds one)");
	st = cmd_critical_kernel(s, a, &launch, &all, e);
	if (st)
		return st;
	st = cmd_critical_measure(s, launch, e);
	if (st)
		return st == STATUS_FAILED && interrupt_timed_out() ? interrupt_status(s, e) : st;
	cmd_critical_show(s, s->critical, all);
	if (!s->critical->measured && interrupt_timed_out() && !s->json)
		return interrupt_status(s, e);
	if (!s->critical->measured)
		session_print(s, "interrupted: not every part was measured\n");
	return STATUS_OK;
}

/* The reasons, for help. */
static void cmd_critical_rows(struct text *out)
{
	text_add(
		out,
		"Reasons of stretches, with their letters in the timeline, and the limits and settings that make each free:\n");
	for (u32 i = 0; i < CRITICAL_REASONS; i++) {
		struct text doc = {0};
		char name[32];

		snprintf(name, sizeof(name), "%c  %s", critical_table[i].letter, critical_table[i].name);
		text_add(&doc, "%s%s%s%s", critical_table[i].doc, *critical_table[i].free ? " (free: " : "",
			 critical_table[i].free, *critical_table[i].free ? ")" : "");
		help_row(out, name, 14, doc.s);
		text_free(&doc);
	}
}

const struct command command_critical = {
	.name = "critical",
	.group = "inspect",
	.summary = "show the critical path: the chain of events that decided when a kernel ended",
	.details =
		"The path is traced backwards from the CTA that retired last: why did its last instruction issue in that cycle,\n"
		"and not earlier? The wait for the condition that became true last is a stretch. The path continues with the\n"
		"cause of that condition: the instruction that produced the result, the warp that was selected instead, the\n"
		"last warp to arrive at a barrier, or the CTA that left the SM. The stretches leave no gap, so they add up to\n"
		"the kernel's cycles (kernel.N.cycles). The output is the path, with loops folded and only the longest\n"
		"stretches (`all`: every stretch), then sums by source line and by reason. `goto` a cycle of the list shows\n"
		"where that stretch ends. From then on the timeline pane has a line for the path. The run is repeated in a\n"
		"copy, so the machine does not move. The default is kernel 0, or the kernel of the last `critical`.\n"
		"The path adds up, but does not predict: without a part of it, another chain decides, and that chain may be\n"
		"hardly shorter. So each reason with at least 5 % of the cycles is also tried: the kernel runs alone, from cold\n"
		"caches, on a separate machine on which that part alone is free (for all warps, on the path or not). `saved` is\n"
		"the measured difference. It may exceed the part, as other chains profit too, or be negative, as warps then\n"
		"issue in another order. Parts that no setting frees have none; nor have source lines. Each costs about one\n"
		"run of the kernel, several at a time (engine.threads), at most two; Ctrl-C keeps the path.",
	.rows = cmd_critical_rows,
	.examples = "critical\ncritical kernel 1\ncritical matmul16\ncritical all",
	.flags = COMMAND_NEEDS_MACHINE,
	.run = cmd_critical_run,
	.arg = {{"KERNEL|kernel|all", ARG_WORD,
		 .doc = "number or name of a kernel, `kernel` before it, or `all` for every stretch of the path",
		 .complete = complete_critical, .optional = true},
		{"KERNEL", ARG_WORD, .doc = "number or name of the kernel", .complete = complete_launched,
		 .optional = true}},
};
