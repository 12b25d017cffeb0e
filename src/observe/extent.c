/* extent.c - memory as a stretch of elements (extent.h), found by the names that expressions have for places. */
#include "extent.h"

#include "machine.h"

/* The element that stands for all of a memory that is named without one: "shared" as "shared[0]"; NULL: the text names
 * none so. xmalloc'ed. */
static char *first_element(const char *text, u32 lane)
{
	size_t n = strlen(text), head;
	const char *dot;

	while (n && text[n - 1] == ' ')
		n--;
	head = n;
	dot = memrchr(text, '.', n);
	if (dot) {
		char *type = xstrndup(dot + 1, n - (size_t)(dot + 1 - text));

		head = value_type_named(type) >= 0 ? (size_t)(dot - text) : n;
		free(type);
	}
	dot = memrchr(text, '.', head);
	dot = dot ? dot + 1 : text;
	head -= (size_t)(dot - text);
	if (head == 6 && !strncmp(dot, "shared", head))
		return xasprintf("%.*s[0]", (int)n, text);
	return head == 5 && !strncmp(dot, "local", head) ? xasprintf("%.*s[%u][0]", (int)n, text, lane) : NULL;
}

/* The buffer that a text is the name of; false: none. */
static bool named_buffer(const struct session *s, const char *text, struct extent *out)
{
	size_t n = strlen(text);

	while (n && text[n - 1] == ' ')
		n--;
	for (u32 i = 0; i < s->program.nbuffer; i++) {
		const struct buffer *b = &s->program.buffer[i];

		if (strlen(b->name) != n || strncmp(b->name, text, n) != 0)
			continue;
		*out = (struct extent){.kind = EXTENT_BUFFER, .type = b->type, .buffer = i, .bytes = b->bytes};
		return true;
	}
	return false;
}

bool extent_address(const struct session *s, u64 address, struct extent *out, u64 *at)
{
	const struct buffer *b = program_buffer_at(&s->program, address, NULL);

	if (!b)
		return false;
	*out = (struct extent){
		.kind = EXTENT_BUFFER, .type = b->type, .buffer = (u32)(b - s->program.buffer), .bytes = b->bytes};
	*at = address - b->address;
	return true;
}

/* The local memory of which lane of a warp a byte of its values is; false: it is a register. */
static bool local_lane(const struct session *s, struct expr_place *p, struct extent *out, u64 *at)
{
	u32 n, bytes;
	const u8 *regs = (const u8 *)sim_warp_regs(&s->sim, p->sm, p->warp, &n);

	for (u32 lane = 0; lane < WARP_LANES; lane++) {
		const u8 *local = sim_warp_local(&s->sim, p->sm, p->warp, lane, &bytes);

		if (!local || p->at < (u64)(local - regs) || p->at >= (u64)(local - regs) + bytes)
			continue;
		*out = (struct extent){EXTENT_LOCAL, p->type, 0, p->sm, p->warp, lane, bytes};
		*at = p->at - (u64)(local - regs);
		return true;
	}
	return false;
}

/* What a place lies in. */
static enum status of_place(const struct session *s, struct expr_place *p, struct extent *out, u64 *at, struct error *e)
{
	u32 bytes;

	if (p->space == PLACE_GLOBAL && extent_address(s, p->at, out, at)) {
		out->type = p->type;
		return STATUS_OK;
	}
	if (p->space == PLACE_SHARED) {
		sim_warp_shared(&s->sim, p->sm, p->warp, &bytes);
		*out = (struct extent){EXTENT_SHARED, p->type, 0, p->sm, p->warp, 0, bytes};
		*at = p->at;
		return STATUS_OK;
	}
	if (p->space == PLACE_CONTEXT && local_lane(s, p, out, at))
		return STATUS_OK;
	return error_at(e, STATUS_USAGE, NULL, 0, 1, "registers are not memory (`show registers` shows them)");
}

/* A value that lies nowhere is an address. */
static enum status of_value(struct session *s, const struct expr *x, struct extent *out, u64 *at, struct error *e)
{
	struct value v;
	enum status st = expr_eval(s, x, NULL, &v, e);

	if (st)
		return st;
	if (v.kind != VALUE_INT)
		return error_at(
			e, STATUS_USAGE, NULL, 0, 1,
			"not a memory location (try a buffer, 'shared', 'local', an element of these, or an address)");
	if (extent_address(s, (u64)v.i, out, at))
		return STATUS_OK;
	return error_at(e, STATUS_FAILED, NULL, 0, 1, "no buffer at 0x%llx (`info buffers` lists the addresses)",
			(u64)v.i);
}

enum status extent_named(struct session *s, const char *text, u32 lane, struct extent *out, u64 *at, bool *whole,
			 struct error *e)
{
	char *first = NULL;
	struct expr *x = NULL;
	struct expr_place place;
	enum status st;

	*at = 0;
	*whole = named_buffer(s, text, out);
	if (*whole)
		return STATUS_OK;
	first = first_element(text, lane);
	*whole = first != NULL;
	st = expr_compile(s, first ? first : text, &x, e);
	if (!st && expr_lies(x))
		st = expr_place(s, x, &place, e) ? STATUS_FAILED : of_place(s, &place, out, at, e);
	else if (!st)
		st = of_value(s, x, out, at, e);
	expr_free(x);
	free(first);
	return st;
}

/* The first byte of shared or local memory and how many there are; NULL: it is not there. */
static const u8 *memory_of(const struct session *s, const struct extent *x, u32 *bytes)
{
	*bytes = 0;
	if (!s->live || x->sm >= s->sim.m->config.gpu_sms || x->warp >= s->sim.m->contexts)
		return NULL;
	return x->kind == EXTENT_SHARED ? sim_warp_shared(&s->sim, x->sm, x->warp, bytes)
					: sim_warp_local(&s->sim, x->sm, x->warp, x->lane, bytes);
}

u64 extent_bytes(const struct session *s, const struct extent *x)
{
	u32 bytes = 0;

	if (x->kind == EXTENT_BUFFER)
		return x->buffer < s->program.nbuffer ? s->program.buffer[x->buffer].bytes : 0;
	if (x->kind != EXTENT_NONE)
		memory_of(s, x, &bytes);
	return bytes;
}

bool extent_read(const struct session *s, const struct extent *x, u64 at, u8 *out, u32 n)
{
	u64 bytes = extent_bytes(s, x);
	u32 all;

	if (at > bytes || bytes - at < n || !s->live)
		return false;
	if (x->kind == EXTENT_BUFFER)
		store_read(session_store(s), s->program.buffer[x->buffer].address + at, out, n);
	else
		memcpy(out, memory_of(s, x, &all) + at, n);
	return true;
}

void extent_place(const struct session *s, const struct extent *x, u8 type, u64 at, struct text *out)
{
	const struct buffer *b = x->kind == EXTENT_BUFFER ? &s->program.buffer[x->buffer] : NULL;
	u32 size = max_u32(value_type_size[type], 1);

	if (b && type == b->type && at % size == 0) {
		text_add(out, "%s[%llu]", safe_text(b->name), at / size);
		return;
	}
	type = type < VALUE_BYTES ? type : VALUE_U8;
	if (b) {
		text_add(out, "global.%s[0x%llx]", value_type_name[type], b->address + at);
		return;
	}
	text_add(out, "sm[%u].warp[%u].%s.%s", x->sm, x->warp, x->kind == EXTENT_SHARED ? "shared" : "local",
		 value_type_name[type]);
	if (x->kind == EXTENT_LOCAL)
		text_add(out, "[%u]", x->lane);
	text_add(out, "[%llu]", at / size);
}
