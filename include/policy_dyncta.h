/*
 * policy_dyncta.h - what policies dyncta and dyncore keep, and the rules by which they decide, for those who show or
 * test them.
 */
#ifndef WARPSTEP_POLICY_DYNCTA_H
#define WARPSTEP_POLICY_DYNCTA_H

#include "policy.h"

/* Of an SM: n = most - less. */
#define DYNCTA_FIELDS(F, A) \
	F(u32, less, "N - n: CTAs that fit the SM but are beyond its CTA limit n") \
	F(u32, most, "N: CTAs that fit the SM, of the launch with which its windows began") \
	F(u32, launch, "launch with which the SM's windows began, + 1 (0 = not begun)") \
	F(u32, c_idle, "C_idle of the last window, cycles") \
	F(u32, c_mem, "C_mem of the last window, cycles") \
	F(u32, barren, "consecutive windows in which no CTA of the SM ended while others waited for dispatch") \
	F(u32, risen, "1 = n was raised against starvation and does not fall until a CTA of the SM ends") \
	F(u32, spare, "padding, always 0") \
	F(u64, idle, "C_idle from cycle 0 to the start of the window") \
	F(u64, mem, "C_mem from cycle 0 to the start of the window") \
	F(u64, ended, "CTAs of the SM that had ended at the start of the window")
/* Of a place of a CTA in an SM. */
#define DYNCTA_PLACE_FIELDS(F, A) \
	F(u32, windows, "windows at whose end the CTA was paused (dyncta.max_paused = it runs in the present one)") \
	F(u32, spare, "padding, always 0")
/* Of the GPU. */
#define DYNCTA_GPU_FIELDS(F, A) \
	F(u64, stuck, "1 + kernels started so far, if no warp can proceed and no n can rise (0 = otherwise)") \
	F(u64, begun, "start cycle of the first window, that of a kernel")

/* Of an SM under dyncore. */
#define DYNCORE_FIELDS(F, A) \
	F(u64, active, "N_act from cycle 0 to the start of the window") \
	F(u64, ended, "CTAs of the SM that had ended at the start of the window") \
	F(u64, barren, "consecutive windows in which no CTA of the SM ended while others waited for dispatch")
#define DYNCORE_GPU_FIELDS(F, A) \
	F(u32, closed, "1 = the highest-numbered SMs accept no CTAs") \
	F(u32, powered, "SMs powered at the end of the last window") \
	F(u64, g_act, "G_act of the last window: cycles in which powered SMs were active, summed") \
	F(u64, stuck, "1 + kernels started so far, if no warp can proceed and no SM is closed (0 = otherwise)") \
	F(u64, begun, "start cycle of the first window, that of a kernel")

struct dyncta {
	DYNCTA_FIELDS(FIELD_MEMBER, FIELD_ARRAY)
};
struct dyncta_place {
	DYNCTA_PLACE_FIELDS(FIELD_MEMBER, FIELD_ARRAY)
};
struct dyncta_gpu {
	DYNCTA_GPU_FIELDS(FIELD_MEMBER, FIELD_ARRAY)
};
struct dyncore {
	DYNCORE_FIELDS(FIELD_MEMBER, FIELD_ARRAY)
};
struct dyncore_gpu {
	DYNCORE_GPU_FIELDS(FIELD_MEMBER, FIELD_ARRAY)
};

/* n after a window with these counters, in cycles; n is 1 to most. */
u32 dyncta_decide(const struct config *c, u64 c_idle, u64 c_mem, u32 n, u32 most);
/* n of an SM that begins a launch of which `most` CTAs fit. */
u32 dyncta_begin(const struct config *c, u32 most);
/* Of the CTAs of an SM, as a bit set of their places, those that have come last, but for n. cta: by place. */
u64 dyncta_youngest(const struct cta *cta, u32 places, u32 ctas, u32 n);
/* The CTAs of an SM that it wants paused, as a bit set of their places. n of an SM, 0: it has begun nothing, or the
 * window is 0. */
u64 dyncta_paused(const struct sched_view *v);
u32 dyncta_n(const struct machine *m, u32 sm);

/* Are SMs to be closed after a window in which the `powered` ones were active for g_act cycles in all? */
u64 dyncore_threshold(const struct config *c, u32 powered); /* t_act, of so many SMs if it is scaled, rounded up */
bool dyncore_closes(const struct config *c, u64 g_act, u32 powered);
/* SMs that it closes when it does: those from this number on. */
u32 dyncore_first(const struct config *c);

/* Of a window's cycles, how many are complete in a cycle; cycle: not before `begun`. The last cycle of a window, from a
 * cycle on. */
static inline u64 window_done(const struct config *c, u64 begun, u64 cycle)
{
	return (cycle - begun) % c->dyncta_window;
}
static inline u64 window_ends(const struct config *c, u64 begun, u64 from)
{
	return begun + window_last(c->dyncta_window, from - begun);
}
/* Does a notice of the GPU say that windows begin anew? They begin with a kernel ("after this initialization step",
 * section 4.1, the counters are checked every 2048 cycles), unless it begins beside another. */
static inline bool windows_begin(const struct gpu_view *v, const struct notice *n)
{
	for (u32 i = 0; n->kind == NOTICE_KERNEL_START && i < v->launches; i++)
		if (i != n->launch && v->run[i].state == LAUNCH_RUNNING)
			return false;
	return n->kind == NOTICE_KERNEL_START;
}

/* At the end of a window of an SM: windows in a row in which none of its CTAs ended and others waited for a place.
 * ended: CTAs that had ended at its beginning; barren: what it came to then. */
static inline u32 windows_barren(const struct sm *sm, u64 ended, u64 barren, bool wait)
{
	return sm->stat[STAT_CTA_FINISHED] == ended && wait && sm->ctas ? (u32)barren + 1 : 0;
}
/* Of a launch that runs some CTAs wait for a place. */
bool launches_wait(const struct gpu_view *v);
/* No warp of the GPU can go on, and nothing is under way: it waits for CTAs to come, or for ever. */
bool gpu_stands(const struct gpu_view *v);

#endif
