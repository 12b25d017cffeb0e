/*
 * why_paths.c - the paths of a warp whose lanes have diverged: which run, which wait for which lanes, which have their
 * turn later.
 *
 * Said only of a warp with more than one path, or one that loops while others wait; `show code` has the whole SIMT
 * stack.
 */
#include "why_parts.h"

#include "meet.h"

/* A warp's stack as paths. */
static struct paths paths_of(const struct why *w)
{
	const struct warp *x = &w->warps[w->warp];
	const struct kernel *k = why_kernel(w, w->warp);
	struct simt_entry *stack = machine_sm_section(w->m, w->sm, SECTION_STACK);

	return (struct paths){stack + (size_t)w->warp * SIMT_DEPTH, x->depth, x->waits, k->ninst, k->inst};
}

/* The stacks of all contexts of the parent warp; how many. */
static u32 parent_of(const struct why *w, struct paths *out)
{
	u32 n = 1u << w->m->parent_shift, first = w->warp & ~(n - 1);
	struct why one = *w;

	for (u32 i = 0; i < n; i++) {
		one.warp = first + i;
		out[i] = paths_of(&one);
	}
	return n;
}

/* The lanes that path i waits for. */
static u32 lacks(const struct why *w, u32 i)
{
	struct paths home[MAX_SUBCORES];
	const struct warp *x = &w->warps[w->warp];
	u32 n;
	const u64 clock = w->cycle;
	const struct front_site site = {.clock = &clock, .sms = 1, .mhz = 1};
	const struct front_env env = {.launch = &w->sim->program->launch[x->launch],
				      .program = w->sim->program,
				      .site = &site,
				      .regs = (u32 *)(uintptr_t)sim_warp_regs(w->sim, w->sm, w->warp, &n),
				      .preds = (u32 *)(uintptr_t)sim_warp_preds(w->sim, w->sm, w->warp, &n)};

	if (!env.regs)
		return 0;
	n = parent_of(w, home);
	return meet_lacks(&env, home, n, w->warp & (n - 1), i);
}

/* "lanes 0-15", in a buffer of the block that asks. */
#define lanes_of(mask) lanes_words(mask, (char[100]){""})
static const char *lanes_words(u32 mask, char out[100])
{
	struct text t = {0};

	lanes_text(mask, &t);
	snprintf(out, 100, "lane%s %s", mask & (mask - 1) ? "s" : "", t.len ? t.s : "");
	text_free(&t);
	return out;
}

/* A path that waits: for which lanes, and why these are not enough. */
static void say_waiting(struct why *w, u32 level, const struct paths *p, u32 i)
{
	u32 mask = p->stack[i].mask, missing = lacks(w, i);
	bool one = !(mask & (mask - 1));
	json_t *o = why_say(w, level, "rendezvous", "%s %s in %s for %s%s", lanes_of(mask), one ? "waits" : "wait",
			    why_text(w, w->warp, p->stack[i].pc), lanes_of(missing),
			    missing && !(missing & ~p->waits)
				    ? ", which wait in a different instruction or with a different mask"
				    : "");

	why_numbers(o, {"lanes", mask}, {"for", missing});
}

/* Any other entry of the stack. */
static void say_entry(struct why *w, u32 level, const struct paths *p, u32 i)
{
	bool path = paths_is_path(p, i), top = i + 1 == p->depth;
	u32 mask = path ? p->stack[i].mask : paths_joined(p, i);
	bool one = !(mask & (mask - 1));
	json_t *o;

	if (!mask)
		return;
	o = why_say(w, level, path ? "path" : "join", "%s %s at %s%s", lanes_of(mask),
		    path && top ? one ? "executes" : "execute"
		    : one	? "waits"
				: "wait",
		    why_text(w, w->warp, p->stack[i].pc),
		    !path ? ", the reconvergence point of the other lanes"
		    : top ? ""
			  : " until their path is scheduled");
	why_number(o, "lanes", mask);
}

/* Is there a path beside the one that runs? */
static bool others(const struct paths *p)
{
	for (u32 i = 0; i + 1 < p->depth; i++)
		if (paths_is_path(p, i))
			return true;
	return false;
}

void why_paths(struct why *w, u32 level)
{
	const struct warp *x = &w->warps[w->warp];
	struct paths p = paths_of(w);

	if (!x->depth || (!(x->waits | x->spins) && !others(&p)))
		return;
	for (u32 i = p.depth; i-- > 0;)
		if (p.stack[i].mask & p.waits && paths_is_path(&p, i))
			say_waiting(w, level, &p, i);
		else
			say_entry(w, level, &p, i);
	if (x->spins)
		why_number(
			why_say(w, level, "spins",
				"the path has looped %u times over values that other threads may write; after %u iterations "
				"(warp.patience) another path runs",
				x->spins, w->sim->program->launch[x->launch].patience),
			"spins", x->spins);
}
