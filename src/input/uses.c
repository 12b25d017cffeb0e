/* uses.c - operands by what they are for (uses.h), from the signatures of ops.def and its notes. */
#include "uses.h"

#include "ptx_internal.h"

/* Between lanes, the last source a member mask. */
static bool has_members(u32 op)
{
	return op == OP_BAR_WARP || (op >= OP_SHFL_UP && op <= OP_REDUX_XOR && op != OP_ACTIVEMASK);
}

/* What source k is for. */
static u8 role_of(const struct inst *in, u32 k)
{
	switch (in->op) {
	case OP_LD:
	case OP_ST:
	case OP_ATOM:
	case OP_LDMATRIX: return k ? USE_VALUE : USE_ADDRESS;
	case OP_TEX:
	case OP_TLD4: return USE_ADDRESS;
	case OP_COPY: return k < 3 ? USE_ADDRESS : USE_CHOICE;
	case OP_BAR_SYNC:
	case OP_BAR_ARRIVE: return USE_LANES;
	case OP_BAR_RED: return k < 2 ? USE_LANES : USE_VALUE;
	default: break;
	}
	if (has_members(in->op) && k + 1 == in->nsrc)
		return USE_LANES;
	if ((op_is_select(in->op) && k == 2) || (op_is_shfl(in->op) && k))
		return USE_CHOICE;
	return USE_VALUE;
}

/* Registers of source k. */
static u32 words_of(const struct inst *in, u32 k)
{
	const char *colon = strchr(ptx_op_signature[in->op], ':');
	bool wide = in->space == SPACE_GLOBAL || in->space == SPACE_GENERIC;

	if (in->op == OP_COPY)
		return k ? 1 : 2;
	if (in->op == OP_LD || in->op == OP_ST || in->op == OP_ATOM)
		return (k ? in->width == 8 : wide) ? 2 : 1;
	return colon && k < strlen(colon + 1) && colon[1 + k] == 'd' ? 2 : 1;
}

u32 inst_uses(const struct inst *in, struct use out[MAX_SRC + 1])
{
	u32 n = 0;

	for (u32 k = 0; k < in->nsrc; k++)
		if (in->src[k].kind != OPERAND_NONE)
			out[n++] = (struct use){in->src[k], role_of(in, k), (u8)words_of(in, k), (u8)k};
	if (in->guard.kind == OPERAND_PRED)
		out[n++] = (struct use){in->guard, USE_GUARD, 1, MAX_SRC};
	return n;
}

/* Registers of each destination: 1, or 2 of a pair. */
static u32 inst_result_words(const struct inst *in)
{
	if (in->op == OP_LD || in->op == OP_ATOM)
		return in->width == 8 ? 2 : 1;
	return ptx_op_signature[in->op][0] == 'd' ? 2 : 1;
}

u32 inst_result_register(const struct inst *in, u32 reg, u32 *word)
{
	u32 words = inst_result_words(in);

	for (u32 i = 0; i < in->ndst; i++)
		if (in->dst[i].kind == OPERAND_REG && reg >= in->dst[i].value && reg < in->dst[i].value + words) {
			*word = reg - in->dst[i].value;
			return i;
		}
	return MAX_DST;
}

u32 inst_result_predicate(const struct inst *in, u32 pred)
{
	for (u32 i = 0; i < in->ndst; i++)
		if (in->dst[i].kind == OPERAND_PRED && in->dst[i].value == pred)
			return i;
	return MAX_DST;
}

/* A word of a spelling as a type: "f32"; false: it is none. */
static bool type_word(const char *word, size_t n, struct result_type *out)
{
	char name[8];
	int type;

	if (n < 2 || n >= sizeof(name))
		return false;
	memcpy(name, word, n);
	name[n] = 0;
	out->hex = name[0] == 'b' || name[0] == 'f';
	type = value_type_named(name);
	if (type >= 0 && type != VALUE_BYTES) {
		*out = (struct result_type){(u8)type, false};
		return true;
	}
	out->type = VALUE_U32;
	return (name[0] == 'b' || name[0] == 'f') && strspn(name + 1, "0123456789x") == n - 1;
}

/* How many types a spelling names, and the first. */
static u32 types_named(const struct kernel *k, u32 pc, struct result_type *first)
{
	const char *text = kernel_text(k, pc);
	struct result_type t = {VALUE_U32, true};
	u32 found = 0;

	*first = t;
	if (*text == '@')
		text += strcspn(text, " ") + 1;
	while (*text && *text != ' ') {
		size_t n = strcspn(text, ". ");

		if (type_word(text, n, &t) && !found++)
			*first = t;
		text += n + (text[n] == '.');
	}
	return found;
}

struct result_type inst_operand_type(const struct kernel *k, u32 pc)
{
	struct result_type t;

	return types_named(k, pc, &t) == 1 ? t : (struct result_type){VALUE_U32, true};
}

struct result_type inst_result_type(const struct kernel *k, u32 pc)
{
	struct result_type t;
	u32 words = inst_result_words(&k->inst[pc]);

	types_named(k, pc, &t);
	if (words == 2 && value_type_size[t.type] < 8)
		t.type = t.type == VALUE_S32 ? VALUE_S64 : VALUE_U64;
	return t;
}
