/*
 * drive.c - jobs as commands; all that are missing run side by side by GNU parallel (drive.h).
 *
 * What is missing the database says: a log of parallel's (--joblog) is kept for people, and never believed.
 */
#include "drive.h"

#include "worker_pool.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* A word for a shell. */
static void shell_word(struct text *out, const char *word)
{
	text_add(out, " '");
	for (; *word; word++)
		text_add(out, *word == '\'' ? "'\\''" : "%c", *word);
	text_add(out, "'");
}

/* A word that needs no quotes stays as it is. */
static void add_word(struct text *out, const char *word)
{
	if (*word &&
	    word[strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-+=:,@%")] == '\0')
		text_add(out, " %s", word);
	else
		shell_word(out, word);
}

void drive_command(const struct session *s, const struct sweeps *x, const struct plan *p, u32 i, const char *results,
		   struct text *out)
{
	char self[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);
	struct text line = {0};

	self[n > 0 ? n : 0] = '\0';
	add_word(&line, n > 0 ? self : "warpstep");
	text_add(&line, " --run-job=%s@%u", p->point[i].key, i);
	if (s->trust)
		text_add(&line, " --trust");
	if (s->max_cycles)
		text_add(&line, " --max-cycles=%llu", s->max_cycles);
	if (s->max_seconds > 0)
		text_add(&line, " --max-seconds=%.17g", s->max_seconds);
	if (x->memory)
		text_add(&line, " --max-memory=%llu", x->memory >> 20);
	text_add(&line, " --results");
	add_word(&line, results);
	add_word(&line, p->file);
	text_add(out, "%s", line.s + 1);
	text_free(&line);
}

/* --- one --- */

/* The plan of the sweep is in the database as it is now. *i: the point of the key, looked for first where it says. */
static enum status record_plan(struct session *s, struct plan *p, u32 *i, const char *key, struct rows *r,
			       struct error *e)
{
	enum status st;
	u32 at = 0;

	if (rows_planned(r, p, *i, key))
		return STATUS_OK;
	st = plan_keys(s, p, e);
	while (!st && at < p->n && strcmp(p->point[at].key, key) != 0)
		at++;
	if (!st && at < p->n)
		*i = at;
	else if (!st)
		st = error_at(e, STATUS_FAILED, p->path, 0, 0,
			      "point %u has key %s now: a file or the program has changed", *i, p->point[*i].key);
	return st ? st : rows_plan(r, p, e);
}

/* The same while the job is held. */
static enum status run_held(struct session *s, const struct sweeps *x, struct plan *p, u32 i, const char *key,
			    struct rows *r, struct error *e)
{
	enum status st = STATUS_OK;
	char *line = NULL;

	if (rows_has(r, key))
		return STATUS_OK;
	st = job_run(s, x, p, i, key, &line, e);
	if (!st)
		st = rows_take(r, line, e);
	free(line);
	return st;
}

enum status drive_job(struct session *s, const struct sweeps *x, struct plan *p, u32 i, const char *key,
		      const char *results, struct error *e)
{
	struct rows r = {0};
	enum status st;
	char *line;
	int held;

	if (!strcmp(results, "-")) {
		st = job_run(s, x, p, i, key, &line, e);
		if (!st)
			printf("%s\n", line);
		free(line);
		return st;
	}
	st = rows_open(results, true, &r, e);
	if (!st)
		st = record_plan(s, p, &i, key, &r, e);
	held = st ? -1 : job_hold(results, key, e);
	if (!st)
		st = held < 0 ? e->status : run_held(s, x, p, i, key, &r, e);
	job_drop(held);
	rows_close(&r);
	return st;
}

/* --- all --- */

/* A sweep under way. */
struct drive {
	struct session *s;
	const struct sweeps *x;
	struct plan *p;
	struct rows *r;
	u32 *missing, n; /* points to be run */
	u32 workers;
	double began;
	u32 ended; /* jobs of ours that have ended */
	u32 said;  /* jobs that were done when that was said last */
};

static bool has_parallel(void)
{
	FILE *f = popen("command -v parallel >/dev/null && parallel --version 2>/dev/null | head -n 1", "r");
	char line[64] = "";
	bool is = f && fgets(line, sizeof(line), f) && !strncmp(line, "GNU parallel", 12);

	if (f)
		pclose(f);
	return is;
}

/* Jobs of this run that have their rows. */
static u32 done_now(const struct drive *d)
{
	u32 n = 0;

	for (u32 i = 0; i < d->n; i++)
		n += rows_has(d->r, d->p->point[d->missing[i]].key);
	return n;
}

/* "1:02:03" */
static const char *clock_text(double seconds, char out[32])
{
	u64 t = (u64)(seconds + 0.5);

	if (t >= 3600)
		snprintf(out, 32, "%llu:%02llu:%02llu", t / 3600, t / 60 % 60, t % 60);
	else
		snprintf(out, 32, "%llu:%02llu", t / 60, t % 60);
	return out;
}

/* How far it is and how long the rest will take: over and over in one line of a terminal, else at each tenth. */
static void say_progress(struct drive *d, u32 done, bool last)
{
	bool terminal = isatty(STDERR_FILENO);
	double spent = host_seconds() - d->began;
	char took[32], left[32];

	if (d->s->quiet || (!terminal && !last && done * 10 / d->n == d->said * 10 / d->n))
		return;
	d->said = done;
	fprintf(stderr, "%s%u of %u jobs, %s", terminal ? "\r" : "", done, d->n, clock_text(spent, took));
	if (done && done < d->n)
		fprintf(stderr, ", about %s left", clock_text(spent / done * (d->n - done), left));
	fprintf(stderr, terminal && !last ? "\033[K" : terminal ? "\033[K\n" : "\n");
}

/* Wait for a process, and say meanwhile how far it is. Its status as waitpid() has it. */
static int wait_saying(struct drive *d, pid_t pid)
{
	int how = 0;
	double said = 0;

	while (waitpid(pid, &how, WNOHANG) == 0) {
		usleep(50000);
		if (host_seconds() - said < 1)
			continue;
		said = host_seconds();
		say_progress(d, d->s->quiet ? 0 : done_now(d), false);
	}
	return how;
}

/* Become GNU parallel, which reads commands from `in`. */
static void __attribute__((noreturn)) become_parallel(const struct drive *d, int in, int out)
{
	char workers[16], *log = xasprintf("%s.joblog", d->x->results);
	const char *argv[16] = {"parallel", "--will-cite", "--joblog", log, "-j", workers};
	u32 n = 6;

	snprintf(workers, sizeof(workers), "%u", d->workers);
	if (d->x->hosts) {
		argv[n++] = "--sshlogin";
		argv[n++] = d->x->hosts;
		if (!d->x->workers)
			argv[5] = "100%";
	}
	prctl(PR_SET_PDEATHSIG, SIGTERM); /* what runs comes to its end, and nothing else begins */
	dup2(in, STDIN_FILENO);
	if (out >= 0)
		dup2(out, STDOUT_FILENO);
	execvp(argv[0], (char *const *)(uintptr_t)argv);
	_exit(127);
}

/* The commands of all jobs as a file that is nowhere. */
static FILE *commands(const struct drive *d, const char *results)
{
	FILE *f = tmpfile();

	for (u32 i = 0; f && i < d->n; i++) {
		struct text line = {0};

		drive_command(d->s, d->x, d->p, d->missing[i], results, &line);
		fprintf(f, "%s\n", line.s);
		text_free(&line);
	}
	if (f)
		rewind(f);
	return f;
}

/* Rows that come from hosts, as they come. */
static enum status take_rows(struct drive *d, int fd, struct error *e)
{
	FILE *f = fdopen(fd, "r");
	char *line = NULL;
	size_t room = 0;
	enum status st = STATUS_OK;

	while (f && getline(&line, &room, f) > 0 && !st) {
		st = rows_take(d->r, line, e);
		say_progress(d, d->s->quiet ? 0 : done_now(d), false);
	}
	free(line);
	if (f)
		fclose(f);
	return st;
}

/* By GNU parallel. Where hosts are named each job writes its row to standard output, and it is recorded here. */
static enum status by_parallel(struct drive *d, struct error *e)
{
	FILE *in = commands(d, d->x->hosts ? "-" : d->x->results);
	int end[2] = {-1, -1}, how;
	enum status st = STATUS_OK;
	pid_t pid;

	if (!in || (d->x->hosts && pipe2(end, O_CLOEXEC)))
		return error_set(e, STATUS_FAILED, "no pipe or temporary file: %s", strerror(errno));
	fflush(NULL);
	pid = fork();
	if (!pid)
		become_parallel(d, fileno(in), end[1]);
	fclose(in);
	if (pid < 0)
		return error_set(e, STATUS_FAILED, "no process: %s", strerror(errno));
	if (d->x->hosts) {
		close(end[1]);
		st = take_rows(d, end[0], e);
	}
	how = wait_saying(d, pid);
	if (!st && WIFEXITED(how) && WEXITSTATUS(how) == 255)
		st = error_set(e, STATUS_FAILED, "GNU parallel failed");
	return st;
}

/* A job in a process of ours. */
static void __attribute__((noreturn)) child_job(const struct drive *d, u32 i, pid_t parent)
{
	char message[1600];
	struct error e = {0};

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() == parent && drive_job(d->s, d->x, d->p, i, d->p->point[i].key, d->x->results, &e))
		fprintf(stderr, "warpstep: %s\n", safe_text(error_format(&e, message, sizeof(message))));
	_exit((int)e.status);
}

/* Without GNU parallel: a few processes at a time. The database is closed meanwhile: it must not be open across fork().
 */
static enum status by_ourselves(struct drive *d, struct error *e)
{
	pid_t parent = getpid();
	u32 running = 0;
	int why = 0;

	rows_close(d->r);
	for (u32 i = 0; i < d->n || running;) {
		pid_t pid = -1;

		if (i < d->n && running < d->workers) {
			fflush(NULL);
			pid = fork();
			why = errno;
		}
		if (!pid)
			child_job(d, d->missing[i], parent);
		running += pid > 0;
		i += pid > 0;
		if (pid > 0)
			continue;
		if (!running)
			break;
		d->ended += waitpid(-1, NULL, 0) > 0;
		running--;
		say_progress(d, d->ended, false);
	}
	if (rows_open(d->x->results, true, d->r, e))
		return e->status;
	return d->ended < d->n ? error_set(e, STATUS_FAILED, "no process: %s", strerror(why)) : STATUS_OK;
}

enum status drive_sweep(struct session *s, const struct sweeps *x, struct plan *p, struct rows *r, struct error *e)
{
	struct drive d = {.s = s, .x = x, .p = p, .r = r, .workers = x->workers, .began = host_seconds()};
	enum status st = STATUS_OK;
	bool parallel = !x->alone && has_parallel();
	u32 left;

	if (x->hosts && !parallel)
		return error_set(e, STATUS_FAILED, "--sshlogin needs GNU parallel, which is not installed");
	if (!d.workers)
		d.workers = worker_pool_processors();
	d.missing = xcalloc(p->n, sizeof(*d.missing));
	for (u32 i = 0; i < p->n; i++)
		if (drive_shard(x, i) && !rows_has(r, p->point[i].key))
			d.missing[d.n++] = i;
	if (d.n && !parallel && !x->alone)
		fprintf(stderr,
			"GNU parallel is not installed: %u jobs at a time run without it, on this machine and without a log\n",
			d.workers);
	if (d.n)
		st = parallel ? by_parallel(&d, e) : by_ourselves(&d, e);
	left = st || !d.n ? 0 : d.n - done_now(&d);
	if (d.n && !st)
		say_progress(&d, d.n - left, true);
	free(d.missing);
	if (!st && left)
		st = error_set(e, STATUS_FAILED,
			       "%u job%s of %u have no row, or were killed (run the sweep again for them)", left,
			       plural(left), p->n);
	return st;
}
