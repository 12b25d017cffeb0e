/* tables.c - the rows of the .def tables as data: statuses, outcomes, counters, events, stages, classes. */
#include "counters.h"
#include "events.h"
#include "sim.h"
#include "oldnames.h"

const struct status_row warp_status_table[WARP_STATUS_COUNT] = {
#define STATUS(id, name_, letter_, doc_) [WARP_##id] = {.name = name_, .letter = letter_, .doc = doc_},
#include "status.def"
#undef STATUS
};

const struct status_row slot_outcome_table[SLOT_OUTCOME_COUNT] = {
#define OUTCOME(id, name_, letter_, doc_) [SLOT_##id] = {.name = name_, .letter = letter_, .doc = doc_},
#include "status.def"
#undef OUTCOME
};

#define FORMULA(name, expr, unit, doc)
#define COUNTER(where, id, name, unit, doc) COUNTER_##where(id, name, unit, doc)
#define COUNTER_ROW(id, name_, unit_, doc_) [STAT_##id] = {.name = name_, .unit = unit_, .doc = doc_},
#define COUNTER_NONE(id, name, unit, doc)

const struct counter_row sm_stat_table[SM_STAT_COUNT] = {
#define COUNTER_SM COUNTER_ROW
#define COUNTER_L2 COUNTER_NONE
#define COUNTER_DRAM COUNTER_NONE
#include "stats.def"
#undef COUNTER_SM
#undef COUNTER_L2
};

const struct counter_row l2_stat_table[L2_STAT_COUNT] = {
#define COUNTER_SM COUNTER_NONE
#define COUNTER_L2 COUNTER_ROW
#include "stats.def"
#undef COUNTER_L2
#undef COUNTER_DRAM
};

const struct counter_row dram_stat_table[DRAM_STAT_COUNT] = {
#define COUNTER_L2 COUNTER_NONE
#define COUNTER_DRAM COUNTER_ROW
#include "stats.def"
};

const u16 gang_size_counter[MAX_SUBCORES + 1] = {
	[2] = STAT_GANG_SIZE_2, [3] = STAT_GANG_SIZE_3, [4] = STAT_GANG_SIZE_4, [5] = STAT_GANG_SIZE_5,
	[6] = STAT_GANG_SIZE_6, [7] = STAT_GANG_SIZE_7, [8] = STAT_GANG_SIZE_8,
};

const struct event_row event_table[EVENT_COUNT] = {
#define EVENT_ROW(id, name_, a_, b_, doc_, check_) \
	[EVENT_##id] = {.name = name_, .a = a_, .b = b_, .doc = doc_, .check = check_},
#define EVENT(id, name, a, b, doc) EVENT_ROW(id, name, a, b, doc, NULL)
#define CHECK(id, name, a, b, setting, doc) EVENT_ROW(id, name, a, b, setting ": " doc, setting)
#include "events.def"
#undef EVENT
#undef CHECK
};

const struct stage_row stage_table[STAGE_COUNT] = {
#define STAGE(id, name_, whose, run, doc_) [STAGE_##id] = {.name = name_, .doc = doc_},
#include "stages.def"
#undef STAGE
};

const char *const unit_name[UNIT_COUNT] = {
#define UNIT(id, name) name,
#include "units.def"
#undef UNIT
};

const struct class_row class_table[CLASS_COUNT] = {
#define CLASS(id, name_, unit_, doc_) [CLASS_##id] = {.name = name_, .unit = unit_, .doc = doc_},
#include "classes.def"
#undef CLASS
};

int event_find(const char *name, struct error *e)
{
	const char *names[EVENT_COUNT], *near;

	name = name_today(NAME_EVENT, name);
	for (int i = 0; i < EVENT_COUNT; i++) {
		if (!strcmp(event_table[i].name, name))
			return i;
		names[i] = event_table[i].name;
	}
	near = nearest_name(name, names, EVENT_COUNT);
	error_set(e, STATUS_FAILED, "no event '%s' (%s%s%s`explain events` lists all)", safe_text(name),
		  near ? "did you mean '" : "", near ? near : "", near ? "'? " : "");
	return -1;
}
