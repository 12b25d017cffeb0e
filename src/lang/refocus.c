/*
 * refocus.c - the focus when the warp that it was on has left its SM: it moves to another of the same CTA, where that
 * came back elsewhere, else to the nearest of the SM, else of the next SM that has one. Nothing moves before the
 * focused warp has been seen: it may be chosen before it comes.
 */
#include "machine.h"
#include "travel.h"

static const struct warp *warps_of(const struct session *s, u32 sm)
{
	return machine_sm_section(s->sim.m, sm, SECTION_WARP);
}

static const struct cta *cta_of(const struct session *s, u32 sm, u32 warp)
{
	const struct warp *w = warps_of(s, sm) + warp;

	return w->cta == NONE16 ? NULL : (struct cta *)machine_sm_section(s->sim.m, sm, SECTION_CTA) + w->cta;
}

/* How far warp `warp` of SM `sm` is from the focus; of the same CTA it is nearest. */
static u64 distance(const struct session *s, u32 sm, u32 warp)
{
	const struct cta *cta = cta_of(s, sm, warp);
	u32 sms = s->sim.m->config.gpu_sms, around = (sm + sms - s->focus.sm) % sms;
	u32 apart = warp > s->focus.warp ? warp - s->focus.warp : s->focus.warp - warp;
	bool same = cta->launch == s->seen.launch && cta->id == s->seen.cta;

	return (u64)!same << 48 | (u64)around << 24 | apart;
}

/* The nearest warp that is resident; false: none is. */
static bool nearest(const struct session *s, struct focus *out)
{
	u64 best = NEVER;

	for (u32 sm = 0; sm < s->sim.m->config.gpu_sms; sm++)
		for (u32 i = 0; i < s->sim.m->contexts; i++) {
			u64 d = cta_of(s, sm, i) ? distance(s, sm, i) : NEVER;

			if (d >= best)
				continue;
			best = d;
			*out = (struct focus){sm, i % s->sim.m->config.sm_subcores, i};
		}
	return best != NEVER;
}

/* What is said of a warp: "warp 7 of SM 1 (CTA 12 of reduce)". */
static void say_warp(struct session *s, struct focus at, const struct cta *cta)
{
	session_print(s, "warp %u of SM %u (CTA %u of %s)\n", at.warp, at.sm, cta->id,
		      safe_text(s->program.launch[cta->launch].name));
}

void session_focus_seen(struct session *s)
{
	const struct cta *cta = cta_of(s, s->focus.sm, s->focus.warp);

	if (!cta)
		return;
	s->seen.at = s->focus;
	s->seen.known = true;
	s->seen.launch = cta->launch;
	s->seen.cta = cta->id;
}

void session_refocus(struct session *s)
{
	const struct cta *cta;
	struct focus to;
	bool same = s->seen.at.sm == s->focus.sm && s->seen.at.warp == s->focus.warp;

	if (s->focus.sm >= s->sim.m->config.gpu_sms || s->focus.warp >= s->sim.m->contexts)
		return;
	cta = cta_of(s, s->focus.sm, s->focus.warp);
	if (cta && same && s->seen.known && cta->launch != s->seen.launch) {
		session_print(s, "  now another kernel: ");
		say_warp(s, s->focus, cta);
	}
	if (!cta && same && s->seen.known && nearest(s, &to)) {
		cta = cta_of(s, to.sm, to.warp);
		session_print(s, "  warp %u of SM %u is no longer resident; the focus is now ", s->focus.warp,
			      s->focus.sm);
		s->focus = to;
		say_warp(s, to, cta);
	}
	s->seen.known = false;
	session_focus_seen(s);
}
