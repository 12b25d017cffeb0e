/* unsaved.c - what leaving would lose: stops, checkpoints and inputs since they were saved, or since the sitting began.
 */
#include "lang.h"

#include "breaks.h"
#include "positions.h"
#include "rights.h"
#include "script.h"

/* The commands that make stops, displays and checkpoints anew. */
static char *stops_now(const struct session *s)
{
	struct text out = {0};

	breaks_save(s->breaks, &out);
	checkpoints_save(s, &out);
	return out.s;
}

/* Are two texts the same, NULL an empty one? */
static bool is_same(const char *a, const char *b)
{
	return !strcmp(a ? a : "", b ? b : "");
}

void unsaved_none(struct session *s)
{
	free(s->saved.stops);
	s->saved.stops = stops_now(s);
	s->saved.script = s->nscript;
}

/* "2 stops", behind what stands there already. */
static void add_number(struct text *out, u32 n, const char *noun)
{
	if (n)
		text_add(out, "%s%u %s%s", out->len ? ", " : "", n, noun, plural(n));
}

/* Inputs since then that the user has given; those of files and lessons are not lost. */
static u32 inputs_typed(const struct session *s)
{
	u32 n = 0;

	for (u32 i = s->saved.script; i < s->nscript; i++)
		n += *s->script[i].text && (!s->script[i].from || !s->script[i].from->root);
	return n;
}

bool unsaved_any(const struct session *s, struct text *what)
{
	char *stops = stops_now(s);
	bool same = is_same(stops, s->saved.stops);

	free(stops);
	if (!same) {
		add_number(what, s->breaks->n, "stop");
		add_number(what, s->breaks->ndisplays, "display");
		add_number(what, s->ncheckpoint, "checkpoint");
	}
	add_number(what, inputs_typed(s), "input");
	return what->len > 0;
}
