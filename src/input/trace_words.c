/* trace_words.c - the words of a line of a trace: numbers, registers, an instruction's operands. */
#include <ctype.h>

#include "trace_body.h"

/* Behind the blanks. */
void trace_blanks(struct trace_cursor *c)
{
	while (*c->at == ' ' || *c->at == '\t')
		c->at++;
}

/* The length of the word at the cursor. */
static size_t word_length(const struct trace_cursor *c)
{
	return strcspn(c->at, " \t");
}

/* A decimal number, perhaps negative; false: there is none. */
bool trace_decimal(struct trace_cursor *c, i64 *out)
{
	bool minus = false;
	u64 n = 0;
	const char *p;

	trace_blanks(c);
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

const u8 trace_hex_value[256] = {
	['0'] = 1,  ['1'] = 2,	['2'] = 3,  ['3'] = 4,	['4'] = 5,  ['5'] = 6,	['6'] = 7,  ['7'] = 8,
	['8'] = 9,  ['9'] = 10, ['a'] = 11, ['b'] = 12, ['c'] = 13, ['d'] = 14, ['e'] = 15, ['f'] = 16,
	['A'] = 11, ['B'] = 12, ['C'] = 13, ['D'] = 14, ['E'] = 15, ['F'] = 16};

/* A hexadecimal number of at most `digits` digits, with or without 0x. */
bool trace_hex(struct trace_cursor *c, u32 digits, u64 *out)
{
	const char *p, *first;
	u64 n = 0;

	trace_blanks(c);
	p = c->at;
	if (p[0] == '0' && (p[1] == 'x' || p[1] == 'X'))
		p += 2;
	for (first = p; trace_hex_value[(u8)*p]; p++)
		n = n << 4 | (u64)(trace_hex_value[(u8)*p] - 1);
	if (p == first || p - first > (long)digits || (*p && *p != ' ' && *p != '\t'))
		return false;
	c->at = p;
	*out = n;
	return true;
}

/* A number from 0 to `most`, or an error that says what is wanted. */
enum status trace_number(struct trace_body *b, struct trace_cursor *c, u32 most, const char *what, u32 *out)
{
	i64 n;

	if (!trace_decimal(c, &n) || n < 0 || n > most)
		return trace_body_error(b, c, "expected %s, from 0 to %u, not '%.40s'", what, most, safe_text(c->at));
	*out = (u32)n;
	return STATUS_OK;
}

const char *const trace_file_prefix[FILE_COUNT] = {
	[FILE_VECTOR] = "R", [FILE_UNIFORM] = "UR", [FILE_PREDICATE] = "P", [FILE_UNIFORM_PREDICATE] = "UP"};

/* The digits behind a prefix. */
static bool read_file(const struct trace_cursor *c, u32 file, struct trace_cursor *out, i64 *n)
{
	size_t length = strlen(trace_file_prefix[file]);

	*out = *c;
	out->at += length;
	return !strncmp(c->at, trace_file_prefix[file], length) && *out->at >= '0' && *out->at <= '9' &&
	       trace_decimal(out, n);
}

/* R<n>; from version 6 on other files, too. */
static enum status want_register(struct trace_body *b, struct trace_cursor *c, u8 *out, u8 *out_file)
{
	u32 files = b->trace->version < 6 ? 1 : FILE_COUNT;
	struct trace_cursor digits;
	i64 n;

	trace_blanks(c);
	for (u32 file = 0; file < files; file++)
		if (read_file(c, file, &digits, &n) && n <= TRACE_REGS) {
			c->at = digits.at;
			*out = (u8)n;
			*out_file = (u8)file;
			return STATUS_OK;
		}
	return trace_body_error(b, c, "expected a register, R0 to R255%s, not '%.40s'",
				files > 1 ? " (or UR, P, UP)" : "", safe_text(c->at));
}

/* Bytes that a modifier of an opcode means, 0 none: 64, U8, S16, F32. */
static u32 modifier_bytes(const char *s, size_t n)
{
	u32 bits = 0;

	if (n && strchr("USF", *s)) {
		s++;
		n--;
	}
	for (size_t i = 0; i < n; i++) {
		if (!isdigit((unsigned char)s[i]) || n > 3)
			return 0;
		bits = 10 * bits + (u32)(s[i] - '0');
	}
	return is_pow2(bits) && bits >= 8 && bits <= 128 ? bits / 8 : 0;
}

bool trace_next_modifier(const struct trace_words *w, const char **at, size_t *n)
{
	const char *end = w->opcode + w->opcode_length, *stop;

	*at = memchr(*at + *n, '.', (size_t)(end - *at) - *n);
	if (!*at)
		return false;
	++*at;
	stop = memchr(*at, '.', (size_t)(end - *at));
	*n = (size_t)((stop ? stop : end) - *at);
	return true;
}

/* The bytes of each lane's access that an opcode says, 0: nothing. */
static u32 opcode_bytes(const struct trace_words *w)
{
	const char *at = w->opcode;
	u32 bytes = 0;
	size_t n = 0;

	while (!bytes && trace_next_modifier(w, &at, &n))
		bytes = modifier_bytes(at, n);
	return bytes;
}

/* The bytes of each lane's access. What the opcode says is believed rather than the number, as Accel-Sim does
 * (trace_parser.cc): a recorder may err there, as ours did with 4 for all accesses. Of a bulk copy they say nothing
 * that its own fields do not. */
static enum status want_width(struct trace_body *b, struct trace_cursor *c, struct trace_words *w)
{
	enum status st;
	u32 stated;

	if (b->trace->version >= 6 && trace_is_bulk(w->opcode, w->opcode_length, b->trace->binary))
		return trace_number(b, c, 1u << 20, "the bytes of one transfer", &w->bytes);
	st = trace_number(b, c, 16, "the bytes of one lane's access", &w->bytes);
	if (!st && w->bytes && !is_pow2(w->bytes))
		st = trace_body_error(b, c, "an access of %u bytes (1, 2, 4, 8 or 16, or 0 for none)", w->bytes);
	if (!st && w->bytes && (stated = opcode_bytes(w)))
		w->bytes = stated;
	return st;
}

/* A warpgroup's product says whether it ends a group. */
static enum status want_group_flag(struct trace_body *b, struct trace_cursor *c, const struct trace_words *w)
{
	u32 flag;

	if (b->trace->version < 6 || w->opcode_length < 5 || memcmp(w->opcode + 1, "GMMA", 4))
		return STATUS_OK;
	return trace_number(b, c, 1, "the flag of a group of products", &flag);
}

/* Destination, opcode and sources behind the mask. */
enum status trace_operands(struct trace_body *b, struct trace_cursor *c, struct trace_words *w)
{
	enum status st = trace_number(b, c, 1, "the number of destinations", &w->ndst);

	if (!st && w->ndst)
		st = want_register(b, c, &w->dst, &w->dst_file);
	if (st)
		return st;
	trace_blanks(c);
	w->opcode = c->at;
	w->opcode_length = (u32)word_length(c);
	if (!w->opcode_length || w->opcode_length > 100)
		return trace_body_error(b, c, "missing opcode");
	c->at += w->opcode_length;
	st = trace_number(b, c, ARRAY_LEN(w->src), "the number of sources", &w->nsrc);
	for (u32 i = 0; !st && i < w->nsrc; i++)
		st = want_register(b, c, &w->src[i], &w->src_file[i]);
	if (!st)
		st = want_group_flag(b, c, w);
	return st ? st : want_width(b, c, w);
}
