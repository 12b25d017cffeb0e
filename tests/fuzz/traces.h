/*
 * traces.h - what the fuzzers of traces feed: one kernel's, a list with the files beside it, a packed one.
 */
#ifndef WARPSTEP_FUZZ_TRACES_H
#define WARPSTEP_FUZZ_TRACES_H

#include "targets.h"

#include <lzma.h>

/* Run a kernel of a trace that was accepted, if it is not too large. */
static inline void fuzz_trace_run(struct module *m)
{
	struct program p = {.launch = xcalloc(1, sizeof(*p.launch)),
			    .nlaunch = 1,
			    .module = xcalloc(1, sizeof(*p.module)),
			    .nmodule = 1};
	const struct kernel *k = &m->kernel[0];
	struct sim sim;

	memset(&sim, 0, sizeof(sim));
	p.module[0] = m;
	p.launch[0] = (struct launch){.kernel = k, .name = xstrdup("k"), .regs = k->regs, .param = xcalloc(1, 8)};
	memcpy(p.launch[0].grid, k->trace->grid, sizeof(k->trace->grid));
	memcpy(p.launch[0].block, k->trace->block, sizeof(k->trace->block));
	launch_prepare(&p.launch[0]);
	fuzz_simulate(&p, &sim);
	if (sim.m && (sim_faulted(&sim) || sim_deadlocked(&sim)))
		die("a trace faulted or came to a deadlock");
	sim_close(&sim);
	program_free(&p);
}

/* Load a trace, and run what is accepted. */
static inline void fuzz_trace_load(const char *path, u32 how)
{
	struct module *m = NULL;
	struct error e = {0};

	if (!trace_load(path, how, &m, &e))
		fuzz_trace_run(m);
	else if (!e.message[0])
		die("a trace was refused without a word");
}

/* Load an input as one kernel's trace. */
static inline void fuzz_trace(const u8 *data, size_t size)
{
	char *path = guard_file("kernel-1.traceg", data, size);

	fuzz_trace_load(path, size % 2 ? TRACE_UNKNOWN_INT : 0);
	free(path);
}

/* Load an input as a trace's list and what lies beside it: a line "=NAME" begins the file NAME, a line "=NAME=TARGET"
 * is a link to TARGET; what comes before is the list. */
static inline void fuzz_list(const u8 *data, size_t size)
{
	char *text = xstrndup((const char *)data, size), *at = text, *name = (char *)"list.g", *list;

	while (at) {
		char *next = strstr(at, "\n="), *line = next ? next + 2 : NULL, *target;

		if (next)
			next[1] = '\0';
		if (!strchr(name, '/') && *name && *name != '.' && strlen(name) < 100)
			free(guard_file(name, at, strlen(at)));
		at = line ? strchr(line, '\n') : NULL;
		if (at)
			*at++ = '\0';
		name = line;
		target = line ? strchr(line, '=') : NULL;
		if (target && target > line && !memchr(line, '/', (size_t)(target - line))) {
			*target = '\0';
			name = guard_path(line);
			UNUSED int same = symlink(target + 1, name);

			free(name);
			name = (char *)"";
		}
	}
	list = guard_path("list.g");
	fuzz_trace_load(list, 0);
	free(list);
	free(text);
}

/* Pack bytes by gzip or xz; xmalloc'ed. */
static inline u8 *fuzz_pack(bool xz, const u8 *data, size_t size, size_t *n)
{
	size_t room = compressBound(size) + lzma_stream_buffer_bound(size) + 64;
	u8 *out = xmalloc(room);
	z_stream z = {.next_in = (u8 *)(uintptr_t)data, .avail_in = (u32)size, .next_out = out, .avail_out = (u32)room};

	*n = 0;
	if (xz && lzma_easy_buffer_encode(0, LZMA_CHECK_CRC32, NULL, data, size, out, n, room) != LZMA_OK)
		die("xz cannot pack");
	if (xz)
		return out;
	if (deflateInit2(&z, 1, Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY) || deflate(&z, Z_FINISH) != Z_STREAM_END)
		die("gzip cannot pack");
	*n = z.total_out;
	deflateEnd(&z);
	return out;
}

/* Load an input as a packed trace. Its first three bytes say how: packed by xz or gzip here, or packed already; how
 * much is cut off; which byte is spoilt. */
static inline void fuzz_packed(const u8 *data, size_t size)
{
	size_t n = size > 3 ? size - 3 : 0;
	char *path;
	u8 *bytes;

	if (!n)
		return;
	bytes = data[0] % 3 ? fuzz_pack(data[0] % 3 == 1, data + 3, size - 3, &n) : memcpy(xmalloc(n), data + 3, n);
	n -= data[1] & 0x80 ? min_u64(n, data[1] & 0x7f) : 0;
	if (n && data[2] & 0x80)
		bytes[(size_t)(data[2] & 0x7f) * n / 128] ^= 0x55;
	path = guard_file(data[0] % 3 == 1 ? "kernel-1.traceg.xz" : "kernel-1.traceg.gz", bytes, n);
	fuzz_trace_load(path, 0);
	free(path);
	free(bytes);
}

#endif
