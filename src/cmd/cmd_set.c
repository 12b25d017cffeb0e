/* cmd_set.c - set: a setting's value; all of them without a name. */
#include "complete.h"
#include "gpu_slice.h"
#include "rights.h"
#include "script.h"
#include "settings.h"

/* Print one setting and put it into the JSON result. */
static void cmd_set_show(struct session *s, enum setting_id id)
{
	const struct setting *row = &setting_table[id];
	u32 value = setting_now(s, id), next = config_get(&s->config, id);
	json_t *out = session_result(s);
	char text[32], later[32];

	setting_text(id, value, text);
	session_print(s, "%-22s %-10s %-14s %s%s%s%s\n", row->name, text, row->unit, row->doc,
		      value != next ? " (at restart: " : "", value != next ? setting_text(id, next, later) : "",
		      value != next ? ")" : "");
	if (!out)
		return;
	if (row->kind == KIND_NUMBER || row->kind == KIND_WORDS_LINE)
		member_int(out, row->name, value);
	else
		member_text(out, row->name, text);
}

/* Other SMs than the memory system is made for: a note, to who has typed it. */
static void cmd_set_sms(struct session *s, u32 before)
{
	struct text note = {0};

	if (s->config.gpu_sms == before || s->quiet || s->quiet_depth || rights_now(s)->root)
		return;
	gpu_memory_words(&s->gpu, &s->config, &note);
	if (note.len)
		session_print(s, "gpu.sms: %s\n", note.s);
	text_free(&note);
}

/* Every setting that a glob matches: shown. */
static void cmd_set_show_all(struct session *s, const char *glob)
{
	for (int id = setting_match(glob, -1); id >= 0; id = setting_match(glob, id))
		cmd_set_show(s, (enum setting_id)id);
}

/* The value of each setting that a glob matches, as the word says; an error unless all of them may have it. */
static enum status cmd_set_parse_all(struct session *s, const char *glob, const char *word, u32 *value, struct error *e)
{
	enum status st = STATUS_OK;

	for (int id = setting_match(glob, -1); id >= 0 && !st; id = setting_match(glob, id)) {
		st = setting_parse((enum setting_id)id, word, &value[id], e) ? STATUS_USAGE : STATUS_OK;
		if (!st)
			st = setting_allowed(s, (enum setting_id)id, value[id], e);
	}
	return st;
}

/* All of them set, or none. A saved session has a line for each, as another version may have more that match. */
static enum status cmd_set_all(struct session *s, const char *glob, const struct token *t, struct error *e)
{
	u32 value[SETTING_COUNT], matched = 0, changed = 0;
	enum status st = cmd_set_parse_all(s, glob, t->s, value, e);

	for (int i = setting_match(glob, -1); i >= 0 && !st; i = setting_match(glob, i)) {
		enum setting_id id = (enum setting_id)i;
		bool differs = config_get(&s->config, id) != value[id] || setting_now(s, id) != value[id];
		const char *says;

		matched++;
		if (!differs)
			continue;
		st = setting_apply(s, id, value[id], &says, e);
		changed += !st;
		if (!st && says)
			session_print(s, "%s: %s\n", setting_table[id].name, says);
		if (!st && !s->quiet_depth)
			script_set(s, id, value[id]);
	}
	if (st) {
		struct error of = *e;

		return error_at(e, st, NULL, 0, t->column, "%s; no setting of '%s' has changed", of.message,
				token_shown(glob));
	}
	session_print(s, "%s: %u settings, %u changed\n", token_shown(glob), matched, changed);
	member_int(session_result(s), "settings", matched);
	member_int(session_result(s), "changed", changed);
	return STATUS_OK;
}

/* One setting. */
static enum status cmd_set_one(struct session *s, enum setting_id id, const struct token *t, struct error *e)
{
	const char *says;
	enum status st;
	u32 value;

	if (setting_parse(id, t->s, &value, e)) {
		e->column = t->column;
		return e->status = STATUS_USAGE;
	}
	st = setting_apply(s, id, value, &says, e);
	if (!st && says)
		session_print(s, "%s: %s\n", setting_table[id].name, says);
	return st;
}

static enum status cmd_set_run(struct session *s, const struct args *a, struct error *e)
{
	bool equals = a->ntokens > 3 && !strcmp(a->token[2].s, "=");
	const struct token *t = a->ntokens > 2 ? &a->token[equals ? 3 : 2] : NULL;
	enum setting_id id = (enum setting_id)a->arg[0].number;
	u32 sms = s->config.gpu_sms;
	enum status st;

	for (u32 i = 0; i < SETTING_COUNT && !a->arg[0].present; i++)
		cmd_set_show(s, i);
	if (!a->arg[0].present)
		return STATUS_OK;
	if (!t) {
		if (setting_is_glob(a->arg[0].text))
			cmd_set_show_all(s, a->arg[0].text);
		else
			cmd_set_show(s, id);
		return STATUS_OK;
	}
	if (a->ntokens > (equals ? 4u : 3u))
		return usage_at(e, t[1].column, "unexpected '%s' (a setting has one value)", token_shown(t[1].s));
	if (setting_is_glob(a->arg[0].text))
		st = cmd_set_all(s, a->arg[0].text, t, e);
	else
		st = cmd_set_one(s, id, t, e);
	if (!st)
		cmd_set_sms(s, sms);
	return st;
}
const struct command command_set = {
	.name = "set",
	.group = "setup",
	.summary = "set a setting or all that match a glob, or show them",
	.details =
		"NAME may be abbreviated as long as it is unambiguous. A glob (*, ?, [...]) names all settings that match: they\n"
		"are listed, or all get VALUE. If one of these settings cannot have it, none changes. Once the machine has moved,\n"
		"layout settings take effect at the next `restart`. Timing settings take effect at once and are recorded, so\n"
		"that going back undoes them. Settings of the host (engine, time) never change a result. `set var LOCATION =\n"
		"VALUE` writes memory and registers.",
	.examples = "set sm.warps 48\nset l2.latency 200\nset\nset sched.pool\nset lat.*\nset check.* on",
	.flags = COMMAND_SETUP,
	.run = cmd_set_run,
	.arg = {{"NAME", ARG_SETTING, .doc = "setting, or a glob of settings", .optional = true},
		{"VALUE", ARG_REST, .doc = "new value", .complete = complete_value, .optional = true}},
};
