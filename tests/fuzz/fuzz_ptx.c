/* fuzz_ptx.c - libFuzzer's entry: fuzz_ptx() of targets.h. */
#include "targets.h"

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

/* One input. */
int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	return guard_feed(fuzz_ptx, data, size);
}
