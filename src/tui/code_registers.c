/*
 * code_registers.c - the registers of the focused warp in the code pane: those that are live at its next instruction,
 * with their banks and, where the kernel has values, those of a lane and how the other lanes compare.
 */
#include "banks.h"
#include "code.h"

#include "live.h"
#include "machine.h"

static const struct grid_column column[] = {
	{.name = "register", .heading = "reg", .width = 4, .right = true},
	{.name = "use", .width = 6},
	{.name = "live", .width = 6},
	{.name = "bank", .width = 4, .right = true},
	/* of kernels with values */
	{.name = "value", .width = 8},
	{.name = "integer", .heading = "as integer", .width = 11, .drop = 2, .right = true},
	{.name = "float", .heading = "as float", .width = 10, .drop = 1, .right = true},
	{.name = "lanes", .heading = "active lanes", .width = 12, .drop = 3, .wide = true},
};
#define VALUE_COLUMNS 4
#define CODE_KEPT 5 /* rows of code above the table */

/* The registers of the focused warp, NULL without values; and the lane to show. */
struct values {
	const u32 *reg;
	u32 n, lane, mask;
};

static struct values values_of(const struct pane_view *v)
{
	struct values x = {0};
	sim_warp_pc(v->sim, v->focus.sm, v->focus.warp, &x.mask);
	x.reg = sim_warp_regs(v->sim, v->focus.sm, v->focus.warp, &x.n);
	x.lane = v->lane;
	return x;
}

void code_operands(struct sheet *s, const struct pane_view *v, const struct inst *in)
{
	struct values x = values_of(v);

	if (!x.reg || !in->nread)
		return;
	text_add(&s->note, "lane %u%s:", x.lane, x.mask >> x.lane & 1 ? "" : " (not active)");
	for (u32 i = 0; i < in->nread; i++) {
		u32 bits = in->read[i] < x.n ? x.reg[in->read[i] * WARP_LANES + x.lane] : 0;
		float f;

		memcpy(&f, &bits, sizeof(f));
		text_add(&s->note, " r%u=%08x", in->read[i], bits);
		if (in->class == CLASS_FP32)
			text_add(&s->note, " (%g)", (double)f);
	}
	text_add(&s->note, "\n");
}

/* How the active lanes compare: equal, a step from lane to lane, or one by one. */
static void lanes_cell(struct grid *g, const struct values *x, const u32 *value)
{
	u32 first = (u32)__builtin_ctz(x->mask), next = x->mask & (x->mask - 1), step;
	bool even = true;
	struct text list = {0};

	step = next ? (value[__builtin_ctz(next)] - value[first]) / ((u32)__builtin_ctz(next) - first) : 0;
	for (u32 i = first; i < WARP_LANES; i++)
		if (x->mask >> i & 1) {
			even &= value[i] == value[first] + step * (i - first);
			text_add(&list, "%s%x", list.len ? " " : "", value[i]);
		}
	if (even)
		grid_print(g, STYLE_DIM, step ? "%+d per lane" : "all equal", (int)step);
	else
		grid_text(g, STYLE_PLAIN, list.s);
	text_free(&list);
}

/* The value in the lane, in three formats, and those of all lanes. */
static void value_cells(struct grid *g, const struct values *x, u32 reg)
{
	const u32 *value = &x->reg[reg * WARP_LANES];
	float f;

	if (reg >= x->n) {
		for (u32 i = 0; i < VALUE_COLUMNS; i++)
			grid_none(g);
		return;
	}
	memcpy(&f, &value[x->lane], sizeof(f));
	grid_print(g, STYLE_PLAIN, "%08x", value[x->lane]);
	grid_int(g, STYLE_PLAIN, (i32)value[x->lane]);
	grid_print(g, STYLE_PLAIN, "%.5g", (double)f);
	if (x->mask)
		lanes_cell(g, x, value);
	else
		grid_none(g);
}

/* One register. */
static void row(struct grid *g, const struct pane_view *v, const struct live *l, bool known, u32 reg)
{
	static const char *const use[] = {"", "read", "write", "both"}, *const live[] = {"", "in", "out", "in out"};

	grid_print(g, live_has(l->read, reg) ? STYLE_KEY : STYLE_PLAIN, "r%u", reg);
	grid_text(g, STYLE_PLAIN, use[live_has(l->read, reg) + 2 * live_has(l->written, reg)]);
	grid_text(g, STYLE_DIM, known ? live[live_has(l->in, reg) + 2 * live_has(l->out, reg)] : "?");
	grid_int(g, STYLE_PLAIN, register_bank(&v->sim->m->config, context_parent(v->sim->m, v->focus.warp), reg));
}

void code_registers(struct sheet *s, const struct pane_view *v, const struct kernel *k, u32 pc)
{
	struct values x = values_of(v);
	struct live l;
	bool known = live_at(k, pc, &l);
	struct grid *g = sheet_grid(s, "registers", column, ARRAY_LEN(column) - (x.reg ? 0 : VALUE_COLUMNS));
	u32 in = 0, out = 0;

	s->kept = CODE_KEPT;
	for (u32 i = 0; i < 2 * MAX_REGS; i++) { /* first those that the instruction names */
		u32 reg = i % MAX_REGS;
		bool used = live_has(l.read, reg) || live_has(l.written, reg);

		if (used != (i < MAX_REGS) || (!used && !live_has(l.in, reg) && !live_has(l.out, reg)))
			continue;
		row(g, v, &l, known, reg);
		if (x.reg)
			value_cells(g, &x, reg);
		in += live_has(l.in, reg);
		out += live_has(l.out, reg);
	}
	if (known)
		text_add(&s->note, "w%u at pc %u: %u live registers before it, %u after it", v->focus.warp, pc, in,
			 out);
	else
		text_add(&s->note, "w%u at pc %u: live registers unknown (recorded trace)", v->focus.warp, pc);
	if (x.reg)
		text_add(&s->note, "; lane %u%s", x.lane, x.mask >> x.lane & 1 ? "" : " (not active)");
	text_add(&s->note, "\n");
}
