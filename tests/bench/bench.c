/*
 * bench.c - how fast warpstep simulates: rates and ratios of one run on one machine.
 *
 * usage: bench [ROW...]      rows whose name holds one of the words; all without
 * Every row runs in a process of its own, so that its peak memory is its own. Lines go to standard output; each number
 * is also a JSON object on a line of its own at the end of the file that BENCH_JSON names (tests/bench.sh reads them).
 * Seconds are those of the processor, so that other processes disturb less; where several threads work, of the clock.
 */
#include "counters.h"
#include "events.h"
#include "worker_pool.h"
#include "lang.h"
#include "session_ops.h"
#include "machine.h"
#include "pane.h"
#include "tui.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* A program as commands, on a volta with some SMs or on a GPU of its own (0). */
struct workload {
	const char *name, *doc;
	u32 sms;
	const char *commands;
};

#define MATMUL(n, ctas) \
	"module scenarios/kernels/matmul.ptx\n" \
	"buffer a f32[" n "] random 1 -4 4 integer\nbuffer b f32[" n "] random 2 -4 4 integer\nbuffer c f32[" n "]\n" \
	"launch matmul16 grid " ctas " block 16,16 args a b c "
#define VECADD(n, ctas) \
	"module scenarios/kernels/vecadd.ptx\n" \
	"buffer a f32[" n "] random 1 -4 4\nbuffer b f32[" n "] random 2 -4 4\nbuffer c f32[" n "]\n" \
	"launch vecadd grid " ctas " block 256 args a b c " n "\n"

static const struct workload loads[] = {
	{"compute.80", "tiled matrix product, 576 CTAs, 80 SMs", 80, MATMUL("147456", "24,24") "384\n"},
	{"compute.1", "tiled matrix product, 36 CTAs, 1 SM", 1, MATMUL("9216", "6,6") "96\n"},
	{"memory.80", "vector sum, 8192 CTAs, 80 SMs", 80, VECADD("2097152", "8192")},
	{"memory.1", "vector sum, 256 CTAs, 1 SM", 1, VECADD("65536", "256")},
	{"compute.16", "tiled matrix product, 144 CTAs, 16 SMs", 16, MATMUL("36864", "12,12") "192\n"},
	{"gaussian", "elimination, CTAs of half a warp, a fermi", 0, "source tests/reproduce/tlp/gaussian.scn\n"},
	{"nw", "alignment, CTAs of half a warp, a fermi", 0, "source tests/reproduce/tlp/nw.scn\n"},
	{"histogram", "histogram in shared memory, a fermi", 0, "source tests/reproduce/tlp/histogram.scn\n"},
	{"matmul", "tiled matrix product, 36 CTAs, an SM of 32 lanes", 0, MATMUL("9216", "6,6") "96\n"}};

#define MOST_CYCLES 2000000 /* of a run; each of these ends long before */
#define RATE_SECONDS 1.0    /* for which a rate is measured at least */

static clockid_t bench_clock = CLOCK_PROCESS_CPUTIME_ID;

static double now_seconds(void)
{
	struct timespec t;

	clock_gettime(bench_clock, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* A number of a row; more is better unless its name ends in seconds or factor. */
static void figure(const struct workload *l, const char *row, const char *name, double value)
{
	const char *path = getenv("BENCH_JSON");
	FILE *f = path ? fopen(path, "a") : NULL;

	if (!f)
		return;
	fprintf(f, "{\"load\":\"%s\",\"row\":\"%s\",\"name\":\"%s\",\"value\":%.9g}\n", l->name, row, name, value);
	fclose(f);
}

/* Run lines of commands; ends the process on an error. */
static void commands_run(struct session *s, const char *text)
{
	struct error e = {0};
	char line[256], shown[1200];

	while (*text) {
		size_t n = strcspn(text, "\n");

		snprintf(line, sizeof(line), "%.*s", (int)n, text);
		if (command_run_line(s, line, NULL, 0, &e) != STATUS_OK)
			die("%s: %s", line, error_format(&e, shown, sizeof(shown)));
		text += n + (text[n] == '\n');
	}
}

/* Make the machine. */
static void load_make(struct session *s, const struct workload *l)
{
	struct error e = {0};

	if (session_make(s, &e) != STATUS_OK)
		die("%s: %s", l->name, e.message);
}

/* Set the stage of a load; the machine is made. */
static void load_open(struct session *s, const struct workload *l)
{
	char line[64];

	session_open(s, &all_session_ops);
	s->batch = s->quiet = s->trust = true;
	s->out = stderr;
	snprintf(line, sizeof(line), "gpu volta\nset gpu.sms %u\n", l->sms);
	if (l->sms)
		commands_run(s, line);
	commands_run(s, l->commands);
	load_make(s, l);
}

/* Run to the end or to a cycle, as a batch run does. */
static double run_to(struct sim *s, u64 cycle)
{
	double start = now_seconds();

	while (!sim_finished(s) && machine_gpu(s->m)->cycle < cycle) {
		u64 now = machine_gpu(s->m)->cycle;

		if (sim_run(s, now + 1024 < cycle ? now + 1024 : cycle) != RUN_DONE && sim_skip(s, cycle) == now)
			sim_cycle(s);
	}
	start = now_seconds() - start;
	if (!sim_finished(s) && cycle >= MOST_CYCLES)
		die("not finished after %llu cycles", (unsigned long long)machine_gpu(s->m)->cycle);
	sim_sync(s);
	return start;
}

/* A run without timing, in seconds. */
static double plain_seconds(struct session *s, struct functional_result *f)
{
	double start = now_seconds();
	struct store values;

	*f = (struct functional_result){0};
	store_fork(&values, &s->sim.store);
	functional_run(&s->program, &values, 0, f, NULL);
	store_free(&values);
	return now_seconds() - start;
}

/* Rate with timing, and without: the best of some runs. */
static void bench_rate(const struct workload *l)
{
	double timed = HUGE_VAL, plain = HUGE_VAL, sum = 0;
	u64 insts = 0, cycles = 0, active = 0;
	struct functional_result f;

	for (u32 k = 0; k < 2 || (k < 20 && sum < RATE_SECONDS); k++) {
		struct session s;
		double now;

		load_open(&s, l);
		plain = fmin(plain, plain_seconds(&s, &f));
		now = run_to(&s.sim, MOST_CYCLES);
		timed = fmin(timed, now);
		sum += now;
		insts = sim_sm_stat(&s.sim, STAT_INST_WARP);
		active = sim_sm_stat(&s.sim, STAT_BUSY_CYCLES);
		cycles = machine_gpu(s.sim.m)->cycle;
		session_close(&s);
	}
	figure(l, "rate", "warp instructions per second", (double)insts / timed);
	figure(l, "rate", "timed by functional factor", (double)f.warp_instructions / plain / ((double)insts / timed));
	printf("%-12s %10llu insts %9llu cycles %8.3f s %12.0f inst/s %9.0f cycles/s %8.1f ns/SM-cycle"
	       "   functional %12.0f inst/s (%.1fx)\n",
	       l->name, (unsigned long long)insts, (unsigned long long)cycles, timed, (double)insts / timed,
	       (double)cycles / timed, active ? timed * 1e9 / (double)active : 0.0, (double)f.warp_instructions / plain,
	       (double)f.warp_instructions / plain / ((double)insts / timed));
}

/* The same run by one thread of the host and by more. */
static void bench_threads(const struct workload *l)
{
	struct session s;
	double alone = 0, seconds;
	char name[48];

	bench_clock = CLOCK_MONOTONIC;
	for (u32 n = 1; n <= 8 && (n == 1 || n <= worker_pool_processors()); n *= 2) {
		load_open(&s, l);
		s.sim.threads = n;
		seconds = run_to(&s.sim, MOST_CYCLES);
		alone = n == 1 ? seconds : alone;
		printf("%-12s engine.threads %u: %.3f s, %.0f inst/s (%.2fx)\n", l->name, n, seconds,
		       (double)sim_sm_stat(&s.sim, STAT_INST_WARP) / seconds, alone / seconds);
		snprintf(name, sizeof(name), "%u threads seconds", n);
		figure(l, "threads", name, seconds);
		session_close(&s);
	}
}

/* The same cycles with every event recorded and with none. */
static void bench_events(const struct workload *l)
{
	struct session s;
	double quiet, told;
	u64 cycles;

	load_open(&s, l);
	quiet = run_to(&s.sim, MOST_CYCLES);
	cycles = machine_gpu(s.sim.m)->cycle;
	session_close(&s);
	load_open(&s, l);
	s.sim.bus.want = ALL_EVENTS;
	told = run_to(&s.sim, MOST_CYCLES);
	figure(l, "events", "recorded factor", told / quiet);
	printf("%-12s events recorded: %.3f s, not: %.3f s (%.2fx) for %llu cycles\n", l->name, told, quiet,
	       told / quiet, (unsigned long long)cycles);
	session_close(&s);
}

/* Seconds of a run by the timeline, with keyframes or without. */
static double timeline_seconds(const struct workload *l, bool keyframes, struct timeline_info *info)
{
	struct session s;
	double seconds;

	load_open(&s, l);
	if (keyframes)
		timeline_enable(s.timeline);
	seconds = now_seconds();
	timeline_go(s.timeline, (struct position){MOST_CYCLES, 0});
	seconds = now_seconds() - seconds;
	timeline_info(s.timeline, info);
	session_close(&s);
	return seconds;
}

/* What keyframes cost on the way to the end: the best of some runs of each, in turn. */
static void bench_keyframes(const struct workload *l)
{
	double plain = HUGE_VAL, kept = HUGE_VAL;
	struct timeline_info info;

	for (u32 i = 0; i < 4; i++) {
		plain = fmin(plain, timeline_seconds(l, false, &info));
		kept = fmin(kept, timeline_seconds(l, true, &info));
	}
	figure(l, "keyframes", "with keyframes factor", kept / plain);
	printf("%-12s snapshot %.2f MB in %.2f ms, keyframes %u of %.1f MB, cost %.0f %% of a run\n", l->name,
	       (double)info.snapshot_bytes / 1e6, info.snapshot_seconds * 1e3, info.keyframes, (double)info.bytes / 1e6,
	       100 * (kept / plain - 1));
}

/* Seconds that it takes to go to a cycle. */
static double go_seconds(struct timeline *t, u64 cycle)
{
	double start = now_seconds();

	timeline_go(t, (struct position){cycle, 0});
	return now_seconds() - start;
}

/* Steps back from the tip, at several places of a run with keyframes: the first of each, and those after it. */
static void bench_reverse(const struct workload *l)
{
	double first = 0, next = 0, sum = 0;
	struct session s;
	u32 steps = 0;

	load_open(&s, l);
	timeline_enable(s.timeline);
	for (u64 tip = 3001; timeline_go(s.timeline, (struct position){tip, 0}) == STOP_TARGET; tip += 3001) {
		for (u32 back = 1; back <= 20; back++) {
			double t = go_seconds(s.timeline, tip - back), *worst = back == 1 ? &first : &next;

			*worst = t > *worst ? t : *worst;
			sum += t;
			steps++;
		}
	}
	figure(l, "reverse", "first step back, worst, seconds", first);
	figure(l, "reverse", "steps after it, worst, seconds", next);
	figure(l, "reverse", "steps back, mean, seconds", sum / steps);
	printf("%-12s reverse-step from the tip: worst %.1f ms; steps after it: worst %.1f ms; mean of %u: %.1f ms\n",
	       l->name, first * 1e3, next * 1e3, steps, sum / steps * 1e3);
	session_close(&s);
}

/* Seconds of a step and its redraw at 200x60, as the full screen does them; the redraw's part is added to *drawn. */
static double frame_seconds(struct session *s, double *drawn)
{
	double start = now_seconds(), stepped;
	struct canvas c;

	commands_run(s, "step\n");
	stepped = now_seconds();
	canvas_init(&c, 200, 60, false);
	frame_compose(s, &c);
	canvas_free(&c);
	*drawn += now_seconds() - stepped;
	return now_seconds() - start;
}

/* A step and its redraw in every layout, beside a frame of 60 Hz. */
static void bench_frames(const struct workload *l)
{
	const char *name, *text, *doc;
	char line[64];
	struct session s;
	bool now;

	load_open(&s, l);
	s.out = fopen("/dev/null", "w");
	panes_keep(&s);
	commands_run(&s, "goto 3000\n");
	for (u32 i = 0; layout_row(&s, i, &name, &text, &doc, &now); i++) {
		double worst = 0, sum = 0, drawn = 0;

		snprintf(line, sizeof(line), "layout %s\n", name);
		commands_run(&s, line);
		frame_seconds(&s, &drawn); /* what is read of the past at first is kept */
		drawn = 0;
		for (u32 k = 0; k < 30; k++) {
			double t = frame_seconds(&s, &drawn);

			worst = t > worst ? t : worst;
			sum += t;
		}
		snprintf(line, sizeof(line), "%s, mean, seconds", name);
		figure(l, "frames", line, sum / 30);
		printf("%-12s step and redraw at 200x60, layout %-9s mean %.1f ms (redraw %.1f), worst %.1f ms of 16.7\n",
		       l->name, name, sum / 30 * 1e3, drawn / 30 * 1e3, worst * 1e3);
	}
	fclose(s.out);
	session_close(&s);
}

/* A run of a program after one more command: its seconds, what has issued, how long SMs were busy. */
struct trial {
	double seconds;
	u64 threads, busy; /* thread instructions, SM-cycles */
};

/* One program after each of some commands, a verb and a word: the best of some runs of each, in turn. */
static void best_of(const struct workload *l, const char *verb, const char *const *word, u32 n, struct trial *best)
{
	for (u32 k = 0; k < 3 * n; k++) {
		char line[64];
		struct session s;
		struct trial t;

		load_open(&s, l);
		snprintf(line, sizeof(line), "%s %s\n", verb, word[k % n]);
		commands_run(&s, line);
		load_make(&s, l);
		t.seconds = run_to(&s.sim, MOST_CYCLES);
		t.threads = sim_sm_stat(&s.sim, STAT_INST_THREAD);
		t.busy = sim_sm_stat(&s.sim, STAT_BUSY_CYCLES);
		if (k < n || t.seconds < best[k % n].seconds)
			best[k % n] = t;
		session_close(&s);
	}
}

/* The same program without and with policies. */
static void bench_policies(const struct workload *l)
{
	static const char *const policies[] = {"order=gto", "cta=vt", "cta=dyncta", "cta=vt,dyncta", "elf"};
	struct trial best[ARRAY_LEN(policies)];

	best_of(l, "policy", policies, ARRAY_LEN(policies), best);
	for (u32 i = 0; i < ARRAY_LEN(policies); i++) {
		figure(l, "policies", policies[i], (double)best[i].busy / best[i].seconds);
		printf("%-12s policy %-13s %8.3f s (%.2fx), %8.1f ns/SM-cycle\n", l->name, policies[i], best[i].seconds,
		       best[i].seconds / best[0].seconds, best[i].seconds * 1e9 / (double)best[i].busy);
	}
}

/* The same program in whole warps, in slices and in gangs of them, by thread instruction. */
static void bench_gangs(const struct workload *l)
{
	static const char *const presets[] = {"ws32", "ws4", "i-vws", "e-vws", "e-vws-impatient"};
	struct trial best[ARRAY_LEN(presets)];
	double each, first = 0;

	best_of(l, "gpu", presets, ARRAY_LEN(presets), best);
	for (u32 i = 0; i < ARRAY_LEN(presets); i++) {
		each = best[i].seconds / (double)best[i].threads;
		first = i ? first : each;
		figure(l, "gangs", presets[i], 1 / each);
		printf("%-12s gpu %-15s %8.2f ns/thread instruction (%.2fx)\n", l->name, presets[i], each * 1e9,
		       each / first);
	}
}

struct row {
	const char *name;
	void (*run)(const struct workload *l);
	const char *load;
};

static const struct row rows[] = {{"rate", bench_rate, "compute.80"},
				  {"rate", bench_rate, "compute.1"},
				  {"rate", bench_rate, "memory.80"},
				  {"rate", bench_rate, "memory.1"},
				  {"threads", bench_threads, "compute.80"},
				  {"threads", bench_threads, "memory.80"},
				  {"events", bench_events, "compute.16"},
				  {"keyframes", bench_keyframes, "compute.16"},
				  {"keyframes", bench_keyframes, "compute.80"},
				  {"reverse", bench_reverse, "compute.16"},
				  {"reverse", bench_reverse, "compute.80"},
				  {"frames", bench_frames, "compute.80"},
				  {"policies", bench_policies, "gaussian"},
				  {"policies", bench_policies, "nw"},
				  {"policies", bench_policies, "histogram"},
				  {"gangs", bench_gangs, "matmul"}};

static const struct workload *load_find(const char *name)
{
	for (u32 i = 0; i < ARRAY_LEN(loads); i++)
		if (!strcmp(loads[i].name, name))
			return &loads[i];
	die("no load %s", name);
}

/* Run a row in a process of its own and say what memory it took. Whether it went well. */
static bool row_run(const struct row *r)
{
	struct rusage used;
	int status;
	pid_t child;

	fflush(stdout);
	child = fork();
	if (!child) {
		r->run(load_find(r->load));
		exit(0);
	}
	if (child < 0 || wait4(child, &status, 0, &used) < 0 || status) {
		printf("%-12s %s: failed\n", r->load, r->name);
		return false;
	}
	printf("%-12s %s: peak memory %.0f MB\n", r->load, r->name, (double)used.ru_maxrss / 1024);
	return true;
}

/* The processor, its number, the system. */
static void machine_print(void)
{
	struct utsname u;
	char line[256], *model = NULL;
	FILE *f = fopen("/proc/cpuinfo", "r");

	while (f && !model && fgets(line, sizeof(line), f))
		if (!strncmp(line, "model name", 10))
			model = strchr(line, ':');
	uname(&u);
	printf("machine: %s, %ld processors, %s %s %s\n", model ? strtok(model + 2, "\n") : "unknown processor",
	       sysconf(_SC_NPROCESSORS_ONLN), u.sysname, u.release, u.machine);
	if (f)
		fclose(f);
}

/* Whether a row was asked for. */
static bool wanted(const struct row *r, int n, char **word)
{
	for (int i = 1; i < n; i++)
		if (strstr(r->name, word[i]) || strstr(r->load, word[i]))
			return true;
	return n < 2;
}

int main(int argc, char **argv)
{
	bool good = true;

	machine_print();
	for (u32 i = 0; i < ARRAY_LEN(loads); i++)
		printf("load: %-12s %s\n", loads[i].name, loads[i].doc);
	printf("reference: Accel-Sim on a comparable 2-core machine: about 65,000 (compute-bound) and 2,100 (DRAM-bound) warp instructions per second at 80 SMs\n");
	for (u32 i = 0; i < ARRAY_LEN(rows); i++)
		if (wanted(&rows[i], argc, argv))
			good &= row_run(&rows[i]);
	return good ? 0 : 1;
}
