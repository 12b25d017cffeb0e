/*
 * source.h - the CUDA source of kernels: where an instruction comes from, functions within functions. Places come from
 * .loc; the text of the files is source_text.h's.
 */
#ifndef WARPSTEP_SOURCE_H
#define WARPSTEP_SOURCE_H

#include "session_data.h"

/* A place of the source, and the function that it is in. */
struct source_frame {
	const char *function; /* NULL: the kernel itself, or the compiler has not said which */
	u32 file, line;	      /* file: as in source[] of the module */
	bool outer;	      /* the function stands in another: the next frame says where */
	bool called;	      /* ... for it is called there and was expanded; else the compiler inlined it */
};
/* The i-th place of an instruction: 0 its own line, then where that function stands in its caller, and so on. False:
 * there is none. */
bool source_frame(const struct kernel *k, u32 pc, u32 i, struct source_frame *out);
/* The innermost place of an instruction that is in the user's own code: in the folder of the file that the kernel
 * stands in, or below it. What is inlined from a header of CUDA counts as the line that calls it. False: there is none.
 */
bool source_user(const struct kernel *k, u32 pc, struct source_frame *out);
/* The name of a file of a module without its directories; NULL: it has no such file. */
const char *source_name(const struct module *m, u32 file);
/* "slow.cu:3 (square) inlined at slow.cu:11"; nothing where the line is not known. */
void source_chain(const struct kernel *k, u32 pc, struct text *out);
/* Does the path end in name, n bytes, as whole components? */
bool source_path_ends(const char *path, const char *name, size_t n);

#endif
