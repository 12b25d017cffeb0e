/*
 * alone.h - how fast each launch is by itself: run once on the same GPU with nothing beside it, and remembered.
 */
#ifndef WARPSTEP_ALONE_H
#define WARPSTEP_ALONE_H

#include "session_data.h"

#define ALONE_SAMPLES 2048

struct alone {
	bool known;
	u64 cycles, issued; /* from its first issue to its last retired CTA; warp instructions */
	u64 step;	    /* cycles between two samples */
	u32 samples;
	u64 sample[ALONE_SAMPLES]; /* warp instructions after 1, 2, ... steps from the first issue */
};

/* A stream by itself: cycles until its last launch has ended first, or it has issued multi.insts; warp instructions
 * until then, less those of CTAs that were begun again: what is done twice is no progress. Or the same beside others,
 * from the time of its first launch. cycles 0: not known, or not through. */
struct stream_time {
	u64 cycles, issued;
};

/* What is known of the launches, under the settings and policies that held. */
struct alone_list {
	struct config config;
	struct policy_choice policy;
	u32 n;
	struct alone launch[]; /* and as many struct stream_time, of the streams that begin with each */
};

/* Run launch i alone: at cycle 0, once, in memory as the launches before it leave it when they are run without timing.
 */
enum status alone_run(struct session *s, u32 i, struct alone *out, struct error *e);
/* Its parts: the program of that launch alone, kept in *launch, which outlives it; memory as it finds it, into *out,
 * which is empty ({0}) where there is nothing to know (store_free() either way); that put into a machine. */
struct program alone_program(const struct session *s, u32 i, struct launch *launch);
enum status alone_memory(const struct session *s, u32 i, struct store *out, struct error *e);
void alone_fill(const struct session *s, const struct store *before, struct sim *sim);
/* What is known of a launch under the settings and policies that hold now; NULL: nothing. */
const struct alone *alone_of(const struct session *s, const struct sim *sim, u32 i);
/* The first launch of the stream of a launch; launches with a time of their own are streams of one. */
u32 stream_first(const struct program *p, u32 launch);
/* Is a launch all of its stream? */
bool stream_single(const struct program *p, u32 launch);
/* Run the stream that begins with launch i alone, at cycle 0. */
enum status alone_run_stream(struct session *s, u32 i, struct stream_time *out, struct error *e);
/* What is known of it; NULL: nothing. */
const struct stream_time *alone_stream_of(const struct session *s, const struct sim *sim, u32 i);
void alone_keep_stream(struct session *s, u32 i, const struct stream_time *t);
/* What it came to beside the others (sim_sync first). */
struct stream_time stream_here(const struct session *s, const struct sim *sim, u32 i);
/* How many times as many cycles an instruction takes here as alone, 0: not known. */
double stream_slowdown(const struct stream_time *alone, const struct stream_time *here);
/* The same as it develops: up to now, if it is not through yet, by what the stream is known to take alone. 0: that is
 * not known, or nothing of the stream has issued. */
double stream_slowdown_now(const struct session *s, const struct sim *sim, u32 i);
/* Keep it. */
void alone_keep(struct session *s, u32 i, const struct alone *a);
/* Warp instructions per cycle, 0 of none. */
double alone_ipc(u64 issued, u64 cycles);
/* Warp instructions of a launch that are progress: those issued, less those of CTAs that were begun again. */
u64 alone_progress(const struct sim *sim, u32 launch);
/* How many times as many cycles as alone it has taken for so many warp instructions; 0: nothing to compare. */
double alone_slowdown(const struct alone *a, u64 issued, u64 cycles);

#endif
