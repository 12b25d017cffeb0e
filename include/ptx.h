/*
 * ptx.h - the PTX front end: text to struct module.
 *
 * Accepts what `nvcc -ptx` and `clang --target=nvptx64` write, but for textures, surfaces, video instructions,
 * clusters, indirect calls and the device runtime (see warpstep-scenario(5) and warpstep-ptx(7)). Anything else is
 * refused with file:line:column, the construct and what would be accepted. Nothing is ever executed as something else.
 * What is refused concerns the entries that use it; text that is wrong concerns the whole file.
 */
#ifndef WARPSTEP_PTX_H
#define WARPSTEP_PTX_H

#include "kernel.h"

/* Parse text (named `path` in errors) into *out, which module_free() ends. An entry that uses an unsupported construct
 * is left out and entered in module->refused; a module without any other entry is refused with the first one's place.
 * Device functions are expanded where they are called. */
enum status ptx_load_text(const char *path, const char *text, size_t len, struct module **out, struct error *e);
enum status ptx_load(const char *path, struct module **out, struct error *e);

/* Something that is refused: where it stands first, how often it occurs. */
struct ptx_problem {
	u32 kernel; /* index of the verdict; ~0: outside kernels */
	u32 line, column, count;
	char *message;
};
struct ptx_verdict {
	char *kernel;
	u32 line, problems; /* of its name; 0 problems: it runs */
};
struct ptx_survey {
	struct ptx_problem *problem;
	u32 nproblem;
	struct ptx_verdict *verdict;
	u32 nverdict;
};
/* Which kernels of a file would run, and what stands in the way of the others. Fails only where the text is no PTX
 * module. */
enum status ptx_survey(const char *path, struct ptx_survey *out, struct error *e);
enum status ptx_survey_text(const char *path, const char *text, size_t len, struct ptx_survey *out, struct error *e);
void ptx_survey_free(struct ptx_survey *s);

/* The PTX ISA's instructions (ptx_isa.def). A section has a name only. */
struct ptx_isa_row {
	const char *name, *since, *example;
	bool runs;
};
extern const struct ptx_isa_row ptx_isa_table[];
extern const u32 ptx_isa_rows;
/* A module with one kernel, k, of the statements of a row: %h1 %h2, %r2 %r3 and %d2 %d3 are 3 and 5, %p1 holds, %d1 is
 * the address of `cells', %r1 that of `shared_cells' in shared memory, 1024 bytes each; the rest is for results.
 * xmalloc'ed.
 */
char *ptx_isa_kernel(const struct ptx_isa_row *row);
/* Why the kernel of a row is refused, as one line without the instruction's name; "" if it is not. xmalloc'ed. */
char *ptx_isa_reason(const struct ptx_isa_row *row);

#endif
