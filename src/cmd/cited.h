/*
 * cited.h - the source lines that an answer names, each once with its text, below the answer.
 */
#ifndef WARPSTEP_CITED_H
#define WARPSTEP_CITED_H

#include "session_data.h"

/* Kept until printed, in the order in which they were added. Starts as zeros. */
struct cited {
	struct cited_line {
		const struct kernel *kernel;
		u32 pc;
		const char *text; /* of the source's */
	} * line;
	u32 n;
};

/* The user's line that an instruction comes from, if its text can be read. */
void cited_add(struct cited *c, const struct session *s, const struct kernel *k, u32 pc);
/* "matmul.cu:16  sum += ..." a line each, and with -j as `lines` of the result; frees them. */
void cited_print(struct cited *c, struct session *s);
/* The text of the user's line that an instruction comes from; NULL: it cannot be read, or is blank. */
const char *cited_source(const struct session *s, const struct kernel *k, u32 pc);
/* "12: ld.global ...  slow.cu:4": an instruction and its place, if that is known. */
void cited_instruction(const struct kernel *k, u32 pc, struct text *out);
/* "slow.cu:4  text of the line", without blanks at its end; false, and nothing is added: the text is not known. */
bool cited_text(const struct session *s, const struct kernel *k, u32 pc, struct text *out);

#endif
