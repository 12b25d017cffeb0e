/* cmd_compile.c - compile: how a module is made of its source. */
#include "command.h"
#include "compile.h"

static enum status cmd_compile_run(struct session *s, const struct args *a, struct error *e)
{
	const char *command = a->ntokens == 2 ? a->token[1].s : a->line + a->token[1].column - 1;

	return compile_set(s, command, a->token[1].column, e);
}

const struct command command_compile = {
	.name = "compile",
	.group = "setup",
	.summary = "give the command by which `reload` makes modules from their CUDA source",
	.details =
		"In COMMAND, %i stands for the source, %o for the PTX file, and %d for the folder of the scenario's module.\n"
		"`reload` runs it for each module beside which the source of the same name lies (matmul.cu beside matmul.ptx),\n"
		"prints what it says, and keeps the old version if it fails; `answer FILE.cu` of a lab runs it for that file. COMMAND is run without a shell. If a scenario gives it, the user is asked before each new command;\n"
		"`--trust` allows it.",
	.examples =
		"compile nvcc -ptx -arch=sm_75 -lineinfo -o %o %i\n"
		"compile clang -x cuda --cuda-device-only --cuda-gpu-arch=sm_70 -nocudainc -nocudalib -O2 -S -include warpstep.h -o %o %i",
	.flags = COMMAND_SETUP | COMMAND_STAYS,
	.run = cmd_compile_run,
	.arg = {{"COMMAND", ARG_REST, .doc = "program and its words, with %i and %o"}},
};
