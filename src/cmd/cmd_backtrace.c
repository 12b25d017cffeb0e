/*
 * cmd_backtrace.c - backtrace: where the lanes of the focused warp stand. A warp has no stack of calls, for calls are
 * expanded: it has the SIMT stack, with the lanes that run, wait and join, and each place its chain of functions.
 */
#include "lang.h"
#include "machine.h"
#include "source.h"
#include "travel.h"

/* An entry for people: lanes, instruction, the chain of functions. */
static void cmd_backtrace_line(struct session *s, const struct kernel *k, const struct paths *p, u32 i, u32 number)
{
	const struct simt_entry *x = &p->stack[i];
	struct text lanes = {0}, chain = {0};

	lanes_text(x->mask, &lanes);
	session_print(s, "#%-2u %-5s lanes %s (%08x) at %u", number, paths_they(p, i), lanes.s, x->mask, x->pc);
	if (x->pc < k->ninst)
		session_print(s, ": %s", safe_text(kernel_text(k, x->pc)));
	if (x->reconverge < k->ninst)
		session_print(s, ", reconverges at %u", x->reconverge);
	session_print(s, "\n");
	source_chain(k, x->pc, &chain);
	if (chain.len)
		session_print(s, "    %s\n", chain.s);
	text_free(&lanes);
	text_free(&chain);
}

/* The same as JSON. */
static json_t *cmd_backtrace_json(const struct kernel *k, const struct paths *p, u32 i)
{
	const struct simt_entry *x = &p->stack[i];
	struct text chain = {0};
	json_t *entry;

	source_chain(k, x->pc, &chain);
	entry = json_pack("{s:s,s:I,s:I,s:s}", "they", paths_they(p, i), "mask", (json_int_t)x->mask, "pc",
			  (json_int_t)x->pc, "place", chain.len ? chain.s : "");
	if (x->reconverge < k->ninst)
		member_int(entry, "joins", x->reconverge);
	text_free(&chain);
	return entry;
}

static enum status cmd_backtrace_run(struct session *s, const struct args *a UNUSED, struct error *e)
{
	struct machine *m = s->sim.m;
	const struct focus f = s->focus;
	const struct warp *w;
	const struct cta *cta;
	struct paths p;
	json_t *list = NULL;

	if (travel_focus_runs(s, false, e))
		return STATUS_FAILED;
	w = (const struct warp *)machine_sm_section(m, f.sm, SECTION_WARP) + f.warp;
	cta = (const struct cta *)machine_sm_section(m, f.sm, SECTION_CTA) + w->cta;
	p = (struct paths){.stack = (struct simt_entry *)machine_sm_section(m, f.sm, SECTION_STACK) +
				    (size_t)f.warp * SIMT_DEPTH,
			   .depth = w->depth,
			   .waits = w->waits};
	session_print(s, "warp %u of SM %u (CTA %u of %s)\n", f.warp, f.sm, cta->id,
		      safe_text(s->program.launch[w->launch].name));
	list = s->json ? json_array() : NULL;
	for (u32 i = p.depth; i--;) {
		cmd_backtrace_line(s, s->sim.kernel[w->launch], &p, i, p.depth - 1 - i);
		json_array_append_new(list, cmd_backtrace_json(s->sim.kernel[w->launch], &p, i));
	}
	json_object_set_new(session_result(s), "stack", list);
	return STATUS_OK;
}

const struct command command_backtrace = {
	.name = "backtrace",
	.alias = "bt",
	.group = "inspect",
	.summary = "show where the lanes of the focused warp are: its SIMT stack, with source lines",
	.details =
		"#0 is the path that executes. `later`: diverged lanes that execute after the paths above them. `wait`: lanes\n"
		"blocked in an instruction until other lanes arrive. `join`: a reconvergence point, where lanes continue\n"
		"together after the paths above them have arrived. Below each entry is its source line, with the call sites\n"
		"into which the compiler inlined the function. Calls are inlined, so there is no call stack.",
	.examples = "backtrace\nbt",
	.flags = COMMAND_NEEDS_MACHINE | COMMAND_OPEN,
	.run = cmd_backtrace_run,
};
