/* text.c - a growing string, and text from files made safe to show on a terminal. */
#include "base.h"

#include <stdlib.h>
#include <string.h>

/* Make room for n more bytes and the terminating NUL. */
static void text_reserve(struct text *t, size_t n)
{
	size_t cap = t->cap ? t->cap : 64;

	if (t->len + n + 1 <= t->cap)
		return;
	while (cap < t->len + n + 1)
		cap *= 2;
	t->s = xrealloc(t->s, cap);
	t->cap = cap;
}

void text_addv(struct text *t, const char *fmt, va_list ap)
{
	va_list again;
	int n;

	va_copy(again, ap);
	text_reserve(t, 0);
	n = vsnprintf(t->s + t->len, t->cap - t->len, fmt, ap);
	INVARIANT(n >= 0);
	if (t->len + (size_t)n + 1 > t->cap) {
		text_reserve(t, (size_t)n);
		vsnprintf(t->s + t->len, t->cap - t->len, fmt, again);
	}
	t->len += (size_t)n;
	va_end(again);
}

void text_add(struct text *t, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	text_addv(t, fmt, ap);
	va_end(ap);
}

void text_addn(struct text *t, const char *s, size_t n)
{
	text_reserve(t, n);
	if (n)
		memcpy(t->s + t->len, s, n);
	t->len += n;
	t->s[t->len] = '\0';
}

void text_clear(struct text *t)
{
	t->len = 0;
	if (t->s)
		t->s[0] = '\0';
}

void text_free(struct text *t)
{
	free(t->s);
	*t = (struct text){0};
}

/* Bytes of the well-formed UTF-8 character at s (n bytes left) that is safe to print; 0 if there is none. */
static size_t safe_length(const u8 *s, size_t n)
{
	static const u32 least[5] = {0, 0x20, 0x80, 0x800, 0x10000};
	size_t len = s[0] < 0x80 ? 1 : s[0] >= 0xf0 ? 4 : s[0] >= 0xe0 ? 3 : 2;
	u32 c = len == 1 ? s[0] : s[0] & (0x7fu >> len);

	if (len > n || (s[0] >= 0x80 && s[0] < 0xc2) || s[0] > 0xf4)
		return 0;
	for (size_t i = 1; i < len; i++) {
		if ((s[i] & 0xc0) != 0x80)
			return 0;
		c = c << 6 | (s[i] & 0x3fu);
	}
	if (c < least[len] || c == 0x7f || (c >= 0x80 && c < 0xa0) || (c >= 0xd800 && c < 0xe000) || c > 0x10ffff)
		return 0;
	/* marks that change the direction of the text around them */
	return (c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069) ? 0 : len;
}

void text_add_safe(struct text *t, const char *s, size_t n)
{
	size_t len;

	text_addn(t, "", 0);
	for (size_t i = 0; i < n; i += len ? len : 1) {
		len = safe_length((const u8 *)s + i, n - i);
		if (len)
			text_addn(t, s + i, len);
		else
			text_add(t, "\\x%02x", (u8)s[i]);
	}
}

const char *safe_text(const char *s)
{
	static struct text ring[8];
	static u32 next;
	struct text *t = &ring[next++ % ARRAY_LEN(ring)];

	text_clear(t);
	text_add_safe(t, s, strlen(s));
	return t->s;
}

const char *grouped(i64 n, char out[32])
{
	char digits[24];
	u64 size = n < 0 ? 0 - (u64)n : (u64)n;
	int len = snprintf(digits, sizeof(digits), "%llu", (unsigned long long)size), at = 0;

	if (n < 0)
		out[at++] = '-';
	for (int i = 0; i < len; i++) {
		if (i && (len - i) % 3 == 0)
			out[at++] = ',';
		out[at++] = digits[i];
	}
	out[at] = '\0';
	return out;
}

const char *token_shown(const char *s)
{
	static char ring[4][80];
	static u32 next;
	char *out = ring[next++ % ARRAY_LEN(ring)];
	char part[64];

	snprintf(part, sizeof(part), "%s", s);
	snprintf(out, sizeof(ring[0]), "%.60s%s", safe_text(part), strlen(s) >= sizeof(part) ? "..." : "");
	return out;
}

void lines_free(char **lines, u32 n)
{
	for (u32 i = 0; i < n; i++)
		free(lines[i]);
	free(lines);
}
