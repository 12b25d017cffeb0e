/*
 * warpsync.cu - lanes of a warp that part and yet need each other: every kernel is for one block of 64 threads and
 * leaves 64 numbers at out[64 * slot].
 *
 * The same text is compiled by nvcc, by clang alone and, for the reference, as C in which every thread is a thread of
 * the host (tests/reference/lanes.c), so that nothing but the rule for threads decides what the numbers must be.
 */
#if defined(WARPSYNC_HOST)
#define KERNEL(name) static void name(int *out, int slot)
#define FUNCTION static
#define VOLATILE_SHARED static volatile
#elif defined(__clang__)
#define KERNEL(name) extern "C" __global__ void name(int *out, int slot)
#define FUNCTION static __device__ __attribute__((noinline))
#define VOLATILE_SHARED static volatile __shared__
#else
#define KERNEL(name) extern "C" __global__ void name(int *out, int slot)
#define FUNCTION static __device__ __noinline__
#define VOLATILE_SHARED volatile __shared__
#endif

#ifndef PAUSE
#define PAUSE() (void)0 /* a thread of the host lets others run */
#endif
#define ALL 0xffffffffu
#define LANE ((int)threadIdx.x & 31)
#define WARP ((int)threadIdx.x >> 5)
#define OUT out[64 * slot + (int)threadIdx.x]

/* Both sides of an if call the same shuffle: each lane reads its mirror on the other side. */
KERNEL(sides)
{
	int v;

	if (LANE < 16)
		v = __shfl_sync(ALL, LANE * 10, 31 - LANE) + 1;
	else
		v = __shfl_sync(ALL, LANE * 10, 31 - LANE) + 2;
	OUT = v;
}

/* Four sides of a switch, three times: the last to come brings all of them on. */
KERNEL(cases)
{
	int v = LANE;

	for (int i = 0; i < 3; i++)
		switch ((LANE + i) & 3) {
		case 0: v = __shfl_xor_sync(ALL, v, 1) * 3; break;
		case 1: v = __shfl_xor_sync(ALL, v, 1) + 7; break;
		case 2: v = __shfl_xor_sync(ALL, v + i, 1); break;
		default: v = __shfl_xor_sync(ALL, v * 2, 1) - 1; break;
		}
	OUT = v;
}

/* Votes that are taken in three places of a nest. */
KERNEL(votes)
{
	unsigned b;
	int any, all;

	if (LANE & 1) {
		if (LANE & 2) {
			b = __ballot_sync(ALL, LANE % 3 == 0);
			any = __any_sync(ALL, LANE == 31 && WARP);
			all = __all_sync(ALL, LANE < 32);
		} else {
			b = __ballot_sync(ALL, LANE % 3 == 1) ^ 1;
			any = __any_sync(ALL, 0) * 2;
			all = __all_sync(ALL, WARP) * 2;
		}
	} else {
		b = __ballot_sync(ALL, LANE % 3 == 2) ^ 3;
		any = __any_sync(ALL, 0) * 4;
		all = __all_sync(ALL, 1) * 4;
	}
	OUT = (int)(b ^ (unsigned)(any + all * 16));
}

/* Lanes find those with the same key, whichever way they came. */
KERNEL(matches)
{
	unsigned m;

	if (LANE < 10)
		m = __match_any_sync(ALL, (unsigned)(LANE % 5));
	else
		m = __match_any_sync(ALL, (unsigned)(LANE % 7)) ^ ALL;
	OUT = (int)m;
}

/* Each half stores, waits and loads what the other half stored. */
KERNEL(handover)
{
	VOLATILE_SHARED int there[64];
	int base = WARP * 32, v;

	if (LANE < 16) {
		there[base + LANE] = LANE * LANE;
		__syncwarp(ALL);
		v = there[base + LANE + 16];
	} else {
		there[base + LANE] = LANE * 100;
		__syncwarp(ALL);
		v = there[base + LANE - 16];
	}
	OUT = v;
}

/* Groups of eight lanes go round nested loops, each as often as it likes, shuffling within the group. */
KERNEL(nested)
{
	unsigned mask = 0xffu << (LANE & 24);
	int v = LANE + WARP, group = LANE >> 3;

	for (int i = 0; i <= group; i++) {
		for (int k = 0; k < 3 - i; k++)
			v += __shfl_xor_sync(mask, v, 1 + k);
		if (group & 1)
			v ^= __shfl_sync(mask, v, (LANE & 24) + 2);
	}
	OUT = v;
}

/* Some lanes end early; masks go on naming them. */
KERNEL(early)
{
	int n = 0;

	OUT = -1;
	if (LANE % 5 == 3)
		return;
	if (LANE < 12) {
		if (LANE % 5 == 1)
			return;
		n = (int)__ballot_sync(ALL, 1);
	} else {
		n = (int)__ballot_sync(ALL, LANE & 1) + 1;
	}
	OUT = n;
}

/* Half a warp produces eight rounds of numbers in shared memory, the other half adds them up. */
KERNEL(halves)
{
	VOLATILE_SHARED int box[32];
	int mine = WARP * 16 + (LANE & 15), sum = 0;

	if (LANE < 16)
		for (int i = 0; i < 8; i++) {
			box[mine] = i * LANE + WARP;
			__syncwarp(ALL);
			__syncwarp(ALL);
		}
	else
		for (int i = 0; i < 8; i++) {
			__syncwarp(ALL);
			sum += box[mine];
			__syncwarp(ALL);
		}
	OUT = sum;
}

/* All lanes of the block take one lock, one after the other. */
KERNEL(lock)
{
	VOLATILE_SHARED int count;
	static __shared__ int held;

	if (threadIdx.x == 0) {
		held = 0;
		count = 0;
	}
	__syncthreads();
	while (atomicCAS(&held, 0, 1))
		PAUSE();
	__threadfence();
	count = count + 1 + LANE;
	__threadfence();
	atomicExch(&held, 0);
	__syncthreads();
	OUT = count;
}

/* Lane l waits until lane l + 1 has gone on: the last comes first. */
KERNEL(chain)
{
	VOLATILE_SHARED int flag[66];

	flag[threadIdx.x] = 0;
	flag[65] = 1;
	__syncthreads();
	if (LANE < 31)
		while (!flag[threadIdx.x + 1])
			PAUSE();
	flag[threadIdx.x] = LANE == 31 ? 1 : flag[threadIdx.x + 1] + LANE;
	OUT = flag[threadIdx.x];
}

/* Lanes with one key form a group, whose first speaks for it; groups part and meet in the same instruction. */
KERNEL(groups)
{
	unsigned mates = __match_any_sync(ALL, (unsigned)(LANE * 7 % 6));
	int first = __ffs((int)mates) - 1, v = LANE * LANE, sum = 0;

	if (LANE * 7 % 6 < 3) {
		sum = __shfl_sync(mates, v + 1, first);
		__syncwarp(mates);
	} else if (LANE & 1) {
		sum = __shfl_sync(mates, v + 2, first);
	} else {
		sum = __shfl_sync(mates, v + 3, first);
	}
	sum += (int)__ballot_sync(mates, LANE > 9);
	OUT = sum;
}

/* Lanes that have nothing left to do wait in another loop, where they still vote. */
KERNEL(workers)
{
	int left = LANE % 7, rounds = 0;
	unsigned busy;

	while (left > 0) {
		busy = __ballot_sync(ALL, 1);
		left--;
		rounds += __popc(busy);
	}
	for (;;) {
		busy = __ballot_sync(ALL, 0);
		if (!busy)
			break;
		rounds += 1000;
	}
	OUT = rounds;
}

/* A tree of sums within each half, in code of its own; then both halves, again apart. */
KERNEL(trees)
{
	int v = LANE + 3 * WARP;

	if (LANE < 16) {
		for (int d = 8; d; d /= 2)
			v += __shfl_xor_sync(0x0000ffffu, v, d);
		v = __shfl_sync(ALL, v, 31);
	} else {
		for (int d = 8; d; d /= 2)
			v += __shfl_xor_sync(0xffff0000u, v, d) * 2;
		v = __shfl_sync(ALL, v, 0) + 5;
	}
	OUT = v;
}

/* A function is called from two places. */
FUNCTION int mirror(int v, int twist)
{
	return __shfl_sync(ALL, v, 31 - LANE) ^ twist;
}
KERNEL(calls)
{
	int v = LANE * 3;

	if (LANE % 3)
		v = mirror(v, 1) + 1;
	else
		v = mirror(v + 5, 2) + 2;
	OUT = v;
}

/* Lanes skip an exchange that the others need and come to the next: it is that which answers. */
KERNEL(skips)
{
	int v = 0;

	if (LANE < 16)
		v = __shfl_sync(ALL, LANE + 100, LANE + 16);
	OUT = v + __shfl_sync(LANE < 16 ? 0x0000ffffu : ALL, LANE + 200, LANE ^ 1);
}

/* One lane waits for a word that its neighbours write after the join; then all meet at the barrier of the block. */
KERNEL(joins)
{
	VOLATILE_SHARED int word[2];

	word[WARP] = 0;
	__syncthreads();
	if (LANE == 5)
		while (word[WARP] != 26)
			PAUSE();
	if (LANE == 26)
		word[WARP] = 26;
	__syncthreads();
	OUT = word[WARP] + LANE;
}

#if defined(WARPSYNC_HOST) || (defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800)
/* Reductions that the hardware does, from two sides. */
KERNEL(reductions)
{
	unsigned v;

	if (LANE & 4)
		v = __reduce_add_sync(ALL, (unsigned)LANE);
	else
		v = __reduce_add_sync(ALL, (unsigned)LANE * 100) + 1;
	if (LANE < 7)
		v ^= __reduce_xor_sync(0x7fu, v);
	OUT = (int)v;
}
#endif
