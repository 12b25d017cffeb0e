/* synth_keys.c - the keys by which a synthetic kernel is described: synth.def, and the mix of classes. */
#include "synth.h"

#include <errno.h>

#define KIND_OF_NUMBER SYNTH_NUMBER
#define KIND_OF_PATTERN SYNTH_PATTERN
#define KIND_OF_DIVERGENCE SYNTH_DIVERGENCE
#define KIND_OF_SWITCH SYNTH_SWITCH

const struct synth_key synth_table[] = {
#define KEY(field, name, kind, min, max, def, doc) \
	{name, doc, KIND_OF_##kind, sizeof(((struct synth *)0)->field), offsetof(struct synth, field), min, max, def},
#include "synth.def"
#undef KEY
};
const u32 synth_table_rows = ARRAY_LEN(synth_table);

const char *const synth_pattern_name[4] = {"stream", "strided", "random", "broadcast"};
const char *const synth_divergence_name[4] = {"none", "half", "slice", "lanes"};

static const char *const class_name[CLASS_COUNT] = {
#define CLASS(id, name, unit, doc) name,
#include "classes.def"
#undef CLASS
};

/* Put a number into a key's field. */
static void store(struct synth *s, const struct synth_key *key, u64 value)
{
	memcpy((u8 *)s + key->offset, &value, key->bytes);
}

void synth_default(struct synth *s)
{
	*s = (struct synth){0};
	for (u32 i = 0; i < synth_table_rows; i++)
		store(s, &synth_table[i], synth_table[i].def);
}

/* One of four words. */
static enum status word_set(struct synth *s, const struct synth_key *key, const char *const *names, const char *word,
			    struct error *e)
{
	for (u32 i = 0; i < 4; i++)
		if (!strcmp(names[i], word)) {
			store(s, key, i);
			return STATUS_OK;
		}
	return error_set(e, STATUS_USAGE, "%s: must be %s, %s, %s or %s, not '%.40s'", key->name, names[0], names[1],
			 names[2], names[3], safe_text(word));
}

/* on or off. */
static enum status switch_set(struct synth *s, const struct synth_key *key, const char *word, struct error *e)
{
	if (strcmp(word, "on") && strcmp(word, "off"))
		return error_set(e, STATUS_USAGE, "%s: must be on or off, not '%.40s'", key->name, safe_text(word));
	store(s, key, !strcmp(word, "on"));
	return STATUS_OK;
}

enum status synth_key_set(struct synth *s, const struct synth_key *key, const char *word, struct error *e)
{
	unsigned long long n;
	char *end;

	if (key->kind == SYNTH_PATTERN)
		return word_set(s, key, synth_pattern_name, word, e);
	if (key->kind == SYNTH_DIVERGENCE)
		return word_set(s, key, synth_divergence_name, word, e);
	if (key->kind == SYNTH_SWITCH)
		return switch_set(s, key, word, e);
	errno = 0;
	n = strtoull(word, &end, 0);
	if (end == word || *end || *word < '0' || *word > '9' || errno || n < key->min || n > key->max)
		return error_set(e, STATUS_USAGE, "%s: must be from %llu to %llu, not '%.40s'", key->name, key->min,
				 key->max, safe_text(word));
	store(s, key, n);
	return STATUS_OK;
}

enum status synth_mix_set(struct synth *s, const char *name, const char *weight, struct error *e)
{
	u32 class = 0;
	unsigned long n;
	char *end;

	while (class < CLASS_COUNT && strcmp(class_name[class], name))
		class ++;
	if (class == CLASS_COUNT || class == CLASS_CONTROL)
		return error_set(
			e, STATUS_USAGE,
			"'%.40s' is not an instruction class for mix (int imul idiv fp32 fp64 sfu div32 div64 tensor const load store atomic shload shstore fence dmma half uniform)",
			safe_text(name));
	n = strtoul(weight, &end, 10);
	if (end == weight || *end || *weight < '0' || *weight > '9' || n > 10000)
		return error_set(e, STATUS_USAGE, "weight of %s: must be from 0 to 10000, not '%.40s'", name,
				 safe_text(weight));
	s->mix[class] = (u32)n;
	return STATUS_OK;
}
