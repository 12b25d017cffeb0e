// tpacf - how often do pairs of points lie in which class of distance? Each pair's class is found by a binary search in
// constant memory, whose steps differ from lane to lane, and counted by an atomic in shared memory.
#define CLASSES 12
#define TILE 64

__constant__ int least[CLASSES] = {-32768, -400, -220, -130, -70, -30, 0, 30, 70, 130, 220, 400};

extern "C" __global__ void tpacf(const int *x, const int *y, const int *z, unsigned *pairs, int n)
{
	__shared__ int tx[TILE], ty[TILE], tz[TILE];
	__shared__ unsigned count[CLASSES];
	int t = threadIdx.x, i = blockIdx.x * TILE + t;

	if (t < CLASSES)
		count[t] = 0;
	for (int first = 0; first < n; first += TILE) {
		if (first + t < n) {
			tx[t] = x[first + t];
			ty[t] = y[first + t];
			tz[t] = z[first + t];
		}
		__syncthreads();
		for (int k = 0; k < TILE && first + k < i && i < n; k++) {
			int product = x[i] * tx[k] + y[i] * ty[k] + z[i] * tz[k], low = 0, high = CLASSES;

			while (high - low > 1) {
				int middle = (low + high) / 2;

				if (product >= least[middle])
					low = middle;
				else
					high = middle;
			}
			atomicAdd(&count[low], 1u);
		}
		__syncthreads();
	}
	if (t < CLASSES)
		atomicAdd(&pairs[t], count[t]);
}
