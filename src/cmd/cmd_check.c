/* cmd_check.c - check: a buffer's elements against a file or a formula. */
#include "complete.h"
#include "expr.h"
#include "interrupt.h"
#include "paths.h"
#include "values.h"

#include <math.h>

#define BLOCK 4096 /* elements read at once */

/* A check being made. */
struct check {
	struct session *s;
	const struct buffer *b;
	double tolerance;
	const char *want_bytes; /* of a file */
	struct expr *formula;
	i64 index;
	u64 wrong, first; /* elements that differ; the first of them */
	struct value got, want;
};

/* The scope of a formula: i is the element. */
static bool cmd_check_lookup(void *self, const char *name, struct value *out)
{
	const struct check *c = self;

	if (strcmp(name, "i"))
		return false;
	*out = (struct value){.kind = VALUE_INT, .i = c->index};
	return true;
}

/* Are two values alike? NaN is like NaN. */
static bool cmd_check_alike(const struct check *c, struct value got, struct value want)
{
	double g = value_as_real(got), w = value_as_real(want), most;

	if (got.kind == VALUE_INT && want.kind == VALUE_INT && c->tolerance == 0)
		return got.i == want.i;
	if (isnan(g) || isnan(w))
		return isnan(g) && isnan(w);
	if (g == w)
		return true;
	most = c->tolerance * (fabs(w) > 1 ? fabs(w) : 1);
	return fabs(g - w) <= most;
}

/* What element i should be, in the buffer's type. */
static enum status cmd_check_wanted(struct check *c, u64 i, struct value *out, struct error *e)
{
	const struct expr_scope scope = {.lookup = cmd_check_lookup, .self = c};
	u32 size = value_type_size[c->b->type];
	enum status st;
	u8 bytes[8];

	if (c->want_bytes) {
		*out = value_load(c->b->type, (const u8 *)c->want_bytes + i * size);
		return STATUS_OK;
	}
	c->index = (i64)i;
	st = expr_eval(c->s, c->formula, &scope, out, e);
	if (st)
		return st;
	if (out->kind == VALUE_REAL && c->b->type != VALUE_F32 && c->b->type != VALUE_F64)
		return STATUS_OK;
	value_store(c->b->type, value_as_real(*out), out->i, bytes);
	*out = value_load(c->b->type, bytes);
	return STATUS_OK;
}

/* Compare every element. */
static enum status cmd_check_compare(struct check *c, struct error *e)
{
	const struct store *store = session_store(c->s);
	u32 size = value_type_size[c->b->type];
	u8 *block = xmalloc(BLOCK * 8);
	enum status st = STATUS_OK;

	for (u64 i = 0; i < c->b->count && !st; i++) {
		struct value got, want;

		if (i % BLOCK == 0 && interrupt_wanted())
			st = interrupt_status(c->s, e);
		if (i % BLOCK == 0)
			store_read(store, c->b->address + i * size, block, min_u64(BLOCK, c->b->count - i) * size);
		got = value_load(c->b->type, block + i % BLOCK * size);
		st = st ? st : cmd_check_wanted(c, i, &want, e);
		if (!st && !cmd_check_alike(c, got, want) && !c->wrong++) {
			c->first = i;
			c->got = got;
			c->want = want;
		}
	}
	free(block);
	return st;
}

/* The words behind the file or formula: `tolerance T`; *end is the first of them. */
static enum status cmd_check_parse_tolerance(const struct args *a, u32 *end, double *out, struct error *e)
{
	const struct token *t;
	char *rest;

	*end = a->ntokens;
	*out = 0;
	if (a->ntokens < a->rest + 4 || strcmp(a->token[a->ntokens - 2].s, "tolerance"))
		return STATUS_OK;
	t = &a->token[a->ntokens - 1];
	*out = strtod(t->s, &rest);
	if (rest == t->s || *rest || !(*out >= 0) || isinf(*out))
		return usage_at(e, t->column, "'%s' is not a tolerance (a number of at least 0)", token_shown(t->s));
	*end = a->ntokens - 2;
	return STATUS_OK;
}

/* Read the file that has the wanted values. */
static enum status cmd_check_open_file(struct check *c, const struct args *a, u32 end, struct error *e)
{
	u64 want = c->b->bytes;
	char *path, *data = NULL;
	size_t n = 0;
	enum status st;

	if (end != a->rest + 2)
		return usage_at(e, a->arg[1].column,
				"check: too many words (usage: `check NAME file PATH [tolerance T]`)");
	path = path_resolve(c->s, &a->token[a->rest + 1], false, e);
	if (!path)
		return STATUS_USAGE;
	st = file_read(path, want + (1u << 20), &data, &n, e);
	if (!st && n != want)
		st = usage_at(e, a->token[a->rest + 1].column,
			      "%s: %zu bytes, but the buffer has %llu (the sizes must match)", safe_text(path), n,
			      want);
	free(path);
	if (st) {
		e->column = a->token[a->rest + 1].column;
		free(data);
	} else {
		c->want_bytes = data;
	}
	return st;
}

/* Compile the formula that stands between its keyword and the tolerance. */
static enum status cmd_check_open_formula(struct check *c, const struct args *a, u32 end, struct error *e)
{
	u32 from = a->token[a->rest + 1].column;
	char *text = xstrndup(a->line + from - 1, a->token[end - 1].end + 1 - from);
	enum status st = expr_check(c->s, text, from, "i", &c->formula, e);

	free(text);
	return st;
}

/* The outcome of a finished comparison. */
static enum status cmd_check_report(struct check *c, const struct args *a, struct error *e)
{
	json_t *out = session_result(c->s);
	struct text got = {0}, want = {0};

	if (!c->wrong) {
		member_text(out, "buffer", safe_text(c->b->name));
		member_int(out, "elements", c->b->count);
		session_passed(c->s);
		return STATUS_OK;
	}
	value_format_pair(c->got, c->want, &got, &want);
	error_at(e, STATUS_CHECK, NULL, 0, a->arg[0].column,
		 "%s[%llu] is %s, expected %s (%llu of %llu elements differ)", safe_text(c->b->name), c->first, got.s,
		 want.s, c->wrong, c->b->count);
	text_free(&got);
	text_free(&want);
	return STATUS_CHECK;
}

static enum status cmd_check_run(struct session *s, const struct args *a, struct error *e)
{
	struct check c = {.s = s};
	const char *kind = a->token[a->rest].s;
	enum status st;
	u32 end;

	for (u32 i = 0; i < s->program.nbuffer; i++)
		if (!strcmp(s->program.buffer[i].name, a->arg[0].text))
			c.b = &s->program.buffer[i];
	if (!c.b)
		return usage_at(e, a->arg[0].column, "no buffer '%s' (`info buffers` lists them)",
				token_shown(a->arg[0].text));
	st = cmd_check_parse_tolerance(a, &end, &c.tolerance, e);
	if (st)
		return st;
	if (end < a->rest + 2 || (strcmp(kind, "file") && strcmp(kind, "formula")))
		return usage_at(
			e, a->arg[1].column,
			strcmp(kind, "file") && strcmp(kind, "formula")
				? "'%s' is neither `file` nor `formula` (usage: `check NAME file PATH | formula EXPR "
				  "[tolerance T]`)"
				: "missing value after '%s' (usage: `check NAME file PATH | formula EXPR [tolerance T]`)",
			token_shown(kind));
	st = strcmp(kind, "file") ? cmd_check_open_formula(&c, a, end, e) : cmd_check_open_file(&c, a, end, e);
	if (st)
		return st;
	st = cmd_check_compare(&c, e);
	if (!st)
		st = cmd_check_report(&c, a, e);
	else
		e->column = a->token[a->rest + 1].column;
	free((char *)(uintptr_t)c.want_bytes);
	if (c.formula)
		expr_free(c.formula);
	return st;
}

const struct command command_check = {
	.name = "check",
	.group = "files",
	.summary = "compare a buffer with a file or a formula; fail (exit status 3) if they differ",
	.details =
		"The file is raw, little-endian and of the buffer's size. In a formula, i is the element's index, and buffers\n"
		"are read as name[index]; the value is converted to the buffer's type. Two values agree if |got - want| is at\n"
		"most T x max(1, |want|) (default T = 0).",
	.examples = "check c formula a[i] + b[i]\ncheck c file data/matmul.want tolerance 1e-5",
	.flags = COMMAND_NEEDS_MACHINE | COMMAND_READS,
	.run = cmd_check_run,
	.arg = {{"NAME", ARG_WORD, .doc = "name of the buffer", .complete = complete_array},
		{"file PATH | formula EXPR [tolerance T]", ARG_REST, .doc = "expected contents",
		 .complete = complete_check}},
};
