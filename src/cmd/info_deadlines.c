/* info_deadlines.c - info deadlines: launches that ask for SMs, what their instance waits for and until when, and how
 * often one has missed. */
#include "info.h"
#include "policy.h"

/* When its instance was or is to be released, when its SMs should be free, when it should have ended. */
static void info_deadlines_dates(struct columns *c, const struct session *s, const struct launch *l,
				 const struct launch_run *run)
{
	u64 release = launch_release(l, run);

	if (run->state == LAUNCH_DONE || !l->deadline) {
		columns_row(c, NO_NUMBER, NO_NUMBER, NO_NUMBER);
		return;
	}
	columns_row(c, release, launch_sms_due(&s->sim.m->config, l, run), release + l->deadline);
}

/* One row. */
static void info_deadlines_row(struct columns *c, struct session *s, u32 i)
{
	const struct launch *l = &s->program.launch[i];
	const struct launch_run *run = (struct launch_run *)machine_gpu_section(s->sim.m, SECTION_LAUNCH) + i;

	columns_row(c, i, safe_text(l->name), run->iteration,
		    run->state == LAUNCH_RUNNING ? "running"
		    : run->state == LAUNCH_DONE	 ? "done"
						 : "waiting",
		    l->sms, sim_sms_held(&s->sim, i));
	info_deadlines_dates(c, s, l, run);
	columns_row(c, run->requests, run->missed, run->late);
}

/* info deadlines */
static void info_deadlines_show(struct session *s)
{
	struct columns c;
	u32 n = min_u32(s->program.nlaunch, s->sim.m->section[SECTION_LAUNCH].count);

	columns_open(&c, s, "kernel name instance state sms held release sms_due deadline requests missed late_sms");
	for (u32 i = 0; i < n; i++)
		if (s->program.launch[i].sms)
			info_deadlines_row(&c, s, i);
	columns_close(&c, "deadlines", "no launch requests SMs (launch ... every TIME sms N deadline TIME)");
}

const struct info info_deadlines = {
	.name = "deadlines",
	.doc = "launches that request SMs: SMs held, deadline, and how often it was missed",
	.needs_machine = true,
	.show = info_deadlines_show,
};
