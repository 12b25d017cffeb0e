/*
 * test_core_dram.c - DRAM: latencies of closed, open and wrong rows, row hits by hand, order, turns; and every command
 * of crowded runs held against the timing parameters by a checker that knows nothing but the recorded events.
 */
#include "core_bed.h"

#define BANKS 4
#define ROW 1024
/* Of bank `b` of the bed: row r. dram.spread is off, one channel has all addresses, BED_BASE is in bank 0. */
#define AT(r, b) ((u64)((r)*BANKS + (b)) * ROW)

/* Timing parameters that all differ, so that none can stand for another. */
static void timing(struct config *c)
{
	c->dram_banks = BANKS;
	c->dram_row = ROW;
	c->dram_spread = 0;
	c->dram_cl = 11;
	c->dram_wl = 5;
	c->dram_rcd = 13;
	c->dram_rp = 7;
	c->dram_ras = 29;
	c->dram_rc = 41;
	c->dram_rrd = 6;
	c->dram_ccd = 2;
	c->dram_ccdl = 3;
	c->dram_wr = 17;
	c->dram_cdlr = 4;
	c->dram_rtp = 8;
	c->dram_rtpl = 9;
}

/* --- latencies and row hits by hand --- */

/* Round trips of one load after the other; without DRAM timing each takes 3 + 1 + 1 + 2 + 1 + 1 + 1 = 10. */
static void rows_take_their_time(void **state)
{
	static const u64 at[] = {AT(0, 0), AT(0, 0) + 256, AT(1, 0), AT(1, 1), AT(0, 0) + 512, AT(1, 1) + 256};
	static const u32 want[] = {13 + 11, 11, 7 + 13 + 11, 13 + 11, 7 + 13 + 11, 11};
	struct bed *b = bed_chain(at, 6);

	(void)state;
	timing(&b->config);
	b->config.dram_ras = b->config.dram_rc = 0; /* over long before the next load */
	bed_open(b);
	for (u32 i = 0; i < 6; i++)
		assert_int_equal(bed_round_trip(b, i), 10 + want[i]);
	assert_int_equal(sim_dram_stat(&b->sim, STAT_DRAM_REQUESTS), 6);
	assert_int_equal(sim_dram_stat(&b->sim, STAT_DRAM_ROW_HITS), 2);
	assert_int_equal(sim_dram_stat(&b->sim, STAT_DRAM_ACTIVATES), 4);
	assert_int_equal(sim_dram_stat(&b->sim, STAT_DRAM_PRECHARGES), 2);
	bed_close(b);
}

/* A row may close RAS after it was opened, and the bank open the next RP after that and RC after the last. */
static void a_bank_needs_its_cycle(void **state)
{
	static const struct {
		u32 ras, rc, want;
	} known[] = {
		{0, 0, 7 + 13 + 11},
		/* the next load issues 34 + 5 after the first (it writes the register of the reader, which takes 5) */
		{60, 0, 60 - 39 + 7 + 13 + 11},
		{0, 60, 60 - 39 + 13 + 11},
		{60, 90, 90 - 39 + 13 + 11}};
	static const u64 at[] = {AT(0, 0), AT(1, 0)};

	(void)state;
	for (u32 i = 0; i < ARRAY_LEN(known); i++) {
		struct bed *b = bed_chain(at, 2);

		timing(&b->config);
		b->config.dram_ras = known[i].ras;
		b->config.dram_rc = known[i].rc;
		bed_open(b);
		assert_int_equal(bed_round_trip(b, 0), 10 + 13 + 11);
		assert_int_equal(bed_round_trip(b, 1), 10 + known[i].want);
		bed_close(b);
	}
}

/* By hand: loads of the rows 0 of four banks, then of a fifth, one after the other; four activations in `faw` clocks.
 */
static void four_activations_in_a_window(void **state)
{
	static const u64 at[] = {AT(0, 0), AT(0, 1), AT(0, 2), AT(0, 3), AT(1, 0)};
	/* each load issues 34 + 5 after the one before it: activations at 0, 39, 78, 117, and 156 unless it has to
	 * close a row first */
	static const struct {
		u32 faw, want;
	} known[] = {{0, 0}, {156, 0}, {163, 0}, {164, 1}, {200, 37}};

	(void)state;
	for (u32 i = 0; i < ARRAY_LEN(known); i++) {
		struct bed *b = bed_chain(at, 5);

		timing(&b->config);
		b->config.dram_ras = b->config.dram_rc = 0;
		b->config.dram_faw = known[i].faw;
		bed_open(b);
		for (u32 k = 0; k < 4; k++)
			assert_int_equal(bed_round_trip(b, k), 10 + 13 + 11);
		assert_int_equal(bed_round_trip(b, 4), 10 + 7 + 13 + 11 + known[i].want);
		bed_close(b);
	}
}

/* 12 loads of one row, one after the other. */
static struct bed *row_bed(u32 refi)
{
	struct bed *b;
	u64 at[12];

	for (u32 i = 0; i < 12; i++)
		at[i] = AT(0, 0) + i * 64;
	b = bed_chain(at, 12);
	timing(&b->config);
	b->config.dram_refi = refi;
	b->config.dram_rfc = 50;
	bed_open(b);
	return b;
}

/*
 * The last of 12 loads would read its row in clock C, 26 after the one before it, whose row may be closed from C - 26 +
 * RTP on. A refresh due at D closes it at max(D, C - 18), is made RP = 7 later and takes 50; then the row is opened
 * again, in 13.
 */
static void refreshes_close_rows(void **state)
{
	static const struct {
		i32 due;
		u32 wait, counted;
	} known[] = {{1, 0, 0}, /* behind the read */
		     {0, 7 + 50 + 13, 1},
		     {-3, 4 + 50 + 13, 1},
		     {-7, 0 + 50 + 13, 1},
		     {-8, 50 + 13 - 1, 0}, /* made before the load comes: nobody waits for it */
		     {-20, 50 + 13 - 11, 0},
		     {-25, 50 + 13 - 11, 0}};
	struct bed *b = row_bed(0);
	u64 last = 0;

	(void)state;
	while (!sim_finished(&b->sim)) {
		sim_cycle(&b->sim);
		for (u32 i = 0; i < b->sim.bus.count; i++)
			last = b->sim.bus.record[i].kind == EVENT_DRAM_READ ? b->sim.bus.record[i].b : last;
	}
	bed_close(b);
	for (u32 i = 0; i < ARRAY_LEN(known); i++) {
		b = row_bed((u32)((i64)last + known[i].due));
		assert_int_equal(bed_round_trip(b, 11), 10 + 11 + known[i].wait);
		assert_int_equal(sim_dram_stat(&b->sim, STAT_DRAM_REFRESHES), known[i].counted);
		bed_close(b);
	}
}

/* A refresh that becomes due while a request waits for its row is made when the row may be closed, not when the request
 * could go on: of a row opened in clock A, RCD = 13, RAS = 0, refresh due at A + 3, it is made at A + 3 + RP = A + 10.
 */
static void refreshes_do_not_wait_for_commands(void **state)
{
	u64 at[13], opened = 0;
	struct bed *b;

	(void)state;
	for (u32 i = 0; i < 13; i++)
		at[i] = i < 12 ? AT(0, 0) + i * 64 : AT(1, 1);
	for (u32 refi = 0, k = 0; k < 2; k++, refi = (u32)opened + 3) {
		b = bed_chain(at, 13);
		timing(&b->config);
		b->config.dram_ras = b->config.dram_rc = 0;
		b->config.dram_refi = refi;
		b->config.dram_rfc = 50;
		bed_open(b);
		if (refi)
			assert_int_equal(bed_round_trip(b, 12), 10 + 10 + 50 + 13 + 11);
		while (!sim_finished(&b->sim)) {
			sim_cycle(&b->sim);
			for (u32 i = 0; i < b->sim.bus.count; i++)
				opened = b->sim.bus.record[i].kind == EVENT_DRAM_ACT ? b->sim.bus.record[i].b : opened;
		}
		assert_int_equal(sim_dram_stat(&b->sim, STAT_DRAM_REFRESHES), refi != 0);
		bed_close(b);
	}
}

/* With several groups a refresh of the last one began in clock 0: its rows open RFC later, and the first load, whose
 * row would be opened in clock A, waits for RFC - A. */
static void the_last_group_begins_with_a_refresh(void **state)
{
	static const i32 known[] = {-1, 0, 1, 20};
	u64 at[] = {AT(0, 0)}, opened = 0;

	(void)state;
	for (u32 i = 0; i <= ARRAY_LEN(known); i++) { /* the first: without refreshes */
		struct bed *b = bed_chain(at, 1);

		timing(&b->config);
		b->config.dram_refi = i ? 1000 : 0;
		b->config.dram_rfc = i ? (u32)((i64)opened + known[i - 1]) : 0;
		b->config.dram_refresh_groups = 2;
		bed_open(b);
		if (i)
			assert_int_equal(bed_round_trip(b, 0), 10 + 13 + 11 + (known[i - 1] > 0 ? known[i - 1] : 0));
		while (!i && !sim_finished(&b->sim)) {
			sim_cycle(&b->sim);
			for (u32 k = 0; k < b->sim.bus.count; k++)
				if (b->sim.bus.record[k].kind == EVENT_DRAM_ACT)
					opened = b->sim.bus.record[k].b;
		}
		bed_close(b);
	}
}

/* Four channels in three groups, REFI 300, RFC 120: channels 0 and 3 are due in 100, 1 in 200, 2 in 300; of the
 * refreshes one interval earlier that of channel 2 lasts until 120, and that of channel 1, due in -100, until 20. */
static void groups_refresh_in_turn(void **state)
{
	static const u32 due[] = {100, 200, 300, 100}, busy[] = {0, 20, 120, 0};
	struct config c;

	(void)state;
	config_default(&c);
	c.dram_channels = 4;
	c.dram_refi = 300;
	c.dram_rfc = 120;
	for (u32 i = 0; i < 4; i++) {
		c.dram_refresh_groups = 1;
		assert_int_equal(config_refresh_first(&c, i), 300);
		assert_int_equal(config_refresh_before(&c, i), 0);
		assert_int_equal(config_refresh_next(&c, i, 37), 337);
		c.dram_refresh_groups = 3;
		assert_int_equal(config_refresh_first(&c, i), due[i]);
		assert_int_equal(config_refresh_before(&c, i), busy[i]);
		assert_int_equal(config_refresh_next(&c, i, due[i]), due[i] + 300);
		assert_int_equal(config_refresh_next(&c, i, due[i] + 299), due[i] + 300);
		assert_int_equal(config_refresh_next(&c, i, 0), due[i] % 300 ? due[i] : 300);
	}
	c.dram_channels = 2; /* no more groups than channels */
	assert_int_equal(config_refresh_first(&c, 0), 150);
	assert_int_equal(config_refresh_first(&c, 1), 300);
}

/* A bed in which each of 8 warps loads 8 sectors: line `i` of warp `w` at w x `per_warp` + i x `step`. */
static struct bed *pattern_bed(u32 per_warp, u32 step)
{
	struct bed *b = bed_new();

	timing(&b->config);
	bed_address_by(b, 0, 2, SREG_WARPID, BED_BASE, per_warp);
	for (u32 i = 0; i < 8; i++)
		bed_through(bed_load(b, 0, 8 + i, 0), 2)->offset = (i32)(i * step);
	bed_exit(b, 0);
	bed_launch(b, 0, 1, 256);
	return b;
}

/* 64 lines that fill 8 rows one after the other: a row is opened once, whatever the order. 64 lines, each alone in its
 * row: no hit. */
static void friendly_and_hostile(void **state)
{
	static const struct {
		u32 per_warp, step, activates, hits;
	} known[] = {
		{ROW, ROW / 8, 8, 56},		       /* a warp a row */
		{ROW / 8, ROW, 8, 56},		       /* the warps together a row */
		{BANKS * ROW * 8, BANKS * ROW, 64, 0}, /* 64 rows of bank 0 */
		{ROW, BANKS * ROW * 2, 64, 0},	       /* of four banks */
		{0, ROW / 8, 1, 7},		       /* all the same 8 lines */
	};

	(void)state;
	for (u32 i = 0; i < ARRAY_LEN(known); i++) {
		struct bed *b = pattern_bed(known[i].per_warp, known[i].step);

		bed_open(b);
		bed_run(b);
		assert_int_equal(sim_dram_stat(&b->sim, STAT_DRAM_ACTIVATES), known[i].activates);
		assert_int_equal(sim_dram_stat(&b->sim, STAT_DRAM_ROW_HITS), known[i].hits);
		assert_int_equal(sim_dram_stat(&b->sim, STAT_DRAM_REQUESTS), known[i].activates + known[i].hits);
		assert_int_equal(sim_event_count(&b->sim, EVENT_DRAM_ACT), known[i].activates);
		bed_close(b);
	}
}

/* Two rows of a bank asked for in turn: first ready first served opens each once, unless nobody is to wait. */
static void hits_go_first_but_not_for_ever(void **state)
{
	u64 activates[2], starved[2];

	(void)state;
	for (u32 impatient = 0; impatient < 2; impatient++) {
		struct bed *b = bed_new();

		timing(&b->config);
		b->config.dram_starve = impatient ? 16 : 100000;
		b->config.l1d_mshrs = 64;
		for (u32 i = 0; i < 8; i++) {
			bed_load(b, 0, 8 + i % 8, BED_BASE + AT(0, 0) + i * 128);
			bed_load(b, 0, 16 + i % 8, BED_BASE + AT(1, 0) + i * 128);
		}
		bed_exit(b, 0);
		bed_launch(b, 0, 1, 32);
		bed_open(b);
		bed_run(b);
		activates[impatient] = sim_dram_stat(&b->sim, STAT_DRAM_ACTIVATES);
		starved[impatient] = sim_dram_stat(&b->sim, STAT_DRAM_STARVED);
		bed_close(b);
	}
	assert_int_equal(starved[0], 0);
	assert_int_equal(activates[0], 2);
	assert_true(starved[1] > 0 && activates[1] > activates[0]);
}

/* With one command a clock, the row command of a request that has waited too long goes before columns: row 1 of bank 0
 * is asked for behind a column of row 0, and before ten of row 0 and ten of bank 1, which go on after its row closes.
 */
static void the_starved_go_before_columns(void **state)
{
	struct bed *b = bed_new();
	u32 closed = 0, after = 0;

	(void)state;
	timing(&b->config);
	b->config.dram_dual = 0;
	b->config.dram_clock = b->config.gpu_clock / 4;
	b->config.dram_ccd = b->config.dram_ccdl = 1;
	b->config.dram_ras = b->config.dram_rtp = b->config.dram_rtpl = 1;
	b->config.dram_starve = 20;
	b->config.l1d_mshrs = 64;
	bed_load(b, 0, 4, BED_BASE + AT(0, 0));
	bed_load(b, 0, 5, BED_BASE + AT(0, 1));
	bed_load(b, 0, 6, BED_BASE + AT(1, 0));
	for (u32 i = 1; i <= 10; i++) {
		bed_load(b, 0, 6 + i, BED_BASE + AT(0, 0) + i * 32);
		bed_load(b, 0, 16 + i, BED_BASE + AT(0, 1) + i * 32);
	}
	bed_exit(b, 0);
	bed_launch(b, 0, 1, 32);
	bed_open(b);
	while (!sim_finished(&b->sim)) {
		sim_cycle(&b->sim);
		for (u32 i = 0; i < b->sim.bus.count; i++) {
			const struct record *r = &b->sim.bus.record[i];
			closed += r->kind == EVENT_DRAM_PRE && !closed && r->a == 0;
			after += r->kind == EVENT_DRAM_READ && closed && r->a == 1;
		}
	}
	assert_int_equal(sim_dram_stat(&b->sim, STAT_DRAM_STARVED), 1);
	assert_int_equal(closed, 1);
	assert_true(after > 0);
	bed_close(b);
}

/* --- every command against the timing parameters --- */

/* What a checker has seen of one channel; clocks + 1, 0: never. */
struct seen {
	u64 act[16], pre[16], read[16], write[16], row[16];
	u64 last_act, last_read, last_write, last_column, last_row, group_column[4];
	u64 window[4], refresh; /* of the last four activations, the oldest first */
	u64 commands, refreshes, last;
};

/* At least `gap` clocks since `then` (+ 1). */
static void apart(const char *what, u64 now, u64 then, u32 gap)
{
	if (then && now < then - 1 + gap)
		fail_msg("%s: %llu clocks after %llu, not %u", what, (unsigned long long)(now - then + 1),
			 (unsigned long long)then - 1, gap);
}

/* The row of an address: of the pieces of 256 bytes each slice, which has a channel, has its share; these go over the
 * bank groups, and rows over the banks of a group. */
static u64 row_of(const struct config *c, u64 address)
{
	u64 piece = address / 256 / c->l2_slices;

	assert_int_equal(c->l2_slices, c->dram_channels);
	return piece / c->dram_groups / (c->dram_row / 256) / (c->dram_banks / c->dram_groups);
}

/* A row command. */
static void check_row(struct seen *s, const struct config *c, const struct record *r, u32 bank, u64 now)
{
	if (c->dram_dual)
		apart("row bus", now, s->last_row, 1);
	s->last_row = now + 1;
	if (r->kind == EVENT_DRAM_PRE) {
		assert_true(s->row[bank]);
		apart("RAS", now, s->act[bank], c->dram_ras);
		apart("WR", now, s->write[bank], c->dram_wl + c->dram_burst + c->dram_wr);
		apart("RTP", now, s->read[bank], c->dram_groups > 1 ? max_u32(c->dram_rtp, c->dram_rtpl) : c->dram_rtp);
		s->row[bank] = 0;
		s->pre[bank] = now + 1;
		return;
	}
	assert_false(s->row[bank]);
	apart("RP", now, s->pre[bank], c->dram_rp);
	apart("RC", now, s->act[bank], c->dram_rc);
	apart("RRD", now, s->last_act, c->dram_rrd);
	apart("FAW", now, s->window[0], c->dram_faw);
	apart("RFC", now, s->refresh, c->dram_rfc);
	memmove(s->window, s->window + 1, sizeof(s->window) - sizeof(s->window[0]));
	s->window[3] = now + 1;
	s->row[bank] = row_of(c, r->address) + 1;
	s->act[bank] = s->last_act = now + 1;
}

/* A column command. */
static void check_column(struct seen *s, const struct config *c, const struct record *r, u32 bank, u64 now)
{
	bool write = r->kind == EVENT_DRAM_WRITE;

	if (s->row[bank] != row_of(c, r->address) + 1)
		fail_msg("bank %u has row %llu open, not %llu", bank, (unsigned long long)s->row[bank],
			 (unsigned long long)row_of(c, r->address) + 1);
	apart("RCD", now, s->act[bank], c->dram_rcd);
	apart("CCD", now, s->last_column, max_u32(c->dram_ccd, c->dram_burst));
	apart("CCDL", now, s->group_column[bank % c->dram_groups], c->dram_ccdl);
	if (write)
		apart("read to write", now, s->last_read, c->dram_cl + c->dram_burst + 2 - c->dram_wl);
	else
		apart("write to read", now, s->last_write, c->dram_wl + c->dram_burst + c->dram_cdlr);
	s->last_column = s->group_column[bank % c->dram_groups] = now + 1;
	*(write ? &s->last_write : &s->last_read) = now + 1;
	(write ? s->write : s->read)[bank] = now + 1;
}

/* A refresh: the open rows could be closed RP before, and nothing has been done to them since. */
static void check_refresh(struct seen *s, const struct config *c, u64 now)
{
	assert_true(now >= c->dram_refi * (s->refreshes + 1));
	for (u32 bank = 0; bank < c->dram_banks; bank++) {
		apart("RP to refresh", now, s->pre[bank], c->dram_rp);
		if (!s->row[bank])
			continue;
		apart("RAS to refresh", now, s->act[bank], c->dram_ras + c->dram_rp);
		apart("WR to refresh", now, s->write[bank], c->dram_wl + c->dram_burst + c->dram_wr + c->dram_rp);
		apart("RTP to refresh", now, s->read[bank], c->dram_rtp + c->dram_rp);
		s->row[bank] = 0;
		s->pre[bank] = now - c->dram_rp + 1;
	}
	s->refresh = now + 1;
	s->refreshes++;
}

/* A command, of which the last one was before a refresh became due: no row is open, whether or not it was recorded, and
 * RFC is over. */
static void check_due(struct seen *s, const struct config *c, const struct record *r)
{
	u64 now = r->b, due = c->dram_refi ? now / c->dram_refi * c->dram_refi : 0;

	if (c->dram_refi && s->last < due) {
		memset(s->row, 0, sizeof(s->row));
		apart("RFC", now, due + 1, c->dram_rfc);
	}
	s->last = now;
}

/* One record. */
static void check_record(struct seen *all, const struct config *c, const struct record *r)
{
	u32 bank = r->a % c->dram_banks;
	struct seen *s = &all[r->a / c->dram_banks];
	bool row = r->kind == EVENT_DRAM_ACT || r->kind == EVENT_DRAM_PRE;

	if (r->kind == EVENT_DRAM_REF)
		check_refresh(&all[r->a], c, r->b);
	if (!row && r->kind != EVENT_DRAM_READ && r->kind != EVENT_DRAM_WRITE)
		return;
	check_due(s, c, r);
	if (!c->dram_dual) {
		apart("command bus", r->b, s->last_row, 1);
		apart("command bus", r->b, s->last_column, 1);
	}
	if (row)
		check_row(s, c, r, bank, r->b);
	else
		check_column(s, c, r, bank, r->b);
	s->commands++;
}

/* Timing that varies with a seed, on a bed full of loads, stores and atomics. */
static void crowd_timing(struct config *c, u32 seed)
{
	timing(c);
	c->dram_banks = seed & 1 ? 8 : 4;
	c->dram_groups = seed & 2 ? 4 : 1;
	c->dram_burst = seed & 4 ? 2 : 1;
	c->dram_dual = seed >> 3 & 1;
	c->dram_clock = seed & 1 ? c->gpu_clock : c->gpu_clock * (1 + seed % 3) / 2;
	c->dram_queue = seed & 2 ? 16 : 4;
	c->dram_starve = seed & 4 ? 16 : 200;
	c->dram_turn = 1 + seed * 5;
	c->dram_write_high = 1 + seed;
	c->l2_slices = c->dram_channels = seed & 8 ? 2 : 1;
	c->dram_ccd = 1 + seed % 3;
	c->dram_mixed = seed >> 4;
	c->dram_faw = seed & 4 ? 53 : 0;
	c->dram_refi = seed & 2 ? 400 + 10 * seed : 0;
	c->dram_rfc = 60;
}

static void commands_keep_their_distance(void **state)
{
	(void)state;
	for (u32 seed = 0; seed < 32; seed++) {
		struct seen seen[2] = {0};
		struct bed *b = bed_crowd(seed);
		u64 columns = 0;

		crowd_timing(&b->config, seed);
		bed_open(b);
		while (!sim_finished(&b->sim)) {
			sim_cycle(&b->sim);
			for (u32 i = 0; i < b->sim.bus.count; i++)
				check_record(seen, &b->config, &b->sim.bus.record[i]);
			assert_true(bed_cycle(b) < 200000);
		}
		assert_true(!b->config.dram_mixed || !sim_dram_stat(&b->sim, STAT_DRAM_TURNS));
		assert_false(sim_deadlocked(&b->sim));
		columns = sim_event_count(&b->sim, EVENT_DRAM_READ) + sim_event_count(&b->sim, EVENT_DRAM_WRITE);
		assert_int_equal(seen[0].commands + seen[1].commands, columns +
									      sim_event_count(&b->sim, EVENT_DRAM_ACT) +
									      sim_event_count(&b->sim, EVENT_DRAM_PRE));
		assert_int_equal(columns * b->config.dram_burst, sim_dram_stat(&b->sim, STAT_DRAM_BUSY));
		assert_int_equal(seen[0].refreshes + seen[1].refreshes, sim_dram_stat(&b->sim, STAT_DRAM_REFRESHES));
		assert_int_equal(seen[0].refreshes + seen[1].refreshes, sim_event_count(&b->sim, EVENT_DRAM_REF));
		assert_int_equal(seen[0].refreshes != 0, b->config.dram_refi != 0);
		assert_true(sim_event_count(&b->sim, EVENT_DRAM_PRE) && sim_event_count(&b->sim, EVENT_DRAM_WRITE));
		bed_close(b);
	}
}

/* Columns nearer to the activation of their bank than 13 clocks, when a setting is one less than it was. */
static u64 commands_that_clash(u32 setting)
{
	struct bed *b = bed_crowd(2);
	u64 clashes = 0, last[16] = {0};

	crowd_timing(&b->config, 2);
	config_set(&b->config, (enum setting_id)setting, config_get(&b->config, (enum setting_id)setting) - 1);
	bed_open(b);
	while (!sim_finished(&b->sim)) {
		sim_cycle(&b->sim);
		for (u32 i = 0; i < b->sim.bus.count; i++) {
			const struct record *r = &b->sim.bus.record[i];

			if (r->kind == EVENT_DRAM_ACT)
				last[r->a] = r->b + 1;
			else if ((r->kind == EVENT_DRAM_READ || r->kind == EVENT_DRAM_WRITE) && last[r->a])
				clashes += r->b + 1 - last[r->a] < 13;
		}
	}
	bed_close(b);
	return clashes;
}

static void a_shorter_rcd_shows(void **state)
{
	(void)state;
	assert_true(commands_that_clash(SET_dram_rcd) > 0);
	assert_int_equal(commands_that_clash(SET_dram_wr), 0);
}

/* --- clock domains --- */

/* Equal clocks named and not named are the same; latencies of a slower domain count in its own clocks. */
static void domains_have_their_clocks(void **state)
{
	static const struct {
		u32 icnt, l2, icnt_latency, l2_latency;
	} known[] = {{0, 0, 20, 30},   {1400, 1400, 20, 30}, {700, 0, 10, 30},
		     {0, 700, 20, 15}, {2800, 0, 40, 30},    {350, 350, 5, 8}};
	static const u64 at[] = {0, 4096, 4096};
	u64 first = 0;

	(void)state;
	for (u32 i = 0; i < ARRAY_LEN(known); i++) {
		struct bed *b = bed_chain(at, 3);

		b->config.l1d_enabled = 0;
		b->config.gpu_clock = b->config.dram_clock = 1400;
		b->config.icnt_clock = known[i].icnt;
		b->config.l2_clock = known[i].l2;
		b->config.icnt_latency = known[i].icnt_latency;
		b->config.l2_latency = known[i].l2_latency;
		bed_open(b);
		bed_round_trip(b, 0);
		u64 trip = bed_round_trip(b, 1);

		first = first ? first : trip;
		if (i < 2)
			assert_int_equal(trip, 3 + 20 + 30 + 2 + 1 + 1 + 20);
		assert_in_range(trip, first - 4, first + 12); /* waits for edges of the slower clocks */
		bed_close(b);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_take_their_time),
		cmocka_unit_test(a_bank_needs_its_cycle),
		cmocka_unit_test(four_activations_in_a_window),
		cmocka_unit_test(refreshes_close_rows),
		cmocka_unit_test(refreshes_do_not_wait_for_commands),
		cmocka_unit_test(the_last_group_begins_with_a_refresh),
		cmocka_unit_test(groups_refresh_in_turn),
		cmocka_unit_test(friendly_and_hostile),
		cmocka_unit_test(hits_go_first_but_not_for_ever),
		cmocka_unit_test(the_starved_go_before_columns),
		cmocka_unit_test(commands_keep_their_distance),
		cmocka_unit_test(a_shorter_rcd_shows),
		cmocka_unit_test(domains_have_their_clocks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
