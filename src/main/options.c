/* options.c - the program's options as a table: usage text and the manual are printed from it. */
#include "expr.h"
#include "main.h"

const struct option_row option_table[OPTION_COUNT] = {
	{"batch", 'b', NULL, "run to the end without questions, print statistics, stop at the first failing command"},
	{"execute-file", 'x', "FILE", "run the commands of FILE; may be given again, in order with -e"},
	{"execute", 'e', "COMMAND", "run COMMAND; may be given again, in order with -x"},
	{"json", 'j', NULL, "one JSON object per line on standard output, text for people on standard error"},
	{"plain", 0, NULL, "plain text, as for a screen reader: no full screen, no line editing"},
	{"ascii", 0, NULL, "draw with ASCII characters alone"},
	{"color", 0, "WHEN", "colours: auto (not where NO_COLOR is set), always or never"},
	{"size", 0, "COLSxROWS", "size of the screen to draw for; what is printed is laid out to COLS columns"},
	{"no-init", 'n', NULL, "do not read $XDG_CONFIG_HOME/warpstep/init"},
	{"quiet", 'q', NULL, "no greeting and no notes"},
	{"version", 'V', NULL, "print the version and leave"},
	{"help", 'h', NULL, "print this and leave"},
	{"trust", 0, NULL, "let files that are opened read anywhere and write: warpstep-trust(7)"},
	{"keep-going", 0, NULL, "do not stop at failing commands; the status is that of the first"},
	{"max-cycles", 0, "N", "stop at cycle N, with status 5 (4 if it is proven to go round for ever)"},
	{"max-seconds", 0, "S", "stop after S seconds, with status 5 (or 4)"},
	{"template", 0, "FILE.ptx|lesson",
	 "print a skeleton scenario for the kernels of FILE.ptx, or of a lesson, and leave"},
	{"print-man", 0, "TOPIC", "print a part of the manual as roff and leave:" MAN_TOPICS},
	{"print-completion", 0, NULL, "print the completion of these options for bash and leave"},
};

void help_options(FILE *out)
{
	fprintf(out,
		"usage: warpstep [options] [SCENARIO | FILE.ptx | kernelslist.g]\n\n"
		"A cycle-level simulator of GPU streaming multiprocessors with a debugger's hands. Without a scenario and\n"
		"commands it opens its default scenario; `help` lists the commands.\n\n");
	for (u32 i = 0; i < OPTION_COUNT && option_table[i].name; i++) {
		const struct option_row *o = &option_table[i];
		struct text left = {0};

		if (o->letter)
			text_add(&left, "-%c%s%s, ", o->letter, o->value ? " " : "", o->value ? o->value : "");
		text_add(&left, "--%s%s%s", o->name, o->value ? "=" : "", o->value ? o->value : "");
		fprintf(out, "  %-38s %s\n", left.s, o->doc);
		text_free(&left);
	}
	fprintf(out,
		"\nStatus: 0 fine, 1 a command failed, 2 usage or a missing or malformed file, 3 a check failed or the\n"
		"simulated program faulted, 4 deadlock or livelock, 5 a limit was reached, 70 an internal error, 128+N signal N.\n");
}
