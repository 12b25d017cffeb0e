/*
 * ptx.h - the PTX front end: text to struct module.
 *
 * Accepts what `nvcc -ptx` and `clang --target=nvptx64` write, but for textures, surfaces, video instructions,
 * clusters, indirect calls and the device runtime (see warpstep-scenario(5), PTX). Anything else is refused with
 * file:line:column, the construct and what would be accepted. Nothing is ever executed as something else.
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

#endif
