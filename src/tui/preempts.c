/* preempts.c - the newest request in a line. */
#include "preempts.h"

#include "machine.h"

const char *const preempts_way[] = {
	[WAY_NONE] = "-", [WAY_DRAIN] = "drain", [WAY_FLUSH] = "flush", [WAY_SWITCH] = "switch", [WAY_KILL] = "kill"};

bool preempts_told(const struct pane_view *v)
{
	return v->sim->m->policy.in[POLICY_preempt] || machine_gpu(v->sim->m)->rows;
}

/* Requests that began together. */
struct together {
	u32 sms, open, late;
	u64 worst; /* cycles of the longest that is over */
	u64 way[WAY_KILL + 1];
};

/* Those of the newest one's cycle, launch and gainer, and the rows that answer them. */
static struct together preempts_gather(const struct pane_view *v, const struct need *newest)
{
	const struct need *need = machine_gpu_section(v->sim->m, SECTION_NEED);
	const struct ledger *row = machine_gpu_section(v->sim->m, SECTION_LEDGER);
	struct together t = {0};

	for (u32 i = 0; i < LEDGER_ROWS; i++) {
		if (!need[i].number || need[i].asked != newest->asked || need[i].launch != newest->launch ||
		    need[i].gainer != newest->gainer)
			continue;
		t.sms++;
		t.open += need[i].state == NEED_OPEN;
		t.late += need[i].late;
		t.worst = max_u64(t.worst, need[i].reached ? need[i].reached - need[i].asked : 0);
		for (u32 k = 0; k < LEDGER_ROWS; k++)
			t.way[row[k].way] +=
				row[k].number && row[k].request == need[i].number && row[k].state != LEDGER_STAYS;
	}
	return t;
}

void preempts_last(struct sheet *s, const struct pane_view *v)
{
	u64 number = machine_gpu(v->sim->m)->requests, now = machine_gpu(v->sim->m)->cycle;
	const struct need *newest = (struct need *)machine_gpu_section(v->sim->m, SECTION_NEED) + number % LEDGER_ROWS;
	struct together t;

	if (!number)
		return;
	t = preempts_gather(v, newest);
	text_add(&s->note, "cycle %llu: %u SM%s of kernel %u", newest->asked, t.sms, t.sms == 1 ? "" : "s",
		 newest->launch);
	if (newest->gainer)
		text_add(&s->note, " for kernel %u", newest->gainer - 1u);
	text_add(&s->note, ":");
	for (u32 way = WAY_DRAIN; way <= WAY_KILL; way++)
		if (t.way[way])
			text_add(&s->note, " %s %llu", preempts_way[way], t.way[way]);
	if (t.late)
		text_add(&s->note, " late %u", t.late);
	if (t.open)
		text_add(&s->note, " open %u after %llu cycles (bound %u)\n", t.open, now - min_u64(now, newest->asked),
			 v->sim->m->config.chimera_bound);
	else
		text_add(&s->note, " done in %llu cycles (bound %u)\n", t.worst, v->sim->m->config.chimera_bound);
}
