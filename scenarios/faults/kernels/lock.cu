/* lock.cu - every thread of a warp takes a lock: the holder waits for the spinning lanes, and they wait for it. */
extern "C" __global__ void count(int *held, volatile int *counter)
{
	while (atomicCAS(held, 0, 1))
		;
	*counter = *counter + 1;
	atomicExch(held, 0);
}

/* The same with the critical section inside the loop: a lane releases the lock before the others iterate again. */
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
