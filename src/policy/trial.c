/*
 * trial.c - the rows behind those of schemes.def: nobody's here. A test program that defines scheme_trial fills them
 * with schemes of its own, to be chosen by number and shown to nobody.
 */
#include "policy.h"

const struct scheme scheme_trial[SCHEME_TRIALS];
