/*
 * reproduce.h - figures of papers beside ours: what a paper's file says, and what its figures are made of.
 *
 * How a paper is ported: one file, which fills a `struct paper` and is named in reproduce.c (papers). It has
 *   - words for configurations. A configuration is words with blanks between. The words are names of the paper's table,
 *     whose commands may have a %s for what follows NAME: in the word; else setting.name=VALUE (a `set` command) or
 *     hook=POLICY (a `policy` command). "sgemm" under "elf++ l1d.bytes=49152" needs no row of its own.
 *   - loads: NAME is the scenario NAME.scn in the paper's folder; a name with a / in it is a path of the tree (without
 *     .scn). A set of loads is names with blanks between, or a word that the paper's loads() knows (M, C, all);
 *     -NAME takes one out of the words before it.
 *   - rows: what is compared, one a line. A row's group is what stands in its key before the first -. `ours` is a
 *     function and what it works on; the macros below (GAIN, SHARE, ...) name the usual ones, OF any other. A row that
 *     differs has a reason (reproduce.c says when), and so has one for which the paper gives no number. {KEY} in it is
 *     replaced by that row's number, {-KEY} by the same with the other sign: no number of ours is typed into it. An
 *     experiment that reasons rest on is a row, too, without a number of the paper's and without a reason.
 *   - files: CSV files for charts, each of a group; a function, or columns for each load of a set.
 * Nothing says which runs are needed: a figure asks for values, and where a run of them has not been made it gets NAN;
 * then all runs that were asked for are made, and the figures are asked again, until none is wanted any more. So a
 * function only computes: it must end when values are NAN, and must ask for the same again when they are there.
 *
 * Quick figures: the loads that quick.loads names, of each set those that are in it (a set that has none is left out
 * with its rows), and of each run the first quick.cycles cycles: speed is then thread instructions in a cycle. A load
 * with a / in its name runs to its end. What is run by a script of its own (run_text) looks at `quick` itself.
 */
#ifndef REPRODUCE_H
#define REPRODUCE_H

#include "base.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What the tables leave out is NULL. */
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"

/* What a number is: how it is printed, and what counts as a direction. */
enum unit {
	GAIN_PERCENT, /* more (+) or less (-), in percent: has a direction */
	PART_PERCENT, /* a share: has none */
	TIMES,	      /* a factor: its direction is that from 1 */
	MICROSECONDS,
	PLAIN,
	COUNT
};

struct ours {
	double (*of)(const struct ours *o);
	const char *loads, *config, *over, *names, *per;
	double number; /* what the function takes it for */
};

struct row {
	const char *key, *figure;
	enum unit unit;
	const char *paper; /* its number as text; "<X": a bound on the size of ours; NULL: none */
	struct ours ours;
	const char *claim, *why;
	bool whole; /* too dear for the quick ones */
};

struct file {
	const char *group, *name;
	void (*write)(FILE *f);
	const char *loads, *columns; /* where write is NULL: NAME|CONFIG|STATISTIC+STATISTIC..., with ; between */
};

struct word {
	const char *name, *commands; /* with ; between */
};

/* What is said of a row: see reproduce.c. */
enum verdict { TENTH, THIRD, RIGHT, WRONG, APART, HOLDS, EXCEEDS, NO_NUMBER, EXPERIMENT, VERDICTS };
extern const char *const verdict_name[VERDICTS];

/* A row as it is printed. */
struct line {
	const struct row *row;
	double ours;
	enum verdict verdict;
	const char *sign, *why; /* why: NULL: it needs no reason */
	char number[32], difference[32], loads[64];
};

/* Names of loads. */
struct names {
	u32 n;
	char *name[64];
};

struct paper {
	const char *name, *mechanism, *title, *groups;
	const char *folder; /* of its loads */
	const char *each;   /* what a load is called; NULL: load */
	const char *base;   /* commands before those of every configuration; NULL: none */
	const struct word *word;
	const struct row *row;
	const struct file *file;
	u32 words, rows, files;
	/* Add the loads of a set to names; false: it is no set but a load. "all" must be one where there are sets. */
	bool (*loads)(const char *set, struct names *to);
	/* The configuration that a word stands for with a load, such as "best": asked with each; NULL: none does. */
	const char *(*stands_for)(const char *load, const char *config);
	struct {
		const char *loads; /* NULL: all */
		u32 cycles;	   /* 0: to the end */
	} quick;
};
#define PAPER_TABLES(words_of, rows_of, files_of) \
	.word = words_of, .words = ARRAY_LEN(words_of), .row = rows_of, .rows = ARRAY_LEN(rows_of), .file = files_of, \
	.files = ARRAY_LEN(files_of)

extern const struct paper paper_subcore, paper_vt, paper_dyncta, paper_elf, paper_chimera, paper_maestro, paper_vws,
	paper_cores;
extern const struct paper *paper; /* the one at hand */
extern bool quick;

/* Ends the program with status 1 and a message. */
void fail(const char *fmt, ...) PRINTF_LIKE(1, 2) __attribute__((noreturn));

/* The number of another row of this paper. */
double row_number(const char *key);

/* The paper's number, or its bound; 0: it gives none. */
double paper_number(const struct row *r);

/* --- figures.c: loads, configurations, and values of their runs --- */

struct names loads_of(const char *set);		    /* those of the quick ones that are in a set, or all of it */
struct names loads_of_whole(const char *set);	    /* the same never quick */
void names_add(struct names *to, const char *name); /* once each */
bool names_have(const struct names *in, const char *name);
/* For each load of a set. */
#define EACH_LOAD(load, set) \
	for (struct names load##_of = loads_of(set), *load##_once = &load##_of; load##_once; load##_once = NULL) \
		for (u32 load##_at = 0; load##_at < load##_of.n; load##_at++) \
			for (const char *load = load##_of.name[load##_at]; load; load = NULL)

/* Lines of a table in a text file: f is called with the words of each line that is no comment. */
void table_each(const char *path, void (*f)(void *self, char **word, u32 n), void *self);
/* Add the loads (first words) whose word at `column` (0: any) begins with a prefix. */
void table_loads(const char *path, u32 column, const char *prefix, struct names *to);

/* What a run has come to: its statistics at its end by name, and what it printed. */
struct run {
	json_t *values;
	const char *printed;
};
double stat_of(const struct run *r, const char *name);
/* A statistic of a run to the end (quick: of its first cycles), or a sum of some (NAME+NAME); "-" counts as 0. */
double value(const char *load, const char *config, const char *name);
/* Cycles of the same work: of a run to the end its cycles, of its first cycles those for a million thread instructions.
 */
double cycles(const char *load, const char *config);
/* A script that is run after `restart`, on a load (NULL: nothing is loaded) under a configuration; NULL: not yet. */
const struct run *run_script(const char *load, const char *config, const char *script);
/* What it prints. */
const char *run_text(const char *load, const char *config, const char *script);
/* The i-th of the lines of run_text that are a number alone; NAN where there is none yet. */
double run_number(const char *load, const char *config, const char *script, u32 i);

void columns_write(const struct file *f, FILE *to);

enum { ARITHMETIC, GEOMETRIC, HARMONIC };
double gain(const struct ours *o);	    /* config over `over`, mean (number: which) of speedups, in percent */
double gain_most(const struct ours *o);	    /* the most of the speedups, a factor */
double share(const struct ours *o);	    /* mean of `names` over `per`, in percent */
double share_more(const struct ours *o);    /* share under config less that under over, in points */
double mean(const struct ours *o);	    /* mean of a statistic, times number */
double least_percent(const struct ours *o); /* the least of such ones */
double times(const struct ours *o);	    /* mean of `names` under config over that under `over`; 0s do not count */
double more(const struct ours *o);	    /* the same as a gain in percent */

/* clang-format off */
#define OF(function, ...) {function, __VA_ARGS__}
#define GAIN(loads, config, over) {gain, loads, config, over}
#define GAIN_G(loads, config, over) {gain, loads, config, over, .number = GEOMETRIC}
#define GAIN_H(loads, config, over) {gain, loads, config, over, .number = HARMONIC}
#define SHARE(loads, config, names, per) {share, loads, config, NULL, names, per}
#define MEAN(loads, config, names) {mean, loads, config, NULL, names, .number = 1}
#define MEAN_PERCENT(loads, config, names) {mean, loads, config, NULL, names, .number = 100}
/* clang-format on */

/* --- runs.c --- */

extern const char *out_folder;
/* A run of the paper: commands up to `restart` set it up, those behind it run. label names it. NULL: not yet. */
const struct run *run_asked(const char *label, const char *commands);
/* The file of a run that a row asks for, of its configuration if it has one; NULL: it asks for none. */
const char *run_of_row(const struct row *r);
/* Make all runs that were asked for and have no row; false: there were none. */
bool runs_make(void);

/* --- page.c: nothing is written unless it was opened --- */

void page_open(const char *path);
void page_close(void);
void page_paper(void);
void page_row(const struct line *l);
void page_paper_end(void);

#endif
