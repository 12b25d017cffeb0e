/* source.c - where instructions come from, and the texts of those files (source.h). */
#include "source.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define MAX_SOURCE (16u << 20) /* bytes of a file */
#define TAB 8u

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
	struct source_listed listed;
};

void sources_open(struct session *s)
{
	s->sources = xcalloc(1, sizeof(*s->sources));
}

bool source_frame(const struct kernel *k, u32 pc, u32 i, struct source_frame *out)
{
	const struct module *m = k->module;
	u32 site = k->site && pc < k->ninst ? k->site[pc] : 0;
	const struct call_site *x = NULL;

	if (pc >= k->ninst || !k->inst[pc].source_line)
		return false;
	*out = (struct source_frame){.file = k->inst[pc].source_file, .line = k->inst[pc].source_line};
	for (; i; i--) {
		x = site && m ? &m->site[site - 1] : NULL;
		if (!x)
			return false;
		out->file = x->file;
		out->line = x->line;
		site = x->outer;
	}
	x = site && m ? &m->site[site - 1] : NULL;
	out->function = x ? x->function : NULL;
	out->outer = x;
	out->called = x && x->called;
	return true;
}

const char *source_name(const struct module *m, u32 file)
{
	const char *path = m && file < m->nsource ? m->source[file] : NULL;
	const char *slash = path ? strrchr(path, '/') : NULL;

	return slash ? slash + 1 : path;
}

void source_chain(const struct kernel *k, u32 pc, struct text *out)
{
	const char *how = NULL;
	struct source_frame f;

	for (u32 i = 0; source_frame(k, pc, i, &f); i++) {
		const char *name = source_name(k->module, f.file);

		if (how)
			text_add(out, "%s", how);
		text_add(out, "%s:%u", name ? safe_text(name) : "?", f.line);
		if (f.function)
			text_add(out, " (%s)", safe_text(f.function));
		how = f.called ? " called at " : " inlined at ";
	}
}

bool source_path_ends(const char *path, const char *name, size_t n)
{
	size_t len;

	if (!path)
		return false;
	len = strlen(path);
	return len >= n && !memcmp(path + len - n, name, n) && (len == n || path[len - n - 1] == '/');
}

/* A line with blanks for tabs. */
static char *plain_line(const char *s, size_t n)
{
	struct text t = {0};

	text_addn(&t, "", 0);
	for (size_t i = 0; i < n; i++) {
		if (s[i] == '\t')
			text_addn(&t, "        ", TAB - t.len % TAB);
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

/* Read a path, which is used up; false: it cannot be, and is put on the list. */
static bool try_read(struct source_text *x, char *path, struct text *tried)
{
	struct stat st;
	char *data;
	size_t len;

	if (!strstr(tried->s ? tried->s : "", path))
		text_add(tried, "%s%s", tried->len ? ", " : "", path);
	if (stat(path, &st) || !S_ISREG(st.st_mode) || file_read(path, MAX_SOURCE, &data, &len, NULL)) {
		free(path);
		return false;
	}
	take_text(x, data, len);
	free(data);
	x->path = path;
	return true;
}

/* Look for a file of a module. */
static void find_text(const struct sources *k, const char *module, const char *name, struct source_text *x)
{
	const char *slash = strrchr(name, '/'), *base = slash ? slash + 1 : name;
	char *dir = path_dir(module);
	struct text tried = {0};
	bool found = try_read(x, path_join(dir, name), &tried) || try_read(x, xstrdup(name), &tried) ||
		     try_read(x, path_join(dir, base), &tried);

	for (u32 i = 0; !found && i < k->ndirectories; i++)
		found = try_read(x, path_join(k->directory[i], name[0] == '/' ? base : name), &tried) ||
			try_read(x, path_join(k->directory[i], base), &tried);
	free(dir);
	if (found)
		text_free(&tried);
	x->tried = tried.s;
}

const struct source_text *source_text(const struct session *s, const struct module *m, u32 file)
{
	const char *name = m && file < m->nsource ? m->source[file] : NULL;
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
	find_text(k, e->module, name, &e->text);
	k->entry = xrealloc(k->entry, (k->n + 1) * sizeof(struct source_entry *));
	k->entry[k->n++] = e;
	return &e->text;
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

void sources_free(struct session *s)
{
	if (!s->sources)
		return;
	source_directory(s, NULL);
	free(s->sources->entry);
	free(s->sources);
	s->sources = NULL;
}
