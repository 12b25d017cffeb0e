/*
 * memory.c - stage memory: the crossbar between SMs and L2 slices.
 *
 * Each SM and each slice has one port in each direction that moves icnt.bytes in each clock of the interconnect
 * (icnt.answer_bytes on the way back); a packet occupies both its ports for its length and arrives icnt.latency clocks
 * later. Of the first icnt.pass packets at a port (1: head of line) the oldest goes that can, SMs and slices in
 * rotating order (icnt.arbiter slip: slip.c); a head that must wait for somebody else's packet or for room, and nothing
 * passes it, is counted by cause. In a cycle DRAM goes first, then the slices, then the crossbar, each as often as its
 * own clock ticks (memory.h): every latch is read before it is written. Deviations: a crossbar without internal
 * contention or virtual channels; a packet's bandwidth is that of its sectors, headers cost nothing beside data.
 */
#include "memory/lsu.h"
#include "memory/memory.h"

/* 8 bytes of header, 32 for each sector of data that it carries. */
u32 packet_length(const struct machine *m, const struct packet *p, bool answer)
{
	const u32 out = 1u << PACKET_WRITE | 1u << PACKET_REDUCTION | 1u << PACKET_SAVE;
	bool data = (answer ? ~out : out | 1u << PACKET_ATOMIC) >> p->kind & 1;
	u32 bytes = data ? (u32)__builtin_popcountll(p->line & 15) * 32 : 8;
	u32 back = answer ? m->config.icnt_answer_bytes : 0;
	return ceil_div(bytes, back ? back : m->config.icnt_bytes);
}

/* l2.hash polynomial: the slice of a piece. */
static u32 memory_polynomial_slice(const struct machine *m, u64 piece)
{
	u32 slice = 0;
	for (u32 byte = 0; piece; piece >>= 8, byte++)
		slice ^= m->slice_share[byte][piece & 255];
	return slice;
}

/* The slice that owns a line: 256-byte pieces, spread by a hash of the upper address bits. */
u32 slice_home(const struct machine *m, u64 line)
{
	u64 piece = (line >> 4) << m->line_shift >> 8;
	u32 n = m->config.l2_slices;
	if (m->config.l2_hash)
		return memory_polynomial_slice(m, piece);
	if (is_pow2(n)) {
		u64 h = piece ^ piece >> 7 ^ piece >> 13 ^ piece >> 19;
		return (u32)h & (n - 1);
	}
	return (u32)((piece + piece / n / 5) % n);
}

/* Neighbours, as the SMs of a TPC are, are in one half. */
u32 slice_asked(const struct machine *m, u32 sm, u64 line)
{
	u32 home = slice_home(m, line), half = m->config.l2_slices / 2;
	if (m->config.l2_halves == 1)
		return home;
	return home % half + (sm / 2 % 2 ? half : 0);
}

u64 lookup_cycle(const struct config *c, u64 clock)
{
	u64 arrival = domain_cycle(c, c->icnt_clock, clock + c->icnt_latency);
	return domain_cycle(c, c->l2_clock, domain_clock(c, c->l2_clock, arrival) + c->l2_latency);
}

/* Put a request into the queue of a slice. */
static void memory_enqueue(struct sim *s, u32 id, const struct packet *p, u64 clock)
{
	struct ring r = slice_ring(s->m, id, SECTION_SLICE_IN);
	struct packet *to = ring_add(&r);
	*to = *p;
	to->ready = lookup_cycle(&s->m->config, clock);
	memory_visit(s->m, id, to->ready);
	SET_ADD(machine_gpu(s->m)->slice_set, id);
}

u32 slice_refuses(const struct sim *s, const struct slice *slice, u64 clock)
{
	if (slice->in_free > clock)
		return STAT_ICNT_REFUSED_SLICE;
	return slice->in_count >= s->m->section[SECTION_SLICE_IN].count ? STAT_ICNT_REFUSED_QUEUE : NONE32;
}

/* A request that leaves its SM for a slice. */
static void memory_send_request(struct sim *s, u32 sm, u32 id, const struct packet *p, u64 clock)
{
	u32 cycles = packet_length(s->m, p, false);
	struct slice *slice = machine_slice_section(s->m, id, SECTION_SLICE);
	struct port *port = s->view[sm].port;
	memory_enqueue(s, id, p, clock + cycles - 1);
	port->misses -= p->kind == PACKET_READ;
	port->out_free = slice->in_free = clock + cycles;
}

void request_leaves(struct sim *s, u32 sm, u32 id, u32 k, u64 clock)
{
	struct gpu *g = machine_gpu(s->m);
	struct ring r = port_ring(s->m, sm, SECTION_OUT);
	memory_send_request(s, sm, id, ring_at(&r, k), clock);
	s->view[sm].sm->stat[STAT_ICNT_PASSED] += k != 0;
	ring_take(&r, k);
	struct sleep *sleep = s->view[sm].sleep;
	if ((sleep->refusal == REFUSED_QUEUE || sleep->refusal == REFUSED_INTERCONNECT) && s->ahead[sm] <= g->cycle)
		sleep->until = min_u64(sleep->until, g->cycle);
	if (!*r.count)
		SET_DEL(g->out_set, sm);
}

/* Move a request of an SM to its slice if both ports and the slice's queue allow. */
static void memory_move_request(struct sim *s, u32 sm, u64 clock)
{
	struct gpu *g = machine_gpu(s->m);
	struct port *port = s->view[sm].port;
	struct ring r = port_ring(s->m, sm, SECTION_OUT);
	u32 n = min_u32(s->m->config.icnt_pass, port->out_count), head = NONE32, id;
	if (port->out_free > clock || ring_ready(&r) > g->cycle)
		return;
	for (u32 k = 0;; k++) {
		if (k == n || ring_at(&r, k)->ready > g->cycle) {
			s->view[sm].sm->stat[head]++;
			return;
		}
		id = slice_asked(s->m, sm, ring_at(&r, k)->line);
		u32 why = slice_refuses(s, machine_slice_section(s->m, id, SECTION_SLICE), clock);
		if (why == NONE32) {
			request_leaves(s, sm, id, k, clock);
			return;
		}
		head = k ? head : why;
	}
}

/* Requests of all SMs that have any, in an order that rotates with the cycle. */
static void memory_move_requests(struct sim *s, u64 clock)
{
	struct gpu *g = machine_gpu(s->m);
	u64 set[4] = {g->out_set[0], g->out_set[1], g->out_set[2], g->out_set[3]};
	u32 first = (u32)(g->cycle % s->m->config.gpu_sms);
	for (u32 sm = set_next(set, 4, first); sm != NONE32; sm = set_next(set, 4, first)) {
		SET_DEL(set, sm);
		memory_move_request(s, sm, clock);
		first = sm + 1 == 256 ? 0 : sm + 1;
	}
}

u32 sm_refuses(const struct sm_view *v, u64 clock)
{
	if (v->port->in_free > clock)
		return STAT_ICNT_REFUSED_SM;
	return v->port->in_count >= v->in_size ? STAT_ICNT_REFUSED_ANSWERS : NONE32;
}

/* An answer that leaves its slice. */
static void memory_send_answer(struct sim *s, struct slice *slice, struct packet *p, u64 clock)
{
	struct sm_view *v = &s->view[p->sm];
	struct port *port = v->port;
	struct ring in = port_ring(s->m, p->sm, SECTION_IN);
	u32 cycles = packet_length(s->m, p, true);
	p->ready = domain_cycle(&s->m->config, s->m->config.icnt_clock, clock + s->m->config.icnt_latency + cycles - 1);
	*ring_add(&in) = *p;
	INVARIANT(s->ahead[p->sm] <= p->ready);
	v->away.requests--;
	v->sleep->until = min_u64(v->sleep->until, p->ready);
	port->in_free = slice->out_free = clock + cycles;
}

void answer_leaves(struct sim *s, u32 id, u32 k, u64 clock)
{
	struct slice *slice = machine_slice_section(s->m, id, SECTION_SLICE);
	struct ring r = slice_ring(s->m, id, SECTION_SLICE_OUT);
	memory_send_answer(s, slice, ring_at(&r, k), clock);
	slice->stat[STAT_ICNT_PASSED_ANSWERS] += k != 0;
	ring_take(&r, k);
	if (slice->out_count)
		return;
	SET_DEL(memory_visits(s->m)->answers, id);
	if (!slice->in_count && !slice->far_count)
		SET_DEL(machine_gpu(s->m)->slice_set, id);
}

/* Move an answer of a slice to its SM. */
static void memory_move_answer(struct sim *s, struct slice *slice, u32 id, u64 clock)
{
	const struct gpu *g = machine_gpu(s->m);
	struct ring r = slice_ring(s->m, id, SECTION_SLICE_OUT);
	u32 n = min_u32(s->m->config.icnt_pass, slice->out_count), head = NONE32;
	if (slice->out_free > clock || ring_ready(&r) > g->cycle)
		return;
	for (u32 k = 0;; k++) {
		if (k == n || ring_at(&r, k)->ready > g->cycle) {
			slice->stat[head]++;
			return;
		}
		u32 why = sm_refuses(&s->view[ring_at(&r, k)->sm], clock);
		if (why == NONE32) {
			answer_leaves(s, id, k, clock);
			return;
		}
		head = k ? head : why;
	}
}

/* Answers of all slices, in an order that rotates with the cycle. */
static void memory_move_answers(struct sim *s, u64 clock)
{
	struct gpu *g = machine_gpu(s->m);
	const struct visits *visits = memory_visits(s->m);
	u64 set[2] = {visits->answers[0], visits->answers[1]};
	u32 first = (u32)(g->cycle % s->m->config.l2_slices);
	for (u32 id = set_next(set, 2, first); id != NONE32; id = set_next(set, 2, first)) {
		SET_DEL(set, id);
		memory_move_answer(s, machine_slice_section(s->m, id, SECTION_SLICE), id, clock);
		first = id + 1 == 128 ? 0 : id + 1;
	}
}

/* Slices whose time has come: one request each. */
static void memory_serve_slices(struct sim *s, u64 clock)
{
	struct visits *visits = memory_visits(s->m);
	const struct gpu *g = machine_gpu(s->m);
	u64 set[2] = {g->slice_set[0], g->slice_set[1]};
	if (visits->soonest > g->cycle)
		return;
	visits->soonest = NEVER;
	SET_EACH (id, set, 2) {
		if (visits->due[id] <= g->cycle)
			l2_cycle(s, id, clock);
		visits->soonest = min_u64(visits->soonest, visits->due[id]);
	}
}

/* One clock of the interconnect. */
static void memory_cross(struct sim *s, u64 clock)
{
	const struct gpu *g = machine_gpu(s->m);
	const struct visits *visits = memory_visits(s->m);
	bool slip = s->m->config.icnt_arbiter;
	if (visits->answers[0] | visits->answers[1])
		slip ? slip_answers(s, clock) : memory_move_answers(s, clock);
	if (gpu_set_any(g->out_set))
		slip ? slip_requests(s, clock) : memory_move_requests(s, clock);
}

u64 memory_next_cycle(struct sim *s)
{
	struct gpu *g = machine_gpu(s->m);
	const struct visits *visits = memory_visits(s->m);
	if (visits->answers[0] | visits->answers[1] || visits->soonest <= g->cycle)
		return g->cycle;
	return min_u64(visits->soonest, max_u64(dram_next_cycle(s), g->cycle));
}

/* Stage memory. */
void gpu_memory(struct sim *s)
{
	const struct gpu *g = machine_gpu(s->m);
	const struct config *c = &s->m->config;
	const struct visits *visits = memory_visits(s->m);
	u64 now = g->cycle;
	if (g->channel_set)
		dram_cycle(s);
	if (visits->soonest <= now) {
		u64 end = domain_clock(c, c->l2_clock, now + 1);
		for (u64 k = domain_clock(c, c->l2_clock, now); k < end; k++)
			memory_serve_slices(s, k);
	}
	if (visits->answers[0] || visits->answers[1] || gpu_set_any(g->out_set)) {
		u64 end = domain_clock(c, c->icnt_clock, now + 1);
		for (u64 k = domain_clock(c, c->icnt_clock, now); k < end; k++)
			memory_cross(s, k);
	}
}
