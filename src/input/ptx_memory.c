/*
 * ptx_memory.c - loads, stores, atomics and reductions to instructions.
 *
 * Cache operators and eviction hints may not change a value; .cg and .cv say that no L1 answers a load, which neither
 * may where other SMs can speak to it (.volatile, .relaxed and stronger of a scope beyond the CTA: ACCESS_PAST). The
 * simulated memory performs every access, in order. .acquire is followed by a fence, .release follows one, .acq_rel and
 * .sc have both. An opcode without a space has generic addresses. A load into a register pair of an element narrower
 * than a pair becomes a load and a cvt. .param variables of bodies are registers (ptx_param.c).
 * Source: PTX ISA 8.x, sections 9.7.9 and 9.7.13.
 */
#include "front.h"
#include "ptx_internal.h"

/* An opcode taken apart. */
struct memory_opcode {
	u8 space, vec;
	u8 atom;	    /* 1 + enum atom_op */
	bool before, after; /* a fence stands there */
	bool hint;	    /* .L2::cache_hint: one more operand */
	bool strong;	    /* .volatile and the like */
	bool cta;	    /* ... for threads of its CTA alone */
	bool past;	    /* .cg, .cv */
	const struct ptx_type *type;
};

/* What a modifier is to the four families. */
enum modifier_kind { MOD_SPACE, MOD_VEC, MOD_HINT, MOD_STRONG, MOD_CTA, MOD_PAST, MOD_FENCE, MOD_ATOM };
enum { FENCE_BEFORE = 1, FENCE_AFTER = 2 };
enum { FOR_LD = 1, FOR_ST = 2, FOR_ATOM = 4, FOR_ALL = 7, FOR_LDST = 3 };

static const struct modifier {
	const char *name;
	u8 kind, value, where;
} modifiers[] = {
	{".global", MOD_SPACE, SPACE_GLOBAL, FOR_ALL},
	{".shared", MOD_SPACE, SPACE_SHARED, FOR_ALL},
	{".shared::cta", MOD_SPACE, SPACE_SHARED, FOR_ALL},
	{".const", MOD_SPACE, SPACE_CONST, FOR_LD},
	{".param", MOD_SPACE, SPACE_PARAM, FOR_LDST},
	{".param::entry", MOD_SPACE, SPACE_PARAM, FOR_LD},
	{".param::func", MOD_SPACE, SPACE_PARAM, FOR_LDST},
	{".local", MOD_SPACE, SPACE_LOCAL, FOR_LDST},
	{".v2", MOD_VEC, 2, FOR_LDST},
	{".v4", MOD_VEC, 4, FOR_LDST},
	{".nc", MOD_HINT, 0, FOR_LD},
	{".ca", MOD_HINT, 0, FOR_LD},
	{".cg", MOD_PAST, 0, FOR_LDST},
	{".cs", MOD_HINT, 0, FOR_LDST},
	{".lu", MOD_HINT, 0, FOR_LD},
	{".cv", MOD_PAST, 0, FOR_LD},
	{".wb", MOD_HINT, 0, FOR_ST},
	{".wt", MOD_HINT, 0, FOR_ST},
	{".weak", MOD_HINT, 0, FOR_LDST},
	{".volatile", MOD_STRONG, 0, FOR_LDST},
	{".relaxed", MOD_STRONG, 0, FOR_ALL},
	{".cta", MOD_CTA, 0, FOR_ALL},
	{".gpu", MOD_HINT, 0, FOR_ALL},
	{".sys", MOD_HINT, 0, FOR_ALL},
	{".gl", MOD_HINT, 0, FOR_ALL},
	{".noftz", MOD_HINT, 0, FOR_ATOM},
	{".acquire", MOD_FENCE, FENCE_AFTER, FOR_LD | FOR_ATOM},
	{".release", MOD_FENCE, FENCE_BEFORE, FOR_ST | FOR_ATOM},
	{".acq_rel", MOD_FENCE, FENCE_BEFORE | FENCE_AFTER, FOR_ATOM},
	{".sc", MOD_FENCE, FENCE_BEFORE | FENCE_AFTER, FOR_ALL},
	{".add", MOD_ATOM, ATOM_ADD, FOR_ATOM},
	{".min", MOD_ATOM, ATOM_MIN, FOR_ATOM},
	{".max", MOD_ATOM, ATOM_MAX, FOR_ATOM},
	{".and", MOD_ATOM, ATOM_AND, FOR_ATOM},
	{".or", MOD_ATOM, ATOM_OR, FOR_ATOM},
	{".xor", MOD_ATOM, ATOM_XOR, FOR_ATOM},
	{".exch", MOD_ATOM, ATOM_EXCH, FOR_ATOM},
	{".cas", MOD_ATOM, ATOM_CAS, FOR_ATOM},
	{".inc", MOD_ATOM, ATOM_INC, FOR_ATOM},
	{".dec", MOD_ATOM, ATOM_DEC, FOR_ATOM},
};

/* Types that an atomic operation has. */
static const char *const atom_types[ATOM_OP_COUNT] = {[ATOM_ADD] =
							      ".u32 .s32 .u64 .s64 .f32 .f64 .f16 .bf16 .f16x2 .bf16x2",
						      [ATOM_MIN] = ".u32 .s32 .u64 .s64",
						      [ATOM_MAX] = ".u32 .s32 .u64 .s64",
						      [ATOM_AND] = ".b32 .b64",
						      [ATOM_OR] = ".b32 .b64",
						      [ATOM_XOR] = ".b32 .b64",
						      [ATOM_EXCH] = ".b32 .b64 .u32 .s32 .f32 .u64 .s64 .f64",
						      [ATOM_CAS] = ".b16 .b32 .b64 .u32 .s32 .u64 .s64",
						      [ATOM_INC] = ".u32",
						      [ATOM_DEC] = ".u32"};

static const struct modifier *find_modifier(const char *s, u32 len, u8 where)
{
	for (u32 i = 0; i < ARRAY_LEN(modifiers); i++)
		if ((modifiers[i].where & where) && strlen(modifiers[i].name) == len &&
		    !memcmp(modifiers[i].name, s, len))
			return &modifiers[i];
	return NULL;
}

static bool starts(const char *s, u32 len, const char *with)
{
	return len >= strlen(with) && !memcmp(s, with, strlen(with));
}

/* One of the types of halves. */
static bool is_half(const char *s, u32 len)
{
	return starts(s, len, ".f16") || starts(s, len, ".bf16");
}

/* Fail about one modifier of the opcode. */
static bool refuse_modifier(struct ptx *p, const struct ptx_stmt *st, const char *s, u32 len)
{
	const char *op = ptx_shown_text(st->op), *what = ptx_shown(s, len), *why = NULL;

	if (starts(s, len, ".local") || starts(s, len, ".const") || starts(s, len, ".param"))
		why = "memory of this space cannot be modified this way";
	else if (starts(s, len, ".mmio"))
		why = "no device memory is modeled (.volatile is accepted)";
	else if (is_half(s, len))
		why = "half-precision values are loaded and stored as .b16";
	else if (starts(s, len, ".shared::") || starts(s, len, ".cluster"))
		why = "clusters are not modeled (use .shared)";
	else if (starts(s, len, ".v") && st->op[0] != 'l' && st->op[0] != 's')
		why = "an atomic operation is on one value (write one for each)";
	else if (starts(s, len, ".v8") || starts(s, len, ".b128"))
		why = "one lane accesses at most 16 bytes, as in .v4.f32";
	if (why)
		return ptx_refuse(p, PTX_AT(st), "'%s' in '%s' is not supported: %s", what, op, why);
	return ptx_refuse(p, PTX_AT(st), "unknown modifier '%s' in '%s': a supported form is '%s'", what, op,
			  st->op[0] == 'l'   ? "ld.global.f32"
			  : st->op[0] == 's' ? "st.global.f32"
			  : st->op[0] == 'a' ? "atom.global.add.u32"
					     : "red.global.add.u32");
}

/* Enter one modifier; false when it is out of place. */
static bool enter_modifier(struct memory_opcode *m, const struct modifier *mod)
{
	switch (mod->kind) {
	case MOD_SPACE:
		if (m->space != SPACE_NONE)
			return false;
		m->space = mod->value;
		return true;
	case MOD_VEC:
		if (m->vec != 1)
			return false;
		m->vec = mod->value;
		return true;
	case MOD_ATOM:
		if (m->atom)
			return false;
		m->atom = (u8)(mod->value + 1);
		return true;
	case MOD_FENCE:
		m->before |= mod->value & FENCE_BEFORE;
		m->after |= (mod->value & FENCE_AFTER) != 0;
		m->strong = true;
		return true;
	case MOD_STRONG: m->strong = true; return true;
	case MOD_CTA: m->cta = true; return true;
	case MOD_PAST: m->past = true; return true;
	default: return true;
	}
}

/* Take the opcode apart, or fail naming the modifier. */
static bool split_opcode(struct ptx *p, const struct ptx_stmt *st, u8 where, struct memory_opcode *m)
{
	const char *s = st->op + strcspn(st->op, ".");

	*m = (struct memory_opcode){.vec = 1};
	while (*s) {
		u32 len = 1 + (u32)strcspn(s + 1, ".");
		const struct modifier *mod = find_modifier(s, len, where);
		const struct ptx_type *type = s[len] ? NULL : ptx_type_find(s, len);
		bool hint = starts(s, len, ".L2::cache_hint") ||
			    ((where & FOR_LDST) && (starts(s, len, ".L1::") || starts(s, len, ".L2::")));

		m->hint |= starts(s, len, ".L2::cache_hint");
		if (type && type->bits != 1 && !(where & FOR_LDST && is_half(s, len)))
			m->type = type;
		else if (mod ? !enter_modifier(m, mod) : !hint)
			return refuse_modifier(p, st, s, len);
		s += len;
	}
	if (!m->type)
		return ptx_fail(p, PTX_AT(st), "'%s' has no type (write it last, as in %s)", ptx_shown_text(st->op),
				where == FOR_ATOM ? ".u32" : ".f32");
	if (m->space == SPACE_NONE)
		m->space = SPACE_GENERIC;
	if (m->type->bits / 8 * m->vec > 16)
		return ptx_refuse(p, PTX_AT(st), "'%s' is too wide: one lane accesses at most 16 bytes",
				  ptx_shown_text(st->op));
	return true;
}

static const char *space_word(u8 space)
{
	static const char *const words[] = {"", ".param", ".const", ".global", ".shared", ".local", "generic"};

	return words[space];
}

/* An address that is a name: a parameter or a variable of the space. */
static bool address_name(struct ptx_work *w, struct ptx_code *c, const struct ptx_operand *base)
{
	const struct kernel_param *param;
	const struct ptx_var *v;

	if (c->in.space != SPACE_PARAM) {
		v = ptx_variable(w, base);
		if (!v)
			return false;
		if (v->space != c->in.space && (c->in.space != SPACE_GENERIC || v->space == SPACE_PARAM))
			return ptx_fail(w->p, PTX_AT(base), "'%s' is in %s memory, not in %s",
					ptx_shown(base->s, base->len), space_word(v->space), space_word(c->in.space));
		c->in.src[0] = ptx_symbol_address(w, v, c->in.space == SPACE_GENERIC ? (i64)ptx_window(v->space) : 0);
		return !w->p->failed;
	}
	if (!base->name || base->name->kind != NAME_PARAM) {
		const char *near = ptx_nearest_declared(w->p, base->s, base->len, 1u << NAME_PARAM);

		return ptx_fail(w->p, PTX_AT(base),
				near ? "'%s' is not a parameter (did you mean '%s'?)"
				     : "'%s' is not a parameter of this entry",
				ptx_shown(base->s, base->len), near);
	}
	param = &w->k->param[base->name->index];
	if (c->in.offset < 0 || (u64)c->in.offset + (u32)c->in.width * c->in.vec > param->size)
		return ptx_fail(w->p, PTX_AT(base), "this reads bytes %d to %d of '%s', which has %u", c->in.offset,
				c->in.offset + c->in.width * c->in.vec - 1, ptx_shown(base->s, base->len), param->size);
	c->in.src[0] = ptx_imm(w, param->offset);
	return !w->p->failed;
}

/* [base + offset] as the first source. */
bool ptx_lower_address(struct ptx_work *w, struct ptx_code *c, const struct ptx_operand *o)
{
	const struct ptx_operand *base = o->item;

	c->in.nsrc = 1;
	if (o->kind != PTX_ADDRESS)
		return ptx_fail(w->p, PTX_AT(o), "'%s' needs an address in brackets here, found '%s'", w->st->op,
				ptx_shown(o->s, o->len));
	c->in.offset = (i32)o->addend;
	if (base->kind == PTX_NAME)
		return address_name(w, c, base);
	if (base->kind == PTX_INT) {
		c->in.src[0] = ptx_imm(w, base->value);
		return !w->p->failed;
	}
	if (base->kind == PTX_REG && base->width == 32 && (c->in.space == SPACE_GLOBAL || c->in.space == SPACE_GENERIC))
		return ptx_fail(w->p, PTX_AT(base), "'%s' has 32 bits, but a %s address has 64",
				ptx_shown(base->s, base->len), c->in.space == SPACE_GLOBAL ? "global" : "generic");
	return ptx_reg(w, base, 32, 64, &c->in.src[0]);
}

/* The class of an access, by family and space. */
static u8 access_class(u16 op, u8 space)
{
	if (space == SPACE_SHARED)
		return op == OP_ST ? CLASS_SHSTORE : CLASS_SHLOAD;
	return space == SPACE_PARAM || space == SPACE_CONST ? CLASS_CONST : ptx_op_class[op];
}

/* Begin an instruction with what the opcode says. */
static struct ptx_code *emit_access(struct ptx_work *w, const struct ptx_stmt *st, u16 op,
				    const struct memory_opcode *m)
{
	struct ptx_code *c = ptx_emit(w, st, op, access_class(op, m->space));

	c->in.space = m->space;
	c->in.width = m->type->bits / 8;
	c->in.vec = m->vec;
	c->in.is_signed = m->type->letter == 's';
	return c;
}

/* The elements of a value operand: those of a vector, or itself; NULL after an error. */
static const struct ptx_operand *elements(struct ptx_work *w, const struct memory_opcode *m,
					  const struct ptx_operand *o)
{
	u32 n = o->kind == PTX_VECTOR ? o->n : 1;

	if (n == m->vec && (o->kind == PTX_VECTOR) == (m->vec > 1))
		return o->kind == PTX_VECTOR ? o->item : o;
	ptx_fail(w->p, PTX_AT(o),
		 m->vec > 1 ? "'%s' needs a vector of %u registers in braces, found '%s'"
			    : "'%s' takes %u register here, found '%s'",
		 w->st->op, m->vec, ptx_shown(o->s, o->len));
	return NULL;
}

/* The conversion that widens an element to a pair. */
static const char *widening(const struct ptx_type *t)
{
	return t->letter == 's' ? "cvt.s64.s32" : "cvt.u64.u32";
}

/* Registers that the load itself writes: temporaries where an element is narrower than its pair. True if any is. */
static bool load_targets(struct ptx_work *w, const struct memory_opcode *m, const struct ptx_operand *from,
			 struct ptx_operand *to)
{
	bool any = false;

	for (u32 i = 0; i < m->vec; i++) {
		bool split =
			from[i].kind == PTX_REG && from[i].width == 64 && m->type->bits < 64 && m->type->letter != 'f';

		to[i] = split ? ptx_temporary(w, 32, &from[i]) : from[i];
		any |= split;
	}
	return any;
}

/* The statement with other destinations, for the load's text. */
static const struct ptx_stmt *with_targets(struct ptx_work *w, const struct ptx_stmt *st, const struct ptx_operand *to,
					   u32 n)
{
	struct ptx_stmt *as = ptx_stmt_with(w, st, st->ops, st->nops);

	if (n == 1)
		as->ops[0] = *to;
	else
		as->ops[0].item = memcpy(arena_alloc(w->arena, n * sizeof(*to)), to, n * sizeof(*to));
	return as;
}

/* The load proper, into registers at least as wide as the elements. */
static bool emit_load(struct ptx_work *w, const struct ptx_stmt *st, const struct memory_opcode *m,
		      const struct ptx_operand *to)
{
	u32 bits = m->type->bits, hi = m->type->letter == 'f' ? bits : 64;
	struct ptx_code *c = emit_access(w, st, OP_LD, m);
	bool past = m->past || (m->strong && !m->cta);

	c->in.aux = (u8)((m->strong ? ACCESS_STRONG : 0) | (past ? ACCESS_PAST : 0));
	for (u32 i = 0; i < m->vec; i++)
		if (!ptx_destination(w, c, &to[i], max_u32(bits, 16), hi))
			return false;
	return ptx_lower_address(w, c, &st->ops[1]);
}

/* ld; see the top of the file for pairs. */
static bool lower_load(struct ptx_work *w, const struct ptx_stmt *st, const struct memory_opcode *m)
{
	const struct ptx_operand *from;
	struct ptx_operand to[MAX_VECTOR];

	if (!ptx_operand_count(w->p, st, 2, 2u + m->hint) || !(from = elements(w, m, &st->ops[0])))
		return false;
	if (load_targets(w, m, from, to))
		st = with_targets(w, st, to, m->vec);
	if (!emit_load(w, st, m, to))
		return false;
	for (u32 i = 0; i < m->vec; i++) {
		struct ptx_operand ops[2] = {from[i], to[i]};

		if (from[i].vreg != to[i].vreg && !ptx_lower_as(w, st, widening(m->type), 2, ops))
			return false;
	}
	return true;
}

/* st: elements from registers at least as wide, or immediates. */
static bool lower_store(struct ptx_work *w, const struct ptx_stmt *st, const struct memory_opcode *m)
{
	const struct ptx_operand *from;
	struct ptx_code *c;

	if (!ptx_operand_count(w->p, st, 2, 2u + m->hint))
		return false;
	if (m->space == SPACE_PARAM)
		return ptx_fail(
			w->p, PTX_AT(st),
			"'%s': parameters of an entry are read-only (only .param variables of a body can be written)",
			ptx_shown_text(st->op));
	c = emit_access(w, st, OP_ST, m);
	c->in.aux = m->strong ? ACCESS_STRONG : 0;
	c->in.is_signed = 0;
	if (!ptx_lower_address(w, c, &st->ops[0]) || !(from = elements(w, m, &st->ops[1])))
		return false;
	for (u32 i = 0; i < m->vec; i++) {
		u32 bits = from[i].kind == PTX_REG ? max_u32(m->type->bits, 16) : m->type->bits;

		if (!ptx_source_wide(w, c, &from[i], bits, m->type->letter == 'f' ? bits : 64, m->type->letter))
			return false;
	}
	w->k->stores_global |= m->space == SPACE_GLOBAL || m->space == SPACE_GENERIC;
	return true;
}

/* Is the type among those of the operation? Whole words count: .f16 is not .f16x2. */
static bool atom_has_type(const struct memory_opcode *m)
{
	size_t n = strlen(m->type->name);

	for (const char *at = atom_types[m->atom - 1]; (at = strstr(at, m->type->name)); at += n)
		if (at[n] == ' ' || !at[n])
			return true;
	return false;
}

/* The operation on this type: sums of halves are operations of their own. */
static u8 atom_operation(const struct memory_opcode *m)
{
	static const struct {
		const char *type;
		u8 op;
	} halves[] = {
		{".f16", ATOM_ADD_F16},
		{".bf16", ATOM_ADD_BF16},
		{".f16x2", ATOM_ADD_F16X2},
		{".bf16x2", ATOM_ADD_BF16X2},
	};

	for (u32 i = 0; i < ARRAY_LEN(halves) && m->atom == 1 + ATOM_ADD; i++)
		if (!strcmp(m->type->name, halves[i].type))
			return halves[i].op;
	return m->atom - 1;
}

/* atom and red: a destination or none, an address, one or two operands. */
static bool lower_atom(struct ptx_work *w, const struct ptx_stmt *st, const struct memory_opcode *m)
{
	bool red = st->op[0] == 'r';
	u32 n = 2 + (m->atom == ATOM_CAS + 1) + !red;
	const struct ptx_operand *o = st->ops;
	struct ptx_code *c;

	if (!m->atom || (red && m->atom > ATOM_EXCH && m->atom < ATOM_INC + 1))
		return ptx_refuse(w->p, PTX_AT(st), "'%s' is not an operation of %s: a supported form is '%s'",
				  ptx_shown_text(st->op), red ? "red" : "atom",
				  red ? "red.global.add.u32" : "atom.global.add.u32");
	if (!atom_has_type(m))
		return ptx_refuse(w->p, PTX_AT(st), "'%s': the types of this operation are %s, not %s",
				  ptx_shown_text(st->op), atom_types[m->atom - 1], m->type->name);
	if (!ptx_operand_count(w->p, st, n, n + m->hint))
		return false;
	c = emit_access(w, st, OP_ATOM, m);
	c->in.aux = atom_operation(m);
	c->in.vec = m->type->value;
	c->in.is_signed = 0;
	if (!red && !(o->kind == PTX_NAME && o->len == 1 && *o->s == '_') &&
	    !ptx_destination(w, c, o, m->type->bits, m->type->bits))
		return false;
	o += !red;
	if (!ptx_lower_address(w, c, o))
		return false;
	for (u32 i = 1; i + !red < n; i++)
		if (!ptx_source(w, c, &o[i], m->type->bits, m->type->letter))
			return false;
	w->k->has_atomics = 1;
	w->k->stores_global |= m->space == SPACE_GLOBAL || m->space == SPACE_GENERIC;
	return true;
}

/* The .param variable of a body that a load or store names, or NULL. */
static const struct ptx_var *scratch_of(const struct ptx_work *w, const struct ptx_stmt *st, u8 where)
{
	const struct ptx_operand *o = st->nops == 2 ? &st->ops[where == FOR_LD] : NULL;
	const struct ptx_name *n = o && o->kind == PTX_ADDRESS && o->item->kind == PTX_NAME ? o->item->name : NULL;
	const struct ptx_var *v = n && n->kind == NAME_VAR ? &w->p->var[n->index] : NULL;

	return v && v->space == SPACE_PARAM ? v : NULL;
}

/* A load or store of such a variable. */
static bool lower_scratch(struct ptx_work *w, const struct ptx_stmt *st, u8 where, const struct memory_opcode *m,
			  const struct ptx_var *v)
{
	struct ptx_access a = {.type = m->type,
			       .var = v,
			       .n = m->vec,
			       .offset = st->ops[where == FOR_LD].addend,
			       .store = where == FOR_ST};

	a.item = elements(w, m, &st->ops[where == FOR_ST]);
	return a.item && ptx_lower_scratch(w, st, &a);
}

/* A fence in the place of st. */
static void emit_fence(struct ptx_work *w, const struct ptx_stmt *st)
{
	struct ptx_stmt *as = ptx_stmt_with(w, st, st->ops, 0);

	as->op = "fence";
	ptx_emit(w, as, OP_FENCE, ptx_op_class[OP_FENCE]);
}

/* ld, st, atom, red. */
bool ptx_lower_memory(struct ptx_work *w, const struct ptx_stmt *st)
{
	u8 where = st->op[0] == 'l' ? FOR_LD : st->op[0] == 's' ? FOR_ST : FOR_ATOM;
	const struct ptx_var *v;
	struct memory_opcode m;
	bool ok;

	if (!split_opcode(w->p, st, where, &m))
		return false;
	v = m.space == SPACE_PARAM ? scratch_of(w, st, where) : NULL;
	if (v)
		return lower_scratch(w, st, where, &m, v);
	if (m.before)
		emit_fence(w, st);
	if (where == FOR_LD)
		ok = lower_load(w, st, &m);
	else
		ok = where == FOR_ST ? lower_store(w, st, &m) : lower_atom(w, st, &m);
	if (m.after)
		emit_fence(w, st);
	return ok;
}
