/*
 * test_ccws.c - CCWS: the scores of its paper's numbers and who may load by them, the victim tag arrays, what is held,
 * and all of it against scores that are counted down cycle by cycle.
 */
#include "core_bed.h"

#include "policy_ccws.h"

#define LINE 128

/* Warps of one CTA that do nothing but wait: ALU instructions in a long chain. */
static struct bed *ccws_bed(u32 warps)
{
	struct bed *b = bed_new();

	b->config.sm_warps = 32;
	policy_put(&b->policy, POLICY_order, SCHEME_ccws);
	policy_put(&b->policy, POLICY_hold, SCHEME_ccws);
	for (u32 i = 0; i < 200; i++)
		bed_alu(b, 0, CLASS_INT, 1, 1, 1);
	bed_exit(b, 0);
	bed_launch(b, 0, 1, warps * 32);
	bed_open(b);
	bed_run_to(b, BED_FIRST + 1);
	return b;
}

static struct ccws *own(struct bed *b)
{
	return (struct ccws *)(uintptr_t)ccws_of(b->sim.m, 0);
}
static struct ccws_warp *own_warp(struct bed *b, u32 context)
{
	return (struct ccws_warp *)(uintptr_t)own_sm_part(b->sim.m, SCHEME_ccws, 0, 1) + context;
}

/* The policy is told of something of SM 0; true: it tells something in turn. */
static bool tell(struct bed *b, u32 kind, u32 context, u64 line, u32 place, u32 count)
{
	struct emitted out = {0};

	return scheme_ccws.on_notice_emit(b->sim.view[0].look,
					  &(struct notice){.kind = (u16)kind,
							   .context = (u16)context,
							   .line = line * LINE,
							   .place = place,
							   .count = count},
					  own(b), &out);
}

/* Line `line` goes into place 0 for a warp that misses it, and has gone again. */
static void lose(struct bed *b, u32 context, u64 line)
{
	tell(b, NOTICE_L1D_MISS, context, line, 0, 0);
	tell(b, NOTICE_L1D_EVICT, NONE16, line, 0, 0);
}

/* Does a warp miss a line that it had lost? */
static bool lost(struct bed *b, u32 context, u64 line)
{
	return tell(b, NOTICE_L1D_MISS, context, line, 1, 0);
}

/* --- scores --- */

/* "2:0 0:240 1:340 3!440": members in order with the sums before them; ! held. */
static const char *order_at(struct bed *b, u64 cycle)
{
	static char text[256];
	struct ccws_place place[256];
	u32 n = ccws_standing(b->sim.m, 0, cycle, place), at = 0;

	text[0] = 0;
	for (u32 i = 0; i < n; i++)
		at += (u32)snprintf(text + at, sizeof text - at, "%s%u%c%llu", i ? " " : "", place[i].context,
				    place[i].may ? ':' : '!', (unsigned long long)place[i].before);
	return text;
}

/* Four warps, cutoff 400, InstIssued 160, and a hit of warp 2 that is the hits-th. */
static struct bed *hit_bed(u64 hits)
{
	struct bed *b = ccws_bed(4);

	assert_int_equal(own(b)->members, 4);
	assert_int_equal(own(b)->cutoff, 400);
	lose(b, 2, 1000);
	own(b)->issued = 160;
	own(b)->hits = hits - 1;
	assert_true(lost(b, 2, 1000));
	assert_int_equal(own(b)->hits, hits);
	return b;
}

/* VTAHits 12: LLDS 240; the sum before warp 3 is 440, and 399 after 41 cycles. */
static void the_oracle_of_the_page(void **state)
{
	struct bed *b = hit_bed(12);
	u64 now = bed_cycle(b);

	(void)state;
	assert_int_equal(ccws_llds(&b->config, 12, 160, 400), 240);
	assert_int_equal(ccws_score(b->sim.m, 0, 2, now), 240);
	assert_string_equal(order_at(b, now), "2:0 0:240 1:340 3!440");
	assert_string_equal(order_at(b, now + 40), "2:0 0:200 1:300 3!400");
	assert_string_equal(order_at(b, now + 41), "2:0 0:199 1:299 3:399");
	assert_int_equal(ccws_returns(b->sim.m, 0, 3, now), now + 41);
	assert_int_equal(ccws_returns(b->sim.m, 0, 1, now), now);
	assert_string_equal(order_at(b, now + 140), "0:0 1:100 2:200 3:300");
	bed_close(b);
	b = hit_bed(8);
	assert_int_equal(ccws_score(b->sim.m, 0, 2, bed_cycle(b)), 160);
	assert_string_equal(order_at(b, bed_cycle(b)), "2:0 0:160 1:260 3:360");
	bed_close(b);
}

/* LLDS truncates; without an instruction it is 0; below the base the score is the base. */
static void llds_is_whole_and_the_base_is_the_least(void **state)
{
	struct bed *b = hit_bed(2);

	(void)state;
	assert_int_equal(ccws_llds(&b->config, 1, 3, 100), 266);
	assert_int_equal(ccws_llds(&b->config, 5, 0, 100), 0);
	assert_int_equal(ccws_llds(&b->config, 2, 160, 400), 40);
	assert_int_equal(ccws_score(b->sim.m, 0, 2, bed_cycle(b)), 100);
	assert_int_equal(own(b)->held, 0);
	bed_close(b);
}

/* A second hit does not add to the first: the score is LLDS again. And no score stays above what LLDS has become. */
static void a_score_is_never_above_llds(void **state)
{
	struct bed *b = hit_bed(12);

	(void)state;
	lose(b, 2, 2000);
	assert_true(lost(b, 2, 2000));
	assert_int_equal(ccws_score(b->sim.m, 0, 2, bed_cycle(b)), 260);
	own(b)->issued = 208;
	tell(b, NOTICE_CHOOSE, NONE16, 0, 0, 0);
	assert_int_equal(ccws_score(b->sim.m, 0, 2, bed_cycle(b)), 200);
	own(b)->issued = 2000;
	tell(b, NOTICE_CHOOSE, NONE16, 0, 0, 0);
	assert_int_equal(ccws_score(b->sim.m, 0, 2, bed_cycle(b)), 100);
	bed_close(b);
}

/* The cutoff is that of the cycle before: warps that come are members at once, and those beyond it held for a cycle. */
static void the_cutoff_comes_a_cycle_late(void **state)
{
	struct bed *b = ccws_bed(4);

	(void)state;
	bed_close(b);
	b = bed_new();
	policy_put(&b->policy, POLICY_hold, SCHEME_ccws);
	bed_exit(b, 0);
	bed_launch(b, 0, 1, 128);
	bed_open(b);
	bed_run_to(b, 1);
	assert_int_equal(own(b)->members, 0);
	bed_run_to(b, 2);
	assert_int_equal(own(b)->members, 4);
	assert_int_equal(own(b)->held, 3);
	assert_int_equal(own(b)->cutoff, 400);
	bed_run_to(b, 3);
	assert_int_equal(own(b)->held, 0);
	bed_run_to(b, BED_FIRST + 2); /* one has exited: the cutoff still counts it */
	assert_int_equal(own(b)->members, 3);
	assert_int_equal(own(b)->cutoff, 300);
	assert_int_equal(b->sim.view[0].sm->events[EVENT_LOAD_LIMIT], 0);
	bed_close(b);
}

/* A warp that ends takes its hits and instructions out of the totals, and leaves its tags to the next of its number. */
static void who_ends_is_forgotten(void **state)
{
	struct bed *b = ccws_bed(4);

	(void)state;
	lose(b, 2, 1000);
	lose(b, 1, 1001);
	assert_true(lost(b, 2, 1000));
	assert_true(lost(b, 1, 1001));
	own(b)->issued = 70;
	own_warp(b, 2)->issued = 50;
	own_warp(b, 1)->issued = 20;
	b->sim.view[0].warp[2].depth = 0;
	slot_eval(&b->sim.view[0], 2);
	tell(b, NOTICE_CHOOSE, NONE16, 0, 0, 0);
	assert_int_equal(own(b)->members, 3);
	assert_int_equal(own(b)->hits, 1);
	assert_int_equal(own(b)->issued, 20);
	assert_int_equal(own_warp(b, 2)->until, 0);
	assert_int_equal(ccws_victims(b->sim.m, 0, 2), 1);
	bed_close(b);
}

/* --- victim tag arrays --- */

/* 16 entries in two sets of 8 by the line's number, first in, first out; a tag that is there does not move. */
static void tags_go_in_order(void **state)
{
	struct bed *b = ccws_bed(4);

	(void)state;
	for (u32 i = 0; i < 8; i++)
		lose(b, 0, 1000 + 2 * i);
	lose(b, 0, 1001);
	assert_int_equal(ccws_victims(b->sim.m, 0, 0), 9);
	lose(b, 0, 1000); /* it hits and stays the oldest */
	assert_int_equal(ccws_victims(b->sim.m, 0, 0), 9);
	lose(b, 0, 1016);
	assert_false(lost(b, 0, 1000));
	assert_true(lost(b, 0, 1002));
	assert_true(lost(b, 0, 1002)); /* a hit leaves it there */
	assert_true(lost(b, 0, 1001));
	assert_int_equal(ccws_victims(b->sim.m, 0, 0), 9);
	bed_close(b);
}

/* The tag goes to the warp that filled the line, and only that warp finds it. */
static void a_tag_is_the_fillers(void **state)
{
	struct bed *b = ccws_bed(4);

	(void)state;
	lose(b, 1, 1000);
	assert_false(lost(b, 2, 1000));
	assert_true(lost(b, 1, 1000));
	assert_int_equal(own_warp(b, 1)->hits, 1);
	assert_int_equal(own_warp(b, 2)->hits, 0);
	tell(b, NOTICE_L1D_MISS, NONE16, 1004, 3, 0); /* of a warp that has gone: nobody's */
	tell(b, NOTICE_L1D_EVICT, NONE16, 1004, 3, 0);
	for (u32 i = 0; i < 4; i++)
		assert_false(lost(b, i, 1004));
	bed_close(b);
}

/* A line that lacks sectors is not lost. */
static void a_sector_is_no_line(void **state)
{
	struct bed *b = ccws_bed(4);

	(void)state;
	lose(b, 1, 1000);
	assert_false(tell(b, NOTICE_L1D_MISS, 1, 1000, 1, 1));
	assert_int_equal(own(b)->hits, 0);
	bed_close(b);
}

/* A store takes the line out of every array and leaves the others in their order; a flush empties all. */
static void stores_and_flushes_take_tags(void **state)
{
	struct bed *b = ccws_bed(4);

	(void)state;
	for (u32 i = 0; i < 8; i++)
		lose(b, 0, 1000 + 2 * i);
	lose(b, 3, 1004);
	tell(b, NOTICE_L1D_STORE, NONE16, 1004, 0, 0);
	assert_false(lost(b, 0, 1004));
	assert_false(lost(b, 3, 1004));
	assert_int_equal(ccws_victims(b->sim.m, 0, 0), 7);
	lose(b, 0, 1016); /* into the room that it left: 1000 stays */
	assert_true(lost(b, 0, 1000));
	assert_true(lost(b, 0, 1014));
	tell(b, NOTICE_L1D_FLUSH, NONE16, 0, 0, 0);
	tell(b, NOTICE_L1D_EVICT, NONE16, 1018, 0, 0);
	assert_false(lost(b, 0, 1000));
	assert_int_equal(ccws_victims(b->sim.m, 0, 0), 0);
	bed_close(b);
}

/* --- in the engine --- */

/* One warp reads lines one after the other through an L1D of two places; the number of lines that it finds lost. */
static u32 losses(const u64 *line, u32 n, u32 allocate, enum op last)
{
	u64 address[16];
	u32 found;

	for (u32 i = 0; i < n; i++)
		address[i] = line[i] * LINE;
	struct bed *b = bed_chain(address, n);

	b->kernel[0].ninst--; /* EXIT */
	if (last == OP_ST)
		bed_memory(b, 0, OP_ST, CLASS_STORE, BED_BASE + line[0] * LINE);
	bed_load(b, 0, 5, BED_BASE + line[0] * LINE);
	bed_alu(b, 0, CLASS_INT, 5, 1, 5); /* what a warp misses that has ended does not count */
	bed_exit(b, 0);
	b->config.l1d_bytes = 2 * LINE;
	b->config.l1d_ways = 2;
	b->config.l1d_allocate = allocate;
	policy_put(&b->policy, POLICY_hold, SCHEME_ccws);
	bed_open(b);
	bed_run(b);
	found = (u32)b->sim.view[0].sm->events[EVENT_VICTIM_HIT];
	bed_close(b);
	return found;
}

static void the_l1d_tells_what_goes(void **state)
{
	static const u64 round[] = {1, 2, 3}, near[] = {1, 2};

	(void)state;
	for (u32 allocate = 0; allocate < 2; allocate++) {
		assert_int_equal(losses(round, 3, allocate, OP_LD), 1);
		assert_int_equal(losses(near, 2, allocate, OP_LD), 0);
		assert_int_equal(losses(round, 3, allocate, OP_ST), 0);
	}
}

/* The tags of one launch are not those of the next. */
static void a_kernel_end_empties_the_arrays(void **state)
{
	static const u64 line[] = {0, LINE, 2 * LINE};
	struct bed *b = bed_chain(line, 3);

	(void)state;
	b->config.l1d_bytes = 2 * LINE;
	b->config.l1d_ways = 2;
	policy_put(&b->policy, POLICY_hold, SCHEME_ccws);
	bed_launch(b, 0, 1, 32);
	bed_open(b);
	bed_run(b);
	assert_int_equal(b->sim.view[0].sm->stat[STAT_L1D_MISSES], 6);
	assert_int_equal(b->sim.view[0].sm->events[EVENT_VICTIM_HIT], 0);
	bed_close(b);
}

/* Four warps whose next instruction is of a class; warp 2 has lost lines: does warp 3 wait? */
static bool is_held(enum op op, enum inst_class class)
{
	struct bed *b = bed_new();
	bool held;

	policy_put(&b->policy, POLICY_order, SCHEME_ccws);
	policy_put(&b->policy, POLICY_hold, SCHEME_ccws);
	for (u32 i = 0; i < 4; i++) {
		struct inst *in = bed_memory(b, 0, op, class, class == CLASS_SHLOAD ? 0 : BED_BASE);

		if (op == OP_ATOM) {
			in->aux = ATOM_ADD;
			in->vec = VALUE_U32;
			in->nsrc = 2;
			in->src[1] = (struct operand){.kind = OPERAND_REG, .value = 0};
		}
		if (class == CLASS_INT)
			*in = (struct inst){.op = OP_NOP, .class = CLASS_INT, .write_pred = {0xff, 0xff}};
	}
	bed_exit(b, 0);
	bed_launch(b, 0, 1, 128)->shared = class == CLASS_SHLOAD ? 128 : 0;
	bed_open(b);
	bed_run_to(b, BED_FIRST);
	lose(b, 2, 5000);
	own(b)->issued = 160;
	own(b)->hits = 11;
	assert_true(lost(b, 2, 5000));
	bed_run_to(b, BED_FIRST + 1);
	held = sim_warp_status(&b->sim, 0, 3) == WARP_HELD;
	assert_int_not_equal(sim_warp_status(&b->sim, 0, 1), WARP_HELD);
	bed_close(b);
	return held;
}

/* Loads of global and local memory are held, nothing else. */
static void only_loads_are_held(void **state)
{
	(void)state;
	assert_true(is_held(OP_LD, CLASS_LOAD));
	assert_false(is_held(OP_ST, CLASS_STORE));
	assert_false(is_held(OP_ATOM, CLASS_ATOMIC));
	assert_false(is_held(OP_LD, CLASS_SHLOAD));
	assert_false(is_held(OP_NOP, CLASS_INT));
}

/* A warp that is held loads in the cycle that was forecast, whether the SM sleeps till then or not, and the event that
 * says so comes in that cycle. */
static void the_held_return_as_forecast(void **state)
{
	(void)state;
	for (u32 sleep = 0; sleep < 2; sleep++) {
		struct bed *b = bed_new();
		struct record r = {0};
		u64 back;

		policy_put(&b->policy, POLICY_hold, SCHEME_ccws);
		bed_load(b, 0, 4, BED_BASE);
		bed_alu(b, 0, CLASS_INT, 5, 1, 4);
		bed_exit(b, 0);
		b->config.icnt_latency = 200; /* nothing else happens meanwhile */
		bed_launch(b, 0, 1, 128);
		bed_open(b);
		b->sim.sleep = sleep;
		bed_run_to(b, BED_FIRST);
		lose(b, 2, 5000);
		own(b)->issued = 160;
		own(b)->hits = 11;
		assert_true(lost(b, 2, 5000));
		bed_run_to(b, BED_FIRST + 8);
		back = ccws_returns(b->sim.m, 0, 3, bed_cycle(b));
		assert_true(back > BED_FIRST + 20 && back < BED_FIRST + 60);
		assert_int_equal(bed_when(b, 0, 3, 0), back);
		assert_int_equal(bed_records(b, EVENT_LOAD_LIMIT, &r), 1);
		assert_int_equal(r.a * 10 + r.b, 43);
		bed_close(b);
	}
}

/* --- against scores counted down cycle by cycle --- */

struct naive {
	u64 score[256], cutoff, total_hits, total_issued, hits[256], issued[256];
	u64 member[CONTEXT_WORDS], allowed[CONTEXT_WORDS];
};

/* What an SM's warps have lost and issued by the records of the last cycle; `kind` alone. */
static void naive_take(struct bed *b, struct naive *x, u32 sm, enum event_kind kind)
{
	const struct config *c = &b->sim.m->config;

	for (u32 i = 0; i < b->sim.bus.count; i++) {
		const struct record *r = &b->sim.bus.record[i];

		if (r->kind != kind || r->sm != sm)
			continue;
		if (kind == EVENT_ISSUE) {
			x->issued[r->warp]++;
			x->total_issued++;
			continue;
		}
		x->hits[r->warp]++;
		x->total_hits++;
		x->score[r->warp] = ccws_llds(c, x->total_hits, x->total_issued, x->cutoff);
		assert_int_equal(max_u64(x->score[r->warp], c->ccws_base), r->a);
	}
}

/* The members: warps with a slot that have not ended, as they were when the cycle began. */
static void naive_members(const struct sm_view *v, u64 *member)
{
	memset(member, 0, CONTEXT_WORDS * sizeof *member);
	for (u32 k = 0; k < v->m->contexts; k++)
		if (v->warp[k].cta != NONE16 && v->warp[k].slot != NONE16 && v->warp[k].depth)
			SET_ADD(member, k);
}

/* Who ended is forgotten; scores lie between the base and LLDS; who may load by the cutoff, which is then renewed. */
static void naive_choose(struct bed *b, struct naive *x)
{
	const struct config *c = &b->sim.m->config;
	u64 llds, sum = 0, done[CONTEXT_WORDS] = {0}, n = 0;

	for (u32 k = 0; k < 256; k++)
		if (!SET_HAS(x->member, k)) {
			x->total_hits -= x->hits[k];
			x->total_issued -= x->issued[k];
			x->score[k] = x->hits[k] = x->issued[k] = 0;
		}
	llds = ccws_llds(c, x->total_hits, x->total_issued, x->cutoff);
	for (u32 k = 0; k < 256; k++)
		x->score[k] = max_u64(c->ccws_base, min_u64(x->score[k], llds));
	memset(x->allowed, 0, sizeof x->allowed);
	for (bool open = true;;) {
		u32 best = NONE32;

		for (u32 k = 0; k < 256; k++)
			if (SET_HAS(x->member, k) && !SET_HAS(done, k) &&
			    (best == NONE32 || x->score[k] > x->score[best]))
				best = k;
		if (best == NONE32)
			break;
		SET_ADD(done, best);
		n++;
		if (open)
			SET_ADD(x->allowed, best);
		sum += x->score[best];
		open &= sum < x->cutoff;
	}
	x->cutoff = max_u64(n, 1) * c->ccws_base;
}

/* Loads and stores of many warps through a small L1D, and the same by hand, in every cycle. */
static void counted_down_by_hand(void **state)
{
	u64 hits = 0, held = 0;

	(void)state;
	for (u32 seed = 0; seed < 12; seed++) {
		struct bed *b = bed_crowd(seed);
		static struct naive x[3];

		b->config.l1d_bytes = 1024;
		b->config.l1d_allocate = seed % 2;
		b->config.ccws_k = 20;
		b->config.ccws_base = seed % 3 ? 100 : 10;
		policy_put(&b->policy, POLICY_order, SCHEME_ccws);
		policy_put(&b->policy, POLICY_hold, SCHEME_ccws);
		bed_open(b);
		memset(x, 0, sizeof x);
		while (!sim_finished(&b->sim)) {
			u64 now = bed_cycle(b);

			for (u32 sm = 0; sm < 3; sm++)
				naive_members(&b->sim.view[sm], x[sm].member);
			sim_cycle(&b->sim);
			for (u32 sm = 0; sm < 3; sm++) {
				naive_take(b, &x[sm], sm, EVENT_VICTIM_HIT);
				naive_choose(b, &x[sm]);
				if (b->sim.view[sm].sleep->until <= now + 1)
					assert_memory_equal(x[sm].allowed, ccws_of(b->sim.m, sm)->allowed,
							    sizeof x[sm].allowed);
				SET_EACH (k, x[sm].member, CONTEXT_WORDS)
					assert_int_equal(x[sm].score[k], ccws_score(b->sim.m, sm, k, now));
				held += memcmp(x[sm].allowed, x[sm].member, sizeof x[sm].allowed) != 0;
				naive_take(b, &x[sm], sm, EVENT_ISSUE);
				for (u32 k = 0; k < 256; k++)
					x[sm].score[k] -= x[sm].score[k] > 0;
			}
		}
		for (u32 sm = 0; sm < 3; sm++)
			hits += b->sim.view[sm].sm->events[EVENT_VICTIM_HIT];
		bed_close(b);
	}
	assert_true(hits > 200 && held > 1000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_oracle_of_the_page),
		cmocka_unit_test(llds_is_whole_and_the_base_is_the_least),
		cmocka_unit_test(a_score_is_never_above_llds),
		cmocka_unit_test(the_cutoff_comes_a_cycle_late),
		cmocka_unit_test(who_ends_is_forgotten),
		cmocka_unit_test(tags_go_in_order),
		cmocka_unit_test(a_tag_is_the_fillers),
		cmocka_unit_test(a_sector_is_no_line),
		cmocka_unit_test(stores_and_flushes_take_tags),
		cmocka_unit_test(the_l1d_tells_what_goes),
		cmocka_unit_test(a_kernel_end_empties_the_arrays),
		cmocka_unit_test(only_loads_are_held),
		cmocka_unit_test(the_held_return_as_forecast),
		cmocka_unit_test(counted_down_by_hand),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
