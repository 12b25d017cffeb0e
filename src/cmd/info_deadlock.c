/* info_deadlock.c - info deadlock: which warps wait for which, or go round for ever, and since when. */
#include "info.h"
#include "lesson.h"

#include "why.h"

/* There is no deadlock; a livelock, or what looks like one? */
static void info_deadlock_livelock(struct session *s, struct text *out)
{
	enum livelock_verdict verdict = why_livelock(s, &s->sim, LIVELOCK_MOST, true, out, session_result(s));

	member_text(session_result(s), "livelock", livelock_verdict_name[verdict]);
	if (!out->len)
		text_add(out, "no deadlock so far\n");
}

/* info deadlock */
static enum status info_deadlock_run(struct session *s, const struct token *token UNUSED, u32 ntokens UNUSED,
				     struct error *e)
{
	struct text out = {0};
	enum status st = lesson_holds(s, e); /* a livelock is looked for ahead */

	if (st)
		return st;
	member_bool(session_result(s), "deadlock", sim_deadlocked(&s->sim));
	if (!why_deadlock(s, &s->sim, &out, session_result(s)))
		info_deadlock_livelock(s, &out);
	session_print(s, "%s", out.s);
	text_free(&out);
	return STATUS_OK;
}

const struct info info_deadlock = {
	.name = "deadlock",
	.doc = "deadlock or livelock that stopped the program: the wait-for cycle, the looping warps, and the cycle in which it began",
	.needs_machine = true,
	.run = info_deadlock_run,
};
