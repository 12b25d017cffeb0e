/* cmd_note.c - note: a sentence of a lesson. */
#include "command.h"
#include "lesson.h"

static enum status cmd_note_run(struct session *s, const struct args *a, struct error *e)
{
	struct text text = {0};

	for (u32 i = 1; i < a->ntokens; i++)
		text_add(&text, "%s%s", i > 1 ? " " : "", a->token[i].s);
	if (lesson_takes_notes(s)) {
		enum status st = lesson_add(s, (struct lesson_item){.kind = LESSON_NOTE, .text = text.s}, e);

		text_free(&text);
		return st;
	}
	s->note = array_grow(s->note, s->nnotes, sizeof(*s->note));
	s->note[s->nnotes++] = text.s;
	if (!s->batch && !s->quiet)
		session_print(s, "%s\n", safe_text(text.s));
	return STATUS_OK;
}

const struct command command_note = {
	.name = "note",
	.group = "setup",
	.summary = "show a sentence to the reader of the scenario",
	.details =
		"A note is shown when the scenario is opened, except in batch mode. After `part` it belongs to that part of the\n"
		"lesson and is shown with it.",
	.examples = "note \"Watch bank 1 of sub-core 0.\"",
	.flags = COMMAND_SETUP,
	.run = cmd_note_run,
	.arg = {{"TEXT", ARG_REST, .doc = "sentence"}},
};
