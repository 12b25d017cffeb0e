/*
 * other.c - a session of its own beside another (other.h): the record of what has set that one up is run again, with
 * another path or name in one of its lines.
 */
#include "other.h"

#include "rights.h"
#include "runs.h"
#include "scene.h"
#include "script.h"

#include <limits.h>

enum status other_begin(const struct session *s, struct session *o, struct error *e)
{
	session_open(o, s->above);
	o->batch = o->quiet = o->rehearses = true;
	o->trust = s->trust;
	o->max_cycles = s->max_cycles;
	o->max_seconds = s->max_seconds;
	o->out = fopen("/dev/null", "w");
	return o->out ? STATUS_OK : error_set(e, STATUS_FAILED, "cannot open /dev/null");
}

void other_end(struct session *o)
{
	FILE *nowhere = o->out;

	session_close(o);
	if (nowhere)
		fclose(nowhere);
}

void other_free(struct session *o)
{
	if (o)
		other_end(o);
	free(o);
}

/* A command with one word, as if it stood where the session's line stands; from: or at that origin. */
static enum status run_word(const struct session *s, struct session *o, const struct line_origin *from,
			    const char *verb, const char *word, const char *rest, struct error *e)
{
	struct text line = {0};
	enum status st;

	text_add(&line, "%s ", verb);
	word_add_quoted(&line, word);
	text_add(&line, "%s", rest);
	st = o->above->run_lines(o, line.s, from ? from : rights_now(s), NULL, 0, e);
	text_free(&line);
	return st;
}

/* --- which module --- */

/* Has a module a kernel of this name? */
static bool has_kernel(const struct module *m, const char *name)
{
	for (u32 i = 0; i < m->nkernel; i++)
		if (kernel_is_called(&m->kernel[i], name))
			return true;
	return false;
}

/* The module that a kernel is of, NULL: none. */
static const struct module *module_of(const struct session *s, const struct kernel *k)
{
	for (u32 i = 0; i < s->scene->nmodule; i++)
		if (k >= s->scene->module[i]->kernel && k < s->scene->module[i]->kernel + s->scene->module[i]->nkernel)
			return s->scene->module[i];
	return NULL;
}

/* The session's module that a new one stands for: kernels of its names are launched from it. */
static enum status find_old(const struct session *s, const struct module *new, const struct module **out,
			    struct error *e)
{
	struct text launched = {0}, has = {0};
	enum status st = STATUS_OK;

	*out = NULL;
	for (u32 i = 0; i < s->scene->nlaunch && !st; i++) {
		const struct kernel *k = s->scene->launch[i].launch.kernel;
		const struct module *m = module_of(s, k);

		text_add(&launched, "%s%s", i ? ", " : "", safe_text(k->name));
		if (!m || !has_kernel(new, kernel_symbol(k)))
			continue;
		if (*out && *out != m)
			st = error_set(e, STATUS_FAILED,
				       "its kernels are launched from %s and from %s: from one at most",
				       safe_text((*out)->path), safe_text(m->path));
		*out = m;
	}
	for (u32 i = 0; i < new->nkernel; i++)
		text_add(&has, "%s%s", i ? ", " : "", safe_text(new->kernel[i].name));
	if (!st && !*out)
		st = error_set(e, STATUS_FAILED,
			       "it has none of the kernels that are launched (launched: %.300s; it has: %.300s)",
			       launched.s ? launched.s : "none", has.s ? has.s : "none");
	text_free(&launched);
	text_free(&has);
	return st;
}

/* The path of the module in whose place another comes, as the record has it; xmalloc'ed. */
static enum status old_path(const struct session *s, const struct other_wish *x, char **out, struct error *e)
{
	struct session probe = {0};
	const struct module *old = NULL;
	enum status st = other_begin(s, &probe, e);
	char real[PATH_MAX];

	*out = NULL;
	if (!st)
		st = run_word(s, &probe, x->from, "module", x->module, "", e);
	if (!st)
		st = find_old(s, probe.scene->module[0], &old, e);
	if (!st && old)
		*out = xstrdup(realpath(old->path, real) ? real : old->path);
	other_end(&probe);
	return st;
}

/* --- the stage again --- */

/* A slice of the preset that o has taken, as great as that of s. */
static enum status take_slice(const struct session *s, struct session *o, const char *gpu, struct error *e)
{
	char rest[32];
	u64 sms;

	if (!s->gpu.whole || s->gpu.slice == s->gpu.whole || !o->gpu.whole)
		return STATUS_OK;
	sms = ((u64)o->gpu.whole * s->gpu.slice + s->gpu.whole / 2) / s->gpu.whole;
	snprintf(rest, sizeof(rest), " sms %llu", max_u64(sms, 1));
	return run_word(s, o, NULL, "gpu", gpu, rest, e);
}

static enum status take_gpu(const struct session *s, struct session *o, const char *gpu, struct error *e)
{
	enum status st = run_word(s, o, NULL, "gpu", gpu, "", e);

	return st ? st : take_slice(s, o, gpu, e);
}

/* One line of the record; old: the path of the module that is replaced. *preset: it has named one. */
static enum status again(const struct session *s, struct session *o, const struct script_line *line,
			 const struct other_wish *x, const char *old, bool *preset, struct error *e)
{
	const struct command *c = NULL;
	enum status st = STATUS_OK;
	bool replaced = true;
	struct error none;
	struct words w;

	if (words_parse(&w, line->text, strcspn(line->text, "\n"), &none))
		return o->above->run_lines(o, line->text, line->from, NULL, 0, e);
	if (w.n)
		c = command_of_two(w.token, &w.n);
	if (w.n && !c)
		c = command_find(w.token[0].s, &none);
	*preset |= c && !strcmp(c->name, "gpu");
	if (c && x->module && old && !strcmp(c->name, "module") && w.n > 1 && !strcmp(w.token[1].s, old))
		st = run_word(s, o, x->from, "module", x->module, "", e);
	else if (c && x->gpu && !strcmp(c->name, "gpu"))
		st = take_gpu(s, o, x->gpu, e);
	else
		replaced = c && c->flags & COMMAND_NEEDS_MACHINE;
	words_free(&w);
	return replaced ? st : o->above->run_lines(o, line->text, line->from, NULL, 0, e);
}

/* All of it. A preset in the place of none comes before everything else. */
static enum status all_again(const struct session *s, struct session *o, const struct other_wish *x, const char *old,
			     struct error *e)
{
	enum status st = STATUS_OK;
	u32 lines = x->lines ? min_u32(x->lines, s->nscript) : s->nscript;
	bool preset = false;

	for (u32 pass = 0; pass < 2 && !st && !(pass && (preset || !x->gpu)); pass++) {
		if (pass) {
			other_end(o);
			st = other_begin(s, o, e);
			if (!st)
				st = take_gpu(s, o, x->gpu, e);
		}
		for (u32 i = 0; i < lines && !st; i++)
			st = again(s, o, &s->script[i], x, old, &preset, e);
	}
	return st;
}

/* What an earlier run was made of. */
static enum status make_run(struct session *s, const char *number, struct session **out, struct error *e)
{
	const struct run *x = runs_find(s, number, e);

	*out = NULL;
	return x ? runs_session(s, x, out, e) : STATUS_FAILED;
}

enum status other_make(struct session *s, const struct other_wish *w, struct session **out, struct error *e)
{
	if (w->run)
		return make_run(s, w->run, out, e);
	struct session *o = xcalloc(1, sizeof(*o));
	char *old = NULL;
	enum status st = other_begin(s, o, e);

	*out = NULL;
	if (!st && w->module)
		st = old_path(s, w, &old, e);
	if (!st && w->scenario)
		st = run_word(s, o, w->from, "source", w->scenario, "", e);
	else if (!st)
		st = all_again(s, o, w, old, e);
	if (!st)
		st = session_restart(o, e);
	free(old);
	if (st)
		other_free(o);
	else
		*out = o;
	return st;
}
