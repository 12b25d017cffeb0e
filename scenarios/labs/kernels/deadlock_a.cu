/* deadlock_a.cu - a block that waits gives others a turn. */
extern "C" __global__ void chain(const int *a, volatile int *sum, volatile int *ready)
{
	int b = gridDim.x - 1 - blockIdx.x;

	if (threadIdx.x == 0) {
		int before = 0;

		if (b > 0) {
			while (!ready[b - 1])
				__threadfence();
			before = sum[b - 1];
		}
		sum[b] = before + a[b];
		__threadfence();
		ready[b] = 1;
	}
}
