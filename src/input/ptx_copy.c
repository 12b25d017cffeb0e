/*
 * ptx_copy.c - asynchronous copies to shared memory, and the barriers in shared memory that go with them.
 *
 * cp.async is one instruction, COPY; its groups are counted by the engine (copies.c). An mbarrier is a word of 64 bits:
 * arrivals that its phase still needs, from bit 20 those that it needs in all, from bit 40 the number of its phase.
 * Arriving is an atomic (ATOM_ARRIVE), testing a load. Deviations: the .ca and .cg of a copy are one to the L1D; a
 * source must have room for all that is written, whatever the bytes that are read; cp.async.mbarrier.arrive waits for
 * the copies of the warp, and mbarrier.try_wait does not suspend. Source: PTX ISA 8.x, sections 9.7.9.25 (cp.async)
 * and 9.7.13.15 (mbarrier).
 */
#include "front.h"
#include "ptx_internal.h"

#define PHASE_BIT 40
#define COUNT_BITS 20

/* An operand that must be an address. */
static bool is_address(struct ptx_work *w, const struct ptx_stmt *st, const struct ptx_operand *o)
{
	return o->kind == PTX_ADDRESS || ptx_fail(w->p, PTX_AT(o), "'%s' needs an address in brackets here, found '%s'",
						  ptx_shown_text(st->op), ptx_shown(o->s, o->len));
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
		w->p, PTX_AT(st), "'%s' is not supported: %s", ptx_shown_text(st->op),
		st->op[0] == 'c'
			? "supported copies: cp.async.ca.shared.global and cp.async.cg.shared.global, of 4, 8 or 16 bytes"
			: "supported mbarrier operations: init, inval, arrive, test_wait and try_wait, with .shared.b64");
}

/* The operands of a copy behind its source: where to, and how many bytes the source has, or a predicate to ignore it.
 */
static bool copy_operands(struct ptx_work *w, struct ptx_code *c, const struct ptx_stmt *st,
			  const struct ptx_operand *base, const struct ptx_operand *size)
{
	struct ptx_operand offset = ptx_number((u64)st->ops[0].addend, st->ops);

	if (!ptx_source_wide(w, c, base, 32, 64, 'b') || !ptx_source(w, c, &offset, 32, 'b'))
		return false;
	if (!size)
		return true;
	return size->kind == PTX_REG && size->width == 1 ? ptx_source(w, c, size, 1, 'p')
							 : ptx_source_wide(w, c, size, 32, 64, 'u');
}

/* cp.async.CACHE.shared.global [to], [from], bytes{, source bytes or ignore}{, policy}. */
static bool lower_async(struct ptx_work *w, const struct ptx_stmt *st)
{
	bool hint = strstr(st->op, ".L2::cache_hint") != NULL;
	const struct ptx_operand *o = st->ops, *size;
	struct ptx_operand base;
	struct ptx_code *c;

	if (!modifiers_known(modifiers(st->op, "cp.async"),
			     " .ca .cg .shared .shared::cta .global .L2::cache_hint .L2::64B .L2::128B .L2::256B "))
		return refuse(w, st);
	if (!ptx_operand_count(w->p, st, 3u + hint, 4u + hint) || !is_address(w, st, &o[0]) ||
	    !is_address(w, st, &o[1]))
		return false;
	if (o[2].kind != PTX_INT || (o[2].value != 4 && o[2].value != 8 && o[2].value != 16) ||
	    (strstr(st->op, ".cg") && o[2].value != 16))
		return ptx_fail(w->p, PTX_AT(&o[2]), "'%s' copies %s, not '%s'", ptx_shown_text(st->op),
				strstr(st->op, ".cg") ? "16 bytes" : "4, 8 or 16 bytes", ptx_shown(o[2].s, o[2].len));
	size = st->nops == 4u + hint ? &o[3] : NULL;
	if (size && size->kind == PTX_INT && size->value > o[2].value)
		return ptx_fail(w->p, PTX_AT(size),
				"the source can have at most the %u bytes that are written, not '%s'", (u32)o[2].value,
				ptx_shown(size->s, size->len));
	if (!ptx_shared_base(w, st, &o[0], true, &base))
		return false;
	c = ptx_emit(w, st, OP_COPY, ptx_op_class[OP_COPY]);
	c->in.space = SPACE_GLOBAL;
	c->in.width = 4;
	c->in.vec = (u8)(o[2].value / 4);
	c->in.aux = strstr(st->op, ".cg") ? ACCESS_PAST : 0;
	return ptx_lower_address(w, c, &o[1]) && copy_operands(w, c, st, &base, size);
}

/* Wait until at most n of the newest groups of copies are on their way, or for all copies. */
static bool emit_wait(struct ptx_work *w, const struct ptx_stmt *st, u32 n)
{
	ptx_emit(w, st, OP_COPY_WAIT, ptx_op_class[OP_COPY_WAIT])->in.aux = (u8)n;
	return true;
}

/* cp.async.wait_group n. */
static bool lower_wait(struct ptx_work *w, const struct ptx_stmt *st)
{
	const struct ptx_operand *n = st->ops;

	if (!ptx_operand_count(w->p, st, 1, 1))
		return false;
	if (n->kind != PTX_INT || (i64)n->value < 0)
		return ptx_fail(w->p, PTX_AT(n), "'%s' takes a number of groups, not '%s'", st->op,
				ptx_shown(n->s, n->len));
	return emit_wait(w, st, (u32)min_u64(n->value, COPIES_ALL - 1));
}

/* mbarrier.init [p], n: the word of a barrier that needs n arrivals. */
static bool lower_init(struct ptx_work *w, const struct ptx_stmt *st, bool shared)
{
	struct ptx_operand base, t = ptx_temporary(w, 64, st->ops), address = st->ops[0];

	if (!ptx_operand_count(w->p, st, 2, 2) || !ptx_shared_base(w, st, &st->ops[0], shared, &base) ||
	    !ptx_lower_as(w, st, "mul.wide.u32", 3,
			  (struct ptx_operand[]){t, st->ops[1], ptx_number(1 + (1 << COUNT_BITS), st->ops)}))
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
	return ptx_operand_count(w->p, st, 2, 3) && emit_arrive(w, st, shared, &st->ops[0], &st->ops[1],
								st->nops == 3 ? st->ops[2] : ptx_number(1, st->ops));
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
	    !ptx_lower_as(w, st, "shr.u64", 3, (struct ptx_operand[]){now, now, ptx_number(PHASE_BIT, st->ops)}))
		return false;
	if (parity ? !ptx_lower_as(w, st, "and.b64", 3, (struct ptx_operand[]){now, now, ptx_number(1, st->ops)}) ||
			     !ptx_lower_as(w, st, st->ops[2].kind == PTX_INT ? "mov.u64" : "cvt.u64.u32", 2,
					   (struct ptx_operand[]){was, st->ops[2]})
		   : !ptx_lower_as(w, st, "shr.u64", 3,
				   (struct ptx_operand[]){was, st->ops[2], ptx_number(PHASE_BIT, st->ops)}))
		return false;
	return ptx_lower_as(w, st, "setp.ne.u64", 3, (struct ptx_operand[]){st->ops[0], now, was});
}

/* mbarrier.pending_count n, state: arrivals that were missing before the one that gave this state. */
static bool lower_pending(struct ptx_work *w, const struct ptx_stmt *st, bool shared UNUSED)
{
	struct ptx_operand low = ptx_temporary(w, 32, st->ops);

	return ptx_operand_count(w->p, st, 2, 2) &&
	       ptx_lower_as(w, st, "cvt.u32.u64", 2, (struct ptx_operand[]){low, st->ops[1]}) &&
	       ptx_lower_as(w, st, "and.b32", 3,
			    (struct ptx_operand[]){st->ops[0], low, ptx_number((1u << COUNT_BITS) - 1, st->ops)});
}

/* Operations on barriers in shared memory. */
bool ptx_lower_mbarrier(struct ptx_work *w, const struct ptx_stmt *st)
{
	static const struct {
		const char *head;
		bool (*lower)(struct ptx_work *, const struct ptx_stmt *, bool);
	} verbs[] = {{"mbarrier.init", lower_init},	 {"mbarrier.pending_count", lower_pending},
		     {"mbarrier.inval", NULL},		 {"mbarrier.arrive", lower_arrive},
		     {"mbarrier.test_wait", lower_test}, {"mbarrier.try_wait", lower_test}};
	bool shared = strstr(st->op, ".shared") != NULL;

	for (u32 i = 0; i < ARRAY_LEN(verbs); i++) {
		const char *s = modifiers(st->op, verbs[i].head);

		if (!ptx_starts(st->op, verbs[i].head) || (*s && *s != '.'))
			continue;
		if (!modifiers_known(s, verbs[i].lower == lower_test
						? " .parity .acquire .relaxed .cta .shared .shared::cta .b64 "
						: " .release .relaxed .cta .shared .shared::cta .b64 "))
			return refuse(w, st);
		return verbs[i].lower ? verbs[i].lower(w, st, shared) : ptx_operand_count(w->p, st, 1, 1);
	}
	return refuse(w, st);
}

/* cp.async and what waits for it. An arrival of finished copies waits for them; it counts where .noinc says so, else it
 * takes back what it adds. */
bool ptx_lower_copy(struct ptx_work *w, const struct ptx_stmt *st)
{
	static const char arrive[] = "cp.async.mbarrier.arrive";

	if (ptx_starts(st->op, "cp.async.ca.") || ptx_starts(st->op, "cp.async.cg."))
		return lower_async(w, st);
	if (!strcmp(st->op, "cp.async.commit_group"))
		return ptx_lower_plain(w, st, OP_COPY_COMMIT);
	if (!strcmp(st->op, "cp.async.wait_all"))
		return ptx_operand_count(w->p, st, 0, 0) && emit_wait(w, st, COPIES_ALL);
	if (!strcmp(st->op, "cp.async.wait_group"))
		return lower_wait(w, st);
	if (!ptx_starts(st->op, arrive) ||
	    !modifiers_known(modifiers(st->op, arrive), " .noinc .shared .shared::cta .b64 "))
		return refuse(w, st);
	if (!ptx_operand_count(w->p, st, 1, 1) || !is_address(w, st, &st->ops[0]) || !emit_wait(w, st, COPIES_ALL))
		return false;
	return !strstr(st->op, ".noinc") ||
	       emit_arrive(w, st, strstr(st->op, ".shared") != NULL, NULL, &st->ops[0], ptx_number(1, st->ops));
}
