/*
 * session.h - one sitting at work: the machine made from the scene, people's text, positions, and the parts above.
 */
#ifndef WARPSTEP_SESSION_H
#define WARPSTEP_SESSION_H

#include "session_data.h"

struct command;
struct line_origin;

/* A part above the session that keeps something for it. What is NULL is not wanted. */
struct session_part {
	void (*open)(struct session *s);
	void (*made)(struct session *s);   /* a machine has been made anew: it stands at cycle 0 */
	void (*forget)(struct session *s); /* the machine is about to go */
	void (*printed)(struct session *s, const char *text, size_t length);
	/* a line that no other command than `source` runs is about to be run as that command, or has been (done) */
	void (*line)(struct session *s, const struct command *command, const char *line, bool done);
	void (*close)(struct session *s); /* no machine is there any more */
};

/* What the checks of a scenario have come to on a machine. */
struct judged {
	u32 passed, failed;
	char first[256]; /* what the first that fails has said */
};

/* All that stands above: given by those who put the program together, called by those below. */
struct session_ops {
	const struct session_part *const *part; /* the lowest first; NULL ends them */
	const struct command *const *command;	/* COMMAND_COUNT rows */
	/* Run lines of text that come from where `from` says; name shown in errors, their numbers from first_line on
	 * (0: they have none). */
	enum status (*run_lines)(struct session *s, const char *text, const struct line_origin *from, const char *name,
				 u32 first_line, struct error *e);
	/* The scenario's checks on the machine of a session, which has come to its end; nothing is printed or written,
	 * and the machine stays. */
	void (*judge)(struct session *s, struct judged *out);
	const char *(*word_doc)(const char *word); /* what a word that was completed last means; NULL: not said */
	/* The i-th thing with a name that is no command: its kind, what it is, the line that shows it, in which NAME
	 * stands for it; NULL after the last. */
	const char *(*named)(u32 i, const char **kind, const char **doc, const char **line);
};

void session_open(struct session *s, const struct session_ops *above);
void session_close(struct session *s);

/* Text for people: printed to s->out (which is standard error when -j). Control bytes must already be safe. */
void session_print(struct session *s, const char *fmt, ...) PRINTF_LIKE(2, 3);
/* The same where lines that are too wide stay as they are: pictures of a size that was asked for. */
void session_print_picture(struct session *s, const char *text);
/* Text that the log and the parts above have already: to a file alone, folded as session_print() does. */
void session_put(const struct session *s, FILE *f, const char *text);
/* Columns that a line for people may take: as --size says, else the terminal's if there is one; 0: any number. */
u32 session_columns(const struct session *s);
/* The parts are told of such a line. */
void session_line(struct session *s, const struct command *command, const char *line, bool done);
/* A line of JSON of its own, on standard output; the object is used up. */
void json_put(json_t *object);
/* The current command's JSON result (an object; created on first use). Cheap no-op target when !s->json: returns NULL
 * then. */
json_t *session_result(struct session *s);
/* End the log, if there is one; an error if not all of it could be written. */
enum status log_close(struct session *s, struct error *e);

/* Make the machine from the stage if there is none (or it is stale and never moved). */
enum status session_make(struct session *s, struct error *e);
/* Throw the machine away and make it anew at cycle 0. */
enum status session_restart(struct session *s, struct error *e);
/* Throw the machine away, if there is one; the program is the scene's again. */
void session_unmake(struct session *s);
/* A check has passed; who has typed it is told. */
void session_passed(struct session *s);
/* Where the machine stands; cycle 0 if there is none. */
struct position session_now(const struct session *s);
/* The exit status that the machine's end asks for: 0, 3 fault, 4 deadlock. */
enum status session_end_status(const struct session *s, struct error *e);
/* Host-side settings (engine.*, time.*) to a live machine. */
void session_apply_host(struct session *s);
void session_forget_functional(struct session *s);
/* Time text ("300", "1ms", "200us") to cycles at gpu.clock. */
enum status session_time(const struct session *s, const char *text, u64 *cycles, struct error *e);

#endif
