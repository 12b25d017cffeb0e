/*
 * floor.c - the GPU as a floor (floor.h).
 *
 * Counters of now are compared with those of FLOOR_CYCLES before. Those come from a simulator of its own, which follows
 * the session's at that distance; it is a cache, a function of the position: what lies just behind it is kept, so that
 * steps back find it, anything else begins anew from a keyframe, and an input discards all.
 */
#include "floor.h"

#include "counters.h"
#include "floor_expr.h"
#include "machine.h"
#include "policy_maestro.h"
#include "epochs.h"
#include "timeline.h"

#define KEPT 512u			  /* cycles whose counters are kept, a power of two */
#define BEHIND 64u			  /* cycles that are read before the one that is asked for */
#define SM_FIXED (4 + SLOT_OUTCOME_COUNT) /* of an SM: issued, requests, replies, preempted, outcomes; operands */
#define SLICE_FIXED 2
#define CHANNEL_FIXED 2

const char *const floor_color_name[FLOOR_EXPR] = {"kernel", "occupancy", "ipc", "stall"};

const struct floor_mark_row floor_mark_table[FLOOR_MARKS] = {
	[FLOOR_OFF] = {'x', "off", "power-gated"},
	[FLOOR_GIVES] = {'~', "preempting", "CTAs are being preempted"},
	[FLOOR_GAVE] = {'<', "preempted", "a CTA was preempted in the last cycles"},
	[FLOOR_CLOSED] = {'/', "closed", "accepts no CTAs"},
	[FLOOR_TRIES] = {'?', "trial", "a partition is tried"},
	[FLOOR_DEDICATED] = {'!', "dedicated", "kept for one kernel"},
	[FLOOR_PLAIN] = {' ', "", ""},
};

struct floor {
	u8 color;
	struct floor_expr expr;
	bool fixed; /* the range is given */
	double low, high;

	struct sim sim; /* of cycle `to` */
	bool open;
	u32 applied, width; /* width: numbers of a cycle */
	struct era era;
	u64 from, to;
	u64 *kept;
};

/* --- what is wished for --- */

static struct floor *floor_made(struct floor **slot)
{
	return *slot ? *slot : (*slot = xcalloc(1, sizeof(**slot)));
}

enum status floor_color_set(struct floor **slot, struct session *s, const char *text, u32 column, struct error *e)
{
	struct floor *p = floor_made(slot);
	struct floor_expr x = {0};
	u32 color = 0;
	enum status st;

	while (color < FLOOR_EXPR && strcmp(floor_color_name[color], text))
		color++;
	if (color == FLOOR_EXPR) {
		st = floor_expr_open(&x, s, text, column, e);
		if (st)
			return st;
	}
	floor_forget(p);
	floor_expr_close(&p->expr);
	p->expr = x;
	p->color = (u8)color;
	p->fixed = false;
	return STATUS_OK;
}

enum floor_color floor_color(const struct floor *p)
{
	return p ? p->color : FLOOR_KERNEL;
}

const char *floor_color_text(const struct floor *p)
{
	return floor_color(p) == FLOOR_EXPR ? p->expr.text : floor_color_name[floor_color(p)];
}

bool floor_range(const struct floor *p, double *low, double *high)
{
	if (!p || !p->fixed)
		return false;
	*low = p->low;
	*high = p->high;
	return true;
}

void floor_range_set(struct floor **slot, bool fixed, double low, double high)
{
	struct floor *p = floor_made(slot);

	p->fixed = fixed;
	p->low = low;
	p->high = high;
}

void floor_forget(struct floor *p)
{
	if (!p || !p->open)
		return;
	sim_close(&p->sim);
	p->open = false;
}

void floor_free(struct floor *p)
{
	floor_forget(p);
	if (!p)
		return;
	floor_expr_close(&p->expr);
	free(p->kept);
	free(p);
}

/* --- counters --- */

/* Numbers that a cycle leaves behind. */
static u32 floor_width(const struct floor *p, const struct machine *m)
{
	return m->config.gpu_sms * (SM_FIXED + p->expr.noperands) + m->config.l2_slices * SLICE_FIXED +
	       m->config.dram_channels * CHANNEL_FIXED;
}

/* Take them from a machine whose counters are up to date. */
static void floor_take(const struct floor *p, const struct sim *sim, u64 *out)
{
	struct machine *m = sim->m;

	for (u32 i = 0; i < m->config.gpu_sms; i++) {
		const struct sm *sm = machine_sm_section(m, i, SECTION_SM);

		*out++ = sm->stat[STAT_INST_WARP];
		*out++ = sm->stat[STAT_REQUESTS];
		*out++ = sm->stat[STAT_REPLIES];
		*out++ = sm->stat[STAT_CTA_FLUSHED] + sm->stat[STAT_CTA_SAVED] + sm->stat[STAT_CTA_KILLED];
		memcpy(out, sm->outcomes, sizeof(sm->outcomes));
		out += SLOT_OUTCOME_COUNT;
		for (u32 k = 0; k < p->expr.noperands; k++)
			floor_counter(m, i, p->expr.operand[k], out++);
	}
	for (u32 i = 0; i < m->config.l2_slices; i++) {
		const struct slice *x = machine_slice_section(m, i, SECTION_SLICE);

		*out++ = x->stat[STAT_L2_ACCESSES];
		*out++ = x->stat[STAT_L2_REPLIES];
	}
	for (u32 i = 0; i < m->config.dram_channels; i++) {
		const struct channel *x = machine_channel_section(m, i, SECTION_CHANNEL);

		*out++ = x->stat[STAT_DRAM_BUSY];
		*out++ = x->stat[STAT_DRAM_READS] + x->stat[STAT_DRAM_WRITES];
	}
}

static u64 *floor_kept(const struct floor *p, u64 cycle)
{
	return &p->kept[(size_t)(cycle % KEPT) * p->width];
}

/* Keep the cycle that the follower has completed. */
static void floor_keep(struct floor *p)
{
	sim_sync(&p->sim);
	p->to = machine_gpu(p->sim.m)->cycle;
	floor_take(p, &p->sim, floor_kept(p, p->to));
	if (p->to - p->from >= KEPT)
		p->from = p->to - KEPT + 1;
}

/* Begin anew at a cycle, or at the first that the timeline has. */
static void floor_begin(struct floor *p, const struct session *s, u64 cycle)
{
	floor_forget(p);
	timeline_fork(s->timeline, (struct position){cycle, 0}, &p->sim, &p->applied);
	p->open = true;
	p->sim.bus.want = 0;
	p->era = session_era(s);
	p->width = floor_width(p, p->sim.m);
	p->kept = xrealloc(p->kept, (size_t)KEPT * p->width * sizeof(*p->kept));
	p->from = machine_gpu(p->sim.m)->cycle;
	floor_keep(p);
}

/* The counters after *cycle, or after the first cycle that there is, which it becomes. NULL: interrupted. */
static const u64 *floor_past(struct floor *p, const struct session *s, u64 *cycle)
{
	u64 at = *cycle;

	if (!p->open || !session_era_holds(s, p->era) || at < p->from || at > p->to + KEPT)
		floor_begin(p, s, at - min_u64(at, BEHIND));
	at = *cycle = max_u64(at, p->from);
	while (p->to < at) {
		u64 next = p->to + 1;

		timeline_follow(s->timeline, &p->sim, &p->applied, (struct position){next, 0});
		if (machine_gpu(p->sim.m)->cycle != next)
			return NULL;
		floor_keep(p);
	}
	return floor_kept(p, at);
}

/* --- what is there now --- */

/* The kernels that share an SM. */
static void floor_parts(struct floor_sm *f, struct machine *m, u32 sm)
{
	const struct cta *cta = machine_sm_section(m, sm, SECTION_CTA);

	for (u32 i = 0; i < m->section[SECTION_CTA].count; i++) {
		u32 k = 0;

		if (cta[i].launch == NONE16)
			continue;
		while (k < f->nparts && f->part[k].launch < cta[i].launch)
			k++;
		if (k == f->nparts || f->part[k].launch != cta[i].launch) {
			if (f->nparts == FLOOR_PARTS) {
				k = FLOOR_PARTS - 1;
			} else {
				memmove(&f->part[k + 1], &f->part[k], (f->nparts - k) * sizeof(f->part[0]));
				f->part[k] = (struct floor_part){.launch = cta[i].launch};
				f->nparts++;
			}
		}
		f->part[k].ctas++;
		f->part[k].warps += cta[i].warps;
	}
}

/* Are CTAs on their way out? */
static bool floor_gives(struct machine *m, u32 sm)
{
	const struct sm *x = machine_sm_section(m, sm, SECTION_SM);
	const struct cta *cta = machine_sm_section(m, sm, SECTION_CTA);

	if (x->needs || x->draining)
		return true;
	for (u32 i = 0; machine_gpu(m)->departing + machine_gpu(m)->leaving && i < m->section[SECTION_CTA].count; i++)
		if (cta[i].launch != NONE16 && cta[i].leaving)
			return true;
	return false;
}

/* gave: CTAs that were preempted from it in the last cycles. */
static enum floor_mark floor_mark_of(struct machine *m, u32 sm, u64 gave)
{
	const struct bounds *b = machine_sm_section(m, sm, SECTION_BOUNDS);
	u32 role = epochs_run(m) ? maestro_state(m).sm[sm].role : ROLE_NONE;

	if (b->off)
		return FLOOR_OFF;
	if (floor_gives(m, sm))
		return FLOOR_GIVES;
	if (gave)
		return FLOOR_GAVE;
	if (b->closed)
		return FLOOR_CLOSED;
	if (role == ROLE_MORE || role == ROLE_LESS)
		return FLOOR_TRIES;
	if (role == ROLE_DEDICATED || ((struct claim *)machine_sm_section(m, sm, SECTION_CLAIM))->launch)
		return FLOOR_DEDICATED;
	return FLOOR_PLAIN;
}

/* The value that colors an SM. gain: of the operands. */
static void floor_value(struct floor_view *f, const struct floor *p, struct session *s, u32 sm, const u64 *gain)
{
	struct floor_sm *x = &f->sm[sm];
	u64 slots = 0;

	switch (floor_color(p)) {
	case FLOOR_IPC:
		x->known = f->cycles;
		x->value = f->cycles ? (double)x->issued / (double)f->cycles : 0;
		return;
	case FLOOR_STALL:
		for (u32 i = 0; i < SLOT_OUTCOME_COUNT; i++)
			slots += x->outcome[i];
		x->known = slots;
		x->value = slots ? 1 - (double)x->outcome[SLOT_ISSUED] / (double)slots : 0;
		return;
	case FLOOR_EXPR: x->known = floor_expr_value(&p->expr, s, sm, gain, f->cycles, &x->value); return;
	default: x->known = true; x->value = x->warps;
	}
}

/* What the colors stand for. */
static void floor_measure(struct floor_view *f, const struct floor *p, const struct machine *m)
{
	f->low = f->high = 0;
	if (floor_range(p, &f->low, &f->high))
		return;
	switch (floor_color(p)) {
	case FLOOR_IPC: f->high = (double)m->schedulers / m->config.issue_interval; return;
	case FLOOR_STALL: f->high = 1; return;
	case FLOOR_EXPR:
		for (u32 i = 0; i < f->sms; i++) {
			if (!f->sm[i].known)
				continue;
			f->low = f->sm[i].value < f->low ? f->sm[i].value : f->low;
			f->high = f->sm[i].value > f->high ? f->sm[i].value : f->high;
		}
		return;
	default: f->high = m->contexts;
	}
}

/* An SM: what it holds, what it gained. */
static void floor_read_sm(struct floor_view *f, const struct floor *p, struct session *s, struct machine *m, u32 i,
			  const u64 *gain)
{
	const struct sm *sm = machine_sm_section(m, i, SECTION_SM);
	struct floor_sm *x = &f->sm[i];

	x->ctas = sm->ctas;
	x->warps = sm->warps;
	x->issued = gain[0];
	x->requests = gain[1];
	x->replies = gain[2];
	memcpy(x->outcome, gain + 4, sizeof(x->outcome));
	floor_parts(x, m, i);
	x->mark = (u8)floor_mark_of(m, i, gain[3]);
	floor_value(f, p, s, i, gain + SM_FIXED);
}

/* The memory: what waits now, what was done. */
static void floor_read_memory(struct floor_view *f, struct machine *m, const u64 *gain)
{
	const struct config *c = &m->config;
	u64 now = machine_gpu(m)->cycle, from = now - f->cycles;

	f->slice_room = m->section[SECTION_SLICE_IN].count + m->section[SECTION_SLICE_FAR].count;
	f->channel_room = c->dram_queue;
	f->slice_clocks = (double)(domain_clock(c, c->l2_clock, now) - domain_clock(c, c->l2_clock, from));
	f->sectors = (double)c->dram_bytes / FLOOR_SECTOR;
	f->channel_clocks = (double)(domain_clock(c, c->dram_clock, now) - domain_clock(c, c->dram_clock, from));
	for (u32 i = 0; i < f->slices; i++, gain += SLICE_FIXED) {
		const struct slice *x = machine_slice_section(m, i, SECTION_SLICE);

		f->slice[i] = (struct floor_slice){x->in_count + x->far_count, gain[0], gain[1]};
	}
	for (u32 i = 0; i < f->channels; i++, gain += CHANNEL_FIXED) {
		const struct channel *x = machine_channel_section(m, i, SECTION_CHANNEL);

		f->channel[i] = (struct floor_channel){x->waiting[0] + x->waiting[1], gain[0], gain[1]};
	}
}

bool floor_open(struct floor_view *f, struct floor **slot, struct session *s, const struct sim *sim)
{
	struct floor *p = floor_made(slot);
	struct machine *m = sim->m;
	u64 now = machine_gpu(m)->cycle, from = now - min_u64(now, FLOOR_CYCLES), *gain;
	const u64 *past = floor_past(p, s, &from);
	u32 width = p->width;

	*f = (struct floor_view){
		.sms = m->config.gpu_sms, .slices = m->config.l2_slices, .channels = m->config.dram_channels};
	if (!past)
		return false;
	f->cycles = now - min_u64(now, from);
	f->sm = xcalloc(f->sms, sizeof(*f->sm));
	f->slice = xcalloc(f->slices, sizeof(*f->slice));
	f->channel = xcalloc(f->channels, sizeof(*f->channel));
	gain = xmalloc((width + 1) * sizeof(*gain));
	floor_take(p, sim, gain);
	for (u32 i = 0; i < width; i++)
		gain[i] = f->cycles ? gain[i] - past[i] : 0;
	for (u32 i = 0; i < f->sms; i++)
		floor_read_sm(f, p, s, m, i, gain + i * (SM_FIXED + p->expr.noperands));
	floor_read_memory(f, m, gain + f->sms * (SM_FIXED + p->expr.noperands));
	floor_measure(f, p, m);
	free(gain);
	return true;
}

void floor_close(struct floor_view *f)
{
	free(f->sm);
	free(f->slice);
	free(f->channel);
	*f = (struct floor_view){0};
}
