/*
 * paths.c - paths in commands: relative to the file that they stand in, below its directory unless trusted; and files
 * that come with the program.
 */
#include "paths.h"
#include "script.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Does a relative path climb above where it starts? */
static bool path_climbs(const char *path)
{
	int depth = 0;

	while (*path) {
		size_t n = strcspn(path, "/");

		if (n == 2 && !strncmp(path, "..", 2))
			depth--;
		else if (n && !(n == 1 && *path == '.'))
			depth++;
		if (depth < 0)
			return true;
		path += n + (path[n] == '/');
	}
	return false;
}

/* The part of dir that lies below root, "" if they are the same. */
static const char *path_within(const char *dir, const char *root)
{
	size_t n = strlen(root);

	if (!strcmp(root, ".") && dir[0] != '/')
		return strcmp(dir, ".") ? dir : "";
	return !strncmp(dir, root, n) ? dir + n + (dir[n] == '/') : "";
}

char *path_resolve(struct session *s, const struct args *a, const struct token *t, bool write, struct error *e)
{
	const struct line_source *src = s->source;
	char *path, *inside;
	bool climbs;

	(void)a;
	if (!*t->s) {
		error_at(e, STATUS_USAGE, NULL, 0, t->column, "an empty path; the name of a file is wanted");
		return NULL;
	}
	path = path_join(src->dir, t->s);
	if (!s->trust && src->root) {
		inside = path_join(path_within(src->dir, src->root), t->s);
		climbs = t->s[0] == '/' || path_climbs(inside);
		free(inside);
		if (climbs || !path_is_below(path, src->root)) {
			error_at(e, STATUS_USAGE, NULL, 0, t->column,
				 "%s lies outside the directory of the scenario, which "
				 "it may not %s; start with --trust to allow it",
				 token_shown(t->s), write ? "write" : "read");
			free(path);
			return NULL;
		}
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

FILE *path_open(struct session *s, const struct args *a, const struct token *t, enum outfile_way way, struct error *e)
{
	char *path = path_resolve(s, a, t, true, e);
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

char *path_find(const char *relative)
{
	static const char *const beside[] = {"scenarios", "../scenarios", "../../scenarios"};
	char self[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);
	char *dir, *base, *found = NULL;

	self[n > 0 ? n : 0] = '\0';
	dir = path_dir(self);
	for (u32 i = 0; n > 0 && i < ARRAY_LEN(beside) && !found; i++) {
		base = path_join(dir, beside[i]);
		found = try_path(base, relative);
		free(base);
	}
	free(dir);
	if (!found)
		found = try_path("scenarios", relative);
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
