/*
 * policy_mascar.h - what policy mascar goes by, for those who show it.
 */
#ifndef WARPSTEP_POLICY_MASCAR_H
#define WARPSTEP_POLICY_MASCAR_H

#include "policy.h"

/* The context whose turn at memory it is in an SM, NONE32: nobody's, for memory is not full. */
u32 mascar_owner(const struct machine *m, u32 sm);

#endif
