/* info_deadlines.c - info deadlines: launches that ask for SMs, what their instance waits for and until when, and how
 * often one has missed. */
#include "command.h"
#include "info.h"
#include "policy.h"

/* When its instance was or is to be released, when its SMs should be free, when it should have ended. */
static void info_deadlines_dates(struct columns *c, const struct session *s, const struct launch *l,
				 const struct launch_run *run)
{
	u64 release = launch_release(l, run);

	if (run->state == LAUNCH_DONE || !l->deadline) {
		columns_none(c);
		columns_none(c);
		columns_none(c);
		return;
	}
	columns_int(c, (i64)release);
	columns_int(c, (i64)launch_sms_due(&s->sim.m->config, l, run));
	columns_int(c, (i64)(release + l->deadline));
}

/* One row. */
static void info_deadlines_row(struct columns *c, struct session *s, u32 i)
{
	const struct launch *l = &s->program.launch[i];
	const struct launch_run *run = (struct launch_run *)machine_gpu_section(s->sim.m, SECTION_LAUNCH) + i;

	columns_int(c, i);
	columns_text(c, safe_text(l->name));
	columns_int(c, run->iteration);
	columns_text(c, run->state == LAUNCH_RUNNING ? "running" : run->state == LAUNCH_DONE ? "done" : "waiting");
	columns_int(c, l->sms);
	columns_int(c, sim_sms_held(&s->sim, i));
	info_deadlines_dates(c, s, l, run);
	columns_int(c, (i64)run->requests);
	columns_int(c, (i64)run->missed);
	columns_int(c, (i64)run->late);
}

/* info deadlines */
static enum status info_deadlines_run(struct session *s, const struct token *token, u32 ntokens, struct error *e)
{
	struct columns c;
	u32 n = min_u32(s->program.nlaunch, s->sim.m->section[SECTION_LAUNCH].count);
	enum status st = info_alone(token, ntokens, e);

	if (st)
		return st;
	columns_open(&c, s, "kernel name instance state sms held release sms_due deadline requests missed late_sms");
	for (u32 i = 0; i < n; i++)
		if (s->program.launch[i].sms)
			info_deadlines_row(&c, s, i);
	columns_close(&c, "deadlines", "no launch requests SMs (launch ... every TIME sms N deadline TIME)");
	return STATUS_OK;
}

const struct info info_deadlines = {
	.name = "deadlines",
	.doc = "launches that request SMs: SMs held, deadline, and how often it was missed",
	.needs_machine = true,
	.run = info_deadlines_run,
};
