/* cmd_explain.c - explain: what a name means, how it is calculated, and from what now. */
#include "lang.h"
#include "stats.h"
#include "complete.h"
#include "explain.h"
#include "mechanisms.h"

#include <string.h>

void explain_line(struct session *s, json_t *entry, const char *label, const char *text)
{
	session_print(s, "  %-9s %s\n", label, text);
	if (entry)
		json_object_set_new(entry, label, json_string(text));
}

/* Explain one thing. */
static void cmd_explain_explain_one(struct session *s, const struct topic_kind *k, const struct topic *t, json_t *list)
{
	json_t *entry = list ? json_object() : NULL;
	struct text room = {0};
	const char *doc = explain_doc(t, &room);

	session_print(s, "%s (%s%s%s%.1s%s): %s\n", t->name, t->kind, t->letter ? ", shown as " : "",
		      t->letter ? "'" : "", &t->letter, t->letter ? "'" : "", doc);
	if (entry) {
		json_object_set_new(entry, "kind", json_string(t->kind));
		json_object_set_new(entry, "name", json_string(t->name));
		json_object_set_new(entry, "doc", json_string(doc));
	}
	text_free(&room);
	if (t->unit && t->unit[0])
		explain_line(s, entry, "unit", t->unit);
	if (t->source)
		explain_line(s, entry, "source", t->source);
	if (k->more)
		k->more(s, t, entry);
	if (list)
		json_array_append_new(list, entry);
}

/* Everything of one kind: a line each. */
static void cmd_explain_explain_kind(struct session *s, const struct topic_kind *k, json_t *list)
{
	struct topic t = {0};

	for (u32 i = 0; k->each(i, &t); i++) {
		session_print(s, "%-22s %s\n", t.name, t.doc);
		if (list)
			json_array_append_new(
				list, json_pack("{s:s,s:s,s:s}", "kind", k->kind, "name", t.name, "doc", t.doc));
		t = (struct topic){0};
	}
}

/* Whether name is that of a topic, today or formerly: kernel.3.cycles is kernel.N.cycles. */
static bool cmd_explain_named(const struct topic_kind *k, const struct topic *t, const char *name)
{
	struct stat_handle h;

	if (k->each == explain_each_mechanism)
		return mechanism_named(&mechanism_table[t->index], name);
	name = name_today(k->names, name);
	if (!strcmp(t->name, name))
		return true;
	return !strcmp(t->kind, "statistic") && stat_find(name, &h) && !strcmp(stat_table[h.row].name, t->name);
}

/* Everything called so; how many. */
static u32 cmd_explain_explain_name(struct session *s, const char *name, json_t *list)
{
	u32 found = 0;

	for (u32 k = 0; k < topic_kinds; k++) {
		struct topic t = {0};

		for (u32 i = 0; topic_table[k].each(i, &t); i++) {
			if (cmd_explain_named(&topic_table[k], &t, name)) {
				cmd_explain_explain_one(s, &topic_table[k], &t, list);
				found++;
			}
			t = (struct topic){0};
		}
	}
	return found;
}

bool explain_knows(const char *name)
{
	for (u32 k = 0; k < topic_kinds; k++) {
		struct topic t = {0};

		if (!strcmp(topic_table[k].plural, name))
			return true;
		for (u32 i = 0; topic_table[k].each(i, &t); i++)
			if (cmd_explain_named(&topic_table[k], &t, name))
				return true;
	}
	return false;
}

#define MAX_TOPICS 1024

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
	return error_at(e, STATUS_FAILED, NULL, 0, name->column,
			"nothing is called '%s'%s%s%s; `explain` lists what can be asked", safe_text(name->text),
			near ? ", did you mean '" : "", near ? near : "", near ? "'" : "");
}

/* The kinds. */
static void cmd_explain_list_kinds(struct session *s, json_t *list)
{
	session_print(s, "explain NAME, or one of these for a list:\n");
	for (u32 k = 0; k < topic_kinds; k++) {
		session_print(s, "  %s\n", topic_table[k].plural);
		if (list)
			json_array_append_new(list, json_string(topic_table[k].plural));
	}
}

/* explain [NAME] */
static enum status cmd_explain_run(struct session *s, const struct args *a, struct error *e)
{
	json_t *list = s->json ? json_array() : NULL;
	u32 found = 1;

	if (!a->arg[0].present) {
		cmd_explain_list_kinds(s, list);
	} else {
		found = cmd_explain_explain_name(s, a->arg[0].text, list);
		for (u32 k = 0; k < topic_kinds && !found; k++) {
			if (strcmp(topic_table[k].plural, a->arg[0].text))
				continue;
			cmd_explain_explain_kind(s, &topic_table[k], list);
			found = 1;
		}
	}
	if (list && found)
		json_object_set_new(session_result(s), "topics", list);
	else
		json_decref(list);
	return found ? STATUS_OK : cmd_explain_unknown(&a->arg[0], e);
}

const struct command command_explain = {
	.name = "explain",
	.alias = "ex",
	.group = "inspect",
	.summary = "what a statistic, status, setting, event, field, scheme, command or pane means, and its value now",
	.details =
		"Formulas are shown with the present values of what they are made of. A plural (`explain events`) lists a kind.",
	.examples = "explain ipc\nexplain collector\nexplain l1d.mshrs\nexplain events",
	.flags = COMMAND_OPEN,
	.run = cmd_explain_run,
	.arg = {{.name = "NAME",
		 .type = ARG_STRING,
		 .optional = true,
		 .doc = "a name, or a kind in the plural",
		 .complete = complete_anything}},
};
