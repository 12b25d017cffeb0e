/*
 * study_losses.c - why a kernel takes longer with less to hold it back (experiments.h).
 *
 * A limit that holds warps back also spreads them: some are ahead, some behind, and while one group waits the other
 * computes. Without it they arrive together, wait together, and the kernel takes longer. That depends on who issues, so
 * it is tried: the same limit is lifted where warps take turns (lrr), which lets no warp get ahead. If it no longer
 * takes longer there, the order of issues is the reason. Else an event may be: those of which there are more are named.
 */
#include "experiments.h"
#include "schemes.h"

#define LOSES 1.0 /* percent: what takes longer by less is no loss */
#define MORE 0.05 /* part by which there must be more events */

static const char *const event_text[COUNTED_EVENTS] = {
#define EVENT(id, text) [COUNTED_##id] = text,
#include "limit_events.def"
#undef EVENT
};

bool study_loses(const struct study *t, const struct finding *f)
{
	return f->x.state == EXPERIMENT_DONE && study_share(t, f) <= -LOSES;
}

/* Is it for people to read: alone, or of a pair that hides? */
static bool is_shown(const struct study *t, const struct finding *f)
{
	return study_loses(t, f) && (f->b == STUDY_NONE || f->hides);
}

/* Do warps take turns as it is? */
static bool takes_turns(const struct study *t)
{
	u64 order = t->base.policy.in[POLICY_order];

	return order && !strcmp(scheme_table[order - 1]->name, "lrr");
}

/* Put what has come into the findings. */
static void take(struct study *t, const struct experiment *x)
{
	const struct experiment *base = x++;

	for (u32 i = 0; i < t->n; i++) {
		struct finding *f = &t->found[i];

		if (!is_shown(t, f))
			continue;
		f->judged = base->state == EXPERIMENT_DONE && x->state == EXPERIMENT_DONE;
		f->other_base = base->cycles;
		f->other_cycles = x->cycles;
		t->stopped |= x->state == EXPERIMENT_WAITS;
		x++;
	}
}

enum status study_losses(struct session *s, struct study *t, void (*tell)(struct session *s, u32 done, u32 n),
			 struct error *e)
{
	struct experiment *x = xcalloc(t->n + 1, sizeof(*x));
	enum status st = STATUS_OK;
	struct error unused;
	u32 n = 1;

	t->other = takes_turns(t) ? "order=gto" : "order=lrr";
	experiment_base(s, &x[0]);
	for (u32 i = 0; i < t->n; i++) {
		if (!is_shown(t, &t->found[i]))
			continue;
		experiment_base(s, &x[n]);
		x[n++].config = t->found[i].x.config;
	}
	for (u32 i = 0; i < n; i++) {
		x[i].most_cycles = t->found[0].x.most_cycles;
		if (limit_choose(s, t->other, &x[i].policy, &unused))
			x[i].state = EXPERIMENT_REFUSED;
	}
	if (n > 1)
		st = experiments_run(s, &t->of, x, n, tell, e);
	take(t, x);
	free(x);
	return st;
}

/* Of the first n events the one of which there are more by the largest share, COUNTED_EVENTS: none. */
static u32 most_more(const struct experiment *base, const struct experiment *x, u32 n)
{
	u32 most = COUNTED_EVENTS;
	double by = MORE;

	for (u32 i = 0; i < n; i++) {
		double more = (double)x->event[i] - (double)base->event[i];

		/* Few events are not worth the cycles that are lost. */
		if (more < (double)(x->cycles - base->cycles) / 100 || more <= by * (double)base->event[i])
			continue;
		by = more / (double)(base->event[i] ? base->event[i] : 1);
		most = i;
	}
	return most;
}

/* "16 instead of 4" */
static void add_two(struct text *out, u64 n, const char *between, u64 m)
{
	char first[32], second[32];

	text_add(out, "%s%s%s", grouped((i64)n, first), between, grouped((i64)m, second));
}

/* Issue slots in all. */
static u64 all_slots(const struct experiment *x)
{
	u64 n = 0;

	for (u32 i = 0; i < SLOT_OUTCOME_COUNT; i++)
		n += x->slots[i];
	return n;
}

/* Nothing that is counted happens more often: it is a matter of when. What most of the slots that are lost wait for;
 * not where the limit was that of slots, so that there are others. */
static void add_slots(const struct study *t, const struct finding *f, struct text *out)
{
	const struct experiment *a = &t->base, *b = &f->x;
	u64 more = 0;
	u32 most = SLOT_ISSUED;

	for (u32 i = 0; i < SLOT_OUTCOME_COUNT; i++)
		if (i != SLOT_ISSUED && b->slots[i] > a->slots[i] + more) {
			more = b->slots[i] - a->slots[i];
			most = i;
		}
	text_add(out, "events as before, in another order");
	if (!more || all_slots(b) / max_u64(b->cycles, 1) != all_slots(a) / max_u64(a->cycles, 1))
		return;
	text_add(out, "; slots with outcome %s: ", slot_outcome_table[most].name);
	add_two(out, b->slots[most], " instead of ", a->slots[most]);
}

void study_loss(const struct study *t, const struct finding *f, struct text *out)
{
	i64 there = (i64)f->other_base - (i64)f->other_cycles, lost = -f->saved;
	bool order = f->judged && -there * 4 < lost;
	u32 event = most_more(&t->base, &f->x, order ? COUNTED_BANKS : COUNTED_EVENTS);

	if (order) {
		bool ahead = !takes_turns(t) && t->base.cycles < f->other_base;

		text_add(out, "%s: with %s, ", ahead ? "warps lose their stagger" : "only in this order of issues",
			 t->other);
		add_two(out, f->other_cycles, " cycles instead of ", f->other_base);
	}
	if (event < COUNTED_EVENTS) {
		text_add(out, "%s%s: ", order ? "; " : "", event_text[event]);
		add_two(out, f->x.event[event], " instead of ", t->base.event[event]);
	} else if (!order) {
		add_slots(t, f, out);
	}
}
