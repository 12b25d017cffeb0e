/* cmd_record.c - record: the screen as a recording that terminals and browsers play. */
#include "complete.h"
#include "paths.h"
#include "picture.h"
#include "tui.h"

#include <strings.h>

/* It has ended: how long it is. */
static enum status cmd_record_end(struct session *s, struct error *e)
{
	struct cast_told told;
	enum status st = cast_end(s, &told, e);
	json_t *result = session_result(s);

	if (st)
		return st;
	session_print(s, "%s: %llu frames, %.1f s\n", told.name, told.frames, told.seconds);
	member_text(result, "file", told.name);
	member_int(result, "frames", told.frames);
	member_real(result, "seconds", told.seconds);
	return STATUS_OK;
}

/* A file whose name promises a picture or a film: an error that says what is written, and how it becomes that. */
static enum status cmd_record_check(const struct token *word, struct error *e)
{
	const char *refused = picture_refused(word->s), *dot = strrchr(word->s, '.');
	const struct picture *picture = picture_of(word->s);

	if (refused && strcmp(refused, ".cast"))
		return usage_at(
			e, word->column,
			"record: cannot write %s (possible: .cast, an asciicast; `agg x.cast x.gif` converts it)",
			refused);
	if (picture == &picture_table[PICTURE_text] && !(dot && !strcasecmp(dot, ".txt")))
		return STATUS_OK;
	return usage_at(e, word->column,
			"record: cannot write %s (possible: .cast, an asciicast; `screen dump x%s` writes one picture)",
			safe_text(dot), dot);
}

static enum status cmd_record_run(struct session *s, const struct args *a, struct error *e)
{
	FILE *f;

	if (!strcmp(a->arg[0].text, "off"))
		return cmd_record_end(s, e);
	if (cast_may_begin(s, e) || cmd_record_check(&a->token[1], e))
		return e->status;
	f = path_open(s, &a->token[1], OUTFILE_STREAM, e);
	if (!f)
		return e->status;
	cast_begin(s, f, a->token[1].s);
	return STATUS_OK;
}

const struct command command_record = {
	.name = "record",
	.group = "files",
	.summary = "record the screen to FILE, as asciicast for asciinema (`record off` ends it)",
	.details =
		"On the full screen everything shown is recorded with its timing; a player shortens pauses to record.idle\n"
		"seconds. Without a terminal, each line is one frame at the prompt and one with its result, record.pace apart,\n"
		"on a screen of --size. `warpstep -b --size 100x30 -e 'record tour.cast' -x tour.ws -e 'record off' S` records\n"
		"a script, the same each time. `screen dump FILE.svg` writes a single picture.\n"
		"FILE is replaced when the recording ends: by `record off`, or when the program ends, also by a signal. Until\n"
		"then the recording is in a file .warpstep-XXXXXX beside it. A pipe or a device is written at once. FILE cannot\n"
		"be a picture or a film: `agg tour.cast tour.gif` (a program of asciinema) makes one.",
	.examples = "record /tmp/tour.cast\nrecord off",
	.flags = COMMAND_WRITES | COMMAND_OPEN,
	.run = cmd_record_run,
	.arg = {{"FILE | off", ARG_OUTPUT, .doc = "file to write", .complete = complete_file}},
};
