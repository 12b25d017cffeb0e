/*
 * two_level_active.c - two-level scheduling as GPGPU-Sim 3.2.2 has it: a pool of sched.active warps of each scheduler
 * may issue, the rest wait in a queue.
 *
 * Before a scheduler chooses, each warp of its pool that has ended, waits at a barrier or fence, for a register of
 * global or local memory, or for lanes of its own for ever goes to the end of the queue, in the order of the pool; from
 * the head of the queue, whatever waits there, the pool is filled up. The first of the pool that can issues, and the
 * pool goes round to those behind it. Slots without a warp are in the lists as if their warps had ended; where all
 * have, lists stay. Source: two_level_active_scheduler, the outer
 * level strict, the inner loose round robin ("two_level_active:6:0:1").
 *
 * Pool and queue are one list, of which the pool is the front. While nothing happens in an SM what waits goes round, by
 * as many places in each cycle, so that the list after many cycles is known at once. Deviations: a warp also waits
 * whose next instruction writes a register that memory will write; and one that policies held or paused in the cycle
 * before, or whose CTA is halted, for it would keep its place for as long as they like.
 */
#include "policy.h"

#define ACTIVE_FIELDS(F, A) \
	F(u32, chose, "1 = the schedulers are choosing") \
	F(u32, spare, "padding, always 0")
/* Of a place in a scheduler's list: sub-core by sub-core, scheduler by scheduler, a slot of the sub-core each. */
#define ACTIVE_PLACE_FIELDS(F, A) \
	F(u16, slot, "warp slot of the scheduler at this list position, minus the position, mod the number of slots")
OWN_STRUCT(active, ACTIVE_FIELDS)
OWN_STRUCT(active_place, ACTIVE_PLACE_FIELDS)

/* The list of a scheduler, as numbers of its slots. */
struct list {
	u16 at[SLOT_WORDS * 64];
	u32 n, pool; /* slots of the scheduler; of them, in the pool */
};

static const struct active *two_level_active_own_of(const struct sched_view *v)
{
	return scheme_own(v->m, SCHEME_two_level_active, v->sm_id);
}
static const struct active_place *two_level_active_places_of(const struct active *own, const struct sched_view *v)
{
	const struct active_place *all = (const void *)(own + 1);
	return all + (v->sub_id * v->m->config.sm_schedulers + v->sched_id) * v->m->slots_per_sub;
}

/* The i-th slot of a scheduler, and how many it has (sched.pool). */
static inline u32 two_level_active_slot_at(const struct sched_view *v, u32 i)
{
	u32 local = v->m->config.sched_pool ? i : v->sched_id + i * v->m->config.sm_schedulers;
	return v->sub_id * v->m->slots_per_sub + local;
}
static inline u32 two_level_active_slots_of(const struct sched_view *v)
{
	u32 n = v->m->slots_per_sub, step = v->m->config.sm_schedulers;
	return v->m->config.sched_pool ? n : (n - v->sched_id + step - 1) / step;
}

/* The pool of a scheduler's list, or all of it. */
static void two_level_active_list_read(const struct sched_view *v, const struct active *own, bool all, struct list *l)
{
	const struct active_place *place = two_level_active_places_of(own, v);
	u32 n = two_level_active_slots_of(v), pool = min_u32(v->m->config.sched_active, n);
	l->n = n;
	l->pool = pool;
	for (u32 i = 0; i < (all ? n : pool); i++)
		l->at[i] = (u16)(place[i].slot + i - (place[i].slot + i < n ? 0 : n));
}
static void two_level_active_list_write(const struct sched_view *v, const struct active *own, bool all,
					const struct list *l, u8 *bytes)
{
	struct active_place *place =
		(void *)(bytes + ((const u8 *)two_level_active_places_of(own, v) - (const u8 *)own));
	for (u32 i = 0; i < (all ? l->n : l->pool); i++)
		place[i].slot = (u16)(l->at[i] - i + (l->at[i] < i ? l->n : 0));
}

/* Does a slot have no place in the pool? */
static bool two_level_active_waits(const struct sched_view *v, u32 i)
{
	u32 slot = two_level_active_slot_at(v, i), words = v->m->words;
	const struct slot *s = &v->slot[slot];
	bool kept = SET_HAS(&v->sm->seen[WARP_HELD * words], slot) || SET_HAS(&v->sm->set[SET_HALTED * words], slot);
	return kept || s->context == NONE16 || s->set == SET_DONE || s->set == SET_BARRIER || s->set == SET_FENCE ||
	       s->set == SET_LONG || s->set == SET_GANG;
}

/* Did a policy let others of a scheduler go before one that stood in its pool? */
static bool two_level_active_passed_over(const struct sched_view *v, u32 i)
{
	return SET_HAS(&v->sm->seen[WARP_PAUSED * v->m->words], two_level_active_slot_at(v, i));
}

/* One cycle: those of the pool that stay, the queue, those that go. Returns how many stay. */
static u32 two_level_active_demote(const struct sched_view *v, struct list *l)
{
	u16 gone[SLOT_WORDS * 64];
	u32 stay = 0, out = 0;
	for (u32 i = 0; i < l->pool; i++)
		if (two_level_active_waits(v, l->at[i]) || two_level_active_passed_over(v, l->at[i]))
			gone[out++] = l->at[i];
		else
			l->at[stay++] = l->at[i];
	memmove(l->at + stay, l->at + l->pool, (l->n - l->pool) * sizeof *l->at);
	/* cppcheck-suppress uninitvar ; the first `out` are there */
	memcpy(l->at + l->n - out, gone, out * sizeof *l->at);
	return stay;
}

/* Does all that is behind the first `stay` wait? */
static bool two_level_active_rest_waits(const struct sched_view *v, const struct list *l, u32 stay)
{
	for (u32 i = stay; i < l->n; i++)
		if (!two_level_active_waits(v, l->at[i]))
			return false;
	return true;
}

/* What is behind the first `stay` goes round by so many places. */
static void two_level_active_go_round(struct list *l, u32 stay, u64 by)
{
	u16 old[SLOT_WORDS * 64];
	u32 n = l->n - stay;
	memcpy(old, l->at + stay, n * sizeof *old);
	for (u32 i = 0; i < n; i++)
		l->at[stay + i] = old[(i + by) % n];
}

/* Has a scheduler no warp that has not ended? */
static bool two_level_active_idle(const struct sched_view *v)
{
	u64 busy = 0;
	for (u32 w = 0; w < v->m->words; w++)
		busy |= slots_live(v, w) & v->pool[w];
	return !busy;
}

/* Some cycles in which what the warps wait for stays as it is. */
static void two_level_active_pass(const struct sched_view *v, struct list *l, u64 cycles)
{
	while (cycles) {
		u32 stay = two_level_active_demote(v, l);
		cycles--;
		if (stay == l->pool)
			return;
		if (two_level_active_rest_waits(v, l, stay)) {
			/* NOLINTNEXTLINE(clang-analyzer-core.*): fewer stay than the pool holds */
			two_level_active_go_round(l, stay, cycles % (l->n - stay) * (l->pool - stay));
			return;
		}
	}
}

/* Does the whole pool keep its place? */
static bool two_level_active_all_stay(const struct sched_view *v, const struct list *l)
{
	for (u32 i = 0; i < l->pool; i++)
		if (two_level_active_waits(v, l->at[i]) || two_level_active_passed_over(v, l->at[i]))
			return false;
	return true;
}

/* The pool goes round to those behind the slot that has issued, if that is one of it. */
static void two_level_active_turn(const struct sched_view *v, const struct active *own, u8 *bytes)
{
	struct list l, old;
	u32 i = 0;
	if (v->sched->chosen == NONE16)
		return;
	two_level_active_list_read(v, own, false, &l);
	while (i < l.pool && two_level_active_slot_at(v, l.at[i]) != v->sched->chosen)
		i++;
	if (i == l.pool)
		return;
	memcpy(old.at, l.at, l.pool * sizeof *l.at);
	for (u32 k = 0; k < l.pool; k++)
		l.at[k] = old.at[i + 1 + k < l.pool ? i + 1 + k : i + 1 + k - l.pool];
	two_level_active_list_write(v, own, false, &l, bytes);
}

/* Some cycles, before the schedulers choose or asleep. */
static void two_level_active_move_on(const struct sched_view *v, const struct active *own, u64 cycles, u8 *bytes)
{
	struct list l;
	two_level_active_list_read(v, own, false, &l);
	if (two_level_active_all_stay(v, &l) || two_level_active_idle(v))
		return;
	two_level_active_list_read(v, own, true, &l);
	two_level_active_pass(v, &l, cycles);
	two_level_active_list_write(v, own, true, &l, bytes);
}

/* The schedulers are about to choose: one cycle. They have chosen: who issued goes last; and the cycles that the SM
 * slept. */
static void two_level_active_on_notice(const struct sched_view *v, const struct notice *n, void *bytes)
{
	struct active *own = bytes;
	bool chose = own->chose;
	for (u32 k = 0; k < v->m->schedulers; k++)
		if (n->kind == NOTICE_CHOOSE)
			two_level_active_move_on(&v[k], own, 1, bytes);
		else if (chose)
			two_level_active_turn(&v[k], own, bytes);
		else
			two_level_active_move_on(&v[k], own, n->count, bytes);
	own->chose = n->kind == NOTICE_CHOOSE;
}

static u32 two_level_active_order(const struct sched_view *v, const u64 *candidates)
{
	struct list l;
	two_level_active_list_read(v, two_level_active_own_of(v), false, &l);
	for (u32 i = 0; i < l.pool; i++)
		if (SET_HAS(candidates, two_level_active_slot_at(v, l.at[i])))
			return two_level_active_slot_at(v, l.at[i]);
	return NONE32;
}

/* Its place, in the pool or behind it. */
static u32 two_level_active_score(const struct sched_view *v, u32 slot, struct score *out)
{
	struct list l;
	u32 i = 0;
	two_level_active_list_read(v, two_level_active_own_of(v), true, &l);
	while (i < l.n && two_level_active_slot_at(v, l.at[i]) != slot)
		i++;
	*out = (struct score){i < l.pool ? "pool" : "queue", i < l.pool ? i : i - l.pool};
	return 1;
}

/* While warps are ready the pool may let one of them in in the next cycle. */
static u64 two_level_active_wake(const struct sched_view *v, u64 from)
{
	return set_first(&v->sm->set[SET_READY * v->m->words], v->m->words) == NONE32 ? NEVER : from;
}

static bool two_level_active_depends_on_state(const struct config *c UNUSED)
{
	return true;
}

static u32 two_level_active_places(const struct config *c)
{
	return config_slots(c) * c->sm_schedulers;
}

const struct scheme scheme_two_level_active = {
	.name = "two-level-active",
	.paper = "GPGPU-Sim 3.2.2, two_level_active_scheduler",
	.doc = "two-level scheduling with an active pool of sched.active warps per scheduler, in round robin: a warp that stalls on memory is replaced from the pending queue",
	.decide.order = two_level_active_order,
	.reads_other_slots = true,
	.score = two_level_active_score,
	.on_notice = two_level_active_on_notice,
	.subscribes = 1ULL << NOTICE_CHOOSE | 1ULL << NOTICE_CYCLES,
	.wake = two_level_active_wake,
	.depends_on_state = two_level_active_depends_on_state,
	.own = {OWN(active, "active", IN_SM, NULL), OWN(active_place, "active.place", IN_SM, two_level_active_places)},
};
