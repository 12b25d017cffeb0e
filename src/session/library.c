/* library.c - what comes with the program: the head of each scenario and preset says what it is. */
#include "library.h"
#include "paths.h"

#include <dirent.h>
#include <sys/stat.h>

#define HEAD_LINES 6 /* that a head may take */

/* Does a head end here? Its text is a sentence, or two. */
static bool ends_sentence(const struct text *t)
{
	return t->len && strchr(".?!", t->s[t->len - 1]);
}

/* The comment at the head of a file, up to the end of a sentence, without the file's own name before it. */
static void read_head(const char *path, const char *name, struct text *out)
{
	FILE *f = fopen(path, "r");
	char *line = NULL;
	size_t room = 0, n = strlen(name);
	ssize_t length;

	for (u32 i = 0; f && i < HEAD_LINES && !ends_sentence(out) && (length = getline(&line, &room, f)) > 0; i++) {
		const char *at = line + 1 + strspn(line + 1, " ");

		if (line[0] != '#')
			break;
		line[length - (line[length - 1] == '\n')] = '\0';
		if (!i && !strncmp(at, name, n) && !strncmp(at + n, " - ", 3))
			at += n + 3;
		text_list(out, " ", at);
	}
	free(line);
	if (f)
		fclose(f);
}

/* One file of a folder that ends as it should. */
static void visit(const char *dir, const char *prefix, const char *file, const char *ending, library_fn *fn, void *self)
{
	size_t n = strlen(file), e = strlen(ending);
	struct text name = {0}, stem = {0}, head = {0};
	char *path;

	if (n <= e || strcmp(file + n - e, ending))
		return;
	text_addn(&stem, file, n - e);
	text_add(&name, "%s%s", prefix, stem.s);
	path = path_join(dir, file);
	read_head(path, stem.s, &head);
	fn(self, name.s, head.s ? safe_text(head.s) : "");
	free(path);
	text_free(&name);
	text_free(&stem);
	text_free(&head);
}

/* The files of a folder, then those of the folders in it if there is a prefix to put before their names. */
static void walk(const char *dir, const char *prefix, const char *ending, bool deeper, library_fn *fn, void *self)
{
	struct dirent **entry = NULL;
	int n = scandir(dir, &entry, NULL, alphasort);

	for (int i = 0; i < n; i++)
		visit(dir, prefix, entry[i]->d_name, ending, fn, self);
	for (int i = 0; i < n; i++) {
		char *path = path_join(dir, entry[i]->d_name);
		struct stat st;

		if (deeper && entry[i]->d_name[0] != '.' && !stat(path, &st) && S_ISDIR(st.st_mode)) {
			struct text below = {0};

			text_add(&below, "%s/", entry[i]->d_name);
			walk(path, below.s, ending, false, fn, self);
			text_free(&below);
		}
		free(path);
		free(entry[i]);
	}
	free(entry);
}

/* The folder of a file of the library. */
static void walk_from(const char *file, const char *ending, bool deeper, library_fn *fn, void *self)
{
	char *any = path_find(file), *dir = any ? path_dir(any) : NULL;

	if (dir)
		walk(dir, "", ending, deeper, fn, self);
	free(dir);
	free(any);
}

void library_scenarios(library_fn *fn, void *self)
{
	walk_from("default.scn", ".scn", true, fn, self);
}

void library_presets(library_fn *fn, void *self)
{
	walk_from("gpu/tiny.gpu", ".gpu", false, fn, self);
}
