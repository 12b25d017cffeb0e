/* mutant.h - planted errors: which one is on. Part of build/mutants alone. */
#ifndef WARPSTEP_MUTANT_H
#define WARPSTEP_MUTANT_H

extern int mutant_on; /* its number, 0: none */
#define mutant(n) __builtin_expect(mutant_on == (n), 0)

#endif
