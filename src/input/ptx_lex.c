/*
 * ptx_lex.c - PTX text to tokens.
 *
 * A word that starts with a dot ends at the next dot (".param", ".u64"); any other word runs on over dots, so that
 * an opcode with its modifiers ("ld.global.v2.f32") and "%tid.x" are one token. Comments and blanks are skipped.
 * Source: PTX ISA 8.x, chapter 4.
 */
#include <ctype.h>
#include <locale.h>

#include "ptx_internal.h"

#define TOKENS_BETWEEN 4096 /* tokens read between two questions whether to go on */

/* Keep the first error, at a place of the module's text. */
bool ptx_fail(struct ptx *p, u32 line, u32 column, const char *fmt, ...)
{
	char message[700];
	va_list ap;

	if (p->failed)
		return false;
	p->failed = true;
	va_start(ap, fmt);
	vsnprintf(message, sizeof(message), fmt, ap);
	va_end(ap);
	error_at(p->error, STATUS_USAGE, p->path, line, column, "%s", message);
	return false;
}

/* A piece of the text for a message: control bytes escaped, at most 60 characters. */
const char *ptx_shown(const char *s, u32 len)
{
	static char ring[4][80];
	static u32 next;
	char *buf = ring[next++ % ARRAY_LEN(ring)];

	snprintf(buf, sizeof(ring[0]), "%.*s%s", (int)min_u32(len, 60), s, len > 60 ? "..." : "");
	return safe_text(buf);
}

/* Fail: `what` was expected, and what stands there instead. */
bool ptx_expected(struct ptx *p, const char *what)
{
	const struct ptx_token *t = &p->token;

	if (t->kind == TOKEN_END)
		return ptx_fail(p, PTX_AT(t), "the text ends where %s is expected", what);
	return ptx_fail(p, PTX_AT(t), "expected %s, found '%s'", what, ptx_shown(t->s, t->len));
}

bool ptx_expected_other(struct ptx *p, const char *what)
{
	const struct ptx_token *t = &p->token;
	const char *why = t->kind == TOKEN_WORD ? ptx_refusal(t->s, t->len) : NULL;

	return why ? ptx_refuse(p, PTX_AT(t), "'%s' is not supported: %s", ptx_shown(t->s, t->len), why)
		   : ptx_expected(p, what);
}

static bool is_word_start(int c)
{
	return isalpha(c) || c == '_' || c == '$' || c == '%';
}
static bool is_word_char(int c)
{
	return isalnum(c) || c == '_' || c == '$';
}

static u32 column_of(const struct ptx *p, const char *s)
{
	return (u32)(s - p->line_start) + 1;
}

/* Skip one block comment; p->at is behind its opening. */
static bool skip_comment(struct ptx *p)
{
	u32 line = p->line, column = column_of(p, p->at - 2);

	for (; p->at < p->end; p->at++) {
		if (*p->at == '\n') {
			p->line++;
			p->line_start = p->at + 1;
		} else if (*p->at == '*' && p->at + 1 < p->end && p->at[1] == '/') {
			p->at += 2;
			return true;
		}
	}
	return ptx_fail(p, line, column, "this comment is not closed: '*/' is missing");
}

/* Skip blanks, newlines and comments. */
static bool skip_blanks(struct ptx *p)
{
	while (p->at < p->end) {
		char c = *p->at;

		if (c == '\n') {
			p->line++;
			p->line_start = ++p->at;
		} else if (c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v') {
			p->at++;
		} else if (c == '/' && p->at + 1 < p->end && p->at[1] == '/') {
			while (p->at < p->end && *p->at != '\n')
				p->at++;
		} else if (c == '/' && p->at + 1 < p->end && p->at[1] == '*') {
			p->at += 2;
			if (!skip_comment(p))
				return false;
		} else {
			return true;
		}
	}
	return true;
}

/* A word; see the top of the file for where it ends. */
static bool lex_word(struct ptx *p, struct ptx_token *t)
{
	bool dotted = *p->at != '.';
	const char *s = p->at + 1;

	while (s < p->end) {
		if (is_word_char((u8)*s))
			s++;
		else if (dotted && *s == '.' && s + 1 < p->end && is_word_char((u8)s[1]))
			s += 2;
		else if (s + 2 < p->end && s[0] == ':' && s[1] == ':' && is_word_char((u8)s[2]))
			s += 3;
		else
			break;
	}
	t->kind = TOKEN_WORD;
	t->len = (u32)(s - p->at);
	if (t->len > PTX_MAX_TOKEN)
		return ptx_fail(p, PTX_AT(t), "this name has %u characters (at most %u)", t->len, PTX_MAX_TOKEN);
	if (t->len == 1 && *t->s == '.')
		return ptx_fail(p, PTX_AT(t), "a lone '.': expected a directive such as .reg or .entry");
	p->at = s;
	return true;
}

/* A string on one line; no escapes are interpreted but \" does not end it. */
static bool lex_string(struct ptx *p, struct ptx_token *t)
{
	const char *s = p->at + 1;

	while (s < p->end && *s != '"' && *s != '\n')
		s += *s == '\\' && s + 1 < p->end && s[1] != '\n' ? 2 : 1;
	if (s >= p->end || *s != '"')
		return ptx_fail(p, PTX_AT(t), "this string is not closed: '\"' is missing on its line");
	t->kind = TOKEN_STRING;
	t->s = p->at + 1;
	t->len = (u32)(s - t->s);
	if (t->len > PTX_MAX_TOKEN)
		return ptx_fail(p, PTX_AT(t), "this string has %u characters (at most %u)", t->len, PTX_MAX_TOKEN);
	p->at = s + 1;
	return true;
}

/* Digits of a base into *value; the number of digits, or PTX_NONE when 64 bits do not hold them. */
static u32 read_digits(const char *s, const char *end, u32 base, u64 *value)
{
	u32 n = 0;

	*value = 0;
	for (; s + n < end; n++) {
		int c = tolower((u8)s[n]);
		u32 digit = isdigit(c) ? (u32)(c - '0') : c >= 'a' && c <= 'f' ? (u32)(c - 'a' + 10) : 99;

		if (digit >= base)
			return n;
		if (__builtin_mul_overflow(*value, (u64)base, value) ||
		    __builtin_add_overflow(*value, (u64)digit, value))
			return PTX_NONE;
	}
	return n;
}

/* 0f and 0d floats: exactly 8 or 16 hexadecimal digits. */
static bool lex_float_bits(struct ptx *p, struct ptx_token *t, u32 want)
{
	u32 n = read_digits(p->at + 2, p->end, 16, &t->value);

	if (n != want)
		return ptx_fail(p, PTX_AT(t), "a 0%c number has exactly %u hexadecimal digits, as in %s",
				want == 8 ? 'f' : 'd', want, want == 8 ? "0f3F800000" : "0d3FF0000000000000");
	t->kind = TOKEN_FLOAT;
	t->single = want == 8;
	p->at += 2 + n;
	return true;
}

/* A decimal floating-point number: digits with a point or an exponent, whatever the user's locale writes. */
static bool lex_decimal_float(struct ptx *p, struct ptx_token *t)
{
	locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
	char buf[64];
	u32 n = 0;
	char *stop;
	double d;

	while (p->at + n < p->end && n < sizeof(buf) - 1) {
		char c = p->at[n];

		if (!isdigit((u8)c) && c != '.' && c != 'e' && c != 'E' &&
		    !((c == '-' || c == '+') && n && tolower((u8)p->at[n - 1]) == 'e'))
			break;
		buf[n++] = c;
	}
	buf[n] = 0;
	d = strtod_l(buf, &stop, plain);
	freelocale(plain);
	if (*stop)
		return ptx_fail(p, PTX_AT(t), "malformed number '%s'", ptx_shown(t->s, n));
	t->kind = TOKEN_FLOAT;
	memcpy(&t->value, &d, sizeof(d));
	p->at += n;
	return true;
}

/* An integer of any base, or off to the floats. */
static bool lex_integer(struct ptx *p, struct ptx_token *t)
{
	const char *s = p->at;
	int second = s + 1 < p->end && *s == '0' ? tolower((u8)s[1]) : 0;
	u32 skip = second == 'x' || second == 'b' ? 2 : 0;
	u32 base = second == 'x' ? 16 : second == 'b' ? 2 : isdigit(second) ? 8 : 10;
	u32 n, digits = 0;

	while (s + digits < p->end && isdigit((u8)s[digits]))
		digits++;
	if (!skip && s + digits < p->end && (s[digits] == '.' || tolower((u8)s[digits]) == 'e'))
		return lex_decimal_float(p, t);
	n = read_digits(s + skip, p->end, base, &t->value);
	if (n == PTX_NONE)
		return ptx_fail(p, PTX_AT(t), "this number does not fit in 64 bits");
	if (skip && !n)
		return ptx_fail(p, PTX_AT(t), "digits are missing after '%.2s'", s);
	t->kind = TOKEN_INT;
	p->at = s + skip + n;
	if (p->at < p->end && (*p->at == 'U' || *p->at == 'u'))
		p->at++;
	return true;
}

/* Any number; nothing that belongs to a word may touch its end. */
static bool lex_number(struct ptx *p, struct ptx_token *t)
{
	char second = p->at + 1 < p->end && *p->at == '0' ? p->at[1] : 0;
	bool ok;

	if (second == 'f' || second == 'F')
		ok = lex_float_bits(p, t, 8);
	else if (second == 'd' || second == 'D')
		ok = lex_float_bits(p, t, 16);
	else
		ok = lex_integer(p, t);
	if (!ok)
		return false;
	t->len = (u32)(p->at - t->s);
	if (p->at < p->end && (is_word_char((u8)*p->at) || *p->at == '.'))
		return ptx_fail(p, PTX_AT(t), "malformed number '%s'", ptx_shown(t->s, t->len + 1));
	return true;
}

/* One character of punctuation. */
static bool lex_punctuation(struct ptx *p, struct ptx_token *t)
{
	char c = *p->at;

	if (!c)
		return ptx_fail(p, PTX_AT(t), "NUL byte: this is not PTX text");
	if (!strchr("{}()[]<>,;:+-*/%&|^~!@=?", c))
		return ptx_fail(p, PTX_AT(t), "byte 0x%02x ('%s') has no meaning in PTX", (u8)c, ptx_shown(p->at, 1));
	t->kind = (u8)c;
	t->len = 1;
	p->at++;
	return true;
}

bool ptx_goes_on(struct ptx *p)
{
	enum status st = p->failed ? STATUS_OK : work_check(p->error);

	if (!st)
		return !p->failed;
	p->interrupted = st;
	p->failed = true;
	return false;
}

void ptx_stop_ignoring(struct ptx *p, struct error *error)
{
	if (p->interrupted)
		*error = *p->error;
	p->failed = p->interrupted != STATUS_OK;
	p->error = error;
}

/* Advance to the next token. */
bool ptx_next(struct ptx *p)
{
	struct ptx_token *t = &p->token;
	char c, d;

	p->nexpanded += p->entry && p->entry->call_depth;
	if (!(++p->ntoken % TOKENS_BETWEEN) && !ptx_goes_on(p))
		return false;
	p->last_end = p->at;
	if (p->failed || !skip_blanks(p))
		return false;
	*t = (struct ptx_token){.kind = TOKEN_END, .line = p->line, .column = column_of(p, p->at), .s = p->at};
	if (p->at == p->end)
		return true;
	c = *p->at;
	d = p->at + 1 < p->end ? p->at[1] : 0;
	if (isdigit((u8)c) || (c == '.' && isdigit((u8)d)))
		return c == '.' ? lex_decimal_float(p, t) : lex_number(p, t);
	if (c == '.' || (is_word_start((u8)c) && (c != '%' || is_word_char((u8)d))))
		return lex_word(p, t);
	if (c == '"')
		return lex_string(p, t);
	return lex_punctuation(p, t);
}

/* Is the current token this word? */
bool ptx_is_word(const struct ptx *p, const char *word)
{
	return p->token.kind == TOKEN_WORD && p->token.len == strlen(word) && !memcmp(p->token.s, word, p->token.len);
}

/* Advance over a token of this kind if it stands here. */
bool ptx_accept(struct ptx *p, int kind, bool *found)
{
	*found = p->token.kind == kind;
	return *found ? ptx_next(p) : !p->failed;
}

/* Advance over a token of this kind, or fail naming it. */
bool ptx_expect(struct ptx *p, int kind, const char *what)
{
	return p->token.kind == kind ? ptx_next(p) : ptx_expected(p, what);
}

/* A plain number of at most `limit`. */
bool ptx_expect_u32(struct ptx *p, u32 limit, const char *what, u32 *out)
{
	if (p->token.kind != TOKEN_INT)
		return ptx_expected(p, what);
	if (p->token.value > limit)
		return ptx_fail(p, PTX_AT(&p->token), "%s: %s is too large (at most %u)", what,
				ptx_shown(p->token.s, p->token.len), limit);
	*out = (u32)p->token.value;
	return ptx_next(p);
}

/* Advance over a balanced { ... }; the current token is the opening brace. */
bool ptx_skip_braces(struct ptx *p)
{
	u32 line = p->token.line, column = p->token.column, depth = 0;

	do {
		if (ptx_is(p, TOKEN_END))
			return ptx_fail(p, line, column, "this '{' is never closed");
		depth += ptx_is(p, '{');
		depth -= ptx_is(p, '}');
		if (!ptx_next(p))
			return false;
	} while (depth);
	return true;
}

/* Where reading stands. */
struct ptx_place ptx_here(const struct ptx *p)
{
	return (struct ptx_place){.at = p->at,
				  .end = p->end,
				  .line_start = p->line_start,
				  .last_end = p->last_end,
				  .line = p->line,
				  .loc = p->loc,
				  .token = p->token};
}

/* Read on from another place. */
void ptx_go(struct ptx *p, const struct ptx_place *to)
{
	p->at = to->at;
	p->end = to->end;
	p->line_start = to->line_start;
	p->last_end = to->last_end;
	p->line = to->line;
	p->loc = to->loc;
	p->token = to->token;
}
