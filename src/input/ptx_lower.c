/*
 * ptx_lower.c - statements of an entry to instructions over virtual registers.
 *
 * Most opcodes are rows of ops.def, found by their whole spelling; what has operands beyond a row's signature is taken
 * apart by families (ptx_family_table): branches, fences and hints here, compares in ptx_compare.c, moves in ptx_mov.c,
 * memory in ptx_memory.c, warps, barriers and carries in ptx_warp.c, matrices in ptx_tensor.c, copies in
 * ptx_copy.c, textures in ptx_texture.c, video instructions in ptx_video.c, stmatrix and its like in
 * ptx_warpmatrix.c. Register classes are not types: a register has a width, and the opcode gives the meaning.
 * Source: PTX ISA 8.x, chapter 9.
 */
#include "ptx_internal.h"

/* Append an instruction of this row with the statement's guard and place. */
struct ptx_code *ptx_emit(struct ptx_work *w, const struct ptx_stmt *st, u16 op, u8 class)
{
	struct ptx_code *c;

	w->code = ptx_grow(w->arena, w->code, w->ncode, &w->cap_code, sizeof(*w->code));
	c = &w->code[w->ncode++];
	*c = (struct ptx_code){.st = st};
	c->in.op = op;
	c->in.class = class;
	c->in.write_pred[0] = c->in.write_pred[1] = 0xff;
	c->in.ptx_line = st->line;
	c->in.ptx_column = st->column;
	c->in.source_file = st->source_file;
	c->in.source_line = st->source_line;
	if (st->guard != PTX_NONE) {
		struct ptx_operand guard = {.kind = PTX_REG, .vreg = st->guard, .width = 1};

		ptx_reg(w, &guard, 1, 1, &c->in.guard);
		c->in.guard.negate = st->guard_negate;
	}
	return c;
}

/* A 64-bit pattern in the kernel's pool. */
struct operand ptx_imm(struct ptx_work *w, u64 bits)
{
	u16 *cached = &w->imm_cache[mix64(bits) % ARRAY_LEN(w->imm_cache)];
	struct operand out = {.kind = OPERAND_IMM};

	if (!*cached || w->imm[*cached - 1] != bits) {
		if (w->k->nimm >= 0xfffe) {
			ptx_refuse(w->p, w->st->line, w->st->column,
				   "the entry has more than 65534 immediate operands");
			return out;
		}
		w->imm = ptx_grow(w->arena, w->imm, w->k->nimm, &w->cap_imm, sizeof(u64));
		w->imm[w->k->nimm++] = bits;
		*cached = (u16)w->k->nimm;
	}
	out.value = *cached - 1;
	return out;
}

/* The address of a variable as an immediate; that of a .global one is completed when the module is placed. */
struct operand ptx_symbol_address(struct ptx_work *w, const struct ptx_var *v, i64 addend)
{
	struct operand out = {.kind = OPERAND_IMM};

	if (v->space != SPACE_GLOBAL)
		return ptx_imm(w, v->address + (u64)addend);
	if (w->k->nimm >= 0xfffe) {
		ptx_refuse(w->p, w->st->line, w->st->column, "the entry has more than 65534 immediate operands");
		return out;
	}
	out.value = (u16)w->k->nimm;
	w->imm = ptx_grow(w->arena, w->imm, w->k->nimm, &w->cap_imm, sizeof(u64));
	w->imm[w->k->nimm++] = (u64)addend;
	w->reloc = ptx_grow(w->arena, w->reloc, w->k->nreloc, &w->cap_reloc, sizeof(*w->reloc));
	w->reloc[w->k->nreloc++] = (struct relocation){out.value, v->symbol};
	return out;
}

/* The dense number of a declared register. */
static bool dense_register(struct ptx_work *w, const struct ptx_operand *o, u16 *out)
{
	if (!w->dense[o->vreg]) {
		if (w->nreg >= 0xfffe)
			return ptx_refuse(w->p, o->line, o->column, "the entry uses more than 65534 virtual registers");
		w->bits = ptx_grow(w->arena, w->bits, w->nreg, &w->cap_reg, sizeof(u8));
		w->bits[w->nreg] = o->width;
		w->dense[o->vreg] = (u16)++w->nreg;
	}
	*out = w->dense[o->vreg] - 1;
	return true;
}

/* Fail: the operand is a name that nothing declares, or one that is no register. */
bool ptx_not_a_register(struct ptx_work *w, const struct ptx_operand *o)
{
	const char *shown = ptx_shown(o->s, o->len), *near;
	const struct ptx_name *range;
	u32 len = o->len;

	if (o->kind != PTX_NAME)
		return ptx_fail(w->p, o->line, o->column, "'%s' is not a register, but '%s' needs a register here",
				shown, ptx_shown(w->st->op, (u32)strlen(w->st->op)));
	if (ptx_special_register(o) < SREG_COUNT)
		return ptx_fail(w->p, o->line, o->column,
				"special register '%s' can only be read with mov.u32: move it into a register first",
				shown);
	if (o->name)
		return ptx_fail(
			w->p, o->line, o->column,
			"'%s' is not a register: it is declared in line %u (move its address into a register first)",
			shown, o->name->line);
	while (len > 1 && o->s[len - 1] >= '0' && o->s[len - 1] <= '9')
		len--;
	range = ptx_lookup(w->p, 1, o->s, len, true);
	if (range)
		return ptx_fail(w->p, o->line, o->column, "register '%s' is not declared: line %u declares %s0 to %s%u",
				shown, range->line, ptx_shown(o->s, len), ptx_shown(o->s, len), range->count - 1);
	near = ptx_nearest_declared(w->p, o->s, o->len, 1u << NAME_REG);
	return ptx_fail(w->p, o->line, o->column,
			near ? "'%s' is not declared (did you mean '%s'?)"
			     : "'%s' is not declared (declare it with .reg)",
			shown, near);
}

/* A register of at least lo and at most hi bits. */
bool ptx_reg(struct ptx_work *w, const struct ptx_operand *o, u32 lo, u32 hi, struct operand *out)
{
	u32 bits = o->width;

	if (o->kind != PTX_REG)
		return ptx_not_a_register(w, o);
	if (o->minus || o->part)
		return ptx_fail(w->p, o->line, o->column, "'%s' takes a whole register here, without a %s",
				ptx_shown_text(w->st->op), o->minus ? "'-'" : "selector");
	if (bits == 1 && lo != 1)
		return ptx_fail(w->p, o->line, o->column,
				"'%s' is a predicate, but '%s' takes a register of %u bits here",
				ptx_shown(o->s, o->len), ptx_shown(w->st->op, (u32)strlen(w->st->op)), lo);
	if (lo == 1 && bits != 1)
		return ptx_fail(w->p, o->line, o->column, "'%s' is not a predicate, but '%s' takes one here",
				ptx_shown(o->s, o->len), ptx_shown(w->st->op, (u32)strlen(w->st->op)));
	if (bits < lo || bits > hi)
		return ptx_fail(w->p, o->line, o->column, "'%s' has %u bits, but '%s' takes %u here",
				ptx_shown(o->s, o->len), bits, ptx_shown(w->st->op, (u32)strlen(w->st->op)),
				bits < lo ? lo : hi);
	out->kind = bits == 1 ? OPERAND_PRED : OPERAND_REG;
	out->negate = o->negate;
	return dense_register(w, o, &out->value);
}

/* How the text of a number's type is called in messages. */
static const char *type_word(char type)
{
	return type == 'f' ? "floating-point number" : "integer";
}

/* Append a source that is read as `bits` bits of this type letter; wider registers give their low part. */
bool ptx_source_wide(struct ptx_work *w, struct ptx_code *c, const struct ptx_operand *o, u32 bits, u32 hi, char type)
{
	u32 i = c->in.nsrc++;
	struct ptx_token t = {
		.kind = o->kind == PTX_INT ? TOKEN_INT : TOKEN_FLOAT, .value = o->value, .single = o->single};
	u64 value;

	if (o->kind != PTX_INT && o->kind != PTX_FLOAT) {
		if (!ptx_reg(w, o, bits, hi, &c->in.src[i]))
			return false;
		c->src_low[i] = o->width == 64 && bits < 64;
		if (o->negate && bits != 1)
			return ptx_fail(w->p, o->line, o->column, "'!' may precede only a predicate");
		return true;
	}
	if (bits == 1)
		return ptx_fail(w->p, o->line, o->column, "'%s' is not a predicate, but '%s' takes one here",
				ptx_shown(o->s, o->len), ptx_shown(w->st->op, (u32)strlen(w->st->op)));
	if (type == 'x')
		type = o->kind == PTX_FLOAT ? 'f' : 'b';
	if (!ptx_constant_bits(&t, bits, type, &value))
		return ptx_fail(w->p, o->line, o->column, "'%s' does not fit: '%s' takes a %u-bit %s here",
				ptx_shown(o->s, o->len), ptx_shown(w->st->op, (u32)strlen(w->st->op)), bits,
				type_word(type));
	c->in.src[i] = ptx_imm(w, value);
	return !w->p->failed;
}

/* The same where the register must have exactly these bits. */
bool ptx_source(struct ptx_work *w, struct ptx_code *c, const struct ptx_operand *o, u32 bits, char type)
{
	return ptx_source_wide(w, c, o, bits, bits, type);
}

/* Is this the `_' of a result that nobody wants? */
bool ptx_is_sink(const struct ptx_operand *o)
{
	return o->kind == PTX_NAME && !o->name && o->len == 1 && *o->s == '_';
}

/* Append a destination register of lo to hi bits, or none. */
bool ptx_destination(struct ptx_work *w, struct ptx_code *c, const struct ptx_operand *o, u32 lo, u32 hi)
{
	u32 i = c->in.ndst++;

	if (o->negate)
		return ptx_fail(w->p, o->line, o->column, "a destination cannot be negated");
	if (ptx_is_sink(o))
		return true;
	return ptx_reg(w, o, lo, hi, &c->in.dst[i]);
}

/* Fail unless the statement has lo to hi operands. */
bool ptx_operand_count(struct ptx *p, const struct ptx_stmt *st, u32 lo, u32 hi)
{
	if (st->nops >= lo && st->nops <= hi)
		return true;
	return ptx_fail(p, st->line, st->column, "'%s' takes %u operand%s, not %u",
			ptx_shown(st->op, (u32)strlen(st->op)), st->nops < lo ? lo : hi,
			(st->nops < lo ? lo : hi) == 1 ? "" : "s", st->nops);
}

/* A fresh register for an intermediate value. */
struct ptx_operand ptx_temporary(struct ptx_work *w, u32 bits, const struct ptx_operand *at)
{
	INVARIANT(w->entry->nvreg < w->max_vreg);
	return (struct ptx_operand){.kind = PTX_REG,
				    .width = (u8)bits,
				    .vreg = w->entry->nvreg++,
				    .line = at->line,
				    .column = at->column,
				    .s = at->s,
				    .len = at->len};
}

/* Lower `op ops...` in place of st. */
bool ptx_lower_as(struct ptx_work *w, const struct ptx_stmt *st, const char *op, u32 nops,
		  const struct ptx_operand *ops)
{
	struct ptx_stmt *as = arena_alloc(w->arena, sizeof(*as));

	*as = *st;
	as->op = op;
	as->nops = (u8)nops;
	as->ops = arena_alloc(w->arena, nops * sizeof(*ops));
	memcpy(as->ops, ops, nops * sizeof(*ops));
	return ptx_lower_stmt(w, as);
}

/* The width of a register by its letter in a signature. */
u32 ptx_letter_bits(char letter)
{
	return letter == 'h' ? 16 : letter == 'w' ? 32 : letter == 'd' ? 64 : 1;
}

/* The type letter of an immediate: that of the last type of the spelling; 'x' where sources differ. */
char ptx_immediate_type(const char *op)
{
	const char *dot = strrchr(op, '.');
	const struct ptx_type *type = dot ? ptx_type_find(dot, (u32)strlen(dot)) : NULL;

	return !type || !strncmp(op, "slct.", 5) || strstr(op, ".f32.f16") || strstr(op, ".f32.bf16") ? 'x'
												      : type->letter;
}

/* An instruction that is a row of ops.def with plain operands. */
bool ptx_lower_plain(struct ptx_work *w, const struct ptx_stmt *st, u16 op)
{
	const char *sig = ptx_op_signature[op], *colon = strchr(sig, ':');
	u32 ndst = colon ? (u32)(colon - sig) : 0, nsrc = colon ? (u32)strlen(colon + 1) : 0;
	bool is_cvt = !strncmp(st->op, "cvt.", 4);
	char type = ptx_immediate_type(st->op);
	struct ptx_code *c;

	if (!ptx_operand_count(w->p, st, ndst + nsrc, ndst + nsrc))
		return false;
	c = ptx_emit(w, st, op, ptx_op_class[op]);
	for (u32 i = 0; i < ndst; i++) {
		u32 bits = ptx_letter_bits(sig[i]);

		if (!ptx_destination(w, c, &st->ops[i], bits, is_cvt && bits == 16 ? 32 : bits))
			return false;
	}
	for (u32 i = 0; i < nsrc; i++) {
		const struct ptx_operand *o = &st->ops[ndst + i];
		u32 bits = ptx_letter_bits(colon[1 + i]);

		if (!ptx_source_wide(w, c, o, bits, is_cvt ? 64 : bits, type))
			return false;
		if (o->negate && strncmp(st->op + strcspn(st->op, "."), ".pred", 5))
			return ptx_fail(w->p, o->line, o->column, "'!' is not allowed in '%s'", st->op);
	}
	return true;
}

/* bra{.uni} LABEL; the target is a statement's number until all are lowered. */
static bool lower_bra(struct ptx_work *w, const struct ptx_stmt *st)
{
	const struct ptx_operand *o = st->ops;
	const struct ptx_name *label = NULL;
	const char *near;
	struct ptx_code *c;

	if (strcmp(st->op, "bra") && strcmp(st->op, "bra.uni"))
		return ptx_unknown_opcode(w->p, st);
	if (!ptx_operand_count(w->p, st, 1, 1))
		return false;
	if (o->kind != PTX_NAME || o->addend)
		return ptx_fail(w->p, o->line, o->column, "'%s' needs a label, found '%s'", st->op,
				ptx_shown(o->s, o->len));
	for (u32 s = st->scope; s && !label; s = w->entry->parent[s])
		label = ptx_lookup(w->p, s, o->s, o->len, false);
	if (!label || label->kind != NAME_LABEL) {
		near = ptx_nearest_declared(w->p, o->s, o->len, 1u << NAME_LABEL);
		return ptx_fail(w->p, o->line, o->column,
				near ? "label '%s' is not defined here (did you mean '%s'?)"
				     : "label '%s' is not defined here",
				ptx_shown(o->s, o->len), near);
	}
	c = ptx_emit(w, st, OP_BRA, ptx_op_class[OP_BRA]);
	c->in.uniform = st->op[3] == '.';
	c->in.target = label->index;
	return true;
}

bool ptx_modifiers_among(const char *op, const char *const *list, u32 n)
{
	for (op += strcspn(op, "."); *op; op += strcspn(op + 1, ".") + 1) {
		size_t len = strcspn(op + 1, ".") + 1;
		u32 i = 0;

		while (i < n && (strlen(list[i]) != len || memcmp(list[i], op, len)))
			i++;
		if (i == n)
			return false;
	}
	return true;
}

/* membar and fence: all scopes, semantics and proxies are one fence, the strongest. */
static bool lower_fence(struct ptx_work *w, const struct ptx_stmt *st)
{
	static const char *const list[] = {".cta",
					   ".gl",
					   ".gpu",
					   ".sys",
					   ".cluster",
					   ".sc",
					   ".acq_rel",
					   ".acquire",
					   ".release",
					   ".proxy",
					   ".alias",
					   ".async",
					   ".global",
					   ".shared::cta",
					   ".shared::cluster",
					   ".async::generic",
					   ".sync_restrict::shared::cta",
					   ".sync_restrict::shared::cluster",
					   ".mbarrier_init"};

	if (!st->op[strcspn(st->op, ".")] || !ptx_modifiers_among(st->op, list, ARRAY_LEN(list)))
		return ptx_unknown_opcode(w->p, st);
	ptx_emit(w, st, OP_FENCE, ptx_op_class[OP_FENCE]);
	return ptx_operand_count(w->p, st, 0, 0);
}

/* Hints that change no value: no instruction. A policy of the cache is the number 0. */
static bool lower_hint(struct ptx_work *w, const struct ptx_stmt *st)
{
	struct ptx_operand zero = {.kind = PTX_INT, .s = "0", .len = 1}, ops[2];

	if (strncmp(st->op, "createpolicy", 12))
		return ptx_operand_count(w->p, st, 1, 2);
	if (!ptx_operand_count(w->p, st, 1, 4))
		return false;
	ops[0] = st->ops[0];
	ops[1] = zero;
	return ptx_lower_as(w, st, "mov.b64", 2, ops);
}

/* The launches of a stream run in order, so that a kernel has nothing to wait for: no instruction. */
static bool lower_dependency(struct ptx_work *w, const struct ptx_stmt *st)
{
	if (strcmp(st->op, "griddepcontrol.wait") && strcmp(st->op, "griddepcontrol.launch_dependents"))
		return ptx_unknown_opcode(w->p, st);
	return ptx_operand_count(w->p, st, 0, 0);
}

/* brx.idx{.uni} index, TARGETS: a compare and a branch for each target but the last. */
static bool lower_brx(struct ptx_work *w, const struct ptx_stmt *st)
{
	const struct ptx_targets *t = NULL;
	const struct ptx_operand *o;
	struct ptx_operand ops[3];
	struct ptx_stmt *bra;

	if (strcmp(st->op, "brx.idx") && strcmp(st->op, "brx.idx.uni"))
		return ptx_unknown_opcode(w->p, st);
	if (!ptx_operand_count(w->p, st, 2, 2))
		return false;
	o = &st->ops[1];
	for (u32 s = st->scope; s && !t; s = w->entry->parent[s])
		t = ptx_targets_find(w->entry, s, o->s, o->len);
	if (!t)
		return ptx_fail(w->p, PTX_AT(o), "'%s' is not a list of branch targets (NAME: .branchtargets L1, L2;)",
				ptx_shown(o->s, o->len));
	if (st->guard != PTX_NONE)
		return ptx_refuse(w->p, PTX_AT(st), "'%s' with a guard is not supported (branch around it)", st->op);
	ops[0] = ptx_temporary(w, 1, o);
	ops[1] = st->ops[0];
	for (u32 i = 0; i < t->n; i++) {
		ops[2] = ptx_number(i, o);
		if (i + 1 < t->n && !ptx_lower_as(w, st, "setp.eq.u32", 3, ops))
			return false;
		bra = ptx_stmt_with(w, st, &t->label[i], 1);
		bra->op = "bra";
		bra->guard = i + 1 < t->n ? ops[0].vreg : PTX_NONE;
		if (!lower_bra(w, bra))
			return false;
	}
	return true;
}

/* What a call of vprintf or __assertfail has become: they read memory of any kind. */
static bool lower_print(struct ptx_work *w, const struct ptx_stmt *st)
{
	w->k->prints = 1;
	if (!ptx_lower_plain(w, st, st->op[0] == 'v' ? OP_VPRINTF : OP_ASSERT))
		return false;
	w->code[w->ncode - 1].in.space = SPACE_GENERIC;
	return true;
}

/* What free does with an address that is none of a block. */
static bool lower_bad_free(struct ptx_work *w, const struct ptx_stmt *st)
{
	return ptx_lower_plain(w, st, OP_BAD_FREE);
}

const struct ptx_family ptx_family_table[] = {
	{"mov", ptx_lower_mov, ""},
	{"cvta", ptx_lower_mov, ""},
	{"setp", ptx_lower_setp, "setp.lt.and.s32 setp.lt.or.s32"},
	{"set", ptx_lower_set, ""},
	{"lop3", ptx_lower_lop3, ""},
	{"bra", lower_bra, "bra bra.uni"},
	{"bar", ptx_lower_barrier, "bar.sync bar.arrive bar.red.popc.u32 bar.red.and.pred bar.red.or.pred"},
	{"barrier", ptx_lower_barrier, "barrier.sync"},
	{"ld", ptx_lower_memory,
	 "ld.param.u32 ld.param.u64 ld.param.f32 ld.global.u32 ld.global.u64 ld.global.f32 ld.global.f64 ld.global.u8 "
	 "ld.global.u16 ld.global.v2.f32 ld.global.v4.f32 ld.shared.u32 ld.shared.f32 ld.shared.f64 ld.const.u32 "
	 "ld.const.f32 ld.global.nc.f32 ld.local.u32 ld.u32"},
	{"ldu", ptx_lower_memory, ""},
	{"st", ptx_lower_memory,
	 "st.global.u32 st.global.u64 st.global.f32 st.global.f64 st.global.u8 st.global.u16 st.global.v2.f32 "
	 "st.global.v4.f32 st.shared.u32 st.shared.f32 st.shared.f64 st.local.u32 st.u32"},
	{"atom", ptx_lower_memory,
	 "atom.global.add.u32 atom.shared.add.u32 atom.global.cas.b32 atom.global.min.s32 atom.global.max.s32 "
	 "atom.global.exch.b32 atom.add.u32"},
	{"red", ptx_lower_memory, "red.global.add.u32 red.shared.add.u32"},
	{"shfl", ptx_lower_shfl, ""},
	{"vote", ptx_lower_vote, ""},
	{"match", ptx_lower_match, ""},
	{"membar", lower_fence, ""},
	{"fence", lower_fence, ""},
	{"prefetch", lower_hint, "prefetch.global.L2"},
	{"prefetchu", lower_hint, ""},
	{"discard", lower_hint, ""},
	{"applypriority", lower_hint, ""},
	{"createpolicy", lower_hint, ""},
	{"pmevent", lower_hint, ""},
	{"__assertfail", lower_print, ""},
	{"vprintf", lower_print, NULL},
	{"heap_bad_free", lower_bad_free, NULL},
	{"mma", ptx_lower_tensor, "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32"},
	{"wmma", ptx_lower_tensor, "wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32"},
	{"ldmatrix", ptx_lower_tensor, "ldmatrix.sync.aligned.m8n8.x4.shared.b16"},
	{"movmatrix", ptx_lower_warpmatrix, "movmatrix.sync.aligned.m8n8.trans.b16"},
	{"stmatrix", ptx_lower_warpmatrix, "stmatrix.sync.aligned.m8n8.x4.shared.b16"},
	{"elect", ptx_lower_warpmatrix, "elect.sync"},
	{"griddepcontrol", lower_dependency, "griddepcontrol.wait griddepcontrol.launch_dependents"},
	{"brx", lower_brx, "brx.idx brx.idx.uni"},
	{"cp", ptx_lower_copy, "cp.async.cg.shared.global"},
	{"mbarrier", ptx_lower_mbarrier, ""},
	{"tex", ptx_lower_texture, "tex.1d.v4.f32.s32 tex.2d.v4.f32.f32"},
	{"tld4", ptx_lower_texture, ""},
	{"txq", ptx_lower_texture, "txq.width.b32"},
	{"suld", ptx_lower_texture, "suld.b.2d.b32.trap"},
	{"sust", ptx_lower_texture, "sust.b.2d.b32.trap"},
	{"suq", ptx_lower_texture, "suq.width.b32"},
	{"vadd", ptx_lower_video, "vadd.s32.s32.s32"},
	{"vsub", ptx_lower_video, "vsub.s32.s32.s32"},
	{"vabsdiff", ptx_lower_video, "vabsdiff.u32.u32.u32"},
	{"vmin", ptx_lower_video, "vmin.s32.s32.s32"},
	{"vmax", ptx_lower_video, "vmax.s32.s32.s32"},
	{"vshl", ptx_lower_video, "vshl.u32.u32.u32.wrap"},
	{"vshr", ptx_lower_video, "vshr.u32.u32.u32.wrap"},
	{"vmad", ptx_lower_video, "vmad.s32.s32.s32"},
	{"vset", ptx_lower_video, "vset.s32.s32.lt"},
	{"vadd2", ptx_lower_video, "vadd2.s32.s32.s32"},
	{"vadd4", ptx_lower_video, "vadd4.s32.s32.s32"},
	{"vsub2", ptx_lower_video, "vsub2.s32.s32.s32"},
	{"vsub4", ptx_lower_video, "vsub4.s32.s32.s32"},
	{"vavrg2", ptx_lower_video, "vavrg2.s32.s32.s32"},
	{"vavrg4", ptx_lower_video, "vavrg4.s32.s32.s32"},
	{"vabsdiff2", ptx_lower_video, "vabsdiff2.u32.u32.u32"},
	{"vabsdiff4", ptx_lower_video, "vabsdiff4.u32.u32.u32"},
	{"vmin2", ptx_lower_video, "vmin2.s32.s32.s32"},
	{"vmin4", ptx_lower_video, "vmin4.s32.s32.s32"},
	{"vmax2", ptx_lower_video, "vmax2.s32.s32.s32"},
	{"vmax4", ptx_lower_video, "vmax4.s32.s32.s32"},
	{"vset2", ptx_lower_video, "vset2.s32.s32.lt"},
	{"vset4", ptx_lower_video, "vset4.s32.s32.lt"},
	{"call", NULL, "call call.uni"},
	{NULL, NULL, NULL},
};

const struct ptx_family *ptx_family_of(const char *op)
{
	size_t root = strcspn(op, ".");

	for (const struct ptx_family *f = ptx_family_table; f->name; f++)
		if (f->lower && strlen(f->name) == root && !memcmp(f->name, op, root))
			return f;
	return NULL;
}

/* One statement, whatever it is. */
bool ptx_lower_stmt(struct ptx_work *w, const struct ptx_stmt *st)
{
	const struct ptx_family *family = ptx_family_of(st->op);
	const struct ptx_form *f;

	w->st = st;
	if (family)
		return family->lower(w, st);
	f = ptx_form_counted(w->p, st->op, st->nops - 1u);
	if (!f)
		f = ptx_form_counted(w->p, st->op, 3);
	if (!f)
		return ptx_unknown_opcode(w->p, st);
	return ptx_is_carry(st->op) ? ptx_lower_carry(w, st, f->op) : ptx_lower_plain(w, st, f->op);
}
