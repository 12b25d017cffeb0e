/* cmd_help.c - help: commands by group, one command, or a table of names. */
#include "complete.h"
#include "explain.h"
#include "lang.h"
#include "settings.h"
#include "subjects.h"
#include "pane.h"
#include "synonyms.h"
#include "tui.h"

#include "schemes.h"
#include "synth.h"

#include <ctype.h>

#define MENTIONS_SHOWN 12 /* of a kind of things that speak of a word */

/* A line of a list; what is long goes on below. */
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

/* "4; 1 to 1024 cycles": the default of a setting, and what else it may be. */
static void cmd_help_setting_values(const struct setting *x, u32 id, struct text *out)
{
	char value[32];

	text_add(out, "%s", setting_text((enum setting_id)id, x->def, value));
	text_add(out, "; ");
	setting_values((enum setting_id)id, out);
	if (x->kind == KIND_NUMBER && x->unit && *x->unit)
		text_add(out, " %s", x->unit);
}

static void cmd_help_show_settings(struct session *s)
{
	struct text doc = {0};

	for (u32 i = 0; i < SETTING_COUNT; i++) {
		text_clear(&doc);
		text_add(&doc, "%s [", setting_table[i].doc);
		cmd_help_setting_values(&setting_table[i], i, &doc);
		text_add(&doc, "]");
		cmd_help_line(s, setting_table[i].name, NULL, doc.s);
	}
	text_free(&doc);
	session_print(
		s,
		"In brackets: the default, then the range or the values. `explain NAME` also shows the value now.\n");
}

/* The keys of a pane, of `present`, or (where "") of every pane. */
static void cmd_help_keys_of(struct session *s, const char *where)
{
	struct key_view k;

	for (u32 i = 0; key_row(s, i, &k); i++)
		if (*k.command && !strcmp(k.where, where))
			session_print(s, "  %-9s %-28s %s\n", safe_text(k.name), safe_text(k.command), k.doc);
}

/* Has a pane keys of its own? */
static bool cmd_help_has_keys(struct session *s, const char *pane)
{
	struct key_view k;

	for (u32 i = 0; key_row(s, i, &k); i++)
		if (!strcmp(k.where, pane))
			return true;
	return false;
}

static void cmd_help_show_keys(struct session *s)
{
	session_print(s, "Esc switches between the prompt and single-key mode. Keys of single-key mode:\n");
	cmd_help_keys_of(s, "");
	for (u32 i = 0; i < PANE_COUNT; i++) {
		if (!cmd_help_has_keys(s, pane_table[i]->name))
			continue;
		session_print(s, "While pane %s has the focus:\n", pane_table[i]->name);
		cmd_help_keys_of(s, pane_table[i]->name);
	}
	session_print(s, "While `present` is on:\n");
	cmd_help_keys_of(s, "present");
}

static void cmd_help_show_layouts(struct session *s)
{
	const char *name, *text, *doc;
	bool now;

	for (u32 i = 0; layout_row(s, i, &name, &text, &doc, &now); i++)
		cmd_help_line(s, safe_text(name), NULL, doc);
	session_print(s, "`layout NAME` shows one; `help layout` explains how to define another.\n");
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

/* Each policy hook with its default and the policies that implement it. */
static void cmd_help_show_slots(struct session *s)
{
	for (u32 i = 0; i < POLICY_SLOTS; i++) {
		const struct slot_row *x = &slot_table[i];
		const char *gap = x->set ? "; any number of " : "; one of ";
		struct text line = {0};

		text_add(&line, "%s [default %s", x->doc, x->base == NONE32 ? "none" : scheme_table[x->base]->name);
		for (u32 k = 0; k < SCHEME_COUNT; k++)
			if (scheme_fills(scheme_table[k], i)) {
				text_add(&line, "%s%s", gap, scheme_table[k]->name);
				gap = ", ";
			}
		text_add(&line, "]");
		cmd_help_line(s, x->name, NULL, line.s);
		text_free(&line);
	}
}

static void cmd_help_show_synthetic(struct session *s)
{
	for (u32 i = 0; i < synth_table_rows; i++)
		cmd_help_line(s, synth_table[i].name, NULL, synth_table[i].doc);
	cmd_help_line(s, "mix", NULL, "instruction classes of the body and their weights: mix CLASS WEIGHT ...");
}

/* The things of a kind that `explain` knows, a line each. */
static void cmd_help_show_kind(struct session *s, const struct topic_kind *k)
{
	struct topic t = {0};
	char name[32];

	for (u32 i = 0; k->each(i, &t); i++) {
		if (t.letter)
			snprintf(name, sizeof(name), "%c %s", t.letter, t.name);
		cmd_help_line(s, t.letter ? name : t.name, NULL, t.doc);
	}
}

#define STATES_BELOW \
	"A warp is in the first of these states that applies. `explain NAME` gives Nsight Compute's name.\n"

/* Tables that are no commands; without doc: another name of one. show NULL: the things of that kind, and a line below.
 */
static const struct {
	const char *name, *doc;
	void (*show)(struct session *s);
	const char *below;
} topic_row[] = {
	{"settings", "parameters of the GPU and the program, for `set`", .show = cmd_help_show_settings},
	{"statistics", "what `stats` prints", .below = "`stats NAME` prints one, `stats l1d.*` those of a group.\n"},
	{"states", "warp states and their letters", .below = STATES_BELOW},
	{"outcomes", "outcomes of an issue slot and their letters", NULL,
	 "Each issue slot of a scheduler has exactly one outcome: slots.* count them.\n"},
	{"events", "events of the machine, for `break` and `next`", .below = ""},
	{"stages", "stages of a cycle, for `step -s`", .below = ""},
	{"policies", "policies that `policy` chooses from", .show = cmd_help_show_schemes},
	{"hooks", "decisions that policies make, for `policy HOOK=NAME`", .show = cmd_help_show_slots},
	{"panes", "panes of the screen, for `show`", NULL,
	 "`show NAME` prints a pane, `help NAME` its legend: letters and columns.\n" LEGEND_OF_ALL "\n"},
	{"layouts", "arrangements of panes, for `layout`", .show = cmd_help_show_layouts},
	{"keys", "keys of the full screen", .show = cmd_help_show_keys},
	{"mechanisms", "published mechanisms: problem, idea, paper, lesson", .show = help_mechanisms},
	{"scenarios", "scenarios of the library", .show = help_scenarios},
	{"presets", "presets for `gpu`", .show = help_presets},
	{"sweeps", "many runs: jobs, results, queries", .show = help_sweeps},
	{"schemes", NULL, .show = cmd_help_show_schemes},
	{"slots", NULL, .show = cmd_help_show_slots},
	{"statuses", NULL, .below = STATES_BELOW}};

/* Kinds that `explain` lists and that have no table of their own above. */
static const char *const kind_row[] = {"classes", "terms"};

/* The i-th topic that is listed, NULL after the last. */
static const char *cmd_help_table_topic(u32 i, const char **doc)
{
	for (u32 k = 0; k < ARRAY_LEN(topic_row); k++)
		if (topic_row[k].doc && !i--) {
			*doc = topic_row[k].doc;
			return topic_row[k].name;
		}
	if (i >= ARRAY_LEN(kind_row))
		return NULL;
	*doc = explain_kind(kind_row[i])->doc;
	return kind_row[i];
}

const char *help_topic(u32 i, const char **doc)
{
	if (i < COMMAND_GROUPS) {
		*doc = command_group[i].title;
		return command_group[i].name;
	}
	return cmd_help_table_topic(i - COMMAND_GROUPS, doc);
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
	member_text(out, "usage", usage.s);
	member_text(out, "summary", c->summary);
	text_free(&usage);
	text_free(&details);
}

/* Everything: the groups, users' commands, topics. */
static void cmd_help_show_all(struct session *s)
{
	const struct lang *l = s->lang;
	const char *name, *doc;

	for (u32 g = 0; g < COMMAND_GROUPS; g++)
		cmd_help_show_group(s, g);
	for (u32 i = 0; i < l->ndefinition; i++)
		cmd_help_line(s, safe_text(l->definition[i].name), NULL, "user-defined command");
	session_print(s, "`help COMMAND` describes a command, `help TOPIC` lists one of");
	for (u32 i = 0; (name = cmd_help_table_topic(i, &doc)); i++)
		session_print(s, " %s", name);
	session_print(
		s,
		". Any unambiguous abbreviation of a command works. `help WORD` finds what has another name here.\n");
}

/* A user's command: its text, line by line since it may hold anything. */
static void cmd_help_show_definition(struct session *s, const struct definition *d)
{
	const char *at = d->doc ? d->doc : "A user-defined command.\n";

	while (*at) {
		size_t n = strcspn(at, "\n");
		char *one = xstrndup(at, n);

		session_print(s, "%s\n", safe_text(one));
		free(one);
		at += n + (at[n] == '\n');
	}
}

/* The legend of a pane, a line each. */
static void cmd_help_show_pane(struct session *s, const struct pane *p)
{
	session_print(s, "pane %s: %s\n", p->name, p->summary);
	cmd_help_indented(s, p->legend, false);
	session_print(s, "  %s\n", LEGEND_OF_ALL);
	if (cmd_help_has_keys(s, p->name)) {
		session_print(s, "Keys while it has the focus:\n");
		cmd_help_keys_of(s, p->name);
	}
}

/* The legend of the pane that is called so, unless a topic is; false: none is. */
static bool cmd_help_show_legend(struct session *s, const char *name)
{
	for (u32 i = 0; i < ARRAY_LEN(topic_row); i++)
		if (!strcmp(topic_row[i].name, name))
			return false;
	for (u32 i = 0; i < PANE_COUNT; i++)
		if (!strcmp(pane_table[i]->name, name)) {
			cmd_help_show_pane(s, pane_table[i]);
			return true;
		}
	return false;
}

/* What stands behind a name that is no command. */
static bool cmd_help_show_named(struct session *s, const char *name)
{
	const struct definition *d = definition_find(s->lang, name);

	for (u32 g = 0; g < COMMAND_GROUPS; g++)
		if (!strcmp(command_group[g].name, name)) {
			cmd_help_show_group(s, g);
			return true;
		}
	for (u32 i = 0; i < ARRAY_LEN(topic_row); i++)
		if (!strcmp(topic_row[i].name, name)) {
			if (topic_row[i].show) {
				topic_row[i].show(s);
			} else {
				cmd_help_show_kind(s, explain_kind(name));
				session_print(s, "%s", topic_row[i].below);
			}
			return true;
		}
	if (d)
		cmd_help_show_definition(s, d);
	return d;
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

/* The row of synonyms of a word, with commands to look at; false: there is none. */
static bool cmd_help_show_synonym(struct session *s, const char *word)
{
	const struct synonym *x = synonym_find(word);
	json_t *out = x ? session_result(s) : NULL;

	if (!x)
		return false;
	session_print(s, "%s: %s\n", safe_text(word), x->meaning);
	for (const char *at = x->see; *at; at += strspn(at, ", ")) {
		size_t n = strcspn(at, ",");

		session_print(s, "  %.*s\n", (int)n, at);
		at += n;
	}
	member_text(out, "meaning", x->meaning);
	member_text(out, "see", x->see);
	return true;
}

/* Commands whose help mentions a word that is no command, and whether `explain` knows it; false if there is neither. */
static bool cmd_help_show_mentions(struct session *s, const char *given)
{
	bool known = explain_knows(given), any = false;
	char word[64];
	size_t n = (size_t)snprintf(word, sizeof(word), "%s", given);

	if (known)
		session_print(s, "`explain %s` describes what has this name.\n", safe_text(given));
	if (n > 4 && n < sizeof(word) && word[n - 1] == 's')
		word[n - 1] = '\0'; /* of several things as of one */
	for (u32 deep = 0; deep < 2 && !any && strlen(word) > 2; deep++)
		for (u32 i = 0; i < COMMAND_COUNT; i++) {
			const struct command *c = command_table[i];

			if (!cmd_help_command_mentions(c, word, deep))
				continue;
			if (!any)
				session_print(s, "commands that mention '%s':\n", safe_text(given));
			any = true;
			cmd_help_line(s, c->name, c->alias, c->summary);
		}
	return cmd_help_other_mentions(s, word) || any || known;
}

/* The error that nothing is found for a name; e may say already what was meant: it is ambiguous, or one is near. */
static enum status cmd_help_unknown(const char *name, u32 column, struct error *e)
{
	if (e->status == STATUS_FAILED)
		return usage_at(e, column,
				"nothing found for '%s' (`help` lists the commands, `explain` the kinds of names)",
				safe_text(name));
	e->column = column;
	return STATUS_USAGE;
}

/* A command with the first of its words: the command, and what the word means to it: a pane, a subject of `info`. */
static bool cmd_help_show_first(struct session *s, const char *first, const char *second)
{
	const char *name, *usage, *doc;
	struct error unused;
	const struct command *c = command_find(first, &unused);

	if (!c || strcmp(c->name, first) != 0)
		return false;
	cmd_help_show_command(s, c);
	cmd_help_show_legend(s, second);
	for (u32 i = 0; !strcmp(first, "info") && (name = info_subject(i, &usage, &doc)); i++)
		if (!strcmp(name, second))
			session_print(s, "info %s%s%s: %s\n", name, *usage ? " " : "", usage, doc);
	return true;
}

/* Several words: a command, a synonym, a command with its words, or all words somewhere. */
static enum status cmd_help_words(struct session *s, const struct args *a, struct error *e)
{
	struct text all = {0};
	const struct command *c;
	enum status st = STATUS_OK;

	text_add(&all, "%s", a->arg[0].text);
	for (u32 i = a->rest; i < a->ntokens; i++)
		text_add(&all, " %s", a->token[i].s);
	if (!cmd_help_show_synonym(s, all.s)) {
		c = command_find(all.s, e);
		if (c)
			cmd_help_show_command(s, c);
		else if (!cmd_help_show_first(s, a->arg[0].text, a->token[a->rest].s) &&
			 !cmd_help_show_mentions(s, all.s))
			st = cmd_help_unknown(all.s, a->arg[0].column, e);
	}
	text_free(&all);
	return st;
}

/* The synonyms of a word, and what mentions it, unless it is a name or short for one. */
static bool cmd_help_other(struct session *s, const char *word, bool named)
{
	bool synonym = cmd_help_show_synonym(s, word);

	return (!named && cmd_help_show_mentions(s, word)) || synonym;
}

static enum status cmd_help_run(struct session *s, const struct args *a, struct error *e)
{
	const struct topic_kind *kind;
	const struct command *c;
	bool legend;

	if (!a->arg[0].present) {
		cmd_help_show_all(s);
		return STATUS_OK;
	}
	if (a->rest < a->ntokens)
		return cmd_help_words(s, a, e);
	c = command_find(a->arg[0].text, e);
	if (c && !strcmp(c->name, a->arg[0].text)) { /* a group or a pane may have the name, too */
		cmd_help_show_command(s, c);
		cmd_help_show_legend(s, a->arg[0].text);
		cmd_help_show_named(s, a->arg[0].text);
		return STATUS_OK;
	}
	legend = cmd_help_show_legend(s, a->arg[0].text);
	if (cmd_help_show_named(s, a->arg[0].text))
		return STATUS_OK;
	kind = explain_kind(a->arg[0].text);
	if (kind && !legend) {
		explain_list(s, kind, NULL);
		return STATUS_OK;
	}
	if (cmd_help_other(s, a->arg[0].text, c || legend) || legend)
		return STATUS_OK;
	if (!c)
		return cmd_help_unknown(a->arg[0].text, a->arg[0].column, e);
	cmd_help_show_command(s, c);
	return STATUS_OK;
}

const struct command command_help = {
	.name = "help",
	.alias = "h",
	.group = "session",
	.summary = "list the commands, describe one, or find what a word stands for",
	.details =
		"A word that is no command is looked up among the synonyms: `help stall` lists the commands that show why warps stall.\n"
		"Then commands, settings, statistics, events, policies and panes that mention the word are listed. `explain NAME` defines\n"
		"a name. NAME may also be a pane (for its legend), a group of commands, or a topic:",
	.rows = cmd_help_topic_rows,
	.examples = "help\nhelp step\nhelp states\nhelp warps\nhelp bank conflict",
	.flags = COMMAND_OPEN,
	.run = cmd_help_run,
	.arg = {{"NAME", ARG_WORD, .doc = "command, topic, pane or word", .complete = complete_topic, .optional = true},
		{"WORD ...", ARG_REST, .doc = "further words", .optional = true}},
};
