/*
 * script.h - the record of set-up as it was typed, inputs with their cycles: what `save session` writes and undo
 * shortens.
 */
#ifndef WARPSTEP_SCRIPT_H
#define WARPSTEP_SCRIPT_H

#include "session.h"
#include "words.h"

/* A line that `save session` writes; one without text is gone. */
struct script_line {
	char *text;
	bool timed; /* an input of a machine that had moved: `goto` comes before it */
	struct position at;
	bool restored;	    /* the run had ended there, maybe badly: to come there again is no failure */
	struct focus focus; /* what `reg`, $warp, `preempt` and others meant */
	bool stays;	    /* COMMAND_STAYS */
	bool passes;	    /* writes into the machine that there is, and is gone with it */
	const struct line_origin *from;
};
/* A line of set-up as it was typed, which has been done; a change of a setting by another command. Both stay when a
 * later one, at an earlier cycle, makes the machine forget them: what is set counts at the next restart. */
void script_add(struct session *s, const struct args *a);
void script_set(struct session *s, enum setting_id id, u32 value);
/* Lines from the n-th on are dropped, but those that stay. */
void script_truncate(struct session *s, u32 n);
/* A machine has been made, or stands at its start again: what lines set counts from its start, and what they wrote into
 * the one before is gone. */
void script_untime(struct session *s);
/* The commands that bring a session to where line i was given; a line that may go by the focus, to that. */
void script_before(struct session *s, u32 i, struct text *out);
/* The commands that bring the machine to a position. If the run ends there, with a fault, a deadlock or a check that
 * fails, that is not to end the script. */
void script_goto(struct session *s, struct position at, struct text *out);
/* The path that token t was resolved to, to be written in its place. */
void script_path(struct session *s, const struct token *t, const char *path);

#endif
