/*
 * trace_image.c - the temporary file that holds the records of traces: written once, then mapped for reading.
 *
 * The file has no name as soon as it is made, so it goes with the program. Pages read are given back to the system
 * every GIVE_BACK bytes: they stay in its cache, but do not count as this program's memory. Or an image is part of a
 * file that was kept (trace_cache.c).
 */
#include "trace_internal.h"

#include <errno.h>
#include <sys/mman.h>
#include <sys/statvfs.h>
#include <unistd.h>
#include <xxhash.h>

#define BLOCK (1u << 18)
#define GIVE_BACK (8u << 20) /* bytes between two times */
#define SPARE 16	     /* of the space that is free in the folder, one part in so many is left so */
#define PER_CALL 8u	     /* bytes that one look at the image counts for: a record with its address */

struct trace_image {
	u32 refs;
	int fd;
	u8 *map;
	u64 written, size; /* bytes in the file; with those in the block */
	u64 room;	   /* bytes that may still be written */
	u64 looked;
	struct trace_image *aside; /* NULL: nothing has been written aside */
	XXH3_state_t *hash;	   /* of what has been written */
	u32 used;
	u8 block[BLOCK];
};

/* Bytes of its folder that a file may take: what is free, but for a part. */
static u64 free_room(int fd)
{
	struct statvfs v;
	u64 free_bytes = fstatvfs(fd, &v) ? INT64_MAX : (u64)v.f_bavail * v.f_frsize;

	return free_bytes - free_bytes / SPARE;
}

struct trace_image *trace_image_new(struct error *e)
{
	const char *dir = getenv("TMPDIR");
	char *path = xasprintf("%s/warpstep-XXXXXX", dir && *dir ? dir : "/tmp");
	struct trace_image *m = xcalloc(1, sizeof(*m));

	m->refs = 1;
	m->hash = XXH3_createState();
	XXH3_64bits_reset(m->hash);
	m->fd = mkstemp(path);
	if (m->fd < 0) {
		error_set(e, STATUS_FAILED,
			  "cannot make a temporary file %s: %s (set TMPDIR to a directory with free space)",
			  safe_text(path), strerror(errno));
		XXH3_freeState(m->hash);
		free(m);
		m = NULL;
	} else {
		unlink(path);
		m->room = free_room(m->fd);
	}
	free(path);
	/* offset 0 means none */
	if (m)
		trace_image_add(m, "warpstep", 8);
	return m;
}

struct trace_image *trace_image_kept(int fd, u64 at, u64 size)
{
	void *map = size ? mmap(NULL, size, PROT_READ, MAP_SHARED, fd, (off_t)at) : MAP_FAILED;
	struct trace_image *m;

	if (map == MAP_FAILED)
		return NULL;
	m = xcalloc(1, sizeof(*m));
	m->refs = 1;
	m->fd = -1;
	m->map = map;
	m->size = size;
	return m;
}

bool trace_image_take_aside(struct trace_image *m, struct trace_image *aside)
{
	m->aside = aside;
	return aside != NULL;
}

struct trace_image *trace_image_keep(struct trace_image *m)
{
	m->refs++;
	return m;
}

void trace_image_release(struct trace_image *m)
{
	if (--m->refs)
		return;
	if (m->aside)
		trace_image_release(m->aside);
	if (m->map)
		munmap(m->map, m->size);
	if (m->fd >= 0)
		close(m->fd);
	XXH3_freeState(m->hash);
	free(m);
}

const u8 *trace_image_bytes(const struct trace_image *m, u64 *n)
{
	*n = m->size;
	return m->map;
}

const struct trace_image *trace_image_beside(const struct trace_image *m)
{
	return m->aside;
}

struct trace_image *trace_image_aside(struct trace_image *m, struct error *e)
{
	if (!m->aside)
		m->aside = trace_image_new(e);
	return m->aside;
}

u64 trace_image_end(const struct trace_image *m)
{
	return m->size;
}

/* Write n bytes at an offset. */
static bool write_at(int fd, const u8 *bytes, size_t n, u64 at)
{
	while (n) {
		ssize_t k = pwrite(fd, bytes, n, (off_t)at);

		if (k < 0 && errno == EINTR)
			continue;
		if (k <= 0)
			return false;
		bytes += k;
		at += (u64)k;
		n -= (size_t)k;
	}
	return true;
}

/* Write the block out. */
static bool flush(struct trace_image *m)
{
	bool good = m->used <= m->room && write_at(m->fd, m->block, m->used, m->written);

	m->room -= good ? m->used : 0;
	XXH3_64bits_update(m->hash, m->block, m->used);
	m->written += m->used;
	m->used = 0;
	return good;
}

bool trace_image_read(struct trace_image *m, u64 at, u8 *out, size_t n)
{
	bool good = flush(m);

	while (good && n) {
		ssize_t k = pread(m->fd, out, n, (off_t)at);

		if (k < 0 && errno == EINTR)
			continue;
		good = k > 0;
		out += good ? k : 0;
		at += good ? (u64)k : 0;
		n -= good ? (size_t)k : 0;
	}
	return good;
}

u64 trace_image_hash(struct trace_image *m)
{
	flush(m);
	return XXH3_64bits_digest(m->hash);
}

bool trace_image_add(struct trace_image *m, const void *bytes, size_t n)
{
	if (m->used + n > BLOCK && !flush(m))
		return false;
	if (n > BLOCK)
		return false;
	memcpy(m->block + m->used, bytes, n);
	m->used += (u32)n;
	m->size += n;
	return true;
}

bool trace_image_hole(struct trace_image *m, u64 n)
{
	if (!flush(m))
		return false;
	m->written += n;
	m->size += n;
	return !ftruncate(m->fd, (off_t)m->size);
}

bool trace_image_put(struct trace_image *m, u64 at, u64 value)
{
	return write_at(m->fd, (const u8 *)&value, sizeof(value), at);
}

bool trace_image_map(struct trace_image *m)
{
	void *map;

	if (!flush(m) || (m->aside && !trace_image_map(m->aside)))
		return false;
	map = mmap(NULL, m->size, PROT_READ, MAP_SHARED, m->fd, 0);
	m->map = map == MAP_FAILED ? NULL : map;
	return m->map != NULL;
}

const u8 *trace_image_at(struct trace_image *m, u64 at)
{
	if (__builtin_expect(at >= m->size, 0))
		return trace_image_at(m->aside, at - m->size);

	u64 looked = __atomic_load_n(&m->looked, __ATOMIC_RELAXED) + PER_CALL; /* by several threads: near enough */

	__atomic_store_n(&m->looked, looked >= GIVE_BACK ? 0 : looked, __ATOMIC_RELAXED);
	if (__builtin_expect(looked >= GIVE_BACK, 0)) {
		madvise(m->map, m->size, MADV_DONTNEED);
	}
	return m->map + at;
}
