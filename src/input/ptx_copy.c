/*
 * ptx_copy.c - asynchronous copies to shared memory, and the barriers in shared memory that go with them.
 *
 * cp.async is a load and a store to shared memory. The stores of copies near each other stand behind all of their
 * loads, so that these overlap: at the next statement that is more than arithmetic, or after COPIES_AHEAD copies. So
 * cp.async.wait_group and its like have nothing left to wait for. An mbarrier is a word of 64 bits: arrivals that its
 * phase still needs, from bit 20 those that it needs in all, from bit 40 the number of its phase. Arriving is an atomic
 * (ATOM_ARRIVE), testing a load. Deviations: a warp waits for its copies when it stores them, not at
 * cp.async.wait_group; a copy whose source has fewer bytes than it writes reads them all, and fills with zeros what PTX
 * does not take; mbarrier.try_wait does not suspend. Source: PTX ISA 8.x, sections 9.7.9.25 (cp.async) and 9.7.13.15
 * (mbarrier).
 */
#include "front.h"
#include "ptx_internal.h"

#define PHASE_BIT 40
#define COUNT_BITS 20

static bool starts(const char *s, const char *with)
{
	return !strncmp(s, with, strlen(with));
}

/* A number as operand. */
static struct ptx_operand number(struct ptx_work *w, const struct ptx_stmt *st, i64 value)
{
	char text[24];
	u32 len = (u32)snprintf(text, sizeof(text), "%lld", (long long)value);

	return (struct ptx_operand){.kind = PTX_INT,
				    .value = (u64)value,
				    .line = st->line,
				    .column = st->column,
				    .s = arena_text(w->arena, text, len),
				    .len = len};
}

/* A statement like st, guarded by `guard' or not at all. */
static const struct ptx_stmt *guarded(struct ptx_work *w, const struct ptx_stmt *st, const struct ptx_operand *guard)
{
	struct ptx_stmt *as = arena_alloc(w->arena, sizeof(*as));

	*as = *st;
	as->guard = guard ? guard->vreg : PTX_NONE;
	as->guard_negate = 0;
	return as;
}

/* An operand that must be an address. */
static bool is_address(struct ptx_work *w, const struct ptx_stmt *st, const struct ptx_operand *o)
{
	return o->kind == PTX_ADDRESS ||
	       ptx_fail(w->p, o->line, o->column, "`%s' needs an address in brackets here, found `%s'",
			ptx_shown(st->op, (u32)strlen(st->op)), ptx_shown(o->s, o->len));
}

/* The base of an address operand as a register with an offset in shared memory; shared: the opcode says that it is one.
 */
bool ptx_shared_base(struct ptx_work *w, const struct ptx_stmt *st, const struct ptx_operand *o, bool shared,
		     struct ptx_operand *base)
{
	struct ptx_operand ops[2];

	if (!is_address(w, st, o))
		return false;
	*base = *o->item;
	if (base->kind == PTX_REG && (shared || base->width == 32))
		return true;
	ops[1] = *base;
	ops[0] = *base = ptx_temporary(w, 64, o);
	return ptx_lower_as(w, st, ops[1].kind == PTX_REG ? "cvta.to.shared.u64" : "mov.u64", 2, ops);
}

/* The words of `op' behind its first ones. */
static const char *modifiers(const char *op, const char *head)
{
	return op + strlen(head);
}

/* Are all modifiers in s, each with its dot, on a list of words that stands between blanks? */
static bool modifiers_known(const char *s, const char *list)
{
	char word[40];

	for (; *s; s += strcspn(s + 1, ".") + 1) {
		snprintf(word, sizeof(word), " %.*s ", (int)min_u32((u32)strcspn(s + 1, ".") + 1, 30), s);
		if (!strstr(list, word))
			return false;
	}
	return true;
}

/* Fail: this copy or barrier is none that is taken apart. */
static bool refuse(struct ptx_work *w, const struct ptx_stmt *st)
{
	return ptx_refuse(
		w->p, st->line, st->column, "`%s' is not supported: %s", ptx_shown(st->op, (u32)strlen(st->op)),
		st->op[0] == 'c'
			? "copies are cp.async.ca.shared.global and cp.async.cg.shared.global, of 4, 8 or 16 bytes"
			: "mbarriers have init, inval, arrive, test_wait and try_wait, .shared.b64");
}

/* A copy's parts. */
struct copy {
	struct ptx_operand word[4]; /* its value */
	struct ptx_operand pass;    /* predicate: it reads its source; kind PTX_NAME: always */
	u32 words;
	const struct ptx_operand *size; /* bytes of the source, or NULL */
};

static const char *const vector_type[] = {"", "b32", "v2.b32", "", "v4.b32"};

/* `ld.global.v4.b32' and the like for a copy. */
static const char *access_op(struct ptx_work *w, const char *head, u32 words)
{
	char text[40];

	return arena_text(w->arena, text, (size_t)snprintf(text, sizeof(text), "%s.%s", head, vector_type[words]));
}

/* The copy's words as an operand. */
static struct ptx_operand value_of(struct ptx_work *w, const struct copy *c)
{
	struct ptx_operand v = c->word[0];

	if (c->words == 1)
		return v;
	v.kind = PTX_VECTOR;
	v.n = (u8)c->words;
	v.item = memcpy(arena_alloc(w->arena, sizeof(c->word)), c->word, sizeof(c->word));
	return v;
}

/* Lanes whose source has no bytes, or is to be ignored, load nothing: words of zeros and a predicate. */
static bool prepare_part(struct ptx_work *w, const struct ptx_stmt *st, struct copy *c)
{
	struct ptx_operand ops[3] = {ptx_temporary(w, 1, st->ops), *c->size, number(w, st, 0)};
	const struct ptx_stmt *always = guarded(w, st, NULL);

	c->pass = ops[0];
	if (c->size->width == 1 ? !ptx_lower_as(w, always, "not.pred", 2, ops)
				: !ptx_lower_as(w, always, "setp.ne.u32", 3, ops))
		return false;
	if (st->guard != PTX_NONE) {
		struct ptx_operand with[3] = {c->pass,
					      c->pass,
					      {.kind = PTX_REG,
					       .width = 1,
					       .vreg = st->guard,
					       .negate = st->guard_negate,
					       .line = st->line,
					       .column = st->column,
					       .s = "guard",
					       .len = 5}};

		if (!ptx_lower_as(w, always, "and.pred", 3, with))
			return false;
	}
	for (u32 i = 0; i < c->words; i++)
		if (!ptx_lower_as(w, always, "mov.b32", 2, (struct ptx_operand[]){c->word[i], number(w, st, 0)}))
			return false;
	return true;
}

/* Bytes behind the source's end become zeros: word i keeps as many bytes as the size is above 4 i. */
static bool cut_words(struct ptx_work *w, const struct ptx_stmt *st, const struct copy *c)
{
	const struct ptx_stmt *always = guarded(w, st, NULL);
	struct ptx_operand t = ptx_temporary(w, 32, st->ops);

	for (u32 i = 0; i < c->words; i++)
		if (!ptx_lower_as(w, always, "mad.lo.s32", 4,
				  (struct ptx_operand[]){t, *c->size, number(w, st, 8), number(w, st, -32 * (i64)i)}) ||
		    !ptx_lower_as(w, always, "max.s32", 3, (struct ptx_operand[]){t, t, number(w, st, 0)}) ||
		    !ptx_lower_as(w, always, "shl.b32", 3, (struct ptx_operand[]){t, number(w, st, -1), t}) ||
		    !ptx_lower_as(w, always, "not.b32", 2, (struct ptx_operand[]){t, t}) ||
		    !ptx_lower_as(w, always, "and.b32", 3, (struct ptx_operand[]){c->word[i], c->word[i], t}))
			return false;
	return true;
}

/* Perform the stores that copies have left. */
bool ptx_copies_finish(struct ptx_work *w)
{
	u32 n = w->ncopy;

	w->ncopy = 0;
	for (u32 i = 0; i < n; i++)
		if (!ptx_lower_stmt(w, w->copy[i]))
			return false;
	return true;
}

/* Before a statement: may the stores of copies stand behind it? Not if it is a target or more than arithmetic. */
bool ptx_copies_before(struct ptx_work *w, u32 stmt)
{
	static const char *const pass[] = {"cp.async.c", "add.", "sub.", "mov.", "mul.",  "mad.",  "shl.", "shr.",
					   "and.",	 "or.",	 "xor.", "cvt.", "cvta.", "setp.", "selp."};
	const struct ptx_stmt *st = &w->entry->stmt[stmt];
	bool may = st->guard == PTX_NONE;

	if (!w->ncopy)
		return true;
	for (u32 i = 0; i < w->entry->nlabel && may; i++)
		may = w->entry->label[i]->index != stmt;
	for (u32 i = 0; i < ARRAY_LEN(pass) && may; i++)
		if (starts(st->op, pass[i]))
			return true;
	return ptx_copies_finish(w);
}

/* The store of a copy: now, or where ptx_copies_before() says; its address in a register of its own until then. */
static bool leave_store(struct ptx_work *w, const struct ptx_stmt *st, const struct copy *c)
{
	struct ptx_operand base, ops[2] = {st->ops[0], value_of(w, c)};
	struct ptx_stmt *as = arena_alloc(w->arena, sizeof(*as));

	if (!ptx_shared_base(w, st, &st->ops[0], true, &base))
		return false;
	*as = *st;
	as->op = access_op(w, "st.shared", c->words);
	as->nops = 2;
	if (st->guard == PTX_NONE) {
		struct ptx_operand copy[2] = {ptx_temporary(w, base.width, &base), base};

		if (!ptx_lower_as(w, st, base.width == 64 ? "mov.b64" : "mov.b32", 2, copy))
			return false;
		base = copy[0];
	}
	ops[0].n = 1;
	ops[0].item = memcpy(arena_alloc(w->arena, sizeof(base)), &base, sizeof(base));
	as->ops = memcpy(arena_alloc(w->arena, sizeof(ops)), ops, sizeof(ops));
	w->copy[w->ncopy++] = as;
	return (st->guard == PTX_NONE && w->ncopy < COPIES_AHEAD) || ptx_copies_finish(w);
}

/* cp.async.CACHE.shared.global [to], [from], bytes{, source bytes or ignore}{, policy}. */
static bool lower_async(struct ptx_work *w, const struct ptx_stmt *st)
{
	bool hint = strstr(st->op, ".L2::cache_hint") != NULL, part;
	const struct ptx_operand *o = st->ops;
	struct copy c = {.pass = {.kind = PTX_NAME}};
	struct ptx_operand ops[2];

	if (!modifiers_known(modifiers(st->op, "cp.async"),
			     " .ca .cg .shared .shared::cta .global .L2::cache_hint .L2::64B .L2::128B .L2::256B "))
		return refuse(w, st);
	if (!ptx_operand_count(w->p, st, 3u + hint, 4u + hint) || !is_address(w, st, &o[0]) ||
	    !is_address(w, st, &o[1]))
		return false;
	if (o[2].kind != PTX_INT || (o[2].value != 4 && o[2].value != 8 && o[2].value != 16) ||
	    (strstr(st->op, ".cg") && o[2].value != 16))
		return ptx_fail(w->p, o[2].line, o[2].column, "`%s' copies %s, not `%s'",
				ptx_shown(st->op, (u32)strlen(st->op)),
				strstr(st->op, ".cg") ? "16 bytes" : "4, 8 or 16 bytes", ptx_shown(o[2].s, o[2].len));
	c.words = (u32)o[2].value / 4;
	c.size = st->nops == 4u + hint ? &o[3] : NULL;
	if (c.size && c.size->kind == PTX_INT && c.size->value > o[2].value)
		return ptx_fail(w->p, o[3].line, o[3].column,
				"the source has at most the %u bytes that are written, not `%s'", c.words * 4,
				ptx_shown(o[3].s, o[3].len));
	for (u32 i = 0; i < c.words; i++)
		c.word[i] = ptx_temporary(w, 32, st->ops);
	part = c.size && (c.size->kind != PTX_INT || c.size->value != o[2].value);
	if (part && !prepare_part(w, st, &c))
		return false;
	ops[0] = value_of(w, &c);
	ops[1] = o[1];
	if (!ptx_lower_as(w, part ? guarded(w, st, &c.pass) : st, access_op(w, "ld.global", c.words), 2, ops))
		return false;
	if (part && c.size->width != 1 && !cut_words(w, st, &c))
		return false;
	return leave_store(w, st, &c);
}

/* mbarrier.init [p], n: the word of a barrier that needs n arrivals. */
static bool lower_init(struct ptx_work *w, const struct ptx_stmt *st, bool shared)
{
	struct ptx_operand base, t = ptx_temporary(w, 64, st->ops), address = st->ops[0];

	if (!ptx_operand_count(w->p, st, 2, 2) || !ptx_shared_base(w, st, &st->ops[0], shared, &base) ||
	    !ptx_lower_as(w, st, "mul.wide.u32", 3,
			  (struct ptx_operand[]){t, st->ops[1], number(w, st, 1 + (1 << COUNT_BITS))}))
		return false;
	address.item = memcpy(arena_alloc(w->arena, sizeof(base)), &base, sizeof(base));
	return ptx_lower_as(w, st, "st.shared.u64", 2, (struct ptx_operand[]){address, t});
}

/* Arrive n times; state is NULL or takes the word as it was. */
static bool emit_arrive(struct ptx_work *w, const struct ptx_stmt *st, bool shared, const struct ptx_operand *state,
			const struct ptx_operand *address, struct ptx_operand n)
{
	struct ptx_operand base;
	struct ptx_code *c;

	if (!ptx_shared_base(w, st, address, shared, &base))
		return false;
	if (n.kind == PTX_REG) {
		struct ptx_operand wide[2] = {ptx_temporary(w, 64, &n), n};

		if (!ptx_lower_as(w, st, "cvt.u64.u32", 2, wide))
			return false;
		n = wide[0];
	}
	c = ptx_emit(w, st, OP_ATOM, CLASS_SHLOAD);
	c->in.space = SPACE_SHARED;
	c->in.width = 8;
	c->in.vec = VALUE_U64;
	c->in.aux = ATOM_ARRIVE;
	c->in.offset = (i32)address->addend;
	w->k->has_atomics = 1;
	return (!state || ptx_destination(w, c, state, 64, 64)) && ptx_source_wide(w, c, &base, 32, 64, 'b') &&
	       ptx_source(w, c, &n, 64, 'b');
}

/* mbarrier.arrive{...} state, [p]{, n}. */
static bool lower_arrive(struct ptx_work *w, const struct ptx_stmt *st, bool shared)
{
	return ptx_operand_count(w->p, st, 2, 3) &&
	       emit_arrive(w, st, shared, &st->ops[0], &st->ops[1], st->nops == 3 ? st->ops[2] : number(w, st, 1));
}

/* mbarrier.test_wait{.parity} done, [p], state or parity{, time}: is the phase another one? */
static bool lower_test(struct ptx_work *w, const struct ptx_stmt *st, bool shared)
{
	bool parity = strstr(st->op, ".parity") != NULL;
	struct ptx_operand base, now = ptx_temporary(w, 64, st->ops), was = ptx_temporary(w, 64, st->ops), address;

	if (!ptx_operand_count(w->p, st, 3, 4) || !ptx_shared_base(w, st, &st->ops[1], shared, &base))
		return false;
	address = st->ops[1];
	address.item = memcpy(arena_alloc(w->arena, sizeof(base)), &base, sizeof(base));
	if (!ptx_lower_as(w, st, "ld.volatile.shared.u64", 2, (struct ptx_operand[]){now, address}) ||
	    !ptx_lower_as(w, st, "shr.u64", 3, (struct ptx_operand[]){now, now, number(w, st, PHASE_BIT)}))
		return false;
	if (parity ? !ptx_lower_as(w, st, "and.b64", 3, (struct ptx_operand[]){now, now, number(w, st, 1)}) ||
			     !ptx_lower_as(w, st, st->ops[2].kind == PTX_INT ? "mov.u64" : "cvt.u64.u32", 2,
					   (struct ptx_operand[]){was, st->ops[2]})
		   : !ptx_lower_as(w, st, "shr.u64", 3,
				   (struct ptx_operand[]){was, st->ops[2], number(w, st, PHASE_BIT)}))
		return false;
	return ptx_lower_as(w, st, "setp.ne.u64", 3, (struct ptx_operand[]){st->ops[0], now, was});
}

/* Operations on barriers in shared memory. */
bool ptx_lower_mbarrier(struct ptx_work *w, const struct ptx_stmt *st)
{
	static const struct {
		const char *head;
		bool (*lower)(struct ptx_work *, const struct ptx_stmt *, bool);
	} verbs[] = {{"mbarrier.init", lower_init},
		     {"mbarrier.inval", NULL},
		     {"mbarrier.arrive", lower_arrive},
		     {"mbarrier.test_wait", lower_test},
		     {"mbarrier.try_wait", lower_test}};
	bool shared = strstr(st->op, ".shared") != NULL;

	for (u32 i = 0; i < ARRAY_LEN(verbs); i++) {
		const char *s = modifiers(st->op, verbs[i].head);

		if (!starts(st->op, verbs[i].head) || (*s && *s != '.'))
			continue;
		if (!modifiers_known(s, verbs[i].lower == lower_test
						? " .parity .acquire .relaxed .cta .shared .shared::cta .b64 "
						: " .release .relaxed .cta .shared .shared::cta .b64 "))
			return refuse(w, st);
		return verbs[i].lower ? verbs[i].lower(w, st, shared) : ptx_operand_count(w->p, st, 1, 1);
	}
	return refuse(w, st);
}

/* cp.async and what waits for it. An arrival of finished copies counts where .noinc says so, else it takes back what it
 * adds. */
bool ptx_lower_copy(struct ptx_work *w, const struct ptx_stmt *st)
{
	static const char arrive[] = "cp.async.mbarrier.arrive";

	if (starts(st->op, "cp.async.ca.") || starts(st->op, "cp.async.cg."))
		return lower_async(w, st);
	if (!strcmp(st->op, "cp.async.commit_group") || !strcmp(st->op, "cp.async.wait_all"))
		return ptx_operand_count(w->p, st, 0, 0);
	if (!strcmp(st->op, "cp.async.wait_group"))
		return ptx_operand_count(w->p, st, 1, 1);
	if (!starts(st->op, arrive) ||
	    !modifiers_known(modifiers(st->op, arrive), " .noinc .shared .shared::cta .b64 "))
		return refuse(w, st);
	if (!ptx_operand_count(w->p, st, 1, 1) || !is_address(w, st, &st->ops[0]))
		return false;
	return !strstr(st->op, ".noinc") ||
	       emit_arrive(w, st, strstr(st->op, ".shared") != NULL, NULL, &st->ops[0], number(w, st, 1));
}
