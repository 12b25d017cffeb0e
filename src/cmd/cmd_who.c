/* cmd_who.c - who: every access to an element of memory, a lane of a register or a predicate. */
#include "cited.h"
#include "columns.h"
#include "complete.h"
#include "arguments.h"
#include "events.h"
#include "interrupt.h"
#include "lines.h"
#include "uses.h"
#include "who.h"

#include <signal.h>

#define SHOWN 20 /* accesses that are printed, the latest */

static const char *const access_word[] = {
	[ACCESS_READ] = "read", [ACCESS_WRITE] = "wrote", [ACCESS_ATOMIC] = "atomic", [ACCESS_HOST] = "set"};

/* The kernel of an access. */
static const struct kernel *cmd_who_kernel(const struct session *s, const struct access *a)
{
	return s->program.launch[a->launch].kernel;
}

/* How the value that an access leaves is written: by the place's type, of registers as the instruction computes it. */
static struct result_type cmd_who_type(const struct session *s, const struct who *w, const struct access *a,
				       struct result_type before)
{
	struct result_type t;

	if (w->datum.kind != DATUM_REGISTER || (a->kind != ACCESS_WRITE && a->kind != ACCESS_ATOMIC))
		return before;
	t = inst_result_type(cmd_who_kernel(s, a), a->pc);
	return value_type_size[t.type] == 8 && w->datum.words == 1 ? (struct result_type){VALUE_U32, true} : t;
}

/* A value as a cell. */
static void cmd_who_value(struct columns *c, struct result_type t, u64 bits)
{
	struct text v = {0};

	datum_value(t.type, t.hex, bits, &v);
	columns_text(c, v.s);
	text_free(&v);
}

/* The instruction, "st.global.f32 [d2], r0", and its line. */
static void cmd_who_instruction(struct columns *c, const struct session *s, const struct access *a)
{
	char line[128] = "";
	struct text out = {0};

	text_add_safe(&out, kernel_text(cmd_who_kernel(s, a), a->pc), strlen(kernel_text(cmd_who_kernel(s, a), a->pc)));
	line_place(cmd_who_kernel(s, a), a->pc, line, sizeof(line));
	if (line[0])
		text_add(&out, " (%s)", line);
	columns_text(c, out.s);
	text_free(&out);
}

/* One access as a row; *t: how the value before it is written, and then that after it. */
static void cmd_who_row(struct columns *c, const struct session *s, const struct who *w, const struct access *a,
			struct result_type *t)
{
	bool host = a->kind == ACCESS_HOST;

	columns_row(c, a->cycle, access_word[a->kind]);
	for (u32 i = 0; i < 5; i++) {
		const i64 n[] = {a->sm, a->context, (i64)a->cta, a->lane, (i64)a->pc};

		columns_int(c, host ? NO_NUMBER : n[i]);
	}
	cmd_who_value(c, *t, a->before);
	*t = cmd_who_type(s, w, a, *t);
	if (a->kind == ACCESS_READ)
		columns_int(c, NO_NUMBER);
	else
		cmd_who_value(c, *t, a->after);
	if (host)
		columns_text(c, "by the host: `set var`, or reset between launches");
	else
		cmd_who_instruction(c, s, a);
}

/* The accesses, the latest. */
static void cmd_who_print(struct session *s, const struct who *w)
{
	struct result_type t = {w->datum.type, w->datum.kind == DATUM_REGISTER};
	u64 most = s->json ? WHO_KEPT : SHOWN, from = w->n > most ? w->n - most : 0;
	json_t *result = session_result(s);
	struct text name = {0}, now = {0};
	struct cited lines = {0};
	struct columns c;

	datum_text(s, &w->datum, &name);
	session_print(s, "%s: %s access%s in cycles %llu to %llu\n", name.s, thousands((i64)w->n),
		      w->n == 1 ? "" : "es", w->from, w->to);
	if (from && !s->json)
		session_print(s, "%s earlier accesses are not shown (`to %llu` ends before the first one shown)\n",
			      thousands((i64)from), who_access(w, from)->cycle - 1);
	columns_open(&c, s, "cycle how sm warp cta lane pc old new instruction");
	for (u64 i = from; i < w->n; i++) {
		const struct access *a = who_access(w, i);

		cmd_who_row(&c, s, w, a, &t);
		if (a->kind != ACCESS_HOST)
			cited_add(&lines, s, cmd_who_kernel(s, a), a->pc);
	}
	columns_close(&c, "accesses", "no access");
	cited_print(&lines, s);
	datum_value(t.type, t.hex, w->now, &now);
	session_print(s, "current value: %s\n", now.s);
	member_text(result, "place", name.s);
	member_int(result, "count", w->n);
	member_int(result, "from", w->from);
	member_int(result, "to", w->to);
	member_text(result, "value", now.s);
	text_free(&name);
	text_free(&now);
}

/* Look, and say what was found. */
static enum status cmd_who_answer(struct session *s, struct who *w, struct error *e)
{
	struct sigaction old;
	enum status st;

	interrupt_catch(&old);
	st = who_find(s, w, e);
	interrupt_release(&old);
	if (interrupt_wanted())
		st = interrupt_status(s, e);
	else if (!st)
		cmd_who_print(s, w);
	who_free(w);
	return st;
}

/* `read` or `wrote`. */
static enum status cmd_who_word(const struct args *a, struct who *w, struct error *e)
{
	const char *word = a->token[1].s;

	w->reads = !strcmp(word, "read");
	w->writes = !strcmp(word, "wrote");
	if (!w->reads && !w->writes)
		return usage_at(e, a->token[1].column,
				"unexpected '%s' (usage: `who read LOCATION` or `who wrote LOCATION`)",
				token_shown(word));
	return STATUS_OK;
}

/* who read|wrote PLACE [lane N] [from CYCLE] [to CYCLE] */
static enum status cmd_who_run(struct session *s, const struct args *a, struct error *e)
{
	u64 now = timeline_now(s->timeline).cycle;
	struct who w = {.from = 0, .to = now};
	u32 n = 2;
	char *text;
	enum status st = cmd_who_word(a, &w, e);

	while (n < a->ntokens && strcmp(a->token[n].s, "from") && strcmp(a->token[n].s, "to"))
		n++;
	if (!st && n == 2)
		st = usage_at(e, a->token[1].end + 1, "missing location (examples: a[3], shared.f32[0], r4 lane 3)");
	if (!st)
		st = cycles_take(s, a->token + n, a->ntokens - n, &w.from, &w.to, e);
	if (!st && (w.to > now || w.from > w.to))
		st = usage_at(e, a->token[n].column, "cycles are out of range (0 to %llu, the current cycle)", now);
	if (st)
		return st;
	text = xstrndup(a->line + a->token[2].column - 1, a->token[n - 1].end - (a->token[2].column - 1));
	st = datum_parse(s, text, a->token[2].column, &w.datum, e);
	free(text);
	return st ? st : cmd_who_answer(s, &w, e);
}

const struct command command_who = {
	.name = "who",
	.group = "inspect",
	.summary = "list the accesses to an element of memory, a lane of a register or a predicate",
	.details =
		"LOCATION is as for `set var`: a[3], global.f32[ADDRESS], shared.f32[I] and local.u32[LANE][I] of the focused\n"
		"warp or of another warp (warp[5].shared.f32[I]). It may also be a register by its name: r12, d4 (a pair) or\n"
		"p0, also warp[5].r12 and sm[0].warp[5].r12, followed by `lane N` (default: lane 0). A copy of the simulator\n"
		"repeats the run up to the current cycle and records every access: its cycle, the warp and lane, the value\n"
		"before it and, for a write, after it. `goto CYCLE` shows the state just after an access. Memory that belongs\n"
		"to a CTA or a warp is tracked from the dispatch of the CTA. The latest accesses are printed, with -j up to\n"
		"65536. Below them stand the source lines that they come from. Atomics read and write. Only kernels from PTX\n"
		"have values.",
	.examples =
		"who wrote c[5]\nwho read a[3] from 10 to 60\nwho wrote r18 lane 3\nwho read shared.f32[0]\nwho wrote sm[0].warp[1].p0 lane 2",
	.flags = COMMAND_NEEDS_MACHINE | COMMAND_OPEN,
	.run = cmd_who_run,
	.arg = {{"read|wrote", ARG_WORD, .doc = "`read` or `wrote`", .complete = complete_who},
		{"LOCATION", ARG_EXPR, .doc = "location; then `lane N`, `from CYCLE`, `to CYCLE`",
		 .complete = complete_who}},
};
