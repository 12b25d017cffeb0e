/* who.c - accesses to a place, as a fork makes them that lives through the run again (who.h). */
#include "events.h"
#include "who.h"

#include "machine.h"
#include "touches.h"

struct search {
	struct who *who;
	const struct program *program;
	u64 value; /* of the place, as far as it is known */
};

/* Enter an access; the place holds `after` from then on. */
static void enter(struct search *q, const struct sim *s, struct access a, u64 after)
{
	struct who *w = q->who;
	bool wanted = a.kind == ACCESS_READ ? w->reads : a.kind == ACCESS_ATOMIC || w->writes;

	a.cycle = machine_gpu(s->m)->cycle + (a.kind != ACCESS_HOST);
	a.before = q->value;
	a.after = q->value = after;
	if (!wanted || a.cycle < w->from)
		return;
	w->kept[w->n++ % WHO_KEPT] = a;
}

/* Who does it. */
static struct access by(const struct search *q, const struct performed *p, enum access_kind kind, u32 lane)
{
	const struct front_env *env = p->env;

	return (struct access){.kind = (u8)kind,
			       .lane = (u8)lane,
			       .sm = (u16)p->sm,
			       .context = (u16)p->context,
			       .launch = (u32)(env->launch - q->program->launch),
			       .cta = env->cta,
			       .warp = env->warp,
			       .pc = p->pc};
}

/* Is it an instruction of the warp, or the CTA, that the place belongs to? */
static bool of_owner(const struct search *q, const struct performed *p)
{
	const struct datum *x = &q->who->datum;

	return (u32)(p->env->launch - q->program->launch) == x->launch && p->env->cta == x->cta &&
	       (x->kind == DATUM_SHARED || p->env->warp == x->index_in_cta);
}

/* What the place holds once n bytes at `address` have become `data`. */
static u64 merged(const struct search *q, u64 address, u32 n, const u8 *data)
{
	const struct datum *x = &q->who->datum;
	u8 bytes[8];
	u64 v;

	memcpy(bytes, &q->value, sizeof(bytes));
	for (u32 i = 0; i < x->bytes; i++)
		if (x->address + i - address < n)
			bytes[i] = data[x->address + i - address];
	memcpy(&v, bytes, sizeof(v));
	return v;
}

/* Do n bytes at `address` meet the place? */
static bool meets(const struct search *q, u64 address, u32 n)
{
	const struct datum *x = &q->who->datum;

	return address < x->address + x->bytes && x->address < address + n;
}

/* --- shared and local memory, and reads of global memory --- */

/* What lies there now, of shared or local memory. */
static u64 lies(const struct search *q, const struct performed *p)
{
	const struct datum *x = &q->who->datum;
	const u8 *base = x->kind == DATUM_SHARED
				 ? p->env->shared
				 : p->env->local + (size_t)x->lane * p->env->launch->kernel->local_bytes;
	u64 v = 0;

	memcpy(&v, base + x->address, x->bytes);
	return v;
}

/* A lane's atomic on shared memory: what it leaves, if the place is all of what it works on. */
static u64 atomic_leaves(const struct search *q, const struct performed *p, u32 lane)
{
	const struct inst *in = p->in;
	u32 words = in->width == 8 ? 2 : 1, word;
	u64 a = touch_source(p, 1, words, lane), b = in->nsrc > 2 ? touch_source(p, 2, words, lane) : 0;

	for (u32 k = 1; k < in->nsrc; k++)
		if (in->src[k].kind == OPERAND_REG && inst_result_register(in, in->src[k].value, &word) != MAX_DST)
			return lies(q, p); /* the operand has gone */
	if (q->who->datum.bytes != in->width || touch_address(p, lane, &word) != q->who->datum.address)
		return lies(q, p);
	return atomic_value((enum atom_op)in->aux, (enum value_type)in->vec, q->value, a, b, false);
}

/* The lanes of an instruction in mask touch the place, in their order. */
static void touched(struct search *q, const struct performed *p, u32 mask)
{
	bool global = q->who->datum.kind == DATUM_GLOBAL;

	for (; mask; mask &= mask - 1) {
		u32 lane = (u32)__builtin_ctz(mask), bytes;
		u64 address = touch_address(p, lane, &bytes);
		u8 data[32];
		u64 x;

		if (!touch_writes(p->in) || (p->in->op == OP_COPY && global)) {
			enter(q, p->sim, by(q, p, ACCESS_READ, lane), q->value);
		} else if (p->in->op == OP_ATOM && !global) {
			x = mask & (mask - 1) ? atomic_leaves(q, p, lane) : lies(q, p);
			enter(q, p->sim, by(q, p, ACCESS_ATOMIC, lane), x);
		} else if (p->in->op != OP_ATOM && !global) {
			for (u32 i = 0; i < bytes; i++)
				data[i] = (u8)touch_stored(p, lane, i, 1);
			enter(q, p->sim, by(q, p, ACCESS_WRITE, lane), merged(q, address, bytes, data));
		}
	}
}

/* The lanes whose accesses meet the place. */
static void memory_performed(struct search *q, const struct performed *p)
{
	static const u8 space[] = {
		[DATUM_GLOBAL] = SPACE_GLOBAL, [DATUM_SHARED] = SPACE_SHARED, [DATUM_LOCAL] = SPACE_LOCAL};
	const struct datum *x = &q->who->datum;
	bool source = p->in->op == OP_COPY && x->kind == DATUM_GLOBAL;
	u32 mask = 0;

	if (!touches_memory(p->in) || (x->kind != DATUM_GLOBAL && !of_owner(q, p)))
		return;
	for (u32 left = x->kind == DATUM_LOCAL ? p->result->mask & 1u << x->lane : p->result->mask; left;
	     left &= left - 1) {
		u32 lane = (u32)__builtin_ctz(left), bytes;
		u64 address = touch_address(p, lane, &bytes);

		if (source ? !(p->result->aside >> lane & 1) && meets(q, p->result->address[lane], bytes)
			   : touch_space(p, lane) == space[x->kind] && meets(q, address, bytes))
			mask |= 1u << lane;
	}
	touched(q, p, mask);
}

/* --- registers and predicates --- */

/* The lanes that read the place by one operand, as a bit set. */
static u32 readers(const struct search *q, const struct performed *p, const struct use *u)
{
	const struct datum *x = &q->who->datum;
	const struct operand o = u->operand;
	bool shfl = op_is_shfl(p->in->op) && !u->index;
	u32 out = 0;

	if (x->kind == DATUM_REGISTER
		    ? o.kind != OPERAND_REG || o.value >= x->index + x->words || o.value + u->words <= (u32)x->index
		    : o.kind != OPERAND_PRED || o.value != x->index)
		return 0;
	if (u->role == USE_GUARD)
		return p->env->active & 1u << x->lane;
	if (!shfl)
		return p->result->mask & 1u << x->lane;
	LANES_EACH (l, p->result->mask) {
		u32 by = (u32)touch_source(p, 1, 1, l), clamp = (u32)touch_source(p, 2, 1, l);

		out |= (u32)(shfl_lane(p->in->op, l, by, clamp, &(bool){0}) == x->lane) << l;
	}
	return out;
}

/* Does an instruction give the place a result? */
static bool gives(const struct search *q, const struct inst *in)
{
	const struct datum *x = &q->who->datum;
	u32 word;

	if (x->kind == DATUM_PREDICATE)
		return inst_result_predicate(in, x->index) != MAX_DST;
	return inst_result_register(in, x->index, &word) != MAX_DST ||
	       (x->words == 2 && inst_result_register(in, x->index + 1, &word) != MAX_DST);
}

/* What the place holds in the registers of an instruction's warp. */
static u64 held(const struct search *q, const u32 *regs, const u32 *preds)
{
	const struct datum *x = &q->who->datum;
	const u32 *r = regs + x->index * WARP_LANES + x->lane;

	if (x->kind == DATUM_PREDICATE)
		return preds[x->index] >> x->lane & 1;
	return r[0] | (x->words == 2 ? (u64)r[WARP_LANES] << 32 : 0);
}

static void register_performed(struct search *q, const struct performed *p)
{
	struct use use[MAX_SRC + 1];
	u32 n, lanes = 0, later = p->waits;

	if (!of_owner(q, p))
		return;
	n = inst_uses(p->in, use);
	for (u32 i = 0; i < n; i++)
		lanes |= readers(q, p, &use[i]);
	for (; lanes; lanes &= lanes - 1)
		enter(q, p->sim, by(q, p, ACCESS_READ, (u32)__builtin_ctz(lanes)), q->value);
	if (p->in->op == OP_ATOM && touch_space(p, q->who->datum.lane) == SPACE_GLOBAL)
		return; /* at seal */
	if (gives(q, p->in) && (p->result->mask & ~later) >> q->who->datum.lane & 1)
		enter(q, p->sim, by(q, p, ACCESS_WRITE, q->who->datum.lane), held(q, p->env->regs, p->env->preds));
}

/* --- told by the fork --- */

static void performed(void *self, const struct performed *p)
{
	struct search *q = self;

	if (q->who->datum.kind >= DATUM_REGISTER)
		register_performed(q, p);
	else
		memory_performed(q, p);
}

/* The warp of a context is the place's owner. */
static bool is_owner(const struct search *q, const struct sim *s, u32 sm, u32 context)
{
	const struct datum *x = &q->who->datum;
	const struct warp *w = (struct warp *)machine_sm_section(s->m, sm, SECTION_WARP) + context;
	const struct cta *cta = machine_sm_section(s->m, sm, SECTION_CTA);

	return w->cta != NONE16 && w->launch == x->launch && cta[w->cta].id == x->cta && w->index == x->index_in_cta;
}

/* An access by a context, of which only the instruction is known. */
static struct access by_context(const struct sim *s, u32 sm, u32 context, u32 pc, enum access_kind kind, u32 lane)
{
	const struct warp *w = (struct warp *)machine_sm_section(s->m, sm, SECTION_WARP) + context;
	const struct cta *cta = machine_sm_section(s->m, sm, SECTION_CTA);

	return (struct access){.kind = (u8)kind,
			       .lane = (u8)lane,
			       .sm = (u16)sm,
			       .context = (u16)context,
			       .launch = w->launch,
			       .cta = w->cta == NONE16 ? NONE32 : cta[w->cta].id,
			       .warp = w->index,
			       .pc = pc};
}

static void landed(void *self, const struct sim *s, u32 sm, u32 context, u32 pc, u32 mask)
{
	struct search *q = self;
	const struct datum *x = &q->who->datum;
	const struct warp *w = (struct warp *)machine_sm_section(s->m, sm, SECTION_WARP) + context;
	u64 now;

	if (x->kind < DATUM_REGISTER || !(mask >> x->lane & 1) || !is_owner(q, s, sm, context) ||
	    !gives(q, &s->kernel[w->launch]->inst[pc]) || !datum_read(s, x, &now))
		return;
	enter(q, s, by_context(s, sm, context, pc, ACCESS_WRITE, x->lane), now);
}

/* A store or an atomic on global memory acts. */
static void global_acts(struct search *q, const struct sim *s, u32 sm, const struct write_entry *w)
{
	const struct datum *x = &q->who->datum;
	u64 old = 0, left;
	u32 per = w->bytes / write_lanes(w), at, lane;

	if (!meets(q, w->address, w->bytes))
		return;
	at = x->address > w->address ? (u32)(x->address - w->address) : 0;
	lane = w->lane + at / per;
	if (!w->atom) {
		enter(q, s, by_context(s, sm, w->context, w->pc, ACCESS_WRITE, lane),
		      merged(q, w->address, w->bytes, (const u8 *)w->data));
		return;
	}
	store_read(&s->store, w->address, &old, w->bytes);
	left = atomic_value((enum atom_op)(w->atom - 1), (enum value_type)w->type, old, w->data[0], w->data[1], true);
	enter(q, s, by_context(s, sm, w->context, w->pc, ACCESS_ATOMIC, lane),
	      merged(q, w->address, w->bytes, (const u8 *)&left));
}

/* The old value of an atomic on global memory comes to the place. */
static void global_returns(struct search *q, const struct sim *s, u32 sm, const struct write_entry *w)
{
	const struct datum *x = &q->who->datum;
	u32 words = w->bytes == 8 ? 2 : 1;
	u64 old = 0, mine = 0;

	if (!w->atom || w->dst == REG_NONE || x->kind != DATUM_REGISTER || w->lane != x->lane ||
	    w->dst >= x->index + x->words || w->dst + words <= (u32)x->index || !is_owner(q, s, sm, w->context))
		return;
	store_read(&s->store, w->address, &old, w->bytes);
	mine = w->dst < (u32)x->index ? old >> 32 : old;
	if (x->words == 1)
		mine = (u32)mine;
	enter(q, s, by_context(s, sm, w->context, w->pc, ACCESS_WRITE, x->lane), mine);
}

/* The same by the context of the lane: a warp in slices has several. */
static void writes(void *self, const struct sim *s, u32 sm, const struct write_entry *entry)
{
	u32 home = (1u << s->m->parent_shift) - 1;
	struct write_entry own = *entry, *w = &own;
	struct search *q = self;

	w->context = (w->context & ~home) + (home ? w->lane / s->m->config.warp_size : 0u);

	if (q->who->datum.kind == DATUM_GLOBAL)
		global_acts(q, s, sm, w);
	else
		global_returns(q, s, sm, w);
}

/* --- the run --- */

/* The CTA of the place has been dispatched anew: what was before was another's. */
static void begun_anew(struct search *q, const struct sim *s)
{
	const struct datum *x = &q->who->datum;

	for (u32 i = 0; i < s->bus.count; i++) {
		const struct record *r = &s->bus.record[i];

		if (r->kind == EVENT_CTA_START && r->cta == x->cta && r->launch == min_u32(x->launch, 0xff)) {
			q->who->n = 0;
			q->value = 0;
		}
	}
}

/* What nobody has been told of: the host has written. */
static void by_host(struct search *q, const struct sim *s)
{
	u64 now;

	if (datum_read(s, &q->who->datum, &now) && now != q->value)
		enter(q, s, (struct access){.kind = ACCESS_HOST, .cta = NONE32, .pc = NONE32}, now);
}

enum status who_find(struct session *s, struct who *w, struct error *e)
{
	struct search q = {.who = w, .program = &s->program};
	const struct listener l = {&q, performed, writes, landed};
	struct sim fork;
	u32 applied, before;

	w->kept = xcalloc(WHO_KEPT, sizeof(*w->kept));
	w->n = 0;
	timeline_fork(s->timeline, (struct position){0, 0}, &fork, &applied);
	fork.bus.want = w->datum.kind == DATUM_GLOBAL ? 0 : EVENT_BIT(EVENT_CTA_START);
	sim_listen(&fork, &l);
	if (w->datum.kind == DATUM_GLOBAL)
		datum_read(&fork, &w->datum, &q.value);
	for (u64 c = 0; c < w->to && !timeline_interrupt; c++) {
		before = applied;
		timeline_follow(s->timeline, &fork, &applied, (struct position){c + 1, 0});
		if (fork.bus.want)
			begun_anew(&q, &fork);
		if (w->datum.kind == DATUM_GLOBAL || applied != before)
			by_host(&q, &fork);
	}
	sim_close(&fork);
	w->now = q.value;
	return timeline_interrupt ? error_set(e, STATUS_FAILED, "interrupted") : STATUS_OK;
}

const struct access *who_access(const struct who *w, u64 i)
{
	return &w->kept[i % WHO_KEPT];
}

void who_free(struct who *w)
{
	free(w->kept);
}
