/*
 * library.h - the scenarios and presets that come with the program, each with the text of its first lines.
 */
#ifndef WARPSTEP_LIBRARY_H
#define WARPSTEP_LIBRARY_H

/* Called for each in the order of their names: "course/01-warp", and the comment at the head of its file. */
typedef void library_fn(void *self, const char *name, const char *doc);
void library_scenarios(library_fn *fn, void *self);
void library_presets(library_fn *fn, void *self);

#endif
