/*
 * source_text.c - the texts of the files that instructions come from (source_text.h).
 *
 * Their names stand in a PTX file, whoever has written that: what is read lies below the folder of the PTX, below one
 * that `directory` has added, or where the lines of the scenario that loaded it may read.
 */
#include "source_text.h"
#include "rights.h"

#include <sys/stat.h>

#define MAX_SOURCE (16u << 20) /* bytes of a file */
#define TAB 4u

/* A text that was looked for. */
struct source_entry {
	char *module, *name; /* the module's path, the name in .file */
	struct source_text text;
};

/* What is kept for a session. */
struct sources {
	struct source_entry **entry;
	char **directory;
	u32 n, ndirectories;
	bool closed; /* nothing more is read: the files may be others by now */
	u32 holders; /* sessions that have them, but one */
	struct source_listed listed;
};

void sources_open(struct session *s)
{
	s->sources = xcalloc(1, sizeof(*s->sources));
}

/* A line with blanks for tabs. */
static char *plain_line(const char *s, size_t n)
{
	struct text t = {0};

	text_addn(&t, "", 0);
	for (size_t i = 0; i < n; i++) {
		if (s[i] == '\t')
			text_addn(&t, "    ", TAB - t.len % TAB);
		else if (s[i] != '\r')
			text_addn(&t, &s[i], 1);
	}
	return t.s;
}

/* Take a file's text apart. */
static void take_text(struct source_text *x, const char *data, size_t len)
{
	for (const char *at = data; at < data + len;) {
		const char *end = memchr(at, '\n', (size_t)(data + len - at));

		end = end ? end : data + len;
		if (!(x->nlines & (x->nlines + 1)))
			x->line = xrealloc(x->line, (2 * x->nlines + 2) * sizeof(*x->line));
		x->line[x->nlines++] = plain_line(at, (size_t)(end - at));
		at = end + 1;
	}
}

/* A module's file that is looked for. */
struct hunt {
	const struct session *s;
	const struct module *module;
	char *dir; /* of the module */
	struct text tried;
};

/* May a file that a module names be read? */
static bool may_show(const struct hunt *h, const char *path)
{
	const struct sources *k = h->s->sources;
	const struct line_origin *from = h->module->from;
	bool may =
		h->s->trust || path_is_below(path, h->dir) || (from && from->root && rights_may_read(h->s, from, path));

	for (u32 i = 0; i < k->ndirectories && !may; i++)
		may = path_is_below(path, k->directory[i]);
	return may;
}

/* Read a path, which is used up; false: it cannot be or may not, and is put on the list. */
static bool try_read(struct source_text *x, char *path, struct hunt *h)
{
	struct text *tried = &h->tried;
	bool may = may_show(h, path);
	struct stat st;
	char *data;
	size_t len;

	if (!strstr(tried->s ? tried->s : "", path))
		text_add(tried, "%s%s%s", tried->len ? ", " : "", path,
			 may ? "" : " (outside the directory: not read)");
	if (!may || stat(path, &st) || !S_ISREG(st.st_mode) || file_read(path, MAX_SOURCE, &data, &len, NULL)) {
		free(path);
		return false;
	}
	take_text(x, data, len);
	free(data);
	x->path = path;
	return true;
}

/* Look for a file of a module. */
static void find_text(struct hunt *h, const char *name, struct source_text *x)
{
	const struct sources *k = h->s->sources;
	const char *slash = strrchr(name, '/'), *base = slash ? slash + 1 : name;
	bool found = try_read(x, path_join(h->dir, name), h) || try_read(x, xstrdup(name), h) ||
		     try_read(x, path_join(h->dir, base), h);

	for (u32 i = 0; !found && i < k->ndirectories; i++)
		found = try_read(x, path_join(k->directory[i], name[0] == '/' ? base : name), h) ||
			try_read(x, path_join(k->directory[i], base), h);
	if (found)
		text_free(&h->tried);
	x->tried = h->tried.s;
}

const struct source_text *source_text(const struct session *s, const struct module *m, u32 file)
{
	const char *name = m && file < m->nsource ? m->source[file] : NULL;
	struct hunt h = {.s = s, .module = m};
	struct sources *k = s->sources;
	struct source_entry *e;

	if (!name || !k)
		return NULL;
	for (u32 i = 0; i < k->n; i++)
		if (!strcmp(k->entry[i]->name, name) && !strcmp(k->entry[i]->module, m->path ? m->path : ""))
			return &k->entry[i]->text;
	e = xcalloc(1, sizeof(*e));
	e->name = xstrdup(name);
	e->module = xstrdup(m->path ? m->path : "");
	h.dir = path_dir(e->module);
	if (!k->closed)
		find_text(&h, name, &e->text);
	else
		e->text.tried = xstrdup("");
	free(h.dir);
	k->entry = xrealloc(k->entry, (k->n + 1) * sizeof(struct source_entry *));
	k->entry[k->n++] = e;
	return &e->text;
}

const char *source_line_text(const struct session *s, const struct module *m, u32 file, u32 line)
{
	const struct source_text *t = source_text(s, m, file);
	const char *text = t && line && line <= t->nlines ? t->line[line - 1] : "";

	return text + strspn(text, " \t");
}

/* Forget the texts. */
static void forget(struct sources *k)
{
	for (u32 i = 0; i < k->n; i++) {
		struct source_entry *e = k->entry[i];

		lines_free(e->text.line, e->text.nlines);
		free(e->text.path);
		free(e->text.tried);
		free(e->module);
		free(e->name);
		free(e);
	}
	k->n = 0;
}

void sources_forget(struct session *s)
{
	forget(s->sources);
	*source_listed(s) = (struct source_listed){0};
}

void source_directory(struct session *s, const char *directory)
{
	struct sources *k = s->sources;

	forget(k);
	if (!directory) {
		lines_free(k->directory, k->ndirectories);
		k->directory = NULL;
		k->ndirectories = 0;
		return;
	}
	k->directory = xrealloc(k->directory, (k->ndirectories + 1) * sizeof(*k->directory));
	k->directory[k->ndirectories++] = xstrdup(directory);
}

const char *source_directory_at(const struct session *s, u32 i)
{
	return s->sources && i < s->sources->ndirectories ? s->sources->directory[i] : NULL;
}

struct source_listed *source_listed(struct session *s)
{
	return &s->sources->listed;
}

void sources_drop(struct sources *k)
{
	if (!k)
		return;
	if (k->holders) {
		k->holders--;
		return;
	}
	forget(k);
	lines_free(k->directory, k->ndirectories);
	free(k->entry);
	free(k);
}

void sources_free(struct session *s)
{
	sources_drop(s->sources);
	s->sources = NULL;
}

void sources_take(struct session *s, struct sources *k)
{
	sources_free(s);
	k->holders++;
	s->sources = k;
}

struct sources *sources_renew(struct session *s)
{
	struct sources *old = s->sources;

	sources_open(s);
	for (u32 i = 0; i < old->ndirectories; i++)
		source_directory(s, old->directory[i]);
	old->closed = true;
	return old;
}
