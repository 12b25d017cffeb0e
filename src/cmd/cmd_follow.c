/* cmd_follow.c - follow: one warp instruction or load on its way through the machine, hop by hop. */
#include "arguments.h"
#include "columns.h"
#include "complete.h"
#include "follow.h"
#include "interrupt.h"
#include "machine.h"

#include <signal.h>

/* A hop for programs. */
static void cmd_follow_json_hop(struct session *s, const struct follow *f, u32 i, json_t *list)
{
	const struct hop *h = &f->hop[i];
	json_t *row = json_object();
	struct text what = {0};

	follow_text(s, f, i, &what);
	member_text(row, "hop", hop_table[h->kind].name);
	member_int(row, "from", h->from);
	if (h->to != NEVER) {
		member_int(row, "to", h->to);
		member_int(row, "cycles", h->to - h->from);
	}
	member_int(row, "sm", h->sm);
	member_int(row, "warp", h->warp);
	if (h->kind == HOP_WAIT)
		member_text(row, "state", warp_status_table[h->status].name);
	if (h->line)
		member_int(row, "address", h->line);
	if (h->mshr != NONE16)
		member_int(row, "mshr", h->mshr);
	if (h->kind == HOP_CROSSBAR || h->kind == HOP_L2 || h->kind == HOP_ANSWER)
		member_int(row, "slice", h->place);
	if (h->kind == HOP_DRAMQUEUE || h->kind == HOP_DRAM)
		member_int(row, "channel", h->place);
	if (h->bank != NONE16)
		member_int(row, "bank", h->bank);
	member_text(row, "what", what.s ? what.s : "");
	json_array_append_new(list, row);
	text_free(&what);
}

static void cmd_follow_json(struct session *s, const struct follow *f, u64 now)
{
	json_t *out = session_result(s), *list = json_array();
	u32 at = follow_at(f, now);

	for (u32 i = 0; i < f->n; i++)
		cmd_follow_json_hop(s, f, i, list);
	json_object_set_new(out, "hops", list);
	member_int(out, "kernel", f->launch);
	member_int(out, "cta", f->cta);
	member_int(out, "pc", f->pc);
	if (at != NONE32)
		member_int(out, "now", at);
	if (f->issued != NEVER)
		member_int(out, "issued", f->issued);
	if (f->written != NEVER)
		member_int(out, "written", f->written);
	if (f->n && f->hop[f->n - 1].to != NEVER)
		member_int(out, "cycles", f->hop[f->n - 1].to - f->hop[0].from);
}

/* The hops as a table. */
static void cmd_follow_table(struct session *s, const struct follow *f, u64 now)
{
	struct columns table;

	columns_open(&table, s, "when cycle cycles hop what");
	for (u32 i = 0; i < f->n; i++) {
		const struct hop *h = &f->hop[i];
		struct text what = {0};

		follow_text(s, f, i, &what);
		columns_text(&table, h->from > now ? "ahead" : h->to > now ? "now" : "past");
		columns_row(&table, h->from, h->to == NEVER ? NO_NUMBER : (i64)(h->to - h->from),
			    hop_table[h->kind].name, what.s ? what.s : "");
		text_free(&what);
	}
	columns_close(&table, "table", "");
}

/* The hops as sentences, for a screen reader. */
static void cmd_follow_sentences(struct session *s, const struct follow *f, u64 now)
{
	for (u32 i = 0; i < f->n; i++) {
		const struct hop *h = &f->hop[i];
		struct text what = {0};

		follow_text(s, f, i, &what);
		session_print(s, "%s, cycle %s",
			      h->from > now ? "ahead"
			      : h->to > now ? "now"
					    : "past",
			      thousands((i64)h->from));
		if (h->to != NEVER)
			session_print(s, ", %s cycle%s", thousands((i64)(h->to - h->from)), plural(h->to - h->from));
		session_print(s, ", %s: %s.\n", hop_table[h->kind].name, what.s ? what.s : "");
		text_free(&what);
	}
}

/* How it ends, and how long all of it takes. */
static void cmd_follow_sum(struct session *s, const struct follow *f, u64 now)
{
	static const char *const text[] = {
		[FOLLOW_WRITTEN] = "",
		[FOLLOW_ACKED] = "",
		[FOLLOW_KILLED] = "its CTA was killed",
		[FOLLOW_SAVED] = "its CTA was saved while it was in flight: its result is part of the saved context",
		[FOLLOW_NEVER] = "it does not come to its end: the warp or the program ends before",
		[FOLLOW_UNKNOWN] = "its end lies beyond the cycles that were looked at"};
	const struct hop *last = f->n ? &f->hop[f->n - 1] : NULL;

	if (*text[f->end])
		session_print(s, "%s\n", text[f->end]);
	if (f->end == FOLLOW_UNKNOWN)
		session_print(s, "looked at up to cycle %s\n", thousands((i64)f->until));
	if (last && last->to != NEVER) {
		u64 all = last->to - f->hop[0].from;

		session_print(s, "total: %s cycle%s", thousands((i64)all), plural(all));
		if (f->issued != NEVER && f->written != NEVER && f->written > f->issued)
			session_print(s, ", of which %s from its issue in cycle %s to %s in cycle %s",
				      thousands((i64)(f->written - f->issued)), thousands((i64)f->issued),
				      f->end == FOLLOW_ACKED ? "the last acknowledgment" : "its end",
				      thousands((i64)f->written));
		session_print(s, "\n");
	}
	if (last && last->from > now)
		session_print(
			s, "ahead: found by running a copy of the simulator on, exact as long as nothing is changed\n");
}

static enum status cmd_follow_show(struct session *s, struct error *e)
{
	const struct follow *f = follow_now(s);
	u64 now = timeline_now(s->timeline).cycle;
	struct text who = {0};

	if (!f)
		return s->follow
			       ? error_set(e, STATUS_FAILED, "interrupted")
			       : error_set(
					 e, STATUS_FAILED,
					 "nothing is followed (`follow warp N`, `follow load` or `follow line ADDRESS`)");
	follow_who(s, f, &who);
	session_print(s, "%s\n", who.s);
	text_free(&who);
	if (s->json)
		cmd_follow_json(s, f, now);
	else if (s->plain)
		cmd_follow_sentences(s, f, now);
	else
		cmd_follow_table(s, f, now);
	cmd_follow_sum(s, f, now);
	return STATUS_OK;
}

/* follow [warp N | load | line ADDRESS] [sm S] [at CYCLE] | off */
static enum status cmd_follow_run(struct session *s, const struct args *a, struct error *e)
{
	struct follow_wish w;
	struct sigaction old;
	enum status st;

	st = follow_words(s, "follow", a->token, a->ntokens, &w, e);
	if (st)
		return st;
	if (w.off) {
		follow_stop(s);
		return STATUS_OK;
	}
	interrupt_catch(&old);
	interrupt_begin(s);
	if (a->ntokens > 1)
		st = follow_wished(s, &w, e);
	if (!st)
		st = cmd_follow_show(s, e);
	interrupt_end(s);
	interrupt_release(&old);
	return st;
}

/* The hops, for help. */
static void cmd_follow_rows(struct text *out)
{
	for (u32 i = 0; i < HOP_COUNT; i++)
		help_row(out, hop_table[i].name, 10, hop_table[i].doc);
}

const struct command command_follow = {
	.name = "follow",
	.group = "inspect",
	.summary = "show the way of one warp instruction or load: past hops, the present one, the forecast",
	.details =
		"`warp N`: the instruction that the warp issues in this cycle, or its next one. `load`: the load of the warp\n"
		"(default: the focused one) that is in flight for longest. `line ADDRESS`: the oldest load that waits for the\n"
		"cache line of the address. `at CYCLE` chooses as of another cycle, past or ahead. Without words, the way of\n"
		"what is followed is shown again; `off` ends it. A hop begins in its cycle and lasts until the next one. Of a\n"
		"load with several lines, it is the way of the line that comes last. Past hops are found by running a part of\n"
		"the past again, those ahead by running a copy of the simulator on: exact as long as nothing is changed.\n"
		"`next hop` and `reverse-next hop` go along the way, `break hop l2` stops where it reaches the L2. The panes\n"
		"datapath and floor mark where it is now. The hops:",
	.rows = cmd_follow_rows,
	.examples =
		"follow warp 3\nfollow load\nfollow line 0x700000001100\nfollow warp 3 at $cycle-20\nfollow\nfollow off",
	.flags = COMMAND_NEEDS_MACHINE,
	.run = cmd_follow_run,
	.arg = {{"WHAT", ARG_REST, .doc = "warp N, load, line ADDRESS, sm S, at CYCLE, off",
		 .complete = complete_follow, .optional = true}},
};
