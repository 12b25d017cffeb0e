/* complete.c - completion of the word under the cursor: verbs, then what the row says the argument is. */
#include "repl.h"

#include "policy.h"

#include <stdlib.h>
#include <string.h>

#include <readline/readline.h>

static struct session *session;

void complete_session(struct session *s)
{
	session = s;
}

/* The index-th word of a kind of argument, NULL at the end. */
static const char *nth_word(u8 type, u32 index)
{
	switch (type) {
	case ARG_SETTING:
		return index < SETTING_COUNT ? setting_table[index].name : NULL;
	case ARG_STAGE:
		return index < STAGE_COUNT ? stage_table[index].name : NULL;
	case ARG_EVENT:
		return index < EVENT_COUNT ? event_table[index].name : NULL;
	case ARG_COMMAND_NAME:
		return index < COMMAND_COUNT ? command_table[index]->name : NULL;
	default:
		return NULL;
	}
}

/* What is completed now; setting: its value, -1 none. */
static struct { const struct arg_spec *spec; u8 type; int setting; } now;

/* readline's generator: the next match of word. */
static char *next_match(const char *word, int state)
{
	static u32 at;
	const char *name;

	at = state ? at : 0;
	for (;;) {
		if (now.setting >= 0)
			name = setting_word((enum setting_id)now.setting, at);
		else
			name = now.spec && now.spec->complete ? now.spec->complete(session, word, at) : nth_word(now.type, at);
		at++;
		if (!name)
			return NULL;
		if (!strncmp(name, word, strlen(word)))
			return strdup(name);
	}
}

/* The row's argument that stands at a position of the line; NULL if it is the verb. */
static const struct arg_spec *spec_at(const char *line, int start, bool *verb)
{
	struct words w;
	struct error e;
	const struct command *c = NULL;
	u32 place = 0, k = 0;

	*verb = true;
	now.setting = -1;
	if (!words_parse(&w, line, (size_t)start, &e) && w.n) {
		*verb = false;
		c = command_find(w.token[0].s, &e);
		k = w.n - 1;
		if (c && c->arg[0].type == ARG_SETTING && k == 1)
			now.setting = setting_find(w.token[1].s, &e);
	}
	words_free(&w);
	for (; c && place < MAX_ARGS && c->arg[place].type != ARG_END; place++) {
		if (c->arg[place].type == ARG_FLAG)
			continue;
		if (!k || c->arg[place].type == ARG_REST)
			return &c->arg[place];
		k--;
	}
	return NULL;
}

const char *complete_doc(const char *word)
{
	const char *name;

	for (u32 i = 0; now.type != ARG_END && (name = nth_word(now.type, i)); i++) {
		if (strcmp(name, word))
			continue;
		switch (now.type) {
		case ARG_SETTING: return setting_table[i].doc;
		case ARG_STAGE: return stage_table[i].doc;
		case ARG_EVENT: return event_table[i].doc;
		case ARG_COMMAND_NAME: return command_table[i]->summary;
		default: return NULL;
		}
	}
	return NULL;
}

char **complete_line(const char *word, int start, int end)
{
	bool verb;

	(void)end;
	now.spec = spec_at(rl_line_buffer, start, &verb);
	now.type = verb ? ARG_COMMAND_NAME : now.spec ? now.spec->type : ARG_END;
	if (now.type == ARG_PATH)
		return NULL;
	if (!verb && now.setting < 0 && (!now.spec || (!now.spec->complete && !nth_word(now.type, 0))))
		return NULL;
	rl_attempted_completion_over = 1;
	return rl_completion_matches(word, next_match);
}
