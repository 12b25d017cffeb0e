/*
 * synth.h - synthetic kernels: a few numbers in, a struct kernel out.
 *
 * Instructions, lanes and addresses are pure functions of (kernel, CTA, warp, PC, iteration); there are no values.
 * For teaching and for the papers' tables.
 */
#ifndef WARPSTEP_SYNTH_H
#define WARPSTEP_SYNTH_H

#include "kernel.h"
struct front_env;
struct front_result;

/* One key of a synthetic kernel's description; rows in synth.def: printed in help and the manual. */
enum synth_pattern { SYNTH_STREAM, SYNTH_STRIDED, SYNTH_RANDOM, SYNTH_BROADCAST };
enum synth_divergence { SYNTH_NONE, SYNTH_HALF, SYNTH_SLICE, SYNTH_LANES };

struct synth {
	u32 body;	       /* instructions of the loop body, the branch included */
	u32 iterations;	       /* times the body runs, per warp */
	u32 iterations_spread; /* warp w runs iterations + hash(w) mod (spread + 1) */
	u32 mix[CLASS_COUNT];  /* weights of the classes in the body */
	u32 distance;	       /* instructions between a producer and its consumer */
	u32 regs, shared;      /* registers per thread; shared bytes per CTA */
	u32 access;	       /* enum synth_pattern */
	u32 stride;	       /* bytes between lanes, for SYNTH_STRIDED */
	u64 footprint;	       /* bytes of global memory touched by the grid */
	u32 diverge;	       /* enum synth_divergence */
	u32 barrier_every;     /* a barrier at the end of every N-th body; 0 none */
	u32 idempotent; /* percent of the body, and of the iterations, before a store or atomic counts; 100: stores
			   never */
	u64 time;	/* cycles that a CTA takes, when warps only wait; 0: they run the body */
	u32 steps;	/* in so many instructions, one waiting for the other */
	u32 stagger;	/* 1: CTAs of the first wave are so far already as a hash of their SM says */
	u32 context;	/* bytes of registers and shared memory of a CTA; 0: as regs and shared make it */
	u64 base;	/* global address of its memory, given when launched */
};

/* The rows of synth.def. */
enum synth_kind { SYNTH_NUMBER, SYNTH_PATTERN, SYNTH_DIVERGENCE, SYNTH_SWITCH };
struct synth_key {
	const char *name, *doc;
	u8 kind;
	u8 bytes;   /* of the field */
	u16 offset; /* of the field in struct synth */
	u64 min, max, def;
};
extern const struct synth_key synth_table[];
extern const u32 synth_table_rows;
extern const char *const synth_pattern_name[4], *const synth_divergence_name[4];
void synth_default(struct synth *s);
/* Give a key its value from a word. */
enum status synth_key_set(struct synth *s, const struct synth_key *key, const char *word, struct error *e);
/* The weight of a class by name. */
enum status synth_mix_set(struct synth *s, const char *class_name, const char *weight, struct error *e);

/* Make a kernel of it; module has this one kernel. */
enum status synth_make(const char *name, const struct synth *s, struct module **out, struct error *e);
void synth_issue(const struct front_env *env, const struct inst *in, struct front_result *r);

/* synth_steps.c: kernels whose warps wait, described by time. The code of one: its steps, then the end. */
enum status synth_steps_check(const struct synth *s, struct error *e);
void synth_steps_make(struct kernel *k, struct text *strings);
/* A CTA of such a kernel: its number, the launch, SMs of the GPU, and CTAs of the first wave, over all SMs. */
struct synth_cta {
	u32 id, launch, sms, wave;
};
/* Cycles that a step takes, 0: it is done at once. */
u64 synth_step(const struct synth *s, const struct synth_cta *cta, u32 step);
/* Cycles that lie behind a CTA when it comes. */
u64 synth_behind(const struct synth *s, const struct synth_cta *cta);
/* The first step that a CTA may not have begun if it is to begin again; steps: the end. */
u32 synth_step_trips(const struct synth *s);

#endif
