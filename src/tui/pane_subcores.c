/*
 * pane_subcores.c - the sub-cores of the focused SM: what each scheduler issued, what its other issue slots were
 * stalled on.
 *
 * Conservation: the slots of every outcome sum to the issue slots of the SM's cycles, and those that issued to the
 * instructions of its sub-cores; the causes of those stalled on the pipeline sum to these.
 */
#include "counters.h"
#include "machine.h"
#include "sheet.h"

#define NOTE_WIDTH 31 /* of its lines: the pane's width beside the list of warps on 80 columns */

static const struct grid_column column[] = {
	{.name = "sub", .width = 3, .right = true},
	{.name = "sched", .width = 5, .drop = 7, .right = true},
	{.name = "issued", .width = 7, .right = true},
	{.name = "share", .width = 5, .drop = 2},
	{.name = "percent", .heading = "%", .width = 3, .drop = 3, .right = true},
	{.name = "now", .width = 10, .wide = true},
	{.name = "warps", .width = 5, .drop = 4, .right = true},
	{.name = "collectors", .width = 10, .drop = 5, .right = true},
	{.name = "banks", .width = 8, .drop = 6},
	{.name = "units", .width = 13, .drop = 8},
};

static const struct grid_column outcome_column[] = {
	{.name = "o", .width = 1, .letter = true},
	{.name = "outcome", .width = 9},
	{.name = "count", .width = 11, .right = true},
	{.name = "percent", .heading = "%", .width = 5, .drop = 1, .right = true},
	{.name = "share", .width = 10, .drop = 2, .wide = true},
};

static const struct grid_column cause_column[] = {
	{.name = "p", .heading = "P", .width = 1, .letter = true},
	{.name = "cause", .width = 9},
	{.name = "count", .width = 11, .right = true},
	{.name = "percent", .heading = "%", .width = 5, .drop = 1, .right = true},
	{.name = "share", .width = 10, .drop = 2, .wide = true},
};

/* The parts of an SM that the pane looks at. */
struct parts {
	const struct pane_view *v;
	struct machine *m;
	const struct sm *sm;
	const struct sub *sub;
	const struct sched *sched;
};

/* What a scheduler did: the warp that issued, or why none did. */
static void pane_subcores_now_cell(struct grid *g, const struct parts *p, const struct sched *x)
{
	const struct slot *slot = machine_sm_section(p->m, p->v->focus.sm, SECTION_SLOT);
	u32 o = x->outcome;

	if (o >= SLOT_OUTCOME_COUNT)
		grid_none(g);
	else if (o == SLOT_ISSUED && x->chosen != NONE16 && slot[x->chosen].context != NONE16)
		grid_print(g, STYLE_ISSUED, "* w%u", slot[x->chosen].context);
	else
		grid_print(g, outcome_style(o), "%c %s", slot_outcome_table[o].letter, slot_outcome_table[o].name);
}

/* Reads queued at each bank, as bars of eighths; as numbers in the plain text. */
static void pane_subcores_banks_cell(struct grid *g, const struct parts *p, u32 sub)
{
	static const char *const level[] = {"·", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
	u32 n = p->m->config.sm_banks;
	const struct bank *bank = (struct bank *)machine_sm_section(p->m, p->v->focus.sm, SECTION_BANK) + sub * n;
	char text[8 * 8 + 1] = "";

	for (u32 i = 0; i < n && i < 8; i++)
		if (p->v->plain)
			snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s%u", i ? " " : "", bank[i].count);
		else
			snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s",
				 level[min_u32(bank[i].count, 8)]);
	grid_text(g, STYLE_PIPELINE, text);
}

/* The kinds of execution unit that take nothing now. */
static void pane_subcores_units_cell(struct grid *g, const struct parts *p, u32 sub)
{
	u32 per = p->m->warp_units[UNIT_COUNT];
	const struct unit *u = (struct unit *)machine_sm_section(p->m, p->v->focus.sm, SECTION_UNIT) + sub * per;
	u64 cycle = machine_gpu(p->m)->cycle;
	char text[64] = "";

	for (u32 k = UNIT_NONE + 1; k < UNIT_COUNT; k++) {
		u32 busy = 0, from = p->m->warp_units[k], to = p->m->warp_units[k + 1];

		for (u32 i = from; i < to; i++)
			busy += u[i].free_at > cycle;
		if (busy)
			snprintf(text + strlen(text), sizeof(text) - strlen(text), to - from > 1 ? "%s%s %u" : "%s%s",
				 *text ? " " : "", unit_name[k], busy);
	}
	grid_text(g, STYLE_PLAIN, *text ? text : "-");
}

/* One scheduler's row; the sub-core's own columns stand on its first. */
static void pane_subcores_row(struct grid *g, const struct parts *p, u32 sub, u32 k, u64 total)
{
	const struct config *c = &p->m->config;
	const struct sched *x = &p->sched[sub * c->sm_schedulers + k];
	const struct warp *w = machine_sm_section(p->m, p->v->focus.sm, SECTION_WARP);
	u32 warps = 0, held = c->sm_collectors - (u32)__builtin_popcount(p->sub[sub].free_collectors);

	for (u32 i = sub; i < p->m->contexts; i += c->sm_subcores)
		warps += w[i].cta != NONE16;
	if (sub == p->v->focus.sub && !k)
		grid_focus(g);
	grid_int(g, STYLE_PLAIN, sub);
	grid_int(g, STYLE_PLAIN, k);
	grid_int(g, STYLE_PLAIN, (i64)x->issued);
	grid_bar(g, STYLE_ISSUED, (double)x->issued, (double)total);
	grid_share(g, STYLE_PLAIN, share_of(x->issued, total));
	pane_subcores_now_cell(g, p, x);
	grid_int(g, STYLE_PLAIN, warps);
	grid_print(g, held == c->sm_collectors ? STYLE_PIPELINE : STYLE_PLAIN, "%u of %u", held, c->sm_collectors);
	pane_subcores_banks_cell(g, p, sub);
	pane_subcores_units_cell(g, p, sub);
}

/* The outcome with the most slots of those not yet named; SLOT_OUTCOME_COUNT: none is left. */
static u32 pane_subcores_most_lost(const struct sm *sm, u32 named)
{
	u32 best = SLOT_OUTCOME_COUNT;

	for (u32 o = 0; o < SLOT_OUTCOME_COUNT; o++)
		if (o != SLOT_ISSUED && !(named >> o & 1) && sm->outcomes[o] &&
		    (best == SLOT_OUTCOME_COUNT || sm->outcomes[o] > sm->outcomes[best]))
			best = o;
	return best;
}

/* Below the list: imbalance, IPC, what the other slots were stalled on, the most first; a share that rounds to nothing
 * stands in the table alone. */
static void pane_subcores_note(struct sheet *s, const struct parts *p, u64 slots)
{
	u64 cycle = machine_gpu(p->m)->cycle;
	u32 named = 0, o;
	size_t line;

	text_add(&s->note, "cov %.3f  ipc %.2f\n", sim_sub_variation(p->v->sim, p->v->focus.sm),
		 cycle ? (double)p->sm->stat[STAT_INST_WARP] / (double)cycle : 0);
	line = s->note.len;
	text_add(&s->note, "stalls");
	for (u32 n = 0; n < 4 && (o = pane_subcores_most_lost(p->sm, named)) < SLOT_OUTCOME_COUNT; n++) {
		const char *name = slot_outcome_table[o].name;
		double share = share_of(p->sm->outcomes[o], slots);

		if (n && share < 0.5)
			break;
		if (s->note.len - line + strlen(name) + 6 > NOTE_WIDTH) { /* " 12 %" */
			text_add(&s->note, "\n      ");
			line = s->note.len - 6;
		}
		text_add(&s->note, " %s %.0f", name, share);
		named |= 1u << o;
	}
	o = pane_subcores_most_lost(p->sm, named);
	text_add(&s->note, "%s%s\n", named ? " %" : " none",
		 named && o < SLOT_OUTCOME_COUNT && share_of(p->sm->outcomes[o], slots) >= 0.5 ? " …" : "");
}

/* Issue slots of the cycles that an SM has counted. */
static u64 pane_subcores_slots_offered(const struct parts *p)
{
	const struct sleep *sleep = (struct sleep *)machine_gpu_section(p->m, SECTION_SLEEP) + p->v->focus.sm;
	u64 every = p->m->config.issue_interval;

	return (sleep->counted + every - 1) / every * p->m->schedulers;
}

/* The slots stalled on the pipeline, by what their warps waited for. */
static void pane_subcores_causes(struct sheet *s, const struct parts *p, u64 slots)
{
	static const struct {
		const char *name;
		enum sm_counter stat;
	} row[] = {{"lsu", STAT_PIPELINE_LSU}, {"unit", STAT_PIPELINE_UNIT}, {"collector", STAT_PIPELINE_COLLECTOR}};
	struct grid *g;

	if (!p->sm->outcomes[SLOT_PIPELINE])
		return;
	g = sheet_grid(s, "pipeline", cause_column, ARRAY_LEN(cause_column));
	for (u32 i = 0; i < ARRAY_LEN(row); i++) {
		u64 n = p->sm->stat[row[i].stat];

		grid_print(g, STYLE_PIPELINE, "%c", slot_outcome_table[SLOT_PIPELINE].letter);
		grid_text(g, STYLE_PLAIN, row[i].name);
		grid_int(g, STYLE_PLAIN, (i64)n);
		grid_share(g, STYLE_PLAIN, share_of(n, slots));
		grid_bar(g, STYLE_PIPELINE, (double)n, (double)slots);
	}
}

static void pane_subcores_fill(struct sheet *s, const struct pane_view *v)
{
	struct machine *m = v->sim->m;
	struct parts p = {.v = v,
			  .m = m,
			  .sm = machine_sm_section(m, v->focus.sm, SECTION_SM),
			  .sub = machine_sm_section(m, v->focus.sm, SECTION_SUB),
			  .sched = machine_sm_section(m, v->focus.sm, SECTION_SCHED)};
	struct grid *g = sheet_grid(s, "schedulers", column, ARRAY_LEN(column));
	u64 issued = 0, slots = 0;

	for (u32 i = 0; i < m->config.sm_subcores; i++)
		issued += p.sub[i].issued;
	for (u32 i = 0; i < m->config.sm_subcores * m->config.sm_schedulers; i++)
		pane_subcores_row(g, &p, i / m->config.sm_schedulers, i % m->config.sm_schedulers, issued);
	for (u32 i = 0; i < SLOT_OUTCOME_COUNT; i++)
		slots += p.sm->outcomes[i];
	g = sheet_grid(s, "outcomes", outcome_column, ARRAY_LEN(outcome_column));
	for (u32 i = 0; i < SLOT_OUTCOME_COUNT; i++) {
		grid_print(g, outcome_style(i), "%c", slot_outcome_table[i].letter);
		grid_text(g, STYLE_PLAIN, slot_outcome_table[i].name);
		grid_int(g, STYLE_PLAIN, (i64)p.sm->outcomes[i]);
		grid_share(g, STYLE_PLAIN, share_of(p.sm->outcomes[i], slots));
		grid_bar(g, outcome_style(i), (double)p.sm->outcomes[i], (double)slots);
	}
	pane_subcores_causes(s, &p, slots);
	pane_subcores_note(s, &p, slots);
	text_add(&s->focus, "SM %u", v->focus.sm);
	text_add(&s->say, "sub-cores of SM %u: issue slots", v->focus.sm);
	sheet_sum(s, "slots", slots, slots == pane_subcores_slots_offered(&p) && p.sm->outcomes[SLOT_ISSUED] == issued);
}

const struct pane pane_subcores = {
	.name = "subcores",
	.summary = "sub-cores of an SM: issue shares, issue slots by outcome, busy units",
	.legend =
		"now: * the warp that issued in this cycle, or what the issue slot was stalled on\n"
		"P pipeline (collector, unit, lsu)  S short scoreboard  F no instruction (fetch)  L long scoreboard  B barrier  h held  . idle\n"
		"issued: warp instructions since cycle 0   collectors: operand collector units in use   units: execution units that are busy\n"
		"banks: reads queued at each register file bank   cov: imbalance, standard deviation over mean of the sub-cores' issues\n"
		"stalls: issue slots without an issue, in percent of all slots, by what they were stalled on",
	.pick = "focus sub {sub}",
	.ask = "step, why slot 0.0, info subcores",
	.size = {.least_width = 28, .least_height = 4, .wish_height = 9},
	.fill = pane_subcores_fill,
};
