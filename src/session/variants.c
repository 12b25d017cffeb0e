/*
 * variants.c - machines that are built otherwise or choose otherwise: partitions.def, and each scheme by itself
 * (experiments.h).
 */
#include "experiments.h"
#include "schemes.h"
#include "settings.h"
#include "words.h"

const struct variant partition_table[] = {
#define VARIANT(n, s, p, d) {.name = n, .sets = s, .policies = p, .doc = d},
#include "partitions.def"
#undef VARIANT
};
const u32 partition_rows = ARRAY_LEN(partition_table);

enum status limit_choose(const struct session *s, const char *policies, struct policy_choice *p, struct error *e)
{
	struct words w;
	enum status st = words_parse(&w, policies, strlen(policies), e);

	if (!st)
		st = policy_words(s, w.token, w.n, p, e);
	words_free(&w);
	return st;
}

/* Does an experiment differ from the machine as it is? */
static bool differs(const struct session *s, const struct experiment *x)
{
	struct experiment base;

	experiment_base(s, &base);
	return memcmp(&base.config, &x->config, sizeof(base.config)) != 0 ||
	       memcmp(&base.policy, &x->policy, sizeof(base.policy)) != 0;
}

u32 variants_partition(const struct session *s, struct experiment *x, const char **name, const char **doc, u32 room)
{
	u32 n = 0;

	for (u32 i = 0; i < partition_rows && n < room; i++) {
		const struct variant *v = &partition_table[i];
		bool changed;

		experiment_base(s, &x[n]);
		if (limit_lift(v->sets, &x[n].config, &changed, &x[n].why) ||
		    limit_choose(s, v->policies, &x[n].policy, &x[n].why) || !differs(s, &x[n]))
			continue;
		name[n] = v->name;
		doc[n++] = v->doc;
	}
	return n;
}

/* A setting that a shorthand or a policy brings. */
static enum status put_setting(void *config, enum setting_id id, u32 value, struct error *e UNUSED)
{
	config_set(config, id, value);
	return STATUS_OK;
}

/* Is a scheme one for warps in slices, which this GPU has not? */
static bool is_foreign(const struct session *s, u32 scheme)
{
	return scheme_fills(scheme_table[scheme], POLICY_gang) && config_slices(sim_config(&s->sim)) == 1;
}

u32 variants_policy(const struct session *s, struct experiment *x, const char **name, const char **doc, u32 room)
{
	u32 n = 0;

	for (u32 i = 0; i < SCHEME_COUNT + shorthand_table_rows && n < room; i++) {
		const struct shorthand *h = i < SCHEME_COUNT ? NULL : &shorthand_table[i - SCHEME_COUNT];
		u32 scheme = h ? h->scheme : i;

		if (!h && shorthand_find(scheme_table[scheme]->name)) /* `policy` takes the name for that */
			continue;
		experiment_base(s, &x[n]);
		name[n] = h ? h->name : scheme_table[scheme]->name;
		if (limit_choose(s, name[n], &x[n].policy, &x[n].why))
			continue;
		policy_brings(&(struct token){.s = name[n]}, 1, &s->config, put_setting, &x[n].config, &x[n].why);
		if (h)
			shorthand_settings(h, put_setting, &x[n].config, &x[n].why);
		if (is_foreign(s, scheme) || !differs(s, &x[n]))
			continue;
		doc[n++] = h ? h->doc : scheme_table[scheme]->doc;
	}
	return n;
}
