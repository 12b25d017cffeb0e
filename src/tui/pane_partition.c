/*
 * pane_partition.c - how the kernels of the focused SM share it: the owner of each register, each byte of shared memory
 * and each warp slot, from the low addresses on the left to the high ones; what is free, in how many fragments; what
 * the kernels cost each other here. Under policy maestro: the SM's role, the progress of the epoch, the last decision.
 *
 * Without a policy in hook allocate, allocations are compacted whenever a CTA needs it, so that fragments do no harm
 * (territory.h). Conservation: allocation units that are taken, each of one owner, and as many as the numbers of free
 * registers and bytes leave. Source of the picture: Park, University of Michigan, 2016, figure 5.9.
 */
#include "epochs.h"
#include "interference.h"
#include "room.h"
#include "sheet.h"

#define MOST_CELLS 256 /* of a bar */

static const struct grid_column ground_column[] = {
	{.name = "resource", .width = 11},
	{.name = "map", .heading = "low ... high", .width = 16, .wide = true},
	{.name = "free", .width = 7, .right = true},
	{.name = "largest", .width = 7, .drop = 1, .right = true},
	{.name = "fragments", .heading = "frags", .width = 6, .drop = 2, .right = true},
};
#define FIXED_WIDTH (11 + 7 + 7 + 6 + 7) /* of the other columns, and what sets columns apart */

static const struct grid_column kernel_column[] = {
	{.name = "k", .width = 2, .right = true},
	{.name = "name", .width = 10, .wide = true},
	{.name = "ctas", .width = 4, .right = true},
	{.name = "target", .width = 6, .right = true},
	{.name = "fit", .width = 4, .right = true},
	{.name = "waiting", .width = 7, .right = true},
	{.name = "regs", .width = 6, .drop = 1, .right = true},
	{.name = "shared", .width = 6, .drop = 1, .right = true},
	{.name = "interference", .heading = "interf", .width = 6, .drop = 2, .right = true},
	{.name = "slowdown", .heading = "slow", .width = 5, .drop = 3, .right = true},
};

/* A resource, unit by unit. */
struct plot {
	const char *name;
	u32 number; /* behind the name, NONE32: none */
	u32 units, taken;
	u16 *owner; /* launch of each unit; NONE16: free */
	bool apart; /* no unit has two owners */
};

static void pane_partition_open(struct plot *p, const char *name, u32 number, u32 units)
{
	*p = (struct plot){.name = name, .number = number, .units = units, .apart = true};
	p->owner = xmalloc((units + 1) * sizeof *p->owner);
	for (u32 i = 0; i < units; i++)
		p->owner[i] = NONE16;
}

/* Units [at, at + n) are a launch's. */
static void pane_partition_take(struct plot *p, u32 at, u32 n, u32 launch)
{
	p->taken += n;
	for (u32 i = at; i < at + n; i++) {
		p->apart = p->apart && i < p->units && p->owner[i] == NONE16;
		if (i < p->units)
			p->owner[i] = (u16)launch;
	}
}

/* Does a free unit lie between units of one launch and of no other? */
static bool pane_partition_hole(const struct plot *p, u32 at)
{
	u32 left = at, right = at;

	while (left && p->owner[left] == NONE16)
		left--;
	while (right + 1 < p->units && p->owner[right] == NONE16)
		right++;
	return p->owner[left] != NONE16 && p->owner[left] == p->owner[right];
}

/* The sign of most of the units [from, to): the number of its kernel, - a hole, . free. */
static char pane_partition_sign(const struct plot *p, u32 from, u32 to, bool holes)
{
	u32 best = from, most = 0;

	for (u32 i = from; i < to; i++) {
		u32 n = 0;

		for (u32 k = from; k < to; k++)
			n += p->owner[k] == p->owner[i];
		if (n > most) {
			most = n;
			best = i;
		}
	}
	if (p->owner[best] == NONE16)
		return holes && pane_partition_hole(p, best) ? '-' : '.';
	return p->owner[best] < 36 ? "0123456789abcdefghijklmnopqrstuvwxyz"[p->owner[best]] : '#';
}

/* The name of a resource and the owners of its units, as the first cells of a row. */
static void pane_partition_map(struct grid *g, const struct plot *p, u32 cells, bool holes)
{
	char bar[MOST_CELLS + 3];
	u32 n = 0;

	bar[n++] = '|';
	for (u32 i = 0; i < cells; i++) {
		u32 from = (u32)((u64)i * p->units / cells), to = (u32)((u64)(i + 1) * p->units / cells);

		bar[n++] = pane_partition_sign(p, from, max_u32(to, from + 1), holes);
	}
	bar[n++] = '|';
	bar[n] = '\0';
	if (p->number == NONE32)
		grid_text(g, STYLE_PLAIN, p->name);
	else
		grid_print(g, STYLE_PLAIN, "%s %u", p->name, p->number);
	grid_text(g, STYLE_PLAIN, bar);
}

/* The owners of the registers of a sub-core, or (sub NONE32) of the bytes of shared memory. */
static void pane_partition_owners(struct plot *p, const struct sched_view *look, const struct ground *ground)
{
	bool shared = ground->sub == NONE32;
	const struct machine *m = look->m;
	const struct stretch *s = sm_stretches(m, look->sm_id, shared);
	u32 step = shared ? 1 : m->config.sm_subcores;

	for (u32 i = shared ? 0 : ground->sub; i < (shared ? m->residents : m->contexts); i += step) {
		u32 launch = shared ? look->cta[i].launch : look->warp[i].launch;

		if (s[i].count && (shared ? launch != NONE16 : !SET_HAS(look->sm->free_contexts, i)))
			pane_partition_take(p, s[i].first / ground->unit, s[i].count / ground->unit, launch);
	}
}

/* The row of a register file or of shared memory: units taken. *holds: each is of one owner, the engine's map and its
 * numbers of what is free say the same. */
static u32 pane_partition_ground(struct grid *g, const struct sched_view *look, u32 sub, u32 cells, bool *holds)
{
	struct ground ground = room_ground(look, sub);
	struct room_pieces pieces = room_pieces(&ground);
	u32 left = sub == NONE32 ? look->sm->shared_free - look->sm->region : look->sub[sub].registers_free;
	struct plot p;

	if (sub == NONE32)
		pane_partition_open(&p, "shared", NONE32, ground.units);
	else
		pane_partition_open(&p, "registers", look->m->config.sm_subcores > 1 ? sub : NONE32, ground.units);
	pane_partition_owners(&p, look, &ground);
	pane_partition_map(g, &p, cells, true);
	grid_int(g, STYLE_PLAIN, (i64)pieces.free * ground.unit);
	grid_int(g, STYLE_PLAIN, (i64)pieces.largest * ground.unit);
	grid_int(g, STYLE_PLAIN, pieces.pieces);
	*holds = *holds && p.apart && p.taken + pieces.free == p.units && pieces.free == left / ground.unit;
	free(p.owner);
	return p.taken;
}

/* The row of warp slots, which need not lie together: slots taken. */
static u32 pane_partition_slots(struct grid *g, const struct sched_view *look, u32 cells)
{
	u32 n = look->m->slots_per_sub * look->m->config.sm_subcores;
	struct plot p;

	pane_partition_open(&p, "warp slots", NONE32, n);
	for (u32 i = 0; i < n; i++)
		if (look->slot[i].context != NONE16)
			pane_partition_take(&p, i, 1, look->warp[look->slot[i].context].launch);
	pane_partition_map(g, &p, cells, false);
	grid_int(g, STYLE_PLAIN, n - p.taken);
	grid_none(g);
	grid_none(g);
	free(p.owner);
	return p.taken;
}

/* Warps of a kernel that wait in the SM for resources held by warps of other kernels. */
static u32 pane_partition_hurt(const struct waits *w, u32 launch)
{
	u64 n = 0;

	for (u32 i = 0; i < w->n; i++)
		for (u32 k = 0; i != launch && k < WAIT_KINDS; k++)
			n += waits_of(w, launch, i)[k];
	return (u32)n;
}

/* How fast it is in the SM, by what SMs of its own issue. */
static void pane_partition_slowdown(struct grid *g, const struct pane_view *v, u32 launch)
{
	u32 k = epochs_run(v->sim->m) ? epochs_kernel(v->sim->m, launch) : NONE32;

	grid_positive(g, STYLE_PLAIN, k == NONE32 ? 0 : epochs_slowdown(v->sim, v->focus.sm, k));
}

/* A kernel that runs. */
static void pane_partition_kernel(struct grid *g, const struct pane_view *v, const struct sched_view *look, u32 launch)
{
	const struct machine *m = v->sim->m;
	const struct scheme *plan = policy_one(m, POLICY_partition);
	const struct launch *l = &look->launch[launch];
	const struct launch_run *run = &look->run[launch];
	u32 wanted = plan ? plan->decide.partition(look, launch) : NONE32;

	grid_int(g, STYLE_PLAIN, launch);
	grid_text(g, STYLE_PLAIN, view_launch(v, launch));
	grid_int(g, STYLE_PLAIN, kernel_on(m, v->focus.sm, launch)->resident);
	if (wanted == NONE32)
		grid_text(g, STYLE_DIM, "any");
	else
		grid_int(g, STYLE_PLAIN, wanted);
	grid_int(g, STYLE_PLAIN, room_count(look, launch));
	grid_int(g, STYLE_PLAIN, l->ctas - min_u32(l->ctas, run->next_cta) + run->parked);
	grid_int(g, STYLE_PLAIN, (i64)launch_contexts(m, l) * warp_registers(m, l));
	grid_int(g, STYLE_PLAIN, cta_shared(m, l));
}

/* The kernels, and how many of them have CTAs here. */
static u32 pane_partition_kernels(struct sheet *s, const struct pane_view *v, const struct sched_view *look)
{
	struct grid *g = sheet_grid(s, "kernels", kernel_column, ARRAY_LEN(kernel_column));
	u32 n = min_u32(v->session->program.nlaunch, v->sim->m->section[SECTION_LAUNCH].count), here = 0;
	struct waits waits = {.n = v->session->program.nlaunch};

	waits.count = xcalloc((size_t)waits.n * waits.n * WAIT_KINDS + 1, sizeof(*waits.count));
	waits_count(&waits, v->sim, v->focus.sm);
	for (u32 i = 0; i < n; i++) {
		if (look->run[i].state != LAUNCH_RUNNING)
			continue;
		here += kernel_on(v->sim->m, v->focus.sm, i)->resident > 0;
		pane_partition_kernel(g, v, look, i);
		grid_int(g, STYLE_PLAIN, pane_partition_hurt(&waits, i));
		pane_partition_slowdown(g, v, i);
	}
	free(waits.count);
	return here;
}

/* Under policy maestro: the role of the SM, in the title; the progress of the epoch; the last decision and its options.
 */
static void pane_partition_epoch(struct sheet *s, const struct pane_view *v)
{
	if (!epochs_run(v->sim->m))
		return;
	text_add(&s->focus, " ");
	epochs_role(v->sim, v->focus.sm, &s->focus);
	epochs_phase(v->sim, &s->note);
	text_add(&s->note, "\n");
	if (!maestro_state(v->sim->m).own->epochs)
		return;
	text_add(&s->note, "last epoch: ");
	epochs_options(v->sim->m, &s->note);
	text_add(&s->note, "\n");
}

static void pane_partition_fill(struct sheet *s, const struct pane_view *v)
{
	const struct sched_view *look = sim_look(v->sim, v->focus.sm, 0);
	const struct scheme *allocator = policy_one(v->sim->m, POLICY_allocate);
	struct grid *g = sheet_grid(s, "grounds", ground_column, ARRAY_LEN(ground_column));
	u32 cells = v->width > FIXED_WIDTH + 18 ? min_u32(v->width - FIXED_WIDTH - 2, MOST_CELLS) : 16, here;
	u64 taken = 0;
	bool holds = true;

	for (u32 i = 0; i < v->sim->m->config.sm_subcores; i++)
		taken += pane_partition_ground(g, look, i, cells, &holds);
	taken += pane_partition_ground(g, look, NONE32, cells, &holds);
	taken += pane_partition_slots(g, look, cells);
	here = pane_partition_kernels(s, v, look);
	text_add(&s->focus, "SM %u", v->focus.sm);
	pane_partition_epoch(s, v);
	text_add(&s->sum, "%s", allocator ? allocator->name : "compacting");
	text_add(&s->say, "SM %u has CTAs of %u kernel%s", v->focus.sm, here, here == 1 ? "" : "s");
	sheet_sum(s, "units", taken, holds);
}

const struct pane pane_partition = {
	.name = "partition",
	.summary = "how kernels share the focused SM: owner of each register, shared memory byte and warp slot",
	.legend =
		"map: number of the owning kernel, from low to high addresses   - free between CTAs of one kernel   . free\n"
		"free: registers, bytes or warp slots that are free   largest: largest free fragment   frags: number of free fragments\n"
		"title: the allocation policy (policy allocate=NAME); compacting: allocations move together when a CTA needs room\n"
		"ctas: resident CTAs of the kernel   target: CTAs that the partition policy allows   fit: further CTAs for which there are resources   waiting: not yet dispatched\n"
		"interf: warps that wait in this cycle for resources held by another kernel   slow: slowdown against an SM without other kernels (policy maestro)",
	.ask = "why sm 0, info maestro, break epoch, info interference",
	.size = {.least_width = 40, .least_height = 4, .wish_height = 10},
	.fill = pane_partition_fill,
};
