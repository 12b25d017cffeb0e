/*
 * test_mascar.c - policy mascar, rule by rule: when memory counts as full, whose turn it is and for how long, whom that
 * holds, and who goes first. The machine stands in states set by hand.
 *
 * Source: Sethia, Jamshidi, Mahlke, "Mascar", HPCA 2015; as the comparator of Yoon et al., "Virtual Thread", ISCA 2016.
 */
#include "core_bed.h"

#include "policy_mascar.h"

/* Instructions of the kernel: one of each kind. */
enum { LOAD, STORE, ATOMIC, SHARED, ALU };

/* Four warps, the younger the higher their slots; all stand at a shared load. */
static struct bed *four_warps(void)
{
	struct bed *b = bed_new();

	b->config.lsu_reexec = REEXEC_CAR;
	b->config.l1d_mshrs = 4;
	policy_put(&b->policy, POLICY_hold, SCHEME_mascar);
	policy_put(&b->policy, POLICY_rank, SCHEME_mascar);
	bed_load(b, 0, 4, BED_BASE);
	bed_memory(b, 0, OP_ST, CLASS_STORE, BED_BASE);
	bed_memory(b, 0, OP_ATOM, CLASS_ATOMIC, BED_BASE);
	bed_memory(b, 0, OP_LD, CLASS_SHLOAD, 0);
	bed_alu(b, 0, CLASS_INT, 5, 1, 4);
	bed_exit(b, 0);
	bed_launch(b, 0, 1, 128);
	bed_open(b);
	bed_run_to(b, BED_FIRST);
	for (u32 i = 0; i < 4; i++)
		b->sim.view[0].slot[i].pc = SHARED;
	return b;
}

/* The next instruction of a slot's warp, which is ready or waits for a load. */
static void stands_at(struct bed *b, u32 slot, u32 pc, bool waits)
{
	u32 words = b->sim.m->words;
	u64 *set = b->sim.view[0].sm->set;

	b->sim.view[0].slot[slot].pc = pc;
	b->sim.view[0].slot[slot].set = waits ? SET_LONG : SET_READY;
	SET_DEL(&set[SET_READY * words], slot);
	SET_DEL(&set[SET_LONG * words], slot);
	SET_ADD(&set[(waits ? SET_LONG : SET_READY) * words], slot);
}

/* So many MSHRs are in use when the schedulers are about to choose: who is the owner then, NONE32 nobody. */
static u32 owner_with(struct bed *b, u32 mshrs)
{
	void *own = (void *)(uintptr_t)scheme_own(b->sim.m, SCHEME_mascar, 0);

	b->sim.view[0].sm->mshrs_used = (u16)mshrs;
	scheme_mascar.on_notice(&b->sim.view[0].look[0], &(struct notice){.kind = NOTICE_CHOOSE}, own);
	return mascar_owner(b->sim.m, 0);
}

/* Of some ready slots those that are not held. */
static u64 may_issue(struct bed *b, u64 ready)
{
	scheme_mascar.decide.hold(&b->sim.view[0].look[0], &ready);
	return ready;
}

/* Of some candidates those that go first. */
static u64 go_first(struct bed *b, u64 candidates)
{
	scheme_mascar.decide.rank(&b->sim.view[0].look[0], &candidates);
	return candidates;
}

/* Memory is full when every MSHR is in use, one fewer is not enough; or when something waits aside. The owner is the
 * oldest warp whose next instruction is one of global or local memory: a load, a store or an atomic, not a shared
 * access. Others are held at all three, and at nothing else. */
static void full_is_all_mshrs(void **state)
{
	(void)state;
	for (u32 kind = LOAD; kind <= ATOMIC; kind++) {
		struct bed *b = four_warps();

		stands_at(b, 0, SHARED, false);
		stands_at(b, 1, kind, false);
		stands_at(b, 2, kind, false);
		stands_at(b, 3, ALU, false);
		assert_int_equal(owner_with(b, 3), NONE32);
		assert_int_equal(may_issue(b, 15), 15);
		assert_int_equal(owner_with(b, 4), 1);
		assert_int_equal(may_issue(b, 15), 11);
		b->sim.view[0].sm->mshrs_used = 0;
		b->sim.view[0].sm->reexec_inactive = 1;
		assert_int_equal(owner_with(b, 0), 1);
		assert_int_equal(may_issue(b, 15), 11);
		bed_close(b);
	}
}

/* Nobody wants memory: nobody owns it. What an older one wants later does not take the turn of who has it. */
static void a_turn_lasts(void **state)
{
	struct bed *b = four_warps();

	(void)state;
	assert_int_equal(owner_with(b, 4), NONE32);
	stands_at(b, 2, LOAD, false);
	assert_int_equal(owner_with(b, 4), 2);
	stands_at(b, 0, LOAD, false);
	stands_at(b, 2, ALU, false);
	assert_int_equal(owner_with(b, 4), 2);
	assert_int_equal(may_issue(b, 15), 14);
	bed_close(b);
}

/* It is over when the owner's next instruction waits for its load, when memory is full no more, and when the warp has
 * ended or its number is another's. */
static void a_turn_ends(void **state)
{
	(void)state;
	for (u32 i = 0; i < 4; i++) {
		struct bed *b = four_warps();
		struct warp *w = &b->sim.view[0].warp[2];

		stands_at(b, 2, LOAD, false);
		assert_int_equal(owner_with(b, 4), 2);
		stands_at(b, 1, LOAD, false);
		if (i == 0)
			stands_at(b, 2, ALU, true);
		if (i == 1)
			assert_int_equal(owner_with(b, 3), NONE32);
		if (i == 2)
			w->depth = 0;
		if (i == 3)
			w->generation++;
		assert_int_equal(owner_with(b, 4), 1);
		assert_int_equal(may_issue(b, 6), i ? 2 : 6);
		bed_close(b);
	}
}

/* mascar.hits: others may load, for what hits is served; they may not store, and no atomics of theirs go. */
static void others_load_and_do_not_store(void **state)
{
	struct bed *b = four_warps();

	(void)state;
	b->sim.m->config.mascar_hits = 1;
	for (u32 i = 0; i < 4; i++)
		stands_at(b, i, i == 3 ? ATOMIC : i == 2 ? STORE : LOAD, false);
	assert_int_equal(owner_with(b, 4), 0);
	assert_int_equal(may_issue(b, 15), 3);
	bed_close(b);
}

/* mascar.first: while memory is not full who wants it goes first; while it is, who does not, and of those who do the
 * owner. */
static void who_goes_first(void **state)
{
	struct bed *b = four_warps();

	(void)state;
	b->sim.m->config.mascar_first = b->sim.m->config.mascar_hits = 1;
	stands_at(b, 0, ALU, false);
	stands_at(b, 1, LOAD, false);
	stands_at(b, 2, LOAD, false);
	stands_at(b, 3, STORE, false);
	owner_with(b, 3);
	assert_int_equal(go_first(b, 15), 14);
	assert_int_equal(go_first(b, 1), 1);
	assert_int_equal(owner_with(b, 4), 1);
	assert_int_equal(go_first(b, 15), 1);
	assert_int_equal(go_first(b, 14), 2);
	assert_int_equal(go_first(b, 12), 12);
	b->sim.m->config.mascar_first = 0;
	assert_int_equal(go_first(b, 15), 15);
	bed_close(b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(full_is_all_mshrs), cmocka_unit_test(a_turn_lasts),
		cmocka_unit_test(a_turn_ends),	     cmocka_unit_test(others_load_and_do_not_store),
		cmocka_unit_test(who_goes_first),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
