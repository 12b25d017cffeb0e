/*
 * trace_bulk.c - bulk copies of the tensor memory accelerator (UTMALDG and its like), as tracer version 6 records them.
 *
 * Behind the width: the mbarrier's address, whether it is a multicast (then the CTAs' mask), bytes, bytes out of
 * bounds, and the addresses in global memory, listed or as differences. One thread issues such an instruction, and the
 * accelerator makes its accesses. Here each 16 bytes are a lane of a copy, and 32 lanes a record of the same
 * instruction.
 */
#include "trace_body.h"

#define PIECE 16u	      /* bytes of a lane */
#define MOST_BYTES (1u << 20) /* of one instruction: more than any SM's shared memory */
#define LISTED 3u
#define DIFFERENCES 4u

/* The record being made. */
struct bulk {
	struct trace_body *b;
	u32 number;
	u32 *previous;
	u32 lanes;
	u64 address[WARP_LANES];
};

/* Write a record with lanes `mask`; of a copy each has its address, or (mask 0) none has. */
static enum status put_record(struct bulk *k, u32 mask, bool copies)
{
	u8 record[WARP_LANES * 10 + 16], *out = trace_put_head(record, k->number, *k->previous, mask);

	if (copies) {
		record[0] |= mask ? RECORD_DELTAS : RECORD_STRIDE;
		out = trace_put(out, mask ? k->address[0] : 0);
	}
	if (copies && !mask)
		out = trace_put(out, 0);
	for (u32 i = 1; i < k->lanes; i++)
		out = trace_put(out, trace_zigzag((i64)(k->address[i] - k->address[i - 1])));
	*k->previous = k->number;
	k->lanes = 0;
	k->b->trace->records++;
	return trace_image_add(k->b->trace->image, record, (size_t)(out - record)) ? STATUS_OK
										   : trace_image_full(k->b->e);
}

/* Lanes for the bytes at an address. */
static enum status put_transfer(struct bulk *k, u64 address, u32 bytes)
{
	enum status st = STATUS_OK;

	for (u64 at = address & ~(u64)(PIECE - 1); !st && at < address + bytes; at += PIECE) {
		k->address[k->lanes++] = at;
		if (k->lanes == WARP_LANES)
			st = put_record(k, ~0u, true);
	}
	return st;
}

/* What stands between width and addresses. */
struct fields {
	u32 bytes, beyond, format, transfers;
};

static enum status read_fields(struct trace_body *b, struct trace_cursor *c, struct fields *f, u64 *base)
{
	u64 barrier, ctas;
	u32 multicast;
	enum status st;

	if (!trace_hex(c, 16, &barrier))
		return trace_body_error(b, c, "expected the address of an mbarrier in hexadecimal, not '%.40s'",
					safe_text(c->at));
	st = trace_number(b, c, 1, "whether it is a multicast", &multicast);
	if (!st && multicast && !trace_hex(c, 16, &ctas))
		st = trace_body_error(b, c, "expected the mask of a multicast's CTAs in hexadecimal, not '%.40s'",
				      safe_text(c->at));
	st = st ? st : trace_number(b, c, MOST_BYTES, "the bytes of a bulk copy", &f->bytes);
	st = st ? st : trace_number(b, c, MOST_BYTES, "the bytes out of bounds", &f->beyond);
	st = st ? st : trace_number(b, c, DIFFERENCES, "address format (3 or 4)", &f->format);
	if (!st && f->format < LISTED)
		st = trace_body_error(b, c, "address format %u of a bulk copy (3 or 4)", f->format);
	if (!st && f->format == DIFFERENCES && !trace_hex(c, 16, base))
		st = trace_body_error(b, c, "expected an address in hexadecimal, not '%.40s'", safe_text(c->at));
	return st ? st : trace_number(b, c, MOST_BYTES / PIECE, "the number of transfers", &f->transfers);
}

/* The next address. */
static enum status read_address(struct trace_body *b, struct trace_cursor *c, u32 format, bool first, u64 *at)
{
	i64 delta = 0;

	if (format == LISTED && !trace_hex(c, 16, at))
		return trace_body_error(b, c, "missing address of another transfer");
	if (format == DIFFERENCES && !first && !trace_decimal(c, &delta))
		return trace_body_error(b, c, "missing address distance of another transfer");
	*at += (u64)delta;
	return STATUS_OK;
}

enum status trace_bulk(struct trace_body *b, struct trace_cursor *c, u32 i, u32 mask, u32 *previous)
{
	struct bulk k = {.b = b, .number = i, .previous = previous};
	struct fields f = {0};
	u64 at = 0;
	enum status st = read_fields(b, c, &f, &at);
	/* what is out of bounds is filled with zeros, not read */
	u32 inside = f.bytes > f.beyond ? f.bytes - f.beyond : 0;
	u32 each = f.transfers ? max_u32(inside / f.transfers, PIECE) : 0;

	if (!st && !b->known[i].space)
		return put_record(&k, mask, false);
	if (!mask)
		f.transfers = 0;
	for (u32 t = 0; !st && t < f.transfers; t++) {
		st = read_address(b, c, f.format, !t, &at);
		st = st ? st : put_transfer(&k, at, each);
	}
	return st || (!k.lanes && f.transfers) ? st : put_record(&k, (1u << k.lanes) - 1, true);
}
