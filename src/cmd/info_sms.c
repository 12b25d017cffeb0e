/* info_sms.c - info sms: one line for each SM. */
#include "counters.h"
#include "info.h"
#include "policy.h"

/* What policies allow it. */
static void info_sms_bounds(struct columns *c, const struct sm *sm, const struct bounds *b)
{
	if (b->limit)
		columns_int(c, b->limit - 1);
	else
		columns_text(c, "-");
	columns_row(c, __builtin_popcountll(sm->paused), b->off ? "off" : b->closed ? "closed" : "on");
}

/* One row. */
static void info_sms_row(struct columns *c, struct machine *m, u32 i, bool bounded)
{
	const struct sm *sm = machine_sm_section(m, i, SECTION_SM);
	const struct sub *sub = machine_sm_section(m, i, SECTION_SUB);
	u64 registers = 0;

	for (u32 j = 0; j < m->config.sm_subcores; j++)
		registers += sub[j].registers_free;
	columns_row(c, i, sm->ctas, sm->warps, sm->threads, registers, sm->shared_free, sm->collectors_busy,
		    sm->lsu_count, sm->mshrs_used, sm->stat[STAT_INST_WARP], sm->stat[STAT_CTA_FINISHED]);
	if (bounded)
		info_sms_bounds(c, sm, machine_sm_section(m, i, SECTION_BOUNDS));
}

/* info sms */
static void info_sms_show(struct session *s)
{
	const struct policy_choice *p = &s->sim.m->policy;
	struct columns c;
	bool bounded;

	sim_sync(&s->sim);
	bounded = policy_in(p, POLICY_cta_limit) | policy_in(p, POLICY_cta_gate) | policy_in(p, POLICY_cta_pause);
	columns_open(&c, s,
		     bounded ? "sm ctas warps threads free_registers free_shared collectors lsu_queue l1d_mshrs issued "
			       "ctas_done limit paused power"
			     : "sm ctas warps threads free_registers free_shared collectors lsu_queue l1d_mshrs issued "
			       "ctas_done");
	for (u32 i = 0; i < s->sim.m->config.gpu_sms; i++)
		info_sms_row(&c, s->sim.m, i, bounded);
	columns_close(&c, "sms", "");
}

const struct info info_sms = {
	.name = "sms",
	.doc = "SMs: resident CTAs and warps, free resources, queues",
	.needs_machine = true,
	.show = info_sms_show,
};
