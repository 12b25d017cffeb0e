/*
 * worker_pool.c - threads of the host that share the visits of one cycle: counters from which each takes its next
 * pieces.
 *
 * Each thread has a share of its own, the same in every call, so that what it has touched is near it; who is done helps
 * the others. A cycle is some microseconds of work, so threads that wait for the next one look at the counters for a
 * while before they let others run, and sleep only when nothing has come for long. Where the host has no processor to
 * spare that is slower than one thread alone; so both ways are timed, again and again, and the faster is taken.
 */
#include "worker_pool.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <time.h>

#define PIECES 4     /* taken at once of one's own share; of another's one */
#define LOOKS 2000   /* at the counter, before others may run */
#define PATIENCE 200 /* times that others may run, before sleep */

#define PROBE 16	/* calls of each way that are timed */
#define FIRST_STAY 2048 /* calls until they are timed again; after a lost time four times as many */
#define LAST_STAY (1u << 17)

/* A thread's pieces: where they end << 32 | the next to take; that or more: all are taken. */
struct share {
	u64 ticket;
} __attribute__((aligned(64)));

struct worker_pool {
	struct share *share; /* by thread, the caller's last */
	u32 call;	     /* grows with every call */
	void (*work)(void *arg, u32 i);
	void *arg;
	u32 done __attribute__((aligned(64))); /* pieces done */
	u32 end, asleep;
	u32 left, stay; /* calls until the next timing; how many it will be after that */
	bool alone;	/* the caller does everything */
	u64 ns[2];	/* of the calls timed last: together, alone */
	pthread_mutex_t lock;
	pthread_cond_t called;
	u32 nthreads, begun; /* beside the caller; of them, those that know their number */
	pthread_t thread[];
};

static inline void pause_cpu(void)
{
#if defined(__x86_64__)
	__builtin_ia32_pause();
#endif
}

/* Do pieces of a share as long as there are any, some at once. */
static void take(struct worker_pool *c, struct share *share, u32 some)
{
	for (;;) {
		u64 ticket = __atomic_load_n(&share->ticket, __ATOMIC_RELAXED);
		u32 i, stop;

		if ((u32)ticket >= (u32)(ticket >> 32))
			return;
		ticket = __atomic_fetch_add(&share->ticket, some, __ATOMIC_ACQUIRE);
		i = (u32)ticket;
		stop = (u32)(ticket >> 32);
		if (i >= stop)
			return;
		stop = min_u32(i + some, stop);
		for (u32 k = i; k < stop; k++)
			c->work(c->arg, k);
		__atomic_fetch_add(&c->done, stop - i, __ATOMIC_RELEASE);
	}
}

/* One's own share, then what the others have left. */
static void take_part(struct worker_pool *c, u32 me)
{
	u32 n = c->nthreads + 1;

	take(c, &c->share[me], PIECES);
	for (u32 i = 1; i < n; i++)
		take(c, &c->share[(me + i) % n], 1);
}

/* Has nothing been called since call `seen`? */
static bool nothing_to_do(struct worker_pool *c, u32 seen)
{
	return __atomic_load_n(&c->call, __ATOMIC_SEQ_CST) == seen && !__atomic_load_n(&c->end, __ATOMIC_SEQ_CST);
}

/* Wait until there may be something to do. */
static void wait_for_work(struct worker_pool *c, u32 seen)
{
	for (u32 turns = 0; turns < PATIENCE; turns++) {
		for (u32 i = 0; i < LOOKS; i++) {
			if (!nothing_to_do(c, seen))
				return;
			pause_cpu();
		}
		sched_yield();
	}
	pthread_mutex_lock(&c->lock);
	__atomic_fetch_add(&c->asleep, 1, __ATOMIC_SEQ_CST);
	while (nothing_to_do(c, seen))
		pthread_cond_wait(&c->called, &c->lock);
	__atomic_fetch_sub(&c->asleep, 1, __ATOMIC_SEQ_CST);
	pthread_mutex_unlock(&c->lock);
}

static void *member(void *arg)
{
	struct worker_pool *c = arg;
	u32 me = __atomic_fetch_add(&c->begun, 1, __ATOMIC_RELAXED), seen = 0;

	for (;;) {
		wait_for_work(c, seen);
		if (__atomic_load_n(&c->end, __ATOMIC_ACQUIRE))
			return NULL;
		seen = __atomic_load_n(&c->call, __ATOMIC_ACQUIRE);
		take_part(c, me);
	}
}

u32 worker_pool_processors(void)
{
	cpu_set_t set;

	return sched_getaffinity(0, sizeof(set), &set) ? 1 : (u32)CPU_COUNT(&set);
}

struct worker_pool *worker_pool_new(u32 n)
{
	struct worker_pool *c = aligned_alloc(64, round_up((u32)(sizeof(*c) + n * sizeof(c->thread[0])), 64));
	static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP};
	sigset_t all, before;

	if (!c)
		die("out of memory (%u worker threads)", n);
	*c = (struct worker_pool){0};
	c->share = aligned_alloc(64, n * sizeof(*c->share));
	if (!c->share)
		die("out of memory (%u worker threads)", n);
	memset(c->share, 0, n * sizeof(*c->share));
	pthread_mutex_init(&c->lock, NULL);
	pthread_cond_init(&c->called, NULL);
	c->stay = FIRST_STAY;
	sigfillset(&all);
	for (u32 i = 0; i < ARRAY_LEN(faults); i++)
		sigdelset(&all, faults[i]);
	pthread_sigmask(SIG_SETMASK, &all, &before); /* signals are the caller's */
	while (c->nthreads + 1 < n && !pthread_create(&c->thread[c->nthreads], NULL, member, c))
		c->nthreads++;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return c;
}

/* Wake those who sleep. */
static void call(struct worker_pool *c)
{
	if (!__atomic_load_n(&c->asleep, __ATOMIC_SEQ_CST))
		return;
	pthread_mutex_lock(&c->lock);
	pthread_cond_broadcast(&c->called);
	pthread_mutex_unlock(&c->lock);
}

void worker_pool_free(struct worker_pool *c)
{
	if (!c)
		return;
	__atomic_store_n(&c->end, 1, __ATOMIC_SEQ_CST);
	call(c);
	for (u32 i = 0; i < c->nthreads; i++)
		pthread_join(c->thread[i], NULL);
	pthread_mutex_destroy(&c->lock);
	pthread_cond_destroy(&c->called);
	free(c->share);
	free(c);
}

/* One call, by all. */
static void together(struct worker_pool *c, void (*work)(void *arg, u32 i), void *arg, u32 n)
{
	u32 shares = c->nthreads + 1;

	c->work = work;
	c->arg = arg;
	__atomic_store_n(&c->done, 0, __ATOMIC_RELAXED);
	for (u32 i = 0; i < shares; i++)
		__atomic_store_n(&c->share[i].ticket, (u64)(n * (i + 1) / shares) << 32 | n * i / shares,
				 __ATOMIC_RELEASE);
	__atomic_fetch_add(&c->call, 1, __ATOMIC_SEQ_CST);
	call(c);
	take_part(c, c->nthreads);
	for (u32 i = 0; __atomic_load_n(&c->done, __ATOMIC_ACQUIRE) < n; i++) {
		pause_cpu();
		if (i % LOOKS == LOOKS - 1)
			sched_yield();
	}
}

static u64 now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (u64)t.tv_sec * 1000000000 + (u64)t.tv_nsec;
}

/* Both ways have been timed: the faster is taken for a while. */
static void decide(struct worker_pool *c)
{
	c->alone = c->ns[0] > c->ns[1];
	c->stay = c->alone ? min_u32(4 * c->stay, LAST_STAY) : FIRST_STAY;
	c->left = c->stay + 2 * PROBE;
	c->ns[0] = c->ns[1] = 0;
}

void worker_pool_share(struct worker_pool *c, void (*work)(void *arg, u32 i), void *arg, u32 n)
{
	bool timed = c->left < 2 * PROBE, alone = timed ? c->left < PROBE : c->alone;
	u64 begun = timed ? now_ns() : 0;

	for (u32 i = 0; alone && i < n; i++)
		work(arg, i);
	if (!alone)
		together(c, work, arg, n);
	if (timed)
		c->ns[alone] += now_ns() - begun;
	if (!c->left--)
		decide(c);
}
