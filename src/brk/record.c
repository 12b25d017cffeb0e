/* record.c - records of events as text and as JSON: who, what instruction, and the event's own numbers; which of them
 * meets a stop. */
#include "events.h"
#include "front.h"
#include "hits.h"

#include "lines.h"
#include "why.h"

/* The kernel of a record's launch, NULL if it is not known. */
static const struct kernel *kernel_of(const struct session *s, const struct record *r)
{
	return r->launch != 0xff && r->launch < s->program.nlaunch ? s->program.launch[r->launch].kernel : NULL;
}

void record_who(const struct session *s, const struct record *r, struct text *out)
{
	if (r->sm == NONE16) {
		text_add(out, "the GPU");
		return;
	}
	if (r->warp == NONE16)
		text_add(out, "SM %u", r->sm);
	else
		text_add(out, "warp %u (SM %u", r->warp, r->sm);
	if (r->sub != 0xff)
		text_add(out, ", sub-core %u", r->sub);
	if (r->cta != NONE32)
		text_add(out, ", CTA %u", r->cta);
	if (r->warp != NONE16)
		text_add(out, ")");
	else if (r->cta != NONE32 && r->launch < s->program.nlaunch)
		text_add(out, " of %s", safe_text(s->program.launch[r->launch].name));
}

void record_instruction(const struct session *s, const struct record *r, struct text *out)
{
	const struct kernel *k = kernel_of(s, r);
	const char *text;

	if (r->pc == NONE32)
		return;
	text_add(out, "%u", r->pc);
	if (!k || r->pc >= k->ninst || !k->strings)
		return;
	text = kernel_text(k, r->pc);
	text_add(out, " ");
	text_add_safe(out, text, strlen(text));
}

void record_line(const struct session *s, const struct record *r, struct text *out)
{
	const struct kernel *k = kernel_of(s, r);
	char line[128] = "";

	if (k && r->pc < k->ninst && k->inst[r->pc].source_line)
		line_place(k, r->pc, line, sizeof(line));
	if (line[0])
		text_add(out, " (%s)", line);
}

const char *record_word(u32 kind, const char *name, u32 n)
{
	static const char *const refused[] = {"order", "MSHRs",	     "merges",	"interconnect",
					      "set",   "miss queue", "results", "policy"};
	bool is_kind = !strcmp(name, "kind");

	if (!strcmp(name, "class"))
		return n < CLASS_COUNT ? class_table[n].name : NULL;
	if (!strcmp(name, "unit"))
		return n < UNIT_COUNT ? unit_name[n] : NULL;
	if (!strcmp(name, "reason"))
		return n < ARRAY_LEN(refused) ? refused[n] : NULL;
	if ((kind == EVENT_REQUEST || kind == EVENT_REPLY) && is_kind)
		return n < ARRAY_LEN(request_kind_name) ? request_kind_name[n] : NULL;
	return kind == EVENT_FAULT && is_kind && n < FAULT_KIND_COUNT ? fault_name[n] : NULL;
}

/* One of an event's two numbers, or the word that it stands for. */
static void add_number(const struct record *r, const char *name, u32 n, struct text *out)
{
	const char *word = record_word(r->kind, name, n);

	if (!name[0])
		return;
	if (word)
		text_add(out, " %s %s", name, word);
	else if (r->kind == EVENT_BRANCH && !strcmp(name, "taken"))
		text_add(out, " %s %08x", name, n);
	else
		text_add(out, " %s %u", name, n);
}

void record_text(const struct session *s, const struct record *r, struct text *out)
{
	const struct event_row *row = &event_table[r->kind];

	text_add(out, "%s: ", row->name);
	record_who(s, r, out);
	if (r->launch != 0xff && r->sm == NONE16)
		text_add(out, ", kernel %u", r->launch);
	if (row->check && record_check_text(s, r, out))
		return;
	add_number(r, row->a, r->a, out);
	add_number(r, row->b, r->b, out);
	if (r->address)
		text_add(out, " address 0x%llx", r->address);
	if (r->pc == NONE32)
		return;
	text_add(out, " at ");
	record_instruction(s, r, out);
	record_line(s, r, out);
}

void record_describe(const struct session *s, const struct breakpoint *b UNUSED, const struct hit *h, struct text *out)
{
	record_text(s, &h->record, out);
}

json_t *record_json(const struct record *r)
{
	const struct event_row *row = &event_table[r->kind];
	json_t *o = json_object();

	member_text(o, "event", row->name);
	if (r->sm != NONE16)
		member_int(o, "sm", r->sm);
	if (r->sub != 0xff)
		member_int(o, "sub", r->sub);
	if (r->warp != NONE16)
		member_int(o, "warp", r->warp);
	if (r->cta != NONE32)
		member_int(o, "cta", r->cta);
	if (r->launch != 0xff)
		member_int(o, "kernel", r->launch);
	if (r->pc != NONE32)
		member_int(o, "pc", r->pc);
	if (r->address)
		member_int(o, "address", r->address);
	if (row->a[0])
		member_int(o, row->a, r->a);
	if (row->b[0])
		member_int(o, row->b, r->b);
	return o;
}

bool records_check(struct session *s, struct breakpoint *b, const struct sim *sim, struct hit *h)
{
	event_set want = breakpoint_events(b);

	h->met = 0;

	for (u32 i = 0; i < sim->bus.count; i++) {
		const struct record *r = &sim->bus.record[i];

		if (!(want >> r->kind & 1) || (b->kind->fits && !b->kind->fits(b, sim, r)) ||
		    !breakpoint_holds(s, b, r))
			continue;
		if (!h->met++)
			h->record = *r;
	}
	return h->met != 0;
}
