/*
 * live.c - live registers of a kernel (live.h), by the usual equations, backwards until nothing changes.
 *
 * What one thread needs is what counts: a guarded instruction leaves standing what it might have written, and a branch
 * that may or may not be taken goes both ways.
 */
#include "live.h"

#include "ops.h"

struct set {
	u64 word[LIVE_WORDS];
};

static void set_bit(u64 *set, u32 reg)
{
	set[reg / 64] |= 1ULL << reg % 64;
}

/* What an instruction reads and writes. */
static void uses(const struct inst *in, struct set *read, struct set *written)
{
	*read = *written = (struct set){{0}};
	for (u32 i = 0; i < in->nread; i++)
		set_bit(read->word, in->read[i]);
	for (u32 i = 0; i < in->nwrite; i++)
		set_bit(written->word, in->write[i]);
}

/* Live after instruction pc: before any that can follow it. before[ninst] is the empty set of the end. */
static struct set after(const struct kernel *k, const struct set *before, u32 pc)
{
	const struct inst *in = &k->inst[pc];
	bool always = k->front == FRONT_PTX && in->guard.kind == OPERAND_NONE;
	struct set out = {{0}};

	for (u32 w = 0; w < LIVE_WORDS; w++) {
		if (in->op == OP_BRA)
			out.word[w] |= before[min_u32(in->target, k->ninst)].word[w];
		if (!always || (in->op != OP_BRA && in->op != OP_EXIT))
			out.word[w] |= before[pc + 1].word[w];
	}
	return out;
}

/* One step at pc; true if what is live before it grew. */
static bool step(const struct kernel *k, struct set *before, u32 pc)
{
	struct set out = after(k, before, pc), read, written;
	bool grew = false;

	uses(&k->inst[pc], &read, &written);
	for (u32 w = 0; w < LIVE_WORDS; w++) {
		u64 kept = k->inst[pc].guard.kind == OPERAND_NONE ? out.word[w] & ~written.word[w] : out.word[w];
		u64 now = before[pc].word[w] | read.word[w] | kept;

		grew |= now != before[pc].word[w];
		before[pc].word[w] = now;
	}
	return grew;
}

bool live_at(const struct kernel *k, u32 pc, struct live *out)
{
	struct set *before, read, written, then;
	bool grew = true;

	*out = (struct live){{0}, {0}, {0}, {0}};
	if (pc >= k->ninst)
		return false;
	uses(&k->inst[pc], &read, &written);
	memcpy(out->read, read.word, sizeof(out->read));
	memcpy(out->written, written.word, sizeof(out->written));
	if (k->front == FRONT_TRACE)
		return false;
	before = xcalloc(k->ninst + 1, sizeof(*before));
	while (grew) {
		grew = false;
		for (u32 i = k->ninst; i--;)
			grew |= step(k, before, i);
	}
	then = after(k, before, pc);
	memcpy(out->in, before[pc].word, sizeof(out->in));
	memcpy(out->out, then.word, sizeof(out->out));
	free(before);
	return true;
}
