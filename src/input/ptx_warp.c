/*
 * ptx_warp.c - what the lanes of a warp and the warps of a CTA do together, and carry chains, to instructions.
 *
 * shfl, vote and match also without .sync, as old PTX has them: then all lanes are members. The carry flag is one
 * predicate of the entry. Source: PTX ISA 8.x, sections 9.7.2 (carry), 9.7.9.6 (shfl), 9.7.13 (barriers, vote, match).
 */
#include "front.h"
#include "ptx_internal.h"

/* Append the destination d, or d and p of d|p. */
static bool destinations(struct ptx_work *w, struct ptx_code *c, const struct ptx_operand *o, u32 bits)
{
	if (o->kind != PTX_PAIR)
		return ptx_destination(w, c, o, bits, bits);
	return ptx_destination(w, c, &o->item[0], bits, bits) && ptx_destination(w, c, &o->item[1], 1, 1);
}

/* The row of an opcode whose `.sync` may be missing or stand behind the mode; PTX_NONE after an error. */
static u32 sync_row(struct ptx_work *w, const struct ptx_stmt *st, u32 root, bool *sync)
{
	char with[80], plain[64], *at;
	const struct ptx_form *f;

	f = ptx_form_find(w->p, st->op, (u32)strlen(st->op));
	*sync = true;
	if (!f && strlen(st->op) < sizeof(plain)) {
		snprintf(plain, sizeof(plain), "%s", st->op);
		at = strstr(plain, ".sync.");
		if (at)
			memmove(at, at + 5, strlen(at + 5) + 1);
		snprintf(with, sizeof(with), "%.*s.sync%s", (int)root, plain, plain + root);
		f = ptx_form_find(w->p, with, (u32)strlen(with));
		*sync = at != NULL;
	}
	if (f)
		return f->op;
	ptx_unknown_opcode(w->p, st);
	return PTX_NONE;
}

/* The member mask: operand i, or all lanes. */
static bool member_mask(struct ptx_work *w, struct ptx_code *c, const struct ptx_stmt *st, u32 i, bool sync)
{
	if (sync) {
		c->in.meet = MEET_MEMBERS;
		return ptx_source(w, c, &st->ops[i], 32, 'b');
	}
	c->in.src[c->in.nsrc++] = ptx_imm(w, 0xffffffff);
	return !w->p->failed;
}

/* shfl{.sync}.MODE.b32 d{|p}, a, b, c{, members}. */
bool ptx_lower_shfl(struct ptx_work *w, const struct ptx_stmt *st)
{
	bool sync;
	u32 op = sync_row(w, st, 4, &sync);
	struct ptx_code *c;

	if (op == PTX_NONE || !ptx_operand_count(w->p, st, 4u + sync, 4u + sync))
		return false;
	c = ptx_emit(w, st, (u16)op, ptx_op_class[op]);
	return destinations(w, c, &st->ops[0], 32) && ptx_source(w, c, &st->ops[1], 32, 'x') &&
	       ptx_source(w, c, &st->ops[2], 32, 'b') && ptx_source(w, c, &st->ops[3], 32, 'b') &&
	       member_mask(w, c, st, 4, sync);
}

/* vote{.sync}.MODE.TYPE d, {!}p{, members}. */
bool ptx_lower_vote(struct ptx_work *w, const struct ptx_stmt *st)
{
	bool sync;
	u32 op = sync_row(w, st, 4, &sync), bits = op == OP_VOTE_BALLOT ? 32 : 1;
	struct ptx_operand p = {.kind = PTX_NAME};
	struct ptx_code *c;

	if (op == PTX_NONE || !ptx_operand_count(w->p, st, 2u + sync, 2u + sync))
		return false;
	p = st->ops[1];
	if (p.kind == PTX_INT) {
		struct ptx_operand ops[3] = {ptx_temporary(w, 1, &p), p, p};

		ops[1].value = p.value != 0;
		ops[2].value = 0;
		if (!ptx_lower_as(w, st, "setp.ne.s32", 3, ops))
			return false;
		p = ops[0];
	}
	c = ptx_emit(w, st, (u16)op, ptx_op_class[op]);
	return ptx_destination(w, c, &st->ops[0], bits, bits) && ptx_source(w, c, &p, 1, 'p') &&
	       member_mask(w, c, st, 2, sync);
}

/* match.any.sync.TYPE d, a, members; match.all.sync.TYPE d{|p}, a, members. */
bool ptx_lower_match(struct ptx_work *w, const struct ptx_stmt *st)
{
	const struct ptx_form *f = ptx_form_find(w->p, st->op, (u32)strlen(st->op));
	bool any = f && (f->op == OP_MATCH_ANY_32 || f->op == OP_MATCH_ANY_64);
	struct ptx_code *c;
	u32 bits;

	if (!f)
		return ptx_unknown_opcode(w->p, st);
	if (!ptx_operand_count(w->p, st, 3, 3))
		return false;
	if (any && st->ops[0].kind == PTX_PAIR)
		return ptx_fail(w->p, PTX_AT(&st->ops[0]), "'%s' has no second destination operand", st->op);
	bits = ptx_letter_bits(ptx_op_signature[f->op][2]);
	c = ptx_emit(w, st, f->op, ptx_op_class[f->op]);
	return destinations(w, c, &st->ops[0], 32) && ptx_source(w, c, &st->ops[1], bits, 'b') &&
	       ptx_source(w, c, &st->ops[2], 32, 'b');
}

/* The number of a barrier: into inst.barrier, or a register in src[0]. */
static bool barrier_number(struct ptx_work *w, struct ptx_code *c, const struct ptx_operand *o)
{
	if (o->kind != PTX_INT)
		return ptx_reg(w, o, 32, 32, &c->in.src[0]);
	if (o->value >= MAX_BARRIERS)
		return ptx_fail(w->p, PTX_AT(o), "barrier %s does not exist: a CTA has barriers 0 to %d",
				ptx_shown(o->s, o->len), MAX_BARRIERS - 1);
	c->in.barrier = (u8)o->value;
	return true;
}

/* The number of threads that a barrier waits for: a multiple of the warp. */
static bool barrier_threads(struct ptx_work *w, struct ptx_code *c, const struct ptx_operand *o)
{
	if (o->kind != PTX_INT)
		return ptx_reg(w, o, 32, 32, &c->in.src[1]);
	if (!o->value || o->value % WARP_LANES || o->value > 1024)
		return ptx_fail(w->p, PTX_AT(o), "a barrier needs 32, 64, ... 1024 threads, not %s",
				ptx_shown(o->s, o->len));
	c->in.src[1] = ptx_imm(w, o->value);
	return !w->p->failed;
}

/* What stands behind `bar.`, `bar.cta.`, `barrier.` or `barrier.cta.`, without `.aligned`. */
static void barrier_verb(const char *op, char *out, size_t size)
{
	char *aligned;

	op += strcspn(op, ".");
	op += *op == '.';
	snprintf(out, size, "%s", ptx_starts(op, "cta.") ? op + 4 : op);
	aligned = strstr(out, ".aligned");
	if (aligned)
		memmove(aligned, aligned + 8, strlen(aligned + 8) + 1);
}

/* bar.red.OP.TYPE d, number{, threads}, {!}p. */
static bool lower_reduction(struct ptx_work *w, const struct ptx_stmt *st, u8 kind)
{
	u32 bits = kind == BAR_RED_POPC ? 32 : 1;
	struct ptx_code *c;

	if (!ptx_operand_count(w->p, st, 3, 4))
		return false;
	c = ptx_emit(w, st, OP_BAR_RED, ptx_op_class[OP_BAR_RED]);
	c->in.aux = kind;
	c->in.nsrc = 2;
	w->k->has_barrier = 1;
	return ptx_destination(w, c, &st->ops[0], bits, bits) && barrier_number(w, c, &st->ops[1]) &&
	       (st->nops == 3 || barrier_threads(w, c, &st->ops[2])) &&
	       ptx_source(w, c, &st->ops[st->nops - 1], 1, 'p');
}

/* Barriers of the CTA; bar.warp.sync has a row of its own. */
bool ptx_lower_barrier(struct ptx_work *w, const struct ptx_stmt *st)
{
	static const struct {
		const char *verb;
		u8 kind;
	} reductions[] = {{"red.popc.u32", BAR_RED_POPC}, {"red.and.pred", BAR_RED_AND}, {"red.or.pred", BAR_RED_OR}};
	const struct ptx_form *f = ptx_form_find(w->p, st->op, (u32)strlen(st->op));
	struct ptx_code *c;
	char verb[64];
	bool arrive;
	u16 op;

	if (f)
		return ptx_lower_plain(w, st, f->op);
	barrier_verb(st->op, verb, sizeof(verb));
	for (u32 i = 0; i < ARRAY_LEN(reductions); i++)
		if (!strcmp(verb, reductions[i].verb))
			return lower_reduction(w, st, reductions[i].kind);
	arrive = !strcmp(verb, "arrive");
	if (!arrive && strcmp(verb, "sync"))
		return ptx_refuse(
			w->p, PTX_AT(st),
			"'%s' is not supported: supported barriers are bar.sync, bar.arrive, bar.red.popc.u32, bar.red.and.pred, bar.red.or.pred and bar.warp.sync",
			ptx_shown_text(st->op));
	if (!ptx_operand_count(w->p, st, 1u + arrive, 2))
		return false;
	op = arrive ? OP_BAR_ARRIVE : OP_BAR_SYNC;
	c = ptx_emit(w, st, op, ptx_op_class[op]);
	w->k->has_barrier = 1;
	if (!barrier_number(w, c, &st->ops[0]) || (st->nops == 2 && !barrier_threads(w, c, &st->ops[1])))
		return false;
	c->in.nsrc = st->nops == 2 ? 2 : c->in.src[0].kind != OPERAND_NONE;
	return true;
}

/* Is the opcode one of a carry chain? */
bool ptx_is_carry(const char *op)
{
	return strstr(op, ".cc.") || ptx_starts(op, "addc.") || ptx_starts(op, "subc.") || ptx_starts(op, "madc.");
}

/* add.cc, addc and their like: the operands, then the carry in. */
bool ptx_lower_carry(struct ptx_work *w, const struct ptx_stmt *st, u16 op)
{
	const char *sources = ptx_op_signature[op] + 2;
	u32 bits = ptx_letter_bits(*sources), n = (u32)strlen(sources);
	bool carry_in = st->op[3] == 'c', carry_out = strstr(st->op, ".cc.") != NULL;
	struct ptx_code *c;

	if (!ptx_operand_count(w->p, st, 1 + n, 1 + n))
		return false;
	if (w->carry.kind != PTX_REG || !w->carry.width)
		w->carry = ptx_temporary(w, 1, &st->ops[0]);
	c = ptx_emit(w, st, op, ptx_op_class[op]);
	if (!ptx_destination(w, c, &st->ops[0], bits, bits) || (carry_out && !ptx_destination(w, c, &w->carry, 1, 1)))
		return false;
	for (u32 i = 0; i < n; i++)
		if (!ptx_source(w, c, &st->ops[1 + i], bits, strrchr(st->op, '.')[1]))
			return false;
	if (carry_in)
		return ptx_source(w, c, &w->carry, 1, 'p');
	c->in.nsrc++;
	return true;
}
