/*
 * stats.h - statistics: by glob, by name, and by row and handle for those who name them often.
 */
#ifndef WARPSTEP_STATS_H
#define WARPSTEP_STATS_H

#include "expr.h"

/* One statistic (flat dotted name) by glob; calls back for each in table order. Arrays give array = true and count
 * elements; text (config.hash, kernel.N.name) stands for the value where it is not NULL, unsafe to print as it is. */
struct stat_value {
	const char *name;
	u32 count;
	bool array;
	const struct value *value;
	const char *text, *unit, *doc;
};
/* Its values as JSON: a string, a number or an array. */
json_t *stat_json(const struct stat_value *v);
void stats_each(struct session *s, const char *glob, bool host, void (*fn)(void *self, const struct stat_value *v),
		void *self);
bool stat_get(struct session *s, const char *name, struct value *out);
u64 session_config_hash(const struct session *s); /* presets, settings, kernels, inputs */

/* Where a statistic's value comes from. */
enum stat_source {
	FROM_CYCLE,
	FROM_CONFIG,
	FROM_SM,
	FROM_L2,
	FROM_DRAM,
	FROM_FORMULA,
	FROM_OUTCOME,
	FROM_OUTCOMES,
	FROM_STATUS,
	FROM_SUBCORE,
	FROM_SUBCORE_COV,
	FROM_KERNEL,
	FROM_EVENT,
	FROM_OWN,
	FROM_LAUNCH,
	FROM_HOST
};

/* One statistic. Those of a launch are named with the letter N in its number's place: kernel.N.cycles. */
struct stat_row {
	const char *name, *unit, *doc;
	const char *formula; /* FROM_FORMULA; of a launch's, kernel.N. are statistics of the same launch */
	const char *field;   /* FROM_OWN: SCHEME.FIELD; FROM_LAUNCH: a field of launches */
	u8 source;	     /* enum stat_source */
	u8 part, bytes;	     /* FROM_KERNEL: what of a launch (stats.c); size of its field */
	u16 index;	     /* counter, status, ... of that source, place of a launch's field */
};
extern const struct stat_row stat_table[];
extern const u32 stat_table_rows;

/* A statistic found by name: its row, and the launch for those of a kernel. */
struct stat_handle {
	u16 row, launch;
};

/* Find a statistic by its full name (kernel.0.cycles); false if there is none. */
bool stat_find(const char *name, struct stat_handle *out);
/* The formula of a statistic that has one, with the number of the launch in it. */
void stat_formula(struct stat_handle h, struct text *out);
/* Elements of a statistic: 1, but for arrays. */
u32 stat_count(const struct session *s, struct stat_handle h);
/* Element i now; false where there is none yet. The caller has brought the counters up to date (stats_sync). */
bool stat_read(struct session *s, struct stat_handle h, u32 i, struct value *out);
void stats_sync(struct session *s);
/* A name near to the one given among statistics and settings, or NULL. */
const char *stat_nearest(const char *name);

#endif
