/* device.c - a GPU computes tasks, through its driver. */
#include "diff.h"

#include "../gpu/driver.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MUST(call) \
	do { \
		int must_code = driver.call; \
		if (must_code) { \
			snprintf(why, WHY, "%s: %s", #call, driver_text(must_code)); \
			return -1; \
		} \
	} while (0)

enum { JIT_LEVEL = 7 }; /* CU_JIT_OPTIMIZATION_LEVEL */
enum { MEMORY = 256 << 20, GAP = 4096 };
static u64 memory;

static int opened(char *why)
{
	void *context;
	const char *reason;
	int device;

	if (!driver_open(&reason)) {
		snprintf(why, WHY, "%s", reason);
		return -1;
	}
	MUST(cuInit(0));
	MUST(cuDeviceGet(&device, 0));
	MUST(cuDevicePrimaryCtxRetain(&context, device));
	MUST(cuCtxSetCurrent(context));
	MUST(cuMemAlloc_v2(&memory, MEMORY));
	return 0;
}

bool device_there(char *why)
{
	return !opened(why);
}

/* The texts of tasks as one module: their heads once. */
static char *joined(struct task *t, u32 n)
{
	struct text all = {0};

	for (u32 i = 0; i < n; i++) {
		const char *from = t[i].text;

		/* the three lines of a head */
		for (u32 k = 0; i && k < 3; k++)
			from = strchr(from, '\n') + 1;
		text_add(&all, "%s", from);
	}
	return all.s;
}

static int one(void *module, struct task *t, u8 *out, char *why)
{
	u64 argument[2] = {memory, memory + (t->in_bytes + GAP + 4095) / 4096 * 4096};
	size_t bytes = sizeof(argument);
	void *extra[] = {(void *)(uintptr_t)1, argument, (void *)(uintptr_t)2, &bytes, NULL}, *function;

	if (t->in_bytes + t->out_bytes + 3 * GAP > MEMORY) {
		snprintf(why, WHY, "more than %d bytes", MEMORY);
		return -1;
	}
	MUST(cuModuleGetFunction(&function, module, t->kernel));
	MUST(cuMemcpyHtoD_v2(argument[0], t->in, t->in_bytes));
	MUST(cuMemcpyHtoD_v2(argument[1], t->out, t->out_bytes));
	MUST(cuLaunchKernel(function, t->grid[0], t->grid[1], t->grid[2], t->block[0], t->block[1], t->block[2], 0,
			    NULL, NULL, extra));
	MUST(cuCtxSynchronize());
	MUST(cuMemcpyDtoH_v2(out, argument[1], t->out_bytes));
	return 0;
}

int by_device(struct task *t, u32 n, u32 level, u8 **out, char *why)
{
	static char message[8192];
	int option[] = {JIT_ERRORS, JIT_ERRORS_BYTES, JIT_LEVEL};
	void *value[] = {message, (void *)(uintptr_t)sizeof(message), (void *)(uintptr_t)level}, *module;
	char *text = joined(t, n);
	int code = driver.cuModuleLoadDataEx(&module, text, 3, option, value);

	free(text);
	if (code) {
		snprintf(why, WHY, "module: %s: %.300s", driver_text(code), message);
		return -1;
	}
	for (u32 i = 0; i < n; i++)
		if (one(module, &t[i], out[i], why))
			return -1;
	return 0;
}
