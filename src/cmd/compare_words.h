/* compare_words.h - the words of `compare` (changes, alternatives, where the sides run to), and what it prints. Private
 * to src/cmd. */
#ifndef WARPSTEP_COMPARE_WORDS_H
#define WARPSTEP_COMPARE_WORDS_H

#include "command.h"
#include "compare.h"

#define COMPARE_MOST 64 /* machines side by side */

/* What is asked: the words of each alternative, where to, what of the table. */
struct compare_wish {
	struct token *word[COMPARE_MOST]; /* of each alternative, with their texts: freed by compare_wish_free */
	u32 nword, n;			  /* words of each; alternatives */
	bool anew;			  /* `from start` */
	struct compare_goal goal;
	const char *stats; /* the glob behind `stats`, NULL: none */
};
enum status compare_wish_read(struct session *s, const struct args *a, struct compare_wish *w, struct error *e);
void compare_wish_free(struct compare_wish *w);
/* The change that an alternative is. */
enum status compare_wish_change(struct session *s, const struct compare_wish *w, u32 i, struct compare_change *out,
				struct error *e);

/* The comparison of two: what differs, the most telling first; all that a glob names (NULL: the first rows). */
void compare_print(struct session *s, struct compare *c, const char *glob);
/* `why slot` of both where they part, side by side. */
enum status compare_print_why(struct session *s, struct compare *c, struct error *e);
/* Both by source line, where B stalls most more or less than A first; the first rows, or all. */
void compare_lines(struct session *s, struct compare *c, bool all);
/* More than two: run, and a row for each. */
enum status compare_table(struct session *s, const struct compare_wish *w, struct error *e);
/* Append " (a 5-SM slice of volta)": the GPU of a machine with that change, where it is another than the session's. */
void compare_gpu(const struct session *s, const struct compare_change *x, struct text *out);
/* The SM clock of a machine with that change, in MHz. */
u32 compare_clock(const struct session *s, const struct compare_change *x);
/* What a side has come to, as one word: "finished", "fault". */
const char *compare_ended(enum stop_kind why);

#endif
