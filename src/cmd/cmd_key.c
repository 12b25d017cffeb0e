/* cmd_key.c - key: what the keys of the single-key mode do. */
#include "command.h"
#include "tui.h"
#include "session.h"

/* A key as a member, that of a pane behind its name: "code/v". */
static void cmd_key_json_add(json_t *out, const struct key_view *k)
{
	char name[64];

	snprintf(name, sizeof(name), "%s%s%s", k->where, *k->where ? "/" : "", safe_text(k->name));
	member_text(out, name, safe_text(k->command));
}

/* All keys, or those of one name. */
static void cmd_key_list(struct session *s, const char *name)
{
	json_t *out = session_result(s);
	struct key_view k;

	for (u32 i = 0; key_row(s, i, &k); i++) {
		if (!*k.command || (name && strcmp(name, k.name)))
			continue;
		session_print(s, "  %-6s %-34s %s%s%s%s\n", safe_text(k.name), safe_text(k.command), k.doc,
			      *k.where ? " (pane " : "", k.where, *k.where ? ")" : "");
		if (out)
			cmd_key_json_add(out, &k);
	}
}

/* key [NAME [= COMMAND]] */
static enum status cmd_key_run(struct session *s, const struct args *a, struct error *e)
{
	const struct token *t = &a->token[a->rest];
	u32 n = a->ntokens - a->rest;

	if (n < 2) {
		cmd_key_list(s, n ? t[0].s : NULL);
		return STATUS_OK;
	}
	if (strcmp(t[1].s, "="))
		return usage_at(e, t[1].column, "key: missing `= COMMAND` (example: `key x = step 100`)");
	return key_bind(s, t[0].s, n > 2 ? a->line + t[2].column - 1 : "", t[0].column, e);
}

const struct command command_key = {
	.name = "key",
	.group = "screen",
	.summary = "show or change what a key of single-key mode does",
	.details =
		"NAME is a character or one of Tab, S-Tab, Enter, Space, Up, Down, Left, Right, PgUp, PgDn, Home, End, F1 to\n"
		"F12, ^A to ^Z. In COMMAND, {pc}, {kernel}, {sub} and {pane} stand for the focus, {next} and {previous} for the\n"
		"neighboring warps. {sub+}, {sub-}, {sm+}, {sm-}, {lane+} and {lane-} stand for the next and the previous one,\n"
		"{cycle+} and {cycle-} for a column of the timeline forwards and backwards. {tip} is the latest cycle, {zoom+}\n"
		"and {zoom-} change the scale of the timeline, {registers~} and {lines~} are the other value of code.registers\n"
		"and stats.lines. Without a command after the `=` the key is unbound. A file may only bind unbound keys, and\n"
		"such a key may only do what the file's lines may do: warpstep-trust(7).",
	.examples = "key\nkey x = step 100\nkey F5 = continue\nkey q =",
	.flags = COMMAND_OPEN | COMMAND_RUNS,
	.run = cmd_key_run,
	.arg = {{"NAME [= COMMAND]", ARG_REST, .doc = "key, and the command line that it runs", .optional = true}},
};
