/*
 * trace_known.c - the static instructions of a trace, known by their words as they are written.
 *
 * The words of an instruction that never change (all but mask, addresses and immediate) are looked up in a table; who
 * reads looks first at the instruction that followed the last time. Different words at one PC are different
 * instructions: PCs are offsets in a function, so those of two functions can be equal.
 */
#include "trace_body.h"

#include <xxhash.h>

#define MAX_KNOWN 1000000u /* static instructions */

/* Put instruction i into the table. */
static void table_add(struct trace_body *b, u32 i)
{
	const struct trace_known *k = &b->known[i];
	u64 h = XXH3_64bits(b->keys.s + k->key, k->pc_length + k->tail_length);

	while (b->table[h & (b->table_size - 1)])
		h++;
	b->table[h & (b->table_size - 1)] = i + 1;
}

/* Make room for one more known instruction. */
static void grow(struct trace_body *b)
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

/* A line whose words are not in the table: a new instruction. */
static enum status add_known(struct trace_body *b, struct trace_cursor *c, const struct trace_words *w,
			     const char *tail, u32 pc_length)
{
	struct trace_known *k;
	struct inst *in;

	if (b->nknown == MAX_KNOWN)
		return trace_body_error(b, c, "more than %u different instructions: this is not the trace of a kernel",
					MAX_KNOWN);
	grow(b);
	in = &b->k->inst[b->nknown];
	if (!trace_instruction(w, b->trace->binary, b->unknown_int, in, &b->strings)) {
		c->at = w->opcode;
		return trace_body_error(
			b, c,
			"unknown opcode '%.*s' for binary version %u (with `set trace.unknown int` before loading, it counts as an integer instruction)",
			(int)w->opcode_length, safe_text(w->opcode), b->trace->binary);
	}
	k = &b->known[b->nknown];
	*k = (struct trace_known){.key = (u32)b->keys.len,
				  .pc_length = (u16)pc_length,
				  .tail_length = (u16)(c->at - tail),
				  .pc = w->pc,
				  .next = b->nknown,
				  .bytes = (u8)min_u32(w->bytes, 16),
				  .space = in->space,
				  .bulk = b->trace->version >= 6 &&
					  trace_is_bulk(w->opcode, w->opcode_length, b->trace->binary)};
	text_addn(&b->keys, c->line, pc_length);
	text_addn(&b->keys, tail, k->tail_length);
	table_add(b, b->nknown++);
	return STATUS_OK;
}

/* The instruction that a line says, by all its words: in the table, or new. c->line begins with the PC. */
enum status trace_known_find(struct trace_body *b, struct trace_cursor *c, u32 source_line, u32 *out)
{
	struct trace_words w = {.line = source_line};
	struct trace_cursor behind;
	u64 pc, mask, h;
	char key[256];
	u32 pc_length, length;
	const char *tail;
	enum status st;

	if (!trace_hex(c, 8, &pc))
		return trace_body_error(b, c, "expected a PC in hexadecimal, not '%.40s'", safe_text(c->at));
	pc_length = (u32)(c->at - c->line);
	w.pc = (u32)pc;
	if (c->at[0] != ' ' || !trace_hex(c, 8, &mask) || (u32)(c->at - c->line) != pc_length + 9 || *c->at != ' ')
		return trace_body_error(b, c, "expected a mask of eight hexadecimal digits, not '%.40s'",
					safe_text(c->at));
	tail = ++c->at;
	st = trace_operands(b, c, &w);
	if (st)
		return st;
	behind = *c;
	w.numbered = b->trace->version >= 6;
	if (w.bytes || !trace_decimal(&behind, &w.immediate))
		w.immediate = 0;
	else if (w.numbered && !trace_decimal(&behind, &w.second))
		w.second = 0;
	length = pc_length + (u32)(c->at - tail);
	if (length > sizeof(key))
		return trace_body_error(b, c, "an instruction longer than %zu bytes", sizeof(key));
	memcpy(key, c->line, pc_length);
	memcpy(key + pc_length, tail, length - pc_length);
	h = XXH3_64bits(key, length);
	for (u32 i; b->table_size && (i = b->table[h & (b->table_size - 1)]); h++)
		if (trace_known_same(b, &b->known[i - 1], c->line, (size_t)(c->end - c->line))) {
			*out = i - 1;
			return STATUS_OK;
		}
	*out = b->nknown;
	return add_known(b, c, &w, tail, pc_length);
}
