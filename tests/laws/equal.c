/* equal.c - laws 2, 3 and 4: what must make no difference. */
#include "counters.h"
#include "events.h"
#include "laws.h"
#include "machine.h"
#include "timeline.h"

#include <string.h>

/* A run under `config` against what another one left. */
static bool same_print(const struct scene *c, const struct print *want, const struct config *config, const char *what,
		       struct text *why)
{
	struct print other;

	if (!lab_run(c, config, c->limit, &other, why))
		return false;
	if (print_same(want, &other, why))
		return true;
	text_add(why, " (%s)", what);
	return false;
}

/* A run under `config` against one of the scenario as it is. */
static bool same_run(struct scene *c, const struct config *config, const char *what, struct text *why)
{
	struct print plain;

	return lab_plain(c, &plain, why) && same_print(c, &plain, config, what, why);
}

bool law_again(struct scene *c, struct text *why)
{
	return same_run(c, &c->config, "again", why);
}

bool law_lanes(struct scene *c, struct text *why)
{
	static const char *const widths[] = {"baseline", "avx2", "avx512"};
	struct error e = {0};
	char line[64];

	for (u32 i = 0; i < ARRAY_LEN(widths); i++) {
		struct config config = c->config;

		snprintf(line, sizeof(line), "set engine.lanes %s", widths[i]);
		if (command_run_line(&c->session, line, NULL, 0, &e) != STATUS_OK)
			continue;
		config.engine_lanes = c->session.config.engine_lanes;
		if (!same_run(c, &config, line, why))
			return false;
	}
	return true;
}

bool law_sinks(struct scene *c, struct text *why)
{
	struct print plain, told;
	struct sim s;

	if (!lab_plain(c, &plain, why) || !lab_open(&s, c, &c->config, why))
		return false;
	s.bus.want = ALL_EVENTS;
	lab_advance(&s, c->limit);
	print_take(&s, &told);
	sim_close(&s);
	return print_same(&plain, &told, why);
}

/* Where two records of the same place differ; false and *why. */
static bool record_same(const struct sim *a, const struct sim *b, struct text *why)
{
	if (a->bus.count == b->bus.count &&
	    (!a->bus.count || !memcmp(a->bus.record, b->bus.record, a->bus.count * sizeof(struct record))))
		return true;
	text_add(why, "cycle %llu: other records, or in another order (%u and %u)",
		 (unsigned long long)machine_gpu(a->m)->cycle, a->bus.count, b->bus.count);
	return false;
}

/* Two machines side by side: the same records in every cycle. */
static bool same_records(const struct scene *c, const struct config *config, struct text *why)
{
	struct sim a, b;
	bool good = true;

	if (!lab_open(&a, c, &c->config, why))
		return false;
	if (!lab_open(&b, c, config, why)) {
		sim_close(&a);
		return false;
	}
	a.bus.want = b.bus.want = ALL_EVENTS;
	for (u64 i = 0; good && i < c->limit / 4 && !lab_ended(&a); i++) {
		sim_cycle(&a);
		sim_cycle(&b);
		good = record_same(&a, &b, why);
	}
	sim_close(&a);
	sim_close(&b);
	return good;
}

bool law_order(struct scene *c, struct text *why)
{
	struct config shuffled = c->config, staged = c->config, both = c->config;

	shuffled.engine_order = 12345;
	staged.engine_major = 1;
	both.engine_order = 99;
	both.engine_major = 1;
	both.engine_sleep = 0;
	return same_run(c, &shuffled, "SMs shuffled", why) && same_run(c, &staged, "stage by stage", why) &&
	       same_run(c, &both, "shuffled, stage by stage, no sleep", why) && same_records(c, &both, why);
}

bool law_sleep(struct scene *c, struct text *why)
{
	struct config awake = c->config, tight = c->config, tight_awake;
	struct print refusing, constants;
	struct config cached = c->config, cached_awake;

	awake.engine_sleep = 0;
	tight.l1d_queue = 2;
	tight.l1d_mshrs = min_u32(tight.l1d_mshrs, 6);
	tight_awake = tight;
	tight_awake.engine_sleep = 0;
	cached.const_perfect = 0;
	cached.const_bytes = 256;
	cached.const_ways = 1;
	cached.const_mshrs = 1;
	cached_awake = cached;
	cached_awake.engine_sleep = 0;
	return same_run(c, &awake, "no sleep", why) && same_records(c, &awake, why) &&
	       lab_run(c, &tight, c->limit, &refusing, why) &&
	       same_print(c, &refusing, &tight_awake, "no sleep, an L1D that refuses much", why) &&
	       lab_run(c, &cached, c->limit, &constants, why) &&
	       same_print(c, &constants, &cached_awake, "no sleep, a constant cache that refuses much", why);
}

/* Strides of all lengths, beside a machine that goes cycle by cycle. */
static bool same_strides(const struct scene *c, const struct config *config, struct text *why)
{
	struct print want, got;
	struct sim a, b;
	bool good = true;

	if (!lab_open(&a, c, config, why))
		return false;
	if (!lab_open(&b, c, config, why)) {
		sim_close(&a);
		return false;
	}
	for (u64 at = 0, i = 0; good && at < c->limit && !lab_ended(&a); i++) {
		at += 1 + mix64(i) % (i % 4 ? 60 : c->limit / 8);
		if (sim_run(&b, at) == RUN_PAST_FAULT)
			break;
		lab_advance(&a, at);
		print_take(&a, &want);
		print_take(&b, &got);
		good = print_same(&want, &got, why);
	}
	sim_close(&a);
	sim_close(&b);
	return good;
}

/* A whole way of the timeline, which repeats what ran past a fault. */
static bool same_way(const struct scene *c, const struct config *config, struct text *why)
{
	struct print want, got;
	struct sim s;

	if (!lab_run(c, config, c->limit, &want, why) || !lab_open(&s, c, config, why))
		return false;
	struct timeline *t = timeline_open(&s, 1 << 30, 0);
	timeline_go(t, (struct position){c->limit, 0});
	print_take(&s, &got);
	timeline_close(t);
	sim_close(&s);
	return print_same(&want, &got, why);
}

/* Eight SMs, and three threads to visit them; a timeline that takes keyframes meanwhile. */
bool law_threads(struct scene *c, struct text *why)
{
	struct config many = c->config, slow;

	many.gpu_sms = 8;
	many.engine_threads = 3;
	slow = many;
	slow.icnt_latency = 150;
	return same_strides(c, &slow, why) && same_strides(c, &many, why) && same_way(c, &slow, why);
}

bool law_ahead(struct scene *c, struct text *why)
{
	struct config tight = c->config, slow = c->config, few = c->config;

	few.gpu_sms = max_u32(few.gpu_sms, 4);
	few.lsu_loads = 8;
	few.sm_collectors = 2;
	tight.icnt_queue = min_u32(tight.icnt_queue, 12);
	tight.l1d_queue = 2;
	tight.icnt_latency = 3;
	slow.icnt_latency = 150;
	slow.icnt_clock = slow.gpu_clock / 3 + 1;
	return same_strides(c, &c->config, why) && same_strides(c, &tight, why) && same_strides(c, &slow, why) &&
	       same_strides(c, &few, why) && same_way(c, &c->config, why);
}
