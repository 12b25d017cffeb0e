// bfs - one level of a breadth-first search over a graph in compressed rows, a thread per node.
// The host launches it with iteration 0, 1, 2, ... and clears `over` before each, until no thread sets it.
// Several threads may reach a node in the same level: all of them write the same values, so the race is harmless.
extern "C" __global__ void bfs(const int *row, const int *edge, int *level, unsigned *over, int n, int iteration)
{
	int node = blockIdx.x * blockDim.x + threadIdx.x;

	if (node >= n || level[node] != iteration)
		return;
	for (int e = row[node]; e < row[node + 1]; e++) {
		int to = edge[e];

		if (level[to] < 0) {
			level[to] = iteration + 1;
			*over = 1;
		}
	}
}
