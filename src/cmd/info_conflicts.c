/*
 * info_conflicts.c - info conflicts: the instructions whose accesses cost more than they must, the worst first.
 *
 * Shared memory: cycles of the banks beyond those of an access without conflicts, of these the cycles in which lanes of
 * an atomic take turns at one word. Global memory: sectors beyond those that the same bytes would fill side by side.
 * Counted while stats.lines, check.banks or check.coalescing is on.
 */
#include "events.h"
#include "lines.h"
#include "settings.h"
#include "info.h"
#include "source_text.h"

/* The list of one kind of memory. */
static void info_conflicts_list(struct session *s, struct line_row *row, u32 n, bool shared)
{
	struct columns c;

	lines_sort(row, n, shared ? LINES_BY_BANKS : LINES_BY_SECTORS);
	columns_open(&c, s,
		     shared ? "kernel pc line accesses cycles turns best worst per_access instruction text"
			    : "kernel pc line accesses sectors best worst per_access instruction text");
	for (u32 i = 0; i < n; i++) {
		const struct line_count *x = &row[i].count;
		u64 accesses = shared ? x->shared : x->accesses, took = shared ? x->shared_cycles : x->sectors;
		u64 best = shared ? x->shared_best : x->sectors_best;
		char line[128];

		if (took <= best)
			break;
		columns_row(&c, safe_text(row[i].kernel->name), row[i].pc,
			    line_place(row[i].kernel, row[i].pc, line, sizeof(line)), accesses, took);
		if (shared)
			columns_int(&c, x->turns);
		columns_row(&c, best, x->degree, (double)took / (double)max_u64(accesses, 1),
			    info_text(row[i].kernel, row[i].pc));
		columns_text(
			&c, safe_text(row[i].line ? source_line_text(s, row[i].kernel->module, row[i].file, row[i].line)
						  : ""));
	}
	columns_close(&c, shared ? "shared" : "global",
		      shared ? "no shared memory access had a bank conflict, and no lanes of an atomic met at a word"
			     : "every global access was coalesced");
}

/* info conflicts */
static void info_conflicts_show(struct session *s)
{
	struct line_row *row;
	u32 n;

	lines_on(s);
	row = lines_collect(s, NULL, &n);
	session_print(s, "shared memory: bank conflicts, and turns of atomics at one word\n");
	info_conflicts_list(s, row, n, true);
	session_print(s, "global memory: accesses that move more sectors than necessary\n");
	info_conflicts_list(s, row, n, false);
	free(row);
}

const struct info info_conflicts = {
	.name = "conflicts",
	.doc = "bank conflicts and uncoalesced accesses per instruction and source line, worst first",
	.needs_machine = true,
	.show = info_conflicts_show,
};
