/*
 * repl.h - what the parts of src/session, src/lang and src/cmd share: sources of lines, the scene, the record of a sitting.
 *
 * Lines come from a source (a file, standard input, -e, a block) that knows where relative paths start and what may
 * be read and written. The scene holds what set-up commands declare; session_make copies it into session.program.
 */
#ifndef WARPSTEP_REPL_H
#define WARPSTEP_REPL_H

#include "front.h"
#include "session.h"

#define MAX_DEPTH 64		/* of files, blocks and user commands inside one another */
#define MAX_EXPANSION 1000000u	/* lines that `repeat` may make of one command */
#define MAX_SCRIPT_BYTES (64u << 20) /* of a file of commands */
#define MAX_UNDO 1000

/* A line as tokens. text: the line without its comment and trailing space. */
struct words {
	char *text, *store;
	struct token *token;
	u32 n;
};
/* Split a line of length bytes; on an error *column is its place. Free with words_free either way. */
enum status words_parse(struct words *w, const char *line, size_t length, struct error *e);
void words_free(struct words *w);
/* A token as shown in a message: safe, and not longer than a line. */
const char *token_shown(const char *s);

/* Where lines come from. next() fills text, length and line, and returns false at the end. */
struct line_source {
	bool (*next)(struct line_source *self);
	const char *text;
	size_t length;
	u32 line;
	const char *file;	/* named in errors; NULL: typed */
	const char *dir;	/* where relative paths start */
	const char *root;	/* files read must lie below it; NULL: anywhere */
	bool typed;		/* may write files */
	bool unnumbered;	/* its line numbers say nothing: not shown */
	char *const *lines;	/* of a source that is an array */
	u32 nlines, at, first_line;
	const char *data;	/* of a source that is a text: size bytes, read up to offset */
	size_t size, offset;
	struct session *session;
	struct line_source *outer;
};

/* Lines kept for later, with the place that they came from. */
struct kept {
	char **line;
	u32 n, first_line;
	char *file, *dir, *root;
	bool typed;
};
void kept_fill(struct kept *k, struct session *s, const struct args *a);
void kept_free(struct kept *k);
enum status kept_run(struct session *s, const struct kept *k, char *const *lines, struct error *e);

/* Run every line of a source; with --keep-going errors are reported and the first one's status is returned. */
enum status source_run(struct session *s, struct line_source *src, struct error *e);
/* Run one line of src (more lines are taken from it for a block). */
enum status line_run(struct session *s, struct line_source *src, struct error *e);
/* Lines of text as a source. name: shown in errors. */
enum status text_run(struct session *s, const char *text, const char *name, bool unnumbered, struct error *e);
/* Lines up to the `end` of a block: *out and *n are the caller's; the error names the line that opened it. */
enum status block_read(struct session *s, struct line_source *src, const char *verb, char ***out, u32 *n, struct error *e);
void lines_free(char **lines, u32 n);
/* Type the tokens of a line by the row; free what that allocated. */
enum status args_type(struct session *s, const struct command *c, struct args *a, struct error *e);
void args_free(const struct command *c, struct args *a);
/* Usage of a row: "step [-s STAGE] [N]". */
void command_usage(const struct command *c, struct text *out);

/* The presets that come with the program, beside one another. */
void preset_names(struct text *out, const char *between);
/* A path of a command's line: resolved, its access checked; xmalloc'ed, NULL with an error. */
char *path_resolve(struct session *s, const struct args *a, const struct token *t, bool write, struct error *e);
/* A file that comes with the program: beside the executable, in ./scenarios, in DATA_DIR; NULL if nowhere. */
char *path_find(const char *relative);

/* Say an error to the user: a line on standard error, or with -j a JSON line. The first status is kept for the end. */
void repl_report(struct session *s, const struct error *e);
/* End the log, if there is one; an error if not all of it could be written. */
enum status log_close(struct session *s, struct error *e);
/* json.c */
void json_command(struct session *s, const char *verb, json_t *result);

/* A launch as declared. */
struct scene_launch {
	struct launch launch;
	char *at, *every;	/* texts of times, NULL none: converted when the machine is made */
	char *file;
	u32 line;
};
/* A module's constants as `symbol` wants them. */
struct scene_symbol {
	struct module *module;
	u32 symbol;
	u8 *bytes;
	u8 *before;		/* what was there, for undo */
};
struct scene {
	struct module **module;
	struct buffer *buffer;
	struct scene_launch *launch;
	struct scene_symbol *symbol;
	u32 nmodule, nbuffer, nlaunch, nsymbol;
	u64 next_address, bytes;
};
/* Set-up is about to change: a machine that has not moved is dropped, one that has is marked for restart. */
void scene_touch(struct session *s);
enum status scene_add_module(struct session *s, struct module *m, struct error *e);
/* A buffer of that size; its init (owned from then on) may be NULL. */
enum status scene_add_buffer(struct session *s, const char *name, u8 type, u64 count, u8 *init, struct error *e);
/* What is in the newest buffer at the beginning has been said. */
void scene_define_buffer(struct session *s);
struct scene_launch *scene_add_launch(struct session *s);
void scene_add_symbol(struct session *s, struct module *m, u32 symbol, u8 *bytes);
struct buffer *scene_buffer(struct session *s, const char *name);
struct kernel *scene_kernel(struct session *s, const char *name, struct error *e);
/* Fail if an entry of this name, or the only one with this part, could not be taken from its module. */
enum status scene_refused(const struct session *s, const char *name, struct error *e);
/* Drop what was declared after the counts of `to` (undo). */
void scene_truncate(struct session *s, const struct scene *to);
void scene_free(struct scene *t);
/* The policies of a machine that nobody chose any for; words of a choice (policies.c). */
void policy_default(struct policy_choice *p);
/* The choice in force: the machine's, or the one for the next machine. */
void policy_now(const struct session *s, struct policy_choice *p);
void policy_text(const struct policy_choice *p, struct text *out);
/* Change a setting now, or for the next machine where it cannot act now: *says tells which, NULL if it simply acts. */
enum status setting_apply(struct session *s, enum setting_id id, u32 value, const char **says, struct error *e);
enum status policy_apply(struct session *s, const struct policy_choice *p, const char **says, struct error *e);
/* Its value now: the machine's, or the one for the next machine. */
u32 setting_now(const struct session *s, enum setting_id id);
/* Host-side settings (engine.*, time.*) to a live machine. */
void session_apply_host(struct session *s);
/* Fill session.program from the scene. */
enum status scene_build(struct session *s, struct error *e);
void scene_unbuild(struct session *s);

/* A number of a type as bytes: out has value_type_size[type]. The error says what the type holds. */
enum status value_parse(u8 type, const char *text, u8 *out, struct error *e);
void value_store(u8 type, double real, i64 integer, u8 *out);
int value_type_find(const char *name);

/* A line that `save session` writes. */
struct script_line {
	char *text;
	bool timed;		/* an input of a machine that had moved: `goto` comes before it */
	struct position at;
};
void script_add(struct session *s, const struct args *a);
void script_untime(struct session *s);
/* The path that token t was resolved to, to be written in its place. */
void script_path(struct session *s, const struct token *t, const char *path);
enum status script_write(struct session *s, const char *path, struct error *e);

struct repl;
struct undo_record {
	struct position at;
	u32 inputs, nnotes, nscript;
	u64 generation;
	bool live, stale, moved, finally_ran;
	struct config config;
	struct policy_choice policy;
	struct scene scene;	/* its counts only */
	char line[80];		/* the command's */
};
void undo_note(struct session *s, struct undo_record *out);
void undo_keep(struct session *s, const struct undo_record *before, const char *line);
enum status undo_last(struct session *s, struct error *e);
void places_keep(struct session *s, struct position before);
enum status places_go(struct session *s, int by, struct error *e);

/* A position with a name. */
struct checkpoint { char *name; struct position at; };
const struct checkpoint *checkpoint_find(const struct repl *r, const char *name);
/* The commands that make them anew. */
void checkpoints_save(const struct repl *r, struct text *out);
const char *checkpoint_complete(struct session *s, const char *partial, u32 index);

/* NAME stands for the beginning of a line. */
struct alias { char *name, *line; };
const struct alias *alias_find(const struct repl *r, const char *name);
void aliases_save(const struct repl *r, struct text *out);
/* The row that a verb runs, through an alias if it is one; NULL with an error. */
const struct command *alias_command(const struct repl *r, const char *verb, struct error *e);
/* Whether the user may call something so: no command has the name, nor `end`. */
enum status name_free(const char *name, u32 column, struct error *e);

struct definition {
	char *name, *doc;
	struct kept body;
};

struct repl {
	struct scene scene;
	struct line_source *source;	/* that a line is being run from */
	struct kept finally;
	struct definition *definition;
	u32 ndefinition;
	struct checkpoint *checkpoint;
	u32 ncheckpoint;
	struct alias *aliases;
	u32 nalias;
	u32 asked, right;		/* questions of `ask` that were answered, and rightly */
	struct script_line *script;
	u32 nscript;
	int quiet_depth;		/* > 0: inside a preset: lines are not recorded, a machine that has moved is left alone */
	char *path_from, *path_to;	/* of the line being run: token and resolved path */
	u32 path_start, path_end;
	struct undo_record *undo;
	u32 nundo;
	struct position *place;
	u32 nplace, place_at;
	u64 generation;			/* of machines made */
	u32 expanded;			/* lines made by `repeat` since the last line at depth 0 */
	char **open_file;		/* real paths of the files being run */
	u32 nopen;
	const char *failed_verb;	/* of the last error */
	char unknown_verb[64];		/* a verb that is none, for failed_verb */
	enum status status;		/* of the first failure */
	bool reported;			/* the error in flight has been said */
	bool wants_default;		/* nothing was named: the default scenario, unless the commands set a stage */
	FILE *log;
	char *gpu;			/* preset named last */
};
static inline struct repl *repl_of(const struct session *s) { return s->repl; }

/* Compile an expression that stands at a column of its line. Names that only a scope gives are refused, but `known`. */
enum status expr_check(struct session *s, const char *text, u32 column, const char *known, struct expr **out,
		       struct error *e);

/* --- moving --- */
/* A place to stop at besides breakpoints. Events of `want` are shown to hit(), every cycle too if every_cycle. */
struct goal {
	bool (*hit)(void *self, const struct sim *sim);
	void *self;
	u64 want;
	bool every_cycle;
	const char *what;	/* said at the stop */
	bool *alone;		/* not NULL: where nothing else stops nothing is said, and it becomes true */
};
/* Run forwards to the goal (may be NULL), a breakpoint or an end; through: say stops and go on. */
enum status move_run(struct session *s, const struct goal *goal, bool through, struct error *e);
/* All launches without timing into st, until Ctrl-C or --max-seconds. */
enum status move_functional(struct session *s, struct store *st, struct functional_result *done, struct error *e);
enum status move_reverse(struct session *s, const struct goal *goal, struct error *e);
enum status move_to(struct session *s, struct position to, struct error *e);
struct position move_now(const struct session *s);
/* Arm --max-seconds; and the goal of `next KIND` and reverse-next. */
void move_start_clock(double seconds);
bool move_timed_out(void);
bool move_interrupted(void);
/* From the first to the second, Ctrl-C sets timeline_interrupt, for those who run simulators of their own. */
struct sigaction;
void move_catch(struct sigaction *old);
void move_release(const struct sigaction *old);
/* Who is asked while a move runs: when timeline_interrupt has been set by neither Ctrl-C nor a limit, tick() says whether to
 * stop. NULL: nobody. */
struct move_watch {
	void (*begin)(struct session *s);
	bool (*tick)(struct session *s);
	void (*end)(struct session *s);
};
void move_set_watch(const struct move_watch *w);
/* `until EXPR` and `while EXPR` (args.arg[0]): run to the first cycle at whose end it is true (not true, for holds). */
enum status move_until(struct session *s, const struct args *a, bool holds, struct error *e);
/* `next [KIND]`'s goal from args.arg[0]. */
struct next_goal { const struct session *s; enum event_kind kind; bool focused; };
void move_next_goal(struct session *s, const struct args *a, struct next_goal *n, struct goal *g);

/* --- main's parts --- */
/* Read commands from standard input until it ends or `quit`. */
void repl_loop(struct session *s);
/* The answer to a question, without its newline or with it; NULL where there is none. xmalloc'ed. */
char *repl_answer(struct session *s, const char *prompt);
/* What was typed in earlier sittings, for readline (history.c): read it, keep a line at once, end. */
void typed_open(void);
void typed_keep(const char *line);
void typed_close(void);
/* Open the scenario that comes with the program. */
enum status repl_load_default(struct session *s, struct error *e);
/* The parts of the manual that are printed from the tables (man.c). */
#define MAN_TOPICS "options commands settings stats events schemes keys layouts"
/* Roff of a topic from the tables; false if there is none of that name. */
bool man_print(const char *topic, FILE *out);
void help_options(FILE *out);
/* Completion of the command line, as a script for bash. */
void completion_print(FILE *out);
struct option_row {
	const char *name;	/* long name */
	char letter;		/* 0 none */
	const char *value;	/* NULL: takes none; "[X]" optional */
	const char *doc;
};
#define OPTION_COUNT 19
extern const struct option_row option_table[OPTION_COUNT];
/* A skeleton scenario for the entries of a PTX file. */
enum status template_print(const char *path, FILE *out, struct error *e);
/* Completion of readline's word. */
char **complete_line(const char *word, int start, int end);
void complete_session(struct session *s);
/* What a word that was completed last means, NULL if the tables do not say. */
const char *complete_doc(const char *word);

#endif
