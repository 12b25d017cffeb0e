/*
 * stats_lines.c - stats lines [KERNEL], stats instructions [KERNEL]: issues, stalls and memory traffic of source lines
 * or instructions.
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
#include "source_text.h"

#include <math.h>
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

/* The row just begun as JSON, NULL without -j; in it every status by its name. */
static json_t *add_statuses(struct columns *c, const struct line_count *x)
{
	json_t *statuses, *row;

	if (!c->rows)
		return NULL;
	row = json_array_get(c->rows, json_array_size(c->rows) - 1);
	statuses = json_object();
	for (u32 k = 0; k < WARP_STATUS_COUNT; k++)
		member_int(statuses, warp_status_table[k].name, x->statuses[k]);
	json_object_set_new(row, "statuses", statuses);
	return row;
}

/* The warp-cycles of a group. */
static u64 group_sum(const struct line_count *x, u32 i)
{
	u64 sum = 0;

	for (u32 k = 0; k < WARP_STATUS_COUNT; k++)
		sum += group[i].bits >> k & 1 ? x->statuses[k] : 0;
	return sum;
}

/* The numbers of a row. */
static void add_counts(struct columns *c, const struct line_count *x)
{
	columns_row(c, x->issues, x->threads, line_stalls(x));
	for (u32 i = 0; i < ARRAY_LEN(group); i++)
		columns_int(c, group_sum(x, i));
	columns_row(c, x->blocks, x->lines, x->sectors, x->shared_cycles);
	add_statuses(c, x);
}

/* --- instructions --- */

static void instructions_table(struct session *s, struct line_row *row, u32 n)
{
	struct columns c;
	char line[128];

	columns_open(
		&c, s,
		"kernel pc line issues threads stalls long short fetch barrier pipeline eligible blocks lines sectors "
		"bank_cycles instruction");
	for (u32 i = 0; i < n; i++) {
		const struct kernel *k = row[i].kernel;

		columns_row(&c, safe_text(k->name), row[i].pc, line_place(k, row[i].pc, line, sizeof(line)));
		add_counts(&c, &row[i].count);
		columns_text(&c, info_text(k, row[i].pc));
	}
	columns_close(&c, "instructions", "none");
}

/* --- source lines --- */

/* "long 71 %": where most of the stalls are. */
static void most_text(const struct line_count *x, struct text *out)
{
	u64 most = 0, all = line_stalls(x);
	u32 which = 0;

	for (u32 i = 0; i < ARRAY_LEN(group); i++)
		if (group_sum(x, i) > most) {
			most = group_sum(x, i);
			which = i;
		}
	text_clear(out);
	if (most)
		text_add(out, "%s %.0f %%", group[which].name, 100.0 * (double)most / (double)all);
}

/* A row for people: shares of all stalls; with -j all counts. */
static void line_row(struct columns *c, const struct session *s, const struct line_row *r, u64 all)
{
	const struct line_count *x = &r->count;
	struct text most = {0};
	char place[128];

	most_text(x, &most);
	columns_row(c, safe_text(r->kernel->name), r->line ? line_place(r->kernel, r->pc, place, sizeof(place)) : NULL,
		    x->issues, line_stalls(x),
		    all ? floor(1000.0 * (double)line_stalls(x) / (double)all + 0.5) / 10 : 0.0,
		    most.len ? most.s : NULL, x->sectors, x->shared_cycles,
		    safe_text(r->line ? source_line_text(s, r->kernel->module, r->file, r->line) : "no source line"));
	text_free(&most);
	json_t *row = add_statuses(c, x);
	if (!row)
		return;
	member_int(row, "instructions", r->instructions);
	member_int(row, "threads", x->threads);
	member_int(row, "blocks", x->blocks);
	member_int(row, "lines", x->lines);
	for (u32 i = 0; i < ARRAY_LEN(group); i++)
		member_int(row, group[i].name, group_sum(x, i));
}

/* Source lines at which a warp has stood, the most stalls first; then all instructions without one. */
static void lines_table(struct session *s, struct line_row *row, u32 n)
{
	struct line_row rest = {0};
	struct columns c;
	u64 all = 0;

	for (u32 i = 0; i < n; i++) {
		all += line_stalls(&row[i].count);
		if (!row[i].line)
			lines_add(&rest, &row[i]);
	}
	n = lines_merge(row, n);
	lines_sort(row, n, LINES_BY_STALLS);
	columns_open(&c, s, "kernel line issues stalls percent most sectors bank_cycles text");
	for (u32 i = 0; i < n; i++)
		if (row[i].count.issues || line_stalls(&row[i].count))
			line_row(&c, s, &row[i], all);
	if (n && rest.count.issues)
		line_row(&c, s, &rest, all);
	columns_close(
		&c, "lines",
		n ? "no warp has issued or waited yet"
		  : "no instruction has a source line (compile with nvcc -lineinfo): `stats instructions` lists them");
}

enum status stats_lines(struct session *s, const struct arg *kernel, bool instructions, struct error *e)
{
	const struct kernel *only = NULL;
	const struct launch *launch;
	enum status st = kernel->present ? kernel_take(s, kernel->text, kernel->column, &only, &launch, e) : STATUS_OK;
	struct line_row *row;
	u32 n;

	if (st)
		return st;
	if (kernel->present && !launch)
		return failed_at(e, kernel->column, "kernel %s is not launched (`info kernels` lists the launches)",
				 safe_text(only->name));
	lines_on(s);
	row = lines_collect(s, only, &n);
	lines_sort(row, n, LINES_IN_CODE);
	(instructions ? instructions_table : lines_table)(s, row, n);
	free(row);
	return STATUS_OK;
}
