/* cmd_note.c - note: a sentence of a lesson. */
#include "command.h"
#include "session.h"

#include <string.h>

static enum status cmd_note_run(struct session *s, const struct args *a, struct error *e)
{
	struct text text = {0};

	(void)e;
	for (u32 i = 1; i < a->ntokens; i++)
		text_add(&text, "%s%s", i > 1 ? " " : "", a->token[i].s);
	s->note = xrealloc(s->note, (s->nnotes + 1) * sizeof(*s->note));
	s->note[s->nnotes++] = text.s;
	if (!s->batch && !s->quiet)
		session_print(s, "%s\n", safe_text(text.s));
	return STATUS_OK;
}

const struct command command_note = {
	.name = "note",
	.group = "setup",
	.summary = "say something to the reader of the scenario",
	.details = "Shown when the scenario is opened; not in batch mode.",
	.examples = "note \"Watch bank 1 of sub-core 0.\"",
	.flags = COMMAND_SETUP,
	.run = cmd_note_run,
	.arg = {{.name = "TEXT", .type = ARG_REST, .doc = "sentence"}},
};
