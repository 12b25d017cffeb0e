/*
 * test_ptx_refused.c - a module of which some entries are not supported: the others load and run, those are kept by
 * name with the place and the reason; wrong text still refuses the whole file.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "ptx_bed.h"

#define HEAD ".version 7.0\n.target sm_75\n.address_size 64\n"
#define GOOD(name) \
	".visible .entry " name "(.param .u64 out)\n{ .reg .b32 %r<2>; .reg .b64 %rd<2>; ld.param.u64 %rd1, [out]; " \
	"mov.u32 %r1, 7; st.global.u32 [%rd1], %r1; ret; }\n"
#define SURED "sured.b.add.1d.u32.trap [%rd1, {%r1}], %r2;"

/* What is refused of a module with one good entry, `good`. */
struct refused {
	const char *text, *name;
	u32 line, column;
	const char *why;
};

static const struct refused rows[] = {
	/* an opcode on the list, one that is unknown, half precision */
	{HEAD ".entry bad() {\n" SURED "\n}\n" GOOD("good"), "bad", 5, 1, "reductions on surfaces are not modeled"},
	{HEAD GOOD("good") ".entry bad() {\n\tfrobnicate.u32 x;\n}\n", "bad", 7, 2,
	 "unknown instruction 'frobnicate.u32'"},
	/* a ';' among the directives in front of the body */
	{HEAD ".entry bad() .pragma \"nounroll\"; { " SURED " }\n" GOOD("good"), "bad", 4, 36,
	 "reductions on surfaces"},
	/* refused when its statements are lowered, with declarations and parameters */
	{HEAD ".entry bad(.param .u32 n) { .reg .b32 %r<2>; .shared .u32 s; mov.u32 %r1, %envreg3; }\n" GOOD("good"),
	 "bad", 4, 75, "device runtime"},
	/* in a function: only those that call it */
	{HEAD ".func f() {\n" SURED "\nret; }\n.entry bad() { call.uni f; ret; }\n" GOOD("good"), "bad", 5, 1,
	 "reductions on surfaces"},
	{HEAD ".extern .func f();\n.entry bad() { call.uni f; ret; }\n" GOOD("good"), "bad", 5, 25, "has no body"},
	/* a declaration outside: only those that use the name */
	{HEAD ".global .texref t;\n.entry bad() { .reg .b64 %r<2>; mov.u64 %r1, t; ret; }\n" GOOD("good"), "bad", 5, 46,
	 "'t' cannot be used because of line 4: '.texref' is not supported"},
	/* directives of the entry, its parameters */
	{HEAD ".entry bad() .reqnctapercluster 2 { ret; }\n" GOOD("good"), "bad", 4, 14, "clusters"},
	{HEAD ".entry bad(.param .u64 .ptr .const .align 4 x) { ret; }\n" GOOD("good"), "bad", 4, 29, ".const memory"},
};

static void loads_without_them(void **state)
{
	(void)state;
	for (u32 i = 0; i < ARRAY_LEN(rows); i++) {
		const struct refused *want = &rows[i];
		const struct refused_entry *r;
		struct bed b;
		u64 out;

		bed_text(&b, want->text, "good", 1, 32);
		assert_int_equal(b.module->nkernel, 1);
		assert_int_equal(b.module->nrefused, 1);
		r = &b.module->refused[0];
		if (strcmp(r->name, want->name) || r->line != want->line || r->column != want->column ||
		    !strstr(r->message, want->why))
			fail_msg("row %u: %s %u:%u: %s", i, r->name, r->line, r->column, r->message);
		out = give_buffer(&b, 4);
		bed_fill(&b);
		bed_good(&b);
		assert_int_equal(int_at(&b, out, 0), 7);
		bed_close(&b);
	}
}

/* A module that is refused as a whole. */
static void fails(const char *text, u32 line, u32 column, const char *why)
{
	struct module *m;
	struct error e = {0};

	assert_int_equal(ptx_load_text("t.ptx", text, strlen(text), &m, &e), STATUS_USAGE);
	assert_null(m);
	if (e.line != line || e.column != column || !strstr(e.message, why))
		fail_msg("%u:%u: %s", e.line, e.column, e.message);
}

static void wrong_text_refuses_all(void **state)
{
	(void)state;
	/* all are refused: the first reason */
	fails(HEAD ".entry a() {\n" SURED "\n}\n.entry b() {\nistypep.texref x;\n}\n", 5, 1, "reductions on surfaces");
	/* text that is wrong, before and behind one that is refused, and within it */
	fails(HEAD ".entry a() { ret }\n.entry b() { " SURED " }\n" GOOD("good"), 4, 18, "expected");
	fails(HEAD ".entry b() { " SURED " }\n.entry a() { .reg .b32 %r<2>; mov.u32 %r1; }\n" GOOD("good"), 5, 31,
	      "takes 2 operands");
	fails(HEAD ".entry b() { " SURED "\n\x01 }\n" GOOD("good"), 5, 1, "byte 0x01");
	fails(HEAD GOOD("good") ".entry b() { " SURED "\n", 6, 12, "never closed");
	/* the name of a refused entry is taken */
	fails(HEAD ".entry good() { " SURED " }\n" GOOD("good"), 5, 17, "declared twice");
	/* no kernel at all: why the declaration was refused */
	fails(HEAD ".global .texref t;\n", 4, 9, "texture references are not modeled");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(loads_without_them),
		cmocka_unit_test(wrong_text_refuses_all),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
