/*
 * export_chrome.c - Trace Event JSON for Perfetto and chrome://tracing; a cycle is a microsecond there.
 *
 * An SM is a process, a context ("warp N") a thread; a slice is a run of cycles in one status, so the lengths of the
 * slices of a status add up to warps.STATUS. A slice has the instruction at which the warp stood and its source line.
 * Lives of CTAs are in export_chrome_ctas.c. Process "GPU" has the counters: slots, what the scheduler slots of the
 * cycle did, and ipc of that cycle; they are written when they change.
 */
#include "counters.h"
#include "events.h"
#include "export_chrome.h"

#include "lines.h"
#include "machine.h"

#include <limits.h>

/* Who holds a context. */
struct holder {
	u32 generation, cta; /* cta: NONE32: nobody */
	u32 slot, launch;
};

/* Cycles of one context in one status. */
struct run {
	u64 since;
	struct holder who;
	u32 pc, status;
};

struct trace {
	struct run *run;       /* by SM and context */
	struct holder *holder; /* the same, after the cycle before */
	u64 outcome[SLOT_OUTCOME_COUNT], grown[SLOT_OUTCOME_COUNT];
	u64 issued, issued_grown;
	bool counted, any;
	struct chrome_lives *lives;
};

void chrome_event(struct exporter *x)
{
	struct trace *t = x->state;

	export_put(x, t->any ? ",\n" : "\n");
	t->any = true;
}

/* The name of a process or a thread. */
static void name_it(struct exporter *x, const char *what, u32 pid, u32 tid, const char *name)
{
	chrome_event(x);
	export_put(x, "{\"ph\":\"M\",\"name\":\"%s_name\",\"pid\":%u,\"tid\":%u,\"args\":{\"name\":\"%s\"}}", what, pid,
		   tid, name);
}

/* What has been counted so far, and what this cycle added; whether that is other than in the cycle before. */
static bool count(struct exporter *x)
{
	struct trace *t = x->state;
	u64 issued = sim_sm_stat(&x->then.sim, STAT_INST_WARP), before = t->issued_grown;
	bool changed = false;

	for (u32 i = 0; i < SLOT_OUTCOME_COUNT; i++) {
		u64 now = sim_outcome_sum(&x->then.sim, (enum slot_outcome)i);

		changed |= now - t->outcome[i] != t->grown[i];
		t->grown[i] = now - t->outcome[i];
		t->outcome[i] = now;
	}
	t->issued_grown = issued - t->issued;
	t->issued = issued;
	return changed || t->issued_grown != before;
}

/* The counters of this cycle. */
static void put_counters(struct exporter *x)
{
	struct trace *t = x->state;
	u32 pid = x->then.sim.m->config.gpu_sms;

	chrome_event(x);
	export_put(x, "{\"ph\":\"C\",\"name\":\"slots\",\"pid\":%u,\"ts\":%llu,\"args\":{", pid, x->cycle);
	for (u32 i = 0; i < SLOT_OUTCOME_COUNT; i++)
		export_put(x, "%s\"%s\":%llu", i ? "," : "", slot_outcome_table[i].name, t->grown[i]);
	export_put(x, "}}");
	chrome_event(x);
	export_put(x, "{\"ph\":\"C\",\"name\":\"ipc\",\"pid\":%u,\"ts\":%llu,\"args\":{\"ipc\":%.6g}}", pid, x->cycle,
		   (double)t->issued_grown);
}

/* The instruction that a run waited at or issued: its number, text and source line, as far as they are known. */
static void put_instruction(struct exporter *x, const struct run *r)
{
	const struct kernel *k = export_kernel(x, r->who.launch);
	char place[PATH_MAX];

	export_put(x, ",\"pc\":%u", r->pc);
	if (!k)
		return;
	if (kernel_text(k, r->pc)[0]) {
		export_put(x, ",\"instruction\":");
		export_string(x, kernel_text(k, r->pc));
	}
	if (line_place(k, r->pc, place, sizeof(place))[0]) {
		export_put(x, ",\"source\":");
		export_string(x, place);
	}
}

/* A run of a context has ended before `at`. */
static void put_run(struct exporter *x, u32 sm, u32 warp, const struct run *r, u64 at)
{
	if (r->status >= WARP_STATUS_COUNT)
		return;
	chrome_event(x);
	export_put(
		x,
		"{\"ph\":\"X\",\"cat\":\"status\",\"name\":\"%s\",\"pid\":%u,\"tid\":%u,\"ts\":%llu,\"dur\":%llu,\"args\":{",
		warp_status_table[r->status].name, sm, warp, r->since, at - r->since);
	export_put(x, "\"kernel\":%u,\"cta\":%u", r->who.launch, r->who.cta);
	if (r->pc != NONE32)
		put_instruction(x, r);
	export_put(x, "}}");
}

/* What a context is after this cycle. */
static struct holder holder_of(struct exporter *x, u32 sm, u32 warp)
{
	struct machine *m = x->then.sim.m;
	const struct warp *w = (struct warp *)machine_sm_section(m, sm, SECTION_WARP) + warp;
	const struct cta *cta = machine_sm_section(m, sm, SECTION_CTA);

	return (struct holder){.generation = w->generation,
			       .cta = w->cta == NONE16 ? NONE32 : cta[w->cta].id,
			       .slot = w->slot,
			       .launch = min_u32(w->launch, 0xff)};
}

/* The status of a slot as the issue stage saw it in this cycle; NONE16: that of a warp without one. */
static u32 seen(const struct exporter *x, u32 sm, u32 slot)
{
	struct machine *m = x->then.sim.m;
	const struct sm *sm_state = machine_sm_section(m, sm, SECTION_SM);

	if (slot == NONE16)
		return WARP_SWAPPED;
	for (u32 k = 0; k < WARP_STATUS_COUNT; k++)
		if (sm_state->seen[k * m->words + slot / 64] >> slot % 64 & 1)
			return k;
	return WARP_STATUS_COUNT;
}

/*
 * A context in this cycle, which is that of its holder at the end of the cycle before: one that came in this cycle has
 * no status yet, one that has left still had one.
 */
static void chrome_look(struct exporter *x, u32 sm, u32 warp)
{
	struct trace *t = x->state;
	u32 place = sm * x->then.sim.m->contexts + warp, status = WARP_STATUS_COUNT, mask;
	struct run *r = &t->run[place];
	struct holder was = t->holder[place], now = holder_of(x, sm, warp);

	if (was.cta != NONE32 && was.cta == now.cta && was.generation == now.generation)
		status = sim_warp_status(&x->then.sim, sm, warp);
	else if (was.cta != NONE32)
		status = seen(x, sm, was.slot);
	t->holder[place] = now;
	if (status == r->status && (status == WARP_STATUS_COUNT || was.generation == r->who.generation))
		return;
	put_run(x, sm, warp, r, x->cycle);
	*r = (struct run){
		.since = x->cycle, .who = was, .pc = sim_warp_pc(&x->then.sim, sm, warp, &mask), .status = status};
}

static enum status begin(struct exporter *x, struct error *e UNUSED)
{
	const struct machine *m = x->then.sim.m;
	struct trace *t = x->state = xcalloc(1, sizeof(*t));
	char name[32];

	t->run = xcalloc(m->config.gpu_sms * m->contexts, sizeof(*t->run));
	t->holder = xcalloc(m->config.gpu_sms * m->contexts, sizeof(*t->holder));
	export_put(x, "{\"displayTimeUnit\":\"ms\",\"traceEvents\":[");
	for (u32 sm = 0; sm < m->config.gpu_sms; sm++) {
		snprintf(name, sizeof(name), "SM %u", sm);
		name_it(x, "process", sm, 0, name);
		for (u32 i = 0; i < m->contexts; i++) {
			snprintf(name, sizeof(name), "warp %u", i);
			name_it(x, "thread", sm, i, name);
			t->run[sm * m->contexts + i].status = WARP_STATUS_COUNT;
			t->holder[sm * m->contexts + i] = holder_of(x, sm, i);
		}
	}
	name_it(x, "process", m->config.gpu_sms, 0, "GPU");
	t->lives = chrome_lives_open(x);
	count(x);
	return STATUS_OK;
}

static void cycle(struct exporter *x)
{
	struct trace *t = x->state;
	const struct bus *b = &x->then.sim.bus;
	const struct machine *m = x->then.sim.m;

	for (u32 i = 0; i < b->count; i++)
		chrome_lives_record(x, t->lives, &b->record[i]);
	chrome_lives_look(x, t->lives);
	for (u32 sm = 0; sm < m->config.gpu_sms; sm++)
		for (u32 i = 0; i < m->contexts; i++)
			chrome_look(x, sm, i);
	if (count(x) || !t->counted)
		put_counters(x);
	t->counted = true;
}

static void end(struct exporter *x)
{
	struct trace *t = x->state;
	const struct machine *m = x->then.sim.m;

	for (u32 sm = 0; sm < m->config.gpu_sms; sm++)
		for (u32 i = 0; i < m->contexts; i++)
			put_run(x, sm, i, &t->run[sm * m->contexts + i], x->cycle + 1);
	chrome_lives_close(x, t->lives);
	export_put(x, "\n]}\n");
	free(t->run);
	free(t->holder);
}

const struct export_format export_chrome = {
	.want = EVENT_BIT(EVENT_CTA_START) | EVENT_BIT(EVENT_CTA_END) | EVENT_BIT(EVENT_FLUSHED) |
		EVENT_BIT(EVENT_SAVED) | EVENT_BIT(EVENT_KILLED),
	.begin = begin,
	.cycle = cycle,
	.end = end,
};
