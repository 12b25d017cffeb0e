/*
 * test_ptx_isa.c - the list of PTX's instructions, which the manual prints: it has every instruction of the ISA's table
 * of contents; what it calls running loads and runs, statement by statement; what it calls refused is refused with a
 * reason, and leaves another kernel of the file alone.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "ptx_bed.h"

/* The titles of the sections on instructions in the table of contents of the PTX ISA, up to version 9.0. */
static const char *const contents[] = {
	/* integers */
	"add", "sub", "mul", "mad", "mul24", "mad24", "sad", "div", "rem", "abs", "neg", "min", "max", "popc", "clz",
	"bfind", "fns", "brev", "bfe", "bfi", "szext", "bmsk", "dp4a", "dp2a",
	/* with carry */
	"add.cc", "addc", "sub.cc", "subc", "mad.cc", "madc",
	/* floating point, in single, half and mixed precision */
	"testp", "copysign", "fma", "rcp", "rcp.approx.ftz.f64", "sqrt", "rsqrt", "rsqrt.approx.ftz.f64", "sin", "cos",
	"lg2", "ex2", "tanh",
	/* comparison, logic */
	"set", "setp", "selp", "slct", "and", "or", "xor", "not", "cnot", "lop3", "shf", "shl", "shr",
	/* data */
	"mov", "shfl", "shfl.sync", "prmt", "ld", "ld.global.nc", "ldu", "st", "st.async", "st.bulk",
	"multimem.ld_reduce", "multimem.st", "multimem.red", "prefetch", "prefetchu", "applypriority", "discard",
	"createpolicy", "isspacep", "cvta", "cvt", "cvt.pack", "mapa", "getctarank", "cp.async",
	"cp.async.commit_group", "cp.async.wait_group", "cp.async.bulk", "cp.reduce.async.bulk",
	"cp.async.bulk.prefetch", "cp.async.bulk.tensor", "cp.reduce.async.bulk.tensor",
	"cp.async.bulk.prefetch.tensor", "cp.async.bulk.commit_group", "cp.async.bulk.wait_group", "tensormap.replace",
	/* textures and surfaces */
	"tex", "tld4", "txq", "istypep", "suld", "sust", "sured", "suq",
	/* control */
	"{}", "@", "bra", "brx.idx", "call", "ret", "exit",
	/* synchronization */
	"bar", "barrier", "bar.warp.sync", "barrier.cluster", "membar", "fence", "atom", "red", "red.async", "vote",
	"vote.sync", "match.sync", "activemask", "redux.sync", "griddepcontrol", "elect.sync", "mbarrier.init",
	"mbarrier.inval", "mbarrier.expect_tx", "mbarrier.complete_tx", "mbarrier.arrive", "mbarrier.arrive_drop",
	"cp.async.mbarrier.arrive", "mbarrier.test_wait", "mbarrier.try_wait", "mbarrier.pending_count",
	"tensormap.cp_fenceproxy", "clusterlaunchcontrol.try_cancel", "clusterlaunchcontrol.query_cancel",
	/* matrices */
	"wmma.load", "wmma.store", "wmma.mma", "mma", "ldmatrix", "stmatrix", "movmatrix", "mma.sp", "wgmma.mma_async",
	"wgmma.mma_async.sp", "wgmma.fence", "wgmma.commit_group", "wgmma.wait_group", "tcgen05.alloc",
	"tcgen05.dealloc", "tcgen05.relinquish_alloc_permit", "tcgen05.ld", "tcgen05.st", "tcgen05.wait", "tcgen05.cp",
	"tcgen05.shift", "tcgen05.mma", "tcgen05.mma.sp", "tcgen05.mma.ws", "tcgen05.mma.ws.sp", "tcgen05.fence",
	"tcgen05.commit",
	/* stack, video, others */
	"stacksave", "stackrestore", "alloca", "vadd", "vsub", "vabsdiff", "vmin", "vmax", "vshl", "vshr", "vmad",
	"vset", "vadd2", "vsub2", "vavrg2", "vabsdiff2", "vmin2", "vmax2", "vset2", "vadd4", "vsub4", "vavrg4",
	"vabsdiff4", "vmin4", "vmax4", "vset4", "brkpt", "nanosleep", "pmevent", "trap", "setmaxnreg"};

/* Is a title a row: the first word of its name, or, after a comma, "dealloc" for "tcgen05.dealloc"? */
static bool is_row(const char *title)
{
	for (u32 i = 0; i < ptx_isa_rows; i++) {
		const char *name = ptx_isa_table[i].name, *comma = strchr(name, ',');
		size_t n = strcspn(name, " ,"), root = strcspn(name, ".");

		if (!ptx_isa_table[i].since)
			continue;
		if (strlen(title) == n && !memcmp(title, name, n))
			return true;
		if (comma && (!strcmp(comma + 2, title) ||
			      (root < n && !strncmp(title, name, root + 1) && !strcmp(title + root + 1, comma + 2))))
			return true;
	}
	return false;
}

static void every_title_has_a_row(void **state)
{
	(void)state;
	for (u32 i = 0; i < ARRAY_LEN(contents); i++)
		if (!is_row(contents[i]))
			fail_msg("%s is not in ptx_isa.def", contents[i]);
}

/* Names occur once; versions are those that PTX has had. */
static void rows_are_plausible(void **state)
{
	(void)state;
	assert_null(ptx_isa_table[0].since);
	for (u32 i = 0; i < ptx_isa_rows; i++) {
		const struct ptx_isa_row *r = &ptx_isa_table[i];
		double version = r->since ? strtod(r->since, NULL) : 1;

		if (version < 1 || version > 9)
			fail_msg("%s: version %s", r->name, r->since);
		for (u32 k = 0; k < i; k++)
			if (!strcmp(ptx_isa_table[k].name, r->name))
				fail_msg("%s stands in two rows", r->name);
	}
}

/* What runs, runs with results of statements in registers and memory; what does not has one line that says why. */
static void rows_are_true(void **state)
{
	u32 running = 0, refused = 0;

	(void)state;
	for (u32 i = 0; i < ptx_isa_rows; i++) {
		const struct ptx_isa_row *r = &ptx_isa_table[i];
		char *why = r->since ? ptx_isa_reason(r) : NULL, *text;
		struct bed b;

		if (!why)
			continue;
		if (r->runs ? *why : !*why || strchr(why, '\n') || strstr(why, "unknown") || strstr(why, "takes"))
			fail_msg("%s: '%s'", r->name, why);
		free(why);
		*(r->runs ? &running : &refused) += 1;
		if (!r->runs)
			continue;
		text = ptx_isa_kernel(r);
		bed_text(&b, text, "k", 1, 32);
		bed_fill(&b);
		bed_good(&b);
		bed_close(&b);
		free(text);
	}
	assert_true(running > 100 && refused > 50);
}

/* Each refused statement by itself, and a kernel beside it that runs. */
static void refused_rows_leave_others_alone(void **state)
{
	(void)state;
	for (u32 i = 0; i < ptx_isa_rows; i++) {
		const struct ptx_isa_row *r = &ptx_isa_table[i];
		struct text two = {0};
		struct bed b;
		char *text;

		if (!r->since || r->runs)
			continue;
		text = ptx_isa_kernel(r);
		text_add(&two, "%s.visible .entry other() { ret; }\n", text);
		bed_text(&b, two.s, "other", 1, 32);
		if (b.module->nkernel != 1 || b.module->nrefused != 1 || strcmp(b.module->refused[0].name, "k"))
			fail_msg("%s: %u kernels, %u refused", r->name, b.module->nkernel, b.module->nrefused);
		bed_fill(&b);
		bed_good(&b);
		bed_close(&b);
		text_free(&two);
		free(text);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {cmocka_unit_test(every_title_has_a_row),
						  cmocka_unit_test(rows_are_plausible), cmocka_unit_test(rows_are_true),
						  cmocka_unit_test(refused_rows_leave_others_alone)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
