/*
 * record_check.c - what the checks of kernels have found, in words: who, by which instruction, where, and what stands
 * against it.
 *
 * A record names warps alone. The threads of a race or of a read of what nobody wrote are those of the finding, if the
 * record is the first of its pair of instructions.
 */
#include "events.h"
#include "hits.h"

#include "shadow.h"

/* The finding that began with a record; NULL: the record is a later one. */
static const struct finding *finding_of(const struct session *s, const struct record *r)
{
	const struct findings *f = s->live && r->sm != NONE16 ? shadow_findings(&s->sim, r->sm) : NULL;
	u32 other = r->kind == EVENT_RACE ? r->a : NONE32;

	for (u32 i = 0; f && i < f->n; i++) {
		const struct finding *x = &f->item[i];

		if (x->pc == r->pc && x->pc2 == other && x->address == r->address && x->cta == r->cta &&
		    x->kind != FINDING_BARRIERS)
			return x;
	}
	return NULL;
}

/* "thread 33 (warp 1 of its CTA, lane 1)", of CTA `cta` if that is another than `mine`. */
static void add_thread(struct text *out, u32 cta, u32 mine, u32 thread)
{
	text_add(out, "thread %u ", thread);
	if (cta != mine)
		text_add(out, "of CTA %u ", cta);
	text_add(out, "(warp %u of its CTA, lane %u)", thread / WARP_LANES, thread % WARP_LANES);
}

/* "14 st.shared.u32 [r1], r0 (race.cu:7)" */
static void add_instruction(const struct session *s, const struct record *r, u32 pc, struct text *out)
{
	struct record at = *r;

	at.pc = pc;
	record_instruction(s, &at, out);
	record_line(s, &at, out);
}

/* "shared address 0x80" */
static void add_address(const struct record *r, const struct finding *x, struct text *out)
{
	text_add(out, "%saddress 0x%llx", !x ? "" : x->space == SPACE_SHARED ? "shared " : "global ", r->address);
}

static void race_text(const struct session *s, const struct record *r, const struct finding *x, struct text *out)
{
	text_add(out, " at ");
	add_address(r, x, out);
	text_add(out, "%s, with no barrier since ", r->b ? ", which stores the value already there" : "");
	add_instruction(s, r, r->a, out);
	if (!x)
		return;
	text_add(out, " by ");
	add_thread(out, x->cta2, x->cta, x->thread2);
}

static void uninitialised_text(const struct session *s UNUSED, const struct record *r, const struct finding *x,
			       struct text *out)
{
	text_add(out, " reads ");
	add_address(r, x, out);
	text_add(out, ", which no thread has written");
}

static void barrier_text(const struct session *s, const struct record *r, const struct finding *x UNUSED,
			 struct text *out)
{
	text_add(out, " at a barrier that other warps reached by ");
	add_instruction(s, r, r->a, out);
}

static void bank_text(const struct session *s UNUSED, const struct record *r, const struct finding *x UNUSED,
		      struct text *out)
{
	text_add(out, " takes %u cycles in the shared memory banks (%u without conflicts)", r->a, r->b);
}

static void uncoalesced_text(const struct session *s UNUSED, const struct record *r, const struct finding *x UNUSED,
			     struct text *out)
{
	text_add(out, " moves %u sectors (%u if coalesced) from address 0x%llx", r->a, r->b, r->address);
}

bool record_check_text(const struct session *s, const struct record *r, struct text *out)
{
	static const struct {
		u32 kind;
		void (*text)(const struct session *s, const struct record *r, const struct finding *x,
			     struct text *out);
	} row[] = {
		{EVENT_RACE, race_text},
		{EVENT_UNINITIALISED, uninitialised_text},
		{EVENT_BARRIER_MIX, barrier_text},
		{EVENT_BANK_CONFLICT, bank_text},
		{EVENT_UNCOALESCED, uncoalesced_text},
	};

	for (u32 i = 0; i < ARRAY_LEN(row); i++) {
		const struct finding *x;

		if (row[i].kind != r->kind)
			continue;
		x = finding_of(s, r);
		if (x) {
			text_add(out, ", ");
			add_thread(out, x->cta, x->cta, x->thread);
		}
		text_add(out, ": ");
		add_instruction(s, r, r->pc, out);
		row[i].text(s, r, x, out);
		return true;
	}
	return false;
}
