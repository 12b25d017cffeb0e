/*
 * test_why_hooks.c - every policy hook that can hold a warp or a CTA back has its line in `why`: the hooks are those of
 * policyslots.def, the policy is one that holds back by each of them.
 */
#include "core_bed.h"

#include "policy.h"
#include "timeline.h"
#include "why.h"

static void hold(const struct sched_view *v UNUSED, u64 *ready)
{
	ready[0] &= ~1ULL;
}
static void rank(const struct sched_view *v UNUSED, u64 *candidates)
{
	candidates[0] &= ~1ULL | -(u64)(candidates[0] == 1);
}
static u64 cta_pause(const struct sched_view *v UNUSED)
{
	return 1;
}
static bool cta_admit(const struct sched_view *v, u32 launch UNUSED)
{
	return v->sm->ctas < 2;
}
static bool l1d_miss(const struct sched_view *v UNUSED, u32 context UNUSED)
{
	return false;
}

const struct scheme scheme_trial[SCHEME_TRIALS] = {{.name = "bars",
						    .doc = "",
						    .decide.hold = hold,
						    .decide.rank = rank,
						    .decide.cta_pause = cta_pause,
						    .decide.cta_admit = cta_admit,
						    .decide.l1d_miss = l1d_miss}};

/* Hooks of which code of its own says more than a line. */
static bool says_itself(u32 slot)
{
	return slot == POLICY_cta_limit || slot == POLICY_cta_gate || slot == POLICY_partition ||
	       slot == POLICY_allocate;
}

/* Loads and additions of six CTAs in two sub-cores with short queues; the policy decides by one hook. */
static struct bed *bed_with(u32 slot)
{
	struct bed *b = bed_new();

	b->config.lsu_queue = 1;
	for (u32 i = 0; i < 8; i++) {
		bed_memory(b, 0, OP_LD, CLASS_LOAD, BED_BASE + 128 * i);
		bed_alu(b, 0, CLASS_INT, 2, 1, 3);
		bed_alu(b, 0, CLASS_INT, 4, 1, 3);
	}
	bed_exit(b, 0);
	bed_launch(b, 0, 6, 64);
	policy_put(&b->policy, slot, SCHEME_COUNT);
	bed_open(b);
	return b;
}

/* Does `why` of the first thing that it is a reason for say the line? Runs up to 300 cycles until there is one. */
static bool is_said(struct session *s, struct bed *b, u32 keeps, const char *line)
{
	struct text out = {0};
	bool said = false;

	for (u64 cycle = 10; cycle < 300 && !said; cycle++) {
		timeline_go(s->timeline, (struct position){cycle, 0});
		if (keeps == SLOT_KEEPS_CTAS)
			why_sm(s, &b->sim, 0, &out, NULL);
		for (u32 i = 0; i < b->sim.m->contexts && keeps < WARP_STATUS_COUNT; i++)
			if (sim_warp_status(&b->sim, 0, i) == keeps)
				why_warp(s, &b->sim, 0, i, &out, NULL);
		if (!out.len)
			continue;
		said = strstr(out.s, line) != NULL;
		break;
	}
	text_free(&out);
	return said;
}

static void every_hook_that_holds_back(void **state)
{
	(void)state;
	for (u32 slot = 0; slot < POLICY_SLOTS; slot++) {
		const struct slot_row *x = &slot_table[slot];
		char line[120];
		struct session s;
		struct bed *b;

		assert_true(x->keeps == SLOT_KEEPS_NOTHING || x->why[0] || says_itself(slot));
		assert_true(x->keeps != SLOT_KEEPS_NOTHING || (!x->why[0] && !says_itself(slot)));
		if (!x->why[0])
			continue;
		if (!scheme_fills(&scheme_trial[0], slot))
			fail_msg("hook %s can hold back: the policy of this test has to do it, too", x->name);
		b = bed_with(slot);
		s = (struct session){.live = true, .sim = b->sim};
		s.timeline = timeline_open(&b->sim, 64 << 20, 0);
		snprintf(line, sizeof(line), "bars %s: ", x->why);
		if (!is_said(&s, b, x->keeps, line))
			fail_msg("hook %s: `why` does not say '%s'", x->name, line);
		timeline_close(s.timeline);
		bed_close(b);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(every_hook_that_holds_back)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
