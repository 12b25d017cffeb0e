/* cmd_alias.c - alias: a short word for the beginning of a line. */
#include "lang.h"
#include "rights.h"

/* The line that an alias shall stand for: if it begins with an alias, what that stands for takes its place, so that a
 * line never has to be looked up twice. xmalloc'ed, NULL with an error. */
static char *cmd_alias_line_for(const struct lang *l, const struct args *a, struct error *e)
{
	const struct token *first = &a->token[3];
	const char *text = a->line + first->column - 1;
	const struct alias *inner = alias_find(l, first->s);

	if (inner)
		return xasprintf("%s%s", inner->line, a->line + first->end);
	if (!definition_find(l, first->s) && !command_find(first->s, e)) {
		e->column = first->column;
		return NULL;
	}
	return xstrdup(text);
}

/* The origin of what an alias shall stand for: it does no more than an alias that it begins with may. */
static const struct line_origin *cmd_alias_origin(struct session *s, const struct args *a)
{
	const struct alias *inner = a->ntokens > 3 ? alias_find(s->lang, a->token[3].s) : NULL;

	return inner ? rights_meet(s, inner->from, rights_now(s)) : rights_keep(s, rights_now(s));
}

/* Say what there is: all, or one. */
static enum status cmd_alias_list(struct session *s, const char *name, u32 column, struct error *e)
{
	const struct lang *l = s->lang;
	json_t *result = session_result(s);

	if (name && !alias_find(l, name))
		return failed_at(e, column, "no alias '%s' (`alias %s = COMMAND` defines it)", token_shown(name),
				 token_shown(name));
	if (!l->nalias)
		session_print(s, "no aliases are defined\n");
	for (u32 i = 0; i < l->nalias; i++) {
		const struct alias *x = &l->aliases[i];

		if (name && strcmp(name, x->name))
			continue;
		session_print(s, "alias %s = %s\n", x->name, safe_text(x->line));
		member_text(result, x->name, safe_text(x->line));
	}
	return STATUS_OK;
}

static enum status cmd_alias_run(struct session *s, const struct args *a, struct error *e)
{
	const char *name = a->ntokens > 1 ? a->token[1].s : NULL;
	struct lang *l = s->lang;
	u32 column = name ? a->token[1].column : 0;
	char *line = NULL;

	if (a->ntokens < 3 || !name)
		return cmd_alias_list(s, name, column, e);
	if (strcmp(a->token[2].s, "="))
		return usage_at(e, a->token[2].column, "expected '=', not '%s' (usage: `alias NAME = COMMAND`)",
				token_shown(a->token[2].s));
	if (!name[0] || strlen(name) > 32 ||
	    name[strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-")])
		return usage_at(e, column, "'%s' is not a valid alias (up to 32 letters, digits, '-' and '_')",
				token_shown(name));
	if (name_free(s, name, column, e))
		return STATUS_USAGE;
	if (definition_find(l, name))
		return usage_at(e, column, "'%s' is already a user-defined command (choose another name)",
				token_shown(name));
	if (a->ntokens > 3 && l->nalias >= MAX_DEFINITIONS && !alias_find(l, name))
		return usage_at(e, column, "too many aliases (limit: %u)", MAX_DEFINITIONS);
	if (a->ntokens > 3 && !(line = cmd_alias_line_for(l, a, e)))
		return STATUS_USAGE;
	if (line && strlen(line) > MAX_ALIAS) {
		free(line);
		return usage_at(e, column, "alias '%s': the command line is too long (limit: %u bytes)",
				token_shown(name), MAX_ALIAS);
	}
	alias_set(l, name, line, cmd_alias_origin(s, a));
	return STATUS_OK;
}

const struct command command_alias = {
	.name = "alias",
	.group = "session",
	.summary = "define a short word for the beginning of a command line",
	.details =
		"What follows the alias on a line is appended to COMMAND. An alias may begin with another alias. Nothing after\n"
		"the `=` removes the alias; without arguments all aliases are listed. `save session` keeps them. An alias that\n"
		"a file defines cannot replace an abbreviation of a command, and may only do what the file's lines may do:\n"
		"warpstep-trust(7).",
	.examples = "alias iw = info warps\nalias far = goto +1000\nalias iw =",
	.flags = COMMAND_RUNS,
	.run = cmd_alias_run,
	.arg = {{"NAME = COMMAND", ARG_REST, .doc = "the alias, and the command line that it stands for",
		 .optional = true}},
};
