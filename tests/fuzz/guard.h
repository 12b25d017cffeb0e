/*
 * guard.h - what a fuzzed program may open: while an input is fed, calls that open, make, move or remove files end the
 * program unless the file lies in a private folder, or is one of scenarios/ and only read. The linker sends the calls
 * here (--wrap, GUARDED in the Makefile), those of libraries aside.
 *
 * The folder is emptied behind each input. What the fuzzer itself writes when an input breaks something is let through.
 * Lines may run for ever (a stop's list that restarts, in a run that passes stops): after GUARD_PATIENCE seconds of
 * its own time an input gets a Ctrl-C, which must end all that it does.
 */
#ifndef WARPSTEP_FUZZ_GUARD_H
#define WARPSTEP_FUZZ_GUARD_H

#include "base.h"
#include "interrupt.h"

#include <dirent.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>
#include <zlib.h>

#define GUARD_ARTIFACTS "build/fuzz/crash-"
#define GUARD_PATIENCE 2

static struct {
	char folder[64]; /* "": not made yet */
	bool on;
} guard;

/* Something has been done that must not be. */
static void __attribute__((noreturn)) guard_dies(const char *what, const char *path)
{
	guard.on = false;
	fprintf(stderr, "guard: %s %s\n", what, path);
	abort();
}

/* May this file be opened? */
static void guard_asks(const char *path, bool write)
{
	if (!guard.on || !path || !strcmp(path, "/dev/null") || path_is_below(path, guard.folder) ||
	    (write && !strncmp(path, GUARD_ARTIFACTS, strlen(GUARD_ARTIFACTS))))
		return;
	if (write || !path_is_below(path, "scenarios"))
		guard_dies(write ? "writes" : "reads", path);
}

#define GUARD(type, name, params, args, path, write) \
	type __real_##name params; \
	type __wrap_##name params; \
	type __wrap_##name params \
	{ \
		guard_asks(path, write); \
		return __real_##name args; \
	}
GUARD(FILE *, fopen, (const char *path, const char *mode), (path, mode), path, strpbrk(mode, "wa+"))
GUARD(FILE *, freopen, (const char *path, const char *mode, FILE *f), (path, mode, f), path, strpbrk(mode, "wa+"))
GUARD(int, open, (const char *path, int flags, mode_t mode), (path, flags, mode), path, flags &(O_ACCMODE | O_CREAT))
GUARD(int, creat, (const char *path, mode_t mode), (path, mode), path, true)
GUARD(int, mkstemp, (char *path), (path), path, true)
GUARD(int, mkostemp, (char *path, int flags), (path, flags), path, true)
GUARD(int, mkdir, (const char *path, mode_t mode), (path, mode), path, true)
GUARD(int, rmdir, (const char *path), (path), path, true)
GUARD(int, unlink, (const char *path), (path), path, true)
GUARD(int, truncate, (const char *path, off_t size), (path, size), path, true)
GUARD(int, rename, (const char *from, const char *path), (from, path), (guard_asks(from, true), path), true)
GUARD(int, link, (const char *from, const char *path), (from, path), (guard_asks(from, true), path), true)
GUARD(DIR *, opendir, (const char *path), (path), path, false)
GUARD(gzFile, gzopen, (const char *path, const char *mode), (path, mode), path, strpbrk(mode, "wa+"))
GUARD(int, system, (const char *line), (line), (guard_dies("runs", line), ""), true)
GUARD(FILE *, popen, (const char *line, const char *mode), (line, mode), (guard_dies("runs", line), ""), !!mode)

/* Remove a file of the folder. */
static int guard_removes(const char *path, const struct stat *st, int what, struct FTW *where)
{
	(void)st;
	(void)what;
	return where->level ? remove(path) : 0;
}

/* Remove the folder, too: the program ends. */
static void guard_leaves(void)
{
	guard.on = false;
	rmdir(guard.folder);
}

/* The private folder is there, and temporary files are made in it. */
static inline void guard_ready(void)
{
	if (guard.folder[0])
		return;
	snprintf(guard.folder, sizeof(guard.folder), "/tmp/warpstep-fuzz-XXXXXX");
	if (!mkdtemp(guard.folder) || setenv("TMPDIR", guard.folder, 1))
		die("no folder can be made in /tmp");
	atexit(guard_leaves);
}

/* The path of a file of the folder, xmalloc'ed. */
static inline char *guard_path(const char *name)
{
	return path_join(guard.folder, name);
}

/* A file of the folder with these bytes; its path, xmalloc'ed. */
static inline char *guard_file(const char *name, const void *bytes, size_t n)
{
	char *path = guard_path(name);
	FILE *f;

	remove(path); /* a link would be followed */
	f = fopen(path, "wb");
	if (!f || fwrite(bytes, 1, n, f) != n || fclose(f))
		die("%s cannot be written", path);
	return path;
}

/* An input has used its time. */
static void guard_presses(int signal_number)
{
	(void)signal_number;
	raise(SIGINT);
}

/* Press Ctrl-C after so many seconds; 0: not any more. */
static inline void guard_patience(time_t seconds)
{
	struct itimerval timer = {.it_value = {.tv_sec = seconds}};

	signal(SIGVTALRM, guard_presses);
	setitimer(ITIMER_VIRTUAL, &timer, NULL);
}

/* Feed an input while calls are watched. */
static inline int guard_feed(void (*feed)(const u8 *data, size_t size), const u8 *data, size_t size)
{
	struct sigaction before;

	guard_ready();
	interrupt_catch(&before);
	guard_patience(GUARD_PATIENCE);
	guard.on = true;
	feed(data, size);
	guard.on = false;
	guard_patience(0);
	interrupt_release(&before);
	nftw(guard.folder, guard_removes, 16, FTW_DEPTH | FTW_PHYS | FTW_MOUNT);
	return 0;
}

#endif
