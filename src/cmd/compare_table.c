/* compare_table.c - `compare order=gto,lrr,rba`: a row for each machine. */

#include "columns.h"
#include "compare_words.h"
#include "settings.h"

#include <fnmatch.h>

#define MORE 8 /* columns that a pattern gives at the most */

/* A statistic of a row, NULL: it has none. */
static const struct compare_stat *stat_of(const struct compare_entry *x, const char *name)
{
	for (u32 i = 0; i < x->n; i++)
		if (!strcmp(x->stat[i].name, name))
			return &x->stat[i];
	return NULL;
}

/* Does a change leave everything as it is? */
static bool as_it_is(const struct session *s, const struct compare_change *x)
{
	struct policy_choice now;

	if (x->anew)
		now = s->policy;
	else
		policy_now(s, &now);
	for (u32 i = 0; i < x->nsettings; i++)
		if (x->setting[i].value != setting_now(s, x->setting[i].id))
			return false;
	return !x->launch && !x->other && (!x->policies || !memcmp(&now, &x->policy, sizeof(now)));
}

/* To what a machine loses more slots than the base, most of all. */
static void lost_text(const struct compare_entry *x, const struct compare_entry *base, struct text *out)
{
	double most = 0;
	u32 which = 0;

	for (u32 i = 0; i < SLOT_OUTCOME_COUNT; i++) {
		char *name = xasprintf("slots.%s", slot_outcome_table[i].name);
		const struct compare_stat *n = i == SLOT_ISSUED ? NULL : stat_of(x, name), *was = stat_of(base, name);

		if (n && was && value_as_real(n->a) - value_as_real(was->a) > most) {
			most = value_as_real(n->a) - value_as_real(was->a);
			which = i;
		}
		free(name);
	}
	if (most > 0)
		text_add(out, "%s +%s", slot_outcome_table[which].name, thousands((i64)most));
}

/* The names that a pattern gives, of the first machine that is through. */
static u32 more_names(const struct compare_entry *x, u32 n, const char *glob, const char *name[MORE])
{
	u32 found = 0;

	for (u32 i = 0; glob && i < n && !found; i++)
		for (u32 k = 0; k < x[i].n && found < MORE; k++)
			if (!fnmatch(glob, x[i].stat[k].name, 0))
				name[found++] = x[i].stat[k].name;
	return found;
}

/* A number of a row. */
static void cell(struct columns *c, const struct compare_stat *x)
{
	if (!x)
		columns_int(c, NO_NUMBER);
	else if (x->a.kind == VALUE_INT)
		columns_int(c, x->a.i);
	else
		columns_real(c, x->a.r);
}

/* Have the machines different SM clocks? */
static bool clocks_differ(const struct session *s, const struct compare_entry *x, u32 n)
{
	for (u32 i = 1; i < n; i++)
		if (compare_clock(s, &x[i].change) != compare_clock(s, &x[0].change))
			return true;
	return false;
}

/* A row: machine, cycles (and microseconds), of the base's, what it comes to. */
static void row(struct columns *c, const struct compare_entry *x, const struct compare_entry *base, bool time,
		const char *const *name, u32 names)
{
	bool through = x->state == COMPARE_DONE;
	struct text lost = {0}, machine = {0};

	text_add(&machine, "%s", safe_text(x->change.text));
	compare_gpu(c->session, &x->change, &machine);
	columns_row(c, machine.s, through ? x->cycle : NO_NUMBER);
	if (time)
		columns_real(c, through ? (double)x->cycle / compare_clock(c->session, &x->change) : NO_REAL);
	columns_row(c, through && base->state == COMPARE_DONE && base->cycle ? (double)x->cycle / (double)base->cycle
									     : NO_REAL);
	cell(c, through ? stat_of(x, "ipc") : NULL);
	cell(c, through ? stat_of(x, "l1d.hit_rate") : NULL);
	lost_text(x, base, &lost);
	columns_row(c, through && lost.s ? lost.s : "-",
		    x->state == COMPARE_REFUSED	  ? x->why.message
		    : x->state == COMPARE_STOPPED ? "interrupted"
		    : x->state != COMPARE_DONE	  ? "not run"
		    : x->judged.failed		  ? "checks fail"
						  : compare_ended(x->ended));
	for (u32 i = 0; i < names; i++)
		cell(c, through ? stat_of(x, name[i]) : NULL);
	text_free(&lost);
	text_free(&machine);
}

/* The machines on which checks fail, a line each; an error of the first of them. */
static enum status say_failed(struct session *s, const struct compare_entry *x, u32 n, struct error *e)
{
	json_t *out = session_result(s), *list = json_array();
	enum status st = STATUS_OK;

	for (u32 i = 0; i < n; i++) {
		struct text line = {0};

		judged_sentence(&x[i].judged, safe_text(x[i].change.text), true, &line);
		if (!line.s)
			continue;
		session_print(s, "%s", line.s);
		json_array_append_new(list, json_pack("{s:s,s:s}", "machine", x[i].change.text, "first",
						      safe_text(x[i].judged.first)));
		st = st ? st : judged_status(&x[i].judged, safe_text(x[i].change.text), e);
		text_free(&line);
	}
	if (st)
		json_object_set(out, "failed", list);
	json_decref(list);
	return st;
}

/* How long a machine took: microseconds, or cycles where all have the same clock. */
static double took(const struct session *s, const struct compare_entry *x, bool time)
{
	return (double)x->cycle / (time ? compare_clock(s, &x->change) : 1);
}

/* Who needs the fewest cycles, or the least time, of those whose results are right. */
static void say_fastest(struct session *s, const struct compare_entry *x, u32 n, bool time)
{
	const struct compare_entry *first = NULL, *last = NULL;

	for (u32 i = 0; i < n; i++) {
		if (x[i].state != COMPARE_DONE || x[i].ended != STOP_FINISHED || x[i].judged.failed)
			continue;
		first = !first || took(s, &x[i], time) < took(s, first, time) ? &x[i] : first;
		last = !last || took(s, &x[i], time) > took(s, last, time) ? &x[i] : last;
	}
	if (first && last && took(s, first, time) < took(s, last, time))
		session_print(s, "%s: %s; %s takes %.2f times as %s\n", time ? "least time" : "fewest cycles",
			      safe_text(first->change.text), safe_text(last->change.text),
			      took(s, last, time) / took(s, first, time), time ? "long" : "many");
}

/* The table. */
static void print_table(struct session *s, const struct compare_entry *x, u32 n, const char *glob)
{
	struct text names = {0};
	const char *name[MORE];
	u32 more = more_names(x, n, glob, name), base = 0;
	bool time = clocks_differ(s, x, n);
	struct columns c;

	while (base < n && !x[base].base)
		base++;
	text_add(&names, "machine cycles%s ratio ipc l1d.hit_rate stalls_more_on ended", time ? " us" : "");
	for (u32 i = 0; i < more; i++)
		text_add(&names, " %s", name[i]);
	columns_open(&c, s, names.s);
	for (u32 i = 0; i < n; i++)
		row(&c, &x[i], &x[base < n ? base : 0], time, name, more);
	columns_close(&c, "machines", "");
	text_free(&names);
	say_fastest(s, x, n, time);
}

/* One has ended: how far they are. */
static void tell(struct session *s, const struct compare_entry *x UNUSED, u32 done, u32 n)
{
	if (s->interactive)
		session_print(s, "%u of %u machines have finished\n", done, n);
}

/* The machine as it is, before the others. */
static void add_base(bool anew, struct compare_entry *x)
{
	*x = (struct compare_entry){.base = true};
	x->change.text = xstrdup("unchanged");
	x->change.anew = anew;
}

/* The changes, all from the same cycle: from the start if one of them is. Whether one of them changes nothing. */
static enum status read_changes(struct session *s, const struct compare_wish *w, struct compare_entry *x, bool *known,
				struct error *e)
{
	struct compare_wish wish = *w;
	enum status st = STATUS_OK;

	for (u32 i = 0; i < w->n && !st; i++) {
		compare_change_free(&x[i].change);
		st = compare_wish_change(s, &wish, i, &x[i].change, e);
		if (!st && x[i].change.anew && !wish.anew && s->moved) {
			wish.anew = true;
			i = NONE32; /* once more, from the first on */
		}
	}
	*known = false;
	for (u32 i = 0; i < w->n && !st && !*known; i++)
		*known = x[i].base = as_it_is(s, &x[i].change);
	return st;
}

enum status compare_table(struct session *s, const struct compare_wish *w, struct error *e)
{
	struct compare_entry *x = xcalloc(w->n + 1, sizeof(*x));
	bool known = false;
	enum status st = read_changes(s, w, x + 1, &known, e);
	bool read = !st, whole;

	if (read && !known)
		add_base(x[1].change.anew, x);
	whole = !read || compare_many(s, x + known, w->n + !known, &w->goal, tell);
	if (read)
		st = say_failed(s, x + known, w->n + !known, e);
	if (read)
		print_table(s, x + known, w->n + !known, w->stats);
	if (!whole)
		st = compare_stopped(s, e);
	compare_entries_free(x, w->n + 1);
	return st;
}
