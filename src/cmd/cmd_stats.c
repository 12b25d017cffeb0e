/* cmd_stats.c - stats: statistics by their flat dotted names. */
#include "complete.h"
#include "lang.h"
#include "stats.h"
#include "arguments.h"

#include <string.h>

/* What the walk over the statistics fills. */
struct shown {
	struct session *s;
	json_t *result;
	u32 n;
};

/* A statistic's value or values as text. */
static void cmd_stats_add_values(struct text *t, const struct stat_value *v)
{
	if (v->text) {
		text_add_safe(t, v->text, strlen(v->text));
		return;
	}
	for (u32 i = 0; i < v->count; i++) {
		text_add(t, "%s", i ? " " : "");
		if (v->value[i].kind == VALUE_INT)
			text_add(t, "%lld", v->value[i].i);
		else
			text_add(t, "%.6g", v->value[i].r);
	}
}

void stats_print(struct session *s, const struct stat_value *v)
{
	struct text values = {0};

	cmd_stats_add_values(&values, v);
	session_print(s, "%-28s %s%s%s\n", v->name, values.s ? values.s : "", v->unit[0] ? " " : "", v->unit);
	text_free(&values);
}

/* One of those that were asked for. */
static void cmd_stats_show(void *self, const struct stat_value *v)
{
	struct shown *w = self;

	w->n++;
	if (w->result)
		json_object_set_new(w->result, v->name, stat_json(v));
	else
		stats_print(w->s, v);
}

/* A word without wildcards that names no statistic names a family: l1d means l1d.* */
static void cmd_stats_family(const char *word, char *glob, size_t size)
{
	struct stat_handle h;

	if (!strcmp(word, "all"))
		word = "*";
	if (strpbrk(word, "*?[") || stat_find(word, &h))
		snprintf(glob, size, "%s", word);
	else
		snprintf(glob, size, "%s.*", word);
}

/* stats, stats all, stats GLOB, stats lines [KERNEL], stats instructions [KERNEL] */
static enum status cmd_stats_run(struct session *s, const struct args *a, struct error *e)
{
	struct shown w = {.s = s, .result = session_result(s)};
	const char *near;
	char glob[160];

	if (a->arg[0].present && !strcmp(a->arg[0].text, "lines"))
		return stats_lines(s, &a->arg[1], false, e);
	if (a->arg[0].present && !strcmp(a->arg[0].text, "instructions"))
		return stats_lines(s, &a->arg[1], true, e);
	if (a->arg[1].present)
		return usage_at(e, a->arg[1].column,
				"unexpected '%s' (only `stats lines` and `stats instructions` take a kernel)",
				safe_text(a->arg[1].text));
	if (!a->arg[0].present && !s->json) {
		stats_short(s);
		return STATUS_OK;
	}
	if (a->arg[0].present)
		cmd_stats_family(a->arg[0].text, glob, sizeof(glob));
	stats_each(s, a->arg[0].present ? glob : NULL, true, cmd_stats_show, &w);
	if (w.n)
		return STATUS_OK;
	near = stat_nearest(a->arg[0].text);
	return failed_at(e, a->arg[0].column, "no statistic matches '%s'%s%s%s", safe_text(a->arg[0].text),
			 near ? " (did you mean '" : "", near ? near : "", near ? "'?)" : "");
}

const struct command command_stats = {
	.name = "stats",
	.alias = "st",
	.group = "inspect",
	.summary = "print statistics: name, value, unit",
	.details =
		"Without an argument it prints what matters at a glance: no zeros, and of a sum with many parts (issue slots by\n"
		"outcome, warps by state) the largest parts with their share and the others in one line. `stats all` prints\n"
		"everything. GLOB selects by name: `stats l1d.*`, or `stats l1d` for the whole family. With -j the result is one\n"
		"object with all names, or those of GLOB, as keys. Only statistics below `host.` differ from run to run.\n"
		"`stats lines` prints issues, stalls and memory traffic of every source line, the most stalls first, with its\n"
		"share of all stalls and the most frequent kind. `stats instructions` prints the same of every instruction in\n"
		"program order, each kind of stall in a column. `set stats.lines on` enables the counting. A warp that is ready\n"
		"but not selected (`pipeline`) is attributed to one blocking instruction in each cycle. In state `lsu` that is\n"
		"the instruction that occupies the shared-memory banks or, if none does, the first in the LSU's queue. In states\n"
		"`unit` and `collector` it is the instruction that has been in an operand collector of the sub-core longest. The\n"
		"column `blocks` has these warp-cycles at the blocking instruction; its sum equals that of `pipeline`.",
	.examples = "stats\nstats all\nstats slots.*\nstats kernel.0.*\nstats lines matmul16\nstats instructions",
	.flags = COMMAND_NEEDS_MACHINE | COMMAND_OPEN,
	.run = cmd_stats_run,
	.arg = {{"GLOB", ARG_WORD, .doc = "names to print, `all`, `lines` or `instructions`",
		 .complete = complete_statistic, .optional = true},
		{"KERNEL", ARG_WORD, .doc = "for `lines` and `instructions`: only this kernel", .optional = true}},
};
