/* cmd_alias.c - alias: a short word for the beginning of a line. */
#include "repl.h"

#include <stdlib.h>
#include <string.h>

const struct alias *alias_find(const struct repl *r, const char *name)
{
	for (u32 i = 0; i < r->nalias; i++)
		if (!strcmp(r->aliases[i].name, name))
			return &r->aliases[i];
	return NULL;
}

void aliases_save(const struct repl *r, struct text *out)
{
	for (u32 i = 0; i < r->nalias; i++)
		text_add(out, "alias %s = %s\n", r->aliases[i].name, r->aliases[i].line);
}

const struct command *alias_command(const struct repl *r, const char *verb, struct error *e)
{
	const struct alias *a = alias_find(r, verb);
	char word[64];

	if (!a)
		return command_find(verb, e);
	snprintf(word, sizeof(word), "%.*s", (int)strcspn(a->line, " \t"), a->line);
	return command_find(word, e);
}

enum status name_free(const char *name, u32 column, struct error *e)
{
	for (u32 i = 0; i < COMMAND_COUNT; i++)
		if (!strcmp(command_table[i]->name, name) || (command_table[i]->alias && !strcmp(command_table[i]->alias, name)))
			return error_at(e, STATUS_USAGE, NULL, 0, column, "%s is a command already; choose another name",
					token_shown(name));
	if (!strcmp(name, "end"))
		return error_at(e, STATUS_USAGE, NULL, 0, column, "`end` ends blocks; choose another name");
	return STATUS_OK;
}

/* Is the word one of the user's own commands? */
static bool is_definition(const struct repl *r, const char *name)
{
	for (u32 i = 0; i < r->ndefinition; i++)
		if (!strcmp(r->definition[i].name, name))
			return true;
	return false;
}

/* The line that an alias shall stand for: if it begins with an alias, what that stands for takes its place, so that a line
 * never has to be looked up twice. xmalloc'ed, NULL with an error. */
static char *line_for(const struct repl *r, const struct args *a, struct error *e)
{
	const struct token *first = &a->token[3];
	const char *text = a->line + first->column - 1;
	const struct alias *inner = alias_find(r, first->s);

	if (inner)
		return xasprintf("%s%s", inner->line, a->line + first->end);
	if (!is_definition(r, first->s) && !command_find(first->s, e)) {
		e->column = first->column;
		return NULL;
	}
	return xstrdup(text);
}

/* Put a line behind a name; NULL takes the name away. */
static void set(struct repl *r, const char *name, char *line)
{
	const struct alias *old = alias_find(r, name);
	u32 at = old ? (u32)(old - r->aliases) : r->nalias;

	if (!old && !line)
		return;
	if (!old) {
		r->aliases = xrealloc(r->aliases, (r->nalias + 1) * sizeof(*r->aliases));
		r->aliases[r->nalias++] = (struct alias){.name = xstrdup(name)};
	}
	free(r->aliases[at].line);
	r->aliases[at].line = line;
	if (line)
		return;
	free(r->aliases[at].name);
	memmove(&r->aliases[at], &r->aliases[at + 1], (--r->nalias - at) * sizeof(*r->aliases));
}

/* Say what there is: all, or one. */
static enum status list(struct session *s, const char *name, u32 column, struct error *e)
{
	const struct repl *r = repl_of(s);
	json_t *result = session_result(s);

	if (name && !alias_find(r, name))
		return error_at(e, STATUS_FAILED, NULL, 0, column, "there is no alias %s; `alias %s = COMMAND` makes it",
				token_shown(name), token_shown(name));
	if (!r->nalias)
		session_print(s, "there are no aliases\n");
	for (u32 i = 0; i < r->nalias; i++) {
		const struct alias *x = &r->aliases[i];

		if (name && strcmp(name, x->name))
			continue;
		session_print(s, "alias %s = %s\n", x->name, safe_text(x->line));
		if (result)
			json_object_set_new(result, x->name, json_string(safe_text(x->line)));
	}
	return STATUS_OK;
}

static enum status run(struct session *s, const struct args *a, struct error *e)
{
	const char *name = a->ntokens > 1 ? a->token[1].s : NULL;
	struct repl *r = repl_of(s);
	u32 column = name ? a->token[1].column : 0;
	char *line = NULL;

	if (a->ntokens < 3 || !name)
		return list(s, name, column, e);
	if (strcmp(a->token[2].s, "="))
		return error_at(e, STATUS_USAGE, NULL, 0, a->token[2].column, "`alias NAME = COMMAND` is wanted, not `%s`",
				token_shown(a->token[2].s));
	if (!name[0] || strlen(name) > 32 ||
	    name[strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-")])
		return error_at(e, STATUS_USAGE, NULL, 0, column, "an alias is up to 32 letters, digits, - and _, not `%s`",
				token_shown(name));
	if (name_free(name, column, e))
		return STATUS_USAGE;
	if (is_definition(r, name))
		return error_at(e, STATUS_USAGE, NULL, 0, column, "%s is a command of yours already; choose another name",
				token_shown(name));
	if (a->ntokens > 3 && !(line = line_for(r, a, e)))
		return STATUS_USAGE;
	set(r, name, line);
	return STATUS_OK;
}

const struct command command_alias = {
	.name = "alias", .group = "session",
	.summary = "a short word for the beginning of a line",
	.details = "What follows the word goes behind COMMAND. An alias may begin with another. Nothing after the = takes the "
		   "alias away; without a name all are listed. `save session` keeps them.",
	.examples = "alias iw = info warps\nalias far = goto +1000\nalias iw =",
	.run = run,
	.arg = {{.name = "NAME = COMMAND", .type = ARG_REST, .optional = true, .doc = "word, and what it stands for"}},
};
