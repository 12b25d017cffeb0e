/* settings.c - settings, policies and departures of CTAs put into force: at once, through the timeline, or at the next
 * restart. */
#include "settings.h"
#include "scene.h"

u32 setting_now(const struct session *s, enum setting_id id)
{
	bool host = setting_table[id].flags & FLAG_HOST;

	return config_get(s->live && !host ? &s->sim.m->config : &s->config, id);
}

/* Change a machine that has moved, where it stands. */
static enum status input_now(struct session *s, struct input *in, const char **says, struct error *e)
{
	bool cut = false;
	enum status st;

	in->at = timeline_now(s->timeline);
	st = timeline_input(s->timeline, in, &cut, e);
	if (!st && cut)
		*says = "what had happened after this cycle is forgotten";
	return st;
}

enum status setting_apply(struct session *s, enum setting_id id, u32 value, const char **says, struct error *e)
{
	struct input in = {.kind = INPUT_SETTING, .setting = id, .value = value};
	enum status st = STATUS_OK;

	*says = NULL;
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
