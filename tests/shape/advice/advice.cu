// advice - kernels as they are (…_before) and with the change that `limits` advises (…_after), for tests/shape/advice.sh.
//
//   nvcc -ptx -arch=sm_75 -o advice.ptx advice.cu

#define THREAD (blockIdx.x * blockDim.x + threadIdx.x)
#define THREADS (gridDim.x * blockDim.x)

// --- shared-memory bank conflicts: rows with a word of padding ---
template <int WIDTH> __device__ void columns(const int *in, int *out)
{
	__shared__ int tile[32][WIDTH];
	int x = threadIdx.x, y = threadIdx.y, sum = 0;

	for (int row = y; row < 32; row += 8)
		tile[row][x] = in[row * 32 + x];
	__syncthreads();
	for (int k = 0; k < 32; k++)
		sum += tile[x][k + y & 31] ^ k;
	out[blockIdx.x * 256 + y * 32 + x] = sum;
}
extern "C" __global__ void pad_before(const int *in, int *out) { columns<32>(in, out); }
extern "C" __global__ void pad_after(const int *in, int *out) { columns<33>(in, out); }

// --- barriers: sums of 256 values, with a barrier in each step, or between lanes of a warp ---
extern "C" __global__ void barrier_before(const int *in, int *out, int rounds)
{
	__shared__ int part[256];
	int t = threadIdx.x, total = 0;

	for (int r = 0; r < rounds; r++) {
		part[t] = in[t] + r;
		__syncthreads();
		for (int half = 128; half; half /= 2) {
			if (t < half)
				part[t] += part[t + half];
			__syncthreads();
		}
		total += part[0];
		__syncthreads();
	}
	out[blockIdx.x * 256 + t] = total;
}
extern "C" __global__ void barrier_after(const int *in, int *out, int rounds)
{
	__shared__ int part[2][8];
	int t = threadIdx.x, total = 0;

	for (int r = 0; r < rounds; r++) {
		int sum = in[t] + r;

		for (int half = 16; half; half /= 2)
			sum += __shfl_xor_sync(0xffffffff, sum, half);
		if (t % 32 == 0)
			part[r & 1][t / 32] = sum;
		__syncthreads();
		for (int k = 0; k < 8; k++)
			total += part[r & 1][k];
	}
	out[blockIdx.x * 256 + t] = total;
}

// Sums of 64 values, of which a CTA has as many as it has 64 threads: each waits for all of its CTA.
extern "C" __global__ void barrier_groups(const int *in, int *out, int rounds)
{
	__shared__ int part[256];
	int t = threadIdx.x, lane = t % 64, total = 0;

	for (int r = 0; r < rounds; r++) {
		part[t] = in[THREAD] + r;
		__syncthreads();
		for (int half = 32; half; half /= 2) {
			if (lane < half)
				part[t] += part[t + half];
			__syncthreads();
		}
		total += part[t - lane];
		__syncthreads();
	}
	out[THREAD] = total;
}

// --- divergence: 4096 items of 0 to 63 turns each; item i takes 37 i mod 64 ---
__device__ int turns(int item)
{
	int x = item;

#pragma unroll 1
	for (int n = item * 37 & 63; n; n--)
		x = x * 1664525 + 1013904223;
	return x;
}
// The item of a thread, where they are sorted by turns: 45 is the inverse of 37.
__device__ int sorted(int t) { return (t / 64 * 45 & 63) + t % 64 * 64; }
extern "C" __global__ void sort_before(int *out) { out[THREAD] = turns(THREAD); }
// Sorted: all lanes of a warp take as many turns; what is written lies apart.
extern "C" __global__ void sort_after(int *out) { out[sorted(THREAD)] = turns(sorted(THREAD)); }
// Sorted, and the results likewise.
extern "C" __global__ void sort_moved(int *out) { out[THREAD] = turns(sorted(THREAD)); }
// Sorted within a CTA, as one that sorts in shared memory would have them, whose items are neighbors.
extern "C" __global__ void sort_cta(int *out)
{
	int t = threadIdx.x, item = blockIdx.x * 256 + (t / 4 * 45 & 63) + t % 4 * 64;

	out[item] = turns(item);
}
// Sorted by the kernel itself: each CTA counts how many of its items take how many turns, and finds a place for each.
extern "C" __global__ void sort_shared(int *out)
{
	__shared__ int count[64], item[256];
	int t = threadIdx.x, n = THREAD * 37 & 63, place, before = 0;

	if (t < 64)
		count[t] = 0;
	__syncthreads();
	place = atomicAdd(&count[n], 1);
	__syncthreads();
	for (int k = 0; k < 64; k++)
		before += k < n ? count[k] : 0;
	item[before + place] = THREAD;
	__syncthreads();
	out[item[t]] = turns(item[t]);
}
// Each eighth turn reads the word of its item: neighbors are read together, unless items are sorted.
__device__ int reading(const volatile int *in, int item)
{
	int x = item;

#pragma unroll 1
	for (int n = item * 37 & 63; n; n--)
		x = (x * 1664525 + 1013904223) ^ (n % 8 ? n : in[item]);
	return x;
}
extern "C" __global__ void reads_before(const int *in, int *out) { out[THREAD] = reading(in, THREAD); }
extern "C" __global__ void reads_after(const int *in, int *out) { out[sorted(THREAD)] = reading(in, sorted(THREAD)); }
// Two kinds of work: by lanes, or by warps.
__device__ int kind(int x, int odd)
{
	if (odd) {
#pragma unroll 1
		for (int k = 0; k < 40; k++)
			x = x * 1664525 + 1013904223;
	} else {
#pragma unroll 1
		for (int k = 0; k < 40; k++)
			x = (x ^ x >> 3) + 12345;
	}
	return x;
}
extern "C" __global__ void branch_before(int *out) { out[THREAD] = kind(THREAD, THREAD & 1); }
extern "C" __global__ void branch_after(int *out)
{
	int item = (THREAD & ~63) + THREAD % 32 * 2 + THREAD / 32 % 2;

	out[item] = kind(item, item & 1);
}

// --- atomics: a histogram of 64 bins, each value counted in memory, or first in shared memory ---
extern "C" __global__ void atomic_before(const unsigned *in, unsigned *bin, int each)
{
	for (int k = 0; k < each; k++)
		atomicAdd(&bin[in[k * THREADS + THREAD] & 63], 1);
}
extern "C" __global__ void atomic_after(const unsigned *in, unsigned *bin, int each)
{
	__shared__ unsigned mine[64];

	if (threadIdx.x < 64)
		mine[threadIdx.x] = 0;
	__syncthreads();
	for (int k = 0; k < each; k++)
		atomicAdd(&mine[in[k * THREADS + THREAD] & 63], 1);
	__syncthreads();
	if (threadIdx.x < 64)
		atomicAdd(&bin[threadIdx.x], mine[threadIdx.x]);
}

// --- turns of shared atomics: all lanes count in one bin (atomic_after), or four of them in each of eight copies ---
extern "C" __global__ void turns_after(const unsigned *in, unsigned *bin, int each)
{
	__shared__ unsigned mine[64 * 8];

	for (int k = threadIdx.x; k < 64 * 8; k += blockDim.x)
		mine[k] = 0;
	__syncthreads();
	for (int k = 0; k < each; k++)
		atomicAdd(&mine[(in[k * THREADS + THREAD] & 63) * 8 + (threadIdx.x & 7)], 1);
	__syncthreads();
	if (threadIdx.x < 64) {
		unsigned sum = 0;

		for (int k = 0; k < 8; k++)
			sum += mine[threadIdx.x * 8 + k];
		atomicAdd(&bin[threadIdx.x], sum);
	}
}

// --- L1D misses: a product of matrices whose elements are loaded again and again, or once for a tile ---
extern "C" __global__ void tile_before(const int *a, const int *b, int *c, int n)
{
	int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y, sum = 0;

	for (int k = 0; k < n; k++)
		sum += a[y * n + k] * b[k * n + x];
	c[y * n + x] = sum;
}
extern "C" __global__ void tile_after(const int *a, const int *b, int *c, int n)
{
	__shared__ int ta[16][16], tb[16][16];
	int tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * 16 + tx, y = blockIdx.y * 16 + ty, sum = 0;

	for (int from = 0; from < n; from += 16) {
		ta[ty][tx] = a[y * n + from + tx];
		tb[ty][tx] = b[(from + ty) * n + x];
		__syncthreads();
		for (int k = 0; k < 16; k++)
			sum += ta[ty][k] * tb[k][tx];
		__syncthreads();
	}
	c[y * n + x] = sum;
}
// Four results of a thread: two elements of a and two of b, in registers, for four products.
extern "C" __global__ void tile_registers(const int *a, const int *b, int *c, int n)
{
	int x = (blockIdx.x * 16 + threadIdx.x) * 2, y = (blockIdx.y * 16 + threadIdx.y) * 2, s[2][2] = {};

	for (int k = 0; k < n; k++) {
		int2 v = *(const int2 *)&b[k * n + x];
		int p = a[y * n + k], q = a[(y + 1) * n + k];

		s[0][0] += p * v.x;
		s[0][1] += p * v.y;
		s[1][0] += q * v.x;
		s[1][1] += q * v.y;
	}
	c[y * n + x] = s[0][0];
	c[y * n + x + 1] = s[0][1];
	c[(y + 1) * n + x] = s[1][0];
	c[(y + 1) * n + x + 1] = s[1][1];
}

// --- coalescing: a sum over each row of 64 words, a thread for each ---
extern "C" __global__ void coalesce_before(const int *a, int *out)
{
	int sum = 0;

	for (int k = 0; k < 64; k++)
		sum += a[THREAD * 64 + k];
	out[THREAD] = sum;
}
// The array turned round: the k-th words of all rows are neighbors.
extern "C" __global__ void coalesce_after(const int *a, int *out)
{
	int sum = 0;

	for (int k = 0; k < 64; k++)
		sum += a[k * THREADS + THREAD];
	out[THREAD] = sum;
}
// And eight of them at a time.
extern "C" __global__ void coalesce_flight(const int *a, int *out)
{
	int sum = 0;

	for (int k = 0; k < 64; k += 8) {
		int v[8];

		for (int i = 0; i < 8; i++)
			asm volatile("ld.global.u32 %0, [%1];" : "=r"(v[i]) : "l"(a + (k + i) * THREADS + THREAD));
		for (int i = 0; i < 8; i++)
			sum += v[i];
	}
	out[THREAD] = sum;
}
// The array as it is, read by rows into a tile of shared memory, which each lane then reads as before.
extern "C" __global__ void coalesce_tile(const int *a, int *out)
{
	__shared__ int tile[4][32][33];
	int w = threadIdx.x / 32, lane = threadIdx.x % 32, first = THREAD - lane, sum = 0;

	for (int from = 0; from < 64; from += 32) {
		for (int row = 0; row < 32; row++)
			tile[w][row][lane] = a[(first + row) * 64 + from + lane];
		__syncwarp();
		for (int k = 0; k < 32; k++)
			sum += tile[w][lane][k];
		__syncwarp();
	}
	out[THREAD] = sum;
}
// A warp for each row: its lanes read neighbors and add up what they have.
extern "C" __global__ void coalesce_warp(const int *a, int *out)
{
	int lane = THREAD % 32, first = THREAD - lane;

	for (int row = first; row < first + 32; row++) {
		int sum = a[row * 64 + lane] + a[row * 64 + 32 + lane];

		for (int half = 16; half; half /= 2)
			sum += __shfl_xor_sync(0xffffffff, sum, half);
		if (!lane)
			out[row] = sum;
	}
}

// --- memory latency: one load at a time, or eight ---
extern "C" __global__ void flight_before(const int *a, int *out, int each)
{
	int sum = 0;

#pragma unroll 1
	for (int k = 0; k < each; k++)
		sum = (sum ^ a[k * THREADS + THREAD]) * 3;
	out[THREAD] = sum;
}
extern "C" __global__ void flight_unrolled(const int *a, int *out, int each)
{
	int sum = 0;

#pragma unroll 1
	for (int k = 0; k < each; k += 8) {
		int v[8];

		for (int i = 0; i < 8; i++)
			v[i] = a[(k + i) * THREADS + THREAD];
		for (int i = 0; i < 8; i++)
			sum = (sum ^ v[i]) * 3;
	}
	out[THREAD] = sum;
}

// The same, with loads that the compiler does not move to where they are used.
extern "C" __global__ void flight_after(const int *a, int *out, int each)
{
	int sum = 0;

#pragma unroll 1
	for (int k = 0; k < each; k += 8) {
		int v[8];

		for (int i = 0; i < 8; i++)
			asm volatile("ld.global.u32 %0, [%1];" : "=r"(v[i]) : "l"(a + (k + i) * THREADS + THREAD));
		for (int i = 0; i < 8; i++)
			sum = (sum ^ v[i]) * 3;
	}
	out[THREAD] = sum;
}

// --- arithmetic latency: one sum, or four ---
extern "C" __global__ void chain_before(const float *a, float *out)
{
	float v[8], w = 1, sum = 0;

	for (int i = 0; i < 8; i++)
		v[i] = a[THREAD * 8 + i];
#pragma unroll 1
	for (int k = 0; k < 64; k++, w += 1)
		for (int i = 0; i < 8; i++)
			sum = fmaf(v[i], w, sum);
	out[THREAD] = sum;
}
extern "C" __global__ void chain_after(const float *a, float *out)
{
	float v[8], w = 1, s[4] = {};

	for (int i = 0; i < 8; i++)
		v[i] = a[THREAD * 8 + i];
#pragma unroll 1
	for (int k = 0; k < 64; k++, w += 1)
		for (int i = 0; i < 8; i++)
			s[i % 4] = fmaf(v[i], w, s[i % 4]);
	out[THREAD] = (s[0] + s[1]) + (s[2] + s[3]);
}

// --- double-precision units: variables in double precision, or in single ---
template <typename T> __device__ void halve(T x, float *out)
{
	for (int k = 0; k < 64; k++)
		x = x * (T)0.5 + (T)1;
	out[THREAD] = x;
}
extern "C" __global__ void double_before(float *out) { halve((double)(int)THREAD, out); }
extern "C" __global__ void double_after(float *out) { halve((float)(int)THREAD, out); }
// --- special-function units, which convert: literals with and without an f ---
template <typename T> __device__ void literal(float *out)
{
	float x = THREAD;

	for (int k = 0; k < 8; k++)
		x = x * (T)0.5 + (T)1;
	out[THREAD] = x;
}
extern "C" __global__ void literal_before(float *out) { literal<double>(out); }
extern "C" __global__ void literal_after(float *out) { literal<float>(out); }

// --- special-function units: 32 divisions by the same, or one and products ---
extern "C" __global__ void divide_before(const float *a, float *out)
{
	float y = a[THREAD] + 1, sum = 0;

	for (int k = 0; k < 32; k++)
		sum += k / y;
	out[THREAD] = sum;
}
extern "C" __global__ void divide_after(const float *a, float *out)
{
	float y = 1 / (a[THREAD] + 1), sum = 0;

	for (int k = 0; k < 32; k++)
		sum += k * y;
	out[THREAD] = sum;
}

// --- integer units: an address from two indices each time, or one and constant distances ---
extern "C" __global__ void address_before(const int *a, int *out, int width)
{
	int x = threadIdx.x, sum = 0;

#pragma unroll 1
	for (int k = 0; k < 32; k++)
		sum ^= a[(k & 15) * width + (x + k & 31)];
	out[THREAD] = sum;
}
extern "C" __global__ void address_after(const int *a, int *out, int width)
{
	int x = threadIdx.x, sum = 0;

#pragma unroll
	for (int k = 0; k < 32; k++)
		sum ^= a[(k & 15) * 32 + (x + k & 31)];
	out[THREAD] = sum;
}

// --- interconnect bandwidth: a member of structures of eight words, or an array of its own ---
extern "C" __global__ void sector_before(const int *a, int *out, int each)
{
	int sum = 0;

#pragma unroll 8
	for (int k = 0; k < each; k++)
		sum += a[(k * THREADS + THREAD) * 8];
	out[THREAD] = sum;
}
extern "C" __global__ void sector_after(const int *a, int *out, int each)
{
	int sum = 0;

#pragma unroll 8
	for (int k = 0; k < each; k++)
		sum += a[k * THREADS + THREAD];
	out[THREAD] = sum;
}

// --- DRAM bandwidth: values of 4 bytes, or of 1 ---
extern "C" __global__ void bytes_before(const int4 *a, int *out, int each)
{
	int sum = 0;

#pragma unroll 4
	for (int k = 0; k < each; k++) {
		int4 v = a[k * THREADS + THREAD];

		sum += v.x + v.y + v.z + v.w;
	}
	out[THREAD] = sum;
}
extern "C" __global__ void bytes_after(const char4 *a, int *out, int each)
{
	int sum = 0;

#pragma unroll 4
	for (int k = 0; k < each; k++) {
		char4 v = a[k * THREADS + THREAD];

		sum += v.x + v.y + v.z + v.w;
	}
	out[THREAD] = sum;
}

// --- warp slots: a word for each thread, or four ---
extern "C" __global__ void slots_before(const int *a, const int *b, int *out) { out[THREAD] = a[THREAD] + b[THREAD]; }
extern "C" __global__ void slots_after(const int *a, const int *b, int *out)
{
	int v[4];

	for (int k = 0; k < 4; k++)
		v[k] = a[k * THREADS + THREAD] + b[k * THREADS + THREAD];
	for (int k = 0; k < 4; k++)
		out[k * THREADS + THREAD] = v[k];
}

// --- instruction cache: 512 steps in a row, twice, or a loop of 16 ---
template <int STEPS> __device__ void straight(int *out, int n)
{
	int x = THREAD;

#pragma unroll 1
	for (int k = 0; k < n; k++)
#pragma unroll
		for (int i = 0; i < STEPS; i++)
			x = (x ^ i % 16) * 5;
	out[THREAD] = x;
}
extern "C" __global__ void unroll_before(int *out) { straight<512>(out, 2); }
extern "C" __global__ void unroll_after(int *out) { straight<16>(out, 64); }

// --- branches: a loop of two instructions, or eight turns of it in a row ---
extern "C" __global__ void loop_before(int *out, int n)
{
	int x = THREAD;

#pragma unroll 1
	for (int k = 0; k < n; k++)
		x ^= x + k;
	out[THREAD] = x;
}
extern "C" __global__ void loop_after(int *out, int n)
{
	int x = THREAD;

#pragma unroll 8
	for (int k = 0; k < n; k++)
		x ^= x + k;
	out[THREAD] = x;
}

// --- shared-memory latency: a sum that stays in shared memory, or in a register ---
extern "C" __global__ void keep_before(int *out)
{
	__shared__ volatile int sum[128];

	sum[threadIdx.x] = 0;
#pragma unroll 4
	for (int k = 0; k < 64; k++)
		sum[threadIdx.x] = sum[threadIdx.x] * 3 + k;
	out[THREAD] = sum[threadIdx.x];
}
extern "C" __global__ void keep_after(int *out)
{
	int sum = 0;

#pragma unroll 4
	for (int k = 0; k < 64; k++)
		sum = sum * 3 + k + (k & threadIdx.x) * 0;
	out[THREAD] = sum;
}

// --- occupancy: work on loads that wait for one another; how many CTAs fit is said at the launch ---
extern "C" __global__ void resident(const int *next, int *out)
{
	int at = THREAD;

#pragma unroll 1
	for (int k = 0; k < 8; k++)
		at = next[at];
	out[THREAD] = at;
}
// The same for CTAs with a tile, of SIDE x 32 words.
template <int SIDE> __device__ void tiles(const int *in, int *out)
{
	__shared__ int tile[SIDE][32];
	int sum = 0;

	for (int row = threadIdx.x / 32; row < SIDE; row += 2)
		tile[row][threadIdx.x % 32] = in[(blockIdx.x * SIDE + row) * 32 + threadIdx.x % 32];
	__syncthreads();
	for (int row = threadIdx.x / 32; row < SIDE; row += 2)
		out[(blockIdx.x * SIDE + row) * 32 + threadIdx.x % 32] = tile[SIDE - 1 - row][threadIdx.x % 32] + sum;
}
extern "C" __global__ void shared_before(const int *in, int *out) { tiles<256>(in, out); }
extern "C" __global__ void shared_after(const int *in, int *out) { tiles<64>(in, out); }

// --- DRAM rows: CTAs that run together read far apart, or side by side ---
extern "C" __global__ void rows_before(const int *a, int *out, int each)
{
	int sum = 0;

	for (int k = 0; k < each; k++)
		sum += a[(blockIdx.x * each + k) * 1024 * 4 + (THREAD & 7)];
	out[THREAD] = sum;
}
extern "C" __global__ void rows_after(const int *a, int *out, int each)
{
	int sum = 0;

	for (int k = 0; k < each; k++)
		sum += a[(k * gridDim.x + blockIdx.x) * 8 + (THREAD & 7)];
	out[THREAD] = sum;
}

// --- single-precision units: products in single precision, or two halves at a time ---
extern "C" __global__ void half_before(float *out)
{
	float v[8], w = 0.5f;

	for (int i = 0; i < 8; i++)
		v[i] = (THREAD + i) & 7;
#pragma unroll 4
	for (int k = 0; k < 64; k++)
		for (int i = 0; i < 8; i++)
			v[i] = fmaf(v[i], w, 1.0f);
	out[THREAD] = v[0] + v[1] + v[2] + v[3] + v[4] + v[5] + v[6] + v[7];
}
extern "C" __global__ void half_after(float *out)
{
	unsigned v[4], w = 0x38003800, one = 0x3c003c00;
	float sum = 0;

	for (int i = 0; i < 4; i++)
		v[i] = 0x3c003c00;
#pragma unroll 4
	for (int k = 0; k < 64; k++)
		for (int i = 0; i < 4; i++)
			asm("fma.rn.f16x2 %0, %0, %1, %2;" : "+r"(v[i]) : "r"(w), "r"(one));
	for (int i = 0; i < 4; i++)
		sum += (v[i] & 0xffff) == 0x4000 ? 4 : 3.999f;
	out[THREAD] = sum;
}
