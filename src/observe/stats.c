/*
 * stats.c - the statistics: one table of flat dotted names, their values, and the walk over them.
 *
 * Counters live in the machine and are summed here; formulas are expressions over other statistics.
 */
#include "counters.h"
#include "events.h"
#include "stats.h"
#include "expr_code.h"
#include "machine.h"
#include "oldnames.h"

#include <fnmatch.h>
#include <math.h>

/* What of a launch a statistic is: its name, its cycles, a field of launches, one of its counts of all SMs. */
enum kernel_part { KERNEL_NAME, KERNEL_CYCLES, KERNEL_IN_RUN, KERNEL_IN_COUNT };
enum host_stat { HOST_SECONDS, HOST_RATE };

const struct stat_row stat_table[] = {
	{.name = "cycle", .unit = "cycles", .doc = "completed SM clock cycles", .source = FROM_CYCLE},
	{.name = "config.hash",
	 .unit = "",
	 .doc = "hash of presets, settings, policies, kernels and inputs",
	 .source = FROM_CONFIG},
#define COUNTER(where, id, name_, unit_, doc_) \
	{.name = name_, .unit = unit_, .doc = doc_, .source = FROM_##where, .index = STAT_##id},
#define FORMULA(name_, formula_, unit_, doc_) \
	{.name = name_, .unit = unit_, .doc = doc_, .formula = formula_, .source = FROM_FORMULA},
#define OWN_SUM(name_, field_, unit_, doc_) \
	{.name = name_, .unit = unit_, .doc = doc_, .field = field_, .source = FROM_OWN},
#define LAUNCH_SUM(name_, field_, unit_, doc_) \
	{.name = name_, .unit = unit_, .doc = doc_, .field = #field_, .source = FROM_LAUNCH},
#include "stats.def"
#undef OWN_SUM
#undef LAUNCH_SUM
#define OUTCOME(id, name_, letter, doc_) \
	{.name = "slots." name_, \
	 .unit = "slots", \
	 .doc = "issue slots by outcome: " doc_, \
	 .source = FROM_OUTCOME, \
	 .index = SLOT_##id},
#include "status.def"
	{.name = "slots.total", .unit = "slots", .doc = "issue slots, sum over all outcomes", .source = FROM_OUTCOMES},
#define STATUS(id, name_, letter, doc_) \
	{.name = "warps." name_, \
	 .unit = "warp-cycles", \
	 .doc = "resident warps in a state, summed over cycles: " doc_, \
	 .source = FROM_STATUS, \
	 .index = WARP_##id},
#undef OUTCOME
#include "status.def"
	{.name = "subcore.issued",
	 .unit = "instructions",
	 .source = FROM_SUBCORE,
	 .doc = "warp instructions issued by sub-core N, summed over SMs"},
	{.name = "subcore.cov",
	 .unit = "",
	 .source = FROM_SUBCORE_COV,
	 .doc = "imbalance among sub-cores: coefficient of variation (standard deviation over mean) of their "
		"issued instructions"},
#define KERNEL_OWN(name_, id, unit_, doc_) \
	{.name = "kernel.N." name_, .unit = unit_, .doc = doc_, .source = FROM_KERNEL, .part = KERNEL_##id},
#define KERNEL_FIELD(name_, type, field_, in, unit_, doc_) \
	{.name = "kernel.N." name_, \
	 .unit = unit_, \
	 .doc = doc_, \
	 .source = FROM_KERNEL, \
	 .part = in, \
	 .index = offsetof(struct type, field_), \
	 .bytes = sizeof(((struct type *)0)->field_)},
#define KERNEL_RUN(name_, field_, unit_, doc_) KERNEL_FIELD(name_, launch_run, field_, KERNEL_IN_RUN, unit_, doc_)
#define KERNEL_COUNT(name_, field_, unit_, doc_) KERNEL_FIELD(name_, kernel_count, field_, KERNEL_IN_COUNT, unit_, doc_)
#define KERNEL_FORMULA(name_, formula_, unit_, doc_) \
	{.name = "kernel.N." name_, .unit = unit_, .doc = doc_, .formula = formula_, .source = FROM_KERNEL},
#include "kernelstats.def"
#undef KERNEL_OWN
#undef KERNEL_FIELD
#undef KERNEL_RUN
#undef KERNEL_COUNT
#undef KERNEL_FORMULA
#define EVENT(id, name_, a, b, doc_) \
	{.name = "events." name_, .unit = "events", .doc = doc_, .source = FROM_EVENT, .index = EVENT_##id},
#include "events.def"
	{.name = "host.seconds",
	 .unit = "s",
	 .doc = "host time of the simulation",
	 .source = FROM_HOST,
	 .index = HOST_SECONDS},
	{.name = "host.rate",
	 .unit = "instructions/s",
	 .doc = "warp instructions simulated per second of host time",
	 .source = FROM_HOST,
	 .index = HOST_RATE},
};
const u32 stat_table_rows = ARRAY_LEN(stat_table);

/* Whether a full name is that of a row; *launch is the number in a kernel's name. */
static bool stat_named(const struct stat_row *row, const char *name, u16 *launch)
{
	char *end;
	unsigned long n;

	*launch = 0;
	if (row->source != FROM_KERNEL)
		return !strcmp(row->name, name);
	if (strncmp(name, "kernel.", 7) || name[7] < '0' || name[7] > '9')
		return false;
	n = strtoul(name + 7, &end, 10);
	*launch = (u16)n;
	return n < NONE16 && !strcmp(end, row->name + strlen("kernel.N"));
}

bool stat_find(const char *name, struct stat_handle *out)
{
	name = name_today(NAME_STATISTIC, name);
	for (u32 i = 0; i < stat_table_rows; i++) {
		if (stat_named(&stat_table[i], name, &out->launch)) {
			out->row = (u16)i;
			return true;
		}
	}
	return false;
}

const char *stat_nearest(const char *name)
{
	const char *names[ARRAY_LEN(stat_table) + SETTING_COUNT];

	for (u32 i = 0; i < stat_table_rows; i++)
		names[i] = stat_table[i].name;
	for (u32 i = 0; i < SETTING_COUNT; i++)
		names[stat_table_rows + i] = setting_table[i].name;
	return nearest_name(name, names, ARRAY_LEN(names));
}

void stats_sync(struct session *s)
{
	if (s->live)
		sim_sync(&s->sim);
}

/* Instructions issued by sub-core `sub` of an SM. */
static u64 subcore_issued(const struct session *s, u32 sm, u32 sub)
{
	const struct sub *subs = machine_sm_section(s->sim.m, sm, SECTION_SUB);

	return subs[sub].issued;
}

/* The same, summed over SMs. */
static u64 subcore_sum(const struct session *s, u32 sub)
{
	u64 sum = 0;

	for (u32 sm = 0; sm < s->sim.m->config.gpu_sms; sm++)
		sum += subcore_issued(s, sm, sub);
	return sum;
}

/* Population standard deviation over mean, over every sub-core of every SM; 0 when none has issued. */
static double subcore_cov(const struct session *s)
{
	const struct config *c = &s->sim.m->config;
	double n = (double)c->gpu_sms * c->sm_subcores, sum = 0, squares = 0, mean;

	for (u32 i = 0; i < c->gpu_sms * c->sm_subcores; i++)
		sum += (double)subcore_issued(s, i / c->sm_subcores, i % c->sm_subcores);
	mean = sum / n;
	for (u32 i = 0; i < c->gpu_sms * c->sm_subcores; i++) {
		double d = (double)subcore_issued(s, i / c->sm_subcores, i % c->sm_subcores) - mean;

		squares += d * d;
	}
	return mean > 0 ? sqrt(squares / n) / mean : 0;
}

/* Scheduler slots of every outcome. */
static u64 outcome_total(const struct session *s)
{
	u64 sum = 0;

	for (u32 i = 0; i < SLOT_OUTCOME_COUNT; i++)
		sum += sim_outcome_sum(&s->sim, (enum slot_outcome)i);
	return sum;
}

/* A field of 4 or 8 bytes. */
static struct value field_read(const u8 *at, u32 bytes)
{
	u64 n = 0;

	INVARIANT(bytes == 4 || bytes == 8);
	memcpy(&n, at, bytes);
	return value_int((i64)n);
}

/* A number of launch `launch`; false if there is no such launch. */
static bool kernel_read(const struct session *s, u32 launch, const struct stat_row *row, struct value *out)
{
	const u8 *run = machine_gpu_section(s->sim.m, SECTION_LAUNCH);
	const u8 *count = machine_gpu_section(s->sim.m, SECTION_KERNEL_SUM);

	if (launch >= s->sim.m->section[SECTION_LAUNCH].count || launch >= s->program.nlaunch)
		return false;
	switch ((enum kernel_part)row->part) {
	case KERNEL_NAME: return false;
	case KERNEL_CYCLES: *out = value_int((i64)sim_launch_cycles(&s->sim, launch)); break;
	case KERNEL_IN_RUN: *out = field_read(run + launch * sizeof(struct launch_run) + row->index, row->bytes); break;
	case KERNEL_IN_COUNT:
		*out = field_read(count + launch * sizeof(struct kernel_count) + row->index, row->bytes);
		break;
	}
	return true;
}

/* What the simulation costs on the host. */
static struct value host_read(const struct session *s, u32 what)
{
	u64 insts = sim_sm_stat(&s->sim, STAT_INST_WARP);

	if (what == HOST_SECONDS)
		return value_real(s->host_seconds);
	return value_real(s->host_seconds > 0 ? (double)insts / s->host_seconds : 0);
}

/* A 64-bit field of a struct. */
static u64 own_number(const u8 *at, u32 section, u32 field)
{
	const struct field *f = &section_of(section)->field[field];
	u64 n;

	INVARIANT(f->type == FIELD_U64 && f->count == 1);
	memcpy(&n, at + f->offset, sizeof(n));
	return n;
}

/* A field that a scheme keeps for each SM, summed. */
static u64 own_sum(const struct sim *sim, const char *name)
{
	int field, section = expr_own(name, IN_SM, &field);
	u64 sum = 0;

	INVARIANT(section >= 0);
	for (u32 sm = 0; sm < sim->m->config.gpu_sms; sm++)
		sum += own_number(section_bytes(sim->m, (u32)section, sm), (u32)section, (u32)field);
	return sum;
}

/* A field of every launch, summed. */
static u64 launch_sum(const struct sim *sim, const char *name)
{
	const struct section_row *row = section_of(SECTION_LAUNCH);
	u64 sum = 0;
	u32 field = 0;

	while (strcmp(row->field[field].name, name))
		INVARIANT(++field < row->nfields);
	for (u32 i = 0; i < sim->m->section[SECTION_LAUNCH].count; i++)
		sum += own_number(section_bytes(sim->m, SECTION_LAUNCH, 0) + i * row->size, SECTION_LAUNCH, field);
	return sum;
}

void stat_formula(struct stat_handle h, struct text *out)
{
	const char *at = stat_table[h.row].formula, *next;

	for (; (next = strstr(at, "kernel.N.")); at = next + strlen("kernel.N")) {
		text_addn(out, at, (size_t)(next - at));
		text_add(out, "kernel.%u", h.launch);
	}
	text_add(out, "%s", at);
}

/* The compiled formula of a row, of a launch if it is one of a kernel's; each is compiled once. */
static const struct expr *formula_of(struct session *s, struct stat_handle h)
{
	static struct {
		struct expr **of;
		u32 n;
	} compiled[ARRAY_LEN(stat_table)];
	struct text text = {0};

	for (; compiled[h.row].n <= h.launch; compiled[h.row].n++) {
		u32 n = compiled[h.row].n;
		compiled[h.row].of = xrealloc(compiled[h.row].of, (n + 1) * sizeof(struct expr *));
		compiled[h.row].of[n] = NULL;
	}
	if (!compiled[h.row].of[h.launch]) {
		stat_formula(h, &text);
		INVARIANT(!expr_compile_formula(s, text.s, &compiled[h.row].of[h.launch], NULL));
		text_free(&text);
	}
	return compiled[h.row].of[h.launch];
}

/* The value of a formula. */
static bool formula_read(struct session *s, struct stat_handle h, struct value *out)
{
	if (stat_table[h.row].source == FROM_KERNEL &&
	    h.launch >= min_u32(s->program.nlaunch, s->sim.m->section[SECTION_LAUNCH].count))
		return false;
	return !expr_eval(s, formula_of(s, h), NULL, out, NULL);
}

u32 stat_count(const struct session *s, struct stat_handle h)
{
	return stat_table[h.row].source == FROM_SUBCORE && s->live ? s->sim.m->config.sm_subcores : 1;
}

bool stat_read(struct session *s, struct stat_handle h, u32 i, struct value *out)
{
	const struct stat_row *row = &stat_table[h.row];
	const struct sim *sim = &s->sim;
	u64 n = 0;

	if (!s->live || i >= stat_count(s, h))
		return false;
	if (row->formula)
		return formula_read(s, h, out);
	switch ((enum stat_source)row->source) {
	case FROM_CONFIG:
	case FROM_FORMULA: return false;
	case FROM_KERNEL: return kernel_read(s, h.launch, row, out);
	case FROM_HOST: *out = host_read(s, row->index); return true;
	case FROM_SUBCORE_COV: *out = value_real(subcore_cov(s)); return true;
	case FROM_CYCLE: n = machine_gpu(sim->m)->cycle; break;
	case FROM_SM: n = sim_sm_stat(sim, (enum sm_counter)row->index); break;
	case FROM_L2: n = sim_l2_stat(sim, (enum l2_counter)row->index); break;
	case FROM_DRAM: n = sim_dram_stat(sim, (enum dram_counter)row->index); break;
	case FROM_OUTCOME: n = sim_outcome_sum(sim, (enum slot_outcome)row->index); break;
	case FROM_OUTCOMES: n = outcome_total(s); break;
	case FROM_STATUS: n = sim_status_sum(sim, (enum warp_status)row->index); break;
	case FROM_SUBCORE: n = subcore_sum(s, i); break;
	case FROM_OWN: n = own_sum(sim, row->field); break;
	case FROM_LAUNCH: n = launch_sum(sim, row->field); break;
	case FROM_EVENT: n = sim_event_count(sim, (enum event_kind)row->index); break;
	}
	*out = value_int((i64)n);
	return true;
}

bool stat_get(struct session *s, const char *name, struct value *out)
{
	struct stat_handle h;

	if (!stat_find(name, &h))
		return false;
	stats_sync(s);
	return stat_read(s, h, 0, out);
}

/* What a walk over the statistics carries along. */
struct walk {
	struct session *s;
	const char *glob;
	void (*fn)(void *self, const struct stat_value *v);
	void *self;
};

/* Call back for one statistic if its name is wanted and it has a value. */
static void stat_show(const struct walk *w, struct stat_handle h, const char *name)
{
	const struct stat_row *row = &stat_table[h.row];
	struct value value[MAX_SUBCORES];
	char hash[17];
	struct stat_value v = {.name = name, .value = value, .unit = row->unit, .doc = row->doc};

	if (w->glob && fnmatch(w->glob, name, 0))
		return;
	v.array = row->source == FROM_SUBCORE;
	v.count = min_u32(stat_count(w->s, h), MAX_SUBCORES);
	if (row->source == FROM_CONFIG) {
		snprintf(hash, sizeof(hash), "%016llx", session_config_hash(w->s));
		v.text = hash;
	} else if (row->source == FROM_KERNEL && !row->formula && row->part == KERNEL_NAME) {
		v.text = w->s->program.launch[h.launch].name;
	} else {
		for (u32 i = 0; i < v.count; i++)
			if (!stat_read(w->s, h, i, &value[i]))
				return;
	}
	w->fn(w->self, &v);
}

/* Every statistic of one launch: the rows from `row` on that are a kernel's. */
static u32 kernel_show(const struct walk *w, u32 row, u32 launch)
{
	char name[64];

	for (; stat_table[row].source == FROM_KERNEL; row++) {
		struct stat_handle h = {.row = (u16)row, .launch = (u16)launch};

		snprintf(name, sizeof(name), "kernel.%u%s", launch, stat_table[row].name + strlen("kernel.N"));
		stat_show(w, h, name);
	}
	return row;
}

/* Can a pattern match kernel.N....? There may be many thousands of those. */
static bool may_name_kernels(const char *glob)
{
	static const char kernel[] = "kernel.";

	return !glob || !strncmp(glob, kernel, min_u64(strcspn(glob, "*?[\\"), sizeof(kernel) - 1));
}

void stats_each(struct session *s, const char *glob, bool host, void (*fn)(void *self, const struct stat_value *v),
		void *self)
{
	struct walk w = {.s = s, .glob = glob, .fn = fn, .self = self};

	u32 kernels;

	if (!s->live)
		return;
	stats_sync(s);
	kernels = may_name_kernels(glob) ? min_u32(s->program.nlaunch, s->sim.m->section[SECTION_LAUNCH].count) : 0;
	for (u32 i = 0; i < stat_table_rows; i++) {
		const struct stat_row *row = &stat_table[i];

		if (row->source == FROM_KERNEL) {
			u32 next = i + 1;

			for (u32 k = 0; k < kernels; k++)
				next = kernel_show(&w, i, k);
			while (stat_table[next].source == FROM_KERNEL)
				next++;
			i = next - 1;
		} else if (host || row->source != FROM_HOST) {
			stat_show(&w, (struct stat_handle){.row = (u16)i}, row->name);
		}
	}
}

json_t *stat_json(const struct stat_value *v)
{
	json_t *list;

	if (v->text)
		return json_string(safe_text(v->text));
	if (!v->array)
		return value_json(v->value[0]);
	list = json_array();
	for (u32 i = 0; i < v->count; i++)
		json_array_append_new(list, value_json(v->value[i]));
	return list;
}
