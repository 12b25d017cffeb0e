/* track.c - the log of a stretch (track.h). */
#include "events.h"
#include "track.h"

#include "machine.h"
/* --- CTAs and warps --- */

/* Where a CTA stands in the table, or would. */
static u32 *slot_of(const struct track *t, u32 launch, u32 cta)
{
	u32 i = (u32)(mix64((u64)launch << 32 | cta) & (t->table_room - 1));

	while (t->table[i] && (t->cta[t->table[i] - 1].launch != launch || t->cta[t->table[i] - 1].cta != cta))
		i = (i + 1) & (t->table_room - 1);
	return &t->table[i];
}

u32 track_cta(const struct track *t, u32 launch, u32 cta)
{
	return t->table_room && *slot_of(t, launch, cta) ? *slot_of(t, launch, cta) - 1 : NONE32;
}

u32 track_warp(const struct track *t, u32 launch, u32 cta, u32 warp)
{
	u32 i = track_cta(t, launch, cta);

	return i == NONE32 || warp >= t->cta[i].warps ? NONE32 : t->cta[i].first_warp + warp;
}

/* The table becomes larger. */
static void grow_table(struct track *t)
{
	t->table_room = t->table_room ? t->table_room * 2 : 1024;
	free(t->table);
	t->table = xcalloc(t->table_room, sizeof(*t->table));
	for (u32 i = 0; i < t->ncta; i++)
		*slot_of(t, t->cta[i].launch, t->cta[i].cta) = i + 1;
}

/* A CTA that is seen for the first time. */
static u32 add_cta(struct track *t, u32 launch, u32 cta)
{
	u32 warps = t->program->launch[launch].warps, i = track_cta(t, launch, cta);

	if (i != NONE32)
		return i;
	if (2 * (t->ncta + 1) > t->table_room)
		grow_table(t);
	t->cta = array_grow(t->cta, t->ncta, sizeof(*t->cta));
	t->cta[t->ncta] = (struct track_cta){launch, cta, t->nwarps, warps, TRACK_EARLIER};
	for (u32 w = 0; w < warps; w++) {
		t->last = array_grow(t->last, t->nwarps, sizeof(*t->last));
		t->owner = array_grow(t->owner, t->nwarps, sizeof(*t->owner));
		t->last[t->nwarps] = TRACK_EARLIER;
		t->owner[t->nwarps++] = t->ncta;
	}
	*slot_of(t, launch, cta) = ++t->ncta;
	return t->ncta - 1;
}

/* It has been dispatched: nothing is before. */
static void begin_cta(struct track *t, u32 i)
{
	t->cta[i].shared = TRACK_BEGUN;
	for (u32 w = 0; w < t->cta[i].warps; w++)
		t->last[t->cta[i].first_warp + w] = TRACK_BEGUN;
}

/* Those of this cycle. */
static void see_starts(struct track *t, const struct sim *s)
{
	for (u32 i = 0; i < s->bus.count; i++) {
		const struct record *r = &s->bus.record[i];
		const struct cta *cta;

		if (r->kind != EVENT_CTA_START)
			continue;
		cta = machine_sm_section(s->m, r->sm, SECTION_CTA);
		for (u32 k = 0; k < s->m->residents; k++)
			if (cta[k].launch != NONE16 && cta[k].id == r->cta &&
			    min_u32(cta[k].launch, 0xff) == r->launch && cta[k].started + 1 >= machine_gpu(s->m)->cycle)
				begin_cta(t, add_cta(t, cta[k].launch, cta[k].id));
	}
}

/* --- vectors: a word for each lane, packed where lanes are alike --- */

enum packing { PACK_ALIKE, PACK_STEPS, PACK_ALL };

static void put_word(struct track *t, u32 x)
{
	t->word = array_grow(t->word, t->nwords, sizeof(*t->word));
	t->word[t->nwords++] = x;
}

/* A vector of the lanes in mask; raw: it will be changed. */
static void put_vector(struct track *t, const u32 *v, u32 mask, bool raw)
{
	u32 first = (u32)__builtin_ctz(mask), rest = mask & (mask - 1);
	u32 second = rest ? (u32)__builtin_ctz(rest) : first, apart = second - first;
	u32 step = rest && apart == 1 ? v[second] - v[first] : 0, base = v[first] - step * first;
	bool steps = !raw;

	for (u32 left = mask; left && steps; left &= left - 1)
		steps = v[__builtin_ctz(left)] == base + step * (u32)__builtin_ctz(left);
	put_word(t, !steps ? PACK_ALL : step ? PACK_STEPS : PACK_ALIKE);
	if (steps) {
		put_word(t, base);
		if (step)
			put_word(t, step);
		return;
	}
	for (u32 l = 0; l < WARP_LANES; l++)
		put_word(t, v[l]);
}

/* Words that a vector takes. */
static u32 vector_words(const u32 *p)
{
	return *p == PACK_ALL ? 1 + WARP_LANES : *p == PACK_STEPS ? 3 : 2;
}

/* Vector number n of an event. */
static u32 *vector(const struct track *t, const struct track_event *x, u32 n)
{
	u32 *p = t->word + x->block;

	while (n--)
		p += vector_words(p);
	return p;
}

static u32 vector_lane(const u32 *p, u32 lane)
{
	return *p == PACK_ALL ? p[1 + lane] : p[1] + (*p == PACK_STEPS ? p[2] * lane : 0);
}

/* --- what an event has: addresses (2), then results, predicates; of stores and shared atomics what they left; of shfl
 *     its choices --- */

/* Vectors before the results. */
static u32 address_vectors(const struct inst *in)
{
	return touches_memory(in) ? 2 : 0;
}

/* Vectors of what an access leaves in memory. */
static u32 left_vectors(const struct inst *in)
{
	if (in->op == OP_ATOM)
		return in->width == 8 ? 2 : 1;
	return in->op == OP_ST || in->op == OP_COPY ? (u32)in->vec * (in->width == 8 ? 2 : 1) : 0;
}

const struct inst *track_inst(const struct track *t, const struct track_event *x)
{
	return &t->program->launch[t->cta[t->owner[x->warp]].launch].kernel->inst[x->pc];
}

u64 track_address(const struct track *t, const struct track_event *x, u32 lane)
{
	return vector_lane(vector(t, x, 0), lane) | (u64)vector_lane(vector(t, x, 1), lane) << 32;
}

u8 track_space(const struct track *t, const struct track_event *x, u32 lane)
{
	const struct inst *in = track_inst(t, x);

	if (in->space != SPACE_GENERIC)
		return touched_space(in);
	if (x->window != SPACE_GENERIC)
		return (u8)x->window;
	return x->aside >> lane & 1 ? SPACE_NONE : SPACE_GLOBAL;
}

u32 track_register(const struct track *t, const struct track_event *x, u32 i, u32 lane)
{
	return vector_lane(vector(t, x, address_vectors(track_inst(t, x)) + i), lane);
}

u32 track_predicate(const struct track *t, const struct track_event *x, u32 i)
{
	const struct inst *in = track_inst(t, x);

	return vector(t, x, address_vectors(in) + in->nwrite)[1 + 2 * i];
}

/* The vectors behind registers and predicates. */
static u32 behind_results(const struct inst *in)
{
	return address_vectors(in) + in->nwrite + 2;
}

u64 track_stored(const struct track *t, const struct track_event *x, u32 lane, u32 at, u32 n)
{
	const struct inst *in = track_inst(t, x);
	u32 first = behind_results(in), words = in->width == 8 ? 2 : 1;
	u8 bytes[32] = {0};
	u64 v = 0;

	for (u32 e = 0; e < (in->op == OP_ATOM ? 1u : in->vec); e++) {
		u64 one = vector_lane(vector(t, x, first + e * words), lane);

		if (words == 2)
			one |= (u64)vector_lane(vector(t, x, first + e * words + 1), lane) << 32;
		memcpy(bytes + e * in->width, &one, in->width);
	}
	memcpy(&v, bytes + at, n);
	return v;
}

u32 track_choice(const struct track *t, const struct track_event *x, u32 i, u32 lane)
{
	return vector_lane(vector(t, x, behind_results(track_inst(t, x)) + i), lane);
}

u64 track_copied(const struct track *t, const struct track_event *x, u32 lane)
{
	const struct inst *in = track_inst(t, x);
	u32 first = behind_results(in) + left_vectors(in);

	return vector_lane(vector(t, x, first), lane) | (u64)vector_lane(vector(t, x, first + 1), lane) << 32;
}

/* --- listening --- */

static void put_addresses(struct track *t, const struct performed *p)
{
	u32 low[WARP_LANES], high[WARP_LANES];

	for (u32 l = 0; l < WARP_LANES; l++) {
		u32 bytes;
		u64 a = p->in->op == OP_LDMATRIX && l >= 8u * p->in->vec ? 0 : touch_address(p, l, &bytes);

		low[l] = (u32)a;
		high[l] = (u32)(a >> 32);
	}
	put_vector(t, low, p->result->mask, false);
	put_vector(t, high, p->result->mask, false);
}

/* What an access has left in shared or local memory, lane by lane. */
static void put_left(struct track *t, const struct performed *p)
{
	u32 n = left_vectors(p->in), words = p->in->width == 8 ? 2 : 1, v[2 * MAX_VECTOR][WARP_LANES];

	memset(v, 0, sizeof(v));
	LANES_EACH (l, p->result->mask) {
		u8 space = touch_space(p, l);
		u64 x = 0;

		for (u32 e = 0; e < n / words; e++) {
			if (p->in->op == OP_ST)
				x = touch_source(p, 1 + e, words, l);
			else if (p->in->op == OP_COPY)
				x = touch_stored(p, l, e * p->in->width, p->in->width);
			else if (space == SPACE_SHARED)
				memcpy(&x, p->env->shared + p->result->address[l], p->in->width);
			v[e * words][l] = (u32)x;
			if (words == 2)
				v[e * words + 1][l] = (u32)(x >> 32);
		}
	}
	for (u32 i = 0; i < n; i++)
		put_vector(t, v[i], p->result->mask, false);
}

/* What chose: shfl's lane or distance and its clamp, the third source of a select (a predicate is 0 or 1). */
static void put_choices(struct track *t, const struct performed *p)
{
	bool shfl = op_is_shfl(p->in->op);
	u32 v[WARP_LANES];

	for (u32 i = shfl ? 1 : 2; i <= 2; i++) {
		for (u32 l = 0; l < WARP_LANES; l++)
			v[l] = (u32)touch_source(p, i, 1, l);
		put_vector(t, v, p->result->mask, false);
	}
}

/* Where the lanes of a copy have read, its first place; 0: nowhere. */
static void put_origins(struct track *t, const struct performed *p)
{
	u32 v[WARP_LANES];

	for (u32 word = 0; word < 2; word++) {
		for (u32 l = 0; l < WARP_LANES; l++)
			v[l] = p->result->aside >> l & 1 ? 0 : (u32)(p->result->address[l] >> 32 * word);
		put_vector(t, v, p->result->mask, false);
	}
}

/* The vectors of an event. */
static void put_block(struct track *t, const struct performed *p)
{
	const struct inst *in = p->in;
	bool later = p->waits || (in->op == OP_ATOM && in->ndst);

	if (touches_memory(in))
		put_addresses(t, p);
	for (u32 i = 0; i < in->nwrite; i++)
		put_vector(t, p->env->regs + (u32)in->write[i] * WARP_LANES, p->result->mask, later);
	for (u32 i = 0; i < 2; i++) {
		put_word(t, PACK_ALIKE);
		put_word(t, in->write_pred[i] != 0xff ? p->env->preds[in->write_pred[i]] : 0);
	}
	if (touch_writes(in) && touched_space(in) != SPACE_GLOBAL)
		put_left(t, p);
	if (in->op == OP_COPY)
		put_origins(t, p);
	else if (op_is_shfl(in->op) || op_is_select(in->op))
		put_choices(t, p);
}

/* Does an access write shared memory in some lane? */
static bool writes_shared(const struct performed *p)
{
	if (!touch_writes(p->in))
		return false;
	if (p->in->space != SPACE_GENERIC)
		return touched_space(p->in) == SPACE_SHARED;
	return p->result->window == SPACE_SHARED || (p->result->window == SPACE_GENERIC && p->result->aside);
}

static void performed(void *self, const struct performed *p)
{
	struct track *t = self;
	const struct inst *in = p->in;
	u32 cta, warp;

	if ((!inst_writes(in) && !touch_writes(in)) || t->full)
		return;
	if (t->nwords > TRACK_WORDS || t->nevents >= TRACK_BEGUN / 2) {
		t->full = true;
		return;
	}
	cta = add_cta(t, (u32)(p->env->launch - t->program->launch), p->env->cta);
	warp = t->cta[cta].first_warp + p->env->warp;
	t->event = array_grow(t->event, t->nevents, sizeof(*t->event));
	t->event[t->nevents] = (struct track_event){.cycle = machine_gpu(p->sim->m)->cycle + 1,
						    .warp = warp,
						    .pc = p->pc,
						    .mask = p->result->mask,
						    .block = t->nwords,
						    .before = t->last[warp],
						    .shared = t->cta[cta].shared,
						    .sm = (u16)p->sm,
						    .context = (u16)p->context,
						    .window = p->result->window,
						    .aside = p->result->aside};
	put_block(t, p);
	t->last[warp] = t->nevents;
	if (writes_shared(p))
		t->cta[cta].shared = t->nevents;
	t->nevents++;
}

/* The last event of a context by an instruction with a lane. */
static u32 find_event(const struct track *t, const struct sim *s, u32 sm, u32 context, u32 pc, u32 mask)
{
	const struct warp *w = (struct warp *)machine_sm_section(s->m, sm, SECTION_WARP) + context;
	const struct cta *cta = machine_sm_section(s->m, sm, SECTION_CTA);
	u32 warp = w->cta == NONE16 ? NONE32 : track_warp(t, w->launch, cta[w->cta].id, w->index);
	u32 e = warp == NONE32 ? TRACK_EARLIER : t->last[warp];

	while (e < TRACK_BEGUN && (t->event[e].pc != pc || !(t->event[e].mask & mask)))
		e = t->event[e].before;
	return e;
}

static void landed(void *self, const struct sim *s, u32 sm, u32 context, u32 pc, u32 mask)
{
	struct track *t = self;
	u32 e = find_event(t, s, sm, context, pc, mask), n;
	const u32 *regs = sim_warp_regs(s, sm, context, &n), *preds = sim_warp_preds(s, sm, context, &n);
	const struct inst *in;

	if (e >= TRACK_BEGUN || !regs)
		return;
	in = track_inst(t, &t->event[e]);
	for (u32 i = 0; i < in->nwrite; i++)
		memcpy(vector(t, &t->event[e], address_vectors(in) + i) + 1, regs + (u32)in->write[i] * WARP_LANES,
		       WARP_LANES * sizeof(u32));
	for (u32 i = 0; i < 2; i++)
		if (in->write_pred[i] != 0xff)
			vector(t, &t->event[e], address_vectors(in) + in->nwrite)[1 + 2 * i] = preds[in->write_pred[i]];
}

/* What an atomic has found there is its lane's result. */
static void give_old(struct track *t, u32 e, u32 lane, u64 old)
{
	const struct inst *in = track_inst(t, &t->event[e]);

	for (u32 i = 0; i < in->nwrite; i++)
		vector(t, &t->event[e], address_vectors(in) + i)[1 + lane] = (u32)(old >> 32 * i);
}

static void writes(void *self, const struct sim *s, u32 sm, const struct write_entry *w)
{
	struct track *t = self;
	u32 home = (1u << s->m->parent_shift) - 1, lanes = write_lanes(w);
	u32 context = (w->context & ~home) + (home ? w->lane / s->m->config.warp_size : 0u);
	u32 e = find_event(t, s, sm, context, w->pc, ((lanes < 32 ? 1u << lanes : 0u) - 1) << w->lane);
	struct track_act a = {.address = w->address,
			      .cycle = machine_gpu(s->m)->cycle + 1,
			      .data = {w->data[0], w->data[1]},
			      .event = e,
			      .bytes = w->bytes,
			      .lane = w->lane,
			      .lanes = (u8)lanes};
	u64 old = 0;

	if (w->atom) {
		store_read(&s->store, w->address, &old, w->bytes);
		a.data[0] = atomic_value((enum atom_op)(w->atom - 1), (enum value_type)w->type, old, w->data[0],
					 w->data[1], true);
		if (w->dst != REG_NONE && e < TRACK_BEGUN)
			give_old(t, e, w->lane, old);
	}
	t->act = array_grow(t->act, t->nacts, sizeof(*t->act));
	t->act[t->nacts++] = a;
}

void track_live(struct track *t, const struct timeline *line, const struct station *from, struct position to)
{
	const struct listener l = {t, performed, writes, landed};
	struct sim fork;
	u32 applied = from->applied;

	t->program = from->sim.program;
	sim_fork(&fork, &from->sim);
	sim_listen(&fork, &l);
	fork.bus.want = EVENT_BIT(EVENT_CTA_START);
	for (u64 c = from->cycle; c < to.cycle && !timeline_interrupt; c++) {
		timeline_follow(line, &fork, &applied, (struct position){c + 1, 0});
		see_starts(t, &fork);
	}
	if (to.stage && !timeline_interrupt)
		timeline_follow(line, &fork, &applied, to);
	sim_close(&fork);
}

void track_free(struct track *t)
{
	free(t->event);
	free(t->act);
	free(t->word);
	free(t->cta);
	free(t->last);
	free(t->owner);
	free(t->table);
	*t = (struct track){0};
}
