/*
 * session.c - one sitting: the machine made from the scene, people's text, times, how a machine ended; the parts above
 * are told.
 */
#include "compare.h"
#include "compile.h"
#include "critical.h"
#include "effects.h"
#include "interrupt.h"
#include "outfile.h"
#include "positions.h"
#include "rights.h"
#include "runs.h"
#include "scene.h"
#include "script.h"
#include "source_text.h"
#include "sweep.h"

#include "lesson.h"
#include "policy.h"
#include "why.h"

#include <errno.h>
#include <sys/ioctl.h>

void session_open(struct session *s, const struct session_ops *above)
{
	*s = (struct session){.out = stdout, .above = above, .scene = xcalloc(1, sizeof(struct scene))};
	commands_given(above->command);
	sources_open(s);
	interrupt_poll_work();
	config_default(&s->config);
	policy_default(&s->policy);
	s->preset = s->policy;
	for (const struct session_part *const *p = above->part; *p; p++)
		if ((*p)->open)
			(*p)->open(s);
}

/* Free the record of set-up. */
static void script_free(struct session *s)
{
	for (u32 i = 0; i < s->nscript; i++)
		free(s->script[i].text);
	free(s->script);
	free(s->path_to);
	free(s->saved.stops);
}

void session_close(struct session *s)
{
	session_unmake(s);
	for (const struct session_part *const *p = s->above->part; *p; p++)
		if ((*p)->close)
			(*p)->close(s);
	free(s->program.buffer);
	free(s->program.module);
	runs_free(s);
	sweep_free(s->sweep);
	scene_drop(s->scene);
	sources_free(s);
	session_forget_functional(s);
	lesson_free(s);
	rights_free(s);
	lines_free(s->note, s->nnotes);
	positions_free(s);
	script_free(s);
	compile_free(s);
	free(s->scenario);
	log_close(s, NULL);
	if (s->result)
		json_decref(s->result);
	*s = (struct session){0};
}

void session_passed(struct session *s)
{
	s->passed_checks++;
	if (s->depth == 1 && s->interactive)
		session_print(s, "passed\n");
}

/* Columns of a terminal (80 where it does not know them); 0: the file is none. */
static u32 terminal_columns(FILE *f)
{
	struct winsize size;

	if (ioctl(fileno(f), TIOCGWINSZ, &size))
		return 0;
	return size.ws_col ? size.ws_col : 80;
}

u32 session_columns(const struct session *s)
{
	return s->columns ? s->columns : s->on_terminal ? terminal_columns(s->out) : 0;
}

/* Text to a file, folded where the width is not 0. */
static void put(FILE *f, const char *text, size_t length, u32 width, struct wrap *w)
{
	struct text folded = {0};

	if (!width) {
		fwrite(text, 1, length, f);
		outfile_note(f);
		return;
	}
	w->width = width;
	wrap_add(w, &folded, text, length);
	if (folded.len)
		fwrite(folded.s, 1, folded.len, f);
	outfile_note(f);
	text_free(&folded);
}

void session_put(const struct session *s, FILE *f, const char *text)
{
	struct wrap w = {0};

	put(f, text, strlen(text), s->on_terminal ? terminal_columns(f) : 0, &w);
}

/* Text to the output, the log and the parts above. */
static void print(struct session *s, const char *text, size_t length, u32 width)
{
	put(s->out, text, length, width, &s->fold);
	if (s->log)
		fwrite(text, 1, length, s->log);
	for (const struct session_part *const *p = s->above->part; *p; p++)
		if ((*p)->printed)
			(*p)->printed(s, text, length);
}

void session_print(struct session *s, const char *fmt, ...)
{
	struct text line = {0};
	va_list ap;

	va_start(ap, fmt);
	text_addv(&line, fmt, ap);
	va_end(ap);
	print(s, line.s, line.len, session_columns(s));
	text_free(&line);
}

void session_print_picture(struct session *s, const char *text)
{
	print(s, text, strlen(text), 0);
}

void session_line(struct session *s, const struct command *command, const char *line, bool done)
{
	for (const struct session_part *const *p = s->above->part; *p; p++)
		if ((*p)->line)
			(*p)->line(s, command, line, done);
}

json_t *session_result(struct session *s)
{
	if (!s->json)
		return NULL;
	if (!s->result)
		s->result = json_object();
	return s->result;
}

struct position session_now(const struct session *s)
{
	return s->live ? timeline_now(s->timeline) : (struct position){0};
}

enum status log_close(struct session *s, struct error *e)
{
	bool lost = s->log && outfile_close(s->log, true);

	s->log = NULL;
	return lost ? error_set(e, STATUS_FAILED, "the log is incomplete: part of it could not be written") : STATUS_OK;
}

void json_put(json_t *object)
{
	json_dumpf(object, stdout, JSON_COMPACT);
	putc('\n', stdout);
	outfile_flush(stdout);
	json_decref(object);
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
	if (s->sim.shadow != before) /* a run is analyzed whole, or not at all */
		timeline_again(s->timeline);
}

/* Policies that cannot change anything on this machine, or can never do a part of what they do, with what would let
 * them. */
static void say_idle(struct session *s)
{
	u64 said = 0;

	for (u32 slot = 0; slot < POLICY_SLOTS; slot++)
		for (u64 left = policy_in(&s->policy, slot) & ~said; left; left &= left - 1) {
			u32 i = (u32)__builtin_ctzll(left);
			const struct scheme *x = scheme_table[i];
			const char *why = x->idle ? x->idle(&s->config) : NULL;
			const char *part = x->limited ? x->limited(&s->config) : NULL;

			said |= 1ULL << i;
			if (why)
				session_print(s, "policy %s has no effect here: %s\n", x->name, why);
			else if (part)
				session_print(s, "policy %s: %s\n", x->name, part);
		}
}

/* The texts as they are now, for who looks at them: a file may be written anew while its kernel runs. */
static void keep_sources(struct session *s)
{
	for (u32 i = 0; !s->batch && i < s->program.nmodule; i++)
		for (u32 k = 0; k < s->program.module[i]->nsource; k++)
			source_text(s, s->program.module[i], k);
}

/* The focus on a machine of another size: the warp of that number, in its sub-core there; else the first. */
static void fit_focus(struct session *s)
{
	const struct machine *m = s->sim.m;

	if (s->focus.sm >= m->config.gpu_sms || s->focus.warp >= m->contexts)
		s->focus = (struct focus){0};
	s->focus.sub = s->focus.warp % m->config.sm_subcores;
}

/* A machine from the scene, at cycle 0. */
static enum status make(struct session *s, struct error *e)
{
	enum status st;

	if (!s->scene->nlaunch && s->scenario)
		return error_at(e, STATUS_USAGE, s->scenario, 0, 0,
				"nothing to run: no kernel is launched (use `launch`)");
	if (!s->scene->nlaunch)
		return error_set(e, STATUS_FAILED,
				 "nothing to run yet (open a scenario, or load a `module` and `launch` a kernel)");
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
	s->made = s->gpu;
	s->made_of = s->scene->revision;
	s->live = true;
	fit_focus(s);
	s->stale = s->moved = s->finally_ran = false;
	s->host_seconds = 0;
	session_apply_host(s);
	if (s->interactive || !s->batch || s->commanded)
		timeline_enable(s->timeline);
	s->generation++;
	s->nvisited = s->visited_at = 0;
	keep_sources(s);
	script_untime(s);
	session_forget_functional(s);
	for (const struct session_part *const *p = s->above->part; *p; p++)
		if ((*p)->made)
			(*p)->made(s);
	say_idle(s);
	return STATUS_OK;
}

enum status session_make(struct session *s, struct error *e)
{
	if (s->live && (!s->stale || s->moved))
		return STATUS_OK;
	session_unmake(s);
	return make(s, e);
}

enum status session_restart(struct session *s, struct error *e)
{
	session_unmake(s);
	return make(s, e);
}

void session_unmake(struct session *s)
{
	if (s->live) {
		for (const struct session_part *const *p = s->above->part; *p; p++)
			if ((*p)->forget)
				(*p)->forget(s);
		free(s->alone);
		s->alone = NULL;
		compare_close(s);
		critical_free(s->critical);
		s->critical = NULL;
		cone_free(s->cone);
		s->cone = NULL;
		follow_stop(s);
		timeline_close(s->timeline);
		sim_close(&s->sim);
		s->timeline = NULL;
		s->live = false;
	}
	scene_unbuild(s);
}

enum status session_end_status(const struct session *s, struct error *e)
{
	struct text what = {0};

	if (!s->live)
		return STATUS_OK;
	if (sim_faulted(&s->sim)) {
		fault_sentence(&s->sim, &what);
		error_set(e, STATUS_CHECK, "%s", what.s);
		text_free(&what);
		return STATUS_CHECK;
	}
	if (sim_deadlocked(&s->sim))
		return error_set(e, STATUS_DEADLOCK,
				 "deadlock at cycle %llu: every unfinished warp waits, and nothing can wake a warp",
				 machine_gpu(s->sim.m)->cycle);
	return STATUS_OK;
}

enum status session_time(const struct session *s, const char *text, u64 *cycles, struct error *e)
{
	static const struct {
		const char *name;
		double seconds;
	} unit[] = {{"s", 1}, {"ms", 1e-3}, {"us", 1e-6}, {"ns", 1e-9}};
	double n, scaled = -1;
	char *end;

	errno = 0;
	*cycles = strtoull(text, &end, 0);
	if (end != text && !*end && *text != '-' && *text != '+') {
		if (errno == ERANGE)
			return error_set(e, STATUS_USAGE, "%s: too many cycles", token_shown(text));
		return STATUS_OK;
	}
	n = strtod(text, &end);
	for (u32 i = 0; i < ARRAY_LEN(unit); i++)
		if (end != text && !strcmp(end, unit[i].name))
			scaled = n * unit[i].seconds * 1e6 * s->config.gpu_clock;
	if (!(scaled >= 0 && scaled < 0x1p63))
		return error_set(e, STATUS_USAGE, "'%s' is not a time (cycles, or a number with s, ms, us or ns)",
				 token_shown(text));
	*cycles = (u64)(scaled + 0.5);
	return STATUS_OK;
}
