/*
 * ptx_body.c - the body of an entry: registers, labels, statements and their operands.
 *
 * Registers are resolved while reading, since a block may declare a name again; symbols and labels later.
 * Source: PTX ISA 8.x, chapters 4 and 6.
 */
#include "ptx_internal.h"

static bool parse_operand(struct ptx *p, struct ptx_operand *o, u32 depth);

/* `.reg .b32 %r<5>, %x;`. */
static bool parse_registers(struct ptx *p)
{
	struct ptx_token t;
	const struct ptx_type *type;
	bool more = true;

	if (!ptx_next(p))
		return false;
	type = ptx_type_here(p);
	if (!type)
		return ptx_expected_other(p, "a register type (.pred, .b16, .b32, .b64, .u32, .s32, .f32, .f64, ...)");
	if (!ptx_next(p))
		return false;
	while (more) {
		u32 count = 0;
		struct ptx_name *n;

		t = p->token;
		if (t.kind != TOKEN_WORD || t.s[0] == '.' || memchr(t.s, '.', t.len))
			return ptx_expected(p, "a register's name");
		if (!ptx_next(p))
			return false;
		if (ptx_is(p, '<') &&
		    (!ptx_next(p) || !ptx_expect_u32(p, PTX_MAX_VREGS, "a number of registers", &count) ||
		     !ptx_expect(p, '>', "'>'")))
			return false;
		n = ptx_declare(p, &t, p->failed || !count ? NAME_REG : NAME_RANGE, p->entry->nvreg, count);
		if (!n)
			return false;
		n->width =
			type->bits == 8 ? 16 : type->bits; /* the low half of a register is the least that there is */
		p->entry->nvreg += count ? count : 1;
		if (p->entry->nvreg > PTX_MAX_VREGS)
			return ptx_refuse(p, PTX_AT(&t), "the entry declares too many registers (at most %u)",
					  PTX_MAX_VREGS);
		if (!ptx_accept(p, ',', &more))
			return false;
	}
	return ptx_expect(p, ';', "',' or ';' in the list of registers");
}

/* The entry names a variable: a .shared one is to be laid out. */
static void use_variable(struct ptx *p, u32 index)
{
	struct ptx_entry *en = p->entry;
	struct ptx_var *v = &p->var[index];

	if (v->used == p->number)
		return;
	v->used = p->number;
	if (v->space != SPACE_SHARED)
		return;
	en->shared = ptx_grow(&p->entry_arena, en->shared, en->nshared, &en->cap_shared, sizeof(u32));
	en->shared[en->nshared++] = index;
}

/* The letters at the end of %r1.h0, %r1.b3210 and their like that select a part of a register, with the dot; 0: none.
 */
static u32 part_letters(const struct ptx_token *t)
{
	const char *dot = memrchr(t->s, '.', t->len);
	u32 n = dot ? t->len - (u32)(dot - t->s) : 0;

	if (n < 3 || n > 6 || (dot[1] != 'b' && dot[1] != 'h'))
		return 0;
	for (u32 i = 2; i < n; i++)
		if (dot[i] < '0' || dot[i] > '7')
			return 0;
	return n;
}

/* Fill a register or a name from the current word. */
static bool parse_name(struct ptx *p, struct ptx_operand *o)
{
	struct ptx_token t = p->token;
	struct ptx_name *n;
	u32 index;

	o->kind = PTX_NAME;
	o->s = t.s;
	o->len = t.len;
	o->line = t.line;
	o->column = t.column;
	o->part = (u8)part_letters(&t);
	n = ptx_resolve(p, t.s, t.len - o->part, &index);
	o->name = n;
	if (n && n->kind == NAME_REFUSED)
		return ptx_use_refused(p, &t, n);
	if (n && n->kind == NAME_VAR)
		use_variable(p, n->index);
	if (n && (n->kind == NAME_REG || n->kind == NAME_RANGE)) {
		o->kind = PTX_REG;
		o->vreg = n->index + index;
		o->width = n->width;
	}
	return ptx_next(p);
}

/* + N or - N behind an address's base or a symbol, any number of times. */
static bool parse_addend(struct ptx *p, struct ptx_operand *o)
{
	while (ptx_is(p, '+') || ptx_is(p, '-')) {
		bool minus = ptx_is(p, '-'), signed_too;
		struct ptx_token t = p->token;

		if (!ptx_next(p))
			return false;
		signed_too = ptx_is(p, '-');
		if (signed_too && !ptx_next(p))
			return false;
		if (!ptx_is(p, TOKEN_INT))
			return ptx_expected(p, "an integer number of bytes");
		if (p->token.value > INT32_MAX)
			return ptx_fail(p, PTX_AT(&p->token), "this offset does not fit in 32 bits");
		o->addend += minus != signed_too ? -(i64)p->token.value : (i64)p->token.value;
		if (o->addend != (i32)o->addend)
			return ptx_fail(p, PTX_AT(&t), "this offset does not fit in 32 bits");
		if (!ptx_next(p))
			return false;
	}
	return true;
}

/* A number or a constant expression. */
static bool parse_immediate(struct ptx *p, struct ptx_operand *o)
{
	struct ptx_token t;

	if (!ptx_constant(p, &t))
		return false;
	o->kind = t.kind == TOKEN_INT ? PTX_INT : PTX_FLOAT;
	o->value = t.value;
	o->single = t.single;
	o->s = t.s;
	o->len = t.len;
	return true;
}

/* { a, b, ... }: at most eight, the most of a matrix fragment. */
static bool parse_vector(struct ptx *p, struct ptx_operand *o, u32 depth)
{
	bool more = true;

	o->kind = PTX_VECTOR;
	o->item = arena_alloc(&p->entry_arena, PTX_MAX_ELEMENTS * sizeof(*o->item));
	if (!ptx_next(p))
		return false;
	while (more) {
		if (o->n == PTX_MAX_ELEMENTS)
			return ptx_fail(p, PTX_AT(&p->token), "a vector has at most %d elements", PTX_MAX_ELEMENTS);
		if (!parse_operand(p, &o->item[o->n++], depth + 1) || !ptx_accept(p, ',', &more))
			return false;
	}
	return ptx_expect(p, '}', "',' or '}'");
}

/* The coordinates behind a handle: a vector, or one alone. */
static bool parse_coordinates(struct ptx *p, struct ptx_operand *o)
{
	struct ptx_token t = p->token;

	if (!ptx_is(p, '{'))
		return parse_operand(p, o, 1);
	*o = (struct ptx_operand){.line = t.line, .column = t.column, .s = t.s};
	if (!parse_vector(p, o, 0))
		return false;
	o->len = (u32)(p->last_end - t.s);
	return true;
}

/* [ base + offset ] or [ handle, coordinates ]. */
static bool parse_address(struct ptx *p, struct ptx_operand *o)
{
	struct ptx_operand *base;
	bool more;

	o->kind = PTX_ADDRESS;
	o->item = base = arena_alloc(&p->entry_arena, 2 * sizeof(*o->item));
	o->n = 1;
	if (!ptx_next(p))
		return false;
	*base = (struct ptx_operand){.line = p->token.line, .column = p->token.column};
	if (ptx_is(p, TOKEN_WORD) ? !parse_name(p, base) || !parse_addend(p, o) : !parse_immediate(p, base))
		return false;
	if (!ptx_accept(p, ',', &more))
		return false;
	if (more && !(++o->n && parse_coordinates(p, &base[1])))
		return false;
	return ptx_expect(p, ']', "'+' or ']' in the address");
}

/* p|q behind p. */
static bool parse_pair(struct ptx *p, struct ptx_operand *o)
{
	struct ptx_operand *item = arena_alloc(&p->entry_arena, 2 * sizeof(*item));

	item[0] = *o;
	item[1] = (struct ptx_operand){.line = p->token.line, .column = p->token.column};
	o->kind = PTX_PAIR;
	o->item = item;
	o->n = 2;
	if (!ptx_next(p))
		return false;
	if (!ptx_is(p, TOKEN_WORD))
		return ptx_expected(p, "a second destination operand");
	if (!parse_name(p, &item[1]))
		return false;
	o->len = (u32)(item[1].s + item[1].len - o->s);
	return true;
}

/* Read over a '-' if a register comes next; another one is part of a number. */
static bool take_minus(struct ptx *p, struct ptx_operand *o)
{
	struct ptx_place minus = ptx_here(p);
	const struct ptx_token *t = &p->token;
	const struct ptx_name *n = NULL;
	u32 index;

	if (!ptx_next(p))
		return false;
	if (ptx_is(p, TOKEN_WORD))
		n = ptx_resolve(p, t->s, t->len - part_letters(t), &index);
	o->minus = n && (n->kind == NAME_REG || n->kind == NAME_RANGE);
	if (!o->minus)
		ptx_go(p, &minus);
	return true;
}

/* Any operand; vectors, addresses and pairs only at depth 0. */
static bool parse_operand(struct ptx *p, struct ptx_operand *o, u32 depth)
{
	struct ptx_token t = p->token;
	bool ok;

	*o = (struct ptx_operand){.line = t.line, .column = t.column, .s = t.s, .len = t.len};
	if (t.kind == '!') {
		o->negate = 1;
		if (!ptx_next(p))
			return false;
		if (!ptx_is(p, TOKEN_WORD))
			return ptx_expected(p, "a predicate after '!'");
	}
	if (t.kind == '-' && !take_minus(p, o))
		return false;
	if (ptx_is(p, TOKEN_WORD) && p->token.s[0] != '.')
		ok = parse_name(p, o) && (o->kind != PTX_NAME || parse_addend(p, o)) &&
		     (depth || !ptx_is(p, '|') || parse_pair(p, o));
	else if (!depth && ptx_is(p, '{'))
		ok = parse_vector(p, o, depth);
	else if (!depth && ptx_is(p, '['))
		ok = parse_address(p, o);
	else if (strchr("-+~(", p->token.kind < 128 ? p->token.kind : '.') || ptx_is(p, TOKEN_INT) ||
		 ptx_is(p, TOKEN_FLOAT))
		ok = parse_immediate(p, o);
	else
		return ptx_expected(p, "an operand");
	o->line = t.line;
	o->column = t.column;
	if (ok && (o->kind == PTX_VECTOR || o->kind == PTX_ADDRESS))
		o->len = (u32)(p->last_end - t.s);
	return ok;
}

/* `@p` or `@!p` in front of an instruction. */
static bool parse_guard(struct ptx *p, struct ptx_stmt *st)
{
	struct ptx_operand o = {.line = p->token.line, .column = p->token.column};
	bool negate;

	if (!ptx_next(p) || !ptx_accept(p, '!', &negate))
		return false;
	if (!ptx_is(p, TOKEN_WORD))
		return ptx_expected(p, "a predicate after '@'");
	if (!parse_name(p, &o))
		return false;
	if (o.kind != PTX_REG || o.width != 1)
		return ptx_fail(p, PTX_AT(&o), "the guard '%s' is not a %s", ptx_shown(o.s, o.len),
				o.kind == PTX_REG ? "predicate: declare it .pred" : "declared register");
	st->guard = o.vreg;
	st->guard_negate = negate;
	return true;
}

/* An operand of any kind. */
bool ptx_parse_operand(struct ptx *p, struct ptx_operand *o)
{
	return parse_operand(p, o, 0);
}

/* Only fetches and accesses to surfaces have coordinates. */
static bool fits_opcode(struct ptx *p, const struct ptx_stmt *st, const struct ptx_operand *o)
{
	if (o->kind != PTX_ADDRESS || o->n == 1 || ptx_takes_coordinates(st->op))
		return true;
	return ptx_fail(p, PTX_AT(o), "'%s' takes no coordinates: expected ']' behind the address in '%s'", st->op,
			ptx_shown(o->s, o->len));
}

/* The operands up to and with the `;'. */
static bool parse_operands(struct ptx *p, struct ptx_stmt *st)
{
	struct ptx_operand ops[PTX_MAX_OPS] = {0};
	bool more = !ptx_is(p, ';');

	while (more) {
		if (st->nops == PTX_MAX_OPS)
			return ptx_fail(p, PTX_AT(&p->token), "'%s' has too many operands", st->op);
		if (!parse_operand(p, &ops[st->nops++], 0) || !fits_opcode(p, st, &ops[st->nops - 1]) ||
		    !ptx_accept(p, ',', &more))
			return false;
	}
	st->ops = arena_alloc(&p->entry_arena, st->nops * sizeof(*st->ops));
	memcpy(st->ops, ops, st->nops * sizeof(*st->ops));
	return ptx_expect(p, ';', "',' or ';'");
}

/* A label: the word t, in front of a `:'. */
static bool parse_label(struct ptx *p, const struct ptx_token *t)
{
	struct ptx_entry *en = p->entry;
	struct ptx_name *n;

	if (memchr(t->s, '.', t->len))
		return ptx_fail(p, PTX_AT(t), "'%s' is not a label's name", ptx_shown(t->s, t->len));
	n = ptx_declare(p, t, NAME_LABEL, en->nstmt, 0);
	if (!n)
		return false;
	en->label = ptx_grow(&p->entry_arena, en->label, en->nlabel, &en->cap_label, sizeof(*en->label));
	en->label[en->nlabel++] = n;
	return ptx_next(p);
}

/* Append a statement to the entry. */
bool ptx_add_stmt(struct ptx *p, const struct ptx_stmt *st)
{
	struct ptx_entry *en = p->entry;

	if (en->nstmt == PTX_MAX_INSTS)
		return ptx_refuse(p, PTX_AT(st), "the entry has more than %u instructions%s", PTX_MAX_INSTS,
				  en->calls ? ", with calls expanded" : "");
	en->stmt = ptx_grow(&p->entry_arena, en->stmt, en->nstmt, &en->cap_stmt, sizeof(*en->stmt));
	en->stmt[en->nstmt++] = *st;
	return true;
}

/* An instruction, or a label that turns out to be one. */
static bool parse_statement(struct ptx *p)
{
	struct ptx_entry *en = p->entry;
	struct ptx_stmt st = {.guard = PTX_NONE, .scope = en->scope[en->depth - 1]};
	struct ptx_token t;

	if (ptx_is(p, '@') && !parse_guard(p, &st))
		return false;
	t = p->token;
	if (t.kind != TOKEN_WORD || t.s[0] == '.' || t.s[0] == '%')
		return ptx_expected(p, "an instruction");
	if (!ptx_next(p))
		return false;
	if (ptx_is(p, ':') && st.guard == PTX_NONE)
		return parse_label(p, &t);
	st.op = arena_text(&p->entry_arena, t.s, t.len);
	st.scope = en->scope[en->depth - 1];
	st.line = ptx_in_library(p) ? p->library_line : t.line;
	st.column = ptx_in_library(p) ? p->library_column : t.column;
	st.source_file = p->loc.file;
	st.source_line = p->loc.line;
	st.site = p->loc.site;
	if (!strcmp(st.op, "call") || !strcmp(st.op, "call.uni"))
		return ptx_parse_call(p, &st);
	if (en->call_depth && (!strcmp(st.op, "ret") || !strcmp(st.op, "ret.uni")))
		return ptx_parse_return(p, &st);
	return ptx_known_opcode(p, &st) && parse_operands(p, &st) && ptx_add_stmt(p, &st);
}

/* Read over everything up to and with the `;'. */
static bool skip_statement(struct ptx *p)
{
	while (!ptx_is(p, ';') && !ptx_is(p, TOKEN_END))
		if (!ptx_next(p))
			return false;
	return ptx_expect(p, ';', "';'");
}

const struct ptx_targets *ptx_targets_find(const struct ptx_entry *en, u32 scope, const char *s, u32 len)
{
	for (u32 i = 0; i < en->ntargets; i++) {
		const struct ptx_name *n = en->targets[i].name;

		if (n->scope == scope && n->len == len && !memcmp(n->s, s, len))
			return &en->targets[i];
	}
	return NULL;
}

/* `.branchtargets L1, L2, ...;' behind a label, which is the list's name. */
static bool parse_targets(struct ptx *p)
{
	struct ptx_entry *en = p->entry;
	struct ptx_token t = p->token;
	struct ptx_targets *list;
	struct ptx_operand *label;
	bool more = true;
	u32 cap = 0;

	if (!en->nlabel || en->label[en->nlabel - 1]->index != en->nstmt)
		return ptx_fail(p, PTX_AT(&t), "a list of branch targets needs a name: NAME: .branchtargets L1, L2;");
	en->targets = ptx_grow(&p->entry_arena, en->targets, en->ntargets, &en->cap_targets, sizeof(*en->targets));
	list = &en->targets[en->ntargets++];
	*list = (struct ptx_targets){.name = en->label[--en->nlabel]};
	if (!ptx_next(p))
		return false;
	while (more) {
		t = p->token;
		if (list->n == PTX_MAX_TARGETS)
			return ptx_refuse(p, PTX_AT(&t), "a list has more than %u branch targets", PTX_MAX_TARGETS);
		list->label = ptx_grow(&p->entry_arena, list->label, list->n, &cap, sizeof(*label));
		label = &list->label[list->n++];
		*label = (struct ptx_operand){
			.kind = PTX_NAME, .s = t.s, .len = t.len, .line = t.line, .column = t.column};
		if (!ptx_expect(p, TOKEN_WORD, "a label") || !ptx_accept(p, ',', &more))
			return false;
	}
	return ptx_expect(p, ';', "',' or ';' in the list of branch targets");
}

/* A directive inside a body. */
static bool parse_body_directive(struct ptx *p)
{
	if (ptx_is_word(p, ".reg"))
		return parse_registers(p);
	if (ptx_is_word(p, ".loc"))
		return ptx_parse_loc(p);
	if (ptx_is_word(p, ".file"))
		return ptx_parse_file(p);
	if (ptx_is_word(p, ".pragma"))
		return ptx_parse_pragma(p);
	if (ptx_is_word(p, ".shared"))
		return ptx_next(p) && ptx_parse_variable(p, SPACE_SHARED, false);
	if (ptx_is_word(p, ".local"))
		return ptx_next(p) && ptx_parse_variable(p, SPACE_LOCAL, false);
	if (ptx_is_word(p, ".param"))
		return ptx_next(p) && ptx_parse_variable(p, SPACE_PARAM, false);
	if (ptx_is_word(p, ".branchtargets"))
		return parse_targets(p);
	if (ptx_is_word(p, ".callprototype") || ptx_is_word(p, ".calltargets"))
		return skip_statement(p);
	return ptx_expected_other(p, "an instruction or one of .reg, .shared, .local, .param, .loc, .pragma");
}

bool ptx_open_scope(struct ptx *p, u32 line, u32 column)
{
	struct ptx_entry *en = p->entry;

	if (en->depth == PTX_MAX_SCOPES)
		return ptx_fail(p, line, column, "blocks are nested more than %u levels deep", PTX_MAX_SCOPES);
	en->parent = ptx_grow(&p->entry_arena, en->parent, en->nscope, &en->cap_scope, sizeof(u32));
	en->parent[en->nscope] = en->scope[en->depth - 1];
	en->scope[en->depth++] = en->nscope++;
	return true;
}

/* One statement, declaration or block of a body; the current token is its first. */
static bool parse_item(struct ptx *p)
{
	struct ptx_entry *en = p->entry;

	if (ptx_is(p, '{'))
		return ptx_open_scope(p, PTX_AT(&p->token)) && ptx_next(p);
	if (ptx_is(p, '}')) {
		en->depth--;
		return ptx_next(p);
	}
	if (ptx_is(p, ';'))
		return ptx_next(p);
	return ptx_is(p, TOKEN_WORD) && p->token.s[0] == '.' ? parse_body_directive(p) : parse_statement(p);
}

/* { ... } of an entry or a function. */
bool ptx_parse_body(struct ptx *p)
{
	struct ptx_entry *en = p->entry;
	struct ptx_token open = p->token;
	bool ok = ptx_expect(p, '{', "'{'");

	while (ok && !(ptx_is(p, '}') && en->depth == 1)) {
		struct ptx_place start = ptx_here(p);
		u32 depth = en->depth;

		if (ptx_is(p, TOKEN_END))
			return ptx_fail(p, PTX_AT(&open), "the body of '%s' is not closed: the text ends in line %u",
					ptx_shown_text(en->name), p->token.line);
		ok = parse_item(p);
		if (!ok && p->survey) {
			en->depth = depth;
			p->lost |= start.token.kind == TOKEN_WORD && start.token.s[0] == '.';
			ok = ptx_skip_bad(p, &start);
		}
	}
	return ok && ptx_next(p);
}
