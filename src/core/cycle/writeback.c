/*
 * writeback.c - stage writeback: what has come due in an SM, and the answers that the crossbar has for it.
 */
#include "state/slices.h"

#include "cycle/stages.h"

/* One line write of a context has been acknowledged. */
static void writeback_store_acknowledged(struct sm_view *v, const struct packet *p)
{
	u32 context = p->tag;
	if (__builtin_expect(p->mates, 0)) {
		v->slices->acknowledged(v, p->tag, p->mates);
		return;
	}
	struct warp *w = &v->warp[context];
	if (w->departed != p->departed) {
		v->sm->stat[STAT_STALE_WRITES]++;
		return;
	}
	store_done(v, context);
}

/* An answer from the crossbar. */
static void writeback_take_answer(struct sm_view *v, const struct packet *p)
{
	struct sm *sm = v->sm;
	sm->stat[STAT_REPLIES]++;
	emit(v, EVENT_REPLY, NONE16, NONE32, (p->line >> 4) << v->m->line_shift, p->kind,
	     (u32)(view_cycle(v) - p->born));
	if (p->kind == PACKET_READ || p->kind == PACKET_ATOMIC || p->kind == PACKET_PAST) {
		sm->stat[STAT_REPLY_READS]++;
		sm->stat[STAT_REPLY_LATENCY] += view_cycle(v) - p->born;
	}
	if (p->kind == PACKET_READ)
		l1d_fill(v, p);
	else if (p->kind == PACKET_ATOMIC || p->kind == PACKET_PAST)
		load_arrived(v, p->tag | (u32)p->mates << 16);
	else if (p->kind == PACKET_FETCH)
		l1i_fill(v, p);
	else if (p->kind == PACKET_CONST)
		const_fill(v, p);
	else if (p->kind == PACKET_SAVE || p->kind == PACKET_RESTORE)
		move_answered(v, p);
	else
		writeback_store_acknowledged(v, p);
}

/* Answers whose time has come leave the ring of the crossbar. */
static void writeback_take_answers(struct sm_view *v)
{
	struct ring in = port_ring(v->m, v->id, SECTION_IN);
	while (ring_ready(&in) <= view_cycle(v)) {
		struct packet p = *ring_at(&in, 0);
		ring_take(&in, 0);
		v->sleep->active = 1;
		writeback_take_answer(v, &p);
	}
}

/* Stage writeback. */
UNGUARDED void sm_writeback(struct sm_view *v)
{
	struct sm *sm = v->sm;
	v->sleep->active = 0;
	if (__builtin_expect(sm->alarm != 0, 0) && sm->alarm - 1 <= view_cycle(v))
		steps_due(v);
	if (__builtin_expect(sm->release_at != 0, 0) && sm->release_at <= view_cycle(v))
		barrier_due(v);
	if (v->port->in_count)
		writeback_take_answers(v);
	results_come(v);
}
