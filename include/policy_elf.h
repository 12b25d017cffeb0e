/*
 * policy_elf.h - what ELF keeps, and the priority of a warp, for those who show it.
 */
#ifndef WARPSTEP_POLICY_ELF_H
#define WARPSTEP_POLICY_ELF_H

#include "policy.h"

#define ELF_FIELDS(F, A) \
	F(u64, recalcs, "priorities calculated from program points") \
	F(u64, start, "of them, because a warp got a slot, or the policy came") \
	F(u64, load, "because a load issued") \
	F(u64, branch, "because a branch went the way that its score did not assume") \
	F(u64, stack, "because a warp went on elsewhere for another reason") \
	F(u64, far, "because the next load came within reach")
#define ELF_SLOT_FIELDS(F, A) \
	F(u8, priority, "instructions to the next load of the slot's warp, as policy elf knows them")
struct elf {
	ELF_FIELDS(FIELD_MEMBER, FIELD_ARRAY)
};
struct elf_slot {
	ELF_SLOT_FIELDS(FIELD_MEMBER, FIELD_ARRAY)
};

/* Does it decide who issues or who is fetched for? (Not at its neutral setting.) */
static inline bool elf_decides(const struct machine *m)
{
	return m->config.elf_points && (m->policy_told[NOTICE_STEP] >> SCHEME_elf & 1);
}
/* The priority of a slot that a warp holds: as the table has it, or calculated where ELF does not decide. */
u32 elf_priority(const struct sched_view *v, u32 slot);
/* The same calculated; the maximum, if the kernel's points are not known. */
u32 elf_naive(const struct sched_view *v, u32 slot);

#endif
