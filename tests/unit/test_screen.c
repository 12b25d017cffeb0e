/*
 * test_screen.c - layouts on every size: panes lie on the screen, do not overlap, fill it, and keep the focused one;
 * bytes to keys; the whole frame at sizes down to 1x1.
 */
#include "../../src/tui/desk.h"
#include "../../src/tui/input.h"
#include "session_ops.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Every cell of the panes' part belongs to one pane or is a separator. */
static void check_areas(const struct desk *d, u32 width, u32 height)
{
	u8 *used = xcalloc((size_t)width * height, 1);
	bool focus = false;
	u32 free_cells = 0;

	for (u32 i = 0; i < d->nareas; i++) {
		const struct area *a = &d->area[i];

		assert_true(a->width && a->height >= 2);
		assert_true(a->x + a->width <= width && a->y >= 1 && a->y - 1 + a->height <= height);
		focus |= a->pane == d->focus;
		for (u32 y = a->y - 1; y < a->y - 1 + a->height; y++)
			for (u32 x = a->x - (a->separated ? 1 : 0); x < a->x + a->width; x++)
				assert_int_equal(used[(size_t)y * width + x]++, 0);
	}
	for (u32 i = 0; i < width * height; i++)
		free_cells += !used[i];
	assert_int_equal(free_cells, 0);
	assert_true(focus);
	free(used);
}

/* All layouts at all sizes, every pane in focus, zoomed or not, grown or shrunk. */
static void test_areas(void **state)
{
	static const int grow[] = {0, 5, -5, 1000, -1000};
	struct session s;
	struct desk *d;

	(void)state;
	session_open(&s, &all_session_ops);
	d = desk_of(&s);
	for (u32 l = 0; l < d->nlayouts; l++)
		for (u32 width = LEAST_WIDTH; width < 230; width += 7)
			for (u32 height = LEAST_HEIGHT - 3; height < 70; height += 3)
				for (u8 focus = 0; focus < PANE_COUNT; focus++) {
					d->chosen = (int)l;
					d->focus = focus;
					d->zoom = (width + height + focus) % 5 == 0;
					for (u32 i = 0; i < LAYOUT_ROWS; i++)
						d->grow[i] = grow[(i + width + height) % ARRAY_LEN(grow)];
					layout_solve(&s, width, height, 1);
					check_areas(d, width, height);
				}
	session_close(&s);
}

/* Panes go in the order that the layouts' documentation gives. */
static void test_order(void **state)
{
	static const struct {
		u32 width, height;
		const char *names;
	} row[] = {{80, 21, "warps subcores code console "},
		   {80, 8, "warps subcores console "},
		   {60, 21, "warps subcores code console "},
		   {40, 21, "warps code console "},
		   {40, 7, "warps console "}};
	struct session s;
	struct desk *d;

	(void)state;
	session_open(&s, &all_session_ops);
	d = desk_of(&s);
	d->chosen = 0;
	for (u32 i = 0; i < ARRAY_LEN(row); i++) {
		struct text names = {0};

		layout_solve(&s, row[i].width, row[i].height, 1);
		for (u32 k = 0; k < d->nareas; k++)
			text_add(&names, "%s ", pane_table[d->area[k].pane]->name);
		assert_string_equal(names.s, row[i].names);
		text_free(&names);
	}
	session_close(&s);
}

/* Columns stand beside each other where each row has room, else they are stacked; a row with ? stands where others
 * leave room, and in focus. */
static void test_columns(void **state)
{
	static const struct {
		u32 width, height;
		const char *text, *says;
	} row[] = {
		{100, 30, "|*2 warps code | subcores console", "warps 0 1, code 0 11, subcores 67 1, console 67 10, "},
		{100, 19, "|*2 warps code | subcores console", "warps 0 1, code 0 8, subcores 0 13, console 0 17, "},
		{60, 30, "|*2 warps code | subcores console", "warps 0 1, code 0 11, subcores 0 20, console 0 28, "},
		{80, 12, "warps code? console", "warps 0 1, console 0 11, "},
		{80, 30, "warps code? console", "warps 0 1, code 0 11, console 0 21, "},
		{80, 12, "code? warps console", "warps 0 1, console 0 11, "}};
	struct session s;
	struct error e;

	(void)state;
	session_open(&s, &all_session_ops);
	for (u32 i = 0; i < ARRAY_LEN(row); i++) {
		struct desk *d = desk_of(&s);
		struct text says = {0};

		d->focus = PANE_warps;
		assert_int_equal(layout_define(&s, "mine", row[i].text, 1, &e), STATUS_OK);
		layout_solve(&s, row[i].width, row[i].height, 1);
		for (u32 k = 0; k < d->nareas; k++)
			text_add(&says, "%s %u %u, ", pane_table[d->area[k].pane]->name, d->area[k].x, d->area[k].y);
		assert_string_equal(says.s, row[i].says);
		text_free(&says);
	}
	desk_of(&s)->focus = PANE_code;
	layout_solve(&s, 80, 12, 1);
	assert_int_equal(desk_of(&s)->area[0].pane, PANE_code);
	session_close(&s);
}

/* Of two rows the first, in focus, has panes that fill unlike heights; the second fills 12. The first has no more than
 * leaves a third of its lower pane empty until the second has all that it fills. Panes of 8 and 16: 12, the second has
 * 12 of 24. Panes of 3 and 14: 4, then the 2 of 18 that the second does not fill. */
static void test_unlike_heights(void **state)
{
	static const struct {
		const char *text;
		u8 pane[3];
		u32 fills[3], height, second;
	} row[] = {{"banks+tracks stats", {PANE_banks, PANE_tracks, PANE_stats}, {8, 16, 12}, 24, 12},
		   {"breakpoints+timeline stats", {PANE_breakpoints, PANE_timeline, PANE_stats}, {3, 14, 12}, 18, 6}};
	struct session s;
	struct error e;

	(void)state;
	session_open(&s, &all_session_ops);
	for (u32 i = 0; i < ARRAY_LEN(row); i++) {
		struct desk *d = desk_of(&s);

		d->focus = row[i].pane[0];
		assert_int_equal(layout_define(&s, "mine", row[i].text, 1, &e), STATUS_OK);
		layout_solve(&s, 100, row[i].height, 0);
		assert_int_equal(d->nareas, 3);
		for (u32 k = 0; k < 3; k++) {
			assert_int_equal(d->area[k].pane, row[i].pane[k]);
			assert_int_equal(pane_height(&s, row[i].pane[k], d->area[k].width), row[i].fills[k]);
			assert_int_equal(d->area[k].y, k < 2 ? 0 : row[i].second);
		}
	}
	session_close(&s);
}

/* A frame of any size can be composed, with and without a machine, in every mode. */
static void test_frames(void **state)
{
	struct session s;
	struct canvas c;

	(void)state;
	session_open(&s, &all_session_ops);
	for (u32 mode = 0; mode < 12; mode++)
		for (u32 width = 1; width < 100; width = width < 6 ? width + 1 : width * 2 + 1)
			for (u32 height = 1; height < 60; height = height < 6 ? height + 1 : height * 2 + 1) {
				struct desk *d = desk_of(&s);

				d->keys = mode & 1;
				d->overlay = (u8)(mode / 2 % 3);
				canvas_init(&c, width, height, mode >= 6);
				frame_compose(&s, &c);
				assert_true(d->cursor_x < width && d->cursor_y < height);
				for (u32 i = 0; i < width * height; i++)
					assert_true(c.cell[i].ch >= 0x20 && (mode < 6 || c.cell[i].ch < 0x7f));
				canvas_free(&c);
			}
	session_close(&s);
}

/* However much a command has printed, a third of the screen is left to the panes; the title says what is above. */
static void test_long_output(void **state)
{
	struct session s;
	struct canvas c;
	u32 title = 0;

	(void)state;
	session_open(&s, &all_session_ops);
	console_add(&s, "(warpstep) why\n", 15);
	for (u32 i = 0; i < 40; i++)
		console_add(&s, "it waits\n", 9);
	canvas_init(&c, 80, 24, true);
	frame_compose(&s, &c);
	for (u32 y = 0; y < 24; y++)
		for (u32 x = 0; x + 2 < 80; x++)
			if (c.cell[y * 80 + x].ch == 'P' && c.cell[y * 80 + x + 1].ch == 'g')
				title = title ? title : y;
	assert_int_equal(title, 8); /* rows 1 to 21 are panes, 14 of them covered */
	canvas_free(&c);
	session_close(&s);
}

/* A layout's text that is wrong changes nothing and says what is wrong. */
static void test_wrong_layouts(void **state)
{
	static const struct {
		const char *name, *text, *says;
	} row[] = {{"mine", "", "no panes"},
		   {"mine", "warps+warps", "twice"},
		   {"mine", "warps:0", "weight"},
		   {"mine", "warps*0", "share"},
		   {"mine", "warps:", "weight"},
		   {"mine", "+warps", "missing pane name"},
		   {"mine", "warps:3x", "weight"},
		   {"mine", "nonsense", "unknown pane"},
		   {"auto", "warps", "auto"},
		   {"my layout", "warps", "letters"},
		   {"mine", "warps+subcores+code+banks+ctas", "at most 4"},
		   {"mine", "warps subcores code banks ctas kernels memory timeline events stats notes gangs partition",
		    "at most 12"},
		   {"mine", "warps | | console", "column without a pane"},
		   {"mine", "warps |", "column without a pane"},
		   {"mine", "warps |*0 console", "share"},
		   {"mine", "warps | code | banks | ctas | console", "at most 4"},
		   {"mine", "warps:99999999999999999999", "weight"}};
	struct session s;
	struct error e;

	(void)state;
	session_open(&s, &all_session_ops);
	for (u32 i = 0; i < ARRAY_LEN(row); i++) {
		u32 before = desk_of(&s)->nlayouts;

		e = (struct error){0};
		assert_int_equal(layout_define(&s, row[i].name, row[i].text, 1, &e), STATUS_USAGE);
		assert_non_null(strstr(e.message, row[i].says));
		assert_int_equal(desk_of(&s)->nlayouts, before);
	}
	assert_int_equal(layout_define(&s, "mine", "warps*2+banks:3 console", 1, &e), STATUS_OK);
	assert_string_equal(layout_now(desk_of(&s))->name, "mine");
	assert_int_equal(layout_choose(&s, "min", &e), STATUS_USAGE);
	assert_non_null(strstr(e.message, "did you mean 'mine'"));
	session_close(&s);
}

/* Bytes written to a pipe come out as these keys. */
static void test_input(void **state)
{
	static const struct {
		const char *bytes;
		u32 n;
		u32 code[4];
		const char *name;
	} row[] = {{"s", 1, {'s', K_NONE}, "s"},
		   {"\t", 1, {'\t', K_NONE}, "Tab"},
		   {"\014", 1, {12, K_NONE}, "^L"},
		   {"\033", 1, {0x1b, K_NONE}, "Esc"},
		   {"\033\033", 2, {0x1b, 0x1b, K_NONE}, "Esc"},
		   {"\033[A", 3, {K_UP, K_NONE}, "Up"},
		   {"\033OA", 3, {K_UP, K_NONE}, "Up"},
		   {"\033[Z", 3, {K_BACK_TAB, K_NONE}, "S-Tab"},
		   {"\033OP", 3, {K_F1, K_NONE}, "F1"},
		   {"\033[11~", 5, {K_F1, K_NONE}, "F1"},
		   {"\033[[A", 4, {K_F1, K_NONE}, "F1"},
		   {"\033[6~x", 5, {K_PAGE_DOWN, 'x', K_NONE}, "PgDn"},
		   {"\033[1;5Cq", 7, {K_OTHER, 'q', K_NONE}, ""},
		   {"\033x", 2, {K_META, K_NONE}, ""},
		   {"\xc3\xa9z", 3, {0xe9, 'z', K_NONE}, "\xc3\xa9"},
		   {"\xc3z", 2, {0xfffd, 'z', K_NONE}, "\xc3"},
		   {"\xff", 1, {0xff, K_NONE}, "\xff"},
		   {"\033[", 2, {K_META, K_NONE}, ""},
		   {"\033[200~a\nb\001\033[201~c", 17, {K_PASTE, 'c', K_NONE}, ""},
		   {"\033[200~\033[31m\033[201~", 17, {K_PASTE, K_NONE}, ""}};
	int fd[2], wake[2];
	struct key k;
	char out[16];

	(void)state;
	assert_int_equal(pipe(fd), 0);
	assert_int_equal(pipe(wake), 0);
	input_open(fd[0], wake[0], true);
	for (u32 i = 0; i < ARRAY_LEN(row); i++) {
		assert_int_equal(write(fd[1], row[i].bytes, row[i].n), row[i].n);
		for (u32 j = 0; j < 4; j++) {
			input_key(&k, 0);
			assert_int_equal(k.code, row[i].code[j]);
			if (!j)
				assert_string_equal(key_name(&k, out), row[i].name);
			if (k.code == K_PASTE)
				assert_string_equal(input_paste()->s, i + 2 == ARRAY_LEN(row) ? "a\nb " : " [31m");
			if (k.code == K_NONE)
				break;
		}
	}
	close(fd[1]);
	input_key(&k, 0);
	assert_int_equal(k.code, K_END_OF_INPUT);
	input_close();
	close(fd[0]);
	close(wake[0]);
	close(wake[1]);
}

/* Every key's line begins with a command, and the user can change and take away each. */
static void test_keys(void **state)
{
	struct session s;
	struct key_view k;
	struct error e;

	(void)state;
	session_open(&s, &all_session_ops);
	for (u32 i = 0; key_row(&s, i, &k); i++)
		assert_true(key_works(&desk_of(&s)->key[i]));
	assert_int_equal(key_bind(&s, "s", "step 10", 1, &e), STATUS_OK);
	assert_string_equal(key_find(&s, "s")->command, "step 10");
	assert_int_equal(key_bind(&s, "s", "", 1, &e), STATUS_OK);
	assert_null(key_find(&s, "s"));
	assert_int_equal(key_bind(&s, "Down", "stats", 1, &e), STATUS_OK);
	assert_string_equal(key_find(&s, "Down")->command, "stats");
	assert_int_equal(key_bind(&s, "a key that is none", "stats", 1, &e), STATUS_USAGE);
	session_close(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_areas),	       cmocka_unit_test(test_order),
		cmocka_unit_test(test_frames),	       cmocka_unit_test(test_wrong_layouts),
		cmocka_unit_test(test_input),	       cmocka_unit_test(test_keys),
		cmocka_unit_test(test_long_output),    cmocka_unit_test(test_columns),
		cmocka_unit_test(test_unlike_heights),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
