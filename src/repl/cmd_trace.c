/* cmd_trace.c - trace: kernels recorded on a real GPU, with their launches. */
#include "repl.h"

#include "trace.h"

#include <stdlib.h>
#include <string.h>

/* Streams as small numbers, in the order in which they appear. */
static u32 stream_number(const struct module *m, u32 kernel)
{
	u32 n = 0;

	for (u32 i = 0; i <= kernel; i++) {
		u32 same = 0;

		while (m->kernel[same].trace->stream != m->kernel[i].trace->stream)
			same++;
		if (same == i && i && m->kernel[kernel].trace->stream != m->kernel[i].trace->stream)
			n += m->kernel[i].trace->stream != m->kernel[0].trace->stream;
	}
	return m->kernel[kernel].trace->stream == m->kernel[0].trace->stream ? 0 : n + 1;
}

/* Launch a kernel as it was recorded. */
static void launch(struct session *s, const struct args *a, const struct module *m, u32 kernel)
{
	const struct kernel *k = &m->kernel[kernel];
	struct scene_launch *l = scene_add_launch(s);

	l->launch.kernel = k;
	l->launch.name = xstrdup(k->name);
	memcpy(l->launch.grid, k->trace->grid, sizeof(l->launch.grid));
	memcpy(l->launch.block, k->trace->block, sizeof(l->launch.block));
	l->launch.regs = k->regs;
	l->launch.stream = stream_number(m, kernel);
	l->launch.param = xcalloc(1, 8);
	l->launch.loop.iteration_param = ~0u;
	launch_prepare(&l->launch);
	l->file = a->file ? xstrdup(a->file) : NULL;
	l->line = a->line_number;
}

static enum status run(struct session *s, const struct args *a, struct error *e)
{
	struct module *m;
	enum status st = trace_load(a->arg[0].text, setting_now(s, SET_trace_unknown), &m, e);
	u64 records = 0;

	if (st) {
		e->column = e->file[0] ? e->column : a->arg[0].column;
		return st;
	}
	st = scene_add_module(s, m, e);
	if (st)
		return st;
	for (u32 i = 0; i < m->nkernel; i++) {
		launch(s, a, m, i);
		records += m->kernel[i].trace->records;
	}
	if (s->interactive && !s->quiet)
		session_print(s, "%u kernels, %llu warp instructions\n", m->nkernel, (unsigned long long)records);
	if (s->stale)
		session_print(s, "takes effect at restart\n");
	return STATUS_OK;
}

const struct command command_trace = {
	.name = "trace", .group = "setup",
	.summary = "load a trace and launch its kernels",
	.details = "FILE is a kernelslist.g of Accel-Sim's tracer, or one kernel's *.traceg, plain or compressed by xz or gzip; tracer\n"
		   "versions up to 5, Pascal to Ampere. Each kernel is launched as it was recorded: grid, block, shared memory,\n"
		   "registers, stream. A trace holds real register numbers, addresses and lanes, and no values: see TRACES in\n"
		   "warpstep-scenario(5). An unknown opcode is an error; `set trace.unknown int` before it lets it pass.",
	.examples = "trace kernelslist.g",
	.flags = COMMAND_SETUP,
	.run = run,
	.arg = {{.name = "FILE", .type = ARG_PATH, .doc = "kernelslist.g or *.traceg"}},
};
