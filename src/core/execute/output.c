/* output.c - what the program prints, kept in the shadow chunks of the SM on which it runs (output.h). */
#include "execute/perform.h"
#include "output.h"
#include "checks/shadow_internal.h"

#include <string.h>

static const struct output_count *output_head_of(const struct sim *s, u32 sm)
{
	return shadow_read(s, SHADOW_PRINTED_HEAD, sm);
}

struct output_count output_count(const struct sim *s, u32 sm)
{
	const struct output_count *c = output_head_of(s, sm);
	return c ? *c : (struct output_count){0};
}

const struct output_record *output_next(const struct sim *s, u32 sm, u32 *chunk, u32 *at)
{
	const struct output_count *c = output_head_of(s, sm);
	while (c && *chunk <= c->chunk && *chunk < OUTPUT_CHUNKS) {
		const u8 *data = shadow_read(s, SHADOW_PRINTED, sm * OUTPUT_CHUNKS + *chunk);
		const struct output_record *r = (const void *)(data + *at);
		bool last = *chunk == c->chunk && *at >= c->at;
		if (!last && *at + sizeof *r <= OUTPUT_CHUNK && r->cycle) {
			*at += (u32)sizeof *r + round_up(r->length, 8);
			return r;
		}
		++*chunk;
		*at = 0;
	}
	return NULL;
}

/* Room for a record and its text; NULL: there is none. */
static struct output_record *output_room_for(struct sim *s, u32 sm, struct output_count *c, u32 length)
{
	u32 bytes = (u32)sizeof(struct output_record) + round_up(length, 8);
	if (c->at + bytes > OUTPUT_CHUNK) {
		c->chunk++;
		c->at = 0;
	}
	if (c->chunk >= OUTPUT_CHUNKS) {
		c->chunk = OUTPUT_CHUNKS;
		c->lost++;
		return NULL;
	}
	u8 *data = shadow_chunk(s, SHADOW_PRINTED, sm * OUTPUT_CHUNKS + c->chunk, OUTPUT_CHUNK);
	struct output_record *r = (void *)(data + c->at);
	c->at += bytes;
	c->records++;
	return r;
}

/* One lane's call is kept. */
static void output_keep(struct sm_view *v, const struct front_env *env, const struct inst *in, u32 lane,
			const struct print_result *p)
{
	struct output_count *c = shadow_chunk(v->sim, SHADOW_PRINTED_HEAD, v->id, sizeof *c);
	struct output_record *r = output_room_for(v->sim, v->id, c, p->length);
	u32 context = env->context, slice = lane / v->m->lanes;
	if (!r)
		return;
	if (v->m->parent_shift)
		context = (context >> v->m->parent_shift << v->m->parent_shift) + slice;
	*r = (struct output_record){.cycle = view_cycle(v) + 1,
				    .launch = v->warp[env->context].launch,
				    .cta = env->cta,
				    .pc = (u32)(in - env->launch->kernel->inst),
				    .thread = env->warp * WARP_LANES + lane,
				    .sm = (u16)v->id,
				    .warp = (u16)context,
				    .lane = (u8)lane,
				    .failed = in->op == OP_ASSERT,
				    .problem = p->problem,
				    .length = (u16)p->length,
				    .value = p->value};
	memcpy(r + 1, p->text, p->length);
}

void output_print(const struct front_env *env, const struct inst *in, u32 mask)
{
	struct sm_view *v = (void *)((u8 *)(uintptr_t)env - offsetof(struct sm_view, env));
	u32 pc = (u32)(in - env->launch->kernel->inst);
	struct print_result p;
	for (u32 left = v->sim->shadow & SHADOW_OUTPUT ? mask : 0; left; left &= left - 1) {
		u32 lane = (u32)__builtin_ctz(left);
		front_print(env, in, lane, &p);
		chunk_pool_lock(v->sim->store.pool);
		output_keep(v, env, in, lane, &p);
		chunk_pool_unlock(v->sim->store.pool);
	}
	emit(v, EVENT_OUTPUT, env->context, pc, 0, (u32)__builtin_popcount(mask), in->op == OP_ASSERT);
	if (v->m->config.preempt_ctas && in->op == OP_VPRINTF)
		cta_trip(v, env->context, pc);
}

void output_open(struct sim *s)
{
	shadow_slot(s, SHADOW_PRINTED_HEAD, 0);
}
