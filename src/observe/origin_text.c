/* origin_text.c - nodes of a tree of origins, in words (origin.h). */
#include "origin.h"

#include "lines.h"

static const char *const sreg_name[SREG_COUNT] = {
#define SREG(id, name, bits, timed) [SREG_##id] = name,
#include "sregs.def"
#undef SREG
};

u32 origin_rounds(const struct origin *o, u32 node, u32 *n)
{
	u32 next = node;

	for (*n = 0; next != NONE32; (*n)++) {
		node = next;
		for (next = o->node[node].child; next != NONE32 && !o->node[next].round;)
			next = o->node[next].next;
	}
	return node;
}

u32 origin_number(struct origin *o, u32 node)
{
	if (!o->node[node].number)
		o->node[node].number = ++o->numbers;
	return o->node[node].number;
}

u32 origin_numbered(const struct origin *o, u32 number)
{
	for (u32 i = 0; number && i < o->n; i++)
		if (o->node[i].number == number)
			return i;
	return NONE32;
}

/* The place alone: c[5], r4, shared[0x3c]. */
static void place_text(const struct session *s, const struct origin_node *x, struct text *out)
{
	const struct datum *d = &x->place;

	switch (d->kind) {
	case DATUM_GLOBAL: datum_text(s, d, out); break;
	case DATUM_SHARED: text_add(out, "shared[0x%llx]", d->address); break;
	case DATUM_LOCAL: text_add(out, "local[0x%llx]", d->address); break;
	case DATUM_REGISTER: text_add(out, "%c%u", d->words == 2 ? 'd' : 'r', d->index); break;
	default: text_add(out, "p%u", d->index); break;
	}
}

static void made_text(const struct session *s, const struct origin_node *x, struct text *out)
{
	const struct kernel *k = s->program.launch[x->launch].kernel;
	char line[128] = "";

	text_add_safe(out, kernel_text(k, x->pc), strlen(kernel_text(k, x->pc)));
	line_place(k, x->pc, line, sizeof(line));
	if (line[0])
		text_add(out, " (%s)", line);
}

/* Of the launch whose instruction reads it. */
static void parameter_text(const struct session *s, const struct origin *o, const struct origin_node *x,
			   struct text *out)
{
	const struct launch *l = &s->program.launch[o->node[x->parent].launch];

	for (u32 i = 0; i < l->kernel->nparam; i++) {
		const struct kernel_param *p = &l->kernel->param[i];

		if (x->place.address < p->offset || x->place.address >= p->offset + p->size)
			continue;
		text_add(out, "parameter ");
		text_add_safe(out, p->name, strlen(p->name));
		text_add(out, " of %s", safe_text(l->name));
		if (x->place.address != p->offset)
			text_add(out, ", byte %llu", x->place.address - p->offset);
		return;
	}
	text_add(out, "parameters of %s", safe_text(l->name));
}

/* What is no result of an instruction, and no place. */
static bool plain_text(const struct session *s, const struct origin *o, const struct origin_node *x, struct text *out)
{
	switch (x->kind) {
	case ORIGIN_PARAMETER: parameter_text(s, o, x, out); return true;
	case ORIGIN_CONSTANT: text_add(out, "constant memory at 0x%llx", x->place.address); return true;
	case ORIGIN_IMMEDIATE: text_add(out, "immediate of the instruction"); return true;
	case ORIGIN_SPECIAL: text_add(out, "%s", x->special < SREG_COUNT ? sreg_name[x->special] : "?"); return true;
	case ORIGIN_LANES: text_add(out, "active lanes"); return true;
	default: return false;
	}
}

static const char *const role[] = {[USE_VALUE] = "",
				   [USE_ADDRESS] = "address ",
				   [USE_CHOICE] = "choice ",
				   [USE_GUARD] = "guard ",
				   [USE_LANES] = ""};

void origin_text_as(const struct session *s, const struct origin *o, u32 node, u32 number, struct text *out)
{
	text_add(out, "%s", role[o->node[node].role]);
	place_text(s, &o->node[node], out);
	text_add(out, ": see row %u", number);
}

void origin_text(const struct session *s, struct origin *o, u32 node, struct text *out)
{
	const struct origin_node *x = &o->node[node];

	text_add(out, "%s", role[x->role]);
	if (plain_text(s, o, x, out))
		return;
	place_text(s, x, out);
	text_add(out, ": ");
	switch (x->kind) {
	case ORIGIN_MADE: made_text(s, x, out); break;
	case ORIGIN_SAME: text_add(out, "see row %u", origin_number(o, x->same)); break;
	case ORIGIN_HOST:
		if (x->cycle && !x->unseen)
			text_add(out, "set by the user in cycle %llu", x->cycle);
		else
			text_add(out, x->unseen ? "set by the host" : "initial value, before the first launch");
		break;
	case ORIGIN_START: text_add(out, "never written, 0 since the CTA started"); break;
	default: text_add(out, "beyond the recorded history"); break;
	}
}
