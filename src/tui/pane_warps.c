/*
 * pane_warps.c - the resident warps of the focused SM, by sub-core: the state of each in the last cycle, and the
 * instruction that it issued then, or issues next.
 *
 * Conservation: the states drawn sum to the contexts that the SM counts as resident. `wait` is the cycles since the
 * warp's last issue from its slot (since its CTA was dispatched, before the first and without a slot). Under policy
 * ccws each has its score, as a share of the cutoff.
 */
#include "sheet.h"

#include "policy_ccws.h"
#include "policy_elf.h"

/* clang-format off */
#define FRONT_COLUMNS \
	{.name = "sub", .width = 3, .drop = 4, .right = true}, \
	{.name = "warp", .width = 4, .right = true}, \
	{.name = "cta", .width = 4, .drop = 3, .right = true}, \
	{.name = "k", .width = 2, .drop = 8, .right = true}, \
	{.name = "lanes", .width = 5, .drop = 5, .right = true}, \
	{.name = "pc", .width = 4, .drop = 1, .right = true}, \
	{.name = "instruction", .width = 22, .drop = 2, .wide = true}, \
	{.name = "s", .width = 1, .letter = true}, \
	{.name = "state", .width = 10, .drop = 6}, \
	{.name = "wait", .width = 5, .right = true}
#define BACK_COLUMNS \
	{.name = "pending", .width = 11, .drop = 7}, \
	{.name = "age", .width = 5, .drop = 9, .right = true}
/* Where policy ccws runs. */
#define CCWS_COLUMNS \
	{.name = "score", .width = 5, .right = true}, \
	{.name = "bar", .heading = "", .width = 8, .drop = 3}
#define CCWS_COUNT 2
static const struct grid_column column[] = {FRONT_COLUMNS, BACK_COLUMNS, CCWS_COLUMNS};
/* While policy elf decides. */
static const struct grid_column elf_column[] = {
	FRONT_COLUMNS, {.name = "to_load", .heading = "load", .width = 4, .right = true}, BACK_COLUMNS, CCWS_COLUMNS};
/* clang-format on */

/* The registers and predicates that a slot waits for, the first few by name. */
static void pane_warps_pending_text(const struct slot *s, char *out, size_t size)
{
	u32 n = 0, shown = 0;
	int at = 0;

	out[0] = '\0';
	for (u32 i = 0; i < HAZARD_WORDS * 64; i++) {
		if (!((s->pending_long[i / 64] | s->pending_short[i / 64]) >> (i % 64) & 1))
			continue;
		if (shown < 2 && (size_t)at + 12 < size) {
			at += snprintf(out + at, size - (size_t)at, i == HAZARD_COPIES ? "%scopies" : "%s%c%u",
				       shown ? " " : "", i < HAZARD_PRED ? 'r' : 'p',
				       i < HAZARD_PRED ? i : i - HAZARD_PRED);
			shown++;
		}
		n++;
	}
	if (n > shown)
		snprintf(out + at, size - (size_t)at, " +%u", n - shown);
}

/* Cycles since the last issue. */
static u64 pane_warps_waited(const struct gpu *g, const struct slot *slot, const struct cta *cta)
{
	u64 last = slot && slot->since ? slot->since + 1 : cta->started;

	return g->cycle > last ? g->cycle - last : 0;
}

/* A warp's score under policy ccws, as a share of the cutoff. */
static void pane_warps_ccws_cells(struct grid *g, const struct pane_view *v, u32 i)
{
	const struct machine *m = v->sim->m;
	u64 score = ccws_score(m, v->focus.sm, i, machine_gpu(v->sim->m)->cycle);
	enum style style = ccws_holds(m, v->focus.sm, i) ? STYLE_HELD
			   : score > m->config.ccws_base ? STYLE_GOOD
							 : STYLE_PLAIN;

	if (!SET_HAS(ccws_of(m, v->focus.sm)->member, i)) {
		grid_none(g);
		grid_none(g);
		return;
	}
	grid_int(g, style, (i64)score);
	grid_bar(g, style, (double)score, (double)ccws_of(m, v->focus.sm)->cutoff);
}

/* One row. */
static void pane_warps_row(struct grid *g, const struct pane_view *v, u32 i, u32 status)
{
	struct machine *m = v->sim->m;
	const struct warp *w = (struct warp *)machine_sm_section(m, v->focus.sm, SECTION_WARP) + i;
	const struct cta *cta = (struct cta *)machine_sm_section(m, v->focus.sm, SECTION_CTA) + w->cta;
	const struct slot *slot =
		w->slot == NONE16 ? NULL : (struct slot *)machine_sm_section(m, v->focus.sm, SECTION_SLOT) + w->slot;
	u32 mask, pc = sim_warp_at(v->sim, v->focus.sm, i, &mask), waits = status == WARP_ISSUED ? 0 : w->waits;
	enum style style = status_style(status), plain = status == WARP_DONE ? STYLE_DIM : STYLE_PLAIN;
	char text[48];

	if (i == v->focus.warp)
		grid_focus(g);
	grid_int(g, plain, i % m->config.sm_subcores);
	grid_int(g, plain, i);
	grid_int(g, plain, cta->id);
	grid_int(g, plain, w->launch);
	if (m->parent_shift && !waits)
		grid_lanes(g, plain, mask);
	else
		grid_parts(g, plain, __builtin_popcount(mask), (u32)__builtin_popcount(mask & ~waits),
			   (u32)__builtin_popcount(waits));
	grid_known(g, plain, pc, pc != NONE32);
	grid_text(g, plain, pc == NONE32 ? "" : view_instruction(v, w->launch, pc));
	grid_print(g, style, "%c", warp_status_table[status].letter);
	grid_text(g, style, warp_status_table[status].name);
	grid_int(g, plain, (i64)pane_warps_waited(machine_gpu(m), slot, cta));
	if (elf_decides(m) && slot && w->depth)
		grid_int(g, plain, elf_priority(sim_look(v->sim, v->focus.sm, 0), w->slot));
	else if (elf_decides(m))
		grid_none(g);
	if (slot)
		pane_warps_pending_text(slot, text, sizeof(text));
	grid_text(g, plain, slot ? text : "");
	grid_int(g, plain, (i64)w->age);
	if (ccws_runs(m))
		pane_warps_ccws_cells(g, v, i);
}

/* "2 issued, 1 eligible, 13 stalled (long 6, short 3)". */
static void pane_warps_say_counts(struct sheet *s, const u32 *count)
{
	u32 stalled = 0, n = 0;

	for (u32 i = 0; i < WARP_STATUS_COUNT; i++)
		stalled += i == WARP_ISSUED || i == WARP_ELIGIBLE || i == WARP_DONE ? 0 : count[i];
	text_add(&s->say, "%u issued, %u eligible, %u stalled", count[WARP_ISSUED], count[WARP_ELIGIBLE], stalled);
	for (u32 i = WARP_STATUS_COUNT; i--;)
		if (count[i] && i != WARP_ISSUED && i != WARP_ELIGIBLE && i != WARP_DONE)
			text_add(&s->say, "%s%s %u", n++ ? ", " : " (", warp_status_table[i].name, count[i]);
	text_add(&s->say, "%s", n ? ")" : "");
	if (count[WARP_DONE])
		text_add(&s->say, ", %u done", count[WARP_DONE]);
	text_add(&s->sum, "* %u  e %u  stalled %u", count[WARP_ISSUED], count[WARP_ELIGIBLE], stalled);
	if (count[WARP_DONE])
		text_add(&s->sum, "  . %u", count[WARP_DONE]);
}

static void pane_warps_fill(struct sheet *s, const struct pane_view *v)
{
	const struct machine *m = v->sim->m;
	const struct sm *sm = machine_sm_section(v->sim->m, v->focus.sm, SECTION_SM);
	bool elf = elf_decides(m);
	u32 columns = ARRAY_LEN(column) + elf - (ccws_runs(m) ? 0 : CCWS_COUNT);
	struct grid *g = sheet_grid(s, "warps", elf ? elf_column : column, columns);
	u32 count[WARP_STATUS_COUNT] = {0}, subs = m->config.sm_subcores, total = 0;

	text_add(&s->focus, "SM %u", v->focus.sm);
	text_add(&s->say, "warps of SM %u: ", v->focus.sm);
	for (u32 sub = 0; sub < subs; sub++) /* context c belongs to sub-core c mod their number */
		for (u32 i = sub; i < m->contexts; i += subs) {
			u32 status = sim_warp_status(v->sim, v->focus.sm, i);

			if (status >= WARP_STATUS_COUNT)
				continue;
			pane_warps_row(g, v, i, status);
			count[status]++;
		}
	pane_warps_say_counts(s, count);
	for (u32 i = 0; i < WARP_STATUS_COUNT; i++)
		total += count[i];
	for (u32 i = 0; i < WARP_STATUS_COUNT; i++)
		s->statuses |= count[i] ? 1u << i : 0;
	s->spelt = "state";
	s->said = true;
	sheet_sum(s, "", total, total == sm->warps);
}

const struct pane pane_warps = {
	.name = "warps",
	.summary = "resident warps of an SM: state, active lanes, instruction, pending registers",
	.legend =
		"s: state of the warp in this cycle (Nsight Compute: warp state)   wait: cycles since its last issue\n"
		"* issued  e eligible, not selected  C operand collector full  U unit busy  M LSU busy  L long scoreboard  S short scoreboard\n"
		"F no instruction (fetch)  B barrier  W fence  G gang  z paused  h held by a policy  o swapped out  X preempting  . done\n"
		"pc, instruction, lanes: issued in this cycle in a row with *, next to issue in every other row\n"
		"lanes: active lanes (with *: those that the guard did not mask off)   16+8: 8 more lanes wait in a warp-synchronous instruction; of a small warp, its lanes of the 32\n"
		"pending: registers with an outstanding write   k: kernel   sub: sub-core   age: order of dispatch (0 = the oldest)\n"
		"load: instructions to the next load (policy elf), - without a next load or a warp slot\n"
		"score: lost-locality score of policy ccws, the bar its share of the cutoff; above ccws.base: the warp has lost L1D lines",
	.pick = "focus warp {warp}",
	.ask = "step, next, continue, why",
	.size = {.least_width = 24, .least_height = 4, .wish_height = 10},
	.fill = pane_warps_fill,
};
