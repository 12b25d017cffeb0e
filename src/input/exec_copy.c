/*
 * exec_copy.c - asynchronous copies from global to shared memory: what they read and write.
 *
 * The bytes are in shared memory as soon as the copy has issued, so that no value depends on time: when a copy is done
 * decides how long warps wait for it, and nothing else (copies.c). Source: PTX ISA 8.x, section 9.7.9.25.
 */
#include "exec_internal.h"

#define COPY_BYTES 16 /* of a lane, at most */

/* Bytes that each lane reads, of `bytes`. */
static void find_sizes(const struct front_env *env, const struct inst *in, u32 bytes, u32 *n)
{
	struct lane_operand room;
	bool ignores = in->src[3].kind == OPERAND_PRED, all = in->src[3].kind == OPERAND_NONE;
	const u32 *words = all ? NULL : exec_source(env, in, 3, ignores ? 'p' : 'w', &room);

	for (u32 l = 0; l < WARP_LANES; l++)
		n[l] = all ? bytes : ignores ? words[0] >> l & 1 ? 0 : bytes : min_u32(words[l], bytes);
}

/* Where the lanes write; true if one faults. */
static bool find_targets(const struct front_env *env, const struct inst *in, u32 bytes, struct front_result *r)
{
	struct lane_operand room;
	const u32 *base = exec_source(env, in, 1, 'w', &room);
	u32 offset = (u32)env->launch->kernel->imm[in->src[2].value];

	LANES_EACH (l, r->mask) {
		r->to[l] = base[l] + offset;
		if (memory_shared_faults(env, r, l, r->to[l], bytes))
			return true;
	}
	return false;
}

void copy_issue(const struct front_env *env, const struct inst *in, struct front_result *r)
{
	u32 n[WARP_LANES], bytes = (u32)in->width * in->vec, all = r->mask;
	const u8 *from[WARP_LANES];

	memory_addresses(env, in, r);
	find_sizes(env, in, bytes, n);
	for (u32 l = 0; l < WARP_LANES; l++)
		r->mask &= ~((u32)!n[l] << l);
	r->aside = all & ~r->mask;
	if (memory_sources(env, in, r, from))
		return;
	r->mask = all;
	if (find_targets(env, in, bytes, r))
		return;
	LANES_EACH (l, all) {
		u8 data[COPY_BYTES] = {0};

		if (n[l])
			memcpy(data, from[l], n[l]);
		memcpy(env->shared + r->to[l], data, bytes);
	}
}
