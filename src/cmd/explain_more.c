/*
 * explain_more.c - more about settings and events: values, ranges, where a number comes from, its name in another
 * profiler; and about commands, panes and published mechanisms what their rows say.
 */
#include "explain.h"
#include "gpu_slice.h"
#include "mechanisms.h"
#include "pane.h"
#include "paths.h"
#include "stats.h"

#include <fnmatch.h>

const char *nsight_name(const char *prefix, const char *name)
{
	static const struct {
		const char *pattern, *metric;
	} row[] = {
#define NSIGHT(pattern, metric) {pattern, metric},
#include "nsight.def"
#undef NSIGHT
	};
	char full[160];

	snprintf(full, sizeof(full), "%s%s", prefix, name);
	for (u32 i = 0; i < ARRAY_LEN(row); i++)
		if (!fnmatch(row[i].pattern, full, 0))
			return row[i].metric;
	return "none";
}

void explain_count(struct session *s, const char *group, const char *name, json_t *entry)
{
	struct text line = {0};
	char full[96];
	struct value v;

	snprintf(full, sizeof(full), "%s.%s", group, name);
	text_add(&line, "%s", full);
	if (stat_get(s, full, &v)) {
		text_add(&line, " = ");
		value_format(v, 0, &line);
	}
	explain_line(s, entry, "counted", line.s);
	text_free(&line);
}

/* What the preset in force says behind `set NAME VALUE`: its source, "" if nothing; false: it does not set the setting.
 */
static bool preset_says(struct session *s, const char *setting, const char *value, struct text *out)
{
	const char *gpu = strchr(s->gpu.name, '/') ? "" : s->gpu.name; /* a path is none of ours */
	char *relative = xasprintf("gpu/%s.gpu", gpu), *path = *gpu ? path_find(relative) : NULL;
	FILE *file = path ? fopen(path, "r") : NULL;
	char line[400], name[64], number[64];
	bool found = false;

	while (file && fgets(line, sizeof(line), file)) {
		const char *comment = strchr(line, '#');

		if (sscanf(line, "set %63s %63s", name, number) != 2 || strcmp(name, setting) || strcmp(number, value))
			continue;
		found = true;
		text_clear(out);
		if (comment)
			text_add_safe(out, comment + 1 + strspn(comment + 1, " "),
				      strcspn(comment + 1 + strspn(comment + 1, " "), "\n"));
	}
	if (file)
		fclose(file);
	free(path);
	free(relative);
	return found;
}

/* Where a setting's number comes from. */
static void setting_source(struct session *s, enum setting_id id, const char *now, bool is_default, json_t *entry)
{
	const struct setting *x = &setting_table[id];
	struct text says = {0}, line = {0};

	if (preset_says(s, x->name, now, &says))
		text_add(&line, "preset %s%s%s", safe_text(s->gpu.name), says.len ? ": " : "", says.len ? says.s : "");
	else if (s->gpu.slice < s->gpu.whole && gpu_slice_sets(id))
		text_add(&line, "the GPU slice (`gpu %s sms %u`), or `set`", safe_text(s->gpu.name), s->gpu.slice);
	else
		text_add(&line, "%s", is_default ? "default" : "`set`, or an earlier preset");
	explain_line(s, entry, "source", line.s);
	text_free(&says);
	text_free(&line);
}

/* The words of a setting that takes no number. */
static void setting_words(struct session *s, enum setting_id id, json_t *entry)
{
	struct text words = {0};

	setting_values(id, &words);
	explain_line(s, entry, "values", words.s);
	text_free(&words);
}

/* Its value, default, range and when a change takes effect. */
void explain_setting(struct session *s, const struct topic *t, json_t *entry)
{
	const struct setting *x = &setting_table[t->index];
	const struct config *config = s->live && !(x->flags & FLAG_HOST) ? sim_config(&s->sim) : &s->config;
	enum setting_id id = (enum setting_id)t->index;
	char text[64];

	explain_line(s, entry, "now", setting_text(id, config_get(config, id), text));
	setting_source(s, id, text, config_get(config, id) == x->def, entry);
	if (config_get(config, id) != config_get(&s->config, id))
		explain_line(s, entry, "restart", setting_text(id, config_get(&s->config, id), text));
	explain_line(s, entry, "default", setting_text(id, x->def, text));
	if (x->kind == KIND_NUMBER) {
		snprintf(text, sizeof(text), "%u to %u", x->min, x->max);
		explain_line(s, entry, "range", text);
	} else if (x->kind != KIND_TABLE) {
		setting_words(s, id, entry);
	}
	explain_line(s, entry, "change",
		     x->flags & FLAG_LAYOUT ? "takes effect at `restart`"
		     : x->flags & FLAG_HOST ? "has no effect on results"
					    : "takes effect immediately; recorded in the timeline");
	explain_line(s, entry, "nsight", nsight_name("set ", x->name));
}

/* The names of its two numbers. */
void explain_event(struct session *s, const struct topic *t, json_t *entry)
{
	const struct event_row *row = &event_table[t->index];
	char text[96];

	if (row->a[0]) {
		snprintf(text, sizeof(text), "%s%s%s", row->a, row->b[0] ? ", " : "", row->b);
		explain_line(s, entry, "numbers", text);
	}
	explain_count(s, "events", t->name, entry);
	explain_line(s, entry, "nsight", nsight_name("events.", t->name));
}

/* How it is written, and where more of it stands. */
void explain_command(struct session *s, const struct topic *t, json_t *entry)
{
	const struct command *c = command_table[t->index];
	struct text usage = {0};
	char help[80];

	command_usage(c, &usage);
	explain_line(s, entry, "usage", usage.s);
	if (c->alias)
		explain_line(s, entry, "short", c->alias);
	explain_line(s, entry, "group", c->group);
	snprintf(help, sizeof(help), "help %s", c->name);
	explain_line(s, entry, "see", help);
	text_free(&usage);
}

/* How it is shown, and what can be asked of it. */
void explain_pane(struct session *s, const struct topic *t, json_t *entry)
{
	const struct pane *p = pane_table[t->index];
	char show[80];

	snprintf(show, sizeof(show), "show %s", p->name);
	explain_line(s, entry, "usage", show);
	if (p->ask)
		explain_line(s, entry, "ask", p->ask);
}

/* What it is for, how it works, where to see it, and who wrote of it. */
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
