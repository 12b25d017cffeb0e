/*
 * test_mouse.c - the mouse over panes: a click on a row puts the cursor on what is drawn there, on a lane or an element
 * focuses it; the wheel scrolls from what is seen. What is hit is read from the frame.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka wants the four above before it */
#include <cmocka.h>

#include "../../src/tui/desk.h"
#include "../../src/tui/input.h"
#include "../../src/tui/prompt.h"
#include "session_bed.h"

#include <stdlib.h>
#include <string.h>

static const u32 size[][2] = {{80, 24}, {60, 20}, {200, 50}};

/* The screen as it is; free it. */
static void shot(struct canvas *c, u32 width, u32 height)
{
	canvas_init(c, width, height, false);
	frame_compose(&session, c);
}

/* Where a pane lies in the last frame; NULL: nowhere. */
static const struct area *area_of(u8 pane)
{
	const struct desk *d = desk_of(&session);

	for (u32 i = 0; i < d->nareas; i++)
		if (d->area[i].pane == pane)
			return &d->area[i];
	return NULL;
}

/* Press the left button, or turn the wheel, there; a line that follows is run. */
static void button(u8 which, u32 x, u32 y)
{
	char *line = face_point(&session, &(struct key){.button = which, .x = x, .y = y});

	if (line)
		must(line);
	free(line);
}

/* Row y of a canvas from column x + 1 to `end`, without what changes with the cursor: marks at the left. */
static void row_text(const struct canvas *c, u32 x, u32 end, u32 y, struct text *out)
{
	struct canvas row;

	canvas_init(&row, end - x - 1, 1, false);
	memcpy(row.cell, &c->cell[(size_t)y * c->width + x + 1], (end - x - 1) * sizeof(*row.cell));
	text_clear(out);
	text_add(out, "%s", "");
	canvas_row_text(&row, 0, out);
	canvas_free(&row);
}

/* The row of an area that has the cursor's mark at its left; 0: none. */
static u32 row_marked(const struct canvas *c, const struct area *a)
{
	for (u32 y = a->y + 1; y < a->y + a->height; y++)
		if (c->cell[(size_t)y * c->width + a->x].ch == 0x2192)
			return y;
	return 0;
}

/* Every row of a pane's list: a click on it marks the row that says the same. Returns how many were. */
static u32 rows_take_the_cursor(u8 pane, u32 width, u32 height)
{
	struct desk *d = desk_of(&session);
	struct text was = {0}, is = {0};
	struct canvas c;
	u32 marked = 0;

	for (u32 row = 1;; row++) {
		const struct area *a;
		u32 x, y, end, at;

		d->cursor[pane] = NO_CURSOR;
		d->scroll[pane] = 0;
		shot(&c, width, height);
		a = area_of(pane);
		assert_non_null(a);
		x = a->x;
		y = a->y + row;
		end = x + a->width;
		if (row >= a->height)
			break;
		row_text(&c, x, end, y, &was);
		canvas_free(&c);
		button(MOUSE_LEFT, x + 2, y);
		assert_int_equal(d->focus, pane);
		if (d->cursor[pane] == NO_CURSOR)
			continue;
		shot(&c, width, height);
		at = row_marked(&c, area_of(pane));
		assert_true(at > 0);
		row_text(&c, x, end, at, &is);
		if (strcmp(was.s, is.s))
			fail_msg("%s, row %u: '%s' was hit, and '%s' is marked", pane_table[pane]->name, row, was.s,
				 is.s);
		canvas_free(&c);
		marked++;
	}
	canvas_free(&c);
	d->cursor[pane] = NO_CURSOR;
	text_free(&was);
	text_free(&is);
	return marked;
}

static void a_click_puts_the_cursor(void **state)
{
	static const struct {
		const char *layout;
		u8 pane;
		u32 least;
	} row[] = {{"layout code", PANE_code, 3},
		   {"layout registers", PANE_registers, 3},
		   {"layout breakpoints", PANE_breakpoints, 3}};

	(void)state;
	for (u32 i = 0; i < ARRAY_LEN(row); i++)
		for (u32 k = 0; k < ARRAY_LEN(size); k++) {
			must(row[i].layout);
			assert_true(rows_take_the_cursor(row[i].pane, size[k][0], size[k][1]) >= row[i].least);
		}
}

/* In source a click on an instruction, below its line or beside, is one on its line. */
static void a_click_into_the_source(void **state)
{
	struct desk *d = desk_of(&session);
	struct canvas c;

	(void)state;
	must("layout source");
	for (u32 k = 0; k < ARRAY_LEN(size); k++) {
		u32 lines = 0, below = 0, beside = 0;

		for (u32 row = 2;; row++) {
			const struct area *a;
			u32 line = 0, pc = 0, left, want;
			struct text text = {0};
			char number[8];

			d->cursor[PANE_source] = NO_CURSOR;
			shot(&c, size[k][0], size[k][1]);
			a = area_of(PANE_source);
			if (row >= a->height) {
				canvas_free(&c);
				break;
			}
			left = a->width >= 110 ? a->width * 11 / 20 : a->width;
			row_text(&c, a->x, a->x + left - 1, a->y + row, &text);
			button(MOUSE_LEFT, a->x + 9, a->y + row);
			snprintf(number, sizeof(number), "%.7s", text.s); /* a mark, and the number of the line */
			if (sscanf(number + 1, "%u", &line) == 1) {
				lines++;
				assert_int_equal((u32)d->cursor[PANE_source], line);
			} else if (d->cursor[PANE_source] != NO_CURSOR) { /* an instruction of the warp's line */
				below++;
				want = session.sim.kernel[0]->inst[42].source_line;
				assert_int_equal((u32)d->cursor[PANE_source], want);
			}
			d->cursor[PANE_source] = NO_CURSOR;
			if (left < a->width) {
				row_text(&c, a->x + left, a->x + a->width, a->y + row, &text);
				button(MOUSE_LEFT, a->x + left + 12, a->y + row);
				if (sscanf(text.s, "%*[^0-9]%u %u", &pc, &line) == 2) {
					beside++;
					assert_int_equal((u32)d->cursor[PANE_source],
							 session.sim.kernel[0]->inst[pc].source_line);
				}
			}
			text_free(&text);
			canvas_free(&c);
		}
		assert_true(lines > 1);
		assert_true(size[k][0] >= 110 ? beside > 5 && !below : below > 1 && !beside);
	}
	d->cursor[PANE_source] = NO_CURSOR;
}

/* A click on an element makes it the one under the cursor, on a lane the focused one. */
static void a_click_on_a_value(void **state)
{
	struct canvas c;
	u32 hit = 0;

	(void)state;
	must("layout data");
	must("data a[100]");
	for (u32 k = 0; k < ARRAY_LEN(size); k++)
		for (u32 n = 0; n < 200; n++) {
			const struct area *a;
			u32 x, y, width = size[k][0];

			shot(&c, width, size[k][1]);
			a = area_of(PANE_data);
			x = a->x + (u32)(mix64(n) % a->width);
			y = a->y + 2 + (u32)(mix64(n + 1000) % (a->height - 2));
			bool value =
				c.cell[(size_t)y * width + x].ch != ' ' && x > a->x + 22 && y + 1 < a->y + a->height;
			canvas_free(&c);
			button(MOUSE_LEFT, x, y);
			shot(&c, width, size[k][1]);
			if (value)
				assert_true(c.cell[(size_t)y * width + x].focus ||
					    c.cell[(size_t)y * width + x].ch == 0x25b8);
			hit += value;
			canvas_free(&c);
		}
	assert_true(hit > 20);
	must("layout registers");
	shot(&c, 80, 24);
	for (u32 x = 14; x < 70; x++) {
		const struct area *a = area_of(PANE_registers);

		/* the heading is at the right end of its column */
		if (c.cell[(size_t)(a->y + 1) * 80 + x].ch < '0' || c.cell[(size_t)(a->y + 1) * 80 + x].ch > '9')
			continue;
		button(MOUSE_LEFT, x, a->y + 2);
		assert_int_equal(session.config.code_lane, c.cell[(size_t)(a->y + 1) * 80 + x].ch - '0');
	}
	canvas_free(&c);
	must("set code.lane 32");
}

/* The number in the second column of the first row of code. */
static u32 first_pc(u32 width, u32 height)
{
	struct text text = {0};
	struct canvas c;
	const struct area *a;
	u32 pc = NONE32;

	shot(&c, width, height);
	a = area_of(PANE_code);
	row_text(&c, a->x + 3, a->x + a->width, a->y + 2, &text);
	sscanf(text.s, "%u", &pc);
	text_free(&text);
	canvas_free(&c);
	return pc;
}

/* The wheel begins from what is seen, reaches both ends, and does not move the focus. */
static void the_wheel_scrolls(void **state)
{
	const struct area *a;
	u32 first, focus;

	(void)state;
	must("layout code");
	must("pane warps");
	focus = desk_of(&session)->focus;
	first = first_pc(80, 24);
	assert_true(first > 10);
	a = area_of(PANE_code);
	button(MOUSE_WHEEL_DOWN, a->x + 5, a->y + 2);
	assert_int_equal(first_pc(80, 24), first + 3);
	button(MOUSE_WHEEL_UP, a->x + 5, a->y + 2);
	button(MOUSE_WHEEL_UP, a->x + 5, a->y + 2);
	assert_int_equal(first_pc(80, 24), first - 3);
	for (u32 i = 0; i < 40; i++)
		button(MOUSE_WHEEL_UP, a->x + 5, a->y + 2);
	assert_int_equal(first_pc(80, 24), 0);
	button(MOUSE_WHEEL_DOWN, a->x + 5, a->y + 2);
	assert_int_equal(first_pc(80, 24), 3);
	for (u32 i = 0; i < 60; i++)
		button(MOUSE_WHEEL_DOWN, a->x + 5, a->y + 2);
	assert_in_range(first_pc(80, 24), session.sim.kernel[0]->ninst - a->height, session.sim.kernel[0]->ninst - 3);
	assert_int_equal(desk_of(&session)->focus, focus);
	must("layout data");
	must("data a[0]");
	first_pc(80, 24);
	a = area_of(PANE_data);
	button(MOUSE_WHEEL_DOWN, a->x + 5, a->y + 3);
	struct text place = {0};
	assert_true(data_cell(&session, &place, NULL));
	assert_string_equal(place.s, "a[12]"); /* three rows of four */
	text_free(&place);
	desk_of(&session)->scroll[PANE_code] = 0;
}

/* Nothing of this touches the machine. */
static void the_machine_is_as_before(void **state)
{
	static u64 hash;

	if (!hash)
		hash = sim_hash(&session.sim);
	else
		assert_int_equal(sim_hash(&session.sim), hash);
	(void)state;
}

static int open_screen(void **state)
{
	bed_session(NULL, 0);
	must("source scenarios/matmul.scn");
	must("set mouse on");
	must("break event release");
	must("tbreak cycle 5000");
	must("watch rise cta.finished");
	must("goto 1400");
	the_machine_is_as_before(state);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_click_puts_the_cursor),  cmocka_unit_test(a_click_into_the_source),
		cmocka_unit_test(a_click_on_a_value),	    cmocka_unit_test(the_wheel_scrolls),
		cmocka_unit_test(the_machine_is_as_before),
	};

	return cmocka_run_group_tests(tests, open_screen, close_session);
}
