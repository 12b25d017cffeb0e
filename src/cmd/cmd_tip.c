/* cmd_tip.c - tip: teach one command, of those that were used neither in this session nor in the history file. */
#include "lang.h"
#include "tips.h"

#include <stdio.h>

#include <readline/history.h>

const struct tip tip_table[] = {
#define TIP(id, example_, text_) {.command = COMMAND_ID_##id, .example = example_, .text = text_},
#include "tips.def"
#undef TIP
};
const u32 tip_count = ARRAY_LEN(tip_table);

/* Does a line of the history begin with a command, by its name or an abbreviation of it? */
static bool cmd_tip_line_runs(const char *line, u32 command)
{
	const char *name = command_table[command]->name, *alias = command_table[command]->alias;
	size_t n = strcspn(line, " /");

	if (n < strlen(line) && !strncmp(line, name, strlen(name)))
		return true; /* a name of two words, too */
	return (alias && n == strlen(alias) && !strncmp(line, alias, n)) ||
	       (n > 2 && n <= strlen(name) && !strncmp(line, name, n));
}

/* Was the command of a tip ever used? */
static bool cmd_tip_used(const struct session *s, const struct tip *t)
{
	if (s->lang->used[t->command])
		return true;
	for (int i = 0; i < history_length; i++) {
		const HIST_ENTRY *h = history_get(history_base + i);

		if (h && cmd_tip_line_runs(h->line, t->command))
			return true;
	}
	return false;
}

/* Tips whose command was never used; the k-th of them into *out. */
static u32 cmd_tip_unused(const struct session *s, u32 k, u32 *out)
{
	u32 n = 0;

	for (u32 i = 0; i < tip_count; i++)
		if (!cmd_tip_used(s, &tip_table[i]) && n++ == k)
			*out = i;
	return n;
}

void tip_greet(struct session *s, u64 day)
{
	u32 i = 0, n = cmd_tip_unused(s, 0, &i);

	if (!n)
		return;
	cmd_tip_unused(s, (u32)(day % n), &i);
	session_print(s, "tip: `%s`: %s\n", tip_table[i].example, tip_table[i].text);
}

/* One tip in full. */
static void cmd_tip_show(struct session *s, u32 i)
{
	const struct tip *t = &tip_table[i];
	const struct command *c = command_table[t->command];
	json_t *out = session_result(s);

	session_print(s, "tip %u of %u: `%s`: %s (more: `help %s`)\n", i + 1, tip_count, t->example, t->text, c->name);
	member_int(out, "tip", i + 1);
	member_text(out, "command", c->name);
	member_text(out, "example", t->example);
	member_text(out, "text", t->text);
}

/* tip [N] */
static enum status cmd_tip_run(struct session *s, const struct args *a, struct error *e)
{
	u64 n = a->arg[0].number;
	u32 i = 0, unused;

	if (a->arg[0].present && (!n || n > tip_count))
		return usage_at(e, a->arg[0].column, "tip: no tip %llu (1 to %u)", n, tip_count);
	if (a->arg[0].present) {
		cmd_tip_show(s, (u32)n - 1);
		return STATUS_OK;
	}
	unused = cmd_tip_unused(s, 0, &i);
	if (!unused) {
		session_print(s, "no new tip: every command of the tips was used (`tip N` shows tip N, 1 to %u)\n",
			      tip_count);
		return STATUS_OK;
	}
	cmd_tip_unused(s, s->lang->tips++ % unused, &i);
	cmd_tip_show(s, i);
	return STATUS_OK;
}

const struct command command_tip = {
	.name = "tip",
	.group = "session",
	.summary = "show a tip: a command that was never used, with an example",
	.details =
		"Without N, show the next tip whose command was used neither in this session nor in the history file.\n"
		"On a terminal the greeting shows such a tip, another every day.",
	.examples = "tip\ntip 3",
	.flags = COMMAND_OPEN,
	.run = cmd_tip_run,
	.arg = {{"N", ARG_NUMBER, .doc = "number of a tip (default: the next unused)", .optional = true}},
};
