/* info_checkpoints.c - info checkpoints: the positions that have names. */
#include "info.h"
#include "positions.h"

/* info checkpoints */
static void info_checkpoints_show(struct session *s)
{
	struct columns c;

	columns_open(&c, s, "name cycle stage");
	for (u32 i = 0; i < s->ncheckpoint; i++) {
		columns_row(&c, s->checkpoint[i].name, s->checkpoint[i].at.cycle,
			    s->checkpoint[i].at.stage ? stage_table[s->checkpoint[i].at.stage].name : NULL);
	}
	columns_close(&c, "checkpoints", "no checkpoints");
}

const struct info info_checkpoints = {
	.name = "checkpoints", .doc = "named positions in time", .show = info_checkpoints_show};
