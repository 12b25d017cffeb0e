/*
 * runs.c - the runs of a sitting (runs.h).
 *
 * A run is told from others by a key: which reading of the files, what was declared, settings, policies. The scene of
 * one reading is shared by its runs, the session and whatever is made of it (scene_hold).
 */
#include "counters.h"
#include "runs.h"

#include "compare.h"
#include "other.h"
#include "schemes.h"
#include "rights.h"
#include "scene.h"
#include "script.h"
#include "source_text.h"

#define MOST 500    /* runs that are kept */
#define VERSIONS 16 /* earlier readings of the files that are kept */
#define NAMED 4	    /* changed settings that are named */

/* --- which run --- */

/* Settings that say nothing about the machine: how it is looked at, and the host. */
static bool is_aside(u32 id)
{
	return setting_table[id].flags & (FLAG_HOST | FLAG_VIEW);
}

/* Of a machine of a version of the session's files, whose scene had that revision. */
static u64 key_of(const struct run_setup *x, u32 version, u64 revision)
{
	u64 key = mix64(mix64(version) ^ revision);

	for (u32 i = 0; i < SETTING_COUNT; i++)
		if (!is_aside(i))
			key = mix64(key ^ config_get(&x->config, (enum setting_id)i));
	for (u32 i = 0; i < POLICY_SLOTS; i++)
		key = mix64(key ^ policy_in(&x->policy, i));
	for (const char *c = x->gpu.name; *c; c++)
		key = mix64(key ^ (u8)*c);
	return key;
}

/* --- versions --- */

/* The number of the version of the session's scene; NONE32: it has none yet. */
static u32 version_now(const struct session *s)
{
	const struct runs *r = s->runs;

	for (u32 i = r ? r->nversion : 0; i-- > 0;)
		if (r->version[i].scene == s->scene)
			return i;
	return NONE32;
}

static struct runs *runs_of(struct session *s)
{
	if (!s->runs)
		s->runs = xcalloc(1, sizeof(*s->runs));
	return s->runs;
}

/* The file of a kernel, without its folder. */
static const char *file_of(const struct kernel *k)
{
	const char *path = k->module && k->module->path ? k->module->path : k->name, *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* The version of the session's scene, from which its machine is made. */
static u32 version_keep(struct session *s)
{
	struct runs *r = runs_of(s);
	u32 at = version_now(s);
	struct run_version *v;

	if (at != NONE32)
		return at;
	r->version = array_grow(r->version, r->nversion, sizeof(*r->version));
	v = &r->version[r->nversion];
	*v = (struct run_version){.scene = scene_hold(s->scene)};
	v->file = xstrdup(s->program.nlaunch ? file_of(s->program.launch[0].kernel) : "");
	for (u32 i = 0; i < s->program.nlaunch; i++) {
		const struct module *m = s->program.launch[i].kernel->module;

		if (m && m->hash && (!i || m != s->program.launch[i - 1].kernel->module))
			v->hash = mix64(v->hash ^ m->hash);
	}
	return r->nversion++;
}

/* What can be made of a version is given up. */
static void version_drop(struct run_version *v)
{
	if (v->scene)
		scene_drop(v->scene);
	sources_drop(v->sources);
	v->scene = NULL;
	v->sources = NULL;
}

void runs_leave(struct session *s)
{
	struct runs *r = s->runs;
	u64 bytes = 0, room = config_memory(&s->config) / 4;
	u32 at = version_now(s), kept = 0;

	if (at == NONE32) {
		sources_forget(s);
		return;
	}
	r->version[at].sources = sources_renew(s);
	for (u32 i = r->nversion; i-- > 0;) {
		struct run_version *v = &r->version[i];

		if (!v->scene)
			continue;
		bytes += v->scene->filled + v->scene->symbols;
		if (kept++ >= VERSIONS || (i != at && bytes > room))
			version_drop(v);
	}
}

/* --- runs --- */

/* The run with a key, NULL: there is none. */
static struct run *with_key(const struct session *s, u64 key)
{
	struct runs *r = s->runs;

	for (u32 i = r ? r->n : 0; i-- > 0;)
		if (r->run[i].key == key)
			return &r->run[i];
	return NULL;
}

/* Of a number, NULL: none. */
static struct run *numbered(const struct session *s, u32 number)
{
	struct runs *r = s->runs;

	for (u32 i = r ? r->n : 0; i-- > 0;)
		if (r->run[i].number == number)
			return &r->run[i];
	return NULL;
}

/* One more, the oldest goes if there are too many. Its number. */
static u32 put(struct session *s, const struct run *x)
{
	struct runs *r = runs_of(s);

	if (r->n == MOST)
		memmove(r->run, r->run + 1, --r->n * sizeof(*r->run));
	r->run = array_grow(r->run, r->n, sizeof(*r->run));
	r->run[r->n] = *x;
	r->run[r->n].number = ++r->made;
	return r->run[r->n++].number;
}

/* A machine of the session's scene, as the session's was made. */
static struct run run_of(struct session *s, const struct run_setup *x)
{
	struct run run = {.setup = *x, .version = version_keep(s), .revision = s->made_of};

	run.launches = s->program.nlaunch;
	run.key = key_of(x, run.version, run.revision);
	return run;
}

u32 runs_note(struct session *s, enum stop_kind why)
{
	struct run_setup x;
	struct run run;
	const struct run *same;

	if (s->rehearses || !s->program.nlaunch)
		return 0;
	runs_setup_machine(s, &x);
	run = run_of(s, &x);
	run.changes = timeline_changes(s->timeline);
	if (run.changes)
		run.key = mix64(mix64(run.key ^ s->generation) ^ timeline_version(s->timeline));
	same = with_key(s, run.key);
	if (same)
		return same->number;
	sim_sync(&s->sim);
	run.end = (struct run_result){
		.cycles = session_now(s).cycle, .issued = sim_sm_stat(&s->sim, STAT_INST_WARP), .ended = why};
	return put(s, &run);
}

void runs_judged(struct session *s, u32 number, const struct judged *j)
{
	struct run *x = numbered(s, number);

	if (x)
		x->end.judged = *j;
}

void runs_bounded(struct session *s, u32 number, const char *limit)
{
	struct run *x = numbered(s, number);

	if (x)
		snprintf(x->limit, sizeof(x->limit), "%s", limit);
}

void runs_setup_machine(const struct session *s, struct run_setup *out)
{
	*out = (struct run_setup){.config = *sim_config(&s->sim), .gpu = s->made};
	sim_get_policy(&s->sim, &out->policy);
}

void runs_setup_now(const struct session *s, struct run_setup *out)
{
	*out = (struct run_setup){.config = s->config, .policy = s->policy, .gpu = s->gpu};
}

void runs_add(struct session *s, const struct run_setup *x, const struct run_result *end)
{
	struct run run = run_of(s, x);

	run.end = *end;
	if (!with_key(s, run.key))
		put(s, &run);
}

const struct run *runs_known(const struct session *s, const struct run_setup *x)
{
	u32 version = version_now(s);

	return version == NONE32 ? NULL : with_key(s, key_of(x, version, s->made_of));
}

const struct run *runs_present(const struct session *s)
{
	struct run_setup x;

	runs_setup_now(s, &x);
	return runs_known(s, &x);
}

const struct run *runs_find(const struct session *s, const char *number, struct error *e)
{
	const struct runs *r = s->runs;
	char *end;
	unsigned long n = strtoul(number, &end, 10);
	const struct run *x = *number >= '0' && *number <= '9' && !*end && n < NONE32 ? numbered(s, (u32)n) : NULL;

	if (!r || !r->n)
		error_set(e, STATUS_FAILED, "no run has come to its end yet (`run`)");
	else if (!x)
		error_set(e, STATUS_FAILED, "no run '%s' (%u to %u: `history runs` lists them)", safe_text(number),
			  r->run[0].number, r->made);
	return x;
}

void runs_free(struct session *s)
{
	struct runs *r = s->runs;

	for (u32 i = 0; r && i < r->nversion; i++) {
		version_drop(&r->version[i]);
		free(r->version[i].file);
	}
	if (r) {
		free(r->version);
		free(r->run);
	}
	free(r);
	s->runs = NULL;
}

/* --- in words --- */

void runs_version_text(const struct session *s, const struct run *x, struct text *out)
{
	const struct run_version *all = s->runs->version, *v = &all[x->version];
	u32 number = 1;

	text_add(out, "%s", safe_text(v->file));
	if (!v->hash)
		return;
	/* the first of the same text, and how many others came before that */
	for (u32 i = 0; i < x->version && all[i].hash != v->hash; i++) {
		bool first = !strcmp(all[i].file, v->file) && all[i].hash;

		for (u32 k = 0; k < i && first; k++)
			first = all[k].hash != all[i].hash;
		number += first;
	}
	text_add(out, " v%u", number);
}

void runs_text(const struct session *s, const struct run *x, struct text *out)
{
	text_add(out, "run %u (", x->number);
	runs_version_text(s, x, out);
	text_add(out, ")");
}

/* Schemes of a hook that has others than before. */
static void add_policies(const struct policy_choice *before, const struct policy_choice *now, struct text *out)
{
	for (u32 i = 0; i < POLICY_SLOTS; i++) {
		struct text names = {0};

		if (policy_in(before, i) == policy_in(now, i))
			continue;
		for (u64 left = policy_in(now, i); left; left &= left - 1)
			text_list(&names, ",", scheme_table[__builtin_ctzll(left)]->name);
		text_add(out, "%s%s=%s", out->len ? ", " : "", slot_table[i].name, names.s ? names.s : "default");
		text_free(&names);
	}
}

/* Settings that have other values than before; some of them by name. */
static void add_settings(const struct config *before, const struct config *now, struct text *out)
{
	u32 n = 0;

	for (u32 i = 0; i < SETTING_COUNT; i++) {
		u32 value = config_get(now, (enum setting_id)i);
		char word[32];

		if (is_aside(i) || value == config_get(before, (enum setting_id)i) || n++ >= NAMED)
			continue;
		text_add(out, "%s%s %s", out->len ? ", " : "", setting_table[i].name,
			 setting_text((enum setting_id)i, value, word));
	}
	if (n > NAMED)
		text_add(out, " and %u more", n - NAMED);
}

void runs_changes_text(const struct session *s, const struct run *x, struct text *out)
{
	const struct run *b = x > s->runs->run ? x - 1 : NULL;
	const struct run_version *v = s->runs->version;

	INVARIANT(x);
	if (b && b->version != x->version && v[b->version].hash == v[x->version].hash)
		text_add(out, "files read again");
	else if (b && b->version == x->version && b->revision != x->revision)
		text_add(out, "launches or buffers");
	if (b && strcmp(b->setup.gpu.name, x->setup.gpu.name) != 0)
		text_add(out, "%sgpu %s", out->len ? ", " : "", safe_text(x->setup.gpu.name));
	else if (b)
		add_settings(&b->setup.config, &x->setup.config, out);
	if (b)
		add_policies(&b->setup.policy, &x->setup.policy, out);
	if (x->changes)
		text_add(out, "%s%u change%s during the run", out->len ? ", " : "", x->changes, plural(x->changes));
}

/* --- the machine again --- */

/* The setting by which kernels of the scene are not as a configuration wants them, NULL: they are. */
static const char *made_otherwise(const struct scene *t, const struct config *c)
{
	const char *by = NULL;

	for (u32 i = 0; i < t->nmodule; i++)
		for (u32 k = 0; k < t->module[i]->nkernel && !by; k++)
			by = kernel_otherwise(&t->module[i]->kernel[k], c);
	return by;
}

enum status runs_makeable(const struct session *s, const struct run *x, struct error *e)
{
	const struct scene *t = s->runs->version[x->version].scene;

	if (!t)
		return error_set(e, STATUS_FAILED,
				 "run %u: its files are no longer kept (the last %u versions are, in a quarter of "
				 "memory.limit)",
				 x->number, VERSIONS);
	if (x->changes)
		return error_set(e, STATUS_FAILED,
				 "run %u was changed on its way: no machine is like it from the start", x->number);
	if (x->revision != t->revision)
		return error_set(e, STATUS_FAILED, "run %u: other launches or buffers have been declared since",
				 x->number);
	return STATUS_OK;
}

/* The kernels of a run's scene may become as they were for it, unless a machine needs them as they are. */
static enum status order_free(struct session *s, const struct run *x, struct error *e)
{
	const struct scene *t = s->runs->version[x->version].scene;
	const char *otherwise = made_otherwise(t, &x->setup.config);

	if (otherwise && s->compare && s->compare->change.other && s->compare->change.other->scene == t)
		compare_close(s);
	if (otherwise && t->holders)
		return error_set(e, STATUS_FAILED,
				 "run %u: %s changes the kernels of both machines (`set %s`, `restart` and `run` for "
				 "each)",
				 x->number, otherwise, otherwise);
	return STATUS_OK;
}

/* The definitions and checks of the session. */
static enum status take_words(const struct session *s, struct session *o, struct error *e)
{
	enum status st = STATUS_OK;

	for (u32 i = 0; i < s->nscript && !st; i++) {
		const struct script_line *line = &s->script[i];
		size_t n = strcspn(line->text, " \n");
		char *verb = xstrndup(line->text, n);
		struct error none;
		const struct command *c = command_find(verb, &none);

		free(verb);
		if (c == command_table[COMMAND_ID_finally] || c == command_table[COMMAND_ID_define] ||
		    c == command_table[COMMAND_ID_alias])
			st = o->above->run_lines(o, line->text, line->from, NULL, 0, e);
	}
	return st;
}

enum status runs_session(struct session *s, const struct run *x, struct session **out, struct error *e)
{
	const struct run_version *v = &s->runs->version[x->version];
	enum status st = runs_makeable(s, x, e);
	struct session *o;

	*out = NULL;
	st = st ? st : order_free(s, x, e);
	if (st)
		return st;
	o = xcalloc(1, sizeof(*o));
	st = other_begin(s, o, e);
	if (!st)
		st = take_words(s, o, e);
	scene_drop(o->scene);
	o->scene = scene_hold(v->scene);
	sources_take(o, v->sources ? v->sources : s->sources);
	o->config = x->setup.config;
	o->policy = x->setup.policy;
	o->preset = s->preset;
	o->gpu = x->setup.gpu;
	if (!st)
		st = session_restart(o, e);
	if (st)
		other_free(o);
	else
		*out = o;
	return st;
}
