/* cmd_module.c - module: a file of kernels. */
#include "command.h"
#include "scene.h"

#include "ptx.h"
#include "trace.h"

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
		"an unsupported construct is skipped; launching it reports the reason. A syntax error rejects the whole file.",
	.examples = "module kernels/matmul.ptx",
	.flags = COMMAND_SETUP | COMMAND_READS | COMMAND_LOADS,
	.run = cmd_module_run,
	.arg = {{"FILE", ARG_PATH, .doc = "PTX file"}},
};
