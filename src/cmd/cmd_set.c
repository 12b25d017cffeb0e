/* cmd_set.c - set: a setting's value; all of them without a name. */
#include "complete.h"
#include "expr.h"
#include "gpu_slice.h"
#include "rights.h"
#include "settings.h"

#include <string.h>

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

static enum status cmd_set_run(struct session *s, const struct args *a, struct error *e)
{
	bool equals = a->ntokens > 3 && !strcmp(a->token[2].s, "=");
	const struct token *t = a->ntokens > 2 ? &a->token[equals ? 3 : 2] : NULL;
	enum setting_id id = (enum setting_id)a->arg[0].number;
	const char *says;
	enum status st;
	u32 value, sms = s->config.gpu_sms;

	for (u32 i = 0; i < SETTING_COUNT && !a->arg[0].present; i++)
		cmd_set_show(s, i);
	if (!a->arg[0].present)
		return STATUS_OK;
	if (!t) {
		cmd_set_show(s, id);
		return STATUS_OK;
	}
	if (a->ntokens > (equals ? 4u : 3u))
		return usage_at(e, t[1].column, "unexpected '%s' (a setting has one value)", token_shown(t[1].s));
	st = setting_parse(id, t->s, &value, e);
	if (st) {
		e->column = t->column;
		return e->status = STATUS_USAGE;
	}
	st = setting_apply(s, id, value, &says, e);
	if (!st && says)
		session_print(s, "%s: %s\n", setting_table[id].name, says);
	if (!st)
		cmd_set_sms(s, sms);
	return st;
}

const struct command command_set = {
	.name = "set",
	.group = "setup",
	.summary = "set a setting, or show one or all",
	.details =
		"NAME may be abbreviated as long as it is unambiguous. Once the machine has moved, layout settings take effect\n"
		"at the next `restart`. Timing settings take effect at once and are recorded, so that going back undoes them.\n"
		"Settings of the host (engine, time) never change a result. `set var LOCATION = VALUE` writes memory and\n"
		"registers.",
	.examples = "set sm.warps 48\nset l2.latency 200\nset\nset sched.pool",
	.flags = COMMAND_SETUP,
	.run = cmd_set_run,
	.arg = {{"NAME", ARG_SETTING, .doc = "setting", .optional = true},
		{"VALUE", ARG_REST, .doc = "new value", .complete = complete_value, .optional = true}},
};
