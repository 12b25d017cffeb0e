/*
 * printed.c - what the program prints, said where the machine stops: what is new since the last stop, by cycle; where
 * time has gone back, how much was taken back.
 */
#include "events.h"
#include "outputs.h"
#include "travel.h"

/* One call: "[408 cta 1 thread 0] text"; without the cycle where there is none. */
static void say(struct session *s, const struct output_record *r)
{
	struct text before = {0}, lines = {0};

	if (s->json)
		json_put(json_pack("{s:o}", "output", output_json(&s->program, r)));
	if (r->cycle)
		text_add(&before, "[%llu cta %u thread ", r->cycle, r->cta);
	else
		text_add(&before, "[cta %u thread ", r->cta);
	output_thread(&s->program, r, &before);
	text_add(&before, "] ");
	output_lines(r, before.s, &lines);
	session_print(s, "%s", lines.s);
	text_free(&before);
	text_free(&lines);
}

void session_outputs(struct session *s)
{
	const struct output_record **list;
	u64 n = outputs_count(&s->sim, NULL), before = s->outputs_of == s->generation ? s->outputs : 0;
	u32 all;

	s->outputs = n;
	s->outputs_of = s->generation;
	if (n < before)
		session_print(s, "(output of %llu call%s taken back)\n", before - n, plural(before - n));
	if (n <= before)
		return;
	list = outputs_sorted(&s->sim, &all);
	for (u64 i = before; i < all; i++)
		say(s, list[i]);
	free(list);
}

/* What an assertion that failed has said, behind the message of the fault that it was. */
static void add_assertion(const struct outputs_untimed *o, struct error *e)
{
	struct text said = {0}, whole = {0};

	for (u32 i = 0; i < o->n && !said.len; i++)
		if (o->call[i].record->failed)
			output_lines(o->call[i].record, "", &said);
	if (said.len) {
		text_add(&whole, "%s; %.*s", e->message, (int)said.len - 1, said.s);
		error_set(e, e->status, "%s", whole.s);
	}
	text_free(&said);
	text_free(&whole);
}

void session_outputs_untimed(struct session *s, struct outputs_untimed *o, struct error *e)
{
	outputs_untimed_sort(o);
	for (u32 i = 0; i < o->n; i++)
		say(s, o->call[i].record);
	if (o->lost)
		session_print(s, "and %llu more calls, whose text did not fit\n", o->lost);
	if (e->status)
		add_assertion(o, e);
}
