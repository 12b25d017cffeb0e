/*
 * policy_maestro.h - GPU Maestro: partitions of an SM are tried on live SMs, and the GPU follows the best. For the
 * policy, and for those who show what it decides.
 *
 * Source: Park, University of Michigan, 2016, section 5.4.1.
 */
#ifndef WARPSTEP_POLICY_MAESTRO_H
#define WARPSTEP_POLICY_MAESTRO_H

#include "policy_smk.h"

#define MAESTRO_ONE 1000		/* a slowdown of 1 */
#define MAESTRO_MOST 1000000000		/* that of a kernel that issues nothing */
#define MAESTRO_LEAST_SMS 5		/* one of each role */
#define MAESTRO_KERNELS 16		/* that are remembered */
#define MAESTRO_PAIRS (SMK_KERNELS / 2) /* of kernels that run */

enum maestro_role { ROLE_NONE, ROLE_DEDICATED, ROLE_MORE, ROLE_LESS, ROLE_FOLLOWER };
enum maestro_phase { PHASE_OFF, PHASE_MOVING, PHASE_MEASURING, PHASE_UNTRIED };

/* What can be done in the next epoch: SMs of their own for the kernels, the trial kernel's CTAs as they are, one more,
 * one less. */
enum maestro_choice { OPTION_SPATIAL, OPTION_SAME, OPTION_MORE, OPTION_LESS, OPTION_COUNT };

/* What an epoch has measured of an option. */
#define MAESTRO_OPTION_FIELDS(F, A) \
	F(u64, first, "slowdown of the first kernel of the pair in the last epoch, x 1000 (0 = not measured)") \
	F(u64, second, "slowdown of the second kernel of the pair in the last epoch, x 1000 (0 = not measured)")
struct maestro_option {
	MAESTRO_OPTION_FIELDS(FIELD_MEMBER, FIELD_ARRAY)
};

/* What is known of a pair of kernels. */
#define MAESTRO_PAIR_FIELDS(F, A) \
	F(u32, spatial, "additional dedicated SMs of each kernel, given while separate SMs are best") \
	F(u32, trial, "trial kernel of the pair (0 or 1): the one of which fewer CTAs fit an SM") \
	F(u32, ctas, "CTAs of the trial kernel that each follower SM should hold") \
	F(u32, apart, "1 = separate SMs were best") \
	F(u32, same, "consecutive epochs after which the decision stayed the same") \
	F(u32, steady, "1 = steady: the dedicated SMs are followers too") \
	F(u32, waited, "epochs since the pair became steady")
struct maestro_pair {
	MAESTRO_PAIR_FIELDS(FIELD_MEMBER, FIELD_ARRAY)
};

/* The fields of the pair are those of the one whose turn it is. */
#define MAESTRO_FIELDS(F, A) \
	F(u32, phase, \
	  "phase: 0 = at most one kernel, 1 = CTAs move to their partition, 2 = an epoch is measured, 3 = no pair of " \
	  "kernels has enough SMs for measuring") \
	F(u32, decided, "last decision: 0 = separate SMs, 1 = no change, 2 = one CTA more, 3 = one CTA less") \
	MAESTRO_PAIR_FIELDS(F, A) \
	F(u32, epochs, "completed epochs") \
	F(u32, kernels, "managed kernels that run: 0 and 1 form a pair, 2 and 3, ...; the last may be unpaired") \
	F(u32, turn, "pair whose partitions are being measured") \
	F(u32, turn_epochs, "completed epochs of the measured pair's turn, if other pairs wait") \
	F(u32, last, "pair measured in the last epoch") \
	F(u64, since, "first cycle of the present phase") \
	F(u64, epochs_apart, "epochs after which separate SMs were chosen") \
	F(u64, epochs_even, "epochs after which equal shares of each SM were chosen") \
	F(u64, epochs_other, "epochs after which unequal shares of each SM were chosen") \
	A(u64, history, MAESTRO_KERNELS, \
	  "result per kernel: hash of its name (32 bits), and its share of the CTAs that fit, x 1000")
struct maestro {
	MAESTRO_FIELDS(FIELD_MEMBER, FIELD_ARRAY)
};

#define MAESTRO_KERNEL_FIELDS(F, A) \
	F(u64, launch, "launch + 1 (0 = none)") \
	F(u64, issued, \
	  "warp instructions that the kernel's dedicated SMs issued in the last epoch in which they issued any") \
	F(u64, cycles, "cycles of the kernel's dedicated SMs in that epoch, summed (0 = isolated speed unknown)")
struct maestro_kernel {
	MAESTRO_KERNEL_FIELDS(FIELD_MEMBER, FIELD_ARRAY)
};

#define MAESTRO_SM_FIELDS(F, A) \
	F(u32, role, \
	  "role of the SM: 0 = none, 1 = dedicated to a kernel, 2 = one more CTA of the trial kernel, 3 = one less, 4 = follower") \
	F(u32, kernel, "kernel of the pair that the SM is dedicated to (0 or 1)") \
	F(u64, pair, "pair of kernels whose CTAs the SM accepts") \
	A(u64, issued, 2, "warp instructions of each kernel of the pair at the start of the epoch")
struct maestro_sm {
	MAESTRO_SM_FIELDS(FIELD_MEMBER, FIELD_ARRAY)
};

/* The option with the least ANTT, the mean slowdown, or (stp) the greatest STP, the sum of what 1 / slowdown is; `now`
 * where none is better. */
u32 maestro_decide(const struct maestro_option *t, u32 now, bool stp);
/* CTAs of another launch for which an SM has room beside so many of one, by numbers. */
u32 maestro_fill(const struct machine *m, const struct launch *one, u32 ctas, const struct launch *other);
/* What it knows, and what is known of the kernels (SMK_KERNELS), options (OPTION_COUNT), SMs and pairs (MAESTRO_PAIRS;
 * of the one whose turn it is in `own`). */
struct maestro_state {
	const struct maestro *own;
	const struct maestro_kernel *kernel;
	const struct maestro_option *option;
	const struct maestro_sm *sm;
	const struct maestro_pair *pair;
};
struct maestro_state maestro_state(const struct machine *m);
/* What is known of a pair, whether it is its turn or not. */
struct maestro_pair maestro_pair(const struct maestro_state *s, u32 pair);
/* Is it a pair's turn: are partitions tried for it? */
static inline bool maestro_turn(const struct maestro *own, u32 pair)
{
	return own->phase != PHASE_UNTRIED && own->turn == pair;
}
/* One of the kernels (0, 1) of a pair, as a launch; NONE32: the other is alone. */
static inline u32 maestro_launch(const struct maestro_kernel *kernel, u32 pair, u32 k)
{
	return (u32)kernel[2 * pair + k].launch - 1;
}
/* CTAs that an SM is to hold of one of the two kernels (0, 1) of its pair, NONE32: as many as fit. */
u32 maestro_wanted(const struct machine *m, const struct launch *launch, const struct launch_run *run,
		   const struct maestro_sm *sm, u32 k);
/* The same of any launch: 0 if it is of another pair, or waits. */
u32 maestro_wanted_of(const struct machine *m, const struct launch *launch, const struct launch_run *run, u32 sm,
		      u32 which);

/* maestro_pairs.c: kernels that run, as numbers of launches + 1, in pairs: those that were a pair before (`before`)
 * stay one; the others follow in their order, the last alone if their number is odd. after: SMK_KERNELS, 0 behind n. */
void maestro_pair_up(const u64 *before, const u64 *running, u32 n, u64 *after);
/* SMs for each pair: as many for each kernel as for any other, those that suit it best. */
void maestro_deal(const struct machine *m, const struct maestro_kernel *kernel, u32 kernels, struct maestro_sm *sm);
u32 maestro_sms(const struct machine *m, u32 pair);

/* What is remembered of kernels: a number for a name, not 0; its place in the history: its own, else the first that is
 * free, else one by its name; CTAs that a launch of that name came to, of those that fit now, NONE32: nothing is known.
 */
u64 maestro_name(const struct launch *l);
u32 maestro_place(const struct maestro *own, u64 name);
u32 maestro_before(const struct machine *m, const struct launch *l, u32 launch);
/* CTAs of the trial kernel that two launches begin with in a shared SM. */
u32 maestro_first(const struct machine *m, const struct launch *launch, u32 trial, u32 other);
/* How fast SMs of a launch's own were when last measured; NULL: not known. */
const struct maestro_kernel *maestro_alone(const struct machine *m, u32 launch);
/* Warp instructions that an SM has issued of one of the two kernels of its pair since the epoch began. */
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
