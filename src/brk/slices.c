/* slices.c - what stops at gangs say of the warp that they are about: which slices stand where. */
#include "hits.h"
#include "machine.h"

/* The slices of a piece by number, and where its first stands. */
static void add_piece(const struct sim *sim, const struct record *r, u32 mask, struct text *out)
{
	u32 first = context_parent(sim->m, r->warp) << sim->m->parent_shift, lanes;
	u32 pc = sim_warp_pc(sim, r->sm, first + (u32)__builtin_ctz(mask), &lanes);

	for (; mask; mask &= mask - 1)
		text_add(out, "%u", (u32)__builtin_ctz(mask));
	if (pc != NONE32)
		text_add(out, " at %u", pc);
}

void slices_now(const struct session *s, const struct hit *h, struct text *out)
{
	const struct sim *sim = &s->sim;
	const struct record *r = &h->record;
	u8 mask[MAX_SUBCORES];
	u32 n;

	if (machine_gpu(sim->m)->cycle != h->cycle || !sim->m->parent_shift)
		return;
	n = sim_pieces(sim, r->sm, context_parent(sim->m, r->warp), mask);
	text_add(out, "; small warps now: %s", n ? "" : "all have exited");
	for (u32 i = 0; i < n; i++) {
		text_add(out, "%s", i ? ", " : "");
		add_piece(sim, r, mask[i], out);
	}
}
