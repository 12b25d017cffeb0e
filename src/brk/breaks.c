/*
 * breaks.c - the list of stops, the watcher through which the timeline asks them, and what is said and run at a stop.
 */
#include "hits.h"
#include "command.h"

#define BREAK(id) extern const struct break_kind break_kind_##id;
#include "breaks.def"
#undef BREAK

const struct break_kind *const break_kind_table[BREAK_KIND_COUNT] = {
#define BREAK(id) [BREAK_##id] = &break_kind_##id,
#include "breaks.def"
#undef BREAK
};

/* Whether the timeline has to ask this one. */
static bool armed(const struct breakpoint *p)
{
	return p->enabled && p->resolved;
}

/* Whether the cycle is one at which this one stops. */
static bool stops(const struct breakpoint *p, u64 cycle)
{
	return !p->print && hits_stop(p, cycle);
}

/* First cycle after `now` that some stop must see though nothing happens in it. */
static u64 next_cycle(const struct breaks *b, u64 now)
{
	u64 next = NEVER;

	for (u32 i = 0; i < b->n; i++)
		if (armed(b->list[i]) && b->list[i]->kind->next_cycle)
			next = min_u64(next, b->list[i]->kind->next_cycle(b->list[i], now));
	return next;
}

/* Ask every armed stop about the cycle just completed. What was a hit once is one again. */
static bool after_cycle(void *self, const struct sim *sim)
{
	struct breaks *b = self;
	u64 now = sim_clock(sim);
	bool stop = false, follows = now == b->last_cycle + 1;

	b->last_cycle = now;
	for (u32 i = 0; i < b->n; i++) {
		struct breakpoint *p = b->list[i];
		struct hit h = {.cycle = now, .record = NO_RECORD};

		if (!armed(p))
			continue;
		p->known &= follows;
		if (p->kind->check(b->session, p, sim, &h))
			hits_keep(p, &h);
		stop |= stops(p, now);
		if (p->print && b->forwards && hits_stop(p, now))
			print_hit(b->session, p, sim, hits_at(p, now));
	}
	b->watcher.next_cycle = next_cycle(b, now);
	return stop;
}

/* The machine has been put somewhere: what was remembered of the cycle before is void. */
static void placed(void *self, const struct sim *sim)
{
	struct breaks *b = self;

	b->last_cycle = sim_clock(sim);
	for (u32 i = 0; i < b->n; i++) {
		struct breakpoint *p = b->list[i];

		p->known = false;
		if (armed(p) && p->kind->placed)
			p->kind->placed(b->session, p, sim);
	}
	b->watcher.next_cycle = next_cycle(b, sim_clock(sim));
}

/* No stops yet. */
static void breaks_open(struct session *s)
{
	struct breaks *b = s->breaks = xcalloc(1, sizeof(*b));

	b->session = s;
	b->next_number = b->next_display = 1;
}

void breakpoint_free(struct breakpoint *p)
{
	expr_free(p->condition);
	expr_free(p->expr);
	print_free(p->print);
	for (u32 i = 0; i < p->ncommands; i++)
		free(p->command[i]);
	free(p->command);
	free(p->condition_text);
	free(p->name);
	free(p->text);
	free(p->hit);
	free(p->spot);
	free(p->streak);
	free(p->start);
	free(p);
}

/* Free all. */
static void breaks_close(struct session *s)
{
	struct breaks *b = s->breaks;

	for (u32 i = 0; i < b->n; i++)
		breakpoint_free(b->list[i]);
	while (b->ndisplays)
		display_delete(b, b->display[0].number);
	free(b->display);
	free(b->list);
	free(b);
	s->breaks = NULL;
}

/* Of another machine no hit is known, whoever moves it first. */
static void breaks_made(struct session *s)
{
	for (u32 i = 0; i < s->breaks->n; i++)
		hits_cut(s->breaks->list[i], 0);
	breaks_say_lost(s);
}

const struct session_part brk_part = {.open = breaks_open, .made = breaks_made, .close = breaks_close};

void breaks_forwards(struct breaks *b, bool forwards)
{
	b->forwards = forwards;
}

event_set breakpoint_events(const struct breakpoint *b)
{
	return b->kind->want ? b->kind->want(b) : b->kind->events;
}

bool breakpoint_resolve(struct session *s, struct breakpoint *p, struct error *e)
{
	p->resolved = s->live && !(p->kind->resolve && p->kind->resolve(s, p, e));
	return p->resolved;
}

const struct watcher *breaks_watcher(struct breaks *b)
{
	struct session *s = b->session;
	event_set want = 0;
	bool every = false;

	for (u32 i = 0; i < b->n; i++) {
		struct breakpoint *p = b->list[i];

		hits_cut(p, s->live ? timeline_tip(s->timeline).cycle : 0);
		if (!breakpoint_resolve(s, p, NULL) || !p->enabled)
			continue;
		want |= breakpoint_events(p);
		every |= p->kind->every_cycle;
	}
	b->watcher = (struct watcher){.after_cycle = after_cycle,
				      .self = b,
				      .want = want,
				      .every_cycle = every,
				      .next_cycle = NEVER,
				      .placed = placed};
	if (s->live)
		placed(b, &s->sim);
	return &b->watcher;
}

u64 breaks_unasked(const struct breaks *b)
{
	u64 now = timeline_now(b->session->timeline).cycle, least = NEVER;

	for (u32 i = 0; i < b->n; i++) {
		struct breakpoint *p = b->list[i];

		hits_cut(p, timeline_tip(b->session->timeline).cycle); /* what it has seen of a future that is gone */
		if (breakpoint_resolve(b->session, p, NULL) && p->enabled)
			least = min_u64(least, max_u64(p->asked, now));
	}
	return least;
}

void breaks_asked(struct breaks *b)
{
	u64 now = timeline_now(b->session->timeline).cycle;

	for (u32 i = 0; i < b->n; i++)
		if (armed(b->list[i]))
			b->list[i]->asked = max_u64(b->list[i]->asked, now);
}

/* "breakpoint 2: warp 5 ... in collector for 8 cycles (hit 3)" */
static void report_line(const struct session *s, const struct breakpoint *p, const struct hit *h, struct text *out)
{
	u64 hits = breakpoint_hits(s, p);

	text_add(out, "%s%s %u", out->len ? "; " : "", !strcmp(p->kind->name, "watch") ? "watchpoint" : "breakpoint",
		 p->number);
	text_add(out, p->name ? " (%s): " : ": ", p->name);
	p->kind->describe(s, p, h, out);
	if (h->met > 1)
		text_add(out, ", and %u more", h->met - 1);
	if (hits > 1)
		text_add(out, " (hit %llu)", hits);
}

/* Whether a line asks to go on. */
static bool continues(const char *line)
{
	char verb[32];
	const char *rest = line;

	return word_take(&rest, verb, sizeof(verb)) && command_find(verb, NULL) == command_table[COMMAND_ID_continue];
}

/* Run lines of a stop's list; they are a copy, for one of them may delete the stop. */
static enum status run_list(struct session *s, char *const *line, u32 n, const struct line_origin *from,
			    const char *name, bool *resume, struct error *e)
{
	enum status st = STATUS_OK;

	for (u32 i = 0; i < n && !st && !*resume; i++) {
		*resume = continues(line[i]);
		if (!*resume && strcmp(line[i], "silent"))
			st = s->above->run_lines(s, line[i], from, name, i + 1, e);
	}
	return st;
}

/* Copy a list, run it, free the copy. */
static enum status run_copy(struct session *s, const struct breakpoint *p, bool *resume, struct error *e)
{
	u32 n = p->ncommands;
	char **line = xmalloc(n * sizeof(*line)), name[32];
	enum status st;

	snprintf(name, sizeof(name), "commands %u", p->number);
	for (u32 i = 0; i < n; i++)
		line[i] = xstrdup(p->command[i]);
	st = run_list(s, line, n, p->commands_from, name, resume, e);
	for (u32 i = 0; i < n; i++)
		free(line[i]);
	free(line);
	return st;
}

/* `why`, `next` and the panes are then about it. */
void breakpoint_focus(struct session *s, const struct hit *h)
{
	if (h->record.warp != NONE16)
		s->focus =
			(struct focus){h->record.sm, h->record.warp % sim_config(&s->sim)->sm_subcores, h->record.warp};
}

/* Say a stop, and run its list; the stop goes if it was for once. */
static enum status report_one(struct breaks *b, struct breakpoint *p, const struct hit *h, struct text *out,
			      bool *resume, struct error *e)
{
	struct session *s = b->session;
	u32 number = p->number;
	bool temporary = p->temporary;
	enum status st = STATUS_OK;

	s->last_hits = breakpoint_hits(s, p);
	if (!p->ncommands || strcmp(p->command[0], "silent"))
		report_line(s, p, h, out);
	if (p->ncommands && !b->reporting) {
		b->reporting = true;
		st = run_copy(s, p, resume, e);
		b->reporting = false;
	}
	if (temporary)
		breaks_delete(b, number);
	return st;
}

enum status breaks_report(struct breaks *b, struct text *out, bool *resume, struct error *e)
{
	u64 now = timeline_now(b->session->timeline).cycle;
	u32 stopped[64], n = 0;
	enum status st = STATUS_OK;

	*resume = false;
	for (u32 i = 0; i < b->n && n < ARRAY_LEN(stopped); i++)
		if (armed(b->list[i]) && stops(b->list[i], now))
			stopped[n++] = b->list[i]->number;
	for (u32 i = 0; i < n && !st; i++) {
		struct breakpoint *p = breaks_find(b, stopped[i], NULL);
		struct hit *h = p ? hits_at(p, now) : NULL;

		if (h && p->kind->culprit && h->record.kind == NO_EVENT)
			p->kind->culprit(b->session, p, h);
		if (h && !i)
			breakpoint_focus(b->session, h);
		if (h)
			st = report_one(b, p, h, out, resume, e);
	}
	return st;
}

enum status breaks_number(struct breaks *b, u64 number, struct error *e)
{
	if (number < b->next_number || number >= NONE32)
		return error_set(e, STATUS_USAGE, "%llu: the number of the next breakpoint must be at least %u", number,
				 b->next_number);
	b->next_number = (u32)number;
	return STATUS_OK;
}

struct breakpoint *breaks_find(struct breaks *b, u64 number, struct error *e)
{
	for (u32 i = 0; i < b->n; i++)
		if (b->list[i]->number == number)
			return b->list[i];
	error_set(e, STATUS_FAILED, "no breakpoint %llu (`info breakpoints` lists them)", number);
	return NULL;
}

struct breakpoint *breaks_named(struct breaks *b, const char *name)
{
	for (u32 i = 0; i < b->n; i++)
		if (b->list[i]->name && !strcmp(b->list[i]->name, name))
			return b->list[i];
	return NULL;
}

void breaks_drop(struct session *s, const struct breakpoint *b)
{
	u32 number = b->number;

	breaks_delete(s->breaks, number);
	s->breaks->next_number = number;
	s->last_break = number - 1;
}

void breaks_delete(struct breaks *b, u32 number)
{
	u32 at = 0;

	while (at < b->n && b->list[at]->number != number)
		at++;
	if (at == b->n)
		return;
	breakpoint_free(b->list[at]);
	memmove(&b->list[at], &b->list[at + 1], (--b->n - at) * sizeof(*b->list));
}
