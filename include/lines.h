/*
 * lines.h - counts per instruction, collected from the shadow (shadow.h) for those who show them.
 */
#ifndef WARPSTEP_LINES_H
#define WARPSTEP_LINES_H

#include "session_data.h"
#include "shadow.h"

struct line_row {
	const struct kernel *kernel;
	u32 launch;	  /* the first that launches it */
	u32 pc;		  /* of several: the first */
	u32 instructions; /* that the row sums */
	u32 file, line;	  /* of the source; line 0: unknown */
	struct line_count count;
};
enum lines_order { LINES_IN_CODE, LINES_BY_STALLS, LINES_BY_BANKS, LINES_BY_SECTORS };

/* Every instruction of every launched kernel, or of one; free() them. */
struct line_row *lines_collect(struct session *s, const struct kernel *only, u32 *n);
/* Instructions of the same source line become one row, in place; the new number of rows. Those without a line go. */
u32 lines_merge(struct line_row *row, u32 n);
/* Add the counts of one row to another, which is of the first row's kernel. */
void lines_add(struct line_row *to, const struct line_row *from);
void lines_sort(struct line_row *row, u32 n, enum lines_order order);
/* Warp-cycles at an instruction without issuing: of every status but issued and done. */
u64 line_stalls(const struct line_count *c);
/* "scale.cu:30", the place in the user's code, or "ptx 45" or nothing, in out. */
const char *line_place(const struct kernel *k, u32 pc, char *out, size_t size);

#endif
