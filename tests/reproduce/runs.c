/*
 * runs.c - runs, each in a process of its own and made once: what its commands print is kept in a file of OUT/runs,
 * whose name holds a hash of them.
 */
#include "reproduce.h"

#include "session_ops.h"
#include "lang.h"

#include <dirent.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

struct run {
	u64 hash;
	char *label, *commands, *path, *output; /* output: NULL until it is read */
	bool wanted;
	pid_t child;
};
static struct run *run;
static u32 nruns;

const char *out_folder;

void runs_open(bool keep)
{
	char *folder = xasprintf("%s/runs", out_folder);
	struct dirent *entry;
	DIR *d;

	mkdir("build", 0777);
	mkdir(out_folder, 0777);
	mkdir(folder, 0777);
	d = opendir(folder);
	if (!d)
		fail("cannot open %s", folder);
	while (!keep && (entry = readdir(d)))
		unlinkat(dirfd(d), entry->d_name, 0);
	closedir(d);
	free(folder);
}

static u64 hash_text(const char *s)
{
	u64 h = 0;

	while (*s)
		h = mix64(h ^ (u64)(u8)*s++);
	return h;
}

/* The path of a run: its label, with what does not go into the name of a file replaced, and the hash. */
static char *path_of(const char *label, u64 hash)
{
	char *name = xasprintf("%.120s", label), *path;

	for (char *c = name; *c; c++)
		*c = *c == '/' || *c == ' ' ? '_' : *c;
	path = xasprintf("%s/runs/%s.%016llx", out_folder, name, hash);
	free(name);
	return path;
}

const char *run_output(const char *label, const char *commands)
{
	u64 hash = hash_text(commands);
	struct error e;
	struct run *r;
	size_t length;
	u32 i;

	for (i = 0; i < nruns && (run[i].hash != hash || strcmp(run[i].commands, commands)); i++)
		;
	if (i == nruns) {
		run = array_grow(run, nruns, sizeof(*run));
		run[nruns++] = (struct run){
			.hash = hash,
			.label = xstrdup(label),
			.commands = xstrdup(commands),
			.path = path_of(label, hash),
		};
	}
	r = &run[i];
	if (!r->output && !access(r->path, R_OK) && file_read(r->path, 1u << 30, &r->output, &length, &e))
		fail("%s", e.message);
	r->wanted = !r->output;
	return r->output;
}

/* In a child: run the commands into the file. */
static void __attribute__((noreturn)) child_run(const struct run *r)
{
	char *path = xasprintf("%s.new", r->path), shown[1400];
	struct error e = {0};
	struct session s;

	session_open(&s, &all_session_ops);
	s.batch = s.quiet = s.trust = true;
	s.out = fopen(path, "w");
	if (!s.out)
		fail("cannot write %s", path);
	if (text_run(&s, r->commands, NULL, true, &e))
		fail("%s: %s", r->label, error_format(&e, shown, sizeof(shown)));
	if (fclose(s.out) || rename(path, r->path))
		fail("cannot write %s", r->path);
	_exit(0);
}

/* End the children that still run. */
static void children_end(void)
{
	for (u32 i = 0; i < nruns; i++)
		if (run[i].child)
			kill(run[i].child, SIGTERM);
}

/* Wait for one of them; a failure ends all. */
static void child_wait(void)
{
	int status;
	pid_t pid = wait(&status);

	for (u32 i = 0; i < nruns; i++) {
		if (run[i].child != pid)
			continue;
		run[i].child = 0;
		run[i].wanted = false;
		if (!status)
			return;
		children_end();
		if (WIFEXITED(status) && WEXITSTATUS(status) == 1)
			_exit(1); /* it has said why */
		fail("%s: status %d", run[i].label, WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
	}
}

u32 runs_make(void)
{
	long processors = sysconf(_SC_NPROCESSORS_ONLN), running = 0;
	u32 made = 0, wanted = 0;

	fflush(NULL);
	for (u32 i = 0; i < nruns; i++)
		wanted += run[i].wanted;
	for (u32 i = 0; i < nruns; i++) {
		if (!run[i].wanted)
			continue;
		if (isatty(STDERR_FILENO))
			fprintf(stderr, "run %u of %u: %-80.80s\r", made + 1, wanted, run[i].label);
		for (; running >= processors; running--)
			child_wait();
		run[i].child = fork();
		if (!run[i].child)
			child_run(&run[i]);
		if (run[i].child < 0)
			fail("cannot start a process");
		running++;
		made++;
	}
	for (; running; running--)
		child_wait();
	return made;
}
