/*
 * cmd_animate.c - animate: cycles at a pace at which they can be watched.
 *
 * In the full screen any key pauses; elsewhere every frame is its stop line. Deviation:
 * without a terminal nobody watches, so nothing is waited for.
 */
#include "complete.h"
#include "machine.h"
#include "travel.h"
#include "tui.h"

#include <errno.h>
#include <time.h>

#define RATE 10 /* cycles per second, if none is given */
#define RATE_MOST 60

/* What is asked for. */
struct pace {
	u64 rate, by, n; /* frames per second, cycles per frame, cycles in all */
	bool back;
};

/* The cycle of the next frame is one to stop at. */
static bool cmd_animate_frame(void *self, const struct sim *sim)
{
	return machine_gpu(sim->m)->cycle == *(const u64 *)self;
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

/* [back] [RATE] [by N] [for N] */
static enum status cmd_animate_take_words(const struct args *a, struct pace *p, struct error *e)
{
	const struct token *t = a->token + 1;
	u32 left = a->ntokens - 1;
	enum status st = STATUS_OK;

	p->back = left && !strcmp(t->s, "back");
	t += p->back;
	left -= p->back;
	if (left && strcmp(t->s, "for") && strcmp(t->s, "by")) {
		st = cmd_animate_take_rate(t, &p->rate, &p->back, e);
		t++;
		left--;
	}
	if (!st && left > 1 && !strcmp(t->s, "by")) {
		st = cmd_animate_take_number(t + 1, "number of cycles per frame", NEVER - 1, &p->by, e);
		t += 2;
		left -= 2;
	}
	if (st || !left)
		return st;
	if (strcmp(t->s, "for") || left != 2)
		return usage_at(e, t->column,
				"unexpected '%s' (usage: `animate [back] [RATE] [by N] [for N]`, N a number of cycles)",
				token_shown(t->s));
	return cmd_animate_take_number(t + 1, "number of cycles", NEVER - 1, &p->n, e);
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
	struct pace p = {.rate = RATE, .by = 1, .n = NEVER};
	u64 frame, step;
	bool alone = true, stop = false;
	struct goal g = {.hit = cmd_animate_frame, .self = &frame, .every_cycle = true, .alone = &alone, .dated = true};
	enum status st = cmd_animate_take_words(a, &p, e);

	if (st)
		return st;
	if (p.n == NEVER && !tui_active() && !s->interactive)
		return usage_at(
			e, a->token[0].column,
			"animate: cannot be stopped without a terminal (`animate RATE for N` ends after N cycles)");
	for (; p.n && alone && !stop && !st; p.n -= step) {
		u64 now = timeline_now(s->timeline).cycle;

		alone = false;
		step = min_u64(p.by, p.n);
		step = p.back ? min_u64(step, max_u64(now, 1)) : min_u64(step, NEVER - 1 - now);
		frame = p.back ? now - min_u64(step, now) : now + step;
		st = p.back ? travel_reverse(s, &g, e) : travel_run(s, &g, false, e);
		stop = alone && cmd_animate_show(s, p.rate);
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
		"RATE is the number of frames per second, 1 to 60 (default 10), each a cycle later than the one before, or, after\n"
		"`by N`, N cycles. The run ends at the next breakpoint, at the end, or after N cycles (`for N`). `back`, or a\n"
		"negative rate, runs backwards. On the full screen any key pauses; otherwise every frame is a line and Ctrl-C\n"
		"stops. If the commands do not come from a terminal, `for N` is required and there is no delay between frames.",
	.examples = "animate\nanimate 4\nanimate 20 for 100\nanimate back 5\nanimate 10 by 100 for 1000",
	.flags = COMMAND_MOVES | COMMAND_REPEATS,
	.run = cmd_animate_run,
	.arg = {{"back RATE by N for N", ARG_REST,
		 .doc = "direction, frames per second, cycles per frame, number of cycles", .complete = complete_pace,
		 .optional = true}},
};
