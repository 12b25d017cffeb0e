/*
 * const.c - the constant cache of an SM: loads of constants and parameters (class const), unless const.perfect is on.
 *
 * An instruction that leaves its collector unit looks up the lines of its lanes; all present, its result is there
 * lat.const cycles later and one more for each further word that its lanes name. Lines that miss are asked of the L2,
 * and the instruction waits for them with status `short`. What cannot be taken (MSHRs, merges, an entry of the table of
 * loads, room in the interconnect) stays in its collector unit, is counted and tried again. An instruction with more
 * lines than can ever be on their way at once asks for a portion after the other, and waits for each in its collector
 * unit. Slices that issue as a gang ask once, for the lines of all, when all have their operands, as a whole warp does;
 * each is answered when its own lines are there. The end of a kernel empties the cache. Deviations: parameters lie
 * apart for each launch, constants at the same place for all modules; a synthetic kernel always reads the first
 * constant; no L1.5.
 */
#include "memory/tags.h"
#include "memory/lsu.h"
#include "state/units.h"

/* Where constants and the parameters of each launch lie for this cache and the L2. */
#define CONST_BASE 0x30000000000ULL
#define PARAM_BASE 0x38000000000ULL
#define PARAM_SHIFT 16

/* First tag of a line's set. */
static struct tag *const_set(struct sm_view *v, u64 line)
{
	u32 sets = v->m->section[SECTION_CONST].count / v->m->config.const_ways;
	return &v->const_tag[line % sets * v->m->config.const_ways];
}

/* Put a value into a list of distinct ones. */
static u32 const_distinct(u64 *list, u32 n, u64 value)
{
	for (u32 i = n; i-- > 0;)
		if (list[i] == value)
			return n;
	list[n] = value;
	return n + 1;
}

/* A slice wants a line of an operation that several share. */
static void const_share(struct memop *op, u64 line, u32 slice)
{
	u32 i = 0;
	while (op->line[i] != line)
		i++;
	op->share[i] |= (u8)(1u << slice);
}

void const_lines(struct sm_view *v, u32 context, const struct inst *in, const struct front_result *r, struct memop *op)
{
	u32 launch = v->warp[context].launch, lines = op->count, words = op->banks;
	u64 base = in->space == SPACE_PARAM ? PARAM_BASE + ((u64)launch << PARAM_SHIFT) : CONST_BASE;
	bool valued = !v->sim->kernel[launch]->synth;
	for (u32 mask = r->mask; mask; mask &= mask - 1) {
		u64 at = base + (valued ? r->address[__builtin_ctz(mask)] : 0);
		lines = const_distinct(op->line, lines, at / v->m->config.const_line);
		words = const_distinct(v->const_word, words, at / 4);
		if (__builtin_expect(v->ganged, 0))
			const_share(op, at / v->m->config.const_line, view_sub(v, context));
	}
	op->count = (u8)lines;
	op->banks = (u8)words;
}

/* The MSHR of a line, or a free one in *unused. */
static struct mshr *const_mshr(struct sm_view *v, u64 line, struct mshr **unused)
{
	*unused = NULL;
	for (u32 i = 0; i < v->m->config.const_mshrs; i++) {
		if (v->const_mshr[i].line == line + 1)
			return &v->const_mshr[i];
		if (!v->const_mshr[i].line && !*unused)
			*unused = &v->const_mshr[i];
	}
	return NULL;
}

/* Is there room for those of an instruction's lines before `end` that are still to be had and not present? *missing:
 * their number. */
static bool const_room(struct sm_view *v, const struct memop *op, u32 end, u32 *missing)
{
	u32 unused = 0, fresh = 0;
	*missing = 0;
	for (u32 i = 0; i < v->m->config.const_mshrs; i++)
		unused += !v->const_mshr[i].line;
	for (u32 i = op->done; i < end; i++) {
		struct mshr *any, *m = const_mshr(v, op->line[i], &any);
		if (tag_find(const_set(v, op->line[i]), v->m->config.const_ways, op->line[i] + 1))
			continue;
		++*missing;
		fresh += !m;
		if (m && m->count >= v->m->config.const_merges)
			return false;
	}
	return fresh <= unused && fresh + v->port->out_count <= v->m->config.icnt_queue;
}

/* Ask the L2 for a line. */
static void const_ask(struct sm_view *v, struct mshr *m, u64 line)
{
	INVARIANT(m);
	u64 at = line * v->m->config.const_line, number = at >> v->m->line_shift;
	u32 sectors = max_u32(1, v->m->config.const_line / 32), first = (u32)(at - (number << v->m->line_shift)) / 32;
	bool sent =
		port_send(v, number * 16 + (((1u << sectors) - 1) << first), (u32)(m - v->const_mshr), PACKET_CONST);
	INVARIANT(sent);
	*m = (struct mshr){.line = line + 1, .first = NONE16, .last = NONE16};
	v->sm->stat[STAT_CONST_MISSES]++;
}

/* A load waits for a line; of several slices, those that want it. */
static void const_wait(struct sm_view *v, struct mshr *m, u32 load, u32 mates)
{
	u16 at = v->sm->const_waiter_free;
	INVARIANT(at != NONE16);
	v->sm->const_waiter_free = v->const_waiter[at].next;
	v->const_waiter[at] = (struct waiter){.next = m->first, .load = (u16)load, .mates = (u8)mates};
	m->first = at;
	m->count++;
}

/* An entry of the table of loads whose registers wait as those of a short instruction. */
static u32 const_load(struct sm_view *v, const struct collector *cu, u32 lines)
{
	u16 at = v->sm->load_free;
	INVARIANT(at != NONE16);
	v->sm->load_free = v->load[at].next;
	v->load[at] = (struct load){.next = NONE16,
				    .context = cu->context,
				    .generation = cu->generation,
				    .pc = cu->pc,
				    .waiting = (u16)lines,
				    .quick = LOAD_QUICK,
				    .issued_at = cu->issued_at};
	return at;
}

/* Is a line present? */
static bool const_present(struct sm_view *v, u64 line)
{
	return tag_find(const_set(v, line), v->m->config.const_ways, line + 1) != NULL;
}

/* Some lines of an instruction are not there: ask, and wait, with the entry of the table of loads, or the first of
 * several. */
static void const_miss(struct sm_view *v, const struct memop *op, u32 load)
{
	for (u32 i = op->done; i < op->count; i++) {
		struct mshr *unused, *m = const_mshr(v, op->line[i], &unused);
		if (const_present(v, op->line[i]))
			continue;
		if (!m)
			const_ask(v, m = unused, op->line[i]);
		const_wait(v, m, load, op->share[i]);
	}
}

/* Look up the lines of an instruction before `end` that are still to be had, `missing` of which are not present. */
static void const_look_up(struct sm_view *v, const struct memop *op, u32 end, u32 missing)
{
	v->sm->stat[STAT_CONST_ACCESSES] += end - op->done;
	v->sm->stat[STAT_CONST_HITS] += end - op->done - missing;
	for (u32 i = op->done; i < end; i++) {
		struct tag *t = tag_find(const_set(v, op->line[i]), v->m->config.const_ways, op->line[i] + 1);
		if (t)
			t->used = ++v->sm->const_clock;
	}
}

/* Is any line of the portions before on its way? */
static bool const_awaited(struct sm_view *v, const struct memop *op)
{
	struct mshr *any;
	for (u32 i = 0; i < op->done; i++)
		if (const_mshr(v, op->line[i], &any))
			return true;
	return false;
}

/* Are no more lines left than can be on their way at once? Else the next portion is asked for, if the one before has
 * come. */
static bool const_last_portion(struct sm_view *v, struct memop *op)
{
	u32 most = min_u32(v->m->config.const_mshrs, v->m->config.icnt_queue), end = op->done + most, missing;
	if (const_awaited(v, op))
		return false;
	if (op->count <= end)
		return true;
	if (!const_room(v, op, end, &missing))
		return false;
	const_look_up(v, op, end, missing);
	for (u32 i = op->done; i < end; i++) {
		struct mshr *unused, *m = const_mshr(v, op->line[i], &unused);
		if (!m && !tag_find(const_set(v, op->line[i]), v->m->config.const_ways, op->line[i] + 1))
			const_ask(v, unused, op->line[i]);
	}
	op->done = (u8)end;
	return false;
}

bool const_access(struct sm_view *v, const struct collector *cu)
{
	struct memop *op = &v->memop[cu->memory_op];
	u32 missing = 1;
	bool room = const_last_portion(v, op) && const_room(v, op, op->count, &missing);
	if (missing && (!room || v->sm->load_free == NONE16)) {
		v->sm->stat[STAT_CONST_REFUSED]++;
		return false;
	}
	const_look_up(v, op, op->count, missing);
	if (missing)
		const_miss(v, op, const_load(v, cu, missing));
	else
		value_due(v, unit_latency(v, cu) + max_u32(op->banks, 1) - 1, cu->context, cu->generation, cu->pc);
	memop_release(v, cu->memory_op);
	return true;
}

/* Lines of a slice's part of an operation that are not present. */
static u32 const_missing_of(struct sm_view *v, const struct memop *op, u32 slice)
{
	u32 n = 0;
	for (u32 i = op->done; i < op->count; i++)
		n += op->share[i] >> slice & 1 && !const_present(v, op->line[i]);
	return n;
}

/* Has the table of loads an entry for each slice? */
static bool const_entries_left(const struct sm_view *v)
{
	u32 at = v->sm->load_free, n = v->m->config.sm_subcores;
	for (; n && at != NONE16; n--)
		at = v->load[at].next;
	return !n;
}

/* Each slice that waits for lines has an entry of the table of loads, behind that of the one before; the others have
 * their results when a hit has them. Returns the first entry. */
static u32 const_enter_slices(struct sm_view *v, const struct memop *op)
{
	u32 first = NONE32, last = NONE32;
	for (u32 k = 0; k < v->m->config.sm_subcores; k++) {
		const struct collector *cu = &v->part[k].collector[op->collector[k] - 1];
		u32 lines = op->collector[k] ? const_missing_of(v, op, k) : 0;
		if (op->collector[k] && !lines)
			value_due(v, unit_latency(v, cu) + max_u32(op->banks, 1) - 1, cu->context, cu->generation,
				  cu->pc);
		if (!lines)
			continue;
		u32 entry = const_load(v, cu, lines);
		first = first == NONE32 ? entry : first;
		v->load[entry].leads = (u16)(first + 1);
		if (last != NONE32)
			v->load[last].mate = (u16)(entry + 1);
		last = entry;
	}
	return first;
}

bool const_access_shared(struct sm_view *v, u32 memop)
{
	struct memop *op = &v->memop[memop];
	u32 missing = 1;
	bool room = const_last_portion(v, op) && const_room(v, op, op->count, &missing);
	if (missing && (!room || !const_entries_left(v))) {
		v->sm->stat[STAT_CONST_REFUSED]++;
		return false;
	}
	const_look_up(v, op, op->count, missing);
	u32 load = const_enter_slices(v, op);
	if (missing)
		const_miss(v, op, load);
	return true;
}

void const_fill(struct sm_view *v, const struct packet *p)
{
	struct mshr *m = &v->const_mshr[p->tag];
	INVARIANT(m->line);
	*tag_victim(const_set(v, m->line - 1), v->m->config.const_ways) =
		(struct tag){.line = m->line, .used = ++v->sm->const_clock, .valid = 1};
	for (u16 at = m->first; at != NONE16;) {
		u16 next = v->const_waiter[at].next, load = v->const_waiter[at].load;
		u32 mates = v->const_waiter[at].mates;
		v->const_waiter[at] = (struct waiter){.next = v->sm->const_waiter_free};
		v->sm->const_waiter_free = at;
		load_arrived(v, load | mates << 16);
		at = next;
	}
	*m = (struct mshr){0};
}

void const_flush(struct sm_view *v)
{
	for (u32 i = 0; i < v->m->section[SECTION_CONST].count; i++)
		v->const_tag[i] = (struct tag){0};
}
