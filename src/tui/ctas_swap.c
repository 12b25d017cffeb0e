/*
 * ctas_swap.c - the status table of CTAs that are swapped on the focused SM: which are active, the tracking counter,
 * the order of those that are ready, and why a CTA is or is not the next to be swapped in or out.
 *
 * The counter is of stalled warps while a CTA is active, of results that will still write its registers while it is
 * not. Source: the CTA status table of Yoon et al., "Virtual Thread", ISCA 2016, section IV.A.
 */
#include "ctas.h"
#include "policy_swap.h"

/* First and last context of a CTA; a + between them: not all that lie between are its own. */
static void contexts_add(struct grid *g, const struct cta *c)
{
	u32 first = NONE32, last = 0, n = 0;

	SET_EACH (i, c->contexts, CONTEXT_WORDS) {
		first = first == NONE32 ? i : first;
		last = i;
		n++;
	}
	grid_print(g, STYLE_PLAIN, "%u%c%u", first, last - first + 1 == n ? '-' : '+', last);
}

/* What keeps an inactive CTA from being swapped in. */
static void why_inactive(struct grid *g, const struct sm *sm, const struct cta *c, u32 place, u32 turn)
{
	if (c->pending)
		grid_print(g, STYLE_LONG, "%u write%s pending", c->pending, c->pending == 1 ? "" : "s");
	else if (sm->saving >> place & 1)
		grid_print(g, STYLE_HELD, "saving, %u cycles", c->save);
	else
		grid_text(g, STYLE_GOOD, turn == 1 ? "ready, next" : "ready");
}

/* Whether an active CTA may be swapped out. */
static void why_active(struct grid *g, const struct sched_view *v, const struct cta *c, u32 place, u32 stalled)
{
	if (v->sm->restoring >> place & 1)
		grid_print(g, STYLE_HELD, "restoring, %u cycles", c->restore);
	else if (c->done == c->warps)
		grid_text(g, STYLE_DIM, "finished");
	else if (!cta_stalled(v, place, v->m->config.vt_stall == 0))
		grid_print(g, STYLE_PLAIN, "%u of %u stalled", stalled, c->warps - c->done);
	else
		grid_text(g, STYLE_LONG, cta_takers(v, place) ? "all stalled, next out" : "all stalled, no CTA ready");
}

bool ctas_swap(const struct pane_view *v)
{
	const struct sm *sm = machine_sm_section(v->sim->m, v->focus.sm, SECTION_SM);

	return sm->inactive || policy_one(v->sim->m, POLICY_cta_swap);
}

void ctas_swap_why(struct grid *g, const struct pane_view *v, u32 place)
{
	const struct sched_view *look = sim_look(v->sim, v->focus.sm, 0);
	const struct cta *c = &look->cta[place];
	bool inactive = look->sm->inactive >> place & 1;
	u32 turn = look->sm->ready >> place & 1 ? 1 + ready_before(look->sm, look->cta, place) : 0;
	u32 count = inactive ? c->pending : cta_stalled_warps(look, place, v->sim->m->config.vt_stall == 0);

	grid_int(g, STYLE_PLAIN, count);
	grid_known(g, STYLE_GOOD, turn, turn);
	if (inactive)
		why_inactive(g, look->sm, c, place, turn);
	else
		why_active(g, look, c, place, count);
}

void ctas_swap_kept(struct grid *g, const struct pane_view *v, u32 place)
{
	const struct machine *m = v->sim->m;
	const struct cta *c = (struct cta *)machine_sm_section(v->sim->m, v->focus.sm, SECTION_CTA) + place;

	contexts_add(g, c);
	grid_int(g, STYLE_DIM, c->kept ? (i64)ceil_div(context_bits(&m->config, c->warps), 8) : 0);
	grid_known(g, STYLE_DIM, (i64)(machine_gpu(v->sim->m)->cycle - (c->moved - 1)), c->moved);
}
