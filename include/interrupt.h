/*
 * interrupt.h - what ends a move before its time: Ctrl-C, --max-seconds, and a screen that looks after keys meanwhile.
 */
#ifndef WARPSTEP_INTERRUPT_H
#define WARPSTEP_INTERRUPT_H

#include "session.h"

/* Arm --max-seconds; whether they are over, and whether the last command was ended by Ctrl-C. */
void interrupt_after(double seconds);
bool interrupt_timed_out(void);
bool interrupt_pressed(void);
/* Either: a long command asks now and then, and ends with interrupt_status(): STATUS_LIMIT or STATUS_FAILED. */
bool interrupt_wanted(void);
enum status interrupt_status(const struct session *s, struct error *e);
/* From here on work_check() (base.h) asks for them, too: for what loads files and runs lines. */
void interrupt_poll_work(void);
/* From the first to the second, Ctrl-C sets timeline_interrupt and functional_interrupt. They nest: who presses it in
 * an inner pair has ended the outer one, too. */
struct sigaction;
void interrupt_catch(struct sigaction *old);
void interrupt_release(const struct sigaction *old);
/* Between them a command reads a line of the user's: Ctrl-C is the prompt's, as outside of commands. */
void interrupt_pause(void);
void interrupt_resume(void);
/* Who is asked while a move runs: when timeline_interrupt has been set by neither Ctrl-C nor a limit, tick() says
 * whether to stop. NULL: nobody. */
struct interrupt_watch {
	void (*begin)(struct session *s);
	bool (*tick)(struct session *s);
	void (*end)(struct session *s);
	bool (*pressed)(void); /* Ctrl-C since the line that is about to run was read; it is not told again */
};
void interrupt_set_watch(const struct interrupt_watch *w);
/* A move of the session begins and ends, for the one who is asked. */
void interrupt_begin(struct session *s);
void interrupt_end(struct session *s);

#endif
