/*
 * differ.c - random kernels on everything that runs PTX here, and on a GPU: what they leave must be the same, byte for
 * byte.
 *
 * usage: differ run [-s SEED] [-n PROGRAMS] [-t SECONDS] [-v VARIANTS] [-o FOLDER]   random programs: the second
 * interpreter, ours without timing, and VARIANTS machines each; what differs is made smaller and kept in FOLDER differ
 * device [-s SEED] [-n PROGRAMS] [-t SECONDS] [-l LEVEL]   the second interpreter beside the GPU of this machine differ
 * file FILE...      programs that were kept, on every kind of machine differ draw SEED [gpu]   print a program differ
 * ops ...           see ops.c differ hand              see hand.c
 *
 * The first line of a program that is kept says how it is launched: "//task SEED GRID BLOCK IN OUT".
 */
#include "diff.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { WITHOUT_GANGS = 10 }; /* presets, the first of the table */
enum { APART_SECONDS = 60, TOGETHER = 2, MACHINE = 1024, LINES = 4096 };

/* --- machines --- */

static const char *const preset[] = {"tiny",
				     "volta",
				     "a100",
				     "h100",
				     "fermi",
				     "kepler",
				     "maxwell",
				     "gt200",
				     "gtx480",
				     "qv100",
				     "vws",
				     "i-vws",
				     "i-vws-group",
				     "i-vws-impatient",
				     "e-vws",
				     "e-vws-sync",
				     "e-vws-impatient",
				     "ws4",
				     "ws32",
				     "chimera",
				     "monolithic",
				     "ampere"};
/* Of warps that may be smaller. */
static const char *const small[] = {"vws",   "i-vws",	   "i-vws-group",     "i-vws-impatient",
				    "e-vws", "e-vws-sync", "e-vws-impatient", "ws4"};
static const char *const policy[] = {"",
				     "",
				     "order=gto",
				     "order=lrr",
				     "order=two-level",
				     "order=oldest",
				     "order=two-level-active",
				     "rba",
				     "assign=srr",
				     "assign=shuffle",
				     "extra=steal",
				     "vt",
				     "mascar",
				     "ccws",
				     "swl",
				     "dyncta",
				     "dyncore",
				     "elf",
				     "elf++",
				     "partition=fcfs",
				     "partition=leftover",
				     "partition=even",
				     "partition=smart",
				     "partition=smart preempt=drain",
				     "partition=smart preempt=flush",
				     "partition=smart preempt=switch",
				     "partition=smart preempt=chimera",
				     "allocate=firstfit",
				     "allocate=twoway",
				     "partition=smk preempt=chimera rank=kernel-lrr",
				     "smkp",
				     "smkpw",
				     "ws",
				     "ws preempt=chimera hold=smkw rank=kernel-lrr",
				     "rank=urgent",
				     "rank=kernel-lrr",
				     "rank=kernel-ipr",
				     "rank=kernel-fair",
				     "partition=maestro allocate=twoway preempt=chimera rank=urgent,kernel-fair",
				     "gang=bgto",
				     "gang=lgto",
				     "gang=lpc",
				     "gang=gang-gto",
				     "gang=gang-lrr",
				     "order=two-level-active hold=ccws,swl,mascar rank=mascar l1d.miss=mascar cta=vt",
				     "cta=vt,dyncta,dyncore"};

struct machine_text {
	char lines[MACHINE], moves[MACHINE];
};

static void machine_draw(struct machine_text *m, struct dice *d)
{
	static const u32 width[] = {4, 8, 16, 32};
	const char *p = policy[dice(d, sizeof(policy) / sizeof(policy[0]))];
	u32 n = 0;
	/*
	 * Known, and not drawn: a policy that gives kernels turns beside gangs, where two may wait for each other for
	 * ever. One has its turn on a scheduler on which its warp waits for the rest of its gang, and the other on that
	 * of the rest.
	 */
	bool ranks = strstr(p, "rank=") || strstr(p, "smkw") || strstr(p, "smkpw");
	bool saves = dice(d, 4) == 0, narrow = !ranks && (dice(d, 3) == 0 || !strncmp(p, "gang", 4));
	u32 size = width[dice(d, 4)];

	n += (u32)snprintf(m->lines + n, MACHINE - n, "gpu %s\nset gpu.sms %u\nset memory.limit 0\n",
			   narrow ? small[dice(d, sizeof(small) / sizeof(small[0]))]
				  : preset[dice(d, ranks ? WITHOUT_GANGS : sizeof(preset) / sizeof(preset[0]))],
			   1 + dice(d, 3));
	if (narrow)
		n += (u32)snprintf(m->lines + n, MACHINE - n, "set warp.size %u\nset sm.subcores %u\n", size,
				   size < 32 ? 32 / size : 8);
	if (*p)
		n += (u32)snprintf(m->lines + n, MACHINE - n, "policy %s\n", p);
	if (dice(d, 3) == 0)
		n += (u32)snprintf(m->lines + n, MACHINE - n, "set warp.independent %s\n", dice(d, 2) ? "on" : "off");
	if (dice(d, 2))
		n += (u32)snprintf(m->lines + n, MACHINE - n, "set ptx.schedule %s\n", dice(d, 2) ? "on" : "off");
	if (dice(d, 2))
		n += (u32)snprintf(m->lines + n, MACHINE - n, "set engine.threads %u\n", 1 + dice(d, 2));
	if (dice(d, 3) == 0)
		n += (u32)snprintf(m->lines + n, MACHINE - n, "set engine.order %u\nset engine.major %s\n", dice(d, 99),
				   dice(d, 2) ? "sm" : "stage");
	if (dice(d, 4) == 0)
		n += (u32)snprintf(m->lines + n, MACHINE - n, "set engine.ahead off\nset engine.sleep off\n");
	if (saves)
		n += (u32)snprintf(m->lines + n, MACHINE - n, "set preempt.ctas 8\n");
	*m->moves = 0;
	n = 0;
	for (u32 i = 0, at = 0; i < 6 && saves; i++) {
		at += 50 + dice(d, 1500);
		n += (u32)snprintf(m->moves + n, MACHINE - n, "goto %u\npreempt save %u %u\n", at, dice(d, 2),
				   dice(d, 4));
	}
	for (u32 i = 0; i < 3 && dice(d, 5) == 0; i++)
		n += (u32)snprintf(m->moves + n, MACHINE - n, "goto %u\n", dice(d, 4000));
}

/* --- one comparison --- */

enum { SAME, DIFFERENT, UNFIT };

/* Ours without timing, or (m) a machine, beside what the second interpreter has said. */
static int compare_one(const struct task *t, u32 n, const struct machine_text *m, u8 **want, char *why)
{
	u8 *out[TOGETHER];
	int result, status;

	for (u32 i = 0; i < n; i++)
		out[i] = xcalloc(1, t[i].out_bytes);
	status = m ? by_session(t, n, m->lines, m->moves, out, why) : by_values(t, out[0], why);
	result = status == 1 ? UNFIT : status ? DIFFERENT : SAME;
	for (u32 i = 0; i < n; i++) {
		for (u32 at = 0; result == SAME && at < t[i].out_bytes; at++)
			if (out[i][at] != want[i][at]) {
				result = DIFFERENT;
				snprintf(why, WHY, "%s: byte %u is %02x, not %02x", t[i].kernel, at, out[i][at],
					 want[i][at]);
			}
		free(out[i]);
	}
	return result;
}

/* --- smaller --- */

struct lines {
	char *text, *line[LINES];
	bool gone[LINES];
	u32 n;
};

static char *lines_text(const struct lines *l)
{
	struct text t = {0};

	for (u32 i = 0; i < l->n; i++)
		if (!l->gone[i])
			text_add(&t, "%s\n", l->line[i]);
	return t.s;
}

static bool on_device; /* what differs is the GPU */

static bool differs(struct task *t, const struct machine_text *m)
{
	u8 *want = xcalloc(1, t->out_bytes), *out = xcalloc(1, t->out_bytes);
	char why[WHY];
	bool result = !by_lane(t, want, why);

	if (result && on_device)
		result = !by_device(t, 1, 0, &out, why) && memcmp(out, want, t->out_bytes);
	else if (result)
		result = compare_one(t, 1, m, &want, why) == DIFFERENT;
	free(want);
	free(out);
	return result;
}

/* Does it still differ? Only then they stay away. */
static bool without(struct lines *l, u32 from, u32 to, struct task *t, const struct machine_text *m)
{
	bool was[LINES], still;
	char *text = t->text;

	memcpy(was, l->gone, sizeof(was));
	memset(l->gone + from, 1, to - from);
	t->text = lines_text(l);
	still = differs(t, m);
	if (still) {
		free(text);
	} else {
		free(t->text);
		t->text = text;
		memcpy(l->gone, was, sizeof(was));
	}
	return still;
}

static u32 group_end(const struct lines *l, u32 from)
{
	u32 depth = 0;

	for (u32 i = from; i < l->n; i++) {
		depth += !strcmp(l->line[i], "//{");
		depth -= !strcmp(l->line[i], "//}");
		if (!depth)
			return i + 1;
	}
	return l->n;
}

static bool alone(const char *line)
{
	size_t n = strlen(line);

	return n > 3 && strncmp(line, "//", 2) && strcmp(line + n - 3, "//k") != 0;
}

static void smaller(struct task *t, const struct machine_text *m)
{
	struct lines *l = xcalloc(1, sizeof(*l));
	char *rest;
	u32 begin = 0, end = 0;

	l->text = rest = xstrdup(t->text);
	for (char *line; l->n < LINES && (line = strsep(&rest, "\n")) && rest; l->n++) {
		l->line[l->n] = line;
		begin = strcmp(line, "//begin") ? begin : l->n + 1;
		end = strcmp(line, "//end") ? end : l->n;
	}
	for (bool again = true; again;) {
		again = false;
		/* Half of it, a quarter, ..., then single lines; from the end. */
		for (u32 i = end; i-- > begin;) {
			if (l->gone[i])
				continue;
			if (!strcmp(l->line[i], "//{"))
				again |= without(l, i, group_end(l, i), t, m);
			else if (alone(l->line[i]))
				again |= without(l, i, i + 1, t, m);
		}
	}
	free(l->text);
	free(l);
}

/* --- files --- */

static void task_write(const struct task *t, const struct machine_text *m, const char *why, const char *folder,
		       const char *end)
{
	char *path = xasprintf("%s/%s.%s", folder, t->kernel, end);
	FILE *f;

	mkdir(folder, 0777);
	f = *end ? fopen(path, "w") : stdout;
	if (!f) {
		fprintf(stderr, "cannot write %s\n", path);
		exit(2);
	}
	fprintf(f, "//task %llu %u,%u,%u %u,%u,%u %u %u\n", t->seed, t->grid[0], t->grid[1], t->grid[2], t->block[0],
		t->block[1], t->block[2], t->in_bytes, t->out_bytes);
	if (m) {
		char *all = xasprintf("%s%s", m->lines, m->moves), *rest = all, *line;

		while ((line = strtok_r(rest, "\n", &rest)))
			fprintf(f, "//%s %s\n", strstr(m->moves, line) && !strstr(m->lines, line) ? "move" : "with",
				line);
		free(all);
	}
	fprintf(f, "//why %s\n%s", why, t->text);
	if (!*end)
		return;
	fclose(f);
	printf("kept: %s\n", path);
	free(path);
}

static bool task_read(struct task *t, struct machine_text *m, const char *path)
{
	char *text, *line;
	size_t length;
	struct error e;
	const char *entry;

	*t = (struct task){0};
	*m = (struct machine_text){0};
	if (file_read(path, 1 << 24, &text, &length, &e)) {
		fprintf(stderr, "%s: %s\n", path, e.message);
		return false;
	}
	if (sscanf(text, "//task %llu %u,%u,%u %u,%u,%u %u %u", &t->seed, &t->grid[0], &t->grid[1], &t->grid[2],
		   &t->block[0], &t->block[1], &t->block[2], &t->in_bytes, &t->out_bytes) != 9)
		return false;
	for (line = text; line && !strncmp(line, "//", 2); line = strchr(line, '\n') + 1) {
		size_t n = strcspn(line, "\n") + 1;
		char *to = !strncmp(line, "//with ", 7) ? m->lines : !strncmp(line, "//move ", 7) ? m->moves : NULL;

		if (to && strlen(to) + n < MACHINE)
			strncat(to, line + 7, n - 7);
	}
	entry = strstr(line, ".entry ");
	sscanf(entry ? entry : "", ".entry %31[^(]", t->kernel);
	t->text = xstrdup(line);
	free(text);
	task_fill(t, t->seed);
	t->out = xcalloc(1, t->out_bytes);
	return true;
}

/* --- programs --- */

static const char *folder = "build/differ";

static const struct machine_text *running;
static u64 running_seed;

/* It does not end: which machine is it? */
static void too_long(int number)
{
	(void)number;
	printf("seed %llu does not end in %d seconds of the processor:\n%s%s", running_seed, APART_SECONDS,
	       running->lines, running->moves);
	fflush(stdout);
	_exit(1);
}

/* Call too_long() when this process has computed for so many seconds more; 0: never. */
static void patience(u32 seconds)
{
	const struct itimerval t = {.it_value = {.tv_sec = seconds}};

	signal(SIGPROF, too_long);
	setitimer(ITIMER_PROF, &t, NULL);
}

/* A program and its machines, in a process of its own: what breaks the simulator breaks that. Its status: finds, unfit
 * machines. */
static int program_run(u64 seed, u32 variants)
{
	struct task t[TOGETHER];
	u8 *want[TOGETHER];
	struct dice d = {seed ^ 0x5bd1e995};
	char why[WHY];
	int finds = 0, unfit = 0;

	for (u32 i = 0; i < TOGETHER; i++) {
		task_draw(&t[i], seed * TOGETHER + i, false);
		want[i] = xcalloc(1, t[i].out_bytes);
		if (by_lane(&t[i], want[i], why)) {
			printf("%s: the second interpreter: %s\n", t[i].kernel, why);
			return 1;
		}
		if (compare_one(&t[i], 1, NULL, &want[i], why) == DIFFERENT) {
			printf("%s: without timing: %s\n", t[i].kernel, why);
			task_write(&t[i], NULL, why, folder, "whole");
			smaller(&t[i], NULL);
			task_write(&t[i], NULL, why, folder, "ptx");
			return 1;
		}
	}
	for (u32 v = 0; v < variants; v++) {
		struct machine_text m;
		u32 n = 1 + (dice(&d, 3) == 0);
		int result;

		machine_draw(&m, &d);
		running = &m;
		running_seed = seed;
		patience(APART_SECONDS);
		result = compare_one(t, n, &m, want, why);
		unfit += result == UNFIT;
		if (result == UNFIT && getenv("UNFIT"))
			printf("unfit: %s%s\n", m.lines, why);
		if (result != DIFFERENT)
			continue;
		printf("%s (%u together): %s\n%s%s", t[0].kernel, n, why, m.lines, m.moves);
		task_write(&t[0], &m, why, folder, "whole");
		fflush(stdout);
		patience(0);
		if (n == 1) {
			smaller(&t[0], &m);
			task_write(&t[0], &m, why, folder, "ptx");
		}
		finds++;
		break;
	}
	for (u32 i = 0; i < TOGETHER; i++) {
		free(want[i]);
		task_free(&t[i]);
	}
	return finds | unfit << 1;
}

struct wish {
	u64 seed, programs;
	u32 seconds, variants, level;
};

static int wish_read(struct wish *w, int argc, char **argv)
{
	int c;

	*w = (struct wish){1, ~0ULL >> 1, 0, 2, 4};
	while ((c = getopt(argc, argv, "s:n:t:v:o:l:")) != -1)
		switch (c) {
		case 's': w->seed = strtoull(optarg, NULL, 0); break;
		case 'n': w->programs = strtoull(optarg, NULL, 0); break;
		case 't': w->seconds = (u32)atoi(optarg); break;
		case 'v': w->variants = (u32)atoi(optarg); break;
		case 'o': folder = optarg; break;
		case 'l': w->level = (u32)atoi(optarg); break;
		default: return -1;
		}
	if (!w->seconds && w->programs > 1000000)
		w->programs = 100;
	return 0;
}

static int run(int argc, char **argv)
{
	struct wish w;
	u64 done = 0, finds = 0, unfit = 0;
	time_t began = time(NULL);

	if (wish_read(&w, argc, argv))
		return 2;
	for (; done < w.programs && (!w.seconds || time(NULL) - began < w.seconds); done++) {
		int status = 0;
		pid_t child;

		fflush(stdout);
		child = fork();
		if (!child) {
			status = program_run(w.seed + done, w.variants);
			fflush(stdout);
			_exit(status);
		}
		waitpid(child, &status, 0);
		if (WIFSIGNALED(status)) {
			printf("seed %llu: signal %d\n", w.seed + done, WTERMSIG(status));
			finds++;
		} else if (WEXITSTATUS(status) == STATUS_INTERNAL) {
			printf("seed %llu: internal error\n", w.seed + done);
			finds++;
		} else {
			finds += WEXITSTATUS(status) & 1;
			unfit += WEXITSTATUS(status) >> 1;
		}
	}
	printf("# %llu pairs of programs from seed %llu: %llu comparisons without timing, %llu on machines (%llu did not fit), %llu finds\n",
	       done, w.seed, done * TOGETHER, done * w.variants - unfit, unfit, finds);
	return finds > 0;
}

/* --- a GPU --- */

enum { BATCH = 24 };

static int device(int argc, char **argv)
{
	struct wish w;
	struct task t[BATCH];
	u8 *out[BATCH];
	u64 done = 0, finds = 0, optimized = 0;
	time_t began = time(NULL);
	char why[WHY];

	if (wish_read(&w, argc, argv))
		return 2;
	if (!device_there(why)) {
		fprintf(stderr, "%s\n", why);
		return 2;
	}
	for (; done < w.programs && (!w.seconds || time(NULL) - began < w.seconds); done += BATCH) {
		for (u32 i = 0; i < BATCH; i++) {
			task_draw(&t[i], w.seed + done + i, true);
			out[i] = xcalloc(1, t[i].out_bytes);
		}
		if (by_device(t, BATCH, w.level, out, why)) {
			printf("seed %llu: %s\n", w.seed + done, why);
			if (strncmp(why, "module", 6) != 0)
				return 1;
			continue;
		}
		for (u32 i = 0; i < BATCH; i++) {
			u8 *want = xcalloc(1, t[i].out_bytes);
			u32 differ = 0, first = 0;

			if (by_lane(&t[i], want, why))
				printf("seed %llu: the second interpreter: %s\n", t[i].seed, why);
			for (u32 at = t[i].out_bytes; at-- > 0;)
				if (want[at] != out[i][at]) {
					differ++;
					first = at;
				}
			if (differ) {
				/* Is it the assembler's optimizer? Without it the program says what it says. */
				int plain = by_device(&t[i], 1, 0, &out[i], why);
				bool same = !plain && !memcmp(out[i], want, t[i].out_bytes);

				printf("seed %llu: %u bytes differ, byte %u; %s\n", t[i].seed, differ, first,
				       same    ? "not if it is not optimized"
				       : plain ? why
					       : "also if it is not optimized");
				optimized += same;
				finds += !same;
				on_device = true;
				if (!same && finds < 3) {
					smaller(&t[i], NULL);
					task_write(&t[i], NULL, "the GPU", folder, "");
				}
			}
			free(want);
			free(out[i]);
			task_free(&t[i]);
		}
		fflush(stdout);
	}
	printf("# %llu programs from seed %llu on the GPU: %llu differ, %llu more when they are optimized\n", done,
	       w.seed, finds, optimized);
	return finds > 0;
}

/* --- kept programs --- */

static int file(int argc, char **argv)
{
	int failed = 0;

	for (int i = 1; i < argc; i++) {
		struct task t;
		struct machine_text m;
		char why[WHY] = "";
		u8 *want;

		if (!task_read(&t, &m, argv[i])) {
			printf("not ok %d - %s\n", i, argv[i]);
			failed = 1;
			continue;
		}
		want = xcalloc(1, t.out_bytes);
		if (by_lane(&t, want, why) || compare_one(&t, 1, NULL, &want, why) != SAME ||
		    (*m.lines && compare_one(&t, 1, &m, &want, why) != SAME)) {
			printf("not ok %d - %s: %s\n", i, argv[i], why);
			failed = 1;
		} else {
			printf("ok %d - %s\n", i, argv[i]);
		}
		free(want);
		task_free(&t);
	}
	return failed;
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";

	if (!strcmp(what, "ops"))
		return ops_compare(argc - 1, argv + 1);
	if (!strcmp(what, "run"))
		return run(argc - 1, argv + 1);
	if (!strcmp(what, "device"))
		return device(argc - 1, argv + 1);
	if (!strcmp(what, "hand"))
		return hand_compare();
	if (!strcmp(what, "file"))
		return file(argc - 1, argv + 1);
	if (!strcmp(what, "draw") && argc > 2) {
		struct task t;

		task_draw(&t, strtoull(argv[2], NULL, 0), argc > 3);
		printf("%s", t.text);
		task_free(&t);
		return 0;
	}
	fprintf(stderr, "usage: differ run | device | file | draw | ops | hand (see tests/diff/differ.c)\n");
	return 2;
}
