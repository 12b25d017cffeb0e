/*
 * clock.c - a host's clocks that jump: forwards by up to CLOCK_MOST seconds at each look, mostly little, as CLOCK_SEED
 * draws it.
 */
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

int clock_gettime(clockid_t id, struct timespec *t)
{
	static uint64_t drawn, now;
	static double most;

	(void)id;
	if (!drawn) {
		const char *seed = getenv("CLOCK_SEED"), *seconds = getenv("CLOCK_MOST");

		drawn = (seed ? strtoull(seed, NULL, 10) : 1) * 0x9e3779b97f4a7c15ull + 1;
		most = seconds ? strtod(seconds, NULL) : 1e-3;
	}
	drawn ^= drawn << 13;
	drawn ^= drawn >> 7;
	drawn ^= drawn << 17;
	double part = (double)(drawn >> 11) * 0x1p-53;
	now += (uint64_t)(part * part * part * most * 1e9);
	t->tv_sec = (time_t)(now / 1000000000);
	t->tv_nsec = (long)(now % 1000000000);
	return 0;
}
