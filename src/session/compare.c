/*
 * compare.c - the two sides of a comparison: made, looked at, put where the session stands (compare.h).
 *
 * A change that can be made in place is made in place, in a fork; else both machines are made anew. Chunks of values
 * are shared until a side writes them, so that a fork costs one block of a machine and what it changes.
 */
#include "compare.h"
#include "counters.h"
#include "events.h"

#include "machine.h"
#include "other.h"
#include "scene.h"

void compare_change_free(struct compare_change *x)
{
	for (u32 i = 0; x->own && i < x->nlaunch; i++) {
		for (u32 d = 0; x->own[i] && d < 3; d++)
			free(x->launch[i].tid[d]);
		if (x->own[i])
			free(x->launch[i].warp_mask);
	}
	other_free(x->other);
	free(x->own);
	free(x->text);
	free(x->launch);
	*x = (struct compare_change){0};
}

/* What somebody keeps of a side, and the side. */
static void side_close(struct compare_side *x)
{
	if (x->kept)
		x->kept_drop(x->kept);
	if (x->session.timeline) {
		timeline_close(x->session.timeline);
		sim_close(&x->session.sim);
	}
	free(x->program.launch);
}

void compare_free(struct compare *c)
{
	if (!c)
		return;
	for (u32 i = 0; i < 2; i++) {
		side_close(&c->side[i]);
		text_free(&c->parting.side[i].text);
		free(c->ended_text[i]);
	}
	compare_stats_free(c->stat, c->nstats);
	compare_change_free(&c->change);
	free(c);
}

void compare_close(struct session *s)
{
	compare_free(s->compare);
	s->compare = NULL;
}

/* --- making them --- */

struct config compare_config(const struct session *s, const struct compare_change *x)
{
	struct config c = x->other ? x->other->config : x->anew || !s->live ? s->config : s->sim.m->config;

	for (u32 i = 0; i < x->nsettings; i++)
		config_set(&c, x->setting[i].id, x->setting[i].value);
	return c;
}

/* Both machines have the kernels as they are now. */
static enum status same_kernels(const struct program *p, const struct config *c, struct error *e)
{
	for (u32 i = 0; i < p->nlaunch; i++) {
		const char *otherwise = kernel_otherwise(p->launch[i].kernel, c);

		if (otherwise)
			return error_set(
				e, STATUS_USAGE,
				"%s changes the kernels of both machines (`set %s`, `restart` and `run` for each)",
				otherwise, otherwise);
	}
	return STATUS_OK;
}

/* A machine as `restart` would make it, with the change for B. */
static enum status side_anew(const struct compare_change *x, bool changed, struct compare_side *out, struct error *e)
{
	const struct policy_choice *policy = changed && x->policies ? &x->policy : &out->of->policy;
	const struct session *of = out->of;
	struct program *p = &out->program;
	enum status st;

	out->session = *of;
	out->session.timeline = NULL;
	out->session.config = changed ? compare_config(of, x) : of->config;
	st = config_check(&out->session.config, e);
	if (!st)
		st = same_kernels(&of->program, &out->session.config, e);
	*p = of->program;
	p->launch = xcalloc(p->nlaunch + 1, sizeof(*p->launch));
	for (u32 i = 0; i < p->nlaunch && !st; i++) {
		p->launch[i] = changed && x->launch ? x->launch[i] : of->program.launch[i];
		st = scene_launch_settle(&out->session, i, &p->launch[i], e);
	}
	return st ? st : sim_open(&out->session.sim, &out->session.config, policy, p, e);
}

/* A setting in a fork. */
static enum status set_in_place(struct sim *sim, enum setting_id id, u32 value, struct error *e)
{
	if (!(setting_table[id].flags & FLAG_HOST))
		return sim_set(sim, id, value, e);
	config_set(&sim->m->config, id, value);
	sim_host_settings(sim);
	return STATUS_OK;
}

/* A fork of the session's machine, with the change for B. */
static enum status side_fork(const struct session *s, const struct compare_change *x, bool changed,
			     struct compare_side *out, struct error *e)
{
	enum status st = STATUS_OK;
	struct sim *sim = &out->session.sim;

	out->session = *s;
	out->session.timeline = NULL;
	sim_fork(sim, &s->sim);
	for (u32 i = 0; changed && i < x->nsettings && !st; i++)
		st = set_in_place(sim, x->setting[i].id, x->setting[i].value, e);
	if (!st && changed && x->policies)
		sim_set_policy(sim, &x->policy);
	if (st)
		sim_close(sim);
	return st;
}

/* One side at its first cycle. */
static enum status side_open(const struct session *s, const struct compare_change *x, bool changed,
			     struct compare_side *out, struct error *e)
{
	enum status st;

	out->of = changed && x->other ? x->other : s;
	st = x->anew ? side_anew(x, changed, out, e) : side_fork(s, x, changed, out, e);
	if (st)
		return st;
	out->session.sim.bus.want = 0;
	out->session.timeline =
		timeline_open(&out->session.sim, (u64)s->config.time_budget << 19, s->config.time_interval);
	if (s->interactive)
		timeline_enable(out->session.timeline);
	return STATUS_OK;
}

enum status compare_open(struct session *s, struct compare_change *x, struct compare **out, struct error *e)
{
	struct compare *c = xcalloc(1, sizeof(*c));
	enum status st = STATUS_OK;

	*out = NULL;
	c->change = *x;
	*x = (struct compare_change){0};
	c->from = c->change.anew ? (struct position){0, 0} : timeline_now(s->timeline);
	c->ahead = c->change.anew ? timeline_inputs(s->timeline) : timeline_ahead(s->timeline);
	for (u32 i = 0; i < 2 && !st; i++)
		st = side_open(s, &c->change, i == COMPARE_B, &c->side[i], e);
	if (st) {
		compare_free(c);
		return st;
	}
	compare_refresh(s, c);
	*out = c;
	return STATUS_OK;
}

/* --- looking at them --- */

/* The session's settings of the host beside the machine's. */
static void config_of(const struct session *s, struct compare_side *x)
{
	x->session.config = x->session.sim.m->config;
	for (u32 i = 0; i < SETTING_COUNT; i++)
		if (setting_table[i].flags & FLAG_HOST)
			config_set(&x->session.config, (enum setting_id)i, config_get(&s->config, (enum setting_id)i));
}

/* How the session is looked at, in another. */
static void side_shows_as(const struct session *s, struct session *out)
{
	out->focus = s->focus;
	out->console = s->console;
	out->desk = s->desk;
	out->columns = s->columns;
	out->rows = s->rows;
	out->running = s->running;
	out->batch = s->batch;
	out->json = s->json;
	out->plain = s->plain;
	out->quiet = s->quiet;
	out->interactive = s->interactive;
	out->on_terminal = s->on_terminal;
	out->out = s->out;
	out->log = s->log;
}

/* A side as the session is looked at now. */
static void side_refresh(const struct session *s, struct compare_side *x)
{
	struct sim sim = x->session.sim;
	struct timeline *t = x->session.timeline;

	x->session = *x->of;
	if (x->of != s)
		side_shows_as(s, &x->session);
	x->session.sim = sim;
	x->session.timeline = t;
	x->session.panes = x->kept;
	x->session.program = x->program.launch ? x->program : x->of->program;
	x->session.compare = NULL;
	x->session.result = NULL;
	x->session.functional = NULL;
	x->session.live = true;
	x->session.moved = true;
	sim_get_policy(&x->session.sim, &x->session.policy);
	config_of(s, x);
}

void compare_refresh(const struct session *s, struct compare *c)
{
	for (u32 i = 0; i < 2; i++)
		side_refresh(s, &c->side[i]);
}

enum status compare_side_open(const struct session *s, const struct compare_change *x, struct compare_side *out,
			      struct error *e)
{
	enum status st = side_open(s, x, true, out, e);

	if (!st)
		side_refresh(s, out);
	return st;
}

/* Warp instructions of a simulator. */
static u64 done(const struct sim *sim)
{
	return sim_sm_stat(sim, STAT_INST_WARP);
}

/* Are as many instructions done as are wanted? Or, backwards, not yet. */
struct wanted {
	u64 done;
	bool fewer;
};
static bool wanted_here(void *self, const struct sim *sim)
{
	const struct wanted *w = self;

	return w->fewer ? done(sim) < w->done : done(sim) >= w->done;
}

/* Put a side into the first cycle in which so many instructions are done. */
static void go_done(struct timeline *t, struct sim *sim, u64 n)
{
	struct wanted w = {.done = n, .fewer = true};
	struct watcher watch = {.after_cycle = wanted_here, .self = &w, .every_cycle = true};

	sim_sync(sim);
	if (done(sim) >= n && timeline_reverse(t, &watch) == STOP_START)
		sim_sync(sim);
	w.fewer = false;
	if (done(sim) < n)
		timeline_run(t, &watch, NEVER);
}

void compare_follow(struct session *s, struct compare *c)
{
	struct position at = timeline_now(s->timeline);
	struct sim *a = &c->side[COMPARE_A].session.sim, *b = &c->side[COMPARE_B].session.sim;

	compare_refresh(s, c);
	timeline_go(c->side[COMPARE_A].session.timeline, at);
	sim_sync(a);
	if (sim_finished(a))
		at = (struct position){max_u64(c->end[COMPARE_B], at.cycle), 0};
	if (s->config.compare_by == COMPARE_BY_INSTRUCTIONS && !sim_finished(a))
		go_done(c->side[COMPARE_B].session.timeline, b, done(a));
	else
		timeline_go(c->side[COMPARE_B].session.timeline, at);
	sim_sync(b);
}

void compare_at(struct compare *c, u32 side, u64 cycle, struct sim *out)
{
	const struct timeline *t = c->side[side].session.timeline;
	u32 applied;

	timeline_fork(t, (struct position){cycle - 1, 0}, out, &applied);
	out->bus.want = EVENT_BIT(EVENT_ISSUE);
	do
		timeline_follow(t, out, &applied, (struct position){cycle, 0});
	while (machine_gpu(out->m)->cycle < cycle && !sim_finished(out) && !timeline_stops());
	out->bus.want = 0;
	if (machine_gpu(out->m)->cycle != cycle)
		out->bus.count = 0;
	sim_sync(out);
}

u64 compare_bytes(const struct compare *c)
{
	u64 bytes = sizeof(*c);

	for (u32 i = 0; i < 2; i++) {
		struct timeline_info info;

		timeline_info(c->side[i].session.timeline, &info);
		bytes += c->side[i].session.sim.m->bytes + store_private_bytes(&c->side[i].session.sim.store) +
			 info.bytes;
	}
	return bytes;
}
