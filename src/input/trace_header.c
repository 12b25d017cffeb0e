/*
 * trace_header.c - the lines `-key = value` at the head of a recorded kernel.
 *
 * Order is free, unknown keys are passed over. Headers in the wild can be wrong: more than 255 registers per thread and
 * a binary version of 0 are taken as not given.
 */
#include "trace_internal.h"

#include <ctype.h>
#include <errno.h>

#define MAX_CTAS (1u << 26)
#define MAX_THREADS 1024u
#define NEWEST 6

enum value_form { FORM_NUMBER, FORM_HEX, FORM_TRIPLE, FORM_TEXT };

/* What a header holds, as text: the rows in their order. */
enum key {
	KEY_NAME,
	KEY_GRID,
	KEY_BLOCK,
	KEY_SHARED,
	KEY_REGISTERS,
	KEY_BINARY,
	KEY_STREAM,
	KEY_SHARED_BASE,
	KEY_LOCAL_BASE,
	KEY_VERSION,
	KEY_LINES,
	KEY_COUNT
};
static const struct {
	const char *name;
	u8 form;
	bool wanted;
} key_table[KEY_COUNT] = {
	[KEY_NAME] = {"kernel name", FORM_TEXT, false},
	[KEY_GRID] = {"grid dim", FORM_TRIPLE, true},
	[KEY_BLOCK] = {"block dim", FORM_TRIPLE, true},
	[KEY_SHARED] = {"shmem", FORM_NUMBER, false},
	[KEY_REGISTERS] = {"nregs", FORM_NUMBER, false},
	[KEY_BINARY] = {"binary version", FORM_NUMBER, false},
	[KEY_STREAM] = {"cuda stream id", FORM_NUMBER, false},
	[KEY_SHARED_BASE] = {"shmem base_addr", FORM_HEX, false},
	[KEY_LOCAL_BASE] = {"local mem base_addr", FORM_HEX, false},
	[KEY_VERSION] = {"accelsim tracer version", FORM_NUMBER, false},
	[KEY_LINES] = {"enable lineinfo", FORM_NUMBER, false},
};

/* Values read. */
struct values {
	u64 number[KEY_COUNT];
	u32 triple[KEY_COUNT][3];
	u32 given;
	char *name;
};

/* A number; a version may go on with a dot and digits. */
static bool read_number(const char *text, int base, u64 *out)
{
	char *end;

	if (!isxdigit((u8)*text))
		return false;
	errno = 0;
	*out = strtoull(text, &end, base);
	if (*end == '.')
		end += 1 + strspn(end + 1, "0123456789");
	return !errno && !end[strspn(end, " \t")];
}

/* (x,y,z), each from 1 on */
static bool read_triple(const char *text, u32 *out)
{
	int end = 0;

	return sscanf(text, " ( %9u , %9u , %9u ) %n", &out[0], &out[1], &out[2], &end) == 3 && end && !text[end] &&
	       out[0] && out[1] && out[2];
}

/* The value of a key. */
static bool read_value(struct values *v, u32 key, const char *text)
{
	switch (key_table[key].form) {
	case FORM_NUMBER: return read_number(text, 10, &v->number[key]);
	case FORM_HEX: return read_number(text, 16, &v->number[key]);
	case FORM_TRIPLE: return read_triple(text, v->triple[key]);
	default:
		free(v->name);
		v->name = xstrdup(text);
		return true;
	}
}

/* One line `-key = value`. */
static enum status read_line(struct trace_reader *r, char *line, struct values *v, struct error *e)
{
	char *equals = strchr(line, '='), *key = line + 1, *value;
	size_t n;

	if (*line != '-' || !equals)
		return error_at(e, STATUS_USAGE, trace_reader_path(r), trace_reader_number(r), 1,
				"expected a header line '-key = value', not '%.40s'", safe_text(line));
	for (n = (size_t)(equals - key); n && isspace((u8)key[n - 1]);)
		n--;
	value = equals + 1 + strspn(equals + 1, " \t");
	for (u32 i = 0; i < KEY_COUNT; i++) {
		if (strlen(key_table[i].name) != n || memcmp(key_table[i].name, key, n))
			continue;
		v->given |= 1u << i;
		if (!read_value(v, i, value))
			return error_at(e, STATUS_USAGE, trace_reader_path(r), trace_reader_number(r),
					(u32)(value - line) + 1, "%s: must be %s, not '%.40s'", key_table[i].name,
					key_table[i].form == FORM_TRIPLE ? "(x,y,z), each at least 1" : "a number",
					safe_text(value));
	}
	return STATUS_OK;
}

/* The header line at which something is wrong as a whole: the last one read. */
#define refuse(r, e, ...) error_at(e, STATUS_USAGE, trace_reader_path(r), trace_reader_number(r), 0, __VA_ARGS__)

/* Is what was read a kernel that can be run? */
static enum status check(struct trace_reader *r, const struct values *v, struct error *e)
{
	const u32 *g = v->triple[KEY_GRID], *b = v->triple[KEY_BLOCK];

	for (u32 i = 0; i < KEY_COUNT; i++)
		if (key_table[i].wanted && !(v->given >> i & 1))
			return refuse(r, e, "the header ends without '-%s'", key_table[i].name);
	if (v->number[KEY_VERSION] > NEWEST)
		return refuse(r, e, "written by tracer version %llu (at most version %d can be read)",
			      v->number[KEY_VERSION], NEWEST);
	if (v->number[KEY_BINARY] > ~0u || !trace_binary_known((u32)v->number[KEY_BINARY]))
		return refuse(
			r, e,
			"unknown binary version %llu (60 to 62 (Pascal), 70, 72 (Volta), 75 (Turing), 80 to 89 (Ampere, Ada), 90 (Hopper), 100 to 121 (Blackwell))",
			v->number[KEY_BINARY]);
	if ((u64)g[0] * g[1] > MAX_CTAS || (u64)g[0] * g[1] * g[2] > MAX_CTAS)
		return refuse(r, e, "grid (%u,%u,%u) is too large (at most %u CTAs)", g[0], g[1], g[2], MAX_CTAS);
	if ((u64)b[0] * b[1] > MAX_THREADS || (u64)b[0] * b[1] * b[2] > MAX_THREADS)
		return refuse(r, e, "block (%u,%u,%u) is too large (at most %u threads)", b[0], b[1], b[2],
			      MAX_THREADS);
	if (v->number[KEY_SHARED] > 1 << 20)
		return refuse(r, e, "%llu bytes of shared memory: more than any SM has", v->number[KEY_SHARED]);
	return STATUS_OK;
}

/* The values as the header's fields. */
static void keep(struct values *v, struct trace_header *h)
{
	struct trace *t = h->trace;

	memcpy(t->grid, v->triple[KEY_GRID], sizeof(t->grid));
	memcpy(t->block, v->triple[KEY_BLOCK], sizeof(t->block));
	t->ctas = t->grid[0] * t->grid[1] * t->grid[2];
	t->warps = ceil_div(t->block[0] * t->block[1] * t->block[2], WARP_LANES);
	t->shared = (u32)v->number[KEY_SHARED];
	t->binary = (u32)v->number[KEY_BINARY];
	t->version = (u32)v->number[KEY_VERSION];
	t->stream = v->number[KEY_STREAM];
	t->shared_base = v->number[KEY_SHARED_BASE];
	t->local_base = v->number[KEY_LOCAL_BASE];
	h->registers = v->number[KEY_REGISTERS] > TRACE_REGS ? 0 : (u32)v->number[KEY_REGISTERS];
	h->lines = v->number[KEY_LINES] != 0;
	h->name = v->name ? v->name : xstrdup("kernel");
	v->name = NULL;
}

enum status trace_header_read(struct trace_reader *r, struct trace_header *h, struct error *e)
{
	struct values v = {0};
	enum status st = STATUS_OK;
	size_t n;
	char *line = NULL;

	while (!st && (line = trace_reader_line(r, &n, e)) && *line != '#')
		if (line[strspn(line, " \t")])
			st = read_line(r, line, &v, e);
	if (!st)
		st = e->status;
	if (!st)
		st = check(r, &v, e);
	if (!st && !line)
		st = refuse(r, e, "the file ends after the header");
	if (!st && line) {
		h->begun = !strncmp(line, "#BEGIN_TB", 9);
		keep(&v, h);
	}
	free(v.name);
	return st;
}
