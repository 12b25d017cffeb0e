/* cmd_module.c - module: a file of kernels. */
#include "command.h"
#include "scene.h"

#include "ptx.h"
#include "trace.h"

#include <errno.h>

#define HEAP_LEAST 4096u
#define HEAP_MOST (1u << 30)

/* BYTES, or with a K or M behind it: of a heap. */
static bool cmd_module_heap_size(const char *text, u32 *bytes)
{
	char *end;
	unsigned long long n;

	errno = 0;
	n = strtoull(text, &end, 10);
	if (*text < '0' || *text > '9' || errno || n > HEAP_MOST)
		return false;
	n <<= *end == 'K' ? 10 : *end == 'M' ? 20 : 0;
	end += *end == 'K' || *end == 'M';
	*bytes = (u32)(n / 16 * 16);
	return !*end && n >= HEAP_LEAST && n <= HEAP_MOST;
}

/* `heap BYTES' behind the file's name. */
static enum status cmd_module_read_heap(struct session *s, const struct args *a, struct module *m, struct error *e)
{
	const struct token *t = a->token + a->rest;
	const struct buffer *b;
	u32 n = a->ntokens - a->rest, bytes;

	if (!n)
		return STATUS_OK;
	if (strcmp(t->s, "heap"))
		return usage_at(e, t->column, "'%s' is not an option of `module` (option: heap BYTES)",
				token_shown(t->s));
	if (n != 2 || !cmd_module_heap_size(t[1].s, &bytes))
		return usage_at(e, t[n > 1].column, "heap: must be a size from 4K to 1024M (bytes, or with K or M)");
	if (!module_heap(m, bytes))
		return usage_at(e, t->column, "%s: no kernel here calls malloc or free, so there is no heap",
				safe_text(m->path));
	b = scene_buffer(s, HEAP_BLOCKS);
	if (b && b->bytes != bytes)
		return usage_at(e, t->column, "another module has made the heap with %llu bytes (all modules share it)",
				b->bytes);
	return STATUS_OK;
}

static enum status cmd_module_run(struct session *s, const struct args *a, struct error *e)
{
	const char *path = a->arg[0].text;
	struct module *m;
	enum status st;

	if (trace_named(path))
		return usage_at(e, a->arg[0].column, "%s: this is a trace (`trace FILE` loads it)", safe_text(path));
	st = ptx_load(path, &m, e);
	if (st) {
		e->column = e->line ? e->column : a->arg[0].column;
		return st;
	}
	st = cmd_module_read_heap(s, a, m, e);
	if (st) {
		module_free(m);
		return st;
	}
	if (m->nrefused)
		session_print(s,
			      "note: %u of the %u kernels of %s cannot be run (`info module FILE` gives the reasons)\n",
			      m->nrefused, m->nkernel + m->nrefused, safe_text(path));
	st = scene_add_module(s, m, e);
	if (!st && s->stale)
		session_print(s, "takes effect at restart\n");
	return st;
}

const struct command command_module = {
	.name = "module",
	.group = "setup",
	.summary = "load a PTX module",
	.details =
		"FILE is PTX text as `nvcc -ptx` or `clang --target=nvptx64` writes it. Its entries can be launched, its\n"
		".global variables are buffers with the same names, and `symbol` initializes its variables. An entry that uses\n"
		"an unsupported construct is skipped; launching it reports the reason. A syntax error rejects the whole file.\n"
		"`heap` sets the size of the heap of malloc and free in kernels (default 8M), which all modules share.",
	.examples = "module kernels/matmul.ptx\nmodule kernels/lists.ptx heap 64K",
	.flags = COMMAND_SETUP | COMMAND_READS | COMMAND_LOADS,
	.run = cmd_module_run,
	.arg = {{"FILE", ARG_PATH, .doc = "PTX file"},
		{"heap BYTES", ARG_REST, .doc = "size of the heap of malloc and free", .optional = true}},
};
