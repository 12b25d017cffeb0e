/* test_lanes.c - the pane of registers: every cell is the register in its lane, at every width, and a star stands at
 * the rows that changed since the last stop and at no other. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka wants the four above before it */
#include <cmocka.h>

#include "pane.h"
#include "session_bed.h"

#include <stdlib.h>
#include <string.h>

/* The pane as lines. */
static char *drawn(u32 width, u32 height)
{
	struct text out = {0};
	struct canvas c;

	canvas_init(&c, width, height, false);
	pane_draw(&session, PANE_registers, &c, 0, NULL);
	canvas_text(&c, &out);
	canvas_free(&c);
	return out.s;
}

/* The row of a register, from behind its number; NULL: it is not drawn. *star: it is marked. */
static const char *row_of(const char *text, u32 reg, bool *star)
{
	char name[16];
	const char *at;

	snprintf(name, sizeof(name), " r%u ", reg);
	at = strstr(text, name);
	*star = at && at[-1] == '*';
	return at ? at + strlen(name) : NULL;
}

/* The lanes that the heading names, in order; *focus: the marked one. */
static u32 lanes_of(const char *text, u32 *lane, u32 *focus)
{
	const char *at = strstr(text, "use"), *end;
	u32 n = 0;

	assert_non_null(at);
	end = strchr(at, '\n');
	for (at += 3; at < end;) {
		bool marked = !strncmp(at, "▸", strlen("▸"));

		at += marked ? strlen("▸") : 0;
		at += *at == '(';
		if (*at < '0' || *at > '9') {
			at++;
			continue;
		}
		lane[n] = (u32)strtoul(at, (char **)&at, 10);
		if (marked)
			*focus = lane[n];
		n++;
	}
	return n;
}

/* Every width, every lane in focus: it is drawn, and each cell is the value in the lane of its heading. */
static void cells(void **state)
{
	static const u32 width[] = {40, 60, 80, 121, 200, 400};
	u32 n, checked = 0;
	const u32 *reg = sim_warp_regs(&session.sim, 0, 0, &n);

	(void)state;
	for (u32 lane = 0; lane < 32; lane++)
		for (u32 k = 0; k < ARRAY_LEN(width); k++) {
			u32 at[32], focus = NONE32, lanes;
			char line[32], *text;
			bool star;

			snprintf(line, sizeof(line), "set code.lane %u", lane);
			must(line);
			text = drawn(width[k], 60);
			lanes = lanes_of(text, at, &focus);
			assert_int_equal(focus, lane);
			assert_int_equal(lanes, min_u32((width[k] - 14) / 9, 32));
			for (u32 r = 0; r < n; r++) {
				const char *cell = row_of(text, r, &star);

				assert_non_null(cell);
				cell += 6;
				for (u32 i = 0; i < lanes; i++, checked++)
					assert_int_equal(strtoul(cell, (char **)&cell, 16), reg[r * 32 + at[i]]);
			}
			free(text);
		}
	assert_true(checked > 10000);
	must("set code.lane 32");
}

/* A star where a lane has another value than before the step, forwards and backwards. */
static void stars(void **state)
{
	u32 before[256 * 32], n, stars = 0, rows = 0;

	(void)state;
	panes_keep(&session);
	must("goto 0");
	for (u32 i = 0; i < 400; i++) {
		const u32 *reg = sim_warp_regs(&session.sim, 0, 0, &n);
		u32 had = n;
		char *text;

		memcpy(before, reg ? reg : before, (size_t)n * 128);
		must(i < 300 ? "step" : "reverse-step 3");
		reg = sim_warp_regs(&session.sim, 0, 0, &n);
		if (!reg || had != n)
			continue;
		text = drawn(80, 60);
		for (u32 r = 0; r < n; r++, rows++) {
			bool star;

			assert_non_null(row_of(text, r, &star));
			assert_int_equal(star, memcmp(before + r * 32, reg + r * 32, 128) != 0);
			stars += star;
		}
		free(text);
	}
	assert_true(stars > 10 && rows > 10 * stars);
}

static int open_session(void **state)
{
	int failed = bed_locals();

	(void)state;
	must("step 600");
	return failed;
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(cells), cmocka_unit_test(stars)};

	return cmocka_run_group_tests(tests, open_session, close_session);
}
