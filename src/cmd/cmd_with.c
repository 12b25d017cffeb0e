/* cmd_with.c - with: one command under another value of a setting. */
#include "complete.h"
#include "lang.h"
#include "rights.h"
#include "script.h"
#include "settings.h"

/* The rest of a line from a column on, the part before it blanked so that columns stay true. */
static char *cmd_with_blanked(const char *line, u32 column)
{
	char *copy = xstrdup(line);

	memset(copy, ' ', column - 1);
	return copy;
}

/* Give the setting a value, and record that for a saved session. */
static enum status cmd_with_put(struct session *s, enum setting_id id, u32 value, struct error *e)
{
	const char *says;
	enum status st = setting_apply(s, id, value, &says, e);

	if (!st && !s->quiet_depth)
		script_set(s, id, value);
	return st;
}

static enum status cmd_with_run(struct session *s, const struct args *a, struct error *e)
{
	enum setting_id id = (enum setting_id)a->arg[0].number;
	u32 value, before = setting_now(s, id);
	bool changes;
	struct error late;
	enum status st;
	char *line;

	if (a->ntokens < a->rest + 2 || strcmp(a->token[a->rest].s, "--"))
		return usage_at(e, a->arg[2].column,
				"with: missing `-- COMMAND` (usage: `with SETTING VALUE -- COMMAND`)");
	if (setting_is_glob(a->arg[0].text))
		return usage_at(e, a->arg[0].column, "with: takes one setting, not '%s' (`set` takes a glob)",
				token_shown(a->arg[0].text));
	if (setting_table[id].flags & FLAG_LAYOUT)
		return failed_at(e, a->arg[0].column,
				 "%s: a layout setting cannot be changed temporarily (use `set` and `restart`)",
				 setting_table[id].name);
	st = setting_parse(id, a->arg[1].text, &value, e);
	if (st) {
		e->column = a->arg[1].column;
		return e->status = STATUS_USAGE;
	}
	/* a value that it has already is not put: another may count at the next restart, and does so still */
	changes = value != before;
	st = changes ? cmd_with_put(s, id, value, e) : STATUS_OK;
	if (st)
		return st;
	line = cmd_with_blanked(a->line, a->token[a->rest + 1].column);
	st = lines_run(s, line, rights_now(s), a->file, a->line_number, e);
	free(line);
	/* where a move has undone the change already, it would count at the next restart */
	if ((changes || setting_now(s, id) != before) && cmd_with_put(s, id, before, &late) && !st) {
		*e = late;
		st = late.status;
	}
	return st;
}

const struct command command_with = {
	.name = "with",
	.group = "setup",
	.summary = "run one command with another value of a setting, then restore the old value",
	.details = "Layout settings cannot be used. Both changes are recorded in the cycles in which they happen.",
	.examples = "with lat.int 20 -- step 1000",
	.flags = COMMAND_RUNS,
	.run = cmd_with_run,
	.arg = {{"SETTING", ARG_SETTING, .doc = "setting"},
		{"VALUE", ARG_WORD, .doc = "temporary value", .complete = complete_value},
		{"-- COMMAND", ARG_REST, .doc = "command to run", .complete = complete_command}},
};
