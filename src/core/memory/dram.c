/*
 * dram.c - DRAM channels: queues, first ready first come first served with open rows, turns of reading and writing.
 *
 * Each bank keeps its waiting reads and writes in order of arrival and picks the oldest that finds its row open, else
 * the oldest of all; a request that has waited dram.starve clocks is picked before those. In a clock the oldest pick
 * that may have a column command gets it, and the oldest that may have a row command gets that (with dram.dual off one
 * of the two, columns first). A channel reads until dram.write_high writes wait or nothing is left to read, and writes
 * until dram.write_low are left; a turn is bounded both ways. With dram.mixed reads and writes are one list and there
 * are no turns: whatever may have a command first goes first. Data of a read are there CL + burst + dram.latency clocks
 * after its last column command. Timing is dram_bank.c's.
 */
#include "memory/lsu.h"
#include "memory/memory.h"

u64 dram_clock(const struct machine *m, u64 cycle)
{
	return domain_clock(&m->config, m->config.dram_clock, cycle);
}

static u32 dram_channel_of(const struct machine *m, u32 slice)
{
	return slice % m->config.dram_channels;
}

/* Writes waiting at which a turn of writing begins, at most half the queue; and those at which it ends. */
static u32 dram_high_mark(const struct config *c)
{
	return min_u32(c->dram_write_high, max_u32(1, c->dram_queue / 2));
}
static u32 dram_low_mark(const struct config *c)
{
	return min_u32(c->dram_write_low, dram_high_mark(c) / 2);
}

/* --- queues --- */

/* The request of a bank to serve next. */
static u16 dram_choose(const struct dram_view *v, const struct dbank *b, u32 write)
{
	for (u16 i = b->first[write]; b->row && i != NONE16; i = v->queue[i].next)
		if (v->queue[i].row == b->row)
			return i;
	return b->first[write];
}

/* Put a request at the end of its bank's list. */
static void dram_append(struct dram_view *v, u16 at, u32 write)
{
	struct dreq *q = &v->queue[at];
	struct dbank *b = &v->bank[q->bank];
	if (b->first[write] == NONE16)
		b->first[write] = b->pick[write] = at;
	else
		v->queue[b->last[write]].next = at;
	b->last[write] = at;
	const struct dreq *pick = &v->queue[b->pick[write]];
	if (pick->row != b->row && q->row == b->row && !pick->starved)
		b->pick[write] = at;
	v->ch->pending[write] |= 1ULL << q->bank;
	v->ch->waiting[write]++;
}

bool dram_full(struct sim *s, u32 slice)
{
	const struct channel *ch = machine_channel_section(s->m, dram_channel_of(s->m, slice), SECTION_CHANNEL);
	return ch->waiting[0] + ch->waiting[1] + 2 > s->m->config.dram_queue;
}

bool dram_request(struct sim *s, u32 slice, u64 line, u32 mshr, u32 keep)
{
	struct dram_view v = dram_view(s, dram_channel_of(s->m, slice));
	const struct config *c = &s->m->config;
	struct gpu *g = machine_gpu(s->m);
	u16 at = v.ch->queue_free;
	if (v.ch->waiting[0] + v.ch->waiting[1] + 1 + keep > c->dram_queue)
		return false;
	INVARIANT(at != NONE16);
	v.ch->queue_free = v.queue[at].next;
	u32 bytes = (u32)__builtin_popcountll(line & 15) * 32;
	v.queue[at] = (struct dreq){.next = NONE16,
				    .slice = (u16)slice,
				    .mshr = (u16)mshr,
				    .line = line,
				    .columns = (u16)ceil_div(bytes, c->dram_bytes * c->dram_burst),
				    .clock = dram_clock(s->m, g->cycle + 1),
				    .order = v.ch->order++};
	dram_place(s->m, line, slice, &v.queue[at]);
	dram_append(&v, at, mshr == NONE16 && !c->dram_mixed);
	v.ch->next = 0;
	memory_visits(s->m)->channel = 0;
	g->channel_set |= 1ULL << v.id;
	return true;
}

/* Is a request a write? Nothing waits for it in the L2. */
static bool dram_is_write(const struct dreq *q)
{
	return q->mshr == NONE16;
}

/* A request has had its last column command: it leaves its bank's list, a read goes into service. */
static void dram_leave(struct dram_view *v, u16 at, u32 write, u64 clock)
{
	struct dreq *q = &v->queue[at];
	struct dbank *b = &v->bank[q->bank];
	u16 prev = NONE16, i = b->first[write];
	for (; i != at; i = v->queue[i].next)
		prev = i;
	if (prev == NONE16)
		b->first[write] = q->next;
	else
		v->queue[prev].next = q->next;
	if (b->last[write] == at)
		b->last[write] = prev;
	b->pick[write] = dram_choose(v, b, write);
	if (b->first[write] == NONE16)
		v->ch->pending[write] &= ~(1ULL << q->bank);
	v->ch->waiting[write]--;
	if (!dram_is_write(q)) {
		u32 size = v->m->section[SECTION_DDONE].count, to = v->ch->done_head + v->ch->done_count++;
		q->clock = clock + v->m->config.dram_cl + v->m->config.dram_burst + v->m->config.dram_latency;
		v->done[to >= size ? to - size : to] = *q;
	}
	*q = (struct dreq){.next = v->ch->queue_free};
	v->ch->queue_free = at;
}

/* --- commands --- */

/* A column command of a request; with the last one it is served. */
static void dram_column(struct dram_view *v, u16 at, u32 write, u64 clock)
{
	struct dreq *q = &v->queue[at];
	struct dbank *b = &v->bank[q->bank];
	dram_column_command(v, q, dram_is_write(q), clock);
	if (q->columns)
		return;
	v->ch->stat[dram_is_write(q) ? STAT_DRAM_WRITES : STAT_DRAM_READS] += (u32)__builtin_popcountll(q->line & 15);
	v->ch->stat[STAT_DRAM_REQUESTS]++;
	v->ch->stat[STAT_DRAM_ROW_HITS] += !q->opened;
	b->requests++;
	b->row_hits += !q->opened;
	dram_leave(v, at, write, clock);
}

/* A row command for a request: its bank's row changes, and with it what the bank picks. True: its row is open now. */
static bool dram_row(struct dram_view *v, u16 at, u32 write, u64 clock)
{
	struct dreq *q = &v->queue[at];
	struct dbank *b = &v->bank[q->bank];
	bool open = dram_row_command(v, q, clock);
	b->pick[!write] = dram_choose(v, b, !write);
	return open;
}

/* Is the ring of reads in service full? */
static bool dram_service_full(const struct dram_view *v)
{
	return v->ch->done_count == v->m->section[SECTION_DDONE].count;
}

/* Whose turn it is: 0 reads, 1 writes. */
static u32 dram_take_turn(struct dram_view *v, u64 clock)
{
	const struct config *c = &v->m->config;
	struct channel *ch = v->ch;
	u32 writes = ch->waiting[1], reads = dram_service_full(v) ? 0 : ch->waiting[0], low = dram_low_mark(c);
	u64 lasted = clock - ch->since;
	bool change = ch->writing ? !writes || (reads && (writes <= low || lasted >= c->dram_starve))
				  : writes && (!reads || (writes >= dram_high_mark(c) && lasted >= c->dram_turn) ||
					       (writes > low && lasted >= c->dram_starve));
	if (change) {
		ch->writing = !ch->writing;
		ch->since = clock;
		ch->stat[STAT_DRAM_TURNS] += ch->writing;
	}
	return ch->writing;
}

/* The next clock at which the turn may change of itself. */
static u64 dram_turn_ends(const struct dram_view *v)
{
	const struct channel *ch = v->ch;
	const struct config *c = &v->m->config;
	if (ch->waiting[!ch->writing] <= (ch->writing ? 0 : dram_low_mark(c)))
		return NEVER;
	return ch->since + (!ch->writing && ch->waiting[1] >= dram_high_mark(c) ? min_u32(c->dram_turn, c->dram_starve)
										: c->dram_starve);
}

/* What a look at the banks found: the oldest request for each command bus, and when there may be more. */
struct look {
	u16 column, row;
	u64 column_order, row_order, next;
};

/* The request that a bank picks, which is its oldest if that has waited too long. */
static u16 dram_picked(struct dram_view *v, struct dbank *b, u32 write, u64 clock, struct look *l)
{
	u16 pick = b->pick[write], first = b->first[write];
	if (pick == first)
		return pick;
	struct dreq *q = &v->queue[first];
	u64 patience = q->clock + v->m->config.dram_starve;
	if (patience > clock) {
		l->next = min_u64(l->next, patience);
		return pick;
	}
	q->starved = 1;
	v->ch->stat[STAT_DRAM_STARVED]++;
	return b->pick[write] = first;
}

/* One bank: what could it do now? */
static void dram_look_at(struct dram_view *v, u32 bank, u32 write, u64 clock, struct look *l)
{
	struct dbank *b = &v->bank[bank];
	u16 at = dram_picked(v, b, write, clock, l);
	const struct dreq *q = &v->queue[at];
	bool hit = b->row == q->row;
	u64 when = hit ? dram_column_at(v, q, dram_is_write(q)) : dram_row_at(v, q);
	if (when > clock)
		l->next = min_u64(l->next, when);
	else if (hit && q->order < l->column_order) {
		l->column = at;
		l->column_order = q->order;
	} else if (!hit && q->order < l->row_order) {
		l->row = at;
		l->row_order = q->order;
	}
}

/* The commands of one clock. */
static void dram_issue(struct dram_view *v, u64 clock)
{
	if (dram_refresh(v, clock))
		return;
	u32 write = dram_take_turn(v, clock);
	struct look l = {
		.column = NONE16, .row = NONE16, .column_order = NEVER, .row_order = NEVER, .next = dram_turn_ends(v)};
	bool dual = v->m->config.dram_dual;
	if (write || !dram_service_full(v))
		for (u64 set = v->ch->pending[write]; set; set &= set - 1)
			dram_look_at(v, (u32)__builtin_ctzll(set), write, clock, &l);
	v->ch->next = l.column == NONE16 && l.row == NONE16 ? l.next : clock + 1;
	if (l.row != NONE16 && l.column != NONE16 && !dual) {
		if (v->queue[l.row].starved)
			l.column = NONE16;
		else
			l.row = NONE16;
	}
	if (l.row != NONE16 && dram_row(v, l.row, write, clock) && dual && l.row_order < l.column_order &&
	    dram_column_at(v, &v->queue[l.row], dram_is_write(&v->queue[l.row])) <= clock)
		l.column = l.row;
	if (l.column != NONE16)
		dram_column(v, l.column, write, clock);
	if (v->m->config.dram_refi)
		v->ch->next = min_u64(v->ch->next, v->ch->refresh_due);
}

/* Data that have come go to their slices, in order, while these have room. */
static void dram_finish(struct dram_view *v, u64 clock)
{
	struct channel *ch = v->ch;
	while (ch->done_count && v->done[ch->done_head].clock <= clock) {
		const struct dreq *q = &v->done[ch->done_head];
		if (!l2_fill(v->sim, q->slice, q->mshr, q->line)) {
			ch->stat[STAT_DRAM_REFUSED]++;
			return;
		}
		if (dram_service_full(v))
			ch->next = 0;
		ch->done_head = ch->done_head + 1 == v->m->section[SECTION_DDONE].count ? 0 : ch->done_head + 1;
		ch->done_count--;
	}
}

/* The DRAM clock at which a channel has something to do; NEVER: it is empty. */
static inline u64 dram_channel_next(const struct channel *ch, const struct dreq *done)
{
	u64 next = ch->waiting[0] + ch->waiting[1] ? ch->next : NEVER;
	return ch->done_count ? min_u64(next, done[ch->done_head].clock) : next;
}

/* The same by its number. */
static inline u64 dram_next_of(struct sim *s, u32 id)
{
	return dram_channel_next(machine_channel_section(s->m, id, SECTION_CHANNEL),
				 machine_channel_section(s->m, id, SECTION_DDONE));
}

/* The clocks [from, to) of one channel. */
static void dram_channel_cycle(struct sim *s, u32 id, u64 from, u64 to)
{
	struct dram_view v = dram_view(s, id);
	for (u64 clock = from; clock < to && dram_channel_next(v.ch, v.done) < to; clock++) {
		dram_finish(&v, clock);
		if (v.ch->next <= clock)
			dram_issue(&v, clock);
	}
	if (!v.ch->waiting[0] && !v.ch->waiting[1] && !v.ch->done_count)
		machine_gpu(s->m)->channel_set &= ~(1ULL << id);
}

void dram_cycle(struct sim *s)
{
	const struct gpu *g = machine_gpu(s->m);
	struct visits *visits = memory_visits(s->m);
	u64 to = dram_clock(s->m, g->cycle + 1);
	if (visits->channel >= to)
		return;
	u64 from = dram_clock(s->m, g->cycle);
	visits->channel = NEVER;
	for (u64 set = g->channel_set; set; set &= set - 1) {
		u32 id = (u32)__builtin_ctzll(set);
		if (from < to && dram_next_of(s, id) < to)
			dram_channel_cycle(s, id, from, to);
		visits->channel = min_u64(visits->channel, dram_next_of(s, id));
	}
}

u64 dram_next_cycle(struct sim *s)
{
	u64 next = machine_gpu(s->m)->channel_set ? memory_visits(s->m)->channel : NEVER;
	return next == NEVER ? NEVER : domain_cycle(&s->m->config, s->m->config.dram_clock, next);
}
