/* main.c - options, the scenario, the commands given with it, and the exit status. */
#include "pane.h"
#include "main.h"
#include "session_ops.h"
#include "interrupt.h"
#include "lang.h"
#include "lesson.h"
#include "paths.h"
#include "scene.h"
#include "sweeps.h"
#include "trace.h"
#include "tui.h"

#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <jansson.h>
#include <signal.h>
#include <unistd.h>

/* -x and -e in their order. */
struct given {
	char kind;
	const char *text;
};
struct options {
	struct given *given;
	u32 ngiven;
	const char *scenario;
	struct sweeps sweeps;
	bool no_init;
};

/* Say a usage error and leave. */
static void __attribute__((noreturn)) PRINTF_LIKE(1, 2) usage(const char *fmt, ...)
{
	va_list ap;

	fputs("warpstep: ", stderr);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputs(" (`warpstep --help` lists the options)\n", stderr);
	exit(STATUS_USAGE);
}

/* Say an error that comes before there is a session, and leave. */
static void __attribute__((noreturn)) leave(const struct error *e)
{
	char line[1400];

	fprintf(stderr, "%s\n", safe_text(error_format(e, line, sizeof(line))));
	exit((int)e->status);
}

/* COLSxROWS */
static void take_size(struct session *s, const char *text)
{
	unsigned cols, rows;
	int end = 0;

	if (sscanf(text, "%ux%u%n", &cols, &rows, &end) != 2 || text[end] || !cols || !rows || cols > 10000 ||
	    rows > 10000)
		usage("--size: must be COLSxROWS, such as 120x40, not '%s'", token_shown(text));
	s->columns = cols;
	s->rows = rows;
}

/* auto, always or never: the setting's words */
static void take_colour(struct session *s, const char *text)
{
	struct error e;
	u32 value;

	if (setting_parse(SET_style_colour, text, &value, &e))
		usage("--color: must be auto, always or never, not '%s'", token_shown(text));
	config_set(&s->config, SET_style_colour, value);
}

/* A number above zero. */
static double number_option(const char *name, const char *text)
{
	char *end;
	double n;

	errno = 0;
	n = strtod(text, &end);
	if (end == text || *end || !(n > 0) || n > 1e18)
		usage("%s: must be a number above 0, not '%s'", name, token_shown(text));
	return n;
}

/* Has anything been lost of what was printed? It is said. */
static bool output_lost(void)
{
	int error = outfile_flush(stdout);

	if (error)
		fprintf(stderr, "warpstep: standard output: %s\n", strerror(error));
	return error;
}

/* Things that are printed instead of a session. */
static void print_and_leave(int opt, const char *value)
{
	struct error e;

	if (opt == 'V')
		printf("warpstep " VERSION "\nGPL-3.0-or-later; no warranty\n");
	else if (opt == 'h')
		help_options(stdout);
	else if (opt == OPT_COMPLETION && !completion_print(value, stdout))
		usage("--print-completion: no completion for '%s' (bash, zsh)", token_shown(value));
	else if (opt == OPT_PRINT_MAN && !man_print(value, stdout))
		usage("no part of the manual is called '%s': the parts are" MAN_TOPICS, token_shown(value));
	else if (opt == OPT_TEMPLATE && template_print(value, stdout, &e))
		leave(&e);
	exit(output_lost() ? STATUS_FAILED : STATUS_OK);
}

/* I/N */
static void take_shard(struct sweeps *x, const char *text)
{
	int end = 0;

	if (sscanf(text, "%u/%u%n", &x->shard, &x->shards, &end) != 2 || text[end] || !x->shard || x->shard > x->shards)
		usage("--shard: must be I/N with I from 1 to N, such as 2/7, not '%s'", token_shown(text));
}

/* An option that says what to do with sweeps. */
static void take_what(struct sweeps *x, enum sweeps_what what, const char **to, const char *value)
{
	if (x->what && (x->what != SWEEPS_QUERY || what == SWEEPS_QUERY))
		usage("only one of --sweep, --jobs, --run-job, --merge and --row can be given");
	x->what = what;
	*to = value;
}

/* One option of sweeps; false: it is another. */
static bool take_sweeps(struct sweeps *x, int opt, const char *value)
{
	switch (opt) {
	case OPT_SWEEP: take_what(x, SWEEPS_SWEEP, &x->file, value); break;
	case OPT_JOBS: take_what(x, SWEEPS_JOBS, &x->file, value); break;
	case OPT_RUN_JOB: take_what(x, SWEEPS_RUN_JOB, &x->key, value); break;
	case OPT_ROW: take_what(x, SWEEPS_ROW, &x->key, value); break;
	case OPT_MERGE: take_what(x, SWEEPS_MERGE, &x->results, value); break;
	case OPT_RESULTS:
		x->results = value;
		x->what = x->what ? x->what : SWEEPS_QUERY;
		break;
	case OPT_SHARD: take_shard(x, value); break;
	case OPT_WORKERS: x->workers = (u32)min_u64((u64)number_option("--workers", value), 4096); break;
	case OPT_MAX_MEMORY: x->memory = (u64)(number_option("--max-memory", value) * 0x1p20); break;
	case OPT_SSHLOGIN: x->hosts = value; break;
	case OPT_CSV: x->csv = true; break;
	case OPT_SLURM: x->slurm = true; break;
	case OPT_CHART: x->chart = value; break;
	default: return false;
	}
	return true;
}

/* One option of the session. */
static void take_option(struct session *s, struct options *o, int opt, const char *value)
{
	switch (opt) {
	case 'b': s->batch = true; break;
	case 'j': s->json = true; break;
	case 'q': s->quiet = true; break;
	case 'n': o->no_init = true; break;
	case OPT_PLAIN: s->plain = true; break;
	case OPT_TRUST: s->trust = true; break;
	case OPT_KEEP_GOING: s->keep_going = true; break;
	case OPT_ASCII: config_set(&s->config, SET_style_signs, 1); break;
	case OPT_SIZE: take_size(s, value); break;
	case OPT_COLOR: take_colour(s, value); break;
	case OPT_MAX_CYCLES: s->max_cycles = (u64)number_option("--max-cycles", value); break;
	case OPT_MAX_SECONDS: s->max_seconds = number_option("--max-seconds", value); break;
	case 'x':
	case 'e':
		o->given = xrealloc(o->given, (o->ngiven + 1) * sizeof(*o->given));
		o->given[o->ngiven++] = (struct given){(char)opt, value};
		break;
	default: fputs("warpstep: `warpstep --help` lists the options\n", stderr); exit(STATUS_USAGE);
	}
}

static void parse_options(int argc, char **argv, struct session *s, struct options *o)
{
	struct option long_option[OPTION_COUNT + 1] = {0};
	int opt;

	for (u32 i = 0; i < OPTION_COUNT; i++)
		long_option[i] = (struct option){.name = option_table[i].name,
						 .has_arg = option_table[i].value ? required_argument : no_argument,
						 .val = option_table[i].option};
	while ((opt = getopt_long(argc, argv, "bx:e:jnqVh", long_option, NULL)) != -1) {
		if (opt == 'V' || opt == 'h' || opt == OPT_TEMPLATE || opt == OPT_PRINT_MAN || opt == OPT_COMPLETION)
			print_and_leave(opt, optarg);
		if (!take_sweeps(&o->sweeps, opt, optarg))
			take_option(s, o, opt, optarg);
	}
	o->sweeps.rest = argv + optind;
	o->sweeps.nrest = (u32)(argc - optind);
	if ((o->sweeps.what == SWEEPS_JOBS || o->sweeps.what == SWEEPS_SWEEP) && optind < argc)
		usage("unexpected argument '%s': one sweep file at a time", token_shown(argv[optind]));
	if (o->sweeps.what && o->sweeps.what != SWEEPS_ROW && o->ngiven)
		usage("-e and -x have no effect on jobs (put the lines into the sweep file)");
	if (o->sweeps.what && o->sweeps.what != SWEEPS_ROW)
		return;
	if (optind + 1 < argc)
		usage("unexpected argument '%s': only one scenario can be opened", token_shown(argv[optind + 1]));
	if (optind < argc)
		o->scenario = argv[optind];
}

/* A PTX file alone: what is in it, and what comes next. */
static void say_module(struct session *s, const char *path)
{
	struct error unsaid;
	bool refused = false;

	for (u32 i = 0; i < s->scene->nmodule; i++)
		refused |= s->scene->module[i]->nrefused > 0;
	text_run(s, "info modules", NULL, true, &unsaid);
	if (refused)
		words_run(s, (const char *const[]){"info", "module", path}, 3, &unsaid);
	session_print(
		s,
		"To run a kernel, create its buffers with `buffer`, then type `launch KERNEL grid X block X args ...`. To write a scenario to begin with: `warpstep --template %s > my.scn`\n",
		safe_text(path));
}

/* Run a file of commands that was named; Ctrl-C ends it, where it does not end the program. */
static enum status run_file(struct session *s, const char *path, struct error *e)
{
	struct sigaction old;
	enum status st;

	if (!s->interactive)
		return command_run_file(s, path, e);
	interrupt_catch(&old);
	st = command_run_file(s, path, e);
	interrupt_release(&old);
	return st;
}

/* The scenario of the library that a path may mean: scenarios/tlp/vt-figure5, tlp/vt-figure5.scn; NULL: none. */
static char *library_path(const char *path)
{
	char *name, *found;

	if (!strncmp(path, "scenarios/", 10))
		path += 10;
	name = xasprintf("%s%s", path, ends_with(path, ".scn") ? "" : ".scn");
	found = path_find(name);
	free(name);
	return found;
}

/* A file that does not exist: name the scenario that may be meant. */
static enum status suggest_scenario(const char *path, struct error *e)
{
	char *found = access(path, F_OK) ? library_path(path) : NULL;

	if (found)
		error_at(e, STATUS_USAGE, path, 0, 0, "cannot open: %s (did you mean '%s'?)", strerror(ENOENT),
			 safe_text(found));
	free(found);
	return STATUS_USAGE;
}

/* Load what was named. Without a name or commands that is the default scenario: at once, or where commands come from
 * elsewhere than a terminal, when the first of them does not set a stage of its own. */
static enum status load(struct session *s, struct options *o, struct error *e)
{
	const char *path = o->scenario;
	enum status st;

	if (o->sweeps.what == SWEEPS_ROW)
		return sweeps_open_row(s, &o->sweeps, e);
	s->lang->wants_default = !path && !o->ngiven;
	if (s->lang->wants_default && (s->interactive || s->batch))
		return repl_load_default(s, e);
	if (!path)
		return STATUS_OK;
	s->scenario = xstrdup(path);
	s->lang->failed_verb = "source";
	if (ends_with(path, ".ptx")) {
		st = words_run(s, (const char *const[]){"module", path}, 2, e);
		if (!st && !o->ngiven)
			say_module(s, path);
	} else if (trace_named(path)) {
		st = text_run(s, "gpu qv100", NULL, true, e);
		if (!st)
			st = words_run(s, (const char *const[]){"trace", path}, 2, e);
	} else {
		st = run_file(s, path, e);
		if (st == STATUS_USAGE)
			st = suggest_scenario(path, e);
	}
	return st;
}

/* The user's init file. */
static void run_init(struct session *s)
{
	const char *config = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
	bool given = config && *config == '/';
	char *path =
		given ? xasprintf("%s/warpstep/init", config) : xasprintf("%s/.config/warpstep/init", home ? home : "");
	struct error e;

	if ((given || home) && !access(path, R_OK) && init_run(s, path, &e) && !s->lang->reported)
		report_error(s, &e);
	free(path);
}

/* -x and -e in order; in batch mode the first failure ends them. */
static enum status run_given(struct session *s, const struct options *o, struct error *e)
{
	enum status st = STATUS_OK;
	u32 commands = 0;

	for (u32 i = 0; i < o->ngiven && !s->quit; i++) {
		char name[32];

		s->lang->reported = false;
		if (o->given[i].kind == 'x') {
			s->lang->failed_verb = "source";
			st = run_file(s, o->given[i].text, e);
		} else {
			snprintf(name, sizeof(name), "-e %u", ++commands);
			st = text_run(s, o->given[i].text, name, true, e);
		}
		if (st && s->batch && !s->keep_going)
			return st;
		if (st && !s->lang->reported)
			report_error(s, e);
	}
	return STATUS_OK;
}

/* Batch: what is left to do after the commands: the run, the statistics. A check that fails, a fault and a deadlock
 * leave a run whose statistics help to see why: they are printed, too. */
static enum status run_batch(struct session *s, struct error *e)
{
	enum status st = STATUS_OK;
	struct error late;

	if (s->quit || (!s->scene->nlaunch && (!s->scenario || ends_with(s->scenario, ".ptx"))))
		return STATUS_OK;
	s->lang->reported = false;
	if (!s->moved)
		st = text_run(s, "run", NULL, true, e);
	if (st && st != STATUS_LIMIT && st != STATUS_CHECK && st != STATUS_DEADLOCK && !s->keep_going)
		return st;
	if (st && !s->lang->reported)
		report_error(s, e);
	if (s->live)
		st = text_run(s, "stats", NULL, true, &late);
	return st;
}

/* A lesson begins by itself where somebody reads it. In a batch one that was begun goes on to its end. */
static enum status open_lesson(struct session *s, struct error *e)
{
	bool begun = s->lesson && s->lesson->step != NONE32;

	if (!s->lesson || s->quit || (s->batch ? !begun : s->quiet || s->lesson->begun))
		return STATUS_OK;
	s->lang->reported = false;
	return text_run(s, s->batch ? "lesson walk" : "lesson", NULL, true, e);
}

/* The log and what is recorded end here. Has anything been lost of them? It is said. */
static bool close_files(struct session *s)
{
	static enum status (*const end[])(struct session *, struct error *) = {log_close, cast_close};
	struct error e = {0};
	bool lost = false;

	for (u32 i = 0; i < ARRAY_LEN(end); i++) {
		if (!end[i](s, &e))
			continue;
		report_error(s, &e);
		lost = true;
	}
	return lost;
}

/* The status of the program: quit's, a signal's, or that of the first failure. */
static int finish(struct session *s)
{
	bool lost = close_files(s);
	int status;

	lost |= output_lost();
	status = s->quit ? s->quit_status : (int)s->lang->status;

	if (s->interactive && !s->quit)
		status = 0;
	if (interrupt_pressed() && s->batch)
		status = 128 + 2;
	if (lost && !status)
		status = STATUS_FAILED;
	return status;
}

/* Full screen where that can be; else the plain prompt, with the reason. */
static void take_face(struct session *s)
{
	struct error e = {0};
	const char *why;

	if (tui_possible(s, &why) && tui_start(s, &e))
		why = e.message;
	if (!s->quiet)
		session_print(s, "warpstep " VERSION "; `help` lists the commands%s%s\n", why ? "; plain prompt: " : "",
			      why ? why : "");
}

/* Standard streams that are closed are opened, so that no file takes their place: writing there fails, reading ends. */
static void open_streams(void)
{
	int fd = open("/dev/null", O_RDONLY);

	while (fd >= 0 && fd <= STDERR_FILENO)
		fd = open("/dev/null", O_RDONLY);
	if (fd >= 0)
		close(fd);
}

int main(int argc, char **argv)
{
	struct options o = {0};
	struct session s;
	struct error e = {0};
	enum status st;
	int status;

	open_streams();
	json_set_alloc_funcs(xmalloc, free); /* else an object that finds no memory is left out silently */
	outfile_guard();
	session_open(&s, &all_session_ops);
	s.answer = repl_answer;
	argv[0] = "warpstep";
	parse_options(argc, argv, &s, &o);
	if (o.sweeps.what && o.sweeps.what != SWEEPS_ROW) {
		s.out = stdout;
		status = sweeps_run(&s, &o.sweeps);
		free(o.given);
		session_close(&s);
		return status;
	}
	s.interactive = !s.batch && isatty(STDIN_FILENO);
	s.commanded = o.ngiven != 0;
	if (s.interactive)
		panes_keep(&s);
	s.out = s.json ? stderr : stdout;
	s.on_terminal = true;
	if (s.max_seconds > 0)
		interrupt_after(s.max_seconds);
	if (s.interactive)
		take_face(&s);
	if (s.interactive && !o.no_init)
		run_init(&s);
	st = load(&s, &o, &e);
	if (st && s.keep_going) {
		if (!s.lang->reported)
			report_error(&s, &e);
		st = STATUS_OK;
	}
	if (!st)
		st = run_given(&s, &o, &e);
	if (!st)
		st = open_lesson(&s, &e);
	if (!st && s.batch)
		st = run_batch(&s, &e);
	if (st && !s.lang->reported)
		report_error(&s, &e);
	if (!st && !s.batch && !s.quit)
		repl_loop(&s);
	tui_stop(&s);
	status = finish(&s);
	free(o.given);
	session_close(&s);
	return status;
}
