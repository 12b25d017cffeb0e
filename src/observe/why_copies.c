/*
 * why_copies.c - groups of asynchronous copies that a warp waits for: which, and where the lines of their copies are.
 */
#include "ops.h"
#include "policy.h"
#include "why_parts.h"

/* What it waits for, in a line. */
static void say_wait(struct why *w, const struct warp *warp, const struct inst *in)
{
	json_t *o;

	if (in->op == OP_COPY)
		o = why_say(w, 1, "copies", "the open group has %u copies in flight, the maximum of a group",
			    GROUP_COPIES);
	else if (in->op == OP_COPY_COMMIT)
		o = why_say(w, 1, "copies", "the warp has %u groups of asynchronous copies in flight, the maximum",
			    COPY_GROUPS - 1);
	else if (in->aux == COPIES_ALL)
		o = why_say(w, 1, "copies", "the warp waits until no asynchronous copy is in flight; now %u %s",
			    warp->copies, warp->copies == 1 ? "is" : "are");
	else if (!in->aux)
		o = why_say(w, 1, "copies", "the warp waits for all its groups of asynchronous copies");
	else
		o = why_say(w, 1, "copies",
			    "the warp waits for all its groups of asynchronous copies except the newest %u", in->aux);
	why_number(o, "copies", warp->copies);
}

/* A copy of a group that it waits for. */
static void say_copy(struct why *w, u32 load)
{
	const struct load *l = (struct load *)machine_sm_section(w->m, w->sm, SECTION_LOAD) + load;
	u64 cycle = forecast_arrival(&w->next, l->pc);
	json_t *o;

	o = why_say(w, 3, "copy", "%s, issued in cycle %llu: %u cache line%s not arrived", why_text(w, w->warp, l->pc),
		    l->issued_at + 1, l->waiting, l->waiting == 1 ? " has" : "s have");
	why_numbers(o, {"pc", l->pc}, {"issued", l->issued_at + 1});
	why_load(w, 4, load);
	if (cycle != NEVER)
		why_forecast(w, 4, cycle, cycle, "the copy", "arrives", "");
}

/* A group with its copies. */
static void say_group(struct why *w, const struct warp *warp, u32 place)
{
	const struct load *load = machine_sm_section(w->m, w->sm, SECTION_LOAD);
	u32 age = group_age(warp, place), n = warp->grouped[place];
	const char *copies = n == 1 ? "copy" : "copies";
	u64 used[LOAD_WORDS];
	json_t *o;

	if (age)
		o = why_say(w, 2, "group", "the group closed %u commit%s ago has %u %s in flight", age,
			    age == 1 ? "" : "s", n, copies);
	else
		o = why_say(w, 2, "group", "the open group has %u %s in flight", n, copies);
	why_numbers(o, {"age", age}, {"copies", n});
	requests_loads(w->sim, w->sm, used);
	SET_EACH (i, used, LOAD_WORDS)
		if (load[i].context == w->warp && why_current(w, w->warp, load[i].generation) &&
		    load[i].group == place + 1)
			say_copy(w, i);
}

void why_copies(struct why *w, const struct inst *in)
{
	const struct warp *warp = &w->warps[w->warp];

	if (!warp->copies)
		return;
	say_wait(w, warp, in);
	for (u32 age = COPY_GROUPS; age-- > 0;) {
		u32 place = (warp->copy_group - age) % COPY_GROUPS;

		if (warp->grouped[place] && group_wanted(in, age))
			say_group(w, warp, place);
	}
}
