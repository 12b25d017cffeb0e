/* command.c - the rows of commands, given by those who have them: found by verb and abbreviation, and their usage. */
#include "command.h"
#include "oldnames.h"

const struct command *const *command_table;

const struct command_group command_group[COMMAND_GROUPS] = {{"time", "Moving in time"},	   {"stops", "Breakpoints"},
							    {"inspect", "Inspecting"},	   {"setup", "Scenario setup"},
							    {"files", "Checks and files"}, {"screen", "Full screen"},
							    {"lessons", "Lessons"},	   {"session", "Session"}};

void commands_given(const struct command *const *table)
{
	command_table = table;
}

/* The length of a verb: a format letter may follow after a slash (print/x). */
static size_t verb_length(const char *verb)
{
	return strcspn(verb, "/");
}

/* Is verb, of n bytes, exactly the row's name or alias? */
static bool verb_is(const struct command *c, const char *verb, size_t n)
{
	return (strlen(c->name) == n && !strncmp(c->name, verb, n)) ||
	       (c->alias && strlen(c->alias) == n && !strncmp(c->alias, verb, n));
}

/* Of two rows whose names begin with a verb, the one that all could mean: its name is how the other's begins. */
static const struct command *verb_shorter(const struct command *a, const struct command *b)
{
	return a && !strncmp(a->name, b->name, strlen(a->name)) ? a : b;
}

/* The rows whose names begin with verb: their names in *list, how many none of the others begins with in *count, the
 * last of those returned, NULL if none. */
static const struct command *verb_matches(const char *verb, size_t n, u32 *count, char *list, size_t size)
{
	const struct command *found = NULL, *shorter;

	*count = 0;
	list[0] = '\0';
	for (u32 i = 0; i < COMMAND_COUNT; i++) {
		const struct command *c = command_table[i];

		if (strncmp(c->name, verb, n) || strchr(c->name, ' '))
			continue;
		shorter = verb_shorter(found, c);
		if (shorter == found)
			continue;
		found = c;
		if ((*count)++ < 8)
			snprintf(list + strlen(list), size - strlen(list), "%s%s", *count > 1 ? ", " : "", c->name);
	}
	return found;
}

const struct command *command_find(const char *verb, struct error *e)
{
	const char *names[COMMAND_COUNT], *near;
	const struct command *c;
	char list[256];
	u32 count;
	size_t n;

	verb = name_today(NAME_COMMAND, verb);
	n = verb_length(verb);
	for (u32 i = 0; i < COMMAND_COUNT; i++) {
		names[i] = command_table[i]->name;
		if (verb_is(command_table[i], verb, n))
			return command_table[i];
	}
	c = verb_matches(verb, n, &count, list, sizeof(list));
	if (count == 1 && n)
		return c;
	if (count > 1 && n) {
		error_set(e, STATUS_USAGE, "ambiguous command '%s' (%s)", token_shown(verb), list);
		return NULL;
	}
	near = nearest_name(verb, names, COMMAND_COUNT);
	if (near)
		error_set(e, STATUS_USAGE, "unknown command '%s' (did you mean '%s'?)", token_shown(verb), near);
	else
		error_set(e, STATUS_FAILED, "unknown command '%s' (`help` lists the commands)", token_shown(verb));
	return NULL;
}

enum command_id command_id(const struct command *c)
{
	u32 i = 0;

	while (command_table[i] != c)
		i++;
	return (enum command_id)i;
}

const struct command *command_of_two(struct token *token, u32 *n)
{
	size_t first = *n > 1 ? strlen(token[0].s) : 0;

	for (u32 i = 0; i < COMMAND_COUNT && first; i++) {
		const char *name = command_table[i]->name;

		if (strncmp(name, token[0].s, first) || name[first] != ' ' || strcmp(name + first + 1, token[1].s))
			continue;
		token[0].s = name;
		token[0].end = token[1].end;
		memmove(token + 1, token + 2, (--*n - 1) * sizeof(*token));
		return command_table[i];
	}
	return NULL;
}

void command_usage(const struct command *c, struct text *out)
{
	text_add(out, "%s", c->name);
	for (u32 i = 0; i < MAX_ARGS && c->arg[i].type != ARG_END; i++) {
		const struct arg_spec *a = &c->arg[i];
		bool flag = a->type == ARG_FLAG;

		text_add(out, a->optional || flag ? " [%s" : " %s", a->name);
		if (flag && a->value_type)
			text_add(out, " %s", a->value_type == ARG_STAGE ? "STAGE" : "VALUE");
		text_add(out, a->optional || flag ? "]" : "");
	}
}

void help_row(struct text *out, const char *name, u32 width, const char *doc)
{
	u32 at = width + 4;

	text_add(out, "  %-*s ", (int)width, name);
	for (size_t n; *doc; doc += n + (doc[n] == ' ')) {
		n = strcspn(doc, " ");
		if (at > width + 4 && at + 1 + n > HELP_COLUMNS) {
			text_add(out, "\n%*s", (int)width + 3, "");
			at = width + 4;
		}
		text_add(out, " %.*s", (int)n, doc);
		at += (u32)n + 1;
	}
	text_add(out, "\n");
}

void command_details(const struct command *c, struct text *out)
{
	text_add(out, "%s", c->details ? c->details : "");
	if (c->details && c->rows)
		text_add(out, "\n");
	if (c->rows)
		c->rows(out);
}
