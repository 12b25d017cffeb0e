/* lock.cu - every thread of a warp takes a lock: who has it waits for those who spin, and they wait for it. */
extern "C" __global__ void count(int *held, volatile int *counter)
{
	while (atomicCAS(held, 0, 1))
		;
	*counter = *counter + 1;
	atomicExch(held, 0);
}

/* The same, what is done with the lock inside the loop: a lane gives it back before the others go round again. */
extern "C" __global__ void count_repaired(int *held, volatile int *counter)
{
	for (int done = 0; !done;) {
		if (!atomicCAS(held, 0, 1)) {
			*counter = *counter + 1;
			atomicExch(held, 0);
			done = 1;
		}
	}
}
