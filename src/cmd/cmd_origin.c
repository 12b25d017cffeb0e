/* cmd_origin.c - origin: where a value came from, as a tree of the instructions that made it. */
#include "cited.h"
#include "complete.h"
#include "events.h"
#include "interrupt.h"
#include "columns.h"
#include "lines.h"
#include "origin.h"
#include "arguments.h"

#include <ctype.h>
#include <signal.h>

#define DEPTH 5 /* levels, if not said otherwise */
#define MOST_DEPTH 1000
#define MOST_ROWS 60 /* that are printed at once */

/* --- what is kept between two commands --- */

struct origin *origin_kept(const struct session *s)
{
	return s->origin && origin_holds(s, s->origin) ? s->origin : NULL;
}

static void cmd_origin_forget(struct session *s)
{
	origin_free(s->origin);
	s->origin = NULL;
}

const struct session_part origin_part = {.forget = cmd_origin_forget, .close = cmd_origin_forget};

/* --- rows --- */

#define COLUMNS 5 /* before what it is: number, cycle, who, pc, value */
struct row {
	char cell[COLUMNS][32];
	char *what;
};
/* A tree being printed. */
struct listing {
	struct session *s;
	struct origin *o;
	struct row *row;
	u32 rows;
	bool *shown; /* by node */
	struct cited lines;
	bool cut; /* rows were left out */
};

/* The next row, of a node. */
static struct row *cmd_origin_next(struct listing *l, u32 node)
{
	struct row *r = &l->row[l->rows++];

	*r = (struct row){{"", "-", "-", "-", "-"}, NULL};
	snprintf(r->cell[0], sizeof(r->cell[0]), "%u", origin_number(l->o, node));
	l->shown[node] = true;
	return r;
}

/* How a value is written. */
static void cmd_origin_value(const struct origin_node *x, struct text *out)
{
	if (!x->known)
		text_add(out, "-");
	else if (x->place.kind == DATUM_PREDICATE || x->kind == ORIGIN_LANES)
		text_add(out, x->kind == ORIGIN_LANES ? "0x%08llx" : "%llu", x->value);
	else
		datum_value(x->type, x->hex, x->value, out);
}

/* The cycle, SM, warp and lane of what an instruction made. */
static void cmd_origin_who(const struct origin_node *x, struct row *r)
{
	if (x->kind != ORIGIN_MADE)
		return;
	grouped((i64)x->cycle, r->cell[1]);
	snprintf(r->cell[2], sizeof(r->cell[2]), "%u:%u:%u", x->sm, x->context, x->lane);
	snprintf(r->cell[3], sizeof(r->cell[3]), "%u", x->pc);
}

static void cmd_origin_row(struct listing *l, u32 node, u32 indent)
{
	struct row *r = cmd_origin_next(l, node);
	const struct origin_node *x = &l->o->node[node];
	struct text value = {0}, text = {0};

	cmd_origin_value(x, &value);
	snprintf(r->cell[4], sizeof(r->cell[4]), "%s", value.s);
	cmd_origin_who(x, r);
	if (x->kind == ORIGIN_MADE)
		cited_add(&l->lines, l->s, l->s->program.launch[x->launch].kernel, x->pc);
	text_add(&text, "%*s", (int)(2 * indent), "");
	origin_text(l->s, l->o, node, &text);
	if (x->kind == ORIGIN_MADE && !x->opened)
		text_add(&text, " ...");
	r->what = xstrdup(text.s);
	text_free(&value);
	text_free(&text);
}

/* A value that is shown already, as `same`. */
static void cmd_origin_again(struct listing *l, u32 node, u32 same, u32 indent)
{
	struct row *r = cmd_origin_next(l, same);
	struct text value = {0}, text = {0};

	snprintf(r->cell[0], sizeof(r->cell[0]), "-");
	cmd_origin_value(&l->o->node[node], &value);
	snprintf(r->cell[4], sizeof(r->cell[4]), "%s", value.s);
	text_add(&text, "%*s", (int)(2 * indent), "");
	origin_text_as(l->s, l->o, node, origin_number(l->o, same), &text);
	r->what = xstrdup(text.s);
	text_free(&value);
	text_free(&text);
}

/* Rounds as one row: the first of n, to the last. */
static void cmd_origin_rounds(struct listing *l, u32 first, u32 last, u32 n, u32 indent)
{
	struct row *r = cmd_origin_next(l, first);
	char from[32], to[32];

	grouped((i64)l->o->node[last].cycle, from);
	grouped((i64)l->o->node[first].cycle, to);
	r->what = xasprintf("%*sand %u more iterations of the same instruction, cycles %s to %s ...", (int)(2 * indent),
			    "", n, from, to);
}

static void cmd_origin_below(struct listing *l, u32 node, u32 indent, u32 only);

/* A node and what is below it. Rounds stand beside the instruction that goes round. */
static void cmd_origin_visit(struct listing *l, u32 node, u32 indent)
{
	u32 n, last;

	if (l->rows >= MOST_ROWS) {
		l->cut = true;
		return;
	}
	last = l->o->node[node].kind == ORIGIN_SAME ? l->o->node[node].same : node;
	if (l->shown[last]) {
		cmd_origin_again(l, node, last, indent);
		return;
	}
	node = last; /* what comes first is the one that is shown */
	if (l->o->node[node].round && !l->o->node[node].unfolded) {
		last = origin_rounds(l->o, node, &n);
		if (n > 1) {
			cmd_origin_rounds(l, node, last, n, indent);
			cmd_origin_below(l, last, indent, l->o->node[last].source);
			return;
		}
	}
	cmd_origin_row(l, node, indent);
	cmd_origin_below(l, node, indent + 1, ORIGIN_SOURCE_NONE);
}

/* The children of a node, or those that are operand `only` of it. */
static void cmd_origin_below(struct listing *l, u32 node, u32 indent, u32 only)
{
	for (u32 i = l->o->node[node].child; i != NONE32; i = l->o->node[i].next)
		if (only == ORIGIN_SOURCE_NONE || l->o->node[i].source == only)
			cmd_origin_visit(
				l, i, l->o->node[i].round && indent ? indent - (only == ORIGIN_SOURCE_NONE) : indent);
}

/* The rows below their heads, each column as wide as what is in it. */
static void cmd_origin_flush(struct listing *l)
{
	static const char *const head[COLUMNS] = {"#", "cycle", "sm:warp:lane", "pc", "value"};
	int width[COLUMNS];

	for (u32 c = 0; c < COLUMNS; c++) {
		width[c] = (int)strlen(head[c]);
		for (u32 i = 0; i < l->rows; i++)
			width[c] = (int)max_u32((u32)width[c], (u32)strlen(l->row[i].cell[c]));
	}
	session_print(l->s, "%*s  %*s  %*s  %*s  %-*s  what\n", width[0], head[0], width[1], head[1], width[2], head[2],
		      width[3], head[3], width[4], head[4]);
	for (u32 i = 0; i < l->rows; i++) {
		const struct row *r = &l->row[i];

		session_print(l->s, "%*s  %*s  %*s  %*s  %-*s  %s\n", width[0], r->cell[0], width[1], r->cell[1],
			      width[2], r->cell[2], width[3], r->cell[3], width[4], r->cell[4], r->what);
		free(r->what);
	}
}

static void cmd_origin_print(struct session *s, struct origin *o, u32 node)
{
	struct listing l = {.s = s, .o = o, .row = xcalloc(MOST_ROWS, sizeof(*l.row)), .shown = xcalloc(o->n, 1)};

	cmd_origin_visit(&l, node, 0);
	cmd_origin_flush(&l);
	cited_print(&l.lines, s);
	if (l.cut)
		session_print(s, "... and more (`origin N` shows the rows below row N)\n");
	if (o->full)
		session_print(s, "the tree is limited to %u rows\n", ORIGIN_NODES);
	session_print(s, "`origin N` expands a row (...), `goto origin N` goes to its cycle\n");
	free(l.row);
	free(l.shown);
}

/* --- JSON --- */

static json_t *cmd_origin_json(struct session *s, struct origin *o, u32 node);

/* What an instruction made. */
static void cmd_origin_json_made(struct session *s, const struct origin_node *x, json_t *out)
{
	const struct kernel *k = s->program.launch[x->launch].kernel;
	char line[128] = "";

	line_place(k, x->pc, line, sizeof(line));
	member_int(out, "cycle", x->cycle);
	member_int(out, "sm", x->sm);
	member_int(out, "warp", x->context);
	member_int(out, "lane", x->lane);
	member_int(out, "kernel", x->launch);
	member_int(out, "cta", x->cta);
	member_int(out, "pc", x->pc);
	member_text(out, "line", line[0] ? line : NULL);
	member_text(out, "source", cited_source(s, k, x->pc));
	member_bool(out, "opened", x->opened);
}

/* The children; rounds as one object with what is below the last. */
static json_t *cmd_origin_json_below(struct session *s, struct origin *o, u32 node, u32 only)
{
	json_t *list = json_array();

	for (u32 i = o->node[node].child; i != NONE32; i = o->node[i].next)
		if (only == ORIGIN_SOURCE_NONE || o->node[i].source == only)
			json_array_append_new(list, cmd_origin_json(s, o, i));
	return list;
}

static json_t *cmd_origin_json(struct session *s, struct origin *o, u32 node)
{
	static const char *const kind[] = {[ORIGIN_OPEN] = "unknown",
					   [ORIGIN_MADE] = "instruction",
					   [ORIGIN_SAME] = "same",
					   [ORIGIN_HOST] = "host",
					   [ORIGIN_PARAMETER] = "parameter",
					   [ORIGIN_CONSTANT] = "constant memory",
					   [ORIGIN_IMMEDIATE] = "constant",
					   [ORIGIN_SPECIAL] = "special",
					   [ORIGIN_START] = "unwritten",
					   [ORIGIN_LANES] = "lanes",
					   [ORIGIN_LOST] = "lost"};
	static const char *const role[] = {"value", "address", "choice", "guard", "lanes"};
	struct text value = {0}, text = {0};
	json_t *out = json_object();
	u32 n = 0, last = o->node[node].round && !o->node[node].unfolded ? origin_rounds(o, node, &n) : node;
	const struct origin_node *x;

	member_int(out, "number", origin_number(o, node));
	origin_text(s, o, node, &text);
	x = &o->node[node];
	cmd_origin_value(x, &value);
	member_text(out, "kind", n > 1 ? "rounds" : kind[x->kind]);
	member_text(out, "role", role[x->role]);
	member_text(out, "text", text.s);
	member_text(out, "value", x->known ? value.s : NULL);
	if (x->kind == ORIGIN_MADE)
		cmd_origin_json_made(s, x, out);
	if (x->kind == ORIGIN_SAME)
		member_int(out, "as", origin_number(o, x->same));
	if (n > 1) {
		member_int(out, "rounds", n);
		member_int(out, "first_cycle", o->node[last].cycle);
	}
	json_object_set_new(out, "children",
			    cmd_origin_json_below(s, o, last, n > 1 ? o->node[last].source : ORIGIN_SOURCE_NONE));
	text_free(&value);
	text_free(&text);
	return out;
}

/* --- the command --- */

/* A whole number and nothing else. */
static bool cmd_origin_number(const char *text, u64 most, u64 *out)
{
	char *end;

	*out = strtoull(text, &end, 10);
	return isdigit((u8)text[0]) && !*end && *out <= most;
}

/* [depth N] at the end of the line; *n tokens are before it. */
static enum status cmd_origin_depth(const struct args *a, u32 *n, u64 *depth, struct error *e)
{
	*n = a->ntokens;
	*depth = DEPTH;
	if (a->ntokens < 2 || strcmp(a->token[a->ntokens - 2].s, "depth") != 0)
		return !strcmp(a->token[a->ntokens - 1].s, "depth")
			       ? usage_at(e, a->token[a->ntokens - 1].end + 1, "missing number after 'depth'")
			       : STATUS_OK;
	*n -= 2;
	if (!cmd_origin_number(a->token[*n + 1].s, MOST_DEPTH, depth) || !*depth)
		return usage_at(e, a->token[*n + 1].column, "'%s' is not a depth (a number from 1 to %u)",
				token_shown(a->token[*n + 1].s), MOST_DEPTH);
	return STATUS_OK;
}

/* Open a node of the tree that is there: rounds become nodes. */
static enum status cmd_origin_open(struct session *s, u64 number, u32 column, u32 depth, u32 *node, struct error *e)
{
	struct origin *o = origin_kept(s);

	*node = o ? origin_numbered(o, (u32)number) : NONE32;
	if (*node == NONE32)
		return failed_at(e, column,
				 o ? "no row %llu (in the tree of the last `origin`)"
				   : "no row %llu (run `origin LOCATION` first)",
				 number);
	if (o->node[*node].round)
		for (u32 i = *node; i != NONE32;) {
			u32 next = o->node[i].child;

			o->node[i].unfolded = true;
			while (next != NONE32 && !o->node[next].round)
				next = o->node[next].next;
			i = next;
		}
	if (o->node[*node].kind == ORIGIN_SAME)
		*node = o->node[*node].same;
	return origin_open(s, o, *node, depth, e);
}

/* The tree of a place. */
static enum status cmd_origin_place(struct session *s, const struct args *a, u32 n, u32 depth, struct error *e)
{
	u32 column = a->token[1].column;
	char *text = xstrndup(a->line + column - 1, a->token[n - 1].end - (column - 1));
	struct datum place;
	enum status st = datum_parse(s, text, column, &place, e);

	free(text);
	if (st)
		return st;
	s->origin = origin_find(s, &place, s->origin, depth, false, e);
	return s->origin ? STATUS_OK : e->status;
}

/* origin PLACE [lane N] [depth N], origin NUMBER [depth N] */
static enum status cmd_origin_run(struct session *s, const struct args *a, struct error *e)
{
	u64 depth = DEPTH, number;
	u32 n = 0, node = 0;
	struct sigaction old;
	enum status st = cmd_origin_depth(a, &n, &depth, e);

	if (!st && n == 1)
		st = usage_at(e, a->token[1].column, "missing location before 'depth'");
	if (st)
		return st;
	interrupt_catch(&old);
	if (n == 2 && cmd_origin_number(a->token[1].s, NONE32, &number))
		st = cmd_origin_open(s, number, a->token[1].column, (u32)depth, &node, e);
	else
		st = cmd_origin_place(s, a, n, (u32)depth, e);
	interrupt_release(&old);
	if (interrupt_wanted())
		return interrupt_status(s, e);
	if (st)
		return st;
	if (s->json)
		json_object_set_new(session_result(s), "origin", cmd_origin_json(s, s->origin, node));
	else
		cmd_origin_print(s, s->origin, node);
	return STATUS_OK;
}

const struct command command_origin = {
	.name = "origin",
	.group = "inspect",
	.summary = "show where a value came from, as a tree of the instructions that produced it",
	.details =
		"LOCATION is as for `who`: c[5], shared.f32[I], local.u32[LANE][I], r12 lane 3, d4, p0, sm[0].warp[5].r12 lane\n"
		"3. Each row is a value: the cycle at whose end it first existed, the SM, warp and lane that produced it, and\n"
		"the instruction. Below it are the values that the instruction read, down to the initial contents of buffers,\n"
		"parameters, special registers and constants. Addresses, guards (@p) and the selectors of selects and shuffles\n"
		"are marked, and not traced further. Iterations of a loop that accumulate into the same register are one row; a\n"
		"value that occurs again is shown once. `origin N` expands row N, `depth N` sets the number of levels (default\n"
		"5), `goto origin N` goes to the cycle in which row N was produced. The run is repeated in a copy, from the\n"
		"latest cycles backwards, so the machine does not move. Branches that led a lane to an instruction are not\n"
		"shown. Source lines stand below the tree, each once. Only kernels from PTX have values.",
	.examples = "origin c[5]\norigin r18 lane 3 depth 8\norigin shared.f32[0]\norigin r8 lane 3 depth 2\n"
		    "goto origin 1",
	.flags = COMMAND_NEEDS_MACHINE | COMMAND_OPEN,
	.run = cmd_origin_run,
	.arg = {{"LOCATION", ARG_EXPR, .doc = "location, or number of a row; then `lane N`, `depth N`",
		 .complete = complete_expr}},
};
