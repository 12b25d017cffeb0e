/*
 * trace.c - a trace as a module: the kernels that a kernelslist.g names, in its order, or the one of a *.traceg or
 * *.tracez.
 *
 * Copies between host and device are passed over: the L2 begins empty. A kernel's file lies beside the list; where the
 * name has no file, the same name with .xz or .gz is tried. A file that a list names again is not read again: the
 * kernels share what was read, and are kernels of their own all the same.
 */
#include "cxx_name.h"
#include "trace_internal.h"

#include <sys/stat.h>
#include <unistd.h>

#define MAX_KERNELS MAX_LAUNCHES
#define KERNELS_BETWEEN 256 /* kernels borrowed between two questions whether to go on */

/* The files of a list that were read. */
struct seen_file {
	dev_t device;
	ino_t inode;
	u32 kernel;
};
struct seen_files {
	struct seen_file *file;
	u32 *place; /* open addressing: 1 + index of a file */
	u32 n, nplace;
};

void trace_free(struct trace *t)
{
	if (!t)
		return;
	trace_image_release(t->image);
	free(t->turned);
	free(t->number);
	free(t->inst);
	free(t->pc);
	free(t->bits);
	free(t->cubin);
	free(t->other_class);
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
	m->kernel = array_grow(m->kernel, m->nkernel, sizeof(*m->kernel));
	k = &m->kernel[m->nkernel];
	*k = (struct kernel){.front = FRONT_TRACE, .trace = t};
	m->nkernel++;
	st = trace_header_read(r, &h, e);
	k->name = h.name ? cxx_name(h.name, false) : NULL;
	k->symbol = h.name;
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
		why = "the file must be in the directory of the list";
	else if (!path)
		why = "no such file in the directory of the list, not even with .xz or .gz";
	else if (!(how & TRACE_ANYWHERE) && !path_is_below(path, dir))
		why = "link to no file in the list's directory (start with --trust to follow it)";
	free(dir);
	if (!why)
		return path;
	free(path);
	error_at(e, STATUS_USAGE, file, trace_reader_number(list), 1, "%s: %s", safe_text(name), why);
	return NULL;
}

/* Where a file is in the table, or may be put. */
static u32 *seen_place(const struct seen_files *seen, dev_t device, ino_t inode)
{
	u32 at = hash_below((u64)inode ^ mix64((u64)device), seen->nplace);

	while (seen->place[at]) {
		const struct seen_file *f = &seen->file[seen->place[at] - 1];

		if (f->device == device && f->inode == inode)
			break;
		at = at + 1 < seen->nplace ? at + 1 : 0;
	}
	return &seen->place[at];
}

/* Note that a file is kernel `kernel`. */
static void see_file(struct seen_files *seen, const struct stat *st, u32 kernel)
{
	if (seen->n * 2 >= seen->nplace) {
		free(seen->place);
		seen->nplace = max_u32(64, seen->nplace * 2);
		seen->place = xcalloc(seen->nplace, sizeof(*seen->place));
		for (u32 i = 0; i < seen->n; i++)
			*seen_place(seen, seen->file[i].device, seen->file[i].inode) = i + 1;
	}
	seen->file = array_grow(seen->file, seen->n, sizeof(*seen->file));
	seen->file[seen->n] = (struct seen_file){st->st_dev, st->st_ino, kernel};
	*seen_place(seen, st->st_dev, st->st_ino) = seen->n + 1;
	seen->n++;
}

/* One more kernel that is as an earlier one, whose arrays it borrows. */
static void borrow_kernel(struct module *m, u32 from)
{
	m->kernel = array_grow(m->kernel, m->nkernel, sizeof(*m->kernel));
	m->kernel[m->nkernel] = m->kernel[from];
	m->kernel[m->nkernel++].borrowed = 1;
}

/* The next kernel of a list, read or borrowed. */
static enum status load_file(const char *path, struct seen_files *seen, struct trace_image *image, u32 how,
			     struct module *m, struct error *e)
{
	struct stat st;
	bool known = !stat(path, &st);
	u32 *place = known && seen->nplace ? seen_place(seen, st.st_dev, st.st_ino) : NULL;

	if (place && *place) {
		borrow_kernel(m, seen->file[*place - 1].kernel);
		return m->nkernel % KERNELS_BETWEEN ? STATUS_OK : work_check(e);
	}
	if (known)
		see_file(seen, &st, m->nkernel);
	return load_kernel(path, image, how, m, e);
}

/* The files of a trace, in its order; the list itself comes last. */
struct trace_files {
	char **path;
	u32 n;
};

static void add_file(struct trace_files *f, char *path)
{
	f->path = array_grow(f->path, f->n, sizeof(*f->path));
	f->path[f->n++] = path;
}

static void free_files(struct trace_files *f)
{
	while (f->n)
		free(f->path[--f->n]);
	free(f->path);
}

/* One line of a list: a kernel's file. */
static enum status find_named(struct trace_reader *list, const char *name, u32 how, struct trace_files *f,
			      struct error *e)
{
	char *path;

	if (f->n == MAX_KERNELS)
		return error_at(e, STATUS_USAGE, trace_reader_path(list), trace_reader_number(list), 0,
				"more than %u kernels", MAX_KERNELS);
	path = named_file(list, name, how, e);
	if (!path)
		return STATUS_USAGE;
	add_file(f, path);
	return STATUS_OK;
}

/* The lines of a list. What is no kernel is passed over. */
static enum status find_files(const char *path, u32 how, struct trace_files *f, struct error *e)
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
			st = find_named(r, line, how, f, e);
	}
	st = st ? st : e->status;
	if (!st && !f->n)
		st = error_at(e, STATUS_USAGE, path, trace_reader_number(r), 0,
			      "the list names no kernel (expected lines such as 'kernel-1.traceg')");
	trace_reader_close(r);
	return st;
}

/* Is a file one kernel's rather than a list? Told by its name. */
static bool is_kernel(const char *path)
{
	const char *slash = strrchr(path, '/');

	return strstr(slash ? slash : path, ".traceg") || strstr(slash ? slash : path, ".tracez");
}

bool trace_named(const char *path)
{
	return ends_with(path, ".g") || is_kernel(path);
}

/* Read files into a module. */
static enum status load_files(const struct trace_files *f, u32 how, struct module *m, struct error *e)
{
	struct trace_image *image = trace_image_new(e);
	struct seen_files seen = {.n = 0};
	enum status st = STATUS_OK;

	if (!image)
		return e->status;
	for (u32 i = 0; i < f->n && !st; i++)
		st = load_file(f->path[i], &seen, image, how, m, e);
	if (!st && !trace_image_map(image))
		st = error_set(
			e, STATUS_FAILED,
			"cannot map the temporary file of the trace (set TMPDIR to a directory with free space)");
	for (u32 i = 0; !st && i < m->nkernel; i++)
		m->kernel[i].module = m;
	trace_image_release(image);
	free(seen.file);
	free(seen.place);
	return st;
}

/* The module of files, read or as it was kept. */
static enum status load_or_find(const char *path, struct trace_files *f, u32 how, struct module **out, struct error *e)
{
	u32 kernels = f->n;
	enum status st;
	u64 stamp;

	add_file(f, xstrdup(path));
	stamp = how & TRACE_KEPT ? trace_cache_stamp((const char *const *)f->path, f->n, how) : 0;
	*out = trace_cache_find(path, stamp);
	if (*out)
		return STATUS_OK;
	*out = xcalloc(1, sizeof(**out));
	(*out)->path = xstrdup(path);
	st = load_files(&(struct trace_files){f->path, kernels}, how, *out, e);
	if (!st)
		trace_cache_keep(path, stamp, *out);
	return st;
}

enum status trace_load(const char *path, u32 how, struct module **out, struct error *e)
{
	struct trace_files f = {.n = 0};
	enum status st = STATUS_OK;

	*out = NULL;
	e->status = STATUS_OK;
	if (is_kernel(path))
		add_file(&f, xstrdup(path));
	else
		st = find_files(path, how, &f, e);
	if (!st)
		st = load_or_find(path, &f, how, out, e);
	free_files(&f);
	if (st && *out)
		module_free(*out);
	*out = st ? NULL : *out;
	return st;
}
