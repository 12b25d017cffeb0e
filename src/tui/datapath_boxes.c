/*
 * datapath_boxes.c - what the boxes of pane datapath hold: warps and instructions, buffers, banks, collector units;
 * what paths keep back; and all of it as lines of words, where there is no room for boxes.
 */
#include "datapath_draw.h"
#include "policy.h"

bool datapath_shows(const struct box_item *x, u32 box, u32 sub)
{
	return x->box == box && (sub == NONE32 || x->sub == sub);
}

void datapath_word(const struct box_item *x, char out[16])
{
	if (x->status < WARP_STATUS_COUNT)
		snprintf(out, 16, "%u%c", x->context, warp_status_table[x->status].letter);
	else if (x->pc == NONE32)
		snprintf(out, 16, "%u:%u", x->context, x->writes);
	else
		snprintf(out, 16, "%u", x->context);
}

enum style datapath_colour(const struct scene_of *s, u32 context)
{
	struct machine *m = s->v->sim->m;
	const struct warp *w = machine_sm_section(m, s->d.sm, SECTION_WARP);
	const struct cta *cta = machine_sm_section(m, s->d.sm, SECTION_CTA);
	u32 n = STYLE_CTA3 - STYLE_CTA0 + 1, launch = w[context].launch;

	for (u32 i = 0; i < m->residents; i++)
		if (cta[i].launch != NONE16 && cta[i].launch != launch)
			return (enum style)(STYLE_CTA0 + launch % n);
	return (enum style)(STYLE_CTA0 + w[context].cta % n);
}

void datapath_title(const struct scene_of *s, u32 box, u32 sub, struct text *out)
{
	u32 of, used = datapath_used(&s->d, (enum box)box, sub, &of);

	text_clear(out);
	text_add(out, "%s", box_table[box].name);
	if (box == BOX_SCHEDULER)
		text_add(out, " %s", policy_one(s->v->sim->m, POLICY_order)->name);
	if (of && box_table[box].across != UNIT_ROW)
		text_add(out, " %u/%u", used, of);
	else if (of)
		return;
	else if (used)
		text_add(out, " %u", used);
}

/* The states whose warps a path keeps. */
static u32 states_of(enum path path)
{
	switch (path) {
	case PATH_FETCHED: return 1u << WARP_FETCH;
	case PATH_PASSED: return 1u << WARP_LONG | 1u << WARP_SHORT;
	case PATH_ISSUED: return 1u << WARP_LSU | 1u << WARP_UNIT | 1u << WARP_COLLECTOR;
	case PATH_ARRIVED: return 1u << WARP_BARRIER | 1u << WARP_FENCE;
	default: return 0;
	}
}

/* The state that a path which keeps instructions back means for the warps behind them: reads that wait keep collector
 * units, what the LSU and the L1D do not accept keeps the LSU. WARP_STATUS_COUNT: it keeps warps. */
static u32 state_of(enum path path)
{
	switch (path) {
	case PATH_READ: return WARP_COLLECTOR;
	case PATH_LOADED:
	case PATH_ACCESSED:
	case PATH_REQUESTED: return WARP_LSU;
	default: return WARP_STATUS_COUNT;
	}
}

void datapath_letters(const struct scene_of *s, enum path path, u32 sub, struct text *out)
{
	u32 states = states_of(path), count[WARP_STATUS_COUNT] = {0}, state = state_of(path);

	text_clear(out);
	if (state < WARP_STATUS_COUNT && datapath_blocked(s, path, sub))
		text_add(out, "%c", warp_status_table[state].letter);
	for (u32 i = 0; i < s->d.n; i++)
		if (s->d.item[i].status < WARP_STATUS_COUNT && s->d.item[i].sub == sub)
			count[s->d.item[i].status]++;
	for (u32 k = 0; k < WARP_STATUS_COUNT; k++)
		if (states >> k & 1 && count[k])
			text_add(out, "%s%u%c", out->len ? " " : "", count[k], warp_status_table[k].letter);
}

bool datapath_unit_blocked(const struct scene_of *s, u32 kind, u32 sub)
{
	struct machine *m = s->v->sim->m;
	const struct unit *u =
		(struct unit *)machine_sm_section(m, s->d.sm, SECTION_UNIT) + sub * m->warp_units[UNIT_COUNT];
	const struct collector *c =
		(struct collector *)machine_sm_section(m, s->d.sm, SECTION_COLLECTOR) + sub * m->config.sm_collectors;
	u32 of;

	if (kind == UNIT_LSU && m->config.collector_late && datapath_used(&s->d, BOX_LSU, sub, &of) < of)
		return false;
	for (u32 i = m->warp_units[kind]; kind != UNIT_LSU && i < m->warp_units[kind + 1]; i++)
		if (u[i].free_at < sim_clock(s->v->sim))
			return false;
	for (u32 i = 0; i < m->config.sm_collectors; i++)
		if (c[i].context != NONE16 && !c[i].need && machine_unit_kind(m, class_table[c[i].class].unit) == kind)
			return true;
	return false;
}

bool datapath_has_path(const struct scene_of *s, enum path path)
{
	const struct path_row *row = &path_table[path];

	return (row->from == BOX_COUNT || datapath_has(s->v->sim, (enum box)row->from)) &&
	       datapath_has(s->v->sim, (enum box)row->to);
}

bool datapath_blocked(const struct scene_of *s, enum path path, u32 sub)
{
	struct text letters = {0};
	bool blocked = false;
	u32 of;

	if (path == PATH_READ)
		return datapath_used(&s->d, BOX_BANKS, sub, &of);
	if (path == PATH_LOADED)
		return datapath_unit_blocked(s, UNIT_LSU, sub);
	if (path == PATH_ACCESSED)
		return s->moves[sub].refused;
	if (path == PATH_REQUESTED)
		return datapath_used(&s->d, BOX_MEMORY, sub, &of) >= of;
	datapath_letters(s, path, sub, &letters);
	blocked = letters.len;
	text_free(&letters);
	return blocked;
}

/* Words of a box, line after line; those that do not fit are counted in the last. */
struct words {
	u32 x, y, end, last, at, left;
};

static struct words words_of(const struct box_place *at)
{
	u32 x = at->x + 1 + (at->flat ? (u32)strlen(box_table[at->box].name) + 1 : 0), y = at->y + !at->flat;

	return (struct words){.x = x, .at = x, .y = y, .end = at->x + at->width - 1, .last = y + at->lines - 1};
}

/* Is there room for a word of so many columns, and for the sign behind it that others are left? */
static bool words_next(struct words *w, u32 columns)
{
	u32 reserve = w->y == w->last && w->left > 1 ? 4 : 0;

	if (w->at > w->x && w->at + 1 + columns + reserve > w->end && w->y < w->last) {
		w->y++;
		w->at = w->x;
		reserve = w->y == w->last && w->left > 1 ? 4 : 0;
	}
	w->at += w->at > w->x;
	return w->at + columns + (w->at > w->x ? reserve : 0) <= w->end;
}

/* Is an item what is followed? */
static bool is_followed(const struct scene_of *s, const struct box_item *x)
{
	return s->marked < BOX_COUNT && follow_is(&s->spot, x);
}

/* Columns of an item's word, with the mark of what is followed. */
static u32 item_width(const struct scene_of *s, const struct box_item *x)
{
	char word[16];

	datapath_word(x, word);
	return (u32)strlen(word) + is_followed(s, x);
}

static void draw_item(const struct picture_of *d, struct words *w, const struct box_item *x)
{
	u32 from = w->at;

	if (is_followed(d->s, x))
		from = w->at = canvas_put(d->c, w->at, w->y, FOLLOW_SIGN, STYLE_FOLLOWED);
	w->at = canvas_print(d->c, w->at, w->y, datapath_colour(d->s, x->context), "%u", x->context);
	if (x->status < WARP_STATUS_COUNT)
		w->at = canvas_print(d->c, w->at, w->y, status_style(x->status), "%c",
				     warp_status_table[x->status].letter);
	else if (x->pc == NONE32)
		w->at = canvas_print(d->c, w->at, w->y, STYLE_DIM, ":%u", x->writes);
	for (u32 i = from; x->context == d->s->v->focus.warp && i < w->at && i < d->c->width; i++)
		d->c->cell[(size_t)w->y * d->c->width + i].focus = 1;
}

/* In which of three turns an item is drawn: where there is no room for all, the first ones are seen. */
static u32 item_turn(const struct scene_of *s, const struct box_item *x)
{
	return is_followed(s, x) ? 0 : x->context == s->v->focus.warp ? 1 : 2;
}

/* The warps and instructions of a box. */
static void draw_items(const struct picture_of *d, const struct box_place *at)
{
	const struct datapath *items = &d->s->d;
	u32 sub = box_table[at->box].holds == HOLDS_SHARED && d->p->subs > 1 ? NONE32 : at->sub;
	struct words w = words_of(at);
	u32 others = 0;
	bool full = false;

	for (u32 i = 0; i < items->n; i++) {
		w.left += datapath_shows(&items->item[i], at->box, sub);
		others += sub != NONE32 && box_table[at->box].holds == HOLDS_SHARED && items->item[i].box == at->box &&
			  items->item[i].sub != sub;
	}
	w.left += others > 0;
	for (u32 turn = 0; turn < 3; turn++) /* what is followed first, then the focused warp */
		for (u32 i = 0; i < items->n && !full; i++) {
			if (!datapath_shows(&items->item[i], at->box, sub) || item_turn(d->s, &items->item[i]) != turn)
				continue;
			full = !words_next(&w, item_width(d->s, &items->item[i]));
			if (full)
				break;
			draw_item(d, &w, &items->item[i]);
			w.left--;
		}
	if (w.left > (others > 0))
		canvas_print(d->c, min_u32(w.at, w.end - 1), w.y, STYLE_DIM, w.at + 3 <= w.end ? "+%u" : "…", w.left);
	else if (others && words_next(&w, 3))
		canvas_print(d->c, w.at, w.y, STYLE_DIM, "+%u", others);
}

/* The instruction buffers: how full the buffer of each warp slot is. */
static void draw_buffers(const struct picture_of *d, const struct box_place *at)
{
	static const u16 level[] = {0xb7, 0x2581, 0x2582, 0x2583, 0x2584, 0x2585, 0x2586, 0x2587, 0x2588};
	const struct machine *m = d->s->v->sim->m;
	const struct slot *slot = machine_sm_section(d->s->v->sim->m, d->s->d.sm, SECTION_SLOT);
	u32 x = at->x + 1, y = at->y + 1, end = at->x + at->width - 1;

	for (u32 i = at->sub * m->slots_per_sub; i < (at->sub + 1) * m->slots_per_sub; i++) {
		u32 n = slot[i].context == NONE16 ? 0 : slot[i].buffered, full = m->config.sm_ibuffer;

		if (slot[i].context == NONE16)
			continue;
		if (x == end && y < at->y + at->lines) {
			x = at->x + 1;
			y++;
		}
		if (x < end)
			canvas_put(d->c, x++, y, level[min_u32(ceil_div(n * 8, full), 8)],
				   datapath_colour(d->s, slot[i].context));
	}
}

/* The banks: the read that each granted, those that wait. */
static void draw_banks(const struct picture_of *d, const struct box_place *at)
{
	static const u16 level[] = {0xb7, 0x2581, 0x2582, 0x2583, 0x2584, 0x2585, 0x2586, 0x2587, 0x2588};
	struct machine *m = d->s->v->sim->m;
	u32 n = m->config.sm_banks, lines = at->lines, each = ceil_div(n, lines);
	const struct bank *bank = (struct bank *)machine_sm_section(m, d->s->d.sm, SECTION_BANK) + at->sub * n;

	for (u32 i = 0; i < n; i++) {
		u32 room = (at->width - 2) / each, x = at->x + 1 + i % each * room, y = at->y + 1 + i / each;

		canvas_put(d->c, x++, y, level[min_u32(bank[i].count, 8)], STYLE_PIPELINE);
		if (room < 9)
			continue;
		if (bank[i].count)
			canvas_print(d->c, x, y, STYLE_PIPELINE, "%u", bank[i].count);
		if (bank[i].granted_context != NONE16) {
			x = canvas_print(d->c, x + 3, y, datapath_colour(d->s, bank[i].granted_context), "%u",
					 bank[i].granted_context);
			if (x + 5 <= at->x + at->width - 1)
				canvas_print(d->c, x, y, STYLE_ISSUED, " r%u", bank[i].granted_register);
		}
	}
}

/* The operands of a collector unit: read ones and those that wait, with their registers where there is room. */
static void draw_operands(const struct picture_of *d, const struct collector *x, u32 at, u32 y, u32 end)
{
	const struct warp *w = machine_sm_section(d->s->v->sim->m, d->s->d.sm, SECTION_WARP);
	const struct inst *in = &d->s->v->sim->kernel[w[x->context].launch]->inst[x->pc];
	bool names = at + 6 * in->nread <= end + 1;

	for (u32 i = 0; i < in->nread && at < end; i++) {
		bool read = x->read >> i & 1;

		if (names)
			at = canvas_print(d->c, at, y, read ? STYLE_DIM : STYLE_PIPELINE, "r%u", in->read[i]);
		at = canvas_put(d->c, at, y, read ? 0x25a0 : 0x25a1, read ? STYLE_ISSUED : STYLE_PIPELINE) + names;
	}
}

/* What the register cache of a sub-core keeps: warp and register. */
static void draw_reuse(const struct picture_of *d, const struct box_place *at)
{
	struct machine *m = d->s->v->sim->m;
	u32 n = m->config.sm_banks * REUSE_PLACES;
	const struct reuse *kept = (struct reuse *)machine_sm_section(m, d->s->d.sm, SECTION_REUSE) + at->sub * n;
	struct words w = words_of(at);

	for (u32 i = 0; i < n; i++)
		w.left += kept[i].owner != 0;
	for (u32 i = 0; i < n; i++) {
		char word[16];

		if (!kept[i].owner)
			continue;
		snprintf(word, sizeof(word), ":r%u", kept[i].reg);
		if (!words_next(&w, (u32)strlen(word) + 2))
			break;
		w.at = canvas_print(d->c, w.at, w.y, datapath_colour(d->s, kept[i].owner - 1u), "%u",
				    kept[i].owner - 1u);
		w.at = canvas_text_at(d->c, w.at, w.y, STYLE_DIM, word);
		w.left--;
	}
	if (w.left)
		canvas_put(d->c, min_u32(w.at, w.end - 1), w.y, 0x2026, STYLE_DIM);
}

/* How many gangs of each size there are, the largest first. */
static void draw_gangs(const struct picture_of *d, const struct box_place *at)
{
	u32 count[MAX_SUBCORES + 1];
	struct words w = words_of(at);

	datapath_gangs(&d->s->d, count);
	for (u32 i = MAX_SUBCORES; i; i--)
		w.left += count[i] > 0;
	for (u32 i = MAX_SUBCORES; i; i--) {
		char word[24];

		snprintf(word, sizeof(word), "%u of %u", count[i], i);
		if (!count[i])
			continue;
		if (!words_next(&w, (u32)strlen(word)))
			break;
		w.at = canvas_text_at(d->c, w.at, w.y, STYLE_PLAIN, word);
		w.left--;
	}
	if (w.left)
		canvas_put(d->c, min_u32(w.at, w.end - 1), w.y, 0x2026, STYLE_DIM);
}

/* The collector units, one in a line, where there are lines for all; else those that are taken. */
static void draw_collectors(const struct picture_of *d, const struct box_place *at)
{
	struct machine *m = d->s->v->sim->m;
	u32 n = m->config.sm_collectors, lines = at->lines, each = ceil_div(n, lines), room = (at->width - 2) / each;
	const struct collector *c =
		(struct collector *)machine_sm_section(m, d->s->d.sm, SECTION_COLLECTOR) + at->sub * n;

	if (room < 7) {
		draw_items(d, at);
		return;
	}
	for (u32 i = 0; i < n; i++) {
		u32 x = at->x + 1 + i % each * room, y = at->y + 1 + i / each, from = x;

		if (c[i].context == NONE16) {
			canvas_put(d->c, x, y, 0xb7, STYLE_DIM);
			continue;
		}
		if (d->s->marked == BOX_COLLECT && d->s->spot.warp == c[i].context && d->s->spot.pc == c[i].pc &&
		    d->s->spot.issued == c[i].issued_at + 1)
			from = x = canvas_put(d->c, x, y, FOLLOW_SIGN, STYLE_FOLLOWED);
		x = canvas_print(d->c, x, y, datapath_colour(d->s, c[i].context), "%u", c[i].context);
		for (u32 k = from; k < x && c[i].context == d->s->v->focus.warp; k++)
			d->c->cell[(size_t)y * d->c->width + k].focus = 1;
		draw_operands(d, &c[i], x + 1, y, from + room - (each > 1));
	}
}

void datapath_contents(const struct picture_of *d, const struct box_place *at)
{
	if (at->box == BOX_BUFFER)
		draw_buffers(d, at);
	else if (at->box == BOX_BANKS)
		draw_banks(d, at);
	else if (at->box == BOX_COLLECT)
		draw_collectors(d, at);
	else if (at->box == BOX_REUSE)
		draw_reuse(d, at);
	else if (at->box == BOX_GANGS)
		draw_gangs(d, at);
	else
		draw_items(d, at);
}

/* --- without boxes --- */

/* A word at the end of a line, or in the next one; false: there is none. */
static bool chain_word(struct words *w, u32 columns)
{
	if (w->at > w->x && w->at + columns > w->end) {
		w->y++;
		w->at = w->x;
	}
	return w->y <= w->last;
}

/* What stands between two boxes in words: an arrow along the path between them; a dot where there is none. */
static u32 chain_sign(u32 from, u32 to)
{
	u32 sign = 0xb7;

	for (u32 k = 0; k < PATH_COUNT; k++) {
		if (path_table[k].from == from && path_table[k].to == to)
			return 0x2192;
		if (path_table[k].from == to && path_table[k].to == from)
			sign = 0x2190;
	}
	return sign;
}

/* A box as words: its name, how much of it is in use, what is in it; false: there is no room. */
static bool chain_box(struct canvas *c, const struct picture_of *d, struct words *w, u32 box)
{
	const struct scene_of *s = d->s;
	u32 sub = s->v->focus.sub;
	struct text title = {0};
	bool fits;

	datapath_title(s, box, sub, &title);
	fits = chain_word(w, (u32)title.len + 3);
	if (fits && box == s->marked && s->spot.sub == (box_table[box].holds == HOLDS_SHARED ? s->spot.sub : sub))
		w->at = canvas_put(c, w->at, w->y, FOLLOW_SIGN, STYLE_FOLLOWED);
	if (fits)
		w->at = canvas_text_at(c, w->at, w->y, box == s->cursor ? STYLE_KEY : STYLE_TITLE, title.s);
	text_free(&title);
	for (u32 k = 0; fits && k < s->d.n; k++) {
		if (!datapath_shows(&s->d.item[k], box, sub))
			continue;
		if (!chain_word(w, item_width(s, &s->d.item[k]) + 1))
			break;
		w->at += w->at > w->x;
		draw_item(d, w, &s->d.item[k]);
	}
	return fits;
}

u32 datapath_draw_chain(struct canvas *c, const struct scene_of *s)
{
	struct plan p = {.d = &s->d, .subs = 1, .first = s->v->focus.sub};
	struct picture_of d = {.c = c, .p = &p, .s = s};
	struct words w = {.x = 1, .at = 1, .y = 1, .end = c->width, .last = c->height - 1};
	u32 before = BOX_COUNT;

	for (u32 i = 0; i < BOX_COUNT; i++) {
		if (!datapath_has(s->v->sim, (enum box)i))
			continue;
		if (before < BOX_COUNT && chain_word(&w, 3))
			w.at = canvas_put(c, w.at + 1, w.y, chain_sign(before, i), STYLE_DIM) + 1;
		if (!chain_box(c, &d, &w, i))
			break;
		before = i;
	}
	return w.y + 1;
}
