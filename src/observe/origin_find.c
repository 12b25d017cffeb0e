/* origin_find.c - the last instruction of a stretch, before another, that wrote a place. */
#include "origin_internal.h"

/* Nobody has written it in this stretch: look in the one before, or there is none. */
static void not_here(struct search *q, struct quest n, bool begun)
{
	struct origin_node *x = &q->o->node[n.node];

	if (begun || q->begins) {
		x->known = true;
		x->value = 0;
		x->kind = x->place.kind == DATUM_GLOBAL ? ORIGIN_HOST : ORIGIN_START;
		if (x->kind == ORIGIN_HOST)
			datum_read(&q->o->past->station[0].sim, &x->place, &x->value);
		return;
	}
	origin_carry(q, (struct quest){n.node, NEED_END, 0});
}

/* --- registers and predicates --- */

/* The number of a register among the results of an instruction; MAX_VECTOR: it is none. */
static u32 written(const struct inst *in, u32 reg)
{
	u32 i = 0;

	while (i < in->nwrite && in->write[i] != reg)
		i++;
	return i < in->nwrite ? i : MAX_VECTOR;
}

/* The words of a register or pair that an event writes, as a bit set; of a predicate 1 + its number. */
static u32 words_written(const struct inst *in, const struct datum *d)
{
	if (d->kind == DATUM_PREDICATE)
		return in->write_pred[0] == d->index ? 1 : in->write_pred[1] == d->index ? 2 : 0;
	return (written(in, d->index) < MAX_VECTOR) | (d->words == 2 && written(in, d->index + 1) < MAX_VECTOR) << 1;
}

/* A pair whose halves come from two instructions becomes two registers. */
static void part_pair(struct search *q, struct quest n, u32 words)
{
	struct datum half = q->o->node[n.node].place, other;

	half.words = 1;
	half.type = VALUE_U32;
	other = half;
	half.index += words == 2;
	other.index += words == 1;
	q->o->node[n.node].place = half;
	origin_need(q, (struct quest){origin_beside(q, n.node, &other), n.from, 0});
}

/* The value that an event gave a register or a predicate. */
static void take_register(struct search *q, u32 node, u32 e)
{
	const struct track_event *x = &q->track.event[e];
	struct origin_node *o = &q->o->node[node];
	const struct datum *d = &o->place;
	const struct inst *in = track_inst(&q->track, x);

	o->known = true;
	if (d->kind == DATUM_PREDICATE) {
		o->value = track_predicate(&q->track, x, words_written(in, d) - 1) >> d->lane & 1;
		return;
	}
	o->value = track_register(&q->track, x, written(in, d->index), d->lane);
	if (d->words == 2)
		o->value |= (u64)track_register(&q->track, x, written(in, d->index + 1), d->lane) << 32;
}

static void resolve_register(struct search *q, struct quest n)
{
	const struct datum d = q->o->node[n.node].place;
	u32 warp = track_warp(&q->track, d.launch, d.cta, d.index_in_cta), e = n.from;

	if (e == NEED_END)
		e = warp == NONE32 ? TRACK_EARLIER : q->track.last[warp];
	for (; e < TRACK_BEGUN; e = q->track.event[e].before) {
		const struct track_event *x = &q->track.event[e];
		u32 words = x->mask >> d.lane & 1 ? words_written(track_inst(&q->track, x), &d) : 0;

		if (!words)
			continue;
		if (d.words == 2 && words != 3)
			part_pair(q, (struct quest){n.node, e, 0}, words);
		take_register(q, n.node, e);
		origin_made(q, n.node, e, d.lane);
		return;
	}
	not_here(q, n, e == TRACK_BEGUN);
}

/* --- memory --- */

/* Bytes from..to of a place are what has been found: those around it are others. */
static void part_bytes(struct search *q, struct quest n, u64 address, u32 bytes)
{
	static const u8 type[9] = {VALUE_U8, VALUE_U8, VALUE_U16, VALUE_U8, VALUE_U32,
				   VALUE_U8, VALUE_U8, VALUE_U8,  VALUE_U64};
	struct datum all = q->o->node[n.node].place, x = all;
	u64 from = address > all.address ? address : all.address;
	u64 to = min_u64(address + bytes, all.address + all.bytes);
	const u64 edge[4] = {all.address, from, to, all.address + all.bytes};

	if (from == all.address && to == all.address + all.bytes)
		return;
	for (u32 k = 0; k < 3; k++) {
		x.address = edge[k];
		x.bytes = (u32)(edge[k + 1] - edge[k]);
		if (!x.bytes)
			continue;
		x.type = type[x.bytes];
		if (k == 1)
			q->o->node[n.node].place = x;
		else
			origin_need(q, (struct quest){origin_beside(q, n.node, &x), n.from, n.below});
	}
}

/* The last lane of an event, below one, that writes bytes of the place; WARP_LANES: none. */
static u32 lane_writing(const struct search *q, const struct track_event *x, const struct datum *d, u32 below)
{
	const struct inst *in = track_inst(&q->track, x);
	u8 space = d->kind == DATUM_SHARED ? SPACE_SHARED : SPACE_LOCAL;
	u32 bytes = inst_access_bytes(in), mask = x->mask & (below < 32 ? (1u << below) - 1 : ~0u);

	if (!touch_writes(in))
		return WARP_LANES;
	for (u32 l = WARP_LANES; l-- > 0;) {
		u64 at;

		if (!(mask >> l & 1) || (d->kind == DATUM_LOCAL && l != d->lane) ||
		    track_space(&q->track, x, l) != space)
			continue;
		at = track_address(&q->track, x, l);
		if (at < d->address + d->bytes && d->address < at + bytes)
			return l;
	}
	return WARP_LANES;
}

/* What a lane of an event has left in shared or local memory. */
static void take_window(struct search *q, struct quest n, u32 e, u32 lane)
{
	const struct track_event *x = &q->track.event[e];
	u64 at = track_address(&q->track, x, lane);
	struct origin_node *o;

	part_bytes(q, (struct quest){n.node, e, lane}, at, inst_access_bytes(track_inst(&q->track, x)));
	o = &q->o->node[n.node];
	o->known = true;
	o->value = track_stored(&q->track, x, lane, (u32)(o->place.address - at), o->place.bytes);
	origin_made(q, n.node, e, lane);
}

static void resolve_window(struct search *q, struct quest n)
{
	const struct datum d = q->o->node[n.node].place;
	bool shared = d.kind == DATUM_SHARED;
	u32 cta = track_cta(&q->track, d.launch, d.cta), warp = track_warp(&q->track, d.launch, d.cta, d.index_in_cta);
	u32 e = n.from, below = n.below ? n.below : WARP_LANES;

	if (e == NEED_END)
		e = cta == NONE32 ? TRACK_EARLIER : shared ? q->track.cta[cta].shared : q->track.last[warp];
	while (e < TRACK_BEGUN) {
		u32 lane = lane_writing(q, &q->track.event[e], &d, below);

		if (lane < WARP_LANES) {
			take_window(q, n, e, lane);
			return;
		}
		below = WARP_LANES;
		e = shared ? q->track.event[e].shared : q->track.event[e].before;
	}
	not_here(q, n, e == TRACK_BEGUN);
}

static void take_act(struct search *q, struct quest n, u32 i)
{
	const struct track_act *a = &q->track.act[i];
	u32 per = a->bytes / max_u32(a->lanes, 1), lane;
	struct origin_node *o;

	part_bytes(q, (struct quest){n.node, i, 0}, a->address, a->bytes);
	o = &q->o->node[n.node];
	lane = a->lane + (u32)(o->place.address - a->address) / per;
	o->known = true;
	o->value = 0;
	memcpy(&o->value, (const u8 *)a->data + (o->place.address - a->address), o->place.bytes);
	if (a->event >= TRACK_BEGUN)
		o->kind = ORIGIN_LOST;
	else
		origin_made(q, n.node, a->event, lane);
}

/* The user has written there, later than instructions did in this stretch: in cycle `since` or after it. */
static bool poked(struct search *q, struct quest n, u64 since)
{
	struct origin_node *x = &q->o->node[n.node];
	const struct input *in = timeline_poke(q->session->timeline, x->place.address, x->place.bytes, x->until);

	if (!in || in->at.cycle < since)
		return false;
	x->kind = ORIGIN_HOST;
	x->cycle = in->at.cycle;
	x->known = in->address <= x->place.address && x->place.address + x->place.bytes <= in->address + in->bytes;
	x->value = 0;
	if (x->known)
		memcpy(&x->value, in->data + (x->place.address - in->address), x->place.bytes);
	return true;
}

static void resolve_global(struct search *q, struct quest n)
{
	const struct datum d = q->o->node[n.node].place;
	u32 i = n.from == NEED_END ? q->track.nacts : n.from;
	bool any = past_writes(q->past, q->stretch, d.address, d.bytes), found = false;

	while (any && !found && i-- > 0) {
		const struct track_act *a = &q->track.act[i];

		found = a->address < d.address + d.bytes && d.address < a->address + a->bytes;
	}
	if (poked(q, n, found ? q->track.act[i].cycle : q->first - 1))
		return;
	if (found)
		take_act(q, n, i);
	else
		not_here(q, n, false);
}

void origin_resolve(struct search *q, struct quest n)
{
	struct origin_node *x = &q->o->node[n.node];

	if (q->track.full) {
		x->kind = ORIGIN_LOST;
		return;
	}
	switch (x->place.kind) {
	case DATUM_GLOBAL: resolve_global(q, n); break;
	case DATUM_SHARED:
	case DATUM_LOCAL: resolve_window(q, n); break;
	default: resolve_register(q, n); break;
	}
}
