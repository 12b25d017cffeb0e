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

/* A kind of things: `explain statuses` lists them. each() gives the i-th; false after the last. */
struct topic_kind {
	const char *kind, *plural;
	bool (*each)(u32 i, struct topic *out);
	enum name_kind names; /* former names of these; NAME_NONE: they have none */
	bool transient; /* names hold until the next call only */
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
/* Commands and panes: the i-th, and more about one. */
bool explain_each_command(u32 i, struct topic *t);
bool explain_each_pane(u32 i, struct topic *t);
void explain_command(struct session *s, const struct topic *t, json_t *entry);
void explain_pane(struct session *s, const struct topic *t, json_t *entry);
/* Mechanisms of papers: the i-th, and more about one. */
bool explain_each_mechanism(u32 i, struct topic *t);
void explain_mechanism(struct session *s, const struct topic *t, json_t *entry);
/* The i-th name that `help` knows beside those of commands, and what it is; NULL after the last. */
const char *help_topic(u32 i, const char **doc);
/* The i-th thing with a name that is no command: its kind (in the plural), what it is, and the command that shows it;
 * NULL after the last. */
const char *explain_named(u32 i, const char **kind, const char **doc, const char **line);
/* Whether something is called so. */
bool explain_knows(const char *name);
/* What a topic is, said so that it stands alone: "of them" of a statistic is what the one before it counts. */
const char *explain_doc(const struct topic *t, struct text *room);
/* The statistic that counts a thing, with its value now. */
void explain_count(struct session *s, const char *group, const char *name, json_t *entry);
/* The nearest metric of Nsight Compute, "none" if there is none. */
const char *nsight_name(const char *prefix, const char *name);

#endif
