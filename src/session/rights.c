/* rights.c - where lines come from, and what they may do by that (rights.h). */
#include "rights.h"

const struct line_origin rights_user = {.dir = "."};

/* Are two texts the same, or both none? */
static bool same(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

const struct line_origin *rights_keep(struct session *s, const struct line_origin *o)
{
	struct line_origin *kept;

	if (o == &rights_user)
		return o;
	for (u32 i = s->nline_origins; i--;)
		if (s->line_origin[i]->behalf == o->behalf && same(s->line_origin[i]->root, o->root) &&
		    same(s->line_origin[i]->dir, o->dir))
			return s->line_origin[i];
	kept = xmalloc(sizeof(*kept));
	*kept = (struct line_origin){
		.dir = xstrdup(o->dir), .root = o->root ? xstrdup(o->root) : NULL, .behalf = o->behalf};
	s->line_origin = xrealloc(s->line_origin, (s->nline_origins + 1) * sizeof(struct line_origin *));
	return s->line_origin[s->nline_origins++] = kept;
}

/* Is all that lines of `runs` may read bounded for those of `kept`, too? */
static bool bounds(const struct line_origin *kept, const struct line_origin *runs)
{
	for (; runs; runs = runs->behalf) {
		const struct line_origin *o = kept;

		while (o && !same(o->root, runs->root))
			o = o->behalf;
		if (!o)
			return false;
	}
	return true;
}

const struct line_origin *rights_meet(struct session *s, const struct line_origin *kept, const struct line_origin *runs)
{
	struct line_origin both = *kept;

	if (!kept->root)
		return runs;
	if (!runs->root || bounds(kept, runs))
		return kept;
	both.behalf = kept->behalf ? rights_meet(s, kept->behalf, runs) : rights_keep(s, runs);
	return rights_keep(s, &both);
}

const struct line_origin *rights_now(const struct session *s)
{
	return s->source ? s->source->from : &rights_user;
}

bool rights_full(const struct session *s, const struct line_origin *o)
{
	return s->trust || !o->root;
}

void rights_free(struct session *s)
{
	for (u32 i = 0; i < s->nline_origins; i++) {
		free((char *)(uintptr_t)s->line_origin[i]->dir);
		free((char *)(uintptr_t)s->line_origin[i]->root);
		free(s->line_origin[i]);
	}
	free(s->line_origin);
	s->line_origin = NULL;
	s->nline_origins = 0;
}

bool rights_may_read(const struct session *s, const struct line_origin *o, const char *path)
{
	if (rights_full(s, o))
		return true;
	for (; o; o = o->behalf)
		if (!path_is_below(path, o->root))
			return false;
	return true;
}

bool rights_writes(const struct command *c, const struct args *a)
{
	for (u32 i = 0; i < MAX_ARGS && c->arg[i].type != ARG_END; i++)
		if (c->arg[i].type == ARG_OUTPUT && c->arg[i].optional && !a->arg[i].present)
			return false;
	return c->flags & COMMAND_WRITES;
}

enum status rights_command(const struct session *s, const struct command *c, const struct args *a, struct error *e)
{
	if (!rights_writes(c, a) || rights_full(s, rights_now(s)))
		return STATUS_OK;
	return failed_at(e, a->token[0].column,
			 "%s: a file of commands may not write files (type the command, or start with --trust)",
			 c->name);
}

enum status rights_read(const struct session *s, const struct token *t, const char *path, struct error *e)
{
	if (rights_may_read(s, rights_now(s), path))
		return STATUS_OK;
	return usage_at(e, t->column,
			"%s: outside the directory of the scenario (start with --trust to let it read there)",
			token_shown(t->s));
}
