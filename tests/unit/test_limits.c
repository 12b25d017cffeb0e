/* test_limits.c - limits: kernels that are each bound by one known thing, and what is said of them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "experiments.h"
#include "policy.h"
#include "session_bed.h"

#define LINES 12
#define CHASES "synthetic k body 12 iterations 4 mix load 20 int 80 distance 1 access stream footprint 33554432 "
#define MODERN "module tests/ptx/limits/modern.ptx"
/* Outer products on registers. */
#define OUTER \
	"gpu h100 sms 1", "set lat.branch 1", "set ptx.schedule off", "module scenarios/subcore/kernels/outer.ptx", \
		"buffer c f32[512]"

/* A stage with one kernel, and the limit that binds it. */
static const struct bound {
	const char *name; /* of the limit */
	const char *line[LINES];
} bound_table[] = {
	{"conflicts", {"gpu tiny", "module tests/ptx/limits/bound.ptx", "launch conflict grid 1 block 256"}},
	{"barriers", {"gpu tiny", "module tests/ptx/limits/bound.ptx", "launch turns grid 1 block 128"}},
	{"divergence",
	 {"gpu tiny", "set sm.ibuffer 8", "set l1i.perfect on", "set fetch.insts 8", "set unit.fp32.interval 1",
	  "set sm.collectors 8", "module tests/ptx/limits/bound.ptx", "launch ways grid 4 block 256"}},
	{"atomics",
	 {"gpu tiny", "set l2.atomic_interval 8", "module tests/ptx/limits/bound.ptx", "launch adds grid 4 block 256"}},
	{"shared.latency", {"gpu volta", "module tests/ptx/limits/bound.ptx", "launch chase grid 1 block 32"}},
	{"alu", {"synthetic k body 40 iterations 10 mix idiv 100 distance 1", "launch k grid 1 block 32"}},
	{"fp32", {"synthetic k body 40 iterations 4 mix fp32 100 distance 8", "launch k grid 4 block 512"}},
	{"fp64", {"synthetic k body 20 iterations 4 mix fp64 100 distance 8", "launch k grid 4 block 512"}},
	{"sfu", {"synthetic k body 20 iterations 4 mix sfu 100 distance 8", "launch k grid 4 block 512"}},
	{"tensor",
	 {"gpu volta", "synthetic k body 40 iterations 2 mix tensor 100 distance 8", "launch k grid 4 block 512"}},
	{"int", {"synthetic k body 40 iterations 4 mix int 100 distance 8", "launch k grid 4 block 512"}},
	{"issue",
	 {"gpu volta", "set gpu.sms 1", "set unit.int.interval 1", "set unit.fp32.interval 1", "set sm.collectors 16",
	  "set sm.banks 8", "synthetic k body 40 iterations 4 mix int 50 fp32 50 distance 8",
	  "launch k grid 4 block 512"}},
	{"banks",
	 {"set gpu.sms 1", "set sm.banks 1", "set unit.fp32.interval 1", "set sm.collectors 8",
	  "synthetic k body 40 iterations 4 mix fp32 100 distance 8", "launch k grid 4 block 512"}},
	{"memory",
	 {"gpu volta", "synthetic k body 12 iterations 10 mix load 50 int 50 distance 1 access random",
	  "launch k grid 1 block 32"}},
	{"dram",
	 {"gpu volta", "set gpu.sms 4", "set dram.channels 1",
	  "synthetic k body 12 iterations 1 mix load 80 int 20 distance 8 access stream footprint 33554432",
	  "launch k grid 16 block 512"}},
	{"rows",
	 {"gpu volta", "set gpu.sms 1", "set l2.slices 4", "set dram.channels 1", "set dram.rc 200",
	  "synthetic k body 12 iterations 1 mix load 80 int 20 distance 8 access random footprint 3355443",
	  "launch k grid 1 block 128"}},
	{"mshrs",
	 {"gpu volta", "set gpu.sms 1", "set l1d.mshrs 2",
	  "synthetic k body 12 iterations 1 mix load 80 int 20 distance 8 access stream footprint 33554432",
	  "launch k grid 4 block 256"}},
	{"crossbar",
	 {"gpu volta", "set gpu.sms 1", "set l2.slices 32", "set icnt.bytes 8",
	  "synthetic k body 12 iterations 2 mix load 80 int 20 distance 8 access stream footprint 262144",
	  "launch k grid 8 block 256"}},
	{"ports",
	 {"gpu volta", "set gpu.sms 1",
	  "synthetic k body 12 iterations 4 mix load 80 int 20 distance 8 access strided stride 128 footprint 16384",
	  "launch k grid 2 block 256"}},
	{"memqueue",
	 {"gpu volta", "set gpu.sms 1", "set lsu.sub_queue 5", "set lsu.sub_interval 40", "set sm.collectors 8",
	  "synthetic k body 12 iterations 8 mix load 80 int 20 distance 8 access stream footprint 4096",
	  "launch k grid 4 block 256"}},
	{"icache",
	 {"gpu tiny", "synthetic k body 2000 iterations 3 mix int 50 fp32 50 distance 8", "launch k grid 1 block 128"}},
	{"l0",
	 {"gpu volta", "set gpu.sms 1", "set l1i.perfect off", "set l0i.latency 30",
	  "synthetic k body 200 iterations 20 mix int 50 fp32 50 distance 8", "launch k grid 1 block 128"}},
	{"stream",
	 {"gpu volta", "set gpu.sms 1", "set l1i.perfect l1i", "set l0i.latency 90", "set l1i.stream 2",
	  "synthetic k body 2000 iterations 1 mix int 50 fp32 50 distance 8", "launch k grid 1 block 32"}},
	{"constants", {"gpu tiny", "set const.cold 400", MODERN, "launch constant grid 1 block 64 args 1"}},
	{"local", {"gpu volta", "set gpu.sms 1", MODERN, "launch spill grid 1 block 64"}},
	{"early",
	 {"gpu volta", "set gpu.sms 1", "set ideal.l2 on", "set l2.latency 400", MODERN,
	  "launch sectors grid 1 block 32"}},
	{"l2.fetch",
	 {"gpu volta", "set gpu.sms 4", "set dram.channels 1", "set l2.fetch 128", "set dram.rcd 0", "set dram.rp 0",
	  "set dram.ras 0", "set dram.rc 0", "set dram.ccd 4", "set dram.ccdl 4",
	  "synthetic k body 12 iterations 1 mix load 20 int 80 distance 8 access random footprint 33554432",
	  "launch k grid 4 block 128"}},
	{"textures",
	 {"gpu volta", "set gpu.sms 1", "set tex.latency 500", MODERN, "buffer pixels f32[64] iota",
	  "texture image pixels 2d 8,8 f32", "launch fetches grid 1 block 64 args image"}},
	{"dispatch",
	 {"gpu volta", "set gpu.sms 4", "set dispatch.interval 100", "synthetic k body 12 iterations 1 mix int 100",
	  "launch k grid 64 block 32"}},
	{"readers",
	 {"gpu volta", "set gpu.sms 1", "set issue.readers 1", "set collector.delay 8", "set sm.collectors 32", MODERN,
	  "launch readers grid 1 block 32"}},
	{"reuse", {OUTER, "set collector.reuse off", "launch turns grid 1 block 512 args c 32"}},
	{"banks",
	 {OUTER, "set collector.allocate on", "set sm.collectors 8", "set collector.window 2",
	  "launch apart grid 1 block 512 args c 32"}},
	{"fetch",
	 {"gpu volta", "set gpu.sms 1", "set l1i.ports 1", "set fetch.insts 1", "set unit.int.interval 1",
	  "set unit.fp32.interval 1", "synthetic k body 20 iterations 4 mix int 50 fp32 50 distance 8",
	  "launch k grid 4 block 256"}},
	{"registers",
	 {"gpu volta", "set gpu.sms 1", "set sm.registers 32768", CHASES "regs 255", "launch k grid 8 block 64"}},
	{"shared", {"gpu volta", "set gpu.sms 1", CHASES "regs 16 shared 40000", "launch k grid 8 block 64"}},
	{"warps", {"gpu volta", "set gpu.sms 1", "set sm.warps 8", CHASES "regs 16", "launch k grid 16 block 64"}},
	{"ctas", {"gpu volta", "set gpu.sms 1", "set sm.ctas 2", CHASES "regs 16", "launch k grid 16 block 32"}},
};

/* A session with the lines of a stage. */
static void stage(const char *const *line, u32 n)
{
	session_open(&session, &all_session_ops);
	session.out = fopen("/dev/null", "w");
	for (u32 i = 0; i < n && line[i]; i++)
		must(line[i]);
	must("goto 0");
}

static void study(const struct experiment_of *of, struct study *t)
{
	struct error e = {0};

	if (study_limits(&session, of, t, NULL, &e))
		fail_msg("%s", e.message);
}

/* The limit that is named as the last cause: what is behind the first, else what leads it. */
static const struct finding *named(const struct study *t)
{
	const struct finding *first = study_first(t), *cause = first ? study_behind(t, first) : NULL;

	return cause ? cause : first ? study_lead(t, first) : NULL;
}

/* No row that people see saves more than the one that counts. */
static void assert_largest(const struct study *t)
{
	const struct finding *first = study_first(t);

	for (u32 i = 0; first && i < t->n; i++)
		if ((i < t->nsingle || t->found[i].hides) && t->found[i].saved > first->saved)
			fail_msg("%s saves more", limit_table[t->found[i].a].name);
}

/* What a limit alone saves, 0 where it costs. */
static i64 alone(const struct study *t, u8 row)
{
	for (u32 i = 0; i < t->nsingle; i++)
		if (t->found[i].a == row)
			return t->found[i].saved > 0 ? t->found[i].saved : 0;
	return 0;
}

/* Two limits hide each other where both lifted save more than each does, by over a twentieth of the cycles; a machine
 * is given up that takes four times as long as the one that is not lifted. */
static void assert_rules(const struct study *t)
{
	for (u32 i = 0; i < t->n; i++) {
		const struct finding *f = &t->found[i];

		assert_in_range(f->x.most_cycles, 4 * t->base.ended, 4 * t->base.ended + 1000);
		if (i < t->nsingle)
			assert_false(f->hides);
		else
			assert_int_equal(f->hides,
					 20 * (f->saved - alone(t, f->a) - alone(t, f->b)) > (i64)t->base.cycles);
	}
}

/* The limit that is known to bind a kernel is the one that is named. */
static void test_bound(void **state UNUSED)
{
	for (u32 i = 0; i < ARRAY_LEN(bound_table); i++) {
		const struct bound *b = &bound_table[i];
		const struct finding *f;
		struct study t;
		void *unused = NULL;

		stage(b->line, LINES);
		if (strcmp(b->name, "icache") && strcmp(b->name, "l0") && strcmp(b->name, "stream"))
			must("set l1i.perfect on"); /* short kernels: cold misses would say most */
		study(&(struct experiment_of){0}, &t);
		f = named(&t);
		if (!f || strcmp(limit_table[f->a].name, b->name))
			fail_msg("%s is called %s", b->name, f ? limit_table[f->a].name : "unbound");
		assert_int_equal(f->b, STUDY_NONE);
		assert_largest(&t);
		assert_rules(&t);
		study_free(&t);
		close_session(&unused);
	}
}

/* Registers and warp slots allow as many CTAs: each alone lifted saves nothing. */
static void test_hidden(void **state)
{
	static const char *const line[] = {"gpu volta",	      "set gpu.sms 1",
					   "set sm.warps 8",  "set sm.registers 32768",
					   CHASES "regs 124", "launch k grid 16 block 64"};
	const struct finding *first, *f;
	struct text say = {0};
	struct study t;

	stage(line, ARRAY_LEN(line));
	study(&(struct experiment_of){0}, &t);
	first = study_first(&t);
	assert_non_null(first);
	f = study_behind(&t, first);
	assert_non_null(f);
	assert_int_equal(f->a, LIMIT_OF_registers);
	assert_int_equal(f->b, LIMIT_OF_warps);
	assert_true(f->hides);
	for (u32 i = 0; i < t.nsingle; i++)
		if (t.found[i].a == LIMIT_OF_registers || t.found[i].a == LIMIT_OF_warps)
			assert_int_equal(t.found[i].saved, 0);
	study_sentence(&t, &say);
	assert_non_null(strstr(say.s, "which hide each other"));
	text_free(&say);
	study_free(&t);
	close_session(state);
}

/* Lanes that read lines of their own: without misses each load still takes 32 lookups, with as many lookups as may be
 * it still waits for each miss. Alone neither saves much; both do, and both are in the sentence and in the advice. */
static void test_uncoalesced(void **state)
{
	static const char *const line[] = {"gpu volta", "set gpu.sms 1", "set sm.warps 8",
					   "synthetic k body 12 iterations 4 mix load 20 int 80 "
					   "distance 1 access random",
					   "launch k grid 16 block 64"};
	const struct finding *first;
	struct text say = {0};
	struct study t;

	stage(line, ARRAY_LEN(line));
	study(&(struct experiment_of){0}, &t);
	first = study_first(&t);
	assert_non_null(first);
	assert_int_equal(first->a, LIMIT_OF_l1d);
	assert_int_equal(first->b, LIMIT_OF_ports);
	assert_true(first->hides);
	assert_null(study_lead(&t, first));
	assert_null(study_behind(&t, first));
	assert_true(first->saved > t.found[0].saved);
	assert_largest(&t);
	study_sentence(&t, &say);
	assert_non_null(strstr(say.s, "bound by L1D misses and L1D lookups, which hide each other: without both"));
	text_free(&say);
	study_free(&t);
	close_session(state);
}

/* A chain through shared memory beside arithmetic: the pair saves a little more than shared memory alone, which leads,
 * and the arithmetic is told behind it. */
static void test_lead(void **state)
{
	static const char *const line[] = {"gpu volta", "module tests/ptx/limits/bound.ptx",
					   "launch chase grid 1 block 32"};
	const struct finding *first, *lead;
	struct text say = {0};
	struct study t;

	stage(line, ARRAY_LEN(line));
	must("set l1i.perfect on");
	study(&(struct experiment_of){0}, &t);
	first = study_first(&t);
	assert_non_null(first);
	assert_int_equal(first->a, LIMIT_OF_alu);
	assert_int_equal(first->b, LIMIT_OF_sharedlatency);
	lead = study_lead(&t, first);
	assert_ptr_equal(lead, &t.found[0]);
	assert_int_equal(lead->a, LIMIT_OF_sharedlatency);
	study_sentence(&t, &say);
	assert_non_null(strstr(say.s, "bound by shared-memory latency: without it, "));
	assert_non_null(strstr(say.s, " fewer cycles; without arithmetic latency too, "));
	text_free(&say);
	study_free(&t);
	close_session(state);
}

/* A study of two rows as if it had been run: a base of 1000 cycles and one that loses 200. */
static void loses(struct study *t, struct finding *f)
{
	*f = (struct finding){.a = LIMIT_OF_collectors, .b = STUDY_NONE, .saved = -200};
	f->x = (struct experiment){.state = EXPERIMENT_DONE, .cycles = 1200};
	*t = (struct study){.found = f, .n = 1, .nsingle = 1, .other = "order=lrr"};
	t->base = (struct experiment){.state = EXPERIMENT_DONE, .cycles = 1000};
	f->judged = true;
	f->other_base = 1300;
	f->other_cycles = 1290;
}

/* What is said of a loss, made by hand: where warps take turns the same saves 10 of 1300 cycles, so the order is the
 * reason, and that gto is faster to begin with makes it the stagger; where it loses 200 there, too, it is not; an event
 * of which there are more is named. */
static void test_loss(void **state UNUSED)
{
	struct finding f;
	struct study t;
	struct text say = {0};

	loses(&t, &f);
	assert_true(study_loses(&t, &f));
	study_loss(&t, &f, &say);
	assert_string_equal(say.s, "warps lose their stagger: with order=lrr, 1,290 cycles instead of 1,300");
	say.len = 0;
	t.base.event[COUNTED_L1D_MISS] = 100;
	f.x.event[COUNTED_L1D_MISS] = 160;
	study_loss(&t, &f, &say);
	assert_string_equal(say.s, "warps lose their stagger: with order=lrr, 1,290 cycles instead of 1,300; L1D "
				   "accesses that miss: 160 instead of 100");
	say.len = 0;
	f.other_base = 900;
	f.other_cycles = 900;
	study_loss(&t, &f, &say);
	assert_string_equal(say.s, "only in this order of issues: with order=lrr, 900 cycles instead of 900; L1D "
				   "accesses that miss: 160 instead of 100");
	say.len = 0;
	f.other_base = 1300;
	f.other_cycles = 1500;
	study_loss(&t, &f, &say);
	assert_string_equal(say.s, "L1D accesses that miss: 160 instead of 100");
	say.len = 0;
	f.x.event[COUNTED_L1D_MISS] = 104;
	study_loss(&t, &f, &say);
	assert_string_equal(say.s, "events as before, in another order");
	say.len = 0;
	t.base.slots[SLOT_LONG] = 500; /* 40 more; of idle 30 more, and fewer of short */
	f.x.slots[SLOT_LONG] = 540;
	f.x.slots[SLOT_IDLE] = 30;
	t.base.slots[SLOT_SHORT] = 90;
	t.base.slots[SLOT_ISSUED] = 1000 - 590; /* one slot a cycle in both */
	f.x.slots[SLOT_ISSUED] = 1200 - 570;	/* no loss */
	study_loss(&t, &f, &say);
	assert_string_equal(say.s, "events as before, in another order; slots with outcome long: 540 instead of 500");
	say.len = 0;
	f.x.slots[SLOT_IDLE] = 1330; /* two a cycle: with more schedulers more wait */
	study_loss(&t, &f, &say);
	assert_string_equal(say.s, "events as before, in another order");
	f.saved = -9;
	assert_false(study_loses(&t, &f));
	text_free(&say);
}

/* matmul takes longer with more operand collectors: with gto some warps are ahead and leave lines in the L1D for the
 * others. Where warps take turns, none is ahead, and collectors cost nothing. */
static void test_stagger(void **state)
{
	static const char *const line[] = {"source scenarios/matmul.scn"};
	struct study t;
	u32 seen = 0;

	stage(line, ARRAY_LEN(line));
	study(&(struct experiment_of){0}, &t);
	for (u32 i = 0; i < t.nsingle; i++) {
		const struct finding *f = &t.found[i];
		struct text say = {0};

		if (!study_loses(&t, f)) {
			assert_false(f->judged);
			continue;
		}
		study_loss(&t, f, &say);
		if (f->a == LIMIT_OF_collectors) {
			seen++;
			assert_true(f->judged && f->other_cycles < f->other_base);
			assert_non_null(strstr(say.s, "warps lose their stagger: with order=lrr"));
			assert_non_null(strstr(say.s, "L1D accesses that miss: "));
		}
		text_free(&say);
	}
	assert_int_equal(seen, 1);
	study_free(&t);
	close_session(state);
}

/* Is a limit among those that were lifted alone? */
static bool lifted(const struct study *t, u8 row)
{
	for (u32 i = 0; i < t->nsingle; i++)
		if (t->found[i].a == row)
			return true;
	return false;
}

/* Limits of textures and of local memory are lifted of kernels that have any, be they one of several. */
static void test_only(void **state)
{
	static const char *const line[] = {MODERN,
					   "buffer pixels f32[64] iota",
					   "texture image pixels 2d 8,8 f32",
					   "launch readers grid 1 block 32",
					   "launch spill grid 1 block 32",
					   "launch fetches grid 1 block 32 args image"};
	struct study t;

	stage(line, ARRAY_LEN(line));
	for (u32 i = 0; i < 3; i++) {
		study(&(struct experiment_of){.launch = i}, &t);
		assert_int_equal(lifted(&t, LIMIT_OF_local), i == 1);
		assert_int_equal(lifted(&t, LIMIT_OF_textures), i == 2);
		study_free(&t);
	}
	study(&(struct experiment_of){.launch = NONE32, .to = 500}, &t);
	assert_true(lifted(&t, LIMIT_OF_local) && lifted(&t, LIMIT_OF_textures));
	study_free(&t);
	close_session(state);
}

/* What a kernel takes as it is, is what it takes in the run; the session's machine does not move. */
static void test_base(void **state)
{
	static const char *const line[] = {"gpu tiny", "module tests/ptx/limits/bound.ptx",
					   "launch turns grid 3 block 128"};
	struct study t;
	u64 hash;

	stage(line, ARRAY_LEN(line));
	must("goto 500");
	hash = sim_hash(&session.sim);
	study(&(struct experiment_of){0}, &t);
	assert_int_equal(sim_hash(&session.sim), hash);
	assert_int_equal(timeline_now(session.timeline).cycle, 500);
	must("run");
	assert_int_equal(t.base.cycles, number_of("kernel.0.cycles"));
	assert_int_equal(t.base.issued, number_of("inst.warp"));
	study_free(&t);
	close_session(state);
}

/* A stretch of the run: its cycles as it is, and no other. */
static void test_window(void **state)
{
	static const char *const line[] = {"gpu tiny", "module tests/ptx/limits/bound.ptx",
					   "launch turns grid 3 block 128"};
	struct experiment_of of = {.launch = NONE32};
	struct study t;

	stage(line, ARRAY_LEN(line));
	must("goto 1000");
	of.from = (u64)number_of("inst.warp");
	must("goto 4000");
	of.to = (u64)number_of("inst.warp");
	study(&of, &t);
	assert_in_range(t.base.cycles, 2990, 3010);
	assert_int_equal(study_first(&t)->a, LIMIT_OF_barriers);
	study_free(&t);
	close_session(state);
}

/* Every row can be put into settings, makes nothing worse, and what it lifts is lifted once. */
static void test_rows(void **state UNUSED)
{
	for (u32 i = 0; i < LIMIT_ROWS; i++) {
		struct config c, again;
		struct error e = {0};
		bool changed;

		config_default(&c);
		if (limit_lift(limit_table[i].sets, &c, &changed, &e))
			fail_msg("%s: %s", limit_table[i].name, e.message);
		again = c;
		assert_int_equal(limit_lift(limit_table[i].sets, &again, &changed, &e), STATUS_OK);
		assert_false(changed);
		for (u32 k = 0; k < i; k++)
			assert_string_not_equal(limit_table[i].name, limit_table[k].name);
	}
	for (u32 i = 0; i < partition_rows; i++) {
		struct policy_choice p;
		struct config c;
		struct error e = {0};
		bool changed;

		config_default(&c);
		policy_default(&p);
		assert_int_equal(limit_lift(partition_table[i].sets, &c, &changed, &e), STATUS_OK);
		assert_int_equal(limit_choose(&session, partition_table[i].policies, &p, &e), STATUS_OK);
		assert_int_equal(config_check(&c, &e), STATUS_OK);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows), cmocka_unit_test(test_bound),  cmocka_unit_test(test_hidden),
		cmocka_unit_test(test_base), cmocka_unit_test(test_window), cmocka_unit_test(test_uncoalesced),
		cmocka_unit_test(test_lead), cmocka_unit_test(test_loss),   cmocka_unit_test(test_stagger),
		cmocka_unit_test(test_only),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
