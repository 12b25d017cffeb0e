/* complete_paths.h - the next names of a path into the machine. */
#ifndef WARPSTEP_COMPLETE_PATHS_H
#define WARPSTEP_COMPLETE_PATHS_H

#include "base.h"

/* Takes a word that can stand there, and what it means. */
typedef void complete_offer(const char *word, const char *doc);
/* The words that `partial`, the beginning of a path, can become up to its next name. */
void complete_path(const char *partial, complete_offer *offer);

/* The files whose names begin so and end like a kernel's (.cu, .ptx), and the folders, with a / behind their names. */
void complete_kernel_files(const char *partial, complete_offer *offer);

#endif
