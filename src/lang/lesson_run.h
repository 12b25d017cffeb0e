/*
 * lesson_run.h - what the parts of a lesson at work use of each other.
 */
#ifndef WARPSTEP_LESSON_RUN_H
#define WARPSTEP_LESSON_RUN_H

#include "expr.h"
#include "teach.h"

/* Run the lines of one kind among items [from, to) of the session's lesson; the end of the program, however bad, is
 * none of theirs. said: as if typed. */
enum status lesson_do(struct session *s, u32 from, u32 to, enum lesson_kind kind, bool said, struct error *e);

/* What a question asks for, in a session of its own. */
struct truth {
	struct session other;
	struct value v;
	char room[32];
	const char *word; /* for v where it has one; NULL */
	u64 choices;	  /* the right ones, a bit each */
	u32 nchoices;
	struct text said; /* what it is, for people */
};

/* What a student says; or another value that texts and conditions may name. */
struct guess {
	const char *name; /* NULL: `answer` */
	struct value v;
	bool is_number;
	u32 choice;
};

/* Compute what a question asks for. t is to be closed in any case. */
enum status truth_find(struct session *s, const struct lesson_step *step, struct truth *t, struct error *e);
void truth_close(struct truth *t);
/* The value of an expression in that session, in which g's name is g's value (NULL: no such name). */
enum status value_there(struct session *o, const char *text, struct guess *g, struct value *v, struct error *e);
/* A sentence with the values of what stands in braces, added to out. */
enum status lesson_fill(struct session *o, const char *text, struct guess *g, struct text *out, struct error *e);
/* Does a line `wrong` mean this guess? */
enum status wrong_means(struct session *o, const struct lesson_item *w, u8 ask, struct guess *g, const char *given,
			bool *is, struct error *e);
/* Would this answer be taken, and be right? */
bool guess_fits(const struct lesson *l, u32 ask, const struct truth *t, const char *given);

/* A try of a lab: a version of its kernel, run to its end on a machine of its own. */
struct attempt {
	struct session *other; /* NULL: there is no such machine */
	u8 verdict;	       /* enum try_verdict */
	i32 failed;	       /* checks; -1 where the run did not come to its end */
	struct text said;      /* what it comes to, for people: a line without its end */
};
/* Run the lab of a step with a module in the place of the given one; NULL: with that one. from: of the path. An error:
 * there is no such machine, or the user ends it. Close it in any case. */
enum status attempt_run(struct session *s, const struct lesson_step *step, const char *module,
			const struct line_origin *from, struct attempt *t, struct error *e);
void attempt_close(struct attempt *t);
/* How a right one compares with the given kernel; nothing is added where there is nothing to compare. */
void attempt_ratio(const struct attempt *t, const struct attempt *given, const char *aim, struct text *out);
/* The text of the first line `hint if` that is true of a try, its braces filled; *found: there is one. What machines
 * have counted means nothing where the run did not come to its end: only conditions that name `failed` are tried then.
 */
enum status attempt_hint(const struct lesson *l, u32 ask, struct attempt *t, struct text *out, bool *found,
			 struct error *e);
/* The i-th version of a lab; NULL: there is none. */
const struct lesson_item *lab_version(const struct lesson *l, u32 ask, u32 i);

/* Try an answer to the open lab (NULL: give up), and say what it comes to. */
enum status lab_judge(struct session *s, const struct lesson_step *step, const char *given, u32 column,
		      struct error *e);
/* Run every version of a lab; problems are told, a line each. answer: what is right; lines: the most that a page behind
 * the answer takes. */
enum status lab_check(struct session *s, const struct lesson_step *step, u32 width,
		      void (*tell)(void *self, const char *problem), void *self, struct text *answer, u32 *lines,
		      struct error *e);

#endif
