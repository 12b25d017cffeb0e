/*
 * why_request.c - of a CTA that is being preempted, or was: for which request and kernel, what drain, flush and switch
 * were estimated to cost, what was lost, and when the CTA returns; and `why cta N` of one that waits outside the SMs.
 *
 * What was is in the ledger (its newest rows are kept), what will come is found by running a fork on.
 */
#include "events.h"
#include "why_parts.h"

#define BACK_CYCLES 20000 /* looked ahead for a CTA to come back */

static const char *const way_name[] = {
	[WAY_NONE] = "-", [WAY_DRAIN] = "drain", [WAY_FLUSH] = "flush", [WAY_SWITCH] = "switch", [WAY_KILL] = "kill"};

const struct ledger *why_row(const struct sim *sim, u64 number)
{
	const struct ledger *row = (struct ledger *)machine_gpu_section(sim->m, SECTION_LEDGER) + number % LEDGER_ROWS;

	return number && row->number == number ? row : NULL;
}

const struct ledger *why_row_back(const struct why *w, const struct cta *cta)
{
	const struct ledger *row = machine_gpu_section(w->m, SECTION_LEDGER), *found = NULL;

	for (u32 i = 0; i < LEDGER_ROWS; i++)
		if (row[i].number && row[i].state == LEDGER_BACK && row[i].back_sm == w->sm && row[i].cta == cta->id &&
		    row[i].launch == cta->launch && (!found || row[i].number > found->number))
			found = &row[i];
	return found;
}

/* Name of a launch. */
static const char *name_of(const struct why *w, u32 launch)
{
	return launch < w->sim->program->nlaunch ? safe_text(w->sim->program->launch[launch].name) : "-";
}

/* The request that a row answers. */
static void say_request(struct why *w, u32 level, const struct ledger *row)
{
	const struct need *need = (struct need *)machine_gpu_section(w->m, SECTION_NEED) + row->request % LEDGER_ROWS;
	json_t *o;

	if (!row->request) {
		why_say(w, level, "request", "the CTA was preempted by a command, or with its launch, in cycle %llu",
			row->asked);
		return;
	}
	if (need->number != row->request) {
		why_say(w, level, "request", "preempted in cycle %llu by request %llu, whose record is no longer kept",
			row->asked, row->request);
		return;
	}
	o = why_say(w, level, "request",
		    "request %llu: in cycle %llu SM %u held %u CTA%s of %s more than its target of %u%s%s",
		    need->number, need->asked, need->sm, need->ctas, need->ctas == 1 ? "" : "s",
		    name_of(w, need->launch), need->wanted, need->gainer ? "; the resources are for " : "",
		    need->gainer ? name_of(w, need->gainer - 1u) : "");
	why_numbers(o, {"request", need->number}, {"asked", need->asked});
	if (!need->gainer)
		return;
	why_number(o, "gainer", need->gainer - 1u);
	why_deadline(w, level + 1, need->gainer - 1u);
}

/* What one way was priced at. */
static void say_price(struct why *w, u32 level, const struct ledger *row, u32 way)
{
	const char *mark = way == row->way ? ", chosen" : "";
	u64 latency = row->latency[way - 1], overhead = row->overhead[way - 1];
	const char *late = latency > w->m->config.chimera_bound ? " (above the bound)" : "";
	json_t *o;

	if (latency == NEVER) {
		why_say(w, level, way_name[way], "%s: %s%s", way_name[way],
			way == WAY_DRAIN ? "unknown until a CTA of the kernel has finished" : "not possible", mark);
		return;
	}
	if (overhead == NEVER)
		o = why_say(w, level, way_name[way],
			    "%s: latency %llu cycles%s, overhead unknown until the kernel has issued%s", way_name[way],
			    latency, late, mark);
	else
		o = why_say(w, level, way_name[way], "%s: latency %llu cycles%s, overhead %llu instructions%s",
			    way_name[way], latency, late, overhead, mark);
	why_number(o, "latency", latency);
	if (overhead != NEVER)
		why_number(o, "overhead", overhead);
}

void why_request(struct why *w, u32 level, const struct ledger *row)
{
	say_request(w, level, row);
	if (row->way == WAY_KILL)
		return;
	why_say(w, level, "prices",
		"estimated costs in cycle %llu, with a latency bound of %u cycles (chimera.bound):", row->asked,
		w->m->config.chimera_bound);
	for (u32 way = WAY_DRAIN; way <= WAY_SWITCH; way++)
		say_price(w, level + 1, row, way);
}

void why_draining(struct why *w)
{
	const struct cta *cta = &w->ctas[w->warps[w->warp].cta];
	const struct ledger *row = why_row(w->sim, cta->row);

	if (!row || row->way != WAY_DRAIN || row->state != LEDGER_ASKED)
		return;
	why_number(why_say(w, 1, "drain",
			   "CTA %u is being drained: its warps have priority over all others (`why cta %u`)", cta->id,
			   cta->id),
		   "cta", cta->id);
	say_request(w, 2, row);
}

/* Is it still to be seen whether a CTA comes back? */
static bool pending(const struct ledger *row)
{
	return row && (row->state == LEDGER_ASKED || row->state == LEDGER_OUT);
}

void why_return(struct why *w, u32 level, u64 number)
{
	u64 last = w->cycle + BACK_CYCLES;
	const struct ledger *row;
	struct sim fork;
	json_t *o;

	sim_fork(&fork, w->sim);
	fork.bus.want = 0;
	while (pending(why_row(&fork, number)) && machine_gpu(fork.m)->cycle < last && !sim_finished(&fork) &&
	       !timeline_interrupt)
		if (sim_skip(&fork, last) < last)
			sim_cycle(&fork);
	row = why_row(&fork, number);
	if (row && row->state == LEDGER_BACK) {
		o = why_say(
			w, level, "forecast", "if nothing changes, the CTA %s on SM %u in cycle %llu (in %llu cycles)",
			row->way == WAY_SWITCH ? "resumes" : "restarts", row->back_sm, row->back, row->back - w->cycle);
		why_numbers(o, {"cycle", row->back}, {"sm", row->back_sm});
	} else if (row && row->state == LEDGER_ENDED) {
		why_forecast(w, level, row->out, row->out, "the CTA", "finishes", "");
	} else {
		why_say(w, level, "forecast", "if nothing changes, the CTA does not %s by cycle %llu",
			row && row->way == WAY_DRAIN ? "finish" : "return to an SM", machine_gpu(fork.m)->cycle);
	}
	sim_close(&fork);
}

/* Its turn among those of its launch that wait, from 1. */
static u32 turn_of(const struct why *w, const struct parked *p)
{
	const struct parked *first = machine_gpu_section(w->m, SECTION_PARKED);
	const struct launch_run *run = (struct launch_run *)machine_gpu_section(w->m, SECTION_LAUNCH) + p->launch;
	u32 n = 1;

	for (u32 at = run->first_parked; at && &first[at - 1] != p; at = first[at - 1].next)
		n++;
	return n;
}

u32 why_parked(const struct sim *sim, u32 launch, u32 cta)
{
	const struct parked *p = machine_gpu_section(sim->m, SECTION_PARKED);
	u32 found = NONE32;

	for (u32 i = 0; i < sim->m->config.preempt_ctas; i++)
		if (p[i].launch != NONE16 && p[i].id == cta && (found == NONE32 || p[i].launch == launch))
			found = i;
	return found;
}

void why_waiting(struct session *s, const struct sim *sim, u32 place, struct text *out, json_t *result)
{
	const struct parked *p = (struct parked *)machine_gpu_section(sim->m, SECTION_PARKED) + place;
	const struct launch_run *run = (struct launch_run *)machine_gpu_section(sim->m, SECTION_LAUNCH) + p->launch;
	const struct ledger *row = why_row(sim, p->row);
	struct why w;
	json_t *o;

	why_open(&w, s, sim, p->sm, out, result);
	o = why_say(&w, 0, "cta", "CTA %u of %s is on no SM in cycle %llu: it was preempted on SM %u in cycle %llu, %s",
		    p->id, name_of(&w, p->launch), w.cycle, p->sm, p->since + 1,
		    p->saved ? "and its context was saved" : "and will restart");
	why_numbers(o, {"cta", p->id}, {"left", p->since + 1});
	if (row && row->lost)
		why_number(why_say(&w, 1, "lost", "warp instructions of work discarded: %llu", row->lost), "lost",
			   row->lost);
	if (row && row->bytes)
		why_number(why_say(&w, 1, "bytes",
				   "its saved context has %llu bytes; its warps were halted for %llu cycles",
				   row->bytes, row->halted),
			   "bytes", row->bytes);
	if (row)
		why_request(&w, 1, row);
	why_number(
		why_say(&w, 1, "turn",
			"the CTA is number %u of the %u preempted CTAs of its kernel, which are dispatched before new ones",
			turn_of(&w, p), run->parked),
		"turn", turn_of(&w, p));
	if (row)
		why_return(&w, 1, p->row);
	why_say(&w, 0, "see", "see: show preempts, show kernels, break event %s, why sm %u",
		event_table[p->saved ? EVENT_RESTORED : EVENT_CTA_START].name, p->sm);
}
