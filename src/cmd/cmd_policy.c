/* cmd_policy.c - policy: which schemes fill the policy slots. */
#include "complete.h"
#include "settings.h"

#include "policy.h"

#include <stdlib.h>
#include <string.h>

enum slot_name { ORDER, FETCH, ASSIGN, EXTRA, HOLD, RANK, SLOT_NAMES };
static const char *const slot_name[SLOT_NAMES] = {"order", "fetch", "assign", "extra", "hold", "rank"};

/* Put scheme id into a slot of the choice. */
static void fill(struct policy_choice *p, u32 slot, u32 id)
{
	u32 *const one[] = {&p->order, &p->fetch, &p->assign};
	u64 *const set[] = {&p->hold, &p->rank};

	if (slot < EXTRA)
		*one[slot] = id;
	else if (slot == EXTRA)
		p->extra = id + 1;
	else
		*set[slot - HOLD] |= 1ULL << id;
}

/* A whole scheme: every slot that it has a part for. */
static void fill_all(struct policy_choice *p, u32 id)
{
	const struct scheme *x = scheme_table[id];
	const bool has[SLOT_NAMES] = {x->order, x->fetch, x->assign, x->extra, x->hold, x->rank};

	for (u32 slot = 0; slot < SLOT_NAMES; slot++)
		if (has[slot])
			fill(p, slot, id);
}

/* SLOT=NAME[,NAME...]; name begins behind the equals sign. */
static enum status fill_slot(struct policy_choice *p, const char *word, const char *name, u32 *given, struct error *e)
{
	u32 slot = 0;
	char *list, *next, *one;

	while (slot < SLOT_NAMES && strncmp(word, slot_name[slot], (size_t)(name - word - 1)))
		slot++;
	if (slot == SLOT_NAMES || name - word - 1 != (long)strlen(slot_name[slot]))
		return error_set(e, STATUS_USAGE, "no policy slot `%.*s`; they are order, fetch, assign, extra, hold and rank",
				 (int)(name - word - 1), token_shown(word));
	if (*given >> slot & 1)
		return error_set(e, STATUS_USAGE, "slot %s is filled twice", slot_name[slot]);
	*given |= 1u << slot;
	if (slot == EXTRA)
		p->extra = 0;
	if (slot >= HOLD)
		*(slot == HOLD ? &p->hold : &p->rank) = 0;
	next = list = xstrdup(name);
	while ((one = strsep(&next, ","))) {
		int id = slot >= EXTRA && !strcmp(one, "none") ? -2 : scheme_find(slot_name[slot], one, e);

		if (id == -1) {
			free(list);
			return STATUS_USAGE;
		}
		if (id >= 0)
			fill(p, slot, (u32)id);
	}
	free(list);
	return STATUS_OK;
}

/* Print the choice in force. */
static void show(struct session *s)
{
	struct policy_choice p;
	struct text text = {0};
	json_t *out = session_result(s);

	policy_now(s, &p);
	policy_text(&p, &text);
	session_print(s, "%s\n", text.s);
	if (out) {
		json_object_set_new(out, "order", json_string(scheme_table[p.order]->name));
		json_object_set_new(out, "fetch", json_string(scheme_table[p.fetch]->name));
		json_object_set_new(out, "assign", json_string(scheme_table[p.assign]->name));
		if (p.extra)
			json_object_set_new(out, "extra", json_string(scheme_table[p.extra - 1]->name));
		json_object_set_new(out, "text", json_string(text.s));
	}
	text_free(&text);
}

static enum status run(struct session *s, const struct args *a, struct error *e)
{
	struct policy_choice p = s->policy;
	const char *says;
	enum status st = STATUS_OK;
	u32 given = 0;
	int id;

	if (s->live && s->moved)
		policy_now(s, &p);
	for (u32 i = 1; i < a->ntokens && !st; i++) {
		const char *word = a->token[i].s, *equals = strchr(word, '=');

		if (equals) {
			st = fill_slot(&p, word, equals + 1, &given, e);
		} else if (!strcmp(word, "default")) {
			policy_default(&p);
		} else {
			id = scheme_find(NULL, word, e);
			st = id < 0 ? STATUS_USAGE : STATUS_OK;
			if (!st)
				fill_all(&p, (u32)id);
		}
		if (st && !e->column)
			e->column = a->token[i].column;
	}
	if (st)
		return e->status = STATUS_USAGE;
	if (a->ntokens < 2) {
		show(s);
		return STATUS_OK;
	}
	st = policy_apply(s, &p, &says, e);
	if (!st && says)
		session_print(s, "policy: %s\n", says);
	return st;
}

const struct command command_policy = {
	.name = "policy", .group = "setup",
	.summary = "choose the schemes that decide; show the choice",
	.details = "NAME switches a whole scheme on: every slot that it has a part for. SLOT=NAME fills one slot: order (who\n"
		   "issues), fetch (who is fetched for), assign (which sub-core a warp lives in), extra (who issues\n"
		   "beside the chosen one, or none); hold and rank take several names with commas, or none. `policy default` is the baseline. `help schemes` lists them.",
	.examples = "policy lrr\npolicy order=two-level\npolicy",
	.flags = COMMAND_SETUP,
	.run = run,
	.arg = {{.name = "NAME | SLOT=NAME ...", .type = ARG_REST, .complete = complete_policy, .optional = 1, .doc = "schemes"}},
};
