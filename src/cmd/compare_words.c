/*
 * compare_words.c - the words of `compare` (compare_words.h).
 *
 * A change is SETTING=VALUE, SLOT=SCHEME, a scheme or shorthand, or kernel.N.WORD=VALUE. Values with commas between
 * them are alternatives, but where a comma belongs to the value: slots that take several schemes, grids, blocks.
 */
#include "compare_words.h"
#include "arguments.h"

#include "launch_args.h"
#include "other.h"
#include "schemes.h"
#include "runs.h"
#include "settings.h"

/* What a word of a change is about. */
enum about { ABOUT_SETTING, ABOUT_POLICY, ABOUT_LAUNCH, ABOUT_OTHER, ABOUT_NOTHING };

/* What gives B another stage: its word, or how a path ends that needs none. `run 3` is read as run=3. */
static const struct other_word {
	const char *word, *end;
	size_t at; /* of the text in struct other_wish */
} other_words[] = {{"module", ".ptx", offsetof(struct other_wish, module)},
		   {"scenario", ".scn", offsetof(struct other_wish, scenario)},
		   {"gpu", NULL, offsetof(struct other_wish, gpu)},
		   {"run", NULL, offsetof(struct other_wish, run)}};

/* The row of a word of a change; *value: the path or name in it. NULL: it is about something else. */
static const struct other_word *other_word(const char *word, const char **value)
{
	size_t length = strcspn(word, "=");

	for (u32 i = 0; i < ARRAY_LEN(other_words); i++) {
		const struct other_word *x = &other_words[i];

		*value = word[length] ? word + length + 1 : word;
		if (word[length] ? length == strlen(x->word) && !strncmp(word, x->word, length)
				 : x->end && ends_with(word, x->end))
			return x;
	}
	return NULL;
}

/* The part before the equals sign; xmalloc'ed. */
static char *name_of(const char *word)
{
	return xstrndup(word, strcspn(word, "="));
}

/* The first alternative of a list of schemes. */
static bool scheme_named(const char *list)
{
	char *name = xstrndup(list, strcspn(list, ","));
	struct error none;
	bool is = !strcmp(name, "default") || shorthand_find(name) || scheme_find(POLICY_SLOTS, name, &none) >= 0;

	free(name);
	return is;
}

/* What a word is about, an error where that cannot be seen. */
static enum about about(const struct token *t, struct error *e)
{
	char *name = name_of(t->s);
	size_t length = strlen(name);
	enum about what = ABOUT_NOTHING;
	const char *value;

	if (other_word(t->s, &value))
		what = ABOUT_OTHER;
	else if (!t->s[length])
		what = scheme_named(t->s) ? ABOUT_POLICY : ABOUT_NOTHING;
	else if (!strncmp(name, "kernel.", 7))
		what = ABOUT_LAUNCH;
	else if (length && policy_slots_named(name, length))
		what = ABOUT_POLICY;
	else if (setting_find(name, e) >= 0)
		what = ABOUT_SETTING;
	else
		e->status = STATUS_USAGE;
	if (what == ABOUT_NOTHING && !t->s[length])
		error_set(
			e, STATUS_USAGE,
			"'%s' is not a policy (expected SETTING=VALUE, HOOK=POLICY, a policy, kernel.N.WORD=VALUE, FILE.ptx, FILE.scn, gpu=PRESET or run N)",
			token_shown(t->s));
	if (what == ABOUT_NOTHING)
		e->column = t->column;
	free(name);
	return what;
}

/* Do commas in a word part alternatives? */
static bool parts(const struct token *t, enum about what)
{
	size_t length = strcspn(t->s, "=");
	u64 slots = policy_slots_named(t->s, length);

	if (what == ABOUT_OTHER)
		return t->s[length] != 0;
	if (what == ABOUT_SETTING || (what == ABOUT_POLICY && !t->s[length]))
		return true;
	if (what == ABOUT_LAUNCH)
		return !strstr(t->s, ".grid=") && !strstr(t->s, ".block=");
	return !slot_table[__builtin_ctzll(slots)].set;
}

/* Alternative k of a word: "order=lrr" of "order=gto,lrr". xmalloc'ed; NULL: there is none. */
static char *alternative(const char *word, u32 k)
{
	size_t head = word[strcspn(word, "=")] ? strcspn(word, "=") + 1 : 0;
	const char *at = word + head;

	for (; k; k--) {
		at += strcspn(at, ",");
		if (!*at++)
			return NULL;
	}
	return xasprintf("%.*s%.*s", (int)head, word, (int)strcspn(at, ","), at);
}

/* How many alternatives a word gives. */
static u32 alternatives(const struct token *t, enum about what)
{
	u32 n = 1;

	for (const char *c = t->s; parts(t, what) && *c; c++)
		n += *c == ',';
	return n;
}

void compare_wish_free(struct compare_wish *w)
{
	for (u32 i = 0; i < w->n; i++) {
		for (u32 k = 0; k < w->nword; k++)
			free((char *)(uintptr_t)w->word[i][k].s);
		free(w->word[i]);
	}
	w->n = 0;
}

/* A word behind those of every alternative, each of its own alternatives with each. */
static enum status spread(struct compare_wish *w, const struct token *t, enum about what, struct error *e)
{
	u32 n = alternatives(t, what), before = w->n;

	if (n * before > COMPARE_MOST)
		return usage_at(e, t->column, "more than %u machines", COMPARE_MOST);
	for (u32 i = before * n; i-- > 0;) {
		u32 from = i / n;
		struct token *words = xcalloc(w->nword + 1, sizeof(*words));

		for (u32 k = 0; k < w->nword; k++) {
			words[k] = w->word[from][k];
			words[k].s = xstrdup(words[k].s);
		}
		words[w->nword] = *t;
		words[w->nword].s = n > 1 ? alternative(t->s, i % n) : xstrdup(t->s);
		if (i % n == 0) { /* the last that is made of it */
			for (u32 k = 0; k < w->nword; k++)
				free((char *)(uintptr_t)w->word[from][k].s);
			free(w->word[from]);
		}
		w->word[i] = words;
	}
	w->n = before * n;
	w->nword++;
	return STATUS_OK;
}

/* --- where to --- */

/* A number of cycles behind a verb. */
static enum status read_cycles(struct session *s, const struct token *t, u64 *out, struct error *e)
{
	struct value v;
	enum status st = expr_value(s, t->s, &v, e);

	if (!st && (v.kind == VALUE_REAL || v.i < 0))
		st = error_set(e, STATUS_USAGE, "'%s' is not a number of cycles", token_shown(t->s));
	e->column = st ? t->column : e->column;
	*out = st ? 0 : (u64)v.i;
	return st;
}

/* The words behind `--`: step [N], run, until EXPR. */
static enum status read_move(struct session *s, const struct args *a, u32 at, struct compare_goal *g, struct error *e)
{
	const struct token *t = &a->token[at];
	const struct command *c = at < a->ntokens ? command_find(t->s, e) : NULL;
	u32 more = a->ntokens - at - 1;

	if (at >= a->ntokens)
		return usage_at(e, a->token[at - 1].column, "missing move after `--` (step N, run or until EXPR)");
	if (c == command_table[COMMAND_ID_run] && !more)
		return STATUS_OK;
	if (c == command_table[COMMAND_ID_step] && more < 2) {
		g->cycles = 1;
		return more ? read_cycles(s, t + 1, &g->cycles, e) : STATUS_OK;
	}
	if (c == command_table[COMMAND_ID_until] && more) {
		g->until = a->line + t[1].column - 1;
		g->column = t[1].column;
		return STATUS_OK;
	}
	return usage_at(e, t->column, "'%s' cannot move both machines (step N, run or until EXPR)", token_shown(t->s));
}

/* --- all words --- */

/* A word that belongs to no change: *used: how many are taken, 0 if it does. */
static enum status read_other(struct session *s, const struct args *a, u32 i, struct compare_wish *w, u32 *used,
			      struct error *e)
{
	const struct token *t = &a->token[i];
	bool next = i + 1 < a->ntokens;

	*used = 0;
	if (!strcmp(t->s, "--")) {
		*used = a->ntokens - i;
		return read_move(s, a, i + 1, &w->goal, e);
	}
	if (!strcmp(t->s, "policy") || !strcmp(t->s, "set"))
		*used = 1;
	if (!strcmp(t->s, "from") && (!next || (strcmp(a->token[i + 1].s, "start") && strcmp(a->token[i + 1].s, "0"))))
		return usage_at(e, t->column, "`from` takes only `start`");
	if (!strcmp(t->s, "from")) {
		w->anew = true;
		*used = 2;
	}
	if (!strcmp(t->s, "stats")) {
		w->stats = next && strcmp(a->token[i + 1].s, "--") ? a->token[i + 1].s : "*";
		*used = next && strcmp(a->token[i + 1].s, "--") ? 2 : 1;
	}
	return STATUS_OK;
}

/* A change: a word, or two that name a run. */
static enum status read_change(const struct args *a, u32 i, struct compare_wish *w, u32 *used, struct error *e)
{
	struct token t = a->token[i];
	bool run = !strcmp(t.s, "run");
	char *both = run && i + 1 < a->ntokens ? xasprintf("run=%s", a->token[i + 1].s) : NULL;
	enum status st;
	enum about what;

	*used = both ? 2 : 1;
	if (run && !both)
		return usage_at(e, t.column, "run: missing number (`history runs` lists them)");
	if (both)
		t.s = both;
	what = about(&t, e);
	st = what == ABOUT_NOTHING ? STATUS_USAGE : spread(w, &t, what, e);
	free(both);
	return st;
}

enum status compare_wish_read(struct session *s, const struct args *a, struct compare_wish *w, struct error *e)
{
	enum status st = STATUS_OK;

	*w = (struct compare_wish){.n = 1, .goal = {.cycles = NEVER}};
	for (u32 i = 1, used; i < a->ntokens && !st; i += used) {
		st = read_other(s, a, i, w, &used, e);
		if (st || used)
			continue;
		st = read_change(a, i, w, &used, e);
	}
	if (!st && !w->nword)
		st = usage_at(
			e, a->token[a->ntokens - 1].column,
			"missing change (SETTING=VALUE, HOOK=POLICY, a policy, kernel.N.WORD=VALUE, FILE.ptx, FILE.scn, gpu=PRESET or run N)");
	if (st)
		compare_wish_free(w);
	return st;
}

/* --- a change --- */

/* A setting of B. */
static enum status put_setting(void *self, enum setting_id id, u32 value, struct error *e)
{
	struct compare_change *x = self;

	if (x->nsettings == COMPARE_SETTINGS)
		return error_set(e, STATUS_USAGE, "more than %u settings differ", COMPARE_SETTINGS);
	x->setting[x->nsettings].id = id;
	x->setting[x->nsettings++].value = value;
	x->anew |= (setting_table[id].flags & FLAG_LAYOUT) != 0;
	return STATUS_OK;
}

/* SETTING=VALUE */
static enum status add_setting(struct compare_change *x, const char *name, const char *text, struct error *e)
{
	int id = setting_find(name, e);
	u32 value;

	if (id < 0 || setting_parse((enum setting_id)id, text, &value, e))
		return e->status = STATUS_USAGE;
	return put_setting(x, (enum setting_id)id, value, e);
}

/* kernel.N.WORD=VALUE */
static enum status add_launch(struct session *s, struct compare_change *x, const struct token *t, struct error *e)
{
	const char *equals = strchr(t->s, '='), *dot = equals;
	struct token part[2] = {*t, *t};
	struct launch before;
	enum status st;
	char *word;
	u32 i;

	while (dot > t->s + 7 && *dot != '.')
		dot--;
	if (dot <= t->s + 7)
		return usage_at(e, t->column, "expected kernel.N.WORD=VALUE, not '%s'", token_shown(t->s));
	word = xstrndup(t->s + 7, (size_t)(dot - t->s - 7));
	st = launch_take(s, word, t->column, &i, e);
	free(word);
	if (st)
		return st;
	if (!x->launch) {
		x->nlaunch = s->program.nlaunch;
		x->launch = xcalloc(x->nlaunch, sizeof(*x->launch));
		x->own = xcalloc(x->nlaunch, sizeof(*x->own));
		memcpy(x->launch, s->program.launch, x->nlaunch * sizeof(*x->launch));
	}
	before = x->launch[i];
	word = xstrndup(dot + 1, (size_t)(equals - dot - 1));
	part[0].s = word;
	part[1].s = equals + 1;
	st = launch_change(s, part, &x->launch[i], e);
	free(word);
	for (u32 d = 0; !st && x->own[i] && d < 3; d++)
		free(before.tid[d]);
	if (!st && x->own[i])
		free(before.warp_mask);
	x->own[i] |= !st;
	x->anew = true;
	return st;
}

/* What B is made of: the session, or another. */
static struct session *made_of(struct session *s, const struct compare_change *x)
{
	return x->other ? x->other : s;
}

/* The words of a change that give B another stage, before all others. */
static enum status take_other(struct session *s, const struct token *word, u32 n, struct compare_change *x,
			      struct error *e)
{
	struct other_wish wish = {0};
	u32 column = 0;
	enum status st;

	for (u32 i = 0; i < n; i++) {
		const char *value, **to;
		const struct other_word *y = other_word(word[i].s, &value);

		if (!y)
			continue;
		to = (const char **)(void *)((char *)&wish + y->at);
		if (column && (wish.run || y->at == offsetof(struct other_wish, run)))
			return usage_at(e, word[i].column,
					"run N is all of the other machine but settings and policies");
		if (*to || (column && (wish.scenario || y->at == offsetof(struct other_wish, scenario))))
			return usage_at(e, word[i].column,
					"the other machine has one scenario, or one file of kernels and one GPU");
		*to = value;
		column = column ? column : word[i].column;
	}
	if (!column)
		return STATUS_OK;
	x->anew = true;
	st = other_make(s, &wish, &x->other, e);
	if (st && !e->line)
		e->column = column;
	return st;
}

/* Everything but the choice of schemes, which is collected in policy[]. */
static enum status take_words(struct session *s, const struct token *word, u32 n, struct compare_change *x,
			      struct token *policy, u32 *npolicy, struct error *e)
{
	enum status st = STATUS_OK;

	for (u32 i = 0; i < n && !st; i++) {
		const struct shorthand *y = shorthand_find(word[i].s);
		enum about what = about(&word[i], e);
		char *name = name_of(word[i].s);

		if (what == ABOUT_POLICY)
			policy[(*npolicy)++] = word[i];
		if (what == ABOUT_POLICY && y)
			st = shorthand_settings(y, put_setting, x, e);
		else if (what == ABOUT_SETTING)
			st = add_setting(x, name, word[i].s + strlen(name) + 1, e);
		else if (what == ABOUT_LAUNCH)
			st = add_launch(s, x, &word[i], e);
		if (st && !e->column)
			e->column = word[i].column;
		free(name);
	}
	return st;
}

/* The settings that B's policies bring, unless the change names them. */
static enum status add_brought(const struct session *s, struct compare_change *x, const struct token *policy, u32 n,
			       struct error *e)
{
	struct config now = s->config;

	for (u32 i = 0; i < x->nsettings; i++)
		config_set(&now, x->setting[i].id, x->setting[i].value);
	return policy_brings(policy, n, &now, put_setting, x, e);
}

/* A word of a change as people read it: "run 1 (tile.ptx v1)". */
static void add_word(const struct session *s, const char *word, struct text *out)
{
	const struct run *x = NULL;
	const char *value;
	struct error none;

	if (other_word(word, &value) && !strncmp(word, "run=", 4))
		x = runs_find(s, value, &none);
	text_add(out, "%s", out->len ? " " : "");
	if (x)
		runs_text(s, x, out);
	else
		text_add(out, "%s", word);
}

enum status compare_wish_change(struct session *s, const struct compare_wish *w, u32 i, struct compare_change *out,
				struct error *e)
{
	struct token *policy = xcalloc(w->nword + 1, sizeof(*policy));
	struct text text = {0};
	struct session *of;
	u32 npolicy = 0;
	enum status st;

	e->column = 0;
	*out = (struct compare_change){.anew = w->anew || !s->moved};
	st = take_other(s, w->word[i], w->nword, out, e);
	of = made_of(s, out);
	st = st ? st : take_words(of, w->word[i], w->nword, out, policy, &npolicy, e);
	st = st ? st : add_brought(of, out, policy, npolicy, e);
	if (out->anew)
		out->policy = of->policy;
	else
		policy_now(s, &out->policy);
	out->policies = npolicy > 0;
	if (!st && npolicy && policy_words(of, policy, npolicy, &out->policy, e))
		st = e->status = STATUS_USAGE;
	for (u32 k = 0; k < w->nword; k++)
		add_word(s, w->word[i][k].s, &text);
	out->text = text.s;
	free(policy);
	if (st)
		compare_change_free(out);
	return st;
}
