/*
 * laws.h - what must hold for every scenario, whatever it computes, and the tools to check it.
 */
#ifndef WARPSTEP_LAWS_H
#define WARPSTEP_LAWS_H

#include "counters.h"
#include "events.h"
#include "lang.h"
#include "machine.h"

#define STAT_MAX \
	(SM_STAT_COUNT + L2_STAT_COUNT + DRAM_STAT_COUNT + WARP_STATUS_COUNT + SLOT_OUTCOME_COUNT + EVENT_COUNT + 2)
#define MOVES 64 /* most positions of a walk */

/* Everything that two runs must agree on. */
struct print {
	struct position at;
	u64 hash;
	u32 nstats;
	u64 stat[STAT_MAX];
};

/* A scenario on the stage; machines are made from it as often as a law needs one. */
struct scene {
	const char *path;
	struct session session;
	struct config config; /* of the scenario; laws try others */
	u64 limit;	      /* cycles that a law may run */
	bool thorough;
	bool more;  /* than a quick run looks at: thorough, or WARPSTEP_MORE is set */
	bool known; /* the scenario has run as it is, and left ... */
	struct print plain;
};

/* One law: true if it holds; else why not. */
struct law {
	const char *name, *doc;
	bool (*holds)(struct scene *c, struct text *why);
};

/* A fresh machine for the scenario under a configuration. False: it does not fit, *why says so. */
bool lab_open(struct sim *s, const struct scene *c, const struct config *config, struct text *why);
bool lab_ended(const struct sim *s);
/* Put a scheme (a row of the table) into those of some slots that it can fill, and into the same ones of `base` what it
 * must equal at its neutral setting; false: it fills none of them. */
bool lab_fill(struct policy_choice *p, struct policy_choice *base, u32 id, u64 slots);
/* Run to cycle `to` or to the end. */
void lab_advance(struct sim *s, u64 to);
/* The same, one cycle at a time, with a look after each. */
void lab_watch(struct sim *s, u64 to, void (*look)(void *self, struct sim *s), void *self);
/* Run a fresh machine to cycle `to` and take its print. */
bool lab_run(const struct scene *c, const struct config *config, u64 to, struct print *out, struct text *why);
/* The print of the scenario as it is, after c->limit cycles: run once, whichever law asks first. */
bool lab_plain(struct scene *c, struct print *out, struct text *why);

/* A name as a number. */
u64 lab_name(const char *name);

/* Is it the turn of the i-th of some alternatives, of which a check that is not thorough takes one of every `of`? Which
 * they are is drawn by the name of the scenario, so that scenarios take different ones. */
bool lab_turn(const struct scene *c, u32 i, u32 of);
void print_take(struct sim *s, struct print *out);
/* Whether two prints agree; else the first difference is added to *why. */
bool print_same(const struct print *want, const struct print *got, struct text *why);
const char *print_name(u32 stat);

/* Shared by laws: the sums of one SM (5); what its CTAs hold and what is free (12); does what a program leaves depend
 * on nothing but its values; the first buffer whose bytes differ. */
bool law_sums_of(const struct sim *s, u32 id, struct text *why);
bool law_held_of(const struct sim *s, u32 id, struct text *why);
bool law_timeless(const struct program *p);
bool law_buffers_same(const struct program *p, const struct store *want, const struct store *got, struct text *why);
/* resident.c: twice as many residents as slots, on half as many SMs; false: a block needs more than half of the slots.
 * What the plain machine leaves, NULL if it depends on time or does not end; the machine is to be closed. */
bool law_crowd(const struct scene *c, struct config *out);
const struct store *law_plain_results(struct scene *c, struct sim *s, struct text *why);
/* conserve.c: what is held and what is free make up the whole; and, when all is over, nothing is left and everything
 * adds up. */
bool conserve_now(struct sim *s, struct text *why);
bool conserve_end(struct sim *s, const struct scene *c, struct text *why);
/* ledger.c: the same of what was written down of CTAs that made room, and of their instructions. */
bool ledger_now(struct sim *s, struct text *why);

bool law_walk(struct scene *c, struct text *why);
bool law_reverse(struct scene *c, struct text *why);
bool law_journal(struct scene *c, struct text *why);
bool law_again(struct scene *c, struct text *why);
bool law_lanes(struct scene *c, struct text *why);
bool law_sinks(struct scene *c, struct text *why);
bool law_order(struct scene *c, struct text *why);
bool law_sleep(struct scene *c, struct text *why);
bool law_ahead(struct scene *c, struct text *why);
bool law_threads(struct scene *c, struct text *why);
bool law_sums(struct scene *c, struct text *why);
bool law_events(struct scene *c, struct text *why);
bool law_allocation(struct scene *c, struct text *why);
bool law_neutral(struct scene *c, struct text *why);
bool law_steady(struct scene *c, struct text *why);
bool law_conservation(struct scene *c, struct text *why);
bool law_told(struct scene *c, struct text *why);
bool law_makeway(struct scene *c, struct text *why);
bool law_residents(struct scene *c, struct text *why);
bool law_virtual(struct scene *c, struct text *why);
bool law_elf(struct scene *c, struct text *why);
bool law_values(struct scene *c, struct text *why);
bool law_chaos(struct scene *c, struct text *why);
bool law_kills(struct scene *c, struct text *why);
bool law_preempted(struct scene *c, struct text *why);
bool law_flushes(struct scene *c, struct text *why);
bool law_pairs(struct scene *c, struct text *why);
bool law_places(struct scene *c, struct text *why);
/* flushes.c: take the marks of instructions away, by which it is decided which CTAs may be flushed. */
extern bool laws_unmarked;

#endif
