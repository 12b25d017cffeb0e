/* info_checkpoints.c - info checkpoints: the positions that have names. */
#include "info.h"
#include "command.h"
#include "positions.h"

/* info checkpoints */
static enum status info_checkpoints_run(struct session *s, const struct token *token, u32 ntokens, struct error *e)
{
	struct columns c;
	enum status st = info_alone(token, ntokens, e);

	if (st)
		return st;
	columns_open(&c, s, "name cycle stage");
	for (u32 i = 0; i < s->ncheckpoint; i++) {
		columns_text(&c, s->checkpoint[i].name);
		columns_int(&c, (i64)s->checkpoint[i].at.cycle);
		if (s->checkpoint[i].at.stage)
			columns_text(&c, stage_table[s->checkpoint[i].at.stage].name);
		else
			columns_none(&c);
	}
	columns_close(&c, "checkpoints", "no checkpoints");
	return STATUS_OK;
}

const struct info info_checkpoints = {
	.name = "checkpoints", .doc = "named positions in time", .run = info_checkpoints_run};
