/*
 * history.c - what was typed, in $XDG_STATE_HOME/warpstep/history, for this user alone.
 *
 * A line is appended when it is typed, so that neither a signal nor a second sitting loses any; of equal lines the
 * newest is kept. Lines with control bytes are passed over: the file may have been written by anyone who can.
 */
#include "lang.h"
#include "main.h"
#include "outfile.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <readline/history.h>

#define HISTORY_LINES 10000
#define HISTORY_BYTES (16u << 20)

static char *path; /* NULL: nowhere to keep it */

/* Make the directories of a path, each only for its owner. */
static void make_directories(char *p)
{
	for (char *slash = strchr(p + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		mkdir(p, 0700);
		*slash = '/';
	}
}

/* Where it is kept; NULL without a home. */
static char *history_path(void)
{
	const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");

	if (state && *state == '/')
		return xasprintf("%s/warpstep/history", state);
	return home && *home ? xasprintf("%s/.local/state/warpstep/history", home) : NULL;
}

/* A line of the file and its place. */
struct old_line {
	char *s;
	u32 at;
};

/* By text, of equal ones the newest first. */
static int by_text(const void *a, const void *b)
{
	const struct old_line *x = a, *y = b;
	int order = strcmp(x->s, y->s);

	return order ? order : x->at < y->at ? 1 : -1;
}

/* By place. */
static int by_place(const void *a, const void *b)
{
	return ((const struct old_line *)a)->at < ((const struct old_line *)b)->at ? -1 : 1;
}

/* Can a line be shown? */
static bool is_clean(const char *s)
{
	while (*s)
		if ((u8)*s < 0x20 || *s++ == 0x7f)
			return false;
	return true;
}

/* The lines of a text into readline's history, each once. */
static void take_lines(char *text)
{
	struct old_line *line = NULL;
	u32 n = 0, kept = 0;

	for (char *s = strtok(text, "\n"); s; s = strtok(NULL, "\n")) {
		if (!is_clean(s))
			continue;
		line = xrealloc(line, (n + 1) * sizeof(*line));
		line[n] = (struct old_line){s, n};
		n++;
	}
	if (n)
		qsort(line, n, sizeof(*line), by_text);
	for (u32 i = 0; i < n; i++)
		if (!i || strcmp(line[i].s, line[i - 1].s))
			line[kept++] = line[i];
	if (kept)
		qsort(line, kept, sizeof(*line), by_place);
	for (u32 i = kept > HISTORY_LINES ? kept - HISTORY_LINES : 0; i < kept; i++)
		add_history(line[i].s);
	free(line);
}

/* The file is there, and no other user may read it. A link that leads to no file is not followed; what is no regular
 * file, like /dev/null where nothing is to be kept, stays as it is. */
static void make_private(void)
{
	int fd = open(path, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	struct stat st;

	if (fd < 0)
		fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (fd < 0)
		return;
	if (!fstat(fd, &st) && S_ISREG(st.st_mode))
		fchmod(fd, 0600);
	close(fd);
}

/* The last HISTORY_LINES lines of a text. */
static const char *last_lines(const char *text, size_t length)
{
	const char *s = text + length;
	u32 n = 0;

	s -= length && s[-1] == '\n';
	while (s > text && (s[-1] != '\n' || ++n < HISTORY_LINES))
		s--;
	return s;
}

/* Lines that are too old leave the file. */
static void shorten(void)
{
	char *text;
	const char *rest;
	size_t length;
	FILE *f;

	if (file_read(path, HISTORY_BYTES, &text, &length, NULL))
		return;
	rest = last_lines(text, length);
	f = rest > text ? outfile_open(path, OUTFILE_WHOLE) : NULL;
	if (f) {
		fwrite(rest, 1, (size_t)(text + length - rest), f);
		outfile_close(f, true);
	}
	free(text);
}

void typed_open(void)
{
	char *text;
	size_t length;

	using_history();
	stifle_history(HISTORY_LINES);
	path = history_path();
	if (!path)
		return;
	make_directories(path);
	make_private();
	if (!file_read(path, HISTORY_BYTES, &text, &length, NULL)) {
		take_lines(text);
		free(text);
	}
}

void typed_keep(const char *line)
{
	for (int i = history_length - 1; i >= 0; i--) {
		HIST_ENTRY *h = history_get(history_base + i);

		if (h && !strcmp(h->line, line))
			free_history_entry(remove_history(i));
	}
	add_history(line);
	if (path)
		append_history(1, path);
}

void typed_close(void)
{
	if (path)
		shorten();
	free(path);
	path = NULL;
}
