/*
 * ptx.h - the PTX front end: text to struct module.
 *
 * Accepts what `nvcc -ptx` and `clang --target=nvptx64` write, bundles B01-B09, B11, B12 of the
 * instruction set (see warpstep-scenario(5), PTX). Anything else is refused with file:line:column, the construct
 * and what would be accepted. Nothing is ever executed as something else.
 */
#ifndef WARPSTEP_PTX_H
#define WARPSTEP_PTX_H

#include "kernel.h"

/* Parse text (named `path` in errors) into *out, which module_free() ends. An entry that uses an unsupported construct
 * makes the load fail with the first one's place; device functions are read over, calling one is refused. */
enum status ptx_load_text(const char *path, const char *text, size_t len, struct module **out, struct error *e);
enum status ptx_load(const char *path, struct module **out, struct error *e);

#endif
