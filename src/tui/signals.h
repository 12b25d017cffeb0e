/*
 * signals.h - the terminal is given back whatever happens: by prepared bytes and saved modes, which a signal handler
 * may write; and what signals ask of the loop.
 */
#ifndef WARPSTEP_SIGNALS_H
#define WARPSTEP_SIGNALS_H

#include "base.h"

#include <termios.h>

enum signal_flag { SIGNAL_INTERRUPT = 1, SIGNAL_RESIZE = 2, SIGNAL_RESUME = 4, SIGNAL_TICK = 8 };

/* What a handler needs: the terminal, its modes outside and inside, the bytes that leave and enter the full screen, and
 * the file that standard error has been led to, of which the rest is shown after a crash. */
struct signal_terminal {
	int fd, captured;
	struct termios outside, inside;
	char leave[512], enter[512];
	u32 nleave, nenter;
};

/* Before curses: it leaves handlers alone that are not the default. Returns the descriptor that wakes poll(). */
int signals_open(void);
/* The terminal is ours from here on (NULL: no more). */
void signals_terminal(const struct signal_terminal *t);
void signals_close(void);
/* The flags that have come, and clear them. */
u32 signals_take(void);
bool signals_pending(void);
/* SIGNAL_INTERRUPT alone: whether it has come, and clear it. */
bool signals_interrupted(void);
/* SIGNAL_TICK once after so many milliseconds, and timeline_interrupt; 0: not any more. */
void signals_tick(u32 milliseconds);

#endif
