/*
 * kernels.c - kernels that share an SM, as its schedulers see them: which of them have slots in a set, and what a
 * scheduler could have issued.
 */
#include "policy_kernels.h"

#include "policy_multi.h"

/* The launches that run, in order of dispatch; *n: how many. */
static const struct turn *kernels_running(const struct sched_view *v, u32 *n)
{
	const struct agenda *agenda = (const void *)((const u8 *)v->m + v->m->section[SECTION_AGENDA].offset);
	*n = agenda->running;
	return (const void *)((const u8 *)v->m + v->m->section[SECTION_TURN].offset);
}

u32 kernels_going(const struct sched_view *v)
{
	u32 n, going = 0;
	const struct turn *turn = kernels_running(v, &n);
	for (u32 k = 0; k < n; k++)
		going += launch_goes_on(&v->run[turn[k].running], &v->launch[turn[k].running]);
	return going;
}

bool others_wait(const struct sched_view *v, u32 launch)
{
	u32 n;
	const struct turn *turn = kernels_running(v, &n);
	for (u32 k = 0; k < n; k++) {
		u32 l = turn[k].running;
		if (l != launch && launch_waits(&v->run[l], &v->launch[l]))
			return true;
	}
	return false;
}

bool seat_among(const struct machine *m, const struct kernel_count *seat, const u64 *set)
{
	u64 any = 0;
	for (u32 w = 0; seat->resident && w < m->words; w++)
		any |= seat->slots[w] & set[w];
	return any != 0;
}

u32 places_among(const struct sched_view *v, const u64 *set)
{
	const struct kernel_count *seat = seats_of(v->m, v->sm_id);
	u32 n = seat_count(v->m), places = 0;
	for (u32 i = 0; i < n; i++)
		if (seat_among(v->m, &seat[i], set))
			places |= 1u << i % KERNEL_PLACES;
	return places;
}

void keep_places(const struct sched_view *v, u64 *set, u32 places)
{
	const struct kernel_count *seat = seats_of(v->m, v->sm_id);
	u32 n = seat_count(v->m);
	u64 keep[SLOT_WORDS] = {0};
	for (u32 i = 0; i < n; i++)
		for (u32 w = 0; (places >> i % KERNEL_PLACES & 1) && w < v->m->words; w++)
			keep[w] |= seat[i].slots[w];
	for (u32 w = 0; w < v->m->words; w++)
		set[w] &= keep[w];
}

u32 issued_by(const struct sched_view *v, u32 slot, u64 *could)
{
	u32 k = 0, words = v->m->words;
	while (k < v->m->schedulers && (v[k].sched->chosen != slot || !SET_HAS(v[k].pool, slot)))
		k++;
	if (k == v->m->schedulers)
		return NONE32;
	for (u32 w = 0; w < words; w++)
		could[w] =
			(v->sm->seen[WARP_ELIGIBLE * words + w] | v->sm->seen[WARP_PAUSED * words + w]) & v[k].pool[w];
	SET_ADD(could, slot);
	return k;
}
