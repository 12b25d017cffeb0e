/*
 * expr_path.c - names with brackets: fields of the machine by path, elements of buffers and of statistics.
 */
#include "expr_parse.h"
#include "machine.h"

/* [expression] */
static enum status expr_index(struct parser *p)
{
	u32 at = expr_column(p);

	if (!expr_take(p, '['))
		return expr_expected(p, "'[' and an index");
	if (expr_enter(p) || expr_conditional(p))
		return STATUS_USAGE;
	p->depth--;
	if (!expr_take(p, ']'))
		return expr_expected(p, "']' for the '[' in column %u", at);
	return STATUS_OK;
}

/* Emit the focus as an index: $sm. */
static enum status emit_focus(struct parser *p, const char *name, u32 at)
{
	struct expr_code *c = expr_emit(p, X_NAME, at);

	return c ? expr_resolve(p->s, name, c, p->e) : STATUS_USAGE;
}

/* The fields of a section, for a message. */
static void list_fields(struct text *t, int section)
{
	const struct section_row *row = section_of((u32)section);

	for (u32 i = 0; i < row->nfields; i++)
		if (strncmp(row->field[i].name, "spare", 5) && strncmp(row->field[i].name, "pad", 3))
			text_add(t, "%s%s", t->len ? " " : "", row->field[i].name);
	for (int i = 0; section == SECTION_WARP && i < DERIVED_COUNT; i++)
		text_add(t, " %s", derived_table[i].name);
}

/* An error that tells what may follow a section. */
static enum status no_field(struct parser *p, int section, const char *name, u32 at)
{
	struct text t = {0};

	char first[EXPR_NAME];
	int array;

	snprintf(first, sizeof(first), "%.*s", (int)strcspn(name, "."), name);
	array = expr_section(first, section_of((u32)section)->where);
	if (array >= 0 && array != section)
		return WRONG(p, at, "'%s' is an array (write %s[N].FIELD)", first, first);
	list_fields(&t, section);
	WRONG(p, at, "'%s' has no field '%s' (fields: %s)", section_of((u32)section)->path, name, t.s);
	text_free(&t);
	return STATUS_USAGE;
}

/* A field that is not in a struct: sm[S].warp[N].status. Its indices follow. type: of its elements. */
static enum status parse_derived(struct parser *p, int derived, u8 type, u32 at)
{
	struct expr_code *c;

	for (u32 i = 0; i < derived_table[derived].nargs; i++)
		if (expr_index(p))
			return STATUS_USAGE;
	c = expr_emit(p, X_DERIVED, at);
	if (!c)
		return STATUS_USAGE;
	c->a = (u16)derived;
	c->b = type;
	c->nargs = (u8)(2 + derived_table[derived].nargs);
	return STATUS_OK;
}

/* Are the values of a section sums that are brought up to date when they are asked for? */
static bool summed(u32 section)
{
	return section == SECTION_LAUNCH || section == SECTION_KERNEL_SUM || section == SECTION_KERNEL;
}

/* The status that a name is of, -1: of none. */
static int status_named(const char *name)
{
	for (int i = 0; i < WARP_STATUS_COUNT; i++)
		if (!strcmp(warp_status_table[i].name, name))
			return i;
	return -1;
}

/* sm[S].eligible, sub[N].eligible: how many warps have that status. *taken: it is one of these. */
static enum status parse_tally(struct parser *p, int section, u32 nargs, const char *name, u32 at, bool *taken)
{
	int status = section == SECTION_SM || section == SECTION_SUB ? status_named(name) : -1;
	struct expr_code *c;

	*taken = status >= 0;
	if (!*taken)
		return STATUS_OK;
	c = expr_emit(p, X_TALLY, at);
	if (!c)
		return STATUS_USAGE;
	c->a = (u16)status;
	c->nargs = (u8)nargs;
	return STATUS_OK;
}

/* The field after a section whose nargs indices are on the stack. */
static enum status parse_field(struct parser *p, int section, u32 nargs, const char *name, u32 at)
{
	struct expr_code *c;
	u8 type;
	int field, derived = section == SECTION_WARP ? expr_derived_find(name, &type) : -1;

	if (derived >= 0)
		return parse_derived(p, derived, type, at);
	field = expr_field(section, name);
	if (field < 0) {
		bool tally;
		enum status st = parse_tally(p, section, nargs, name, at, &tally);

		return tally ? st : no_field(p, section, name, at);
	}
	if (section_of((u32)section)->field[field].count > 1) {
		if (expr_index(p))
			return STATUS_USAGE;
		nargs++;
	}
	c = expr_emit(p, X_FIELD, at);
	if (!c)
		return STATUS_USAGE;
	c->a = (u16)section;
	c->b = (u32)field;
	c->nargs = (u8)nargs;
	p->x->stats |= summed((u32)section);
	return STATUS_OK;
}

/* .NAME after an index. */
static enum status take_member(struct parser *p, const char *of, char out[EXPR_NAME], u32 *at)
{
	*at = expr_column(p);
	if (!expr_take(p, '.'))
		return WRONG(p, *at, "missing field of '%s' (write %s[0].FIELD)", of, of);
	*at = expr_column(p);
	return expr_take_name(p, out);
}

/* sm[3]. and on: a section of that block, or a field of its own. The block's index is on the stack. */
static enum status parse_block(struct parser *p, int head)
{
	const struct section_row *row = section_of((u32)head);
	char name[EXPR_NAME], field[EXPR_NAME];
	u32 at, field_at;
	int inner, own;

	if (take_member(p, row->path, name, &at))
		return STATUS_USAGE;
	expr_column(p);
	inner = p->text[p->at] == '[' ? expr_section(name, row->where) : -1;
	if (inner < 0 && expr_own(name, row->where, &own) >= 0)
		return parse_field(p, expr_own(name, row->where, &own), 1, strchr(name, '.') + 1, at);
	if (inner < 0 || inner == head)
		return parse_field(p, head, 1, name, at);
	if (expr_index(p) || take_member(p, name, field, &field_at))
		return STATUS_USAGE;
	return parse_field(p, inner, 2, field, field_at);
}

/* Whether the bracket that comes next is followed by a dot when it closes: then it is a path, not an element. */
bool expr_path_follows(const struct parser *p)
{
	const char *t = p->text + p->at;
	u32 open = 0;

	for (; *t; t++) {
		open += *t == '[';
		if (*t == ']' && !--open)
			break;
	}
	return *t && t[1 + strspn(t + 1, " \t")] == '.';
}

/* sm[3].warp[5].pc, warp[5].pc in the focused SM, launch[0].issued, slice[1].clock. */
enum status expr_path(struct parser *p, const char *name, u32 at, bool *taken)
{
	char field[EXPR_NAME];
	int head = expr_section(!strncmp(name, "gpu.", 4) ? name + 4 : name, IN_GPU);

	*taken = true;
	for (u32 where = IN_SM; where <= IN_CHANNEL; where++) {
		int block = expr_section(name, where);

		if (block == SECTION_SM || block == SECTION_SLICE || block == SECTION_CHANNEL)
			return expr_index(p) ? STATUS_USAGE : parse_block(p, block);
	}
	if (head >= 0) {
		if (expr_index(p) || take_member(p, name, field, &at))
			return STATUS_USAGE;
		return parse_field(p, head, 1, field, at);
	}
	head = expr_section(name, IN_SM);
	*taken = head >= 0;
	if (head < 0)
		return STATUS_OK;
	if (emit_focus(p, "$sm", at) || expr_index(p) || take_member(p, name, field, &at))
		return STATUS_USAGE;
	return parse_field(p, head, 2, field, at);
}

/* shared.f99: an error that tells the types. Other names are left alone. */
static enum status no_type(struct parser *p, const char *name, u32 at, bool *taken)
{
	char head[EXPR_NAME];
	struct text types = {0};
	u8 type;

	snprintf(head, sizeof(head), "%.*s", (int)strcspn(name, "."), name);
	*taken = head[0] && name[strlen(head)] &&
		 (expr_is_global(head, &type) ||
		  (expr_derived_find(head, &type) >= 0 && derived_table[expr_derived_find(head, &type)].typed));
	if (!*taken)
		return STATUS_OK;
	for (u32 i = 0; i < VALUE_BYTES; i++)
		text_add(&types, " %s", value_type_name[i]);
	WRONG(p, at, "unknown element type '%s' (types:%s)", name + strlen(head) + 1, types.s);
	text_free(&types);
	return STATUS_USAGE;
}

/* reg[4][0], shared.f32[3]: of the focused warp. global.f32[ADDRESS]. *taken: it is one of these. */
static enum status parse_values(struct parser *p, const char *name, u32 at, bool *taken)
{
	struct expr_code *c;
	u8 type;
	int derived = expr_derived_find(name, &type);

	*taken = derived >= 0 && derived_table[derived].nargs;
	if (*taken)
		return emit_focus(p, "$sm", at) || emit_focus(p, "$warp", at) ? STATUS_USAGE
									      : parse_derived(p, derived, type, at);
	*taken = expr_is_global(name, &type);
	if (!*taken)
		return no_type(p, name, at, taken);
	if (expr_index(p))
		return STATUS_USAGE;
	c = expr_emit(p, X_GLOBAL, at);
	if (!c)
		return STATUS_USAGE;
	c->b = type;
	c->nargs = 1;
	return STATUS_OK;
}

/* An element of a buffer, or of a statistic that is an array, or one of values. */
enum status expr_element_of(struct parser *p, const char *name, u32 at)
{
	const struct buffer *b = expr_buffer(p->s, name);
	struct stat_handle h;
	struct expr_code *c;
	bool array = stat_find(name, &h) && stat_table[h.row].source == FROM_SUBCORE, taken = false;
	enum status st = array || b ? STATUS_OK : parse_values(p, name, at, &taken);

	if (taken)
		return st;
	if (!array && !b && (p->s->live || strchr(name, '.')))
		return WRONG(p, at, "no buffer '%s' (`info buffers` lists them)", name);
	if (expr_index(p))
		return STATUS_USAGE;
	c = expr_emit(p, array ? X_STAT : X_BUFFER, at);
	if (!c)
		return STATUS_USAGE;
	c->nargs = 1;
	c->a = array ? h.row : 0;
	c->b = b ? (u32)(b - p->s->program.buffer) : 0;
	c->name = array ? NULL : xstrdup(name);
	p->x->stats |= array;
	return STATUS_OK;
}
