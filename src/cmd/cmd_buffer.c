/* cmd_buffer.c - buffer: an array in global memory and what is in it at the beginning. */
#include "complete.h"
#include "arguments.h"
#include "interrupt.h"
#include "paths.h"
#include "scene.h"
#include "values.h"

#include <errno.h>

#define LIMIT (8ULL << 30)

/* What a fill needs: the array, and where its words stand. */
struct fill {
	u8 type;
	u64 count;
	u8 *bytes;
	const struct token *word; /* behind the keyword */
	u32 nwords;
};

/* TYPE[COUNT], count a product of numbers. */
static enum status cmd_buffer_parse_shape(const char *text, u8 *type, u64 *count, struct error *e)
{
	size_t n = strcspn(text, "[");
	char name[8] = "", *end;
	const char *at = text + n + 1;
	int found;

	snprintf(name, sizeof(name), "%.*s", (int)min_u32((u32)n, 7), text);
	found = value_type_find(name);
	if (found < 0)
		return error_set(e, STATUS_USAGE, "'%s' is not an element type (u8 s8 u16 s16 u32 s32 u64 s64 f32 f64)",
				 token_shown(name));
	*type = (u8)found;
	*count = 1;
	if (!text[n])
		return error_set(e, STATUS_USAGE, "missing size (usage: `buffer NAME %s[COUNT]`)", name);
	do {
		u64 factor;

		errno = 0;
		factor = strtoull(at, &end, 0);
		if (end == at || *at < '0' || *at > '9' || (*end != ']' && *end != '*'))
			return error_set(e, STATUS_USAGE, "'%s' is not of the form TYPE[COUNT]", token_shown(text));
		if (errno || (factor && *count > LIMIT / factor))
			return error_set(e, STATUS_USAGE, "'%s' does not fit in memory (all buffers together: 8 GiB)",
					 token_shown(text));
		*count *= factor;
		at = end + 1;
	} while (*end == '*');
	return *at ? error_set(e, STATUS_USAGE, "'%s' is not of the form TYPE[COUNT]", token_shown(text)) : STATUS_OK;
}

/* A word of the fill as a real number. */
static enum status cmd_buffer_real_word(const struct fill *f, u32 i, double *out, struct error *e)
{
	char *end;

	*out = strtod(f->word[i].s, &end);
	if (end == f->word[i].s || *end || !(*out > -1e300 && *out < 1e300))
		return usage_at(e, f->word[i].column, "'%s' is not a number", token_shown(f->word[i].s));
	return STATUS_OK;
}

static bool cmd_buffer_is_real(u8 type)
{
	return type == VALUE_F32 || type == VALUE_F64;
}

/* Element i of many is to be filled: is it time to look for an interrupt, and has one come? */
static bool cmd_buffer_ends(u64 i)
{
	return !(i & 0xfffff) && interrupt_wanted();
}

/* fill V */
static enum status cmd_buffer_fill_same(struct session *s UNUSED, struct fill *f, struct error *e)
{
	u32 size = value_type_size[f->type];
	u8 one[8];

	if (value_parse(f->type, f->word[0].s, one, e)) {
		e->column = f->word[0].column;
		return STATUS_USAGE;
	}
	for (u64 i = 0; i < f->count && !cmd_buffer_ends(i); i++)
		memcpy(f->bytes + i * size, one, size);
	return STATUS_OK;
}

/* iota [START [STEP]] */
static enum status cmd_buffer_fill_iota(struct session *s UNUSED, struct fill *f, struct error *e)
{
	u32 size = value_type_size[f->type];
	double start = 0, step = 1;
	u8 first[8] = {0}, by[8] = {0};

	if (cmd_buffer_is_real(f->type)) {
		if ((f->nwords > 0 && cmd_buffer_real_word(f, 0, &start, e)) ||
		    (f->nwords > 1 && cmd_buffer_real_word(f, 1, &step, e)))
			return STATUS_USAGE;
	} else if ((f->nwords > 0 && value_parse(f->type, f->word[0].s, first, e)) ||
		   (f->nwords > 1 && value_parse(VALUE_S64, f->word[1].s, by, e))) {
		return STATUS_USAGE;
	}
	if (f->nwords < 2)
		by[0] = 1;
	for (u64 i = 0; i < f->count && !cmd_buffer_ends(i); i++) {
		u64 from = (u64)value_load(f->type, first).i, delta = (u64)value_load(VALUE_S64, by).i;

		value_store(f->type, start + step * (double)i, (i64)(from + delta * i), f->bytes + i * size);
	}
	return STATUS_OK;
}

/* Does a bound of random integers fit the type? */
static enum status cmd_buffer_check_bound(const struct fill *f, u32 i, double v, struct error *e)
{
	bool is_signed = f->type == VALUE_S8 || f->type == VALUE_S16 || f->type == VALUE_S32 || f->type == VALUE_S64;
	double span = 1, top;

	for (u32 b = 0; b < value_type_size[f->type] * 8u; b++)
		span *= 2;
	top = is_signed ? span / 2 : span;
	if (cmd_buffer_is_real(f->type) || (v < top && v >= (is_signed ? -top : 0)))
		return STATUS_OK;
	return usage_at(e, f->word[i].column, "'%s' does not fit type %s", token_shown(f->word[i].s),
			value_type_name[f->type]);
}

/* random SEED LO HI [integer] */
static enum status cmd_buffer_fill_random(struct session *s UNUSED, struct fill *f, struct error *e)
{
	u32 size = value_type_size[f->type];
	bool integer = !cmd_buffer_is_real(f->type);
	double lo, hi;
	u8 seed[8];

	if (value_parse(VALUE_U64, f->word[0].s, seed, e)) {
		e->column = f->word[0].column;
		return STATUS_USAGE;
	}
	if (cmd_buffer_real_word(f, 1, &lo, e) || cmd_buffer_real_word(f, 2, &hi, e) ||
	    cmd_buffer_check_bound(f, 1, lo, e) || cmd_buffer_check_bound(f, 2, hi, e))
		return STATUS_USAGE;
	if (hi < lo)
		return usage_at(e, f->word[2].column, "'%s' is below '%s' (LO comes before HI)",
				token_shown(f->word[2].s), token_shown(f->word[1].s));
	if (f->nwords > 3 && strcmp(f->word[3].s, "integer"))
		return usage_at(e, f->word[3].column, "unexpected '%s' (only `integer` may follow)",
				token_shown(f->word[3].s));
	integer |= f->nwords > 3;
	for (u64 i = 0; i < f->count && !cmd_buffer_ends(i); i++) {
		double v = random_value((u64)value_load(VALUE_U64, seed).i, i, lo, hi, integer);

		value_store(f->type, v, v < 0x1p63 ? (i64)v : (i64)(u64)v, f->bytes + i * size);
	}
	return STATUS_OK;
}

/* file PATH: raw, little-endian */
static enum status cmd_buffer_fill_file(struct session *s, struct fill *f, struct error *e)
{
	u64 want = f->count * value_type_size[f->type];
	char *path = path_resolve(s, &f->word[0], false, e), *data = NULL;
	size_t len = 0;
	enum status st;

	if (!path)
		return STATUS_USAGE;
	st = file_read(path, want + (1u << 20), &data, &len, e);
	if (!st && len != want)
		st = usage_at(e, f->word[0].column, "%s: %zu bytes, but the buffer has %llu (the sizes must match)",
			      safe_text(path), len, want);
	if (!st)
		memcpy(f->bytes, data, len);
	else
		e->column = f->word[0].column;
	free(data);
	free(path);
	return st;
}

/* zero */
static enum status cmd_buffer_fill_zero(struct session *s UNUSED, struct fill *f UNUSED, struct error *e UNUSED)
{
	return STATUS_OK;
}

static const struct {
	const char *name, *usage;
	u32 least, most; /* words behind it */
	enum status (*fill)(struct session *s, struct fill *f, struct error *e);
} fill_row[] = {{"zero", "zero", 0, 0, cmd_buffer_fill_zero},
		{"fill", "fill VALUE", 1, 1, cmd_buffer_fill_same},
		{"iota", "iota [START [STEP]]", 0, 2, cmd_buffer_fill_iota},
		{"random", "random SEED LO HI [integer]", 3, 4, cmd_buffer_fill_random},
		{"file", "file PATH", 1, 1, cmd_buffer_fill_file}};

const char *fill_word(u32 i)
{
	return i < ARRAY_LEN(fill_row) ? fill_row[i].name : NULL;
}

/* The initial bytes of a buffer; *out is NULL for zeros. */
static enum status cmd_buffer_make_init(struct session *s, const struct args *a, u8 type, u64 count, u8 **out,
					struct error *e)
{
	u32 row = 0, words = a->ntokens - a->rest;
	const struct token *t = words ? &a->token[a->rest] : NULL;
	struct fill f = {.type = type,
			 .count = count,
			 .word = words > 1 ? &a->token[a->rest + 1] : NULL,
			 .nwords = words ? words - 1 : 0};
	enum status st;

	*out = NULL;
	if (!t)
		return STATUS_OK;
	while (row < ARRAY_LEN(fill_row) && strcmp(t->s, fill_row[row].name))
		row++;
	if (row == ARRAY_LEN(fill_row))
		return usage_at(e, t->column, "'%s' is not a kind of contents (zero, fill, iota, random, file)",
				token_shown(t->s));
	if (f.nwords < fill_row[row].least || f.nwords > fill_row[row].most)
		return usage_at(e, t->column, "%s: wrong number of values (usage: `buffer NAME TYPE[COUNT] %s`)",
				fill_row[row].name, fill_row[row].usage);
	if (fill_row[row].fill == cmd_buffer_fill_zero)
		return STATUS_OK;
	st = scene_filled_room(s, a->arg[0].text, count * value_type_size[type], e);
	if (st)
		return st;
	f.bytes = xcalloc(count, value_type_size[type]);
	st = fill_row[row].fill(s, &f, e);
	if (!st && interrupt_wanted())
		st = interrupt_status(s, e);
	if (st)
		free(f.bytes);
	else
		*out = f.bytes;
	return st;
}

/* Is a word a name that expressions can read? */
static bool cmd_buffer_is_name(const char *s)
{
	size_t n = strspn(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");

	return *s && !s[n] && n < 64 && (*s < '0' || *s > '9');
}

enum status buffer_name_check(struct session *s, const char *name, u32 column, struct error *e)
{
	if (!cmd_buffer_is_name(name))
		return usage_at(e, column,
				"'%s' is not a valid buffer name (letters, digits and '_', not beginning with a digit)",
				token_shown(name));
	if (scene_buffer(s, name))
		return usage_at(e, column, "buffer '%s' already exists (choose another name)", token_shown(name));
	return STATUS_OK;
}

static enum status cmd_buffer_run(struct session *s, const struct args *a, struct error *e)
{
	enum status st;
	u64 count = 0;
	u8 type = 0, *init;

	st = buffer_name_check(s, a->arg[0].text, a->arg[0].column, e);
	if (st)
		return st;
	st = cmd_buffer_parse_shape(a->arg[1].text, &type, &count, e);
	if (!st && !count)
		st = error_set(e, STATUS_USAGE, "buffer '%s' is empty (the size must be at least 1)", a->arg[0].text);
	if (!st && count > LIMIT / value_type_size[type])
		st = error_set(e, STATUS_USAGE, "'%s' does not fit in memory (all buffers together: 8 GiB)",
			       token_shown(a->arg[1].text));
	if (st) {
		e->column = a->arg[1].column;
		return st;
	}
	st = cmd_buffer_make_init(s, a, type, count, &init, e);
	if (!st)
		st = scene_add_buffer(s, a->arg[0].text, type, count, init, e);
	if (!st && a->rest < a->ntokens)
		scene_define_buffer(s);
	if (!st && s->stale)
		session_print(s, "takes effect at restart\n");
	return st;
}

const struct command command_buffer = {
	.name = "buffer",
	.group = "setup",
	.summary = "declare an array in global memory",
	.details =
		"TYPE is u8 s8 u16 s16 u32 s32 u64 s64 f32 or f64. The initial contents are `zero` (default), `fill VALUE`,\n"
		"`iota [START [STEP]]`, `random SEED LO HI` or `file PATH` (raw, little-endian). Random values are below HI;\n"
		"with `integer`, and always for integer types, they are whole numbers up to HI. An unmapped gap after each\n"
		"buffer makes overruns fault.",
	.examples = "buffer a f32[4096] random 1 -1.0 1.0\nbuffer c f32[64*64]\nbuffer row s32[1001] file data/row.in",
	.flags = COMMAND_SETUP | COMMAND_READS | COMMAND_LOADS,
	.run = cmd_buffer_run,
	.arg = {{"NAME", ARG_WORD, .doc = "name of the buffer"},
		{"TYPE[COUNT]", ARG_WORD, .doc = "element type and number of elements"},
		{"zero | fill V | iota [START [STEP]] | random SEED LO HI [integer] | file PATH", ARG_REST,
		 .doc = "initial contents", .complete = complete_fill, .optional = true}},
};
