/* explain_topics.c - the kinds of things with names: the tables of the program, walked alike. */
#include "events.h"
#include "explain.h"
#include "command.h"
#include "mechanisms.h"
#include "pane.h"
#include "policy.h"
#include "stats.h"

/* Where statistics come from, by enum stat_source. */
static const char *const stat_origin[] = {[FROM_CYCLE] = "SM clock of the simulated GPU",
					  [FROM_CONFIG] = "hash of the configuration",
					  [FROM_SM] = "counted per SM, summed over SMs",
					  [FROM_L2] = "counted per L2 slice, summed over L2 slices",
					  [FROM_DRAM] = "counted per DRAM channel, summed over channels",
					  [FROM_FORMULA] = "computed from other statistics",
					  [FROM_OUTCOME] = "counted per SM for each issue slot, summed over SMs",
					  [FROM_OUTCOMES] = "sum of slots.*",
					  [FROM_STATUS] = "counted per SM for each resident warp, summed over SMs",
					  [FROM_SUBCORE] = "counted per sub-core, summed over SMs",
					  [FROM_SUBCORE_COV] = "computed from the instructions of each sub-core",
					  [FROM_KERNEL] = "counted per launch",
					  [FROM_OWN] = "kept by a policy per SM, summed over SMs",
					  [FROM_LAUNCH] = "kept per launch, summed over launches",
					  [FROM_EVENT] = "counted at each event",
					  [FROM_HOST] = "host clock (part of no hash)"};

/* The unit of a statistic; a word for those that have none. */
static const char *stat_unit(u32 i)
{
	if (stat_table[i].unit[0])
		return stat_table[i].unit;
	return stat_table[i].source == FROM_CONFIG	      ? "64 bits"
	       : !strcmp(stat_table[i].name, "kernel.N.name") ? "text"
							      : "none (a ratio)";
}

/* Words of the panes that are not statistics, and what they are computed from. */
static const struct {
	const char *name, *unit, *doc, *see;
} word_table[] = {
	{"slowdown", "",
	 "cycles that a kernel has taken, divided by the cycles that it takes alone for the same number of warp "
	 "instructions. 1 means that sharing the GPU costs nothing; less than 1 is possible with caches that another kernel "
	 "has filled",
	 "alone, show kernels, stats kernel.N.*"},
	{"ipc_alone", "warp instructions per cycle",
	 "warp instructions per cycle of a kernel in an isolated run on the same GPU, from its first issue to its last "
	 "retired CTA. The run starts at cycle 0 with cold caches, the current settings and policies, and memory as the "
	 "launches before the kernel leave it",
	 "alone, show kernels"},
	{"program_point", "",
	 "load of global or local memory, or branch, at which the distance to the next load changes (policy elf). The score "
	 "of a branch is the smaller distance over both paths; the score of a load results from merging (elf.points)",
	 "info elf, show code, explain elf.points"},
	{"to_load", "instructions",
	 "priority of a warp under policy elf: instructions to its next load in PC order, over the shorter path at branches "
	 "(at most 2^elf.bits - 1). `watch sm[0].elf.slot[N].priority` stops when the priority in warp slot N changes",
	 "show warps, why, explain elf"},
	{"cov", "",
	 "coefficient of variation of the instructions issued by the sub-cores of an SM: population standard deviation "
	 "divided by mean",
	 "show subcores, info subcores, explain subcore.cov"},
	{"score", "reads",
	 "number of reads queued at the register file banks of an instruction's operands; a warp scheduling policy such as "
	 "rba selects the warp with the lowest score",
	 "show banks, info banks, explain rba"}};

/* each_ID(): the i-th thing of a table of n rows. */
#define EACH(id, n, ...) \
	static bool each_##id(u32 i, struct topic *t) \
	{ \
		if (i >= (n)) \
			return false; \
		*t = (struct topic){.index = i, __VA_ARGS__}; \
		return true; \
	}
EACH(stat, stat_table_rows, .kind = "statistic", .name = stat_table[i].name, .doc = stat_table[i].doc,
     .unit = stat_unit(i), .source = stat_origin[stat_table[i].formula ? FROM_FORMULA : stat_table[i].source])
EACH(status, WARP_STATUS_COUNT, .kind = "warp state", .name = warp_status_table[i].name,
     .doc = warp_status_table[i].doc, .letter = warp_status_table[i].letter, .unit = "warp-cycles",
     .source = "warpstep: for each resident warp and cycle, the first state of `explain states` that applies")
EACH(outcome, SLOT_OUTCOME_COUNT, .kind = "outcome of an issue slot", .name = slot_outcome_table[i].name,
     .doc = slot_outcome_table[i].doc, .letter = slot_outcome_table[i].letter, .unit = "issue slots",
     .source = "Yoon et al., Virtual Thread, ISCA 2016, figure 4; barrier, held and idle added by warpstep")
EACH(setting, SETTING_COUNT, .kind = "setting", .name = setting_table[i].name, .doc = setting_table[i].doc,
     .unit = setting_table[i].unit)
EACH(event, EVENT_COUNT, .kind = "event", .name = event_table[i].name, .doc = event_table[i].doc, .unit = "events",
     .source = event_table[i].check ? "kernel checker, outside the simulated machine" : "simulated machine")
EACH(class, CLASS_COUNT, .kind = "instruction class", .name = class_table[i].name, .doc = class_table[i].doc)
EACH(stage, STAGE_COUNT, .kind = "stage of a cycle", .name = stage_table[i].name, .doc = stage_table[i].doc)
EACH(scheme, SCHEME_COUNT, .kind = "policy", .name = scheme_table[i]->name, .doc = scheme_table[i]->doc,
     .source = scheme_table[i]->paper)
EACH(shorthand, shorthand_table_rows, .kind = "policy shorthand", .name = shorthand_table[i].name,
     .doc = shorthand_table[i].doc, .source = shorthand_table[i].paper)
EACH(slot, POLICY_SLOTS, .kind = "policy hook", .name = slot_table[i].name, .doc = slot_table[i].doc)
EACH(stop, BREAK_KIND_COUNT, .kind = "breakpoint kind", .name = break_kind_table[i]->name,
     .doc = break_kind_table[i]->doc)
EACH(word, ARRAY_LEN(word_table), .kind = "pane term", .name = word_table[i].name, .doc = word_table[i].doc,
     .unit = word_table[i].unit)
EACH(command, COMMAND_COUNT, .kind = "command", .name = command_table[i]->name, .doc = command_table[i]->summary)
EACH(pane, PANE_COUNT, .kind = "pane", .name = pane_table[i]->name, .doc = pane_table[i]->summary)
EACH(mechanism, mechanism_count, .kind = "mechanism", .name = mechanism_table[i].name, .doc = mechanism_table[i].title)

/* Fields are named as in the focus: warp.age. */
static bool each_field(u32 i, struct topic *t)
{
	static char name[128], unit[64];

	for (u32 s = 0; s < SECTION_ALL; s++) {
		const struct section_row *row = section_of(s);
		const struct field *f = row ? &row->field[i < row->nfields ? i : 0] : NULL;

		if (!row)
			continue;
		if (i >= row->nfields) {
			i -= row->nfields;
			continue;
		}
		snprintf(name, sizeof(name), "%s%s.%s",
			 row->where == IN_SLICE && s != SECTION_SLICE	    ? "slice."
			 : row->where == IN_CHANNEL && s != SECTION_CHANNEL ? "channel."
									    : "",
			 row->path, f->name);
		unit[0] = '\0';
		if (f->count > 1)
			snprintf(unit, sizeof(unit), "%u numbers", f->count);
		*t = (struct topic){.kind = "field", .name = name, .doc = f->doc, .unit = unit, .index = s};
		return true;
	}
	return false;
}

/* An operand of a formula with its value. */
struct operands {
	struct session *s;
	json_t *object;
	struct text text;
};

/* One operand, in text and JSON. */
static void add_operand(void *self, const char *name, bool valid, struct value v)
{
	struct operands *o = self;

	text_add(&o->text, "%s%s = ", o->text.len ? ", " : "", name);
	if (valid)
		value_format(v, 0, &o->text);
	else
		text_add(&o->text, "<not available>");
	if (o->object)
		json_object_set_new(o->object, name, valid ? value_json(v) : json_null());
}

/* A formula and the present values of its operands. */
static void more_formula(struct session *s, const char *formula, json_t *entry)
{
	struct operands o = {.s = s};
	struct expr *x;

	explain_line(s, entry, "formula", formula);
	if (expr_compile_formula(s, formula, &x, NULL))
		return;
	o.object = entry ? json_object() : NULL;
	expr_operands(s, x, add_operand, &o);
	session_print(s, "  %-9s %s\n", "operands", o.text.s ? o.text.s : "none");
	json_object_set_new(entry, "operands", o.object);
	text_free(&o.text);
	expr_free(x);
}

/* The nearest warp state of Nsight Compute (smsp__pcsamp_warps_issue_stalled_NAME), and where to look. */
static const struct {
	const char *nsight, *see;
} status_more[WARP_STATUS_COUNT] = {
	[WARP_DONE] = {"drain while stores are in flight; otherwise none (the warp slot is empty)", "info ctas"},
	[WARP_PREEMPTING] = {"none", "info ctas"},
	[WARP_SWAPPED] = {"none", "info ctas"},
	[WARP_BARRIER] = {"barrier", "why warp N, break stall barrier for 100, break release"},
	[WARP_FENCE] = {"membar", "why warp N, show memory"},
	[WARP_FETCH] = {"no_instructions (after a jump: branch_resolving)", "why warp N, stats l1i.*"},
	[WARP_LONG] = {"long_scoreboard", "why warp N, show memory, break stall long for 200"},
	[WARP_SHORT] = {"short_scoreboard for shared memory and special functions; wait for arithmetic",
			"why warp N, explain lat.fp32"},
	[WARP_GANG] = {"none (misc)", "break rendezvous"},
	[WARP_HELD] = {"none", "info policy"},
	[WARP_LSU] = {"lg_throttle for global and local memory, mio_throttle for shared", "why warp N, show memory"},
	[WARP_UNIT] = {"math_pipe_throttle", "why warp N, show subcores"},
	[WARP_COLLECTOR] = {"dispatch_stall", "why warp N, show banks, break conflict"},
	[WARP_PAUSED] = {"not_selected", "info policy"},
	[WARP_ELIGIBLE] = {"not_selected", "why warp N, info policy"},
	[WARP_ISSUED] = {"selected", "show code, stats subcore.*"}};

/* The nearest metric for each outcome. */
static const struct {
	const char *nsight, *see;
} outcome_more[SLOT_OUTCOME_COUNT] = {
	[SLOT_ISSUED] = {"smsp__issue_active", "why slot S.N"},
	[SLOT_PIPELINE] = {"smsp__issue_inactive, warps mostly in dispatch_stall, math_pipe_, lg_ or mio_throttle",
			   "why slot S.N, break lost pipeline, stats slots.pipeline.*, explain collector"},
	[SLOT_SHORT] = {"smsp__issue_inactive, warps in short_scoreboard or wait", "why slot S.N, explain short"},
	[SLOT_FETCH] = {"smsp__issue_inactive, warps in no_instructions", "why slot S.N, explain fetch"},
	[SLOT_LONG] = {"smsp__issue_inactive, warps in long_scoreboard", "why slot S.N, explain long"},
	[SLOT_BARRIER] = {"smsp__issue_inactive, warps in barrier or membar", "why slot S.N, explain barrier"},
	[SLOT_HELD] = {"none", "why slot S.N, info policy"},
	[SLOT_IDLE] = {"smsp__issue_inactive, no active warp", "show ctas"}};

/* The name in another profiler, and commands that show more. */
static void more_names(struct session *s, json_t *entry, const char *nsight, const char *see)
{
	explain_line(s, entry, "nsight", nsight);
	explain_line(s, entry, "see", see);
}

/* The formula and the current value of a statistic. */
static void more_stat(struct session *s, const struct topic *t, json_t *entry)
{
	struct stat_handle h = {.row = (u16)t->index};
	struct text now = {0};
	struct value v;

	if (stat_table[t->index].formula)
		more_formula(s, stat_table[t->index].formula, entry);
	stats_sync(s);
	for (u32 i = 0; i < stat_count(s, h) && stat_read(s, h, i, &v); i++) {
		text_add(&now, "%s", i ? " " : "");
		value_format(v, 0, &now);
	}
	if (now.len)
		explain_line(s, entry, "now", now.s);
	if (stat_table[t->index].source == FROM_STATUS)
		more_names(s, entry, status_more[stat_table[t->index].index].nsight,
			   status_more[stat_table[t->index].index].see);
	if (stat_table[t->index].source == FROM_OUTCOME)
		more_names(s, entry, outcome_more[stat_table[t->index].index].nsight,
			   outcome_more[stat_table[t->index].index].see);
	if (stat_table[t->index].source != FROM_STATUS && stat_table[t->index].source != FROM_OUTCOME)
		explain_line(s, entry, "nsight", nsight_name("", t->name));
	text_free(&now);
}

/* The execution unit of a class. */
static void more_class(struct session *s, const struct topic *t, json_t *entry)
{
	explain_line(s, entry, "unit", unit_name[class_table[t->index].unit]);
}

/* The hooks of a policy, and the setting at which it equals the baseline. */
static void more_scheme(struct session *s, const struct topic *t, json_t *entry)
{
	const struct scheme *x = scheme_table[t->index];
	struct text fills = {0}, equals = {0};

	scheme_slots(x, &fills);
	scheme_equals(x, &equals);
	explain_line(s, entry, "hooks", fills.s);
	if (x->neutral)
		explain_line(s, entry, "neutral", x->neutral);
	if (equals.s)
		explain_line(s, entry, "equals", equals.s);
	if (x->brings)
		explain_line(s, entry, "sets if 0", x->brings);
	text_free(&fills);
	text_free(&equals);
}

/* The policy and the settings of a shorthand. */
static void more_shorthand(struct session *s, const struct topic *t, json_t *entry)
{
	const struct shorthand *x = &shorthand_table[t->index];

	explain_line(s, entry, "policy", scheme_table[x->scheme]->name);
	if (x->beside != NONE32)
		explain_line(s, entry, "beside", scheme_table[x->beside]->name);
	if (*x->settings)
		explain_line(s, entry, "sets", x->settings);
}

/* The default policy of a hook, and all that implement it. */
static void more_slot(struct session *s, const struct topic *t, json_t *entry)
{
	struct text names = {0};

	if (slot_table[t->index].base != NONE32)
		explain_line(s, entry, "default", scheme_table[slot_table[t->index].base]->name);
	for (u32 i = 0; i < SCHEME_COUNT; i++)
		if (scheme_fills(scheme_table[i], t->index))
			text_list(&names, " ", scheme_table[i]->name);
	if (names.len)
		explain_line(s, entry, "policies", names.s);
	text_free(&names);
}

static void more_status(struct session *s, const struct topic *t, json_t *entry)
{
	explain_count(s, "warps", t->name, entry);
	more_names(s, entry, status_more[t->index].nsight, status_more[t->index].see);
}

static void more_outcome(struct session *s, const struct topic *t, json_t *entry)
{
	explain_count(s, "slots", t->name, entry);
	more_names(s, entry, outcome_more[t->index].nsight, outcome_more[t->index].see);
}

/* The usage of a breakpoint kind. */
static void more_stop(struct session *s, const struct topic *t, json_t *entry)
{
	const char *usage = break_kind_table[t->index]->usage;
	char text[160];

	snprintf(text, sizeof(text), "%s%s", strncmp(usage, "watch", 5) ? "break " : "", usage);
	explain_line(s, entry, "usage", text);
}

static void more_word(struct session *s, const struct topic *t, json_t *entry)
{
	explain_line(s, entry, "see", word_table[t->index].see);
}

const struct topic_kind topic_table[] = {
	{.plural = "mechanisms", .doc = "published mechanisms", .each = each_mechanism, .more = explain_mechanism},
	{.plural = "statistics",
	 .doc = "statistics, for `stats GLOB` and in expressions",
	 .names = NAME_STATISTIC,
	 .each = each_stat,
	 .more = more_stat},
	{.plural = "states",
	 .alias = "statuses",
	 .doc = "warp states (in each cycle a resident warp is in the first one that applies)",
	 .each = each_status,
	 .more = more_status},
	{.plural = "outcomes",
	 .doc = "outcomes of an issue slot (each issue slot of a scheduler has exactly one)",
	 .each = each_outcome,
	 .more = more_outcome},
	{.plural = "settings",
	 .doc = "settings, for `set`",
	 .names = NAME_SETTING,
	 .each = each_setting,
	 .more = explain_setting},
	{.plural = "events",
	 .doc = "events that the machine reports",
	 .names = NAME_EVENT,
	 .each = each_event,
	 .more = explain_event},
	{.plural = "classes", .doc = "instruction classes", .each = each_class, .more = more_class},
	{.plural = "stages", .doc = "stages of a cycle (in the order in which they run)", .each = each_stage},
	{.plural = "policies",
	 .alias = "schemes",
	 .doc = "policies, for `policy NAME`",
	 .names = NAME_POLICY,
	 .each = each_scheme,
	 .more = more_scheme},
	{.plural = "shorthands",
	 .alias = "shorthands of policy",
	 .doc = "shorthands of `policy` for a policy and settings",
	 .names = NAME_POLICY,
	 .each = each_shorthand,
	 .more = more_shorthand},
	{.plural = "hooks",
	 .alias = "slots",
	 .doc = "policy hooks, for `policy HOOK=NAME`",
	 .each = each_slot,
	 .more = more_slot},
	{.plural = "breakpoints",
	 .alias = "stops",
	 .doc = "kinds of breakpoints, for `break`",
	 .names = NAME_BREAK,
	 .each = each_stop,
	 .more = more_stop},
	{.plural = "terms", .alias = "words", .doc = "terms of the panes", .each = each_word, .more = more_word},
	{.plural = "columns", .doc = "columns of the panes", .each = each_column, .more = explain_column},
	{.plural = "cells", .doc = "words in the columns of the panes", .each = each_value, .more = explain_column},
	{.plural = "commands", .doc = "commands", .names = NAME_COMMAND, .each = each_command, .more = explain_command},
	{.plural = "panes", .doc = "panes, for `show`", .each = each_pane, .more = explain_pane},
	{.plural = "fields",
	 .doc = "fields of the machine's state, for `print` and `watch`",
	 .each = each_field,
	 .transient = true},
};
const u32 topic_kinds = ARRAY_LEN(topic_table);

const struct topic_kind *explain_kind(const char *plural)
{
	for (u32 k = 0; k < topic_kinds; k++)
		if (!strcmp(topic_table[k].plural, plural) ||
		    (topic_table[k].alias && !strcmp(topic_table[k].alias, plural)))
			return &topic_table[k];
	return NULL;
}

void explain_list(struct session *s, const struct topic_kind *k, json_t *list)
{
	struct topic t = {0};
	char name[160];

	session_print(s, "%s:\n", k->doc);
	for (u32 i = 0; k->each(i, &t); i++) {
		if (t.letter)
			snprintf(name, sizeof(name), "%s (%c)", t.name, t.letter);
		session_print(s, "%-22s %s\n", t.letter ? name : t.name, t.doc);
		json_array_append_new(list, json_pack("{s:s,s:s,s:s}", "kind", t.kind, "name", t.name, "doc", t.doc));
		t = (struct topic){0};
	}
}
