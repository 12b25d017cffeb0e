/*
 * plan.c - the points of a sweep file and their keys (plan.h).
 *
 * A key is a hash of all that decides what a job comes to, and of nothing else: the program's version, what config.hash
 * stands for (settings, policies, kernels, launches, contents of buffers), the blocks `finally` and `job` with the
 * files that they name, the expressions that are measured, and the limit of cycles. Names of files, comments and other
 * points do not count.
 */
#include "plan.h"

#include "lang.h"
#include "other.h"
#include "rights.h"
#include "scene.h"
#include "stats.h"
#include "worker_pool.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <xxhash.h>

#define FILE_MOST (1u << 30) /* bytes of a file that a block names */

/* --- the key --- */

/* The contents of a file that a word of a block may name. */
static void key_file(const struct session *o, const struct line_origin *from, const char *word, struct text *out)
{
	char *path = path_join(from->dir, word), *bytes = NULL;
	struct stat is;
	struct error e;
	size_t n;

	if (!stat(path, &is) && S_ISREG(is.st_mode) && rights_may_read(o, from, path) &&
	    !file_read(path, FILE_MOST, &bytes, &n, &e))
		text_add(out, "file %016llx\n", (u64)XXH3_64bits(bytes, n));
	free(bytes);
	free(path);
}

/* The lines of a block: `finally` decides whether a run passes, `job` what is run. */
static void key_block(const struct session *o, const char *block, const struct kept *k, struct text *out)
{
	for (u32 i = 0; i < k->n; i++) {
		char *put = o->sweep ? sweep_put(o->sweep, k->line[i], strlen(k->line[i])) : NULL;
		const char *line = put ? put : k->line[i];
		struct words w;
		struct error e;

		if (!words_parse(&w, line, strlen(line), &e) && w.n) {
			text_add(out, "%s %s\n", block, w.text + strspn(w.text, " \t"));
			for (u32 t = 1; t < w.n; t++)
				key_file(o, k->from, w.token[t].s, out);
		}
		words_free(&w);
		free(put);
	}
}

enum status plan_key(struct session *o, char key[KEY_DIGITS + 1], struct error *e)
{
	struct text t = {0};
	enum status st = config_check(&o->config, e);

	if (!st && !o->scene->nlaunch)
		st = error_set(e, STATUS_USAGE, "nothing to run: no kernel is launched (use `launch`)");
	if (!st)
		st = scene_build(o, e);
	if (st)
		return st;
	text_add(&t, "job 1\nversion %s\nconfig %016llx\n", sweep_version, session_config_hash(o));
	scene_unbuild(o);
	key_block(o, "finally", &o->lang->finally, &t);
	key_block(o, "job", &o->lang->job, &t);
	for (u32 i = 0; o->sweep && i < o->sweep->nmeasures; i++)
		if (o->sweep->measure[i].expr)
			text_add(&t, "measure %s = %s\n", o->sweep->measure[i].name, o->sweep->measure[i].expr);
	if (o->max_cycles)
		text_add(&t, "cycles %llu\n", o->max_cycles);
	snprintf(key, KEY_DIGITS + 1, "%016llx", (u64)XXH3_64bits(t.s, t.len));
	text_free(&t);
	return STATUS_OK;
}

/* --- a point --- */

/* A session at a point of a file; value NULL: where a session stands that opens the file. */
static enum status load(struct session *s, const char *file, const u32 *value, struct session *o, struct error *e)
{
	enum status st = other_begin(s, o, e);

	if (st)
		return st;
	config_set(&o->config, SET_engine_threads, 1); /* jobs run side by side */
	sweep_of(o)->told = true;
	if (value)
		memcpy(o->sweep->chosen, value, sizeof(o->sweep->chosen));
	st = command_run_file(o, file, e);
	if (!st && o->live && (o->moved || timeline_changes(o->timeline)))
		st = error_at(e, STATUS_USAGE, file, 0, 0,
			      "a sweep file only sets the stage: it may not move or change the machine");
	if (!st && o->live)
		session_unmake(o);
	return st;
}

/* A point that cannot be had is named. */
static enum status name_point(const struct plan *p, u32 i, struct error *e)
{
	char message[sizeof(e->message)];
	struct text words = {0};

	sweep_words(p->sweep, p->point[i].value, &words);
	snprintf(message, sizeof(message), "%.400s (point %u: %.300s; `except` leaves points out)", e->message, i,
		 words.s ? words.s : "");
	memcpy(e->message, message, sizeof(message));
	text_free(&words);
	return e->status;
}

enum status plan_session(struct session *s, const struct plan *p, u32 i, struct session *o, char key[KEY_DIGITS + 1],
			 struct error *e)
{
	enum status st = load(s, p->path, p->point[i].value, o, e);

	if (!st && o->sweep->naxes != p->sweep->naxes)
		st = error_at(e, STATUS_USAGE, p->path, 0, 0, "the `sweep` lines are not the same at every point");
	if (!st)
		st = plan_key(o, key, e);
	return st ? name_point(p, i, e) : STATUS_OK;
}

/* --- the plan --- */

/* The name of a file without folder and ending. */
static char *name_of(const char *file)
{
	const char *slash = strrchr(file, '/'), *name = slash ? slash + 1 : file, *dot = strrchr(name, '.');

	return xstrndup(name, dot && dot > name ? (size_t)(dot - name) : strlen(name));
}

/* The points that no line `except` leaves out. */
static enum status list_points(struct plan *p, struct error *e)
{
	u64 size = sweep_size(p->sweep);
	u32 value[SWEEP_AXES];

	p->point = xcalloc(size, sizeof(*p->point));
	for (u64 i = 0; i < size; i++) {
		sweep_point(p->sweep, i, value);
		if (!sweep_excepts(p->sweep, value))
			memcpy(p->point[p->n++].value, value, sizeof(value));
	}
	if (p->n)
		return STATUS_OK;
	return error_at(e, STATUS_USAGE, p->path, 0, 0, "`except` leaves out every point");
}

/* A variable that no line names makes equal points. */
static enum status check_variables(const struct plan *p, struct error *e)
{
	for (u32 i = 0; i < p->sweep->naxes; i++)
		if (p->sweep->axis[i].variable && !p->sweep->axis[i].used)
			return error_at(e, STATUS_USAGE, p->path, 0, 0,
					"sweep %s: no setting has this name, and no line below has $%s",
					safe_text(p->sweep->axis[i].name), safe_text(p->sweep->axis[i].name));
	return STATUS_OK;
}

enum status plan_open(struct session *s, const char *file, struct plan *p, struct error *e)
{
	struct session o = {0};
	char real[PATH_MAX];
	enum status st;

	*p = (struct plan){.cycles = s->max_cycles,
			   .name = name_of(file),
			   .path = xstrdup(file),
			   .file = xstrdup(realpath(file, real) ? real : file)};
	st = load(s, file, NULL, &o, e);
	p->sweep = o.sweep;
	o.sweep = NULL;
	other_end(&o);
	if (!st && !p->sweep->naxes)
		st = error_at(e, STATUS_USAGE, file, 0, 0,
			      "no line `sweep`: there is one job, which `warpstep -b` runs");
	if (!st)
		st = check_variables(p, e);
	return st ? st : list_points(p, e);
}

void plan_free(struct plan *p)
{
	free(p->name);
	free(p->path);
	free(p->file);
	free(p->point);
	sweep_free(p->sweep);
	*p = (struct plan){0};
}

/* Keys that a process works out, in memory that all see. */
struct keys {
	struct {
		char key[KEY_DIGITS + 1];
		bool done;
	} * point;
	struct error *error; /* of each process; status OK: none */
};

/* The keys of every n-th point from the first on. */
static void work_out(struct session *s, const struct plan *p, struct keys *k, u32 first, u32 n)
{
	for (u32 i = first; i < p->n; i += n) {
		struct session o = {0};
		enum status st = plan_session(s, p, i, &o, k->point[i].key, &k->error[first]);

		other_end(&o);
		k->error[first].status = st;
		if (st)
			return;
		k->point[i].done = true;
	}
}

/* Two points of one key are one job that the table would count twice. */
static enum status check_equal(const struct plan *p, u32 i, u32 j, struct error *e)
{
	struct text a = {0}, b = {0};

	sweep_words(p->sweep, p->point[i].value, &a);
	sweep_words(p->sweep, p->point[j].value, &b);
	error_at(e, STATUS_USAGE, p->path, 0, 0, "points %u (%s) and %u (%s) are the same run: leave out one", i, a.s,
		 j, b.s);
	text_free(&a);
	text_free(&b);
	return STATUS_USAGE;
}

static const struct plan *sorted_of; /* qsort() hands nothing on */
static int by_key(const void *a, const void *b)
{
	return strcmp(sorted_of->point[*(const u32 *)a].key, sorted_of->point[*(const u32 *)b].key);
}

static enum status check_distinct(const struct plan *p, struct error *e)
{
	u32 *order = xcalloc(p->n, sizeof(*order));
	enum status st = STATUS_OK;

	for (u32 i = 0; i < p->n; i++)
		order[i] = i;
	sorted_of = p;
	qsort(order, p->n, sizeof(*order), by_key);
	for (u32 i = 1; i < p->n && !st; i++)
		if (!strcmp(p->point[order[i - 1]].key, p->point[order[i]].key))
			st = check_equal(p, min_u32(order[i - 1], order[i]), max_u32(order[i - 1], order[i]), e);
	free(order);
	return st;
}

/* Work them out in as many processes as there are processors. */
static void work_all(struct session *s, const struct plan *p, struct keys *k, u32 n)
{
	pid_t *pid = xcalloc(n, sizeof(*pid));

	for (u32 i = 1; i < n; i++) {
		pid[i] = fork();
		if (!pid[i]) {
			work_out(s, p, k, i, n);
			_exit(0);
		}
	}
	work_out(s, p, k, 0, n);
	for (u32 i = 1; i < n; i++)
		if (pid[i] > 0)
			waitpid(pid[i], NULL, 0);
	free(pid);
}

enum status plan_keys(struct session *s, struct plan *p, struct error *e)
{
	u32 n = p->n < 8 ? 1 : worker_pool_processors();
	size_t errors = n * sizeof(struct error), size = errors + p->n * sizeof(*((struct keys *)0)->point);
	char *shared = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	struct keys k = {.error = (void *)shared, .point = (void *)(shared + errors)};
	enum status st = STATUS_OK;

	if (shared == MAP_FAILED)
		die("out of memory (keys of %u jobs)", p->n);
	fflush(NULL);
	work_all(s, p, &k, n);
	for (u32 i = 0; i < n && !st; i++)
		if (k.error[i].status) {
			*e = k.error[i];
			st = e->status;
		}
	INVARIANT(p->point);
	for (u32 i = 0; i < p->n && !st; i++) {
		if (!k.point[i].done)
			st = error_set(e, STATUS_FAILED, "a process that lists the jobs has ended before its time");
		memcpy(p->point[i].key, k.point[i].key, sizeof(p->point[i].key));
	}
	munmap(shared, size);
	return st ? st : check_distinct(p, e);
}

json_t *plan_point_json(const struct sweep *w, const u32 value[SWEEP_AXES])
{
	json_t *o = json_object();

	for (u32 i = 0; i < w->naxes; i++)
		member_text(o, w->axis[i].name, safe_text(w->axis[i].value[value[i]]));
	return o;
}
