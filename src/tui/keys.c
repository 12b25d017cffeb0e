/*
 * keys.c - the single-key mode: a key stands for a line of the command language (keys.def), with numbers of the focus
 * put in; `key NAME = COMMAND` changes what one does.
 */
#include "desk.h"
#include "code.h"
#include "breaks.h"
#include "datapath.h"
#include "lesson.h"
#include "machine.h"
#include "rights.h"

#define MAX_KEYS 256

static const struct key_view built_in[] = {
#define KEY(name_, command_, where_, hint_, doc_) \
	{.name = name_, .command = command_, .where = where_, .hint = hint_, .doc = doc_},
#include "keys.def"
#undef KEY
};

void keys_open(struct desk *d)
{
	d->key = xcalloc(MAX_KEYS, sizeof(*d->key));
	d->nkeys = ARRAY_LEN(built_in);
	for (u32 i = 0; i < d->nkeys; i++)
		d->key[i] = (struct key_row){
			.name = xstrdup(built_in[i].name),
			.command = xstrdup(built_in[i].command),
			.where = built_in[i].where,
			.hint = built_in[i].hint,
			.doc = built_in[i].doc,
			.from = &rights_user,
		};
}

void keys_free(struct desk *d)
{
	for (u32 i = 0; i < d->nkeys; i++) {
		free(d->key[i].name);
		free(d->key[i].command);
	}
	free(d->key);
}

const struct command *key_command(const struct key_row *k)
{
	char verb[32];
	struct error e;

	for (u32 i = 0; i < COMMAND_COUNT; i++) { /* those whose names are two words */
		const struct command *c = command_table[i];

		if (strchr(c->name, ' ') && !strcmp(c->name, k->command))
			return c;
	}
	snprintf(verb, sizeof(verb), "%.*s", (int)strcspn(k->command, " "), k->command);
	return *verb ? command_find(verb, &e) : NULL;
}

bool key_works(const struct key_row *k)
{
	return *k->command == '{' || key_command(k);
}

const struct key_row *key_find(struct session *s, const char *name)
{
	const struct desk *d = desk_of(s);
	const char *pane = pane_table[d->focus]->name;
	const struct key_row *anywhere = NULL, *own = NULL;

	for (u32 i = 0; i < d->nkeys; i++) {
		const struct key_row *k = &d->key[i];

		if (strcmp(k->name, name) || !*k->command)
			continue;
		if (d->present && !strcmp(k->where, "present"))
			return k;
		if (!own && !strcmp(k->where, pane))
			own = k;
		if (!*k->where)
			anywhere = k;
	}
	return own ? own : anywhere;
}

bool key_waits(const struct session *s, const struct key_row *k)
{
	const struct command *c = key_command(k);
	const struct lesson *l = s->lesson;

	if (!strcmp(k->command, "lesson next"))
		return l && l->shown == l->step;
	return !c || !(c->flags & COMMAND_OPEN);
}

bool key_is_quiet(const char *line)
{
	static const char *const begins[] = {"focus ",	       "find",	"pane ",     "layout ",
					     "winheight ",     "tui ",	"set time.", "set code.",
					     "set registers.", "data ", "floor "};

	for (u32 i = 0; i < ARRAY_LEN(begins); i++)
		if (!strncmp(line, begins[i], strlen(begins[i])))
			return true;
	return false;
}

/* --- what names in braces stand for --- */

/* The resident warp behind (or before) the focused one, in the order of sub-cores; the focused one if there is no
 * other. */
static u32 warp_beside(const struct session *s, bool forwards)
{
	const struct machine *m = s->sim.m;
	u32 subs = m->config.sm_subcores, n = m->contexts, rows = ceil_div(n, subs);
	u32 at = s->focus.warp % subs * rows + s->focus.warp / subs;

	for (u32 i = 1; i < subs * rows; i++) {
		u32 place = (at + (forwards ? i : subs * rows - i)) % (subs * rows);
		u32 warp = place % rows * subs + place / rows;

		if (warp < n && sim_warp_status(&s->sim, s->focus.sm, warp) < WARP_STATUS_COUNT)
			return warp;
	}
	return s->focus.warp;
}

/* Is the focus a place in the machine? */
static bool focus_is_there(const struct session *s)
{
	return s->live && s->focus.sm < s->sim.m->config.gpu_sms && s->focus.warp < s->sim.m->contexts;
}

/* What hangs on the machine: warps, sub-cores, SMs, time. */
static bool stand_in_machine(const struct session *s, const char *name, struct text *out)
{
	const struct config *c = &s->sim.m->config;
	const struct focus *f = &s->focus;
	const struct warp *w = machine_sm_section(s->sim.m, f->sm, SECTION_WARP);
	u32 mask, pc = sim_warp_pc(&s->sim, f->sm, f->warp, &mask);
	bool resident = sim_warp_status(&s->sim, f->sm, f->warp) < WARP_STATUS_COUNT && pc != NONE32;
	u64 now = timeline_now(s->timeline).cycle, column = 1ULL << s->config.time_zoom;
	const struct {
		const char *name;
		u64 value;
		bool is;
	} row[] = {
		{"pc", pc, resident},
		{"kernel", w[f->warp].launch, resident},
		{"next", warp_beside(s, true), true},
		{"previous", warp_beside(s, false), true},
		{"sub", f->sub, true},
		{"sub+", (f->sub + 1) % c->sm_subcores, true},
		{"sub-", (f->sub + c->sm_subcores - 1) % c->sm_subcores, true},
		{"sm+", (f->sm + 1) % c->gpu_sms, true},
		{"sm-", (f->sm + c->gpu_sms - 1) % c->gpu_sms, true},
		{"cycle+", now + column, true},
		{"cycle-", now - min_u64(now, column), true},
		{"tip", timeline_tip(s->timeline).cycle, true},
	};

	for (u32 i = 0; i < ARRAY_LEN(row); i++)
		if (!strcmp(row[i].name, name) && row[i].is) {
			text_add(out, "%llu", row[i].value);
			return true;
		}
	return false;
}

/* What hangs on settings: the other value of a switch, a step up or down within its range. */
static bool stand_in_setting(const struct session *s, const char *name, struct text *out)
{
	static const struct {
		const char *name;
		enum setting_id id;
		bool round;
	} row[] = {
		{"zoom", SET_time_zoom, false},	   {"registers", SET_code_registers, false},
		{"rows", SET_time_rows, true},	   {"format", SET_registers_format, true},
		{"lines", SET_stats_lines, false}, {"heat", SET_code_heat, true},
	};
	size_t n = strlen(name);

	for (u32 i = 0; i < ARRAY_LEN(row); i++) {
		const struct setting *x = &setting_table[row[i].id];
		u32 now = config_get(&s->config, row[i].id);
		char text[32];

		if (!n || strlen(row[i].name) != n - 1 || strncmp(row[i].name, name, n - 1))
			continue;
		if (name[n - 1] == '~')
			now = !now;
		else if (name[n - 1] == '+')
			now = now < x->max ? now + 1 : row[i].round ? x->min : now;
		else
			now = now > x->min ? now - 1 : row[i].round ? x->max : now;
		text_add(out, "%s", setting_text(row[i].id, now, text));
		return true;
	}
	return false;
}

/* The lane beside the one that is looked at, of those that the focused warp has, round from the last to the first. */
static void stand_in_lane(struct session *s, bool on, struct text *out)
{
	struct pane_view v;
	u32 own = ~0u, lane;

	pane_view_now(s, &v);
	own = v.sim ? context_mask(v.sim->m, v.focus.warp) : own;
	lane = own >> v.lane & 1 ? v.lane : (u32)__builtin_ctz(own);
	do
		lane = (lane + (on ? 1 : WARP_LANES - 1)) % WARP_LANES;
	while (!(own >> lane & 1));
	text_add(out, "%u", lane);
}

/* Where the cursor stands, as `break` takes it, behind that word if there is to be a stop. */
static bool stand_in_place(struct session *s, bool stop, struct text *out)
{
	text_add(out, "%s", stop ? "break " : "");
	return desk_place(s, out);
}

/* The number of the stop under the cursor of breakpoints, behind the word that switches it where that is wanted. */
static bool stand_in_stop(struct session *s, bool word, struct text *out)
{
	const struct breakpoint *b = stop_under(s, desk_cursor(s, PANE_breakpoints));

	if (b)
		text_add(out, "%s%u", !word ? "" : b->enabled ? "disable " : "enable ", b->number);
	return b;
}

/* The element or the register under the cursor. */
static bool stand_in_cell(struct session *s, struct text *out)
{
	struct pane_view v;

	if (desk_of(s)->focus != PANE_registers)
		return data_cell(s, out, NULL);
	pane_view_now(s, &v);
	v.cursor = desk_cursor(s, PANE_registers);
	return v.sim && registers_cell(&v, out);
}

/* The SM under the cursor of the floor. */
static bool stand_in_tile(struct session *s, struct text *out)
{
	u32 sm;

	if (!desk_take_tile(s, &sm))
		return false;
	text_add(out, "%u", sm);
	return true;
}

/* What the row of the box at the cursor of datapath has: the layout with its table, what stops there, its topic. */
static bool stand_in_box(const struct session *s, const char *name, struct text *out)
{
	u64 at = desk_cursor(s, PANE_datapath);
	const struct box_row *row = &box_table[at < BOX_COUNT ? at : BOX_SCHEDULER];

	text_add(out, "%s", *name == 't' ? row->layout : *name == 'k' ? row->stop : row->explain);
	return true;
}

/* What a name in braces stands for, added to out; false where there is nothing. */
static bool stand_in(struct session *s, const char *name, struct text *out)
{
	u32 stop = !strcmp(name, "toggle") ? desk_stop(s) : 0;

	if (!strcmp(name, "pane"))
		text_add(out, "%s", desk_focused(s));
	else if (stop)
		text_add(out, "delete %u", stop);
	else if (!strcmp(name, "toggle") || !strcmp(name, "here"))
		return stand_in_place(s, *name == 't', out);
	else if (!strcmp(name, "lane+") || !strcmp(name, "lane-"))
		stand_in_lane(s, name[4] == '+', out);
	else if (!strcmp(name, "switch") || !strcmp(name, "stop"))
		return stand_in_stop(s, name[1] == 'w', out);
	else if (!strcmp(name, "cell"))
		return stand_in_cell(s, out);
	else if (!strcmp(name, "tile"))
		return stand_in_tile(s, out);
	else if (!strcmp(name, "table") || !strcmp(name, "keeps") || !strcmp(name, "stage"))
		return stand_in_box(s, name, out);
	else if (!stand_in_setting(s, name, out))
		return focus_is_there(s) && stand_in_machine(s, name, out);
	return true;
}

/* Why a key does nothing here. */
static const char *nothing_there(const struct session *s, const char *name)
{
	if (!strcmp(name, "switch") || !strcmp(name, "stop"))
		return "no breakpoints";
	if (!strcmp(name, "cell"))
		return "no value at the cursor";
	return s->live ? "the focused warp is not resident (Up and Down choose another)"
		       : "no machine yet (try `step`)";
}

char *key_line(struct session *s, const struct key_row *k)
{
	struct text out = {0};

	desk_of(s)->line_from = k->from;
	text_add(&out, "%s", "");
	for (const char *p = k->command; *p;) {
		const char *end = *p == '{' ? strchr(p, '}') : NULL;
		char name[16];

		if (!end) {
			text_addn(&out, p++, 1);
			continue;
		}
		snprintf(name, sizeof(name), "%.*s", (int)min_u32((u32)(end - p - 1), 15), p + 1);
		if (!stand_in(s, name, &out)) {
			snprintf(desk_of(s)->message, sizeof(desk_of(s)->message), "%s: %s", k->command,
				 nothing_there(s, name));
			text_free(&out);
			return NULL;
		}
		p = end + 1;
	}
	return out.s;
}

/* --- the user's --- */

/* Is a key one of the program's, or of the user's? */
static bool key_is_taken(const struct desk *d, const char *name)
{
	for (u32 i = 0; i < d->nkeys; i++)
		if (!strcmp(d->key[i].name, name) && !d->key[i].from->root)
			return true;
	return false;
}

enum status key_bind(struct session *s, const char *name, const char *command, u32 column, struct error *e)
{
	struct desk *d = desk_of(s);
	u32 at = 0, first = NONE32;
	size_t n = strlen(name);

	if (!n || n > 15)
		return error_at(
			e, STATUS_USAGE, NULL, 0, column,
			"key: invalid key name (one character, or Tab, S-Tab, Up, Down, Left, Right, PgUp, PgDn, Home, End, F1 to F12, ^A to ^Z)");
	if (!rights_full(s, rights_now(s)) && key_is_taken(d, name))
		return error_at(
			e, STATUS_USAGE, NULL, 0, column,
			"key: '%s' is bound already, and a line of a file may not rebind it (choose another key, type the line, "
			"or start with --trust)",
			token_shown(name));
	for (u32 i = 0; i < d->nkeys; i++) /* the first row takes it, other rows of that key are in its way */
		if (!strcmp(d->key[i].name, name)) {
			first = first == NONE32 ? i : first;
			free(d->key[i].command);
			d->key[i].command = xstrdup("");
		}
	at = first == NONE32 ? d->nkeys : first;
	if (at == MAX_KEYS)
		return error_at(e, STATUS_FAILED, NULL, 0, column, "key: too many keys (at most %u)", MAX_KEYS);
	if (first == NONE32)
		d->key[d->nkeys++] = (struct key_row){.name = xstrdup(name)};
	free(d->key[at].command);
	d->key[at] = (struct key_row){.name = d->key[at].name,
				      .command = xstrdup(command),
				      .where = "",
				      .doc = KEY_BOUND,
				      .from = rights_keep(s, rights_now(s))};
	return STATUS_OK;
}

bool key_row(struct session *s, u32 i, struct key_view *out)
{
	const struct desk *d = desk_of(s);

	if (i >= d->nkeys)
		return false;
	*out = (struct key_view){
		.name = d->key[i].name,
		.command = d->key[i].command,
		.where = d->key[i].where,
		.hint = d->key[i].hint,
		.doc = d->key[i].doc,
		.from = d->key[i].from,
		.shadows = i < ARRAY_LEN(built_in) && strcmp(d->key[i].command, built_in[i].command) != 0,
	};
	return true;
}
