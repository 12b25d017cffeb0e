/* test_cells.c - the canvas by itself: text in cells, odd characters, bars, titles, what has changed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka wants the four above before it */
#include <cmocka.h>

#include "pane.h"

#include <string.h>

/* The canvas as lines, to be compared. */
static void expect_text(const struct canvas *c, const char *lines)
{
	struct text out = {0};

	canvas_text(c, &out);
	assert_string_equal(out.s, lines);
	text_free(&out);
}

static void test_print(void **state UNUSED)
{
	struct canvas c;

	canvas_init(&c, 8, 2, false);
	assert_int_equal(canvas_print(&c, 0, 0, STYLE_PLAIN, "%s", "ab"), 2);
	assert_int_equal(canvas_print(&c, 2, 0, STYLE_LONG, "a long text"), 13); /* clipped, with a sign, but counted */
	canvas_text_at(&c, 0, 1, STYLE_PLAIN,
		       "\xce\xa3"
		       "\x1b"
		       "x");
	expect_text(&c, "aba lon…\nΣ\\x1bx\n");
	assert_int_equal(c.cell[3].style, STYLE_LONG);
	canvas_text_at(&c, 0, 2, STYLE_PLAIN, "below the canvas");
	canvas_text_at(&c, 99, 0, STYLE_PLAIN, "beside it");
	expect_text(&c, "aba lon…\nΣ\\x1bx\n");
	canvas_free(&c);
}

/* A wide character takes two cells, a combining one none; what terminals do not agree on and broken UTF-8 is shown. */
static void test_odd_text(void **state UNUSED)
{
	struct canvas c;

	canvas_init(&c, 20, 1, false);
	canvas_text_at(&c, 0, 0, STYLE_PLAIN,
		       "\xe4\xb8\xad"
		       "a"
		       "\xcc\x81"
		       "b"
		       "\xff"
		       "c\t");
	expect_text(&c, "\xe4\xb8\xad"
			"a"
			"\xcc\x81"
			"b\\xffc\\x09\n");
	assert_int_equal(c.cell[0].ch, 0x4e2d);
	assert_int_equal(c.cell[1].ch, 0);
	assert_int_equal(c.cell[2].ch, 'a');
	assert_int_equal(c.cell[2].mark[0], 0x301);
	assert_int_equal(c.cell[3].ch, 'b');
	canvas_free(&c);
	canvas_init(&c, 5, 4, false);
	assert_int_equal(canvas_text_at(&c, 0, 0, STYLE_PLAIN, "\xe4\xb8\xad\xe6\x96\x87\xe5\xad\x97"), 6);
	expect_text(&c, "\xe4\xb8\xad\xe6\x96\x87…\n"); /* the last cell holds no half, and says so */
	canvas_put(&c, 1, 0, 'x', STYLE_PLAIN);
	canvas_put(&c, 2, 0, 'y', STYLE_PLAIN);
	expect_text(&c, " xy …\n"); /* what is cut in two goes */
	canvas_text_at(&c, 0, 1, STYLE_PLAIN,
		       "\xcc\x81"
		       "e\xcc\x81\xcc\x82\xcc\x83z"); /* none before it; a third one is too many */
	expect_text(&c, " xy …\n?e\xcc\x81\xcc\x82z\n");
	canvas_text_at(
		&c, 0, 2, STYLE_PLAIN,
		"\xee\x80\x80\xe2\x80\x8d\xe2\x80\xae"); /* private; a joiner and a change of direction are not shown */
	canvas_text_at(&c, 0, 3, STYLE_PLAIN,
		       "\xed\x95\x9c\xcc\x81"
		       "1");
	expect_text(&c, " xy …\n?e\xcc\x81\xcc\x82z\n?\\xe…\n\xed\x95\x9c\xcc\x81"
			"1\n");
	assert_int_equal(canvas_width(&c, 0x4e2d), 2);
	assert_int_equal(canvas_width(&c, 0x301), 0);
	assert_int_equal(canvas_width(&c, 0xe000), 1);
	assert_int_equal(canvas_columns(&c, "a\xe4\xb8\xad\xcc\x81"), 3);
	canvas_free(&c);
	canvas_init(&c, 30, 2, true);
	canvas_text_at(&c, 0, 0, STYLE_PLAIN, "Σ 16 ✓ ▸ é");
	canvas_put(&c, 0, 1, 0x9b, STYLE_PLAIN);
	expect_text(&c, "sum 16 ok > ?\n?\n");
	canvas_free(&c);
}

static void test_bar(void **state UNUSED)
{
	struct canvas c;

	canvas_init(&c, 4, 3, false);
	canvas_bar(&c, 0, 0, 4, 3, 8, STYLE_PLAIN); /* 12 of 32 eighths */
	canvas_bar(&c, 0, 1, 4, 9, 8, STYLE_PLAIN); /* more than full is full */
	canvas_bar(&c, 0, 2, 4, 1, 0, STYLE_PLAIN); /* of nothing: nothing */
	expect_text(&c, "█▌\n████\n");
	canvas_free(&c);
	canvas_init(&c, 4, 1, true);
	canvas_bar(&c, 0, 0, 4, 3, 8, STYLE_PLAIN);
	expect_text(&c, "##\n");
	canvas_free(&c);
}

/* The sum stays to the last, what stands before it goes first, then the focus. */
static void test_title(void **state UNUSED)
{
	static const struct {
		u32 width;
		const char *line;
	} row[] = {
		{40, "─ warps SM 0 ──────── * 1  e 2  Σ 16 ✓ ─\n"},
		{30, "─ warps SM 0 ─ … e 2  Σ 16 ✓ ─\n"},
		{23, "─ warps SM 0 ─ Σ 16 ✓ ─\n"},
		{20, "─ warps ─── Σ 16 ✓ ─\n"},
		{12, "─ warps ────\n"},
		{3, "─ …\n"},
	};
	struct canvas c;

	for (u32 i = 0; i < ARRAY_LEN(row); i++) {
		canvas_init(&c, row[i].width, 1, false);
		canvas_title(&c, 0, "warps", "SM 0", "* 1  e 2  Σ 16 ✓");
		expect_text(&c, row[i].line);
		canvas_free(&c);
	}
	canvas_init(&c, 40, 1, false);
	canvas_title(&c, 0, "x", "", "Σ 3 ✗");
	assert_int_equal(c.cell[35].style, STYLE_BAD);
	canvas_title(&c, 0, "x", "", "Σ 3 ✓");
	assert_int_equal(c.cell[35].style, STYLE_GOOD);
	canvas_free(&c);
}

static void test_compare(void **state UNUSED)
{
	struct canvas a, b, other;

	canvas_init(&a, 4, 1, false);
	canvas_init(&b, 4, 1, false);
	canvas_init(&other, 5, 1, false);
	canvas_print(&a, 0, 0, STYLE_PLAIN, "abcd");
	canvas_print(&b, 0, 0, STYLE_PLAIN, "abxd");
	b.cell[0].style = STYLE_LONG;
	canvas_compare(&b, &a);
	assert_true(b.cell[0].changed && !b.cell[1].changed && b.cell[2].changed && !b.cell[3].changed);
	canvas_compare(&a, &other); /* of another size: nothing is known */
	assert_false(a.cell[0].changed);
	canvas_free(&a);
	canvas_free(&b);
	canvas_free(&other);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_print), cmocka_unit_test(test_odd_text), cmocka_unit_test(test_bar),
		cmocka_unit_test(test_title), cmocka_unit_test(test_compare),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
