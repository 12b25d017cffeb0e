/*
 * laws.c - check laws on scenarios.
 *
 * usage: laws [-l] [-u] [-w LAW] SCENARIO...
 *   -l      thorough: whole runs, every preset and policy; else the first cycles and some of them
 *   -u      law flushes without the marks that it is about: then it must not hold
 *   -w LAW  that law alone; several may be given
 * Prints a TAP line for each law and scenario, and before it, for one that does not come back, which it is; the status
 * is 1 if one does not hold.
 */
#include "laws.h"
#include "session_ops.h"
#include "counters.h"
#include "events.h"
#include "machine.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define QUICK_CYCLES 4000
#define MORE_CYCLES 6000 /* WARPSTEP_MORE */
#define LONG_CYCLES 300000

static const struct law laws[] = {
	{"walk", "1: a walk to and fro equals the forward run", law_walk},
	{"reverse", "1: backwards meets the stops of the way there", law_reverse},
	{"journal", "1: inputs come back on every way over them", law_journal},
	{"again", "2: two runs are equal", law_again},
	{"lanes", "2: every vector width gives the same", law_lanes},
	{"sinks", "3: recorded or not, the same happens", law_sinks},
	{"order", "4: the order of SMs and stages cannot be seen", law_order},
	{"sleep", "4: SMs that sleep miss nothing", law_sleep},
	{"ahead", "4: SMs that run ahead of each other come to the same", law_ahead},
	{"threads", "4: so do SMs that are visited by several threads", law_threads},
	{"steady", "4: so it is under every scheme", law_steady},
	{"told", "1, 4: so do policies that listen, wait for dates and throttle", law_told},
	{"makeway", "1, 4, 5, 12, 13: so do CTAs that make room and warps that issue in gangs", law_makeway},
	{"sums", "5: statuses and outcomes sum", law_sums},
	{"events", "6: event counters equal the records", law_events},
	{"allocation", "10: a cycle allocates nothing but values", law_allocation},
	{"neutral", "11: a scheme at its neutral setting equals the baseline", law_neutral},
	{"conservation", "12: what is taken is given back, once", law_conservation},
	{"residents", "5, 12: so it is with more residents than slots, whenever they change places", law_residents},
	{"virtual", "1, 4, 12, 13: so it is under Virtual Thread, and where CTAs change places at random", law_virtual},
	{"elf",
	 "1, 4, 12: policy elf's table has the naive priority of every warp in every cycle; so it is under few points",
	 law_elf},
	{"values", "13: results are those of the functional run, under every policy and preset", law_values},
	{"chaos", "12, 13: CTAs that leave before their end come back, and nothing is lost", law_chaos},
	{"kills", "12: CTAs that are killed, wherever they are, leave nothing behind", law_kills},
	{"pairs", "1, 4, 5, 6, 12: so it is where kernels overlap, under every scheme", law_pairs},
	{"places",
	 "12: where an allocation policy lays registers and shared memory they never overlap, kernels lie apart",
	 law_places},
	{"preempted",
	 "1, 12, 13: CTAs that make room at random times in random ways compute the same, and nothing is lost",
	 law_preempted},
	{"flushes", "12, 13: CTAs that are flushed have overwritten nothing that was read", law_flushes}};

_Static_assert(ARRAY_LEN(laws) <= 32, "a set of laws is one word");

/* Put a scenario on the stage. */
static enum status scene_open(struct scene *c, const char *path, bool thorough, struct error *e)
{
	bool more = thorough || getenv("WARPSTEP_MORE");
	enum status st;

	*c = (struct scene){.path = path,
			    .thorough = thorough,
			    .more = more,
			    .limit = thorough ? LONG_CYCLES
				     : more   ? MORE_CYCLES
					      : QUICK_CYCLES};
	session_open(&c->session, &all_session_ops);
	c->session.batch = c->session.quiet = c->session.trust = true;
	c->session.out = stderr;
	st = command_run_file(&c->session, path, e);
	if (st == STATUS_OK)
		st = session_make(&c->session, e);
	c->config = c->session.config;
	return st;
}

/* Check one law; prints its line. */
static bool law_check(const struct law *law, struct scene *c, u32 number)
{
	struct text why = {0};
	bool holds;

	printf("# %s: law %s\n", c->path, law->name);
	fflush(stdout);
	holds = law->holds(c, &why);
	printf("%s %u - %s: law %s", holds ? "ok" : "not ok", number, c->path, law->doc);
	if (!holds)
		printf(": %s", why.s ? why.s : "it does not hold");
	printf("\n");
	fflush(stdout);
	text_free(&why);
	return holds;
}

/* The law of that name; 0: there is none. */
static u32 law_bit(const char *name)
{
	for (u32 i = 0; i < ARRAY_LEN(laws); i++)
		if (!strcmp(name, laws[i].name))
			return 1u << i;
	return 0;
}

/* Check those laws of the set `wanted` on one scenario. */
static bool scene_check(const char *path, u32 wanted, bool thorough, u32 *number)
{
	struct error e = {0};
	struct scene c;
	char line[1200];
	bool open = scene_open(&c, path, thorough, &e) == STATUS_OK, good = open;

	if (!open)
		printf("not ok %u - %s: %s\n", ++*number, path, error_format(&e, line, sizeof(line)));
	for (u32 i = 0; open && i < ARRAY_LEN(laws); i++)
		if (wanted >> i & 1)
			good &= law_check(&laws[i], &c, ++*number);
	session_close(&c.session);
	return good;
}

int main(int argc, char **argv)
{
	bool thorough = false, good = true;
	u32 number = 0, wanted = 0;
	int option;

	while ((option = getopt(argc, argv, "luw:")) != -1) {
		if (option == 'l')
			thorough = true;
		else if (option == 'u')
			laws_unmarked = true;
		else if (option == 'w' && law_bit(optarg))
			wanted |= law_bit(optarg);
		else
			return STATUS_USAGE;
	}
	for (int i = optind; i < argc; i++)
		good &= scene_check(argv[i], wanted ? wanted : ~0u, thorough, &number);
	return good && number ? STATUS_OK : STATUS_FAILED;
}
