/*
 * trace_body.c - the records of a recorded kernel: lines of text into the image and static instructions.
 *
 * The words of an instruction that never change (all but mask, addresses and immediate) are looked up as they are
 * written: first the instruction that followed the last time, then a table. Different words at one PC are different
 * instructions: PCs are offsets in a function, so those of two functions can be equal. A CTA is known by its id, not by
 * its place in the file.
 */
#include "trace_internal.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#define MAX_KNOWN 1000000u     /* static instructions */
#define LOCAL_FRAME (1u << 16) /* most local bytes of a thread */
#define RECORD_BYTES 400u      /* the longest record is shorter */

/* A static instruction as its line says it. */
struct known {
	u32 key; /* in keys: PC, then the words behind the mask up to the width */
	u16 pc_length, tail_length;
	u32 pc;
	u32 next; /* what followed the last time */
	u8 bytes, space;
};

struct body {
	struct trace_reader *reader;
	struct trace *trace;
	struct kernel *k;
	struct error *e;
	bool unknown_int, lines;
	struct known *known;
	u32 nknown, cap;
	struct text keys, strings;
	u32 *table, table_size; /* open addressing: 1 + number of a known instruction */
	u64 *warp;		/* of the CTA being read: where the records begin, 0 none yet */
	u64 local_low, local_high;
	u32 cta;
};

/* The words of one line, as pointers into it. */
struct cursor {
	const char *line, *at, *end;
};

static enum status PRINTF_LIKE(3, 4) body_error(const struct body *b, const struct cursor *c, const char *fmt, ...)
{
	char message[512];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(message, sizeof(message), fmt, ap);
	va_end(ap);
	return error_at(b->e, STATUS_USAGE, trace_reader_path(b->reader), trace_reader_number(b->reader),
			c ? (u32)(c->at - c->line) + 1 : 0, "%s", message);
}

static void skip_blanks(struct cursor *c)
{
	while (*c->at == ' ' || *c->at == '\t')
		c->at++;
}

/* The length of the word at the cursor. */
static size_t word_length(const struct cursor *c)
{
	return strcspn(c->at, " \t");
}

/* A decimal number, perhaps negative; false: there is none. */
static bool read_decimal(struct cursor *c, i64 *out)
{
	bool minus = false;
	u64 n = 0;
	const char *p;

	skip_blanks(c);
	p = c->at;
	if (*p == '-') {
		minus = true;
		p++;
	}
	if (*p < '0' || *p > '9')
		return false;
	for (; *p >= '0' && *p <= '9'; p++)
		n = n * 10 + (u64)(*p - '0');
	if (*p && *p != ' ' && *p != '\t')
		return false;
	c->at = p;
	*out = (i64)(minus ? 0 - n : n);
	return true;
}

static const u8 hex_value[256] = {
	['0'] = 1,  ['1'] = 2,	['2'] = 3,  ['3'] = 4,	['4'] = 5,  ['5'] = 6,	['6'] = 7,  ['7'] = 8,
	['8'] = 9,  ['9'] = 10, ['a'] = 11, ['b'] = 12, ['c'] = 13, ['d'] = 14, ['e'] = 15, ['f'] = 16,
	['A'] = 11, ['B'] = 12, ['C'] = 13, ['D'] = 14, ['E'] = 15, ['F'] = 16};

/* A hexadecimal number of at most `digits` digits, with or without 0x. */
static bool read_hex(struct cursor *c, u32 digits, u64 *out)
{
	const char *p, *first;
	u64 n = 0;

	skip_blanks(c);
	p = c->at;
	if (p[0] == '0' && (p[1] == 'x' || p[1] == 'X'))
		p += 2;
	for (first = p; hex_value[(u8)*p]; p++)
		n = n << 4 | (u64)(hex_value[(u8)*p] - 1);
	if (p == first || p - first > (long)digits || (*p && *p != ' ' && *p != '\t'))
		return false;
	c->at = p;
	*out = n;
	return true;
}

/* A number from 0 to `most`, or an error that says what is wanted. */
static enum status want_number(struct body *b, struct cursor *c, u32 most, const char *what, u32 *out)
{
	i64 n;

	if (!read_decimal(c, &n) || n < 0 || n > most)
		return body_error(b, c, "%s, a number from 0 to %u, is wanted here, not `%.40s`", what, most,
				  safe_text(c->at));
	*out = (u32)n;
	return STATUS_OK;
}

/* R<n> */
static enum status want_register(struct body *b, struct cursor *c, u8 *out)
{
	struct cursor digits;
	i64 n;

	skip_blanks(c);
	digits = *c;
	digits.at++;
	if (*c->at != 'R' || !read_decimal(&digits, &n) || n < 0 || n > TRACE_REGS)
		return body_error(b, c, "a register R0 to R255 is wanted here, not `%.40s`", safe_text(c->at));
	c->at = digits.at;
	*out = (u8)n;
	return STATUS_OK;
}

/* Destination, opcode and sources behind the mask. */
static enum status read_operands(struct body *b, struct cursor *c, struct trace_words *w)
{
	enum status st = want_number(b, c, 1, "the number of destinations", &w->ndst);

	if (!st && w->ndst)
		st = want_register(b, c, &w->dst);
	if (st)
		return st;
	skip_blanks(c);
	w->opcode = c->at;
	w->opcode_length = (u32)word_length(c);
	if (!w->opcode_length || w->opcode_length > 100)
		return body_error(b, c, "an opcode is wanted here");
	c->at += w->opcode_length;
	st = want_number(b, c, ARRAY_LEN(w->src), "the number of sources", &w->nsrc);
	for (u32 i = 0; !st && i < w->nsrc; i++)
		st = want_register(b, c, &w->src[i]);
	if (!st)
		st = want_number(b, c, 16, "the bytes of a lane's access", &w->bytes);
	if (!st && w->bytes && !is_pow2(w->bytes))
		st = body_error(b, c, "an access of %u bytes; 1, 2, 4, 8 and 16 are possible, 0 is none", w->bytes);
	return st;
}

/* Put instruction i into the table. */
static void table_add(struct body *b, u32 i)
{
	const struct known *k = &b->known[i];
	u64 h = XXH3_64bits(b->keys.s + k->key, k->pc_length + k->tail_length);

	while (b->table[h & (b->table_size - 1)])
		h++;
	b->table[h & (b->table_size - 1)] = i + 1;
}

/* Make room for one more known instruction. */
static void grow(struct body *b)
{
	if (b->nknown < b->cap)
		return;
	b->cap = b->cap ? b->cap * 2 : 256;
	b->known = xrealloc(b->known, b->cap * sizeof(*b->known));
	b->k->inst = xrealloc(b->k->inst, b->cap * sizeof(*b->k->inst));
	free(b->table);
	b->table_size = b->cap * 2;
	b->table = xcalloc(b->table_size, sizeof(*b->table));
	for (u32 i = 0; i < b->nknown; i++)
		table_add(b, i);
}

/* Does a line say instruction k? */
static inline bool same(const struct body *b, const struct known *k, const char *s, size_t n)
{
	const char *key = b->keys.s + k->key, *tail = s + k->pc_length + 10;

	return n >= k->pc_length + 10u + k->tail_length && !memcmp(s, key, k->pc_length) && s[k->pc_length] == ' ' &&
	       tail[-1] == ' ' && !memcmp(tail, key + k->pc_length, k->tail_length) &&
	       (tail[k->tail_length] == ' ' || !tail[k->tail_length]);
}

/* A line whose words are not in the table: a new instruction. */
static enum status add_known(struct body *b, struct cursor *c, const struct trace_words *w, const char *tail,
			     u32 pc_length)
{
	struct known *k;
	struct inst *in;

	if (b->nknown == MAX_KNOWN)
		return body_error(b, c, "more than %u different instructions; this is no trace of a kernel", MAX_KNOWN);
	grow(b);
	in = &b->k->inst[b->nknown];
	if (!trace_instruction(w, b->trace->binary, b->unknown_int, in, &b->strings)) {
		c->at = w->opcode;
		return body_error(
			b, c,
			"unknown opcode `%.*s` for binary version %u; `set trace.unknown int` before loading takes it as an "
			"integer instruction",
			(int)w->opcode_length, safe_text(w->opcode), b->trace->binary);
	}
	k = &b->known[b->nknown];
	*k = (struct known){.key = (u32)b->keys.len,
			    .pc_length = (u16)pc_length,
			    .tail_length = (u16)(c->at - tail),
			    .pc = w->pc,
			    .next = b->nknown,
			    .bytes = (u8)w->bytes,
			    .space = in->space};
	text_addn(&b->keys, c->line, pc_length);
	text_addn(&b->keys, tail, k->tail_length);
	table_add(b, b->nknown++);
	return STATUS_OK;
}

/* The instruction that a line says, by all its words: in the table, or new. c->line begins with the PC. */
static enum status find_known(struct body *b, struct cursor *c, u32 source_line, u32 *out)
{
	struct trace_words w = {.line = source_line};
	struct cursor behind;
	u64 pc, mask, h;
	char key[256];
	u32 pc_length, length;
	const char *tail;
	enum status st;

	if (!read_hex(c, 8, &pc))
		return body_error(b, c, "a PC in hexadecimal is wanted here, not `%.40s`", safe_text(c->at));
	pc_length = (u32)(c->at - c->line);
	w.pc = (u32)pc;
	if (c->at[0] != ' ' || !read_hex(c, 8, &mask) || (u32)(c->at - c->line) != pc_length + 9 || *c->at != ' ')
		return body_error(b, c, "a mask of eight hexadecimal digits is wanted here, not `%.40s`",
				  safe_text(c->at));
	tail = ++c->at;
	st = read_operands(b, c, &w);
	if (st)
		return st;
	behind = *c;
	if (w.bytes || !read_decimal(&behind, &w.immediate))
		w.immediate = 0;
	length = pc_length + (u32)(c->at - tail);
	if (length > sizeof(key))
		return body_error(b, c, "an instruction of more than %zu bytes", sizeof(key));
	memcpy(key, c->line, pc_length);
	memcpy(key + pc_length, tail, length - pc_length);
	h = XXH3_64bits(key, length);
	for (u32 i; b->table_size && (i = b->table[h & (b->table_size - 1)]); h++)
		if (same(b, &b->known[i - 1], c->line, (size_t)(c->end - c->line))) {
			*out = i - 1;
			return STATUS_OK;
		}
	*out = b->nknown;
	return add_known(b, c, &w, tail, pc_length);
}

/* Note a local address; generic ones count from the window's base. */
static void note_local(struct body *b, u64 from, u64 to)
{
	b->local_low = min_u64(b->local_low, min_u64(from, to));
	b->local_high = max_u64(b->local_high, max_u64(from, to));
}

/* The space of a generic address, as flags. */
static u32 generic_window(const struct trace *t, u64 address)
{
	u64 low = t->shared_base, high = t->local_base;

	if (!low || !high)
		return 0;
	if (address >= low && address < high)
		return RECORD_SHARED;
	return address >= high && address < high + 16384 ? RECORD_LOCAL : 0;
}

/* Addresses given lane by lane: a list (mode 0) or differences (mode 2). last: the highest address. */
static enum status read_lanes(struct body *b, struct cursor *c, u32 mask, bool list, u64 base, u8 **out, u64 *last)
{
	u64 at = base, next;
	i64 delta;

	for (u32 n = (u32)__builtin_popcount(mask); n > 1; n--) {
		bool good = list ? read_hex(c, 16, &next) : read_decimal(c, &delta);

		if (!good)
			return body_error(b, c,
					  list ? "the address of one more lane is wanted here"
					       : "the distance to the address of one more lane is wanted here");
		delta = list ? (i64)(next - at) : delta;
		at += (u64)delta;
		*last = max_u64(*last, at);
		*out = trace_put(*out, trace_zigzag(delta));
	}
	return STATUS_OK;
}

/* Mode and addresses behind the width; flags gets the record's, out its bytes. */
static enum status read_addresses(struct body *b, struct cursor *c, const struct known *k, u32 mask, u8 *flags,
				  u8 **out)
{
	enum status st = STATUS_OK;
	u64 base = 0, last;
	u32 mode = 0;
	i64 stride = 0;

	if (want_number(b, c, 2, "how addresses are written (0, 1 or 2)", &mode))
		return b->e->status;
	if ((mode || mask) && !read_hex(c, 16, &base))
		return body_error(b, c, "an address in hexadecimal is wanted here, not `%.40s`", safe_text(c->at));
	if (mode == 1 && !read_decimal(c, &stride))
		return body_error(b, c, "the distance between two lanes' addresses is wanted here, not `%.40s`",
				  safe_text(c->at));
	*flags |= mode == 1 || !mask ? RECORD_STRIDE : RECORD_DELTAS;
	*flags |= k->space == SPACE_GENERIC ? generic_window(b->trace, base) : 0;
	last = base + (u64)stride * 31;
	*out = trace_put(*out, base);
	if (*flags & RECORD_STRIDE)
		*out = trace_put(*out, trace_zigzag(stride));
	else
		st = read_lanes(b, c, mask, mode == 0, base, out, &last);
	if (mask && (k->space == SPACE_LOCAL || *flags & RECORD_LOCAL))
		note_local(b, base, last + k->bytes);
	return st;
}

/* Skip the fields before the PC: CTA and warp (before version 3), the line of the source. */
static enum status skip_prefix(struct body *b, struct cursor *c, u32 *source_line)
{
	u32 n = (b->trace->version < 3 ? 4 : 0) + b->lines;
	i64 number = 0;

	for (u32 i = 0; i < n; i++)
		if (!read_decimal(c, &number))
			return body_error(b, c, "%u numbers are wanted before the PC, as tracer version %u writes them",
					  n, b->trace->version);
	*source_line = b->lines ? (u32)number : 0;
	skip_blanks(c);
	return STATUS_OK;
}

/* The mask of a line whose PC takes n bytes. */
static bool read_mask(const char *s, u32 *mask)
{
	u32 m = 0, bad = 0;

	for (u32 i = 0; i < 8; i++) {
		bad |= !hex_value[(u8)s[i]];
		m = m << 4 | ((hex_value[(u8)s[i]] - 1u) & 15);
	}
	*mask = m;
	return !bad;
}

/* One line into the image. previous: number of the warp's last instruction, then of this. */
static enum status take_line(struct body *b, char *line, size_t n, u32 *previous)
{
	struct cursor c = {.line = line, .at = line, .end = line + n};
	u8 record[RECORD_BYTES], *out = record + 1, *flags = record;
	u32 source_line = 0, mask = 0, i = *previous == ~0u ? 0 : b->known[*previous].next;
	enum status st = skip_prefix(b, &c, &source_line);

	if (st)
		return st;
	c.line = c.at;
	if (i >= b->nknown || !same(b, &b->known[i], c.at, (size_t)(c.end - c.at)))
		st = find_known(b, &c, source_line, &i);
	if (!st && !read_mask(c.line + b->known[i].pc_length + 1, &mask))
		st = body_error(b, &c, "a mask of eight hexadecimal digits is wanted behind the PC");
	if (st) {
		b->e->column += b->e->column ? (u32)(c.line - line) : 0;
		return st;
	}
	if (*previous != ~0u)
		b->known[*previous].next = i;
	*flags = (u8)((i == *previous + 1 ? RECORD_NEXT : 0) | (mask == ~0u ? RECORD_FULL : 0));
	if (!(*flags & RECORD_NEXT))
		out = trace_put(out, i);
	if (mask != ~0u) {
		memcpy(out, &mask, sizeof(mask));
		out += sizeof(mask);
	}
	c.at = c.line + b->known[i].pc_length + 10 + b->known[i].tail_length;
	c.line = line;
	if (b->known[i].bytes && b->known[i].space)
		st = read_addresses(b, &c, &b->known[i], mask, flags, &out);
	*previous = i;
	b->trace->records++;
	if (!st && !trace_image_add(b->trace->image, record, (size_t)(out - record)))
		st = error_set(b->e, STATUS_FAILED,
			       "the temporary file of the trace cannot be written; set TMPDIR to a folder with room");
	return st;
}

/* The next line that is not blank. NULL: there is none, or an error. */
static char *next_line(struct body *b, size_t *n)
{
	char *line;

	while ((line = trace_reader_line(b->reader, n, b->e)))
		if (line[strspn(line, " \t")])
			return line;
	return NULL;
}

/* The n records of a warp. */
static enum status read_records(struct body *b, u32 warp, u32 records)
{
	const u8 end = RECORD_END;
	u32 previous = ~0u;
	enum status st = STATUS_OK;
	size_t n;

	b->warp[warp] = trace_image_end(b->trace->image);
	for (u32 i = 0; i < records && !st; i++) {
		char *line = next_line(b, &n);

		if (!line)
			return b->e->status
				       ? b->e->status
				       : body_error(b, NULL, "the file ends after %u of %u instructions of warp %u", i,
						    records, warp);
		if (*line == '#' || *line == 'w' || *line == 't')
			return body_error(b, NULL, "`insts = %u`, but only %u instructions follow", records, i);
		st = take_line(b, line, n, &previous);
	}
	if (!st && !trace_image_add(b->trace->image, &end, 1))
		st = error_set(b->e, STATUS_FAILED,
			       "the temporary file of the trace cannot be written; set TMPDIR to a folder with room");
	return st;
}

/* `warp = N`, then `insts = N` and the records. */
static enum status read_warp(struct body *b, const char *line)
{
	u32 warps = b->trace->warps, warp, records;
	int end = 0;
	size_t n;
	char *next;

	if (sscanf(line, " warp = %9u %n", &warp, &end) != 1 || line[end])
		return body_error(b, NULL, "`warp = NUMBER` is wanted here, not `%.40s`", safe_text(line));
	if (warp >= warps)
		return body_error(b, NULL, "warp %u of a block that has %u", warp, warps);
	if (b->warp[warp])
		return body_error(b, NULL, "warp %u comes a second time in this block", warp);
	next = next_line(b, &n);
	if (!next && b->e->status)
		return b->e->status;
	end = 0;
	if (!next || sscanf(next, " insts = %9u %n", &records, &end) != 1 || next[end])
		return body_error(b, NULL, "`insts = NUMBER` is wanted here%s%.40s", next ? ", not " : "",
				  next ? safe_text(next) : "");
	return records ? read_records(b, warp, records) : STATUS_OK;
}

/* `thread block = x,y,z`: which CTA this is. */
static enum status read_place(struct body *b, const char *line)
{
	const u32 *g = b->trace->grid;
	u32 x, y, z;
	int end = 0;

	if (sscanf(line, " thread block = %9u , %9u , %9u %n", &x, &y, &z, &end) != 3 || line[end])
		return body_error(b, NULL, "`thread block = x,y,z` is wanted here, not `%.40s`", safe_text(line));
	if (x >= g[0] || y >= g[1] || z >= g[2])
		return body_error(b, NULL, "block %u,%u,%u of a grid of %u,%u,%u", x, y, z, g[0], g[1], g[2]);
	b->cta = (z * g[1] + y) * g[0] + x;
	return STATUS_OK;
}

/* The CTA is complete: its table of warps, and where that is. */
static enum status end_cta(struct body *b)
{
	u64 table = trace_image_end(b->trace->image);

	if (b->cta == ~0u)
		return body_error(b, NULL, "a block ends without `thread block = x,y,z`");
	if (!trace_image_add(b->trace->image, b->warp, b->trace->warps * sizeof(*b->warp)) ||
	    !trace_image_put(b->trace->image, b->trace->index + 8ULL * b->cta, table))
		return error_set(b->e, STATUS_FAILED,
				 "the temporary file of the trace cannot be written; set TMPDIR to a folder with room");
	return STATUS_OK;
}

/* One CTA, from the line behind #BEGIN_TB to #END_TB. */
static enum status read_cta(struct body *b)
{
	enum status st = STATUS_OK;
	size_t n;
	char *line;

	b->cta = ~0u;
	memset(b->warp, 0, b->trace->warps * sizeof(*b->warp));
	while (!st && (line = next_line(b, &n))) {
		line += strspn(line, " \t");
		if (!strncmp(line, "#END_TB", 7))
			return end_cta(b);
		if (*line == 't')
			st = read_place(b, line);
		else if (*line == 'w')
			st = read_warp(b, line);
		else if (*line != '#' || !strncmp(line, "#BEGIN_TB", 9))
			st = body_error(b, NULL, "`thread block`, `warp` or #END_TB is wanted here, not `%.40s`",
					safe_text(line));
	}
	if (st || b->e->status)
		return st ? st : b->e->status;
	return body_error(b, NULL, "the file ends within a block, without #END_TB");
}

/* All CTAs. */
static enum status read_ctas(struct body *b, bool begun)
{
	enum status st = begun ? read_cta(b) : STATUS_OK;
	size_t n;
	char *line;

	while (!st && (line = next_line(b, &n))) {
		line += strspn(line, " \t");
		if (!strncmp(line, "#BEGIN_TB", 9))
			st = read_cta(b);
		else if (*line != '#')
			st = body_error(b, NULL, "#BEGIN_TB is wanted here, not `%.40s`", safe_text(line));
	}
	if (!st)
		st = b->e->status;
	return st || b->trace->records ? st : body_error(b, NULL, "no instruction in the whole file");
}

/* PC first, then first appearance. */
static int by_pc(const void *a, const void *b, void *known)
{
	u32 x = *(const u32 *)a, y = *(const u32 *)b;
	const struct known *k = known;

	if (k[x].pc != k[y].pc)
		return k[x].pc < k[y].pc ? -1 : 1;
	return x < y ? -1 : x > y;
}

/* Instructions in the order of their PCs, and the tables between that order and the records' numbers. */
static void sort_instructions(struct body *b)
{
	struct inst *sorted = xcalloc(b->nknown, sizeof(*sorted));
	struct trace *t = b->trace;

	t->number = xmalloc(b->nknown * sizeof(*t->number));
	t->inst = xmalloc(b->nknown * sizeof(*t->inst));
	for (u32 i = 0; i < b->nknown; i++)
		t->number[i] = i;
	qsort_r(t->number, b->nknown, sizeof(*t->number), by_pc, b->known);
	for (u32 i = 0; i < b->nknown; i++) {
		t->inst[t->number[i]] = i;
		sorted[i] = b->k->inst[t->number[i]];
	}
	free(b->k->inst);
	b->k->inst = sorted;
	b->k->ninst = b->nknown;
}

/* What the records say of the kernel as a whole. */
static void finish(struct body *b, const struct trace_header *h)
{
	struct trace *t = b->trace;

	sort_instructions(b);
	b->k->strings = b->strings.s;
	b->strings = (struct text){0};
	trace_finish_kernel(b->k, h->registers);
	t->hash = trace_image_hash(t->image);
	if (b->local_high > b->local_low) {
		t->local_low = b->local_low & ~15ULL;
		b->k->local_bytes = (u32)min_u64((b->local_high - t->local_low + 15) & ~15ULL, LOCAL_FRAME);
	}
}

enum status trace_body_read(struct trace_reader *r, const struct trace_header *h, bool unknown_int, struct kernel *k,
			    struct error *e)
{
	struct body b = {.reader = r,
			 .trace = h->trace,
			 .k = k,
			 .e = e,
			 .unknown_int = unknown_int,
			 .lines = h->lines,
			 .warp = xcalloc(h->trace->warps, sizeof(u64)),
			 .local_low = ~0ULL};
	enum status st = STATUS_OK;

	h->trace->index = trace_image_end(h->trace->image);
	if (!trace_image_hole(h->trace->image, 8ULL * h->trace->ctas))
		st = error_set(e, STATUS_FAILED,
			       "the temporary file of the trace cannot be written; set TMPDIR to a folder with room");
	if (!st)
		st = read_ctas(&b, h->begun);
	if (!st)
		finish(&b, h);
	text_free(&b.keys);
	text_free(&b.strings);
	free(b.known);
	free(b.table);
	free(b.warp);
	return st;
}
