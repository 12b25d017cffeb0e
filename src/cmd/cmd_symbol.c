/* cmd_symbol.c - symbol: values of a module's .const or .global variable. */
#include "command.h"
#include "scene.h"
#include "values.h"

/* The variable called name in any module: its module and row; NULL with an error. */
static struct module *cmd_symbol_find_symbol(struct session *s, const char *name, u32 *row, struct error *e)
{
	const struct scene *t = s->scene;

	for (u32 i = 0; i < t->nmodule; i++)
		for (u32 k = 0; k < t->module[i]->nsymbol; k++)
			if (!strcmp(t->module[i]->symbol[k].name, name)) {
				*row = k;
				return t->module[i];
			}
	error_set(e, STATUS_USAGE, "no module has a variable '%s'", token_shown(name));
	return NULL;
}

/* Fill bytes from the words of the line; commas and blanks part them. A type before the values stands for the
 * variable's own, which is bytes where a compiler wrote an initialised array. */
static enum status cmd_symbol_parse_values(const struct args *a, const struct module_symbol *y, u8 *bytes,
					   struct error *e)
{
	int given = value_type_find(a->token[a->rest].s);
	u8 type = given < 0 ? y->type : (u8)given;
	u32 size = value_type_size[type], count = y->size / size, n = 0, first = a->rest + (given >= 0);

	for (u32 i = first; i < a->ntokens; i++) {
		char *copy = xstrdup(a->token[i].s), *next = copy, *word;
		enum status st = STATUS_OK;

		while (!st && (word = strsep(&next, ","))) {
			if (!*word || (i == first && !strcmp(word, "=")))
				continue;
			if (n == count)
				st = error_set(e, STATUS_USAGE, "'%s' has only %u elements ('%s' is one too many)",
					       token_shown(y->name), count, token_shown(word));
			else
				st = value_parse(type, word, bytes + n++ * size, e);
		}
		free(copy);
		if (st) {
			e->column = a->token[i].column;
			return st;
		}
	}
	return n ? STATUS_OK
		 : error_set(e, STATUS_USAGE, "symbol: missing value (usage: `symbol NAME [TYPE] = VALUE, ...`)");
}

static enum status cmd_symbol_run(struct session *s, const struct args *a, struct error *e)
{
	u32 row = 0;
	struct module *m = cmd_symbol_find_symbol(s, a->arg[0].text, &row, e);
	struct buffer *b;
	enum status st;
	u8 *bytes;

	if (!m) {
		e->column = a->arg[0].column;
		return STATUS_USAGE;
	}
	st = scene_symbol_room(s, &m->symbol[row], e);
	if (st) {
		e->column = a->arg[0].column;
		return st;
	}
	b = scene_buffer(s, a->arg[0].text);
	bytes = xcalloc(1, m->symbol[row].size + 8u);
	if (m->symbol[row].space == SPACE_CONST)
		memcpy(bytes, m->constants + m->symbol[row].address, m->symbol[row].size);
	else if (b && b->init)
		memcpy(bytes, b->init, m->symbol[row].size);
	st = cmd_symbol_parse_values(a, &m->symbol[row], bytes, e);
	if (st) {
		free(bytes);
		return st;
	}
	scene_add_symbol(s, m, row, bytes);
	if (s->stale)
		session_print(s, "takes effect at restart\n");
	return STATUS_OK;
}

const struct command command_symbol = {
	.name = "symbol",
	.group = "setup",
	.summary = "initialize a .const or .global variable of a module",
	.details =
		"Values have the variable's element type, or TYPE. Compilers write initialized arrays as bytes, so `symbol\n"
		"weights f32 = ...` is the way to fill an array of floats. Elements that are not given keep their values.",
	.examples = "symbol weights = 0.25, 0.5, 0.25\nsymbol table f32 = 1.5 2.5",
	.flags = COMMAND_SETUP,
	.run = cmd_symbol_run,
	.arg = {{"NAME", ARG_WORD, .doc = "name of the variable"}, {"[TYPE] = VALUE, ...", ARG_REST, .doc = "values"}},
};
