/* picture_text.c - the characters of a screen alone, without blanks at the ends of lines. */
#include "picture.h"

void picture_text(const struct canvas *c, const struct picture_wish *wish, struct text *out)
{
	(void)wish;
	canvas_text(c, out);
}
