/*
 * paths.h - paths in commands, and the files that come with the program.
 */
#ifndef WARPSTEP_PATHS_H
#define WARPSTEP_PATHS_H

#include "session.h"
#include "words.h"

/* A path of a command's line: resolved, its access checked; xmalloc'ed, NULL with an error. */
char *path_resolve(struct session *s, const struct args *a, const struct token *t, bool write, struct error *e);
/* A file that comes with the program: beside the executable, in ./scenarios, in DATA_DIR; NULL if nowhere. */
char *path_find(const char *relative);
/* The presets that come with the program, beside one another. */
void preset_names(struct text *out, const char *between);

#endif
