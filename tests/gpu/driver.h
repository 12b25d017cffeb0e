/*
 * driver.h - the driver of a GPU: the few functions of libcuda that are needed here, looked up when the program runs,
 * so that it is built, and tried without a GPU, on any machine. Names and numbers are those of NVIDIA's CUDA Driver
 * API.
 */
#ifndef GPU_DRIVER_H
#define GPU_DRIVER_H

#include "base.h"

/* name as it is exported, arguments */
#define DRIVER_FUNCTIONS(F) \
	F(cuInit, (unsigned flags)) \
	F(cuDeviceGet, (int *device, int i)) \
	F(cuDeviceGetAttribute, (int *value, int attribute, int device)) \
	F(cuDevicePrimaryCtxRetain, (void **context, int device)) \
	F(cuCtxSetCurrent, (void *context)) \
	F(cuCtxSynchronize, (void)) \
	F(cuMemAlloc_v2, (u64 * address, size_t bytes)) \
	F(cuMemcpyHtoD_v2, (u64 to, const void *from, size_t bytes)) \
	F(cuMemcpyDtoH_v2, (void *to, u64 from, size_t bytes)) \
	F(cuMemcpyDtoD_v2, (u64 to, u64 from, size_t bytes)) \
	F(cuMemsetD8_v2, (u64 to, unsigned char byte, size_t bytes)) \
	F(cuModuleLoadDataEx, (void **module, const void *image, unsigned n, int *options, void **value)) \
	F(cuModuleGetFunction, (void **function, void *module, const char *name)) \
	F(cuModuleGetGlobal_v2, (u64 * address, size_t * bytes, void *module, const char *name)) \
	F(cuFuncGetAttribute, (int *value, int attribute, void *function)) \
	F(cuFuncSetAttribute, (void *function, int attribute, int value)) \
	F(cuLaunchKernel, (void *function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, \
			   unsigned bz, unsigned shared, void *stream, void **arguments, void **extra)) \
	F(cuEventCreate, (void **event, unsigned flags)) \
	F(cuEventRecord, (void *event, void *stream)) \
	F(cuEventSynchronize, (void *event)) \
	F(cuEventElapsedTime, (float *ms, void *from, void *to)) \
	F(cuGetErrorString, (int code, const char **text))

struct driver {
#define DRIVER_POINTER(name, arguments) int(*name) arguments;
	DRIVER_FUNCTIONS(DRIVER_POINTER)
#undef DRIVER_POINTER
};

enum { DEVICE_SMS = 16 };
enum { FUNCTION_SHARED = 1, FUNCTION_LOCAL = 3, FUNCTION_REGS = 4, FUNCTION_MOST_DYNAMIC = 8 };
enum { JIT_ERRORS = 5, JIT_ERRORS_BYTES = 6 };

extern struct driver driver;

/* Find the library and its functions; false with what is missing in *why. */
bool driver_open(const char **why);
/* The text of a code. */
const char *driver_text(int code);

#endif
