/*
 * shadow_internal.h - what the parts of the shadow share (shadow.c, race.c, race_global.c). For src/core only.
 */
#ifndef WARPSTEP_SHADOW_INTERNAL_H
#define WARPSTEP_SHADOW_INTERNAL_H

#include "signals/signals.h"
#include "shadow.h"

enum shadow_chunk {
	SHADOW_COUNTS,
	SHADOW_FOUND,
	SHADOW_CTA,
	SHADOW_PAGE,
	SHADOW_WRITERS,
	SHADOW_READERS,
	SHADOW_SYNC,
	SHADOW_SERVED,
	SHADOW_PRINTED_HEAD,
	SHADOW_PRINTED,
	SHADOW_CHUNKS
};

/* A chunk for writing, made of so many zeros if it is absent; where it lies. */
void *shadow_chunk(struct sim *s, enum shadow_chunk kind, u32 i, u64 bytes);
struct chunk **shadow_slot(struct sim *s, enum shadow_chunk kind, u32 i);
/* A chunk as it is, NULL if it is absent. */
const void *shadow_read(const struct sim *s, enum shadow_chunk kind, u32 i);

/* The last access of an SM to shared memory, whose banks it may still keep busy. */
struct served {
	u32 context, generation, pc, known;
};

/* An access to a byte of shared memory: who, where, in which stretch between barriers. */
#define TOUCH_ATOMIC 0x8000u
struct touch {
	u16 epoch;  /* 0: none */
	u16 thread; /* within the CTA; bit 15: an atomic */
	u16 pc;
};
struct cell {
	struct touch write, read;
	struct touch other; /* a read by another warp than `read`'s */
	u8 value;	    /* as last written */
	u8 written;
	u16 copied; /* written by an asynchronous copy: the number of its group, 0: not */
};
/* The groups of asynchronous copies of a context, counted from 1, mod 65536. */
struct copy_groups {
	u16 closed;  /* the last that was closed */
	u16 waited;  /* the last that it has waited for */
	u16 settled; /* the last that it had waited for before `epoch', the stretch of its last wait */
	u16 epoch;
};
#define SHADOW_CONTEXTS 256 /* of a CTA: 1024 threads in slices of 4 */
/* The shadow of a CTA. */
struct cta_shadow {
	u64 started;
	u32 launch, id, iteration;
	u32 bytes; /* of shared memory followed */
	u32 epoch; /* barriers completed + 1 */
	u32 spare;
	u32 barrier_pc[MAX_BARRIERS]; /* of the first warp that arrived + 1; 0: none */
	struct copy_groups groups[SHADOW_CONTEXTS];
	struct cell cell[];
};
struct cta_shadow *shadow_cta(struct sm_view *v, u32 slot);

static inline u16 shadow_pc(u32 pc)
{
	return (u16)min_u32(pc, 0xffff);
}

/* Count a record of a check's event, and give it to who wants it. */
void shadow_event(struct sm_view *v, u32 kind, u32 context, u32 pc, u64 address, u32 a, u32 b);
/* Enter a finding. */
void shadow_found(struct sm_view *v, const struct finding *x);
/* The same with its event. thread: that of the later access. */
void shadow_report(struct sm_view *v, u32 context, const struct finding *x);

void shadow_count_issue(struct sm_view *v, u32 context, u32 pc, const struct front_result *r);
/* race.c, race_global.c */
void shadow_shared(struct sm_view *v, u32 context, u32 pc, const struct inst *in, const struct front_env *env,
		   const struct front_result *r);
void shadow_global_read(struct sm_view *v, u32 context, u32 pc, const struct inst *in, const struct front_result *r);
void shadow_sync(struct sm_view *v, u32 context,
		 const struct inst *in); /* a fence, an atomic, a .volatile load: they may order */

#endif
