/*
 * ptx_func.c - device functions: where they are in the text, and the parameters that their headers declare.
 *
 * Source: PTX ISA 8.x, sections 5.1.6 and 11.1.
 */
#include "ptx_internal.h"

/* The function of this name, one with a body first. */
struct ptx_func *ptx_find_function(const struct ptx *p, const char *s, u32 len)
{
	const struct ptx_name *n = ptx_names_find(&p->func_names, 0, s, len, false);

	return n ? &p->func[n->index] : NULL;
}

/* The newest function can be found by its name, unless one of that name is there with a body and this has none. */
static void name_function(struct ptx *p)
{
	const struct ptx_func *f = &p->func[p->nfunc - 1];
	struct ptx_name *n = ptx_names_find(&p->func_names, 0, f->s, f->len, false);

	if (!n)
		ptx_names_add(&p->func_names,
			      &(struct ptx_name){.s = f->s, .len = f->len, .kind = NAME_FUNC, .index = p->nfunc - 1});
	else if (f->has_body)
		n->index = p->nfunc - 1;
}

/* Advance over ( ... ); the current token is the opening parenthesis. */
static bool skip_parentheses(struct ptx *p)
{
	u32 depth = 0;

	do {
		if (ptx_is(p, TOKEN_END))
			return false;
		depth += ptx_is(p, '(');
		depth -= ptx_is(p, ')');
		if (!ptx_next(p))
			return false;
	} while (depth);
	return true;
}

/* Note one function; the current token is `.func`. */
static bool note_function(struct ptx *p)
{
	struct ptx_func f = {0};

	if (!ptx_next(p))
		return false;
	while (ptx_is_word(p, ".noreturn") || ptx_is_word(p, ".attribute"))
		if (!ptx_next(p) || (ptx_is(p, '(') && p->last_end[-1] == 'e' && !skip_parentheses(p)))
			return false;
	f.place = ptx_here(p);
	if (ptx_is(p, '(') && !skip_parentheses(p))
		return false;
	if (!ptx_is(p, TOKEN_WORD))
		return false;
	f.s = p->token.s;
	f.len = p->token.len;
	while (!ptx_is(p, ';') && !ptx_is(p, '{'))
		if (ptx_is(p, TOKEN_END) || !ptx_next(p))
			return false;
	f.has_body = ptx_is(p, '{');
	p->func = ptx_grow(&p->arena, p->func, p->nfunc, &p->cap_func, sizeof(*p->func));
	p->func[p->nfunc++] = f;
	name_function(p);
	return true;
}

/* A number of its own for each function; 0 is none. */
u64 ptx_function_address(const struct ptx *p, const struct ptx_func *f)
{
	return FUNCTION_WINDOW + 128 * (u64)(f - p->func + 1);
}

/* Note whose address is taken: a name in an initialiser or an instruction that is neither a header nor what is called.
 */
static void find_taken(struct ptx *p)
{
	struct ptx_func *f;
	bool names = false; /* a statement that may name a function without taking its address */

	while (!ptx_is(p, TOKEN_END)) {
		if (ptx_is(p, ';') || ptx_is(p, '{') || ptx_is(p, '}'))
			names = false;
		names |= ptx_is_word(p, ".func") || ptx_is_word(p, "call") || ptx_is_word(p, "call.uni");
		f = ptx_is(p, TOKEN_WORD) && !names ? ptx_find_function(p, p->token.s, p->token.len) : NULL;
		if (f)
			f->taken = true;
		if (!ptx_next(p))
			return;
	}
}

void ptx_note_functions(struct ptx *p)
{
	bool ok = ptx_next(p);

	while (ok && !ptx_is(p, TOKEN_END)) {
		if (ptx_is_word(p, ".func"))
			ok = note_function(p);
		else if (ptx_is(p, '{'))
			ok = ptx_skip_braces(p);
		else
			ok = ptx_next(p);
	}
}

/* Look through the module for its functions, since a call may stand before the body. Errors are left to the reader. */
void ptx_find_functions(struct ptx *p)
{
	struct ptx_place start = ptx_here(p);
	struct error *error = p->error, ignored = {0};

	/* cppcheck-suppress autoVariables */
	p->error = &ignored;
	if (memmem(p->text, (size_t)(p->end - p->text), ".func", 5))
		ptx_note_functions(p);
	if (!p->failed && p->nfunc &&
	    memmem(p->text, (size_t)(p->end - p->text), ".call", 5)) { /* prototypes, targets */
		ptx_go(p, &start);
		if (ptx_next(p))
			find_taken(p);
	}
	ptx_stop_ignoring(p, error);
	ptx_go(p, &start);
	ptx_find_heap(p);
}

/* One formal parameter: .param or .reg, its type, its name, its size. */
static bool parse_formal(struct ptx *p, struct ptx_formal *f)
{
	struct ptx_token t;

	*f = (struct ptx_formal){.is_reg = ptx_is_word(p, ".reg")};
	if (!f->is_reg && !ptx_is_word(p, ".param"))
		return ptx_expected(p, "a parameter of the function: .param or .reg");
	if (!ptx_next(p) ||
	    (ptx_is_word(p, ".align") && (!ptx_next(p) || !ptx_expect_u32(p, 256, "an alignment", &f->align))))
		return false;
	f->type = ptx_type_here(p);
	if (!f->type || (f->type->bits == 1 && !f->is_reg))
		return ptx_expected(p, "a parameter type");
	if (!ptx_next(p))
		return false;
	while (ptx_is_word(p, ".ptr") || ptx_is_word(p, ".global") || ptx_is_word(p, ".shared") ||
	       ptx_is_word(p, ".const") || ptx_is_word(p, ".local") || ptx_is_word(p, ".align")) {
		bool align = ptx_is_word(p, ".align");

		if (!ptx_next(p) || (align && !ptx_expect(p, TOKEN_INT, "an alignment")))
			return false;
	}
	f->name = p->token;
	f->size = f->type->bits / 8;
	if (!ptx_expect(p, TOKEN_WORD, "the parameter's name"))
		return false;
	if (!ptx_is(p, '['))
		return true;
	f->is_array = true;
	if (!ptx_next(p) || !ptx_constant(p, &t))
		return false;
	if (t.kind != TOKEN_INT || t.value > PTX_MAX_SHARED)
		return ptx_fail(p, PTX_AT(&t), "the parameter needs a size");
	f->size *= (u32)t.value;
	return ptx_expect(p, ']', "']'");
}

static bool list_formal(struct ptx *p, void *out, u32 i)
{
	return parse_formal(p, (struct ptx_formal *)out + i);
}

/* ( item, ... ), at most PTX_MAX_ARGUMENTS, of which `who` has no more; the current token is the parenthesis. */
bool ptx_parse_list(struct ptx *p, bool (*item)(struct ptx *p, void *out, u32 i), void *out, u32 *n, const char *who,
		    const char *what)
{
	bool more = true;

	*n = 0;
	if (!ptx_next(p))
		return false;
	if (ptx_is(p, ')'))
		return ptx_next(p);
	while (more) {
		if (*n == PTX_MAX_ARGUMENTS)
			return ptx_refuse(p, PTX_AT(&p->token), "%s has at most %u %s", who, PTX_MAX_ARGUMENTS, what);
		if (!item(p, out, (*n)++) || !ptx_accept(p, ',', &more))
			return false;
	}
	return ptx_expect(p, ')', "',' or ')'");
}

/* ( formal, ... ); none when there is no parenthesis. */
bool ptx_parse_formals(struct ptx *p, struct ptx_formal *out, u32 *n)
{
	*n = 0;
	return !ptx_is(p, '(') || ptx_parse_list(p, list_formal, out, n, "a function", "parameters");
}
