/* cmd_goto.c - goto: to a cycle, forwards or backwards. */
#include "compare.h"
#include "events.h"
#include "lang.h"
#include "machine.h"
#include "origin.h"
#include "positions.h"
#include "travel.h"
#include "complete.h"
#include "arguments.h"

#include <ctype.h>
#include <errno.h>

/* To the first difference of the two machines of `compare`, the focus on the warp that issues something else there. */
static enum status cmd_goto_parting(struct session *s, const struct arg *a, struct error *e)
{
	const struct compare *c = s->compare;
	const struct compare_parting *p = c ? &c->parting : NULL;
	u32 warp;

	if (!p || !p->found)
		return failed_at(e, a->column,
				 c ? "goto: A and B do not differ in what they issue"
				   : "goto: no comparison is open (example: `compare order=lrr`)");
	warp = p->side[COMPARE_A].warp != NONE32 ? p->side[COMPARE_A].warp : p->side[COMPARE_B].warp;
	if (p->sm < s->sim.m->config.gpu_sms && p->sub < s->sim.m->config.sm_subcores && warp < s->sim.m->contexts)
		s->focus = (struct focus){p->sm, p->sub, warp};
	return travel_to(s, (struct position){p->cycle, 0}, e);
}

/* origin N: where a row of `origin` has just been made, with the focus on who made it. */
static enum status cmd_goto_origin(struct session *s, const struct arg *a, struct error *e)
{
	struct origin *o = origin_kept(s);
	char *end;
	u64 row = strtoull(a->text, &end, 10);
	u32 node = NONE32;
	const struct origin_node *x;

	if (o && isdigit((u8)a->text[0]) && !*end && row < NONE32)
		node = origin_numbered(o, (u32)row);
	if (node == NONE32)
		return failed_at(e, a->column, "no row '%s' (run `origin LOCATION` first)", token_shown(a->text));
	if (o->node[node].kind == ORIGIN_SAME)
		node = o->node[node].same;
	x = &o->node[node];
	if (x->kind != ORIGIN_MADE)
		return failed_at(e, a->column,
				 "row %llu was not produced by an instruction (`goto 0` goes to the beginning)", row);
	s->focus = (struct focus){x->sm, x->context % s->sim.m->config.sm_subcores, x->context};
	return travel_to(s, (struct position){x->cycle, 0}, e);
}

/* stop N: where it was last met, the warp focused that it was about */
static enum status cmd_goto_stop(struct session *s, const struct arg *a, struct error *e)
{
	const struct breakpoint *b = numbers_one(s, a, e);
	const struct hit *last = b ? breakpoint_last(s, b) : NULL;
	u64 cycle = last ? last->cycle : 0;

	if (!b)
		return STATUS_FAILED;
	if (!last)
		return failed_at(e, a->column,
				 "breakpoint %u has not been hit between where it was set and the current cycle",
				 b->number);
	breakpoint_focus(s, last);
	return travel_to(s, (struct position){cycle, 0}, e);
}

/* A launch whose first dispatch is waited for. */
struct cmd_goto_kernel {
	struct session *s;
	u32 launch;
};

/* The cycle that has just been completed is the one in which it came. */
static bool cmd_goto_kernel_hit(void *self, const struct sim *sim)
{
	struct cmd_goto_kernel *k = self;
	const struct launch_run *run = machine_gpu_section(sim->m, SECTION_LAUNCH);

	if (run[k->launch].started_at == NEVER)
		return false;
	focus_launch(k->s, sim, k->launch, 0);
	return true;
}

/* kernel K: the cycle in which its first CTA is dispatched, with the focus on that CTA. */
static enum status cmd_goto_kernel(struct session *s, const struct arg *a, struct error *e)
{
	const struct launch_run *run = machine_gpu_section(s->sim.m, SECTION_LAUNCH);
	struct cmd_goto_kernel k = {.s = s};
	struct goal g = {.hit = cmd_goto_kernel_hit, .self = &k, .want = EVENT_BIT(EVENT_CTA_START)};
	enum status st = launch_take(s, a->text, a->column, &k.launch, e);
	struct position to;
	struct sim then;

	if (st)
		return st;
	if (run[k.launch].started_at == NEVER)
		return travel_to_goal(s, &g, e);
	to = (struct position){run[k.launch].started_at + 1, 0};
	timeline_enable(s->timeline);
	timeline_fork(s->timeline, to, &then, NULL);
	focus_launch(s, &then, k.launch, 0);
	sim_close(&then);
	return travel_to(s, to, e);
}

/* To the place that one word names. */
static enum status cmd_goto_one(struct session *s, const struct args *a, struct error *e)
{
	const char *text = a->arg[0].text, *digits = text + (*text == '-' || *text == '+');
	struct position now = session_now(s);
	const struct checkpoint *c = checkpoint_find(s, text);
	struct value v;
	struct error no_time;
	struct expr *x;
	char *end;
	u64 n;

	if (c)
		return travel_to(s, c->at, e);
	if (!strcmp(text, "difference") || !strcmp(text, "parting"))
		return cmd_goto_parting(s, &a->arg[0], e);
	errno = 0;
	n = strtoull(digits, &end, 0);
	if (isdigit((u8)*digits) && *end && !session_time(s, digits, &n, &no_time))
		end += strlen(end);
	if (end == digits || *end || errno || *digits == '-' || *digits == '+') {
		if (*text == '-' || *text == '+' || expr_check(s, text, a->arg[0].column, NULL, &x, e))
			return usage_at(
				e, a->arg[0].column,
				"unknown position '%s' (a cycle, +N, -N, a time with its unit, a checkpoint or an expression)",
				token_shown(text));
		if (expr_eval(s, x, NULL, &v, e) || (v.kind == VALUE_REAL ? v.r < 0 || v.r > 0x1p62 : v.i < 0)) {
			expr_free(x);
			return failed_at(e, a->arg[0].column, "'%s' does not give a cycle", token_shown(text));
		}
		expr_free(x);
		n = v.kind == VALUE_REAL ? (u64)v.r : (u64)v.i;
		if (program_buffer_at(&s->program, n, NULL))
			return failed_at(e, a->arg[0].column, "'%s' is an address in memory, not a cycle",
					 token_shown(text));
	}
	if (*text == '-')
		n = n > now.cycle ? 0 : now.cycle - n;
	else if (*text == '+')
		n = n > NEVER - 2 - now.cycle ? NEVER - 2 : now.cycle + n;
	return travel_to(s, (struct position){min_u64(n, NEVER - 2), 0}, e);
}

/* CYCLE restored [STAGE]: how a run ends there, or in the stages of that cycle up to this one, is said, but it is no
 * failure of the script that restores a session. Its lane is the script's, not that of the fault. */
static enum status cmd_goto_restored(struct session *s, const struct args *a, struct error *e)
{
	u32 lane = s->config.code_lane, behind = a->arg[2].present ? (u32)a->arg[2].number + 1 : 0;
	enum status st = cmd_goto_one(s, a, e);
	u64 cycle = session_now(s).cycle;

	if (!st && behind)
		st = travel_to(s, (struct position){cycle + behind / STAGE_COUNT, behind % STAGE_COUNT}, e);
	s->config.code_lane = lane;
	if (st != STATUS_CHECK && st != STATUS_DEADLOCK)
		return st;
	session_print(s, "%s\n", safe_text(e->message));
	*e = (struct error){0};
	return STATUS_OK;
}

static enum status cmd_goto_run(struct session *s, const struct args *a, struct error *e)
{
	static const struct {
		const char *word;
		enum status (*go)(struct session *s, const struct arg *a, struct error *e);
	} behind[] = {{"stop", cmd_goto_stop}, {"origin", cmd_goto_origin}, {"kernel", cmd_goto_kernel}};
	const char *text = a->arg[0].text;
	bool restored = a->arg[1].present && !strcmp(a->arg[1].text, "restored");

	if (a->arg[2].present && !restored)
		return usage_at(e, a->arg[2].column,
				"goto: a stage may only follow `restored` (`step -s STAGE` goes on to one)");
	for (u32 i = 0; a->arg[1].present && i < ARRAY_LEN(behind); i++)
		if (!strcmp(text, behind[i].word))
			return behind[i].go(s, &a->arg[1], e);
	if (restored)
		return cmd_goto_restored(s, a, e);
	if (a->arg[1].present)
		return usage_at(
			e, a->arg[1].column,
			"unexpected '%s' after '%s' (usage: `goto CYCLE`, `goto kernel K`, `goto stop N` or `goto origin N`)",
			token_shown(a->arg[1].text), token_shown(text));
	return cmd_goto_one(s, a, e);
}

const struct command command_goto = {
	.name = "goto",
	.alias = "g",
	.group = "time",
	.summary = "go to a cycle or a checkpoint, forwards or backwards",
	.details =
		"+N and -N are relative to the current cycle; a time has a unit (s, ms, us, ns); a name is that of a\n"
		"`checkpoint`. `goto difference` goes to the first difference between A and B of `compare`. `goto kernel K`\n"
		"goes to the cycle in which the first CTA of a launch (number or name) is dispatched, and focuses it. `goto\n"
		"origin N` goes to where row N of `origin` was produced, and focuses the warp. `goto stop N` goes to the\n"
		"latest hit of breakpoint N up to the current cycle, and focuses the warp that hit it. Breakpoints on the way\n"
		"are not checked. `save session` writes `goto CYCLE restored [STAGE]`. It does not fail if the run ends there (in\n"
		"the stages of that cycle up to STAGE) with a fault, a deadlock or a failed check.",
	.examples = "goto 0\ngoto 1500\ngoto -100\ngoto 2us\ngoto before\ngoto difference\ngoto stop 1\ngoto kernel 1",
	.flags = COMMAND_MOVES,
	.run = cmd_goto_run,
	.arg = {{"CYCLE", ARG_WORD, .doc = "cycle, +N, -N, time, checkpoint, difference, kernel, stop or origin",
		 .complete = complete_checkpoint},
		{"N", ARG_WORD,
		 .doc = "of kernel: number or name of the launch; of stop: number or name of the breakpoint; of origin: number of the row; or `restored`",
		 .complete = complete_goto_word, .optional = true},
		{"STAGE", ARG_STAGE, .doc = "of restored: stop after this stage", .optional = true}},
};
