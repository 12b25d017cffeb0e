/*
 * paths.h - paths in commands, and the files that come with the program.
 */
#ifndef WARPSTEP_PATHS_H
#define WARPSTEP_PATHS_H

#include "outfile.h"
#include "session.h"
#include "words.h"

/* A path of a command's line: resolved, its access checked; xmalloc'ed, NULL with an error. */
char *path_resolve(struct session *s, const struct token *t, bool write, struct error *e);
/* The same of a file to write, opened (outfile.h); NULL with an error. */
FILE *path_open(struct session *s, const struct token *t, enum outfile_way way, struct error *e);
/* It is closed. If it is good and could be written it stands under its name; else an error, and nothing has changed. */
enum status path_close(FILE *f, const struct token *t, bool good, struct error *e);
/* A file that comes with the program: installed with the executable, in its checkout, in DATA_DIR; NULL if nowhere.
 * What the working directory holds is never taken for it. */
char *path_find(const char *relative);
/* The presets that come with the program, beside one another. */
void preset_names(struct text *out, const char *between);

#endif
