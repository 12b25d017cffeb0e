/* cmd_preempt.c - preempt: a CTA leaves its SM before its end. */
#include "complete.h"
#include "arguments.h"
#include "machine.h"
#include "settings.h"

static const char *const cmd_preempt_how[] = {[LEAVE_FLUSH] = "flush", [LEAVE_SAVE] = "save", [LEAVE_KILL] = "kill"};

const char *leaving_word(u32 i)
{
	return LEAVE_FLUSH + i < ARRAY_LEN(cmd_preempt_how) ? cmd_preempt_how[LEAVE_FLUSH + i] : NULL;
}

/* How a CTA is preempted, by name; 0: no such way. */
static u32 cmd_preempt_find(const char *word)
{
	for (u32 i = LEAVE_FLUSH; i < ARRAY_LEN(cmd_preempt_how); i++)
		if (!strcmp(word, cmd_preempt_how[i]))
			return i;
	return 0;
}

/* The CTA of the focused warp among those of its SM. */
static enum status cmd_preempt_focused(const struct session *s, u32 *sm, u32 *cta, struct error *e)
{
	const struct machine *m = s->sim.m;
	const struct warp *w = machine_sm_section(s->sim.m, min_u32(s->focus.sm, m->config.gpu_sms - 1), SECTION_WARP);

	if (s->focus.sm >= m->config.gpu_sms || s->focus.warp >= m->contexts || w[s->focus.warp].cta == NONE16)
		return error_set(
			e, STATUS_FAILED,
			"sm %u warp %u: no warp is resident (`focus` on a resident warp; `info warps` lists them)",
			s->focus.sm, s->focus.warp);
	*sm = s->focus.sm;
	*cta = w[s->focus.warp].cta;
	return STATUS_OK;
}

static enum status cmd_preempt_run(struct session *s, const struct args *a, struct error *e)
{
	u32 how = cmd_preempt_find(a->arg[0].text), sm = (u32)a->arg[1].number, cta = (u32)a->arg[2].number;
	const char *says = NULL;
	enum status st = STATUS_OK;

	if (!how)
		return usage_at(e, a->arg[0].column, "'%s' is not a way to preempt a CTA (flush, save or kill)",
				token_shown(a->arg[0].text));
	if (a->arg[1].present && !a->arg[2].present)
		return error_set(e, STATUS_USAGE, "preempt: missing CTA slot of SM %u (`info ctas` lists them)", sm);
	if (!a->arg[1].present)
		st = cmd_preempt_focused(s, &sm, &cta, e);
	else if (a->arg[1].number >= s->sim.m->config.gpu_sms || a->arg[2].number >= s->sim.m->residents)
		st = error_set(e, STATUS_FAILED, "no such CTA slot (an SM has %u CTA slots, the GPU has %u SMs)",
			       s->sim.m->residents, s->sim.m->config.gpu_sms);
	if (!st)
		st = depart_apply(s, sm, cta, how, &says, e);
	if (!st && says)
		session_print(s, "preempt: %s\n", says);
	return st;
}

const struct command command_preempt = {
	.name = "preempt",
	.group = "setup",
	.summary = "preempt a CTA at the next cycle boundary",
	.details =
		"flush: the CTA is discarded and restarts from its beginning later, unless it has executed an operation that is\n"
		"not idempotent (see `info kernel`). save: the context of the CTA is saved, and the CTA resumes later where it\n"
		"was. kill: the CTA is ended. Flushed and saved CTAs are dispatched again before new CTAs of their kernel, to\n"
		"any SM. Without SM and CTA, the CTA of the focused warp is preempted. The setting preempt.ctas limits how many\n"
		"preempted CTAs can wait at a time (default 0: CTAs cannot be preempted).",
	.examples = "preempt save\npreempt flush 0 3",
	.flags = COMMAND_SETUP | COMMAND_NEEDS_MACHINE,
	.run = cmd_preempt_run,
	.arg = {{"HOW", ARG_WORD, .doc = "flush, save or kill", .complete = complete_leaving},
		{"SM", ARG_NUMBER, .doc = "SM of the CTA", .optional = true},
		{"CTA", ARG_NUMBER, .doc = "CTA slot in that SM (`info ctas`)", .optional = true}},
};
