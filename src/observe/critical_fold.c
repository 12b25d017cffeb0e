/*
 * critical_fold.c - a path of many stretches as people read it: loops are said once, with how often (critical.h).
 *
 * Two stretches are alike if their reason is and their source line, or where there is none their instruction. At each
 * place the period of up to PERIOD stretches is taken that, repeated, covers most.
 */
#include "critical.h"

#define PERIOD 48

/* Are two alike? */
static bool alike(const struct critical_stretch *a, const struct critical_stretch *b, const struct program *p)
{
	const struct inst *x, *y;

	if (a->reason != b->reason || a->launch != b->launch)
		return false;
	if (a->pc == b->pc || a->pc == NONE32 || b->pc == NONE32 || a->launch >= p->nlaunch)
		return a->pc == b->pc;
	x = &p->launch[a->launch].kernel->inst[a->pc];
	y = &p->launch[a->launch].kernel->inst[b->pc];
	return x->source_line && x->source_line == y->source_line && x->source_file == y->source_file;
}

/* How often the `length` stretches from `first` on come one behind the other. */
static u32 times(const struct critical *c, const struct program *p, u32 first, u32 length)
{
	u32 n = length;

	while (first + n < c->n && alike(&c->stretch[first + n], &c->stretch[first + n - length], p))
		n++;
	return n / length;
}

/* The best fold from a stretch on. */
static struct fold best(const struct critical *c, const struct program *p, u32 first)
{
	struct fold f = {.first = first, .length = 1, .times = times(c, p, first, 1)};

	for (u32 n = 2; n <= PERIOD && first + 2 * n <= c->n && f.times < PERIOD; n++) {
		u32 k = times(c, p, first, n);

		if (k > 1 && k * n > f.times * f.length)
			f = (struct fold){.first = first, .length = n, .times = k};
	}
	f.cycles = c->stretch[first + f.length * f.times - 1].to - c->stretch[first].from;
	return f;
}

struct fold *critical_fold(const struct critical *c, const struct program *p, u32 *n)
{
	struct fold *f = xcalloc(c->n + 1, sizeof(*f));

	*n = 0;
	for (u32 at = 0; at < c->n; at += f[*n].length * f[*n].times, (*n)++)
		f[*n] = best(c, p, at);
	return f;
}
