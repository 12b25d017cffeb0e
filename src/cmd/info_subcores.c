/* info_subcores.c - info subcores: the sub-cores of an SM, their share of the issue and their schedulers' last outcome.
 */
#include "info.h"
#include "machine.h"

/* Outcomes of a sub-core's schedulers in the last cycle, and the warp that issued. */
static void info_subcores_outcomes(const struct machine *m, const struct sched *sched, char *out, size_t size)
{
	out[0] = '\0';
	for (u32 i = 0; i < m->config.sm_schedulers; i++) {
		size_t n = strlen(out);
		const char *name =
			sched[i].outcome < SLOT_OUTCOME_COUNT ? slot_outcome_table[sched[i].outcome].name : "-";

		snprintf(out + n, size - n, "%s%s", i ? " " : "", name);
	}
}

/* One row; total: what the SM has issued. */
static void info_subcores_row(struct columns *c, struct session *s, u32 sm, u32 i, u64 total)
{
	struct machine *m = s->sim.m;
	const struct sub *sub = (struct sub *)machine_sm_section(m, sm, SECTION_SUB) + i;
	const struct sched *sched =
		(struct sched *)machine_sm_section(m, sm, SECTION_SCHED) + (size_t)i * m->config.sm_schedulers;
	u32 warps = 0;
	char text[96];

	for (u32 w = i; w < m->contexts; w += m->config.sm_subcores)
		warps += ((struct warp *)machine_sm_section(m, sm, SECTION_WARP))[w].cta != NONE16;
	info_subcores_outcomes(m, sched, text, sizeof(text));
	columns_row(c, sm, i, warps, sub->issued, total ? (double)sub->issued / (double)total : 0, sub->registers_free,
		    __builtin_popcount(sub->free_collectors), __builtin_popcount(sub->busy_banks), text);
}

/* How evenly each SM's sub-cores issued. */
static void info_subcores_spread(struct session *s, u32 from, u32 to)
{
	struct columns c;

	columns_open(&c, s, "sm issued cov");
	for (u32 sm = from; sm < to; sm++) {
		const struct sub *sub = machine_sm_section(s->sim.m, sm, SECTION_SUB);
		u64 total = 0;

		for (u32 i = 0; i < s->sim.m->config.sm_subcores; i++)
			total += sub[i].issued;
		columns_row(&c, sm, total, sim_sub_variation(&s->sim, sm));
	}
	columns_close(&c, "spread", "");
}

/* info subcores [SM|all] */
static enum status info_subcores_run(struct session *s, const struct token *token, u32 ntokens, struct error *e)
{
	const struct config *config = &s->sim.m->config;
	struct columns c;
	u32 from, to;
	enum status st = info_sms_range(s, token, ntokens, &from, &to, e);

	if (st)
		return st;
	columns_open(&c, s, "sm sub warps issued share free_registers free_collectors busy_banks outcome");
	for (u32 sm = from; sm < to; sm++) {
		const struct sub *sub = machine_sm_section(s->sim.m, sm, SECTION_SUB);
		u64 total = 0;

		for (u32 i = 0; i < config->sm_subcores; i++)
			total += sub[i].issued;
		for (u32 i = 0; i < config->sm_subcores; i++)
			info_subcores_row(&c, s, sm, i, total);
	}
	columns_close(&c, "subcores", "");
	info_subcores_spread(s, from, to);
	return STATUS_OK;
}

const struct info info_subcores = {
	.name = "subcores",
	.usage = "[SM|all]",
	.doc = "sub-cores: warps, share of the issued instructions, free resources, last outcome; coefficient of variation (cov) of the issued instructions",
	.needs_machine = true,
	.run = info_subcores_run,
};
