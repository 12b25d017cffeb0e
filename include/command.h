/*
 * command.h - the one language: a scenario, an rc file, a script, a key, a breakpoint's list and a test are commands.
 *
 * A command is one `const struct command command_NAME` (src/cmd/cmd_*.c, a file for each but for twins) and one row in
 * commands.def.
 * The dispatcher parses and types the arguments by the row before run() is called; help, usage errors, completion and
 * the manual are printed from the row. run() either does all of it or, with an error, nothing.
 */
#ifndef WARPSTEP_COMMAND_H
#define WARPSTEP_COMMAND_H

#include "base.h"
#include "token.h"

struct session;
struct command;

enum arg_type {
	ARG_END,     /* terminates the list */
	ARG_NUMBER,  /* expression giving a number: cycles, counts; .number */
	ARG_TIME,    /* cycles, or with a unit (1ms, 200us): .number in cycles */
	ARG_WORD,    /* one token: .text */
	ARG_STRING,  /* one token or a quoted string: .text */
	ARG_PATH,    /* a path, relative to the file that the command stands in: .text is resolved, access checked */
	ARG_OUTPUT,  /* the path of a file to write, as typed: path_open() and path_resolve() take it */
	ARG_SETTING, /* a setting's name: .number = enum setting_id; of a glob (setting_is_glob(.text)) the first */
	ARG_STAGE,
	ARG_EVENT,	  /* .number = enum event_kind; EVENT_COUNT: `hop`, of what is followed (follow.h) */
	ARG_COMMAND_NAME, /* names from tables: .number = index */
	ARG_EXPR,	  /* the rest of the line is an expression: .text, not evaluated */
	ARG_REST,	  /* the rest of the line as tokens: args.token[first ..] */
	ARG_FLAG,	  /* a switch such as -s: .present; if the spec has value_type, the next token is its value */
};

struct arg_spec {
	const char *name; /* shown in usage: "N", "-s" for flags */
	u8 type;	  /* enum arg_type */
	const char *doc;
	/* completion: words for the partial text, one call per index until NULL (may be NULL: by type) */
	const char *(*complete)(struct session *s, const char *partial, u32 index);
	bool optional;
	u8 value_type; /* ARG_FLAG with a value */
};

struct arg {
	bool present;
	u64 number;
	const char *text;
	u32 column;
};

#define MAX_ARGS 8
struct args {
	struct arg arg[MAX_ARGS];  /* as the row lists them */
	const struct token *token; /* all tokens of the line, the verb first */
	u32 ntokens, rest;	   /* rest: first token of ARG_REST or ARG_EXPR */
	const char *line;	   /* the whole line */
	char **block;		   /* lines of a block command, up to its `end` (not included) */
	u32 nblock, block_line;	   /* block_line: line number of block[0] */
	const char *file;	   /* where it stands; NULL: typed */
	u32 line_number;
};

enum command_flag {
	COMMAND_SETUP =
		1, /* sets the stage: allowed in scenarios; before the machine is made, or marks it for restart */
	COMMAND_MOVES = 2,	    /* moves the machine */
	COMMAND_BLOCK = 4,	    /* takes lines up to `end` (always) */
	COMMAND_BLOCK_IF_BARE = 8,  /* takes a block only if nothing follows its arguments */
	COMMAND_REPEATS = 16,	    /* an empty line repeats it (without its count) */
	COMMAND_WRITES = 32,	    /* writes files, which lines of files may not (rights.h), */
	COMMAND_READS = 512,	    /* ... reads them: lines of a file below its folder, */
	COMMAND_RUNS = 1024,	    /* ... runs lines, or keeps them to be run: they keep their origin */
	COMMAND_NEEDS_MACHINE = 64, /* makes the machine first if it can be made */
	COMMAND_OPEN = 256,	/* runs while a question of a lesson waits: it moves nothing, and shows what has been */
	COMMAND_STAYS = 128,	/* defines what undo does not take back: a saved session keeps its line */
	COMMAND_ANSWERS = 4096, /* where it fails, what it has found is told with -j, too */
	COMMAND_LOADS = 2048,	/* may take long and asks for Ctrl-C (work_check()), in a batch, too */
};

struct command {
	const char *name,
		*alias; /* alias: shortest accepted abbreviation, e.g. "s" (any longer prefix works if unambiguous) */
	const char *group;		/* a name of command_group */
	const char *summary;		/* one line */
	const char *details;		/* paragraphs, or NULL */
	void (*rows)(struct text *out); /* more lines behind the details, made from tables (help_row), or NULL */
	const char *examples;		/* lines, or NULL */
	u32 flags;
	enum status (*run)(struct session *s, const struct args *a, struct error *e);
	/* Takes a block: asked before that is read. An error: it is passed over, or not asked for. NULL: always */
	enum status (*ready)(struct session *s, const struct args *a, struct error *e);
	struct arg_spec arg[MAX_ARGS];
};

enum command_id {
#define COMMAND(id) COMMAND_ID_##id,
#include "commands.def"
#undef COMMAND
	COMMAND_COUNT
};
/* The rows, by enum command_id, once they have been given. */
extern const struct command *const *command_table;
void commands_given(const struct command *const *table);
/* The row of a verb or abbreviation, or NULL with an error that suggests the nearest; STATUS_FAILED: there is no such.
 */
const struct command *command_find(const char *verb, struct error *e);
/* Which row it is. */
enum command_id command_id(const struct command *c);
/* The row whose name is two words, which these begin with: the second is taken out, the name stands for both. NULL:
 * none. */
const struct command *command_of_two(struct token *token, u32 *n);
/* The groups, in the order of help. */
#define COMMAND_GROUPS 8
extern const struct command_group {
	const char *name, *title;
} command_group[COMMAND_GROUPS];
#define HELP_COLUMNS 110 /* about as wide are lines of details where they are parted at all */
/* A line of a list in a text of help, "  NAME   what it is": the name so many columns wide, what is long goes on below.
 */
void help_row(struct text *out, const char *name, u32 width, const char *doc);
/* Details of a row, with the lines made from tables; empty if there are none. */
void command_details(const struct command *c, struct text *out);
/* Usage of a row: "step [-s STAGE] [N]". */
void command_usage(const struct command *c, struct text *out);

#endif
