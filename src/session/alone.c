/*
 * alone.c - a launch by itself on the same GPU (alone.h).
 *
 * A machine of its own, with the settings and policies that hold now and cold caches, runs that launch and no other.
 * Memory is what the launches before it leave when they are run without timing; traces and synthetic kernels need none.
 * Deviations: `at`, `every`, `deadline` and `stream` are not regarded, and what `set` changed on the way is taken as it
 * is now.
 */
#include "alone.h"

#include "livelock.h"
#include "machine.h"

#define COPY 4096u

/* Buffers as they begin. */
static void fill(const struct program *p, struct store *st)
{
	for (u32 i = 0; i < p->nbuffer; i++)
		if (p->buffer[i].init)
			store_poke(st, p->buffer[i].address, p->buffer[i].init, p->buffer[i].bytes);
}

/* Buffers as they are in st. */
static void copy(const struct program *p, const struct store *st, struct sim *sim)
{
	u8 bytes[COPY];

	for (u32 i = 0; i < p->nbuffer; i++)
		for (u64 at = 0; at < p->buffer[i].bytes; at += COPY) {
			u64 n = min_u64(COPY, p->buffer[i].bytes - at);

			store_read(st, p->buffer[i].address + at, bytes, n);
			sim_poke(sim, p->buffer[i].address + at, bytes, n);
		}
}

enum status alone_memory(const struct session *s, u32 i, struct store *out, struct error *e)
{
	struct program before = s->program;
	enum status st;

	before.nlaunch = i;
	if (!i || s->program.launch[i].kernel->front != FRONT_PTX)
		return STATUS_OK;
	store_init(out, 0, 0, s->program.global_bytes);
	fill(&before, out);
	st = functional_run(&before, out, 0, NULL, e);
	functional_interrupt = 0;
	if (st)
		store_free(out);
	return st;
}

/* How far the launch is now, if a sample is due after its first issue; where there are too many, every other goes. */
static void take_sample(struct alone *a, struct sim *sim)
{
	const struct launch_run *run = machine_gpu_section(sim->m, SECTION_LAUNCH);
	u64 now = machine_gpu(sim->m)->cycle;

	if (run->first_issue == NEVER || now >= run->first_issue + (a->samples + 1) * a->step)
		sim_sync(sim);
	while (run->first_issue != NEVER && now >= run->first_issue + (a->samples + 1) * a->step) {
		a->sample[a->samples++] = run->issued;
		if (a->samples < ALONE_SAMPLES)
			continue;
		a->samples /= 2;
		a->step *= 2;
		for (u32 i = 0; i < a->samples; i++)
			a->sample[i] = a->sample[2 * i + 1];
	}
}

/* An isolated run that never finishes. */
static enum status endless(const struct session *s, const struct sim *sim, const char *what, struct error *e)
{
	return error_set(e, STATUS_FAILED, "the isolated run ends in a %s at cycle %llu%s", what,
			 machine_gpu(sim->m)->cycle,
			 s->program.nlaunch > 1 ? ": the kernel may depend on kernels that run beside it" : "");
}

/* To its end; an error where it has none. */
static enum status run_out(const struct session *s, struct sim *sim, struct alone *a, struct error *e)
{
	u64 limit = s->max_cycles ? s->max_cycles : NEVER, to;

	sim->bus.want = 0;
	while (!sim_finished(sim) && !sim_faulted(sim) && !sim_deadlocked(sim)) {
		if (timeline_interrupt && timeline_stops())
			return error_set(e, STATUS_FAILED, "interrupted before the isolated run finished");
		if (machine_gpu(sim->m)->cycle >= limit)
			return error_set(e, STATUS_LIMIT,
					 "the isolated run had not finished at cycle %llu (--max-cycles)", limit);
		if (s->config.run_livelock && livelock_found(sim) != LIVELOCK_LIVE)
			return endless(s, sim, "livelock", e);
		to = min_u64(limit, livelock_look(machine_gpu(sim->m)->cycle));
		if (sim_skip(sim, to) < to)
			sim_cycle(sim);
		take_sample(a, sim);
	}
	if (sim_faulted(sim) || sim_deadlocked(sim))
		return endless(s, sim, sim_faulted(sim) ? "fault" : "deadlock", e);
	return STATUS_OK;
}

struct program alone_program(const struct session *s, u32 i, struct launch *launch)
{
	struct program only = s->program;

	*launch = s->program.launch[i];
	launch->at = launch->every = launch->deadline = launch->stream = 0;
	launch->restart = false;
	only.launch = launch;
	only.nlaunch = 1;
	return only;
}

void alone_fill(const struct session *s, const struct store *before, struct sim *sim)
{
	if (before->pool)
		copy(&s->program, before, sim);
}

enum status alone_run(struct session *s, u32 i, struct alone *out, struct error *e)
{
	struct launch launch;
	struct program only = alone_program(s, i, &launch);
	const struct launch_run *run;
	struct policy_choice policy;
	struct store before = {0};
	enum status st;
	struct sim sim;

	*out = (struct alone){.step = 1};
	sim_get_policy(&s->sim, &policy);
	st = sim_open(&sim, &s->sim.m->config, &policy, &only, e);
	if (st)
		return st;
	st = alone_memory(s, i, &before, e);
	alone_fill(s, &before, &sim);
	if (!st)
		st = run_out(s, &sim, out, e);
	store_free(&before);
	sim_sync(&sim);
	run = machine_gpu_section(sim.m, SECTION_LAUNCH);
	out->known = !st;
	out->cycles = sim_launch_cycles(&sim, 0);
	out->issued = run->issued;
	sim_close(&sim);
	return st;
}

/* Do the settings and policies still hold under which a list was made? */
static bool holds(const struct alone_list *l, const struct sim *sim)
{
	struct policy_choice now;

	sim_get_policy(sim, &now);
	for (u32 i = 0; i < SETTING_COUNT; i++)
		if (!(setting_table[i].flags & FLAG_HOST) &&
		    config_get(&l->config, (enum setting_id)i) != config_get(&sim->m->config, (enum setting_id)i))
			return false;
	return !memcmp(&now, &l->policy, sizeof(now));
}

const struct alone *alone_of(const struct session *s, const struct sim *sim, u32 i)
{
	const struct alone_list *l = s->alone;

	return l && i < l->n && l->launch[i].known && holds(l, sim) ? &l->launch[i] : NULL;
}

/* What is to be remembered under the settings that hold now. */
static struct alone_list *list_now(struct session *s)
{
	struct alone_list **slot = &s->alone, *l = *slot;

	if (!l || l->n != s->program.nlaunch || !holds(l, &s->sim)) {
		free(l);
		l = *slot = xcalloc(1, sizeof(*l) + s->program.nlaunch *
							    (sizeof(l->launch[0]) + sizeof(struct stream_time)));
		l->n = s->program.nlaunch;
		l->config = s->sim.m->config;
		sim_get_policy(&s->sim, &l->policy);
	}
	return l;
}

void alone_keep(struct session *s, u32 i, const struct alone *a)
{
	list_now(s)->launch[i] = *a;
}

/* --- streams --- */

u32 stream_first(const struct program *p, u32 launch)
{
	const struct launch *l = p->launch;
	u32 first = launch;

	for (u32 i = launch; i-- > 0 && !l[launch].at && !l[launch].every;)
		if (l[i].stream == l[launch].stream && !l[i].at && !l[i].every)
			first = i;
	return first;
}

bool stream_single(const struct program *p, u32 launch)
{
	for (u32 i = 0; i < p->nlaunch; i++)
		if (i != launch && stream_first(p, i) == stream_first(p, launch))
			return false;
	return true;
}

/* How far the stream that begins with a launch of a program has come by its end, or until it was through. */
static struct stream_time time_of(const struct program *p, const struct sim *sim, u32 first)
{
	const struct launch_run *run = machine_gpu_section(sim->m, SECTION_LAUNCH);
	struct stream_time t = {0};

	for (u32 i = first; i < p->nlaunch; i++) {
		bool counts = p->launch[i].restart || sim->m->config.multi_insts;

		if (stream_first(p, i) != first)
			continue;
		if (counts ? !run[i].through : run[i].state != LAUNCH_DONE)
			return (struct stream_time){0};
		t.cycles = max_u64(t.cycles, counts ? run[i].through : run[i].last_retire + 1);
		t.issued += counts ? run[i].first_issued : alone_progress(sim, i);
	}
	t.cycles -= min_u64(t.cycles, p->launch[first].at);
	return t;
}

/* The launches of the stream that begins with launch i, to run once from cycle 0 on. */
static struct program stream_alone(const struct program *p, u32 i)
{
	struct program only = *p;

	only.launch = xcalloc(p->nlaunch, sizeof(*only.launch));
	only.nlaunch = 0;
	for (u32 k = i; k < p->nlaunch; k++)
		if (stream_first(p, k) == i) {
			only.launch[only.nlaunch] = p->launch[k];
			only.launch[only.nlaunch].at = 0;
			only.launch[only.nlaunch++].restart = false;
		}
	return only;
}

enum status alone_run_stream(struct session *s, u32 i, struct stream_time *out, struct error *e)
{
	struct program only = stream_alone(&s->program, i);
	struct alone samples = {.step = 1};
	struct policy_choice policy;
	enum status st;
	struct sim sim;

	sim_get_policy(&s->sim, &policy);
	st = sim_open(&sim, &s->sim.m->config, &policy, &only, e);
	if (!st) {
		st = run_out(s, &sim, &samples, e);
		sim_sync(&sim);
		*out = time_of(&only, &sim, 0);
		sim_close(&sim);
	}
	free(only.launch);
	return st;
}

/* Where those of a list stand. */
static struct stream_time *streams_of(const struct alone_list *l)
{
	return (struct stream_time *)(void *)(uintptr_t)&l->launch[l->n];
}

const struct stream_time *alone_stream_of(const struct session *s, const struct sim *sim, u32 i)
{
	const struct alone_list *l = s->alone;

	return l && i < l->n && streams_of(l)[i].cycles && holds(l, sim) ? &streams_of(l)[i] : NULL;
}

void alone_keep_stream(struct session *s, u32 i, const struct stream_time *t)
{
	streams_of(list_now(s))[i] = *t;
}

struct stream_time stream_here(const struct session *s, const struct sim *sim, u32 i)
{
	return time_of(&s->program, sim, i);
}

double stream_slowdown(const struct stream_time *alone, const struct stream_time *here)
{
	if (!alone || !alone->cycles || !here->issued)
		return 0;
	return (double)here->cycles / (double)here->issued * (double)alone->issued / (double)alone->cycles;
}

/* How far a stream has come up to now. */
static struct stream_time time_now(const struct program *p, const struct sim *sim, u32 first)
{
	u64 now = machine_gpu(sim->m)->cycle;
	struct stream_time t = {.cycles = now - min_u64(now, p->launch[first].at)};

	for (u32 i = first; i < p->nlaunch; i++)
		if (stream_first(p, i) == first)
			t.issued += alone_progress(sim, i);
	return t;
}

double stream_slowdown_now(const struct session *s, const struct sim *sim, u32 i)
{
	const struct stream_time *stream = alone_stream_of(s, sim, i);
	struct stream_time t;

	if (!stream)
		return 0;
	t = stream_here(s, sim, i);
	if (!t.cycles)
		t = time_now(&s->program, sim, i);
	return stream_slowdown(stream, &t);
}

u64 alone_progress(const struct sim *sim, u32 launch)
{
	const struct launch_run *run = machine_gpu_section(sim->m, SECTION_LAUNCH);
	const struct kernel_count *sum = machine_gpu_section(sim->m, SECTION_KERNEL_SUM);

	return run[launch].issued - sum[launch].wasted;
}

double alone_slowdown(const struct alone *a, u64 issued, u64 cycles)
{
	u64 before = 0;
	double at;
	u32 i = 0;

	while (i < a->samples && a->sample[i] < issued)
		before = a->sample[i++];
	if (issued >= a->issued || i == a->samples)
		at = (double)a->cycles;
	else
		at = ((double)i + (double)(issued - before) / (double)(a->sample[i] - before)) * (double)a->step;
	return issued && cycles && at > 0 ? (double)cycles / at : 0;
}

double alone_ipc(u64 issued, u64 cycles)
{
	return cycles ? (double)issued / (double)cycles : 0;
}
