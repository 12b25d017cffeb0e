/* datum.c - places of values by name (datum.h). */
#include "datum.h"

#include <ctype.h>

#include "machine.h"

/* A text taken apart. */
struct spelling {
	char *place; /* an expression */
	u32 lane;
	char letter; /* of a register by its name: r, d, p; else 0 */
};

/* Take "lane N" off the end. */
static enum status take_lane(char *text, u32 column, u32 *lane, bool *given, struct error *e)
{
	char *word = strstr(text, " lane "), *end;
	unsigned long n;

	*lane = 0;
	*given = word != NULL;
	if (!word)
		return STATUS_OK;
	n = strtoul(word + 6, &end, 10);
	if (!isdigit((u8)word[6]) || end[strspn(end, " \t")] || n >= WARP_LANES)
		return error_at(e, STATUS_USAGE, NULL, 0, column + (u32)(word + 6 - text),
				"lane must be a number from 0 to %u, not '%s'", WARP_LANES - 1, safe_text(word + 6));
	*lane = (u32)n;
	*word = 0;
	return STATUS_OK;
}

/* r12, d4, p0 at the end of a path: its letter, else 0; *at: where it begins. */
static char register_letter(const char *text, const char **at)
{
	const char *dot = strrchr(text, '.'), *name = dot ? dot + 1 : text;

	*at = name;
	if (!name[0] || !strchr("rdp", name[0]) || !isdigit((u8)name[1]) || name[1 + strspn(name + 1, "0123456789")])
		return 0;
	return name[0];
}

/* Blanks at the end go. */
static void trim(char *text)
{
	size_t n = strlen(text);

	while (n && isspace((u8)text[n - 1]))
		text[--n] = 0;
}

/* The text as an expression for expr_place(). */
static enum status take_apart(const char *text, u32 column, struct spelling *out, struct error *e)
{
	char *copy = xstrdup(text);
	const char *name;
	bool given;
	enum status st = take_lane(copy, column, &out->lane, &given, e);

	if (st) {
		free(copy);
		return st;
	}
	trim(copy);
	out->letter = register_letter(copy, &name);
	if (!out->letter) {
		if (given && !strstr(copy, "pred["))
			st = error_at(
				e, STATUS_USAGE, NULL, 0, column,
				"'lane' is allowed only with a register or predicate (example: r12 lane 3), not with '%s'",
				safe_text(copy));
		out->place = copy;
		return st;
	}
	out->place = out->letter == 'p' ? xasprintf("%.*spred[%s]", (int)(name - copy), copy, name + 1)
					: xasprintf("%.*sreg[%s][%u]", (int)(name - copy), copy, name + 1, out->lane);
	free(copy);
	return STATUS_OK;
}

/* The warp that holds what is in a context now. */
static void own(const struct session *s, struct datum *x)
{
	const struct warp *w = (struct warp *)machine_sm_section(s->sim.m, x->sm, SECTION_WARP) + x->warp;
	const struct cta *cta = (struct cta *)machine_sm_section(s->sim.m, x->sm, SECTION_CTA) + w->cta;

	x->launch = w->launch;
	x->cta = cta->id;
	x->index_in_cta = w->index;
}

/* A place within the values of a context: registers, then predicates, then local memory. */
static void within_context(const struct session *s, const struct expr_place *p, const struct spelling *t,
			   struct datum *x)
{
	const struct kernel *k = s->sim.kernel[x->launch];
	u64 preds = (u64)k->regs * WARP_LANES * 4, local = preds + k->preds * 4, at = p->at;

	x->words = t->letter == 'd' && at + WARP_LANES * 4 < preds ? 2 : 1;
	if (at < preds) {
		x->kind = DATUM_REGISTER;
		x->index = (u32)(at / (WARP_LANES * 4));
		x->lane = (u8)(at / 4 % WARP_LANES);
		x->type = x->words == 2 ? VALUE_U64 : VALUE_U32;
	} else if (at < local) {
		x->kind = DATUM_PREDICATE;
		x->index = (u32)(at - preds) / 4;
		x->lane = (u8)t->lane;
	} else {
		x->kind = DATUM_LOCAL;
		x->lane = (u8)((at - local) / max_u32(k->local_bytes, 1));
		x->address = (at - local) % max_u32(k->local_bytes, 1);
	}
}

/* What an lvalue names now. */
static void fill(const struct session *s, const struct expr_place *p, const struct spelling *t, struct datum *x)
{
	*x = (struct datum){.type = p->type, .bytes = max_u32(value_type_size[p->type], 1), .words = 1};
	if (p->space == PLACE_GLOBAL) {
		x->kind = DATUM_GLOBAL;
		x->address = p->at;
		return;
	}
	x->sm = p->sm;
	x->warp = p->warp;
	own(s, x);
	if (p->space == PLACE_CONTEXT) {
		within_context(s, p, t, x);
		return;
	}
	x->kind = DATUM_SHARED;
	x->address = p->at;
}

/* The kernels that are launched have no values, or not all do. */
static enum status has_values(const struct session *s, const struct datum *x, u32 column, struct error *e)
{
	u32 n = 0;

	for (u32 i = 0; i < s->program.nlaunch; i++)
		n += s->program.launch[i].kernel->front == FRONT_PTX;
	if (x->kind == DATUM_GLOBAL && !n)
		return error_at(e, STATUS_FAILED, NULL, 0, column,
				"no launched kernel has values (synthetic kernels and traces have none)");
	return STATUS_OK;
}

enum status datum_parse(struct session *s, const char *text, u32 column, struct datum *out, struct error *e)
{
	struct spelling t = {0};
	struct expr *x = NULL;
	struct expr_place place;
	enum status st = take_apart(text, column, &t, e);

	if (!st && !(st = expr_compile(s, t.place, &x, e)) && !expr_lies(x))
		st = error_at(
			e, STATUS_USAGE, NULL, 0, 1,
			"'%s' is not a readable location (examples: a[3], shared.f32[0], local.u32[LANE][0], r4 lane "
			"3, p0 lane 3, warp[5].r4 lane 0)",
			safe_text(text));
	if (!st)
		st = expr_place(s, x, &place, e);
	if (st && e->column)
		e->column = column;
	if (!st) {
		fill(s, &place, &t, out);
		st = has_values(s, out, column, e);
	}
	expr_free(x);
	free(t.place);
	return st;
}

/* "SM 0 warp 5 lane 3", for those that a warp has. */
static void text_owner(const struct datum *x, struct text *out)
{
	text_add(out, " of CTA %u", x->cta);
	if (x->kind != DATUM_SHARED)
		text_add(out, ", warp %u of SM %u, lane %u", x->warp, x->sm, x->lane);
	else
		text_add(out, " on SM %u", x->sm);
}

void datum_text(const struct session *s, const struct datum *x, struct text *out)
{
	const struct buffer *b = x->kind == DATUM_GLOBAL ? program_buffer_at(&s->program, x->address, NULL) : NULL;
	u64 size = b ? max_u32(value_type_size[b->type], 1) : 1;

	if (b && (x->address - b->address) % size == 0 && x->bytes == size) {
		text_add_safe(out, b->name, strlen(b->name));
		text_add(out, "[%llu]", (x->address - b->address) / size);
		return;
	}
	switch (x->kind) {
	case DATUM_GLOBAL: text_add(out, "%u bytes at 0x%llx", x->bytes, x->address); return;
	case DATUM_SHARED:
	case DATUM_LOCAL:
		text_add(out, "%u bytes of %s memory at 0x%llx", x->bytes, x->kind == DATUM_LOCAL ? "local" : "shared",
			 x->address);
		break;
	case DATUM_REGISTER: text_add(out, "%c%u", x->words == 2 ? 'd' : 'r', x->index); break;
	default: text_add(out, "p%u", x->index); break;
	}
	text_owner(x, out);
}

/* The context of an SM that has a warp of a CTA; NONE32: none. home: of a warp in slices, that which has a lane. */
static u32 find_context(const struct sim *s, const struct datum *x, u32 sm)
{
	const struct warp *w = machine_sm_section(s->m, sm, SECTION_WARP);
	const struct cta *cta = machine_sm_section(s->m, sm, SECTION_CTA);

	for (u32 i = 0; i < s->m->contexts; i++)
		if (w[i].cta != NONE16 && w[i].launch == x->launch && cta[w[i].cta].id == x->cta &&
		    (x->kind == DATUM_SHARED || w[i].index == x->index_in_cta))
			return i;
	return NONE32;
}

/* A word of n bytes. */
static u64 bytes_of(const u8 *p, u32 n)
{
	u64 v = 0;

	memcpy(&v, p, n);
	return v;
}

/* The same of what lies in a context. */
static bool read_context(const struct sim *s, const struct datum *x, u32 sm, u32 context, u64 *out)
{
	u32 n = 0;
	const u32 *r =
		x->kind == DATUM_PREDICATE ? sim_warp_preds(s, sm, context, &n) : sim_warp_regs(s, sm, context, &n);
	const u8 *p = x->kind == DATUM_SHARED  ? sim_warp_shared(s, sm, context, &n)
		      : x->kind == DATUM_LOCAL ? sim_warp_local(s, sm, context, x->lane, &n)
					       : NULL;

	if (x->kind == DATUM_SHARED || x->kind == DATUM_LOCAL) {
		*out = p && x->address + x->bytes <= n ? bytes_of(p + x->address, x->bytes) : 0;
		return p != NULL;
	}
	if (!r || x->index + x->words > n)
		return false;
	if (x->kind == DATUM_PREDICATE)
		*out = r[x->index] >> x->lane & 1;
	else
		*out = r[x->index * WARP_LANES + x->lane] |
		       (x->words == 2 ? (u64)r[(x->index + 1) * WARP_LANES + x->lane] << 32 : 0);
	return true;
}

bool datum_read(const struct sim *s, const struct datum *x, u64 *out)
{
	u8 bytes[8] = {0};

	if (x->kind == DATUM_GLOBAL) {
		store_read(&s->store, x->address, bytes, x->bytes);
		*out = bytes_of(bytes, x->bytes);
		return true;
	}
	for (u32 i = 0; i < s->m->config.gpu_sms; i++) {
		u32 sm = (x->sm + i) % s->m->config.gpu_sms, context = find_context(s, x, sm);

		if (context != NONE32)
			return read_context(s, x, sm, context, out);
	}
	return false;
}

void datum_value(u8 type, bool hex, u64 bits, struct text *out)
{
	u8 bytes[8];
	bool wide = value_type_size[type] == 8;

	memcpy(bytes, &bits, sizeof(bytes));
	if (hex || ((type == VALUE_U64 || type == VALUE_S64) && bits >> 40 && bits >> 40 != 0xffffff))
		text_add(out, wide || bits >> 32 ? "0x%llx" : "0x%08llx", bits);
	else
		value_format(value_load(type, bytes), 0, out);
}
