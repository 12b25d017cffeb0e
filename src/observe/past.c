/* past.c - stations along a run (past.h). */
#include "counters.h"
#include "past.h"

#define STRIDE 256 /* cycles between two looks at how many instructions there were */

static u32 bit_of(u64 address)
{
	return (u32)(mix64(address / 64) & (PAST_BITS - 1));
}

/* Told of a write to global memory: self is the bits. */
static void writes(void *self, const struct sim *s UNUSED, u32 sm UNUSED, const struct write_entry *w)
{
	u64 *const *bits = self;

	for (u64 at = w->address / 64; at <= (w->address + w->bytes - 1) / 64; at++)
		(*bits)[bit_of(at * 64) / 64] |= 1ULL << bit_of(at * 64) % 64;
}

static void performed(void *self UNUSED, const struct performed *p UNUSED) {}

static void landed(void *self UNUSED, const struct sim *s UNUSED, u32 sm UNUSED, u32 context UNUSED, u32 pc UNUSED,
		   u32 mask UNUSED)
{
}

/* A station where a fork stands. */
static void lay(struct past *p, const struct sim *fork, u32 applied)
{
	struct station *x = &p->station[p->n++];

	sim_fork(&x->sim, fork);
	x->sim.bus.want = 0;
	x->applied = applied;
	x->cycle = sim_clock(fork);
	x->written = xcalloc(PAST_BITS / 64, sizeof(*x->written));
}

static void drop(struct station *x)
{
	sim_close(&x->sim);
	free(x->written);
}

/* Every other one goes; what its stretch wrote, the one before has written. */
static void thin(struct past *p)
{
	u32 kept = 0;

	for (u32 i = 0; i < p->n; i++) {
		if (i % 2) {
			for (u32 k = 0; k < PAST_BITS / 64; k++)
				p->station[kept - 1].written[k] |= p->station[i].written[k];
			drop(&p->station[i]);
		} else {
			p->station[kept++] = p->station[i];
		}
	}
	p->n = kept;
	p->issues *= 2;
}

/* Live on from the last station to a cycle, in a fork of it. */
static bool live(struct past *p, const struct timeline *t, u64 to)
{
	u64 *bits = p->station[p->n - 1].written, since;
	const struct listener l = {&bits, performed, writes, landed};
	struct sim fork;
	u32 applied = p->station[p->n - 1].applied;

	sim_fork(&fork, &p->station[p->n - 1].sim);
	sim_listen(&fork, &l);
	since = sim_sm_stat(&fork, STAT_INST_WARP);
	for (u64 c = sim_clock(&fork); c < to && !timeline_interrupt;) {
		c = min_u64(c + STRIDE, to);
		timeline_follow(t, &fork, &applied, (struct position){c, 0});
		if (sim_sm_stat(&fork, STAT_INST_WARP) - since < p->issues || sim_clock(&fork) != c)
			continue;
		if (p->n == PAST_STATIONS)
			thin(p);
		lay(p, &fork, applied);
		since = sim_sm_stat(&fork, STAT_INST_WARP);
		bits = p->station[p->n - 1].written;
	}
	sim_close(&fork);
	p->end = to;
	return !timeline_interrupt;
}

bool past_lay(struct past *p, const struct timeline *t, u64 to)
{
	if (!p->n) {
		struct sim fork;
		u32 applied;

		p->least = p->least ? p->least : PAST_ISSUES;
		p->issues = p->least;
		timeline_fork(t, (struct position){0, 0}, &fork, &applied);
		lay(p, &fork, applied);
		sim_close(&fork);
	}
	return p->end >= to || live(p, t, to);
}

bool past_within(struct past *p, const struct past *of, u32 stretch, const struct timeline *t, u64 to)
{
	const struct station *x = &of->station[stretch];

	*p = (struct past){.least = of->least, .issues = of->least, .end = x->cycle};
	lay(p, &x->sim, x->applied);
	return live(p, t, to);
}

u32 past_stretch(const struct past *p, u64 cycle)
{
	u32 i = p->n - 1;

	while (i && p->station[i].cycle >= cycle)
		i--;
	return i;
}

bool past_writes(const struct past *p, u32 stretch, u64 address, u32 bytes)
{
	const u64 *bits = p->station[stretch].written;

	return bits[bit_of(address) / 64] >> bit_of(address) % 64 & 1 ||
	       bits[bit_of(address + bytes - 1) / 64] >> bit_of(address + bytes - 1) % 64 & 1;
}

void past_free(struct past *p)
{
	for (u32 i = 0; i < p->n; i++)
		drop(&p->station[i]);
	p->n = 0;
}
