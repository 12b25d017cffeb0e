/*
 * ring.h - queues of packets: at the port of an SM to the interconnect and back (SECTION_OUT, SECTION_IN), and of an L2
 * slice (SECTION_SLICE_IN, SECTION_SLICE_FAR, SECTION_SLICE_OUT). Packet 0 is the head.
 */
#ifndef WARPSTEP_RING_H
#define WARPSTEP_RING_H

#include "machine.h"

struct ring {
	struct packet *first;
	u32 size, *head, *count; /* places; where the head is, and how many packets there are */
};

static inline struct ring port_ring(struct machine *m, u32 sm, enum section_id section)
{
	struct port *port = (struct port *)machine_gpu_section(m, SECTION_PORT) + sm;
	bool out = section == SECTION_OUT;
	return (struct ring){.first = machine_sm_section(m, sm, section),
			     .size = m->section[section].count,
			     .head = out ? &port->out_head : &port->in_head,
			     .count = out ? &port->out_count : &port->in_count};
}

static inline struct ring slice_ring(struct machine *m, u32 id, enum section_id section)
{
	struct slice *slice = machine_slice_section(m, id, SECTION_SLICE);
	bool in = section == SECTION_SLICE_IN, far = section == SECTION_SLICE_FAR;
	return (struct ring){.first = machine_slice_section(m, id, section),
			     .size = m->section[section].count,
			     .head = in	   ? &slice->in_head
				     : far ? &slice->far_head
					   : &slice->out_head,
			     .count = in    ? &slice->in_count
				      : far ? &slice->far_count
					    : &slice->out_count};
}

static inline struct packet *ring_at(const struct ring *r, u32 k)
{
	u32 at = *r->head + k;
	return &r->first[at >= r->size ? at - r->size : at];
}

static inline bool ring_full(const struct ring *r)
{
	return *r->count >= r->size;
}

/* When the head is ready; NEVER: there is none. */
static inline u64 ring_ready(const struct ring *r)
{
	return *r->count ? r->first[*r->head].ready : NEVER;
}

/* A place behind the last, for which there is room. */
static inline struct packet *ring_add(const struct ring *r)
{
	return ring_at(r, (*r->count)++);
}

/* Packet k leaves: those before it stand one place later. */
static inline void ring_take(const struct ring *r, u32 k)
{
	for (; k; k--)
		*ring_at(r, k) = *ring_at(r, k - 1);
	*r->head = *r->head + 1 == r->size ? 0 : *r->head + 1;
	--*r->count;
}

#endif
