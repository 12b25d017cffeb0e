/*
 * paths.c - paths in commands: relative to the file that they stand in, as far as its lines have a right to the file;
 * and files that come with the program.
 */
#include "paths.h"
#include "rights.h"
#include "script.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <unistd.h>

/* Does the row of the command being run say that it does so, so that it has been refused where that may not be? */
static bool foreseen(const struct session *s, bool write)
{
	if (!write)
		return s->running->flags & COMMAND_READS;
	return s->running->flags & COMMAND_WRITES && rights_full(s, rights_now(s)) && !s->rehearses;
}

char *path_resolve(struct session *s, const struct token *t, bool write, struct error *e)
{
	char *path;

	INVARIANT(foreseen(s, write));
	if (!*t->s) {
		usage_at(e, t->column, "empty path (give the name of a file)");
		return NULL;
	}
	path = path_join(rights_now(s)->dir, t->s);
	if (!write && rights_read(s, t, path, e)) {
		free(path);
		return NULL;
	}
	script_path(s, t, path);
	return path;
}

/* The file that a word names cannot be written, as an errno says. */
static enum status cannot_write(const struct token *t, int error, struct error *e)
{
	enum status st = outfile_failed(e, t->s, error);

	e->column = t->column;
	return st;
}

FILE *path_open(struct session *s, const struct token *t, enum outfile_way way, struct error *e)
{
	char *path = path_resolve(s, t, true, e);
	FILE *f = path ? outfile_open(path, way) : NULL;

	if (path && !f)
		cannot_write(t, errno, e);
	free(path);
	return f;
}

enum status path_close(FILE *f, const struct token *t, bool good, struct error *e)
{
	int error = outfile_close(f, good);

	return error ? cannot_write(t, error, e) : STATUS_OK;
}

/* base/relative if it can be read, else NULL. */
static char *try_path(const char *base, const char *relative)
{
	char *path = path_join(base, relative);

	if (!access(path, R_OK))
		return path;
	free(path);
	return NULL;
}

/* The same of base/folder. */
static char *try_below(const char *base, const char *folder, const char *relative)
{
	char *dir = path_join(base, folder), *found = try_path(dir, relative);

	free(dir);
	return found;
}

/* Does a folder lie in one called build? */
static bool in_build(const char *dir)
{
	char *outer = path_dir(dir);
	const char *slash = strrchr(outer, '/');
	bool is = !strcmp(slash ? slash + 1 : outer, "build");

	free(outer);
	return is;
}

/* What belongs to the executable in a folder: where it is installed its share, in a checkout that one's scenarios. */
static char *find_beside(const char *dir, const char *relative)
{
	char *outer = path_dir(dir), *found = try_below(outer, "share/warpstep/scenarios", relative);

	if (!found)
		found = try_below(dir,
				  in_build(dir)	    ? "../../scenarios"
				  : in_build(outer) ? "../../../scenarios" /* a test */
						    : "scenarios",
				  relative);
	free(outer);
	return found;
}

char *path_find(const char *relative)
{
	char self[PATH_MAX], *dir, *found;
	ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);

	self[n > 0 ? n : 0] = '\0';
	dir = path_dir(self);
	found = n > 0 ? find_beside(dir, relative) : NULL;
	free(dir);
	if (!found)
		found = try_path(DATA_DIR "/scenarios", relative);
	return found ? found : try_path(DATA_DIR, relative);
}

void preset_names(struct text *out, const char *between)
{
	char *any = path_find("gpu/tiny.gpu"), *dir = any ? path_dir(any) : NULL;
	struct dirent **entry = NULL;
	int n = dir ? scandir(dir, &entry, NULL, alphasort) : 0;

	for (int i = 0; i < n; i++) {
		size_t len = strlen(entry[i]->d_name);

		if (len > 4 && !strcmp(entry[i]->d_name + len - 4, ".gpu"))
			text_add(out, "%s%.*s", out->len ? between : "", (int)len - 4, entry[i]->d_name);
		free(entry[i]);
	}
	free(entry);
	free(dir);
	free(any);
}
