/* test_follow.c - follow: hops computed by hand; and, of many instructions of small scenarios, that they leave no gap
 * and agree with the states of warps, the Kanata export and the latency of replies. */
#include "core_bed.h"

#include <glob.h>

#include "critical.h"
#include "follow.h"
#include "session_bed.h"

/* --- by hand: times as core_bed.h and test_core_memory.c have them; the CTA's first instruction issues in cycle 4 ---
 */

/* Latencies apart from each other, so that none is taken for another. */
#define ICNT 5
#define L2 7
#define DRAM 11
#define L1D 8
#define FIRST (BED_FIRST + 1)

struct want {
	u64 from;
	u32 kind;
};

static struct session hand;

static void hand_open(struct bed *b)
{
	bed_exit(b, 0);
	bed_launch(b, 0, 1, 32);
	b->config.icnt_latency = ICNT;
	b->config.l2_latency = L2;
	b->config.dram_latency = DRAM;
	bed_open(b);
	hand = (struct session){.live = true};
	hand.sim = b->sim;
	hand.program = b->program;
	for (u32 i = 0; i < hand.sim.m->config.gpu_sms; i++)
		hand.sim.view[i].sim = &hand.sim;
	hand.timeline = timeline_open(&hand.sim, 1 << 20, 0);
}

static void hand_close(struct bed *b)
{
	follow_stop(&hand);
	timeline_close(hand.timeline);
	b->sim = hand.sim;
	bed_close(b);
}

/* The way of what the warp issues in a cycle. */
static void expect_way(u64 issue, const struct want *want, u32 n, u64 end)
{
	const struct follow *f;
	struct error e = {0};
	u64 hash = sim_hash(&hand.sim);

	if (follow_warp(&hand, 0, 0, issue, &e))
		fail_msg("%s", e.message);
	f = follow_now(&hand);
	assert_non_null(f);
	assert_int_equal(f->issued, issue);
	for (u32 i = 0; i < n && i < f->n; i++) {
		if (f->hop[i].from != want[i].from || f->hop[i].kind != want[i].kind)
			fail_msg("hop %u: %s from %llu, not %s from %llu", i, hop_table[f->hop[i].kind].name,
				 f->hop[i].from, hop_table[want[i].kind].name, want[i].from);
		assert_int_equal(f->hop[i].to, i + 1 < n ? want[i + 1].from : end);
	}
	assert_int_equal(f->n, n);
	assert_int_equal(sim_hash(&hand.sim), hash);
}

/* Fetched in 2, decoded in 3, issued in 4, dispatched in the next cycle with its operand, done lat.int = 4 later; the
 * second waits for it, and may issue in the cycle of the write-back. */
static void test_arithmetic(void **state UNUSED)
{
	static const struct want first[] = {
		{2, HOP_FETCH}, {3, HOP_DECODE}, {4, HOP_ISSUE}, {5, HOP_EXECUTE}, {9, HOP_WRITE}};
	static const struct want second[] = {{2, HOP_FETCH}, {3, HOP_DECODE},	{4, HOP_BUFFER}, {5, HOP_WAIT},
					     {9, HOP_ISSUE}, {10, HOP_EXECUTE}, {14, HOP_WRITE}};
	struct bed *b = bed_new();

	bed_alu(b, 0, CLASS_INT, 1, 1, 0);
	bed_alu(b, 0, CLASS_INT, 2, 1, 1);
	hand_open(b);
	expect_way(FIRST, first, ARRAY_LEN(first), 10);
	assert_int_equal(hand.follow->ngrants, 1);
	assert_int_equal(hand.follow->grant[0].cycle, 5);
	expect_way(9, second, ARRAY_LEN(second), 15);
	assert_int_equal(hand.follow->hop[3].status, WARP_SHORT);
	assert_true(SET_HAS(hand.follow->hop[3].regs, 1));
	assert_int_equal(hand.follow->hop[3].producer, 0);
	hand_close(b);
}

/*
 * A load that misses, issued in I = 4: dispatched in I + 1, looked up by the LSU in I + 2, one cycle at the port, the
 * crossbar for icnt.latency, the L2 for l2.latency; the channel reads it in the next clock, and the data are back at
 * the slice 1 + dram.latency later; the reply leaves in the next cycle and takes icnt.latency.
 * The second load of the line, issued in I + 1, joins its MSHR in I + 3, when the request has left the port, and comes
 * with it. A third one, which waits for the first's register, hits and takes l1d.latency.
 */
static void test_load(void **state UNUSED)
{
	enum {
		LEFT = FIRST + 3,
		THERE = LEFT + ICNT,
		LOOKED = THERE + L2,
		READ = LOOKED + 1,
		FILLED = READ + 1 + DRAM,
		SENT = FILLED + 1,
		BACK = SENT + ICNT
	};
	static const struct want miss[] = {{2, HOP_FETCH},	 {3, HOP_DECODE},	  {FIRST, HOP_ISSUE},
					   {FIRST + 1, HOP_LSU}, {FIRST + 2, HOP_PORT},	  {LEFT, HOP_CROSSBAR},
					   {THERE, HOP_L2},	 {LOOKED, HOP_DRAMQUEUE}, {READ, HOP_DRAM},
					   {FILLED, HOP_ANSWER}, {SENT, HOP_RETURN},	  {BACK, HOP_WRITE}};
	static const struct want merged[] = {{2, HOP_FETCH},	     {3, HOP_DECODE},	      {4, HOP_BUFFER},
					     {FIRST + 1, HOP_ISSUE}, {FIRST + 2, HOP_LSU},    {LEFT, HOP_CROSSBAR},
					     {THERE, HOP_L2},	     {LOOKED, HOP_DRAMQUEUE}, {READ, HOP_DRAM},
					     {FILLED, HOP_ANSWER},   {SENT, HOP_RETURN},      {BACK, HOP_WRITE}};
	static const struct want hit[] = {
		{2, HOP_FETCH},	   {3, HOP_DECODE},	{4, HOP_BUFFER},     {6, HOP_WAIT},
		{BACK, HOP_ISSUE}, {BACK + 1, HOP_LSU}, {BACK + 2, HOP_L1D}, {BACK + 2 + L1D, HOP_WRITE}};
	struct bed *b = bed_new();

	bed_load(b, 0, 1, BED_BASE);
	bed_load(b, 0, 2, BED_BASE + 4);
	bed_reads(bed_load(b, 0, 3, BED_BASE + 8), 1);
	hand_open(b);
	expect_way(FIRST, miss, ARRAY_LEN(miss), BACK + 1);
	assert_int_equal(hand.follow->hop[4].looked, HOP_MISSED);
	assert_int_equal(hand.follow->hop[4].line, BED_BASE);
	assert_int_equal(hand.follow->hop[7].outcome, HOP_ROW_MISS);
	expect_way(FIRST + 1, merged, ARRAY_LEN(merged), BACK + 1);
	assert_int_equal(hand.follow->hop[5].looked, HOP_MERGED);
	expect_way(BACK, hit, ARRAY_LEN(hit), BACK + 2 + L1D + 1);
	assert_int_equal(hand.follow->hop[3].status, WARP_LONG);
	assert_int_equal(hand.follow->hop[3].producer, 0);
	hand_close(b);
}

/* A store: the L2 takes a write at once, and acknowledges it in the next cycle. */
static void test_store(void **state UNUSED)
{
	enum { LEFT = FIRST + 3, THERE = LEFT + ICNT, LOOKED = THERE + L2, SENT = LOOKED + 1, BACK = SENT + ICNT };
	static const struct want want[] = {{2, HOP_FETCH},	 {3, HOP_DECODE},	{FIRST, HOP_ISSUE},
					   {FIRST + 1, HOP_LSU}, {FIRST + 2, HOP_PORT}, {LEFT, HOP_CROSSBAR},
					   {THERE, HOP_L2},	 {LOOKED, HOP_ANSWER},	{SENT, HOP_RETURN},
					   {BACK, HOP_ACK}};
	struct bed *b = bed_new();

	bed_memory(b, 0, OP_ST, CLASS_STORE, BED_BASE);
	hand_open(b);
	expect_way(FIRST, want, ARRAY_LEN(want), BACK + 1);
	assert_int_equal(hand.follow->end, FOLLOW_ACKED);
	hand_close(b);
}

/* --- the law --- */

#define ROOM 40000
#define EVENTS 6 /* stores, and warps that are swapped out or flushed, of a scenario */
#define PICKS 20 /* instructions of a scenario */

/* A line of the Kanata export. */
struct drawn {
	u32 thread, pc;
	u64 stage[4]; /* Is, Co, Ex or Me, Wb: the cycle in which it begins; 0: none */
};
struct reply {
	u64 cycle, line;
	u32 sm, latency;
};

static struct {
	struct drawn drawn[ROOM];
	u32 ndrawn;
	struct reply reply[ROOM];
	u32 nreplies;
	u8 *state; /* by cycle, SM and warp */
	u32 warps, end, most;
	struct {
		u32 cycle, warp;
		bool load;
	} pick[5 * EVENTS];
	u32 npicks;
	u32 ways, loads, misses, hits, merges, stores, shared, gone, replies;
} seen;

/* Read the export. */
static void read_drawn(const char *path)
{
	FILE *f = fopen(path, "r");
	char line[512];
	u64 now = 0;

	assert_non_null(f);
	seen.ndrawn = 0;
	while (fgets(line, sizeof(line), f)) {
		unsigned id, thread, lane, sm, warp, pc;
		char name[8];
		unsigned long long n;

		if (sscanf(line, "C=\t%llu", &n) == 1)
			now = n;
		else if (sscanf(line, "C\t%llu", &n) == 1)
			now += n;
		else if (sscanf(line, "I\t%u\t%*u\t%u", &id, &thread) == 2 && id < ROOM) {
			seen.drawn[id] = (struct drawn){.thread = thread};
			seen.ndrawn = id + 1;
		} else if (sscanf(line, "L\t%u\t0\tsm%u w%u %u:", &id, &sm, &warp, &pc) == 4 && id < ROOM)
			seen.drawn[id].pc = pc;
		else if (sscanf(line, "S\t%u\t%u\t%7s", &id, &lane, name) == 3 && !lane && id < ROOM)
			seen.drawn[id].stage[name[0] == 'I' ? 0 : name[0] == 'C' ? 1 : name[0] == 'W' ? 3 : 2] = now;
	}
	fclose(f);
}

static void pick(u32 cycle, u32 warp, bool load)
{
	seen.pick[seen.npicks].cycle = cycle;
	seen.pick[seen.npicks].load = load;
	seen.pick[seen.npicks++].warp = warp;
}

/* Live through the beginning: states of warps, and replies. */
static void watch_run(void)
{
	struct sim fork;
	u32 applied, sms = session.sim.m->config.gpu_sms, n = session.sim.m->contexts;
	u32 picked[EVENT_COUNT] = {0}, swapped = 0;

	seen.warps = sms * n;
	free(seen.state);
	seen.state = xcalloc(seen.most + 1, seen.warps);
	seen.nreplies = 0;
	timeline_fork(session.timeline, (struct position){0, 0}, &fork, &applied);
	fork.bus.want = EVENT_BIT(EVENT_REPLY) | EVENT_BIT(EVENT_STORE) | EVENT_BIT(EVENT_ATOMIC) |
			EVENT_BIT(EVENT_L1D_HIT) | EVENT_BIT(EVENT_L1D_MERGE);
	seen.npicks = 0;
	for (seen.end = 0; seen.end < seen.most && !sim_finished(&fork); seen.end++) {
		timeline_follow(session.timeline, &fork, &applied, (struct position){seen.end + 1, 0});
		for (u32 i = 0; i < seen.warps; i++)
			seen.state[(seen.end + 1) * seen.warps + i] = (u8)sim_warp_status(&fork, i / n, i % n);
		for (u32 i = 0; i < fork.bus.count && seen.nreplies < ROOM; i++) {
			const struct record *r = &fork.bus.record[i];

			if (r->kind == EVENT_REPLY)
				seen.reply[seen.nreplies++] = (struct reply){seen.end + 1, r->address, r->sm, r->b};
			else if (picked[r->kind]++ < EVENTS && r->warp != NONE16)
				pick(seen.end + 1, r->sm * n + r->warp,
				     r->kind == EVENT_L1D_HIT || r->kind == EVENT_L1D_MERGE);
		}
		for (u32 i = 0; i < seen.warps && swapped < EVENTS; i += 5)
			if (seen.state[(seen.end + 1) * seen.warps + i] == WARP_SWAPPED &&
			    seen.state[seen.end * seen.warps + i] == WARP_LONG) {
				pick(seen.end + 1, i, false);
				swapped++;
			}
	}
	sim_close(&fork);
}

/* Of the states in the cycles of a wait, none is another. */
static void check_wait(const char *path, const struct hop *h, u32 warp)
{
	u32 spent[READY_STATES] = {0};

	for (u64 c = h->from; c < h->to && c <= seen.end; c++) {
		u8 state = seen.state[c * seen.warps + warp];

		if (state_ready(h->status) && state_ready(state))
			spent[state - WARP_LSU]++;
		else if (state != h->status)
			fail_msg("%s: warp %u in cycle %llu is in state %u, not %u", path, warp, c, state, h->status);
	}
	if (h->to <= seen.end && state_ready(h->status))
		assert_memory_equal(spent, h->spent, sizeof(spent));
}

/* What the export draws of it. */
static void check_drawn(const char *path, const struct follow *f, u32 warp)
{
	u64 dispatched = 0;
	const struct drawn *d = NULL;

	for (u32 i = 0; i < seen.ndrawn && !d; i++)
		if (seen.drawn[i].thread == warp && seen.drawn[i].pc == f->pc && seen.drawn[i].stage[0] == f->issued)
			d = &seen.drawn[i];
	if (!d)
		fail_msg("%s: the export has no warp %u pc %u in cycle %llu", path, warp, f->pc, f->issued);
	for (u32 i = 0; i < f->n && !dispatched; i++)
		if (f->hop[i].from > f->issued && f->hop[i].kind != HOP_OPERANDS && f->hop[i].kind != HOP_UNIT &&
		    f->hop[i].kind != HOP_BARRIER && f->hop[i].kind != HOP_STEP && f->hop[i].kind != HOP_AWAY)
			dispatched = f->hop[i].from;
	if (dispatched != d->stage[2] && dispatched <= seen.end)
		fail_msg("%s: warp %u pc %u issued in %llu: dispatched in %llu, the export has %llu", path, warp, f->pc,
			 f->issued, dispatched, d->stage[2]);
	if (f->hop[f->n - 1].kind == HOP_WRITE && f->written != d->stage[3] && f->written <= seen.end)
		fail_msg("%s: warp %u pc %u issued in %llu: written in %llu, the export has %llu", path, warp, f->pc,
			 f->issued, f->written, d->stage[3]);
}

/* The request of a load that took an MSHR was on its way for as long as the reply says. */
static void check_reply(const char *path, const struct follow *f)
{
	u64 from = 0;

	for (u32 i = 0; i < f->n; i++) {
		const struct hop *h = &f->hop[i];
		bool found = false;

		if (h->looked == HOP_MISSED && h->kind == HOP_PORT && !h->constants)
			from = h->from;
		if (!from || h->kind != HOP_RETURN || h->to > seen.end)
			continue;
		for (u32 k = 0; k < seen.nreplies && !found; k++)
			found = seen.reply[k].cycle == h->to && seen.reply[k].line == h->line &&
				seen.reply[k].sm == h->sm && seen.reply[k].latency == h->to - from;
		if (!found)
			fail_msg("%s: warp %u pc %u issued in %llu: no reply of %llu cycles in cycle %llu", path,
				 f->warp, f->pc, f->issued, h->to - from, h->to);
		seen.replies++;
	}
}

static void check_way(const char *path, const struct follow *f)
{
	u64 sum = 0;

	if (f->end != FOLLOW_WRITTEN && f->end != FOLLOW_ACKED)
		return;
	if (f->n < 2 && !session.sim.m->parent_shift)
		fail_msg("%s: SM %u warp %u pc %u, instruction %u, chosen in %llu: %u hops", path, f->sm, f->warp,
			 f->pc, f->ordinal, f->chosen, f->n);
	for (u32 i = 0; i < f->n; i++) {
		const struct hop *h = &f->hop[i];

		if (h->to <= h->from || (i && f->hop[i - 1].to != h->from))
			fail_msg("%s: warp %u pc %u: a gap at %llu", path, f->warp, f->pc, h->from);
		sum += h->to - h->from;
		if (h->kind == HOP_WAIT)
			check_wait(path, h, h->sm * session.sim.m->contexts + h->warp);
		seen.misses += h->looked == HOP_MISSED;
		seen.merges += h->looked == HOP_MERGED;
		seen.hits += h->kind == HOP_L1D;
		seen.shared += h->kind == HOP_SHARED;
		seen.gone += h->kind == HOP_AWAY;
	}
	if (f->hop[0].kind != HOP_FETCH && f->hop[0].kind != HOP_DECODE && !session.sim.m->parent_shift)
		fail_msg("%s: warp %u pc %u issued in %llu begins with %s", path, f->warp, f->pc, f->issued,
			 hop_table[f->hop[0].kind].name);
	assert_int_equal(sum, f->hop[f->n - 1].to - f->hop[0].from);
	assert_int_equal(f->hop[f->n - 1].to, f->written + (f->hop[f->n - 1].kind != HOP_BARRIER));
	if (f->issued <= seen.end)
		check_drawn(path, f, f->hop[f->n - 1].sm * session.sim.m->contexts + f->hop[f->n - 1].warp);
	check_reply(path, f);
	seen.ways++;
	seen.stores += f->end == FOLLOW_ACKED;
	seen.loads += f->lines != 0;
}

/* A scenario, with lines before it runs: instructions of its warps at cycles that lie apart. */
static void look(const char *path, const char *const *line, u32 most)
{
	const char *dir = getenv("TMPDIR");
	char file[256], command[300];
	struct error e = {0};
	u32 n;

	seen.most = most;
	session_open(&session, &all_session_ops);
	session.out = fopen("/dev/null", "w");
	session.quiet = session.batch = session.trust = true;
	session.scenario = xstrdup(path);
	if (command_run_file(&session, path, &e))
		fail_msg("%s: %s", path, e.message);
	for (; line && *line; line++)
		must(*line);
	must("step 1");
	snprintf(file, sizeof(file), "%s/test_follow.%d.kanata", dir ? dir : "/tmp", (int)getpid());
	snprintf(command, sizeof(command), "export kanata %s from 0 to %u", file, most);
	must(command);
	read_drawn(file);
	remove(file);
	watch_run();
	n = session.sim.m->contexts;
	for (u32 k = 0; k < PICKS; k++) {
		u32 cycle = 2 + k * (seen.end - 10) / PICKS, warp = (u32)(mix64(k) % seen.warps);
		bool load = false;

		for (u32 i = 0; i < seen.warps && seen.state[cycle * seen.warps + warp] >= WARP_STATUS_COUNT; i++)
			warp = (warp + 1) % seen.warps;
		for (u32 i = 0; i < n && k % 2 && !load; i++)
			load = !follow_load(&session, warp / n, (warp + i) % n, cycle, &e);
		if (load || !follow_warp(&session, warp / n, warp % n, cycle, &e))
			check_way(path, follow_now(&session));
	}
	for (u32 i = 0; i < seen.npicks; i++) {
		u32 sm = seen.pick[i].warp / n, warp = seen.pick[i].warp % n;

		if (!(seen.pick[i].load ? follow_load(&session, sm, warp, seen.pick[i].cycle, &e)
					: follow_warp(&session, sm, warp, seen.pick[i].cycle, &e)))
			check_way(path, follow_now(&session));
	}
	fclose(session.out);
	session_close(&session);
}

/* In the long tests, every scenario of the library. */
static void look_all(void)
{
	static const char *const folder[] = {"scenarios/*.scn",	    "scenarios/subcore/*.scn", "scenarios/tlp/*.scn",
					     "scenarios/elf/*.scn", "scenarios/vws/*.scn",     "scenarios/multi/*.scn",
					     "tests/laws/*.scn"};
	glob_t found;

	for (u32 i = 0; getenv("WARPSTEP_LONG") && i < ARRAY_LEN(folder); i++) {
		assert_int_equal(glob(folder[i], 0, NULL, &found), 0);
		for (size_t k = 0; k < found.gl_pathc; k++)
			look(found.gl_pathv[k], NULL, 700);
		globfree(&found);
	}
}

static void test_law(void **state UNUSED)
{
	static const char *const tiny[] = {"gpu tiny", NULL}, *const reexec[] = {"gpu tiny", "set lsu.reexec newcar",
										 "set l1d.mshrs 4", NULL};
	static const char *const flush[] = {"gpu tiny", "set preempt.ctas 4", "goto 250", "preempt flush", NULL};
	static const char *const vt[] = {
		"gpu fermi",	       "set gpu.sms 1",	   "set sm.ctas 2", "set sm.contexts 96",
		"set sm.residents 16", "set vt.virtual 2", "policy cta=vt", NULL};

	look("scenarios/vecadd.scn", tiny, 500);
	look("scenarios/vecadd.scn", reexec, 500);
	look("scenarios/vecadd.scn", vt, 1100);
	look("scenarios/vecadd.scn", flush, 900);
	look("scenarios/matmul.scn", tiny, 900);
	look("scenarios/histogram256.scn", tiny, 700);
	look("scenarios/bfs.scn", tiny, 700);
	look("tests/laws/slices8.scn", NULL, 700);
	look("tests/laws/sectors.scn", NULL, 400);
	look("tests/laws/constants.scn", NULL, 400);
	look("tests/laws/atomics.scn", NULL, 400);
	look("tests/laws/copies.scn", NULL, 700);
	look("tests/laws/halves.scn", NULL, 400);
	look("tests/laws/steps.scn", NULL, 700);
	look_all();
	assert_true(seen.ways > 200 && seen.loads > 50 && seen.stores > 10);
	assert_true(seen.replies > 10 && seen.hits && seen.merges && seen.shared);
	free(seen.state);
}

/* --- along the way --- */

static u64 now(void)
{
	return timeline_now(session.timeline).cycle;
}

/* `next hop` and its mirror go to the beginnings of hops; the spot is that of the hop; `break hop` stops there both
 * ways, and again in a session that was saved. */
static void test_moves(void **state UNUSED)
{
	const struct follow *f;
	struct follow_spot spot;
	struct text saved = {0};
	u64 l2 = NEVER;

	session_open(&session, &all_session_ops);
	session.out = fopen("/dev/null", "w");
	session.quiet = session.trust = true;
	must("source scenarios/vecadd.scn");
	must("gpu tiny");
	must("next l1dmiss");
	assert_false(follow_where(&session, &spot));
	must("follow load");
	f = follow_now(&session);
	assert_non_null(f);
	for (u32 i = follow_at(f, now()) + 1; i < f->n; i++) {
		must("next hop");
		assert_int_equal(now(), f->hop[i].from);
		assert_true(follow_where(&session, &spot));
		assert_int_equal(spot.hop, f->hop[i].kind);
		assert_int_equal(spot.slice != NONE16,
				 spot.hop == HOP_CROSSBAR || spot.hop == HOP_L2 || spot.hop == HOP_ANSWER);
		assert_int_equal(spot.channel != NONE16, spot.hop == HOP_DRAMQUEUE || spot.hop == HOP_DRAM);
		l2 = spot.hop == HOP_L2 ? now() : l2;
	}
	for (u32 i = f->n - 1; i-- > 0;) {
		must("reverse-next hop");
		assert_int_equal(now(), f->hop[i].from);
	}
	must("break hop L2");
	must("continue");
	assert_int_equal(now(), l2);
	must("goto 400");
	must("reverse-continue");
	assert_int_equal(now(), l2);
	assert_int_equal(number_of("$_hits"), 1);
	follow_save(&session, &saved);
	must("follow warp 3 at 300");
	must("goto 0");
	must(saved.s);
	must("continue");
	assert_int_equal(now(), l2);
	must("follow off");
	must("goto 0");
	must("continue");
	assert_true(sim_finished(&session.sim));
	text_free(&saved);
	fclose(session.out);
	session_close(&session);
}

/* Where a launch is repeated, CTAs of the same number come again: chosen in a cycle that lies ahead, the way of a load
 * is the one that is told in that cycle. */
static void test_ahead(void **state UNUSED)
{
	enum { CYCLE = 4000 };
	struct error e = {0};
	struct hop *told;
	u32 n, loads = 0;

	session_open(&session, &all_session_ops);
	session.out = fopen("/dev/null", "w");
	session.quiet = session.trust = true;
	must("source scenarios/bfs.scn");
	must("step 1"); /* the machine is made */
	for (u32 i = 0; i < session.sim.m->contexts; i++) {
		must("goto 0");
		if (follow_load(&session, 0, i, CYCLE, &e))
			continue;
		const struct follow *f = follow_now(&session);

		assert_non_null(f);
		assert_true(f->issued <= CYCLE && f->written > CYCLE && f->end == FOLLOW_WRITTEN);
		n = f->n;
		told = xcalloc(n, sizeof(*told));
		memcpy(told, f->hop, n * sizeof(*told));
		must("goto 4000");
		assert_int_equal(follow_load(&session, 0, i, CYCLE, &e), STATUS_OK);
		f = follow_now(&session);
		assert_int_equal(f->n, n);
		for (u32 k = 0; k < n; k++)
			assert_memory_equal(&f->hop[k], &told[k], sizeof(*told));
		free(told);
		loads++;
	}
	assert_true(loads);
	fclose(session.out);
	session_close(&session);
}

/* --- beside the critical path --- */

/* The cycle in which the hops of some kinds, a set, begin, and that in which they end. */
static void span(const struct follow *f, u64 kinds, u64 *from, u64 *to)
{
	*from = NEVER;
	for (u32 i = 0; i < f->n; i++)
		if (kinds >> f->hop[i].kind & 1) {
			*from = min_u64(*from, f->hop[i].from);
			*to = f->hop[i].to;
		}
}

/* Of a warp that waits for one load after the other, the stretches of the path are the hops of the loads. */
static void test_critical_path(void **state UNUSED)
{
	static const u64 hops[CRITICAL_REASONS] = {
		[CRITICAL_CROSSBAR] = 1ULL << HOP_PORT | 1ULL << HOP_CROSSBAR | 1ULL << HOP_L2,
		[CRITICAL_DRAM] = 1ULL << HOP_DRAMQUEUE,
		[CRITICAL_BACK] = 1ULL << HOP_DRAM | 1ULL << HOP_ANSWER | 1ULL << HOP_RETURN,
	};
	struct critical c;
	struct error e = {0};
	u32 compared = 0;

	session_open(&session, &all_session_ops);
	session.out = fopen("/dev/null", "w");
	session.quiet = session.batch = true;
	session.scenario = xstrdup("scenarios/faults/conflict.scn");
	if (command_run_file(&session, session.scenario, &e))
		fail_msg("%s", e.message);
	must("step 1");
	assert_int_equal(critical_find(&session, 0, &c, &e), STATUS_OK);
	for (u32 i = 0; i < c.n && compared < 12; i++) {
		const struct critical_stretch *x = &c.stretch[i];
		u64 from, to;

		if (!hops[x->reason])
			continue;
		if (follow_load(&session, x->sm, x->warp, x->from, &e))
			fail_msg("%s", e.message);
		span(session.follow, hops[x->reason], &from, &to);
		assert_int_equal(from, x->from);
		assert_int_equal(to, x->to);
		compared++;
	}
	assert_int_equal(compared, 12);
	free(c.stretch);
	fclose(session.out);
	session_close(&session);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_arithmetic), cmocka_unit_test(test_load),	 cmocka_unit_test(test_store),
		cmocka_unit_test(test_moves),	   cmocka_unit_test(test_ahead), cmocka_unit_test(test_critical_path),
		cmocka_unit_test(test_law),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
