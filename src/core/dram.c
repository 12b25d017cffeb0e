/*
 * dram.c - DRAM channels: bandwidth and latency, first come first served, in their own clock.
 *
 * A request takes the data bus for sectors x 32 / dram.bytes clocks; its data are there dram.latency clocks after its turn.
 * Deviation: banks, rows and FR-FCFS are not modelled yet, so every access costs the same.
 */
#include "memory.h"

u64 dram_clock(const struct machine *m, u64 cycle)
{
	return cycle * m->config.dram_clock / m->config.gpu_clock;
}

static u32 channel_of(const struct machine *m, u32 slice) { return slice % m->config.dram_channels; }

bool dram_room(struct sim *s, u32 slice, u32 n)
{
	const struct channel *ch = machine_channel_section(s->m, channel_of(s->m, slice), SECTION_CHANNEL);
	return ch->queue_count + n <= s->m->config.dram_queue;
}

bool dram_request(struct sim *s, u32 slice, u64 line, u32 mshr, u32 keep)
{
	u32 id = channel_of(s->m, slice), size = s->m->config.dram_queue;
	struct channel *ch = machine_channel_section(s->m, id, SECTION_CHANNEL);
	struct dreq *queue = machine_channel_section(s->m, id, SECTION_DQUEUE);
	if (!dram_room(s, slice, 1 + keep))
		return false;
	u32 at = ch->queue_head + ch->queue_count++;
	queue[at >= size ? at - size : at] = (struct dreq){ .line = line, .slice = (u16)slice, .mshr = (u16)mshr };
	machine_gpu(s->m)->channel_set |= 1ULL << id;
	return true;
}

/* The head request gets the data bus. */
static void start(struct sim *s, u32 id, struct channel *ch, u64 clock)
{
	struct dreq *queue = machine_channel_section(s->m, id, SECTION_DQUEUE);
	struct dreq *done = machine_channel_section(s->m, id, SECTION_DDONE);
	struct dreq q = queue[ch->queue_head];
	u32 sectors = (u32)__builtin_popcountll(q.line & 15), size = s->m->section[SECTION_DDONE].count;
	u32 burst = ceil_div(sectors * 32, s->m->config.dram_bytes);
	ch->queue_head = ch->queue_head + 1 == s->m->config.dram_queue ? 0 : ch->queue_head + 1;
	ch->queue_count--;
	ch->bus_free = clock + burst;
	ch->stat[STAT_DRAM_BUSY] += burst;
	ch->stat[q.mshr == NONE16 ? STAT_DRAM_WRITES : STAT_DRAM_READS] += sectors;
	if (q.mshr == NONE16)
		return;
	q.ready = clock + burst + s->m->config.dram_latency;
	u32 at = ch->done_head + ch->done_count++;
	done[at >= size ? at - size : at] = q;
}

/* Data that have come go to their slice; false: it has no room now. */
static bool finish(struct sim *s, u32 id, struct channel *ch)
{
	struct dreq *done = machine_channel_section(s->m, id, SECTION_DDONE);
	const struct dreq *q = &done[ch->done_head];
	if (!l2_fill(s, q->slice, q->mshr, q->line))
		return false;
	ch->done_head = ch->done_head + 1 == s->m->section[SECTION_DDONE].count ? 0 : ch->done_head + 1;
	ch->done_count--;
	return true;
}

/* One DRAM clock of a channel. */
static void tick(struct sim *s, u32 id, u64 clock)
{
	struct channel *ch = machine_channel_section(s->m, id, SECTION_CHANNEL);
	const struct dreq *done = machine_channel_section(s->m, id, SECTION_DDONE);
	while (ch->done_count && done[ch->done_head].ready <= clock && finish(s, id, ch))
		;
	if (ch->queue_count && ch->bus_free <= clock && ch->done_count < s->m->section[SECTION_DDONE].count)
		start(s, id, ch, clock);
	if (!ch->queue_count && !ch->done_count)
		machine_gpu(s->m)->channel_set &= ~(1ULL << id);
}

void dram_cycle(struct sim *s)
{
	struct gpu *g = machine_gpu(s->m);
	u64 from = dram_clock(s->m, g->cycle), to = dram_clock(s->m, g->cycle + 1);
	for (u64 clock = from; clock < to; clock++)
		for (u64 set = g->channel_set; set; set &= set - 1)
			tick(s, (u32)__builtin_ctzll(set), clock);
}
