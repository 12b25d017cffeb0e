/* cmd_gpu.c - gpu: a preset: settings to their defaults, then the preset's own commands. */
#include "complete.h"
#include "lang.h"
#include "paths.h"
#include "policy.h"
#include "scene.h"
#include "script.h"

#include <stdlib.h>
#include <string.h>

/* The file of a preset's name, or of a path that holds a slash or ends in .gpu; NULL with an error. */
static char *cmd_gpu_find_preset(struct session *s, const struct args *a, struct error *e)
{
	const struct token *t = &a->token[1];
	size_t n = strlen(t->s);
	struct text names = {0};
	char *relative, *path;

	if (strchr(t->s, '/') || (n > 4 && !strcmp(t->s + n - 4, ".gpu")))
		return path_resolve(s, t, false, e);
	relative = xasprintf("gpu/%s.gpu", t->s);
	path = path_find(relative);
	free(relative);
	if (!path) {
		preset_names(&names, ", ");
		usage_at(e, t->column, "unknown preset '%s' (presets: %s)", token_shown(t->s),
			 names.len ? names.s : "none found");
		text_free(&names);
	}
	return path;
}

/* All settings but those of the host to their defaults. */
static void cmd_gpu_reset_settings(struct session *s)
{
	for (u32 i = 0; i < SETTING_COUNT; i++)
		if (!(setting_table[i].flags & FLAG_HOST))
			config_set(&s->config, i, setting_table[i].def);
	policy_default(&s->policy);
}

static enum status cmd_gpu_run(struct session *s, const struct args *a, struct error *e)
{
	struct config config = s->config;
	struct policy_choice policy = s->policy;
	char *path = cmd_gpu_find_preset(s, a, e);
	enum status st;

	if (!path)
		return STATUS_USAGE;
	cmd_gpu_reset_settings(s);
	s->quiet_depth++;
	st = command_run_file(s, path, e);
	s->quiet_depth--;
	if (st) {
		s->config = config;
		s->policy = policy;
	} else {
		s->preset = s->policy;
		scene_touch(s);
		free(s->gpu);
		s->gpu = xstrdup(a->arg[0].text);
		if (s->stale && !s->quiet_depth)
			session_print(s, "takes effect at restart\n");
		if (strchr(a->arg[0].text, '/') || strstr(a->arg[0].text, ".gpu"))
			script_path(s, &a->token[1], path);
	}
	free(path);
	return st;
}

const struct command command_gpu = {
	.name = "gpu",
	.group = "setup",
	.summary = "load the settings of a GPU preset",
	.details =
		"All policies, and all settings except those of the host (engine, time), are first set to their defaults; then\n"
		"the preset's commands are run. NAME is a preset of the program, or the path of a file of `set` commands.",
	.examples = "gpu volta\ngpu ./mine.gpu",
	.flags = COMMAND_SETUP | COMMAND_READS | COMMAND_RUNS,
	.run = cmd_gpu_run,
	.arg = {{"NAME", ARG_WORD, .doc = "preset", .complete = complete_preset}},
};
