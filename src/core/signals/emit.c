/*
 * emit.c - records of the machine's events, filled from the place where they happen.
 */
#include "signals/signals.h"

void emit_record(struct sm_view *v, enum event_kind kind, u32 context, u32 pc, u64 address, u32 a, u32 b)
{
	struct record r = {.kind = (u16)kind,
			   .sm = (u16)v->id,
			   .warp = (u16)context,
			   .sub = 0xff,
			   .launch = 0xff,
			   .cta = NONE32,
			   .pc = pc,
			   .address = address,
			   .a = a,
			   .b = b};
	if (context != NONE16) {
		const struct warp *w = &v->warp[context];
		r.sub = (u8)view_sub(v, context);
		r.launch = (u8)min_u32(w->launch, 0xff);
		r.cta = w->cta == NONE16 ? NONE32 : v->cta[w->cta].id;
	}
	bus_push(&v->sim->bus, &r);
}

void emit_record_late(struct sm_view *v, enum event_kind kind, u32 context, u32 generation, u32 pc, u64 address, u32 a,
		      u32 b)
{
	bool current = view_current(v, context, generation);
	emit_record(v, kind, current ? context : NONE16, current ? pc : NONE32, address, a, b);
}

/* A record of a launch in an SM, and perhaps of one of its CTAs. */
static void emit_push_record(struct sm_view *v, enum event_kind kind, u32 launch, u32 cta, const u32 *number)
{
	bus_push(&v->sim->bus, &(struct record){.kind = (u16)kind,
						.sm = (u16)v->id,
						.warp = NONE16,
						.sub = 0xff,
						.pc = NONE32,
						.cta = cta,
						.launch = (u8)min_u32(launch, 0xff),
						.a = number[0],
						.b = number[1]});
}

void emit_cta_record(struct sm_view *v, enum event_kind kind, u32 slot, u32 a, u32 b)
{
	v->sm->events[kind]++;
	if (v->sim->bus.want >> kind & 1)
		emit_push_record(v, kind, v->cta[slot].launch, v->cta[slot].id, (u32[]){a, b});
}

void emit_launch(struct sm_view *v, enum event_kind kind, u32 launch, u32 a, u32 b)
{
	v->sm->events[kind]++;
	if (v->sim->bus.want >> kind & 1)
		emit_push_record(v, kind, launch, NONE32, (u32[]){a, b});
}

void emit_cta(struct sm_view *v, enum event_kind kind, u32 slot)
{
	const struct cta *cta = &v->cta[slot];
	enum notice_kind notice = kind == EVENT_CTA_START ? NOTICE_ADMIT : NOTICE_LEAVE;
	if (kind != EVENT_RESTORED && kind != EVENT_DRAIN && notice_subscribed(v, notice))
		notify(v, &(struct notice){
				  .kind = (u16)notice, .launch = cta->launch, .context = NONE16, .cta = (u16)slot});
	emit_cta_record(v, kind, slot, cta->warps, cta->registers);
}

void gpu_emit(struct sim *s, enum event_kind kind, u32 launch, u32 a, u32 b)
{
	machine_gpu(s->m)->events[kind]++;
	if (s->bus.want >> kind & 1)
		bus_push(&s->bus, &(struct record){.kind = (u16)kind,
						   .sm = NONE16,
						   .warp = NONE16,
						   .sub = 0xff,
						   .launch = (u8)min_u32(launch, 0xff),
						   .cta = NONE32,
						   .pc = NONE32,
						   .a = a,
						   .b = b});
}

void emit_memory_record(struct sim *s, enum event_kind kind, u32 sm, u64 line, u32 a, u32 b)
{
	bus_push(&s->bus, &(struct record){.kind = (u16)kind,
					   .sm = (u16)sm,
					   .warp = NONE16,
					   .sub = 0xff,
					   .launch = 0xff,
					   .cta = NONE32,
					   .pc = NONE32,
					   .address = (line >> 4) << s->m->line_shift,
					   .a = a,
					   .b = b});
}
