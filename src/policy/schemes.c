/*
 * schemes.c - the tables of schemes and of the slots that they fill, from schemes.def and policyslots.def.
 */
#include "oldnames.h"
#include "policy.h"

const struct scheme *const scheme_table[SCHEME_ROWS] = {
#define SCHEME(id) [SCHEME_##id] = &scheme_##id,
#include "schemes.def"
#undef SCHEME
#define TRIAL(i) [SCHEME_COUNT + (i)] = &scheme_trial[i]
	TRIAL(0), TRIAL(1), TRIAL(2), TRIAL(3), TRIAL(4), TRIAL(5), TRIAL(6), TRIAL(7),
#undef TRIAL
};
_Static_assert(SCHEME_TRIALS == 8, "a row for each trial");

const struct shorthand shorthand_table[] = {
#define SHORTHAND(name_, scheme_, beside_, settings_, paper_, doc_) \
	{.name = name_, \
	 .settings = settings_, \
	 .paper = paper_, \
	 .doc = doc_, \
	 .scheme = SCHEME_##scheme_, \
	 .beside = SCHEME_##beside_},
#include "shorthands.def"
#undef SHORTHAND
};
const u32 shorthand_table_rows = ARRAY_LEN(shorthand_table);

const struct slot_row slot_table[POLICY_SLOTS] = {
#define ONE false
#define SET true
#define CTAS SLOT_KEEPS_CTAS
#define NOTHING SLOT_KEEPS_NOTHING
#define SLOT(id, name_, kind, base_, result, gets, keeps_, why_, doc_) \
	[POLICY_##id] = {.name = name_, .doc = doc_, .set = kind, .base = SCHEME_##base_, .keeps = keeps_, .why = why_},
#include "policyslots.def"
#undef SLOT
#undef ONE
#undef SET
#undef CTAS
#undef NOTHING
};

bool scheme_fills(const struct scheme *x, u32 slot)
{
	const bool fills[POLICY_SLOTS] = {
#define SLOT(id, name, kind, base, result, gets, keeps, why, doc) [POLICY_##id] = x->decide.id != NULL,
#include "policyslots.def"
#undef SLOT
	};
	bool any = false;
	for (u32 i = 0; i < POLICY_SLOTS; i++)
		any |= fills[i] && (slot == i || slot == POLICY_SLOTS);
	return any;
}

int scheme_find(u32 slot, const char *name, struct error *e)
{
	const char *names[SCHEME_COUNT], *in = slot < POLICY_SLOTS ? slot_table[slot].name : NULL;
	u32 n = 0;
	name = name_today(NAME_POLICY, name);
	for (u32 i = 0; i < SCHEME_COUNT; i++) {
		if (!scheme_fills(scheme_table[i], slot))
			continue;
		if (!strcmp(scheme_table[i]->name, name))
			return (int)i;
		names[n++] = scheme_table[i]->name;
	}
	const char *near = nearest_name(name, names, n);
	error_set(e, STATUS_FAILED, "no policy '%s'%s%s (%s%s%s)", safe_text(name), in ? " for hook " : "",
		  in ? in : "", near ? "did you mean '" : "`info policy` lists all", near ? near : "",
		  near ? "'?" : "");
	return -1;
}

u32 own_offset(const struct scheme *x, const struct config *c, u8 where, u32 k)
{
	u32 at = 0;
	for (u32 i = 0; i < k; i++)
		if (x->own[i].row.path && x->own[i].row.where == where)
			at += round_up(x->own[i].row.size * own_count(&x->own[i], c), 8);
	return at;
}

void scheme_slots(const struct scheme *x, struct text *out)
{
	const char *gap = "";
	for (u32 i = 0; i < POLICY_SLOTS; i++)
		if (scheme_fills(x, i)) {
			text_add(out, "%s%s", gap, slot_table[i].name);
			gap = " ";
		}
}

void scheme_equals(const struct scheme *x, struct text *out)
{
	const char *gap = "";
	for (u32 i = 0; i < POLICY_SLOTS; i++)
		if (x->equals[i]) {
			text_add(out, "%s%s", gap, x->equals[i]);
			gap = " and ";
		}
}
