/* file.c - whole files and paths. */
#include "base.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Read fd to its end, at most limit bytes, into *t; pipes and devices too. 0, or an errno (EFBIG: too large). */
static int read_all(int fd, size_t limit, struct text *t)
{
	char block[65536];
	ssize_t n;

	text_addn(t, "", 0);
	for (;;) {
		n = read(fd, block, sizeof(block));
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n < 0 ? errno : 0;
		if (t->len + (size_t)n > limit)
			return EFBIG;
		text_addn(t, block, (size_t)n);
	}
}

enum status file_read(const char *path, size_t limit, char **out, size_t *len, struct error *e)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct text t = {0};
	struct stat st;
	int err;

	if (fd < 0)
		return error_at(e, STATUS_USAGE, path, 0, 0, "cannot open: %s", strerror(errno));
	if (!fstat(fd, &st) && S_ISDIR(st.st_mode)) {
		close(fd);
		return error_at(e, STATUS_USAGE, path, 0, 0, "is a directory; a file is wanted");
	}
	err = read_all(fd, limit, &t);
	close(fd);
	if (err) {
		text_free(&t);
		if (err == EFBIG)
			return error_at(e, STATUS_USAGE, path, 0, 0, "larger than the limit of %zu bytes", limit);
		return error_at(e, STATUS_USAGE, path, 0, 0, "cannot read: %s", strerror(err));
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
		"this is %s; PTX is wanted, which `nvcc -ptx -arch=sm_75 -lineinfo KERNEL.cu` writes, or clang (see README)",
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
	if (!*path || !strcmp(path, "/") || !strcmp(path, ".") || !lstat(path, &st)) /* a link to nowhere may leave, too */
		return false;
	dir = path_dir(path);
	below = path_is_below(dir, root);
	free(dir);
	return below;
}
