/*
 * pane_gangs.c - the table of gangs of the focused SM: for each parent warp of 32 threads the gangs of its small warps,
 * then its single small warps, and how many small warps are in gangs of which size.
 *
 * Conservation: small warps in gangs, single ones and finished ones are the contexts that the SM counts as resident;
 * one in two gangs would be counted twice. A mask has a position for each small warp of a parent warp.
 */
#include "counters.h"
#include "machine.h"
#include "sheet.h"

#define MAX_SLICES 8

static const struct grid_column column[] = {
	{.name = "parent", .width = 6, .right = true},
	{.name = "cta", .width = 4, .drop = 4, .right = true},
	{.name = "k", .width = 2, .drop = 7, .right = true},
	{.name = "kind", .width = 6, .drop = 6},
	{.name = "warps", .width = 8},
	{.name = "size", .width = 4, .drop = 3, .right = true},
	{.name = "pc", .width = 4, .right = true},
	{.name = "ready", .width = 8, .drop = 1},
	{.name = "buffered", .heading = "buf", .width = 3, .drop = 2, .right = true},
	{.name = "wait", .width = 5, .drop = 1, .right = true},
	{.name = "instruction", .width = 16, .drop = 5, .wide = true},
};

static const struct grid_column size_column[] = {
	{.name = "size", .width = 4, .right = true},
	{.name = "gangs", .width = 5, .right = true},
	{.name = "warps", .width = 6, .right = true},
	{.name = "share", .heading = "of resident small warps", .width = 32, .drop = 1},
	{.name = "issued", .width = 11, .drop = 2, .right = true},
	{.name = "part", .heading = "%", .width = 5, .drop = 3, .right = true},
};

/* Totals of the rows: pieces by their size, [1] single small warps; small warps that have finished. */
struct pane_gangs_count {
	u32 pieces[MAX_SLICES + 1], ended;
};

/* Small warps of a parent warp that are resident. */
static u32 pane_gangs_resident(const struct pane_view *v, u32 home)
{
	const struct warp *w = machine_sm_section(v->sim->m, v->focus.sm, SECTION_WARP);
	u32 n = 0;

	for (u32 k = 0; k < 1u << v->sim->m->parent_shift; k++)
		n += w[(home << v->sim->m->parent_shift) + k].cta != NONE16;
	return n;
}

/* The instruction that stands beside the letters of a piece: what all its small warps issued in this cycle, if they
 * did, else the next one. */
static u32 pane_gangs_at(const struct pane_view *v, u32 first, u32 mask)
{
	u32 lead = first + (u32)__builtin_ctz(mask), lanes, pc = sim_warp_issued(v->sim, v->focus.sm, lead, &lanes);

	for (u32 left = mask; left; left &= left - 1)
		if (sim_warp_issued(v->sim, v->focus.sm, first + (u32)__builtin_ctz(left), &lanes) != pc)
			pc = NONE32;
	return pc != NONE32 ? pc : sim_warp_pc(v->sim, v->focus.sm, lead, &lanes);
}

/* The state of each small warp of a piece in its position, a dash for the others; the small warps that are ready. */
static void pane_gangs_masks(struct grid *g, const struct pane_view *v, u32 first, u32 mask, char *ready)
{
	const struct warp *w = (struct warp *)machine_sm_section(v->sim->m, v->focus.sm, SECTION_WARP) + first;
	const struct slot *slot = machine_sm_section(v->sim->m, v->focus.sm, SECTION_SLOT);
	u32 n = 1u << v->sim->m->parent_shift;
	u8 status[MAX_SLICES];

	for (u32 k = 0; k < n; k++) {
		bool in = mask >> k & 1;

		status[k] = in ? (u8)sim_warp_status(v->sim, v->focus.sm, first + k) : GRID_NO_LETTER;
		ready[k] = in && w[k].slot != NONE16 && slot[w[k].slot].set == SET_READY ? '#' : '-';
	}
	ready[n] = '\0';
	grid_letters(g, status, n);
}

/* One row: a gang, or a single small warp. */
static void pane_gangs_row(struct grid *g, const struct pane_view *v, u32 first, u32 mask)
{
	u32 lead = first + (u32)__builtin_ctz(mask), size = (u32)__builtin_popcount(mask);
	u32 pc = pane_gangs_at(v, first, mask);
	const struct warp *w = (struct warp *)machine_sm_section(v->sim->m, v->focus.sm, SECTION_WARP) + lead;
	const struct cta *cta = (struct cta *)machine_sm_section(v->sim->m, v->focus.sm, SECTION_CTA) + w->cta;
	const struct slot *slot =
		w->slot == NONE16 ? NULL
				  : (struct slot *)machine_sm_section(v->sim->m, v->focus.sm, SECTION_SLOT) + w->slot;
	u64 last = slot && slot->since ? slot->since + 1 : cta->started, now = machine_gpu(v->sim->m)->cycle;
	char ready[MAX_SLICES + 1];

	if (v->focus.warp >= first && v->focus.warp - first < MAX_SLICES && mask >> (v->focus.warp - first) & 1)
		grid_focus(g);
	grid_int(g, STYLE_PLAIN, first >> v->sim->m->parent_shift);
	grid_int(g, STYLE_PLAIN, cta->id);
	grid_int(g, STYLE_PLAIN, w->launch);
	grid_text(g, size > 1 ? STYLE_PLAIN : STYLE_DIM, size > 1 ? "gang" : "single");
	pane_gangs_masks(g, v, first, mask, ready);
	grid_int(g, STYLE_PLAIN, size);
	grid_known(g, STYLE_PLAIN, pc, pc != NONE32);
	grid_text(g, STYLE_PLAIN, ready);
	grid_known(g, STYLE_PLAIN, slot ? slot->buffered : 0, slot);
	grid_int(g, STYLE_PLAIN, (i64)(now > last ? now - last : 0));
	grid_text(g, STYLE_PLAIN, pc == NONE32 ? "" : view_instruction(v, w->launch, pc));
}

/* The rows of a parent warp: its gangs, then its single small warps. */
static void pane_gangs_home(struct grid *g, const struct pane_view *v, u32 home, struct pane_gangs_count *count)
{
	u8 mask[MAX_SUBCORES];
	u32 n = sim_pieces(v->sim, v->focus.sm, home, mask), live = 0;

	for (u32 i = 0; i < n; i++) {
		u32 size = (u32)__builtin_popcount(mask[i]);

		pane_gangs_row(g, v, home << v->sim->m->parent_shift, mask[i]);
		count->pieces[size]++;
		live += size;
	}
	count->ended += pane_gangs_resident(v, home) - live;
}

/* Instructions of small warps that an SM has issued in gangs of a size; 1: those of single small warps. */
static u64 pane_gangs_issued(const struct sm *sm, u32 size)
{
	if (size > 1)
		return size * sm->stat[gang_size_counter[size]];
	return sm->stat[STAT_INST_WARP] - sm->stat[STAT_GANG_SLOTS];
}

/* How many small warps are in gangs of which size, and what these have issued so far; returns the small warps. */
static u32 pane_gangs_sizes(struct sheet *s, const struct pane_gangs_count *count, const struct sm *sm)
{
	struct grid *g = sheet_grid(s, "sizes", size_column, ARRAY_LEN(size_column));
	u32 slices = 0;

	for (u32 n = MAX_SLICES; n; n--) {
		u64 issued = pane_gangs_issued(sm, n);

		if (!count->pieces[n] && !issued)
			continue;
		grid_int(g, STYLE_PLAIN, n);
		grid_int(g, STYLE_PLAIN, count->pieces[n]);
		grid_int(g, STYLE_PLAIN, n * count->pieces[n]);
		grid_bar(g, n > 1 ? STYLE_GOOD : STYLE_HELD, n * count->pieces[n], sm->warps);
		grid_int(g, STYLE_PLAIN, (i64)issued);
		grid_share(g, STYLE_PLAIN, share_of(issued, sm->stat[STAT_INST_WARP]));
		slices += n * count->pieces[n];
	}
	return slices;
}

/* What there is to be seen only with other settings. */
static void pane_gangs_hint(struct sheet *s, const struct machine *m)
{
	if (!m->parent_shift)
		text_add(&s->note, "warps have 32 threads (warp.size 32); `gpu i-vws` has 4-thread warps in gangs\n");
	else if (!m->policy_gangs)
		text_add(&s->note, "every small warp issues alone; `policy gang=bgto` forms gangs\n");
}

static void pane_gangs_fill(struct sheet *s, const struct pane_view *v)
{
	const struct machine *m = v->sim->m;
	const struct sm *sm = machine_sm_section(v->sim->m, v->focus.sm, SECTION_SM);
	struct grid *g = sheet_grid(s, "gangs", column, ARRAY_LEN(column));
	struct pane_gangs_count count = {0};
	u32 gangs = 0, slices;

	text_add(&s->focus, "SM %u", v->focus.sm);
	pane_gangs_hint(s, m);
	if (!m->parent_shift) {
		text_add(&s->say, "gangs of SM %u: none", v->focus.sm);
		return;
	}
	for (u32 home = 0; home < machine_parents(m); home++)
		pane_gangs_home(g, v, home, &count);
	for (u32 n = 2; n <= MAX_SLICES; n++)
		gangs += count.pieces[n];
	s->kept = 6;
	slices = pane_gangs_sizes(s, &count, sm);
	s->said = true;
	text_add(&s->say, "gangs of SM %u: %u gang%s of %u small warps, %u single, %u finished", v->focus.sm, gangs,
		 gangs == 1 ? "" : "s", slices - count.pieces[1], count.pieces[1], count.ended);
	text_add(&s->sum, "gangs %u  single %u  finished %u", gangs, count.pieces[1], count.ended);
	sheet_sum(s, "warps", slices + count.ended, slices + count.ended == sm->warps);
}

const struct pane pane_gangs = {
	.name = "gangs",
	.summary = "gangs of small warps: which issue together, their state, pc and readiness (warp.size below 32)",
	.legend =
		"parent: the 32-thread warp that small warps (of warp.size lanes) form   warps: state letter (see pane warps) of each small warp of the row, - the others\n"
		"kind: a gang issues in lockstep, a single small warp alone   size: small warps in the row   wait: cycles since the last issue\n"
		"pc, instruction: if all are * issued in this cycle, else next to issue, also if a small warp with * has just joined\n"
		"ready: # small warps that could issue next; a gang issues when all are   buf: instructions in the buffer   finished: small warps that have exited\n"
		"sizes: small warps by the size of their gang (1 = single); issued, %: their instructions since cycle 0 (gang.size.*), of all of the SM",
	.pick = "focus warp {warp}",
	.ask = "step, break split, break form, stats gang.*, why",
	.size = {.least_width = 24, .least_height = 4, .wish_height = 10},
	.fill = pane_gangs_fill,
};
