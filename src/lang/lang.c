/* lang.c - what the language keeps of a session: made with it, freed with it. */
#include "lang.h"

#include "undo.h"

static void lang_open(struct session *s)
{
	s->lang = xcalloc(1, sizeof(*s->lang));
}

static void lang_close(struct session *s)
{
	struct lang *l = s->lang;

	kept_free(&l->finally);
	kept_free(&l->job);
	for (u32 i = 0; i < l->ndefinition; i++) {
		free(l->definition[i].name);
		free(l->definition[i].doc);
		kept_free(&l->definition[i].body);
	}
	for (u32 i = 0; i < l->nalias; i++) {
		free(l->aliases[i].name);
		free(l->aliases[i].line);
	}
	free(l->definition);
	free(l->aliases);
	lines_free(l->open_file, l->nopen);
	undo_forget(s);
	free(l->undo);
	json_decref(l->found);
	free(l);
	s->lang = NULL;
}

const struct session_part lang_part = {.open = lang_open, .close = lang_close};
