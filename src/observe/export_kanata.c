/*
 * export_kanata.c - Konata's text format, Kanata 0004: a line for each warp instruction that issues in the window.
 *
 * Lane 0: Is the cycle of its issue, Co in a collector unit, Ex in an execution unit or Me with the LSU until its
 * results are written, Wb the cycle of that. Control instructions are Is alone; stores end with the cycle in which the
 * LSU took them. Lane 1: the letter of what the warp did after it, until it issues again. Lines that the window's end
 * cuts off are marked as flushed (R with 1). Thread ids are SM x contexts + warp.
 */
#include "events.h"
#include "export.h"
#include "machine.h"

enum line_stage { LINE_ISSUE, LINE_COLLECT, LINE_EXECUTE, LINE_WRITE, LINE_OVER };

struct line {
	u64 id, at;	/* cycle in which its stage began */
	u32 pc, next;	/* next open line of the context, or free line */
	u32 generation; /* of the context */
	u8 stage, unit; /* enum line_stage; enum unit_kind */
	bool writes;	/* it ends with a write-back */
	bool newest;	/* of its context: lane 1 goes on */
	char letter;	/* of lane 1, 0: none */
	u16 sm, warp;
};

/* Lines by number. */
struct list {
	u32 *item, n;
};

struct picture {
	struct line *line;
	u32 nlines, free;
	u32 *first, *newest;	/* by SM and context: open lines, the one issued last */
	struct list due, late;	/* lines whose stage lasts one cycle: those of this cycle, those of the one before */
	u64 ids, retired, told; /* cycle told to the file */
	u32 met;		/* SM and context of whose lanes some have just met, NONE32: none */
};

static const char *const stage_name[] = {
	[LINE_ISSUE] = "Is", [LINE_COLLECT] = "Co", [LINE_EXECUTE] = "Ex", [LINE_WRITE] = "Wb"};

static const char *name_of(const struct line *l)
{
	return l->stage == LINE_EXECUTE && l->unit == UNIT_LSU ? "Me" : stage_name[l->stage];
}

/* Tell the file the cycle, before what happens in it. */
static void tell(struct exporter *x, u64 cycle)
{
	struct picture *p = x->state;

	if (cycle != p->told)
		export_put(x, "C\t%llu\n", cycle - p->told);
	p->told = cycle;
}

static void list_add(struct list *l, u32 item)
{
	l->item = array_grow(l->item, l->n, sizeof(*l->item));
	l->item[l->n++] = item;
}

static u32 place_of(const struct exporter *x, u32 sm, u32 warp)
{
	return sm * x->then.sim.m->contexts + warp;
}

/* A line has ended: out of its context's list. */
static void retire(struct exporter *x, u32 i, bool flushed)
{
	struct picture *p = x->state;
	struct line *l = &p->line[i];
	u32 *link = &p->first[place_of(x, l->sm, l->warp)];

	export_put(x, "R\t%llu\t%llu\t%d\n", l->id, p->retired++, flushed);
	while (*link != i)
		link = &p->line[*link].next;
	*link = l->next;
	l->next = p->free;
	p->free = i;
}

/* Lane 1 shows a letter from now on; 0: nothing. */
static void set_letter(struct exporter *x, struct line *l, char letter)
{
	if (l->letter == letter)
		return;
	tell(x, x->cycle);
	if (l->letter)
		export_put(x, "E\t%llu\t1\t%c\n", l->id, l->letter);
	if (letter)
		export_put(x, "S\t%llu\t1\t%c\n", l->id, letter);
	l->letter = letter;
}

/* Lane 0 goes on to a stage; LINE_OVER: it ends. */
static void set_stage(struct exporter *x, struct line *l, enum line_stage stage)
{
	tell(x, x->cycle);
	export_put(x, "E\t%llu\t0\t%s\n", l->id, name_of(l));
	l->stage = (u8)stage;
	l->at = x->cycle;
	if (stage != LINE_OVER)
		export_put(x, "S\t%llu\t0\t%s\n", l->id, name_of(l));
}

/* The context's newest line is no more that. */
static void part(struct exporter *x, u32 place)
{
	struct picture *p = x->state;
	u32 i = p->newest[place];

	if (i == NONE32)
		return;
	set_letter(x, &p->line[i], 0);
	p->line[i].newest = false;
	p->newest[place] = NONE32;
	if (p->line[i].stage == LINE_OVER)
		retire(x, i, false);
}

static u32 generation_of(const struct exporter *x, u32 sm, u32 warp)
{
	return ((const struct warp *)machine_sm_section(x->then.sim.m, sm, SECTION_WARP))[warp].generation;
}

/* Lines of a context whose CTA was flushed, saved or killed end: no result of them comes any more. */
static void drop(struct exporter *x, u32 place)
{
	struct picture *p = x->state;
	u32 next;

	for (u32 i = p->first[place]; i != NONE32; i = next) {
		struct line *l = &p->line[i];
		bool waits = l->stage == LINE_COLLECT || (l->stage == LINE_EXECUTE && l->writes);

		next = l->next;
		if (!waits || l->generation == generation_of(x, l->sm, l->warp))
			continue;
		set_letter(x, l, 0);
		p->newest[place] = p->newest[place] == i ? NONE32 : p->newest[place];
		set_stage(x, l, LINE_OVER);
		retire(x, i, true);
	}
}

/* A free line. */
static u32 new_line(struct picture *p)
{
	u32 i = p->free;

	if (i != NONE32) {
		p->free = p->line[i].next;
		return i;
	}
	p->line = xrealloc(p->line, (p->nlines + 1) * sizeof(*p->line));
	return p->nlines++;
}

/* The text of a line: who, and the instruction. */
static void put_label(struct exporter *x, const struct record *r, u64 id)
{
	const struct kernel *k = export_kernel(x, r->launch);
	const char *text = k ? kernel_text(k, r->pc) : "";

	export_put(x, "L\t%llu\t0\tsm%u w%u %u: %s\n", id, r->sm, r->warp, r->pc, safe_text(text));
	export_put(x, "L\t%llu\t1\tcycle %llu, kernel %u, cta %u, %u lanes\n", id, x->cycle, r->launch, r->cta, r->a);
}

/* Whether an instruction ends with a write-back: all but control, and what only writes global memory. */
static bool writes_back(const struct exporter *x, const struct record *r)
{
	const struct kernel *k = export_kernel(x, r->launch);
	const struct inst *in = k && r->pc < k->ninst ? &k->inst[r->pc] : NULL;

	if (class_table[r->b].unit == UNIT_NONE)
		return false;
	if (r->b != CLASS_STORE && r->b != CLASS_ATOMIC)
		return true;
	return in && (in->nwrite || in->write_pred[0] != 0xff || in->write_pred[1] != 0xff);
}

/* An instruction issued. */
static void issued(struct exporter *x, const struct record *r)
{
	struct picture *p = x->state;
	u32 place = place_of(x, r->sm, r->warp), i, *link = &p->first[place];

	part(x, place);
	i = new_line(p);
	p->line[i] = (struct line){.id = p->ids++,
				   .at = x->cycle,
				   .pc = r->pc,
				   .generation = generation_of(x, r->sm, r->warp),
				   .next = NONE32,
				   .newest = true,
				   .unit = class_table[r->b].unit,
				   .writes = writes_back(x, r),
				   .sm = r->sm,
				   .warp = r->warp};
	while (*link != NONE32)
		link = &p->line[*link].next;
	*link = p->newest[place] = i;
	tell(x, x->cycle);
	export_put(x, "I\t%llu\t%llu\t%u\n", p->line[i].id, p->line[i].id, place);
	put_label(x, r, p->line[i].id);
	export_put(x, "S\t%llu\t0\tIs\n", p->line[i].id);
	list_add(&p->due, i);
}

/* The oldest open line of a record's instruction whose stage is from..to, NONE32: it issued before the window. */
static u32 find(const struct exporter *x, const struct record *r, u8 from, u8 to)
{
	const struct picture *p = x->state;
	u32 i = p->first[place_of(x, r->sm, r->warp)];

	while (i != NONE32 && (p->line[i].pc != r->pc || p->line[i].stage < from || p->line[i].stage > to))
		i = p->line[i].next;
	return i;
}

/* Lanes have met, or none of those that came has: then their instruction has taken no collector unit and is over. */
static void met(struct exporter *x, const struct record *r)
{
	struct picture *p = x->state;
	u32 place = place_of(x, r->sm, r->warp), i = p->newest[place];

	if (r->b && p->met != place && i != NONE32 && p->line[i].at == x->cycle) {
		p->line[i].unit = UNIT_NONE;
		p->line[i].writes = false;
	}
	p->met = r->b ? NONE32 : place;
}

/* What a record tells of its instruction. */
static void take(struct exporter *x, const struct record *r)
{
	struct picture *p = x->state;
	u32 i;

	if (r->kind == EVENT_ISSUE) {
		issued(x, r);
		return;
	}
	if (r->kind == EVENT_RENDEZVOUS) {
		met(x, r);
		return;
	}
	i = r->kind == EVENT_DISPATCH ? find(x, r, LINE_ISSUE, LINE_COLLECT) : find(x, r, LINE_EXECUTE, LINE_EXECUTE);
	if (i == NONE32)
		return;
	set_stage(x, &p->line[i], r->kind == EVENT_DISPATCH ? LINE_EXECUTE : LINE_WRITE);
	if (r->kind == EVENT_WRITEBACK || !p->line[i].writes)
		list_add(&p->due, i);
}

/* Stages that began in the cycle before and last no longer. */
static void age(struct exporter *x)
{
	struct picture *p = x->state;

	for (u32 n = 0; n < p->late.n; n++) {
		u32 i = p->late.item[n];
		struct line *l = &p->line[i];

		if (l->at == x->cycle)
			continue;
		set_stage(x, l, l->stage == LINE_ISSUE && l->unit != UNIT_NONE ? LINE_COLLECT : LINE_OVER);
		if (l->stage == LINE_OVER && !l->newest)
			retire(x, i, false);
	}
	p->late.n = 0;
}

static enum status begin(struct exporter *x, struct error *e UNUSED)
{
	const struct machine *m = x->then.sim.m;
	struct picture *p = x->state = xcalloc(1, sizeof(*p));
	size_t n = (size_t)m->config.gpu_sms * m->contexts;

	p->free = p->met = NONE32;
	p->told = x->cycle;
	p->first = xmalloc(n * sizeof(*p->first));
	p->newest = xmalloc(n * sizeof(*p->newest));
	memset(p->first, 0xff, n * sizeof(*p->first));
	memset(p->newest, 0xff, n * sizeof(*p->newest));
	export_put(x, "Kanata\t0004\nC=\t%llu\n", x->cycle);
	return STATUS_OK;
}

static void cycle(struct exporter *x)
{
	struct picture *p = x->state;
	const struct bus *b = &x->then.sim.bus;
	const struct machine *m = x->then.sim.m;
	struct list late = p->late;

	p->late = p->due;
	p->due = late;
	for (u32 i = 0; i < b->count; i++)
		take(x, &b->record[i]);
	age(x);
	for (u32 place = 0; place < m->config.gpu_sms * m->contexts; place++) {
		u32 status;

		drop(x, place);
		if (p->newest[place] == NONE32)
			continue;
		status = sim_warp_status(&x->then.sim, place / m->contexts, place % m->contexts);
		if (status == WARP_DONE || status == WARP_STATUS_COUNT)
			part(x, place);
		else
			set_letter(x, &p->line[p->newest[place]],
				   status == WARP_ISSUED ? 0 : warp_status_table[status].letter);
	}
}

/* Whether a line's last cycle is over with the window's last. */
static bool complete(const struct line *l)
{
	switch ((enum line_stage)l->stage) {
	case LINE_ISSUE: return l->unit == UNIT_NONE;
	case LINE_COLLECT: return false;
	case LINE_EXECUTE: return !l->writes;
	default: return true;
	}
}

/* What is open lasts to the end of the last cycle. */
static void close_all(struct exporter *x, u32 place)
{
	struct picture *p = x->state;
	u32 i;

	while ((i = p->first[place]) != NONE32) {
		bool flushed = !complete(&p->line[i]);

		set_letter(x, &p->line[i], 0);
		if (p->line[i].stage != LINE_OVER)
			set_stage(x, &p->line[i], LINE_OVER);
		retire(x, i, flushed);
	}
}

static void end(struct exporter *x)
{
	struct picture *p = x->state;
	const struct machine *m = x->then.sim.m;

	x->cycle++;
	for (u32 place = 0; place < m->config.gpu_sms * m->contexts; place++)
		close_all(x, place);
	x->cycle--;
	free(p->line);
	free(p->first);
	free(p->newest);
	free(p->due.item);
	free(p->late.item);
}

const struct export_format export_kanata = {
	.want = EVENT_BIT(EVENT_ISSUE) | EVENT_BIT(EVENT_DISPATCH) | EVENT_BIT(EVENT_WRITEBACK) |
		EVENT_BIT(EVENT_RENDEZVOUS),
	.begin = begin,
	.cycle = cycle,
	.end = end,
};
