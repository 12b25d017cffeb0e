/* cmd_depart.c - depart: a CTA leaves its SM before its end. */
#include "complete.h"
#include "row_words.h"
#include "settings.h"

#include <string.h>

static const char *const cmd_depart_how[] = {[LEAVE_FLUSH] = "flush", [LEAVE_SAVE] = "save", [LEAVE_KILL] = "kill"};

const char *leaving_word(u32 i)
{
	return LEAVE_FLUSH + i < ARRAY_LEN(cmd_depart_how) ? cmd_depart_how[LEAVE_FLUSH + i] : NULL;
}

/* The way of that name, 0: none. */
static u32 cmd_depart_find(const char *word)
{
	for (u32 i = LEAVE_FLUSH; i < ARRAY_LEN(cmd_depart_how); i++)
		if (!strcmp(word, cmd_depart_how[i]))
			return i;
	return 0;
}

/* The CTA of the focused warp among those of its SM. */
static enum status cmd_depart_focused(const struct session *s, u32 *sm, u32 *cta, struct error *e)
{
	const struct machine *m = s->sim.m;
	const struct warp *w = machine_sm_section(s->sim.m, min_u32(s->focus.sm, m->config.gpu_sms - 1), SECTION_WARP);

	if (s->focus.sm >= m->config.gpu_sms || s->focus.warp >= m->contexts || w[s->focus.warp].cta == NONE16)
		return error_set(e, STATUS_FAILED,
				 "sm %u warp %u runs nothing now; `focus` on a resident warp (`info warps`)",
				 s->focus.sm, s->focus.warp);
	*sm = s->focus.sm;
	*cta = w[s->focus.warp].cta;
	return STATUS_OK;
}

static enum status cmd_depart_run(struct session *s, const struct args *a, struct error *e)
{
	u32 how = cmd_depart_find(a->arg[0].text), sm = (u32)a->arg[1].number, cta = (u32)a->arg[2].number;
	const char *says = NULL;
	enum status st = STATUS_OK;

	if (!how)
		return error_at(e, STATUS_USAGE, NULL, 0, a->arg[0].column,
				"`%s` is no way to leave; flush, save or kill is", token_shown(a->arg[0].text));
	if (a->arg[1].present && !a->arg[2].present)
		return error_set(e, STATUS_USAGE, "which CTA of SM %u? `info ctas` numbers them", sm);
	if (!a->arg[1].present)
		st = cmd_depart_focused(s, &sm, &cta, e);
	else if (a->arg[1].number >= s->sim.m->config.gpu_sms || a->arg[2].number >= s->sim.m->residents)
		st = error_set(e, STATUS_FAILED, "there is no such CTA: an SM has %u places, the GPU %u SMs",
			       s->sim.m->residents, s->sim.m->config.gpu_sms);
	if (!st)
		st = depart_apply(s, sm, cta, how, &says, e);
	if (!st && says)
		session_print(s, "depart: %s\n", says);
	return st;
}

const struct command command_depart = {
	.name = "depart",
	.group = "setup",
	.summary = "make a CTA leave its SM before its end, when the next cycle begins",
	.details =
		"flush: it begins again from its start, unless it has executed what cannot be begun again (info kernel). save: it goes\n"
		"on where it was. kill: it is over. Those that come back are dispatched before new CTAs of their kernel, to any SM. Without numbers\n"
		"the CTA of the focused warp leaves. Setting preempt.ctas says how many can wait at a time; 0, its default: no CTA leaves.",
	.examples = "depart save\ndepart flush 0 3",
	.flags = COMMAND_SETUP | COMMAND_NEEDS_MACHINE,
	.run = cmd_depart_run,
	.arg = {{.name = "HOW", .type = ARG_WORD, .complete = complete_leaving, .doc = "flush, save or kill"},
		{.name = "SM", .type = ARG_NUMBER, .optional = 1, .doc = "its SM"},
		{.name = "CTA", .type = ARG_NUMBER, .optional = 1, .doc = "its place there (info ctas)"}},
};
