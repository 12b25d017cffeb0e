/*
 * away.c - requests of an SM that have not been answered: how soon an answer can be there, for run_ahead.c.
 *
 * Beside what has left its slice, an answer takes at least the way there, the L2's latency and the way back from the
 * cycle in which its request was sent. That of the oldest request comes first; for it stands the first that was sent
 * since none was on its way, which is no younger.
 */
#include "memory/lsu.h"
#include "memory/memory.h"

/* The first cycle in which an answer can be there that leaves its slice in some cycle. */
static inline u64 away_arrival(const struct config *c, u64 leaves)
{
	return domain_cycle(c, c->icnt_clock, domain_clock(c, c->icnt_clock, leaves) + c->icnt_latency);
}

u64 away_back(const struct config *c, u64 sent)
{
	return away_arrival(c, lookup_cycle(c, domain_clock(c, c->icnt_clock, sent + 1)) + 1);
}

u64 away_soonest(struct sim *s)
{
	return away_arrival(&s->m->config, machine_gpu(s->m)->cycle + 1);
}

u64 away_answered(const struct sm_view *v)
{
	return v->away.requests ? max_u64(v->away.until, away_soonest(v->sim)) : NEVER;
}

static void away_add(struct sim *s, const struct packet *p)
{
	struct away *a = &s->view[p->sm].away;
	u64 back = away_back(&s->m->config, p->born);
	a->until = a->requests++ ? min_u64(a->until, back) : back;
}

static void away_add_ring(struct sim *s, struct ring r)
{
	for (u32 k = 0; k < *r.count; k++)
		away_add(s, ring_at(&r, k));
}

/* Those that wait for the DRAM. */
static void away_add_waiters(struct sim *s, u32 slice)
{
	const struct mshr *mshr = machine_slice_section(s->m, slice, SECTION_L2_MSHR);
	const struct waiter *link = machine_slice_section(s->m, slice, SECTION_L2_LINK);
	const struct packet *waiter = machine_slice_section(s->m, slice, SECTION_L2_WAITER);
	for (u32 k = 0; k < s->m->config.l2_mshrs; k++)
		for (u16 at = mshr[k].line ? mshr[k].first : NONE16; at != NONE16; at = link[at].next)
			away_add(s, &waiter[at]);
}

void away_count(struct sim *s)
{
	for (u32 i = 0; i < s->m->config.gpu_sms; i++)
		s->view[i].away = (struct away){0};
	for (u32 i = 0; i < s->m->config.gpu_sms; i++)
		away_add_ring(s, port_ring(s->m, i, SECTION_OUT));
	for (u32 i = 0; i < s->m->config.l2_slices; i++) {
		away_add_ring(s, slice_ring(s->m, i, SECTION_SLICE_IN));
		away_add_ring(s, slice_ring(s->m, i, SECTION_SLICE_FAR));
		away_add_ring(s, slice_ring(s->m, i, SECTION_SLICE_OUT));
		away_add_waiters(s, i);
	}
}
