/* source.c - where instructions come from (source.h). */
#include "source.h"

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

/* Is a file the user's, of a kernel that stands in `kernel`: in the folder of that, or below it? Headers of CUDA lie
 * elsewhere; where a module names its files without folders they are told by their names. */
static bool is_user_file(const char *file, const char *kernel)
{
	static const char *const header[] = {"_functions.hpp", "_intrinsics.hpp", "warpstep.h"};
	const char *slash = strrchr(kernel, '/');

	for (u32 i = 0; i < ARRAY_LEN(header); i++)
		if (ends_with(file, header[i]))
			return false;
	if (slash)
		return !strncmp(file, kernel, (size_t)(slash - kernel) + 1) && !strstr(file, "/../");
	return *file != '/' && strncmp(file, "../", 3) != 0;
}

bool source_user(const struct kernel *k, u32 pc, struct source_frame *out)
{
	struct source_frame outermost;
	u32 n = 0;

	while (source_frame(k, pc, n, out))
		n++;
	if (n < 2)
		return source_frame(k, pc, 0, out);
	source_frame(k, pc, n - 1, &outermost);
	for (u32 i = 0; i < n; i++) {
		const struct module *m = k->module;

		source_frame(k, pc, i, out);
		if (m && out->file < m->nsource && outermost.file < m->nsource && m->source[out->file] &&
		    m->source[outermost.file] && is_user_file(m->source[out->file], m->source[outermost.file]))
			return true;
	}
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
