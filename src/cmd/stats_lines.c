/*
 * stats_lines.c - stats lines [KERNEL]: issues, stalls and memory traffic of every instruction, then of every source
 * line.
 *
 * A warp-cycle belongs to the instruction at which the warp stood: the one that it will issue next; the barrier or
 * fence at which it waits; its last one when it has ended. So the sums over instructions are inst.warp, inst.thread,
 * warps.*, mem.lines, mem.sectors and (when all have been served) shared.cycles. With -j every status has its number.
 *
 * Back-pressure is also told where it comes from: `blocks` are the warp-cycles of `pipeline` that warps waited, here or
 * elsewhere, for an instruction of this line to make room (shadow_account). Its sum is that of `pipeline`.
 */
#include "arguments.h"

#include "info.h"
#include "columns.h"
#include "events.h"
#include "lines.h"
#include "settings.h"
#include "session.h"

#include <stdlib.h>
#include <string.h>

/* Statuses that share a column. */
static const struct {
	const char *name;
	u32 bits;
} group[] = {
	{"long", 1u << WARP_LONG},
	{"short", 1u << WARP_SHORT},
	{"fetch", 1u << WARP_FETCH},
	{"barrier", 1u << WARP_BARRIER | 1u << WARP_FENCE},
	{"pipeline", 1u << WARP_LSU | 1u << WARP_UNIT | 1u << WARP_COLLECTOR},
	{"eligible", 1u << WARP_ELIGIBLE},
};

/* The launched kernel of a name or of a part of one; false with an error. */
static enum status find(struct session *s, const struct arg *a, const struct kernel **out, struct error *e)
{
	const struct kernel *part = NULL;
	u32 parts = 0;

	*out = NULL;
	if (!a->present)
		return STATUS_OK;
	for (u32 i = 0; i < s->program.nlaunch; i++) {
		const struct launch *l = &s->program.launch[i];

		if (!strcmp(l->kernel->name, a->text) || !strcmp(l->name, a->text)) {
			*out = l->kernel;
			return STATUS_OK;
		}
		if (strstr(l->kernel->name, a->text) && l->kernel != part) {
			part = l->kernel;
			parts++;
		}
	}
	*out = part;
	if (parts == 1)
		return STATUS_OK;
	return failed_at(e, a->column, "%s kernel is named '%s' (`info kernels` lists the launches)",
			 parts ? "more than one" : "no launched", safe_text(a->text));
}

/* Every status of the row just begun, by its name. */
static void add_statuses(struct columns *c, const struct line_count *x)
{
	json_t *statuses, *row;

	if (!c->rows)
		return;
	row = json_array_get(c->rows, json_array_size(c->rows) - 1);
	statuses = json_object();
	for (u32 k = 0; k < WARP_STATUS_COUNT; k++)
		member_int(statuses, warp_status_table[k].name, x->statuses[k]);
	json_object_set_new(row, "statuses", statuses);
}

/* The numbers of a row. */
static void add_counts(struct columns *c, const struct line_count *x)
{
	columns_row(c, x->issues, x->threads, line_stalls(x));
	for (u32 i = 0; i < ARRAY_LEN(group); i++) {
		u64 sum = 0;

		for (u32 k = 0; k < WARP_STATUS_COUNT; k++)
			sum += group[i].bits >> k & 1 ? x->statuses[k] : 0;
		columns_int(c, sum);
	}
	columns_row(c, x->blocks, x->lines, x->sectors, x->shared_cycles);
	add_statuses(c, x);
}

#define COUNTS "issues threads stalls long short fetch barrier pipeline eligible blocks lines sectors bank_cycles"

/* One table of rows. whole: rows are source lines, else instructions. */
static void table(struct session *s, const struct line_row *row, u32 n, bool whole)
{
	struct columns c;
	char line[128];

	columns_open(&c, s, whole ? "kernel line instructions " COUNTS : "kernel pc line " COUNTS " instruction");
	for (u32 i = 0; i < n; i++) {
		const struct kernel *k = row[i].kernel;

		columns_text(&c, safe_text(k->name));
		if (!whole)
			columns_int(&c, row[i].pc);
		columns_text(&c, line_place(k, row[i].pc, line, sizeof(line)));
		if (whole)
			columns_int(&c, row[i].instructions);
		add_counts(&c, &row[i].count);
		if (!whole)
			columns_text(&c, info_text(k, row[i].pc));
	}
	columns_close(&c, whole ? "lines" : "instructions",
		      whole ? "no instruction has a source line (compile with nvcc -lineinfo)" : "none");
}

enum status stats_lines(struct session *s, const struct arg *kernel, struct error *e)
{
	const struct kernel *only;
	enum status st = find(s, kernel, &only, e);
	struct line_row *row;
	u32 n;

	if (st)
		return st;
	lines_on(s);
	row = lines_collect(s, only, &n);
	lines_sort(row, n, LINES_IN_CODE);
	table(s, row, n, false);
	session_print(s, "\n");
	n = lines_merge(row, n);
	lines_sort(row, n, LINES_BY_STALLS);
	table(s, row, n, true);
	free(row);
	return STATUS_OK;
}
