/* compare_print.c - what `compare` prints (compare_words.h). */
#include "compare_words.h"

#include "columns.h"
#include "gpu_slice.h"
#include "runs.h"
#include "tui.h"
#include "why.h"

#include <fnmatch.h>

#define ROWS 10 /* of the table, where none is asked for by name */

const char *compare_ended(enum stop_kind why)
{
	switch (why) {
	case STOP_FINISHED: return "finished";
	case STOP_FAULT: return "fault";
	case STOP_DEADLOCK: return "deadlock";
	case STOP_LIVELOCK: return "livelock";
	case STOP_TARGET: return "reached";
	default: return "running";
	}
}

/* --- the table --- */

/* Is a statistic shown? */
static bool row_shown(const struct compare_stat *x, const char *glob, u32 n)
{
	if (glob)
		return !fnmatch(glob, x->name, 0);
	return x->weight > 0 && n < ROWS;
}

/* One row of the table. */
static void row_print(struct session *s, const struct compare_stat *x)
{
	char a[40], b[40], d[40], ratio[32];

	compare_value_text(x, x->a, a);
	compare_value_text(x, x->b, b);
	compare_difference_text(x, d);
	compare_ratio_text(x, ratio);
	session_print(s, "%-26s %13s %13s %13s%s%s\n", x->name, a, b, d, *ratio ? "  " : "", ratio);
}

/* The same as JSON. */
static json_t *row_json(const struct compare_stat *x)
{
	double a = value_as_real(x->a), b = value_as_real(x->b);
	json_t *o = json_object();

	member_text(o, "name", x->name);
	json_object_set_new(o, "a", value_json(x->a));
	json_object_set_new(o, "b", value_json(x->b));
	json_object_set_new(o, "difference",
			    value_json(x->a.kind == VALUE_INT ? value_int(x->b.i - x->a.i) : value_real(b - a)));
	json_object_set_new(o, "ratio", a > 0 || a < 0 ? json_real(b / a) : json_null());
	if (x->share)
		member_real(o, "points", 100 * (b - a));
	return o;
}

/* The rows. How many there are of what differs that are not shown. */
static u32 rows_print(struct session *s, const struct compare *c, const char *glob)
{
	json_t *out = session_result(s), *list = out ? json_array() : NULL;
	u32 n = 0, shown = 0;

	for (u32 i = 0; i < c->nstats; i++) {
		if (!row_shown(&c->stat[i], glob, n))
			continue;
		if (!n++)
			session_print(s, "%-26s %13s %13s %13s  %s\n", "statistic", "A", "B", "difference", "B/A");
		row_print(s, &c->stat[i]);
		shown += c->stat[i].weight > 0;
		json_array_append_new(list, row_json(&c->stat[i]));
	}
	json_object_set_new(out, "statistics", list);
	if (!n && glob)
		session_print(s, "no statistic matches %s\n", safe_text(glob));
	return c->differ - shown;
}

/* --- the sentences --- */

/* A statistic of both by name, NULL: there is none. */
static const struct compare_stat *stat_named(const struct compare *c, const char *name)
{
	for (u32 i = 0; i < c->nstats; i++)
		if (!strcmp(c->stat[i].name, name))
			return &c->stat[i];
	return NULL;
}

/* Where most of the scheduler slots are that one side lost and the other did not. */
static void add_slots(struct text *out, const struct compare *c, bool slower)
{
	const char *most = NULL;
	i64 all = 0, largest = 0;

	for (u32 i = 0; i < SLOT_OUTCOME_COUNT; i++) {
		char *name = xasprintf("slots.%s", slot_outcome_table[i].name);
		const struct compare_stat *x = i == SLOT_ISSUED ? NULL : stat_named(c, name);
		i64 more = x ? (slower ? x->b.i - x->a.i : x->a.i - x->b.i) : 0;

		free(name);
		all += more;
		if (more > largest) {
			largest = more;
			most = slot_outcome_table[i].name;
		}
	}
	if (!most || all <= 0)
		return;
	text_add(out, ": its schedulers lose %s %s issue slots", thousands(all), slower ? "more" : "fewer");
	if (largest <= all)
		text_add(out, ", %.0f %% to %s", 100.0 * (double)largest / (double)all, most);
	else
		text_add(out, ": %s %s attributed to %s, offset by %s with other outcomes", thousands(largest),
			 slower ? "more" : "fewer", most, thousands(largest - all));
	text_add(out, " (`explain slots.%s`)", most);
}

/* How the sides ended, where that is not the end of their kernels: bad ends, or goals that were reached. */
static void say_stops(struct session *s, const struct compare *c, bool bad)
{
	for (u32 i = 0; i < 2; i++) {
		if (c->ended[i] == STOP_FINISHED || c->ended[i] == STOP_NONE || (c->ended[i] != STOP_TARGET) != bad)
			continue;
		session_print(s, "%c %s in cycle %s%s%s\n", 'A' + (int)i,
			      c->ended[i] == STOP_TARGET     ? "reached its goal"
			      : c->ended[i] == STOP_LIVELOCK ? "loops forever (proven livelock)"
			      : c->ended[i] == STOP_FAULT    ? "ends in a fault"
							     : "ends in a deadlock",
			      thousands((i64)c->end[i]), c->ended_text[i] ? ": " : "",
			      c->ended_text[i] ? c->ended_text[i] : "");
	}
}

/* What B's change came to. */
static void say_ends(struct session *s, const struct compare *c)
{
	i64 more = (i64)c->end[COMPARE_B] - (i64)c->end[COMPARE_A];
	u32 clock[] = {c->side[0].session.config.gpu_clock, c->side[1].session.config.gpu_clock};
	struct text line = {0};

	say_stops(s, c, false);
	if (!more || c->ended[0] != c->ended[1] || c->ended[0] == STOP_NONE)
		return;
	text_add(&line, "B takes %s %s cycles (%.2fx)", thousands(more < 0 ? -more : more), more < 0 ? "fewer" : "more",
		 (double)c->end[COMPARE_B] / (double)max_u64(c->end[COMPARE_A], 1));
	if (clock[0] != clock[1])
		text_add(&line, ", in time %.2fx (SM clocks of %u and %u MHz)",
			 (double)c->end[COMPARE_B] * clock[0] / ((double)max_u64(c->end[COMPARE_A], 1) * clock[1]),
			 clock[0], clock[1]);
	if (c->judged[COMPARE_B].failed)
		text_add(&line, ", but its checks fail");
	add_slots(&line, c, more > 0);
	session_print(s, "%s\n", line.s);
	text_free(&line);
}

u32 compare_clock(const struct session *s, const struct compare_change *x)
{
	return compare_config(s, x).gpu_clock;
}

void compare_gpu(const struct session *s, const struct compare_change *x, struct text *out)
{
	struct text here = {0}, there = {0};
	struct config c = compare_config(s, x);

	gpu_words(&s->gpu, &s->config, &here);
	if (x->other)
		gpu_words(&x->other->gpu, &c, &there);
	if (there.len && (!here.len || strcmp(here.s, there.s) != 0))
		text_add(out, " (%s)", there.s);
	text_free(&here);
	text_free(&there);
}

/* The heading: what is compared, from where. */
static void say_heading(struct session *s, const struct compare *c)
{
	const struct run *run = strncmp(c->change.text, "run ", 4) ? NULL : runs_present(s);
	struct text on = {0}, other = {0}, a = {0};

	if (run)
		runs_text(s, run, &a);
	gpu_words(c->change.anew ? &s->gpu : &s->made, &c->side[COMPARE_A].session.config, &on);
	compare_gpu(s, &c->change, &other);
	session_print(s, "A %s%s%s%s | B %s%s   from %s%s", a.len ? a.s : "unchanged", on.len ? " (" : "",
		      on.len ? on.s : "", on.len ? ")" : "", safe_text(c->change.text), other.len ? other.s : "",
		      c->change.anew ? "the start" : "cycle ", c->change.anew ? "" : thousands((i64)c->from.cycle));
	text_free(&other);
	text_free(&a);
	if (c->ended[0] == STOP_FINISHED && c->ended[1] == STOP_FINISHED)
		session_print(s, " to the end\n");
	else
		session_print(s, " to cycle %s and %s\n", thousands((i64)c->end[0]), thousands((i64)c->end[1]));
	text_free(&on);
	if (c->ahead)
		session_print(s, "changes made during the run%s (%u) are left out of both\n",
			      c->change.anew ? "" : " after this cycle", c->ahead);
}

/* --- JSON --- */

/* What one side did where they part. */
static json_t *issue_json(const struct compare_issue *x)
{
	json_t *o = json_object();

	json_object_set_new(o, "warp", x->warp == NONE32 ? json_null() : json_integer(x->warp));
	json_object_set_new(o, "pc", x->pc == NONE32 ? json_null() : json_integer(x->pc));
	member_text(o, "instruction", x->text.s);
	json_object_set_new(o, "line", *x->place ? json_string(x->place) : json_null());
	json_object_set_new(o, "outcome",
			    x->outcome < SLOT_OUTCOME_COUNT ? json_string(slot_outcome_table[x->outcome].name)
							    : json_null());
	return o;
}

/* One side: where it has come to, and its checks, if there are any. */
static json_t *side_json(const struct compare *c, u32 side)
{
	const struct judged *j = &c->judged[side];
	json_t *o = json_object();

	member_int(o, "cycle", c->end[side]);
	member_text(o, "ended", compare_ended(c->ended[side]));
	if (!j->passed && !j->failed)
		return o;
	member_int(o, "passed", j->passed);
	member_int(o, "failed", j->failed);
	return o;
}

/* The comparison without its statistics. */
static void print_json(json_t *out, const struct compare *c, const char *fails, const char *sentence)
{
	const struct compare_parting *p = &c->parting;
	char *text = xasprintf("%s%s", fails, sentence);

	member_text(out, "change", safe_text(c->change.text));
	member_int(out, "from", c->from.cycle);
	member_bool(out, "from_start", c->change.anew);
	for (u32 i = 0; i < 2; i++)
		json_object_set_new(out, i ? "b" : "a", side_json(c, i));
	member_int(out, "differ", c->differ);
	member_text(out, "text", text);
	free(text);
	json_object_set_new(out, "parting", p->found ? json_object() : json_null());
	if (!p->found)
		return;
	out = json_object_get(out, "parting");
	member_int(out, "cycle", p->cycle);
	member_int(out, "sm", p->sm);
	member_int(out, "subcore", p->sub);
	member_int(out, "scheduler", p->sched);
	json_object_set_new(out, "a", issue_json(&p->side[COMPARE_A]));
	json_object_set_new(out, "b", issue_json(&p->side[COMPARE_B]));
}

void compare_print(struct session *s, struct compare *c, const char *glob)
{
	struct text sentence = {0}, fails = {0};
	u32 more;

	for (u32 i = 0; i < 2; i++)
		judged_sentence(&c->judged[1 - i], i ? "A" : "B", true, &fails);
	compare_sentence(c, &sentence);
	if (session_result(s))
		print_json(session_result(s), c, fails.s ? fails.s : "", sentence.s);
	session_print(s, "%s", fails.s ? fails.s : "");
	say_stops(s, c, true);
	say_heading(s, c);
	more = rows_print(s, c, glob);
	if (!c->differ)
		session_print(s, "no statistic differs\n");
	else if (more && !glob)
		session_print(s, "%u more statistics differ: `compare stats *`\n", more);
	say_ends(s, c);
	session_print(s, "%s\n", sentence.s);
	if (c->parting.found)
		session_print(s, "see also: `goto difference`, `compare why`, `layout compare`, `compare %s`\n",
			      c->change.other ? "lines" : "swap");
	text_free(&sentence);
	text_free(&fails);
}

/* --- why, side by side --- */

/* The next piece of a text that `width` columns hold, cut at a blank; *at moves on. */
static void piece(const char **at, u32 width, struct text *out)
{
	size_t line = strcspn(*at, "\n"), n = line, depth = strspn(*at, " ");

	text_clear(out);
	if (n > width) {
		for (n = width; n > depth && (*at)[n] != ' '; n--)
			;
		n = n > depth ? n : width;
	}
	text_addn(out, *at, n);
	*at += n;
	while (n < line && **at == ' ')
		(*at)++;
	if (**at == '\n')
		(*at)++;
}

/* Two texts beside each other. */
static void print_beside(struct session *s, const char *a, const char *b)
{
	u32 width = (max_u32(desk_drawn(s), 5) - 3) / 2;
	struct text left = {0}, right = {0};

	session_print(s, "%-*s | %s\n", (int)width, "A", "B");
	while (*a || *b) {
		piece(&a, width, &left);
		piece(&b, width, &right);
		session_print(s, "%-*s | %s\n", (int)width, left.s ? left.s : "", right.s ? right.s : "");
	}
	text_free(&left);
	text_free(&right);
}

/* `why slot` of one side. */
static void why_side(struct compare *c, u32 side, struct text *out, json_t *result)
{
	const struct compare_parting *p = &c->parting;
	struct sim sim;

	compare_at(c, side, p->cycle, &sim);
	if (p->sm >= sim_config(&sim)->gpu_sms || p->sub >= sim_config(&sim)->sm_subcores ||
	    p->sched >= sim_config(&sim)->sm_schedulers)
		text_add(out, "no scheduler %u.%u on SM %u\n", p->sub, p->sched, p->sm);
	else if (sim_clock(&sim) < p->cycle)
		text_add(out, "finished in cycle %llu\n", sim_clock(&sim));
	else
		why_slot(&c->side[side].session, &sim, p->sm, p->sub, p->sched, out, result);
	sim_close(&sim);
}

enum status compare_print_why(struct session *s, struct compare *c, struct error *e)
{
	json_t *out = session_result(s);
	struct text text[2] = {{0}, {0}};

	if (!c->parting.found)
		return error_set(e, STATUS_FAILED, "the runs do not differ: no cycle to explain");
	compare_refresh(s, c);
	for (u32 i = 0; i < 2; i++) {
		json_t *side = out ? json_object() : NULL;

		why_side(c, i, &text[i], side);
		json_object_set_new(out, i ? "b" : "a", side);
	}
	if (s->plain)
		session_print(s, "A: %sB: %s", text[0].s ? text[0].s : "\n", text[1].s ? text[1].s : "\n");
	else
		print_beside(s, text[0].s ? text[0].s : "", text[1].s ? text[1].s : "");
	text_free(&text[0]);
	text_free(&text[1]);
	return STATUS_OK;
}
