/*
 * json.c - what -j prints on standard output: one object per line, and errors for people or programs.
 */
#include "repl.h"

#include <string.h>

void json_put(struct session *s, json_t *object)
{
	(void)s;
	json_dumpf(object, stdout, JSON_COMPACT);
	putc('\n', stdout);
	fflush(stdout);
	json_decref(object);
}

void json_command(struct session *s, const char *verb, json_t *result)
{
	json_t *line = json_object();

	json_object_set_new(line, "cmd", json_string(verb));
	json_object_set_new(line, "ok", json_true());
	if (result)
		json_object_set(line, "result", result);
	else
		json_object_set_new(line, "result", json_object());
	json_put(s, line);
}

/* A failed command as a line. */
static void json_error(struct session *s, const char *verb, const struct error *e)
{
	json_t *line = json_object(), *error = json_object();

	json_object_set_new(line, "cmd", verb ? json_string(verb) : json_null());
	json_object_set_new(line, "ok", json_false());
	json_object_set_new(error, "file", e->file[0] ? json_string(safe_text(e->file)) : json_null());
	json_object_set_new(error, "line", e->line ? json_integer(e->line) : json_null());
	json_object_set_new(error, "column", e->column ? json_integer(e->column) : json_null());
	json_object_set_new(error, "message", json_string(safe_text(e->message)));
	json_object_set_new(line, "error", error);
	json_put(s, line);
}

void repl_report(struct session *s, const struct error *e)
{
	struct repl *r = repl_of(s);
	char line[1400];

	if (!r->status)
		r->status = e->status;
	fflush(stdout);
	error_format(e, line, sizeof(line));
	if (s->json)
		json_error(s, r->failed_verb, e);
	fprintf(stderr, "%s\n", safe_text(line));
	if (r->log)
		fprintf(r->log, "%s\n", safe_text(line));
	r->reported = true;
}
