/*
 * events.h - the kinds of events, in the order of events.def.
 */
#ifndef WARPSTEP_EVENTS_H
#define WARPSTEP_EVENTS_H

#include "ids.h"

enum event_kind {
#define EVENT(id) EVENT_##id,
#include "events.ids"
#undef EVENT
	EVENT_COUNT
};
#define ALL_EVENTS (EVENT_BIT(EVENT_COUNT) - 1)
_Static_assert(EVENT_COUNT < MAX_EVENTS, "kinds of events are members of a set");

#endif
