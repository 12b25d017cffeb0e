/*
 * test_origin.c - origin against a tracer of its own: every instruction of the run without timing is followed forwards,
 * with the set of bytes of input, parameters and special registers that each value was made of; the leaves of a tree
 * must be that set. Then trees by hand, values of nodes against the machine at their cycles, and the stations along a
 * run against its writes.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka wants the four above before it */
#include <cmocka.h>

#include "../../src/observe/past.h"
#include "machine.h"
#include "ops.h"
#include "session_bed.h"
#include "front.h"
#include "origin.h"

#include <stdlib.h>
#include <string.h>

/* --- sets of sources: sorted, each kept once, by number; 0 is the empty one --- */

#define SETS (1u << 22)
#define PARAMETER_AT 0x40000000u /* + 65536 x launch + byte */
#define SPECIAL_AT 0x80000000u
#define CONSTANT_AT 0xc0000000u

struct set {
	u32 *item;
	u32 n;
};
static struct {
	struct set *set;
	u32 n;
	u32 *table; /* by content: number + 1 */
} sets;

static u64 set_hash(const u32 *item, u32 n)
{
	u64 h = n;

	for (u32 i = 0; i < n; i++)
		h = mix64(h ^ item[i]);
	return h;
}

/* The number of a set; the items are copied. */
static u32 set_of(const u32 *item, u32 n)
{
	u32 i = (u32)(set_hash(item, n) & (SETS - 1));

	for (; sets.table[i]; i = (i + 1) & (SETS - 1)) {
		const struct set *x = &sets.set[sets.table[i] - 1];

		if (x->n == n && (!n || !memcmp(x->item, item, n * sizeof(*item))))
			return sets.table[i] - 1;
	}
	assert_true(sets.n < SETS / 2);
	sets.set[sets.n] = (struct set){xmalloc(n * sizeof(*item) + 1), n};
	if (n)
		memcpy(sets.set[sets.n].item, item, n * sizeof(*item));
	sets.table[i] = sets.n + 1;
	return sets.n++;
}

static u32 set_one(u32 source)
{
	return set_of(&source, 1);
}

static u32 set_join(u32 a, u32 b)
{
	const struct set *x = &sets.set[a], *y = &sets.set[b];
	u32 *out, n = 0, i = 0, j = 0, joined;

	if (a == b || !b)
		return a;
	if (!a)
		return b;
	out = xmalloc((x->n + y->n) * sizeof(*out));
	while (i < x->n || j < y->n) {
		if (j == y->n || (i < x->n && x->item[i] < y->item[j]))
			out[n++] = x->item[i++];
		else if (i == x->n || y->item[j] < x->item[i])
			out[n++] = y->item[j++];
		else
			out[n++] = x->item[i++], j++;
	}
	joined = set_of(out, n);
	free(out);
	return joined;
}

static void sets_open(void)
{
	sets.set = xcalloc(SETS, sizeof(*sets.set));
	sets.table = xcalloc(SETS, sizeof(*sets.table));
	sets.n = 0;
	set_of(NULL, 0);
}

static void sets_close(void)
{
	for (u32 i = 0; i < sets.n; i++)
		free(sets.set[i].item);
	free(sets.set);
	free(sets.table);
}

/* --- the tracer --- */

#define OWNERS 8192
struct owner {
	u32 launch, cta, warp;
	u32 *reg, *pred, *local; /* sets; registers and predicates by lane */
	u32 *shared;		 /* of the CTA: that of its warp 0 */
};
static struct {
	bool on;
	const struct program *program;
	u32 *global; /* sets by byte */
	struct owner owner[OWNERS];
	u32 nowners;
} tracer;

static struct owner *owner_of(const struct front_env *env, u32 warp)
{
	const struct kernel *k = env->launch->kernel;
	u32 launch = (u32)(env->launch - tracer.program->launch);
	struct owner *x;

	for (u32 i = tracer.nowners; i-- > 0;)
		if (tracer.owner[i].launch == launch && tracer.owner[i].cta == env->cta && tracer.owner[i].warp == warp)
			return &tracer.owner[i];
	assert_true(tracer.nowners < OWNERS);
	x = &tracer.owner[tracer.nowners++];
	*x = (struct owner){.launch = launch, .cta = env->cta, .warp = warp};
	x->reg = xcalloc((size_t)(k->regs + 2) * WARP_LANES, sizeof(u32));
	x->pred = xcalloc((size_t)(k->preds + 1) * WARP_LANES, sizeof(u32));
	x->local = xcalloc((size_t)k->local_bytes * WARP_LANES + 1, sizeof(u32));
	x->shared = warp ? NULL : xcalloc(env->launch->shared + 1, sizeof(u32));
	return x;
}

/* Letters of the rows' sources. */
static const char *const signature[OP_COUNT] = {
#define OP(id, forms, sig, class, body) sig,
#include "ops.def"
#undef OP
};

/* Registers of source k. */
static u32 source_words(const struct inst *in, u32 k)
{
	const char *colon = strchr(signature[in->op], ':');

	if (in->op == OP_ST || in->op == OP_ATOM)
		return in->width == 8 ? 2 : 1;
	return colon && strlen(colon) > k + 1 && colon[1 + k] == 'd' ? 2 : 1;
}

static u32 taint_of(const struct owner *x, const struct inst *in, u32 k, u32 lane)
{
	const struct operand o = in->src[k];

	if (o.kind == OPERAND_SREG)
		return set_one(SPECIAL_AT + o.value);
	if (o.kind == OPERAND_PRED)
		return x->pred[o.value * WARP_LANES + lane];
	if (o.kind != OPERAND_REG)
		return 0;
	return source_words(in, k) == 1
		       ? x->reg[o.value * WARP_LANES + lane]
		       : set_join(x->reg[o.value * WARP_LANES + lane], x->reg[(o.value + 1u) * WARP_LANES + lane]);
}

static u32 word_of(const struct front_env *env, const struct inst *in, u32 k, u32 lane)
{
	const struct operand o = in->src[k];

	if (o.kind == OPERAND_REG)
		return env->regs[o.value * WARP_LANES + lane];
	if (o.kind == OPERAND_PRED)
		return (env->preds[o.value] >> lane & 1) != o.negate;
	return o.kind == OPERAND_IMM ? (u32)env->launch->kernel->imm[o.value] : 0;
}

/* Which lane gives to a lane of a shfl. */
static u32 giver(const struct front_env *env, const struct inst *in, u32 lane)
{
	u32 b = word_of(env, in, 1, lane) % 32, c = word_of(env, in, 2, lane), keep = c / 256 % 32, bound = c % 32;
	u32 low = lane & keep, high = low | (bound & ~keep);

	if (in->op == OP_SHFL_IDX) {
		u32 j = low | (b & ~keep);

		return j <= high ? j : lane;
	}
	if (in->op == OP_SHFL_UP)
		return (int)lane - (int)b >= (int)high ? lane - b : lane;
	b = in->op == OP_SHFL_BFLY ? lane ^ b : lane + b;
	return b <= high ? b : lane;
}

/* What a value in a lane is made of. */
static u32 computed(const struct owner *x, const struct front_env *env, const struct inst *in, u32 mask, u32 lane)
{
	u32 out = 0;
	float real;

	if (in->op >= OP_SHFL_UP && in->op <= OP_SHFL_IDX)
		return taint_of(x, in, 0, giver(env, in, lane));
	if (in->op >= OP_VOTE_ALL && in->op <= OP_REDUX_XOR) {
		for (u32 l = 0; l < WARP_LANES && in->op != OP_ACTIVEMASK; l++)
			if (mask >> l & 1)
				out = set_join(out, taint_of(x, in, 0, l));
		return out;
	}
	if (in->op >= OP_SELP_16 && in->op <= OP_SELP_64)
		return taint_of(x, in, word_of(env, in, 2, lane) ? 0 : 1, lane);
	if (in->op >= OP_SLCT_16 && in->op <= OP_SLCT_64_F) {
		u32 c = word_of(env, in, 2, lane);

		memcpy(&real, &c, 4);
		return taint_of(x, in, (in->op < OP_SLCT_16_F ? (i32)c >= 0 : real >= 0) ? 0 : 1, lane);
	}
	for (u32 k = 0; k < in->nsrc; k++)
		out = set_join(out, taint_of(x, in, k, lane));
	return out;
}

/* The sets of the bytes of a lane's access; NULL: not kept, *first is the number of the first byte's source. */
static u32 *bytes_at(struct owner *x, struct owner *zero, const struct front_env *env, const struct inst *in,
		     const struct front_result *r, u32 lane, u32 *first)
{
	u8 space = in->space == SPACE_GENERIC ? r->window : in->space;
	u64 at = r->address[lane];

	assert_true(space != SPACE_GENERIC);
	*first = space == SPACE_PARAM ? PARAMETER_AT + 65536 * x->launch + (u32)at : CONSTANT_AT + (u32)at;
	switch (space) {
	case SPACE_GLOBAL: return tracer.global + (at - STORE_GLOBAL_BASE);
	case SPACE_SHARED: return zero->shared + at;
	case SPACE_LOCAL: return x->local + (size_t)lane * env->launch->kernel->local_bytes + at;
	default: return NULL;
	}
}

/* Sources of n bytes. */
static u32 taint_bytes(const u32 *bytes, u32 first, u32 n)
{
	u32 out = 0;

	for (u32 i = 0; i < n; i++)
		out = set_join(out, bytes ? bytes[i] : set_one(first + i));
	return out;
}

static void give_register(struct owner *x, const struct inst *in, u32 dst, u32 word, u32 lane, u32 set)
{
	if (in->dst[dst].kind == OPERAND_REG)
		x->reg[(in->dst[dst].value + word) * WARP_LANES + lane] = set;
	else if (in->dst[dst].kind == OPERAND_PRED && !word)
		x->pred[in->dst[dst].value * WARP_LANES + lane] = set;
}

/* One lane's load, store or atomic. */
static void trace_memory(struct owner *x, struct owner *zero, const struct front_env *env, const struct inst *in,
			 const struct front_result *r, u32 lane)
{
	u32 first, *bytes = bytes_at(x, zero, env, in, r, lane, &first), w = in->width, stored[8], old;

	if (in->op == OP_LD) {
		for (u32 e = 0; e < in->vec; e++)
			for (u32 word = 0; word < (w == 8 ? 2u : 1u); word++)
				give_register(x, in, e, word, lane,
					      taint_bytes(bytes ? bytes + e * w + 4 * word : NULL,
							  first + e * w + 4 * word, w < 4 ? w : 4));
		return;
	}
	for (u32 k = 1; k < in->nsrc; k++)
		stored[k] = taint_of(x, in, k, lane);
	if (in->op == OP_ST) {
		for (u32 i = 0; i < in->vec * w; i++)
			bytes[i] = stored[1 + i / w];
		return;
	}
	old = taint_bytes(bytes, 0, w);
	for (u32 i = 0; i < w; i++) {
		u32 set = in->aux == ATOM_EXCH ? stored[1] : set_join(bytes[i], stored[1]);

		bytes[i] = in->aux == ATOM_CAS ? set_join(set, stored[2]) : set;
	}
	for (u32 word = 0; in->ndst && word < (w == 8 ? 2u : 1u); word++)
		give_register(x, in, 0, word, lane, old);
}

/* What every other instruction gives. */
static void trace_other(struct owner *x, const struct front_env *env, const struct inst *in, u32 mask)
{
	u32 set[WARP_LANES], words = signature[in->op][0] == 'd' ? 2 : 1;

	for (u32 l = 0; l < WARP_LANES; l++)
		set[l] = mask >> l & 1 ? computed(x, env, in, mask, l) : 0;
	for (u32 l = 0; l < WARP_LANES; l++)
		for (u32 d = 0; d < in->ndst && mask >> l & 1; d++)
			for (u32 w = 0; w < words; w++)
				give_register(x, in, d, w, l, set[l]);
}

void __real_front_issue(const struct front_env *env, const struct inst *in, struct front_result *r);
void __wrap_front_issue(const struct front_env *env, const struct inst *in, struct front_result *r);

void __wrap_front_issue(const struct front_env *env, const struct inst *in, struct front_result *r)
{
	struct owner *x, *zero;
	u32 mask;

	if (!tracer.on) {
		__real_front_issue(env, in, r);
		return;
	}
	assert_true(in->op != OP_MMA && in->op != OP_LDMATRIX && in->op != OP_BAR_RED && in->op != OP_VPRINTF);
	owner_of(env, 0);
	owner_of(env, env->warp);
	x = owner_of(env, env->warp);
	zero = owner_of(env, 0);
	mask = env->active;
	if (in->guard.kind == OPERAND_PRED)
		mask &= in->guard.negate ? ~env->preds[in->guard.value] : env->preds[in->guard.value];
	if (in->op == OP_LD || in->op == OP_ST || in->op == OP_ATOM) {
		__real_front_issue(env, in, r);
		for (u32 l = 0; l < WARP_LANES; l++)
			if (mask >> l & 1)
				trace_memory(x, zero, env, in, r, l);
		return;
	}
	trace_other(x, env, in, mask);
	__real_front_issue(env, in, r);
}

/* Follow the program of the session without timing. */
static void trace(void)
{
	struct functional_result done;
	struct error e = {0};
	struct sim fork;
	u32 applied;

	sets_open();
	timeline_fork(session.timeline, (struct position){0, 0}, &fork, &applied);
	tracer.program = &session.program;
	tracer.nowners = 0;
	tracer.global = xcalloc(session.program.global_bytes + 16, sizeof(u32));
	for (u32 i = 0; i < session.program.nbuffer; i++)
		for (u64 k = 0; k < session.program.buffer[i].bytes; k++) {
			u64 at = session.program.buffer[i].address + k - STORE_GLOBAL_BASE;

			tracer.global[at] = set_one((u32)at);
		}
	tracer.on = true;
	if (functional_run(&session.program, &fork.store, 0, &done, &e))
		fail_msg("%s", e.message);
	tracer.on = false;
	sim_close(&fork);
}

static void forget(void)
{
	for (u32 i = 0; i < tracer.nowners; i++) {
		free(tracer.owner[i].reg);
		free(tracer.owner[i].pred);
		free(tracer.owner[i].local);
		free(tracer.owner[i].shared);
	}
	free(tracer.global);
	sets_close();
}

/* --- leaves of a tree --- */

/* Sources of one leaf. */
static u32 leaf_set(const struct origin *o, const struct origin_node *x)
{
	u32 out = 0, first = (u32)x->place.address;

	if (x->kind == ORIGIN_SPECIAL)
		return set_one(SPECIAL_AT + x->special);
	if (x->kind == ORIGIN_IMMEDIATE || x->kind == ORIGIN_START || x->kind == ORIGIN_LANES)
		return 0;
	if (x->kind == ORIGIN_PARAMETER)
		first = PARAMETER_AT + 65536 * o->node[x->parent].launch + (u32)x->place.address;
	else if (x->kind == ORIGIN_CONSTANT)
		first = CONSTANT_AT + (u32)x->place.address;
	else if (x->kind == ORIGIN_HOST)
		first = (u32)(x->place.address - STORE_GLOBAL_BASE);
	else
		fail_msg("a node of kind %u at pc %u, cycle %llu", x->kind, x->pc, (unsigned long long)x->cycle);
	for (u32 i = 0; i < x->place.bytes; i++)
		out = set_join(out, set_one(first + i));
	return out;
}

/* Sources of the values below a node. */
static u32 tree_set(const struct origin *o, u32 root)
{
	bool *seen = xcalloc(o->n, sizeof(*seen));
	u32 *stack = xmalloc(o->n * sizeof(*stack) * 2), n = 0, out = 0;

	stack[n++] = root;
	while (n) {
		u32 i = stack[--n];
		const struct origin_node *x = &o->node[i];

		if (x->kind == ORIGIN_SAME) {
			i = x->same;
			x = &o->node[i];
		}
		if (seen[i])
			continue;
		seen[i] = true;
		if (x->kind != ORIGIN_MADE || !x->opened) {
			out = set_join(out, leaf_set(o, x));
			continue;
		}
		for (u32 c = x->child; c != NONE32; c = o->node[c].next)
			if (o->node[c].role == USE_VALUE)
				stack[n++] = c;
	}
	free(seen);
	free(stack);
	return out;
}

/* close: in short stretches of the run, of which there are so many that some hold others. */
static struct origin *tree_from(const char *place, u32 depth, bool whole, bool close)
{
	struct error e = {0};
	struct origin *o;
	struct datum d;

	if (datum_parse(&session, place, 1, &d, &e))
		fail_msg("%s: %s", place, e.message);
	o = origin_find(&session, &d, close ? origin_begin(&session, 256) : NULL, depth, whole, &e);
	if (!o)
		fail_msg("%s: %s", place, e.message);
	return o;
}

static struct origin *tree_of(const char *place, u32 depth, bool whole)
{
	return tree_from(place, depth, whole, false);
}

/* Values of nodes are those of the machine at their cycles. */
static void check_values(const struct origin *o)
{
	struct position here = timeline_now(session.timeline);
	u32 step = o->n / 24 + 1;

	for (u32 i = 0; i < o->n; i += step) {
		const struct origin_node *x = &o->node[i];
		u64 v = 0;

		if (x->kind != ORIGIN_MADE)
			continue;
		assert_true(x->known);
		go(x->cycle);
		if (datum_read(&session.sim, &x->place, &v))
			assert_true(v == x->value);
	}
	timeline_go(session.timeline, here);
}

/* A tree's leaves are what the tracer has seen. */
static void check_element(const struct buffer *b, u64 i)
{
	u32 size = value_type_size[b->type];
	u64 at = b->address + i * size, before = sim_hash(&session.sim);
	char place[64];
	struct origin *o;
	u32 want = 0, got;

	snprintf(place, sizeof(place), "%s[%llu]", b->name, (unsigned long long)i);
	o = tree_from(place, 1, true, i > 0);
	assert_true(before == sim_hash(&session.sim));
	for (u32 k = 0; k < size; k++)
		want = set_join(want, tracer.global[at - STORE_GLOBAL_BASE + k]);
	got = tree_set(o, 0);
	if (o->full)
		fail_msg("%s: the tree is too large", place);
	if (got != want) {
		for (u32 k = 0; k < sets.set[want].n && k < 12; k++)
			print_message("wanted %x\n", sets.set[want].item[k]);
		for (u32 k = 0; k < sets.set[got].n && k < 12; k++)
			print_message("found %x\n", sets.set[got].item[k]);
		fail_msg("%s: %u sources, not %u", place, sets.set[got].n, sets.set[want].n);
	}
	check_values(o);
	origin_free(o);
}

/* Some elements of every buffer of a scenario. */
static void check_scenario(const char *path)
{
	char line[128];
	u32 checked = 0;

	session_open(&session, &all_session_ops);
	session.out = fopen("/dev/null", "w");
	snprintf(line, sizeof(line), "source %s", path);
	must(line);
	must("step 1");
	must("run");
	trace();
	for (u32 i = 0; i < session.program.nbuffer; i++) {
		const struct buffer *b = &session.program.buffer[i];
		u64 n = b->count;

		check_element(b, 0);
		check_element(b, n / 3);
		check_element(b, n - 1);
		checked += 3;
	}
	assert_true(checked >= 3);
	forget();
	fclose(session.out);
	session_close(&session);
}

/* --- by hand --- */

static const struct origin_node *child_of(const struct origin *o, const struct origin_node *x, u8 role, u32 n)
{
	u32 i = x->child;

	for (; i != NONE32; i = o->node[i].next)
		if (o->node[i].role == role && !n--)
			break;
	if (i == NONE32)
		fail_msg("pc %u has no such operand", x->pc);
	return &o->node[o->node[i].kind == ORIGIN_SAME ? o->node[i].same : i];
}

/* The only operand that is a value. */
static const struct origin_node *value_of(const struct origin *o, const struct origin_node *x)
{
	u32 n = 0;

	for (u32 i = x->child; i != NONE32; i = o->node[i].next)
		n += o->node[i].role == USE_VALUE;
	assert_int_equal(n, 1);
	return child_of(o, x, USE_VALUE, 0);
}

static u32 op_of(const struct origin_node *x)
{
	assert_int_equal(x->kind, ORIGIN_MADE);
	return session.program.launch[0].kernel->inst[x->pc].op;
}

/* What was stored into an element. */
static const struct origin_node *stored_in(struct origin **o, const char *place)
{
	*o = tree_of(place, 1, true);
	assert_int_equal(op_of((*o)->node), OP_ST);
	child_of(*o, (*o)->node, USE_ADDRESS, 0);
	return value_of(*o, (*o)->node);
}

static int open_origins(void **state)
{
	static const char *const setup[] = {"gpu tiny",
					    "module tests/ptx/origins.ptx",
					    "buffer in u32[32] iota 100",
					    "buffer out u32[288]",
					    "launch origins grid 1 block 32 args in out",
					    "run"};

	(void)state;
	return bed_session(setup, ARRAY_LEN(setup));
}

static void test_guards(void **state)
{
	struct origin *o;
	const struct origin_node *x = stored_in(&o, "out[7]");

	(void)state;
	assert_int_equal(op_of(x), OP_ADD_32);
	assert_int_equal(x->value, 108);
	assert_int_equal(child_of(o, x, USE_GUARD, 0)->value, 1);
	x = value_of(o, x);
	assert_int_equal(op_of(x), OP_LD);
	assert_int_equal(value_of(o, x)->kind, ORIGIN_HOST);
	assert_int_equal(value_of(o, x)->value, 107);
	origin_free(o);
	x = stored_in(&o, "out[8]"); /* its lane passed the guarded instruction by */
	assert_int_equal(op_of(x), OP_MOV_32);
	assert_int_equal(value_of(o, x)->kind, ORIGIN_IMMEDIATE);
	assert_int_equal(x->value, 5);
	origin_free(o);
}

static void test_selects(void **state)
{
	struct origin *o;
	const struct origin_node *x = stored_in(&o, "out[39]");

	(void)state;
	assert_int_equal(op_of(x), OP_SELP_32);
	assert_int_equal(child_of(o, x, USE_CHOICE, 0)->value, 1);
	assert_int_equal(op_of(value_of(o, x)), OP_LD);
	origin_free(o);
	x = stored_in(&o, "out[40]");
	assert_int_equal(child_of(o, x, USE_CHOICE, 0)->value, 0);
	x = value_of(o, x);
	assert_int_equal(op_of(x), OP_MOV_32);
	assert_int_equal(value_of(o, x)->kind, ORIGIN_SPECIAL);
	assert_int_equal(value_of(o, x)->special, SREG_TID_X);
	assert_int_equal(value_of(o, x)->value, 8);
	origin_free(o);
}

/* One word of a vector of four; a word of two bytes that were written apart. */
static void test_parts(void **state)
{
	struct origin *o;
	const struct origin_node *x = stored_in(&o, "out[70]"), *y;

	(void)state;
	assert_int_equal(op_of(x), OP_LD);
	x = value_of(o, x);
	assert_int_equal(op_of(x), OP_ST);
	assert_int_equal(x->value, 106);
	assert_int_equal(value_of(o, x)->value, 106);
	assert_int_equal(op_of(value_of(o, x)), OP_LD);
	origin_free(o);
	x = value_of(o, stored_in(&o, "out[101]"));
	assert_int_equal(op_of(x), OP_LD);
	assert_int_equal(x->value, 105 << 8 | 5);
	y = child_of(o, x, USE_VALUE, 1);
	x = child_of(o, x, USE_VALUE, 0);
	assert_true(x->pc + 1 == y->pc || y->pc + 1 == x->pc);
	assert_int_equal(x->value + y->value, 110);
	assert_int_equal(x->place.bytes, 1);
	origin_free(o);
}

/* What an atomic gave a lane is what the lane before has left. */
static void test_atomics(void **state)
{
	struct origin *o = tree_of("out[128]", 1, true);
	const struct origin_node *x = o->node;

	(void)state;
	for (u32 lane = 32; lane-- > 0; x = child_of(o, x, USE_VALUE, 0)) {
		assert_int_equal(op_of(x), OP_ATOM);
		assert_int_equal(x->lane, lane);
		assert_int_equal(child_of(o, x, USE_VALUE, 1)->value, 100 + lane);
	}
	assert_int_equal(x->kind, ORIGIN_HOST);
	origin_free(o);
	x = stored_in(&o, "out[134]");
	assert_int_equal(op_of(x), OP_ATOM);
	assert_int_equal(x->value, 100 + 101 + 102 + 103 + 104);
	assert_int_equal(value_of(o, x)->lane, 4);
	origin_free(o);
}

static void test_lanes(void **state)
{
	struct origin *o;
	const struct origin_node *x = stored_in(&o, "out[170]");

	(void)state;
	assert_int_equal(op_of(x), OP_SHFL_UP);
	assert_int_equal(x->lane, 9);
	assert_int_equal(value_of(o, x)->lane, 8);
	assert_int_equal(value_of(o, x)->value, 108);
	origin_free(o);
	x = value_of(o, stored_in(&o, "out[200]"));
	assert_int_equal(x->kind, ORIGIN_SPECIAL);
	assert_int_equal(x->special, SREG_CLOCK);
	origin_free(o);
}

/* Bits are shown as what reads them: 109.0 is 108.0 of the lane below, which goes through a shuffle and two moves, plus
 * 1; and what cvt reads is no f32. */
static void test_types(void **state)
{
	struct origin *o;
	const struct origin_node *x = stored_in(&o, "out[234]");

	(void)state;
	assert_int_equal(x->type, VALUE_F32);
	x = child_of(o, x, USE_VALUE, 0);
	for (u32 i = 0; i < 4; i++) {
		assert_true(x->type == VALUE_F32 && !x->hex);
		assert_int_equal(x->value, 0x42d80000); /* 108.0 */
		if (i == 1)
			assert_int_equal(op_of(x), OP_SHFL_UP);
		x = value_of(o, x);
	}
	assert_int_equal(op_of(x), OP_LD);
	assert_true(x->type == VALUE_U32 && x->value == 108);
	origin_free(o);
}

/* Opened by steps a tree is what it is at once; what was asked again costs no other nodes. */
static void test_opens(void **state)
{
	struct origin *o = tree_of("out[7]", 1, false);
	struct error e = {0};
	u32 n = o->n;

	(void)state;
	assert_true(o->node->opened && !child_of(o, o->node, USE_VALUE, 0)->opened);
	assert_int_equal(origin_open(&session, o, 0, 3, &e), STATUS_OK);
	assert_true(o->n > n && child_of(o, o->node, USE_VALUE, 0)->opened);
	n = o->n;
	assert_int_equal(origin_open(&session, o, 0, 3, &e), STATUS_OK);
	assert_int_equal(o->n, n);
	assert_true(origin_holds(&session, o));
	must("set var out[0] = 1");
	assert_false(origin_holds(&session, o));
	origin_free(o);
	o = tree_of("out[0]", 3, false);
	assert_int_equal(o->node->kind, ORIGIN_HOST);
	assert_int_equal(o->node->value, 1);
	origin_free(o);
}

/* --- where memory was written on the way --- */

/* Writes of a run, each with its cycle. */
struct told {
	u64 cycle;
	u32 n;
	struct {
		u64 cycle, address;
		u32 bytes;
	} write[1 << 16];
};

static void note_write(void *self, const struct sim *s UNUSED, u32 sm UNUSED, const struct write_entry *w)
{
	struct told *t = self;

	assert_true(t->n < ARRAY_LEN(t->write));
	t->write[t->n].cycle = t->cycle;
	t->write[t->n].address = w->address;
	t->write[t->n++].bytes = w->bytes;
}
static void note_nothing(void *self UNUSED, const struct performed *p UNUSED) {}
static void note_no_result(void *self UNUSED, const struct sim *s UNUSED, u32 sm UNUSED, u32 context UNUSED,
			   u32 pc UNUSED, u32 mask UNUSED)
{
}

/* The writes of the session's program, up to a cycle, in a run of their own. */
static struct told *writes_until(u64 to)
{
	struct told *t = xcalloc(1, sizeof(*t));
	const struct listener l = {t, note_nothing, note_write, note_no_result};
	struct sim fork;
	u32 applied;

	timeline_fork(session.timeline, (struct position){0, 0}, &fork, &applied);
	sim_listen(&fork, &l);
	while (t->cycle < to && !sim_finished(&fork)) {
		t->cycle++;
		sim_cycle(&fork);
	}
	sim_close(&fork);
	return t;
}

/* Stations one look (256 cycles) apart are soon too many, and every other one goes, some times over. Each write of the
 * run is in what the stretch of its cycle has written; what nobody writes is in none. */
static void test_stretches(void **state)
{
	struct past *p = xcalloc(1, sizeof(*p));
	const struct buffer *in;
	struct told *t;
	u64 end;

	(void)state;
	session_open(&session, &all_session_ops);
	session.out = fopen("/dev/null", "w");
	must("source scenarios/transpose.scn");
	must("run");
	end = timeline_now(session.timeline).cycle;
	in = &session.program.buffer[0];
	t = writes_until(end);
	p->least = 1;
	assert_true(past_lay(p, session.timeline, end));
	assert_true(p->n > PAST_STATIONS / 2 - 1 && p->n <= PAST_STATIONS && p->issues >= 4 && t->n > 10000);
	for (u32 i = 0; i < t->n; i++)
		assert_true(past_writes(p, past_stretch(p, t->write[i].cycle), t->write[i].address, t->write[i].bytes));
	for (u32 i = 0; i < p->n; i++)
		assert_false(past_writes(p, i, in->address + in->bytes / 2, 4));
	past_free(p);
	free(p);
	free(t);
	fclose(session.out);
	session_close(&session);
}

#define SCENARIO(name) \
	static void test_##name(void **state) \
	{ \
		(void)state; \
		check_scenario("scenarios/" #name ".scn"); \
	}
SCENARIO(matmul)
SCENARIO(vecadd)
SCENARIO(transpose)
SCENARIO(reduce)
SCENARIO(scan)
SCENARIO(shuffle)
SCENARIO(stencil5)
SCENARIO(bitonic)
SCENARIO(fwt)
SCENARIO(haar)
SCENARIO(hotspot)
SCENARIO(spmv)
SCENARIO(pathfinder)
SCENARIO(sad)
SCENARIO(dct8x8)
SCENARIO(median)

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_matmul),	   cmocka_unit_test(test_vecadd),    cmocka_unit_test(test_transpose),
		cmocka_unit_test(test_reduce),	   cmocka_unit_test(test_scan),	     cmocka_unit_test(test_shuffle),
		cmocka_unit_test(test_stencil5),   cmocka_unit_test(test_bitonic),   cmocka_unit_test(test_fwt),
		cmocka_unit_test(test_haar),	   cmocka_unit_test(test_hotspot),   cmocka_unit_test(test_spmv),
		cmocka_unit_test(test_pathfinder), cmocka_unit_test(test_sad),	     cmocka_unit_test(test_dct8x8),
		cmocka_unit_test(test_median),	   cmocka_unit_test(test_stretches),
	};

	const struct CMUnitTest hand[] = {
		cmocka_unit_test(test_guards),	cmocka_unit_test(test_selects), cmocka_unit_test(test_parts),
		cmocka_unit_test(test_atomics), cmocka_unit_test(test_lanes),	cmocka_unit_test(test_types),
		cmocka_unit_test(test_opens),
	};
	int failed = cmocka_run_group_tests_name("by hand", hand, open_origins, close_session);

	return failed | cmocka_run_group_tests_name("origin", tests, NULL, NULL);
}
