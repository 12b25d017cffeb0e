/*
 * ptx_regs.c - physical registers by linear scan, and the timing view of every instruction.
 *
 * Ranges are taken by their start; each gets the lowest number free over its whole range, a 64-bit register an aligned
 * pair. Where that takes more registers than there are, some are spilled first (ptx_spill.c).
 * Source: Poletto and Sarkar, "Linear Scan Register Allocation", TOPLAS 1999.
 */

#include "ptx_internal.h"

static int by_position(const void *a, const void *b)
{
	const struct ptx_end *x = a, *y = b;

	return ORDER_BY({x->position, y->position}, {x->reg, y->reg});
}

/* One file of registers: predicates or general ones. */
struct register_file {
	u64 *busy;
	u32 words, count; /* count: highest number ever taken, + 1 */
};

/* Take the lowest free number, or aligned pair. */
static u32 take(struct register_file *f, bool pair)
{
	for (u32 i = 0; i < f->words; i++) {
		u64 free_bits = ~f->busy[i];
		u32 r;

		if (pair)
			free_bits &= free_bits >> 1 & 0x5555555555555555ull;
		if (!free_bits)
			continue;
		r = (u32)__builtin_ctzll(free_bits);
		f->busy[i] |= (pair ? 3ull : 1ull) << r;
		r += i * 64;
		f->count = max_u32(f->count, r + 1 + pair);
		return r;
	}
	die("the register file of %u words is full", f->words);
}

static void give(struct register_file *f, u32 r, bool pair)
{
	f->busy[r / 64] &= ~((pair ? 3ull : 1ull) << r % 64);
}

enum ptx_file ptx_file_of(const struct ptx_work *w, u32 reg)
{
	if (w->fate && w->fate[reg] == FATE_SPILLED)
		return FILE_SLOTS;
	return w->bits[reg] == 1 ? FILE_PREDS : FILE_REGS;
}

struct ptx_ends ptx_sorted_ranges(struct ptx_work *w, enum ptx_file file)
{
	struct ptx_ends x = {.start = arena_alloc(w->arena, (w->nreg + 1) * sizeof(*x.start)),
			     .end = arena_alloc(w->arena, (w->nreg + 1) * sizeof(*x.end))};

	for (u32 i = 0; i < w->nreg; i++)
		if (ptx_file_of(w, i) == file && w->range[i].start <= w->range[i].end) {
			x.start[x.n] = (struct ptx_end){w->range[i].start, (u16)i};
			x.end[x.n++] = (struct ptx_end){w->range[i].end, (u16)i};
		}
	qsort(x.start, x.n, sizeof(*x.start), by_position);
	qsort(x.end, x.n, sizeof(*x.end), by_position);
	return x;
}

u32 ptx_scan(struct ptx_work *w, enum ptx_file file)
{
	struct ptx_ends x = ptx_sorted_ranges(w, file);
	struct register_file f = {.words = x.n / 16 + 1};

	f.busy = arena_alloc(w->arena, f.words * sizeof(u64));
	for (u32 i = 0, ended = 0; i < x.n; i++) {
		u16 v = x.start[i].reg;

		for (; x.end[ended].position < x.start[i].position; ended++)
			give(&f, w->phys[x.end[ended].reg], w->bits[x.end[ended].reg] == 64);
		w->phys[v] = (u16)take(&f, w->bits[v] == 64);
	}
	return f.count;
}

/* Give every virtual register a physical one. */
void ptx_allocate(struct ptx_work *w)
{
	w->phys = arena_alloc(w->arena, (w->nreg + 1) * sizeof(*w->phys));
	w->k->regs = ptx_scan(w, FILE_REGS);
	w->k->preds = ptx_scan(w, FILE_PREDS);
}

bool ptx_registers_fit(struct ptx_work *w)
{
	if (w->k->preds > MAX_PREDS)
		return ptx_refuse(w->p, PTX_AT(w->entry), "'%s' needs %u predicates per thread, but only %u exist",
				  ptx_shown_text(w->entry->name), w->k->preds, MAX_PREDS);
	return w->k->regs <= w->limit || ptx_spill(w);
}

static void add_hazard(struct inst *in, u32 bit)
{
	in->hazard[bit / 64] |= 1ull << bit % 64;
}

/* The physical register of an operand's first word, and how many of its words count. */
static u32 place_operand(const struct ptx_work *w, struct operand *o, bool low)
{
	u16 v = o->value;

	o->value = w->phys[v];
	return w->bits[v] == 64 && !low ? 2 : 1;
}

/* Replace dense numbers by physical ones in one instruction; fill read, write, write_pred, hazard. */
static void place_inst(const struct ptx_work *w, struct ptx_code *c)
{
	struct inst *in = &c->in;
	u32 npred = 0;

	if (in->guard.kind == OPERAND_PRED) {
		place_operand(w, &in->guard, false);
		add_hazard(in, HAZARD_PRED + in->guard.value);
	}
	for (u32 i = 0; i < in->nsrc; i++) {
		struct operand *o = &in->src[i];
		bool reg = o->kind == OPERAND_REG;
		u32 words = reg || o->kind == OPERAND_PRED ? place_operand(w, o, c->src_low[i]) : 0;

		for (u32 k = 0; k < words; k++) {
			if (reg && c->src_held >> i & 1)
				in->held |= (u8)(1u << in->nread);
			if (reg) {
				in->place[in->nread] = (u8)i;
				in->read[in->nread++] = (u8)(o->value + k);
			}
			add_hazard(in, (reg ? 0 : HAZARD_PRED) + o->value + k);
		}
	}
	for (u32 i = 0; i < in->ndst; i++) {
		struct operand *o = &in->dst[i];
		bool reg = o->kind == OPERAND_REG;
		u32 words = o->kind == OPERAND_NONE ? 0 : place_operand(w, o, false);

		for (u32 k = 0; k < words; k++) {
			if (reg)
				in->write[in->nwrite++] = (u8)(o->value + k);
			else
				in->write_pred[npred++] = (u8)o->value;
			add_hazard(in, (reg ? 0 : HAZARD_PRED) + o->value + k);
		}
	}
}

/* The timing view of all instructions. */
void ptx_timing(struct ptx_work *w)
{
	for (u32 i = 0; i < w->ncode; i++)
		place_inst(w, &w->code[i]);
}
