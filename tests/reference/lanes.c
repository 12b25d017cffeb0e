/*
 * lanes.c - what the kernels of tests/ptx/warpsync must leave: every thread of a block is a thread of the host.
 *
 * The kernels' own text is compiled as C. A warp-synchronous function blocks until all lanes of its mask that have not
 * ended stand in the same function with the same mask; then each takes what the others brought. Nothing here knows of
 * warps that run in step, of paths or of joins.
 */
#include "reference.h"

#include <pthread.h>
#include <sched.h>
#include <string.h>

#define WARPSYNC_HOST
#define THREADS 64
#define KERNELS 17

enum what { NOWHERE, SHUFFLE_TO, SHUFFLE_XOR, BALLOT, ANY_LANE, ALL_LANES, MATCH, SYNC, SUM, XOR };

/* What one thread stands in, and has brought. */
struct standing {
	enum what what;
	u32 mask, turn; /* turn: of the exchange that it waits for */
	i32 value, arg, result;
	bool ended;
};
static struct standing standing[THREADS];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t moved = PTHREAD_COND_INITIALIZER;
static u32 at_block, left_block,
	blocks; /* threads at the barrier of the block, threads that have not ended; barriers */

struct place {
	u32 x;
};
static _Thread_local struct place threadIdx;

/* The result of lane l from what all have brought. */
static i32 result_of(const struct standing *w, u32 l)
{
	u32 ballot = 0, same = 0, sum = 0, other = 0;

	for (u32 k = 0; k < 32; k++) {
		if (!(w[l].mask >> k & 1) || w[k].ended)
			continue;
		ballot |= (u32)(w[k].value != 0) << k;
		same |= (u32)(w[k].value == w[l].value) << k;
		sum += (u32)w[k].value;
		other ^= (u32)w[k].value;
	}
	switch (w[l].what) {
	case SHUFFLE_TO: return w[w[l].arg & 31].value;
	case SHUFFLE_XOR: return w[l ^ (u32)w[l].arg].value;
	case BALLOT: return (i32)ballot;
	case ANY_LANE: return ballot != 0;
	case ALL_LANES: {
		for (u32 k = 0; k < 32; k++)
			if (w[l].mask >> k & 1 && !w[k].ended && !w[k].value)
				return 0;
		return 1;
	}
	case MATCH: return (i32)same;
	case SUM: return (i32)sum;
	case XOR: return (i32)other;
	default: return 0;
	}
}

/* Have all lanes come that lane l of a warp waits for? */
static bool complete(const struct standing *w, u32 l)
{
	for (u32 k = 0; k < 32; k++)
		if (w[l].mask >> k & 1 && !w[k].ended && (w[k].what != w[l].what || w[k].mask != w[l].mask))
			return false;
	return true;
}

/* All groups of a warp that are complete go on. */
static void let_go(struct standing *w)
{
	u32 go = 0;

	for (u32 l = 0; l < 32; l++)
		if (w[l].what && !w[l].ended && complete(w, l)) {
			w[l].result = result_of(w, l);
			go |= 1u << l;
		}
	for (u32 l = 0; l < 32; l++)
		if (go >> l & 1) {
			w[l].what = NOWHERE;
			w[l].turn++;
		}
	if (go)
		pthread_cond_broadcast(&moved);
}

/* This thread stands in a function until its group is complete. */
static i32 stand(enum what what, u32 mask, i32 value, i32 arg)
{
	struct standing *s = &standing[threadIdx.x], *w = &standing[threadIdx.x & ~31u];
	u32 turn;

	pthread_mutex_lock(&mutex);
	s->what = what;
	s->mask = mask;
	s->value = value;
	s->arg = arg;
	turn = s->turn;
	let_go(w);
	while (s->turn == turn)
		pthread_cond_wait(&moved, &mutex);
	pthread_mutex_unlock(&mutex);
	return s->result;
}

/* The barrier of the block. */
static void __syncthreads(void)
{
	u32 number;

	pthread_mutex_lock(&mutex);
	number = blocks;
	if (++at_block == left_block) {
		at_block = 0;
		blocks++;
		pthread_cond_broadcast(&moved);
	}
	while (number == blocks)
		pthread_cond_wait(&moved, &mutex);
	pthread_mutex_unlock(&mutex);
}

static int atomicCAS(int *p, int compare, int value)
{
	__atomic_compare_exchange_n(p, &compare, value, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
	return compare;
}
static int atomicExch(int *p, int value)
{
	return __atomic_exchange_n(p, value, __ATOMIC_SEQ_CST);
}

/* clang-format off */
#define __shared__
#define PAUSE() sched_yield()
#define __shfl_sync(mask, v, lane) stand(SHUFFLE_TO, mask, v, lane)
#define __shfl_xor_sync(mask, v, bits) stand(SHUFFLE_XOR, mask, v, bits)
#define __ballot_sync(mask, v) (u32)stand(BALLOT, mask, v, 0)
#define __any_sync(mask, v) stand(ANY_LANE, mask, v, 0)
#define __all_sync(mask, v) stand(ALL_LANES, mask, v, 0)
#define __match_any_sync(mask, v) (u32)stand(MATCH, mask, (i32)(v), 0)
#define __syncwarp(mask) stand(SYNC, mask, 0, 0)
#define __reduce_add_sync(mask, v) (u32)stand(SUM, mask, (i32)(v), 0)
#define __reduce_xor_sync(mask, v) (u32)stand(XOR, mask, (i32)(v), 0)
#define __threadfence() __atomic_thread_fence(__ATOMIC_SEQ_CST)
#define __popc(v) __builtin_popcount(v)
#define __ffs(v) __builtin_ffs(v)
/* clang-format on */
#include "../ptx/warpsync/warpsync.cu"

static void (*const kernel[KERNELS])(int *, int) = {sides, cases,  votes, matches, handover,  nested,
						    early, halves, lock,  chain,   groups,    workers,
						    trees, calls,  skips, joins,   reductions};
static int out[THREADS * KERNELS];
static int running; /* the kernel that runs */

/* One thread of the block. */
static void *thread(void *number)
{
	threadIdx.x = (u32)(size_t)number;
	kernel[running](out, running);
	pthread_mutex_lock(&mutex);
	standing[threadIdx.x].ended = true;
	let_go(&standing[threadIdx.x & ~31u]);
	left_block--;
	pthread_mutex_unlock(&mutex);
	return NULL;
}

void reference_lanes(void)
{
	for (running = 0; running < KERNELS; running++) {
		pthread_t t[THREADS];

		memset(standing, 0, sizeof(standing));
		at_block = blocks = 0;
		left_block = THREADS;
		for (size_t i = 0; i < THREADS; i++)
			pthread_create(&t[i], NULL, thread, (void *)i);
		for (u32 i = 0; i < THREADS; i++)
			pthread_join(t[i], NULL);
	}
	emit("warpsync.want", out, sizeof(out) - THREADS * sizeof(*out));
	emit("redux.want", out + THREADS * (KERNELS - 1), THREADS * sizeof(*out));
}
