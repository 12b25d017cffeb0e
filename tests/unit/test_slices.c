/*
 * test_slices.c - warp.size below 32: homes and slices, what they hold, how they part, meet and count at barriers.
 */
#include "core_bed.h"

static struct operand reg(u32 n)
{
	return (struct operand){.kind = OPERAND_REG, .value = (u16)n};
}

/* A bed whose warps are cut into slices of `size` lanes. */
static struct bed *sliced(u32 size)
{
	struct bed *b = bed_new();

	b->config.warp_size = size;
	b->config.sm_subcores = WARP_LANES / size;
	return b;
}

/* Register r becomes a special register. */
static void special(struct bed *b, u32 r, enum special_reg source)
{
	struct inst *in = bed_writes(bed_inst(b, 0, OP_MOV_32, CLASS_INT), r);

	in->ndst = in->nsrc = 1;
	in->dst[0] = reg(r);
	in->src[0] = (struct operand){.kind = OPERAND_SREG, .value = (u16)source};
}

/* Register r becomes the lane number of the lane's mirror image, by a shuffle that waits for all 32. */
static void mirror(struct bed *b, u32 r)
{
	struct inst *in;

	special(b, r, SREG_LANEID);
	in = bed_writes(bed_reads(bed_inst(b, 0, OP_SHFL_BFLY, CLASS_SHFL), r), r);
	in->meet = MEET_MEMBERS;
	in->ndst = 1;
	in->nsrc = 4;
	in->dst[0] = in->src[0] = reg(r);
	in->src[1] = in->src[2] = (struct operand){.kind = OPERAND_IMM, .value = bed_imm(b, 0, 31)};
	in->src[3] = (struct operand){.kind = OPERAND_IMM, .value = bed_imm(b, 0, ~0u)};
}

/* To the end; records of a kind. */
static u32 count(struct bed *b, enum event_kind kind)
{
	u32 n = 0;

	while (!sim_finished(&b->sim) && !sim_deadlocked(&b->sim)) {
		sim_cycle(&b->sim);
		n += bed_records(b, kind, NULL);
		assert_true(bed_cycle(b) < 20000);
	}
	assert_true(sim_finished(&b->sim) && !sim_faulted(&b->sim));
	sim_sync(&b->sim);
	return n;
}

/* --- settings --- */

/* What does not go together is refused in one line. */
static void settings_fit(void **state)
{
	static const struct {
		u32 size, subcores, warps, contexts, unit;
		const char *says;
	} row[] = {{12, 2, 32, 0, 256, "power of two"},
		   {4, 4, 32, 0, 256, "needs sm.subcores 8"},
		   {16, 4, 32, 0, 256, "needs sm.subcores 2"},
		   {4, 8, 33, 0, 256, "must not exceed 32"},
		   {8, 4, 32, 65, 256, "must not exceed 64"},
		   {4, 8, 32, 0, 12, "must be a multiple of 8"},
		   {4, 8, 32, 0, 256, NULL},
		   {16, 2, 128, 0, 1, NULL},
		   {8, 4, 32, 64, 4, NULL}};

	(void)state;
	for (u32 i = 0; i < ARRAY_LEN(row); i++) {
		struct config c;
		struct error e = {0};

		config_default(&c);
		c.warp_size = row[i].size;
		c.sm_subcores = row[i].subcores;
		c.sm_warps = row[i].warps;
		c.sm_contexts = row[i].contexts;
		c.sm_register_unit = row[i].unit;
		assert_int_equal(config_check(&c, &e) == STATUS_OK, row[i].says == NULL);
		if (row[i].says)
			assert_non_null(strstr(e.message, row[i].says));
	}
}

/* As many CTAs fit as where warps are whole and all registers are one file. */
static void occupancy_is_the_same(void **state)
{
	struct occupancy whole, cut;
	struct config c;
	struct error e;

	(void)state;
	config_default(&c);
	c.sm_warps = 32;
	c.sm_threads = 1024;
	for (u32 threads = 1; threads <= 1024; threads += 37)
		for (u32 regs = 1; regs < 250; regs += 13)
			for (u32 size = 4; size < WARP_LANES; size *= 2) {
				c.warp_size = WARP_LANES;
				c.sm_subcores = 1;
				occupancy_of(&c, threads, regs, 1000, &whole, &e);
				c.warp_size = size;
				c.sm_subcores = WARP_LANES / size;
				occupancy_of(&c, threads, regs, 1000, &cut, &e);
				assert_int_equal(whole.ctas, cut.ctas);
				assert_int_equal(whole.resident, cut.resident);
				assert_int_equal(whole.binding, cut.binding);
			}
}

/* --- homes --- */

/* A warp takes a whole home, whose parts without threads are done; registers are those of the warp, in shares. */
static void homes_are_whole(void **state)
{
	struct bed *b = sliced(8);
	const struct sm_view *v;
	struct sim *s;

	(void)state;
	b->kernel[0].regs = 20;
	bed_alu(b, 0, CLASS_INT, 1, 0);
	bed_exit(b, 0);
	bed_launch(b, 0, 2, 42); /* a warp, and ten lanes of another */
	s = bed_open(b);
	v = &s->view[0];
	bed_run_to(b, 2);
	for (u32 i = 0; i < 16; i++) {
		u32 lanes = i / 4 % 2 == 0 ? 0xffu << i % 4 * 8 : i % 4 == 0 ? 0xffu : i % 4 == 1 ? 0x300 : 0;

		assert_int_equal(simt_live(&v->stack[i * SIMT_DEPTH], v->warp[i].depth), lanes);
		assert_int_equal(v->warp[i].index, i / 4 % 2);
		assert_int_equal(v->warp[i].cta, i / 8);
		assert_int_equal(v->slot[v->warp[i].slot].context, i);
		assert_int_equal(v->warp[i].slot / s->m->slots_per_sub, i % 4);
		assert_int_equal(SET_HAS(sm_set(&s->view[0], SET_DONE), v->warp[i].slot), !lanes);
	}
	for (u32 k = 0; k < 4; k++)
		assert_int_equal(b->config.sm_registers / 4 - v->sub[k].registers_free, 4 * round_up(20 * 32, 256) / 4);
	assert_int_equal(v->sm->threads, 2 * 64);
	bed_run(b);
	assert_int_equal(sim_sm_stat(s, STAT_INST_WARP), 2 * (4 + 2) * 2);
	assert_int_equal(sim_sm_stat(s, STAT_INST_THREAD), 2 * 42 * 2);
	bed_close(b);
}

/* Lane and warp numbers are those of the warp of 32; each thread has its own registers. */
static void numbers_are_the_warps(void **state)
{
	(void)state;
	for (u32 size = 4; size <= WARP_LANES; size *= 2) {
		struct bed *b = sliced(size);

		special(b, 6, SREG_LANEID);
		special(b, 7, SREG_WARPID);
		bed_out(b, 6, 0);
		bed_out(b, 7, 1024);
		bed_exit(b, 0);
		bed_launch(b, 0, 1, 75);
		bed_open(b);
		bed_run(b);
		for (u32 t = 0; t < 75; t++)
			assert_true(bed_got(b, t, 0) == t % 32 && bed_got(b, t, 1024) == t / 32);
		bed_close(b);
	}
}

/* Slices that go their own ways do not wait for each other: a branch that no slice splits on diverges nowhere. */
static void slices_part(void **state)
{
	(void)state;
	for (u32 size = 8; size <= WARP_LANES; size *= 2) {
		struct bed *b = sliced(size);

		bed_compare(b, 0, 0, SREG_LANEID, 16);
		bed_branch(b, 0, 0, 4, 5);
		bed_alu(b, 0, CLASS_INT, 1, 0);
		bed_branch(b, 0, BED_NO_PRED, 5, 5);
		bed_alu(b, 0, CLASS_INT, 1, 0);
		bed_exit(b, 0);
		bed_launch(b, 0, 1, 32);
		bed_open(b);
		assert_int_equal(count(b, EVENT_DIVERGE), size == WARP_LANES);
		assert_int_equal(sim_sm_stat(&b->sim, STAT_DIVERGED), size == WARP_LANES);
		bed_close(b);
	}
}

/* --- meetings --- */

/* A shuffle waits for the slices of its warp, who come one after the other, and gives what it gives to a whole warp. */
static void shuffles_meet(void **state)
{
	(void)state;
	for (u32 size = 4; size < WARP_LANES; size *= 2) {
		struct bed *b = sliced(size);

		mirror(b, 6);
		bed_out(b, 6, 0);
		bed_exit(b, 0);
		bed_launch(b, 0, 1, 32);
		bed_open(b);
		assert_int_equal(count(b, EVENT_RENDEZVOUS), WARP_LANES / size);
		for (u32 t = 0; t < 32; t++)
			assert_int_equal(bed_got(b, t, 0), t ^ 31);
		assert_int_equal(sim_sm_stat(&b->sim, STAT_INST_WARP), 5 * WARP_LANES / size);
		bed_close(b);
	}
}

/* Slices that end are waited for no more, whoever of the others has come before. */
static void who_ends_is_not_waited_for(void **state)
{
	(void)state;
	for (u32 late = 0; late < 2; late++) {
		struct bed *b = sliced(4);
		u32 n = 0;

		bed_compare(b, 0, 0, SREG_LANEID, 16);
		bed_branch(b, 0, 0, late ? 8 : 4, 100);
		for (; late && n < 5; n++)
			bed_alu(b, 0, CLASS_INT, 1, 1, 1);
		bed_exit(b, 0);
		if (!late)
			bed_exit(b, 0);
		while (b->kernel[0].ninst < (late ? 8u : 4u))
			bed_exit(b, 0);
		mirror(b, 6);
		bed_out(b, 6, 0);
		bed_exit(b, 0);
		b->inst[0][1].reconverge = b->kernel[0].ninst;
		bed_launch(b, 0, 1, 32);
		bed_open(b);
		assert_true(count(b, EVENT_RENDEZVOUS) >= 4);
		for (u32 t = 0; t < 16; t++)
			assert_int_equal(bed_got(b, t, 0), t); /* its mirror image has gone: its own */
		assert_int_equal(sim_status_sum(&b->sim, WARP_GANG) > 0, late);
		bed_close(b);
	}
}

/* --- barriers --- */

/* With a number of threads a barrier counts those of slices; the last that has any stands for those of its warp that
 * have none. */
static void barriers_count_threads(void **state)
{
	(void)state;
	for (u32 size = 4; size <= WARP_LANES; size *= 2)
		for (u32 threads = 33; threads <= 64; threads += 7) {
			struct bed *b = sliced(size);
			struct inst *in = bed_inst(b, 0, OP_BAR_SYNC, CLASS_CONTROL);

			in->barrier = 1;
			in->nsrc = 2;
			in->src[1] = (struct operand){.kind = OPERAND_IMM, .value = bed_imm(b, 0, 64)};
			bed_exit(b, 0);
			bed_launch(b, 0, 1, threads);
			bed_open(b);
			assert_int_equal(count(b, EVENT_RELEASE), 1);
			assert_int_equal(sim_sm_stat(&b->sim, STAT_BARRIERS),
					 WARP_LANES / size + ceil_div(threads - 32, size));
			bed_close(b);
		}
}

/* A barrier of the CTA waits for the slices that have threads and live. */
static void barriers_wait_for_slices(void **state)
{
	struct bed *b = sliced(4);

	(void)state;
	bed_compare(b, 0, 0, SREG_LANEID, 8);
	bed_branch(b, 0, 0, 6, 7);
	for (u32 i = 0; i < 3; i++)
		bed_alu(b, 0, CLASS_INT, 1, 1, 1);
	bed_exit(b, 0);
	bed_barrier(b, 0);
	bed_exit(b, 0);
	b->inst[0][1].reconverge = 7;
	bed_launch(b, 0, 1, 30);
	bed_open(b);
	assert_int_equal(count(b, EVENT_RELEASE), 1);
	assert_int_equal(sim_sm_stat(&b->sim, STAT_BARRIERS), 2);
	bed_close(b);
}

/* --- fetch --- */

/* Four warps of eight slices through two lines of code; most lookups of the L1I in a cycle. */
static struct bed *fetching(u32 ports, u32 bytes, u32 *most)
{
	struct bed *b = sliced(4);

	b->config.l1i_ports = ports;
	b->config.l0i_bytes = bytes;
	for (u32 i = 0; i < 7; i++)
		bed_alu(b, 0, CLASS_INT, 1, 1, 1);
	bed_exit(b, 0);
	bed_launch(b, 0, 1, 128);
	bed_open(b);
	*most = 0;
	while (!sim_finished(&b->sim)) {
		u32 n;

		sim_cycle(&b->sim);
		n = bed_records(b, EVENT_FETCH, NULL);
		*most = n > *most ? n : *most;
		assert_true(bed_cycle(b) < 1000);
	}
	return b;
}

/* What one warp of a slice has fetched the others find in the slice's cache, and take no port for. */
static void slices_keep_lines(void **state)
{
	(void)state;
	for (u32 ports = 1; ports <= 16; ports *= 4) {
		u32 most;
		struct bed *b = fetching(ports, 256, &most);
		const struct sim *s = &b->sim;

		assert_int_equal(sim_sm_stat(s, STAT_L0I_MISSES), 8 * 2);
		assert_int_equal(sim_sm_stat(s, STAT_L0I_HITS), 8 * 3 * 2);
		assert_int_equal(sim_sm_stat(s, STAT_FETCHES), 8 * 2);
		assert_int_equal(sim_event_count(s, EVENT_L0IMISS), 8 * 2);
		assert_int_equal(sim_sm_stat(s, STAT_L0I_WAITS) > 0, ports < 8);
		assert_int_equal(most, ports < 8 ? ports : 8);
		bed_close(b);
		b = fetching(ports, 0, &most);
		s = &b->sim;
		assert_int_equal(sim_sm_stat(s, STAT_FETCHES), 8 * 4); /* lines of the L1I have room for all */
		assert_int_equal(sim_sm_stat(s, STAT_L0I_MISSES) + sim_sm_stat(s, STAT_L0I_HITS), 0);
		bed_close(b);
	}
}

/* The second of two CTAs finds what the first has fetched, but for a line more than there is room for. */
static void the_oldest_line_goes(void **state)
{
	(void)state;
	for (u32 lines = 3; lines <= 5; lines++) {
		struct bed *b = sliced(4);

		b->config.sm_ctas = 1;
		for (u32 i = 0; i < lines * 4 - 1; i++)
			bed_alu(b, 0, CLASS_INT, 1, 1, 1);
		bed_exit(b, 0);
		bed_launch(b, 0, 2, 32);
		bed_open(b);
		bed_run(b);
		assert_int_equal(sim_sm_stat(&b->sim, STAT_L0I_MISSES), 8 * (lines == 5 ? 10 : lines));
		assert_int_equal(sim_sm_stat(&b->sim, STAT_L0I_HITS), 8 * (lines == 5 ? 0 : lines));
		bed_close(b);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(settings_fit),
		cmocka_unit_test(occupancy_is_the_same),
		cmocka_unit_test(homes_are_whole),
		cmocka_unit_test(numbers_are_the_warps),
		cmocka_unit_test(slices_part),
		cmocka_unit_test(shuffles_meet),
		cmocka_unit_test(who_ends_is_not_waited_for),
		cmocka_unit_test(barriers_count_threads),
		cmocka_unit_test(barriers_wait_for_slices),
		cmocka_unit_test(slices_keep_lines),
		cmocka_unit_test(the_oldest_line_goes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
