/* cmd_why.c - why: what holds a warp, or why a scheduler chose what it chose, why a CTA has warp slots or none, now or
 * in any cycle. */
#include "arguments.h"
#include "complete.h"
#include "machine.h"
#include "why.h"

#include "lang.h"

#include <ctype.h>
#include <errno.h>

/* What the line asks about. */
struct question {
	bool slot, cta, all, at;		 /* all: of an SM, which the line names */
	u32 sm, warp, sub, sched, place, launch; /* launch: NONE32: the focused warp's, else any */
	u64 cycle;
};

/* A whole number below `below`; *end: what follows it. */
static enum status cmd_why_number(const struct token *t, const char *text, u64 below, const char *what, u64 *out,
				  char **end, struct error *e)
{
	errno = 0;
	*out = strtoull(text, end, 0);
	if (!isdigit((u8)text[0]) || errno)
		return usage_at(e, t->column, "'%s' is not a %s number", safe_text(t->s), what);
	if (*out >= below)
		return failed_at(e, t->column, "%s %llu does not exist (0 to %llu)", what, *out, below - 1);
	return STATUS_OK;
}

/* slot S.N, or sub-core S with one scheduler */
static enum status cmd_why_take_slot(struct session *s, const struct token *t, struct question *q, struct error *e)
{
	const struct config *c = &s->sim.m->config;
	u64 sub, sched = 0;
	char *end;
	enum status st = cmd_why_number(t, t->s, c->sm_subcores, "sub-core", &sub, &end, e);

	if (!st && *end == '.')
		st = cmd_why_number(t, end + 1, c->sm_schedulers, "scheduler", &sched, &end, e);
	if (!st && *end)
		st = usage_at(e, t->column, "'%s' is not a scheduler (SUBCORE.SCHEDULER; example: 0.1)",
			      safe_text(t->s));
	q->slot = true;
	q->sub = (u32)sub;
	q->sched = (u32)sched;
	return st;
}

/* The number of an SM, a warp or a CTA, and nothing behind it. */
static enum status cmd_why_take(const struct token *t, u64 below, const char *what, u32 *out, struct error *e)
{
	u64 n;
	char *end;
	enum status st = cmd_why_number(t, t->s, below, what, &n, &end, e);

	if (!st && *end)
		st = usage_at(e, t->column, "'%s' is not a%s %s number", safe_text(t->s), *what == 'S' ? "n" : "",
			      what);
	*out = (u32)n;
	return st;
}

/* at CYCLE: an expression up to the end of the line */
static enum status cmd_why_take_cycle(struct session *s, const struct args *a, u32 i, struct question *q,
				      struct error *e)
{
	const struct token *t = &a->token[i];
	u64 tip = timeline_tip(s->timeline).cycle;
	struct expr *x;
	struct value v;
	enum status st = expr_check(s, a->line + t->column - 1, t->column, NULL, &x, e);

	if (st)
		return st;
	st = expr_eval(s, x, NULL, &v, e);
	expr_free(x);
	if (st)
		return st;
	q->at = true;
	q->cycle = v.i < 0 || v.kind == VALUE_REAL ? NEVER : (u64)v.i;
	if (q->cycle > tip)
		return failed_at(e, t->column, "cycle is out of range (simulated: 0 to %llu)", tip);
	return STATUS_OK;
}

/* The words after the verb. */
static enum status cmd_why_parse(struct session *s, const struct args *a, struct question *q, struct error *e)
{
	u32 i = 1;
	enum status st = STATUS_OK;

	*q = (struct question){.sm = s->focus.sm, .warp = s->focus.warp, .launch = NONE32};
	while (!st && i < a->ntokens) {
		const char *word = a->token[i].s;
		const struct token *t;
		bool more = i + 1 < a->ntokens;

		if (strcmp(word, "warp") && strcmp(word, "cta") && strcmp(word, "sm") && strcmp(word, "slot") &&
		    strcmp(word, "kernel") && strcmp(word, "at"))
			return usage_at(e, a->token[i].column,
					"unexpected '%s' (warp N, cta N, kernel K, sm N, slot S.N or at CYCLE)",
					safe_text(word));
		if (!more)
			return usage_at(e, a->token[i].end + 1, "missing %s after '%s'",
					word[0] == 'w'	 ? "number of a warp"
					: word[0] == 'c' ? "number of a CTA"
					: word[0] == 'k' ? "number or name of a kernel"
					: word[1] == 'm' ? "number of an SM"
					: word[0] == 's' ? "SUBCORE.SCHEDULER"
							 : "cycle",
					word);
		if (word[0] == 'a')
			st = cmd_why_take_cycle(s, a, i + 1, q, e);
		if (word[0] == 'a')
			break;
		t = &a->token[i + 1];
		q->cta |=
			word[0] == 'c'; /* of the grid; which place of the SM it has is looked up when it is answered */
		q->all |= word[1] == 'm';
		st = word[0] == 'w'   ? cmd_why_take(t, s->sim.m->contexts, "warp", &q->warp, e)
		     : word[0] == 'c' ? cmd_why_take(t, NONE32, "CTA", &q->place, e)
		     : word[0] == 'k' ? launch_take(s, t->s, t->column, &q->launch, e)
		     : word[1] == 'm' ? cmd_why_take(t, s->sim.m->config.gpu_sms, "SM", &q->sm, e)
				      : cmd_why_take_slot(s, t, q, e);
		i += 2;
	}
	if (!st && q->launch != NONE32 && !q->cta)
		return usage_at(e, a->token[1].column,
				"why: `kernel K` belongs to `cta N` (example: why cta 3 kernel 0)");
	if (!st && q->launch != NONE32 && q->place >= s->program.launch[q->launch].ctas)
		return failed_at(e, a->token[1].column, "CTA %u does not exist: kernel %u has CTAs 0 to %u", q->place,
				 q->launch, s->program.launch[q->launch].ctas - 1);
	return st;
}

/* The launch whose CTA is meant if it can be: the one that is named, else the focused warp's; NONE32: neither. */
static u32 cmd_why_launch(const struct session *s, const struct question *q, const struct sim *sim)
{
	const struct warp *warp = (struct warp *)machine_sm_section(sim->m, q->sm, SECTION_WARP) + s->focus.warp;

	return q->launch != NONE32 ? q->launch : warp->cta != NONE16 ? warp->launch : NONE32;
}

/* May a CTA be of a launch that has been found? */
static bool cmd_why_may_be(const struct question *q, u32 launch)
{
	return q->launch == NONE32 || q->launch == launch;
}

/* The place of a CTA on an SM: of the launch that is meant; any: else of any that it may be of. NONE32: it is not
 * resident there. */
static u32 cmd_why_place_on(const struct question *q, const struct sim *sim, u32 sm, u32 launch, bool any)
{
	const struct cta *cta = machine_sm_section(sim->m, sm, SECTION_CTA);
	u32 found = NONE32;

	for (u32 i = 0; i < sim->m->residents; i++)
		if (cta[i].launch != NONE16 && cta[i].id == q->place && cmd_why_may_be(q, cta[i].launch) &&
		    (cta[i].launch == launch || (any && found == NONE32)))
			found = i;
	return found;
}

/* The SM, other than the one asked about, on which a CTA is; *place: there. NONE32: on none. */
static u32 cmd_why_elsewhere(const struct question *q, const struct sim *sim, u32 launch, bool any, u32 *place)
{
	for (u32 sm = 0; sm < sim->m->config.gpu_sms; sm++) {
		*place = sm == q->sm ? NONE32 : cmd_why_place_on(q, sim, sm, launch, any);
		if (*place != NONE32)
			return sm;
	}
	return NONE32;
}

/* Where it waits outside the SMs; NONE32: it does not. */
static u32 cmd_why_waits(const struct session *s, const struct question *q, const struct sim *sim)
{
	const struct parked *p = machine_gpu_section(sim->m, SECTION_PARKED);
	u32 found = why_parked(sim, cmd_why_launch(s, q, sim), q->place);

	return found != NONE32 && cmd_why_may_be(q, p[found].launch) ? found : NONE32;
}

/* The launch of which it is still to come to an SM; NONE32: it has. */
static u32 cmd_why_comes(const struct session *s, const struct question *q, const struct sim *sim)
{
	u32 found = why_to_come(sim, cmd_why_launch(s, q, sim), q->place);

	return cmd_why_may_be(q, found) ? found : NONE32;
}

/* Has a CTA of that number come and gone? */
static bool cmd_why_is_over(const struct question *q, const struct sim *sim, u32 launch)
{
	const struct launch_run *run = machine_gpu_section(sim->m, SECTION_LAUNCH);

	for (u32 i = 0; i < sim->program->nlaunch; i++)
		if ((launch == NONE32 || i == launch) && q->place < sim->program->launch[i].ctas &&
		    (run[i].state == LAUNCH_DONE || q->place < run[i].next_cta))
			return true;
	return false;
}

/* No CTA of that number can be asked about, or not on that SM. */
static enum status cmd_why_no_cta(const struct session *s, const struct question *q, const struct sim *sim,
				  struct error *e)
{
	u32 launch = cmd_why_launch(s, q, sim), place, sm = cmd_why_elsewhere(q, sim, launch, true, &place);
	char of[24] = "";

	if (q->launch != NONE32)
		snprintf(of, sizeof(of), " of kernel %u", q->launch);
	if (sm != NONE32)
		return error_set(e, STATUS_FAILED, "CTA %u%s is not resident on SM %u, but on SM %u", q->place, of,
				 q->sm, sm);
	if (cmd_why_is_over(q, sim, launch))
		return error_set(
			e, STATUS_FAILED,
			"CTA %u%s is no longer on an SM (`why cta %u ... at CYCLE` asks about an earlier cycle)",
			q->place, of, q->place);
	return error_set(e, STATUS_FAILED, "CTA %u%s is not resident on any SM (`info ctas` lists resident CTAs)",
			 q->place, of);
}

/* Of a CTA that is on another SM than the focused one: where. */
static void cmd_why_say_where(struct session *s, const struct question *q, const struct sim *sim, u32 sm, u32 place)
{
	const struct cta *cta = (struct cta *)machine_sm_section(sim->m, sm, SECTION_CTA) + place;

	session_print(s, "CTA %u of kernel %u is on SM %u (the focus is on SM %u)\n", q->place, cta->launch, sm, q->sm);
}

/* A CTA that is resident, waits outside the SMs, or is to come. The focused SM is looked at first; one that is on
 * another counts only if the line names no SM. */
static enum status cmd_why_answer_cta(struct session *s, const struct question *q, struct sim *sim, struct text *out,
				      struct error *e)
{
	u32 launch = cmd_why_launch(s, q, sim), place = cmd_why_place_on(q, sim, q->sm, launch, true), sm = q->sm;
	u32 waits = cmd_why_waits(s, q, sim), comes = cmd_why_comes(s, q, sim);

	if (place == NONE32 && !q->all)
		sm = cmd_why_elsewhere(q, sim, launch, waits == NONE32 && comes == NONE32, &place);
	if (place == NONE32 && waits == NONE32 && comes == NONE32)
		return cmd_why_no_cta(s, q, sim, e);
	if (place != NONE32 && sm != q->sm)
		cmd_why_say_where(s, q, sim, sm, place);
	if (place != NONE32)
		why_cta(s, sim, sm, place, out, session_result(s));
	else if (waits != NONE32)
		why_waiting(s, sim, waits, out, session_result(s));
	else
		why_coming(s, sim, comes, q->place, out, session_result(s));
	return STATUS_OK;
}

/* Answer it from a simulator that stands in the cycle. */
static enum status cmd_why_answer(struct session *s, const struct question *q, struct sim *sim, struct error *e)
{
	struct text out = {0};
	enum status st = STATUS_OK;

	sim_sync(sim);
	if (q->cta)
		st = cmd_why_answer_cta(s, q, sim, &out, e);
	else if (q->all)
		why_sm(s, sim, q->sm, &out, session_result(s));
	else if (q->slot)
		why_slot(s, sim, q->sm, q->sub, q->sched, &out, session_result(s));
	else
		why_warp(s, sim, q->sm, q->warp, &out, session_result(s));
	if (!st)
		session_print(s, "%s", out.s);
	text_free(&out);
	return st;
}

/* why [warp N | cta N [kernel K] [sm M] | sm N | slot S.N] [at CYCLE] */
static enum status cmd_why_run(struct session *s, const struct args *a, struct error *e)
{
	struct position now = timeline_now(s->timeline);
	struct question q;
	struct sim then;
	enum status st;

	if (!focus_exists(s))
		s->focus = (struct focus){0};
	st = cmd_why_parse(s, a, &q, e);
	if (st)
		return st;
	timeline_enable(s->timeline); /* looking back is cheaper with keyframes */
	if (!q.at && !now.stage)
		return cmd_why_answer(s, &q, &s->sim, e);
	timeline_fork(s->timeline, (struct position){q.at ? q.cycle : now.cycle, 0}, &then, NULL);
	st = cmd_why_answer(s, &q, &then, e);
	sim_close(&then);
	return st;
}

const struct command command_why = {
	.name = "why",
	.alias = "w",
	.group = "inspect",
	.summary = "explain why a warp did not issue, a scheduler selected as it did, or a CTA is not active",
	.details =
		"For a warp, the answer is the chain from its state to the register, queue, bank, unit or line that blocks it,\n"
		"the instruction that will release it, and when. The future is found by running a copy of the simulator, so it\n"
		"is exact as long as nothing is changed. `slot S.N` is scheduler N of sub-core S: which warps were ready, how\n"
		"the policy ranked them, what issued, and what every other scheduling policy would have selected in that cycle.\n"
		"`cta N`: for a resident CTA, whether it can be swapped out or in, when, and since when it has been paused; for\n"
		"a preempted CTA, where it waits and when it resumes; for a CTA not yet dispatched, what prevents it on each\n"
		"SM. It is found on any SM, the focused one first; `sm M` asks about that SM only. `kernel K` (number or name)\n"
		"says of which kernel, else the focused warp's. `sm N`: how many CTAs of each kernel the SM should hold, what\n"
		"prevents the next one, which policies decide, and which SMs its kernels would give up first. The default is the\n"
		"focused warp; the SM is the focused SM. `at CYCLE` asks about the past; the machine does not move.",
	.examples =
		"why\nwhy warp 5\nwhy cta 2\nwhy cta 2 kernel 1\nwhy cta 2 sm 1\nwhy sm 0\nwhy slot 0.0\nwhy warp 5 at $cycle - 100",
	.flags = COMMAND_NEEDS_MACHINE,
	.run = cmd_why_run,
	.arg = {{"WHAT", ARG_REST, .doc = "warp N, cta N, kernel K, sm N, slot S.N, at CYCLE", .complete = complete_why,
		 .optional = true}},
};
