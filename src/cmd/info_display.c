/* info_display.c - info display: the expressions shown at every stop. */
#include "info.h"

/* info display */
static void info_display_show(struct session *s)
{
	const struct breaks *b = s->breaks;
	struct columns c;

	columns_open(&c, s, "number format expression");
	for (u32 i = 0; i < b->ndisplays; i++) {
		char format[2] = {b->display[i].format ? b->display[i].format : '-', '\0'};

		columns_row(&c, b->display[i].number, format, safe_text(b->display[i].text));
	}
	columns_close(&c, "display", "no display expressions");
}

const struct info info_display = {
	.name = "display", .doc = "expressions shown at every stop", .show = info_display_show};
