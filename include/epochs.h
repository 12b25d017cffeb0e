/*
 * epochs.h - what GPU Maestro does and has decided, for those who show it: in words, and as it develops within an
 * epoch.
 */
#ifndef WARPSTEP_EPOCHS_H
#define WARPSTEP_EPOCHS_H

#include "policy_maestro.h"
#include "sim.h"

/* The policy maestro divides SMs between kernels now. */
bool epochs_run(const struct machine *m);
/* What an SM is for: "tries one CTA more of sparse". */
void epochs_role(const struct sim *sim, u32 sm, struct text *out);
/* "epoch 3 began in cycle 12001: 880 of 5000 cycles", or that CTAs move; with more than two kernels, which pair's turn
 * it is. */
void epochs_phase(const struct sim *sim, struct text *out);
/* What SMs that follow are to hold of a trial kernel, of which before they held so many CTAs; 0: SMs were, or are to
 * be, apart. */
void epochs_decision(const struct sim *sim, u32 trial, u32 ctas, u32 before, struct text *out);
/* "dense and sparse": the kernels of a pair. */
void epochs_pair(const struct sim *sim, u32 pair, struct text *out);
/* "ANTT one more 1.012; SMs apart 2.000, as it was 1.104": what the last epoch has measured, what was decided first.
 * Nothing if nothing was measured. */
void epochs_options(const struct machine *m, struct text *out);
/* Warp instructions of one of the kernels that an SM of its own issued in a cycle when last measured; 0: not known. */
double epochs_alone(const struct machine *m, u32 k);
/* Of one of the kernels, by how much an SM has been slower in the epoch that is measured than one of the kernel's own
 * was when last measured; 0: not known, or it is not of the SM's pair. */
double epochs_slowdown(const struct sim *sim, u32 sm, u32 k);
/* Which of the kernels that are dealt with a launch is, NONE32: none. */
u32 epochs_kernel(const struct machine *m, u32 launch);

#endif
