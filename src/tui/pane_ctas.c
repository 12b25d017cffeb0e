/*
 * pane_ctas.c - the CTAs resident on the focused SM: state, states of their warps, resources, progress; what limits
 * their number, and how many wait in their grids.
 *
 * Conservation: the CTAs drawn are those that the SM counts, and their warps are its warps. Progress is warps that have
 * exited: how many instructions a CTA will issue is not known before.
 */
#include "ctas.h"
#include "policy_multi.h"

static const struct grid_column column[] = {
	{.name = "cta", .width = 6, .right = true},
	{.name = "k", .width = 2, .drop = 4, .right = true},
	{.name = "state", .width = 10, .drop = 3},
	{.name = "warps", .width = 8, .wide = true},
	{.name = "done", .width = 5, .right = true},
	{.name = "barrier", .heading = "bar", .width = 3, .drop = 5, .right = true},
	{.name = "regs", .width = 6, .drop = 6, .right = true},
	{.name = "shared", .width = 6, .drop = 7, .right = true},
	{.name = "since", .width = 7, .drop = 2, .right = true},
	{.name = "progress", .width = 8, .drop = 8},
};

/* The same where CTAs are swapped. */
static const struct grid_column swap_column[] = {
	{.name = "cta", .width = 6, .right = true},
	{.name = "k", .width = 2, .drop = 4, .right = true},
	{.name = "state", .width = 10},
	{.name = "warps", .width = 8},
	{.name = "count", .width = 5, .drop = 2, .right = true},
	{.name = "turn", .width = 4, .drop = 3, .right = true},
	{.name = "why", .width = 18, .drop = 1, .wide = true},
	{.name = "warp_ids", .heading = "warp ids", .width = 8, .drop = 7},
	{.name = "context_bytes", .heading = "bytes", .width = 6, .drop = 8, .right = true},
	{.name = "swapped", .width = 7, .drop = 6, .right = true},
	{.name = "done", .width = 5, .drop = 5, .right = true},
	{.name = "barrier", .heading = "bar", .width = 3, .drop = 12, .right = true},
	{.name = "regs", .width = 6, .drop = 10, .right = true},
	{.name = "shared", .width = 6, .drop = 11, .right = true},
	{.name = "since", .width = 7, .drop = 9, .right = true},
	{.name = "progress", .width = 8, .drop = 13},
};

/* The state of a CTA, from the states of its warps. */
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

/* How many fit and which resource limits them, and what waits; the limit goes into the title. */
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
	text_add(&s->note, "in use: registers %.0f %%  shared %.0f %%  threads %.0f %%  warps %.0f %%\n",
		 100 - share_of(free_registers, c->sm_registers), 100 - share_of(sm->shared_free, c->sm_shared),
		 share_of(sm->threads, config_threads(c)), share_of(sm->warps, v->sim->m->contexts));
	if (i == NONE32)
		return;
	const struct launch *l = &v->session->program.launch[i];
	text_add(&s->note, "not yet dispatched of %s: ", view_launch(v, i));
	if (run[i].parked)
		text_add(&s->note, "%u preempted, ", run[i].parked);
	if (run[i].state == LAUNCH_DONE || run[i].next_cta >= l->ctas)
		text_add(&s->note, run[i].parked ? "no other CTAs\n" : "none\n");
	else
		text_add(&s->note, "%u CTAs, next is CTA %u\n", l->ctas - run[i].next_cta, run[i].next_cta);
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
		text_add(&s->note, "shared memory reserved for saved contexts: %u bytes\n", sm->region);
	text_add(&s->focus, "SM %u", v->focus.sm);
	text_add(&s->say, "CTAs of SM %u: %u active of %u resident", v->focus.sm, active, resident);
	text_add(&s->sum, "%sactive %u of %u", s->sum.len ? "  " : "", active, resident);
	sheet_sum(s, "", resident, resident == sm->ctas && warps == sm->warps);
}

const struct pane pane_ctas = {
	.name = "ctas",
	.summary = "resident CTAs of an SM: state, warps, resources, progress, what limits their number",
	.legend =
		"warps: a state letter for each warp (see pane warps)   done: warps that have exited   bar: warps at the barrier   since: cycles since dispatch\n"
		"!: the CTA cannot be flushed any more, a restart would repeat a side effect (`break idempotence`, chimera.idempotence)\n"
		"limit: CTAs of this kernel that fit in an SM, and the limiting resource   n: CTA limit of the policies; CTAs beyond it are paused\n"
		"bounds, with a CTA limit: its counters in this window (now), in the last window (last), and the threshold (of)\n"
		"with swapping (policy vt): count: stalled warps of an active CTA, outstanding register writes of an inactive CTA\n"
		"turn: position in the queue of CTAs ready to be swapped in   swapped: cycles since the last swap   bytes: size of the saved context",
	.pick = "focus kernel {k} cta {cta}",
	.ask = "step, info ctas, finish cta",
	.size = {.least_width = 26, .least_height = 3, .wish_height = 8},
	.fill = pane_ctas_fill,
};
