/* info_output.c - info output [N]: what the program has printed up to here, who, where and when; the last N calls. */
#include "events.h"
#include "info.h"
#include "lines.h"
#include "outputs.h"

#include <ctype.h>

/* One call. */
static void info_output_row(struct columns *c, const struct program *p, const struct output_record *r)
{
	const struct kernel *k = p->launch[r->launch].kernel;
	struct text thread = {0}, lines = {0};
	char place[128];

	output_thread(p, r, &thread);
	output_lines(r, "", &lines);
	lines.s[lines.len - 1] = '\0';
	for (char *at = lines.s; (at = strchr(at, '\n'));)
		*at = ' ';
	columns_row(c, r->cycle, r->sm, r->warp, r->cta, thread.s, line_place(k, r->pc, place, sizeof(place)), lines.s);
	text_free(&thread);
	text_free(&lines);
}

/* info output [N] */
static enum status info_output_run(struct session *s, const struct token *token, u32 ntokens, struct error *e)
{
	const struct output_record **list;
	struct columns c;
	u32 n, from = 0;
	char *end = NULL;
	u64 lost, last = ntokens ? strtoull(token->s, &end, 10) : 0;

	if (ntokens > 1 || (end && (*end || !isdigit((u8)token->s[0]) || !last)))
		return usage_at(e, token->column, "the number of lines must be an integer, at least 1");
	outputs_count(&s->sim, &lost);
	list = outputs_sorted(&s->sim, &n);
	if (last && last < n)
		from = n - (u32)last;
	columns_open(&c, s, "cycle sm warp cta thread line text");
	for (u32 i = from; i < n; i++)
		info_output_row(&c, &s->program, list[i]);
	columns_close(&c, "output",
		      s->sim.shadow & SHADOW_OUTPUT ? "nothing printed so far"
						    : "no launched kernel calls printf or assert");
	if (lost)
		session_print(s, "and %s more calls, whose text did not fit\n", thousands((i64)lost));
	member_int(session_result(s), "lost", lost);
	free(list);
	return STATUS_OK;
}

const struct info info_output = {
	.name = "output",
	.usage = "[N]",
	.doc = "output of the program so far (printf, failed assertions), by cycle, SM, warp and lane; with N the last N calls",
	.needs_machine = true,
	.run = info_output_run,
};
