/*
 * test_floor.c - the pane floor: its tiles hold what the machine holds, its bars are what the statistics gained in its
 * window, every SM has its tile at every size, and a cycle looks the same from whichever side it was reached.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka wants the four above before it */
#include <cmocka.h>

#include "../../src/tui/floor_plan.h"
#include "../../src/tui/desk.h"
#include "counters.h"
#include "machine.h"
#include "session_bed.h"

#include <math.h>

#define WIDTH 100u
#define HEIGHT 24u

/* A kernel that reads memory, and one that takes half of the SMs away from it at cycle 1,500 by saving its CTAs. */
static int setup(void **state)
{
	static const char *const line[] = {
		"gpu chimera",
		"set gpu.sms 6",
		"set preempt.ctas 64",
		"set chimera.switch time",
		"synthetic long iterations 60 body 20 mix fp32 50 int 40 load 10 distance 4 regs 32 footprint 4194304",
		"synthetic urgent iterations 6 body 20 mix fp32 60 int 40 distance 4 regs 16",
		"launch long grid 200 block 128",
		"launch urgent grid 24 block 128 stream 1 at 1500",
		"policy partition=even preempt=switch",
		"step"};

	(void)state;
	return bed_session(line, ARRAY_LEN(line));
}

/* The pane as text. */
static char *picture(u32 width, u32 height)
{
	struct canvas c;
	struct text t = {0};

	canvas_init(&c, width, height, false);
	pane_draw(&session, PANE_floor, &c, 0, NULL);
	canvas_text(&c, &t);
	canvas_free(&c);
	return t.s;
}

static double member(const json_t *row, const char *name)
{
	return json_number_value(json_object_get(row, name));
}

/* What the rows of a list have under a name, summed. */
static double total(const json_t *data, const char *list, const char *name)
{
	double sum = 0;
	json_t *row;
	size_t k;

	json_array_foreach (json_object_get(data, list), k, row)
		sum += member(row, name);
	return sum;
}

/* SMs that hold a kernel, by the pane; and by the CTAs in the machine. */
static void check_holders(const json_t *data, u32 launch)
{
	u32 here = 0, there = 0;
	json_t *row, *part;
	size_t i, k;

	json_array_foreach (json_object_get(data, "sms"), i, row)
		json_array_foreach (json_object_get(row, "kernels"), k, part)
			here += member(part, "k") == launch;
	for (u32 sm = 0; sm < session.sim.m->config.gpu_sms; sm++) {
		const struct cta *cta = machine_sm_section(session.sim.m, sm, SECTION_CTA);
		bool held = false;

		for (u32 c = 0; c < session.sim.m->section[SECTION_CTA].count; c++)
			held |= cta[c].launch == launch;
		there += held;
	}
	assert_int_equal(here, there);
	assert_int_equal(here, sim_sms_held(&session.sim, launch));
}

/* What the pane counts, as the statistics have it now. */
static void counted(double out[6])
{
	static const char *const name[] = {"inst.warp",	  "icnt.requests", "icnt.replies",
					   "l2.accesses", "l2.replies",	   "dram.busy"};

	for (u32 i = 0; i < ARRAY_LEN(name); i++)
		out[i] = (double)number_of(name[i]);
}

/* At a cycle: the tiles hold what the SMs hold, and gained what the statistics gained in the last 100 cycles. */
static void check_at(u64 cycle)
{
	double then[6], now[6];
	json_t *data, *row;
	size_t k;

	go(cycle > FLOOR_CYCLES ? cycle - FLOOR_CYCLES : 0);
	counted(then);
	go(cycle);
	counted(now);
	data = pane_json(&session, PANE_floor);
	assert_true(json_is_true(json_object_get(data, "holds")));
	assert_int_equal(member(data, "cycles"), min_u64(cycle, FLOOR_CYCLES));
	assert_int_equal(json_array_size(json_object_get(data, "sms")), 6);
	json_array_foreach (json_object_get(data, "sms"), k, row) {
		const struct sm *sm = machine_sm_section(session.sim.m, (u32)k, SECTION_SM);

		assert_int_equal(member(row, "ctas"), sm->ctas);
		assert_int_equal(member(row, "warps"), sm->warps);
		assert_int_equal(!strcmp(json_string_value(json_object_get(row, "mark")), "preempting"), sm->needs > 0);
	}
	assert_int_equal(total(data, "sms", "ctas"), member(data, "sum"));
	check_holders(data, 0);
	check_holders(data, 1);
	assert_int_equal(total(data, "sms", "issued"), now[0] - then[0]);
	assert_int_equal(total(data, "sms", "requests"), now[1] - then[1]);
	assert_int_equal(total(data, "sms", "replies"), now[2] - then[2]);
	assert_int_equal(total(data, "slices", "lookups"), now[3] - then[3]);
	assert_int_equal(total(data, "slices", "replies"), now[4] - then[4]);
	assert_int_equal(total(data, "channels", "busy"), now[5] - then[5]);
	json_decref(data);
}

static void sums(void **state)
{
	static const u64 cycle[] = {1, 60, 100, 101, 900, 1499, 1500, 1501, 1600, 2100, 2600, 4000, 2050, 80};

	(void)state;
	for (u32 i = 0; i < ARRAY_LEN(cycle); i++)
		check_at(cycle[i]);
}

/* Step by step forwards, step by step backwards, from far away: every cycle has one picture. */
static void both_directions(void **state)
{
	char *seen[140];

	(void)state;
	go(1480);
	for (u32 i = 0; i < ARRAY_LEN(seen); i++) {
		go(1480 + i);
		seen[i] = picture(WIDTH, HEIGHT);
	}
	assert_string_not_equal(seen[0], seen[ARRAY_LEN(seen) - 1]);
	for (u32 i = ARRAY_LEN(seen); i-- > 0;) {
		char *back;

		go(1480 + i);
		back = picture(WIDTH, HEIGHT);
		assert_string_equal(back, seen[i]);
		free(back);
	}
	for (u32 i = 0; i < ARRAY_LEN(seen); i += 23) {
		char *again;

		go(i % 2 ? 5000 : 10);
		free(picture(WIDTH, HEIGHT));
		go(1480 + i);
		again = picture(WIDTH, HEIGHT);
		assert_string_equal(again, seen[i]);
		free(again);
	}
	for (u32 i = 0; i < ARRAY_LEN(seen); i++)
		free(seen[i]);
}

/* Numbers of one SM, by the definitions of the statistics: rates are of the window, fields are of now. */
static void values(void **state)
{
	static const char *const color[] = {"sm.ipc",  "inst.warp",   "sm.ctas",	"sm.long",
					    "sm.util", "$sm * 2 + 1", "warp[3].issued", "slots.issued / slots.total"};
	const double slots = FLOOR_CYCLES * session.sim.m->schedulers;

	(void)state;
	go(1400);
	for (u32 i = 0; i < ARRAY_LEN(color); i++) {
		char line[80];
		json_t *data, *row;
		size_t k;

		snprintf(line, sizeof(line), "floor color %s", color[i]);
		must(line);
		data = pane_json(&session, PANE_floor);
		json_array_foreach (json_object_get(data, "sms"), k, row) {
			struct machine *m = session.sim.m;
			const struct sm *sm = machine_sm_section(m, (u32)k, SECTION_SM);
			const struct warp *w = machine_sm_section(m, (u32)k, SECTION_WARP);
			double issued = member(row, "issued"), is = member(row, "value"), n = 0;

			for (u32 c = 0; c < m->contexts; c++)
				n += sim_warp_status(&session.sim, (u32)k, c) == WARP_LONG;
			/* every SM held a CTA in all cycles; an SM of this GPU issues in every fourth cycle at most */
			const double right[] = {issued / FLOOR_CYCLES,
						issued / FLOOR_CYCLES,
						sm->ctas,
						n,
						1,
						2.0 * (double)k + 1,
						w[3].issued,
						issued / (slots / m->config.issue_interval)};

			assert_true(fabs(is - right[i]) < 1e-9);
		}
		json_decref(data);
	}
	must("floor color kernel");
}

/* A range is that which is given, until another color is chosen: of 0 to 10, 2.4 is digit 2 (2.4 / 10 x 9 = 2.16). */
static void ranges(void **state)
{
	struct floor_view f = {.low = 0, .high = 10};
	double low, high;

	(void)state;
	assert_int_equal(floor_digit(&f, 2.4), 2);
	assert_int_equal(floor_digit(&f, -1), 0);
	assert_int_equal(floor_digit(&f, 9.5), 9);
	assert_int_equal(floor_digit(&f, 11), 9);
	must("floor color ipc");
	must("floor range 0 0.5");
	assert_true(floor_range(floor_of(&session), &low, &high) && low == 0 && high == 0.5);
	must("floor range auto");
	assert_false(floor_range(floor_of(&session), &low, &high));
	must("floor color kernel");
}

/* At every size, for every GPU: all tiles that are seen lie in the pane, each SM has one, the cursor's is seen. */
static void plans(void **state)
{
	static const u32 width[] = {24, 40, 60, 80, 120, 200};
	u32 *tile = xmalloc(256 * sizeof(u32));

	(void)state;
	for (u32 n = 1; n <= 144; n++)
		for (u32 i = 0; i < ARRAY_LEN(width); i++)
			for (u32 height = 2; height <= 60; height += height < 20 ? 1 : 8) {
				struct floor_plan p;
				u32 sm = n - 1, seen = 0;

				floor_plan(&p, width[i], height, n, sm);
				memset(tile, 0, 256 * sizeof(u32));
				for (u32 y = 0; y < height; y++)
					for (u32 x = 0; x < width[i]; x++)
						if (floor_tile_at(&p, n, x, y) != NONE32)
							tile[floor_tile_at(&p, n, x, y)]++;
				for (u32 k = 0; k < n; k++) {
					assert_true(!tile[k] || tile[k] == p.width * p.height);
					seen += tile[k] > 0;
				}
				assert_true(tile[sm]);
				assert_true(seen == n || p.shown < p.rows);
				assert_true(p.below + p.memory + p.legend <= height);
			}
	free(tile);
}

/* The cursor goes from tile to tile; Enter's number is its SM, and it stands on the focused SM again. */
static void cursor(void **state)
{
	u32 sm;

	(void)state;
	go(1400);
	must("focus sm 2");
	must("floor +1");
	must("floor +1");
	must("floor -1");
	assert_true(desk_take_tile(&session, &sm) && sm == 3);
	assert_true(desk_take_tile(&session, &sm) && sm == 2);
	must("floor +9");
	assert_true(desk_take_tile(&session, &sm) && sm == 5);
	must("focus sm 0");
}

/* --- what is followed --- */

/* Cells of a picture that hold a sign, and the first of them. */
static u32 signs(const struct canvas *c, u32 sign, u32 *x, u32 *y)
{
	u32 n = 0;

	for (u32 i = 0; i < c->width * c->height; i++) {
		if (i < c->width || c->cell[i].ch != sign) /* the title has the sign, too */
			continue;
		if (!n++) {
			*x = i % c->width;
			*y = i / c->width;
		}
	}
	return n;
}

/* The sign of what is followed stands once, in its SM's tile or in the row and at the place of its slice or channel,
 * and then the other one in the tile. */
static u32 check_followed(const struct follow_spot *spot)
{
	u32 x = 0, y = 0, tile_x = 0, tile_y = 0, sms = session.sim.m->config.gpu_sms, n, at;
	enum floor_row row;
	struct floor_plan p;
	struct canvas c;

	canvas_init(&c, WIDTH, HEIGHT, false);
	pane_draw(&session, PANE_floor, &c, 0, NULL);
	floor_plan(&p, WIDTH, HEIGHT, sms, session.focus.sm);
	row = floor_followed(&p, spot);
	assert_int_equal(signs(&c, FLOOR_FOLLOWED, &x, &y), 1);
	n = signs(&c, FLOOR_AWAY, &tile_x, &tile_y);
	assert_int_equal(n, row != FLOOR_ROWS);
	assert_int_equal(floor_tile_at(&p, sms, n ? tile_x : x, n ? tile_y : y), spot->sm);
	at = spot->slice != NONE16 ? spot->slice : spot->channel;
	if (n) {
		u32 of = spot->slice != NONE16 ? session.sim.m->config.l2_slices : session.sim.m->config.dram_channels,
		    each = (WIDTH - 34) / of < 4 ? (WIDTH - 34) / of : 4;

		assert_int_equal(y, p.below + (u32)row);
		assert_int_equal(x, 12 + at * each);
		assert_int_equal(spot->slice != NONE16, row <= FLOOR_L2_LOOKUPS);
	}
	canvas_free(&c);
	return n ? 1u << row : 1u << FLOOR_ROWS;
}

static void followed(void **state)
{
	u32 rows = 0;
	u64 from, to;

	(void)state;
	go(600);
	must("next l1dmiss");
	must("follow load");
	from = follow_now(&session)->hop[0].from;
	to = follow_now(&session)->until;
	for (u64 cycle = from; cycle <= to; cycle++) {
		struct follow_spot spot;

		go(cycle);
		if (follow_where(&session, &spot))
			rows |= check_followed(&spot);
	}
	assert_int_equal(rows, 1u << FLOOR_TO_L2 | 1u << FLOOR_L2_QUEUE | 1u << FLOOR_DRAM_QUEUE |
				       1u << FLOOR_DRAM_BUS | 1u << FLOOR_ROWS);
	must("follow off");
}

/* --- marks --- */

/* The mark of an SM, from what the machine has; preempted: CTAs that left it in the last cycles. */
static const char *mark_of(u32 sm, u64 preempted)
{
	const struct sm *x = machine_sm_section(session.sim.m, sm, SECTION_SM);
	const struct bounds *b = machine_sm_section(session.sim.m, sm, SECTION_BOUNDS);
	const struct cta *cta = machine_sm_section(session.sim.m, sm, SECTION_CTA);
	bool gives = x->needs || x->draining;

	for (u32 i = 0; i < session.sim.m->section[SECTION_CTA].count; i++)
		gives |= cta[i].launch != NONE16 && cta[i].leaving;
	return b->off ? "off" : gives ? "preempting" : preempted ? "preempted" : b->closed ? "closed" : "";
}

/* CTAs that have left each SM by force. */
static void preempted_of(u64 *out)
{
	for (u32 i = 0; i < session.sim.m->config.gpu_sms; i++) {
		const u64 *stat = ((struct sm *)machine_sm_section(session.sim.m, i, SECTION_SM))->stat;

		out[i] = stat[STAT_CTA_FLUSHED] + stat[STAT_CTA_SAVED] + stat[STAT_CTA_KILLED];
	}
}

/* All marks of some cycles, forwards and then backwards as `animate by 70` goes; kinds that were met. */
static u32 check_marks(u64 from, u64 to)
{
	u64 then[64], now[64];
	u32 met = 0;

	for (u64 i = 0; i <= 2 * (to - from) / 70; i++) {
		u64 step = i * 70, cycle = step <= to - from ? from + step : to - (step - (to - from));
		json_t *data, *row;
		size_t k;

		go(cycle - FLOOR_CYCLES);
		preempted_of(then);
		go(cycle);
		preempted_of(now);
		data = pane_json(&session, PANE_floor);
		json_array_foreach (json_object_get(data, "sms"), k, row) {
			const char *mark = json_string_value(json_object_get(row, "mark"));

			assert_string_equal(mark, mark_of((u32)k, now[k] - then[k]));
			for (u32 m = 0; m < FLOOR_PLAIN; m++)
				met |= (u32)!strcmp(mark, floor_mark_table[m].name) << m;
		}
		json_decref(data);
	}
	return met;
}

static void marks(void **state)
{
	(void)state;
	assert_int_equal(check_marks(1260, 9310), 1u << FLOOR_GIVES | 1u << FLOOR_GAVE);
	close_session(NULL);
	{
		static const char *const line[] = {"source scenarios/tlp/dyncore.scn", "policy dyncore", "step"};

		bed_session(line, ARRAY_LEN(line));
	}
	assert_int_equal(check_marks(4060, 24010), 1u << FLOOR_OFF | 1u << FLOOR_CLOSED);
}

/* With all of the memory in use no queue holds more than it has entries, and no bus is in use for longer than there was
 * time: a GPU whose L2 has two halves, and requests on their way between them. */
static void none_above_full(void **state)
{
	static const char *const line[] = {"source scenarios/bandwidth.scn", "gpu h100 sms 8", "step"};

	(void)state;
	close_session(NULL);
	bed_session(line, ARRAY_LEN(line));
	for (u64 cycle = 500; cycle < 3000; cycle += 250) {
		struct floor *cache = NULL;
		struct floor_view f;

		go(cycle);
		assert_true(floor_open(&f, &cache, &session, &session.sim));
		for (u32 i = 0; i < f.slices; i++)
			assert_true(f.slice[i].queued <= f.slice_room);
		for (u32 row = 0; row < FLOOR_ROWS; row++)
			assert_true(floor_share(&f, (enum floor_row)row) <= 1);
		floor_close(&f);
		floor_free(cache);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sums),	    cmocka_unit_test(both_directions), cmocka_unit_test(values),
		cmocka_unit_test(ranges),   cmocka_unit_test(plans),	       cmocka_unit_test(cursor),
		cmocka_unit_test(followed), cmocka_unit_test(marks),	       cmocka_unit_test(none_above_full),
	};

	return cmocka_run_group_tests(tests, setup, close_session);
}
