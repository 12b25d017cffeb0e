/*
 * units.h - the execution units of a sub-core: which is free, when it takes the next instruction, when the result of
 * one is there. For src/core only.
 */
#ifndef WARPSTEP_UNITS_H
#define WARPSTEP_UNITS_H

#include "state/view.h"

/* constants.c: first loads of constants, where some take longer (sm_view.const_seen). Cycles until a load of a context
 * may have its result; it is noted. And the end of a launch. */
u32 constants_wait(struct sm_view *v, u32 context, u32 pc);
void constants_forget(struct sm_view *v, u32 launch);

/* units.c: the settings with the latency of a class and the initiation interval of its units for it; where they are 0,
 * those of another class hold. */
struct class_times {
	u16 latency, interval;
	u8 as;
};
extern const struct class_times class_times[CLASS_COUNT];

/* A setting's value: struct config is an array of u32 in the order of settings.def. */
static inline u32 setting_value(const struct config *c, u32 id)
{
	_Static_assert(sizeof(struct config) == SETTING_COUNT * sizeof(u32), "struct config is an array of u32");
	return ((const u32 *)c)[id];
}

/* Cycles from a warp to the next on a unit, and from a warp to its result, by class. */
static inline u32 class_interval(const struct config *c, u32 class)
{
	u32 cycles = setting_value(c, class_times[class].interval);
	return cycles ? cycles : setting_value(c, class_times[class_times[class].as].interval);
}
static inline u32 class_latency(const struct config *c, u32 class)
{
	u32 cycles = setting_value(c, class_times[class].latency);
	return cycles ? cycles : setting_value(c, class_times[class_times[class].as].latency);
}

/* Is the latency of a class known, but for the way to its unit? */
static inline bool class_is_fixed(u32 class)
{
	static const u32 fixed = 1u << CLASS_INT | 1u << CLASS_IMUL | 1u << CLASS_FP32 | 1u << CLASS_FP64 |
				 1u << CLASS_HALF | 1u << CLASS_UNIFORM | 1u << CLASS_TENSOR | 1u << CLASS_DMMA;
	return fixed >> class & 1;
}

/* Cycles from the issue of an instruction within which it reaches its unit if nothing but its own reads is in its way;
 * those until its result is ready then, 0: not known, or more than a stall counter has room for. */
u32 inst_window(const struct config *c, const struct inst *in);
u32 inst_due(const struct config *c, const struct inst *in);

/* Quarters of a step that a product takes. */
static inline u32 tensor_work(const struct sm_view *v, const struct collector *cu)
{
	u32 work = view_kernel(v, cu->context)->inst[cu->pc].work;
	return work ? work : 4;
}

/* From a product's operands to its result, with lat.tensor_step: to the next step's if the sum stays in the core. Steps
 * of one instruction follow each other. */
static inline u32 tensor_latency(const struct sm_view *v, const struct collector *cu)
{
	const struct config *c = &v->m->config;
	u32 step = c->lat_tensor_step;
	if (view_kernel(v, cu->context)->inst[cu->pc].keeps)
		return max_u32(step, c->collector_window + 1) - c->collector_window; /* the next reads its operands */
	return c->lat_pipe + c->lat_tensor + (tensor_work(v, cu) - 1) / 4 * step;
}

/* A unit of a kind that takes an instruction now, or NULL. */
static inline struct unit *unit_free(struct sm_view *v, const struct sub_view *part, u32 kind)
{
	u64 now = view_cycle(v);
	struct unit *u = part->unit + v->m->warp_units[kind], *end = part->unit + v->m->warp_units[kind + 1];
	for (; u < end; u++)
		if (u->free_at <= now)
			return u;
	return NULL;
}

/* When a unit that takes an instruction now takes another. */
static inline u64 unit_again(const struct sm_view *v, const struct collector *cu)
{
	const struct config *c = &v->m->config;
	u32 cycles = class_interval(c, cu->class);
	if (cu->class == CLASS_TENSOR && c->lat_tensor_step)
		cycles = (cycles * tensor_work(v, cu) + 3) / 4;
	return view_cycle(v) + cycles;
}

/* What is left of the window in which an instruction reads its operands. */
static inline u32 window_left(const struct sm_view *v, const struct collector *cu)
{
	if (__builtin_expect(v->m->config.collector_allocate, 0))
		return max_u32(v->m->config.collector_window, 2) - 2; /* what is held has all of it later */
	u64 end = cu->issued_at + v->m->config.collector_window;
	return end > view_cycle(v) ? (u32)(end - view_cycle(v)) : 0;
}

/* Cycles until the result of an instruction that a unit takes now. */
static inline u32 unit_latency(struct sm_view *v, const struct collector *cu)
{
	const struct config *c = &v->m->config;
	if (cu->class == CLASS_TENSOR && c->lat_tensor_step)
		return window_left(v, cu) + tensor_latency(v, cu);
	u32 latency = window_left(v, cu) + c->lat_pipe + class_latency(c, cu->class);
	if (__builtin_expect(cu->class == CLASS_CONST && v->const_seen, 0))
		return max_u32(latency, constants_wait(v, cu->context, cu->pc));
	return latency;
}

#endif
