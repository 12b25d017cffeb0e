/*
 * policy_elf.h - what ELF keeps, and the priority of a warp, for those who show it.
 */
#ifndef WARPSTEP_POLICY_ELF_H
#define WARPSTEP_POLICY_ELF_H

#include "policy.h"

#define ELF_FIELDS(F, A) \
	F(u64, recalcs, "warp priorities calculated from program points") \
	F(u64, start, "priorities calculated because a warp got a warp slot, or the policy was switched on") \
	F(u64, load, "priorities calculated because a load issued") \
	F(u64, branch, "priorities calculated because a branch took the direction that its score did not assume") \
	F(u64, stack, "priorities calculated because a warp's PC changed otherwise, as at a reconvergence point") \
	F(u64, far, "priorities calculated because the next load came within the largest distance")
#define ELF_SLOT_FIELDS(F, A) \
	F(u8, priority, "priority of the slot's warp under policy elf: instructions to its next load")
struct elf {
	ELF_FIELDS(FIELD_MEMBER, FIELD_ARRAY)
};
struct elf_slot {
	ELF_SLOT_FIELDS(FIELD_MEMBER, FIELD_ARRAY)
};

/* Does it decide who issues or who is fetched for? (Not at its neutral setting.) */
static inline bool elf_decides(const struct machine *m)
{
	return m->config.elf_points && (m->policy_subscribers[NOTICE_STEP] >> SCHEME_elf & 1);
}
/* The priority of a slot that a warp holds: as the table has it, or calculated where ELF does not decide. */
u32 elf_priority(const struct sched_view *v, u32 slot);
/* The same calculated; the maximum, if the kernel's points are not known. */
u32 elf_naive(const struct sched_view *v, u32 slot);

#endif
