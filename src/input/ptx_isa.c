/*
 * ptx_isa.c - the instructions of the PTX ISA: which of them run, and why the others do not, by loading an example of
 * each.
 */

#include "ptx.h"

const struct ptx_isa_row ptx_isa_table[] = {
#define RUNS true
#define REFUSED false
#define SECTION(title) {.name = title},
#define ROW(name_, since_, runs_, example_) {.name = name_, .since = since_, .example = example_, .runs = runs_},
#include "ptx_isa.def"
#undef RUNS
#undef REFUSED
#undef SECTION
#undef ROW
};
const u32 ptx_isa_rows = ARRAY_LEN(ptx_isa_table);

char *ptx_isa_kernel(const struct ptx_isa_row *row)
{
	struct text t = {0};

	text_add(
		&t,
		".version 9.0\n.target sm_100a\n.address_size 64\n.global .align 128 .b8 cells[1024];\n"
		".func one() { ret; }\n.visible .entry k() {\n"
		".reg .pred %%p<4>; .reg .b16 %%h<4>; .reg .b32 %%r<12>; .reg .b64 %%d<5>;\n"
		".shared .align 128 .b8 shared_cells[1024];\nmov.u64 %%d1, cells; mov.u32 %%r1, shared_cells;\n"
		"mov.b16 %%h1, 3; mov.b16 %%h2, 5; mov.u32 %%r2, 3; mov.u32 %%r3, 5; mov.u64 %%d2, 3; mov.u64 %%d3, 5;\n"
		"setp.eq.u32 %%p1, %%r2, 3;\n%s\nret;\n}\n",
		row->example);
	return t.s;
}

char *ptx_isa_reason(const struct ptx_isa_row *row)
{
	static const char verdict[] = "is not supported: ";
	char *text = ptx_isa_kernel(row), *out;
	struct error e = {0};
	struct module *m = NULL;
	const char *why = "";

	if (ptx_load_text("ptx", text, strlen(text), &m, &e)) {
		why = strstr(e.message, verdict);
		why = why ? why + strlen(verdict) : e.message;
	}
	out = xstrdup(why);
	if (m)
		module_free(m);
	free(text);
	return out;
}
