/* mutant.c - the planted error that WARPSTEP_MUTANT names. Part of build/mutants alone. */
#include "mutant.h"

#include <stdlib.h>

int mutant_on;

static void __attribute__((constructor)) mutant_choose(void)
{
	const char *number = getenv("WARPSTEP_MUTANT");

	mutant_on = number ? atoi(number) : 0;
}
