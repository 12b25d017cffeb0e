/*
 * gzip.c - a stream that compresses into another (gzip.h).
 *
 * The header has neither a time nor a name, so the same text gives the same file.
 */
#include "gzip.h"

#include <errno.h>
#include <zlib.h>

#define GZIP_WINDOW (15 + 16) /* bits of the window; zlib: 16 more for a header of gzip */
#define GZIP_MEMORY 8	      /* zlib's own default */

struct gzip {
	FILE *to;
	z_stream z;
	u8 out[4096];
};

/* Compress what z has, to the end of the stream with Z_FINISH; 0 or an errno. */
static int pack(struct gzip *g, int flush)
{
	do {
		g->z.next_out = g->out;
		g->z.avail_out = sizeof(g->out);
		deflate(&g->z, flush);
		if (fwrite(g->out, 1, sizeof(g->out) - g->z.avail_out, g->to) != sizeof(g->out) - g->z.avail_out)
			return errno ? errno : EIO;
	} while (!g->z.avail_out);
	return 0;
}

static ssize_t gzip_write(void *self, const char *text, size_t n)
{
	struct gzip *g = self;
	int error;

	g->z.next_in = (Bytef *)(uintptr_t)text;
	g->z.avail_in = (uInt)n;
	error = pack(g, Z_NO_FLUSH);
	errno = error;
	return error ? 0 : (ssize_t)n;
}

static int gzip_close(void *self)
{
	struct gzip *g = self;
	int error = pack(g, Z_FINISH);

	deflateEnd(&g->z);
	if (fclose(g->to) && !error)
		error = errno;
	free(g);
	errno = error;
	return error ? -1 : 0;
}

FILE *gzip_over(FILE *to)
{
	struct gzip *g = xcalloc(1, sizeof(*g));
	FILE *f = NULL;

	g->to = to;
	if (deflateInit2(&g->z, Z_DEFAULT_COMPRESSION, Z_DEFLATED, GZIP_WINDOW, GZIP_MEMORY, Z_DEFAULT_STRATEGY))
		errno = ENOMEM;
	else
		f = fopencookie(g, "w", (cookie_io_functions_t){.write = gzip_write, .close = gzip_close});
	if (!f) {
		deflateEnd(&g->z);
		free(g);
	}
	return f;
}
