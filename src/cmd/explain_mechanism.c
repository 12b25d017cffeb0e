/* explain_mechanism.c - what a published mechanism is for, how it works, where to see it, and who wrote of it. */
#include "explain.h"
#include "mechanisms.h"

bool explain_each_mechanism(u32 i, struct topic *t)
{
	if (i >= mechanism_count)
		return false;
	*t = (struct topic){
		.kind = "mechanism", .name = mechanism_table[i].name, .doc = mechanism_table[i].title, .index = i};
	return true;
}

void explain_mechanism(struct session *s, const struct topic *t, json_t *entry)
{
	const struct mechanism *m = &mechanism_table[t->index];
	struct text effect = {0};

	text_add(&effect, "in scenarios/%s, `%s`: %s", m->scenario, m->commands, m->effect);
	explain_line(s, entry, "problem", m->problem);
	explain_line(s, entry, "idea", m->idea);
	explain_line(s, entry, "command", m->policy);
	explain_line(s, entry, "effect", effect.s);
	explain_line(s, entry, "paper", m->paper);
	text_clear(&effect);
	text_add(&effect, "warpstep scenarios/%s", m->lesson);
	explain_line(s, entry, "lesson", effect.s);
	text_free(&effect);
}
