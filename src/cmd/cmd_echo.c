/* cmd_echo.c - echo: print words. */
#include "command.h"
#include "session.h"

static enum status cmd_echo_run(struct session *s, const struct args *a, struct error *e UNUSED)
{
	struct text text = {0};
	json_t *out = session_result(s);

	text_add(&text, "%s", "");
	for (u32 i = 1; i < a->ntokens; i++)
		text_add(&text, "%s%s", i > 1 ? " " : "", a->token[i].s);
	session_print(s, "%s\n", safe_text(text.s));
	member_text(out, "text", safe_text(text.s));
	text_free(&text);
	return STATUS_OK;
}

const struct command command_echo = {
	.name = "echo",
	.group = "session",
	.summary = "print text",
	.examples = "echo \"second run\"",
	.flags = COMMAND_OPEN,
	.run = cmd_echo_run,
	.arg = {{"TEXT", ARG_REST, .doc = "text", .optional = true}},
};
