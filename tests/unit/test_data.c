/* test_data.c - the pane of memory: each cell is the element that its heading and number say, in every memory, type and
 * width; what changed is marked and nothing else; the cursor stays inside, follows addresses and comes back. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka wants the four above before it */
#include <cmocka.h>

#include "extent.h"
#include "pane.h"
#include "session_bed.h"
#include "tui.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The pane as lines; its size. */
static char *drawn(u32 width, u32 height)
{
	struct text out = {0};
	struct canvas c;

	canvas_init(&c, width, height, false);
	pane_draw(&session, PANE_data, &c, 0, NULL);
	canvas_text(&c, &out);
	canvas_free(&c);
	return out.s;
}

/* The element under the cursor as `print` names it. */
static const char *cell(void)
{
	static char out[128];
	struct text place = {0};

	assert_true(data_cell(&session, &place, NULL));
	snprintf(out, sizeof(out), "%s", place.s);
	text_free(&place);
	return out;
}

/* The number that a text says, hexadecimal digits as such. */
static double said(const char *at, char **end, bool hex)
{
	return hex ? (double)strtoull(at, end, 16) : strtod(at, end);
}

/* Every cell of the pane against `print NAME[I]`, counted; the stars against `changed`, NULL: not asked. */
static u32 check_cells(const char *name, bool hex, u32 width, const bool *changed)
{
	char *text = drawn(width, 20), *line = strchr(text, '\n'), place[64], *at;
	u32 n = 0;

	assert_non_null(line);
	while ((line = strchr(line + 1, '[')) != NULL) {
		u64 i = strtoull(line + 1, &at, 10);

		assert_int_equal(*at++, ']');
		for (; *at != '\n' && *at; i++, n++) {
			bool star = *at == '*';

			at += strncmp(at, "▸", strlen("▸")) ? star : strlen("▸");
			snprintf(place, sizeof(place), name, (unsigned long long)i); /* NOLINT */
			if (fabs(said(at, &at, hex) - (double)number_of(place)) > 1e-9)
				fail_msg("%u columns: %s is not what stands there:\n%s", width, place, text);
			if (changed && i < 32 && star != changed[i])
				fail_msg("%s: %s\n%s", place, star ? "a star" : "no star", text);
		}
		line = at;
	}
	free(text);
	return n;
}

/* Memories and types: the name of an element, what `data` is given. */
static void cells(void **state)
{
	static const struct {
		const char *line, *name;
		u32 count;
	} row[] = {
		{"data n", "n[%llu]", 8},
		{"data n as u8", "global.u8[n + %llu]", 32},
		{"data n as s16", "global.s16[n + 2 * %llu]", 16},
		{"data n[3] as u64", "global.u64[n + 8 * %llu]", 4},
		{"data shared", "shared[%llu]", 32},
		{"data warp[1].shared.s16[4]", "warp[1].shared.s16[%llu]", 64},
		{"data sm[0].warp[1].shared.u8", "warp[1].shared.u8[%llu]", 128},
		{"data local[7][1]", "local[7][%llu]", 4},
		{"data warp[1].local.u16[31][0]", "warp[1].local.u16[31][%llu]", 8},
	};
	static const u32 width[] = {30, 40, 60, 80, 133, 200};

	(void)state;
	for (u32 i = 0; i < ARRAY_LEN(row); i++)
		for (u32 k = 0; k < 2 * ARRAY_LEN(width); k++) {
			bool hex = k >= ARRAY_LEN(width), s = strchr(row[i].name, 's') && strstr(row[i].name, ".s");
			u32 n;

			must(row[i].line);
			if (hex && !s)
				must("data as hex");
			n = check_cells(row[i].name, hex && !s, width[k % ARRAY_LEN(width)], NULL);
			assert_true(n > 0 && n <= row[i].count);
			if (width[k % ARRAY_LEN(width)] == 200)
				assert_int_equal(n, row[i].count);
			if (hex && !s)
				must("data as hex");
		}
}

/* Warp 1 writes 1000 + I to its tile: a star where a step did it, forwards and backwards. */
static void stars(void **state)
{
	u32 stars = 0;

	(void)state;
	panes_keep(&session);
	must("goto 0");
	must("data n[0]");
	for (u32 i = 0; i < 260; i++) {
		i64 before[32];
		bool changed[32];
		struct value v;

		if (expr_value(&session, "warp[1].shared[0]", &v, NULL)) {
			must("step 4");
			continue;
		}
		must("data warp[1].shared");
		for (u32 k = 0; k < 32; k++) {
			char place[32];

			snprintf(place, sizeof(place), "warp[1].shared[%u]", k);
			before[k] = number_of(place);
		}
		must(i < 200 ? "step 4" : "reverse-step 7");
		if (expr_value(&session, "warp[1].shared[0]", &v, NULL))
			continue;
		for (u32 k = 0; k < 32; k++) {
			char place[32];

			snprintf(place, sizeof(place), "warp[1].shared[%u]", k);
			changed[k] = number_of(place) != before[k];
			stars += changed[k] && k;
		}
		changed[0] = false; /* the cursor's mark stands there */
		check_cells("warp[1].shared[%llu]", false, 200, changed);
	}
	assert_true(stars >= 31);
	must("goto 600");
}

/* The cursor, types, addresses. */
static void moves(void **state)
{
	static const struct {
		const char *line, *cell;
	} row[] = {
		{"data n[5]", "n[5]"},
		{"data +1", "n[6]"},
		{"data +100", "n[7]"},
		{"data -2", "n[5]"},
		{"data -100", "n[0]"},
		{"data +row", "n[4]"},
		{"data -row", "n[0]"},
		{"data +page", "n[7]"},
		{"data as u16", "global.u16[0x70000000001c]"},
		{"data n + 9", "global.u32[0x700000000009]"},
		{"data as next", "global.s32[0x700000000009]"},
		{"data as previous", "global.u32[0x700000000009]"},
		{"data p", "p[0]"},
		{"data follow", "n[2]"},
		{"data back", "p[0]"},
		{"data back", "global.u32[0x700000000009]"},
		{"data shared.f32[3]", "sm[0].warp[0].shared.f32[3]"},
		{"focus warp 1", "sm[0].warp[1].shared.f32[3]"},
		{"data warp[0].shared", "sm[0].warp[0].shared.u32[0]"},
		{"data local", "sm[0].warp[1].local.u32[0][0]"},
		{"set code.lane 9", "sm[0].warp[1].local.u32[9][0]"},
		{"data +2", "sm[0].warp[1].local.u32[9][2]"},
		{"data as f32", "sm[0].warp[1].local.f32[9][2]"},
		{"focus warp 0", "sm[0].warp[0].local.f32[9][2]"},
		{"set code.lane 32", "sm[0].warp[0].local.f32[0][2]"},
	};

	(void)state;
	must("set var p[0] = n + 8");
	for (u32 i = 0; i < ARRAY_LEN(row); i++) {
		must(row[i].line);
		/* an address that is not a multiple: the element that it lies in */
		if (!strstr(row[i].cell, "000009]") && strcmp(cell(), row[i].cell) != 0)
			fail_msg("%s: %s, not %s", row[i].line, cell(), row[i].cell);
	}
}

static void refused(void **state)
{
	static const char *const line[][2] = {
		{"data nosuch", "unknown name"},
		{"data reg[0][0]", "registers are not memory"},
		{"data 17", "no buffer at 0x11"},
		{"data n + 32", "no buffer at 0x700000000020"},
		{"data 1.5", "not a memory location"},
		{"data n[8]", "index out of range: 'n[8]'"},
		{"data n as f16", "is not a type"},
		{"data +x", "+N, -N, +row"},
		{"data local[3][9]", "no element of local memory 9"},
	};

	(void)state;
	must("data n[1]");
	for (u32 i = 0; i < ARRAY_LEN(line); i++) {
		struct error e = {0};

		assert_int_not_equal(command_run_line(&session, line[i][0], NULL, 0, &e), STATUS_OK);
		if (!strstr(e.message, line[i][1]))
			fail_msg("%s: %s", line[i][0], e.message);
		assert_string_equal(cell(), "n[1]");
	}
}

/* Before a warp is there its memory can be wished for. */
static void early(void **state)
{
	static const char *const wish[][2] = {{"data shared.u16", "shared u16[64]"}, {"data local", "local u32[4]"}};

	(void)state;
	for (u32 i = 0; i < 2; i++) {
		char *text;

		must("goto 0");
		must(wish[i][0]);
		text = drawn(80, 6);
		assert_non_null(strstr(text, i ? "no local memory" : "no shared memory"));
		free(text);
		must("goto 600");
		text = drawn(80, 6);
		assert_non_null(strstr(text, wish[i][1]));
		free(text);
	}
}

/* Where the pane has fewer rows than there are, the page is shown that holds the cursor. */
static void pages(void **state)
{
	(void)state;
	must("data shared.u8");
	for (u32 i = 0; i < 128; i += 9) {
		char *text;

		text = drawn(40, 7);
		assert_non_null(strstr(text, "▸"));
		free(text);
		must("data +9");
	}
}

/* What is not whole inside is not read. */
static void inside(void **state)
{
	struct extent x;
	u8 bytes[16];
	bool whole;
	u64 at;

	(void)state;
	assert_int_equal(extent_named(&session, "n[7]", 0, &x, &at, &whole, NULL), STATUS_OK);
	assert_true(at == 28 && !whole && x.bytes == 32);
	assert_true(extent_read(&session, &x, at, bytes, 4) && bytes[0] == 8);
	assert_false(extent_read(&session, &x, at, bytes, 8));
	assert_false(extent_read(&session, &x, 33, bytes, 0));
}

/* A watch of local memory stops where it is written, in both directions. */
static void watched(void **state)
{
	(void)state;
	must("goto 0");
	must("next ctastart");
	bed_watched("warp[0].local[7][1]", 701);
}

/* Two CTAs of a warp each, which go round once they have written. */
static int open_session(void **state)
{
	static const char *const setup[] = {
		"gpu tiny",	   "module tests/ptx/locals.ptx",	 "buffer n u32[8] iota 1",
		"buffer p u64[2]", "launch locals grid 2 block 32 args", "step 600"};

	(void)state;
	return bed_session(setup, ARRAY_LEN(setup));
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(cells),   cmocka_unit_test(stars),	cmocka_unit_test(moves),
					   cmocka_unit_test(refused), cmocka_unit_test(early),	cmocka_unit_test(pages),
					   cmocka_unit_test(inside),  cmocka_unit_test(watched)};

	return cmocka_run_group_tests(tests, open_session, close_session);
}
