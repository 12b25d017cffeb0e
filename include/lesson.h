/*
 * lesson.h - a lesson: parts with notes and questions, each question asked before its answer can be seen.
 *
 * The lines of a lesson are kept in their order (lesson_item). A step is a question, or a part that asks none: it
 * begins with the machine as the scenario made it and the `begin` lines of its part. What a student has answered stays
 * whatever becomes of the machine. No answer is written anywhere: it is the value of an expression in a machine of its
 * own that has done what stands behind `after`.
 *
 * A lab is a question that is answered with a kernel (`ask kernel`): each try runs on a machine of its own, is judged
 * by the scenario's checks and the lab's aim, and leaves the question open until one is right. It hides nothing.
 */
#ifndef WARPSTEP_LESSON_H
#define WARPSTEP_LESSON_H

#include "session.h"
#include "token.h"

enum lesson_kind {
	LESSON_PART,
	LESSON_NOTE,
	LESSON_BEGIN,
	LESSON_ASK,
	/* what follows belongs to the question before it */
	LESSON_AFTER,
	LESSON_THEN,
	LESSON_CHOICE,
	LESSON_TOLERANCE,
	LESSON_WRONG,
	LESSON_HINT,
	LESSON_REVEAL,
	LESSON_VERSION
};
enum ask_kind { ASK_NUMBER, ASK_CHOICE, ASK_WARP, ASK_CYCLE, ASK_KERNEL, ASK_KINDS };
enum answer_state { ANSWER_NONE, ANSWER_OPEN, ANSWER_RIGHT, ANSWER_WRONG, ANSWER_GIVEN_UP, ANSWER_STATES };
/* What a try of a lab comes to: results and aim, results without the aim, neither. */
enum try_verdict { TRY_RIGHT, TRY_SHORT, TRY_WRONG, TRY_VERDICTS };
extern const char *const ask_kind_name[ASK_KINDS];
extern const char *const ask_kind_answer[ASK_KINDS]; /* what stands for an answer in a usage */
extern const char *const try_verdict_name[TRY_VERDICTS];
extern const char *const answer_state_name[ANSWER_STATES];

/* What became of a question. */
struct lesson_answer {
	u8 state;    /* enum answer_state */
	u32 hints;   /* that were asked for */
	u32 tries;   /* of a lab */
	char *given; /* as it was typed; NULL: nothing */
	char *value; /* what it is; NULL: not computed yet */
	char *said;  /* verdict, explanation, reveal: lines; NULL: not known yet */
};
/* A line of a lesson. */
struct lesson_item {
	u8 kind, ask; /* enum lesson_kind; enum ask_kind */
	char *text;   /* title, sentence, command, question, number */
	char *expr;   /* of a question, a choice, of `wrong if`, `hint if`; NULL: none */
	char *path;   /* of a lab: the module that is given; of a version: its file; NULL: none */
	u8 verdict;   /* of a version: what its author says, enum try_verdict */
	struct lesson_answer answer;
	const struct line_origin *from; /* of a command (rights.h) */
};
/* A question and its part, as indices of items; ask NONE32: the part asks nothing. */
struct lesson_step {
	u32 part, ask;
};
#define LESSON_LINES 10000u /* of one lesson */
#define LESSON_CHOICES 26u  /* of one question, versions of a lab, too: a to z */
struct lesson {
	struct lesson_item *item;
	u32 n;
	bool begun;
	bool apart;	      /* of a machine in which a question is judged: none is judged there */
	u32 step;	      /* the one that runs, NONE32 none yet */
	u32 shown;	      /* the one whose page is shown: `lesson back` reads, it opens nothing */
	u32 nscript;	      /* lines of set-up when it began, */
	u32 nkept;	      /* ... with the line that says so; */
	struct config config; /* as it was then */
	struct policy_choice policy, preset;
	struct gpu_choice gpu;
};

/* One more line; where it belongs to nothing, or the lesson has begun, an error. text, expr and path are copied. */
enum status lesson_add(struct session *s, struct lesson_item item, struct error *e);
/* Has each `{` of a word of a line its `}`, and something between them? */
enum status lesson_braces(const char *line, const struct token *t, struct error *e);
/* Does a note now belong to a lesson? */
bool lesson_takes_notes(const struct session *s);
u32 lesson_count(const struct session *s);
/* Drop the lines from the n-th on (undo). */
void lesson_truncate(struct session *s, u32 n);
void lesson_free(struct session *s);

u32 lesson_steps(const struct lesson *l);
bool lesson_step(const struct lesson *l, u32 i, struct lesson_step *out);
/* The item behind the last one that belongs to question `ask`. */
u32 lesson_ask_end(const struct lesson *l, u32 ask);
/* The number of a question, from 1. */
u32 lesson_number(const struct lesson *l, u32 ask);
/* Questions, those answered or given up, those answered rightly. */
struct lesson_score {
	u32 questions, closed, right;
};
struct lesson_score lesson_score(const struct lesson *l);

/* The question that waits for its answer; NULL: none. */
const struct lesson_item *lesson_open(const struct session *s);
/* The error that no question is open: which command leads to one. */
enum status lesson_none_open(const struct session *s, struct error *e);
#define LESSON_NONE "no lesson is loaded (open one of scenarios/course; `help scenarios` lists them)"
/* Has a lesson begun, and is there a next step? */
bool lesson_goes_on(const struct lesson *l);
/* An error if a question waits: it says which, and how to give up. */
enum status lesson_waits(const struct session *s, struct error *e);
/* Does one wait whose answer the machine would show? A lab's is not of that kind. */
bool lesson_hides(const struct session *s);
/* An error in that case alone. */
enum status lesson_holds(const struct session *s, struct error *e);
/* The path of the CUDA source beside a lab's module; xmalloc'ed. */
char *lesson_lab_source(const struct lesson_item *ask);

/* What the pane of notes shows of the lesson, a line of text each: while a question waits its notes and the question,
 * afterwards the question and what was said to its answer. False: no lesson has begun. */
bool lesson_page(const struct session *s, struct text *out);
/* "part 2 of 5: TITLE", "1 of 2 right" */
void lesson_heading(const struct session *s, struct text *out);

/* Bytes of the first line of text when it is wrapped to `width` columns: up to a blank if there is one. */
size_t wrapped_length(const char *text, u32 width);
/* Lines that a text takes at a width. */
u32 wrapped_lines(const char *text, u32 width);

#endif
