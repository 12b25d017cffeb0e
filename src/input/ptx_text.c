/*
 * ptx_text.c - instructions as text with physical registers: r4, the pair d6 (r6 and r7), p1.
 */
#include "ptx_internal.h"

struct ptx_stmt *ptx_stmt_with(struct ptx_work *w, const struct ptx_stmt *st, const struct ptx_operand *ops, u32 n)
{
	struct ptx_stmt *as = arena_alloc(w->arena, sizeof(*as));

	*as = *st;
	as->nops = (u8)n;
	as->ops = memcpy(arena_alloc(w->arena, n * sizeof(*ops)), ops, n * sizeof(*ops));
	return as;
}

/* A register by its physical number. */
static void text_register(struct text *t, const struct ptx_work *w, const struct ptx_operand *o)
{
	u32 dense = w->dense[o->vreg] - 1u, r = w->phys[dense];

	if (w->fate && w->fate[dense] == FATE_SPILLED) /* named by the statement, not read by this part of it */
		text_add(t, "[spill%+d]", 4 * w->slot[dense]);
	else if (o->width == 1)
		text_add(t, "%sp%u", o->negate ? "!" : "", r);
	else if (o->width == 64)
		text_add(t, "d%u", r);
	else
		text_add(t, "%sr%u%.*s", o->minus ? "-" : "", r, (int)o->part, o->s + o->len - o->part);
}

/* A number as it was spelled, if that is one word. */
static void text_number(struct text *t, const struct ptx_operand *o)
{
	u32 plain = 0;

	while (plain < o->len && o->len < 40 && o->s[plain] > ' ' && !strchr("/*()<>{}", o->s[plain]) &&
	       o->s[plain] < 127)
		plain++;
	if (plain == o->len && plain)
		text_add(t, "%.*s", (int)o->len, o->s);
	else
		text_add(t, "%lld", (i64)o->value);
}

static void text_addend(struct text *t, i64 addend)
{
	if (addend)
		text_add(t, "%+lld", addend);
}

/* What stands for itself or is the element of another operand. */
static void text_simple(struct text *t, const struct ptx_work *w, const struct ptx_operand *o)
{
	if (o->kind == PTX_REG) {
		text_register(t, w, o);
	} else if (o->kind == PTX_NAME) {
		text_add(t, "%s", ptx_shown(o->s, o->len));
		text_addend(t, o->addend);
	} else {
		text_number(t, o);
	}
}

/* Any operand. */
static void text_operand(struct text *t, const struct ptx_work *w, const struct ptx_operand *o)
{
	const char *open = o->kind == PTX_VECTOR ? "{" : o->kind == PTX_ADDRESS ? "[" : "";
	const char *close = o->kind == PTX_VECTOR ? "}" : o->kind == PTX_ADDRESS ? "]" : "";

	if (!o->n) {
		text_simple(t, w, o);
		return;
	}
	text_add(t, "%s", open);
	for (u32 i = 0; i < o->n; i++) {
		text_add(t, "%s", !i ? "" : o->kind == PTX_PAIR ? "|" : ", ");
		text_operand(t, w, &o->item[i]);
	}
	if (o->kind == PTX_ADDRESS)
		text_addend(t, o->addend);
	text_add(t, "%s", close);
}

/* One instruction: guard, opcode, operands. */
static void text_inst(struct text *t, const struct ptx_work *w, const struct ptx_code *c)
{
	const struct ptx_stmt *st = c->st;

	if (c->in.guard.kind == OPERAND_PRED)
		text_add(t, "@%sp%u ", c->in.guard.negate ? "!" : "", c->in.guard.value);
	text_add(t, "%s", st->op);
	for (u32 i = 0; i < st->nops; i++) {
		text_add(t, "%s", i ? ", " : " ");
		text_operand(t, w, &st->ops[i]);
	}
}

/* All texts into kernel.strings. */
void ptx_texts(struct ptx_work *w)
{
	struct text t = {0};

	for (u32 i = 0; i < w->ncode; i++) {
		w->code[i].in.text = (u32)t.len;
		text_inst(&t, w, &w->code[i]);
		text_addn(&t, "", 1);
	}
	w->k->strings = t.s;
}
