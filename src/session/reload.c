/*
 * reload.c - the files of the stage are read again (reload.h).
 *
 * The record of the set-up is run again in a session of its own, which reads the files as they are now. Both versions
 * are run to their ends, side by side. Then the session has the other's scene, and a machine made of it goes to where
 * the focused warp was: to its n-th time at the same line, told by the line's text, if it had been there n times.
 */
#include "reload.h"

#include "compare.h"
#include "lines.h"
#include "machine.h"
#include "other.h"
#include "rights.h"
#include "runs.h"
#include "scene.h"
#include "source_text.h"

/* --- where the focused warp is, by source line --- */

/* A line of a launch's kernel. */
struct stand {
	u32 launch, file, line;
};

/* Where a warp stands; false: it is not there, or its instruction has no source line. */
static bool stand_of(const struct sim *sim, const struct focus *f, struct stand *out)
{
	const struct warp *w;
	const struct inst *in;
	u32 mask, pc;

	if (f->sm >= sim->m->config.gpu_sms || f->warp >= sim->m->contexts)
		return false;
	pc = sim_warp_pc(sim, f->sm, f->warp, &mask);
	w = (struct warp *)machine_sm_section(sim->m, f->sm, SECTION_WARP) + f->warp;
	if (pc == NONE32 || pc >= sim->kernel[w->launch]->ninst)
		return false;
	in = &sim->kernel[w->launch]->inst[pc];
	*out = (struct stand){w->launch, in->source_file, in->source_line};
	return in->source_line != 0;
}

/* How often a warp has come to a line. */
struct visits_of_line {
	struct focus focus;
	struct stand at;
	u64 n, wanted;
	bool there;
};

static bool visit(void *self, const struct sim *sim)
{
	struct visits_of_line *v = self;
	struct stand now;
	bool there = stand_of(sim, &v->focus, &now) && now.launch == v->at.launch && now.file == v->at.file &&
		     now.line == v->at.line;

	v->n += there && !v->there;
	v->there = there;
	return v->n == v->wanted;
}

/* What is to be found again. */
struct wanted_place {
	bool known;
	struct visits_of_line visits;
	char **line; /* the texts of the file's lines up to it */
	u32 nlines;
	char file[80];
};

/* Where the focused warp is, and for the how manieth time. */
static void place_note(const struct session *s, struct wanted_place *p)
{
	u64 now = timeline_now(s->timeline).cycle;
	const struct kernel *k;
	struct sim sim;
	u32 applied;

	*p = (struct wanted_place){.visits = {.focus = s->focus, .wanted = NEVER}};
	p->known = now && !sim_finished(&s->sim) && stand_of(&s->sim, &s->focus, &p->visits.at);
	if (!p->known)
		return;
	k = s->sim.kernel[p->visits.at.launch];
	p->nlines = p->visits.at.line;
	p->line = xcalloc(p->nlines, sizeof(*p->line));
	for (u32 i = 0; i < p->nlines; i++)
		p->line[i] = xstrdup(source_line_text(s, k->module, p->visits.at.file, i + 1));
	snprintf(p->file, sizeof(p->file), "%s", source_name(k->module, p->visits.at.file));
	timeline_fork(s->timeline, (struct position){0, 0}, &sim, &applied);
	for (u64 cycle = 1; cycle <= now && !timeline_stops(); cycle++) {
		timeline_follow(s->timeline, &sim, &applied, (struct position){cycle, 0});
		visit(&p->visits, &sim);
	}
	sim_close(&sim);
	p->visits.wanted = max_u64(p->visits.n, 1);
	p->visits.n = 0;
	p->visits.there = false;
}

/* The number of a file of a module by its name; the same number where there is none. */
static u32 file_named(const struct module *m, const char *name, u32 same)
{
	for (u32 i = 0; i < m->nsource; i++) {
		const char *other = source_name(m, i);

		if (other && !strcmp(other, name))
			return i;
	}
	return same;
}

/* The line that reads so, the nearest to where it stood; 0: there is none. */
static u32 line_reading(const struct session *s, const struct module *m, u32 file, const char *text, u32 stood)
{
	const struct source_text *t = source_text(s, m, file);
	u32 found = 0;

	for (u32 i = 1; *text && t && i <= t->nlines; i++) {
		u32 away = i > stood ? i - stood : stood - i, best = found > stood ? found - stood : stood - found;

		if (!strcmp(source_line_text(s, m, file, i), text) && (!found || away < best))
			found = i;
	}
	return found;
}

/* The line now; one that has been changed is as far behind the last before it that has not as it was. */
static u32 line_again(const struct session *s, const struct module *m, u32 file, const struct wanted_place *p)
{
	for (u32 i = p->nlines; i; i--) {
		u32 found = line_reading(s, m, file, p->line[i - 1], i);

		if (found)
			return found + p->nlines - i;
	}
	return p->nlines;
}

/* Go there. */
static void place_go(struct session *s, struct wanted_place *p, struct reloaded *out)
{
	struct visits_of_line *v = &p->visits;
	struct watcher w = {.after_cycle = visit, .self = v, .every_cycle = true};
	const struct kernel *k = s->sim.kernel[v->at.launch];

	v->at.file = file_named(k->module, p->file, v->at.file);
	v->at.line = line_again(s, k->module, v->at.file, p);
	snprintf(out->place, sizeof(out->place), "%s:%u", p->file, v->at.line);
	s->moved = true;
	out->placed = timeline_run(s->timeline, &w, NEVER) == STOP_HIT;
}

/* --- both versions --- */

/* What a machine has come to, of those that have run. */
static struct run_result end_of(const struct compare_entry *x)
{
	struct run_result end = {.cycles = x->cycle, .ended = x->ended, .judged = x->judged};

	for (u32 i = 0; i < x->n; i++)
		if (!strcmp(x->stat[i].name, "inst.warp"))
			end.issued = (u64)x->stat[i].a.i;
	return end;
}

/* Run both to their ends: of the old one that is known, if it has been there. The other session is not used up. */
static enum status run_both(struct session *s, struct session *o, struct run_result end[2], bool *whole,
			    struct error *e)
{
	const struct compare_goal goal = {.cycles = NEVER};
	struct compare_entry *x = xcalloc(2, sizeof(*x));
	const struct run *known;
	struct run_setup old;
	enum status st = STATUS_OK;
	u32 from;

	runs_setup_now(s, &old);
	known = runs_known(s, &old);
	from = known ? 1 : 0;
	for (u32 i = 0; i < 2; i++)
		x[i].change.anew = true;
	x[1].change.other = o;
	*whole = compare_many(s, x + from, 2 - from, &goal, NULL);
	if (known)
		end[0] = known->end;
	for (u32 i = from; i < 2; i++) {
		if (x[i].state == COMPARE_REFUSED && !st) {
			*e = x[i].why;
			st = e->status;
		}
		*whole &= x[i].state == COMPARE_DONE && x[i].ended != STOP_NONE;
		end[i] = end_of(&x[i]);
	}
	x[1].change.other = NULL;
	compare_entries_free(x, 2);
	if (!st && *whole && !known)
		runs_add(s, &old, &end[0]);
	return st;
}

/* The session gets the other's scene and leaves its own. */
static void take_scene(struct session *s, struct session *o)
{
	struct scene *old = s->scene;

	session_unmake(s);
	session_unmake(o);
	runs_leave(s);
	s->scene = o->scene;
	o->scene = old;
	for (u32 i = 0; i < s->scene->nmodule; i++)
		if (s->scene->module[i]->from)
			s->scene->module[i]->from = rights_keep(s, s->scene->module[i]->from);
}

/* What both versions come to; the new one's run is one of the sitting. */
static void conclude(struct session *s, const struct run_setup *x, const struct run_result end[2], struct reloaded *out)
{
	out->whole = true;
	for (u32 i = 0; i < 2; i++) {
		out->cycles[i] = end[i].cycles;
		out->finished[i] = end[i].ended == STOP_FINISHED;
		out->judged[i] = end[i].judged;
	}
	runs_add(s, x, &end[1]);
}

enum status session_reload(struct session *s, struct reloaded *out, struct error *e)
{
	struct wanted_place place = {0};
	struct run_result end[2];
	struct run_setup x;
	struct session *o;
	bool whole = false;
	enum status st;

	*out = (struct reloaded){.waited = s->live && s->stale};
	st = other_make(s, &(struct other_wish){0}, &o, e);
	if (st)
		return st;
	runs_setup_now(o, &x);
	if (s->live && s->program.nlaunch) {
		place_note(s, &place);
		st = run_both(s, o, end, &whole, e);
	}
	if (!st) {
		take_scene(s, o);
		st = session_make(s, e);
	}
	other_free(o);
	if (!st && whole)
		conclude(s, &x, end, out);
	if (!st && place.known)
		place_go(s, &place, out);
	lines_free(place.line, place.nlines);
	return st;
}
