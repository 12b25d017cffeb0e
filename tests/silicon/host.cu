/*
 * host.cu - run the microbenchmarks of benches.txt on a GPU.
 *
 *   sh tests/silicon.sh write
 *   nvcc -o build/silicon/host tests/silicon/host.cu -lcuda
 *   build/silicon/host build/silicon
 *
 * Reads DIR/launches and loads DIR/NAME.ptx of each of its lines; prints what `silicon.sh run' prints: name, cycles
 * from the first start to the last stop, the longest of one warp, cycles of the whole kernel (CUDA events, at the
 * clock that the driver tells). Clocks of different SMs are not compared: where a bench asks about one SM, only its own
 * CTAs' clocks count, and one of many CTAs gets as many for each SM. The output, kept as
 * tests/silicon/measured/DEVICE.raw, becomes a column of the table.
 */
#include <cuda.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* More than any L2. */
#define FLUSH_BYTES (256u << 20)
#define BUFFER_BYTES (64u << 20)

struct device {
	CUdevice id;
	int sms, khz;
	CUdeviceptr buffer, flush, out;
};

/* A line of the file of launches. */
struct launch {
	char name[64], sms[8], grid[16];
	unsigned block;
};

/* Leave with the driver's message if a call failed. */
static void must(CUresult result, const char *what)
{
	const char *text = "unknown error";
	if (result == CUDA_SUCCESS)
		return;
	cuGetErrorString(result, &text);
	fprintf(stderr, "host: %s: %s\n", what, text);
	exit(1);
}

/* The first GPU, with memory for all benches. */
static struct device open_device(void)
{
	struct device d;
	CUcontext context;
	must(cuInit(0), "cuInit");
	must(cuDeviceGet(&d.id, 0), "cuDeviceGet");
	must(cuDevicePrimaryCtxRetain(&context, d.id), "cuDevicePrimaryCtxRetain");
	must(cuCtxSetCurrent(context), "cuCtxSetCurrent");
	must(cuDeviceGetAttribute(&d.sms, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, d.id), "number of SMs");
	must(cuDeviceGetAttribute(&d.khz, CU_DEVICE_ATTRIBUTE_CLOCK_RATE, d.id), "clock");
	must(cuMemAlloc(&d.buffer, BUFFER_BYTES), "cuMemAlloc");
	must(cuMemAlloc(&d.flush, FLUSH_BYTES), "cuMemAlloc");
	must(cuMemAlloc(&d.out, BUFFER_BYTES), "cuMemAlloc");
	return d;
}

/* "sms", "64*sms" or a number. */
static unsigned grid_of(const char *text, int sms)
{
	unsigned n = (unsigned)atoi(text);
	return strstr(text, "sms") ? (unsigned)sms * (n ? n : 1) : n;
}

/* Zeroed memory that no cache holds. */
static void prepare(const struct device *d)
{
	must(cuMemsetD8(d->buffer, 0, BUFFER_BYTES), "cuMemsetD8");
	must(cuMemsetD8(d->out, 0, BUFFER_BYTES), "cuMemsetD8");
	must(cuMemsetD8(d->flush, 1, FLUSH_BYTES), "cuMemsetD8");
	must(cuCtxSynchronize(), "memory");
}

/* Launch, and give the whole kernel's time in cycles. */
static unsigned long long timed(const struct device *d, CUfunction f, unsigned grid, unsigned block)
{
	CUdeviceptr out = d->out, buffer = d->buffer;
	unsigned one = 1;
	void *arguments[] = {&out, &buffer, &one};
	CUevent from, to;
	float ms = 0;
	must(cuEventCreate(&from, CU_EVENT_DEFAULT), "cuEventCreate");
	must(cuEventCreate(&to, CU_EVENT_DEFAULT), "cuEventCreate");
	must(cuEventRecord(from, 0), "cuEventRecord");
	must(cuLaunchKernel(f, grid, 1, 1, block, 1, 1, 0, 0, arguments, NULL), "cuLaunchKernel");
	must(cuEventRecord(to, 0), "cuEventRecord");
	must(cuEventSynchronize(to), "kernel");
	must(cuEventElapsedTime(&ms, from, to), "cuEventElapsedTime");
	cuEventDestroy(from);
	cuEventDestroy(to);
	return (unsigned long long)((double)ms * d->khz);
}

/* The line of a bench from the clocks of its warps. */
static void report(const struct launch *l, const unsigned long long *clock, unsigned warps, unsigned long long time)
{
	unsigned long long first = ~0ull, last = 0, own = 0;
	for (unsigned i = 0; i < warps; i++) {
		unsigned long long start = clock[2 * i], stop = clock[2 * i + 1];
		first = start < first ? start : first;
		last = stop > last ? stop : last;
		own = stop - start > own ? stop - start : own;
	}
	printf("%s %llu %llu %llu\n", l->name, last - first, own, time);
}

/* Run one bench, once to bring its code there and once to measure. */
static void run(const struct device *d, const char *folder, const struct launch *l)
{
	char path[512];
	snprintf(path, sizeof path, "%s/%s.ptx", folder, l->name);
	CUmodule module;
	CUfunction f;
	if (cuModuleLoad(&module, path) != CUDA_SUCCESS || cuModuleGetFunction(&f, module, "bench") != CUDA_SUCCESS) {
		printf("%s - not for this GPU\n", l->name);
		return;
	}
	unsigned grid = grid_of(l->grid, d->sms), copies = strcmp(l->sms, "all") && grid > 1 ? (unsigned)d->sms : 1;
	unsigned warps = grid * ((l->block + 31) / 32);
	unsigned long long *clock = (unsigned long long *)calloc(2 * (size_t)warps, sizeof *clock), time = 0;
	for (int i = 0; i < 2; i++) {
		prepare(d);
		time = timed(d, f, grid * copies, l->block);
	}
	must(cuMemcpyDtoH(clock, d->out, 2 * (size_t)warps * sizeof *clock), "cuMemcpyDtoH");
	report(l, clock, warps, time);
	free(clock);
	cuModuleUnload(module);
}

int main(int argc, char **argv)
{
	const char *folder = argc > 1 ? argv[1] : "build/silicon";
	char path[512], name[128] = "";
	snprintf(path, sizeof path, "%s/launches", folder);
	FILE *in = fopen(path, "r");
	if (!in) {
		perror(path);
		return 2;
	}
	struct device d = open_device();
	struct launch l;
	cuDeviceGetName(name, sizeof name, d.id);
	for (char *c = name; *c; c++)
		*c = *c == ' ' ? '-' : *c;
	printf("# %s sms %d mhz %d\n", name, d.sms, d.khz / 1000);
	while (fscanf(in, "%63s %7s %15s %u", l.name, l.sms, l.grid, &l.block) == 4)
		run(&d, folder, &l);
	fclose(in);
	return 0;
}
