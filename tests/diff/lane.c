/* lane.c - see lane.h. Parts of names are those of the ISA's chapters. */
#include "lane.h"

#include "number.h"

#include <ctype.h>
#include <fenv.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef uint64_t u64;
typedef int64_t i64;
typedef uint32_t u32;
typedef int32_t i32;
typedef unsigned char u8;

/* clang-format off */
/* Parts of an instruction's name that say something here. */
#define WORDS(W) \
	W(abs) W(activemask) W(add) W(addc) W(all) W(and) W(any) W(approx) W(arrive) W(atom) W(b4e) \
	W(ballot) W(bar) W(barrier) W(bfe) W(bfi) W(bfind) W(bfly) W(bmsk) W(bra) W(brev) W(cas) W(cc) \
	W(clamp) W(clz) W(cnot) W(copysign) W(cos) W(cvt) W(cvta) W(dec) W(div) W(down) W(dp2a) W(dp4a) \
	W(ecl) W(ecr) W(eq) W(equ) W(ex2) W(exch) W(exit) W(f4e) W(fence) W(finite) W(fma) W(fns) W(ftz) \
	W(full) W(ge) W(geu) W(global) W(gt) W(gtu) W(hi) W(hs) W(idx) W(inc) W(infinite) W(isspacep) W(l) \
	W(ld) W(le) W(leu) W(lg2) W(lo) W(local) W(lop3) W(ls) W(lt) W(ltu) W(mad) W(mad24) W(madc) \
	W(match) W(max) W(membar) W(min) W(mov) W(mul) W(mul24) W(NaN) W(nan) W(ne) W(neg) W(neu) W(normal) \
	W(not) W(notanumber) W(num) W(number) W(or) W(pack) W(param) W(popc) W(prmt) W(r) W(rc16) W(rc8) \
	W(rcp) W(red) W(redux) W(relu) W(rem) W(ret) W(rm) W(rmi) W(rn) W(rna) W(rni) W(rp) W(rpi) W(rsqrt) \
	W(rz) W(rzi) W(sad) W(sat) W(satfinite) W(selp) W(set) W(setp) W(shared) W(shf) W(shfl) W(shiftamt) \
	W(shl) W(shr) W(sin) W(slct) W(sqrt) W(st) W(sub) W(subc) W(subnormal) W(sync) W(szext) W(tanh) \
	W(testp) W(to) W(uni) W(up) W(v2) W(v4) W(vote) W(warp) W(wide) W(wrap) W(xor) W(xorsign) W(const) \
	W(nanosleep)
/* clang-format on */
enum word {
#define W(x) W_##x,
	WORDS(W)
#undef W
		W_COUNT
};
static const char *const word_name[] = {
#define W(x) #x,
	WORDS(W)
#undef W
};

/* clang-format off */
/* name, bits, class: u s b integers, p predicate, f a number, h two numbers, i two integers, j two signed ones, n
 * anything narrower */
#define TYPES(T) \
	T(pred, 1, 'p', 0) T(u8, 8, 'u', 0) T(s8, 8, 's', 0) T(u16, 16, 'u', 0) T(s16, 16, 's', 0) \
	T(u32, 32, 'u', 0) T(s32, 32, 's', 0) T(u64, 64, 'u', 0) T(s64, 64, 's', 0) T(b8, 8, 'b', 0) \
	T(b16, 16, 'b', 0) T(b32, 32, 'b', 0) T(b64, 64, 'b', 0) T(f16, 16, 'f', &format_f16) \
	T(bf16, 16, 'f', &format_bf16) T(f32, 32, 'f', &format_f32) T(f64, 64, 'f', &format_f64) \
	T(f16x2, 32, 'h', &format_f16) T(bf16x2, 32, 'h', &format_bf16) T(f32x2, 64, 'h', &format_f32) \
	T(u16x2, 32, 'i', 0) T(s16x2, 32, 'j', 0) T(tf32, 32, 'n', &format_tf32) \
	T(e4m3x2, 16, 'n', &format_e4m3) T(e5m2x2, 16, 'n', &format_e5m2) T(e2m3x2, 16, 'n', &format_e2m3) \
	T(e3m2x2, 16, 'n', &format_e3m2) T(e2m1x2, 8, 'n', &format_e2m1) T(ue8m0x2, 16, 'n', 0) \
	T(u2, 2, 'u', 0) T(s2, 2, 's', 0) T(u4, 4, 'u', 0) T(s4, 4, 's', 0)
/* clang-format on */
enum type {
	T_none,
#define T(x, b, c, f) T_##x,
	TYPES(T)
#undef T
};
static const struct type_row {
	const char *name;
	int bits;
	char class;
	const struct format *format;
} type_row[] = {{"", 0, 0, NULL},
#define T(x, b, c, f) {#x, b, c, f},
		TYPES(T)
#undef T
};

enum operand_kind { O_NONE, O_REG, O_IMM, O_FLOAT, O_ADDRESS, O_LABEL, O_VECTOR, O_SPECIAL, O_SYMBOL };
struct operand {
	enum operand_kind kind;
	bool negate;
	int reg, pair; /* register; pair: the second of p|q, or -1 */
	u64 value;     /* immediate, offset, place of a label, which special register */
	double number;
	int symbol; /* of an address without a register, or -1 */
	int piece[4], pieces;
};

struct inst {
	int guard; /* -1: none */
	bool guard_not;
	enum word op;
	u64 has[(W_COUNT + 63) / 64];
	enum type type[4];
	int types, operands, line;
	struct operand o[8];
};

enum space { IN_GLOBAL, IN_SHARED, IN_LOCAL, IN_CONST, IN_PARAM };
struct symbol {
	char *name;
	enum space space;
	u64 address, bytes;
	int entry; /* of which entry; -1: the module */
};

struct entry {
	char *name;
	int first, end;
	u64 shared, local, params;
};

struct lane_program {
	struct inst *inst;
	int insts;
	char **reg;
	int *reg_bits, *reg_entry, regs;
	struct symbol *symbol;
	int symbols;
	struct entry *entry;
	int entries;
	struct {
		char *name;
		int at, entry;
	} * label;
	int labels;
	u8 *constant;
	u64 constants, shared;
	u64 global; /* bytes of variables: behind the launch's memory */
};

static jmp_buf give_up;
static char *reason;

static void __attribute__((noreturn, format(printf, 1, 2))) fail(const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	vsnprintf(reason, LANE_WHY, format, ap);
	va_end(ap);
	longjmp(give_up, 1);
}

/* --- the text --- */

struct reader {
	struct lane_program *p;
	const char *at;
	int line, entry;
};

static void blanks(struct reader *r)
{
	for (;; r->at++) {
		if (r->at[0] == '/' && r->at[1] == '/')
			while (r->at[1] && r->at[1] != '\n')
				r->at++;
		else if (*r->at == '\n')
			r->line++;
		else if (!isspace((u8)*r->at))
			return;
	}
}

static bool taken(struct reader *r, char c)
{
	blanks(r);
	if (*r->at != c)
		return false;
	r->at++;
	return true;
}

static void expect(struct reader *r, char c)
{
	if (!taken(r, c))
		fail("line %d: %c is missing at %.20s", r->line, c, r->at);
}

static void name_read(struct reader *r, char *out)
{
	int n = 0;

	blanks(r);
	while (n < 79 && (isalnum((u8)*r->at) || strchr("_$%.:", *r->at)) && *r->at) {
		if (*r->at == ':' && r->at[1] != ':')
			break;
		if (*r->at == ':')
			out[n++] = *r->at++;
		out[n++] = *r->at++;
	}
	out[n] = 0;
	if (!n)
		fail("line %d: a name is missing at %.20s", r->line, r->at);
}

static u64 number_read(struct reader *r, struct operand *o)
{
	char *end;
	bool minus;
	u64 v;

	blanks(r);
	minus = *r->at == '-';
	r->at += minus;
	if (r->at[0] == '0' && (r->at[1] == 'f' || r->at[1] == 'F')) {
		v = strtoull(r->at + 2, &end, 16);
		if (o)
			o->kind = O_IMM;
		r->at = end;
		return v;
	}
	if (r->at[0] == '0' && (r->at[1] == 'd' || r->at[1] == 'D')) {
		v = strtoull(r->at + 2, &end, 16);
		if (o)
			o->kind = O_IMM;
		r->at = end;
		return v;
	}
	v = strtoull(r->at, &end, 0);
	if (end == r->at)
		fail("line %d: a number is missing at %.20s", r->line, r->at);
	r->at = end;
	if (*r->at == 'U')
		r->at++;
	if (o)
		o->kind = O_IMM;
	return minus ? -v : v;
}

static int reg_find(struct reader *r, const char *name)
{
	for (int i = r->p->regs; i-- > 0;)
		if (r->p->reg_entry[i] == r->entry && !strcmp(r->p->reg[i], name))
			return i;
	return -1;
}

static void reg_add(struct reader *r, const char *name, int bits)
{
	struct lane_program *p = r->p;

	p->reg = realloc(p->reg, sizeof(*p->reg) * (size_t)(p->regs + 1));
	p->reg_bits = realloc(p->reg_bits, sizeof(*p->reg_bits) * (size_t)(p->regs + 1));
	p->reg_entry = realloc(p->reg_entry, sizeof(*p->reg_entry) * (size_t)(p->regs + 1));
	p->reg[p->regs] = strdup(name);
	p->reg_entry[p->regs] = r->entry;
	p->reg_bits[p->regs++] = bits;
}

static enum type type_find(const char *name)
{
	for (unsigned i = 1; i < sizeof(type_row) / sizeof(type_row[0]); i++)
		if (!strcmp(type_row[i].name, name))
			return (enum type)i;
	return T_none;
}

/* .reg .type names; each with <count> or alone. */
static void regs_read(struct reader *r)
{
	char name[80], numbered[100];
	enum type t;

	name_read(r, name);
	t = type_find(name + 1);
	if (!t)
		fail("line %d: a type %s", r->line, name);
	do {
		name_read(r, name);
		if (taken(r, '<')) {
			int n = (int)number_read(r, NULL);

			expect(r, '>');
			for (int i = 0; i < n; i++) {
				snprintf(numbered, sizeof(numbered), "%s%d", name, i);
				reg_add(r, numbered, type_row[t].bits);
			}
		} else {
			reg_add(r, name, type_row[t].bits);
		}
	} while (taken(r, ','));
	expect(r, ';');
}

static u64 *space_bytes(struct lane_program *p, enum space space, int entry)
{
	return space == IN_SHARED  ? &p->entry[entry].shared
	       : space == IN_LOCAL ? &p->entry[entry].local
	       : space == IN_PARAM ? &p->entry[entry].params
	       : space == IN_CONST ? &p->constants
				   : &p->global;
}

/* A variable, or a parameter: [.align n] .type name[n] [= {...}] */
static void variable_read(struct reader *r, enum space space)
{
	struct lane_program *p = r->p;
	u64 align = 0, count = 1, *used = space_bytes(p, space, r->entry);
	char name[80];
	enum type t;

	for (;;) {
		name_read(r, name);
		if (!strcmp(name, ".align"))
			align = number_read(r, NULL);
		else if ((t = type_find(name + 1)))
			break;
	}
	name_read(r, name);
	if (taken(r, '[')) {
		count = number_read(r, NULL);
		expect(r, ']');
	}
	align = align ? align : (u64)type_row[t].bits / 8;
	*used = (*used + align - 1) / align * align;
	p->symbol = realloc(p->symbol, sizeof(*p->symbol) * (size_t)(p->symbols + 1));
	p->symbol[p->symbols++] =
		(struct symbol){strdup(name), space, *used, count * (u64)type_row[t].bits / 8, r->entry};
	*used += count * (u64)type_row[t].bits / 8;
	if (space == IN_CONST)
		p->constant = realloc(p->constant, p->constants + 8);
	if (taken(r, '=')) {
		u8 *to = p->constant + p->symbol[p->symbols - 1].address;

		if (space != IN_CONST)
			fail("line %d: only constants have values", r->line);
		expect(r, '{');
		do {
			u64 v = number_read(r, NULL);

			memcpy(to, &v, (size_t)type_row[t].bits / 8);
			to += type_row[t].bits / 8;
		} while (taken(r, ','));
		expect(r, '}');
	}
}

static const char *const special[] = {"%tid.x",	      "%tid.y",	      "%tid.z",	      "%ntid.x",      "%ntid.y",
				      "%ntid.z",      "%ctaid.x",     "%ctaid.y",     "%ctaid.z",     "%nctaid.x",
				      "%nctaid.y",    "%nctaid.z",    "%laneid",      "%lanemask_eq", "%lanemask_le",
				      "%lanemask_lt", "%lanemask_ge", "%lanemask_gt", "%warpid",      "WARP_SZ"};

static void operand_name(struct reader *r, struct operand *o)
{
	char name[80];

	name_read(r, name);
	for (u32 i = 0; i < sizeof(special) / sizeof(special[0]); i++)
		if (!strcmp(special[i], name)) {
			o->kind = O_SPECIAL;
			o->value = i;
			return;
		}
	o->reg = reg_find(r, name);
	if (o->reg >= 0) {
		o->kind = O_REG;
		return;
	}
	for (int i = 0; i < r->p->symbols; i++)
		if (!strcmp(r->p->symbol[i].name, name) &&
		    (r->p->symbol[i].entry < 0 || r->p->symbol[i].entry == r->entry)) {
			o->kind = O_SYMBOL;
			o->symbol = i;
			return;
		}
	if (*name == '%')
		fail("line %d: no register %s", r->line, name);
	o->kind = O_LABEL;
	/* Its place is known at the end; the name stays until then. */
	o->value = (u64)(uintptr_t)strdup(name);
}

static void operand_read(struct reader *r, struct operand *o)
{
	*o = (struct operand){.pair = -1, .symbol = -1, .reg = -1};
	if (taken(r, '[')) {
		blanks(r);
		if (*r->at == '%' || isalpha((u8)*r->at) || *r->at == '_')
			operand_name(r, o);
		o->kind = O_ADDRESS;
		if (taken(r, '+'))
			o->value = number_read(r, NULL);
		else if (*r->at == '-' || isdigit((u8)*r->at))
			o->value = number_read(r, NULL);
		expect(r, ']');
		return;
	}
	if (taken(r, '{')) {
		o->kind = O_VECTOR;
		do {
			struct operand piece = {.reg = -1};

			operand_name(r, &piece);
			if (piece.kind != O_REG || o->pieces == 4)
				fail("line %d: a vector of something else than registers", r->line);
			o->piece[o->pieces++] = piece.reg;
		} while (taken(r, ','));
		expect(r, '}');
		return;
	}
	o->negate = taken(r, '!');
	blanks(r);
	if (isdigit((u8)*r->at) || *r->at == '-') {
		o->value = number_read(r, o);
		return;
	}
	operand_name(r, o);
	if (taken(r, '|')) {
		struct operand second = {.reg = -1};

		operand_name(r, &second);
		o->pair = second.reg;
	}
}

/* The parts of a name, behind its dots; "::" belongs to what is before it. */
static void mnemonic(struct reader *r, struct inst *i)
{
	char name[80], *part, *next;
	bool first = true;

	name_read(r, name);
	for (part = name; part; part = next, first = false) {
		enum type t;
		u32 w;
		char *colons;

		next = strchr(part, '.');
		if (next)
			*next++ = 0;
		colons = strstr(part, "::");
		if (colons)
			*colons = 0;
		t = type_find(part);
		for (w = 0; w < W_COUNT && strcmp(word_name[w], part) != 0; w++)
			;
		if (first && w == W_COUNT)
			fail("line %d: %s is not known", r->line, part);
		if (first)
			i->op = (enum word)w;
		else if (t && i->types < 4)
			i->type[i->types++] = t;
		else if (w < W_COUNT)
			i->has[w / 64] |= 1ULL << w % 64;
		else if (!strchr("cnrasvwgelL", *part))
			fail("line %d: .%s is not known", r->line, part);
	}
}

static void inst_read(struct reader *r)
{
	struct lane_program *p = r->p;
	struct inst i = {.guard = -1};

	i.line = r->line;
	if (taken(r, '@')) {
		struct operand o = {.reg = -1};

		i.guard_not = taken(r, '!');
		operand_name(r, &o);
		i.guard = o.reg;
	}
	blanks(r);
	mnemonic(r, &i);
	blanks(r);
	while (*r->at != ';') {
		if (i.operands == 8)
			fail("line %d: too many operands", r->line);
		operand_read(r, &i.o[i.operands++]);
		if (!taken(r, ','))
			break;
	}
	expect(r, ';');
	p->inst = realloc(p->inst, sizeof(*p->inst) * (size_t)(p->insts + 1));
	p->inst[p->insts++] = i;
}

static void labels_place(struct lane_program *p, const struct entry *e)
{
	for (int k = e->first; k < e->end; k++)
		for (int n = 0; n < p->inst[k].operands; n++) {
			struct operand *o = &p->inst[k].o[n];
			char *name = (char *)(uintptr_t)o->value;
			int l;

			if (o->kind != O_LABEL)
				continue;
			for (l = p->labels; l-- > 0;)
				if (p->label[l].entry == (int)(e - p->entry) && !strcmp(p->label[l].name, name))
					break;
			o->kind = O_NONE;
			if (l < 0) {
				snprintf(reason, LANE_WHY, "line %d: no label %s", p->inst[k].line, name);
				free(name);
				longjmp(give_up, 1);
			}
			free(name);
			o->kind = O_LABEL;
			o->value = (u64)p->label[l].at;
		}
}

static void body_read(struct reader *r)
{
	struct lane_program *p = r->p;

	expect(r, '{');
	while (!taken(r, '}')) {
		char name[80];
		const char *from;
		int line;

		blanks(r);
		if (!*r->at)
			fail("the text ends within a kernel");
		if (*r->at == '.') {
			name_read(r, name);
			if (!strcmp(name, ".reg")) {
				regs_read(r);
			} else {
				variable_read(r, !strcmp(name, ".local") ? IN_LOCAL : IN_SHARED);
				expect(r, ';');
			}
			continue;
		}
		from = r->at;
		line = r->line;
		if (*r->at != '@') {
			name_read(r, name);
			if (taken(r, ':')) {
				p->label = realloc(p->label, sizeof(*p->label) * (size_t)(p->labels + 1));
				p->label[p->labels].name = strdup(name);
				p->label[p->labels].entry = r->entry;
				p->label[p->labels++].at = p->insts;
				continue;
			}
			r->at = from;
			r->line = line;
		}
		inst_read(r);
	}
}

static void entry_read(struct reader *r)
{
	struct lane_program *p = r->p;
	char name[80];

	name_read(r, name);
	p->entry = realloc(p->entry, sizeof(*p->entry) * (size_t)(p->entries + 1));
	p->entry[p->entries] = (struct entry){.name = strdup(name), .first = p->insts};
	r->entry = p->entries++;
	expect(r, '(');
	while (!taken(r, ')')) {
		name_read(r, name); /* .param */
		variable_read(r, IN_PARAM);
		taken(r, ',');
	}
	while (blanks(r), *r->at == '.') {
		name_read(r, name);
		number_read(r, NULL);
		while (taken(r, ','))
			number_read(r, NULL);
	}
	body_read(r);
	p->entry[r->entry].end = p->insts;
	labels_place(p, &p->entry[r->entry]);
	r->entry = -1;
}

struct lane_program *lane_parse(const char *text, char *why)
{
	struct lane_program *volatile p = calloc(1, sizeof(*p));
	struct reader r = {p, text, 1, -1};
	char name[80];

	reason = why;
	if (setjmp(give_up)) {
		/* What labels are called is still held by the operands: it is not worth looking for. */
		lane_free(p);
		return NULL;
	}
	while (blanks(&r), *r.at) {
		name_read(&r, name);
		if (!strcmp(name, ".version") || !strcmp(name, ".target") || !strcmp(name, ".address_size")) {
			while (*r.at && *r.at != '\n')
				r.at++;
		} else if (!strcmp(name, ".entry")) {
			entry_read(&r);
		} else if (!strcmp(name, ".const") || !strcmp(name, ".global")) {
			variable_read(&r, name[1] == 'c' ? IN_CONST : IN_GLOBAL);
			expect(&r, ';');
		} else if (strcmp(name, ".visible") != 0) {
			fail("line %d: %s is not known", r.line, name);
		}
	}
	return p;
}

void lane_free(struct lane_program *p)
{
	for (int i = 0; i < p->regs; i++)
		free(p->reg[i]);
	for (int i = 0; i < p->symbols; i++)
		free(p->symbol[i].name);
	for (int i = 0; i < p->entries; i++)
		free(p->entry[i].name);
	for (int i = 0; i < p->labels; i++)
		free(p->label[i].name);
	free(p->reg);
	free(p->reg_bits);
	free(p->reg_entry);
	free(p->symbol);
	free(p->entry);
	free(p->label);
	free(p->inst);
	free(p->constant);
	free(p);
}

/* --- values --- */

#define HAS(i, w) ((i)->has[W_##w / 64] >> W_##w % 64 & 1)
#define BITS(t) (type_row[t].bits)
#define CLASS(t) (type_row[t].class)
#define FORMAT(t) (type_row[t].format)

static u64 cut(u64 v, int bits)
{
	return bits >= 64 ? v : v & ((1ULL << bits) - 1);
}

static i64 extend(u64 v, int bits)
{
	return bits >= 64 ? (i64)v : (i64)(v << (64 - bits)) >> (64 - bits);
}

/* An integer of a type, in 128 bits. */
static __int128 value_of(u64 v, enum type t)
{
	return CLASS(t) == 's' ? (__int128)extend(v, BITS(t)) : (__int128)cut(v, BITS(t));
}

static u64 clamp_int(__int128 v, enum type t)
{
	__int128 one = 1, low = CLASS(t) == 's' ? -(one << (BITS(t) - 1)) : 0;
	__int128 high = CLASS(t) == 's' ? (one << (BITS(t) - 1)) - 1 : (one << BITS(t)) - 1;

	return (u64)(v < low ? low : v > high ? high : v);
}

static enum rounding rounding_of(const struct inst *i)
{
	return HAS(i, rz) || HAS(i, rzi)   ? ROUND_ZERO
	       : HAS(i, rm) || HAS(i, rmi) ? ROUND_DOWN
	       : HAS(i, rp) || HAS(i, rpi) ? ROUND_UP
	       : HAS(i, rna)		   ? ROUND_AWAY
					   : ROUND_NEAREST;
}

static u64 flushed(u64 bits, const struct format *f)
{
	u64 top = ((1ULL << f->exponent) - 1) << f->mantissa;

	return bits & top ? bits : bits & 1ULL << (f->exponent + f->mantissa);
}

static bool is_nan(u64 bits, const struct format *f)
{
	return number_unpack(bits, f).kind == NUMBER_NAN;
}

/* .sat: into [0, 1]; a NaN, and what is below or -0, to +0. */
static u64 unit(u64 bits, const struct format *f)
{
	u64 sign = bits >> (f->exponent + f->mantissa) & 1, one = (u64)f->bias << f->mantissa;

	return is_nan(bits, f) || sign ? 0 : bits > one ? one : bits;
}

static double as_double(u64 v)
{
	double d;

	memcpy(&d, &v, 8);
	return d;
}

static float as_float(u64 v)
{
	u32 w = (u32)v;
	float f;

	memcpy(&f, &w, 4);
	return f;
}

static u64 of_double(double d)
{
	u64 v;

	memcpy(&v, &d, 8);
	return d != d ? format_f64.nan : v;
}

static u64 of_float(float f)
{
	u32 w;

	memcpy(&w, &f, 4);
	return f != f ? format_f32.nan : w;
}

static const int host_rounding[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};

enum arithmetic { A_ADD, A_SUB, A_MUL, A_DIV, A_SQRT, A_FMA };

/* In f32 and f64 the host rounds, told how. */
static u64 host_float(enum arithmetic what, u64 x, u64 y, u64 z, enum rounding r)
{
	volatile float a = as_float(x), b = as_float(y), c = as_float(z), d = 0;

	fesetround(host_rounding[r]);
	switch (what) {
	case A_ADD: d = a + b; break;
	case A_SUB: d = a - b; break;
	case A_MUL: d = a * b; break;
	case A_DIV: d = a / b; break;
	case A_SQRT: d = sqrtf(a); break;
	case A_FMA: d = fmaf(a, b, c); break;
	}
	fesetround(FE_TONEAREST);
	return of_float(d);
}

static u64 host_double(enum arithmetic what, u64 x, u64 y, u64 z, enum rounding r)
{
	volatile double a = as_double(x), b = as_double(y), c = as_double(z), d = 0;

	fesetround(host_rounding[r]);
	switch (what) {
	case A_ADD: d = a + b; break;
	case A_SUB: d = a - b; break;
	case A_MUL: d = a * b; break;
	case A_DIV: d = a / b; break;
	case A_SQRT: d = sqrt(a); break;
	case A_FMA: d = fma(a, b, c); break;
	}
	fesetround(FE_TONEAREST);
	return of_double(d);
}

/* Halves are exact, and rounded once. */
static u64 half_arithmetic(enum arithmetic what, u64 x, u64 y, u64 z, enum rounding r, const struct format *f)
{
	struct number a = number_unpack(x, f), b = number_unpack(y, f), c = number_unpack(z, f);

	if (what == A_ADD)
		a = number_plus(a, b);
	else if (what == A_SUB)
		a = number_plus(a, number_minus(b));
	else if (what == A_MUL)
		a = number_times(a, b);
	else
		a = number_plus(number_times(a, b), c);
	return number_pack(a, f, r, false);
}

/*
 * Is the result below the normal numbers? Then .ftz makes it zero. GPUs ask that of the result as it would be with any
 * exponent, so that what lies just below them is not rounded up to the least one first.
 */
static bool tiny(enum arithmetic what, u64 x, u64 y, u64 z, const struct format *f, enum rounding r)
{
	struct number a = number_unpack(x, f), b = number_unpack(y, f);

	if (what == A_DIV && a.kind == NUMBER_FINITE && b.kind == NUMBER_FINITE) {
		/* A quotient, with what is left in one more digit. */
		wide n = a.significand << 70, q = n / b.significand;

		a.significand = q << 1 | (n % b.significand != 0);
		a.exponent -= b.exponent + 71;
		a.minus ^= b.minus;
		return number_below(a, f, r);
	}
	if (what == A_MUL || what == A_FMA)
		a = number_times(a, b);
	if (what == A_FMA)
		a = number_plus(a, number_unpack(z, f));
	return (what == A_MUL || what == A_FMA) && a.kind == NUMBER_FINITE && number_below(a, f, r);
}

static u64 arithmetic_once(const struct inst *i, enum arithmetic what, u64 x, u64 y, u64 z, const struct format *f)
{
	enum rounding r = rounding_of(i);
	u64 v;

	if (HAS(i, ftz)) {
		x = flushed(x, f);
		y = flushed(y, f);
		z = flushed(z, f);
	}
	v = f == &format_f64   ? host_double(what, x, y, z, r)
	    : f == &format_f32 ? host_float(what, x, y, z, r)
			       : half_arithmetic(what, x, y, z, r, f);
	if (HAS(i, ftz))
		v = tiny(what, x, y, z, f, r) ? v & 1ULL << (f->exponent + f->mantissa) : flushed(v, f);
	if (HAS(i, sat))
		v = unit(v, f);
	if (HAS(i, relu))
		v = is_nan(v, f) ? v : v >> (f->exponent + f->mantissa) & 1 ? 0 : v;
	return v;
}

static u64 extreme_once(const struct inst *i, const u64 *v, int n, const struct format *f)
{
	u64 sign_bit = 1ULL << (f->exponent + f->mantissa), sign = (v[0] ^ v[1]) & sign_bit, out;
	struct number best = {.kind = NUMBER_NAN};
	bool nan = false;

	for (int k = 0; k < n; k++) {
		u64 x = HAS(i, ftz) ? flushed(v[k], f) : v[k];
		struct number a = number_unpack(x, f);

		if (HAS(i, abs))
			a.minus = false;
		nan |= a.kind == NUMBER_NAN;
		best = k ? number_extreme(best, a, i->op == W_max) : a;
	}
	if (HAS(i, NaN) && nan)
		best.kind = NUMBER_NAN;
	if (best.kind == NUMBER_NAN)
		return f->nan;
	out = number_pack(best, f, ROUND_NEAREST, false);
	return HAS(i, xorsign) ? (out & ~sign_bit) | sign : out;
}

/* Each half of a pair, or the whole. */
static u64 each(const struct inst *i, enum type t, const u64 *v, int n,
		u64 (*once)(const struct inst *, const u64 *, int, const struct format *))
{
	int half = BITS(t) / 2;
	u64 low[4], high[4];

	if (CLASS(t) != 'h')
		return once(i, v, n, FORMAT(t));
	for (int k = 0; k < n; k++) {
		low[k] = cut(v[k], half);
		high[k] = cut(v[k] >> half, half);
	}
	return once(i, low, n, FORMAT(t)) | once(i, high, n, FORMAT(t)) << half;
}

static u64 plus_once(const struct inst *i, const u64 *v, int n, const struct format *f)
{
	(void)n;
	return arithmetic_once(i,
			       i->op == W_add	? A_ADD
			       : i->op == W_sub ? A_SUB
			       : i->op == W_mul ? A_MUL
						: A_FMA,
			       v[0], v[1], v[2], f);
}

static u64 sign_once(const struct inst *i, const u64 *v, int n, const struct format *f)
{
	u64 bit = 1ULL << (f->exponent + f->mantissa), x = HAS(i, ftz) ? flushed(*v, f) : *v;

	(void)n;
	x = i->op == W_neg ? x ^ bit : x & ~bit;
	return HAS(i, ftz) && is_nan(x, f) ? f->nan : x;
}

static bool holds(const struct inst *i, int c)
{
	if (HAS(i, num) || HAS(i, nan))
		return HAS(i, num) == (c != 2);
	if (c == 2)
		return HAS(i, equ) || HAS(i, neu) || HAS(i, ltu) || HAS(i, leu) || HAS(i, gtu) || HAS(i, geu);
	if (HAS(i, eq) || HAS(i, equ))
		return c == 0;
	if (HAS(i, ne) || HAS(i, neu))
		return c != 0;
	if (HAS(i, lt) || HAS(i, ltu) || HAS(i, lo))
		return c < 0;
	if (HAS(i, le) || HAS(i, leu) || HAS(i, ls))
		return c <= 0;
	if (HAS(i, gt) || HAS(i, gtu) || HAS(i, hi))
		return c > 0;
	return c >= 0;
}

/* A compare of one pair of values. */
static bool compare(const struct inst *i, u64 a, u64 b, enum type t)
{
	__int128 x, y;

	if (FORMAT(t)) {
		if (HAS(i, ftz)) {
			a = flushed(a, FORMAT(t));
			b = flushed(b, FORMAT(t));
		}
		return holds(i, number_compare(number_unpack(a, FORMAT(t)), number_unpack(b, FORMAT(t))));
	}
	x = value_of(a, t);
	y = value_of(b, t);
	return holds(i, x < y ? -1 : x > y);
}

/* --- instructions of one lane --- */

enum lane_state { RUNS, AT_BARRIER, AT_WARP, OVER };

struct lane {
	u64 *reg;
	int pc;
	enum lane_state state;
	bool carry;
	u8 *local;
	u32 tid[3], number;
	u64 done;
};

struct cta {
	const struct lane_program *p;
	struct lane_launch *l;
	const struct entry *entry;
	struct lane *lane;
	u32 lanes, id[3];
	u8 *shared;
	u32 arrived[16];
};

/* Windows of generic addresses; global memory is everything else. */
#define SHARED_AT (1ULL << 40)
#define LOCAL_AT (2ULL << 40)
#define CONST_AT (3ULL << 40)
#define PARAM_AT (4ULL << 40)
#define IN_WINDOW(a, w) ((a) >> 40 == (w) >> 40)

static u64 special_value(const struct cta *c, const struct lane *l, u64 which)
{
	u32 lane = l->number % 32, bit = 1u << lane;

	switch (which) {
	case 0:
	case 1:
	case 2: return l->tid[which];
	case 3:
	case 4:
	case 5: return c->l->block[which - 3];
	case 6:
	case 7:
	case 8: return c->id[which - 6];
	case 9:
	case 10:
	case 11: return c->l->grid[which - 9];
	case 12: return lane;
	case 13: return bit;
	case 14: return bit | (bit - 1);
	case 15: return bit - 1;
	case 16: return ~(bit - 1);
	case 17: return ~(bit | (bit - 1));
	case 18: return l->number / 32;
	default: return 32;
	}
}

static u64 get(const struct cta *c, const struct lane *l, const struct inst *i, int n)
{
	const struct operand *o = &i->o[n];

	switch (o->kind) {
	case O_REG: return o->negate ? !l->reg[o->reg] : l->reg[o->reg];
	case O_IMM: return o->value;
	case O_SPECIAL: return special_value(c, l, o->value);
	case O_SYMBOL: return c->p->symbol[o->symbol].address;
	default: fail("line %d: operand %d is not a value", i->line, n);
	}
}

static void put_reg(const struct cta *c, struct lane *l, int reg, u64 v)
{
	l->reg[reg] = cut(v, c->p->reg_bits[reg]);
}

static void put(const struct cta *c, struct lane *l, const struct inst *i, u64 v)
{
	if (i->o[0].kind == O_REG)
		put_reg(c, l, i->o[0].reg, v);
	else if (i->o[0].kind != O_NONE)
		fail("line %d: the destination is not a register", i->line);
}

static u8 *place(const struct cta *c, const struct lane *l, const struct inst *i, enum space space, bool generic, u64 a,
		 u64 bytes)
{
	u64 most, base = 0;
	u8 *memory;

	if (generic) {
		space = IN_WINDOW(a, SHARED_AT)	 ? IN_SHARED
			: IN_WINDOW(a, LOCAL_AT) ? IN_LOCAL
			: IN_WINDOW(a, CONST_AT) ? IN_CONST
						 : IN_GLOBAL;
		base = space == IN_SHARED ? SHARED_AT : space == IN_LOCAL ? LOCAL_AT : space == IN_CONST ? CONST_AT : 0;
	}
	if (space == IN_GLOBAL)
		base = c->l->base;
	memory = space == IN_GLOBAL   ? c->l->memory
		 : space == IN_SHARED ? c->shared
		 : space == IN_LOCAL  ? l->local
				      : c->p->constant;
	most = space == IN_GLOBAL   ? c->l->bytes
	       : space == IN_SHARED ? c->entry->shared
	       : space == IN_LOCAL  ? c->entry->local
				    : c->p->constants;
	if (a - base > most || most - (a - base) < bytes || a % bytes)
		fail("line %d: address %llx", i->line, (unsigned long long)a);
	return memory + (a - base);
}

static enum space space_of(const struct inst *i, bool *generic)
{
	*generic = false;
	if (HAS(i, global))
		return IN_GLOBAL;
	if (HAS(i, shared))
		return IN_SHARED;
	if (HAS(i, local))
		return IN_LOCAL;
	if (HAS(i, const))
		return IN_CONST;
	if (HAS(i, param))
		return IN_PARAM;
	*generic = true;
	return IN_GLOBAL;
}

static u64 address_of(const struct cta *c, const struct lane *l, const struct operand *o)
{
	return (o->reg >= 0 ? l->reg[o->reg] : o->symbol >= 0 ? c->p->symbol[o->symbol].address : 0) + o->value;
}

static void load_store(const struct cta *c, struct lane *l, const struct inst *i)
{
	bool generic, load = i->op == W_ld;
	enum space space = space_of(i, &generic);
	enum type t = i->type[0];
	const struct operand *address = &i->o[load], *value = &i->o[!load];
	u64 a = address_of(c, l, address), bytes = (u64)BITS(t) / 8;
	int n = HAS(i, v4) ? 4 : HAS(i, v2) ? 2 : 1;
	u8 *memory;

	if (space == IN_PARAM) {
		if (a % 8 || a / 8 >= c->l->arguments)
			fail("line %d: no such parameter", i->line);
		put(c, l, i,
		    CLASS(t) == 's' ? (u64)extend(c->l->argument[a / 8], BITS(t))
				    : cut(c->l->argument[a / 8], BITS(t)));
		return;
	}
	memory = place(c, l, i, space, generic, a, bytes * (u64)n);
	if (value->kind == O_VECTOR && value->pieces != n)
		fail("line %d: %d registers", i->line, n);
	for (int k = 0; k < n; k++, memory += bytes) {
		u64 v = 0;

		if (load) {
			memcpy(&v, memory, bytes);
			v = CLASS(t) == 's' ? (u64)extend(v, BITS(t)) : v;
			put_reg(c, l, value->kind == O_VECTOR ? value->piece[k] : value->reg, v);
		} else {
			v = value->kind == O_VECTOR ? l->reg[value->piece[k]] : get(c, l, i, 1);
			memcpy(memory, &v, bytes);
		}
	}
}

/* What an atomic leaves. */
static u64 atomic_new(const struct inst *i, enum space space, u64 old, u64 b, u64 cc)
{
	enum type t = i->type[0];
	int bits = BITS(t);
	struct inst once = {.op = W_add};

	if (HAS(i, exch))
		return b;
	if (HAS(i, cas))
		return cut(old, bits) == cut(b, bits) ? cc : old;
	if (HAS(i, and))
		return old & b;
	if (HAS(i, or))
		return old | b;
	if (HAS(i, xor))
		return old ^ b;
	if (HAS(i, inc))
		return old >= cut(b, 32) ? 0 : old + 1;
	if (HAS(i, dec))
		return old == 0 || old > cut(b, 32) ? cut(b, 32) : old - 1;
	if (HAS(i, min) || HAS(i, max)) {
		__int128 x = value_of(old, t), y = value_of(b, t);

		return (x < y) == (HAS(i, min) != 0) ? old : b;
	}
	if (!FORMAT(t))
		return old + b;
	/* Sums of f32 in global memory flush what is denormal; those in shared memory do not. */
	if (t == T_f32 && space == IN_GLOBAL)
		once.has[W_ftz / 64] |= 1ULL << W_ftz % 64;
	return each(&once, t, (u64[]){old, b, 0}, 3, plus_once);
}

static void atomic(const struct cta *c, struct lane *l, const struct inst *i)
{
	bool generic, returns = i->op == W_atom;
	enum space space = space_of(i, &generic);
	u64 bytes = (u64)BITS(i->type[0]) / 8, old = 0, now;
	u64 a = address_of(c, l, &i->o[returns]);
	u8 *memory = place(c, l, i, space, generic, a, bytes);

	memcpy(&old, memory, bytes);
	if (generic)
		space = IN_WINDOW(a, SHARED_AT) ? IN_SHARED : IN_GLOBAL;
	now = atomic_new(i, space, old, get(c, l, i, 1 + returns), HAS(i, cas) ? get(c, l, i, 3) : 0);
	memcpy(memory, &now, bytes);
	if (returns)
		put(c, l, i, CLASS(i->type[0]) == 's' ? (u64)extend(old, BITS(i->type[0])) : old);
}

static u64 bits_mask(u32 a, u32 b, bool clamp)
{
	u32 a1 = a & 31, b1 = b & 31, sum = a1 + b1, mask0 = ~0u << a1, mask1 = sum < 32 ? ~0u << sum : 0;

	if (clamp && a >= 32)
		mask0 = 0;
	if (clamp && b >= 32)
		mask1 = 0;
	return mask0 & ~mask1;
}

static u64 prmt(const struct inst *i, u32 a, u32 b, u32 c)
{
	static const u32 f4e[] = {0x3210, 0x4321, 0x5432, 0x6543}, b4e[] = {0x5670, 0x6701, 0x7012, 0x0123},
			 rc8[] = {0x0000, 0x1111, 0x2222, 0x3333}, ecl[] = {0x3210, 0x3211, 0x3222, 0x3333},
			 ecr[] = {0x0000, 0x1110, 0x2210, 0x3210}, rc16[] = {0x1010, 0x3232, 0x1010, 0x3232};
	u64 all = a | (u64)b << 32, out = 0;

	c = HAS(i, f4e)	   ? f4e[c & 3]
	    : HAS(i, b4e)  ? b4e[c & 3]
	    : HAS(i, rc8)  ? rc8[c & 3]
	    : HAS(i, ecl)  ? ecl[c & 3]
	    : HAS(i, ecr)  ? ecr[c & 3]
	    : HAS(i, rc16) ? rc16[c & 3]
			   : c;
	for (int k = 0; k < 4; k++) {
		u32 select = c >> 4 * k & 15;
		u64 byte = all >> 8 * (select & 7) & 255;

		out |= (select & 8 ? (byte & 128 ? 255 : 0) : byte) << 8 * k;
	}
	return out;
}

static u64 find_nth(u32 mask, u32 base, i32 offset)
{
	i32 count, step = offset > 0 ? 1 : -1;

	if (!offset)
		return base < 32 && mask >> base & 1 ? base : 0xffffffff;
	count = (offset > 0 ? offset : -offset) - 1;
	for (i64 at = base; at >= 0 && at < 32; at += step)
		if (mask >> at & 1 && !count--)
			return (u64)at;
	return 0xffffffff;
}

static u64 bit_field(const struct inst *i, u64 a, u32 b, u32 c)
{
	enum type t = i->type[0];
	u32 msb = (u32)BITS(t) - 1, pos = b & 255, len = c & 255;
	u64 sign = CLASS(t) == 'u' || !len ? 0 : a >> (pos + len - 1 < msb ? pos + len - 1 : msb) & 1, d = 0;

	for (u32 k = 0; k <= msb; k++)
		d |= (k < len && pos + k <= msb ? a >> (pos + k) & 1 : sign) << k;
	return d;
}

static u64 field_insert(int bits, u64 a, u64 b, u32 c, u32 d)
{
	u32 pos = c & 255, len = d & 255;

	for (u32 k = 0; k < len && pos + k < (u32)bits; k++)
		b = (b & ~(1ULL << (pos + k))) | (a >> k & 1) << (pos + k);
	return b;
}

static u64 find_bit(const struct inst *i, u64 a)
{
	enum type t = i->type[0];

	a = CLASS(t) == 's' && extend(a, BITS(t)) < 0 ? cut(~a, BITS(t)) : cut(a, BITS(t));
	for (int k = BITS(t) - 1; k >= 0; k--)
		if (a >> k & 1)
			return (u64)(HAS(i, shiftamt) ? BITS(t) - 1 - k : k);
	return 0xffffffff;
}

/* dp4a, dp2a: types of a, of b. */
static u64 dot(const struct inst *i, u32 a, u32 b, u32 c)
{
	bool four = i->op == W_dp4a;
	int width = four ? 8 : 16, from = HAS(i, hi) ? 2 : 0;

	for (int k = 0; k < (four ? 4 : 2); k++) {
		u64 x = cut(a >> k * width, width), y = cut(b >> 8 * (k + from), 8);

		c += (u32)((CLASS(i->type[0]) == 's' ? extend(x, width) : (i64)x) *
			   (CLASS(i->type[1]) == 's' ? extend(y, 8) : (i64)y));
	}
	return c;
}

static u64 funnel(const struct inst *i, u32 a, u32 b, u32 c)
{
	u64 both = (u64)b << 32 | a;
	u32 n = HAS(i, wrap) ? c & 31 : c < 32 ? c : 32;

	return HAS(i, l) ? (u32)(both << n >> 32) : (u32)(both >> n);
}

static u64 narrow_pair(const struct inst *i, enum type t, u64 high, u64 low, const struct format *from)
{
	const struct format *f = FORMAT(t);
	int width = t == T_e2m1x2 ? 4 : 8;
	u64 out[2], in[2] = {low, high};

	for (int k = 0; k < 2; k++) {
		struct number x = number_unpack(in[k], from);

		if (t == T_ue8m0x2) {
			/* A power of two, 2^(e - 127); the sign is not looked at. */
			x.minus = false;
			if (x.kind == NUMBER_NAN) {
				out[k] = 255;
			} else if (x.kind == NUMBER_INFINITE) {
				out[k] = HAS(i, satfinite) ? 254 : 255;
			} else if (x.kind == NUMBER_ZERO) {
				out[k] = 0;
			} else {
				int e = x.exponent - 1;
				wide s = x.significand;

				for (; s; s >>= 1)
					e++;
				if (HAS(i, rp) && x.significand & (x.significand - 1))
					e++;
				out[k] = e + 127 < 0	 ? 0
					 : e + 127 > 254 ? (HAS(i, satfinite) ? 254 : 255)
							 : (u64)(e + 127);
			}
			continue;
		}
		if (x.kind == NUMBER_NAN)
			out[k] = f->nan;
		else if (HAS(i, relu) && x.minus)
			out[k] = 0;
		else
			out[k] = number_pack(x, f, ROUND_NEAREST, true);
	}
	return out[0] | out[1] << width;
}

static u64 relu_of(u64 v, const struct format *f)
{
	return is_nan(v, f) ? f->nan : v >> (f->exponent + f->mantissa) & 1 ? 0 : v;
}

static u64 float_to_float(const struct inst *i, u64 a, enum type d, enum type s)
{
	const struct format *f = FORMAT(d), *from = FORMAT(s);
	struct number x;
	u64 v;

	if (HAS(i, ftz) && s == T_f32)
		a = flushed(a, from);
	x = number_unpack(a, from);
	if (d == s && !HAS(i, rni) && !HAS(i, rzi) && !HAS(i, rmi) && !HAS(i, rpi)) {
		v = x.kind == NUMBER_NAN && HAS(i, ftz) ? f->nan : a;
	} else if (d == T_tf32) {
		v = number_pack(x, f, rounding_of(i), HAS(i, satfinite)) << 13;
		v = x.kind == NUMBER_NAN ? 0x7fffffff : HAS(i, relu) && v >> 31 ? 0 : v;
		return v;
	} else {
		if (d == s)
			x = number_whole(x, rounding_of(i));
		v = number_pack(x, f, rounding_of(i), HAS(i, satfinite));
	}
	if (HAS(i, ftz) && d == T_f32)
		v = x.kind == NUMBER_FINITE && number_below(x, f, rounding_of(i)) ? v & 0x80000000 : flushed(v, f);
	if (HAS(i, sat))
		v = unit(v, f);
	if (HAS(i, relu))
		v = relu_of(v, f);
	return v;
}

static u64 to_narrow(const struct inst *i, const u64 *v)
{
	enum type d = i->type[0], s = i->type[1];

	if (CLASS(s) == 'h') /* from two halves */
		return narrow_pair(i, d, v[0] >> 16, cut(v[0], 16), FORMAT(s));
	return narrow_pair(i, d, v[0], v[1], FORMAT(s));
}

static u64 from_narrow(const struct inst *i, u64 v)
{
	enum type d = i->type[0], s = i->type[1];
	int width = s == T_e2m1x2 ? 4 : 8;
	u64 out = 0;

	for (int k = 0; k < 2; k++) {
		u64 part = cut(v >> width * k, s == T_e2m3x2 || s == T_e3m2x2 ? 6 : width), h;

		if (s == T_ue8m0x2)
			h = number_pack(
				(struct number){part == 255 ? NUMBER_NAN : NUMBER_FINITE, false, 1, (int)part - 127},
				FORMAT(d), ROUND_NEAREST, false);
		else
			h = number_pack(number_unpack(part, FORMAT(s)), FORMAT(d), ROUND_NEAREST, false);
		out |= (HAS(i, relu) ? relu_of(h, FORMAT(d)) : h) << 16 * k;
	}
	return out;
}

static u64 convert(const struct inst *i, const u64 *v)
{
	enum type d = i->type[0], s = i->type[1];
	u64 a = cut(v[0], BITS(s));

	if (HAS(i, pack)) {
		u64 high = cut(clamp_int(extend(v[0], 32), d), BITS(d)),
		    low = cut(clamp_int(extend(v[1], 32), d), BITS(d));

		return i->types == 3 ? v[2] << 2 * BITS(d) | high << BITS(d) | low : high << 16 | low;
	}
	if (CLASS(d) == 'n' && d != T_tf32)
		return to_narrow(i, v);
	if (CLASS(s) == 'n')
		return from_narrow(i, v[0]);
	if (CLASS(d) == 'h') {
		enum type one = d == T_f16x2 ? T_f16 : T_bf16;

		return float_to_float(i, v[0], one, s) << 16 | float_to_float(i, v[1], one, s);
	}
	if (FORMAT(d) && FORMAT(s))
		return float_to_float(i, a, d, s);
	if (FORMAT(s)) {
		/* From a number to an integer. */
		u64 of_nan = s == T_f64 || BITS(d) == 64 ? 1ULL << (BITS(d) - 1) : 0;

		if (HAS(i, ftz))
			a = flushed(a, FORMAT(s));
		a = number_to_int(number_unpack(a, FORMAT(s)), BITS(d), CLASS(d) == 's', rounding_of(i), of_nan);
		return CLASS(d) == 's' ? (u64)extend(a, BITS(d)) : cut(a, BITS(d));
	}
	if (FORMAT(d)) {
		__int128 x = value_of(a, s);

		a = number_pack(number_of_int(x < 0 ? (wide)-x : (wide)x, x < 0), FORMAT(d), rounding_of(i), false);
		return HAS(i, sat) ? unit(a, FORMAT(d)) : a;
	}
	/* Between integers: widened from the source's type, cut to the destination's. */
	a = HAS(i, sat) ? clamp_int(value_of(a, s), d) : (u64)value_of(a, s);
	return CLASS(d) == 's' ? (u64)extend(a, BITS(d)) : cut(a, BITS(d));
}

/* Approximations: in double. */
static double near_double(const struct inst *i, double x, double y)
{
	switch (i->op) {
	case W_sin: return sin(x);
	case W_cos: return cos(x);
	case W_ex2: return exp2(x);
	case W_lg2: return log2(x);
	case W_tanh: return tanh(x);
	case W_rsqrt: return 1 / sqrt(x);
	case W_sqrt: return sqrt(x);
	case W_rcp: return 1 / x;
	default: return x / y;
	}
}

static u64 near_once(const struct inst *i, const u64 *v, int n, const struct format *f)
{
	u64 upper = f == &format_f64 && HAS(i, ftz) ? v[0] >> 32 << 32 : v[0];
	struct number x = number_unpack(HAS(i, ftz) ? flushed(upper, f) : upper, f),
		      y = number_unpack(HAS(i, ftz) ? flushed(v[1], f) : v[1], f);
	double d = near_double(i, as_double(number_pack(x, &format_f64, ROUND_NEAREST, false)),
			       as_double(number_pack(y, &format_f64, ROUND_NEAREST, false)));
	u64 out;

	(void)n;
	/* Approximations of doubles with .ftz look at upper words alone, and give them; their NaN is one of its own. */
	if (f == &format_f64)
		return !HAS(i, ftz) ? of_double(d) : d != d ? 0x7fffffff00000000 : flushed(of_double(d) >> 32 << 32, f);
	/* Beyond 2^126 a divisor makes zero, of infinity NaN. */
	if (i->op == W_div && HAS(i, approx) && (v[1] & 0x7fffffff) > 0x7e800000 && (v[1] & 0x7fffffff) < 0x7f800000)
		return x.kind >= NUMBER_INFINITE ? f->nan : (v[0] ^ v[1]) & 0x80000000;
	out = number_pack(number_unpack(of_double(d), &format_f64), f, ROUND_NEAREST, false);
	return HAS(i, ftz) ? flushed(out, f) : out;
}

static u64 carry_add(struct lane *l, const struct inst *i, u64 a, u64 b, bool in, bool minus)
{
	int bits = BITS(i->type[0]);
	wide x = cut(a, bits), y = cut(b, bits);
	wide sum = minus ? x - y - in : x + y + in;

	if (HAS(i, cc))
		l->carry = sum >> bits & 1;
	return cut((u64)sum, bits);
}

static u64 multiply(const struct inst *i, enum type t, u64 a, u64 b)
{
	__int128 x = value_of(a, t), y = value_of(b, t);
	wide product = (wide)x * (wide)y;

	if (BITS(t) == 64 && HAS(i, hi)) {
		/* The upper half of 128 bits. */
		return CLASS(t) == 's' ? (u64)((x * y) >> 64) : (u64)(((wide)x * (wide)y) >> 64);
	}
	return HAS(i, hi)     ? cut((u64)(product >> BITS(t)), BITS(t))
	       : HAS(i, wide) ? (u64)product
			      : cut((u64)product, BITS(t));
}

static u64 multiply_24(const struct inst *i, u64 a, u64 b)
{
	bool sign = CLASS(i->type[0]) == 's';
	i64 x = sign ? extend(cut(a, 24), 24) : (i64)cut(a, 24), y = sign ? extend(cut(b, 24), 24) : (i64)cut(b, 24);

	return HAS(i, hi) ? cut((u64)(x * y >> 16), 32) : cut((u64)(x * y), 32);
}

static u64 divide(const struct inst *i, u64 a, u64 b)
{
	enum type t = i->type[0];
	__int128 x = value_of(a, t), y = value_of(b, t);

	if (!y) /* unspecified by the ISA; as GPUs do it */
		return ~0ULL;
	return (u64)(i->op == W_div ? x / y : x % y);
}

static u64 least_most(const struct inst *i, u64 a, u64 b, enum type t)
{
	__int128 x = value_of(a, t), y = value_of(b, t), v = (x < y) == (i->op == W_min) ? x : y;

	return HAS(i, relu) && v < 0 ? 0 : (u64)v;
}

/* Two integers of 16 bits. */
static u64 pairs(const struct inst *i, u64 a, u64 b, enum type t)
{
	enum type one = CLASS(t) == 'j' ? T_s16 : T_u16;
	u64 low, high;

	if (i->op == W_add)
		return cut(a + b, 16) | cut((a >> 16) + (b >> 16), 16) << 16;
	low = least_most(i, cut(a, 16), cut(b, 16), one);
	high = least_most(i, cut(a >> 16, 16), cut(b >> 16, 16), one);
	return cut(low, 16) | cut(high, 16) << 16;
}

static u64 set_value(const struct inst *i, bool holds_low, bool holds_high)
{
	enum type d = i->type[0];

	if (CLASS(i->type[1]) == 'h') {
		u64 one = FORMAT(d) ? (u64)FORMAT(d)->bias << FORMAT(d)->mantissa : 0xffff;

		return (holds_low ? one : 0) | (holds_high ? one : 0) << 16;
	}
	if (!holds_low)
		return 0;
	return FORMAT(d) ? (u64)FORMAT(d)->bias << FORMAT(d)->mantissa : 0xffffffff;
}

static bool with_bool(const struct inst *i, bool a, bool p)
{
	return HAS(i, and) ? a && p : HAS(i, or) ? a || p : HAS(i, xor) ? a != p : a;
}

static void compare_set(const struct cta *c, struct lane *l, const struct inst *i, const u64 *v)
{
	enum type t = i->type[i->types - 1];
	bool more = HAS(i, and) || HAS(i, or) || HAS(i, xor), p = more && v[2], first, second;

	if (CLASS(t) == 'h') {
		first = compare(i, cut(v[0], 16), cut(v[1], 16), t);
		second = compare(i, cut(v[0] >> 16, 16), cut(v[1] >> 16, 16), t);
		if (i->op == W_set) {
			put(c, l, i, set_value(i, with_bool(i, first, p), with_bool(i, second, p)));
			return;
		}
		put(c, l, i, with_bool(i, first, p));
		put_reg(c, l, i->o[0].pair, with_bool(i, second, p));
		return;
	}
	first = compare(i, cut(v[0], BITS(t)), cut(v[1], BITS(t)), t);
	if (i->op == W_set) {
		put(c, l, i, set_value(i, with_bool(i, first, p), false));
		return;
	}
	put(c, l, i, with_bool(i, first, p));
	if (i->o[0].pair >= 0)
		put_reg(c, l, i->o[0].pair, with_bool(i, !first, p));
}

static bool test_number(const struct inst *i, u64 a)
{
	const struct format *f = FORMAT(i->type[0]);
	struct number x = number_unpack(a, f);
	u64 top = ((1ULL << f->exponent) - 1) << f->mantissa;

	if (HAS(i, finite))
		return x.kind <= NUMBER_FINITE;
	if (HAS(i, infinite))
		return x.kind == NUMBER_INFINITE;
	if (HAS(i, number))
		return x.kind != NUMBER_NAN;
	if (HAS(i, notanumber))
		return x.kind == NUMBER_NAN;
	/* Zeros are normal. */
	return x.kind == NUMBER_ZERO ? HAS(i, normal) : x.kind == NUMBER_FINITE && ((a & top) != 0) == HAS(i, normal);
}

static void move(const struct cta *c, struct lane *l, const struct inst *i)
{
	u64 v = 0;

	if (i->o[1].kind == O_VECTOR) {
		int bits = BITS(i->type[0]) / i->o[1].pieces;

		for (int k = 0; k < i->o[1].pieces; k++)
			v |= cut(l->reg[i->o[1].piece[k]], bits) << bits * k;
		put(c, l, i, v);
		return;
	}
	v = get(c, l, i, 1);
	if (i->o[0].kind == O_VECTOR) {
		int bits = BITS(i->type[0]) / i->o[0].pieces;

		for (int k = 0; k < i->o[0].pieces; k++)
			put_reg(c, l, i->o[0].piece[k], cut(v >> bits * k, bits));
		return;
	}
	put(c, l, i, v);
}

static void address_convert(const struct cta *c, struct lane *l, const struct inst *i)
{
	u64 window = HAS(i, shared)  ? SHARED_AT
		     : HAS(i, local) ? LOCAL_AT
		     : HAS(i, const) ? CONST_AT
		     : HAS(i, param) ? PARAM_AT
				     : 0,
	    v;

	v = get(c, l, i, 1);
	if (i->op == W_isspacep)
		put(c, l, i, window ? IN_WINDOW(v, window) : v >= PARAM_AT + (1ULL << 40));
	else
		put(c, l, i, HAS(i, to) ? v - window : v + window);
}

static u64 integer(const struct cta *c, struct lane *l, const struct inst *i, const u64 *v)
{
	enum type t = i->type[0];
	int bits = BITS(t);
	u64 a = v[0], b = v[1];

	(void)c;
	switch (i->op) {
	case W_add:
	case W_sub:
		if (HAS(i, sat)) {
			__int128 x = value_of(a, t), y = value_of(b, t);

			return clamp_int(i->op == W_add ? x + y : x - y, t);
		}
		return carry_add(l, i, a, b, false, i->op == W_sub);
	case W_addc: return carry_add(l, i, a, b, l->carry, false);
	case W_subc: return carry_add(l, i, a, b, l->carry, true);
	case W_mul: return multiply(i, t, a, b);
	case W_mad:
	case W_madc: {
		u64 product = multiply(i, t, a, b);

		if (HAS(i, sat))
			return clamp_int((__int128)extend(product, 32) + extend(v[2], 32), T_s32);
		if (HAS(i, wide))
			return product + v[2];
		return carry_add(l, i, product, v[2], i->op == W_madc && l->carry, false);
	}
	case W_mul24: return multiply_24(i, a, b);
	case W_mad24:
		if (HAS(i, sat))
			return clamp_int((__int128)extend(multiply_24(i, a, b), 32) + extend(v[2], 32), T_s32);
		return multiply_24(i, a, b) + v[2];
	case W_sad:
		return (u64)(value_of(a, t) < value_of(b, t) ? value_of(b, t) - value_of(a, t)
							     : value_of(a, t) - value_of(b, t)) +
		       v[2];
	case W_div:
	case W_rem: return divide(i, a, b);
	case W_abs: return (u64)(value_of(a, t) < 0 ? -value_of(a, t) : value_of(a, t));
	case W_neg: return -a;
	case W_min:
	case W_max: return least_most(i, a, b, t);
	case W_and: return a & b;
	case W_or: return a | b;
	case W_xor: return a ^ b;
	case W_not: return bits == 1 ? !a : ~a;
	case W_cnot: return cut(a, bits) == 0;
	case W_shl: return cut(b, 32) >= (u64)bits ? 0 : a << cut(b, 32);
	case W_shr: b = cut(b, 32) > (u64)bits ? (u64)bits : cut(b, 32); return (u64)(value_of(a, t) >> b);
	case W_shf: return funnel(i, (u32)a, (u32)b, (u32)v[2]);
	case W_lop3: {
		u64 out = 0;

		for (int k = 0; k < 32; k++)
			out |= (v[3] >> ((a >> k & 1) << 2 | (b >> k & 1) << 1 | (v[2] >> k & 1)) & 1) << k;
		return out;
	}
	case W_popc: return (u64)__builtin_popcountll(cut(a, bits));
	case W_clz: return (u64)(cut(a, bits) ? __builtin_clzll(cut(a, bits)) - (64 - bits) : bits);
	case W_brev: {
		u64 out = 0;

		for (int k = 0; k < bits; k++)
			out |= (a >> k & 1) << (bits - 1 - k);
		return out;
	}
	case W_bfind: return find_bit(i, a);
	case W_bfe: return bit_field(i, a, (u32)b, (u32)v[2]);
	case W_bfi: return field_insert(bits, a, b, (u32)v[2], (u32)v[3]);
	case W_fns: return find_nth((u32)a, (u32)b, (i32)v[2]);
	case W_bmsk: return bits_mask((u32)a, (u32)b, HAS(i, clamp));
	case W_prmt: return prmt(i, (u32)a, (u32)b, (u32)v[2]);
	case W_szext: {
		bool large = HAS(i, clamp) && cut(b, 32) >= 32;
		u32 b1 = b & 31, mask = large ? 0 : ~0u << b1;
		bool sign = b1 && !large && t == T_s32 && a >> (b1 - 1) & 1;

		return (a & ~mask) | (sign ? mask : 0);
	}
	case W_dp4a:
	case W_dp2a: return dot(i, (u32)a, (u32)b, (u32)v[2]);
	default: fail("line %d: no such instruction of integers", i->line);
	}
}

/* A half in a sum of floats: the last type is that of the halves. */
static u64 mixed(const struct inst *i, const u64 *v)
{
	u64 x[3] = {v[0], v[1], v[2]};
	int halves = i->op == W_fma ? 2 : 1;

	for (int k = 0; k < halves; k++)
		x[k] = number_pack(number_unpack(v[k], FORMAT(i->type[1])), &format_f32, ROUND_NEAREST, false);
	return plus_once(i, x, 3, &format_f32);
}

static u64 real(const struct inst *i, const u64 *v, int n)
{
	enum type t = i->type[0];

	if (i->types == 2 && i->type[1] != t)
		return mixed(i, v);
	switch (i->op) {
	case W_add:
	case W_sub:
	case W_mul:
	case W_fma:
	case W_mad: return each(i, t, v, 3, plus_once);
	case W_abs:
	case W_neg: return each(i, t, v, 1, sign_once);
	case W_min:
	case W_max: return each(i, t, v, n, extreme_once);
	case W_copysign: return (v[0] & 1ULL << (BITS(t) - 1)) | (v[1] & ~(1ULL << (BITS(t) - 1)));
	case W_div:
	case W_rcp:
	case W_sqrt:
		if (HAS(i, approx) || HAS(i, full))
			return each(i, t, v, n, near_once);
		if (i->op == W_rcp)
			return arithmetic_once(i, A_DIV, (u64)FORMAT(t)->bias << FORMAT(t)->mantissa, v[0], 0,
					       FORMAT(t));
		return arithmetic_once(i, i->op == W_div ? A_DIV : A_SQRT, v[0], v[1], 0, FORMAT(t));
	default: return each(i, t, v, n, near_once);
	}
}

static u64 choose(const struct inst *i, const u64 *v)
{
	struct number x;

	if (i->op == W_selp)
		return v[2] ? v[0] : v[1];
	if (i->type[1] == T_s32)
		return extend(v[2], 32) >= 0 ? v[0] : v[1];
	x = number_unpack(HAS(i, ftz) ? flushed(cut(v[2], 32), &format_f32) : cut(v[2], 32), &format_f32);
	return x.kind == NUMBER_NAN || (x.minus && x.kind != NUMBER_ZERO) ? v[1] : v[0];
}

/* One instruction that concerns this lane alone. */
static void alone(const struct cta *c, struct lane *l, const struct inst *i)
{
	u64 v[8] = {0};

	switch (i->op) {
	case W_ld:
	case W_st: load_store(c, l, i); return;
	case W_atom:
	case W_red: atomic(c, l, i); return;
	case W_mov: move(c, l, i); return;
	case W_cvta:
	case W_isspacep: address_convert(c, l, i); return;
	case W_membar:
	case W_fence:
	case W_nanosleep: return;
	default: break;
	}
	for (int k = 1; k < i->operands; k++)
		v[k - 1] = get(c, l, i, k);
	if (i->op != W_cvt && i->op != W_setp && i->op != W_set && BITS(i->type[0]) < 64 && CLASS(i->type[0]) != 'p' &&
	    !HAS(i, wide) && i->op != W_selp && i->op != W_slct)
		for (int k = 0; k < (i->op == W_shl || i->op == W_shr ? 1 : 2); k++)
			v[k] = i->types == 2 && FORMAT(i->type[0]) ? v[k] : cut(v[k], BITS(i->type[0]));
	switch (i->op) {
	case W_setp:
	case W_set: compare_set(c, l, i, v); return;
	case W_selp:
	case W_slct: put(c, l, i, choose(i, v)); return;
	case W_testp: put(c, l, i, test_number(i, v[0])); return;
	case W_cvt: put(c, l, i, convert(i, v)); return;
	default: break;
	}
	if (CLASS(i->type[0]) == 'i' || CLASS(i->type[0]) == 'j')
		put(c, l, i, pairs(i, v[0], v[1], i->type[0]));
	else if (FORMAT(i->type[0]))
		put(c, l, i, real(i, v, i->operands - 1));
	else
		put(c, l, i, integer(c, l, i, v));
}

/* --- between lanes --- */

static u32 barrier_id(const struct cta *c, const struct lane *l, const struct inst *i)
{
	/* red: behind the destination */
	int at = HAS(i, red);
	u64 id = i->operands > at ? get(c, l, i, at) : 0;

	if (id >= 16)
		fail("line %d: barrier %llu", i->line, (unsigned long long)id);
	return (u32)id;
}

/* How many lanes a barrier waits for: as told, or all that have not ended. */
static u32 barrier_count(const struct cta *c, const struct lane *l, const struct inst *i)
{
	int at = HAS(i, red) + 1, operands = i->operands - (HAS(i, red) ? 1 : 0);
	u32 live = 0;

	if (operands > at)
		return (u32)get(c, l, i, at);
	for (u32 k = 0; k < c->lanes; k++)
		live += c->lane[k].state != OVER;
	return live;
}

static bool barrier_release(struct cta *c, u32 id)
{
	u32 waiting = 0, needed = 0, holds_for = 0;
	const struct inst *red = NULL;

	for (u32 k = 0; k < c->lanes; k++) {
		struct lane *l = &c->lane[k];
		const struct inst *i = &c->p->inst[l->pc];

		if (l->state != AT_BARRIER || barrier_id(c, l, i) != id)
			continue;
		waiting++;
		needed = barrier_count(c, l, i);
		if (HAS(i, red)) {
			red = i;
			holds_for += get(c, l, i, i->operands - 1) != 0;
		}
	}
	if (!waiting || waiting + c->arrived[id] < needed)
		return false;
	c->arrived[id] = 0;
	for (u32 k = 0; k < c->lanes; k++) {
		struct lane *l = &c->lane[k];
		const struct inst *i = &c->p->inst[l->pc];

		if (l->state != AT_BARRIER || barrier_id(c, l, i) != id)
			continue;
		if (red)
			put(c, l, i, HAS(i, popc) ? holds_for : HAS(i, and) ? holds_for == waiting : holds_for > 0);
		l->pc++;
		l->state = RUNS;
	}
	return true;
}

static u32 member_mask(const struct cta *c, const struct lane *l, const struct inst *i)
{
	return i->op == W_bar || i->op == W_barrier ? (u32)get(c, l, i, 0) : (u32)get(c, l, i, i->operands - 1);
}

/* Where shfl reads, by the ISA's pseudo code. */
static bool shuffle_source(const struct inst *i, u32 lane, u32 b, u32 cc, u32 *from)
{
	u32 bval = b & 31, cval = cc & 31, mask = cc >> 8 & 31, most = (lane & mask) | (cval & ~mask & 31),
	    least = lane & mask;
	i32 j = HAS(i, up)     ? (i32)lane - (i32)bval
		: HAS(i, down) ? (i32)(lane + bval)
		: HAS(i, bfly) ? (i32)(lane ^ bval)
			       : (i32)(least | (bval & ~mask & 31));
	bool inside = HAS(i, up) ? j >= (i32)most : j <= (i32)most;

	*from = inside ? (u32)j : lane;
	return inside;
}

static void warp_result(struct cta *c, struct lane *warp, const struct inst *i, u32 mask, struct lane *l, const u64 *v)
{
	u32 lane = l->number % 32, ones = 0, same = 0;
	u64 mine = v[lane], all = 0;
	bool every = true, first = true;

	for (u32 k = 0; k < 32; k++) {
		__int128 x;

		if (!(mask >> k & 1))
			continue;
		ones |= v[k] ? 1u << k : 0;
		same |= v[k] == mine ? 1u << k : 0;
		every &= v[k] == mine;
		if (i->op != W_redux)
			continue;
		x = value_of(v[k], i->type[0]);
		if (first)
			all = (u64)x;
		else if (HAS(i, add))
			all += (u64)x;
		else if (HAS(i, and))
			all &= v[k];
		else if (HAS(i, or))
			all |= v[k];
		else if (HAS(i, xor))
			all ^= v[k];
		else if ((x < value_of(all, i->type[0])) == (HAS(i, min) != 0))
			all = (u64)x;
		first = false;
	}
	switch (i->op) {
	case W_vote:
		put(c, l, i, HAS(i, ballot) ? ones : HAS(i, all) ? ones == mask : HAS(i, any) ? ones != 0 : every);
		return;
	case W_match:
		put(c, l, i, HAS(i, any) ? same : every ? mask : 0);
		if (i->o[0].pair >= 0)
			put_reg(c, l, i->o[0].pair, every);
		return;
	case W_redux: put(c, l, i, all); return;
	case W_shfl: {
		u32 from;
		bool inside = shuffle_source(i, lane, (u32)get(c, l, i, 2), (u32)get(c, l, i, 3), &from);

		if (!(mask >> from & 1))
			fail("line %d: shfl from lane %u, which takes no part", i->line, from);
		put(c, l, i, v[from]);
		if (i->o[0].pair >= 0)
			put_reg(c, l, i->o[0].pair, inside);
		return;
	}
	default: (void)warp; return;
	}
}

/* Do all lanes that the mask of one names wait at its instruction? Then it happens for them. */
static bool warp_release(struct cta *c, struct lane *warp, u32 n, struct lane *l)
{
	const struct inst *i = &c->p->inst[l->pc];
	u32 mask = member_mask(c, l, i);
	u64 v[32] = {0};
	int pc = l->pc;

	if (!(mask >> l->number % 32 & 1))
		fail("line %d: a lane is not in its own mask", i->line);
	if (n < 32 && mask >> n)
		fail("line %d: the mask names lanes that are not there", i->line);
	for (u32 k = 0; k < n; k++) {
		if (!(mask >> k & 1))
			continue;
		if (warp[k].state == OVER)
			fail("line %d: the mask names a lane that has ended", i->line);
		if (warp[k].state != AT_WARP || warp[k].pc != pc || member_mask(c, &warp[k], i) != mask)
			return false;
	}
	for (u32 k = 0; k < n && i->op != W_bar && i->op != W_barrier; k++)
		if (mask >> k & 1)
			v[k] = get(c, &warp[k], i, 1);
	for (u32 k = 0; k < n; k++)
		if (mask >> k & 1) {
			warp_result(c, warp, i, mask, &warp[k], v);
			warp[k].pc++;
			warp[k].state = RUNS;
		}
	return true;
}

/* Until it waits or ends. */
static void lane_go(struct cta *c, struct lane *l)
{
	while (l->state == RUNS) {
		const struct inst *i = &c->p->inst[l->pc];

		if (l->pc >= c->entry->end) {
			l->state = OVER;
			return;
		}
		if (l->done++ > c->l->most)
			fail("a lane does not end");
		if (i->guard >= 0 && (l->reg[i->guard] != 0) == i->guard_not) {
			l->pc++;
			continue;
		}
		switch (i->op) {
		case W_bra: l->pc = (int)i->o[0].value; continue;
		case W_ret:
		case W_exit: l->state = OVER; continue;
		case W_bar:
		case W_barrier:
			if (HAS(i, warp)) {
				l->state = AT_WARP;
				continue;
			}
			if (HAS(i, arrive)) {
				c->arrived[barrier_id(c, l, i)]++;
				l->pc++;
				continue;
			}
			l->state = AT_BARRIER;
			continue;
		case W_shfl:
		case W_vote:
		case W_match:
		case W_redux: l->state = AT_WARP; continue;
		default: alone(c, l, i); l->pc++;
		}
	}
}

static void cta_go(struct cta *c)
{
	for (bool more = true; more;) {
		bool moved = false;

		more = false;
		for (u32 k = 0; k < c->lanes; k++)
			if (c->lane[k].state == RUNS) {
				lane_go(c, &c->lane[k]);
				moved = true;
			}
		for (u32 k = 0; k < c->lanes; k++)
			if (c->lane[k].state == AT_WARP)
				moved |= warp_release(c, &c->lane[k / 32 * 32],
						      c->lanes - k / 32 * 32 < 32 ? c->lanes - k / 32 * 32 : 32,
						      &c->lane[k]);
		for (u32 b = 0; b < 16; b++)
			moved |= barrier_release(c, b);
		for (u32 k = 0; k < c->lanes; k++)
			more |= c->lane[k].state != OVER;
		if (more && !moved)
			fail("all lanes wait");
	}
}

/* What a launch takes from the heap; given back on every way out. */
struct room {
	u8 *shared, *local;
	u64 *reg;
	struct lane *lane;
};

static void cta_run(struct cta *c, struct room *m, u32 number)
{
	const struct lane_launch *l = c->l;

	c->id[0] = number % l->grid[0];
	c->id[1] = number / l->grid[0] % l->grid[1];
	c->id[2] = number / l->grid[0] / l->grid[1];
	c->lanes = l->block[0] * l->block[1] * l->block[2];
	m->shared = c->shared = calloc(1, c->entry->shared + 8);
	m->lane = c->lane = calloc(c->lanes, sizeof(*c->lane));
	m->reg = calloc((size_t)c->p->regs * c->lanes + 1, sizeof(u64));
	m->local = calloc(1, (c->entry->local + 8) * c->lanes);
	memset(c->arrived, 0, sizeof(c->arrived));
	for (u32 k = 0; k < c->lanes; k++)
		c->lane[k] = (struct lane){
			.reg = m->reg + (size_t)k * (size_t)c->p->regs,
			.pc = c->entry->first,
			.local = m->local + (size_t)k * (c->entry->local + 8),
			.tid = {k % l->block[0], k / l->block[0] % l->block[1], k / l->block[0] / l->block[1]},
			.number = k};
	cta_go(c);
	for (u32 k = 0; k < c->lanes; k++)
		c->l->done += c->lane[k].done;
}

static void room_free(struct room *m)
{
	free(m->shared);
	free(m->lane);
	free(m->reg);
	free(m->local);
	*m = (struct room){0};
}

int lane_run(const struct lane_program *p, struct lane_launch *l, char *why)
{
	struct cta c = {.p = p, .l = l};
	static struct room room;

	reason = why;
	for (int i = 0; i < p->entries; i++)
		if (!strcmp(p->entry[i].name, l->kernel))
			c.entry = &p->entry[i];
	if (!c.entry) {
		snprintf(why, LANE_WHY, "no kernel %s", l->kernel);
		return -1;
	}
	if (setjmp(give_up)) {
		room_free(&room);
		return -1;
	}
	for (u32 n = 0; n < l->grid[0] * l->grid[1] * l->grid[2]; n++) {
		cta_run(&c, &room, n);
		room_free(&room);
	}
	return 0;
}
