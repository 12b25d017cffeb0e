/*
 * schemes.h - what policies are there, what each decides and keeps, and which are selected. For policies, and for all
 * that names and explains them; what a policy sees of the machine is in policy.h.
 */
#ifndef WARPSTEP_SCHEMES_H
#define WARPSTEP_SCHEMES_H

#include "config.h"
#include "fields.h"
#include "ids.h"

struct emitted;
struct gpu_view;
struct ground;
struct make_way;
struct newcomer;
struct notice;
struct sched_view;
struct score;
struct swap;

/*
 * State of a policy: up to SCHEME_OWN arrays of structs, each declared by a list of fields in the style of
 * machine.h:
 *	#define NAME_FIELDS(F, A) F(u32, n, "CTAs beyond the policy's limit")
 *	OWN_STRUCT(name, NAME_FIELDS)
 *	... .own = {OWN(name, "name", IN_SM, NULL)},
 * which makes each field available as sm[S].name.n or gpu.name.n, with a count as sm[S].name.path[I].n, to print, watch
 * and spark, and part of the hash. The path is the policy's name; of an array with a count that, a dot and a name.
 */
struct scheme_own {
	struct section_row row;
	u32 (*count)(const struct config *c); /* elements; NULL: 1 */
};
#define OWN_STRUCT(tag, LIST) \
	struct tag { \
		LIST(FIELD_MEMBER, FIELD_ARRAY) \
	}; \
	OWN_FIELDS(tag, LIST)
/* The same for a struct that a header declares, so that others can show it. */
#define OWN_FIELDS(tag, LIST) \
	_Static_assert(sizeof(struct tag) == 0 LIST(FIELD_SIZE, FIELD_ARRAY_SIZE), "struct " #tag " has holes"); \
	FIELD_TABLE(tag, LIST)
#define OWN(tag, name, whose, count_) \
	{ \
		.row = {.path = name, \
			.where = whose, \
			.flags = SECTION_HASHED, \
			.size = sizeof(struct tag), \
			.field = tag##_field, \
			.nfields = ARRAY_LEN(tag##_field)}, \
		.count = count_ \
	}
static inline u32 own_count(const struct scheme_own *own, const struct config *c)
{
	return own->count ? own->count(c) : 1;
}

/* A policy's own bytes, writable. */
struct scheme_bytes {
	void *gpu;  /* of the GPU */
	u8 *sm;	    /* of SM 0 */
	u64 stride; /* from one SM's to the next */
};
static inline void *scheme_bytes_sm(struct scheme_bytes own, u32 sm)
{
	return own.sm + sm * own.stride;
}

/* The decisions that policies take, each a function with a contract in policyslots.def. */
struct decisions {
#define SLOT(id, name, kind, base, result, gets, keeps, why, doc) result(*id) gets;
#include "policyslots.def"
#undef SLOT
};

struct scheme {
	const char *name, *paper, *doc;
	/* neutral: the setting and its value at which the policy equals the baseline; NULL: it is a baseline itself */
	const char *neutral;
	/* equals: by hook, the policy that it then equals; NULL: the hook's default */
	const char *equals[POLICY_SLOTS];
	/* idle: the reason why the policy has no effect under a configuration, as a clause for users with a remedy;
	 * NULL: it may have one. Printed when a machine is made with it. NULL: it always may. */
	const char *(*idle)(const struct config *c);
	/* limited: the same of a part of what the policy does. */
	const char *(*limited)(const struct config *c);
	/* brings: the settings that `policy` puts in with it, "NAME VALUE", separated by commas: those that are 0, and
	 * none if the first is not, since then somebody has chosen. NULL: none. */
	const char *brings;
	/* its decisions: the hooks that it implements */
	struct decisions decide;
	u32 menu; /* bit set of enum verdict: the choices of its `preempt`; 0: CTAs run to their end */
	/* outermost: of some CTAs of one launch (a bit set of CTA slots, not empty), the one to be preempted first,
	 * whatever it costs, for a policy of hook allocate, which then allocates nothing of a launch within the extent
	 * of another. NULL: the cheapest. */
	u32 (*outermost)(const struct sched_view *v, u64 ctas);
	/* score: the values that `order` compares in a warp slot with a buffered instruction, the most significant
	 * first, smaller values first; returns their number, at most 2. Used by all that shows them. NULL: not shown.
	 */
	u32 (*score)(const struct sched_view *v, u32 slot, struct score *out);
	bool has_score_column; /* the first value gets a column beside every warp */
	/* on_notice: callback for each notice that the policy subscribes to in an SM; it may change the
	 * policy's bytes in this SM. Several threads may call it, each for another SM, and for an SM that is cycles
	 * ahead of others: it may look at that SM, and at nothing outside that changes. */
	void (*on_notice)(const struct sched_view *v, const struct notice *n, void *own);
	/* on_notice_emit: the same, for a policy without on_notice() that may emit an event in turn: if true, the event
	 * in `out` is counted and published. A notice that is sent only while an SM is awake (choose) may cause an
	 * event only in cycles that wake() names or in which something happens. */
	bool (*on_notice_emit)(const struct sched_view *v, const struct notice *n, void *own, struct emitted *out);
	/* on_notice_gpu: callback for notices of the whole GPU; it may change all of the policy's bytes, and is the
	 * only one that may change those of the GPU. Dispatches that were rejected are tried again afterwards, and
	 * every SM that holds CTAs is visited. */
	void (*on_notice_gpu)(const struct gpu_view *v, const struct notice *n, struct scheme_bytes own);
	/* on_notice_gpu_emit: the same, for a policy without on_notice_gpu() that may emit events in turn: it returns
	 * the number of events in `out`, at most MOST_EMITTED, to be counted and published. */
	u32 (*on_notice_gpu_emit)(const struct gpu_view *v, const struct notice *n, struct scheme_bytes own,
				  struct emitted *out);
	u64 subscribes; /* subscribed notices: bit set of enum notice_kind */
	/* due: the first cycle from `from` on at whose end NOTICE_EPOCH is required, NEVER: none. It may look at the
	 * configuration, launches and the policy's bytes of the GPU, all of which change only when all SMs are at
	 * one cycle. */
	u64 (*due)(const struct gpu_view *v, u64 from);
	/* wake: the first cycle from `from` on in which its decisions about an SM in which nothing happens change,
	 * NEVER: none. */
	u64 (*wake)(const struct sched_view *v, u64 from);
	/* sm_local: decisions about an SM change only with events in that SM, at notices of the GPU and at wake() */
	bool sm_local;
	/* defers_to_order: if the order accepts no warp that this rank leaves, it may choose as if the rank were absent
	 */
	bool defers_to_order;
	/* depends_on_remaining_ctas: decisions about an SM may also change when a launch has no more CTAs to dispatch
	 * (v->run), which depends on other SMs */
	bool depends_on_remaining_ctas;
	bool uses_points;	/* uses program points, which are found when the policy is selected */
	bool reads_other_slots; /* of hook order: it looks at warp slots beside its candidates */
	bool uses_gangs; /* uses the gang table, which is then kept: small warps of one parent warp start as one gang */
	bool needs_ready_cycles; /* its notices are required in every cycle in which a warp of the SM is ready */
	/* depends_on_state: whether its choices depend on its state. NULL: never. */
	bool (*depends_on_state)(const struct config *c);
	/* own: its state, described arrays in each SM and in the GPU; all 0 at the start, and as long as the policy is
	 * neutral. */
	struct scheme_own own[SCHEME_OWN];
};

/* Rows after those of schemes.def are empty, for test programs that define scheme_trial. */
#define SCHEME_TRIALS 8
enum scheme_id {
#define SCHEME(id) SCHEME_##id,
#include "schemes.def"
#undef SCHEME
	SCHEME_COUNT,
	SCHEME_ROWS = SCHEME_COUNT + SCHEME_TRIALS
};
#define SCHEME_nobody NONE32
extern const struct scheme *const scheme_table[SCHEME_ROWS];
extern const struct scheme scheme_trial[SCHEME_TRIALS];
#define SCHEME(id) extern const struct scheme scheme_##id;
#include "schemes.def"
#undef SCHEME
_Static_assert(SCHEME_ROWS <= 64, "rows of schemes.def are members of a 64-bit set");
/* The rows of shorthands.def. */
struct shorthand {
	const char *name, *settings, *paper, *doc;
	u32 scheme, beside; /* rows of schemes.def; beside NONE32: no second policy */
};
extern const struct shorthand shorthand_table[];
extern const u32 shorthand_table_rows;

/* The rows of policyslots.def. */
struct slot_row {
	const char *name, *doc, *why;
	bool set;  /* takes any number of policies, else one */
	u32 base;  /* default policy, NONE32: none */
	u32 keeps; /* a warp status, or one of these */
};
#define SLOT_KEEPS_CTAS WARP_STATUS_COUNT
#define SLOT_KEEPS_NOTHING NONE32
extern const struct slot_row slot_table[POLICY_SLOTS];
/* Does a policy implement a hook? POLICY_SLOTS: any hook. */
bool scheme_fills(const struct scheme *x, u32 slot);
/* The policy of that name that implements a hook (POLICY_SLOTS: any hook), or -1 with an error. */
int scheme_find(u32 slot, const char *name, struct error *e);
/* The hooks of a policy, "order fetch"; the policies that it equals at its neutral setting, "" if those are the hooks'
 * defaults. */
void scheme_slots(const struct scheme *x, struct text *out);
void scheme_equals(const struct scheme *x, struct text *out);

/* choice.c: the selection of policies by hook. The baseline; the same with the default for 0. */
void policy_default(struct policy_choice *p);
void policy_resolve(struct policy_choice *p);
/* Policies of a hook, as a set of rows. */
u64 policy_in(const struct policy_choice *p, u32 slot);
/* Select a policy for a hook: beside the others, or instead of the one. Reset a hook to its default. */
void policy_put(struct policy_choice *p, u32 slot, u32 scheme);
void policy_clear(struct policy_choice *p, u32 slot);
/* "order=gto fetch=lrr", without empty hooks; base: also without those with their default */
void policy_text(const struct policy_choice *p, bool base, struct text *out);

#endif
