/*
 * outfile.c - files that are written (outfile.h).
 *
 * A regular file is replaced as a whole. What is written goes to a temporary file in the same folder, which takes the
 * place of the old one when it is complete; the old one's permissions, and its owner as far as that is allowed, stay.
 * A symbolic link stays, too: the file that it leads to is replaced. A link that leads to no file is refused, so that
 * nobody's link decides where a new file comes to lie. Deviation: other hard links keep the old contents.
 */
#include "outfile.h"
#include "gzip.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#define TEMPORARY ".warpstep-XXXXXX"

/* A file that is open. */
struct outfile {
	FILE *f; /* NULL: the place is free */
	int error;
	pid_t owner;				  /* the process that opened it: copies of it leave its files alone */
	volatile sig_atomic_t pending;		  /* the temporary file exists, and what follows is complete */
	volatile sig_atomic_t kept;		  /* a signal makes it the file */
	char temporary[PATH_MAX], path[PATH_MAX]; /* path: with all links followed; "" if it is written directly */
};

static struct outfile open_file[8]; /* a log and the next, a recording, a command's file */
static struct outfile standard_output;

/* What is known of an open file; NULL: nothing. */
static struct outfile *find(const FILE *f)
{
	if (f == stdout)
		return &standard_output;
	for (u32 i = 0; f && i < ARRAY_LEN(open_file); i++)
		if (open_file[i].f == f)
			return &open_file[i];
	return NULL;
}

/* Hold signals back while a temporary file and what is known of it do not agree. */
static void hold_signals(sigset_t *before)
{
	sigset_t all;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, before);
}

/* The permissions of a new file. */
static mode_t new_mode(void)
{
	mode_t mask = umask(0);

	umask(mask);
	return 0666 & ~mask;
}

/* A temporary file gets the permissions of the file that it replaces, and its owner and group if they may be given. A
 * group that it cannot get has no more rights than others. */
static void take_rights(int fd, const struct stat *old)
{
	mode_t mode = old->st_mode & 0777;
	struct stat now;

	if (fstat(fd, &now))
		return;
	if ((now.st_uid != old->st_uid || now.st_gid != old->st_gid) && fchown(fd, old->st_uid, old->st_gid) &&
	    now.st_gid != old->st_gid && fchown(fd, (uid_t)-1, old->st_gid))
		mode = (mode & 0707) | (mode & 07) << 3;
	fchmod(fd, mode);
}

/* A temporary file beside o->path, to replace the file `old` (NULL: there is none). */
static int open_beside(struct outfile *o, const struct stat *old, bool kept)
{
	char *dir = path_dir(o->path);
	sigset_t before;
	int fd = -1;

	if ((size_t)snprintf(o->temporary, sizeof(o->temporary), "%s/" TEMPORARY, dir) < sizeof(o->temporary)) {
		hold_signals(&before);
		fd = mkostemp(o->temporary, O_CLOEXEC);
		o->owner = getpid();
		o->kept = kept;
		o->pending = fd >= 0;
		pthread_sigmask(SIG_SETMASK, &before, NULL);
	} else {
		errno = ENAMETOOLONG;
	}
	free(dir);
	if (fd >= 0 && old)
		take_rights(fd, old);
	else if (fd >= 0)
		fchmod(fd, new_mode());
	return fd;
}

/* Is a file the one that standard output or standard error lead to? A descriptor of it then, else -1. */
static int open_standard(const struct stat *st)
{
	struct stat now;

	for (int fd = STDOUT_FILENO; fd <= STDERR_FILENO; fd++) {
		if (fstat(fd, &now) || now.st_dev != st->st_dev || now.st_ino != st->st_ino)
			continue;
		fflush(fd == STDOUT_FILENO ? stdout : stderr);
		return fcntl(fd, F_DUPFD_CLOEXEC, 3);
	}
	return -1;
}

/* Open a file that exists. */
static int open_old(struct outfile *o, const char *path, const struct stat *st, enum outfile_way way)
{
	int fd = S_ISREG(st->st_mode) ? open_standard(st) : -1;

	if (fd >= 0)
		return fd;
	if (!S_ISREG(st->st_mode) || way == OUTFILE_APPEND)
		return open(path, O_WRONLY | O_APPEND | O_NOCTTY | O_CLOEXEC);
	if (faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) || !realpath(path, o->path))
		return -1;
	return open_beside(o, st, way == OUTFILE_STREAM);
}

/* Make a file that does not exist. */
static int open_new(struct outfile *o, const char *path, enum outfile_way way)
{
	struct stat link;

	if (!lstat(path, &link)) {
		errno = ELOOP;
		return -1;
	}
	if (way == OUTFILE_APPEND)
		return open(path, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NOCTTY | O_CLOEXEC, 0666);
	if ((size_t)snprintf(o->path, sizeof(o->path), "%s", path) < sizeof(o->path))
		return open_beside(o, NULL, way == OUTFILE_STREAM);
	errno = ENAMETOOLONG;
	return -1;
}

/* The end of a temporary file: it becomes the file, or it goes. Returns 0 or an errno. */
static int settle(struct outfile *o, int error)
{
	sigset_t before;

	if (!o->pending)
		return error;
	hold_signals(&before);
	if (!error && rename(o->temporary, o->path))
		error = errno;
	if (error)
		unlink(o->temporary);
	o->pending = 0;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return error;
}

/* The stream over a descriptor, which is closed if there is none. */
static FILE *open_stream(int fd, enum outfile_way way)
{
	FILE *plain = fdopen(fd, "w"), *f = plain;
	int error;

	if (plain && way == OUTFILE_GZIP)
		f = gzip_over(plain);
	if (f)
		return f;
	error = errno;
	if (plain)
		fclose(plain);
	else
		close(fd);
	errno = error;
	return NULL;
}

FILE *outfile_open(const char *path, enum outfile_way way)
{
	struct outfile *o = NULL;
	struct stat st;
	int fd = -1, error;

	for (u32 i = 0; i < ARRAY_LEN(open_file) && !o; i++)
		if (!open_file[i].f)
			o = &open_file[i];
	if (!o) {
		errno = EMFILE;
		return NULL;
	}
	o->error = 0;
	if (!stat(path, &st))
		fd = open_old(o, path, &st, way);
	else if (errno == ENOENT || errno == ELOOP)
		fd = open_new(o, path, way);
	o->f = fd >= 0 ? open_stream(fd, way) : NULL;
	if (!o->f && fd >= 0) {
		error = settle(o, errno);
		errno = error;
	}
	return o->f;
}

int outfile_note(FILE *f)
{
	struct outfile *o = find(f);

	if (!o)
		return 0;
	if (!o->error && ferror(f)) {
		o->error = errno ? errno : EIO;
		o->kept = 0;
	}
	return o->error;
}

int outfile_flush(FILE *f)
{
	fflush(f);
	return outfile_note(f);
}

int outfile_close(FILE *f, bool good)
{
	int error = outfile_flush(f);
	struct outfile *o = find(f);

	if (!good && !error)
		error = EIO;
	if (fclose(f) && !error)
		error = errno;
	error = settle(o, error);
	o->f = NULL;
	return error;
}

enum status outfile_failed(struct error *e, const char *path, int error)
{
	return error_set(e, STATUS_FAILED, "cannot write %s: %s", safe_text(path),
			 error == ELOOP ? "it is a symbolic link to a file that does not exist" : strerror(error));
}

void outfile_settle(void)
{
	for (u32 i = 0; i < ARRAY_LEN(open_file); i++) {
		struct outfile *o = &open_file[i];

		if (!o->pending || o->owner != getpid())
			continue;
		if (!o->kept || rename(o->temporary, o->path))
			unlink(o->temporary);
		o->pending = 0;
	}
}

/* A signal that ends the program. */
static void on_end(int number)
{
	outfile_settle();
	raise(number);
}

bool signal_ends(int number)
{
	switch (number) {
	case SIGKILL: /* it does, and nothing can be done about it */
	case SIGXFSZ:
	case SIGSTOP:
	case SIGTSTP:
	case SIGTTIN:
	case SIGTTOU:
	case SIGCONT:
	case SIGCHLD:
	case SIGURG:
	case SIGWINCH: return false;
	default: return true;
	}
}

void outfile_guard(void)
{
	struct sigaction a = {.sa_handler = on_end, .sa_flags = (int)SA_RESETHAND}, before;

	sigemptyset(&a.sa_mask);
	for (int i = 1; i < NSIG; i++)
		if (signal_ends(i) && !sigaction(i, NULL, &before) && before.sa_handler == SIG_DFL)
			sigaction(i, &a, NULL);
	signal(SIGXFSZ, SIG_IGN);
	atexit(outfile_settle);
}
