/*
 * complete.h - completion of arguments: for each kind of words a function for struct arg_spec.complete.
 *
 * Such a function may look at the words typed before the one being completed.
 */
#ifndef WARPSTEP_COMPLETE_H
#define WARPSTEP_COMPLETE_H

#include "command.h"

#define COMPLETER(id, fill) const char *complete_##id(struct session *s, const char *partial, u32 index);
#include "completers.def"
#undef COMPLETER
/* Stands for the names of files, which readline knows itself. */
const char *complete_file(struct session *s, const char *partial, u32 index);

/* Completion of readline's word, in this session. */
char **complete_line(const char *word, int start, int end);
void complete_session(struct session *s);
/* What a word that was completed last means, NULL if the tables do not say. */
const char *complete_doc(const char *word);

/* The word `back` words before the one being completed; NULL: there is none. The verb is the first. */
const char *complete_before(u32 back);
/* What a word means that one of the functions above gave last, NULL if it is not said; and forget what they gave. */
const char *complete_word_doc(const char *word);
void complete_forget(void);

#endif
