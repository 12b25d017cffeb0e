/*
 * words.c - a line to tokens.
 *
 * Tokens are separated by blanks; "..." and '...' quote, and inside "..." a backslash escapes " \ n t and xHH. # begins
 * a comment where a token could begin. Control bytes are refused with their column.
 */
#include "words.h"

#include <ctype.h>

/* The state of a scan: the line, where it is, and where unquoted bytes go. */
struct scan {
	const char *line;
	size_t length, at;
	char *out;
};

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

void words_free(struct words *w)
{
	free(w->text);
	free(w->store);
	free(w->token);
	*w = (struct words){0};
}

/* Refuse control bytes; a carriage return at the end belongs to the line's end. Returns the length, ~0 on error. */
static size_t line_check(const char *line, size_t length, struct error *e)
{
	while (length && (line[length - 1] == '\n' || line[length - 1] == '\r'))
		length--;
	for (size_t i = 0; i < length; i++) {
		u8 c = (u8)line[i];

		if ((c < 0x20 && c != '\t') || c == 0x7f) {
			usage_at(e, (u32)i + 1, "control byte 0x%02x (commands must be plain text)", c);
			return SIZE_MAX;
		}
	}
	return length;
}

/* The byte that two hexadecimal digits stand for, 0 if they are none. */
static char escaped_byte(const char *digits)
{
	char two[3] = {digits[0], digits[1]}, *end;
	unsigned long byte = isxdigit((u8)two[0]) ? strtoul(two, &end, 16) : 0;

	return byte && !*end ? (char)byte : 0;
}

/* The byte that \c stands for inside double quotes, c->at behind the backslash; 0 if none. */
static char escape(struct scan *c)
{
	char letter = c->line[c->at++];

	switch (letter) {
	case 'n': return '\n';
	case 't': return '\t';
	case 'x': c->at += 2; return c->at <= c->length ? escaped_byte(&c->line[c->at - 2]) : 0;
	case '"':
	case '\\': return letter;
	default: return 0;
	}
}

/* A quoted part, the quote at c->at. */
static enum status scan_quoted(struct scan *c, struct error *e)
{
	char quote = c->line[c->at];
	size_t start = c->at++;

	while (c->at < c->length && c->line[c->at] != quote) {
		char byte = c->line[c->at++];

		if (quote == '"' && byte == '\\' && c->at < c->length) {
			size_t at = c->at;

			byte = escape(c);
			if (!byte)
				return usage_at(e, (u32)at, "unknown escape (known: \\\", \\\\, \\n, \\t and \\xHH)");
		}
		*c->out++ = byte;
	}
	if (c->at == c->length)
		return usage_at(e, (u32)start + 1, "string without its closing %c", quote);
	c->at++;
	return STATUS_OK;
}

/* One token, which begins at c->at. */
static enum status scan_token(struct scan *c, struct token *t, struct error *e)
{
	*t = (struct token){.s = c->out, .column = (u32)c->at + 1};
	while (c->at < c->length && !is_blank(c->line[c->at])) {
		if (c->line[c->at] == '"' || c->line[c->at] == '\'') {
			t->quoted = 1;
			if (scan_quoted(c, e))
				return e ? e->status : STATUS_USAGE;
		} else {
			*c->out++ = c->line[c->at++];
		}
	}
	t->end = (u32)c->at;
	*c->out++ = '\0';
	return STATUS_OK;
}

enum status words_parse(struct words *w, const char *line, size_t length, struct error *e)
{
	struct scan c = {.line = line};
	size_t end = 0;

	*w = (struct words){0};
	if (length >= UINT32_MAX)
		return usage_at(e, 0, "line of 4 GB or more");
	c.length = line_check(line, length, e);
	if (c.length == SIZE_MAX)
		return STATUS_USAGE;
	w->store = c.out = xmalloc(c.length * 2 + 2);
	for (;;) {
		while (c.at < c.length && is_blank(c.line[c.at]))
			c.at++;
		if (c.at == c.length || c.line[c.at] == '#')
			break;
		w->token = array_grow(w->token, w->n, sizeof(*w->token));
		if (scan_token(&c, &w->token[w->n], e))
			return STATUS_USAGE;
		end = c.at;
		w->n++;
	}
	w->text = xstrndup(line, end);
	return STATUS_OK;
}

void word_add_quoted(struct text *out, const char *text)
{
	text_add(out, "\"");
	for (; *text; text++) {
		if (strchr("\"\\\n\t", *text))
			text_add(out, "\\%c", *text == '\n' ? 'n' : *text == '\t' ? 't' : *text);
		else if ((u8)*text < 0x20 || *text == 0x7f)
			text_add(out, "\\x%02x", (u8)*text);
		else
			text_addn(out, text, 1);
	}
	text_add(out, "\"");
}

void word_add(struct text *out, const char *text)
{
	bool plain = *text && *text != '#';

	for (const char *c = text; *c; c++)
		plain &= (u8)*c > 0x20 && *c != 0x7f && *c != '"' && *c != '\'';
	if (plain)
		text_add(out, "%s", text);
	else
		word_add_quoted(out, text);
}
