/*
 * pane_data.c - memory as elements: a buffer, the shared memory of a CTA, the local memory of a lane, in rows as long
 * as the width allows, with addresses and numbers; the element under the cursor, and what changed since the last stop.
 */
#include "data.h"

#include "machine.h"
#include "sheet.h"

#define WHOSE_WIDTH 60 /* columns from which the title has SM and CTA */
#define ROWS_MOST 64   /* that `show data` draws where no height is given, and says */

/* Bytes of element i, now or in another view; false: it is not there. */
static bool pane_data_bytes(const struct pane_view *v, const struct data_shown *d, u64 i, u8 out[8])
{
	return v && v->sim && i < d->count && extent_read(v->session, &d->extent, i * d->size, out, d->size);
}

/* Was an element another at the last stop? */
static bool pane_data_changed(const struct pane_view *v, const struct data_shown *d, u64 i)
{
	u8 now[8] = {0}, before[8] = {0};

	return pane_data_bytes(v, d, i, now) && pane_data_bytes(v->before, d, i, before) &&
	       memcmp(now, before, d->size) != 0;
}

/* One element in its cell, behind a mark: the cursor, or a star where it changed. */
static void pane_data_cell(struct canvas *c, u32 x, u32 y, const struct pane_view *v, const struct data_shown *d, u64 i,
			   u32 width)
{
	bool cursor = i == d->at / d->size, changed = pane_data_changed(v, d, i);
	u8 bytes[8] = {0};
	char text[32];
	u32 n, end;

	if (!pane_data_bytes(v, d, i, bytes))
		return;
	data_text(d, bytes, text);
	n = (u32)strlen(text);
	if (cursor || changed)
		canvas_put(c, x, y, cursor ? 0x25b8 : '*', cursor ? STYLE_TITLE : STYLE_KEY);
	end = canvas_text_at(c, x + 1 + (width > n ? width - n : 0), y, STYLE_PLAIN, text);
	for (u32 k = x + 1; cursor && k < end && k < c->width; k++)
		c->cell[(size_t)y * c->width + k].focus = 1;
}

/* A row: the address and number of its first element, and the elements. */
static void pane_data_row(struct canvas *c, u32 y, const struct pane_view *v, const struct data_shown *d,
			  const struct data_row *r, u64 row)
{
	const struct program *p = &v->session->program;
	u64 base = d->extent.kind == EXTENT_BUFFER ? p->buffer[d->extent.buffer].address : 0, first = row * r->n;
	char text[32];
	u32 x = 1;

	if (r->address) {
		canvas_print(c, x, y, STYLE_DIM, "0x%llx", base + first * d->size);
		x += r->address + 1;
	}
	snprintf(text, sizeof(text), "[%llu]", first);
	canvas_text_at(c, x + r->number - (u32)strlen(text), y, STYLE_DIM, text);
	x += r->number;
	for (u32 i = 0; i < r->n; i++, x += r->cell + 1)
		pane_data_cell(c, x, y, v, d, first + i, r->cell);
}

/* What the columns are. */
static void pane_data_heading(struct canvas *c, const struct data_row *r)
{
	u32 x = 1;
	char text[16];

	if (r->address)
		canvas_text_at(c, x, 1, STYLE_DIM, "address");
	x += r->address ? r->address + 1 : 0;
	if (r->number >= 3)
		canvas_text_at(c, x + r->number - (r->number < 5 ? 1 : 5), 1, STYLE_DIM, r->number < 5 ? "#" : "first");
	x += r->number;
	for (u32 i = 0; i < r->n; i++, x += r->cell + 1) {
		u32 n = (u32)snprintf(text, sizeof(text), "+%u", i);

		if (n <= r->cell)
			canvas_text_at(c, x + 1 + r->cell - n, 1, STYLE_DIM, text);
	}
}

/* Whose memory it is: "a f32[64]", "shared f32[32] SM 0 w3 CTA 1". */
static void pane_data_focus(const struct pane_view *v, const struct data_shown *d, struct text *out)
{
	const struct extent *x = &d->extent;
	const struct warp *w;
	const struct cta *cta;

	text_add(out, "%s %s[%llu]", data_name(v->session, x), value_type_name[d->type], d->count);
	if (x->kind == EXTENT_BUFFER)
		return;
	w = (const struct warp *)machine_sm_section(v->sim->m, x->sm, SECTION_WARP) + x->warp;
	cta = (const struct cta *)machine_sm_section(v->sim->m, x->sm, SECTION_CTA) + w->cta;
	if (v->width >= WHOSE_WIDTH || v->plain)
		text_add(out, " SM %u w%u CTA %u", x->sm, x->warp, cta->id);
	else
		text_add(out, " w%u", x->warp);
	if (x->kind == EXTENT_LOCAL)
		text_add(out, " lane %u", x->lane);
}

/* Where the cursor is: "0x7040  [16] 1.5". */
static void pane_data_cursor(const struct pane_view *v, const struct data_shown *d, struct text *out)
{
	const struct program *p = &v->session->program;
	u64 base = d->extent.kind == EXTENT_BUFFER ? p->buffer[d->extent.buffer].address : 0;
	u8 bytes[8] = {0};
	char text[32];

	pane_data_bytes(v, d, d->at / d->size, bytes);
	data_text(d, bytes, text);
	text_add(out, "0x%llx  [%llu] %s", base + d->at, d->at / d->size, text);
}

/* Why there is nothing. */
static const char *pane_data_nothing(const struct pane_view *v, const struct data_shown *d)
{
	switch (d->extent.kind) {
	case EXTENT_NONE: return "no buffers, so no values to show";
	case EXTENT_SHARED: return "no shared memory in the focused warp's CTA";
	case EXTENT_LOCAL: return "no local memory in the focused warp";
	default: return v->sim ? "no elements of this type" : "no machine yet";
	}
}

/* The row that stands first: whole pages, so that the cursor moves on the page; then as it is scrolled. */
static u64 pane_data_first(const struct pane_view *v, u64 row, u64 rows, u32 shown)
{
	u64 first = row / shown * shown + v->scroll, most = rows > shown ? rows - shown : 0;

	return min_u64(first, most);
}

static u64 pane_data_count(const struct data_shown *d, const struct data_row *r)
{
	return (d->count + r->n - 1) / r->n;
}

/* Rows below the heading; the last tells of those that are not shown. */
static void pane_data_list(struct canvas *c, const struct pane_view *v, const struct data_shown *d)
{
	struct data_row r = data_row(v->session, d, c->width);
	u32 head = c->height > 3, shown = c->height > 1 + head ? c->height - 1 - head : 0;
	u64 rows = pane_data_count(d, &r), first;
	bool more = rows > shown && shown > 1;

	shown -= more;
	if (!shown)
		return;
	first = pane_data_first(v, d->at / d->size / r.n, rows, shown);
	if (head)
		pane_data_heading(c, &r);
	for (u32 i = 0; i < shown && first + i < rows; i++)
		pane_data_row(c, 1 + head + i, v, d, &r, first + i);
	if (more)
		canvas_print(c, 1, c->height - 1, STYLE_DIM, "… rows %llu to %llu of %llu", first + 1, first + shown,
			     rows);
}

static void pane_data_draw(struct canvas *c, const struct pane_view *v)
{
	struct text focus = {0}, cursor = {0};
	struct data_shown d;
	bool there = data_shown(v, &d);

	if (there) {
		pane_data_focus(v, &d, &focus);
		pane_data_cursor(v, &d, &cursor);
	}
	canvas_title(c, 0, "data", there ? focus.s : data_name(v->session, &d.extent), there ? cursor.s : "");
	if (there)
		pane_data_list(c, v, &d);
	else if (c->height > 1)
		canvas_text_at(c, 1, 1, STYLE_DIM, pane_data_nothing(v, &d));
	text_free(&focus);
	text_free(&cursor);
}

/* A click puts the cursor on the element. */
static void pane_data_point(const struct pane_view *v, const struct pane_spot *at, u64 *cursor UNUSED,
			    struct text *line)
{
	struct data_shown d;
	struct data_row r;
	u32 head = at->height > 3, shown = at->height > 1 + head ? at->height - 1 - head : 0, from;
	u64 rows, now, to;

	if (!data_shown(v, &d) || at->y < 1 + head)
		return;
	r = data_row(v->session, &d, v->width);
	from = 1 + r.number + (r.address ? r.address + 1 : 0);
	rows = pane_data_count(&d, &r);
	shown -= rows > shown && shown > 1;
	now = d.at / d.size;
	if (at->x < from || (at->x - from) / (r.cell + 1) >= r.n || at->y - 1 - head >= shown)
		return;
	to = (pane_data_first(v, now / r.n, rows, shown) + at->y - 1 - head) * r.n + (at->x - from) / (r.cell + 1);
	if (to < d.count && to != now)
		text_add(line, "data %c%llu", to < now ? '-' : '+', to < now ? now - to : to - now);
}

static u32 pane_data_rows(const struct pane_view *v)
{
	struct data_shown d;
	struct data_row r;

	if (!data_shown(v, &d))
		return 1;
	r = data_row(v->session, &d, v->width);
	return (u32)min_u64(pane_data_count(&d, &r), ROWS_MOST);
}

/* One row as a sentence: address, number of its first element, values. */
static void pane_data_say_row(struct text *out, const struct pane_view *v, const struct data_shown *d,
			      const struct data_row *r, u64 first)
{
	const struct program *p = &v->session->program;
	u64 base = d->extent.kind == EXTENT_BUFFER ? p->buffer[d->extent.buffer].address : 0;

	if (r->address)
		text_add(out, "0x%llx ", base + first * d->size);
	text_add(out, "[%llu]: ", first);
	for (u64 i = first; i < first + r->n && i < d->count; i++) {
		u8 bytes[8] = {0};
		char text[32];

		pane_data_bytes(v, d, i, bytes);
		data_text(d, bytes, text);
		text_add(out, "%s%s%s", i > first ? ", " : "", text, pane_data_changed(v, d, i) ? " changed" : "");
	}
	text_add(out, ".\n");
}

/* The element under the cursor, and the rows of its page, as sentences. */
static void pane_data_say(struct text *out, const struct pane_view *v)
{
	struct data_shown d;
	struct data_row r;
	u64 first, rows;

	if (!data_shown(v, &d)) {
		text_add(out, "data: %s.\n", pane_data_nothing(v, &d));
		return;
	}
	text_add(out, "data, ");
	pane_data_focus(v, &d, out);
	text_add(out, ": cursor at ");
	pane_data_cursor(v, &d, out);
	text_add(out, ".\n");
	r = data_row(v->session, &d, v->width);
	rows = pane_data_count(&d, &r);
	first = pane_data_first(v, d.at / d.size / r.n, rows, ROWS_MOST);
	for (u64 i = first; i < first + ROWS_MOST && i < rows; i++)
		pane_data_say_row(out, v, &d, &r, i * r.n);
	if (rows > ROWS_MOST)
		text_add(out, "rows %llu to %llu of %llu.\n", first + 1, min_u64(first + ROWS_MOST, rows), rows);
}

/* Where the cursor is, and 64 elements from its row of eight on. */
static json_t *pane_data_data(const struct pane_view *v)
{
	json_t *data = json_object(), *list = json_array();
	struct data_shown d;
	u64 first;

	if (data_shown(v, &d)) {
		first = d.at / d.size / 8 * 8;
		json_object_set_new(data, "name", json_string(data_name(v->session, &d.extent)));
		json_object_set_new(data, "type", json_string(value_type_name[d.type]));
		json_object_set_new(data, "count", json_integer((json_int_t)d.count));
		json_object_set_new(data, "cursor", json_integer((json_int_t)(d.at / d.size)));
		json_object_set_new(data, "first", json_integer((json_int_t)first));
		for (u64 i = first; i < first + 64 && i < d.count; i++) {
			u8 bytes[8] = {0};

			pane_data_bytes(v, &d, i, bytes);
			json_array_append_new(list, value_json(value_load(d.type, bytes)));
		}
	}
	json_object_set_new(data, "elements", list);
	return data;
}

const struct pane pane_data = {
	.name = "data",
	.summary = "memory as values: buffers, shared and local memory, as any type, changes marked",
	.legend =
		"`data a[300]`, `data shared`, `data local.f32[7][0]`, `data ADDRESS` choose the location; `data a as u16` the type\n"
		"▸ element at the cursor, arrow keys move it   * changed since the last stop   first: number of the row's first element\n"
		"shared and local follow the focused warp (local also the lane `code.lane`); `warp[5].shared` stays with warp 5\n"
		"t: next type   x: hexadecimal on or off   @: go to the address stored at the cursor   &: back   e: write the element",
	.point = pane_data_point,
	.ask = "data shared, data a[300] as u32, data follow, watch a[3]",
	.size = {.least_width = 30, .least_height = 4, .wish_height = 12},
	.draw = pane_data_draw,
	.rows = pane_data_rows,
	.say = pane_data_say,
	.data = pane_data_data,
};
