/* fuzz_expr.c - libFuzzer's entry: fuzz_expr() of targets.h. */
#include "targets.h"

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

/* One input. */
int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	return guard_feed(fuzz_expr, data, size);
}
