/* info_settings.c - info settings: every setting, its value, default and range. */
#include "info.h"

#include <fnmatch.h>

/* Whether the machine that is there has another value than the next will have. */
static bool info_settings_differs(const struct session *s, enum setting_id id)
{
	return s->live && !(setting_table[id].flags & FLAG_HOST) &&
	       config_get(sim_config(&s->sim), id) != config_get(&s->config, id);
}

/* One row; pending: with the value after a restart. */
static void info_settings_row(struct columns *c, const struct session *s, enum setting_id id, bool pending)
{
	const struct setting *x = &setting_table[id];
	const struct config *config = s->live && !(x->flags & FLAG_HOST) ? sim_config(&s->sim) : &s->config;
	struct text range = {0};
	char text[32];

	setting_values(id, &range);
	columns_row(c, x->name, setting_text(id, config_get(config, id), text));
	if (pending && info_settings_differs(s, id))
		columns_text(c, setting_text(id, config_get(&s->config, id), text));
	else if (pending)
		columns_int(c, NO_NUMBER);
	columns_row(c, setting_text(id, x->def, text), x->unit, range.s);
	text_free(&range);
	columns_row(c, x->flags & FLAG_LAYOUT ? "restart" : x->flags & FLAG_HOST ? "host" : "now", x->doc);
}

/* info settings [GLOB] */
static enum status info_settings_run(struct session *s, const struct token *token, u32 ntokens, struct error *e)
{
	struct columns c;
	enum status st = ntokens ? info_alone(token + 1, ntokens - 1, e) : STATUS_OK;
	char family[160];
	bool pending = false;

	if (st)
		return st;
	for (u32 i = 0; i < SETTING_COUNT; i++)
		pending |= info_settings_differs(s, (enum setting_id)i);
	columns_open(&c, s,
		     pending ? "setting value after_restart default unit range takes_effect doc"
			     : "setting value default unit range takes_effect doc");
	if (ntokens)
		snprintf(family, sizeof(family), strpbrk(token->s, "*?[.") ? "%s" : "%s.*", token->s);
	for (int i = 0; i < SETTING_COUNT; i++)
		if (!ntokens || !fnmatch(family, setting_table[i].name, 0))
			info_settings_row(&c, s, (enum setting_id)i, pending);
	columns_close(&c, "settings", "no setting matches");
	return STATUS_OK;
}

const struct info info_settings = {
	.name = "settings",
	.usage = "[GLOB]",
	.doc = "settings: value, value after a restart if different, unit, range, when a change takes effect",
	.run = info_settings_run,
};
