/*
 * crew.c - threads of the host that share the visits of one cycle: a counter from which each takes its next pieces.
 *
 * A cycle is some microseconds of work, so threads that wait for the next one look at the counter for a while before they let
 * others run, and sleep only when nothing has come for long.
 */
#include "crew.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>

#define PIECES 4		/* taken at once */
#define LOOKS 2000		/* at the counter, before others may run */
#define PATIENCE 200		/* times that others may run, before sleep */

struct crew {
	u64 ticket __attribute__((aligned(64)));	/* how many pieces there are << 32 | the next to take; that many or more: all are taken */
	void (*work)(void *arg, u32 i);
	void *arg;
	u32 done __attribute__((aligned(64)));	/* pieces done */
	u32 end, asleep;
	pthread_mutex_t lock;
	pthread_cond_t called;
	u32 nthreads;
	pthread_t thread[];
};

static inline void pause_cpu(void)
{
#if defined(__x86_64__)
	__builtin_ia32_pause();
#endif
}

/* Do pieces as long as there are any. */
static void take_part(struct crew *c)
{
	for (;;) {
		u64 ticket = __atomic_fetch_add(&c->ticket, PIECES, __ATOMIC_ACQUIRE);
		u32 i = (u32)ticket, n = (u32)(ticket >> 32), end = min_u32(i + PIECES, n);

		if (i >= n)
			return;
		for (u32 k = i; k < end; k++)
			c->work(c->arg, k);
		__atomic_fetch_add(&c->done, end - i, __ATOMIC_RELEASE);
	}
}

static bool nothing_to_do(struct crew *c)
{
	u64 ticket = __atomic_load_n(&c->ticket, __ATOMIC_SEQ_CST);

	return (u32)ticket >= (u32)(ticket >> 32) && !__atomic_load_n(&c->end, __ATOMIC_SEQ_CST);
}

/* Wait until there may be something to do. */
static void wait_for_work(struct crew *c)
{
	for (u32 turns = 0; turns < PATIENCE; turns++) {
		for (u32 i = 0; i < LOOKS; i++) {
			if (!nothing_to_do(c))
				return;
			pause_cpu();
		}
		sched_yield();
	}
	pthread_mutex_lock(&c->lock);
	__atomic_fetch_add(&c->asleep, 1, __ATOMIC_SEQ_CST);
	while (nothing_to_do(c))
		pthread_cond_wait(&c->called, &c->lock);
	__atomic_fetch_sub(&c->asleep, 1, __ATOMIC_SEQ_CST);
	pthread_mutex_unlock(&c->lock);
}

static void *member(void *arg)
{
	struct crew *c = arg;

	while (!__atomic_load_n(&c->end, __ATOMIC_ACQUIRE)) {
		take_part(c);
		wait_for_work(c);
	}
	return NULL;
}

struct crew *crew_new(u32 n)
{
	struct crew *c = aligned_alloc(64, round_up((u32)(sizeof(*c) + n * sizeof(c->thread[0])), 64));
	sigset_t all, before;

	if (!c)
		die("out of memory (a crew of %u threads)", n);
	*c = (struct crew){0};
	pthread_mutex_init(&c->lock, NULL);
	pthread_cond_init(&c->called, NULL);
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before); /* signals are the caller's */
	while (c->nthreads + 1 < n && !pthread_create(&c->thread[c->nthreads], NULL, member, c))
		c->nthreads++;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return c;
}

/* Wake those who sleep. */
static void call(struct crew *c)
{
	if (!__atomic_load_n(&c->asleep, __ATOMIC_SEQ_CST))
		return;
	pthread_mutex_lock(&c->lock);
	pthread_cond_broadcast(&c->called);
	pthread_mutex_unlock(&c->lock);
}

void crew_free(struct crew *c)
{
	if (!c)
		return;
	__atomic_store_n(&c->end, 1, __ATOMIC_SEQ_CST);
	call(c);
	for (u32 i = 0; i < c->nthreads; i++)
		pthread_join(c->thread[i], NULL);
	pthread_mutex_destroy(&c->lock);
	pthread_cond_destroy(&c->called);
	free(c);
}

void crew_share(struct crew *c, void (*work)(void *arg, u32 i), void *arg, u32 n)
{
	c->work = work;
	c->arg = arg;
	__atomic_store_n(&c->done, 0, __ATOMIC_RELAXED);
	__atomic_store_n(&c->ticket, (u64)n << 32, __ATOMIC_SEQ_CST);
	call(c);
	take_part(c);
	for (u32 i = 0; __atomic_load_n(&c->done, __ATOMIC_ACQUIRE) < n; i++) {
		pause_cpu();
		if (i % LOOKS == LOOKS - 1)
			sched_yield();
	}
}
