/*
 * trace.c - a trace as a module: the kernels that a kernelslist.g names, in its order, or the one of a *.traceg.
 *
 * Copies between host and device are passed over: the L2 begins empty. A kernel's file lies beside the list; where the
 * name has no file, the same name with .xz or .gz is tried.
 */
#include "trace_internal.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define MAX_KERNELS 60000u

void trace_free(struct trace *t)
{
	if (!t)
		return;
	trace_image_release(t->image);
	free(t->number);
	free(t->inst);
	free(t);
}

/* Read one kernel's file into the next kernel of m. */
static enum status load_kernel(const char *path, struct trace_image *image, u32 how, struct module *m, struct error *e)
{
	struct trace_reader *r = trace_reader_open(path, e);
	struct trace *t = xcalloc(1, sizeof(*t));
	struct trace_header h = {.trace = t};
	struct kernel *k;
	enum status st;

	t->image = trace_image_keep(image);
	if (!r) {
		trace_free(t);
		return e->status;
	}
	m->kernel = xrealloc(m->kernel, (m->nkernel + 1) * sizeof(*m->kernel));
	k = &m->kernel[m->nkernel];
	*k = (struct kernel){.front = FRONT_TRACE, .trace = t};
	m->nkernel++;
	st = trace_header_read(r, &h, e);
	k->name = h.name;
	if (!st)
		st = trace_body_read(r, &h, how & TRACE_UNKNOWN_INT, k, e);
	k->static_shared = k->dynamic_shared_base = t->shared;
	trace_reader_close(r);
	return st;
}

/* The file of a name in a list, or with the suffix of a compressed one, beside the list; NULL: there is none. */
static char *find_file(const char *dir, const char *name)
{
	static const char *const suffix[] = {"", ".xz", ".gz"};
	struct stat st;

	for (u32 i = 0; i < ARRAY_LEN(suffix); i++) {
		char *path = xasprintf("%s/%s%s", dir, name, suffix[i]);

		if (!lstat(path, &st))
			return path;
		free(path);
	}
	return NULL;
}

/* The file of a name in a list; NULL with an error. Nothing is said of what a link outside its folder leads to. */
static char *named_file(struct trace_reader *list, const char *name, u32 how, struct error *e)
{
	const char *file = trace_reader_path(list), *why = NULL;
	char *dir = path_dir(file), *path = strchr(name, '/') ? NULL : find_file(dir, name);

	if (strchr(name, '/'))
		why = "the file must lie beside the list";
	else if (!path)
		why = "there is no such file beside the list, nor with .xz or .gz";
	else if (!(how & TRACE_ANYWHERE) && !path_is_below(path, dir))
		why = "a link that leads to no file in the list's folder; start with --trust to follow it";
	free(dir);
	if (!why)
		return path;
	free(path);
	error_at(e, STATUS_USAGE, file, trace_reader_number(list), 1, "%s: %s", safe_text(name), why);
	return NULL;
}

/* One line of a list: a kernel's file. */
static enum status load_named(struct trace_reader *list, const char *name, struct trace_image *image, u32 how,
			      struct module *m, struct error *e)
{
	enum status st;
	char *path;

	if (m->nkernel == MAX_KERNELS)
		return error_at(e, STATUS_USAGE, trace_reader_path(list), trace_reader_number(list), 0,
				"more than %u kernels", MAX_KERNELS);
	path = named_file(list, name, how, e);
	st = path ? load_kernel(path, image, how, m, e) : STATUS_USAGE;
	free(path);
	return st;
}

/* The lines of a list. What is no kernel is passed over. */
static enum status load_list(const char *path, struct trace_image *image, u32 how, struct module *m, struct error *e)
{
	struct trace_reader *r = trace_reader_open(path, e);
	enum status st = STATUS_OK;
	size_t n;
	char *line;

	if (!r)
		return e->status;
	while (!st && (line = trace_reader_line(r, &n, e))) {
		while (n && (line[n - 1] == ' ' || line[n - 1] == '\t'))
			line[--n] = '\0';
		if (!strncmp(line, "kernel", 6))
			st = load_named(r, line, image, how, m, e);
	}
	st = st ? st : e->status;
	if (!st && !m->nkernel)
		st = error_at(e, STATUS_USAGE, path, trace_reader_number(r), 0,
			      "the list names no kernel: lines `kernel-1.traceg` are wanted");
	trace_reader_close(r);
	return st;
}

/* Is a file one kernel's rather than a list? Told by its name. */
static bool is_kernel(const char *path)
{
	const char *slash = strrchr(path, '/');

	return strstr(slash ? slash : path, ".traceg") != NULL;
}

enum status trace_load(const char *path, u32 how, struct module **out, struct error *e)
{
	struct trace_image *image = trace_image_new(e);
	struct module *m;
	enum status st;

	if (!image)
		return e->status;
	m = xcalloc(1, sizeof(*m));
	m->path = xstrdup(path);
	e->status = STATUS_OK;
	st = is_kernel(path) ? load_kernel(path, image, how, m, e) : load_list(path, image, how, m, e);
	if (!st && !trace_image_map(image))
		st = error_set(e, STATUS_FAILED,
			       "the temporary file of the trace cannot be mapped; set TMPDIR to a folder with room");
	for (u32 i = 0; !st && i < m->nkernel; i++)
		m->kernel[i].module = m;
	trace_image_release(image);
	if (st)
		module_free(m);
	*out = st ? NULL : m;
	return st;
}
