/*
 * effects_record.c - a run is recorded: what happens in each cycle, and before what it cannot happen (effects.h).
 */
#include "effects_internal.h"
#include "events.h"

#define RECENT 64  /* instructions of a warp whose answers may be awaited */
#define LINES 4096 /* lines of L1Ds that came lately, by a hash */
#define MOST_MOMENTS 40000000u

/* A load that has found its line requested by another. */
struct shared_line {
	u32 issue, of; /* moments: its issue, that of the load that requested the line */
	u64 came;      /* the line, in this cycle; 0: not yet */
};
/* A context. */
struct walker {
	u32 launch, cta, ordinal, start, last; /* moments; NONE32: none */
	u16 index, turn;
	u8 status;
	bool known;
	u64 age, piped;
	u64 blocked, other, barrier; /* last cycles in which it was not ready; for reasons that move with it; at a
					barrier */
	u32 release;		     /* the last of its CTA */
	u32 recent[RECENT], head;
	u64 accessed[RECENT];		   /* the L1D has taken its last line */
	struct shared_line shared[RECENT]; /* the last line that another has requested */
	bool missed[RECENT];
	u32 writer[HAZARD_WORDS * 64];
};
struct line {
	u64 address, came;
	u32 issue;
	u16 sm;
};
struct recorder {
	const struct session *session;
	struct sim *sim;
	struct effects_record *r;
	struct walker *walker; /* [sm x contexts + context] */
	struct line line[LINES];
	u32 *ended; /* by SM: the CTA that left last, */
	u32 last;   /* and of all */
	u64 now;
	u64 early; /* when the result comes early; 0: not yet known */
};

static u32 add_moment(struct recorder *w, struct moment x)
{
	struct effects_record *r = w->r;

	x.at = w->now;
	x.first = r->ncauses;
	x.answer = NONE32;
	r->moment = array_grow(r->moment, r->n, sizeof(*r->moment));
	r->moment[r->n] = x;
	return r->n++;
}

/* The newest moment has a cause: what it is, and when it let the moment come. */
static void add_cause(struct recorder *w, u32 of, u64 at, u32 edge)
{
	struct effects_record *r = w->r;

	if (of == NONE32)
		return;
	r->cause = array_grow(r->cause, r->ncauses, sizeof(*r->cause));
	r->cause[r->ncauses++] =
		(struct cause){.of = of, .lag = (i32)((i64)at - (i64)r->moment[of].at), .edge = (u8)edge};
	r->moment[r->n - 1].n++;
}

static struct walker *walker_of(struct recorder *w, const struct record *r)
{
	return &w->walker[r->sm * w->sim->m->contexts + r->warp];
}

/* How often a launch has begun again. */
static u16 turn_of(const struct recorder *w, u32 launch)
{
	const struct launch_run *run = machine_gpu_section(w->sim->m, SECTION_LAUNCH);

	return (u16)run[launch].iteration;
}

/* The context has a new CTA. */
static void settle_in(struct recorder *w, struct walker *x, u32 sm, u32 context, u32 start)
{
	const struct warp *warp = (struct warp *)machine_sm_section(w->sim->m, sm, SECTION_WARP) + context;
	const struct cta *cta = (struct cta *)machine_sm_section(w->sim->m, sm, SECTION_CTA) + warp->cta;

	*x = (struct walker){.launch = warp->launch,
			     .cta = cta->id,
			     .index = warp->index,
			     .turn = turn_of(w, warp->launch),
			     .ordinal = warp->issued,
			     .start = start,
			     .last = start,
			     .known = true,
			     .age = cta->started << 16 | warp->index,
			     .release = NONE32};
	memset(x->recent, 0xff, sizeof(x->recent));
	memset(x->writer, 0xff, sizeof(x->writer));
}

/* The place among the recent ones of a warp's instruction at pc that has no answer yet, the oldest; RECENT: none. */
static u32 recent_of(const struct recorder *w, const struct walker *x, u32 pc)
{
	for (u32 k = 0; k < RECENT; k++) {
		u32 at = (x->head + k) % RECENT, i = x->recent[at];

		if (i != NONE32 && w->r->moment[i].pc == pc && w->r->moment[i].answer == NONE32)
			return at;
	}
	return RECENT;
}

/* What an issue cannot come before: the one before it in its warp, results, a barrier, what else the warp waited for.
 */
static void find_causes(struct recorder *w, struct walker *x, const struct inst *in, u64 before)
{
	struct effects_record *r = w->r;

	add_cause(w, x->last, before + 1, EFFECT_ORDER);
	if (x->other > before)
		add_cause(w, x->last, x->other + 1, EFFECT_ORDER);
	if (x->release != NONE32 && x->barrier > before)
		add_cause(w, x->release, x->barrier + 1, EFFECT_BARRIER);
	for (u32 i = 0; i < HAZARD_WORDS; i++)
		for (u64 left = in->hazard[i]; left; left &= left - 1) {
			u32 p = x->writer[i * 64 + (u32)__builtin_ctzll(left)];
			u32 answer = p == NONE32 ? NONE32 : r->moment[p].answer;

			if (answer != NONE32)
				add_cause(w, answer, r->moment[answer].at, EFFECT_DATA);
			else if (p == r->seed && p != NONE32)
				add_cause(w, p, r->moment[p].at + 1, EFFECT_DATA);
		}
}

static void on_issue(struct recorder *w, const struct record *rec)
{
	struct walker *x = walker_of(w, rec);
	struct effects_record *r = w->r;
	const struct inst *in;
	u64 before;
	u32 i;

	if (!x->known) {
		settle_in(w, x, rec->sm, rec->warp, NONE32);
		x->ordinal -= x->ordinal != 0; /* it has issued this one, too */
	}
	in = &w->session->program.launch[x->launch].kernel->inst[rec->pc];
	before = x->last == NONE32 ? w->r->from : r->moment[x->last].at;
	i = add_moment(w, (struct moment){.kind = MOMENT_ISSUE,
					  .launch = x->launch,
					  .cta = x->cta,
					  .index = x->index,
					  .turn = x->turn,
					  .ordinal = x->ordinal,
					  .pc = rec->pc,
					  .sm = rec->sm,
					  .warp = rec->warp,
					  .sub = rec->sub,
					  .age = x->age,
					  .piped = x->piped > before,
					  .class = (u8)rec->b});
	r->moment[i].ready = min_u64(max_u64(x->blocked, before) + 1, w->now);
	find_causes(w, x, in, before);
	x->last = i;
	x->ordinal++;
	x->recent[x->head % RECENT] = i;
	x->accessed[x->head % RECENT] = 0;
	x->missed[x->head % RECENT] = false;
	x->shared[x->head % RECENT].issue = NONE32;
	x->head = (x->head + 1) % RECENT;
	for (u32 k = 0; k < in->nwrite; k++)
		x->writer[in->write[k]] = i;
	for (u32 k = 0; k < 2; k++)
		if (in->write_pred[k] != 0xff)
			x->writer[HAZARD_PRED + in->write_pred[k]] = i;
}

static struct line *line_of(struct recorder *w, u32 sm, u64 address)
{
	return &w->line[mix64(address ^ (u64)sm << 56) % LINES];
}

/* The L1D has looked a line up. */
static void on_access(struct recorder *w, const struct record *rec)
{
	struct walker *x = rec->warp == NONE16 ? NULL : walker_of(w, rec);
	u32 at = x && x->known ? recent_of(w, x, rec->pc) : RECENT;
	struct line *l = line_of(w, rec->sm, rec->address);

	if (at == RECENT)
		return;
	x->accessed[at] = w->now;
	if (rec->kind == EVENT_L1D_MISS || rec->kind == EVENT_L1D_PAST) {
		x->missed[at] = true;
		*l = (struct line){.address = rec->address, .issue = x->recent[at], .sm = rec->sm};
	} else if (rec->kind == EVENT_L1D_MERGE && l->address == rec->address && l->sm == rec->sm &&
		   l->issue != x->recent[at]) {
		x->shared[at] = (struct shared_line){x->recent[at], l->issue, l->came};
	}
}

static void on_reply(struct recorder *w, const struct record *rec)
{
	struct line *l = line_of(w, rec->sm, rec->address);

	if (l->address == rec->address && l->sm == rec->sm)
		l->came = w->now;
}

static void on_writeback(struct recorder *w, const struct record *rec)
{
	struct walker *x = walker_of(w, rec);
	u32 at = x->known ? recent_of(w, x, rec->pc) : RECENT, i;
	struct effects_record *r = w->r;
	struct moment m;

	if (at == RECENT)
		return;
	m = r->moment[x->recent[at]];
	m.kind = MOMENT_ANSWER;
	m.missed = x->missed[at];
	m.n = 0;
	i = add_moment(w, m);
	r->moment[x->recent[at]].answer = i;
	if (x->shared[at].issue != NONE32 && !x->missed[at]) {
		u64 came = x->shared[at].came ? x->shared[at].came : w->now;
		u64 least = r->moment[x->recent[at]].at + 1;

		/* its own way would have let it come earlier */
		add_cause(w, x->recent[at],
			  max_u64(least, min_u64(x->accessed[at] + w->sim->m->config.l1d_latency, w->now)),
			  EFFECT_LATENCY);
		add_cause(w, x->shared[at].of, min_u64(max_u64(came, least), w->now), EFFECT_LINE);
	} else {
		add_cause(w, x->recent[at], w->now, EFFECT_LATENCY);
	}
}

/* The CTA of a record: its contexts, one after the other; NULL: no more. */
static struct walker *each_walker(struct recorder *w, const struct record *rec, u32 *context)
{
	while (*context < w->sim->m->contexts) {
		struct walker *x = &w->walker[rec->sm * w->sim->m->contexts + (*context)++];

		if (x->known && x->cta == rec->cta && min_u32(x->launch, 0xff) == rec->launch)
			return x;
	}
	return NULL;
}

static u32 add_of_cta(struct recorder *w, const struct record *rec, u32 launch, u32 kind)
{
	return add_moment(w, (struct moment){.kind = (u8)kind,
					     .launch = launch,
					     .turn = kind == MOMENT_START ? turn_of(w, launch) : 0,
					     .cta = rec->cta,
					     .pc = NONE32,
					     .sm = rec->sm,
					     .warp = NONE16});
}

/* A barrier is complete, or a CTA ends: it hangs on its warps. */
static void on_last(struct recorder *w, const struct record *rec, u32 kind, u32 edge)
{
	struct effects_record *r = w->r;
	u32 context = 0, i = add_of_cta(w, rec, rec->launch, kind);
	u64 latest = 0;

	for (struct walker *x; (x = each_walker(w, rec, &context)) != NULL;) {
		r->moment[i].launch = x->launch;
		r->moment[i].turn = x->turn;
		if (x->last != NONE32 && (kind == MOMENT_END || r->moment[x->last].pc == rec->pc || rec->pc == NONE32))
			latest = max_u64(latest, r->moment[x->last].at);
	}
	context = 0;
	for (struct walker *x; (x = each_walker(w, rec, &context)) != NULL;) {
		add_cause(w, x->last, x->last == NONE32 ? 0 : r->moment[x->last].at + (w->now - latest), edge);
		for (u32 k = 0; kind == MOMENT_END && k < RECENT; k++) {
			u32 answer = x->recent[k] == NONE32 ? NONE32 : r->moment[x->recent[k]].answer;

			if (answer != NONE32)
				add_cause(w, answer, r->moment[answer].at, edge);
		}
		x->known = kind != MOMENT_END;
		x->release = i;
	}
	if (kind == MOMENT_END)
		w->ended[rec->sm] = w->last = i;
}

static void on_start(struct recorder *w, const struct record *rec)
{
	const struct warp *warp = machine_sm_section(w->sim->m, rec->sm, SECTION_WARP);
	const struct cta *cta = machine_sm_section(w->sim->m, rec->sm, SECTION_CTA);
	u32 i = add_of_cta(w, rec, rec->launch, MOMENT_START);

	if (w->last != NONE32 &&
	    (w->r->moment[w->last].launch != rec->launch || w->r->moment[w->last].turn != turn_of(w, rec->launch)))
		add_cause(w, w->last, w->now, EFFECT_LAUNCH); /* a kernel begins when the one before has ended */
	else
		add_cause(w, w->ended[rec->sm], w->now, EFFECT_LAUNCH);
	for (u32 c = 0; c < w->sim->m->contexts; c++)
		if (warp[c].cta != NONE16 && cta[warp[c].cta].id == rec->cta &&
		    min_u32(warp[c].launch, 0xff) == rec->launch)
			settle_in(w, &w->walker[rec->sm * w->sim->m->contexts + c], rec->sm, c, i);
}

static void take(struct recorder *w, const struct record *rec)
{
	switch (rec->kind) {
	case EVENT_ISSUE: on_issue(w, rec); break;
	case EVENT_WRITEBACK: on_writeback(w, rec); break;
	case EVENT_L1D_HIT:
	case EVENT_L1D_MISS:
	case EVENT_L1D_PAST:
	case EVENT_L1D_MERGE: on_access(w, rec); break;
	case EVENT_REPLY: on_reply(w, rec); break;
	case EVENT_RELEASE: on_last(w, rec, MOMENT_RELEASE, EFFECT_BARRIER); break;
	case EVENT_CTA_END: on_last(w, rec, MOMENT_END, EFFECT_END); break;
	default: on_start(w, rec); break;
	}
}

#define WANTED \
	(EVENT_BIT(EVENT_ISSUE) | EVENT_BIT(EVENT_WRITEBACK) | EVENT_BIT(EVENT_L1D_HIT) | EVENT_BIT(EVENT_L1D_MISS) | \
	 EVENT_BIT(EVENT_L1D_MERGE) | EVENT_BIT(EVENT_L1D_PAST) | EVENT_BIT(EVENT_REPLY) | EVENT_BIT(EVENT_RELEASE) | \
	 EVENT_BIT(EVENT_CTA_START) | EVENT_BIT(EVENT_RESTORED) | EVENT_BIT(EVENT_CTA_END))

/* What the warps of an SM wait for at the end of a cycle. */
static void look(struct recorder *w, u32 sm, bool skipped)
{
	for (u32 c = 0; c < w->sim->m->contexts; c++) {
		struct walker *x = &w->walker[sm * w->sim->m->contexts + c];
		u32 status = skipped ? x->status : x->known ? sim_warp_status(w->sim, sm, c) : WARP_DONE;

		if (!x->known)
			continue;
		x->status = (u8)status;
		if (status == WARP_LSU || status == WARP_UNIT || status == WARP_COLLECTOR)
			x->piped = w->now;
		if (status == WARP_ISSUED || state_ready(status))
			continue;
		x->blocked = w->now;
		if (status == WARP_BARRIER)
			x->barrier = w->now;
		else if (status != WARP_LONG && status != WARP_SHORT)
			x->other = w->now;
	}
}

/* A cycle, or a jump over idle ones. */
static void step(struct recorder *w, u32 *applied)
{
	struct sim *s = w->sim;
	u64 now = sim_clock(s), input = timeline_input_next(w->session->timeline, *applied);
	bool skipped;

	if (w->early && w->early == now)
		sim_answer_early(s);
	skipped = sim_skip(s, min_u64(min_u64(input, w->r->until), w->early > now ? w->early : NEVER)) > now;

	w->now = sim_clock(s);
	if (!skipped) {
		timeline_follow(w->session->timeline, s, applied, (struct position){now + 1, 0});
		w->now = sim_clock(s);
		for (u32 i = 0; i < s->bus.count; i++)
			take(w, &s->bus.record[i]);
	}
	for (u32 i = 0; i < s->m->config.gpu_sms; i++)
		look(w, i, skipped);
}

/* Those that are there from the beginning. */
static void begin(struct recorder *w)
{
	for (u32 sm = 0; sm < w->sim->m->config.gpu_sms; sm++) {
		const struct warp *warp = machine_sm_section(w->sim->m, sm, SECTION_WARP);

		w->ended[sm] = NONE32;
		for (u32 c = 0; c < w->sim->m->contexts; c++)
			if (warp[c].cta != NONE16)
				settle_in(w, &w->walker[sm * w->sim->m->contexts + c], sm, c, NONE32);
	}
}

/* Was the instruction that is asked for issued in this cycle? */
static void look_for(struct recorder *w, const struct at_once *seed, u64 issued, u32 from)
{
	for (u32 i = from; i < w->r->n && w->r->seed == NONE32; i++) {
		const struct moment *m = &w->r->moment[i];

		if (m->kind == MOMENT_ISSUE && m->at == issued && m->sm == seed->sm && m->warp == seed->context &&
		    m->ordinal == seed->ordinal && m->launch == seed->launch && m->cta == seed->cta)
			w->r->seed = i;
	}
}

enum status effects_record(struct session *s, struct sim *fork, u32 applied, u64 until, struct at_once *seed,
			   u64 issued, u64 when, u64 early, struct effects_record *out, struct error *e)
{
	u32 sms = sim_config(fork)->gpu_sms;
	struct recorder *w = xcalloc(1, sizeof(*w));
	enum status st = STATUS_OK;

	*out = (struct effects_record){.from = sim_clock(fork), .until = until, .seed = NONE32};
	w->session = s;
	w->sim = fork;
	w->r = out;
	w->walker = xcalloc(sms * fork->m->contexts, sizeof(*w->walker));
	w->ended = xcalloc(sms, sizeof(*w->ended));
	fork->bus.want = WANTED;
	w->now = sim_clock(fork);
	w->last = NONE32;
	begin(w);
	while (!st && sim_clock(fork) < until && !sim_finished(fork) && !sim_faulted(fork) && !sim_deadlocked(fork)) {
		u32 n = out->n;

		if (!fork->at_once && sim_clock(fork) >= when)
			sim_at_once(fork, seed);
		if (timeline_interrupt && timeline_stops())
			st = error_set(e, STATUS_FAILED, "interrupted");
		else if (n > MOST_MOMENTS)
			st = error_set(e, STATUS_FAILED, "too many events (`for CYCLES` looks at fewer)");
		else
			step(w, &applied);
		look_for(w, seed, issued, n);
		if (out->seed != NONE32 && seed->later && !w->early)
			w->early = out->moment[out->seed].at + early - 1;
	}
	out->until = sim_clock(fork);
	free(w->walker);
	free(w->ended);
	free(w);
	return st;
}

void effects_record_free(struct effects_record *r)
{
	free(r->moment);
	free(r->cause);
	*r = (struct effects_record){0};
}
