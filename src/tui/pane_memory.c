/*
 * pane_memory.c - the memory of the focused SM: its requests in flight with their ages, the re-execution queue, the
 * queues and MSHRs that requests pass, and hits and misses of the caches.
 *
 * Where policy ccws runs: how many warps may load, the sum of all scores against the cutoff, and how many misses were
 * on lines that their warp had lost. Queues of L2 slices and DRAM channels are the GPU's, summed; the rest is the SM's.
 * Conservation: requests sent less answers taken are the requests found in the queues.
 */
#include "counters.h"
#include "events.h"
#include "sheet.h"
#include "why.h"

#include "policy_ccws.h"

#define MAX_SHOWN 1024

static const struct grid_column request_column[] = {
	{.name = "age", .width = 5, .right = true},
	{.name = "kind", .width = 9},
	{.name = "line", .width = 14},
	{.name = "where", .width = 10},
	{.name = "index", .width = 5, .drop = 3, .right = true},
	{.name = "ahead", .width = 5, .drop = 2, .right = true},
	{.name = "earliest", .width = 8, .drop = 1, .right = true},
	{.name = "for", .width = 6, .drop = 4, .wide = true},
};

static const struct grid_column queue_column[] = {
	{.name = "queue", .width = 12},
	{.name = "used", .width = 5, .right = true},
	{.name = "of", .width = 6, .right = true},
	{.name = "share", .width = 10, .drop = 1},
};

static const struct grid_column aside_column[] = {
	{.name = "entry", .width = 5, .right = true}, {.name = "warp", .width = 5},
	{.name = "pc", .width = 4, .right = true},    {.name = "instruction", .width = 32, .drop = 1},
	{.name = "lines", .width = 5, .right = true}, {.name = "after", .width = 6, .right = true},
};

static const struct grid_column cache_column[] = {
	{.name = "cache", .width = 6},
	{.name = "accesses", .width = 9, .right = true},
	{.name = "hits", .width = 9, .right = true},
	{.name = "misses", .width = 8, .right = true},
	{.name = "merges", .width = 8, .drop = 1, .right = true},
	{.name = "rejected", .width = 8, .drop = 2, .right = true},
	{.name = "rate", .width = 5, .right = true},
};

/* The warp of a load, and how many more small warps share it; of a preempted CTA, none. */
static void pane_memory_add_load(const struct pane_view *v, u32 load, u32 mates, const char *before, struct text *out)
{
	u32 context = load_wanted_by(v->sim->m, v->focus.sm, load, mates);

	if (context == NONE16)
		text_add(out, "%s-", before);
	else
		text_add(out, "%sw%u", before, context);
	if (mates & (mates - 1))
		text_add(out, "+%d", __builtin_popcount(mates) - 1);
}

/* The warps that wait for the line of an L1D MSHR. */
static void pane_memory_add_readers(const struct pane_view *v, u32 mshr, struct text *out)
{
	struct machine *m = v->sim->m;
	const struct mshr *x = (struct mshr *)machine_sm_section(m, v->focus.sm, SECTION_L1D_MSHR) + mshr;
	const struct waiter *waiter = machine_sm_section(m, v->focus.sm, SECTION_L1D_WAITER);

	for (u32 at = x->first, n = 0; n < x->count; at = waiter[at].next, n++)
		pane_memory_add_load(v, waiter[at].load, waiter[at].mates, n ? " " : "", out);
}

/* The warp or the cache that a request is for. */
static void pane_memory_add_owner(const struct pane_view *v, const struct request *r, struct text *out)
{
	const struct imiss *imiss = machine_sm_section(v->sim->m, v->focus.sm, SECTION_IMISS);

	if (r->kind == 0)
		pane_memory_add_readers(v, r->tag, out);
	else if (request_of_load(r))
		pane_memory_add_load(v, r->tag, r->mates, "", out);
	else if (r->kind == 3)
		text_add(out, imiss[r->tag].ahead ? "L1I+1" : "L1I");
	else if (r->kind == 5)
		text_add(out, "const");
	else if (r->gone)
		text_add(out, "-");
	else if (r->mates)
		pane_memory_add_load(v, r->tag, r->mates, "", out);
	else
		text_add(out, "w%u", r->tag);
}

/* The oldest first; then the order in which they were found. */
static int pane_memory_older(const void *a, const void *b)
{
	const struct request *x = a, *y = b;

	return ORDER_BY({x->born, y->born}, {x->line, y->line});
}

/* One request. */
static void pane_memory_request_row(struct grid *g, const struct pane_view *v, const struct request *r)
{
	u64 cycle = machine_gpu(v->sim->m)->cycle;
	struct text owner = {0};

	pane_memory_add_owner(v, r, &owner);
	grid_int(g, STYLE_PLAIN, (i64)(cycle - min_u64(cycle, r->born)));
	grid_text(g, STYLE_PLAIN, request_kind_name[r->kind]);
	grid_print(g, STYLE_PLAIN, "%llx", (r->line >> 4) << v->sim->m->line_shift);
	grid_text(g, r->level >= REQUEST_DRAM_QUEUE && r->level <= REQUEST_MERGED ? STYLE_LONG : STYLE_PLAIN,
		  request_level_name[r->level]);
	grid_known(g, STYLE_PLAIN, r->place, r->place != NONE16);
	grid_int(g, r->ahead ? STYLE_PLAIN : STYLE_DIM, r->ahead);
	grid_int(g, STYLE_PLAIN, (i64)r->earliest);
	grid_text(g, STYLE_PLAIN, owner.s ? owner.s : "");
	text_free(&owner);
}

/* The number of a memory operation in the re-execution queues: of the first from 1 on, of the other after it. */
static u32 pane_memory_number(const struct sm *sm, const struct ring_slot *const *queue, u32 memop)
{
	for (u32 i = 0; i < sm->reexec_count; i++)
		if (queue[0][i].memop == memop)
			return i + 1;
	for (u32 i = 0; i < sm->reexec_inactive; i++)
		if (queue[1][i].memop == memop)
			return sm->reexec_count + i + 1;
	return 0;
}

/* An entry of a re-execution queue: its warp, its line accesses done and in all, the entry that it may not pass. */
static void pane_memory_aside_row(struct grid *g, const struct pane_view *v, const struct ring_slot *const *queue,
				  u32 memop)
{
	const struct sm *sm = machine_sm_section(v->sim->m, v->focus.sm, SECTION_SM);
	const struct memop *op = (struct memop *)machine_sm_section(v->sim->m, v->focus.sm, SECTION_MEMOP) + memop;
	const struct warp *w = (struct warp *)machine_sm_section(v->sim->m, v->focus.sm, SECTION_WARP) + op->context;
	u32 before = sim_reexec_barrier(v->sim, v->focus.sm, memop);
	bool current = w->generation == op->generation;

	grid_int(g, STYLE_PLAIN, pane_memory_number(sm, queue, memop));
	grid_print(g, STYLE_PLAIN, current ? "w%u" : "-", op->context);
	grid_int(g, STYLE_PLAIN, op->pc);
	grid_text(g, STYLE_PLAIN, current ? kernel_text(v->sim->kernel[w->launch], op->pc) : "");
	grid_print(g, STYLE_PLAIN, "%u/%u", op->done, op->count);
	grid_known(g, STYLE_PIPELINE, pane_memory_number(sm, queue, before), before != NONE32);
}

/* The re-execution queues. */
static void pane_memory_aside(struct sheet *s, const struct pane_view *v)
{
	const struct sm *sm = machine_sm_section(v->sim->m, v->focus.sm, SECTION_SM);
	const struct ring_slot *queue[] = {machine_sm_section(v->sim->m, v->focus.sm, SECTION_REEXEC),
					   machine_sm_section(v->sim->m, v->focus.sm, SECTION_REEXEC_INACTIVE)};
	struct grid *g;

	if (!sm->reexec_count && !sm->reexec_inactive)
		return;
	g = sheet_grid(s, "reexec", aside_column, ARRAY_LEN(aside_column));
	g->most = 6;
	for (u32 i = 0; i < sm->reexec_count; i++)
		pane_memory_aside_row(g, v, queue, queue[0][i].memop);
	for (u32 i = 0; i < sm->reexec_inactive; i++)
		pane_memory_aside_row(g, v, queue, queue[1][i].memop);
}

/* A queue and how full it is. */
static void pane_memory_queue_row(struct grid *g, const char *name, u64 used, u64 of)
{
	grid_text(g, STYLE_PLAIN, name);
	grid_int(g, used >= of ? STYLE_PIPELINE : STYLE_PLAIN, (i64)used);
	grid_int(g, STYLE_PLAIN, (i64)of);
	grid_bar(g, STYLE_PLAIN, (double)used, (double)of);
}

/* Queues of the GPU, summed. */
struct beyond {
	u64 l2_in, l2_mshrs, l2_out, queue, service;
};
static struct beyond pane_memory_look_beyond(const struct pane_view *v)
{
	struct machine *m = v->sim->m;
	struct beyond b = {0};

	for (u32 i = 0; i < m->config.l2_slices; i++) {
		const struct slice *s = machine_slice_section(m, i, SECTION_SLICE);

		b.l2_in += s->in_count + s->far_count;
		b.l2_mshrs += s->mshrs_used;
		b.l2_out += s->out_count;
	}
	for (u32 i = 0; i < m->config.dram_channels; i++) {
		const struct channel *ch = machine_channel_section(m, i, SECTION_CHANNEL);

		b.queue += ch->waiting[0] + ch->waiting[1];
		b.service += ch->done_count;
	}
	return b;
}

/* The state of policy ccws: warps that may load, the sum of all scores against the cutoff, misses on lost lines. */
static void pane_memory_ccws(struct grid *g, const struct pane_view *v)
{
	struct machine *m = v->sim->m;
	const struct sm *sm = machine_sm_section(m, v->focus.sm, SECTION_SM);
	const struct ccws *own = ccws_of(m, v->focus.sm);
	struct ccws_place place[CONTEXT_WORDS * 64];
	u32 n = ccws_standing(m, v->focus.sm, machine_gpu(m)->cycle, place);

	pane_memory_queue_row(g, "may load", own->members - own->held, own->members);
	pane_memory_queue_row(g, "scores", n ? place[n - 1].before + place[n - 1].score : 0, own->cutoff);
	pane_memory_queue_row(g, "lost lines", sm->events[EVENT_VICTIM_HIT], sm->stat[STAT_L1D_MISSES]);
}

/* All queues from the LSU to the DRAM and back. */
static void pane_memory_queues(struct sheet *s, const struct pane_view *v)
{
	struct machine *m = v->sim->m;
	const struct config *c = &m->config;
	const struct sm *sm = machine_sm_section(m, v->focus.sm, SECTION_SM);
	const struct port *port = (struct port *)machine_gpu_section(m, SECTION_PORT) + v->focus.sm;
	struct grid *g = sheet_grid(s, "queues", queue_column, ARRAY_LEN(queue_column));
	struct beyond b = pane_memory_look_beyond(v);
	u64 set[LOAD_WORDS];

	if (ccws_runs(m))
		pane_memory_ccws(g, v);
	pane_memory_queue_row(g, "lsu", sm->lsu_count, c->lsu_queue);
	if (m->section[SECTION_REEXEC].count)
		pane_memory_queue_row(g, "reexec", sm->reexec_count, m->section[SECTION_REEXEC].count);
	if (m->section[SECTION_REEXEC_INACTIVE].count)
		pane_memory_queue_row(g, "inactive", sm->reexec_inactive, m->section[SECTION_REEXEC_INACTIVE].count);
	pane_memory_queue_row(g, "loads", requests_loads(v->sim, v->focus.sm, set),
			      v->sim->m->section[SECTION_LOAD].count);
	pane_memory_queue_row(g, "l1d mshrs", sm->mshrs_used, c->l1d_mshrs);
	pane_memory_queue_row(g, "l1i mshrs", sm->imiss_used, c->l1i_mshrs);
	pane_memory_queue_row(g, "port out", port->out_count, c->icnt_queue);
	pane_memory_queue_row(g, "port in", port->in_count, m->section[SECTION_IN].count);
	pane_memory_queue_row(g, "l2 in", b.l2_in, (u64)m->section[SECTION_SLICE_IN].count * c->l2_slices);
	pane_memory_queue_row(g, "l2 mshrs", b.l2_mshrs, (u64)c->l2_mshrs * c->l2_slices);
	pane_memory_queue_row(g, "l2 out", b.l2_out, (u64)c->l2_queue * c->l2_slices);
	pane_memory_queue_row(g, "dram queue", b.queue, (u64)c->dram_queue * c->dram_channels);
	pane_memory_queue_row(g, "dram", b.service, (u64)m->section[SECTION_DDONE].count * c->dram_channels);
}

/* Accesses of a cache, and how many of them hit, missed and merged. */
static void pane_memory_cache_row(struct grid *g, const char *name, u64 hits, u64 misses, u64 merges, u64 refused)
{
	u64 all = hits + misses + merges;

	grid_text(g, STYLE_PLAIN, name);
	grid_int(g, STYLE_PLAIN, (i64)all);
	grid_int(g, STYLE_PLAIN, (i64)hits);
	grid_int(g, STYLE_PLAIN, (i64)misses);
	grid_int(g, STYLE_PLAIN, (i64)merges);
	grid_int(g, STYLE_PLAIN, (i64)refused);
	grid_print(g, STYLE_PLAIN, "%.0f %%", share_of(hits, all));
}

/* Hit rates of the SM's caches and of the L2. */
static void pane_memory_caches(struct sheet *s, const struct pane_view *v)
{
	const u64 *x = ((struct sm *)machine_sm_section(v->sim->m, v->focus.sm, SECTION_SM))->stat;
	struct grid *g = sheet_grid(s, "caches", cache_column, ARRAY_LEN(cache_column));

	pane_memory_cache_row(g, "l1i", x[STAT_L1I_HITS], x[STAT_L1I_MISSES], x[STAT_L1I_MERGES], x[STAT_L1I_REFUSED]);
	if (v->sim->m->config.l1i_prefetch)
		pane_memory_cache_row(g, "l1i+1", x[STAT_L1I_AHEAD_USEFUL] - x[STAT_L1I_AHEAD_LATE],
				      x[STAT_L1I_AHEAD] - x[STAT_L1I_AHEAD_USEFUL], x[STAT_L1I_AHEAD_LATE],
				      x[STAT_L1I_AHEAD_HELD] + x[STAT_L1I_AHEAD_REFUSED]);
	pane_memory_cache_row(g, "l1d", x[STAT_L1D_HITS], x[STAT_L1D_MISSES], x[STAT_L1D_MERGES], x[STAT_L1D_REFUSED]);
	pane_memory_cache_row(g, "l2", sim_l2_stat(v->sim, STAT_L2_HITS), sim_l2_stat(v->sim, STAT_L2_MISSES),
			      sim_l2_stat(v->sim, STAT_L2_MERGES), sim_l2_stat(v->sim, STAT_L2_REFUSED));
}

/* The list, the queues, the caches. */
static void pane_memory_fill(struct sheet *s, const struct pane_view *v)
{
	const u64 *x = ((struct sm *)machine_sm_section(v->sim->m, v->focus.sm, SECTION_SM))->stat;
	struct request *list = xmalloc(MAX_SHOWN * sizeof(*list));
	u32 n = requests_list(v->sim, v->focus.sm, list, MAX_SHOWN), shown = min_u32(n, MAX_SHOWN);
	struct grid *g = sheet_grid(s, "requests", request_column, ARRAY_LEN(request_column));

	qsort(list, shown, sizeof(*list), pane_memory_older);
	for (u32 i = 0; i < shown; i++)
		pane_memory_request_row(g, v, &list[i]);
	text_add(&s->focus, "SM %u", v->focus.sm);
	text_add(&s->say, "memory of SM %u: %u request%s in flight", v->focus.sm, n, n == 1 ? "" : "s");
	text_add(&s->sum, "sent %llu", x[STAT_REQUESTS]);
	sheet_sum(s, "in flight", n, n == x[STAT_REQUESTS] - x[STAT_REPLIES]);
	pane_memory_aside(s, v);
	pane_memory_queues(s, v);
	pane_memory_caches(s, v);
	free(list);
}

const struct pane pane_memory = {
	.name = "memory",
	.summary = "memory of an SM: requests in flight, queues, MSHRs, cache hit rates",
	.legend =
		"where: port (before the crossbar), l2 (crossbar, L2 slice queue), dram queue, dram, l2 mshr (merged), answer, return\n"
		"index: number of the L2 slice or DRAM channel   ahead: requests before it in that queue   age: cycles since the request left the SM\n"
		"earliest: first cycle in which the reply can arrive   for: warps that wait for the line\n"
		"reexec: re-execution queue (lsu.reexec), lines: accesses done/all, after: the entry that must go first\n"
		"queues: entries in use, of the capacity   rejected: reservation failures, the access is retried   rate: hit rate\n"
		"l1i+1: instruction prefetches (l1i.prefetch): hits arrived in time, merges arrived late, misses are unused so far\n"
		"policy ccws: may load: warps allowed to load; scores: sum of the scores, of the cutoff; lost lines: misses on lines that the warp had before",
	.ask = "step, next l1dmiss, stats l1d.*",
	.size = {.least_width = 34, .least_height = 4, .wish_height = 12},
	.fill = pane_memory_fill,
};
