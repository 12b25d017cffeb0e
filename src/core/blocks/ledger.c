/*
 * ledger.c - what became of each CTA that was to make room, and of each request before it: rings of rows in the
 * machine.
 *
 * A request is one need: from the first cycle in which an SM holds more CTAs of a launch than its partition wants,
 * until it holds no more than it wanted then, or all may stay. Every CTA that is chosen meanwhile, for whatever launch,
 * answers it. A CTA has one row, whatever is asked of it in turn: one that drains and is flushed at last has been
 * flushed. Dates are those of stops: what happens in cycle N is to be seen at `goto N`.
 */
#include "blocks/blocks.h"
#include "policy_multi.h"

/* A row by its number, NULL: there is none, or none any more. */
static struct ledger *ledger_row_of(struct machine *m, u64 number)
{
	struct ledger *row = (struct ledger *)machine_gpu_section(m, SECTION_LEDGER) + number % LEDGER_ROWS;
	return number && row->number == number ? row : NULL;
}
static struct need *ledger_need_of(struct machine *m, u64 number)
{
	struct need *need = (struct need *)machine_gpu_section(m, SECTION_NEED) + number % LEDGER_ROWS;
	return number && need->number == number ? need : NULL;
}

/* The request that goes on in an SM for CTAs of a launch, 0: none. */
static u64 *ledger_request_of(struct sm_view *v, u32 launch)
{
	return &v->kernel[v->turn[launch].seat].need;
}

static u64 ledger_now(const struct sm_view *v)
{
	return view_cycle(v) + 1;
}

/* What the ways are priced at now, for one of `ctas` that are to go. */
static void ledger_price(struct sm_view *v, struct ledger *row, u32 slot, u64 ctas)
{
	static const u8 verdict[] = {VERDICT_DRAIN, VERDICT_FLUSH, VERDICT_SAVE}; /* from WAY_DRAIN on */
	struct ctas_view look = ctas_of_sched(v->look);
	struct kernel_mean mean = kernel_mean(v->m, row->launch, look.now);
	for (u32 i = 0; i < ARRAY_LEN(verdict); i++) {
		struct way_cost cost = way_cost(&look, &mean, ctas, slot, verdict[i]);
		row->latency[i] = cost.latency;
		row->overhead[i] = cost.overhead;
	}
}

/* The next row, about the CTA in a slot. */
static struct ledger *ledger_new_row(struct sm_view *v, u32 slot)
{
	struct cta *cta = &v->cta[slot];
	u64 number = ++v->gpu->rows;
	cta->row = (u32)number;
	struct ledger *row = (struct ledger *)machine_gpu_section(v->m, SECTION_LEDGER) + number % LEDGER_ROWS;
	*row = (struct ledger){
		.number = number, .asked = ledger_now(v), .cta = cta->id, .sm = (u16)v->id, .launch = cta->launch};
	return row;
}

void ledger_asked(struct sm_view *v, u32 slot, enum ledger_way way, const struct make_way *request)
{
	u64 number = v->cta[slot].row;
	struct ledger *row = number ? ledger_row_of(v->m, number) : ledger_new_row(v, slot);
	if (!row || row->way == way)
		return;
	row->way = (u8)way;
	if (request && !number)
		row->request = *ledger_request_of(v, request->launch);
	ledger_price(v, row, slot, request ? request->ctas : 1ULL << slot);
}

void ledger_stays(struct sm_view *v, u32 slot)
{
	struct ledger *row = ledger_row_of(v->m, v->cta[slot].row);
	v->cta[slot].row = 0;
	if (row)
		row->state = LEDGER_STAYS;
}

void ledger_moves(struct sm_view *v, u32 slot, u64 from, u64 bytes)
{
	const struct cta *cta = &v->cta[slot];
	struct ledger *row = ledger_row_of(v->m, cta->row);
	if (!row)
		return;
	row->bytes += bytes;
	if (cta->leaving)
		row->stands = from + 1;
	else if (cta->moves_at != NEVER)
		row->halted += cta->moves_at - from;
}

void ledger_stood(struct sm_view *v, u64 number, u64 cycles)
{
	struct ledger *row = ledger_row_of(v->m, number);
	if (row)
		row->halted += cycles;
}

void ledger_left(struct sm_view *v, u32 slot, enum leaving how)
{
	static const u8 state[] = {[LEAVE_RETIRE] = LEDGER_ENDED,
				   [LEAVE_FLUSH] = LEDGER_OUT,
				   [LEAVE_SAVE] = LEDGER_OUT,
				   [LEAVE_KILL] = LEDGER_KILLED};
	struct ledger *row = ledger_row_of(v->m, v->cta[slot].row);
	if (!row)
		return;
	row->out = ledger_now(v);
	row->late = beyond_bound(&v->m->config, row->asked, row->out);
	row->state = state[how];
	if (how == LEAVE_RETIRE)
		row->way = WAY_DRAIN;
	if (how == LEAVE_FLUSH || how == LEAVE_KILL)
		row->lost = cta_issued(&v->cta[slot], v->warp);
	if (row->stands)
		row->halted += row->out - row->stands;
	row->stands = 0;
}

void ledger_back(struct sm_view *v, u64 number)
{
	struct ledger *row = ledger_row_of(v->m, number);
	if (!row)
		return;
	row->back = ledger_now(v);
	row->back_sm = (u16)v->id;
	row->state = LEDGER_BACK;
}

void ledger_killed(struct sim *s, u64 number, u64 issued)
{
	struct ledger *row = ledger_row_of(s->m, number);
	if (!row)
		return;
	row->lost += issued;
	row->state = LEDGER_KILLED;
}

void need_begins(struct sm_view *v, const struct make_way *request, u32 wanted)
{
	u64 *open = ledger_request_of(v, request->launch);
	if (*open)
		return;
	u64 number = *open = ++v->gpu->requests;
	struct need *need = (struct need *)machine_gpu_section(v->m, SECTION_NEED) + number % LEDGER_ROWS;
	*need = (struct need){.number = number,
			      .asked = ledger_now(v),
			      .ctas = request->surplus,
			      .wanted = wanted,
			      .sm = (u16)v->id,
			      .launch = (u16)request->launch,
			      .gainer = (u16)(request->gainer == NONE32 ? 0 : request->gainer + 1)};
	v->sm->needs++;
	v->sm->stat[STAT_PREEMPT_REQUESTS]++;
	emit_launch(v, EVENT_MAKE_WAY, request->launch, request->surplus, (u32)number);
}

void need_looks(struct sm_view *v, u32 launch, u32 resident, u32 wanted)
{
	u64 *open = ledger_request_of(v, launch), number = *open;
	struct need *need = ledger_need_of(v->m, number);
	bool reached = need && resident <= need->wanted;
	if (!number || (!reached && resident > wanted))
		return;
	*open = 0;
	v->sm->needs--;
	if (!need)
		return;
	need->reached = ledger_now(v);
	need->state = reached ? NEED_REACHED : NEED_WITHDRAWN;
	need->late = beyond_bound(&v->m->config, need->asked, need->reached);
	v->sm->stat[STAT_PREEMPT_LATE] += reached && need->late;
	emit_launch(v, reached ? EVENT_REACHED : EVENT_WITHDRAWN, launch,
		    (u32)min_u64(need->reached - need->asked, NONE32), (u32)number);
}

void shares_told(struct sm_view *v)
{
	const struct scheme *plan = policy_one(v->m, POLICY_partition);
	for (u32 k = 0; plan && k < launch_agenda(v->m)->running; k++) {
		u32 launch = v->turn[k].running;
		u64 *share = &v->kernel[v->turn[launch].seat].share, before = *share;
		*share = 1ULL + min_u32(plan->decide.partition(v->look, launch), launch_residency(v->m, launch)->fit);
		if (!before || before == *share)
			continue;
		emit_launch(v, EVENT_PARTITION, launch, (u32)*share - 1, (u32)before - 1);
		if (notice_subscribed(v, NOTICE_PARTITION))
			notify(v, &(struct notice){.kind = NOTICE_PARTITION,
						   .launch = (u16)launch,
						   .context = NONE16,
						   .pc = NONE32,
						   .count = *share - 1});
	}
}
