/*
 * cores.c - "Dissecting and Modeling the Architecture of Modern GPU Cores" (Huerta, Abaie Shoushtary, Cruz, Gonzalez,
 * MICRO 2025), tables 5, 6 and 7: what the parts of a modern core are worth, on its reference machine (`a6000`).
 *
 * Its figures are of two kinds: errors against hardware, which need the hardware, and speedups of one configuration of
 * its model over another, which are compared here (geometric means). What differs from it: the programs of the library
 * on 7 of the 84 SMs, with their part of the memory, stand for its 128 benchmarks; the matrix product of maxas' order
 * for its Cutlass, the same multiply-adds in an order without a reuse for its MaxFlops. Instructions are PTX's, with
 * registers that warpstep allocates. Its area overheads are computed from sizes, not simulated.
 */
#include "reproduce.h"

#define LOADS "tests/reproduce/cores.txt"
#define LARGE "tests/reproduce/sgemm"
#define WITH_WARPS "slots.issued+slots.long+slots.short+slots.fetch+slots.pipeline+slots.barrier"
#define ORDERS "scenarios/subcore/register-cache"

static const struct word words[] = {
	{"base", ""},
	{"written", "set ptx.schedule off"},
	{"off", "set collector.reuse off"},
	{"two", "set collector.reuse off; set collector.passes 2"},
	{"ideal", "set collector.reuse off; set collector.passes 4"},
	{"jumps", "set ptx.schedule off; set lat.branch 1"},
	{"fetches", "set ptx.schedule off; set lat.branch 1; set fetch.width 2; set fetch.insts 2"},
	{"later", "set lat.int 3; set lat.imul 3; set lat.fp32 3"},
	{"readers", "set issue.dependences scoreboard; set issue.readers %s"},
};

/* all: programs of the library; long: of the study of threads per SM, which run longer. */
static bool loads(const char *set, struct names *to)
{
	bool all = !strcmp(set, "all");

	if (!all && strcmp(set, "long") != 0)
		return false;
	table_loads(LOADS, 1, all ? "library" : set, to);
	return true;
}

/* Gain of a statistic that counts cycles, over the same under another configuration. */
static double gain_of(const struct ours *o)
{
	return 100 * (value(o->loads, o->over, o->names) / value(o->loads, o->config, o->names) - 1);
}

/* Of the columns of table 5, from no line to a perfect cache, those that are not slower than the one before. */
static double steps_up(const struct ours *o)
{
	static const char *const key[] = {"stream-1",  "stream-2",  "stream-4",	     "stream-8",
					  "stream-16", "stream-32", "stream-perfect"};
	double up = 0;

	(void)o;
	for (u32 i = 0; i < ARRAY_LEN(key); i++)
		up += row_number(key[i]) >= (i ? row_number(key[i - 1]) : 0);
	return up;
}

static const struct file files[] = {
	{"stream", "cores-stream.csv", NULL, "all",
	 "off|l1i.stream=0|cycle;1|l1i.stream=1|cycle;2|l1i.stream=2|cycle;4|l1i.stream=4|cycle;8|base|cycle;16|l1i.stream=16|cycle;perfect|l1i.perfect=on|cycle;instructions|base|inst.warp;misses|base|l0i.misses"},
	{"ports", "cores-ports.csv", NULL, "all",
	 "on|base|cycle;off|off|cycle;two|two|cycle;ideal|ideal|cycle;reads|base|rf.reads;reused|base|rf.reused;held|base|rf.held_cycles"},
	{"readers", "cores-readers.csv", NULL, "all",
	 "control|base|cycle;1|readers:1|cycle;3|readers:3|cycle;63|readers:63|cycle;unlimited|readers:255|cycle;writes|readers:0|cycle"},
};

/* clang-format off */

/* Reasons of several rows. */
static const char why_stream[] = "The first pass through the code decides here. The programs of the library are short, their code comes from DRAM once, and nearly all of it stays in the L0 caches: with 64 KB in place of 16 the change is {stream-l0}. Over 18 programs that run longer, 1 line gains {stream-long-1}, 8 lines {stream-long-8} and a perfect cache {stream-long-perfect}. The paper's mean lies between the two kinds.";
static const char why_off[] = "Few of these programs are limited by operand reads: without the cache {ports-held} of the slots that have warps are held for operands, and the cache serves {ports-served} of the reads. The longer programs change by {ports-long-off}. Where reads are the limit the loss is the paper's: {ports-turns-off} in the matrix product.";
static const char why_apart[] = "Three operands and two ports make 1.5 cycles for a multiply-add, so two ports per bank can gain 50 %. The loop of 64 multiply-adds takes a part of that. With branches of 1 cycle the gain is {ports-apart-two-jumps}, and {ports-apart-two-fetches} if two instructions are fetched for each of two warps per cycle, too.";
static const char why_turns[] = "In this order, that of the maxas assembler, the cache leaves next to no read that waits: a port for every read gains nothing, either. Row by row, where the cache serves fewer reads, two ports gain {ports-rows-two}. The paper's Cutlass gains 10 % as CUDA 11.4 compiles it and 2 % as CUDA 12.8 does.";
static const char why_sgemm_off[] = "Its two blocks are four warps on each of two SMs, which issue in {ports-sgemm-issued} of the slots that have warps: latencies are the limit, not operand reads. The product without loads, by 16 warps of one SM, changes by {ports-turns-off}.";
static const char why_one[] = "It is a matter of how much a program computes. The longer programs, which wait for memory, change by {readers-long-1}, nbody by {readers-nbody-1}, the matrix product by {readers-turns-1}. When results are freed matters, too: if a scoreboard of 63 readers sees results one cycle later than stall counters do, the change is {readers-later} in place of {readers-63}.";
static const char why_turns_one[] = "An operand that is read again within five cycles of its last read waits. Which are depends on the order: row by row the change is {readers-rows-1}, in the order without a reuse {readers-apart-1}. The paper does not say how its Cutlass is ordered.";
static const char why_turns_all[] = "This product has all its operands in registers: nothing but its 16 sums is written. With loads, in sgemm, the change is {readers-sgemm-63}.";
static const char why_sgemm_all[] = "The count of readers costs all of it: with a scoreboard of writes alone the change is {readers-sgemm-none}. Four warps per SM do not hide that. In a larger product, of 64 blocks instead of 2, the change is {readers-large-63}, and {readers-large-1} with 1 reader.";

#define STREAM(set, config) GAIN_G(set, config, "l1i.stream=0")
#define OVER(config) GAIN_G("all", config, "base")
#define ORDER(config, number) OF(gain_of, ORDERS, "written " config, "written base", "kernel." number ".cycles")

static const struct row rows[] = {
	{"stream-1", "Table 5", GAIN_PERCENT, "8", STREAM("all", "l1i.stream=1"), "gain of a stream buffer of 1 line", why_stream},
	{"stream-2", "Table 5", GAIN_PERCENT, "19", STREAM("all", "l1i.stream=2"), "gain of a stream buffer of 2 lines", why_stream},
	{"stream-4", "Table 5", GAIN_PERCENT, "29", STREAM("all", "l1i.stream=4"), "gain of a stream buffer of 4 lines", why_stream},
	{"stream-8", "Table 5", GAIN_PERCENT, "37", STREAM("all", "base"), "gain of a stream buffer of 8 lines", why_stream},
	{"stream-16", "Table 5", GAIN_PERCENT, "40", STREAM("all", "l1i.stream=16"), "gain of a stream buffer of 16 lines", why_stream},
	{"stream-32", "Table 5", GAIN_PERCENT, "40", STREAM("all", "l1i.stream=32"), "gain of a stream buffer of 32 lines", why_stream},
	{"stream-perfect", "Table 5", GAIN_PERCENT, "50", STREAM("all", "l1i.perfect=on"), "gain of a perfect instruction cache", why_stream},
	{"stream-order", "Table 5", COUNT, "7", OF(steps_up, "all"), "columns that are not slower than the one before, of 7"},
	{"stream-long-1", "Table 5", GAIN_PERCENT, NULL, STREAM("long", "l1i.stream=1"), "gain of a stream buffer of 1 line, longer programs", .whole = true},
	{"stream-long-8", "Table 5", GAIN_PERCENT, NULL, STREAM("long", "base"), "gain of a stream buffer of 8 lines, longer programs", .whole = true},
	{"stream-long-perfect", "Table 5", GAIN_PERCENT, NULL, STREAM("long", "l1i.perfect=on"), "gain of a perfect instruction cache, longer programs", .whole = true},
	{"stream-l0", "Table 5", GAIN_PERCENT, NULL, GAIN_G("all", "l0i.bytes=65536", "base"), "gain of L0 caches of 64 KB instead of 16"},
	{"ports-off", "Table 6", GAIN_PERCENT, "-2.6", OVER("off"), "change without register cache", why_off},
	{"ports-two", "Table 6", GAIN_PERCENT, "0.6", OVER("two"), "change with two read ports, no register cache", why_off},
	{"ports-ideal", "Table 6", GAIN_PERCENT, "0.8", OVER("ideal"), "change with a port for every read", why_off},
	{"ports-apart-off", "Table 6", GAIN_PERCENT, "0", ORDER("off", "0"), "no operand stays (MaxFlops): without register cache"},
	{"ports-apart-two", "Table 6", GAIN_PERCENT, "45", ORDER("two", "0"), "no operand stays (MaxFlops): two read ports", why_apart},
	{"ports-apart-ideal", "Table 6", GAIN_PERCENT, "45", ORDER("ideal", "0"), "no operand stays (MaxFlops): a port for every read", why_apart},
	{"ports-turns-off", "Table 6", GAIN_PERCENT, "-31", ORDER("off", "2"), "matrix product (Cutlass): without register cache"},
	{"ports-turns-two", "Table 6", GAIN_PERCENT, "2", ORDER("two", "2"), "matrix product (Cutlass): two read ports", why_turns},
	{"ports-turns-ideal", "Table 6", GAIN_PERCENT, "2", ORDER("ideal", "2"), "matrix product (Cutlass): a port for every read", why_turns},
	{"ports-sgemm-off", "Table 6", GAIN_PERCENT, "-31", GAIN_G("sgemm", "off", "base"), "sgemm of the library (Cutlass): without register cache", why_sgemm_off},
	{"ports-sgemm-two", "Table 6", GAIN_PERCENT, "2", GAIN_G("sgemm", "two", "base"), "sgemm of the library (Cutlass): two read ports", why_sgemm_off},
	{"ports-sgemm-issued", "Table 6", PART_PERCENT, NULL, SHARE("sgemm", "base", "slots.issued", WITH_WARPS), "sgemm of the library: slots that have warps, and issue"},
	{"ports-apart-two-jumps", "Table 6", GAIN_PERCENT, NULL, OF(gain_of, ORDERS, "jumps two", "jumps base", "kernel.0.cycles"), "no operand stays: two read ports, branches of 1 cycle"},
	{"ports-apart-two-fetches", "Table 6", GAIN_PERCENT, NULL, OF(gain_of, ORDERS, "fetches two", "fetches base", "kernel.0.cycles"), "no operand stays: the same with two fetches of two instructions per cycle"},
	{"ports-rows-off", "Table 6", GAIN_PERCENT, NULL, ORDER("off", "1"), "matrix product row by row: without register cache"},
	{"ports-rows-two", "Table 6", GAIN_PERCENT, NULL, ORDER("two", "1"), "matrix product row by row: two read ports"},
	{"ports-held", "Table 6", PART_PERCENT, NULL, SHARE("all", "off", "rf.held_cycles", WITH_WARPS), "slots that have warps, but are held for operands, no register cache"},
	{"ports-served", "Table 6", PART_PERCENT, NULL, SHARE("all", "base", "rf.reused", "rf.reads+rf.reused"), "operand reads that the register cache serves"},
	{"ports-long-off", "Table 6", GAIN_PERCENT, NULL, GAIN_G("long", "off", "base"), "change without register cache, longer programs", .whole = true},
	{"readers-1", "Table 7", GAIN_PERCENT, "-5", OVER("readers:1"), "change with a scoreboard of 1 reader for control bits", why_one},
	{"readers-3", "Table 7", GAIN_PERCENT, "-2", OVER("readers:3"), "change with a scoreboard of 3 readers", why_one},
	{"readers-63", "Table 7", GAIN_PERCENT, "-2", OVER("readers:63"), "change with a scoreboard of 63 readers", why_one},
	{"readers-unlimited", "Table 7", GAIN_PERCENT, "-2", OVER("readers:255"), "change with a scoreboard of as many readers as there are", why_one},
	{"readers-turns-1", "Sec. 7.5", GAIN_PERCENT, "-38", ORDER("readers:1", "2"), "matrix product (Cutlass): a scoreboard of 1 reader", why_turns_one},
	{"readers-turns-63", "Sec. 7.5", GAIN_PERCENT, "-4", ORDER("readers:63", "2"), "matrix product (Cutlass): a scoreboard of 63 readers", why_turns_all},
	{"readers-sgemm-1", "Sec. 7.5", GAIN_PERCENT, "-38", GAIN_G("sgemm", "readers:1", "base"), "sgemm of the library (Cutlass): a scoreboard of 1 reader", why_sgemm_all},
	{"readers-sgemm-63", "Sec. 7.5", GAIN_PERCENT, "-4", GAIN_G("sgemm", "readers:63", "base"), "sgemm of the library (Cutlass): a scoreboard of 63 readers", why_sgemm_all},
	{"readers-none", "Table 7", GAIN_PERCENT, NULL, OVER("readers:0"), "change with a scoreboard of writes alone"},
	{"readers-sgemm-none", "Sec. 7.5", GAIN_PERCENT, NULL, GAIN_G("sgemm", "readers:0", "base"), "sgemm of the library: a scoreboard of writes alone"},
	{"readers-large-1", "Sec. 7.5", GAIN_PERCENT, NULL, GAIN_G(LARGE, "readers:1", "base"), "a larger sgemm, of more warps: a scoreboard of 1 reader", .whole = true},
	{"readers-large-63", "Sec. 7.5", GAIN_PERCENT, NULL, GAIN_G(LARGE, "readers:63", "base"), "a larger sgemm, of more warps: a scoreboard of 63 readers", .whole = true},
	{"readers-rows-1", "Sec. 7.5", GAIN_PERCENT, NULL, ORDER("readers:1", "1"), "matrix product row by row: a scoreboard of 1 reader"},
	{"readers-apart-1", "Sec. 7.5", GAIN_PERCENT, NULL, ORDER("readers:1", "0"), "no operand stays: a scoreboard of 1 reader"},
	{"readers-nbody-1", "Table 7", GAIN_PERCENT, NULL, GAIN_G("nbody", "readers:1", "base"), "change with a scoreboard of 1 reader, nbody", .whole = true},
	{"readers-later", "Table 7", GAIN_PERCENT, NULL, OVER("readers:63 later"), "change with a scoreboard of 63 readers that sees results one cycle later"},
	{"readers-most", "Table 7", GAIN_PERCENT, NULL, GAIN_G("all -nw -particles", "readers:63", "base"), "change with a scoreboard of 63 readers, without nw and particles"},
	{"readers-long", "Table 7", GAIN_PERCENT, NULL, GAIN_G("long", "readers:63", "base"), "change with a scoreboard of 63 readers, longer programs", .whole = true},
	{"readers-long-1", "Table 7", GAIN_PERCENT, NULL, GAIN_G("long", "readers:1", "base"), "change with a scoreboard of 1 reader, longer programs", .whole = true},
};
/* clang-format on */

const struct paper paper_cores = {
	.name = "cores",
	.mechanism = "a modern core: stream buffers, register cache, control bits",
	.title = "Huerta, Abaie Shoushtary, Cruz, Gonzalez, MICRO 2025",
	.groups = "stream ports readers",
	.folder = "scenarios",
	.each = "program",
	.base = "gpu a6000 sms 7",
	.loads = loads,
	.quick = {.loads = "sgemm convsep raytrace"},
	PAPER_TABLES(words, rows, files),
};
