/* test_explain.c - explain: everything that has a name has a definition that stands alone, a unit, a source, its
 * nearest name. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka wants the four above before it */
#include <cmocka.h>

#include "../../src/cmd/explain.h"
#include "lang.h"
#include "session_ops.h"

#include <fnmatch.h>
#include <string.h>

static struct session session;

/* What `explain NAME` says, as JSON to be freed. */
static json_t *explained(const char *name)
{
	struct args a = {.arg = {{.present = true, .text = name}}};
	struct error e = {0};
	json_t *result;

	session.json = true;
	if (command_table[COMMAND_ID_explain]->run(&session, &a, &e))
		fail_msg("%s: %s", name, e.message);
	session.json = false;
	result = session.result;
	session.result = NULL;
	return result;
}

/* Run a command that must succeed. */
static void must(const char *line)
{
	struct error e = {0};

	if (command_run_line(&session, line, NULL, 0, &e))
		fail_msg("%s: %s", line, e.message);
}

/* A member of an explanation, "" if it has none. */
static const char *member(json_t *topic, const char *key)
{
	json_t *x = json_object_get(topic, key);

	return json_is_string(x) ? json_string_value(x) : "";
}

/* The members that every topic of a kind must have. */
static const struct {
	const char *plural, *kind, *members[8];
} row[] = {{"statistics", "statistic", {"doc", "unit", "source", "nsight"}},
	   {"states", "warp state", {"doc", "unit", "source", "nsight", "see", "counted"}},
	   {"outcomes", "outcome of an issue slot", {"doc", "unit", "source", "nsight", "see", "counted"}},
	   {"settings", "setting", {"doc", "source", "nsight", "now", "default", "change"}},
	   {"events", "event", {"doc", "unit", "source", "nsight", "counted"}},
	   {"classes", "instruction class", {"doc", "unit"}},
	   {"stages", "stage of a cycle", {"doc"}},
	   {"policies", "policy", {"doc", "hooks"}},
	   {"breakpoints", "breakpoint kind", {"doc", "usage"}},
	   {"mechanisms", "mechanism", {"doc", "problem", "idea", "effect", "paper", "lesson"}},
	   {"commands", "command", {"doc", "usage", "group", "see"}},
	   {"panes", "pane", {"doc", "usage"}},
	   {"columns", "pane column", {"doc", "panes"}},
	   {"cells", "word in a pane", {"doc", "panes"}}};

/* Check the explanation of one name as one kind. */
static void check_one(const char *name, u32 r)
{
	json_t *result = explained(name), *topics, *topic;
	size_t k;
	bool found = false;

	topics = json_object_get(result, "topics");
	json_array_foreach (topics, k, topic) {
		if (strcmp(member(topic, "kind"), row[r].kind) || strcmp(member(topic, "name"), name))
			continue;
		found = true;
		for (u32 i = 0; i < ARRAY_LEN(row[r].members) && row[r].members[i]; i++)
			if (!member(topic, row[r].members[i])[0])
				fail_msg("%s %s says no %s", row[r].kind, name, row[r].members[i]);
	}
	if (!found)
		fail_msg("%s is no %s", name, row[r].kind);
	json_decref(result);
}

/* Every name of every kind but fields. */
static void everything_is_explained(void **state)
{
	u32 n = 0;

	(void)state;
	for (u32 r = 0; r < ARRAY_LEN(row); r++)
		for (u32 k = 0; k < topic_kinds; k++) {
			struct topic t = {0};

			if (strcmp(topic_table[k].plural, row[r].plural))
				continue;
			for (u32 i = 0; topic_table[k].each(i, &t); i++, n++)
				check_one(t.name, r);
		}
	assert_true(n > 350);
}

/* Whether a pattern fits the name of something. */
static bool fits(const char *pattern)
{
	for (u32 k = 0; k < topic_kinds; k++) {
		const char *prefix = !strcmp(topic_table[k].plural, "settings") ? "set "
				     : !strcmp(topic_table[k].plural, "events") ? "events."
										: "";
		struct topic t = {0};
		char full[160];

		for (u32 i = 0; topic_table[k].each(i, &t); i++) {
			snprintf(full, sizeof(full), "%s%s", prefix, t.name);
			if (!fnmatch(pattern, full, 0))
				return true;
		}
	}
	return false;
}

/* Every row of names of the other profiler is of something that there is, and no two of the same. */
static void nearest_names(void **state)
{
	static const char *const pattern[] = {
#define NSIGHT(pattern, metric) pattern,
#include "nsight.def"
#undef NSIGHT
	};

	(void)state;
	for (u32 i = 0; i < ARRAY_LEN(pattern); i++) {
		if (!fits(pattern[i]))
			fail_msg("nothing is called %s", pattern[i]);
		for (u32 k = 0; k < i; k++)
			assert_string_not_equal(pattern[k], pattern[i]);
	}
	assert_string_equal(nsight_name("", "rf.reads"), "none");
	assert_string_equal(nsight_name("set ", "sm.warps"), "device__attribute_max_warps_per_multiprocessor");
	assert_string_equal(nsight_name("", "sm.warps"), "none");
}

/* A formula is shown with the operands as they are; a setting with what the preset says of its number. */
static void present_values(void **state)
{
	json_t *result = explained("ipc"), *topic = json_array_get(json_object_get(result, "topics"), 0);
	json_t *operands = json_object_get(topic, "operands");
	double want = json_number_value(json_object_get(operands, "inst.warp")) /
		      json_number_value(json_object_get(operands, "cycle"));

	(void)state;
	assert_int_equal(json_integer_value(json_object_get(operands, "cycle")), 700);
	assert_true(want > 0);
	json_decref(result);
	must("gpu volta");
	must("restart");
	result = explained("sm.threads");
	topic = json_array_get(json_object_get(result, "topics"), 0);
	assert_string_equal(member(topic, "source"), "preset volta: Accel-Sim");
	json_decref(result);
	must("set l1d.mshrs 77");
	must("restart");
	result = explained("l1d.mshrs");
	topic = json_array_get(json_object_get(result, "topics"), 0);
	assert_string_equal(member(topic, "source"), "`set`, or an earlier preset");
	json_decref(result);
}

/* A former name leads to a row of today, and is not itself the name of one. */
static void former_names(void **state)
{
	struct error e = {0};

	(void)state;
	for (u32 i = 0; i < oldname_count; i++) {
		const struct oldname *x = &oldname_table[i];
		bool today = false, old = false;

		for (u32 k = 0; k < topic_kinds; k++) {
			struct topic t = {0};

			for (u32 j = 0; topic_table[k].names == x->kind && topic_table[k].each(j, &t); j++) {
				today |= !strcmp(t.name, x->today);
				old |= !strcmp(t.name, x->old);
			}
		}
		if (!today || old)
			fail_msg("oldnames.def: %s: %s", x->old, old ? "is a name of today" : "leads to no row");
		json_decref(explained(x->old));
	}
	assert_string_equal(name_today(NAME_SETTING, "gpu.sms"), "gpu.sms");
	assert_null(command_find("no such command", &e));
}

/* A mechanism is found by its full name, in capitals or not. */
static void names_of_mechanisms(void **state)
{
	(void)state;
	json_decref(explained("Variable Warp Sizing"));
	json_decref(explained("virtual thread"));
	json_decref(explained("shuffle"));
	assert_false(explain_knows("virtual"));
}

/* A kind is listed by its plural, today's or a former one; a field is found with or without indices. */
static void kinds_and_fields(void **state)
{
	(void)state;
	assert_non_null(explain_kind("states"));
	assert_ptr_equal(explain_kind("states"), explain_kind("statuses"));
	assert_ptr_equal(explain_kind("policies"), explain_kind("schemes"));
	assert_null(explain_kind("state"));
	must("explain states");
	must("explain statuses");
	assert_true(explain_knows("warp.age"));
	assert_true(explain_knows("warp[3].age"));
	assert_true(explain_knows("sm[0].warp[3].age"));
	assert_true(explain_knows("sm[0].warps"));
	assert_false(explain_knows("warp[3].ag"));
	assert_false(explain_knows("warp[3].ages"));
	assert_false(explain_knows("warp[3"));
}

static int open_session(void **state)
{
	struct error e;

	(void)state;
	session_open(&session, &all_session_ops);
	session.out = fopen("/dev/null", "w");
	session.quiet = session.batch = true;
	if (command_run_file(&session, "scenarios/default.scn", &e) ||
	    command_run_line(&session, "goto 700", NULL, 0, &e))
		return 1;
	return 0;
}

static int close_session(void **state)
{
	FILE *out = session.out;

	(void)state;
	session_close(&session);
	fclose(out);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(everything_is_explained),
		cmocka_unit_test(nearest_names),
		cmocka_unit_test(former_names),
		cmocka_unit_test(names_of_mechanisms),
		cmocka_unit_test(present_values),
		cmocka_unit_test(kinds_and_fields),
	};

	return cmocka_run_group_tests(tests, open_session, close_session);
}
