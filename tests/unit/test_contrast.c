/*
 * test_contrast.c - every style can be read: the contrast of its text with what is behind it is at least 4.5:1 (WCAG 2,
 * level AA), on a dark background and on a light one, in the palette of 256 colors, in the eight colors of xterm, and
 * in drawings and pages.
 */
#include "picture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <math.h>
#include <string.h>

#define LEAST 4.5
#define FAINT (2.0 / 3) /* what xterm leaves of a dim color */

/* The eight colors of xterm, as they are and as bold ones; ordinary text and the background, dark and light. */
static const u32 xterm[2][8] = {{0x000000, 0xcd0000, 0x00cd00, 0xcdcd00, 0x0000ee, 0xcd00cd, 0x00cdcd, 0xe5e5e5},
				{0x7f7f7f, 0xff0000, 0x00ff00, 0xffff00, 0x5c5cff, 0xff00ff, 0x00ffff, 0xffffff}};
static const u32 text[2] = {0xe5e5e5, 0x000000}, background[2] = {0x000000, 0xffffff};

/* The linear value of one of the three parts of a color. */
static double part(u32 colour, u32 shift)
{
	double v = (colour >> shift & 0xff) / 255.0;

	return v <= 0.03928 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4);
}

/* Relative luminance. */
static double luminance(u32 colour)
{
	return 0.2126 * part(colour, 16) + 0.7152 * part(colour, 8) + 0.0722 * part(colour, 0);
}

static double contrast(u32 a, u32 b)
{
	double x = luminance(a), y = luminance(b);

	return (fmax(x, y) + 0.05) / (fmin(x, y) + 0.05);
}

/* So much of a color, and for the rest another. */
static u32 mix(u32 a, u32 b, double share)
{
	u32 out = 0;

	for (u32 shift = 0; shift < 24; shift += 8)
		out |= (u32)((a >> shift & 0xff) * share + (b >> shift & 0xff) * (1 - share)) << shift;
	return out;
}

static void check(const char *where, u32 style, bool light, u32 colour, u32 behind)
{
	double is = contrast(colour, behind);

	if (is < LEAST)
		fail_msg("style %s, %s, %s: %06x on %06x has a contrast of %.2f", style_table[style].name, where,
			 light ? "light" : "dark", colour, behind, is);
}

/* A cell of each style, as it is and changed. */
static void each(const char *where, bool palette, bool marked,
		 void (*one)(const char *where, u32 style, bool light, const struct look *l))
{
	for (u32 light = 0; light < 2; light++)
		for (u32 i = 0; i < STYLE_COUNT; i++)
			for (u32 changed = 0; changed < 1u + marked; changed++) {
				struct cell x = {.ch = 'L', .style = (u8)i, .changed = (u8)changed};
				struct picture_wish wish = {.coloured = true, .light = light, .palette = palette};
				struct look l = look_of(&x, &wish);

				one(where, i, light, &l);
			}
}

/* On a terminal of 256 colors. Dim: darker, as xterm does it, or nearer to the background, as others do. */
static void on_palette(const char *where, u32 style, bool light, const struct look *l)
{
	u32 colour = l->colour == NO_COLOUR ? text[light] : look_colour(l->colour, light);

	check(where, style, light, l->dim ? mix(colour, 0, FAINT) : colour, background[light]);
	if (l->dim)
		check(where, style, light, mix(colour, background[light], DIM_SHADE), background[light]);
}

/* On a terminal of eight colors, whose bold text may be brighter. */
static void on_eight(const char *where, u32 style, bool light, const struct look *l)
{
	for (u32 bright = 0; bright < 1u + l->bold; bright++) {
		u32 colour = l->colour == NO_COLOUR ? text[light] : xterm[bright][l->colour];

		check(where, style, light, l->dim ? mix(colour, 0, FAINT) : colour, background[light]);
	}
}

/* In a drawing or on a page. */
static void in_picture(const char *where, u32 style, bool light, const struct look *l)
{
	u32 colour = look_colour(l->colour, light), behind = look_background(light);

	check(where, style, light, l->dim ? mix(colour, behind, DIM_SHADE) : colour, behind);
}

static void test_palette(void **state)
{
	(void)state;
	each("256 colors", true, true, on_palette);
}

static void test_eight(void **state)
{
	(void)state;
	each("8 colors", false, false, on_eight);
}

static void test_pictures(void **state)
{
	(void)state;
	each("drawing", true, true, in_picture);
}

/* Black on white is 21:1; the formula's known values. */
static void test_formula(void **state)
{
	(void)state;
	assert_true(fabs(contrast(0x000000, 0xffffff) - 21) < 1e-9);
	assert_true(fabs(contrast(0x777777, 0xffffff) - 4.48) < 5e-3);
	assert_int_equal(look_colour(196, false), 0xff0000);
	assert_int_equal(look_colour(232, false), 0x080808);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_formula), cmocka_unit_test(test_palette),
					   cmocka_unit_test(test_eight), cmocka_unit_test(test_pictures)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
