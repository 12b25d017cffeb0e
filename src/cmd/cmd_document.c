/* cmd_document.c - document: the help text of a user's command. */
#include "complete.h"
#include "lang.h"

#include <stdlib.h>
#include <string.h>

static enum status cmd_document_run(struct session *s, const struct args *a, struct error *e)
{
	struct lang *l = s->lang;
	struct text doc = {0};
	u32 i = 0;

	while (i < l->ndefinition && strcmp(l->definition[i].name, a->arg[0].text))
		i++;
	if (i == l->ndefinition)
		return error_at(e, STATUS_FAILED, NULL, 0, a->arg[0].column,
				"no user-defined command '%s' (`define` it first)", token_shown(a->arg[0].text));
	for (u32 k = 0; k < a->nblock; k++)
		text_add(&doc, "%s\n", a->block[k]);
	free(l->definition[i].doc);
	l->definition[i].doc = doc.s;
	return STATUS_OK;
}

const struct command command_document = {
	.name = "document",
	.group = "session",
	.summary = "give a user-defined command a help text: the lines up to `end`",
	.examples = "document look\nStep, then show the warps.\nend",
	.flags = COMMAND_BLOCK | COMMAND_SETUP | COMMAND_STAYS,
	.run = cmd_document_run,
	.arg = {{.name = "NAME", .type = ARG_WORD, .complete = complete_definition, .doc = "user-defined command"}},
};
