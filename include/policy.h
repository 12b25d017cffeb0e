/*
 * policy.h - policies decide; the engine does, counts and tells.
 *
 * A scheme is one file (src/policy/x.c) with one struct scheme and one row in schemes.def. Every function gets the
 * machine const and returns a choice; the engine checks it, carries it out, counts it, publishes it.
 * A NULL slot means: not concerned; the baseline's behaviour stands.
 */
#ifndef WARPSTEP_POLICY_H
#define WARPSTEP_POLICY_H

#include "machine.h"

/* What a scheduler's policy sees. Slots are numbered within the SM, those of sub-core S from S x slots_per_sub; sets have
 * m->words words. */
struct sched_view {
	const struct machine *m;
	const struct sm *sm;
	const struct sub *sub;
	const struct slot *slot;	/* of the SM */
	const struct warp *warp;	/* contexts of the SM */
	const struct simt_entry *stack;
	const struct sched *sched;	/* this scheduler: last, issued */
	const struct bank *bank;	/* of the SM: those of sub-core S from S x sm.banks */
	const struct kernel *const *kernel; /* by launch */
	const u64 *pool;		/* slots that belong to this scheduler */
	const u64 *clock;		/* cycle of the SM */
	u32 sm_id, sub_id, sched_id;
};

/* What an order looks at in a slot, for people: "age" 12. */
struct score { const char *word; u64 value; };

struct scheme {
	const char *name, *paper, *doc;
	const char *neutral;	/* the setting and its value at which it equals the baseline; NULL: it is a baseline itself */
	const char *equals;	/* the baseline that it then equals; NULL: what stands in its slot by default */
	/* order: exactly one per scheduler. Choose a slot of `candidates` (ready, accepted, not held; not empty), or NONE32. */
	u32 (*order)(const struct sched_view *v, const u64 *candidates);
	/* score: what `order` compares in a slot with a buffered instruction, the first to decide first, the least first; returns
	 * how many, at most 2. It has its one place here, for whoever shows it. NULL: not told. */
	u32 (*score)(const struct sched_view *v, u32 slot, struct score *out);
	/* extra: after a scheduler has issued, one more slot of `candidates` (a collector unit is free), or NONE32. */
	u32 (*extra)(const struct sched_view *v, const u64 *candidates);
	/* hold: clear bits of `ready` for slots that must not issue now. */
	void (*hold)(const struct sched_view *v, u64 *ready);
	/* rank: narrow `candidates` to the best-ranked. Several are applied in the order of their rows. */
	void (*rank)(const struct sched_view *v, u64 *candidates);
	/* fetch: which of the slots of `want` (not empty) of this sub-core to fetch for next. */
	u32 (*fetch)(const struct sched_view *v, const u64 *want);
	/* assign: sub-core for the next warp of a CTA. w: warps assigned to this SM so far; n: sub-cores. */
	u32 (*assign)(const struct machine *m, u32 sm, u32 w, u32 n);
	/* note: before the schedulers of an SM choose, in every cycle in which the SM is visited: what is to be remembered. An SM
	 * that sleeps has nothing in its collector units and banks; nothing may be noted of one in which nothing is going on. */
	void (*note)(const struct sched_view *v, void *own);
	/* remembers: whether what it chooses depends on what it noted. NULL: never. */
	bool (*remembers)(const struct config *c);
	/* bytes of its own that it has in each SM, all 0 at the beginning; `own`, and scheme_own() */
	u32 (*bytes)(const struct config *c);
};

enum scheme_id {
#define SCHEME(id) SCHEME_##id,
#include "schemes.def"
#undef SCHEME
	SCHEME_COUNT
};
extern const struct scheme *const scheme_table[SCHEME_COUNT];
#define SCHEME(id) extern const struct scheme scheme_##id;
#include "schemes.def"
#undef SCHEME
_Static_assert(SCHEME_COUNT <= 64, "rows of schemes.def are members of a 64-bit set");
/* The private bytes of a scheme in an SM. */
static inline const void *scheme_own(const struct machine *m, enum scheme_id id, u32 sm)
{
	return (const u8 *)m + m->policy_base + sm * m->policy_stride + m->policy_at[id];
}
/* What a launch whose turn has come and that is not done has come to in an SM. */
static inline const struct kernel_count *kernel_on(const struct machine *m, u32 sm, u32 launch)
{
	const struct turn *turn = (const void *)((const u8 *)m + m->section[SECTION_TURN].offset);
	const u8 *block = (const u8 *)m + m->sm_base + sm * m->sm_stride;
	return (const struct kernel_count *)(const void *)(block + m->section[SECTION_KERNEL].offset) + turn[launch].seat;
}
/* Warp instructions that the resident warps of a CTA have issued. warp: contexts of its SM. */
static inline u64 cta_issued(const struct cta *cta, const struct warp *warp)
{
	u64 sum = 0;
	for (u32 i = 0; i < CONTEXT_WORDS; i++)
		for (u64 set = cta->contexts[i]; set; set &= set - 1)
			sum += warp[i * 64 + (u32)__builtin_ctzll(set)].issued;
	return sum;
}
/* Scheme by name that fills a slot ("order", "extra", "fetch", "assign", "hold", "rank"; NULL any), or -1 with an error. */
int scheme_find(const char *slot, const char *name, struct error *e);

/* The lowest and next set bits of a slot set; NONE32 if none. */
static inline u32 set_first(const u64 *set, u32 words)
{
	for (u32 w = 0; w < words; w++)
		if (set[w])
			return w * 64 + (u32)__builtin_ctzll(set[w]);
	return NONE32;
}
/* First member at or after `from`, wrapping round; NONE32 if the set is empty. */
static inline u32 set_next(const u64 *set, u32 words, u32 from)
{
	u32 w = from / 64 % words;
	u64 bits = set[w] & (~0ULL << (from % 64));
	for (u32 i = 0; i <= words; i++) {
		if (bits)
			return w * 64 + (u32)__builtin_ctzll(bits);
		w = w + 1 == words ? 0 : w + 1;
		bits = set[w];
	}
	return NONE32;
}
#define SET_HAS(set, i) ((set)[(i) / 64] >> ((i) % 64) & 1)
#define SET_ADD(set, i) ((set)[(i) / 64] |= 1ULL << ((i) % 64))
#define SET_DEL(set, i) ((set)[(i) / 64] &= ~(1ULL << ((i) % 64)))
/* The members in order: for (u32 i = ...) */
#define SET_EACH(i, set, words) \
	for (u32 i##_w = 0; i##_w < (words); i##_w++) \
		for (u64 i##_b = (set)[i##_w]; i##_b; i##_b &= i##_b - 1) \
			for (u32 i = i##_w * 64 + (u32)__builtin_ctzll(i##_b), i##_once = 1; i##_once; i##_once = 0)

#endif
