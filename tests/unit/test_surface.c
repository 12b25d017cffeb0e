/*
 * test_surface.c - surface accesses against their addresses worked out again, queries, guards; faults of both kinds of
 * object, and what is refused.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "idempotence.h"
#include "texture_bed.h"

/* Sizes, as txq and suq give them. */
static void test_queries(void **state)
{
	u32 in[THREADS][4] = {{0}}, out[THREADS][4];
	static struct ref r;

	(void)state;
	random_texture(&r, TEXTURE_A2D, TEXEL_U8, 4);
	good_words(&r,
		   "txq.width.b32 %r5, [%d1]; txq.height.b32 %r6, [%d1]; txq.array_size.b32 %r7, [%d1]; "
		   "txq.num_mipmap_levels.b32 %r8, [%d1];",
		   in, out);
	assert_int_equal(out[5][0], r.t.width);
	assert_int_equal(out[5][1], r.t.height);
	assert_int_equal(out[5][2], r.t.depth);
	assert_int_equal(out[5][3], 1);
	r.t.surface = 1;
	good_words(&r, "suq.width.b32 %r5, [%d1]; suq.height.b32 %r6, [%d1]; suq.depth.b32 %r7, [%d1];", in, out);
	assert_int_equal(out[63][0], r.t.width);
	assert_int_equal(out[63][1], r.t.height);
	assert_int_equal(out[63][2], r.t.depth);
}

/* The byte that an access of a surface begins at, or the nearest that lies within; *inside: it does. */
static u64 ref_surface(const struct ref *r, const u32 *word, u32 bytes, bool *inside)
{
	bool layered = r->t.shape >= TEXTURE_A1D;
	long pitch = (long)(r->t.width * texture_texel_bytes(&r->t)), x = (i32)word[layered];
	long y = axes_of[r->t.shape] > 1 ? (i32)word[layered + 1] : 0;
	long z = layered ? (i32)word[0] : r->t.shape == TEXTURE_3D ? (i32)word[2] : 0;
	long last[] = {pitch - bytes, (long)r->t.height - 1, (long)r->t.depth - 1}, *at[] = {&x, &y, &z};

	*inside = true;
	for (u32 d = 0; d < 3; d++) {
		*inside &= *at[d] >= 0 && *at[d] <= last[d];
		*at[d] = *at[d] < 0 ? 0 : *at[d] > last[d] ? last[d] : *at[d];
	}
	return (u64)((z * (long)r->t.height + y) * pitch + x);
}

/* Loads of 1 to 16 bytes, inside and outside. */
static void test_surface_loads(void **state)
{
	static const char *const code[] = {"b8.%s {%%h1}", "b16.%s {%%h1}", "b32.%s {%%r5}", "v2.b32.%s {%%r5, %%r6}",
					   "v4.b32.%s {%%r5, %%r6, %%r7, %%r8}"};
	static const u32 shapes[] = {TEXTURE_1D, TEXTURE_2D, TEXTURE_3D, TEXTURE_A1D, TEXTURE_A2D};
	static struct ref r;

	(void)state;
	for (u32 trial = 0; trial < 100; trial++) {
		u32 in[THREADS][4], out[THREADS][4], width = trial / 5 % 5, bytes = 1u << width;
		bool zero = trial / 25 % 2, layered;
		char form[100], line[300];

		random_texture(&r, shapes[trial % 5], TEXEL_F32, 4);
		r.t.surface = 1;
		layered = r.t.shape >= TEXTURE_A1D;
		for (u32 i = 0; i < THREADS; i++)
			for (u32 d = 0; d < 4; d++)
				in[i][d] = d == layered ? ((u32)dice(24 * 16) - 64) / bytes * bytes : (u32)dice(20) - 2;
		snprintf(form, sizeof(form), code[width], zero ? "zero" : "clamp"); /* NOLINT: code has one %s each */
		snprintf(
			line, sizeof(line),
			"mov.b32 %%r5, 0; mov.b32 %%r6, 0; mov.b32 %%r7, 0; mov.b32 %%r8, 0; mov.b16 %%h1, 7; suld.b.%s.%s, [%%d1, %s];%s",
			ptx_of[r.t.shape], form, coordinates_of[r.t.shape], width < 2 ? " cvt.u32.u16 %r5, %h1;" : "");
		good_words(&r, line, in, out);
		for (u32 i = 0; i < THREADS; i++) {
			bool inside;
			u64 at = ref_surface(&r, in[i], bytes, &inside);
			u32 want[4] = {0};

			if (inside || !zero)
				memcpy(want, r.texel + at, bytes);
			assert_memory_equal(out[i], want, 16);
		}
	}
}

/* Stores: those outside are dropped with .zero, go to the nearest place with .clamp. */
static void test_surface_stores(void **state)
{
	static const u32 shapes[] = {TEXTURE_1D, TEXTURE_2D, TEXTURE_3D, TEXTURE_A1D, TEXTURE_A2D};
	static struct ref r, want;

	(void)state;
	for (u32 trial = 0; trial < 40; trial++) {
		u32 in[THREADS][4], out[THREADS][4];
		bool zero = trial / 5 % 2, layered;
		char line[300];

		random_texture(&r, shapes[trial % 5], TEXEL_U32, 1);
		r.t.surface = 1;
		layered = r.t.shape >= TEXTURE_A1D;
		for (u32 i = 0; i < THREADS; i++)
			for (u32 d = 0; d < 4; d++)
				in[i][d] = d == layered ? ((u32)dice(20 * 4) - 8) / 4 * 4 : (u32)dice(20) - 2;
		want = r;
		for (u32 i = 0; i < THREADS; i++) {
			bool inside;
			u64 at = ref_surface(&r, in[i], 4, &inside);

			if (inside || !zero)
				memcpy(want.texel + at, &(u32){1000}, 4);
		}
		snprintf(line, sizeof(line), "mov.b32 %%r5, 1000; sust.b.%s.b32.%s [%%d1, %s], {%%r5};",
			 ptx_of[r.t.shape], zero ? "zero" : "clamp", coordinates_of[r.t.shape]);
		good_words(&r, line, in, out);
		assert_memory_equal(r.texel, want.texel, MOST_BYTES);
	}
}

/* A guard keeps lanes out of all that a .zero access becomes: those that are odd, or even. */
static void test_guarded(void **state)
{
	u32 in[THREADS][4] = {{0}}, out[THREADS][4];
	static struct ref r;
	char code[300];

	(void)state;
	random_texture(&r, TEXTURE_1D, TEXEL_U32, 1);
	r.t.surface = 1;
	r.t.width = 16;
	for (u32 i = 0; i < THREADS; i++)
		in[i][0] = 4 * (i % 32);
	for (u32 odd = 0; odd < 2; odd++) {
		snprintf(code, sizeof(code),
			 "{ .reg .pred %%p; mov.b32 %%r5, 77; and.b32 %%r6, %%r0, 1; setp.eq.b32 %%p, %%r6, 0; "
			 "@%s%%p suld.b.1d.b32.zero {%%r5}, [%%d1, {%%r1}]; }",
			 odd ? "!" : "");
		good_words(&r, code, in, out);
		for (u32 i = 0; i < THREADS; i++) {
			u32 want = i % 2 == odd ? 0 : 77;

			if (i % 2 == odd && i % 32 < 16)
				memcpy(&want, r.texel + 4 * (i % 32), 4);
			assert_int_equal(out[i][0], want);
		}
	}
}

static void faults_with(struct ref *r, const char *code, u32 in[THREADS][4], const char *part)
{
	u32 out[THREADS][4];
	struct error e = {0};

	assert_int_not_equal(run_words(r, code, in, out, &e), STATUS_OK);
	if (!strstr(e.message, part))
		fail_msg("%s: '%s' has no '%s'", code, e.message, part);
}

/* Handles that are none, are of something else; places outside with .trap. */
static void test_faults(void **state)
{
	u32 in[THREADS][4] = {{0}};
	static struct ref r;

	(void)state;
	random_texture(&r, TEXTURE_2D, TEXEL_F32, 1);
	r.t.width = r.t.height = 4;
	faults_with(&r, "tex.1d.v4.f32.s32 {%r5, %r6, %r7, %r8}, [%d1, {%r1}];", in,
		    "object: 2d 4,4 f32 point clamp (`texture` declares a texture, here 1d)");
	faults_with(&r, "tex.2d.v4.f32.s32 {%r5, %r6, %r7, %r8}, [%d2, {%r1, %r1}];", in, "no such texture: lane 0");
	faults_with(&r, "tex.2d.v4.f32.s32 {%r5, %r6, %r7, %r8}, [%d4, {%r1, %r1}];", in, "handle 0x0 is in no buffer");
	faults_with(&r, "suld.b.2d.b32.trap {%r5}, [%d1, {%r1, %r1}];", in, "no such surface");
	faults_with(&r, "suq.width.b32 %r5, [%d1];", in, "no such surface");
	r.t.surface = 1;
	faults_with(&r, "txq.width.b32 %r5, [%d1];", in, "no such texture");
	in[7][0] = 16;
	in[7][1] = 1;
	faults_with(&r, "suld.b.2d.b32.trap {%r5}, [%d1, {%r1, %r2}];", in, "surface access out of bounds: lane 7");
	in[7][0] = 2;
	faults_with(&r, "suld.b.2d.b32.trap {%r5}, [%d1, {%r1, %r2}];", in, "misaligned address: lane 7");
}

/* A surface that is written over the texels that a texture reads, or beside them: does its store trip? */
static bool surface_trips(bool same, char *why)
{
	static const char code[] =
		".version 8.0\n.target sm_80\n.address_size 64\n.entry k(.param .u64 t, .param .u64 s)\n{\n"
		".reg .b64 %d<3>; .reg .b32 %r<6>; ld.param.u64 %d1, [t]; ld.param.u64 %d2, [s]; mov.u32 %r1, %tid.x;\n"
		"tex.1d.v4.f32.s32 {%r2, %r3, %r4, %r5}, [%d1, {%r1}]; sust.b.1d.b32.clamp [%d2, {%r1}], {%r2}; ret; }\n";
	struct texture t = {.width = 64, .height = 1, .depth = 1, .type = TEXEL_F32, .channels = 1}, u = t;
	struct text reason = {0};
	struct idempotence *x;
	struct bed b;
	bool trips;

	bed_text(&b, code, "k", 1, 32);
	t.address = add_buffer(&b, "texels", 256);
	u.address = same ? t.address : add_buffer(&b, "others", 256);
	u.surface = 1;
	for (u32 i = 0; i < 2; i++) {
		u64 handle = add_buffer(&b, "object", sizeof(t));

		b.buffer[b.program.nbuffer - 1].texture = true;
		b.buffer[b.program.nbuffer - 1].init = (u8 *)(i ? &u : &t);
		give(&b, &handle, 8);
	}
	bed_fill(&b);
	x = idempotence_make(&b.program, &b.launch);
	trips = x->marked;
	idempotence_reason(x, &b.program, 5, &reason);
	snprintf(why, 200, "%s", reason.s);
	text_free(&reason);
	idempotence_free(x);
	bed_close(&b);
	return trips;
}

/* Handles stand for the data of their objects. */
static void test_idempotence(void **state)
{
	char why[200];

	(void)state;
	assert_true(surface_trips(true, why));
	assert_string_equal(why, "overwrites buffer texels, which is read at 3");
	assert_false(surface_trips(false, why));
	assert_string_equal(why, "idempotent");
}

/* What is not taken apart is refused, or wrong. */
static void test_refused(void **state)
{
	static const char *const row[][2] = {
		{"tex.2d.v4.f16.f32 {%r5, %r6, %r7, %r8}, [%d1, {%r1, %r2}];", "supported fetches"},
		{"tex.2dms.v4.f32.s32 {%r5, %r6, %r7, %r8}, [%d1, {%r1, %r2}];", "supported fetches"},
		{"tex.cube.v4.f32.s32 {%r5, %r6, %r7, %r8}, [%d1, {%r1, %r2, %r3, %r3}];", "supported fetches"},
		{"tex.2d.v4.f32.f32 {%r5, %r6, %r7, %r8}, [%d1, {%r1, %r2}], %r3;", "offsets, comparisons"},
		{"tex.2d.v4.f32.f32 {%r5, %r6, %r7, %r8}, [%d1, {%r1}];", "takes 2 coordinates"},
		{"tex.1d.v4.f32.f32 {%r5, %r6, %r7, %r8}, [%d1, {%r1, %r2}];", "takes 1 coordinate,"},
		{"tex.1d.v4.f32.f32 {%r5, %r6, %r7}, [%d1, {%r1}];", "vector of 4 registers"},
		{"tex.1d.v4.f32.f32 {%r5, %r6, %r7, %r8}, [%d1+8, {%r1}];", "[handle, {coordinates}]"},
		{"tex.1d.v4.f32.f32 {%r5, %r6, %r7, %r8}, [%r1, {%r1}];", "64"},
		{"tex.1d.v4.f32.f32 {%r5, %r6, %r7, %r8}, [other, {%r1}];", "texture references are not modeled"},
		{"tex.1d.v4.f32.f32 {%r5, %r6, %r7, %r8}, [%d1, {[%r1]}];", "expected an operand"},
		{"ld.global.b32 %r5, [%d1, {%r1}];", "takes no coordinates"},
		{"tld4.r.3d.v4.f32.f32 {%r5, %r6, %r7, %r8}, [%d1, {%r1, %r2, %r3, %r3}];", "supported gathers"},
		{"txq.channel_order.b32 %r5, [%d1];", "supported queries"},
		{"sust.p.2d.b32.trap [%d1, {%r1, %r2}], {%r3};", "use sust.b"},
		{"suld.b.cube.b32.trap {%r5}, [%d1, {%r1, %r2, %r3, %r3}];", "supported accesses"},
		{"suld.b.2d.v4.b64.trap {%d4, %d5, %d6, %d7}, [%d1, {%r1, %r2}];", "supported accesses"},
		{"suld.b.2d.v2.b32.trap {%r5}, [%d1, {%r1, %r2}];", "needs 2 registers"},
		{"suld.b.2d.b32 {%r5}, [%d1, {%r1, %r2}];", "supported accesses"},
	};

	(void)state;
	for (u32 i = 0; i < ARRAY_LEN(row); i++) {
		struct module *m = NULL;
		struct error e = {0};
		char text[1500];
		enum status st;

		snprintf(text, sizeof(text), "%s%s%s", HEAD, row[i][0], TAIL);
		st = ptx_load_text("t.ptx", text, strlen(text), &m, &e);
		if (!st && m->nrefused)
			snprintf(e.message, sizeof(e.message), "%s", m->refused[0].message);
		if (!strstr(e.message, row[i][1]))
			fail_msg("%s: '%s' has no '%s'", row[i][0], e.message, row[i][1]);
		if (m)
			module_free(m);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_queries),	       cmocka_unit_test(test_surface_loads),
		cmocka_unit_test(test_surface_stores), cmocka_unit_test(test_guarded),
		cmocka_unit_test(test_faults),	       cmocka_unit_test(test_idempotence),
		cmocka_unit_test(test_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
