/*
 * policy_maestro.h - GPU Maestro: partitions of an SM are tried on live SMs, and the GPU follows the best. For the
 * policy, and for those who show what it decides.
 *
 * Source: Park, University of Michigan, 2016, section 5.4.1.
 */
#ifndef WARPSTEP_POLICY_MAESTRO_H
#define WARPSTEP_POLICY_MAESTRO_H

#include "policy.h"

#define MAESTRO_ONE 1000	/* a slowdown of 1 */
#define MAESTRO_MOST 1000000000 /* that of a kernel that issues nothing */
#define MAESTRO_LEAST_SMS 5	/* one of each role */
#define MAESTRO_KERNELS 16	/* that are remembered */

enum maestro_role { ROLE_NONE, ROLE_DEDICATED, ROLE_MORE, ROLE_LESS, ROLE_FOLLOWER };
enum maestro_phase { PHASE_OFF, PHASE_MOVING, PHASE_MEASURING };

/* What can be done in the next epoch: SMs of their own for the kernels, the trial kernel's CTAs as they are, one more,
 * one less. */
enum maestro_choice { OPTION_SPATIAL, OPTION_SAME, OPTION_MORE, OPTION_LESS, OPTION_COUNT };

/* What an epoch has measured of an option. */
#define MAESTRO_OPTION_FIELDS(F, A) \
	F(u64, first, "slowdown of the first kernel in the last epoch, x 1000; 0: not tried") \
	F(u64, second, "that of the second")
struct maestro_option {
	MAESTRO_OPTION_FIELDS(FIELD_MEMBER, FIELD_ARRAY)
};

#define MAESTRO_FIELDS(F, A) \
	F(u32, phase, "0 there is one kernel or none, 1 CTAs move to where they are wanted, 2 an epoch is measured") \
	F(u32, spatial, "SMs of their own that each kernel has beside the first, as SMs apart were best") \
	F(u32, trial, "which of the two is the trial kernel: the one of which fewer CTAs fit") \
	F(u32, ctas, "CTAs of the trial kernel that follower SMs are to hold") \
	F(u32, decided, "what was decided last: 0 SMs apart, 1 the same, 2 one more, 3 one less") \
	F(u32, apart, "1: SMs of their own were best") \
	F(u32, same, "epochs in a row after which nothing changed") \
	F(u32, steady, "1: the dedicated SMs follow, too") \
	F(u32, waited, "epochs since it is so") \
	F(u32, epochs, "epochs that have ended") \
	F(u64, since, "first cycle of the phase") \
	F(u64, epochs_apart, "epochs after which SMs apart were decided for") \
	F(u64, epochs_even, "epochs after which equal parts were") \
	F(u64, epochs_other, "epochs after which other parts were") \
	A(u64, history, MAESTRO_KERNELS, \
	  "what kernels came to: name (32 bits), and its part of the CTAs that fit, x 1000")
struct maestro {
	MAESTRO_FIELDS(FIELD_MEMBER, FIELD_ARRAY)
};

#define MAESTRO_KERNEL_FIELDS(F, A) \
	F(u64, launch, "one of the two launches, and 1 more") \
	F(u64, issued, "warp instructions that SMs of its own issued in the last epoch in which they issued any") \
	F(u64, cycles, "cycles of these SMs, one after the other; 0: not known how fast it is alone")
struct maestro_kernel {
	MAESTRO_KERNEL_FIELDS(FIELD_MEMBER, FIELD_ARRAY)
};

#define MAESTRO_SM_FIELDS(F, A) \
	F(u32, role, \
	  "0 none, 1 dedicated to a kernel, 2 tries one more CTA of the trial kernel, 3 one less, 4 follows") \
	F(u32, kernel, "of a dedicated SM: which of the two") \
	A(u64, issued, 2, "warp instructions of each kernel up to the beginning of the epoch")
struct maestro_sm {
	MAESTRO_SM_FIELDS(FIELD_MEMBER, FIELD_ARRAY)
};

/* The option with the least ANTT, the mean slowdown, or (stp) the greatest STP, the sum of what 1 / slowdown is; `now`
 * where none is better. */
u32 maestro_decide(const struct maestro_option *t, u32 now, bool stp);
/* CTAs of another launch for which an SM has room beside so many of one, by numbers. */
u32 maestro_fill(const struct machine *m, const struct launch *one, u32 ctas, const struct launch *other);
/* What it knows, and what is known of the kernels (2), options (OPTION_COUNT) and SMs. */
struct maestro_state {
	const struct maestro *own;
	const struct maestro_kernel *kernel;
	const struct maestro_option *option;
	const struct maestro_sm *sm;
};
struct maestro_state maestro_state(const struct machine *m);
/* CTAs that an SM is to hold of one of the two kernels (0, 1), NONE32: as many as fit. */
u32 maestro_wanted(const struct machine *m, const struct launch *launch, const struct launch_run *run,
		   const struct maestro_sm *sm, u32 k);

/* What is remembered of kernels: a number for a name, not 0; its place in the history: its own, else the first that is
 * free, else one by its name; CTAs that a launch of that name came to, of those that fit now, NONE32: nothing is known.
 */
u64 maestro_name(const struct launch *l);
u32 maestro_place(const struct maestro *own, u64 name);
u32 maestro_before(const struct machine *m, const struct launch *l, u32 launch);
/* How fast SMs of a launch's own were when last measured; NULL: not known. */
const struct maestro_kernel *maestro_alone(const struct machine *m, u32 launch);
/* Warp instructions that an SM has issued of one of the two kernels since the epoch began. */
u64 maestro_issued(const struct machine *m, u32 sm, u32 k);
/* The mean of what an epoch has measured of an option, and the sum of speeds. */
static inline double maestro_antt(const struct maestro_option *x)
{
	return ((double)x->first / MAESTRO_ONE + (double)x->second / MAESTRO_ONE) / 2;
}
static inline double maestro_stp(const struct maestro_option *x)
{
	return MAESTRO_ONE / (double)x->first + MAESTRO_ONE / (double)x->second;
}

#endif
