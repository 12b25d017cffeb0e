/*
 * rights.h - where a line comes from, and what it may do by that: the one place that decides.
 *
 * A line of the user's (typed, -e, standard input, the init file) may read and write any file that the user may. A line
 * of a file that was opened reads below the folder of that file and writes nothing, unless the program was started with
 * --trust. Lines that are kept for later (lists of stops, definitions, aliases, keys, `finally`, lessons, the record of
 * set-up) keep the origin of the line that they stood in, whoever runs them. What a command does with files its row
 * says: COMMAND_READS, COMMAND_WRITES, COMMAND_RUNS (command.h).
 */
#ifndef WARPSTEP_RIGHTS_H
#define WARPSTEP_RIGHTS_H

#include "session.h"
#include "words.h"

/* The origin of what the user types; paths start where the program was started. */
extern const struct line_origin rights_user;
/* The same origin as one that lives as long as the session. */
const struct line_origin *rights_keep(struct session *s, const struct line_origin *o);
/* That of a line kept with origin `kept` which a line of origin `runs` has run and given words: it may do what both
 * may. */
const struct line_origin *rights_meet(struct session *s, const struct line_origin *kept,
				      const struct line_origin *runs);
/* That of the line being run. */
const struct line_origin *rights_now(const struct session *s);
/* Is it the user's, who may do anything? */
bool rights_full(const struct session *s, const struct line_origin *o);
void rights_free(struct session *s);

/* May lines of this origin read the file at path? Nothing is told of a file that they may not, not even whether it
 * exists. */
bool rights_may_read(const struct session *s, const struct line_origin *o, const char *path);
/* Does a command write a file when it is run with these arguments: has its row COMMAND_WRITES, and the name of the
 * file, if it may be left out, is there? */
bool rights_writes(const struct command *c, const struct args *a);
/* An error if the line being run may not write, and the command would. */
enum status rights_command(const struct session *s, const struct command *c, const struct args *a, struct error *e);
/* An error if the line being run may not read the file at path, which is shown as the word t. */
enum status rights_read(const struct session *s, const struct token *t, const char *path, struct error *e);

#endif
