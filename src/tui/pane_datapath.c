/*
 * pane_datapath.c - the focused SM as a drawing: a box for each stage that it has, with the warps and instructions in
 * it, and the paths between them, on which something moved in the last cycle or which keep something back.
 *
 * One sub-core in the whole width; where there is room all of them beside each other, above the LSU, L1D and crossbar
 * port that they share. What moved is read from the events of the last cycle, by whichever way that was reached.
 * Conservation: each resident warp stands in one box, and of each as many instructions and writes as it has in flight.
 */
#include "datapath_draw.h"
#include "kept.h"
#include "lesson.h"
#include "ops.h"
#include "policy.h"
#include "recorder.h"

/* --- the scene --- */

static void pane_datapath_open(struct scene_of *s, const struct pane_view *v)
{
	u32 n, subs = v->sim->m->config.sm_subcores;
	const struct cycle_record *r = recorder_read(panes_recorder(v->session), v->session, &n);
	u64 now = sim_clock(v->sim);

	*s = (struct scene_of){
		.v = v, .cursor = v->cursor < BOX_COUNT ? (u32)v->cursor : BOX_COUNT, .marked = BOX_COUNT};
	datapath_open(&s->d, v->sim, v->focus.sm);
	for (; n && r[n - 1].cycle == now; n--)
		for (u32 sub = 0; r[n - 1].record.sm == v->focus.sm && sub < subs; sub++)
			moves_add(&s->moves[sub], &s->d, &r[n - 1].record, sub);
	for (u32 i = 0; i < s->d.n; i++)
		s->moves[s->d.item[i].sub].n[PATH_ISSUED] +=
			s->d.item[i].box == BOX_COLLECT && s->d.item[i].since == now;
	s->follows = follow_where(v->session, &s->spot);
	if (s->follows && s->spot.sm == v->focus.sm)
		s->marked = follow_box(&s->spot, &s->d);
}

static void pane_datapath_close(struct scene_of *s)
{
	datapath_close(&s->d);
}

/* --- words about it --- */

/* The operation of an instruction: ld.global.u32. */
static void pane_datapath_add_operation(const struct scene_of *s, const struct box_item *x, struct text *out)
{
	const struct warp *w = machine_sm_section(s->v->sim->m, s->d.sm, SECTION_WARP);
	const char *text = view_instruction(s->v, w[x->context].launch, x->pc);
	size_t guard = *text == '@' ? strcspn(text, " ") + 1 : 0;

	text_add(out, "%.*s", (int)strcspn(text + guard, " "), text + guard);
}

/* Why a warp has no instruction. */
static const char *pane_datapath_fetch_reason(const struct scene_of *s, u32 context)
{
	struct machine *m = s->v->sim->m;
	const struct imiss *miss = machine_sm_section(m, s->d.sm, SECTION_IMISS);
	const struct warp *w = (struct warp *)machine_sm_section(m, s->d.sm, SECTION_WARP) + context;
	const struct slot *slot = (struct slot *)machine_sm_section(m, s->d.sm, SECTION_SLOT) + w->slot;

	if (w->slot != NONE16 && slot->buffered)
		return ": its buffer was empty at issue, and was filled after it";
	for (u32 i = 0; i < m->config.l1i_mshrs; i++)
		if (miss[i].line && SET_HAS(miss[i].slots, context))
			return ": the L1I missed, its line comes from the L2";
	return ": its instructions are being fetched";
}

/* How many warps of its CTA wait at a barrier with a warp, and some of those that are not there. */
static void pane_datapath_say_barrier(const struct scene_of *s, u32 context, struct text *out)
{
	struct machine *m = s->v->sim->m;
	const struct warp *w = machine_sm_section(m, s->d.sm, SECTION_WARP);
	const struct cta *cta = (struct cta *)machine_sm_section(m, s->d.sm, SECTION_CTA) + w[context].cta;
	u32 n = 0;

	text_add(out, ": %u of %u warps of CTA %u wait there", cta->arrived, cta->warps - cta->done, cta->id);
	for (u32 i = 0; i < s->d.n && n < 5; i++) {
		const struct box_item *x = &s->d.item[i];
		char word[16];

		if (x->status >= WARP_STATUS_COUNT || x->status == WARP_BARRIER || x->status == WARP_DONE ||
		    w[x->context].cta != w[context].cta)
			continue;
		datapath_word(x, word);
		text_add(out, n == 4 ? " …" : n ? " %s" : ", not %s", word);
		n++;
	}
}

/* What a full LSU has at its head. */
static void pane_datapath_say_lsu(const struct scene_of *s, struct text *out)
{
	u32 of, used = datapath_used(&s->d, BOX_LSU, NONE32, &of);

	text_add(out, ": LSU %u/%u", used, of);
	for (u32 i = 0; i < s->d.n; i++) {
		const struct box_item *x = &s->d.item[i];

		if (x->box != BOX_LSU || x->place)
			continue;
		text_add(out, ", first w%u ", x->context);
		pane_datapath_add_operation(s, x, out);
		if (x->missing)
			text_add(out, ", %u line%s left", x->missing, plural(x->missing));
		break;
	}
	for (u32 i = 0; i < s->v->sim->m->config.sm_subcores; i++)
		if (s->moves[i].refused) {
			text_add(out, ", which the L1D rejects");
			break;
		}
}

/* What the operand collector units of a sub-core wait for, all of which are taken. */
static void pane_datapath_say_collectors(const struct scene_of *s, const struct box_item *x, struct text *out)
{
	struct machine *m = s->v->sim->m;
	const struct bank *bank =
		(struct bank *)machine_sm_section(m, s->d.sm, SECTION_BANK) + x->sub * m->config.sm_banks;
	u32 of, used = datapath_used(&s->d, BOX_COLLECT, x->sub, &of), most = 0;

	text_add(out, ": collectors %u/%u", used, of);
	for (u32 i = 0; i < m->config.sm_banks; i++)
		most = bank[i].count > bank[most].count ? i : most;
	if (x->status == WARP_COLLECTOR && bank[most].count)
		text_add(out, ", %u read%s wait%s at bank %u", bank[most].count, plural(bank[most].count),
			 bank[most].count == 1 ? "s" : "", most);
	for (u32 k = UNIT_NONE + 1; x->status == WARP_UNIT && k < UNIT_COUNT; k++)
		if (datapath_unit_blocked(s, k, x->sub))
			text_add(out, ", waiting for %s", unit_name[k]);
}

/* The instruction that a warp issues next. */
static const struct inst *pane_datapath_next(const struct scene_of *s, const struct box_item *x)
{
	struct machine *m = s->v->sim->m;
	const struct warp *w = (struct warp *)machine_sm_section(m, s->d.sm, SECTION_WARP) + x->context;
	const struct slot *slot = (struct slot *)machine_sm_section(m, s->d.sm, SECTION_SLOT) + w->slot;

	return &s->v->sim->kernel[w->launch]->inst[slot->pc];
}

/* Is the warp's stall counter not 0 (issue.dependences control)? */
static bool pane_datapath_stalled(const struct scene_of *s, const struct box_item *x)
{
	struct machine *m = s->v->sim->m;
	const struct dependence *d = machine_sm_section(m, s->d.sm, SECTION_DEPENDENCE);

	return m->config.issue_dependences && x->status == WARP_SHORT &&
	       dependence_stalls(&d[x->context], sim_clock(s->v->sim));
}

/* What keeps a warp in its box. */
static void pane_datapath_say_reason(const struct scene_of *s, const struct box_item *x, struct text *out)
{
	u32 hazard;
	const struct box_item *from = datapath_producer(&s->d, x->context, &hazard);

	if (pane_datapath_stalled(s, x)) {
		text_add(out, ": stall counter not 0, last issue %llu", x->since);
		return;
	}
	if (from) {
		text_add(out, ": needs %c%u: ", hazard < HAZARD_PRED ? 'r' : 'p',
			 hazard < HAZARD_PRED ? hazard : hazard - HAZARD_PRED);
		pane_datapath_add_operation(s, from, out);
		text_add(out, " in %s", box_table[from->box].name);
		if (from->due != NEVER)
			text_add(out, " until %llu", from->due);
		else if (from->since != NEVER)
			text_add(out, ", issued %llu", from->since);
		return;
	}
	if (x->status == WARP_LONG && inst_copies(pane_datapath_next(s, x)))
		text_add(out, ": waits for asynchronous copies");
	else if (x->status == WARP_COLLECTOR || x->status == WARP_UNIT)
		pane_datapath_say_collectors(s, x, out);
	else if (x->status == WARP_LSU)
		pane_datapath_say_lsu(s, out);
	else if (x->status == WARP_ELIGIBLE)
		text_add(out, ": another warp was selected");
	else if (x->status == WARP_FETCH)
		text_add(out, "%s", pane_datapath_fetch_reason(s, x->context));
	else if (x->status == WARP_BARRIER)
		pane_datapath_say_barrier(s, x->context, out);
	if (x->since != NEVER && x->status != WARP_ISSUED)
		text_add(out, ", last issue %llu", x->since);
}

/* Where a warp is, and what keeps it there. */
static void pane_datapath_say_warp(const struct scene_of *s, const struct box_item *x, struct text *out)
{
	text_add(out, "w%u in %s, %s (%c)", x->context, box_table[x->box].name, warp_status_table[x->status].name,
		 warp_status_table[x->status].letter);
	pane_datapath_say_reason(s, x, out);
}

/* An instruction or writes of a warp. */
static void pane_datapath_say_instruction(const struct scene_of *s, const struct box_item *x, struct text *out)
{
	const struct warp *w = machine_sm_section(s->v->sim->m, s->d.sm, SECTION_WARP);

	text_add(out, s->v->plain ? "warp %u " : "w%u ", x->context);
	if (x->pc == NONE32) {
		text_add(out, "%u write%s not acknowledged", x->writes, x->writes == 1 ? "" : "s");
		return;
	}
	text_add(out, "'%s'", view_instruction(s->v, w[x->context].launch, x->pc));
	if (x->missing)
		text_add(out, " lacks %u %s%s", x->missing, x->box == BOX_COLLECT ? "operand" : "line",
			 x->missing == 1 ? "" : "s");
	if (x->box == BOX_LSU)
		text_add(out, ", number %u in the queue", x->place + 1);
	if (x->due != NEVER)
		text_add(out, " until cycle %llu", x->due);
	else if (x->since != NEVER)
		text_add(out, " since cycle %llu", x->since);
}

/* The focused warp, then what of it is in flight. */
static void pane_datapath_say_focus(const struct scene_of *s, struct text *where, struct text *flying)
{
	for (u32 i = 0; i < s->d.n; i++) {
		const struct box_item *x = &s->d.item[i];

		if (x->context != s->v->focus.warp)
			continue;
		if (x->status < WARP_STATUS_COUNT) {
			pane_datapath_say_warp(s, x, where);
			continue;
		}
		text_add(flying, flying->len ? "; %s: " : "in flight: %s: ", box_table[x->box].name);
		pane_datapath_say_instruction(s, x, flying);
	}
	if (!where->len)
		text_add(where, "w%u is not resident", s->v->focus.warp);
}

/* The box under the cursor: what it is, and what is in it. */
static void pane_datapath_say_box(const struct scene_of *s, u32 box, u32 sub, struct text *out)
{
	bool shared = box_table[box].holds == HOLDS_SHARED, any = false;

	datapath_title(s, box, sub, out);
	text_add(out, ": ");
	for (u32 i = 0; i < s->d.n; i++) {
		const struct box_item *x = &s->d.item[i];

		if (!datapath_shows(x, box, shared ? NONE32 : sub))
			continue;
		text_add(out, "%s", any ? "; " : "");
		any = true;
		if (x->status < WARP_STATUS_COUNT) {
			text_add(out, "w%u %s", x->context, warp_status_table[x->status].name);
			if (x->since != NEVER)
				text_add(out, ", last issue %llu", x->since);
		} else {
			pane_datapath_say_instruction(s, x, out);
		}
	}
	if (!any)
		text_add(out, "%s", box_table[box].doc);
}

/* --- drawing --- */

/* Where there is one line: the box of the focused warp and of what is followed. */
static void pane_datapath_say_one_line(const struct scene_of *s, struct text *out)
{
	for (u32 i = 0; i < s->d.n; i++) {
		const struct box_item *x = &s->d.item[i];

		if (x->context == s->v->focus.warp && x->status < WARP_STATUS_COUNT)
			text_add(out, ": w%u in %s, %s (%c)", x->context, box_table[x->box].name,
				 warp_status_table[x->status].name, warp_status_table[x->status].letter);
	}
	if (s->follows)
		text_add(out, "  ● %s", hop_table[s->spot.hop].name);
}

/* The title's sums: of the sub-cores that are drawn. */
static void pane_datapath_heading(struct canvas *c, const struct plan *p, const struct scene_of *s)
{
	struct text focus = {0}, sum = {0};
	u32 warps, inflight, only = p->subs == 1 ? p->first : NONE32;
	bool holds = datapath_sum(&s->d, only, &warps, &inflight);

	text_add(&focus, "SM %u", s->v->focus.sm);
	if (only != NONE32 && s->v->sim->m->config.sm_subcores > 1)
		text_add(&focus, " sub-core %u", only);
	if (c->height == 1)
		pane_datapath_say_one_line(s, &focus);
	text_add(&sum, "warps ");
	text_add_sum(&sum, warps, holds);
	text_add(&sum, "  in flight ");
	text_add_sum(&sum, inflight, holds);
	canvas_title(c, 0, "datapath", focus.s, sum.s);
	text_free(&focus);
	text_free(&sum);
}

/* Where what is followed is. */
static void pane_datapath_say_followed(const struct scene_of *s, struct text *out)
{
	if (s->spot.sm != s->v->focus.sm)
		text_add(out, "SM %u: ", s->spot.sm);
	else if (s->v->plain)
		text_add(out, "%s, ", box_table[s->marked].name);
	follow_here(s->v->session, &s->spot, !lesson_hides(s->v->session), out);
}

/* What is said below the boxes: of the focused warp, of the box under the cursor or what is in flight, of what is
 * followed; in fewer lines the one that the reader has asked for. */
static void pane_datapath_below(struct canvas *c, const struct plan *p, const struct scene_of *s)
{
	u32 y = p->bottom, room = c->height - p->bottom;
	struct text where = {0}, flying = {0}, followed = {0};
	bool box = s->cursor < BOX_COUNT;

	pane_datapath_say_focus(s, &where, &flying);
	if (box) {
		text_clear(&flying);
		pane_datapath_say_box(s, s->cursor, s->v->focus.sub, &flying);
	}
	if (s->follows)
		pane_datapath_say_followed(s, &followed);
	if (room > 1 || (!box && !s->follows))
		canvas_text_at(c, 1, y++, STYLE_PLAIN, where.s);
	if (flying.len && (room > 2 || box || !s->follows))
		canvas_text_at(c, 1, y++, box ? STYLE_PLAIN : STYLE_DIM, flying.s);
	if (s->follows)
		canvas_text_at(c, canvas_put(c, 1, y, FOLLOW_SIGN, STYLE_FOLLOWED) + 1, y, STYLE_PLAIN, followed.s);
	text_free(&where);
	text_free(&flying);
	text_free(&followed);
}

static void pane_datapath_draw(struct canvas *c, const struct pane_view *v)
{
	struct scene_of s;
	struct plan p;

	pane_datapath_open(&s, v);
	plan_make(&p, &s.d, v->focus.sub, c->width, c->height);
	pane_datapath_heading(c, &p, &s);
	if (p.fits)
		datapath_draw(c, &p, &s);
	else
		p.bottom = datapath_draw_chain(c, &s);
	if (p.bottom < c->height)
		pane_datapath_below(c, &p, &s);
	pane_datapath_close(&s);
}

static u32 pane_datapath_height(const struct pane_view *v)
{
	struct datapath d;
	struct plan p;

	datapath_open(&d, v->sim, v->focus.sm);
	plan_make(&p, &d, v->focus.sub, v->width, 1000);
	datapath_close(&d);
	return p.fits ? p.height : 8;
}

/* --- sentences --- */

/* The warps of a box by state, the instructions one after the other. */
static void pane_datapath_say_items(const struct scene_of *s, u32 box, u32 sub, struct text *out)
{
	char word[16];

	for (u32 k = 0; k <= WARP_STATUS_COUNT; k++) {
		u32 n = 0;

		for (u32 i = 0; i < s->d.n; i++) {
			const struct box_item *x = &s->d.item[i];

			if (x->status != k || !datapath_shows(x, box, sub))
				continue;
			text_add(out, !n ? ", " : k < WARP_STATUS_COUNT ? " " : "; ");
			n++;
			datapath_word(x, word);
			if (k < WARP_STATUS_COUNT)
				text_add(out, "%s", word);
			else
				pane_datapath_say_instruction(s, x, out);
		}
		if (n && k < WARP_STATUS_COUNT)
			text_add(out, " %s", warp_status_table[k].name);
	}
}

/* The boxes of a sub-core, or (NONE32) those that all share; the empty ones last, in one sentence. */
static void pane_datapath_say_boxes(const struct scene_of *s, u32 sub, struct text *out)
{
	struct text title = {0}, items = {0}, empty = {0};

	for (u32 i = 0; i < BOX_COUNT; i++) {
		if (!datapath_has(s->v->sim, (enum box)i) || (box_table[i].holds == HOLDS_SHARED) != (sub == NONE32))
			continue;
		datapath_title(s, i, sub, &title);
		text_clear(&items);
		pane_datapath_say_items(s, i, sub, &items);
		if (items.len || strcmp(title.s, box_table[i].name) != 0)
			text_add(out, "%s%s.\n", title.s, items.len ? items.s : "");
		else
			text_add(&empty, "%s%s", empty.len ? ", " : "", title.s);
	}
	if (empty.len)
		text_add(out, "empty: %s.\n", empty.s);
	text_free(&title);
	text_free(&items);
	text_free(&empty);
}

/* Banks, register cache, gangs: boxes that hold no items. */
static void pane_datapath_say_banks(const struct scene_of *s, u32 sub, struct text *out)
{
	struct machine *m = s->v->sim->m;
	u32 n = m->config.sm_banks, places = n * REUSE_PLACES;
	const struct bank *bank = (struct bank *)machine_sm_section(m, s->d.sm, SECTION_BANK) + sub * n;
	const struct reuse *kept = (struct reuse *)machine_sm_section(m, s->d.sm, SECTION_REUSE) + sub * places;

	for (u32 i = 0; i < n; i++) {
		if (bank[i].granted_context != NONE16)
			text_add(out, "bank %u granted r%u to warp %u.\n", i, bank[i].granted_register,
				 bank[i].granted_context);
		if (bank[i].count)
			text_add(out, "bank %u: %u read%s.\n", i, bank[i].count,
				 bank[i].count == 1 ? " waits" : "s wait");
	}
	for (u32 i = 0; m->config.collector_reuse && i < places; i++)
		if (kept[i].owner)
			text_add(out, "register cache: r%u of warp %u.\n", kept[i].reg, kept[i].owner - 1u);
}

static void pane_datapath_say_gangs(const struct scene_of *s, struct text *out)
{
	u32 count[MAX_SUBCORES + 1];

	if (!datapath_has(s->v->sim, BOX_GANGS))
		return;
	datapath_gangs(&s->d, count);
	for (u32 i = MAX_SUBCORES; i; i--)
		if (count[i])
			text_add(out, "gangs: %u of %u small warps.\n", count[i], i);
}

/* A path on which something moved, or that keeps something back. */
static void pane_datapath_say_path(const struct scene_of *s, enum path path, u32 sub, struct text *out)
{
	const struct path_row *row = &path_table[path];
	struct text letters = {0};

	datapath_letters(s, path, sub, &letters);
	if (s->moves[sub].n[path])
		text_add(out, "moved: %s.\n", row->doc);
	if (datapath_has_path(s, path) && datapath_blocked(s, path, sub))
		text_add(out, "blocked: %s to %s%s%s.\n", box_table[row->from].name, box_table[row->to].name,
			 letters.len ? ", " : "", letters.len ? letters.s : "");
	text_free(&letters);
}

static void pane_datapath_say_one(const struct scene_of *s, u32 sub, struct text *out)
{
	pane_datapath_say_boxes(s, sub, out);
	pane_datapath_say_banks(s, sub, out);
	for (u32 i = 0; i < PATH_COUNT; i++)
		pane_datapath_say_path(s, (enum path)i, sub, out);
	for (u32 k = UNIT_NONE + 1; k < UNIT_COUNT; k++) {
		if (k != UNIT_LSU && s->moves[sub].unit[k])
			text_add(out, "moved: an instruction went to unit %s.\n", unit_name[k]);
		if (k != UNIT_LSU && datapath_unit_blocked(s, k, sub))
			text_add(out, "blocked: collectors to %s.\n", unit_name[k]);
	}
}

static void pane_datapath_say(struct text *out, const struct pane_view *v)
{
	struct scene_of s;
	struct text where = {0}, flying = {0};
	u32 warps, inflight, subs = v->sim->m->config.sm_subcores;
	bool holds;

	pane_datapath_open(&s, v);
	holds = datapath_sum(&s.d, NONE32, &warps, &inflight);
	text_add(out, "datapath of SM %u: warps %u, in flight %u: %s.\n", v->focus.sm, warps, inflight,
		 holds ? "correct" : "WRONG");
	pane_datapath_say_focus(&s, &where, &flying);
	text_add(out, "%s.\n", where.s);
	if (flying.len)
		text_add(out, "%s.\n", flying.s);
	if (s.follows) {
		text_add(out, "followed: ");
		pane_datapath_say_followed(&s, out);
		text_add(out, ".\n");
	}
	for (u32 sub = 0; sub < subs; sub++) {
		datapath_sum(&s.d, sub, &warps, &inflight);
		text_add(out, "sub-core %u: warps %u, in flight %u.\n", sub, warps, inflight);
		pane_datapath_say_one(&s, sub, out);
	}
	pane_datapath_say_gangs(&s, out);
	pane_datapath_say_boxes(&s, NONE32, out);
	text_free(&where);
	text_free(&flying);
	pane_datapath_close(&s);
}

/* --- numbers, clicks --- */

static json_t *pane_datapath_item(const struct box_item *x)
{
	json_t *o = json_object();

	json_object_set_new(o, "warp", json_integer(x->context));
	json_object_set_new(o, "sub", json_integer(x->sub));
	if (x->status < WARP_STATUS_COUNT)
		json_object_set_new(o, "state", json_string(warp_status_table[x->status].name));
	else if (x->pc != NONE32)
		json_object_set_new(o, "pc", json_integer(x->pc));
	if (x->writes)
		json_object_set_new(o, "writes", json_integer(x->writes));
	if (x->since != NEVER)
		json_object_set_new(o, "since", json_integer((json_int_t)x->since));
	if (x->due != NEVER)
		json_object_set_new(o, "until", json_integer((json_int_t)x->due));
	return o;
}

/* A box of a sub-core, or (NONE32) a shared one. */
static json_t *pane_datapath_box(const struct scene_of *s, u32 box, u32 sub)
{
	json_t *o = json_object(), *items = json_array();
	u32 of, used = datapath_used(&s->d, (enum box)box, sub, &of);

	json_object_set_new(o, "name", json_string(box_table[box].name));
	if (sub != NONE32)
		json_object_set_new(o, "sub", json_integer(sub));
	json_object_set_new(o, "used", json_integer(used));
	if (of)
		json_object_set_new(o, "of", json_integer(of));
	for (u32 i = 0; i < s->d.n; i++)
		if (datapath_shows(&s->d.item[i], box, sub))
			json_array_append_new(items, pane_datapath_item(&s->d.item[i]));
	json_object_set_new(o, "items", items);
	return o;
}

static json_t *pane_datapath_path(const struct scene_of *s, enum path path, u32 sub)
{
	struct text letters = {0};
	json_t *o = json_object();
	const struct path_row *row = &path_table[path];

	datapath_letters(s, path, sub, &letters);
	json_object_set_new(o, "from", json_string(row->from < BOX_COUNT ? box_table[row->from].name : "results"));
	json_object_set_new(o, "to", json_string(box_table[row->to].name));
	json_object_set_new(o, "sub", json_integer(sub));
	json_object_set_new(o, "moved", json_integer(s->moves[sub].n[path]));
	json_object_set_new(o, "blocked", json_boolean(datapath_blocked(s, path, sub)));
	json_object_set_new(o, "waiting", json_string(letters.s ? letters.s : ""));
	text_free(&letters);
	return o;
}

/* What is followed. */
static json_t *pane_datapath_followed(const struct scene_of *s)
{
	json_t *o = json_object();

	member_int(o, "sm", s->spot.sm);
	member_int(o, "warp", s->spot.warp);
	member_int(o, "pc", s->spot.pc);
	member_text(o, "hop", hop_table[s->spot.hop].name);
	member_int(o, "from", (i64)s->spot.from);
	if (s->marked < BOX_COUNT)
		member_text(o, "box", box_table[s->marked].name);
	return o;
}

static json_t *pane_datapath_data(const struct pane_view *v)
{
	json_t *o = json_object(), *boxes = json_array(), *paths = json_array();
	u32 warps, inflight;
	struct scene_of s;

	pane_datapath_open(&s, v);
	json_object_set_new(o, "correct", json_boolean(datapath_sum(&s.d, NONE32, &warps, &inflight)));
	json_object_set_new(o, "warps", json_integer(warps));
	json_object_set_new(o, "in_flight", json_integer(inflight));
	for (u32 i = 0; i < BOX_COUNT; i++)
		for (u32 sub = 0; datapath_has(v->sim, (enum box)i) && sub < v->sim->m->config.sm_subcores; sub++)
			if (box_table[i].holds != HOLDS_SHARED || !sub)
				json_array_append_new(
					boxes,
					pane_datapath_box(&s, i, box_table[i].holds == HOLDS_SHARED ? NONE32 : sub));
	for (u32 i = 0; i < PATH_COUNT; i++)
		for (u32 sub = 0; datapath_has_path(&s, (enum path)i) && sub < v->sim->m->config.sm_subcores; sub++)
			json_array_append_new(paths, pane_datapath_path(&s, (enum path)i, sub));
	json_object_set_new(o, "boxes", boxes);
	json_object_set_new(o, "paths", paths);
	if (s.follows)
		json_object_set_new(o, "followed", pane_datapath_followed(&s));
	pane_datapath_close(&s);
	return o;
}

/* A click puts the cursor on a box, and focuses its sub-core. */
static void pane_datapath_point(const struct pane_view *v, const struct pane_spot *at, u64 *cursor, struct text *line)
{
	struct datapath d;
	struct plan p;

	datapath_open(&d, v->sim, v->focus.sm);
	plan_make(&p, &d, v->focus.sub, v->width, at->height);
	for (u32 i = 0; i < p.nspots; i++) {
		const struct box_place *x = &p.spot[i];

		if (at->x < x->x || at->x >= x->x + x->width || at->y < x->y || at->y >= x->y + x->height)
			continue;
		*cursor = x->box;
		if (box_table[x->box].holds != HOLDS_SHARED && x->sub != v->focus.sub)
			text_add(line, "focus sub %u", x->sub);
		break;
	}
	datapath_close(&d);
}

const struct pane pane_datapath = {
	.name = "datapath",
	.summary = "the SM as a drawing: its stages, the warps and instructions in them, what moves, what blocks",
	.legend =
		"5L: warp 5 and the letter of its state (`explain states`), the color is that of its CTA; 5: an instruction of warp 5; 5:2: two writes of it\n"
		"thick path: something moved on it in the last cycle   ×: it keeps something back, with the letters of the warps\n"
		"box: used/capacity, yellow: full; a unit: in use in the last cycle   buffers: a bar for each warp slot\n"
		"banks: reads that wait (bar, number), the read that the bank granted   collectors: ■ operand read, □ not yet\n"
		"●: what `follow` follows: the box in which it is, the warp or instruction, and what happens to it",
	.ask = "step, why, pane cursor +1",
	.size = {.least_width = 30, .least_height = 3, .wish_height = 19},
	.stream = true,
	.draw = pane_datapath_draw,
	.say = pane_datapath_say,
	.data = pane_datapath_data,
	.point = pane_datapath_point,
	.height = pane_datapath_height,
};
