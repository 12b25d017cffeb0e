/* timeline_say.c - the timeline pane as sentences: the cycles of each warp by state, and its numbers. */
#include "machine.h"
#include "positions.h"
#include "window.h"

/* Cycles of each status of a warp as words. */
static void say_warp(struct text *out, const struct window *w, u32 warp)
{
	u32 count[WARP_STATUS_COUNT + 1] = {0}, n = 0;

	for (u64 c = w->from; c <= w->to; c++)
		count[min_u32(history_status(w->h, c, warp), WARP_STATUS_COUNT)]++;
	text_add(out, "warp %u:", warp);
	for (u32 i = 0; i < WARP_STATUS_COUNT; i++)
		if (count[i])
			text_add(out, "%s %s %u", n++ ? "," : "", warp_status_table[i].name, count[i]);
	text_add(out, ".\n");
}

/* Cycles of each outcome of a scheduler as words. */
static void say_scheduler(struct text *out, const struct window *w, u32 sched)
{
	u32 count[SLOT_OUTCOME_COUNT + 1] = {0}, n = 0, each = w->v->sim->m->config.sm_schedulers;

	for (u64 c = w->from; c <= w->to; c++)
		count[min_u32(history_outcome(w->h, c, sched), SLOT_OUTCOME_COUNT)]++;
	text_add(out, "slot of sub-core %u scheduler %u:", sched / each, sched % each);
	for (u32 i = 0; i < SLOT_OUTCOME_COUNT; i++)
		if (count[i])
			text_add(out, "%s %s %u", n++ ? "," : "", slot_outcome_table[i].name, count[i]);
	text_add(out, ".\n");
}

/* The checkpoints in the window. */
static void say_checkpoints(struct text *out, const struct window *w)
{
	const struct session *s = w->v->session;

	for (u32 i = 0; i < s->ncheckpoint; i++)
		if (s->checkpoint[i].at.cycle >= w->from && s->checkpoint[i].at.cycle <= w->to)
			text_add(out, "checkpoint %s at cycle %llu.\n", safe_text(s->checkpoint[i].name),
				 s->checkpoint[i].at.cycle);
}

/* Instructions of the SM per cycle, over the window. */
static void say_ipc(struct text *out, const struct window *w)
{
	u64 issued = 0;

	for (u64 c = w->from; c <= w->to; c++)
		issued += history_issued(w->h, c);
	text_add(out, "ipc: %.3f on average.\n", (double)issued / (double)(w->to - w->from + 1));
}

/* A spark line in words. */
static void say_spark(struct text *out, const struct window *w, u32 i)
{
	u32 last = window_columns(w) - 1;
	double least = window_spark(w, i, 0), most = least;

	for (u32 x = 1; x <= last; x++) {
		double value = window_spark(w, i, x);

		least = value < least ? value : least;
		most = value > most ? value : most;
	}
	text_add(out, "%s: from %.4g to %.4g, last %.4g.\n", safe_text(spark_text(sparks_of(w->v->session), i)), least,
		 most, window_spark(w, i, last));
}

/* What the critical path is spent on in the window. */
static void say_path(struct text *out, const struct window *w)
{
	const struct critical *c = window_path(w);
	u64 sum[CRITICAL_REASONS] = {0}, any = 0;

	for (u64 t = w->from; c && t <= w->to; t++) {
		const struct critical_stretch *a = critical_at(c, t);

		if (a)
			sum[a->reason]++;
	}
	for (u32 k = 0; k < CRITICAL_REASONS; k++)
		if (sum[k])
			text_add(out, "%s%s %llu", any++ ? ", " : "critical path in cycles: ", critical_table[k].name,
				 sum[k]);
	text_add(out, "%s", any ? "\n" : "");
}

/* What hangs in the window on the answer that `effects` was asked for. */
static void say_cone(struct text *out, const struct window *w)
{
	const struct cone *c = window_cone(w);
	u32 any = 0;

	if (!c)
		return;
	text_add(out, "events that depend on the answer of warp %u of SM %u (issued in cycle %llu, answered in %llu):",
		 c->warp, c->sm, c->issued, c->answered);
	for (u32 i = 0; i < w->nwarps; i++) {
		const struct effect *first;
		u32 n = cone_events(c, w->sm, w->warp[i], w->from, w->to, &first);

		if (n)
			text_add(out, "%s warp %u %u from cycle %llu", any++ ? "," : "", w->warp[i], n, first->at);
	}
	text_add(out, "%s.\n", any ? "" : " none in these cycles");
}

void timeline_say(struct text *out, const struct pane_view *v)
{
	struct window w;
	bool holds;
	u64 slots;

	if (!window_open(&w, v, v->width, true)) {
		text_add(out, "timeline: no cycle has run yet (try `step`).\n");
		return;
	}
	slots = window_slots(&w, &holds);
	text_add(out, "timeline of SM %u", w.sm);
	if (w.home)
		text_add(out, " parent warp %u", context_parent(v->sim->m, v->focus.warp));
	else if (!w.all)
		text_add(out, " sub-core %u", w.sub);
	text_add(out, ", cycles %llu to %llu, %u per column, now %llu. %u warps, issue slots %llu, %s.\n", w.from, w.to,
		 1u << w.zoom, w.now, w.nwarps, slots, holds ? "correct" : "wrong");
	for (u32 i = 0; i < w.nwarps; i++)
		say_warp(out, &w, w.warp[i]);
	for (u32 i = 0; i < v->sim->m->schedulers; i++)
		say_scheduler(out, &w, i);
	say_ipc(out, &w);
	say_checkpoints(out, &w);
	for (u32 i = 0; i < sparks_count(sparks_of(v->session)); i++)
		say_spark(out, &w, i);
	say_path(out, &w);
	say_cone(out, &w);
}

/* The spark lines by their text. */
static json_t *sparks_json(const struct window *w)
{
	const struct sparks *l = sparks_of(w->v->session);
	json_t *o = json_object();

	for (u32 i = 0; i < sparks_count(l); i++) {
		json_t *line = json_array();

		for (u32 x = 0; x < window_columns(w); x++)
			json_array_append_new(line, json_real(window_spark(w, i, x)));
		json_object_set_new(o, spark_text(l, i), line);
	}
	return o;
}

/* Letters of a row as a string. */
static json_t *letters(const struct window *w, u32 thing, bool outcome)
{
	struct text t = {0};
	json_t *o;

	for (u32 x = 0; x < window_columns(w); x++) {
		u32 kind = outcome ? window_outcome(w, thing, x) : window_status(w, thing, x);
		bool none = kind >= (outcome ? (u32)SLOT_OUTCOME_COUNT : (u32)WARP_STATUS_COUNT);

		text_add(&t, "%c",
			 none	   ? ' '
			 : outcome ? slot_outcome_table[kind].letter
				   : warp_status_table[kind].letter);
	}
	o = json_string(t.s ? t.s : "");
	text_free(&t);
	return o;
}

/* What the critical path is spent on, a letter for each column. */
static json_t *path_json(const struct window *w)
{
	struct text t = {0};
	json_t *o;

	for (u32 x = 0; x < window_columns(w); x++) {
		const struct critical_stretch *a = window_stretch(w, x);

		text_add(&t, "%c", a ? critical_table[a->reason].letter : ' ');
	}
	o = json_string(t.s ? t.s : "");
	text_free(&t);
	return o;
}

/* Why events of each warp hang on the answer, a letter for each column; warps without any are left out. */
static json_t *cone_json(const struct window *w)
{
	json_t *o = json_object();

	for (u32 i = 0; i < w->nwarps; i++) {
		struct text t = {0};
		char name[16];
		u32 n = 0;

		for (u32 x = 0; x < window_columns(w); x++) {
			const struct effect *effect;

			n += window_effects(w, w->warp[i], x, &effect);
			text_add(&t, "%c", effect ? effect_table[effect->edge].letter : ' ');
		}
		snprintf(name, sizeof(name), "%u", w->warp[i]);
		if (n)
			json_object_set_new(o, name, json_string(t.s));
		text_free(&t);
	}
	return o;
}

json_t *timeline_data(const struct pane_view *v)
{
	u32 n = v->sim->m->config.sm_schedulers;
	json_t *o, *warps, *slots, *ipc;
	struct window w;
	char name[16];

	if (!window_open(&w, v, 80, false))
		return json_object();
	warps = json_object();
	slots = json_array();
	ipc = json_array();
	for (u32 i = 0; i < w.nwarps; i++) {
		snprintf(name, sizeof(name), "%u", w.warp[i]);
		json_object_set_new(warps, name, letters(&w, w.warp[i], false));
	}
	for (u32 i = 0; i < n; i++)
		json_array_append_new(slots, letters(&w, w.sub * n + i, true));
	for (u32 x = 0; x < window_columns(&w); x++)
		json_array_append_new(ipc, json_real(window_ipc(&w, x)));
	o = json_pack("{s:I,s:I,s:i,s:o,s:o,s:o}", "from", (json_int_t)w.from, "to", (json_int_t)w.to, "cycles",
		      1 << w.zoom, "warps", warps, "slots", slots, "ipc", ipc);
	if (window_path(&w))
		json_object_set_new(o, "path", path_json(&w));
	if (window_cone(&w))
		json_object_set_new(o, "cone", cone_json(&w));
	if (sparks_count(sparks_of(v->session)))
		json_object_set_new(o, "sparks", sparks_json(&w));
	return o;
}
