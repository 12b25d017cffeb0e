/*
 * datapath.c - where the warps and instructions of an SM are (datapath.h), found by looking through its collector
 * units, queues, table of loads and wheel of results.
 */
#include "datapath.h"
#include "events.h"
#include "ops.h"
#include "policy.h"
#include "why.h"

const struct box_row box_table[BOX_COUNT] = {
#define BOX(id, name_, holds_, across_, down_, share_, explain_, layout_, stop_, doc_) \
	[BOX_##id] = {.name = name_, \
		      .holds = holds_, \
		      .across = across_, \
		      .down = down_, \
		      .share = share_, \
		      .explain = explain_, \
		      .layout = layout_, \
		      .stop = stop_, \
		      .doc = doc_},
#include "datapath.def"
};

const struct path_row path_table[PATH_COUNT] = {
#define PATH(id, from_, to_, doc_) [PATH_##id] = {.from = BOX_##from_, .to = BOX_##to_, .doc = doc_},
#include "datapath.def"
};

enum box datapath_box_of(enum warp_status status)
{
	switch (status) {
	case WARP_DONE:
	case WARP_PREEMPTING:
	case WARP_SWAPPED: return BOX_OUT;
	case WARP_BARRIER:
	case WARP_FENCE: return BOX_BARRIER;
	case WARP_FETCH: return BOX_FETCH;
	case WARP_LONG:
	case WARP_SHORT: return BOX_SCOREBOARD;
	default: return BOX_SCHEDULER;
	}
}

enum box datapath_unit_box(u32 kind)
{
	static const u8 box[UNIT_COUNT] = {
		[UNIT_INT] = BOX_UNIT_INT,	  [UNIT_FP32] = BOX_UNIT_FP32,	   [UNIT_FP64] = BOX_UNIT_FP64,
		[UNIT_SFU] = BOX_UNIT_SFU,	  [UNIT_TENSOR] = BOX_UNIT_TENSOR, [UNIT_HALF] = BOX_UNIT_HALF,
		[UNIT_UNIFORM] = BOX_UNIT_UNIFORM};

	return box[kind] ? box[kind] : BOX_UNIT_INT;
}

/* And back; UNIT_NONE: the box is none of a unit. */
static u32 unit_of_box(enum box box)
{
	for (u32 k = UNIT_NONE + 1; k < UNIT_COUNT; k++)
		if (k != UNIT_LSU && k != UNIT_BRANCH && datapath_unit_box(k) == box)
			return k;
	return UNIT_NONE;
}

bool datapath_has(const struct sim *sim, enum box box)
{
	struct machine *m = sim->m;
	u32 kind = unit_of_box(box);

	if (kind != UNIT_NONE)
		return m->warp_units[kind + 1] > m->warp_units[kind];
	if (box == BOX_REEXEC)
		return m->section[SECTION_REEXEC].count;
	if (box == BOX_CONSTANT)
		return !m->config.const_perfect;
	if (box == BOX_REUSE)
		return m->config.collector_reuse;
	if (box == BOX_GANGS)
		return m->parent_shift;
	for (u32 i = 0; box == BOX_STEP && i < sim->program->nlaunch; i++)
		if (sim->kernel[i]->synth)
			return true;
	return box != BOX_STEP;
}

/* What is looked through. */
struct search {
	struct datapath *d;
	struct machine *m;
	u32 sm;
	const struct sm *state;
	const struct warp *warp;
	const struct memop *op;
	const struct load *load;
	const struct result *result;
	u64 loads[LOAD_WORDS]; /* entries of the table of loads that have not been met yet */
	u16 *lines;	       /* of each entry lines that are due from the L1D, */
	u64 *due;	       /* and when the last of them comes */
	u32 *awaited;	       /* of each context writes that are counted with an item */
};

static void add(struct datapath *d, struct box_item item)
{
	if (d->n == d->room) {
		d->room = 2 * d->room + 64;
		d->item = xrealloc(d->item, d->room * sizeof(*d->item));
	}
	d->item[d->n++] = item;
}

/* An instruction of a context. */
static struct box_item item_of(const struct search *f, enum box box, u32 context, u32 pc)
{
	return (struct box_item){.box = (u8)box,
				 .sub = (u8)(context % f->m->config.sm_subcores),
				 .status = WARP_STATUS_COUNT,
				 .context = (u16)context,
				 .pc = pc,
				 .since = NEVER,
				 .due = NEVER};
}

static bool is_current(const struct search *f, u32 context, u32 generation)
{
	return context < f->m->contexts && f->warp[context].cta != NONE16 && f->warp[context].generation == generation;
}

static const struct inst *inst_at(const struct search *f, u32 context, u32 pc)
{
	return &f->d->sim->kernel[f->warp[context].launch]->inst[pc];
}

static void find_warps(struct search *f)
{
	const struct slot *slot = machine_sm_section(f->m, f->sm, SECTION_SLOT);

	for (u32 i = 0; i < f->m->contexts; i++) {
		u32 status = sim_warp_status(f->d->sim, f->sm, i), mask;
		struct box_item x;

		if (status >= WARP_STATUS_COUNT)
			continue;
		x = item_of(f, datapath_box_of(status), i, sim_warp_at(f->d->sim, f->sm, i, &mask));
		x.status = (u8)status;
		if (f->warp[i].issued && f->warp[i].slot != NONE16)
			x.since = slot[f->warp[i].slot].since + 1;
		add(f->d, x);
	}
}

/* Line writes of a slice that a memory operation has still to send; slice NONE32: of all lanes. */
static u32 unsent(const struct memop *op, u32 slice)
{
	u32 n = 0;

	for (u32 i = op->done; i < op->count; i++)
		n += slice == NONE32 || op->share[i] >> slice & 1;
	return n;
}

/* Writes that warp.stores counts for an instruction: lines that are to be sent; an atomic that the warp waits for. */
static u32 writes_of(const struct search *f, const struct memop *op, u32 context, u32 pc)
{
	const struct inst *in = inst_at(f, context, pc);
	bool shared = in->class != CLASS_ATOMIC && in->class != CLASS_STORE;

	if (in->op == OP_ATOM && (op ? op->class != CLASS_ATOMIC : in->class != CLASS_ATOMIC))
		return f->m->config.shared_atomic_wait;
	if (in->class == CLASS_ATOMIC && in->ndst)
		return f->m->config.sm_atomic_wait;
	return op && !shared ? unsent(op, op->mates ? context % f->m->config.sm_subcores : NONE32) : 0;
}

/* An item and the writes that are counted with it. */
static void add_instruction(struct search *f, struct box_item x, const struct memop *op)
{
	x.writes = (u16)writes_of(f, op, x.context, x.pc);
	f->awaited[x.context] += x.writes;
	add(f->d, x);
}

/* The entries of the table of loads of an operation have been met with it. */
static void meet_loads(struct search *f, const struct memop *op)
{
	u32 at = op->mates ? op->mates : op->load == NONE16 ? 0 : op->load + 1u;

	for (; at; at = op->mates ? f->load[at - 1].mate : 0)
		f->loads[(at - 1) / 64] &= ~(1ULL << (at - 1) % 64);
}

static void find_collectors(struct search *f)
{
	const struct collector *c = machine_sm_section(f->m, f->sm, SECTION_COLLECTOR);
	u32 n = f->m->config.sm_collectors;

	for (u32 i = 0; i < n * f->m->config.sm_subcores; i++) {
		const struct memop *op = c[i].memory_op == NONE16 ? NULL : &f->op[c[i].memory_op];
		struct box_item x;

		if (c[i].context == NONE16)
			continue;
		if (op)
			meet_loads(f, op);
		if (!is_current(f, c[i].context, c[i].generation))
			continue;
		x = item_of(f, BOX_COLLECT, c[i].context, c[i].pc);
		x.place = (u16)(i % n);
		x.missing = c[i].need;
		x.since = c[i].issued_at + 1;
		add_instruction(f, x, op);
	}
}

/* A memory operation in a queue: an item for each slice that shares it. */
static void find_operation(struct search *f, enum box box, u32 memop, u32 place)
{
	const struct memop *op = &f->op[memop];
	u32 at = op->mates;

	meet_loads(f, op);
	do {
		u32 context = at ? f->load[at - 1].context : op->context;
		struct box_item x;

		if (is_current(f, context, at ? f->load[at - 1].generation : op->generation)) {
			x = item_of(f, box, context, at ? f->load[at - 1].pc : op->pc);
			x.place = (u16)place;
			x.missing = (u8)(op->count - op->done);
			if (at || op->load != NONE16)
				x.since = f->load[at ? at - 1 : op->load].issued_at + 1;
			if (!at || f->load[at - 1].quick != LOAD_ANSWERED)
				add_instruction(f, x, op);
		}
		at = at ? f->load[at - 1].mate : 0;
	} while (at);
}

static void find_queues(struct search *f)
{
	const struct ring_slot *lsu = machine_sm_section(f->m, f->sm, SECTION_LSUQ);
	const struct ring_slot *aside = machine_sm_section(f->m, f->sm, SECTION_REEXEC);
	const struct ring_slot *inactive = machine_sm_section(f->m, f->sm, SECTION_REEXEC_INACTIVE);

	for (u32 i = 0; i < f->state->lsu_count; i++)
		find_operation(f, BOX_LSU, lsu[(f->state->lsu_head + i) % f->m->config.lsu_queue].memop, i);
	for (u32 i = 0; i < f->state->reexec_count; i++)
		find_operation(f, BOX_REEXEC, aside[i].memop, i);
	for (u32 i = 0; i < f->state->reexec_inactive; i++)
		find_operation(f, BOX_REEXEC, inactive[i].memop, f->state->reexec_count + i);
}

/* A result that is due in some cycles: of the warp, or of the slices that the entry names. */
static void find_value(struct search *f, const struct result *r, u64 due)
{
	u32 shift = f->m->parent_shift, slices = shift ? r->load : 1,
	    from = shift ? r->context >> shift << shift : r->context;

	for (; slices; slices &= slices - 1) {
		u32 context = from + (u32)__builtin_ctz(slices), class;
		struct box_item x;

		if (!is_current(f, context, r->generation))
			continue;
		class = inst_at(f, context, r->pc)->class;
		x = item_of(f,
			    class_table[class].unit == UNIT_LSU
				    ? BOX_SHARED
				    : datapath_unit_box(machine_unit_kind(f->m, class_table[class].unit)),
			    context, r->pc);
		x.due = due;
		add_instruction(f, x, NULL);
	}
}

static void find_results(struct search *f)
{
	u64 now = sim_clock(f->d->sim);

	for (u32 i = 0; i < WHEEL_SIZE; i++)
		for (u32 at = f->state->wheel[(now + i) % WHEEL_SIZE]; at != NONE16; at = f->result[at].next) {
			const struct result *r = &f->result[at];

			if (r->kind == RESULT_VALUE) {
				find_value(f, r, now + i + 1);
			} else if (r->kind == RESULT_LINE) {
				f->lines[r->load]++;
				f->due[r->load] = now + i + 1;
			}
		}
}

/* Loads that no queue holds any more: within the latency of the L1D, or beyond it. */
static void find_loads(struct search *f)
{
	SET_EACH (i, f->loads, LOAD_WORDS) {
		const struct load *l = &f->load[i];
		const struct inst *in;
		struct box_item x;
		bool here;

		if (!is_current(f, l->context, l->generation) || l->quick == LOAD_ANSWERED)
			continue;
		in = inst_at(f, l->context, l->pc);
		if (in->class == CLASS_STORE || (in->class == CLASS_ATOMIC && !in->ndst))
			continue; /* it counts the acknowledgments of a slice's writes */
		here = f->lines[i] && f->lines[i] >= l->waiting;
		x = item_of(f,
			    in->op == OP_STEP	       ? BOX_STEP
			    : in->class == CLASS_CONST ? BOX_CONSTANT
			    : here		       ? BOX_L1D
						       : BOX_MEMORY,
			    l->context, l->pc);
		x.since = l->issued_at + 1;
		x.missing = (u8)l->waiting;
		x.due = here ? f->due[i] : NEVER;
		add_instruction(f, x, NULL);
	}
}

/* Line writes that have been sent. */
static void find_writes(struct search *f)
{
	for (u32 i = 0; i < f->m->contexts; i++) {
		struct box_item x = item_of(f, BOX_MEMORY, i, NONE32);

		if (f->warp[i].cta == NONE16 || f->warp[i].stores <= f->awaited[i])
			continue;
		x.writes = (u16)(f->warp[i].stores - f->awaited[i]);
		add(f->d, x);
	}
}

void datapath_open(struct datapath *d, const struct sim *sim, u32 sm)
{
	struct machine *m = sim->m;
	struct search f = {.d = d,
			   .m = m,
			   .sm = sm,
			   .state = machine_sm_section(m, sm, SECTION_SM),
			   .warp = machine_sm_section(m, sm, SECTION_WARP),
			   .op = machine_sm_section(m, sm, SECTION_MEMOP),
			   .load = machine_sm_section(m, sm, SECTION_LOAD),
			   .result = machine_sm_section(m, sm, SECTION_RESULT)};

	*d = (struct datapath){.sim = sim, .sm = sm};
	f.lines = xcalloc(m->section[SECTION_LOAD].count, sizeof(*f.lines));
	f.due = xcalloc(m->section[SECTION_LOAD].count, sizeof(*f.due));
	f.awaited = xcalloc(m->contexts, sizeof(*f.awaited));
	requests_loads(sim, sm, f.loads);
	find_warps(&f);
	find_collectors(&f);
	find_queues(&f);
	find_results(&f);
	find_loads(&f);
	find_writes(&f);
	free(f.lines);
	free(f.due);
	free(f.awaited);
}

void datapath_close(struct datapath *d)
{
	free(d->item);
	*d = (struct datapath){0};
}

bool datapath_sum(const struct datapath *d, u32 sub, u32 *warps, u32 *inflight)
{
	struct machine *m = d->sim->m;
	const struct warp *w = machine_sm_section(m, d->sm, SECTION_WARP);
	u32 *seen = xcalloc(m->contexts, sizeof(*seen)), *flying = xcalloc(m->contexts, sizeof(*flying));
	bool holds = true;

	*warps = *inflight = 0;
	for (const struct box_item *x = d->item; x < d->item + d->n; x++) {
		bool warp = x->status < WARP_STATUS_COUNT;
		u32 n = x->writes + (x->pc != NONE32);

		seen[x->context] += warp;
		flying[x->context] += warp ? 0 : n;
		if (sub != NONE32 && x->sub != sub)
			continue;
		*warps += warp;
		*inflight += warp ? 0 : n;
	}
	for (u32 i = 0; i < m->contexts; i++)
		holds = holds && seen[i] == (w[i].cta != NONE16) && (!seen[i] || flying[i] == w[i].inflight);
	free(seen);
	free(flying);
	return holds;
}

/* Items of a box, of a sub-core or (NONE32) of all. */
static u32 count_items(const struct datapath *d, enum box box, u32 sub)
{
	u32 n = 0;

	for (u32 i = 0; i < d->n; i++)
		n += d->item[i].box == box && (sub == NONE32 || d->item[i].sub == sub);
	return n;
}

/* Instructions in the buffers of a sub-core's warp slots. */
static u32 buffered(const struct datapath *d, u32 sub)
{
	const struct machine *m = d->sim->m;
	const struct slot *slot = machine_sm_section(d->sim->m, d->sm, SECTION_SLOT);
	u32 n = 0;

	for (u32 i = sub * m->slots_per_sub; i < (sub + 1) * m->slots_per_sub; i++)
		n += slot[i].context == NONE16 ? 0 : slot[i].buffered;
	return n;
}

/* Reads that wait at the banks of a sub-core. */
static u32 reads_queued(const struct datapath *d, u32 sub)
{
	u32 banks = d->sim->m->config.sm_banks, n = 0;
	const struct bank *bank = (struct bank *)machine_sm_section(d->sim->m, d->sm, SECTION_BANK) + sub * banks;

	for (u32 i = 0; i < banks; i++)
		n += bank[i].count;
	return n;
}

/* Units of a kind that took an instruction in the last cycle, or could take none. */
static u32 units_busy(const struct datapath *d, u32 kind, u32 sub, u32 *of)
{
	const struct machine *m = d->sim->m;
	const struct unit *u =
		(struct unit *)machine_sm_section(d->sim->m, d->sm, SECTION_UNIT) + sub * m->warp_units[UNIT_COUNT];
	u64 now = sim_clock(d->sim);
	u32 n = 0;

	for (u32 i = m->warp_units[kind]; i < m->warp_units[kind + 1]; i++)
		n += now && u[i].free_at >= now;
	*of = m->warp_units[kind + 1] - m->warp_units[kind];
	return n;
}

void datapath_gangs(const struct datapath *d, u32 count[MAX_SUBCORES + 1])
{
	memset(count, 0, (MAX_SUBCORES + 1) * sizeof(*count));
	for (u32 home = 0; home < machine_parents(d->sim->m); home++) {
		u8 mask[MAX_SUBCORES];
		u32 n = sim_pieces(d->sim, d->sm, home, mask);

		for (u32 i = 0; i < n; i++)
			count[__builtin_popcount(mask[i])]++;
	}
}

/* Registers that the register cache of a sub-core keeps. */
static u32 kept(const struct datapath *d, u32 sub, u32 *of)
{
	u32 n = 0;
	const struct reuse *r = machine_sm_section(d->sim->m, d->sm, SECTION_REUSE);

	*of = d->sim->m->config.sm_banks * REUSE_PLACES;
	for (u32 i = sub * *of; i < (sub + 1) * *of; i++)
		n += r[i].owner != 0;
	return n;
}

u32 datapath_used(const struct datapath *d, enum box box, u32 sub, u32 *of)
{
	struct machine *m = d->sim->m;
	const struct config *c = &m->config;
	const struct sm *sm = machine_sm_section(m, d->sm, SECTION_SM);
	const struct port *port = (struct port *)machine_gpu_section(m, SECTION_PORT) + d->sm;
	u32 kind = unit_of_box(box);

	if (kind != UNIT_NONE)
		return units_busy(d, kind, sub, of);
	*of = 0;
	switch (box) {
	case BOX_BUFFER: *of = m->slots_per_sub * c->sm_ibuffer; return buffered(d, sub);
	case BOX_COLLECT: *of = c->sm_collectors; return count_items(d, box, sub);
	case BOX_BANKS: return reads_queued(d, sub);
	case BOX_REUSE: return kept(d, sub, of);
	case BOX_LSU: *of = c->lsu_queue; return sm->lsu_count;
	case BOX_REEXEC:
		*of = m->section[SECTION_REEXEC].count + m->section[SECTION_REEXEC_INACTIVE].count;
		return sm->reexec_count + sm->reexec_inactive;
	case BOX_L1D: *of = c->l1d_mshrs; return sm->mshrs_used;
	case BOX_MEMORY: *of = c->icnt_queue; return port->out_count;
	default: return count_items(d, box, box_table[box].holds == HOLDS_SHARED ? NONE32 : sub);
	}
}

/* Does an instruction write one of these registers and predicates? Which, HAZARD_WORDS x 64: none. */
static u32 written_of(const struct inst *in, const u64 *wanted)
{
	for (u32 i = 0; i < in->nwrite; i++)
		if (SET_HAS(wanted, in->write[i]))
			return in->write[i];
	for (u32 i = 0; i < 2; i++)
		if (in->write_pred[i] != 0xff && SET_HAS(wanted, HAZARD_PRED + in->write_pred[i]))
			return HAZARD_PRED + in->write_pred[i];
	return HAZARD_WORDS * 64;
}

const struct box_item *datapath_producer(const struct datapath *d, u32 context, u32 *hazard)
{
	struct machine *m = d->sim->m;
	const struct warp *w = (struct warp *)machine_sm_section(m, d->sm, SECTION_WARP) + context;
	const struct slot *s = (struct slot *)machine_sm_section(m, d->sm, SECTION_SLOT) + w->slot;
	const struct kernel *k = d->sim->kernel[w->launch];
	u32 status = sim_warp_status(d->sim, d->sm, context);
	u64 wanted[HAZARD_WORDS];

	if ((status != WARP_LONG && status != WARP_SHORT) || w->slot == NONE16 || s->pc >= k->ninst)
		return NULL;
	for (u32 i = 0; i < HAZARD_WORDS; i++)
		wanted[i] = (status == WARP_LONG ? s->pending_long : s->pending_short)[i] & k->inst[s->pc].hazard[i];
	for (const struct box_item *x = d->item; x < d->item + d->n; x++)
		if (x->context == context && x->status == WARP_STATUS_COUNT && x->pc < k->ninst &&
		    (*hazard = written_of(&k->inst[x->pc], wanted)) < HAZARD_WORDS * 64)
			return x;
	return NULL;
}

/* The path of a kind of record; PATH_COUNT: none. */
static enum path path_of(const struct record *r)
{
	switch (r->kind) {
	case EVENT_FETCH: return r->b ? PATH_FETCHED : PATH_COUNT;
	case EVENT_ISSUE: return PATH_DECODED;
	case EVENT_GRANT: return PATH_READ;
	case EVENT_REUSE: return PATH_KEPT;
	case EVENT_BARRIER:
	case EVENT_RELEASE: return PATH_ARRIVED;
	case EVENT_WRITEBACK: return PATH_WRITTEN;
	case EVENT_DISPATCH: return r->a == UNIT_LSU ? PATH_LOADED : PATH_COUNT;
	case EVENT_L1D_HIT:
	case EVENT_L1D_MISS:
	case EVENT_L1D_MERGE:
	case EVENT_L1D_PAST: return PATH_ACCESSED;
	case EVENT_REQUEST: return PATH_REQUESTED;
	case EVENT_REPLY: return PATH_ANSWERED;
	case EVENT_SHARED: return PATH_SERVED;
	case EVENT_REEXEC:
	case EVENT_REEXEC_SERVED: return PATH_PARKED;
	default: return PATH_COUNT;
	}
}

/* The box from which a result came. */
static enum box written_from(const struct datapath *d, const struct record *r)
{
	const struct warp *w = machine_sm_section(d->sim->m, d->sm, SECTION_WARP);
	const struct kernel *k = w[r->warp].cta == NONE16 ? NULL : d->sim->kernel[w[r->warp].launch];
	u32 class = k && r->pc < k->ninst ? k->inst[r->pc].class : CLASS_INT;

	if (class == CLASS_SHLOAD || class == CLASS_SHSTORE)
		return BOX_SHARED;
	if (class_table[class].unit == UNIT_LSU)
		return BOX_L1D;
	return datapath_unit_box(machine_unit_kind(d->sim->m, class_table[class].unit));
}

void moves_add(struct moves *to, const struct datapath *d, const struct record *r, u32 sub)
{
	enum path path = path_of(r);
	bool shared = path == PATH_COUNT || box_table[path_table[path].to].holds == HOLDS_SHARED;

	if (r->sub != 0xff && r->sub != sub && !(shared && path != PATH_LOADED && r->kind != EVENT_DISPATCH))
		return;
	if (path < PATH_COUNT)
		to->n[path]++;
	if (r->kind == EVENT_REUSE)
		to->n[PATH_READ]++;
	if (r->kind == EVENT_WRITEBACK && r->warp != NONE16)
		to->written[written_from(d, r)]++;
	if (r->kind == EVENT_ISSUE)
		to->n[PATH_PASSED]++;
	if (r->kind == EVENT_DISPATCH && r->a < UNIT_COUNT)
		to->unit[r->a]++;
	to->refused += r->kind == EVENT_L1D_REFUSED;
}
