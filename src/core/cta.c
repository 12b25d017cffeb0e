/*
 * cta.c - CTAs leave and arrive: retirement, the end of launches and their host loops, dispatch under every limit.
 *
 * A CTA retires when all its warps have ended and nothing of it is in flight. CTAs are dealt to SMs in turn, at most one per SM
 * and cycle, as long as scheduling limits (CTA slots, threads, warp slots) and capacity limits (registers, shared memory) allow.
 * Registers and slots belong to sub-cores: the assignment policy names a sub-core for each warp; one without room passes the
 * warp on to the next that has it.
 */
#include "perform.h"
#include "trace.h"

#include <string.h>

static struct launch_run *runs(struct machine *m) { return machine_gpu_section(m, SECTION_LAUNCH); }

/* Registers that a warp of a launch takes. */
static u32 warp_registers(const struct machine *m, const struct launch *l)
{
	return round_up(l->regs * WARP_LANES, m->config.sm_register_unit);
}

/* Count an event of the GPU as a whole, and record it if wanted. */
static void gpu_emit(struct sim *s, enum event_kind kind, u32 launch, u32 a, u32 b)
{
	machine_gpu(s->m)->events[kind]++;
	if (s->bus.want >> kind & 1)
		bus_push(&s->bus, &(struct record){ .kind = (u16)kind, .sm = NONE16, .warp = NONE16, .sub = 0xff,
						    .launch = (u8)min_u32(launch, 0xff), .cta = NONE32, .pc = NONE32,
						    .a = a, .b = b });
}

/* Contexts of a CTA and what they held are free again. */
static void free_contexts(struct sm_view *v, struct cta *cta, u32 registers)
{
	SET_EACH(i, cta->contexts, CONTEXT_WORDS) {
		struct warp *w = &v->warp[i];
		struct slot *s = &v->slot[w->slot];
		INVARIANT(!w->inflight && !w->stores && !w->depth);
		l1i_forget(v, i);
		w->cta = NONE16;
		slot_eval(v, i);
		slot_want(v, i);
		memset(s, 0, sizeof *s);
		s->context = w->slot = NONE16;
		v->sub[view_sub(v, i)].registers_free += registers;
		SET_ADD(v->sm->free_contexts, i);
		store_reset(&v->sim->store, &v->sim->store.context[v->id * v->m->contexts + i], 0);
	}
}

/* A finished CTA leaves its SM. */
static void retire(struct sm_view *v, u32 cta_slot)
{
	struct cta *cta = &v->cta[cta_slot];
	struct sm *sm = v->sm;
	const struct launch *l = &v->sim->program->launch[cta->launch];
	emit_cta(v, EVENT_CTA_END, cta_slot);
	free_contexts(v, cta, warp_registers(v->m, l));
	sm->warps -= cta->warps;
	sm->threads -= cta->warps * WARP_LANES;
	sm->shared_free += cta->shared;
	sm->ctas--;
	sm->finishing--;
	sm->stat[STAT_CTA_FINISHED]++;
	sm->free_ctas |= 1ULL << cta_slot;
	v->gpu->retired++;
	v->gpu->dispatching = 1;
	struct launch_run *run = &runs(v->m)[cta->launch];
	run->finished++;
	run->last_retire = view_cycle(v);
	store_reset(&v->sim->store, &v->sim->store.cta[v->id * v->m->config.sm_ctas + cta_slot], 0);
	memset(cta, 0, sizeof *cta);
	cta->launch = NONE16;
}

u64 cta_retirable(const struct sm_view *v)
{
	u64 set = 0;
	for (u64 left = v->sm->finishing ? ~0ULL >> (64 - v->m->config.sm_ctas) & ~v->sm->free_ctas : 0; left; left &= left - 1) {
		u32 i = (u32)__builtin_ctzll(left);
		if (v->cta[i].done == v->cta[i].warps && !v->cta[i].inflight)
			set |= 1ULL << i;
	}
	return set;
}

/* Retire the finished CTAs of an SM. */
static void retire_sm(struct sm_view *v)
{
	u64 set = cta_retirable(v);
	if (!set)
		return;
	sm_account_sleep(v, view_cycle(v) + 1);
	for (; set; set &= set - 1)
		retire(v, (u32)__builtin_ctzll(set));
	if (!v->sm->finishing)
		SET_DEL(v->gpu->finish_set, v->id);
	v->sleep->until = min_u64(v->sleep->until, view_cycle(v) + 1);
}

/* Is there a launch other than periodic ones, and are all of those done? Then periodic ones end too. */
static bool only_periodic_left(struct sim *s)
{
	u32 others = 0;
	for (u32 i = 0; i < s->program->nlaunch; i++) {
		if (s->program->launch[i].every)
			continue;
		others++;
		if (runs(s->m)[i].state != LAUNCH_DONE)
			return false;
	}
	return others > 0;
}

/* Start the next iteration of a host loop or of a periodic launch; false: the launch is over. */
static bool again(struct sim *s, u32 launch)
{
	const struct launch *l = &s->program->launch[launch];
	struct launch_run *run = &runs(s->m)[launch];
	u64 now = machine_gpu(s->m)->cycle + 1;
	run->iteration++;
	if (l->loop.present) {
		if (!host_loop_again(&l->loop, &s->store, run->iteration))
			return false;
		host_loop_reset(&l->loop, &s->store);
	} else if (!l->every || only_periodic_left(s)) {
		return false;
	}
	run->next_cta = run->finished = 0;
	run->state = LAUNCH_WAITING;
	run->ready_at = l->loop.present ? now + s->m->config.gpu_launch_latency :
			max_u64(now, l->at + (u64)run->iteration * l->every);
	return true;
}

/* What an SM has cached of a kernel. */
static void flush(struct sm_view *v)
{
	l1d_flush(v);
	const_flush(v);
}

/* A launch whose last CTA has retired. Kernel boundaries are memory barriers: the L1D caches are emptied. */
static void launch_ended(struct sim *s, u32 launch)
{
	struct gpu *g = machine_gpu(s->m);
	struct launch_run *run = &runs(s->m)[launch];
	gpu_emit(s, EVENT_KERNEL_END, launch, s->program->launch[launch].ctas, run->iteration);
	for (u32 i = 0; i < s->m->config.gpu_sms; i++)
		flush(&s->view[i]);
	if (again(s, launch))
		return;
	run->state = LAUNCH_DONE;
	g->running--;
}

/* Periodic launches that wait for their next time end with the last of the others. */
static void end_periodic(struct sim *s)
{
	for (u32 i = 0; i < s->program->nlaunch; i++) {
		struct launch_run *run = &runs(s->m)[i];
		if (s->program->launch[i].every && run->state == LAUNCH_WAITING) {
			run->state = LAUNCH_DONE;
			machine_gpu(s->m)->running--;
		}
	}
}

/* Launches that are over in this cycle. */
static void end_launches(struct sim *s)
{
	for (u32 i = 0; i < s->program->nlaunch; i++)
		if (runs(s->m)[i].state == LAUNCH_RUNNING && runs(s->m)[i].finished == s->program->launch[i].ctas)
			launch_ended(s, i);
	if (only_periodic_left(s))
		end_periodic(s);
}

/* The sub-core that the assignment policy names for warp w of those assigned to the SM. */
static u32 assigned_sub(const struct sm_view *v, u32 w)
{
	u32 n = v->m->config.sm_subcores;
	u32 k = n == 1 ? 0 : scheme_table[v->m->policy_assign]->assign(v->m, v->id, w, n);
	INVARIANT(k < n);
	return k;
}

/* Context for a warp in sub-core k, or in the next that has a context and registers. NONE32: none has. */
static u32 place_warp(struct sm_view *v, const u64 *open, const u32 *registers, u32 need, u32 k)
{
	u32 n = v->m->config.sm_subcores;
	for (u32 i = 0; i < n; i++, k = k + 1 == n ? 0 : k + 1) {
		if (registers[k] < need)
			continue;
		for (u32 c = k; c < v->m->contexts; c += n)
			if (SET_HAS(open, c))
				return c;
	}
	return NONE32;
}

/* Contexts for all warps of a CTA, in warp order; false if they do not fit. *deflected: those not where the policy wants them. */
static bool place_cta(struct sm_view *v, const struct launch *l, u16 *context, u32 *deflected)
{
	u64 open[CONTEXT_WORDS];
	u32 registers[MAX_SUBCORES], need = warp_registers(v->m, l);
	memcpy(open, v->sm->free_contexts, sizeof open);
	for (u32 i = 0; i < v->m->config.sm_subcores; i++)
		registers[i] = v->sub[i].registers_free;
	for (u32 i = 0; i < l->warps; i++) {
		u32 sub = assigned_sub(v, v->sm->assigned + i), c = place_warp(v, open, registers, need, sub);
		if (c == NONE32)
			return false;
		*deflected += view_sub(v, c) != sub;
		SET_DEL(open, c);
		registers[view_sub(v, c)] -= need;
		context[i] = (u16)c;
	}
	return true;
}

/* A warp of a trace starts where its first record says; one without records has nothing to do. */
static void start_trace(struct sm_view *v, u32 context, const struct kernel *k)
{
	struct warp *w = &v->warp[context];
	struct simt_entry *top = &v->stack[context * SIMT_DEPTH];
	struct trace_place at;
	w->depth = trace_start(k, v->cta[w->cta].id, w->index, &at);
	w->cursor = at.cursor;
	v->slot[w->slot].pc = v->slot[w->slot].fetch_pc = top->pc = at.pc;
	top->mask = at.mask;
}

/* A warp starts in its context. */
static void start_warp(struct sm_view *v, u32 context, u32 index, u32 launch, u32 cta_slot)
{
	const struct launch *l = &v->sim->program->launch[launch];
	struct warp *w = &v->warp[context];
	u32 subs = v->m->config.sm_subcores, slot = context % subs * v->m->slots_per_sub + context / subs;
	u32 generation = w->generation + 1;
	*w = (struct warp){ .generation = generation, .cta = (u16)cta_slot, .slot = (u16)slot, .index = (u16)index,
			    .launch = (u16)launch, .age = v->sm->age++ };
	w->depth = simt_start(&v->stack[context * SIMT_DEPTH], l->kernel->ninst, l->warp_mask[index]);
	memset(&v->slot[slot], 0, sizeof v->slot[slot]);
	v->slot[slot].context = (u16)context;
	if (l->kernel->front == FRONT_TRACE)
		start_trace(v, context, l->kernel);
	SET_DEL(v->sm->free_contexts, context);
	v->sub[view_sub(v, context)].registers_free -= warp_registers(v->m, l);
	store_reset(&v->sim->store, &v->sim->store.context[v->id * v->m->contexts + context],
		    kernel_context_bytes(l->kernel));
	slot_eval(v, context);
	slot_want(v, context);
}

/* Fill the CTA slot of a CTA that is being dispatched. */
static void start_cta(struct sm_view *v, u32 launch, u32 id, u32 slot, u32 shared)
{
	const struct launch *l = &v->sim->program->launch[launch];
	struct cta *cta = &v->cta[slot];
	*cta = (struct cta){ .id = id, .launch = (u16)launch, .warps = (u16)l->warps, .shared = shared,
			     .registers = l->warps * warp_registers(v->m, l), .started = view_cycle(v) };
	cta->ctaid[0] = id % l->grid[0];
	cta->ctaid[1] = id / l->grid[0] % l->grid[1];
	cta->ctaid[2] = id / l->grid[0] / l->grid[1];
	v->sm->free_ctas &= ~(1ULL << slot);
	v->sm->shared_free -= shared;
	v->sm->threads += l->warps * WARP_LANES;
	v->sm->warps += l->warps;
	v->sm->ctas++;
	v->sm->stat[STAT_CTA_STARTED]++;
	store_reset(&v->sim->store, &v->sim->store.cta[v->id * v->m->config.sm_ctas + slot], l->shared);
}

/* An SM starts on a launch: what the CTAs that fit leave of the unified array goes to the L1D. */
static void share_l1d(struct sm_view *v, const struct launch *l)
{
	const struct config *c = &v->m->config;
	struct occupancy o;
	struct error e = { 0 };
	if (v->sm->ctas || (!c->l1d_unified && v->sm->l1d_ways) || occupancy_of(c, l->threads, l->regs, l->shared, &o, &e))
		return;
	l1d_share(v, o.ctas * round_up(l->shared, c->sm_shared_unit));
}

/* Dispatch CTA `id` of a launch to an SM if every limit allows. */
static bool dispatch(struct sm_view *v, u32 launch, u32 id)
{
	const struct launch *l = &v->sim->program->launch[launch];
	const struct config *c = &v->m->config;
	struct sm *sm = v->sm;
	u32 shared = round_up(l->shared, c->sm_shared_unit);
	u16 context[CONTEXT_WORDS * 64];
	u32 deflected = 0;
	if (!sm->free_ctas || sm->threads + l->warps * WARP_LANES > c->sm_threads || sm->shared_free < shared ||
	    !place_cta(v, l, context, &deflected))
		return false;
	sm_account_sleep(v, view_cycle(v) + 1);
	u32 slot = (u32)__builtin_ctzll(sm->free_ctas);
	share_l1d(v, l);
	start_cta(v, launch, id, slot, shared);
	for (u32 i = 0; i < l->warps; i++) {
		SET_ADD(v->cta[slot].contexts, context[i]);
		start_warp(v, context[i], i, launch, slot);
	}
	for (u32 i = 0; i < l->warps; i++)
		if (!v->warp[context[i]].depth)
			warp_ended(v, context[i], 0);
	sm->assigned += l->warps;
	sm->stat[STAT_DEFLECTED] += deflected;
	v->sleep->until = min_u64(v->sleep->until, view_cycle(v) + 1);
	emit_cta(v, EVENT_CTA_START, slot);
	return true;
}

/* The first launch that has CTAs to dispatch now, in order of priority, then of launch; NONE32 none. */
static u32 next_launch(struct sim *s, const u64 *refused)
{
	u32 best = NONE32;
	for (u32 i = 0; i < s->program->nlaunch; i++) {
		const struct launch_run *run = &runs(s->m)[i];
		if (run->state != LAUNCH_RUNNING || run->next_cta == s->program->launch[i].ctas)
			continue;
		if (i < 64 && *refused >> i & 1)
			continue;
		if (best == NONE32 || s->program->launch[i].priority > s->program->launch[best].priority)
			best = i;
	}
	return best;
}

/* Offer every SM one CTA, starting after the last that took one. */
static void dispatch_all(struct sim *s)
{
	struct gpu *g = machine_gpu(s->m);
	u32 sms = s->m->config.gpu_sms, first = g->rotate, taken = 0;
	for (u32 i = 0; i < sms; i++) {
		u32 sm = (first + i) % sms;
		u64 refused = 0;
		for (u32 l = next_launch(s, &refused); l != NONE32; l = next_launch(s, &refused)) {
			struct launch_run *run = &runs(s->m)[l];
			if (dispatch(&s->view[sm], l, run->next_cta)) {
				if (!run->next_cta++ && run->started_at == NEVER)
					run->started_at = g->cycle;
				g->rotate = sm + 1 == sms ? 0 : sm + 1;
				taken++;
				break;
			}
			if (l >= 64)
				break;
			refused |= 1ULL << l;
		}
	}
	if (!taken)
		g->dispatching = 0;
}

/* Stage cta. */
void gpu_cta(struct sim *s)
{
	struct gpu *g = machine_gpu(s->m);
	u64 retired = g->retired;
	SET_EACH(i, g->finish_set, 4)
		if (s->ahead[i] <= g->cycle + 1)
			retire_sm(&s->view[i]);
	if (g->retired != retired)
		end_launches(s);
	if (g->dispatching)
		dispatch_all(s);
}

/* Do the launches before `launch` that it must wait for leave it free? Launches of one stream run in order; `at` and `every`
 * free a launch from those before it. */
static bool launch_turn(const struct sim *s, u32 launch)
{
	const struct launch *l = &s->program->launch[launch];
	if (l->at || l->every)
		return true;
	for (u32 i = 0; i < launch; i++) {
		const struct launch *before = &s->program->launch[i];
		if (before->stream == l->stream && !before->at && !before->every &&
		    runs(s->m)[i].state != LAUNCH_DONE)
			return false;
	}
	return true;
}

/* When a launch whose turn it is may dispatch: its time, and the launch latency after that. */
static void give_turn(struct sim *s, u32 launch)
{
	struct launch_run *run = &runs(s->m)[launch];
	u64 now = machine_gpu(s->m)->cycle;
	if (!run->ready_at)
		run->ready_at = max_u64(s->program->launch[launch].at, now) + s->m->config.gpu_launch_latency;
}

/* A launch begins to dispatch CTAs. */
static void begin(struct sim *s, u32 launch)
{
	const struct launch *l = &s->program->launch[launch];
	struct launch_run *run = &runs(s->m)[launch];
	run->state = LAUNCH_RUNNING;
	machine_gpu(s->m)->dispatching = 1;
	gpu_emit(s, EVENT_KERNEL_START, launch, l->ctas, run->iteration);
	if (!run->iteration && l->loop.present)
		host_loop_reset(&l->loop, &s->store);
}

u64 launch_next(struct sim *s)
{
	u64 next = NEVER;
	for (u32 i = 0; i < s->program->nlaunch; i++) {
		const struct launch_run *run = &runs(s->m)[i];
		if (run->state != LAUNCH_WAITING || !launch_turn(s, i))
			continue;
		give_turn(s, i);
		next = min_u64(next, run->ready_at);
	}
	return next;
}

/* Stage inputs: launches whose time has come become ready. */
void gpu_inputs(struct sim *s)
{
	const struct gpu *g = machine_gpu(s->m);
	if (!g->running || launch_next(s) > g->cycle)
		return;
	for (u32 i = 0; i < s->program->nlaunch; i++) {
		const struct launch_run *run = &runs(s->m)[i];
		if (run->state == LAUNCH_WAITING && launch_turn(s, i) && run->ready_at <= g->cycle)
			begin(s, i);
	}
}
