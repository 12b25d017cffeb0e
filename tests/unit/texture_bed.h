/*
 * texture_bed.h - what tests of textures and surfaces share: an object of random contents, and a line of PTX that each
 * thread executes on words of its own. To be included behind cmocka.h.
 */
#ifndef WARPSTEP_TESTS_TEXTURE_BED_H
#define WARPSTEP_TESTS_TEXTURE_BED_H

#include "ptx_bed.h"
#include "texture.h"

#define THREADS 64
#define MOST_BYTES (16 * 16 * 16 * 16)

/* A texture as the reference sees it. */
struct ref {
	struct texture t;
	u8 texel[MOST_BYTES];
};

static u64 state_of_random;

static inline u64 dice(u64 n)
{
	return mix64(++state_of_random) % n;
}

#define HEAD \
	".version 8.0\n.target sm_80\n.address_size 64\n.entry k(.param .u64 t, .param .u64 in, .param .u64 out)\n{\n" \
	".reg .b64 %d<9>; .reg .b32 %r<20>; .reg .b16 %h<9>; ld.param.u64 %d1, [t]; ld.param.u64 %d2, [in]; " \
	"ld.param.u64 %d3, [out]; mov.u32 %r0, %tid.x; mul.wide.u32 %d4, %r0, 16; add.u64 %d2, %d2, %d4; " \
	"add.u64 %d3, %d3, %d4; ld.global.v4.b32 {%r1, %r2, %r3, %r4}, [%d2];\n"
#define TAIL "\nst.global.v4.b32 [%d3], {%r5, %r6, %r7, %r8}; ret; }\n"

static const char *const coordinates_of[TEXTURE_SHAPES] = {
	"{%r1}", "{%r1, %r2}", "{%r1, %r2, %r3, %r3}", "{%r1, %r2, %r3, %r3}", "{%r1, %r2}", "{%r1, %r2, %r3, %r3}"};
static const char *const ptx_of[TEXTURE_SHAPES] = {"1d", "2d", "3d", "cube", "a1d", "a2d"};
static const u8 axes_of[TEXTURE_SHAPES] = {1, 2, 3, 2, 1, 2};

/* The object is a buffer that holds its description; its handle is the first argument. */
static inline void give_object(struct bed *b, struct ref *r)
{
	u64 data = add_buffer(b, "texels", MOST_BYTES), handle = add_buffer(b, "object", sizeof(struct texture));

	r->t.address = data;
	b->buffer[b->program.nbuffer - 1].texture = true;
	b->buffer[b->program.nbuffer - 1].init = memcpy(xmalloc(sizeof(r->t)), &r->t, sizeof(r->t));
	give(b, &handle, 8);
}

/* Run a line of code on words of each thread; what it leaves in r5 to r8 comes to `out`. */
static inline enum status run_words(struct ref *r, const char *code, u32 in[THREADS][4], u32 out[THREADS][4],
				    struct error *e)
{
	char text[2000];
	u64 from, to;
	struct bed b;
	enum status st;

	snprintf(text, sizeof(text), "%s%s%s", HEAD, code, TAIL);
	bed_text(&b, text, "k", 1, THREADS);
	give_object(&b, r);
	from = give_buffer(&b, THREADS * 16);
	to = give_buffer(&b, THREADS * 16);
	bed_fill(&b);
	store_poke(&b.store, r->t.address, r->texel, MOST_BYTES);
	store_poke(&b.store, from, in, THREADS * 16);
	st = bed_run(&b, e);
	store_read(&b.store, to, out, THREADS * 16);
	store_read(&b.store, r->t.address, r->texel, MOST_BYTES);
	for (u32 i = 0; i < b.program.nbuffer; i++)
		free(b.buffer[i].init);
	bed_close(&b);
	return st;
}

static inline void good_words(struct ref *r, const char *code, u32 in[THREADS][4], u32 out[THREADS][4])
{
	struct error e = {0};

	if (run_words(r, code, in, out, &e))
		fail_msg("%s: %s", code, e.message);
}

/* A texture of random size and contents; numbers of floating point are small and exact. */
static inline void random_texture(struct ref *r, u32 shape, u32 type, u32 channels)
{
	*r = (struct ref){.t = {.shape = (u8)shape, .type = (u8)type, .channels = (u8)channels}};
	r->t.width = 1 + (u32)dice(16);
	r->t.height = shape == TEXTURE_1D || shape == TEXTURE_A1D ? 1
		      : shape == TEXTURE_CUBE			  ? r->t.width
								  : 1 + (u32)dice(16);
	r->t.depth = shape == TEXTURE_CUBE ? 6 : shape == TEXTURE_1D || shape == TEXTURE_2D ? 1 : 1 + (u32)dice(9);
	for (u32 i = 0; i < MOST_BYTES; i++)
		r->texel[i] = (u8)dice(256);
	for (u32 i = 0; type == TEXEL_F32 && i < MOST_BYTES; i += 4)
		memcpy(r->texel + i, &(float){(float)dice(100000) / 64 - 700}, 4);
	for (u32 i = 0; type == TEXEL_F16 && i < MOST_BYTES; i += 2)
		r->texel[i + 1] &= 0xbf; /* no infinity, no NaN */
}

#endif
