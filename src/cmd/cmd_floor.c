/* cmd_floor.c - floor: what colors the tiles of the pane `floor`, over which range; where its cursor stands. */
#include "complete.h"
#include "floor.h"
#include "pane.h"
#include "session.h"
#include "tui.h"

#include <errno.h>
#include <math.h>

/* What it is now. */
static void cmd_floor_tell(struct session *s)
{
	const struct floor *p = floor_of(s);
	json_t *result = session_result(s);
	double low = 0, high = 0;

	session_print(s, "color %s", safe_text(floor_color_text(p)));
	if (floor_range(p, &low, &high))
		session_print(s, ", range %.4g to %.4g", low, high);
	session_print(s, "\n");
	if (result)
		member_text(result, "color", floor_color_text(p));
}

/* range auto, range LOW HIGH */
static enum status cmd_floor_range(struct session *s, const struct args *a, struct error *e)
{
	double bound[2] = {0};
	char *end = NULL;

	if (a->ntokens == 3 && !strcmp(a->token[2].s, "auto")) {
		floor_range_set(panes_floor(s), false, 0, 0);
		return STATUS_OK;
	}
	for (u32 i = 0; i < 2 && a->ntokens == 4; i++) {
		bound[i] = strtod(a->token[2 + i].s, &end);
		if (!*a->token[2 + i].s || *end || !isfinite(bound[i]))
			return usage_at(e, a->token[2 + i].column, "floor: '%s' is not a number",
					token_shown(a->token[2 + i].s));
	}
	if (a->ntokens != 4 || bound[0] >= bound[1])
		return usage_at(e, a->token[a->ntokens > 2 ? 2 : 1].column,
				"floor: range needs two numbers, the smaller first, or `auto` (floor range 0 2)");
	floor_range_set(panes_floor(s), true, bound[0], bound[1]);
	return STATUS_OK;
}

/* +1, -row: the cursor. */
static enum status cmd_floor_move(struct session *s, const struct token *t, struct error *e)
{
	bool row = !strcmp(t->s + 1, "row");
	char *end;
	long n = 1;

	errno = 0;
	if (!row)
		n = strtol(t->s + 1, &end, 10);
	if (!row && (end == t->s + 1 || *end || errno || n < 0 || n > 1000))
		return usage_at(e, t->column, "'%s' is not a movement (+N, -N, +row, -row)", token_shown(t->s));
	if (!desk_move_tile(s, t->s[0] == '-' ? -(int)n : (int)n, row))
		return failed_at(e, t->column, "no machine yet (launch a kernel and `step` first)");
	return STATUS_OK;
}

static enum status cmd_floor_run(struct session *s, const struct args *a, struct error *e)
{
	const struct token *t = a->token + 1;

	if (a->ntokens < 2) {
		cmd_floor_tell(s);
		return STATUS_OK;
	}
	if (!strcmp(t->s, "range"))
		return cmd_floor_range(s, a, e);
	if ((t->s[0] == '+' || t->s[0] == '-') && a->ntokens == 2)
		return cmd_floor_move(s, t, e);
	if (!strcmp(t->s, "color") && a->ntokens == 2)
		return usage_at(e, t->end + 1,
				"floor: missing NAME or EXPR after 'color' (kernel, occupancy, ipc, stall, sm.ctas)");
	if (strcmp(t->s, "color"))
		return usage_at(e, t->column,
				"floor: unexpected '%s' (usage: `floor color NAME|EXPR`, `floor range LOW HIGH|auto`)",
				token_shown(t->s));
	return floor_color_set(panes_floor(s), s, a->arg[1].text, a->arg[1].column, e);
}

const struct command command_floor = {
	.name = "floor",
	.group = "inspect",
	.summary = "choose what colors the SMs of the floor pane",
	.details =
		"NAME is kernel (the default), occupancy (resident warps), ipc, or stall (the outcome that took most issue slots).\n"
		"EXPR is an expression over an SM: a statistic counted in each SM (sm.ipc, l1d.hit_rate), per cycle over the last\n"
		"100 cycles; a field or a warp state, as it is now (sm.ctas, sm.long, warp[0].issued). Digits and colors stand for\n"
		"0 to the largest value, or for the range that `floor range LOW HIGH` sets; `floor range auto` undoes that.\n"
		"+N, -N, +row and -row move the cursor of the pane, Enter focuses its SM. `floor` alone prints the color.",
	.examples =
		"floor color ipc\nfloor color sm.l1d.hit_rate\nfloor color sm.long\nfloor range 0 0.5\nfloor color kernel",
	.flags = COMMAND_OPEN,
	.run = cmd_floor_run,
	.arg = {{"color", ARG_WORD, .doc = "color or range; +N, -N, +row, -row", .complete = complete_floor,
		 .optional = true},
		{"NAME|EXPR", ARG_EXPR, .doc = "what colors the SMs, or the range", .complete = complete_floor,
		 .optional = true}},
};
