/*
 * info_kernel.c - info kernel NAME: the instructions of a kernel with its physical registers, and what it occupies.
 *
 * Banks are those of warp 0 on the current GPU; a warp N with bank swizzle has them N further on.
 */
#include "info.h"
#include "arguments.h"
#include "idempotence.h"
#include "lines.h"
#include "ops.h"
#include "policy.h"
#include "scene.h"

/* Banks of the registers that an instruction reads, e.g. "1 0 0"; "1 0* 0": the register cache keeps the second. */
static void info_kernel_banks_text(const struct config *c, const struct inst *in, char *out, size_t size)
{
	size_t n = 0;

	out[0] = '\0';
	for (u32 i = 0; i < in->nread && n + 8 < size; i++)
		n += (size_t)snprintf(out + n, size - n, "%s%u%s", i ? " " : "", in->read[i] % c->sm_banks,
				      c->collector_reuse && in->reuse >> i & 1 ? "*" : "");
}

/* One instruction. */
static void info_kernel_row(struct columns *c, const struct config *config, const struct kernel *k,
			    const struct points *points, u32 pc)
{
	const struct inst *in = &k->inst[pc];
	bool branch = in->op == OP_BRA && (k->front != FRONT_TRACE || in->target != pc + 1);
	char text[128];

	columns_row(c, pc, k->labels && k->labels[pc] ? safe_text(k->labels[pc]) : "", info_text(k, pc),
		    in->class < CLASS_COUNT ? class_table[in->class].name : "");
	info_kernel_banks_text(config, in, text, sizeof(text));
	columns_text(c, text);
	if (branch && in->reconverge < k->ninst)
		columns_int(c, in->reconverge);
	else if (branch)
		columns_text(c, "exit");
	else
		columns_text(c, "");
	columns_int(c, points->priority[pc] == points->most ? NO_NUMBER : points->priority[pc]);
	columns_text(c, line_place(k, pc, text, sizeof(text)));
}

/* Where residents can outnumber slots: how many CTAs capacity allows. */
static void info_kernel_residents(struct session *s, const struct occupancy *o, const struct launch *l)
{
	const struct config *c = &s->sim.m->config;
	u32 kept = o->resident, shared = cta_shared(s->sim.m, l);

	while (kept > o->ctas &&
	       kept * shared + context_region(c, kept - o->ctas, l->warps * config_slices(c)) > c->sm_shared)
		kept--;

	if (!c->sm_contexts && !c->sm_residents)
		return;
	session_print(
		s,
		"resident CTAs: %u, active or inactive, within registers, shared memory, sm.contexts and sm.residents\n",
		o->resident);
	session_print(s, "resident CTAs under policy vt: %u, with the contexts of inactive CTAs in shared memory\n",
		      kept);
	member_int(session_result(s), "residents", o->resident);
	member_int(session_result(s), "residents_vt", kept);
}

/* Whether slots (Type S) or memory on the chip (Type C) limit the CTAs of an SM. */
static void info_kernel_type(struct session *s, const struct occupancy *o)
{
	u32 scheduling = occupancy_scheduling(o), capacity = occupancy_capacity(o);
	const char *by = occupancy_limit_name[o->limit[LIMIT_SHARED] < o->limit[LIMIT_REGISTERS] ? LIMIT_SHARED
												 : LIMIT_REGISTERS];

	if (capacity == NONE32)
		session_print(s, "Type S: limited by scheduling (registers and shared memory do not limit)\n");
	else if (capacity > scheduling)
		session_print(s, "Type S: limited by scheduling; capacity would allow %u CTAs (%s)\n", capacity, by);
	else
		session_print(s, "Type C: limited by capacity (%s); scheduling would %sallow %u CTAs\n", by,
			      capacity == scheduling ? "also " : "", scheduling);
	if (!session_result(s))
		return;
	member_text(session_result(s), "type", capacity > scheduling ? "S" : "C");
	member_int(session_result(s), "scheduling", scheduling);
	json_object_set_new(session_result(s), "capacity", capacity == NONE32 ? json_null() : json_integer(capacity));
}

/* Every limit on the CTAs of an SM, and the one that binds. */
static void info_kernel_occupancy(struct session *s, const struct launch *l)
{
	struct occupancy o;
	struct error why = {0};
	json_t *limits = s->json ? json_object() : NULL;

	if (occupancy_of(&s->sim.m->config, l->threads, l->regs, l->shared, &o, &why)) {
		session_print(s, "occupancy: a CTA does not fit: %s\n", why.message);
		json_decref(limits);
		return;
	}
	session_print(s, "occupancy: %u CTAs of %u threads per SM, limited by %s (", o.ctas, l->threads,
		      occupancy_limit_name[o.binding]);
	for (int i = 0; i < LIMIT_COUNT; i++) {
		if (o.limit[i] == NONE32)
			session_print(s, "%s%s do not limit", i ? ", " : "", occupancy_limit_name[i]);
		else
			session_print(s, "%s%s allow %u", i ? ", " : "", occupancy_limit_name[i], o.limit[i]);
		if (limits)
			json_object_set_new(limits, occupancy_limit_name[i],
					    o.limit[i] == NONE32 ? json_null() : json_integer(o.limit[i]));
	}
	session_print(s, ")\n");
	info_kernel_type(s, &o);
	info_kernel_residents(s, &o, l);
	if (!limits)
		return;
	member_int(session_result(s), "occupancy", o.ctas);
	member_text(session_result(s), "binding", occupancy_limit_name[o.binding]);
	json_object_set_new(session_result(s), "limits", limits);
}

/* Which rule its warp-synchronous instructions follow, if it has any. */
static void info_kernel_apart(struct session *s, const struct kernel *k)
{
	bool apart = launch_apart(&s->config, k);
	u32 n = 0;

	for (u32 i = 0; i < k->ninst; i++)
		n += k->inst[i].meet != MEET_NONE;
	member_bool(session_result(s), "apart", apart);
	if (n)
		session_print(
			s, "%u warp-synchronous instruction%s: diverged lanes %s (target sm_%u, warp.independent %s)\n",
			n, plural(n), apart ? "synchronize there from any path" : "must have reconverged before it",
			k->target,
			s->config.warp_independent == INDEPENDENT_TARGET ? "target"
			: s->config.warp_independent == INDEPENDENT_ON	 ? "on"
									 : "off");
}

/* The instructions that trip, with their reasons. */
static void info_kernel_trip_rows(struct session *s, const struct launch *l, const struct idempotence *x)
{
	struct columns c;

	columns_open(&c, s, "pc instruction reason");
	for (u32 pc = 0; pc < x->ninst; pc++) {
		struct text why = {0};

		if (x->trip[pc].why == TRIP_NONE)
			continue;
		idempotence_reason(x, &s->program, pc, &why);
		columns_row(&c, pc, info_text(l->kernel, pc), safe_text(why.s));
		text_free(&why);
	}
	columns_close(&c, "trips", "");
}

/* Whether a block may be thrown away and begun again, and the instructions that end that. */
static void info_kernel_trips(struct session *s, const struct launch *l)
{
	struct idempotence *x = idempotence_make(&s->program, l);

	member_bool(session_result(s), "idempotent", !x->marked);
	if (!x->marked)
		session_print(s, "idempotent: a CTA can be flushed and restarted at any time\n");
	else
		session_print(s, "not idempotent: a CTA can be flushed only until it issues %s%s\n",
			      x->marked == 1 ? "this instruction" : "one of these instructions",
			      x->from ? ", late enough" : "");
	if (x->from)
		session_print(s, "these instructions count from iteration %u of a warp's loop\n", x->from);
	if (x->marked && s->config.chimera_notice)
		session_print(
			s,
			"before each of these stores and atomics, a warp issues a store that notifies the GPU scheduler (chimera.notice)\n");
	if (x->marked || s->json)
		info_kernel_trip_rows(s, l, x);
	idempotence_free(x);
}

/* What a kernel needs. */
static void info_kernel_resources(struct session *s, const struct kernel *k, const struct launch *l)
{
	json_t *result = session_result(s);
	u32 regs = l ? l->regs : k->regs, shared = l ? l->shared : k->static_shared;

	session_print(
		s,
		"%s: %u instruction%s, %u register%s and %u predicate%s per thread, %u byte%s of shared memory per CTA\n",
		safe_text(k->name), k->ninst, plural(k->ninst), regs, plural(regs), k->preds, plural(k->preds), shared,
		plural(shared));
	if (k->front == FRONT_PTX)
		session_print(
			s,
			"registers are allocated by warpstep from the PTX, not by ptxas, so counts may differ from a real GPU (`launch ... regs N` overrides them)\n");
	if (k->spill.bytes)
		session_print(
			s,
			"spilled: %u bytes of registers per thread, in local memory; %u stores (%u bytes) and %u loads (%u bytes)\n",
			k->spill.bytes, k->spill.stores, k->spill.stored, k->spill.loads, k->spill.loaded);
	if (k->grid_sync)
		session_print(s, "synchronizes its grid: all CTAs of a launch must be resident at once\n");
	info_kernel_apart(s, k);
	if (l)
		info_kernel_occupancy(s, l);
	if (l)
		info_kernel_trips(s, l);
	if (!result)
		return;
	member_text(result, "name", safe_text(k->name));
	member_int(result, "registers", regs);
	member_int(result, "predicates", k->preds);
	member_int(result, "shared", shared);
	if (!k->spill.bytes)
		return;
	member_int(result, "spill_bytes", k->spill.bytes);
	member_int(result, "spill_stores", k->spill.stores);
	member_int(result, "spill_loads", k->spill.loads);
}

/* info kernel NAME */
static enum status info_kernel_run(struct session *s, const struct token *token, u32 ntokens, struct error *e)
{
	const struct launch *l = NULL;
	const struct kernel *k;
	struct points *points;
	struct columns c;
	enum status st;

	if (!ntokens && s->program.nlaunch != 1)
		return error_set(e, STATUS_USAGE, "missing name of a kernel (`info kernels` lists the launches)");
	st = kernel_take(s, ntokens ? token->s : "0", ntokens ? token->column : 0, &k, &l, e);
	if (st)
		return st;
	info_kernel_resources(s, k, l);
	points = points_under(k, &s->sim.m->config);
	columns_open(&c, s, "pc label instruction class banks reconv load line");
	for (u32 i = 0; i < k->ninst; i++)
		info_kernel_row(&c, &s->sim.m->config, k, points, i);
	points_free(points);
	columns_close(&c, "instructions", "no instructions");
	return STATUS_OK;
}

const struct info info_kernel = {
	.name = "kernel",
	.usage = "NAME",
	.doc = "instructions, registers, banks and reconvergence points of a kernel, its occupancy and what limits it, and the instructions that end its idempotence",
	.needs_machine = true,
	.run = info_kernel_run,
};
