/*
 * ptx_compare.c - compares: setp, set, and lop3 with a predicate.
 *
 * A compare with a boolean operator is that without it, and inst.aux. What has no row of its own is made of rows: setp
 * of two halves is two compares, set with a boolean operator or of another result type a setp and a selp; hardware has
 * one instruction for each. Source: PTX ISA 8.x, sections 9.7.5 to 9.7.7.
 */
#include "ptx_internal.h"

/* The boolean operator of setp, 0 none, 1 and, 2 or, 3 xor; op without it goes to plain. */
static u8 split_boolean(const char *op, char *plain, size_t size)
{
	static const char *const names[] = {".and.", ".or.", ".xor."};

	snprintf(plain, size, "%s", op);
	for (u32 i = 0; i < ARRAY_LEN(names); i++) {
		char *at = strstr(plain, names[i]);

		if (at) {
			memmove(at, at + strlen(names[i]) - 1, strlen(at + strlen(names[i]) - 1) + 1);
			return (u8)(i + 1);
		}
	}
	return 0;
}

/* setp.lt{.and}.s32 p{|q}, a, b{, c}. */
static bool lower_compare(struct ptx_work *w, const struct ptx_stmt *st)
{
	char plain[80];
	u8 boolean = split_boolean(st->op, plain, sizeof(plain));
	const struct ptx_form *f = ptx_form_find(w->p, plain, (u32)strlen(plain));
	const struct ptx_operand *d = st->ops;
	struct ptx_code *c;
	u32 bits, n = 3 + (boolean != 0);
	char type;

	if (!f)
		return ptx_unknown_opcode(w->p, st);
	if (!ptx_operand_count(w->p, st, n, n))
		return false;
	bits = ptx_letter_bits(ptx_op_signature[f->op][2]);
	type = ptx_immediate_type(plain);
	c = ptx_emit(w, st, f->op, ptx_op_class[f->op]);
	c->in.aux = boolean;
	for (u32 i = 0; i < (d->kind == PTX_PAIR ? 2 : 1); i++)
		if (!ptx_destination(w, c, d->kind == PTX_PAIR ? &d->item[i] : d, 1, 1))
			return false;
	return ptx_source(w, c, &st->ops[1], bits, type) && ptx_source(w, c, &st->ops[2], bits, type) &&
	       (!boolean || ptx_source(w, c, &st->ops[3], 1, 'p'));
}

/* The two halves of an operand, in registers of their own. */
static bool halves_of(struct ptx_work *w, const struct ptx_stmt *st, const struct ptx_operand *from,
		      struct ptx_operand *half)
{
	struct ptx_operand pair = {
		.kind = PTX_VECTOR, .n = 2, .item = half, .line = from->line, .column = from->column};

	half[0] = ptx_temporary(w, 16, from);
	half[1] = ptx_temporary(w, 16, from);
	return ptx_lower_as(w, st, "mov.b32", 2, (struct ptx_operand[]){pair, *from});
}

/* The spelling of a compare of packed halves as one of single halves: without its "x2"; NULL if it is none. */
static const char *single_halves(struct ptx_work *w, const char *op)
{
	size_t len = strlen(op);

	return len > 2 && !strcmp(op + len - 2, "x2") ? arena_text(w->arena, op, len - 2) : NULL;
}

/* setp.lt{.and}.f16x2 p|q, a, b{, c}: p of the lower halves, q of the upper ones. The first one that is written may be
 * neither the guard nor c, which the other one reads. */
static bool lower_setp_halves(struct ptx_work *w, const struct ptx_stmt *st, const char *single)
{
	const struct ptx_operand *d = st->ops;
	struct ptx_operand *a = arena_alloc(w->arena, 4 * sizeof(*a)), *b = a + 2, ops[4];
	u32 first;

	if (!ptx_operand_count(w->p, st, 3, 4))
		return false;
	if (d->kind != PTX_PAIR)
		return ptx_refuse(w->p, PTX_AT(st),
				  "'%s' is not supported: one result for two halves (write both, p|q)",
				  ptx_shown_text(st->op));
	if (!halves_of(w, st, &st->ops[1], a) || !halves_of(w, st, &st->ops[2], b))
		return false;
	first = d->item[0].kind == PTX_REG && d->item[0].vreg == st->guard;
	memcpy(ops, st->ops, st->nops * sizeof(*ops));
	if (st->nops == 4 && d->item[first].kind == PTX_REG && d->item[first].vreg == st->ops[3].vreg) {
		ops[3] = ptx_temporary(w, 1, d);
		if (!ptx_lower_as(w, st, "mov.pred", 2, (struct ptx_operand[]){ops[3], st->ops[3]}))
			return false;
	}
	for (u32 k = 0; k < 2; k++) {
		u32 i = k ^ first;

		ops[0] = d->item[i];
		ops[1] = a[i];
		ops[2] = b[i];
		if (!ptx_lower_as(w, st, single, st->nops, ops))
			return false;
	}
	return true;
}

/* Every setp. */
bool ptx_lower_setp(struct ptx_work *w, const struct ptx_stmt *st)
{
	const char *single = single_halves(w, st->op);

	return single ? lower_setp_halves(w, st, single) : lower_compare(w, st);
}

/* What a set of these types writes where the compare holds; 0: there is no such set. */
static u32 set_value(const char *result, const char *source)
{
	enum { ANY, HALF, TWO }; /* sources that the result may have */
	static const struct {
		const char *type;
		u32 value;
		u8 from;
	} rows[] = {{"u16", 0xffff, HALF},    {"s16", 0xffff, HALF},	  {"u32", 0xffffffff, ANY},
		    {"s32", 0xffffffff, ANY}, {"f32", 0x3f800000, ANY},	  {"f16", 0x3c00, ANY},
		    {"bf16", 0x3f80, ANY},    {"f16x2", 0x3c003c00, TWO}, {"bf16x2", 0x3f803f80, TWO}};
	bool half = strstr(source, "f16") != NULL, two = strstr(source, "x2") != NULL;

	for (u32 i = 0; i < ARRAY_LEN(rows); i++) {
		if (strcmp(rows[i].type, result))
			continue;
		if (two)
			return !strcmp(result, source) || rows[i].value == 0xffffffff ? rows[i].value : 0;
		return rows[i].from == TWO || (rows[i].from == HALF && !half) ? 0 : rows[i].value;
	}
	return 0;
}

/* set.lt{.and}.D.S as a setp and a selp, of two halves an `or' of both. */
static bool lower_set_by(struct ptx_work *w, const struct ptx_stmt *st, const char *setp, u32 bits, u32 value)
{
	struct ptx_operand *p = arena_alloc(w->arena, 2 * sizeof(*p)), ops[4], part[2];
	bool two = strstr(setp, "x2") != NULL;

	if (!ptx_operand_count(w->p, st, 3, 4))
		return false;
	memcpy(ops, st->ops, st->nops * sizeof(*ops));
	p[0] = ptx_temporary(w, 1, st->ops);
	p[1] = ptx_temporary(w, 1, st->ops);
	ops[0] = two ? (struct ptx_operand){.kind = PTX_PAIR, .n = 2, .item = p} : p[0];
	if (!ptx_lower_as(w, st, setp, st->nops, ops))
		return false;
	for (u32 i = 0; i < 1u + two; i++) {
		u32 kept = two ? value & (i ? 0xffff0000 : 0xffff) : value;

		part[i] = two ? ptx_temporary(w, 32, st->ops) : st->ops[0];
		ops[0] = part[i];
		ops[1] = ptx_number(kept, st->ops);
		ops[2] = ptx_number(0, st->ops);
		ops[3] = p[i];
		if (!ptx_lower_as(w, st, bits == 16 ? "selp.b16" : "selp.b32", 4, ops))
			return false;
	}
	return !two || ptx_lower_as(w, st, "or.b32", 3, (struct ptx_operand[]){st->ops[0], part[0], part[1]});
}

/* Is a setp, with or without its boolean operator, a row, or two? */
static bool setp_known(struct ptx_work *w, const char *setp)
{
	const char *single = single_halves(w, setp);
	char plain[80];

	split_boolean(single ? single : setp, plain, sizeof(plain));
	return ptx_form_find(w->p, plain, (u32)strlen(plain)) != NULL;
}

/* Every set. */
bool ptx_lower_set(struct ptx_work *w, const struct ptx_stmt *st)
{
	const struct ptx_form *f = ptx_form_find(w->p, st->op, (u32)strlen(st->op));
	char op[80], *source, *result, setp[96];
	u32 value;

	if (f)
		return ptx_lower_plain(w, st, f->op);
	snprintf(op, sizeof(op), "%s", st->op);
	source = strrchr(op, '.');
	if (!source || strlen(st->op) >= sizeof(op))
		return ptx_unknown_opcode(w->p, st);
	*source++ = 0;
	result = strrchr(op, '.');
	if (!result)
		return ptx_unknown_opcode(w->p, st);
	*result++ = 0;
	snprintf(setp, sizeof(setp), "setp%s.%s", op + 3, source);
	value = set_value(result, source);
	if (!value || !setp_known(w, setp))
		return ptx_unknown_opcode(w->p, st);
	return lower_set_by(w, st, arena_text(w->arena, setp, strlen(setp)), value > 0xffff ? 32 : 16, value);
}

/* lop3.b32, and lop3.or.b32 d|p, a, b, c, table, q: p is whether d is not 0, with q. */
bool ptx_lower_lop3(struct ptx_work *w, const struct ptx_stmt *st)
{
	bool with_and = !strcmp(st->op, "lop3.and.b32");
	struct ptx_operand ops[5], d;

	if (!strcmp(st->op, "lop3.b32"))
		return ptx_lower_plain(w, st, OP_LOP3);
	if (!with_and && strcmp(st->op, "lop3.or.b32"))
		return ptx_unknown_opcode(w->p, st);
	if (!ptx_operand_count(w->p, st, 6, 6))
		return false;
	if (st->ops[0].kind != PTX_PAIR)
		return ptx_fail(w->p, PTX_AT(&st->ops[0]), "'%s' has two destinations, d|p: found '%s'", st->op,
				ptx_shown(st->ops[0].s, st->ops[0].len));
	d = ptx_is_sink(&st->ops[0].item[0]) ? ptx_temporary(w, 32, st->ops) : st->ops[0].item[0];
	memcpy(ops, st->ops, sizeof(ops));
	ops[0] = d;
	return ptx_lower_as(w, st, "lop3.b32", 5, ops) &&
	       ptx_lower_as(w, st, with_and ? "setp.ne.and.b32" : "setp.ne.or.b32", 4,
			    (struct ptx_operand[]){st->ops[0].item[1], d, ptx_number(0, st->ops), st->ops[5]});
}
