/* cmd_effects.c - effects: which later events hang on the answer of an instruction, as a cone on the timeline. */
#include "arguments.h"
#include "cited.h"
#include "columns.h"
#include "complete.h"
#include "effects.h"
#include "interrupt.h"
#include "tui.h"

#include <math.h>
#include <signal.h>

#define USUAL_CYCLES 3000 /* looked at behind the issue */
#define MOST_CYCLES 200000
#define MOST_WORDS 16
#define SOME_ROWS 12  /* warps that are drawn */
#define SOME_LINES 8  /* source lines */
#define MOST_CELLS 70 /* of a row of the drawing */
#define LABEL 9	      /* columns before it */

static const char *const cmd_effects_kind[EFFECT_KINDS] = {
	[EFFECT_ISSUES] = "issue", [EFFECT_ANSWERS] = "answer", [EFFECT_ENDS] = "end"};

/* --- the words --- */

/* What effects itself understands is taken out of the words; the others are those of follow. */
static enum status cmd_effects_words(struct session *s, const struct args *a, struct token *word, u32 *n, u64 *cycles,
				     bool *check, struct error *e)
{
	*n = 0;
	for (u32 i = 0; i < a->ntokens; i++) {
		const struct token *t = &a->token[i];

		if (i && !strcmp(t->s, "check")) {
			*check = true;
		} else if (i && !strcmp(t->s, "for")) {
			if (i + 1 == a->ntokens)
				return usage_at(e, t->end + 1, "missing number of cycles after 'for'");
			t = &a->token[++i];
			if (cycle_take(s, t, cycles, e))
				return STATUS_USAGE;
			if (!*cycles || *cycles > MOST_CYCLES)
				return usage_at(e, t->column, "'%s': cycles to look at are 1 to %d", token_shown(t->s),
						MOST_CYCLES);
		} else if (*n == MOST_WORDS) {
			return usage_at(e, t->column, "effects: too many words");
		} else {
			word[(*n)++] = *t;
		}
	}
	return STATUS_OK;
}

/* --- sums --- */

static u32 cmd_effects_sum(const u32 *n)
{
	return n[EFFECT_ISSUES] + n[EFFECT_ANSWERS] + n[EFFECT_ENDS];
}

static double cmd_effects_percent(u32 n, u32 of)
{
	return of ? floor(1000.0 * n / of + 0.5) / 10 : 100;
}

/* The first and the last cycle of the cone; false: it is empty. */
static bool cmd_effects_span(const struct effects *x, u64 *first, u64 *last)
{
	*first = NEVER;
	for (u32 i = 0; i < x->n; i++)
		if (x->effect[i].in) {
			*first = min_u64(*first, x->effect[i].at);
			*last = x->effect[i].at;
		}
	return *first != NEVER;
}

static void cmd_effects_head(struct session *s, const struct follow *f, const struct effects *x)
{
	struct text who = {0};
	u64 first, last;
	u32 hard = 0;

	follow_who(s, f, &who);
	session_print(s, "answer of %s\n", who.s);
	text_free(&who);
	session_print(s, "issued in cycle %s, answered in cycle %s; looked at up to cycle %s\n",
		      thousands((i64)x->issued), thousands((i64)x->answered), thousands((i64)x->until));
	if (!cmd_effects_span(x, &first, &last)) {
		session_print(s,
			      "nothing hangs on it: if it came at once, no other event would come in another cycle\n");
		return;
	}
	session_print(s, "hang on it: %s of %s issues, ", thousands(x->in[EFFECT_ISSUES]),
		      thousands(x->of[EFFECT_ISSUES]));
	session_print(s, "%s of %s answers, ", thousands(x->in[EFFECT_ANSWERS]), thousands(x->of[EFFECT_ANSWERS]));
	session_print(s, "%s of %s CTA ends\n", thousands(x->in[EFFECT_ENDS]), thousands(x->of[EFFECT_ENDS]));
	for (u32 i = 0; i < x->n; i++)
		hard += x->effect[i].hard;
	session_print(s, "in cycles %s to %s; %s event%s by hard reasons alone\n", thousands((i64)first),
		      thousands((i64)last), thousands(hard), plural(hard));
}

/* --- the drawing: a row a warp, a cell some cycles --- */

struct cmd_effects_row {
	u16 sm, warp;
	u32 in;		 /* events of the cone */
	u64 first, last; /* cycles of them */
	char cell[MOST_CELLS + 1];
};
struct cmd_effects_drawing {
	struct cmd_effects_row *row;
	u32 n, cells;
	u64 from, step;
};

static struct cmd_effects_row *cmd_effects_row_of(struct cmd_effects_drawing *d, const struct effect *x)
{
	u32 at = 0;

	while (at < d->n && (d->row[at].sm != x->sm || d->row[at].warp != x->warp))
		at++;
	if (at == d->n) {
		d->row = array_grow(d->row, d->n, sizeof(*d->row));
		d->row[d->n] = (struct cmd_effects_row){.sm = x->sm, .warp = x->warp, .first = x->at};
		memset(d->row[d->n++].cell, ' ', d->cells);
	}
	return &d->row[at];
}

/* A cell shows why its first event of the cone hangs on the answer; a hard reason comes before another. */
static void cmd_effects_mark(const struct cmd_effects_drawing *d, struct cmd_effects_row *row, const struct effect *x)
{
	char *cell = &row->cell[(x->at - d->from) / d->step];
	const struct effect_row *new = &effect_table[x->edge];
	bool taken = *cell != ' ' && *cell != '.', hard = false;

	for (u32 k = 0; k < EFFECT_EDGES; k++)
		hard |= effect_table[k].letter == *cell && effect_table[k].hard;
	if (!x->in)
		*cell = taken ? *cell : '.';
	else if (!taken || (new->hard && !hard))
		*cell = new->letter;
}

static int cmd_effects_by_warp(const void *pa, const void *pb)
{
	const struct cmd_effects_row *a = pa, *b = pb;

	return a->sm != b->sm ? a->sm - b->sm : a->warp - b->warp;
}

/* Of the rows those that are shown: with the most events of the cone. The others' number. */
static u32 cmd_effects_choose(struct cmd_effects_drawing *d)
{
	u32 left = 0, least;

	for (u32 i = 0; i < d->n;)
		if (d->row[i].in)
			i++;
		else
			d->row[i] = d->row[--d->n];
	while (d->n > SOME_ROWS) {
		least = 0;
		for (u32 i = 1; i < d->n; i++)
			if (d->row[i].in < d->row[least].in)
				least = i;
		d->row[least] = d->row[--d->n];
		left++;
	}
	if (d->n)
		qsort(d->row, d->n, sizeof(*d->row), cmd_effects_by_warp);
	return left;
}

static void cmd_effects_make(struct session *s, const struct effects *x, struct cmd_effects_drawing *d)
{
	u32 columns = desk_columns(s);
	u64 cycles = x->until - x->issued + 1;

	columns = columns ? columns : 80;
	*d = (struct cmd_effects_drawing){.from = x->issued};
	d->cells = (u32)min_u64(min_u32(MOST_CELLS, columns > LABEL + 10 ? columns - LABEL - 1 : 10), cycles);
	d->step = (cycles + d->cells - 1) / d->cells;
	for (u32 i = 0; i < x->n; i++) {
		const struct effect *y = &x->effect[i];
		struct cmd_effects_row *row = y->warp == NONE16 ? NULL : cmd_effects_row_of(d, y);

		if (!row)
			continue;
		cmd_effects_mark(d, row, y);
		if (!y->in)
			continue;
		row->first = row->in++ ? row->first : y->at;
		row->last = y->at;
	}
}

/* Is a letter drawn? */
static bool cmd_effects_drawn(const struct cmd_effects_drawing *d, char letter)
{
	for (u32 i = 0; i < d->n; i++)
		if (strchr(d->row[i].cell, letter))
			return true;
	return false;
}

/* What the letters mean, of those that are drawn. */
static void cmd_effects_legend(struct session *s, const struct cmd_effects_drawing *d)
{
	struct text out = {0};
	u32 n = 0;

	for (u32 k = 0; k < EFFECT_EDGES; k++)
		if (cmd_effects_drawn(d, effect_table[k].letter)) {
			text_add(&out, "%s%c %s",
				 !n	 ? ""
				 : n % 6 ? ", "
					 : "\n",
				 effect_table[k].letter, effect_table[k].name);
			n++;
		}
	session_print(s, "%s\n. not in the cone; a cell is %llu cycle%s\n", out.s, d->step, plural(d->step));
	text_free(&out);
}

/* Cells of a row without the blanks at its end. */
static size_t cmd_effects_length(const struct cmd_effects_row *r)
{
	size_t n = strlen(r->cell);

	while (n && r->cell[n - 1] == ' ')
		n--;
	return n;
}

/* Where the cone lies: drawn, or as sentences. */
static void cmd_effects_draw(struct session *s, const struct effects *x)
{
	struct cmd_effects_drawing d;
	u32 left;

	cmd_effects_make(s, x, &d);
	left = cmd_effects_choose(&d);
	if (!s->plain) {
		const char *from = thousands((i64)d.from);

		session_print(s, "%-*s%s%*s\n", LABEL, "sm.warp", from, (int)d.cells - (int)strlen(from),
			      thousands((i64)(d.from + d.cells * d.step - 1)));
	}
	for (u32 i = 0; i < d.n; i++) {
		const struct cmd_effects_row *r = &d.row[i];
		char label[16];

		snprintf(label, sizeof(label), "%u.%u", r->sm, r->warp);
		if (s->plain)
			session_print(s, "warp %u of SM %u: %s events, cycles %s to %s\n", r->warp, r->sm,
				      thousands(r->in), thousands((i64)r->first), thousands((i64)r->last));
		else
			session_print(s, "%-*s%.*s\n", LABEL, label, (int)cmd_effects_length(r), r->cell);
	}
	if (left)
		session_print(s, "plus %u warp%s with fewer events of the cone\n", left, plural(left));
	if (!s->plain)
		cmd_effects_legend(s, &d);
	free(d.row);
}

/* --- tables --- */

/* Why they hang on it. */
static void cmd_effects_reasons(struct session *s, const struct effects *x)
{
	u32 n[EFFECT_EDGES] = {0}, hard[EFFECT_EDGES] = {0};
	u64 first[EFFECT_EDGES];
	struct columns table;

	for (u32 i = x->n; i-- > 0;)
		if (x->effect[i].in) {
			n[x->effect[i].edge]++;
			hard[x->effect[i].edge] += x->effect[i].hard;
			first[x->effect[i].edge] = x->effect[i].at;
		}
	columns_open(&table, s, "why events percent hard first");
	for (u32 k = 0; k < EFFECT_EDGES; k++)
		if (n[k])
			columns_row(&table, effect_table[k].name, n[k],
				    cmd_effects_percent(n[k], cmd_effects_sum(x->in)), hard[k], first[k]);
	columns_close(&table, "reasons", "");
}

struct cmd_effects_line {
	u32 launch, pc, n;
	u64 first;
};

static int cmd_effects_by_count(const void *pa, const void *pb)
{
	const struct cmd_effects_line *a = pa, *b = pb;

	if (a->n != b->n)
		return a->n > b->n ? -1 : 1;
	return a->first != b->first ? (a->first < b->first ? -1 : 1) : a->pc < b->pc ? -1 : a->pc > b->pc;
}

/* Which instructions. */
static void cmd_effects_lines(struct session *s, const struct effects *x)
{
	struct cmd_effects_line *line = xcalloc(x->n + 1, sizeof(*line));
	struct columns table;
	u32 n = 0;

	for (u32 i = 0; i < x->n; i++) {
		const struct effect *y = &x->effect[i];
		u32 k = 0;

		if (!y->in || y->pc == NONE32 || y->launch >= s->program.nlaunch)
			continue;
		while (k < n && (line[k].launch != y->launch || line[k].pc != y->pc))
			k++;
		if (k == n)
			line[n++] = (struct cmd_effects_line){y->launch, y->pc, 0, y->at};
		line[k].n++;
	}
	qsort(line, n, sizeof(*line), cmd_effects_by_count);
	columns_open(&table, s, "events first instruction");
	for (u32 i = 0; i < n && (s->json || i < SOME_LINES); i++) {
		struct text what = {0};

		cited_instruction(s->program.launch[line[i].launch].kernel, line[i].pc, &what);
		columns_row(&table, line[i].n, line[i].first, what.s);
		text_free(&what);
	}
	columns_close(&table, "lines", "");
	free(line);
}

static void cmd_effects_check(struct session *s, const struct effects *x)
{
	u32 in = cmd_effects_sum(x->in);

	session_print(s, "check: with the result at once, %s event%s in another cycle or not at all\n",
		      thousands(x->changed), x->changed == 1 ? " comes" : "s come");
	if (x->changed)
		session_print(s, "%.1f %% of these events lie in the cone, and the cone has %.2f times as many\n",
			      cmd_effects_percent(x->found, x->changed), (double)in / x->changed);
}

/* For programs. */
static void cmd_effects_json(struct session *s, const struct effects *x)
{
	json_t *out = session_result(s), *list = json_array();

	for (u32 i = 0; i < x->n; i++) {
		const struct effect *y = &x->effect[i];
		json_t *row = y->in ? json_object() : NULL;

		if (!row)
			continue;
		member_int(row, "cycle", (i64)y->at);
		member_text(row, "event", cmd_effects_kind[y->kind]);
		member_text(row, "why", effect_table[y->edge].name);
		member_bool(row, "hard", y->hard);
		member_int(row, "kernel", y->launch);
		member_int(row, "cta", y->cta);
		member_int(row, "sm", y->sm);
		if (y->warp != NONE16) {
			member_int(row, "warp", y->warp);
			member_int(row, "pc", y->pc);
		}
		json_array_append_new(list, row);
	}
	json_object_set_new(out, "events", list);
	member_int(out, "kernel", x->launch);
	member_int(out, "cta", x->cta);
	member_int(out, "sm", x->sm);
	member_int(out, "warp", x->warp);
	member_int(out, "pc", x->pc);
	member_int(out, "issued", (i64)x->issued);
	member_int(out, "answered", (i64)x->answered);
	member_int(out, "until", (i64)x->until);
	member_int(out, "cone", cmd_effects_sum(x->in));
	member_int(out, "of", cmd_effects_sum(x->of));
	if (x->checked) {
		member_int(out, "changed", x->changed);
		member_int(out, "found", x->found);
	}
}

static void cmd_effects_show(struct session *s, const struct follow *f, const struct effects *x)
{
	cmd_effects_head(s, f, x);
	if (s->json)
		cmd_effects_json(s, x);
	if (cmd_effects_sum(x->in)) {
		if (!s->json)
			cmd_effects_draw(s, x);
		cmd_effects_reasons(s, x);
		cmd_effects_lines(s, x);
	}
	if (x->checked)
		cmd_effects_check(s, x);
}

/* --- the command --- */

/* Of what is followed; choose: of another, which is then not followed. */
static enum status cmd_effects_find(struct session *s, const struct follow_wish *w, bool choose, u64 cycles, bool check,
				    struct error *e)
{
	struct follow *kept = s->follow;
	const struct follow *f;
	struct effects x = {0};
	enum status st = STATUS_OK;

	if (choose) {
		s->follow = NULL;
		st = follow_wished(s, w, e);
	}
	f = st ? NULL : follow_now(s);
	if (!st && !f)
		st = error_set(e, STATUS_FAILED, "interrupted");
	if (!st)
		st = effects_find(s, f, cycles, check, &x, e);
	if (!st) {
		cmd_effects_show(s, f, &x);
		effects_keep(s, &x);
	}
	effects_free(&x);
	if (choose) {
		follow_stop(s);
		s->follow = kept;
	}
	return st;
}

/* effects [warp N | load | line ADDRESS] [sm S] [at CYCLE] [for CYCLES] [check] */
static enum status cmd_effects_run(struct session *s, const struct args *a, struct error *e)
{
	struct token word[MOST_WORDS] = {{0}};
	struct follow_wish w = {0};
	struct sigaction old;
	u64 cycles = USUAL_CYCLES;
	bool check = false;
	enum status st;
	u32 n;

	st = cmd_effects_words(s, a, word, &n, &cycles, &check, e);
	if (!st)
		st = follow_words(s, "effects", word, n, &w, e);
	if (st)
		return st;
	if (n == 1 && !s->follow)
		return error_set(
			e, STATUS_FAILED,
			"effects of what? (`effects load`, `effects warp N`, `effects line ADDRESS`, or `follow` one first)");
	interrupt_catch(&old);
	interrupt_begin(s);
	st = cmd_effects_find(s, &w, n > 1, cycles, check, e);
	interrupt_end(s);
	interrupt_release(&old);
	return st;
}

/* The reasons, for help. */
static void cmd_effects_rows(struct text *out)
{
	for (u32 i = 0; i < EFFECT_EDGES; i++) {
		char name[24];

		snprintf(name, sizeof(name), "%c  %s", effect_table[i].letter, effect_table[i].name);
		help_row(out, name, 14, effect_table[i].doc);
	}
}

const struct command command_effects = {
	.name = "effects",
	.group = "inspect",
	.summary = "show what hangs on the answer of a load or another instruction: the cone of later events",
	.details =
		"`warp N`: the instruction that the warp issues in this cycle, or its next one.\n"
		"`load`: the load of the focused warp that is in flight for longest (`load warp N`: of another warp).\n"
		"`line ADDRESS`: the oldest load that waits for the cache line of the address.\n"
		"`at CYCLE` chooses as of another cycle. Without words: the instruction that `follow` follows.\n"
		"Events are issues, answers and ends of CTAs. An event lies in the cone if it would come in another cycle or\n"
		"not at all, if the answer came at once. `for CYCLES`: how many cycles after the issue are examined (default 3000).\n"
		"Hard reasons follow from a record of one run: data, order, barriers, ends. For shared resources (issue slots,\n"
		"pipeline, LSU, memory) one run does not suffice. Three trials, in which the answer comes 2, 4 and 8 cycles\n"
		"after the issue, find what moves. `check` takes the answer away in one more copy, and shows how much of what\n"
		"changes lies in the cone. The machine does not move; from then on pane timeline marks the events of the cone.\n"
		"The drawing has a row per warp. Its letters are reasons:",
	.rows = cmd_effects_rows,
	.examples =
		"effects load\neffects warp 3 at 4\neffects line 0x700000001100\neffects load for 1000\neffects load check",
	.flags = COMMAND_NEEDS_MACHINE,
	.run = cmd_effects_run,
	.arg = {{"WHAT", ARG_REST, .doc = "warp N, load, line ADDRESS, sm S, at CYCLE, for CYCLES, check",
		 .complete = complete_effects, .optional = true}},
};
