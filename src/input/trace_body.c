/*
 * trace_body.c - the records of a recorded kernel: lines of text into the image and static instructions.
 *
 * A CTA is known by its id, not by its place in the file.
 */
#include "trace_body.h"

#include "ops.h"

#define LOCAL_FRAME (1u << 16) /* most local bytes of a thread */
#define RECORD_BYTES 400u      /* the longest record is shorter */

/* The image could not be written. */
enum status trace_image_full(struct error *e)
{
	return error_set(e, STATUS_FAILED,
			 "cannot write the temporary file of the trace (set TMPDIR to a directory with free space)");
}

/* Note a local address; generic ones count from the window's base. */
static void note_local(struct trace_body *b, u64 from, u64 to)
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
static enum status read_lanes(struct trace_body *b, struct trace_cursor *c, u32 mask, bool list, u64 base, u8 **out,
			      u64 *last)
{
	u64 at = base, next;
	i64 delta;

	for (u32 n = (u32)__builtin_popcount(mask); n > 1; n--) {
		bool good = list ? trace_hex(c, 16, &next) : trace_decimal(c, &delta);

		if (!good)
			return trace_body_error(b, c,
						list ? "missing address of another lane"
						     : "missing address distance of another lane");
		delta = list ? (i64)(next - at) : delta;
		at += (u64)delta;
		*last = max_u64(*last, at);
		*out = trace_put(*out, trace_zigzag(delta));
	}
	return STATUS_OK;
}

/* Mode and addresses behind the width; flags gets the record's, out its bytes. */
static enum status read_addresses(struct trace_body *b, struct trace_cursor *c, const struct trace_known *k, u32 mask,
				  u8 *flags, u8 **out)
{
	enum status st = STATUS_OK;
	u64 base = 0, last;
	u32 mode = 0;
	i64 stride = 0;

	if (trace_number(b, c, 2, "address format (0, 1 or 2)", &mode))
		return b->e->status;
	if ((mode || mask) && !trace_hex(c, 16, &base))
		return trace_body_error(b, c, "expected an address in hexadecimal, not '%.40s'", safe_text(c->at));
	if (mode == 1 && !trace_decimal(c, &stride))
		return trace_body_error(b, c, "expected the distance between the addresses of two lanes, not '%.40s'",
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
static enum status skip_prefix(struct trace_body *b, struct trace_cursor *c, u32 *source_line)
{
	u32 n = (b->trace->version < 3 ? 4 : 0) + b->lines;
	i64 number = 0;

	for (u32 i = 0; i < n; i++)
		if (!trace_decimal(c, &number))
			return trace_body_error(b, c,
						"expected %u numbers before the PC (the format of tracer version %u)",
						n, b->trace->version);
	*source_line = b->lines ? (u32)number : 0;
	trace_blanks(c);
	return STATUS_OK;
}

/* The mask of a line whose PC takes n bytes. */
static bool read_mask(const char *s, u32 *mask)
{
	u32 m = 0, bad = 0;

	for (u32 i = 0; i < 8; i++) {
		bad |= !trace_hex_value[(u8)s[i]];
		m = m << 4 | ((trace_hex_value[(u8)s[i]] - 1u) & 15);
	}
	*mask = m;
	return !bad;
}

/* One line into the image. previous: number of the warp's last instruction, then of this. */
static enum status take_line(struct trace_body *b, char *line, size_t n, u32 *previous)
{
	struct trace_cursor c = {.line = line, .at = line, .end = line + n};
	u8 record[RECORD_BYTES], *out;
	u32 source_line = 0, mask = 0, i = *previous == ~0u ? 0 : b->known[*previous].next;
	enum status st = skip_prefix(b, &c, &source_line);

	if (st)
		return st;
	c.line = c.at;
	if (i >= b->nknown || !trace_known_same(b, &b->known[i], c.at, (size_t)(c.end - c.at)))
		st = trace_known_find(b, &c, source_line, &i);
	if (!st && !read_mask(c.line + b->known[i].pc_length + 1, &mask))
		st = trace_body_error(b, &c, "expected a mask of eight hexadecimal digits after the PC");
	if (st) {
		b->e->column += b->e->column ? (u32)(c.line - line) : 0;
		return st;
	}
	if (*previous != ~0u) {
		b->known[*previous].next = i;
		if (b->k->inst[*previous].op == OP_BRA || b->k->inst[*previous].op == OP_EXIT) {
			trace_jump_note(b, *previous, i, mask);
			b->parts |= b->last_mask && b->last_mask != ~0u;
		}
	}
	b->before_mask = b->last_mask;
	b->last_mask = mask;
	if (b->known[i].bulk) {
		c.at = c.line + b->known[i].pc_length + 10 + b->known[i].tail_length;
		c.line = line;
		return trace_bulk(b, &c, i, mask, previous);
	}
	out = trace_put_head(record, i, *previous, mask);
	c.at = c.line + b->known[i].pc_length + 10 + b->known[i].tail_length;
	c.line = line;
	if (b->known[i].bytes && b->known[i].space)
		st = read_addresses(b, &c, &b->known[i], mask, record, &out);
	*previous = i;
	b->trace->records++;
	return st || trace_image_add(b->trace->image, record, (size_t)(out - record)) ? st : trace_image_full(b->e);
}

/* The next line that is not blank. NULL: there is none, or an error. */
static char *next_line(struct trace_body *b, size_t *n)
{
	char *line;

	while ((line = trace_reader_line(b->reader, n, b->e)))
		if (line[strspn(line, " \t")])
			return line;
	return NULL;
}

/* The n records of a warp. */
static enum status read_records(struct trace_body *b, u32 warp, u32 records)
{
	const u8 end = RECORD_END;
	u32 previous = ~0u;
	enum status st = STATUS_OK;
	size_t n;

	b->warp[warp] = trace_image_end(b->trace->image);
	b->last_mask = 0;
	b->parts = false;
	for (u32 i = 0; i < records && !st; i++) {
		char *line = next_line(b, &n);

		if (!line)
			return b->e->status ? b->e->status
					    : trace_body_error(b, NULL,
							       "the file ends after %u of %u instructions of warp %u",
							       i, records, warp);
		if (*line == '#' || *line == 'w' || *line == 't')
			return trace_body_error(b, NULL, "'insts = %u', but only %u instructions follow", records, i);
		st = take_line(b, line, n, &previous);
	}
	if (!st)
		st = trace_order_warp(b, warp);
	return st || trace_image_add(b->trace->image, &end, 1) ? st : trace_image_full(b->e);
}

/* `warp = N`, then `insts = N` and the records. */
static enum status read_warp(struct trace_body *b, const char *line)
{
	u32 warps = b->trace->warps, warp, records;
	int end = 0;
	size_t n;
	char *next;

	if (sscanf(line, " warp = %9u %n", &warp, &end) != 1 || line[end])
		return trace_body_error(b, NULL, "expected 'warp = NUMBER', not '%.40s'", safe_text(line));
	if (warp >= warps)
		return trace_body_error(b, NULL, "warp %u of a block that has %u warps", warp, warps);
	if (b->warp[warp])
		return trace_body_error(b, NULL, "warp %u appears twice in this block", warp);
	next = next_line(b, &n);
	if (!next && b->e->status)
		return b->e->status;
	end = 0;
	if (!next || sscanf(next, " insts = %9u %n", &records, &end) != 1 || next[end])
		return trace_body_error(b, NULL, "expected 'insts = NUMBER'%s%.40s", next ? ", not " : "",
					next ? safe_text(next) : "");
	return records ? read_records(b, warp, records) : STATUS_OK;
}

/* `thread block = x,y,z`: which CTA this is. */
static enum status read_place(struct trace_body *b, const char *line)
{
	const u32 *g = b->trace->grid;
	u32 x, y, z;
	int end = 0;

	if (sscanf(line, " thread block = %9u , %9u , %9u %n", &x, &y, &z, &end) != 3 || line[end])
		return trace_body_error(b, NULL, "expected 'thread block = x,y,z', not '%.40s'", safe_text(line));
	if (x >= g[0] || y >= g[1] || z >= g[2])
		return trace_body_error(b, NULL, "block %u,%u,%u of a grid of %u,%u,%u", x, y, z, g[0], g[1], g[2]);
	b->cta = (z * g[1] + y) * g[0] + x;
	return STATUS_OK;
}

/* The CTA is complete: its table of warps, and where that is. */
static enum status end_cta(struct trace_body *b)
{
	u64 table = trace_image_end(b->trace->image);

	if (b->cta == ~0u)
		return trace_body_error(b, NULL, "the block ends without 'thread block = x,y,z'");
	if (!trace_image_add(b->trace->image, b->warp, b->trace->warps * sizeof(*b->warp)) ||
	    !trace_image_put(b->trace->image, b->trace->index + 8ULL * b->cta, table))
		return trace_image_full(b->e);
	return STATUS_OK;
}

/* One CTA, from the line behind #BEGIN_TB to #END_TB. Its cluster is passed over: CTAs are dispatched one by one. */
static enum status read_cta(struct trace_body *b)
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
		else if ((*line != '#' && strncmp(line, "cluster ", 8)) || !strncmp(line, "#BEGIN_TB", 9))
			st = trace_body_error(b, NULL, "expected 'thread block', 'warp' or #END_TB, not '%.40s'",
					      safe_text(line));
	}
	if (st || b->e->status)
		return st ? st : b->e->status;
	return trace_body_error(b, NULL, "the file ends within a block, without #END_TB");
}

/* All CTAs. */
static enum status read_ctas(struct trace_body *b, bool begun)
{
	enum status st = begun ? read_cta(b) : STATUS_OK;
	size_t n;
	char *line;

	while (!st && (line = next_line(b, &n))) {
		line += strspn(line, " \t");
		if (!strncmp(line, "#BEGIN_TB", 9))
			st = read_cta(b);
		else if (*line != '#')
			st = trace_body_error(b, NULL, "expected #BEGIN_TB, not '%.40s'", safe_text(line));
	}
	if (!st)
		st = b->e->status;
	return st || b->trace->records ? st : trace_body_error(b, NULL, "the file contains no instruction");
}

/* PC first, then first appearance. */
static int by_pc(const void *a, const void *b, void *known)
{
	u32 x = *(const u32 *)a, y = *(const u32 *)b;
	const struct trace_known *k = known;

	return ORDER_BY({k[x].pc, k[y].pc}, {x, y});
}

/* Instructions in the order of their PCs, these, and the tables between that order and the records' numbers. */
static void sort_instructions(struct trace_body *b)
{
	struct inst *sorted = xcalloc(b->nknown, sizeof(*sorted));
	struct trace *t = b->trace;

	t->number = xmalloc(b->nknown * sizeof(*t->number));
	t->inst = xmalloc(b->nknown * sizeof(*t->inst));
	t->pc = xmalloc(b->nknown * sizeof(*t->pc));
	for (u32 i = 0; i < b->nknown; i++)
		t->number[i] = i;
	qsort_r(t->number, b->nknown, sizeof(*t->number), by_pc, b->known);
	for (u32 i = 0; i < b->nknown; i++) {
		t->inst[t->number[i]] = i;
		t->pc[i] = b->known[t->number[i]].pc;
		sorted[i] = b->k->inst[t->number[i]];
	}
	free(b->k->inst);
	b->k->inst = sorted;
	b->k->ninst = b->nknown;
}

/* What the records say of the kernel as a whole. */
static void finish(struct trace_body *b, const struct trace_header *h)
{
	struct trace *t = b->trace;

	sort_instructions(b);
	b->k->strings = b->strings.s;
	b->strings = (struct text){0};
	trace_finish_kernel(b->k, h->registers);
	trace_jumps_finish(b);
	trace_order_finish(t);
	kernel_reuse(b->k);
	trace_hardware_find(b->k);
	t->hash = trace_image_hash(t->image);
	if (b->local_high > b->local_low) {
		t->local_low = b->local_low & ~15ULL;
		b->k->local_bytes = (u32)min_u64((b->local_high - t->local_low + 15) & ~15ULL, LOCAL_FRAME);
	}
}

enum status trace_body_read(struct trace_reader *r, const struct trace_header *h, bool unknown_int, struct kernel *k,
			    struct error *e)
{
	struct trace_body b = {.reader = r,
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
		st = trace_image_full(e);
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
