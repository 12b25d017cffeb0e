/*
 * screen.h - a canvas on the terminal, by ncurses: the only part that uses it.
 */
#ifndef WARPSTEP_SCREEN_H
#define WARPSTEP_SCREEN_H

#include "pane.h"
#include "tui.h"

/* Whether terminfo has the terminal, and it can position its cursor; if not, *why. */
bool screen_possible(const char **why);
/* Take the terminal fd; captured: see signals.h. */
enum status screen_open(int fd, int captured, struct error *e);
void screen_close(void);
/* The size of the terminal now. */
void screen_size(u32 *width, u32 *height);
/* Take a new size over; everything is drawn anew. */
void screen_resize(void);
/* Ask the terminal for clicks and the wheel, or not. */
void screen_mouse(bool on);
/* With colors or without, for a dark or a light background; does nothing where it is so already. */
void screen_style(enum colour_wish colour, bool light);
/* Show a canvas, the cursor at x, y: one doupdate. */
void screen_show(const struct canvas *c, u32 x, u32 y);

#endif
