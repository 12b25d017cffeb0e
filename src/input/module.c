/*
 * module.c - the end of a module, whatever front end made it, and the names of value types.
 */
#include <stdlib.h>

#include "kernel.h"
#include "synth.h"

const char *const value_type_name[VALUE_TYPE_COUNT] = { "u8",  "s8",  "u16", "s16", "u32",  "s32",
							"u64", "s64", "f32", "f64", "bytes" };
const u8 value_type_size[VALUE_TYPE_COUNT] = { 1, 1, 2, 2, 4, 4, 8, 8, 4, 8, 1 };

/* Free what one kernel owns. */
static void kernel_free(struct kernel *k)
{
	for (u32 i = 0; i < k->nparam; i++)
		free(k->param[i].name);
	for (u32 i = 0; k->labels && i < k->ninst; i++)
		free(k->labels[i]);
	free(k->labels);
	free(k->param);
	free(k->name);
	free(k->inst);
	free(k->imm);
	free(k->reloc);
	free(k->strings);
	free((void *)k->synth);
}

/* Free a module and everything in it; NULL is fine. */
void module_free(struct module *m)
{
	if (!m)
		return;
	for (u32 i = 0; i < m->nkernel; i++)
		kernel_free(&m->kernel[i]);
	for (u32 i = 0; i < m->nsymbol; i++) {
		free(m->symbol[i].name);
		free(m->symbol[i].init);
	}
	for (u32 i = 0; i < m->nsource; i++)
		free(m->source[i]);
	free(m->kernel);
	free(m->symbol);
	free(m->constants);
	free(m->source);
	free(m->path);
	free(m);
}
