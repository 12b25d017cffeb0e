/* code.h - what the panes code and source share: the warps at each instruction of the focused warp's kernel
 * (listing.c), and the code pane's registers (code_registers.c). */
#ifndef WARPSTEP_CODE_H
#define WARPSTEP_CODE_H

#include "lines.h"
#include "sheet.h"

struct points;

/* What they look at. */
struct listing {
	const struct pane_view *v;
	const struct kernel *kernel;
	const struct warp *warp; /* of the SM */
	u32 launch;
	u32 pc, mask; /* of the focused warp; NONE32: it is not resident */
	u32 standing, resident, done;
	/* of each warp of the kernel the instruction on which it stands, and that which it issued in this cycle, NONE32
	 * none; NONE32 of the others */
	u32 next[CONTEXT_WORDS * 64], issued[CONTEXT_WORDS * 64];
	bool bare;		     /* a trace without lines of the source */
	bool control;		     /* instructions have control bits, which are shown */
	bool heat;		     /* counts per instruction are kept (stats.lines) */
	const struct points *points; /* of the kernel, while policy elf decides; else NULL */
	u64 stalls;		     /* warp-cycles in which warps of the kernel stood without issuing */
	u64 pipeline, blocks; /* of these, with operands ready; warp-cycles so that its instructions made warps wait */
};

/* The columns that heat takes, the last of a row; of blocks in the place of those of stalls. */
#define HEAT_COUNT 3
/* And control bits, behind the text. */
#define CONTROL_CELLS 2
/* clang-format off */
#define HEAT_COLUMNS \
	{.name = "issued", .width = 8, .drop = 5, .right = true}, \
	{.name = "stall", .width = 5, .right = true}, \
	{.name = "for", .width = 3}
/* clang-format on */

/* Find the kernel to show, count its warps and, if they are kept, its stalls. There is a launch. */
void listing_open(struct listing *l, const struct pane_view *v);
/* Counts of an instruction, added to *out. */
void listing_count(const struct listing *l, u32 pc, struct line_count *out);
/* The grid of a listing; the control bits behind its wide column, if they are shown; the columns of heat that are
 * wished for at its end, if there is heat. */
struct grid *listing_grid(struct sheet *s, const char *key, const struct grid_column *column, u32 n,
			  const struct listing *l);
/* CONTROL_CELLS cells, if control bits are shown: those of an instruction; NONE32: none. */
void listing_control(struct grid *g, const struct listing *l, u32 pc);
/* HEAT_COUNT cells: issues, share of the kernel's stalls and the status that most of them are; or (code.heat blocks)
 * issues, share of the pipeline's stalls that stand there, and of those that come from there. */
void listing_heat(struct grid *g, const struct listing *l, const struct line_count *c);
/* The mark of an instruction: '!' the program faulted there, 'b' a breakpoint (`d` disabled), ':' it belongs to the
 * line of one; 0 none. */
char listing_mark(const struct listing *l, u32 pc);
/* A cell with a mark; in words in the plain text. */
void listing_mark_cell(struct grid *g, const struct pane_view *v, char mark);
/* The warps that issued an instruction in this cycle, each behind a star, and those that stand on it, which are
 * counted; small warps that follow each other as 4-7. */
void listing_warps(struct listing *l, u32 pc, struct text *out);

/* The pane source: where its cursor is, that of the view or on the focused warp's line, and the last line of that file;
 * false: no line is known. */
bool source_at(const struct pane_view *v, u64 *at, u64 *last);
/* The pane registers: the row of its cursor, registers and then predicates, and the last one; false: there are none.
 * The register there, of the focused warp and lane, as a place: added to out; false: it is none. */
bool registers_at(const struct pane_view *v, u64 *at, u64 *last);
bool registers_cell(const struct pane_view *v, struct text *out);
/* The operands of the focused warp's next instruction in a lane, as a line of the note. */
void code_operands(struct sheet *s, const struct pane_view *v, const struct inst *in);
/* The registers that live at instruction pc of its kernel, as a table. */
void code_registers(struct sheet *s, const struct pane_view *v, const struct kernel *k, u32 pc);

#endif
