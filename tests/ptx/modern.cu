/* modern.cu - a jump table, matrices through shared memory, an elected lane: nvcc -ptx -arch=sm_90 modern.cu */
extern "C" __global__ void table(const int *in, int *out)
{
	int x = in[threadIdx.x], y = threadIdx.x;

	switch (x) {
	case 0: y = y * 3 + 1; break;
	case 1: y = y / 3; break;
	case 2: y = __popc(y); break;
	case 3: y = y ^ 0x55; break;
	case 4: y = -y; break;
	case 5: y = y << 3; break;
	case 6: y = y % 5; break;
	case 7: y = y * y; break;
	case 8: y = 1000 - y; break;
	default: y = -1;
	}
	out[threadIdx.x] = y;
}

/* Four matrices of 8 x 8 halves, register i of lane l = 256 i + 2 l and the next; then what is in shared memory. */
template <bool trans> __device__ void matrices(unsigned *out)
{
	__shared__ __align__(16) unsigned short tile[4 * 64];
	unsigned r[4], l = threadIdx.x, at = (unsigned)__cvta_generic_to_shared(&tile[8 * l]);

	for (int i = 0; i < 4; i++)
		r[i] = 256 * i + 2 * l + ((256 * i + 2 * l + 1) << 16);
	if (trans)
		asm volatile("stmatrix.sync.aligned.m8n8.x4.trans.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(at), "r"(r[0]), "r"(r[1]),
			     "r"(r[2]), "r"(r[3]) : "memory");
	else
		asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(at), "r"(r[0]), "r"(r[1]),
			     "r"(r[2]), "r"(r[3]) : "memory");
	__syncthreads();
	for (int i = 0; i < 4; i++)
		out[32 * i + l] = ((unsigned *)tile)[32 * i + l];
}
extern "C" __global__ void stored(unsigned *out)
{
	matrices<false>(out);
}
extern "C" __global__ void stored_across(unsigned *out)
{
	matrices<true>(out);
}
extern "C" __global__ void moved(unsigned *out)
{
	unsigned l = threadIdx.x, x = 2 * l + ((2 * l + 1) << 16), d;

	asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(d) : "r"(x));
	out[l] = d;
}
extern "C" __global__ void elected(unsigned *out)
{
	unsigned l = threadIdx.x, leader, is, mask = l < 12 ? 0xff0 : 0xfffff000;

	if (l < 4)
		return;
	asm volatile("{ .reg .pred p; elect.sync %0|p, %2; selp.u32 %1, 1, 0, p; }" : "=r"(leader), "=r"(is) : "r"(mask));
	out[l] = leader * 2 + is;
}
extern "C" __global__ void pending(unsigned *out)
{
	__shared__ unsigned long long bar;
	unsigned at = (unsigned)__cvta_generic_to_shared(&bar), n;
	unsigned long long state;

	asm volatile("mbarrier.init.shared.b64 [%0], 5;" ::"r"(at));
	for (int i = 0; i < 3; i++) {
		asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(state) : "r"(at));
		asm volatile("mbarrier.pending_count.b64 %0, %1;" : "=r"(n) : "l"(state));
		out[i] = n;
	}
}
