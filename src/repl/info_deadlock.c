/* info_deadlock.c - info deadlock: which warps wait for which, and since when. */
#include "info.h"

#include "why.h"

/* info deadlock */
static enum status run(struct session *s, const struct token *token, u32 ntokens, struct error *e)
{
	struct text out = {0};
	enum status st = info_alone(token, ntokens, e);

	if (st)
		return st;
	if (s->json)
		json_object_set_new(session_result(s), "deadlock", json_boolean(sim_deadlocked(&s->sim)));
	if (!why_deadlock(s, &s->sim, &out, session_result(s)))
		text_add(&out, "no deadlock up to here\n");
	session_print(s, "%s", out.s);
	text_free(&out);
	return STATUS_OK;
}

const struct info info_deadlock = {
	.name = "deadlock", .doc = "the deadlock that stopped the program: who waits for whom, since when", .needs_machine = true,
	.run = run,
};
