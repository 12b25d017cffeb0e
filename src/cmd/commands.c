/* commands.c - all commands, and what else the parts of the program give to those below them. */
#include "session_ops.h"

#include "complete.h"
#include "explain.h"
#include "lang.h"
#include "arguments.h"
#include "pane.h"

#define COMMAND(id) extern const struct command command_##id;
#include "commands.def"
#undef COMMAND

static const struct command *const command_rows[COMMAND_COUNT] = {
#define COMMAND(id) [COMMAND_ID_##id] = &command_##id,
#include "commands.def"
#undef COMMAND
};

static const struct session_part *const parts[] = {&brk_part, &tui_part, &lang_part, &origin_part, NULL};

const struct session_ops all_session_ops = {
	.part = parts,
	.command = command_rows,
	.run_lines = lines_run_apart,
	.judge = finally_judge,
	.word_doc = complete_doc,
	.named = explain_named,
};
