// backprop - a layer of a neural network. backprop_forward: a block of 16 x 16 multiplies 16 inputs with their weights to 16
// hidden units and adds them up in a tree: one partial sum for each block and hidden unit. backprop_adjust: weights move by
// what they did last time and by the error; its literals are doubles.
#define SIDE 16

extern "C" __global__ void backprop_forward(const float *input, const float *weight, float *partial)
{
	__shared__ float in[SIDE], product[SIDE][SIDE];
	int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * SIDE + ty;

	if (tx == 0)
		in[ty] = input[row];
	__syncthreads();
	product[ty][tx] = weight[row * SIDE + tx] * in[ty];
	__syncthreads();
	for (int reach = 1; reach < SIDE; reach *= 2) {
		if (ty % (2 * reach) == 0)
			product[ty][tx] += product[ty + reach][tx];
		__syncthreads();
	}
	if (ty == 0)
		partial[blockIdx.y * SIDE + tx] = product[0][tx];
}

extern "C" __global__ void backprop_adjust(const float *input, const float *error, float *weight, float *last)
{
	int tx = threadIdx.x, row = blockIdx.y * SIDE + threadIdx.y, i = row * SIDE + tx;
	float change = (float)(0.25 * error[tx] * input[row] + 0.5 * last[i]);

	weight[i] += change;
	last[i] = change;
}
