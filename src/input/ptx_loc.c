/*
 * ptx_loc.c - where instructions come from: .file, .loc and the functions that were put into others.
 *
 * `inlined_at F L C` says where the function stands in its caller, a place that an earlier .loc has named; if that one
 * was itself inlined somewhere, the two are a chain. Names of functions stand in the section .debug_str, which may
 * come behind everything else. Source: PTX ISA 8.x, section 11.5 (.loc). A function that warpstep expands at a call
 * is such a site, too.
 */
#include "ptx_internal.h"

#define SEEN_BACK 256u	 /* places that are looked through for the one that inlined_at means */
#define SITES_BACK 64u	 /* sites that are looked through for one that is there already */
#define MAX_SITES 65536u /* of a module */

bool ptx_parse_file(struct ptx *p)
{
	struct module *m = p->module;
	bool more;
	u32 n;

	if (!ptx_next(p) || !ptx_expect_u32(p, 65535, "a file number", &n))
		return false;
	if (!ptx_is(p, TOKEN_STRING))
		return ptx_expected(p, "a file name in quotes");
	if (n >= m->nsource) {
		m->source = xrealloc(m->source, (n + 1) * sizeof(*m->source));
		memset(m->source + m->nsource, 0, (n + 1 - m->nsource) * sizeof(*m->source));
		m->nsource = n + 1;
	}
	free(m->source[n]);
	m->source[n] = xstrndup(p->token.s, p->token.len);
	if (!ptx_next(p) || !ptx_accept(p, ',', &more))
		return false;
	for (u32 i = 0; more && i < 2; i++)
		if (!ptx_expect(p, TOKEN_INT, "a number") || !ptx_accept(p, ',', &more))
			return false;
	return true;
}

/* Are two names the same? */
static bool same_name(const struct ptx_site_name *a, const struct ptx_site_name *b)
{
	return a->len == b->len && a->addend == b->addend && (!a->len || !memcmp(a->label, b->label, a->len));
}

/* The newest site that is like `at`, 1 + its index; outer is compared where it is known. 0: there is none. */
static u32 find_site(const struct ptx *p, const struct call_site *at, const struct ptx_site_name *name, bool outer)
{
	const struct module *m = p->module;

	for (u32 i = m->nsite; i > 0 && i + SITES_BACK > m->nsite; i--) {
		const struct call_site *x = &m->site[i - 1];

		if (x->file == at->file && x->line == at->line && x->column == at->column && x->called == at->called &&
		    (!outer || x->outer == at->outer) && same_name(&p->site_name[i - 1], name))
			return i;
	}
	return 0;
}

u32 ptx_site(struct ptx *p, const struct call_site *at, const struct ptx_site_name *name)
{
	struct module *m = p->module;
	u32 found = find_site(p, at, name, true);

	if (found || m->nsite == MAX_SITES)
		return found;
	p->site_name = ptx_grow(&p->arena, p->site_name, m->nsite, &p->cap_site_name, sizeof(*p->site_name));
	p->site_name[m->nsite] = *name;
	m->site = array_grow(m->site, m->nsite, sizeof(*m->site));
	m->site[m->nsite] = *at;
	m->site[m->nsite].function = at->called ? xstrndup(name->label, name->len) : NULL;
	return ++m->nsite;
}

/* Where the place stands at which something was inlined: as told by the newest .loc of it in this body; or as it was
 * when the same was inlined there before; else in the body itself. */
static u32 outer_of(const struct ptx *p, const struct call_site *at, const struct ptx_site_name *name)
{
	u32 again;

	for (u32 i = p->entry ? p->nloc : 0; i > p->loc_from && i + SEEN_BACK > p->nloc; i--) {
		const struct ptx_loc *x = &p->loc_seen[i - 1];

		if (x->file == at->file && x->line == at->line && x->column == at->column)
			return x->site;
	}
	again = find_site(p, at, name, false);
	return again && p->loc_from == 0 ? p->module->site[again - 1].outer : p->loc_site;
}

/* function_name LABEL [+ N] */
static bool parse_function_name(struct ptx *p, struct ptx_site_name *name)
{
	struct ptx_token t;
	bool more;

	if (!ptx_next(p))
		return false;
	t = p->token;
	if (!ptx_expect(p, TOKEN_WORD, "a label"))
		return false;
	*name = (struct ptx_site_name){.label = t.s, .len = t.len};
	if (!ptx_accept(p, '+', &more))
		return false;
	t = p->token;
	if (more && !ptx_expect(p, TOKEN_INT, "a number"))
		return false;
	name->addend = more && t.value < PTX_NONE ? (u32)t.value : 0;
	return true;
}

/* FILE LINE COLUMN */
static bool parse_numbers(struct ptx *p, u32 *file, u32 *line, u32 *column)
{
	return ptx_expect_u32(p, 65535, "a file number", file) &&
	       ptx_expect_u32(p, PTX_NONE - 1, "a line number", line) &&
	       ptx_expect_u32(p, PTX_NONE - 1, "a column", column);
}

/* Remember a place of the entry. */
static void see(struct ptx *p)
{
	if (!p->entry)
		return;
	p->loc_seen = ptx_grow(&p->entry_arena, p->loc_seen, p->nloc, &p->cap_loc, sizeof(*p->loc_seen));
	p->loc_seen[p->nloc++] = p->loc;
}

bool ptx_parse_loc(struct ptx *p)
{
	struct ptx_site_name name = {0};
	struct call_site at = {0};
	struct ptx_loc loc = {.site = p->loc_site};
	bool more, inlined = false;

	if (!ptx_next(p) || !parse_numbers(p, &loc.file, &loc.line, &loc.column) || !ptx_accept(p, ',', &more))
		return false;
	while (more) {
		if (ptx_is_word(p, "function_name")) {
			if (!parse_function_name(p, &name))
				return false;
		} else if (ptx_is_word(p, "inlined_at")) {
			inlined = true;
			if (!ptx_next(p) || !parse_numbers(p, &at.file, &at.line, &at.column))
				return false;
		} else {
			return ptx_expected(p, "function_name or inlined_at");
		}
		if (!ptx_accept(p, ',', &more))
			return false;
	}
	if (inlined) {
		at.outer = outer_of(p, &at, &name);
		loc.site = ptx_site(p, &at, &name);
	}
	p->loc = loc;
	see(p);
	return true;
}

/* The last name of a mangled one: add of _Z3addff, scale of _ZN2ns5scaleEf; any other as it is. xmalloc'ed. */
static char *plain_function(const char *s)
{
	const char *at = s + 2, *from = NULL;
	size_t n = 0;

	if (strncmp(s, "_Z", 2))
		return xstrdup(s);
	while (*at && strchr("NKLVr", *at))
		at++;
	while (*at >= '1' && *at <= '9') {
		char *end;
		unsigned long len = strtoul(at, &end, 10);

		if (len > strlen(end))
			break;
		from = end;
		n = len;
		at = end + len;
	}
	return from ? xstrndup(from, n) : xstrdup(s);
}

/* Name the functions within functions: label[i] stands at byte label[i].value of .debug_str. */
static void name_sites(struct ptx *p, const struct ptx_token *label, u32 nlabel, const struct text *bytes)
{
	struct ptx_names names = {.arena = &p->arena};

	for (u32 i = 0; i < nlabel; i++)
		if (!ptx_names_find(&names, 0, label[i].s, label[i].len, false))
			ptx_names_add(&names, &(struct ptx_name){.s = label[i].s, .len = label[i].len, .index = i});
	for (u32 i = 0; i < p->module->nsite; i++) {
		const struct ptx_site_name *n = &p->site_name[i];
		struct call_site *x = &p->module->site[i];
		const struct ptx_name *found = x->called || x->function || !n->label
						       ? NULL
						       : ptx_names_find(&names, 0, n->label, n->len, false);

		INVARIANT(!found || label);
		u64 at = found ? label[found->index].value + n->addend : 0;

		if (found && at < bytes->len)
			x->function = plain_function(bytes->s + at);
	}
}

/* The bytes of .debug_str up to its `}': false where it is no list of labels and .b8. */
static bool parse_strings(struct ptx *p, struct text *bytes, struct ptx_token **label, u32 *nlabel)
{
	u32 cap = 0;
	bool more;

	while (!ptx_is(p, '}')) {
		struct ptx_token t = p->token;

		if (!ptx_is(p, TOKEN_WORD) || !ptx_next(p))
			return false;
		if (ptx_is(p, ':')) {
			*label = ptx_grow(&p->arena, *label, *nlabel, &cap, sizeof(**label));
			(*label)[*nlabel] = t;
			(*label)[(*nlabel)++].value = bytes->len;
			if (!ptx_next(p))
				return false;
			continue;
		}
		if (t.len != 3 || memcmp(t.s, ".b8", 3))
			return false;
		do {
			char byte = (char)p->token.value;

			text_addn(bytes, &byte, 1);
			if (!ptx_is(p, TOKEN_INT) || !ptx_next(p) || !ptx_accept(p, ',', &more))
				return false;
		} while (more);
	}
	return true;
}

bool ptx_parse_section(struct ptx *p)
{
	struct error *error = p->error, ignored = {0};
	struct ptx_token *label = NULL;
	struct text bytes = {0};
	struct ptx_place open;
	bool strings;
	u32 n = 0;

	if (!ptx_next(p))
		return false;
	strings = ptx_is_word(p, ".debug_str");
	if (!ptx_expect(p, TOKEN_WORD, "a section name"))
		return false;
	if (!ptx_is(p, '{'))
		return ptx_expected(p, "'{'");
	open = ptx_here(p);
	/* cppcheck-suppress autoVariables */
	p->error = &ignored;
	if (strings && p->module->nsite && ptx_next(p) && parse_strings(p, &bytes, &label, &n))
		name_sites(p, label, n, &bytes);
	ptx_stop_ignoring(p, error);
	ptx_go(p, &open);
	text_free(&bytes);
	return ptx_skip_braces(p);
}
