/* stopped.c - what is said when the machine stands: the stop, deadlocks, the focused warp, displays; with -j {"stop":
 * ...}. */
#include "machine.h"
#include "travel.h"

#include "why.h"
#include "breaks.h"

static const struct {
	const char *reason, *text;
} stop_row[] = {[STOP_NONE] = {"none", "not moved"},
		[STOP_TARGET] = {"step", NULL},
		[STOP_HIT] = {"breakpoint", "stopped"},
		[STOP_FINISHED] = {"finished", "the last kernel has finished"},
		[STOP_FAULT] = {"fault", "the program faulted"},
		[STOP_DEADLOCK] = {"deadlock", "deadlock"},
		[STOP_INTERRUPT] = {"interrupt", "interrupted"},
		[STOP_LIMIT] = {"limit", "limit reached"},
		[STOP_START] = {"start", "start of the run"},
		[STOP_LIVELOCK] = {"livelock", "the program loops forever"}};

/* The focused warp and its next instruction, if it is resident. */
static void show_focus(struct session *s)
{
	const struct sim *sim = &s->sim;
	const struct warp *w;
	const struct kernel *k;
	u32 mask, pc;

	if (s->focus.sm >= sim->m->config.gpu_sms || s->focus.warp >= sim->m->contexts)
		return;
	pc = sim_warp_pc(sim, s->focus.sm, s->focus.warp, &mask);
	w = (const struct warp *)machine_sm_section(sim->m, s->focus.sm, SECTION_WARP) + s->focus.warp;
	if (pc == NONE32 || w->launch >= s->program.nlaunch)
		return;
	k = s->program.launch[w->launch].kernel;
	if (pc < k->ninst)
		session_print(s, "  sm %u warp %u (%s): %u: %s\n", s->focus.sm, s->focus.warp, safe_text(k->name), pc,
			      safe_text(kernel_text(k, pc)));
}

/* Who waits for whom in a deadlock; into stop if there is JSON. */
static void show_deadlock(struct session *s, json_t *stop)
{
	json_t *object = stop ? json_object() : NULL;
	struct text out = {0};

	if (why_deadlock(s, &s->sim, &out, object) && !stop)
		session_print(s, "%s", out.s);
	if (stop)
		json_object_set_new(stop, "deadlock", object);
	text_free(&out);
}

/* Nothing of the program's has ended the run, which may never end by itself. */
static bool seeks_livelock(enum stop_kind why)
{
	return why == STOP_LIMIT || why == STOP_INTERRUPT || why == STOP_LIVELOCK;
}

/* Was it a livelock? Who interrupts it does not want to wait. Into stop if there is JSON. */
static void show_livelock(struct session *s, enum stop_kind why, json_t *stop)
{
	u64 most = why == STOP_INTERRUPT ? LIVELOCK_LEAST : LIVELOCK_MOST;
	u64 cycles = min_u64(most, max_u64(LIVELOCK_LEAST, session_now(s).cycle));
	json_t *object = stop ? json_object() : NULL;
	struct text out = {0};

	s->livelock = why_livelock(s, &s->sim, cycles, false, &out, object);
	if (s->livelock != LIVELOCK_LIVE)
		session_print(s, "%s", out.s);
	if (stop && s->livelock != LIVELOCK_LIVE)
		json_object_set(stop, "livelock", object);
	json_decref(object);
	text_free(&out);
}

/* The stop as a JSON line. */
static void stop_json(struct session *s, enum stop_kind why, struct position at, const char *detail)
{
	json_t *line = json_object(), *stop = json_object(), *displays;
	struct error end;

	member_text(stop, "reason", stop_row[why].reason);
	member_int(stop, "cycle", at.cycle);
	if (at.stage)
		member_text(stop, "stage", stage_table[at.stage].name);
	if (!detail && (why == STOP_FAULT || why == STOP_DEADLOCK) && session_end_status(s, &end))
		detail = end.message;
	if (detail)
		member_text(stop, "detail", safe_text(detail));
	if (why == STOP_DEADLOCK)
		show_deadlock(s, stop);
	if (seeks_livelock(why))
		show_livelock(s, why, stop);
	displays = displays_json(s);
	if (displays)
		json_object_set_new(stop, "display", displays);
	json_object_set_new(line, "stop", stop);
	json_put(line);
}

/* Who faulted is looked at from now on, and of its registers those of the lane. */
static void focus_fault(struct session *s)
{
	u32 warp = fault_context(&s->sim);

	if (warp == NONE32)
		return;
	s->focus = (struct focus){machine_gpu(s->sim.m)->fault_sm, warp % s->sim.m->config.sm_subcores, warp};
	s->config.code_lane = machine_gpu(s->sim.m)->fault_lane;
}

void session_stopped_silently(struct session *s)
{
	if (s->live)
		session_outputs(s);
	if (s->json)
		stop_json(s, STOP_HIT, session_now(s), NULL);
	displays_show(s);
}

void session_stopped(struct session *s, enum stop_kind why, const char *detail)
{
	struct position at = session_now(s);
	const char *text = detail && *detail ? detail : stop_row[why].text;

	if (s->live)
		session_outputs(s);
	if (s->json)
		stop_json(s, why, at, detail);
	session_print(s, "cycle %llu", at.cycle);
	if (at.stage)
		session_print(s, ", before %s", stage_table[at.stage].name);
	session_print(s, text ? ": %s\n" : "\n", text);
	if (why == STOP_DEADLOCK)
		show_deadlock(s, NULL);
	if (seeks_livelock(why) && !s->json)
		show_livelock(s, why, NULL);
	if (why == STOP_FAULT)
		focus_fault(s);
	if (s->live && !s->batch) {
		session_refocus(s);
		show_focus(s);
	}
	displays_show(s);
}
