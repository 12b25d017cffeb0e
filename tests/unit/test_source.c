/*
 * test_source.c - where instructions come from: functions within functions, their names, the text, stops on lines, the
 * panes' cursor.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka wants the four above before it */
#include <cmocka.h>

#include "session_bed.h"

#include "pane.h"
#include "ptx.h"
#include "source_text.h"
#include "tui.h"

#include <stdlib.h>
#include <string.h>

/* A module of text that must be read. */
static struct module *module_of(const char *body, const char *tail)
{
	struct text t = {0};
	struct module *m = NULL;
	struct error e = {0};

	text_add(&t,
		 ".version 7.5\n.target sm_75\n.address_size 64\n.file 1 \"dir/a.cu\"\n.file 2 \"b.h\"\n"
		 ".func (.reg .b32 %%o) twice(.reg .b32 %%i)\n{\n.loc 2 30 1\nadd.s32 %%o, %%i, %%i;\n"
		 ".loc 2 31 1, function_name $S0, inlined_at 2 30 1\nadd.s32 %%o, %%o, 1;\nret;\n}\n"
		 ".entry k()\n{\n.reg .b32 %%r<5>;\n%s\nexit;\n}\n%s",
		 body, tail);
	if (ptx_load_text("dir/a.ptx", t.s, t.len, &m, &e))
		fail_msg("%u: %s", e.line, e.message);
	text_free(&t);
	return m;
}

/* The chain of an instruction is such and such. */
static void assert_chain(const struct module *m, u32 pc, const char *want)
{
	struct text t = {0};

	text_addn(&t, "", 0);
	source_chain(&m->kernel[0], pc, &t);
	assert_string_equal(t.s, want);
	text_free(&t);
}

static const char *const strings = ".section .debug_str\n{\n$S0:\n.b8 95,90,51,97,100,100,102,102,0\n"
				   "$S1:\n.b8 95,90,78,50,110,115,53,115,99,97,108,101,69,102,0\n.b8 112,0\n}\n";

/* PTX ISA's own example, section 11.5: inlined in one that is inlined. */
static void inlined_twice(void **state)
{
	struct module *m = module_of(".loc 1 21 3\n.loc 1 9 3, function_name $S0, inlined_at 1 21 3\nmov.u32 %r1, 1;\n"
				     ".loc 1 27 3\n.loc 1 10 5, function_name $S1, inlined_at 1 27 3\n"
				     ".loc 1 15 3, function_name $S1+15, inlined_at 1 10 5\nmov.u32 %r2, %r1;\n"
				     ".loc 1 30 1\nmov.u32 %r3, %r2;",
				     strings);

	(void)state;
	assert_chain(m, 0, "a.cu:9 (add) inlined at a.cu:21");
	assert_chain(m, 1, "a.cu:15 (p) inlined at a.cu:10 (scale) inlined at a.cu:27");
	assert_chain(m, 2, "a.cu:30");
	assert_int_equal(m->nsite, 3);
	module_free(m);
}

/* A site that is named again is the same one; the same place in another function is another. */
static void same_site(void **state)
{
	struct module *m = module_of(".loc 1 9 3, function_name $S0, inlined_at 1 21 3\nmov.u32 %r1, 1;\n"
				     ".loc 1 10 3, function_name $S0, inlined_at 1 21 3\nmov.u32 %r2, 1;\n"
				     ".loc 1 10 3, function_name $S1, inlined_at 1 21 3\nmov.u32 %r3, 1;\n"
				     ".loc 1 11 3, inlined_at 1 21 3\nmov.u32 %r4, 1;",
				     strings);

	(void)state;
	assert_int_equal(m->nsite, 3);
	assert_chain(m, 1, "a.cu:10 (add) inlined at a.cu:21");
	assert_chain(m, 2, "a.cu:10 (scale) inlined at a.cu:21");
	assert_chain(m, 3, "a.cu:11 inlined at a.cu:21");
	module_free(m);
}

/* A function that is expanded at its calls stands there, and what the compiler inlined in it, in it. */
static void called(void **state)
{
	struct module *m = module_of(".loc 1 5 1\nmov.u32 %r1, 1;\ncall.uni (%r2), twice, (%r1);\n.loc 1 6 1\n"
				     "call.uni (%r3), twice, (%r2);\n",
				     strings);
	const struct kernel *k = &m->kernel[0];
	struct source_frame f;
	u32 found = 0;

	(void)state;
	for (u32 pc = 0; pc < k->ninst; pc++)
		if (source_frame(k, pc, 0, &f) && f.file == 2 && f.line == 31) {
			assert_chain(m, pc,
				     found++ ? "b.h:31 (add) inlined at b.h:30 (twice) called at a.cu:6"
					     : "b.h:31 (add) inlined at b.h:30 (twice) called at a.cu:5");
		}
	assert_int_equal(found, 2);
	module_free(m);
}

/* Names that cannot be told: no section, no such label, a section that is something else. */
static void no_names(void **state)
{
	static const char *const tail[] = {"", ".section .debug_str { $S9: .b8 65,0 }",
					   ".section .debug_str { .b32 1, 2 }",
					   ".section .debug_info { $S0: .b8 65,0 }"};

	(void)state;
	for (u32 i = 0; i < ARRAY_LEN(tail); i++) {
		struct module *m =
			module_of(".loc 1 9 3, function_name $S0+4, inlined_at 1 21 3\nmov.u32 %r1, 1;", tail[i]);

		assert_chain(m, 0, "a.cu:9 inlined at a.cu:21");
		module_free(m);
	}
}

/* The names that compilers mangle, as people write them. */
static void mangled(void **state)
{
	struct module *m = module_of(".loc 1 9 3, function_name $T, inlined_at 1 21 3\nmov.u32 %r1, 1;",
				     ".section .debug_str { $T: .b8 95,90,57,57,97,0 }");

	(void)state;
	assert_chain(m, 0, "a.cu:9 (_Z99a) inlined at a.cu:21");
	module_free(m);
}

/* --- the scenario slow.scn: its text, stops on its lines, the cursor --- */

static int open_slow(void **state)
{
	static const char *const line[] = {"gpu tiny",
					   "module scenarios/kernels/slow.ptx",
					   "buffer a f32[2048] random 3 -8 8 integer",
					   "buffer out f32[128]",
					   "launch slow grid 2 block 64 args a out 16",
					   "step 0"};

	(void)state;
	return bed_session(line, ARRAY_LEN(line));
}

/* The text is read from beside the module. */
static void text_is_read(void **state)
{
	const struct source_text *t = source_text(&session, session.program.module[0], 1);

	(void)state;
	assert_non_null(t);
	assert_string_equal(t->path, "scenarios/kernels/slow.cu");
	assert_int_equal(t->nlines, 22);
	assert_string_equal(t->line[12], "        sum += square(row[i]);");
	assert_null(source_text(&session, session.program.module[0], 7));
}

/* A stop on a line is on what the line calls, too: once where that begins. */
static void stops_on_lines(void **state)
{
	const struct breakpoint *b = add_break("slow.cu:13");

	(void)state;
	assert_int_equal(b->nspots, 1);
	assert_int_equal(b->spot[0].last, b->spot[0].pc + 1);
	b = add_break("slow.cu:5");
	assert_int_equal(b->nspots, 1);
	assert_int_equal(b->spot[0].pc, session.breaks->list[0]->spot[0].last);
	must("delete");
}

/* The cursor of the code pane, and the stop that a key makes there and takes away. */
static void cursor(void **state)
{
	struct text here = {0};
	struct error e = {0};

	(void)state;
	assert_false(desk_place(&session, &here));
	assert_int_equal(desk_move_cursor(&session, 1, &e), STATUS_FAILED);
	must("layout source");
	must("pane source");
	must("pane cursor -100");
	must("pane cursor +12");
	assert_true(desk_place(&session, &here));
	assert_string_equal(here.s, "slow.cu:13");
	text_clear(&here);
	must("pane cursor +100");
	desk_place(&session, &here);
	assert_string_equal(here.s, "slow.cu:22");
	text_clear(&here);
	must("layout code");
	must("pane code");
	must("pane cursor +3");
	must("pane cursor -1");
	desk_place(&session, &here);
	assert_string_equal(here.s, "pc 2 if kernel == 0");
	text_free(&here);
}

/* Sums of the pane hold at every stop, whichever file is shown. */
static void conserved(void **state)
{
	(void)state;
	must("layout default");
	for (u64 cycle = 0; cycle < 2000; cycle += 97) {
		json_t *data;

		go(cycle);
		data = pane_json(&session, PANE_source);
		assert_true(json_is_true(json_object_get(data, "holds")));
		json_decref(data);
	}
	go(0);
}

/* The line of an instruction is the innermost one in the folder of the kernel's file, dir/: that of b.h, which is not
 * there, is the line that calls it; that of dir/c.h is the user's own, and so is a device function in a.cu. */
static void users_line(void **state)
{
	static const char head[] = ".version 7.5\n.target sm_75\n.address_size 64\n.file 1 \"dir/a.cu\"\n"
				   ".file 2 \"b.h\"\n.file 3 \"dir/c.h\"\n.file 4 \"dir/sm_30_intrinsics.hpp\"\n"
				   ".visible .entry k()\n{\n.reg .b32 %r<9>;\n";
	static const char body[] = ".loc 2 9 3, function_name $S0, inlined_at 1 21 3\nmov.u32 %r1, 1;\n"
				   ".loc 3 9 3, function_name $S0, inlined_at 1 21 3\nmov.u32 %r2, 1;\n"
				   ".loc 4 9 3, function_name $S0, inlined_at 1 22 3\nmov.u32 %r3, 1;\n"
				   ".loc 1 9 3, function_name $S0, inlined_at 1 23 3\nmov.u32 %r4, 1;\n"
				   ".loc 1 24 3\nmov.u32 %r5, 1;\n.loc 2 5 3\nret;\n}\n";
	static const struct {
		u32 file, line;
	} want[] = {{1, 21}, {3, 9}, {1, 22}, {1, 9}, {1, 24}, {2, 5}};
	struct text t = {0};
	struct source_frame f;
	struct module *m;
	struct error e;

	(void)state;
	text_add(&t, "%s", head);
	text_add(&t, "%s", body);
	text_add(&t, "%s", strings);
	if (ptx_load_text("dir/a.ptx", t.s, t.len, &m, &e))
		fail_msg("%u: %s", e.line, e.message);
	for (u32 i = 0; i < ARRAY_LEN(want); i++) {
		assert_true(source_user(&m->kernel[0], i, &f));
		assert_int_equal(f.file, want[i].file);
		assert_int_equal(f.line, want[i].line);
	}
	module_free(m);
	text_free(&t);
}

int main(void)
{
	const struct CMUnitTest test[] = {
		cmocka_unit_test(inlined_twice), cmocka_unit_test(same_site),	   cmocka_unit_test(called),
		cmocka_unit_test(no_names),	 cmocka_unit_test(users_line),	   cmocka_unit_test(mangled),
		cmocka_unit_test(text_is_read),	 cmocka_unit_test(stops_on_lines), cmocka_unit_test(cursor),
		cmocka_unit_test(conserved),
	};

	return cmocka_run_group_tests(test, open_slow, close_session);
}
