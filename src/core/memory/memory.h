/*
 * memory.h - the memory side of the GPU: L2 slices and DRAM channels.
 */
#ifndef WARPSTEP_MEMORY_H
#define WARPSTEP_MEMORY_H

#include "signals/signals.h"
#include "ring.h"

static inline struct visits *memory_visits(struct machine *m)
{
	return machine_gpu_section(m, SECTION_VISITS);
}

/* A request in a queue of a slice can be looked up in some cycle. */
static inline void memory_visit(struct machine *m, u32 slice, u64 cycle)
{
	struct visits *v = memory_visits(m);
	v->due[slice] = min_u64(v->due[slice], cycle);
	v->soonest = min_u64(v->soonest, cycle);
}

void gpu_memory(struct sim *s); /* its stage */

/* One L2 clock of a slice: the head request looks up the tags. */
void l2_cycle(struct sim *s, u32 slice, u64 clock);
/* The slice that a line belongs to; that which an SM asks for it, of its own half (l2.halves). */
u32 slice_home(const struct machine *m, u64 line);
u32 slice_asked(const struct machine *m, u32 sm, u64 line);
/* Sectors of a line have come from DRAM; false: no room for what it evicts or for the answers, try again. */
bool l2_fill(struct sim *s, u32 slice, u32 mshr, u64 line);

/* memory.c: why a slice takes no request now, or an SM no answer: the counter of it, NONE32: it does. Packet k of an SM
 * leaves for a slice, or packet k of a slice for its SM. */
u32 slice_refuses(const struct sim *s, const struct slice *slice, u64 clock);
u32 sm_refuses(const struct sm_view *v, u64 clock);
void request_leaves(struct sim *s, u32 sm, u32 slice, u32 k, u64 clock);
void answer_leaves(struct sim *s, u32 slice, u32 k, u64 clock);
/* slip.c: answers and requests of one clock with icnt.arbiter slip. */
void slip_answers(struct sim *s, u64 clock);
void slip_requests(struct sim *s, u64 clock);

/* away.c: count requests on their way, where the machine may have been put elsewhere. The first cycle in which an
 * answer can be there: to a request that is sent in some cycle; to any that has not left its slice in the GPU's cycle;
 * to one of an SM that has not (NEVER: none is on its way). */
void away_count(struct sim *s);
u64 away_back(const struct config *c, u64 sent);
u64 away_soonest(struct sim *s);
u64 away_answered(const struct sm_view *v);

/* The first SM cycle in which a slice or a channel may have something to do; NEVER: all are empty. */
u64 memory_next_cycle(struct sim *s);

/* A DRAM channel and its arrays. */
struct dram_view {
	struct sim *sim;
	struct machine *m;
	struct channel *ch;
	struct dbank *bank;
	struct dgroup *group;
	struct dreq *queue, *done;
	u32 id;
};
struct dram_view dram_view(struct sim *s, u32 id);
/* The DRAM clocks of this SM cycle, all channels with work. */
void dram_cycle(struct sim *s);
/* The SM cycle in which a channel has something to do; NEVER: all are empty. */
u64 dram_next_cycle(struct sim *s);
/* Queue a request at the channel of a slice; mshr NONE16: a write. False: fewer than `keep` + 1 places are free. New
 * requests keep one place, so that a fill can always write back what it evicts and the channel can never lock up. */
bool dram_request(struct sim *s, u32 slice, u64 line, u32 mshr, u32 keep);
/* Would the channel of a slice refuse a new request (keep 1)? */
bool dram_full(struct sim *s, u32 slice);
/* Completed DRAM clocks after `cycle` SM cycles. */
u64 dram_clock(const struct machine *m, u64 cycle);

/* dram_bank.c: bank and row of a line of a slice, filled into q. */
void dram_place(const struct machine *m, u64 line, u32 slice, struct dreq *q);
/* The clocks from which a request may have its column command (its row is open), or the row command that it needs. */
static inline u64 dram_column_at(const struct dram_view *v, const struct dreq *q, u32 write)
{
	const struct dbank *b = &v->bank[q->bank];
	u64 group = v->group[q->bank % v->m->config.dram_groups].col_at;
	return max_u64(max_u64(b->col_at, group), max_u64(v->ch->col_at, v->ch->turn_at[write]));
}

static inline u64 dram_row_at(const struct dram_view *v, const struct dreq *q)
{
	const struct dbank *b = &v->bank[q->bank];
	return b->row ? b->pre_at : max_u64(b->act_at, max_u64(v->ch->act_at, v->ch->window_at[v->ch->window]));
}
/* Refresh if one is due. True: no command may issue in this clock, nor before channel.next. */
bool dram_refresh(struct dram_view *v, u64 clock);
/* Precharge the bank of a request, or activate its row: true, the row is open now. */
bool dram_row_command(struct dram_view *v, struct dreq *q, u64 clock);
/* Read or write one column. */
void dram_column_command(struct dram_view *v, struct dreq *q, u32 write, u64 clock);

#endif
