/*
 * undo.c - taking back the last command, and the places that the machine has stood at.
 *
 * Before every command that a user gives, what it could change is noted (the machine's own past is the timeline's);
 * if it changed anything, the note is kept.
 */
#include "undo.h"
#include "lang.h"
#include "lesson.h"
#include "travel.h"
#include "script.h"

/* What undo takes back, as it is now. */
static void note(const struct session *s, struct undo_record *out)
{
	memset(out, 0, sizeof(*out));
	*out = (struct undo_record){
		.at = session_now(s),
		.inputs = s->live ? timeline_inputs(s->timeline) : 0,
		.version = s->live ? timeline_version(s->timeline) : 0,
		.nnotes = s->nnotes,
		.nscript = s->nscript,
		.nlesson = lesson_count(s),
		.generation = s->generation,
		.live = s->live,
		.stale = s->stale,
		.moved = s->moved,
		.config = s->config,
		.policy = s->policy,
		.preset = s->preset,
		.gpu = s->gpu,
		.scene = *s->scene,
		.sweep = sweep_mark(s),
	};
}

void undo_note(struct session *s, struct undo_record *out)
{
	if (s->live)
		timeline_watch_inputs(s->timeline);
	note(s, out);
}

/* Do two notes differ in something that undo takes back? */
static bool undo_differs(const struct undo_record *a, const struct undo_record *b)
{
	return a->at.cycle != b->at.cycle || a->at.stage != b->at.stage || a->version != b->version ||
	       memcmp(&a->sweep, &b->sweep, sizeof(a->sweep)) || a->nnotes != b->nnotes || a->nlesson != b->nlesson ||
	       memcmp(&a->config, &b->config, sizeof(a->config)) || memcmp(&a->policy, &b->policy, sizeof(a->policy)) ||
	       a->scene.nbuffer != b->scene.nbuffer || a->scene.nmodule != b->scene.nmodule ||
	       a->scene.nlaunch != b->scene.nlaunch || a->scene.nsymbol != b->scene.nsymbol;
}

void undo_forget(struct session *s)
{
	struct lang *l = s->lang;

	while (l->nundo)
		inputs_free(&l->undo[--l->nundo].lost);
}

void undo_keep(struct session *s, const struct undo_record *before, const char *line)
{
	struct lang *l = s->lang;
	struct undo_record now;

	note(s, &now);
	if (before->live && before->generation != now.generation) {
		undo_forget(s);
		return;
	}
	if (!undo_differs(before, &now))
		return;
	if (!l->undo)
		l->undo = xcalloc(MAX_UNDO, sizeof(*l->undo));
	if (l->nundo == MAX_UNDO) {
		inputs_free(&l->undo[0].lost);
		memmove(l->undo, l->undo + 1, --l->nundo * sizeof(*l->undo));
	}
	l->undo[l->nundo] = *before;
	l->undo[l->nundo].edited = before->live && now.live && before->version != now.version;
	if (l->undo[l->nundo].edited)
		l->undo[l->nundo].lost = timeline_lost_inputs(s->timeline);
	snprintf(l->undo[l->nundo].line, sizeof(now.line), "%s", line);
	l->nundo++;
}

/* Bring a live machine back to where a note says it was. */
static enum status undo_machine(struct session *s, const struct undo_record *to, struct error *e)
{
	struct position now = timeline_now(s->timeline);

	if (to->edited) {
		if (to->lost.count)
			timeline_put_back(s->timeline, &to->lost, to->at);
		else
			timeline_forget(s->timeline, to->inputs, to->at);
		session_stopped(s, STOP_TARGET, NULL);
		return STATUS_OK;
	}
	if (now.cycle == to->at.cycle && now.stage == to->at.stage)
		return STATUS_OK;
	return travel_to(s, to->at, e);
}

/* Would a note take back what a lesson that has begun stands on? */
static bool is_under_lesson(const struct session *s, const struct undo_record *to)
{
	const struct lesson *l = s->lesson;

	return l && l->begun && (to->nlesson < l->n || to->nscript < l->nkept);
}

enum status undo_last(struct session *s, struct error *e)
{
	struct lang *l = s->lang;
	struct undo_record *to;
	enum status st = STATUS_OK;

	if (!l->nundo)
		return error_set(e, STATUS_FAILED,
				 "nothing to undo: no command has changed anything (a restart cannot be undone)");
	if (is_under_lesson(s, &l->undo[l->nundo - 1]))
		return error_set(e, STATUS_FAILED, "the lesson has begun: its setup cannot be undone");
	to = &l->undo[--l->nundo];
	session_print(s, "undone: %s\n", safe_text(to->line));
	member_text(session_result(s), "undone", safe_text(to->line));
	if (s->live && (!to->live || !s->moved || s->generation != to->generation)) /* one made since is made anew */
		session_unmake(s);
	scene_truncate(s, &to->scene);
	sweep_truncate(s, to->sweep);
	while (s->nnotes > to->nnotes)
		free(s->note[--s->nnotes]);
	lesson_truncate(s, to->nlesson);
	script_truncate(s, to->nscript);
	s->config = to->config;
	s->policy = to->policy;
	s->preset = to->preset;
	s->gpu = to->gpu;
	s->stale = s->live && to->stale;
	if (s->live)
		st = undo_machine(s, to, e);
	s->moved = s->live && to->moved;
	if (!s->moved)
		script_untime(s); /* what stays of later lines, definitions and the like */
	session_apply_host(s);
	inputs_free(&to->lost);
	return st;
}

enum status visited_go(struct session *s, int by, struct error *e)
{
	if (by < 0 ? !s->nvisited || !s->visited_at : !s->nvisited || s->visited_at + 1 >= s->nvisited)
		return error_set(e, STATUS_FAILED,
				 by < 0 ? "no earlier position to go back to"
					: "no later position to go to (`forward` undoes `back`)");
	s->visited_at = by < 0 ? s->visited_at - 1 : s->visited_at + 1;
	return travel_to(s, s->visited[s->visited_at], e);
}
