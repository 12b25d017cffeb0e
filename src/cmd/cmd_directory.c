/* cmd_directory.c - directory: where else the files of the CUDA source may be. */
#include "command.h"
#include "session.h"
#include "source_text.h"

static enum status cmd_directory_run(struct session *s, const struct args *a, struct error *e UNUSED)
{
	json_t *list = s->json ? json_array() : NULL;

	if (a->arg[0].present)
		source_directory(s, a->arg[0].text);
	session_print(s, "source files are searched below the PTX file's directory");
	for (u32 i = 0; source_directory_at(s, i); i++) {
		session_print(s, ", in %s", safe_text(source_directory_at(s, i)));
		json_array_append_new(list, json_string(safe_text(source_directory_at(s, i))));
	}
	session_print(s, "\n");
	json_object_set_new(session_result(s), "directories", list);
	return STATUS_OK;
}

const struct command command_directory = {
	.name = "directory",
	.group = "inspect",
	.summary = "add a directory in which CUDA source files are searched for",
	.details =
		"The file name that .file gives is tried relative to the PTX file's directory, then as written. After that its\n"
		"last component is tried in the PTX file's directory and in the directories added here, in order. Files outside\n"
		"all of these are not read. Without an argument the directories are listed. Adding a directory starts the\n"
		"search for all files again.",
	.examples = "directory\ndirectory ..",
	.flags = COMMAND_SETUP | COMMAND_STAYS | COMMAND_READS,
	.run = cmd_directory_run,
	.arg = {{"DIR", ARG_PATH, .doc = "directory", .optional = true}},
};
