/* cmd_trace.c - trace: kernels recorded on a real GPU, with their launches. */
#include "command.h"
#include "complete.h"
#include "cubin.h"
#include "paths.h"
#include "scene.h"
#include "settings.h"

#include "trace.h"

/* Streams as small numbers, in the order in which they appear; one for all unless they may overlap. */
static u32 *cmd_trace_number_streams(const struct module *m, bool overlap)
{
	u32 *number = xcalloc(m->nkernel, sizeof(*number)), room = 2 * m->nkernel, n = 0;
	u32 *first = xcalloc(room, sizeof(*first)); /* by stream, open addressing: 1 + its first kernel */

	for (u32 i = 0; i < m->nkernel && overlap; i++) {
		u64 stream = m->kernel[i].trace->stream;
		u32 at = hash_below(stream, room);

		while (first[at] && m->kernel[first[at] - 1].trace->stream != stream)
			at = at + 1 < room ? at + 1 : 0;
		number[i] = first[at] ? number[first[at] - 1] : n++;
		first[at] = first[at] ? first[at] : i + 1;
	}
	free(first);
	return number;
}

/* Launch a kernel as it was recorded. */
static void cmd_trace_launch(struct session *s, const struct args *a, const struct kernel *k, u32 stream)
{
	struct scene_launch *l = scene_add_launch(s);

	l->launch.kernel = k;
	l->launch.name = xstrdup(k->name);
	memcpy(l->launch.grid, k->trace->grid, sizeof(l->launch.grid));
	memcpy(l->launch.block, k->trace->block, sizeof(l->launch.block));
	l->launch.regs = k->regs;
	l->launch.stream = stream;
	l->launch.param = xcalloc(1, 8);
	l->launch.loop.iteration_param = ~0u;
	launch_prepare(&l->launch);
	l->file = a->file ? xstrdup(a->file) : NULL;
	l->line = a->line_number;
}

/* The cubins behind `cubin`, of which the line has as many words. */
struct cubins {
	struct cubin **cubin;
	u32 n;
};

static void cmd_trace_close_cubins(struct cubins *c)
{
	while (c->n)
		cubin_close(c->cubin[--c->n]);
	free(c->cubin);
}

/* The next cubin, which a word names. */
static enum status cmd_trace_open_cubin(struct session *s, const struct token *t, struct cubins *c, struct error *e)
{
	char *path = path_resolve(s, t, false, e);

	c->cubin[c->n] = path ? cubin_open(path, e) : NULL;
	free(path);
	if (!c->cubin[c->n])
		return e->status;
	c->n++;
	return STATUS_OK;
}

/* `cubin CUBIN ...` behind the file. */
static enum status cmd_trace_open_cubins(struct session *s, const struct args *a, struct cubins *c, struct error *e)
{
	const struct token *t = &a->token[a->rest];
	u32 words = a->ntokens - a->rest;
	enum status st = STATUS_OK;

	if (words && (strcmp(t->s, "cubin") || words == 1))
		return usage_at(e, strcmp(t->s, "cubin") ? t->column : t->end + 1,
				"expected `cubin` and the names of cubins behind the trace (`trace FILE cubin CUBIN`)");
	c->cubin = xcalloc(words + 1, sizeof(*c->cubin));
	for (u32 i = 1; i < words && !st; i++)
		st = cmd_trace_open_cubin(s, &t[i], c, e);
	return st;
}

/* The trace with all that belongs to it, *out, or an error. */
static enum status cmd_trace_load(struct session *s, const struct args *a, struct module **out, struct error *e)
{
	u32 how = (setting_now(s, SET_trace_unknown) ? TRACE_UNKNOWN_INT : 0) | (s->trust ? TRACE_ANYWHERE : 0) |
		  TRACE_KEPT;
	struct cubins c = {.n = 0};
	enum status st = cmd_trace_open_cubins(s, a, &c, e);

	if (!st && (st = trace_load(a->arg[0].text, how, out, e)))
		e->column = e->file[0] ? e->column : a->arg[0].column;
	if (!st && c.n && (st = trace_take_cubins(*out, c.cubin, c.n, e)))
		module_free(*out);
	cmd_trace_close_cubins(&c);
	return st;
}

static enum status cmd_trace_run(struct session *s, const struct args *a, struct error *e)
{
	struct module *m;
	enum status st = cmd_trace_load(s, a, &m, e);
	u64 records = 0;
	u32 *stream;

	if (st)
		return st;
	st = scene_add_module(s, m, e);
	if (st)
		return st;
	stream = cmd_trace_number_streams(m, setting_now(s, SET_trace_overlap));
	for (u32 i = 0; i < m->nkernel; i++) {
		cmd_trace_launch(s, a, &m->kernel[i], stream[i]);
		records += m->kernel[i].trace->records;
	}
	free(stream);
	if (s->interactive && !s->quiet)
		session_print(s, "%u kernel%s, %llu warp instructions\n", m->nkernel, plural(m->nkernel), records);
	if (s->interactive && !s->quiet && setting_now(s, SET_gpu_launch_latency))
		session_print(s, "`next` goes to the first issue: a launch takes %u cycles (gpu.launch_latency)\n",
			      setting_now(s, SET_gpu_launch_latency));
	if (s->stale)
		session_print(s, "takes effect at restart\n");
	return STATUS_OK;
}

const struct command command_trace = {
	.name = "trace",
	.group = "setup",
	.summary = "load a trace and launch its kernels",
	.details =
		"FILE is a kernelslist.g of Accel-Sim's tracer, or one kernel's *.traceg (plain or compressed by xz or gzip) or\n"
		"*.tracez; tracer versions up to 6, Pascal to Blackwell. Each kernel is launched as it was recorded: grid, block,\n"
		"shared memory, registers. The kernels run one after another, or in their streams if trace.overlap is on. A trace\n"
		"has real register numbers, addresses and active lanes, but no values: see TRACES in warpstep-scenario(5). An\n"
		"unknown opcode is an error, unless `set trace.unknown int` comes before.\n"
		"A trace has no control bits and no reuse bits. CUBIN is machine code of the recorded program, as `nvcc -cubin`\n"
		"and `cuobjdump -xelf all` write it, Volta to Blackwell: its kernels get the bits that the compiler set, which count\n"
		"with issue.dependences control and collector.reuse (`info control`). Without a cubin warpstep sets such bits itself.\n"
		"Of several cubins each kernel must be in one.",
	.examples = "trace kernelslist.g\ntrace tile.traceg cubin tile.cubin",
	.flags = COMMAND_SETUP | COMMAND_READS | COMMAND_LOADS,
	.run = cmd_trace_run,
	.arg = {{"FILE", ARG_PATH, .doc = "kernelslist.g, *.traceg or *.tracez"},
		{"cubin CUBIN ...", ARG_REST, .doc = "machine code of the recorded kernels, for their control bits",
		 .complete = complete_cubin, .optional = true}},
};
