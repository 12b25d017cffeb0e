/*
 * trace_read.c - the lines of a file that may be compressed by gzip or xz, or be a *.tracez; told by its first bytes,
 * not by its name.
 */
#include "trace_internal.h"

#include <errno.h>
#include <lzma.h>
#include <sys/stat.h>
#include <zlib.h>

#define BUFFER (1u << 20) /* a line is shorter */
#define XZ_MEMORY (256ULL << 20)

struct trace_reader {
	char *path;
	gzFile gz; /* plain text and gzip */
	struct trace_packed *packed_trace;
	FILE *xz; /* xz: the file and its decoder */
	lzma_stream stream;
	u8 packed[65536];
	char *buffer; /* BUFFER + 1 bytes; unread ones lie in at .. end */
	size_t at, end;
	u32 line;
	bool over;
};

/* Does a file begin as xz files do? */
static bool is_xz(FILE *f)
{
	u8 head[6];
	bool yes = fread(head, 1, 6, f) == 6 && !memcmp(head, "\3757zXZ", 6);

	rewind(f);
	return yes;
}

/* The decoder for what the file holds. */
static bool start_decoder(struct trace_reader *r)
{
	r->stream = (lzma_stream)LZMA_STREAM_INIT;
	if (trace_packed_told(r->xz)) {
		r->packed_trace = trace_packed_open(r->xz);
		r->xz = NULL;
		return r->packed_trace != NULL;
	}
	if (is_xz(r->xz))
		return lzma_stream_decoder(&r->stream, XZ_MEMORY, LZMA_CONCATENATED) == LZMA_OK;
	r->gz = gzopen(r->path, "rb");
	fclose(r->xz);
	r->xz = NULL;
	if (r->gz)
		gzbuffer(r->gz, 1 << 18);
	return r->gz != NULL;
}

/* Is something there that cannot be read twice from its beginning: a pipe, a device, a folder? */
static bool is_odd(const char *path)
{
	struct stat st;

	return !stat(path, &st) && !S_ISREG(st.st_mode);
}

struct trace_reader *trace_reader_open(const char *path, struct error *e)
{
	FILE *f = is_odd(path) ? NULL : fopen(path, "rb");
	struct trace_reader *r;

	if (!f && is_odd(path)) {
		error_at(e, STATUS_USAGE, path, 0, 0, "not a regular file (a trace is read twice from its beginning)");
		return NULL;
	}
	if (!f || fgetc(f) == EOF) {
		if (f && !ferror(f))
			errno = ENODATA;
		error_at(e, STATUS_USAGE, path, 0, 0,
			 errno == ENODATA ? "the file is empty" : "cannot read the file: %s", strerror(errno));
		if (f)
			fclose(f);
		return NULL;
	}
	rewind(f);
	r = xcalloc(1, sizeof(*r));
	r->path = xstrdup(path);
	r->xz = f;
	r->buffer = xmalloc(BUFFER + 1);
	if (start_decoder(r))
		return r;
	error_at(e, STATUS_USAGE, path, 0, 0, "cannot decompress the file");
	trace_reader_close(r);
	return NULL;
}

void trace_reader_close(struct trace_reader *r)
{
	if (r->packed_trace)
		trace_packed_close(r->packed_trace);
	if (r->gz)
		gzclose(r->gz);
	if (r->xz) {
		lzma_end(&r->stream);
		fclose(r->xz);
	}
	free(r->buffer);
	free(r->path);
	free(r);
}

/* Up to n bytes of xz; 0 at the end, -1: damaged. */
static long read_xz(struct trace_reader *r, char *out, size_t n)
{
	lzma_stream *s = &r->stream;
	lzma_ret ret = LZMA_OK;

	s->next_out = (u8 *)out;
	s->avail_out = n;
	while (s->avail_out && ret == LZMA_OK) {
		if (!s->avail_in) {
			s->next_in = r->packed;
			s->avail_in = fread(r->packed, 1, sizeof(r->packed), r->xz);
		}
		ret = lzma_code(s, s->avail_in ? LZMA_RUN : LZMA_FINISH);
	}
	return ret == LZMA_OK || ret == LZMA_STREAM_END ? (long)(n - s->avail_out) : -1;
}

/* Up to n bytes of text; 0 at the end, -1: damaged. */
static long read_more(struct trace_reader *r, char *out, size_t n)
{
	if (r->packed_trace)
		return trace_packed_read(r->packed_trace, out, n);
	return r->gz ? gzread(r->gz, out, (unsigned)n) : read_xz(r, out, n);
}

/* More bytes behind those unread. */
static bool fill(struct trace_reader *r, struct error *e)
{
	long n;

	if (work_check(e))
		return false;
	memmove(r->buffer, r->buffer + r->at, r->end - r->at);
	r->end -= r->at;
	r->at = 0;
	if (r->end == BUFFER) {
		error_at(e, STATUS_USAGE, r->path, r->line + 1, 0, "line longer than %u bytes: this is not a trace",
			 BUFFER);
		return false;
	}
	n = read_more(r, r->buffer + r->end, BUFFER - r->end);
	if (n < 0) {
		error_at(e, STATUS_USAGE, r->path, r->line, 0,
			 "the compressed data are damaged or cut short after this line");
		return false;
	}
	r->over = !n;
	r->end += (size_t)n;
	return true;
}

char *trace_reader_line(struct trace_reader *r, size_t *length, struct error *e)
{
	char *start, *stop;

	e->status = STATUS_OK;
	while (!(stop = memchr(r->buffer + r->at, '\n', r->end - r->at)) && !r->over)
		if (!fill(r, e))
			return NULL;
	if (!stop && r->at == r->end)
		return NULL;
	start = r->buffer + r->at;
	stop = stop ? stop : r->buffer + r->end;
	r->at = min_u64((u64)(stop - r->buffer) + 1, r->end);
	*stop = '\0';
	if (stop > start && stop[-1] == '\r')
		*--stop = '\0';
	r->line++;
	*length = (size_t)(stop - start);
	return start;
}

u32 trace_reader_number(const struct trace_reader *r)
{
	return r->line;
}
const char *trace_reader_path(const struct trace_reader *r)
{
	return r->path;
}
