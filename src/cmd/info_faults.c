/* info_faults.c - info faults: the fault or deadlock that stopped the program. */
#include "info.h"
#include "machine.h"
#include "why.h"

/* The fault in words. */
static void info_faults_describe(struct session *s, const struct gpu *g)
{
	const struct launch *l = g->fault_launch < s->program.nlaunch ? &s->program.launch[g->fault_launch] : NULL;
	struct text t = {0};
	json_t *result = session_result(s);

	if (!l || g->fault_pc >= l->kernel->ninst)
		return;
	fault_sentence(&s->sim, &t);
	session_print(s, "%s\n", t.s);
	if (result) {
		member_text(result, "fault", g->fault < FAULT_KIND_COUNT ? fault_name[g->fault] : "?");
		member_text(result, "text", t.s);
		member_int(result, "sm", g->fault_sm);
		if (fault_context(&s->sim) != NONE32)
			member_int(result, "warp", fault_context(&s->sim));
		member_int(result, "lane", g->fault_lane);
		member_int(result, "pc", g->fault_pc);
		member_int(result, "address", g->fault_address);
	}
	text_free(&t);
}

/* info faults */
static void info_faults_show(struct session *s)
{
	const struct gpu *g = machine_gpu(s->sim.m);

	member_bool(session_result(s), "deadlock", g->deadlock);
	if (g->fault)
		info_faults_describe(s, g);
	else if (g->deadlock)
		session_print(
			s,
			"deadlock: the unfinished warps wait, and nothing can wake them (`info deadlock` shows the wait-for cycle)\n");
	else
		session_print(s, "no fault so far\n");
}

const struct info info_faults = {
	.name = "faults",
	.doc = "fault or deadlock that stopped the program",
	.needs_machine = true,
	.show = info_faults_show,
};
