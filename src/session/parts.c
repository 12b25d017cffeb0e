/*
 * parts.c - what is saved if one part of a critical path alone is free (parts.h).
 *
 * A path adds up, but does not predict: where a part of it goes, another chain decides, which may be hardly shorter. So
 * the kernel is run without that part, like limits does it, alone and from cold caches. Few parts are large, and a
 * machine with less to hold it back is seldom slower: a part costs about one run of the kernel.
 */
#include "parts.h"

#include "experiments.h"

#define PATIENCE 2 /* times the base's cycles after which a machine is given up */

/* What a word of critical.def says: settings, or the name of a limit that has them. */
static const char *sets_of(const char *word)
{
	for (u32 i = 0; i < LIMIT_ROWS; i++)
		if (!strcmp(limit_table[i].name, word))
			return limit_table[i].sets;
	return word;
}

bool part_free(enum critical_reason reason, struct config *c)
{
	char *list = xstrdup(critical_table[reason].free), *next = list, *word;
	bool some = false, changed;
	struct error e;

	while ((word = strsep(&next, " ")))
		if (*word) {
			enum status st = limit_lift(sets_of(word), c, &changed, &e);

			INVARIANT(!st);
			some |= changed;
		}
	free(list);
	return some;
}

/* The base; false: it did not come to its end. */
static bool run_base(struct session *s, struct critical *c, struct experiment *x, enum status *st, struct error *e)
{
	experiment_base(s, x);
	x->most_cycles = s->max_cycles;
	*st = experiments_run(s, &(struct experiment_of){.launch = c->launch}, x, 1, NULL, e);
	c->measured = *st || x->state != EXPERIMENT_WAITS;
	c->alone = !*st && x->state == EXPERIMENT_DONE ? x->cycles : 0;
	return c->alone;
}

enum status parts_measure(struct session *s, struct critical *c, void (*tell)(struct session *s, u32 done, u32 n),
			  struct error *e)
{
	struct experiment base, *x = xcalloc(CRITICAL_REASONS, sizeof(*x));
	u64 sum[CRITICAL_REASONS];
	u32 reason[CRITICAL_REASONS], n = 0;
	enum status st = STATUS_OK;

	critical_sums(c, sum);
	if (run_base(s, c, &base, &st, e)) {
		for (u32 i = 0; i < CRITICAL_REASONS; i++) {
			x[n] = base;
			x[n].state = EXPERIMENT_WAITS;
			x[n].most_cycles = PATIENCE * base.ended + 1000;
			if (sum[i] * 100 >= PART_LEAST * (c->end - c->first) &&
			    part_free((enum critical_reason)i, &x[n].config))
				reason[n++] = i;
		}
		if (n)
			st = experiments_run(s, &(struct experiment_of){.launch = c->launch}, x, n, tell, e);
	}
	for (u32 i = 0; i < n; i++) {
		c->without[reason[i]] = x[i].state == EXPERIMENT_DONE ? x[i].cycles : 0;
		c->measured &= x[i].state != EXPERIMENT_WAITS;
	}
	free(x);
	return st;
}
