/*
 * runs.c - the runs of papers as jobs of sweeps (warpstep-sweeps(7)): those of a paper are the files of OUT/PAPER, the
 * points of OUT/PAPER.scn; their rows are in OUT/reproduce.db, each made once.
 */
#include "reproduce.h"

#include "session_ops.h"
#include "sweeps.h"

#include <dirent.h>
#include <limits.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

/* What was asked for. */
static struct asked {
	const struct paper *paper;
	char *name, *label, *commands; /* name: of its file */
	struct run run;		       /* values NULL: not yet */
} * asked;
static u32 nasked;
static const struct paper *due[16]; /* papers that have such */
static u32 ndue;
static const char *wanted; /* a configuration of which a run is looked for */
static u32 found;	   /* of asked: such a one, or what was asked for last; NONE32: nothing yet */

const char *out_folder;

static u64 hash_text(u64 h, const char *s)
{
	while (*s)
		h = mix64(h ^ (u64)(u8)*s++);
	return h;
}

/* The name of a run's file: its label, with what does not go into one replaced, and a hash of it all. */
static char *name_of(const char *label, const char *commands)
{
	char *name = xasprintf("%.120s.%016llx.scn", label, hash_text(hash_text(0, label), commands));

	for (char *c = name; *c; c++)
		*c = *c == '/' || *c == ' ' ? '_' : *c;
	return name;
}

static void make_due(void)
{
	for (u32 i = 0; i < ndue; i++)
		if (due[i] == paper)
			return;
	due[ndue++] = paper;
}

const struct run *run_asked(const char *label, const char *commands)
{
	char *name = name_of(label, commands);
	u32 i;

	for (i = 0; i < nasked && (asked[i].paper != paper || strcmp(asked[i].name, name)); i++)
		;
	if (i == nasked) {
		asked = array_grow(asked, nasked, sizeof(*asked));
		asked[nasked++] = (struct asked){
			.paper = paper, .name = name, .label = xstrdup(label), .commands = xstrdup(commands)};
		make_due();
	} else {
		free(name);
	}
	if (wanted && (found == NONE32 || ends_with(label, wanted)))
		found = i;
	return asked[i].run.values ? &asked[i].run : NULL;
}

const char *run_of_row(const struct row *r)
{
	static char *path;

	found = NONE32;
	wanted = r->ours.config ? r->ours.config : "";
	r->ours.of(&r->ours);
	wanted = NULL;
	free(path);
	path = found == NONE32 ? NULL : xasprintf("build/reproduce/%s/%s", paper->name, asked[found].name);
	return path;
}

/* --- a paper's runs as a sweep --- */

static FILE *open_file(const char *path)
{
	FILE *f = fopen(path, "w");

	if (!f)
		fail("cannot write %s", path);
	return f;
}

/* Lines with the files that they name found from everywhere. */
static void put_lines(FILE *f, const char *lines, const char *top)
{
	while (*lines) {
		size_t n = strcspn(lines, "\n"), verb = strcspn(lines, " \n");
		bool file = (verb == 6 && (!strncmp(lines, "source", 6) || !strncmp(lines, "module", 6)));

		if (file)
			fprintf(f, "%.*s %s/%.*s\n", (int)verb, lines, top, (int)(n - verb - 1), lines + verb + 1);
		else
			fprintf(f, "%.*s\n", (int)n, lines);
		lines += n + (lines[n] == '\n');
	}
}

/* The file of a run. Its label stands in it, as two runs of other names may be the same. */
static void put_run(const struct asked *a, const char *folder, const char *top)
{
	char *path = xasprintf("%s/%s", folder, a->name), *setup = xstrdup(a->commands);
	char *restart = strstr(setup, "\nrestart\n");
	FILE *f = open_file(path);

	if (!restart)
		fail("%s: no restart, behind which the run begins", a->label);
	restart[1] = 0;
	put_lines(f, setup, top);
	fprintf(f, "job\necho %s\n%send\n", a->label, a->commands + (restart + strlen("\nrestart\n") - setup));
	free(setup);
	fclose(f);
	free(path);
}

/* A folder with nothing in it. */
static void empty_folder(const char *path)
{
	struct dirent *entry;
	DIR *d;

	mkdir(path, 0777);
	d = opendir(path);
	if (!d)
		fail("cannot open %s", path);
	while ((entry = readdir(d)))
		unlinkat(dirfd(d), entry->d_name, 0);
	closedir(d);
}

/* The files of a sweep of all runs that were asked for. */
static void put_sweep(const struct paper *p)
{
	char *folder = xasprintf("%s/%s", out_folder, p->name), *path = xasprintf("%s.scn", folder), top[PATH_MAX];
	FILE *f = open_file(path);

	if (!getcwd(top, sizeof(top)))
		fail("no working directory");
	fprintf(f, "# %s\nsweep scenario %s/*.scn\n", p->title, p->name);
	fclose(f);
	empty_folder(folder);
	for (u32 i = 0; i < nasked; i++)
		if (asked[i].paper == p)
			put_run(&asked[i], folder, top);
	free(path);
	free(folder);
}

/* Take a row into the run that it is of. */
static void take_row(const struct paper *p, sqlite3_stmt *q)
{
	const char *name = (const char *)sqlite3_column_text(q, 0), *state = (const char *)sqlite3_column_text(q, 1);

	for (u32 i = 0; i < nasked; i++) {
		struct asked *a = &asked[i];

		if (a->paper != p || strcmp(name + strlen(p->name) + 1, a->name) != 0 || a->run.values)
			continue;
		if (!state || strcmp(state, "complete") != 0)
			fail("%s: %s: %s", a->label, state ? state : "no row",
			     state ? (const char *)sqlite3_column_text(q, 2) : "it was killed");
		a->run.values = json_loads((const char *)sqlite3_column_text(q, 3), 0, NULL);
		a->run.printed = json_string_value(json_object_get(a->run.values, "printed"));
		if (!a->run.printed)
			fail("%s: its row does not say what it printed", a->label);
	}
}

static void take_rows(const struct paper *p, const char *database)
{
	static const char rows[] = "SELECT json_extract(point, '$.scenario'), state, detail, vals FROM plan"
				   " LEFT JOIN result USING(key) WHERE sweep = ?";
	sqlite3_stmt *q = NULL;
	sqlite3 *db;

	if (sqlite3_open(database, &db) || sqlite3_prepare_v2(db, rows, -1, &q, NULL))
		fail("%s: %s", database, sqlite3_errmsg(db));
	sqlite3_bind_text(q, 1, p->name, -1, SQLITE_STATIC);
	while (sqlite3_step(q) == SQLITE_ROW)
		take_row(p, q);
	sqlite3_finalize(q);
	sqlite3_close(db);
}

static void make_runs(const struct paper *p)
{
	char *database = xasprintf("%s/reproduce.db", out_folder), *file = xasprintf("%s/%s.scn", out_folder, p->name);
	struct sweeps x = {.what = SWEEPS_SWEEP, .file = file, .results = database, .alone = true};
	struct session s;
	int how;

	put_sweep(p);
	session_open(&s, &all_session_ops);
	s.batch = s.trust = true;
	s.quiet = quick;
	how = sweeps_run(&s, &x);
	if (how && how != STATUS_CHECK)
		fail("%s: the sweep of its runs failed", p->name);
	take_rows(p, database);
	session_close(&s);
	free(database);
	free(file);
}

bool runs_make(void)
{
	u32 n = ndue;

	fflush(NULL);
	for (u32 i = 0; i < n; i++)
		make_runs(due[i]);
	ndue = 0;
	return n;
}
