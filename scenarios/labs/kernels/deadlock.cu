/*
 * deadlock.cu - Lab: each block adds its number to the sum of the block before it, which it waits for. Block 0 is the
 * last to be done: that is the fault. More blocks are launched than run at a time.
 */
extern "C" __global__ void chain(const int *a, volatile int *sum, volatile int *ready)
{
	int b = gridDim.x - 1 - blockIdx.x;

	if (threadIdx.x == 0) {
		int before = 0;

		if (b > 0) {
			while (!ready[b - 1])
				;
			before = sum[b - 1];
		}
		sum[b] = before + a[b];
		__threadfence();
		ready[b] = 1;
	}
}
