// scan - inclusive prefix sums. scan_block scans parts of 256 in shared memory and stores each part's total; the totals
// are scanned by a second launch of the same kernel; scan_add adds to each part the total before it.
#define PART 256

extern "C" __global__ void scan_block(const int *in, int *out, int *total, int n)
{
	__shared__ int sum[2][PART];
	int t = threadIdx.x, i = blockIdx.x * PART + t, from = 0;

	sum[0][t] = i < n ? in[i] : 0;
	__syncthreads();
	for (int reach = 1; reach < PART; reach *= 2) {
		int before = t >= reach ? sum[from][t - reach] : 0;

		sum[!from][t] = sum[from][t] + before;
		from = !from;
		__syncthreads();
	}
	if (i < n)
		out[i] = sum[from][t];
	if (t == PART - 1)
		total[blockIdx.x] = sum[from][t];
}

extern "C" __global__ void scan_add(int *out, const int *scanned_total, int n)
{
	int i = blockIdx.x * PART + threadIdx.x;

	if (blockIdx.x > 0 && i < n)
		out[i] += scanned_total[blockIdx.x - 1];
}
