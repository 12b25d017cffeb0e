// collatz - steps of the Collatz sequence from `first` + thread to 1: neighboring lanes need very different numbers of steps,
// so a warp loops until its longest lane is done. Writes the steps and, as bytes, whether the sequence passed `limit`.
extern "C" __global__ void collatz(unsigned short *steps, unsigned char *high, unsigned first, unsigned limit, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	unsigned x = first + i, count = 0;
	bool passed = false;

	if (i >= n)
		return;
	while (x > 1) {
		if (x % 2)
			x = 3 * x + 1;
		else
			x /= 2;
		passed |= x > limit;
		count++;
	}
	steps[i] = count;
	high[i] = passed;
}
