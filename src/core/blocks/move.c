/*
 * move.c - contexts of CTAs move between an SM and memory: one that is saved leaves its SM when its registers and its
 * shared memory have, one that goes on does so when they are there again.
 *
 * With chimera.switch time an SM has one port for that, which moves one context after the other at the SM's share of
 * DRAM's bandwidth (context_moves()), and what moves takes nothing of the bandwidth that others have. With memory a
 * context is lines of a window of its own, one CTA after the other, written to the L2 or read from it, not through the
 * L1D; a line leaves the SM where nothing else waits at its port, and goes on as all others do. Meanwhile the warps of
 * the CTA stand still (status preempting); what is in flight of a CTA that leaves comes back first. Other CTAs of the
 * SM go on. With free no context takes any time. Source: Park, Park, Mahlke, "Chimera", ASPLOS 2015, section 4.1, where
 * an SM is halted for the time that its contexts take. Deviation: lines of contexts have no way of their own through
 * the crossbar, the L2 and DRAM, where they wait and make wait as others do.
 */
#include "blocks/blocks.h"
#include "policy_multi.h"

/* Cycles that the context of a CTA takes; 0: it moves at once. */
static u64 move_cycles_of(const struct sm_view *v, u32 slot)
{
	if (v->m->config.chimera_switch == SWITCH_FREE)
		return 0;
	return context_moves(&v->m->config, cta_context_bytes(&v->cta[slot]));
}

/* The first of two dates, 0 for none. */
static u64 move_sooner(u64 a, u64 b)
{
	return a && b ? min_u64(a, b) : a | b;
}

/* Lines of the window that the context of a CTA takes. */
static u32 move_lines_of(const struct sm_view *v, u32 slot)
{
	u64 line = 1ULL << v->m->line_shift;
	return (u32)((cta_context_bytes(&v->cta[slot]) + line - 1) / line);
}

/* A context takes its turn at the port, from a cycle on, or all its lines are to go. */
static void move_set_out(struct sm_view *v, u32 slot, u64 from, u64 cycles)
{
	struct cta *cta = &v->cta[slot];
	if (v->m->config.chimera_switch == SWITCH_MEMORY) {
		cta->moves_at = NEVER;
		v->move[slot].turn = (u16)(v->move[slot].turn + 1);
		v->move[slot].unsent = move_lines_of(v, slot);
		v->sm->moving |= 1ULL << slot;
		v->gpu->moving++;
		return;
	}
	v->sm->port_at = max_u64(v->sm->port_at, from) + cycles;
	cta->moves_at = v->sm->port_at;
	cta->earlier -= (u32)(cta->moves_at - from);
	v->gpu->moves_at = move_sooner(v->gpu->moves_at, cta->moves_at);
}

/* A context begins to move, in a cycle; the CTA stands still. */
static void move_begin(struct sm_view *v, u32 slot, u64 from, u64 cycles)
{
	const struct cta *cta = &v->cta[slot];
	u64 bytes = cta_context_bytes(cta);
	move_set_out(v, slot, from, cycles);
	v->sm->stat[STAT_PREEMPT_MOVED] += bytes;
	ledger_moves(v, slot, from, bytes);
	emit_cta_record(v, EVENT_PREEMPT, slot, cta->moves_at == NEVER ? 0 : (u32)min_u64(cta->moves_at - from, NONE32),
			(u32)min_u64(bytes, NONE32));
	cta_halt(v, slot, true);
	v->sleep->until = min_u64(v->sleep->until, from);
}

/* The next line of a context: its number x 16 + the sectors of it that are in use. */
static u64 move_next_line(const struct sm_view *v, u32 slot)
{
	const struct cta *cta = &v->cta[slot];
	u64 bytes = cta_context_bytes(cta), at = (u64)(move_lines_of(v, slot) - v->move[slot].unsent)
						 << v->m->line_shift;
	u64 base = CONTEXT_BASE + cta->launch * CONTEXT_LAUNCH + cta->id * ((bytes + 255) / 256 * 256);
	u32 sectors = min_u32(v->m->sectors, (u32)min_u64((bytes - at + 31) / 32, NONE32));
	INVARIANT(sectors <= 4);
	return (base + at) >> v->m->line_shift << 4 | ((1u << sectors) - 1);
}

void move_line(struct sm_view *v)
{
	u32 slot = (u32)__builtin_ctzll(v->sm->moving), kind = v->cta[slot].leaving ? PACKET_SAVE : PACKET_RESTORE;
	v->sleep->active = 1;
	struct cta_move *move = &v->move[slot];
	if (v->port->out_count || !port_send_for(v, move_next_line(v, slot), slot, kind, move->turn))
		return;
	move->unanswered++;
	if (!--move->unsent)
		v->sm->moving &= ~(1ULL << slot);
}

/* The context of a CTA moves no longer through the L2. */
static void move_finish(struct sm_view *v)
{
	__atomic_fetch_sub(&v->gpu->moving, 1, __ATOMIC_RELAXED);
}

void move_answered(struct sm_view *v, const struct packet *p)
{
	struct cta *cta = &v->cta[p->tag];
	struct cta_move *move = &v->move[p->tag];
	if (move->turn != p->departed || !move->unanswered) {
		v->sm->stat[STAT_STALE_LINES]++;
		return;
	}
	if (--move->unanswered || move->unsent)
		return;
	cta->moves_at = view_cycle(v) + 1;
	__atomic_store_n(&v->gpu->moves_at, cta->moves_at, __ATOMIC_RELAXED);
	move_finish(v);
}

void move_forget(struct sm_view *v, u32 slot)
{
	struct cta_move *move = &v->move[slot];
	if (move->unsent | move->unanswered)
		move_finish(v);
	v->sm->moving &= ~(1ULL << slot);
	*move = (struct cta_move){.turn = move->turn};
}

bool move_out(struct sm_view *v, u32 slot)
{
	struct cta *cta = &v->cta[slot];
	u64 now = v->gpu->cycle;
	if (!cta->moves_at) {
		u64 cycles = move_cycles_of(v, slot);
		if (!cycles)
			return false;
		move_begin(v, slot, now, cycles);
		SET_EACH (i, cta->contexts, CONTEXT_WORDS)
			steps_end(v, i);
		v->gpu->departing++;
		return true;
	}
	if (cta->moves_at <= now && !cta->inflight) {
		v->gpu->departing--;
		return false;
	}
	v->gpu->moves_at = move_sooner(v->gpu->moves_at, max_u64(cta->moves_at, now + 1));
	return true;
}

void move_in(struct sm_view *v, u32 slot)
{
	u64 cycles = move_cycles_of(v, slot);
	if (cycles)
		move_begin(v, slot, v->gpu->cycle + 1, cycles);
	if (v->cta[slot].moves_at == NEVER) {
		v->move[slot].from = v->gpu->cycle + 1;
		v->move[slot].row = v->cta[slot].row;
	}
	v->cta[slot].row = 0;
}

void move_arrived(struct sm_view *v, u32 slot)
{
	struct cta *cta = &v->cta[slot];
	u64 now = v->gpu->cycle;
	if (cta->moves_at > now) {
		v->gpu->moves_at = move_sooner(v->gpu->moves_at, cta->moves_at);
		return;
	}
	sm_account_sleep(v, now);
	ledger_stood(v, v->move[slot].row, now - v->move[slot].from);
	move_forget(v, slot);
	cta->moves_at = 0;
	cta_halt(v, slot, false);
	v->sleep->until = min_u64(v->sleep->until, now);
}
