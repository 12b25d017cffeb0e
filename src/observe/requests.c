/*
 * requests.c - where the requests of SMs are in the memory system, found by looking through its queues.
 *
 * "At the earliest" assumes free ports and, before the tags have been looked up, an L2 hit.
 */
#include "ring.h"
#include "why.h"

const char *const request_level_name[REQUEST_LEVEL_COUNT] = {
	[REQUEST_PORT] = "port",    [REQUEST_L2] = "l2",	  [REQUEST_DRAM_QUEUE] = "dram queue",
	[REQUEST_DRAM] = "dram",    [REQUEST_MERGED] = "l2 mshr", [REQUEST_ANSWER] = "answer",
	[REQUEST_RETURN] = "return"};
const char *const request_kind_name[9] = {
	"read", "write", "atomic", "fetch", "reduction", "constants", "save", "restore", "load bypassing the L1D"};

/* What is being collected. */
struct search {
	const struct sim *sim;
	struct machine *m;
	u32 sm; /* NONE32: all */
	struct request *out;
	u32 n, room;
	const struct dreq *at; /* of the request that is added, in the DRAM; NULL: it is not there */
};

/* The cycle in which an answer that the slice gives in cycle `at` is back. */
static u64 back(const struct search *f, const struct packet *p, u64 at)
{
	const struct config *c = &f->m->config;
	u64 clock = domain_clock(c, c->icnt_clock, max_u64(at, machine_gpu(f->m)->cycle));

	return domain_cycle(c, c->icnt_clock, clock + c->icnt_latency + packet_length(f->m, p, true) - 1) + 1;
}

/* The cycle in which a request that leaves its port in cycle `at` has been looked up in the L2. */
static u64 there(const struct search *f, u64 at)
{
	const struct config *c = &f->m->config;

	return lookup_cycle(c, domain_clock(c, c->icnt_clock, at));
}

u32 load_wanted_by(struct machine *m, u32 sm, u32 first, u32 wanted)
{
	const struct warp *w = machine_sm_section(m, sm, SECTION_WARP);
	const struct load *load = machine_sm_section(m, sm, SECTION_LOAD);

	for (u32 at = first + 1; at; at = wanted ? load[at - 1].mate : 0) {
		const struct load *l = &load[at - 1];

		if ((!wanted || wanted >> l->context % m->config.sm_subcores & 1) &&
		    w[l->context].generation == l->generation)
			return l->context;
	}
	return NONE16;
}

bool load_wants(const struct sim *sim, u32 sm, u32 load, u32 first, u32 wanted)
{
	const struct load *l = (const struct load *)machine_sm_section(sim->m, sm, SECTION_LOAD) + load;

	if (!wanted)
		return load == first;
	return l->leads == first + 1 && wanted >> l->context % sim->m->config.sm_subcores & 1;
}

/* Does no warp wait any more for the acknowledgment of a write? */
static bool is_gone(const struct search *f, const struct packet *p)
{
	const struct warp *w = machine_sm_section(f->m, p->sm, SECTION_WARP);

	if (p->mates)
		return load_wanted_by(f->m, p->sm, p->tag, p->mates) == NONE16;
	return w[p->tag].departed != p->departed;
}

/* Add a packet that is at a level. */
static void add(struct search *f, const struct packet *p, enum request_level level, u32 place, u32 ahead, u64 earliest)
{
	bool gone = (p->kind == 1 || p->kind == 4) && is_gone(f, p);

	if (f->sm != NONE32 && p->sm != f->sm)
		return;
	if (f->n < f->room)
		f->out[f->n] = (struct request){.line = p->line,
						.born = p->born + 1,
						.earliest = earliest,
						.sm = p->sm,
						.tag = p->tag,
						.place = (u16)place,
						.ahead = (u16)ahead,
						.kind = p->kind,
						.level = (u8)level,
						.gone = gone,
						.mates = p->mates,
						.bank = f->at ? f->at->bank : NONE16,
						.opened = f->at ? f->at->opened : 0,
						.ready = level == REQUEST_DRAM_QUEUE || level == REQUEST_DRAM ||
									 level == REQUEST_MERGED
								 ? 0
								 : p->ready};
	f->n++;
}

/* Requests and answers at the port of one SM. */
static void search_port(struct search *f, u32 sm)
{
	struct ring out = port_ring(f->m, sm, SECTION_OUT), in = port_ring(f->m, sm, SECTION_IN);

	for (u32 i = 0; i < *out.count; i++) {
		const struct packet *p = ring_at(&out, i);

		add(f, p, REQUEST_PORT, NONE16, i,
		    back(f, p, there(f, max_u64(p->ready, machine_gpu(f->m)->cycle)) + 1));
	}
	for (u32 i = 0; i < *in.count; i++)
		add(f, ring_at(&in, i), REQUEST_RETURN, NONE16, i, ring_at(&in, i)->ready + 1);
}

/* The read of an L2 MSHR in the queue of a channel, bank by bank; NULL if it is not there. */
static const struct dreq *search_queue(const struct search *f, u32 channel, u32 slice, u32 mshr)
{
	const struct dbank *bank = machine_channel_section(f->m, channel, SECTION_DBANK);
	const struct dreq *queue = machine_channel_section(f->m, channel, SECTION_DQUEUE);

	for (u32 b = 0; b < f->m->config.dram_banks; b++)
		for (u32 at = bank[b].first[0]; at != NONE16; at = queue[at].next)
			if (queue[at].slice == slice && queue[at].mshr == mshr)
				return &queue[at];
	return NULL;
}

/* Reads of a channel that came before one of order `order`. */
static u32 reads_before(const struct search *f, u32 channel, u64 order)
{
	const struct dbank *bank = machine_channel_section(f->m, channel, SECTION_DBANK);
	const struct dreq *queue = machine_channel_section(f->m, channel, SECTION_DQUEUE);
	u32 n = 0;

	for (u32 b = 0; b < f->m->config.dram_banks; b++)
		for (u32 at = bank[b].first[0]; at != NONE16; at = queue[at].next)
			n += queue[at].order < order;
	return n;
}

/* Where at its channel the request of an L2 MSHR is; its answer goes out in *at at the earliest (its row open, its bank
 * free). */
static enum request_level search_channel(struct search *f, u32 slice, u32 mshr, u32 *ahead, u64 *at)
{
	const struct config *c = &f->m->config;
	u32 id = slice % c->dram_channels, size = f->m->section[SECTION_DDONE].count;
	const struct channel *ch = machine_channel_section(f->m, id, SECTION_CHANNEL);
	const struct dreq *done = machine_channel_section(f->m, id, SECTION_DDONE);
	const struct dreq *q = search_queue(f, id, slice, mshr);
	u64 now = machine_gpu(f->m)->cycle, clock = domain_clock(c, c->dram_clock, now);

	*ahead = 0;
	f->at = q;
	if (q) {
		*ahead = reads_before(f, id, q->order);
		*at = domain_cycle(c, c->dram_clock, clock + c->dram_cl + c->dram_burst + c->dram_latency) + 1;
		return REQUEST_DRAM_QUEUE;
	}
	for (u32 i = 0; i < ch->done_count; i++) {
		q = &done[(ch->done_head + i) % size];
		if (q->slice != slice || q->mshr != mshr)
			continue;
		f->at = q;
		*ahead = i;
		*at = max_u64(domain_cycle(c, c->dram_clock, q->clock), now) + 1;
		return REQUEST_DRAM;
	}
	*at = now + 1;
	return REQUEST_MERGED;
}

/* Requests that wait for the MSHRs of a slice. */
static void search_misses(struct search *f, u32 id)
{
	const struct slice *slice = machine_slice_section(f->m, id, SECTION_SLICE);
	const struct mshr *mshr = machine_slice_section(f->m, id, SECTION_L2_MSHR);
	const struct packet *waiter = machine_slice_section(f->m, id, SECTION_L2_WAITER);
	const struct waiter *link = machine_slice_section(f->m, id, SECTION_L2_LINK);
	u32 left = slice->mshrs_used;

	for (u32 i = 0; i < f->m->config.l2_mshrs && left; i++) {
		u32 ahead;
		u64 at;
		enum request_level level;

		if (!mshr[i].line)
			continue;
		left--;
		level = search_channel(f, id, i, &ahead, &at);
		for (u32 w = mshr[i].first, n = 0; n < mshr[i].count; w = link[w].next, n++)
			add(f, &waiter[w], level, id % f->m->config.dram_channels, ahead, back(f, &waiter[w], at));
		f->at = NULL;
	}
}

/* Requests before a slice. */
static void search_ring(struct search *f, u32 id, enum section_id section)
{
	struct ring r = slice_ring(f->m, id, section);

	for (u32 i = 0; i < *r.count; i++) {
		const struct packet *p = ring_at(&r, i);

		add(f, p, REQUEST_L2, id, i, back(f, p, max_u64(p->ready, machine_gpu(f->m)->cycle) + 1));
	}
}

/* Requests and answers in the queues of a slice. */
static void search_slice(struct search *f, u32 id)
{
	struct ring out = slice_ring(f->m, id, SECTION_SLICE_OUT);

	search_ring(f, id, SECTION_SLICE_IN);
	search_ring(f, id, SECTION_SLICE_FAR);
	for (u32 i = 0; i < *out.count; i++)
		add(f, ring_at(&out, i), REQUEST_ANSWER, id, i, back(f, ring_at(&out, i), ring_at(&out, i)->ready));
	search_misses(f, id);
}

u32 requests_loads(const struct sim *sim, u32 sm, u64 *set)
{
	const struct load *load = machine_sm_section(sim->m, sm, SECTION_LOAD);
	const struct sm *x = machine_sm_section(sim->m, sm, SECTION_SM);
	u32 n = sim->m->section[SECTION_LOAD].count, used = n;

	memset(set, 0, LOAD_WORDS * sizeof(*set));
	for (u32 i = 0; i < n; i++)
		set[i / 64] |= 1ULL << (i % 64);
	for (u32 i = x->load_free; i != NONE16; i = load[i].next, used--)
		set[i / 64] &= ~(1ULL << (i % 64));
	return used;
}

u32 requests_list(const struct sim *sim, u32 sm, struct request *out, u32 room)
{
	struct search f = {.sim = sim, .m = sim->m, .sm = sm, .out = out, .room = room};
	u32 n = sim->m->config.gpu_sms;

	for (u32 i = sm == NONE32 ? 0 : sm; i < (sm == NONE32 ? n : sm + 1); i++)
		search_port(&f, i);
	for (u32 i = 0; i < sim->m->config.l2_slices; i++)
		search_slice(&f, i);
	return f.n;
}
