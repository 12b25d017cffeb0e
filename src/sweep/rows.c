/*
 * rows.c - the database of results (rows.h): SQLite with a write-ahead log, so that many processes may write, and a
 * process that is killed leaves nothing or all of what it was writing.
 *
 * Tables: `result`, a row for each key; `plan`, the points of each sweep with their keys as they were listed last, so
 * that what is missing is known; `sweep`, its axes; `host`, what is not the same in every run.
 */
#include "rows.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define FORMAT 1	       /* of the tables: user_version */
#define PATIENCE 120000	       /* milliseconds that another writer is waited for */
#define APPLICATION 0x77737470 /* "wstp" */

const struct row_state row_state_table[ROW_STATES] = {
#define ROWSTATE(id, n, f, d) [ROW_##id] = {.name = n, .final = f, .doc = d},
#include "rowstates.def"
#undef ROWSTATE
};

static const char tables[] =
	"BEGIN IMMEDIATE;"
	"CREATE TABLE IF NOT EXISTS result(key TEXT PRIMARY KEY, version TEXT NOT NULL, state TEXT NOT NULL,"
	" detail TEXT NOT NULL, cycle INTEGER NOT NULL, hash TEXT NOT NULL, vals TEXT NOT NULL) WITHOUT ROWID;"
	"CREATE TABLE IF NOT EXISTS sweep(name TEXT PRIMARY KEY, file TEXT NOT NULL, axes TEXT NOT NULL,"
	" baseline TEXT NOT NULL, measures TEXT NOT NULL, cycles INTEGER NOT NULL) WITHOUT ROWID;"
	"CREATE TABLE IF NOT EXISTS plan(sweep TEXT NOT NULL, n INTEGER NOT NULL, key TEXT NOT NULL, point TEXT NOT NULL,"
	" PRIMARY KEY(sweep, n)) WITHOUT ROWID;"
	"CREATE TABLE IF NOT EXISTS host(key TEXT PRIMARY KEY, seconds REAL, name TEXT, ended TEXT, runs INTEGER NOT NULL) WITHOUT ROWID;"
	"PRAGMA application_id = 2004055152; PRAGMA user_version = 1;"
	"COMMIT;";

/* --- the database --- */

enum status rows_failed(const struct rows *r, struct error *e)
{
	enum status st = r->db && sqlite3_errcode(r->db) == SQLITE_NOTADB ? STATUS_USAGE : STATUS_FAILED;

	return error_at(e, st, r->path, 0, 0, "%s", r->db ? sqlite3_errmsg(r->db) : "out of memory");
}

/* A number that a statement gives; -1: none. */
static i64 number(const struct rows *r, const char *sql)
{
	sqlite3_stmt *q = NULL;
	i64 n = -1;

	if (!sqlite3_prepare_v2(r->db, sql, -1, &q, NULL) && sqlite3_step(q) == SQLITE_ROW)
		n = sqlite3_column_int64(q, 0);
	sqlite3_finalize(q);
	return n;
}

/* A file that is no database of results, or one of a later version, is left alone; an empty one can only be written. */
static enum status check_format(const struct rows *r, bool write, struct error *e)
{
	i64 version = number(r, "PRAGMA user_version"), tables_there = number(r, "SELECT count(*) FROM sqlite_master");

	if (version < 0 || tables_there < 0)
		return rows_failed(r, e);
	if (!tables_there && !write)
		return error_at(e, STATUS_FAILED, r->path, 0, 0, "no sweep is recorded there");
	if (tables_there && number(r, "PRAGMA application_id") != APPLICATION)
		return error_at(e, STATUS_USAGE, r->path, 0, 0, "is a database of another program");
	if (version > FORMAT)
		return error_at(e, STATUS_USAGE, r->path, 0, 0, "is of a later version of warpstep");
	return STATUS_OK;
}

enum status rows_open(const char *path, bool write, struct rows *r, struct error *e)
{
	int flags = write ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READWRITE;
	enum status st;

	*r = (struct rows){.path = xstrdup(path)};
	if (!write && access(path, R_OK))
		return error_at(e, STATUS_USAGE, path, 0, 0, "cannot open: %s", strerror(errno));
	if (!write && access(path, W_OK))
		flags = SQLITE_OPEN_READONLY;
	if (sqlite3_open_v2(path, &r->db, flags, NULL))
		return rows_failed(r, e);
	sqlite3_busy_timeout(r->db, PATIENCE);
	st = check_format(r, write, e);
	if (st || !write)
		return st;
	/* Two that switch the log on at once may miss each other: the second tries again. */
	for (u32 i = 0; i < 100 && sqlite3_exec(r->db, "PRAGMA journal_mode = WAL", NULL, NULL, NULL); i++)
		usleep(20000);
	if (number(r, "PRAGMA user_version") == FORMAT)
		return STATUS_OK;
	return sqlite3_exec(r->db, tables, NULL, NULL, NULL) ? rows_failed(r, e) : STATUS_OK;
}

void rows_close(struct rows *r)
{
	sqlite3_close(r->db);
	free(r->path);
	*r = (struct rows){0};
}

sqlite3_stmt *rows_prepare(const struct rows *r, struct error *e, const char *sql, u32 n, const char *const *text)
{
	sqlite3_stmt *q = NULL;

	if (sqlite3_prepare_v2(r->db, sql, -1, &q, NULL)) {
		rows_failed(r, e);
		return NULL;
	}
	for (u32 i = 0; i < n; i++)
		sqlite3_bind_text(q, (int)i + 1, text[i], -1, SQLITE_TRANSIENT);
	return q;
}

enum status rows_do(const struct rows *r, struct error *e, const char *sql, u32 n, const char *const *text)
{
	sqlite3_stmt *q = rows_prepare(r, e, sql, n, text);
	int result = q ? sqlite3_step(q) : SQLITE_ERROR;
	enum status st = result == SQLITE_DONE || result == SQLITE_ROW ? STATUS_OK : rows_failed(r, e);

	sqlite3_finalize(q);
	return st;
}

/* Begin what is done whole or not at all; end it, well or not. */
static enum status begin(const struct rows *r, struct error *e)
{
	return rows_do(r, e, "BEGIN IMMEDIATE", 0, NULL);
}

static enum status end(const struct rows *r, enum status st, struct error *e)
{
	if (!st)
		st = rows_do(r, e, "COMMIT", 0, NULL);
	if (st)
		sqlite3_exec(r->db, "ROLLBACK", NULL, NULL, NULL);
	return st;
}

/* --- rows --- */

static bool is_final(const char *state)
{
	for (u32 i = 0; i < ROW_STATES; i++)
		if (!strcmp(row_state_table[i].name, state))
			return row_state_table[i].final;
	return false;
}

/* The row of a key as a line; NULL: there is none. final: only one that stays. */
static char *line_of(const struct rows *r, const char *key, bool final)
{
	struct error e;
	sqlite3_stmt *q = rows_prepare(
		r, &e, "SELECT version, state, detail, cycle, hash, vals FROM result WHERE key = ?", 1, &key);
	char *line = NULL;
	struct row x = {0};

	if (q && sqlite3_step(q) == SQLITE_ROW) {
		snprintf(x.key, sizeof(x.key), "%s", key);
		x.version = (const char *)sqlite3_column_text(q, 0);
		x.state = (const char *)sqlite3_column_text(q, 1);
		x.detail = (const char *)sqlite3_column_text(q, 2);
		x.cycle = (u64)sqlite3_column_int64(q, 3);
		x.hash = (const char *)sqlite3_column_text(q, 4);
		x.values = (const char *)sqlite3_column_text(q, 5);
		if (!final || is_final(x.state))
			line = row_line(&x, false);
	}
	sqlite3_finalize(q);
	return line;
}

bool rows_has(const struct rows *r, const char *key)
{
	struct error e;
	sqlite3_stmt *q = rows_prepare(r, &e, "SELECT state FROM result WHERE key = ?", 1, &key);
	bool has = q && sqlite3_step(q) == SQLITE_ROW && is_final((const char *)sqlite3_column_text(q, 0));

	sqlite3_finalize(q);
	return has;
}

/* What is not part of the row: where and how long it ran, and how often to its end, which should be once. */
static enum status put_host(const struct rows *r, const struct row *x, bool again, struct error *e)
{
	char seconds[32], name[128] = "", now[32];
	time_t t = time(NULL);
	struct tm tm;

	if (again)
		return rows_do(r, e, "UPDATE host SET runs = runs + 1 WHERE key = ?", 1, (const char *const[]){x->key});
	gethostname(name, sizeof(name) - 1);
	snprintf(seconds, sizeof(seconds), "%.3f", x->seconds);
	strftime(now, sizeof(now), "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&t, &tm));
	return rows_do(r, e, "INSERT OR REPLACE INTO host VALUES (?, ?, ?, ?, 1)", 4,
		       (const char *const[]){x->key, seconds, name, now});
}

static enum status put(const struct rows *r, const struct row *x, struct error *e)
{
	char *there = line_of(r, x->key, true), *new = row_line(x, false), cycle[32];
	enum status st = STATUS_OK;

	snprintf(cycle, sizeof(cycle), "%llu", x->cycle);
	if (there && is_final(x->state) && strcmp(there, new) != 0)
		st = error_at(e, STATUS_FAILED, r->path, 0, 0,
			      "row %s is there with another result: two runs of one job differ", x->key);
	else if (!there)
		st = rows_do(r, e, "INSERT OR REPLACE INTO result VALUES (?, ?, ?, ?, ?, ?, ?)", 7,
			     (const char *const[]){x->key, x->version, x->state, x->detail, cycle, x->hash, x->values});
	if (!st && x->seconds > 0)
		st = put_host(r, x, there != NULL, e);
	free(there);
	free(new);
	return st;
}

enum status rows_put(const struct rows *r, const struct row *x, struct error *e)
{
	enum status st = begin(r, e);

	return st ? st : end(r, put(r, x, e), e);
}

/* --- plans --- */

static char *json_line(json_t *o)
{
	char *line = json_dumps(o, JSON_COMPACT);

	json_decref(o);
	return line;
}

static char *axes_line(const struct sweep *w)
{
	json_t *axes = json_array();

	for (u32 i = 0; i < w->naxes; i++) {
		json_t *x = json_object(), *values = json_array();

		for (u32 k = 0; k < w->axis[i].n; k++)
			json_array_append_new(values, json_string(safe_text(w->axis[i].value[k])));
		member_text(x, "name", w->axis[i].name);
		json_object_set_new(x, "values", values);
		json_array_append_new(axes, x);
	}
	return json_line(axes);
}

static char *baseline_line(const struct sweep *w)
{
	json_t *o = json_object();

	for (u32 i = 0; w->has_baseline && i < w->naxes; i++)
		if (w->baseline.value[i] != NONE32)
			member_text(o, w->axis[i].name, safe_text(w->axis[i].value[w->baseline.value[i]]));
	return json_line(o);
}

static char *measures_line(const struct sweep *w)
{
	json_t *list = json_array();

	for (u32 i = 0; i < w->nmeasures; i++)
		json_array_append_new(list, json_string(safe_text(w->measure[i].name)));
	if (!w->nmeasures) {
		json_array_append_new(list, json_string("cycle"));
		json_array_append_new(list, json_string("ipc"));
	}
	return json_line(list);
}

static enum status put_points(const struct rows *r, const struct plan *p, struct error *e)
{
	enum status st = rows_do(r, e, "DELETE FROM plan WHERE sweep = ?", 1, (const char *const[]){p->name});

	for (u32 i = 0; i < p->n && !st; i++) {
		char *point = json_line(plan_point_json(p->sweep, p->point[i].value)), n[16];

		snprintf(n, sizeof(n), "%u", i);
		st = rows_do(r, e, "INSERT INTO plan VALUES (?, ?, ?, ?)", 4,
			     (const char *const[]){p->name, n, p->point[i].key, point});
		free(point);
	}
	return st;
}

enum status rows_plan(const struct rows *r, const struct plan *p, struct error *e)
{
	char *axes = axes_line(p->sweep), *baseline = baseline_line(p->sweep), *measures = measures_line(p->sweep);
	enum status st = begin(r, e);
	char cycles[32];

	snprintf(cycles, sizeof(cycles), "%llu", p->cycles);
	if (!st) {
		st = rows_do(r, e, "INSERT OR REPLACE INTO sweep VALUES (?, ?, ?, ?, ?, ?)", 6,
			     (const char *const[]){p->name, p->file, axes, baseline, measures, cycles});
		if (!st)
			st = put_points(r, p, e);
		st = end(r, st, e);
	}
	free(axes);
	free(baseline);
	free(measures);
	return st;
}

bool rows_planned(const struct rows *r, const struct plan *p, u32 i, const char *key)
{
	char n[16];
	struct error e;
	sqlite3_stmt *q;
	bool is;

	snprintf(n, sizeof(n), "%u", i);
	q = rows_prepare(r, &e,
			 "SELECT 1 FROM plan WHERE sweep = ?1 AND n = ?2 AND key = ?3"
			 " AND (SELECT count(*) FROM plan WHERE sweep = ?1) = ?4",
			 3, (const char *const[]){p->name, n, key});
	if (q)
		sqlite3_bind_int64(q, 4, p->n);
	is = q && sqlite3_step(q) == SQLITE_ROW;
	sqlite3_finalize(q);
	return is;
}

/* --- as lines --- */

char *row_line(const struct row *x, bool host)
{
	json_t *o = json_object(), *values = json_loads(x->values, 0, NULL);

	member_text(o, "key", x->key);
	member_text(o, "version", x->version);
	member_text(o, "state", x->state);
	member_text(o, "detail", x->detail);
	member_int(o, "cycle", (i64)x->cycle);
	member_text(o, "hash", x->hash);
	json_object_set_new(o, "values", values ? values : json_object());
	if (host)
		member_real(o, "seconds", x->seconds);
	return json_line(o);
}

/* A text of an object; empty if it has none. */
static const char *text_of(const json_t *o, const char *key)
{
	const char *s = json_string_value(json_object_get(o, key));

	return s ? s : "";
}

/* The line of a row. */
static enum status take_row(const struct rows *r, const json_t *o, struct error *e)
{
	char *values = json_dumps(json_object_get(o, "values"), JSON_COMPACT);
	struct row x = {.version = text_of(o, "version"),
			.state = text_of(o, "state"),
			.detail = text_of(o, "detail"),
			.cycle = (u64)json_integer_value(json_object_get(o, "cycle")),
			.hash = text_of(o, "hash"),
			.values = values ? values : "{}",
			.seconds = json_real_value(json_object_get(o, "seconds"))};
	enum status st;

	snprintf(x.key, sizeof(x.key), "%s", text_of(o, "key"));
	st = *x.key && *x.state ? rows_put(r, &x, e) : error_set(e, STATUS_USAGE, "a line is no row of results");
	free(values);
	return st;
}

/* The line of a sweep: its axes with all its points. Another database that has other keys for it ran something else. */
static enum status take_sweep(const struct rows *r, const json_t *o, struct error *e)
{
	static const char have[] =
		"SELECT sum(NOT EXISTS (SELECT 1 FROM json_each(?2) WHERE json_extract(value, '$[0]') = n"
		" AND json_extract(value, '$[1]') = plan.key)), count(*) FROM plan WHERE sweep = ?1";
	char *axes = json_dumps(json_object_get(o, "axes"), JSON_COMPACT),
	     *points = json_dumps(json_object_get(o, "points"), JSON_COMPACT),
	     *baseline = json_dumps(json_object_get(o, "baseline"), JSON_COMPACT),
	     *measures = json_dumps(json_object_get(o, "measures"), JSON_COMPACT);
	const char *name = text_of(o, "sweep"), *const two[] = {name, points};
	sqlite3_stmt *q = rows_prepare(r, e, have, 2, two);
	enum status st = q ? STATUS_OK : STATUS_FAILED;
	char cycles[32];

	snprintf(cycles, sizeof(cycles), "%lld", (i64)json_integer_value(json_object_get(o, "cycles")));
	if (q && sqlite3_step(q) == SQLITE_ROW &&
	    (sqlite3_column_int64(q, 0) ||
	     (sqlite3_column_int64(q, 1) &&
	      sqlite3_column_int64(q, 1) != (i64)json_array_size(json_object_get(o, "points")))))
		st = error_at(e, STATUS_FAILED, r->path, 0, 0,
			      "sweep '%s' has other points or other keys there: files or programs differ",
			      safe_text(name));
	sqlite3_finalize(q);
	if (!st)
		st = begin(r, e);
	if (!st) {
		st = rows_do(r, e, "INSERT OR IGNORE INTO sweep VALUES (?, ?, ?, ?, ?, ?)", 6,
			     (const char *const[]){name, text_of(o, "file"), axes ? axes : "[]",
						   baseline ? baseline : "{}", measures ? measures : "[]", cycles});
		if (!st)
			st = rows_do(r, e,
				     "INSERT OR IGNORE INTO plan SELECT ?1, json_extract(value, '$[0]'),"
				     " json_extract(value, '$[1]'), json_extract(value, '$[2]') FROM json_each(?2)",
				     2, two);
		st = end(r, st, e);
	}
	free(axes);
	free(points);
	free(baseline);
	free(measures);
	return st;
}

enum status rows_take(const struct rows *r, const char *line, struct error *e)
{
	json_t *o = json_loads(line, 0, NULL);
	enum status st;

	if (!json_is_object(o))
		st = error_set(e, STATUS_USAGE, "a line is no row of results");
	else
		st = json_object_get(o, "sweep") ? take_sweep(r, o, e) : take_row(r, o, e);
	json_decref(o);
	return st;
}

/* Points of a sweep as [n, key, point]. */
static json_t *points_of(const struct rows *r, const char *sweep, struct error *e)
{
	sqlite3_stmt *q = rows_prepare(r, e, "SELECT n, key, point FROM plan WHERE sweep = ? ORDER BY n", 1, &sweep);
	json_t *list = json_array();

	while (q && sqlite3_step(q) == SQLITE_ROW)
		json_array_append_new(list, json_pack("[I, s, o]", sqlite3_column_int64(q, 0),
						      (const char *)sqlite3_column_text(q, 1),
						      json_loads((const char *)sqlite3_column_text(q, 2), 0, NULL)));
	sqlite3_finalize(q);
	return list;
}

static enum status dump_sweeps(const struct rows *r, FILE *out, struct error *e)
{
	sqlite3_stmt *q =
		rows_prepare(r, e, "SELECT name, axes, baseline, measures, cycles FROM sweep ORDER BY name", 0, NULL);

	while (q && sqlite3_step(q) == SQLITE_ROW) {
		json_t *o = json_object();
		const char *name = (const char *)sqlite3_column_text(q, 0);
		char *line;

		member_text(o, "sweep", name);
		json_object_set_new(o, "axes", json_loads((const char *)sqlite3_column_text(q, 1), 0, NULL));
		json_object_set_new(o, "baseline", json_loads((const char *)sqlite3_column_text(q, 2), 0, NULL));
		json_object_set_new(o, "measures", json_loads((const char *)sqlite3_column_text(q, 3), 0, NULL));
		member_int(o, "cycles", sqlite3_column_int64(q, 4));
		json_object_set_new(o, "points", points_of(r, name, e));
		line = json_line(o);
		fprintf(out, "%s\n", line);
		free(line);
	}
	sqlite3_finalize(q);
	return q ? STATUS_OK : STATUS_FAILED;
}

enum status rows_dump(const struct rows *r, FILE *out, struct error *e)
{
	enum status st = dump_sweeps(r, out, e);
	sqlite3_stmt *q = st ? NULL : rows_prepare(r, e, "SELECT key FROM result ORDER BY key", 0, NULL);

	while (q && sqlite3_step(q) == SQLITE_ROW) {
		char *line = line_of(r, (const char *)sqlite3_column_text(q, 0), false);

		fprintf(out, "%s\n", line ? line : "");
		free(line);
	}
	if (!st && !q)
		st = STATUS_FAILED;
	sqlite3_finalize(q);
	return st;
}
