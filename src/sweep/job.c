/*
 * job.c - a job in a process of its own (job.h): the parent waits, and knows how it ended even where it was killed.
 */
#include "job.h"

#include "interrupt.h"
#include "lang.h"
#include "other.h"
#include "stats.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define VERIFIED 'v' /* what the child says first: the point has the key */
#define UNUSABLE '!' /* ... or: there is no such job; a message follows */

/* --- one job at a time of a key --- */

int job_hold(const char *results, const char *key, struct error *e)
{
	char *path = xasprintf("%s-jobs", results);
	struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_len = 1};
	int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);

	lock.l_start = (off_t)(strtoull(key, NULL, 16) >> 1);
	if (fd < 0 || fcntl(fd, F_OFD_SETLKW, &lock)) {
		error_at(e, STATUS_FAILED, path, 0, 0, "cannot lock: %s", strerror(errno));
		if (fd >= 0)
			close(fd);
		fd = -1;
	}
	free(path);
	return fd;
}

void job_drop(int held)
{
	if (held >= 0)
		close(held);
}

/* --- the child --- */

static void put_stat(void *self, const struct stat_value *v)
{
	json_object_set_new(self, v->name, stat_json(v));
}

/* All statistics and measures; an expression without a value is an error. */
static enum status values(struct session *o, json_t *out, struct error *e)
{
	enum status st = STATUS_OK;

	stats_each(o, NULL, false, put_stat, out);
	for (u32 i = 0; i < o->sweep->nmeasures; i++) {
		const struct sweep_measure *m = &o->sweep->measure[i];
		struct expr *x;
		struct value v;

		if (!m->expr)
			continue;
		if (expr_compile_formula(o, m->expr, &x, e)) {
			st = STATUS_CHECK;
			continue;
		}
		if (!expr_eval(o, x, NULL, &v, e))
			json_object_set_new(out, m->name, value_json(v));
		else
			st = STATUS_CHECK;
		expr_free(x);
	}
	return st;
}

/* How a run ended. */
static enum row_state_id state_of(const struct session *o, enum status st)
{
	if (st == STATUS_LIMIT || (st && interrupt_timed_out()))
		return interrupt_timed_out() ? ROW_time : ROW_limit;
	if (sim_faulted(&o->sim))
		return ROW_fault;
	if (st == STATUS_DEADLOCK)
		return ROW_deadlock;
	return st ? ROW_check : ROW_complete;
}

/* Do what the block `job` says, and keep what it prints. */
static enum status run_block(struct session *o, json_t *all, struct error *e)
{
	const struct kept *k = &o->lang->job;
	FILE *nowhere = o->out;
	char *printed = NULL;
	size_t length;
	enum status st;

	o->out = open_memstream(&printed, &length);
	if (!o->out)
		die("out of memory (what a job prints)");
	st = session_make(o, e);
	if (!st)
		st = kept_run(o, k, k->line, e);
	fclose(o->out);
	o->out = nowhere;
	member_text(all, "printed", printed);
	free(printed);
	return st;
}

/* Run a session that has been set up to its end. */
static char *run(struct session *o, const char *key)
{
	struct row x = {.version = sweep_version};
	json_t *all = json_object();
	double began = host_seconds();
	struct error e = {0}, unsaid;
	char hash[KEY_DIGITS + 1] = "", *line, *text;
	enum status st;

	snprintf(x.key, sizeof(x.key), "%s", key);
	st = o->lang->job.line ? run_block(o, all, &e) : text_run(o, "run", NULL, true, &e);
	if (o->live) {
		sim_sync(&o->sim);
		snprintf(hash, sizeof(hash), "%016llx", sim_hash(&o->sim));
		x.cycle = session_now(o).cycle;
		x.state = row_state_table[state_of(o, st)].name;
		if (values(o, all, st ? &unsaid : &e) && !st)
			x.state = row_state_table[ROW_check].name;
	} else { /* no machine could be made: the host, which the key does not know, has too little memory for it */
		x.state = row_state_table[strstr(e.message, "memory.limit") ? ROW_memory : ROW_check].name;
	}
	x.hash = hash;
	x.detail = safe_text(e.message);
	x.values = text = json_dumps(all, JSON_COMPACT);
	x.seconds = host_seconds() - began;
	line = row_line(&x, true);
	free(text);
	json_decref(all);
	return line;
}

/* Write all of a text; who reads it may have gone. */
static void say(int fd, const char *text, size_t n)
{
	while (n) {
		ssize_t done = write(fd, text, n);

		if (done < 0 && errno != EINTR)
			_exit(STATUS_FAILED);
		text += done > 0 ? done : 0;
		n -= done > 0 ? (size_t)done : 0;
	}
}

/* What the child does before anything else: it dies with its parent, and says nothing. */
static void child_begin(pid_t parent, int said)
{
	struct rlimit core = {0};
	int nowhere = open("/dev/null", O_RDWR);

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(STATUS_FAILED);
	if (nowhere >= 0)
		for (int fd = 0; fd <= STDERR_FILENO; fd++)
			dup2(fd == STDERR_FILENO && said >= 0 ? said : nowhere, fd);
	setrlimit(RLIMIT_CORE, &core);
}

static void __attribute__((noreturn)) child(struct session *s, const struct sweeps *x, const struct plan *p, u32 i,
					    const char *key, const int out[2], pid_t parent)
{
	struct rlimit limit = {.rlim_cur = x->memory, .rlim_max = x->memory};
	char now[KEY_DIGITS + 1], message[1400], *line;
	struct session o = {0};
	struct error e = {0};

	child_begin(parent, out[1]);
	if (!plan_session(s, p, i, &o, now, &e) && strcmp(now, key) != 0)
		error_at(&e, STATUS_FAILED, p->path, 0, 0, "point %u has key %s now: a file or the program has changed",
			 i, now);
	if (e.status) {
		error_format(&e, message + 1, sizeof(message) - 1);
		*message = UNUSABLE;
		say(out[0], message, strlen(message));
		_exit((int)e.status);
	}
	say(out[0], (const char[]){VERIFIED}, 1);
	if (x->memory)
		setrlimit(RLIMIT_AS, &limit);
	if (s->max_seconds > 0)
		interrupt_after(s->max_seconds);
	line = run(&o, key);
	say(out[0], line, strlen(line));
	say(out[0], "\n", 1);
	_exit(0);
}

/* --- the parent --- */

/* Processes that the host has killed because memory ran out. */
static u64 killed_for_memory(void)
{
	FILE *f = fopen("/proc/vmstat", "r");
	char line[128];
	u64 n = 0;

	while (f && fgets(line, sizeof(line), f))
		if (!strncmp(line, "oom_kill ", 9))
			n = strtoull(line + 9, NULL, 10);
	if (f)
		fclose(f);
	return n;
}

/* The row of a job whose process ended without one, if it was memory that it wanted. said: what it wrote to standard
 * error. */
static enum status no_row(const struct sweeps *x, const char *key, int how, bool oom, const char *said, char **line,
			  struct error *e)
{
	bool memory = (WIFSIGNALED(how) && WTERMSIG(how) == SIGKILL && oom) || strstr(said, "out of memory");
	struct row r = {
		.version = sweep_version, .state = row_state_table[ROW_memory].name, .hash = "", .values = "{}"};
	char *detail;

	snprintf(r.key, sizeof(r.key), "%s", key);
	if (!memory && WIFSIGNALED(how))
		return error_set(e, STATUS_FAILED, "job %s was killed by signal %d: it has no row", key, WTERMSIG(how));
	if (!memory)
		return error_set(e, STATUS_INTERNAL, "job %s ended with exit status %d: it has no row: %.500s", key,
				 WEXITSTATUS(how), said);
	detail = x->memory ? xasprintf("the limit of %llu MB was reached (--max-memory)", x->memory >> 20)
			   : xstrdup("no memory was left");
	r.detail = detail;
	*line = row_line(&r, true);
	free(detail);
	return STATUS_OK;
}

/* All that comes through a pipe. */
static void read_all(int fd, struct text *out)
{
	char bytes[65536];
	ssize_t n;

	while ((n = read(fd, bytes, sizeof(bytes))) > 0 || (n < 0 && errno == EINTR))
		if (n > 0)
			text_addn(out, bytes, (size_t)n);
}

enum status job_run(struct session *s, const struct sweeps *x, const struct plan *p, u32 i, const char *key,
		    char **line, struct error *e)
{
	struct text said = {0}, errors = {0};
	int heard = memfd_create("standard error", MFD_CLOEXEC);
	pid_t parent = getpid(), pid;
	u64 before = killed_for_memory();
	int end[2], how = 0;
	enum status st = STATUS_OK;

	*line = NULL;
	if (pipe2(end, O_CLOEXEC))
		return error_set(e, STATUS_FAILED, "no pipe: %s", strerror(errno));
	fflush(NULL);
	pid = fork();
	if (!pid) {
		close(end[0]);
		child(s, x, p, i, key, (const int[]){end[1], heard}, parent);
	}
	close(end[1]);
	if (pid > 0)
		read_all(end[0], &said);
	close(end[0]);
	while (pid > 0 && waitpid(pid, &how, 0) < 0 && errno == EINTR)
		continue;
	if (heard >= 0) {
		lseek(heard, 0, SEEK_SET);
		read_all(heard, &errors);
		close(heard);
	}
	if (pid < 0)
		st = error_set(e, STATUS_FAILED, "no process: %s", strerror(errno));
	else if (said.len && said.s[0] == UNUSABLE)
		st = error_set(e, WIFEXITED(how) && WEXITSTATUS(how) ? (enum status)WEXITSTATUS(how) : STATUS_FAILED,
			       "%.700s", said.s + 1);
	else if (said.len > 2 && said.s[said.len - 1] == '\n')
		*line = xstrndup(said.s + 1, said.len - 2);
	else if (said.len)
		st = no_row(x, key, how, killed_for_memory() > before, errors.s ? errors.s : "", line, e);
	else
		st = error_set(e, STATUS_FAILED, "job %s could not be set up: it has no row", key);
	text_free(&said);
	text_free(&errors);
	return st;
}
