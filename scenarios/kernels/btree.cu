// btree - a search tree whose nodes have 8 keys: a block of 8 threads follows one query from the root to a leaf, each thread
// comparing one key; the thread that finds the position writes the next node to shared memory. Meanwhile the block waits.
// A node is 8 keys and 8 links; a link leads to a node, in a leaf it is the value. No key reaches INT_MAX.
#define KEYS 8

struct node {
	int key[KEYS], link[KEYS];
};

extern "C" __global__ void btree(const struct node *tree, const int *query, int *found, int levels)
{
	volatile __shared__ int at;	// or clang 14 keeps it in a register across the barriers
	int t = threadIdx.x, wanted = query[blockIdx.x];

	if (t == 0) {
		at = 0;
		found[blockIdx.x] = -1;
	}
	__syncthreads();
#pragma unroll 1
	for (int level = 1; level < levels; level++) {
		const struct node *here = &tree[at];
		int above = t < KEYS - 1 ? here->key[t + 1] : 0x7fffffff;

		__syncthreads();
		if (here->key[t] <= wanted && wanted < above)
			at = here->link[t];
		__syncthreads();
	}
	if (tree[at].key[t] == wanted)
		found[blockIdx.x] = tree[at].link[t];
}
