/*
 * slip.c - the crossbar's arbiter by receivers (icnt.arbiter slip), one iteration of McKeown's iSLIP, "The iSLIP
 * Scheduling Algorithm for Input-Queued Switches", IEEE/ACM Transactions on Networking 7 (2), 1999.
 *
 * In a clock the receivers choose in the order of their numbers, slices for requests and SMs for answers: each takes
 * the packet at the head of one of the senders that have one for it, beginning behind the sender that it took from
 * last. Deviations from iSLIP, as GPGPU-Sim has it: a sender has one queue and not one for each receiver, so that its
 * head holds up all others; and it may serve several receivers in one clock, those behind the first, as what is now its
 * head is looked at again. Senders that all want the same receivers in the same order stay together for ever: each
 * waits for all others at each of them.
 */
#include "memory/lsu.h"
#include "memory/memory.h"

#include <string.h>

/* By receiver, the senders whose head is for it. */
struct wanted {
	u64 sent[SM_WORDS]; /* senders that have sent something */
	union {
		u64 slice[MOST_l2_slices][SM_WORDS];
		u64 sm[MOST_gpu_sms][SLICE_WORDS];
	};
};

/* Nobody wants anything yet; rows: the bytes of those of the receivers that there are. */
static void slip_nobody(struct wanted *w, size_t rows)
{
	memset(w, 0, offsetof(struct wanted, slice) + rows);
}

/* The head of an SM's requests wants a slice, if the port is free at that clock. */
static void slip_want_slice(struct sim *s, u32 sm, u64 free, struct wanted *w)
{
	struct ring r = port_ring(s->m, sm, SECTION_OUT);
	if (s->view[sm].port->out_free <= free && ring_ready(&r) <= machine_gpu(s->m)->cycle)
		SET_ADD(w->slice[slice_asked(s->m, sm, ring_at(&r, 0)->line)], sm);
}

/* A slice takes a request, if it can take one. */
static void slip_take_request(struct sim *s, u32 id, u64 clock, struct wanted *w)
{
	struct slice *slice = machine_slice_section(s->m, id, SECTION_SLICE);
	u32 why = slice_refuses(s, slice, clock), sm = set_next(w->slice[id], SM_WORDS, slice->turn);
	if (why == NONE32) {
		request_leaves(s, sm, id, 0, clock);
		slice->turn = (u16)(sm + 1 == s->m->config.gpu_sms ? 0 : sm + 1);
		SET_ADD(w->sent, sm);
		SET_DEL(w->slice[id], sm);
		slip_want_slice(s, sm, clock + 1, w);
		why = STAT_ICNT_REFUSED_SLICE;
	}
	SET_EACH (other, w->slice[id], SM_WORDS)
		if (!SET_HAS(w->sent, other))
			s->view[other].sm->stat[why]++;
}

void slip_requests(struct sim *s, u64 clock)
{
	struct wanted w;
	u64 set[SM_WORDS];
	slip_nobody(&w, s->m->config.l2_slices * sizeof *w.slice);
	memcpy(set, machine_gpu(s->m)->out_set, sizeof set);
	SET_EACH (sm, set, SM_WORDS)
		slip_want_slice(s, sm, clock, &w);
	for (u32 id = 0; id < s->m->config.l2_slices; id++)
		if (w.slice[id][0] | w.slice[id][1] | w.slice[id][2] | w.slice[id][3])
			slip_take_request(s, id, clock, &w);
}

/* The same of the answers of a slice. */
static void slip_want_sm(struct sim *s, u32 id, u64 free, struct wanted *w)
{
	const struct slice *slice = machine_slice_section(s->m, id, SECTION_SLICE);
	struct ring r = slice_ring(s->m, id, SECTION_SLICE_OUT);
	if (slice->out_free <= free && ring_ready(&r) <= machine_gpu(s->m)->cycle)
		SET_ADD(w->sm[ring_at(&r, 0)->sm], id);
}

static void slip_take_answer(struct sim *s, u32 sm, u64 clock, struct wanted *w)
{
	struct port *port = s->view[sm].port;
	u32 why = sm_refuses(&s->view[sm], clock), id = set_next(w->sm[sm], SLICE_WORDS, port->turn);
	if (why == NONE32) {
		answer_leaves(s, id, 0, clock);
		port->turn = id + 1 == s->m->config.l2_slices ? 0 : id + 1;
		SET_ADD(w->sent, id);
		SET_DEL(w->sm[sm], id);
		slip_want_sm(s, id, clock + 1, w);
		why = STAT_ICNT_REFUSED_SM;
	}
	SET_EACH (other, w->sm[sm], SLICE_WORDS)
		if (!SET_HAS(w->sent, other))
			((struct slice *)machine_slice_section(s->m, other, SECTION_SLICE))->stat[why]++;
}

void slip_answers(struct sim *s, u64 clock)
{
	struct wanted w;
	u64 set[SLICE_WORDS];
	slip_nobody(&w, s->m->config.gpu_sms * sizeof *w.sm);
	memcpy(set, memory_visits(s->m)->answers, sizeof set);
	SET_EACH (id, set, SLICE_WORDS)
		slip_want_sm(s, id, clock, &w);
	for (u32 sm = 0; sm < s->m->config.gpu_sms; sm++)
		if (w.sm[sm][0] | w.sm[sm][1])
			slip_take_answer(s, sm, clock, &w);
}
