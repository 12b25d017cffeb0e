/*
 * kind_pc.c - stop when a warp issues an instruction: `break LABEL`, `break KERNEL`, `break FILE:LINE`, `break pc K`.
 *
 * A name is looked for among the kernels that are launched: KERNEL means its first instruction. The stop is in the
 * cycle of the issue, after it.
 */
#include "events.h"
#include "hits.h"
#include "source.h"

#include <ctype.h>

/* Only the form: what it names may not be loaded yet. */
static enum status pc_parse(struct session *s UNUSED, struct breakpoint *b UNUSED, const char *text, u32 column,
			    struct error *e)
{
	char word[256];

	if (!word_take(&text, word, sizeof(word)))
		return usage_at(e, column,
				"missing location (an instruction's number, a label, a kernel or FILE:LINE)");
	if (*text && strcmp(text, "if"))
		return usage_at(
			e, column,
			"'%s' is not a kind of breakpoint (`help break` lists them), and only `if CONDITION` may follow a location",
			safe_text(word));
	return words_end(text, column, e);
}

/* Add a place to the stop. */
static void add_place(struct breakpoint *b, const struct kernel *k, u32 pc)
{
	b->spot = xrealloc(b->spot, (b->nspots + 1) * sizeof(*b->spot));
	b->spot[b->nspots++] = (struct spot){.kernel = k, .pc = pc, .last = pc};
}

/* Does an instruction come from a line of a file: it is of that line, or of a function that stands there? */
static bool from_line(const struct kernel *k, u32 pc, const char *file, size_t n, u32 line)
{
	const struct module *m = k->module;
	struct source_frame f;

	for (u32 i = 0; m && source_frame(k, pc, i, &f); i++)
		if (f.line == line && f.file < m->nsource && source_path_ends(m->source[f.file], file, n))
			return true;
	return false;
}

/* First instructions of line `line` of a file, or of the module's own text, with those that follow. */
static void add_line(struct breakpoint *b, const struct kernel *k, const char *file, size_t n, u32 line)
{
	const struct module *m = k->module;
	bool text = m && source_path_ends(m->path, file, n);
	bool within = false;

	for (u32 i = 0; i < k->ninst; i++) {
		bool here = text ? k->inst[i].ptx_line == line : from_line(k, i, file, n, line);

		if (here && !within)
			add_place(b, k, i);
		else if (here)
			b->spot[b->nspots - 1].last = i;
		within = here;
	}
}

/* KERNEL, LABEL or KERNEL:LABEL in one kernel; a label may be written without its $. */
static void add_named(struct breakpoint *b, const struct kernel *k, const char *name)
{
	size_t n = strlen(k->name);

	if (kernel_is_called(k, name)) {
		add_place(b, k, 0);
		return;
	}
	if (!strncmp(k->name, name, n) && name[n] == ':')
		name += n + 1;
	for (u32 i = 0; k->labels && i < k->ninst; i++)
		if (k->labels[i] &&
		    (!strcmp(k->labels[i], name) || (k->labels[i][0] == '$' && !strcmp(k->labels[i] + 1, name))))
			add_place(b, k, i);
}

/* Everything of one kernel that the text means. */
static void add_kernel(struct breakpoint *b, const struct kernel *k)
{
	const char *colon = strrchr(b->text, ':');
	char *end;
	unsigned long n = strtoul(b->text, &end, 0);

	if (!*end && isdigit((u8)b->text[0])) {
		if (n < k->ninst)
			add_place(b, k, (u32)n);
	} else if (colon && isdigit((u8)colon[1])) {
		add_line(b, k, b->text, (size_t)(colon - b->text), (u32)strtoul(colon + 1, NULL, 10));
	} else {
		add_named(b, k, b->text);
	}
}

/* Widen first..last by a line. */
static void widen(u32 *first, u32 *last, u32 line)
{
	if (!line)
		return;
	*first = *first ? min_u32(*first, line) : line;
	*last = max_u32(*last, line);
}

/* Lines of a file from which instructions of launched kernels come: the first and the last, 0 if there are none. */
static void known_lines(const struct program *p, const char *file, size_t n, u32 *first, u32 *last)
{
	struct source_frame f;

	*first = *last = 0;
	for (u32 i = 0; i < p->nlaunch; i++) {
		const struct kernel *k = p->launch[i].kernel;
		const struct module *m = k->module;
		bool text = m && source_path_ends(m->path, file, n);

		for (u32 pc = 0; m && pc < k->ninst; pc++) {
			if (text)
				widen(first, last, k->inst[pc].ptx_line);
			for (u32 at = 0; !text && source_frame(k, pc, at, &f); at++)
				if (f.file < m->nsource && source_path_ends(m->source[f.file], file, n))
					widen(first, last, f.line);
		}
	}
}

/* Instructions of the longest kernel that is launched. */
static u32 most_instructions(const struct program *p)
{
	u32 most = 0;

	for (u32 i = 0; i < p->nlaunch; i++)
		most = max_u32(most, p->launch[i].kernel->ninst);
	return most;
}

/* Why a place was not found. */
static enum status not_found(const struct program *p, const struct breakpoint *b, struct error *e)
{
	const char *colon = strrchr(b->text, ':');
	u32 first = 0, last = 0;

	if (colon && isdigit((u8)colon[1]))
		known_lines(p, b->text, (size_t)(colon - b->text), &first, &last);
	if (last)
		return error_set(
			e, STATUS_FAILED,
			"no instruction comes from '%s' (launched kernels have lines %u to %u; `show code` lists them)",
			safe_text(b->text), first, last);
	if (b->text[0] && b->text[strspn(b->text, "0123456789")] == '\0')
		return error_set(e, STATUS_FAILED,
				 "no instruction %s: the longest launched kernel has %u instructions, 0 to %u", b->text,
				 most_instructions(p), most_instructions(p) - 1);
	return error_set(
		e, STATUS_FAILED,
		"no launched kernel has an instruction, label or line '%s' (`info kernel NAME` lists them, `help break` the "
		"kinds of breakpoints)",
		safe_text(b->text));
}

/* Look the place up in every kernel that is launched. */
static enum status pc_resolve(struct session *s, struct breakpoint *b, struct error *e)
{
	const struct program *p = &s->program;

	b->nspots = 0;
	for (u32 i = 0; i < p->nlaunch; i++) {
		bool seen = false;

		for (u32 j = 0; j < i; j++)
			seen |= p->launch[j].kernel == p->launch[i].kernel;
		if (!seen)
			add_kernel(b, p->launch[i].kernel);
	}
	if (b->nspots)
		return STATUS_OK;
	return not_found(p, b, e);
}

/* The launched kernel that a record is of. */
static const struct kernel *record_kernel(const struct sim *sim, const struct record *r)
{
	return r->launch < sim->program->nlaunch ? sim->program->launch[r->launch].kernel : NULL;
}

/* Whether a record is an issue at one of the places. */
static bool at_place(const struct breakpoint *b, const struct sim *sim, const struct record *r)
{
	for (u32 i = 0; i < b->nspots; i++)
		if (b->spot[i].pc == r->pc && b->spot[i].kernel == record_kernel(sim, r))
			return true;
	return false;
}

/* What is said. */
static void pc_describe(const struct session *s, const struct breakpoint *b UNUSED, const struct hit *h,
			struct text *out)
{
	record_who(s, &h->record, out);
	text_add(out, " issued ");
	record_instruction(s, &h->record, out);
}

const struct break_kind break_kind_pc = {
	.name = "pc",
	.usage = "[pc] INSTRUCTION|LABEL|KERNEL|FILE:LINE",
	.doc = "stop when a warp issues an instruction (`pc 3` is instruction number 3)",
	.parse = pc_parse,
	.resolve = pc_resolve,
	.events = EVENT_BIT(EVENT_ISSUE),
	.check = records_check,
	.fits = at_place,
	.describe = pc_describe,
};
