/*
 * move.c - contexts of CTAs move between an SM and memory: one that is saved leaves its SM when its registers and its
 * shared memory have, one that goes on does so when they are there again.
 *
 * An SM has one port for that, which moves one context after the other at the SM's share of DRAM's bandwidth
 * (context_moves()). Meanwhile the warps of the CTA stand still (status preempting); what is in flight of a CTA that
 * leaves comes back first. Other CTAs of the SM go on. With chimera.switch free no context takes any time. Source:
 * Park, Park, Mahlke, "Chimera", ASPLOS 2015, section 4.1, where an SM is halted for the time that its contexts take.
 * Deviation, as there: what moves takes nothing of the bandwidth that others have.
 */
#include "cta.h"
#include "policy_multi.h"

/* Cycles that the context of a CTA takes; 0: it moves at once. */
static u64 cycles_of(const struct sm_view *v, u32 slot)
{
	if (v->m->config.chimera_switch == SWITCH_FREE)
		return 0;
	return context_moves(&v->m->config, cta_context_bytes(&v->cta[slot]));
}

/* The first of two dates, 0 for none. */
static u64 sooner(u64 a, u64 b)
{
	return a && b ? min_u64(a, b) : a | b;
}

/* A context takes its turn at the port, from a cycle on; the CTA stands still. */
static void begin(struct sm_view *v, u32 slot, u64 from, u64 cycles)
{
	struct cta *cta = &v->cta[slot];
	u64 bytes = cta_context_bytes(cta);
	v->sm->port_at = max_u64(v->sm->port_at, from) + cycles;
	cta->moves_at = v->sm->port_at;
	v->gpu->moves_at = sooner(v->gpu->moves_at, cta->moves_at);
	v->sm->stat[STAT_PREEMPT_MOVED] += bytes;
	ledger_moves(v, slot, from, bytes);
	emit_cta_record(v, EVENT_PREEMPT, slot, (u32)min_u64(cta->moves_at - from, NONE32),
			(u32)min_u64(bytes, NONE32));
	cta_halt(v, slot, true);
	v->sleep->until = min_u64(v->sleep->until, from);
}

bool move_out(struct sm_view *v, u32 slot)
{
	struct cta *cta = &v->cta[slot];
	u64 now = v->gpu->cycle;
	if (!cta->moves_at) {
		u64 cycles = cycles_of(v, slot);
		if (!cycles)
			return false;
		begin(v, slot, now, cycles);
		SET_EACH (i, cta->contexts, CONTEXT_WORDS)
			steps_end(v, i);
		v->gpu->departing++;
		return true;
	}
	if (cta->moves_at <= now && !cta->inflight) {
		v->gpu->departing--;
		return false;
	}
	v->gpu->moves_at = sooner(v->gpu->moves_at, max_u64(cta->moves_at, now + 1));
	return true;
}

void move_in(struct sm_view *v, u32 slot)
{
	u64 cycles = cycles_of(v, slot);
	if (cycles)
		begin(v, slot, v->gpu->cycle + 1, cycles);
	v->cta[slot].row = 0;
}

void move_arrived(struct sm_view *v, u32 slot)
{
	struct cta *cta = &v->cta[slot];
	u64 now = v->gpu->cycle;
	if (cta->moves_at > now) {
		v->gpu->moves_at = sooner(v->gpu->moves_at, cta->moves_at);
		return;
	}
	sm_account_sleep(v, now);
	cta->moves_at = 0;
	cta_halt(v, slot, false);
	v->sleep->until = min_u64(v->sleep->until, now);
}
