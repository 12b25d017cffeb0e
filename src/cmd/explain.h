/* explain.h - what has a name and how it is explained: one table of kinds, a walk over each. */
#ifndef WARPSTEP_EXPLAIN_H
#define WARPSTEP_EXPLAIN_H

#include "breaks.h"
#include "oldnames.h"

/* One thing with a name. The NULL ones have nothing to say. */
struct topic {
	const char *kind, *name, *doc, *unit, *source;
	char letter;
	u32 index; /* in its table */
};

/* A kind of things: `explain states` lists them, after a line that says what they are. each() gives the i-th; false
 * after the last. */
struct topic_kind {
	const char *plural;
	const char *alias; /* a former plural, or another word for it; NULL: none */
	const char *doc;
	bool (*each)(u32 i, struct topic *out);
	enum name_kind names; /* former names of these; NAME_NONE: they have none */
	bool transient;	      /* names hold until the next call only */
	/* More lines and members for one of them. NULL: nothing. */
	void (*more)(struct session *s, const struct topic *t, json_t *entry);
};
extern const struct topic_kind topic_table[];
extern const u32 topic_kinds;

/* A line "  label  text" of an explanation, and its JSON member. */
void explain_line(struct session *s, json_t *entry, const char *label, const char *text);

/* The names of two kinds, for their rows: values, ranges, sources; counts and what is nearest in another profiler. */
void explain_setting(struct session *s, const struct topic *t, json_t *entry);
void explain_event(struct session *s, const struct topic *t, json_t *entry);
/* What the rows of commands, panes and published mechanisms say. */
void explain_command(struct session *s, const struct topic *t, json_t *entry);
void explain_pane(struct session *s, const struct topic *t, json_t *entry);
void explain_mechanism(struct session *s, const struct topic *t, json_t *entry);
/* Columns of panes and words in them (explain_columns.c), and the panes that have one. */
bool each_column(u32 i, struct topic *t);
bool each_value(u32 i, struct topic *t);
void explain_column(struct session *s, const struct topic *t, json_t *entry);
/* Topics of `help` that lead to the library (help_library.c). */
void help_mechanisms(struct session *s);
void help_scenarios(struct session *s);
void help_sweeps(struct session *s);
void help_presets(struct session *s);
/* The i-th name that `help` knows beside those of commands, and what it is; NULL after the last. */
const char *help_topic(u32 i, const char **doc);
/* The i-th thing with a name that is no command: its kind (in the plural), what it is, and the command that shows it;
 * NULL after the last. */
const char *explain_named(u32 i, const char **kind, const char **doc, const char **line);
/* Whether something is called so. */
bool explain_knows(const char *name);
/* The kind with this plural or alias; NULL if there is none. */
const struct topic_kind *explain_kind(const char *plural);
/* Everything of one kind, a line each; list: the same in JSON, or NULL. */
void explain_list(struct session *s, const struct topic_kind *k, json_t *list);
/* The statistic that counts a thing, with its value now. */
void explain_count(struct session *s, const char *group, const char *name, json_t *entry);
/* The nearest metric of Nsight Compute, "none" if there is none. */
const char *nsight_name(const char *prefix, const char *name);

#endif
