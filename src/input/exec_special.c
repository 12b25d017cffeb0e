/*
 * exec_special.c - special registers beyond those of position: lane masks, clocks, the SM, the grid.
 *
 * %clock counts SM cycles and is the cycle of the reading instruction's issue; %globaltimer is the same in nanoseconds
 * at gpu.clock. %gridid is the number of the launch in the program. Without timing (functional_run) the clock counts
 * warp instructions. Source: PTX ISA 8.x, chapter 10.
 */
#include "exec_internal.h"

/* Nanoseconds since the start. */
static u64 special_nanoseconds(const struct front_env *env)
{
	u64 mhz = env->site->mhz, clock = *env->site->clock;

	return clock / mhz * 1000 + clock % mhz * 1000 / mhz;
}

/* %lanemask_*: of one lane. */
static u32 special_lanemask(u32 sreg, u32 l)
{
	u32 bit = 1u << l;

	switch (sreg) {
	case SREG_LANEMASK_EQ: return bit;
	case SREG_LANEMASK_LT: return bit - 1;
	case SREG_LANEMASK_LE: return bit | (bit - 1);
	case SREG_LANEMASK_GT: return ~(bit | (bit - 1));
	default: return ~(bit - 1);
	}
}

/* A special register that is the same in all lanes. */
static u64 special_value(const struct front_env *env, u32 sreg)
{
	const struct launch *l = env->launch;

	switch (sreg) {
	case SREG_GRIDID: return (u64)(l - env->program->launch);
	case SREG_TOTAL_SMEM: return l->shared;
	case SREG_DYNAMIC_SMEM: return l->dynamic_shared;
	case SREG_CLOCK: return (u32)*env->site->clock;
	case SREG_CLOCK_HI: return *env->site->clock >> 32;
	case SREG_CLOCK64: return *env->site->clock;
	case SREG_GLOBALTIMER: return special_nanoseconds(env);
	case SREG_GLOBALTIMER_LO: return (u32)special_nanoseconds(env);
	case SREG_GLOBALTIMER_HI: return special_nanoseconds(env) >> 32;
	case SREG_SMID: return env->site->sm;
	case SREG_NSMID: return env->site->sms;
	default: return l->warps;
	}
}

void special_read(const struct front_env *env, u32 sreg, struct lane_operand *room)
{
	bool mask = sreg >= SREG_LANEMASK_EQ && sreg <= SREG_LANEMASK_GE;
	u64 value = mask ? 0 : special_value(env, sreg);

	for (u32 l = 0; l < WARP_LANES; l++) {
		room->word[l] = mask ? special_lanemask(sreg, l) : (u32)value;
		room->word[WARP_LANES + l] = (u32)(value >> 32);
	}
}
