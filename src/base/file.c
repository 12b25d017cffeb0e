/* file.c - whole files and paths. */
#include "base.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#define BLOCKS_BETWEEN 16 /* blocks read between two questions whether to go on */
#define WAIT_SLICE 50	  /* milliseconds between two questions whether to go on waiting */

/* Nothing can be read now: wait for more, or for the end. An error: the wait was interrupted. */
static enum status wait_readable(int fd, struct error *e)
{
	struct pollfd p = {.fd = fd, .events = POLLIN};
	enum status st;

	do
		st = work_check(e);
	while (!st && poll(&p, 1, WAIT_SLICE) <= 0);
	return st;
}

/* Is this a pipe that nobody has opened for writing yet, rather than one at its end? */
static bool is_unopened(int fd)
{
	struct pollfd p = {.fd = fd, .events = POLLIN};
	struct stat st;

	return !fstat(fd, &st) && S_ISFIFO(st.st_mode) && !poll(&p, 1, 0);
}

/* What went wrong when a file was read, as an error. */
static enum status read_error(const char *path, size_t limit, int err, struct error *e)
{
	if (err == EFBIG)
		return error_at(e, STATUS_USAGE, path, 0, 0, "larger than the limit of %zu bytes", limit);
	return error_at(e, STATUS_USAGE, path, 0, 0, "cannot read: %s", strerror(err));
}

/* Read fd, which does not block, to its end, at most limit bytes, into *t; pipes and devices too. */
static enum status read_all(int fd, const char *path, size_t limit, struct text *t, struct error *e)
{
	char block[65536];
	enum status st = STATUS_OK;
	ssize_t n = 0;

	text_addn(t, "", 0);
	for (u32 i = 1; !st; i++) {
		st = i % BLOCKS_BETWEEN ? STATUS_OK : work_check(e);
		if (st)
			break;
		n = read(fd, block, sizeof(block));
		if ((n < 0 && errno == EAGAIN) || (!n && !t->len && is_unopened(fd)))
			st = wait_readable(fd, e);
		else if (n < 0 && errno != EINTR)
			st = read_error(path, limit, errno, e);
		else if (!n)
			break;
		else if (n > 0 && t->len + (size_t)n > limit)
			st = read_error(path, limit, EFBIG, e);
		else if (n > 0)
			text_addn(t, block, (size_t)n);
	}
	return st;
}

enum status file_read(const char *path, size_t limit, char **out, size_t *len, struct error *e)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct text t = {0};
	enum status result;
	struct stat st;

	if (fd < 0)
		return error_at(e, STATUS_USAGE, path, 0, 0, "cannot open: %s", strerror(errno));
	if (!fstat(fd, &st) && S_ISDIR(st.st_mode)) {
		close(fd);
		return error_at(e, STATUS_USAGE, path, 0, 0, "is a directory, not a file");
	}
	result = read_all(fd, path, limit, &t, e);
	close(fd);
	if (result) {
		text_free(&t);
		return result;
	}
	*out = t.s;
	if (len)
		*len = t.len;
	return STATUS_OK;
}

/* What a file is that is made of CUDA source, or that itself; NULL: nothing of the kind. */
static const char *cuda_file(const char *path, const char *data, size_t len)
{
	static const char *const end[] = {".cu", ".cuh"};
	size_t n = strlen(path);

	for (u32 i = 0; i < ARRAY_LEN(end); i++)
		if (n > strlen(end[i]) && !strcmp(path + n - strlen(end[i]), end[i]))
			return "CUDA source";
	if (len >= 4 && !memcmp(data,
				"\x7f"
				"ELF",
				4))
		return "machine code (a cubin, an object or a program)";
	if (len >= 4 && !memcmp(data, "\x50\xed\x55\xba", 4))
		return "a fat binary";
	return NULL;
}

enum status file_read_text(const char *path, size_t limit, char **out, size_t *len, struct error *e)
{
	size_t n = 0;
	enum status st = file_read(path, limit, out, &n, e);
	const char *what = st ? NULL : cuda_file(path, *out, n);

	if (len)
		*len = n;
	if (!what)
		return st;
	free(*out);
	*out = NULL;
	return error_at(
		e, STATUS_USAGE, path, 0, 0,
		"this is %s, not PTX (`nvcc -ptx -arch=sm_75 -lineinfo KERNEL.cu` or clang writes PTX; see README)",
		what);
}

char *path_dir(const char *path)
{
	const char *slash = strrchr(path, '/');

	if (!slash)
		return xstrdup(".");
	return slash == path ? xstrdup("/") : xstrndup(path, (size_t)(slash - path));
}

char *path_join(const char *dir, const char *rel)
{
	size_t n = strlen(dir);

	if (rel[0] == '/' || !n || !strcmp(dir, "."))
		return xstrdup(rel);
	return xasprintf("%s%s%s", dir, dir[n - 1] == '/' ? "" : "/", rel);
}

/* Is a real path that of a folder, or of something in it? */
static bool real_below(const char *real, const char *folder)
{
	size_t n = strlen(folder);

	return !strncmp(real, folder, n) && (!real[n] || real[n] == '/' || folder[n - 1] == '/');
}

bool path_is_below(const char *path, const char *root)
{
	char real[PATH_MAX], folder[PATH_MAX], *dir;
	struct stat st;
	bool below;

	if (!realpath(root, folder))
		return false;
	if (realpath(path, real))
		return real_below(real, folder);
	if (!*path || !strcmp(path, "/") || !strcmp(path, ".") ||
	    !lstat(path, &st)) /* a link to nowhere may leave, too */
		return false;
	dir = path_dir(path);
	below = path_is_below(dir, root);
	free(dir);
	return below;
}
