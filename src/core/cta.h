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
	return round_up(l->regs * m->lanes, m->config.sm_register_unit);
}

/* launches.c: launches whose last CTA has left are over, or go round again. */
void launches_end(struct sim *s);

/* place.c: contexts for all warps of the CTA that `first` names (launch, cta), in warp order; with_slots: only where there are slots for
 * them, too. False if they do not fit. *deflected: those not where the policy wants them. */
bool place_cta(struct sm_view *v, const struct newcomer *first, bool with_slots, u16 *context, u32 *deflected);

/* territory.c: a register file or a shared memory, and the stretches of its owners: first, first + step, ... */
struct territory {
	struct ground ground;
	struct map_word *map;		/* the ground's */
	struct stretch *stretch;	/* by owner */
	u32 first, step, owners;
};
struct territory register_file(const struct sm_view *v, u32 sub);
struct territory shared_memory(const struct sm_view *v);
void stretch_take(const struct territory *t, u32 owner, u32 amount);	/* registers or bytes, whole units; there are as many free */
void stretch_give(const struct territory *t, u32 owner);
/* While a CTA is placed: where the allocation policy, if there is one, puts the registers of a context and the shared memory of a
 * resident. False: nowhere, and nothing is taken. Without a policy counts have decided, and nothing is taken yet. */
bool settle_registers(struct sm_view *v, u32 launch, u32 context, u32 registers);
bool settle_shared(struct sm_view *v, u32 launch, u32 cta, u32 shared);
/* It does not come after all. */
void unsettle(struct sm_view *v, const u16 *context, u32 n);
/* A CTA that has come has all its stretches from here on, one that goes gives them back. */
void territory_settle(struct sm_view *v, u32 cta);
void territory_leave(struct sm_view *v, u32 cta);

/* dispatch.c: every SM is offered one CTA. */
void dispatch_all(struct sim *s);

/* leave.c: the finished CTAs of an SM leave it. */
void leave_finished(struct sm_view *v);

#endif
