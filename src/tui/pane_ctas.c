/*
 * pane_ctas.c - the CTAs resident on the focused SM: state, their warps' statuses, what they hold, how far they are;
 * what limits how many fit, and how many wait in their grids.
 *
 * Conservation: the CTAs drawn are those that the SM counts, and their warps are its warps. Progress is warps that have
 * exited: how many instructions a CTA will issue is not known before.
 */
#include "ctas.h"
#include "policy_multi.h"

#include <string.h>

static const struct grid_column column[] = {
	{.name = "cta", .width = 6, .right = true},
	{.name = "k", .width = 2, .drop = 4, .right = true},
	{.name = "state", .width = 10, .drop = 3},
	{.name = "warps", .width = 8, .wide = true},
	{.name = "done", .width = 5, .right = true},
	{.name = "bar", .width = 3, .drop = 5, .right = true},
	{.name = "regs", .width = 6, .drop = 6, .right = true},
	{.name = "shared", .width = 6, .drop = 7, .right = true},
	{.name = "since", .width = 7, .drop = 2, .right = true},
	{.name = "progress", .width = 8, .drop = 8},
};

/* The same where CTAs change places. */
static const struct grid_column swap_column[] = {
	{.name = "cta", .width = 6, .right = true},
	{.name = "k", .width = 2, .drop = 4, .right = true},
	{.name = "state", .width = 10},
	{.name = "warps", .width = 8},
	{.name = "count", .width = 5, .drop = 2, .right = true},
	{.name = "turn", .width = 4, .drop = 3, .right = true},
	{.name = "why", .width = 18, .drop = 1, .wide = true},
	{.name = "contexts", .width = 8, .drop = 7},
	{.name = "kept", .heading = "bytes", .width = 6, .drop = 8, .right = true},
	{.name = "moved", .width = 7, .drop = 6, .right = true},
	{.name = "done", .width = 5, .drop = 5, .right = true},
	{.name = "bar", .width = 3, .drop = 12, .right = true},
	{.name = "regs", .width = 6, .drop = 10, .right = true},
	{.name = "shared", .width = 6, .drop = 11, .right = true},
	{.name = "since", .width = 7, .drop = 9, .right = true},
	{.name = "progress", .width = 8, .drop = 13},
};

/* What a CTA is, from its warps' statuses. */
static const char *pane_ctas_state_of(const u8 *status, u32 n, const struct cta *c, const struct sm *sm, u32 slot)
{
	u32 count[WARP_STATUS_COUNT] = {0};

	for (u32 i = 0; i < n; i++)
		count[status[i]]++;
	if (count[WARP_PREEMPTING])
		return "preempting";
	if (sm->inactive >> slot & 1)
		return sm->saving >> slot & 1 ? "saving" : "inactive";
	if (sm->restoring >> slot & 1)
		return "restoring";
	if (c->done == c->warps)
		return "finishing";
	if (sm->draining >> slot & 1)
		return "draining";
	return sm->paused >> slot & 1 ? "paused" : "active";
}

/* One row; returns its warps. */
static u32 pane_ctas_row(struct grid *g, const struct pane_view *v, u32 slot, bool swap, bool *active)
{
	const struct cta *c = (struct cta *)machine_sm_section(v->sim->m, v->focus.sm, SECTION_CTA) + slot;
	const struct warp *w = (struct warp *)machine_sm_section(v->sim->m, v->focus.sm, SECTION_WARP) + v->focus.warp;
	u64 cycle = machine_gpu(v->sim->m)->cycle;
	u8 status[CONTEXT_WORDS * 64];
	const struct sm *sm = machine_sm_section(v->sim->m, v->focus.sm, SECTION_SM);
	const char *state;
	bool spent;
	u32 n = 0;

	SET_EACH (i, c->contexts, CONTEXT_WORDS) {
		u32 is = sim_warp_status(v->sim, v->focus.sm, i);

		status[n++] = (u8)(is < WARP_STATUS_COUNT ? is : WARP_DONE);
	}
	state = pane_ctas_state_of(status, n, c, sm, slot);
	spent = policy_one(v->sim->m, POLICY_preempt) && !cta_may_flush(v->sim->m, c) && strlen(state) < 9;
	*active = !(sm->inactive >> slot & 1);
	if (w->cta == slot)
		grid_focus(g);
	grid_int(g, STYLE_PLAIN, c->id);
	grid_int(g, STYLE_PLAIN, c->launch);
	grid_print(g, *active && strcmp(state, "paused") ? STYLE_PLAIN : STYLE_HELD, "%s%s", state, spent ? " !" : "");
	grid_letters(g, status, n);
	if (swap) {
		ctas_swap_why(g, v, slot);
		ctas_swap_kept(g, v, slot);
	}
	grid_print(g, STYLE_PLAIN, "%u/%u", c->done, c->warps);
	grid_int(g, c->arrived ? STYLE_BARRIER : STYLE_DIM, c->arrived);
	grid_int(g, STYLE_PLAIN, c->registers);
	grid_int(g, STYLE_PLAIN, c->shared);
	grid_int(g, STYLE_PLAIN, (i64)(cycle - min_u64(cycle, c->started)));
	grid_bar(g, STYLE_GOOD, c->done, c->warps);
	return n;
}

/* The launch that the focused warp runs, else the first that is not done; NONE32 if there is none. */
static u32 pane_ctas_launch_shown(const struct pane_view *v)
{
	const struct warp *w = (struct warp *)machine_sm_section(v->sim->m, v->focus.sm, SECTION_WARP) + v->focus.warp;
	const struct launch_run *run = machine_gpu_section(v->sim->m, SECTION_LAUNCH);

	if (w->cta != NONE16)
		return w->launch;
	for (u32 i = 0; i < v->session->program.nlaunch; i++)
		if (run[i].state != LAUNCH_DONE)
			return i;
	return NONE32;
}

/* What fits, what binds, and what waits; the binding limit goes into the title. */
static void pane_ctas_limits(struct sheet *s, const struct pane_view *v, const struct sm *sm)
{
	const struct config *c = &v->sim->m->config;
	const struct sub *sub = machine_sm_section(v->sim->m, v->focus.sm, SECTION_SUB);
	const struct launch_run *run = machine_gpu_section(v->sim->m, SECTION_LAUNCH);
	u32 i = pane_ctas_launch_shown(v);
	u64 free_registers = 0;
	struct occupancy o;
	struct error e;

	for (u32 k = 0; k < c->sm_subcores; k++)
		free_registers += sub[k].registers_free;
	text_add(&s->note, "registers %.0f %%  shared %.0f %%  threads %.0f %%  warps %.0f %%\n",
		 100 - share_of(free_registers, c->sm_registers), 100 - share_of(sm->shared_free, c->sm_shared),
		 share_of(sm->threads, config_threads(c)), share_of(sm->warps, v->sim->m->contexts));
	if (i == NONE32)
		return;
	const struct launch *l = &v->session->program.launch[i];
	text_add(&s->note, "waiting in the grid of %s: ", view_launch(v, i));
	if (run[i].parked)
		text_add(&s->note, "%u that left before their end, ", run[i].parked);
	if (run[i].state == LAUNCH_DONE || run[i].next_cta >= l->ctas)
		text_add(&s->note, run[i].parked ? "no others\n" : "none\n");
	else
		text_add(&s->note, "%u, the next is %u\n", l->ctas - run[i].next_cta, run[i].next_cta);
	if (!occupancy_of(c, l->threads, l->regs, l->shared, &o, &e))
		text_add(&s->sum, "limit %u: %s", o.ctas, occupancy_limit_name[o.binding]);
}

static void pane_ctas_fill(struct sheet *s, const struct pane_view *v)
{
	struct machine *m = v->sim->m;
	const struct sm *sm = machine_sm_section(m, v->focus.sm, SECTION_SM);
	const struct cta *cta = machine_sm_section(m, v->focus.sm, SECTION_CTA);
	bool swap = ctas_swap(v);
	struct grid *g = swap ? sheet_grid(s, "ctas", swap_column, ARRAY_LEN(swap_column))
			      : sheet_grid(s, "ctas", column, ARRAY_LEN(column));
	u32 resident = 0, active = 0, warps = 0;

	for (u32 i = 0; i < m->section[SECTION_CTA].count; i++) {
		bool is_active;

		if (cta[i].launch == NONE16)
			continue;
		warps += pane_ctas_row(g, v, i, swap, &is_active);
		resident++;
		active += is_active;
	}
	ctas_line(s, v);
	pane_ctas_limits(s, v, sm);
	ctas_bounds(s, v);
	if (swap)
		text_add(&s->note, "reserved for contexts in shared memory: %u bytes\n", sm->region);
	text_add(&s->focus, "SM %u", v->focus.sm);
	text_add(&s->say, "CTAs of SM %u: %u active of %u resident", v->focus.sm, active, resident);
	text_add(&s->sum, "%sactive %u of %u", s->sum.len ? "  " : "", active, resident);
	sheet_sum(s, "", resident, resident == sm->ctas && warps == sm->warps);
}

const struct pane pane_ctas = {
	.name = "ctas",
	.summary = "the CTAs of an SM: state, warps, resources, progress, what limits them",
	.legend =
		"warps: a status letter each (see warps)   bar: warps that stand at the barrier   since: cycles since its dispatch\n"
		"!: it may not begin again: it has overwritten what may have been read, or had another effect that would count twice (break trip, chimera.idempotence)\n"
		"limit: CTAs of this kernel that fit an SM, and the resource that binds   n: CTAs that policies let it have; those beyond are paused\n"
		"below, where a policy or dispatch.limit bounds them: what it counts in this window, in the last one, and the threshold\n"
		"where CTAs change places: count: of an active one its stalled warps, of an inactive one its registers to come;\n"
		"turn: in which order those that are ready get slots   moved: cycles since its last change   bytes: of its saved context",
	.pick = "focus kernel {k} cta {cta}",
	.ask = "step, info ctas, finish cta",
	.least_width = 26,
	.least_height = 3,
	.wish_height = 8,
	.fill = pane_ctas_fill,
};
