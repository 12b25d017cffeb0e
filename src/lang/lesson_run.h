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

/* What a student says. */
struct guess {
	struct value v;
	bool is_number;
	u32 choice;
};

/* Compute what a question asks for. t is to be closed in any case. */
enum status truth_find(struct session *s, const struct lesson_step *step, struct truth *t, struct error *e);
void truth_close(struct truth *t);
/* The value of an expression in that session; g: `answer` in it is what was said (NULL: no such name). */
enum status value_there(struct session *o, const char *text, struct guess *g, struct value *v, struct error *e);
/* A sentence with the values of what stands in braces, added to out. */
enum status lesson_fill(struct session *o, const char *text, struct guess *g, struct text *out, struct error *e);
/* Does a line `wrong` mean this guess? */
enum status wrong_means(struct session *o, const struct lesson_item *w, u8 ask, struct guess *g, const char *given,
			bool *is, struct error *e);
/* Would this answer be taken, and be right? */
bool guess_fits(const struct lesson *l, u32 ask, const struct truth *t, const char *given);

#endif
