/*
 * trace_body.h - what the files share that read the records of a kernel (src/input/trace_body.c, trace_words.c,
 * trace_known.c).
 */
#ifndef WARPSTEP_TRACE_BODY_H
#define WARPSTEP_TRACE_BODY_H

#include "trace_internal.h"

#define TRACE_WAYS 4 /* instructions that may be seen to follow a branch; more are passed over */

/* A static instruction as its line says it. */
struct trace_known {
	u32 key; /* in keys: PC, then the words behind the mask up to the width */
	u16 pc_length, tail_length;
	u32 pc;
	u32 next; /* what followed the last time */
	u8 bytes, space;
	bool bulk;	     /* a line with the fields of a bulk copy */
	u8 nways, taken;     /* of a branch: how many of `way` are known; bit set of those to which its lanes went */
	u8 partial;	     /* 1: it was seen to have fewer lanes than the record before */
	u32 way[TRACE_WAYS]; /* instructions that were seen to follow it */
};

struct trace_body {
	struct trace_reader *reader;
	struct trace *trace;
	struct kernel *k;
	struct error *e;
	bool unknown_int, lines;
	struct trace_known *known;
	u32 nknown, cap;
	struct text keys, strings;
	u32 *table, table_size; /* open addressing: 1 + number of a known instruction */
	u64 *warp;		/* of the CTA being read: where the records begin, 0 none yet */
	u64 local_low, local_high;
	u32 cta;
	bool parts;		    /* a branch of the warp being read may have parted its lanes */
	u32 last_mask, before_mask; /* lanes of the warp's last record, and of the one before it; 0: none */
};

/* The words of one line, as pointers into it. */
struct trace_cursor {
	const char *line, *at, *end;
};

/* 1-based; NULL: 0. */
static inline u32 trace_column(const struct trace_cursor *c)
{
	return c ? (u32)(c->at - c->line) + 1 : 0;
}
/* An error at the cursor, or (NULL) in the line. */
#define trace_body_error(b, c, ...) \
	error_at((b)->e, STATUS_USAGE, trace_reader_path((b)->reader), trace_reader_number((b)->reader), \
		 trace_column(c), __VA_ARGS__)

/* trace_words.c: behind the blanks; a decimal number, perhaps negative; a hexadecimal one of at most `digits` digits,
 * with or without 0x; false: there is none. A digit's value + 1, 0: no digit. */
void trace_blanks(struct trace_cursor *c);
bool trace_decimal(struct trace_cursor *c, i64 *out);
bool trace_hex(struct trace_cursor *c, u32 digits, u64 *out);
extern const u8 trace_hex_value[256];
/* A number from 0 to `most`, or an error that says what is wanted; destination, opcode and sources behind the mask. */
enum status trace_number(struct trace_body *b, struct trace_cursor *c, u32 most, const char *what, u32 *out);
enum status trace_operands(struct trace_body *b, struct trace_cursor *c, struct trace_words *w);

/* trace_jumps.c: instruction `to` follows branch `from` with the lanes of mask, b->last_mask took it; then, with the
 * instructions in order, where branches go. */
void trace_jump_note(struct trace_body *b, u32 from, u32 to, u32 mask);
void trace_jumps_finish(struct trace_body *b);

/* trace_order.c: the warp's records are in the image: if warp.first most has another order, they are written in that,
 * too; then all warps are. */
enum status trace_order_warp(struct trace_body *b, u32 warp);
void trace_order_finish(struct trace *t);

/* trace_bulk.c: the fields of a bulk copy behind the width, and what it copies as records of instruction i, whose
 * number was *previous in the warp's last record. */
enum status trace_bulk(struct trace_body *b, struct trace_cursor *c, u32 i, u32 mask, u32 *previous);
/* trace_body.c: the image could not be written. */
enum status trace_image_full(struct error *e);

/* trace_known.c: the instruction that a line says, by all its words: in the table, or new. c->line begins with the PC.
 */
enum status trace_known_find(struct trace_body *b, struct trace_cursor *c, u32 source_line, u32 *out);
/* Does a line say instruction k? */
static inline bool trace_known_same(const struct trace_body *b, const struct trace_known *k, const char *s, size_t n)
{
	const char *key = b->keys.s + k->key, *tail = s + k->pc_length + 10;

	return n >= k->pc_length + 10u + k->tail_length && !memcmp(s, key, k->pc_length) && s[k->pc_length] == ' ' &&
	       tail[-1] == ' ' && !memcmp(tail, key + k->pc_length, k->tail_length) &&
	       (tail[k->tail_length] == ' ' || !tail[k->tail_length]);
}

#endif
