/*
 * pane_code.c - the instructions of the focused warp's kernel with the warps of the SM at each, the warp's SIMT stack,
 * breakpoints, and the values of the registers that the next instruction reads, or all that are live there.
 *
 * Conservation: the warps on the instructions and those that have ended are the resident warps of the kernel.
 */
#include "code.h"

#include "source.h"
#include "ops.h"
#include "policy_elf.h"

/* clang-format off */
#define CODE_COLUMNS \
	{.name = "mark", .heading = "b", .width = 1, .drop = 3}, \
	{.name = "pc", .width = 5, .right = true}, \
	{.name = "line", .width = 5, .drop = 2, .right = true}, \
	{.name = "instruction", .width = 20, .wide = true}, \
	{.name = "reconv", .width = 6, .drop = 4, .right = true}, \
	{.name = "warps", .width = 14, .drop = 1}
/* Of a trace without lines of the source. */
#define TRACE_COLUMNS \
	{.name = "mark", .heading = "b", .width = 1, .drop = 3}, \
	{.name = "pc", .width = 5, .right = true}, \
	{.name = "instruction", .width = 20, .wide = true}, \
	{.name = "reconv", .width = 6, .drop = 4, .right = true}, \
	{.name = "warps", .width = 14, .drop = 1}
/* While policy elf decides: program points. */
#define ELF_COLUMNS \
	{.name = "point", .width = 9}, \
	{.name = "to_load", .heading = "load", .width = 4, .drop = 5, .right = true}
#define ELF_COUNT 2
static const struct grid_column code_column[] = {CODE_COLUMNS, HEAT_COLUMNS};
static const struct grid_column code_elf_column[] = {CODE_COLUMNS, ELF_COLUMNS, HEAT_COLUMNS};
static const struct grid_column trace_column[] = {TRACE_COLUMNS, HEAT_COLUMNS};
static const struct grid_column trace_elf_column[] = {TRACE_COLUMNS, ELF_COLUMNS, HEAT_COLUMNS};
/* clang-format on */
static const struct grid_column stack_column[] = {
	{.name = "stack", .width = 5, .right = true},  {.name = "pc", .width = 5, .right = true},
	{.name = "reconv", .width = 6, .right = true}, {.name = "mask", .width = 8},
	{.name = "lanes", .width = 5, .right = true},  {.name = "state", .width = 5},
};

/* What program point an instruction is, with its score, and how far the next load is from it. */
static void pane_code_add_point(struct grid *g, const struct listing *l, u32 pc)
{
	static const char *const name[] = {[POINT_LOAD] = "load", [POINT_BRANCH] = "branch", [POINT_JUMP] = "jump"};
	const struct points *p = l->points;
	u32 i = points_next(p, pc);
	bool is = i < p->n && p->point[i].pc == pc;

	if (is && (p->point[i].kind != POINT_LOAD || p->point[i].score))
		grid_print(g, STYLE_KEY, "%s %u", name[p->point[i].kind], p->point[i].score);
	else
		grid_text(g, STYLE_KEY, is ? "load" : "");
	grid_known(g, STYLE_DIM, p->priority[pc], p->priority[pc] != p->most);
}

/* One instruction. */
static void pane_code_code_row(struct grid *g, struct listing *l, u32 pc)
{
	const struct inst *in = &l->kernel->inst[pc];
	struct source_frame at = {0};
	struct line_count count = {0};
	struct text warps = {0};
	bool joins = in->op == OP_BRA && in->reconverge < l->kernel->ninst &&
		     (l->kernel->front != FRONT_TRACE || in->target != pc + 1);

	source_user(l->kernel, pc, &at);
	listing_warps(l, pc, &warps);
	if (pc == l->pc)
		grid_focus(g);
	if (pc == l->v->cursor)
		grid_cursor(g);
	listing_mark_cell(g, l->v, listing_mark(l, pc));
	grid_int(g, STYLE_PLAIN, pc);
	if (in->source_line || !l->bare)
		grid_known(g, STYLE_DIM, at.line, at.line);
	grid_text(g, STYLE_PLAIN, view_instruction(l->v, l->launch, pc));
	listing_control(g, l, pc);
	grid_known(g, STYLE_DIM, in->reconverge, joins);
	grid_text(g, STYLE_PLAIN, warps.s ? warps.s : "");
	if (l->points)
		pane_code_add_point(g, l, pc);
	if (l->heat) {
		listing_count(l, pc, &count);
		listing_heat(g, l, &count);
	}
	text_free(&warps);
}

/* The SIMT stack of the focused warp, the top first. */
static void pane_code_stack(struct sheet *s, const struct listing *l)
{
	const struct warp *w = &l->warp[l->v->focus.warp];
	const struct simt_entry *entry =
		(struct simt_entry *)machine_sm_section(l->v->sim->m, l->v->focus.sm, SECTION_STACK) +
		l->v->focus.warp * SIMT_DEPTH;
	const struct paths p = {.stack = (struct simt_entry *)(uintptr_t)entry, .depth = w->depth, .waits = w->waits};
	struct grid *g;

	if (l->pc == NONE32 || w->depth < 2)
		return;
	g = sheet_grid(s, "stack", stack_column, ARRAY_LEN(stack_column));
	for (u32 i = w->depth; i--;) {
		grid_int(g, STYLE_PLAIN, i);
		grid_int(g, STYLE_PLAIN, entry[i].pc);
		grid_known(g, STYLE_PLAIN, entry[i].reconverge, entry[i].reconverge < l->kernel->ninst);
		grid_print(g, STYLE_PLAIN, "%08x", entry[i].mask);
		grid_int(g, STYLE_PLAIN, __builtin_popcount(entry[i].mask));
		grid_text(g, STYLE_PLAIN, paths_they(&p, i));
	}
}

/* The title. */
static void pane_code_title(struct sheet *s, const struct listing *l)
{
	struct source_frame at = {0};
	bool known = l->pc < l->kernel->ninst && source_user(l->kernel, l->pc, &at);
	const char *path = source_name(l->kernel->module, known ? at.file : 0);

	text_add(&s->focus, "%s", safe_text(l->kernel->name));
	if (path)
		text_add(&s->focus, " %s", safe_text(path));
	s->said = true;
	text_add(&s->say, "code of %s%s%s, SM %u: %u warps resident, %u finished", safe_text(l->kernel->name),
		 path ? " in " : "", path ? safe_text(path) : "", l->v->focus.sm, l->resident, l->done);
	if (l->pc != NONE32) {
		text_add(&s->sum, "w%u mask %08x", l->v->focus.warp, l->mask);
		text_add(&s->say, "; warp %u is at pc %u with mask %08x", l->v->focus.warp, l->pc, l->mask);
	}
	sheet_sum(s, "warps", l->standing + l->done, l->standing + l->done == l->resident);
}

/* The columns of a listing with heat, and how many. */
static const struct grid_column *pane_code_columns(const struct listing *l, u32 *n)
{
	*n = l->bare ? ARRAY_LEN(trace_column) : ARRAY_LEN(code_column);
	if (!l->points)
		return l->bare ? trace_column : code_column;
	*n += ELF_COUNT;
	return l->bare ? trace_elf_column : code_elf_column;
}

/* The listing, the stack, the registers. */
static void pane_code_fill(struct sheet *s, const struct pane_view *v)
{
	const struct grid_column *column;
	struct listing l;
	struct grid *g;
	u32 n;

	if (!v->sim->program->nlaunch) {
		sheet_grid(s, "code", code_column, ARRAY_LEN(code_column) - HEAT_COUNT);
		return;
	}
	listing_open(&l, v);
	column = pane_code_columns(&l, &n);
	g = listing_grid(s, "code", column, n, &l);
	for (u32 pc = 0; pc < l.kernel->ninst; pc++)
		pane_code_code_row(g, &l, pc);
	pane_code_title(s, &l);
	if (l.pc < l.kernel->ninst && v->session->config.code_registers)
		code_registers(s, v, l.kernel, l.pc);
	pane_code_stack(s, &l);
	if (l.pc < l.kernel->ninst && !v->session->config.code_registers)
		code_operands(s, v, &l.kernel->inst[l.pc]);
}

/* A click puts the cursor on the instruction. */
static void pane_code_point(const struct pane_view *v UNUSED, const struct pane_spot *at, u64 *cursor,
			    struct text *line UNUSED)
{
	if (at->row != NONE32)
		*cursor = at->row;
}

const struct pane pane_code = {
	.name = "code",
	.summary = "instructions of the kernel, the warps at each, SIMT stack, breakpoints",
	.legend =
		"b: breakpoint (d: disabled; `:`: of its source line; !: the program faulted here)   pc: number of the instruction (`break pc N`)   line: source line\n"
		"reconv: reconvergence point of a branch, as pc   warps: warps of the SM at this pc, ranges as 4-7; *4: warp 4 issued it in this cycle\n"
		"control: with issue.dependences control, dependence counters waited for (B), increased until registers are read (R) and written (W), yield bit (Y), stall counter (S)\n"
		"reuse: operand positions whose register stays in the register cache (collector.reuse)\n"
		"stack: SIMT stack of a diverged warp; state of each path: run, later (runs later), wait (in an instruction for other lanes), join (at the reconvergence point)\n"
		"`set code.registers on` (v) shows the live registers at the warp's instruction: in (live before it), out (live after it), with values of lane `code.lane`\n"
		"`set stats.lines on` (H) adds issued (times), stall (percent of the kernel's stalls), for (most frequent state)\n"
		"`set code.heat blocks` (K) shows instead: pipe, percent of the pipeline stalls at this pc; block, percent of those that this pc causes\n"
		"point, load: with policy elf, program points with their scores, and instructions to the next load",
	.point = pane_code_point,
	.ask = "step, next, break pc 12, why",
	.size = {.least_width = 30, .least_height = 4, .wish_height = 10},
	.fill = pane_code_fill,
};
