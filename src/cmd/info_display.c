/* info_display.c - info display: the expressions shown at every stop. */
#include "command.h"
#include "info.h"

/* info display */
static enum status info_display_run(struct session *s, const struct token *token, u32 ntokens, struct error *e)
{
	const struct breaks *b = s->breaks;
	struct columns c;
	enum status st = info_alone(token, ntokens, e);

	if (st)
		return st;
	columns_open(&c, s, "number format expression");
	for (u32 i = 0; i < b->ndisplays; i++) {
		char format[2] = {b->display[i].format ? b->display[i].format : '-', '\0'};

		columns_int(&c, b->display[i].number);
		columns_text(&c, format);
		columns_text(&c, safe_text(b->display[i].text));
	}
	columns_close(&c, "display", "no display expressions");
	return STATUS_OK;
}

const struct info info_display = {.name = "display", .doc = "expressions shown at every stop", .run = info_display_run};
