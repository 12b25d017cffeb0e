/*
 * why_ranks.c - why the warps of another kernel go first: which kernel comes first, which has issued less of what was
 * ready, which has credit, the CTA of which others wait for; and how an SM and its issue slots are divided among
 * kernels.
 *
 * All is as the scheduler saw it: the machine just before the issue stage of the cycle.
 */
#include "policy_kernels.h"
#include "why_parts.h"

/* "kernel 1 (urgent)" of a launch, in a buffer of the block that asks. */
#define kernel_word(w, launch) kernel_text_of(w, launch, (char[WHY_TEXT]){""})
static const char *kernel_text_of(const struct why *w, u32 launch, char *out)
{
	snprintf(out, WHY_TEXT, "kernel %u (%s)", launch, safe_text(w->sim->program->launch[launch].name));
	return out;
}

/* The launch with CTAs in the SM that has a place, or (of all places) a seat; NONE32: none has. */
static u32 launch_at(const struct sched_view *v, u32 place)
{
	for (u32 i = 0; i < v->m->residents; i++)
		if (v->cta[i].launch != NONE16 && launch_place(v->m, v->cta[i].launch) == place)
			return v->cta[i].launch;
	return NONE32;
}

static void say_turn(struct why *w, const struct sched_view *v)
{
	u32 launch = launch_at(v, kernel_lrr_first(v) % KERNEL_PLACES);
	json_t *o;

	if (launch == NONE32)
		return;
	o = why_say(w, 2, "turn", "%s comes first in scheduler %u.%u%s", kernel_word(w, launch), v->sub_id, v->sched_id,
		    w->warp == NONE32 || launch == w->warps[w->warp].launch ? ""
									    : "; the kernel of this warp comes later");
	why_number(o, "kernel", launch);
}

static void say_sums(struct why *w, const struct sched_view *v)
{
	const struct kernel_ipr *own = scheme_own(v->m, SCHEME_kernel_ipr, v->sm_id);

	own += sched_number(v) * KERNEL_PLACES;
	for (u32 i = 0; i < KERNEL_PLACES; i++) {
		u32 launch = launch_at(v, i);
		json_t *o;

		if (launch == NONE32)
			continue;
		o = why_say(w, 2, "ipr", "%s: %llu of %llu ready warps issued (%.3f)", kernel_word(w, launch),
			    own[i].issued, own[i].ready,
			    own[i].ready ? (double)own[i].issued / (double)own[i].ready : 0.0);
		why_numbers(o, {"kernel", launch}, {"issued", own[i].issued}, {"ready", own[i].ready});
	}
}

/* What is left of the credit of each kernel in a scheduler, and what it begins with. */
static void say_credit(struct why *w, const struct sched_view *v, u32 scheme, u32 window)
{
	const struct kernel_credit *own = scheme_own(v->m, scheme, v->sm_id);
	struct kernel_credit full[KERNEL_PLACES];

	kernel_reload(v, window, full);
	own += sched_number(v) * KERNEL_PLACES;
	for (u32 i = 0; i < KERNEL_PLACES; i++) {
		u32 launch = launch_at(v, i);
		json_t *o;

		if (launch == NONE32)
			continue;
		o = why_say(w, 2, "credit",
			    "%s has %llu warp instructions left of its quota of %llu in scheduler %u.%u",
			    kernel_word(w, launch), own[i].credit, full[i].credit, v->sub_id, v->sched_id);
		why_numbers(o, {"kernel", launch}, {"credit", own[i].credit}, {"quota", full[i].credit});
	}
}

static void say_urgent(struct why *w, const struct sched_view *v)
{
	for (u32 i = 0; i < v->m->residents; i++) {
		u32 launch = v->cta[i].launch;

		if (launch == NONE16 || boundary_cta(v, launch) != i || !launch_urgent(v, launch))
			continue;
		why_number(
			why_say(w, 2, "urgent",
				"CTA %u of %s is urgent: its kernel has no more CTAs to dispatch, and another kernel waits "
				"for its resources",
				v->cta[i].id, kernel_word(w, launch)),
			"cta", v->cta[i].id);
	}
}

void why_ranks(struct why *w, u32 sched)
{
	u64 rows = policy_in(&w->m->policy, POLICY_rank) | policy_in(&w->m->policy, POLICY_hold);
	const struct sched_view *v = w->before.m ? sim_look(&w->before, w->sm, sched) : NULL;

	if (!v)
		return;
	if (rows >> SCHEME_urgent & 1)
		say_urgent(w, v);
	if (rows >> SCHEME_kernel_lrr & 1)
		say_turn(w, v);
	if (rows >> SCHEME_kernel_ipr & 1)
		say_sums(w, v);
	if (rows >> SCHEME_kernel_fair & 1)
		say_credit(w, v, SCHEME_kernel_fair, w->m->config.fair_window);
	if (rows >> SCHEME_smkw & 1)
		say_credit(w, v, SCHEME_smkw, w->m->config.smk_epoch);
}

/* What a kernel begins a window with in each scheduler, and why. */
static void say_quota(struct why *w, const struct sched_view *v, u32 place, u32 scheme, u32 window)
{
	u32 launch = launch_at(v, place);
	struct kernel_credit full[KERNEL_PLACES];
	struct kernel_part part[KERNEL_PLACES];
	double alone;
	json_t *o;

	if (launch == NONE32)
		return;
	kernel_parts(v, part);
	kernel_reload(v, window, full);
	alone = 100.0 * (double)part[place].issued / (double)part[place].slots;
	o = why_say(w, 1, "quota",
		    "%s gives %s a quota of %llu of %u warp instructions per scheduler. The kernel has %u of the "
		    "%u CTAs that fit when it runs alone, where it would use %.3g %% of issue slots%s",
		    scheme_table[scheme]->name, kernel_word(w, launch), full[place].credit, window, part[place].ctas,
		    part[place].most, alone,
		    part[place].measured      ? ", as measured on an SM of its own"
		    : v->launch[launch].alone ? ""
					      : " (assumed; `launch ... alone PERCENT` sets it)");
	why_numbers(o, {"kernel", launch}, {"quota", full[place].credit}, {"ctas", part[place].ctas},
		    {"most", part[place].most});
	json_object_set_new(o, "alone", json_real(alone));
	json_object_set_new(o, "measured", json_boolean(part[place].measured));
}

void why_quotas(struct why *w)
{
	const struct sched_view *v = sim_look(w->sim, w->sm, 0);
	u32 fair = w->m->config.fair_window, epoch = w->m->config.smk_epoch;

	why_ws(w);
	for (u32 i = 0; i < KERNEL_PLACES; i++) {
		if (policy_in(&w->m->policy, POLICY_rank) >> SCHEME_kernel_fair & 1 && fair)
			say_quota(w, v, i, SCHEME_kernel_fair, fair);
		if (policy_in(&w->m->policy, POLICY_hold) >> SCHEME_smkw & 1 && epoch)
			say_quota(w, v, i, SCHEME_smkw, epoch);
	}
}
