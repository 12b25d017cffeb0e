/*
 * export.h - a window of time as a file for other programs.
 *
 * A fork of the simulator lives through the window again, so that neither the machine nor its results move; after every
 * cycle the format looks at the fork and at the cycle's records. In all formats cycle N is the one after which `cycle`
 * is N; a window from A to B is what happens between `goto A` and `goto B`: cycles A + 1 to B. The files are complete
 * or absent.
 */
#ifndef WARPSTEP_EXPORT_H
#define WARPSTEP_EXPORT_H

#include "session_data.h"
#include "token.h"

enum export_id {
#define EXPORT(id, name, columns, doc) EXPORT_##id,
#include "exports.def"
#undef EXPORT
	EXPORT_COUNT
};

/* What is wanted. */
struct export_request {
	u32 format; /* enum export_id */
	const char *path;
	u64 from, to;		    /* cycles */
	bool named;		    /* from or to is the user's */
	const struct token *column; /* globs of statistics (csv) */
	u32 ncolumns;
	u64 packed; /* bytes of the compressed file; 0: it is plain text */
};

/* An export under way. */
struct exporter {
	const struct export_request *request;
	struct session then; /* the session, its machine being the fork */
	u64 cycle;	     /* that has just been completed */
	FILE *file;
	u64 bytes, limit; /* written; most that may be */
	bool failed;	  /* it could not be written */
	bool looked;	  /* its size has been estimated */
	void *state;	  /* the format's, freed with free() after end */
};

/* A format. begin: at the start of the window; cycle: after each of its cycles; end: always called after begin, even
 * after an error; it writes what closes the file and frees what hangs on the state. */
struct export_format {
	event_set want; /* event kinds, a bit each */
	enum status (*begin)(struct exporter *x, struct error *e);
	void (*cycle)(struct exporter *x);
	void (*end)(struct exporter *x);
};
struct export_row {
	const char *name;
	bool columns;
	const char *doc;
	const struct export_format *format;
};
extern const struct export_row export_table[EXPORT_COUNT];

/* Does the name of a file say that it is written compressed (.gz)? */
bool export_packed(const char *path);
/* Write the file; bytes: of text. *q is told the window that there was: the program may end before q->to. */
enum status export_write(struct session *s, struct export_request *q, u64 *bytes, struct error *e);

/* For formats: text, and a string of JSON with its quotes. Nothing more is written once the limit is passed. */
void export_put(struct exporter *x, const char *fmt, ...) PRINTF_LIKE(2, 3);
void export_string(struct exporter *x, const char *s);
/* The kernel of a launch, NULL if it is not known. */
const struct kernel *export_kernel(const struct exporter *x, u32 launch);

#endif
