/* slices.c - what stops at gangs say of the warp that they are about: which slices stand where. */
#include "hits.h"

/* The slices of a piece by number, and where its first stands. */
static void add_piece(const struct sim *sim, const struct record *r, u32 mask, struct text *out)
{
	u32 first = context_home(sim->m, r->warp) << sim->m->home_shift, lanes;
	u32 pc = sim_warp_pc(sim, r->sm, first + (u32)__builtin_ctz(mask), &lanes);

	for (; mask; mask &= mask - 1)
		text_add(out, "%u", (u32)__builtin_ctz(mask));
	if (pc != NONE32)
		text_add(out, " at %u", pc);
}

/* The slices of the warp that have not ended. */
static u32 live(const struct sim *sim, const struct record *r)
{
	u32 first = context_home(sim->m, r->warp) << sim->m->home_shift, on = 0;
	const struct warp *w = (struct warp *)machine_sm_section(sim->m, r->sm, SECTION_WARP) + first;

	for (u32 k = 0; k < 1u << sim->m->home_shift; k++)
		on |= (u32)(w[k].cta != NONE16 && w[k].depth) << k;
	return on;
}

void slices_now(const struct session *s, const struct hit *h, struct text *out)
{
	const struct sim *sim = &s->sim;
	const struct record *r = &h->record;
	u32 alone, n = 0;

	if (machine_gpu(sim->m)->cycle != h->cycle || !sim->m->home_shift)
		return;
	const struct gang *g = (struct gang *)machine_sm_section(sim->m, r->sm, SECTION_GANG) +
			       context_home(sim->m, r->warp) * GANG_ENTRIES;
	alone = live(sim, r);
	text_add(out, "; its slices now: ");
	if (!alone)
		text_add(out, "all have ended");
	for (u32 e = 0; e < GANG_ENTRIES; e++)
		if (g[e].mask) {
			text_add(out, "%s", n++ ? ", " : "");
			add_piece(sim, r, g[e].mask, out);
			alone &= ~(u32)g[e].mask;
		}
	for (; alone; alone &= alone - 1) {
		text_add(out, "%s", n++ ? ", " : "");
		add_piece(sim, r, alone & -alone, out);
	}
}
