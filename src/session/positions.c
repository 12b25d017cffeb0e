/* positions.c - positions that are known: checkpoints by name, and the places where the machine has stood, in order. */
#include "positions.h"
#include "words.h"

const struct checkpoint *checkpoint_find(const struct session *s, const char *name)
{
	for (u32 i = 0; i < s->ncheckpoint; i++)
		if (!strcmp(s->checkpoint[i].name, name))
			return &s->checkpoint[i];
	return NULL;
}

void checkpoints_save(const struct session *s, struct text *out)
{
	for (u32 i = 0; i < s->ncheckpoint; i++) {
		const struct checkpoint *c = &s->checkpoint[i];

		text_add(out, "checkpoint ");
		word_add(out, c->name);
		text_add(out, " %llu", c->at.cycle);
		text_add(out, c->at.stage ? " -s %s\n" : "\n", stage_table[c->at.stage ? c->at.stage : 0].name);
	}
}

void checkpoint_keep(struct session *s, const char *name, struct position at)
{
	const struct checkpoint *old = checkpoint_find(s, name);

	if (old) {
		s->checkpoint[old - s->checkpoint].at = at;
		return;
	}
	s->checkpoint = xrealloc(s->checkpoint, (s->ncheckpoint + 1) * sizeof(*s->checkpoint));
	s->checkpoint[s->ncheckpoint++] = (struct checkpoint){.name = xstrdup(name), .at = at};
}

void checkpoint_drop(struct session *s, const struct checkpoint *c)
{
	u32 at = (u32)(c - s->checkpoint);

	free(s->checkpoint[at].name);
	memmove(&s->checkpoint[at], &s->checkpoint[at + 1], (--s->ncheckpoint - at) * sizeof(*s->checkpoint));
}

/* Append a place, dropping those ahead. */
static void visited_add(struct session *s, struct position p)
{
	if (s->nvisited && s->visited[s->nvisited - 1].cycle == p.cycle && s->visited[s->nvisited - 1].stage == p.stage)
		return;
	s->visited = xrealloc(s->visited, (s->nvisited + 1) * sizeof(*s->visited));
	s->visited[s->nvisited++] = p;
}

void visited_keep(struct session *s, struct position before)
{
	struct position now = session_now(s);

	if (now.cycle == before.cycle && now.stage == before.stage)
		return;
	if (s->nvisited)
		s->nvisited = s->visited_at + 1;
	visited_add(s, before);
	visited_add(s, now);
	s->visited_at = s->nvisited - 1;
}

void positions_free(struct session *s)
{
	for (u32 i = 0; i < s->ncheckpoint; i++)
		free(s->checkpoint[i].name);
	free(s->checkpoint);
	free(s->visited);
}
