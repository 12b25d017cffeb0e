/* info_breakpoints.c - info breakpoints: the stops, their hits up to here, their lists. */
#include "info.h"

/* What a stop is besides its text. */
static const char *info_breakpoints_state(const struct session *s, const struct breakpoint *b)
{
	if (!b->enabled)
		return "disabled";
	if (s->live && !b->resolved)
		return "not found";
	return b->temporary ? "once" : "enabled";
}

/* One row. */
static void info_breakpoints_row(struct columns *c, struct session *s, const struct breakpoint *b)
{
	u64 hits = breakpoint_hits(s, b);
	struct text what = {0};

	breakpoint_text(b, &what);
	columns_row(c, b->number, info_breakpoints_state(s, b), hits, breakpoint_met(s, b),
		    b->ignore_rank > hits ? (i64)(b->ignore_rank - hits) : 0, b->ncommands, what.s);
	text_free(&what);
}

/* The lists, below the table. */
static void info_breakpoints_lists(struct session *s, const struct breaks *b)
{
	for (u32 i = 0; i < b->n; i++) {
		if (b->list[i]->ncommands)
			session_print(s, "commands %u\n", b->list[i]->number);
		for (u32 j = 0; j < b->list[i]->ncommands; j++)
			session_print(s, "  %s\n", safe_text(b->list[i]->command[j]));
		if (b->list[i]->ncommands)
			session_print(s, "end\n");
	}
}

/* info breakpoints */
static void info_breakpoints_show(struct session *s)
{
	struct breaks *b = s->breaks;
	struct columns c;

	columns_open(&c, s, "number state hits matches ignore commands what");
	for (u32 i = 0; i < b->n; i++) {
		if (s->live)
			breakpoint_resolve(s, b->list[i], NULL);
		info_breakpoints_row(&c, s, b->list[i]);
	}
	columns_close(&c, "breakpoints", "no breakpoints");
	info_breakpoints_lists(s, b);
}

const struct info info_breakpoints = {.name = "breakpoints",
				      .doc = "breakpoints and watchpoints: state, hits, command lists",
				      .show = info_breakpoints_show};
