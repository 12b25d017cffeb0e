/*
 * ptx_parse.c - a PTX module: headers, variables, entries; ptx_load() and what it returns.
 *
 * Device functions are read where they are called (ptx_call.c); debug sections, pragmas and source files are accepted,
 * the last for the source lines of instructions. Each entry is lowered as soon as its body has been read, so memory of
 * the front end is that of the largest entry. Source: PTX ISA 8.x, chapters 4, 5 and 11.
 */

#include "ptx_internal.h"

/* Is this a name that may be declared: no directive, no modifiers? */
static bool plain_name(const struct ptx_token *t)
{
	return t->kind == TOKEN_WORD && t->s[0] != '.' && !memchr(t->s, '.', t->len) && !memchr(t->s, ':', t->len);
}

/* `.version 7.0`: the first directive of every module. */
static bool parse_version(struct ptx *p)
{
	if (!ptx_is_word(p, ".version"))
		return ptx_is(p, TOKEN_END) ? ptx_fail(p, PTX_AT(&p->token), "the file contains no PTX module")
					    : ptx_fail(p, PTX_AT(&p->token),
						       "this is not a PTX module: expected .version, found '%s'",
						       ptx_shown(p->token.s, p->token.len));
	if (!ptx_next(p))
		return false;
	if (!ptx_is(p, TOKEN_FLOAT) || p->token.single)
		return ptx_expected(p, "a version such as 7.0");
	return ptx_next(p);
}

/* The number in a name behind its first characters: 90 of sm_90a. */
static u32 number_after(const struct ptx_token *t, u32 at)
{
	u32 n = 0;

	for (; at < t->len && t->s[at] >= '0' && t->s[at] <= '9' && n < 1000; at++)
		n = n * 10 + (u32)(t->s[at] - '0');
	return n;
}

/* `.target sm_75, texmode_independent, debug`. */
static bool parse_target(struct ptx *p)
{
	bool more;

	if (!ptx_next(p))
		return false;
	do {
		if (!plain_name(&p->token))
			return ptx_expected(p, "a target such as sm_75");
		if (p->token.len > 3 && !memcmp(p->token.s, "sm_", 3))
			p->target = number_after(&p->token, 3);
		if (!ptx_next(p) || !ptx_accept(p, ',', &more))
			return false;
	} while (more);
	return true;
}

/* `.address_size 64`. */
static bool parse_address_size(struct ptx *p)
{
	struct ptx_token t;
	u32 bits;

	if (!ptx_next(p))
		return false;
	t = p->token;
	if (!ptx_expect_u32(p, 64, "an address size", &bits))
		return false;
	return bits == 64 || ptx_fail(p, PTX_AT(&t), "addresses of %u bits are not supported (compile for 64)", bits);
}

/* `.pragma "nounroll";`: hints for a compiler. */
bool ptx_parse_pragma(struct ptx *p)
{
	bool more = true;

	if (!ptx_next(p))
		return false;
	while (more)
		if (!ptx_expect(p, TOKEN_STRING, "a string") || !ptx_accept(p, ',', &more))
			return false;
	return ptx_expect(p, ';', "';' after the pragma");
}

/* `.ptr .global .align 4`: what a pointer parameter points to. */
static bool parse_pointer(struct ptx *p, struct kernel_param *param)
{
	struct ptx_token t;
	u32 align;

	if (!ptx_next(p))
		return false;
	t = p->token;
	if (ptx_is_word(p, ".const") || ptx_is_word(p, ".local"))
		return ptx_refuse(
			p, PTX_AT(&t),
			"a pointer parameter to %s memory is not supported (use a variable of the module, or '.extern .shared')",
			ptx_shown(t.s, t.len));
	param->shared = ptx_is_word(p, ".shared");
	param->pointer = !param->shared;
	param->shared_align = 16;
	if ((ptx_is_word(p, ".global") || param->shared) && !ptx_next(p))
		return false;
	if (!ptx_is_word(p, ".align"))
		return true;
	if (!ptx_next(p))
		return false;
	t = p->token;
	if (!ptx_expect_u32(p, 65536, "an alignment", &align))
		return false;
	param->shared_align = max_u32(align, 1);
	return is_pow2(param->shared_align) ||
	       ptx_fail(p, PTX_AT(&t), "an alignment must be a power of two, not %u", align);
}

/* The bytes of an aggregate parameter: [N] behind its name. */
static bool parse_param_size(struct ptx *p, struct kernel_param *param)
{
	struct ptx_token t;

	if (!ptx_next(p) || !ptx_constant(p, &t))
		return false;
	if (t.kind != TOKEN_INT || !t.value || t.value > 32764)
		return ptx_fail(p, PTX_AT(&t), "a parameter must have 1 to 32764 bytes");
	param->size *= (u32)t.value;
	param->type = VALUE_BYTES;
	return ptx_expect(p, ']', "']'");
}

/* One parameter of an entry. */
static bool parse_param(struct ptx *p)
{
	struct ptx_entry *en = p->entry;
	struct kernel_param param = {0};
	struct ptx_token t;
	const struct ptx_type *type;

	if (!ptx_is_word(p, ".param"))
		return ptx_expected(p, "a parameter: .param");
	if (!ptx_next(p))
		return false;
	if (ptx_is_word(p, ".align") && (!ptx_next(p) || !ptx_expect_u32(p, 256, "an alignment", &param.align)))
		return false;
	t = p->token;
	type = ptx_type_here(p);
	if (!type || type->bits == 1)
		return ptx_expected(p, "a parameter type such as .u32, .u64, .f32 or .b8");
	param.type = type->value;
	param.size = type->bits / 8;
	if (param.align && !is_pow2(param.align))
		return ptx_fail(p, PTX_AT(&t), "an alignment must be a power of two, not %u", param.align);
	param.align = max_u32(param.align, param.size);
	if (!ptx_next(p) || (ptx_is_word(p, ".ptr") && !parse_pointer(p, &param)))
		return false;
	t = p->token;
	if (!plain_name(&t))
		return ptx_expected(p, "the parameter's name");
	if (!ptx_next(p) || (ptx_is(p, '[') && !parse_param_size(p, &param)))
		return false;
	param.offset = round_up(en->param_bytes, param.align);
	en->param_bytes = param.offset + param.size;
	if (en->param_bytes > 32764)
		return ptx_refuse(p, PTX_AT(&t), "the parameters take %u bytes (at most 32764)", en->param_bytes);
	param.name = arena_text(&p->entry_arena, t.s, t.len);
	en->param = ptx_grow(&p->entry_arena, en->param, en->nparam, &en->cap_param, sizeof(*en->param));
	en->param[en->nparam] = param;
	return ptx_declare(p, &t, NAME_PARAM, en->nparam++, 0) != NULL;
}

/* ( parameters ), if there are any. */
static bool parse_params(struct ptx *p)
{
	bool found, more = true;

	if (!ptx_accept(p, '(', &found) || !found || ptx_is(p, ')'))
		return !p->failed && (!found || ptx_next(p));
	while (more)
		if (!parse_param(p) || !ptx_accept(p, ',', &more))
			return false;
	return ptx_expect(p, ')', "',' or ')'");
}

/* Numbers of a directive: N [, N [, N]]. */
static bool parse_numbers(struct ptx *p, u32 *out, u32 n)
{
	bool more;

	if (!ptx_next(p))
		return false;
	for (u32 i = 0; i < n; i++) {
		if (!ptx_expect_u32(p, 1u << 20, "a number of threads or CTAs", &out[i]) ||
		    (i + 1 < n && !ptx_accept(p, ',', &more)))
			return false;
		if (i + 1 < n && !more)
			break;
	}
	return true;
}

/* Directives between an entry's parameters and its body. */
static bool parse_entry_directives(struct ptx *p)
{
	struct ptx_entry *en = p->entry;
	u32 ignored;

	while (!ptx_is(p, '{')) {
		bool ok;

		if (ptx_is_word(p, ".maxntid") || ptx_is_word(p, ".reqntid")) {
			en->maxntid[0] = en->maxntid[1] = en->maxntid[2] = 1;
			ok = parse_numbers(p, en->maxntid, 3);
		} else if (ptx_is_word(p, ".minnctapersm") || ptx_is_word(p, ".maxnctapersm")) {
			ok = parse_numbers(p, p->token.s[2] == 'i' ? &en->minnctapersm : &ignored, 1);
		} else if (ptx_is_word(p, ".maxnreg")) {
			ok = parse_numbers(p, &en->maxnreg, 1);
		} else if (ptx_is_word(p, ".pragma")) {
			ok = ptx_parse_pragma(p);
		} else {
			return ptx_expected_other(p, "'{', .maxntid, .reqntid, .minnctapersm, .maxnreg or .pragma");
		}
		if (!ok)
			return false;
	}
	return true;
}

/* The entry's body, then its lowering; a survey goes on as far as that makes sense. */
static bool parse_definition(struct ptx *p)
{
	struct ptx_survey *s = p->survey;
	bool ok = parse_params(p) && parse_entry_directives(p) && ptx_parse_body(p);

	if (!ok || (s && p->lost))
		return ok;
	return ptx_lower_entry(p);
}

/* The entry uses what is not supported: the module keeps its name and the reason, and nothing else of it. */
static void refuse_entry(struct ptx *p, u32 nkernel)
{
	struct module *m = p->module;

	if (p->survey || !p->unsupported)
		return;
	while (m->nkernel > nkernel)
		kernel_free(&m->kernel[--m->nkernel]);
	m->refused = array_grow(m->refused, m->nrefused, sizeof(*m->refused));
	m->refused[m->nrefused++] = (struct refused_entry){.name = xstrdup(p->entry->name),
							   .line = p->error->line,
							   .column = p->error->column,
							   .message = xstrdup(p->error->message)};
}

/* `.entry name ( ... ) directives { ... }`, lowered at its end. */
static bool parse_entry(struct ptx *p)
{
	struct ptx_entry en = {.name = NULL};
	struct ptx_place start;
	struct ptx_token t;
	u32 nkernel = p->module->nkernel;
	bool ok;

	if (!ptx_next(p))
		return false;
	t = p->token;
	if (!plain_name(&t))
		return ptx_expected(p, "the entry's name");
	if (!ptx_declare(p, &t, NAME_FUNC, 0, 0) || !ptx_next(p))
		return false;
	en.name = arena_text(&p->arena, t.s, t.len);
	en.line = t.line;
	en.column = t.column;
	en.scope[0] = 1;
	en.depth = 1;
	en.nscope = 2;
	/* cppcheck-suppress autoVariables */
	p->entry = &en;
	en.parent = ptx_grow(&p->entry_arena, NULL, 0, &en.cap_scope, sizeof(u32));
	p->loc = (struct ptx_loc){0};
	p->loc_seen = NULL;
	p->nloc = p->cap_loc = p->loc_from = p->loc_site = 0;
	p->lost = false;
	start = ptx_here(p);
	ptx_survey_kernel(p, &t);
	p->number++;
	ok = parse_definition(p);
	if (!ok) {
		refuse_entry(p, nkernel);
		ok = ptx_skip_entry(p, &start);
	}
	p->entry = NULL;
	p->nvar = p->nmodule_var;
	arena_free(&p->entry_arena);
	ptx_names_clear(&p->entry_names);
	return ok;
}

/* `.func ...`: a declaration or a definition, read over: it is read again where it is called. */
static bool parse_func(struct ptx *p)
{
	struct ptx_token t = p->token;

	while (!ptx_is(p, ';') && !ptx_is(p, '{')) {
		if (ptx_is(p, TOKEN_END))
			return ptx_fail(p, PTX_AT(&t), "this .func has neither ';' nor a body");
		if (!ptx_next(p))
			return false;
	}
	return ptx_is(p, ';') ? ptx_next(p) : ptx_skip_braces(p);
}

/* `.extern .func` and friends: linkage, then what it is about. */
static bool parse_linked(struct ptx *p)
{
	static const struct {
		const char *word;
		u8 space;
	} spaces[] = {{".global", SPACE_GLOBAL}, {".const", SPACE_CONST}, {".shared", SPACE_SHARED}};
	bool is_extern = false;

	while (ptx_is_word(p, ".visible") || ptx_is_word(p, ".weak") || ptx_is_word(p, ".extern") ||
	       ptx_is_word(p, ".common")) {
		is_extern |= ptx_is_word(p, ".extern");
		if (!ptx_next(p))
			return false;
	}
	if (ptx_is_word(p, ".entry"))
		return parse_entry(p);
	if (ptx_is_word(p, ".func"))
		return parse_func(p);
	for (u32 i = 0; i < ARRAY_LEN(spaces); i++) {
		if (!ptx_is_word(p, spaces[i].word))
			continue;
		if (!ptx_next(p) || !ptx_parse_variable(p, spaces[i].space, is_extern))
			return false;
		p->nmodule_var = p->nvar;
		return true;
	}
	return ptx_expected_other(p,
				  "a directive of a module (.entry, .func, .global, .const, .shared, .file, .section)");
}

/* Everything behind .version. */
static bool parse_module(struct ptx *p)
{
	bool ok, found;

	ptx_find_functions(p);
	ok = ptx_next(p) && parse_version(p);
	while (ok && !ptx_is(p, TOKEN_END)) {
		struct ptx_place start = ptx_here(p);

		if (ptx_is_word(p, ".target"))
			ok = parse_target(p);
		else if (ptx_is_word(p, ".address_size"))
			ok = parse_address_size(p);
		else if (ptx_is_word(p, ".file"))
			ok = ptx_parse_file(p);
		else if (ptx_is_word(p, ".section"))
			ok = ptx_parse_section(p);
		else if (ptx_is_word(p, ".loc"))
			ok = ptx_parse_loc(p);
		else if (ptx_is_word(p, ".pragma"))
			ok = ptx_parse_pragma(p);
		else if (ptx_is(p, ';'))
			ok = ptx_accept(p, ';', &found);
		else
			ok = parse_linked(p);
		if (!ok)
			ok = ptx_skip_declaration(p, &start);
	}
	if (ok && !p->module->nkernel && !p->survey && p->first.status)
		return ptx_fail(p, PTX_AT(&p->first), "%s", p->first.message);
	if (ok && !p->module->nkernel && !p->survey)
		return ptx_fail(p, PTX_AT(&p->token), "the module has no .entry: only kernels can be launched");
	return ok;
}

/* The sizes of its areas, and the constant bank from the initialisers of the .const variables. */
static void fill_module(struct ptx *p)
{
	struct module *m = p->module;

	m->global_bytes = p->global_bytes;
	m->nconstants = (u32)p->const_bytes;
	m->constants = xcalloc(1, p->const_bytes + 1);
	for (u32 i = 0; i < m->nsymbol; i++)
		if (m->symbol[i].space == SPACE_CONST && m->symbol[i].init)
			memcpy(m->constants + m->symbol[i].address, m->symbol[i].init, m->symbol[i].size);
}

/* Parse text into *out, or survey it. */
static enum status read_module(const char *path, const char *text, size_t len, struct module **out,
			       struct ptx_survey *survey, struct error *e)
{
	struct error ignored = {0};
	struct ptx *p = xcalloc(1, sizeof(*p));
	enum status st;
	bool ok;

	*out = NULL;
	*p = (struct ptx){.path = path,
			  .text = text,
			  .end = text + len,
			  .at = text,
			  .line_start = text,
			  .line = 1,
			  .error = e ? e : &ignored,
			  .survey = survey};
	p->module_names.arena = &p->arena;
	p->entry_names.arena = &p->entry_arena;
	p->func_names.arena = &p->arena;
	ptx_forms_make(p);
	p->module = xcalloc(1, sizeof(*p->module));
	p->module->path = xstrdup(path);
	if (len > PTX_MAX_TEXT)
		ok = ptx_fail(p, 0, 0, "the file has %zu bytes (at most %u)", len, PTX_MAX_TEXT);
	else
		ok = parse_module(p);
	if (ok) {
		fill_module(p);
		ptx_name_overloads(p->module);
		*out = p->module;
	} else {
		module_free(p->module);
	}
	st = ok ? STATUS_OK : p->interrupted ? p->interrupted : STATUS_USAGE;
	arena_free(&p->entry_arena);
	arena_free(&p->arena);
	free(p);
	return st;
}

/* Parse text (named `path` in errors) into *out. */
enum status ptx_load_text(const char *path, const char *text, size_t len, struct module **out, struct error *e)
{
	return read_module(path, text, len, out, NULL, e);
}

/* See ptx.h; where reading cannot go on, what was found so far is the answer. */
enum status ptx_survey_text(const char *path, const char *text, size_t len, struct ptx_survey *out, struct error *e)
{
	struct error why = {0};
	struct module *m;
	enum status st = read_module(path, text, len, &m, out, &why);

	module_free(m);
	if (st != STATUS_OK && !out->nverdict) {
		if (e)
			*e = why;
		return st;
	}
	if (st != STATUS_OK)
		ptx_survey_problem(out, PTX_NONE, &why);
	return STATUS_OK;
}

/* The same from a file. */
enum status ptx_load(const char *path, struct module **out, struct error *e)
{
	enum status st;
	char *text;
	size_t len;

	*out = NULL;
	st = file_read_text(path, PTX_MAX_TEXT, &text, &len, e);
	if (st != STATUS_OK)
		return st;
	st = ptx_load_text(path, text, len, out, e);
	for (size_t i = 0; i < len && !st; i++)
		(*out)->hash = mix64((*out)->hash ^ (u8)text[i]);
	free(text);
	return st;
}
