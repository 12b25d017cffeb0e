/* alias.c - words that stand for the beginning of a line. */
#include "lang.h"
#include "rights.h"

const struct alias *alias_find(const struct lang *l, const char *name)
{
	for (u32 i = 0; i < l->nalias; i++)
		if (!strcmp(l->aliases[i].name, name))
			return &l->aliases[i];
	return NULL;
}

void aliases_save(const struct lang *l, struct text *out)
{
	for (u32 i = 0; i < l->nalias; i++)
		text_add(out, "alias %s = %s\n", l->aliases[i].name, l->aliases[i].line);
}

struct definition *definition_find(const struct lang *l, const char *name)
{
	for (u32 i = 0; i < l->ndefinition; i++)
		if (!strcmp(l->definition[i].name, name))
			return &l->definition[i];
	return NULL;
}

const struct command *alias_command(const struct lang *l, const char *verb, struct error *e)
{
	const struct alias *a = alias_find(l, verb);
	char word[64];

	if (!a)
		return command_find(verb, e);
	snprintf(word, sizeof(word), "%.*s", (int)strcspn(a->line, " \t"), a->line);
	return command_find(word, e);
}

bool name_abbreviates(const char *name)
{
	struct error unsaid;

	return command_find(name, &unsaid) != NULL;
}

/* Is a name that of a command or an alias of the user's own? */
static bool is_users(const struct lang *l, const char *name)
{
	const struct alias *a = alias_find(l, name);
	const struct definition *d = definition_find(l, name);

	return (a && !a->from->root) || (d && !d->body.from->root);
}

enum status name_free(const struct session *s, const char *name, u32 column, struct error *e)
{
	const struct command *c;

	for (u32 i = 0; i < COMMAND_COUNT; i++)
		if (!strcmp(command_table[i]->name, name) ||
		    (command_table[i]->alias && !strcmp(command_table[i]->alias, name)))
			return usage_at(e, column, "'%s' is already a command (choose another name)",
					token_shown(name));
	if (!strcmp(name, "end"))
		return usage_at(e, column, "'end' is reserved: it ends a block (choose another name)");
	if (rights_full(s, rights_now(s)))
		return STATUS_OK;
	if (is_users(s->lang, name))
		return usage_at(e, column, "'%s' is yours, and a file may not change it (choose another name)",
				token_shown(name));
	c = command_find(name, NULL);
	if (c)
		return usage_at(e, column,
				"'%s' is an abbreviation of '%s', and a file may not change it (choose another name)",
				token_shown(name), c->name);
	return STATUS_OK;
}

void alias_set(struct lang *l, const char *name, char *line, const struct line_origin *from)
{
	const struct alias *old = alias_find(l, name);
	u32 at = old ? (u32)(old - l->aliases) : l->nalias;

	if (!old && !line)
		return;
	if (!old) {
		l->aliases = xrealloc(l->aliases, (l->nalias + 1) * sizeof(*l->aliases));
		l->aliases[l->nalias++] = (struct alias){.name = xstrdup(name)};
	}
	free(l->aliases[at].line);
	l->aliases[at].line = line;
	l->aliases[at].from = from;
	if (line)
		return;
	free(l->aliases[at].name);
	memmove(&l->aliases[at], &l->aliases[at + 1], (--l->nalias - at) * sizeof(*l->aliases));
}
