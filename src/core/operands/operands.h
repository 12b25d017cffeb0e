/*
 * operands.h - collector units and register banks. For src/core only.
 */
#ifndef WARPSTEP_OPERANDS_H
#define WARPSTEP_OPERANDS_H

#include "memory/lsu.h"

/* A context's CTA leaves before its end: its instructions leave their collector units. What has gone further is dropped
 * as it comes. */
void collect_forget(struct sm_view *v, u32 context);
void sm_collect(struct sm_view *v); /* stage collect */

/* Parts of the stage of one sub-core: units dispatch before an arbitration (collector.late), banks grant in it (how
 * many), behind the last of a cycle, units dispatch; the oldest collector unit of a set; the LSU takes an instruction,
 * false: it does not; a collector unit is free. */
void collect_early(struct sm_view *v, const struct sub_view *part, u32 pass);
u32 collect_arbitrate(struct sm_view *v, const struct sub_view *part, u32 pass);
void collect_reads(struct sm_view *v, const struct sub_view *part, u32 granted);
void collect_dispatch(struct sm_view *v, const struct sub_view *part);
u32 collect_oldest(const struct collector *cu, u32 set);
bool collect_lsu(struct sm_view *v, const struct sub_view *part, struct collector *cu);
void collect_release(struct sm_view *v, const struct sub_view *part, u32 index);

/* The register cache (collector.reuse): does it have what a read of a bank asks for? The read comes to its place, which
 * has it, or not. */
bool collect_kept(const struct sm_view *v, const struct sub_view *part, u32 bank_id, struct bankq q);
void collect_read_kept(struct sm_view *v, const struct sub_view *part, u32 bank_id, struct bankq q, bool kept);

/* allocate.c (collector.allocate): an instruction that issues has taken a collector unit; a cycle of stage collect of a
 * sub-core; collector units whose instructions wait beside, for their reads; an instruction leaves its collector unit
 * before its time; kinds of units that will take none of fixed
 * latency that issues now, a bit each */
void allocate_enter(struct sm_view *v, const struct sub_view *part, const struct inst *in, struct collector *cu);
void allocate_step(struct sm_view *v, const struct sub_view *part);
u32 allocate_waiting(const struct sm_view *v, const struct sub *sub);
void allocate_forget(struct sub *sub, u32 index);
u32 allocate_kinds_full(const struct sm_view *v, const struct sub_view *part);

#endif
