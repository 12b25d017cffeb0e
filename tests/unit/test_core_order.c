/*
 * test_core_order.c - who goes before whom within a cycle: global writes and atomics act at seal by SM, sub-core and
 * lane; and which lanes are one context to the checks of races.
 */
#include "core_bed.h"

#include "shadow.h"

#define PLACE (BED_BASE + 256)
#define VALUE 10 /* register with what a thread writes */
#define OLD 12	 /* register that takes what was there */

/* d = a x stride + c, all of them 64 bits wide but a. */
static void multiply_add(struct bed *b, u32 d, enum special_reg a, u32 stride, u32 c)
{
	struct inst *in;

	bed_address_by(b, 0, d, a, 0, stride);
	in = &b->kernel[0].inst[b->kernel[0].ninst - 1];
	in->src[2] = (struct operand){.kind = OPERAND_REG, .value = (u16)c};
	bed_reads(bed_reads(in, c), c + 1);
}

/* What a thread writes: 100000 x SM + 1000 x sub-core + lane + 1, where CTA N is on SM N and warp N in sub-core N. */
static u32 value_of(u32 sm, u32 sub, u32 lane)
{
	return 100000 * sm + 1000 * sub + lane + 1;
}

/* A CTA with a warp in each of two sub-cores on each of two SMs; every lane writes its value to one place. */
static struct bed *meeting(bool atomic)
{
	struct bed *b = bed_new();
	struct inst *in;

	b->config.gpu_sms = 2;
	b->config.sm_subcores = 2;
	b->config.sm_ctas = 1;
	bed_address_by(b, 0, 6, SREG_WARPID, 1, 1000);
	multiply_add(b, 8, SREG_LANEID, 1, 6);
	multiply_add(b, VALUE, SREG_CTAID_X, 100000, 8);
	in = bed_memory(b, 0, atomic ? OP_ATOM : OP_ST, atomic ? CLASS_ATOMIC : CLASS_STORE, PLACE);
	in->nsrc = 2;
	in->src[1] = (struct operand){.kind = OPERAND_REG, .value = VALUE};
	bed_reads(in, VALUE);
	if (atomic) {
		in->aux = ATOM_EXCH;
		in->vec = VALUE_U32;
		in->ndst = 1;
		in->dst[0] = (struct operand){.kind = OPERAND_REG, .value = OLD};
		bed_writes(in, OLD);
	}
	bed_exit(b, 0);
	bed_launch(b, 0, 2, 64);
	return b;
}

/* Run the cycle in which all four warps issue instruction 3, visiting SMs and stages in any order. */
static void run_the_cycle(struct bed *b, u32 order)
{
	u32 issues = 0;

	bed_open(b);
	b->sim.order_seed = order;
	b->sim.stage_major = order % 2;
	while (!issues) {
		sim_cycle(&b->sim);
		for (u32 i = 0; i < b->sim.bus.count; i++)
			issues += b->sim.bus.record[i].kind == EVENT_ISSUE && b->sim.bus.record[i].pc == 3;
		assert_true(bed_cycle(b) < 200);
	}
	assert_int_equal(issues, 4);
}

static u32 memory_word(const struct bed *b)
{
	u32 x;

	store_read(&b->sim.store, PLACE, &x, 4);
	return x;
}

/* Four warps store to one place in one cycle: the last lane of the last sub-core of the last SM stays. */
static void the_last_lane_stays(void **state)
{
	(void)state;
	for (u32 order = 0; order < 6; order++) {
		struct bed *b = meeting(false);

		run_the_cycle(b, order);
		assert_int_equal(memory_word(b), value_of(1, 1, 31));
		bed_close(b);
	}
}

/* The same by exchanges: each gets the value of the one before it. */
static void each_finds_the_one_before(void **state)
{
	(void)state;
	for (u32 order = 0; order < 6; order++) {
		struct bed *b = meeting(true);
		u32 before = 0, n;

		run_the_cycle(b, order);
		for (u32 sm = 0; sm < 2; sm++)
			for (u32 sub = 0; sub < 2; sub++) {
				const u32 *old = sim_warp_regs(&b->sim, sm, sub, &n) + OLD * WARP_LANES;

				for (u32 lane = 0; lane < WARP_LANES; lane++) {
					assert_int_equal(old[lane], before);
					before = value_of(sm, sub, lane);
				}
			}
		assert_int_equal(memory_word(b), before);
		bed_close(b);
	}
}

/* Each lane writes a word and reads that of the lane 16 above, without a barrier; races found if a context has so many
 * lanes. */
static u32 races(bool shared, u32 lanes)
{
	struct bed *b = bed_new();
	u64 base = shared ? 0 : BED_BASE;
	struct inst *in;

	b->config.check_races = 1;
	b->config.warp_size = lanes;
	b->config.sm_subcores = WARP_LANES / lanes;
	bed_address(b, 0, 2, base, 4);
	bed_address(b, 0, 4, base + 64, 4);
	bed_through(bed_memory(b, 0, OP_ST, shared ? CLASS_SHSTORE : CLASS_STORE, 0), 2);
	in = bed_through(bed_memory(b, 0, OP_LD, shared ? CLASS_SHLOAD : CLASS_LOAD, 0), 4);
	in->ndst = 1;
	in->dst[0] = (struct operand){.kind = OPERAND_REG, .value = 8};
	bed_writes(in, 8);
	bed_exit(b, 0);
	bed_launch(b, 0, 1, 32)->shared = 256;
	bed_open(b);
	bed_run(b);
	const struct findings *f = shadow_findings(&b->sim, 0);
	u32 n = f ? f->n : 0;
	if (n) {
		assert_int_equal(f->item[0].kind, FINDING_WRITE_READ);
		assert_int_equal(f->item[0].thread + 16, f->item[0].thread2);
	}
	bed_close(b);
	return n;
}

/* Lanes of one context are in step, those of two slices of a warp are not. */
static void contexts_are_in_step(void **state)
{
	(void)state;
	for (u32 shared = 0; shared < 2; shared++) {
		assert_int_equal(races(shared, 32), 0);
		assert_int_equal(races(shared, 16), 1);
		assert_int_equal(races(shared, 4), 1);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_last_lane_stays),
		cmocka_unit_test(each_finds_the_one_before),
		cmocka_unit_test(contexts_are_in_step),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
