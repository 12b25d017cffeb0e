/* info_faults.c - info faults: the fault or deadlock that stopped the program. */
#include "command.h"
#include "info.h"
#include "machine.h"
#include "why.h"

#include <string.h>

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
		json_object_set_new(result, "fault",
				    json_string(g->fault < FAULT_KIND_COUNT ? fault_name[g->fault] : "?"));
		json_object_set_new(result, "text", json_string(t.s));
		json_object_set_new(result, "sm", json_integer(g->fault_sm));
		if (fault_context(&s->sim) != NONE32)
			json_object_set_new(result, "warp", json_integer(fault_context(&s->sim)));
		json_object_set_new(result, "lane", json_integer(g->fault_lane));
		json_object_set_new(result, "pc", json_integer(g->fault_pc));
		json_object_set_new(result, "address", json_integer((json_int_t)g->fault_address));
	}
	text_free(&t);
}

/* info faults */
static enum status info_faults_run(struct session *s, const struct token *token, u32 ntokens, struct error *e)
{
	const struct gpu *g = machine_gpu(s->sim.m);
	enum status st = info_alone(token, ntokens, e);

	if (st)
		return st;
	if (s->json)
		json_object_set_new(session_result(s), "deadlock", json_boolean(g->deadlock));
	if (g->fault)
		info_faults_describe(s, g);
	else if (g->deadlock)
		session_print(
			s,
			"deadlock: the unfinished warps wait, and nothing can wake them (`info deadlock` shows the wait-for cycle)\n");
	else
		session_print(s, "no fault so far\n");
	return STATUS_OK;
}

const struct info info_faults = {
	.name = "faults",
	.doc = "fault or deadlock that stopped the program",
	.needs_machine = true,
	.run = info_faults_run,
};
