/*
 * l1i.c - the L1 instruction cache of an SM: misses that wait for their lines, lines asked for ahead, answers.
 *
 * With l1i.prefetch a lookup asks for the next line of the kernel, too, as long as memory is not busy: fewer MSHRs of
 * L1I and L1D in use than that. A line remembers that it was asked for ahead until a fetch wants it. Source: Park,
 * "Enabling Efficient Resource Utilization on Multitasking Throughput Processors", 2016, section 3.3.5; the setting is
 * its threshold. Deviation: what a miss of the same lookup takes is counted as in use.
 */
#include "memory/lsu.h"
#include "state/slices.h"
#include "memory/l0i.h"
#include "memory/l1i.h"

struct imiss *imiss_find(struct sm_view *v, u64 line, struct imiss **unused)
{
	*unused = NULL;
	for (u32 i = 0; i < v->m->config.l1i_mshrs; i++) {
		if (v->imiss[i].line == line)
			return &v->imiss[i];
		if (!v->imiss[i].line && !*unused)
			*unused = &v->imiss[i];
	}
	return NULL;
}

/* Ask the L2 for a line, with a free miss entry (NULL: none is). False: no room. */
static bool l1i_ask_for_line(struct sm_view *v, u64 line, struct imiss *unused, u32 ahead)
{
	u64 at = line * v->m->config.l1i_line;
	if (!unused || !port_send(v, (at >> v->m->line_shift) * 16 + ((1u << v->m->sectors) - 1),
				  (u32)(unused - v->imiss), PACKET_FETCH))
		return false;
	*unused = (struct imiss){.line = line + 1, .ahead = ahead};
	v->sm->imiss_used++;
	return true;
}

void __attribute__((noinline)) l1i_wanted(struct sm_view *v, bool late)
{
	v->sm->stat[STAT_L1I_AHEAD_USEFUL]++;
	v->sm->stat[STAT_L1I_AHEAD_LATE] += late;
}

struct imiss *l1i_request(struct sm_view *v, u64 line)
{
	struct imiss *unused, *m = imiss_find(v, line + 1, &unused);
	if (m) {
		v->sm->stat[STAT_L1I_MERGES]++;
		if (m->ahead == 1) {
			m->ahead = 2;
			l1i_wanted(v, true);
		}
	} else {
		if (!l1i_ask_for_line(v, line, unused, 0)) {
			v->sm->stat[STAT_L1I_REFUSED]++;
			return NULL;
		}
		m = unused;
		v->sm->stat[STAT_L1I_MISSES]++;
	}
	return m;
}

bool l1i_wait(struct sm_view *v, u32 context, u64 line)
{
	struct imiss *m = l1i_request(v, line);
	if (m)
		SET_ADD(m->slots, context);
	return m != NULL;
}

void l1i_ask_ahead(struct sm_view *v, u32 context, u64 line)
{
	const struct config *c = &v->m->config;
	u32 launch = v->warp[context].launch, used = v->sm->imiss_used + v->sm->mshrs_used;
	u64 end = v->sim->code[launch] + (u64)v->sim->kernel[launch]->ninst * c->gpu_inst_bytes;
	struct imiss *unused;
	if (line * c->l1i_line >= end || tag_find(l1i_set(v, line), c->l1i_ways, line + 1) ||
	    imiss_find(v, line + 1, &unused))
		return;
	if (used >= c->l1i_prefetch) {
		v->sm->stat[STAT_L1I_AHEAD_HELD]++;
	} else if (!l1i_ask_for_line(v, line, unused, 1)) {
		v->sm->stat[STAT_L1I_AHEAD_REFUSED]++;
	} else {
		v->sm->stat[STAT_L1I_AHEAD]++;
		emit(v, EVENT_IPREFETCH, context, NONE32, line * c->l1i_line, used, 0);
	}
}

void l1i_forget(struct sm_view *v, u32 context)
{
	for (u32 i = 0; i < v->m->config.l1i_mshrs; i++)
		SET_DEL(v->imiss[i].slots, context);
	l0i_forget(v, context);
}

void l1i_fill(struct sm_view *v, const struct packet *p)
{
	struct imiss *m = &v->imiss[p->tag];
	u64 line = m->line;
	INVARIANT(line);
	struct tag *set = l1i_set(v, line - 1), *t = tag_victim(set, v->m->config.l1i_ways);
	v->sm->stat[STAT_L1I_AHEAD_WASTED] += t->ahead;
	*t = (struct tag){.line = line, .used = ++v->sm->l1i_clock, .valid = 1, .ahead = m->ahead == 1};
	SET_EACH (i, m->slots, CONTEXT_WORDS) {
		if (sliced(v))
			v->slices->apart(v, i);
		v->slot[v->warp[i].slot].fetching = 0;
		slot_want(v, i);
	}
	*m = (struct imiss){0};
	v->sm->imiss_used--;
}
