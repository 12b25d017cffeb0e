/*
 * ptx_spill.c - registers that do not fit live in local memory: which, and the loads and stores that take their place.
 *
 * Where the linear scan finds no free register, it takes back those whose loss costs least: their definitions and uses,
 * each loop around one counting ten times, over what is left of their range. A register so chosen has a slot in local
 * memory over its whole range. Each statement that reads it has a load in front, and one that writes it a store behind,
 * of a temporary of its own, which is never spilled; steps of one matrix product share their temporaries. Then ranges
 * are made anew, until all fit. Slots are shared as registers are. Predicates are not spilled.
 * Sources: Poletto and Sarkar, "Linear Scan Register Allocation", TOPLAS 1999, for the scan that spills; Chaitin,
 * "Register Allocation and Spilling via Graph Coloring", 1982, for the costs. Deviations: ptxas also computes values
 * anew and splits ranges, so that it spills less; and it keeps to .minnctapersm, too.
 */
#include "ptx_internal.h"
#include "spill.h"

#define DEAREST UINT64_MAX

/* A spilled register within the statement that is rewritten. */
struct spill_use {
	u16 reg;
	bool loaded, stored;
	bool defined; /* wholly, by what stands before */
	u32 last;     /* instruction that writes it last */
	struct ptx_operand temporary;
	struct operand as;
};

struct spiller {
	struct ptx_work *w;
	u64 *weight;		 /* by register */
	u16 owner[MAX_REGS + 1]; /* by physical register: 1 + who has it */
	u32 chosen;		 /* in this round */
	const struct ptx_code *old;
	u32 nold;
	const u32 *old_block;
	u16 *used; /* by register: 1 + index in `use` */
	struct spill_use *use;
	u32 nuse, cap_use;
};

/* Fill the weight of every register. */
static void weigh(struct spiller *s)
{
	struct ptx_work *w = s->w;
	const u32 *weight = ptx_loop_weights(w);

	s->weight = arena_alloc(w->arena, (w->nreg + 1) * sizeof(u64));
	for (u32 i = 0; i < w->ncode; i++) {
		const struct inst *in = &w->code[i].in;

		for (u32 k = 0; k < in->nsrc; k++)
			if (in->src[k].kind == OPERAND_REG)
				s->weight[in->src[k].value] += weight[i];
		for (u32 k = 0; k < in->ndst; k++)
			if (in->dst[k].kind == OPERAND_REG)
				s->weight[in->dst[k].value] += weight[i];
	}
}

/* What it costs to spill a register, for what it frees from a position on. */
static u64 price(const struct spiller *s, u16 reg, u32 now)
{
	if (s->w->fate[reg] == FATE_TEMPORARY)
		return DEAREST;
	return (s->weight[reg] << 20) / (s->w->range[reg].end - now + 1) + 1;
}

/* The price of all that is in some physical registers. */
static u64 place_price(const struct spiller *s, u32 first, u32 words, u32 now)
{
	u64 sum = 0;

	for (u32 r = first; r < first + words; r++) {
		u64 one = s->owner[r] && (r == first || s->owner[r] != s->owner[r - 1]) ? price(s, s->owner[r] - 1, now)
											: 0;

		sum = one == DEAREST || sum == DEAREST ? DEAREST : sum + one;
	}
	return sum;
}

static void spill(struct spiller *s, u16 reg)
{
	s->w->fate[reg] = FATE_SPILLED;
	s->chosen++;
}

/* Whoever has a physical register loses all that it has. */
static void evict(struct spiller *s, u32 at)
{
	u16 owner = s->owner[at];

	if (!owner)
		return;
	spill(s, owner - 1);
	for (u32 r = 0; r < s->w->limit; r++)
		if (s->owner[r] == owner)
			s->owner[r] = 0;
}

/* Give a register whose range begins the cheapest place, or none; false if it must have one and there is none. */
static bool settle(struct spiller *s, u16 reg)
{
	u32 words = s->w->bits[reg] == 64 ? 2 : 1, now = s->w->range[reg].start, best = 0;
	u64 least = DEAREST, own = price(s, reg, now);

	for (u32 r = 0; r + words <= s->w->limit && least; r += words) {
		u64 cost = place_price(s, r, words, now);

		if (cost < least) {
			least = cost;
			best = r;
		}
	}
	if (least == DEAREST && own == DEAREST)
		return false;
	if (least && own <= least) {
		spill(s, reg);
		return true;
	}
	for (u32 r = best; r < best + words; r++) {
		evict(s, r);
		s->owner[r] = reg + 1;
	}
	return true;
}

/* One scan over all ranges; returns the statement that needs too many by itself, NULL if none does. */
static const struct ptx_stmt *choose(struct spiller *s)
{
	struct ptx_work *w = s->w;
	struct ptx_ends x = ptx_sorted_ranges(w, FILE_REGS);

	memset(s->owner, 0, sizeof(s->owner));
	s->chosen = 0;
	weigh(s);
	for (u32 i = 0, ended = 0; i < x.n; i++) {
		u32 now = x.start[i].position;

		for (; x.end[ended].position < now; ended++)
			for (u32 r = 0; r < s->w->limit; r++)
				if (s->owner[r] == x.end[ended].reg + 1)
					s->owner[r] = 0;
		if (!settle(s, x.start[i].reg))
			return w->code[now / 2].st;
	}
	return NULL;
}

/* Do two instructions share their temporaries: of one statement, or steps of one product? */
static bool together(const struct spiller *s, u32 a, u32 b)
{
	const struct ptx_code *x = &s->old[a], *y = &s->old[b];
	bool steps = x->in.class == CLASS_TENSOR && y->in.class == CLASS_TENSOR && x->in.ptx_line == y->in.ptx_line &&
		     x->in.ptx_column == y->in.ptx_column;

	return s->old_block[a] == s->old_block[b] && (x->st == y->st || steps);
}

/* The guard that all instructions of [first, last) have and none of them writes; *same: there is one, be it none. */
static struct operand common_guard(const struct spiller *s, u32 first, u32 last, bool *same)
{
	struct operand guard = s->old[first].in.guard;

	*same = true;
	for (u32 i = first; i < last; i++) {
		const struct inst *in = &s->old[i].in;

		*same &= in->guard.kind == guard.kind && in->guard.value == guard.value &&
			 in->guard.negate == guard.negate;
		for (u32 k = 0; k < in->ndst && guard.kind != OPERAND_NONE; k++)
			*same &= in->dst[k].kind != OPERAND_PRED || in->dst[k].value != guard.value;
	}
	return *same ? guard : (struct operand){.kind = OPERAND_NONE};
}

/* A spilled register of the statement: known, or entered with a temporary. */
static struct spill_use *use_of(struct spiller *s, const struct ptx_stmt *st, u16 reg)
{
	struct ptx_work *w = s->w;
	struct ptx_operand at = {.line = st->line, .column = st->column, .s = "", .len = 0};
	struct spill_use *x;

	if (s->used[reg])
		return &s->use[s->used[reg] - 1];
	s->use = ptx_grow(w->arena, s->use, s->nuse, &s->cap_use, sizeof(*s->use));
	x = &s->use[s->nuse++];
	*x = (struct spill_use){.reg = reg, .temporary = ptx_temporary(w, w->bits[reg], &at)};
	s->used[reg] = (u16)s->nuse;
	if (ptx_reg(w, &x->temporary, w->bits[reg], w->bits[reg], &x->as))
		w->fate[x->as.value] = FATE_TEMPORARY;
	return x;
}

/* Which spilled registers instruction i reads and writes. same: all of the statement have one guard. */
static void note_uses(struct spiller *s, u32 i, bool same)
{
	const struct ptx_code *c = &s->old[i];
	bool whole = same || c->in.guard.kind == OPERAND_NONE;

	for (u32 k = 0; k < c->in.nsrc; k++)
		if (c->in.src[k].kind == OPERAND_REG && s->w->fate[c->in.src[k].value] == FATE_SPILLED) {
			struct spill_use *x = use_of(s, c->st, c->in.src[k].value);

			x->loaded |= !x->defined;
		}
	for (u32 k = 0; k < c->in.ndst; k++)
		if (c->in.dst[k].kind == OPERAND_REG && s->w->fate[c->in.dst[k].value] == FATE_SPILLED) {
			struct spill_use *x = use_of(s, c->st, c->in.dst[k].value);

			x->defined |= whole;
			x->loaded |= !x->defined;
			x->stored |= !c->unread;
			x->last = i;
		}
}

/* A load of a temporary from its register's slot, or a store to it. */
static void emit_access(struct spiller *s, const struct ptx_stmt *of, const struct spill_use *x, struct operand guard,
			bool store)
{
	struct ptx_work *w = s->w;
	bool pair = w->bits[x->reg] == 64;
	struct ptx_operand name = {.kind = PTX_NAME, .s = "spill", .len = 5};
	struct ptx_operand ops[2];
	struct ptx_stmt *st;
	struct ptx_code *c;
	u16 op = store ? OP_ST : OP_LD;

	ops[store] = x->temporary;
	ops[!store] = (struct ptx_operand){.kind = PTX_ADDRESS, .n = 1, .item = arena_alloc(w->arena, sizeof(name))};
	*ops[!store].item = name;
	st = ptx_stmt_with(w, of, ops, 2);
	st->op = store ? pair ? "st.local.b64" : "st.local.b32" : pair ? "ld.local.b64" : "ld.local.b32";
	st->guard = PTX_NONE;
	c = ptx_emit(w, st, op, ptx_op_class[op]);
	c->slot = x->reg + 1;
	c->in.guard = guard;
	c->in.space = SPACE_LOCAL;
	c->in.width = pair ? 8 : 4;
	c->in.vec = 1;
	c->in.aux = ACCESS_SPILL;
	c->in.nsrc = 1 + store;
	c->in.ndst = !store;
	c->in.src[0] = ptx_imm(w, 0);
	*(store ? &c->in.src[1] : &c->in.dst[0]) = x->as;
	c->fresh = !store;
}

/* Operands of a text, with temporaries in the place of spilled registers. */
static struct ptx_operand *shown_operands(struct spiller *s, const struct ptx_operand *from, u32 n)
{
	struct ptx_operand *to = arena_alloc(s->w->arena, n * sizeof(*to));

	memcpy(to, from, n * sizeof(*to));
	for (u32 i = 0; i < n; i++) {
		u16 dense = to[i].kind == PTX_REG ? s->w->dense[to[i].vreg] : 0;

		if (dense && s->used[dense - 1])
			to[i].vreg = s->use[s->used[dense - 1] - 1].temporary.vreg;
		if (to[i].n)
			to[i].item = shown_operands(s, to[i].item, to[i].n);
	}
	return to;
}

/* Instruction i with temporaries. same: its guard is that of their loads and stores. */
static void emit_rewritten(struct spiller *s, u32 i, bool same)
{
	struct ptx_work *w = s->w;
	struct ptx_code *c;
	struct ptx_stmt *st;

	w->code = ptx_grow(w->arena, w->code, w->ncode, &w->cap_code, sizeof(*w->code));
	c = &w->code[w->ncode++];
	*c = s->old[i];
	if (!s->nuse)
		return;
	for (u32 k = 0; k < c->in.nsrc; k++)
		if (c->in.src[k].kind == OPERAND_REG && s->used[c->in.src[k].value])
			c->in.src[k].value = s->use[s->used[c->in.src[k].value] - 1].as.value;
	for (u32 k = 0; k < c->in.ndst; k++)
		if (c->in.dst[k].kind == OPERAND_REG && s->used[c->in.dst[k].value]) {
			c->in.dst[k].value = s->use[s->used[c->in.dst[k].value] - 1].as.value;
			c->fresh |= (u8)(same << k);
		}
	st = arena_alloc(w->arena, sizeof(*st));
	*st = *c->st;
	st->ops = shown_operands(s, st->ops, st->nops);
	c->st = st;
}

/* Instructions [first, last), which share their temporaries, with loads before and stores among them. */
static void rewrite(struct spiller *s, u32 first, u32 last, u32 *now_at)
{
	bool same;
	struct operand guard = common_guard(s, first, last, &same);

	s->nuse = 0;
	for (u32 i = first; i < last; i++)
		note_uses(s, i, same);
	now_at[first] = s->w->ncode;
	for (u32 k = 0; k < s->nuse; k++)
		if (s->use[k].loaded)
			emit_access(s, s->old[first].st, &s->use[k], guard, false);
	for (u32 i = first; i < last; i++) {
		now_at[i] = i == first ? now_at[i] : s->w->ncode;
		emit_rewritten(s, i, same);
		for (u32 k = 0; k < s->nuse; k++)
			if (s->use[k].stored && s->use[k].last == i)
				emit_access(s, s->old[i].st, &s->use[k], guard, true);
	}
	for (u32 k = 0; k < s->nuse; k++)
		s->used[s->use[k].reg] = 0;
}

/* Room for a temporary for each time that a register stands in an instruction. */
static void make_room(struct spiller *s)
{
	struct ptx_work *w = s->w;
	u32 most = w->entry->nvreg + 1;
	u16 *dense;

	for (u32 i = 0; i < w->ncode; i++) {
		const struct inst *in = &w->code[i].in;

		for (u32 k = 0; k < in->nsrc; k++)
			most += in->src[k].kind == OPERAND_REG && w->fate[in->src[k].value] == FATE_SPILLED;
		for (u32 k = 0; k < in->ndst; k++)
			most += in->dst[k].kind == OPERAND_REG && w->fate[in->dst[k].value] == FATE_SPILLED;
	}
	if (most <= w->max_vreg)
		return;
	dense = arena_alloc(w->arena, most * sizeof(*dense));
	memcpy(dense, w->dense, w->entry->nvreg * sizeof(*dense));
	w->dense = dense;
	w->max_vreg = most;
}

/* The code again with the loads and stores of the registers chosen. */
static bool rewrite_all(struct spiller *s)
{
	struct ptx_work *w = s->w;
	u32 *now_at = arena_alloc(w->arena, (w->ncode + 1) * sizeof(u32));

	make_room(s);
	s->old = w->code;
	s->nold = w->ncode;
	s->old_block = w->block_of;
	w->code = NULL;
	w->ncode = w->cap_code = 0;
	for (u32 first = 0, last; first < s->nold; first = last) {
		for (last = first + 1; last < s->nold && together(s, last - 1, last);)
			last++;
		rewrite(s, first, last, now_at);
		if (w->p->failed)
			return false;
	}
	now_at[s->nold] = w->ncode;
	for (u32 i = 0; i < w->ncode; i++) {
		struct inst *in = &w->code[i].in;

		in->target = in->op == OP_BRA ? now_at[in->target] : i + 1;
	}
	for (u32 i = 0; i <= w->entry->nstmt; i++)
		w->stmt_inst[i] = now_at[w->stmt_inst[i]];
	ptx_blocks(w);
	return ptx_live_ranges(w);
}

/* Slots by linear scan: where in local memory each access goes, and how much there must be of it. */
static bool place_slots(struct ptx_work *w)
{
	struct kernel *k = w->k;
	u32 base = round_up(w->entry->local_bytes, 8), words = ptx_scan(w, FILE_SLOTS);
	u32 most = min_u32(PTX_MAX_LOCAL - base, 4 * UINT16_MAX);

	if (4 * words > most)
		return ptx_refuse(w->p, PTX_AT(w->entry),
				  "'%s' needs %u bytes of local memory per thread for spilled registers (at most %u)",
				  ptx_shown_text(w->entry->name), 4 * words, most);
	k->spill.bytes = 4 * words;
	k->local_bytes = round_up(base + 4 * words, 16);
	base = kernel_slots(k);
	w->slot = w->phys;
	for (u32 i = 0; i < w->ncode; i++) {
		struct ptx_code *c = &w->code[i];
		bool store = c->in.op == OP_ST;

		if (!c->slot)
			continue;
		c->st->ops[!store].addend = 4 * w->phys[c->slot - 1];
		c->in.offset = (i32)(base + 4u * w->phys[c->slot - 1]);
		k->spill.stores += store;
		k->spill.loads += !store;
		*(store ? &k->spill.stored : &k->spill.loaded) += c->in.width;
		c->slot = 0;
	}
	return true;
}

/* What was found of the code before it was rewritten, anew. */
static bool analyse(struct ptx_work *w)
{
	for (u32 i = 0; i < w->ncode; i++)
		w->code[i].in.flow = 0;
	ptx_post_dominators(w);
	return ptx_reconverge(w) && ptx_flow(w);
}

bool ptx_spill(struct ptx_work *w)
{
	struct spiller s = {.w = w};

	w->fate = arena_alloc(w->arena, UINT16_MAX);
	s.used = arena_alloc(w->arena, UINT16_MAX * sizeof(*s.used));
	do {
		const struct ptx_stmt *tight = choose(&s);

		if (tight)
			return ptx_refuse(w->p, PTX_AT(tight), "'%s' needs more than the %u registers of a thread",
					  ptx_shown_text(tight->op), w->limit);
		if (s.chosen && !rewrite_all(&s))
			return false;
	} while (s.chosen);
	ptx_allocate(w);
	return place_slots(w) && analyse(w);
}
