/* host_loop.c - what the host does between launches: arguments of each iteration, conditions of loops, buffers reset.
 */
#include "front.h"

void launch_params(const struct launch *l, u32 iteration, u8 *out)
{
	u32 bytes = l->kernel->param_bytes, at = l->loop.iteration_param;

	if (bytes && l->param)
		memcpy(out, l->param, bytes);
	if (l->loop.present && at != ~0u && at + sizeof(iteration) <= bytes)
		memcpy(out + at, &iteration, sizeof(iteration));
}

/* An integer element of a host loop's condition, of any type but u64. */
static i64 host_loop_integer(u8 type, u64 raw)
{
	switch (type) {
	case VALUE_S8: return (i8)raw;
	case VALUE_S16: return (i16)raw;
	case VALUE_S32: return (i32)raw;
	default: return (i64)raw;
	}
}

/* -1, 0, 1: how the element that a host loop reads lies to its value; 2 for NaN. */
static int host_loop_compare(const struct host_loop *loop, const struct store *s)
{
	u64 raw = 0;
	double x = 0;
	float f;
	i64 v;

	store_read(s, loop->address, &raw, value_type_size[loop->type]);
	if (loop->type == VALUE_U64)
		return (raw > (u64)loop->value_int) - (raw < (u64)loop->value_int);
	if (loop->type != VALUE_F32 && loop->type != VALUE_F64) {
		v = host_loop_integer(loop->type, raw);
		return (v > loop->value_int) - (v < loop->value_int);
	}
	memcpy(&x, &raw, sizeof(x));
	memcpy(&f, &raw, sizeof(f));
	x = loop->type == VALUE_F32 ? (double)f : x;
	return x != x ? 2 : (x > loop->value_real) - (x < loop->value_real);
}

bool host_loop_again(const struct host_loop *loop, const struct store *s, u32 done)
{
	int order;

	if (!loop->present || done >= loop->max)
		return false;
	order = host_loop_compare(loop, s);
	switch (loop->compare) {
	case COMPARE_EQ: return order == 0;
	case COMPARE_NE: return order != 0;
	case COMPARE_LT: return order == -1;
	case COMPARE_LE: return order == -1 || order == 0;
	case COMPARE_GT: return order == 1;
	default: return order == 1 || order == 0;
	}
}

void host_loop_reset(const struct host_loop *loop, struct store *s)
{
	u64 left = loop->present ? loop->reset_bytes : 0, at = loop->reset_address;

	while (left) {
		u64 n = min_u64(left, STORE_PAGE);

		store_poke(s, at, store_zero_page, n);
		at += n;
		left -= n;
	}
}
