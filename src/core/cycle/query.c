/*
 * query.c - what others read of a simulator: statuses, registers, PCs, summed counters.
 */
#include "banks.h"
#include "cycle/stages.h"
#include "operands/operands.h"
#include "shadow.h"

#include <math.h>

u64 sim_clock(const struct sim *s)
{
	return machine_gpu(s->m)->cycle;
}

const struct config *sim_config(const struct sim *s)
{
	return &s->m->config;
}

u32 sim_warp_status(const struct sim *s, u32 sm, u32 context)
{
	const struct sm_view *v = &s->view[sm];
	const struct warp *w = &v->warp[context];
	if (w->cta == NONE16)
		return WARP_STATUS_COUNT;
	if (w->slot == NONE16)
		return w->depth ? WARP_SWAPPED : WARP_DONE;
	if (v->cta[w->cta].moved && v->cta[w->cta].moved + (v->gpu->stage == 0) == v->gpu->cycle + 1)
		return w->depth ? WARP_SWAPPED : WARP_DONE; /* it got slots in this cycle, after the issue stage */
	if (v->cta[w->cta].started + (v->gpu->stage == 0) == v->gpu->cycle)
		return WARP_FETCH; /* it came in this cycle, after the issue stage */
	for (u32 k = 0; k < WARP_STATUS_COUNT; k++)
		if (SET_HAS(&v->sm->seen[k * v->m->words], w->slot))
			return k;
	return WARP_FETCH;
}

u32 sim_score(const struct sim *s, u32 sm, u32 slot)
{
	const struct sm_view *v = &s->view[sm];
	const struct scheme *order = policy_one(s->m, POLICY_order);
	u32 sched = slot / s->m->slots_per_sub * s->m->config.sm_schedulers;
	struct score score[2];
	if (!order->has_score_column || v->slot[slot].context == NONE16 || !v->slot[slot].buffered)
		return NONE32;
	while (!SET_HAS(v->pools->sched[sched], slot))
		sched++;
	return order->score(&v->look[sched], slot, score) ? (u32)score[0].value : NONE32;
}

/* collector.allocate: the collector units whose instructions have no ports yet, in the order in which they get them;
 * how many. */
static u32 query_waiting(const struct sm_view *v, const struct sub_view *part, u32 *unit)
{
	u32 n = 0, control = part->sub->control, allocate = part->sub->allocate;
	if (allocate)
		unit[n++] = allocate - 1;
	for (u32 left = allocate_waiting(v, part->sub); left; left &= ~(1u << unit[n - 1]))
		unit[n++] = collect_oldest(part->collector, left);
	if (control)
		unit[n++] = control - 1;
	return n;
}

u32 sim_bank_reads(const struct sim *s, u32 sm, u32 sub, u32 bank, struct bankq *out, u32 n)
{
	const struct config *c = &s->m->config;
	const struct sm_view *v = &s->view[sm];
	const struct sub_view *part = &v->part[sub];
	u32 room = s->m->section[SECTION_BANKQ].count / s->m->section[SECTION_BANK].count, found = 0, unit[32], units;
	if (!c->collector_allocate) {
		const struct bank *b = &part->bank[bank];
		for (; found < b->count && found < room && found < n; found++)
			out[found] = part->bankq[bank * room + (b->head + found) % room];
		return b->count;
	}
	units = query_waiting(v, part, unit);
	for (u32 k = 0; k < units; k++) {
		const struct collector *cu = &part->collector[unit[k]];
		const struct inst *in = &view_kernel(v, cu->context)->inst[cu->pc];
		for (u32 i = 0; cu->need && i < in->nread; i++) {
			if (operand_merged(c, in, i) ||
			    register_bank(c, context_parent(s->m, cu->context), in->read[i]) != bank)
				continue;
			if (found < n)
				out[found] =
					(struct bankq){.collector = (u8)unit[k], .operand = (u8)i, .reg = in->read[i]};
			found++;
		}
	}
	return found;
}

u32 sim_bank_taken(const struct sim *s, u32 sm, u32 sub, u32 bank)
{
	u64 passes = s->m->config.collector_passes, now = machine_gpu(s->m)->cycle * passes;
	u64 until = s->view[sm].part[sub].bank[bank].written_until;
	return until > now ? (u32)((until - now + passes - 1) / passes) : 0;
}

const char *sim_operand_stage(const struct sim *s, u32 sm, u32 sub, u32 unit)
{
	const struct sub_view *part = &s->view[sm].part[sub];
	if (part->sub->control == unit + 1)
		return "control";
	if (part->sub->allocate == unit + 1)
		return "allocate";
	return part->sub->ready_collectors >> unit & 1 ? "read" : "waits";
}

const struct sched_view *sim_look(const struct sim *s, u32 sm, u32 sched)
{
	return &s->view[sm].look[sched];
}

u32 sim_sms_held(const struct sim *s, u32 launch)
{
	u32 n = 0;
	const struct launch_run *run = (struct launch_run *)machine_gpu_section(s->m, SECTION_LAUNCH) + launch;
	for (u32 i = 0; run->state == LAUNCH_RUNNING && i < s->m->config.gpu_sms; i++)
		n += kernel_on(s->m, i, launch)->resident > 0;
	return n;
}

u32 sim_slots_left(const struct sim *s, u32 sm, u32 sub)
{
	u32 left[MAX_SUBCORES];
	slots_left(&s->view[sm], left);
	return left[sub];
}

void sim_readers(const struct sim *s, u32 sm, u32 context, u8 *count)
{
	readers_find(&s->view[sm], context, count);
}

u32 sim_cta_pending(const struct sim *s, u32 sm, u32 cta)
{
	return s->view[sm].cta[cta].pending;
}

double sim_sub_variation(const struct sim *s, u32 sm)
{
	const struct sub *sub = s->view[sm].sub;
	double n = s->m->config.sm_subcores, sum = 0, squares = 0;
	for (u32 i = 0; i < s->m->config.sm_subcores; i++)
		sum += (double)sub[i].issued;
	for (u32 i = 0; i < s->m->config.sm_subcores; i++)
		squares += ((double)sub[i].issued - sum / n) * ((double)sub[i].issued - sum / n);
	return sum > 0 ? sqrt(squares / n) / (sum / n) : 0;
}

/* The chunk of values of a resident context of a kernel that has values, or NULL. */
static const struct chunk *query_values(const struct sim *s, u32 sm, u32 context, const struct kernel **k)
{
	const struct warp *w = &s->view[sm].warp[context];
	if (w->cta == NONE16)
		return NULL;
	*k = s->kernel[w->launch];
	return s->store.context[machine_values(s->m, sm, context)];
}

/* The chunk of one or the other, NULL: there is none. */
static struct chunk **query_values_slot(const struct sim *s, u32 sm, u32 context, enum values_of of)
{
	u32 cta = s->view[sm].warp[context].cta;
	if (cta == NONE16)
		return NULL;
	return of == VALUES_SHARED ? &s->store.cta[sm * s->m->residents + cta]
				   : &s->store.context[machine_values(s->m, sm, context)];
}

u64 sim_values_bytes(const struct sim *s, u32 sm, u32 context, enum values_of of)
{
	if (of == VALUES_CONTROL)
		return (u64)s->m->section[SECTION_CONTROL].count * sizeof(struct control);
	struct chunk **c = query_values_slot(s, sm, context, of);
	return c && *c ? (*c)->size : 0;
}

/* Control bits change: warps that wait may wait no longer, or wait for something else. */
static void query_poke_control(struct sim *s, u64 offset, const void *bytes, u64 n)
{
	memcpy((u8 *)machine_gpu_section(s->m, SECTION_CONTROL) + offset, bytes, n);
	for (u32 i = 0; i < s->m->config.gpu_sms; i++) {
		struct sm_view *v = &s->view[i];
		sm_account_sleep(v, v->gpu->cycle);
		for (u32 c = 0; c < s->m->contexts; c++)
			slot_eval(v, c);
		v->sleep->until = min_u64(v->sleep->until, v->gpu->cycle);
	}
}

void sim_poke_values(struct sim *s, u32 sm, u32 context, enum values_of of, u64 offset, const void *bytes, u64 n)
{
	if (of == VALUES_CONTROL) {
		query_poke_control(s, offset, bytes, n);
		return;
	}
	u8 *to = store_write(&s->store, query_values_slot(s, sm, context, of));
	memcpy(to + offset, bytes, n);
}

const u32 *sim_warp_regs(const struct sim *s, u32 sm, u32 context, u32 *nregs)
{
	const struct kernel *k;
	const struct chunk *c = query_values(s, sm, context, &k);
	*nregs = c ? k->regs : 0;
	return c ? (const u32 *)(const void *)c->data : NULL;
}

const u32 *sim_warp_preds(const struct sim *s, u32 sm, u32 context, u32 *npreds)
{
	const struct kernel *k;
	const struct chunk *c = query_values(s, sm, context, &k);
	*npreds = c ? k->preds : 0;
	return c ? (const u32 *)(const void *)(c->data + (size_t)k->regs * WARP_LANES * 4) : NULL;
}

const u8 *sim_warp_shared(const struct sim *s, u32 sm, u32 context, u32 *bytes)
{
	u32 cta = s->view[sm].warp[context].cta;
	const struct chunk *c = cta == NONE16 ? NULL : s->store.cta[sm * s->m->residents + cta];
	*bytes = c ? c->size : 0;
	return c ? c->data : NULL;
}

const u8 *sim_warp_local(const struct sim *s, u32 sm, u32 context, u32 lane, u32 *bytes)
{
	const struct kernel *k;
	const struct chunk *c = query_values(s, sm, context, &k);
	size_t before = c ? (size_t)k->regs * WARP_LANES * 4 + (size_t)k->preds * 4 : 0;
	*bytes = c ? k->local_bytes : 0;
	return *bytes ? c->data + before + (size_t)lane * k->local_bytes : NULL;
}

u32 sim_warp_pc(const struct sim *s, u32 sm, u32 context, u32 *mask)
{
	const struct sm_view *v = &s->view[sm];
	const struct warp *w = &v->warp[context];
	*mask = 0;
	if (w->cta == NONE16 || !w->depth)
		return NONE32;
	const struct simt_entry *top = &v->stack[context * SIMT_DEPTH + w->depth - 1];
	*mask = top->mask;
	return top->pc;
}

u32 sim_warp_issued(const struct sim *s, u32 sm, u32 context, u32 *mask)
{
	const struct issued *i = &s->view[sm].issued[context];
	if (sim_warp_status(s, sm, context) != WARP_ISSUED)
		return NONE32;
	*mask = i->mask & context_mask(s->m, context);
	return i->pc;
}

u32 sim_warp_at(const struct sim *s, u32 sm, u32 context, u32 *mask)
{
	u32 pc = sim_warp_issued(s, sm, context, mask);
	return pc != NONE32 ? pc : sim_warp_pc(s, sm, context, mask);
}

u64 sim_launch_cycles(const struct sim *s, u32 launch)
{
	const struct launch_run *run = (struct launch_run *)machine_gpu_section(s->m, SECTION_LAUNCH) + launch;
	if (run->first_issue == NEVER)
		return 0;
	return (run->state == LAUNCH_DONE ? run->last_retire : machine_gpu(s->m)->cycle) - run->first_issue;
}

u32 sim_pieces(const struct sim *s, u32 sm, u32 parent, u8 *mask)
{
	const struct sm_view *v = &s->view[sm];
	const struct gang *g = &v->gang[parent * GANG_ENTRIES];
	u32 n = 0, grouped = 0;
	for (u32 e = 0; e < GANG_ENTRIES; e++)
		if (g[e].mask) {
			grouped |= g[e].mask;
			mask[n++] = g[e].mask;
		}
	for (u32 k = 0; k < 1u << s->m->parent_shift; k++) {
		const struct warp *w = &v->warp[(parent << s->m->parent_shift) + k];
		if (!(grouped >> k & 1) && w->cta != NONE16 && w->depth)
			mask[n++] = (u8)(1u << k);
	}
	return n;
}

u64 sim_sm_stat(const struct sim *s, u32 id)
{
	u64 sum = 0;
	for (u32 i = 0; i < s->m->config.gpu_sms; i++)
		sum += s->view[i].sm->stat[id];
	return sum;
}

u64 sim_l2_stat(const struct sim *s, u32 id)
{
	u64 sum = 0;
	for (u32 i = 0; i < s->m->config.l2_slices; i++)
		sum += ((struct slice *)machine_slice_section(s->m, i, SECTION_SLICE))->stat[id];
	return sum;
}

u64 sim_dram_stat(const struct sim *s, u32 id)
{
	u64 sum = 0;
	for (u32 i = 0; i < s->m->config.dram_channels; i++)
		sum += ((struct channel *)machine_channel_section(s->m, i, SECTION_CHANNEL))->stat[id];
	return sum;
}

u64 sim_status_sum(const struct sim *s, enum warp_status id)
{
	u64 sum = 0;
	for (u32 i = 0; i < s->m->config.gpu_sms; i++)
		sum += s->view[i].sm->statuses[id];
	return sum;
}

u64 sim_outcome_sum(const struct sim *s, enum slot_outcome id)
{
	u64 sum = 0;
	for (u32 i = 0; i < s->m->config.gpu_sms; i++)
		sum += s->view[i].sm->outcomes[id];
	return sum;
}

u64 sim_event_count(const struct sim *s, u32 id)
{
	if (event_table[id].check)
		return shadow_events(s, id);
	u64 sum = machine_gpu(s->m)->events[id];
	for (u32 i = 0; i < s->m->config.gpu_sms; i++)
		sum += s->view[i].sm->events[id];
	return sum;
}
