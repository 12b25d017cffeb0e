/* fuzz_lesson.c - libFuzzer's entry: fuzz_lesson() of sessions.h. */
#include "sessions.h"

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

/* One input. */
int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	return guard_feed(fuzz_lesson, data, size);
}
