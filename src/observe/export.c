/* export.c - the window lived through again, and the file, complete or as it was. */
#include "export.h"
#include "machine.h"
#include "outfile.h"

#include <errno.h>
#include <sys/stat.h>

#define EXPORT(id, name, columns, doc) extern const struct export_format export_##id;
#include "exports.def"
#undef EXPORT
const struct export_row export_table[EXPORT_COUNT] = {
#define EXPORT(id, name_, columns_, doc_) \
	[EXPORT_##id] = {.name = name_, .columns = columns_, .doc = doc_, .format = &export_##id},
#include "exports.def"
#undef EXPORT
};

void export_put(struct exporter *x, const char *fmt, ...)
{
	va_list ap;
	int n;

	if (x->bytes > x->limit || x->failed)
		return;
	va_start(ap, fmt);
	n = vfprintf(x->file, fmt, ap);
	va_end(ap);
	x->bytes += n > 0 ? (u64)n : 0;
	x->failed = outfile_note(x->file) != 0;
}

void export_string(struct exporter *x, const char *s)
{
	export_put(x, "\"");
	for (s = safe_text(s); *s; s++)
		export_put(x, *s == '"' || *s == '\\' ? "\\%c" : "%c", *s);
	export_put(x, "\"");
}

const struct kernel *export_kernel(const struct exporter *x, u32 launch)
{
	return launch < min_u32(x->then.program.nlaunch, 0xff) ? x->then.program.launch[launch].kernel : NULL;
}

/* Bytes in MiB, one for a part of one. */
static u64 mib(u64 bytes)
{
	return (bytes + (1u << 20) - 1) >> 20;
}

/*
 * Nobody has named the window, so it may be longer than meant: once an eighth of the most that may be is written, the
 * size of all of it is known well enough. A window that was named is written as far as it can be.
 */
static enum status estimate(struct exporter *x, struct error *e)
{
	const struct export_request *q = x->request;
	u64 done = x->cycle - q->from, all = q->to - q->from;
	double bytes = (double)x->bytes / (double)done * (double)all;

	if (q->named || x->looked || x->bytes < x->limit / 8)
		return STATUS_OK;
	x->looked = true;
	if (bytes <= (double)x->limit)
		return STATUS_OK;
	return error_set(
		e, STATUS_FAILED,
		"output would be about %llu MiB for cycles %llu to %llu, above export.limit (%llu MiB); nothing "
		"was written (name a window, such as `from %llu to %llu`, or `set export.limit`)",
		mib((u64)bytes), q->from, q->to, x->limit >> 20, q->from,
		q->from + (u64)((double)x->limit / bytes * 0.8 * (double)all));
}

/* Live through the window; the fork may end before its end, or at an interrupt. */
static enum status live(struct exporter *x, u32 *applied, struct error *e)
{
	const struct export_request *q = x->request;
	const struct export_format *f = export_table[q->format].format;
	struct sim *sim = &x->then.sim;
	enum status st = f->begin(x, e);

	for (u64 c = q->from + 1; c <= q->to && !st && x->bytes <= x->limit && !x->failed; c++) {
		timeline_follow(x->then.timeline, sim, applied, (struct position){c, 0});
		if (machine_gpu(sim->m)->cycle != c || machine_gpu(sim->m)->stage)
			break;
		sim_sync(sim);
		x->cycle = c;
		f->cycle(x);
		st = estimate(x, e);
	}
	f->end(x);
	if (!st && timeline_interrupt)
		st = error_set(e, STATUS_FAILED, "interrupted in cycle %llu; nothing was written", x->cycle);
	if (!st && x->bytes > x->limit)
		st = error_set(
			e, STATUS_FAILED,
			"output exceeds export.limit (%llu MiB) in cycle %llu of %llu to %llu; nothing was written "
			"(export fewer cycles, or `set export.limit`)",
			x->limit >> 20, x->cycle, q->from, q->to);
	return st;
}

/* The fork at the window's start, the format over it. *to: the last cycle that there was. */
static enum status replay(struct session *s, const struct export_request *q, FILE *f, u64 *to, u64 *bytes,
			  struct error *e)
{
	struct exporter x = {
		.request = q, .then = *s, .file = f, .limit = (u64)s->config.export_limit << 20, .cycle = q->from};
	enum status st;
	u32 applied;

	x.then.functional = NULL;
	timeline_enable(s->timeline); /* looking back is cheaper with keyframes */
	timeline_fork(s->timeline, (struct position){q->from, 0}, &x.then.sim, &applied);
	if (machine_gpu(x.then.sim.m)->cycle < q->from) {
		st = error_set(e, STATUS_FAILED, "no cycle %llu: the program ends in cycle %llu", q->from,
			       machine_gpu(x.then.sim.m)->cycle);
	} else {
		sim_sync(&x.then.sim);
		x.then.sim.bus.want = export_table[q->format].format->want;
		st = live(&x, &applied, e);
	}
	free(x.state);
	sim_close(&x.then.sim);
	*to = x.cycle;
	*bytes = x.bytes;
	return st;
}

bool export_packed(const char *path)
{
	return ends_with(path, ".gz");
}

enum status export_write(struct session *s, struct export_request *q, u64 *bytes, struct error *e)
{
	FILE *f = outfile_open(q->path, export_packed(q->path) ? OUTFILE_GZIP : OUTFILE_WHOLE);
	struct stat file;
	enum status st;
	int error;
	u64 to;

	if (!f)
		return outfile_failed(e, q->path, errno);
	st = replay(s, q, f, &to, bytes, e);
	error = outfile_close(f, !st);
	if (!st && error)
		st = outfile_failed(e, q->path, error);
	q->to = to;
	q->packed = !st && export_packed(q->path) && !stat(q->path, &file) ? (u64)file.st_size : 0;
	return st;
}
