/*
 * expr_names.c - what a name of an expression stands for: a statistic, a setting, a field, a constant, the focus,
 * a buffer, or something that only a scope can give.
 */
#include "events.h"
#include "expr_code.h"
#include "machine.h"
#include "oldnames.h"

struct focus_row {
	const char *name;
	u8 focus;
};
static const struct focus_row variable_table[] = {
	{"$cycle", FOCUS_CYCLE},   {"$sm", FOCUS_SM},	    {"$sub", FOCUS_SUB},
	{"$warp", FOCUS_WARP},	   {"$cta", FOCUS_CTA},	    {"$pc", FOCUS_PC},
	{"$kernel", FOCUS_KERNEL}, {"$bpnum", FOCUS_BREAK}, {"$_hits", FOCUS_HITS}};
/* The same of a record, else of the focus; and what only a record has. */
static const struct focus_row record_table[] = {
	{"sm", FOCUS_SM},	{"sub", FOCUS_SUB},	   {"warp", FOCUS_WARP}, {"cta", FOCUS_CTA},
	{"pc", FOCUS_PC},	{"kernel", FOCUS_KERNEL},  {"a", FOCUS_A},	 {"b", FOCUS_B},
	{"lanes", FOCUS_LANES}, {"address", FOCUS_ADDRESS}};

bool focus_exists(const struct session *s)
{
	return s->live && s->focus.sm < s->sim.m->config.gpu_sms && s->focus.warp < s->sim.m->contexts;
}

/* What a name is in a table, FOCUS_NONE if it is not there. */
static u8 focus_find(const struct focus_row *row, u32 n, const char *name)
{
	for (u32 i = 0; i < n; i++)
		if (!strcmp(row[i].name, name))
			return row[i].focus;
	return FOCUS_NONE;
}

int expr_section(const char *path, u32 where)
{
	for (u32 i = 0; i < SECTION_ALL; i++) {
		const struct section_row *row = section_of(i);

		if (row && row->where == where && !strcmp(row->path, path))
			return (int)i;
	}
	return -1;
}

int expr_own(const char *name, u32 where, int *field)
{
	const char *dot = strchr(name, '.'); /* arrays have a path with a dot, and want an index */
	char path[EXPR_NAME];
	int section;

	if (!dot)
		return -1;
	snprintf(path, sizeof(path), "%.*s", (int)(dot - name), name);
	section = expr_section(path, where);
	*field = section < SECTION_COUNT ? -1 : expr_field(section, dot + 1);
	return *field < 0 ? -1 : section;
}

int expr_field(int section, const char *name)
{
	const struct section_row *row = section_of((u32)section);

	for (u32 i = 0; i < row->nfields; i++)
		if (!strcmp(row->field[i].name, name))
			return (int)i;
	return -1;
}

/* A setting by its exact name, -1 if none. */
static int exact_setting(const char *name)
{
	name = name_today(NAME_SETTING, name);
	for (int i = 0; i < SETTING_COUNT; i++)
		if (!strcmp(setting_table[i].name, name))
			return i;
	return -1;
}

/* Names of tables as numbers: outcome.pipeline, event.issue; statuses and outcomes also without their table. */
static const struct constant_row {
	const char *prefix;
	const void *name; /* of the first row */
	u32 row, n;	  /* bytes of a row, rows */
} constant_table[] = {
#define CONSTANTS(prefix, table, n) \
	{ \
		prefix, &(table)[0].name, sizeof((table)[0]), n \
	}
	CONSTANTS("status.", warp_status_table, WARP_STATUS_COUNT),
	CONSTANTS("outcome.", slot_outcome_table, SLOT_OUTCOME_COUNT),
	CONSTANTS("state.", warp_status_table, WARP_STATUS_COUNT),
	CONSTANTS("event.", event_table, EVENT_COUNT),
	CONSTANTS("class.", class_table, CLASS_COUNT),
	CONSTANTS("stage.", stage_table, STAGE_COUNT),
#undef CONSTANTS
};

static int constant_of(const struct constant_row *x, const char *name)
{
	for (u32 i = 0; i < x->n; i++)
		if (!strcmp(*(const char *const *)((const u8 *)x->name + (size_t)i * x->row), name))
			return (int)i;
	return -1;
}

/* A name of a table with the table before it, or a status or outcome alone; -1 if it is none. */
static int find_constant(const char *name)
{
	int found;

	for (u32 i = 0; i < ARRAY_LEN(constant_table); i++) {
		size_t n = strlen(constant_table[i].prefix);

		if (!strncmp(name, constant_table[i].prefix, n))
			return constant_of(&constant_table[i], name + n);
	}
	found = constant_of(&constant_table[0], name);
	return found >= 0 ? found : constant_of(&constant_table[1], name);
}

/* Whether some event calls a or b by this name. */
static bool names_event_field(const char *name)
{
	for (int i = 0; i < EVENT_COUNT; i++)
		if (!strcmp(event_table[i].a, name) || !strcmp(event_table[i].b, name))
			return true;
	return false;
}

/* gpu.cycle: a field of the GPU as a whole. */
static bool resolve_gpu_field(const char *name, struct expr_code *c)
{
	int field, section = SECTION_GPU;

	if (strncmp(name, "gpu.", 4))
		return false;
	field = expr_field(SECTION_GPU, name + 4);
	if (field < 0)
		section = expr_own(name + 4, IN_GPU, &field);
	if (section < 0 || field < 0 || section_of((u32)section)->field[field].count > 1)
		return false;
	c->op = X_FIELD;
	c->a = (u16)section;
	c->b = (u32)field;
	return true;
}

/* A name with dots: statistic, setting, field, constant. */
static bool resolve_dotted(struct session *s, const char *name, struct expr_code *c)
{
	struct stat_handle h;
	int n;

	if (stat_find(name, &h)) {
		if (stat_table[h.row].source == FROM_EVENT)
			s->wants_checks |=
				event_table[stat_table[h.row].index].check ? EVENT_BIT(stat_table[h.row].index) : 0;
		c->op = X_STAT;
		c->a = h.row;
		c->b = h.launch;
		return true;
	}
	n = exact_setting(name);
	if (n >= 0) {
		c->op = X_SETTING;
		c->a = (u16)n;
		return true;
	}
	if (resolve_gpu_field(name, c))
		return true;
	n = strchr(name, '.') ? find_constant(name) : -1;
	c->op = X_VALUE;
	c->value = value_int(n);
	return n >= 0;
}

/* A name without dots: the focus, a constant, a buffer's address; else left to a scope. */
static void resolve_plain(struct session *s, const char *name, struct expr_code *c)
{
	int n = find_constant(name);

	c->op = X_NAME;
	c->name = xstrdup(name);
	c->focus = focus_find(record_table, ARRAY_LEN(record_table), name);
	if (c->focus && c->focus < FOCUS_LANES) {
		c->a = FALL_FOCUS;
	} else if (n >= 0) {
		c->a = FALL_VALUE;
		c->value = value_int(n);
	} else if (expr_buffer(s, name)) {
		c->a = FALL_ADDRESS;
	} else if (!c->focus && names_event_field(name)) {
		c->focus = FOCUS_LANES;
	}
}

/* An unknown variable: which there are. */
static enum status no_variable(const char *name, u32 column, struct error *e)
{
	struct text all = {0};

	for (u32 i = 0; i < ARRAY_LEN(variable_table); i++)
		text_add(&all, " %s", variable_table[i].name);
	error_at(e, STATUS_USAGE, NULL, 0, column, "unknown variable '%s' (variables:%s)", name, all.s);
	text_free(&all);
	return STATUS_USAGE;
}

enum status expr_resolve(struct session *s, const char *name, struct expr_code *c, struct error *e)
{
	const char *near;

	if (name[0] == '$') {
		c->focus = focus_find(variable_table, ARRAY_LEN(variable_table), name);
		c->op = X_NAME;
		c->a = FALL_FOCUS;
		c->name = xstrdup(name);
		if (c->focus)
			return STATUS_OK;
		return no_variable(name, c->column, e);
	}
	if (resolve_dotted(s, name, c))
		return STATUS_OK;
	if (!strchr(name, '.')) {
		resolve_plain(s, name, c);
		return STATUS_OK;
	}
	near = stat_nearest(name);
	return error_at(e, STATUS_USAGE, NULL, 0, c->column, "unknown name '%s'%s%s%s", name,
			near ? " (did you mean '" : "", near ? near : "", near ? "'?)" : "");
}
