/* deadlock_c.cu - block b waits for the one that was launched before it. */
extern "C" __global__ void chain(const int *a, volatile int *sum, volatile int *ready)
{
	int b = blockIdx.x;

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
