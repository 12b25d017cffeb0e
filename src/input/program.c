/* program.c - the launches of a program made ready to run, and the buffer that an address belongs to. */
#include "program.h"

#include "synth.h"

#include <stdlib.h>

/* Thread indices within the CTA, x fastest (PTX ISA, "Thread hierarchy"), and the lanes that exist. */
static void launch_number_threads(struct launch *l)
{
	for (u32 t = 0; t < l->threads; t++) {
		l->tid[0][t] = t % l->block[0];
		l->tid[1][t] = t / l->block[0] % l->block[1];
		l->tid[2][t] = t / (l->block[0] * l->block[1]);
		l->warp_mask[t / WARP_LANES] |= 1u << t % WARP_LANES;
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
		l->tid[d] = xcalloc(l->warps, WARP_LANES * sizeof(u32));
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

/* How far address lies outside buffer b; 0 = inside. */
static u64 buffer_distance(const struct buffer *b, u64 address)
{
	if (address < b->address)
		return b->address - address;
	return address - b->address < b->bytes ? 0 : address - b->address - b->bytes + 1;
}

const struct buffer *program_buffer_at(const struct program *p, u64 address, const struct buffer **near)
{
	const struct buffer *best = NULL;
	u64 least = UINT64_MAX;

	for (u32 i = 0; i < p->nbuffer && least; i++) {
		u64 distance = buffer_distance(&p->buffer[i], address);

		if (!best || distance < least) {
			least = distance;
			best = &p->buffer[i];
		}
	}
	if (near)
		*near = best;
	return best && !least ? best : NULL;
}
