/* fuzz_trace.c - libFuzzer's entry: fuzz_trace() of traces.h. */
#include "traces.h"

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

/* One input. */
int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	return guard_feed(fuzz_trace, data, size);
}
