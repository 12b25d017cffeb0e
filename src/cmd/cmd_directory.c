/* cmd_directory.c - directory: where else the files of the CUDA source may be. */
#include "command.h"
#include "session.h"
#include "source_text.h"

#include <string.h>

static enum status cmd_directory_run(struct session *s, const struct args *a, struct error *e UNUSED)
{
	json_t *list = s->json ? json_array() : NULL;

	if (a->arg[0].present)
		source_directory(s, a->arg[0].text);
	session_print(s, "source is looked for below the PTX's folder");
	for (u32 i = 0; source_directory_at(s, i); i++) {
		session_print(s, ", in %s", safe_text(source_directory_at(s, i)));
		if (list)
			json_array_append_new(list, json_string(safe_text(source_directory_at(s, i))));
	}
	session_print(s, "\n");
	if (list)
		json_object_set_new(session_result(s), "directories", list);
	return STATUS_OK;
}

const struct command command_directory = {
	.name = "directory",
	.group = "inspect",
	.summary = "look for the CUDA source in one more directory",
	.details =
		"The name that .file gives is tried beside the PTX, then as it stands, then its last part beside the PTX and in the "
		"directories added here, in their order; nothing is read that lies in none of these. Alone the command lists them. "
		"Files are looked for anew from then on.",
	.examples = "directory\ndirectory ..",
	.flags = COMMAND_SETUP | COMMAND_STAYS | COMMAND_READS,
	.run = cmd_directory_run,
	.arg = {{.name = "DIR", .type = ARG_PATH, .optional = true, .doc = "a directory"}},
};
