/* cmd_data.c - data: what the pane of that name shows, and where its cursor stands. */
#include "complete.h"
#include "expr.h"
#include "session.h"
#include "tui.h"
#include "values.h"

#include <errno.h>

/* +1, -row, +page. */
static enum status cmd_data_move(struct session *s, const struct token *t, struct error *e)
{
	int sign = t->s[0] == '-' ? -1 : 1;
	enum data_unit unit = DATA_ELEMENT;
	long long n = 1;
	char *end;

	errno = 0;
	if (!strcmp(t->s + 1, "row"))
		unit = DATA_ROW;
	else if (!strcmp(t->s + 1, "page"))
		unit = DATA_PAGE;
	else
		n = strtoll(t->s + 1, &end, 10);
	if (unit == DATA_ELEMENT && (end == t->s + 1 || *end || errno || n < 0))
		return usage_at(e, t->column, "'%s' is not a movement (+N, -N, +row, -row, +page, -page)",
				token_shown(t->s));
	if (!data_move(s, sign * n, unit))
		return failed_at(e, t->column, "data: no memory to move in (`data NAME` chooses a buffer)");
	return STATUS_OK;
}

/* What follows `as` must be a type, hex, next or previous. */
static enum status cmd_data_check(const struct token *t, struct error *e)
{
	if (value_type_find(t->s) >= 0 || !strcmp(t->s, "hex") || !strcmp(t->s, "next") || !strcmp(t->s, "previous"))
		return STATUS_OK;
	return usage_at(e, t->column,
			"'%s' is not a type (u8 s8 u16 s16 u32 s32 u64 s64 f32 f64, or hex, next, previous)",
			token_shown(t->s));
}

/* See the bytes so. */
static void cmd_data_as(struct session *s, const struct token *t)
{
	int type = value_type_find(t->s);

	if (type >= 0)
		data_type(s, (u8)type);
	else if (!strcmp(t->s, "hex"))
		data_hex(s);
	else
		data_type_step(s, t->s[0] == 'n' ? 1 : -1);
}

/* Say where the cursor is. */
static void cmd_data_tell(struct session *s)
{
	struct text place = {0}, value = {0};
	json_t *result = session_result(s);

	if (data_cell(s, &place, &value)) {
		session_print(s, "%s: %s\n", place.s, value.s);
		member_text(result, "place", place.s);
		member_text(result, "text", value.s);
	} else {
		session_print(s, "the memory shown is not available now\n");
	}
	if (tui_active() && !desk_holds(s, "data"))
		session_print(s, "`layout data` shows the pane\n");
	text_free(&place);
	text_free(&value);
}

/* What the words before `as` say, up to byte n of the text. */
static enum status cmd_data_what(struct session *s, const struct args *a, size_t n, struct error *e)
{
	const struct arg *what = &a->arg[0];
	char *text = xstrndup(what->text, n);
	enum status st;

	if (*text == '+' || *text == '-')
		st = cmd_data_move(s, &a->token[1], e);
	else if (!strcmp(text, "follow"))
		st = data_follow(s, e);
	else if (!strcmp(text, "back"))
		st = data_back(s, e);
	else
		st = data_go(s, text, e);
	if (st && e->column < what->column)
		e->column = e->column ? e->column + what->column - 1 : what->column;
	free(text);
	return st;
}

/* data [WHAT] [as TYPE] */
static enum status cmd_data_run(struct session *s, const struct args *a, struct error *e)
{
	u32 last = a->ntokens - 1;
	bool as = last >= 2 && !strcmp(a->token[last - 1].s, "as");
	const struct token *type = as ? &a->token[last] : NULL;
	size_t n = 0;
	enum status st = STATUS_OK;

	if (a->arg[0].present) {
		n = as ? a->token[last - 1].column - a->arg[0].column : strlen(a->arg[0].text);
		while (n && a->arg[0].text[n - 1] == ' ')
			n--;
	}
	if (type)
		st = cmd_data_check(type, e);
	if (!st && n)
		st = cmd_data_what(s, a, n, e);
	if (!st && type)
		cmd_data_as(s, type);
	if (!st)
		cmd_data_tell(s);
	return st;
}

const struct command command_data = {
	.name = "data",
	.group = "screen",
	.summary = "choose what the memory pane shows: a buffer, shared or local memory, or an address",
	.details =
		"WHAT is a buffer (a), a location as for `print` (a[300], warp[5].shared.f32[8], local.u8[LANE][I]), or an\n"
		"address in a buffer. `shared` and `local` alone follow the focused warp and the lane of code.lane. `as TYPE`\n"
		"sets the type of the bytes: u8 to u64, s8 to s64, f32, f64; `as next` and `as previous` step through the\n"
		"types. `as hex` switches hexadecimal on or off. The cursor is moved by +N, -N, +row, -row, +page and -page.\n"
		"`follow` goes to the address stored under the cursor, `back` returns from it. Without arguments the command\n"
		"prints the element under the cursor. `layout data` or `show data` shows the pane.",
	.examples = "data a\ndata a[3] as u32\ndata shared.f32[0]\ndata +row\ndata as hex",
	.flags = COMMAND_NEEDS_MACHINE | COMMAND_OPEN,
	.run = cmd_data_run,
	.arg = {{"WHAT as TYPE", ARG_EXPR, .doc = "buffer, location or address; type", .complete = complete_data,
		 .optional = true}},
};
