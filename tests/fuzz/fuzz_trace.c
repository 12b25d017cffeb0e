/* fuzz_trace.c - libFuzzer's entry: fuzz_trace() of targets.h. */
#include "targets.h"

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

/* One input. */
int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	fuzz_trace(data, size);
	return 0;
}
