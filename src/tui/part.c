/* part.c - what the screen keeps of a session: panes' memory, layout, console. */
#include "cast.h"
#include "tui.h"

/* All of it, for good. */
static void tui_close(struct session *s)
{
	panes_close(s);
	desk_free(s);
	console_free(s);
}

const struct session_part tui_part = {
	.forget = panes_forget, .printed = console_add, .line = cast_line, .close = tui_close};
