/*
 * settings.h - settings and policies put into force, and those in force.
 */
#ifndef WARPSTEP_SETTINGS_H
#define WARPSTEP_SETTINGS_H

#include "expr.h"
#include "session.h"
#include "token.h"

/* Change a setting now, or for the next machine where it cannot act now: *says tells which, NULL if it simply acts. */
enum status setting_apply(struct session *s, enum setting_id id, u32 value, const char **says, struct error *e);
/* An error if the line being run is of a file and takes more of the host than it may. */
enum status setting_allowed(const struct session *s, enum setting_id id, u32 value, struct error *e);
/* Switch on a count or check of the host (stats.lines, check.*) that something asked for needs, and say so: what it
 * would have found in the run so far is found. Nothing if it is on. check_on: that of an event of a check; nothing for
 * others. checks_wanted: those that expressions have named since. lines_on: counts per instruction. */
void host_on(struct session *s, enum setting_id id);
void check_on(struct session *s, u32 event); /* enum event_kind */
void checks_wanted(struct session *s);
void lines_on(struct session *s);
enum status policy_apply(struct session *s, const struct policy_choice *p, const char **says, struct error *e);
/* A CTA is to leave its SM when the next cycle begins (sim_depart). */
enum status depart_apply(struct session *s, u32 sm, u32 slot, enum leaving how, const char **says, struct error *e);
/* A value of memory, of a register or a predicate (bytes of the place's type), where the machine stands. */
enum status value_apply(struct session *s, const struct expr_place *p, u8 *bytes, const char **says, struct error *e);
/* Its value now: the machine's, or the one for the next machine. */
u32 setting_now(const struct session *s, enum setting_id id);
/* What words behind `policy` make of a choice; the settings of shorthands among them are the caller's to put in. */
enum status policy_words(const struct session *s, const struct token *word, u32 n, struct policy_choice *choice,
			 struct error *e);
/* The slots that a word of `length` letters names: one, or all whose names begin with it and a dot; 0: none. */
u64 policy_slots_named(const char *word, size_t length);
/* The shorthand of that name, NULL: none. */
struct shorthand;
const struct shorthand *shorthand_find(const char *word);
/* The settings that a shorthand brings, one after the other until one is refused. */
enum status shorthand_settings(const struct shorthand *x,
			       enum status (*put)(void *self, enum setting_id id, u32 value, struct error *e),
			       void *self, struct error *e);
/* The settings that the policies named by words behind `policy` bring (scheme.brings) where the next machine is to be
 * `now`, one after the other until one is refused. */
enum status policy_brings(const struct token *word, u32 n, const struct config *now,
			  enum status (*put)(void *self, enum setting_id id, u32 value, struct error *e), void *self,
			  struct error *e);
/* The choice in force: the machine's, or the one for the next machine. */
void policy_now(const struct session *s, struct policy_choice *p);

#endif
