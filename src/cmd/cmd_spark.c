/* cmd_spark.c - spark: statistics and expressions as spark lines of the timeline pane. */
#include "complete.h"
#include "spark.h"
#include "pane.h"

/* The lines that there are. */
static void cmd_spark_list(struct session *s)
{
	const struct sparks *l = *panes_sparks(s);
	json_t *result = session_result(s), *texts = result ? json_array() : NULL;

	for (u32 i = 0; i < sparks_count(l); i++) {
		session_print(s, "%u  %s\n", i + 1, safe_text(spark_text(l, i)));
		if (texts)
			json_array_append_new(texts, json_string(spark_text(l, i)));
	}
	if (!sparks_count(l))
		session_print(s, "no spark lines (`spark l1d.hit_rate` adds one to the timeline pane)\n");
	if (texts)
		json_object_set_new(result, "sparks", texts);
}

/* Take number n away, or all of them (0). */
static enum status cmd_spark_drop(struct session *s, const struct arg *a, struct error *e)
{
	struct sparks *l = *panes_sparks(s);
	u32 n = sparks_count(l);

	if (a->number > n)
		return failed_at(e, a->column,
				 n ? "no such spark line (1 to %u, or 0 for all)" : "no such spark line (there are %u)",
				 n);
	if (a->number)
		spark_drop(l, (u32)a->number - 1);
	while (!a->number && sparks_count(l))
		spark_drop(l, 0);
	return STATUS_OK;
}

/* spark [-d N] [EXPR] */
static enum status cmd_spark_run(struct session *s, const struct args *a, struct error *e)
{
	if (a->arg[0].present)
		return cmd_spark_drop(s, &a->arg[0], e);
	if (a->arg[1].present)
		return spark_add(s, panes_sparks(s), a->arg[1].text, a->arg[1].column, e);
	cmd_spark_list(s);
	return STATUS_OK;
}

const struct command command_spark = {
	.name = "spark",
	.group = "inspect",
	.summary = "add a line for a statistic to the timeline pane",
	.details =
		"EXPR is a statistic or an expression. Up to four lines are drawn below the timeline's ipc, each scaled to its\n"
		"largest value. An expression of statistics is computed from the increments of the counters per cycle in each\n"
		"column, so `ipc` is that of the column alone. An expression with a field is evaluated after each cycle and\n"
		"averaged. `spark` alone lists the lines, -d N deletes line N, -d 0 all.",
	.examples = "spark l1d.hit_rate\nspark slots.long / slots.total\nspark sm[0].ctas\nspark -d 1",
	.run = cmd_spark_run,
	.arg = {{"-d", ARG_FLAG, .doc = "delete line N (0 = all)", .value_type = ARG_NUMBER},
		{"EXPR", ARG_EXPR, .doc = "statistic or expression", .complete = complete_statistic, .optional = true}},
};
