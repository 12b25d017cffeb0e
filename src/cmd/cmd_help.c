/* cmd_help.c - help: commands by group, one command, or a table of names. */
#include "complete.h"
#include "explain.h"
#include "lang.h"
#include "settings.h"
#include "tui.h"

#include "policy.h"
#include "synth.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define MENTIONS_SHOWN 12 /* of a kind of things that speak of a word */

/* A line of a list. */
static void cmd_help_line(struct session *s, const char *name, const char *alias, const char *doc)
{
	struct text left = {0};

	text_add(&left, "%s%s%s", name, alias ? ", " : "", alias ? alias : "");
	session_print(s, "  %-22s %s\n", left.s, doc);
	text_free(&left);
}

/* The commands of a group. */
static void cmd_help_show_group(struct session *s, u32 g)
{
	session_print(s, "%s:\n", command_group[g].title);
	for (u32 i = 0; i < COMMAND_COUNT; i++)
		if (!strcmp(command_table[i]->group, command_group[g].name))
			cmd_help_line(s, command_table[i]->name, command_table[i]->alias, command_table[i]->summary);
}

static void cmd_help_show_settings(struct session *s)
{
	for (u32 i = 0; i < SETTING_COUNT; i++)
		cmd_help_line(s, setting_table[i].name, NULL, setting_table[i].doc);
}

static void cmd_help_show_events(struct session *s)
{
	for (u32 i = 0; i < EVENT_COUNT; i++)
		cmd_help_line(s, event_table[i].name, NULL, event_table[i].doc);
}

static void cmd_help_show_stages(struct session *s)
{
	for (u32 i = 0; i < STAGE_COUNT; i++)
		cmd_help_line(s, stage_table[i].name, NULL, stage_table[i].doc);
}

/* What `policy` calls a scheme: its name, or SLOT=NAME where a shorthand has that. */
static void cmd_help_scheme(struct session *s, const struct scheme *x)
{
	char word[64];
	u32 slot = 0;

	while (!scheme_fills(x, slot))
		slot++;
	snprintf(word, sizeof(word), "%.*s=%s", (int)strcspn(slot_table[slot].name, "."), slot_table[slot].name,
		 x->name);
	cmd_help_line(s, shorthand_find(x->name) ? word : x->name, NULL, x->doc);
}

static void cmd_help_show_schemes(struct session *s)
{
	for (u32 i = 0; i < SCHEME_COUNT; i++)
		cmd_help_scheme(s, scheme_table[i]);
	for (u32 i = 0; i < shorthand_table_rows; i++)
		cmd_help_line(s, shorthand_table[i].name, NULL, shorthand_table[i].doc);
}

static void cmd_help_show_slots(struct session *s)
{
	for (u32 i = 0; i < POLICY_SLOTS; i++)
		cmd_help_line(s, slot_table[i].name, slot_table[i].set ? "any number" : NULL, slot_table[i].doc);
}

static void cmd_help_show_synthetic(struct session *s)
{
	for (u32 i = 0; i < synth_table_rows; i++)
		cmd_help_line(s, synth_table[i].name, NULL, synth_table[i].doc);
	cmd_help_line(s, "mix", NULL, "classes and their weights in the body: mix CLASS WEIGHT ...");
}

/* Tables that are no commands. */
static const struct {
	const char *name, *doc;
	void (*show)(struct session *s);
} topic_row[] = {{"settings", "what `set` takes", cmd_help_show_settings},
		 {"events", "what happens in the machine", cmd_help_show_events},
		 {"stages", "those of a cycle", cmd_help_show_stages},
		 {"schemes", "what `policy` takes", cmd_help_show_schemes},
		 {"policies", "the same", cmd_help_show_schemes},
		 {"slots", "what schemes fill", cmd_help_show_slots},
		 {"keys", "of a synthetic kernel", cmd_help_show_synthetic}};

const char *help_topic(u32 i, const char **doc)
{
	if (i < COMMAND_GROUPS) {
		*doc = command_group[i].title;
		return command_group[i].name;
	}
	if (i - COMMAND_GROUPS >= ARRAY_LEN(topic_row))
		return NULL;
	*doc = topic_row[i - COMMAND_GROUPS].doc;
	return topic_row[i - COMMAND_GROUPS].name;
}

/* Groups and tables, for the help of `help`. */
static void cmd_help_topic_rows(struct text *out)
{
	const char *name, *doc;

	for (u32 i = 0; (name = help_topic(i, &doc)); i++)
		help_row(out, name, 10, doc);
}

#define DEEP "        " /* what the rest of a row of two columns is indented by at least */

/* Whether a line of help is the rest of the one above it, of n bytes: that of a row of two columns, or of prose. */
static bool cmd_help_goes_on(const char *line, size_t n)
{
	return !strncmp(line, DEEP, strlen(DEEP)) || (n >= HELP_COLUMNS - 20 && *line && *line != ' ');
}

/* Print text, each line indented. join: lines that were parted for one width are joined first where another is to be
 * kept. */
static void cmd_help_indented(struct session *s, const char *text, bool join)
{
	bool fold = join && desk_columns(s);
	struct text line = {0};

	while (*text) {
		size_t n = strcspn(text, "\n");
		const char *next = text + n + (text[n] == '\n');
		bool goes_on = fold && text[n] && cmd_help_goes_on(next, n);

		text_add(&line, "%.*s%s", (int)n, text, goes_on ? " " : "");
		text = goes_on ? next + strspn(next, " ") : next;
		if (goes_on)
			continue;
		session_print(s, "  %s\n", line.s);
		text_clear(&line);
	}
	text_free(&line);
}

/* One command in full. */
static void cmd_help_show_command(struct session *s, const struct command *c)
{
	struct text usage = {0}, details = {0};
	json_t *out = session_result(s);

	command_usage(c, &usage);
	command_details(c, &details);
	session_print(s, "%s%s%s%s\n", usage.s, c->alias ? "   (" : "", c->alias ? c->alias : "", c->alias ? ")" : "");
	session_print(s, "  %s\n", c->summary);
	for (u32 i = 0; i < MAX_ARGS && c->arg[i].type != ARG_END; i++)
		if (strlen(c->arg[i].name) <= 24)
			session_print(s, "    %-20s %s\n", c->arg[i].name, c->arg[i].doc ? c->arg[i].doc : "");
	cmd_help_indented(s, details.s, true);
	if (!strcmp(c->name, "synthetic"))
		cmd_help_show_synthetic(s);
	if (c->examples) {
		session_print(s, "Examples:\n");
		cmd_help_indented(s, c->examples, false);
	}
	if (out) {
		json_object_set_new(out, "usage", json_string(usage.s));
		json_object_set_new(out, "summary", json_string(c->summary));
	}
	text_free(&usage);
	text_free(&details);
}

/* Everything: the groups, users' commands, topics. */
static void cmd_help_show_all(struct session *s)
{
	const struct lang *l = s->lang;

	for (u32 g = 0; g < COMMAND_GROUPS; g++)
		cmd_help_show_group(s, g);
	for (u32 i = 0; i < l->ndefinition; i++)
		cmd_help_line(s, safe_text(l->definition[i].name), NULL, "defined here");
	session_print(s, "`help COMMAND` says more, and so does `help` with one of");
	for (u32 i = 0; i < ARRAY_LEN(topic_row); i++)
		session_print(s, " %s", topic_row[i].name);
	session_print(s, ". Any unambiguous beginning of a command will do.\n");
}

/* A user's command: its text, line by line since it may hold anything. */
static void cmd_help_show_definition(struct session *s, const struct definition *d)
{
	const char *at = d->doc ? d->doc : "A command defined here.\n";

	while (*at) {
		size_t n = strcspn(at, "\n");
		char *one = xstrndup(at, n);

		session_print(s, "%s\n", safe_text(one));
		free(one);
		at += n + (at[n] == '\n');
	}
}

/* What stands behind a name that is no command. */
static bool cmd_help_show_named(struct session *s, const char *name)
{
	const struct lang *l = s->lang;

	for (u32 g = 0; g < COMMAND_GROUPS; g++)
		if (!strcmp(command_group[g].name, name)) {
			cmd_help_show_group(s, g);
			return true;
		}
	for (u32 i = 0; i < ARRAY_LEN(topic_row); i++)
		if (!strcmp(topic_row[i].name, name)) {
			topic_row[i].show(s);
			return true;
		}
	for (u32 i = 0; i < l->ndefinition; i++)
		if (!strcmp(l->definition[i].name, name)) {
			cmd_help_show_definition(s, &l->definition[i]);
			return true;
		}
	return false;
}

/* Whether a word stands in a text, at the beginning of a word of it. */
static bool cmd_help_mentions(const char *text, const char *word)
{
	for (const char *at = text ? strcasestr(text, word) : NULL; at; at = strcasestr(at + 1, word))
		if (at == text || !isalnum((u8)at[-1]))
			return true;
	return false;
}

/* Whether the help of a command mentions a word: its summary, or all below it. */
static bool cmd_help_command_mentions(const struct command *c, const char *word, bool deep)
{
	struct text details = {0};
	bool does;

	if (!deep)
		return cmd_help_mentions(c->summary, word);
	command_details(c, &details);
	does = cmd_help_mentions(details.s, word) || cmd_help_mentions(c->examples, word);
	text_free(&details);
	return does;
}

/* How many more of a kind there are. */
static void cmd_help_rest(struct session *s, u32 more)
{
	if (more)
		session_print(s, "  … and %u more\n", more);
}

/* Things with a name, commands aside, that are called so in part or whose text mentions a word: kind by kind, the first
 * few of each; false if there is none. */
static bool cmd_help_other_mentions(struct session *s, const char *word)
{
	const char *last = NULL, *kind, *name, *doc, *line;
	u32 n = 0, more = 0;
	bool any = false;

	for (u32 i = 0; strlen(word) > 2 && (name = explain_named(i, &kind, &doc, &line)); i++) {
		if (!strcasestr(name, word) && !cmd_help_mentions(doc, word))
			continue;
		if (!last || strcmp(last, kind)) {
			cmd_help_rest(s, more);
			session_print(s, "%s (%s):\n", kind, line);
			last = kind;
			n = more = 0;
		}
		any = true;
		if (n++ < MENTIONS_SHOWN)
			cmd_help_line(s, name, NULL, doc);
		else
			more++;
	}
	cmd_help_rest(s, more);
	return any;
}

/* Commands whose help mentions a word that is no command, and whether `explain` knows it; false if there is neither. */
static bool cmd_help_show_mentions(struct session *s, const char *given)
{
	bool known = explain_knows(given), any = false;
	char word[64];
	size_t n = (size_t)snprintf(word, sizeof(word), "%s", given);

	if (known)
		session_print(s, "`explain %s` says what it means.\n", safe_text(given));
	if (n > 4 && n < sizeof(word) && word[n - 1] == 's')
		word[n - 1] = '\0'; /* of several things as of one */
	for (u32 deep = 0; deep < 2 && !any && strlen(word) > 2; deep++)
		for (u32 i = 0; i < COMMAND_COUNT; i++) {
			const struct command *c = command_table[i];

			if (!cmd_help_command_mentions(c, word, deep))
				continue;
			if (!any)
				session_print(s, "No command is called '%s'; these speak of it:\n", safe_text(given));
			any = true;
			cmd_help_line(s, c->name, c->alias, c->summary);
		}
	return cmd_help_other_mentions(s, word) || any || known;
}

static enum status cmd_help_run(struct session *s, const struct args *a, struct error *e)
{
	const struct command *c;

	if (!a->arg[0].present) {
		cmd_help_show_all(s);
		return STATUS_OK;
	}
	if (a->arg[1].present) {
		char both[64];

		snprintf(both, sizeof(both), "%.30s %.30s", a->arg[0].text, a->arg[1].text);
		c = command_find(both, e);
		if (c)
			cmd_help_show_command(s, c);
		e->column = a->arg[0].column;
		return c ? STATUS_OK : STATUS_USAGE;
	}
	c = command_find(a->arg[0].text, e);
	if (c && !strcmp(c->name, a->arg[0].text)) { /* a group may have the name, too */
		cmd_help_show_command(s, c);
		cmd_help_show_named(s, a->arg[0].text);
		return STATUS_OK;
	}
	if (cmd_help_show_named(s, a->arg[0].text))
		return STATUS_OK;
	if (!c && cmd_help_show_mentions(s, a->arg[0].text))
		return STATUS_OK;
	if (!c) {
		e->column = a->arg[0].column;
		return STATUS_USAGE;
	}
	cmd_help_show_command(s, c);
	return STATUS_OK;
}

const struct command command_help = {
	.name = "help",
	.alias = "h",
	.group = "session",
	.summary = "say what commands there are, or what one does",
	.details =
		"Of a word that is no command it lists the commands that speak of it, then settings, statistics, subjects of `info`, "
		"events, schemes and panes; `explain NAME` says what one of them means. NAME may also be a group of commands or a table:",
	.rows = cmd_help_topic_rows,
	.examples = "help\nhelp step\nhelp events",
	.flags = COMMAND_OPEN,
	.run = cmd_help_run,
	.arg = {{.name = "NAME",
		 .type = ARG_WORD,
		 .complete = complete_topic,
		 .optional = 1,
		 .doc = "command or topic"},
		{.name = "WORD", .type = ARG_WORD, .optional = 1, .doc = "of a command that is two words"}},
};
