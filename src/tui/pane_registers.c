/*
 * pane_registers.c - the registers and predicates of the focused warp by lane: a row each, a column for each lane that
 * the width has room for, the focused one among them. A register that no instruction reads before it is written again
 * is dead; values that changed since the last stop are marked.
 *
 * Conservation: registers that are dead and those that are not are the registers that the kernel was given.
 */
#include "code.h"

#include "live.h"
#include "machine.h"
#include "values.h"

#define FIXED 3 /* columns before those of the lanes */
static const struct grid_column fixed_column[FIXED] = {
	{.name = "changed", .heading = " ", .width = 1, .letter = true},
	{.name = "register", .heading = "reg", .width = 4},
	{.name = "use", .width = 5, .drop = 1},
};
/* Cells of a row without its lanes: each column is followed by a blank, and a mark stands before the first. */
#define FIXED_CELLS (1 + 2 + 5 + 6)

#define NAME_WIDTH 56 /* columns from which the title has the kernel's name */

/* "lane 0", ... and how its heading is written: as it is, of a lane that is not active, of the focused lane. */
#define LANE(n) \
	{ \
		"lane" #n, #n, "(" #n ")", "▸" #n, "▸(" #n ")" \
	}
static const struct {
	const char *name, *active, *off, *focus, *focus_off;
} lane_word[WARP_LANES] = {LANE(0),  LANE(1),  LANE(2),	 LANE(3),  LANE(4),  LANE(5),  LANE(6),	 LANE(7),
			   LANE(8),  LANE(9),  LANE(10), LANE(11), LANE(12), LANE(13), LANE(14), LANE(15),
			   LANE(16), LANE(17), LANE(18), LANE(19), LANE(20), LANE(21), LANE(22), LANE(23),
			   LANE(24), LANE(25), LANE(26), LANE(27), LANE(28), LANE(29), LANE(30), LANE(31)};

/* What the pane looks at. */
struct registers {
	const struct pane_view *v;
	const struct kernel *kernel;
	const struct warp *warp;
	const struct cta *cta;
	const u32 *reg, *pred, *reg_before, *pred_before; /* NULL: no values */
	u32 nregs, npreds;
	u32 pc, mask, own; /* next instruction, NONE32 none; lanes that are active; those that are the context's */
	u32 first, nlanes, focus; /* lanes that are drawn; the focused one */
	struct live live;
	bool known; /* the live set is */
};

/* The warp in a view; false: its context is empty. */
static bool pane_registers_warp(const struct pane_view *v, const struct warp **w, const struct cta **c)
{
	*w = (const struct warp *)machine_sm_section(v->sim->m, v->focus.sm, SECTION_WARP) + v->focus.warp;
	if ((*w)->cta == NONE16)
		return false;
	*c = (const struct cta *)machine_sm_section(v->sim->m, v->focus.sm, SECTION_CTA) + (*w)->cta;
	return true;
}

/* The same warp's values at the last stop, if it was there. */
static void pane_registers_before(struct registers *r)
{
	const struct pane_view *b = r->v->before;
	const struct warp *w;
	const struct cta *c;
	u32 n;

	if (!b || !b->sim || !pane_registers_warp(b, &w, &c) || c->id != r->cta->id || c->launch != r->cta->launch)
		return;
	r->reg_before = sim_warp_regs(b->sim, b->focus.sm, b->focus.warp, &n);
	r->pred_before = sim_warp_preds(b->sim, b->focus.sm, b->focus.warp, &n);
}

/* The lanes that are drawn: as many as there is room for, whole pages of them, the last one full. */
static void pane_registers_lanes(struct registers *r)
{
	u32 from = (u32)__builtin_ctz(r->own), all = (u32)__builtin_popcount(r->own);
	u32 cell = number_width[r->v->session->config.registers_format] + 1u, room = r->v->width;
	u32 n = room > FIXED_CELLS + cell ? (room - FIXED_CELLS) / cell : 1;

	r->focus = r->own >> r->v->lane & 1 ? r->v->lane : from;
	r->nlanes = r->v->plain ? all : min_u32(n, all);
	r->first = from + min_u32((r->focus - from) / r->nlanes * r->nlanes, all - r->nlanes);
}

/* Find the focused warp; false: its context is empty. */
static bool pane_registers_open(struct registers *r, const struct pane_view *v)
{
	const struct focus f = v->focus;

	*r = (struct registers){.v = v, .own = context_mask(v->sim->m, f.warp)};
	if (!pane_registers_warp(v, &r->warp, &r->cta))
		return false;
	r->kernel = v->sim->kernel[r->warp->launch];
	r->reg = sim_warp_regs(v->sim, f.sm, f.warp, &r->nregs);
	r->pred = sim_warp_preds(v->sim, f.sm, f.warp, &r->npreds);
	r->pc = sim_warp_pc(v->sim, f.sm, f.warp, &r->mask);
	r->known = live_at(r->kernel, r->pc, &r->live);
	pane_registers_before(r);
	pane_registers_lanes(r);
	return true;
}

/* What the next instruction does with a register, else whether it still matters. */
static const char *pane_registers_use(const struct registers *r, u32 reg)
{
	static const char *const named[] = {NULL, "read", "write", "both"};
	u32 how = live_has(r->live.read, reg) + 2 * live_has(r->live.written, reg);

	if (named[how])
		return named[how];
	return r->pc != NONE32 && !r->known ? "?" : live_has(r->live.in, reg) ? "live" : "dead";
}

/* Has a lane of the context another value than at the last stop? */
static bool pane_registers_changed(const struct registers *r, const u32 *now, const u32 *before)
{
	for (u32 i = 0; before && i < WARP_LANES; i++)
		if (r->own >> i & 1 && now[i] != before[i])
			return true;
	return false;
}

/* A register. */
static void pane_registers_row(struct grid *g, const struct registers *r, u32 reg)
{
	const u32 *value = r->reg + (size_t)reg * WARP_LANES;
	const char *use = pane_registers_use(r, reg);
	bool dead = !strcmp(use, "dead"), named = live_has(r->live.read, reg) || live_has(r->live.written, reg);
	bool changed = r->reg_before && pane_registers_changed(r, value, r->reg_before + (size_t)reg * WARP_LANES);
	char text[16];

	if (r->v->cursor == reg)
		grid_cursor(g);
	grid_text(g, STYLE_KEY, changed ? "*" : "");
	grid_print(g,
		   named  ? STYLE_KEY
		   : dead ? STYLE_DIM
			  : STYLE_PLAIN,
		   "r%u%s", reg, changed && r->v->plain ? " changed" : "");
	grid_text(g, dead ? STYLE_DIM : STYLE_PLAIN, use);
	for (u32 i = r->first; i < r->first + r->nlanes; i++)
		grid_text(g, dead || !(r->mask >> i & 1) ? STYLE_DIM : STYLE_PLAIN,
			  word_text((u8)r->v->session->config.registers_format, value[i], text));
}

/* Is it the predicate that guards the next instruction? */
static bool pane_registers_guards(const struct registers *r, u32 pred)
{
	const struct inst *in = r->pc < r->kernel->ninst ? &r->kernel->inst[r->pc] : NULL;

	return in && in->guard.kind == OPERAND_PRED && in->guard.value == pred;
}

/* A predicate: a bit for each lane. */
static void pane_registers_pred(struct grid *g, const struct registers *r, u32 pred)
{
	bool changed = r->pred_before && (r->pred[pred] ^ r->pred_before[pred]) & r->own;
	bool guard = pane_registers_guards(r, pred);

	if (r->v->cursor == r->nregs + pred)
		grid_cursor(g);
	grid_text(g, STYLE_KEY, changed ? "*" : "");
	grid_print(g, guard ? STYLE_KEY : STYLE_PLAIN, "p%u%s", pred, changed && r->v->plain ? " changed" : "");
	grid_text(g, STYLE_PLAIN, guard ? "guard" : "");
	for (u32 i = r->first; i < r->first + r->nlanes; i++)
		grid_text(g, r->mask >> i & 1 ? STYLE_PLAIN : STYLE_DIM, r->pred[pred] >> i & 1 ? "1" : "0");
}

/* The columns: what stands before the lanes, and a lane each. */
static struct grid *pane_registers_grid(struct sheet *s, const struct registers *r)
{
	struct grid_column column[GRID_COLUMNS];
	u32 n = FIXED;

	memcpy(column, fixed_column, sizeof(fixed_column));
	for (u32 i = r->first; i < r->first + r->nlanes; i++) {
		bool off = !(r->mask >> i & 1);

		column[n++] = (struct grid_column){
			.name = lane_word[i].name,
			.heading = i == r->focus ? (off ? lane_word[i].focus_off : lane_word[i].focus)
				   : off	 ? lane_word[i].off
						 : lane_word[i].active,
			.width = number_width[r->v->session->config.registers_format],
			.right = true};
	}
	return sheet_grid_made(s, "registers", column, n);
}

/* How many registers are not dead. */
static u32 pane_registers_alive(const struct registers *r)
{
	u32 n = 0;

	for (u32 i = 0; i < r->nregs; i++)
		n += strcmp(pane_registers_use(r, i), "dead") != 0;
	return n;
}

/* Title and first sentence. */
static void pane_registers_title(struct sheet *s, const struct registers *r)
{
	const struct focus f = r->v->focus;
	u32 alive = pane_registers_alive(r), dead = 0;

	for (u32 i = 0; i < r->nregs; i++)
		dead += !strcmp(pane_registers_use(r, i), "dead");
	text_add(&s->focus, "SM %u w%u CTA %u", f.sm, f.warp, r->cta->id);
	if (r->v->width >= NAME_WIDTH)
		text_add(&s->focus, " %s", safe_text(r->kernel->name));
	text_add(&s->say, "registers of warp %u of SM %u, CTA %u of %s: active lanes %08x", f.warp, f.sm, r->cta->id,
		 safe_text(r->kernel->name), r->mask);
	text_add(&s->sum, "mask %08x  dead %u", r->mask, dead);
	sheet_sum(s, "", r->nregs, alive + dead == r->kernel->regs);
}

/* The next instruction, and the predicates as masks. */
static void pane_registers_note(struct sheet *s, const struct registers *r)
{
	if (r->pc == NONE32)
		text_add(&s->note, "w%u has finished", r->v->focus.warp);
	else
		text_add(&s->note, "w%u at pc %u: %s", r->v->focus.warp, r->pc,
			 view_instruction(r->v, r->warp->launch, r->pc));
	for (u32 i = 0; i < r->npreds; i++)
		text_add(&s->note, "%s p%u %08x", i % 6 ? "" : "\n", i, r->pred[i] & r->own);
	text_add(&s->note, "\n");
}

/* Why there is nothing to show. */
static void pane_registers_none(struct sheet *s, const struct registers *r, bool there)
{
	static const char *const front[] = {[FRONT_PTX] = "no registers in this kernel",
					    [FRONT_SYNTHETIC] = "no values: synthetic kernel",
					    [FRONT_TRACE] = "no values: recorded trace"};
	const struct focus f = r->v->focus;

	sheet_grid(s, "registers", fixed_column, FIXED);
	text_add(&s->focus, "SM %u w%u", f.sm, f.warp);
	text_add(&s->say, "registers of warp %u of SM %u", f.warp, f.sm);
	if (there)
		text_add(&s->focus, " CTA %u %s", r->cta->id, safe_text(r->kernel->name));
	text_add(&s->note, "%s\n",
		 there ? front[r->kernel->front] : "no resident warp here (`focus warp N` chooses another)");
}

static void pane_registers_fill(struct sheet *s, const struct pane_view *v)
{
	struct registers r;
	bool there = pane_registers_open(&r, v);
	struct grid *g;

	if (!there || !r.reg || !r.nregs) {
		pane_registers_none(s, &r, there);
		return;
	}
	g = pane_registers_grid(s, &r);
	for (u32 i = 0; i < r.nregs; i++)
		pane_registers_row(g, &r, i);
	for (u32 i = 0; i < r.npreds; i++)
		pane_registers_pred(g, &r, i);
	pane_registers_title(s, &r);
	pane_registers_note(s, &r);
}

bool registers_at(const struct pane_view *v, u64 *at, u64 *last)
{
	struct registers r;

	if (!pane_registers_open(&r, v) || !r.reg || !r.nregs)
		return false;
	*last = r.nregs + r.npreds - 1;
	*at = v->cursor == NO_CURSOR ? 0 : min_u64(v->cursor, *last);
	return true;
}

bool registers_cell(const struct pane_view *v, struct text *out)
{
	const struct focus f = v->focus;
	struct registers r;
	u64 at, last;

	if (!registers_at(v, &at, &last) || !pane_registers_open(&r, v) || at >= r.nregs)
		return false;
	text_add(out, "sm[%u].warp[%u].reg[%u][%u]", f.sm, f.warp, (u32)at, r.focus);
	return true;
}

/* A click puts the cursor on the register, and in the column of a lane focuses that one. */
static void pane_registers_point(const struct pane_view *v UNUSED, const struct pane_spot *at, u64 *cursor,
				 struct text *line)
{
	if (at->row != NONE32)
		*cursor = at->row;
	if (at->column && !strncmp(at->column, "lane", 4))
		text_add(line, "set code.lane %s", at->column + 4);
}

/* A register's lanes as whole numbers: all 32, or those of the small warp. */
static json_t *pane_registers_values(const struct registers *r, u32 reg)
{
	json_t *list = json_array();

	for (u32 i = 0; i < WARP_LANES; i++)
		if (r->own >> i & 1)
			json_array_append_new(list, json_integer(r->reg[(size_t)reg * WARP_LANES + i]));
	return list;
}

/* The numbers: every lane that the context has, and predicates as masks. */
static json_t *pane_registers_data(const struct pane_view *v)
{
	json_t *regs = json_array(), *preds = json_array();
	struct registers r;
	bool there = pane_registers_open(&r, v);

	for (u32 i = 0; there && r.reg && i < r.nregs; i++)
		json_array_append_new(regs,
				      json_pack("{s:i,s:s,s:o}", "register", (int)i, "use", pane_registers_use(&r, i),
						"lanes", pane_registers_values(&r, i)));
	for (u32 i = 0; there && r.reg && i < r.npreds; i++)
		json_array_append_new(preds, json_integer(r.pred[i]));
	return json_pack("{s:i,s:I,s:o,s:o}", "first_lane", __builtin_ctz(r.own), "mask", (json_int_t)r.mask,
			 "registers", regs, "predicates", preds);
}

const struct pane pane_registers = {
	.name = "registers",
	.summary = "registers and predicates of the focused warp by lane, changes and dead registers marked",
	.legend =
		"columns: lanes; (n) is inactive, ▸n is the focused lane (`code.lane`; keys . and , change it)   mask: active lanes\n"
		"*: changed in some lane since the last stop (the changed values are bold)   dead: registers whose value is never read again\n"
		"use: read, write or both by the warp's next instruction; live: read later; dead: not read again\n"
		"p: a predicate, one bit per lane; guard: of the next instruction   dN in an instruction: the register pair rN and rN+1\n"
		"x: hexadecimal, decimal or float (`set registers.format`)   → the register that e writes and W watches, in the focused lane",
	.point = pane_registers_point,
	.ask = "stepi, print reg[4][0..31], set var reg[4][0] = 7",
	.size = {.least_width = 30, .least_height = 4, .wish_height = 10},
	.fill = pane_registers_fill,
	.data = pane_registers_data,
};
