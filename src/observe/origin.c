/* origin.c - the tree, and the search through the stretches of the run, the latest first (origin.h). */
#include "origin_internal.h"

#define KEYS (1u << 19) /* of the table of values that are told once */
#define NESTED 500	/* values that are looked into one within the other, before one has to wait for its turn */

/* Nodes by value: place, cycle and lane. */
struct same_table {
	u32 node[KEYS]; /* + 1 */
};

/* --- nodes --- */

u32 origin_add(struct search *q, u32 parent, const struct datum *place, enum use_role role, u32 source)
{
	struct origin *o = q->o;
	u32 i = o->n;
	struct origin_node *p;

	if (o->n == ORIGIN_NODES) {
		o->full = true;
		return NONE32;
	}
	o->node = array_grow(o->node, o->n, sizeof(*o->node));
	o->node[o->n++] = (struct origin_node){.place = *place,
					       .role = (u8)role,
					       .source = (u8)source,
					       .type = place->type,
					       .parent = parent,
					       .child = NONE32,
					       .last = NONE32,
					       .next = NONE32,
					       .same = NONE32};
	o->node[i].until = NEVER;
	if (parent == NONE32)
		return i;
	p = &o->node[parent];
	o->node[i].until = p->cycle - 1;
	o->node[i].depth = p->depth + 1;
	if (p->last == NONE32)
		p->child = i;
	else
		o->node[p->last].next = i;
	p->last = i;
	return i;
}

u32 origin_beside(struct search *q, u32 node, const struct datum *place)
{
	struct origin *o = q->o;
	u32 parent = o->node[node].parent, i;

	i = origin_add(q, parent == NONE32 ? node : parent, place, o->node[node].role, o->node[node].source);
	if (i != NONE32)
		o->node[i].depth = o->node[node].depth;
	return i;
}

static void push(struct quest **list, u32 *n, struct quest x)
{
	if (x.node == NONE32)
		return;
	*list = array_grow(*list, *n, sizeof(**list));
	(*list)[(*n)++] = x;
}

void origin_need(struct search *q, struct quest n)
{
	push(&q->todo, &q->ntodo, n);
}

void origin_carry(struct search *q, struct quest n)
{
	push(&q->later, &q->nlater, n);
}

/* --- what comes again --- */

static bool equal(const struct origin_node *a, const struct origin_node *b)
{
	const struct datum *x = &a->place, *y = &b->place;

	return a->cycle == b->cycle && a->pc == b->pc && a->launch == b->launch && a->cta == b->cta &&
	       a->warp == b->warp && a->lane == b->lane && x->kind == y->kind && x->index == y->index &&
	       x->words == y->words && x->address == y->address && x->bytes == y->bytes;
}

/* The node that has this value already, or is entered as the one that has it. */
static u32 told_before(struct origin *o, u32 node)
{
	struct origin_node *x = &o->node[node];
	u64 h = mix64(x->cycle << 20 ^ x->pc) ^ mix64((u64)x->cta << 32 | x->warp << 8 | x->lane) ^
		mix64(x->place.address + x->place.index * 977u + x->place.words);
	u32 i = (u32)(h & (KEYS - 1));

	for (; o->same->node[i]; i = (i + 1) & (KEYS - 1)) {
		struct origin_node *y = &o->node[o->same->node[i] - 1];

		if (!equal(x, y))
			continue;
		if (y->role == USE_VALUE || x->role != USE_VALUE || y->opened)
			return o->same->node[i] - 1;
		break; /* the value rather than the address */
	}
	o->same->node[i] = node + 1;
	return node;
}

/* --- made by an instruction --- */

/* Is a node one more round of what made the node above: the same instruction, or the same of a loop that was unrolled?
 */
static bool is_round(const struct search *q, const struct origin_node *x, const struct origin_node *up)
{
	const struct kernel *k = q->session->program.launch[x->launch].kernel;
	const struct inst *a = &k->inst[x->pc], *b = &k->inst[up->pc];

	if (x->role != USE_VALUE || up->kind != ORIGIN_MADE || x->launch != up->launch || x->cta != up->cta ||
	    x->warp != up->warp || x->lane != up->lane || x->place.kind != DATUM_REGISTER || touches_memory(a))
		return false;
	return x->pc == up->pc || !strcmp(kernel_text(k, x->pc), kernel_text(k, up->pc)) ||
	       (a->op == b->op && a->source_line && a->source_line == b->source_line &&
		a->source_file == b->source_file);
}

/* Is a node to be opened, now that it is known? */
static bool wanted(const struct search *q, const struct origin_node *x)
{
	if (x->kind != ORIGIN_MADE || x->opened)
		return false;
	if (q->whole)
		return x->role == USE_VALUE;
	if (x->depth >= q->limit || (x->role != USE_VALUE && x->parent != NONE32))
		return false;
	return x->round || x->parent == NONE32 || !q->o->node[x->parent].round || x->place.kind != DATUM_REGISTER ||
	       x->source == q->o->node[x->parent].source;
}

/* A node that an event made is opened: at once, or after what is being opened, so that a loop of many rounds does not
 * need as much stack. */
static void open_node(struct search *q, u32 node, u32 e)
{
	if (q->nested == NESTED) {
		origin_need(q, (struct quest){node, NEED_END, 0});
		return;
	}
	q->nested++;
	origin_expand(q, node, e);
	q->nested--;
}

/* Does an instruction hand bits on as they are? */
static bool moves_bits(const char *text)
{
	static const char *const word[] = {"mov.", "shfl.", "selp.", "ld.", "st."};
	bool moves = false;

	if (*text == '@')
		text += strcspn(text, " ") + 1;
	for (u32 i = 0; i < ARRAY_LEN(word); i++)
		moves |= !strncmp(text, word[i], strlen(word[i]));
	return moves;
}

/* How the instruction above reads a value that is bits to the one that has made it (a shuffle, mov.b32): as the only
 * type that it names, or where it just moves bits, too, as what it has made is shown. */
static void read_as(const struct search *q, struct origin_node *x)
{
	const struct origin_node *reader = x->parent != NONE32 ? &q->o->node[x->parent] : NULL;
	struct result_type t;
	const struct kernel *k;

	if (!reader || reader->kind != ORIGIN_MADE || x->role != USE_VALUE)
		return;
	k = q->session->program.launch[reader->launch].kernel;
	t = inst_operand_type(k, reader->pc);
	if (t.hex && moves_bits(kernel_text(k, reader->pc)))
		t = (struct result_type){reader->type, reader->hex};
	if (t.hex || value_type_size[t.type] != value_type_size[x->type])
		return;
	x->type = t.type;
	x->hex = false;
}

void origin_made(struct search *q, u32 node, u32 e, u32 lane)
{
	struct origin *o = q->o;
	struct origin_node *x = &o->node[node];
	const struct track_event *v = &q->track.event[e];
	const struct track_cta *cta = &q->track.cta[q->track.owner[v->warp]];
	struct result_type t;

	x->kind = ORIGIN_MADE;
	x->cycle = v->cycle;
	x->pc = v->pc;
	x->sm = v->sm;
	x->context = v->context;
	x->lane = (u8)lane;
	x->launch = cta->launch;
	x->cta = cta->cta;
	x->warp = v->warp - cta->first_warp;
	t = inst_result_type(q->session->program.launch[x->launch].kernel, x->pc);
	if (x->place.kind == DATUM_REGISTER && (value_type_size[t.type] == 8) == (x->place.words == 2)) {
		x->type = t.type;
		x->hex = t.hex;
		if (t.hex)
			read_as(q, x);
	} else if (x->place.kind == DATUM_REGISTER) {
		x->hex = true;
	}
	x->same = told_before(o, node);
	if (x->same != node) {
		x->kind = ORIGIN_SAME;
		if (q->whole && wanted(q, &o->node[x->same]))
			open_node(q, x->same, e);
		return;
	}
	x->same = NONE32;
	if (x->parent != NONE32 && is_round(q, x, &o->node[x->parent])) {
		x->round = true;
		x->depth = o->node[x->parent].depth;
	}
	if (wanted(q, x))
		open_node(q, node, e);
}

/* --- the run --- */

/* Did an event make a node? */
static bool made_by(const struct search *q, const struct origin_node *x, const struct track_event *v)
{
	const struct track_cta *cta = &q->track.cta[q->track.owner[v->warp]];

	return v->pc == x->pc && v->mask >> x->lane & 1 && cta->launch == x->launch && cta->cta == x->cta &&
	       v->warp - cta->first_warp == x->warp;
}

/* The event that made a node. */
static u32 event_of(const struct search *q, const struct origin_node *x)
{
	const struct track *t = &q->track;
	u32 low = BISECT(i, t->nevents, t->event[i].cycle < x->cycle);

	while (low < t->nevents && t->event[low].cycle == x->cycle && !made_by(q, x, &t->event[low]))
		low++;
	return low < t->nevents && t->event[low].cycle == x->cycle ? low : TRACK_EARLIER;
}

/* Has a need something to find in the stretch? */
static bool concerns(const struct search *q, const struct quest *n)
{
	const struct origin_node *x = &q->o->node[n->node];

	if (x->kind == ORIGIN_MADE)
		return x->cycle >= q->first && x->cycle <= q->last;
	return q->begins || x->place.kind != DATUM_GLOBAL ||
	       past_writes(q->past, q->stretch, x->place.address, x->place.bytes);
}

/* Do one thing. */
static void attend(struct search *q, struct quest n)
{
	struct origin_node *x = &q->o->node[n.node];
	u32 e;

	if (x->kind != ORIGIN_MADE) {
		origin_resolve(q, n);
		return;
	}
	if (x->opened)
		return;
	if (x->cycle < q->first) {
		origin_carry(q, n);
		return;
	}
	e = event_of(q, x);
	if (e < TRACK_BEGUN)
		open_node(q, n.node, e);
}

/* What is left becomes what is to be done in the stretch before. */
static void turn_over(struct search *q)
{
	struct quest *todo = q->todo;

	q->todo = q->later;
	q->ntodo = q->nlater;
	q->later = todo;
	q->nlater = 0;
}

/* Does anything of what is to be done concern the stretch? */
static bool any_concerns(const struct search *q)
{
	for (u32 i = 0; i < q->ntodo; i++)
		if (concerns(q, &q->todo[i]))
			return true;
	return false;
}

/* Where a stretch ends: at the next station, or at the end of all. */
static struct position end_of(const struct past *p, u32 stretch, struct position end)
{
	if (stretch + 1 < p->n && p->station[stretch + 1].cycle <= end.cycle)
		return (struct position){p->station[stretch + 1].cycle, 0};
	return end;
}

/* Look at a stretch from here on. */
static void enter(struct search *q, const struct past *p, u32 stretch, bool begins, struct position to)
{
	q->past = p;
	q->stretch = stretch;
	q->begins = begins;
	q->first = p->station[stretch].cycle + 1;
	q->last = to.cycle + (to.stage != 0);
}

/* A stretch that can be kept whole: it is lived through again if anything asks for it. */
static void search_stretch(struct search *q, struct position to)
{
	if (any_concerns(q)) {
		track_live(&q->track, q->session->timeline, &q->past->station[q->stretch], to);
		while (q->ntodo && !timeline_interrupt)
			attend(q, q->todo[--q->ntodo]);
		track_free(&q->track);
	} else {
		for (u32 i = 0; i < q->ntodo; i++)
			origin_carry(q, q->todo[i]);
		q->ntodo = 0;
	}
	turn_over(q);
}

/* One that is longer: stations are laid within it. */
static void search_within(struct search *q, u32 stretch, struct position to)
{
	struct past *within = xcalloc(1, sizeof(*within));

	if (past_within(within, q->o->past, stretch, q->session->timeline, to.cycle))
		for (u32 i = past_stretch(within, to.cycle + (to.stage != 0)); q->ntodo && !timeline_interrupt; i--) {
			struct position end = end_of(within, i, to);

			enter(q, within, i, !stretch && !i, end);
			search_stretch(q, end);
			if (!i)
				break;
		}
	past_free(within);
	free(within);
}

/* Everything that is to be done. */
static enum status search(struct search *q, struct error *e)
{
	struct position now = timeline_now(q->session->timeline);
	struct past *p = q->o->past;

	if (!q->ntodo || !past_lay(p, q->session->timeline, now.cycle))
		return timeline_interrupt ? error_set(e, STATUS_FAILED, "interrupted") : STATUS_OK;
	for (u32 i = past_stretch(p, now.cycle + (now.stage != 0)); q->ntodo && !timeline_interrupt; i--) {
		struct position to = end_of(p, i, now);

		enter(q, p, i, !i, to);
		if (p->issues > 2 * p->least && any_concerns(q))
			search_within(q, i, to);
		else
			search_stretch(q, to);
		if (!i)
			break;
	}
	return timeline_interrupt ? error_set(e, STATUS_FAILED, "interrupted") : STATUS_OK;
}

static void search_free(struct search *q)
{
	free(q->todo);
	free(q->later);
	track_free(&q->track);
}

/* What was not written by any instruction that is known: the host has. */
static void compare(const struct session *s, struct origin *o)
{
	struct origin_node *x = o->node;
	u64 now;

	if (o->n > 1 && x->child == NONE32 && x->kind != ORIGIN_MADE)
		return; /* of several parts */
	if (!datum_read(&s->sim, &x->place, &now) || (x->known && x->value == now))
		return;
	x->kind = ORIGIN_HOST;
	x->unseen = true;
	x->value = now;
	x->known = true;
	x->child = x->last = NONE32;
}

struct origin *origin_begin(const struct session *s, u64 issues)
{
	struct origin *o = xcalloc(1, sizeof(*o));

	o->past = xcalloc(1, sizeof(*o->past));
	o->past->least = issues;
	o->era = session_era(s);
	return o;
}

struct origin *origin_find(struct session *s, const struct datum *place, struct origin *before, u32 depth, bool whole,
			   struct error *e)
{
	struct origin *o = xcalloc(1, sizeof(*o));
	struct search q = {.session = s, .o = o, .limit = depth, .whole = whole};

	if (before && origin_holds(s, before)) {
		o->past = before->past;
		before->past = NULL;
	} else {
		o->past = xcalloc(1, sizeof(*o->past));
	}
	origin_free(before);
	o->same = xcalloc(1, sizeof(*o->same));
	o->era = session_era(s);
	origin_need(&q, (struct quest){origin_add(&q, NONE32, place, USE_VALUE, ORIGIN_SOURCE_NONE), NEED_END, 0});
	if (search(&q, e)) {
		origin_free(o);
		o = NULL;
	} else {
		compare(s, o);
	}
	search_free(&q);
	return o;
}

/* The node after one in the tree below `top`, children first; NONE32: there is none. */
static u32 following(const struct origin *o, u32 top, u32 i)
{
	if (o->node[i].child != NONE32)
		return o->node[i].child;
	while (i != top && o->node[i].next == NONE32)
		i = o->node[i].parent;
	return i == top ? NONE32 : o->node[i].next;
}

/* A node and those below it that are to be opened, too. */
static void collect(struct search *q, u32 top)
{
	for (u32 i = top; i != NONE32; i = following(q->o, top, i))
		if (wanted(q, &q->o->node[i]))
			origin_need(q, (struct quest){i, NEED_END, 0});
}

enum status origin_open(struct session *s, struct origin *o, u32 node, u32 depth, struct error *e)
{
	struct search q = {.session = s, .o = o, .limit = o->node[node].depth + depth};
	enum status st;

	if (o->node[node].kind == ORIGIN_MADE && !o->node[node].opened)
		origin_need(&q, (struct quest){node, NEED_END, 0});
	collect(&q, node);
	st = search(&q, e);
	search_free(&q);
	return st;
}

bool origin_holds(const struct session *s, const struct origin *o)
{
	return session_era_holds(s, o->era);
}

void origin_free(struct origin *o)
{
	if (!o)
		return;
	if (o->past)
		past_free(o->past);
	free(o->past);
	free(o->same);
	free(o->node);
	free(o);
}
