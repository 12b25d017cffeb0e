/*
 * base.h - what every part of warpstep leans on: integer names, errors, memory, text.
 *
 * Users get errors (struct error, filled and returned), bugs get asserts. Allocation never fails
 * softly: xmalloc and friends end the program with status 1. Nothing in core/ or policy/ allocates.
 */
#ifndef WARPSTEP_BASE_H
#define WARPSTEP_BASE_H

#include <assert.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef unsigned long long u64; /* not uint64_t: printf takes it as %llu on every host */
typedef int8_t i8;
typedef int16_t i16;
typedef int32_t i32;
typedef long long i64;

#define ARRAY_LEN(a) (sizeof(a) / sizeof((a)[0]))
#define PRINTF_LIKE(f, a) __attribute__((format(printf, f, a)))
#define UNUSED __attribute__((unused))
/* A short function of every cycle. On its stack are small records that it hands on, and sets of warp slots, which only
 * the machine's own counts index: a guard there (Makefile, HARDEN) would cost more than it keeps off. */
#define UNGUARDED
#ifdef __has_attribute
#if __has_attribute(no_stack_protector)
#undef UNGUARDED
#define UNGUARDED __attribute__((no_stack_protector))
#endif
#endif

/* Exit statuses: the contract with the user (warpstep(1), EXIT STATUS). */
enum status {
	STATUS_OK = 0,
	STATUS_FAILED = 1,   /* a well-formed command failed */
	STATUS_USAGE = 2,    /* usage, or anything missing or malformed in a file */
	STATUS_CHECK = 3,    /* an expect or check failed, or the simulated program faulted */
	STATUS_DEADLOCK = 4, /* every unfinished warp waits and nothing can wake one */
	STATUS_LIMIT = 5,    /* --max-cycles or --max-seconds was reached */
	STATUS_INTERNAL = 70 /* an invariant of ours broke */
};

/* One error for a user: where, what, and what would be right. line and column are 1-based, 0 = none. */
struct error {
	enum status status;
	u32 line, column;
	char file[256];
	char message[768];
};

/* Fill e (any may be NULL) and return its status, so that callers can `return error_at(...)`. */
enum status error_at(struct error *e, enum status st, const char *file, u32 line, u32 column, const char *fmt, ...)
	PRINTF_LIKE(6, 7);
/* A wrong use, or what fails, in a column of the line that is being run. */
#define usage_at(e, column, ...) error_at(e, STATUS_USAGE, NULL, 0, column, __VA_ARGS__)
#define failed_at(e, column, ...) error_at(e, STATUS_FAILED, NULL, 0, column, __VA_ARGS__)
/* The same without a place. */
enum status error_set(struct error *e, enum status st, const char *fmt, ...) PRINTF_LIKE(3, 4);
/* "file:line:column: message", the parts that exist; returns buf. */
const char *error_format(const struct error *e, char *buf, size_t size);

void *xmalloc(size_t n);
void *xcalloc(size_t n, size_t size);
void *xmalloc_large(size_t bytes); /* in large pages, where the host has them */
void *xcalloc_large(size_t bytes);
void *xaligned(size_t alignment, size_t bytes); /* a multiple of the alignment */
void *xrealloc(void *p, size_t n);
char *xstrdup(const char *s);
char *xstrndup(const char *s, size_t n);
char *xasprintf(const char *fmt, ...) PRINTF_LIKE(1, 2);
/* Print "warpstep: internal error: ..." to standard error and end with status 70. */
void die(const char *fmt, ...) PRINTF_LIKE(1, 2) __attribute__((noreturn));

/* Room for one more element behind the n of an array that grows only here: doubled each time that n is a power of two.
 */
void *array_grow(void *array, u32 n, size_t size);

/* Long work (loading, filling) calls work_check() every few thousand steps and gives up when it returns an error, which
 * fills e: Ctrl-C was pressed, or --max-seconds are over. The part above that knows of them sets work_poll. */
extern enum status (*work_poll)(struct error *e);
enum status work_check(struct error *e);

/* Bytes of memory that this process may have: the computer's, or less if a limit is set (ulimit -v). */
u64 host_memory(void);

/* Seconds, and milliseconds, of a clock of the host that only goes forward. */
double host_seconds(void);
/* Seconds that a processor has worked for this thread: what others do on a busy machine does not count. */
double processor_seconds(void);
u64 host_milliseconds(void);

/* An invariant of the simulator; kept in every build: a simulator's only product is trust. */
#define INVARIANT(x) ((x) ? (void)0 : die("%s:%d: %s", __FILE__, __LINE__, #x))

/* A growing string. Zero-initialise; free with text_free. text.s is always NUL-terminated after a write. */
struct text {
	char *s;
	size_t len, cap;
};
void text_add(struct text *t, const char *fmt, ...) PRINTF_LIKE(2, 3);
void text_addv(struct text *t, const char *fmt, va_list ap);
void text_addn(struct text *t, const char *s, size_t n);
/* One more of a list, behind `gap` unless it is the first. */
void text_list(struct text *t, const char *gap, const char *s);
void text_clear(struct text *t);
void text_free(struct text *t);

/* Append s with control bytes, DEL, broken UTF-8, and characters that are not seen or that turn the text around them
 * (text.c) shown as \xNN: for any text that came from a file. */
void text_add_safe(struct text *t, const char *s, size_t n);
/* The same into a static ring of buffers: for use inside one printf call. */
const char *safe_text(const char *s);
/* A word of a file or a line as shown in a message: safe, and not longer than a line. One of four buffers that are used
 * in turn. */
const char *token_shown(const char *s);
/* Is `end` how a path ends? */
bool ends_with(const char *path, const char *end);
/* Free an array of n lines and the lines. */
void lines_free(char **lines, u32 n);
/* Whether the n bytes of word, in any case, are one of the words of a list, which are set off by |. */
bool word_listed(const char *list, const char *word, size_t n);
/* What follows the noun of a number of things. */
static inline const char *plural(u64 n)
{
	return n == 1 ? "" : "s";
}
/* A number with commas between its thousands, in out. */
const char *grouped(i64 n, char out[32]);

/* Read a whole file; 0 and *out (xmalloc'ed, NUL-terminated), or an error naming the file
 * (missing, a directory, larger than limit bytes). A pipe is waited for; work_check() ends the wait. */
enum status file_read(const char *path, size_t limit, char **out, size_t *len, struct error *e);
/* The same of a file that people write or PTX: CUDA source and what is made of it are refused, with how to have PTX. */
enum status file_read_text(const char *path, size_t limit, char **out, size_t *len, struct error *e);

/* Directory of path ("." when it has none) and base joined with rel (rel alone if absolute); xmalloc'ed. */
char *path_dir(const char *path);
char *path_join(const char *dir, const char *rel);
/* Does path, with all links followed, lie below the folder root? Of what does not exist the part that does is asked:
 * the answer tells nothing about a file outside, not even whether it is there. */
bool path_is_below(const char *path, const char *root);

/* The name among names[0..n) nearest to s by edit distance, or NULL if none is near. */
const char *nearest_name(const char *s, const char *const *names, u32 n);

/* splitmix64: the only source of randomness, a pure function of its argument. */
static inline u64 mix64(u64 x)
{
	x += 0x9e3779b97f4a7c15ULL;
	x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
	x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
	return x ^ (x >> 31);
}

/* A number below n for a key, by multiplication: for chains that are made anew with every table. */
static inline u32 hash_below(u64 key, u32 n)
{
	return (u32)((key * 0x9e3779b97f4a7c15ULL >> 32) * n >> 32);
}

/* Element i of a buffer's `random SEED LO HI [integer]`: uniform in [lo, hi), or a whole number in lo..hi. */
static inline double random_value(u64 seed, u64 i, double lo, double hi, bool integer)
{
	double unit = (double)(mix64(mix64(seed) + i) >> 11) * 0x1p-53;

	return integer ? lo + (double)(i64)(unit * (hi - lo + 1.0)) : lo + unit * (hi - lo);
}

static inline u32 min_u32(u32 a, u32 b)
{
	return a < b ? a : b;
}
static inline u32 max_u32(u32 a, u32 b)
{
	return a > b ? a : b;
}
static inline u64 min_u64(u64 a, u64 b)
{
	return a < b ? a : b;
}
static inline u64 max_u64(u64 a, u64 b)
{
	return a > b ? a : b;
}
static inline u32 ceil_div(u32 a, u32 b)
{
	return (a + b - 1) / b;
}
static inline u32 round_up(u32 a, u32 b)
{
	return ceil_div(a, b) * b;
}
static inline bool is_pow2(u64 x)
{
	return x && !(x & (x - 1));
}

/* The first of n indexes i for which `before` fails, n: none. It holds for all below that one, and for none above. */
#define BISECT(i, n, before) \
	({ \
		u32 i##_low = 0, i##_high = (n); \
\
		while (i##_low < i##_high) { \
			u32 i = i##_low + (i##_high - i##_low) / 2; \
\
			if (before) \
				i##_low = i + 1; \
			else \
				i##_high = i; \
		} \
		i##_low; \
	})

/* For qsort(): -1, 0 or 1 by the first pair of numbers that differ: ORDER_BY({x->sm, y->sm}, {x->warp, y->warp}). */
#define ORDER_BY(...) order_by((const u64[][2]){__VA_ARGS__}, sizeof((const u64[][2]){__VA_ARGS__}) / sizeof(u64[2]))
static inline int order_by(const u64 (*pair)[2], size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (pair[i][0] != pair[i][1])
			return pair[i][0] < pair[i][1] ? -1 : 1;
	return 0;
}

#endif
