/*
 * observe.h - statistics by row and handle, for those who name them often (session.h has the plain calls).
 */
#ifndef WARPSTEP_OBSERVE_H
#define WARPSTEP_OBSERVE_H

#include "session.h"

/* Where a statistic's value comes from. */
enum stat_source {
	FROM_CYCLE, FROM_CONFIG, FROM_SM, FROM_L2, FROM_DRAM, FROM_FORMULA, FROM_OUTCOME, FROM_OUTCOMES, FROM_STATUS,
	FROM_SUBCORE, FROM_SUBCORE_COV, FROM_KERNEL, FROM_EVENT, FROM_HOST
};

/* One statistic. Those of a launch are named with the letter N in its number's place: kernel.N.cycles. */
struct stat_row {
	const char *name, *unit, *doc;
	const char *formula;	/* FROM_FORMULA */
	u8 source;		/* enum stat_source */
	u16 index;		/* counter, status, ... of that source */
};
extern const struct stat_row stat_table[];
extern const u32 stat_table_rows;

/* A statistic found by name: its row, and the launch for those of a kernel. */
struct stat_handle { u16 row, launch; };

/* Find a statistic by its full name (kernel.0.cycles); false if there is none. */
bool stat_find(const char *name, struct stat_handle *out);
/* Elements of a statistic: 1, but for arrays. */
u32 stat_count(const struct session *s, struct stat_handle h);
/* Element i now; false where there is none yet. The caller has brought the counters up to date (stats_sync). */
bool stat_read(struct session *s, struct stat_handle h, u32 i, struct value *out);
void stats_sync(struct session *s);
/* Of a fault at a barrier that a part of a warp reached: "; lanes 0-15 reached it; lanes 16-31 are at pc 20 (scale.cu:30)". */
void fault_others(const struct sim *s, struct text *out);
/* A name near to the one given among statistics and settings, or NULL. */
const char *stat_nearest(const char *name);

/* A formula of stats.def: every operand real, a division by zero 0. */
enum status expr_compile_formula(struct session *s, const char *text, struct expr **out, struct error *e);
/* The text that x was compiled from. */
const char *expr_text(const struct expr *x);
/* Element i of a buffer: the store's value, or the initial one before there is a machine. */
enum status buffer_element(struct session *s, const struct buffer *b, i64 i, struct value *out, struct error *e);
/* The word for a value of x where x names a status, an outcome or a setting with words, else NULL; out holds 32 bytes. */
const char *expr_word(const struct expr *x, struct value v, char *out);
/* Call fn for every statistic and setting that x names, with its value (or valid = false). */
void expr_operands(struct session *s, const struct expr *x,
		   void (*fn)(void *self, const char *name, bool valid, struct value v), void *self);

static inline struct value value_int(i64 i) { return (struct value){.kind = VALUE_INT, .i = i}; }
static inline struct value value_uint(u64 n) { return (struct value){.kind = VALUE_INT, .i = (i64)n, .is_unsigned = true}; }
static inline struct value value_real(double r) { return (struct value){.kind = VALUE_REAL, .r = r}; }
static inline double value_as_real(struct value v) { return v.kind == VALUE_REAL ? v.r : v.is_unsigned ? (double)(u64)v.i : (double)v.i; }
static inline bool value_true(struct value v) { return v.kind == VALUE_REAL ? v.r != 0 : v.i != 0; }
/* Whether the focus lies in the machine that is there: a new one may be smaller. */
static inline bool focus_exists(const struct session *s)
{
	return s->live && s->focus.sm < s->sim.m->config.gpu_sms && s->focus.warp < s->sim.m->contexts;
}
/* As JSON: an integer (digits in a string above 2^63 - 1, which JSON readers would round), or a real (null if it is not finite). */
json_t *value_json(struct value v);

#endif
