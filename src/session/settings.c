/* settings.c - settings, policies and departures of CTAs put into force: at once, through the timeline, or at the next
 * restart. */
#include "settings.h"
#include "events.h"
#include "rights.h"
#include "scene.h"
#include "shadow.h"

u32 setting_now(const struct session *s, enum setting_id id)
{
	bool host = setting_table[id].flags & FLAG_HOST;

	return config_get(s->live && !host ? sim_config(&s->sim) : &s->config, id);
}

/* Change a machine that has moved, where it stands. */
static enum status input_now(struct session *s, struct input *in, const char **says, struct error *e)
{
	bool cut = false;
	enum status st;

	in->at = timeline_now(s->timeline);
	st = timeline_input(s->timeline, in, &cut, e);
	if (!st && cut)
		*says = "the recorded future after this cycle is discarded";
	return st;
}

/* What a setting bounds at a value: memory.limit 0 is a part of the computer's memory. */
static u64 bound_of(enum setting_id id, u32 value)
{
	struct config c = {.memory_limit = value};

	return id == SET_memory_limit ? config_memory(&c) >> 20 : value;
}

enum status setting_allowed(const struct session *s, enum setting_id id, u32 value, struct error *e)
{
	u64 now = bound_of(id, config_get(&s->config, id));

	if (!(setting_table[id].flags & FLAG_BOUND) || rights_full(s, rights_now(s)) || bound_of(id, value) <= now)
		return STATUS_OK;
	return error_set(e, STATUS_FAILED,
			 "%s: a file may not raise it above %llu %s (type the command, or start with --trust)",
			 setting_table[id].name, now, setting_table[id].unit);
}

enum status setting_apply(struct session *s, enum setting_id id, u32 value, const char **says, struct error *e)
{
	struct input in = {.kind = INPUT_SETTING, .setting = id, .value = value};
	enum status st = setting_allowed(s, id, value, e);

	*says = NULL;
	if (st)
		return st;
	if (setting_table[id].flags & FLAG_HOST) {
		config_set(&s->config, id, value);
		session_apply_host(s);
		return STATUS_OK;
	}
	if (s->live && s->moved && !s->quiet_depth && (setting_table[id].flags & FLAG_TIMING)) {
		if (setting_now(s, id) != value)
			st = input_now(s, &in, says, e);
	} else if (config_get(&s->config, id) != value) {
		scene_touch(s);
		if (s->stale && !s->quiet_depth)
			*says = "takes effect at restart";
	}
	if (!st)
		config_set(&s->config, id, value);
	return st;
}

enum status policy_apply(struct session *s, const struct policy_choice *p, const char **says, struct error *e)
{
	struct input in = {.kind = INPUT_POLICY, .policy = *p};
	enum status st = STATUS_OK;

	*says = NULL;
	if (s->live && s->moved && !s->quiet_depth)
		st = input_now(s, &in, says, e);
	else
		scene_touch(s);
	if (!st)
		s->policy = *p;
	return st;
}

enum status depart_apply(struct session *s, u32 sm, u32 slot, enum leaving how, const char **says, struct error *e)
{
	struct input in = {.kind = INPUT_DEPART, .sm = sm, .slot = slot, .how = how};

	*says = NULL;
	return input_now(s, &in, says, e);
}

enum status value_apply(struct session *s, const struct expr_place *p, u8 *bytes, const char **says, struct error *e)
{
	struct input in = {.kind = p->space == PLACE_GLOBAL ? INPUT_POKE : INPUT_VALUES,
			   .sm = p->sm,
			   .slot = p->warp,
			   .how = p->space == PLACE_SHARED    ? VALUES_SHARED
				  : p->space == PLACE_CONTROL ? VALUES_CONTROL
							      : VALUES_CONTEXT,
			   .address = p->at,
			   .bytes = value_type_size[p->type],
			   .data = bytes};

	*says = NULL;
	s->moved = true;
	return input_now(s, &in, says, e);
}

void host_on(struct session *s, enum setting_id id)
{
	const char *says;
	struct error e = {0};

	if (setting_now(s, id) || setting_apply(s, id, 1, &says, &e))
		return;
	session_print(s, "%s is now on%s\n", setting_table[id].name,
		      s->live && s->moved ? ": the run so far is analyzed from its beginning" : "");
}

void check_on(struct session *s, u32 event)
{
	const char *name = event_table[event].check;

	if (name)
		host_on(s, (enum setting_id)setting_find(name, NULL));
}

void checks_wanted(struct session *s)
{
	for (u32 i = 0; s->wants_checks && i < EVENT_COUNT; i++)
		if (s->wants_checks & EVENT_BIT(i))
			check_on(s, i);
	s->wants_checks = 0;
}

void lines_on(struct session *s)
{
	if (!s->live || !(s->sim.shadow & SHADOW_LINES))
		host_on(s, SET_stats_lines);
}
