/*
 * why_past.c - the cycles before: since when a warp is in its status, when it issued what, the machine just before the
 * issue stage. All from one fork of the timeline.
 */
#include "events.h"
#include "why_parts.h"

/* Keep what the warp issued in a cycle of the past. */
static void take_issues(struct why *w, u64 cycle)
{
	for (u32 i = 0; i < w->before.bus.count; i++) {
		const struct record *r = &w->before.bus.record[i];

		if (r->kind != EVENT_ISSUE || r->sm != w->sm || r->warp != w->warp)
			continue;
		w->issue[w->nissues % PAST_ISSUES].pc = r->pc;
		w->issue[w->nissues++ % PAST_ISSUES].cycle = cycle;
	}
}

void why_past(struct why *w, u32 back)
{
	u64 from = w->cycle > back ? w->cycle - back : 0;
	u32 status = w->warp == NONE32 ? WARP_STATUS_COUNT : sim_warp_status(w->sim, w->sm, w->warp), applied;

	if (!w->cycle)
		return;
	from = min_u64(from, w->cycle - 1);
	timeline_fork(w->session->timeline, (struct position){from, 0}, &w->before, &applied);
	w->before.bus.want = EVENT_BIT(EVENT_ISSUE);
	w->since = from;
	for (u64 c = from; c < w->cycle; c++) {
		timeline_follow(w->session->timeline, &w->before, &applied, (struct position){c, 0});
		if (w->warp == NONE32)
			continue;
		if (c > from)
			take_issues(w, c);
		if (sim_warp_status(&w->before, w->sm, w->warp) != status)
			w->since = c + 1;
	}
	timeline_follow(w->session->timeline, &w->before, &applied, (struct position){w->cycle - 1, STAGE_ISSUE});
}

u64 why_issued_in(const struct why *w, u32 pc)
{
	u64 last = 0;

	for (u32 i = 0; i < w->nissues && i < PAST_ISSUES; i++)
		if (w->issue[i].pc == pc && w->issue[i].cycle > last)
			last = w->issue[i].cycle;
	return last;
}

void why_close(struct why *w)
{
	if (w->before.m)
		sim_close(&w->before);
}
