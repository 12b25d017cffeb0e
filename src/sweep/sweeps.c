/*
 * sweeps.c - what the options of the program ask of sweeps (sweeps.h).
 */
#include "sweeps.h"

#include "drive.h"
#include "grid.h"
#include "lang.h"
#include "outfile.h"
#include "slurm.h"

#include <glob.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The results of a sweep file, where none are named: beside it, with the ending .db. */
static char *results_of(const struct plan *p)
{
	char *dir = path_dir(p->file), *path = xasprintf("%s/%s.db", dir, p->name);

	free(dir);
	return path;
}

/* A path that is the same from every folder; xmalloc'ed. */
static char *absolute(const char *path)
{
	char here[PATH_MAX];

	return *path == '/' || !strcmp(path, "-") || !getcwd(here, sizeof(here)) ? xstrdup(path)
										 : xasprintf("%s/%s", here, path);
}

/* The only file of results of the working directory, where none is named. */
static enum status results_here(struct sweeps *x, struct error *e)
{
	glob_t found = {0};
	enum status st = STATUS_OK;

	if (x->results)
		return STATUS_OK;
	if (!glob("*.db", 0, NULL, &found) && found.gl_pathc == 1)
		x->results = x->owned = xstrdup(found.gl_pathv[0]);
	else
		st = error_set(e, STATUS_USAGE, "which results? (`--results DATABASE`)");
	globfree(&found);
	return st;
}

/* --- jobs --- */

static void print_job(const struct plan *p, u32 i, const char *command)
{
	json_t *o = json_object();

	member_text(o, "key", p->point[i].key);
	json_object_set_new(o, "point", plan_point_json(p->sweep, p->point[i].value));
	member_text(o, "command", safe_text(command));
	report_result("jobs", o);
	json_decref(o);
}

static enum status list_jobs(struct session *s, struct sweeps *x, struct error *e)
{
	struct plan p;
	enum status st = plan_open(s, x->file, &p, e);

	if (!st)
		st = plan_keys(s, &p, e);
	if (!st)
		x->results = x->owned = x->results ? absolute(x->results) : results_of(&p);
	for (u32 i = 0; i < p.n && !st; i++) {
		struct text line = {0}, words = {0};

		if (!drive_shard(x, i))
			continue;
		drive_command(s, x, &p, i, x->results, &line);
		sweep_words(p.sweep, p.point[i].value, &words);
		if (s->json)
			print_job(&p, i, line.s);
		else
			printf("%s # %s\n", line.s, words.s);
		text_free(&line);
		text_free(&words);
	}
	plan_free(&p);
	return st;
}

/* KEY or KEY@N: where the point is looked for first. */
static enum status find_job(struct session *s, const struct sweeps *x, struct plan *p, char *key, u32 *at,
			    struct error *e)
{
	size_t digits = strspn(x->key, "0123456789abcdef");
	enum status st;

	*at = x->key[digits] == '@' ? (u32)strtoul(x->key + digits + 1, NULL, 10) : NONE32;
	if (digits != KEY_DIGITS || (x->key[digits] && x->key[digits] != '@'))
		return error_set(e, STATUS_USAGE, "--run-job: '%s' is not a key (`warpstep --jobs FILE` lists them)",
				 token_shown(x->key));
	snprintf(key, KEY_DIGITS + 1, "%s", x->key);
	if (*at < p->n)
		return STATUS_OK;
	st = plan_keys(s, p, e);
	for (u32 i = 0; i < p->n && !st; i++)
		if (!strcmp(p->point[i].key, key))
			*at = i;
	if (!st && *at >= p->n)
		st = error_at(
			e, STATUS_FAILED, p->path, 0, 0,
			"no point has the key %s: a file, an option or the program has changed (`--jobs` lists them)",
			key);
	return st;
}

static enum status run_job(struct session *s, struct sweeps *x, struct error *e)
{
	char key[KEY_DIGITS + 1];
	struct plan p;
	enum status st;
	u32 at;

	if (x->nrest != 1)
		return error_set(e, STATUS_USAGE, "--run-job: name its sweep file (`warpstep --run-job KEY FILE`)");
	st = plan_open(s, x->rest[0], &p, e);
	if (!st)
		st = find_job(s, x, &p, key, &at, e);
	if (!st)
		x->results = x->owned = x->results ? absolute(x->results) : results_of(&p);
	if (!st)
		st = drive_job(s, x, &p, at, key, x->results, e);
	plan_free(&p);
	return st;
}

/* --- sweeps --- */

static void print_states(const struct session *s, const struct sweeps *x, const u32 *count, u32 n, u32 missing)
{
	json_t *o = s->json ? json_object() : NULL;

	if (o) {
		member_int(o, "jobs", n);
		for (u32 k = 0; k < ROW_STATES; k++)
			member_int(o, row_state_table[k].name, count[k]);
		member_int(o, "missing", missing);
		member_text(o, "results", safe_text(x->results));
		report_result("sweep", o);
		json_decref(o);
		return;
	}
	printf("%u job%s:", n, plural(n));
	for (u32 k = 0; k < ROW_STATES; k++)
		if (count[k] || k == ROW_complete)
			printf("%s %u %s", k ? "," : "", count[k], row_state_table[k].name);
	if (missing)
		printf(", %u missing", missing);
	printf(" (%s)\n", safe_text(x->results));
}

/* How many points of a sweep have which state. *cut: those that did not come to their ends. */
static void say_states(const struct session *s, const struct sweeps *x, const struct plan *p, struct rows *r, u32 *cut)
{
	u32 count[ROW_STATES] = {0}, missing = 0, n = 0;
	struct grid g;
	struct error e;

	*cut = 0;
	if (!grid_open(r, p->name, &g, &e)) {
		for (u32 i = 0; i < g.n; i++) {
			if (!drive_shard(x, i))
				continue;
			n++;
			for (u32 k = 0; k < ROW_STATES; k++)
				count[k] += g.point[i].state == row_state_table[k].name;
			missing += !g.point[i].state;
		}
		if (!s->quiet || s->json)
			print_states(s, x, count, n, missing);
		*cut = n - count[ROW_complete] - missing;
	}
	grid_free(&g);
}

static enum status run_sweep(struct session *s, struct sweeps *x, struct error *e)
{
	struct rows r = {0};
	struct plan p;
	enum status st = plan_open(s, x->file, &p, e);
	u32 cut = 0;

	if (!st)
		st = plan_keys(s, &p, e);
	if (!st)
		x->results = x->owned = x->results ? absolute(x->results) : results_of(&p);
	if (!st)
		st = rows_open(x->results, true, &r, e);
	if (!st)
		st = rows_plan(&r, &p, e);
	if (!st && x->slurm)
		st = slurm_submit(s, x, &p, &r, e);
	else if (!st) {
		st = drive_sweep(s, x, &p, &r, e);
		if (r.db)
			say_states(s, x, &p, &r, &cut);
		if (!st && cut)
			st = error_set(e, STATUS_CHECK,
				       "%u point%s ended before the end (`warpstep --results %s` lists them)", cut,
				       plural(cut), x->results);
	}
	rows_close(&r);
	plan_free(&p);
	return st;
}

/* --- merge --- */

/* The lines of a dump. */
static enum status merge_lines(const struct rows *to, FILE *f, const char *name, struct error *e)
{
	char *line = NULL;
	size_t room = 0;
	enum status st = STATUS_OK;
	u32 number = 0;

	while (!st && getline(&line, &room, f) > 0) {
		number++;
		st = rows_take(to, line, e);
		if (st && !e->file[0]) {
			snprintf(e->file, sizeof(e->file), "%s", name);
			e->line = number;
		}
	}
	free(line);
	return st;
}

/* Is a file a database, not lines? */
static bool is_database(const char *path)
{
	FILE *f = fopen(path, "r");
	char head[16] = "";
	bool is = f && fread(head, 1, sizeof(head), f) == sizeof(head) && !memcmp(head, "SQLite format 3", 16);

	if (f)
		fclose(f);
	return is;
}

/* A database becomes lines on the way. */
static enum status merge_database(const struct rows *to, const char *path, struct error *e)
{
	struct rows from;
	enum status st = rows_open(path, false, &from, e);
	FILE *f = st ? NULL : tmpfile();

	if (!st && !f)
		st = error_set(e, STATUS_FAILED, "no temporary file");
	if (!st)
		st = rows_dump(&from, f, e);
	if (!st) {
		rewind(f);
		st = merge_lines(to, f, path, e);
	}
	if (f)
		fclose(f);
	rows_close(&from);
	return st;
}

static enum status merge_one(const struct rows *to, const char *path, struct error *e)
{
	bool standard = !strcmp(path, "-");
	struct stat is;
	enum status st;
	FILE *f;

	if (!stat(path, &is) && S_ISDIR(is.st_mode))
		return slurm_merge(to, path, e);
	if (!standard && is_database(path))
		return merge_database(to, path, e);
	f = standard ? stdin : fopen(path, "r");
	if (!f)
		return error_at(e, STATUS_USAGE, path, 0, 0, "cannot open it");
	st = merge_lines(to, f, path, e);
	if (!standard)
		fclose(f);
	return st;
}

static enum status merge(struct sweeps *x, struct error *e)
{
	struct rows to;
	enum status st;

	if (!x->nrest)
		return error_set(
			e, STATUS_USAGE,
			"--merge: name the databases to take rows from (`warpstep --merge ALL.db ONE.db ...`)");
	st = rows_open(x->results, true, &to, e);
	for (u32 i = 0; i < x->nrest && !st; i++)
		st = merge_one(&to, x->rest[i], e);
	rows_close(&to);
	return st;
}

/* --- queries --- */

/* Print a table. incomplete: points that keep it from being whole, a line each; empty: it is. */
static void print_table(struct session *s, const struct sweeps *x, const struct table *t, const char *incomplete)
{
	json_t *o;

	if (!s->json) {
		table_print(t, x->csv, stdout);
		return;
	}
	o = table_json(t);
	member_bool(o, "complete", !*incomplete);
	report_result("results", o);
	json_decref(o);
}

/* Print the table of a query. */
static enum status ask(struct session *s, const struct sweeps *x, const struct rows *r, const char *query,
		       struct error *e)
{
	struct table t = {0};
	struct text refused = {0};
	enum status st = query_run(s, r, query, &t, &refused, e);

	if (!st && !x->chart)
		print_table(s, x, &t, refused.len ? refused.s : "");
	if (!st && x->chart && !refused.len)
		st = table_chart(&t, x->chart, s->columns ? s->columns : 79, e);
	if (!st && refused.len) {
		fprintf(stderr, "incomplete: no number is computed from points that are missing or were cut:\n%s",
			refused.s);
		st = STATUS_FAILED;
	}
	table_free(&t);
	text_free(&refused);
	return st;
}

/* Where and how long jobs ran: what is not the same in every run. */
static enum status ask_host(struct session *s, const struct sweeps *x, const struct rows *r, struct error *e)
{
	static const char *const head[] = {"key", "runs", "seconds", "host", "ended"};
	sqlite3_stmt *q = rows_prepare(r, e, "SELECT key, runs, seconds, name, ended FROM host ORDER BY key", 0, NULL);
	struct table t = {.labels = 1};

	for (u32 i = 0; i < ARRAY_LEN(head); i++)
		table_head(&t, head[i]);
	while (q && sqlite3_step(q) == SQLITE_ROW)
		for (int i = 0; i < (int)ARRAY_LEN(head); i++)
			if (i == 1 || i == 2)
				table_add_number(&t, sqlite3_column_double(q, i));
			else
				table_add(&t, (const char *)sqlite3_column_text(q, i));
	if (q)
		print_table(s, x, &t, "");
	sqlite3_finalize(q);
	table_free(&t);
	return q ? STATUS_OK : STATUS_FAILED;
}

static enum status query(struct session *s, struct sweeps *x, struct error *e)
{
	struct text words = {0};
	struct rows r;
	enum status st;

	/* one word is a whole query; several are its words, some of which may have blanks: "volta sms 5" */
	for (u32 i = 0; i < x->nrest; i++) {
		text_add(&words, "%s", i ? " " : "");
		if (x->nrest == 1)
			text_add(&words, "%s", x->rest[i]);
		else
			word_add(&words, x->rest[i]);
	}
	st = rows_open(x->results, false, &r, e);
	if (!st && words.s && !strcmp(words.s, "dump"))
		st = rows_dump(&r, stdout, e);
	else if (!st && words.s && !strcmp(words.s, "host"))
		st = ask_host(s, x, &r, e);
	else if (!st)
		st = ask(s, x, &r, words.s ? words.s : "", e);
	rows_close(&r);
	text_free(&words);
	return st;
}

/* --- one row as a machine --- */

/* Where a job ended, and what was run. */
struct end {
	u64 cycle, limit; /* limit: --max-cycles */
	char *hash, *file;
	u32 point;
};

/* The row and the point of a key. */
static enum status find_row(const struct rows *r, const char *key, const char *file, struct end *end, struct error *e)
{
	sqlite3_stmt *q = rows_prepare(r, e,
				       "SELECT cycle, hash, file, n, state, cycles FROM result JOIN plan USING(key)"
				       " JOIN sweep ON sweep.name = plan.sweep WHERE key = ?",
				       1, &key);
	enum status st = q ? STATUS_OK : STATUS_FAILED;

	if (q && sqlite3_step(q) == SQLITE_ROW) {
		end->cycle = (u64)sqlite3_column_int64(q, 0);
		end->hash = xstrdup((const char *)sqlite3_column_text(q, 1));
		end->file = xstrdup(file ? file : (const char *)sqlite3_column_text(q, 2));
		end->point = (u32)sqlite3_column_int64(q, 3);
		end->limit = (u64)sqlite3_column_int64(q, 5);
		if (!*end->hash)
			st = error_set(e, STATUS_FAILED, "row %s: %s, so there is no end to open", key,
				       (const char *)sqlite3_column_text(q, 4));
	} else if (q) {
		st = error_at(e, STATUS_FAILED, r->path, 0, 0, "no point has a row with the key '%s'",
			      token_shown(key));
	}
	sqlite3_finalize(q);
	return st;
}

/* The session stands where the job ended: in the same state, or something has changed. */
static enum status go_to_end(struct session *s, const char *key, const struct end *end, struct error *e)
{
	u64 limit = s->max_cycles;
	char now[KEY_DIGITS + 1], line[64];
	enum status st;

	s->max_cycles = end->limit;
	st = plan_key(s, now, e);
	s->max_cycles = limit;
	if (!st && strcmp(now, key) != 0)
		st = error_set(e, STATUS_FAILED, "row %s: its point has key %s now: a file or the program has changed",
			       key, now);
	if (!st)
		st = session_make(s, e);
	snprintf(line, sizeof(line), "goto %llu", end->cycle);
	if (!st)
		st = text_run(s, line, NULL, true, e);
	if (st)
		return st;
	sim_sync(&s->sim);
	snprintf(now, sizeof(now), "%016llx", sim_hash(&s->sim));
	return strcmp(now, end->hash)
		       ? error_set(e, STATUS_INTERNAL, "row %s: its end has state %s, not %s", key, now, end->hash)
		       : STATUS_OK;
}

/* Set the session up at the point of a row. */
static enum status set_up(struct session *s, const struct end *end, struct error *e)
{
	INVARIANT(end->file);
	struct plan p = {0};
	enum status st = *end->file
				 ? plan_open(s, end->file, &p, e)
				 : error_set(e, STATUS_USAGE,
					     "--row: name the sweep file, too, as the results were merged from others");

	if (!st && end->point >= p.n)
		st = error_at(e, STATUS_FAILED, end->file, 0, 0, "has no point %u any more", end->point);
	if (!st) {
		INVARIANT(p.point);
		memcpy(sweep_of(s)->chosen, p.point[end->point].value, sizeof(s->sweep->chosen));
		s->sweep->told = true;
		s->scenario = xstrdup(end->file);
		st = command_run_file(s, end->file, e);
	}
	plan_free(&p);
	return st;
}

enum status sweeps_open_row(struct session *s, struct sweeps *x, struct error *e)
{
	struct rows r = {0};
	struct end end = {0};
	enum status st = results_here(x, e);

	if (!st)
		st = rows_open(x->results, false, &r, e);
	if (!st)
		st = find_row(&r, x->key, x->nrest ? x->rest[0] : NULL, &end, e);
	rows_close(&r);
	if (!st)
		st = set_up(s, &end, e);
	if (!st)
		st = go_to_end(s, x->key, &end, e);
	free(end.hash);
	free(end.file);
	free(x->owned);
	return st;
}

int sweeps_run(struct session *s, struct sweeps *x)
{
	struct error e = {0};
	char message[1600];
	enum status st = STATUS_OK;

	switch (x->what) {
	case SWEEPS_JOBS: st = list_jobs(s, x, &e); break;
	case SWEEPS_RUN_JOB: st = run_job(s, x, &e); break;
	case SWEEPS_SWEEP: st = run_sweep(s, x, &e); break;
	case SWEEPS_MERGE: st = merge(x, &e); break;
	case SWEEPS_QUERY: st = query(s, x, &e); break;
	default: break;
	}
	s->lang->failed_verb = "sweep";
	if (st && s->json && e.message[0])
		report_error(s, &e);
	else if (st && e.message[0])
		fprintf(stderr, "%s%s\n",
			e.file[0] ? "" : "warpstep: ", safe_text(error_format(&e, message, sizeof(message))));
	if (outfile_flush(stdout) && !st)
		st = STATUS_FAILED;
	free(x->owned);
	return (int)st;
}
