/* program.c - the launches of a program made ready to run, and the buffer that an address belongs to. */
#include "program.h"

#include "synth.h"

/* Thread indices within the CTA, x fastest (PTX ISA, "Thread hierarchy"), and the lanes that exist. */
static void launch_number_threads(struct launch *l)
{
	for (u32 t = 0; t < l->threads; t++)
		l->warp_mask[t / WARP_LANES] |= 1u << t % WARP_LANES;
	for (u32 t = 0; l->tid[0] && t < l->threads; t++) {
		l->tid[0][t] = t % l->block[0];
		l->tid[1][t] = t / l->block[0] % l->block[1];
		l->tid[2][t] = t / (l->block[0] * l->block[1]);
	}
}

/* Shared memory by which the context of a CTA is as large as a synthetic kernel's key says. */
static u32 launch_context_rest(const struct launch *l, u32 context)
{
	u64 registers = (u64)l->warps * WARP_LANES * l->regs * 4;

	return registers < context ? (u32)(context - registers) : 0;
}

void launch_prepare(struct launch *l)
{
	const struct kernel *k = l->kernel;

	l->ctas = l->grid[0] * l->grid[1] * l->grid[2];
	l->threads = l->block[0] * l->block[1] * l->block[2];
	l->warps = ceil_div(l->threads, WARP_LANES);
	l->shared = k->static_shared;
	if (l->dynamic_shared)
		l->shared = max_u32(k->static_shared, k->dynamic_shared_base) + l->dynamic_shared;
	if (k->synth && k->synth->context)
		l->shared = max_u32(l->shared, launch_context_rest(l, k->synth->context));
	for (u32 d = 0; d < 3; d++) {
		free(l->tid[d]);
		l->tid[d] = k->front == FRONT_TRACE ? NULL : xcalloc(l->warps, WARP_LANES * sizeof(u32));
	}
	free(l->warp_mask);
	l->warp_mask = xcalloc(l->warps, sizeof(u32));
	launch_number_threads(l);
}

void launch_free(struct launch *l)
{
	free(l->name);
	free(l->param);
	free(l->warp_mask);
	for (u32 d = 0; d < 3; d++)
		free(l->tid[d]);
}

void program_free(struct program *p)
{
	for (u32 i = 0; i < p->nlaunch; i++)
		launch_free(&p->launch[i]);
	for (u32 i = 0; i < p->nbuffer; i++) {
		free(p->buffer[i].name);
		free(p->buffer[i].init);
	}
	for (u32 i = 0; i < p->nmodule; i++)
		module_free(p->module[i]);
	free(p->launch);
	free(p->buffer);
	free(p->module);
	*p = (struct program){0};
}

u32 *program_first_launches(const struct program *p)
{
	u32 *first = xcalloc(p->nlaunch + 1, sizeof(*first)), room = 2 * p->nlaunch + 1;
	u32 *table = xcalloc(room, sizeof(*table)); /* by kernel, open addressing: 1 + its first launch */

	for (u32 i = 0; i < p->nlaunch; i++) {
		const struct kernel *k = p->launch[i].kernel;
		u32 at = hash_below((u64)(uintptr_t)k, room);

		while (table[at] && p->launch[table[at] - 1].kernel != k)
			at = at + 1 < room ? at + 1 : 0;
		table[at] = table[at] ? table[at] : i + 1;
		first[i] = table[at] - 1;
	}
	free(table);
	return first;
}

/* One more than the highest number of a stream. */
static u32 count_streams(const struct program *p)
{
	u32 n = 1;

	for (u32 i = 0; i < p->nlaunch; i++)
		n = max_u32(n, p->launch[i].stream + 1);
	return n;
}

/* Launches of one stream run in order, but for those with a time of their own (`at`, `every`). */
static void plan_streams(const struct program *p, struct launch_plan *plan)
{
	const struct launch *l = p->launch;
	u32 streams = count_streams(p), *next = xmalloc(streams * sizeof(*next));

	memset(next, 0xff, streams * sizeof(*next));
	for (u32 i = p->nlaunch; i-- > 0;) {
		bool own = l[i].at || l[i].every;

		plan->next[i] = own ? ~0u : next[l[i].stream];
		if (plan->next[i] != ~0u)
			plan->follows[plan->next[i]] = 1;
		next[l[i].stream] = own ? next[l[i].stream] : i;
	}
	free(next);
}

/* A seat for each stream, and for each launch that has a time of its own or runs again after others of its stream. */
static void plan_seats(const struct program *p, struct launch_plan *plan)
{
	const struct launch *l = p->launch;
	u32 *shared = xcalloc(count_streams(p), sizeof(*shared)); /* 1 + the seat of a stream */

	for (u32 i = 0; i < p->nlaunch; i++) {
		bool alone = l[i].at || l[i].every || l[i].restart;
		u32 *of = &shared[l[i].stream];

		plan->seat[i] = (u16)(alone || !*of ? plan->seats++ : *of - 1);
		if (!alone)
			*of = plan->seat[i] + 1u;
	}
	free(shared);
}

struct launch_plan program_plan(const struct program *p)
{
	struct launch_plan plan = {
		.first = program_first_launches(p),
		.next = xcalloc(p->nlaunch + 1, sizeof(*plan.next)),
		.follows = xcalloc(p->nlaunch + 1, sizeof(*plan.follows)),
		.seat = xcalloc(p->nlaunch + 1, sizeof(*plan.seat)),
	};

	plan_streams(p, &plan);
	plan_seats(p, &plan);
	return plan;
}

void launch_plan_free(struct launch_plan *plan)
{
	free(plan->first);
	free(plan->next);
	free(plan->follows);
	free(plan->seat);
}

u32 program_buffer_from(const struct program *p, u64 address)
{
	return BISECT(i, p->nbuffer, p->buffer[i].address + p->buffer[i].bytes <= address);
}

/* The nearer of the buffers on both sides of an address that is in none; `above` is the index of the upper one. */
static const struct buffer *nearer(const struct program *p, u64 address, u32 above)
{
	const struct buffer *lower = above ? &p->buffer[above - 1] : NULL,
			    *upper = above < p->nbuffer ? &p->buffer[above] : NULL;

	if (!lower || !upper)
		return lower ? lower : upper;
	return address - lower->address - lower->bytes + 1 <= upper->address - address ? lower : upper;
}

const struct buffer *program_buffer_at(const struct program *p, u64 address, const struct buffer **near)
{
	u32 i = program_buffer_from(p, address);
	const struct buffer *b = i < p->nbuffer && address >= p->buffer[i].address ? &p->buffer[i] : NULL;

	if (near)
		*near = b ? b : nearer(p, address, i);
	return b;
}
