/* heap.cu - malloc and free in kernels: nvcc -ptx -arch=sm_80 heap.cu */
#include <stdlib.h>

struct node {
	int value;
	node *next;
};

/* A list for each thread, built and taken down again. */
extern "C" __global__ void lists(int *out, int n)
{
	int t = blockIdx.x * blockDim.x + threadIdx.x, sum = 0;
	node *head = NULL;

	for (int i = 0; i < n; i++) {
		node *x = (node *)malloc(sizeof(node));

		x->value = i + t;
		x->next = head;
		head = x;
	}
	while (head) {
		node *next = head->next;

		sum = 3 * sum + head->value;
		free(head);
		head = next;
	}
	out[t] = sum;
}

/* All that there is: how many blocks each thread got, and the last. */
extern "C" __global__ void fill(char **last, int *got, int bytes)
{
	int t = blockIdx.x * blockDim.x + threadIdx.x, n = 0;

	for (;;) {
		char *block = (char *)malloc(bytes);

		if (!block)
			break;
		last[t] = block;
		n++;
	}
	got[t] = n;
}

/* Blocks of several sizes keep what is written to them until they are freed. */
extern "C" __global__ void reuse(int *wrong, int rounds)
{
	int t = blockIdx.x * blockDim.x + threadIdx.x, bad = 0;

	for (int i = 0; i < rounds; i++) {
		int words = 4 << i % 4, *block = new int[words];

		if (!block) {
			bad = -1;
			break;
		}
		for (int k = 0; k < words; k++)
			block[k] = t * 1000 + i * 16 + k;
		for (int k = 0; k < words; k++)
			bad += block[k] != t * 1000 + i * 16 + k;
		delete[] block;
	}
	wrong[t] = bad;
}

/* What free must not be given. */
extern "C" __global__ void wrong(int which, int *outside)
{
	char *block = (char *)malloc(100);

	if (which == 0) {
		free(NULL);
		free(block);
	} else if (which == 1) {
		free(block);
		free(block);
	} else {
		free(which == 2 ? block + 16 : which == 3 ? block + 1 : which == 4 ? (char *)outside : block + 4096);
	}
}
