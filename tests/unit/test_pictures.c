/*
 * test_pictures.c - pictures and recordings of the screen hold the same cells as the screen: bytes for terminals are
 * replayed on a small terminal of our own, a page is read without its tags, a drawing's texts stand in their columns.
 */
#include "picture.h"
#include "tui.h"
#include "width.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "session_bed.h"

#define FILE_NAME "/tmp/warpstep_test_pictures.%d.%s"

/* --- a terminal: characters, SGR, CUP, ED 2; what else comes is a failure --- */

struct vt_cell {
	u32 ch, mark[CELL_MARKS];
	struct look look;
};
static struct {
	u32 width, height, x, y;
	struct look look;
	struct vt_cell cell[1000 * 100];
} vt;

static struct vt_cell *vt_at(u32 x, u32 y)
{
	assert_true(x < vt.width && y < vt.height);
	return &vt.cell[(size_t)y * vt.width + x];
}

static void vt_clear(void)
{
	for (u32 i = 0; i < vt.width * vt.height; i++)
		vt.cell[i] = (struct vt_cell){.ch = ' ', .look.colour = NO_COLOUR};
}

static void vt_size(u32 width, u32 height)
{
	assert_true(width * height <= ARRAY_LEN(vt.cell));
	vt.width = width;
	vt.height = height;
	vt.x = vt.y = 0;
	vt.look = (struct look){.colour = NO_COLOUR};
	vt_clear();
}

/* A parameter of SGR. */
static void vt_sgr(u32 n)
{
	if (!n)
		vt.look = (struct look){.colour = NO_COLOUR};
	else if (n == 1)
		vt.look.bold = 1;
	else if (n == 2)
		vt.look.dim = 1;
	else if (n == 4)
		vt.look.underline = 1;
	else if (n == 7)
		vt.look.reverse = 1;
	else if (n >= 30 && n <= 37)
		vt.look.colour = (u8)(n - 30);
	else
		fail_msg("SGR %u", n);
}

/* What follows ESC; the byte behind it. */
static const char *vt_escape(const char *p)
{
	u32 n[16] = {0}, count = 1;

	assert_int_equal(*p++, '[');
	for (; (*p >= '0' && *p <= '9') || *p == ';'; p++) {
		if (*p == ';')
			assert_true(++count < ARRAY_LEN(n));
		else
			n[count - 1] = n[count - 1] * 10 + (u32)(*p - '0');
	}
	if (*p == 'm') {
		for (u32 i = 0; i < count; i++)
			if (n[i] == 38 && i + 2 < count && n[i + 1] == 5) {
				vt.look.colour = (u8)n[i + 2];
				i += 2;
			} else {
				vt_sgr(n[i]);
			}
	} else if (*p == 'H') {
		assert_true(count == 2 && n[0] && n[1] && n[0] <= vt.height && n[1] <= vt.width);
		vt.y = n[0] - 1;
		vt.x = n[1] - 1;
	} else {
		assert_true(*p == 'J' && n[0] == 2);
		vt_clear();
	}
	return p + 1;
}

/* A character of UTF-8. */
static u32 utf8(const char **s)
{
	const u8 *p = (const u8 *)*s;
	u32 n = p[0] < 0x80 ? 1 : p[0] >= 0xf0 ? 4 : p[0] >= 0xe0 ? 3 : 2, ch = n == 1 ? p[0] : p[0] & (0x7fu >> n);

	for (u32 i = 1; i < n; i++)
		ch = ch << 6 | (p[i] & 0x3fu);
	*s += n;
	return ch;
}

/* A character where the cursor stands. */
static void vt_put(u32 ch)
{
	u32 width = ch < 0x300 ? 1 : character_width(ch);

	if (!width) {
		struct vt_cell *c = vt_at(vt.x - 1, vt.y);

		c -= !c->ch;
		c->mark[c->mark[0] != 0] = ch;
		return;
	}
	*vt_at(vt.x, vt.y) = (struct vt_cell){.ch = ch, .look = vt.look};
	if (width == 2)
		*vt_at(vt.x + 1, vt.y) = (struct vt_cell){.look = vt.look};
	vt.x += width;
}

/* Bytes to the terminal; lines end with CR LF's work done by LF. */
static void vt_write(const char *p)
{
	while (*p) {
		if (*p == '\033') {
			p = vt_escape(p + 1);
		} else if (*p == '\n') {
			vt.x = 0;
			vt.y++;
			p++;
		} else {
			assert_true((u8)*p >= 0x20 && *p != 0x7f);
			vt_put(utf8(&p));
		}
	}
}

/* The terminal shows the canvas: every character, every look. */
static void vt_shows(const struct canvas *c, const struct picture_wish *wish)
{
	assert_true(c->width == vt.width && c->height == vt.height);
	for (u32 y = 0; y < c->height; y++)
		for (u32 x = 0; x < c->width; x++) {
			const struct cell *cell = &c->cell[(size_t)y * c->width + x];
			struct vt_cell *t = vt_at(x, y);

			if (t->ch != cell->ch || memcmp(t->mark, cell->mark, sizeof(t->mark)))
				fail_msg("row %u column %u: U+%04x instead of U+%04x", y, x, t->ch, cell->ch);
			if (cell->ch && (cell->ch != ' ' || look_of(cell, wish).reverse) &&
			    !look_same(t->look, look_of(cell, wish)))
				fail_msg("row %u column %u looks otherwise", y, x);
		}
}

/* --- pages and drawings --- */

/* An entity or a character of SGML. */
static u32 sgml_next(const char **p)
{
	static const struct {
		const char *name;
		char ch;
	} row[] = {{"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}};

	if (**p != '&')
		return utf8(p);
	for (u32 i = 0; i < ARRAY_LEN(row); i++)
		if (!strncmp(*p, row[i].name, strlen(row[i].name))) {
			*p += strlen(row[i].name);
			return (u8)row[i].ch;
		}
	fail_msg("an entity: %.10s", *p);
	return 0;
}

/* The page's text, without tags, is what the terminal shows. */
static void page_shows(const char *page, const struct canvas *c)
{
	const char *p = strstr(page, "<pre>"), *end = strstr(page, "</pre>");

	assert_true(p && end);
	vt_size(c->width, c->height + 1);
	for (p += 5; p < end;) {
		if (*p == '<') {
			p = strchr(p, '>') + 1;
		} else if (*p == '\n') {
			vt.x = 0;
			vt.y++;
			p++;
		} else {
			vt_put(sgml_next(&p));
		}
	}
	for (u32 i = 0; i < c->width * c->height; i++)
		assert_true(vt.cell[i].ch == c->cell[i].ch);
}

/* Is it drawn by rectangles: parts of a bar, rules? */
static bool drawn(u32 ch)
{
	return (ch >= 0x2500 && ch <= 0x2593 && ch != 0x2590) || ch == ' ';
}

/* The drawing's texts, put where they stand, are what is on the canvas but for what is drawn. */
static void drawing_shows(const char *svg, const struct canvas *c)
{
	u32 texts = 0, left = 0;

	vt_size(c->width, c->height);
	for (const char *p = svg; (p = strstr(p, "<text x=\"")); texts++) {
		double x, y, length;
		u32 from;

		assert_int_equal(sscanf(p, "<text x=\"%lf\" y=\"%lf\" textLength=\"%lf\"", &x, &y, &length), 3);
		from = vt.x = (u32)((x - 8) / 8.4 + 0.5);
		vt.y = (u32)((y - 8) / 17);
		for (p = strchr(p, '>') + 1; *p != '<';)
			vt_put(sgml_next(&p));
		assert_int_equal((u32)(length / 8.4 + 0.5), vt.x - from);
	}
	for (u32 i = 0; i < c->width * c->height; i++) {
		if (!drawn(c->cell[i].ch))
			assert_true(vt.cell[i].ch == c->cell[i].ch);
		left += drawn(c->cell[i].ch) && c->cell[i].ch != ' ';
	}
	assert_true(texts > 2 && (!left || strstr(svg, "<rect x=")));
}

/* Every `<` opens a tag that is closed, in order. */
static void is_balanced(const char *p)
{
	char open[16][16];
	u32 n = 0;

	for (; (p = strchr(p, '<')); p++) {
		size_t length = strcspn(p + 1, " />");
		const char *end = strchr(p, '>');

		assert_non_null(end);
		if (p[1] == '!' || end[-1] == '/' || !strncmp(p, "<meta", 5))
			continue;
		if (p[1] == '/') {
			assert_true(n && !strncmp(open[n - 1], p + 2, strlen(open[n - 1])));
			n--;
			continue;
		}
		assert_true(n < ARRAY_LEN(open) && length < sizeof(open[0]));
		memcpy(open[n], p + 1, length);
		open[n++][length] = '\0';
	}
	assert_int_equal(n, 0);
}

/* Every picture of the screen as it is. */
static void pictures_show(bool coloured, bool light)
{
	struct picture_wish wish = {.coloured = coloured, .light = light, .title = "a < b & \"c\""};
	struct text out[PICTURE_COUNT] = {{0}};
	struct canvas c;

	frame_now(&session, &c);
	for (u32 i = 0; i < PICTURE_COUNT; i++)
		picture_table[i].draw(&c, &wish, &out[i]);
	vt_size(c.width, c.height + 1);
	vt_write(out[PICTURE_ansi].s);
	vt.height--;
	vt_shows(&c, &wish);
	page_shows(out[PICTURE_html].s, &c);
	drawing_shows(out[PICTURE_svg].s, &c);
	is_balanced(out[PICTURE_html].s);
	is_balanced(out[PICTURE_svg].s);
	assert_non_null(strstr(out[PICTURE_svg].s, "a &lt; b &amp; &quot;c&quot;"));
	for (u32 i = 0; i < PICTURE_COUNT; i++)
		text_free(&out[i]);
	canvas_free(&c);
}

/* Layouts, sizes, colours. */
static void test_pictures(void **state)
{
	static const char *const layouts[] = {"layout default", "layout wide", "layout code", "layout timeline",
					      "layout lesson"};
	static const u32 size[][2] = {{80, 24}, {200, 50}, {41, 11}, {20, 3}};

	(void)state;
	must("goto 400");
	must("note \"漢字 and a\xcc\x81 < & > \\\"quoted\\\"\"");
	for (u32 i = 0; i < ARRAY_LEN(layouts); i++)
		for (u32 k = 0; k < ARRAY_LEN(size); k++) {
			session.columns = size[k][0];
			session.rows = size[k][1];
			must(layouts[i]);
			pictures_show(k & 1, i & 1);
		}
}

/* The end of a name tells the format. */
static void test_names(void **state)
{
	(void)state;
	assert_string_equal(picture_of("a.svg")->name, "svg");
	assert_string_equal(picture_of("/b.x/a.htm")->name, "html");
	assert_string_equal(picture_of("a.html")->name, "html");
	assert_string_equal(picture_of("a.ans")->name, "ansi");
	assert_string_equal(picture_of("a.ansi")->name, "ansi");
	assert_string_equal(picture_of("a.txt")->name, "text");
	assert_string_equal(picture_of("svg")->name, "text");
	assert_string_equal(picture_of("")->name, "text");
	assert_string_equal(picture_of("A.SVG")->name, "svg");
	assert_string_equal(picture_refused("x.png"), ".png");
	assert_string_equal(picture_refused("/b.svg/X.Jpeg"), ".jpeg");
	assert_string_equal(picture_refused(".pdf"), ".pdf");
	assert_null(picture_refused("png"));
	assert_null(picture_refused("x.png.svg"));
	assert_null(picture_refused("/x.png/y"));
	assert_null(picture_refused("x.screen"));
	assert_null(picture_refused(""));
}

/* A style that is reversed does not turn a bar into what is missing of it, nor does the focus. */
static void test_bars(void **state)
{
	struct picture_wish wish = {.coloured = true};
	struct canvas c;

	(void)state;
	canvas_init(&c, 10, 1, false);
	canvas_bar(&c, 0, 0, 10, 0, 100, STYLE_BARRIER);
	for (u32 i = 0; i < 10; i++)
		assert_false(look_of(&c.cell[i], &wish).reverse);
	canvas_bar(&c, 0, 0, 10, 33, 100, STYLE_BARRIER);
	canvas_focus(&c, 0);
	for (u32 i = 0; i < 10; i++)
		assert_true(look_of(&c.cell[i], &wish).reverse == (i > 3));
	canvas_free(&c);
}

/* --- recordings --- */

/* The file in which a folder's recording is until it ends. */
static void under_way(const char *folder, char *out, size_t size)
{
	DIR *d = opendir(folder);
	struct dirent *x;

	assert_non_null(d);
	*out = '\0';
	while ((x = readdir(d)))
		if (!strncmp(x->d_name, ".warpstep-", 10))
			snprintf(out, size, "%.60s/%.30s", folder, x->d_name);
	closedir(d);
}

/* Replay what a file holds; its events and its last time. */
static u32 replay(const char *name, double *time)
{
	FILE *f = fopen(name, "r");
	char *line = NULL;
	size_t size = 0;
	u32 n = 0;

	assert_non_null(f);
	for (; getline(&line, &size, f) > 0; n++) {
		json_t *j = json_loads(line, 0, NULL);
		unsigned width, height;

		assert_non_null(j);
		if (!n) {
			assert_int_equal(json_integer_value(json_object_get(j, "version")), 2);
			vt_size((u32)json_integer_value(json_object_get(j, "width")),
				(u32)json_integer_value(json_object_get(j, "height")));
		} else if (!strcmp(json_string_value(json_array_get(j, 1)), "r")) {
			assert_int_equal(sscanf(json_string_value(json_array_get(j, 2)), "%ux%u", &width, &height), 2);
			vt_size(width, height);
		} else {
			double now = json_real_value(json_array_get(j, 0));

			assert_true(now >= *time);
			*time = now;
			vt_write(json_string_value(json_array_get(j, 2)));
		}
		json_decref(j);
	}
	free(line);
	fclose(f);
	return n;
}

/* After every line the recording shows the screen as it is, at any size. */
static void test_recording(void **state)
{
	static const char *const lines[] = {"step 30",	       "layout wide",	"why",	    "print 1 + 1",
					    "layout timeline", "step 3",	"goto 200", "echo 漢字 漢",
					    "layout default",  "reverse-step 7"};
	struct picture_wish wish = {.coloured = true, .palette = true};
	char folder[] = "/tmp/warpstep-recording-XXXXXX", name[80], now[100], line[100];
	double time = 0;
	struct canvas c;
	u32 n;

	(void)state;
	assert_non_null(mkdtemp(folder));
	snprintf(name, sizeof(name), "%s/a.cast", folder);
	snprintf(line, sizeof(line), "record %s", name);
	session.columns = 90;
	session.rows = 26;
	must("goto 100");
	must("set style.background dark");
	must(line);
	for (u32 i = 0; i < ARRAY_LEN(lines); i++) {
		if (i == 4)
			session.columns = 131;
		must(lines[i]);
		under_way(folder, now, sizeof(now));
		n = replay(now, &time);
		frame_now(&session, &c);
		vt_shows(&c, &wish);
		canvas_free(&c);
		assert_true(n == 1 + 1 + 2 * (i + 1) + (i >= 4)); /* head, first frame, two a line, a new size */
		time = 0;
	}
	assert_int_not_equal(access(name, F_OK), 0);
	must("record off");
	replay(name, &time);
	assert_true(time == (double)ARRAY_LEN(lines) * session.config.record_pace / 1000);
	unlink(name);
	assert_int_equal(rmdir(folder), 0);
}

/* One at a time, an end only of what has begun; the machine does not know of it. */
static void test_one(void **state)
{
	char name[80], line[100];
	struct error e = {0};
	u64 before;

	(void)state;
	snprintf(name, sizeof(name), FILE_NAME, (int)getpid(), "two");
	snprintf(line, sizeof(line), "record %s", name);
	assert_int_equal(command_run_line(&session, "record off", NULL, 0, &e), STATUS_FAILED);
	must("goto 50");
	must("step 20");
	before = sim_hash(&session.sim);
	must("goto 50");
	must(line);
	must("step 20");
	assert_int_equal(sim_hash(&session.sim), before);
	assert_int_equal(command_run_line(&session, line, NULL, 0, &e), STATUS_FAILED);
	assert_non_null(strstr(e.message, "record off"));
	must("record off");
	unlink(name);
}

static int open_session(void **state)
{
	static const char *const setup[] = {"source scenarios/matmul.scn", "goto 0"};

	(void)state;
	return bed_session(setup, ARRAY_LEN(setup));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_names),	  cmocka_unit_test(test_bars), cmocka_unit_test(test_pictures),
		cmocka_unit_test(test_recording), cmocka_unit_test(test_one),
	};

	return cmocka_run_group_tests(tests, open_session, close_session);
}
