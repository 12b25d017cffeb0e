/*
 * main.h - the faces of the program: the prompt, and what is printed instead of a session.
 */
#ifndef WARPSTEP_MAIN_H
#define WARPSTEP_MAIN_H

#include "session.h"

/* Read commands from standard input until it ends or `quit`. */
void repl_loop(struct session *s);
/* The answer to a question, without its newline or with it; NULL where there is none. xmalloc'ed. */
char *repl_answer(struct session *s, const char *prompt);
/* Open the scenario that comes with the program. */
enum status repl_load_default(struct session *s, struct error *e);
/* What was typed in earlier sittings, for readline (typed.c): read it, keep a line at once, end. */
void typed_open(void);
void typed_keep(const char *line);
void typed_close(void);
/* The parts of the manual that are printed from the tables (man.c). */
#define MAN_TOPIC(X) \
	X(options) \
	X(commands) \
	X(info) \
	X(panes) \
	X(settings) \
	X(stats) \
	X(stages) \
	X(events) \
	X(schemes) \
	X(slots) \
	X(keys) \
	X(layouts) \
	X(lessons) \
	X(synthetic) \
	X(ptx) \
	X(statuses) \
	X(outcomes) \
	X(mechanisms) \
	X(presets) \
	X(scenarios) \
	X(sweepkinds) \
	X(rowstates) \
	X(folds)
#define MAN_NAME(topic) " " #topic
#define MAN_TOPICS MAN_TOPIC(MAN_NAME)
/* Roff of a topic from the tables; false if there is none of that name. */
bool man_print(const char *topic, FILE *out);
void help_options(FILE *out);
/* Completion of the command line, as a script for bash or zsh; false: not for this shell. */
bool completion_print(const char *shell, FILE *out);
/* Options without a letter. */
enum option_id {
	OPT_PLAIN = 256,
	OPT_ASCII,
	OPT_COLOR,
	OPT_SIZE,
	OPT_TRUST,
	OPT_KEEP_GOING,
	OPT_MAX_CYCLES,
	OPT_MAX_SECONDS,
	OPT_TEMPLATE,
	OPT_PRINT_MAN,
	OPT_COMPLETION,
	OPT_SWEEP,
	OPT_JOBS,
	OPT_RUN_JOB,
	OPT_RESULTS,
	OPT_MERGE,
	OPT_ROW,
	OPT_SHARD,
	OPT_WORKERS,
	OPT_MAX_MEMORY,
	OPT_SSHLOGIN,
	OPT_CSV,
	OPT_CHART,
	OPT_SLURM
};
struct option_row {
	const char *name;  /* long name */
	int option;	   /* its letter, or enum option_id */
	const char *value; /* NULL: takes none; "[X]" optional */
	const char *doc;
};
/* The letter of an option, 0: it has none. */
static inline char option_letter(const struct option_row *o)
{
	return o->option < OPT_PLAIN ? (char)o->option : 0;
}
#define OPTION_COUNT 32
extern const struct option_row option_table[OPTION_COUNT];
/* A skeleton scenario for the entries of a PTX file. */
enum status template_print(const char *path, FILE *out, struct error *e);

#endif
