/*
 * undo.h - taking back the last command, and going back and forward among the places where the machine stood.
 */
#ifndef WARPSTEP_UNDO_H
#define WARPSTEP_UNDO_H

#include "scene.h"
#include "sweep.h"

#define MAX_UNDO 1000

/* What a command could change, as it was before. */
struct undo_record {
	struct position at;
	u32 inputs, nnotes, nscript, nlesson;
	u64 generation;
	bool live, stale, moved;
	struct config config;
	struct policy_choice policy, preset;
	struct gpu_choice gpu;
	struct scene scene; /* its counts only */
	struct sweep_mark sweep;
	u64 version;	    /* of the inputs */
	bool edited;	    /* the command has changed them ... */
	struct inputs lost; /* ... and these are forgotten since */
	char line[80];	    /* the command's */
};
void undo_note(struct session *s, struct undo_record *out);
void undo_keep(struct session *s, const struct undo_record *before, const char *line);
void undo_forget(struct session *s);
enum status undo_last(struct session *s, struct error *e);
enum status visited_go(struct session *s, int by, struct error *e);

#endif
