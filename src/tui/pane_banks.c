/*
 * pane_banks.c - the register file of the focused sub-core: its banks' queues, this cycle's grants and conflicts, and
 * the collector units with the operands that they have and those that they wait for.
 *
 * A bank grants one read a cycle (collector.passes of them); the reads that stay in its queue are bank conflicts, the
 * first of them is the one that a conflict record names. With collector.allocate there are no grants: a bank's port is
 * reserved ahead, and its queue are the reads of instructions that have no ports yet. Conservation: reads queued at the
 * banks are the reads that the collector units lack.
 */
#include "counters.h"
#include "sheet.h"

#include "policy.h"

#define SCORE_LINES 2 /* one where the pane is */
#define SCORE_NARROW 50u
#define READS_SHOWN 16

static const struct grid_column bank_column[] = {
	{.name = "bank", .width = 4, .right = true},
	{.name = "grant", .width = 9},
	{.name = "queue", .width = 18, .wide = true},
	{.name = "queued", .width = 6, .drop = 1, .right = true},
	{.name = "conflicts", .width = 9, .drop = 2, .right = true},
	{.name = "reuse", .width = 16, .drop = 3}, /* with collector.reuse */
};

/* The same with collector.allocate. */
static const struct grid_column port_column[] = {
	{.name = "bank", .width = 4, .right = true},
	{.name = "taken", .width = 5, .right = true},
	{.name = "queue", .width = 22, .wide = true},
	{.name = "queued", .width = 6, .drop = 1, .right = true},
	{.name = "conflicts", .width = 9, .drop = 2, .right = true},
	{.name = "reuse", .width = 16, .drop = 3},
};

static const struct grid_column unit_column[] = {
	{.name = "unit", .width = 4, .right = true},
	{.name = "warp", .width = 4, .right = true},
	{.name = "instruction", .width = 14, .drop = 1, .wide = true},
	{.name = "operands", .width = 22},
	{.name = "since", .width = 5, .drop = 2, .right = true},
	{.name = "stage", .width = 8, .drop = 1}, /* with collector.allocate */
};

/* The sections that the pane looks at. */
struct file {
	const struct pane_view *v;
	const struct config *config;
	const struct bank *bank;
	const struct reuse *kept;
	const struct collector *unit;
	const struct warp *warp;
};

static void pane_banks_file_open(struct file *f, const struct pane_view *v)
{
	struct machine *m = v->sim->m;
	u32 sm = v->focus.sm, sub = v->focus.sub;

	*f = (struct file){.v = v, .config = &m->config};
	f->bank = (struct bank *)machine_sm_section(m, sm, SECTION_BANK) + sub * m->config.sm_banks;
	f->kept = (struct reuse *)machine_sm_section(m, sm, SECTION_REUSE) + sub * m->config.sm_banks * REUSE_PLACES;
	f->unit = (struct collector *)machine_sm_section(m, sm, SECTION_COLLECTOR) + sub * m->config.sm_collectors;
	f->warp = machine_sm_section(m, sm, SECTION_WARP);
}

/* The reads that wait at a bank, the next one first; how many. */
static u32 pane_banks_queue_text(const struct file *f, u32 bank, struct text *out)
{
	struct bankq read[READS_SHOWN];
	u32 n = sim_bank_reads(f->v->sim, f->v->focus.sm, f->v->focus.sub, bank, read, READS_SHOWN);

	for (u32 i = 0; i < n && i < READS_SHOWN; i++)
		text_add(out, "%sw%u r%u",
			 !i	       ? ""
			 : f->v->plain ? ", then "
				       : " · ",
			 f->unit[read[i].collector].context, read[i].reg);
	return n;
}

/* What the register cache keeps of a bank: operand position, warp, register. */
static void pane_banks_kept_text(const struct file *f, u32 bank, struct text *out)
{
	const struct reuse *kept = &f->kept[bank * REUSE_PLACES];

	for (u32 i = 0; i < REUSE_PLACES; i++)
		if (kept[i].owner)
			text_add(out, "%s%u:w%u r%u", out->len ? " " : "", i, kept[i].owner - 1u, kept[i].reg);
}

/* Cycles in which a bank's port is taken. */
static void pane_banks_taken(struct grid *g, u32 cycles)
{
	if (cycles)
		grid_int(g, STYLE_ISSUED, cycles);
	else
		grid_none(g);
}

/* One row of the banks. */
static void pane_banks_bank_row(struct grid *g, const struct file *f, u32 i)
{
	const struct bank *b = &f->bank[i];
	struct text queue = {0};
	u32 queued = pane_banks_queue_text(f, i, &queue);

	grid_int(g, STYLE_PLAIN, i);
	if (f->config->collector_allocate)
		pane_banks_taken(g, sim_bank_taken(f->v->sim, f->v->focus.sm, f->v->focus.sub, i));
	else if (b->granted_context == NONE16)
		grid_none(g);
	else
		grid_print(g, STYLE_ISSUED, "w%u r%u", b->granted_context, b->granted_register);
	grid_text(g, STYLE_PIPELINE, queue.len ? queue.s : "");
	grid_int(g, queued ? STYLE_PLAIN : STYLE_DIM, queued);
	grid_int(g, STYLE_PLAIN, (i64)b->conflicts);
	if (f->config->collector_reuse) {
		struct text kept = {0};

		pane_banks_kept_text(f, i, &kept);
		grid_text(g, STYLE_PLAIN, kept.len ? kept.s : "");
		text_free(&kept);
	}
	text_free(&queue);
}

/* The operands of a unit: read ■, queued □. */
static void pane_banks_operands_text(const struct file *f, const struct collector *x, struct text *out)
{
	u32 launch = f->warp[x->context].launch;
	const struct kernel *k = launch < f->v->session->program.nlaunch ? f->v->sim->kernel[launch] : NULL;

	for (u32 i = 0; k && x->pc < k->ninst && i < k->inst[x->pc].nread; i++)
		text_add(out, f->v->plain ? "%sr%u %s" : "%sr%u%s", i ? " " : "", k->inst[x->pc].read[i],
			 x->read >> i & 1 ? f->v->plain ? "read" : "■"
			 : f->v->plain	  ? "queued"
					  : "□");
}

/* One row of the collector units. */
static void pane_banks_unit_row(struct grid *g, const struct file *f, u32 i)
{
	const struct collector *x = &f->unit[i];
	struct text operands = {0};
	u64 cycle = machine_gpu(f->v->sim->m)->cycle;

	grid_int(g, STYLE_PLAIN, i);
	if (x->context == NONE16) {
		grid_none(g);
		grid_text(g, STYLE_DIM, "free");
		grid_text(g, STYLE_PLAIN, "");
		grid_none(g);
		if (f->config->collector_allocate)
			grid_none(g);
		return;
	}
	if (x->context == f->v->focus.warp)
		grid_focus(g);
	grid_int(g, STYLE_PLAIN, x->context);
	grid_text(g, STYLE_PLAIN, view_instruction(f->v, f->warp[x->context].launch, x->pc));
	pane_banks_operands_text(f, x, &operands);
	grid_text(g, x->need ? STYLE_PIPELINE : STYLE_PLAIN, operands.len ? operands.s : "none to read");
	grid_int(g, STYLE_PLAIN, (i64)(cycle - min_u64(cycle, x->issued_at + 1)));
	if (f->config->collector_allocate)
		grid_text(g, STYLE_PLAIN, sim_operand_stage(f->v->sim, f->v->focus.sm, f->v->focus.sub, i));
	text_free(&operands);
}

/* The warps of the focused sub-core that were eligible in this cycle, with their scores as they are now. */
struct scores {
	u32 n, context[MOST_sm_warps], score[MOST_sm_warps];
};

static void pane_banks_scores_find(struct scores *x, const struct pane_view *v)
{
	const struct machine *m = v->sim->m;
	const struct slot *slot = machine_sm_section(v->sim->m, v->focus.sm, SECTION_SLOT);
	u32 first = v->focus.sub * m->slots_per_sub;

	x->n = 0;
	for (u32 i = first; i < first + m->slots_per_sub && x->n < ARRAY_LEN(x->context); i++) {
		u32 score = sim_score(v->sim, v->focus.sm, i);

		if (score == NONE32 || sim_warp_status(v->sim, v->focus.sm, slot[i].context) != WARP_ELIGIBLE)
			continue;
		x->context[x->n] = slot[i].context;
		x->score[x->n++] = score;
	}
}

/* Does the one at i come behind the one at `last` (NONE32: the beginning)? */
static bool pane_banks_score_behind(const struct scores *x, u32 i, u32 last)
{
	if (last == NONE32)
		return true;
	return x->score[i] > x->score[last] || (i > last && x->score[i] == x->score[last]);
}

/* The next one by score, then by slot, behind the one at `last`; x->n: none. */
static u32 pane_banks_score_after(const struct scores *x, u32 last)
{
	u32 best = x->n;

	for (u32 i = 0; i < x->n; i++)
		if (pane_banks_score_behind(x, i, last) && (best == x->n || x->score[i] < x->score[best]))
			best = i;
	return best;
}

/* "score (rba)  7 w4 w8  8 w12": warps behind their score, the first to go first; "rba  7 w4 ..." in a narrow pane. */
static void pane_banks_score_text(const struct file *f, struct text *out)
{
	u32 width = max_u32(f->v->width, 30) - 6, at, lines = f->v->width < SCORE_NARROW ? SCORE_LINES : 1;
	size_t start = out->len;
	struct scores x;

	pane_banks_scores_find(&x, f->v);
	if (!x.n)
		return;
	text_add(out, f->v->width < SCORE_NARROW ? "%s" : "score (%s)", policy_one(f->v->sim->m, POLICY_order)->name);
	at = pane_banks_score_after(&x, NONE32);
	for (u32 k = 0, last = NONE32; k < x.n; k++, last = at, at = pane_banks_score_after(&x, at)) {
		if (out->len - start >= width - 2 && lines == SCORE_LINES) {
			text_add(out, " +%u", x.n - k);
			break;
		}
		if (out->len - start >= width - 2) {
			text_add(out, "\n  ");
			start = out->len - 2;
			lines++;
			last = NONE32;
		}
		if (last == NONE32 || x.score[last] != x.score[at])
			text_add(out, "  %u", x.score[at]);
		text_add(out, " w%u", x.context[at]);
	}
	text_add(out, "\n");
}

/* The title: the formula, reads, the sum. */
static void pane_banks_title(struct sheet *s, const struct file *f)
{
	const struct pane_view *v = f->v;
	const struct sm *sm = machine_sm_section(v->sim->m, v->focus.sm, SECTION_SM);
	u32 queued = 0, lacked = 0;
	char reads[32];

	for (u32 i = 0; i < f->config->sm_banks; i++)
		queued += sim_bank_reads(v->sim, v->focus.sm, v->focus.sub, i, NULL, 0);
	for (u32 i = 0; i < f->config->sm_collectors; i++)
		lacked += f->unit[i].context == NONE16 ? 0 : f->unit[i].need;
	text_add(&s->focus, "SM %u sub-core %u", v->focus.sm, v->focus.sub);
	text_add(&s->say, "register file banks of SM %u sub-core %u: bank is %s mod %u, %u reads queued", v->focus.sm,
		 v->focus.sub, f->config->sm_bank_swizzle ? "register plus warp" : "register", f->config->sm_banks,
		 queued);
	text_add(&s->note, "bank = %s mod %u\n", f->config->sm_bank_swizzle ? "(register + warp)" : "register",
		 f->config->sm_banks);
	pane_banks_score_text(f, &s->note);
	text_add(&s->sum, "reads %s", count_text((i64)sm->stat[STAT_RF_READS], 15, reads));
	sheet_sum(s, "queued", queued, queued == lacked);
}

static void pane_banks_fill(struct sheet *s, const struct pane_view *v)
{
	struct file f;
	struct grid *g;

	pane_banks_file_open(&f, v);
	pane_banks_title(s, &f);
	g = sheet_grid(s, "banks", f.config->collector_allocate ? port_column : bank_column,
		       ARRAY_LEN(bank_column) - !f.config->collector_reuse);
	for (u32 i = 0; i < f.config->sm_banks; i++)
		pane_banks_bank_row(g, &f, i);
	g = sheet_grid(s, "units", unit_column, ARRAY_LEN(unit_column) - !f.config->collector_allocate);
	for (u32 i = 0; i < f.config->sm_collectors; i++)
		pane_banks_unit_row(g, &f, i);
}

const struct pane pane_banks = {
	.name = "banks",
	.summary = "register file banks of a sub-core: grants, queues, conflicts, operand collector units",
	.legend =
		"grant: the read served in this cycle   queue: reads that wait, the next one first   w1 r4: register 4 of warp 1\n"
		"conflicts: cycles in which a read waited behind another   queued: reads in the queue   reads: register reads of the SM so far\n"
		"unit: operand collector unit, its warp and instruction   operands: ■ read  □ queued   since: cycles since its issue\n"
		"with collector.allocate on, taken: cycles from now on in which the port is taken; queue: reads of instructions that have no ports yet;\n"
		"stage: control, allocate (holds the sub-core), waits (beside), read\n"
		"reuse: with collector.reuse on, the register cache by operand position; a hit there takes no bank port\n"
		"score: with a policy that ranks by score, each score and the eligible warps that have it (rba: reads queued at the banks of their operands)",
	.ask = "step, info banks, break conflict",
	.size = {.least_width = 34, .least_height = 4, .wish_height = 8},
	.fill = pane_banks_fill,
};
