/* cmd_define.c - define, document: a command of the user's own, and its help text. */
#include "lang.h"
#include "complete.h"

static enum status cmd_define_run(struct session *s, const struct args *a, struct error *e)
{
	const char *name = a->arg[0].text;
	struct lang *l = s->lang;
	struct definition *d = definition_find(l, name);

	if (name_free(s, name, a->arg[0].column, e))
		return STATUS_USAGE;
	if (alias_find(l, name))
		return usage_at(e, a->arg[0].column, "'%s' is already an alias (`alias %s =` removes it)",
				token_shown(name), token_shown(name));
	if (!d && l->ndefinition == MAX_DEFINITIONS)
		return usage_at(e, a->arg[0].column, "too many user-defined commands (limit: %u)", MAX_DEFINITIONS);
	if (!d) {
		l->definition = xrealloc(l->definition, (l->ndefinition + 1) * sizeof(*l->definition));
		d = &l->definition[l->ndefinition++];
		*d = (struct definition){.name = xstrdup(name)};
	}
	kept_free(&d->body);
	kept_fill(&d->body, s, a);
	return STATUS_OK;
}

const struct command command_define = {
	.name = "define",
	.group = "session",
	.summary = "define a command: the lines up to `end`",
	.details =
		"$arg0, $arg1, ... are the arguments, $argc is their number. `document` gives the command a help text.\n"
		"User-defined commands may call one another, 64 levels deep. One line may expand to at most a million lines, as\n"
		"with `repeat`.",
	.examples = "define look\n  step $arg0\n  info warps\nend",
	.flags = COMMAND_BLOCK | COMMAND_RUNS | COMMAND_SETUP | COMMAND_STAYS,
	.run = cmd_define_run,
	.arg = {{"NAME", ARG_WORD, .doc = "name of the command"}},
};

static enum status cmd_define_document_run(struct session *s, const struct args *a, struct error *e)
{
	struct definition *d = definition_find(s->lang, a->arg[0].text);
	struct text doc = {0};

	if (!d)
		return failed_at(e, a->arg[0].column, "no user-defined command '%s' (`define` it first)",
				 token_shown(a->arg[0].text));
	for (u32 k = 0; k < a->nblock; k++)
		text_add(&doc, "%s\n", a->block[k]);
	free(d->doc);
	d->doc = doc.s;
	return STATUS_OK;
}

const struct command command_document = {
	.name = "document",
	.group = "session",
	.summary = "give a user-defined command a help text: the lines up to `end`",
	.examples = "document look\nStep, then show the warps.\nend",
	.flags = COMMAND_BLOCK | COMMAND_SETUP | COMMAND_STAYS,
	.run = cmd_define_document_run,
	.arg = {{"NAME", ARG_WORD, .doc = "user-defined command", .complete = complete_definition}},
};
