/*
 * l1i.h - the L1 instruction cache of an SM. Lines are numbered by l1i.line bytes of code. For src/core only.
 */
#ifndef WARPSTEP_L1I_H
#define WARPSTEP_L1I_H

#include "memory/lsu.h"
#include "memory/tags.h"

/* The miss entry of a line (number + 1), or NULL and a free one in *unused. */
struct imiss *imiss_find(struct sm_view *v, u64 line, struct imiss **unused);
/* A fetch wants a line that was asked for ahead; late: it is still on its way. */
void l1i_wanted(struct sm_view *v, bool late);
/* A line is missed: its entry, new or of an earlier miss. NULL: refused, try again. */
struct imiss *l1i_request(struct sm_view *v, u64 line);
/* A context has missed and waits for the line. False: refused, try again. */
bool l1i_wait(struct sm_view *v, u32 context, u64 line);
/* Ask for a line ahead of the fetches of a context's kernel: if it is the kernel's and neither there nor on its way. */
void l1i_ask_ahead(struct sm_view *v, u32 context, u64 line);
/* A context no longer waits for any line. */
void l1i_forget(struct sm_view *v, u32 context);
/* A line has come: those who wait for it fetch again. */
void l1i_fill(struct sm_view *v, const struct packet *p);

/* The first tag of a line's set. */
static inline struct tag *l1i_set(struct sm_view *v, u64 line)
{
	return &v->l1i[(line % v->l1i_sets) * v->m->config.l1i_ways];
}

/* Is a code line there? It has been used then. */
static inline __attribute__((always_inline)) bool l1i_has(struct sm_view *v, u64 line)
{
	if (v->m->config.l1i_perfect)
		return true;
	struct tag *t = tag_find(l1i_set(v, line), v->m->config.l1i_ways, line + 1);
	if (!t)
		return false;
	t->used = ++v->sm->l1i_clock;
	if (__builtin_expect(t->ahead, 0)) {
		t->ahead = 0;
		l1i_wanted(v, false);
	}
	return true;
}

#endif
