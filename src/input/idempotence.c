/*
 * idempotence.c - the marks of a launch: from where accesses may go to which of them overwrite what is read.
 *
 * A kernel that reads no global memory has nothing to overwrite, wherever its stores go. The order of reads and writes
 * does not count: another block, or another round of a loop, may read later.
 */
#include "idempotence_internal.h"

#include "synth.h"

/* The first instruction that reads what `may` has in common with it; TRIP_NOWHERE: none. */
static u32 find_reader(const struct kernel *k, const struct reaches *r, u64 may)
{
	for (u32 pc = 0; pc < k->ninst; pc++)
		if (k->inst[pc].op != OP_ST && r->may[pc] & may)
			return pc;
	return TRIP_NOWHERE;
}

/* Why a store trips that may go to `may`, where the kernel reads `read`. */
static struct trip judge_store(const struct kernel *k, const struct reaches *r, u64 may, u64 read)
{
	u64 unknown = MAY_NUMBER | MAY_ANY, both = may & read & ~unknown;
	struct trip t = {TRIP_NONE, TRIP_NOWHERE, TRIP_NOWHERE};

	if (!may || !read)
		return t;
	if (both) {
		t.why = TRIP_READ;
		t.buffer = r->buffer[__builtin_ctzll(both / MAY_BUFFER(0))];
		t.read = find_reader(k, r, both & -both);
	} else if (may & unknown) {
		t.why = TRIP_STORE_ANYWHERE;
	} else if (read & unknown) {
		t.why = TRIP_LOAD_ANYWHERE;
		t.read = find_reader(k, r, unknown);
	}
	return t;
}

/* Mark the instructions of a PTX kernel. */
static void mark_ptx(const struct program *p, const struct launch *l, struct idempotence *x)
{
	const struct kernel *k = l->kernel;
	struct reaches r = {.may = xcalloc(k->ninst + 1, sizeof(u64))};
	u64 read = 0;

	reaches_find(p, l, &r);
	for (u32 pc = 0; pc < k->ninst; pc++) {
		r.may[pc] &= ~MAY_WINDOW;
		read |= k->inst[pc].op == OP_ST ? 0 : r.may[pc];
	}
	for (u32 pc = 0; pc < k->ninst; pc++)
		if (k->inst[pc].op == OP_ATOM && r.may[pc])
			x->trip[pc].why = TRIP_ATOMIC;
		else if (k->inst[pc].op == OP_ST)
			x->trip[pc] = judge_store(k, &r, r.may[pc], read);
	free(r.may);
}

/* Does a warp begin a synthetic kernel's loop again with this instruction? */
static bool goes_round(const struct kernel *k, u32 pc)
{
	return k->inst[pc].op == OP_BRA && k->inst[pc].target <= pc;
}

/* Mark the instructions of a synthetic kernel: the first part of its iterations is idempotent, then the jump that
 * begins the next one ends that, whatever is in it; of one described by time the first step behind that part of them.
 */
static void mark_synth(const struct kernel *k, struct idempotence *x)
{
	if (k->synth->time) {
		if (k->synth->idempotent < 100)
			x->trip[synth_step_trips(k->synth)].why = TRIP_DECLARED;
		return;
	}
	x->from = (u32)((u64)k->synth->iterations * k->synth->idempotent / 100);
	for (u32 pc = 0; pc < k->ninst; pc++)
		if (k->inst[pc].class == CLASS_ATOMIC)
			x->trip[pc].why = TRIP_ATOMIC;
		else if ((k->inst[pc].class == CLASS_STORE || goes_round(k, pc)) && k->synth->idempotent < 100)
			x->trip[pc].why = TRIP_DECLARED;
	if (k->synth->idempotent == 100)
		x->from = 0;
}

struct idempotence *idempotence_make(const struct program *p, const struct launch *l)
{
	const struct kernel *k = l->kernel;
	struct idempotence *x = xcalloc(1, sizeof(*x));

	x->ninst = k->ninst;
	x->trip = xcalloc(k->ninst + 1, sizeof(*x->trip));
	for (u32 pc = 0; pc < k->ninst; pc++)
		x->trip[pc] = (struct trip){TRIP_NONE, TRIP_NOWHERE, TRIP_NOWHERE};
	if (k->front == FRONT_PTX)
		mark_ptx(p, l, x);
	else if (k->front == FRONT_TRACE)
		idempotence_trace(l, x);
	else
		mark_synth(k, x);
	for (u32 pc = 0; pc < k->ninst; pc++)
		if (k->inst[pc].op == OP_VPRINTF)
			x->trip[pc].why = TRIP_PRINT;
	for (u32 pc = 0; pc < k->ninst; pc++)
		x->marked += x->trip[pc].why != TRIP_NONE;
	return x;
}

void idempotence_free(struct idempotence *x)
{
	if (!x)
		return;
	free(x->trip);
	free(x);
}

void idempotence_reason(const struct idempotence *x, const struct program *p, u32 pc, struct text *out)
{
	const struct trip *t = &x->trip[pc];

	switch (t->why) {
	case TRIP_ATOMIC: text_add(out, "atomic"); break;
	case TRIP_READ:
		text_add(out, "overwrites buffer %s, which is read at %u", p->buffer[t->buffer].name, t->read);
		break;
	case TRIP_STORE_ANYWHERE: text_add(out, "may write to any buffer"); break;
	case TRIP_LOAD_ANYWHERE: text_add(out, "the load at %u may read any buffer", t->read); break;
	case TRIP_LINE: text_add(out, "overwrites a line that is read at %u", t->read); break;
	case TRIP_PRINT: text_add(out, "prints"); break;
	case TRIP_DECLARED: text_add(out, "declared: idempotent is below 100"); break;
	default: text_add(out, "idempotent");
	}
}
