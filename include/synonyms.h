/*
 * synonyms.h - words by which users look for things that have another name here (synonyms.def): `help WORD` and the
 * list of F1 find them.
 */
#ifndef WARPSTEP_SYNONYMS_H
#define WARPSTEP_SYNONYMS_H

#include "base.h"

struct synonym {
	const char *words;   /* with | between */
	const char *meaning; /* a definition that stands alone */
	const char *see;     /* commands, with commas between */
};
extern const struct synonym synonym_table[];
extern const u32 synonym_count;

/* The row of a word, whatever the case of its letters; the plural of a word counts as the word. NULL: none. */
const struct synonym *synonym_find(const char *word);
/* Does a word of a row contain a text? The first that does, copied into out; false: none. */
bool synonym_holds(const struct synonym *x, const char *text, char *out, size_t size);

#endif
