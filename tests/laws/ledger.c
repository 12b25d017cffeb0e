/* ledger.c - law 12, of CTAs that make room: what the ledger says is what was counted and what is there, and every
 * instruction issued is of a CTA that ended, of one that is there or waits, or lost. */
#include "cycle/stages.h"
#include "laws.h"

/* Sums over the rows that there are. */
struct ledger_sums {
	u64 rows, there, open; /* asked and still there; requests that go on */
	u64 out[WAY_KILL + 1]; /* left before their end, by way */
	u64 back[WAY_KILL + 1], waits[WAY_KILL + 1];
	u64 lost, bytes, killed_waiting;
};

/* A row adds up: its dates are in order, and say what its state says. */
static bool row_sound(const struct sim *s, const struct ledger *row)
{
	u64 now = machine_gpu(s->m)->cycle + 1;
	bool left = row->state == LEDGER_OUT || row->state == LEDGER_BACK ||
		    (row->state == LEDGER_KILLED && row->way != WAY_KILL);

	if (row->way < WAY_DRAIN || row->way > WAY_KILL || row->asked > now || row->out > now || row->back > now)
		return false;
	if ((row->out != 0) != (left || row->state == LEDGER_ENDED || row->state == LEDGER_KILLED) ||
	    (row->back != 0) != (row->state == LEDGER_BACK))
		return false;
	return (!row->out || row->out >= row->asked) && (!row->back || row->back >= row->out) &&
	       (row->way != WAY_DRAIN || row->state == LEDGER_ASKED || row->state == LEDGER_ENDED ||
		row->state == LEDGER_STAYS) &&
	       (!left || row->way == WAY_FLUSH || row->way == WAY_SWITCH) &&
	       (row->way != WAY_DRAIN || (!row->lost && !row->bytes)) && !(row->stands && row->out);
}

/* One row more. */
static void add_row(struct ledger_sums *sum, const struct ledger *row)
{
	bool left = row->state == LEDGER_OUT || row->state == LEDGER_BACK || row->state == LEDGER_KILLED;

	sum->rows++;
	sum->there += row->state == LEDGER_ASKED;
	sum->out[row->way] += left;
	sum->back[row->way] += row->state == LEDGER_BACK;
	sum->waits[row->way] += row->state == LEDGER_OUT;
	sum->killed_waiting += row->state == LEDGER_KILLED && row->way != WAY_KILL;
	sum->lost += row->lost;
	sum->bytes += row->bytes;
}

/* All rows, each of which is sound. */
static bool rows_sound(const struct sim *s, struct ledger_sums *sum, struct text *why)
{
	const struct ledger *row = machine_gpu_section(s->m, SECTION_LEDGER);
	u64 rows = machine_gpu(s->m)->rows;

	for (u32 i = 0; i < LEDGER_ROWS; i++) {
		if (!row[i].number)
			continue;
		if (row[i].number % LEDGER_ROWS != i || row[i].number > rows || row[i].number + LEDGER_ROWS <= rows ||
		    !row_sound(s, &row[i])) {
			text_add(why, "row %llu of the ledger does not add up: CTA %u, way %u, state %u, out %llu",
				 (unsigned long long)row[i].number, row[i].cta, row[i].way, row[i].state,
				 (unsigned long long)row[i].out);
			return false;
		}
		add_row(sum, &row[i]);
	}
	return true;
}

/* CTAs that have a row and are there, and have not just come back; and requests that go on: both in the SMs. */
static bool sms_agree(const struct sim *s, const struct ledger_sums *sum)
{
	const struct need *need = machine_gpu_section(s->m, SECTION_NEED);
	u64 there = 0, open = 0, listed = 0;

	for (u32 id = 0; id < s->m->config.gpu_sms; id++) {
		const struct cta *cta = machine_sm_section(s->m, id, SECTION_CTA);

		for (u32 i = 0; i < s->m->residents; i++)
			there += cta[i].launch != NONE16 && cta[i].row;
		open += ((struct sm *)machine_sm_section(s->m, id, SECTION_SM))->needs;
	}
	for (u32 i = 0; i < LEDGER_ROWS; i++)
		listed += need[i].number && need[i].state == NEED_OPEN;
	return there == sum->there && (open == listed || machine_gpu(s->m)->requests > LEDGER_ROWS);
}

/* What the rows say, all of which there are, against what was counted. */
static bool counts_agree(const struct sim *s, const struct ledger_sums *sum)
{
	const struct kernel_count *k = machine_gpu_section(s->m, SECTION_KERNEL_SUM);
	u64 wasted = 0;

	for (u32 i = 0; i < s->program->nlaunch; i++)
		wasted += k[i].wasted;
	return sum->out[WAY_FLUSH] == sim_sm_stat(s, STAT_CTA_FLUSHED) &&
	       sum->out[WAY_SWITCH] == sim_sm_stat(s, STAT_CTA_SAVED) &&
	       sum->out[WAY_KILL] == sim_sm_stat(s, STAT_CTA_KILLED) &&
	       sum->back[WAY_FLUSH] == sim_sm_stat(s, STAT_CTA_REISSUED) &&
	       sum->back[WAY_SWITCH] == sim_sm_stat(s, STAT_CTA_RESTORED) &&
	       sum->waits[WAY_FLUSH] + sum->waits[WAY_SWITCH] == machine_gpu(s->m)->parked &&
	       sum->killed_waiting == sim_sm_stat(s, STAT_CTA_KILLED_FLUSHED) + sim_sm_stat(s, STAT_CTA_KILLED_SAVED) &&
	       sum->bytes == sim_sm_stat(s, STAT_PREEMPT_MOVED) && sum->lost == wasted;
}

/* Instructions of CTAs of a launch that are resident or wait saved. */
static u64 underway(const struct sim *s, u32 launch)
{
	const struct parked *p = machine_gpu_section(s->m, SECTION_PARKED);
	const struct warp *kept = machine_gpu_section(s->m, SECTION_PARKED_WARP);
	u32 room = s->m->config.preempt_ctas ? s->m->section[SECTION_PARKED_WARP].count / s->m->config.preempt_ctas : 0;
	u64 sum = 0;

	for (u32 id = 0; id < s->m->config.gpu_sms; id++) {
		const struct cta *cta = machine_sm_section(s->m, id, SECTION_CTA);

		for (u32 i = 0; i < s->m->residents; i++)
			if (cta[i].launch == launch)
				sum += cta_issued(&cta[i], machine_sm_section(s->m, id, SECTION_WARP));
	}
	for (u32 i = 0; i < s->m->config.preempt_ctas; i++)
		for (u32 k = 0;
		     p[i].launch == launch && p[i].saved && k < launch_contexts(s->m, &s->program->launch[launch]); k++)
			sum += kept[i * room + k].issued;
	return sum;
}

/* Issued is useful, or under way, or wasted. */
static bool issued_even(const struct sim *s, struct text *why)
{
	const struct kernel_count *k = machine_gpu_section(s->m, SECTION_KERNEL_SUM);

	for (u32 i = 0; i < s->program->nlaunch; i++) {
		u64 now = underway(s, i);

		if (k[i].issued == k[i].ended_issued + k[i].wasted + now)
			continue;
		text_add(why,
			 "launch %u: %llu instructions issued, %llu by CTAs that ended, %llu wasted, %llu under way", i,
			 (unsigned long long)k[i].issued, (unsigned long long)k[i].ended_issued,
			 (unsigned long long)k[i].wasted, (unsigned long long)now);
		return false;
	}
	return true;
}

bool ledger_now(struct sim *s, struct text *why)
{
	struct ledger_sums sum = {0};
	bool whole = machine_gpu(s->m)->rows <= LEDGER_ROWS;

	sim_sync(s);
	if (!issued_even(s, why) || !rows_sound(s, &sum, why))
		return false;
	if (!whole || (sum.rows == machine_gpu(s->m)->rows && sms_agree(s, &sum) && counts_agree(s, &sum)))
		return true;
	text_add(why, "cycle %llu: the ledger's rows do not sum to what was counted",
		 (unsigned long long)machine_gpu(s->m)->cycle);
	return false;
}
