/* expr_parse.h - what the parts of the compiler of expressions share. Private to src/observe. */
#ifndef WARPSTEP_EXPR_PARSE_H
#define WARPSTEP_EXPR_PARSE_H

#include "expr_code.h"

struct parser {
	struct session *s;
	const char *text;
	size_t at;
	struct expr *x;
	u32 depth;
	struct error *e;
};

#define WRONG(p, at, ...) error_at((p)->e, STATUS_USAGE, NULL, 0, at, __VA_ARGS__)

/* 1-based column of what comes next, blanks skipped. */
u32 expr_column(struct parser *p);
/* "unexpected end of expression: expected WHAT after '['", or "unexpected ')' in expression: ...". */
enum status expr_expected(struct parser *p, const char *fmt, ...) PRINTF_LIKE(2, 3);
/* Append an operation; NULL with an error when there are too many. The pointer holds until the next one. */
struct expr_code *expr_emit(struct parser *p, u8 op, u32 at);
/* Take a sign if it comes next; take a name with its dots. */
bool expr_take(struct parser *p, char sign);
enum status expr_take_name(struct parser *p, char out[EXPR_NAME]);
/* One level deeper; an error when that is too deep. p->depth is lowered by the caller. */
enum status expr_enter(struct parser *p);
/* A whole expression. */
enum status expr_conditional(struct parser *p);

/* --- expr_path.c --- */
/* Whether the bracket that comes next is followed by a dot when it closes: then it is a path, not an element. */
bool expr_path_follows(const struct parser *p);
/* The rest of sm[3].warp[5].pc after its first name; *taken: it was a path. */
enum status expr_path(struct parser *p, const char *name, u32 at, bool *taken);
/* An element of a buffer, or of a statistic that is an array. */
enum status expr_element_of(struct parser *p, const char *name, u32 at);

#endif
