/*
 * sweep.h - what the lines `sweep`, `except`, `baseline` and `measure` of a file declare: axes, points, measures.
 *
 * A sweep file is a scenario in which some lines have several values. A session stands at one point of it: each line
 * `sweep` does what its command does with one of its values, the first where nothing else was chosen before.
 */
#ifndef WARPSTEP_SWEEP_H
#define WARPSTEP_SWEEP_H

#include "session.h"
#include "words.h"

#define SWEEP_AXES 12
#define SWEEP_VALUES 10000  /* of an axis */
#define SWEEP_POINTS 100000 /* of a sweep, before `except` */

/* A row of sweepkinds.def. */
struct sweep_kind {
	const char *name, *line;
	bool files;
	const char *doc;
};
extern const struct sweep_kind sweep_kind_table[];
extern const u32 sweep_kind_rows;

/* One thing that varies. */
struct sweep_axis {
	char *name;
	const struct sweep_kind *kind; /* NULL: a setting, or a variable: */
	bool variable, used;	       /* a line has named it */
	char **value;
	u32 n;
};

/* Values of some axes: which of their values, NONE32 where an axis has any. */
struct sweep_part {
	u32 value[SWEEP_AXES];
};

/* A number of each point: a statistic, or an expression with a name. */
struct sweep_measure {
	char *name, *expr; /* expr NULL: a statistic */
};

struct sweep {
	struct sweep_axis axis[SWEEP_AXES];
	u32 naxes;
	struct sweep_part *except;
	u32 nexcepts;
	struct sweep_part baseline;
	bool has_baseline;
	struct sweep_measure *measure;
	u32 nmeasures;
	u32 chosen[SWEEP_AXES]; /* the point that the session stands at: which value of each axis */
	bool told;		/* somebody has chosen it: nothing is said of the other values */
};

/* A session's sweep, made if there is none. */
struct sweep *sweep_of(struct session *s);
void sweep_free(struct sweep *w);
/* The row of a kind of axis, NULL: none. */
const struct sweep_kind *sweep_kind_find(const char *name);
/* One more axis with the values that words stand for: patterns of files and ranges of numbers are expanded. */
enum status sweep_add(struct session *s, const struct token *name, const struct token *value, u32 n, struct error *e);
/* The newest axis goes: its line has failed. */
void sweep_drop(struct sweep *w);
/* How much of it there is, and no more than that: its newest lines are taken back. */
struct sweep_mark {
	u32 naxes, nexcepts, nmeasures, nbaselines;
};
struct sweep_mark sweep_mark(const struct session *s);
void sweep_truncate(struct session *s, struct sweep_mark to);
/* The line that value i of an axis stands for; nothing of a variable. */
void sweep_line(const struct sweep_axis *x, u32 i, struct text *out);
/* AXIS VALUE pairs as a part of a sweep. */
enum status sweep_pairs(const struct sweep *w, const struct token *token, u32 n, struct sweep_part *out,
			struct error *e);
/* A line with the values of the variables that it names; NULL: it names none. xmalloc'ed. */
char *sweep_put(struct sweep *w, const char *line, size_t length);

/* How many points there are before `except`; point i of them as values of the axes, the last axis the fastest. */
u64 sweep_size(const struct sweep *w);
void sweep_point(const struct sweep *w, u64 i, u32 value[SWEEP_AXES]);
/* Does a point have the values of a part? */
bool sweep_in(const struct sweep *w, const struct sweep_part *part, const u32 value[SWEEP_AXES]);
/* Is it left out by a line `except`? */
bool sweep_excepts(const struct sweep *w, const u32 value[SWEEP_AXES]);
/* A point in words: "l1d.bytes 16384, policy elf". */
void sweep_words(const struct sweep *w, const u32 value[SWEEP_AXES], struct text *out);

#endif
