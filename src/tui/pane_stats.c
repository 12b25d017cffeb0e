/*
 * pane_stats.c - the statistics, as `stats` prints them; those of the host and config.hash are left out.
 *
 * Conservation: the slots of every outcome sum to slots.total; the instructions issued are the slots that issued; the
 * warp states sum to the resident contexts.
 */
#include "machine.h"
#include "stats.h"
#include "sheet.h"

static const struct grid_column column[] = {
	{.name = "statistic", .width = 22},
	{.name = "value", .width = 12, .right = true},
	{.name = "unit", .width = 12, .drop = 1},
	{.name = "meaning", .width = 14, .drop = 2, .wide = true},
};

/* Every name but config.hash, which reads all inputs each time. */
static const char *const but_the_hash[] = {"c[!o]*", "[!c]*", "co[!n]*"};

/* What the walk over the statistics gathers. */
struct walk {
	struct grid *grid;
	u64 slots, statuses, total, issued, instructions, residents;
};

/* Add what the sums are made of. */
static void pane_stats_sum(struct walk *w, const char *name, u64 n)
{
	if (!strncmp(name, "warps.", 6))
		w->statuses += n;
	else if (!strcmp(name, "slots.total"))
		w->total = n;
	else if (!strncmp(name, "slots.", 6) &&
		 !strchr(name + 6, '.')) /* slots.pipeline.lsu is a part of slots.pipeline */
		w->slots += n;
	if (!strcmp(name, "slots.issued"))
		w->issued = n;
	else if (!strcmp(name, "inst.warp"))
		w->instructions = n;
	else if (!strcmp(name, "occupancy.warp_cycles"))
		w->residents = n;
}

/* A value as text. */
static void pane_stats_value_text(struct value v, struct text *out)
{
	char number[32];

	if (v.kind == VALUE_INT)
		text_add(out, "%s", count_text(v.i, 16, number));
	else
		text_add(out, "%.4g", v.r);
}

/* One statistic: a row, one for each element of an array. */
static void pane_stats_row(void *self, const struct stat_value *x)
{
	struct walk *w = self;

	for (u32 i = 0; i < (x->text ? 1 : x->count); i++) {
		if (x->array)
			grid_print(w->grid, STYLE_PLAIN, "%s[%u]", x->name, i);
		else
			grid_text(w->grid, STYLE_PLAIN, x->name);
		if (x->text)
			grid_text(w->grid, STYLE_PLAIN, safe_text(x->text));
		else if (x->value[i].kind == VALUE_INT)
			grid_int(w->grid, STYLE_PLAIN, x->value[i].i);
		else
			grid_real(w->grid, STYLE_PLAIN, x->value[i].r);
		grid_text(w->grid, STYLE_DIM, x->unit);
		grid_text(w->grid, STYLE_DIM, x->doc);
		if (!x->text && x->value[i].kind == VALUE_INT)
			pane_stats_sum(w, x->name, (u64)x->value[i].i);
	}
}

static void pane_stats_fill(struct sheet *s, const struct pane_view *v)
{
	struct walk w = {.grid = sheet_grid(s, "stats", column, ARRAY_LEN(column))};
	struct text ipc = {0};
	struct value value;

	for (u32 i = 0; i < ARRAY_LEN(but_the_hash); i++)
		stats_each(v->session, but_the_hash[i], false, pane_stats_row, &w);
	if (stat_get(v->session, "ipc", &value))
		pane_stats_value_text(value, &ipc);
	text_add(&s->sum, "ipc %s", ipc.len ? ipc.s : "-");
	text_add(&s->say, "statistics at cycle %llu", machine_gpu(v->sim->m)->cycle);
	sheet_sum(s, "slots", w.slots, w.slots == w.total && w.issued == w.instructions && w.statuses == w.residents);
	text_free(&ipc);
}

const struct pane pane_stats = {
	.name = "stats",
	.summary = "statistics with units and meanings",
	.legend =
		"`filter stats PATTERN` selects (l1d.*), `explain NAME` explains one; `stats` also lists those of the host",
	.ask = "filter stats l1d.*, explain ipc",
	.size = {.least_width = 26, .least_height = 3, .wish_height = 12},
	.fill = pane_stats_fill,
};
