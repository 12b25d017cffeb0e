/* template.c - a skeleton scenario for the kernels of a PTX file. */
#include "repl.h"

#include "ptx.h"

#include <string.h>

/* The buffers that a kernel's parameters want, and its launch. */
static void print_kernel(const struct kernel *k, u32 number, FILE *out)
{
	u32 x = k->maxntid[0] ? k->maxntid[0] : 128;

	fprintf(out, "\n# %s: %u registers, %u bytes of shared memory\n", safe_text(k->name), k->regs, k->static_shared);
	for (u32 i = 0; i < k->nparam; i++)
		if (k->param[i].pointer)
			fprintf(out, "buffer k%u_p%u f32[1024]    # %s: type and size are guesses\n", number, i,
				safe_text(k->param[i].name));
	fprintf(out, "launch %s grid 1 block %u", safe_text(k->name), x);
	if (k->nparam)
		fprintf(out, " args");
	for (u32 i = 0; i < k->nparam; i++) {
		if (k->param[i].pointer)
			fprintf(out, " k%u_p%u", number, i);
		else
			fprintf(out, k->param[i].type == VALUE_BYTES ? " {u32:0}" : " 0");
	}
	putc('\n', out);
}

enum status template_print(const char *path, FILE *out, struct error *e)
{
	struct module *m;
	enum status st = ptx_load(path, &m, e);

	if (st)
		return st;
	fprintf(out, "# A skeleton: give the buffers their types, sizes and contents, and the launches their shapes.\n"
		     "gpu volta\nset gpu.sms 2\nmodule %s\n", safe_text(path));
	for (u32 i = 0; i < m->nkernel; i++)
		print_kernel(&m->kernel[i], i, out);
	fprintf(out, "\nfinally\n  expect cta.finished > 0\nend\n");
	module_free(m);
	return STATUS_OK;
}
