/* fuzz_command.c - libFuzzer's entry: fuzz_command() of targets.h. */
#include "targets.h"

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

/* One input. */
int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	return guard_feed(fuzz_command, data, size);
}
