/*
 * ptx_vars.c - variables of a PTX module or entry and their initialisers.
 *
 * .global variables get offsets in the module's own area, .const ones in its constant bank, .shared ones are laid out
 * per kernel when it is known which it uses (ptx_entry.c), .local ones on the frames of the entry and of the functions
 * expanded in it. An initialiser may hold addresses, which are filled in when the module is placed.
 * Source: PTX ISA 8.x, section 5.4. Deviation: no functions' addresses.
 */
#include "ptx_internal.h"

#define MAX_DIMENSIONS 4
#define MAX_CONSTANT_BANK 65536u
#define MAX_ALIGN 4096u
#define MAX_INITIALISED (1u << 24)

/* The initialiser being read: elements by index, growing. */
struct init {
	u64 *value;
	u32 n, cap, limit; /* limit: most elements that fit */
	u32 ndim;
	u32 stride[MAX_DIMENSIONS];    /* elements of one item of each dimension */
	struct init_relocation *reloc; /* symbol is not known yet */
	u32 nreloc, cap_reloc;
};

/* What `0xFF00(x)` takes of an address: its byte. */
static bool mask_shift(u64 mask, u8 *shift)
{
	for (*shift = 0; *shift < 64; *shift += 8)
		if (mask == 0xffull << *shift)
			return true;
	return false;
}

/* The variable that an initialiser names, or a generic address of it: name, generic(name), with an addend. *function:
 * or a function. */
static bool init_name(struct ptx *p, struct init_relocation *r, const struct ptx_func **function)
{
	bool generic = ptx_is_word(p, "generic"), minus, more;
	const struct ptx_var *v;
	struct ptx_name *n;
	struct ptx_token t;
	u32 index;

	if (generic && (!ptx_next(p) || !ptx_expect(p, '(', "'('")))
		return false;
	t = p->token;
	if (!ptx_expect(p, TOKEN_WORD, "a variable's name") || (generic && !ptx_expect(p, ')', "')'")))
		return false;
	n = ptx_resolve(p, t.s, t.len, &index);
	v = n && n->kind == NAME_VAR ? &p->var[n->index] : NULL;
	*function = v ? NULL : ptx_find_function(p, t.s, t.len);
	if (*function)
		return true;
	if (!v || v->symbol == PTX_NONE)
		return ptx_fail(
			p, PTX_AT(&t),
			"the initializer names '%s', which is %s: only addresses of functions, and of .global and .const variables declared above, can be stored",
			ptx_shown(t.s, t.len),
			v   ? "in another memory space"
			: n ? "a kernel"
			    : "not declared");
	r->target = v->symbol;
	r->addend = generic && v->space == SPACE_CONST ? (i64)CONST_WINDOW : 0;
	for (more = ptx_is(p, '+') || ptx_is(p, '-'); more; more = ptx_is(p, '+') || ptx_is(p, '-')) {
		minus = ptx_is(p, '-');
		if (!ptx_next(p))
			return false;
		t = p->token;
		if (!ptx_expect(p, TOKEN_INT, "a number of bytes"))
			return false;
		r->addend += (i64)(minus ? 0 - t.value : t.value);
	}
	return true;
}

/* An address for element i: of 8 bytes, or one byte of it behind a mask. *bits: that of a function, which is known. */
static bool init_address(struct ptx *p, const struct ptx_type *type, struct init *in, u32 i, u64 *bits)
{
	const struct ptx_func *f;
	struct init_relocation r = {.offset = i * (type->bits / 8), .bytes = type->bits / 8};
	struct ptx_token t = p->token;

	if (t.kind == TOKEN_INT && (!mask_shift(t.value, &r.shift) || type->bits != 8))
		return ptx_fail(p, PTX_AT(&t),
				"'%s' is not a mask of one byte of an address (0xFF, 0xFF00, ...) in a .b8 array",
				ptx_shown(t.s, t.len));
	if (t.kind == TOKEN_WORD && type->bits != 64)
		return ptx_fail(p, PTX_AT(&t), "an address has 64 bits, but the elements of this variable have %u",
				type->bits);
	if (t.kind == TOKEN_INT && (!ptx_next(p) || !ptx_expect(p, '(', "'('")))
		return false;
	if (!init_name(p, &r, &f) || (t.kind == TOKEN_INT && !ptx_expect(p, ')', "')'")))
		return false;
	if (f) {
		*bits = ptx_function_address(p, f) >> r.shift & (r.bytes == 1 ? 0xff : ~0ull);
		return true;
	}
	in->reloc = ptx_grow(&p->arena, in->reloc, in->nreloc, &in->cap_reloc, sizeof(*in->reloc));
	in->reloc[in->nreloc++] = r;
	return true;
}

/* Is the current number a mask in front of an address? The parenthesis stands directly behind. */
static bool is_mask(const struct ptx *p)
{
	const char *s = p->at;

	while (s < p->end && (*s == ' ' || *s == '\t'))
		s++;
	return ptx_is(p, TOKEN_INT) && s < p->end && *s == '(';
}

/* One scalar into element i. */
static bool init_element(struct ptx *p, const struct ptx_type *type, struct init *in, u32 i)
{
	struct ptx_token t = p->token;
	u64 bits = 0;

	if (t.kind == TOKEN_WORD || is_mask(p)) {
		if (!init_address(p, type, in, i, &bits))
			return false;
		t.kind = TOKEN_WORD;
	} else if (!ptx_constant(p, &t)) {
		return false;
	}
	if (t.kind != TOKEN_WORD && !ptx_constant_bits(&t, type->bits, type->letter, &bits))
		return ptx_fail(p, PTX_AT(&t), "'%s' is not a value of type %s", ptx_shown(t.s, t.len), type->name);
	if (i >= MAX_INITIALISED)
		return ptx_refuse(p, PTX_AT(&t), "initializers of more than %u elements are not supported",
				  MAX_INITIALISED);
	if (i >= in->limit)
		return ptx_fail(p, PTX_AT(&t), "too many initial values (the variable has %u elements)", in->limit);
	while (in->n <= i) {
		in->value = ptx_grow(&p->arena, in->value, in->n, &in->cap, sizeof(u64));
		in->value[in->n++] = 0;
	}
	in->value[i] = bits;
	return true;
}

/* { ... } of dimension d whose first element is `at`; scalars in an outer dimension fill it without inner braces. */
static bool init_list(struct ptx *p, const struct ptx_type *type, struct init *in, u32 d, u32 at)
{
	u32 end = d ? at + in->stride[d - 1] : PTX_NONE;

	if (!ptx_expect(p, '{', "'{'"))
		return false;
	while (!ptx_is(p, '}')) {
		bool inner = ptx_is(p, '{'), more;

		if (at >= end || (inner && d + 1 >= in->ndim))
			return ptx_fail(p, PTX_AT(&p->token),
					at >= end ? "too many initial values for this row"
						  : "too many braces for the dimensions of the variable");
		if (inner ? !init_list(p, type, in, d + 1, at) : !init_element(p, type, in, at))
			return false;
		if (__builtin_add_overflow(at, inner ? in->stride[d] : 1, &at) || !ptx_accept(p, ',', &more))
			return false;
		if (!more && !ptx_is(p, '}'))
			return ptx_expected(p, "',' or '}'");
	}
	return ptx_next(p);
}

/* [N][M]...; *first_open is set by an empty first pair. Fills in->stride and *elements (of the known dimensions). */
static bool parse_dimensions(struct ptx *p, struct init *in, bool *first_open, u64 *elements)
{
	u32 dim[MAX_DIMENSIONS] = {0};
	bool more;

	*first_open = false;
	*elements = 1;
	for (;;) {
		struct ptx_token place = p->token, t;

		if (!ptx_accept(p, '[', &more))
			return false;
		if (!more)
			break;
		if (in->ndim == MAX_DIMENSIONS)
			return ptx_refuse(p, PTX_AT(&place), "at most %d dimensions are supported", MAX_DIMENSIONS);
		if (ptx_is(p, ']') && !in->ndim) {
			*first_open = true;
			dim[in->ndim++] = 1;
		} else if (!ptx_constant(p, &t)) {
			return false;
		} else if (t.kind != TOKEN_INT || !t.value || t.value > PTX_MAX_DATA) {
			return ptx_fail(p, PTX_AT(&t), "an array must have a size from 1 to %u", PTX_MAX_DATA);
		} else {
			dim[in->ndim++] = (u32)t.value;
		}
		*elements *= dim[in->ndim - 1];
		if (*elements > PTX_MAX_DATA)
			return ptx_fail(p, PTX_AT(&place), "this array is too large (at most %u elements)",
					PTX_MAX_DATA);
		if (!ptx_expect(p, ']', "']'"))
			return false;
	}
	in->stride[MAX_DIMENSIONS - 1] = 1;
	for (u32 d = in->ndim, n = 1; d-- > 0; n *= dim[d])
		in->stride[d] = n;
	return true;
}

/* Element values to bytes in the module's arena. */
static u8 *init_bytes(struct ptx *p, const struct init *in, u32 element, u32 size)
{
	u8 *bytes = arena_alloc(&p->arena, size);

	for (u32 i = 0; i < in->n; i++)
		memcpy(bytes + (size_t)i * element, &in->value[i], element);
	return bytes;
}

/* Put a .local variable on top of the open frames. */
static bool place_local(struct ptx *p, struct ptx_var *v)
{
	struct ptx_entry *en = p->entry;

	v->address = round_up(en->local_top, v->align);
	en->local_top = (u32)v->address + v->size;
	en->local_bytes = max_u32(en->local_bytes, en->local_top);
	return en->local_bytes <= PTX_MAX_LOCAL ||
	       ptx_refuse(p, PTX_AT(v), "the local variables up to '%s' take %u bytes (at most %u per thread)",
			  ptx_shown_text(v->name), en->local_bytes, PTX_MAX_LOCAL);
}

/* A variable of a function expanded before in this entry: one row for all expansions of a .shared one. */
static bool seen_before(struct ptx *p, const struct ptx_token *name)
{
	u32 i = p->entry->call_depth ? ptx_place_find(p, name->s) : PTX_NONE;

	return i != PTX_NONE && ptx_declare(p, name, NAME_VAR, i, 0) != NULL;
}

/* The addresses in the initialiser of symbol i become the module's. */
static void add_relocations(struct module *m, u32 symbol, const struct init *in)
{
	for (u32 i = 0; i < in->nreloc; i++) {
		m->reloc = array_grow(m->reloc, m->nreloc, sizeof(*m->reloc));
		m->reloc[m->nreloc] = in->reloc[i];
		m->reloc[m->nreloc++].symbol = symbol;
	}
}

/* Give a .global or .const variable its address and its row in the module. */
static bool place_variable(struct ptx *p, struct ptx_var *v)
{
	u64 *end = v->space == SPACE_GLOBAL ? &p->global_bytes : &p->const_bytes;
	struct module *m = p->module;

	if (v->is_extern)
		return true;
	v->address = (*end + v->align - 1) & ~(u64)(v->align - 1);
	*end = v->address + v->size;
	if (v->space == SPACE_CONST && *end > MAX_CONSTANT_BANK)
		return ptx_fail(p, PTX_AT(v), "the constants up to '%s' take %llu bytes (the constant bank holds %u)",
				ptx_shown_text(v->name), *end, MAX_CONSTANT_BANK);
	if (*end > PTX_MAX_DATA)
		return ptx_fail(p, PTX_AT(v), "the module's variables take too much memory (at most %u bytes)",
				PTX_MAX_DATA);
	v->symbol = m->nsymbol;
	m->symbol = array_grow(m->symbol, m->nsymbol, sizeof(*m->symbol));
	m->symbol[m->nsymbol++] = (struct module_symbol){
		.name = xstrdup(v->name),
		.space = v->space,
		.type = v->type,
		.size = v->size,
		.align = v->align,
		.address = v->address,
		.line = v->line,
		.column = v->column,
	};
	if (v->init) {
		m->symbol[m->nsymbol - 1].init = xmalloc(v->size);
		memcpy(m->symbol[m->nsymbol - 1].init, v->init, v->size);
	}
	return true;
}

bool ptx_common_variable(struct ptx *p, struct ptx_var *v, const char *name, u32 size)
{
	if (v->size)
		return true;
	*v = (struct ptx_var){.name = name,
			      .space = SPACE_GLOBAL,
			      .type = VALUE_U32,
			      .size = size,
			      .align = 128,
			      .line = p->token.line,
			      .column = p->token.column};
	if (!place_variable(p, v))
		return false;
	p->module->symbol[v->symbol].common = 1;
	return true;
}

/* Give a variable its place: in the module, on a frame, in registers. .shared ones get theirs at the entry's end. */
static bool place_any(struct ptx *p, struct ptx_var *v)
{
	switch (v->space) {
	case SPACE_SHARED: return true;
	case SPACE_LOCAL: return place_local(p, v);
	case SPACE_PARAM: return ptx_scratch(p, v);
	default: return place_variable(p, v);
	}
}

/* `= value` or `= {...}` behind the declarator. */
static bool parse_initialiser(struct ptx *p, const struct ptx_type *type, struct init *in, const struct ptx_var *v)
{
	struct ptx_token place = p->token;

	if (!ptx_next(p))
		return false;
	if ((v->space != SPACE_GLOBAL && v->space != SPACE_CONST) || v->is_extern)
		return ptx_fail(p, PTX_AT(&place), "a %s variable cannot have an initializer",
				v->is_extern		   ? ".extern"
				: v->space == SPACE_SHARED ? ".shared"
				: v->space == SPACE_LOCAL  ? ".local"
							   : ".param");
	if (!in->ndim)
		return init_element(p, type, in, 0);
	return init_list(p, type, in, 0, 0);
}

/* One declarator: name, dimensions, initialiser. `v` comes with space, type, align and the bytes of an element. */
static bool parse_declarator(struct ptx *p, const struct ptx_type *type, u32 vector, struct ptx_var v)
{
	u32 element = type->bits / 8;
	struct init in = {0};
	struct ptx_token name = p->token;
	bool open;
	u64 count, size;

	if (name.kind != TOKEN_WORD || name.s[0] == '.' || memchr(name.s, '.', name.len))
		return ptx_expected(p, "the variable's name");
	if (!ptx_next(p) || !parse_dimensions(p, &in, &open, &count))
		return false;
	v.line = name.line;
	v.column = name.column;
	in.limit = open ? PTX_MAX_DATA / element : (u32)count * vector;
	if (vector > 1 && !in.ndim)
		in.ndim = 1;
	if (ptx_is(p, '=') && !parse_initialiser(p, type, &in, &v))
		return false;
	size = (open ? (in.n + count - 1) / count * count : count * vector) * element;
	if (!size && !(v.space == SPACE_SHARED && v.is_extern))
		return ptx_fail(p, PTX_AT(&name), "'%s' has no size (give it a size or an initializer)",
				ptx_shown(name.s, name.len));
	if (size > (v.space == SPACE_SHARED ? PTX_MAX_SHARED : v.space == SPACE_LOCAL ? PTX_MAX_LOCAL : PTX_MAX_DATA))
		return ptx_fail(p, PTX_AT(&name), "'%s' is too large: %llu bytes", ptx_shown(name.s, name.len), size);
	if (p->entry && seen_before(p, &name))
		return true;
	v.name = arena_text(&p->arena, name.s, name.len);
	v.place = name.s;
	if (v.space == SPACE_PARAM && (in.ndim || vector > 1))
		v.type = VALUE_BYTES;
	v.size = v.is_extern && open ? 0 : (u32)size;
	v.in_entry = p->entry != NULL;
	v.symbol = PTX_NONE;
	if (in.n)
		v.init = init_bytes(p, &in, element, v.size);
	if (!ptx_declare(p, &name, NAME_VAR, p->nvar, 0))
		return false;
	if (!place_any(p, &v))
		return false;
	if (v.symbol != PTX_NONE)
		add_relocations(p->module, v.symbol, &in);
	p->var = ptx_grow(&p->arena, p->var, p->nvar, &p->cap_var, sizeof(*p->var));
	if (v.in_entry && v.space == SPACE_SHARED && p->entry->call_depth)
		ptx_place_add(p, name.s, p->nvar);
	p->var[p->nvar++] = v;
	return true;
}

/* `.attribute(.managed)`: where the host sees the variable does not matter here. */
static bool skip_attribute(struct ptx *p)
{
	return ptx_next(p) && ptx_expect(p, '(', "'('") && ptx_expect(p, TOKEN_WORD, "an attribute") &&
	       ptx_expect(p, ')', "')'");
}

/* `.align N`, `.attribute()` and the vector width before or behind the type. */
static bool parse_attributes(struct ptx *p, u32 *align, u32 *vector)
{
	for (;;) {
		struct ptx_token t = p->token;

		if (ptx_is_word(p, ".align")) {
			if (!ptx_next(p))
				return false;
			t = p->token;
			if (!ptx_expect_u32(p, MAX_ALIGN, "an alignment", align))
				return false;
			if (!is_pow2(*align))
				return ptx_fail(p, PTX_AT(&t), "an alignment must be a power of two, not %u", *align);
		} else if (ptx_is_word(p, ".v2") || ptx_is_word(p, ".v4")) {
			*vector = t.s[2] == '2' ? 2 : 4;
			if (!ptx_next(p))
				return false;
		} else if (ptx_is_word(p, ".attribute")) {
			if (!skip_attribute(p))
				return false;
		} else {
			return true;
		}
	}
}

/* A variable declaration behind its state space, up to and with the `;'. */
bool ptx_parse_variable(struct ptx *p, u8 space, bool is_extern)
{
	u32 align = 0, vector = 1;
	const struct ptx_type *type;
	bool more;

	if (!parse_attributes(p, &align, &vector))
		return false;
	type = ptx_type_here(p);
	if (!type || type->bits == 1)
		return ptx_expected_other(p, "a variable type such as .b8, .u32, .f32 or .f64");
	if (!ptx_next(p) || !parse_attributes(p, &align, &vector))
		return false;
	do {
		struct ptx_var v = {.space = space,
				    .type = type->value,
				    .is_extern = is_extern,
				    .align = max_u32(align, type->bits / 8 * vector)};

		if (!parse_declarator(p, type, vector, v) || !ptx_accept(p, ',', &more))
			return false;
	} while (more);
	return ptx_expect(p, ';', "';' at the end of the declaration");
}
