/* args.c - the words of a line as typed arguments, by the command's row. */
#include "events.h"
#include "expr.h"
#include "lang.h"
#include "paths.h"

#include <errno.h>

/* A usage error at a column, with the row's usage behind it. */
static enum status usage_error(const struct command *c, u32 column, struct error *e, const char *what,
			       const char *token)
{
	struct text usage = {0};

	command_usage(c, &usage);
	usage_at(e, column, "%s: %s '%s' (usage: %s)", c->name, what, token_shown(token), usage.s);
	text_free(&usage);
	return STATUS_USAGE;
}

/* A number: digits, or an expression that gives one. */
static enum status type_number(struct session *s, const struct token *t, struct arg *a, struct error *e)
{
	struct expr *x;
	struct value v;
	char *end;

	errno = 0;
	a->number = strtoull(t->s, &end, 0);
	if (end != t->s && !*end && t->s[0] != '-' && t->s[0] != '+') {
		if (errno == ERANGE)
			return error_set(e, STATUS_USAGE, "%s: too large (must be below 2^64)", token_shown(t->s));
		return STATUS_OK;
	}
	if (expr_check(s, t->s, t->column, NULL, &x, e))
		return error_set(e, STATUS_USAGE, "'%s' is not a number", token_shown(t->s));
	if (expr_eval(s, x, NULL, &v, e)) {
		expr_free(x);
		return STATUS_FAILED;
	}
	expr_free(x);
	if (v.kind == VALUE_REAL && (v.r < 0 || v.r >= 0x1p63))
		return error_set(e, STATUS_USAGE, "'%s' is out of range", token_shown(t->s));
	v.i = v.kind == VALUE_REAL ? (i64)v.r : v.i;
	if (v.i < 0)
		return error_set(e, STATUS_USAGE, "'%s' must not be negative", token_shown(t->s));
	a->number = (u64)v.i;
	return STATUS_OK;
}

/* A stage's name, or the beginning of one. */
static enum status type_stage(const struct token *t, struct arg *a, struct error *e)
{
	const char *names[STAGE_COUNT], *near;
	struct text all = {0};

	for (u32 i = 0; i < STAGE_COUNT; i++) {
		names[i] = stage_table[i].name;
		if (!strcmp(names[i], t->s)) {
			a->number = i;
			return STATUS_OK;
		}
	}
	near = nearest_name(t->s, names, STAGE_COUNT);
	if (near)
		return error_set(e, STATUS_USAGE, "unknown stage '%s' (did you mean '%s'?)", token_shown(t->s), near);
	for (u32 i = 0; i < STAGE_COUNT; i++)
		text_add(&all, "%s%s", i ? ", " : "", names[i]);
	error_set(e, STATUS_USAGE, "unknown stage '%s' (%s)", token_shown(t->s), all.s);
	text_free(&all);
	return STATUS_USAGE;
}

/* Type one token as `type` says. The column of an error is the token's. */
static enum status type_token(struct session *s, u8 type, const struct token *t, struct arg *a, struct error *e)
{
	const struct command *c;
	int n;

	*a = (struct arg){.present = true, .text = t->s, .column = t->column};
	switch (type) {
	case ARG_NUMBER: return type_number(s, t, a, e);
	case ARG_TIME: return session_time(s, t->s, &a->number, e);
	case ARG_PATH: a->text = path_resolve(s, t, false, e); return a->text ? STATUS_OK : STATUS_USAGE;
	case ARG_SETTING:
		n = setting_is_glob(t->s) ? setting_match(t->s, -1) : setting_find(t->s, e);
		if (n < 0 && setting_is_glob(t->s))
			error_set(e, STATUS_USAGE, "no setting matches '%s' (`set` lists all)", token_shown(t->s));
		a->number = (u64)n;
		return n < 0 ? STATUS_USAGE : STATUS_OK;
	case ARG_STAGE: return type_stage(t, a, e);
	case ARG_EVENT:
		n = strcmp(t->s, "hop") ? event_find(t->s, e) : EVENT_COUNT;
		a->number = (u64)n;
		return n < 0 ? STATUS_USAGE : STATUS_OK;
	case ARG_COMMAND_NAME:
		c = command_find(t->s, e);
		if (!c)
			return STATUS_USAGE;
		a->number = command_id(c);
		return STATUS_OK;
	default: return STATUS_OK;
	}
}

/* The flag that a token is, MAX_ARGS if none. */
static u32 flag_of(const struct command *c, const struct token *t)
{
	for (u32 i = 0; i < MAX_ARGS && c->arg[i].type != ARG_END; i++)
		if (c->arg[i].type == ARG_FLAG && !t->quoted && !strcmp(c->arg[i].name, t->s))
			return i;
	return MAX_ARGS;
}

/* The next argument that is no flag, from row place i on; MAX_ARGS if none. */
static u32 next_place(const struct command *c, u32 i)
{
	while (i < MAX_ARGS && c->arg[i].type == ARG_FLAG)
		i++;
	return i < MAX_ARGS && c->arg[i].type != ARG_END ? i : MAX_ARGS;
}

/* The place that a token is for: a number is for none that wants an event and may be left out. */
static u32 place_for(const struct command *c, u32 place, const struct token *t)
{
	bool passes = place < MAX_ARGS && c->arg[place].type == ARG_EVENT && c->arg[place].optional;

	return passes && t->s[0] >= '0' && t->s[0] <= '9' ? next_place(c, place + 1) : place;
}

/* Is the row's place i one that takes the rest of the line? */
static bool takes_rest(const struct command *c, u32 i)
{
	return i < MAX_ARGS && (c->arg[i].type == ARG_REST || c->arg[i].type == ARG_EXPR);
}

/* Take a flag at token *k, with its value. */
static enum status take_flag(struct session *s, const struct command *c, struct args *a, u32 flag, u32 *k,
			     struct error *e)
{
	const struct token *t = &a->token[*k];

	a->arg[flag] = (struct arg){.present = true, .column = t->column};
	if (!c->arg[flag].value_type)
		return STATUS_OK;
	if (++*k == a->ntokens)
		return usage_error(c, t->end, e, "missing value after", t->s);
	return type_token(s, c->arg[flag].value_type, &a->token[*k], &a->arg[flag], e);
}

/* Type the tokens of a line by the row. */
enum status args_type(struct session *s, const struct command *c, struct args *a, struct error *e)
{
	u32 place = next_place(c, 0), k = 1, flag;
	enum status st = STATUS_OK;

	for (; k < a->ntokens && !st && !takes_rest(c, place); k++) {
		const struct token *t = &a->token[k];

		e->column = 0;
		flag = flag_of(c, t);
		place = flag < MAX_ARGS ? place : place_for(c, place, t);
		if (flag < MAX_ARGS) {
			st = take_flag(s, c, a, flag, &k, e);
		} else if (place == MAX_ARGS) {
			return usage_error(c, t->column, e, "unexpected word", t->s);
		} else {
			st = type_token(s, c->arg[place].type, t, &a->arg[place], e);
			place = next_place(c, place + 1);
		}
		if (st && !e->column)
			e->column = a->token[min_u32(k, a->ntokens - 1)].column;
	}
	while (!st && k < a->ntokens && takes_rest(c, place) && (flag = flag_of(c, &a->token[k])) < MAX_ARGS) {
		st = take_flag(s, c, a, flag, &k, e);
		k++;
	}
	a->rest = k;
	if (!st && takes_rest(c, place) && k < a->ntokens) {
		a->arg[place] = (struct arg){
			.present = true, .text = a->line + a->token[k].column - 1, .column = a->token[k].column};
		place = MAX_ARGS;
	}
	if (!st && place < MAX_ARGS && !c->arg[place].optional)
		return usage_error(c, a->ntokens ? a->token[a->ntokens - 1].end + 1 : 1, e, "missing",
				   c->arg[place].name);
	return st;
}

/* Free what typing allocated: resolved paths. */
void args_free(const struct command *c, struct args *a)
{
	for (u32 i = 0; i < MAX_ARGS && c->arg[i].type != ARG_END; i++)
		if (a->arg[i].present && (c->arg[i].type == ARG_PATH || c->arg[i].value_type == ARG_PATH))
			free((char *)(uintptr_t)a->arg[i].text);
	lines_free(a->block, a->nblock);
}
