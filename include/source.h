/*
 * source.h - the CUDA source of kernels: where an instruction comes from, functions within functions, and the text.
 *
 * Places come from .loc, texts from the files that .file names, if they can be read: as it stands there, beside the
 * module, where the program was started, and in the directories that `directory` has added.
 */
#ifndef WARPSTEP_SOURCE_H
#define WARPSTEP_SOURCE_H

#include "sitting.h"

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
/* The name of a file of a module without its directories; NULL: it has no such file. */
const char *source_name(const struct module *m, u32 file);
/* "slow.cu:3 (square) inlined at slow.cu:11"; nothing where the line is not known. */
void source_chain(const struct kernel *k, u32 pc, struct text *out);
/* Does the path end in name, n bytes, as whole components? */
bool source_path_ends(const char *path, const char *name, size_t n);

/* The text of a file. */
struct source_text {
	char *path;  /* that was read; NULL: none could be */
	char *tried; /* the paths that were looked for, apart by ", "; NULL: it was read */
	char **line; /* without line ends and with tabs as blanks */
	u32 nlines;
};
/* Of file `file` of a module, kept; never NULL for a file that the module names, else NULL. */
const struct source_text *source_text(const struct session *s, const struct module *m, u32 file);
/* Look there, too; NULL: nowhere else any more. What was read and what was not is looked for anew. */
void source_directory(struct session *s, const char *directory);
/* The i-th directory, NULL at the end. */
const char *source_directory_at(const struct session *s, u32 i);

/* What `list` showed last: it goes on from there. */
struct source_listed {
	const struct module *module;
	u32 file, first, last; /* lines */
	u64 generation, cycle; /* of the machine, then */
	struct focus focus;
};
struct source_listed *source_listed(struct session *s);
/* The texts of a session, which copies of it share; before copies are made, after they have gone. */
void sources_open(struct session *s);
void sources_free(struct session *s);

#endif
