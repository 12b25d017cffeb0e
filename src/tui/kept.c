/*
 * kept.c - what the panes keep of a session: the machine of the last stop, so that what changed can be marked (a copy
 * of the block and a copy-on-write fork of the values, in memory that is used again), filters and orders, histories,
 * spark lines.
 */
#include "kept.h"

#include "data.h"
#include "floor.h"
#include "history.h"
#include "recorder.h"
#include "words.h"

/* What the panes keep of a session. */
struct panes {
	struct sim sim; /* of the last stop: copies of machine and values; the rest is borrowed from the session's */
	bool keeping, filled;
	struct session session; /* the session with that machine, for names and statistics */
	struct {
		char *filter, *sort;
	} wish[PANE_COUNT];
	struct recorder *recorder;
	struct history *history;
	struct sparks *sparks;
	struct floor *floor;
	struct data_wish data;
};

/* What is kept, made when it is first needed. */
static struct panes *panes_of(struct session *s)
{
	if (!s->panes)
		s->panes = xcalloc(1, sizeof(*s->panes));
	return s->panes;
}

struct recorder **panes_recorder(struct session *s)
{
	return &panes_of(s)->recorder;
}

struct history **panes_history(struct session *s)
{
	return &panes_of(s)->history;
}

struct sparks **panes_sparks(struct session *s)
{
	return &panes_of(s)->sparks;
}

const struct sparks *sparks_of(const struct session *s)
{
	return s->panes ? s->panes->sparks : NULL;
}

struct floor **panes_floor(struct session *s)
{
	return &panes_of(s)->floor;
}

const struct floor *floor_of(const struct session *s)
{
	return s->panes ? s->panes->floor : NULL;
}

struct data_wish *panes_data(struct session *s)
{
	return &panes_of(s)->data;
}

const struct data_wish *panes_data_now(const struct session *s)
{
	return s->panes ? &s->panes->data : NULL;
}

void panes_keep(struct session *s)
{
	panes_of(s)->keeping = true;
}

void panes_remember(struct session *s)
{
	if (!s->panes || !s->panes->keeping || !s->live)
		return;
	sim_sync(&s->sim);
	sim_replica(&s->panes->sim, &s->sim);
	s->panes->filled = true;
}

void panes_forget(struct session *s)
{
	if (!s->panes)
		return;
	sim_replica_free(&s->panes->sim);
	recorder_close(s->panes->recorder);
	history_close(s->panes->history);
	floor_forget(s->panes->floor);
	s->panes->filled = false;
}

void panes_close(struct session *s)
{
	panes_forget(s);
	if (!s->panes)
		return;
	recorder_free(s->panes->recorder);
	history_free(s->panes->history);
	sparks_free(s->panes->sparks);
	floor_free(s->panes->floor);
	for (int i = 0; i < PANE_COUNT; i++) {
		free(s->panes->wish[i].filter);
		free(s->panes->wish[i].sort);
	}
	free(s->panes);
	s->panes = NULL;
}

void *panes_new(void)
{
	return xcalloc(1, sizeof(struct panes));
}

void panes_drop(void *kept)
{
	struct session s = {.panes = kept};

	panes_close(&s);
}

bool pane_view_before(struct session *s, struct pane_view *v)
{
	struct panes *p = s->panes;

	if (!p || !p->filled || !s->live)
		return false;
	p->session = *s;
	p->session.sim = p->sim;
	view_of(&p->session, v);
	return true;
}

const char *pane_filter(const struct session *s, enum pane_id id)
{
	return s->panes ? s->panes->wish[id].filter : NULL;
}

const char *pane_sort(const struct session *s, enum pane_id id)
{
	return s->panes ? s->panes->wish[id].sort : NULL;
}

void panes_save(const struct session *s, struct text *out)
{
	const struct sparks *sparks = sparks_of(s);
	double low, high;

	for (u32 i = 0; i < sparks_count(sparks); i++)
		text_add(out, "spark %s\n", spark_text(sparks, i));
	if (floor_color(floor_of(s)) != FLOOR_KERNEL)
		text_add(out, "floor color %s\n", floor_color_text(floor_of(s)));
	if (floor_range(floor_of(s), &low, &high))
		text_add(out, "floor range %.17g %.17g\n", low, high);
	for (int i = 0; s->panes && i < PANE_COUNT; i++) {
		if (s->panes->wish[i].filter) {
			text_add(out, "filter %s ", pane_table[i]->name);
			word_add_quoted(out, s->panes->wish[i].filter);
			text_add(out, "\n");
		}
		if (s->panes->wish[i].sort) {
			text_add(out, "sort %s ", pane_table[i]->name);
			word_add_quoted(out, s->panes->wish[i].sort);
			text_add(out, "\n");
		}
	}
}

/* A wish is replaced; none and "" end it. */
static void wish_set(char **wish, const char *text)
{
	free(*wish);
	*wish = text && *text ? xstrdup(text) : NULL;
}

void pane_keep_sort(struct session *s, enum pane_id id, const char *column)
{
	wish_set(&panes_of(s)->wish[id].sort, column);
}

void pane_set_filter(struct session *s, enum pane_id id, const char *pattern)
{
	wish_set(&panes_of(s)->wish[id].filter, pattern);
}
