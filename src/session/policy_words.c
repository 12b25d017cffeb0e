/* policy_words.c - what follows `policy`: whole schemes, slots with their schemes, shorthands, as a choice. */
#include "settings.h"

#include "oldnames.h"
#include "schemes.h"

/* A choice that is being made: which slots this command has filled, and with which scheme last. */
struct claims {
	struct policy_choice choice, preset; /* `default` is the preset's */
	u64 filled;
	u32 by[POLICY_SLOTS];
};

/* Put a scheme into a slot. Two schemes in a slot of one are an error. */
static enum status claim(struct claims *c, u32 slot, u32 scheme, struct error *e)
{
	bool filled = c->filled >> slot & 1;

	if (filled && !slot_table[slot].set && c->by[slot] != scheme)
		return error_set(e, STATUS_USAGE, "hook %s is claimed by %s and by %s (it takes one policy)",
				 slot_table[slot].name, scheme_table[c->by[slot]]->name, scheme_table[scheme]->name);
	policy_put(&c->choice, slot, scheme);
	c->filled |= 1ULL << slot;
	c->by[slot] = scheme;
	return STATUS_OK;
}

/* A whole scheme: every slot that it has a part for, of those in `slots`. */
static enum status claim_all(struct claims *c, u64 slots, u32 scheme, struct error *e)
{
	enum status st = STATUS_OK;

	for (u32 slot = 0; slot < POLICY_SLOTS && !st; slot++)
		if (slots >> slot & 1 && scheme_fills(scheme_table[scheme], slot))
			st = claim(c, slot, scheme, e);
	return st;
}

u64 policy_slots_named(const char *word, size_t length)
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
static enum status no_slot(const char *word, size_t length, struct error *e)
{
	const char *names[POLICY_SLOTS], *near;
	char *name = xstrndup(word, length);

	for (u32 i = 0; i < POLICY_SLOTS; i++)
		names[i] = slot_table[i].name;
	near = nearest_name(name, names, POLICY_SLOTS);
	error_set(e, STATUS_USAGE, "unknown policy hook '%s'%s%s%s", safe_text(name),
		  near ? " (did you mean '" : " (`help hooks` lists them", near ? near : "", near ? "'?)" : ")");
	free(name);
	return STATUS_USAGE;
}

/* A policy that is none for the hooks of that group: which are its own. */
static enum status not_filled(const struct scheme *x, const char *group, struct error *e)
{
	struct text own = {0};

	for (u32 slot = 0; slot < POLICY_SLOTS; slot++)
		if (scheme_fills(x, slot))
			text_list(&own, ", ", slot_table[slot].name);
	error_set(e, STATUS_USAGE, "policy %s has no hook %.*s.* (it has %s)", x->name, (int)strcspn(group, "."), group,
		  own.s ? own.s : "none");
	text_free(&own);
	return STATUS_USAGE;
}

/* Schemes for some slots: each fills those of them that it has a part for. */
static enum status claim_named(struct claims *c, u64 slots, const char *name, struct error *e)
{
	u32 first = (u32)__builtin_ctzll(slots);
	bool one = !(slots & (slots - 1));
	int id = scheme_find(one ? first : POLICY_SLOTS, name, e);

	if (id < 0)
		return STATUS_USAGE;
	for (u64 left = slots; left; left &= left - 1)
		if (scheme_fills(scheme_table[id], (u32)__builtin_ctzll(left)))
			return claim_all(c, slots, (u32)id, e);
	return not_filled(scheme_table[id], slot_table[first].name, e);
}

/* SLOT=NAME[,NAME...]; name begins behind the equals sign. */
static enum status fill_slots(struct claims *c, const char *word, const char *name, u64 *given, struct error *e)
{
	size_t length = (size_t)(name - word - 1);
	u64 slots = policy_slots_named(word, length);
	enum status st = STATUS_OK;
	char *list, *next, *one;

	if (!slots)
		return no_slot(word, length, e);
	if (*given & slots)
		return error_set(e, STATUS_USAGE, "hook %.*s is set twice", (int)length, word);
	*given |= slots;
	for (u64 left = slots; left; left &= left - 1)
		if (!(c->filled & left & -left))
			policy_clear(&c->choice, (u32)__builtin_ctzll(left));
	next = list = xstrdup(name);
	while (!st && (one = strsep(&next, ",")))
		if (strcmp(one, "none") || slot_table[__builtin_ctzll(slots)].base != NONE32)
			st = claim_named(c, slots, one, e);
	free(list);
	return st;
}

const struct shorthand *shorthand_find(const char *word)
{
	word = name_today(NAME_POLICY, word);
	for (u32 i = 0; i < shorthand_table_rows; i++)
		if (!strcmp(shorthand_table[i].name, word))
			return &shorthand_table[i];
	return NULL;
}

/* Settings as text, "NAME VALUE", separated by commas, one after the other until one is refused. now: only those that
 * are 0 there, and none if the first is not; NULL: all. */
static enum status put_settings(const char *settings, const struct config *now,
				enum status (*put)(void *self, enum setting_id id, u32 value, struct error *e),
				void *self, struct error *e)
{
	char *list = xstrdup(settings), *next = list, *one, name[64], text[64];
	enum status st = STATUS_OK;
	u32 value;

	while (!st && (one = strsep(&next, ","))) {
		int id = sscanf(one, "%63s %63s", name, text) == 2 ? setting_find(name, e) : -1;
		bool chosen = now && id >= 0 && config_get(now, (enum setting_id)id);

		if (chosen && one == list)
			break;
		if (!*one || chosen)
			continue;
		st = id < 0 ? STATUS_FAILED : setting_parse((enum setting_id)id, text, &value, e);
		st = st ? st : put(self, (enum setting_id)id, value, e);
	}
	free(list);
	return st;
}

enum status shorthand_settings(const struct shorthand *x,
			       enum status (*put)(void *self, enum setting_id id, u32 value, struct error *e),
			       void *self, struct error *e)
{
	return put_settings(x->settings, NULL, put, self, e);
}

enum status policy_brings(const struct token *word, u32 n, const struct config *now,
			  enum status (*put)(void *self, enum setting_id id, u32 value, struct error *e), void *self,
			  struct error *e)
{
	const struct config before = *now; /* put may change it */
	enum status st = STATUS_OK;
	struct error none;

	for (u32 i = 0; i < n; i++) {
		const char *equals = strchr(word[i].s, '=');
		char *list = xstrdup(equals ? equals + 1 : word[i].s), *next = list, *one;

		while (!st && (one = strsep(&next, ","))) {
			int id = scheme_find(POLICY_SLOTS, one, &none);

			if (id >= 0 && scheme_table[id]->brings)
				st = put_settings(scheme_table[id]->brings, &before, put, self, e);
		}
		free(list);
	}
	return st;
}

/* One word of the command: default, SLOT=NAME or NAME. */
static enum status take_word(struct claims *c, const char *word, u64 *given, struct error *e)
{
	const struct shorthand *shorthand = shorthand_find(word);
	const char *equals = strchr(word, '=');
	int id;

	if (equals)
		return fill_slots(c, word, equals + 1, given, e);
	if (!strcmp(word, "default")) {
		c->choice = c->preset;
		return STATUS_OK;
	}
	if (shorthand) {
		enum status st = claim_all(c, ~0ULL, shorthand->scheme, e);

		return st || shorthand->beside == NONE32 ? st : claim_all(c, ~0ULL, shorthand->beside, e);
	}
	id = scheme_find(POLICY_SLOTS, word, e);
	return id < 0 ? STATUS_USAGE : claim_all(c, ~0ULL, (u32)id, e);
}

enum status policy_words(const struct session *s, const struct token *word, u32 n, struct policy_choice *choice,
			 struct error *e)
{
	struct claims c = {.choice = *choice, .preset = s->preset};
	enum status st = STATUS_OK;
	u64 given = 0;

	for (u32 i = 0; i < n && !st; i++) {
		st = take_word(&c, word[i].s, &given, e);
		if (st && !e->column)
			e->column = word[i].column;
	}
	if (!st)
		*choice = c.choice;
	return st;
}
