/*
 * cta.h - CTAs between the files that launch, dispatch, place and end them. For src/core only.
 */
#ifndef WARPSTEP_CTA_H
#define WARPSTEP_CTA_H

#include "core.h"

static inline struct launch_run *launch_runs(struct machine *m) { return machine_gpu_section(m, SECTION_LAUNCH); }
static inline struct agenda *launch_agenda(struct machine *m) { return machine_gpu_section(m, SECTION_AGENDA); }
static inline struct turn *launch_turns(struct machine *m) { return machine_gpu_section(m, SECTION_TURN); }

/* Registers that a warp of a launch takes in its sub-core. */
static inline u32 warp_registers(const struct machine *m, const struct launch *l)
{
	return round_up(l->regs * WARP_LANES, m->config.sm_register_unit);
}

/* launches.c: launches whose last CTA has left are over, or go round again. */
void launches_end(struct sim *s);

/* place.c: contexts for all warps of a CTA, in warp order; with_slots: only where there are slots for them, too. False if they do not fit.
 * *deflected: those not where the policy wants them. */
bool place_cta(struct sm_view *v, const struct launch *l, bool with_slots, u16 *context, u32 *deflected);

/* dispatch.c: every SM is offered one CTA. */
void dispatch_all(struct sim *s);

/* leave.c: the finished CTAs of an SM leave it. */
void leave_finished(struct sm_view *v);

#endif
