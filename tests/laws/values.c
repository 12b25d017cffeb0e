/* values.c - law 13: what is computed does not depend on when. */
#include "counters.h"
#include "events.h"
#include "laws.h"
#include "ops.h"
#include "policy.h"
#include "session_ops.h"

#include <stdlib.h>
#include <string.h>

#define FUNCTIONAL_STEPS 200000000ULL
#define PLAIN_CYCLES 50000000ULL /* of the scenario as it is, to its end: a guard against one that never ends */
#define PATIENCE 50		 /* a run may take so many times the cycles of the plain one; 12 times is known */

/* What all runs of a scenario are compared with. */
struct judge {
	const struct scene *scene;
	const struct store *want; /* what the functional run left */
	u64 cycles;		  /* that a run may take */
	struct text *why;
};

/* Launches that overlap may see each other's values in another order than one after the other. */
static bool in_order(const struct program *p)
{
	for (u32 i = 0; i < p->nlaunch; i++)
		if (p->launch[i].stream || p->launch[i].at || p->launch[i].every)
			return false;
	return true;
}

/* Does a kernel read a clock, or where it runs? What it leaves may then depend on it. */
static bool reads_time(const struct program *p)
{
	for (u32 i = 0; i < p->nlaunch; i++)
		if (p->launch[i].kernel->reads_time)
			return true;
	return false;
}

bool law_timeless(const struct program *p)
{
	return in_order(p) && !reads_time(p);
}

bool law_buffers_same(const struct program *p, const struct store *want, const struct store *got, struct text *why)
{
	for (u32 i = 0; i < p->nbuffer; i++) {
		const struct buffer *b = &p->buffer[i];
		u8 *x = xmalloc(b->bytes + 1), *y = xmalloc(b->bytes + 1);
		u64 at = 0;

		store_read(want, b->address, x, b->bytes);
		store_read(got, b->address, y, b->bytes);
		while (at < b->bytes && x[at] == y[at])
			at++;
		free(x);
		free(y);
		if (at < b->bytes) {
			text_add(why, "buffer %s differs from byte %llu on", b->name, (unsigned long long)at);
			return false;
		}
	}
	return true;
}

/* Instructions that issued too soon under control bits, which nobody has changed. */
static u64 hazards(const struct sim *s)
{
	u64 n = 0;

	for (u32 i = 0; i < s->m->config.gpu_sms; i++)
		n += ((const struct sm *)machine_sm_section(s->m, i, SECTION_SM))->stat[STAT_CONTROL_HAZARDS];
	return n;
}

/* One run to the end under a configuration and a policy, its buffers against those wanted; its cycles into *took. What
 * does not fit is left out. */
static bool timed(const struct judge *j, const struct config *config, const struct policy_choice *policy, u64 *took)
{
	const struct program *p = &j->scene->session.program;
	struct error e = {0};
	struct sim s;
	bool good;

	if (sim_open(&s, config, policy, p, &e) != STATUS_OK)
		return true;
	lab_advance(&s, j->cycles);
	*took = machine_gpu(s.m)->cycle;
	good = sim_finished(&s);
	if (!good)
		text_add(j->why, "not finished in cycle %llu", (unsigned long long)*took);
	good = good && law_buffers_same(p, j->want, &s.store, j->why);
	if (good && hazards(&s)) {
		text_add(j->why, "%llu instructions issued before a result that they need (control.hazards)",
			 (unsigned long long)hazards(&s));
		good = false;
	}
	if (!good) {
		text_add(j->why, " (");
		policy_text(policy, false, j->why);
		text_add(j->why, ")");
	}
	sim_close(&s);
	return good;
}

/* The order that a preset takes when it tries but one: drawn by their names, so that another row changes few draws. */
static u32 drawn_order(const char *preset)
{
	u64 most = 0;
	u32 best = 0;

	for (u32 i = 0; i < SCHEME_COUNT; i++) {
		u64 draw = mix64(lab_name(preset) ^ lab_name(scheme_table[i]->name));

		if (scheme_table[i]->decide.order && draw >= most) {
			most = draw;
			best = i;
		}
	}
	return best;
}

/* Every order policy under one configuration, in a quick run every third; of a preset that is not looked at thoroughly
 * one of them. */
static bool orders(const struct judge *j, const struct config *config, const char *preset)
{
	struct policy_choice policy = j->scene->session.policy;
	u32 one = preset && !j->scene->thorough ? drawn_order(preset) : SCHEME_COUNT;
	u64 took;

	for (u32 i = 0; i < SCHEME_COUNT; i++) {
		if (!scheme_table[i]->decide.order ||
		    (preset ? one < SCHEME_COUNT && i != one : !j->scene->more && !lab_turn(j->scene, i, 3)))
			continue;
		policy_put(&policy, POLICY_order, i);
		if (!timed(j, config, &policy, &took))
			return false;
	}
	return true;
}

/* The next scheme after `id` that orders. */
static u32 next_order(u32 id)
{
	do
		id = (id + 1) % SCHEME_COUNT;
	while (!scheme_table[id]->decide.order);
	return id;
}

/* Every assignment with every extra policy under one configuration (if not thorough, every fourth pair), the order
 * being another each time. */
static bool assignments(const struct judge *j, const struct config *config)
{
	struct policy_choice policy = j->scene->session.policy;
	u32 row = 0, order = 0;
	u64 took;

	for (u32 a = 0; a < SCHEME_COUNT; a++) {
		u32 column = row += scheme_table[a]->decide.assign != NULL;

		for (u32 x = 0; scheme_table[a]->decide.assign && x <= SCHEME_COUNT; x++) {
			if ((x && !scheme_table[x - 1]->decide.extra) || (column++ % 4 && !j->scene->thorough))
				continue;
			policy_put(&policy, POLICY_order, order = next_order(order));
			policy_put(&policy, POLICY_assign, a);
			policy_clear(&policy, POLICY_extra);
			if (x)
				policy_put(&policy, POLICY_extra, x - 1);
			if (!timed(j, config, &policy, &took))
				return false;
		}
	}
	return true;
}

/* Every scheme that fills another slot than those, as a whole. */
static bool wholes(const struct judge *j, const struct config *config)
{
	u64 took;

	for (u32 i = 0; i < SCHEME_COUNT; i++) {
		struct policy_choice policy = j->scene->session.policy;
		bool more = false;

		for (u32 slot = 0; slot < POLICY_SLOTS; slot++) {
			bool fills = scheme_fills(scheme_table[i], slot);

			more |= fills && slot != POLICY_order && slot != POLICY_assign && slot != POLICY_extra;
			if (fills)
				policy_put(&policy, slot, i);
		}
		if (more && !timed(j, config, &policy, &took))
			return false;
	}
	return true;
}

/* The settings of a preset, with as many SMs as the scenario has; false if there is none of that name. */
static bool preset(const struct scene *c, const char *name, struct config *out)
{
	struct error e = {0};
	struct session s;
	char line[64];
	bool good;

	session_open(&s, &all_session_ops);
	s.batch = s.quiet = true;
	s.out = stderr;
	snprintf(line, sizeof(line), "gpu %s", name);
	good = command_run_line(&s, line, NULL, 0, &e) == STATUS_OK;
	*out = s.config;
	out->gpu_sms = c->config.gpu_sms;
	session_close(&s);
	return good;
}

/* Does a kernel leave what nobody promises it: which lanes were together, or which had a lock first? */
static bool tells_order(const struct kernel *k)
{
	bool asks = !strcmp(k->name, "tickets");

	for (u32 i = 0; i < k->ninst; i++)
		asks |= k->inst[i].op == OP_ACTIVEMASK;
	return asks;
}

/* Warps of 4, 8 and 16 lanes: each of 32 is cut into slices that go their own ways, and meet where the program says so.
 */
static bool slices(const struct judge *j)
{
	const struct program *p = &j->scene->session.program;
	struct config config;

	for (u32 i = 0; i < p->nlaunch; i++)
		if (tells_order(p->launch[i].kernel))
			return true;
	for (u32 size = 4; size < 32; size *= 2) {
		char name[16];

		if (!preset(j->scene, "vws", &config))
			return false;
		config.warp_size = size;
		config.sm_subcores = 32 / size;
		snprintf(name, sizeof(name), "vws %u", size);
		if (!orders(j, &config, name)) {
			text_add(j->why, " (gpu vws, warp.size %u)", size);
			return false;
		}
	}
	return true;
}

/* Control bits in place of the scoreboard: with collector units as the scenario has them, and with reserved reads,
 * memory queues and arbitrations that are late, which all let instructions reach their units late; then a scoreboard of
 * writes and reads. */
static bool controlled(const struct judge *j)
{
	struct config config = j->scene->config;

	if (config.warp_size < WARP_LANES)
		return true;
	config.issue_dependences = 1;
	if (!orders(j, &config, "control")) {
		text_add(j->why, " (issue.dependences control)");
		return false;
	}
	config.collector_reuse = config.collector_late = config.collector_writes = 1;
	if (!orders(j, &config, "control late")) {
		text_add(j->why, " (issue.dependences control, collector.late)");
		return false;
	}
	config.collector_allocate = 1;
	config.collector_window = 3;
	config.sm_collectors = 8;
	config.lsu_sub_queue = 5;
	config.lsu_sub_delay = 11;
	config.lsu_read_shared = config.lsu_read_word = 2;
	config.lsu_read_data = 3;
	if (!orders(j, &config, "control allocate")) {
		text_add(j->why, " (issue.dependences control, collector.allocate)");
		return false;
	}
	config.issue_dependences = 0;
	config.issue_readers = 1;
	if (!orders(j, &config, "readers")) {
		text_add(j->why, " (issue.readers 1, collector.allocate)");
		return false;
	}
	return true;
}

/* The scenario as it is, which says how long the others may take; then under every policy; then on every preset, or, if
 * not thorough, every third. */
static bool everywhere(struct judge *j)
{
	static const char *const presets[] = {"tiny",	"volta", "fermi",   "gtx480",  "gt200",
					      "kepler", "vws",	 "maxwell", "chimera", "a100"};
	const struct scene *c = j->scene;
	struct config config;
	u64 plain = 0;

	if (!timed(j, &c->config, &c->session.policy, &plain))
		return false;
	j->cycles = PATIENCE * plain;
	if (!orders(j, &c->config, NULL) || !assignments(j, &c->config) || !wholes(j, &c->config))
		return false;
	for (u32 i = 0; i < ARRAY_LEN(presets); i++) {
		if (!lab_turn(c, i, 3) || !preset(c, presets[i], &config))
			continue;
		if (!orders(j, &config, presets[i])) {
			text_add(j->why, " (gpu %s)", presets[i]);
			return false;
		}
	}
	return controlled(j) && slices(j);
}

bool law_values(struct scene *c, struct text *why)
{
	const struct program *p = &c->session.program;
	struct judge judge = {.scene = c, .cycles = PLAIN_CYCLES, .why = why};
	struct functional_result result;
	struct error e = {0};
	struct store want;
	struct sim s;
	bool good;

	if (!law_timeless(p))
		return true;
	if (!lab_open(&s, c, &c->config, why))
		return false;
	store_fork(&want, &s.store);
	good = functional_run(p, &want, FUNCTIONAL_STEPS, &result, &e) == STATUS_OK;
	if (!good)
		text_add(why, "functional run: %s", e.message);
	judge.want = &want;
	good = good && everywhere(&judge);
	store_free(&want);
	sim_close(&s);
	return good;
}
