/* cmd_explain.c - explain: what a name means, how it is calculated, and from what now. */
#include "lang.h"
#include "stats.h"
#include "complete.h"
#include "explain.h"
#include "mechanisms.h"
#include "synonyms.h"

void explain_line(struct session *s, json_t *entry, const char *label, const char *text)
{
	session_print(s, "  %-9s %s\n", label, text);
	member_text(entry, label, text);
}

/* Explain one thing. */
static void cmd_explain_one(struct session *s, const struct topic_kind *k, const struct topic *t, json_t *list)
{
	json_t *entry = list ? json_object() : NULL;

	session_print(s, "%s (%s%s%s%.1s%s): %s\n", t->name, t->kind, t->letter ? ", shown as " : "",
		      t->letter ? "'" : "", &t->letter, t->letter ? "'" : "", t->doc);
	member_text(entry, "kind", t->kind);
	member_text(entry, "name", t->name);
	member_text(entry, "doc", t->doc);
	if (t->unit && t->unit[0])
		explain_line(s, entry, "unit", t->unit);
	if (t->source)
		explain_line(s, entry, "source", t->source);
	if (k->more)
		k->more(s, t, entry);
	json_array_append_new(list, entry);
}

/* Whether a name with or without indices is that of a field: sm[3].warp[5].pc is warp.pc. */
static bool cmd_explain_is_field(const char *field, const char *name)
{
	while (*name) {
		if (*name == '[') {
			name = strchr(name, ']');
			if (!name)
				return false;
			name++;
		} else if (*name++ != *field++) {
			return false;
		}
	}
	return !*field;
}

/* Whether name is that of a topic, today or formerly: kernel.3.cycles is kernel.N.cycles. */
static bool cmd_explain_named(const struct topic_kind *k, const struct topic *t, const char *name)
{
	struct stat_handle h;

	if (k->more == explain_mechanism)
		return mechanism_named(&mechanism_table[t->index], name);
	name = name_today(k->names, name);
	if (!strcmp(t->name, name))
		return true;
	if (k->transient)
		return cmd_explain_is_field(t->name, name) || (!strncmp(name, "sm[", 3) && strchr(name, '.') &&
							       cmd_explain_is_field(t->name, strchr(name, '.') + 1));
	return !strcmp(t->kind, "statistic") && stat_find(name, &h) && !strcmp(stat_table[h.row].name, t->name);
}

/* Everything called so; how many. */
static u32 cmd_explain_name(struct session *s, const char *name, json_t *list)
{
	u32 found = 0;

	for (u32 k = 0; k < topic_kinds; k++) {
		struct topic t = {0};

		for (u32 i = 0; topic_table[k].each(i, &t); i++) {
			if (cmd_explain_named(&topic_table[k], &t, name)) {
				cmd_explain_one(s, &topic_table[k], &t, list);
				found++;
			}
			t = (struct topic){0};
		}
	}
	return found;
}

bool explain_knows(const char *name)
{
	if (explain_kind(name))
		return true;
	for (u32 k = 0; k < topic_kinds; k++) {
		struct topic t = {0};

		for (u32 i = 0; topic_table[k].each(i, &t); i++)
			if (cmd_explain_named(&topic_table[k], &t, name))
				return true;
	}
	return false;
}

#define MAX_TOPICS 2048

/* Nothing is called so: suggest the nearest of all names. */
static enum status cmd_explain_unknown(const struct arg *name, struct error *e)
{
	const char *names[MAX_TOPICS], *near;
	u32 n = 0;

	for (u32 k = 0; k < topic_kinds; k++) {
		struct topic t = {0};

		names[n++] = topic_table[k].plural;
		if (topic_table[k].transient)
			continue;
		for (u32 i = 0; n < MAX_TOPICS - 1 && topic_table[k].each(i, &t); i++)
			names[n++] = t.name;
	}
	near = nearest_name(name->text, names, n);
	return failed_at(e, name->column,
			 near ? "unknown name '%s' (did you mean '%s'?)"
			      : "unknown name '%s' (`explain` lists the kinds of names)",
			 safe_text(name->text), near);
}

/* A word for which this program has another name, with commands to look at; false: it is none. */
static bool cmd_explain_concept(struct session *s, const char *name, json_t *list)
{
	const struct synonym *x = synonym_find(name);
	json_t *entry = x && list ? json_object() : NULL;

	if (!x)
		return false;
	session_print(s, "%s (concept): %s\n", safe_text(name), x->meaning);
	member_text(entry, "kind", "concept");
	member_text(entry, "name", safe_text(name));
	member_text(entry, "doc", x->meaning);
	json_array_append_new(list, entry);
	explain_line(s, entry, "see", x->see);
	return true;
}

/* The kinds. */
static void cmd_explain_list_kinds(struct session *s, json_t *list)
{
	session_print(s, "Usage: `explain NAME`, or one of these for a list:\n");
	for (u32 k = 0; k < topic_kinds; k++) {
		session_print(s, "  %s\n", topic_table[k].plural);
		json_array_append_new(list, json_string(topic_table[k].plural));
	}
}

/* Everything that a name stands for; false: nothing. */
static bool cmd_explain_any(struct session *s, const char *name, json_t *list)
{
	const struct topic_kind *k;

	if (cmd_explain_name(s, name, list))
		return true;
	k = explain_kind(name);
	if (k)
		explain_list(s, k, list);
	return k || cmd_explain_concept(s, name, list);
}

/* explain [NAME] [WORD ...]: several words are one name */
static enum status cmd_explain_run(struct session *s, const struct args *a, struct error *e)
{
	json_t *list = s->json ? json_array() : NULL;
	struct arg name = a->arg[0];
	struct text words = {0};
	bool found = true;

	if (!name.present) {
		cmd_explain_list_kinds(s, list);
	} else {
		text_add(&words, "%s", name.text);
		for (u32 i = a->rest; i < a->ntokens; i++)
			text_add(&words, " %s", a->token[i].s);
		name.text = words.s;
		found = cmd_explain_any(s, name.text, list);
	}
	if (list && found)
		json_object_set_new(session_result(s), "topics", list);
	else
		json_decref(list);
	if (!found)
		cmd_explain_unknown(&name, e);
	text_free(&words);
	return found ? STATUS_OK : e->status;
}

const struct command command_explain = {
	.name = "explain",
	.alias = "ex",
	.group = "inspect",
	.summary = "explain a mechanism, statistic, warp state, setting, event, field, policy, command, pane or column",
	.details =
		"The current value is shown, and formulas with the current values of their terms. A plural (`explain events`)\n"
		"lists one kind. A name may have several words.",
	.examples =
		"explain ipc\nexplain vws\nexplain virtual thread\nexplain occupancy\nexplain collector\nexplain l1d.mshrs\nexplain reconv\nexplain events",
	.flags = COMMAND_OPEN,
	.run = cmd_explain_run,
	.arg = {{"NAME", ARG_STRING, .doc = "name, or a kind in the plural", .complete = complete_anything,
		 .optional = true},
		{"WORD ...", ARG_REST, .doc = "further words of the name", .optional = true}},
};
