/* cmd_synthetic.c - synthetic: a kernel from a few numbers. */
#include "complete.h"
#include "scene.h"
#include "words.h"

#include "synth.h"

static bool cmd_synthetic_is_key(const char *word)
{
	for (u32 i = 0; i < synth_table_rows; i++)
		if (!strcmp(synth_table[i].name, word))
			return true;
	return !strcmp(word, "mix");
}

/* `mix CLASS WEIGHT ...` from word *i on. */
static enum status cmd_synthetic_read_mix(struct synth *s, const struct token *t, u32 n, u32 *i, struct error *e)
{
	enum status st = STATUS_OK;

	for (++*i; *i < n && !cmd_synthetic_is_key(t[*i].s) && !st; *i += 2) {
		if (*i + 1 == n)
			return usage_at(e, t[*i].column, "missing weight after '%s' (usage: `mix CLASS WEIGHT ...`)",
					token_shown(t[*i].s));
		st = synth_mix_set(s, t[*i].s, t[*i + 1].s, e);
		if (st)
			e->column = t[*i].column;
	}
	return st;
}

/* Keys and values of n words. */
static enum status cmd_synthetic_read_keys(struct synth *s, const struct token *t, u32 n, struct error *e)
{
	const char *names[32], *near;
	enum status st = STATUS_OK;

	for (u32 k = 0; k < synth_table_rows; k++)
		names[k] = synth_table[k].name;
	for (u32 i = 0; i < n && !st;) {
		u32 k = 0;

		if (!strcmp(t[i].s, "mix")) {
			st = cmd_synthetic_read_mix(s, t, n, &i, e);
			continue;
		}
		while (k < synth_table_rows && strcmp(names[k], t[i].s))
			k++;
		if (k == synth_table_rows) {
			near = nearest_name(t[i].s, names, synth_table_rows);
			return usage_at(
				e, t[i].column,
				"'%s' is not a key of a synthetic kernel (%s%s%s`help synthetic` lists the keys)",
				token_shown(t[i].s), near ? "did you mean '" : "", near ? near : "", near ? "'? " : "");
		}
		if (i + 1 == n)
			return usage_at(e, t[i].column, "missing value after '%s'", t[i].s);
		st = synth_key_set(s, &synth_table[k], t[i + 1].s, e);
		if (st)
			e->column = t[i + 1].column;
		i += 2;
	}
	return st;
}

/* The keys of a block's lines. */
static enum status cmd_synthetic_read_block(struct synth *s, const struct args *a, struct error *e)
{
	enum status st = STATUS_OK;

	for (u32 i = 0; i < a->nblock && !st; i++) {
		struct words w;

		st = words_parse(&w, a->block[i], strlen(a->block[i]), e);
		if (!st)
			st = cmd_synthetic_read_keys(s, w.token, w.n, e);
		if (st && a->file)
			e->line = a->block_line + i;
		words_free(&w);
	}
	return st;
}

/* Does the mix touch global memory? */
static bool cmd_synthetic_uses_memory(const struct synth *s)
{
	return s->mix[CLASS_LOAD] || s->mix[CLASS_STORE] || s->mix[CLASS_ATOMIC];
}

static enum status cmd_synthetic_run(struct session *s, const struct args *a, struct error *e)
{
	const char *name = a->arg[0].text;
	struct scene *scene = s->scene, before = *scene;
	struct synth synth;
	struct module *m;
	enum status st;
	char *memory;

	synth_default(&synth);
	st = a->block ? cmd_synthetic_read_block(&synth, a, e)
		      : cmd_synthetic_read_keys(&synth, a->token + a->rest, a->ntokens - a->rest, e);
	if (st)
		return st;
	if (cmd_synthetic_uses_memory(&synth)) {
		memory = xasprintf("%s_memory", name);
		st = scene_add_buffer(s, memory, VALUE_U8, synth.footprint, NULL, e);
		synth.base = st ? 0 : scene_buffer(s, memory)->address;
		free(memory);
	}
	if (!st)
		st = synth_make(name, &synth, &m, e);
	if (!st)
		st = scene_add_module(s, m, e);
	if (st) {
		scene_truncate(s, &(struct scene){.nmodule = before.nmodule,
						  .nbuffer = before.nbuffer,
						  .nlaunch = before.nlaunch,
						  .nsymbol = before.nsymbol,
						  .next_address = before.next_address,
						  .bytes = before.bytes});
		return st;
	}
	if (s->stale)
		session_print(s, "takes effect at restart\n");
	return STATUS_OK;
}

const struct command command_synthetic = {
	.name = "synthetic",
	.group = "setup",
	.summary = "create a synthetic kernel from a few numbers",
	.details =
		"Keys and values follow on the line, or on lines of their own up to `end`. The kernel takes no arguments and\n"
		"has no values: active lanes and addresses are functions of kernel, CTA, warp, instruction and iteration. With the key\n"
		"`time` its warps do not run a loop body but wait, in steps. The keys are:",
	.examples =
		"synthetic hot iterations 100 body 20 mix fp32 60 int 20 load 20 distance 4\nlaunch hot grid 8 block 256\n"
		"synthetic slow time 170520 steps 100 stagger on context 24576 idempotent 90\nlaunch slow grid 900 block 32",
	.flags = COMMAND_SETUP | COMMAND_BLOCK_IF_BARE,
	.run = cmd_synthetic_run,
	.arg = {{"NAME", ARG_WORD, .doc = "name of the kernel"},
		{"KEY VALUE ...", ARG_REST, .doc = "description of the kernel", .complete = complete_synthetic,
		 .optional = true}},
};
