/*
 * why_paths.c - the parts of a warp whose lanes have parted: which run, which wait for which lanes, which have their
 * turn later.
 *
 * Said only of a warp with more than one path, or one that goes round for others; `show code` has the whole SIMT stack.
 */
#include "why_parts.h"

#include "meet.h"

#include <inttypes.h>

/* A warp's stack as paths. */
static struct paths paths_of(const struct why *w)
{
	const struct warp *x = &w->warps[w->warp];
	const struct kernel *k = why_kernel(w, w->warp);
	struct simt_entry *stack = machine_sm_section(w->m, w->sm, SECTION_STACK);

	return (struct paths){stack + (size_t)w->warp * SIMT_DEPTH, x->depth, x->waits, k->ninst, k->inst};
}

/* The stacks of all contexts of the warp's home; how many. */
static u32 home_of(const struct why *w, struct paths *out)
{
	u32 n = 1u << w->m->home_shift, first = w->warp & ~(n - 1);
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
	n = home_of(w, home);
	return meet_lacks(&env, home, n, w->warp & (n - 1), i);
}

/* "lanes 0-15", in a ring of buffers. */
static const char *lanes_of(u32 mask)
{
	static char ring[4][100];
	static u32 at;
	struct text t = {0};
	char *out = ring[at++ % 4];

	lanes_text(mask, &t);
	snprintf(out, sizeof(ring[0]), "lane%s %s", mask & (mask - 1) ? "s" : "", t.len ? t.s : "");
	text_free(&t);
	return out;
}

/* A path that waits: for whom, and why these do not do. */
static void say_waiting(struct why *w, u32 level, const struct paths *p, u32 i)
{
	u32 mask = p->stack[i].mask, missing = lacks(w, i);
	bool one = !(mask & (mask - 1));
	json_t *o = why_say(w, level, "rendezvous", "its %s %s in %s for %s%s", lanes_of(mask), one ? "waits" : "wait",
			    why_text(w, w->warp, p->stack[i].pc), lanes_of(missing),
			    missing && !(missing & ~p->waits)
				    ? ", which wait in an instruction of another kind or with another mask"
				    : "");

	why_number(o, "lanes", mask);
	why_number(o, "for", missing);
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
	o = why_say(w, level, path ? "path" : "join", "its %s %s at %s%s", lanes_of(mask),
		    path && top ? one ? "runs" : "run"
		    : one	? "waits"
				: "wait",
		    why_text(w, w->warp, p->stack[i].pc),
		    !path ? ", where others are to join"
		    : top ? ""
			  : " until it is their turn");
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
				"it has gone round %u times over what others may write; after %u (warp.patience) others have their turn",
				x->spins, w->sim->program->launch[x->launch].patience),
			"spins", x->spins);
}

/* The slices that issue together with this one, itself included; 0: it is in no gang. */
static u32 gang_of(const struct why *w)
{
	u32 home = context_home(w->m, w->warp), slice = w->warp & ((1u << w->m->home_shift) - 1);
	const struct gang *g = machine_sm_section(w->m, w->sm, SECTION_GANG);

	for (u32 i = 0; w->m->policy_gangs && i < GANG_ENTRIES; i++)
		if (g[home * GANG_ENTRIES + i].mask >> slice & 1)
			return g[home * GANG_ENTRIES + i].mask;
	return 0;
}

/* Who the mates are, and what each that was not ready waited for. */
static void say_mates(struct why *w, u32 mask)
{
	u32 first = w->warp & ~((1u << w->m->home_shift) - 1), most = 31u - (u32)__builtin_clz(mask);
	json_t *o = why_say(w, 1, "gang",
			    "it is one of %d slices, of warps %u to %u, that issue together, at %s, or not at all",
			    __builtin_popcount(mask), first + (u32)__builtin_ctz(mask), first + most,
			    why_text(w, w->warp, w->slots[w->warps[w->warp].slot].pc));

	why_number(o, "slices", mask);
	for (u32 left = mask; left; left &= left - 1) {
		u32 mate = first + (u32)__builtin_ctz(left), status = sim_warp_status(w->sim, w->sm, mate);

		if (status != WARP_GANG && status != WARP_ELIGIBLE && status < WARP_STATUS_COUNT)
			why_number(why_say(w, 2, "mate", "warp %u was not ready: %s", mate,
					   warp_status_table[status].name),
				   "warp", mate);
	}
	why_say(w, 2, "split",
		"a branch that takes some of them elsewhere, or the end of some, would part them for good");
}

/* It waits where the sides of a branch meet: for whom, and how long at most. False: it does not. */
static bool say_sync(struct why *w)
{
	u32 missing, first = w->warp & ~((1u << w->m->home_shift) - 1);
	u64 until = sim_warp_sync(w->sim, w->sm, w->warp, &missing);
	json_t *o;

	if (until < w->cycle)
		return false;
	o = why_say(
		w, 1, "sync",
		"it stands where the sides of a branch meet, at %s, and waits for %d slices of its warp (vws.sync), "
		"until cycle %" PRIu64 " at most",
		why_text(w, w->warp, w->slots[w->warps[w->warp].slot].pc), __builtin_popcount(missing), until);
	why_number(o, "slices", missing);
	why_number(o, "until", until);
	for (u32 left = missing; left; left &= left - 1) {
		u32 other = first + (u32)__builtin_ctz(left), slot = w->warps[other].slot;

		o = why_say(w, 2, "absent", "warp %u is at %s", other,
			    slot == NONE16 ? "no slot" : why_text(w, other, w->slots[slot].pc));
		why_number(o, "warp", other);
	}
	return true;
}

void why_gang(struct why *w)
{
	const struct warp *x = &w->warps[w->warp];
	u32 gang = gang_of(w);
	bool waits = !x->stuck && say_sync(w);

	if (waits && !gang)
		return;
	if (gang && !x->stuck) {
		say_mates(w, gang);
		return;
	}
	if (!x->stuck) {
		why_say(w, 1, "status", "%s", warp_status_table[WARP_GANG].doc);
		return;
	}
	why_say(w, 1, "stuck", "all parts of it wait in warp-synchronous instructions, and none of these is complete");
}
