/*
 * ptx_forms.c - which spelled instruction is which row of ops.def, and what to say when it is none.
 */
#include "ptx_internal.h"

static const char *const op_forms[OP_COUNT] = {
#define OP(id, forms, sig, class, body) forms,
#include "ops.def"
#undef OP
};

const char *const ptx_op_signature[OP_COUNT] = {
#define OP(id, forms, sig, class, body) sig,
#include "ops.def"
#undef OP
};

const u8 ptx_op_class[OP_COUNT] = {
#define OP(id, forms, sig, class, body) CLASS_##class,
#include "ops.def"
#undef OP
};

static u32 slot_of(const struct ptx *p, const char *s, u32 len)
{
	u64 h = len;

	for (u32 i = 0; i < len; i++)
		h = h * 131 + (u8)s[i];
	return (u32)(mix64(h) & (p->form_slots - 1));
}

/* Call with each spelling of each row: its length and row. Returns how many there are when p is NULL. */
static u32 each_form(struct ptx *p)
{
	u32 n = 0;

	for (u32 op = 0; op < OP_COUNT; op++)
		for (const char *s = op_forms[op]; *s;) {
			u32 len = (u32)strcspn(s, " "), slot;

			if (len && p) {
				for (slot = slot_of(p, s, len); p->form[slot].s;
				     slot = (slot + 1) & (p->form_slots - 1))
					;
				p->form[slot] = (struct ptx_form){s, len, (u16)op};
			}
			n += len != 0;
			s += len + (s[len] == ' ');
		}
	return n;
}

/* Hash every spelling of ops.def into p's table. */
void ptx_forms_make(struct ptx *p)
{
	u32 n = each_form(NULL);

	for (p->form_slots = 64; p->form_slots < 2 * n; p->form_slots *= 2)
		;
	p->form = arena_alloc(&p->arena, p->form_slots * sizeof(*p->form));
	each_form(p);
}

/* The row spelled exactly so, or NULL. */
const struct ptx_form *ptx_form_find(const struct ptx *p, const char *s, u32 len)
{
	u32 slot = slot_of(p, s, len);

	while (p->form[slot].s && (p->form[slot].len != len || memcmp(p->form[slot].s, s, len)))
		slot = (slot + 1) & (p->form_slots - 1);
	return p->form[slot].s ? &p->form[slot] : NULL;
}

/* Spellings that end so are those with three sources. */
#define THREE "/3"

const struct ptx_form *ptx_form_counted(const struct ptx *p, const char *op, u32 sources)
{
	const struct ptx_form *f = NULL;
	char three[80];

	if (sources == 3 && strlen(op) + sizeof(THREE) <= sizeof(three)) {
		snprintf(three, sizeof(three), "%s" THREE, op);
		f = ptx_form_find(p, three, (u32)strlen(three));
	}
	return f ? f : ptx_form_find(p, op, (u32)strlen(op));
}

/* The name that begins like s for longest. */
static const char *longest_prefix(const char *s, const char *const *names, u32 n)
{
	const char *best = NULL;
	u32 most = 0;

	for (u32 i = 0; i < n; i++) {
		u32 same = 0;

		while (s[same] && s[same] == names[i][same])
			same++;
		if (same > most || !best) {
			most = same;
			best = names[i];
		}
	}
	return best;
}

/* Add the spellings of families to names: those of one first word, or all if len is 0. */
static u32 family_forms(struct arena *a, const char *root, u32 len, const char **names, u32 n)
{
	for (const struct ptx_family *f = ptx_family_table; f->name; f++) {
		const char *s =
			f->forms && (!len || (strlen(f->name) == len && !memcmp(f->name, root, len))) ? f->forms : "";

		for (u32 one; (one = (u32)strcspn(s, " ")); s += one + (s[one] == ' '))
			names[n++] = arena_text(a, s, one);
	}
	return n;
}

/* The spelling nearest to s, in buf; forms of the same first word are preferred, however far. */
static const char *nearest_form(struct ptx *p, const char *s, char *buf, size_t size)
{
	struct arena a = {0};
	const char **names = arena_alloc(&a, p->form_slots * sizeof(*names)); /* twice the spellings of rows */
	u32 root = (u32)strcspn(s, "."), n = 0;
	const char *best = NULL;

	for (u32 pass = 0; pass < 2 && !best; pass++) {
		n = 0;
		for (u32 i = 0; i < p->form_slots; i++) {
			const struct ptx_form *f = &p->form[i];
			u32 len = f->s && f->s[f->len - 2] == THREE[0] ? f->len - 2 : f->len;
			bool kin = f->s && len >= root && !memcmp(f->s, s, root) && (len == root || f->s[root] == '.');

			if (kin || (pass && f->s))
				names[n++] = arena_text(&a, f->s, len);
		}
		n = family_forms(&a, s, pass ? 0 : root, names, n);
		best = n ? nearest_name(s, names, n) : NULL;
		if (!best && !pass)
			best = longest_prefix(s, names, n);
	}
	snprintf(buf, size, "%s", best ? best : "");
	arena_free(&a);
	return best ? buf : NULL;
}

/* Does the opcode speak of 16 or 8 bits of floating point? */
static bool is_half(const char *op)
{
	return strstr(op, ".f16") || strstr(op, ".bf16") || strstr(op, ".e4m3") || strstr(op, ".e5m2");
}

/* Fail: the opcode is no form that is supported. */
bool ptx_unknown_opcode(struct ptx *p, const struct ptx_stmt *st)
{
	u32 len = (u32)strlen(st->op);
	const char *shown = ptx_shown(st->op, len), *why = ptx_refusal(st->op, len), *near;
	char buf[80];

	if (!why && is_half(st->op))
		why = !strstr(st->op, "f16") ? "this format is not modeled (use f16 or f32)"
					     : "this operation is not modeled in half precision (use f32)";
	if (why)
		return ptx_refuse(p, st->line, st->column, "'%s' is not supported: %s", shown, why);
	near = len < sizeof(buf) && p->nnearest++ < PTX_MAX_NEAREST ? nearest_form(p, st->op, buf, sizeof(buf)) : NULL;
	if (near)
		return ptx_refuse(p, st->line, st->column,
				  "unknown instruction '%s': the nearest supported one is '%s'", shown, near);
	return ptx_refuse(p, st->line, st->column, "unknown instruction '%s': none with a similar name is supported",
			  shown);
}

/* May the opcode be read on? Its form is known or its family is taken apart when lowered; otherwise fail. */
bool ptx_known_opcode(struct ptx *p, const struct ptx_stmt *st)
{
	const struct ptx_family *family = ptx_family_of(st->op);

	if (ptx_form_counted(p, st->op, 3))
		return true;
	if (family && family->forms && !ptx_refusal(st->op, (u32)strlen(st->op)) &&
	    (!is_half(st->op) || strcmp(family->name, "mov")))
		return true;
	return ptx_unknown_opcode(p, st);
}
