/* cmd_focus.c - focus: which SM, sub-core and warp short names mean. */
#include "complete.h"
#include "lang.h"
#include "arguments.h"
#include "machine.h"
#include "travel.h"

#include <ctype.h>
#include <errno.h>

enum cmd_focus_word { WORD_SM, WORD_SUB, WORD_WARP, WORD_KERNEL, WORD_CTA, WORD_COUNT };
static const char *const cmd_focus_word[WORD_COUNT] = {"sm", "sub", "warp", "kernel", "cta"};

const char *focus_word(u32 i)
{
	return i < WORD_COUNT ? cmd_focus_word[i] : NULL;
}

/* What the line asks for; bit i of given: word i stood there; of moved: its number is a way from where the focus is. */
struct wish {
	u64 number[WORD_COUNT];
	i64 by[WORD_COUNT];
	u32 given, moved;
	u32 column;
};

/* One pair, WORD NUMBER. */
static enum status cmd_focus_pair_parse(struct session *s, const struct token *word, const struct token *number,
					struct wish *w, struct error *e)
{
	u32 launch;
	char *end;
	int i = 0;

	while (i < WORD_COUNT && strcmp(word->s, cmd_focus_word[i]))
		i++;
	if (i == WORD_COUNT)
		return usage_at(e, word->column,
				"'%s' cannot be focused (usage: `focus sm S sub U warp W` or `focus kernel K cta C`)",
				safe_text(word->s));
	if (i == WORD_KERNEL && number && !isdigit((u8)number->s[0])) {
		if (launch_take(s, number->s, number->column, &launch, e))
			return STATUS_FAILED;
		w->number[i] = launch;
		w->given |= 1u << i;
		return STATUS_OK;
	}
	bool moved = number && i <= WORD_WARP && *number->s && strchr("+-", *number->s) && isdigit((u8)number->s[1]);

	if (!moved && (!number || !isdigit((u8)number->s[0])))
		return usage_at(e, number ? number->column : word->column, "missing number after '%s'",
				cmd_focus_word[i]);
	errno = 0;
	if (moved)
		w->by[i] = strtoll(number->s, &end, 10);
	else
		w->number[i] = strtoull(number->s, &end, 0);
	if (*end || errno)
		return usage_at(e, number->column, "'%s' is not a number (after '%s')", safe_text(number->s),
				cmd_focus_word[i]);
	w->given |= 1u << i;
	w->moved |= moved ? 1u << i : 0;
	return STATUS_OK;
}

/* A number must be below n. */
static enum status cmd_focus_check(const struct wish *w, int i, u64 n, struct error *e)
{
	if (!(w->given >> i & 1) || w->number[i] < n)
		return STATUS_OK;
	return failed_at(e, w->column, "%s %llu does not exist (0 to %llu)", cmd_focus_word[i], w->number[i], n - 1);
}

/* The first resident warp of a sub-core; its first context if none is. */
static u32 cmd_focus_first_warp(const struct session *s, u32 sm, u32 sub)
{
	u32 subs = s->sim.m->config.sm_subcores;

	for (u32 i = sub; i < s->sim.m->contexts; i += subs)
		if (sim_warp_status(&s->sim, sm, i) < WARP_STATUS_COUNT)
			return i;
	return sub;
}

/* The resident warp that stands `by` rows below (above) the focused one, sub-core by sub-core, round and round. */
static u32 cmd_focus_warp_from(const struct session *s, u32 sm, i64 by)
{
	u32 subs = s->sim.m->config.sm_subcores, n = s->sim.m->contexts, count = 0, at = 0,
	    resident[CONTEXT_WORDS * 64];

	for (u32 sub = 0; sub < subs; sub++)
		for (u32 i = sub; i < n; i += subs) {
			if (sim_warp_status(&s->sim, sm, i) >= WARP_STATUS_COUNT)
				continue;
			at = i == s->focus.warp ? count : at;
			resident[count++] = i;
		}
	return count ? resident[(u32)(((i64)at + by % count + count) % count)] : s->focus.warp;
}

/* Numbers that are ways from the focus become places, round and round. */
static void cmd_focus_wish_settle(const struct session *s, struct wish *w)
{
	const struct config *c = &s->sim.m->config;
	u64 now[] = {s->focus.sm, s->focus.sub}, n[] = {c->gpu_sms, c->sm_subcores};

	for (u32 i = WORD_SM; i <= WORD_SUB; i++)
		if (w->moved >> i & 1)
			w->number[i] = (u64)(((i64)now[i] + w->by[i] % (i64)n[i] + (i64)n[i]) % (i64)n[i]);
	if (w->moved >> WORD_WARP & 1)
		w->number[WORD_WARP] = cmd_focus_warp_from(s,
							   w->given >> WORD_SM & 1 && w->number[WORD_SM] < c->gpu_sms
								   ? (u32)w->number[WORD_SM]
								   : s->focus.sm,
							   w->by[WORD_WARP]);
}

/* focus sm S sub U warp W */
static enum status cmd_focus_focus_numbers(struct session *s, struct wish *w, struct error *e)
{
	const struct machine *m = s->sim.m;
	struct focus f = s->focus;

	cmd_focus_wish_settle(s, w);
	if (cmd_focus_check(w, WORD_SM, m->config.gpu_sms, e) ||
	    cmd_focus_check(w, WORD_SUB, m->config.sm_subcores, e) || cmd_focus_check(w, WORD_WARP, m->contexts, e))
		return STATUS_FAILED;
	if (w->given >> WORD_SM & 1)
		f.sm = (u32)w->number[WORD_SM];
	if (w->given >> WORD_WARP & 1)
		f.warp = (u32)w->number[WORD_WARP];
	else if (w->given >> WORD_SUB & 1)
		f.warp = cmd_focus_first_warp(s, f.sm, (u32)w->number[WORD_SUB]);
	f.sub = f.warp % m->config.sm_subcores;
	if ((w->given >> WORD_SUB & 1) && f.sub != w->number[WORD_SUB])
		return failed_at(e, w->column, "warp %u belongs to sub-core %u, not to %llu", f.warp, f.sub,
				 w->number[WORD_SUB]);
	s->focus = f;
	return STATUS_OK;
}

/* focus kernel K [cta C]: the first warp found that runs it. */
static enum status cmd_focus_focus_cta(struct session *s, const struct wish *w, struct error *e)
{
	bool any_cta = !(w->given >> WORD_CTA & 1);

	if (cmd_focus_check(w, WORD_KERNEL, s->program.nlaunch, e))
		return STATUS_FAILED;
	if (focus_launch(s, &s->sim, w->number[WORD_KERNEL], any_cta ? NONE32 : w->number[WORD_CTA]))
		return STATUS_OK;
	return failed_at(e, w->column, "no warp of %s is resident in this cycle (`info ctas all` lists resident CTAs)",
			 any_cta ? "that kernel" : "that CTA");
}

/* Say where the focus is. */
static void cmd_focus_say(struct session *s)
{
	const struct focus *f = &s->focus;
	const struct warp *x = (struct warp *)machine_sm_section(s->sim.m, f->sm, SECTION_WARP) + f->warp;
	const struct cta *c = machine_sm_section(s->sim.m, f->sm, SECTION_CTA);
	u32 status = sim_warp_status(&s->sim, f->sm, f->warp);
	json_t *result = session_result(s);

	session_focus_seen(s);
	session_print(s, "sm %u sub %u warp %u", f->sm, f->sub, f->warp);
	if (x->cta == NONE16)
		session_print(s, ", not resident\n");
	else
		session_print(s, ", kernel %u CTA %u, %s\n", x->launch, c[x->cta].id,
			      status < WARP_STATUS_COUNT ? warp_status_table[status].name : "not resident");
	if (!result)
		return;
	member_int(result, "sm", f->sm);
	member_int(result, "sub", f->sub);
	member_int(result, "warp", f->warp);
}

/* focus [WORD NUMBER]... */
static enum status cmd_focus_run(struct session *s, const struct args *a, struct error *e)
{
	struct wish w = {.column = a->rest < a->ntokens ? a->token[a->rest].column : 0};
	enum status st = STATUS_OK;

	if (!focus_exists(s))
		s->focus = (struct focus){0};
	for (u32 i = a->rest; i < a->ntokens && !st; i += 2)
		st = cmd_focus_pair_parse(s, &a->token[i], i + 1 < a->ntokens ? &a->token[i + 1] : NULL, &w, e);
	if (st)
		return st;
	if (w.given >> WORD_CTA & 1 && !(w.given >> WORD_KERNEL & 1))
		w.given |= 1u << WORD_KERNEL;
	st = w.given >> WORD_KERNEL & 1 ? cmd_focus_focus_cta(s, &w, e) : cmd_focus_focus_numbers(s, &w, e);
	if (!st)
		cmd_focus_say(s);
	return st;
}

const struct command command_focus = {
	.name = "focus",
	.alias = "f",
	.group = "inspect",
	.summary = "select the SM, sub-core and warp that short names refer to",
	.details =
		"`focus sm S sub U warp W`: each part is optional. +N and -N are relative to the current focus; for warps they\n"
		"count resident warps. `focus kernel K cta C` selects the first warp of a CTA; K is a number or name. The focus is what warp[5].pc,\n"
		"$warp, panes and `next` refer to. If the focused warp has left the SM, the next stop moves the focus to the\n"
		"nearest resident warp and reports it. Without arguments the focus is printed.",
	.examples = "focus sm 1 warp 5\nfocus sub 2\nfocus warp +1\nfocus kernel 0 cta 12\nfocus",
	.flags = COMMAND_NEEDS_MACHINE | COMMAND_OPEN,
	.run = cmd_focus_run,
	.arg = {{"WORD N", ARG_REST, .doc = "sm S, sub U, warp W, kernel K, cta C", .complete = complete_focus,
		 .optional = true}},
};
