/* cmd_policy.c - policy: which schemes fill the policy slots. */
#include "complete.h"
#include "settings.h"

#include "policy.h"

#include <stdlib.h>
#include <string.h>

/* A choice that is being made: which slots this command has filled, and with which scheme last. */
struct claims {
	struct policy_choice choice;
	const struct shorthand *shorthand; /* the last that was named, NULL: none */
	u64 filled;
	u32 by[POLICY_SLOTS];
};

/* Put a scheme into a slot. Two schemes in a slot of one are an error. */
static enum status cmd_policy_claim(struct claims *c, u32 slot, u32 scheme, struct error *e)
{
	bool filled = c->filled >> slot & 1;

	if (filled && !slot_table[slot].set && c->by[slot] != scheme)
		return error_set(e, STATUS_USAGE, "slot %s is claimed by %s and by %s; it takes one",
				 slot_table[slot].name, scheme_table[c->by[slot]]->name, scheme_table[scheme]->name);
	policy_put(&c->choice, slot, scheme);
	c->filled |= 1ULL << slot;
	c->by[slot] = scheme;
	return STATUS_OK;
}

/* A whole scheme: every slot that it has a part for, of those in `slots`. */
static enum status cmd_policy_claim_all(struct claims *c, u64 slots, u32 scheme, struct error *e)
{
	enum status st = STATUS_OK;

	for (u32 slot = 0; slot < POLICY_SLOTS && !st; slot++)
		if (slots >> slot & 1 && scheme_fills(scheme_table[scheme], slot))
			st = cmd_policy_claim(c, slot, scheme, e);
	return st;
}

/* The slots that a word of `length` letters names: one, or all whose names begin with it and a dot. */
static u64 cmd_policy_slots_named(const char *word, size_t length)
{
	u64 slots = 0;

	for (u32 i = 0; i < POLICY_SLOTS; i++) {
		const char *name = slot_table[i].name;

		if (!strncmp(name, word, length) && (!name[length] || name[length] == '.'))
			slots |= 1ULL << i;
	}
	return slots;
}

/* There is no slot of that name. */
static enum status cmd_policy_no_slot(const char *word, size_t length, struct error *e)
{
	const char *names[POLICY_SLOTS], *near;
	char *name = xstrndup(word, length);

	for (u32 i = 0; i < POLICY_SLOTS; i++)
		names[i] = slot_table[i].name;
	near = nearest_name(name, names, POLICY_SLOTS);
	error_set(e, STATUS_USAGE, "no policy slot `%s`%s%s%s", safe_text(name),
		  near ? "; did you mean `" : "; `help slots` lists them", near ? near : "", near ? "`?" : "");
	free(name);
	return STATUS_USAGE;
}

/* Schemes for some slots: each fills those of them that it has a part for. */
static enum status cmd_policy_claim_named(struct claims *c, u64 slots, const char *name, struct error *e)
{
	u32 first = (u32)__builtin_ctzll(slots);
	bool one = !(slots & (slots - 1));
	int id = scheme_find(one ? first : POLICY_SLOTS, name, e);

	if (id < 0)
		return STATUS_USAGE;
	for (u64 left = slots; left; left &= left - 1)
		if (scheme_fills(scheme_table[id], (u32)__builtin_ctzll(left)))
			return cmd_policy_claim_all(c, slots, (u32)id, e);
	return error_set(e, STATUS_USAGE, "%s fills none of the slots %.*s.*", scheme_table[id]->name,
			 (int)strcspn(slot_table[first].name, "."), slot_table[first].name);
}

/* SLOT=NAME[,NAME...]; name begins behind the equals sign. */
static enum status cmd_policy_fill_slots(struct claims *c, const char *word, const char *name, u64 *given,
					 struct error *e)
{
	size_t length = (size_t)(name - word - 1);
	u64 slots = cmd_policy_slots_named(word, length);
	enum status st = STATUS_OK;
	char *list, *next, *one;

	if (!slots)
		return cmd_policy_no_slot(word, length, e);
	if (*given & slots)
		return error_set(e, STATUS_USAGE, "slot %.*s is filled twice", (int)length, word);
	*given |= slots;
	for (u64 left = slots; left; left &= left - 1)
		if (!(c->filled & left & -left))
			policy_clear(&c->choice, (u32)__builtin_ctzll(left));
	next = list = xstrdup(name);
	while (!st && (one = strsep(&next, ",")))
		if (strcmp(one, "none") || slot_table[__builtin_ctzll(slots)].base != NONE32)
			st = cmd_policy_claim_named(c, slots, one, e);
	free(list);
	return st;
}

/* Who fills a slot, as JSON: one name, or a list of them. */
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
	if (out)
		json_object_set_new(out, "text", json_string(text.s));
	text_free(&text);
}

/* The shorthand of that name, NULL: none. */
static const struct shorthand *cmd_policy_shorthand(const char *word)
{
	for (u32 i = 0; i < shorthand_table_rows; i++)
		if (!strcmp(shorthand_table[i].name, word))
			return &shorthand_table[i];
	return NULL;
}

/* One setting of a shorthand, "NAME VALUE". */
static enum status cmd_policy_set(struct session *s, const char *text, struct error *e)
{
	char name[64] = "", value[64] = "";
	const char *says = NULL;
	u32 v = 0;
	int id = sscanf(text, "%63s %63s", name, value) == 2 ? setting_find(name, e) : -1;
	enum status st = id < 0 ? STATUS_FAILED : setting_parse((enum setting_id)id, value, &v, e);

	if (!st)
		st = setting_apply(s, (enum setting_id)id, v, &says, e);
	if (!st && says)
		session_print(s, "%s %s: %s\n", name, value, says);
	return st;
}

/* The settings of a shorthand. */
static enum status cmd_policy_set_all(struct session *s, const struct shorthand *x, struct error *e)
{
	char *list = xstrdup(x->settings), *next = list, *one;
	enum status st = STATUS_OK;

	while (!st && (one = strsep(&next, ",")))
		st = *one ? cmd_policy_set(s, one, e) : STATUS_OK;
	free(list);
	return st;
}

/* One word of the command: default, SLOT=NAME or NAME. */
static enum status cmd_policy_take_word(struct claims *c, const char *word, u64 *given, struct error *e)
{
	const char *equals = strchr(word, '=');
	int id;

	if (equals)
		return cmd_policy_fill_slots(c, word, equals + 1, given, e);
	if (!strcmp(word, "default")) {
		policy_default(&c->choice);
		return STATUS_OK;
	}
	c->shorthand = cmd_policy_shorthand(word) ? cmd_policy_shorthand(word) : c->shorthand;
	if (cmd_policy_shorthand(word)) {
		enum status st = cmd_policy_claim_all(c, ~0ULL, c->shorthand->scheme, e);

		return st || c->shorthand->beside == NONE32 ? st
							    : cmd_policy_claim_all(c, ~0ULL, c->shorthand->beside, e);
	}
	id = scheme_find(POLICY_SLOTS, word, e);
	return id < 0 ? STATUS_USAGE : cmd_policy_claim_all(c, ~0ULL, (u32)id, e);
}

/* All words of the command. */
static enum status cmd_policy_take_words(struct claims *c, const struct args *a, struct error *e)
{
	enum status st = STATUS_OK;
	u64 given = 0;

	for (u32 i = 1; i < a->ntokens && !st; i++) {
		st = cmd_policy_take_word(c, a->token[i].s, &given, e);
		if (st && !e->column)
			e->column = a->token[i].column;
	}
	return st;
}

static enum status cmd_policy_run(struct session *s, const struct args *a, struct error *e)
{
	struct claims c = {.choice = s->policy}, waiting = c;
	bool live = s->live && s->moved;
	const char *says;
	enum status st;

	if (live)
		policy_now(s, &c.choice);
	if (cmd_policy_take_words(&c, a, e) || cmd_policy_take_words(&waiting, a, e))
		return e->status = STATUS_USAGE;
	if (a->ntokens < 2) {
		cmd_policy_show(s);
		return STATUS_OK;
	}
	st = policy_apply(s, &c.choice, &says, e);
	if (!st && live && s->stale) /* what waits for the restart is the same change of another choice */
		s->policy = waiting.choice;
	if (!st && says)
		session_print(s, "policy: %s\n", says);
	return st || !c.shorthand ? st : cmd_policy_set_all(s, c.shorthand, e);
}

const struct command command_policy = {
	.name = "policy",
	.group = "setup",
	.summary = "choose the schemes that decide; show the choice",
	.details =
		"NAME switches a whole scheme on: every slot that it has a part for. SLOT=NAME fills one slot, cta=NAME all slots\n"
		"cta.* that the scheme has a part for; none empties one. `help slots` lists the slots and says which take several names, with\n"
		"commas between. `policy default` is the baseline. `help schemes` lists the schemes.\n"
		"A shorthand (elf++, smkpw) is a scheme with another or with the settings that its paper switches on beside it, put in\n"
		"as `set` would.",
	.examples = "policy lrr\npolicy order=two-level\npolicy",
	.flags = COMMAND_SETUP,
	.run = cmd_policy_run,
	.arg = {{.name = "NAME | SLOT=NAME ...",
		 .type = ARG_REST,
		 .complete = complete_policy,
		 .optional = 1,
		 .doc = "schemes"}},
};
