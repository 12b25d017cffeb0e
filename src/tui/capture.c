/* capture.c - standard output and error into the console (capture.h). */
#include "capture.h"

#include "pane.h"

#include <sys/mman.h>
#include <unistd.h>

static int file = -1, saved[2] = {-1, -1};

int capture_open(void)
{
	fflush(stdout);
	fflush(stderr);
	file = memfd_create("console", MFD_CLOEXEC);
	if (file < 0)
		return -1;
	for (int fd = 1; fd <= 2; fd++) {
		saved[fd - 1] = dup(fd);
		dup2(file, fd);
	}
	return file;
}

void capture_drain(struct session *s)
{
	char part[4096];
	off_t at = 0;
	ssize_t n;

	if (file < 0)
		return;
	fflush(stdout);
	while ((n = pread(file, part, sizeof(part), at)) > 0) {
		console_add(s, part, (size_t)n);
		at += n;
	}
	if (at) {
		lseek(file, 0, SEEK_SET);
		if (ftruncate(file, 0))
			lseek(file, 0, SEEK_END);
	}
}

void capture_close(struct session *s)
{
	if (file < 0)
		return;
	capture_drain(s);
	for (int fd = 1; fd <= 2; fd++) {
		dup2(saved[fd - 1], fd);
		close(saved[fd - 1]);
	}
	close(file);
	file = -1;
}
