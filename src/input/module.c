/*
 * module.c - the end of a module, whatever front end made it, and the names of value types.
 */

#include "config.h"
#include "synth.h"
#include "trace.h"

const char *const value_type_name[VALUE_TYPE_COUNT] = {"u8",  "s8",  "u16", "s16", "u32",  "s32",
						       "u64", "s64", "f32", "f64", "bytes"};
const u8 value_type_size[VALUE_TYPE_COUNT] = {1, 1, 2, 2, 4, 4, 8, 8, 4, 8, 1};

int value_type_named(const char *name)
{
	for (int i = 0; i < VALUE_BYTES; i++)
		if (!strcmp(value_type_name[i], name))
			return i;
	return -1;
}

void kernel_schedule(struct kernel *k, bool scheduled)
{
	struct kernel_order now = {k->inst, k->regs, k->preds, k->strings, k->site}, *other = k->other;

	if (!other || k->scheduled == scheduled)
		return;
	k->inst = other->inst;
	k->regs = other->regs;
	k->preds = other->preds;
	k->strings = other->strings;
	k->site = other->site;
	*other = now;
	k->scheduled = scheduled;
}

const char *kernel_otherwise(const struct kernel *k, const struct config *c)
{
	if (k->other && k->scheduled != c->ptx_schedule)
		return "ptx.schedule";
	if (k->trace && k->trace->other_class && k->trace->hardware != c->trace_hardware)
		return "trace.hardware";
	return NULL;
}

void kernel_make(struct kernel *k, const struct config *c)
{
	kernel_schedule(k, c->ptx_schedule);
	trace_hardware_take(k, c->trace_hardware);
	if (!k->trace)
		constant_lines_find(k);
}

/* Free what one kernel owns. */
void kernel_free(struct kernel *k)
{
	if (k->borrowed)
		return;
	if (k->other) {
		free(k->other->inst);
		free(k->other->strings);
		free(k->other->site);
		free(k->other);
	}
	for (u32 i = 0; i < k->nparam; i++)
		free(k->param[i].name);
	for (u32 i = 0; k->labels && i < k->ninst; i++)
		free(k->labels[i]);
	free(k->labels);
	free(k->site);
	free(k->param);
	free(k->field);
	free(k->name);
	free(k->symbol);
	free(k->inst);
	free(k->imm);
	free(k->reloc);
	free(k->strings);
	free((void *)k->synth);
	trace_free((struct trace *)k->trace);
}

bool kernel_is_called(const struct kernel *k, const char *name)
{
	return !strcmp(k->name, name) || !strcmp(kernel_symbol(k), name);
}

/* Put an address into the bytes of an initialiser. */
static void place_initialiser(struct module *m, const struct init_relocation *r)
{
	const struct module_symbol *y = &m->symbol[r->symbol];
	u64 value = (m->symbol[r->target].address + (u64)r->addend) >> r->shift;

	memcpy(y->init + r->offset, &value, r->bytes);
	if (y->space == SPACE_CONST && m->constants)
		memcpy(m->constants + y->address + r->offset, &value, r->bytes);
}

void module_place(struct module *m)
{
	for (u32 i = 0; i < m->nreloc; i++)
		place_initialiser(m, &m->reloc[i]);
	for (u32 k = 0; k < m->nkernel; k++)
		for (u32 i = 0; i < m->kernel[k].nreloc; i++) {
			const struct relocation *l = &m->kernel[k].reloc[i];

			m->kernel[k].imm[l->imm] += m->symbol[l->symbol].address;
		}
}

/* Free a module and everything in it; NULL is fine. */
bool module_heap(struct module *m, u32 bytes)
{
	bool has = false;

	for (u32 i = 0; i < m->nsymbol; i++) {
		struct module_symbol *y = &m->symbol[i];

		if (y->common && !strcmp(y->name, HEAP_BLOCKS)) {
			y->size = bytes;
			has = true;
		} else if (y->common && !strcmp(y->name, HEAP_LISTS)) {
			memcpy(y->init + 8, &bytes, sizeof(bytes));
		}
	}
	return has;
}

void module_free(struct module *m)
{
	if (!m)
		return;
	for (u32 i = 0; i < m->nkernel; i++)
		kernel_free(&m->kernel[i]);
	for (u32 i = 0; i < m->nrefused; i++) {
		free(m->refused[i].name);
		free(m->refused[i].message);
	}
	for (u32 i = 0; i < m->nsymbol; i++) {
		free(m->symbol[i].name);
		free(m->symbol[i].init);
	}
	for (u32 i = 0; i < m->nsource; i++)
		free(m->source[i]);
	for (u32 i = 0; i < m->nsite; i++)
		free(m->site[i].function);
	free(m->site);
	free(m->kernel);
	free(m->refused);
	free(m->symbol);
	free(m->constants);
	free(m->reloc);
	free(m->source);
	free(m->path);
	free(m);
}
