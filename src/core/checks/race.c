/*
 * race.c - the checks of shared memory and barriers: races, reads of bytes never written, warps at different barriers.
 *
 * Two accesses to a byte of shared memory race if at least one writes, not both are atomics, they come from different
 * warps (or from two lanes of one instruction) and no barrier of the CTA completes between them. For each byte the last
 * write is kept, and of the reads since the last barrier one and another by a different warp: so a write always finds a
 * read that it races with. What an asynchronous copy writes is there for its warp when that has waited for its group,
 * for others behind the next barrier: until then every other access races with it. Deviation: any completed barrier of
 * the CTA counts as one for all of its warps.
 */
#include "checks/shadow_internal.h"

/* One instruction's access to shared memory. */
struct access {
	struct sm_view *v;
	struct cta_shadow *cta;
	const struct inst *in;
	const struct front_env *env;
	const struct front_result *r;
	u32 context, pc, bytes;
	bool reads, writes, atomic;
	const u64 *from;    /* of a copy: the lanes' addresses in global memory */
	u32 seen[4], nseen; /* earlier instructions reported already: kind x 2^24 + pc */
};

/* The shadow of a CTA slot; what another CTA left there goes. */
struct cta_shadow *shadow_cta(struct sm_view *v, u32 slot)
{
	struct sim *s = v->sim;
	const struct cta *cta = &v->cta[slot];
	const struct launch_run *run = machine_gpu_section(v->m, SECTION_LAUNCH);
	u32 number = v->id * v->m->residents + slot, iteration = run[cta->launch].iteration;
	u32 bytes = s->shadow & SHADOW_BYTES ? s->program->launch[cta->launch].shared : 0;
	u64 size = sizeof(struct cta_shadow) + (u64)bytes * sizeof(struct cell);
	struct cta_shadow *c = shadow_chunk(s, SHADOW_CTA, number, size);
	if (c->epoch && c->started == cta->started && c->launch == cta->launch && c->id == cta->id &&
	    c->iteration == iteration)
		return c;
	store_reset(&s->store, shadow_slot(s, SHADOW_CTA, number), (u32)size);
	c = shadow_chunk(s, SHADOW_CTA, number, size);
	c->started = cta->started;
	c->launch = cta->launch;
	c->id = cta->id;
	c->iteration = iteration;
	c->bytes = bytes;
	c->epoch = 1;
	return c;
}

void shadow_move_cta(struct sim *s, u32 to, u32 from, u64 started)
{
	struct chunk **chunk = shadow_slot(s, SHADOW_CTA, to);
	store_move(&s->store, chunk, shadow_slot(s, SHADOW_CTA, from));
	if (*chunk)
		((struct cta_shadow *)(void *)store_write(&s->store, chunk))->started = started;
}

/* Accesses before the barrier race with nothing after it. Epochs are 16 bits wide: when they have been used up all
 * accesses go. */
void shadow_release(struct sm_view *v, u32 slot, u32 n)
{
	struct cta_shadow *c;
	if (!(v->sim->shadow & (SHADOW_BYTES | SHADOW_BARRIERS)))
		return;
	c = shadow_cta(v, slot);
	c->barrier_pc[n] = 0;
	if (++c->epoch <= 0xffff)
		return;
	c->epoch = 1;
	for (u32 i = 0; i < c->bytes; i++)
		c->cell[i].write.epoch = c->cell[i].read.epoch = c->cell[i].other.epoch = 0;
}

void shadow_report(struct sm_view *v, u32 context, const struct finding *x)
{
	shadow_found(v, x);
	if (x->kind == FINDING_UNWRITTEN)
		shadow_event(v, EVENT_UNINITIALISED, context, x->pc, x->address, x->thread % WARP_LANES,
			     x->space == SPACE_SHARED);
	else if (x->kind == FINDING_BARRIERS)
		shadow_event(v, EVENT_BARRIER_MIX, context, x->pc, 0, x->pc2, 0);
	else
		shadow_event(v, EVENT_RACE, context, x->pc, x->address, x->pc2, x->same != 0);
}

/* Has this pair been reported for this instruction? If not it has now. */
static bool race_reported(struct access *a, u32 kind, u32 pc2)
{
	u32 key = kind << 24 | (pc2 & 0xffffff);
	for (u32 i = 0; i < a->nseen; i++)
		if (a->seen[i] == key)
			return true;
	if (a->nseen == ARRAY_LEN(a->seen))
		return true;
	a->seen[a->nseen++] = key;
	return false;
}

/* The access of a lane at byte `at` is a finding. */
static void race_report(struct access *a, u32 kind, u32 lane, u32 at, const struct touch *earlier, bool same)
{
	u32 pc2 = earlier ? earlier->pc : NONE32;
	if (race_reported(a, kind, pc2))
		return;
	shadow_report(a->v, a->context,
		      &(struct finding){.kind = (u8)kind,
					.space = SPACE_SHARED,
					.launch = (u16)a->cta->launch,
					.pc = a->pc,
					.pc2 = pc2,
					.count = 1,
					.same = same,
					.cycle = view_cycle(a->v),
					.address = at,
					.cta = a->cta->id,
					.cta2 = a->cta->id,
					.thread = (u16)(a->env->warp * WARP_LANES + lane),
					.thread2 = earlier ? (u16)(earlier->thread & ~TOUCH_ATOMIC) : 0xffff});
}

/* Are an earlier access and a lane of this one of the same context, which orders them? */
static bool race_same_context(const struct access *a, const struct touch *t, u32 lane)
{
	u32 lanes = a->v->m->lanes;
	return (t->thread & ~TOUCH_ATOMIC) / lanes == (a->env->warp * WARP_LANES + lane) / lanes;
}

/* Is an earlier access of this stretch unordered with one by a lane? */
static bool race_unordered(const struct access *a, const struct touch *t, u32 lane)
{
	if (t->epoch != a->cta->epoch || race_same_context(a, t, lane))
		return false;
	return !(a->atomic && t->thread & TOUCH_ATOMIC);
}

/* The groups of copies of the context that a thread is in. */
static struct copy_groups *race_groups_of(struct cta_shadow *c, const struct sm_view *v, u32 thread)
{
	return &c->groups[thread / v->m->lanes % SHADOW_CONTEXTS];
}

/* Was a byte written by a copy that has not been waited for, as a lane sees it? */
static bool race_on_its_way(const struct access *a, const struct cell *c, u32 lane)
{
	const struct copy_groups *g = race_groups_of(a->cta, a->v, c->write.thread & ~TOUCH_ATOMIC);
	bool later = !race_same_context(a, &c->write, lane) && g->epoch == (u16)a->cta->epoch;
	return c->copied && (i16)(c->copied - (later ? g->settled : g->waited)) > 0;
}

/* A context closes its group of copies, or waits for some. */
static void race_count_groups(struct sm_view *v, u32 context, const struct inst *in)
{
	struct cta_shadow *c = shadow_cta(v, v->warp[context].cta);
	u32 slice = context & ((1u << v->m->parent_shift) - 1);
	struct copy_groups *g = race_groups_of(c, v, v->warp[context].index * WARP_LANES + slice * v->m->lanes);
	u16 done;
	g->closed = (u16)(g->closed + (in->op == OP_COPY_COMMIT || in->aux == COPIES_ALL));
	if (in->op == OP_COPY_COMMIT)
		return;
	if (g->epoch != (u16)c->epoch)
		g->settled = g->waited;
	g->epoch = (u16)c->epoch;
	done = (u16)(g->closed - (in->aux == COPIES_ALL ? 0 : in->aux));
	if ((i16)(done - g->waited) > 0)
		g->waited = done;
}

/* A lane reads a byte. */
static void race_read_byte(struct access *a, u32 lane, u32 at)
{
	struct cell *c = &a->cta->cell[at];
	struct touch me = {(u16)a->cta->epoch,
			   (u16)((a->env->warp * WARP_LANES + lane) | (a->atomic ? TOUCH_ATOMIC : 0)),
			   shadow_pc(a->pc)};
	if (!c->written && a->v->sim->shadow & SHADOW_WRITTEN)
		race_report(a, FINDING_UNWRITTEN, lane, at, NULL, false);
	if (!(a->v->sim->shadow & SHADOW_RACES))
		return;
	if ((race_unordered(a, &c->write, lane) || race_on_its_way(a, c, lane)) && !a->writes)
		race_report(a, FINDING_WRITE_READ, lane, at, &c->write, false);
	if (c->read.epoch == a->cta->epoch && !race_same_context(a, &c->read, lane))
		c->other = me;
	else
		c->read = me;
}

/* A lane writes a byte; `value` is what it is now. */
static void race_write_byte(struct access *a, u32 lane, u32 at, u8 value)
{
	struct cell *c = &a->cta->cell[at];
	bool same = c->written && c->value == value && !a->atomic;
	if (a->v->sim->shadow & SHADOW_RACES) {
		if (race_unordered(a, &c->write, lane) || race_on_its_way(a, c, lane))
			race_report(a, FINDING_WRITE_WRITE, lane, at, &c->write, same);
		if (race_unordered(a, &c->read, lane))
			race_report(a, FINDING_READ_WRITE, lane, at, &c->read, same);
		else if (race_unordered(a, &c->other, lane))
			race_report(a, FINDING_READ_WRITE, lane, at, &c->other, same);
	}
	c->write = (struct touch){(u16)a->cta->epoch,
				  (u16)((a->env->warp * WARP_LANES + lane) | (a->atomic ? TOUCH_ATOMIC : 0)),
				  shadow_pc(a->pc)};
	c->value = value;
	c->written = 1;
	c->copied = a->in->op == OP_COPY
			    ? (u16)(race_groups_of(a->cta, a->v, a->env->warp * WARP_LANES + lane)->closed + 1)
			    : 0;
}

/* Byte k of what a lane of a copy writes, of all those whose source has that many. */
static u8 race_copied_byte(const struct access *a, u32 lane, u32 k)
{
	u8 byte = 0;
	if (!(a->r->aside >> lane & 1))
		store_read(a->env->store, a->from[lane] + k, &byte, 1);
	return byte;
}

/* Byte k of what a lane stores. */
static u8 race_stored_byte(const struct access *a, u32 lane, u32 k)
{
	if (a->from)
		return race_copied_byte(a, lane, k);
	const struct operand *o = &a->in->src[1 + k / a->in->width];
	u32 within = k % a->in->width;
	if (o->kind == OPERAND_REG)
		return (u8)(a->env->regs[(o->value + within / 4) * WARP_LANES + lane] >> 8 * (within % 4));
	if (o->kind == OPERAND_IMM)
		return (u8)(a->env->launch->kernel->imm[o->value] >> 8 * within);
	return 0;
}

/* Do two lanes of one store write the same bytes where they meet? */
static bool race_lanes_agree(const struct access *a, u32 i, u32 j)
{
	u64 x = a->r->address[i], y = a->r->address[j];
	for (u32 k = 0; k < a->bytes; k++)
		if (x + k >= y && x + k < y + a->bytes &&
		    race_stored_byte(a, i, k) != race_stored_byte(a, j, (u32)(x + k - y)))
			return false;
	return true;
}

/* Two lanes of one store write the same byte: the first such pair, and whether all of them agree. */
static void race_lanes_meet(struct access *a)
{
	u32 first = NONE32, with = 0;
	bool agree = true;
	for (u32 i = 1; i < WARP_LANES; i++)
		for (u32 j = 0; j < i; j++) {
			u64 apart = a->r->address[i] - a->r->address[j] + a->bytes - 1;
			if (!(a->r->mask >> i & a->r->mask >> j & 1) || apart >= 2 * a->bytes - 1)
				continue;
			agree = agree && race_lanes_agree(a, i, j);
			with = first == NONE32 ? j : with;
			first = first == NONE32 ? i : first;
		}
	if (first == NONE32)
		return;
	race_report(a, FINDING_WRITE_WRITE, first, (u32)a->r->address[first],
		    &(struct touch){0, (u16)(a->env->warp * WARP_LANES + with), shadow_pc(a->pc)}, agree);
}

/* Every byte of every lane. */
static void race_each_byte(struct access *a)
{
	for (u32 mask = a->r->mask; mask; mask &= mask - 1) {
		u32 lane = (u32)__builtin_ctz(mask), at = (u32)a->r->address[lane];
		if (a->r->address[lane] > a->cta->bytes || a->cta->bytes - at < a->bytes)
			continue;
		for (u32 k = 0; k < a->bytes; k++) {
			if (a->reads)
				race_read_byte(a, lane, at + k);
			if (a->writes)
				race_write_byte(a, lane, at + k, a->env->shared[at + k]);
		}
	}
}

void shadow_shared(struct sm_view *v, u32 context, u32 pc, const struct inst *in, const struct front_env *env,
		   const struct front_result *r)
{
	struct access a = {.v = v,
			   .cta = shadow_cta(v, v->warp[context].cta),
			   .in = in,
			   .env = env,
			   .r = r,
			   .context = context,
			   .pc = pc,
			   .bytes = inst_access_bytes(in),
			   .reads = in->op != OP_ST && in->op != OP_COPY,
			   .writes = in->op != OP_LD,
			   .atomic = in->op == OP_ATOM};
	struct front_result at;
	if (!env->shared)
		return;
	if (in->op == OP_COPY) {
		at = *r;
		for (u32 l = 0; l < WARP_LANES; l++)
			at.address[l] = r->to[l];
		a.from = r->address;
		a.r = &at;
	}
	if (!a.reads && v->sim->shadow & SHADOW_RACES)
		race_lanes_meet(&a);
	race_each_byte(&a);
}

/* A warp arrives at barrier n: others of its CTA may have come by another instruction. */
static void race_arrive(struct sm_view *v, u32 context, u32 pc, u32 n)
{
	const struct warp *w = &v->warp[context];
	struct cta_shadow *c = shadow_cta(v, w->cta);
	u32 *first = &c->barrier_pc[n];
	if (*first && *first != pc + 1)
		shadow_report(v, context,
			      &(struct finding){.kind = FINDING_BARRIERS,
						.launch = w->launch,
						.pc = pc,
						.pc2 = *first - 1,
						.count = 1,
						.cycle = view_cycle(v),
						.cta = c->id,
						.cta2 = c->id,
						.thread = (u16)(w->index * WARP_LANES),
						.thread2 = 0xffff});
	if (!*first)
		*first = pc + 1;
}

/* Synthetic kernels have addresses, but nothing is there. */
static bool race_has_values(const struct front_env *env)
{
	return env->launch->kernel->front == FRONT_PTX;
}

/* Asynchronous copies read global memory and write shared memory; what has to do with their groups. */
static void race_watch_copies(struct sm_view *v, u32 context, u32 pc, const struct inst *in,
			      const struct front_env *env, const struct front_result *r)
{
	struct front_result part = *r;
	if (in->op != OP_COPY) {
		race_count_groups(v, context, in);
		return;
	}
	part.mask &= ~r->aside;
	if (part.mask)
		shadow_global_read(v, context, pc, in, &part);
	shadow_shared(v, context, pc, in, env, r);
}

void shadow_issue(struct sm_view *v, u32 context, u32 pc, const struct inst *in, const struct front_env *env,
		  const struct front_result *r)
{
	u32 bits = v->sim->shadow, space;
	if (bits & SHADOW_LINES)
		shadow_count_issue(v, context, pc, r);
	if (r->fault || !r->mask)
		return;
	if (bits & SHADOW_BARRIERS && (in->op == OP_BAR_SYNC || in->op == OP_BAR_RED))
		race_arrive(v, context, pc, r->barrier);
	if (bits & SHADOW_RACES && in->op == OP_FENCE)
		shadow_sync(v, context, in);
	if (!(bits & SHADOW_BYTES) || !race_has_values(env))
		return;
	if (inst_copies(in)) {
		race_watch_copies(v, context, pc, in, env, r);
		return;
	}
	if (in->op != OP_LD && in->op != OP_ST && in->op != OP_ATOM)
		return;
	if (bits & SHADOW_RACES)
		shadow_sync(v, context, in);
	space = in->space == SPACE_GENERIC ? r->window : in->space;
	if (space == SPACE_SHARED)
		shadow_shared(v, context, pc, in, env, r);
	else if (in->op != OP_ST && (space == SPACE_GLOBAL || space == SPACE_GENERIC))
		shadow_global_read(v, context, pc, in, r);
}
