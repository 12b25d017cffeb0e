/*
 * open.c - a machine for a program: checks, the store, the views of SMs; and settings that change while it runs.
 */
#include "cycle/stages.h"
#include "state/slices.h"
#include "state/units.h"
#include "at_once.h"
#include "listen.h"
#include "output.h"
#include "shadow.h"
#include "worker_pool.h"

#define AUTO_SMS 16 /* fewer SMs get a pool only if it is asked for */
#define AUTO_THREADS 8
#define MAX_LINES (1u << 28) /* instructions of all kernels launched: they are numbered through in 32 bits */

/* Every launch fits an empty SM: occupancy_of() and the shape of sub-cores agree. */
static enum status open_check_launches(const struct config *c, const struct program *p, struct error *e)
{
	if (p->nlaunch > MAX_LAUNCHES)
		return error_set(e, STATUS_USAGE, "%u launches: at most %u are supported", p->nlaunch, MAX_LAUNCHES);
	for (u32 i = 0; i < p->nlaunch; i++) {
		const struct launch *l = &p->launch[i];
		struct occupancy o;
		enum status st = occupancy_of(c, l->threads, l->regs, l->shared, &o, e);
		if (st != STATUS_OK)
			return st;
		if (!o.ctas)
			return error_set(e, STATUS_FAILED, "launch %s: a block of %u threads does not fit an SM (%s)",
					 safe_text(l->name), l->threads, occupancy_limit_name[o.binding]);
		if (l->kernel->ninst >= NONE32 / 2 || l->warps * config_slices(c) > CONTEXT_WORDS * 64)
			return error_set(e, STATUS_FAILED, "launch %s: block too large", safe_text(l->name));
	}
	return STATUS_OK;
}

/* Slots of sub-cores and schedulers (sched.pool). */
static struct pools *open_make_pools(const struct machine *m)
{
	struct pools *p = xcalloc(1, sizeof *p);
	u32 n = m->config.sm_schedulers;
	for (u32 i = 0; i < m->section[SECTION_SLOT].count; i++) {
		u32 sub = i / m->slots_per_sub, local = i % m->slots_per_sub;
		SET_ADD(p->sub[sub], i);
		for (u32 k = 0; k < n; k++)
			if (m->config.sched_pool == 1 || local % n == k)
				SET_ADD(p->sched[sub * n + k], i);
	}
	return p;
}

/* Find the arrays of the sub-cores of an SM, and what their policies see. */
static void open_make_parts(struct sm_view *v)
{
	const struct machine *m = v->m;
	const struct config *c = &m->config;
	for (u32 i = 0; i < c->sm_subcores; i++)
		v->part[i] = (struct sub_view){.sub = &v->sub[i],
					       .collector = &v->collector[i * c->sm_collectors],
					       .bank = &v->bank[i * c->sm_banks],
					       .bankq = &v->bankq[i * c->sm_banks * v->bank_queue],
					       .reuse = &v->reuse[i * c->sm_banks * REUSE_PLACES],
					       .unit = &v->unit[i * v->units],
					       .pool = v->pools->sub[i]};
	for (u32 i = 0; i < m->schedulers; i++)
		v->look[i] = (struct sched_view){.m = m,
						 .sm = v->sm,
						 .sub = &v->sub[i / c->sm_schedulers],
						 .slot = v->slot,
						 .warp = v->warp,
						 .stack = v->stack,
						 .sched = &v->sched[i],
						 .kernel = v->sim->kernel,
						 .points = v->sim->points,
						 .bank = v->bank,
						 .clock = &v->clock,
						 .cta = v->cta,
						 .cta_slots = v->cta_slots,
						 .gangs = v->gang,
						 .gang_map = v->gang_map,
						 .missed = v->missed,
						 .missed_slots = v->sleep->missed,
						 .memop = v->memop,
						 .reexec = v->reexec,
						 .launch = v->sim->program->launch,
						 .run = machine_gpu_section(v->m, SECTION_LAUNCH),
						 .pool = v->pools->sched[i],
						 .sm_id = v->id,
						 .sub_id = i / c->sm_schedulers,
						 .sched_id = i % c->sm_schedulers};
	for (u32 i = 0; i < c->sm_subcores; i++) {
		v->look_fetch[i] = v->look[i * c->sm_schedulers];
		v->look_fetch[i].pool = v->pools->sub[i];
	}
}

/* Find the arrays of one SM. */
static void open_make_view(struct sim *s, u32 id)
{
	struct machine *m = s->m;
	struct sm_view *v = &s->view[id];
	struct counts n;
	machine_counts(&m->config, s->program->nlaunch, m->section[SECTION_KERNEL].count, 0, &n);
	*v = (struct sm_view){.sim = s,
			      .m = m,
			      .gpu = machine_gpu(m),
			      .id = id,
			      .clock = &machine_gpu(m)->cycle,
			      .site = {&machine_gpu(m)->cycle, id, m->config.gpu_sms, m->config.gpu_clock, m->lanes},
			      .seats = n.seats,
			      .turn = machine_gpu_section(m, SECTION_TURN),
			      .bank_queue = n.bank_queue,
			      .units = n.units,
			      .l0i_ways = n.l0i_ways,
			      .l1i_sets = n.l1i_sets,
			      .l1d_sets = n.l1d_sets,
			      .l1d_ways_max = n.l1d_ways_max,
			      .in_size = n.reply_queue,
			      .one_slots = &s->one_slots[id * m->section[SECTION_GANG].count],
			      .pools = s->pools,
			      .slices = &slice_hooks};
#define AT(field, section_) v->field = machine_sm_section(m, id, SECTION_##section_)
	AT(sm, SM);
	AT(bounds, BOUNDS);
	AT(kernel, KERNEL);
	AT(sub, SUB);
	AT(sched, SCHED);
	AT(warp, WARP);
	AT(slot, SLOT);
	AT(kinds, KINDS);
	AT(dependence, DEPENDENCE);
	AT(inflight, INFLIGHT);
	AT(issued, ISSUED);
	AT(gang, GANG);
	AT(gang_map, GANG_MAP);
	AT(cta, CTA);
	AT(cta_slots, CTA_SLOTS);
	AT(move, CTA_MOVE);
	AT(missed, MISSED);
	AT(stock, STOCK);
	AT(reading, READING);
	AT(collector, COLLECTOR);
	AT(bank, BANK);
	AT(bankq, BANKQ);
	AT(reuse, REUSE);
	AT(unit, UNIT);
	AT(result, RESULT);
	AT(load, LOAD);
	AT(lsuq, LSUQ);
	AT(reexec, REEXEC);
	AT(reexec_inactive, REEXEC_INACTIVE);
	AT(stack, STACK);
	AT(memop, MEMOP);
	AT(l0i, L0I);
	AT(l1i, L1I);
	AT(imiss, IMISS);
	AT(l0i_miss, L0I_MISS);
	AT(const_tag, CONST);
	AT(const_mshr, CONST_MSHR);
	AT(const_waiter, CONST_WAITER);
	AT(l1d, L1D);
	AT(l1d_chain, L1D_CHAIN);
	AT(mshr, L1D_MSHR);
	AT(waiter, L1D_WAITER);
	AT(writes, WRITES);
#undef AT
	v->const_seen = m->section[SECTION_CONST_SEEN].count ? machine_sm_section(m, id, SECTION_CONST_SEEN) : NULL;
	v->control = m->section[SECTION_CONTROL].count ? machine_gpu_section(m, SECTION_CONTROL) : NULL;
	v->judged = v->control || m->config.issue_readers;
	v->port = (struct port *)machine_gpu_section(m, SECTION_PORT) + id;
	v->sleep = (struct sleep *)machine_gpu_section(m, SECTION_SLEEP) + id;
	v->env = (struct front_env){.program = s->program,
				    .reads = &v->reads,
				    .print = output_print,
				    .store = &s->store,
				    .queue = v->writes,
				    .nqueue = &v->sm->nwrites,
				    .site = &v->site};
	v->unusual = s->shadow || m->parent_shift;
	open_make_parts(v);
}

/* Where the code of each launch lies: one place per kernel, each on a page of its own; and where its control bits do.
 */
static void open_place_code(struct sim *s, const u32 *first)
{
	u64 at = CODE_BASE;
	u32 insts = 0;
	for (u32 i = 0; i < s->program->nlaunch; i++) {
		const struct kernel *k = s->program->launch[i].kernel;
		s->kernel[i] = k;
		s->code[i] = first[i] < i ? s->code[first[i]] : at;
		s->control_base[i] = first[i] < i ? s->control_base[first[i]] : insts;
		if (first[i] != i)
			continue;
		at += (u64)round_up(k->ninst * s->m->config.gpu_inst_bytes + 1, 4096);
		insts += k->ninst;
	}
}

/* Initial contents of buffers. */
static void open_fill_buffers(struct sim *s)
{
	for (u32 i = 0; i < s->program->nbuffer; i++) {
		const struct buffer *b = &s->program->buffer[i];
		if (b->init)
			store_poke(&s->store, b->address, b->init, b->bytes);
	}
}

/* How many CTAs of each launch fit an SM. */
static void open_count_fits(struct machine *m, const struct program *p)
{
	for (u32 i = 0; i < p->nlaunch; i++) {
		const struct launch *l = &p->launch[i];
		struct residency *r = machine_residency(m, i);
		struct occupancy o;
		struct error e;
		INVARIANT(occupancy_of(&m->config, l->threads, l->regs, l->shared, &o, &e) == STATUS_OK);
		r->fit = (u16)o.ctas;
		r->capacity = (u16)o.resident;
	}
}

/* Tables by launch, on the host's side. */
static void open_make_launches(struct sim *s, const struct launch_plan *plan)
{
	u32 n = s->program->nlaunch;
	s->kernel = xcalloc(n + 1, sizeof *s->kernel);
	s->points = xcalloc(n + 1, sizeof *s->points);
	s->trips = xcalloc(n + 1, sizeof *s->trips);
	s->code = xcalloc(n + 1, sizeof *s->code);
	s->control_base = xcalloc(n + 1, sizeof *s->control_base);
	s->next_in_stream = xcalloc(n + 1, sizeof *s->next_in_stream);
	s->params = xcalloc(n + 1, sizeof *s->params);
	s->params_iteration = xcalloc(n + 1, sizeof *s->params_iteration);
	for (u32 i = 0; i < n; i++) {
		s->params[i] = xcalloc(s->program->launch[i].kernel->param_bytes + 1, 1);
		s->params_iteration[i] = NONE32;
	}
	open_place_code(s, plan->first);
	memcpy(s->next_in_stream, plan->next, n * sizeof *plan->next);
}

/* Cycles until a result is ready, for control_assign(). */
static u32 open_due(const void *config, const struct inst *in)
{
	return inst_due(config, in);
}

/* The control bits of a kernel's instructions, as an assembler would set them. */
static void open_assign_control(const struct config *c, const struct kernel *k, struct control *out)
{
	struct control_times times = {c, open_due};
	struct control_bits *bits = xcalloc(k->ninst + 1, sizeof *bits);
	control_assign(k, &times, bits);
	for (u32 i = 0; i < k->ninst; i++)
		out[i] = (struct control){.stall = bits[i].stall,
					  .yield = bits[i].yield,
					  .write = bits[i].write,
					  .read = bits[i].read,
					  .wait = bits[i].wait,
					  .reuse = bits[i].reuse,
					  .due = (u8)inst_due(c, &k->inst[i]),
					  .window = (u8)inst_window(c, &k->inst[i])};
	free(bits);
}

/* Those of all kernels (issue.dependences control). */
static void open_make_control(struct sim *s, const u32 *first)
{
	struct control *control = machine_gpu_section(s->m, SECTION_CONTROL);
	for (u32 i = 0; s->m->section[SECTION_CONTROL].count && i < s->program->nlaunch; i++)
		if (first[i] == i)
			open_assign_control(&s->m->config, s->kernel[i], control + s->control_base[i]);
}

void sim_points(struct sim *s)
{
	const struct program *p = s->program;
	u32 *first;
	if (!p->nlaunch || s->points[0])
		return;
	first = program_first_launches(p);
	for (u32 i = 0; i < p->nlaunch; i++)
		s->points[i] = first[i] < i ? s->points[first[i]] : points_under(p->launch[i].kernel, &s->m->config);
	free(first);
	s->points_own = true;
}

/* The points that are a sim's own go. */
static void open_forget_points(struct sim *s)
{
	u32 *first = s->points_own ? program_first_launches(s->program) : NULL;
	for (u32 i = 0; first && i < s->program->nlaunch; i++)
		if (first[i] == i)
			points_free((struct points *)(uintptr_t)s->points[i]);
	free(first);
	free(s->points);
}

/* For observers: where the instructions of each launch's kernel begin among those of all kernels. */
static void open_make_shadow(struct sim *s, const u32 *first)
{
	const struct program *p = s->program;
	s->line_base = xcalloc(p->nlaunch + 1, sizeof *s->line_base);
	for (u32 i = 0; i < p->nlaunch; i++) {
		s->line_base[i] = first[i] < i ? s->line_base[first[i]] : s->nlines;
		s->nlines += first[i] == i ? p->launch[i].kernel->ninst : 0;
	}
}

/* The pool goes; the next run makes another if it is wanted. */
static void open_dismiss(struct sim *s)
{
	worker_pool_free(s->pool);
	s->pool = NULL;
}

/* From the next run on so many threads visit SMs. */
static void open_use_threads(struct sim *s, u32 n)
{
	if (s->threads != n)
		open_dismiss(s);
	s->threads = n;
}

/* SHADOW_OUTPUT if a kernel that is launched can print. */
static u32 open_printing_bit(const struct program *p)
{
	for (u32 i = 0; i < p->nlaunch; i++)
		if (p->launch[i].kernel->prints)
			return SHADOW_OUTPUT;
	return 0;
}

/* What the chosen policies and the settings leave out, for stages to go by. */
static void open_note_plain(struct machine *m)
{
	const struct config *c = &m->config;
	const u64 *in = m->policy.in;
	m->policy_beside = in[POLICY_extra] != 0 || c->ideal_divergence;
	m->issue_plain = !m->policy_beside && !in[POLICY_hold] && !in[POLICY_rank] && !in[POLICY_gang] &&
			 c->sched_pool != 1 && !c->unit_branch_count && !config_notes_kinds(c);
	m->large = c->gpu_sms > 2;
	m->collect_plain = c->collector_passes == 1 && !c->collector_late && !c->collector_writes &&
			   !c->collector_reuse && !c->collector_order && !c->collector_delay &&
			   !c->collector_allocate && !c->issue_readers;
}

/* Settings of the host: how the work is done, never what comes out. A fork keeps a shadow if what it came from does. */
void sim_host_settings(struct sim *s)
{
	const struct config *c = &s->m->config;
	s->sleep = c->engine_sleep;
	s->stage_major = c->engine_major;
	s->order_seed = c->engine_order;
	s->run_ahead = c->engine_ahead;
	open_use_threads(s, min_u32(c->engine_threads	    ? c->engine_threads
				    : c->gpu_sms < AUTO_SMS ? 1
							    : min_u32(worker_pool_processors(), AUTO_THREADS),
				    c->gpu_sms));
	lanes_use(c->engine_lanes);
	open_note_plain(s->m);
	s->shadow = s->line_base ? shadow_bits(c) | open_printing_bit(s->program) : 0;
	for (u32 i = 0; s->view && i < c->gpu_sms; i++)
		s->view[i].unusual = s->shadow || s->m->parent_shift;
}

void sim_crew(struct sim *s)
{
	if (s->threads < 2 || s->pool)
		return;
	s->pool = worker_pool_new(s->threads);
}

/* Is there memory for the machine, and for the table of the pages of global memory? Are instructions countable? */
static enum status open_check_size(const struct config *c, const struct program *p, const struct launch_plan *plan,
				   struct error *e)
{
	u64 lines = 0;
	u64 pages = p->global_bytes / STORE_PAGE * sizeof(void *);
	for (u32 i = 0; i < p->nlaunch; i++)
		lines += plan->first[i] == i ? p->launch[i].kernel->ninst : 0;
	u64 bytes = machine_size(c, p->nlaunch, plan->seats, (u32)min_u64(lines, MAX_LINES));
	if (lines > MAX_LINES)
		return error_set(e, STATUS_USAGE, "launched kernels have %llu instructions: at most %u are supported",
				 (unsigned long long)lines, MAX_LINES);
	if (bytes + pages <= config_memory(c))
		return STATUS_OK;
	return error_set(
		e, STATUS_USAGE,
		"the machine needs %llu MiB, but memory.limit is %llu MiB (reduce gpu.sms, or the sizes of caches and "
		"queues)",
		(unsigned long long)((bytes + pages) >> 20), (unsigned long long)(config_memory(c) >> 20));
}

enum status sim_open(struct sim *s, const struct config *c, const struct policy_choice *policy, const struct program *p,
		     struct error *e)
{
	enum status st = config_check(c, e);
	if (st == STATUS_OK)
		st = open_check_launches(c, p, e);
	if (st != STATUS_OK)
		return st;
	memset(s, 0, sizeof *s);
	s->program = p;
	struct launch_plan plan = program_plan(p);
	st = open_check_size(c, p, &plan, e);
	if (st != STATUS_OK) {
		launch_plan_free(&plan);
		return st;
	}
	open_make_shadow(s, plan.first);
	s->m = machine_new(c, p->nlaunch, plan.seats, s->nlines);
	open_count_fits(s->m, p);
	sim_host_settings(s);
	bus_init(&s->bus);
	store_init(&s->store, c->gpu_sms * machine_parents(s->m) + s->m->section[SECTION_PARKED_WARP].count,
		   c->gpu_sms * s->m->residents + c->preempt_ctas, p->global_bytes);
	s->view = xcalloc(c->gpu_sms, sizeof *s->view);
	s->ahead = xcalloc(c->gpu_sms, sizeof *s->ahead);
	s->pools = open_make_pools(s->m);
	s->one_slots = xcalloc(c->gpu_sms * s->m->section[SECTION_GANG].count + 1, sizeof *s->one_slots);
	open_make_launches(s, &plan);
	open_make_control(s, plan.first);
	launches_open(s, &plan);
	trips_open(s);
	launch_plan_free(&plan);
	for (u32 i = 0; i < c->gpu_sms; i++)
		open_make_view(s, i);
	if (s->shadow & SHADOW_OUTPUT)
		output_open(s);
	open_fill_buffers(s);
	sim_set_policy(s, policy);
	return STATUS_OK;
}

void sim_fork(struct sim *dst, const struct sim *src)
{
	struct machine *m = xmalloc_large(src->m->bytes);
	memcpy(m, src->m, src->m->bytes);
	sim_fork_with(dst, src, m);
}

void sim_fork_with(struct sim *dst, const struct sim *src, struct machine *m)
{
	event_set want = src->bus.want;
	*dst = (struct sim){.program = src->program, .m = m};
	dst->sleep = src->sleep;
	dst->stage_major = src->stage_major;
	dst->order_seed = src->order_seed;
	bus_init(&dst->bus);
	dst->bus.want = want;
	store_fork(&dst->store, &src->store);
	dst->run_ahead = src->run_ahead;
	dst->threads = src->threads;
	dst->view = xcalloc(src->m->config.gpu_sms, sizeof *dst->view);
	dst->ahead = xcalloc(src->m->config.gpu_sms, sizeof *dst->ahead);
	dst->pools = open_make_pools(dst->m);
	dst->one_slots =
		xcalloc(src->m->config.gpu_sms * src->m->section[SECTION_GANG].count + 1, sizeof *dst->one_slots);
	struct launch_plan plan = program_plan(src->program);
	if (src->shadow) {
		open_make_shadow(dst, plan.first);
		dst->shadow = src->shadow & ~(u32)SHADOW_LISTENER;
	}
	open_make_launches(dst, &plan);
	launch_plan_free(&plan);
	memcpy(dst->points, src->points, src->program->nlaunch * sizeof *dst->points);
	memcpy(dst->trips, src->trips, src->program->nlaunch * sizeof *dst->trips);
	for (u32 i = 0; i < src->m->config.gpu_sms; i++)
		open_make_view(dst, i);
}

void sim_listen(struct sim *s, const struct listener *l)
{
	s->listener = l;
	s->shadow = (s->shadow & ~(u32)SHADOW_LISTENER) | (l ? SHADOW_LISTENER : 0);
	for (u32 i = 0; i < s->m->config.gpu_sms; i++)
		s->view[i].unusual = s->shadow || s->m->parent_shift;
}

void sim_at_once(struct sim *s, struct at_once *x)
{
	x->load = NONE32;
	x->issued = x->early = x->is_long = x->answered = x->written = false;
	s->at_once = x;
}

void sim_answer_early(struct sim *s)
{
	result_comes_early(&s->view[s->at_once->sm]);
}

void sim_close(struct sim *s)
{
	for (u32 i = 0; s->program && i < s->program->nlaunch; i++)
		free(s->params[i]);
	if (s->program)
		open_forget_points(s);
	trips_close(s);
	free(s->params);
	free(s->params_iteration);
	free(s->line_base);
	free(s->kernel);
	free(s->code);
	free(s->control_base);
	free(s->next_in_stream);
	free(s->view);
	free(s->ahead);
	open_dismiss(s);
	free(s->pools);
	free(s->one_slots);
	if (s->m)
		store_free(&s->store);
	bus_free(&s->bus);
	free(s->m);
	memset(s, 0, sizeof *s);
}

void sim_replica(struct sim *replica, const struct sim *s)
{
	struct machine *m = replica->m;
	struct sm_view *view = replica->view;
	bool fits = m && m->bytes == s->m->bytes && m->config.gpu_sms == s->m->config.gpu_sms;
	if (!fits) {
		sim_replica_free(replica);
		m = xmalloc_large(s->m->bytes);
		view = xcalloc(s->m->config.gpu_sms, sizeof *view);
	}
	memcpy(m, s->m, s->m->bytes);
	if (fits)
		store_free(&replica->store);
	*replica = *s;
	replica->m = m;
	replica->view = view;
	replica->pool = NULL;
	bus_init(&replica->bus);
	store_fork(&replica->store, &s->store);
	for (u32 i = 0; i < m->config.gpu_sms; i++)
		open_make_view(replica, i);
}

void sim_replica_free(struct sim *replica)
{
	if (replica->m)
		store_free(&replica->store);
	free(replica->view);
	free(replica->m);
	memset(replica, 0, sizeof *replica);
}

/* What changes now may make room for CTAs of launches that run. */
static void open_try_dispatch(struct sim *s)
{
	if (launch_agenda(s->m)->running)
		dispatch_wake(machine_gpu(s->m));
}

/* What a setting may have changed of the wishes to fetch and of the room for CTAs; SMs that sleep look again. */
static void open_refresh(struct sim *s)
{
	open_try_dispatch(s);
	for (u32 i = 0; i < s->m->config.gpu_sms; i++) {
		struct sm_view *v = &s->view[i];
		for (u32 c = 0; c < s->m->contexts; c++)
			slot_want(v, c);
		sm_account_sleep(v, v->gpu->cycle);
		ctas_pause_again(v, false);
		bounds_ask(v, false);
		v->sleep->until = min_u64(v->sleep->until, v->gpu->cycle);
		v->sleep->refused = 0;
	}
}

/* Do the latencies that control bits are made for follow from a setting? */
static bool open_sets_bits(enum setting_id id)
{
	static const enum setting_id known[] = {SET_lat_pipe,	      SET_lat_tensor_step, SET_collector_window,
						SET_collector_passes, SET_collector_late,  SET_collector_merge};
	for (u32 i = 0; i < ARRAY_LEN(known); i++)
		if (known[i] == id)
			return true;
	for (u32 i = 0; i < CLASS_COUNT; i++)
		if (class_is_fixed(i) && class_times[i].latency == id)
			return true;
	return false;
}

/* Control bits of a kernel follow from other latencies now; those that have been changed by hand stay. */
static void open_renew_bits(const struct config *before, const struct config *c, const struct kernel *k,
			    struct control *now)
{
	struct control *old = xcalloc(2 * k->ninst + 1, sizeof *old), *new = old + k->ninst;
	open_assign_control(before, k, old);
	open_assign_control(c, k, new);
	for (u32 i = 0; i < k->ninst; i++) {
		bool own = memcmp(&now[i], &old[i], offsetof(struct control, due)) != 0;
		now[i] = own ? now[i] : new[i];
		now[i].due = new[i].due;
		now[i].window = new[i].window;
	}
	free(old);
}

/* Those of all kernels. What is on its way was reckoned with otherwise: its warps wait for it. */
static void open_renew_control(struct sim *s, const struct config *before)
{
	struct control *control = machine_gpu_section(s->m, SECTION_CONTROL);
	u32 *first = program_first_launches(s->program);
	for (u32 i = 0; i < s->program->nlaunch; i++)
		if (first[i] == i)
			open_renew_bits(before, &s->m->config, s->kernel[i], control + s->control_base[i]);
	free(first);
	for (u32 i = 0; i < s->m->config.gpu_sms; i++)
		for (u32 c = 0; c < s->m->contexts; c++)
			control_drain(&s->view[i], c);
}

enum status sim_set(struct sim *s, enum setting_id id, u32 value, struct error *e)
{
	const struct setting *row = &setting_table[id];
	bounds_count(s, machine_gpu(s->m)->cycle);
	((struct agenda *)machine_gpu_section(s->m, SECTION_AGENDA))->next = 0;
	if (row->flags & FLAG_LAYOUT)
		return error_set(e, STATUS_FAILED, "%s changes the machine's layout (`set` it, then `restart`)",
				 row->name);
	struct config before = s->m->config;
	config_set(&s->m->config, id, value);
	if (s->m->section[SECTION_CONTROL].count && open_sets_bits(id))
		open_renew_control(s, &before);
	sim_host_settings(s);
	if (row->flags & FLAG_TIMING)
		open_refresh(s);
	return STATUS_OK;
}

/* What a chosen policy subscribes to, and whether SMs may sleep under it. */
static void open_listen(struct sim *s, u32 row)
{
	struct machine *m = s->m;
	const struct scheme *x = scheme_table[row];
	for (u32 i = 0; i < NOTICE_COUNT; i++)
		if (x->subscribes >> i & 1)
			m->policy_subscribers[i] |= 1ULL << row;
	m->policy_subscribed |= (u32)x->subscribes;
	m->policy_awake |= x->needs_ready_cycles;
	m->policy_any_time |= x->depends_on_remaining_ctas;
	m->policy_defers |= x->defers_to_order;
	if (x->wake)
		m->policy_wakes |= 1ULL << row;
	if (x->uses_points)
		sim_points(s);
}

/* Does any scheme in some slots answer otherwise whenever it likes? */
static bool open_restless(const struct machine *m, const u8 *slot, u32 n)
{
	for (u32 i = 0; i < n; i++)
		for (u64 rows = policy_in(&m->policy, slot[i]); rows; rows &= rows - 1)
			if (!scheme_table[__builtin_ctzll(rows)]->sm_local)
				return true;
	return false;
}

void sim_set_policy(struct sim *s, const struct policy_choice *p)
{
	struct machine *m = s->m;
	static const u8 of_ready[] = {POLICY_hold, POLICY_rank, POLICY_extra};
	static const u8 of_ctas[] = {POLICY_cta_admit, POLICY_cta_limit, POLICY_cta_gate, POLICY_cta_virtual,
				     POLICY_partition};
	u64 chosen = 0, heard = m->policy_subscribers[NOTICE_SLOT];
	bounds_count(s, machine_gpu(m)->cycle);
	m->policy = *p;
	policy_resolve(&m->policy);
	for (u32 i = 0; i < POLICY_SLOTS; i++)
		chosen |= policy_in(&m->policy, i);
	memset(m->policy_subscribers, 0, sizeof m->policy_subscribers);
	m->policy_subscribed = 0;
	m->policy_wakes = 0;
	m->policy_defers = 0;
	open_note_plain(m);
	m->policy_gangs = m->parent_shift && policy_one(m, POLICY_gang) && policy_one(m, POLICY_gang)->uses_gangs;
	m->policy_awake = open_restless(m, of_ready, ARRAY_LEN(of_ready));
	m->policy_any_time = open_restless(m, of_ctas, ARRAY_LEN(of_ctas));
	for (; chosen; chosen &= chosen - 1)
		open_listen(s, (u32)__builtin_ctzll(chosen));
	for (u32 i = 0; i < m->config.gpu_sms; i++) {
		if (m->parent_shift)
			s->view[i].slices->keep(&s->view[i]);
		notify_slots(&s->view[i], m->policy_subscribers[NOTICE_SLOT] & ~heard);
		ctas_pause_again(&s->view[i], false);
		bounds_ask(&s->view[i], false);
	}
	if (machine_gpu(m)->cycle)
		open_refresh(s);
	for (u32 i = 0; i < m->config.gpu_sms; i++)
		ctas_changed(&s->view[i], false);
}

void sim_get_policy(const struct sim *s, struct policy_choice *p)
{
	*p = s->m->policy;
}

void sim_poke(struct sim *s, u64 address, const void *bytes, u64 n)
{
	store_poke(&s->store, address, bytes, n);
	shadow_poke(s, address, n);
}
