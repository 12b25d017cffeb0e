/* when.c - an expression in every cycle of a window, as stretches (when.h). */
#include "when.h"

#include "machine.h"

/* The expression in the cycle at which the fork of `then` stands. */
static bool holds(struct session *then, const struct expr *x, struct when *w)
{
	struct error e = {0};
	struct value v;

	if (!expr_eval(then, x, NULL, &v, &e))
		return value_true(v);
	if (!w->without++)
		w->why = e;
	return false;
}

/* A stretch is over. */
static void keep(struct when *w, struct when_stretch x)
{
	if (!w->n++)
		w->first = x;
	w->last = x;
	w->cycles += x.to - x.from + 1;
	if (w->n == 1 || x.to - x.from > w->longest.to - w->longest.from)
		w->longest = x;
	if (w->nkept == WHEN_KEPT)
		return;
	w->kept = array_grow(w->kept, w->nkept, sizeof(*w->kept));
	w->kept[w->nkept++] = x;
}

/* Cycle by cycle, from where the fork stands. */
static void look(struct session *then, const struct expr *x, u32 *applied, struct when *w)
{
	struct sim *sim = &then->sim;
	struct when_stretch open = {NEVER, 0};

	for (u64 c = w->from;; c++) {
		if (holds(then, x, w)) {
			open = open.from == NEVER ? (struct when_stretch){c, c} : (struct when_stretch){open.from, c};
		} else if (open.from != NEVER) {
			keep(w, open);
			open.from = NEVER;
		}
		if (c == w->to)
			break;
		timeline_follow(then->timeline, sim, applied, (struct position){c + 1, 0});
		if (machine_gpu(sim->m)->cycle != c + 1 || machine_gpu(sim->m)->stage)
			w->to = c;
		if (w->to == c)
			break;
	}
	if (open.from != NEVER)
		keep(w, open);
}

enum status when_find(struct session *s, const struct expr *x, u64 from, u64 to, struct when *out, struct error *e)
{
	struct session then = *s;
	enum status st = STATUS_OK;
	u64 now;
	u32 applied;

	*out = (struct when){.from = from, .to = to};
	then.functional = NULL;
	timeline_enable(s->timeline); /* looking back is cheaper with keyframes */
	timeline_fork(s->timeline, (struct position){from, 0}, &then.sim, &applied);
	then.sim.bus.want = 0;
	now = machine_gpu(then.sim.m)->cycle;
	if (now == from)
		look(&then, x, &applied, out);
	else
		st = error_set(e, STATUS_FAILED, "no cycle %llu: the program ends in cycle %llu", from, now);
	sim_close(&then.sim);
	return timeline_interrupt ? error_set(e, STATUS_FAILED, "interrupted") : st;
}

void when_free(struct when *w)
{
	free(w->kept);
}
