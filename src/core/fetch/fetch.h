/*
 * fetch.h - instruction buffers. For src/core only.
 */
#ifndef WARPSTEP_FETCH_H
#define WARPSTEP_FETCH_H

#include "memory/l1i.h"

/* fetch.c: is a fetch of a context that has a slot under way? Parts of the stages: n instructions enter the buffer of a
 * slot, false: they are thrown away; a lookup for a slot, which brings instructions of one line of so many bytes, true:
 * they are there; instructions of one line from an address on are there without it; another context waits for the line
 * (false: a context does not), too; n instructions for a slot are there, and are decoded in the next cycle. */
bool fetch_waits(const struct sm_view *v, u32 context);
bool fetch_decode(struct slot *s, u32 n);
bool fetch_look_up(struct sm_view *v, u32 slot, u32 bytes);
void fetch_near(struct sm_view *v, struct sub *sub, u32 slot, u64 address, u32 bytes);
bool fetch_joins(struct sm_view *v, u64 line, u32 context, u32 other);
static inline void fetch_found(struct sm_view *v, struct sub *sub, u32 slot, u32 n)
{
	struct slot *s = &v->slot[slot];
	INVARIANT(sub->ndecode < DECODE_WIDTH);
	sub->decode_slot[sub->ndecode] = (u16)slot;
	sub->decode_count[sub->ndecode++] = (u16)n;
	v->sm->decoding++;
	s->fetch_pc += n;
	s->fetching = (u8)n;
}
/* their stages */
void sm_decode(struct sm_view *v);
void sm_fetch(struct sm_view *v);

#endif
