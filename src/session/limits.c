/*
 * limits.c - the rows of limits.def, and what they say put into settings (experiments.h).
 */
#include "experiments.h"

const struct limit limit_table[LIMIT_ROWS] = {
#define LIMIT(id, row_name, row_noun, row_many, row_sets, row_keeps, row_advice) \
	[LIMIT_OF_##id] = {.name = row_name, \
			   .noun = row_noun, \
			   .many = row_many, \
			   .sets = row_sets, \
			   .keeps = row_keeps, \
			   .advice = row_advice},
#define PAIR(a, b)
#define BEHIND(a, b)
#define ONLY(a, b)
#include "limits.def"
#undef LIMIT
#undef PAIR
#undef BEHIND
#undef ONLY
};
const struct limit_pair limit_pairs[] = {
#define LIMIT(...)
#define PAIR(x, y) {LIMIT_OF_##x, LIMIT_OF_##y},
#define BEHIND(x, y)
#define ONLY(x, y)
#include "limits.def"
#undef LIMIT
#undef PAIR
#undef BEHIND
#undef ONLY
};
const u32 limit_npairs = ARRAY_LEN(limit_pairs);
const struct limit_pair limit_behind[] = {
#define LIMIT(...)
#define PAIR(x, y)
#define ONLY(x, y)
#define BEHIND(x, y) {LIMIT_OF_##x, LIMIT_OF_##y},
#include "limits.def"
#undef LIMIT
#undef PAIR
#undef BEHIND
#undef ONLY
};
const u32 limit_nbehind = ARRAY_LEN(limit_behind);
const u8 limit_only[LIMIT_ROWS] = {
#define LIMIT(...)
#define PAIR(x, y)
#define BEHIND(x, y)
#define ONLY(x, y) [LIMIT_OF_##x] = LIMIT_FOR_##y,
#include "limits.def"
#undef LIMIT
#undef PAIR
#undef BEHIND
#undef ONLY
};

/* The value that a word asks for, where `now` holds: never worse, for >= and <=; a part, for /=, of what is not 0. */
static u32 value_of(char op, u32 now, u32 asked)
{
	if (op == '>')
		return max_u32(now, asked);
	if (op == '/')
		return min_u32(now, max_u32(now / asked, 1));
	return op == '<' ? min_u32(now, asked) : asked;
}

/* One word, "SETTING>=VALUE". */
static enum status lift_one(char *word, struct config *c, struct error *e)
{
	char *equals = strchr(word, '='), op = '=';
	u32 value, now;
	int id;

	if (!equals || equals == word)
		return error_set(e, STATUS_USAGE, "'%s': must be SETTING=VALUE", word);
	if (strchr("<>*/", equals[-1]))
		op = equals[-1];
	equals[op == '=' ? 0 : -1] = '\0';
	id = setting_find(word, e);
	if (id < 0)
		return STATUS_USAGE;
	now = config_get(c, (enum setting_id)id);
	if (op == '*')
		value = min_u32(now * (strcmp(equals + 1, "sub") ? (u32)atoi(equals + 1) : c->sm_subcores),
				setting_table[id].max);
	else if (setting_parse((enum setting_id)id, equals + 1, &value, e))
		return STATUS_USAGE;
	else
		value = value_of(op, now, value);
	config_set(c, (enum setting_id)id, value);
	return STATUS_OK;
}

/* Other settings follow: contexts and CTAs that can be resident are no fewer than their slots, nor more than there can
 * be. */
static void follow(struct config *c)
{
	c->sm_warps = min_u32(c->sm_warps, 256 / config_slices(c));
	if (c->sm_contexts)
		c->sm_contexts = max_u32(c->sm_contexts, c->sm_warps);
	if (c->sm_residents)
		c->sm_residents = max_u32(c->sm_residents, c->sm_ctas);
}

enum status limit_lift(const char *sets, struct config *c, bool *changed, struct error *e)
{
	struct config before = *c;
	char *list = xstrdup(sets), *next = list, *word;
	enum status st = STATUS_OK;

	while (!st && (word = strsep(&next, " ")))
		if (*word)
			st = lift_one(word, c, e);
	free(list);
	follow(c);
	*changed = memcmp(&before, c, sizeof(before)) != 0;
	return st;
}
