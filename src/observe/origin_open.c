/* origin_open.c - what an instruction read that made a value: the children of a node. */
#include "origin_internal.h"

/* An event whose operands become children of a node. */
struct opening {
	struct search *q;
	u32 node, e;
	const struct track_event *x;
	const struct inst *in;
	const struct kernel *kernel;
	u32 lane;
};

/* --- children --- */

/* A place in registers of the event's warp. */
static struct datum own_place(const struct opening *p, const struct use *u, u32 lane)
{
	const struct origin_node *o = &p->q->o->node[p->node];

	return (struct datum){.kind = u->operand.kind == OPERAND_PRED ? DATUM_PREDICATE : DATUM_REGISTER,
			      .type = u->words == 2 ? VALUE_U64 : VALUE_U32,
			      .lane = (u8)lane,
			      .words = u->words,
			      .index = u->operand.value,
			      .bytes = 4,
			      .sm = o->sm,
			      .warp = o->context,
			      .launch = o->launch,
			      .cta = o->cta,
			      .index_in_cta = o->warp};
}

/* A child that is known at once. */
static void leaf(const struct opening *p, const struct use *u, enum origin_kind kind, u64 value, bool known)
{
	struct datum place = own_place(p, u, p->lane);
	u32 i = origin_add(p->q, p->node, &place, u->role, u->index);
	struct origin_node *x;

	if (i == NONE32)
		return;
	x = &p->q->o->node[i];
	x->kind = (u8)kind;
	x->value = value;
	x->known = known;
	x->special = u->operand.value;
	x->type = u->words == 2 ? VALUE_U64 : VALUE_U32;
}

/* An operand in a lane of the same warp. */
static void operand_of(const struct opening *p, const struct use *u, u32 lane)
{
	const struct origin_node *o = &p->q->o->node[p->node];
	bool moves = p->in->nsrc == 1 && o->place.kind == DATUM_REGISTER;
	u64 value = o->value;
	struct datum place;
	u32 i;

	if (u->operand.kind == OPERAND_IMM) {
		leaf(p, u, ORIGIN_IMMEDIATE, p->kernel->imm[u->operand.value], true);
		return;
	}
	if (u->operand.kind == OPERAND_SREG) {
		leaf(p, u, ORIGIN_SPECIAL, moves ? value : 0, moves);
		return;
	}
	place = own_place(p, u, lane);
	i = origin_add(p->q, p->node, &place, u->role, u->index);
	if (i != NONE32)
		origin_need(p->q, (struct quest){i, p->x->before, 0});
}

/* The same in several lanes. */
static void operand_of_lanes(const struct opening *p, const struct use *u, u32 lanes)
{
	for (; lanes; lanes &= lanes - 1)
		operand_of(p, u, (u32)__builtin_ctz(lanes));
}

/* --- memory --- */

/* Before which act an event reads global memory: loads what the cycle began with, an atomic what is there at its turn.
 */
static u32 act_before(const struct opening *p)
{
	const struct track *t = &p->q->track;
	u32 i = BISECT(k, t->nacts, t->act[k].cycle < p->x->cycle); /* the first act in that cycle or later */

	for (; p->in->op == OP_ATOM && i < t->nacts; i++)
		if (t->act[i].event == p->e && t->act[i].lane == p->lane)
			break;
	return i;
}

/* Bytes of memory that the event's lane read. */
static void memory_at(const struct opening *p, u8 space, u64 address, u32 bytes)
{
	static const u8 kind[] = {
		[SPACE_GLOBAL] = DATUM_GLOBAL, [SPACE_SHARED] = DATUM_SHARED, [SPACE_LOCAL] = DATUM_LOCAL};
	const struct origin_node *o = &p->q->o->node[p->node];
	struct result_type type = p->in->op == OP_COPY ? (struct result_type){o->place.type, false}
						       : inst_result_type(p->kernel, p->x->pc);
	struct datum place = {.type = value_type_size[type.type] == bytes ? type.type
				      : bytes == 8			  ? VALUE_U64
				      : bytes == 4			  ? VALUE_U32
				      : bytes == 2			  ? VALUE_U16
									  : VALUE_U8,
			      .lane = (u8)p->lane,
			      .words = 1,
			      .bytes = bytes,
			      .address = address,
			      .sm = o->sm,
			      .warp = o->context,
			      .launch = o->launch,
			      .cta = o->cta,
			      .index_in_cta = o->warp};
	bool stays = space == SPACE_PARAM || space == SPACE_CONST,
	     known = space >= SPACE_GLOBAL && space <= SPACE_LOCAL;
	struct quest n = {0, p->x->before, 0};
	u32 i;

	place.kind = known ? kind[space] : DATUM_GLOBAL;
	i = origin_add(p->q, p->node, &place, USE_VALUE, ORIGIN_SOURCE_NONE);
	if (i == NONE32)
		return;
	if (!known) {
		p->q->o->node[i].kind = !stays		       ? ORIGIN_LOST
					: space == SPACE_PARAM ? ORIGIN_PARAMETER
							       : ORIGIN_CONSTANT;
		p->q->o->node[i].value = p->q->o->node[p->node].value;
		p->q->o->node[i].known = stays;
		return;
	}
	n.node = i;
	if (space == SPACE_GLOBAL)
		n.from = act_before(p);
	else if (space == SPACE_SHARED)
		n.from = p->x->shared;
	if (space != SPACE_GLOBAL && p->in->op == OP_ATOM && p->lane) {
		n.from = p->e;
		n.below = p->lane;
	}
	origin_need(p->q, n);
}

/* Which result of an instruction a node is: its bytes in memory. */
static void loaded(const struct opening *p)
{
	const struct datum *d = &p->q->o->node[p->node].place;
	u32 word = 0, dst = inst_result_register(p->in, d->index, &word);
	u64 at = track_address(&p->q->track, p->x, p->lane);
	u32 bytes = d->words == 2 || p->in->width < 4 ? p->in->width : min_u32(p->in->width, 4);

	if (dst != MAX_DST)
		memory_at(p, track_space(&p->q->track, p->x, p->lane), at + dst * p->in->width + 4 * word, bytes);
}

/* Where row k of the matrices of an ldmatrix begins. */
static u64 row_address(const struct opening *p, u32 k)
{
	return track_address(&p->q->track, p->x, k);
}

static void matrix_loaded(const struct opening *p)
{
	u32 word, m = inst_result_register(p->in, p->q->o->node[p->node].place.index, &word);
	u32 i = p->lane / 4, k = p->lane % 4 * 2;

	if (p->in->aux != LDMATRIX_TRANS) {
		memory_at(p, SPACE_SHARED, row_address(p, m * 8 + i) + 2 * k, 4);
		return;
	}
	memory_at(p, SPACE_SHARED, row_address(p, m * 8 + k) + 2 * i, 2);
	memory_at(p, SPACE_SHARED, row_address(p, m * 8 + k + 1) + 2 * i, 2);
}

/* What an asynchronous copy has left: what was in global memory, or zeros. */
static void copied(const struct opening *p)
{
	const struct datum *d = &p->q->o->node[p->node].place;
	u64 from = track_copied(&p->q->track, p->x, p->lane);

	if (from)
		memory_at(p, SPACE_GLOBAL, from + d->address - track_address(&p->q->track, p->x, p->lane), d->bytes);
}

/* Is source k stored in the bytes that a node is? */
static bool stores(const struct opening *p, u32 k)
{
	const struct datum *d = &p->q->o->node[p->node].place;
	u64 from = d->address - track_address(&p->q->track, p->x, p->lane), to = from + d->bytes;

	return k && (k - 1) * p->in->width < to && from < (u64)k * p->in->width;
}

/* Does an atomic leave what it finds, or something made of it? */
static bool keeps_old(const struct inst *in)
{
	return in->aux != ATOM_EXCH;
}

/* --- lanes --- */

/* Lanes that give the first operand to a lane of an mma: a row of A (half: which), a column of B. */
static u32 row_lanes(u32 row)
{
	return 0xfu << row * 4;
}

/* An element of D: a row of A, a column of B, the same element of C. */
static void product(const struct opening *p, const struct use *u, u32 n)
{
	u32 word, d = inst_result_register(p->in, p->q->o->node[p->node].place.index, &word);
	bool halves = mma_sums_halves(p->in->aux);
	u32 low = halves ? d : d / 2, column = p->lane % 4 * 2 + (halves ? 0 : d % 2);

	for (u32 i = 0; i < n; i++) {
		if (u[i].index == low)
			operand_of_lanes(p, &u[i], row_lanes(p->lane / 4) & p->x->mask);
		if (u[i].index == 2)
			operand_of_lanes(p, &u[i],
					 (row_lanes(column) | (halves ? row_lanes(column + 1) : 0)) & p->x->mask);
		if (u[i].index == 3 + d)
			operand_of(p, &u[i], p->lane);
	}
}

/* The same of m8n8k4: of halves all lanes of the quad pair give factors; of doubles a row of A, a column of B. */
static void small_product(const struct opening *p, const struct use *u, u32 n)
{
	u32 word, d = inst_result_register(p->in, p->q->o->node[p->node].place.index, &word);
	bool halves = p->in->op == OP_MMA_QUAD;
	u32 factors = halves ? 4 : 2, pair = 0xf000fu << p->lane % 16 / 4 * 4;

	for (u32 i = 0; i < n; i++)
		if (u[i].index == factors + d)
			operand_of(p, &u[i], p->lane);
		else if (u[i].index < factors)
			operand_of_lanes(p, &u[i],
					 (halves	    ? pair
					  : u[i].index == 0 ? row_lanes(p->lane / 4)
							    : row_lanes(p->lane % 4 * 2 + d)) &
						 p->x->mask);
}

static bool is_product(u32 op)
{
	return op >= OP_MMA && op <= OP_DMMA;
}

/* A register as it was before the event, which may have written over it; false: its warp was not on an SM when the
 * stretch began. */
static bool register_before(const struct opening *p, u32 reg, u32 lane, u32 *out)
{
	const struct use u = {.operand = {.kind = OPERAND_REG, .value = (u16)reg}, .words = 1};
	const struct track *t = &p->q->track;
	struct datum place = own_place(p, &u, lane);
	u32 e = p->x->before;
	u64 before = 0;

	for (; e < TRACK_BEGUN; e = t->event[e].before) {
		const struct inst *in = track_inst(t, &t->event[e]);
		u32 i = 0;

		while (i < in->nwrite && in->write[i] != reg)
			i++;
		if (i == in->nwrite || !(t->event[e].mask >> lane & 1))
			continue;
		*out = track_register(t, &t->event[e], i, lane);
		return true;
	}
	if (e != TRACK_BEGUN && !datum_read(&p->q->past->station[p->q->stretch].sim, &place, &before))
		return false;
	*out = (u32)before;
	return true;
}

/* What chose, by source k, of which track_choice() has number i. */
static u32 choice_of(const struct opening *p, u32 k, u32 i)
{
	const struct operand *o = &p->in->src[k];
	u32 word, before;

	if (o->kind == OPERAND_REG && inst_result_register(p->in, o->value, &word) != MAX_DST &&
	    register_before(p, o->value, p->lane, &before))
		return before;
	return track_choice(&p->q->track, p->x, i, p->lane);
}

/* Of which lanes a source is read. */
static u32 source_lanes(const struct opening *p, const struct use *u)
{
	u32 op = p->in->op;

	if (u->role != USE_VALUE || op == OP_ACTIVEMASK)
		return 1u << p->lane;
	if (op_is_shfl(op))
		return 1u << shfl_lane(op, p->lane, choice_of(p, 1, 0), choice_of(p, 2, 1), &(bool){0});
	if ((op >= OP_VOTE_ALL && op <= OP_REDUX_XOR) || op == OP_BAR_RED)
		return p->x->mask;
	return 1u << p->lane;
}

/* A select takes one of its values. */
static bool passed_over(const struct opening *p, const struct use *u)
{
	u32 op = p->in->op, choice;
	float real;

	if (!op_is_select(op) || u->index > 1)
		return false;
	choice = choice_of(p, 2, 0);
	memcpy(&real, &choice, sizeof(real));
	if (op > OP_SELP_64)
		choice = op < OP_SLCT_16_F ? (i32)choice >= 0 : real >= 0;
	return choice ? u->index == 1 : u->index == 0;
}

/* --- an event --- */

/* Is a use of the event part of the node's value, or beside it? */
static bool belongs(const struct opening *p, const struct use *u)
{
	bool memory = p->q->o->node[p->node].place.kind <= DATUM_LOCAL;

	if (u->role == USE_LANES || (u->role == USE_ADDRESS && u->operand.kind != OPERAND_REG) ||
	    p->in->op == OP_VPRINTF)
		return false;
	if (u->role != USE_VALUE)
		return true;
	if (p->in->op == OP_ST)
		return stores(p, u->index);
	return p->in->op != OP_ATOM || memory;
}

/* Is a constant beside other values? It stands in the instruction. */
static bool stands_there(const struct opening *p, const struct use *u, u32 values)
{
	return values && u->operand.kind == OPERAND_IMM && u->role == USE_VALUE && !op_is_select(p->in->op);
}

/* The operands, values first. */
static void open_uses(const struct opening *p)
{
	struct use u[MAX_SRC + 1];
	u32 n = inst_uses(p->in, u), values = 0;

	for (u32 i = 0; i < n; i++)
		values += u[i].role == USE_VALUE && u[i].operand.kind != OPERAND_IMM && belongs(p, &u[i]);
	if (p->in->op == OP_MMA)
		product(p, u, n);
	else if (is_product(p->in->op))
		small_product(p, u, n);
	for (u32 pass = 0; pass < 2; pass++)
		for (u32 i = 0; i < n; i++) {
			if ((u[i].role != USE_VALUE) != pass || (is_product(p->in->op) && !pass) ||
			    stands_there(p, &u[i], values))
				continue;
			if (belongs(p, &u[i]) && !passed_over(p, &u[i]))
				operand_of_lanes(p, &u[i], source_lanes(p, &u[i]));
		}
}

void origin_expand(struct search *q, u32 node, u32 e)
{
	const struct origin_node *o = &q->o->node[node];
	const struct track_event *x = &q->track.event[e];
	const struct opening p = {.q = q,
				  .node = node,
				  .e = e,
				  .x = x,
				  .in = track_inst(&q->track, x),
				  .kernel = q->session->program.launch[o->launch].kernel,
				  .lane = o->lane};
	bool memory = o->place.kind <= DATUM_LOCAL;
	struct datum place = o->place;

	q->o->node[node].opened = true;
	if (p.in->op == OP_LD)
		loaded(&p);
	else if (p.in->op == OP_LDMATRIX)
		matrix_loaded(&p);
	else if (p.in->op == OP_ATOM && !memory)
		loaded(&p);
	else if (p.in->op == OP_ATOM && keeps_old(p.in))
		memory_at(&p, track_space(&q->track, x, p.lane), place.address, place.bytes);
	else if (p.in->op == OP_COPY)
		copied(&p);
	else if (p.in->op == OP_ACTIVEMASK)
		leaf(&p, &(struct use){.role = USE_VALUE}, ORIGIN_LANES, x->mask, true);
	open_uses(&p);
}
