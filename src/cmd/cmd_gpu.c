/* cmd_gpu.c - gpu: a preset: settings to their defaults, then the preset's own commands; a slice of it. */
#include "complete.h"
#include "gpu_slice.h"
#include "lang.h"
#include "paths.h"
#include "schemes.h"
#include "rights.h"
#include "scene.h"
#include "script.h"

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

/* The words behind the preset. *sms: how many of its SMs; 0: all. */
static enum status cmd_gpu_words(const struct args *a, u64 *sms, struct error *e)
{
	*sms = 0;
	if (!a->arg[1].present)
		return STATUS_OK;
	if (strcmp(a->arg[1].text, "sms"))
		return usage_at(e, a->arg[1].column, "unexpected '%s' (usage: `gpu %s sms N`)",
				token_shown(a->arg[1].text), token_shown(a->arg[0].text));
	if (!a->arg[2].present)
		return usage_at(e, a->arg[1].column, "gpu: missing number of SMs (usage: `gpu %s sms N`)",
				token_shown(a->arg[0].text));
	*sms = a->arg[2].number;
	if (!*sms)
		return usage_at(e, a->arg[2].column, "gpu: N must be at least 1 SM");
	return STATUS_OK;
}

/* The settings that the preset has made are those of a whole GPU: take a slice of it. */
static enum status cmd_gpu_slice(struct session *s, const struct args *a, u64 sms, struct error *e)
{
	struct config whole = s->config;
	struct gpu_choice gpu = {.whole = whole.gpu_sms, .slice = whole.gpu_sms, .bandwidth = dram_bandwidth(&whole)};
	struct text says = {0};

	if (sms > whole.gpu_sms)
		return usage_at(e, a->arg[2].column, "gpu: preset %s has %u SM%s, not %llu",
				token_shown(a->arg[0].text), whole.gpu_sms, whole.gpu_sms == 1 ? "" : "s", sms);
	if (sms) {
		gpu.slice = (u32)sms;
		gpu_slice_take(&s->config, gpu.slice);
		gpu_slice_words(&whole, &s->config, &says);
		if (!s->quiet_depth && !rights_now(s)->root)
			session_print(s, "gpu %s sms %u: %s\n", token_shown(a->arg[0].text), gpu.slice, says.s);
		member_text(session_result(s), "slice", says.s);
		text_free(&says);
	}
	snprintf(gpu.name, sizeof(gpu.name), "%s", a->arg[0].text);
	s->gpu = gpu;
	return STATUS_OK;
}

static enum status cmd_gpu_run(struct session *s, const struct args *a, struct error *e)
{
	struct config config = s->config;
	struct policy_choice policy = s->policy;
	struct gpu_choice gpu = s->gpu;
	enum status st;
	char *path;
	u64 sms;

	st = cmd_gpu_words(a, &sms, e);
	if (st)
		return st;
	path = cmd_gpu_find_preset(s, a, e);
	if (!path)
		return STATUS_USAGE;
	cmd_gpu_reset_settings(s);
	s->quiet_depth++;
	st = command_run_file(s, path, e);
	s->quiet_depth--;
	if (!st)
		st = cmd_gpu_slice(s, a, sms, e);
	if (st) {
		s->config = config;
		s->policy = policy;
		s->gpu = gpu;
	} else {
		s->preset = s->policy;
		scene_touch(s);
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
	.summary = "load the settings of a GPU preset, or of a GPU slice",
	.details =
		"All policies, and all settings except those of the host (engine, time), are first set to their defaults; then\n"
		"the preset's commands are run. NAME is a preset of the program, or the path of a file of `set` commands. With\n"
		"`sms N` the machine is a GPU slice: N of the preset's SMs with their part of the L2 slices, the DRAM channels\n"
		"and the rate of CTA dispatch. Each SM has about the bandwidth and the L2 capacity that it has on the whole GPU.\n"
		"A kernel whose grid is smaller in the same proportion therefore has the same limits, and is simulated faster.\n"
		"`set gpu.sms N` changes only the number of SMs: they share the memory system of the whole GPU. If the whole\n"
		"numbers of channels and L2 slices are off by more than a tenth, clocks and l2.bytes correct that. The command\n"
		"prints what the GPU slice has.",
	.examples = "gpu volta\ngpu volta sms 5\ngpu ./mine.gpu",
	.flags = COMMAND_SETUP | COMMAND_READS | COMMAND_RUNS,
	.run = cmd_gpu_run,
	.arg = {{"NAME", ARG_WORD, .doc = "preset", .complete = complete_preset},
		{"sms", ARG_WORD, .doc = "`sms N` for a GPU slice of N SMs", .complete = complete_slice,
		 .optional = true},
		{"N", ARG_NUMBER, .doc = "SMs of the GPU slice", .optional = true}},
};
