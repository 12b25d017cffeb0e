/*
 * dram_bank.c - the banks of a DRAM channel: where an address lies, and the kinds of command with their timing.
 *
 * A command moves on the clocks from which later ones are legal, and asserts that its own has come: per bank RCD, RAS,
 * RC, RP, RTP (RTPL with bank groups) and WL + burst + WR; per group CCDL; per channel RRD, CCD, write to read WL +
 * burst + CDLR, read to write CL + burst + 2 - WL; with dram.faw four activations in a window. With dram.refi a channel
 * stops every REFI clocks, closes its rows as soon as they may be (RAS, WR, RTP), refreshes RP later, and may activate
 * again after RFC; groups of channels take turns (dram.refresh_groups). Deviations: all banks of a channel are
 * refreshed together and none is put off; no power-down.
 */
#include "memory/lsu.h"
#include "memory/memory.h"

struct dram_view dram_view(struct sim *s, u32 id)
{
	struct machine *m = s->m;
	return (struct dram_view){.sim = s,
				  .m = m,
				  .id = id,
				  .ch = machine_channel_section(m, id, SECTION_CHANNEL),
				  .bank = machine_channel_section(m, id, SECTION_DBANK),
				  .group = machine_channel_section(m, id, SECTION_DGROUP),
				  .queue = machine_channel_section(m, id, SECTION_DQUEUE),
				  .done = machine_channel_section(m, id, SECTION_DDONE)};
}

/*
 * The bank and row of a line. Pieces of 256 bytes of a channel go round the bank groups; dram.row bytes of a group's
 * share are a row; rows go round the banks of the group, from a bank that dram.spread makes depend on the row.
 */
void dram_place(const struct machine *m, u64 line, u32 slice, struct dreq *q)
{
	const struct config *c = &m->config;
	u64 piece = ((line >> 4) << m->line_shift >> 8) / c->l2_slices;
	u64 own = piece * ceil_div(c->l2_slices, c->dram_channels) + slice / c->dram_channels;
	u64 number = own / c->dram_groups / (c->dram_row / 256);
	u32 n = c->dram_banks / c->dram_groups;
	u64 row = number / n, first = c->dram_spread ? row + row / n + row / n / n : 0;
	q->bank = (u16)((number + first) % n * c->dram_groups + own % c->dram_groups);
	q->row = row + 1;
}

/* Tell of a command. */
static void dram_bank_tell(struct dram_view *v, enum event_kind kind, const struct dreq *q, u64 clock)
{
	memory_emit(v->sim, kind, NONE16, q->line, v->id * v->m->config.dram_banks + q->bank, (u32)clock);
}

/* Close the open row of a bank. */
static void dram_bank_precharge(struct dram_view *v, const struct dreq *q, u64 clock)
{
	struct dbank *b = &v->bank[q->bank];
	b->row = 0;
	b->act_at = max_u64(b->act_at, clock + v->m->config.dram_rp);
	b->precharges++;
	v->ch->stat[STAT_DRAM_PRECHARGES]++;
	dram_bank_tell(v, EVENT_DRAM_PRE, q, clock);
}

/* Open the row that a request needs. */
static void dram_bank_activate(struct dram_view *v, struct dreq *q, u64 clock)
{
	const struct config *c = &v->m->config;
	struct dbank *b = &v->bank[q->bank];
	b->row = q->row;
	q->opened = 1;
	b->col_at = clock + c->dram_rcd;
	b->pre_at = max_u64(b->pre_at, clock + c->dram_ras);
	b->act_at = clock + c->dram_rc;
	v->ch->act_at = clock + c->dram_rrd;
	if (c->dram_faw) {
		v->ch->window_at[v->ch->window] = clock + c->dram_faw;
		v->ch->window = (u16)((v->ch->window + 1) % 4);
	}
	b->activates++;
	v->ch->stat[STAT_DRAM_ACTIVATES]++;
	dram_bank_tell(v, EVENT_DRAM_ACT, q, clock);
}

/* A refresh is due: no row is open any more. Returns the clock of the refresh. */
static u64 dram_bank_close_rows(struct dram_view *v)
{
	u64 close = v->ch->refresh_due, at = 0;
	bool open = false;
	for (u32 i = 0; i < v->m->config.dram_banks; i++) {
		struct dbank *b = &v->bank[i];
		at = max_u64(at, b->act_at);
		if (!b->row)
			continue;
		open = true;
		close = max_u64(close, b->pre_at);
		b->row = 0;
		b->pick[0] = b->first[0];
		b->pick[1] = b->first[1];
	}
	return max_u64(at, close + (open ? v->m->config.dram_rp : 0));
}

/* The refresh that was prepared; it is counted where requests wait for it. */
static void dram_bank_refresh(struct dram_view *v, u64 clock)
{
	struct channel *ch = v->ch;
	for (u32 i = 0; i < v->m->config.dram_banks; i++)
		v->bank[i].act_at = ch->refresh_at + v->m->config.dram_rfc;
	if (ch->refresh_at == clock && ch->waiting[0] + ch->waiting[1]) {
		ch->stat[STAT_DRAM_REFRESHES]++;
		memory_emit(v->sim, EVENT_DRAM_REF, NONE16, 0, v->id, (u32)clock);
	}
	ch->refresh_due = config_refresh_next(&v->m->config, v->id, ch->refresh_due);
	ch->refresh_at = 0;
}

bool dram_refresh(struct dram_view *v, u64 clock)
{
	u32 interval = v->m->config.dram_refi;
	struct channel *ch = v->ch;
	while (interval && ch->refresh_due <= clock) {
		if (!ch->refresh_at)
			ch->refresh_at = dram_bank_close_rows(v);
		if (ch->refresh_at > clock) {
			ch->next = ch->refresh_at;
			return true;
		}
		dram_bank_refresh(v, clock);
		if (ch->refresh_due + 2ULL * interval <
		    clock) /* nothing waited meanwhile: all but the last two change nothing */
			ch->refresh_due += ((clock - ch->refresh_due) / interval - 1) * interval;
	}
	return false;
}

bool dram_row_command(struct dram_view *v, struct dreq *q, u64 clock)
{
	bool open = v->bank[q->bank].row == 0;
	INVARIANT(clock >= dram_row_at(v, q));
	if (open)
		dram_bank_activate(v, q, clock);
	else
		dram_bank_precharge(v, q, clock);
	return open;
}

void dram_column_command(struct dram_view *v, struct dreq *q, u32 write, u64 clock)
{
	const struct config *c = &v->m->config;
	struct dbank *b = &v->bank[q->bank];
	u32 burst = c->dram_burst, rtp = c->dram_groups > 1 ? max_u32(c->dram_rtp, c->dram_rtpl) : c->dram_rtp;
	INVARIANT(b->row == q->row && clock >= dram_column_at(v, q, write));
	v->ch->col_at = clock + max_u32(c->dram_ccd, burst);
	v->group[q->bank % c->dram_groups].col_at = clock + c->dram_ccdl;
	if (write) {
		v->ch->turn_at[0] = clock + c->dram_wl + burst + c->dram_cdlr;
		b->pre_at = max_u64(b->pre_at, clock + c->dram_wl + burst + c->dram_wr);
	} else {
		v->ch->turn_at[1] = clock + max_u32(c->dram_cl + burst + 2, c->dram_wl + burst) - c->dram_wl;
		b->pre_at = max_u64(b->pre_at, clock + rtp);
	}
	v->ch->stat[STAT_DRAM_BUSY] += burst;
	q->columns--;
	dram_bank_tell(v, write ? EVENT_DRAM_WRITE : EVENT_DRAM_READ, q, clock);
}
