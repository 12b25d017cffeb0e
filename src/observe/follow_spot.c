/*
 * follow_spot.c - where what is followed is in the present cycle, for the drawings: in a box of the SM's, at an L2
 * slice or a DRAM channel (follow.h).
 */
#include "follow.h"

#include "machine.h"

bool follow_where(const struct session *s, struct follow_spot *out)
{
	const struct follow *f = s->follow ? follow_now(s) : NULL;
	u32 at = f ? follow_at(f, timeline_now(s->timeline).cycle) : NONE32;
	const struct hop *h;

	if (at == NONE32)
		return false;
	h = &f->hop[at];
	*out = (struct follow_spot){.sm = h->sm,
				    .sub = h->warp % sim_config(&s->sim)->sm_subcores,
				    .warp = h->warp,
				    .launch = f->launch,
				    .pc = f->pc,
				    .from = h->from,
				    .to = h->to,
				    .issued = f->issued,
				    .line = h->line,
				    .slice = NONE16,
				    .channel = NONE16,
				    .bank = h->bank,
				    .place = h->mshr != NONE16 ? h->mshr : h->place,
				    .hop = h->kind,
				    .status = h->status};
	if (h->kind == HOP_CROSSBAR || h->kind == HOP_L2 || h->kind == HOP_ANSWER)
		out->slice = h->place;
	if (h->kind == HOP_DRAMQUEUE || h->kind == HOP_DRAM || h->kind == HOP_L2MSHR)
		out->channel = h->place;
	return true;
}

bool follow_is(const struct follow_spot *spot, const struct box_item *x)
{
	if (x->context != spot->warp)
		return false;
	if (x->status < WARP_STATUS_COUNT)
		return spot->hop == HOP_WAIT || spot->hop == HOP_BARRIER || spot->hop == HOP_AWAY;
	return spot->hop >= HOP_ISSUE && x->pc == spot->pc && (x->since == NEVER || x->since == spot->issued);
}

enum box follow_box(const struct follow_spot *spot, const struct datapath *d)
{
	for (u32 i = 0; i < d->n; i++)
		if (follow_is(spot, &d->item[i]))
			return (enum box)d->item[i].box;
	if (hop_table[spot->hop].box < BOX_COUNT)
		return (enum box)hop_table[spot->hop].box;
	return spot->hop == HOP_WAIT ? datapath_box_of((enum warp_status)spot->status)
				     : datapath_unit_box(spot->status);
}

void follow_place(const struct follow_spot *spot, struct text *out)
{
	if (spot->slice != NONE16)
		text_add(out, "L2 slice %u", spot->slice);
	else if (spot->channel != NONE16)
		text_add(out, spot->bank != NONE16 ? "DRAM channel %u bank %u" : "DRAM channel %u", spot->channel,
			 spot->bank);
	else
		text_add(out, "SM %u", spot->sm);
}

void follow_here(const struct session *s, const struct follow_spot *spot, bool ahead, struct text *out)
{
	const struct follow *f = follow_now(s);
	const struct kernel *k = s->program.launch[spot->launch].kernel;
	u32 at = f ? follow_at(f, spot->from) : NONE32;

	text_add(out, "%s since %llu", hop_table[spot->hop].name, spot->from);
	if (ahead && spot->to != NEVER)
		text_add(out, " until %llu", spot->to);
	text_add(out, ": ");
	if (ahead && at != NONE32)
		follow_text(s, f, at, out);
	else
		text_add(out, "%s", hop_table[spot->hop].doc);
	text_add(out, "; warp %u, %u: %s", spot->warp, spot->pc,
		 spot->pc < k->ninst ? safe_text(kernel_text(k, spot->pc)) : "");
}
