/* fuzz_packed.c - libFuzzer's entry: fuzz_packed() of traces.h. */
#include "traces.h"

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

/* One input. */
int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	return guard_feed(fuzz_packed, data, size);
}
