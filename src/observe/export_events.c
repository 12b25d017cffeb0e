/*
 * export_events.c - JSON lines: a record each, with the keys that `-j` gives a record, and its cycle.
 *
 * Events of the checks (check.*) are those of an observer beside the machine; a fork has none, so they are not here.
 */
#include "events.h"
#include "export.h"

static enum status begin(struct exporter *x UNUSED, struct error *e UNUSED)
{
	return STATUS_OK;
}

/* A key, where the record has it. */
static void put(struct exporter *x, const char *key, u64 value, bool there)
{
	if (there)
		export_put(x, ",\"%s\":%llu", key, value);
}

/* One record. */
static void put_record(struct exporter *x, const struct record *r)
{
	const struct event_row *row = &event_table[r->kind];

	export_put(x, "{\"cycle\":%llu,\"event\":\"%s\"", x->cycle, row->name);
	put(x, "sm", r->sm, r->sm != NONE16);
	put(x, "sub", r->sub, r->sub != 0xff);
	put(x, "warp", r->warp, r->warp != NONE16);
	put(x, "cta", r->cta, r->cta != NONE32);
	put(x, "kernel", r->launch, r->launch != 0xff);
	put(x, "pc", r->pc, r->pc != NONE32);
	put(x, "address", r->address, r->address);
	put(x, row->a, r->a, row->a[0]);
	put(x, row->b, r->b, row->b[0]);
	export_put(x, "}\n");
}

static void cycle(struct exporter *x)
{
	const struct bus *b = &x->then.sim.bus;

	for (u32 i = 0; i < b->count; i++)
		put_record(x, &b->record[i]);
}

static void end(struct exporter *x UNUSED) {}

const struct export_format export_events = {.want = ALL_EVENTS, .begin = begin, .cycle = cycle, .end = end};
