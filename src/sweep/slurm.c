/*
 * slurm.c - a job array of Slurm (slurm.h).
 *
 * Nodes share a folder, and a database in a shared folder is not safe: each task leaves its row as a file of its own in
 * DATABASE.slurm/rows, which has its name only when it is whole. A job that begins when the array has ended merges
 * them, and asks Slurm about the tasks that have left none. Files of the folder: `jobs` has the command of each job,
 * `keys` its key, `array` the number of the array.
 */
#include "slurm.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define TASKS 1000 /* of an array, at most: Slurm's MaxArraySize is 1001 where nothing else is set */
#define SPARE_SECONDS 60
#define SPARE_MB 128 /* of the process that waits for the job, and of the program itself */

/* A file of the folder. */
static enum status put_file(const char *folder, const char *name, const char *text, struct error *e)
{
	char *path = xasprintf("%s/%s", folder, name);
	FILE *f = fopen(path, "w");
	bool lost = !f || fputs(text ? text : "", f) < 0;

	lost |= f && fclose(f);
	if (lost)
		error_at(e, STATUS_FAILED, path, 0, 0, "cannot write: %s", strerror(errno));
	free(path);
	return lost ? STATUS_FAILED : STATUS_OK;
}

static char *get_file(const char *folder, const char *name)
{
	char *path = xasprintf("%s/%s", folder, name), *text = NULL;
	struct error e;
	size_t n;

	if (!access(path, R_OK) && file_read(path, 64u << 20, &text, &n, &e))
		text = NULL;
	free(path);
	return text;
}

/* What a command prints; NULL: it failed. */
static char *output_of(const char *command)
{
	FILE *f = popen(command, "r");
	struct text out = {0};
	char bytes[4096];
	size_t n;

	text_addn(&out, "", 0);
	while (f && (n = fread(bytes, 1, sizeof(bytes), f)) > 0)
		text_addn(&out, bytes, n);
	if (f && !pclose(f))
		return out.s;
	text_free(&out);
	return NULL;
}

/* The number of the array that was submitted last; 0: none. */
static u64 array_of(const char *folder)
{
	char *text = get_file(folder, "array");
	u64 id = text ? strtoull(text, NULL, 10) : 0;

	free(text);
	return id;
}

/* --- what has come --- */

/* The row of a task that Slurm has killed. Without control groups Slurm ends a job that takes too much memory by signal
 * 9; who ends one by scancel makes it CANCELLED. */
static enum status put_killed(const struct rows *r, const char *key, const char *state, const char *exit,
			      struct error *e)
{
	bool memory = !strcmp(state, "OUT_OF_MEMORY") || (!strcmp(state, "FAILED") && !strcmp(exit, "0:9")),
	     late = !strcmp(state, "TIMEOUT");
	char *detail = xasprintf("Slurm: %s, exit code %s", state, exit);
	struct row x = {.version = sweep_version, .detail = detail, .hash = "", .values = "{}", .seconds = 1e-3};
	enum status st = STATUS_OK;

	x.state = row_state_table[memory ? ROW_memory : ROW_time].name;
	snprintf(x.key, sizeof(x.key), "%.*s", KEY_DIGITS, key);
	if ((memory || late) && !rows_has(r, x.key))
		st = rows_put(r, &x, e);
	free(detail);
	return st;
}

/* The value of NAME=VALUE in a line, in out. */
static bool field(const char *line, const char *name, char *out, size_t size)
{
	const char *at = strstr(line, name);

	if (!at)
		return false;
	at += strlen(name);
	snprintf(out, size, "%.*s", (int)min_u64(strcspn(at, " \n"), size - 1), at);
	return true;
}

/* Slurm's words about the tasks of an array, a line each. A task ran each n-th of the keys. */
static enum status ask_slurm(const struct rows *r, const char *folder, u64 array, struct error *e)
{
	char *command = xasprintf("scontrol -o show job %llu 2>/dev/null", array), *said = output_of(command),
	     *keys = get_file(folder, "keys"), *tasks = get_file(folder, "tasks");
	u64 n = tasks ? strtoull(tasks, NULL, 10) : 0, nkeys = keys ? strlen(keys) / (KEY_DIGITS + 1) : 0;
	enum status st = STATUS_OK;

	for (char *line = said ? strtok(said, "\n") : NULL; line && n && !st; line = strtok(NULL, "\n")) {
		char task[32], state[32], exit[32];

		if (!field(line, "ArrayTaskId=", task, sizeof(task)) ||
		    !field(line, "JobState=", state, sizeof(state)) || !field(line, "ExitCode=", exit, sizeof(exit)))
			continue;
		for (u64 i = strtoull(task, NULL, 10); i < nkeys && !st; i += n)
			st = put_killed(r, keys + i * (KEY_DIGITS + 1), state, exit, e);
	}
	free(command);
	free(said);
	free(keys);
	free(tasks);
	return st;
}

/* A row that a task has left; it goes when it is in the database. */
static enum status take_file(const struct rows *r, const char *path, struct error *e)
{
	char *line = NULL;
	size_t n;
	enum status st = file_read(path, 64u << 20, &line, &n, e);

	if (!st)
		st = rows_take(r, line, e);
	if (!st)
		unlink(path);
	free(line);
	return st;
}

enum status slurm_merge(const struct rows *r, const char *folder, struct error *e)
{
	char *rows = xasprintf("%s/rows", folder);
	DIR *d = opendir(rows);
	struct dirent *x;
	u64 array = array_of(folder);
	enum status st = d ? STATUS_OK : error_at(e, STATUS_USAGE, folder, 0, 0, "holds no rows of a job array");

	while (d && !st && (x = readdir(d))) {
		char *path = xasprintf("%s/%s", rows, x->d_name);

		if (strlen(x->d_name) == KEY_DIGITS)
			st = take_file(r, path, e);
		free(path);
	}
	if (d)
		closedir(d);
	free(rows);
	return !st && array ? ask_slurm(r, folder, array, e) : st;
}

/* --- what is to be run --- */

/* The script of a task: its jobs, one after the other; one that has left its row does not run again. */
static void add_script(const struct sweeps *x, const struct session *s, const struct plan *p, const char *folder, u32 n,
		       u32 tasks, struct text *out)
{
	u32 each = ceil_div(n, tasks);
	u64 minutes = (u64)ceil((s->max_seconds * each + SPARE_SECONDS) / 60);

	text_add(out, "#!/bin/sh\n#SBATCH --job-name=%s\n#SBATCH --array=0-%u\n#SBATCH --ntasks=1\n", p->name,
		 tasks - 1);
	text_add(out, "#SBATCH --cpus-per-task=1\n#SBATCH --output=/dev/null\n");
	if (s->max_seconds > 0)
		text_add(out, "#SBATCH --time=%llu\n", minutes);
	if (x->memory)
		text_add(out, "#SBATCH --mem=%lluM\n", (x->memory >> 20) + SPARE_MB);
	text_add(out, "cd ");
	word_add_quoted(out, folder);
	/* Slurm kills the processes of a task one after the other. If the job is the first, the script waits for its
	 * own end, so that Slurm calls the task killed. */
	text_add(
		out,
		"\nline=$((SLURM_ARRAY_TASK_ID + 1)) status=0\n"
		"while [ $line -le %u ]; do\n"
		"\tkey=$(sed -n ${line}p keys)\n"
		"\t[ -e rows/$key ] || { sh -c \"$(sed -n ${line}p jobs)\" >rows/$key.part && mv rows/$key.part rows/$key; } ||\n"
		"\t\t{ rc=$?; sleep 1; }\n"
		"\tline=$((line + %u))\n"
		"done\n"
		"exit $rc\n",
		n, tasks);
}

/* Files of a new array. */
static enum status put_files(struct session *s, const struct sweeps *x, const struct plan *p, const u32 *missing, u32 n,
			     const char *folder, struct error *e)
{
	struct text jobs = {0}, keys = {0}, script = {0}, tasks = {0};
	u32 ntasks = min_u32(n, TASKS);
	enum status st;

	for (u32 i = 0; i < n; i++) {
		drive_command(s, x, p, missing[i], "-", &jobs);
		text_add(&jobs, "\n");
		text_add(&keys, "%s\n", p->point[missing[i]].key);
	}
	add_script(x, s, p, folder, n, ntasks, &script);
	text_add(&tasks, "%u\n", ntasks);
	st = put_file(folder, "jobs", jobs.s, e);
	st = st ? st : put_file(folder, "keys", keys.s, e);
	st = st ? st : put_file(folder, "tasks", tasks.s, e);
	st = st ? st : put_file(folder, "script", script.s, e);
	text_free(&jobs);
	text_free(&keys);
	text_free(&script);
	text_free(&tasks);
	return st;
}

/* Submit: the number of the job, 0 with an error. */
static u64 submit(const char *command, struct error *e)
{
	char *said = output_of(command);
	u64 id = said ? strtoull(said, NULL, 10) : 0;

	if (!id)
		error_set(e, STATUS_FAILED, "sbatch did not take the job (%.300s)", said ? said : "its error is above");
	free(said);
	return id;
}

/* The array, and the job that merges. */
static enum status submit_both(const struct sweeps *x, const char *folder, u32 n, struct error *e)
{
	char self[PATH_MAX], *command, number[32];
	ssize_t length = readlink("/proc/self/exe", self, sizeof(self) - 1);
	struct text merge = {0};
	u64 array, last = 0;
	enum status st;

	self[length > 0 ? length : 0] = '\0';
	command = xasprintf("sbatch --parsable '%s/script'", folder);
	array = submit(command, e);
	free(command);
	if (!array)
		return STATUS_FAILED;
	snprintf(number, sizeof(number), "%llu\n", array);
	st = put_file(folder, "array", number, e);
	text_add(
		&merge,
		"sbatch --parsable --dependency=afterany:%llu --job-name=merge --output='%s/merge.log' --wrap='exec \"%s\" --merge "
		"\"%s\" \"%s\"'",
		array, folder, self, x->results, folder);
	if (!st)
		last = submit(merge.s, e);
	text_free(&merge);
	if (!st && last)
		printf("job array %llu: %u job%s; job %llu merges the rows\n", array, n, plural(n), last);
	return st ? st : last ? STATUS_OK : STATUS_FAILED;
}

/* Is the array that was submitted last still under way? */
static enum status check_queue(const char *folder, struct error *e)
{
	u64 array = array_of(folder);
	char *command = xasprintf("squeue -h -j %llu 2>/dev/null", array), *said = array ? output_of(command) : NULL;
	bool there = said && *said;

	free(command);
	free(said);
	if (!there)
		return STATUS_OK;
	return error_set(e, STATUS_FAILED, "job array %llu is still in the queue (`squeue -j %llu`)", array, array);
}

/* Make the folder; what was left there by an array before goes into the database. */
static enum status begin(const struct rows *r, const char *folder, struct error *e)
{
	char *rows = xasprintf("%s/rows", folder);
	enum status st = STATUS_OK;

	if (strpbrk(folder, "'\"\\$`\n"))
		st = error_set(e, STATUS_USAGE, "--slurm: '%s' has characters that a job script cannot have",
			       token_shown(folder));
	else if ((mkdir(folder, 0777) && errno != EEXIST) || (mkdir(rows, 0777) && errno != EEXIST))
		st = error_at(e, STATUS_FAILED, rows, 0, 0, "cannot make it: %s", strerror(errno));
	free(rows);
	if (!st)
		st = check_queue(folder, e);
	return st ? st : slurm_merge(r, folder, e);
}

enum status slurm_submit(struct session *s, const struct sweeps *x, struct plan *p, struct rows *r, struct error *e)
{
	char *folder = xasprintf("%s.slurm", x->results);
	u32 *missing = xcalloc(p->n, sizeof(*missing)), n = 0;
	enum status st = begin(r, folder, e);

	for (u32 i = 0; i < p->n && !st; i++)
		if (drive_shard(x, i) && !rows_has(r, p->point[i].key))
			missing[n++] = i;
	if (!st && n)
		st = put_files(s, x, p, missing, n, folder, e);
	if (!st && n)
		st = submit_both(x, folder, n, e);
	else if (!st)
		printf("every point has its row\n");
	free(missing);
	free(folder);
	return st;
}
