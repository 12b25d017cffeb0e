/* complete.c - completion of the word under the cursor: verbs, then what the row says the argument is. */
#include "complete.h"
#include "events.h"
#include "expr.h"
#include "lang.h"

#include "schemes.h"

#include <readline/readline.h>

static struct session *session;

void complete_session(struct session *s)
{
	session = s;
}

/* The index-th verb: the program's, the user's, abbreviations of the user's. */
static const char *nth_verb(u32 index)
{
	const struct lang *l = session ? session->lang : NULL;

	if (index < COMMAND_COUNT)
		return command_table[index]->name;
	index -= COMMAND_COUNT;
	if (l && index < l->ndefinition)
		return l->definition[index].name;
	index -= l ? l->ndefinition : 0;
	return l && index < l->nalias ? l->aliases[index].name : NULL;
}

/* The index-th word of a kind of argument, NULL at the end. */
static const char *nth_word(u8 type, u32 index)
{
	switch (type) {
	case ARG_SETTING: return index < SETTING_COUNT ? setting_table[index].name : NULL;
	case ARG_STAGE: return index < STAGE_COUNT ? stage_table[index].name : NULL;
	case ARG_EVENT: return index < EVENT_COUNT ? event_table[index].name : index == EVENT_COUNT ? "hop" : NULL;
	case ARG_COMMAND_NAME: return nth_verb(index);
	default: return NULL;
	}
}

/* What is completed now, and the words before it. */
static struct {
	const struct arg_spec *spec;
	u8 type;
	struct words before;
} now;

const char *complete_before(u32 back)
{
	return back && back <= now.before.n ? now.before.token[now.before.n - back].s : NULL;
}

const char *complete_file(struct session *s UNUSED, const char *partial UNUSED, u32 index UNUSED)
{
	return NULL;
}

/* readline's generator: the next match of word. */
static char *next_match(const char *word, int state)
{
	static u32 at;
	const char *name;

	at = state ? at : 0;
	for (;;) {
		name = now.spec && now.spec->complete ? now.spec->complete(session, word, at) : nth_word(now.type, at);
		at++;
		if (!name)
			return NULL;
		if (!strncmp(name, word, strlen(word)))
			return strdup(name);
	}
}

/* The flag of a row that a word is, NULL if it is none. */
static const struct arg_spec *flag_of(const struct command *c, const char *word)
{
	for (u32 i = 0; i < MAX_ARGS && c->arg[i].type != ARG_END; i++)
		if (c->arg[i].type == ARG_FLAG && !strcmp(c->arg[i].name, word))
			return &c->arg[i];
	return NULL;
}

/* Whether the last word before is a flag that wants a value; *places: how many words before are no flags, nor their
 * values. */
static const struct arg_spec *flags_skip(const struct command *c, u32 *places)
{
	const struct arg_spec *flag = NULL;

	*places = 0;
	for (u32 i = 1; i < now.before.n; i++) {
		bool value = flag && flag->value_type;

		flag = value ? NULL : flag_of(c, now.before.token[i].s);
		*places += !value && !flag;
	}
	return flag && flag->value_type ? flag : NULL;
}

/* The row's argument that stands behind the words before, and its type. */
static void find_argument(const struct command *c)
{
	u32 k, place = 0;
	const struct arg_spec *flag = flags_skip(c, &k);

	if (flag) {
		now.type = flag->value_type;
		return;
	}
	for (; place < MAX_ARGS && c->arg[place].type != ARG_END; place++) {
		const struct arg_spec *a = &c->arg[place];

		if (a->type == ARG_FLAG)
			continue;
		if (!k-- || a->type == ARG_REST || a->type == ARG_EXPR) {
			now.spec = a;
			now.type = a->type;
			return;
		}
	}
}

/* Take the line up to the word being completed apart. */
static void complete_look(const char *line, int start)
{
	struct error e;
	const struct command *c;

	words_free(&now.before);
	complete_forget();
	now.spec = NULL;
	now.type = ARG_END;
	if (words_parse(&now.before, line, (size_t)start, &e)) {
		words_free(&now.before);
		now.before = (struct words){0};
		return;
	}
	if (!now.before.n) {
		now.type = ARG_COMMAND_NAME;
		return;
	}
	c = session ? alias_command(session->lang, now.before.token[0].s, &e) : command_find(now.before.token[0].s, &e);
	if (c)
		find_argument(c);
}

const char *complete_doc(const char *word)
{
	const char *name;

	if (now.spec && now.spec->complete)
		return complete_word_doc(word);
	for (u32 i = 0; now.type != ARG_END && (name = nth_word(now.type, i)); i++) {
		if (strcmp(name, word))
			continue;
		switch (now.type) {
		case ARG_SETTING: return setting_table[i].doc;
		case ARG_STAGE: return stage_table[i].doc;
		case ARG_EVENT:
			return i < EVENT_COUNT ? event_table[i].doc : "the instruction that is followed goes on";
		case ARG_COMMAND_NAME: return i < COMMAND_COUNT ? command_table[i]->summary : "defined here";
		default: return NULL;
		}
	}
	return NULL;
}

/* Whether the name of a file is wanted. */
static bool wants_file(void)
{
	const char *last = complete_before(1);

	if (now.spec && now.spec->complete == complete_file)
		return true;
	if (now.spec && now.spec->complete == complete_cubin)
		return now.before.n > 2;
	return now.type == ARG_PATH || (now.type == ARG_REST && last && !strcmp(last, "file") && now.before.n > 1);
}

char **complete_line(const char *word, int start, int end UNUSED)
{
	char **match;

	complete_look(rl_line_buffer, start);
	if (wants_file())
		return NULL;
	rl_attempted_completion_over = 1;
	match = rl_completion_matches(word, next_match);
	if (match && match[0][0] && strchr("=[./", match[0][strlen(match[0]) - 1]))
		rl_completion_suppress_append = 1;
	return match;
}
