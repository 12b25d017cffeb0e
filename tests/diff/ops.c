/*
 * ops.c - every form of every row of ops.def that is of one lane, over a table of values: what is zero, infinite, no
 * number, denormal, or at the end of a range, each with each, and random ones. Ours beside the second interpreter's,
 * and beside a GPU's.
 */
#include "diff.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { EDGES = 64, ITEMS = EDGES * EDGES * 2, BLOCK = 128, FORMS = 24, LETTERS = 3, SOURCES = 4, SHOWN = 6 };

static const struct {
	const char *id, *forms, *signature, *body;
} row[] = {
#define OP(id, forms, signature, class, body) {#id, forms, signature, #body},
#include "tables/ops.def"
#undef OP
};

struct form {
	char name[64];
	const char *id, *from; /* from: sources */
	char to;
	bool carries;
};

static struct form *form;
static u32 forms;
static u32 items = ITEMS; /* of which the first half are of ends of ranges; fewer where it must be quick */

static const u64 edge_w[EDGES] = {
	0,	    0x80000000, 1,	    2,		3,	    0xffffffff, 0xfffffffe, 0x7fffffff,
	0x7ffffffe, 0x80000001, 8,	    31,		32,	    33,		64,	    255,
	256,	    0xffff,	0x10000,    0x7fff8000, 0x3f800000, 0xbf800000, 0x3f000000, 0x3fc00000,
	0x40200000, 0xc0600000, 0x7f800000, 0xff800000, 0x7fc00000, 0x7f800001, 0xffc12345, 0x00800000,
	0x007fffff, 0x807fffff, 0x80800000, 0x00800001, 0x7f7fffff, 0xff7fffff, 0x4b000001, 0x4effffff,
	0x4f000000, 0xcf000000, 0x4f7fffff, 0x4f800000, 0x5f000000, 0x5f800000, 0x477fe000, 0x477ff000,
	0x33000000, 0x33800001, 0x387fc000, 0x7c00fc00, 0x7e013c00, 0x04000001, 0x83ff7bff, 0x43e00000,
	0x43e80000, 0x3f7fffff, 0x3f800001, 0x1f800000, 0x9f7fffff, 0x7f8080ff, 0x7e800001, 0xfe800001};
static const u64 edge_h[EDGES] = {
	0,	0x8000, 1,	0x8001, 2,	3,	7,	8,	15,	16,	17,	0x1f,	0x3f,
	0x7f,	0x80,	0x81,	0xff,	0x100,	0x3ff,	0x400,	0x401,	0x83ff, 0x8400, 0x3c00, 0xbc00, 0x3800,
	0x3e00, 0x4100, 0xc300, 0x7bff, 0xfbff, 0x7c00, 0xfc00, 0x7e00, 0x7c01, 0xfe55, 0x7fff, 0xffff, 0xfffe,
	0x3bff, 0x3c01, 0x7f80, 0xff80, 0x7f7f, 0xff7f, 0x7fc0, 0x7f81, 0x3f80, 0xbf80, 0x3f00, 0x3fc0, 0x4020,
	0x5bff, 0x5c00, 0x4f80, 0xcf00, 0x5f00, 0x007f, 0x807f, 0x1400, 0x3a00, 0x5555, 0x1234, 0xabcd};
static const u64 edge_d[EDGES] = {0,
				  1ULL << 63,
				  1,
				  2,
				  3,
				  ~0ULL,
				  ~1ULL,
				  ~0ULL >> 1,
				  (~0ULL >> 1) - 1,
				  (1ULL << 63) + 1,
				  31,
				  32,
				  63,
				  64,
				  65,
				  0xffffffff,
				  0x100000000,
				  0x7fffffff,
				  0x80000000,
				  0xffffffff80000000,
				  0x3ff0000000000000,
				  0xbff0000000000000,
				  0x3fe0000000000000,
				  0x3ff8000000000000,
				  0x4004000000000000,
				  0xc00c000000000000,
				  0x7ff0000000000000,
				  0xfff0000000000000,
				  0x7ff8000000000000,
				  0x7ff0000000000001,
				  0xfff8123456789abc,
				  0x0010000000000000,
				  0x000fffffffffffff,
				  0x800fffffffffffff,
				  0x8010000000000000,
				  0x7fefffffffffffff,
				  0xffefffffffffffff,
				  0x41dfffffffc00000,
				  0x41e0000000000000,
				  0xc1e0000000000000,
				  0x41efffffffe00000,
				  0x41f0000000000000,
				  0x43e0000000000000,
				  0xc3e0000000000000,
				  0x43efffffffffffff,
				  0x43f0000000000000,
				  0x47efffffe0000000,
				  0x47effffff0000000,
				  0x3810000000000000,
				  0x380fffffe0000000,
				  0x380ffffff0000000,
				  0x36a0000000000000,
				  0x3690000000000000,
				  0x40effc0000000000,
				  0x3f8000007f800000,
				  0x7fc00000ff800000,
				  0x00000001807fffff,
				  0x3fefffffffffffff,
				  0x3ff0000000000001,
				  0x4330000000000001,
				  0x4340000000000001,
				  0x3ca0000000000000,
				  0x000000003f800000,
				  0x123456789abcdef0};

u64 dice_word(struct dice *d)
{
	u64 z = d->state += 0x9e3779b97f4a7c15;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
	z = (z ^ z >> 27) * 0x94d049bb133111eb;
	return z ^ z >> 31;
}

u32 dice(struct dice *d, u32 n)
{
	return (u32)((dice_word(d) >> 32) * n >> 32);
}

/* A value that is not at an end: any bits, numbers near one, small integers, what is next to an end. */
static u64 between(struct dice *d, u32 letter)
{
	static const u64 *const edge[LETTERS] = {edge_h, edge_w, edge_d};
	u64 any = dice_word(d);

	switch (dice(d, 6)) {
	case 0:
	case 1: return any;
	case 2: return any % 41 - 8;
	case 3: return edge[letter][any % EDGES] + any / EDGES % 5 - 2;
	default: break;
	}
	if (letter == 0)
		return dice(d, 2) ? (any & 0x83ff) | (10 + any / 65536 % 12) << 10
				  : (any & 0x807f) | (120 + any / 65536 % 14) << 7;
	if (letter == 1 && dice(d, 2))
		return (any & 0x83ff83ff) | (10 + any / 65536 / 65536 % 12) << 10 |
		       (10 + any / 65536 / 65536 / 64 % 12) << 26;
	if (letter == 1)
		return (any & 0x807fffff) | (112 + any / 65536 / 65536 % 30) << 23;
	if (dice(d, 4))
		return (any & 0x800fffffffffffff) | (u64)(1000 + dice(d, 46)) << 52;
	return (any & 0x807fffff807fffff) | (u64)(117 + dice(d, 20)) << 23 | (u64)(117 + dice(d, 20)) << 55;
}

/* in[letter][source][item], 8 bytes each. Of fewer items, each end of a range still stands in either place. */
static void inputs_fill(u64 *in)
{
	static const u64 *const edge[LETTERS] = {edge_h, edge_w, edge_d};
	struct dice d = {12345};

	for (u32 l = 0; l < LETTERS; l++)
		for (u32 s = 0; s < SOURCES; s++)
			for (u32 i = 0; i < ITEMS; i++) {
				u32 n = items < ITEMS ? i * (EDGES + 1) : i;
				u32 pick = s == 0 ? n % EDGES : s == 1 ? n / EDGES % EDGES : dice(&d, EDGES);

				in[(l * SOURCES + s) * ITEMS + i] = i < items / 2 ? edge[l][pick] : between(&d, l);
			}
}

static bool asked(const char *name, int n, char **pattern)
{
	for (int i = 0; i < n; i++)
		if (strstr(name, pattern[i]))
			return true;
	return !n;
}

static void forms_find(int n, char **pattern, bool sm_90)
{
	static const char *const skipped[] = {"cvta", "isspacep", "bar.",  "shfl",
					      "vote", "match",	  "redux", "activemask"};
	static const char *const not_there[] = {
#include "not_sm_90.h"
	};

	for (u32 r = 0; r < sizeof(row) / sizeof(row[0]); r++) {
		bool carries = strstr(row[r].id, "ADDC_") || strstr(row[r].id, "SUBC_") || strstr(row[r].id, "MADC_"),
		     skip = false;
		char *all = xstrdup(row[r].forms), *from;

		from = all;
		if ((!strcmp(row[r].body, "NONE") && !carries && !strstr(row[r].forms, ".pred")) ||
		    !strchr(row[r].signature, ':'))
			from = NULL;
		for (u32 k = 0; k < sizeof(skipped) / sizeof(skipped[0]); k++)
			skip |= !strncmp(row[r].forms, skipped[k], strlen(skipped[k]));
		for (char *name; from && !skip && (name = strtok_r(from, " ", &from));) {
			struct form f = {.id = row[r].id, .to = *row[r].signature, .carries = carries};
			bool there = true;

			for (u32 k = 0; sm_90 && k < sizeof(not_there) / sizeof(not_there[0]); k++)
				there &= strcmp(not_there[k], name) != 0;
			snprintf(f.name, sizeof(f.name), "%s", name);
			if (strchr(f.name, '/'))
				*strchr(f.name, '/') = 0;
			f.from = strchr(row[r].signature, ':') + 1;
			if (!there || !asked(name, n, pattern))
				continue;
			form = xrealloc(form, (forms + 1) * sizeof(*form));
			form[forms++] = f;
		}
		free(all);
	}
}

static const char letters[] = "hwd";

/* One form, and where its result goes: slot 2k, for the carry 2k + 1. */
static void form_text(struct text *t, const struct form *f, u32 k)
{
	bool sub = !strncmp(f->name, "sub", 3);

	if (f->carries)
		text_add(t, "%s.cc.u32 %%t0, %%w2, %%w3;\n", sub ? "sub" : "add");
	text_add(t, "%s %%%c9", f->name, f->to);
	for (u32 s = 0; f->from[s]; s++)
		if (!strcmp(f->name, "lop3.b32") && s == 3)
			text_add(t, ", %u", k * 37 % 256);
		else
			text_add(t, ", %%%c%u", f->from[s], s);
	text_add(t, ";\n");
	if (f->to == 'p')
		text_add(t, "selp.u32 %%w9, 1, 0, %%p9;\n");
	text_add(t, "st.global.%s [%%out+%u], %%%c9;\n",
		 f->to == 'd'	? "u64"
		 : f->to == 'h' ? "u16"
				: "u32",
		 2 * k * ITEMS * 8, f->to == 'p' ? 'w' : f->to);
	if (f->carries)
		text_add(t, "%sc.u32 %%t1, 0, 0; st.global.u32 [%%out+%u], %%t1;\n", sub ? "sub" : "add",
			 (2 * k + 1) * ITEMS * 8);
}

static void task_of(struct task *t, const struct form *f, u32 n, u32 number)
{
	struct text text = {0};

	*t = (struct task){.grid = {items / BLOCK, 1, 1}, .block = {BLOCK, 1, 1}};
	snprintf(t->kernel, sizeof(t->kernel), "ops%u", number);
	text_add(
		&text,
		".version 8.6\n.target sm_90\n.address_size 64\n.visible .entry %s(.param .u64 in, .param .u64 out)\n{\n",
		t->kernel);
	text_add(
		&text,
		".reg .pred %%p<10>; .reg .b16 %%h<10>; .reg .b32 %%w<10>; .reg .b64 %%d<10>; .reg .b32 %%t<4>;\n"
		".reg .b64 %%in, %%out;\n"
		"ld.param.u64 %%in, [in]; ld.param.u64 %%out, [out];\n"
		"mov.u32 %%t0, %%ctaid.x; mov.u32 %%t1, %%ntid.x; mov.u32 %%t2, %%tid.x; mad.lo.u32 %%t0, %%t0, %%t1, %%t2;\n"
		"mul.wide.u32 %%d9, %%t0, 8; add.u64 %%in, %%in, %%d9; add.u64 %%out, %%out, %%d9;\n");
	for (u32 l = 0; l < LETTERS; l++)
		for (u32 s = 0; s < SOURCES; s++)
			text_add(&text, "ld.global.%s %%%c%u, [%%in+%u];\n",
				 l == 0	  ? "u16"
				 : l == 1 ? "u32"
					  : "u64",
				 letters[l], s, (l * SOURCES + s) * ITEMS * 8);
	for (u32 s = 0; s < SOURCES; s++)
		text_add(&text, "and.b32 %%t0, %%w%u, 1; setp.ne.u32 %%p%u, %%t0, 0;\n", s, s);
	for (u32 k = 0; k < n; k++)
		form_text(&text, &f[k], k);
	text_add(&text, "ret;\n}\n");
	t->text = text.s;
	t->in_bytes = LETTERS * SOURCES * ITEMS * 8;
	t->out_bytes = 2 * n * ITEMS * 8;
	t->in = xcalloc(1, t->in_bytes);
	t->out = xcalloc(1, t->out_bytes);
	inputs_fill((u64 *)(void *)t->in);
}

/* Of the result: bits of a number's exponent and mantissa, or 0; two numbers at once. */
static void result_shape(const struct form *f, u32 *exponent, u32 *mantissa, bool *pair)
{
	static const struct {
		const char *type;
		u32 exponent, mantissa;
		bool pair;
	} known[] = {{".f16x2", 5, 10, true}, {".bf16x2", 8, 7, true}, {".f32x2", 8, 23, true},
		     {".tf32", 8, 23, false}, {".f16", 5, 10, false},  {".bf16", 8, 7, false},
		     {".f32", 8, 23, false},  {".f64", 11, 52, false}};
	const char *best = NULL, *at;

	*exponent = *mantissa = 0;
	*pair = false;
	if (f->to == 'p' || strstr(f->name, "2.bf16") || strstr(f->name, "x2.f32") == f->name)
		return;
	/* The first type decides. */
	at = f->name;
	while ((at = strchr(at, '.'))) {
		size_t n = strcspn(at + 1, ".") + 1;

		for (u32 k = 0; k < sizeof(known) / sizeof(known[0]); k++)
			if (n == strlen(known[k].type) && !strncmp(at, known[k].type, n)) {
				*exponent = known[k].exponent;
				*mantissa = known[k].mantissa;
				*pair = known[k].pair;
				best = at;
			}
		if (best || (n <= 4 && at[1] && strchr("usb", at[1]) && at[2] >= '0' && at[2] <= '9') ||
		    strstr(at, "x2") == at + n - 2)
			return;
		at++;
	}
}

static bool no_number(u64 v, u32 e, u32 m)
{
	u64 top = ((1ULL << e) - 1) << m;

	return (v & top) == top && v & ((1ULL << m) - 1);
}

static u64 distance(u64 a, u64 b, u32 e, u32 m)
{
	u64 sign = 1ULL << (e + m), x = a & (sign - 1), y = b & (sign - 1);

	if ((a ^ b) & sign)
		return x + y;
	return x > y ? x - y : y - x;
}

struct tally {
	u64 differ, nans, far;
	u64 shown;
};

/* 0 same, 1 both are no numbers, 2 another value. */
static int unlike(const struct form *f, u64 a, u64 b, u64 *far)
{
	u32 e, m, bits;
	bool pair;
	int worst = 0;

	if (a == b)
		return 0;
	result_shape(f, &e, &m, &pair);
	if (!e)
		return 2;
	bits = e + m + 1;
	for (u32 k = 0; k <= pair; k++) {
		u64 x = a >> bits * k, y = b >> bits * k;

		if (bits < 64) {
			x &= (1ULL << bits) - 1;
			y &= (1ULL << bits) - 1;
		}
		if (x == y)
			continue;
		if (no_number(x, e, m) && no_number(y, e, m)) {
			worst = worst > 1 ? worst : 1;
		} else {
			worst = 2;
			if (no_number(x, e, m) || no_number(y, e, m))
				*far = ~0ULL;
			else if (distance(x, y, e, m) > *far)
				*far = distance(x, y, e, m);
		}
	}
	return worst;
}

static void item_print(const struct task *t, const struct form *f, const char *who, u32 i, u64 a, u64 b)
{
	const u64 *in = (const u64 *)(const void *)t->in;

	printf("  %s\t%s\t", who, f->name);
	for (u32 s = 0; f->from[s]; s++) {
		char letter = f->from[s];
		u32 l = letter == 'h' ? 0 : letter == 'd' ? 2 : 1;
		u64 v = in[(l * SOURCES + s) * ITEMS + i];

		if (letter == 'p')
			printf("%llu ", (unsigned long long)(v & 1));
		else
			printf("%0*llx ",
			       letter == 'h'   ? 4
			       : letter == 'w' ? 8
					       : 16,
			       (unsigned long long)(letter == 'h'   ? v & 0xffff
						    : letter == 'w' ? v & 0xffffffff
								    : v));
	}
	printf("\t%llx\t%llx\n", (unsigned long long)a, (unsigned long long)b);
}

/* A form's results of two; prints a line, if they differ: form, how many items, of them NaNs alone, largest distance.
 */
static bool form_compare(const struct task *t, const struct form *f, u32 k, const char *who, const u8 *x, const u8 *y)
{
	const u64 *a = (const u64 *)(const void *)x + (size_t)2 * k * ITEMS,
		  *b = (const u64 *)(const void *)y + (size_t)2 * k * ITEMS;
	struct tally n = {0};
	bool near = strstr(f->name, "approx") || strstr(f->name, ".full");

	for (u32 i = 0; i < 2 * ITEMS; i++) {
		u64 far = 0;
		int how = i % ITEMS < items ? unlike(f, a[i], b[i], &far) : 0;

		n.nans += how == 1;
		n.differ += how == 2;
		n.far = far > n.far ? far : n.far;
		if (how == 2 && (!near || far > 1000) && n.shown++ < SHOWN)
			item_print(t, f, who, i % ITEMS, a[i], b[i]);
	}
	if (n.differ + n.nans) {
		printf("%s\t%s\t%s\t%llu\t%llu\t", who, f->id, f->name, (unsigned long long)n.differ,
		       (unsigned long long)n.nans);
		printf(n.far == ~0ULL ? "-\n" : "%llu\n", (unsigned long long)n.far);
	}
	return n.differ && !near;
}

/* usage: differ ops [-q] [-g] [-l LEVEL] [-p] [-s PART/PARTS] [PATTERN...] */
int ops_compare(int argc, char **argv)
{
	bool gpu = false, print = false, failed = false;
	u32 level = 4, part = 0, parts = 1, compared = 0;
	char why[WHY];
	int c;

	while ((c = getopt(argc, argv, "gqpl:s:")) != -1) {
		gpu |= c == 'g';
		print |= c == 'p';
		items = c == 'q' ? ITEMS / 8 : items;
		if (c == 'l')
			level = (u32)atoi(optarg);
		if (c == 's' && sscanf(optarg, "%u/%u", &part, &parts) != 2)
			return 2;
	}
	forms_find(argc - optind, argv + optind, gpu || print);
	if (gpu && !device_there(why)) {
		fprintf(stderr, "%s\n", why);
		return 2;
	}
	for (u32 from = 0, number = 0; from < forms; from += FORMS, number++) {
		u32 n = forms - from < FORMS ? forms - from : FORMS;
		struct task t;
		u8 *out[3];

		if (number % parts != part)
			continue;
		task_of(&t, form + from, n, number);
		if (print) {
			printf("%s", t.text);
			continue;
		}
		for (u32 k = 0; k < 3; k++)
			out[k] = xcalloc(1, t.out_bytes);
		if (by_lane(&t, out[0], why)) {
			printf("second\t%s\t%s\n", form[from].name, why);
			failed = true;
		}
		if (!gpu && by_values(&t, out[1], why)) {
			printf("ours\t%s\t%s\n", form[from].name, why);
			failed = true;
		}
		if (gpu && by_device(&t, 1, level, (u8 *[]){out[2]}, why)) {
			printf("gpu\t%s\t%s\n", form[from].name, why);
			memcpy(out[2], out[0], t.out_bytes);
			failed = true;
		}
		for (u32 k = 0; k < n; k++) {
			compared++;
			failed |= form_compare(&t, &form[from + k], k, gpu ? "gpu" : "ours", gpu ? out[2] : out[1],
					       out[0]);
		}
		fflush(stdout);
		for (u32 k = 0; k < 3; k++)
			free(out[k]);
		task_free(&t);
	}
	if (!print)
		printf("# %u forms, %u items each\n", compared, items);
	return failed;
}
