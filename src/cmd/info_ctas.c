/* info_ctas.c - info ctas: the resident CTAs of an SM and what they hold. */
#include "info.h"
#include "machine.h"

/* One row. */
static void info_ctas_row(struct columns *c, const struct sm *state, u32 sm, u32 slot, const struct cta *x, bool states)
{
	columns_row(c, sm, slot, x->launch, x->id, x->warps, x->done, x->arrived, x->registers, x->shared,
		    x->started + 1);
	if (states)
		columns_text(c, state->inactive >> slot & 1   ? "inactive"
				: state->draining >> slot & 1 ? "draining"
				: state->paused >> slot & 1   ? "paused"
							      : "active");
}

/* info ctas [SM|all] */
static enum status info_ctas_run(struct session *s, const struct token *token, u32 ntokens, struct error *e)
{
	struct columns c;
	bool states;
	u32 from, to;
	enum status st = info_sms_range(s, token, ntokens, &from, &to, e);

	if (st)
		return st;
	states = s->sim.m->config.sm_contexts || s->sim.m->config.sm_residents || s->sim.m->policy.in[POLICY_preempt] ||
		 s->sim.m->policy.in[POLICY_cta_pause];
	columns_open(&c, s,
		     states ? "sm slot kernel cta warps done at_barrier registers shared_bytes started state"
			    : "sm slot kernel cta warps done at_barrier registers shared_bytes started");
	for (u32 sm = from; sm < to; sm++) {
		const struct cta *x = machine_sm_section(s->sim.m, sm, SECTION_CTA);

		for (u32 i = 0; i < s->sim.m->residents; i++)
			if (x[i].launch != NONE16)
				info_ctas_row(&c, machine_sm_section(s->sim.m, sm, SECTION_SM), sm, i, &x[i], states);
	}
	columns_close(&c, "ctas", "no CTA is resident");
	return STATUS_OK;
}

const struct info info_ctas = {
	.name = "ctas",
	.usage = "[SM|all]",
	.doc = "resident CTAs: warps, barriers, registers, shared memory",
	.needs_machine = true,
	.run = info_ctas_run,
};
