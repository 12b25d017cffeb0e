/*
 * atomic.c - what atomics leave in memory, and the writes that reach global memory at the end of a cycle.
 *
 * Source: PTX ISA 8.x, "atom", "red"; warpstep-model(7).
 */
#include "exec_internal.h"
#include "exec_math.h"

/* Signed operands, widened. */
static i64 atomic_signed(enum value_type type, u64 v)
{
	return type == VALUE_S32 ? (i32)(u32)v : (i64)v;
}

/* a + b in the type's arithmetic; single precision in global memory flushes denormals. */
static u64 atomic_sum(enum value_type type, u64 a, u64 b, bool flush)
{
	if (type == VALUE_F64)
		return canonical_f64(double_of(a) + double_of(b));
	if (type != VALUE_F32)
		return a + b;
	if (!flush)
		return canonical_f32(float_of((u32)a) + float_of((u32)b));
	return canonical_f32(flush_f32(float_of(flush_bits((u32)a)) + float_of(flush_bits((u32)b))));
}

/* Sums of halves, one or two of them; denormals stay. */
static u32 atomic_halves(enum atom_op op, u32 a, u32 b)
{
	u32 high = 0;

	if (op == ATOM_ADD_F16X2)
		high = half_of(half_to(a >> 16) + half_to(b >> 16));
	if (op == ATOM_ADD_BF16X2)
		high = brain_of(odd_sum(brain_to(a >> 16), brain_to(b >> 16)));
	if (op == ATOM_ADD_F16 || op == ATOM_ADD_F16X2)
		return half_pair(half_of(half_to(a) + half_to(b)), high);
	return half_pair(brain_of(odd_sum(brain_to(a), brain_to(b))), high);
}

/* n arrivals at an mbarrier: ptx_copy.c. The last one of a phase begins the next. */
static u64 atomic_arrive(u64 old, u64 n)
{
	u64 pending = old & 0xfffff, expected = old >> 20 & 0xfffff;

	if (pending > n)
		return old - n;
	return (old & ~(u64)0xfffff) + expected + (1ull << 40);
}

/* Whether a is less than b in the type's order. */
static bool atomic_less(enum value_type type, u64 a, u64 b)
{
	if (type == VALUE_S32 || type == VALUE_S64)
		return atomic_signed(type, a) < atomic_signed(type, b);
	return a < b;
}

u64 atomic_value(enum atom_op op, enum value_type type, u64 old, u64 a, u64 b, bool flush)
{
	switch (op) {
	case ATOM_ADD: return atomic_sum(type, old, a, flush);
	case ATOM_MIN: return atomic_less(type, a, old) ? a : old;
	case ATOM_MAX: return atomic_less(type, old, a) ? a : old;
	case ATOM_AND: return old & a;
	case ATOM_OR: return old | a;
	case ATOM_XOR: return old ^ a;
	case ATOM_EXCH: return a;
	case ATOM_CAS: return old == a ? b : old;
	case ATOM_INC: return old >= a ? 0 : old + 1;
	case ATOM_DEC: return !old || old > a ? a : old - 1;
	case ATOM_ADD_F16:
	case ATOM_ADD_BF16:
	case ATOM_ADD_F16X2:
	case ATOM_ADD_BF16X2: return atomic_halves(op, (u32)old, (u32)a);
	case ATOM_ARRIVE: return atomic_arrive(old, a);
	default: die("atomic operation %d", (int)op);
	}
}

u64 write_apply(struct store *s, const struct write_entry *w)
{
	u8 *p = store_page_write(s, w->address) + w->address % STORE_PAGE;
	u64 old = 0, value;

	if (!w->atom) {
		bytes_copy(p, w->data, w->bytes);
		return 0;
	}
	word_copy(&old, p, w->bytes);
	value = atomic_value((enum atom_op)(w->atom - 1), (enum value_type)w->type, old, w->data[0], w->data[1], true);
	word_copy(p, &value, w->bytes);
	return old;
}

void write_finish(struct store *s, const struct write_entry *w, u32 *regs)
{
	u64 old = write_apply(s, w);

	if (!w->atom || w->dst == REG_NONE)
		return;
	regs[(u32)w->dst * WARP_LANES + w->lane] = (u32)old;
	if (w->bytes == 8)
		regs[((u32)w->dst + 1) * WARP_LANES + w->lane] = (u32)(old >> 32);
}
