/* synonyms.c - the table of synonyms, searched (synonyms.h). */
#include "synonyms.h"

#include <stdio.h>
#include <strings.h>

const struct synonym synonym_table[] = {
#define SYNONYM(words_, meaning_, see_) {.words = words_, .meaning = meaning_, .see = see_},
#include "synonyms.def"
#undef SYNONYM
};
const u32 synonym_count = ARRAY_LEN(synonym_table);

const struct synonym *synonym_find(const char *word)
{
	size_t n = strlen(word);

	for (u32 plural = 0; plural < 2; plural++, n--) {
		for (u32 i = 0; i < synonym_count; i++)
			if (word_listed(synonym_table[i].words, word, n))
				return &synonym_table[i];
		if (n < 3 || (word[n - 1] != 's' && word[n - 1] != 'S'))
			break;
	}
	return NULL;
}

bool synonym_holds(const struct synonym *x, const char *text, char *out, size_t size)
{
	for (const char *at = x->words; *at; at += strspn(at, "|")) {
		size_t length = strcspn(at, "|");

		snprintf(out, size, "%.*s", (int)length, at);
		if (strcasestr(out, text))
			return true;
		at += length;
	}
	return false;
}
