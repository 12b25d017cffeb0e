/*
 * cmd_list.c - list: lines of the CUDA source, as gdb's: around the focused warp, then on from there; around a line,
 * from one to another, of a file, of a kernel.
 */
#include "arguments.h"
#include "breaks.h"
#include "command.h"
#include "info.h"
#include "machine.h"
#include "source_text.h"

#include <ctype.h>

#define LINES 10u /* of a list */

/* What is to be listed; first > last: lines around first. */
struct cmd_list_range {
	const struct module *module;
	u32 file;
	u32 first, last;
};

/* The first place of a kernel. */
static bool cmd_list_kernel(const struct kernel *k, struct cmd_list_range *out)
{
	struct source_frame f, outer;

	for (u32 pc = 0; pc < k->ninst; pc++) {
		if (!source_frame(k, pc, 0, &f))
			continue;
		for (u32 i = 1; source_frame(k, pc, i, &outer); i++)
			f = outer;
		*out = (struct cmd_list_range){.module = k->module, .file = f.file, .first = f.line};
		return true;
	}
	return false;
}

/* Where the focused warp stands; else the first kernel that is launched. */
static bool cmd_list_here(const struct session *s, struct cmd_list_range *out)
{
	u32 mask, pc = focus_exists(s) ? sim_warp_pc(&s->sim, s->focus.sm, s->focus.warp, &mask) : NONE32;
	struct source_frame f;

	if (pc != NONE32) {
		const struct warp *w = machine_sm_section(s->sim.m, s->focus.sm, SECTION_WARP);
		const struct kernel *k = s->sim.kernel[w[s->focus.warp].launch];

		*out = (struct cmd_list_range){.module = k->module};
		for (u32 i = 0; source_frame(k, pc, i, &f); i++) {
			const struct source_text *t = source_text(s, k->module, f.file);

			if (!i || (t && t->path)) {
				out->file = f.file;
				out->first = f.line;
			}
			if (t && t->path)
				break;
		}
		if (out->first)
			return true;
	}
	for (u32 i = 0; i < s->program.nlaunch; i++)
		if (cmd_list_kernel(s->program.launch[i].kernel, out))
			return true;
	return false;
}

/* A file of a loaded module, by the end of its path. */
static bool cmd_list_file(const struct session *s, const char *name, size_t n, struct cmd_list_range *out)
{
	for (u32 i = 0; i < s->program.nmodule; i++)
		for (u32 f = 0; f < s->program.module[i]->nsource; f++)
			if (source_path_ends(s->program.module[i]->source[f], name, n)) {
				out->module = s->program.module[i];
				out->file = f;
				return true;
			}
	return false;
}

/* "N" or "A,B" at text. */
static bool cmd_list_numbers(const char *text, struct cmd_list_range *out)
{
	char *end;
	unsigned long first = strtoul(text, &end, 10), last = 0;

	if (!isdigit((u8)*text) || !first || first > 1u << 24)
		return false;
	if (*end == ',') {
		text = end + 1 + strspn(end + 1, " ");
		last = strtoul(text, &end, 10);
		if (!isdigit((u8)*text) || last < first || last > 1u << 24)
			return false;
	}
	out->first = (u32)first;
	out->last = (u32)last;
	return !*end;
}

/* Where the last list ends, or begins. */
static enum status cmd_list_on(struct session *s, bool back, struct cmd_list_range *out, struct error *e)
{
	const struct source_listed *x = source_listed(s);
	const struct source_text *t = source_text(s, x->module, x->file);

	*out = (struct cmd_list_range){.module = x->module, .file = x->file};
	if (back ? x->first <= 1 : t && x->last >= t->nlines)
		return error_set(e, STATUS_FAILED, "%s: no more lines %s the last list",
				 safe_text(source_name(x->module, x->file)), back ? "before" : "after");
	out->first = !back ? x->last + 1 : x->first > LINES ? x->first - LINES : 1;
	out->last = back ? x->first - 1 : x->last + LINES;
	return STATUS_OK;
}

/* Has nothing moved since the last list? */
static bool cmd_list_again(struct session *s)
{
	const struct source_listed *x = source_listed(s);

	return x->module && x->generation == s->generation && x->cycle == session_now(s).cycle &&
	       !memcmp(&x->focus, &s->focus, sizeof(s->focus));
}

/* What the words after `list` mean. */
static enum status cmd_list_parse(struct session *s, const struct arg *a, struct cmd_list_range *out, struct error *e)
{
	const char *text = a->present ? a->text : "", *colon = strrchr(text, ':');
	const struct launch *launch;
	const struct kernel *k;
	enum status st;

	if ((!*text || !strcmp(text, "-")) && cmd_list_again(s))
		return cmd_list_on(s, *text, out, e);
	if (!cmd_list_here(s, out) && !(colon && isdigit((u8)colon[1])))
		return error_set(e, STATUS_FAILED,
				 "list: no launched kernel has source lines (.loc; `nvcc -lineinfo` writes them)");
	if (!*text || !strcmp(text, "-") || cmd_list_numbers(text, out))
		return STATUS_OK;
	if (colon && cmd_list_numbers(colon + 1, out))
		return cmd_list_file(s, text, (size_t)(colon - text), out)
			       ? STATUS_OK
			       : failed_at(e, a->column,
					   "no module has a source file '%.*s' (`info module` lists the modules)",
					   (int)(colon - text), safe_text(text));
	if (isdigit((u8)*text))
		return usage_at(e, a->column, "list: invalid lines (N or A,B, from 1 on, A not above B)");
	st = kernel_take(s, text, a->column, &k, &launch, e);
	if (st)
		return st;
	return cmd_list_kernel(k, out)
		       ? STATUS_OK
		       : error_set(e, STATUS_FAILED, "%s: no source lines (.loc; `nvcc -lineinfo` writes them)",
				   safe_text(k->name));
}

/* Does a stop stand on a line, or in a function that stands there? */
static bool cmd_list_stop(const struct session *s, const struct cmd_list_range *r, u32 line)
{
	const struct breaks *b = s->breaks;
	struct source_frame f;

	for (u32 i = 0; b && i < b->n; i++)
		for (u32 k = 0; k < b->list[i]->nspots; k++) {
			const struct spot *p = &b->list[i]->spot[k];

			for (u32 at = 0; p->kernel->module == r->module && source_frame(p->kernel, p->pc, at, &f); at++)
				if (f.file == r->file && f.line == line)
					return true;
		}
	return false;
}

/* Print the lines. */
static void cmd_list_show(struct session *s, const struct cmd_list_range *r, const struct source_text *t)
{
	json_t *list = s->json ? json_array() : NULL;
	struct cmd_list_range here = {0};
	bool known = cmd_list_here(s, &here) && here.module == r->module && here.file == r->file;

	for (u32 line = r->first; line <= r->last; line++) {
		bool stop = cmd_list_stop(s, r, line), focus = known && focus_exists(s) && here.first == line;

		session_print(s, "%c%c%5u  %s\n", stop ? 'b' : ' ', focus ? '>' : ' ', line,
			      safe_text(t->line[line - 1]));
		json_array_append_new(list, json_pack("{s:i,s:s,s:b,s:b}", "line", (int)line, "text",
						      safe_text(t->line[line - 1]), "focus", focus, "stop", stop));
	}
	if (!list)
		return;
	member_text(session_result(s), "file", safe_text(t->path));
	json_object_set_new(session_result(s), "lines", list);
}

static enum status cmd_list_run(struct session *s, const struct args *a, struct error *e)
{
	struct cmd_list_range r = {0};
	const struct source_text *t;
	enum status st = cmd_list_parse(s, &a->arg[0], &r, e);
	const char *name;

	if (st)
		return st;
	t = source_text(s, r.module, r.file);
	name = source_name(r.module, r.file);
	if (!t || !t->path)
		return error_set(e, STATUS_FAILED,
				 "%s:%u: cannot read the file (tried: %s; `directory DIR` adds a directory)",
				 name ? safe_text(name) : "?", r.first, t ? safe_text(t->tried) : "nothing");
	if (r.first > t->nlines)
		return error_set(e, STATUS_FAILED, "%s: no such line (the file has %u lines)", safe_text(name),
				 t->nlines);
	if (!r.last) {
		r.first = r.first > LINES / 2 ? r.first - LINES / 2 : 1;
		r.last = r.first + LINES - 1;
	}
	r.last = min_u32(r.last, t->nlines);
	cmd_list_show(s, &r, t);
	*source_listed(s) = (struct source_listed){.module = r.module,
						   .file = r.file,
						   .first = r.first,
						   .last = r.last,
						   .generation = s->generation,
						   .cycle = session_now(s).cycle,
						   .focus = s->focus};
	return STATUS_OK;
}

const struct command command_list = {
	.name = "list",
	.alias = "l",
	.group = "inspect",
	.summary = "list lines of the CUDA source",
	.details =
		"Without arguments, ten lines around the line of the focused warp are listed. `list` again continues, `list -`\n"
		"goes backwards. N: lines around line N. A,B: from A to B. FILE:N and FILE:A,B: lines of another file. KERNEL:\n"
		"the beginning of a kernel. `>` marks the focused warp's line; b marks a breakpoint in the line, or in a\n"
		"function inlined there. Lines are known if the PTX has .loc (nvcc -lineinfo, clang -g). Their text is known if\n"
		"the file that .file names can be read: see `directory`.",
	.examples = "list\nlist -\nlist 12\nlist 5,20\nlist vecadd.cu:7\nlist vecadd",
	.flags = COMMAND_NEEDS_MACHINE | COMMAND_REPEATS | COMMAND_OPEN,
	.run = cmd_list_run,
	.arg = {{"WHERE", ARG_EXPR, .doc = "-, N, A,B, FILE:N, FILE:A,B or KERNEL", .optional = true}},
};
