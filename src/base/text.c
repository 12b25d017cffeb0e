/* text.c - a growing string, and text from files made safe to show on a terminal. */
#include "base.h"

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

void text_list(struct text *t, const char *gap, const char *s)
{
	text_add(t, "%s%s", t->len ? gap : "", s);
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

/* Characters of Unicode 15 from U+0080 on that show nothing of themselves or rearrange what stands around them: the
 * general categories Cc, Cf, Cs, Zl and Zp, and the property Default_Ignorable_Code_Point (fillers, joiners, selectors
 * of variants). Accents and other marks that are seen are none of them. */
static bool is_hidden(u32 c)
{
	static const struct {
		u32 first, last;
	} range[] = {{0x0080, 0x009f},	 {0x00ad, 0x00ad},   {0x034f, 0x034f},	 {0x0600, 0x0605},   {0x061c, 0x061c},
		     {0x06dd, 0x06dd},	 {0x070f, 0x070f},   {0x0890, 0x0891},	 {0x08e2, 0x08e2},   {0x115f, 0x1160},
		     {0x17b4, 0x17b5},	 {0x180b, 0x180f},   {0x200b, 0x200f},	 {0x2028, 0x202e},   {0x2060, 0x206f},
		     {0x3164, 0x3164},	 {0xd800, 0xdfff},   {0xfe00, 0xfe0f},	 {0xfeff, 0xfeff},   {0xffa0, 0xffa0},
		     {0xfff0, 0xfffb},	 {0x110bd, 0x110bd}, {0x110cd, 0x110cd}, {0x13430, 0x1343f}, {0x1bca0, 0x1bca3},
		     {0x1d173, 0x1d17a}, {0xe0000, 0xe0fff}};
	u32 i = 0;

	while (i < ARRAY_LEN(range) && range[i].last < c)
		i++;
	return i < ARRAY_LEN(range) && c >= range[i].first;
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
	if (c < least[len] || c == 0x7f || c > 0x10ffff)
		return 0;
	return c >= 0x80 && is_hidden(c) ? 0 : len;
}

void text_add_safe(struct text *t, const char *s, size_t n)
{
	size_t good, len;

	for (size_t i = 0; i < n; i++) {
		for (good = i; good < n && (len = safe_length((const u8 *)s + good, n - good)); good += len)
			;
		text_addn(t, s + i, good - i);
		i = good;
		if (i < n)
			text_add(t, "\\x%02x", (u8)s[i]);
	}
	text_addn(t, "", 0);
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
	int len = snprintf(digits, sizeof(digits), "%llu", size), at = 0;

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

bool ends_with(const char *path, const char *end)
{
	size_t n = strlen(path), m = strlen(end);

	return n >= m && !strcmp(path + n - m, end);
}

bool word_listed(const char *list, const char *word, size_t n)
{
	for (; *list; list += strspn(list, "|")) {
		size_t length = strcspn(list, "|");

		if (length == n && !strncasecmp(list, word, n))
			return true;
		list += length;
	}
	return false;
}

void lines_free(char **lines, u32 n)
{
	for (u32 i = 0; i < n; i++)
		free(lines[i]);
	free(lines);
}
