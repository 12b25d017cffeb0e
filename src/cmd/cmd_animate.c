/*
 * cmd_animate.c - animate: cycles at a pace at which they can be watched.
 *
 * In the full screen every cycle is a frame and any key pauses; elsewhere every cycle is its stop line. Deviation:
 * without a terminal nobody watches, so nothing is waited for.
 */
#include "complete.h"
#include "travel.h"
#include "tui.h"

#include <errno.h>
#include <time.h>

#define RATE 10 /* cycles per second, if none is given */
#define RATE_MOST 60

/* Every cycle is one to stop at. */
static bool cmd_animate_any_cycle(void *self UNUSED, const struct sim *sim UNUSED)
{
	return true;
}

/* A whole number between 1 and most. */
static enum status cmd_animate_take_number(const struct token *t, const char *what, u64 most, u64 *out, struct error *e)
{
	char *end;

	errno = 0;
	*out = strtoull(t->s, &end, 0);
	if (t->s[0] < '0' || t->s[0] > '9' || *end || errno || !*out || *out > most)
		return usage_at(e, t->column, "%s '%s' is out of range (a whole number from 1 to %llu)", what,
				token_shown(t->s), most);
	return STATUS_OK;
}

/* RATE, or -RATE backwards. */
static enum status cmd_animate_take_rate(const struct token *t, u64 *rate, bool *back, struct error *e)
{
	struct token number = *t;
	bool sign = t->s[0] == '-';

	number.s += sign;
	*back |= sign;
	return cmd_animate_take_number(&number, "rate", RATE_MOST, rate, e);
}

/* [back] [RATE] [for N] */
static enum status cmd_animate_take_words(const struct args *a, u64 *rate, u64 *n, bool *back, struct error *e)
{
	const struct token *t = a->token + 1;
	u32 left = a->ntokens - 1;

	*back = left && !strcmp(t->s, "back");
	t += *back;
	left -= *back;
	if (left && strcmp(t->s, "for")) {
		if (cmd_animate_take_rate(t, rate, back, e))
			return STATUS_USAGE;
		t++;
		left--;
	}
	if (!left)
		return STATUS_OK;
	if (strcmp(t->s, "for") || left != 2)
		return usage_at(e, t->column,
				"unexpected '%s' (usage: `animate [back] [RATE] [for N]`, N a number of cycles)",
				token_shown(t->s));
	return cmd_animate_take_number(t + 1, "number of cycles", NEVER - 1, n, e);
}

/* Show the cycle for its time; true: someone asks to stop. */
static bool cmd_animate_show(struct session *s, u64 rate)
{
	struct timespec time = {.tv_sec = rate == 1, .tv_nsec = rate == 1 ? 0 : (long)(1000000000 / rate)};

	if (tui_active())
		return tui_watch(s, (u32)(1000 / rate));
	session_stopped(s, STOP_TARGET, NULL);
	fflush(s->out);
	return s->interactive && nanosleep(&time, NULL) && timeline_interrupt;
}

static enum status cmd_animate_run(struct session *s, const struct args *a, struct error *e)
{
	u64 rate = RATE, n = NEVER;
	bool alone = true, stop = false, back;
	struct goal g = {.hit = cmd_animate_any_cycle, .every_cycle = true, .alone = &alone};
	enum status st = cmd_animate_take_words(a, &rate, &n, &back, e);

	if (st)
		return st;
	if (n == NEVER && !tui_active() && !s->interactive)
		return usage_at(
			e, a->token[0].column,
			"animate: cannot be stopped without a terminal (`animate RATE for N` ends after N cycles)");
	for (; n && alone && !stop && !st; n--) {
		alone = false;
		st = back ? travel_reverse(s, &g, e) : travel_run(s, &g, false, e);
		stop = alone && cmd_animate_show(s, rate);
	}
	if (alone && tui_active())
		session_stopped(s, STOP_TARGET, NULL);
	return st;
}

const struct command command_animate = {
	.name = "animate",
	.group = "time",
	.summary = "run at a pace that can be watched",
	.details =
		"RATE is the number of cycles per second, 1 to 60 (default 10). The run ends at the next breakpoint, at the\n"
		"end, or after N cycles. `back`, or a negative rate, runs backwards. On the full screen every cycle is a frame\n"
		"and any key pauses; otherwise every cycle is a line and Ctrl-C stops. If the commands do not come from a\n"
		"terminal, `for N` is required and there is no delay between cycles.",
	.examples = "animate\nanimate 4\nanimate 20 for 100\nanimate back 5",
	.flags = COMMAND_MOVES | COMMAND_REPEATS,
	.run = cmd_animate_run,
	.arg = {{"back RATE for N", ARG_REST, .doc = "direction, cycles per second, number of cycles",
		 .complete = complete_pace, .optional = true}},
};
