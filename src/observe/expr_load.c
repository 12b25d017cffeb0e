/*
 * expr_load.c - the operations of an expression that read something: fields, statistics, settings, buffers, the
 * focus, the record in scope.
 */
#include "control.h"
#include "events.h"
#include "expr_code.h"
#include "machine.h"

const struct derived_row derived_table[DERIVED_COUNT] = {
	[DERIVED_STATUS] = {.name = "state", .doc = "warp state in the last cycle, for example long"},
	[DERIVED_PC] = {.name = "pc", .doc = "index of the warp's next instruction (-1 = finished or not resident)"},
	[DERIVED_MASK] = {.name = "mask", .doc = "lanes active in the warp's next instruction, as a bit mask"},
	[DERIVED_SUB] = {.name = "sub", .doc = "sub-core of the warp"},
	[DERIVED_REG] = {.name = "reg",
			 .nargs = 2,
			 .doc = "reg[R][LANE]: 32-bit value of a physical register in a lane"},
	[DERIVED_PRED] = {.name = "pred", .nargs = 1, .doc = "pred[P]: predicate as a bit mask of lanes"},
	[DERIVED_SHARED] =
		{.name = "shared",
		 .nargs = 1,
		 .typed = true,
		 .doc = "shared[I], shared.TYPE[I]: element of the CTA's shared memory (32 bits unless a TYPE is given)"},
	[DERIVED_LOCAL] =
		{.name = "local",
		 .nargs = 2,
		 .typed = true,
		 .doc = "local[LANE][I], local.TYPE[LANE][I]: element of a lane's local memory (32 bits unless a "
			"TYPE is given)"},
};

/* A type that elements can have, by its name; type stays where it is none. */
static bool find_type(const char *name, u8 *type)
{
	int found = value_type_named(name);

	*type = found < 0 ? *type : (u8)found;
	return found >= 0;
}

int expr_derived_find(const char *name, u8 *type)
{
	*type = VALUE_U32;
	if (!strcmp(name, "status")) /* its former name */
		return DERIVED_STATUS;
	for (int i = 0; i < DERIVED_COUNT; i++) {
		size_t n = strlen(derived_table[i].name);

		if (strncmp(derived_table[i].name, name, n))
			continue;
		if (!name[n] || (derived_table[i].typed && name[n] == '.' && find_type(name + n + 1, type)))
			return i;
	}
	return -1;
}

bool expr_is_global(const char *name, u8 *type)
{
	*type = VALUE_U32;
	return !strncmp(name, "global", 6) && (!name[6] || (name[6] == '.' && find_type(name + 7, type)));
}

/* An error at the place of an operation. */
#define FAIL(e, c, ...) error_at(e, STATUS_FAILED, NULL, 0, (c)->column, __VA_ARGS__)

/* Whether index i lies in 0..n-1; else an error that says so. */
static enum status check_index(const struct expr_code *c, const char *what, struct value v, u64 n, struct error *e)
{
	i64 i = v.i;

	if (v.kind != VALUE_INT)
		return FAIL(e, c, "index of %s must be an integer", what);
	if (i >= 0 && (u64)i < n)
		return STATUS_OK;
	if (!n)
		return FAIL(e, c, "there is no %s", what);
	return FAIL(e, c, "no %s %lld (valid: 0 to %llu)", what, i, n - 1);
}

/* Blocks of a place: SMs, L2 slices, DRAM channels. */
static u32 place_blocks(const struct machine *m, u32 where)
{
	switch (where) {
	case IN_SM: return m->config.gpu_sms;
	case IN_SLICE: return m->config.l2_slices;
	case IN_CHANNEL: return m->config.dram_channels;
	default: return 1;
	}
}

static const u8 field_bytes[] = {[FIELD_U8] = 1, [FIELD_U16] = 2, [FIELD_U32] = 4, [FIELD_U64] = 8};

/* Number `index` of a field of the struct at p. */
static i64 field_number(const u8 *p, const struct field *f, u64 index)
{
	u32 size = field_bytes[f->type];
	u64 n = 0;

	memcpy(&n, p + f->offset + index * size, size);
	return (i64)n;
}

/* Tell who asks where the value lies. */
static void tell_place(const struct expr_scope *scope, struct expr_place place)
{
	if (scope && scope->place)
		*scope->place = place;
}

/* A field of the machine: arg holds block, element and field index, those that it needs. */
static enum status load_field(struct session *s, const struct expr_code *c, const struct expr_scope *scope,
			      const struct value *arg, struct value *out, struct error *e)
{
	static const char *const block_name[] = {
		[IN_GPU] = "GPU", [IN_SM] = "SM", [IN_SLICE] = "L2 slice", [IN_CHANNEL] = "DRAM channel"};
	const struct section_row *row = section_of(c->a);
	const struct field *f = &row->field[c->b];
	const struct machine *m = s->sim.m;
	u64 block = 0, element = 0, index = 0;
	u32 n = 0;

	if (row->where != IN_GPU) {
		if (check_index(c, block_name[row->where], arg[n], place_blocks(m, row->where), e))
			return STATUS_FAILED;
		block = (u64)arg[n++].i;
	}
	if (n + (f->count > 1) < c->nargs) {
		if (c->a == SECTION_CONTROL && !section_elements(m, c->a))
			return FAIL(e, c, CONTROL_MISSING);
		if (check_index(c, row->path, arg[n], section_elements(m, c->a), e))
			return STATUS_FAILED;
		element = (u64)arg[n++].i;
	}
	if (f->count > 1) {
		if (check_index(c, f->name, arg[n], f->count, e))
			return STATUS_FAILED;
		index = (u64)arg[n].i;
	}
	if (c->a == SECTION_CONTROL)
		tell_place(scope, (struct expr_place){PLACE_CONTROL, VALUE_U8, .at = element * row->size + f->offset});
	*out = value_int(field_number(section_bytes(m, c->a, (u32)block) + element * row->size, f, index));
	return STATUS_OK;
}

/* A lane of a register, or a predicate, of a warp. */
static enum status load_values(struct session *s, const struct expr_code *c, const struct expr_scope *scope, u32 sm,
			       u32 warp, const struct value *arg, struct value *out, struct error *e)
{
	u32 n = 0;
	const u32 *p =
		c->a == DERIVED_REG ? sim_warp_regs(&s->sim, sm, warp, &n) : sim_warp_preds(&s->sim, sm, warp, &n);

	if (!p)
		return FAIL(
			e, c,
			"warp %u of SM %u has no registers to show: it is not resident, or its kernel has no values "
			"(trace, synthetic)",
			warp, sm);
	if (check_index(c, c->a == DERIVED_REG ? "register" : "predicate", arg[0], n, e))
		return STATUS_FAILED;
	if (c->a == DERIVED_PRED) {
		u64 at = (u64)((const u8 *)(p + arg[0].i) - (const u8 *)sim_warp_regs(&s->sim, sm, warp, &n));

		tell_place(scope, (struct expr_place){PLACE_CONTEXT, VALUE_U32, true, sm, warp, at});
		*out = value_int(p[arg[0].i]);
		return STATUS_OK;
	}
	if (check_index(c, "lane", arg[1], WARP_LANES, e))
		return STATUS_FAILED;
	tell_place(scope, (struct expr_place){PLACE_CONTEXT, VALUE_U32, false, sm, warp,
					      (u64)(arg[0].i * WARP_LANES + arg[1].i) * 4});
	*out = value_int(p[arg[0].i * WARP_LANES + arg[1].i]);
	return STATUS_OK;
}

/* An element of shared memory, or of a lane's local memory. */
static enum status load_memory(struct session *s, const struct expr_code *c, const struct expr_scope *scope, u32 sm,
			       u32 warp, const struct value *arg, struct value *out, struct error *e)
{
	bool local = c->a == DERIVED_LOCAL;
	u32 bytes = 0, size = value_type_size[c->b], n;
	const struct value *i = &arg[local];
	const u8 *p, *base;

	if (local && check_index(c, "lane", arg[0], WARP_LANES, e))
		return STATUS_FAILED;
	p = local ? sim_warp_local(&s->sim, sm, warp, (u32)arg[0].i, &bytes)
		  : sim_warp_shared(&s->sim, sm, warp, &bytes);
	if (!p)
		return FAIL(e, c, "warp %u of SM %u has no %s memory", warp, sm, local ? "local" : "shared");
	if (check_index(c, local ? "element of local memory" : "element of shared memory", *i, bytes / size, e))
		return STATUS_FAILED;
	base = local ? (const u8 *)sim_warp_regs(&s->sim, sm, warp, &n) : p;
	tell_place(scope, (struct expr_place){local ? PLACE_CONTEXT : PLACE_SHARED, (u8)c->b, false, sm, warp,
					      (u64)(p - base) + (u64)i->i * size});
	*out = value_load((u8)c->b, p + (u64)i->i * size);
	return STATUS_OK;
}

/* A value of global memory by its address. */
static enum status load_global(struct session *s, const struct expr_code *c, const struct expr_scope *scope,
			       const struct value *arg, struct value *out, struct error *e)
{
	u32 size = value_type_size[c->b];
	u64 address = (u64)arg[0].i;
	const struct buffer *b;
	u8 bytes[8];

	if (arg[0].kind != VALUE_INT)
		return FAIL(e, c, "address must be an integer");
	b = program_buffer_at(&s->program, address, NULL);
	if (b && b->bytes - (address - b->address) >= size) {
		store_read(session_store(s), address, bytes, size);
		*out = value_load((u8)c->b, bytes);
		tell_place(scope, (struct expr_place){PLACE_GLOBAL, (u8)c->b, .at = address});
		return STATUS_OK;
	}
	return FAIL(e, c, "no buffer contains %u byte%s at 0x%llx (`info buffers` lists the addresses)", size,
		    size == 1 ? "" : "s", address);
}

/* What a warp has beside its struct: arg holds SM, warp, then its own indices. */
static enum status load_derived(struct session *s, const struct expr_code *c, const struct expr_scope *scope,
				const struct value *arg, struct value *out, struct error *e)
{
	const struct machine *m = s->sim.m;
	u32 sm, warp, mask = 0, pc;

	if (check_index(c, "SM", arg[0], m->config.gpu_sms, e) || check_index(c, "warp", arg[1], m->contexts, e))
		return STATUS_FAILED;
	sm = (u32)arg[0].i;
	warp = (u32)arg[1].i;
	if (c->a == DERIVED_REG || c->a == DERIVED_PRED)
		return load_values(s, c, scope, sm, warp, arg + 2, out, e);
	if (derived_table[c->a].typed)
		return load_memory(s, c, scope, sm, warp, arg + 2, out, e);
	pc = sim_warp_pc(&s->sim, sm, warp, &mask);
	switch (c->a) {
	case DERIVED_STATUS: *out = value_int(sim_warp_status(&s->sim, sm, warp)); break;
	case DERIVED_PC: *out = value_int(pc == NONE32 ? -1 : (i64)pc); break;
	case DERIVED_MASK: *out = value_int(mask); break;
	default: *out = value_int(warp % m->config.sm_subcores); break;
	}
	return STATUS_OK;
}

/* How many warps of an SM, or of one of its sub-cores, have a status: arg holds SM, sub-core. */
static enum status load_tally(struct session *s, const struct expr_code *c, const struct value *arg, struct value *out,
			      struct error *e)
{
	const struct machine *m = s->sim.m;
	i64 n = 0;

	if (check_index(c, "SM", arg[0], m->config.gpu_sms, e) ||
	    (c->nargs == 2 && check_index(c, "sub-core", arg[1], m->config.sm_subcores, e)))
		return STATUS_FAILED;
	for (u32 i = 0; i < m->contexts; i++)
		if (c->nargs == 1 || i % m->config.sm_subcores == (u64)arg[1].i)
			n += sim_warp_status(&s->sim, (u32)arg[0].i, i) == c->a;
	*out = value_int(n);
	return STATUS_OK;
}

/* The focus and what hangs on the focused warp; -1 where there is nothing. */
static i64 focus_number(const struct session *s, u8 what)
{
	const struct focus *f = &s->focus;
	bool there = focus_exists(s);
	const struct warp *warp =
		there ? (struct warp *)machine_sm_section(s->sim.m, f->sm, SECTION_WARP) + f->warp : NULL;
	const struct cta *cta = there ? machine_sm_section(s->sim.m, f->sm, SECTION_CTA) : NULL;
	u32 mask, pc;

	switch (what) {
	case FOCUS_CYCLE: return s->live ? (i64)machine_gpu(s->sim.m)->cycle : 0;
	case FOCUS_SM: return f->sm;
	case FOCUS_SUB: return f->sub;
	case FOCUS_WARP: return f->warp;
	case FOCUS_BREAK: return s->last_break;
	case FOCUS_HITS: return (i64)s->last_hits;
	case FOCUS_CTA: return !there || warp->cta == NONE16 ? -1 : (i64)cta[warp->cta].id;
	case FOCUS_KERNEL: return !there || warp->cta == NONE16 ? -1 : warp->launch;
	case FOCUS_PC:
		pc = there ? sim_warp_pc(&s->sim, f->sm, f->warp, &mask) : NONE32;
		return pc == NONE32 ? -1 : (i64)pc;
	default: return -1;
	}
}

/* A number of a record, by what it is or by the name that its event gives to a and b. */
static bool record_number(const struct record *r, u8 what, const char *name, i64 *out)
{
	const struct event_row *row = r->kind < EVENT_COUNT ? &event_table[r->kind] : NULL;

	if (row && row->a[0] && !strcmp(name, row->a))
		what = FOCUS_A;
	else if (row && row->b[0] && !strcmp(name, row->b))
		what = FOCUS_B;
	switch (what) {
	case FOCUS_SM: *out = r->sm == NONE16 ? -1 : r->sm; return true;
	case FOCUS_SUB: *out = r->sub == 0xff ? -1 : r->sub; return true;
	case FOCUS_WARP: *out = r->warp == NONE16 ? -1 : r->warp; return true;
	case FOCUS_CTA: *out = r->cta == NONE32 ? -1 : (i64)r->cta; return true;
	case FOCUS_PC: *out = r->pc == NONE32 ? -1 : (i64)r->pc; return true;
	case FOCUS_KERNEL: *out = r->launch == 0xff ? -1 : r->launch; return true;
	case FOCUS_A: *out = r->a; return true;
	case FOCUS_B: *out = r->b; return true;
	case FOCUS_ADDRESS: *out = (i64)r->address; return true;
	default: return false;
	}
}

const struct buffer *expr_buffer(const struct session *s, const char *name)
{
	for (u32 i = 0; i < s->program.nbuffer; i++)
		if (!strcmp(s->program.buffer[i].name, name)) /* NOLINT(clang-analyzer-core.*): nbuffer of them */
			return &s->program.buffer[i];
	return NULL;
}

/* A plain name: the scope's, the record's, or what it stands for otherwise. */
static enum status load_name(struct session *s, const struct expr_code *c, const struct expr_scope *scope,
			     struct value *out, struct error *e)
{
	const struct buffer *b = c->a == FALL_ADDRESS ? expr_buffer(s, c->name) : NULL;
	i64 n;

	if (scope && scope->lookup && scope->lookup(scope->self, c->name, out))
		return STATUS_OK;
	if (scope && scope->record && c->name[0] != '$' && record_number(scope->record, c->focus, c->name, &n)) {
		*out = value_int(n);
		return STATUS_OK;
	}
	if (c->a == FALL_NONE) {
		const char *near = stat_nearest(c->name);

		if (c->focus)
			return FAIL(
				e, c,
				"'%s' is a field of an event (allowed only in the condition of a breakpoint on events)",
				c->name);
		return FAIL(e, c, "unknown name '%s' (%s%s%s)", safe_text(c->name), near ? "did you mean '" : "",
			    near ? near : "`explain fields` and `stats` list names", near ? "'?" : "");
	}
	if (c->a == FALL_ADDRESS && !b)
		return FAIL(e, c, "buffer '%s' no longer exists", safe_text(c->name));
	if (b)
		*out = value_int((i64)b->address);
	else
		*out = c->a == FALL_VALUE ? c->value : value_int(focus_number(s, c->focus));
	return STATUS_OK;
}

struct value value_load(u8 type, const u8 *p)
{
	union {
		u8 u8_;
		i8 s8;
		u16 u16_;
		i16 s16;
		u32 u32_;
		i32 s32;
		i64 s64;
		float f32;
		double f64;
	} v = {0};

	switch (value_type_size[type]) { /* copies of a known size are no calls */
	case 1: memcpy(&v, p, 1); break;
	case 2: memcpy(&v, p, 2); break;
	case 4: memcpy(&v, p, 4); break;
	default: memcpy(&v, p, 8);
	}
	switch ((enum value_type)type) {
	case VALUE_U8:
	case VALUE_BYTES: return value_int(v.u8_);
	case VALUE_S8: return value_int(v.s8);
	case VALUE_U16: return value_int(v.u16_);
	case VALUE_S16: return value_int(v.s16);
	case VALUE_U32: return value_int(v.u32_);
	case VALUE_S32: return value_int(v.s32);
	case VALUE_F32: return value_real(v.f32);
	case VALUE_F64: return value_real(v.f64);
	case VALUE_U64: return value_uint((u64)v.s64);
	default: return value_int(v.s64);
	}
}

/* Element i of a buffer; the store's value, or the initial one before there is a machine. */
static enum status expr_element(struct session *s, const struct buffer *b, i64 i, u32 column, struct value *out,
				struct error *e)
{
	u32 size = value_type_size[b->type] ? value_type_size[b->type] : 1;
	const struct store *store = s->functional ? s->functional : s->live ? &s->sim.store : NULL;
	u8 bytes[8] = {0};

	if (i < 0 || (u64)i >= b->count)
		return error_at(e, STATUS_FAILED, NULL, 0, column,
				"index out of range: '%s[%lld]' (the buffer has %llu elements)", safe_text(b->name), i,
				b->count);
	if (store)
		store_read(store, b->address + (u64)i * size, bytes, size);
	else if (b->init)
		memcpy(bytes, b->init + (u64)i * size, size);
	*out = value_load(b->type, bytes);
	return STATUS_OK;
}

enum status buffer_element(struct session *s, const struct buffer *b, i64 i, struct value *out, struct error *e)
{
	return expr_element(s, b, i, 0, out, e);
}

/* An element of a buffer. */
static enum status load_buffer(struct session *s, const struct expr_code *c, const struct expr_scope *scope,
			       const struct value *arg, struct value *out, struct error *e)
{
	const struct buffer *b = c->b < s->program.nbuffer ? &s->program.buffer[c->b] : NULL;

	if (!b || strcmp(b->name, c->name))
		b = expr_buffer(s, c->name);
	if (!b)
		return FAIL(e, c, "no buffer '%s' (`info buffers` lists them)", safe_text(c->name));
	if (arg[0].kind != VALUE_INT)
		return FAIL(e, c, "index of '%s' must be an integer", safe_text(c->name));
	tell_place(scope, (struct expr_place){PLACE_GLOBAL, b->type,
					      .at = b->address + (u64)arg[0].i * max_u32(value_type_size[b->type], 1)});
	return expr_element(s, b, arg[0].i, c->column, out, e);
}

/* A statistic. */
static enum status load_stat(struct session *s, const struct expr_code *c, const struct value *arg, struct value *out,
			     struct error *e)
{
	struct stat_handle h = {.row = c->a, .launch = (u16)c->b};

	if (stat_table[c->a].source == FROM_SUBCORE && check_index(c, "sub-core", arg[0], stat_count(s, h), e))
		return STATUS_FAILED;
	if (stat_read(s, h, c->nargs ? (u32)arg[0].i : 0, out))
		return STATUS_OK;
	if (stat_table[c->a].source == FROM_KERNEL)
		return FAIL(e, c, "kernel %u has not been launched, or this statistic is not a number", c->b);
	return FAIL(e, c, "'%s' has no numeric value", stat_table[c->a].name);
}

enum status expr_load(struct session *s, const struct expr_code *c, const struct expr_scope *scope,
		      const struct value *arg, struct value *out, struct error *e)
{
	const struct config *config;

	switch (c->op) {
	case X_NAME: return load_name(s, c, scope, out, e);
	case X_BUFFER: return load_buffer(s, c, scope, arg, out, e);
	case X_SETTING:
		config = s->live && !(setting_table[c->a].flags & FLAG_HOST) ? &s->sim.m->config : &s->config;
		*out = value_int(config_get(config, (enum setting_id)c->a));
		return STATUS_OK;
	default: break;
	}
	if (!s->live)
		return FAIL(e, c, "no machine yet (launch a kernel and `step` first)");
	if (c->op == X_STAT)
		return load_stat(s, c, arg, out, e);
	if (c->op == X_TALLY)
		return load_tally(s, c, arg, out, e);
	if (c->op == X_GLOBAL)
		return load_global(s, c, scope, arg, out, e);
	return c->op == X_FIELD ? load_field(s, c, scope, arg, out, e) : load_derived(s, c, scope, arg, out, e);
}
