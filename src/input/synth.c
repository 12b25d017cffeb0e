/*
 * synth.c - synthetic kernels: a loop made from a few numbers, and what its instructions do.
 *
 * The body's classes are spread evenly by their weights; instruction i reads what the instruction `distance` before
 * it wrote; a backward branch ends the body. Lanes, trip counts and addresses are pure functions of (kernel, CTA,
 * warp, instruction, iteration), so a kernel needs no values. Deviations: atomics are reductions (nothing waits for
 * the old value), shared accesses have no bank conflicts.
 */
#include "synth.h"

#include "front.h"
#include "ops.h"

#define DEFAULT_SHARED 1024

/* The code being made. */
struct maker {
	const struct synth *s;
	struct kernel *k;
	struct text strings;
	u16 *writer; /* first register that instruction i writes, REG_NONE */
	u8 *wide;    /* it writes a pair */
};

/* What the classes do and are called in text. */
static const struct {
	u16 op;
	u8 space;
	const char *text;
} class_row[CLASS_COUNT] = {
	[CLASS_INT] = {OP_NOP, SPACE_NONE, "add.s32"},
	[CLASS_IMUL] = {OP_NOP, SPACE_NONE, "mul.lo.s32"},
	[CLASS_IDIV] = {OP_NOP, SPACE_NONE, "div.s32"},
	[CLASS_FP32] = {OP_NOP, SPACE_NONE, "fma.rn.f32"},
	[CLASS_FP64] = {OP_NOP, SPACE_NONE, "fma.rn.f64"},
	[CLASS_SFU] = {OP_NOP, SPACE_NONE, "sin.approx.f32"},
	[CLASS_DIV32] = {OP_NOP, SPACE_NONE, "div.rn.f32"},
	[CLASS_DIV64] = {OP_NOP, SPACE_NONE, "div.rn.f64"},
	[CLASS_TENSOR] = {OP_NOP, SPACE_NONE, "mma.sync"},
	[CLASS_HALF] = {OP_NOP, SPACE_NONE, "fma.rn.f16x2"},
	[CLASS_UNIFORM] = {OP_NOP, SPACE_NONE, "UIADD3"},
	[CLASS_DMMA] = {OP_NOP, SPACE_NONE, "mma.sync.m8n8k4.f64"},
	[CLASS_SHFL] = {OP_NOP, SPACE_NONE, "shfl.sync.idx.b32"},
	[CLASS_CONST] = {OP_LD, SPACE_CONST, "ld.const.u32"},
	[CLASS_LOAD] = {OP_LD, SPACE_GLOBAL, "ld.global.u32"},
	[CLASS_STORE] = {OP_ST, SPACE_GLOBAL, "st.global.u32"},
	[CLASS_ATOMIC] = {OP_ATOM, SPACE_GLOBAL, "red.global.add.u32"},
	[CLASS_SHLOAD] = {OP_LD, SPACE_SHARED, "ld.shared.u32"},
	[CLASS_SHSTORE] = {OP_ST, SPACE_SHARED, "st.shared.u32"},
	[CLASS_FENCE] = {OP_FENCE, SPACE_NONE, "membar.gl"},
};

/* Does a class write a register? */
static bool writes(u32 class)
{
	return class != CLASS_STORE && class != CLASS_ATOMIC && class != CLASS_SHSTORE && class != CLASS_FENCE &&
	       class != CLASS_CONTROL;
}

static bool is_wide(u32 class)
{
	return class == CLASS_FP64 || class == CLASS_DIV64 || class == CLASS_DMMA;
}

/* Spread the classes over the body: at each place the one that is owed most. */
static void choose_classes(const struct synth *s, u32 n, u8 *class)
{
	i64 owed[CLASS_COUNT] = {0}, total = 0;
	u32 free_until = (u32)((u64)n * s->idempotent / 100);

	for (u32 c = 0; c < CLASS_COUNT; c++)
		total += s->mix[c];
	for (u32 i = 0; i < n; i++) {
		bool early = s->idempotent < 100 && i < free_until;
		u32 best = CLASS_COUNT;

		for (u32 c = 0; c < CLASS_COUNT; c++) {
			owed[c] += s->mix[c];
			if (s->mix[c] && !(early && (c == CLASS_STORE || c == CLASS_ATOMIC)) &&
			    (best == CLASS_COUNT || owed[c] > owed[best]))
				best = c;
		}
		best = best == CLASS_COUNT ? CLASS_INT : best;
		owed[best] -= total;
		class[i] = (u8)best;
	}
}

/* The register read by instruction i: written `distance` before, or nearest before that; 0 if nothing writes. */
static u32 producer(const struct maker *m, u32 n, u32 i, u32 distance)
{
	for (u32 back = distance; back < distance + n; back++) {
		u32 j = (i + n - back % n) % n;

		if (m->writer[j] != REG_NONE)
			return j;
	}
	return i;
}

/* Note that instruction in reads the register that j writes. */
static void add_read(struct maker *m, struct inst *in, u32 j)
{
	u16 r = m->writer[j] == REG_NONE ? 0 : m->writer[j];

	in->src[in->nsrc++] = (struct operand){.kind = OPERAND_REG, .value = r};
	text_add(&m->strings, "%s%c%u", in->nsrc > 1 || in->ndst ? ", " : " ", m->wide[j] ? 'd' : 'r', r);
	for (u32 k = 0; k < 1u + m->wide[j]; k++) {
		in->place[in->nread] = (u8)(in->nsrc - 1);
		in->read[in->nread++] = (u8)(r + k);
		in->hazard[(r + k) / 64] |= 1ULL << (r + k) % 64;
	}
}

/* Note what instruction i writes. */
static void add_write(struct maker *m, struct inst *in, u32 i)
{
	u16 r = m->writer[i];

	if (r == REG_NONE)
		return;
	in->dst[in->ndst++] = (struct operand){.kind = OPERAND_REG, .value = r};
	text_add(&m->strings, " %c%u", m->wide[i] ? 'd' : 'r', r);
	for (u32 k = 0; k < 1u + m->wide[i]; k++) {
		in->write[in->nwrite++] = (u8)(r + k);
		in->hazard[(r + k) / 64] |= 1ULL << (r + k) % 64;
	}
}

/* A fresh instruction; its text begins with `text`. */
static struct inst *add_inst(struct maker *m, u16 op, u8 class, const char *text)
{
	struct inst *in = &m->k->inst[m->k->ninst++];

	*in = (struct inst){.op = op, .class = class, .write_pred = {0xff, 0xff}, .text = (u32)m->strings.len};
	text_add(&m->strings, "%s", text);
	return in;
}

/* The body but its branch. */
static void make_body(struct maker *m, u32 n)
{
	u8 *class = xmalloc(n);
	u32 pairs = m->s->regs / 2;

	choose_classes(m->s, n, class);
	for (u32 i = 0; i < n; i++) {
		m->wide[i] = is_wide(class[i]);
		m->writer[i] = !writes(class[i]) ? REG_NONE : (u16)(m->wide[i] ? i % pairs * 2 : i % m->s->regs);
	}
	for (u32 i = 0; i < n; i++) {
		struct inst *in = add_inst(m, class_row[class[i]].op, class[i], class_row[class[i]].text);

		in->space = class_row[class[i]].space;
		in->width = 4;
		in->vec = in->op == OP_ATOM ? VALUE_U32 : 1;
		add_write(m, in, i);
		if (class[i] != CLASS_CONST && class[i] != CLASS_FENCE)
			add_read(m, in, producer(m, n, i, m->s->distance));
		if (class[i] != CLASS_CONST && class[i] != CLASS_FENCE && class[i] != CLASS_LOAD &&
		    class[i] != CLASS_SHLOAD && class[i] != CLASS_SFU)
			add_read(m, in, producer(m, n, i, m->s->distance + 1));
		text_addn(&m->strings, "", 1);
		m->k->stores_global |= class[i] == CLASS_STORE;
		m->k->has_atomics |= class[i] == CLASS_ATOMIC;
	}
	free(class);
}

/* A branch to `target`, taken as synth_issue says. */
static void make_branch(struct maker *m, u32 target, u32 reconverge)
{
	struct inst *in = add_inst(m, OP_BRA, CLASS_CONTROL, "");

	in->guard = (struct operand){.kind = OPERAND_PRED};
	in->target = target;
	in->reconverge = reconverge;
	text_add(&m->strings, "@p0 bra %u", target);
	text_addn(&m->strings, "", 1);
}

/* Barrier, branch and end behind the body; the end behind steps. */
static void make_tail(struct maker *m)
{
	u32 n = m->k->ninst;

	if (m->s->barrier_every) {
		make_branch(m, n + 2, n + 2);
		add_inst(m, OP_BAR_SYNC, CLASS_CONTROL, "bar.sync 0");
		text_addn(&m->strings, "", 1);
		m->k->has_barrier = 1;
	}
	if (!m->s->time)
		make_branch(m, 0, m->k->ninst + 1);
	add_inst(m, OP_EXIT, CLASS_CONTROL, "exit")->hazard[0] = m->s->time != 0; /* when the last step is done */
	text_addn(&m->strings, "", 1);
}

/* Do the keys go together? */
static enum status synth_check(const struct synth *s, struct error *e)
{
	if (s->barrier_every && s->diverge != SYNTH_NONE)
		return error_set(e, STATUS_USAGE,
				 "a kernel with barriers cannot diverge: inactive lanes would miss the barriers");
	return synth_steps_check(s, e);
}

enum status synth_make(const char *name, const struct synth *s, struct module **out, struct error *e)
{
	struct synth *own = xmalloc(sizeof(*own));
	struct maker m = {.s = own};
	u32 n = s->body - 1;
	bool touches_shared = s->mix[CLASS_SHLOAD] || s->mix[CLASS_SHSTORE];

	if (synth_check(s, e)) {
		free(own);
		return STATUS_USAGE;
	}
	*own = *s;
	if (touches_shared && own->shared < DEFAULT_SHARED)
		own->shared = DEFAULT_SHARED;
	*out = xcalloc(1, sizeof(**out));
	**out = (struct module){
		.path = xasprintf("synthetic:%s", name), .kernel = xcalloc(1, sizeof(struct kernel)), .nkernel = 1};
	m.k = (*out)->kernel;
	*m.k = (struct kernel){.name = xstrdup(name),
			       .front = FRONT_SYNTHETIC,
			       .regs = own->regs,
			       .preds = 1,
			       .static_shared = own->shared,
			       .dynamic_shared_base = own->shared,
			       .synth = own,
			       .module = *out};
	m.k->inst = xcalloc(max_u32(n, own->steps) + 4u, sizeof(struct inst));
	m.writer = xcalloc(n, sizeof(*m.writer));
	m.wide = xcalloc(n, sizeof(*m.wide));
	if (own->time)
		synth_steps_make(m.k, &m.strings);
	else
		make_body(&m, n);
	make_tail(&m);
	m.k->strings = m.strings.s;
	for (u32 i = 0; i < m.k->ninst; i++) {
		struct inst *in = &m.k->inst[i];

		in->meet = in->class == CLASS_SHFL ? MEET_WHOLE : MEET_NONE;
		if (in->op == OP_BRA && in->reconverge < m.k->ninst)
			m.k->inst[in->reconverge].flow |= FLOW_JOINS;
	}
	kernel_reuse(m.k);
	free(m.writer);
	free(m.wide);
	return STATUS_OK;
}

/* A hash of up to three numbers. */
static u64 hash3(u64 a, u64 b, u64 c)
{
	return mix64(mix64(mix64(a) + b) + c);
}

/* How often a lane runs the body. */
static u32 trips(const struct synth *s, const struct front_env *env, u32 lane)
{
	u32 n = s->iterations;

	if (s->iterations_spread)
		n += (u32)(hash3(1, env->cta, env->warp) % (s->iterations_spread + 1ULL));
	switch (s->diverge) {
	case SYNTH_HALF: return lane < 16 ? n : (n + 1) / 2;
	case SYNTH_SLICE: return max_u32(1, (u32)((u64)n * (lane / 4 + 1) / 8));
	case SYNTH_LANES: return 1 + (u32)(hash3(env->cta + 2ULL, env->warp, lane) % n);
	default: return n;
	}
}

/* The lanes that take a branch: around the barrier, or back to the body's beginning. */
static u32 taken(const struct synth *s, const struct front_env *env, const struct inst *in)
{
	u32 mask = 0;

	if (in->target)
		return (env->iteration + 1) % s->barrier_every ? env->active : 0;
	for (u32 l = 0; l < WARP_LANES; l++)
		if (env->active >> l & 1 && env->iteration + 1 < trips(s, env, l))
			mask |= 1u << l;
	return mask;
}

/* The global address of a lane's element: the `n`-th access of the grid's stream, or what the pattern says. */
static u64 address(const struct synth *s, const struct front_env *env, u32 pc, u32 lane)
{
	u64 warp = (u64)env->cta * env->launch->warps + env->warp;
	u64 n = (warp * s->iterations + env->iteration) * s->body + pc, at;

	switch (s->access) {
	case SYNTH_STRIDED: at = (n * WARP_LANES + lane) * s->stride; break;
	case SYNTH_RANDOM: at = hash3(n, lane, 3) * 4; break;
	case SYNTH_BROADCAST: at = n * 4; break;
	default: at = (n * WARP_LANES + lane) * 4;
	}
	return s->base + at % (s->footprint & ~3ULL) / 4 * 4;
}

void synth_issue(const struct front_env *env, const struct inst *in, struct front_result *r)
{
	const struct kernel *k = env->launch->kernel;
	const struct synth *s = k->synth;
	u32 pc = (u32)(in - k->inst);

	r->fault = FAULT_NONE;
	r->barrier = 0;
	r->threads = r->votes = 0; /* all of the CTA */
	r->mask = env->active;
	r->taken = in->op == OP_BRA ? taken(s, env, in) : 0;
	r->exited = in->op == OP_EXIT ? env->active : 0;
	if (in->space == SPACE_GLOBAL)
		for (u32 l = 0; l < WARP_LANES; l++)
			r->address[l] = address(s, env, pc, l);
	else if (in->space == SPACE_SHARED)
		for (u32 l = 0; l < WARP_LANES; l++)
			r->address[l] = (l * 4 + pc * 128) % (s->shared & ~127u);
}
