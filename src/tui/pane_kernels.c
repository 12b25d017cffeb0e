/*
 * pane_kernels.c - the launches: blocks done, running and waiting, share of the issue slots, IPC; and which SM runs
 * which.
 *
 * Conservation: every SM is in the map once, the resident CTAs are those that the SMs hold, and the instructions of the
 * launches are those that the SMs issued. IPC is warp instructions per cycle from the first issue to the last retired
 * CTA, or to now. Once `alone` has measured a kernel in isolation, its IPC and the slowdown are shown, and of streams
 * ANTT and STP so far (Park, University of Michigan, 2016, equations 5.1 and 5.2). Where CTAs are preempted, their
 * number and the newest request are shown.
 */
#include "counters.h"
#include "preempts.h"

#include "alone.h"
#include "policy.h"

/* clang-format off */
#define COLUMNS \
	{.name = "k", .width = 2, .right = true}, \
	{.name = "name", .width = 10, .wide = true}, \
	{.name = "state", .width = 7, .drop = 4}, \
	{.name = "done", .width = 7, .right = true}, \
	{.name = "run", .width = 5, .drop = 1, .right = true}, \
	{.name = "wait", .heading = "waiting", .width = 7, .drop = 2, .right = true}
#define MORE_COLUMNS \
	{.name = "slots", .heading = "issue%", .width = 6, .drop = 3, .right = true}, \
	{.name = "ipc", .width = 6, .drop = 5, .right = true}, \
	{.name = "issued", .width = 11, .drop = 6, .right = true}, \
	{.name = "cycles", .width = 11, .drop = 7, .right = true}, \
	{.name = "repeats", .width = 7, .drop = 8, .right = true}, \
	/* after `alone` */ \
	{.name = "alone", .width = 6, .drop = 4, .right = true}, \
	{.name = "slowdown", .heading = "slow", .width = 5, .drop = 4, .right = true}
static const struct grid_column column[] = {COLUMNS, MORE_COLUMNS};
/* Where CTAs are preempted. */
static const struct grid_column way_column[] = {
	COLUMNS, {.name = "preempted", .heading = "preempt", .width = 7, .drop = 3, .right = true}, MORE_COLUMNS};
/* clang-format on */
#define ALONE_COLUMNS 2

#define MAP_LETTERS "0123456789abcdefghijklmnopqrstuvwxyz"

/* The letter of an SM in the map: its kernel, + if several, . if none, - if it is switched off, ~ if CTAs of it are to
 * be preempted. */
static char pane_kernels_map_letter(const struct pane_view *v, u32 sm)
{
	const struct cta *cta = machine_sm_section(v->sim->m, sm, SECTION_CTA);
	u32 launch = NONE16;

	if (((struct sm *)machine_sm_section(v->sim->m, sm, SECTION_SM))->needs)
		return '~';
	for (u32 i = 0; i < v->sim->m->section[SECTION_CTA].count; i++) {
		if (cta[i].launch == NONE16)
			continue;
		if (launch != NONE16 && launch != cta[i].launch)
			return '+';
		launch = cta[i].launch;
	}
	if (launch == NONE16)
		return ((struct bounds *)machine_sm_section(v->sim->m, sm, SECTION_BOUNDS))->off ? '-' : '.';
	return launch < 36 ? MAP_LETTERS[launch] : '#';
}

/* The map, ten SMs to a group, as many groups in a line as the width takes; returns the SMs in it. */
static u32 pane_kernels_map(struct sheet *s, const struct pane_view *v)
{
	u32 n = v->sim->m->config.gpu_sms, idle = 0, off = 0, way = 0, groups = v->width > 29 ? (v->width - 7) / 11 : 1;

	for (u32 i = 0; i < n; i++) {
		char letter = pane_kernels_map_letter(v, i);

		if (i % (groups * 10) == 0)
			text_add(&s->note, "%sSM %-4u", i ? "\n" : "", i);
		else if (i % 10 == 0)
			text_add(&s->note, " ");
		text_add(&s->note, "%c", letter);
		idle += letter == '.';
		off += letter == '-';
		way += letter == '~';
	}
	text_add(&s->note, "\n");
	text_add(&s->sum, "%u idle", idle);
	if (off)
		text_add(&s->sum, "  %u off", off);
	if (way)
		text_add(&s->sum, "  %u preempting", way);
	return n;
}

/* The stream of a launch that is all of it, run alone; NULL: not known. */
static const struct stream_time *pane_kernels_stream(const struct pane_view *v, u32 i)
{
	const struct stream_time *stream = alone_stream_of(v->session, v->sim, i);

	return stream && stream_single(&v->session->program, i) ? stream : NULL;
}

/* IPC alone, and how many times as long it takes here; an `every` launch has pauses. */
static void pane_kernels_add_alone(struct grid *g, const struct pane_view *v, u32 i, u64 cycles)
{
	const struct alone *a = alone_of(v->session, v->sim, i);
	bool once = !v->session->program.launch[i].every && !v->session->program.launch[i].restart;
	double slowdown = a && once		      ? alone_slowdown(a, alone_progress(v->sim, i), cycles)
			  : pane_kernels_stream(v, i) ? stream_slowdown_now(v->session, v->sim, i)
						      : 0;

	if (a)
		grid_real(g, STYLE_PLAIN, alone_ipc(a->issued, a->cycles));
	else
		grid_none(g);
	grid_positive(g, STYLE_PLAIN, slowdown);
}

/* Is there a launch of which it is known? */
static bool pane_kernels_knows_alone(const struct pane_view *v, u32 n)
{
	for (u32 i = 0; i < n; i++)
		if (alone_of(v->session, v->sim, i) || pane_kernels_stream(v, i))
			return true;
	return false;
}

/* Has a stream of its own, one that comes to an end, begun with a launch? */
static bool pane_kernels_began(const struct pane_view *v, u32 i)
{
	const struct launch *l = &v->session->program.launch[i];

	return !l->every && l->at <= machine_gpu(v->sim->m)->cycle && stream_first(&v->session->program, i) == i;
}

/* ANTT and STP up to now, over the streams that have begun and come to an end of their own; what is missing, where it
 * is not known how long they take alone. Nothing of a single stream. */
static void pane_kernels_antt(struct sheet *s, const struct pane_view *v, u32 n)
{
	double slowdowns = 0, speeds = 0;
	u32 streams = 0, known = 0;

	for (u32 i = 0; i < n; i++) {
		double x;

		if (!pane_kernels_began(v, i))
			continue;
		x = stream_slowdown_now(v->session, v->sim, i);
		streams++;
		known += x > 0;
		slowdowns += x;
		speeds += x > 0 ? 1 / x : 0;
	}
	if (streams < 2)
		return;
	if (known == streams)
		text_add(&s->sum, "  ANTT %.3f STP %.3f", slowdowns / streams, speeds);
	else if (known)
		text_add(&s->note, "ANTT, STP: not known yet (%u of %u streams %s issued and %s measured alone)\n",
			 known, streams, known == 1 ? "has" : "have", known == 1 ? "was" : "were");
	else
		text_add(&s->note, "ANTT, STP: not known; `alone streams` measures each stream alone\n");
}

/* One row. */
static void pane_kernels_row(struct grid *g, const struct pane_view *v, u32 i, u64 slots)
{
	static const char *const state[] = {"waiting", "running", "done"};
	const struct launch_run *run = (struct launch_run *)machine_gpu_section(v->sim->m, SECTION_LAUNCH) + i;
	const struct warp *w = (struct warp *)machine_sm_section(v->sim->m, v->focus.sm, SECTION_WARP) + v->focus.warp;
	u32 ctas = v->session->program.launch[i].ctas;
	u64 cycles = sim_launch_cycles(v->sim, i);

	if (w->cta != NONE16 && w->launch == i)
		grid_focus(g);
	grid_int(g, STYLE_PLAIN, i);
	grid_text(g, STYLE_PLAIN, view_launch(v, i));
	grid_text(g, run->state == LAUNCH_RUNNING ? STYLE_GOOD : STYLE_DIM,
		  run->state < ARRAY_LEN(state) ? state[run->state] : "-");
	grid_int(g, STYLE_PLAIN, run->finished);
	grid_int(g, STYLE_PLAIN, machine_residency(v->sim->m, i)->ctas);
	grid_int(g, STYLE_PLAIN, ctas - min_u32(ctas, run->next_cta) + run->parked);
	if (g->column == way_column)
		grid_int(g, STYLE_PLAIN,
			 ((struct kernel_count *)machine_gpu_section(v->sim->m, SECTION_KERNEL_SUM) + i)->left);
	grid_share(g, STYLE_PLAIN, share_of(run->issued, slots));
	if (cycles)
		grid_real(g, STYLE_PLAIN, alone_ipc(run->issued, cycles));
	else
		grid_none(g);
	grid_int(g, STYLE_PLAIN, (i64)run->issued);
	grid_int(g, STYLE_PLAIN, (i64)cycles);
	grid_int(g, STYLE_PLAIN, run->iteration);
	if (g->ncolumns == (g->column == way_column ? ARRAY_LEN(way_column) : ARRAY_LEN(column)))
		pane_kernels_add_alone(g, v, i, cycles);
}

/* A line for each launch whose instances have a deadline and that is not done. */
static void pane_kernels_deadlines(struct sheet *s, const struct pane_view *v, u32 n)
{
	const struct launch_run *run = machine_gpu_section(v->sim->m, SECTION_LAUNCH);
	u64 now = machine_gpu(v->sim->m)->cycle;

	for (u32 i = 0; i < n; i++) {
		const struct launch *l = &v->session->program.launch[i];
		u64 release = launch_release(l, &run[i]), date = release + (now < release ? 0 : l->deadline);

		if (!l->deadline || run[i].state == LAUNCH_DONE)
			continue;
		text_add(&s->note, "kernel %u: %u of %u SMs, %s in %lld (cycle %llu), missed %llu of %llu\n", i,
			 sim_sms_held(v->sim, i), l->sms, now < release ? "next release" : "deadline",
			 (i64)(date - now), date, run[i].missed, run[i].requests);
	}
}

static void pane_kernels_fill(struct sheet *s, const struct pane_view *v)
{
	const struct launch_run *run = machine_gpu_section(v->sim->m, SECTION_LAUNCH);
	u64 slots = 0, issued = 0, held = 0, running = 0;
	u32 n = min_u32(v->session->program.nlaunch, v->sim->m->section[SECTION_LAUNCH].count), sms;
	u32 without = pane_kernels_knows_alone(v, n) ? 0 : ALONE_COLUMNS;
	struct grid *g = preempts_told(v) ? sheet_grid(s, "kernels", way_column, ARRAY_LEN(way_column) - without)
					  : sheet_grid(s, "kernels", column, ARRAY_LEN(column) - without);

	for (u32 i = 0; i < SLOT_OUTCOME_COUNT; i++)
		slots += sim_outcome_sum(v->sim, (enum slot_outcome)i);
	for (u32 i = 0; i < v->sim->m->config.gpu_sms; i++)
		held += ((struct sm *)machine_sm_section(v->sim->m, i, SECTION_SM))->ctas;
	for (u32 i = 0; i < n; i++) {
		pane_kernels_row(g, v, i, slots);
		issued += run[i].issued;
		running += machine_residency(v->sim->m, i)->ctas;
	}
	sms = pane_kernels_map(s, v);
	pane_kernels_antt(s, v, n);
	preempts_last(s, v);
	pane_kernels_deadlines(s, v, n);
	text_add(&s->focus, "%u SM%s", sms, sms == 1 ? "" : "s");
	text_add(&s->say, "%u kernel%s, %llu CTAs running on %u SM%s", n, n == 1 ? "" : "s", running, sms,
		 sms == 1 ? "" : "s");
	sheet_sum(s, "CTAs", running, running == held && issued == sim_sm_stat(v->sim, STAT_INST_WARP));
}

const struct pane pane_kernels = {
	.name = "kernels",
	.summary = "kernels: CTAs done, running and waiting, share of issue slots, IPC, map of SMs",
	.legend =
		"k: number of the kernel   done, run, waiting: CTAs finished, resident, not yet dispatched   preempt: CTAs preempted\n"
		"issue%: issue slots of the GPU in which it issued, in percent   issued: warp instructions   repeats: iterations or instances completed\n"
		"alone: IPC in an isolated run on the same GPU (`alone`)   slow: slowdown, cycles over cycles in the isolated run\n"
		"ANTT: mean slowdown of the streams so far; STP: sum of their inverse slowdowns (both after `alone streams`)\n"
		"map: one character per SM, the number of its kernel  + several kernels  . none  - switched off  ~ CTAs are being preempted",
	.pick = "focus kernel {k}",
	.ask = "step, info kernels, info interference, show preempts",
	.size = {.least_width = 24, .least_height = 3, .wish_height = 6},
	.fill = pane_kernels_fill,
};
