/* base.c - errors, memory that never fails softly, and the nearest name to a misspelt one. */
#include "base.h"

#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#define LARGE_BYTES (4u << 20) /* from here on large pages are asked for */

/* Fill e with status, place and message. */
static enum status error_fill(struct error *e, enum status st, const char *file, u32 line, u32 column, const char *fmt,
			      va_list ap)
{
	if (!e)
		return st;
	e->status = st;
	e->line = line;
	e->column = column;
	snprintf(e->file, sizeof(e->file), "%s", file ? file : "");
	vsnprintf(e->message, sizeof(e->message), fmt, ap);
	return st;
}

enum status error_at(struct error *e, enum status st, const char *file, u32 line, u32 column, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	error_fill(e, st, file, line, column, fmt, ap);
	va_end(ap);
	return st;
}

enum status error_set(struct error *e, enum status st, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	error_fill(e, st, NULL, 0, 0, fmt, ap);
	va_end(ap);
	return st;
}

const char *error_format(const struct error *e, char *buf, size_t size)
{
	char place[32] = "";

	if (e->line && e->column)
		snprintf(place, sizeof(place), "%u:%u:", e->line, e->column);
	else if (e->line)
		snprintf(place, sizeof(place), "%u:", e->line);
	snprintf(buf, size, "%s%s%s%s%s", e->file, e->file[0] ? ":" : "", place, e->file[0] || place[0] ? " " : "",
		 e->message);
	return buf;
}

void die(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	fputs("warpstep: internal error: ", stderr);
	vfprintf(stderr, fmt, ap);
	fputc('\n', stderr);
	va_end(ap);
	exit(STATUS_INTERNAL);
}

/* p, or the end of the program: the computer has no more memory, which is no error of this program. */
static void *need(void *p, size_t n)
{
	if (p)
		return p;
	fflush(stdout); /* where both go to one file, the line is one of its own */
	fprintf(stderr, "warpstep: out of memory: %zu bytes could not be allocated (see memory.limit)\n", n);
	exit(STATUS_FAILED);
}

void *xmalloc(size_t n)
{
	return need(malloc(n ? n : 1), n);
}

void *xcalloc(size_t n, size_t size)
{
	return need(calloc(n ? n : 1, size ? size : 1), n * size);
}

void *xaligned(size_t alignment, size_t bytes)
{
	return need(aligned_alloc(alignment, bytes), bytes);
}

/* Large pages for memory that is worth them: a page is touched for the first time once, not for every 4 KiB. */
static void *large(char *p, size_t bytes)
{
#ifdef MADV_HUGEPAGE
	uintptr_t page = 4096, first = ((uintptr_t)p + page - 1) & ~(page - 1),
		  end = ((uintptr_t)p + bytes) & ~(page - 1);

	if (bytes >= LARGE_BYTES)
		madvise((void *)first, end - first, MADV_HUGEPAGE);
#endif
	return p;
}

void *xmalloc_large(size_t bytes)
{
	return large(xmalloc(bytes), bytes);
}

void *xcalloc_large(size_t bytes)
{
	return large(xcalloc(1, bytes), bytes);
}

void *xrealloc(void *p, size_t n)
{
	return need(realloc(p, n ? n : 1), n);
}

void *array_grow(void *array, u32 n, size_t size)
{
	if (n && !is_pow2(n))
		return array;
	return xrealloc(array, (n ? 2 * (size_t)n : 1) * size);
}

enum status (*work_poll)(struct error *e);

enum status work_check(struct error *e)
{
	return work_poll ? work_poll(e) : STATUS_OK;
}

char *xstrdup(const char *s)
{
	return xstrndup(s, strlen(s));
}

char *xstrndup(const char *s, size_t n)
{
	size_t len = strnlen(s, n);
	char *copy = xmalloc(len + 1);

	memcpy(copy, s, len);
	copy[len] = '\0';
	return copy;
}

char *xasprintf(const char *fmt, ...)
{
	char *s = NULL;
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vasprintf(&s, fmt, ap);
	va_end(ap);
	return need(n < 0 ? NULL : s, 0);
}

#define NAME_LIMIT 64

/* Insertions, deletions, changes and swaps of neighbours that turn a into b; both shorter than NAME_LIMIT. */
static u32 edit_distance(const char *a, const char *b)
{
	u32 d[3][NAME_LIMIT + 1], na = (u32)strlen(a), nb = (u32)strlen(b);

	for (u32 j = 0; j <= nb; j++)
		d[0][j] = j;
	for (u32 i = 1; i <= na; i++) {
		u32 *now = d[i % 3], *before = d[(i + 2) % 3], *twice = d[(i + 1) % 3];

		now[0] = i;
		for (u32 j = 1; j <= nb; j++) {
			now[j] = min_u32(min_u32(before[j], now[j - 1]) + 1, before[j - 1] + (a[i - 1] != b[j - 1]));
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
				now[j] = min_u32(now[j], twice[j - 2] + 1);
		}
	}
	return d[na % 3][nb];
}

/* A name is near when about a third of its letters at most (and at least one) are wrong, or s begins it. */
const char *nearest_name(const char *s, const char *const *names, u32 n)
{
	size_t len = strlen(s);
	const char *best = NULL;
	u32 distance, least = ~0u;

	if (!len || len >= NAME_LIMIT)
		return NULL;
	for (u32 i = 0; i < n; i++) {
		if (strlen(names[i]) >= NAME_LIMIT)
			continue;
		distance = len >= 3 && !strncmp(s, names[i], len) ? 1 : edit_distance(s, names[i]);
		if (distance < least) {
			least = distance;
			best = names[i];
		}
	}
	return best && least <= max_u32(1, ((u32)len + 1) / 3) && least < len ? best : NULL;
}

u64 host_memory(void)
{
	u64 whole = (u64)sysconf(_SC_PHYS_PAGES) * (u64)sysconf(_SC_PAGESIZE);
	struct rlimit limit;

	return getrlimit(RLIMIT_AS, &limit) ? whole : min_u64(whole, limit.rlim_cur);
}

double host_seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

double processor_seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

u64 host_milliseconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (u64)now.tv_sec * 1000 + (u64)now.tv_nsec / 1000000;
}
