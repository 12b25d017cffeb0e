/*
 * test_snapshot.c - a copy of the machine shares with its neighbours what is equal, keeps no zeros, and brings back
 * every byte.
 *
 * The machine: three pieces of 4 KiB and one of 40 bytes.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "machine.h"
#include "snapshot.h"

#define SIZE (3 * STORE_PAGE + 40)

static struct machine *m;
static u8 *byte; /* of the machine */
static struct chunk_pool *pool;

static int setup(void **state UNUSED)
{
	m = xcalloc(1, SIZE);
	m->bytes = SIZE;
	byte = (u8 *)m;
	pool = chunk_pool_new();
	return 0;
}

static int teardown(void **state UNUSED)
{
	chunk_pool_drop(pool);
	free(m);
	return 0;
}

/* Only the header is not zero, so only the first piece is kept. */
static void test_zeros(void **state UNUSED)
{
	struct snapshot s;

	assert_int_equal(snapshot_take(&s, m, pool, NULL, NULL), STORE_PAGE);
	assert_int_equal(s.pieces, 4);
	assert_true(s.piece[0] && !s.piece[1] && !s.piece[2] && !s.piece[3]);
	snapshot_free(&s);
}

/* A piece that is as before is that of before; one that is as it will be, that of later; another is new. */
static void test_shares(void **state UNUSED)
{
	struct snapshot before, now, later;

	byte[STORE_PAGE] = 1;
	snapshot_take(&before, m, pool, NULL, NULL);
	byte[2 * STORE_PAGE - 1] = 2;
	byte[SIZE - 1] = 3;
	assert_int_equal(snapshot_take(&later, m, pool, &before, NULL), STORE_PAGE + 40);
	byte[2 * STORE_PAGE - 1] = 0;
	byte[2 * STORE_PAGE] = 4;
	assert_int_equal(snapshot_take(&now, m, pool, &before, &later), STORE_PAGE);
	assert_ptr_equal(now.piece[0], before.piece[0]);
	assert_ptr_equal(now.piece[0], later.piece[0]);
	assert_ptr_equal(now.piece[1], before.piece[1]);
	assert_ptr_equal(now.piece[3], later.piece[3]);
	assert_int_equal(now.piece[0]->refs, 3);
	assert_int_equal(now.piece[1]->refs, 2);
	assert_int_equal(now.piece[2]->refs, 1);
	snapshot_free(&before);
	assert_int_equal(now.piece[0]->refs, 2);
	assert_int_equal(now.piece[1]->refs, 1);
	snapshot_free(&now);
	snapshot_free(&later);
}

/* Every byte that has changed since is as it was: of pieces that are kept, of zeros, of the short one, of both ends. */
static void test_put(void **state UNUSED)
{
	static const u32 at[] = {STORE_PAGE - 1, STORE_PAGE, 2 * STORE_PAGE, 3 * STORE_PAGE, SIZE - 1};
	struct snapshot s;
	struct machine *was;
	u8 want[SIZE];

	byte[STORE_PAGE] = byte[SIZE - 1] = 7;
	memcpy(want, m, SIZE);
	snapshot_take(&s, m, pool, NULL, NULL);
	for (u32 i = 0; i < ARRAY_LEN(at); i++)
		byte[at[i]] += 5;
	was = snapshot_machine(&s);
	assert_memory_equal(was, want, SIZE);
	snapshot_put(&s, m);
	assert_memory_equal(m, want, SIZE);
	free(was);
	snapshot_free(&s);
}

/* Pieces that nobody has any more are taken again. */
static void test_again(void **state UNUSED)
{
	struct snapshot s;
	const struct chunk *first;

	snapshot_take(&s, m, pool, NULL, NULL);
	first = s.piece[0];
	snapshot_free(&s);
	assert_null(s.piece);
	snapshot_take(&s, m, pool, NULL, NULL);
	assert_ptr_equal(s.piece[0], first);
	snapshot_free(&s);
}

#define ROW(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {ROW(test_zeros), ROW(test_shares), ROW(test_put), ROW(test_again)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
