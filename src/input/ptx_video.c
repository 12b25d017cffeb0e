/*
 * ptx_video.c - video instructions to instructions: what their spelling says becomes one number (video.h).
 *
 * The scalar ones take a byte, a half or the whole of their sources, and may have a second operation (.add, .min, .max)
 * or put their result into a part of c; those on pairs and quads choose each lane among those of both sources, and
 * merge lane by lane into c or add all lanes to it. Source: PTX ISA 8.x, section 9.7.18.
 */
#include "ptx_internal.h"
#include "video.h"

/* What the operands are, and which types and words a spelling has behind its name. */
enum video_kind { VIDEO_TWO, VIDEO_SHIFT, VIDEO_SET, VIDEO_MAD };

static const struct video {
	const char *name;
	u16 op;
	u8 kind, lanes;
} videos[] = {
	{"vadd", OP_VADD, VIDEO_TWO, 1},	   {"vsub", OP_VSUB, VIDEO_TWO, 1},
	{"vabsdiff", OP_VABSDIFF, VIDEO_TWO, 1},   {"vmin", OP_VMIN, VIDEO_TWO, 1},
	{"vmax", OP_VMAX, VIDEO_TWO, 1},	   {"vshl", OP_VSHL, VIDEO_SHIFT, 1},
	{"vshr", OP_VSHR, VIDEO_SHIFT, 1},	   {"vset", OP_VSET, VIDEO_SET, 1},
	{"vmad", OP_VMAD, VIDEO_MAD, 1},	   {"vadd2", OP_VADD2, VIDEO_TWO, 2},
	{"vadd4", OP_VADD4, VIDEO_TWO, 4},	   {"vsub2", OP_VSUB2, VIDEO_TWO, 2},
	{"vsub4", OP_VSUB4, VIDEO_TWO, 4},	   {"vavrg2", OP_VAVRG2, VIDEO_TWO, 2},
	{"vavrg4", OP_VAVRG4, VIDEO_TWO, 4},	   {"vabsdiff2", OP_VABSDIFF2, VIDEO_TWO, 2},
	{"vabsdiff4", OP_VABSDIFF4, VIDEO_TWO, 4}, {"vmin2", OP_VMIN2, VIDEO_TWO, 2},
	{"vmin4", OP_VMIN4, VIDEO_TWO, 4},	   {"vmax2", OP_VMAX2, VIDEO_TWO, 2},
	{"vmax4", OP_VMAX4, VIDEO_TWO, 4},	   {"vset2", OP_VSET2, VIDEO_SET, 2},
	{"vset4", OP_VSET4, VIDEO_SET, 4},
};

/* A word of a spelling and the bits that it sets. */
struct video_word {
	const char *word;
	u64 bits;
};

/* Take one of the words that may stand next off s; false if none does. */
static bool take_word(const char **s, const struct video_word *words, u32 n, u64 *how)
{
	for (u32 i = 0; i < n; i++)
		if (ptx_take(s, words[i].word)) {
			*how |= words[i].bits;
			return true;
		}
	return false;
}

/* Take a type off s: .s32 sets the bit. */
static bool take_type(const char **s, u64 is_signed, u64 *how)
{
	const struct video_word types[] = {{".u32", 0}, {".s32", is_signed}};

	return take_word(s, types, ARRAY_LEN(types), how);
}

/* The words behind the name of a spelling; false: none that there is. */
static bool parse_words(const struct video *v, const char *s, u64 *how)
{
	static const struct video_word compare[] = {
		{".eq", (u64)VIDEO_EQ << VIDEO_COMPARE}, {".ne", (u64)VIDEO_NE << VIDEO_COMPARE},
		{".lt", (u64)VIDEO_LT << VIDEO_COMPARE}, {".le", (u64)VIDEO_LE << VIDEO_COMPARE},
		{".gt", (u64)VIDEO_GT << VIDEO_COMPARE}, {".ge", (u64)VIDEO_GE << VIDEO_COMPARE}};
	static const struct video_word second[] = {{".add", (u64)VIDEO_ADD << VIDEO_SECOND},
						   {".min", (u64)VIDEO_MIN << VIDEO_SECOND},
						   {".max", (u64)VIDEO_MAX << VIDEO_SECOND}};
	static const struct video_word mode[] = {{".clamp", 0}, {".wrap", VIDEO_WRAP}};
	static const struct video_word scale[] = {{".shr7", 7 << VIDEO_SCALE}, {".shr15", 15 << VIDEO_SCALE}};
	static const struct video_word plus_one = {".po", VIDEO_PLUS_ONE}, saturate = {".sat", VIDEO_SATURATE};

	if ((v->kind != VIDEO_SET && !take_type(&s, VIDEO_D_SIGNED, how)) || !take_type(&s, VIDEO_A_SIGNED, how) ||
	    !take_type(&s, VIDEO_B_SIGNED, how))
		return false;
	if (v->kind == VIDEO_SHIFT && *how & VIDEO_B_SIGNED)
		return false;
	if (v->kind == VIDEO_SET && !take_word(&s, compare, ARRAY_LEN(compare), how))
		return false;
	if (v->kind == VIDEO_MAD)
		take_word(&s, &plus_one, 1, how);
	if (v->kind != VIDEO_SET)
		take_word(&s, &saturate, 1, how);
	if (v->kind == VIDEO_SHIFT && !take_word(&s, mode, ARRAY_LEN(mode), how))
		return false;
	if (v->kind == VIDEO_MAD)
		take_word(&s, scale, ARRAY_LEN(scale), how);
	else if (v->lanes == 1 || !(*how & VIDEO_SATURATE))
		take_word(&s, second, v->lanes > 1 ? 1 : ARRAY_LEN(second), how);
	return !*s;
}

/* Fail: an operand selects what this instruction cannot. */
static bool bad_part(struct ptx_work *w, const struct ptx_operand *o, const char *right)
{
	return ptx_fail(w->p, PTX_AT(o), "'%s' does not select a part of a register here (%s)",
			ptx_shown(o->s + o->len - o->part, o->part), right);
}

/* The part of a register that a scalar instruction's operand selects. */
static bool scalar_part(struct ptx_work *w, const struct ptx_operand *o, u32 first, u64 *how)
{
	const char *s = o->s + o->len - o->part;
	u32 part = VIDEO_WHOLE;

	if (o->part) {
		part = (u32)(s[2] - '0');
		if (o->part != 3 || part > (s[1] == 'b' ? 3 : 1))
			return bad_part(w, o, ".b0 to .b3, .h0, .h1");
		part += s[1] == 'h' ? 4 : 0;
	}
	*how |= (u64)part << first;
	return true;
}

/* The lanes that a source selects, the first letter for the highest; without a selector those from `lane` on. */
static bool source_lanes(struct ptx_work *w, const struct ptx_operand *o, u32 n, u32 lane, u32 first, u64 *how)
{
	const char *s = o->s + o->len - o->part;

	if (o->part && (o->part != 2 + n || s[1] != (n == 2 ? 'h' : 'b')))
		return bad_part(w, o, n == 2 ? ".h10, .h32 and their like" : ".b3210, .b7654 and their like");
	for (u32 i = 0; i < n; i++) {
		u32 part = o->part ? (u32)(s[1 + n - i] - '0') : lane + i;

		if (part >= 2 * n)
			return bad_part(w, o, "lanes 0 to 3 of two registers");
		*how |= (u64)part << (first + 3 * i);
	}
	return true;
}

/* The lanes of d that are written, the highest first; without a mask all. */
static bool written_lanes(struct ptx_work *w, const struct ptx_operand *o, u32 n, u64 *how)
{
	const char *s = o->s + o->len - o->part;

	if (!o->part)
		*how |= ((1ull << n) - 1) << VIDEO_D;
	if (o->part && s[1] != (n == 2 ? 'h' : 'b'))
		return bad_part(w, o, n == 2 ? ".h0, .h1, .h10" : ".b0, .b10, .b3210 and their like");
	for (u32 i = 2; i < o->part; i++) {
		u32 lane = (u32)(s[i] - '0');

		if (lane >= n || (i > 2 && s[i] >= s[i - 1]))
			return bad_part(w, o, "lanes of a register, the highest first");
		*how |= 1ull << (VIDEO_D + lane);
	}
	return true;
}

/* The parts that the operands select; with c, or without. */
static bool parse_parts(struct ptx_work *w, const struct video *v, const struct ptx_operand *o, u64 *how)
{
	if (v->lanes > 1)
		return written_lanes(w, &o[0], v->lanes, how) && source_lanes(w, &o[1], v->lanes, 0, VIDEO_A, how) &&
		       source_lanes(w, &o[2], v->lanes, v->lanes, VIDEO_B, how);
	return scalar_part(w, &o[0], VIDEO_D, how) && scalar_part(w, &o[1], VIDEO_A, how) &&
	       scalar_part(w, &o[2], VIDEO_B, how);
}

/* The signs of vmad's operands: of the product, of c. */
static bool parse_signs(struct ptx_work *w, const struct video *v, const struct ptx_stmt *st, u64 *how)
{
	u32 minus = 0;

	for (u32 i = 0; i < st->nops; i++)
		minus |= (u32)st->ops[i].minus << i;
	*how |= (minus & 6) == 2 || (minus & 6) == 4 ? VIDEO_NEGATE : 0;
	*how |= minus & 8 ? VIDEO_NEGATE_C : 0;
	if (!minus || (v->kind == VIDEO_MAD && !(minus & 1) && !(*how & VIDEO_PLUS_ONE) &&
		       (*how & (VIDEO_NEGATE | VIDEO_NEGATE_C)) != (VIDEO_NEGATE | VIDEO_NEGATE_C)))
		return true;
	return ptx_fail(w->p, PTX_AT(st), "'%s' cannot have '-' before these operands%s", ptx_shown_text(st->op),
			v->kind == VIDEO_MAD ? ": before a or b, or before c, and not with .po" : "");
}

/* How many operands there are: with c if something is done with it. */
static bool count_operands(struct ptx_work *w, const struct video *v, const struct ptx_stmt *st, u64 how)
{
	bool c = v->lanes > 1 || v->kind == VIDEO_MAD || how >> VIDEO_SECOND & 3 || (st->nops && st->ops[0].part);

	return ptx_operand_count(w->p, st, 3u + c, 3u + c);
}

/* Any of them. */
bool ptx_lower_video(struct ptx_work *w, const struct ptx_stmt *st)
{
	struct ptx_operand o[4] = {{0}, {0}, {0}, {.kind = PTX_INT, .s = ""}};
	u32 root = (u32)strcspn(st->op, ".");
	const struct video *v = videos;
	struct ptx_code *c;
	u64 how = 0;

	while (strlen(v->name) != root || memcmp(v->name, st->op, root))
		v++;
	if (!parse_words(v, st->op + root, &how))
		return ptx_unknown_opcode(w->p, st);
	if (!count_operands(w, v, st, how) || !parse_parts(w, v, st->ops, &how) || !parse_signs(w, v, st, &how))
		return false;
	for (u32 i = 0; i < st->nops; i++) {
		o[i] = st->ops[i];
		o[i].minus = 0;
		o[i].part = i == 3 ? o[i].part : 0;
	}
	c = ptx_emit(w, st, v->op, ptx_op_class[v->op]);
	if (!ptx_destination(w, c, &o[0], 32, 32))
		return false;
	for (u32 i = 1; i < 4; i++)
		if (!ptx_source(w, c, &o[i], 32, 'b'))
			return false;
	c->in.src[c->in.nsrc++] = ptx_imm(w, how);
	return !w->p->failed;
}
