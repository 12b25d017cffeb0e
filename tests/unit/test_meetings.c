/*
 * test_meetings.c - random kernels whose lanes part and meet in warp-synchronous instructions: whatever the size of
 * slices and whatever gangs do, the values are those that each lane works out for itself.
 *
 * A kernel is a nest of blocks, each executed by a set of lanes of every warp that is known when it is made: so is who
 * exchanges with whom, and the reference executes the nest for one set of lanes after the other. Masks part the 32
 * lanes in two to four, at random or in a pattern that parts every slice.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka wants the four above before it */
#include <cmocka.h>

#include "session_ops.h"
#include "lang.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define THREADS 96 /* of a launch: two warps and one */
#define WARPS (THREADS / WARP_LANES)

/* What a block does, a step at a time. */
enum deed {
	DEED_MIX,
	DEED_LOAD,
	DEED_SPIN,
	DEED_BALLOT,
	DEED_SHFL,
	DEED_MATCH,
	DEED_SYNC,
	DEED_ACTIVE,
	DEED_EACH,
	DEED_PART,
	DEEDS
};

/* A kernel in the making: its text, and the value of each lane so far. */
struct made {
	struct text ptx;
	u32 value[THREADS];
	u32 labels, left; /* steps that it may still have */
};

static u64 seed, drawn; /* of the kernel; numbers drawn for it */

static u32 draw(u32 n)
{
	return (u32)random_value(seed, drawn++, 0, n - 1, true);
}

/* Lanes of a mask, lowest first. */
#define EACH_LANE(l, mask) \
	for (u32 l##_left = (mask), l; l##_left && (l = (u32)__builtin_ctz(l##_left), true); l##_left &= l##_left - 1)

/* Part lanes in two to four, some of which may be empty: at random, or by their places within their slice. */
static u32 part(u32 lanes, u32 parts[4])
{
	u32 n = 2 + draw(3), stride = 1u << draw(3);
	bool pattern = draw(2);

	memset(parts, 0, 4 * sizeof(*parts));
	EACH_LANE(l, lanes)
	parts[pattern ? l / stride % n : draw(n)] |= 1u << l;
	return n;
}

static u32 load_of(u32 v)
{
	return v % THREADS + 5; /* buffer in: iota 5 */
}

static void say(struct made *k, const char *line)
{
	text_add(&k->ptx, "\t%s\n", line);
}

/* The bits of those lanes of a warp for whose value `bit` is set. */
static u32 ballot(const struct made *k, u32 w, u32 lanes, u32 bit)
{
	u32 out = 0;

	EACH_LANE(l, lanes)
	out |= (u32)((k->value[w * WARP_LANES + l] & bit) != 0) << l;
	return out;
}

/* %m becomes the mask with which each lane goes: its part of `lanes`. */
static void say_masks(struct made *k, const u32 *part, u32 n)
{
	text_add(&k->ptx, "\tmov.u32 %%m, %u;\n", part[0]);
	for (u32 i = 1; i < n; i++)
		text_add(&k->ptx,
			 "\tmov.u32 %%t, %u;\n\tshr.u32 %%u, %%t, %%lane;\n\tand.b32 %%u, %%u, 1;\n"
			 "\tsetp.ne.u32 %%p, %%u, 0;\n\tselp.u32 %%m, %%t, %%m, %%p;\n",
			 part[i]);
}

/* Lanes exchange ballots, those of each part among themselves: all stand in one instruction. */
static void do_ballot(struct made *k, const u32 *part, u32 n)
{
	u32 bit = 1u << draw(4);

	say_masks(k, part, n);
	text_add(&k->ptx,
		 "\tand.b32 %%t, %%r, %u;\n\tsetp.ne.u32 %%p, %%t, 0;\n\tvote.sync.ballot.b32 %%t, %%p, %%m;\n"
		 "\tmad.lo.u32 %%r, %%t, 5, %%r;\n",
		 bit);
	for (u32 w = 0; w < WARPS; w++)
		for (u32 i = 0; i < n; i++) {
			u32 votes = ballot(k, w, part[i], bit);

			EACH_LANE(l, part[i])
			k->value[w * WARP_LANES + l] += votes * 5;
		}
}

/* Lanes get the value of one of them. */
static void do_shfl(struct made *k, u32 lanes)
{
	u32 from = draw(WARP_LANES);

	while (!(lanes >> from & 1))
		from = draw(WARP_LANES);
	text_add(&k->ptx,
		 "\tshfl.sync.idx.b32 %%t, %%r, %u, 31, %u;\n\tadd.u32 %%r, %%r, %%t;\n\tadd.u32 %%r, %%r, %%lane;\n",
		 from, lanes);
	for (u32 w = 0; w < WARPS; w++) {
		u32 given = k->value[w * WARP_LANES + from];

		EACH_LANE(l, lanes)
		k->value[w * WARP_LANES + l] += given + l;
	}
}

/* Lanes learn who has the same low bits. */
static void do_match(struct made *k, u32 lanes)
{
	text_add(&k->ptx, "\tand.b32 %%t, %%r, 3;\n\tmatch.any.sync.b32 %%t, %%t, %u;\n\txor.b32 %%r, %%r, %%t;\n",
		 lanes);
	for (u32 w = 0; w < WARPS; w++) {
		u32 *v = &k->value[w * WARP_LANES], same[WARP_LANES] = {0};

		EACH_LANE(l, lanes)
		EACH_LANE(o, lanes)
		same[l] |= (u32)((v[o] & 3) == (v[l] & 3)) << o;
		EACH_LANE(l, lanes)
		v[l] ^= same[l];
	}
}

/* Lanes go round as often as their values say, and so come late by different times. */
static void do_spin(struct made *k, u32 lanes)
{
	u32 label = k->labels++;

	text_add(&k->ptx,
		 "\tand.b32 %%t, %%r, 7;\nspin%u:\n\tsetp.eq.u32 %%p, %%t, 0;\n\t@%%p bra spun%u;\n"
		 "\tmad.lo.u32 %%r, %%r, 1664525, 7;\n\tsub.u32 %%t, %%t, 1;\n\tbra spin%u;\nspun%u:\n",
		 label, label, label, label);
	for (u32 w = 0; w < WARPS; w++)
		EACH_LANE(l, lanes)
		{
			u32 *v = &k->value[w * WARP_LANES + l];

			for (u32 n = *v & 7; n; n--)
				*v = *v * 1664525 + 7;
		}
}

/* What each lane does alone. */
static void do_alone(struct made *k, u32 lanes, enum deed what)
{
	say(k, what == DEED_LOAD ? "rem.u32 %t, %r, 96;\n\tmul.wide.u32 %rd3, %t, 4;\n\tadd.u64 %rd3, %rd3, %rd2;\n"
				   "\tld.global.u32 %t, [%rd3];\n\tadd.u32 %r, %r, %t;"
	       : what == DEED_ACTIVE
		       ? "activemask.b32 %t;\n\tshr.u32 %t, %t, %lane;\n\tand.b32 %t, %t, 1;\n\tadd.u32 %r, %r, %t;"
		       : "mad.lo.u32 %r, %r, 22695477, 3;");
	for (u32 w = 0; w < WARPS; w++)
		EACH_LANE(l, lanes)
		{
			u32 *v = &k->value[w * WARP_LANES + l];

			*v = what == DEED_LOAD ? *v + load_of(*v) : what == DEED_ACTIVE ? *v + 1 : *v * 22695477 + 3;
		}
}

static void block(struct made *k, u32 lanes, u32 depth);

/* Lanes part: each part does something else, with a branch round it. */
static void do_part(struct made *k, u32 lanes, u32 depth)
{
	u32 parts[4], n = part(lanes, parts), label = k->labels++;

	for (u32 i = 0; i < n; i++) {
		text_add(
			&k->ptx,
			"\tmov.u32 %%t, %u;\n\tshr.u32 %%t, %%t, %%lane;\n\tand.b32 %%t, %%t, 1;\n\tsetp.eq.u32 %%p, %%t, 0;\n"
			"\t@%%p bra not%u_%u;\n",
			parts[i], label, i);
		if (parts[i])
			block(k, parts[i], depth + 1);
		text_add(&k->ptx, "\tbra all%u;\nnot%u_%u:\n", label, label, i);
	}
	text_add(&k->ptx, "all%u:\n", label);
}

/* A step of a block. */
static void step(struct made *k, u32 lanes, u32 depth)
{
	enum deed what = (enum deed)draw(depth < 3 ? DEEDS : DEED_PART);
	u32 parts[4] = {lanes};

	switch (what) {
	case DEED_BALLOT: do_ballot(k, parts, 1); break;
	case DEED_EACH: do_ballot(k, parts, part(lanes, parts)); break;
	case DEED_SHFL: do_shfl(k, lanes); break;
	case DEED_MATCH: do_match(k, lanes); break;
	case DEED_SYNC: text_add(&k->ptx, "\tbar.warp.sync %u;\n", lanes); break;
	case DEED_SPIN: do_spin(k, lanes); break;
	case DEED_PART: do_part(k, lanes, depth); break;
	default: do_alone(k, lanes, what);
	}
}

/* Lanes do some steps. */
static void block(struct made *k, u32 lanes, u32 depth)
{
	for (u32 n = 1 + draw(4); n && k->left; n--) {
		k->left--;
		step(k, lanes, depth);
	}
}

/* A random kernel, and in ->value what its lanes must write. */
static void make(struct made *k)
{
	*k = (struct made){.left = 40};
	for (u32 t = 0; t < THREADS; t++)
		k->value[t] = t * 2654435761u + 9;
	text_add(
		&k->ptx,
		".version 7.0\n.target sm_70\n.address_size 64\n.visible .entry k(.param .u64 out, .param .u64 in)\n{\n"
		"\t.reg .u64 %%rd<4>;\n\t.reg .u32 %%r, %%t, %%u, %%m, %%lane;\n\t.reg .pred %%p;\n"
		"\tld.param.u64 %%rd1, [out];\n\tld.param.u64 %%rd2, [in];\n"
		"\tmov.u32 %%lane, %%laneid;\n\tmov.u32 %%r, %%ctaid.x;\n\tmov.u32 %%t, %%ntid.x;\n\tmov.u32 %%u, %%tid.x;\n"
		"\tmad.lo.u32 %%u, %%r, %%t, %%u;\n\tmul.wide.u32 %%rd3, %%u, 4;\n\tadd.u64 %%rd1, %%rd1, %%rd3;\n"
		"\tmul.lo.u32 %%r, %%u, 2654435761;\n\tadd.u32 %%r, %%r, 9;\n");
	while (k->left)
		block(k, ~0u, 0);
	text_add(&k->ptx, "\tst.global.u32 [%%rd1], %%r;\n\tret;\n}\n");
}

/* --- running them --- */

static char folder[] = "/tmp/warpstep-meetings-XXXXXX";

/* Machines: lines that set each up. */
static const struct {
	const char *line[3];
} machines[] = {
	{{"gpu tiny"}},
	{{"gpu vws"}},
	{{"gpu ws4"}},
	{{"gpu ws4", "set warp.size 8", "set sm.subcores 4"}},
	{{"gpu ws4", "set warp.size 16", "set sm.subcores 2"}},
	{{"gpu i-vws"}},
	{{"gpu i-vws", "set warp.size 8", "set sm.subcores 4"}},
	{{"gpu i-vws-impatient"}},
	{{"gpu i-vws-group"}},
	{{"gpu e-vws"}},
	{{"gpu e-vws", "set warp.size 8", "set sm.subcores 4"}},
	{{"gpu e-vws", "set warp.size 16", "set sm.subcores 2"}},
	{{"gpu e-vws-impatient"}},
	{{"gpu e-vws-sync"}},
};

/* Run a line; if it fails, say of which kernel. */
static void runs_line(struct session *s, u32 machine, const char *line)
{
	struct error e = {0};

	if (line && command_run_line(s, line, NULL, 0, &e))
		fail_msg("kernel %llu, machine %u (%s), `%s`: %s", (unsigned long long)seed, machine,
			 machines[machine].line[0], line, e.message);
}

/* Run a kernel with the clock. */
static void runs(const struct made *k, u32 machine, u32 block)
{
	struct session s;
	char line[4][80];

	session_open(&s, &all_session_ops);
	s.out = fopen("/dev/null", "w");
	s.quiet = s.batch = true;
	for (u32 i = 0; i < ARRAY_LEN(machines[machine].line); i++)
		runs_line(&s, machine, machines[machine].line[i]);
	snprintf(line[0], sizeof(line[0]), "module %s/k.ptx", folder);
	snprintf(line[1], sizeof(line[1]), "buffer o u32[%u]", THREADS);
	snprintf(line[2], sizeof(line[2]), "buffer i u32[%u] iota 5", THREADS);
	snprintf(line[3], sizeof(line[3]), "launch k grid %u block %u args o i", THREADS / block, block);
	for (u32 i = 0; i < ARRAY_LEN(line); i++)
		runs_line(&s, machine, line[i]);
	runs_line(&s, machine, "step 300000");
	if (!sim_finished(&s.sim) || sim_deadlocked(&s.sim))
		fail_msg("kernel %llu, machine %u (%s), block %u: no end by cycle %llu", (unsigned long long)seed,
			 machine, machines[machine].line[0], block, (unsigned long long)timeline_now(s.timeline).cycle);
	for (u32 t = 0; t < THREADS; t++) {
		u32 got;

		store_read(&s.sim.store, s.sim.program->buffer[0].address + t * 4, &got, 4);
		if (got != k->value[t])
			fail_msg("kernel %llu, machine %u (%s), block %u: thread %u has %u, not %u",
				 (unsigned long long)seed, machine, machines[machine].line[0], block, t, got,
				 k->value[t]);
	}
	fclose(s.out);
	session_close(&s);
}

/* KERNELS=N tries N, from FIRST on; with SHOW=1 their texts are printed. */
static void values_are_those_of_lanes_alone(void **state)
{
	const char *more = getenv("KERNELS"), *from = getenv("FIRST");
	u64 first = from ? strtoull(from, NULL, 10) : 1, n = more ? strtoull(more, NULL, 10) : 40;
	char *path = path_join(folder, "k.ptx");

	(void)state;
	for (seed = first; seed < first + n; seed++) {
		struct made k;
		FILE *f = fopen(path, "w");

		drawn = 0;
		make(&k);
		assert_non_null(f);
		fputs(k.ptx.s, f);
		if (getenv("SHOW"))
			puts(k.ptx.s);
		fclose(f);
		for (u32 i = 0; i < ARRAY_LEN(machines); i++)
			runs(&k, i, seed % 2 ? THREADS : WARP_LANES);
		free(k.ptx.s);
	}
	remove(path);
	free(path);
}

static int open_folder(void **state)
{
	(void)state;
	return !mkdtemp(folder);
}

static int close_folder(void **state)
{
	(void)state;
	return rmdir(folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(values_are_those_of_lanes_alone)};

	return cmocka_run_group_tests(tests, open_folder, close_folder);
}
