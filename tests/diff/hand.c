/*
 * hand.c - the second interpreter's own test: single instructions, and lanes that meet, with results worked out by hand
 * from the text of the PTX ISA.
 */
#include "diff.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* An instruction whose sources are %a, %b, %c and whose result is %d, registers of 64 bits cut to what it wants. */
static const struct {
	const char *text;
	u64 a, b, c, d;
} known[] = {
	/* 2^31 - 1 + 1 wraps, and is kept with .sat */
	{"add.s32 %w, %wa, %wb;", 0x7fffffff, 1, 0, 0x80000000},
	{"add.sat.s32 %w, %wa, %wb;", 0x7fffffff, 1, 0, 0x7fffffff},
	{"sub.sat.s32 %w, %wa, %wb;", 0x80000000, 1, 0, 0x80000000},
	/* (2^32 - 1)^2 = 2^64 - 2^33 + 1; (-1)(-1) = 1 */
	{"mul.hi.u32 %w, %wa, %wb;", 0xffffffff, 0xffffffff, 0, 0xfffffffe},
	{"mul.hi.s32 %w, %wa, %wb;", 0xffffffff, 0xffffffff, 0, 0},
	{"mul.wide.s32 %d, %wa, %wb;", 0xffffffff, 2, 0, 0xfffffffffffffffe},
	{"mul.hi.u64 %d, %da, %db;", ~0ULL, ~0ULL, 0, 0xfffffffffffffffe},
	/* of 24 bits: 0xffffff is -1; the upper 32 of 48 bits of (2^24 - 1)^2 = 0xfffffe000001 */
	{"mul24.lo.s32 %w, %wa, %wb;", 0x12ffffff, 5, 0, 0xfffffffb},
	{"mul24.hi.u32 %w, %wa, %wb;", 0xffffff, 0xffffff, 0, 0xfffffe00},
	{"mad.hi.sat.s32 %w, %wa, %wb, %wc;", 0x7fffffff, 0x7fffffff, 0x7fffffff, 0x7fffffff},
	{"sad.s32 %w, %wa, %wb, %wc;", 0xffffffff, 1, 10, 12},
	/* toward zero; the sign is the dividend's */
	{"div.s32 %w, %wa, %wb;", (u32)-7, 2, 0, (u32)-3},
	{"rem.s32 %w, %wa, %wb;", (u32)-7, 2, 0, (u32)-1},
	/* left open by the ISA; so GPUs do it */
	{"rem.s32 %w, %wa, %wb;", 7, 0, 0, 0xffffffff},
	{"div.u64 %d, %da, %db;", 7, 0, 0, ~0ULL},
	/* counts beyond the width: all out */
	{"shl.b32 %w, %wa, %wb;", 1, 32, 0, 0},
	{"shr.s32 %w, %wa, %wb;", 0x80000000, 99, 0, 0xffffffff},
	{"shr.u64 %d, %da, %wb;", 1ULL << 63, 63, 0, 1},
	{"shf.l.wrap.b32 %w, %wa, %wb, %wc;", 0x80000000, 1, 33, 3},
	{"shf.r.clamp.b32 %w, %wa, %wb, %wc;", 5, 7, 40, 7},
	{"bfe.s32 %w, %wa, %wb, %wc;", 0xf0, 4, 4, 0xffffffff},
	{"bfe.u32 %w, %wa, %wb, %wc;", 0x80000000, 31, 5, 1},
	{"bfi.b32 %w, %wa, %wb, 4, 8;", 0xab, 0xffffffff, 0, 0xfffffabf},
	{"bfind.s32 %w, %wa;", 0xffffff00, 0, 0, 7},
	{"bfind.shiftamt.u32 %w, %wa;", 0x80, 0, 0, 24},
	{"bfind.u64 %w, %da;", 0, 0, 0, 0xffffffff},
	{"clz.b64 %w, %da;", 1, 0, 0, 63},
	{"brev.b32 %w, %wa;", 1, 0, 0, 0x80000000},
	{"fns.b32 %w, %wa, 0, 3;", 0xb0, 0, 0, 7},
	{"bmsk.clamp.b32 %w, %wa, %wb;", 28, 8, 0, 0xf0000000},
	{"szext.wrap.s32 %w, %wa, %wb;", 0x88, 8, 0, 0xffffff88},
	{"prmt.b32 %w, %wa, %wb, 0x4b08;", 0x44332280, 0x88776655, 0, 0x550080ff},
	{"lop3.b32 %w, %wa, %wb, %wc, 0x96;", 0xff00ff00, 0xf0f0f0f0, 0xcccccccc, 0xc33cc33c},
	{"dp4a.s32.u32 %w, %wa, %wb, %wc;", 0x000000ff, 0x00000002, 10, 8},
	{"dp2a.hi.s32.u32 %w, %wa, %wb, %wc;", 0x0003ffff, 0x05040000, 0, 11},
	{"slct.s32.f32 %w, %wa, %wb, %wc;", 1, 2, 0x80000000, 1},
	{"slct.s32.f32 %w, %wa, %wb, %wc;", 1, 2, 0x7fc00000, 2},
	/* 1 + 2^-24 lies in the middle: to even, or up */
	{"add.rn.f32 %w, %wa, %wb;", 0x3f800000, 0x33800000, 0, 0x3f800000},
	{"add.rp.f32 %w, %wa, %wb;", 0x3f800000, 0x33800000, 0, 0x3f800001},
	/* x - x is +0, but -0 when rounded down */
	{"sub.rm.f32 %w, %wa, %wb;", 0x3f800000, 0x3f800000, 0, 0x80000000},
	/* (1 + 2^-23)^2 - (1 + 2^-22) = 2^-46 in one rounding */
	{"fma.rn.f32 %w, %wa, %wb, %wc;", 0x3f800001, 0x3f800001, 0xbf800002, 0x28800000},
	{"mul.ftz.f32 %w, %wa, %wb;", 0x3f7fffff, 0x00800000, 0, 0},
	{"mul.ftz.f16 %h, %ha, %hb;", 0x3bff, 0x8400, 0, 0x8000},
	{"rcp.rp.ftz.f32 %w, %wa;", 0x7e800001, 0, 0, 0},
	{"cvt.rn.ftz.f32.f64 %w, %da;", 0x380fffffe0000000, 0, 0, 0},
	{"cvt.rn.ftz.f32.f64 %w, %da;", 0x380ffffff0000000, 0, 0, 0x00800000},
	{"mul.rn.f32 %w, %wa, %wb;", 0x3f7fffff, 0x00800000, 0, 0x00800000},
	{"add.sat.f32 %w, %wa, %wb;", 0x7fc00000, 0x3f800000, 0, 0},
	{"add.f32 %w, %wa, %wb;", 0x7f800000, 0xff800000, 0, 0x7fffffff},
	{"min.f32 %w, %wa, %wb;", 0x00000000, 0x80000000, 0, 0x80000000},
	{"max.NaN.f32 %w, %wa, %wb;", 0x7f800001, 0x3f800000, 0, 0x7fffffff},
	{"min.xorsign.abs.f32 %w, %wa, %wb;", 0xc0000000, 0x3f800000, 0, 0xbf800000},
	{"div.rz.f64 %d, %da, %db;", 0x3ff0000000000000, 0x4008000000000000, 0, 0x3fd5555555555555},
	{"div.rp.f64 %d, %da, %db;", 0x3ff0000000000000, 0x4008000000000000, 0, 0x3fd5555555555556},
	{"sqrt.rn.f32 %w, %wa;", 0x40000000, 0, 0, 0x3fb504f3},
	/* a divisor above 2^126 makes zero; 1 / (1.75 x 2^1023) is denormal; of a NaN's upper word alone this may be
	   infinity */
	{"div.approx.f32 %w, %wa, %wb;", 0xbf800000, 0x7f000000, 0, 0x80000000},
	{"div.full.f32 %w, %wa, %wb;", 0x3f800000, 0x7f000000, 0, 0x00400000},
	{"rcp.approx.ftz.f64 %d, %da;", 0xffec000000000000, 0, 0, 1ULL << 63},
	{"rcp.approx.ftz.f64 %d, %da;", 0x7ff0000000000001, 0, 0, 0},
	{"rcp.approx.ftz.f64 %d, %da;", 0x7ff8000000000000, 0, 0, 0x7fffffff00000000},
	/* approximations are rounded as the exact values are */
	{"tanh.approx.f32 %w, %wa;", 0x3dadbc66, 0, 0, 0x3dad5204},
	{"tanh.approx.f32 %w, %wa;", 0x3dc41902, 0, 0, 0x3dc38027},
	{"ex2.approx.f32 %w, %wa;", 0x3ef67f9b, 0, 0, 0x3fb2b4ad},
	{"ex2.approx.f32 %w, %wa;", 0x3f0cdc37, 0, 0, 0x3fbb6efb},
	/* zeros are normal, what is below 2^-126 is not */
	{"testp.normal.f32 %p, %wa; selp.u32 %w, 1, 0, %p;", 0x80000000, 0, 0, 1},
	{"testp.normal.f32 %p, %wa; selp.u32 %w, 1, 0, %p;", 0x007fffff, 0, 0, 0},
	{"testp.normal.f64 %p, %da; selp.u32 %w, 1, 0, %p;", 0, 0, 0, 1},
	/* 65504 + 16 lies in the middle between the greatest half and what would be the next: infinity */
	{"add.f16 %h, %ha, %hb;", 0x7bff, 0x4c00, 0, 0x7c00},
	{"add.f16 %h, %ha, %hb;", 0x7bff, 0x4b00, 0, 0x7bff},
	{"fma.rn.relu.f16 %h, %ha, %hb, %hc;", 0xbc00, 0x3c00, 0, 0},
	{"add.bf16 %h, %ha, %hb;", 0x3f80, 0x3b80, 0, 0x3f80},
	{"add.f16x2 %w, %wa, %wb;", 0x3c004000, 0x3c003c00, 0, 0x40004200},
	{"set.lt.f16x2.f16x2 %w, %wa, %wb;", 0x3c003c00, 0x40003c00, 0, 0x3c000000},
	/* to integers: 2.5 to even, beyond the range, and what is no number */
	{"cvt.rni.s32.f32 %w, %wa;", 0x40200000, 0, 0, 2},
	{"cvt.rmi.s32.f32 %w, %wa;", 0xc0200000, 0, 0, (u32)-3},
	{"cvt.rzi.u32.f32 %w, %wa;", 0xbf800000, 0, 0, 0},
	{"cvt.rzi.s32.f32 %w, %wa;", 0x4f000000, 0, 0, 0x7fffffff},
	{"cvt.rzi.s32.f32 %w, %wa;", 0x7fc00000, 0, 0, 0},
	{"cvt.rzi.s32.f64 %w, %da;", 0x7ff8000000000000, 0, 0, 0x80000000},
	{"cvt.rzi.u64.f32 %d, %wa;", 0x7fc00000, 0, 0, 1ULL << 63},
	{"cvt.sat.u8.s32 %w, %wa;", 300, 0, 0, 255},
	{"cvt.s8.s32 %w, %wa;", 0x1ff, 0, 0, 0xffffffff},
	{"cvt.rn.f32.s32 %w, %wa;", 0x01000001, 0, 0, 0x4b800000},
	{"cvt.rp.f32.u64 %w, %da;", ~0ULL, 0, 0, 0x5f800000},
	{"cvt.rn.f16.f32 %h, %wa;", 0x477ff000, 0, 0, 0x7c00},
	{"cvt.rn.satfinite.f16.f32 %h, %wa;", 0x477ff000, 0, 0, 0x7bff},
	{"cvt.rn.f16x2.f32 %w, %wa, %wb;", 0x3f800000, 0x40000000, 0, 0x3c004000},
	/* 464 = 448 + 16 lies in the middle above the greatest e4m3; 2^-9 is its least, 2^-10 in the middle below: to
	   even, zero */
	{"cvt.rn.satfinite.e4m3x2.f32 %h, %wa, %wb;", 0x43e80000, 0x3a800000, 0, 0x7e00},
	{"cvt.rn.satfinite.e5m2x2.f32 %h, %wa, %wb;", 0xff800000, 0x7fc00000, 0, 0xfb7f},
	{"cvt.rn.f16x2.e5m2x2 %w, %ha;", 0x3c7c, 0, 0, 0x3c007c00},
	{"cvt.rna.tf32.f32 %w, %wa;", 0x3f801000, 0, 0, 0x3f802000},
	{"cvt.pack.sat.s8.s32.b32 %w, %wa, %wb, %wc;", 200, (u32)-200, 0x1234, 0x12347f80},
	{"add.cc.u32 %w, %wa, %wb; addc.u32 %w, 0, 0;", 0xffffffff, 1, 0, 1},
	{"sub.cc.u32 %w, %wa, %wb; subc.u32 %w, 5, 0;", 0, 1, 0, 4},
	{"mad.lo.cc.u32 %w, %wa, %wb, %wc; madc.hi.u32 %w, %wa, %wb, 0;", 0xffffffff, 2, 2, 2},
	/* lanes: 32 of them do the same, and lane 0 leaves its result */
	{"mov.u32 %w, %laneid; redux.sync.add.u32 %w, %w, -1;", 0, 0, 0, 496},
	{"mov.u32 %w, %laneid; shfl.sync.down.b32 %w, %w, 3, 31, -1;", 0, 0, 0, 3},
	{"mov.u32 %w, %laneid; shfl.sync.idx.b32 %w, %w, 9, 0x181f, -1;", 0, 0, 0, 1},
	{"mov.u32 %w, %laneid; setp.gt.u32 %p, %w, 29; vote.sync.ballot.b32 %w, %p, -1;", 0, 0, 0, 0xc0000000},
	{"mov.u32 %w, %laneid; and.b32 %w, %w, 7; match.any.sync.b32 %w, %w, -1;", 0, 0, 0, 0x01010101},
	{"mov.u32 %w, %laneid; setp.lt.u32 %p, %w, 5; bar.red.popc.u32 %w, 0, %p;", 0, 0, 0, 5},
	/* a loop that lane i leaves after i rounds; those that are left are counted: 31 after the first, 30 after two,
	   ... */
	{"mov.u32 %w, %laneid; mov.b32 %wa, -1; mov.b32 %wb, 0;\nL: setp.ne.u32 %p, %w, 0; vote.sync.ballot.b32 %wa, %p, %wa; @!%p bra M; "
	 "sub.u32 %w, %w, 1; popc.b32 %wc, %wa; add.u32 %wb, %wb, %wc; bra L;\nM: shfl.sync.idx.b32 %w, %wb, 31, 31, -1;",
	 0, 0, 0, 496},
};

static void task_of(struct task *t, u32 i)
{
	u64 in[3] = {known[i].a, known[i].b, known[i].c};

	*t = (struct task){
		.grid = {1, 1, 1}, .block = {32, 1, 1}, .in_bytes = sizeof(in), .out_bytes = 8, .kernel = "k"};
	t->in = xcalloc(1, sizeof(in));
	memcpy(t->in, in, sizeof(in));
	t->out = xcalloc(1, 8);
	t->text = xasprintf(
		".version 8.6\n.target sm_100\n.address_size 64\n.visible .entry k(.param .u64 in, .param .u64 out)\n{\n"
		".reg .pred %%p, %%q; .reg .b16 %%h, %%ha, %%hb, %%hc; .reg .b32 %%w, %%wa, %%wb, %%wc, %%t; "
		".reg .b64 %%d, %%da, %%db, %%dc, %%in, %%out;\n"
		"ld.param.u64 %%in, [in]; ld.param.u64 %%out, [out];\n"
		"ld.global.b64 %%da, [%%in]; ld.global.b64 %%db, [%%in+8]; ld.global.b64 %%dc, [%%in+16];\n"
		"cvt.u32.u64 %%wa, %%da; cvt.u32.u64 %%wb, %%db; cvt.u32.u64 %%wc, %%dc;\n"
		"cvt.u16.u64 %%ha, %%da; cvt.u16.u64 %%hb, %%db; cvt.u16.u64 %%hc, %%dc;\n"
		"%s\nmov.u32 %%t, %%laneid; setp.ne.u32 %%q, %%t, 0; @%%q exit;\nst.global.b%u [%%out], %%%c;\nret;\n}\n",
		known[i].text,
		strstr(known[i].text, " %d,")	? 64
		: strstr(known[i].text, " %h,") ? 16
						: 32,
		strstr(known[i].text, " %d,")	? 'd'
		: strstr(known[i].text, " %h,") ? 'h'
						: 'w');
}

/* TAP: one line for the second interpreter, one for ours. */
int hand_compare(void)
{
	int failed[2] = {0, 0};

	for (u32 i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		struct task t;
		u64 got[2] = {0, 0};
		char why[WHY] = "";

		task_of(&t, i);
		for (u32 who = 0; who < 2; who++)
			if ((who ? by_values(&t, (u8 *)&got[who], why) : by_lane(&t, (u8 *)&got[who], why)) ||
			    got[who] != known[i].d) {
				printf("# %s: %s gives %llx, not %llx %s\n", known[i].text,
				       who ? "ours" : "the second interpreter", got[who], known[i].d, why);
				failed[who]++;
			}
		task_free(&t);
	}
	printf("%sok 1 - the second interpreter gives what was worked out by hand\n", failed[0] ? "not " : "");
	printf("%sok 2 - and so do ours\n", failed[1] ? "not " : "");
	return failed[0] || failed[1];
}
