/*
 * session.c - one sitting: the machine made from the scene, people's text, times, how a machine ended.
 */
#include "breaks.h"
#include "repl.h"

#include "observe.h"
#include "pane.h"
#include "policy.h"
#include "tui.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

void session_open(struct session *s)
{
	struct repl *r = xcalloc(1, sizeof(*r));

	*s = (struct session){.out = stdout, .repl = r};
	config_default(&s->config);
	policy_default(&s->policy);
	s->breaks = breaks_open(s);
}

/* Free what the language keeps of a session. */
static void repl_free(struct repl *r)
{
	scene_free(&r->scene);
	kept_free(&r->finally);
	for (u32 i = 0; i < r->ndefinition; i++) {
		free(r->definition[i].name);
		free(r->definition[i].doc);
		kept_free(&r->definition[i].body);
	}
	for (u32 i = 0; i < r->nscript; i++)
		free(r->script[i].text);
	for (u32 i = 0; i < r->ncheckpoint; i++)
		free(r->checkpoint[i].name);
	for (u32 i = 0; i < r->nalias; i++) {
		free(r->aliases[i].name);
		free(r->aliases[i].line);
	}
	free(r->checkpoint);
	free(r->aliases);
	lines_free(r->open_file, r->nopen);
	if (r->log)
		fclose(r->log);
	free(r->definition);
	free(r->script);
	free(r->undo);
	free(r->place);
	free(r->path_to);
	free(r->gpu);
	free(r);
}

void session_close(struct session *s)
{
	breaks_close(s->breaks);
	panes_close(s);
	desk_free(s);
	console_free(s);
	scene_unbuild(s);
	free(s->program.buffer);
	free(s->program.module);
	session_forget_functional(s);
	lines_free(s->note, s->nnotes);
	free(s->scenario);
	if (s->result)
		json_decref(s->result);
	repl_free(s->repl);
	*s = (struct session){0};
}

void session_print(struct session *s, const char *fmt, ...)
{
	struct text line = {0};
	va_list ap;

	va_start(ap, fmt);
	text_addv(&line, fmt, ap);
	va_end(ap);
	fwrite(line.s, 1, line.len, s->out);
	if (repl_of(s)->log)
		fwrite(line.s, 1, line.len, repl_of(s)->log);
	console_add(s, line.s, line.len);
	text_free(&line);
}

json_t *session_result(struct session *s)
{
	if (!s->json)
		return NULL;
	if (!s->result)
		s->result = json_object();
	return s->result;
}

const struct store *session_store(const struct session *s)
{
	return s->functional ? s->functional : &s->sim.store;
}

bool session_checkpoint(const struct session *s, u32 i, const char **name, struct position *at)
{
	const struct repl *r = repl_of(s);

	if (i >= r->ncheckpoint)
		return false;
	*name = r->checkpoint[i].name;
	*at = r->checkpoint[i].at;
	return true;
}

bool session_place(const struct session *s, u32 i, struct position *at)
{
	const struct repl *r = repl_of(s);

	if (i >= r->nplace)
		return false;
	*at = r->place[i];
	return true;
}

void session_forget_functional(struct session *s)
{
	if (!s->functional)
		return;
	store_free(s->functional);
	free(s->functional);
	s->functional = NULL;
}

void session_apply_host(struct session *s)
{
	u32 before = s->sim.shadow;

	if (!s->live)
		return;
	for (u32 i = 0; i < SETTING_COUNT; i++)
		if (setting_table[i].flags & FLAG_HOST)
			config_set(&s->sim.m->config, (enum setting_id)i, config_get(&s->config, (enum setting_id)i));
	sim_host_settings(&s->sim);
	timeline_budget(s->timeline, (u64)s->config.time_budget << 20, s->config.time_interval);
	if (s->sim.shadow & ~before)
		timeline_again(s->timeline);
}

/* A machine from the scene, at cycle 0. */
static enum status make(struct session *s, struct error *e)
{
	struct repl *r = repl_of(s);
	enum status st;

	if (!r->scene.nlaunch && s->scenario)
		return error_at(e, STATUS_USAGE, s->scenario, 0, 0, "there is nothing to run: no kernel is launched; `launch` does it");
	if (!r->scene.nlaunch)
		return error_set(e, STATUS_FAILED, "there is nothing to run yet: open a scenario, or load a `module` and `launch` "
				 "a kernel");
	st = config_check(&s->config, e);
	if (st && s->scenario)
		snprintf(e->file, sizeof(e->file), "%s", s->scenario);
	if (st)
		return e->status = STATUS_USAGE;
	st = scene_build(s, e);
	if (st)
		return st;
	st = sim_open(&s->sim, &s->config, &s->policy, &s->program, e);
	if (st) {
		scene_unbuild(s);
		return st;
	}
	s->timeline = timeline_open(&s->sim, (u64)s->config.time_budget << 20, s->config.time_interval);
	s->live = true;
	s->stale = s->moved = s->finally_ran = false;
	s->host_seconds = 0;
	session_apply_host(s);
	if (s->interactive)
		timeline_enable(s->timeline);
	r->generation++;
	r->nplace = r->place_at = 0;
	script_untime(s);
	session_forget_functional(s);
	breaks_say_lost(s);
	return STATUS_OK;
}

enum status session_make(struct session *s, struct error *e)
{
	if (s->live && (!s->stale || s->moved))
		return STATUS_OK;
	if (s->live)
		scene_unbuild(s);
	return make(s, e);
}

enum status session_restart(struct session *s, struct error *e)
{
	if (s->live)
		scene_unbuild(s);
	return make(s, e);
}

/* What the fault of a machine was, in a sentence. */
static void fault_text(const struct session *s, struct text *out)
{
	const struct gpu *g = machine_gpu(s->sim.m);
	const struct launch *l = &s->program.launch[g->fault_launch];

	fault_describe(out, &s->program, l, g->fault_cta, g->fault_warp, &l->kernel->inst[g->fault_pc], g->fault,
		       g->fault_lane, g->fault_address);
	fault_others(&s->sim, out);
}

enum status session_end_status(const struct session *s, struct error *e)
{
	struct text what = {0};

	if (!s->live)
		return STATUS_OK;
	if (sim_faulted(&s->sim)) {
		fault_text(s, &what);
		error_set(e, STATUS_CHECK, "%s", what.s);
		text_free(&what);
		return STATUS_CHECK;
	}
	if (sim_deadlocked(&s->sim))
		return error_set(e, STATUS_DEADLOCK, "deadlock at cycle %llu: every unfinished warp waits and nothing can wake one",
				 (unsigned long long)machine_gpu(s->sim.m)->cycle);
	return STATUS_OK;
}

enum status session_time(const struct session *s, const char *text, u64 *cycles, struct error *e)
{
	static const struct { const char *name; double seconds; } unit[] = {
		{"s", 1}, {"ms", 1e-3}, {"us", 1e-6}, {"ns", 1e-9},
	};
	double n, scaled = -1;
	char *end;

	errno = 0;
	*cycles = strtoull(text, &end, 0);
	if (end != text && !*end && *text != '-' && *text != '+') {
		if (errno == ERANGE)
			return error_set(e, STATUS_USAGE, "%s cycles are too many", token_shown(text));
		return STATUS_OK;
	}
	n = strtod(text, &end);
	for (u32 i = 0; i < ARRAY_LEN(unit); i++)
		if (end != text && !strcmp(end, unit[i].name))
			scaled = n * unit[i].seconds * 1e6 * s->config.gpu_clock;
	if (!(scaled >= 0 && scaled < 0x1p63))
		return error_set(e, STATUS_USAGE, "`%s` is not a time; cycles, or a number with s, ms, us or ns, are wanted",
				 token_shown(text));
	*cycles = (u64)(scaled + 0.5);
	return STATUS_OK;
}
