/*
 * failing.c - a library to be loaded before a program: the allocation of number FAIL_AT fails, of those that the
 * program itself asks for (those of other libraries are theirs). FAIL_COUNT: a file that takes the number of all.
 */
#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static uintptr_t first, last; /* the program's instructions */
static long count, at;
static char early[8192]; /* for what the dynamic linker asks for before there is an allocator */
static size_t used;

static void *(*next_malloc)(size_t), *(*next_calloc)(size_t, size_t), *(*next_realloc)(void *, size_t),
	*(*next_aligned)(size_t, size_t);

/* The first object is the program. */
static int note_program(struct dl_phdr_info *i, size_t size, void *self)
{
	(void)size;
	(void)self;
	for (int k = 0; k < i->dlpi_phnum; k++) {
		const ElfW(Phdr) *h = &i->dlpi_phdr[k];

		if (h->p_type == PT_LOAD && h->p_flags & PF_X) {
			first = i->dlpi_addr + h->p_vaddr;
			last = first + h->p_memsz;
		}
	}
	return 1;
}

__attribute__((constructor)) static void begin(void)
{
	const char *n = getenv("FAIL_AT");

	next_calloc = (void *(*)(size_t, size_t))dlsym(RTLD_NEXT, "calloc");
	next_malloc = (void *(*)(size_t))dlsym(RTLD_NEXT, "malloc");
	next_realloc = (void *(*)(void *, size_t))dlsym(RTLD_NEXT, "realloc");
	next_aligned = (void *(*)(size_t, size_t))dlsym(RTLD_NEXT, "aligned_alloc");
	dl_iterate_phdr(note_program, NULL);
	at = n ? atol(n) : 0;
}

__attribute__((destructor)) static void end(void)
{
	const char *path = getenv("FAIL_COUNT");
	FILE *f = path ? fopen(path, "w") : NULL;

	if (!f)
		return;
	fprintf(f, "%ld\n", count);
	fclose(f);
}

/* Is this the one that fails? */
static int fails(void *caller)
{
	if ((uintptr_t)caller < first || (uintptr_t)caller >= last ||
	    __atomic_add_fetch(&count, 1, __ATOMIC_RELAXED) != at)
		return 0;
	errno = ENOMEM;
	return 1;
}

static void *take_early(size_t n)
{
	void *p = early + used;

	used += (n + 15) & ~(size_t)15;
	return used <= sizeof(early) ? p : NULL;
}

void *malloc(size_t n)
{
	if (!next_malloc)
		return take_early(n);
	return fails(__builtin_return_address(0)) ? NULL : next_malloc(n);
}

void *calloc(size_t n, size_t size)
{
	if (!next_calloc)
		return take_early(n * size);
	return fails(__builtin_return_address(0)) ? NULL : next_calloc(n, size);
}

void *realloc(void *p, size_t n)
{
	return fails(__builtin_return_address(0)) ? NULL : next_realloc(p, n);
}

void *aligned_alloc(size_t alignment, size_t n)
{
	return fails(__builtin_return_address(0)) ? NULL : next_aligned(alignment, n);
}
