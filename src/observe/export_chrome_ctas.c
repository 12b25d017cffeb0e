/*
 * export_chrome_ctas.c - the lives of CTAs in Trace Event JSON, as async slices.
 *
 * A stay on an SM is a slice of that SM; in it lie its phases: draining, saving, restoring. One that was flushed, saved
 * or killed ends with that word. A CTA that waits outside the SMs has a slice of process "GPU".
 */
#include "events.h"
#include "export_chrome.h"
#include "machine.h"

enum phase { PHASE_NONE, PHASE_DRAINING, PHASE_SAVING, PHASE_RESTORING };
static const char *const phase_name[] = {
	[PHASE_DRAINING] = "draining", [PHASE_SAVING] = "saving", [PHASE_RESTORING] = "restoring"};

/* A resident CTA in a phase, or one that waits; launch NONE16: nobody. */
struct life {
	u32 launch, cta;
	u32 phase;
	u64 since; /* of one that waits: when it left */
};
struct chrome_lives {
	struct life *resident; /* by SM and place */
	struct life *waiting;  /* by place */
};

/* The beginning of an async event: phase letter, name, whose. */
static void put_async(struct exporter *x, char letter, const char *name, const char *id, u32 pid)
{
	chrome_event(x);
	export_put(x, "{\"ph\":\"%c\",\"cat\":\"cta\",\"name\":", letter);
	export_string(x, name);
	export_put(x, ",\"id\":\"%s\",\"pid\":%u,\"tid\":0,\"ts\":%llu", id, pid, x->cycle);
}

/* A CTA comes to an SM ('b') or leaves it ('e'); end: how, if not at its end. */
static void put_stay(struct exporter *x, char letter, u32 sm, const struct life *c, const char *end)
{
	const struct kernel *k = export_kernel(x, c->launch);
	char name[160], id[48];

	snprintf(name, sizeof(name), "%.120s cta %u", k ? k->name : "kernel", c->cta);
	snprintf(id, sizeof(id), "%u.%u.%u", sm, c->launch, c->cta);
	put_async(x, letter, name, id, sm);
	if (end)
		export_put(x, ",\"args\":{\"end\":\"%s\"}", end);
	export_put(x, "}");
}

/* A phase of a stay begins or ends. */
static void put_phase(struct exporter *x, char letter, u32 sm, const struct life *c)
{
	char id[48];

	snprintf(id, sizeof(id), "%u.%u.%u", sm, c->launch, c->cta);
	put_async(x, letter, phase_name[c->phase], id, sm);
	export_put(x, "}");
}

/* A CTA begins to wait outside the SMs, or ends to. */
static void put_wait(struct exporter *x, char letter, const struct life *c)
{
	const struct kernel *k = export_kernel(x, c->launch);
	char name[160], id[48];

	snprintf(name, sizeof(name), "%.120s cta %u waits", k ? k->name : "kernel", c->cta);
	snprintf(id, sizeof(id), "w.%u.%u", c->launch, c->cta);
	put_async(x, letter, name, id, x->then.sim.m->config.gpu_sms);
	export_put(x, "}");
}

/* What a resident CTA does now. */
static struct life resident_now(const struct exporter *x, u32 sm, u32 place)
{
	struct machine *m = x->then.sim.m;
	const struct cta *cta = (struct cta *)machine_sm_section(m, sm, SECTION_CTA) + place;
	const struct sm *state = machine_sm_section(m, sm, SECTION_SM);
	struct life now = {.launch = cta->launch, .cta = cta->id};

	if (cta->launch == NONE16)
		return (struct life){.launch = NONE16};
	now.launch = min_u32(now.launch, 0xff);
	if (cta->moves_at)
		now.phase = cta->leaving ? PHASE_SAVING : PHASE_RESTORING;
	else if (state->draining >> place & 1)
		now.phase = PHASE_DRAINING;
	return now;
}

/* Who waits in a place outside the SMs. */
static struct life waiting_now(const struct exporter *x, u32 place)
{
	const struct parked *p = (struct parked *)machine_gpu_section(x->then.sim.m, SECTION_PARKED) + place;

	if (p->launch == NONE16)
		return (struct life){.launch = NONE16};
	return (struct life){.launch = min_u32(p->launch, 0xff), .cta = p->id, .since = p->since};
}

/* The phases of all resident CTAs, and all that wait: what has ended, what has begun. */
void chrome_lives_look(struct exporter *x, struct chrome_lives *l)
{
	const struct machine *m = x->then.sim.m;

	for (u32 i = 0; i < m->config.gpu_sms * m->residents; i++) {
		struct life was = l->resident[i], now = resident_now(x, i / m->residents, i % m->residents);

		if (was.launch == now.launch && was.cta == now.cta && was.phase == now.phase)
			continue;
		if (was.phase)
			put_phase(x, 'e', i / m->residents, &was);
		if (now.phase)
			put_phase(x, 'b', i / m->residents, &now);
		l->resident[i] = now;
	}
	for (u32 i = 0; i < m->config.preempt_ctas; i++) {
		struct life was = l->waiting[i], now = waiting_now(x, i);

		if (was.launch == now.launch && was.cta == now.cta && was.since == now.since)
			continue;
		if (was.launch != NONE16)
			put_wait(x, 'e', &was);
		if (now.launch != NONE16)
			put_wait(x, 'b', &now);
		l->waiting[i] = now;
	}
}

/* The phase of a CTA that leaves is over before its stay is. */
static void end_phase(struct exporter *x, struct chrome_lives *l, const struct record *r)
{
	u32 n = x->then.sim.m->residents;

	for (u32 i = r->sm * n; i < (r->sm + 1u) * n; i++)
		if (l->resident[i].launch == r->launch && l->resident[i].cta == r->cta && l->resident[i].phase) {
			put_phase(x, 'e', r->sm, &l->resident[i]);
			l->resident[i].phase = PHASE_NONE;
		}
}

void chrome_lives_record(struct exporter *x, struct chrome_lives *l, const struct record *r)
{
	struct life c = {.launch = r->launch, .cta = r->cta};
	const char *end = r->kind == EVENT_FLUSHED  ? "flushed"
			  : r->kind == EVENT_SAVED  ? "saved"
			  : r->kind == EVENT_KILLED ? "killed"
						    : NULL;

	if (r->kind == EVENT_CTA_START) {
		put_stay(x, 'b', r->sm, &c, NULL);
		return;
	}
	end_phase(x, l, r);
	put_stay(x, 'e', r->sm, &c, end);
}

/* The stays that there are, at the window's ends. */
static void put_stays(struct exporter *x, char letter)
{
	const struct machine *m = x->then.sim.m;

	for (u32 i = 0; i < m->config.gpu_sms * m->residents; i++) {
		struct life now = resident_now(x, i / m->residents, i % m->residents);

		if (now.launch != NONE16)
			put_stay(x, letter, i / m->residents, &now, NULL);
	}
}

struct chrome_lives *chrome_lives_open(struct exporter *x)
{
	const struct machine *m = x->then.sim.m;
	struct chrome_lives *l = xcalloc(1, sizeof(*l));

	l->resident = xcalloc(m->config.gpu_sms * m->residents, sizeof(*l->resident));
	l->waiting = xcalloc(m->config.preempt_ctas + 1, sizeof(*l->waiting));
	for (u32 i = 0; i < m->config.gpu_sms * m->residents; i++)
		l->resident[i].launch = NONE16;
	for (u32 i = 0; i < m->config.preempt_ctas; i++)
		l->waiting[i].launch = NONE16;
	x->cycle++; /* the window's first cycle */
	put_stays(x, 'b');
	chrome_lives_look(x, l);
	x->cycle--;
	return l;
}

void chrome_lives_close(struct exporter *x, struct chrome_lives *l)
{
	const struct machine *m = x->then.sim.m;

	x->cycle++;
	for (u32 i = 0; i < m->config.gpu_sms * m->residents; i++)
		if (l->resident[i].phase)
			put_phase(x, 'e', i / m->residents, &l->resident[i]);
	for (u32 i = 0; i < m->config.preempt_ctas; i++)
		if (l->waiting[i].launch != NONE16)
			put_wait(x, 'e', &l->waiting[i]);
	put_stays(x, 'e');
	x->cycle--;
	free(l->resident);
	free(l->waiting);
	free(l);
}
