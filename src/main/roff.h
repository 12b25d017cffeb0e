/*
 * roff.h - what the printed parts of the manual are made of: text, tagged paragraphs, lists.
 */
#ifndef WARPSTEP_ROFF_H
#define WARPSTEP_ROFF_H

#include <stdio.h>

/* Text with roff's own characters escaped; a line that begins with a control character is protected. */
void roff(FILE *out, const char *s);
/* A paragraph with a bold tag, followed by plain text if there is any. */
void roff_tag(FILE *out, const char *name, const char *rest);
/* Text of a paragraph, as a line. */
void roff_body(FILE *out, const char *doc);
/* The same; it ends with a period if it does not end a sentence already. */
void roff_sentence(FILE *out, const char *doc);
/* A tagged paragraph of one sentence. */
void roff_item(FILE *out, const char *name, const char *rest, const char *doc);
/* The text of a command: paragraphs, and lists of lines that begin with blanks. */
void roff_details(FILE *out, const char *doc);
/* An example, kept as it is. */
void roff_example(FILE *out, const char *text);

/* What becomes of each instruction of PTX (man_ptx.c). */
void man_ptx(FILE *out);
/* The parts, each from its table (man_tables.c). */
void man_settings(FILE *out);
void man_stats(FILE *out);
void man_events(FILE *out);
void man_stages(FILE *out);
void man_schemes(FILE *out);
void man_slots(FILE *out);
void man_statuses(FILE *out);
void man_outcomes(FILE *out);
void man_mechanisms(FILE *out);
void man_presets(FILE *out);
void man_scenarios(FILE *out);
void man_sweepkinds(FILE *out);
void man_rowstates(FILE *out);
void man_folds(FILE *out);

#endif
