/*
 * why_deadline.c - launches that ask for SMs by a deadline, in answers of `why`: how many SMs one has of those that it
 * asked for, until when it should have them, and when it is killed if it has not ended.
 */
#include "policy.h"
#include "why_parts.h"

static const struct launch_run *run_of(const struct why *w, u32 launch)
{
	return (struct launch_run *)machine_gpu_section(w->m, SECTION_LAUNCH) + launch;
}

/* "until cycle 35000", or "since cycle 35000 it should have" ... : the date of its SMs. */
static void say_sms(struct why *w, u32 level, const struct launch *l, u32 launch)
{
	u64 due = launch_sms_due(&w->m->config, l, run_of(w, launch));
	u32 held = sim_sms_held(w->sim, launch);
	json_t *o;

	if (held >= l->sms)
		o = why_say(w, level, "sms", "the kernel has all %u SM%s that it requested", held,
			    held == 1 ? "" : "s");
	else if (due > w->cycle)
		o = why_say(w, level, "sms",
			    "the kernel has %u so far; the rest is due in cycle %llu, in %llu cycles (chimera.bound)",
			    held, due, due - w->cycle);
	else
		o = why_say(w, level, "sms", "the kernel has %u so far; the rest was due in cycle %llu and is late",
			    held, due);
	why_numbers(o, {"held", held}, {"due", due});
}

void why_deadline(struct why *w, u32 level, u32 launch)
{
	const struct launch *l = &w->sim->program->launch[launch];
	const struct launch_run *run = run_of(w, launch);
	u64 release, end;
	json_t *o;

	if (!l->deadline || run->state != LAUNCH_RUNNING)
		return;
	release = launch_release(l, run);
	end = release + l->deadline;
	o = why_say(w, level, "asked", "%s requested %u SM%s in cycle %llu (`info deadlines`)", safe_text(l->name),
		    l->sms, l->sms == 1 ? "" : "s", release);
	why_numbers(o, {"launch", launch}, {"release", release});
	say_sms(w, level + 1, l, launch);
	if (end > w->cycle)
		o = why_say(w, level + 1, "deadline",
			    "the kernel is killed in cycle %llu, in %llu cycles, unless it finishes before", end,
			    end - w->cycle);
	else
		o = why_say(w, level + 1, "deadline",
			    "the kernel missed its deadline in cycle %llu: all its CTAs are killed", end);
	why_number(o, "deadline", end);
}

void why_deadlines(struct why *w, u32 level)
{
	for (u32 i = 0; i < w->sim->program->nlaunch; i++)
		why_deadline(w, level, i);
}
