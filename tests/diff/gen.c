/*
 * gen.c - a random kernel from a seed: instructions of ops.def over registers of all types, memory of all spaces,
 * branches and loops that lanes leave one by one, barriers, and what passes between the lanes of a warp. Whatever order
 * lanes run in, and on any machine, it leaves the same: lanes write to places of their own, or add up what may be added
 * in any order; a NaN's bits are made the same before they are looked at; lanes that must take part are known to.
 *
 * For who makes a program smaller: lines between "//{" and "//}" go together or stay; a line that ends in "//k" goes
 * only with them; the others between "//begin" and "//end" may go alone.
 */
#include "diff.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PRIVATE = 64, FLOATS = 32, SLICE = 32, IN_BYTES = 4096, TOTALS = 64, REGS = 256, DEPTH = 4 };

/* Registers by what they hold; a lane leaves them all. */
enum pool { P_PRED, P_H, P_R, P_D, P_F, P_E, P_X, P_Y, P_B, P_Z, POOLS };
static const struct {
	char letter;
	u32 count, bits;
	const char *nan; /* type that a NaN is asked for with; NULL: an integer */
} pool[POOLS] = {
	[P_PRED] = {'p', 8, 1, NULL},	[P_H] = {'h', 6, 16, NULL},    [P_R] = {'r', 12, 32, NULL},
	[P_D] = {'d', 6, 64, NULL},	[P_F] = {'f', 8, 32, "f32"},   [P_E] = {'e', 6, 64, "f64"},
	[P_X] = {'x', 6, 16, "f16"},	[P_Y] = {'y', 4, 32, "f16x2"}, [P_B] = {'b', 4, 16, "bf16"},
	[P_Z] = {'z', 4, 32, "bf16x2"},
};

struct form {
	char name[64];
	u8 to, from[4], sources;
	bool canonical;		    /* signs of its sources are looked at */
	bool lut, literals, guards; /* literals: sources may be immediate; guards: it may have a guard */
	bool narrow, gpu;	    /* narrow: its counts are below 256; gpu: a GPU computes it alike */
};

static struct form *form;
static u32 forms, families;
static u32 family[256]; /* first form of each name's first word */

struct gen {
	struct text t;
	struct dice d;
	u64 seed;
	u32 labels, masks, counters, lanes, statements, most;
	bool barriers, warps, ragged; /* what it may do; ragged: lanes may end early */
	bool gpu;		      /* it is for a GPU, too */
	bool uniform;		      /* all lanes of the CTA are here */
	char mask[12];		      /* the lanes of the warp that are here; empty: not known */
};

/* --- which instructions --- */

static u8 pool_of_type(const char *type, char letter)
{
	static const struct {
		const char *type;
		u8 pool;
	} known[] = {{"f32", P_F},   {"tf32", P_F}, {"f64", P_E},   {"f16", P_X},
		     {"f16x2", P_Y}, {"bf16", P_B}, {"bf16x2", P_Z}};

	for (u32 i = 0; type && i < sizeof(known) / sizeof(known[0]); i++)
		if (!strcmp(known[i].type, type))
			return known[i].pool;
	return letter == 'p' ? P_PRED : letter == 'h' ? P_H : letter == 'w' ? P_R : P_D;
}

/* Parts of a name that are types. */
static u32 types_of(char *name, char **type)
{
	u32 n = 0;
	char *part, *rest = name;

	while ((part = strtok_r(rest, ".", &rest)))
		if (n < 3 && part != name &&
		    (strchr("usfb", *part) || !strncmp(part, "tf32", 4) || (*part == 'e' && strstr(part, "x2"))) &&
		    part[strcspn(part, "0123456789")] && strcmp(part, "b4e") && strcmp(part, "f4e"))
			type[n++] = part;
	return n;
}

/* What a GPU of sm_90 has, and gives the bits that the ISA gives: no approximations (see measured/). */
static bool on_gpu(const char *name)
{
	static const char *const no[] = {"fns",
					 "approx",
					 ".full",
					 "tf32",
					 "cvt.rp.ftz.f16.f32",
					 "cvt.rp.ftz.sat.f16.f32",
					 "cvt.rm.ftz.f16.f32",
					 "cvt.rm.ftz.sat.f16.f32"};
	static const char *const not_there[] = {
#include "not_sm_90.h"
	};

	for (u32 i = 0; i < sizeof(no) / sizeof(no[0]); i++)
		if (strstr(name, no[i]))
			return false;
	for (u32 i = 0; i < sizeof(not_there) / sizeof(not_there[0]); i++)
		if (!strcmp(name, not_there[i]))
			return false;
	return true;
}

static bool form_make(struct form *f, const char *name, const char *signature)
{
	char copy[64], *type[3] = {NULL, NULL, NULL};
	const char *from = strchr(signature, ':') + 1;
	bool wide_to = !strncmp(name, "cvt", 3) || !strncmp(name, "set.", 4);

	f->gpu = on_gpu(name);
	snprintf(f->name, sizeof(f->name), "%.*s", (int)strcspn(name, "/"), name);
	snprintf(copy, sizeof(copy), "%s", f->name);
	types_of(copy, type);
	f->sources = (u8)strlen(from);
	f->to = pool_of_type(*signature == 'p' ? NULL : type[0], *signature);
	for (u32 s = 0; s < f->sources; s++) {
		const char *t = wide_to				      ? type[1]
				: !strncmp(name, "slct", 4) && s == 2 ? type[1]
				: !strncmp(name, "selp", 4) && s == 2 ? NULL
				: from[s] == 'h' && type[1]	      ? type[1] /* a half in a sum of floats */
								      : type[0];

		f->from[s] = pool_of_type(t, from[s]);
		if (pool[f->from[s]].bits != (from[s] == 'p' ? 1u : from[s] == 'h' ? 16u : from[s] == 'w' ? 32u : 64u))
			return false;
	}
	f->canonical = strstr(name, "xorsign") || strstr(name, "copysign");
	f->lut = !strcmp(name, "lop3.b32");
	f->literals = strncmp(name, "bf", 2) && !strstr(name, "x2");
	/*
	 * What the assembler of 13.0 makes of these on a GPU is not what the ISA says: testp and set take no notice of
	 * their guard, and of an immediate count of a shift of 16 bits the lower half alone counts. Counts of 256 and
	 * more are not defined.
	 */
	f->guards = strncmp(name, "testp", 5) && strncmp(name, "set.", 4);
	if (!strncmp(name, "sh", 2) && strstr(name, "16"))
		f->literals = false;
	f->narrow = !strcmp(name, "bfi.b64") || !strcmp(name, "bfe.u64") || !strcmp(name, "bfe.s64");
	return pool[f->to].bits == (*signature == 'p' ? 1u : *signature == 'h' ? 16u : *signature == 'w' ? 32u : 64u);
}

/* What is drawn; sines of large numbers are not the same in any two implementations. */
static bool wanted(const char *name, const char *row_body)
{
	static const char *const no[] = {"cvta",  "isspacep", "bar.",	    "shfl", "vote",
					 "match", "redux",    "activemask", "sin.", "cos."};

	for (u32 i = 0; i < sizeof(no) / sizeof(no[0]); i++)
		if (!strncmp(name, no[i], strlen(no[i])))
			return false;
	return strcmp(row_body, "NONE") != 0 || strstr(name, ".pred");
}

static int by_name(const void *x, const void *y)
{
	return strcmp(((const struct form *)x)->name, ((const struct form *)y)->name);
}

static void forms_find(void)
{
	static const struct {
		const char *forms, *signature, *body;
	} row[] = {
#define OP(id, forms, signature, class, body) {forms, signature, #body},
#include "tables/ops.def"
#undef OP
	};

	for (u32 r = 0; r < sizeof(row) / sizeof(row[0]); r++) {
		char *all = xstrdup(row[r].forms), *from = all, *name;

		while (strchr(row[r].signature, ':') && (name = strtok_r(from, " ", &from))) {
			struct form f = {0};

			if (!wanted(name, row[r].body) || !form_make(&f, name, row[r].signature))
				continue;
			form = xrealloc(form, (forms + 1) * sizeof(*form));
			form[forms++] = f;
		}
		free(all);
	}
	/* By the first word, so that the many conversions are not drawn more often than additions. */
	qsort(form, forms, sizeof(*form), by_name);
	for (u32 i = 0; i < forms; i++) {
		size_t n = strcspn(form[i].name, ".");

		if (!i || strncmp(form[i].name, form[i - 1].name, n + 1))
			family[families++] = i;
	}
	family[families] = forms;
}

/* --- lines --- */

#define LINE(g, ...) text_add(&(g)->t, __VA_ARGS__)

static u32 some(struct gen *g, u8 p)
{
	return dice(&g->d, pool[p].count);
}

/* %letter number, in one of a few buffers. */
static const char *reg(struct gen *g, u8 p)
{
	static char name[8][12];
	static u32 turn;
	char *out = name[turn++ % 8];

	snprintf(out, 12, "%%%c%u", pool[p].letter, some(g, p));
	return out;
}

static const char *guard(struct gen *g)
{
	static char text[16];

	*text = 0;
	if (!dice(&g->d, 6))
		snprintf(text, sizeof(text), "@%s%%p%u ", dice(&g->d, 2) ? "!" : "", some(g, P_PRED));
	return text;
}

static u64 literal(struct gen *g, u8 p)
{
	static const u64 f32[] = {0,	      0x3f800000, 0xbf800000, 0x7f800000, 0x00000001, 0x007fffff,
				  0x4b000000, 0x3eaaaaab, 0x80000000, 0x7f7fffff, 0x33d6bf95};
	static const u64 f64[] = {0, 0x3ff0000000000000, 0xc000000000000000, 0x7ff0000000000000,
				  1, 0x3fd5555555555555, 0x41e0000000000000, 1ULL << 63};
	u64 any = dice_word(&g->d);

	if (p == P_F)
		return any & 1 ? f32[any / 2 % (sizeof(f32) / sizeof(f32[0]))]
			       : (any >> 32 & 0x807fffff) | (120 + any % 16) << 23;
	if (p == P_E)
		return any & 1 ? f64[any / 2 % (sizeof(f64) / sizeof(f64[0]))]
			       : (any & 0x800fffffffffffff) | (1016 + any % 16) << 52;
	switch (any % 4) {
	case 0: return any / 4 % 70;
	case 1: return any;
	case 2: return 1ULL << any / 4 % pool[p].bits;
	default: return (u64)0 - any / 4 % 9;
	}
}

static void source(struct gen *g, u8 p, const char *between)
{
	u64 v;

	if (p == P_PRED || p >= P_X || dice(&g->d, 5)) {
		LINE(g, "%s%s", between, reg(g, p));
		return;
	}
	v = literal(g, p);
	if (p == P_F)
		LINE(g, "%s0f%08X", between, (u32)v);
	else if (p == P_E)
		LINE(g, "%s0d%016llX", between, (unsigned long long)v);
	else if (p == P_H)
		LINE(g, "%s%d", between, (int)(i16)v);
	else if (p == P_R)
		LINE(g, "%s%d", between, (i32)v);
	else
		LINE(g, "%s0x%llx", between, (unsigned long long)v);
}

/* A register that is surely one NaN, if it is one: %cf and its like. */
static void canonical(struct gen *g, u8 p, const char *from)
{
	char letter = pool[p].letter;

	if (p == P_F)
		LINE(g, "setp.nan.f32 %%q0, %s, %s; selp.b32 %%c%c, 0x7fffffff, %s, %%q0; ", from, from, letter, from);
	else if (p == P_E)
		LINE(g, "setp.nan.f64 %%q0, %s, %s; selp.b64 %%c%c, 0x7ff8000000000000, %s, %%q0; ", from, from, letter,
		     from);
	else if (p == P_X || p == P_B)
		LINE(g, "setp.nan.%s %%q0, %s, %s; selp.b16 %%c%c, 0x7fff, %s, %%q0; ", pool[p].nan, from, from, letter,
		     from);
	else
		LINE(g,
		     "mov.b32 {%%s0, %%s1}, %s; setp.nan.%s %%q0|%%q1, %s, %s; selp.b16 %%s0, 0x7fff, %%s0, %%q0; "
		     "selp.b16 %%s1, 0x7fff, %%s1, %%q1; mov.b32 %%c%c, {%%s0, %%s1}; ",
		     from, pool[p].nan, from, from, letter);
}

/* With the sign of its sources: both are made sure of first. */
static void signed_operation(struct gen *g, const struct form *f)
{
	char letter = pool[f->to].letter;

	canonical(g, f->to, reg(g, f->to));
	LINE(g, "mov.b%u %%v%c, %%c%c; ", pool[f->to].bits, letter, letter);
	canonical(g, f->to, reg(g, f->to));
	LINE(g, "%s %s, %%v%c, %%c%c;\n", f->name, reg(g, f->to), letter, letter);
}

static void operation(struct gen *g)
{
	u32 k = dice(&g->d, families);
	const struct form *f = &form[family[k] + dice(&g->d, family[k + 1] - family[k])];

	if (g->gpu && !f->gpu) {
		operation(g);
		return;
	}
	if (f->canonical) {
		signed_operation(g, f);
		return;
	}
	if (f->narrow && g->gpu)
		LINE(g, "and.b32 %%t6, %s, 255; and.b32 %%t7, %s, 255; ", reg(g, P_R), reg(g, P_R));
	LINE(g, "%s%s %s", f->guards || !g->gpu ? guard(g) : "", f->name, reg(g, f->to));
	for (u32 s = 0; s < f->sources; s++)
		if (f->narrow && g->gpu && f->from[s] == P_R)
			LINE(g, ", %%t%u", 6 + (f->sources - s == 1));
		else if (f->lut && s == 3)
			LINE(g, ", %u", dice(&g->d, 256));
		else if (f->literals)
			source(g, f->from[s], ", ");
		else
			LINE(g, ", %s", reg(g, f->from[s]));
	LINE(g, ";\n");
}

static void carry(struct gen *g)
{
	u8 p = dice(&g->d, 2) ? P_R : P_D;
	u32 n = pool[p].bits;
	char type = dice(&g->d, 2) ? 'u' : 's';
	const char *hi = dice(&g->d, 2) ? "hi" : "lo";

	switch (dice(&g->d, 3)) {
	case 0: LINE(g, "add.cc.%c%u %s, %s, %s; ", type, n, reg(g, p), reg(g, p), reg(g, p)); break;
	case 1:
		LINE(g, "sub.cc.%c%u %s, %s, %s; subc.cc.%c%u %s, %s, %s; subc.%c%u %s, %s, %s;\n", type, n, reg(g, p),
		     reg(g, p), reg(g, p), type, n, reg(g, p), reg(g, p), reg(g, p), type, n, reg(g, p), reg(g, p),
		     reg(g, p));
		return;
	default: LINE(g, "mad.%s.cc.%c%u %s, %s, %s, %s; ", hi, type, n, reg(g, p), reg(g, p), reg(g, p), reg(g, p));
	}
	if (dice(&g->d, 2))
		LINE(g, "addc.cc.%c%u %s, %s, %s; ", type, n, reg(g, p), reg(g, p), reg(g, p));
	else
		LINE(g, "madc.%s.cc.%c%u %s, %s, %s, %s; ", hi, type, n, reg(g, p), reg(g, p), reg(g, p), reg(g, p));
	LINE(g, "addc.%c%u %s, %s, %s;\n", type, n, reg(g, p), reg(g, p), reg(g, p));
}

/* Bits of a number as an integer and the other way, in parts, and what lanes know of themselves. */
static void bits(struct gen *g)
{
	static const char *const known[] = {"%tid.x",	"%tid.y",   "%tid.z",	 "%ntid.x",
					    "%ctaid.x", "%ctaid.y", "%nctaid.x", "%ntid.y"};
	static const u8 number[] = {P_F, P_E, P_X, P_Y, P_B, P_Z};
	u8 p = number[dice(&g->d, 6)], whole = p == P_E ? P_D : pool[p].bits == 16 ? P_H : P_R;
	u32 pred;

	switch (dice(&g->d, 9)) {
	case 0:
	case 1:
		canonical(g, p, reg(g, p));
		LINE(g, "mov.b%u %s, %%c%c;\n", pool[p].bits, reg(g, whole), pool[p].letter);
		return;
	case 2:
	case 3: LINE(g, "%smov.b%u %s, %s;\n", guard(g), pool[p].bits, reg(g, p), reg(g, whole)); return;
	case 4: LINE(g, "%smov.b64 %s, {%s, %s};\n", guard(g), reg(g, P_D), reg(g, P_R), reg(g, P_R)); return;
	case 5:
		pred = some(g, P_R);
		LINE(g, "%smov.b64 {%%r%u, %%r%u}, %s;\n", guard(g), pred,
		     (pred + 1 + dice(&g->d, pool[P_R].count - 1)) % pool[P_R].count, reg(g, P_D));
		return;
	case 6:
		if (dice(&g->d, 2))
			LINE(g, "%smov.b32 %s, {%s, %s};\n", guard(g), reg(g, P_R), reg(g, P_H), reg(g, P_H));
		else
			LINE(g, "%smov.b64 %s, {%s, %s, %s, %s};\n", guard(g), reg(g, P_D), reg(g, P_H), reg(g, P_H),
			     reg(g, P_H), reg(g, P_H));
		return;
	case 7: LINE(g, "%smov.u32 %s, %s;\n", guard(g), reg(g, P_R), known[dice(&g->d, 8)]); return;
	default:
		pred = some(g, P_PRED);
		LINE(g, "%ssetp.%s.%s.s32 %%p%u|%%p%u, %s, %s, %s%%p%u;\n", guard(g), dice(&g->d, 2) ? "lt" : "ne",
		     dice(&g->d, 2) ? "and" : "xor", pred, (pred + 1) % pool[P_PRED].count, reg(g, P_R), reg(g, P_R),
		     dice(&g->d, 2) ? "!" : "", some(g, P_PRED));
	}
}

/* The address of a place of one's own, `bytes` wide, in %a: in which space it is said. */
static const char *own_place(struct gen *g, u32 size)
{
	u32 all = dice(&g->d, 3);
	u32 most = all == 1 ? SLICE : PRIVATE;

	LINE(g, "and.b32 %%t0, %s, %u; cvt.u64.u32 %%a, %%t0; ", reg(g, P_R), (most - 1) & ~(size - 1));
	switch (all) {
	case 0: LINE(g, "add.u64 %%a, %%a, %%mine; "); return dice(&g->d, 3) ? ".global" : "";
	case 1:
		LINE(g, "add.u64 %%a, %%a, %%slice; ");
		if (dice(&g->d, 3))
			return ".shared";
		LINE(g, "cvta.shared.u64 %%a, %%a; ");
		return "";
	default:
		LINE(g, "mov.u64 %%t8, own; add.u64 %%a, %%a, %%t8; ");
		if (dice(&g->d, 3))
			return ".local";
		LINE(g, "cvta.local.u64 %%a, %%a; ");
		return "";
	}
}

static void memory(struct gen *g)
{
	static const char *const kind[] = {"u8", "s8", "u16", "s16", "u32", "s32", "b32", "u64", "s64", "b64"};
	u32 k = dice(&g->d, 10),
	    size = k < 2   ? 1
		   : k < 4 ? 2
		   : k < 7 ? 4
			   : 8,
	    vector = dice(&g->d, 4) || size < 4 ? 1
		     : size == 8		? 2
						: 2 << dice(&g->d, 2);
	u8 p = size == 8 ? P_D : size == 4 || dice(&g->d, 2) ? P_R : P_H;
	const char *space, *how = "", *type = kind[k];
	bool load = dice(&g->d, 2);
	char vec[16] = "";
	u32 first = some(g, p);

	if (vector > 1)
		snprintf(vec, sizeof(vec), ".v%u", vector);
	if (vector > 1 && *type != 'b')
		type = size == 8 ? "b64" : "b32";
	if (load && !dice(&g->d, 3)) {
		/* What all read. */
		if (dice(&g->d, 3)) {
			LINE(g, "and.b32 %%t0, %s, %u; cvt.u64.u32 %%a, %%t0; add.u64 %%a, %%a, %%in; ", reg(g, P_R),
			     (IN_BYTES - 1) & ~(size * vector - 1));
			space = ".global";
			how = dice(&g->d, 2) ? ".nc" : "";
		} else {
			LINE(g,
			     "and.b32 %%t0, %s, %u; cvt.u64.u32 %%a, %%t0; mov.u64 %%t8, table%llx; add.u64 %%a, %%a, %%t8; ",
			     reg(g, P_R), 63 & ~(size * vector - 1), (unsigned long long)g->seed);
			space = ".const";
		}
	} else {
		space = own_place(g, size * vector);
		if (!strcmp(space, ".global") && !dice(&g->d, 6))
			how = load ? ".cg" : ".wb";
	}
	if (!*vec && !*how && !dice(&g->d, 8) && strcmp(space, ".const") && strcmp(space, ".local"))
		LINE(g, "%s%s.volatile%s.%s ", guard(g), load ? "ld" : "st", space, type);
	else
		LINE(g, "%s%s%s%s%s.%s ", guard(g), load ? "ld" : "st", space, how, vec, type);
	if (!load)
		LINE(g, "[%%a], ");
	if (vector > 1)
		LINE(g, "{");
	for (u32 i = 0; i < vector; i++)
		LINE(g, "%s%%%c%u", i ? ", " : "", pool[p].letter, (first + i) % pool[p].count);
	if (vector > 1)
		LINE(g, "}");
	LINE(g, load ? ", [%%a];\n" : ";\n");
}

/* On a word of one's own, or one that sums up all lanes, each by one operation only. */
static void atomics(struct gen *g)
{
	static const struct {
		const char *op;
		u32 bytes;
		const char *last;
	} own[] = {{"add.u32", 4, ""},	{"min.s32", 4, ""}, {"max.u32", 4, ""},	 {"and.b32", 4, ""},
		   {"or.b32", 4, ""},	{"xor.b32", 4, ""}, {"exch.b32", 4, ""}, {"inc.u32", 4, ""},
		   {"dec.u32", 4, ""},	{"add.u64", 8, ""}, {"min.s64", 8, ""},	 {"max.u64", 8, ""},
		   {"exch.b64", 8, ""}, {"xor.b64", 8, ""}, {"cas.b32", 4, "w"}, {"cas.b64", 8, "d"},
		   {"min.u32", 4, ""},	{"max.s32", 4, ""}};
	static const char *const sum[] = {"add.u32", "min.s32", "max.u32", "and.b32", "or.b32",
					  "xor.b32", "inc.u32", "max.s32", "min.u32"};
	u32 k = dice(&g->d, 18), m = dice(&g->d, 9);
	u8 p = own[k].bytes == 8 ? P_D : P_R;
	bool shared;

	if (dice(&g->d, 2)) {
		shared = dice(&g->d, 2);
		LINE(g, "and.b32 %%t0, %s, %u; cvt.u64.u32 %%a, %%t0; add.u64 %%a, %%a, %s; ", reg(g, P_R),
		     ((shared ? SLICE : PRIVATE) - 1) & ~(own[k].bytes - 1), shared ? "%slice" : "%mine");
		LINE(g, "%satom.%s.%s %s, [%%a], %s", guard(g), shared ? "shared" : "global", own[k].op, reg(g, p),
		     reg(g, p));
		if (*own[k].last)
			LINE(g, ", %s", reg(g, p));
		LINE(g, ";\n");
		return;
	}
	if (!dice(&g->d, 4)) {
		/* A sum of numbers of one's own. */
		u32 what = dice(&g->d, 3);
		const char *type = what ? "f32" : "f64";

		canonical(g, what ? P_F : P_E, reg(g, what ? P_F : P_E));
		LINE(g, "atom.global.add.%s %s, [%%mine+%u], %%c%c;\n", type, reg(g, what ? P_F : P_E),
		     PRIVATE + (what ? 4 * dice(&g->d, 4) : 16 + 8 * dice(&g->d, 2)), what ? 'f' : 'e');
		return;
	}
	shared = g->barriers && dice(&g->d, 2);
	LINE(g, "%sred.%s.%s ", guard(g), shared ? "shared" : "global", sum[m]);
	LINE(g, "[%s+%u], ", shared ? "totals" : "%totals", 4 * m);
	if (m == 6)
		LINE(g, "1000;\n");
	else
		LINE(g, "%s;\n", reg(g, P_R));
}

/* --- between lanes --- */

static bool here(const struct gen *g)
{
	return g->warps && *g->mask;
}

/* Another lane that is here: this one where that one is not. In %t1. */
static void another(struct gen *g)
{
	LINE(g,
	     "and.b32 %%t0, %s, 31; mov.u32 %%t1, %%laneid; shr.u32 %%t2, %s, %%t0; and.b32 %%t2, %%t2, 1; setp.ne.u32 %%q0, %%t2, 0; "
	     "selp.b32 %%t1, %%t0, %%t1, %%q0; ",
	     reg(g, P_R), g->mask);
}

static void between_lanes(struct gen *g)
{
	static const char *const redux[] = {"add.u32", "add.s32", "min.s32", "min.u32", "max.s32",
					    "max.u32", "and.b32", "or.b32",  "xor.b32"};
	static const char *const shuffle[] = {"up", "down", "bfly", "idx"};
	static const u32 clamp[] = {0, 31, 0x1f, 0x101f, 0x181f, 0x1c1f, 0x1800, 0x1e1f, 0x1000};
	bool all = !strcmp(g->mask, "-1");
	u32 k;

	switch (dice(&g->d, all ? 8 : 6)) {
	case 0:
		LINE(g, "vote.sync.ballot.b32 %s, %s%s, %s;\n", reg(g, P_R), dice(&g->d, 2) ? "!" : "", reg(g, P_PRED),
		     g->mask);
		return;
	case 1:
		k = dice(&g->d, 3);
		LINE(g, "vote.sync.%s.pred %s, %s, %s;\n",
		     k == 0   ? "all"
		     : k == 1 ? "any"
			      : "uni",
		     reg(g, P_PRED), reg(g, P_PRED), g->mask);
		return;
	case 2:
		LINE(g, "redux.sync.%s %s, %s, %s;\n", redux[dice(&g->d, 9)], reg(g, P_R), reg(g, P_R), g->mask);
		return;
	case 3:
		if (dice(&g->d, 2))
			LINE(g, "and.b32 %%t0, %s, 3; match.any.sync.b32 %s, %%t0, %s;\n", reg(g, P_R), reg(g, P_R),
			     g->mask);
		else
			LINE(g, "and.b64 %%t8, %s, 1; match.any.sync.b64 %s, %%t8, %s;\n", reg(g, P_D), reg(g, P_R),
			     g->mask);
		return;
	case 4:
		LINE(g, "and.b32 %%t0, %s, 1; match.all.sync.b32 %s|%s, %%t0, %s;\n", reg(g, P_R), reg(g, P_R),
		     reg(g, P_PRED), g->mask);
		return;
	case 5:
		another(g);
		LINE(g, "shfl.sync.idx.b32 %s|%s, %s, %%t1, 31, %s;\n", reg(g, P_R), reg(g, P_PRED), reg(g, P_R),
		     g->mask);
		return;
	default:
		k = dice(&g->d, 4);
		if (dice(&g->d, 2))
			LINE(g, "shfl.sync.%s.b32 %s|%s, %s, %u, 0x%x, -1;\n", shuffle[k], reg(g, P_R), reg(g, P_PRED),
			     reg(g, P_R), dice(&g->d, 32),
			     k == 0 ? clamp[dice(&g->d, 9)] & ~31u : clamp[dice(&g->d, 9)]);
		else
			LINE(g, "shfl.sync.%s.b32 %s, %s, %s, 0x%x, -1;\n", shuffle[k], reg(g, P_R), reg(g, P_R),
			     reg(g, P_R), k == 0 ? 0 : 31);
	}
}

/* --- what consists of several lines --- */

static void statements(struct gen *g, u32 n, u32 depth);

static void open_group(struct gen *g)
{
	LINE(g, "//{\n");
}

static void close_group(struct gen *g)
{
	LINE(g, "//}\n");
}

/* What barriers allow: lanes of the CTA hand something over. */
static void meeting(struct gen *g)
{
	u32 id = dice(&g->d, 3) ? 0 : 1 + dice(&g->d, 8), how = dice(&g->d, 6), n = g->lanes;
	const char *bar = dice(&g->d, 2) ? "bar.sync" : "barrier.sync";
	static const char *const red[] = {"and", "or"};

	open_group(g);
	if (how == 0) {
		LINE(g, "bar.red.popc.u32 %s, %u, %s%s; //k\n", reg(g, P_R), id, dice(&g->d, 2) ? "!" : "",
		     reg(g, P_PRED));
	} else if (how == 1) {
		LINE(g, "bar.red.%s.pred %s, %u, %s; //k\n", red[dice(&g->d, 2)], reg(g, P_PRED), id, reg(g, P_PRED));
	} else if (how == 2 && n % 32 == 0 && n > 32) {
		/* The first warp gives, the others take. */
		u32 label = g->labels++;

		LINE(g, "bar.sync 0; //k\nsetp.ge.u32 %%q2, %%number, 32; @%%q2 bra T%u; //k\n", label);
		LINE(g, "st.shared.u32 [%%handed], %s; bar.arrive %u, %u; bra U%u; //k\n", reg(g, P_R), 9 + id % 6, n,
		     label);
		LINE(g,
		     "T%u: bar.sync %u, %u; and.b32 %%t0, %%number, 31; mad.lo.u32 %%t1, %%t0, 4, %%handed0; ld.shared.u32 %s, [%%t1]; U%u: //k\n",
		     label, 9 + id % 6, n, reg(g, P_R), label);
	} else {
		LINE(g, "%s %u; //k\nst.shared.u32 [%%handed], %s; //k\n%s %u; //k\n", bar, id, reg(g, P_R), bar, id);
		LINE(g,
		     "add.u32 %%t0, %%number, %u; rem.u32 %%t0, %%t0, %u; mad.lo.u32 %%t1, %%t0, 4, %%handed0; //k\n",
		     dice(&g->d, n), n);
		LINE(g, "ld.shared.u32 %s, [%%t1]; //k\n", reg(g, P_R));
	}
	close_group(g);
}

/* The mask of the lanes that go one way; the others' in the next. */
static u32 split(struct gen *g, const char *pred)
{
	u32 m = g->masks;

	g->masks += 2;
	LINE(g, "vote.sync.ballot.b32 %%m%u, %s, %s; xor.b32 %%m%u, %%m%u, %s; //k\n", m, pred, g->mask, m + 1, m,
	     g->mask);
	return m;
}

static void branch(struct gen *g, u32 depth)
{
	struct gen was = *g;
	u32 label = g->labels++, how = dice(&g->d, 6), m = 0;
	char pred[12];
	bool other = dice(&g->d, 2), known = false;

	open_group(g);
	snprintf(pred, sizeof(pred), "%%q3");
	if (how == 0) { /* by CTA */
		LINE(g, "and.b32 %%t0, %%cta, %u; setp.eq.u32 %%q3, %%t0, 0; //k\n", 1 + dice(&g->d, 2));
		known = true;
	} else if (how == 1) { /* by warp */
		LINE(g, "shr.u32 %%t0, %%number, 5; and.b32 %%t0, %%t0, 1; setp.eq.u32 %%q3, %%t0, %u; //k\n",
		     dice(&g->d, 2));
		g->uniform = false;
		known = true;
	} else if (how == 2) { /* by lane */
		LINE(g,
		     "and.b32 %%t0, %%number, 31; shr.u32 %%t0, %d, %%t0; and.b32 %%t0, %%t0, 1; setp.ne.u32 %%q3, %%t0, 0; //k\n",
		     (i32)dice_word(&g->d));
		g->uniform = false;
	} else {
		snprintf(pred, sizeof(pred), "%s", reg(g, P_PRED));
		g->uniform = false;
	}
	if (!known && here(g) && dice(&g->d, 4)) {
		m = split(g, pred);
		snprintf(g->mask, sizeof(g->mask), "%%m%u", m);
	} else if (!known) {
		*g->mask = 0;
	}
	LINE(g, "@!%s bra%s L%u; //k\n", pred, how == 0 && dice(&g->d, 2) ? ".uni" : "", label);
	statements(g, 1 + dice(&g->d, 5), depth + 1);
	if (other) {
		LINE(g, "bra%s M%u; //k\nL%u: //k\n", dice(&g->d, 4) ? "" : how == 0 ? ".uni" : "", label, label);
		if (m)
			snprintf(g->mask, sizeof(g->mask), "%%m%u", m + 1);
		statements(g, 1 + dice(&g->d, 4), depth + 1);
		LINE(g, "M%u: //k\n", label);
	} else {
		LINE(g, "L%u: //k\n", label);
	}
	close_group(g);
	g->uniform = was.uniform;
	memcpy(g->mask, was.mask, sizeof(g->mask));
}

static void loop(struct gen *g, u32 depth)
{
	struct gen was = *g;
	u32 label = g->labels++, c = g->counters++, how = dice(&g->d, 3), m;

	open_group(g);
	if (how == 0) { /* all lanes as often */
		LINE(g, "mov.u32 %%c%u, %u; //k\nL%u: //k\n", c, 1 + dice(&g->d, 4), label);
		statements(g, 1 + dice(&g->d, 4), depth + 1);
		LINE(g, "sub.u32 %%c%u, %%c%u, 1; setp.ne.u32 %%q3, %%c%u, 0; @%%q3 bra L%u; //k\n", c, c, c, label);
	} else if (how == 1 && here(g)) { /* those that are left know of each other */
		m = g->masks++;
		LINE(g, "and.b32 %%c%u, %s, 3; mov.b32 %%m%u, %s; //k\n", c, reg(g, P_R), m, g->mask);
		LINE(g,
		     "L%u: setp.ne.u32 %%q3, %%c%u, 0; vote.sync.ballot.b32 %%m%u, %%q3, %%m%u; @!%%q3 bra M%u; //k\n",
		     label, c, m, m, label);
		g->uniform = false;
		snprintf(g->mask, sizeof(g->mask), "%%m%u", m);
		statements(g, 1 + dice(&g->d, 4), depth + 1);
		LINE(g, "sub.u32 %%c%u, %%c%u, 1; bra L%u; //k\nM%u: //k\n", c, c, label, label);
	} else { /* left in the middle, begun again from the middle */
		LINE(g,
		     "and.b32 %%c%u, %s, %u; //k\nL%u: setp.eq.u32 %%q3, %%c%u, 0; @%%q3 bra M%u; //k\nsub.u32 %%c%u, %%c%u, 1; //k\n",
		     c, reg(g, P_R), depth ? 3 : 7, label, c, label, c, c);
		g->uniform = false;
		*g->mask = 0;
		statements(g, 1 + dice(&g->d, 3), depth + 1);
		if (dice(&g->d, 2))
			LINE(g, "@%s bra M%u;\n", reg(g, P_PRED), label);
		if (dice(&g->d, 3) == 0)
			LINE(g, "@%s bra L%u;\n", reg(g, P_PRED), label);
		statements(g, 1 + dice(&g->d, 3), depth + 1);
		LINE(g, "bra L%u; //k\nM%u: //k\n", label, label);
	}
	close_group(g);
	g->uniform = was.uniform;
	memcpy(g->mask, was.mask, sizeof(g->mask));
}

/* Ways that cross each other. */
static void tangle(struct gen *g, u32 depth)
{
	struct gen was = *g;
	u32 label = g->labels++;

	open_group(g);
	g->uniform = false;
	*g->mask = 0;
	LINE(g, "@%s bra L%u; //k\n", reg(g, P_PRED), label);
	statements(g, 1 + dice(&g->d, 3), depth + 1);
	LINE(g, "@%s bra M%u; //k\n", reg(g, P_PRED), label);
	statements(g, 1 + dice(&g->d, 3), depth + 1);
	LINE(g, "L%u: //k\n", label);
	statements(g, 1 + dice(&g->d, 3), depth + 1);
	if (g->ragged && dice(&g->d, 2))
		LINE(g, "@%s bra OVER;\n", reg(g, P_PRED));
	LINE(g, "M%u: //k\n", label);
	close_group(g);
	g->uniform = was.uniform;
	memcpy(g->mask, was.mask, sizeof(g->mask));
}

static void statement(struct gen *g, u32 depth)
{
	u32 what = dice(&g->d, 100);
	bool deeper = depth < DEPTH && g->statements < g->most;

	g->statements++;
	if (what < 6 && deeper)
		branch(g, depth);
	else if (what < 11 && deeper)
		loop(g, depth);
	else if (what < 14 && deeper)
		tangle(g, depth);
	else if (what < 19 && g->uniform && g->barriers)
		meeting(g);
	else if (what < 31 && here(g))
		between_lanes(g);
	else if (what < 42)
		memory(g);
	else if (what < 47)
		atomics(g);
	else if (what < 50)
		carry(g);
	else if (what < 60)
		bits(g);
	else
		operation(g);
}

static void statements(struct gen *g, u32 n, u32 depth)
{
	while (n--)
		statement(g, depth);
}

/* --- the kernel --- */

static void head(struct gen *g, struct task *t)
{
	LINE(g, ".version 8.6\n.target sm_90\n.address_size 64\n");
	LINE(g, ".const .align 16 .b32 table%llx[32] = {", (unsigned long long)g->seed);
	for (u32 i = 0; i < 32; i++)
		LINE(g, "%s0x%x", i ? ", " : "", (u32)dice_word(&g->d));
	LINE(g, "};\n.visible .entry %s(.param .u64 in, .param .u64 out)\n", t->kernel);
	if (g->seed % 3 == 0) /* most of its registers are spilled */
		LINE(g, ".maxnreg %u\n", 24 + (u32)(g->seed / 3 % 3) * 8);
	LINE(g, "{\n");
	for (u32 p = 0; p < POOLS; p++)
		LINE(g, ".reg .%s %%%c<%u>;\n",
		     p == P_PRED	  ? "pred"
		     : pool[p].bits == 16 ? "b16"
		     : pool[p].bits == 32 ? "b32"
					  : "b64",
		     pool[p].letter, pool[p].count);
	LINE(g,
	     ".reg .pred %%q<4>; .reg .b32 %%t<8>; .reg .b64 %%t8; .reg .b16 %%s<2>; .reg .b32 %%c<%u>; .reg .b32 %%m<%u>;\n",
	     REGS, REGS);
	LINE(g,
	     ".reg .b32 %%cf, %%vf, %%cy, %%vy, %%cz, %%vz, %%number, %%cta, %%lane, %%handed, %%handed0; .reg .b64 %%ce, %%ve; .reg .b16 %%cx, %%vx, %%cb, %%vb;\n");
	LINE(g, ".reg .b64 %%in, %%out, %%mine, %%slice, %%a, %%totals;\n");
	LINE(g,
	     ".shared .align 16 .b8 slices[%u];\n.shared .align 16 .b8 hand[%u];\n.shared .align 16 .b8 totals[%u];\n.local .align 16 .b8 own[%u];\n",
	     g->lanes * SLICE, g->lanes * 4, TOTALS, PRIVATE);
}

/* How many bytes a lane leaves. */
static u32 left_bytes(void)
{
	u32 bytes = PRIVATE + FLOATS + 4;

	for (u32 p = 1; p < POOLS; p++)
		bytes += pool[p].count * 8;
	return (bytes + 15) / 16 * 16;
}

static void begin(struct gen *g)
{
	LINE(g, "ld.param.u64 %%in, [in]; ld.param.u64 %%out, [out]; mov.u64 %%totals, %%out;\n");
	LINE(g,
	     "mov.u32 %%t0, %%tid.z; mov.u32 %%t1, %%ntid.y; mov.u32 %%t2, %%tid.y; mad.lo.u32 %%t0, %%t0, %%t1, %%t2;\n"
	     "mov.u32 %%t1, %%ntid.x; mov.u32 %%t2, %%tid.x; mad.lo.u32 %%number, %%t0, %%t1, %%t2;\n"
	     "mov.u32 %%t0, %%ctaid.y; mov.u32 %%t1, %%nctaid.x; mov.u32 %%t2, %%ctaid.x; mad.lo.u32 %%cta, %%t0, %%t1, %%t2;\n");
	LINE(g,
	     "mad.lo.u32 %%lane, %%cta, %u, %%number; mul.wide.u32 %%a, %%lane, %u; add.u64 %%mine, %%out, %%a; add.u64 %%mine, %%mine, %u;\n",
	     g->lanes, left_bytes(), TOTALS);
	LINE(g,
	     "mov.u64 %%slice, slices; mul.wide.u32 %%a, %%number, %u; add.u64 %%slice, %%slice, %%a; mov.u32 %%handed0, hand; "
	     "mad.lo.u32 %%handed, %%number, 4, %%handed0;\n",
	     SLICE);
	LINE(g,
	     "mov.u64 %%t8, 0; st.shared.v2.b64 [%%slice], {%%t8, %%t8}; st.shared.v2.b64 [%%slice+16], {%%t8, %%t8}; mov.u32 %%t0, 0; st.shared.u32 [%%handed], %%t0;\n");
	for (u32 i = 0; i < PRIVATE; i += 16)
		LINE(g, "st.local.v2.b64 [own+%u], {%%t8, %%t8};\n", i);
	/* Each lane sets the sums of the CTA: all to the same. */
	if (g->barriers) {
		for (u32 i = 0; i < TOTALS; i += 16)
			LINE(g, "st.shared.v2.b64 [totals+%u], {%%t8, %%t8};\n", i);
		LINE(g, "bar.sync 0;\n");
	}
	LINE(g, "mul.wide.u32 %%a, %%number, 28; and.b64 %%a, %%a, %u; add.u64 %%a, %%in, %%a;\n", IN_BYTES / 2 - 8);
	for (u32 p = P_H; p < POOLS; p++)
		for (u32 i = 0; i < pool[p].count; i++)
			if (pool[p].nan && dice(&g->d, 2))
				LINE(g, "cvt.rn.%s.s32 %%%c%u, %%%c%u;\n",
				     p == P_Y	? "f32"
				     : p == P_Z ? "f32"
						: pool[p].nan,
				     pool[p].letter, i, 'r', some(g, P_R));
			else
				LINE(g, "ld.global.u%u %%%c%u, [%%a+%u];\n", pool[p].bits, pool[p].letter, i,
				     8 * dice(&g->d, IN_BYTES / 16 - 1));
	for (u32 i = 0; i < pool[P_PRED].count; i++)
		LINE(g, "and.b32 %%t0, %s, %u; setp.ne.u32 %%p%u, %%t0, 0;\n", reg(g, P_R), 1u << dice(&g->d, 5), i);
	LINE(g, "//begin\n");
}

/* The sums of numbers, too. */
static void leave_sums(struct gen *g)
{
	for (u32 i = 0; i < 4; i++) {
		LINE(g, "ld.global.b32 %%f0, [%%mine+%u]; ", PRIVATE + 4 * i);
		canonical(g, P_F, "%f0");
		LINE(g, "st.global.b32 [%%mine+%u], %%cf;\n", PRIVATE + 4 * i);
	}
	for (u32 i = 0; i < 2; i++) {
		LINE(g, "ld.global.b64 %%e0, [%%mine+%u]; ", PRIVATE + 16 + 8 * i);
		canonical(g, P_E, "%e0");
		LINE(g, "st.global.b64 [%%mine+%u], %%ce;\n", PRIVATE + 16 + 8 * i);
	}
}

static void leave(struct gen *g)
{
	u32 at = PRIVATE + FLOATS;

	LINE(g, "//end\nOVER:\nmov.u32 %%t0, 0;\n");
	for (u32 i = 0; i < pool[P_PRED].count; i++)
		LINE(g, "selp.u32 %%t1, %u, 0, %%p%u; or.b32 %%t0, %%t0, %%t1;\n", 1u << i, i);
	LINE(g, "st.global.u32 [%%mine+%u], %%t0;\n", at);
	at += 4;
	at = (at + 7) / 8 * 8;
	for (u32 p = P_H; p < POOLS; p++) {
		if (p == P_X)
			leave_sums(g);
		if (p == P_X && g->ragged)
			LINE(g, "@%%p0 exit;\n");
		for (u32 i = 0; i < pool[p].count; i++, at += 8) {
			char name[16];

			snprintf(name, sizeof(name), "%%%c%u", pool[p].letter, i);
			if (pool[p].nan) {
				canonical(g, (u8)p, name);
				snprintf(name, sizeof(name), "%%c%c", pool[p].letter);
			}
			LINE(g, "st.global.b%u [%%mine+%u], %s;\n", pool[p].bits, at, name);
		}
	}
	if (g->barriers)
		/* The first lane of a CTA adds what the CTA has summed up. */
		LINE(g,
		     "bar.sync 0; setp.ne.u32 %%q0, %%number, 0; @%%q0 bra LAST;\n"
		     "ld.shared.u32 %%t0, [totals]; red.global.add.u32 [%%totals], %%t0; ld.shared.u32 %%t0, [totals+4]; red.global.min.s32 [%%totals+4], %%t0;\n"
		     "ld.shared.u32 %%t0, [totals+8]; red.global.max.u32 [%%totals+8], %%t0; ld.shared.u32 %%t0, [totals+12]; red.global.and.b32 [%%totals+12], %%t0;\n"
		     "ld.shared.u32 %%t0, [totals+16]; red.global.or.b32 [%%totals+16], %%t0; ld.shared.u32 %%t0, [totals+20]; red.global.xor.b32 [%%totals+20], %%t0;\n"
		     "ld.shared.u32 %%t0, [totals+24]; red.global.add.u32 [%%totals+40], %%t0; ld.shared.u32 %%t0, [totals+28]; red.global.max.s32 [%%totals+28], %%t0;\n"
		     "ld.shared.u32 %%t0, [totals+32]; red.global.min.u32 [%%totals+32], %%t0;\n"
		     "LAST:\n");
	LINE(g, "ret;\n}\n");
}

void task_fill(struct task *t, u64 seed)
{
	struct dice d = {seed * 0x9e3779b97f4a7c15 + 5};

	t->in = xcalloc(1, t->in_bytes);
	for (u32 i = 0; i < t->in_bytes / 8; i++) {
		u64 v = dice(&d, 2) ? dice_word(&d) : dice_word(&d) & 0x807fffff807fffff;

		v = dice(&d, 4) ? v : (u64)dice(&d, 40) | (u64)dice(&d, 40) << 32;
		memcpy(t->in + 8 * i, &v, 8);
	}
}

void task_draw(struct task *t, u64 seed, bool gpu)
{
	static const u32 shape[][3] = {{32, 1, 1}, {64, 1, 1}, {96, 1, 1}, {128, 1, 1}, {8, 4, 1},
				       {8, 4, 2},  {16, 2, 3}, {4, 4, 4},  {160, 1, 1}};
	struct gen g = {.seed = seed, .gpu = gpu, .d = {seed * 0x2545f4914f6cdd1d + 77}, .uniform = true, .masks = 1};
	struct dice *d = &g.d;

	if (!forms)
		forms_find();
	*t = (struct task){.grid = {1 + dice(d, 3), 1 + (dice(d, 3) == 0), 1}};
	snprintf(t->kernel, sizeof(t->kernel), "k%llx", (unsigned long long)seed);
	memcpy(t->block, shape[dice(d, 9)], sizeof(t->block));
	g.warps = dice(d, 2);
	g.barriers = dice(d, 3) != 0;
	if (g.warps)
		snprintf(g.mask, sizeof(g.mask), "-1");
	g.ragged = !g.warps && !g.barriers;
	if (!g.warps && dice(d, 3) == 0)
		memcpy(t->block, (u32[]){1 + dice(d, 100), 1, 1}, sizeof(t->block));
	g.lanes = t->block[0] * t->block[1] * t->block[2];
	g.most = 40 + dice(d, 80);
	t->warps = g.warps;
	head(&g, t);
	begin(&g);
	while (g.statements < g.most)
		statement(&g, 0);
	leave(&g);
	t->text = g.t.s;
	t->in_bytes = IN_BYTES;
	task_fill(t, seed);
	t->out_bytes = TOTALS + left_bytes() * g.lanes * t->grid[0] * t->grid[1];
	t->out = xcalloc(1, t->out_bytes);
	t->seed = seed;
}
