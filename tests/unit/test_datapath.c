/*
 * test_datapath.c - the boxes of pane datapath: every warp and every instruction in flight stands in one, in each cycle
 * and in both directions; letters, registers and places are those of `why`; what moved adds up to the statistics; boxes
 * do not overlap.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka wants the four above before it */
#include <cmocka.h>

#include "../../src/tui/datapath_draw.h"
#include "../../src/tui/desk.h"
#include "session_bed.h"
#include "why.h"

static void bed_open(const char *const *line, u32 n)
{
	struct error e = {0};

	assert_int_equal(bed_session(line, n), 0);
	assert_int_equal(session_make(&session, &e), STATUS_OK);
}

static void bed_close(void)
{
	fclose(session.out);
	session_close(&session);
}

/* Warps of an SM in a state, from the sets that the issue stage wrote; those that came after it are counted apart. */
static u32 seen(u32 sm, u32 status)
{
	const struct machine *m = session.sim.m;
	const struct sm *x = machine_sm_section(session.sim.m, sm, SECTION_SM);
	u32 n = 0;

	for (u32 i = 0; i < m->words; i++)
		n += (u32)__builtin_popcountll(x->seen[status * m->words + i]);
	return n;
}

/* Line writes in the box of the crossbar are the requests for writes that the SM has sent and that somebody waits for.
 */
static void writes_are_requests(const struct datapath *d)
{
	static struct request list[4096];
	u32 n = requests_list(&session.sim, d->sm, list, ARRAY_LEN(list)), sent = 0, shown = 0;

	for (u32 i = 0; i < n; i++)
		sent += (list[i].kind == 1 || list[i].kind == 4) && !list[i].gone;
	for (u32 i = 0; i < d->n; i++)
		shown += d->item[i].box == BOX_MEMORY ? d->item[i].writes : 0;
	if (shown != sent)
		fail_msg("cycle %llu: %u writes are shown, %u were sent", sim_clock(&session.sim), shown, sent);
}

/* The law of one SM: how many instructions are in flight. */
static u32 law_of(u32 sm, const char *name)
{
	const struct sm *x = machine_sm_section(session.sim.m, sm, SECTION_SM);
	u32 warps, inflight, all = 0, count[WARP_STATUS_COUNT] = {0};
	struct datapath d;

	datapath_open(&d, &session.sim, sm);
	if (!datapath_sum(&d, NONE32, &warps, &inflight))
		fail_msg("%s: cycle %llu SM %u: %u warps, %u in flight", name, sim_clock(&session.sim), sm, warps,
			 inflight);
	for (u32 sub = 0; sub < session.sim.m->config.sm_subcores; sub++) {
		u32 w, i;

		datapath_sum(&d, sub, &w, &i);
		all += w + i;
	}
	assert_int_equal(all, warps + inflight);
	assert_int_equal(warps, x->warps);
	for (u32 i = 0; i < d.n; i++)
		if (d.item[i].status < WARP_STATUS_COUNT)
			count[d.item[i].status]++;
	assert_true(count[WARP_ISSUED] <= seen(sm, WARP_ISSUED));
	for (u32 k = WARP_BARRIER; k < WARP_STATUS_COUNT; k++)
		if (k != WARP_FETCH && count[k] > seen(sm, k))
			fail_msg("%s: cycle %llu SM %u: %u warps %s", name, sim_clock(&session.sim), sm, count[k],
				 warp_status_table[k].name);
	if (!session.sim.m->parent_shift && !session.sim.m->config.sm_atomic_wait) /* else several share one */
		writes_are_requests(&d);
	datapath_close(&d);
	return inflight;
}

/* Step through cycles of a scenario; then back. */
static void law_over(const char *const *line, u32 n, u64 cycles)
{
	u32 flying = 0, sms;

	bed_open(line, n);
	sms = session.sim.m->config.gpu_sms;
	for (u64 cycle = 1; cycle <= cycles && !sim_finished(&session.sim); cycle++) {
		go(cycle);
		for (u32 sm = 0; sm < sms; sm++)
			flying += law_of(sm, line[0]);
	}
	assert_true(flying > 0);
	for (u64 cycle = sim_clock(&session.sim); cycle > 100; cycle -= 97) {
		go(cycle);
		law_of(0, line[0]);
	}
	bed_close();
}

#define LAW(cycles, ...) \
	do { \
		static const char *const line[] = {__VA_ARGS__}; \
		law_over(line, ARRAY_LEN(line), cycles); \
	} while (0)

static void every_instruction_has_a_place(void **state)
{
	(void)state;
	LAW(1000, "source scenarios/matmul.scn");
	LAW(1000, "source scenarios/matmul.scn", "gpu monolithic");
	LAW(1000, "source scenarios/subcore/register-cache.scn", "gpu a100");
	LAW(1000, "source scenarios/atomic64.scn", "set sm.atomic_wait on");
	LAW(1000, "source scenarios/histogram256.scn", "set shared.atomic_wait on");
	LAW(1000, "source scenarios/vws/split.scn");
	LAW(1000, "source scenarios/vws/skew.scn");
	LAW(1000, "source scenarios/tlp/vt-figure5.scn", "policy cta=vt");
	LAW(1000, "source scenarios/multi/switch.scn");
	LAW(1000, "source scenarios/elf/bypass.scn", "set lsu.reexec newcar");
	LAW(1000, "source scenarios/synthetic.scn");
	LAW(1000, "source scenarios/pipeline.scn");
}

/* The stage that a warp in each state has reached. */
static void states_have_their_boxes(void **state)
{
	static const struct {
		const char *letters, *box;
	} row[] = {{".Xo", "out"}, {"BW", "barrier"}, {"F", "fetch"}, {"LS", "scoreboard"}, {"GhMUCze*", "scheduler"}};
	u32 n = 0;

	(void)state;
	for (u32 i = 0; i < ARRAY_LEN(row); i++)
		for (u32 k = 0; k < WARP_STATUS_COUNT; k++) {
			if (!strchr(row[i].letters, warp_status_table[k].letter))
				continue;
			assert_string_equal(box_table[datapath_box_of((enum warp_status)k)].name, row[i].box);
			n++;
		}
	assert_int_equal(n, WARP_STATUS_COUNT);
}

/* --- why --- */

/* What `why` says of the place of an instruction. */
static const char *words_of(u32 box)
{
	switch (box) {
	case BOX_COLLECT: return "operand collector unit";
	case BOX_LSU: return "LSU queue";
	case BOX_MEMORY:
	case BOX_L1D:
	case BOX_REEXEC: return "cache line";
	default: return "is executing";
	}
}

/* A warp that waits for a register: `why` names the same register, instruction and place. */
static u32 same_producer(const struct datapath *d, u32 warp)
{
	u32 hazard;
	const struct box_item *x = datapath_producer(d, warp, &hazard);
	const struct warp *w = (struct warp *)machine_sm_section(session.sim.m, d->sm, SECTION_WARP) + warp;
	struct text why = {0};
	char name[16];

	if (!x)
		return 0;
	snprintf(name, sizeof(name), "%c%u", hazard < HAZARD_PRED ? 'r' : 'p',
		 hazard < HAZARD_PRED ? hazard : hazard - HAZARD_PRED);
	why_warp(&session, &session.sim, d->sm, warp, &why, NULL);
	if (!strstr(why.s, name) || !strstr(why.s, kernel_text(session.sim.kernel[w->launch], x->pc)) ||
	    !strstr(why.s, words_of(x->box)))
		fail_msg("cycle %llu warp %u: %s, %s, but why says: %s", sim_clock(&session.sim), warp, name,
			 box_table[x->box].name, why.s);
	text_free(&why);
	return 1u << (x->box == BOX_MEMORY ? 0 : x->box == BOX_COLLECT ? 1 : x->box == BOX_LSU ? 2 : 3);
}

static void producers_are_those_of_why(void **state)
{
	static const char *const line[] = {"source scenarios/matmul.scn"};
	u32 met = 0, stalled = 0, named = 0;

	(void)state;
	bed_open(line, 1);
	for (u64 cycle = 610; cycle < 3000; cycle += 61) {
		struct datapath d;

		go(cycle);
		datapath_open(&d, &session.sim, 0);
		for (u32 i = cycle % 5, hazard; i < d.n; i++) {
			if (d.item[i].box != BOX_SCOREBOARD)
				continue;
			stalled++;
			named += datapath_producer(&d, d.item[i].context, &hazard) != NULL;
			if (i % 7 == 0)
				met |= same_producer(&d, d.item[i].context);
		}
		datapath_close(&d);
	}
	assert_int_equal(met, 15); /* in memory, in collectors, in the LSU, in a unit */
	assert_true(stalled > 500);
	assert_int_equal(named, stalled); /* none waits for nothing */
	bed_close();
}

/* --- what moved --- */

/* Of a path or, of boxes, the sum over sub-cores. */
static u64 moved(const json_t *data, const char *from, const char *to)
{
	const json_t *paths = json_object_get(data, "paths");
	u64 n = 0;

	for (size_t i = 0; i < json_array_size(paths); i++) {
		const json_t *x = json_array_get(paths, i);

		if (!strcmp(json_string_value(json_object_get(x, "from")), from) &&
		    !strcmp(json_string_value(json_object_get(x, "to")), to))
			n += (u64)json_integer_value(json_object_get(x, "moved"));
	}
	return n;
}

static void moves_add_up(void **state)
{
	static const char *const line[] = {"source scenarios/matmul.scn", "set gpu.sms 1"};
	u64 issued = 0, read = 0, written = 0, sent = 0, answered = 0;

	(void)state;
	bed_open(line, 2);
	for (u64 cycle = 1; cycle <= 1200; cycle++) {
		json_t *data;

		go(cycle);
		data = pane_json(&session, PANE_datapath);
		issued += moved(data, "scoreboard", "scheduler");
		read += moved(data, "banks", "collectors");
		written += moved(data, "results", "scoreboard");
		sent += moved(data, "L1D", "crossbar");
		answered += moved(data, "crossbar", "L1D");
		json_decref(data);
	}
	assert_int_equal(issued, number_of("inst.warp"));
	assert_int_equal(read, number_of("rf.reads"));
	assert_int_equal(written, number_of("events.writeback"));
	assert_int_equal(sent, 4 * number_of("events.request")); /* shared: seen from each of four sub-cores */
	assert_int_equal(answered, 4 * number_of("events.reply"));
	bed_close();
}

/* The pane as cells. */
static void picture(struct canvas *c)
{
	canvas_init(c, 160, 40, false);
	pane_draw(&session, PANE_datapath, c, 0, NULL);
}

static void the_same_backwards(void **state)
{
	static const char *const line[] = {"source scenarios/matmul.scn"};
	struct canvas there[8], back;
	u32 lit = 0;

	(void)state;
	bed_open(line, 1);
	for (u32 i = 0; i < 8; i++) {
		go(900 + i);
		picture(&there[i]);
	}
	for (u32 i = 8; i--;) {
		go(900 + i);
		picture(&back);
		assert_memory_equal(back.cell, there[i].cell, sizeof(*back.cell) * back.width * back.height);
		for (u32 k = 0; k < back.width * back.height; k++)
			lit += back.cell[k].ch == 0x2501;
		canvas_free(&back);
		canvas_free(&there[i]);
	}
	assert_true(lit > 100);
	bed_close();
}

/* --- the mark of what is followed --- */

/* Is what is followed among the items of the drawing, in the box that its hop names? The hop issue has no box of its
 * own: what needs no operands is in its next stage already. Nor has away: a CTA that is swapped in stands in the
 * scheduler. */
static void mark_holds(const struct follow_spot *spot, const char *name)
{
	const struct hop_row *row = &hop_table[spot->hop];
	const struct inst *in = &session.sim.kernel[spot->launch]->inst[spot->pc];
	bool found = false, named = row->box < BOX_COUNT && spot->hop != HOP_ISSUE && spot->hop != HOP_AWAY;
	struct datapath d;
	enum box box;

	datapath_open(&d, &session.sim, spot->sm);
	box = follow_box(spot, &d);
	for (u32 i = 0; i < d.n; i++)
		found |= follow_is(spot, &d.item[i]);
	datapath_close(&d);
	if (!found && spot->hop > HOP_BARRIER && spot->hop < HOP_WRITE && in->class != CLASS_STORE)
		fail_msg("%s: cycle %llu: hop %s has no item", name, sim_clock(&session.sim), row->name);
	if (named && box != row->box)
		fail_msg("%s: cycle %llu: hop %s is marked in %s", name, sim_clock(&session.sim), row->name,
			 box_table[box].name);
	if (spot->hop == HOP_WAIT && box != datapath_box_of(sim_warp_status(&session.sim, spot->sm, spot->warp)))
		fail_msg("%s: cycle %llu: hop wait is marked in %s", name, sim_clock(&session.sim),
			 box_table[box].name);
}

/* Along the way of what is followed; the hops that were met. */
static void mark_along(const char *name, u64 *hops)
{
	u64 from = follow_now(&session)->hop[0].from, to = follow_now(&session)->until;

	for (u64 cycle = from; cycle <= min_u64(to, from + 900); cycle++) {
		struct follow_spot spot;

		go(cycle);
		if (!follow_where(&session, &spot))
			continue;
		*hops |= 1ULL << spot.hop;
		mark_holds(&spot, name);
	}
}

static void marks_are_where_it_is(void **state)
{
	static const struct {
		const char *line[3], *follow[3];
	} row[] = {{{"source scenarios/matmul.scn", "gpu volta"}, {"follow load at 800", "follow warp 5 at 1100"}},
		   {{"source scenarios/matmul.scn", "gpu tiny"}, {"follow warp 1 at 900", "follow warp 3 at 1500"}},
		   {{"source scenarios/barriers.scn"}, {"follow warp 0 at 300"}},
		   {{"source scenarios/elf/bypass.scn", "set lsu.reexec newcar"},
		    {"follow warp 0 at 28", "follow warp 0 at 31", "follow warp 1 at 40"}},
		   {{"source scenarios/tlp/vt-figure5.scn", "policy cta=vt"}, {"follow warp 0 at 300"}},
		   {{"source scenarios/vws/split.scn"}, {"follow warp 0 at 300"}},
		   {{"source scenarios/course/04-banks.scn"}, {"follow warp 0 at 200", "follow warp 0 at 700"}}};
	static const u8 rare[] = {HOP_STEP,	 HOP_QUEUE,  HOP_L1D,
				  HOP_CONSTANTS, HOP_L2MSHR, HOP_MSHR}; /* need not be met */
	u64 hops = 0;

	(void)state;
	for (u32 i = 0; i < ARRAY_LEN(row); i++) {
		const char *line[3] = {row[i].line[0], row[i].line[1], NULL};

		bed_open(line, row[i].line[1] ? 2 : 1);
		for (u32 k = 0; k < 3 && row[i].follow[k]; k++) {
			must(row[i].follow[k]);
			mark_along(row[i].line[0], &hops);
		}
		bed_close();
	}
	for (u32 i = 0; i < ARRAY_LEN(rare); i++)
		hops |= 1ULL << rare[i];
	assert_int_equal(hops, (1ULL << HOP_COUNT) - 1);
}

/* --- where the boxes stand --- */

static void place_well(const struct plan *p, u32 width, u32 height)
{
	for (u32 i = 0; i < p->nspots; i++) {
		const struct box_place *a = &p->spot[i];

		if (a->x + a->width > width || a->y + a->height > height || a->width < 3 ||
		    a->height < (p->low ? 1 : 3))
			fail_msg("%s at %ux%u is outside", box_table[a->box].name, width, height);
		for (u32 k = 0; k < i; k++) {
			const struct box_place *b = &p->spot[k];
			bool apart = a->x + 1 >= b->x + b->width || b->x + 1 >= a->x + a->width ||
				     a->y >= b->y + b->height || b->y >= a->y + a->height;

			if (!apart)
				fail_msg("%s and %s at %ux%u overlap", box_table[a->box].name, box_table[b->box].name,
					 width, height);
		}
	}
}

static void boxes_do_not_overlap(void **state)
{
	static const char *const gpu[] = {"volta", "fermi", "monolithic", "i-vws", "a100", "h100", "tiny", "kepler"};

	(void)state;
	for (u32 i = 0; i < ARRAY_LEN(gpu); i++) {
		const char *line[] = {"source scenarios/matmul.scn", NULL, "set lsu.reexec car"};
		char choose[32];
		struct datapath d;

		snprintf(choose, sizeof(choose), "gpu %s", gpu[i]);
		line[1] = choose;
		bed_open(line, i == 1 ? 3 : 2);
		go(700);
		datapath_open(&d, &session.sim, 0);
		for (u32 width = 30; width < 330; width += 7)
			for (u32 height = 5; height < 70; height += height < 20 ? 1 : 3) {
				struct plan p;

				plan_make(&p, &d, 0, width, height);
				place_well(&p, width, height);
				assert_true(!p.fits || p.bottom < height || (p.low && p.bottom == height));
				assert_true(p.fits || height < 11 || width < 62);
			}
		datapath_close(&d);
		bed_close();
	}
}

/* What the keys of a box do, works. */
static void keys_of_boxes_work(void **state)
{
	static const char *const line[] = {"source scenarios/matmul.scn"};

	(void)state;
	bed_open(line, 1);
	for (u32 i = 0; i < BOX_COUNT; i++) {
		char text[128];

		snprintf(text, sizeof(text), "explain %s", box_table[i].explain);
		must(text);
		snprintf(text, sizeof(text), "layout %s", box_table[i].layout);
		must(text);
		snprintf(text, sizeof(text), "break %s", box_table[i].stop);
		must(text);
	}
	must("layout datapath");
	must("pane datapath");
	must("pane cursor +1");
	assert_int_equal(desk_cursor(&session, PANE_datapath), BOX_FETCH);
	must("pane cursor +100");
	assert_int_equal(desk_cursor(&session, PANE_datapath), BOX_SHARED); /* volta has no re-execution queue */
	must("pane cursor -1");
	assert_int_equal(desk_cursor(&session, PANE_datapath), BOX_LSU);
	must("pane cursor");
	assert_true(desk_cursor(&session, PANE_datapath) == NO_CURSOR);
	bed_close();
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(every_instruction_has_a_place),
					   cmocka_unit_test(states_have_their_boxes),
					   cmocka_unit_test(producers_are_those_of_why),
					   cmocka_unit_test(moves_add_up),
					   cmocka_unit_test(the_same_backwards),
					   cmocka_unit_test(marks_are_where_it_is),
					   cmocka_unit_test(boxes_do_not_overlap),
					   cmocka_unit_test(keys_of_boxes_work)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
