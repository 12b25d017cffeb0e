/*
 * lesson.c - the lines of a lesson in their order, the steps that they make, and the question that waits.
 */
#include "lesson.h"
#include "rights.h"

const char *const ask_kind_name[ASK_KINDS] = {"number", "choice", "warp", "cycle", "kernel"};
const char *const ask_kind_answer[ASK_KINDS] = {"NUMBER", "LETTER", "NUMBER", "NUMBER", "FILE"};
const char *const try_verdict_name[TRY_VERDICTS] = {"right", "short", "wrong"};
const char *const answer_state_name[ANSWER_STATES] = {"not asked", "open", "right", "wrong", "given up"};

/* Commands, by enum lesson_kind, as errors name them. */
static const char *const kind_name[] = {"part",	  "note",      "begin", "ask",	"after",  "then",
					"choice", "tolerance", "wrong", "hint", "reveal", "version"};

/* Has a part been opened? */
static bool has_part(const struct lesson *l)
{
	for (u32 i = 0; l && i < l->n; i++)
		if (l->item[i].kind == LESSON_PART)
			return true;
	return false;
}

/* The question that the last line is of; NULL: it is of none. */
static const struct lesson_item *last_question(const struct lesson *l)
{
	for (u32 i = l->n; i-- && l->item[i].kind >= LESSON_ASK;)
		if (l->item[i].kind == LESSON_ASK)
			return &l->item[i];
	return NULL;
}

/* Some lines are of labs alone, others of none. */
static enum status belongs_to_lab(const struct lesson_item *item, const struct lesson_item *ask, struct error *e)
{
	bool hint_if = item->kind == LESSON_HINT && item->expr;
	bool of_lab = hint_if || item->kind == LESSON_VERSION;
	bool of_none = item->kind == LESSON_AFTER || item->kind == LESSON_TOLERANCE || item->kind == LESSON_WRONG;

	if (of_lab && ask->ask != ASK_KERNEL)
		return error_set(e, STATUS_USAGE, "'%s' needs `ask kernel`, but the last question expects a %s",
				 hint_if ? "hint if" : "version", ask_kind_name[ask->ask]);
	if (of_none && ask->ask == ASK_KERNEL)
		return error_set(e, STATUS_USAGE,
				 "'%s' does not belong to `ask kernel`: a try runs to its end and is "
				 "judged by its results (`hint if EXPR TEXT` explains one)",
				 kind_name[item->kind]);
	return STATUS_OK;
}

/* Is there something that a line of this kind belongs to? */
static enum status belongs(const struct lesson *l, const struct lesson_item *item, struct error *e)
{
	const char *name = kind_name[item->kind];
	const struct lesson_item *ask;

	if (item->kind == LESSON_PART)
		return STATUS_OK;
	if (!has_part(l))
		return error_set(e, STATUS_USAGE, "'%s' belongs to a part of a lesson (`part \"TITLE\"` begins one)",
				 name);
	if (item->kind <= LESSON_ASK)
		return STATUS_OK;
	ask = last_question(l);
	if (!ask)
		return error_set(e, STATUS_USAGE, "'%s' belongs to a question: it must follow `ask` and its lines",
				 name);
	if (item->kind == LESSON_CHOICE && ask->ask != ASK_CHOICE)
		return error_set(e, STATUS_USAGE, "`choice` needs `ask choice`, but the last question expects a %s",
				 ask_kind_name[ask->ask]);
	return belongs_to_lab(item, ask, e);
}

/* Choices of the question that the last line is of. */
static u32 last_choices(const struct lesson *l)
{
	u32 n = 0;

	for (u32 i = l->n; i-- && l->item[i].kind > LESSON_ASK;)
		n += l->item[i].kind == LESSON_CHOICE || l->item[i].kind == LESSON_VERSION;
	return n;
}

/* Is there room for one more line? */
static enum status fits(const struct lesson *l, const struct lesson_item *item, struct error *e)
{
	if (l && l->n >= LESSON_LINES)
		return error_set(e, STATUS_USAGE, "a lesson has at most %u lines", LESSON_LINES);
	if (l && (item->kind == LESSON_CHOICE || item->kind == LESSON_VERSION) && last_choices(l) >= LESSON_CHOICES)
		return error_set(e, STATUS_USAGE, "a question has at most %u choices", LESSON_CHOICES);
	return STATUS_OK;
}

enum status lesson_braces(const char *line, const struct token *t, struct error *e)
{
	u32 open = t->end;

	for (u32 at = t->column - 1; at < t->end; at++) {
		if (line[at] == '}' && open + 1 == at)
			return usage_at(e, at + 1, "no expression between '{' and '}' (example: {kernel.0.cycles})");
		if (line[at] == '{' && open < t->end)
			break;
		if (line[at] == '{' || line[at] == '}')
			open = line[at] == '{' ? at : t->end;
	}
	if (open == t->end)
		return STATUS_OK;
	return usage_at(e, open + 1, "'{' without its '}' (an expression goes between them, as in {kernel.0.cycles})");
}

enum status lesson_add(struct session *s, struct lesson_item item, struct error *e)
{
	struct lesson *l = s->lesson;

	if (belongs(l, &item, e) || fits(l, &item, e))
		return STATUS_USAGE;
	if (l && l->begun)
		return error_set(e, STATUS_FAILED, "the lesson has already begun ('%s' belongs in its scenario)",
				 kind_name[item.kind]);
	if (!l) {
		l = s->lesson = xcalloc(1, sizeof(*l));
		l->step = l->shown = NONE32;
	}
	l->item = xrealloc(l->item, (l->n + 1) * sizeof(*l->item));
	item.text = xstrdup(item.text);
	item.expr = item.expr ? xstrdup(item.expr) : NULL;
	item.path = item.path ? xstrdup(item.path) : NULL;
	item.from = rights_keep(s, rights_now(s));
	l->item[l->n++] = item;
	return STATUS_OK;
}

bool lesson_takes_notes(const struct session *s)
{
	return s->lesson && s->lesson->n && !s->lesson->begun;
}

u32 lesson_count(const struct session *s)
{
	return s->lesson ? s->lesson->n : 0;
}

void lesson_truncate(struct session *s, u32 n)
{
	struct lesson *l = s->lesson;

	while (l && l->n > n) {
		struct lesson_item *item = &l->item[--l->n];

		free(item->text);
		free(item->expr);
		free(item->path);
		free(item->answer.given);
		free(item->answer.value);
		free(item->answer.said);
	}
}

void lesson_free(struct session *s)
{
	lesson_truncate(s, 0);
	if (s->lesson)
		free(s->lesson->item);
	free(s->lesson);
	s->lesson = NULL;
}

/* Does the part at item i ask anything? */
static bool asks(const struct lesson *l, u32 i)
{
	for (i++; i < l->n && l->item[i].kind != LESSON_PART; i++)
		if (l->item[i].kind == LESSON_ASK)
			return true;
	return false;
}

bool lesson_step(const struct lesson *l, u32 i, struct lesson_step *out)
{
	u32 part = NONE32, at = 0;

	for (u32 k = 0; k < l->n; k++) {
		u8 kind = l->item[k].kind;

		part = kind == LESSON_PART ? k : part;
		if (kind != LESSON_ASK && (kind != LESSON_PART || asks(l, k)))
			continue;
		if (at++ == i) {
			*out = (struct lesson_step){part, kind == LESSON_ASK ? k : NONE32};
			return true;
		}
	}
	return false;
}

u32 lesson_steps(const struct lesson *l)
{
	struct lesson_step step;
	u32 n = 0;

	while (l && lesson_step(l, n, &step))
		n++;
	return n;
}

u32 lesson_ask_end(const struct lesson *l, u32 ask)
{
	u32 i = ask + 1;

	while (i < l->n && l->item[i].kind > LESSON_ASK)
		i++;
	return i;
}

u32 lesson_number(const struct lesson *l, u32 ask)
{
	u32 n = 0;

	for (u32 i = 0; i <= ask && i < l->n; i++)
		n += l->item[i].kind == LESSON_ASK;
	return n;
}

struct lesson_score lesson_score(const struct lesson *l)
{
	struct lesson_score score = {0};

	for (u32 i = 0; l && i < l->n; i++) {
		u8 state = l->item[i].answer.state;

		score.questions += l->item[i].kind == LESSON_ASK;
		score.closed += state > ANSWER_OPEN;
		score.right += state == ANSWER_RIGHT;
	}
	return score;
}

const struct lesson_item *lesson_open(const struct session *s)
{
	const struct lesson *l = s->lesson;

	for (u32 i = 0; l && i < l->n; i++)
		if (l->item[i].answer.state == ANSWER_OPEN)
			return &l->item[i];
	return NULL;
}

enum status lesson_none_open(const struct session *s, struct error *e)
{
	const struct lesson *l = s->lesson;

	if (!l || !l->n)
		return error_set(e, STATUS_FAILED, LESSON_NONE);
	return error_set(e, STATUS_FAILED, "no question is open (`lesson %s)",
			 lesson_goes_on(l) || l->step == NONE32 ? "next` asks the next one"
								: "report` shows the score");
}

bool lesson_goes_on(const struct lesson *l)
{
	return l && l->step != NONE32 && l->shown + 1 < lesson_steps(l);
}

enum status lesson_waits(const struct session *s, struct error *e)
{
	const struct lesson_item *open = lesson_open(s);

	if (!open)
		return STATUS_OK;
	return error_set(e, STATUS_FAILED,
			 "not available until the question is answered: '%.300s' (`answer %s`, `hint` or `give up`)",
			 safe_text(open->text), ask_kind_answer[open->ask]);
}

bool lesson_hides(const struct session *s)
{
	const struct lesson_item *open = lesson_open(s);

	return open && open->ask != ASK_KERNEL;
}

enum status lesson_holds(const struct session *s, struct error *e)
{
	return lesson_hides(s) ? lesson_waits(s, e) : STATUS_OK;
}

char *lesson_lab_source(const struct lesson_item *ask)
{
	size_t n = strlen(ask->path) - (ends_with(ask->path, ".ptx") ? 4 : 0);

	return xasprintf("%.*s.cu", (int)n, ask->path);
}
