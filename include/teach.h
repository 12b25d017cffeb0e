/*
 * teach.h - a lesson at work: its steps begin, questions are asked, answers judged, all of it checked and saved.
 */
#ifndef WARPSTEP_TEACH_H
#define WARPSTEP_TEACH_H

#include "command.h"
#include "lesson.h"

/* Note the stage as the lesson's; again is an error. */
enum status lesson_begin(struct session *s, struct error *e);
/* Put the machine at a step and ask its question, unless that has been answered. */
enum status lesson_go(struct session *s, u32 step, struct error *e);
/* Judge an answer (NULL: given up) to the question that waits, say it, and do what leads there. */
enum status lesson_judge(struct session *s, const char *given, u32 column, struct error *e);
/* The page as people read it; all questions as JSON. */
void lesson_say(struct session *s);
json_t *lesson_questions(const struct lesson *l);
/* All questions: is each answer to be had, is each page as long as its room? Problems are said. */
enum status lesson_check(struct session *s, u32 *problems, struct error *e);
/* A line that brings the answers back, for `save session`; and what it does. */
void lesson_save(const struct session *s, struct text *out);
enum status lesson_restore(struct session *s, const struct args *a, struct error *e);

#endif
