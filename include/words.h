/*
 * words.h - the lines of the language before they mean anything: where they come from, and their words.
 *
 * A line comes from a source (a file, standard input, -e, a block) that knows where relative paths start and what may
 * be read and written.
 */
#ifndef WARPSTEP_WORDS_H
#define WARPSTEP_WORDS_H

#include "command.h"

/* A line as tokens. text: the line without its comment and trailing space. */
struct words {
	char *text, *store;
	struct token *token;
	u32 n;
};
/* Split a line of length bytes; on an error *column is its place. Free with words_free either way. */
enum status words_parse(struct words *w, const char *line, size_t length, struct error *e);
void words_free(struct words *w);
/* A text as a word of a line, in double quotes and with escapes, whatever its bytes: it comes back as it was. */
void word_add_quoted(struct text *out, const char *text);
/* The same, without quotes where none are needed. */
void word_add(struct text *out, const char *text);

/* Where a line comes from, as far as that decides what it may do (rights.h). */
struct line_origin {
	const char *dir;		  /* where relative paths start */
	const char *root;		  /* of a file's line: what it reads lies below; NULL: a line of the user's */
	const struct line_origin *behalf; /* of a file's line that has run it and given it words; NULL: none */
};

/* Where lines come from. next() fills text, length and line, and returns false at the end. */
struct line_source {
	bool (*next)(struct line_source *self);
	const char *text;
	size_t length;
	u32 line;
	const char *file; /* named in errors; NULL: typed */
	const struct line_origin *from;
	bool asked;	    /* somebody is asked for each line */
	bool unnumbered;    /* its line numbers say nothing: not shown */
	char *const *lines; /* of a source that is an array */
	u32 nlines, at, first_line;
	const char *data; /* of a source that is a text: size bytes, read up to offset */
	size_t size, offset;
	struct session *session;
	struct line_source *outer;
};

#endif
