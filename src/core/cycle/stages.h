/*
 * stages.h - the stages of stages.def as code: some of them in a row, or one. For src/core only.
 *
 * The bounds are constants where these are used, so that nothing but the calls is left.
 */
#ifndef WARPSTEP_STAGES_H
#define WARPSTEP_STAGES_H

#include "blocks/blocks.h"
#include "fetch/fetch.h"
#include "memory/memory.h"

/* writeback.c */
void sm_writeback(struct sm_view *v);
/* sim.c: after its stages: may the SM sleep, and until when? */
void sm_settle(struct sm_view *v);
/* open.c: the pool that engine.threads wants, if it wants one */
void sim_crew(struct sim *s);
/* near.c: behind an SM, the next that is awake and the one after that are to come near */
void near_next_sms(struct sim *s, u32 sm);
/* stages of the GPU */
void gpu_inputs(struct sim *s);
void gpu_seal(struct sim *s);

#define FIRST_SM_STAGE STAGE_WRITEBACK
#define AFTER_SM_STAGES STAGE_CTA
#define GPU_STAGE(id, run) _Static_assert(id < FIRST_SM_STAGE || id >= AFTER_SM_STAGES, "stages of SMs stand together");
#define SM_STAGE(id, run) _Static_assert(id >= FIRST_SM_STAGE && id < AFTER_SM_STAGES, "stages of SMs stand together");
#define STAGE(id, name, whose, run, doc) whose(STAGE_##id, run)
#include "stages.def"
#undef GPU_STAGE
#undef SM_STAGE

/* Stages [from, end) of one SM. */
static inline __attribute__((always_inline)) void sm_stages(struct sm_view *v, u32 from, u32 end)
{
#define GPU_STAGE(id, run)
#define SM_STAGE(id, run) \
	if (id >= from && id < end) \
		run(v);
#include "stages.def"
#undef GPU_STAGE
#undef SM_STAGE
}

/* Those of the stages [from, end) that are the GPU's. */
static inline __attribute__((always_inline)) void gpu_stages(struct sim *s, u32 from, u32 end)
{
#define GPU_STAGE(id, run) \
	if (id >= from && id < end) \
		run(s);
#define SM_STAGE(id, run)
#include "stages.def"
#undef GPU_STAGE
#undef SM_STAGE
}
#undef STAGE

static inline bool stage_of_sm(u32 stage)
{
	return stage >= FIRST_SM_STAGE && stage < AFTER_SM_STAGES;
}

/* In front of an SM's stages: what it slept through is counted. */
static inline void sm_begin(struct sm_view *v)
{
	if (v->sleep->counted < view_cycle(v))
		sm_account_sleep(v, view_cycle(v));
}

#endif
