/*
 * compile.h - modules are made anew from their CUDA source by the command that `compile` gave.
 */
#ifndef WARPSTEP_COMPILE_H
#define WARPSTEP_COMPILE_H

#include "session.h"

/* The command, its words with %i for the source, %o for the module and %d for the folder of the scenario's; NULL: none.
 * It is as far trusted as the line that gives it. An error: it has not both. */
enum status compile_set(struct session *s, const char *command, u32 column, struct error *e);
void compile_free(struct session *s);
/* The CUDA source beside a module that the module names; xmalloc'ed, NULL: there is none. */
char *compile_source(const struct module *m);
/* Make every module anew whose source lies beside it, if there is a command: a program is run only for the user, with
 * --trust, or after the user has said yes to its very words. An error: the program fails, or may not be
 * run; modules that had been made before it stay, the one that it was to make is as it was. */
enum status compile_modules(struct session *s, struct error *e);
/* The same for one source and the PTX file to be made of it; dir: what %d stands for. No command is an error. */
enum status compile_file(struct session *s, const char *in, const char *out, const char *dir, struct error *e);

#endif
