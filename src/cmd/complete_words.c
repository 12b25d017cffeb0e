/*
 * complete_words.c - the words that arguments can be completed with: one function fills the list of each kind.
 *
 * A list is made anew when readline asks for its first word. Many arguments are little languages: what comes next
 * follows from the words before.
 */
#include "complete.h"

#include "compare.h"
#include "complete_paths.h"
#include "explain.h"
#include "export.h"
#include "lang.h"
#include "lesson.h"
#include "paths.h"
#include "positions.h"
#include "runs.h"
#include "arguments.h"
#include "scene.h"
#include "settings.h"
#include "stats.h"
#include "sweep.h"
#include "tui.h"

#include "info.h"
#include "pane.h"
#include "schemes.h"
#include "synth.h"

struct offer {
	char *word;
	const char *doc;
};
static struct {
	struct offer *offer;
	u32 n, room;
	const char *partial; /* the word as it is typed, while its list is made */
} list;

/* A word, once: the first that says what it is. */
static void put(const char *word, const char *doc)
{
	for (u32 i = 0; i < list.n; i++)
		if (!strcmp(list.offer[i].word, word))
			return;
	if (list.n == list.room) {
		list.room = list.room * 2 + 64;
		list.offer = xrealloc(list.offer, list.room * sizeof(*list.offer));
	}
	list.offer[list.n++] = (struct offer){xstrdup(word), doc};
}

void complete_forget(void)
{
	while (list.n)
		free(list.offer[--list.n].word);
}

const char *complete_word_doc(const char *word)
{
	for (u32 i = 0; i < list.n; i++)
		if (!strcmp(list.offer[i].word, word))
			return list.offer[i].doc;
	return NULL;
}

/* Words apart by blanks. */
static void put_words(const char *words)
{
	char word[64];

	while (word_take(&words, word, sizeof(word)))
		put(word, NULL);
}

/* The words of a command's table. */
static void put_rows(const char *(*word)(u32 i))
{
	for (u32 i = 0; word(i); i++)
		put(word(i), NULL);
}

/* Whether the word `back` words before is this one. */
static bool before_is(u32 back, const char *word)
{
	const char *b = complete_before(back);

	return b && !strcmp(b, word);
}

/* Whether it stands anywhere before. */
static bool stands_before(const char *word)
{
	for (u32 i = 1; complete_before(i); i++)
		if (before_is(i, word))
			return true;
	return false;
}

/* The word at a place of the line, the verb is 0; NULL: there is none. */
static const char *word_at(u32 place)
{
	u32 n = 0;

	while (complete_before(n + 1))
		n++;
	return place < n ? complete_before(n - place) : NULL;
}

/* Every topic of a kind. */
static void put_topics(const char *plural)
{
	const struct topic_kind *k = explain_kind(plural);
	struct topic t = {0};

	for (u32 i = 0; k && k->each(i, &t); i++)
		put(t.name, t.doc);
}

static void put_kernels(struct session *s)
{
	const struct scene *c = s->scene;

	for (u32 i = 0; i < c->nmodule; i++)
		for (u32 k = 0; k < c->module[i]->nkernel; k++)
			put(c->module[i]->kernel[k].name, "kernel");
}

/* Names of launched kernels. */
static void put_launches(struct session *s)
{
	for (u32 i = 0; i < s->scene->nlaunch; i++)
		put(s->scene->launch[i].launch.name, "launched kernel");
}

/* Labels of launched kernels, without the $ at which readline begins a word. */
static void put_places(struct session *s)
{
	const struct scene *c = s->scene;

	put_kernels(s);
	for (u32 i = 0; i < c->nlaunch; i++) {
		const struct kernel *k = c->launch[i].launch.kernel;

		for (u32 pc = 0; k && k->labels && pc < k->ninst; pc++)
			if (k->labels[pc])
				put(k->labels[pc] + (k->labels[pc][0] == '$'), "label");
	}
}

static void put_arrays(struct session *s)
{
	const struct scene *c = s->scene;

	for (u32 i = 0; i < c->nbuffer; i++)
		put(c->buffer[i].name, "buffer");
}

/* What an expression may name. */
static void put_names(struct session *s)
{
	put_words("cycle sm sub warp cta kernel pc");
	put_arrays(s);
	put_topics("statistics");
	put_topics("settings");
	complete_path(list.partial, put);
}

/* --- stops --- */

/* What follows the name of a kind of stop, or an event. */
static void put_after_kind(const char *kind)
{
	bool event = !strcmp(kind, "event");
	int row = event_find(event && word_at(2) ? word_at(2) : kind, NULL);

	for (u32 i = 0; i < BREAK_KIND_COUNT; i++)
		if (!strcmp(kind, break_kind_table[i]->name) && break_kind_table[i]->words)
			put_words(break_kind_table[i]->words);
	if (row >= 0)
		put_words(event_table[row].a), put_words(event_table[row].b);
	put_words("as if");
}

/* Names that a condition knows besides those of every expression: the event's two numbers. */
static void put_condition(struct session *s)
{
	const char *kind = word_at(1) && !strcmp(word_at(1), "event") ? word_at(2) : word_at(1);
	int row = kind ? event_find(kind, NULL) : -1;

	if (row >= 0)
		put_words(event_table[row].a), put_words(event_table[row].b);
	put_names(s);
}

static void fill_stop(struct session *s)
{
	if (stands_before("if")) {
		put_condition(s);
	} else if (!word_at(1)) {
		put_topics("breakpoints");
		put_topics("events");
		put_places(s);
	} else if (before_is(1, "stall") || before_is(1, "->")) {
		put_topics("states");
	} else if (before_is(1, "lost")) {
		put_topics("outcomes");
	} else if (before_is(1, "event")) {
		put_topics("events");
	} else if (before_is(1, "pc")) {
		put_places(s);
	} else if (!before_is(1, "for") && !before_is(1, "as") && !before_is(1, "bank") && !before_is(1, "depth") &&
		   !before_is(1, "cycle")) {
		put_after_kind(word_at(1));
	}
}

static void fill_watch(struct session *s)
{
	if (!word_at(1)) {
		put("change", "when the value changes");
		put("rise", "when the value grows");
		put("fall", "when the value falls");
		put("above", "when the value rises above V");
		put("below", "when the value falls below V");
	}
	if (!before_is(1, "above") && !before_is(1, "below"))
		put_names(s);
}

static void fill_number(struct session *s)
{
	char number[16];

	for (u32 i = 0; i < s->breaks->n; i++) {
		const struct breakpoint *b = s->breaks->list[i];

		snprintf(number, sizeof(number), "%u", b->number);
		put(number, b->kind->name);
		if (b->name)
			put(b->name, b->kind->name);
	}
}

/* --- looking --- */

static void fill_goto(struct session *s)
{
	if (before_is(1, "kernel"))
		put_launches(s);
	if (before_is(1, "stop"))
		fill_number(s);
}

static void fill_why(struct session *s)
{
	if (before_is(1, "kernel"))
		put_launches(s);
	else
		put_words("warp cta kernel sm slot at");
}

static void fill_data(struct session *s)
{
	if (before_is(1, "as")) {
		for (u32 i = 0; i < VALUE_BYTES; i++)
			put(value_type_name[i], "type");
		put_words("hex next previous");
	} else if (!word_at(1)) {
		put("shared", "of the focused warp's CTA");
		put("local", "of the focused warp, lane code.lane");
		put("follow", "go to the address under the cursor");
		put("back", "to the previous location");
		put_words("as +row -row +page -page");
		put_names(s);
	} else {
		put_words("as");
	}
}
/* The registers and predicates of the focused warp. */
static void put_registers(struct session *s)
{
	u32 n[2] = {0, 0};
	char name[16];

	if (!focus_exists(s))
		return;
	sim_warp_regs(&s->sim, s->focus.sm, s->focus.warp, &n[0]);
	sim_warp_preds(&s->sim, s->focus.sm, s->focus.warp, &n[1]);
	for (u32 k = 0; k < 2; k++)
		for (u32 i = 0; i < n[k]; i++) {
			snprintf(name, sizeof(name), "%c%u", "rp"[k], i);
			put(name, k ? "predicate" : "register");
		}
}

static void fill_subject(struct session *s)
{
	const char *subject = word_at(1);

	for (u32 i = 0; i < INFO_COUNT && subject; i++)
		if (!strcmp(info_table[i]->name, subject) && info_table[i]->usage &&
		    strstr(info_table[i]->usage, "all"))
			put("all", "of every SM");
	if (before_is(1, "kernel"))
		put_kernels(s);
	if (subject && !strcmp(subject, "registers"))
		put_registers(s);
	if (before_is(1, "events"))
		put_topics("events");
	if (before_is(1, "settings"))
		put_topics("settings");
}

static void fill_focus(struct session *s)
{
	if (before_is(1, "kernel"))
		put_launches(s);
	for (u32 i = 0; focus_word(i); i++)
		if (before_is(1, focus_word(i)))
			return;
	put_rows(focus_word);
}

static void fill_place(struct session *s)
{
	if (!word_at(1))
		put("pc", "instruction number");
	put_places(s);
}
static void fill_critical(struct session *s)
{
	put("kernel", "one kernel, by number or name");
	put("all", "all parts of the path");
	put_launches(s);
}

static void put_instructions(void)
{
	put("warp", "the instruction of a warp that issues now, or next");
	put("load", "the oldest load in flight of the focused warp");
	put("line", "the oldest load that waits for the cache line of an address");
	put("sm", "another SM than the focused one");
	put("at", "as of another cycle, past or ahead");
}
static void fill_follow(void)
{
	put_instructions();
	put("off", "follow nothing");
}
static void fill_effects(void)
{
	put_instructions();
	put("for", "how many cycles to look at");
	put("check", "take the answer away in a copy, too");
}

static void fill_limits(struct session *s)
{
	put("kernel", "one kernel, by number or name");
	put("window", "the instructions of a window of cycles");
	put("sub-cores", "the cost of partitioning an SM");
	put("policies", "each policy on its own");
	put_launches(s);
}

static void fill_pace(void)
{
	if (!word_at(1))
		put("back", "backwards");
	if (before_is(1, "for") || before_is(1, "by"))
		return;
	put("by", "cycles per frame");
	if (word_at(1))
		put("for", "number of cycles");
}

static void fill_anything(void)
{
	for (u32 k = 0; k < topic_kinds; k++) {
		put(topic_table[k].plural, "a list");
		put_topics(topic_table[k].plural);
	}
}

static void fill_definition(struct session *s)
{
	const struct lang *l = s->lang;

	for (u32 i = 0; i < l->ndefinition; i++)
		put(l->definition[i].name, "defined here");
}

static void fill_topic(struct session *s)
{
	const char *name, *doc;

	for (u32 i = 0; i < COMMAND_COUNT; i++)
		put(command_table[i]->name, command_table[i]->summary);
	for (u32 i = 0; (name = help_topic(i, &doc)); i++)
		put(name, doc);
	fill_definition(s);
}

/* --- setting the stage --- */

static void fill_value(struct session *s)
{
	int id = complete_before(1) ? setting_find(complete_before(1), NULL) : -1;
	const struct setting *x = &setting_table[id < 0 ? 0 : id];
	char text[32];

	if (id < 0)
		return;
	for (u32 v = x->min; x->kind != KIND_NUMBER && x->kind != KIND_TABLE && v <= x->max; v++)
		put(setting_text((enum setting_id)id, v, text), v == x->def ? "the default" : NULL);
	if (x->kind != KIND_NUMBER)
		return;
	put(setting_text((enum setting_id)id, setting_now(s, (enum setting_id)id), text), "current value");
	if (setting_now(s, (enum setting_id)id) != x->def)
		put(setting_text((enum setting_id)id, x->def, text), "the default");
}

/* The presets, with something before each. */
static void put_presets(const char *before)
{
	struct text names = {0};
	const char *at;
	char name[64], word[80];

	preset_names(&names, " ");
	at = names.s ? names.s : "";
	while (word_take(&at, name, sizeof(name))) {
		snprintf(word, sizeof(word), "%s%s", before, name);
		put(word, "preset");
	}
	text_free(&names);
}

static void fill_preset(void)
{
	put_presets("");
}

/* Does the word before the = name a slot, or the slots of a group? */
static bool before_names(u32 slot)
{
	const char *before = complete_before(1), *name = slot_table[slot].name;
	size_t length = strcspn(before, "=");

	return !strncmp(name, before, length) && (!name[length] || name[length] == '.');
}

/* Schemes of the slot that the word before the = names; without one the slots, and schemes as a whole. */
static void fill_policy(void)
{
	const char *before = complete_before(1);
	bool one = before && *before && before[strlen(before) - 1] == '=';
	char word[64];

	for (u32 i = 0; i < SCHEME_COUNT; i++) {
		bool fits = !one && !shorthand_find(scheme_table[i]->name);

		for (u32 slot = 0; slot < POLICY_SLOTS; slot++)
			fits |= one && before_names(slot) && scheme_fills(scheme_table[i], slot);
		if (fits)
			put(scheme_table[i]->name, scheme_table[i]->doc);
	}
	for (u32 i = 0; i < shorthand_table_rows && !one; i++)
		put(shorthand_table[i].name, shorthand_table[i].doc);
	for (u32 slot = 0; slot < POLICY_SLOTS && !one; slot++) {
		snprintf(word, sizeof(word), "%s=", slot_table[slot].name);
		put(word, slot_table[slot].doc);
	}
}

static void fill_statistic(void)
{
	if (before_is(1, "stats"))
		put_words("all lines instructions");
	for (u32 i = 0; i < stat_table_rows; i++)
		put(stat_table[i].name, NULL);
}

/* What `floor` takes: what colors SMs, or a movement. */
static void fill_floor(void)
{
	if (before_is(1, "color")) {
		put_words("kernel occupancy ipc stall");
		fill_statistic();
	} else if (before_is(1, "range")) {
		put_words("auto");
	} else {
		put_words("color range +row -row");
	}
}

/* What `sweep` may vary. */
static void fill_swept(void)
{
	for (u32 i = 0; i < sweep_kind_rows; i++)
		put(sweep_kind_table[i].name, sweep_kind_table[i].doc);
	for (u32 i = 0; i < SETTING_COUNT; i++)
		if (!(setting_table[i].flags & (FLAG_HOST | FLAG_VIEW)))
			put(setting_table[i].name, setting_table[i].doc);
}

/* Words of `compare`, settings, slots and schemes; behind -- the moves. */
static void fill_compare(const struct session *s)
{
	char word[96];

	if (before_is(1, "from")) {
		put_words("start");
	} else if (before_is(1, "stats")) {
		fill_statistic();
	} else if (before_is(1, "lines")) {
		put_words("all");
	} else if (before_is(1, "--")) {
		put_words("step run until");
	} else if (before_is(1, "run")) {
		for (u32 i = 0; s->runs && i < s->runs->n; i++) {
			snprintf(word, sizeof(word), "%u", s->runs->run[i].number);
			put(word, NULL);
		}
	} else {
		put_words("run swap end why lines stats from -- module= scenario=");
		put_presets("gpu=");
		for (u32 i = 0; i < SETTING_COUNT; i++) {
			snprintf(word, sizeof(word), "%s=", setting_table[i].name);
			put(word, NULL);
		}
		fill_policy();
	}
}

static void fill_history(void)
{
	put_words(before_is(1, "runs") ? "limits" : "runs");
}

static void fill_launch(struct session *s)
{
	put_rows(launch_word);
	put_words("max reset");
	if (stands_before("args") || before_is(1, "while") || before_is(1, "reset"))
		put_arrays(s);
}

static void fill_fill(void)
{
	if (!word_at(3))
		put_rows(fill_word);
	else if (!strcmp(word_at(3), "random"))
		put("integer", "integers");
}

static void fill_check(struct session *s)
{
	if (!word_at(2))
		put_words("file formula");
	else if (stands_before("formula"))
		put_arrays(s), put_words("i");
	if (word_at(3))
		put_words("tolerance");
}

static void fill_synthetic(void)
{
	for (u32 i = 0; i < synth_table_rows; i++)
		put(synth_table[i].name, synth_table[i].doc);
	put("mix", "classes and their weights");
	if (stands_before("mix"))
		put_topics("classes");
}

static void fill_checkpoint(struct session *s)
{
	for (u32 i = 0; i < s->ncheckpoint; i++)
		put(s->checkpoint[i].name, NULL);
	if (s->compare && s->compare->parting.found)
		put("difference", "first difference between A and B of `compare`");
}

static void fill_command(void)
{
	if (!stands_before("--"))
		put("--", "then a command");
	else if (before_is(1, "--"))
		for (u32 i = 0; i < COMMAND_COUNT; i++)
			put(command_table[i]->name, command_table[i]->summary);
}

/* Headings of the pane before it, upwards and downwards. */
static void fill_column(struct session *s)
{
	const char *pane = complete_before(1);
	char down[64] = "-";

	for (u32 id = 0; pane && id < PANE_COUNT; id++)
		for (u32 i = 0; !strcmp(pane, pane_table[id]->name) &&
				pane_column(s, (enum pane_id)id, i, down + 1, sizeof(down) - 1);
		     i++) {
			put(down + 1, "upwards");
			put(down, "downwards");
		}
}

static void fill_info(void)
{
	for (u32 i = 0; i < INFO_COUNT; i++)
		put(info_table[i]->name, NULL);
}

static void put_panes(void)
{
	for (u32 i = 0; i < PANE_COUNT; i++)
		put(pane_table[i]->name, NULL);
}

static void fill_layout(struct session *s)
{
	const char *name, *text, *doc;
	bool now;

	for (u32 i = 0; layout_row(s, i, &name, &text, &doc, &now); i++)
		put(name, NULL);
}

static void fill_format(void)
{
	for (u32 i = 0; i < EXPORT_COUNT; i++)
		put(export_table[i].name, NULL);
}

static void fill_who(struct session *s)
{
	if (word_at(1))
		put_names(s);
	else
		put_words("read wrote");
}

/* Letters of the open question's choices or given versions; files for a lab. */
static void fill_answer(const struct session *s)
{
	const struct lesson_item *open = lesson_open(s);
	u32 ask = open ? (u32)(open - s->lesson->item) : 0, letters = 0;
	char letter[2] = "";

	for (u32 i = ask + 1; open && i < lesson_ask_end(s->lesson, ask); i++)
		if (s->lesson->item[i].kind == LESSON_CHOICE || s->lesson->item[i].kind == LESSON_VERSION) {
			letter[0] = (char)('a' + letters++);
			put(letter, s->lesson->item[i].text);
		}
	if (open && open->ask == ASK_KERNEL)
		complete_kernel_files(list.partial, put);
}

/* The functions for the rows of commands: the list is made with its first word. */
#define COMPLETER(id, fill) \
	const char *complete_##id(struct session *s UNUSED, const char *partial, u32 index) \
	{ \
		if (!index) { \
			complete_forget(); \
			list.partial = partial; \
			fill; \
		} \
		return index < list.n ? list.offer[index].word : NULL; \
	}
#include "completers.def"
#undef COMPLETER
