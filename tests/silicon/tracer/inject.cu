/*
 * inject.cu - what tracer.cu has run before each instruction of a kernel: a record of it into a buffer.
 *
 * A record: which instruction, the lanes that execute it, CTA, warp; then, of an access to memory, the address of each
 * lane. The buffer begins with how many bytes are in use and how many there are.
 */
#include <stdint.h>

/* NVBit has this compute an address: a register (ra) and a uniform register (ru), each of 32 bits or 64, and a number.
 */
extern "C" __device__ __noinline__ uint64_t gen_mref_addr(uint32_t ra_high, int ra_is_64, uint32_t ra_low,
							  int ra_stride, uint32_t ru_high, int ru_is_64,
							  uint32_t ru_low, int32_t number, uint32_t index)
{
	uint64_t vector = (uint64_t)ra_low * ra_stride, uniform = ru_low;

	vector = ra_is_64 ? (uint64_t)ra_high << 32 | vector : (uint64_t)(int64_t)(int32_t)vector;
	uniform = ru_is_64 ? (uint64_t)ru_high << 32 | uniform : (uint64_t)(int64_t)(int32_t)uniform;
	return vector + uniform + (uint64_t)(int64_t)number;
}

struct head {
	unsigned long long used, most;
};
__device__ __forceinline__ unsigned cta_of()
{
	return (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
}
__device__ __forceinline__ unsigned thread_of()
{
	return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}
__device__ __forceinline__ unsigned lane_of()
{
	unsigned l;
	asm volatile("mov.u32 %0, %laneid;" : "=r"(l));
	return l;
}
extern "C" __device__ __noinline__ void trace_inst(int pred, int id, uint64_t buffer)
{
	const unsigned active = __activemask(), mask = __ballot_sync(active, pred);
	if (lane_of() == __ffs(active) - 1) {
		head *h = (head *)buffer;
		unsigned long long at = atomicAdd(&h->used, 16ull);
		if (at + 16 <= h->most) {
			uint4 *r = (uint4 *)(buffer + 64 + at);
			*r = make_uint4(id, mask, cta_of(), thread_of() / 32);
		}
	}
}
extern "C" __device__ __noinline__ void trace_mem(int pred, int id, uint64_t addr, uint64_t buffer)
{
	const unsigned active = __activemask(), mask = __ballot_sync(active, pred), lane = lane_of(),
		       first = __ffs(active) - 1;
	unsigned long long at = 0;
	head *h = (head *)buffer;
	if (lane == first)
		at = atomicAdd(&h->used, 16ull + 256);
	at = __shfl_sync(active, at, first);
	if (at + 16 + 256 > h->most)
		return;
	if (lane == first) {
		uint4 *r = (uint4 *)(buffer + 64 + at);
		*r = make_uint4(id, mask, cta_of(), thread_of() / 32 | 1u << 31);
	}
	((uint64_t *)(buffer + 64 + at + 16))[lane] = addr;
}
