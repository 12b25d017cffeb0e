/*
 * choice.c - which schemes fill the slots: by default, put in, taken out, as text.
 */
#include "policy.h"

void policy_default(struct policy_choice *p)
{
	memset(p, 0, sizeof *p);
	policy_resolve(p);
}

void policy_resolve(struct policy_choice *p)
{
	for (u32 i = 0; i < POLICY_SLOTS; i++)
		if (!p->in[i])
			policy_clear(p, i);
}

void policy_clear(struct policy_choice *p, u32 slot)
{
	p->in[slot] = slot_table[slot].base == NONE32 ? 0 : 1 + slot_table[slot].base;
}

void policy_put(struct policy_choice *p, u32 slot, u32 scheme)
{
	p->in[slot] = slot_table[slot].set ? p->in[slot] | 1ULL << scheme : 1 + scheme;
}

u64 policy_in(const struct policy_choice *p, u32 slot)
{
	struct policy_choice all = *p;
	policy_resolve(&all);
	return slot_table[slot].set || !all.in[slot] ? all.in[slot] : 1ULL << (all.in[slot] - 1);
}

/* The names of a set of rows. */
static void choice_add_names(struct text *out, u64 rows)
{
	const char *comma = "";
	for (; rows; rows &= rows - 1) {
		text_add(out, "%s%s", comma, scheme_table[__builtin_ctzll(rows)]->name);
		comma = ",";
	}
}

void policy_text(const struct policy_choice *p, bool base, struct text *out)
{
	struct policy_choice plain;
	const char *gap = "";
	policy_default(&plain);
	for (u32 i = 0; i < POLICY_SLOTS; i++) {
		u64 rows = policy_in(p, i);
		if (!rows || (base && rows == policy_in(&plain, i)))
			continue;
		text_add(out, "%s%s=", gap, slot_table[i].name);
		choice_add_names(out, rows);
		gap = " ";
	}
}
