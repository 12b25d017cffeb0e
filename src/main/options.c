/* options.c - the program's options as a table: usage text and the manual are printed from it. */
#include "expr.h"
#include "main.h"

const struct option_row option_table[OPTION_COUNT] = {
	{"batch", 'b', NULL,
	 "run to the end without a prompt, print statistics, and stop at the first command that fails"},
	{"execute-file", 'x', "FILE", "run the commands in FILE (repeatable, in order with -e)"},
	{"execute", 'e', "COMMAND", "run COMMAND (repeatable, in order with -x)"},
	{"json", 'j', NULL, "print one JSON object per line on standard output, and text for people on standard error"},
	{"plain", OPT_PLAIN, NULL, "print plain text, as for a screen reader: no full screen, no line editing"},
	{"ascii", OPT_ASCII, NULL, "draw with ASCII characters only"},
	{"color", OPT_COLOR, "WHEN", "use colors: auto (unless NO_COLOR is set), always or never"},
	{"size", OPT_SIZE, "COLSxROWS",
	 "set the size of the screen to draw for; printed text is laid out to COLS columns"},
	{"no-init", 'n', NULL, "do not read $XDG_CONFIG_HOME/warpstep/init"},
	{"quiet", 'q', NULL, "print no greeting and no notes"},
	{"version", 'V', NULL, "print the version and exit"},
	{"help", 'h', NULL, "print this help and exit"},
	{"trust", OPT_TRUST, NULL, "let opened files read anywhere and write files: see warpstep-trust(7)"},
	{"keep-going", OPT_KEEP_GOING, NULL,
	 "do not stop at commands that fail; the exit status is that of the first failure"},
	{"max-cycles", OPT_MAX_CYCLES, "N",
	 "stop at cycle N with exit status 5 (4 if the program provably loops forever)"},
	{"max-seconds", OPT_MAX_SECONDS, "S", "stop after S seconds with exit status 5 (or 4)"},
	{"template", OPT_TEMPLATE, "FILE.ptx|lesson",
	 "print a skeleton scenario for the kernels of FILE.ptx, or of a lesson, and exit"},
	{"print-man", OPT_PRINT_MAN, "TOPIC", "print a part of the manual as roff and exit:" MAN_TOPICS},
	{"sweep", OPT_SWEEP, "FILE",
	 "run a job for each point of the sweep FILE that has no result yet, in parallel: warpstep-sweeps(7)"},
	{"jobs", OPT_JOBS, "FILE", "list the jobs of the sweep FILE, one command line each, and exit"},
	{"run-job", OPT_RUN_JOB, "KEY", "run the job KEY of the sweep file that is named, and record its result"},
	{"results", OPT_RESULTS, "DATABASE",
	 "print what the query behind it makes of the results in DATABASE; with --sweep, --jobs, --run-job or --row: the database to use"},
	{"merge", OPT_MERGE, "DATABASE", "add the results of the databases that are named to DATABASE"},
	{"row", OPT_ROW, "KEY",
	 "open the machine of a result at its end (with the sweep file behind it, if that is elsewhere now)"},
	{"shard", OPT_SHARD, "I/N", "with --jobs or --sweep: only every N-th job, from the I-th on"},
	{"workers", OPT_WORKERS, "N", "with --sweep: N jobs at a time (default: one per processor)"},
	{"max-memory", OPT_MAX_MEMORY, "MB", "end a job that needs more memory: its result is `killed by memory`"},
	{"sshlogin", OPT_SSHLOGIN, "HOSTS", "with --sweep: hosts to run jobs on, as GNU parallel takes them"},
	{"slurm", OPT_SLURM, NULL, "with --sweep: submit the jobs as a job array of Slurm instead of running them"},
	{"csv", OPT_CSV, NULL, "with --results: print CSV (-j: JSON)"},
	{"chart", OPT_CHART, "FILE.svg|-", "with --results: draw bars with gnuplot, as SVG or, for -, as text"},
	{"print-completion", OPT_COMPLETION, "bash|zsh", "print the completion of these options for a shell and exit"},
};

void help_options(FILE *out)
{
	fprintf(out,
		"usage: warpstep [options] [SCENARIO | FILE.ptx | kernelslist.g]\n"
		"       warpstep --sweep=FILE | --results=DATABASE [QUERY]\n"
		"\n"
		"A cycle-level simulator of GPU streaming multiprocessors that you drive like a debugger. Without a scenario\n"
		"and commands it opens its default scenario; `help` lists the commands.\n"
		"\n");
	for (u32 i = 0; i < OPTION_COUNT; i++) {
		const struct option_row *o = &option_table[i];
		struct text left = {0};

		if (option_letter(o))
			text_add(&left, "-%c%s%s, ", option_letter(o), o->value ? " " : "", o->value ? o->value : "");
		text_add(&left, "--%s%s%s", o->name, o->value ? "=" : "", o->value ? o->value : "");
		fprintf(out, "  %-38s %s\n", left.s, o->doc);
		text_free(&left);
	}
	fprintf(out,
		"\n"
		"Exit status: 0 success; 1 a command failed; 2 usage error, or a missing or malformed file; 3 a check failed or\n"
		"the simulated program faulted; 4 deadlock or livelock; 5 a limit was reached; 70 internal error; 128+N signal N.\n");
}
