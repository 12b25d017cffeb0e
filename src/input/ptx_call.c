/*
 * ptx_call.c - device functions, expanded where they are called.
 *
 * The text of a function is read again at every call, into the entry that calls it: its registers, labels and blocks
 * are fresh ones, `ret` is a branch to the end, and its parameters stand for what the call gives (ptx_param.c). Frames
 * of local memory lie on top of their caller's and end with the call. A call through a register compares it with the
 * address of each function that it may be and calls that: those whose address the module takes and whose parameters
 * fit. What is none of them, or would call itself again, traps. Recursion by name is refused. Source: PTX ISA 8.x,
 * sections 5.1.6, 7.1 and 9.7.12.5. Deviation: there is no call instruction and no ABI, so a call costs the moves of
 * its arguments only, through a register a compare and a branch for each function, too; printf and a failed assertion
 * are instructions (exec_print.c).
 */
#include "ptx_internal.h"

/* A label that no module can declare. */
static const char return_label[] = "end of function";

/* What a call gives: operands for the results and for the arguments. */
struct call {
	struct ptx_token name;
	struct ptx_operand result[PTX_MAX_ARGUMENTS], argument[PTX_MAX_ARGUMENTS];
	u32 nresult, nargument;
	bool indirect;
	struct ptx_operand target; /* of an indirect one: the register */
};

/* Functions of the runtime that are instructions here: results, arguments that are looked at and those that there may
 * be. */
static const struct runtime {
	const char *name, *as;
	u32 gives, wants, most;
	u8 bits[4];
} runtime[] = {{"vprintf", "vprintf", 1, 2, 2, {64, 64}},
	       {"__assertfail", "__assertfail", 0, 4, 5, {64, 64, 32, 64}},
	       {"__assert_fail", "__assertfail", 0, 4, 5, {64, 64, 32, 64}},
	       {"heap_bad_free", "heap_bad_free", 0, 1, 1, {64}}};

static bool list_operand(struct ptx *p, void *out, u32 i)
{
	return ptx_parse_operand(p, (struct ptx_operand *)out + i);
}

/* ( operand, ... ) into out; the current token is the parenthesis. */
static bool parse_list(struct ptx *p, struct ptx_operand *out, u32 *n)
{
	return ptx_parse_list(p, list_operand, out, n, "a call", "arguments");
}

/* What stands behind `call`, up to and with the `;'. */
static bool parse_call_operands(struct ptx *p, struct call *c)
{
	struct ptx_name *n;
	bool more;
	u32 index;

	if (ptx_is(p, '(') && (!parse_list(p, c->result, &c->nresult) || !ptx_expect(p, ',', "',' after the results")))
		return false;
	c->name = p->token;
	if (!ptx_is(p, TOKEN_WORD))
		return ptx_expected(p, "the name of a function");
	n = ptx_resolve(p, c->name.s, c->name.len, &index);
	c->indirect = n && (n->kind == NAME_REG || n->kind == NAME_RANGE);
	if (c->indirect ? !ptx_parse_operand(p, &c->target) : !ptx_next(p))
		return false;
	if (c->indirect && c->target.width != 64)
		return ptx_fail(p, PTX_AT(&c->name), "the address of a function has 64 bits, but '%s' has %u",
				ptx_shown(c->name.s, c->name.len), c->target.width);
	if (!ptx_accept(p, ',', &more))
		return false;
	if (more && ptx_is(p, '(') && (!parse_list(p, c->argument, &c->nargument) || !ptx_accept(p, ',', &more)))
		return false;
	if (more && !ptx_expect(p, TOKEN_WORD, "the arguments or a prototype"))
		return false;
	return ptx_expect(p, ';', "';' after the call");
}

/* Add `op a, b` in the place of st. */
static bool add_move(struct ptx *p, const struct ptx_stmt *st, const char *op, const struct ptx_operand *a,
		     const struct ptx_operand *b)
{
	struct ptx_stmt as = *st;

	as.op = op;
	as.nops = 2;
	as.ops = arena_alloc(&p->entry_arena, 2 * sizeof(*as.ops));
	as.ops[0] = *a;
	as.ops[1] = *b;
	return ptx_add_stmt(p, &as);
}

/* [name] of a .param variable. */
static struct ptx_operand address_of(struct ptx *p, const struct ptx_name *n, const struct ptx_operand *at)
{
	struct ptx_operand *base = arena_alloc(&p->entry_arena, sizeof(*base));

	*base = *at;
	base->kind = PTX_NAME;
	base->name = n;
	base->s = n->s;
	base->len = n->len;
	return (struct ptx_operand){.kind = PTX_ADDRESS,
				    .n = 1,
				    .item = base,
				    .line = at->line,
				    .column = at->column,
				    .s = n->s,
				    .len = n->len};
}

/* The move between a register and a formal one, or a .param variable, of its type. */
static const char *move_of(struct ptx *p, const char *root, const struct ptx_type *type)
{
	char buf[32];
	int n = snprintf(buf, sizeof(buf), "%s%s", root,
			 strcmp(root, "mov") || type->letter == 'p' ? type->name
			 : type->bits == 64			    ? ".b64"
			 : type->bits == 32			    ? ".b32"
								    : ".b16");

	return arena_text(&p->entry_arena, buf, (size_t)n);
}

/* A formal that is a register: a fresh one, set from the argument now or given to the result at the end. */
static struct ptx_name *bind_register(struct ptx *p, const struct ptx_formal *f)
{
	struct ptx_name *n = ptx_declare(p, &f->name, NAME_REG, p->entry->nvreg, 0);

	if (n) {
		n->width = f->type->bits;
		p->entry->nvreg++;
	}
	return n;
}

/* A formal .param whose actual is no .param variable: a variable of its own. */
static struct ptx_name *bind_scratch(struct ptx *p, const struct ptx_formal *f)
{
	struct ptx_var v = {.name = arena_text(&p->arena, f->name.s, f->name.len),
			    .space = SPACE_PARAM,
			    .in_entry = 1,
			    .size = f->size,
			    .line = f->name.line,
			    .column = f->name.column,
			    .symbol = PTX_NONE,
			    .type = f->is_array ? VALUE_BYTES : f->type->value};

	if (!ptx_scratch(p, &v))
		return NULL;
	p->var = ptx_grow(&p->arena, p->var, p->nvar, &p->cap_var, sizeof(*p->var));
	p->var[p->nvar] = v;
	return ptx_declare(p, &f->name, NAME_VAR, p->nvar++, 0);
}

/* The name of a .param variable that an operand is, or NULL. */
static const struct ptx_name *actual_name(const struct ptx *p, const struct ptx_operand *o)
{
	const struct ptx_name *n = o->kind == PTX_NAME ? o->name : NULL;

	return n && n->kind == NAME_VAR && p->var[n->index].space == SPACE_PARAM ? n : NULL;
}

/* Bind one formal to what the call gives, which was read in the caller's block. */
static struct ptx_name *bind_formal(struct ptx *p, const struct ptx_formal *f, const struct ptx_operand *actual)
{
	const struct ptx_name *name = actual_name(p, actual);

	if (f->is_reg)
		return bind_register(p, f);
	if (!name && (actual->kind == PTX_NAME || actual->kind == PTX_VECTOR || actual->kind == PTX_ADDRESS)) {
		ptx_fail(p, PTX_AT(actual), "'%s' is neither a .param variable nor a register",
			 ptx_shown(actual->s, actual->len));
		return NULL;
	}
	if (!name)
		return bind_scratch(p, f);
	if (p->var[name->index].size < f->size) {
		ptx_fail(p, PTX_AT(actual), "'%s' has %u bytes, but parameter '%s' of the function has %u",
			 ptx_shown(actual->s, actual->len), p->var[name->index].size, ptx_shown(f->name.s, f->name.len),
			 f->size);
		return NULL;
	}
	return ptx_declare(p, &f->name, NAME_VAR, name->index, 0);
}

/* Move an argument to its formal, or a formal to its result, where they are not the same variable. */
static bool pass_value(struct ptx *p, const struct ptx_stmt *st, const struct ptx_formal *f, const struct ptx_name *n,
		       const struct ptx_operand *actual, bool result)
{
	struct ptx_operand formal = {.kind = PTX_REG,
				     .vreg = n->index,
				     .width = n->width,
				     .line = actual->line,
				     .column = actual->column,
				     .s = n->s,
				     .len = n->len};
	const struct ptx_operand *to = result ? actual : &formal, *from = result ? &formal : actual;
	const struct ptx_name *name = actual_name(p, actual);

	if (name && !f->is_reg)
		return true;
	if (!f->is_reg)
		formal = address_of(p, n, actual);
	if (name) {
		struct ptx_operand address = address_of(p, name, actual);

		return add_move(p, st, move_of(p, result ? "st.param" : "ld.param", f->type), result ? &address : to,
				result ? from : &address);
	}
	return add_move(p, st, move_of(p, f->is_reg ? "mov" : result ? "ld.param" : "st.param", f->type), to, from);
}

/* What is wrong with the number of results or arguments. */
static bool check_count(struct ptx *p, const struct call *c, u32 given, u32 wanted, const char *what)
{
	return given == wanted ||
	       ptx_fail(p, PTX_AT(&c->name), "'%s' has %u %s%s, not %u", ptx_shown(c->name.s, c->name.len), wanted,
			what, wanted == 1 ? "" : "s", given);
}

/* Drop a branch to the very end of the function from behind its last instruction. */
static void drop_last_return(struct ptx *p, u32 first)
{
	struct ptx_entry *en = p->entry;
	const struct ptx_stmt *last = en->nstmt > first ? &en->stmt[en->nstmt - 1] : NULL;

	if (!last || last->guard != PTX_NONE || last->nops != 1 || last->ops[0].s != return_label)
		return;
	if (!en->nlabel || en->label[en->nlabel - 1]->index < en->nstmt)
		en->nstmt--;
}

/* Declare the end of the expansion as a label in the current block. */
static bool end_label(struct ptx *p, const struct ptx_token *at)
{
	struct ptx_token t = *at;
	struct ptx_name *n;

	t.s = return_label;
	t.len = sizeof(return_label) - 1;
	n = ptx_declare(p, &t, NAME_LABEL, p->entry->nstmt, 0);
	return n != NULL;
}

/* The function's header and body, read in a block of their own; st is the call. */
static bool expand_body(struct ptx *p, const struct ptx_stmt *st, const struct call *c)
{
	struct ptx_formal result[PTX_MAX_ARGUMENTS], argument[PTX_MAX_ARGUMENTS];
	struct ptx_name *result_name[PTX_MAX_ARGUMENTS], *n;
	struct ptx_entry *en = p->entry;
	u32 nresult, nargument, first = en->nstmt;
	struct ptx_token t = p->token;
	struct ptx_stmt plain = *st;

	if (!ptx_parse_formals(p, result, &nresult) || !ptx_expect(p, TOKEN_WORD, "the function's name") ||
	    !ptx_parse_formals(p, argument, &nargument) || !check_count(p, c, c->nresult, nresult, "result") ||
	    !check_count(p, c, c->nargument, nargument, "argument"))
		return false;
	plain.guard = PTX_NONE;
	for (u32 i = 0; i < nresult; i++)
		if (!(result_name[i] = bind_formal(p, &result[i], &c->result[i])))
			return false;
	for (u32 i = 0; i < nargument; i++)
		if (!(n = bind_formal(p, &argument[i], &c->argument[i])) ||
		    !pass_value(p, &plain, &argument[i], n, &c->argument[i], false))
			return false;
	while (!ptx_is(p, '{'))
		if (!ptx_next(p))
			return false;
	if (!ptx_parse_body(p))
		return false;
	drop_last_return(p, first);
	if (!end_label(p, &t))
		return false;
	for (u32 i = 0; i < nresult; i++)
		if (!pass_value(p, &plain, &result[i], result_name[i], &c->result[i], true))
			return false;
	return true;
}

/* Fail: the function calls itself; name the way round. */
static bool refuse_recursion(struct ptx *p, const struct call *c, const struct ptx_func *f)
{
	const struct ptx_entry *en = p->entry;
	struct text way = {0};
	u32 from = 0;

	while (from < en->call_depth && en->call[from] != f)
		from++;
	for (u32 i = from; i < en->call_depth; i++)
		text_add(&way, "%s -> ", ptx_shown(en->call[i]->s, en->call[i]->len));
	text_add(&way, "%s", ptx_shown(f->s, f->len));
	ptx_refuse(p, PTX_AT(&c->name), "recursion is not supported: %.400s (rewrite it as a loop)", way.s);
	text_free(&way);
	return false;
}

/* What is read from here on stands in a function that is called. */
static void enter_site(struct ptx *p, const struct ptx_stmt *st, const struct ptx_func *f)
{
	struct call_site at = {.file = st->source_file, .line = st->source_line, .outer = st->site, .called = 1};
	const struct ptx_site_name name = {.label = f->s, .len = f->len};

	p->loc_from = p->nloc;
	p->loc_site = st->source_line ? ptx_site(p, &at, &name) : 0;
	p->loc = (struct ptx_loc){.site = p->loc_site};
}

/* Read the function's text here, as if it stood in the entry. */
static bool expand_call(struct ptx *p, const struct ptx_stmt *st, const struct call *c, struct ptx_func *f)
{
	struct ptx_entry *en = p->entry;
	struct ptx_place back = ptx_here(p);
	u32 scope[PTX_MAX_SCOPES], depth = en->depth, top = en->local_top, from = p->loc_from, site = p->loc_site;
	bool ok;

	if (f->active)
		return refuse_recursion(p, c, f);
	if (p->nexpanded > PTX_MAX_EXPANDED)
		return ptx_refuse(
			p, PTX_AT(&c->name),
			"the calls of this module expand to more than %u words (call fewer functions, or each less often)",
			PTX_MAX_EXPANDED);
	if (en->call_depth == PTX_MAX_CALL_DEPTH || en->calls++ == PTX_MAX_CALLS)
		return ptx_refuse(p, PTX_AT(&c->name),
				  en->call_depth == PTX_MAX_CALL_DEPTH ? "calls are nested more than %u levels deep"
								       : "more than %u calls to expand",
				  en->call_depth == PTX_MAX_CALL_DEPTH ? PTX_MAX_CALL_DEPTH : PTX_MAX_CALLS);
	if (!ptx_in_library(p)) {
		p->library_line = st->line;
		p->library_column = st->column;
	}
	memcpy(scope, en->scope, sizeof(scope));
	en->parent = ptx_grow(&p->entry_arena, en->parent, en->nscope, &en->cap_scope, sizeof(u32));
	en->parent[en->nscope] = 0;
	en->scope[0] = en->nscope++;
	en->depth = 1;
	en->call[en->call_depth++] = f;
	f->active = true;
	ptx_go(p, &f->place);
	enter_site(p, st, f);
	ok = expand_body(p, st, c);
	p->loc_from = from;
	p->loc_site = site;
	f->active = false;
	en->call_depth--;
	memcpy(en->scope, scope, sizeof(scope));
	en->depth = depth;
	en->local_top = top;
	if (ok)
		ptx_go(p, &back);
	return ok;
}

/* A fresh register. */
static struct ptx_operand fresh(struct ptx *p, u32 bits, const struct ptx_operand *at)
{
	return (struct ptx_operand){.kind = PTX_REG,
				    .width = (u8)bits,
				    .vreg = p->entry->nvreg++,
				    .line = at->line,
				    .column = at->column,
				    .s = at->s,
				    .len = at->len};
}

/* An argument of the runtime's function as an operand: what a .param variable holds goes into a register. */
static bool runtime_argument(struct ptx *p, const struct ptx_stmt *st, const struct ptx_operand *o, u32 bits,
			     struct ptx_operand *out)
{
	const struct ptx_name *name = actual_name(p, o);
	struct ptx_operand address;

	*out = *o;
	if (!name)
		return true;
	*out = fresh(p, bits, o);
	address = address_of(p, name, o);
	return add_move(p, st, bits == 64 ? "ld.param.b64" : "ld.param.b32", out, &address);
}

/* A call into the runtime: an instruction of its own, and the value of printf. */
static bool runtime_call(struct ptx *p, const struct ptx_stmt *st, const struct call *c, const struct runtime *r)
{
	const struct ptx_operand *result = c->nresult ? &c->result[0] : NULL;
	const struct ptx_name *name = result ? actual_name(p, result) : NULL;
	struct ptx_stmt as = *st;
	struct ptx_operand address;
	u32 given = r->gives && c->nargument == r->wants;

	if (!check_count(p, c, c->nargument, max_u32(r->wants, min_u32(c->nargument, r->most)), "argument") ||
	    !check_count(p, c, c->nresult, min_u32(c->nresult, r->gives), "result"))
		return false;
	as.op = r->as;
	as.ops = arena_alloc(&p->entry_arena, (r->wants + 1) * sizeof(*as.ops));
	if (r->gives)
		as.ops[0] = result && !name ? *result : fresh(p, 32, &c->argument[0]);
	for (u32 i = 0; i < r->wants; i++)
		if (!runtime_argument(p, st, &c->argument[i], r->bits[i], &as.ops[r->gives + i]))
			return false;
	as.nops = (u8)(r->gives + r->wants);
	if (!ptx_add_stmt(p, &as) || !given || !name)
		return !p->failed;
	address = address_of(p, name, result);
	return add_move(p, st, "st.param.b32", &address, &as.ops[0]);
}

/* The function whose name is nearest to s, or NULL. */
static const char *nearest_function(struct ptx *p, const char *s, u32 len)
{
	const char **names = arena_alloc(&p->entry_arena, p->nfunc * sizeof(*names));

	for (u32 i = 0; i < p->nfunc; i++)
		names[i] = arena_text(&p->entry_arena, p->func[i].s, p->func[i].len);
	return nearest_name(arena_text(&p->entry_arena, s, len), names, p->nfunc);
}

/* Fail: nothing here can be called by this name. */
static bool refuse_call(struct ptx *p, const struct call *c, const struct ptx_func *f)
{
	const char *shown = ptx_shown(c->name.s, c->name.len), *near;
	static const char *const device[] = {"cuda", "__cuda", "cnp", "__cudaCDP2"};

	for (u32 i = 0; i < ARRAY_LEN(device); i++)
		if (c->name.len >= strlen(device[i]) && !memcmp(c->name.s, device[i], strlen(device[i])))
			return ptx_refuse(
				p, PTX_AT(&c->name),
				"'%s' is not supported: the device runtime (launches from kernels) is not modeled, apart from malloc, free and grid synchronization",
				shown);
	if (f)
		return ptx_refuse(
			p, PTX_AT(&c->name),
			"function '%s' has no body in this module: link it in (nvcc without -rdc, clang with -mlink-builtin-bitcode)",
			shown);
	near = nearest_function(p, c->name.s, c->name.len);
	return ptx_fail(p, PTX_AT(&c->name),
			near ? "no function '%s' is declared (did you mean '%s'?)" : "no function '%s' is declared",
			shown, near);
}

/* A branch to the end of the function that is being expanded, in place of st. */
static bool add_branch_to_end(struct ptx *p, struct ptx_stmt *st)
{
	struct ptx_operand *o = arena_alloc(&p->entry_arena, sizeof(*o));

	*o = (struct ptx_operand){.kind = PTX_NAME,
				  .s = return_label,
				  .len = sizeof(return_label) - 1,
				  .line = st->line,
				  .column = st->column};
	st->op = st->op[3] == '.' ? "bra.uni" : "bra";
	st->ops = o;
	st->nops = 1;
	return ptx_add_stmt(p, st);
}

/* `ret` in a function: the current token is behind it. */
bool ptx_parse_return(struct ptx *p, struct ptx_stmt *st)
{
	return ptx_expect(p, ';', "';' after ret") && add_branch_to_end(p, st);
}

/* A call with a guard: the lanes without it go round, in a block of their own. */
static bool open_guard(struct ptx *p, const struct ptx_stmt *st)
{
	struct ptx_entry *en = p->entry;
	struct ptx_stmt round = *st;

	if (!ptx_open_scope(p, PTX_AT(st)))
		return false;
	round.scope = en->scope[en->depth - 1];
	round.guard_negate = !st->guard_negate;
	round.op = "bra";
	return add_branch_to_end(p, &round);
}

/* Does what a call gives fit a formal? Less than 32 bits may lie in a wider register. */
static bool fits(const struct ptx *p, const struct ptx_operand *actual, const struct ptx_formal *f)
{
	const struct ptx_name *name = actual_name(p, actual);

	if (name)
		return p->var[name->index].size == f->size;
	return !f->is_array && (actual->kind != PTX_REG || (actual->width == 64) == (f->size == 8));
}

/* May a call through a register be one of f? */
static bool may_be(struct ptx *p, const struct call *c, const struct ptx_func *f)
{
	struct ptx_formal result[PTX_MAX_ARGUMENTS], argument[PTX_MAX_ARGUMENTS];
	struct ptx_place back = ptx_here(p);
	u32 nresult, nargument;
	bool ok;

	if (!f->has_body || !f->taken || f->active)
		return false;
	ptx_go(p, &f->place);
	ok = ptx_parse_formals(p, result, &nresult) && ptx_expect(p, TOKEN_WORD, "the function's name") &&
	     ptx_parse_formals(p, argument, &nargument) && nresult == c->nresult && nargument == c->nargument;
	for (u32 i = 0; ok && i < nresult; i++)
		ok = fits(p, &c->result[i], &result[i]);
	for (u32 i = 0; ok && i < nargument; i++)
		ok = fits(p, &c->argument[i], &argument[i]);
	ptx_go(p, &back);
	return ok;
}

/* Lanes whose target is another than f go on at the end of the innermost block. */
static bool branch_unless(struct ptx *p, const struct ptx_stmt *st, const struct ptx_operand *target,
			  const struct ptx_func *f)
{
	struct ptx_operand other = fresh(p, 1, target);
	struct ptx_stmt as = *st;

	as.op = "setp.ne.u64";
	as.nops = 3;
	as.ops = arena_alloc(&p->entry_arena, 3 * sizeof(*as.ops));
	as.ops[0] = other;
	as.ops[1] = *target;
	as.ops[2] = ptx_number(ptx_function_address(p, f), target);
	if (!ptx_add_stmt(p, &as))
		return false;
	as.op = "bra";
	as.guard = other.vreg;
	as.guard_negate = 0;
	return add_branch_to_end(p, &as);
}

/* A block for one of the functions that a register may name; its lanes leave the block around it. */
static bool expand_choice(struct ptx *p, const struct ptx_stmt *st, const struct call *c, struct ptx_func *f)
{
	struct ptx_entry *en = p->entry;
	struct ptx_token at = p->token;
	struct ptx_stmt as = *st;

	if (!ptx_open_scope(p, PTX_AT(st)))
		return false;
	as.scope = en->scope[en->depth - 1];
	if (!branch_unless(p, &as, &c->target, f) || !expand_call(p, st, c, f))
		return false;
	as.op = "bra";
	as.scope = en->scope[en->depth - 2];
	if (!add_branch_to_end(p, &as) || !end_label(p, &at))
		return false;
	en->depth--;
	return true;
}

/* A call through a register, in place of st, which has no guard. */
static bool expand_indirect(struct ptx *p, const struct ptx_stmt *st, const struct call *c)
{
	struct ptx_entry *en = p->entry;
	struct ptx_token at = p->token;
	struct ptx_stmt as = *st;
	u32 n = 0;

	if (!ptx_open_scope(p, PTX_AT(st)))
		return false;
	as.scope = en->scope[en->depth - 1];
	for (u32 i = 0; i < p->nfunc && !p->failed; i++)
		if (may_be(p, c, &p->func[i])) {
			n++;
			expand_choice(p, &as, c, &p->func[i]);
		}
	as.op = "trap";
	as.nops = 0;
	if (p->failed || !ptx_add_stmt(p, &as) || !end_label(p, &at))
		return false;
	en->depth--;
	return n || ptx_refuse(p, PTX_AT(&c->name),
			       "no function can be called through '%s': none whose address this module takes has these "
			       "parameters and does not call itself so",
			       ptx_shown(c->name.s, c->name.len));
}

/* The function that is called, whichever it is, in place of st. */
static bool expand(struct ptx *p, const struct ptx_stmt *st, const struct call *c, struct ptx_func *f)
{
	return c->indirect ? expand_indirect(p, st, c) : expand_call(p, st, c, f);
}

/* call{.uni} (results), NAME or REGISTER, (arguments), PROTOTYPE;  the current token is behind `call`. */
bool ptx_parse_call(struct ptx *p, struct ptx_stmt *st)
{
	struct call call = {.nresult = 0}, *c = &call;
	bool guarded = st->guard != PTX_NONE, ok;
	struct ptx_token at = p->token;
	struct ptx_func *f;
	u32 row = 0;

	if (!parse_call_operands(p, c))
		return false;
	f = c->indirect ? NULL : ptx_find_function(p, c->name.s, c->name.len);
	while (row < ARRAY_LEN(runtime) &&
	       (strlen(runtime[row].name) != c->name.len || memcmp(runtime[row].name, c->name.s, c->name.len)))
		row++;
	if (row < ARRAY_LEN(runtime) && (!f || !f->has_body))
		return runtime_call(p, st, c, &runtime[row]);
	if (!c->indirect && (!f || !f->has_body))
		return refuse_call(p, c, f);
	if (!guarded)
		return expand(p, st, c, f);
	ok = open_guard(p, st);
	st->guard = PTX_NONE; /* the lanes without it are gone */
	st->scope = p->entry->scope[p->entry->depth - 1];
	ok = ok && expand(p, st, c, f) && end_label(p, &at);
	if (ok)
		p->entry->depth--;
	return ok;
}
