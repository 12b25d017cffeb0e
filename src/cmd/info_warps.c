/* info_warps.c - info warps: the resident warps of an SM, what each did in the last cycle, and what it issued in it,
 * or what comes next of one that did not. */
#include "info.h"
#include "machine.h"

/* One row. */
static void info_warps_row(struct columns *c, struct session *s, u32 sm, u32 i)
{
	struct machine *m = s->sim.m;
	const struct warp *w = (struct warp *)machine_sm_section(m, sm, SECTION_WARP) + i;
	const struct cta *cta = (struct cta *)machine_sm_section(m, sm, SECTION_CTA) + w->cta;
	u32 status = sim_warp_status(&s->sim, sm, i), mask = 0, pc = sim_warp_at(&s->sim, sm, i, &mask);

	columns_row(c, sm, i % m->config.sm_subcores, i, w->launch, cta->id,
		    status < WARP_STATUS_COUNT ? warp_status_table[status].name : "-", __builtin_popcount(mask));
	columns_hex(c, mask, 8);
	columns_row(c, w->depth, w->inflight, w->issued, pc == NONE32 ? NO_NUMBER : pc,
		    pc == NONE32 ? "" : info_instruction(s, w->launch, pc));
}

/* info warps [SM|all] */
static enum status info_warps_run(struct session *s, const struct token *token, u32 ntokens, struct error *e)
{
	struct columns c;
	u32 from, to;
	enum status st = info_sms_range(s, token, ntokens, &from, &to, e);

	if (st)
		return st;
	columns_open(&c, s, "sm sub warp kernel cta state lanes mask depth inflight issued pc instruction");
	for (u32 sm = from; sm < to; sm++)
		for (u32 i = 0; i < s->sim.m->contexts; i++)
			if (((struct warp *)machine_sm_section(s->sim.m, sm, SECTION_WARP))[i].cta != NONE16)
				info_warps_row(&c, s, sm, i);
	columns_close(&c, "warps", "no warp is resident");
	return STATUS_OK;
}

const struct info info_warps = {
	.name = "warps",
	.usage = "[SM|all]",
	.doc = "resident warps: state, active lanes, and the instruction issued in this cycle or the next one",
	.needs_machine = true,
	.run = info_warps_run,
};
