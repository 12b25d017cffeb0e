/*
 * floor_expr.c - an expression over an SM (floor_expr.h).
 *
 * A statistic stands for the SM's own counter and is what it gained per cycle; a field, and a warp state, is that of
 * the SM now. Both may have `sm.` before them. So `sm.ipc`, `l1d.hit_rate`, `sm.ctas`, `sm.long` and `warp[0].issued`
 * are numbers of one SM, while `dram.share` is none.
 */
#include "counters.h"
#include "events.h"
#include "expr_code.h"
#include "floor_expr.h"
#include "machine.h"

#include <ctype.h>
#include <math.h>

#define NAME_LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.$"

/* The expression with other names in it, while it is read. */
struct rewriting {
	struct floor_expr *x;
	struct text out;
	bool formula; /* of a statistic, in which sm.ctas is the setting, not the field */
	bool of_sm;   /* something in it is an SM's */
	char bad[64]; /* a statistic that no SM counts */
	bool many;    /* too many counters */
};

static void floor_expr_rewrite(struct rewriting *w, const char *text);

/* Do SMs count it, each for itself? */
static bool floor_expr_counts(u16 row)
{
	u8 source = stat_table[row].source;

	return source == FROM_SM || source == FROM_OUTCOME || source == FROM_OUTCOMES || source == FROM_STATUS ||
	       source == FROM_EVENT;
}

bool floor_counter(const struct machine *m, u32 sm, u16 row, u64 *out)
{
	const struct sm *x = machine_sm_section((struct machine *)m, sm, SECTION_SM);
	u16 index = stat_table[row].index;

	*out = 0;
	switch (stat_table[row].source) {
	case FROM_SM: *out = x->stat[index]; return true;
	case FROM_OUTCOME: *out = x->outcomes[index]; return true;
	case FROM_STATUS: *out = x->statuses[index]; return true;
	case FROM_EVENT: *out = x->events[index]; return true;
	case FROM_OUTCOMES:
		for (u32 i = 0; i < SLOT_OUTCOME_COUNT; i++)
			*out += x->outcomes[i];
		return true;
	default: return false;
	}
}

/* A counter, as an operand. */
static void floor_expr_operand(struct rewriting *w, u16 row)
{
	struct floor_expr *x = w->x;
	u32 i = 0;

	while (i < x->noperands && x->operand[i] != row)
		i++;
	if (i == FLOOR_OPERANDS) {
		w->many = true;
		return;
	}
	x->operand[i] = row;
	x->noperands = max_u32(x->noperands, i + 1);
	w->of_sm = true;
	text_add(&w->out, "o%u", i);
}

/* A statistic, by the name that was given: of one SM, in one cycle. */
static void floor_expr_stat(struct rewriting *w, const char *name, struct stat_handle h)
{
	struct text formula = {0};
	bool before = w->formula;

	if (stat_table[h.row].source == FROM_FORMULA) {
		stat_formula(h, &formula);
		text_add(&w->out, "(");
		w->formula = true;
		floor_expr_rewrite(w, formula.s);
		w->formula = before;
		if (*w->bad)
			snprintf(w->bad, sizeof(w->bad), "%s", name);
		text_add(&w->out, ")");
		text_free(&formula);
	} else if (stat_table[h.row].source == FROM_CYCLE) {
		text_add(&w->out, "1");
	} else if (floor_expr_counts(h.row)) {
		floor_expr_operand(w, h.row);
	} else if (!*w->bad) {
		snprintf(w->bad, sizeof(w->bad), "%s", name);
	}
}

/* Is it a field of an SM, or a warp state, of which an SM has a number of warps? */
static bool floor_expr_field(const char *name)
{
	int field;

	for (u32 i = 0; i < WARP_STATUS_COUNT; i++)
		if (!strcmp(warp_status_table[i].name, name))
			return true;
	return expr_field(SECTION_SM, name) >= 0 || expr_own(name, IN_SM, &field) >= 0;
}

/* Is it a setting: the same for every SM? */
static bool floor_expr_setting(const char *name)
{
	for (u32 i = 0; i < SETTING_COUNT; i++)
		if (!strcmp(setting_table[i].name, name))
			return true;
	return false;
}

/* One name. `indexed`: an index follows. */
static void floor_expr_name(struct rewriting *w, const char *name, bool indexed)
{
	const char *own = !strncmp(name, "sm.", 3) ? name + 3 : name;
	struct stat_handle h;

	if (!strcmp(name, "gpu.sms")) {
		text_add(&w->out, "1"); /* what is a mean over SMs is the one SM's */
	} else if (stat_find(name, &h) || (own != name && stat_find(own, &h))) {
		floor_expr_stat(w, name, h);
	} else if (floor_expr_field(own) && !(w->formula && floor_expr_setting(name))) {
		w->of_sm = true;
		text_add(&w->out, "sm[$sm].%s", own);
	} else {
		w->of_sm |= !strcmp(name, "$sm") || !strcmp(name, "sm") || (indexed && expr_section(name, IN_SM) >= 0);
		text_add(&w->out, "%s", name);
	}
}

/* Names become operands and fields, the rest stays. What follows a bracket is a field of it. */
static void floor_expr_rewrite(struct rewriting *w, const char *text)
{
	while (*text) {
		size_t n = strspn(text, NAME_LETTERS);

		if (n && !isdigit((u8)*text) && *text != '.') {
			char *name = xstrndup(text, n);

			floor_expr_name(w, name, text[n] == '[');
			free(name);
		} else {
			n = n ? n : 1;
			text_addn(&w->out, text, n);
		}
		text += n;
	}
}

/* What would be right. */
#define RIGHT "kernel, occupancy, ipc, stall, or an expression over an SM such as sm.ctas, sm.long, sm.l1d.hit_rate"

/* The first name that nothing is known of; NULL: none. */
static const char *floor_expr_unknown(const struct floor_expr *x)
{
	const char *name = NULL;

	for (u32 i = 0; x->value && (name = expr_unbound(x->value, i, NULL)); i++)
		if (name[0] != 'o' || !isdigit((u8)name[1]) || (u32)atoi(name + 1) >= x->noperands)
			break;
	return name;
}

/* Why it is no expression over an SM. */
static enum status floor_expr_refuse(const struct rewriting *w, const char *text, const struct error *why, u32 column,
				     struct error *e)
{
	const char *unknown = floor_expr_unknown(w->x);

	if (w->many)
		return error_at(e, STATUS_USAGE, NULL, 0, column, "floor: too many counters in '%s' (at most %u)",
				token_shown(text), FLOOR_OPERANDS);
	if (*w->bad)
		return error_at(e, STATUS_USAGE, NULL, 0, column,
				"floor: '%s' is not counted for each SM (expected " RIGHT ")", w->bad);
	if (!w->x->value && strspn(text, NAME_LETTERS) < strlen(text))
		return error_at(e, STATUS_USAGE, NULL, 0, column, "floor: '%s' is not an expression: %s",
				token_shown(text), why->message);
	if (!w->x->value || unknown)
		return error_at(e, STATUS_USAGE, NULL, 0, column, "floor: unknown '%s' (expected " RIGHT ")",
				token_shown(unknown ? unknown : text));
	return error_at(e, STATUS_USAGE, NULL, 0, column, "floor: '%s' is the same for every SM (expected " RIGHT ")",
			token_shown(text));
}

enum status floor_expr_open(struct floor_expr *x, struct session *s, const char *text, u32 column, struct error *e)
{
	struct rewriting w = {.x = x};
	struct error why = {0};
	enum status st;

	*x = (struct floor_expr){0};
	floor_expr_rewrite(&w, text);
	if (!w.many && !*w.bad)
		expr_compile_formula(s, w.out.s, &x->value, &why);
	st = x->value && w.of_sm && !floor_expr_unknown(x) ? STATUS_OK : floor_expr_refuse(&w, text, &why, column, e);
	text_free(&w.out);
	if (st)
		floor_expr_close(x);
	else
		x->text = xstrdup(text);
	return st;
}

void floor_expr_close(struct floor_expr *x)
{
	free(x->text);
	expr_free(x->value);
	*x = (struct floor_expr){0};
}

/* The SM, and gains per cycle, for the names $sm, o0, o1, ... */
struct one {
	u32 sm, n;
	const u64 *gain;
	u64 cycles;
};

static bool floor_expr_lookup(void *self, const char *name, struct value *out)
{
	const struct one *a = self;
	u32 k;

	if (!strcmp(name, "$sm") || !strcmp(name, "sm")) {
		*out = value_int(a->sm);
		return true;
	}
	if (name[0] != 'o' || !isdigit((u8)name[1]) || (k = (u32)atoi(name + 1)) >= a->n)
		return false;
	*out = value_real(a->cycles ? (double)a->gain[k] / (double)a->cycles : 0);
	return true;
}

bool floor_expr_value(const struct floor_expr *x, struct session *s, u32 sm, const u64 *gain, u64 cycles, double *out)
{
	struct one a = {.sm = sm, .n = x->noperands, .gain = gain, .cycles = cycles};
	struct value v = {0};
	struct error e;

	*out = 0;
	if ((x->noperands && !cycles) ||
	    expr_eval(s, x->value, &(struct expr_scope){.lookup = floor_expr_lookup, .self = &a}, &v, &e))
		return false;
	*out = value_as_real(v);
	return isfinite(*out);
}
