/* unmet.c - stops that cannot stop: those for which the machine has no place, and those that a whole run did not meet.
 */
#include "breaks.h"

#define SAID_MOST 4

/* "breakpoint 1 (stall long for 200)" */
static void say_name(const struct breakpoint *b, struct text *out)
{
	text_add(out, "breakpoint %u (", b->number);
	breakpoint_text(b, out);
	text_add(out, ")");
}

void breaks_say_lost(struct session *s)
{
	for (u32 i = 0; i < s->breaks->n; i++) {
		struct breakpoint *b = s->breaks->list[i];
		struct text name = {0};
		struct error e = {0};

		if (!b->kind->resolve || breakpoint_resolve(s, b, &e) || !b->enabled)
			continue;
		say_name(b, &name);
		session_print(s, "%s will not stop: %s\n", name.s, e.message);
		text_free(&name);
	}
}

/* Whether a stop was never met, though it could. */
static bool unmet(const struct session *s, const struct breakpoint *b)
{
	return b->enabled && b->resolved && !b->print && !breakpoint_hits(s, b);
}

void breaks_say_unmet(struct session *s)
{
	u32 said = 0;

	for (u32 i = 0; i < s->breaks->n && said < SAID_MOST; i++) {
		const struct breakpoint *b = s->breaks->list[i];
		const char *why = b->kind->unmet ? b->kind->unmet(s) : NULL;
		struct text name = {0};

		if (!unmet(s, b))
			continue;
		said++;
		say_name(b, &name);
		if (b->longest && b->longest < b->length)
			session_print(s, "%s was not hit: the longest lasted %u cycle%s\n", name.s, b->longest,
				      plural(b->longest));
		else
			session_print(s, "%s was not hit%s%s\n", name.s, why ? ": " : "", why ? why : "");
		text_free(&name);
	}
}
