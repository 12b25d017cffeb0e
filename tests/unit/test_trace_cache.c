/*
 * test_trace_cache.c - what was read of a large trace is kept: found again it is the same kernels, records and order of
 * paths; a file that has changed, bytes that are damaged, another program's file are read anew, and a place that cannot
 * be written is none.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cubin.h"
#include "trace.h"

#define RECORDS 28000u /* of 32 addresses that have nothing in common: some 170 bytes each */

static char folder[64];

static char *named(const char *name)
{
	static char path[4][256];
	static u32 turn;

	turn = (turn + 1) % 4;
	snprintf(path[turn], sizeof(path[turn]), "%s/%s", folder, name);
	return path[turn];
}

/* A kernel's file: a branch whose fewer lanes go first, then loads; its addresses follow from a seed. */
static void write_kernel(const char *name, u32 seed, u32 records)
{
	FILE *f = fopen(named(name), "wb");
	u64 x = seed;

	assert_non_null(f);
	fprintf(f,
		"-kernel name = k%04u\n-kernel id = 1\n-grid dim = (1,1,1)\n-block dim = (32,1,1)\n-shmem = 0\n-nregs = 8\n"
		"-binary version = 70\n-cuda stream id = 0\n-shmem base_addr = 0x7f0000000000\n"
		"-local mem base_addr = 0x7f1000000000\n-accelsim tracer version = 5\n-enable lineinfo = 0\n#traces\n"
		"#BEGIN_TB\n\nthread block = 0,0,0\n\nwarp = 0\ninsts = %u\n",
		seed, records + 5);
	fputs("0000 ffffffff 1 R9 IADD3 1 R3 0 0 \n0010 0000000f 0 BRA 0 0 64 0 \n0040 0000000f 1 R9 IADD3 1 R3 0 0 \n"
	      "0020 fffffff0 1 R9 IADD3 1 R3 0 0 \n",
	      f);
	for (u32 i = 0; i < records; i++) {
		fputs("0050 ffffffff 1 R2 LDG.E 1 R6 4 0", f);
		for (u32 l = 0; l < 32; l++) {
			x = x * 6364136223846793005ULL + 1442695040888963407ULL;
			fprintf(f, " 0x%llx", 0x7f2000000000ULL + (x >> 32) % 0x1000000000ULL / 4 * 4);
		}
		fputs(" \n", f);
	}
	fputs("00f0 ffffffff 0 EXIT 0 0 0 \n\n#END_TB\n", f);
	fclose(f);
}

/* Two kernels, one of them twice. */
static void write_trace(u32 seed)
{
	FILE *f = fopen(named("kernelslist.g"), "wb");

	assert_non_null(f);
	fputs("MemcpyHtoD,0x7f2000000000,64\nkernel-1.traceg\nkernel-2.traceg\nkernel-1.traceg\n", f);
	fclose(f);
	write_kernel("kernel-1.traceg", seed, RECORDS);
	write_kernel("kernel-2.traceg", seed + 1, 10);
}

static struct module *load(u32 how)
{
	struct error e = {0};
	struct module *m;

	if (trace_load(named("kernelslist.g"), how, &m, &e))
		fail_msg("%s:%u: %s", e.file, e.line, e.message);
	return m;
}

/* A number of all that the records of a kernel say, in one order of paths. */
static u64 play(const struct kernel *k, bool most_first)
{
	struct launch l = {.kernel = k};
	struct front_env env = {.launch = &l};
	struct front_result r = {0};
	struct trace_place at;
	u64 sum = 0;

	assert_true(trace_start(k, 0, 0, ~0u, most_first, &at));
	env.cursor = at.cursor;
	for (u32 pc = at.pc; !r.ended; pc = r.next, env.cursor = r.cursor) {
		trace_issue(&env, &k->inst[pc], &r);
		sum = sum * 31 + pc * 7 + r.mask;
		for (u32 i = 0; i < 32 && k->inst[pc].class == CLASS_LOAD; i++)
			sum = sum * 31 + r.address[i];
	}
	return sum;
}

/* The same kernels? */
static void check_equal(const struct module *a, const struct module *b)
{
	assert_int_equal(a->nkernel, b->nkernel);
	assert_string_equal(a->path, b->path);
	for (u32 i = 0; i < a->nkernel; i++) {
		const struct kernel *x = &a->kernel[i], *y = &b->kernel[i];

		assert_string_equal(x->name, y->name);
		assert_string_equal(kernel_symbol(x), kernel_symbol(y));
		assert_int_equal(x->ninst, y->ninst);
		assert_int_equal(x->borrowed, y->borrowed);
		assert_int_equal(x->regs, y->regs);
		assert_memory_equal(x->inst, y->inst, x->ninst * sizeof(*x->inst));
		for (u32 k = 0; k < x->ninst; k++)
			assert_string_equal(kernel_text(x, k), kernel_text(y, k));
		assert_int_equal(x->trace->records, y->trace->records);
		assert_int_equal(x->trace->hash, y->trace->hash);
		assert_ptr_equal(y->module, b);
		for (u32 most = 0; most < 2; most++)
			assert_int_equal(play(x, most), play(y, most));
	}
	assert_int_not_equal(play(&a->kernel[0], false), play(&a->kernel[0], true));
	assert_ptr_equal(b->kernel[2].inst, b->kernel[0].inst);
}

/* The files that are kept, the last one's path. */
static u32 kept(char path[static 512])
{
	DIR *d = opendir(named("cache/warpstep/traces"));
	u32 n = 0;

	for (struct dirent *f; d && (f = readdir(d));)
		if (f->d_name[0] != '.') {
			n++;
			snprintf(path, 512, "%s/%s", named("cache/warpstep/traces"), f->d_name);
		}
	if (d)
		closedir(d);
	return n;
}

/* Write other records under the times of those that were there: who does not read them does not notice. */
static void rewrite_unnoticed(u32 seed)
{
	struct stat st;

	assert_int_equal(stat(named("kernel-1.traceg"), &st), 0);
	write_kernel("kernel-1.traceg", seed, RECORDS);
	assert_int_equal(truncate(named("kernel-1.traceg"), st.st_size), 0);
	assert_int_equal(utimensat(AT_FDCWD, named("kernel-1.traceg"), (struct timespec[]){st.st_atim, st.st_mtim}, 0),
			 0);
}

static void a_kept_trace_is_the_same(void **state)
{
	struct module *read, *found, *plain;
	char path[512];

	(void)state;
	write_trace(1);
	plain = load(0);
	assert_int_equal(kept(path), 0);
	read = load(TRACE_KEPT);
	assert_int_equal(kept(path), 1);
	check_equal(plain, read);
	rewrite_unnoticed(1000);
	found = load(TRACE_KEPT);
	check_equal(plain, found);
	module_free(read);
	check_equal(plain, found);
	module_free(found);
	module_free(plain);
}

/* Bytes that have changed, an end that is missing: the trace is read, and kept again. */
static void a_damaged_file_is_not_used(void **state)
{
	static const long at[] = {100, 8 << 16, -200, -8, -60};
	struct module *plain = load(0), *m;
	char path[512];
	struct stat st;

	(void)state;
	for (u32 i = 0; i <= ARRAY_LEN(at); i++) {
		assert_int_equal(kept(path), 1);
		assert_int_equal(stat(path, &st), 0);
		if (i == ARRAY_LEN(at)) {
			assert_int_equal(truncate(path, st.st_size - 1), 0);
		} else {
			FILE *f = fopen(path, "r+b");
			int c;

			fseek(f, at[i], at[i] < 0 ? SEEK_END : SEEK_SET);
			c = fgetc(f);
			fseek(f, -1, SEEK_CUR);
			fputc(c ^ 1, f);
			fclose(f);
		}
		m = load(TRACE_KEPT);
		check_equal(plain, m);
		module_free(m);
		m = load(TRACE_KEPT);
		check_equal(plain, m);
		module_free(m);
	}
	module_free(plain);
}

/* A file that has changed, another wish: read anew. */
static void what_has_changed_is_read(void **state)
{
	struct module *old, *m, *plain;
	char path[512];

	(void)state;
	write_trace(1);
	old = load(TRACE_KEPT);
	write_trace(7);
	plain = load(0);
	m = load(TRACE_KEPT);
	check_equal(plain, m);
	assert_int_not_equal(m->kernel[0].trace->hash, old->kernel[0].trace->hash);
	module_free(m);
	module_free(old);
	rewrite_unnoticed(2000);
	m = load(TRACE_KEPT | TRACE_UNKNOWN_INT);
	assert_int_not_equal(m->kernel[0].trace->hash, plain->kernel[0].trace->hash);
	assert_int_equal(kept(path), 1);
	module_free(m);
	module_free(plain);
}

/* Small traces are not kept, and nobody needs a place to keep them. */
static void there_need_be_no_place(void **state)
{
	static const char *const place[] = {"/dev/null/cache", "/proc/cache", "relative", ""};
	struct module *plain, *m;
	char path[512];

	(void)state;
	write_trace(1);
	plain = load(0);
	for (u32 i = 0; i < ARRAY_LEN(place); i++) {
		setenv("XDG_CACHE_HOME", place[i], 1);
		setenv("HOME", i & 1 ? "" : "/dev/null", 1);
		m = load(TRACE_KEPT);
		check_equal(plain, m);
		module_free(m);
	}
	setenv("XDG_CACHE_HOME", named("cache"), 1);
	module_free(plain);
	assert_int_equal(kept(path), 1);
	assert_int_equal(unlink(path), 0);
	write_kernel("kernel-1.traceg", 1, 100);
	m = load(TRACE_KEPT);
	assert_int_equal(kept(path), 0);
	module_free(m);
}

/* What a cubin and a setting change of the kernels is not kept. */
static void what_is_added_later_is_not_kept(void **state)
{
	struct module *plain, *m;

	(void)state;
	write_trace(1);
	plain = load(0);
	m = load(TRACE_KEPT);
	for (u32 i = 0; i < 2; i++)
		trace_hardware_take(&m->kernel[i], true);
	module_free(m);
	m = load(TRACE_KEPT);
	check_equal(plain, m);
	assert_false(m->kernel[0].trace->hardware);
	assert_null(m->kernel[0].trace->bits);
	module_free(m);
	module_free(plain);
}

static int make_folder(void **state)
{
	(void)state;
	snprintf(folder, sizeof(folder), "/tmp/test_trace_cache.XXXXXX");
	if (!mkdtemp(folder))
		return -1;
	return setenv("XDG_CACHE_HOME", named("cache"), 1);
}

static int remove_folder(void **state)
{
	char command[128];

	(void)state;
	snprintf(command, sizeof(command), "rm -rf %s", folder);
	return system(command);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_kept_trace_is_the_same), cmocka_unit_test(a_damaged_file_is_not_used),
		cmocka_unit_test(what_has_changed_is_read), cmocka_unit_test(what_is_added_later_is_not_kept),
		cmocka_unit_test(there_need_be_no_place),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
