/*
 * lesson_page.c - what is shown of a lesson: the notes of a step with its question, or what was said to the answer; and
 * how text is wrapped.
 */
#include "lesson.h"

size_t wrapped_length(const char *text, u32 width)
{
	size_t n = 0, blank = 0;
	u32 columns = 0;

	while (text[n] && text[n] != '\n' && columns < max_u32(width, 1)) {
		if (text[n] == ' ')
			blank = n;
		n++;
		columns += ((u8)text[n] & 0xc0) != 0x80;
	}
	return !text[n] || text[n] == '\n' || text[n] == ' ' || !blank ? n : blank;
}

u32 wrapped_lines(const char *text, u32 width)
{
	u32 lines = 0;

	for (; *text; lines++) {
		text += wrapped_length(text, width);
		text += *text == ' ' || *text == '\n';
	}
	return lines;
}

/* The notes of a step: those of its part behind the question before it. */
static void add_notes(const struct lesson *l, const struct lesson_step *step, struct text *out)
{
	u32 to = step->ask == NONE32 ? l->n : step->ask, from = step->part + 1;

	for (u32 i = from; i < to && l->item[i].kind != LESSON_PART; i++)
		if (l->item[i].kind == LESSON_ASK)
			from = i + 1;
	for (u32 i = from; i < to && l->item[i].kind != LESSON_PART; i++)
		if (l->item[i].kind == LESSON_NOTE)
			text_add(out, "%s\n", l->item[i].text);
}

/* "Question 2: ...?", and what there is to choose from; of a lab that is closed not, as its verdict names the file. */
static void add_question(const struct lesson *l, u32 ask, struct text *out)
{
	char letter = 'a';

	text_add(out, "Question %u: %s", lesson_number(l, ask), l->item[ask].text);
	for (u32 i = ask + 1; i < lesson_ask_end(l, ask); i++)
		if (l->item[i].kind == LESSON_CHOICE ||
		    (l->item[i].kind == LESSON_VERSION && l->item[ask].answer.state <= ANSWER_OPEN))
			text_add(out, " %c) %s", letter++, l->item[i].text);
	text_add(out, "\n");
}

/* Hints that were asked for. */
static void add_hints(const struct lesson *l, u32 ask, struct text *out)
{
	u32 left = l->item[ask].answer.hints;

	for (u32 i = ask + 1; i < lesson_ask_end(l, ask) && left; i++)
		if (l->item[i].kind == LESSON_HINT && !l->item[i].expr && left--)
			text_add(out, "Hint: %s\n", l->item[i].text);
}

bool lesson_page(const struct session *s, struct text *out)
{
	const struct lesson *l = s->lesson;
	const struct lesson_answer *answer;
	struct lesson_step step;

	if (!l || l->shown == NONE32 || !lesson_step(l, l->shown, &step))
		return false;
	if (step.ask == NONE32) {
		add_notes(l, &step, out);
		return true;
	}
	answer = &l->item[step.ask].answer;
	if (answer->state <= ANSWER_OPEN)
		add_notes(l, &step, out);
	add_question(l, step.ask, out);
	if (answer->state <= ANSWER_OPEN)
		add_hints(l, step.ask, out);
	else
		text_add(out, "%s\n", answer->said ? answer->said : answer_state_name[answer->state]);
	return true;
}

/* The number of the part at item `part`, from 1, and how many there are. */
static u32 part_number(const struct lesson *l, u32 part, u32 *of)
{
	u32 number = 0;

	*of = 0;
	for (u32 i = 0; i < l->n; i++) {
		*of += l->item[i].kind == LESSON_PART;
		number += i <= part && l->item[i].kind == LESSON_PART;
	}
	return number;
}

void lesson_heading(const struct session *s, struct text *out)
{
	const struct lesson *l = s->lesson;
	struct lesson_score score = lesson_score(l);
	struct lesson_step step;
	u32 of, number;

	if (!lesson_step(l, l->shown, &step))
		return;
	number = part_number(l, step.part, &of);
	text_add(out, "%u of %u: %s  %u of %u right", number, of, safe_text(l->item[step.part].text), score.right,
		 score.closed);
}
