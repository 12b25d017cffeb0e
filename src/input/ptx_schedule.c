/*
 * ptx_schedule.c - the instructions of straight lines in an order that an assembler might choose (ptx.schedule).
 *
 * Compilers write PTX in the order of the source, each load in front of its first use; ptxas moves loads up, so that
 * a warp waits once for many. This does the same by list scheduling: of the instructions whose operands are there the
 * one with the longest way to the end of its line goes first; when so many values are alive that registers become
 * scarce, the one that frees most. Where a thread could notice the order it stays: nothing passes a barrier, a jump, a
 * label or a reading of the clock; accesses of memory that may meet, fences, atomics, volatile accesses and exchanges
 * between lanes keep theirs. An atomic whose result nobody reads becomes a reduction, as ptxas makes it, which on
 * shared memory is in the way of no load from elsewhere. Distances are those of recent GPUs, in cycles; only their
 * ratios matter. Deviation: ptxas' own rules are not published; it also unrolls, merges and predicates, which is not
 * done here. Source: Gibbons and Muchnick, "Efficient Instruction Scheduling for a Pipelined Architecture", 1986; the
 * limit is Goodman and Hsu, "Code Scheduling and Register Allocation in Large Basic Blocks", 1988, with one way of
 * choosing when registers are plenty and another when they are not.
 */

#include "ptx_internal.h"
#include "spill.h"

#define LINE 1024u /* instructions that are looked at together */
#define WORDS_ALIVE \
	32u /* 32-bit registers of values made in a line from which on fewer are wanted: with 32 most SMs are full of \
	       warps */
#define ISSUE 2u /* cycles between two instructions of a warp */
#define NO_BASE 0xffffffffu
#define SPILL_BASE 0xfffffffeu /* the slots of spilled registers */

/* How an instruction may be moved past others. */
enum order_kind { ORDER_FREE, ORDER_LANES, ORDER_LOAD, ORDER_STORE, ORDER_ALL };

/* Another instruction must come after this one, so many cycles later if nothing is to wait. */
struct order_edge {
	u32 to, cycles, next; /* next: 1 + index of another from the same one, 0 none */
};

struct order_node {
	u32 edges, waits;  /* 1 + first edge; instructions that must come before */
	u32 height, ready; /* cycles from its issue to the end of the line; first cycle in which operands are there */
	u32 base, from, until; /* of an access: what its address is counted from, first byte, behind the last */
	u16 reads[1 + MAX_SRC + MAX_DST], writes[MAX_DST];
	u8 nreads, nwrites, kind, space, done;
};

/* What is known of a register while a line is read. */
struct order_reg {
	u32 writer, readers; /* 1 + the last that wrote it; 1 + first in `reader`, of those that have read it since */
	u32 reads;	     /* times it was read in the line */
	u8 enters;	     /* it is read before it is written: its value comes from outside */
};

struct order_reader {
	u32 node, next;
};

struct order {
	struct ptx_work *w;
	u32 first, n;
	struct order_node *node;
	struct order_edge *edge;
	struct order_reader *reader;
	u32 nedge, cap_edge, nreader, cap_reader;
	struct order_reg *reg; /* by dense register */
	u32 *all;	       /* by dense register: reads of it in the whole entry */
	u32 *uses;	       /* by node x MAX_DST: readers that the value has in the line */
	u32 *maker;	       /* by node x reads: 1 + node x MAX_DST + which of its values is read, 0: from outside */
	u8 *lasting;	       /* by node x MAX_DST: the value is alive at the end of the line */
	struct ptx_code *moved;
};

static u32 order_cycles(const struct inst *in)
{
	static const u16 of[CLASS_COUNT] = {
		[CLASS_INT] = 4,      [CLASS_IMUL] = 4,	   [CLASS_IDIV] = 80,  [CLASS_FP32] = 4,
		[CLASS_FP64] = 8,     [CLASS_SFU] = 17,	   [CLASS_DIV32] = 40, [CLASS_DIV64] = 100,
		[CLASS_TENSOR] = 20,  [CLASS_SHFL] = 24,   [CLASS_CONST] = 30, [CLASS_LOAD] = 300,
		[CLASS_ATOMIC] = 300, [CLASS_SHLOAD] = 27, [CLASS_DMMA] = 26,  [CLASS_HALF] = 5,
	};

	return max_u32(of[in->class], 1);
}

static bool order_reads_clock(const struct inst *in)
{
	for (u32 i = 0; i < in->nsrc; i++)
		if (in->src[i].kind == OPERAND_SREG && ptx_special_is_timed(in->src[i].value))
			return true;
	return false;
}

/* Does a line end before or with it? The steps of a matrix product stay one behind the other. */
static bool order_wall(const struct inst *in)
{
	return in->class == CLASS_CONTROL || in->class == CLASS_TENSOR || in->class == CLASS_DMMA ||
	       order_reads_clock(in);
}

static u8 order_kind(const struct inst *in)
{
	bool plain = !(in->aux & ACCESS_STRONG);

	if (in->class == CLASS_SHFL)
		return ORDER_LANES;
	if (in->op == OP_LDMATRIX || op_is_fetch(in->op))
		return ORDER_LOAD;
	if (in->op == OP_LD && (in->space == SPACE_PARAM || in->space == SPACE_CONST))
		return ORDER_FREE;
	if (in->op == OP_ATOM && in->space == SPACE_SHARED && !in->ndst)
		return ORDER_STORE;
	if (in->op == OP_LD || in->op == OP_ST)
		return !plain ? ORDER_ALL : in->op == OP_LD ? ORDER_LOAD : ORDER_STORE;
	if ((in->class >= CLASS_LOAD && in->class <= CLASS_FENCE) || in->op == OP_VPRINTF || in->op == OP_COPY_COMMIT ||
	    in->op == OP_COPY_WAIT)
		return ORDER_ALL;
	return ORDER_FREE;
}

static void order_edge(struct order *o, u32 from, u32 to, u32 cycles)
{
	o->edge = ptx_grow(o->w->arena, o->edge, o->nedge, &o->cap_edge, sizeof(*o->edge));
	o->edge[o->nedge] = (struct order_edge){to, cycles, o->node[from].edges};
	o->node[from].edges = ++o->nedge;
	o->node[to].waits++;
}

/* The registers that an instruction reads and writes, each once. */
static void order_registers(struct order_node *x, const struct ptx_code *c)
{
	u16 used[1 + MAX_SRC + MAX_DST];
	u32 n = ptx_uses(c, used);

	for (u32 i = 0; i < n; i++) {
		bool seen = false;

		for (u32 k = 0; k < x->nreads; k++)
			seen |= x->reads[k] == used[i];
		if (!seen)
			x->reads[x->nreads++] = used[i];
	}
	for (u32 i = 0; i < c->in.ndst; i++)
		if (c->in.dst[i].kind != OPERAND_NONE)
			x->writes[x->nwrites++] = c->in.dst[i].value;
}

/* It comes behind who wrote what it reads, who read and who wrote what it writes. */
static void order_by_registers(struct order *o, u32 i)
{
	struct order_node *x = &o->node[i];

	for (u32 k = 0; k < x->nreads; k++) {
		struct order_reg *r = &o->reg[x->reads[k]];
		u32 writer = r->writer;

		r->reads++;
		r->enters |= !writer;
		if (writer)
			order_edge(o, writer - 1, i, order_cycles(&o->w->code[o->first + writer - 1].in));
		for (u32 d = 0; writer && d < o->node[writer - 1].nwrites; d++)
			if (o->node[writer - 1].writes[d] == x->reads[k]) {
				o->maker[i * (1 + MAX_SRC + MAX_DST) + k] = 1 + (writer - 1) * MAX_DST + d;
				o->uses[(writer - 1) * MAX_DST + d]++;
			}
		o->reader = ptx_grow(o->w->arena, o->reader, o->nreader, &o->cap_reader, sizeof(*o->reader));
		o->reader[o->nreader] = (struct order_reader){i, r->readers};
		r->readers = ++o->nreader;
	}
	for (u32 k = 0; k < x->nwrites; k++) {
		struct order_reg *r = &o->reg[x->writes[k]];

		for (u32 at = r->readers; at; at = o->reader[at - 1].next)
			if (o->reader[at - 1].node != i)
				order_edge(o, o->reader[at - 1].node, i, 0);
		if (r->writer && r->writer - 1 != i) {
			order_edge(o, r->writer - 1, i, 1);
			for (u32 d = 0; d < o->node[r->writer - 1].nwrites; d++)
				if (o->node[r->writer - 1].writes[d] == x->writes[k])
					o->lasting[(r->writer - 1) * MAX_DST + d] = 0;
		}
		r->writer = i + 1;
		r->readers = 0;
		o->lasting[i * MAX_DST + k] = 1;
	}
}

/* May two accesses meet in memory? */
static bool order_meet(const struct order_node *x, const struct order_node *y)
{
	if (x->space != y->space && x->space != SPACE_GENERIC && y->space != SPACE_GENERIC)
		return false;
	return x->base == NO_BASE || x->base != y->base || (x->from < y->until && y->from < x->until);
}

/* Must instruction i, an access or an exchange, stay behind j? */
static bool order_behind(const struct order_node *x, const struct order_node *y)
{
	if (x->kind == ORDER_FREE || y->kind == ORDER_FREE)
		return false;
	if (x->kind == ORDER_ALL || y->kind == ORDER_ALL)
		return true;
	if (x->kind == ORDER_LANES || y->kind == ORDER_LANES)
		return x->kind == y->kind;
	return (x->kind == ORDER_STORE || y->kind == ORDER_STORE) && order_meet(x, y);
}

/* What an access touches, counted from the value that its address register has now. */
static void order_extent(struct order_node *x, const struct inst *in)
{
	x->space = in->space;
	x->base = inst_spills(in) ? SPILL_BASE : NO_BASE;
	x->from = (u32)in->offset + 0x80000000u;
	x->until = x->from + (u32)in->width * max_u32(in->vec, 1);
	if ((in->op != OP_LD && in->op != OP_ST) || !in->nsrc || in->src[0].kind != OPERAND_REG)
		return;
	x->base = in->src[0].value; /* where it is written anew that write keeps the accesses in order */
}

/* The last value of a register in the line goes on behind it if it is read elsewhere, or there again. */
static void order_last_values(struct order *o)
{
	for (u32 i = 0; i < o->n; i++)
		for (u32 k = 0; k < o->node[i].nwrites; k++) {
			const struct order_reg *r = &o->reg[o->node[i].writes[k]];

			o->lasting[i * MAX_DST + k] &= r->enters || o->all[o->node[i].writes[k]] > r->reads;
		}
}

/* The registers of the line, of which nothing is known yet. */
static void order_open(struct order *o)
{
	for (u32 i = 0; i < o->n; i++) {
		struct order_node *x = &o->node[i];

		order_registers(x, &o->w->code[o->first + i]);
		for (u32 k = 0; k < x->nreads; k++)
			o->reg[x->reads[k]] = (struct order_reg){0};
		for (u32 k = 0; k < x->nwrites; k++)
			o->reg[x->writes[k]] = (struct order_reg){0};
	}
}

/* Nodes and edges of the line. */
static void order_read(struct order *o)
{
	order_open(o);
	for (u32 i = 0; i < o->n; i++) {
		struct order_node *x = &o->node[i];
		const struct inst *in = &o->w->code[o->first + i].in;

		x->kind = order_kind(in);
		if (x->kind != ORDER_FREE) {
			order_extent(x, in);
			for (u32 k = 0; k < i; k++)
				if (order_behind(x, &o->node[k]))
					order_edge(o, k, i, 0);
		}
		order_by_registers(o, i);
	}
	order_last_values(o);
	for (u32 i = o->n; i-- > 0;)
		for (u32 at = o->node[i].edges; at; at = o->edge[at - 1].next)
			o->node[i].height =
				max_u32(o->node[i].height, o->edge[at - 1].cycles + o->node[o->edge[at - 1].to].height);
}

/* 32-bit registers by which the values alive grow when an instruction is taken. */
static int order_growth(const struct order *o, u32 i)
{
	const struct order_node *x = &o->node[i];
	int words = 0;

	for (u32 k = 0; k < x->nwrites; k++)
		if (o->uses[i * MAX_DST + k] || o->lasting[i * MAX_DST + k])
			words += o->w->bits[x->writes[k]] / 32;
	for (u32 k = 0; k < x->nreads; k++) {
		u32 made = o->maker[i * (1 + MAX_SRC + MAX_DST) + k];

		if (made && o->uses[made - 1] == 1 && !o->lasting[made - 1])
			words -= o->w->bits[x->reads[k]] / 32;
	}
	return words;
}

/* Is x the better one to take now? The first in the text, if nothing else decides. */
static bool order_better(const struct order *o, u32 x, u32 y, u32 now, bool scarce)
{
	const struct order_node *a = &o->node[x], *b = &o->node[y];
	u32 wait_a = a->ready > now ? a->ready - now : 0, wait_b = b->ready > now ? b->ready - now : 0;

	if (scarce) {
		int grows_a = order_growth(o, x), grows_b = order_growth(o, y);

		if (grows_a != grows_b)
			return grows_a < grows_b;
	}
	if (wait_a != wait_b)
		return wait_a < wait_b;
	return a->height != b->height ? a->height > b->height : x < y;
}

/* Instruction i is taken. */
static int order_take(struct order *o, u32 i, u32 now)
{
	struct order_node *x = &o->node[i];
	int words = order_growth(o, i);

	for (u32 k = 0; k < x->nreads; k++) {
		u32 made = o->maker[i * (1 + MAX_SRC + MAX_DST) + k];

		if (made)
			o->uses[made - 1]--;
	}
	for (u32 at = x->edges; at; at = o->edge[at - 1].next) {
		struct order_node *y = &o->node[o->edge[at - 1].to];

		y->waits--;
		y->ready = max_u32(y->ready, now + o->edge[at - 1].cycles);
	}
	x->done = 1;
	return words;
}

/* Choose one after the other; true if the order has changed. */
static bool order_choose(struct order *o)
{
	u32 now = 0, oldest = 0;
	bool changed = false;
	int alive = 0;

	for (u32 n = 0; n < o->n; n++) {
		u32 best = PTX_NONE;

		while (o->node[oldest].done)
			oldest++;
		for (u32 i = oldest; i < o->n; i++)
			if (!o->node[i].done && !o->node[i].waits &&
			    (best == PTX_NONE || order_better(o, i, best, now, alive >= (int)WORDS_ALIVE)))
				best = i;
		now = max_u32(now, o->node[best].ready);
		alive += order_take(o, best, now);
		now += ISSUE;
		changed |= best != n;
		o->moved[n] = o->w->code[o->first + best];
	}
	return changed;
}

/* Put instructions [first, last), a straight line without walls, into order. */
static bool order_line(struct order *o, u32 first, u32 last)
{
	struct ptx_work *w = o->w;
	u8 joins;

	o->first = first;
	o->n = last - first;
	if (o->n < 3)
		return false;
	memset(o->node, 0, o->n * sizeof(*o->node));
	memset(o->uses, 0, o->n * MAX_DST * sizeof(*o->uses));
	memset(o->lasting, 0, o->n * MAX_DST);
	memset(o->maker, 0, o->n * (1 + MAX_SRC + MAX_DST) * sizeof(*o->maker));
	o->nedge = o->nreader = 0;
	order_read(o);
	if (!order_choose(o))
		return false;
	joins = w->code[first].in.flow & FLOW_JOINS; /* said of the place */
	memcpy(&w->code[first], o->moved, o->n * sizeof(*o->moved));
	for (u32 i = first; i < last; i++) {
		w->code[i].in.flow &= (u8)~FLOW_JOINS;
		w->code[i].in.target = i + 1;
	}
	w->code[first].in.flow |= joins;
	return true;
}

bool ptx_schedule(struct ptx_work *w, const u8 *labelled, bool *changed)
{
	struct order o = {.w = w};
	u32 from = 0, asked = 0, most = min_u32(LINE, w->ncode); /* of a line */

	o.node = arena_alloc(w->arena, most * sizeof(*o.node));
	o.moved = arena_alloc(w->arena, most * sizeof(*o.moved));
	o.uses = arena_alloc(w->arena, most * MAX_DST * sizeof(*o.uses));
	o.lasting = arena_alloc(w->arena, most * MAX_DST);
	o.maker = arena_alloc(w->arena, most * (1 + MAX_SRC + MAX_DST) * sizeof(*o.maker));
	o.reg = arena_alloc(w->arena, (w->nreg + 1) * sizeof(*o.reg));
	o.all = arena_alloc(w->arena, (w->nreg + 1) * sizeof(*o.all));
	for (u32 i = 0; i < w->ncode; i++) {
		struct order_node x = {0};

		if (w->code[i].unread && w->code[i].in.ndst) {
			w->code[i].in.ndst = 0;
			*changed = true;
		}
		order_registers(&x, &w->code[i]);
		for (u32 k = 0; k < x.nreads; k++)
			o.all[x.reads[k]]++;
	}
	for (u32 i = 0; i <= w->ncode; i++) {
		bool wall = i == w->ncode || order_wall(&w->code[i].in);

		if (!wall && i - from < LINE && !(i > from && (labelled[i] || w->block_of[i] != w->block_of[i - 1])))
			continue;
		if (i - asked >= LINE || i == w->ncode) {
			if (!ptx_goes_on(w->p))
				return false;
			asked = i;
		}
		*changed |= order_line(&o, from, i);
		from = i + wall;
	}
	return true;
}
