/*
 * ptx_heap.c - malloc and free in a kernel: device functions that a module has whose kernels call them, over a heap in
 * global memory (HEAP_BLOCKS, with HEAP_LISTS beside it; one for all modules of a program).
 *
 * A block has a power of two of bytes, 16 at least, behind 16 bytes of its own: whether it is in use, its size, the
 * next block of its list. Free blocks are in lists, one for each size and lane, since the lanes of a warp allocate at
 * once; a list's head has a count of its changes above the block's number, so that a compare-and-swap notices when
 * another thread was faster. malloc takes the first block of its own list; else new memory behind all blocks; else a
 * free block of any list of that size or a larger one; else it returns 0. free puts a block into the list of its lane,
 * and faults for an address that is none of a block in use. Deviation: CUDA does not say how its own heap works; this
 * one costs what its instructions cost.
 */
#include "ptx_internal.h"

/* Of HEAP_LISTS: bytes given out, bytes there are, whether a block was ever freed; then the heads of the lists from
 * byte 64 on. A block's number is 1 + its offset / 16. The word that says that block N is in use depends on N: memory
 * in a block is not taken for it. */
static const char library[] =
	".func (.param .b32 block) heap_take(.param .b32 list) {\n"
	"	.reg .pred %p<3>; .reg .b32 %r<4>; .reg .b64 %d<8>;\n"
	"	ld.param.u32 %r0, [list];\n"
	"	mov.u64 %d0, %heap_lists; mov.u64 %d1, %heap_blocks;\n"
	"	mad.wide.u32 %d0, %r0, 8, %d0;\n"
	"TRY:	ld.relaxed.gpu.global.u64 %d2, [%d0+64];\n"
	"	cvt.u32.u64 %r1, %d2;\n"
	"	setp.eq.u32 %p0, %r1, 0; @%p0 bra DONE;\n"
	"	mad.wide.u32 %d3, %r1, 16, %d1;\n"
	"	ld.relaxed.gpu.global.u32 %r2, [%d3-8];\n"
	"	shr.u64 %d4, %d2, 32; add.u64 %d4, %d4, 1; shl.b64 %d4, %d4, 32;\n"
	"	cvt.u64.u32 %d5, %r2; or.b64 %d4, %d4, %d5;\n"
	"	atom.relaxed.gpu.global.cas.b64 %d6, [%d0+64], %d2, %d4;\n"
	"	setp.ne.u64 %p1, %d6, %d2; @%p1 bra TRY;\n"
	"DONE:	st.param.u32 [block], %r1;\n"
	"	ret;\n"
	"}\n"
	".func (.param .b64 pointer) malloc(.param .b64 bytes) {\n"
	"	.reg .pred %p<6>; .reg .b32 %r<8>; .reg .b64 %d<10>;\n"
	"	.param .b32 list; .param .b32 block;\n"
	"	mov.u64 %d0, 0;\n"
	"	ld.param.u64 %d1, [bytes];\n"
	"	mov.u64 %d2, %heap_lists; mov.u64 %d3, %heap_blocks;\n"
	"	ld.global.u64 %d4, [%d2+8];\n"
	"	setp.eq.u64 %p0, %d1, 0; @%p0 bra DONE;\n"
	"	setp.gt.u64 %p1, %d1, %d4; @%p1 bra DONE;\n"
	"	max.u64 %d5, %d1, 16; sub.u64 %d5, %d5, 1;\n"
	"	clz.b64 %r0, %d5; sub.u32 %r0, 60, %r0;\n" /* 0: 16 bytes, 1: 32 */
	"	mov.u32 %r1, %laneid; mad.lo.u32 %r1, %r0, 32, %r1;\n"
	"	st.param.u32 [list], %r1;\n"
	"	call (block), heap_take, (list);\n"
	"	ld.param.u32 %r2, [block];\n"
	"	setp.ne.u32 %p2, %r2, 0; @%p2 bra TAKEN;\n"
	"	mov.u64 %d6, 16; shl.b64 %d6, %d6, %r0; add.u64 %d6, %d6, 16;\n"
	"	atom.relaxed.gpu.global.add.u64 %d7, [%d2], %d6;\n"
	"	add.u64 %d8, %d7, %d6;\n"
	"	setp.le.u64 %p3, %d8, %d4; @%p3 bra NEW;\n"
	"	neg.s64 %d6, %d6; red.relaxed.gpu.global.add.u64 [%d2], %d6;\n"
	"	ld.relaxed.gpu.global.u32 %r3, [%d2+16];\n"
	"	setp.eq.u32 %p3, %r3, 0; @%p3 bra DONE;\n"
	"	shl.b32 %r3, %r0, 5;\n"
	"OTHER:	st.param.u32 [list], %r3;\n"
	"	call (block), heap_take, (list);\n"
	"	ld.param.u32 %r2, [block];\n"
	"	setp.ne.u32 %p4, %r2, 0; @%p4 bra TAKEN;\n"
	"	add.u32 %r3, %r3, 1;\n"
	"	setp.lt.u32 %p5, %r3, 896; @%p5 bra OTHER;\n"
	"	bra DONE;\n"
	"NEW:	shr.u64 %d7, %d7, 4; cvt.u32.u64 %r2, %d7; add.u32 %r2, %r2, 1;\n"
	"	mad.wide.u32 %d9, %r2, 16, %d3;\n"
	"	st.relaxed.gpu.global.u32 [%d9-12], %r0;\n"
	"TAKEN:	mad.wide.u32 %d0, %r2, 16, %d3;\n"
	"	mad.lo.u32 %r4, %r2, -1640531535, 1;\n"
	"	st.relaxed.gpu.global.u32 [%d0-16], %r4;\n"
	"DONE:	st.param.u64 [pointer], %d0;\n"
	"	ret;\n"
	"}\n"
	".func free(.param .b64 pointer) {\n"
	"	.reg .pred %p<6>; .reg .b32 %r<8>; .reg .b64 %d<10>;\n"
	"	ld.param.u64 %d0, [pointer];\n"
	"	setp.eq.u64 %p0, %d0, 0; @%p0 bra DONE;\n"
	"	mov.u64 %d1, %heap_lists; mov.u64 %d2, %heap_blocks;\n"
	"	ld.global.u64 %d3, [%d1+8];\n"
	"	sub.u64 %d4, %d0, %d2; and.b64 %d5, %d4, 15;\n"
	"	setp.ge.u64 %p1, %d4, %d3; @%p1 bra BAD;\n"
	"	setp.ne.u64 %p2, %d5, 0; @%p2 bra BAD;\n"
	"	shr.u64 %d4, %d4, 4; cvt.u32.u64 %r0, %d4;\n"
	"	setp.eq.u32 %p3, %r0, 0; @%p3 bra BAD;\n"
	"	mad.lo.u32 %r1, %r0, -1640531535, 1; add.u32 %r2, %r1, 1;\n"
	"	atom.relaxed.gpu.global.cas.b32 %r3, [%d0-16], %r1, %r2;\n"
	"	setp.eq.u32 %p4, %r3, %r1; @%p4 bra GOOD;\n"
	"BAD:	call heap_bad_free, (%d0);\n"
	"	bra DONE;\n"
	"GOOD:	ld.relaxed.gpu.global.u32 %r4, [%d0-12];\n"
	"	mov.u32 %r5, %laneid; mad.lo.u32 %r4, %r4, 32, %r5;\n"
	"	cvt.u64.u32 %d6, %r0;\n"
	"	st.relaxed.gpu.global.u32 [%d1+16], 1;\n"
	"	mad.wide.u32 %d1, %r4, 8, %d1;\n"
	"TRY:	ld.relaxed.gpu.global.u64 %d7, [%d1+64];\n"
	"	st.relaxed.gpu.global.u32 [%d0-8], %d7;\n"
	"	fence.acq_rel.gpu;\n"
	"	shr.u64 %d8, %d7, 32; add.u64 %d8, %d8, 1; shl.b64 %d8, %d8, 32; or.b64 %d8, %d8, %d6;\n"
	"	atom.relaxed.gpu.global.cas.b64 %d9, [%d1+64], %d7, %d8;\n"
	"	setp.ne.u64 %p5, %d9, %d7; @%p5 bra TRY;\n"
	"DONE:	ret;\n"
	"}\n";

bool ptx_in_library(const struct ptx *p)
{
	return p->end == library + sizeof(library) - 1;
}

/* Is a function of this name declared and not defined? */
static bool is_wanted(const struct ptx *p, const char *name)
{
	const struct ptx_func *f = ptx_find_function(p, name, (u32)strlen(name));

	return f && !f->has_body;
}

void ptx_find_heap(struct ptx *p)
{
	struct ptx_place back = ptx_here(p);

	if (!is_wanted(p, "malloc") && !is_wanted(p, "free"))
		return;
	p->at = p->line_start = library;
	p->end = library + sizeof(library) - 1;
	ptx_note_functions(p);
	ptx_go(p, &back);
}

/* The heap's variables, made once for a module: the memory, and the lists, which know its size. */
static bool make_heap(struct ptx *p)
{
	struct module_symbol *y;

	if (p->heap_lists.size)
		return true;
	if (!ptx_common_variable(p, &p->heap_blocks, HEAP_BLOCKS, HEAP_BYTES) ||
	    !ptx_common_variable(p, &p->heap_lists, HEAP_LISTS, HEAP_LIST_BYTES))
		return false;
	y = &p->module->symbol[p->heap_lists.symbol];
	y->init = xcalloc(1, y->size);
	module_heap(p->module, HEAP_BYTES);
	return true;
}

bool ptx_heap_variable(struct ptx_work *w, const struct ptx_operand *o, const struct ptx_var **v)
{
	static const char lists[] = "%heap_lists", blocks[] = "%heap_blocks";

	if (o->s < library || o->s >= library + sizeof(library) || !make_heap(w->p))
		return false;
	w->k->reads_time = 1; /* which thread gets which block */
	if (o->len == strlen(lists) && !memcmp(o->s, lists, o->len))
		*v = &w->p->heap_lists;
	else if (o->len == strlen(blocks) && !memcmp(o->s, blocks, o->len))
		*v = &w->p->heap_blocks;
	return *v != NULL;
}
