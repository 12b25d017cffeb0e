/* info_registers.c - info registers: those of the focused warp, all lanes, as many side by side as the width allows. */
#include "info.h"
#include "machine.h"
#include "tui.h"
#include "values.h"

#include <ctype.h>

/* The warp's registers and predicates, which of them were asked for, and how they stand. */
struct registers {
	struct session *s;
	const u32 *reg, *pred;
	u32 nregs, npreds, mask, own;
	u64 regs[MAX_REGS / 64 + 1], preds[MAX_REGS / 64 + 1]; /* bit sets of those that were named */
	u32 width, lanes;				       /* of a cell; that stand side by side */
};

/* rN or pN. */
static enum status info_registers_name(struct registers *r, const struct token *t, struct error *e)
{
	bool pred = t->s[0] == 'p';
	u32 n = pred ? r->npreds : r->nregs;
	char *end = NULL;
	unsigned long i = (t->s[0] == 'r' || pred) && isdigit((u8)t->s[1]) ? strtoul(t->s + 1, &end, 10) : 0;

	if (!end || *end)
		return usage_at(e, t->column, "'%s' is not a register or predicate (rN, pN)", token_shown(t->s));
	if (i >= n && !n)
		return failed_at(e, t->column, "the kernel has no predicates");
	if (i >= n)
		return failed_at(e, t->column, "no %s (%c0 to %c%u)", token_shown(t->s), t->s[0], t->s[0], n - 1);
	(pred ? r->preds : r->regs)[i / 64] |= 1ULL << i % 64;
	return STATUS_OK;
}

/* Find the warp; all registers where none is named. */
static enum status info_registers_open(struct registers *r, struct session *s, const struct token *token, u32 ntokens,
				       struct error *e)
{
	const struct focus f = s->focus;
	enum status st = STATUS_OK;

	*r = (struct registers){.s = s};
	if (!focus_exists(s))
		return error_set(e, STATUS_FAILED, "sm %u warp %u does not exist (`focus` selects another)", f.sm,
				 f.warp);
	r->reg = sim_warp_regs(&s->sim, f.sm, f.warp, &r->nregs);
	r->pred = sim_warp_preds(&s->sim, f.sm, f.warp, &r->npreds);
	r->own = context_mask(s->sim.m, f.warp);
	sim_warp_pc(&s->sim, f.sm, f.warp, &r->mask);
	if (!r->reg)
		return error_set(
			e, STATUS_FAILED,
			"sm %u warp %u has no registers to show: no warp is resident (`info warps`), or the kernel has no values (trace, synthetic)",
			f.sm, f.warp);
	for (u32 i = 0; i < ntokens && !st; i++)
		st = info_registers_name(r, &token[i], e);
	if (!ntokens) {
		memset(r->regs, 0xff, sizeof(r->regs));
		memset(r->preds, 0xff, sizeof(r->preds));
	}
	r->width = number_width[s->config.registers_format];
	for (r->lanes = 1; r->lanes < 32 && 5 + 2 * r->lanes * (r->width + 1) <= desk_drawn(s);)
		r->lanes *= 2;
	return st;
}

/* The heading of lanes from `first` on: those that are not active stand in brackets. */
static void info_registers_heading(const struct registers *r, u32 first, struct text *out)
{
	char name[16];

	text_add(out, "lane");
	for (u32 i = first; i < first + r->lanes; i++) {
		snprintf(name, sizeof(name), r->mask >> i & 1 ? "%u" : "(%u)", i);
		text_add(out, " %*s", (int)r->width, name);
	}
	text_add(out, "\n");
}

/* A row in lanes from `first` on. */
static void info_registers_row(const struct registers *r, u32 i, bool pred, u32 first, struct text *out)
{
	char name[16], value[16];

	snprintf(name, sizeof(name), "%c%u", pred ? 'p' : 'r', i);
	text_add(out, "%-4s", name);
	for (u32 lane = first; lane < first + r->lanes; lane++)
		text_add(out, " %*s", (int)r->width,
			 pred ? (r->pred[i] >> lane & 1 ? "1" : "0")
			      : word_text((u8)r->s->config.registers_format, r->reg[(size_t)i * WARP_LANES + lane],
					  value));
	text_add(out, "\n");
}

static bool info_registers_wanted(const u64 *set, u32 i)
{
	return set[i / 64] >> i % 64 & 1;
}

/* Blocks of lanes, one below another. */
static void info_registers_print(const struct registers *r)
{
	u32 all = (u32)__builtin_popcount(r->own), from = (u32)__builtin_ctz(r->own);
	struct registers part = *r;
	struct text out = {0};

	part.lanes = min_u32(r->lanes, all);
	for (u32 first = from; first < from + all; first += part.lanes) {
		info_registers_heading(&part, first, &out);
		for (u32 i = 0; i < r->nregs; i++)
			if (info_registers_wanted(r->regs, i))
				info_registers_row(&part, i, false, first, &out);
		for (u32 i = 0; i < r->npreds; i++)
			if (info_registers_wanted(r->preds, i))
				info_registers_row(&part, i, true, first, &out);
	}
	session_print(r->s, "%s", out.s);
	text_free(&out);
}

/* The same as JSON: registers by name with their lanes, predicates as masks. */
static void info_registers_json(const struct registers *r)
{
	json_t *regs = json_object(), *preds = json_object(), *result = session_result(r->s);
	char name[16];

	for (u32 i = 0; i < r->nregs; i++) {
		json_t *lanes = json_array();

		for (u32 lane = 0; lane < WARP_LANES; lane++)
			if (r->own >> lane & 1)
				json_array_append_new(lanes, json_integer(r->reg[(size_t)i * WARP_LANES + lane]));
		snprintf(name, sizeof(name), "r%u", i);
		if (info_registers_wanted(r->regs, i))
			json_object_set(regs, name, lanes);
		json_decref(lanes);
	}
	for (u32 i = 0; i < r->npreds; i++) {
		snprintf(name, sizeof(name), "p%u", i);
		if (info_registers_wanted(r->preds, i))
			member_int(preds, name, r->pred[i] & r->own);
	}
	member_int(result, "mask", r->mask);
	json_object_set_new(result, "registers", regs);
	json_object_set_new(result, "predicates", preds);
}

/* info registers [rN|pN ...] */
static enum status info_registers_run(struct session *s, const struct token *token, u32 ntokens, struct error *e)
{
	struct registers r;
	enum status st = info_registers_open(&r, s, token, ntokens, e);

	if (st)
		return st;
	if (s->json)
		info_registers_json(&r);
	else
		info_registers_print(&r);
	return STATUS_OK;
}

const struct info info_registers = {
	.name = "registers",
	.usage = "[rN|pN ...]",
	.doc = "registers and predicates of the focused warp in every lane (format: registers.format)",
	.needs_machine = true,
	.run = info_registers_run,
};
