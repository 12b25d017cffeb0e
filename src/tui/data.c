/* data.c - what pane `data` looks at, changed by the command `data` and its keys (data.h, tui.h). */
#include "data.h"

#include "desk.h"

/* The location that a wish stands for: memory of the focused warp and lane is looked up now. */
static struct data_place place_now(const struct pane_view *v)
{
	const struct data_wish *wish = panes_data_now(v->session);
	struct data_place p = wish ? wish->now : (struct data_place){0};

	if (p.extent.kind == EXTENT_NONE && v->session->program.nbuffer)
		p = (struct data_place){.extent = {.kind = EXTENT_BUFFER}, .type = v->session->program.buffer[0].type};
	if (p.warp) {
		p.extent.sm = v->focus.sm;
		p.extent.warp = v->focus.warp;
	}
	if (p.lane)
		p.extent.lane = v->lane;
	return p;
}

bool data_shown(const struct pane_view *v, struct data_shown *out)
{
	const struct data_wish *wish = panes_data_now(v->session);
	struct data_place p = place_now(v);

	p.extent.bytes = extent_bytes(v->session, &p.extent);
	*out = (struct data_shown){.extent = p.extent, .type = p.type, .hex = wish && wish->hex};
	out->size = max_u32(value_type_size[p.type], 1);
	out->count = p.extent.bytes / out->size;
	out->at = out->count ? min_u64(p.at / out->size, out->count - 1) * out->size : 0;
	return v->sim && out->count;
}

const char *data_name(const struct session *s, const struct extent *x)
{
	if (x->kind == EXTENT_BUFFER)
		return x->buffer < s->program.nbuffer ? safe_text(s->program.buffer[x->buffer].name) : "";
	return x->kind == EXTENT_SHARED ? "shared" : x->kind == EXTENT_LOCAL ? "local" : "";
}

/* Cells of an element at most, by type. */
static const u8 cell_width[VALUE_TYPE_COUNT] = {3, 4, 5, 6, 10, 11, 20, 20, 12, 16, 3};

#define ADDRESS_LEAST 60 /* columns from which rows have their address */
#define ROW_MOST 32

struct data_row data_row(const struct session *s, const struct data_shown *d, u32 width)
{
	u64 base = d->extent.kind == EXTENT_BUFFER ? s->program.buffer[d->extent.buffer].address : 0;
	struct data_row r = {.cell = d->hex ? 2 * d->size : cell_width[d->type], .n = 1};
	char text[32];
	u32 room;

	r.number = (u32)snprintf(text, sizeof(text), "[%llu]", d->count);
	if (width >= ADDRESS_LEAST)
		r.address = max_u32(7, (u32)snprintf(text, sizeof(text), "0x%llx", base + d->extent.bytes));
	room = r.number + 2 + (r.address ? r.address + 1 : 0);
	room = width > room ? width - room : 0;
	while (r.n < ROW_MOST && 2 * r.n * (r.cell + 1) <= room)
		r.n *= 2;
	return r;
}

void data_text(const struct data_shown *d, const u8 *bytes, char out[32])
{
	struct value v = value_load(d->type, bytes);
	u64 bits = 0;

	memcpy(&bits, bytes, d->size);
	if (d->hex)
		snprintf(out, 32, "%0*llx", (int)(2 * d->size), bits);
	else if (v.kind == VALUE_REAL)
		snprintf(out, 32, "%.*g", d->type == VALUE_F64 ? 9 : 6, v.r);
	else if (v.is_unsigned)
		snprintf(out, 32, "%llu", (u64)v.i);
	else
		snprintf(out, 32, "%lld", v.i);
}

/* --- what the command and the keys do --- */

/* The wish with what is shown now as its place; where nothing is there now it stays what it was. */
static struct data_wish *wish_at(struct session *s, struct data_shown *d)
{
	struct pane_view v;
	struct data_wish *wish = panes_data(s);

	pane_view_now(s, &v);
	data_shown(&v, d);
	if (wish->now.extent.kind == EXTENT_NONE && d->extent.kind != EXTENT_NONE)
		wish->now = (struct data_place){.extent = d->extent, .type = d->type};
	if (d->count)
		wish->now.at = d->at;
	desk_of(s)->scroll[PANE_data] = 0;
	return wish;
}

/* Go to a place; the one before is kept. */
static void go(struct session *s, struct data_place to)
{
	struct data_shown d;
	struct data_wish *wish = wish_at(s, &d);

	if (wish->npast == DATA_PAST)
		memmove(wish->past, wish->past + 1, --wish->npast * sizeof(*wish->past));
	if (wish->now.extent.kind != EXTENT_NONE)
		wish->past[wish->npast++] = wish->now;
	wish->now = to;
}

/* Is it memory of the focused warp that a text names? It may not be there yet. */
static bool focused_memory(const char *text, struct extent *x)
{
	bool shared = !strncmp(text, "shared", 6);
	const char *type = text + (shared ? 6 : 5);

	if (!shared && strncmp(text, "local", 5) != 0)
		return false;
	*x = (struct extent){.kind = shared ? EXTENT_SHARED : EXTENT_LOCAL, .type = VALUE_U32};
	if (*type == '.' && value_type_named(type + 1) >= 0)
		x->type = (u8)value_type_named(type + 1);
	return true;
}

enum status data_go(struct session *s, const char *text, struct error *e)
{
	struct data_place to = {0};
	struct pane_view v;
	enum status st;
	bool whole;

	pane_view_now(s, &v);
	st = extent_named(s, text, v.lane, &to.extent, &to.at, &whole, e);
	if (st && !(whole && focused_memory(text, &to.extent)))
		return st;
	to.type = to.extent.type == VALUE_BYTES ? VALUE_U8 : to.extent.type;
	to.warp = to.extent.kind != EXTENT_BUFFER && (!strncmp(text, "shared", 6) || !strncmp(text, "local", 5));
	to.lane = to.warp && whole && to.extent.kind == EXTENT_LOCAL;
	go(s, to);
	return STATUS_OK;
}

bool data_move(struct session *s, i64 by, enum data_unit unit)
{
	struct data_shown d;
	struct data_wish *wish = wish_at(s, &d);
	const struct area *a = desk_area(desk_of(s), PANE_data); /* else the size that it would have */
	u32 height = a ? a->height : pane_table[PANE_data]->size.wish_height;
	bool chosen = d.count || wish->now.extent.kind != EXTENT_NONE;
	u64 most = d.count ? d.count - 1 : UINT32_MAX, at = wish->now.at / d.size, far = (u64)(by < 0 ? -by : by);

	if (unit != DATA_ELEMENT)
		far *= data_row(s, &d, a ? a->width : s->columns ? s->columns : 80).n;
	if (unit == DATA_PAGE)
		far *= height > 4 ? height - 3 : 1;
	at = by < 0 ? at - min_u64(at, far) : at + min_u64(far, most - at);
	if (chosen)
		wish->now.at = at * d.size;
	return chosen;
}

void data_type(struct session *s, u8 type)
{
	wish_at(s, &(struct data_shown){0})->now.type = type;
}

void data_type_step(struct session *s, int by)
{
	struct data_shown d;
	struct data_wish *wish = wish_at(s, &d);

	wish->now.type = (u8)((wish->now.type + VALUE_BYTES + by) % VALUE_BYTES);
}

void data_hex(struct session *s)
{
	panes_data(s)->hex ^= 1;
}

enum status data_follow(struct session *s, struct error *e)
{
	struct data_place to = {0};
	struct pane_view v;
	struct data_shown d;
	u64 address = 0;

	pane_view_now(s, &v);
	if (!data_shown(&v, &d))
		return error_set(e, STATUS_FAILED,
				 "data follow: no element at the cursor (choose memory with `data NAME`)");
	for (u32 n = 8; n >= 4; n -= 4) {
		address = 0;
		if (!extent_read(s, &d.extent, d.at, (u8 *)&address, n) ||
		    !extent_address(s, address, &to.extent, &to.at))
			continue;
		to.type = to.extent.type == VALUE_BYTES ? VALUE_U8 : to.extent.type;
		go(s, to);
		return STATUS_OK;
	}
	return error_set(e, STATUS_FAILED, "data follow: 0x%llx is not an address in a buffer", address);
}

enum status data_back(struct session *s, struct error *e)
{
	struct data_wish *wish = panes_data(s);

	if (!wish->npast)
		return error_set(e, STATUS_FAILED, "data back: no earlier location");
	wish->now = wish->past[--wish->npast];
	desk_of(s)->scroll[PANE_data] = 0;
	return STATUS_OK;
}

bool data_cell(struct session *s, struct text *place, struct text *value)
{
	struct pane_view v;
	struct data_shown d;
	u8 bytes[8] = {0};
	char text[32];

	pane_view_now(s, &v);
	if (!data_shown(&v, &d) || !extent_read(s, &d.extent, d.at, bytes, d.size))
		return false;
	extent_place(s, &d.extent, d.type, d.at, place);
	data_text(&d, bytes, text);
	if (value)
		text_add(value, "%s", text);
	return true;
}

void data_save(const struct session *s, struct text *out)
{
	const struct data_wish *wish = panes_data_now(s);
	const struct data_place *p = wish ? &wish->now : NULL;
	u32 size = p ? max_u32(value_type_size[p->type], 1) : 1;

	if (!p)
		return;
	if (p->extent.kind != EXTENT_NONE) {
		text_add(out, "data ");
		if (p->warp && !(p->extent.kind == EXTENT_LOCAL && !p->lane))
			text_add(out, "%s as %s\ndata +%llu\n", data_name(s, &p->extent), value_type_name[p->type],
				 p->at / size);
		else if (p->warp)
			text_add(out, "local.%s[%u][%llu]\n", value_type_name[p->type], p->extent.lane, p->at / size);
		else {
			extent_place(s, &p->extent, p->type, p->at, out);
			text_add(out, "\n");
		}
	}
	if (wish->hex)
		text_add(out, "data as hex\n");
}
