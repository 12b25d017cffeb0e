/*
 * flushes.c - a CTA that is flushed has overwritten nothing that it read, and nobody has seen what it wrote: its second
 * run finds what the first one did.
 *
 * The observer stands between the core and the front end (the linker wraps front_issue() for it) and follows the bytes
 * of global memory that each CTA reads and writes. It knows nothing of the marks of instructions (idempotence.h) that
 * the engine goes by. A CTA is spoilt as soon as it writes a byte that it has read, another has read a byte that it
 * wrote, or it has executed an atomic; CTAs that are spoilt must not be flushed. With the marks taken away
 * (laws_unmarked) it must find such: tests/laws/flushes.sh.
 */
#include "counters.h"
#include "events.h"
#include "idempotence.h"
#include "laws.h"
#include "ops.h"
#include "policy.h"

#include <stdlib.h>
#include <string.h>

#define PLACES 16 /* CTAs that can wait */
#define QUICK_DEPARTURES 100
#define LONG_DEPARTURES 2000
#define CHUNK 64 /* bytes */

bool laws_unmarked;

/* By chunk of memory: which bytes a CTA has read. Open addressing, at most half full; a power of two of places. */
struct spot {
	u64 chunk; /* number, plus 1; 0: free */
	u64 bytes;
};
struct spots {
	struct spot *spot;
	u64 places, used;
};
/* By chunk: the CTA, plus 1, that wrote each byte last, and in which of its lives. */
struct author {
	u32 cta, life;
};
struct authors {
	u64 chunk;
	struct author by[CHUNK];
};
/* What a CTA has done since it began. */
struct history {
	struct spots read;
	u32 life; /* times that it has ended: once for each iteration of its launch */
	bool begun, wrote;
	const char *spoilt; /* how, NULL: it is not */
	u32 pc;		    /* the instruction that did it */
};
/* A run under observation. */
static struct observer {
	const struct program *program; /* NULL: nobody is observed */
	u32 *first;		       /* by launch: number of its first CTA */
	struct history *history;       /* by number */
	u32 ctas;
	struct authors *authors;
	u64 places, used;
	u64 flushed, after_writing; /* CTAs; of them, those that had written */
	struct text *why;
	bool bad;
} seen;

/* The bytes of a chunk that a CTA has read, to be changed. */
static u64 *bytes_read(struct spots *t, u64 chunk)
{
	u64 i;

	if (2 * (t->used + 1) > t->places) {
		struct spots more = {xcalloc(max_u64(16, t->places * 2), sizeof(struct spot)),
				     max_u64(16, t->places * 2), 0};

		for (u64 k = 0; k < t->places; k++)
			if (t->spot[k].chunk)
				*bytes_read(&more, t->spot[k].chunk - 1) = t->spot[k].bytes;
		free(t->spot);
		*t = more;
	}
	for (i = mix64(chunk) & (t->places - 1); t->spot[i].chunk; i = (i + 1) & (t->places - 1))
		if (t->spot[i].chunk == chunk + 1)
			return &t->spot[i].bytes;
	t->used++;
	t->spot[i].chunk = chunk + 1;
	return &t->spot[i].bytes;
}

/* Who wrote the bytes of a chunk. */
static struct author *authors_of(u64 chunk)
{
	u64 i;

	if (2 * (seen.used + 1) > seen.places) {
		struct authors *old = seen.authors;
		u64 places = seen.places;

		seen.places = max_u64(1024, places * 2);
		seen.authors = xcalloc(seen.places, sizeof(*seen.authors));
		seen.used = 0;
		for (u64 k = 0; k < places; k++)
			if (old[k].chunk)
				memcpy(authors_of(old[k].chunk - 1), old[k].by, sizeof(old[k].by));
		free(old);
	}
	for (i = mix64(chunk) & (seen.places - 1); seen.authors[i].chunk; i = (i + 1) & (seen.places - 1))
		if (seen.authors[i].chunk == chunk + 1)
			return seen.authors[i].by;
	seen.used++;
	seen.authors[i].chunk = chunk + 1;
	return seen.authors[i].by;
}

/* A CTA must not be flushed from here on. */
static void spoil(u32 cta, const char *how, u32 pc)
{
	struct history *h = &seen.history[cta];

	if (!h->begun || h->spoilt)
		return;
	h->spoilt = how;
	h->pc = pc;
}

/* A CTA reads a byte, or writes it. */
static void see_byte(u32 cta, u32 pc, u64 at, bool writes)
{
	u64 *read = bytes_read(&seen.history[cta].read, at / CHUNK), bit = 1ULL << at % CHUNK;
	struct author *author = &authors_of(at / CHUNK)[at % CHUNK];

	if (writes) {
		if (*read & bit)
			spoil(cta, "had overwritten what it had read", pc);
		*author = (struct author){cta + 1, seen.history[cta].life};
		return;
	}
	*read |= bit;
	if (author->cta && author->cta != cta + 1 && author->life == seen.history[author->cta - 1].life)
		spoil(author->cta - 1, "had written what another read", pc);
}

/* A memory instruction has been performed. */
static void see(const struct front_env *env, const struct inst *in, const struct front_result *r)
{
	u32 cta = seen.first[env->launch - seen.program->launch] + env->cta, pc = (u32)(in - env->launch->kernel->inst);
	u32 bytes = in->op == OP_ATOM ? in->width : (u32)in->width * max_u32(in->vec, 1);
	u32 lanes = r->mask & ~(in->space == SPACE_GENERIC ? r->aside : 0);

	if ((in->space != SPACE_GLOBAL && (in->space != SPACE_GENERIC || r->space != SPACE_GLOBAL)) || !lanes)
		return;
	seen.history[cta].begun = true;
	seen.history[cta].wrote |= in->op != OP_LD;
	for (; lanes; lanes &= lanes - 1)
		for (u32 k = 0; k < bytes; k++)
			see_byte(cta, pc, r->address[__builtin_ctz(lanes)] + k, in->op != OP_LD);
	if (in->op == OP_ATOM)
		spoil(cta, "had executed an atomic", pc);
}

void __real_front_issue(const struct front_env *env, const struct inst *in, struct front_result *r);
void __wrap_front_issue(const struct front_env *env, const struct inst *in, struct front_result *r);

/* Stands where the core calls front_issue(). */
void __wrap_front_issue(const struct front_env *env, const struct inst *in, struct front_result *r)
{
	__real_front_issue(env, in, r);
	if (__builtin_expect(seen.program != NULL, 0) && !r->fault && env->launch->kernel->front != FRONT_SYNTHETIC &&
	    (in->op == OP_LD || in->op == OP_ST || in->op == OP_ATOM))
		see(env, in, r);
}

/* A CTA is over, or begins again. */
static void forget(u32 cta, bool ended)
{
	struct history *h = &seen.history[cta];

	free(h->read.spot);
	*h = (struct history){.life = h->life + ended};
}

/* The CTAs that have left in the cycle that is complete. */
static void look(const struct sim *s)
{
	for (u32 i = 0; i < s->bus.count; i++) {
		const struct record *r = &s->bus.record[i];
		u32 cta = seen.first[r->launch] + r->cta;
		const struct history *h = &seen.history[cta];

		if (r->kind == EVENT_FLUSHED) {
			seen.flushed++;
			seen.after_writing += h->wrote;
			if (h->spoilt && !seen.bad)
				text_add(seen.why, "CTA %u of %s was flushed, but %s: instruction %u", r->cta,
					 seen.program->launch[r->launch].name, h->spoilt, h->pc);
			seen.bad |= h->spoilt != NULL;
		}
		if (r->kind == EVENT_FLUSHED || r->kind == EVENT_CTA_END)
			forget(cta, r->kind == EVENT_CTA_END);
	}
}

/* The CTA of those in the first so many places from a random one on that has issued most, as a number of SMs x places.
 */
static u32 far_on(const struct sim *s, u64 r, u32 tries)
{
	u32 sms = s->m->config.gpu_sms, n = sms * s->m->residents, best = (u32)(r % n);
	u64 most = 0;

	for (u32 i = 0; i < tries; i++) {
		u32 k = (u32)(r % n + i) % n;
		const struct cta *cta = (struct cta *)machine_sm_section(s->m, k % sms, SECTION_CTA) + k / sms;
		u64 issued = cta_issued(cta, machine_sm_section(s->m, k % sms, SECTION_WARP));

		if (cta->launch == NONE16 || issued < most || cta->done == cta->warps)
			continue;
		best = k;
		most = issued;
	}
	return best;
}

/* One CTA leaves, if it can: a random one or one that is far on, for these have done most; now and then it is saved. */
static bool depart(struct sim *s, u64 r)
{
	u32 sms = s->m->config.gpu_sms, n = sms * s->m->residents, k = far_on(s, r >> 8, r & 16 ? n : 4);

	return sim_depart(s, k % sms, k / sms, r % 8 ? LEAVE_FLUSH : LEAVE_SAVE, NULL) == STATUS_OK;
}

/* Departures at random distances to the end. */
static void run(struct sim *s, u64 limit, u64 every, u32 most)
{
	u64 next = 1, n = 0;

	while (!lab_ended(s) && machine_gpu(s->m)->cycle < limit && !seen.bad) {
		if (machine_gpu(s->m)->cycle >= next) {
			most -= most && depart(s, mix64(2 * n));
			next = most ? machine_gpu(s->m)->cycle + 1 + mix64(2 * n++ + 1) % (2 * every) : NEVER;
		}
		sim_cycle(s);
		look(s);
	}
}

/* Numbers for all CTAs. */
static void watch(const struct program *p, struct text *why)
{
	seen = (struct observer){.program = p, .why = why, .first = xcalloc(p->nlaunch + 1, sizeof(u32))};
	for (u32 i = 0; i < p->nlaunch; i++) {
		seen.first[i] = seen.ctas;
		seen.ctas += p->launch[i].ctas;
	}
	seen.history = xcalloc(seen.ctas + 1, sizeof(*seen.history));
}

static void watch_no_more(void)
{
	for (u32 i = 0; i < seen.ctas; i++)
		forget(i, true);
	free(seen.history);
	free(seen.first);
	free(seen.authors);
	seen.program = NULL;
}

/* The marks go: every CTA may be flushed at any time. */
static void unmark(struct sim *s)
{
	for (u32 i = 0; i < s->program->nlaunch; i++)
		for (u32 pc = 0; pc < s->trips[i]->ninst; pc++)
			s->trips[i]->trip[pc].why = TRIP_NONE;
}

bool law_flushes(struct scene *c, struct text *why)
{
	u32 most = c->thorough ? LONG_DEPARTURES : QUICK_DEPARTURES;
	struct config config = c->config;
	struct print plain;
	struct sim s;

	config.preempt_ctas = PLACES;
	if (c->session.program.nlaunch > 254) /* records do not number more */
		return true;
	if (!lab_plain(c, &plain, why) || !lab_open(&s, c, &config, why))
		return false;
	if (laws_unmarked)
		unmark(&s);
	s.bus.want = EVENT_BIT(EVENT_FLUSHED) | EVENT_BIT(EVENT_CTA_END);
	watch(&c->session.program, why);
	run(&s, 3 * c->limit, max_u64(1, 2 * plain.at.cycle / most), most);
	printf("# %s: flushed %llu, of them %llu after they had written\n", c->path, (unsigned long long)seen.flushed,
	       (unsigned long long)seen.after_writing);
	watch_no_more();
	sim_close(&s);
	return !seen.bad;
}
