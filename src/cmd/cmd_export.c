/* cmd_export.c - export: a window of time as a file for other programs. */
#include "complete.h"
#include "arguments.h"
#include "export.h"
#include "interrupt.h"
#include "paths.h"

#include <signal.h>

/* The format's row. */
static enum status cmd_export_take_format(const struct arg *word, u32 *format, struct error *e)
{
	const char *name[EXPORT_COUNT], *near;

	for (*format = 0; *format < EXPORT_COUNT; (*format)++) {
		if (!strcmp(export_table[*format].name, word->text))
			return STATUS_OK;
		name[*format] = export_table[*format].name;
	}
	near = nearest_name(word->text, name, EXPORT_COUNT);
	return usage_at(e, word->column,
			near ? "unknown format '%s' (did you mean '%s'?)"
			     : "unknown format '%s' (formats: kanata, chrome, csv, events)",
			safe_text(word->text), near);
}

/* How many columns are named from a word on: all up to the next `from` or `to`. */
static u32 cmd_export_count_columns(const struct args *a, u32 i)
{
	u32 n = 0;

	while (i + n < a->ntokens && strcmp(a->token[i + n].s, "from") && strcmp(a->token[i + n].s, "to"))
		n++;
	return n;
}

/* [from CYCLE] [to CYCLE] [columns GLOB...] */
static enum status cmd_export_take_words(struct session *s, const struct args *a, struct export_request *q,
					 struct error *e)
{
	for (u32 i = a->rest; i < a->ntokens; i += 2) {
		const struct token *t = &a->token[i];
		bool from = !strcmp(t->s, "from"), columns = !strcmp(t->s, "columns");

		if (!from && !columns && strcmp(t->s, "to"))
			return usage_at(e, t->column,
					"unexpected '%s' (expected from CYCLE, to CYCLE or columns GLOB...)",
					safe_text(t->s));
		if (columns && !export_table[q->format].columns)
			return usage_at(e, t->column, "'%s' has no columns to choose (only csv has)",
					export_table[q->format].name);
		if (i + 1 == a->ntokens || (columns && !cmd_export_count_columns(a, i + 1)))
			return usage_at(e, t->end + 1, "missing %s after '%s'",
					columns ? "name or glob of a statistic" : "cycle", t->s);
		if (columns) {
			q->column = t + 1;
			q->ncolumns = cmd_export_count_columns(a, i + 1);
			i += q->ncolumns - 1;
		} else {
			q->named = true;
			if (cycle_take(s, t + 1, from ? &q->from : &q->to, e))
				return e->status;
		}
	}
	return STATUS_OK;
}

/* Write it; Ctrl-C and --max-seconds leave no file. */
static enum status cmd_export_write_file(struct session *s, struct export_request *q, u64 *bytes, struct error *e)
{
	struct sigaction old;
	enum status st;

	interrupt_catch(&old);
	st = export_write(s, q, bytes, e);
	interrupt_release(&old);
	if (st && interrupt_timed_out())
		st = e->status = STATUS_LIMIT;
	return st;
}

/* A name that promises a compression that there is none of. */
static enum status cmd_export_check_name(const struct token *t, struct error *e)
{
	static const char *const other[] = {".xz", ".zst", ".bz2", ".zip", ".lz4"};

	for (u32 i = 0; i < ARRAY_LEN(other); i++)
		if (ends_with(t->s, other[i]))
			return usage_at(e, t->column, "cannot compress as %s (a name that ends in .gz can be)",
					other[i]);
	return STATUS_OK;
}

/* The file that has been written. */
static void cmd_export_tell(struct session *s, const struct export_request *q, u64 bytes)
{
	session_print(s, "written: %s, cycles %llu to %llu, %llu bytes", safe_text(q->path), q->from + 1, q->to,
		      q->packed ? q->packed : bytes);
	if (q->packed)
		session_print(s, " (%llu before compression)", bytes);
	session_print(s, "\n");
}

/* export FORMAT FILE [from CYCLE] [to CYCLE] [columns GLOB...] */
static enum status cmd_export_run(struct session *s, const struct args *a, struct error *e)
{
	struct export_request q = {.to = timeline_now(s->timeline).cycle};
	enum status st = cmd_export_take_format(&a->arg[0], &q.format, e);
	u64 bytes = 0;
	char *path;
	json_t *result;

	if (!st)
		st = cmd_export_take_words(s, a, &q, e);
	if (!st)
		st = cmd_export_check_name(&a->token[2], e);
	if (st)
		return st;
	if (q.from >= q.to)
		return usage_at(e, a->arg[0].column,
				"no cycles to export from %llu to %llu "
				"(`from CYCLE to CYCLE` chooses; the machine is at cycle %llu)",
				q.from, q.to, timeline_now(s->timeline).cycle);
	path = path_resolve(s, &a->token[2], true, e);
	if (!path)
		return STATUS_USAGE;
	q.path = path;
	st = cmd_export_write_file(s, &q, &bytes, e);
	if (st && !e->column)
		e->column = a->arg[1].column;
	if (!st)
		cmd_export_tell(s, &q, bytes);
	result = st ? NULL : session_result(s);
	member_int(result, "from", q.from);
	member_int(result, "to", q.to);
	member_int(result, "bytes", q.packed ? q.packed : bytes);
	if (q.packed)
		member_int(result, "text_bytes", bytes);
	free(path);
	return st;
}

#define EXPORT(id, name, columns, doc) "\n  " name ": " doc
const struct command command_export = {
	.name = "export",
	.group = "files",
	.summary = "write a range of cycles to a file for another program",
	.details =
		"Formats:"
#include "exports.def"
		"\n"
		"The file has what happens between `goto FROM` and `goto TO`: cycles FROM + 1 to TO. FROM defaults to the\n"
		"beginning, TO to the current cycle; TO may lie in the future. A copy of the simulator repeats these cycles, so\n"
		"the machine does not move. The file is either complete or left as it was: export.limit bounds its text, and\n"
		"Ctrl-C leaves no file. If neither FROM nor TO is given and the file would be larger, the command says so soon\n"
		"and names a window that fits. A name that ends in .gz is written compressed.",
	.examples =
		"export kanata pipeline.kanata from 1000 to 1500\nexport chrome trace.json.gz to 20000\n"
		"export csv cycles.csv from 0 to $cycle columns ipc slots.* l1d\nexport events events.jsonl from 100 to 200",
	.flags = COMMAND_NEEDS_MACHINE | COMMAND_WRITES,
	.run = cmd_export_run,
	.arg = {{"FORMAT", ARG_WORD, .doc = "kanata, chrome, csv or events", .complete = complete_format},
		{"FILE", ARG_OUTPUT, .doc = "file to write", .complete = complete_file},
		{"WORDS", ARG_REST, .doc = "from CYCLE, to CYCLE, columns GLOB...", .complete = complete_export,
		 .optional = true}},
};
#undef EXPORT
