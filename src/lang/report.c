/* report.c - what comes of a command, with -j as a line of JSON; errors for people or programs. */
#include "lang.h"
#include "outfile.h"

void report_result(const char *verb, json_t *result)
{
	json_t *line = json_object();

	member_text(line, "cmd", verb);
	json_object_set_new(line, "ok", json_true());
	json_object_set_new(line, "result", result ? json_incref(result) : json_object());
	json_put(line);
}

/* A failed command as a line, with what it has found (NULL: nothing). */
static void json_error(const char *verb, json_t *found, const struct error *e)
{
	json_t *line = json_object(), *error = json_object();

	member_text(line, "cmd", verb);
	json_object_set_new(line, "ok", json_false());
	if (found)
		json_object_set(line, "result", found);
	member_text(error, "file", e->file[0] ? safe_text(e->file) : NULL);
	json_object_set_new(error, "line", e->line ? json_integer(e->line) : json_null());
	json_object_set_new(error, "column", e->column ? json_integer(e->column) : json_null());
	member_text(error, "message", safe_text(e->message));
	json_object_set_new(line, "error", error);
	json_put(line);
}

void report_error(struct session *s, const struct error *e)
{
	struct lang *l = s->lang;
	char line[1400];

	if (!l->status)
		l->status = e->status;
	outfile_flush(stdout);
	error_format(e, line, sizeof(line));
	if (s->json)
		json_error(l->failed_verb, l->found, e);
	session_put(s, stderr, safe_text(line));
	fputc('\n', stderr);
	if (s->log)
		fprintf(s->log, "%s\n", safe_text(line));
	l->reported = true;
}
