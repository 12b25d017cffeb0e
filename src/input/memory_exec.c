/*
 * memory_exec.c - loads, stores and atomics of one warp instruction.
 *
 * All addresses are checked before anything changes. Global loads read the store as it stands, global stores and
 * atomics wait in the write queue; the other spaces are read and written at once, in lane order.
 * A generic access is taken apart by the windows of its lanes' addresses (kernel.h); the lanes of global memory come
 * first, then those of each window.
 * Deviation: a store by 32 neighbours is queued in pieces of 16 bytes, not lane by lane: the same bytes, sooner.
 */
#include "exec_internal.h"

#define FIRST_ADDRESS 4096 /* below: a null pointer and what is reached through one */
#define QUEUE_BYTES 16	   /* of one entry of the write queue */

/* Where the bytes of a lane lie; global memory is found page by page. */
struct memory_view {
	const u8 *byte[WARP_LANES];
};

static bool space_is_global(const struct inst *in)
{
	return in->space == SPACE_GLOBAL || in->space == SPACE_GENERIC;
}

/* The address of each lane; true if all 32 are neighbours. */
static bool addresses_compute(const struct front_env *env, const struct inst *in, struct front_result *r)
{
	const struct operand base = in->src[0];
	const u32 *words;

	if (base.kind == OPERAND_REG) {
		words = env->regs + (u32)base.value * WARP_LANES;
		if (space_is_global(in))
			return exec_lanes()->address(r->address, words, in->offset, inst_access_bytes(in));
		return exec_lanes()->address32(r->address, words, in->offset, inst_access_bytes(in), &r->span);
	}
	for (u32 l = 0; l < WARP_LANES; l++)
		r->address[l] =
			(base.kind == OPERAND_IMM ? env->launch->kernel->imm[base.value] : 0) + (u64)(i64)in->offset;
	return false;
}

/* What is wrong with a global access, FAULT_NONE if nothing; *last is the buffer it was found in. */
static enum fault_kind global_fault(const struct front_env *env, u64 address, u32 bytes, const struct buffer **last)
{
	const struct buffer *b = *last;

	if (address < FIRST_ADDRESS)
		return FAULT_NULL;
	if (address & (bytes - 1))
		return FAULT_MISALIGNED;
	if (b && address - b->address < b->bytes && b->bytes - (address - b->address) >= bytes)
		return FAULT_NONE;
	*last = b = program_buffer_at(env->program, address, NULL);
	if (!b || b->bytes - (address - b->address) < bytes)
		return FAULT_OUT_OF_BOUNDS;
	INVARIANT(b->address - STORE_GLOBAL_BASE + b->bytes <= (u64)env->store->npages * STORE_PAGE);
	return FAULT_NONE;
}

/* The same in a window of size bytes from 0: shared and local memory, parameters, constants. */
static enum fault_kind window_fault(u8 space, u64 address, u32 bytes, u64 size)
{
	if (address & (bytes - 1))
		return space == SPACE_SHARED ? FAULT_SHARED_MISALIGNED : FAULT_MISALIGNED;
	if (address < size && size - address >= bytes)
		return FAULT_NONE;
	return space == SPACE_SHARED  ? FAULT_SHARED_BOUNDS
	       : space == SPACE_PARAM ? FAULT_PARAM_BOUNDS
	       : space == SPACE_LOCAL ? FAULT_LOCAL_BOUNDS
				      : FAULT_CONST_BOUNDS;
}

/* Bytes of the window of a space other than global; *base is its first byte, *stride lies between lanes' windows. */
static u64 window_find(const struct front_env *env, u8 space, u8 **base, u64 *stride)
{
	const struct kernel *k = env->launch->kernel;

	*stride = 0;
	switch (space) {
	case SPACE_SHARED: *base = env->shared; return env->shared ? env->launch->shared : 0;
	case SPACE_PARAM: *base = (u8 *)(uintptr_t)env->params; return env->params ? k->param_bytes : 0;
	case SPACE_CONST: *base = k->module ? k->module->constants : NULL; return k->module ? k->module->nconstants : 0;
	case SPACE_LOCAL:
		*base = env->local;
		*stride = k->local_bytes;
		return env->local ? k->local_bytes : 0;
	default: *base = NULL; return 0;
	}
}

/* Record the fault of the first lane at fault. */
static bool fault_record(struct front_result *r, enum fault_kind fault, u32 lane)
{
	if (fault == FAULT_NONE)
		return false;
	r->fault = (u8)fault;
	r->fault_lane = (u8)lane;
	r->fault_address = r->address[lane];
	return true;
}

/* Whether a buffer holds all that the lanes access, from a table of lanes' tests. */
static bool lanes_inside(const struct front_result *r, u64 base, u64 size, u32 bytes)
{
	return size >= bytes && !exec_lanes()->outside(r->address, r->mask, base, size - bytes, bytes - 1);
}

/* The same of a window of size bytes from 0. Mostly it holds even the lanes that do not execute. */
static inline bool window_inside(const struct front_result *r, u64 size, u32 bytes)
{
	if (r->span.known && (u64)r->span.high + bytes <= size && !(r->span.bits & (bytes - 1)))
		return true;
	return lanes_inside(r, 0, size, bytes);
}

/* Check the lanes against global memory; true if one faults. Mostly the first lane's buffer has them all. */
static bool global_check(const struct front_env *env, struct front_result *r, u32 bytes)
{
	u32 first = (u32)__builtin_ctz(r->mask);
	const struct buffer *last = NULL;

	if (fault_record(r, global_fault(env, r->address[first], bytes, &last), first))
		return true;
	if (lanes_inside(r, last->address, last->bytes, bytes))
		return false;
	LANES_EACH (l, r->mask & (r->mask - 1))
		if (fault_record(r, global_fault(env, r->address[l], bytes, &last), l))
			return true;
	return false;
}

/* Find the bytes of the lanes in global memory; consecutive lanes mostly share a page. */
static void global_view(const struct front_env *env, const struct front_result *r, struct memory_view *v)
{
	u64 number = ~0ull;
	const u8 *page = NULL;

	LANES_EACH (l, r->mask) {
		u64 a = r->address[l];

		if (a / STORE_PAGE != number) {
			number = a / STORE_PAGE;
			page = store_page_read(env->store, a);
		}
		v->byte[l] = page + a % STORE_PAGE;
	}
}

/* Record the fault of the first lane that leaves a window. */
static void window_blame(const struct inst *in, struct front_result *r, u64 size)
{
	LANES_EACH (l, r->mask)
		if (fault_record(r, window_fault(in->space, r->address[l], inst_access_bytes(in), size), l))
			return;
}

/* Check the lanes against the window of their space and find their bytes; true if one faults. */
static bool window_view(const struct front_env *env, const struct inst *in, struct front_result *r,
			struct memory_view *v)
{
	u8 *base;
	u64 stride, size = window_find(env, in->space, &base, &stride);

	if (!window_inside(r, size, inst_access_bytes(in))) {
		window_blame(in, r, size);
		return true;
	}
	LANES_EACH (l, r->mask)
		v->byte[l] = base + l * stride + r->address[l];
	return false;
}

/* One element as the words of a register or pair: sub-words are extended as the instruction says. */
static u64 element_read(const struct inst *in, const u8 *p)
{
	u64 v = 0;

	switch (in->width) {
	case 1: return in->is_signed ? (u64)(i64)(i8)*p : *p;
	case 2: memcpy(&v, p, 2); return in->is_signed ? (u64)(i64)(i16)v : v;
	case 4: memcpy(&v, p, 4); return in->is_signed ? (u64)(i64)(i32)v : v;
	default: memcpy(&v, p, 8); return v;
	}
}

/* Load element e of the lanes in mask. */
static void element_load(const struct front_env *env, const struct inst *in, u32 e, const struct memory_view *v,
			 u32 mask)
{
	u32 *dst = env->regs + (u32)in->dst[e].value * WARP_LANES;
	bool pair = in->width == 8;

	if (in->dst[e].kind != OPERAND_REG)
		return;
	if (in->width == 4) {
		for (; mask; mask &= mask - 1)
			memcpy(&dst[__builtin_ctz(mask)], v->byte[__builtin_ctz(mask)] + e * 4, 4);
		return;
	}
	LANES_EACH (l, mask) {
		u64 x = element_read(in, v->byte[l] + e * in->width);

		dst[l] = (u32)x;
		if (pair)
			dst[WARP_LANES + l] = (u32)(x >> 32);
	}
}

/* 32 neighbours in one page of global memory, a word each: a copy. */
static bool load_neighbours(const struct front_env *env, const struct inst *in, const struct front_result *r)
{
	u64 first = r->address[0] % STORE_PAGE;

	if (in->width != 4 || in->vec != 1 || first + 4 * WARP_LANES > STORE_PAGE || in->dst[0].kind != OPERAND_REG)
		return false;
	memcpy(env->regs + (u32)in->dst[0].value * WARP_LANES, store_page_read(env->store, r->address[0]) + first,
	       4 * WARP_LANES);
	return true;
}

/* A word each for all 32 lanes from one window (shared memory, parameters, constants): no list of places is needed. */
static bool load_words(const struct front_env *env, const struct inst *in, const struct front_result *r)
{
	u8 *base;
	u64 stride, size;
	u32 *dst = env->regs + (u32)in->dst[0].value * WARP_LANES;

	if (in->width != 4 || in->vec != 1 || in->space == SPACE_LOCAL || r->mask != ~0u ||
	    in->dst[0].kind != OPERAND_REG)
		return false;
	size = window_find(env, in->space, &base, &stride);
	if (!base || !window_inside(r, size, 4))
		return false;
#pragma GCC unroll 8
	for (u32 l = 0; l < WARP_LANES; l++)
		memcpy(&dst[l], base + r->address[l], 4);
	return true;
}

/* A load from any space; near: the lanes are 32 neighbours. */
static void memory_load(const struct front_env *env, const struct inst *in, struct front_result *r, bool near)
{
	struct memory_view v;

	if (space_is_global(in)) {
		if (global_check(env, r, inst_access_bytes(in)))
			return;
		if (near && load_neighbours(env, in, r))
			return;
		global_view(env, r, &v);
	} else if (load_words(env, in, r) || window_view(env, in, r, &v)) {
		return;
	}
	for (u32 e = 0; e < in->vec; e++)
		element_load(env, in, e, &v, r->mask);
}

/* Gather the bytes that each lane stores: lane l's at out + l x bytes. */
static void store_gather(const struct front_env *env, const struct inst *in, u8 *out)
{
	u32 bytes = inst_access_bytes(in);
	struct lane_operand room;

	for (u32 e = 0; e < in->vec; e++) {
		const u32 *s = exec_source(env, in, 1 + e, in->width == 8 ? 'd' : 'w', &room);

		if (bytes == 4 && in->width == 4) {
			memcpy(out, s, 4 * WARP_LANES);
			continue;
		}
		for (u32 l = 0; l < WARP_LANES; l++) {
			u64 x = s[l] | (in->width == 8 ? (u64)s[WARP_LANES + l] << 32 : 0);

			word_copy(out + l * bytes + e * in->width, &x, in->width);
		}
	}
}

/* Append one store to the write queue. */
static void queue_store(const struct front_env *env, u64 address, const u8 *data, u32 bytes, u32 lane, u32 lanes)
{
	struct write_entry *w = &env->queue[(*env->nqueue)++];

	*w = (struct write_entry){.address = address,
				  .context = env->context,
				  .dst = REG_NONE,
				  .bytes = (u8)bytes,
				  .lane = (u8)lane,
				  .type = (u8)lanes};
	bytes_copy(w->data, data, bytes);
}

/* Stores to global memory wait in the queue; neighbours from an aligned address in pieces of QUEUE_BYTES. */
static void global_store(const struct front_env *env, const struct inst *in, struct front_result *r, bool near)
{
	u8 data[WARP_LANES * QUEUE_BYTES];
	u32 bytes = inst_access_bytes(in);

	if (global_check(env, r, bytes))
		return;
	store_gather(env, in, data);
	if (near && r->address[0] % QUEUE_BYTES == 0) {
		for (u32 at = 0; at < WARP_LANES * bytes; at += QUEUE_BYTES)
			queue_store(env, r->address[0] + at, data + at, QUEUE_BYTES, at / bytes, QUEUE_BYTES / bytes);
		return;
	}
	LANES_EACH (l, r->mask)
		queue_store(env, r->address[l], data + l * bytes, bytes, l, 1);
}

/* The same of a word from each of 32 lanes to shared memory. */
static bool store_words(const struct front_env *env, const struct inst *in, const struct front_result *r)
{
	const u32 *from = env->regs + (u32)in->src[1].value * WARP_LANES;
	u8 *base = env->shared;

	if (in->width != 4 || in->vec != 1 || in->space != SPACE_SHARED || r->mask != ~0u ||
	    in->src[1].kind != OPERAND_REG || !base || !window_inside(r, env->launch->shared, 4))
		return false;
#pragma GCC unroll 8
	for (u32 l = 0; l < WARP_LANES; l++)
		memcpy(base + r->address[l], &from[l], 4);
	return true;
}

/* A store to shared or local memory acts at once, in lane order. */
static void window_store(const struct front_env *env, const struct inst *in, struct front_result *r)
{
	u8 data[WARP_LANES * QUEUE_BYTES];
	struct memory_view v;
	u32 bytes = inst_access_bytes(in);

	if (store_words(env, in, r) || window_view(env, in, r, &v))
		return;
	store_gather(env, in, data);
	LANES_EACH (l, r->mask)
		bytes_copy((u8 *)(uintptr_t)v.byte[l], data + l * bytes, bytes);
}

/* Operand k of an atomic in lane l. */
static u64 atomic_operand(const u32 *s, u32 width, u32 l)
{
	return width == 2 ? s[l] & 0xffff : s[l] | (width == 8 ? (u64)s[WARP_LANES + l] << 32 : 0);
}

/* An atomic on shared memory: lane by lane, the old value at once in the register. */
static void window_atomic(const struct front_env *env, const struct inst *in, const struct memory_view *v, u32 l, u64 a,
			  u64 b)
{
	u8 *p = (u8 *)(uintptr_t)v->byte[l];
	u64 old = 0, value;

	word_copy(&old, p, in->width);
	value = atomic_value((enum atom_op)in->aux, (enum value_type)in->vec, old, a, b, false);
	word_copy(p, &value, in->width);
	if (!in->ndst || in->dst[0].kind != OPERAND_REG)
		return;
	env->regs[(u32)in->dst[0].value * WARP_LANES + l] = (u32)old;
	if (in->width == 8)
		env->regs[((u32)in->dst[0].value + 1) * WARP_LANES + l] = (u32)(old >> 32);
}

/* An atomic on global memory waits in the queue. */
static void queue_atomic(const struct front_env *env, const struct inst *in, u64 address, u32 l, u64 a, u64 b)
{
	env->queue[(*env->nqueue)++] = (struct write_entry){
		.address = address,
		.data = {a, b},
		.context = env->context,
		.dst = in->ndst && in->dst[0].kind == OPERAND_REG ? in->dst[0].value : REG_NONE,
		.bytes = in->width,
		.lane = (u8)l,
		.atom = (u8)(1 + in->aux),
		.type = in->vec,
	};
}

/* An atomic or a reduction, lanes in order. */
static void memory_atomic(const struct front_env *env, const struct inst *in, struct front_result *r)
{
	char letter = in->width == 8 ? 'd' : 'w';
	bool global = space_is_global(in);
	struct lane_operand room[2];
	struct memory_view v;
	const u32 *a, *b;

	if (global ? global_check(env, r, in->width) : window_view(env, in, r, &v))
		return;
	a = exec_source(env, in, 1, letter, &room[0]);
	b = in->aux == ATOM_CAS ? exec_source(env, in, 2, letter, &room[1]) : a;
	LANES_EACH (l, r->mask) {
		u64 x = atomic_operand(a, in->width, l), y = atomic_operand(b, in->width, l);

		if (global)
			queue_atomic(env, in, r->address[l], l, x, y);
		else
			window_atomic(env, in, &v, l, x, y);
	}
}

/* The lanes' access to the space that the instruction names; addresses are in r. near: they are 32 neighbours. */
static void space_issue(const struct front_env *env, const struct inst *in, struct front_result *r, bool near)
{
	bool read_only = in->space == SPACE_PARAM || in->space == SPACE_CONST;

	if (in->op == OP_LD)
		memory_load(env, in, r, near);
	else if (read_only)
		fault_record(r, FAULT_READ_ONLY, (u32)__builtin_ctz(r->mask));
	else if (in->op == OP_ATOM)
		memory_atomic(env, in, r);
	else if (space_is_global(in))
		global_store(env, in, r, near);
	else
		window_store(env, in, r);
}

/* The spaces of generic addresses: global memory, then the windows in the order of their bases. */
static const u8 generic_space[] = {SPACE_GLOBAL, SPACE_SHARED, SPACE_LOCAL, SPACE_CONST, SPACE_PARAM};

/* Sort the lanes by space; addresses in windows become offsets. Returns how many spaces there are, *one is the last. */
static u32 generic_sort(struct front_result *r, u32 lanes[ARRAY_LEN(generic_space)], u8 *one)
{
	u32 spaces = 0;

	memset(lanes, 0, ARRAY_LEN(generic_space) * sizeof(*lanes));
	LANES_EACH (l, r->mask) {
		u64 at = r->address[l] - SHARED_WINDOW;
		u32 k = at < WINDOWS_END - SHARED_WINDOW ? 1 + (u32)(at / WINDOW_BYTES) : 0;

		lanes[k] |= 1u << l;
		if (k)
			r->address[l] = at % WINDOW_BYTES;
	}
	for (u32 k = 0; k < ARRAY_LEN(generic_space); k++) {
		spaces += lanes[k] != 0;
		*one = lanes[k] ? generic_space[k] : *one;
	}
	return spaces;
}

/* Would the lanes in r->mask fault? */
static bool space_faults(const struct front_env *env, const struct inst *in, struct front_result *r)
{
	struct memory_view v;

	if (in->op != OP_LD && (in->space == SPACE_PARAM || in->space == SPACE_CONST))
		return fault_record(r, FAULT_READ_ONLY, (u32)__builtin_ctz(r->mask));
	return space_is_global(in) ? global_check(env, r, inst_access_bytes(in)) : window_view(env, in, r, &v);
}

/* Lanes of several spaces: each space's lanes in turn, once it is sure that none faults. */
static void generic_mixed(const struct front_env *env, const struct inst *in, struct front_result *r,
			  const u32 lanes[ARRAY_LEN(generic_space)])
{
	struct inst part = *in;
	u32 all = r->mask;

	for (u32 pass = 0; pass < 2 && !r->fault; pass++) {
		for (u32 k = 0; k < ARRAY_LEN(generic_space) && !r->fault; k++) {
			part.space = generic_space[k];
			r->mask = lanes[k];
			if (r->mask && pass)
				space_issue(env, &part, r, false);
			else if (r->mask)
				space_faults(env, &part, r);
		}
	}
	r->mask = all;
	r->window = SPACE_GENERIC;
	r->space = SPACE_GLOBAL;
	r->aside = all & ~lanes[0];
}

/* A generic access of which some lane is not in global memory. Constants and parameters are timed like shared memory.
 */
static void generic_issue(const struct front_env *env, const struct inst *in, struct front_result *r)
{
	u32 lanes[ARRAY_LEN(generic_space)];
	struct inst as = *in;

	if (generic_sort(r, lanes, &as.space) > 1) {
		generic_mixed(env, in, r, lanes);
		return;
	}
	space_issue(env, &as, r, false);
	r->window = as.space;
	r->space = as.space == SPACE_CONST || as.space == SPACE_PARAM ? SPACE_SHARED : as.space;
}

bool front_peek(const struct front_env *env, u32 lane, u64 address, void *out, u32 n)
{
	const struct buffer *b;
	u64 size, stride, offset;
	u8 *base;

	for (u32 k = 1; k < ARRAY_LEN(generic_space); k++) {
		offset = address - (SHARED_WINDOW + (k - 1) * WINDOW_BYTES);
		if (offset >= WINDOW_BYTES)
			continue;
		size = window_find(env, generic_space[k], &base, &stride);
		if (offset >= size || size - offset < n)
			return false;
		memcpy(out, base + lane * stride + offset, n);
		return true;
	}
	b = program_buffer_at(env->program, address, NULL);
	if (!b || address - b->address >= b->bytes || b->bytes - (address - b->address) < n)
		return false;
	store_read(env->store, address, out, n);
	return true;
}

void memory_addresses(const struct front_env *env, const struct inst *in, struct front_result *r)
{
	r->span.known = 0;
	addresses_compute(env, in, r);
}

bool memory_sources(const struct front_env *env, const struct inst *in, struct front_result *r,
		    const u8 *byte[WARP_LANES])
{
	struct memory_view v;

	if (!r->mask)
		return false;
	if (global_check(env, r, inst_access_bytes(in)))
		return true;
	global_view(env, r, &v);
	memcpy(byte, v.byte, sizeof(v.byte));
	return false;
}

bool memory_shared_faults(const struct front_env *env, struct front_result *r, u32 lane, u32 address, u32 bytes)
{
	u64 size = env->shared ? env->launch->shared : 0;

	if (!fault_record(r, window_fault(SPACE_SHARED, address, bytes, size), lane))
		return false;
	r->fault_address = address;
	return true;
}

void memory_issue(const struct front_env *env, const struct inst *in, struct front_result *r)
{
	bool near;

	r->span.known = 0;
	near = addresses_compute(env, in, r) && r->mask == ~0u;
	if (in->space == SPACE_GENERIC) {
		r->space = r->window = SPACE_GLOBAL;
		r->aside = 0;
		if (exec_lanes()->outside(r->address, r->mask, WINDOWS_END, ~0ULL - WINDOWS_END, 0)) {
			generic_issue(env, in, r);
			return;
		}
	}
	space_issue(env, in, r, near);
}
