/*
 * prompt.h - readline inside the full screen: it edits a line, and never touches the terminal.
 */
#ifndef WARPSTEP_PROMPT_H
#define WARPSTEP_PROMPT_H

#include "desk.h"
#include "input.h"

/* What the loop has found: a key, Ctrl-C, the end of input, a line chosen in the list of keys (face_chosen). */
enum wait { WAIT_KEY, WAIT_INTERRUPT, WAIT_END, WAIT_CHOSEN };
/* tui.c: draw what has changed and wait for the next key; keys for what lies over the panes are dealt with. */
enum wait face_wait(struct session *s, struct key *k);
/* mouse.c: what the mouse does; the line that a click stands for, xmalloc'ed, or NULL. */
char *face_point(struct session *s, const struct key *k);
/* The line chosen; the caller's. */
char *face_chosen(void);
/* What the console holds now has been seen. */
void face_shown(struct session *s);

/* nowhere: a descriptor of /dev/null. */
void prompt_open(struct session *s, bool utf8, int nowhere);
void prompt_close(void);
/* The line as readline has it now, for who draws it. */
void prompt_take(struct desk *d);
/* Text to stand in the next line when it begins; taken over. */
void prompt_prefill(char *text);
enum prompt_end { PROMPT_LINE, PROMPT_SWITCH, PROMPT_CHOSEN, PROMPT_LEAVE, PROMPT_EOF };
/* Edit a line: xmalloc'ed with PROMPT_LINE, else NULL. PROMPT_SWITCH: single-key mode was asked for; PROMPT_LEAVE:
 * Ctrl-D in an empty line; PROMPT_EOF: the terminal has no more input, or Ctrl-C ends a block. */
char *prompt_read(struct session *s, const char *prompt, enum prompt_end *how);

#endif
