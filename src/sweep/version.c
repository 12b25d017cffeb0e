/* version.c - the version of the program in the keys of jobs: its number, and a hash of the sources that decide
 * results. */
#include "plan.h"

#include "model.h"

const char sweep_version[] = VERSION "-" MODEL;
