/*
 * source_text.h - the text of the CUDA source, from the files that .file names, if they can be read: beside the module,
 * as the name stands, and in the directories that `directory` has added. A name may lead to no other folder than these,
 * and where the lines that loaded the module may read: it stands in a file that anybody may have written.
 */
#ifndef WARPSTEP_SOURCE_TEXT_H
#define WARPSTEP_SOURCE_TEXT_H

#include "source.h"

/* The text of a file. */
struct source_text {
	char *path;  /* that was read; NULL: none could be */
	char *tried; /* the paths that were looked for, apart by ", "; NULL: it was read */
	char **line; /* without line ends and with tabs as blanks */
	u32 nlines;
};
/* Of file `file` of a module, kept; never NULL for a file that the module names, else NULL. */
const struct source_text *source_text(const struct session *s, const struct module *m, u32 file);
/* Line `line` of it without the blanks before it; "": it cannot be read. */
const char *source_line_text(const struct session *s, const struct module *m, u32 file, u32 line);
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
void sources_forget(struct session *s); /* what was read is read anew */
void sources_free(struct session *s);
/* The session gets the texts of another, which has them, too; gives its own away, as they have been read, for new ones
 * that are read anew. */
void sources_take(struct session *s, struct sources *k);
struct sources *sources_renew(struct session *s);
void sources_drop(struct sources *k);

#endif
