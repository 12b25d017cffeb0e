/*
 * pane_preempts.c - the ledger of preemptions: each CTA to be preempted, the newest first: the method, the gaining
 * kernel, the latency, what was saved and discarded, where and when the CTA resumed.
 *
 * Conservation: CTAs that were dispatched have finished, been flushed, saved or killed, or are resident; each preempted
 * CTA has resumed, waits or was killed. The sums are those of the whole run, the rows the newest.
 */
#include "counters.h"
#include "machine.h"
#include "preempts.h"

static const struct grid_column column[] = {
	{.name = "request", .heading = "req", .width = 4, .right = true},
	{.name = "sm", .width = 3, .right = true},
	{.name = "k", .width = 2, .right = true},
	{.name = "cta", .width = 5, .right = true},
	{.name = "method", .width = 6},
	{.name = "cycle", .width = 9, .right = true},
	{.name = "latency", .width = 7, .right = true},
	{.name = "late", .heading = "!", .width = 1},
	{.name = "bytes", .width = 7, .drop = 2, .right = true},
	{.name = "lost", .width = 6, .right = true},
	{.name = "halted", .width = 6, .drop = 4, .right = true},
	{.name = "for", .width = 7, .drop = 1},
	{.name = "resumed", .heading = "return", .width = 9, .wide = true},
	{.name = "on", .width = 3, .drop = 3, .right = true},
	{.name = "estimated_loss", .heading = "est.lost", .width = 9, .drop = 6, .right = true},
	{.name = "estimated_latency", .heading = "est.lat", .width = 9, .drop = 5, .right = true},
};

/* The launch that gains by the preemption of a row, NULL: none is known any more. */
static const char *pane_preempts_gainer(const struct pane_view *v, const struct ledger *row)
{
	const struct need *need =
		(struct need *)machine_gpu_section(v->sim->m, SECTION_NEED) + row->request % LEDGER_ROWS;

	if (!row->request || need->number != row->request || !need->gainer)
		return NULL;
	return view_launch(v, need->gainer - 1u);
}

/* Which of the CTAs of its launch that wait a row's is, from 1; 0: it does not wait. */
static u32 pane_preempts_turn(const struct pane_view *v, const struct ledger *row)
{
	const struct parked *p = machine_gpu_section(v->sim->m, SECTION_PARKED);
	const struct launch_run *run =
		(struct launch_run *)machine_gpu_section(v->sim->m, SECTION_LAUNCH) + row->launch;
	u32 n = 1;

	for (u32 at = run->first_parked; at; at = p[at - 1].next, n++)
		if (p[at - 1].row == row->number)
			return n;
	return 0;
}

/* The resident CTA that a row is about, NULL: it is not there. */
static const struct cta *pane_preempts_resident(const struct pane_view *v, const struct ledger *row)
{
	const struct cta *cta = machine_sm_section(v->sim->m, row->sm, SECTION_CTA);

	for (u32 i = 0; i < v->sim->m->residents; i++)
		if (cta[i].launch != NONE16 && cta[i].row == row->number)
			return &cta[i];
	return NULL;
}

/* Where and when the CTA resumed, or its state. */
static void pane_preempts_back(struct grid *g, const struct pane_view *v, const struct ledger *row)
{
	const struct cta *cta = row->state == LEDGER_ASKED ? pane_preempts_resident(v, row) : NULL;
	u64 now = machine_gpu(v->sim->m)->cycle;

	if (row->state == LEDGER_BACK)
		grid_int(g, STYLE_PLAIN, (i64)row->back);
	else if (row->state == LEDGER_OUT)
		grid_print(g, STYLE_HELD, "waits #%u", pane_preempts_turn(v, row));
	else if (row->state == LEDGER_ENDED)
		grid_text(g, STYLE_DIM, "finished");
	else if (row->state == LEDGER_KILLED)
		grid_text(g, STYLE_BAD, "killed");
	else if (row->state == LEDGER_STAYS)
		grid_text(g, STYLE_DIM, "stays");
	else if (cta && cta->moves_at > now)
		grid_print(g, STYLE_HELD, "in %llu", cta->moves_at - now);
	else
		grid_text(g, STYLE_HELD, row->way == WAY_DRAIN ? "draining" : "leaving");
}

/* One row; one that is late is marked. */
static void pane_preempts_row(struct grid *g, const struct pane_view *v, const struct ledger *row)
{
	const char *gainer = pane_preempts_gainer(v, row);
	const struct cta *cta = pane_preempts_resident(v, row);
	const struct warp *w = (struct warp *)machine_sm_section(v->sim->m, v->focus.sm, SECTION_WARP) + v->focus.warp;
	u64 now = max_u64(machine_gpu(v->sim->m)->cycle, row->asked);
	bool late = row->late || (row->state == LEDGER_ASKED && beyond_bound(&v->sim->m->config, row->asked, now)),
	     priced = row->way && row->way < WAY_KILL;

	if (cta && row->sm == v->focus.sm && w->cta != NONE16 &&
	    cta == (struct cta *)machine_sm_section(v->sim->m, row->sm, SECTION_CTA) + w->cta)
		grid_focus(g);
	grid_known(g, STYLE_PLAIN, (i64)row->request, row->request);
	grid_int(g, STYLE_PLAIN, row->sm);
	grid_int(g, STYLE_PLAIN, row->launch);
	grid_int(g, STYLE_PLAIN, row->cta);
	grid_text(g, STYLE_PLAIN, preempts_way[row->way]);
	grid_int(g, STYLE_PLAIN, (i64)row->asked);
	grid_known(g, late ? STYLE_BAD : STYLE_PLAIN, (i64)(row->out - row->asked), row->out);
	grid_text(g, STYLE_BAD, !late ? "" : v->plain ? "yes" : "!");
	grid_known(g, STYLE_PLAIN, (i64)row->bytes, row->bytes);
	grid_int(g, row->lost ? STYLE_PLAIN : STYLE_DIM, (i64)row->lost);
	grid_int(g, row->halted ? STYLE_PLAIN : STYLE_DIM, (i64)row->halted);
	grid_text(g, STYLE_PLAIN, gainer ? gainer : "-");
	pane_preempts_back(g, v, row);
	grid_known(g, STYLE_PLAIN, row->back_sm, row->state == LEDGER_BACK);
	for (u32 i = 0; i < 2; i++) {
		u64 n = priced ? (i ? row->latency : row->overhead)[row->way - 1] : NEVER;

		grid_known(g, STYLE_PLAIN, (i64)n, n != NEVER);
	}
}

/* CTAs that wait, saved or flushed. */
static u64 pane_preempts_waiting(const struct pane_view *v, u16 saved)
{
	const struct parked *p = machine_gpu_section(v->sim->m, SECTION_PARKED);
	u64 n = 0;

	for (u32 i = 0; i < v->sim->m->config.preempt_ctas; i++)
		n += p[i].launch != NONE16 && p[i].saved == saved;
	return n;
}

/* The laws of dispatches, of saves and of flushes, where they stand; the newest request; what was lost in all. */
static void pane_preempts_sums(struct sheet *s, const struct pane_view *v)
{
	const struct sim *sim = v->sim;
	u64 flushed = sim_sm_stat(sim, STAT_CTA_FLUSHED), saved = sim_sm_stat(sim, STAT_CTA_SAVED);
	u64 killed = sim_sm_stat(sim, STAT_CTA_KILLED), resident = 0, wasted = 0, issued = 0;
	u64 back = sim_sm_stat(sim, STAT_CTA_RESTORED) + sim_sm_stat(sim, STAT_CTA_REISSUED);
	u64 dead = sim_sm_stat(sim, STAT_CTA_KILLED_SAVED) + sim_sm_stat(sim, STAT_CTA_KILLED_FLUSHED);
	u64 wait = pane_preempts_waiting(v, 0) + pane_preempts_waiting(v, 1);
	const struct kernel_count *k = machine_gpu_section(sim->m, SECTION_KERNEL_SUM);
	bool holds;

	for (u32 i = 0; i < sim->m->config.gpu_sms; i++)
		resident += ((struct sm *)machine_sm_section(sim->m, i, SECTION_SM))->ctas;
	for (u32 i = 0; i < sim->m->section[SECTION_KERNEL_SUM].count; i++) {
		wasted += k[i].wasted;
		issued += k[i].issued;
	}
	holds = sim_sm_stat(sim, STAT_CTA_STARTED) ==
			sim_sm_stat(sim, STAT_CTA_FINISHED) + flushed + saved + killed + resident &&
		saved == sim_sm_stat(sim, STAT_CTA_RESTORED) + sim_sm_stat(sim, STAT_CTA_KILLED_SAVED) +
				 pane_preempts_waiting(v, 1) &&
		flushed == sim_sm_stat(sim, STAT_CTA_REISSUED) + sim_sm_stat(sim, STAT_CTA_KILLED_FLUSHED) +
				   pane_preempts_waiting(v, 0);
	text_add(&s->note,
		 "preempted %llu (flushed %llu, saved %llu, killed %llu) = resumed %llu + waiting %llu + killed %llu\n",
		 flushed + saved + killed, flushed, saved, killed, back, wait, dead + killed);
	preempts_last(s, v);
	text_add(&s->note, "context traffic %llu bytes, discarded %llu of %llu instructions (%.2f %%)\n",
		 sim_sm_stat(sim, STAT_PREEMPT_MOVED), wasted, issued, share_of(wasted, issued));
	sheet_sum(s, "preempted", flushed + saved + killed, holds);
}

static void pane_preempts_fill(struct sheet *s, const struct pane_view *v)
{
	const struct ledger *row = machine_gpu_section(v->sim->m, SECTION_LEDGER);
	u64 rows = machine_gpu(v->sim->m)->rows, requests = machine_gpu(v->sim->m)->requests;
	u64 late = sim_sm_stat(v->sim, STAT_PREEMPT_LATE);
	struct grid *g = sheet_grid(s, "preempts", column, ARRAY_LEN(column));

	for (u64 n = rows; n && n + LEDGER_ROWS > rows; n--)
		pane_preempts_row(g, v, &row[n % LEDGER_ROWS]);
	pane_preempts_sums(s, v);
	text_add(&s->focus, "requests %llu  late %llu", requests, late);
	text_add(&s->say, "preemption ledger: %llu CTAs, %llu requests, %llu late", rows, requests, late);
}

const struct pane pane_preempts = {
	.name = "preempts",
	.summary = "preempted CTAs: method, latency, cost, gaining kernel, where they resumed",
	.legend =
		"req: number of the request, one for each SM that has too many CTAs of a kernel   cycle: when it was made   for: the kernel that gains the resources\n"
		"method: switch (save the context), drain (run to the end), flush (discard and restart), kill   latency: cycles until the CTA was off the SM   !: later than chimera.bound\n"
		"bytes: context saved and restored   lost: warp instructions discarded   halted: cycles in which the CTA's warps were halted to save or restore\n"
		"return, on: cycle and SM in which the CTA resumed; waits #N: its position in the queue\n"
		"est.lost, est.lat: instructions lost and cycles that the method was estimated to cost at the request",
	.ask = "step, break preempt, why cta 0, stats preempt.*",
	.size = {.least_width = 30, .least_height = 4, .wish_height = 10},
	.fill = pane_preempts_fill,
};
