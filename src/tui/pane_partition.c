/*
 * pane_partition.c - how the kernels of the focused SM share it: whose each register, each byte of shared memory and
 * each warp slot is, from the low addresses on the left to the high ones; what is free, and in how many pieces.
 *
 * Without a policy in slot allocate what is resident moves together whenever something comes that needs it, so that
 * pieces do no harm (territory.h). Conservation: allocation units that are taken, each of one owner, and as many as the
 * numbers of free registers and bytes leave. Source of the picture: Park, University of Michigan, 2016, figure 5.9.
 */
#include "room.h"
#include "sheet.h"

#include <stdlib.h>

#define MOST_CELLS 256 /* of a bar */

static const struct grid_column ground_column[] = {
	{.name = "what", .width = 11},
	{.name = "map", .heading = "low ... high", .width = 16, .wide = true},
	{.name = "free", .width = 7, .right = true},
	{.name = "largest", .width = 7, .drop = 1, .right = true},
	{.name = "pieces", .width = 6, .drop = 2, .right = true},
};
#define FIXED_WIDTH (11 + 7 + 7 + 6 + 7) /* of the other columns, and what sets columns apart */

static const struct grid_column kernel_column[] = {
	{.name = "k", .width = 2, .right = true},
	{.name = "name", .width = 10, .wide = true},
	{.name = "has", .width = 3, .right = true},
	{.name = "want", .width = 4, .right = true},
	{.name = "room", .width = 4, .right = true},
	{.name = "wait", .width = 7, .right = true},
	{.name = "regs", .width = 6, .drop = 1, .right = true},
	{.name = "shared", .width = 6, .drop = 1, .right = true},
};

/* A resource, unit by unit. */
struct plot {
	const char *name;
	u32 number; /* behind the name, NONE32: none */
	u32 units, unit, taken, free;
	u16 *owner; /* launch of each unit; NONE16: nobody's */
	bool apart; /* two owners nowhere share a unit */
};

static void pane_partition_open(struct plot *p, const char *name, u32 number, u32 units, u32 unit)
{
	*p = (struct plot){.name = name, .number = number, .units = units, .unit = unit, .apart = true};
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

/* Free units, in so many pieces; the largest. */
static u32 pane_partition_pieces(struct plot *p, u32 *largest)
{
	u32 pieces = 0, run = 0;

	*largest = p->free = 0;
	for (u32 i = 0; i < p->units; i++) {
		run = p->owner[i] == NONE16 ? run + 1 : 0;
		pieces += run == 1;
		p->free += run > 0;
		*largest = max_u32(*largest, run);
	}
	return pieces;
}

/* A row. anywhere: pieces make no difference. */
static void pane_partition_row(struct grid *g, struct plot *p, u32 cells, bool anywhere)
{
	char bar[MOST_CELLS + 3];
	u32 largest, pieces = pane_partition_pieces(p, &largest), n = 0;

	bar[n++] = '|';
	for (u32 i = 0; i < cells; i++) {
		u32 from = (u32)((u64)i * p->units / cells), to = (u32)((u64)(i + 1) * p->units / cells);

		bar[n++] = pane_partition_sign(p, from, max_u32(to, from + 1), !anywhere);
	}
	bar[n++] = '|';
	bar[n] = '\0';
	if (p->number == NONE32)
		grid_text(g, STYLE_PLAIN, p->name);
	else
		grid_print(g, STYLE_PLAIN, "%s %u", p->name, p->number);
	grid_text(g, STYLE_PLAIN, bar);
	grid_int(g, STYLE_PLAIN, (i64)p->free * p->unit);
	if (anywhere) {
		grid_none(g);
		grid_none(g);
	} else {
		grid_int(g, STYLE_PLAIN, (i64)largest * p->unit);
		grid_int(g, STYLE_PLAIN, pieces);
	}
}

/* The register file of a sub-core. */
static void pane_partition_file(const struct pane_view *v, const struct sched_view *look, u32 sub, struct plot *p)
{
	const struct config *c = &v->sim->m->config;
	const struct stretch *s = sm_stretches(v->sim->m, v->focus.sm, false);

	pane_partition_open(p, "registers", c->sm_subcores > 1 ? sub : NONE32,
			    c->sm_registers / c->sm_subcores / c->sm_register_unit, c->sm_register_unit);
	for (u32 i = sub; i < v->sim->m->contexts; i += c->sm_subcores)
		if (s[i].count && !SET_HAS(look->sm->free_contexts, i))
			pane_partition_take(p, s[i].first / p->unit, s[i].count / p->unit, look->warp[i].launch);
}

static void pane_partition_shared(const struct pane_view *v, const struct sched_view *look, struct plot *p)
{
	const struct config *c = &v->sim->m->config;
	const struct stretch *s = sm_stretches(v->sim->m, v->focus.sm, true);

	pane_partition_open(p, "shared", NONE32, (c->sm_shared - look->sm->region) / c->sm_shared_unit,
			    c->sm_shared_unit);
	for (u32 i = 0; i < v->sim->m->residents; i++)
		if (s[i].count && look->cta[i].launch != NONE16)
			pane_partition_take(p, s[i].first / p->unit, s[i].count / p->unit, look->cta[i].launch);
}

static void pane_partition_slots(const struct pane_view *v, const struct sched_view *look, struct plot *p)
{
	u32 n = v->sim->m->slots_per_sub * v->sim->m->config.sm_subcores;

	pane_partition_open(p, "warp slots", NONE32, n, 1);
	for (u32 i = 0; i < n; i++)
		if (look->slot[i].context != NONE16)
			pane_partition_take(p, i, 1, look->warp[look->slot[i].context].launch);
}

/* A kernel that runs. */
static void pane_partition_kernel(struct grid *g, const struct pane_view *v, const struct sched_view *look, u32 launch)
{
	const struct machine *m = v->sim->m;
	const struct scheme *plan = policy_one(m, POLICY_partition);
	const struct launch *l = &look->launch[launch];
	const struct launch_run *run = &look->run[launch];
	u32 wanted = plan ? plan->partition(look, launch) : NONE32;

	grid_int(g, STYLE_PLAIN, launch);
	grid_text(g, STYLE_PLAIN, view_launch(v, launch));
	grid_int(g, STYLE_PLAIN, kernel_on(m, v->focus.sm, launch)->resident);
	if (wanted == NONE32)
		grid_text(g, STYLE_DIM, "any");
	else
		grid_int(g, STYLE_PLAIN, wanted);
	grid_int(g, STYLE_PLAIN, room_count(look, launch));
	grid_int(g, STYLE_PLAIN, l->ctas - min_u32(l->ctas, run->next_cta) + run->parked);
	grid_int(g, STYLE_PLAIN, (i64)l->warps * round_up(l->regs * m->lanes, m->config.sm_register_unit));
	grid_int(g, STYLE_PLAIN, round_up(l->shared, m->config.sm_shared_unit));
}

/* The kernels, and how many of them have CTAs here. */
static u32 pane_partition_kernels(struct sheet *s, const struct pane_view *v, const struct sched_view *look)
{
	struct grid *g = sheet_grid(s, "kernels", kernel_column, ARRAY_LEN(kernel_column));
	u32 n = min_u32(v->session->program.nlaunch, v->sim->m->section[SECTION_LAUNCH].count), here = 0;

	for (u32 i = 0; i < n; i++) {
		if (look->run[i].state != LAUNCH_RUNNING)
			continue;
		here += kernel_on(v->sim->m, v->focus.sm, i)->resident > 0;
		pane_partition_kernel(g, v, look, i);
	}
	return here;
}

static void pane_partition_fill(struct sheet *s, const struct pane_view *v)
{
	const struct config *c = &v->sim->m->config;
	const struct sched_view *look = sim_look(v->sim, v->focus.sm, 0);
	const struct scheme *allocator = policy_one(v->sim->m, POLICY_allocate);
	const struct sub *sub = machine_sm_section(v->sim->m, v->focus.sm, SECTION_SUB);
	struct grid *g = sheet_grid(s, "grounds", ground_column, ARRAY_LEN(ground_column));
	u32 cells = v->width > FIXED_WIDTH + 18 ? min_u32(v->width - FIXED_WIDTH - 2, MOST_CELLS) : 16, here;
	u64 taken = 0;
	bool holds = true;

	for (u32 i = 0; i < c->sm_subcores + 2; i++) {
		bool slots = i == c->sm_subcores + 1, shared = i == c->sm_subcores;
		struct plot p;

		if (slots)
			pane_partition_slots(v, look, &p);
		else if (shared)
			pane_partition_shared(v, look, &p);
		else
			pane_partition_file(v, look, i, &p);
		pane_partition_row(g, &p, cells, slots);
		taken += p.taken;
		holds = holds && p.apart && p.taken + p.free == p.units;
		if (!slots)
			holds = holds &&
				p.free == (shared ? look->sm->shared_free - look->sm->region : sub[i].registers_free) /
						  p.unit;
		free(p.owner);
	}
	here = pane_partition_kernels(s, v, look);
	text_add(&s->focus, "SM %u", v->focus.sm);
	text_add(&s->sum, "%s", allocator ? allocator->name : "moves");
	text_add(&s->say, "SM %u holds CTAs of %u kernel%s", v->focus.sm, here, here == 1 ? "" : "s");
	sheet_sum(s, "units", taken, holds);
}

const struct pane pane_partition = {
	.name = "partition",
	.summary = "how kernels share the focused SM: registers, shared memory and warp slots, whose and where",
	.legend =
		"map: the number of the kernel that has it, from low to high addresses   - free between CTAs of one kernel   . free\n"
		"free, largest: registers, bytes, slots   pieces: so many stretches (policy allocate=; moves: nobody, all can move)\n"
		"has, want: CTAs here, CTAs that the partition wants   room: more that numbers would allow   wait: in the grid",
	.ask = "info policy, policy allocate=twoway, why sm 0",
	.least_width = 40,
	.least_height = 4,
	.wish_height = 9,
	.fill = pane_partition_fill,
};
