/* launch_args.c - arguments of a launch as bytes of its parameters, and the condition of a host loop. */
#include "expr.h"
#include "texture.h"
#include "values.h"
#include "launch_args.h"

#include <ctype.h>
#include <errno.h>

static const char *const object_or[] = {"", "texture or ", "surface or "};

void launch_parameters(struct text *out, const struct kernel *k)
{
	text_add(out, "(");
	for (u32 i = 0; i < k->nparam; i++) {
		const struct kernel_param *p = &k->param[i];

		if (p->type == VALUE_BYTES)
			text_add(out, "%sstruct of %u bytes", i ? ", " : "", p->size);
		else if (p->shared)
			text_add(out, "%sshared BYTES", i ? ", " : "");
		else
			text_add(out, "%s%s%s", i ? ", " : "",
				 p->object    ? object_or[p->object]
				 : p->pointer ? "buffer or "
					      : "",
				 value_type_name[p->type]);
	}
	text_add(out, ")");
}

void launch_signature(struct text *out, const struct kernel *k)
{
	text_add(out, "%s", token_shown(k->name));
	launch_parameters(out, k);
}

enum status launch_refuse(const struct kernel *k, const char *why, u32 column, struct error *e)
{
	struct text sign = {0};

	launch_signature(&sign, k);
	usage_at(e, column, "%s (signature: %s)", why, sign.s);
	text_free(&sign);
	return STATUS_USAGE;
}

/* One TYPE:VALUE or buffer of a struct, put behind *used bytes. */
static enum status struct_field(struct session *s, const struct kernel_param *p, char *word, u8 *out, u32 *used,
				struct error *e)
{
	char *colon = strchr(word, ':');
	const struct buffer *b = colon ? NULL : scene_buffer(s, word);
	int type = b ? VALUE_U64 : -1;
	u32 size;

	if (colon) {
		*colon = '\0';
		type = value_type_find(word);
	}
	if (type < 0)
		return error_set(e, STATUS_USAGE,
				 "'%s' in a struct is neither TYPE:VALUE (such as f32:1.5) nor a buffer",
				 token_shown(word));
	size = value_type_size[type];
	*used = round_up(*used, size);
	if (*used + size > p->size)
		return error_set(e, STATUS_USAGE, "the struct is larger than its parameter of %u bytes", p->size);
	if (b)
		memcpy(out + *used, &b->address, size);
	else if (value_parse((u8)type, colon + 1, out + *used, e))
		return STATUS_USAGE;
	*used += size;
	return STATUS_OK;
}

/* {TYPE:VALUE, ...}: words up to the closing brace. */
static enum status struct_arg(struct session *s, const struct args *a, u32 *at, const struct kernel_param *p, u8 *out,
			      struct error *e)
{
	struct text all = {0};
	char *next, *word;
	enum status st = STATUS_OK;
	u32 used = 0;

	if (a->token[*at].s[0] != '{')
		return error_set(e, STATUS_USAGE, "expected a struct of %u bytes: {TYPE:VALUE,...}", p->size);
	while (*at < a->ntokens && (!all.len || all.s[all.len - 1] != '}'))
		text_list(&all, ",", a->token[(*at)++].s);
	if (all.s[all.len - 1] != '}') {
		text_free(&all);
		return error_set(e, STATUS_USAGE, "'{' without its '}'");
	}
	all.s[all.len - 1] = '\0';
	next = all.s + 1;
	while (!st && (word = strsep(&next, ",")))
		if (*word)
			st = struct_field(s, p, word, out, &used, e);
	if (!st && round_up(used, p->align) != p->size)
		st = error_set(
			e, STATUS_USAGE,
			"the fields make %u bytes, but the struct has %u (gaps left by inner structs are fields, too: u8:0)",
			used, p->size);
	text_free(&all);
	return st;
}

/* shared BYTES: so much more dynamic shared memory, and where it begins. */
static enum status shared_arg(const struct args *a, u32 *at, const struct kernel_param *p, struct launch *l,
			      struct error *e)
{
	const struct kernel *k = l->kernel;
	u8 bytes[8] = {0};
	u64 address, size;

	if (strcmp(a->token[*at].s, "shared") || *at + 1 >= a->ntokens)
		return error_set(e, STATUS_USAGE, "parameter %s points to shared memory (use `shared BYTES`)",
				 token_shown(p->name));
	if (value_parse(VALUE_U32, a->token[*at + 1].s, bytes, e))
		return STATUS_USAGE;
	size = (u64)value_load(VALUE_U32, bytes).i;
	if (size > 1 << 20)
		return error_set(e, STATUS_USAGE, "%llu bytes of shared memory: more than any GPU has", size);
	address = round_up(max_u32(k->static_shared, k->dynamic_shared_base) + l->dynamic_shared, p->shared_align);
	l->dynamic_shared = (u32)(address + size) - max_u32(k->static_shared, k->dynamic_shared_base);
	memcpy(l->param + p->offset, &address, 8);
	*at += 2;
	return STATUS_OK;
}

static const char *const object_name[] = {"", "texture", "surface"};

/* What a buffer that is an object is. */
static enum param_object object_of(const struct buffer *b)
{
	return ((const struct texture *)(const void *)b->init)->surface ? PARAM_SURFACE : PARAM_TEXTURE;
}

/* One argument at *at to the bytes of parameter p. */
static enum status one_arg(struct session *s, const struct args *a, u32 *at, const struct kernel_param *p, u8 *out,
			   struct error *e)
{
	const char *word = a->token[*at].s;
	const struct buffer *b = scene_buffer(s, word);

	if (p->type == VALUE_BYTES)
		return struct_arg(s, a, at, p, out, e);
	++*at;
	if (b && b->texture && p->pointer)
		return error_set(e, STATUS_USAGE, "'%s' is a %s, but parameter %s is a pointer (use the buffer)",
				 token_shown(word), object_name[object_of(b)], token_shown(p->name));
	if (b && p->object && (!b->texture || object_of(b) != p->object))
		return error_set(e, STATUS_USAGE,
				 "'%s' is a %s, but parameter %s is the handle of a %s (see `help texture`)",
				 token_shown(word), b->texture ? object_name[object_of(b)] : "buffer",
				 token_shown(p->name), object_name[p->object]);
	if (b && (p->type == VALUE_U64 || p->type == VALUE_S64)) {
		memcpy(out, &b->address, 8);
		return STATUS_OK;
	}
	if (b)
		return error_set(e, STATUS_USAGE, "'%s' is a %s, but parameter %s is %s", token_shown(word),
				 b->texture ? object_name[object_of(b)] : "buffer", token_shown(p->name),
				 value_type_name[p->type]);
	if (!strcmp(word, "iteration")) {
		if (p->size == 4 && p->type != VALUE_F32)
			return STATUS_OK;
		return error_set(e, STATUS_USAGE, "`iteration` is a 32-bit number, but parameter %s is %s",
				 token_shown(p->name), value_type_name[p->type]);
	}
	if (p->size == 8 && (isalpha((u8)*word) || *word == '_') && p->type != VALUE_F64)
		return error_set(e, STATUS_USAGE, "no %s '%s'", p->object ? object_name[p->object] : "buffer",
				 token_shown(word));
	return value_parse(p->type, word, out, e);
}

enum status launch_args(struct session *s, const struct args *a, u32 *at, struct launch *l, struct error *e)
{
	const struct kernel *k = l->kernel;
	char why[400];
	u32 n = 0, end = a->ntokens ? a->token[a->ntokens - 1].end : 0;

	l->param = xcalloc(1, k->param_bytes + 8u);
	l->loop.iteration_param = ~0u;
	for (; n < k->nparam && *at < a->ntokens; n++) {
		const struct token *t = &a->token[*at];

		bool shared = k->param[n].shared && !scene_buffer(s, t->s);

		if (launch_keyword(t->s) && !scene_buffer(s, t->s) && !(shared && !strcmp(t->s, "shared")))
			break;
		if (shared ? shared_arg(a, at, &k->param[n], l, e)
			   : one_arg(s, a, at, &k->param[n], l->param + k->param[n].offset, e)) {
			snprintf(why, sizeof(why), "argument %u: %.300s", n + 1, e->message);
			return launch_refuse(k, why, t->column, e);
		}
		if (!strcmp(t->s, "iteration") && !scene_buffer(s, "iteration"))
			l->loop.iteration_param = k->param[n].offset;
	}
	if (n < k->nparam) {
		snprintf(why, sizeof(why), "%u arguments given, %u needed", n, k->nparam);
		return launch_refuse(k, why, *at < a->ntokens ? a->token[*at].column : end + 1, e);
	}
	if (*at < a->ntokens && !launch_keyword(a->token[*at].s)) {
		snprintf(why, sizeof(why), "unexpected argument '%s'", token_shown(a->token[*at].s));
		return launch_refuse(k, why, a->token[*at].column, e);
	}
	return STATUS_OK;
}

/* The condition BUF[IDX] OP VALUE without blanks. */
static enum status parse_condition(struct session *s, const char *text, struct host_loop *out, struct error *e)
{
	static const char *const op[] = {"==", "!=", "<=", ">=", "<", ">"};
	static const u8 compare[] = {COMPARE_EQ, COMPARE_NE, COMPARE_LE, COMPARE_GE, COMPARE_LT, COMPARE_GT};
	size_t n = strcspn(text, "[");
	char name[64], *end;
	const struct buffer *b;
	u64 index;
	u8 bytes[8];
	u32 i = 0;

	snprintf(name, sizeof(name), "%.*s", (int)(n < 63 ? n : 63), text);
	b = scene_buffer(s, name);
	if (!b)
		return error_set(e, STATUS_USAGE, "no buffer '%s' (usage: while BUFFER[INDEX] OP VALUE max N)",
				 token_shown(name));
	errno = 0;
	index = text[n] ? strtoull(text + n + 1, &end, 0) : 0;
	if (!text[n] || end == text + n + 1 || *end != ']' || errno)
		return error_set(e, STATUS_USAGE, "'%s' is not BUFFER[INDEX] OP VALUE", token_shown(text));
	if (index >= b->count)
		return error_set(e, STATUS_USAGE, "%s has %llu elements: index %llu is out of range", b->name, b->count,
				 index);
	while (i < ARRAY_LEN(op) && strncmp(end + 1, op[i], strlen(op[i])))
		i++;
	if (i == ARRAY_LEN(op))
		return error_set(e, STATUS_USAGE, "missing operator after %s[%llu] (==, !=, <, <=, > or >=)", b->name,
				 index);
	if (value_parse(b->type, end + 1 + strlen(op[i]), bytes, e))
		return STATUS_USAGE;
	out->type = b->type;
	out->compare = compare[i];
	out->address = b->address + index * value_type_size[b->type];
	out->value_int = value_load(b->type, bytes).i;
	out->value_real = value_load(b->type, bytes).r;
	return STATUS_OK;
}

/* reset BUFFER */
static enum status parse_reset(struct session *s, const struct args *a, u32 *at, struct host_loop *out, struct error *e)
{
	const struct buffer *b = *at + 1 < a->ntokens ? scene_buffer(s, a->token[*at + 1].s) : NULL;

	if (!b)
		return usage_at(e, a->token[*at].column, "reset: missing name of a buffer");
	out->reset_address = b->address;
	out->reset_bytes = b->bytes;
	*at += 2;
	return STATUS_OK;
}

enum status launch_loop(struct session *s, const struct args *a, u32 *at, struct host_loop *out, struct error *e)
{
	u32 column = a->token[*at].column;
	struct text all = {0};
	enum status st;
	u8 max[8] = {0};

	while (*at < a->ntokens && strcmp(a->token[*at].s, "max"))
		text_add(&all, "%s", a->token[(*at)++].s);
	if (*at + 1 >= a->ntokens) {
		text_free(&all);
		return usage_at(e, column, "missing bound (while BUFFER[INDEX] OP VALUE max N)");
	}
	st = parse_condition(s, all.s ? all.s : "", out, e);
	text_free(&all);
	if (st) {
		e->column = column;
		return st;
	}
	if (value_parse(VALUE_U32, a->token[*at + 1].s, max, e) || !value_load(VALUE_U32, max).i)
		return usage_at(e, a->token[*at + 1].column, "max: must be from 1 to 4294967295");
	out->max = (u32)value_load(VALUE_U32, max).i;
	out->present = true;
	*at += 2;
	if (*at < a->ntokens && !strcmp(a->token[*at].s, "reset"))
		return parse_reset(s, a, at, out, e);
	return STATUS_OK;
}
