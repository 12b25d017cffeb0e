/* cmd_finish.c - finish: run until the focused warp, its CTA or its kernel has ended. */
#include "complete.h"
#include "events.h"
#include "lang.h"
#include "arguments.h"
#include "machine.h"
#include "travel.h"

/* What has to end: a warp by its number in its CTA, which may have left for another SM meanwhile. */
struct finish {
	enum event_kind kind;
	u32 index, cta, launch;
};

/* Does a record tell of the end of the CTA, or of the warp in it? */
static bool cmd_finish_is_end(const struct finish *f, const struct sim *sim, const struct record *x)
{
	const struct warp *w = machine_sm_section(sim->m, x->sm, SECTION_WARP);

	if (x->launch != (u8)min_u32(f->launch, 255) || (f->kind != EVENT_KERNEL_END && x->cta != f->cta))
		return false;
	if (x->kind == EVENT_KILLED)
		return f->kind != EVENT_KERNEL_END;
	return x->kind == f->kind && (f->kind != EVENT_WARP_DONE || w[x->warp].index == f->index);
}

static bool cmd_finish_hit(void *self, const struct sim *sim)
{
	for (u32 i = 0; i < sim->bus.count; i++)
		if (cmd_finish_is_end(self, sim, &sim->bus.record[i]))
			return true;
	return false;
}

/* The focused warp; an error if its context is empty. */
static enum status cmd_finish_find_focus(struct session *s, struct finish *f, struct error *e)
{
	const struct machine *m = s->sim.m;
	const struct warp *w;
	const struct cta *c;

	if (s->focus.sm < m->config.gpu_sms && s->focus.warp < m->contexts) {
		w = (const struct warp *)machine_sm_section(s->sim.m, s->focus.sm, SECTION_WARP) + s->focus.warp;
		if (w->cta != NONE16) {
			c = (const struct cta *)machine_sm_section(s->sim.m, s->focus.sm, SECTION_CTA) + w->cta;
			f->index = w->index;
			f->cta = c->id;
			f->launch = w->launch;
			return STATUS_OK;
		}
	}
	return error_set(e, STATUS_FAILED,
			 "sm %u warp %u: no warp is resident (`focus` on a resident warp; `info warps` lists them)",
			 s->focus.sm, s->focus.warp);
}

/* What can finish. */
static const struct {
	const char *name;
	enum event_kind kind;
	const char *what;
} cmd_finish_row[] = {
	{"warp", EVENT_WARP_DONE, "the focused warp has ended"},
	{"cta", EVENT_CTA_END, "the focused CTA has ended"},
	{"kernel", EVENT_KERNEL_END, "the focused kernel has ended"},
};

const char *finish_word(u32 i)
{
	return i < ARRAY_LEN(cmd_finish_row) ? cmd_finish_row[i].name : NULL;
}

static enum status cmd_finish_run(struct session *s, const struct args *a, struct error *e)
{
	struct finish f = {.kind = NO_EVENT};
	struct goal g = {.hit = cmd_finish_hit, .self = &f};

	for (u32 i = 0; i < ARRAY_LEN(cmd_finish_row); i++)
		if (!strcmp(a->arg[0].present ? a->arg[0].text : "warp", cmd_finish_row[i].name)) {
			f.kind = cmd_finish_row[i].kind;
			g.what = cmd_finish_row[i].what;
		}
	if (f.kind == NO_EVENT)
		return usage_at(e, a->arg[0].column, "'%s' cannot finish (warp, cta or kernel)",
				token_shown(a->arg[0].text));
	if (cmd_finish_find_focus(s, &f, e))
		return STATUS_FAILED;
	g.want = EVENT_BIT(f.kind) | EVENT_BIT(EVENT_KILLED);
	return travel_run(s, &g, false, e);
}

const struct command command_finish = {
	.name = "finish",
	.alias = "fin",
	.group = "time",
	.summary = "run until the focused warp, its CTA or its kernel has ended",
	.details =
		"If the CTA is preempted, the run continues until it has resumed elsewhere and ended. A CTA that is killed has\n"
		"ended.",
	.examples = "finish\nfinish cta\nfinish kernel",
	.flags = COMMAND_MOVES,
	.run = cmd_finish_run,
	.arg = {{"WHAT", ARG_WORD, .doc = "warp (default), cta or kernel", .complete = complete_finish,
		 .optional = true}},
};
