/*
 * issue.h - who issues, and what each cycle came to. For src/core only.
 */
#ifndef WARPSTEP_ISSUE_H
#define WARPSTEP_ISSUE_H

#include "execute/perform.h"

void sm_issue(struct sm_view *v); /* its stage */
/* In front of it: could a scheduler choose one of some slots? False: none will. Where SMs are few, one that is ready
 * could: to tell more would cost more than it spares. */
bool issue_may_choose(struct sm_view *v, const u64 *slots);
/* issue.c: n slots more of each scheduler that was last lost to the pipeline, by cause */
void pipeline_again(struct sm_view *v, u64 n);

/* account.c: statuses and outcomes of the cycle, or of `cycles` slept ones */
void sm_account(struct sm_view *v);
void sm_account_sleep(struct sm_view *v, u64 upto);
/* Count what residents hold (contexts, registers, shared memory) and MSHRs in use, for the cycles that are counted:
 * before any but the MSHRs changes, and before somebody looks. */
void sm_account_held(struct sm_view *v);

#endif
