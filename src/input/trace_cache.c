/*
 * trace_cache.c - what was read of a large trace is kept for the next time, in $XDG_CACHE_HOME/warpstep/traces.
 *
 * A file there holds the image as it is mapped, the image aside, the tables of the kernels, and at its end what it was
 * made of. It counts if this very program made it, from files of the sizes and times that they have now, and if its
 * bytes have the hash that it names; else the trace is read and the file replaced. Where none can be written nothing is
 * kept and nothing reported: a trace that is read again is the same. Files that were not used for longest go when all
 * together are too large.
 */
#include "outfile.h"
#include "trace_internal.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#define KEPT_LEAST (4u << 20)  /* bytes of an image: smaller ones are read as fast */
#define KEPT_MOST (8ULL << 30) /* bytes of all files */
#define KEPT_ALIGN 65536u      /* of the image aside: a multiple of any page */
#define KEPT_MAGIC "warptrc1"

/* The end of a file. */
struct kept_end {
	char magic[8];
	u64 program, stamp; /* what made it, and of which files */
	u64 image, aside_at, aside, tables_at, tables;
	u64 kernels;
	u64 hash; /* of all bytes before */
};

/* --- where, and of what --- */

static u64 stat_hash(u64 seed, const struct stat *st)
{
	u64 v[] = {st->st_dev, st->st_ino, (u64)st->st_size, (u64)st->st_mtim.tv_sec, (u64)st->st_mtim.tv_nsec};

	return XXH3_64bits_withSeed(v, sizeof(v), seed);
}

u64 trace_cache_stamp(const char *const *path, u32 n, u32 how)
{
	u64 stamp = how & TRACE_UNKNOWN_INT;

	for (u32 i = 0; i < n; i++) {
		struct stat st;

		if (stat(path[i], &st))
			return 0;
		stamp = stat_hash(stamp, &st);
	}
	return stamp;
}

/* This program. */
static u64 program_stamp(void)
{
	struct stat st;

	return stat("/proc/self/exe", &st) ? 0 : stat_hash(0, &st);
}

/* The folder, NULL: there is no home. */
static char *kept_folder(void)
{
	const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");

	if (cache && *cache == '/')
		return xasprintf("%s/warpstep/traces", cache);
	return home && *home ? xasprintf("%s/.cache/warpstep/traces", home) : NULL;
}

/* The file of a trace, NULL: it has none. */
static char *kept_path(const char *trace)
{
	char *folder = kept_folder(), *whole = realpath(trace, NULL), *path = NULL;

	if (folder && whole)
		path = xasprintf("%s/%016llx", folder, (u64)XXH3_64bits(whole, strlen(whole)));
	free(folder);
	free(whole);
	return path;
}

/* --- writing --- */

/* A file that is being written. */
struct keeper {
	FILE *f;
	XXH3_state_t *hash;
	u64 at;
};

static void put(struct keeper *k, const void *bytes, u64 n)
{
	if (n && !outfile_note(k->f))
		fwrite(bytes, 1, n, k->f);
	XXH3_64bits_update(k->hash, bytes, n);
	k->at += n;
}

/* A length, and so many bytes; none of NULL. */
static void put_block(struct keeper *k, const void *bytes, u64 n)
{
	n = bytes ? n : 0;
	put(k, &n, sizeof(n));
	put(k, bytes, n);
}

static void put_image(struct keeper *k, const struct trace_image *m, u64 *at, u64 *n)
{
	static const u8 zero[KEPT_ALIGN];
	const u8 *bytes = m ? trace_image_bytes(m, n) : NULL;

	*n = bytes ? *n : 0;
	put(k, zero, (KEPT_ALIGN - k->at % KEPT_ALIGN) % KEPT_ALIGN);
	*at = k->at;
	put(k, bytes, *n);
}

/* Bytes of the texts of a kernel's instructions. */
static u64 strings_length(const struct kernel *k)
{
	u64 n = 0;

	for (u32 i = 0; i < k->ninst; i++)
		n = max_u64(n, k->inst[i].text + strlen(k->strings + k->inst[i].text) + 1);
	return n;
}

/* A kernel without what it points to, and that. */
static void put_kernel(struct keeper *w, const struct kernel *k)
{
	const struct trace *t = k->trace;
	struct kernel flat = *k;
	struct trace own = *t;

	INVARIANT(!k->other && !k->imm && !k->reloc && !k->param && !k->field && !k->synth && !k->labels && !k->site);
	INVARIANT(!t->bits && !t->cubin);
	flat.name = flat.symbol = flat.strings = NULL;
	flat.inst = NULL;
	flat.module = NULL;
	flat.trace = NULL;
	own.image = NULL;
	own.number = own.inst = own.pc = NULL;
	own.turned = NULL;
	own.other_class = NULL;
	put(w, &flat, sizeof(flat));
	put(w, &own, sizeof(own));
	put_block(w, k->name, strlen(k->name) + 1);
	put_block(w, k->symbol, k->symbol ? strlen(k->symbol) + 1 : 0);
	put_block(w, k->strings, strings_length(k));
	put_block(w, k->inst, k->ninst * sizeof(*k->inst));
	put_block(w, t->number, k->ninst * sizeof(*t->number));
	put_block(w, t->inst, k->ninst * sizeof(*t->inst));
	put_block(w, t->pc, k->ninst * sizeof(*t->pc));
	put_block(w, t->turned, t->nturned * sizeof(*t->turned));
	put_block(w, t->other_class, k->ninst);
}

/* All kernels; of those that borrow, from which. */
static void put_kernels(struct keeper *w, const struct module *m)
{
	u32 *own = xcalloc(m->nkernel + 1ULL, sizeof(u32)), n = 0;

	for (u32 i = 0; i < m->nkernel; i++) {
		u64 from = 0; /* 1 + the kernel from which it borrows */

		for (u32 j = 0; m->kernel[i].borrowed && !from && j < n; j++)
			from = m->kernel[own[j]].inst == m->kernel[i].inst ? own[j] + 1ULL : 0;
		put(w, &from, sizeof(from));
		if (from)
			continue;
		own[n++] = i;
		put_kernel(w, &m->kernel[i]);
	}
	free(own);
}

/* Make the directories of a path, each only for its owner. */
static void make_folders(char *path)
{
	for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		mkdir(path, 0700);
		*slash = '/';
	}
}

/* The file that was not used for longest, with its folder; *bytes: of all. NULL: there is none. */
static char *oldest_file(const char *folder, u64 *bytes)
{
	DIR *d = opendir(folder);
	char *oldest = NULL;
	struct stat st, least = {.st_mtim.tv_sec = 0};

	*bytes = 0;
	for (struct dirent *f; d && (f = readdir(d));) {
		char *path = xasprintf("%s/%s", folder, f->d_name);

		if (!lstat(path, &st) && S_ISREG(st.st_mode)) {
			*bytes += (u64)st.st_size;
			if (!oldest || st.st_mtim.tv_sec < least.st_mtim.tv_sec) {
				free(oldest);
				oldest = xstrdup(path);
				least = st;
			}
		}
		free(path);
	}
	if (d)
		closedir(d);
	return oldest;
}

/* Make room for so many bytes. */
static void make_room(u64 bytes)
{
	char *folder = kept_folder(), *oldest;
	u64 all;

	while ((oldest = oldest_file(folder, &all)) && all + bytes > KEPT_MOST && !unlink(oldest))
		free(oldest);
	free(oldest);
	free(folder);
}

/* Write all of it. */
static void keep(FILE *f, u64 stamp, const struct module *m)
{
	struct trace_image *image = m->kernel[0].trace->image;
	struct keeper w = {.f = f, .hash = XXH3_createState()};
	struct kept_end end = {.program = program_stamp(), .stamp = stamp, .kernels = m->nkernel};
	u64 at;

	memcpy(end.magic, KEPT_MAGIC, sizeof(end.magic));
	XXH3_64bits_reset(w.hash);
	put_image(&w, image, &at, &end.image);
	put_image(&w, trace_image_beside(image), &end.aside_at, &end.aside);
	end.tables_at = w.at;
	put_kernels(&w, m);
	end.tables = w.at - end.tables_at;
	put(&w, &end, offsetof(struct kept_end, hash));
	end.hash = XXH3_64bits_digest(w.hash);
	put(&w, &end.hash, sizeof(end.hash));
	XXH3_freeState(w.hash);
}

void trace_cache_keep(const char *trace, u64 stamp, const struct module *m)
{
	char *path;
	FILE *f;
	u64 bytes;

	trace_image_bytes(m->kernel[0].trace->image, &bytes);
	if (!stamp || bytes < KEPT_LEAST || bytes > KEPT_MOST / 2 || !(path = kept_path(trace)))
		return;
	make_folders(path);
	make_room(bytes);
	f = outfile_open(path, OUTFILE_WHOLE);
	if (f) {
		keep(f, stamp, m);
		outfile_close(f, true);
	}
	free(path);
}

/* --- reading --- */

/* Tables that are being read. */
struct finder {
	const u8 *at, *end;
	bool short_of;
};

/* The next n bytes, NULL: they are not there. */
static const void *take(struct finder *r, u64 n)
{
	const u8 *p = r->at;

	if (n > (u64)(r->end - p)) {
		r->short_of = true;
		return NULL;
	}
	r->at += n;
	return p;
}

/* A block of put_block(), a copy; NULL: it is empty. */
static void *take_block(struct finder *r)
{
	const u64 *n = take(r, sizeof(*n));
	u64 bytes = 0;
	const void *p;
	void *copy;

	if (n)
		memcpy(&bytes, n, sizeof(bytes));
	p = bytes ? take(r, bytes) : NULL;
	if (!p)
		return NULL;
	copy = xmalloc(bytes);
	memcpy(copy, p, bytes);
	return copy;
}

static void take_kernel(struct finder *r, struct trace_image *image, struct kernel *k)
{
	const void *flat = take(r, sizeof(*k)), *own = take(r, sizeof(struct trace));
	struct trace *t;

	if (!own)
		return;
	t = xmalloc(sizeof(*t));
	memcpy(k, flat, sizeof(*k));
	memcpy(t, own, sizeof(*t));
	k->trace = t;
	t->image = trace_image_keep(image);
	k->name = take_block(r);
	k->symbol = take_block(r);
	k->strings = take_block(r);
	k->inst = take_block(r);
	t->number = take_block(r);
	t->inst = take_block(r);
	t->pc = take_block(r);
	t->turned = take_block(r);
	t->other_class = take_block(r);
}

/* All kernels; false: the tables are not whole. */
static bool take_kernels(struct finder *r, struct trace_image *image, u64 n, struct module *m)
{
	m->kernel = xcalloc(n, sizeof(*m->kernel));
	for (; m->nkernel < n && !r->short_of; m->nkernel++) {
		struct kernel *k = &m->kernel[m->nkernel];
		const void *p = take(r, sizeof(u64));
		u64 from = 0;

		if (p)
			memcpy(&from, p, sizeof(from));
		if (from > m->nkernel)
			return false;
		if (from) {
			*k = m->kernel[from - 1];
			k->borrowed = 1;
		} else {
			take_kernel(r, image, k);
		}
		k->module = m;
	}
	return !r->short_of;
}

/* The module of a file's bytes that count, NULL: they cannot be used. */
static struct module *find(int fd, const u8 *map, const struct kept_end *end, const char *trace)
{
	struct trace_image *image = trace_image_kept(fd, 0, end->image);
	struct finder r = {map + end->tables_at, map + end->tables_at + end->tables, false};
	struct module *m;
	bool good;

	if (!image)
		return NULL;
	m = xcalloc(1, sizeof(*m));
	m->path = xstrdup(trace);
	good = (!end->aside || trace_image_take_aside(image, trace_image_kept(fd, end->aside_at, end->aside))) &&
	       take_kernels(&r, image, end->kernels, m);
	trace_image_release(image);
	if (good)
		return m;
	module_free(m);
	return NULL;
}

/* Are a file's bytes what they should be? */
static bool is_good(const u8 *map, u64 n, u64 stamp, struct kept_end *end)
{
	memcpy(end, map + n - sizeof(*end), sizeof(*end));
	return !memcmp(end->magic, KEPT_MAGIC, sizeof(end->magic)) && end->program == program_stamp() &&
	       end->stamp == stamp && XXH3_64bits(map, n - sizeof(end->hash)) == end->hash;
}

struct module *trace_cache_find(const char *trace, u64 stamp)
{
	char *path = stamp ? kept_path(trace) : NULL;
	int fd = path ? open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC) : -1;
	struct module *m = NULL;
	struct kept_end end;
	struct stat st;

	free(path);
	if (fd >= 0 && !fstat(fd, &st) && S_ISREG(st.st_mode) && st.st_uid == geteuid() &&
	    (u64)st.st_size > sizeof(end)) {
		u8 *map = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_SHARED, fd, 0);

		if (map != MAP_FAILED) {
			if (is_good(map, (u64)st.st_size, stamp, &end) && (m = find(fd, map, &end, trace)))
				futimens(fd, NULL);
			munmap(map, (size_t)st.st_size);
		}
	}
	if (fd >= 0)
		close(fd);
	return m;
}
