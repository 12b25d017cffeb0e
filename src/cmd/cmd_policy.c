/* cmd_policy.c - policy: which schemes fill the policy slots. */
#include "complete.h"
#include "settings.h"

#include "schemes.h"

/* What fills a hook, as JSON: one name, or a list of them. */
static json_t *cmd_policy_slot_json(u32 slot, u64 rows)
{
	json_t *names = json_array();

	if (!slot_table[slot].set) {
		json_decref(names);
		return json_string(scheme_table[__builtin_ctzll(rows)]->name);
	}
	for (; rows; rows &= rows - 1)
		json_array_append_new(names, json_string(scheme_table[__builtin_ctzll(rows)]->name));
	return names;
}

/* Print the choice in force. */
static void cmd_policy_show(struct session *s)
{
	struct policy_choice p;
	struct text text = {0};
	json_t *out = session_result(s);

	policy_now(s, &p);
	policy_text(&p, false, &text);
	session_print(s, "%s\n", text.s);
	for (u32 i = 0; out && i < POLICY_SLOTS; i++)
		if (policy_in(&p, i))
			json_object_set_new(out, slot_table[i].name, cmd_policy_slot_json(i, policy_in(&p, i)));
	member_text(out, "text", text.s);
	text_free(&text);
}

/* A setting that a shorthand brings. */
static enum status cmd_policy_set(void *self, enum setting_id id, u32 value, struct error *e)
{
	struct session *s = self;
	const char *says;
	char text[32];
	enum status st = setting_apply(s, id, value, &says, e);

	if (!st && says)
		session_print(s, "%s %s: %s\n", setting_table[id].name, setting_text(id, value, text), says);
	return st;
}

/* A setting that a policy brings: it is said, since nobody has asked for it by name. */
static enum status cmd_policy_bring(void *self, enum setting_id id, u32 value, struct error *e)
{
	struct session *s = self;
	const char *says;
	char text[32];
	enum status st = setting_apply(s, id, value, &says, e);

	if (!st)
		session_print(s, "%s is now %s%s%s, which the policy needs\n", setting_table[id].name,
			      setting_text(id, value, text), says ? ": " : "", says ? says : "");
	return st;
}

static enum status cmd_policy_run(struct session *s, const struct args *a, struct error *e)
{
	struct policy_choice choice = s->policy, waiting = choice;
	bool live = s->live && s->moved;
	const char *says;
	enum status st;

	if (live)
		policy_now(s, &choice);
	if (policy_words(s, a->token + 1, a->ntokens - 1, &choice, e) ||
	    policy_words(s, a->token + 1, a->ntokens - 1, &waiting, e))
		return e->status = STATUS_USAGE;
	if (a->ntokens < 2) {
		cmd_policy_show(s);
		return STATUS_OK;
	}
	st = policy_apply(s, &choice, &says, e);
	if (!st && live && s->stale) /* what waits for the restart is the same change of another choice */
		s->policy = waiting;
	if (!st && says)
		session_print(s, "policy: %s\n", says);
	for (u32 i = 1; !st && i < a->ntokens; i++)
		if (shorthand_find(a->token[i].s))
			st = shorthand_settings(shorthand_find(a->token[i].s), cmd_policy_set, s, e);
	return st ? st : policy_brings(a->token + 1, a->ntokens - 1, &s->config, cmd_policy_bring, s, e);
}

const struct command command_policy = {
	.name = "policy",
	.group = "setup",
	.summary = "select policies, or show the selection",
	.details =
		"NAME selects a whole policy: every hook that it implements. HOOK=NAME selects an implementation for one hook,\n"
		"cta=NAME for all hooks cta.* that NAME implements; `none` empties a hook. `help hooks` lists the hooks and\n"
		"says which accept several names, separated by commas. `policy default` is the selection of the GPU's preset.\n"
		"`help policies` lists the policies. A shorthand (elf++, vt, smkpw) is a policy together with another one, or\n"
		"with the settings that its paper uses, applied as by `set`. preempt=flush, preempt=switch and preempt=chimera\n"
		"set preempt.ctas to 256 if it is 0, and the latter two then chimera.switch to time if it is free: else CTAs\n"
		"could only drain, and a switch would cost nothing. What is set later holds.",
	.examples = "policy lrr\npolicy order=two-level\npolicy",
	.flags = COMMAND_SETUP,
	.run = cmd_policy_run,
	.arg = {{"NAME | HOOK=NAME ...", ARG_REST, .doc = "policies", .complete = complete_policy, .optional = true}},
};
