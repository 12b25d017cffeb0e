/* status.c - the line at the top and the hints at the bottom; where there is little room the least important parts go.
 */
#include "command.h"
#include "desk.h"
#include "lesson.h"
#include "settings.h"

#include "policy.h"

#define MAX_FIELDS 12

/* A part of the status line. */
struct field_text {
	char text[64];
	enum style style;
	u32 rank;
	bool right;
};

/* The launch to speak of: the focused warp's, else the first that is not done. */
static u32 launch_shown(const struct session *s)
{
	const struct launch_run *run = machine_gpu_section(s->sim.m, SECTION_LAUNCH);
	const struct focus *f = &s->focus;
	u32 n = s->program.nlaunch, i = 0;

	if (f->sm < s->sim.m->config.gpu_sms && f->warp < s->sim.m->contexts) {
		const struct warp *w = (const struct warp *)machine_sm_section(s->sim.m, f->sm, SECTION_WARP) + f->warp;

		if (w->cta != NONE16 && w->launch < n)
			return w->launch;
	}
	while (i + 1 < n && run[i].state == LAUNCH_DONE)
		i++;
	return i;
}

/* CTAs retired of all, in percent. */
static u32 progress(const struct session *s)
{
	const struct launch_run *run = machine_gpu_section(s->sim.m, SECTION_LAUNCH);
	u64 done = 0, all = 0;

	for (u32 i = 0; i < s->program.nlaunch; i++) {
		all += s->program.launch[i].ctas;
		done += run[i].state == LAUNCH_DONE ? s->program.launch[i].ctas : run[i].finished;
	}
	return all ? (u32)(done * 100 / all) : 0;
}

/* The word for what the machine does. */
static const char *state_word(struct session *s, enum style *style)
{
	*style = STYLE_TITLE;
	if (desk_of(s)->running)
		return s->doing[0] ? s->doing : "running: any key pauses";
	if (!s->live)
		return "no machine";
	if (sim_faulted(&s->sim) || sim_deadlocked(&s->sim)) {
		*style = STYLE_BAD;
		return sim_faulted(&s->sim) ? "fault" : "deadlock";
	}
	return sim_finished(&s->sim) ? "finished" : "stopped";
}

/* Add a field; rank: the higher, the sooner it goes. */
static void PRINTF_LIKE(5, 6) add(struct field_text *f, u32 *n, u32 rank, enum style style, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(f[*n].text, sizeof(f->text), fmt, ap);
	va_end(ap);
	f[*n].rank = rank;
	f[(*n)++].style = style;
}

/* The scheduling policies: of warps, and of gangs. */
static void add_policies(struct field_text *f, u32 *n, const struct policy_choice *p)
{
	u64 gang = policy_in(p, POLICY_gang);
	const char *order = scheme_table[__builtin_ctzll(policy_in(p, POLICY_order))]->name;

	if (gang)
		add(f, n, 6, STYLE_PLAIN, "%s gang %s", order, scheme_table[__builtin_ctzll(gang)]->name);
	else
		add(f, n, 6, STYLE_PLAIN, "%s", order);
}

/* The fields in their order. */
static u32 fields(struct session *s, struct field_text *f)
{
	const struct desk *d = desk_of(s);
	const char *base = s->scenario ? strrchr(s->scenario, '/') : NULL;
	struct policy_choice p;
	enum style style;
	const char *state = state_word(s, &style);
	char cycle[32];
	u32 n = 0;

	memset(f, 0, MAX_FIELDS * sizeof(*f));
	policy_now(s, &p);
	add(f, &n, 9, STYLE_TITLE, "warpstep");
	if (s->live) {
		u32 k = launch_shown(s);

		add(f, &n, 3, STYLE_PLAIN, "%.30s",
		    k < s->program.nlaunch ? safe_text(s->program.launch[k].name) : "-");
		add(f, &n, 7, STYLE_PLAIN, "%.16s %u SM%s", safe_text(s->made.name), s->sim.m->config.gpu_sms,
		    s->sim.m->config.gpu_sms == 1 ? "" : "s");
		add_policies(f, &n, &p);
		grouped((i64)session_now(s).cycle, cycle);
		if (session_now(s).stage)
			add(f, &n, 0, STYLE_TITLE, "cycle %s %s", cycle, stage_table[session_now(s).stage].name);
		else
			add(f, &n, 0, STYLE_TITLE, "cycle %s", cycle);
		add(f, &n, 5, STYLE_PLAIN, "kernel %u", k);
		add(f, &n, 4, STYLE_PLAIN, "%u %%", progress(s));
	} else if (s->scenario) {
		add(f, &n, 3, STYLE_PLAIN, "%.40s", safe_text(base ? base + 1 : s->scenario));
	}
	add(f, &n, 2, d->keys ? STYLE_BARRIER : STYLE_PLAIN, d->keys ? "KEYS" : "prompt");
	f[n - 1].right = true;
	add(f, &n, 1, style, "%s", state);
	f[n - 1].right = true;
	return n;
}

/* The columns that the fields take. */
static u32 fields_width(const struct canvas *c, const struct field_text *f, u32 n)
{
	u32 width = 0;

	for (u32 i = 0; i < n; i++)
		width += canvas_columns(c, f[i].text) + 2;
	return width;
}

void status_draw(struct session *s, struct canvas *c, u32 y)
{
	struct field_text f[MAX_FIELDS];
	u32 n = fields(s, f), x = 1, right = c->width;

	while (n > 1 && fields_width(c, f, n) > c->width) {
		u32 worst = 0;

		for (u32 i = 1; i < n; i++)
			if (f[i].rank > f[worst].rank)
				worst = i;
		n--;
		memmove(&f[worst], &f[worst + 1], (n - worst) * sizeof(*f));
	}
	for (u32 i = 0; i < n; i++)
		if (f[i].right)
			right -= min_u32(right, canvas_columns(c, f[i].text) + 2);
	for (u32 i = 0; i < n; i++) {
		if (f[i].right) {
			canvas_text_at(c, right, y, f[i].style, f[i].text);
			right += canvas_columns(c, f[i].text) + 2;
		} else {
			x = canvas_text_at(c, x, y, f[i].style, f[i].text) + 2;
		}
	}
}

/* One hint; 0 if it does not fit any more. */
static u32 hint(struct canvas *c, u32 x, u32 y, const char *key, const char *word)
{
	u32 end = x + canvas_columns(c, key) + 1 + canvas_columns(c, word);

	if (end >= c->width)
		return 0;
	x = canvas_text_at(c, x, y, STYLE_KEY, key) + 1;
	return canvas_text_at(c, x, y, STYLE_PLAIN, word) + 2;
}

/* --- what fits the moment --- */

enum moment {
	MOMENT_EMPTY,
	MOMENT_START,
	MOMENT_STOP,
	MOMENT_FAULT,
	MOMENT_DEADLOCK,
	MOMENT_END,
	MOMENT_QUESTION,
	MOMENT_COUNT
};

#define MOMENT_KEYS 4

static const struct {
	const char *type; /* at the prompt: commands to type; NULL: those of the focused pane */
	struct {
		const char *name, *word;
	} key[MOMENT_KEYS]; /* in single-key mode: keys that come first */
	const char *hidden; /* keys that lead nowhere now, with blanks around */
} moment_row[MOMENT_COUNT] = {
	[MOMENT_EMPTY] = {"help, source FILE, module FILE.ptx, help launch",
			  {{":", "prompt"}},
			  " s S n c w y H G b u "},
	[MOMENT_START] = {"step, next, continue, run, break, tip",
			  {{"s", "step"}, {"n", "next"}, {"c", "continue"}, {"r", "run"}},
			  " S u y H G "},
	[MOMENT_STOP] = {NULL, {{NULL, NULL}}, " y H G "},
	[MOMENT_FAULT] = {"info faults, reverse-step, why, restart",
			  {{"S", "back"}, {"C", "last stop"}, {"w", "why"}, {"R", "restart"}},
			  " s n c y H G "},
	[MOMENT_DEADLOCK] = {"info deadlock, why, reverse-continue, restart",
			     {{"w", "why"}, {"S", "back"}, {"C", "last stop"}, {"R", "restart"}},
			     " s n c y H G "},
	[MOMENT_END] = {"stats, limits, critical, reverse-continue, goto 0",
			{{"S", "back"}, {"C", "last stop"}, {"R", "restart"}, {"9", "statistics"}},
			" s n c w y H G "},
	[MOMENT_QUESTION] = {
		"answer VALUE, hint, give up, lesson", {{"y", "answer"}, {"H", "hint"}, {"G", "give up"}}, " "}};

/* The moment that the session is in. */
static enum moment moment_of(const struct session *s)
{
	if (lesson_hides(s))
		return MOMENT_QUESTION;
	if (!s->live)
		return MOMENT_EMPTY;
	if (sim_faulted(&s->sim))
		return MOMENT_FAULT;
	if (sim_deadlocked(&s->sim))
		return MOMENT_DEADLOCK;
	if (sim_finished(&s->sim))
		return MOMENT_END;
	return session_now(s).cycle ? MOMENT_STOP : MOMENT_START;
}

/* Does a key lead nowhere now? */
static bool key_is_hidden(const struct session *s, enum moment m, const struct key_row *k)
{
	char name[20];

	snprintf(name, sizeof(name), " %s ", k->name);
	return m == MOMENT_QUESTION ? key_waits(s, k) : *k->where ? false : strstr(moment_row[m].hidden, name) != NULL;
}

/* Key i of those that come first; NULL: there is none, or it does something else here. In a lecture one that answers
 * has another name. */
static const struct key_row *first_key(struct session *s, enum moment m, u32 i)
{
	const char *name = moment_row[m].key[i].name;
	bool answers = name && desk_of(s)->present && !strcmp(name, "y");
	const struct key_row *k = name ? key_find(s, answers ? "a" : name) : NULL;

	return k && (!*k->where || answers) && strcmp(k->doc, KEY_BOUND) != 0 && key_works(k) ? k : NULL;
}

/* Is a key one of them? */
static bool key_is_first(struct session *s, enum moment m, const struct key_row *k)
{
	for (u32 i = 0; i < MOMENT_KEYS; i++) {
		const char *name = moment_row[m].key[i].name;

		if (first_key(s, m, i) == k || (name && !strcmp(name, k->name) && !*k->where))
			return true;
	}
	return false;
}

/* Commands to type at the prompt: what goes on with a lesson first, alone where there is no room for more. */
static const char *typed_hint(const struct session *s, const struct canvas *c, const char *type, char out[128])
{
	bool open = lesson_open(s) != NULL;
	const char *next = open ? "answer FILE" : "lesson next";

	if (open ? lesson_hides(s) : !lesson_goes_on(s->lesson))
		return type;
	snprintf(out, 128, "%s, %s", next, type);
	return strlen("type ") + strlen(out) + 1 < c->width ? out : next;
}

/* At the prompt: commands that fit the moment, and how to get on from here. */
static void hints_prompt(const struct session *s, struct canvas *c, u32 y, const struct pane *pane)
{
	enum moment m = moment_of(s);
	bool chosen = m == MOMENT_START && pane != pane_table[PANE_warps]; /* a pane that the user has chosen */
	const char *type = chosen ? NULL : moment_row[m].type;
	char both[128];
	const struct {
		const char *key, *word;
	} row[] = {{"type", typed_hint(s, c, type ? type : pane->ask, both)},
		   {"Esc", "single keys"},
		   {"F1", "all keys"},
		   {"Tab", "complete"},
		   {"Enter", "repeat"},
		   {"^R", "search"},
		   {"PgUp", "scroll"},
		   {"^D", "quit"},
		   {"^L", "redraw"}};
	u32 x = 1;

	for (u32 i = 0; i < ARRAY_LEN(row) && x; i++)
		x = hint(c, x, y, row[i].key, row[i].word);
}

/* In single-key mode: keys that fit the moment, the focused pane's, then those that work everywhere. */
static void hints_keys(struct session *s, struct canvas *c, u32 y)
{
	const struct desk *d = desk_of(s);
	enum moment m = d->present && !lesson_open(s) ? MOMENT_STOP : moment_of(s);
	u32 x = 1;

	for (u32 i = 0; i < MOMENT_KEYS && x; i++) {
		const struct key_row *k = first_key(s, m, i);

		if (k)
			x = hint(c, x, y, k->name, moment_row[m].key[i].word);
	}
	for (u32 pass = 0; pass < 2 && x; pass++) /* the pane's own first */
		for (u32 i = 0; i < d->nkeys && x; i++) {
			const struct key_row *k = &d->key[i];

			if (k->hint && (*k->where != '\0') != pass && key_find(s, k->name) == k && key_works(k) &&
			    !key_is_hidden(s, m, k) && !key_is_first(s, m, k))
				x = hint(c, x, y, k->name, k->hint);
		}
}

void hints_draw(struct session *s, struct canvas *c, u32 y)
{
	const struct desk *d = desk_of(s);
	u32 x = 1;

	if (d->overlay) {
		x = hint(c, x, y, "Esc", "close");
		if (d->overlay == OVERLAY_LIST && x)
			x = hint(c, x, y, "Enter", "run");
		if (d->overlay == OVERLAY_LIST && x)
			hint(c, x, y, "letters", "search");
	} else if (!d->keys) {
		hints_prompt(s, c, y, pane_table[d->focus]);
	} else if (d->present && d->message[0]) {
		canvas_text_at(c, 1, y, STYLE_PLAIN, d->message);
	} else {
		hints_keys(s, c, y);
	}
}
