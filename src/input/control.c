/*
 * control.c - the control bits that an assembler would set (issue.dependences control).
 *
 * An instruction whose latency is known holds back those that need its result by stall counters: of the instruction in
 * front of the first that needs it, as much as the instructions between leave. Any other that writes registers gets a
 * dependence counter, and so does one that reads registers which are written again before its own result is needed; all
 * instructions that touch such a register wait for the counter. A counter is free again when an instruction has waited
 * for it. Where none is left, the one that was taken last for the same purpose is shared: for reads, for results that
 * take long (loads of global and local memory, atomics), for others. In a kernel whose reads need counters one is kept
 * for them, as a counter of both would make what waits for a read wait for the result, too.
 *
 * What may be on its way at an instruction is found along all ways that lead to it, by a set of counters for each
 * register. Waits only grow from round to round, so that in the last one no way is left on which something is missing.
 * At the end of a basic block the stall counter leaves no more than what the instructions that follow on any way take
 * before they need it. A branch of a trace, of which not all targets need be known, waits for everything.
 *
 * Sources: Huerta et al., MICRO 2025, section 4; maxas' wiki, "Control Codes". Deviations: ptxas knows more about
 * latencies, orders instructions by them and chooses counters by rules that are not published. The yield bit is set
 * where the stall counter is above 11, without which that would not count (Huerta, section 4). A trace's kernel that
 * has the bits of a cubin keeps them (trace_cubin.c).
 */
#include "control.h"
#include "ops.h"
#include "trace.h"

#define REGISTERS (HAZARD_WORDS * 64) /* and predicates, as in struct inst */
#define FAR (CONTROL_MOST_STALL + 1)  /* instructions */
#define NOWHERE (~0u)

/* What may be on its way: the counters of instructions that are to write a register, and of those that are to read it.
 */
struct flight {
	u8 write[REGISTERS], read[REGISTERS];
};

struct work {
	const struct kernel *k;
	const struct control_times *t;
	struct control_bits *out;
	u32 *block; /* by instruction: the basic block that it begins, NOWHERE: it begins none */
	u32 nblock;
	struct flight *at;    /* by block: at its begin */
	u8 (*far)[REGISTERS]; /* by block: instructions before the first that touches a register, up to FAR */
	u32 *seen, turn;      /* by instruction: turn in which a search has been there, */
	u32 *ahead;	      /* and those that it has still to look at */
};

/* Where control goes behind an instruction; ninst is the exit. Returns how many. */
static u32 ways_behind(const struct kernel *k, u32 pc, u32 way[2])
{
	const struct inst *in = &k->inst[pc];
	u32 n = 0;
	if (in->op == OP_BRA)
		way[n++] = min_u32(in->target, k->ninst);
	if ((in->op != OP_BRA && in->op != OP_EXIT) || inst_falls(k, in))
		way[n++] = pc + 1;
	return n;
}

static bool ends_block(const struct inst *in)
{
	return in->op == OP_BRA || in->op == OP_EXIT;
}

/* Does it wait for all that is on its way? */
static bool is_drain(const struct work *w, const struct inst *in)
{
	return w->k->front == FRONT_TRACE && in->op == OP_BRA;
}

static void find_blocks(struct work *w)
{
	const struct kernel *k = w->k;
	w->block = xmalloc((k->ninst + 1) * sizeof *w->block);
	for (u32 i = 0; i <= k->ninst; i++)
		w->block[i] = i && !ends_block(&k->inst[i - 1]) ? NOWHERE : 0;
	for (u32 i = 0; i < k->ninst; i++)
		if (k->inst[i].op == OP_BRA)
			w->block[min_u32(k->inst[i].target, k->ninst)] = 0;
	for (u32 i = 0; i < k->ninst; i++)
		if (w->block[i] != NOWHERE)
			w->block[i] = w->nblock++;
	w->block[k->ninst] = NOWHERE;
	w->at = xcalloc(w->nblock + 1, sizeof *w->at);
	w->far = xcalloc(w->nblock + 1, sizeof *w->far);
}

/* --- registers of an instruction --- */

static bool has(const u64 *set, u32 reg)
{
	return set[reg / 64] >> (reg % 64) & 1;
}

/* Is it done when it issues, but for a step of a synthetic kernel? */
static bool is_done_at_issue(const struct inst *in)
{
	return (in->class == CLASS_CONTROL || in->class == CLASS_FENCE) && in->op != OP_STEP;
}

/* Cycles until what it writes may be needed, 0: not known. */
static u32 due_of(const struct work *w, const struct inst *in)
{
	return is_done_at_issue(in) ? 1 : w->t->due(w->t->machine, in);
}

/* --- which instructions need counters --- */

/* Are registers that an instruction reads written anew from `from` on, before one has waited for what it writes? */
static bool is_overwritten(struct work *w, u32 from, const u64 *reads, const u64 *writes)
{
	u32 n = 0;
	w->turn++;
	w->ahead[n++] = from;
	while (n) {
		u64 again[HAZARD_WORDS] = {0};
		u32 way[2], i = w->ahead[--n];
		if (i >= w->k->ninst || w->seen[i] == w->turn)
			continue;
		const struct inst *in = &w->k->inst[i];
		w->seen[i] = w->turn;
		if (hazards_meet(in->hazard, writes) || is_drain(w, in))
			continue;
		inst_written(in, again);
		if (hazards_meet(again, reads))
			return true;
		for (u32 k = ways_behind(w->k, i, way); k; k--)
			w->ahead[n++] = way[k - 1];
	}
	return false;
}

static bool needs_read_counter(struct work *w, u32 pc)
{
	const struct inst *in = &w->k->inst[pc];
	u64 reads[HAZARD_WORDS] = {0}, writes[HAZARD_WORDS] = {0};
	for (u32 i = 0; i < in->nread; i++)
		reads[in->read[i] / 64] |= 1ULL << in->read[i] % 64;
	inst_written(in, writes);
	return in->nread && is_overwritten(w, pc + 1, reads, writes);
}

/* --- counters, in the order of the text --- */

enum purpose { FOR_READS, FOR_LONG, FOR_SHORT, PURPOSES };

struct pool {
	u32 used[PURPOSES]; /* counters in use, a bit each */
	u8 last[PURPOSES];  /* taken last, if it is in use */
	bool keep;	    /* reads are to have one of their own */
};

static enum purpose purpose_of(const struct inst *in)
{
	return in->class == CLASS_LOAD || in->class == CLASS_ATOMIC ? FOR_LONG : FOR_SHORT;
}

static u32 pool_open(const struct pool *p)
{
	return ~(p->used[FOR_READS] | p->used[FOR_LONG] | p->used[FOR_SHORT]) & ((1u << CONTROL_COUNTERS) - 1);
}

/* A counter in use, where none is open: of the same purpose, else of writes, else any. */
static u8 share_counter(const struct pool *p, enum purpose for_what)
{
	enum purpose other = for_what == FOR_LONG ? FOR_SHORT : FOR_LONG;
	if (!p->used[for_what])
		for_what = p->used[other] ? other : p->used[FOR_SHORT] ? FOR_SHORT : FOR_READS;
	bool again = p->used[for_what] >> p->last[for_what] & 1;
	return again ? p->last[for_what] : (u8)__builtin_ctz(p->used[for_what]);
}

static u8 take_counter(struct pool *p, enum purpose for_what)
{
	u32 open = pool_open(p);
	bool kept = for_what != FOR_READS && p->keep && !p->used[FOR_READS] && !(open & (open - 1));
	u8 taken = open && !kept ? (u8)__builtin_ctz(open) : share_counter(p, for_what);
	p->used[for_what] |= 1u << taken;
	p->last[for_what] = taken;
	return taken;
}

static void free_counters(struct pool *p, u32 counters)
{
	for (u32 i = 0; i < PURPOSES; i++)
		p->used[i] &= ~counters;
}

static u8 bit_of(u8 counter)
{
	return (u8)(counter == CONTROL_NONE ? 0 : 1u << counter);
}

/* The counters that an instruction has to wait for. */
static u8 waits_for(const struct work *w, const struct flight *f, const struct inst *in)
{
	u64 again[HAZARD_WORDS] = {0};
	u8 wait = 0;
	inst_written(in, again);
	for (u32 r = 0; r < REGISTERS; r++) {
		if (is_drain(w, in) || has(in->hazard, r))
			wait |= f->write[r];
		if (is_drain(w, in) || has(again, r))
			wait |= f->read[r];
	}
	return wait;
}

/* An instruction has waited and issues. */
static void pass(struct flight *f, const struct inst *in, const struct control_bits *b)
{
	u64 again[HAZARD_WORDS] = {0};
	inst_written(in, again);
	for (u32 r = 0; r < REGISTERS; r++) {
		f->write[r] &= (u8)~b->wait;
		f->read[r] &= (u8)~b->wait;
		if (has(again, r))
			f->write[r] |= bit_of(b->write);
	}
	for (u32 i = 0; i < in->nread; i++)
		f->read[in->read[i]] |= bit_of(b->read);
}

static void assign_counters(struct work *w)
{
	struct flight f = {0};
	struct pool p = {.keep = false};
	bool *reads = xcalloc(w->k->ninst + 1, sizeof *reads); /* by instruction: they need a counter */
	for (u32 i = 0; i < w->k->ninst; i++) {
		reads[i] = !due_of(w, &w->k->inst[i]) && needs_read_counter(w, i);
		p.keep |= reads[i];
	}
	for (u32 i = 0; i < w->k->ninst; i++) {
		const struct inst *in = &w->k->inst[i];
		struct control_bits *b = &w->out[i];
		*b = (struct control_bits){.stall = 1, .write = CONTROL_NONE, .read = CONTROL_NONE};
		b->wait = waits_for(w, &f, in);
		free_counters(&p, b->wait);
		if (!due_of(w, in) && inst_writes(in))
			b->write = take_counter(&p, purpose_of(in));
		if (reads[i])
			b->read = take_counter(&p, FOR_READS);
		pass(&f, in, b);
		b->wait = 0;
	}
	free(reads);
}

/* --- waits, along all ways --- */

static bool join(struct flight *into, const struct flight *f)
{
	u8 *a = into->write; /* both arrays, one behind the other */
	const u8 *b = f->write;
	bool more = false;
	_Static_assert(sizeof(struct flight) == (size_t)2 * REGISTERS, "nothing but the arrays");
	for (u32 r = 0; r < sizeof *f; r++) {
		more |= (b[r] & ~a[r]) != 0;
		a[r] |= b[r];
	}
	return more;
}

/* Walk through the block that begins at pc: what is on its way at the begins of those that follow. Does any of these
 * change, or a wait grow? */
static bool walk_block(struct work *w, u32 pc)
{
	struct flight f = w->at[w->block[pc]];
	bool more = false;
	for (u32 i = pc;; i++) {
		const struct inst *in = &w->k->inst[i];
		u32 way[2], n = ways_behind(w->k, i, way);
		u8 wait = waits_for(w, &f, in);
		more |= (wait & ~w->out[i].wait) != 0;
		w->out[i].wait |= wait;
		pass(&f, in, &w->out[i]);
		if (!ends_block(in) && i + 1 < w->k->ninst && w->block[i + 1] == NOWHERE)
			continue;
		for (u32 k = 0; k < n; k++)
			if (way[k] < w->k->ninst)
				more |= join(&w->at[w->block[way[k]]], &f);
		return more;
	}
}

static bool walk_all(struct work *w)
{
	bool more = false;
	for (u32 i = 0; i < w->k->ninst; i++)
		if (w->block[i] != NOWHERE)
			more |= walk_block(w, i);
	return more;
}

/* Until a round finds nothing more. */
static void find_waits(struct work *w)
{
	while (walk_all(w))
		;
}

/* --- stall counters --- */

/* Instructions from the begin of a block to the first that touches each register; did any become fewer? */
static bool find_far_of(struct work *w, u32 pc)
{
	u8 far[REGISTERS], *mine = w->far[w->block[pc]];
	u32 last = pc, way[2];
	bool fewer = false;
	while (!ends_block(&w->k->inst[last]) && last + 1 < w->k->ninst && w->block[last + 1] == NOWHERE)
		last++;
	u32 n = ways_behind(w->k, last, way);
	memset(far, FAR, sizeof far);
	for (u32 k = 0; k < n; k++)
		for (u32 r = 0; way[k] < w->k->ninst && r < REGISTERS; r++)
			far[r] = (u8)min_u32(far[r], w->far[w->block[way[k]]][r]);
	for (u32 i = last + 1; i-- > pc;)
		for (u32 r = 0; r < REGISTERS; r++)
			far[r] = has(w->k->inst[i].hazard, r) || is_drain(w, &w->k->inst[i])
					 ? 0
					 : (u8)min_u32(far[r] + 1u, FAR);
	for (u32 r = 0; r < REGISTERS; r++) {
		fewer |= far[r] < mine[r];
		mine[r] = far[r];
	}
	return fewer;
}

static void find_far(struct work *w)
{
	bool fewer = true;
	memset(w->far, FAR, (w->nblock + 1) * sizeof *w->far);
	while (fewer) {
		fewer = false;
		for (u32 i = w->k->ninst; i-- > 0;)
			if (w->block[i] != NOWHERE)
				fewer |= find_far_of(w, i);
	}
}

/* When an instruction may issue, `now` cycles behind the begin of its block at the earliest: at `now` or later. */
static u32 may_issue(const struct work *w, const u32 *ready, const struct inst *in, u32 now)
{
	for (u32 r = 0; r < REGISTERS; r++)
		if (has(in->hazard, r) || is_drain(w, in))
			now = max_u32(now, ready[r]);
	return now;
}

/* What the last instruction of a block leaves to be waited for on one of the ways behind it. */
static u32 left_behind(const struct work *w, u32 pc, const u32 *ready, u32 now)
{
	u32 way[2], n = ways_behind(w->k, pc, way), stall = 1;
	for (u32 k = 0; k < n; k++)
		for (u32 r = 0; way[k] < w->k->ninst && r < REGISTERS; r++) {
			u32 then = now + w->far[w->block[way[k]]][r];
			stall = max_u32(stall, ready[r] > then ? ready[r] - then : 1);
		}
	return stall;
}

/* A counter that has just been increased is seen two cycles later: the next instruction that waits for it, or one that
 * is not known, comes no sooner. */
static bool is_seen_late(const struct work *w, u32 pc, bool last)
{
	const struct control_bits *b = &w->out[pc];
	u8 own = bit_of(b->write) | bit_of(b->read);
	return own && (last || pc + 1 == w->k->ninst || own & w->out[pc + 1].wait);
}

static void stall_block(struct work *w, u32 pc)
{
	u32 ready[REGISTERS] = {0}, now = 0;
	for (u32 i = pc;; i++) {
		const struct inst *in = &w->k->inst[i];
		u64 writes[HAZARD_WORDS] = {0};
		u32 due = due_of(w, in), at = may_issue(w, ready, in, now);
		bool last = ends_block(in) || i + 1 == w->k->ninst || w->block[i + 1] != NOWHERE;
		if (i > pc)
			w->out[i - 1].stall = (u8)(w->out[i - 1].stall + at - now);
		inst_written(in, writes);
		for (u32 r = 0; r < REGISTERS; r++)
			if (has(writes, r))
				ready[r] = at + due;
		w->out[i].stall = (u8)(is_seen_late(w, i, last) ? 2 : 1);
		if (last) {
			w->out[i].stall = (u8)max_u32(w->out[i].stall, left_behind(w, i, ready, at));
			return;
		}
		now = at + w->out[i].stall;
	}
}

static void find_stalls(struct work *w)
{
	find_far(w);
	for (u32 i = 0; i < w->k->ninst; i++)
		if (w->block[i] != NOWHERE)
			stall_block(w, i);
}

/* --- the rest --- */

static u8 reuse_of(const struct inst *in)
{
	u32 reuse = 0;
	for (u32 i = 0; i < in->nread; i++)
		if (in->reuse >> i & 1 && in->place[i] < REUSE_PLACES)
			reuse |= 1u << in->place[i];
	return (u8)reuse;
}

void control_assign(const struct kernel *k, const struct control_times *t, struct control_bits *out)
{
	if (k->trace && k->trace->bits) {
		memcpy(out, k->trace->bits, k->ninst * sizeof *out);
		return;
	}
	struct work w = {.k = k, .t = t, .out = out, .seen = xcalloc(k->ninst + 1, sizeof *w.seen)};
	w.ahead = xcalloc(k->ninst + 2, sizeof *w.ahead);
	find_blocks(&w);
	assign_counters(&w);
	find_waits(&w);
	find_stalls(&w);
	for (u32 i = 0; i < k->ninst; i++) {
		out[i].yield = out[i].stall > CONTROL_LONG_STALL;
		out[i].reuse = reuse_of(&k->inst[i]);
	}
	free(w.block);
	free(w.at);
	free(w.far);
	free(w.seen);
	free(w.ahead);
}

const char *control_text(const struct control_bits *b, char *out)
{
	char wait[CONTROL_COUNTERS + 1] = "------";
	for (u32 i = 0; i < CONTROL_COUNTERS; i++)
		if (b->wait >> i & 1)
			wait[i] = (char)('0' + i);
	snprintf(out, CONTROL_TEXT, "B%s:R%c:W%c:%c:S%02u", wait, b->read < CONTROL_COUNTERS ? '0' + b->read : '-',
		 b->write < CONTROL_COUNTERS ? '0' + b->write : '-', b->yield ? 'Y' : '-', b->stall & 15u);
	return out;
}

const char *control_reuse_text(const struct control_bits *b, char *out)
{
	u32 n = 0;
	for (u32 i = 0; i < REUSE_PLACES; i++)
		if (b->reuse >> i & 1)
			out[n++] = (char)('0' + i);
	out[n] = '\0';
	return out;
}
