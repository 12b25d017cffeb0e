/*
 * bus.h - one stream of events: counted always, recorded if some sink wants the kind.
 *
 * Records of a cycle lie in the bus until the next cycle begins; sinks read them after seal, when the machine is
 * const, sorted by SM (then in the order of emission), so the order of visiting SMs cannot be seen.
 */
#ifndef WARPSTEP_BUS_H
#define WARPSTEP_BUS_H

#include "ids.h"

struct record {
	u16 kind;    /* enum event_kind */
	u16 sm;	     /* NONE16: the GPU as a whole */
	u16 warp;    /* context, NONE16 */
	u8 sub;	     /* sub-core, 0xff */
	u8 launch;   /* launch, 0xff (launches from 255 on share it) */
	u32 cta;     /* linear CTA, NONE32 */
	u32 pc;	     /* instruction index, NONE32 */
	u64 address; /* where it has a meaning, else 0 */
	u32 a, b;    /* as the row of events.def names them */
};

struct bus {
	event_set want; /* bit set of kinds to record */
	struct record *record, *scratch;
	u32 count, capacity;
};

void bus_init(struct bus *b);
void bus_free(struct bus *b);
void bus_push(struct bus *b, const struct record *r);
/* Order the records of a finished cycle by SM, stably. */
void bus_seal(struct bus *b);

struct event_row {
	const char *name, *a, *b, *doc;
	const char *check; /* of a check of kernels, counted beside the machine (shadow.h): its setting; else NULL */
};
extern const struct event_row event_table[];
/* Event kind by name, or -1 with an error that suggests the nearest. */
int event_find(const char *name, struct error *e);

#endif
