/*
 * l0i.c - L0 instruction caches, one for each sub-core, and their stream buffers (l0i.latency, l1i.stream).
 *
 * A line that a fetch misses is asked for at the L1I, which looks up l1i.ports lines per cycle, the oldest of each
 * sub-core, sub-cores in turn; l0i.latency after it was found there it is in the L0. With l1i.stream a miss also asks
 * for the lines behind it, of the same kernel, into the stream buffer of its sub-core; a fetch that finds its line
 * there takes it into the L0, and the buffer goes on behind it. Lines of the buffer from which fetches have turned away
 * are dropped. Source: Huerta et al., "Dissecting and Modeling the Architecture of Modern GPU Cores", MICRO 2025,
 * sections 5.2 and 6; the buffer is theirs by assumption, of 8 lines by their table 5. Deviation: any line of the
 * buffer may be the next, not its first alone.
 */
#include "memory/l0i.h"
#include "memory/l1i.h"

/* Entries of a sub-core: the first are those of misses. */
static inline u32 l0i_entries(const struct sm_view *v)
{
	return L0I_PENDING + v->m->config.l1i_stream;
}

static inline struct l0i_miss *l0i_of(const struct sm_view *v, u32 sub)
{
	return &v->l0i_miss[sub * l0i_entries(v)];
}

/* The entry of a line (number + 1; 0: a free one) from the first-th on, or NULL. */
static struct l0i_miss *l0i_find(const struct sm_view *v, u32 sub, u32 first, u64 key)
{
	for (u32 i = first; i < l0i_entries(v); i++)
		if (l0i_of(v, sub)[i].line == key)
			return &l0i_of(v, sub)[i];
	return NULL;
}

/* An entry asks for a line. */
static void l0i_ask(struct sm_view *v, struct l0i_miss *e, u64 key, bool ahead)
{
	*e = (struct l0i_miss){.line = key, .order = v->sm->l0i_asked++, .ahead = ahead};
	v->sm->l0i_misses++;
	v->sleep->active = 1;
}

static void l0i_release(struct sm_view *v, struct l0i_miss *e)
{
	*e = (struct l0i_miss){0};
	v->sm->l0i_misses--;
}

static struct tag *l0i_tags(const struct sm_view *v, u32 sub)
{
	return &v->l0i[sub * v->l0i_ways];
}

static void l0i_keep(struct sm_view *v, u32 sub, u64 key)
{
	*tag_victim(l0i_tags(v, sub), v->l0i_ways) = (struct tag){.line = key, .used = ++v->sm->l1i_clock, .valid = 1};
}

/* Does anybody wait for a line? */
static bool l0i_wanted(const struct l0i_miss *e)
{
	u64 any = 0;
	for (u32 i = 0; i < CONTEXT_WORDS; i++)
		any |= e->slots[i];
	return any != 0;
}

/* The stream buffer of a sub-core holds what follows a line that a context's fetch has missed, and no more. */
static void l0i_follow(struct sm_view *v, u32 sub, u32 context, u64 line)
{
	const struct config *c = &v->m->config;
	u32 launch = v->warp[context].launch;
	u64 end = v->sim->code[launch] + (u64)v->sim->kernel[launch]->ninst * c->gpu_inst_bytes;
	for (u32 i = L0I_PENDING; i < l0i_entries(v); i++) {
		struct l0i_miss *e = &l0i_of(v, sub)[i];
		if (e->line && !l0i_wanted(e) && (e->line <= line + 1 || e->line > line + 1 + c->l1i_stream))
			l0i_release(v, e);
	}
	for (u64 key = line + 2; key <= line + 1 + c->l1i_stream && (key - 1) * c->l0i_line < end; key++) {
		struct l0i_miss *e;
		if (tag_find(l0i_tags(v, sub), v->l0i_ways, key) || l0i_find(v, sub, 0, key))
			continue;
		if (!(e = l0i_find(v, sub, L0I_PENDING, 0)))
			return;
		l0i_ask(v, e, key, true);
		v->sm->stat[STAT_STREAM_ISSUED]++;
	}
}

/* A line of the stream buffer is wanted. True: it is there, and in the L0 now. */
static bool l0i_take(struct sm_view *v, u32 sub, u32 context, struct l0i_miss *e)
{
	u64 line = e->line - 1;
	bool there = e->ready && e->ready <= view_cycle(v);
	if (e->ahead) {
		v->sm->stat[STAT_L0I_MISSES]++;
		v->sm->stat[STAT_STREAM_HITS]++;
		v->sm->stat[STAT_STREAM_LATE] += !there;
	}
	if (there) {
		l0i_keep(v, sub, e->line);
		l0i_release(v, e);
	} else {
		SET_ADD(e->slots, context);
	}
	e->ahead = 0;
	if (there)
		l0i_follow(v, sub, context, line);
	return there;
}

bool l0i_look_up(struct sm_view *v, u32 context, u64 line)
{
	u32 sub = view_sub(v, context);
	struct slot *s = &v->slot[v->warp[context].slot];
	struct tag *t = tag_find(l0i_tags(v, sub), v->l0i_ways, line + 1);
	if (t) {
		t->used = ++v->sm->l1i_clock;
		v->sm->stat[STAT_L0I_HITS]++;
		return true;
	}
	struct l0i_miss *e = l0i_find(v, sub, 0, line + 1);
	if (e) {
		s->fetching = !l0i_take(v, sub, context, e);
		return !s->fetching;
	}
	e = l0i_of(v, sub);
	while (e->line && e < l0i_of(v, sub) + L0I_PENDING - 1)
		e++;
	if (e->line) {
		v->sm->stat[STAT_L0I_WAITS]++;
		return false;
	}
	v->sm->stat[STAT_L0I_MISSES]++;
	emit(v, EVENT_L0IMISS, context, s->fetch_pc, line * v->m->config.l0i_line, 0, 0);
	l0i_ask(v, e, line + 1, false);
	SET_ADD(e->slots, context);
	s->fetching = 1;
	l0i_follow(v, sub, context, line);
	return false;
}

/* The oldest entry of a sub-core that the L1I has not looked up, or NULL. */
static struct l0i_miss *l0i_next(const struct sm_view *v, u32 sub)
{
	struct l0i_miss *best = NULL;
	for (u32 i = 0; i < l0i_entries(v); i++) {
		struct l0i_miss *e = &l0i_of(v, sub)[i];
		if (e->line && !e->asked && !e->ready && (!best || (i32)(e->order - best->order) < 0))
			best = e;
	}
	return best;
}

/* A line of the L0 in lines of the L1I. */
static u64 l0i_line_of_l1i(const struct sm_view *v, const struct l0i_miss *e)
{
	return (e->line - 1) * v->m->config.l0i_line / v->m->config.l1i_line;
}

/* The L1I looks a line up: found, it comes; else the L2 is asked. */
static void l0i_look_up_l1i(struct sm_view *v, struct l0i_miss *e)
{
	u64 line = l0i_line_of_l1i(v, e);
	bool there = l1i_has(v, line);
	v->sm->stat[STAT_FETCHES]++;
	v->sm->stat[STAT_L1I_HITS] += there;
	if (there)
		e->ready = view_cycle(v) + v->m->config.l0i_latency;
	else
		e->asked = l1i_request(v, line) != NULL;
}

/* A line that the L2 was asked for: has it come? If it has gone again, it is looked up once more. */
static void l0i_await(struct sm_view *v, struct l0i_miss *e)
{
	struct imiss *unused;
	u64 line = l0i_line_of_l1i(v, e);
	if (tag_find(l1i_set(v, line), v->m->config.l1i_ways, line + 1)) {
		e->ready = view_cycle(v) + v->m->config.l0i_latency;
		e->asked = 0;
	} else if (!imiss_find(v, line + 1, &unused)) {
		e->asked = 0;
	}
}

/* A line is there: in the L0, if somebody wanted it; who waits for it fetches again, and the buffer that had it goes
 * on.
 */
static void l0i_arrive(struct sm_view *v, u32 sub, struct l0i_miss *e)
{
	bool stream = e >= l0i_of(v, sub) + L0I_PENDING;
	u32 context = NONE32;
	u64 line = e->line - 1;
	l0i_keep(v, sub, e->line);
	SET_EACH (i, e->slots, CONTEXT_WORDS) {
		v->slot[v->warp[i].slot].fetching = 0;
		slot_want(v, i);
		context = i;
	}
	l0i_release(v, e);
	if (stream && context != NONE32)
		l0i_follow(v, sub, context, line);
}

/* What has happened to the lines of a sub-core. */
static void l0i_step_sub(struct sm_view *v, u32 sub)
{
	for (u32 i = 0; i < l0i_entries(v); i++) {
		struct l0i_miss *e = &l0i_of(v, sub)[i];
		if (!e->line)
			continue;
		if (e->asked)
			l0i_await(v, e);
		v->sleep->active |= !e->asked && (!e->ready || e->ready > view_cycle(v));
		if (e->ready && e->ready <= view_cycle(v) && !e->ahead)
			l0i_arrive(v, sub, e);
	}
}

void l0i_step(struct sm_view *v)
{
	const struct config *c = &v->m->config;
	u32 ports = c->l1i_ports, last = c->sm_subcores - 1, found;
	if (!v->sm->l0i_misses)
		return;
	for (u32 sub = 0; sub <= last; sub++)
		l0i_step_sub(v, sub);
	do {
		found = 0;
		for (u32 i = 0; i <= last && ports; i++) {
			struct l0i_miss *e = l0i_next(v, (v->sm->fetch_turn + i) & last);
			if (!e)
				continue;
			l0i_look_up_l1i(v, e);
			found += e->ready || e->asked;
			ports--;
		}
	} while (found && ports);
}

void l0i_forget(struct sm_view *v, u32 context)
{
	for (u32 i = 0; i < v->m->section[SECTION_L0I_MISS].count; i++)
		SET_DEL(v->l0i_miss[i].slots, context);
}

void l0i_flush(struct sm_view *v)
{
	if (v->m->config.l1i_perfect != PERFECT_L1I)
		return;
	memset(v->l0i, 0, v->m->section[SECTION_L0I].count * sizeof(*v->l0i));
	for (u32 i = 0; i < v->m->section[SECTION_L0I_MISS].count; i++)
		if (v->l0i_miss[i].line)
			l0i_release(v, &v->l0i_miss[i]);
}

bool l0i_waits(const struct sm_view *v, u32 context)
{
	bool waits = false;
	for (u32 i = 0; i < v->m->section[SECTION_L0I_MISS].count; i++)
		waits |= SET_HAS(v->l0i_miss[i].slots, context);
	return waits;
}
