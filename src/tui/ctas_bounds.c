/*
 * ctas_bounds.c - the CTA limit of the focused SM by setting and policies, and the counters by which they decide,
 * against their thresholds.
 */
#include "counters.h"
#include "ctas.h"
#include "policy_dyncta.h"

#define LINE_BAR 5 /* cells of a bar in a line */

static const struct grid_column column[] = {
	{.name = "bound", .width = 8},
	{.name = "now", .width = 6, .right = true},
	{.name = "last", .width = 6, .drop = 3, .right = true},
	{.name = "of", .width = 6, .drop = 2, .right = true},
	{.name = "bar", .heading = "", .width = 10, .drop = 1},
	{.name = "rule", .width = 12, .drop = 4, .wide = true},
};

/* Is it dyncta that bounds an SM? */
static bool by_dyncta(const struct machine *m, u32 sm)
{
	return policy_in(&m->policy, POLICY_cta_limit) >> SCHEME_dyncta & 1 && dyncta_n(m, sm);
}

/* A row but for its rule: its name; a number, the same of the last window (-1: none), and what it is measured by. */
static void row_add(struct grid *g, const char *name, enum style style, const i64 *number)
{
	grid_text(g, STYLE_PLAIN, name);
	grid_int(g, STYLE_PLAIN, number[0]);
	grid_known(g, STYLE_DIM, number[1], number[1] >= 0);
	grid_int(g, STYLE_DIM, number[2]);
	grid_bar(g, style, (double)number[0], (double)(number[2] > 0 ? number[2] : 1));
}

/* What dyncta has counted in this window, and what it makes of it. */
static void dyncta_rows(struct grid *g, const struct pane_view *v, const struct sm *sm)
{
	const struct machine *m = v->sim->m;
	const struct dyncta *own = scheme_own(m, SCHEME_dyncta, v->focus.sm);
	const struct dyncta_gpu *gpu = scheme_own_gpu(m, SCHEME_dyncta);
	const struct config *c = &m->config;
	i64 idle = (i64)(sm->stat[STAT_IDLE_CYCLES] - own->idle), mem = (i64)(sm->stat[STAT_MEMORY_CYCLES] - own->mem);

	row_add(g, "C_idle", idle < c->dyncta_idle ? STYLE_PLAIN : STYLE_GOOD,
		(i64[]){idle, own->c_idle, c->dyncta_idle});
	grid_print(g, STYLE_DIM, "n rises at %u", c->dyncta_idle);
	row_add(g, "C_mem",
		mem < c->dyncta_mem_low	   ? STYLE_GOOD
		: mem < c->dyncta_mem_high ? STYLE_PLAIN
					   : STYLE_PIPELINE,
		(i64[]){mem, own->c_mem, c->dyncta_mem_high});
	grid_print(g, STYLE_DIM, "n rises below %u, falls at %u", c->dyncta_mem_low, c->dyncta_mem_high);
	row_add(g, "window", STYLE_PLAIN,
		(i64[]){(i64)window_done(c, gpu->begun, machine_gpu(v->sim->m)->cycle), -1, c->dyncta_window});
	grid_text(g, STYLE_DIM, own->risen ? "n cannot fall: no CTA ended" : "cycles until n may change");
}

/* The GPU's activity, by which dyncore decides. */
static void dyncore_row(struct grid *g, const struct pane_view *v)
{
	const struct dyncore_gpu *own = scheme_own_gpu(v->sim->m, SCHEME_dyncore);
	const struct bounds *b = machine_sm_section(v->sim->m, v->focus.sm, SECTION_BOUNDS);

	row_add(g, "G_act", STYLE_PLAIN,
		(i64[]){(i64)own->g_act, -1, (i64)dyncore_threshold(&v->sim->m->config, own->powered)});
	grid_print(g, b->closed ? STYLE_HELD : STYLE_DIM, "last window, %u SMs on%s", own->powered,
		   b->off      ? "; this SM is off"
		   : b->closed ? "; this SM is closed"
			       : "");
}

/* "C_mem 312 of 384 [████ ]", without the bar in the plain text. */
static void add_bar(struct text *out, const struct pane_view *v, const char *name, u64 value, u64 full)
{
	u32 halves = full ? (u32)(min_u64(value, full) * 2 * LINE_BAR / full) : 0;

	text_add(out, "  %s %llu of %llu", name, value, full);
	if (v->plain)
		return;
	text_add(out, " [");
	for (u32 i = 0; i < LINE_BAR; i++, halves -= min_u32(halves, 2))
		text_add(out, "%s", halves > 1 ? "█" : halves ? "▌" : " ");
	text_add(out, "]");
}

void ctas_line(struct sheet *s, const struct pane_view *v)
{
	const struct machine *m = v->sim->m;
	const struct bounds *b = machine_sm_section(v->sim->m, v->focus.sm, SECTION_BOUNDS);
	const struct sm *sm = machine_sm_section(v->sim->m, v->focus.sm, SECTION_SM);
	const struct dyncta *own = scheme_own(m, SCHEME_dyncta, v->focus.sm);
	u32 paused = (u32)__builtin_popcountll(sm->paused);

	if (b->closed)
		text_add(&s->note, "%s: no CTAs are dispatched to this SM\n", b->off ? "off" : "closed");
	if (!b->limit)
		return;
	text_add(&s->note, "n %u", b->limit - 1);
	if (by_dyncta(m, v->focus.sm))
		text_add(&s->note, " of %u", own->most);
	text_add(&s->note, "  CTAs %u", sm->ctas);
	if (paused)
		text_add(&s->note, ", %u paused", paused);
	if (by_dyncta(m, v->focus.sm)) {
		add_bar(&s->note, v, "C_idle", sm->stat[STAT_IDLE_CYCLES] - own->idle, m->config.dyncta_idle);
		add_bar(&s->note, v, "C_mem", sm->stat[STAT_MEMORY_CYCLES] - own->mem, m->config.dyncta_mem_high);
	}
	text_add(&s->note, "\n");
}

void ctas_bounds(struct sheet *s, const struct pane_view *v)
{
	const struct machine *m = v->sim->m;
	const struct bounds *b = machine_sm_section(v->sim->m, v->focus.sm, SECTION_BOUNDS);
	const struct sm *sm = machine_sm_section(v->sim->m, v->focus.sm, SECTION_SM);
	u64 gates = policy_in(&m->policy, POLICY_cta_gate);
	bool dyncta = by_dyncta(m, v->focus.sm);
	u32 setting = m->config.dispatch_limit, paused = (u32)__builtin_popcountll(sm->paused);
	const struct dyncta *own = scheme_own(m, SCHEME_dyncta, v->focus.sm);
	struct grid *g;

	if (!setting && !b->limit && !gates)
		return;
	g = sheet_grid(s, "bounds", column, ARRAY_LEN(column));
	if (setting) {
		row_add(g, "limit", STYLE_PLAIN, (i64[]){sm->ctas, -1, setting});
		grid_text(g, STYLE_DIM, "resident CTAs, of dispatch.limit");
	}
	if (b->limit) {
		row_add(g, "n", STYLE_PLAIN, (i64[]){b->limit - 1, -1, dyncta ? own->most : m->residents});
		grid_text(g, STYLE_DIM, dyncta ? "CTA limit, of the N that fit" : "CTA limit of the policies");
		row_add(g, "nCTA", sm->ctas > b->limit - 1 ? STYLE_HELD : STYLE_PLAIN,
			(i64[]){sm->ctas, -1, b->limit - 1});
		grid_print(g, paused ? STYLE_HELD : STYLE_DIM, "resident CTAs, of n; %u paused", paused);
		text_add(&s->sum, "%sn %u", s->sum.len ? "  " : "", b->limit - 1);
		if (paused)
			text_add(&s->sum, ": %u paused", paused);
	}
	if (dyncta)
		dyncta_rows(g, v, sm);
	if (gates >> SCHEME_dyncore & 1)
		dyncore_row(g, v);
}
