/*
 * livelock.c - a fork is run on until every warp is known to go round for ever (livelock.h).
 *
 * A state that comes again is found as Brent finds it: it is compared with one that is replaced after 1, 2, 4, ...
 * steps. States are compared by 64-bit hashes. Every write of global memory is tried on its own before the seal, so
 * that two which undo each other are seen; two instructions that write the shared memory of one CTA in one cycle count
 * as a change, though they may have been none. What is shown for a fair order of warps holds for every order, as long
 * as no value has changed: that is tried first, because an order may starve warps. Barriers with a number of threads,
 * and those that return votes, are taken for clocks: who meets there may depend on timing.
 */
#include "events.h"
#include "ops.h"
#include "policy.h"
#include "livelock.h"

#include "timeline.h"

#include <xxhash.h>

#define WANTED \
	(EVENT_BIT(EVENT_ISSUE) | EVENT_BIT(EVENT_WARP_DONE) | EVENT_BIT(EVENT_CTA_START) | EVENT_BIT(EVENT_CTA_END) | \
	 EVENT_BIT(EVENT_KERNEL_START) | EVENT_BIT(EVENT_KERNEL_END))

const char *const livelock_verdict_name[4] = {"no", "seems", "proven", "policy"};

static struct livelock_warp *watched(const struct livelock_watch *p, u32 sm, u32 context)
{
	return &p->warp[sm * p->fork.m->contexts + context];
}

static const struct warp *warp_at(const struct sim *sim, u32 sm, u32 context)
{
	return (struct warp *)machine_sm_section(sim->m, sm, SECTION_WARP) + context;
}

u64 livelock_hash(const struct sim *sim, u32 sm, u32 context)
{
	const struct warp *w = warp_at(sim, sm, context);
	const struct chunk *c = sim->store.context[machine_values(sim->m, sm, context)];
	const struct simt_entry *stack = machine_sm_section(sim->m, sm, SECTION_STACK);
	bool counts =
		sim->kernel[w->launch]->front != FRONT_PTX; /* without values a loop goes by how often it was taken */
	u64 h = mix64((u64)(counts ? w->iteration : 0) << 32 | w->depth) ^ w->cursor;

	h += mix64((u64)w->waits << 32 | (u32)w->spins << 1 | w->joins);
	h = XXH3_64bits_withSeed(&stack[context * SIMT_DEPTH], w->depth * sizeof(*stack), h ^ (u64)w->generation << 40);
	return c ? XXH3_64bits_withSeed(c->data, c->size, h) : h;
}

/* Shared memory of a CTA, kept to compare with. */
static void keep_shared(struct livelock_watch *p, u32 cta, const struct chunk *c)
{
	if (p->shared_bytes[cta] != c->size) {
		free(p->shared[cta]);
		p->shared[cta] = xmalloc(c->size);
		p->shared_bytes[cta] = c->size;
	}
	memcpy(p->shared[cta], c->data, c->size);
}

/* The shared memory of every CTA of an SM. */
static void keep_all_shared(struct livelock_watch *p, u32 sm)
{
	u32 n = p->fork.m->residents;

	for (u32 i = sm * n; i < (sm + 1) * n; i++)
		if (p->fork.store.cta[i])
			keep_shared(p, i, p->fork.store.cta[i]);
}

void livelock_attach(struct livelock_watch *p)
{
	struct machine *m = p->fork.m;
	u32 ctas = m->config.gpu_sms * m->residents;

	p->warp = xcalloc(m->config.gpu_sms * m->contexts, sizeof(*p->warp));
	p->shared = xcalloc(ctas, sizeof(*p->shared));
	p->shared_bytes = xcalloc(ctas, sizeof(*p->shared_bytes));
	p->writer = xcalloc(ctas, sizeof(*p->writer));
	p->fork.bus.want = WANTED;
	p->from = p->since = machine_gpu(m)->cycle;
	p->mark = 1;
	for (u32 i = 0; i < m->config.gpu_sms; i++)
		keep_all_shared(p, i);
}

void livelock_close(struct livelock_watch *p)
{
	u32 ctas = p->fork.m->config.gpu_sms * p->fork.m->residents;

	for (u32 i = 0; i < ctas; i++)
		free(p->shared[i]);
	free(p->shared);
	free(p->shared_bytes);
	free(p->writer);
	free(p->warp);
	sim_close(&p->fork);
}

/* Would this write change a value? Tried, and taken back if so. */
static bool write_changes(struct store *s, const struct write_entry *w)
{
	u8 before[16], after[16];

	store_read(s, w->address, before, w->bytes);
	write_apply(s, w);
	store_read(s, w->address, after, w->bytes);
	if (!memcmp(before, after, w->bytes))
		return false;
	store_poke(s, w->address, before, w->bytes);
	return true;
}

bool livelock_before_seal(struct livelock_watch *p)
{
	struct machine *m = p->fork.m;

	for (u32 sm = 0; sm < m->config.gpu_sms; sm++) {
		const struct sm *state = machine_sm_section(m, sm, SECTION_SM);
		const struct write_entry *w = machine_sm_section(m, sm, SECTION_WRITES);

		for (u32 i = 0; i < state->nwrites; i++)
			if (write_changes(&p->fork.store, &w[i]))
				return true;
	}
	return false;
}

/* The instruction of a record of an issue; NULL: its warp has ended, and left or made room for another. */
static const struct inst *issued(const struct livelock_watch *p, const struct record *r)
{
	const struct warp *w = warp_at(&p->fork, r->sm, r->warp);
	const struct kernel *k = w->cta == NONE16 || !w->depth ? NULL : p->fork.kernel[w->launch];

	return k && r->pc < k->ninst ? &k->inst[r->pc] : NULL;
}

/* Has a write to shared memory changed a value, or may it have? */
static bool shared_changes(struct livelock_watch *p, const struct record *r, const struct inst *in)
{
	u32 cta = r->sm * p->fork.m->residents + warp_at(&p->fork, r->sm, r->warp)->cta;
	u32 now = (u32)machine_gpu(p->fork.m)->cycle + 1;
	const struct chunk *c;

	if ((in->op != OP_ST && in->op != OP_ATOM) || (in->space != SPACE_SHARED && in->space != SPACE_GENERIC))
		return false;
	c = p->fork.store.cta[cta];
	if (!c || !c->size)
		return false;
	if (p->shared_bytes[cta] == c->size && !memcmp(p->shared[cta], c->data, c->size) && p->writer[cta] != now) {
		p->writer[cta] = now;
		return false;
	}
	p->writer[cta] = now;
	keep_shared(p, cta, c);
	return true;
}

bool livelock_after_seal(struct livelock_watch *p)
{
	bool changed = false;

	for (u32 i = 0; i < p->fork.bus.count; i++) {
		const struct record *r = &p->fork.bus.record[i];

		if (r->kind == EVENT_CTA_START)
			keep_all_shared(p, r->sm);
		if (r->kind != EVENT_ISSUE)
			changed |= WANTED >> r->kind & 1;
		else if (issued(p, r))
			changed |= shared_changes(p, r, issued(p, r));
	}
	return changed;
}

bool livelock_cycle(struct livelock_watch *p)
{
	bool changed;

	while (machine_gpu(p->fork.m)->stage != STAGE_SEAL)
		sim_stage(&p->fork);
	changed = livelock_before_seal(p);
	sim_stage(&p->fork);
	changed |= livelock_after_seal(p);
	if (!changed)
		return false;
	p->since = machine_gpu(p->fork.m)->cycle;
	p->changes++;
	p->mark++;
	return true;
}

/* Does it read what is another at another time? */
static bool reads_time(const struct inst *in)
{
	if (in->op == OP_BAR_RED || in->op == OP_BAR_ARRIVE || (in->op == OP_BAR_SYNC && in->nsrc))
		return true;
	for (u32 i = 0; i < in->nsrc; i++)
		if (in->src[i].kind == OPERAND_SREG && in->src[i].value >= SREG_CLOCK &&
		    in->src[i].value <= SREG_GLOBALTIMER_HI)
			return true;
	return false;
}

/* The address of a load or atomic that has just issued, of the first of the lanes; false: it has written over it. */
static bool read_address(const struct livelock_watch *p, const struct record *r, const struct inst *in, u32 mask,
			 u64 *address)
{
	u32 nregs, lane = mask ? (u32)__builtin_ctz(mask) : 0, reg = in->src[0].value;
	const u32 *regs = sim_warp_regs(&p->fork, r->sm, r->warp, &nregs);
	u64 at;

	if (in->src[0].kind == OPERAND_IMM) {
		*address = p->fork.kernel[warp_at(&p->fork, r->sm, r->warp)->launch]->imm[reg] + (u64)(i64)in->offset;
		return true;
	}
	if (in->src[0].kind != OPERAND_REG || !regs || reg >= nregs)
		return false;
	for (u32 i = 0; i < in->nwrite; i++)
		if (in->write[i] == reg || (in->write[i] == reg + 1 && in->space != SPACE_SHARED))
			return false;
	at = regs[reg * WARP_LANES + lane];
	if (in->space != SPACE_SHARED && reg + 1 < nregs)
		at |= (u64)regs[(reg + 1) * WARP_LANES + lane] << 32;
	*address = at + (u64)(i64)in->offset;
	return true;
}

/* Note a load or atomic of this round. */
static void note_read(const struct livelock_watch *p, struct livelock_warp *w, const struct record *r,
		      const struct inst *in)
{
	struct livelock_read *read = w->read;

	if ((in->op != OP_LD && in->op != OP_ATOM) ||
	    (in->space != SPACE_GLOBAL && in->space != SPACE_SHARED && in->space != SPACE_GENERIC))
		return;
	while (read < w->read + w->nreads && read->pc != r->pc)
		read++;
	if (read == w->read + LIVELOCK_READS)
		return;
	w->nreads = (u8)max_u64(w->nreads, (u64)(read - w->read) + 1);
	*read = (struct livelock_read){.pc = r->pc, .space = in->space, .width = in->width};
	read->known = read_address(p, r, in, w->mask, &read->address);
	if (in->space != SPACE_GENERIC)
		return;
	read->space = SPACE_GLOBAL;
	read->known =
		read->known && (read->address >= STORE_GLOBAL_BASE || read->address - SHARED_WINDOW < WINDOW_BYTES);
	if (read->known && read->address < STORE_GLOBAL_BASE) {
		read->space = SPACE_SHARED;
		read->address -= SHARED_WINDOW;
	}
}

/* A warp has issued: is its state one that it has had? */
static void step(struct livelock_watch *p, const struct record *r)
{
	struct livelock_warp *w = watched(p, r->sm, r->warp);
	const struct inst *in = issued(p, r);
	u64 now;

	if (!in)
		return;
	if (w->mark != p->mark)
		*w = (struct livelock_warp){.mark = p->mark, .power = 1, .ref_pc = NONE32, .mask = w->mask};
	w->timed |= reads_time(in);
	w->barrier |= op_is_barrier(in->op);
	w->steps++;
	note_read(p, w, r, in);
	sim_warp_pc(&p->fork, r->sm, r->warp, &w->mask);
	if (w->round)
		return;
	now = r->pc == w->ref_pc || w->steps - w->ref_step == w->power ? livelock_hash(&p->fork, r->sm, r->warp) : 0;
	if (r->pc == w->ref_pc && now == w->ref && !w->timed) {
		w->round = true;
		w->period = w->steps - w->ref_step;
	} else if (w->steps - w->ref_step == w->power) {
		*w = (struct livelock_warp){.mark = p->mark,
					    .mask = w->mask,
					    .steps = w->steps,
					    .ref = now,
					    .ref_step = w->steps,
					    .power = w->power * 2,
					    .ref_pc = r->pc,
					    .timed_before = w->timed};
	}
}

/* Whether a warp of this warp's CTA passes barriers as it goes round. */
static bool passes_barriers(const struct livelock_watch *p, u32 sm, u32 cta)
{
	for (u32 i = 0; i < p->fork.m->contexts; i++)
		if (warp_at(&p->fork, sm, i)->cta == cta && watched(p, sm, i)->mark == p->mark &&
		    watched(p, sm, i)->barrier)
			return true;
	return false;
}

enum livelock_state livelock_state_of(const struct livelock_watch *p, u32 sm, u32 context)
{
	const struct warp *w = warp_at(&p->fork, sm, context);
	const struct livelock_warp *seen = watched(p, sm, context);
	bool here = seen->mark == p->mark;

	if (w->cta == NONE16 || !w->depth)
		return LIVELOCK_GONE;
	if (here && seen->round)
		return LIVELOCK_ROUND;
	if (seen->kept && machine_gpu(p->fork.m)->cycle + 1 >= max_u64(seen->kept, p->since + 1) + LIVELOCK_KEPT_CYCLES)
		return LIVELOCK_KEPT;
	if (w->at_barrier && !passes_barriers(p, sm, w->cta))
		return LIVELOCK_WAITS;
	if (here && (seen->timed || seen->timed_before))
		return LIVELOCK_TIMED;
	return here ? LIVELOCK_WORKS : LIVELOCK_STILL;
}

/* Whether CTAs can still come or go without any of those that run. */
static bool ctas_move(struct livelock_watch *p)
{
	const struct gpu *g = machine_gpu(p->fork.m);
	u64 busy = g->dispatching;

	for (u32 i = 0; i < 4; i++)
		busy |= g->finish_set[i];
	return busy != 0;
}

bool livelock_kept_status(u32 status)
{
	return status == WARP_HELD || status == WARP_PAUSED || status == WARP_ELIGIBLE;
}

/* Was the last cycle one in which schedulers choose (issue.interval)? In others all that could issue is eligible. */
static bool chosen_in(const struct livelock_watch *p, u64 cycle)
{
	return cycle && (cycle - 1) % p->fork.m->config.issue_interval == 0;
}

/* Which warps are kept from issuing now, and have been since when. */
static void look_kept(struct livelock_watch *p)
{
	struct machine *m = p->fork.m;

	if (!chosen_in(p, machine_gpu(m)->cycle))
		return;

	for (u32 sm = 0; sm < m->config.gpu_sms; sm++)
		for (u32 i = 0; i < m->contexts; i++) {
			const struct warp *w = warp_at(&p->fork, sm, i);
			struct livelock_warp *seen = watched(p, sm, i);

			seen->kept_status = (u8)sim_warp_status(&p->fork, sm, i);
			if (w->cta == NONE16 || !w->depth || !livelock_kept_status(seen->kept_status))
				seen->kept = 0;
			else if (!seen->kept)
				seen->kept = machine_gpu(m)->cycle + 1;
		}
}

/* Has what policies remember come back to what it was, in the quiet time? Found as Brent does, look by look. */
static void look_recurs(struct livelock_watch *p)
{
	const struct machine *m = p->fork.m;
	u64 now = XXH3_64bits((const u8 *)m + m->policy_base, m->policy_bytes);

	if (p->kept_mark == p->mark && now == p->kept_ref)
		p->recurs = true;
	else if (p->kept_mark != p->mark || p->kept_looks == p->kept_power) {
		p->kept_power = p->kept_mark == p->mark ? p->kept_power * 2 : 1;
		p->recurs = p->recurs && p->kept_mark == p->mark;
		p->kept_mark = p->mark;
		p->kept_ref = now;
		p->kept_looks = 0;
	}
	p->kept_looks++;
}

static void look(struct livelock_watch *p)
{
	look_kept(p);
	look_recurs(p);
}

/* Can nothing but a policy end it, and will it never? */
static bool policy_keeps(const struct livelock_watch *p)
{
	const u32 *n = p->count;

	return n[LIVELOCK_KEPT] && !n[LIVELOCK_TIMED] && !n[LIVELOCK_STILL] && !p->launch_comes && !p->policy_comes &&
	       !p->policy_dates && p->recurs && p->kept_mark == p->mark;
}

/* Count the warps, and what that says. */
static enum livelock_verdict judge(struct livelock_watch *p)
{
	const struct machine *m = p->fork.m;
	u32 *n = p->count;

	memset(p->count, 0, sizeof(p->count));
	for (u32 sm = 0; sm < m->config.gpu_sms; sm++)
		for (u32 i = 0; i < m->contexts; i++)
			n[livelock_state_of(p, sm, i)]++;
	p->launch_comes = launch_next(&p->fork) != NEVER;
	p->policy_comes = sim_policy_comes(&p->fork);
	p->policy_dates = sim_policy_dates(&p->fork);
	if (!n[LIVELOCK_ROUND] && !n[LIVELOCK_TIMED] && !n[LIVELOCK_KEPT])
		return LIVELOCK_LIVE;
	if (n[LIVELOCK_WORKS] || ctas_move(p) || sim_finished(&p->fork))
		return LIVELOCK_LIVE;
	if (policy_keeps(p))
		return LIVELOCK_POLICY;
	return n[LIVELOCK_TIMED] || n[LIVELOCK_STILL] || n[LIVELOCK_KEPT] || p->launch_comes || p->policy_comes
		       ? LIVELOCK_SEEMS
		       : LIVELOCK_PROVEN;
}

/* An order and a fetch in which every warp has its turn, and nothing is held back. */
static void be_fair(struct sim *sim)
{
	struct policy_choice fair;

	sim_get_policy(sim, &fair);
	for (u32 slot = 0; slot < POLICY_SLOTS; slot++)
		if (slot != POLICY_assign)
			policy_clear(&fair, slot);
	policy_put(&fair, POLICY_order, SCHEME_lrr);
	policy_put(&fair, POLICY_fetch, SCHEME_lrr);
	sim_set_policy(sim, &fair);
}

/* Run on until there is a proof, for so many cycles; quiet: or until anything changes. */
static void run(struct livelock_watch *p, u64 cycles, bool quiet)
{
	u64 last = p->from + cycles, next = p->from + 64;

	look(p);
	while (machine_gpu(p->fork.m)->cycle < last && !sim_finished(&p->fork) && !timeline_interrupt) {
		if (sim_skip(&p->fork, last) >= last || (livelock_cycle(p) && quiet))
			break;
		for (u32 i = 0; i < p->fork.bus.count; i++)
			if (p->fork.bus.record[i].kind == EVENT_ISSUE)
				step(p, &p->fork.bus.record[i]);
		if (machine_gpu(p->fork.m)->cycle < next || !chosen_in(p, machine_gpu(p->fork.m)->cycle))
			continue;
		look(p);
		if (judge(p) >= LIVELOCK_PROVEN)
			break;
		next = machine_gpu(p->fork.m)->cycle + 64;
	}
	look(p);
	p->verdict = judge(p);
}

/* The first try: fair, so that a warp which is never chosen shows what it would do; good only while nothing changes. */
static bool run_fair(struct livelock_watch *p, const struct sim *sim, u64 cycles)
{
	*p = (struct livelock_watch){0};
	sim_fork(&p->fork, sim);
	be_fair(&p->fork);
	livelock_attach(p);
	run(p, cycles, true);
	return p->verdict == LIVELOCK_PROVEN && !p->changes;
}

/* As things are ordered, until anything changes or it is known. */
static void run_ordered(struct livelock_watch *p, const struct sim *sim, u64 cycles, bool quiet)
{
	*p = (struct livelock_watch){0};
	sim_fork(&p->fork, sim);
	livelock_attach(p);
	run(p, cycles, quiet);
}

/* Has some warp been kept from issuing for so long that it may be for ever? */
static bool starves(const struct sim *sim)
{
	u64 now = machine_gpu(sim->m)->cycle;

	for (u32 sm = 0; sm < sim->m->config.gpu_sms; sm++)
		for (u32 i = 0; i < sim->m->contexts; i++) {
			const struct warp *w = warp_at(sim, sm, i);
			const struct slot *slot = machine_sm_section(sim->m, sm, SECTION_SLOT);

			if (w->cta != NONE16 && w->depth && w->slot != NONE16 &&
			    now >= slot[w->slot].since + LIVELOCK_KEPT_CYCLES &&
			    livelock_kept_status(sim_warp_status(sim, sm, i)))
				return true;
		}
	return false;
}

u32 livelock_proven(const struct sim *sim, u64 cycles, enum livelock_verdict *verdict)
{
	struct livelock_watch p;
	u32 n;

	*verdict = LIVELOCK_LIVE;
	if (sim_finished(sim))
		return 0;
	n = run_fair(&p, sim, cycles) ? p.count[LIVELOCK_ROUND] : 0;
	*verdict = n ? LIVELOCK_PROVEN : LIVELOCK_LIVE;
	livelock_close(&p);
	if (n || !starves(sim))
		return n;
	run_ordered(&p, sim, max_u64(cycles, LIVELOCK_LEAST), true);
	if (p.verdict == LIVELOCK_POLICY) {
		*verdict = LIVELOCK_POLICY;
		n = p.count[LIVELOCK_KEPT];
	}
	livelock_close(&p);
	return n;
}

/* A livelock is looked for in cycles that are powers of two, a 64th as long as the run has been: with so few looks
 * a run that is none costs little more, and none is found later than twice the cycle in which it set in, or was long
 * enough. */
#define LIVELOCK_FIRST 16384
#define LIVELOCK_PART 64
u64 livelock_look(u64 now)
{
	u64 next = LIVELOCK_FIRST;

	while (next <= now)
		next *= 2;
	return next;
}

enum livelock_verdict livelock_found(const struct sim *sim)
{
	u64 cycle = machine_gpu(sim->m)->cycle;
	enum livelock_verdict verdict;

	if (cycle < LIVELOCK_FIRST || cycle & (cycle - 1))
		return LIVELOCK_LIVE;
	livelock_proven(sim, min_u64(cycle / LIVELOCK_PART, LIVELOCK_MOST), &verdict);
	return verdict;
}

void livelock_open(struct livelock_watch *p, const struct sim *sim, u64 cycles)
{
	if (run_fair(p, sim, cycles))
		return;
	livelock_close(p);
	run_ordered(p, sim, cycles, false);
}
