/*
 * lang.h - the language at work: sources of lines run, blocks, what the user has defined, errors said.
 */
#ifndef WARPSTEP_LANG_H
#define WARPSTEP_LANG_H

#include "session.h"
#include "words.h"

#define MAX_DEPTH 64		     /* of files, blocks and user commands inside one another */
#define MAX_EXPANSION 1000000u	     /* lines that `repeat` and the user's commands may make of one line */
#define MAX_SOURCED 4000000u	     /* lines of files that files read, for one line: each file again each time */
#define LINES_OF_FILE 100u	     /* for which a file counts besides: it is looked for, opened and read */
#define MAX_SUBSTITUTED (4u << 20)   /* bytes of a user's command with its words put in: else words could double */
#define MAX_ALIAS 65536u	     /* bytes that an alias stands for, of those that it begins with, too */
#define MAX_DEFINITIONS 4096u	     /* of the user's commands, and of aliases: every line is looked for among them */
#define MAX_SCRIPT_BYTES (64u << 20) /* of a file of commands */

/* Lines kept for later, with the place that they came from. */
struct kept {
	char **line;
	u32 n, first_line;
	char *file;
	const struct line_origin *from;
};
/* n lines more are about to be made of the line that runs: an error if those are too many. */
enum status lang_expand(struct lang *l, const char *verb, u32 n, struct error *e);
/* Does a line open a block (+1), close one (-1), neither (0)? */
int block_depth(struct session *s, const struct line_source *src);
void kept_fill(struct kept *k, struct session *s, const struct args *a);
void kept_free(struct kept *k);
enum status kept_run(struct session *s, const struct kept *k, char *const *lines, struct error *e);

/* The checks of `finally` on the machine of a session: session_ops.judge. */
void finally_judge(struct session *s, struct judged *out);

/* NAME stands for the beginning of a line. */
struct alias {
	char *name, *line;
	const struct line_origin *from;
};
/* A command of the user's. */
struct definition {
	char *name, *doc;
	struct kept body;
};

/* What the language keeps of a session. */
struct lang {
	struct kept finally, job; /* job: of a sweep */
	struct definition *definition;
	u32 ndefinition;
	struct alias *aliases;
	u32 nalias;
	u32 asked, right; /* questions of `ask` that were answered, and rightly */
	struct undo_record *undo;
	u32 nundo;
	u32 expanded;	  /* lines that `repeat` and the user's commands made of the outermost source's line */
	u32 sourced;	  /* lines of files that it read */
	u32 inside;	  /* commands under way but for `source` */
	char **open_file; /* real paths of the files being run */
	u32 nopen;
	const char *failed_verb;  /* of the last error */
	char unknown_verb[64];	  /* a verb that is none, for failed_verb */
	enum status status;	  /* of the first failure */
	bool reported;		  /* the error in flight has been said */
	json_t *found;		  /* what the command that has failed last had found (COMMAND_ANSWERS); NULL: nothing */
	bool used[COMMAND_COUNT]; /* commands that the user has run, for `tip` */
	u32 tips;		  /* that `tip` has shown */
	bool wants_default;	  /* nothing was named: the default scenario, unless the commands set a stage */
};
extern const struct session_part lang_part;

/* Run every line of a source; with --keep-going errors are reported and the first one's status is returned. */
enum status source_run(struct session *s, struct line_source *src, struct error *e);
/* Run one line of src (more lines are taken from it for a block). */
enum status line_run(struct session *s, struct line_source *src, struct error *e);
/* Lines of text that come from where `from` says. name: shown in errors, their numbers from first_line on (0: lines
 * have none). */
enum status lines_run(struct session *s, const char *text, const struct line_origin *from, const char *name,
		      u32 first_line, struct error *e);
/* Lines of text as if typed. name: shown in errors. */
enum status text_run(struct session *s, const char *text, const char *name, bool unnumbered, struct error *e);
/* A command of these words, whatever is in them, as if typed. */
enum status words_run(struct session *s, const char *const *word, u32 n, struct error *e);
/* Run one line of a file (NULL: typed). Errors carry file:line:column. */
enum status command_run_line(struct session *s, const char *line, const char *file, u32 line_number, struct error *e);
/* lines_run() for those that a stop runs: what they expand to is not counted to the line that moved the machine. */
enum status lines_run_apart(struct session *s, const char *text, const struct line_origin *from, const char *name,
			    u32 first_line, struct error *e);
/* Run a file of commands. depth and cycles of `source` are checked. */
enum status command_run_file(struct session *s, const char *path, struct error *e);
/* The same of the user's own init file, whose lines may do what the user may. */
enum status init_run(struct session *s, const char *path, struct error *e);
/* Lines up to the `end` of a block: *out and *n are the caller's; the error names the line that opened it. */
enum status block_read(struct session *s, struct line_source *src, const char *verb, char ***out, u32 *n,
		       struct error *e);
/* Type the tokens of a line by the row; free what that allocated. */
enum status args_type(struct session *s, const struct command *c, struct args *a, struct error *e);
void args_free(const struct command *c, struct args *a);

const struct alias *alias_find(const struct lang *l, const char *name);
/* Put a line (xmalloc'ed) behind a name; NULL takes the name away. */
void alias_set(struct lang *l, const char *name, char *line, const struct line_origin *from);
void aliases_save(const struct lang *l, struct text *out);
/* The row that a verb runs, through an alias if it is one; NULL with an error. */
const struct command *alias_command(const struct lang *l, const char *verb, struct error *e);
/* Whether the line being run may call something so: no command has the name, nor `end`; and what a line of a file
 * names takes no abbreviation of a command. */
enum status name_free(const struct session *s, const char *name, u32 column, struct error *e);
/* Is a name short for a command? */
bool name_abbreviates(const char *name);
/* The command that the user has defined by this name, NULL: none. */
struct definition *definition_find(const struct lang *l, const char *name);

/* Say an error to the user: a line on standard error, or with -j a JSON line. The first status is kept for the end. */
void report_error(struct session *s, const struct error *e);
/* A command that has succeeded as a JSON line; result may be NULL. */
void report_result(const char *verb, json_t *result);
/* Write the commands that bring the session back. */
enum status session_save(struct session *s, const char *path, struct error *e);
/* Stops, checkpoints and inputs are saved as they are now, or came with what was opened. */
void unsaved_none(struct session *s);
/* Is there anything of them that leaving would lose? In words: "2 stops and 1 checkpoint". */
bool unsaved_any(const struct session *s, struct text *what);

#endif
